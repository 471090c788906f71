#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# ctrace ps: what runs, and whose a process is.
. "$(dirname "$0")/lib.sh"
schema=$source_dir/src/output/ctrace.schema.json

# ps_valid FILE: each of its lines is a record.
ps_valid()
{
	python3 "$source_dir/tests/golden/schema.py" "$schema" --records "$1" > "$T/schema" || fail "records that are none: $(head -3 "$T/schema")"
}

test_table()
{
	local id
	box_start web
	id=$(box_id web)
	ct_run ps
	assert_status 0
	assert_lines '^CONTAINER ID +NAME +POD +RUNTIME +TASKS +PID +AGE +CGROUP$' out 1
	assert_lines "^$id +- +- +runc +1 +$BOX_PID +[0-9]+[smhd] +/.*/$id\$" out 1
	# What it prints is a target.
	ct_start --cgroup "$(awk -v id="$id" '$1 == id { print $NF }' "$T/out")"
	tell web calls 1000 10
	ct_stop
	assert_marked 1000 10
	runc_ delete --force "$id"
	ct_run ps
	assert_status 0
	assert_lines "^$id " out 0
}

test_json()
{
	local id
	box_start web
	id=$(box_id web)
	ct_run ps --format json
	assert_status 0
	ps_valid "$T/out"
	jq -se --arg id "$id" --argjson pid "$BOX_PID" --argjson now "$(date +%s)" '
		map(select(.container.id == $id)) | length == 1 and (.[0] |
		.container.runtime == "runc" and .tasks == 1 and .init_host_pid == $pid and (.cgroup | endswith("/" + $id)) and
		(.started | tonumber) <= $now + 1 and (.started | tonumber) > $now - 60)' "$T/out" > /dev/null || fail "not as it should be: $(grep -a "$id" "$T/out")"
}

test_pid()
{
	local id child
	box_start web
	id=$(box_id web)
	tell web hang
	child=$(pgrep -P "$BOX_PID")
	ct_run ps --pid "$child"
	assert_status 0
	assert_lines '^PROCESS +INSIDE +CONTAINER ID ' out 1
	assert_lines "^$child +[2-9][0-9]* +$id +- +- +runc +2 +$BOX_PID " out 1
	ct_run ps --pid "$child" --format json
	assert_status 0
	ps_valid "$T/out"
	[ "$(jq -r '"\(.host_pid) \(.pid) \(.container.id)"' "$T/out")" = "$child $(awk '/^NSpid:/ { print $NF }' "/proc/$child/status") $id" ] ||
		fail "not as it should be: $(cat "$T/out")"
	ct_run ps --pid $$
	assert_status 1
	assert_lines "^ctrace: process $$ is in no container: its cgroup is " err 1
	ct_run ps --pid 4194303
	assert_status 1
	assert_lines '^ctrace: no such process: 4194303$' err 1
}

run_tests "$@"
