# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# What the virtual machines have in common. Sourced; machine_begin sets work.

machine=

# machine_begin: a folder, work, that goes at the end, and whatever runs then, too.
machine_begin()
{
	work=$(mktemp -d /tmp/ctrace-vm.XXXXXX) || exit 1
	trap '[ -z "$machine" ] || kill -KILL "$machine" 2>/dev/null; rm -rf "$work"' EXIT
	trap 'exit 143' INT TERM
}

# machine_pack ROOT: the tree as $work/initramfs.
machine_pack()
{
	(cd "$1" && find . | cpio --quiet -o -H newc | gzip -1) > "$work/initramfs"
}

# machine_boot SECONDS CONSOLE KERNEL APPEND QEMU...: a machine's name for a run, with its options, until it powers off, or is too slow; what qemu says is in $work/qemu.log.
machine_boot()
{
	local left=$(($1 * 10)) console=$2 kernel=$3 append=$4 qemu=$5
	shift 5
	# The console is the first serial line.
	"$qemu" -serial file:"$console" "$@" -accel tcg,thread=multi -smp 2 -m 1024 -nodefaults -no-reboot -display none \
		-kernel "$kernel" -initrd "$work/initramfs" -append "quiet panic=-1 mitigations=off random.trust_cpu=on $append" < /dev/null > "$work/qemu.log" 2>&1 &
	machine=$!
	while [ $((left--)) -gt 0 ] && kill -0 "$machine" 2>/dev/null; do
		sleep 0.1
	done
	kill -KILL "$machine" 2>/dev/null
	wait "$machine" 2>/dev/null
	machine=
}

# machine_ended CONSOLE START NAME: whether it came to its end, as the line of a test.
machine_ended()
{
	if tr -d '\r' < "$1" | grep -q '^DONE'; then
		echo "ok $3 ($((SECONDS - $2)) s)"
	else
		tail -n 8 "$1" "$work/qemu.log" | sed 's/^/# /' | cat -v
		echo "not ok $3: it did not come to its end in $((SECONDS - $2)) s"
	fi
}
