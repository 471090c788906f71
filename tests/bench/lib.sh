# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# What the benchmarks share: the workloads, the tools that are compared, and
# medians. Wants: bench_dir. Sets: build, ctrace, work, workload, empty.
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL=C
source_dir=$(cd "$bench_dir/../.." && pwd)

die()
{
	echo "bench: $*" >&2
	exit 1
}

# bench_open [BUILD]: builds the programs, makes the folder, and sees to its end.
bench_open()
{
	build=${1:-$source_dir/build}
	ctrace=$build/ctrace
	[ "$(id -u)" = 0 ] || die "this needs root"
	[ -x "$ctrace" ] || die "$ctrace is not built"
	cmake -S "$bench_dir" -B "$build/bench" > "$build/bench.log" 2>&1 && make -C "$build/bench" >> "$build/bench.log" 2>&1 ||
		{ tail "$build/bench.log" >&2; exit 1; }
	empty=$build/bench/empty
	workload=$build/bench/workload
	work=$(mktemp -d /tmp/ctrace-bench.XXXXXX) || exit 1
	pids=()
	groups=()
	trap bench_close EXIT
	trap 'exit 130' INT TERM
}

bench_close()
{
	local pid group i
	for pid in ${tool_pid:+"$tool_pid"} ${pids[@]+"${pids[@]}"}; do
		kill -CONT "$pid" 2>/dev/null
		kill -TERM "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
	done
	for group in ${groups[@]+"${groups[@]}"}; do
		for ((i = 0; i < 50; i++)); do
			rmdir "$group" 2>/dev/null && break
			[ -d "$group" ] || break
			sleep 0.1
		done
	done
	rm -rf "$work"
}

# make_group NAME: a directory of cgroup v2, in $group, which is removed at the end.
make_group()
{
	local mount
	mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
	[ -n "$mount" ] || die "cgroup v2 is not mounted"
	if [ ! -d "$mount/ctrace-bench$$" ]; then
		mkdir "$mount/ctrace-bench$$" || die "cannot make $mount/ctrace-bench$$"
		groups=("$mount/ctrace-bench$$")
	fi
	group=$mount/ctrace-bench$$/$1
	mkdir "$group" || die "cannot make $group"
	groups=("$group" "${groups[@]}")
}

# start_workload NAME CPU: one that is measured; NAME_pid is its process.
start_workload()
{
	mkfifo "$work/$1.in" "$work/$1.out"
	"$workload" serve "$2" < "$work/$1.in" > "$work/$1.out" &
	pids+=($!)
	eval "$1_pid=$!"
}

# start_crowd N [GROUP]: so many idle processes, in $crowd_pid's care.
start_crowd()
{
	rm -f "$work/crowd"
	mkfifo "$work/crowd"
	# shellcheck disable=SC2016
	sh -c '[ -z "$1" ] || echo $$ > "$1/cgroup.procs"; exec "$0" crowd "$2"' "$workload" "${2:-}" "$1" > "$work/crowd" &
	crowd_pid=$!
	pids+=("$crowd_pid")
	read -r -t 180 crowd_made < "$work/crowd" || return 1
	[ "$crowd_made" = "$1" ]
}

end_crowd()
{
	kill -TERM "$crowd_pid" 2>/dev/null
	wait "$crowd_pid" 2>/dev/null
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

end_tool()
{
	kill -INT "$tool_pid" 2>/dev/null
	wait "$tool_pid" 2>/dev/null
	tool_pid=
	return 0
}

# status FIELD: a number of the last run's statement.
status() { sed "s/.*\"$1\": *\\([0-9]*\\).*/\\1/" "$work/status"; }

# record KEY VALUE
record() { [ -z "$2" ] || echo "$2" >> "$work/$1.values"; }
forget() { rm -f "$work/$1.values"; }

median()
{
	[ -s "$work/$1.values" ] || return
	sort -n "$work/$1.values" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# ratio KEY KEY: of two medians; nothing where the divisor is lost in the noise.
ratio() { awk -v a="$(median "$1")" -v b="$(median "$2")" 'BEGIN { if (a != "" && b >= 20) printf "%.2f", a / b }'; }

# tool_cpu: µs of CPU time of the running tool.
tool_cpu() { awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print ($12 + $13) * 1000000 / hz }' "/proc/$tool_pid/stat"; }

# rss_over_ring PID: KiB that are resident, but for the ring's own pages.
rss_over_ring() { awk '/^[0-9a-f]+-[0-9a-f]+ / { ring = /bpf-map/ } $1 == "Rss:" && !ring { n += $2 } END { print n }' "/proc/$1/smaps"; }
