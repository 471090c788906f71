#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Output, filters and loss, with real records.
. "$(dirname "$0")/lib.sh"

test_filters()
{
	box_start web
	ct_start --container "$(box_id web)" -e trace=lseek
	tell web calls 1000 20
	tell web hostile
	ct_stop
	assert_marked 1000 20
	refute_lines '(open|openat|read|write)\(' out
	assert_complete
	ct_start --container "$(box_id web)" -e 'trace=!lseek,read'
	tell web calls 1000 20
	tell web hostile
	ct_stop
	refute_marked 1000 20
	assert_lines 'openat\(' out
	assert_complete
	ct_start --container "$(box_id web)" -e trace=%file -Z
	tell web calls 1000 20
	tell web hostile
	ct_stop
	refute_marked 1000 20
	assert_lines 'openat\(.* = -1 ENOENT \(No such file or directory\)$' out
	refute_lines '\) += [0-9]' out
	assert_complete
}

test_comm_and_pid()
{
	box_start web
	tell web comm gandalf
	ct_start --container "$(box_id web)" --comm gandalf
	tell web calls 1000 10
	runc_ exec "$(box_id web)" /bin/marked calls 2000 10
	ct_stop
	assert_marked 1000 10
	refute_marked 2000 10
	assert_complete
	ct_start --container "$(box_id web)" --only-pid 1 -Y
	tell web calls 1000 10
	tell web fork 2000 10
	ct_stop
	assert_lines '^1<gandalf> +lseek\(-1, 10' out 10
	refute_marked 2000 10
	assert_complete
}

test_slower()
{
	box_start web
	ct_start --container "$(box_id web)" --slower 100ms
	tell web calls 1000 50
	tell web sleep 200
	ct_stop
	refute_marked 1000 50
	assert_lines 'nanosleep\(' out 1
	assert_complete
}

test_summary()
{
	box_start web
	ct_start --container "$(box_id web)" -c
	tell web calls 1000 123
	tell web flood 77
	ct_stop
	assert_status 0
	# strace's columns: % time, seconds, usecs/call, calls, errors, syscall.
	assert_lines '^ *[0-9.]+ +[0-9.]+ +[0-9]+ +123 +123 lseek$' out
	assert_lines '^ *[0-9.]+ +[0-9.]+ +[0-9]+ +77 +getppid$' out
	assert_lines ' total$' out
	assert_complete
}

test_json()
{
	local n
	box_start web
	ct_start --container "$(box_id web)" --format json
	tell web calls 1000 20
	tell web hostile
	tell web deny errno 2000 5
	tell web fork 3000 5
	order web exit 6
	ct_wait
	assert_status 0
	jq -c . "$T/out" > "$T/parsed" || fail "jq refuses a line"
	assert_equal "$(wc -l < "$T/parsed")" "$(wc -l < "$T/out")" "objects of the output"
	n=$(jq -r 'select(.type == "syscall" and .name == "lseek") | .raw[1]' "$T/out" | sort | uniq -c | awk '$1 == 1' | wc -l)
	assert_equal "$n" 30 "marked calls in JSON"
	jq -se 'map(select(.type == "start")) | length == 1' "$T/out" > /dev/null || fail "not one start record"
	jq -se '.[-1].type == "coverage" and .[-1].complete' "$T/out" > /dev/null || fail "the last record is not a complete coverage"
	jq -se 'map(select(.type == "syscall" and (.notes // {} | tostring | test("denied_by_seccomp")))) | length == 5' "$T/out" > /dev/null ||
		fail "the denied calls are not marked"
	jq -se "map(select(.type == \"syscall\" and .container.id != \"$(box_id web)\")) | length == 0" "$T/out" > /dev/null ||
		fail "a call does not name its container"
	jq -se 'map(select(.type == "exit" and .pid == 1)) | length == 1' "$T/out" > /dev/null || fail "no exit record of pid 1"
	jq -se "map(select(.type == \"syscall\" and .pid == 1 and .host_pid != $BOX_PID)) | length == 0" "$T/out" > /dev/null ||
		fail "pid 1 has another host pid than $BOX_PID"
	assert_complete
}

test_hostile_names()
{
	box_start web
	ct_start --container "$(box_id web)" -Y
	tell web hostile
	tell web fork 1000 3
	ct_stop
	# No control byte, neither C0 nor DEL nor an 8-bit C1 one, but the newlines.
	if LC_ALL=C tr -d '\n' < "$T/out" | LC_ALL=C grep -aq '[^ -~]'; then
		fail "bytes that are not printable are in the trace"
	fi
	# Nothing that the container wrote begins a line of ours.
	assert_lines '^\+\+\+ exited with 0' out 0
	assert_lines '"/\\33\]0;owned\\7/\\n\+\+\+ exited with 0 \+\+\+\\n/\\377\\376\\200"' out 1
	assert_lines 'quote\\"back\\\\slash' out 1
	assert_marked 1000 3
	assert_complete
}

# A ring of 64 KiB and a reader that stands still: records are lost, each of
# them is counted, and the gap is shown at its place.
test_loss()
{
	local lost
	box_start web
	ct_start --container "$(box_id web)" -e trace=getppid,lseek --buffer 64K
	tell web calls 1000 5
	kill -STOP "$CT"
	tell web flood 50000
	kill -CONT "$CT"
	sleep 0.5
	tell web calls 2000 5
	ct_stop
	assert_status 0
	assert_identity
	assert_marked 1000 5
	assert_marked 2000 5
	lost=$(jq '[.calls.lost[]] | add' "$T/status")
	[ "$lost" -gt 10000 ] || fail "only $lost calls lost"
	assert_equal "$(jq .complete "$T/status")" false complete
	assert_lines "^ctrace: coverage incomplete \($lost calls lost: ring full, see --buffer\)" err 1
	assert_equal "$(($(grep -c 'getppid()' "$T/out") + lost))" 50000 "getppid calls that are shown or lost"
	# Between the last call before the gap and the first after it.
	awk '/lseek\(-1, 1004,/ { a = NR } /\+\+\+ lost [0-9]+ calls \(ring full\): getppid [0-9]+/ { l = NR } /lseek\(-1, 2000,/ { b = NR }
	     END { exit !(a && l && b && a < l && l < b) }' "$T/out" || fail "no lost line between the calls around the gap"
	echo "note: $lost of 50000 calls lost, all counted"
}

# A ring that holds them all: nothing may be lost, however slow the reader is.
test_no_loss_with_a_large_buffer()
{
	box_start web
	ct_start --container "$(box_id web)" --buffer 128M -e trace=getppid
	tell web flood 300000
	ct_stop
	assert_lines 'getppid\(\) += 0$' out 300000
	assert_complete
}

test_stamps()
{
	box_start web
	ct_start --container "$(box_id web)" -e trace=lseek -tt -T
	tell web calls 1000 5
	ct_stop
	assert_lines '^1 +[0-2][0-9]:[0-5][0-9]:[0-5][0-9]\.[0-9]{6} lseek\(-1, 100[0-4], SEEK_SET\) += -1 EBADF \(Bad file descriptor\) <0\.[0-9]{6}>$' out 5
	assert_complete
}

test_output_command()
{
	box_start web
	ct_launch --container "$(box_id web)" -e trace=lseek -o "|sort -r > $T/sorted"
	ct_ready
	tell web calls 1000 5
	ct_stop
	assert_status 0
	out=sorted assert_marked 1000 5
	assert_complete
}

run_tests "$@"
