#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Process 1 of the virtual machine: runs the checks and reports on the serial
# console, a line "RESULT ok NAME" or "RESULT not ok NAME: why" for each.
export PATH=/bin TERM=dumb
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev 2> /dev/null
mount -t cgroup2 cgroup /sys/fs/cgroup
mount -t tmpfs tmp /tmp
echo "KERNEL $(uname -r)"

group=/sys/fs/cgroup/box
mkdir -p $group /tmp/r

result()
{
	if [ -z "$2" ]; then
		echo "RESULT ok $1"
	else
		echo "RESULT not ok $1: $2"
		tail -n 12 /tmp/r/err | sed 's/^/ERR /'
		tail -n 5 /tmp/r/out | sed 's/^/OUT /'
	fi
}

# trace ARG... -- COMMAND: ctrace with ARG, then, once it is active, COMMAND in
# the cgroup; ends when the cgroup is removed.
trace()
{
	args=
	while [ "$1" != -- ]; do
		args="$args $1"
		shift
	done
	shift
	rm -f /tmp/r/*
	mkfifo /tmp/r/ready
	# shellcheck disable=SC2086
	ctrace $args -o /tmp/r/out --status-file /tmp/r/status --ready-fd 9 9> /tmp/r/ready 2> /tmp/r/err &
	tracer=$!
	[ "$(timeout 60 head -c 1 /tmp/r/ready | wc -c)" = 1 ] || return 1
	sh -c "echo 0 > $group/cgroup.procs; exec \"\$@\"" sh "$@" > /tmp/r/actor 2>&1
	rmdir $group/sub $group 2> /dev/null
	i=0
	while kill -0 $tracer 2> /dev/null && [ $i -lt 100 ]; do
		usleep 100000
		i=$((i + 1))
	done
	kill -INT $tracer 2> /dev/null
	wait $tracer
	status=$?
	mkdir -p $group
	return $status
}

# How many different marked calls are in the trace, and how many lines.
marked()
{
	grep -o 'lseek(-1, [0-9]*, SEEK_SET)' /tmp/r/out > /tmp/r/marks
	echo "$(sort -u /tmp/r/marks | wc -l) $(wc -l < /tmp/r/marks)"
}

is_complete()
{
	grep -q '"complete": *true' /tmp/r/status && grep -q '^ctrace: coverage complete since' /tmp/r/err
}

check_marked()
{
	why=
	trace --cgroup $group -- marked calls 1000 1000 / fork 2000 500 / orphan 2500 100 / threads 3 3000 100 / thread-exec 4000 10 / leader-exit 4100 10
	[ $? = 0 ] || why="exit status $status; $(tail -n 1 /tmp/r/err)"
	[ "$(marked)" = "1920 1920" ] || why="$why; marked calls and lines: $(marked), not 1920 of each"
	is_complete || why="$why; coverage is not complete"
	result coverage "$why"
}

check_paths()
{
	why=
	trace --cgroup $group -e trace=%file -- cat /etc/none
	grep -qE 'open(at)?\(.*"/etc/none", O_RDONLY.*\) = -1 ENOENT \(No such file or directory\)' /tmp/r/out || why="no failing open"
	grep -qE 'execve\("(/bin/cat|/proc/self/exe)", \["cat", "/etc/none"\]' /tmp/r/out || why="$why; no execve"
	is_complete || why="$why; coverage is not complete"
	result paths "$why"
}

check_seccomp()
{
	why=
	trace --cgroup $group -- marked deny errno 1000 20 / deny kill 2000 1 / deny kill-process 3000 1 / deny trap 4000 1
	[ "$(marked)" = "23 23" ] || why="marked calls and lines: $(marked), not 23 of each"
	[ "$(grep -c 'SEEK_SET) *= -1 EACCES' /tmp/r/out)" = 20 ] || why="$why; not 20 denied calls"
	[ "$(grep -c 'killed by SIGSYS' /tmp/r/out)" = 3 ] || why="$why; not 3 tasks killed by SIGSYS"
	is_complete || why="$why; coverage is not complete"
	result seccomp "$why"
}

# Calls of the 32-bit ABI have other numbers: 19 is lseek there, getcwd is no marked call.
check_int80()
{
	why=
	if ! marked int80 1 1 2> /dev/null; then
		echo "RESULT skip int80: (cannot) the kernel has no 32-bit calls"
		return
	fi
	trace --cgroup $group --format json -- marked int80 1000 50
	n=$(grep -c '"abi":"i386".*"name":"lseek"' /tmp/r/out)
	[ "$n" = 50 ] || why="$n calls of the i386 ABI, not 50"
	is_complete || why="$why; coverage is not complete"
	result int80 "$why"
}

check_move()
{
	why=
	mkdir -p $group/sub
	trace --cgroup $group -- sh -c "marked calls 1000 10; echo 0 > $group/sub/cgroup.procs; marked calls 2000 10; echo 0 > /sys/fs/cgroup/cgroup.procs; marked calls 3000 10"
	[ "$(marked)" = "20 20" ] || why="marked calls and lines: $(marked), not 20 of each"
	grep -q '^.*+++ left box +++$' /tmp/r/out || why="$why; no line of the task that left"
	is_complete || why="$why; coverage is not complete"
	result moves "$why"
}

check_summary()
{
	why=
	trace --cgroup $group -c -- marked calls 1000 77
	grep -qE ' 77 +77 lseek$' /tmp/r/out || why="no row of 77 lseek calls with 77 errors"
	is_complete || why="$why; coverage is not complete"
	result summary "$why"
}

check_marked
check_paths
check_seccomp
check_int80
check_move
check_summary
echo "DONE"
sync
poweroff -f
