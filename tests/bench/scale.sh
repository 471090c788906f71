#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What ctrace costs on a machine with many containers: as a function of tasks, of
# containers and of the rate of calls; all of the machine traced, and one container.
#   sudo tests/bench/scale.sh [BUILD]
#   CONTAINERS=200 TASKS=20000 RATES="1 10 100" (thousands of calls a second)
# The containers are cgroups with idle processes; they have the names that docker
# gives, so that ctrace resolves them as it would real ones.
set -u
bench_dir=$(cd "$(dirname "$(readlink -f "$0")")" && pwd) || exit 1
# shellcheck source=tests/bench/lib.sh
. "$bench_dir/lib.sh"
containers=${CONTAINERS:-200}
tasks=${TASKS:-20000}
rounds=${ROUNDS:-5}
tool_pid=
bench_open "$@"

# name N: of a container.
name() { printf 'docker-%064x.scope' "$1"; }

# fill CONTAINERS TASKS: so many containers that share so many tasks.
fill()
{
	local i each=$(($2 / $1))
	crowds=()
	for ((i = 1; i <= $1; i++)); do
		make_group "$(name "$i")"
		start_crowd "$each" "$group" || die "$2 tasks in $1 containers cannot be made here"
		crowds+=("$crowd_pid")
		[ "$i" != 1 ] || first_crowd=$crowd_pid
	done
}

empty_all()
{
	local pid group
	for pid in "${crowds[@]}"; do
		crowd_pid=$pid
		end_crowd
	done
	sleep 0.3
	for group in "${groups[@]}"; do rmdir "$group" 2>/dev/null; done
	pids=()
	groups=()
}

# measured KEY ARG...: ms to the announcement, MiB over the ring, ms of CPU in a second at rest.
measured()
{
	local i before begin
	for ((i = 0; i < rounds; i++)); do
		begin=${EPOCHREALTIME/./}
		launch_ctrace -o /dev/null "${@:2}"
		record "$1.ms" $(((${EPOCHREALTIME/./} - begin) / 1000))
		record "$1.mib" "$(awk -v k="$(rss_over_ring "$tool_pid")" 'BEGIN { printf "%.1f", k / 1024 }')"
		before=$(tool_cpu)
		[ "$i" != 0 ] || sleep 1
		[ "$i" != 0 ] || record "$1.rest" "$(awk -v a="$before" -v b="$(tool_cpu)" 'BEGIN { printf "%.0f", (b - a) / 1000 }')"
		end_tool
	done
}

say_row() { printf '%-44s %10s %12s %14s\n' "$1" "$(median "$2.ms")" "$(median "$2.mib")" "$(median "$2.rest")"; }

# shape CONTAINERS TASKS
shape()
{
	local key=$1.$2
	fill "$1" "$2"
	measured "all.$key" --all
	measured "one.$key" --container "pid:$first_crowd"
	measured "tree.$key" --cgroup "$(dirname "$group")"
	empty_all
	say_row "$1 containers, $2 tasks: --all" "all.$key"
	say_row "$1 containers, $2 tasks: one container" "one.$key"
	say_row "$1 containers, $2 tasks: the cgroup of all" "tree.$key"
}

# paced THOUSANDS ARG...: CPU of ctrace with so many calls a second in one container, in % of one CPU, and what is lost.
paced()
{
	local thousands=$1 before pacer
	shift
	make_group "$(name 4096)"
	# shellcheck disable=SC2016
	sh -c 'echo $$ > "$1/cgroup.procs"; exec "$0" pace "$2" 4000' "$workload" "$group" "$thousands" > "$work/paced" &
	pacer=$!
	pids+=("$pacer")
	launch_ctrace -o /dev/null "$@"
	before=$(tool_cpu)
	sleep 2
	used=$(awk -v a="$before" -v b="$(tool_cpu)" 'BEGIN { printf "%.1f", (b - a) / 20000 }')
	end_tool
	kill "$pacer" 2>/dev/null
	wait "$pacer" 2>/dev/null
	rmdir "$group"
	printf '%-44s %9s%% %12s\n' "$thousands,000 calls/s in one container, $*" "$used" "$(status ring_full)"
}

echo "ctrace at scale: kernel $(uname -r), $(nproc) CPUs, medians of $rounds"
printf '%-44s %10s %12s %14s\n' "" "start, ms" "memory, MiB" "at rest, ms/s"
shape 1 100
shape 20 2000
shape $((containers / 2)) $((tasks / 2))
shape 1 "$tasks"
shape "$containers" "$tasks"
echo
printf '%-44s %10s %12s\n' "" "CPU" "lost"
for rate in ${RATES:-1 10 100}; do paced "$rate" --all; done
