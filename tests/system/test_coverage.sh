#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Who is in and who is out, while a trace runs.
. "$(dirname "$0")/lib.sh"

test_exec_session()
{
	box_start web
	ct_start --container "$(box_id web)"
	runc_ exec "$(box_id web)" /bin/marked calls 1000 100 / fork 1100 50 / threads 3 1200 10 || fail "runc exec failed"
	tell web calls 2000 10
	ct_stop
	assert_marked 1000 150
	assert_marked 1200 30
	assert_marked 2000 10
	assert_complete
	# What runc does in there before the exec is phase runtime: counted, not shown.
	refute_lines 'execve\("/proc/self/(exe|fd/)' out
	assert_lines 'execve\("/bin/marked", \["/bin/marked", "calls"' out 1
	jq -e '.calls.filtered > 0' "$T/status" > /dev/null || fail "the runtime's own calls were not counted as filtered"
}

test_phases()
{
	local all runtime container
	box_start web
	for phase in all runtime container; do
		out=out.$phase status=status.$phase ct_start --container "$(box_id web)" --phase "$phase"
		runc_ exec "$(box_id web)" /bin/marked calls 1000 10 || fail "runc exec failed"
		status=status.$phase ct_stop
		status=status.$phase assert_complete
	done
	out=out.all assert_marked 1000 10
	out=out.container assert_marked 1000 10
	out=out.runtime refute_marked 1000 10
	all=$(grep -c '(' "$T/out.all")
	runtime=$(grep -c '(' "$T/out.runtime")
	container=$(grep -c '(' "$T/out.container")
	# How many calls the runtime makes is its own business, and differs from time to time.
	[ "$runtime" -gt 10 ] && [ "$container" -gt 10 ] && [ "$all" -gt $((container + 10)) ] ||
		fail "phase all shows $all lines, runtime $runtime, container $container"
}

test_new_subcgroups()
{
	local mount dir
	mount=$(cgroup2_mount)
	[ -n "$mount" ] || cannot "cgroup v2 is not mounted"
	dir=$mount/ct$$
	cgroup_make "$dir"
	actor_start a
	ct_start --cgroup "$dir"
	mkdir -p "$dir/new/er"
	echo "$ACTOR" > "$dir/new/er/cgroup.procs"
	tell a calls 1000 30
	tell a fork 1100 30
	mkdir "$dir/other"
	echo "$ACTOR" > "$dir/other/cgroup.procs"
	tell a calls 1200 30
	ct_stop
	assert_marked 1000 30
	assert_marked 1100 30
	assert_marked 1200 30
	refute_lines '\+\+\+ left ' out
	assert_complete
}

test_moves_v1()
{
	local mount
	mount=$(cgroup1_mount pids)
	[ -n "$mount" ] || cannot "no cgroup v1 hierarchy is mounted"
	moves "$mount/ct$$" "$mount"
}

test_moves_v2()
{
	local mount
	mount=$(cgroup2_mount)
	[ -n "$mount" ] || cannot "cgroup v2 is not mounted"
	moves "$mount/ct$$" "$mount"
}

# In and out by cgroup.procs, a process of four threads: all of them move.
moves()
{
	cgroup_make "$1"
	actor_start a
	tell a threads 3 100 10
	ct_start --cgroup "$1"
	tell a all 1000 10
	echo "$ACTOR" > "$1/cgroup.procs"
	tell a all 2000 10
	tell a calls 2100 10
	echo "$ACTOR" > "$2/cgroup.procs"
	tell a all 3000 10
	tell a calls 3100 10
	echo "$ACTOR" > "$1/cgroup.procs"
	tell a all 4000 10
	tell a fork 4100 10
	ct_stop
	refute_marked 1000 30
	assert_marked 2000 30
	assert_marked 2100 10
	refute_marked 3000 30
	refute_marked 3100 10
	assert_marked 4000 30
	assert_marked 4100 10
	assert_lines "\+\+\+ left ${1##*/} \+\+\+\$" out
	assert_complete
	jq -e '.tasks.by_move + .tasks.on_first_call >= 4 and .tasks.left >= 1' "$T/status" > /dev/null ||
		fail "the moves were not counted: $(jq -c .tasks "$T/status")"
}

# From one target into another one: it leaves the one and comes into the other, each time once.
test_moves_between_targets()
{
	local mount dir
	mount=$(cgroup2_mount)
	[ -n "$mount" ] || cannot "cgroup v2 is not mounted"
	dir=$mount/ct$$
	cgroup_make "$dir-a"
	cgroup_make "$dir-b"
	actor_start a
	echo "$ACTOR" > "$dir-a/cgroup.procs"
	ct_start --cgroup "$dir-a" --cgroup "$dir-b"
	tell a calls 1000 10
	echo "$ACTOR" > "$dir-b/cgroup.procs"
	tell a calls 2000 10
	tell a fork 2100 10
	echo "$ACTOR" > "$dir-a/cgroup.procs"
	tell a calls 3000 10
	ct_stop
	assert_marked 1000 10
	assert_marked 2000 10
	assert_marked 2100 10
	assert_marked 3000 10
	assert_lines "^ct$$-b [0-9]+ +lseek\(-1, 20[0-9]{2}, SEEK_SET\)" out 10
	assert_lines "^ct$$-a [0-9]+ +lseek\(-1, 30[0-9]{2}, SEEK_SET\)" out 10
	assert_lines "\+\+\+ left ct$$-a \+\+\+\$" out 1
	assert_lines "\+\+\+ left ct$$-b \+\+\+\$" out 1
	assert_complete
	jq -e '.tasks.at_start == 1 and .tasks.by_move == 2 and .tasks.left == 2' "$T/status" > /dev/null ||
		fail "the moves were not counted: $(jq -c .tasks "$T/status")"
}

# One thread of a process, alone: a v1 hierarchy takes it by its tasks file.
test_thread_moves_v1()
{
	local mount dir tid
	mount=$(cgroup1_mount pids)
	[ -n "$mount" ] || cannot "no cgroup v1 hierarchy is mounted"
	dir=$mount/ct$$
	cgroup_make "$dir"
	actor_start a
	tell a threads 2 100 1
	tid=$(ls "/proc/$ACTOR/task" | sort -n | sed -n 2p)
	ct_start --cgroup "$dir"
	echo "$tid" > "$dir/tasks"
	tell a all 1000 20
	tell a calls 2000 20
	ct_stop
	refute_marked 2000 20
	assert_lines 'lseek\(-1, 10[0-3][0-9], SEEK_SET\)' out 20
	assert_complete
}

# Threads in a threaded cgroup of v2.
test_threaded_cgroup()
{
	local mount dir tid
	mount=$(cgroup2_mount)
	[ -n "$mount" ] || cannot "cgroup v2 is not mounted"
	dir=$mount/ct$$
	cgroup_make "$dir"
	mkdir "$dir/in"
	echo threaded > "$dir/in/cgroup.type" || cannot "no threaded cgroups"
	actor_start a
	echo "$ACTOR" > "$dir/cgroup.procs"
	tell a threads 2 100 1
	tid=$(ls "/proc/$ACTOR/task" | sort -n | sed -n 2p)
	ct_start --cgroup "$dir/in"
	echo "$tid" > "$dir/in/cgroup.threads"
	tell a all 1000 20
	tell a calls 2000 20
	ct_stop
	refute_marked 2000 20
	assert_lines 'lseek\(-1, 10[0-3][0-9], SEEK_SET\)' out 20
	assert_complete
}

test_shapes_of_tasks()
{
	box_start web
	ct_start --container "$(box_id web)"
	tell web fork 1000 20
	tell web orphan 1100 20
	tell web threads 3 1200 20
	tell web thread-exec 1300 20
	tell web leader-exit 1400 20
	ct_stop
	for base in 1000 1100 1300 1400; do
		assert_marked "$base" 20
	done
	assert_marked 1200 60
	# The exec of a second thread ends the first and takes its number.
	assert_lines '\+\+\+ superseded by execve in pid [0-9]+ \+\+\+' out 1
	assert_complete
}

test_denied_by_seccomp()
{
	box_start web
	ct_start --container "$(box_id web)"
	tell web deny errno 1000 20
	tell web deny kill 2000 1
	tell web deny kill-process 3000 1
	tell web deny trap 4000 1
	ct_stop
	assert_marked 1000 20
	assert_lines 'lseek\(-1, 10[01][0-9], SEEK_SET\) += -1 EACCES \(Permission denied\)' out 20
	assert_marked 2000 1
	assert_marked 3000 1
	assert_marked 4000 1
	assert_lines '\+\+\+ killed by SIGSYS( \(core dumped\))? \+\+\+' out 3
	assert_complete
}

# A clone that seccomp answers with 0 ends as a new task's begins: by an exit without an entry.
test_forks_answered_by_seccomp()
{
	box_start web
	ct_start --container "$(box_id web)"
	tell web unforked 1000 10
	ct_stop
	assert_marked 1000 10
	assert_lines 'clone3\(NULL, 0\) += 0' out 10
	assert_complete
}

test_nsenter_is_not_in()
{
	box_start web
	ct_start --container "$(box_id web)"
	nsenter -t "$BOX_PID" -m -p -u -i -n /bin/marked calls 1000 20 || fail "nsenter failed"
	tell web calls 2000 20
	ct_stop
	refute_marked 1000 20
	assert_marked 2000 20
	assert_complete
}

# ctrace in its own target's cgroup never traces itself.
test_tracer_in_target()
{
	local mount dir
	mount=$(cgroup2_mount)
	[ -n "$mount" ] || cannot "cgroup v2 is not mounted"
	dir=$mount/ct$$
	cgroup_make "$dir"
	actor_start a
	echo "$ACTOR" > "$dir/cgroup.procs"
	printf '#!/bin/sh\necho $$ > %s/cgroup.procs\nexec "$@"\n' "$dir" > "$T/enter"
	chmod 755 "$T/enter"
	ct_before=$T/enter ct_start --cgroup "$dir" -Y
	grep -qx "$CT" "$dir/cgroup.procs" || fail "ctrace is not in the cgroup"
	tell a calls 1000 100
	ct_stop
	assert_marked 1000 100
	refute_lines '<ctrace>' out
	assert_complete
}

# Pids that are taken again belong to new tasks.
test_exit_and_start()
{
	local i
	box_start web
	ct_start --container "$(box_id web)"
	for ((i = 0; i < 40; i++)); do
		tell web fork $((1000 + i * 10)) 10
	done
	ct_stop
	assert_marked 1000 400
	assert_lines '\+\+\+ exited with 0 \+\+\+' out 40
	assert_complete
	jq -e '.tasks.by_fork >= 40 and .tasks.ended >= 40' "$T/status" > /dev/null || fail "tasks: $(jq -c .tasks "$T/status")"
}

test_in_flight()
{
	box_start web
	tell web hang
	ct_start --container "$(box_id web)"
	tell web hang
	tell web calls 1000 10
	ct_stop
	assert_marked 1000 10
	assert_lines 'pause\( ?<detached \.\.\.>$' out
	assert_complete
	jq -e '.calls.in_flight >= 1' "$T/status" > /dev/null || fail "nothing in flight: $(jq -c .calls "$T/status")"
}

run_tests "$@"
