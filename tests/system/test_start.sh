#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The start of a trace in the middle of a storm of forks: nothing is missed.
# STARTS rounds (5) that count; a round counts when at least 100 tasks were
# born between exec and announcement, and 100 after it.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/storm.sh"

test_storm_runc()
{
	local rounds=0 tries=0
	while [ "$rounds" -lt "${STARTS:-5}" ]; do
		tries=$((tries + 1))
		[ "$tries" -le $((${STARTS:-5} * 2 + 3)) ] || fail "only $rounds of $((tries - 1)) rounds counted: $storm_last"
		box_start "storm$tries" /bin/storm run "/shared/board$tries"
		storm_round "$T/shared/board$tries" "$(box_id "storm$tries")" && rounds=$((rounds + 1))
		wait "$BOX_RUN"
		assert_lines '^[0-9]+ tasks, [0-9]+ calls$' "storm$tries.answers" 1
		rm -rf "$T/shared/board$tries" "${T:?}/storm$tries/rootfs"
	done
	storm_report "$rounds" "$tries"
}

# A -p target keeps what it forks for life, in whatever cgroup it is. A task
# whose parent ended before the start is no part of the tree any more, and
# nothing could tell: the storm makes none.
test_storm_process()
{
	local rounds=0 tries=0 pid
	while [ "$rounds" -lt 2 ]; do
		tries=$((tries + 1))
		[ "$tries" -le 6 ] || fail "only $rounds of $((tries - 1)) rounds counted: $storm_last"
		"$ACTORS/storm" run "$T/board" tree > "$T/storm.out" &
		pid=$!
		defer "$ACTORS/storm" stop "$T/board"
		until_true 5 test -s "$T/board" || fail "the storm does not start"
		storm_round "$T/board" "$pid" -p && rounds=$((rounds + 1))
		wait "$pid"
		rm -f "$T/board"
	done
	storm_report "$rounds" "$tries"
}

TEST_TIMEOUT=${TEST_TIMEOUT:-$((120 + ${STARTS:-5} * 15))}
run_tests "$@"
