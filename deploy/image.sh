#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Makes a container image of a static ctrace, without a container engine.
#   deploy/image.sh [-t NAME:TAG] [-o FILE] [BINARY]    writes FILE (default: ctrace-ARCH.tar)
#   deploy/image.sh --tree DIR BINARY                   the image's files alone, into DIR
# BINARY is of x86_64 or arm64; without one, build-static/ctrace is built first.
# docker load, podman load and ctr images import take the file. The same
# BINARY gives the same file; SOURCE_DATE_EPOCH is the time in it (default: of
# the last commit). STRIP names the strip for another architecture's BINARY.
# SYSROOT is where that one's libraries were taken from, for their licences.
set -u
export LC_ALL=C
umask 022
source_dir=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd) || exit 1
# SAY_PREFIX is read by packages.sh.
# shellcheck disable=SC2034
SAY_PREFIX=image
# shellcheck source=lib/packages.sh
. "$source_dir/deploy/lib/packages.sh"
# shellcheck source=lib/bundle.sh
. "$source_dir/deploy/lib/bundle.sh"

die()
{
	say "$*" >&2
	exit 1
}

usage()
{
	say "usage: deploy/image.sh [-t NAME:TAG] [-o FILE] [BINARY], or deploy/image.sh --tree DIR BINARY" >&2
	exit 2
}

name=ctrace:latest
output=
tree=
binary=
while [ $# -gt 0 ]; do
	case $1 in
	-h | --help)
		sed -n '3,10s/^# \{0,1\}//p' "$0"
		exit 0
		;;
	-t | -o | --tree)
		[ $# -ge 2 ] && [ -n "$2" ] || usage
		case $1 in
		-t) name=$2 ;;
		-o) output=$2 ;;
		--tree) tree=$2 ;;
		esac
		shift
		;;
	-*) usage ;;
	*)
		[ -z "$binary" ] || usage
		binary=$1
		;;
	esac
	shift
done
[[ $name =~ ^[a-z0-9][a-z0-9._/:-]*:[A-Za-z0-9_][A-Za-z0-9_.-]*$ ]] || die "not a name and a tag: $name"

work=$(mktemp -d /tmp/ctrace-image.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

build_static()
{
	need_build_packages
	install_missing || exit 1
	say "building $source_dir/build-static/ctrace" >&2
	build_tree "$source_dir/build-static" "$work/build.log" ctrace -DCTRACE_STATIC=ON -DCTRACE_TESTS=OFF && return
	tail -n 20 "$work/build.log" >&2
	die "the build failed"
}

# elf_arch FILE: as images name it. ELF64, little endian; e_machine is 62 or 183.
elf_arch()
{
	local header
	header=$(od -An -tx1 -N20 "$1" 2>/dev/null | tr -d ' \n')
	case ${header:0:12}:${header:36:4} in
	7f454c460201:3e00) echo amd64 ;;
	7f454c460201:b700) echo arm64 ;;
	*) return 1 ;;
	esac
}

# The time in the image, in seconds.
image_time()
{
	local epoch=${SOURCE_DATE_EPOCH:-}
	[ -n "$epoch" ] || epoch=$(git -c safe.directory="$source_dir" -C "$source_dir" log -1 --format=%ct 2>/dev/null)
	[ -n "$epoch" ] || epoch=0
	[[ $epoch =~ ^[0-9]{1,12}$ ]] || die "SOURCE_DATE_EPOCH is no number of seconds: $epoch"
	echo "$epoch"
}

# strip_for ARCH: a strip that knows it.
strip_for()
{
	local machine=x86_64
	[ "$1" = amd64 ] || machine=aarch64
	if [ -n "${STRIP:-}" ]; then
		echo "$STRIP"
	elif [ "$(uname -m)" = "$machine" ] && command -v strip > /dev/null; then
		echo strip
	else
		command -v "$machine-linux-gnu-strip" || command -v llvm-strip
	fi
}

# What is linked into a static binary, and wants its licence beside it.
linked="libc6-dev libbpf-dev libelf-dev libdw-dev liblzma-dev libbz2-dev zlib1g-dev libjansson-dev libcap-dev libseccomp-dev"

# tree_make DIR ARCH: the image's files. Runtimes want the folders that they mount on.
tree_make()
{
	local dir=$1 strip package file
	strip=$(strip_for "$2") || die "no strip for $2: install binutils for it, or name one in STRIP"
	mkdir -p "$dir"/{dev,etc,host/proc,proc,sys,tmp,licenses} || die "cannot write $dir"
	"$strip" -o "$dir/ctrace" "$binary" || die "$strip cannot read $binary"
	echo 'root:x:0:0:root:/:/ctrace' > "$dir/etc/passwd"
	cp "$source_dir"/LICENSES/*.txt "$dir/licenses/" || die "no licences in $source_dir/LICENSES"
	for package in $linked; do
		file=${SYSROOT:-}/usr/share/doc/$package/copyright
		[ ! -f "$file" ] || cp -L "$file" "$dir/licenses/$package.txt"
	done
	chmod -R u=rwX,go=rX "$dir"
	chmod 755 "$dir/ctrace"
	chmod 1777 "$dir/tmp"
}

digest()
{
	sha256sum "$1" | cut -d ' ' -f 1
}

# blob FILE: into the image's folder, under its digest; sets BLOB and SIZE.
blob()
{
	BLOB=$(digest "$1")
	SIZE=$(stat -c %s "$1")
	mv "$1" "$work/image/blobs/sha256/$BLOB"
}

# pack FILE DIR: nothing in it tells when, by whom or in which order it was made.
# Names without "./", which not every reader takes off.
pack()
{
	# shellcheck disable=SC2046
	tar --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" -cf "$1" -C "$2" -- $(ls "$2")
}

# An OCI image layout that is a docker archive as well: manifest.json names the same blobs.
# https://github.com/opencontainers/image-spec: image-layout.md, manifest.md, config.md
image_make()
{
	local arch=$1 epoch created layer layer_size config config_size oci=application/vnd.oci.image
	epoch=$(image_time) || exit 1
	created=$(date -u -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ)
	mkdir -p "$work/image/blobs/sha256"
	tree_make "$work/tree" "$arch"
	pack "$work/layer" "$work/tree" || die "cannot pack the layer"
	blob "$work/layer"
	layer=$BLOB layer_size=$SIZE
	cat > "$work/config" <<-END_JSON
	{"created":"$created","architecture":"$arch","os":"linux","config":{"Env":["PATH=/"],"Entrypoint":["/ctrace"],"WorkingDir":"/","Labels":{"org.opencontainers.image.title":"ctrace","org.opencontainers.image.licenses":"GPL-2.0-only OR BSD-2-Clause"}},"rootfs":{"type":"layers","diff_ids":["sha256:$layer"]},"history":[{"created":"$created","created_by":"deploy/image.sh"}]}
	END_JSON
	blob "$work/config"
	config=$BLOB config_size=$SIZE
	cat > "$work/manifest" <<-END_JSON
	{"schemaVersion":2,"mediaType":"$oci.manifest.v1+json","config":{"mediaType":"$oci.config.v1+json","digest":"sha256:$config","size":$config_size},"layers":[{"mediaType":"$oci.layer.v1.tar","digest":"sha256:$layer","size":$layer_size}]}
	END_JSON
	blob "$work/manifest"
	cat > "$work/image/index.json" <<-END_JSON
	{"schemaVersion":2,"mediaType":"$oci.index.v1+json","manifests":[{"mediaType":"$oci.manifest.v1+json","digest":"sha256:$BLOB","size":$SIZE,"annotations":{"io.containerd.image.name":"$(full_name)","org.opencontainers.image.ref.name":"${name##*:}"},"platform":{"architecture":"$arch","os":"linux"}}]}
	END_JSON
	echo '{"imageLayoutVersion":"1.0.0"}' > "$work/image/oci-layout"
	echo "[{\"Config\":\"blobs/sha256/$config\",\"RepoTags\":[\"$name\"],\"Layers\":[\"blobs/sha256/$layer\"]}]" > "$work/image/manifest.json"
	pack "$output" "$work/image" || die "cannot write $output"
}

# The kubelet and ctr know an image by this form of its name.
full_name()
{
	case ${name%%/*} in
	"$name") echo "docker.io/library/$name" ;;
	*.* | *:* | localhost) echo "$name" ;;
	*) echo "docker.io/$name" ;;
	esac
}

if [ -z "$binary" ]; then
	[ -z "$tree" ] || usage
	build_static
	binary=$source_dir/build-static/ctrace
fi
arch=$(elf_arch "$binary") || die "$binary is no program for x86_64 or arm64"
! grep -aq '/ld-linux' "$binary" || die "$binary is linked dynamically: configure with -DCTRACE_STATIC=ON"
if [ -n "$tree" ]; then
	tree_make "$tree" "$arch"
	exit 0
fi
: "${output:=ctrace-$arch.tar}"
image_make "$arch"
say "$output: $name for linux/$arch, $(($(stat -c %s "$output") / 1024)) KiB"
