# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# What quickstart.sh and tests/run.sh need on a machine, and how to get it
# without breaking that machine: only what is not there is installed, nothing
# is ever removed for it, and no daemon is started.

missing_packages=()

# The tools of the build that live in sbin are not in every user's PATH.
PATH=$PATH:/usr/sbin:/sbin

say()
{
	echo "${SAY_PREFIX:-quickstart}: $*"
}

distribution()
{
	# shellcheck disable=SC1091
	(. /etc/os-release 2>/dev/null && echo "${ID:-unknown}") || echo unknown
}

# The package's name here, by its name in Debian.
package_name()
{
	case $(distribution):$1 in
	ubuntu:bpftool) echo "linux-tools-common linux-tools-$(uname -r)" ;;
	*) echo "$1" ;;
	esac
}

need_package()
{
	local name
	for name in $(package_name "$1"); do
		case " ${missing_packages[*]-} " in
		*" $name "*) ;;
		*) missing_packages+=("$name") ;;
		esac
	done
}

# need_command COMMAND PACKAGE
need_command()
{
	command -v "$1" > /dev/null || need_package "$2"
}

# need_library LIBRARY HEADER PACKAGE: as the compiler and the linker see it.
need_library()
{
	local cc
	cc=$(command -v cc || command -v gcc) || { need_package "$3"; return; }
	printf '#include <stddef.h>\n#include <stdio.h>\n#include <stdarg.h>\n#include <setjmp.h>\n#include <stdint.h>\n#include <%s>\nint main(void) { return 0; }\n' "$2" |
		"$cc" -x c - "-l$1" -o /dev/null 2>/dev/null || need_package "$3"
}

need_build_packages()
{
	need_command cc gcc
	need_command gcc gcc
	need_command make make
	need_command cmake cmake
	need_command pkg-config pkg-config
	need_command clang clang
	need_command bpftool bpftool
	need_library c stdlib.h libc6-dev
	need_library bpf bpf/libbpf.h libbpf-dev
	need_library elf libelf.h libelf-dev
	need_library dw elfutils/libdw.h libdw-dev
	need_library z zlib.h zlib1g-dev
	need_library jansson jansson.h libjansson-dev
	need_library cap sys/capability.h libcap-dev
	need_library curl curl/curl.h libcurl4-gnutls-dev
	need_library seccomp seccomp.h libseccomp-dev
}

# apt-get under a policy that starts no daemon. A policy of the machine's own
# is covered for this one command only, in a mount namespace.
apt_get_quietly()
{
	local policy=/usr/sbin/policy-rc.d ours status=0
	ours=$(mktemp /tmp/policy-rc.d.XXXXXX) || return 1
	printf '#!/bin/sh\nexit 101\n' > "$ours"
	chmod 755 "$ours"
	if [ -e "$policy" ]; then
		# shellcheck disable=SC2016
		DEBIAN_FRONTEND=noninteractive unshare -m sh -c 'mount --bind "$0" "$1" && shift && exec apt-get -o DPkg::Lock::Timeout=120 "$@"' \
			"$ours" "$policy" "$@" < /dev/null || status=$?
	else
		cp -p "$ours" "$policy"
		DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 "$@" < /dev/null || status=$?
		rm -f "$policy"
	fi
	rm -f "$ours"
	return "$status"
}

# Installs what the need_ functions noted. On a distribution that this script
# does not know it names the packages and gives up.
install_missing()
{
	[ "${#missing_packages[@]}" -gt 0 ] || return 0
	case $(distribution) in
	debian | ubuntu) ;;
	*)
		say "these are missing (Debian's package names): ${missing_packages[*]}"
		say "this script can install packages on Debian and Ubuntu only: please install them and run it again"
		return 1
		;;
	esac
	if [ "$(id -u)" != 0 ]; then
		say "these packages are missing: ${missing_packages[*]}; run this script with sudo"
		return 1
	fi
	say "installing the packages that are missing: ${missing_packages[*]} (nothing is removed, no daemon is started)"
	local log
	log=$(mktemp /tmp/ctrace-install.XXXXXX) || return 1
	if ! apt_get_quietly update > "$log" 2>&1 ||
	   ! apt_get_quietly -y --no-remove --no-install-recommends install "${missing_packages[@]}" >> "$log" 2>&1; then
		tail -n 8 "$log"
		say "the packages could not be installed; the whole log is $log"
		return 1
	fi
	rm -f "$log"
	missing_packages=()
	hash -r
}

# as_builder COMMAND...: as the user behind sudo, if the sources are theirs.
as_builder()
{
	if [ "$(id -u)" = 0 ] && [ -n "${SUDO_UID:-}" ] && [ "$SUDO_UID" != 0 ] && [ "$(stat -c %u "$source_dir")" = "$SUDO_UID" ]; then
		setpriv --reuid="$SUDO_UID" --regid="${SUDO_GID:-$SUDO_UID}" --clear-groups "$@"
	else
		"$@"
	fi
}

# build_tree DIR LOG TARGET [CMAKE-OPTION...]: configures and builds.
build_tree()
{
	local dir=$1 log=$2 target=$3
	shift 3
	if [ "$(id -u)" = 0 ] && [ -n "${SUDO_UID:-}" ]; then
		mkdir -p "$dir"
		chown -R "$SUDO_UID:${SUDO_GID:-$SUDO_UID}" "$dir"
	fi
	as_builder cmake -S "$source_dir" -B "$dir" "$@" > "$log" 2>&1 &&
		as_builder make -C "$dir" -j"$(nproc)" "$target" >> "$log" 2>&1
	local status=$?
	if [ "$(id -u)" = 0 ] && [ -n "${SUDO_UID:-}" ]; then
		chown -R "$SUDO_UID:${SUDO_GID:-$SUDO_UID}" "$dir"
	fi
	return "$status"
}
