#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The strace oracle on ABIs that this machine's kernel does not run: boots a
# Debian kernel under qemu, runs the actors there under strace 7.x and a static
# ctrace at once, and compares the lines here.
#   tests/vm/oracle.sh MACHINE CTRACE ACTORS_DIR [ACTOR...]
# MACHINE: i386 (32-bit actors on an amd64 kernel) or arm64. ORACLE_OPTIONS: for
# both tracers. KEEP=DIR: the traces stay there. SUITE: whose kernel (bookworm-backports).
set -u
vm_dir=$(cd "$(dirname "$0")" && pwd)
source_dir=$(cd "$vm_dir/../.." && pwd)
# The oracle's own folder, for its parts.
here=$source_dir/tests/system/oracle
# shellcheck source=../lib/debian.sh
. "$source_dir/tests/lib/debian.sh"
# shellcheck source=../../deploy/lib/bundle.sh
. "$source_dir/deploy/lib/bundle.sh"
# shellcheck source=machine.sh
. "$vm_dir/machine.sh"

abi=$1
ctrace=$2
actors=$3
shift 3
[ "$(uname -m)" = x86_64 ] || { echo "skip $abi: (cannot) the machines are emulated on x86_64 only"; exit 0; }
case $abi in
i386)
	qemu=(qemu-system-x86_64 -machine 'pc,hpet=off' -cpu 'max,-cx16')
	consoles=(ttyS0 ttyS1) arch=amd64 loader=lib64/ld-linux-x86-64.so.2 triplet=x86_64-linux-gnu ;;
arm64)
	# One without pointer authentication, which costs an emulator more than all else.
	qemu=(qemu-system-aarch64 -machine virt -cpu neoverse-n1)
	consoles=(ttyAMA0 hvc0) arch=arm64 loader=lib/ld-linux-aarch64.so.1 triplet=aarch64-linux-gnu ;;
*)
	echo "not ok vm: no machine $abi"
	exit 1 ;;
esac
for tool in "${qemu[0]}" cpio xz; do
	command -v "$tool" > /dev/null || { echo "skip $abi: $tool is not installed"; exit 0; }
done
[ -x "$ctrace" ] || { echo "not ok $abi-binary: $ctrace is not there"; exit 1; }
machine_begin

# The tree of strace's packages, for the machine's architecture.
strace_tree()
{
	if [ "$arch" = "$(dpkg --print-architecture)" ]; then
		"$here/fetch-strace.sh" > /dev/null && echo "$CTRACE_CACHE/strace/root"
	else
		"$here/fetch-strace.sh" "$CTRACE_CACHE/strace-$arch" "$arch"
	fi
}

make_busybox()
{
	local root=$1 applet tree
	if [ "$arch" = "$(dpkg --print-architecture)" ]; then
		rootfs_make "$root" || return 1
	else
		tree=$CTRACE_CACHE/busybox-$arch
		debian_unpack "busybox-$arch" "$arch" bookworm "$tree" busybox-static || return 1
		mkdir -p "$root"/{bin,dev,etc,proc,sys,tmp}
		cp "$tree"/bin/busybox "$root/bin/" || cp "$tree"/usr/bin/busybox "$root/bin/"
		echo 'root:x:0:0:root:/root:/bin/sh' > "$root/etc/passwd"
	fi
	for applet in sh cat ls echo mkdir rm mount uname mkfifo usleep ip stty kill tar gzip sync poweroff true sleep insmod; do
		ln -sf busybox "$root/bin/$applet"
	done
}

# make_initramfs KERNEL ACTOR...
make_initramfs()
{
	local root=$work/root tree lib kernel=$1 module
	shift
	make_busybox "$root" || return 1
	tree=$(strace_tree) || return 1
	mkdir -p "$root/strace/lib" "$root/actors" "$root/${loader%/*}"
	cp -L "$tree/usr/bin/strace" "$root/strace/" && cp -L "$tree/usr/$loader" "$root/strace/loader" || return 1
	for lib in "$tree/usr/lib/$triplet"/*.so*; do
		cp -L "$lib" "$root/strace/lib/"
	done
	printf '#!/bin/sh\nexec /strace/loader --library-path /strace/lib --argv0 strace /strace/strace "$@"\n' > "$root/bin/strace"
	cp "$ctrace" "$root/bin/ctrace"
	# strace asks the kernel by them what a socket is.
	mkdir -p "$root/modules"
	for module in netlink/netlink_diag ipv4/inet_diag ipv4/tcp_diag ipv4/udp_diag unix/unix_diag packet/af_packet_diag; do
		cp "${kernel%/boot/*}"/lib/modules/*/kernel/net/$module.ko* "$root/modules/" || return 1
	done
	for module in "$root"/modules/*.xz; do
		[ ! -e "$module" ] || xz -d "$module" || return 1
	done
	for name; do
		cp "$actors/$name" "$root/actors/" || return 1
	done
	echo "${ORACLE_OPTIONS:-}" > "$root/options"
	echo "/dev/${consoles[1]}" > "$root/line"
	cp "$vm_dir/oracle-init.sh" "$root/init"
	chmod 755 "$root/init" "$root/bin/strace" "$root/bin/ctrace"
	machine_pack "$root"
}

# boot KERNEL: until it powers off, at most fifteen minutes (a busy machine takes ten).
boot()
{
	local line=(-serial "file:$work/traces.tgz")
	[ "${consoles[1]}" = ttyS1 ] || line=(-device virtio-serial -chardev "file,id=out,path=$work/traces.tgz" -device virtconsole,chardev=out)
	machine_boot 900 "$work/console" "$1" "console=${consoles[0]}" "${qemu[@]}" "${line[@]}"
}

# shellcheck source=../system/oracle/lib.sh
. "$here/lib.sh"
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(cd "$actors" && ls -d calls_*)
kernel=$(debian_kernel "${SUITE:-bookworm-backports}" "$arch" 2> "$work/log") || { echo "skip $abi: the kernel could not be fetched: $(tail -n 1 "$work/log")"; exit 0; }
make_initramfs "$kernel" "$@" 2> "$work/log" || { echo "not ok $abi-initramfs: $(tail -n 1 "$work/log")"; exit 1; }
start=$SECONDS
boot "$kernel"
machine_ended "$work/console" "$start" "$abi-boot"
grep -v '^#' "$here/known-differences.txt" > "$work/known.sed"
# One archive after the other, for each actor.
tar xzif "$work/traces.tgz" -C "$work" 2> "$work/log"
for name; do
	if [ ! -s "$work/$name.strace" ]; then
		echo "not ok $abi-$name: it was not traced"
		continue
	fi
	# What was traced of one that was killed may be equal and says nothing of the rest.
	if tr -d '\r' < "$work/console" | grep -qx "STUCK $name"; then
		echo "not ok $abi-$name: it did not come to its end"
		continue
	fi
	compare "$name" "/actors/$name"
	# shellcheck disable=SC2154
	read -r n _ different <<< "$rest"
	echo "# $name: $n lines, $different different"
	if [ "$n" -ge 20 ] && [ "$different" = 0 ]; then
		echo "ok $abi-$name"
	else
		head -n "${DIFF_LINES:-12}" "$work/$name.diff" | sed 's/^/# /' | cat -v
		echo "not ok $abi-$name: $different of $n lines differ"
	fi
done
[ -z "${KEEP:-}" ] || cp -r "$work" "$KEEP"
exit 0
