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
mkdir -p /dev/pts
mount -t devpts pts /dev/pts
ip link set lo up
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

# trace_begin ARG...: ctrace with ARG, until it is active.
trace_begin()
{
	rm -f /tmp/r/*
	mkfifo /tmp/r/ready
	ctrace "$@" -o /tmp/r/out --status-file /tmp/r/status --ready-fd 9 9> /tmp/r/ready 2> /tmp/r/err &
	tracer=$!
	[ "$(timeout 60 head -c 1 /tmp/r/ready | wc -c)" = 1 ]
}

# boxed COMMAND...: in the cgroup.
boxed()
{
	sh -c "echo 0 > $group/cgroup.procs; exec \"\$@\"" sh "$@"
}

# Removes the cgroup, which ends the trace; its exit status.
trace_end()
{
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
	# shellcheck disable=SC2086
	trace_begin $args || return 1
	boxed "$@" > /tmp/r/actor 2>&1
	trace_end
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

# ctrace in the pid namespace of its target, with no cgroups in sight: the
# kernel tells where process 1 is.
check_hidden()
{
	why=
	rm -f /tmp/r/*
	mkfifo /tmp/r/ready /tmp/r/orders
	mkdir -p $group/web
	unshare -m -p -f sh -c "mount -t proc proc /proc; echo 0 > $group/web/cgroup.procs; exec marked serve < /tmp/r/orders" > /tmp/r/answers &
	target=$!
	exec 5<> /tmp/r/orders
	echo sleep 0 >&5
	has_lines /tmp/r/answers 1
	nsenter -t "$(head -n 1 $group/web/cgroup.procs)" -p -- unshare -m sh -c 'umount /sys/fs/cgroup; mount -t proc proc /proc
		exec ctrace --container pid:1 -o /tmp/r/out --status-file /tmp/r/status --ready-fd 9 9> /tmp/r/ready 2> /tmp/r/err' 2> /tmp/r/enter &
	tracer=$!
	[ "$(timeout 60 head -c 1 /tmp/r/ready | wc -c)" = 1 ] || why="no announcement"
	echo calls 1000 20 >&5
	echo fork 1100 20 >&5
	has_lines /tmp/r/answers 3
	sh -c "echo 0 > $group/web/cgroup.procs; exec marked calls 1200 20"
	for dir in /proc/[0-9]*; do
		[ "$(cat "$dir/comm" 2> /dev/null)" != ctrace ] || kill -INT "${dir#/proc/}"
	done
	wait $tracer || why="$why; exit status $?: $(tail -n 1 /tmp/r/err) $(cat /tmp/r/enter)"
	echo exit 0 >&5
	exec 5>&-
	wait $target
	rmdir $group/web
	[ "$(marked)" = "60 60" ] || why="$why; marked calls and lines: $(marked), not 60 of each"
	grep -q '^ctrace: tracing container web: 1 task; its first process is 1' /tmp/r/err || why="$why; another target"
	is_complete || why="$why; coverage is not complete"
	result hidden-cgroups "$why"
}

# has_lines FILE N: waits until it has so many, at most 30 seconds. Who writes it may not have made it yet.
has_lines()
{
	i=0
	while [ "$(cat "$1" 2> /dev/null | wc -l)" -lt "$2" ] && [ $i -lt 600 ]; do
		usleep 50000
		i=$((i + 1))
	done
}

# The wall clock is set forward and back: lines keep to the one that ctrace
# began with, and durations do not know of it.
check_clock()
{
	why=
	trace_begin --cgroup $group -e trace=lseek -ttt -T || why="no announcement"
	boxed churn stamps 60 1000 20000 > /tmp/r/stamps &
	actor=$!
	has_lines /tmp/r/stamps 16
	date -s "@$(($(date +%s) + 3600))" > /dev/null || why="$why; the clock cannot be set"
	has_lines /tmp/r/stamps 31
	date -s "@$(($(date +%s) - 7200))" > /dev/null
	has_lines /tmp/r/stamps 46
	date -s "@$(($(date +%s) + 3600))" > /dev/null
	wait $actor
	trace_end || why="$why; exit status $status"
	judged
	result clock-steps "$why"
}

judged()
{
	verdict=$(churn judge /tmp/r/stamps < /tmp/r/out) || why="$why; $verdict"
	is_complete || why="$why; coverage is not complete"
}

# A CPU goes and comes back while a token goes round on all of them.
check_hotplug()
{
	why=
	online=/sys/devices/system/cpu/cpu1/online
	if [ ! -w $online ]; then
		echo "RESULT skip cpu-hotplug: (cannot) the kernel cannot take a CPU away"
		return
	fi
	trace_begin --cgroup $group || why="no announcement"
	n=0
	rounds=0
	# How long a round takes is the machine's matter; the CPU has to have been away twice within them.
	while [ $n -lt 2 ] && [ $rounds -lt 20 ]; do
		boxed churn token 1500 3 $((1000 + 1500 * rounds)) &
		actor=$!
		rounds=$((rounds + 1))
		while kill -0 $actor 2> /dev/null; do
			echo 0 > $online && n=$((n + 1))
			usleep 150000
			echo 1 > $online
			usleep 150000
		done
		wait $actor || why="$why; the token was lost"
	done
	trace_end || why="$why; exit status $status"
	due=$((1500 * rounds))
	[ $n -ge 2 ] || why="$why; the CPU was away $n times"
	[ "$(marked)" = "$due $due" ] || why="$why; marked calls and lines: $(marked), not $due of each"
	sed 's/.*, \([0-9]*\), .*/\1/' /tmp/r/marks | awk 'NR > 1 && $1 != last + 1 { exit 1 } { last = $1 }' || why="$why; they are not in their order"
	is_complete || why="$why; coverage is not complete"
	result cpu-hotplug "$why"
}

# The pids go round, in a small space of them; a stranger is never shown.
check_wraps()
{
	why=
	echo 1000 > /proc/sys/kernel/pid_max
	trace_begin --cgroup $group || why="no announcement"
	churn wrap 3500 100000 > /tmp/r/wrapped &
	actor=$!
	n=0
	while kill -0 $actor 2> /dev/null; do
		boxed marked fork $((1000 + n * 10)) 10 > /tmp/r/actor 2>&1
		n=$((n + 1))
	done
	trace_end || why="$why; exit status $status"
	[ "$(cat /tmp/r/wrapped)" -ge 3 ] || why="$why; the pids began anew $(cat /tmp/r/wrapped) times"
	[ "$(marked)" = "$((n * 10)) $((n * 10))" ] || why="$why; marked calls and lines: $(marked), not $((n * 10)) of each"
	grep -q 'lseek(-1, 10[0-9][0-9][0-9][0-9], ' /tmp/r/out && why="$why; a stranger's call is shown"
	is_complete || why="$why; coverage is not complete"
	result pid-wraps "$why"
}

# The machine sleeps for some two seconds in the middle of calls. (Suspend to
# RAM: from the other kind, s2idle, this qemu's alarm does not wake it.)
check_suspend()
{
	why=
	alarm=/sys/class/rtc/rtc0/wakealarm
	if ! grep -qw mem /sys/power/state || [ ! -w $alarm ]; then
		echo "RESULT skip suspend: (cannot) this machine does not know that sleep"
		return
	fi
	slept=$(cat /sys/power/suspend_stats/success)
	trace_begin --cgroup $group -e trace=lseek,clock_nanosleep,nanosleep -ttt -T || why="no announcement"
	boxed churn stamps 40 1000 20000 > /tmp/r/stamps &
	actor=$!
	boxed marked sleep 1500 &
	sleeper=$!
	has_lines /tmp/r/stamps 11
	begin=$(cut -d . -f 1 /proc/uptime)
	echo 0 > $alarm
	echo +3 > $alarm
	echo mem > /sys/power/state || why="$why; it does not sleep"
	wait $actor
	wait $sleeper
	end=$(cut -d . -f 1 /proc/uptime)
	trace_end || why="$why; exit status $status"
	[ "$(cat /sys/power/suspend_stats/success)" -gt "$slept" ] || why="$why; it did not sleep"
	judged
	# As long as was asked for, and not longer than all of it.
	grep 'nanosleep(.*tv_sec=1, tv_nsec=500000000' /tmp/r/out | sed 's/.*<\([0-9.]*\)>$/\1/' |
		awk -v max=$((end - begin + 1)) 'END { exit !(NR == 1 && $1 >= 1.5 && $1 <= max + 2) }' || why="$why; the sleep of 1.5 s is not shown as such"
	result suspend "$why"
}

# Whose pids are, where calls are made, and what SELinux calls who makes them: all of it at once.
check_told()
{
	why=
	trace --cgroup $group --decode-pids=all -i -k -yy --secontext -- unshare -pf marked fork 2000 5 / calls 1000 5 / sleep 1000 || why="exit status $status"
	is_complete || why="$why; coverage is not complete"
	grep -q "= 2<marked> /\* [0-9]* in strace's PID NS \*/$" /tmp/r/out || why="$why; no child with its numbers"
	[ "$(grep -A 1 ' \[0000[0-9a-f]*\] .*lseek(-1, 100' /tmp/r/out | grep -c '^ > /bin/marked(')" = 5 ] || why="$why; no stack below each call"
	# Without a policy every task's context is this.
	if [ "$(tr -d '\0' < /proc/self/attr/current 2> /dev/null)" = kernel ]; then
		[ "$(grep -c '\] \[kernel\] lseek(-1, 100' /tmp/r/out)" = 5 ] || why="$why; no contexts"
	else
		why="$why; the machine runs without SELinux"
	fi
	result told "$why"
}

# What descriptors were when each call was made: files that are closed and deleted since, sockets with
# their ends, processes that have ended; and what -P leaves of it.
check_files()
{
	why=
	trace --cgroup $group -yy -- calls_fds || why="exit status $status"
	is_complete || why="$why; coverage is not complete"
	for line in \
		'write(3</tmp/calls_fds[^/]*/plain>, "text", 4) *= 4' 'write(3</tmp/calls_fds[^/]*/plain>(deleted), "text", 4) *= 4' \
		'close(3</tmp/calls_fds[^/]*/plain>(deleted)) *= 0' 'openat(AT_FDCWD</tmp/calls_fds[^/]*/sub>, "none", O_RDONLY)' \
		'openat(AT_FDCWD</tmp/calls_fds[^/]*/sub (deleted)>, "none", O_RDONLY)' 'fcntl([0-9]*</dev/null<char 1:3>>, F_GETFD)' \
		'sendto([0-9]*<UNIX-STREAM:\[[0-9]*->[0-9]*\]>, "x", 1' 'sendto([0-9]*<TCP:\[127.0.0.1:[0-9]*->127.0.0.1:[0-9]*\]>, "x", 1' \
		'close([0-9]*<TCP:\[127.0.0.1:[0-9]*->127.0.0.1:[0-9]*\]>)' '<UNIX-STREAM:\[[0-9]*,"so\\"cket"\]>' \
		'fcntl([0-9]*</memfd:in memory>(deleted), F_GETFD)' 'pidfd_open([0-9]*, 0) *= [0-9]*<pid:[0-9]*>' '<NETLINK:\[ROUTE:[0-9]*\]>' \
		'fcntl([0-9]*<signalfd:\[USR1 CHLD RT_[0-9]*\]>, F_GETFD)' 'fcntl([0-9]*</dev/ptmx<char 5:2 @/dev/pts/[0-9]*>>, F_GETFD)'; do
		grep -q "$line" /tmp/r/out || why="$why; no line of $line"
	done
	result files "$why"
}

# -P: by path and by descriptor, and the books are as they are without it.
check_touched()
{
	why=
	echo text > /tmp/watched
	trace --cgroup $group -y -P /tmp/watched -- sh -c 'cat /tmp/watched; exec 7< /tmp/watched; read line <&7; cat /etc/passwd; rm /tmp/watched' || why="exit status $status"
	is_complete || why="$why; coverage is not complete"
	[ "$(grep -c '"/tmp/watched", O_RDONLY' /tmp/r/out)" = 2 ] || why="$why; not two opens"
	grep -q 'read([0-9]*</tmp/watched>, "t' /tmp/r/out || why="$why; no read"
	grep -q 'unlink.*"/tmp/watched"' /tmp/r/out || why="$why; no unlink"
	grep -q passwd /tmp/r/out && why="$why; another file is shown"
	result touched "$why"
}

# Names of addresses, with all else that looks at sockets and files.
check_names()
{
	why=
	resolve up
	resolve serve > /tmp/served &
	server=$!
	has_lines /tmp/served 1
	echo "127.0.0.9 db.internal" > /etc/hosts
	trace --cgroup $group --names -yy -i -k --decode-pids=all -- sh -c 'resolve ask recvmsg n7.seven.internal; resolve ask read n8.eight.internal; resolve say 127.0.0.9; sleep 1' ||
		why="exit status $status"
	is_complete || why="$why; coverage is not complete"
	for name in n7.seven.internal n8.eight.internal db.internal; do
		grep -q "connect([0-9]*<UDP:.*sin_port=htons(9), .*) /\* $name \*/}, 16) = 0" /tmp/r/out || why="$why; no name $name"
		grep -q "write([0-9]*<UDP:\[127.0.0.1:[0-9]*->127.0.0.[0-9]:9 /\* $name \*/\]>, \"x\", 1) = 1" /tmp/r/out || why="$why; no descriptor of $name"
	done
	kill $server
	wait $server 2> /dev/null
	result names "$why"
}

# A reader that takes nothing: the cgroup is frozen, and thawed when ctrace is killed.
check_lossless()
{
	why=
	trace --lossless --cgroup $group -- marked calls 1000 100 || why="exit status $status; $(tail -n 1 /tmp/r/err)"
	[ "$(marked)" = "100 100" ] || why="$why; marked calls and lines: $(marked), not 100 of each"
	is_complete || why="$why; coverage is not complete"
	grep -q '"frozen":{"times":' /tmp/r/status || why="$why; the statement does not say how often it was frozen"
	rm -f /tmp/r/*
	mkfifo /tmp/r/ready
	ctrace --lossless --buffer 1M --cgroup $group -o '|exec sleep 20' --ready-fd 9 9> /tmp/r/ready 2> /tmp/r/err &
	tracer=$!
	timeout 60 head -c 1 /tmp/r/ready > /tmp/r/byte
	boxed marked flood 2000000000 > /tmp/r/actor 2>&1 &
	actor=$!
	i=0
	until grep -q 1 $group/cgroup.freeze || [ $((i += 1)) -gt 1000 ]; do
		usleep 10000
	done
	grep -q 1 $group/cgroup.freeze || why="$why; it is never frozen"
	kill -KILL $tracer
	wait $tracer
	usleep 500000
	grep -q 0 $group/cgroup.freeze || why="$why; nobody thawed it"
	echo 1 > $group/cgroup.kill
	wait $actor
	result lossless "$why"
}

# Whether the tracer has a program on the hook of every system call.
hooks_all_calls()
{
	cat /proc/$tracer/fdinfo/* 2> /dev/null | grep -q '^tp_name:[[:space:]]*sys_e'
}

# Only the functions of named calls are hooked: no program of ours is on sys_enter or sys_exit.
check_narrow()
{
	why=
	trace_begin --cgroup $group
	hooks_all_calls || why="the hooks of an ordinary run are not found, so this tells nothing"
	trace_end
	trace_begin --narrow -e trace=lseek,openat,execve,exit_group --cgroup $group
	hooks_all_calls && why="$why; every call is hooked"
	boxed marked calls 1000 1000 / fork 2000 500 / threads 3 3000 100 / thread-exec 4000 10 / vfork 4100 10 > /tmp/r/actor 2>&1
	trace_end || why="$why; exit status $status; $(tail -n 1 /tmp/r/err)"
	[ "$(marked)" = "1830 1830" ] || why="$why; marked calls and lines: $(marked), not 1830 of each"
	is_complete || why="$why; coverage is not complete"
	grep -q '"narrow":true' /tmp/r/status || why="$why; the statement does not say what it counts"
	grep -q '^ctrace: --narrow: only the named calls are seen' /tmp/r/err || why="$why; the opening line does not say it"
	# Other calls would be filtered ones.
	grep -q '"filtered":0,' /tmp/r/status || why="$why; other calls were seen: $(cat /tmp/r/status)"
	grep -qE 'execve\("[^"]*marked", \["marked", "calls"' /tmp/r/out || why="$why; no execve"
	grep -q 'exit_group(0) *= ?' /tmp/r/out || why="$why; no exit_group"
	result narrow "$why"
}

# With all that looks at files and stacks.
check_narrow_wide()
{
	why=
	trace --narrow -yy -i -k --decode-pids=all -T -e trace=write,close,execve,unlink \
		--cgroup $group -- sh -c 'echo text > /tmp/copied; rm /tmp/copied' || why="exit status $status; $(tail -n 1 /tmp/r/err)"
	is_complete || why="$why; coverage is not complete"
	grep -q 'write(1</tmp/copied>, "text' /tmp/r/out || why="$why; no write with its file"
	grep -q 'unlink("/tmp/copied") *= 0 <' /tmp/r/out || why="$why; no unlink with its time"
	grep -q '^ > ' /tmp/r/out || why="$why; no stack"
	trace --narrow -c -e trace=lseek --cgroup $group -- marked calls 1000 100 || why="$why; -c: exit status $status"
	grep -qE ' 100 +100 lseek$' /tmp/r/out || why="$why; -c does not count"
	result narrow-wide "$why"
}

# A COMMAND is traced from its exec on, whether or not that is among the calls.
check_narrow_command()
{
	why=
	rm -f /tmp/r/*
	ctrace --narrow -e trace=lseek -o /tmp/r/out --status-file /tmp/r/status -- marked calls 5000 100 > /tmp/r/actor 2> /tmp/r/err
	[ $? = 0 ] || why="it failed"
	[ "$(marked)" = "100 100" ] || why="$why; marked calls and lines: $(marked), not 100 of each"
	is_complete || why="$why; coverage is not complete"
	ctrace --narrow -e trace=getpid -- true 2> /tmp/r/err && why="$why; getpid is not refused"
	grep -q 'does not tell of a function of getpid' /tmp/r/err || why="$why; getpid is refused without a reason"
	result narrow-command "$why"
}

check_marked
check_paths
check_told
check_files
check_touched
check_names
check_lossless
check_narrow
check_narrow_wide
check_narrow_command
check_seccomp
check_int80
check_move
check_summary
check_hidden
check_clock
check_hotplug
check_wraps
check_suspend
echo "DONE"
sync
poweroff -f
