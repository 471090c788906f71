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
# shellcheck source=machine.sh
. "$vm_dir/machine.sh"

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
machine_begin

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
	machine_pack "$root"
}

# boot KERNEL CONSOLE-LOG: until it powers off, at most four minutes.
boot()
{
	# Without hpet: it takes the clock's interrupt, and the alarm would not end a sleep.
	# Without cx16: qemu 7.2 leaves other bits in the flags after cmpxchg16b, which
	# the slab allocator uses, and now and then that is a double fault.
	# The console stays awake over a suspend: 6.1 came back as a reset in 3 of 33 boots
	# where it did not, without a word, and in none of 81 where it did.
	machine_boot 240 "$2" "$1" "console=ttyS0 no_console_suspend security=selinux selinux=1 enforcing=0" \
		qemu-system-x86_64 -machine pc,hpet=off -cpu max,-cx16
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
	machine_ended "$log" "$start" "${version:-$suite}-boot"
}

make_initramfs || { echo "not ok vm: no initramfs"; exit 1; }
for suite; do
	check "$suite"
done
exit 0
