#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Gets strace 7.x, the reference of the oracle, and prints the path of a wrapper
# that runs it. Debian sid's package and the libraries that it needs are unpacked
# (never installed) into a cache outside the tree, and run with their own loader:
# the machine's libraries are older, and its own strace differs.
#
#     fetch-strace.sh [DIRECTORY [ARCH]]      default: ${CTRACE_CACHE:-/var/cache/ctrace-tests}/strace
#
# For another architecture (arm64), whose programs do not run here, what is printed
# is the tree that the packages are unpacked in.
#
# The mirror is the machine's own (its apt sources); apt runs on a private
# configuration, so nothing of the machine's package state is read or changed.
# Exit status 77: cannot be had here (no apt, no mirror, not reachable).
set -eu

skip() {
	echo "fetch-strace: $*" >&2
	exit 77
}

command -v apt-get >/dev/null && command -v dpkg >/dev/null || skip "needs apt-get and dpkg"
dir=${1:-${CTRACE_CACHE:-/var/cache/ctrace-tests}/strace}
arch=${2:-$(dpkg --print-architecture)}
bin=$dir/bin/strace

foreign() {
	[ "$arch" != "$(dpkg --print-architecture)" ]
}

is_7() {
	if foreign; then
		grep -Eqs '^7\.[0-9]' "$dir/version"
		return
	fi
	[ -x "$bin" ] && "$bin" --version 2>/dev/null | head -n1 | grep -Eq 'version 7\.[0-9]'
}

if is_7; then
	foreign && echo "$dir/root" || echo "$bin"
	exit 0
fi

# Candidates: every Debian archive that the machine names; of a dated snapshot
# (.../TIMESTAMP/...) also the same archive of today.
mirrors() {
	cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list 2>/dev/null |
		sed -n -e 's/^URIs:[[:space:]]*//p' -e 's/^deb[[:space:]]\(\[[^]]*\][[:space:]]*\)\{0,1\}\([^[:space:]]*\).*/\2/p' |
		tr ' ' '\n' | sed -e '/^$/d' -e 's,/*$,,' |
		while read -r uri; do
			case $uri in
			*/debian/[0-9]*T[0-9]*Z) echo "$uri"; echo "${uri%/*}" ;;
			*/debian) echo "$uri" ;;
			esac
		done | awk '!seen[$0]++'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/root" "$work/parts"
: >"$work/status"
cat >"$work/apt.conf" <<CONF
Dir::State "$work/state";
Dir::State::status "$work/status";
Dir::Cache "$work/cache";
Dir::Etc::sourcelist "$work/sources.list";
Dir::Etc::sourceparts "$work/parts";
Dir::Etc::preferences "$work/none";
Dir::Etc::preferencesparts "$work/parts";
APT::Install-Recommends "false";
APT::Sandbox::User "root";
Acquire::Languages "none";
APT::Architecture "$arch";
APT::Architectures { "$arch"; };
CONF

found=
for uri in $(mirrors); do
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri sid main" >"$work/sources.list"
	if APT_CONFIG=$work/apt.conf apt-get -qq update >"$work/log" 2>&1 &&
	   APT_CONFIG=$work/apt.conf apt-cache show strace >/dev/null 2>&1; then
		found=$uri
		break
	fi
done
[ -n "$found" ] || skip "no mirror of this machine serves Debian sid: $(tail -n1 "$work/log" 2>/dev/null)"

# An empty package state makes apt resolve the whole closure, libc included.
APT_CONFIG=$work/apt.conf apt-get -qq -y --download-only install strace >"$work/log" 2>&1 ||
	skip "cannot download strace: $(tail -n1 "$work/log")"
for deb in "$work"/cache/archives/*.deb; do
	dpkg -x "$deb" "$work/root"
done

if foreign; then
	mkdir -p "$dir"
	rm -rf "$dir/root"
	cp -a "$work/root" "$dir/root"
	dpkg-deb -f "$(ls "$work"/cache/archives/strace_*.deb)" Version >"$dir/version"
	is_7 || skip "what sid has is not 7.x: $(cat "$dir/version")"
	echo "$dir/root"
	exit 0
fi

loader=$(cd "$work/root" && find . -name 'ld-linux-*.so.*' -print | sed 's,^\./,,' | head -n1)
[ -n "$loader" ] || skip "the unpacked packages hold no loader"
libs=$(cd "$work/root" && find . -type d -path '*/lib/*-linux-gnu*' -prune -print | sed 's,^\./,,' | head -n1)
mkdir -p "$dir"
rm -rf "$dir/root"
cp -a "$work/root" "$dir/root"
mkdir -p "$dir/bin"
cat >"$bin.new" <<WRAP
#!/bin/sh
exec "$dir/root/$loader" --library-path "$dir/root/$libs" --argv0 strace "$dir/root/usr/bin/strace" "\$@"
WRAP
chmod +x "$bin.new"
mv "$bin.new" "$bin"
is_7 || skip "what sid has is not 7.x: $("$bin" --version 2>&1 | head -n1)"
echo "$bin"
