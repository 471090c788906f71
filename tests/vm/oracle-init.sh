#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Process 1 of the oracle's machines: runs each actor of /actors once, under
# strace and under ctrace, and hands the traces out through the second serial line.
export PATH=/bin TERM=dumb HOME=/tmp
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev 2> /dev/null
mkdir -p /dev/pts /dev/shm
mount -t devpts pts /dev/pts 2> /dev/null
mount -t cgroup2 cgroup /sys/fs/cgroup
mount -t tmpfs tmp /tmp
mount -t tmpfs shm /dev/shm
ip link set lo up
# inet_diag before those that need it.
insmod /modules/inet_diag.ko
for module in /modules/*.ko; do
	[ "$module" = /modules/inet_diag.ko ] || insmod "$module"
done
echo "KERNEL $(uname -r)"
mkdir /tmp/traces
cd /tmp || exit 1

wait_for()
{
	i=0
	while [ ! -s "$1" ] && [ $i -lt 1200 ]; do
		usleep 50000
		i=$((i + 1))
	done
}

one()
{
	base=/tmp/traces/$1
	mkfifo /tmp/go
	rm -f /tmp/pid /tmp/ready
	# shellcheck disable=SC2016,SC2086
	strace -f -e status=!detached $2 -o "$base.strace" sh -c 'echo $$ > /tmp/pid; read -r go < /tmp/go; exec "$0"' "/actors/$1" > "$base.out" 2>&1 < /dev/null &
	tracee=$!
	wait_for /tmp/pid
	# shellcheck disable=SC2086
	ctrace -p "$(cat /tmp/pid)" --always-show-pid $2 -o "$base.ctrace" --ready-fd 9 9> /tmp/ready > "$base.says" 2>&1 &
	tracer=$!
	wait_for /tmp/ready
	echo go > /tmp/go
	# One that waits for ever must not keep the others from running: its trace tells.
	(sleep 150; echo "STUCK $1"; kill -KILL "$(cat /tmp/pid)"; sleep 5; kill -INT $tracee) &
	watchdog=$!
	wait $tracee
	kill $watchdog
	wait $tracer
	rm -f /tmp/go
}

# The line forgets its settings when nobody has it open.
exec 3<> "$(cat /line)"
stty raw -echo <&3
for actor in /actors/*; do
	name=${actor##*/}
	read -r start _ < /proc/uptime
	one "$name" "$(cat /options)" 3>&-
	# At once: nothing is lost if a later one does not come to its end.
	(cd /tmp/traces && tar czf - "$name".*) >&3
	rm -f /tmp/traces/*
	read -r now _ < /proc/uptime
	echo "TRACED $name $((${now%.*} - ${start%.*}))"
done
exec 3>&-
echo "DONE"
sync
poweroff -f
