#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What is missed: the same workload under ctrace, strace -f and perf trace,
# each attached while it forks. Every task makes marked calls and notes when
# (tests/actors/storm.c); counted are those that began after the tool was ready
# and are not in its output.
#   sudo tests/bench/coverage.sh [BUILD]     ROUNDS=5 by default
# Each tool is asked for the marked call alone, which is its best case. ctrace
# is ready when it says so; the others do not say, and get half a second more
# from the moment on at which they are seen to be attached.
set -u
bench_dir=$(cd "$(dirname "$(readlink -f "$0")")" && pwd) || exit 1
source_dir=$(cd "$bench_dir/../.." && pwd)
build=${1:-$source_dir/build}
ctrace=$build/ctrace
storm=$build/actors/storm
rounds=${ROUNDS:-5}
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL=C

[ "$(id -u)" = 0 ] || { echo "coverage: this needs root" >&2; exit 1; }
for file in "$ctrace" "$storm"; do
	[ -x "$file" ] || { echo "coverage: $file is not built" >&2; exit 1; }
done
work=$(mktemp -d /tmp/ctrace-coverage.XXXXXX) || exit 1
board=$work/board
storm_pid=
tool_pid=
group=

clean_up()
{
	[ -z "$storm_pid" ] || "$storm" stop "$board" 2>/dev/null
	[ -z "$tool_pid" ] || kill -TERM "$tool_pid" 2>/dev/null
	wait
	[ -z "$group" ] || rmdir "$group" 2>/dev/null
	rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

die()
{
	echo "coverage: $*" >&2
	exit 1
}

mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
[ -n "$mount" ] || die "cgroup v2 is not mounted"
group=$mount/ctrace-coverage$$
mkdir "$group" || die "cannot make $group"

tools=(ctrace_process ctrace_cgroup)
command -v strace > /dev/null && tools+=(strace_process strace_list)
if command -v perf > /dev/null && unshare -m sh -c 'mount -t tracefs none /sys/kernel/tracing && perf trace -o /dev/null true' > /dev/null 2>&1; then
	tools+=(perf_process perf_list perf_cgroup)
else
	echo "coverage: perf trace does not work here and is left out"
fi

words()
{
	case $1 in
	ctrace_process) echo "ctrace -p PID" ;;
	ctrace_cgroup) echo "ctrace --cgroup DIR" ;;
	strace_process) echo "strace -f -p PID" ;;
	strace_list) echo "strace -f -p ALL" ;;
	perf_process) echo "perf trace -p PID" ;;
	perf_list) echo "perf trace -p ALL" ;;
	perf_cgroup) echo "perf trace -a --cgroup NAME" ;;
	esac
}

# descendants PID: what /proc shows of them now, and itself.
descendants()
{
	local task child
	[ -d "/proc/$1" ] && echo "$1"
	for task in "/proc/$1/task"/*; do
		for child in $(cat "$task/children" 2>/dev/null); do
			descendants "$child"
		done
	done
}

# The pid and all of its descendants, as a list with commas.
all_pids()
{
	descendants "$storm_pid" 2>/dev/null | paste -sd ,
}

# launch COMMAND...: by the storm, which notes the time and makes tasks faster from then on.
launch()
{
	"$storm" exec "$board" "$@" > /dev/null 2> "$work/err" &
	tool_pid=$!
}

launch_perf()
{
	launch unshare -m sh -c 'mount -t tracefs none /sys/kernel/tracing; exec perf trace -e lseek "$@"' sh -o "$work/out" "$@"
	attached has_perf_events
}

launch_ctrace()
{
	rm -f "$work/ready"
	mkfifo "$work/ready"
	exec 8<> "$work/ready"
	launch "$ctrace" -q -e trace=lseek -e signal=none --ready-fd 8 --status-file "$work/status" -o "$work/out" "$@"
	read -r -t 20 -N 1 -u 8 _ || return 1
	since=$(date +%s%N)
}

launch_strace()
{
	launch strace -f -e trace=lseek -o "$work/out" -p "$1"
	attached is_traced
}

attached()
{
	local i
	for ((i = 0; i < 200; i++)); do
		if "$@"; then
			sleep 0.5
			kill -0 "$tool_pid" 2>/dev/null || return 1
			since=$(date +%s%N)
			return 0
		fi
		kill -0 "$tool_pid" 2>/dev/null || return 1
		sleep 0.05
	done
	return 1
}

is_traced() { ! grep -q '^TracerPid:[[:space:]]*0$' "/proc/$storm_pid/status"; }
has_perf_events() { [ "$(readlink "/proc/$tool_pid"/fd/* 2>/dev/null | grep -c perf_event)" -ge 2 ]; }

start_tool()
{
	case $1 in
	ctrace_process) launch_ctrace -p "$storm_pid" ;;
	ctrace_cgroup) launch_ctrace --cgroup "$group" ;;
	strace_process) launch_strace "$storm_pid" ;;
	strace_list) launch_strace "$(all_pids)" ;;
	perf_process) launch_perf -p "$storm_pid" ;;
	perf_list) launch_perf -p "$(all_pids)" ;;
	perf_cgroup) launch_perf -a --cgroup "${group##*/}" ;;
	esac
}

# The tools' forms of the marked call, as the storm's judge knows it.
in_one_form()
{
	sed -n 's/.*lseek(fd: -1, offset: \([0-9]*\), whence: SET).*/lseek(-1, \1, SEEK_SET)/p
		s/.*lseek(-1, \([0-9]*\), SEEK_SET.*/lseek(-1, \1, SEEK_SET)/p' "$work/out"
}

storm_start()
{
	rm -f "$board"
	sh -c 'echo $$ > "$1/cgroup.procs"; exec "$2" run "$3" tree' sh "$group" "$storm" "$board" > /dev/null &
	storm_pid=$!
	until [ -s "$board" ]; do sleep 0.02; done
	"$storm" wait "$board" 100 || die "the storm does not rise"
}

# Its tasks end by themselves, which takes them a while under a tracer that stops them.
storm_end()
{
	"$storm" stop "$board"
	wait "$storm_pid"
	storm_pid=
}

# one_round TOOL: adds "due missing tasks-hit tasks" to TOOL's rounds. 1: the tool did not start.
one_round()
{
	local verdict code=0
	rm -f "$work/out"
	storm_start
	if ! start_tool "$1"; then
		storm_end
		wait "$tool_pid" 2>/dev/null
		tool_pid=
		return 1
	fi
	sleep 1
	storm_end
	sleep 0.3
	kill -INT "$tool_pid" 2>/dev/null
	wait "$tool_pid" 2>/dev/null
	tool_pid=
	verdict=$(in_one_form | "$storm" check "$board" "$since") || code=$?
	[ "$code" != 2 ] || die "the round cannot be judged: $verdict"
	sed 's/^tasks \([0-9]*\):.* calls [0-9]*: \([0-9]*\) due.*missing \([0-9]*\) (of \([0-9]*\) tasks).*/\2 \3 \4 \1/' <<< "$verdict" >> "$work/$1.rounds"
}

run_tool()
{
	local i tries=0
	: > "$work/$1.failed"
	for ((i = 0; i < rounds; i++)); do
		until one_round "$1"; do
			echo "$(cat "$work/err" "$work/out" 2>/dev/null | tail -n 1)" >> "$work/$1.failed"
			tries=$((tries + 1))
			[ "$tries" -lt $((rounds * 2)) ] || return
		done
	done
}

median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

row()
{
	local failed
	failed=$(wc -l < "$work/$1.failed")
	if [ ! -s "$work/$1.rounds" ]; then
		printf '%-28s did not start in %d attempts: %s\n' "$(words "$1")" "$failed" "$(tail -n 1 "$work/$1.failed" | cut -c 1-70)"
		return
	fi
	printf '%-28s %9.0f %9.0f %8.2f %% %7.1f %%%s\n' "$(words "$1")" "$(awk '{ print $1 }' "$work/$1.rounds" | median)" \
		"$(awk '{ print $2 }' "$work/$1.rounds" | median)" "$(awk '{ print 100 * $2 / $1 }' "$work/$1.rounds" | median)" \
		"$(awk '{ print 100 * $3 / $4 }' "$work/$1.rounds" | median)" \
		"$([ "$failed" = 0 ] || echo "   and $failed attempts that did not start")"
}

echo "coverage: kernel $(uname -r), $(nproc) CPUs, median of $rounds rounds; a tree of processes and threads that forks all the time"
echo "calls: begun after the tool was ready. tasks: of all those of the round, those of which a call is missing. ALL: every pid that /proc shows at the start"
printf '%-28s %9s %9s %10s %9s\n' "" calls missed "" "tasks"
for tool in "${tools[@]}"; do
	run_tool "$tool"
	row "$tool"
done
