#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every way into a target and out of it, each on its own: what is shown is
# exact, and so is what the statement counts.
. "$(dirname "$0")/lib.sh"

need_v2()
{
	V2=$(cgroup2_mount)
	[ -n "$V2" ] || cannot "cgroup v2 is not mounted"
}

need_v1()
{
	V1=$(cgroup1_mount pids)
	[ -n "$V1" ] || cannot "no cgroup v1 hierarchy is mounted"
}

# assert_tasks FILTER: jq, on the tasks of the status file.
assert_tasks()
{
	jq -e ".tasks | $1" "$T/$status" > /dev/null || fail "not $1: $(jq -c .tasks "$T/$status")"
}

# The threads of the process ACTOR but the first.
other_threads()
{
	ls "/proc/$ACTOR/task" | sort -n | tail -n +2
}

# On both hierarchies of cgroups that the machine has.
on_each()
{
	local what=$1 mount
	shift
	for mount in "$@"; do
		[ -n "$mount" ] || continue
		out=out$done err=err$done status=status$done "$what" "$mount" "a$done"
		done=$((done + 1))
	done
	[ "$done" -gt 0 ] || cannot "no cgroup file system"
}
done=0

# --- clone ----------------------------------------------------------------------

test_vfork()
{
	box_start web
	ct_start --container "$(box_id web)"
	tell web vfork 1000 20
	tell web vfork 1100 20
	ct_stop
	assert_marked 1000 40
	assert_marked 1100 40
	assert_lines '\+\+\+ exited with 0 \+\+\+$' out 2
	assert_complete
	assert_tasks '.at_start == 1 and .by_fork == 2 and .on_first_call == 0 and .by_rescan == 0 and .ended == 2'
}

test_threads()
{
	box_start web
	ct_start --container "$(box_id web)"
	tell web threads 8 1000 20
	tell web all 2000 20
	ct_stop
	assert_marked 1000 160
	assert_marked 2000 160
	assert_complete
	assert_tasks '.at_start == 1 and .by_fork == 8 and .on_first_call == 0 and .ended == 0'
}

# The kernel tells of no move when a child is made inside of another cgroup.
test_clone_into_cgroup()
{
	need_v2
	cgroup_make "$V2/ct$$"
	cgroup_make "$V2/ct$$-out"
	mkdir -p "$V2/ct$$/sub"
	actor_start a
	ct_start --cgroup "$V2/ct$$"
	tell a into "$V2/ct$$" 1000 20
	tell a into "$V2/ct$$/sub" 1100 20
	tell a calls 3000 20
	echo "$ACTOR" > "$V2/ct$$/sub/cgroup.procs"
	tell a into "$V2/ct$$-out" 4000 20
	tell a into "$V2/ct$$" 1200 20
	ct_stop
	assert_marked 1000 20
	assert_marked 1100 20
	assert_marked 1200 20
	refute_marked 3000 20
	refute_marked 4000 20
	# The child that was made outside never was in, and so did not leave.
	refute_lines '\+\+\+ left ' out
	assert_complete
	assert_tasks '.by_fork == 3 and .by_move == 1 and .on_first_call == 0 and .ended == 3 and .left == 0'
}

# --- moves ----------------------------------------------------------------------

test_group_moves()
{
	on_each group_moves "$(cgroup2_mount)" "$(cgroup1_mount)"
}

# A process of four threads: one event for all of them, in and out, twice.
group_moves()
{
	local dir=$1/ct$$
	cgroup_make "$dir"
	actor_start "$2"
	tell "$2" threads 3 10 1
	ct_start --cgroup "$dir"
	echo "$ACTOR" > "$dir/cgroup.procs"
	tell "$2" all 1000 50
	tell "$2" calls 1200 50
	echo "$ACTOR" > "$1/cgroup.procs"
	tell "$2" all 2000 50
	tell "$2" calls 2200 50
	echo "$ACTOR" > "$dir/cgroup.procs"
	tell "$2" all 3000 50
	tell "$2" calls 3200 50
	echo "$ACTOR" > "$1/cgroup.procs"
	tell "$2" all 4000 50
	tell "$2" fork 4200 50
	ct_stop
	for base in 1000 3000; do
		assert_marked $base 150
		assert_marked $((base + 200)) 50
	done
	for base in 2000 4000; do
		refute_marked $base 150
		refute_marked $((base + 200)) 50
	done
	assert_lines "^$ACTOR +\+\+\+ left ct$$ \+\+\+\$" "$out" 2
	assert_lines "\+\+\+ left ct$$ \+\+\+\$" "$out" 8
	assert_complete
	assert_tasks '.at_start == 0 and .by_move == 2 and .on_first_call == 6 and .by_fork == 0 and .left == 8 and .ended == 0'
}

# Threads that sleep while their group is moved about: where the kernel takes
# the memory of a set of cgroups again, a verdict that was given for the old
# one must not hold. Here many old ones stand against one new one.
test_moves_while_asleep()
{
	local dir i round tids
	need_v2
	dir=$V2/ct$$
	cgroup_make "$dir"
	mkdir "$dir/home" "$dir/target" "$dir/between" "$dir/one" "$dir/two"
	# The kernel keeps what is to be freed a CPU.
	taskset -cp "$(taskset -cp $$ | sed 's/.*[^0-9]//')" $$ > "$T/taskset"
	sleep 600 &
	defer end_process $!
	mover=$!
	actor_start a
	echo "$ACTOR" > "$dir/home/cgroup.procs"
	tell a threads 60 10 1
	mapfile -t tids < <(other_threads)
	for i in "${!tids[@]}"; do
		mkdir "$dir/home/$i"
		echo threaded > "$dir/home/$i/cgroup.type" || cannot "no threaded cgroups"
	done
	ct_start --cgroup "$dir/target"
	for ((round = 1; round <= 10; round++)); do
		echo "$ACTOR" > "$dir/home/cgroup.procs"
		for i in "${!tids[@]}"; do
			echo "${tids[i]}" > "$dir/home/$i/cgroup.threads"
		done
		tell a all $((round * 10000)) 5
		echo "$ACTOR" > "$dir/between/cgroup.procs"
		free_sets "$dir"
		echo "$ACTOR" > "$dir/target/cgroup.procs"
		tell a all $((round * 10000 + 5000)) 5
	done
	ct_stop
	for ((round = 1; round <= 10; round++)); do
		refute_marked $((round * 10000)) 300
		assert_marked $((round * 10000 + 5000)) 300
	done
	assert_complete
	assert_tasks '.by_move + .on_first_call == 610 and .left == 549'
}

# What is freed waits for seconds, unless there is much of it.
free_sets()
{
	local i
	for ((i = 0; i < 3000; i++)); do
		echo "$mover" > "$1/one/cgroup.procs"
		echo "$mover" > "$1/two/cgroup.procs"
	done
	sleep 0.05
}

test_thread_moves()
{
	local mount
	mount=$(cgroup2_mount)
	if [ -n "$mount" ] && mkdir "$mount/ct$$-domain" && defer cgroup_remove "$mount/ct$$-domain"; then
		mkdir "$mount/ct$$-domain/out" "$mount/ct$$-domain/in"
		echo threaded > "$mount/ct$$-domain/in/cgroup.type"
		echo threaded > "$mount/ct$$-domain/out/cgroup.type"
		thread_moves "$mount/ct$$-domain" "$mount/ct$$-domain/out" "$mount/ct$$-domain/in" cgroup.threads
	fi
	mount=$(cgroup1_mount)
	[ -n "$mount" ] || return 0
	cgroup_make "$mount/ct$$-in"
	out=out1 err=err1 status=status1 thread_moves "$mount" "$mount" "$mount/ct$$-in" tasks
}

# thread_moves HOME OUT IN FILE: one of three threads goes in, out, and in
# again; then the leader alone does.
thread_moves()
{
	local tid
	actor_start "a$out"
	echo "$ACTOR" > "$1/cgroup.procs"
	tell "a$out" threads 2 10 1
	tid=$(other_threads | head -n 1)
	ct_start --cgroup "$3"
	for base in 1000 2000; do
		echo "$tid" > "$3/$4"
		tell "a$out" all $base 20
		tell "a$out" calls $((base + 100)) 20
		echo "$tid" > "$2/$4"
		tell "a$out" all $((base + 200)) 20
		tell "a$out" calls $((base + 300)) 20
	done
	echo "$ACTOR" > "$3/$4"
	tell "a$out" all 3000 20
	tell "a$out" calls 3100 20
	echo "$ACTOR" > "$2/$4"
	tell "a$out" calls 3200 20
	ct_stop
	for base in 1000 2000; do
		assert_half $base 20
		refute_marked $((base + 100)) 20
		refute_marked $((base + 200)) 40
		refute_marked $((base + 300)) 20
	done
	refute_marked 3000 40
	assert_marked 3100 20
	refute_marked 3200 20
	assert_lines "^$tid +\+\+\+ left [a-z0-9-]+ \+\+\+\$" "$out" 2
	assert_lines "^$ACTOR +\+\+\+ left [a-z0-9-]+ \+\+\+\$" "$out" 1
	assert_complete
	assert_tasks '.at_start == 0 and .by_move == 3 and .on_first_call == 0 and .left == 3'
}

# assert_half BASE N: of the calls of two threads those of one, whichever it is.
assert_half()
{
	local halves
	halves=$(marked_counts "$1" "$2")/$(marked_counts $(($1 + $2)) "$2")
	[ "$halves" = "0 0/$2 0" ] || [ "$halves" = "$2 0/0 0" ] || fail "of two threads' calls from $1 on: $halves (missing twice)"
}

# A group whose first thread has ended: the kernel tells of its move all the
# same, by that thread, or not at all.
test_group_without_leader_moves()
{
	on_each headless_moves "$(cgroup2_mount)" "$(cgroup1_mount)"
}

headless_moves()
{
	local dir=$1/ct$$ child
	cgroup_make "$dir"
	actor_start "$2"
	tell "$2" headless "$T/$2.in" 1000 20
	child=$(pgrep -P "$ACTOR")
	until_true 10 headless_ready "$child" || fail "the first thread does not end"
	ct_start --cgroup "$dir"
	echo "$child" > "$dir/cgroup.procs"
	: > "$T/$2.in"
	tell "$2" reap
	# And one that starts inside and is moved out.
	echo "$ACTOR" > "$dir/cgroup.procs"
	tell "$2" headless "$T/$2.out" 2000 20
	child=$(pgrep -P "$ACTOR")
	until_true 10 headless_ready "$child" || fail "the first thread does not end"
	echo "$child" > "$1/cgroup.procs"
	: > "$T/$2.out"
	tell "$2" reap
	ct_stop
	assert_marked 1000 20
	refute_marked 2000 20
	assert_lines "\+\+\+ left ct$$ \+\+\+\$" "$out" 1
	assert_complete
	assert_tasks '.left == 1 and .by_fork == 2'
}

headless_ready()
{
	[ "$(awk '{ print $3 }' "/proc/$1/stat")" = Z ] && [ "$(ls "/proc/$1/task" | wc -l)" = 2 ]
}

# Out and in again while it sleeps in one call, which began inside: the call is
# shown, and each way is counted.
test_moves_within_a_call()
{
	need_v2
	cgroup_make "$V2/ct$$"
	actor_start a
	echo "$ACTOR" > "$V2/ct$$/cgroup.procs"
	ct_start --cgroup "$V2/ct$$"
	# From here on it waits in a read that began inside.
	tell a calls 1000 20
	until_true 10 in_read "$ACTOR" || fail "the actor does not wait for orders"
	echo "$ACTOR" > "$V2/cgroup.procs"
	echo "$ACTOR" > "$V2/ct$$/cgroup.procs"
	echo "$ACTOR" > "$V2/cgroup.procs"
	echo "$ACTOR" > "$V2/ct$$/cgroup.procs"
	tell a calls 2000 20
	until_true 10 in_read "$ACTOR" || fail "the actor does not wait for orders"
	echo "$ACTOR" > "$V2/cgroup.procs"
	tell a calls 3000 20
	ct_stop
	assert_marked 1000 20
	assert_marked 2000 20
	refute_marked 3000 20
	assert_lines "^$ACTOR +\+\+\+ left ct$$ \+\+\+\$" out 3
	# The calls that brought the orders, the last one out of the target.
	assert_lines 'read\(0, "calls 3000 20\\n"' out 1
	assert_complete
	assert_tasks '.at_start == 1 and .by_move == 2 and .on_first_call == 0 and .left == 3 and .ended == 0'
}

in_read()
{
	[ "$(awk '{ print $1 }' "/proc/$1/syscall")" = "$([ "$(uname -m)" = x86_64 ] && echo 0 || echo 63)" ]
}

# One that is killed in the call in which it was moved out has left, and nothing else.
test_killed_after_it_left()
{
	local child
	need_v2
	cgroup_make "$V2/ct$$"
	actor_start a
	echo "$ACTOR" > "$V2/ct$$/cgroup.procs"
	ct_start --cgroup "$V2/ct$$"
	tell a hang
	child=$(pgrep -P "$ACTOR")
	until_true 10 grep -qv running "/proc/$child/syscall" || fail "the child does not sleep"
	echo "$child" > "$V2/cgroup.procs"
	kill -KILL "$child"
	tell a reap
	ct_stop
	assert_lines "^$child +\+\+\+ left ct$$ \+\+\+\$" out 1
	refute_lines "^$child +\+\+\+ killed" out
	# The call that began inside is told to its end.
	assert_lines "^$child +pause\(\) += \? ERESTARTNOHAND" out 1
	assert_complete
	assert_tasks '.at_start == 1 and .by_fork == 1 and .left == 1 and .ended == 0'
}

# Between two targets, one beside the other and one inside the other.
test_moves_between_targets()
{
	need_v2
	cgroup_make "$V2/ct$$-one"
	cgroup_make "$V2/ct$$-two"
	mkdir "$V2/ct$$-two/sub"
	actor_start a
	tell a threads 2 10 1
	ct_start --cgroup "$V2/ct$$-one" --cgroup "$V2/ct$$-two" --cgroup "$V2/ct$$-two/sub"
	for base in 1000 2000; do
		echo "$ACTOR" > "$V2/ct$$-one/cgroup.procs"
		tell a all $base 20
		echo "$ACTOR" > "$V2/ct$$-two/cgroup.procs"
		tell a all $((base + 100)) 20
		echo "$ACTOR" > "$V2/ct$$-two/sub/cgroup.procs"
		tell a all $((base + 200)) 20
		tell a fork $((base + 300)) 20
	done
	echo "$ACTOR" > "$V2/cgroup.procs"
	tell a all 3000 20
	ct_stop
	for base in 1000 2000; do
		assert_marked $base 40
		assert_marked $((base + 100)) 40
		assert_marked $((base + 200)) 40
		assert_marked $((base + 300)) 20
	done
	refute_marked 3000 40
	# Each call stands behind the name of the target that it was made in.
	assert_lines "^ct$$-one [0-9]+ +lseek\(-1, [12]00?[0-9]+, " out 80
	assert_lines "^ct$$-two [0-9]+ +lseek\(-1, [12]1[0-9]+, " out 80
	assert_lines "^sub [0-9]+ +lseek\(-1, [12][23][0-9]+, " out 120
	assert_complete
	assert_tasks '.ended == 2 and .by_fork == 2'
}

# Named as a process and in a cgroup target: it and what it forked are in for
# life, also an orphan that is moved out of the cgroup.
test_process_in_a_cgroup_target()
{
	local child
	need_v2
	cgroup_make "$V2/ct$$"
	actor_start a
	echo "$ACTOR" > "$V2/ct$$/cgroup.procs"
	actor_start b
	echo "$ACTOR" > "$V2/ct$$/cgroup.procs"
	# A child that starts a process without a first thread, and ends: an orphan, as soon as it is told to.
	printf '#!/bin/sh\nwhile [ ! -e %s/begin ]; do sleep 0.02; done\n%s/marked headless %s/go 1000 20\nexec sleep 60\n' "$T" "$ACTORS" "$T" > "$T/parent"
	sh "$T/parent" &
	PARENT=$!
	defer end_process "$PARENT"
	echo "$PARENT" > "$V2/ct$$/cgroup.procs"
	ct_start -p "$PARENT" --cgroup "$V2/ct$$"
	: > "$T/begin"
	until_true 10 orphan_there || fail "no orphan"
	echo "$ORPHAN" > "$V2/cgroup.procs"
	echo "$ACTOR" > "$V2/cgroup.procs"
	echo "$PARENT" > "$V2/cgroup.procs"
	: > "$T/go"
	until_true 10 gone "$ORPHAN" || fail "the orphan does not end"
	tell b calls 2000 20
	tell a calls 3000 20
	ct_stop
	assert_marked 1000 20
	refute_marked 2000 20
	assert_marked 3000 20
	assert_lines '\+\+\+ left ' out 1
	assert_lines "$ACTOR +\+\+\+ left ct$$ \+\+\+\$" out 1
	assert_complete
}

# Its leader is a zombie: it is known by its parent, which is not the one that started it.
orphan_there()
{
	local pid
	for pid in $(cat "$V2/ct$$/cgroup.procs"); do
		[ "$pid" != "$PARENT" ] && headless_ready "$pid" && [ "$(awk '{ print $4 }' "/proc/$pid/stat")" != "$PARENT" ] && ORPHAN=$pid && return 0
	done 2> /dev/null
	return 1
}

# A move on another hierarchy than the target's is none.
test_moves_elsewhere()
{
	need_v1
	need_v2
	elsewhere "$V1/ct$$" "$V2/ct$$-other" "$V2" a
	out=out1 err=err1 status=status1 elsewhere "$V2/ct$$" "$V1/ct$$-other" "$V1" b
}

elsewhere()
{
	cgroup_make "$1"
	cgroup_make "$2"
	actor_start "$4"
	tell "$4" threads 2 10 1
	echo "$ACTOR" > "$1/cgroup.procs"
	ct_start --cgroup "$1"
	echo "$ACTOR" > "$2/cgroup.procs"
	tell "$4" all 1000 20
	echo "$ACTOR" > "$3/cgroup.procs"
	tell "$4" all 2000 20
	tell "$4" fork 2100 20
	ct_stop
	assert_marked 1000 40
	assert_marked 2000 40
	assert_marked 2100 20
	refute_lines '\+\+\+ left ' "$out"
	assert_complete
	assert_tasks '.at_start == 3 and .left == 0 and .by_move == 0 and .on_first_call == 0'
}

# A container whose cgroups lie at other paths in each hierarchy: entered by an
# exec session, and left by a move in the hierarchy that decides.
test_container_with_different_paths()
{
	local id path mount
	id=$(box_id web)
	box_cgroup=$id box_start web
	ct_start --container "$id"
	runc_ exec "$id" /bin/marked calls 1000 50 / fork 1100 50 / threads 3 1200 10 || fail "runc exec failed"
	tell web fork 1300 20
	[ "$(cut -d : -f 3 "/proc/$BOX_PID/cgroup" | sort -u | wc -l)" -gt 1 ] || cannot "all its paths are the same: $(cat "/proc/$BOX_PID/cgroup")"
	# Out of all of them, one after the other: it leaves once.
	while IFS=: read -r _ path mount; do
		case $path in
		'') mount=$(cgroup2_mount) ;;
		*) mount=$(cgroup1_mount "$path") ;;
		esac
		[ -z "$mount" ] || echo "$BOX_PID" > "$mount/cgroup.procs" || fail "it cannot be moved to $mount"
	done < "/proc/$BOX_PID/cgroup"
	tell web calls 2000 20
	ct_stop
	assert_marked 1000 50
	assert_marked 1100 50
	assert_marked 1200 30
	assert_marked 1300 20
	refute_marked 2000 20
	assert_lines "^1 +\+\+\+ left $id \+\+\+\$" out 1
	assert_complete
	assert_tasks '.left == 1'
}

# --- the end of tasks --------------------------------------------------------------

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

# Below the level to which the kernel side looks it is not known who is in, and that is said.
test_deep_cgroups()
{
	local dir i middle
	need_v2
	dir=$V2/ct$$
	cgroup_make "$dir"
	for ((i = 0; i < 38; i++)); do
		dir=$dir/d
		[ $i != 35 ] || middle=$dir
	done
	mkdir -p "$dir"
	actor_start a
	echo "$ACTOR" > "$dir/cgroup.procs"
	ct_start --cgroup "$V2/ct$$"
	tell a calls 1000 20
	tell a fork 1100 20
	ct_stop
	assert_marked 1000 20
	assert_marked 1100 20
	assert_incomplete deep
	ct_start --cgroup "$middle"
	tell a calls 2000 20
	ct_stop
	assert_incomplete deep
}

# assert_incomplete WORD: and the cause has that word.
assert_incomplete()
{
	assert_identity
	assert_lines "^ctrace: coverage incomplete \(.*$1" err 1
	jq -e --arg word "$1" '.complete == false and any(.why[]; contains($word))' "$T/$status" > /dev/null || fail "not for $1: $(cat "$T/$status")"
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
