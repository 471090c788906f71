#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Other kernels: boots Debian's cloud kernels under qemu, each with an
# initramfs of busybox, a static ctrace and the actors, and traces a cgroup
# there. 6.1's verifier is the strictest that is supported; these machines have
# cgroup v2 alone, and their clocks, CPUs and sleep are ours to play with.
#   tests/vm/run.sh CTRACE ACTOR [SUITE...]
set -u
vm_dir=$(cd "$(dirname "$0")" && pwd)
source_dir=$(cd "$vm_dir/../.." && pwd)
# shellcheck source=../lib/debian.sh
. "$source_dir/tests/lib/debian.sh"
# shellcheck source=../../deploy/lib/bundle.sh
. "$source_dir/deploy/lib/bundle.sh"

ctrace=$1
actor=$2
churn=${actor%/*}/churn
files=${actor%/*}/calls_fds
resolve=${actor%/*}/resolve
shift 2
[ $# -gt 0 ] || set -- bookworm bookworm-backports
for tool in qemu-system-x86_64 cpio busybox; do
	command -v "$tool" > /dev/null || { echo "skip vm: $tool is not installed"; exit 0; }
done
[ "$(uname -m)" = x86_64 ] || { echo "skip vm: (cannot) only x86_64 machines are emulated"; exit 0; }
for file in "$ctrace" "$actor" "$churn" "$files" "$resolve"; do
	[ -x "$file" ] || { echo "not ok vm: $file is not there"; exit 1; }
done
work=$(mktemp -d /tmp/ctrace-vm.XXXXXX) || exit 1
qemu=
trap '[ -z "$qemu" ] || kill -KILL "$qemu" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 143' INT TERM

make_initramfs()
{
	local root=$work/root applet
	rootfs_make "$root" || return 1
	for applet in mount umount uname mkfifo rmdir grep sed sort tail poweroff sync timeout cut awk unshare nsenter ip; do
		ln -sf busybox "$root/bin/$applet"
	done
	cp "$ctrace" "$root/bin/ctrace"
	cp "$actor" "$root/bin/marked"
	cp "$churn" "$root/bin/churn"
	cp "$files" "$root/bin/calls_fds"
	cp "$resolve" "$root/bin/resolve"
	cp "$vm_dir/init.sh" "$root/init"
	chmod 755 "$root/init" "$root"/bin/{ctrace,marked,churn,calls_fds,resolve}
	(cd "$root" && find . | cpio --quiet -o -H newc | gzip -1) > "$work/initramfs"
}

# boot KERNEL CONSOLE-LOG: until it powers off, at most four minutes.
boot()
{
	# Without hpet: it takes the clock's interrupt, and the alarm would not end a sleep.
	# Without cx16: qemu 7.2 leaves other bits in the flags after cmpxchg16b, which
	# the slab allocator uses, and now and then that is a double fault.
	# The console stays awake over a suspend: 6.1 came back as a reset in 3 of 33 boots
	# where it did not, without a word, and in none of 81 where it did.
	qemu-system-x86_64 -machine pc,hpet=off -accel tcg,thread=multi -cpu max,-cx16 -smp 2 -m 1024 -nodefaults -no-reboot -display none \
		-serial file:"$2" -kernel "$1" -initrd "$work/initramfs" \
		-append "console=ttyS0 quiet no_console_suspend panic=-1 mitigations=off random.trust_cpu=on security=selinux selinux=1 enforcing=0" < /dev/null > "$work/qemu.log" 2>&1 &
	qemu=$!
	local i
	for ((i = 0; i < 2400; i++)); do
		kill -0 "$qemu" 2>/dev/null || break
		sleep 0.1
	done
	kill -KILL "$qemu" 2>/dev/null
	wait "$qemu" 2>/dev/null
	qemu=
}

# check SUITE: the lines of the machine's report, each with the kernel's version.
check()
{
	local suite=$1 kernel log=$work/$1.console version start=$SECONDS
	kernel=$(debian_kernel "$suite" 2> "$work/fetch.log") || {
		echo "skip $suite: the kernel could not be fetched: $(tail -n 1 "$work/fetch.log")"
		return
	}
	boot "$kernel" "$log"
	version=$(sed -n 's/^KERNEL \([0-9]*\.[0-9]*\).*/\1/p' "$log" | head -n 1)
	tr -d '\r' < "$log" | sed -n "s/^RESULT \(ok\|not ok\|skip\) /\1 ${version:-$suite}-/p"
	tr -d '\r' < "$log" | grep -E '^(ERR|OUT) ' | sed 's/^/# /' | cat -v
	if ! grep -q '^DONE' "$log"; then
		tail -n 8 "$log" "$work/qemu.log" | sed 's/^/# /' | cat -v
		echo "not ok ${version:-$suite}-boot: it did not come to its end in $((SECONDS - start)) s"
	else
		echo "ok ${version:-$suite}-boot ($((SECONDS - start)) s)"
	fi
}

make_initramfs || { echo "not ok vm: no initramfs"; exit 1; }
for suite; do
	check "$suite"
done
exit 0
