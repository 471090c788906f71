#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# --lossless: the target stands still while the buffer is drained, nothing is lost, and
# whatever becomes of ctrace it runs on. With what is mounted here, and with v1
# and v2 alone.
. "$(dirname "$0")/lib.sh"

# The container's directory that can be frozen, as FREEZE; its file is STATE.
box_freezer()
{
	local path mount
	mount=$(cgroup2_mount)
	path=$(awk -F: '$1 == 0 { print $3 }' "/proc/$1/cgroup")
	STATE=cgroup.freeze SET=cgroup.freeze FROZEN=1 THAWED=0
	if [ -z "$mount" ] || [ -z "$path" ] || [ "$path" = / ]; then
		mount=$(cgroup1_mount freezer)
		path=$(awk -F: '$2 == "freezer" { print $3 }' "/proc/$1/cgroup")
		STATE=freezer.self_freezing SET=freezer.state FROZEN=FROZEN THAWED=THAWED
	fi
	FREEZE=$mount$path
	[ -e "$FREEZE/$STATE" ] || fail "no file to freeze by: $FREEZE"
}

# What has the directory open would be taken for who writes it, so the file is opened once.
is_frozen()
{
	local state
	read -r state < "$FREEZE/$STATE" && [ "$state" = 1 ]
}

is_thawed()
{
	! is_frozen
}

# A reader of the output that takes so many bytes a millisecond, and none while $T/stop is there.
slow_reader()
{
	cat > "$T/reader" <<-END
	#!/usr/bin/env python3
	import os, time
	out, last, room = open("$T/text", "wb"), time.monotonic(), 0
	while True:
	    now = time.monotonic()
	    room, last = min(room + (now - last) * 1000 * $1, 1 << 20), now
	    if room < 65536 or os.path.exists("$T/stop"):
	        time.sleep(0.002)
	        continue
	    data = os.read(0, 65536)
	    if not data:
	        break
	    room -= len(data)
	    out.write(data)
	END
	chmod +x "$T/reader"
}

box()
{
	box_start web
	BOX=$(box_id web)
	box_freezer "$BOX_PID"
}

# ct_lossless ARG...: with that reader, small buffers and a container.
ct_lossless()
{
	rm -f "$T/text"
	ct_launch -o "|$T/reader" --buffer 1M -e signal=none --container "$BOX" "$@"
	ct_ready
	until_true 10 test -e "$T/text" || fail "the reader does not start"
}

# bursts ARG...: the container makes calls in bursts, more than the buffer holds, and not so
# many that it would have to stand for longer than it may: the reader takes each in 120 ms.
BURST=26000
bursts()
{
	local i
	slow_reader 18000
	ct_lossless "$@"
	for ((i = 0; i < 3; i++)); do
		tell web calls $((1000000 + i * BURST)) $BURST
		sleep 0.5
	done
	ct_stop
	assert_status 0
}

frozen()
{
	jq ".frozen.$1" "$T/$status"
}

# Without --lossless the buffer is too small for the bursts.
loses()
{
	local i
	for ((i = 0; i < 4; i++)); do
		bursts
		[ "$(jq .calls.lost.ring_full "$T/$status")" = 0 ] || break
	done
	[ "$(jq .calls.lost.ring_full "$T/$status")" -gt 0 ] || fail "nothing is lost without --lossless: the test tells nothing"
}

bursts_case()
{
	local i
	for ((i = 0; i < 3; i++)); do
		bursts --lossless
		[ "$(jq .calls.lost.ring_full "$T/$status")" -gt 0 ] || break
	done
	assert_complete
	out=text assert_marked 1000000 $((3 * BURST))
	[ "$(frozen times)" -gt 0 ] && [ "$(frozen total)" -ge "$(frozen longest)" ] || fail "it was not frozen: $(cat "$T/$status")"
	assert_lines '^ctrace: --lossless: the target is frozen when the buffer fills.*EINTR' err 1
	assert_lines 'in flight.*; frozen [0-9]+ times, [0-9.]+ ms in all, [0-9.]+ ms at most' err 1
	is_thawed || fail "it is still frozen"
	no_mark
	echo "note: frozen $(frozen times) times, $(($(frozen longest) / 1000000)) ms at most"
}

no_mark()
{
	python3 -c 'import os, sys; sys.exit(any("ctrace" in n for n in os.listxattr(sys.argv[1])))' "$FREEZE" || fail "the mark is left"
}

test_bursts()
{
	need_runc
	box
	loses
	bursts_case
}

test_bursts_v2()
{
	in_mode v2_bursts
}

test_bursts_v1()
{
	in_mode v1_bursts
}

v1_bursts()
{
	v1_alone freezer
	box
	bursts_case
}

v2_bursts()
{
	v2_alone
	box
	bursts_case
}

# A container that floods, and a reader that takes nothing: frozen for as long as it may be, again and again.
flooded()
{
	box
	slow_reader 18000
	: > "$T/stop"
	ct_launch -o "|$T/reader" --buffer 1M --lossless -e signal=none --container "$BOX"
	ct_ready
	GUARD=$(guard)
	[ -n "$GUARD" ] || fail "there is no guard"
	order web flood 2000000000
}

guard()
{
	local pid
	for pid in $(cat "/proc/$CT/task/$CT/children"); do
		[ "$(cat "/proc/$pid/comm")" != ctrace-guard ] || echo "$pid"
	done
}

until_frozen()
{
	until_true 10 is_frozen || fail "it is never frozen"
}

stays_thawed()
{
	local i
	for ((i = 0; i < 20; i++)); do
		is_thawed || return 1
		sleep 0.02
	done
}

flood_runs()
{
	local before
	before=$(awk '{ print $14 + $15 }' "/proc/$BOX_PID/stat")
	until_true 3 eval "[ \"\$(awk '{ print \$14 + \$15 }' /proc/$BOX_PID/stat)\" -gt $before ]" || fail "the container does not run"
}

test_killed()
{
	need_runc
	flooded
	until_frozen
	kill -KILL "$CT"
	until_true 1 is_thawed || fail "nobody thawed it"
	stays_thawed || fail "it was frozen again"
	flood_runs
	until_true 2 gone "$GUARD" || fail "the guard is still there"
	no_mark
}

test_guard_killed()
{
	need_runc
	flooded
	until_frozen
	kill -KILL "$GUARD"
	until_true 1 stays_thawed || fail "nobody thawed it"
	rm "$T/stop"
	until_true 10 grep -q 'that would thaw the target was killed' "$T/err" || fail "it was not told: $(tail -n 2 "$T/err")"
	ct_stop
	assert_status 0
	assert_identity
	no_mark
}

# Stopped, as by a debugger, it says nothing: the guard does not wait for that.
test_stopped()
{
	need_runc
	flooded
	until_frozen
	kill -STOP "$CT"
	until_true 1 stays_thawed || fail "nobody thawed it"
	flood_runs
	kill -CONT "$CT"
	rm "$T/stop"
	ct_stop
	assert_status 0
	assert_identity
	[ "$(frozen longest)" -lt 400000000 ] || fail "frozen for $(frozen longest) ns at once"
}

# ctrace and its guard stand still while it is frozen; then neither can thaw it any more.
both_killed()
{
	local i
	for ((i = 0; i < 50; i++)); do
		until_frozen
		kill -STOP "$GUARD"
		kill -STOP "$CT"
		sleep 0.02
		! is_frozen || break
		kill -CONT "$GUARD"
		kill -CONT "$CT"
	done
	kill -KILL "$GUARD" "$CT"
	until_true 2 gone "$GUARD"
	until_true 2 child_gone "$CT"
	sleep 0.3
	is_frozen || fail "it was thawed: this test tells nothing"
}

test_both_killed()
{
	need_runc
	flooded
	both_killed
	ct_run check
	assert_lines '^frozen cgroups +[a-z]+ +[0-9]+ left by a ctrace that was killed: thawed' out 1
	is_thawed || fail "check did not thaw it"
	flood_runs
	no_mark
}

test_next_start()
{
	need_runc
	flooded
	both_killed
	ct_run --container "$BOX" --for 300ms -o /dev/null -e trace=none
	assert_status 0
	assert_lines '^ctrace: .*was left frozen by a ctrace that was killed: thawed$' err 1
	is_thawed || fail "the next start did not thaw it"
	flood_runs
	no_mark
}

test_both_killed_v1()
{
	in_mode v1_both_killed
}

v1_both_killed()
{
	v1_alone freezer
	test_both_killed
}

# A container that is waited for is held as well, from its first process on.
test_waited()
{
	local id
	need_runc
	id=$(box_id web)
	ct_launch -o "$T/out" --lossless --wait -e signal=none --container "$id"
	ct_ready
	box
	until_true 5 has_guarded || fail "the cgroup is not held: $(tail -n 2 "$T/err")"
	tell web calls 1000 50
	ct_stop
	assert_status 0
	assert_marked 1000 50
	assert_complete
	refute_lines '^ctrace: --lossless: .*(cannot|another)' err
}

# ctrace has the file open by which it would freeze the container.
has_guarded()
{
	ls -l "/proc/$CT/fd" | grep -qF -- "-> $FREEZE/$SET"
}

# What another has frozen stays so.
test_foreign()
{
	need_runc
	flooded
	until_frozen
	echo "$FROZEN" > "$FREEZE/$SET"
	sleep 0.4
	is_frozen || fail "it thawed what another has frozen"
	rm "$T/stop"
	until_true 10 grep -q 'another program froze or thawed the target' "$T/err" || fail "it was not told: $(tail -n 2 "$T/err")"
	ct_stop
	assert_status 0
	is_frozen || fail "it thawed what another has frozen at the end"
	no_mark
	# Frozen before it starts.
	ct_run --lossless --container "$BOX" --for 300ms -o /dev/null
	assert_status 0
	is_frozen || fail "it thawed what was frozen before"
	ct_run check
	is_frozen || fail "check thawed what was frozen by another"
	echo "$THAWED" > "$FREEZE/$SET"
	flood_runs
}

test_foreign_v1()
{
	in_mode v1_foreign
}

v1_foreign()
{
	v1_alone freezer
	test_foreign
}

# A reader that takes nothing: the limits hold, and what is lost is told.
test_limits()
{
	local start took
	need_runc
	flooded
	start=$(date +%s%N)
	sleep 2
	rm "$T/stop"
	until_true 10 grep -q 'the target was frozen for as long as is allowed, and runs on' "$T/err" || fail "it was not told: $(tail -n 2 "$T/err")"
	ct_stop
	took=$(($(date +%s%N) - start))
	assert_status 0
	assert_identity
	assert_lines '^ctrace: coverage incomplete \([0-9]+ calls lost: ring full, see --buffer\).*limit(s)? reached$' err 1
	[ "$(frozen yielded)" -gt 1 ] || fail "it did not yield"
	# The second number is room for a machine that is busy with something else.
	[ "$(frozen longest)" -le 150000000 ] || fail "frozen for $(frozen longest) ns at once"
	[ "$(frozen total)" -le $((took / 5 + 200000000)) ] || fail "frozen for $(frozen total) of $took ns"
}

refused()
{
	local status=$1 text=$2
	shift 2
	ct_run --lossless "$@"
	assert_status "$status"
	assert_lines "^ctrace: .*$text" err 1
	assert_equal "$(wc -l < "$T/err")" 1 "lines"
}

test_refused()
{
	need_runc
	box
	refused 2 '--lossless freezes the cgroups of containers: not with -p' -p $$
	refused 2 'not with -p, --tid, --all or a COMMAND' --container "$BOX" -- true
	refused 2 'not with -p, --tid, --all or a COMMAND' --all
	refused 2 'nothing is lost: not with --lossless' -c --container "$BOX"
	refused 1 'is in no cgroup of its own that can be frozen' --cgroup "$(cgroup2_mount)"
	# The test's own shell is in the root of the freezer, its cgroup elsewhere.
	cgroup_make "$(cgroup1_mount pids)/ct$$-alone"
	sleep 60 &
	defer end_process $!
	echo $! > "$(cgroup1_mount pids)/ct$$-alone/cgroup.procs"
	refused 1 'is in no cgroup of its own that can be frozen' --cgroup "$(cgroup1_mount pids)/ct$$-alone"
	# ctrace in there itself.
	cat > "$T/inside" <<-END
	#!/bin/bash
	echo \$\$ > "$FREEZE/cgroup.procs"
	exec "$CTRACE" "\$@"
	END
	chmod +x "$T/inside"
	CTRACE=$T/inside refused 1 'ctrace is in the cgroup .* itself' --cgroup "$FREEZE"
	# Two at once.
	ct_start --lossless --container "$BOX"
	refused_second
	ct_stop
	assert_status 0
}

refused_second()
{
	CT_STATUS=0
	timeout 20 "$CTRACE" --lossless --container "$BOX" > "$T/out2" 2> "$T/err2" < /dev/null || CT_STATUS=$?
	[ "$CT_STATUS" = 1 ] || fail "the second one ends with $CT_STATUS"
	assert_lines '^ctrace: --lossless: another ctrace --lossless has the cgroup' err2 1
}

run_tests "$@"
