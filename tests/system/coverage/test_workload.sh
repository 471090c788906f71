#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The workload on the host, where it may do what a container may not: move
# between cgroups and threads of cgroups, be cloned into one, leave the target
# and come back; and as processes named by number.
. "$(dirname "$0")/lib.sh"

# trace_workload BOARD TARGET...: announces, opens the gate, waits for the workload's end.
trace_workload()
{
	local board=$1
	shift
	ct_start --buffer 64M "$@"
	"$ACTORS/workload" go "$board"
	workload_end "$board"
	"$ACTORS/workload" sums "$board" > "$board.sums"
}

# moves_case MOUNT [NAME=VALUE]: attached before the first task, so that every call is due.
moves_case()
{
	local dir=$1/ct$$ i
	shift
	hop_dirs "$dir"
	for ((i = 0; i < $(by_length 10 1); i++)); do
		work_cgroup=$dir/a workload_start "$T/board" gate=1 tasks=3000 max=6000 inside="$dir" outside="$dir-out" "$@"
		trace_workload "$T/board" --cgroup "$dir"
		ct_stop
		assert_status 0
		assert_workload "$T/board"
		assert_equal "$(field due)" "$(field calls)" "calls due"
		assert_equal "$(field refused)" 0 "tasks refused"
		[ "$(field outside)" -gt 100 ] || fail "too few calls outside: $verdict"
		assert_lines '^hop-threads: ' board.sums 1
		assert_complete
		jq -e '.tasks.left > 0' "$T/status" > /dev/null || fail "no one left: $(jq -c .tasks "$T/status")"
	done
	report
}

test_moves_v2()
{
	local mount
	mount=$(cgroup2_mount)
	[ -n "$mount" ] || cannot "cgroup v2 is not mounted"
	moves_case "$mount"
}

# CLONE_INTO_CGROUP is v2's alone.
test_moves_v1()
{
	local mount
	mount=$(cgroup1_mount pids)
	[ -n "$mount" ] || cannot "no cgroup v1 hierarchy is mounted"
	moves_case "$mount" but=into-cgroup
}

# Named by its number before it makes anything: orphans are its descendants as well.
test_process()
{
	local i
	for ((i = 0; i < $(by_length 10 1); i++)); do
		workload_start "$T/board" gate=1 tasks=3000 max=6000
		trace_workload "$T/board" -p "$WORK"
		ct_wait
		assert_status 0
		assert_workload "$T/board"
		assert_equal "$(field due)" "$(field calls)" "calls due"
		assert_complete
	done
	report
}

# Named by its number in the middle of it. A task whose parent ended before the
# start is no part of the tree any more: there are none. Some sleep until it is
# traced, and lose their parents before they make a call.
test_process_in_the_middle()
{
	local i
	for ((i = 0; i < $(by_length 20 3); i++)); do
		workload_start "$T/board" connected=1 sleepers=8 max=60000
		random_sleep 300
		ct_start --buffer 64M -p "$WORK"
		"$ACTORS/workload" go "$T/board"
		sleep 0.5
		"$ACTORS/workload" stop "$T/board"
		ct_wait
		workload_end "$T/board"
		assert_status 0
		assert_workload "$T/board"
		assert_complete
	done
	report
}

# Tasks that end in less than a millisecond.
test_short_lived()
{
	box_start short /bin/workload run /shared/board gate=1 kinds=short short=500 jobs=1 pace=100 brief=10000 max=200000 calls=2
	until_true 10 test -s "$T/shared/board" || fail "the workload does not start"
	trace_box short
	[ "$(field brief)" -ge 10000 ] || fail "only $(field brief) children lived less than a millisecond"
	jq -e '.tasks.ended >= 10000' "$T/status" > /dev/null || fail "$(jq -c .tasks "$T/status")"
	report
}

trace_box()
{
	ct_start --buffer 64M --container "$(box_id "$1")"
	"$ACTORS/workload" go "$T/shared/board"
	until_true 120 child_gone "$BOX_RUN" || fail "the workload does not end"
	ct_wait
	assert_status 0
	assert_workload "$T/shared/board"
	assert_equal "$(field due)" "$(field calls)" "calls due"
	assert_complete
}

# A storm of every kind: more tasks than there are pids.
test_storm()
{
	local mount dir i
	mount=$(cgroup2_mount)
	[ -n "$mount" ] || cannot "cgroup v2 is not mounted"
	dir=$mount/ct$$
	hop_dirs "$dir"
	for ((i = 0; i < $(by_length 5 1); i++)); do
		work_cgroup=$dir/a workload_start "$T/board" tasks=50000 max=60000 pace=1000 jobs=16 inside="$dir" outside="$dir-out"
		random_sleep 300
		ct_start --buffer 64M --cgroup "$dir"
		workload_end "$T/board"
		ct_stop
		assert_status 0
		assert_workload "$T/board"
		assert_complete
	done
	report
}

TEST_TIMEOUT=${TEST_TIMEOUT:-$(by_length 900 120)}
run_tests "$@"
