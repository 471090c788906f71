#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What tracing costs, as ratios of one run: ctrace, strace -f, perf trace and a
# pair of empty BPF programs, each on the same process, in turn, with the
# untraced time measured in every round.
#   sudo tests/bench/run.sh [BUILD]     ROUNDS=7 by default
# Absolute numbers are the machine's; the ratios are what to look at.
set -u
bench_dir=$(cd "$(dirname "$(readlink -f "$0")")" && pwd) || exit 1
source_dir=$(cd "$bench_dir/../.." && pwd)
build=${1:-$source_dir/build}
ctrace=$build/ctrace
rounds=${ROUNDS:-7}
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL=C

[ "$(id -u)" = 0 ] || { echo "bench: this needs root" >&2; exit 1; }
[ -x "$ctrace" ] || { echo "bench: $ctrace is not built" >&2; exit 1; }
cmake -S "$bench_dir" -B "$build/bench" > "$build/bench.log" 2>&1 && make -C "$build/bench" >> "$build/bench.log" 2>&1 ||
	{ tail "$build/bench.log" >&2; exit 1; }
empty=$build/bench/empty
workload=$build/bench/workload

work=$(mktemp -d /tmp/ctrace-bench.XXXXXX) || exit 1
pids=()
clean_up()
{
	local pid
	for pid in ${pids[@]+"${pids[@]}"}; do
		kill -TERM "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
	done
	rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

die()
{
	echo "bench: $*" >&2
	exit 1
}

tools=(untraced empty ctrace)
command -v strace > /dev/null && tools+=(strace)
if command -v perf > /dev/null && unshare -m sh -c 'mount -t tracefs none /sys/kernel/tracing && perf trace -o /dev/null true' > /dev/null 2>&1; then
	tools+=(perf)
else
	echo "bench: perf trace does not work here and is left out"
fi

# The process that is measured, and a neighbour. Both on the last CPU, so that
# a tracer has the others.
cpu=$(($(nproc) - 1))
start_workload()
{
	mkfifo "$work/$1.in" "$work/$1.out"
	"$workload" serve "$cpu" < "$work/$1.in" > "$work/$1.out" &
	pids+=($!)
	eval "$1_pid=$!"
}
target_pid=
start_workload target
exec 3> "$work/target.in" 4< "$work/target.out"
start_workload neighbour
exec 5> "$work/neighbour.in" 6< "$work/neighbour.out"

# measure NAME KIND N: ns per call, in $ns.
measure()
{
	local in=3 from=4
	[ "$1" = target ] || { in=5; from=6; }
	echo "$2 $3" >&"$in"
	read -r -t 120 -u "$from" ns || die "the workload does not answer"
}

attached()
{
	local i
	for ((i = 0; i < 200; i++)); do
		"$@" && return
		sleep 0.05
	done
	die "$* does not become true"
}

is_traced() { ! grep -q '^TracerPid:[[:space:]]*0$' "/proc/$target_pid/status"; }
has_perf_events() { [ "$(readlink "/proc/$tool_pid"/fd/* 2>/dev/null | grep -c perf_event)" -ge 2 ]; }

tool_pid=
# attach TOOL: to the target; returns when it is active.
attach()
{
	case $1 in
	untraced) return ;;
	empty)
		rm -f "$work/tool.in" "$work/tool.out"
		mkfifo "$work/tool.in" "$work/tool.out"
		"$empty" < "$work/tool.in" > "$work/tool.out" &
		tool_pid=$!
		exec 7> "$work/tool.in" 8< "$work/tool.out"
		read -r -t 20 -u 8 _ || die "the empty programs do not load"
		return
		;;
	ctrace) launch_ctrace -o /dev/null -p "$target_pid" ;;
	strace)
		strace -f -q -o /dev/null -p "$target_pid" 2> "$work/tool.err" &
		tool_pid=$!
		attached is_traced
		;;
	perf)
		unshare -m sh -c 'mount -t tracefs none /sys/kernel/tracing; exec perf trace -o /dev/null -p "$1"' sh "$target_pid" 2> "$work/tool.err" &
		tool_pid=$!
		attached has_perf_events
		sleep 0.3
		;;
	esac
}

# launch_ctrace ARG...: and waits for its announcement.
launch_ctrace()
{
	rm -f "$work/ready"
	mkfifo "$work/ready"
	exec 8<> "$work/ready"
	# shellcheck disable=SC2086
	env --default-signal=INT ${launch_by:-} "$ctrace" -q --ready-fd 9 --status-file "$work/status" "$@" 9>&8 2> "$work/tool.err" &
	tool_pid=$!
	read -r -t 20 -N 1 -u 8 _ || die "ctrace does not start: $(tail -n 1 "$work/tool.err")"
}

detach()
{
	case $1 in
	untraced) return ;;
	empty) exec 7>&- 8<&- ;;
	*) kill -INT "$tool_pid" ;;
	esac
	wait "$tool_pid" 2>/dev/null
	tool_pid=
	return 0
}

# How many calls of one batch: about 60 ms of each tool.
batch()
{
	case $1 in
	strace) echo 1500 ;;
	perf) echo 2500 ;;
	*) echo 40000 ;;
	esac
}

# record FILE-KEY VALUE
record() { echo "$2" >> "$work/$1.values"; }

median() { sort -n "$work/$1.values" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

one_round()
{
	local shift=$1 tool kind i n
	for ((i = 0; i < ${#tools[@]}; i++)); do
		tool=${tools[(i + shift) % ${#tools[@]}]}
		n=$(batch "$tool")
		attach "$tool"
		for kind in getppid openat read; do
			measure target "$kind" $((n / 5))
			measure target "$kind" "$n"
			record "$tool.$kind.$shift" "$ns"
		done
		measure neighbour getppid 8000
		measure neighbour getppid 40000
		record "$tool.neighbour.$shift" "$ns"
		detach "$tool"
	done
	for tool in "${tools[@]}"; do
		for kind in getppid openat read neighbour; do
			record "added.$tool.$kind" "$(paste "$work/$tool.$kind.$shift.values" "$work/untraced.$kind.$shift.values" | awk '{ print $1 - $2 }')"
			record "all.$tool.$kind" "$(cat "$work/$tool.$kind.$shift.values")"
		done
	done
}

per_call()
{
	local round kind tool
	for ((round = 0; round < rounds; round++)); do
		one_round "$round"
	done
	echo
	echo "Added time per call, ns, median of $rounds interleaved rounds (a neighbour: getppid of a process that is not traced)"
	printf '%-10s %9s' call untraced
	for tool in "${tools[@]:1}"; do printf ' %9s' "+$tool"; done
	printf ' | %13s' ctrace/empty
	for tool in "${tools[@]:3}"; do printf ' %13s' "$tool/ctrace"; done
	echo
	for kind in getppid openat read neighbour; do
		printf '%-10s %9.0f' "$kind" "$(median "all.untraced.$kind")"
		for tool in "${tools[@]:1}"; do printf ' %9.0f' "$(median "added.$tool.$kind")"; done
		printf ' | %13s' "$(ratio "added.ctrace.$kind" "added.empty.$kind")"
		for tool in "${tools[@]:3}"; do printf ' %13s' "$(ratio "added.$tool.$kind" "added.ctrace.$kind")"; done
		echo
	done
}

# A quotient of two medians; "-" where the divisor is lost in the noise.
ratio() { awk -v a="$(median "$1")" -v b="$(median "$2")" 'BEGIN { if (b < 20) print "-"; else printf "%.2f", a / b }'; }

# The CPU time that ctrace takes to start and to end, in µs.
start_cost()
{
	local i
	for ((i = 0; i < 3; i++)); do
		"$workload" cpu "$work/cpu" "$ctrace" -q -o /dev/null --for 1ms -p $$ || die "ctrace does not run"
		record start_cost "$(cat "$work/cpu")"
	done
	median start_cost
}

throughput_of()
{
	local label=$1 i producers=$2 n flood_pids=() sum
	shift 2
	mkdir -p "$work/flood"
	for ((i = 0; i < producers; i++)); do
		sh -c 'read -r _; exec "$0" flood getppid 2000' "$workload" < <(while [ ! -e "$work/go" ]; do sleep 0.02; done; echo) > "$work/flood/$i" &
		flood_pids+=($!)
	done
	local targets=()
	for n in "${flood_pids[@]}"; do targets+=(-p "$n"); done
	launch_by="$workload cpu $work/cpu" launch_ctrace "$@" -o /dev/null "${targets[@]}"
	touch "$work/go"
	wait "${flood_pids[@]}"
	wait "$tool_pid" || die "ctrace failed: $(tail -n 1 "$work/tool.err")"
	rm -f "$work/go"
	sum=$(cat "$work/flood"/* | awk '{ n += $1 } END { print n }')
	rm -rf "$work/flood"
	printf '%-24s %9d made, ' "$label, $producers producer(s)" "$sum"
	sed 's/.*"delivered": *\([0-9]*\).*"ring_full": *\([0-9]*\).*/\1 \2/' "$work/status" |
		awk -v t=$(($(cat "$work/cpu") - started)) '{
			printf "%9d records/s, lost %d; ctrace used %.2f s of CPU: %.0f records/s on one core\n", $1 / 2, $2, t / 1e6, (t > 0) ? $1 * 1e6 / t : 0 }'
}

throughput()
{
	local started
	started=$(start_cost)
	echo
	echo "Records through ctrace to /dev/null, two seconds of getppid as fast as it goes"
	throughput_of text 1
	throughput_of json 1 --format json
	throughput_of text 2
	throughput_of json 2 --format json
}

first_record()
{
	local i tool
	"$workload" flood getppid 120000 > /dev/null &
	local flood=$!
	pids+=("$flood")
	for ((i = 0; i < rounds; i++)); do
		record first.ctrace "$("$workload" first "$ctrace" -q -p "$flood" 2>/dev/null)"
		[[ " ${tools[*]} " != *" strace "* ]] || record first.strace "$("$workload" first strace -f -q -o /dev/stdout -p "$flood" 2>/dev/null)"
		[[ " ${tools[*]} " != *" perf "* ]] || record first.perf \
			"$("$workload" first unshare -m sh -c 'mount -t tracefs none /sys/kernel/tracing; exec perf trace -o /dev/stdout -p "$1"' sh "$flood" 2>/dev/null)"
	done
	kill "$flood"
	echo
	echo "From exec to the first record of a running process, ms, median of $rounds"
	for tool in ctrace strace perf; do
		[ ! -s "$work/first.$tool.values" ] || printf '%-10s %7.1f\n' "$tool" "$(median "first.$tool" | awk '{ print $1 / 1000 }')"
	done
}

echo "ctrace benchmark: kernel $(uname -r), $(nproc) CPUs, $rounds rounds"
per_call
throughput
first_record
