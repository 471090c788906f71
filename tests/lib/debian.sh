# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Debian packages that are unpacked into a cache and never installed: kernels
# for the virtual machines, libraries for the cross build. apt works on lists
# and folders of its own, so that the host's package state is not touched; the
# mirror is the one that the host's own sources name.

CTRACE_CACHE=${CTRACE_CACHE:-/var/cache/ctrace-tests}

# debian_mirror: the URI of the host's Debian archive, or nothing.
debian_mirror()
{
	apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)' 2>/dev/null |
		awk -F'|' '$1 == "Debian" && $2 == "Debian" { print $3; exit }'
}

# debian_apt NAME ARCH SUITE COMMAND...: a command of apt-get or apt-cache
# ("get download x", "cache depends x") with the private lists for SUITE.
debian_apt()
{
	local dir=$CTRACE_CACHE/apt/$1 arch=$2 suite=$3 tool=apt-$4
	shift 4
	local mirror
	if [ ! -s "$dir/sources.list" ]; then
		mirror=$(debian_mirror)
		[ -n "$mirror" ] || { echo "no Debian mirror among the sources of apt" >&2; return 1; }
		mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial"
		: > "$dir/status"
		echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" > "$dir/sources.list"
	fi
	"$tool" -q -o APT::Architecture="$arch" -o APT::Architectures::="$arch" -o Dir::Etc::SourceList="$dir/sources.list" \
		-o Dir::Etc::SourceParts=/dev/null -o Dir::Etc::PreferencesParts=/dev/null \
		-o Dir::State="$dir" -o Dir::State::Lists="$dir/lists" -o Dir::State::status="$dir/status" \
		-o Dir::Cache="$dir/cache" -o APT::Sandbox::User=root -o Acquire::Languages=none "$@"
}

# debian_unpack NAME ARCH SUITE DIR PACKAGE...: the packages, without what
# they depend on, unpacked into DIR. Once: a stamp remembers the list.
debian_unpack()
{
	local name=$1 arch=$2 suite=$3 dir=$4
	shift 4
	local stamp="$dir/.unpacked" deb
	[ -f "$stamp" ] && [ "$(cat "$stamp")" = "$*" ] && return 0
	rm -rf "$dir"
	mkdir -p "$dir/.debs" || return 1
	debian_apt "$name" "$arch" "$suite" get update > "$dir/.log" 2>&1 &&
		(cd "$dir/.debs" && debian_apt "$name" "$arch" "$suite" get download "$@") >> "$dir/.log" 2>&1 ||
		{ tail -n 3 "$dir/.log" >&2; return 1; }
	for deb in "$dir"/.debs/*.deb; do
		dpkg-deb -x "$deb" "$dir" || return 1
	done
	rm -rf "$dir/.debs"
	echo "$*" > "$stamp"
}

# debian_kernel SUITE [ARCH]: unpacks the newest cloud kernel of SUITE (for amd64)
# and prints the path of its image; its modules lie in the same tree.
debian_kernel()
{
	local suite=$1 arch=${2:-amd64} name package
	name=kernel-$suite
	[ "$arch" = amd64 ] || name+=-$arch
	local dir=$CTRACE_CACHE/$name
	if [ ! -f "$dir/.unpacked" ]; then
		debian_apt "$name" "$arch" "$suite" get update > /dev/null || return 1
		package=$(debian_apt "$name" "$arch" "$suite" cache depends "linux-image-cloud-$arch" |
			awk '$1 == "Depends:" { print $2; exit }')
		[ -n "$package" ] || { echo "no cloud kernel in $suite" >&2; return 1; }
		debian_unpack "$name" "$arch" "$suite" "$dir" "$package" || return 1
	fi
	set -- "$dir"/boot/vmlinuz-*
	[ -f "$1" ] || { echo "no kernel image in $dir" >&2; return 1; }
	echo "$1"
}
