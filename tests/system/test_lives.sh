#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# How tasks end, what they leave, and those that do not run: zombies, numbers
# that are taken again, directories that go, freezers.
. "$(dirname "$0")/lib.sh"
# shellcheck source=ways.sh
. "$system_dir/ways.sh"

# A directory that is removed while its last task is a zombie.
test_removed_with_a_zombie()
{
	on_each removed_with_zombie "$(cgroup2_mount)" "$(cgroup1_mount)"
}

removed_with_zombie()
{
	local dir=$1/ct$$
	cgroup_make "$dir"
	actor_start "$2"
	ct_start --cgroup "$dir"
	echo "$ACTOR" > "$dir/cgroup.procs"
	tell "$2" fork 1000 20
	tell "$2" zombie
	! rmdir "$dir" 2> /dev/null || fail "a directory with a task in it was removed"
	echo "$ACTOR" > "$1/cgroup.procs"
	tell "$2" calls 2000 20
	gone "$CT" && fail "ctrace ended though the cgroup is there"
	rmdir "$dir" || cannot "a zombie keeps its cgroup"
	ct_wait
	tell "$2" calls 3000 20
	assert_status 0
	assert_marked 1000 20
	refute_marked 2000 20
	refute_marked 3000 20
	assert_complete
	assert_tasks '.by_fork == 2 and .ended == 2 and .left == 1'
}

# All of them at once, in sub-cgroups as well, and then the directories.
test_removed_after_a_kill()
{
	local dir
	need_v2
	dir=$V2/ct$$
	cgroup_make "$dir"
	[ -e "$dir/cgroup.kill" ] || cannot "no cgroup.kill"
	mkdir "$dir/sub"
	actor_start a
	ct_start --cgroup "$dir"
	echo "$ACTOR" > "$dir/sub/cgroup.procs"
	tell a threads 3 1000 20
	tell a hang
	echo 1 > "$dir/cgroup.kill"
	until_true 10 rmdir "$dir/sub" 2> /dev/null || fail "the killed tasks stay"
	rmdir "$dir"
	ct_wait
	assert_status 0
	assert_marked 1000 60
	assert_lines '\+\+\+ killed by SIGKILL \+\+\+$' out 5
	assert_complete
	assert_tasks '.by_move == 1 and .by_fork == 4 and .ended == 5 and .left == 0'
}

# A zombie is no task that was missed, and none that is traced.
test_zombies_at_the_start()
{
	box_start web
	tell web zombie
	tell web headless /shared/go 1000 20
	tell web zombie
	until_true 10 threads_left 1 || fail "the first thread does not end"
	ct_start --container "$(box_id web)"
	tell web calls 2000 20
	: > "$T/shared/go"
	tell web reap
	ct_stop
	assert_marked 1000 20
	assert_marked 2000 20
	# Its init, and the thread that is left.
	assert_lines '^ctrace: tracing .*: 2 tasks; ' err 1
	assert_complete
	assert_tasks '.at_start == 2 and .by_rescan == 0 and .late == 0 and .ended == 1'
}

# threads_left N: of the container's processes without a leader, N.
threads_left()
{
	local pid n=0
	for pid in $(pgrep -P "$BOX_PID"); do
		[ "$(awk '{ print $3 }' "/proc/$pid/stat")" != Z ] || [ "$(ls "/proc/$pid/task" | wc -l)" != 2 ] || n=$((n + 1))
	done
	[ "$n" = "$1" ]
}

# free_tid: a number that no task has, and that the kernel is not about to give.
free_tid()
{
	local max last tid
	max=$(cat /proc/sys/kernel/pid_max)
	last=$(awk '{ print $5 }' /proc/loadavg)
	for ((tid = last > max / 2 ? max / 4 : max - 100; tid > 400; tid--)); do
		[ -e "/proc/$tid" ] || break
	done
	echo "$tid"
}

# Tasks that do not run, while the trace begins, goes on and ends: by v2's
# freezer and by a signal. They go on where they were.
test_frozen_and_stopped()
{
	local child
	need_v2
	cgroup_make "$V2/ct$$"
	[ -e "$V2/ct$$/cgroup.freeze" ] || cannot "no cgroup.freeze"
	actor_start a
	tell a threads 3 10 1
	tell a hang
	echo "$ACTOR" > "$V2/ct$$/cgroup.procs"
	child=$(pgrep -P "$ACTOR")
	defer kill -KILL "$child"
	echo "$child" > "$V2/ct$$/cgroup.procs"
	not_running freeze thaw a0
	not_running stop go_on a1
}

freeze()
{
	echo 1 > "$V2/ct$$/cgroup.freeze"
	until_true 10 grep -qx 'frozen 1' "$V2/ct$$/cgroup.events" || fail "it does not freeze"
}

thaw()
{
	echo 0 > "$V2/ct$$/cgroup.freeze"
}

stop()
{
	kill -STOP "$ACTOR"
	until_true 10 grep -q '^State:.*stopped' "/proc/$ACTOR/status" || fail "it does not stop"
}

go_on()
{
	kill -CONT "$ACTOR"
}

not_running()
{
	local out=out$3 err=err$3 status=status$3
	"$1"
	ct_start --cgroup "$V2/ct$$"
	ct_stop
	assert_status 0
	assert_complete
	assert_tasks '.at_start == 5 and .by_rescan == 0 and .ended == 0'
	ct_start --cgroup "$V2/ct$$"
	"$2"
	tell a all 1000 20
	"$1"
	"$2"
	tell a all 2000 20
	tell a fork 2100 20
	"$1"
	ct_stop
	"$2"
	tell a all 3000 20
	assert_status 0
	assert_marked 1000 60
	assert_marked 2000 60
	assert_marked 2100 20
	refute_marked 3000 60
	assert_complete
	assert_tasks '.at_start == 5 and .by_fork == 1 and .ended == 1 and .on_first_call == 0'
}

# A number that is taken again right after its owner's end, by turns inside and outside.
test_numbers_taken_again()
{
	local i tid
	need_v2
	cgroup_make "$V2/ct$$"
	actor_start in
	echo "$ACTOR" > "$V2/ct$$/cgroup.procs"
	actor_start out
	tid=$(free_tid)
	ct_start --cgroup "$V2/ct$$"
	for ((i = 0; i < 20; i++)); do
		tell in as "$tid" $((1000 + i * 10)) 5
		tell out as "$tid" $((2000 + i * 10)) 5
	done
	ct_stop
	assert_marked 1000 200
	refute_marked 2000 200
	assert_lines "^$tid +\+\+\+ exited with 0 \+\+\+\$" out 20
	assert_complete
	assert_tasks '.by_fork == 20 and .ended == 20'
}

# The same with a process target: its number says nothing once it has ended.
test_numbers_of_processes_taken_again()
{
	local i tid
	actor_start out
	actor_start in
	tid=$(free_tid)
	ct_start -p "$ACTOR"
	for ((i = 0; i < 20; i++)); do
		tell in as "$tid" $((1000 + i * 10)) 5
		tell out as "$tid" $((2000 + i * 10)) 5
	done
	ct_stop
	assert_marked 1000 200
	refute_marked 2000 200
	assert_complete
}

# COMMAND's own number, while what it left behind is traced on.
test_number_of_the_command_taken_again()
{
	local pid
	actor_start out
	ct_launch -o "$T/out" -- sh -c "echo \$\$ > $T/pid; $ACTORS/marked sleep 4000 / calls 1000 20 & exit 0"
	ct_ready
	until_true 10 test -s "$T/pid" || fail "COMMAND does not run"
	pid=$(cat "$T/pid")
	until_true 10 gone "$pid" || fail "COMMAND does not end"
	tell out as "$pid" 2000 10
	gone "$CT" && fail "ctrace does not wait for what COMMAND left behind"
	ct_wait
	assert_status 0
	assert_marked 1000 20
	refute_marked 2000 20
	assert_complete
}

# A process whose first thread ended before the trace began: named, and below the one that is.
test_process_without_leader()
{
	local child
	actor_start a
	tell a headless "$T/go" 1000 20
	child=$(pgrep -P "$ACTOR")
	until_true 10 headless_ready "$child" || fail "the first thread does not end"
	ct_start -p "$child"
	CHILD=$CT
	out=out1 err=err1 status=status1 ct_start -p "$ACTOR"
	: > "$T/go"
	tell a reap
	out=out1 err=err1 status=status1
	ct_stop
	assert_marked 1000 20
	assert_complete
	assert_tasks '.at_start == 2 and .ended == 1'
	out=out err=err status=status
	CT=$CHILD
	ct_wait
	assert_status 0
	assert_marked 1000 20
	assert_complete
	assert_tasks '.at_start == 1 and .ended == 1'
}

# A task far below its target, and, where the kernel side does not look any
# more, one that is not known to be in: that is said.
test_deep_cgroups()
{
	local dir i deep deepest
	need_v2
	dir=$V2/ct$$
	cgroup_make "$dir"
	for ((i = 1; i < 270; i++)); do
		dir=$dir/d
		[ $i != 200 ] || deep=$dir
		[ $i != 265 ] || deepest=$dir
	done
	mkdir -p "$dir" || cannot "cgroups do not nest so deep"
	actor_start a
	echo "$ACTOR" > "$deep/d/cgroup.procs"
	ct_start --cgroup "$V2/ct$$"
	out=out1 err=err1 status=status1 ct_second --cgroup "$deep"
	tell a calls 1000 20
	tell a fork 1100 20
	ct_stop
	assert_marked 1000 20
	assert_marked 1100 20
	assert_complete
	CT=$SECOND
	out=out1 err=err1 status=status1
	ct_stop
	assert_marked 1000 20
	assert_marked 1100 20
	assert_complete
	echo "$ACTOR" > "$dir/cgroup.procs"
	out=out2 err=err2 status=status2
	ct_start --cgroup "$deepest"
	tell a calls 2000 20
	ct_stop
	assert_incomplete deep
}

# Nothing comes from it any more: the run ends with the last task that lives.
test_zombies_of_processes()
{
	actor_start a
	tell a zombie
	tell a zombie
	ct_start -p "$ACTOR"
	tell a calls 1000 20
	order a exit 0
	ct_wait
	assert_status 0
	assert_marked 1000 20
	assert_complete
	assert_tasks '.at_start == 1 and .ended == 1'
}

# Groups that end while ctrace starts and while it ends.
test_churn_at_the_start()
{
	local i
	box_start web
	tell web churn /shared/stop 100000
	for ((i = 0; i < 12; i++)); do
		out=out$i err=err$i status=status$i ct_start --container "$(box_id web)"
		until_true 10 enough_lines "$T/out$i" 30 || fail "nothing is traced"
		status=status$i ct_stop
		assert_status 0
		err=err$i status=status$i assert_complete
		assert_whole_groups "$T/out$i"
	done
	: > "$T/shared/stop"
	tell web reap
}

enough_lines()
{
	[ "$(grep -c 'lseek(-1, ' "$1")" -ge "$2" ]
}

# From the second group seen to the last but one each number is there, once.
assert_whole_groups()
{
	local gaps
	gaps=$(sed -n 's/.*lseek(-1, \([0-9]*\), SEEK_SET).*/\1/p' "$1" | sort -n |
		awk 'NR == 1 { first = $1 } { seen[$1]++; last = $1 }
			END {
				for (i = first + 3; i <= last - 3; i++) { missing += !(i in seen); twice += seen[i] > 1 }
				print missing + 0, twice + 0, last - first
			}')
	[[ $gaps == "0 0 "* ]] || fail "of the groups' calls are missing, twice, of: $gaps"
}

run_tests "$@"
