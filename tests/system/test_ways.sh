#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every way into a target and out of it, each on its own: what is shown is
# exact, and so is what the statement counts.
. "$(dirname "$0")/lib.sh"
# shellcheck source=ways.sh
. "$system_dir/ways.sh"

# The threads of the process ACTOR but the first.
other_threads()
{
	ls "/proc/$ACTOR/task" | sort -n | tail -n +2
}

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

run_tests "$@"
