#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every way that a trace can end: cleanly, with nothing left attached, and
# with a target that runs on.
. "$(dirname "$0")/lib.sh"

# Ends ctrace by a signal in the middle of work.
ends_by_signal()
{
	box_start web
	ct_start --container "$(box_id web)"
	bpf_objects "$CT" > "$T/objects"
	tell web calls 1000 100
	ct_stop "$1"
	assert_status 0
	assert_marked 1000 100
	assert_complete
	assert_detached "$T/objects"
	# The target was never stopped, and does what it is told.
	tell web calls 2000 10
	refute_marked 2000 10
	box_running "$(box_id web)" || fail "the container does not run any more"
}

test_sigint()
{
	ends_by_signal INT
}

test_sigterm()
{
	ends_by_signal TERM
}

test_killed()
{
	box_start web
	ct_start --container "$(box_id web)"
	bpf_objects "$CT" > "$T/objects"
	kill -KILL "$CT"
	wait "$CT" 2>/dev/null
	assert_detached "$T/objects"
	tell web calls 2000 10
}

test_closed_pipe()
{
	box_start web
	mkfifo "$T/pipe"
	head -n 3 < "$T/pipe" > "$T/head" &
	ct_launch --container "$(box_id web)" > "$T/pipe"
	ct_ready
	bpf_objects "$CT" > "$T/objects"
	tell web calls 1000 200
	sleep 0.3
	gone "$CT" || tell web calls 2000 200
	ct_wait
	assert_detached "$T/objects"
	tell web calls 3000 10
	assert_equal "$(wc -l < "$T/head")" 3 "lines that the reader got"
	# A stream's prefix is not a file's.
	assert_lines '^\[pid +1\] ' head 3
	jq -e '.complete == false' "$T/status" > /dev/null || fail "complete, though the reader went away: $(cat "$T/status")"
	refute_lines 'coverage complete' err
}

test_full_disk()
{
	mkdir "$T/small"
	mount -t tmpfs -o size=16k none "$T/small" || cannot "unable to mount a tmpfs"
	defer umount "$T/small"
	box_start web
	ct_launch --container "$(box_id web)" -o "$T/small/out"
	ct_ready
	bpf_objects "$CT" > "$T/objects"
	tell web calls 1000 2000
	sleep 0.3
	gone "$CT" || ct_stop
	ct_wait
	assert_status 1
	assert_detached "$T/objects"
	assert_lines '^ctrace: .*No space left on device' err
	jq -e '.complete == false' "$T/status" > /dev/null || fail "complete, though the disk was full"
	tell web calls 9000 10
}

test_container_exits()
{
	box_start web
	ct_start --container "$(box_id web)"
	bpf_objects "$CT" > "$T/objects"
	tell web calls 1000 50
	order web exit 3
	ct_wait
	assert_status 0
	assert_marked 1000 50
	assert_lines '^1 +exit_group\(3\) += \?$' out 1
	assert_lines '^1 +\+\+\+ exited with 3 \+\+\+$' out 1
	assert_lines "^\+\+\+ container $(box_id web) ended: exit 3 \+\+\+\$" out 1
	assert_complete
	assert_detached "$T/objects"
}

test_container_killed()
{
	box_start web
	ct_start --container "$(box_id web)"
	runc_ kill "$(box_id web)" KILL
	ct_wait
	assert_status 0
	assert_lines '^1 +\+\+\+ killed by SIGKILL \+\+\+$' out 1
	# strace never sees that signal arrive.
	refute_lines '--- SIGKILL' out
	assert_lines "^\+\+\+ container $(box_id web) ended: .*SIGKILL.* \+\+\+\$" out 1
	assert_complete
}

test_container_out_of_memory()
{
	[ -n "$(cgroup1_mount memory)" ] || grep -qw memory "$(cgroup2_mount)/cgroup.controllers" || cannot "no memory controller"
	local swap=
	# Without a limit on swap as well, a machine that has swap uses that.
	[ "$(awk 'NR > 1' /proc/swaps | wc -l)" = 0 ] || swap=', "swap": 33554432'
	bundle_resources="\"memory\": {\"limit\": 33554432$swap}" box_start web
	ct_start --container "$(box_id web)"
	order web eat 200
	ct_wait
	assert_status 0
	assert_lines '\+\+\+ killed by SIGKILL( \(OOM killed\))? \+\+\+$' out 1
	assert_lines "^\+\+\+ container $(box_id web) ended: .*\(OOM killed\) \+\+\+\$" out 1
	assert_complete
}

test_process_ends()
{
	actor_start a
	ct_start -p "$ACTOR"
	tell a calls 1000 10
	order a die 15
	ct_wait
	assert_status 0
	assert_marked 1000 10
	assert_lines '\+\+\+ killed by SIGTERM \+\+\+$' out 1
	assert_complete
}

test_cgroup_removed()
{
	local mount dir
	mount=$(cgroup2_mount)
	[ -n "$mount" ] || mount=$(cgroup1_mount pids)
	[ -n "$mount" ] || cannot "no cgroup file system"
	dir=$mount/ct$$
	cgroup_make "$dir"
	actor_start a
	echo "$ACTOR" > "$dir/cgroup.procs"
	ct_start --cgroup "$dir"
	tell a calls 1000 10
	echo "$ACTOR" > "$mount/cgroup.procs"
	# Empty, and still there: the trace goes on.
	sleep 0.5
	gone "$CT" && fail "ctrace ended though the cgroup is there"
	rmdir "$dir"
	ct_wait
	assert_status 0
	assert_marked 1000 10
	assert_complete
}

test_for()
{
	local begin
	box_start web
	begin=$(date +%s%N)
	ct_start --container "$(box_id web)" --for 700ms
	tell web calls 1000 10
	ct_wait
	assert_status 0
	assert_marked 1000 10
	assert_complete
	[ $((($(date +%s%N) - begin) / 1000000)) -ge 700 ] || fail "it ended too early"
}

test_syscall_limit()
{
	box_start web
	ct_start --container "$(box_id web)" -e trace=lseek --syscall-limit 25
	tell web calls 1000 100
	ct_wait
	assert_status 0
	assert_lines 'lseek\(-1, ' out 25
	assert_identity
}

test_wrong_options()
{
	local args
	while read -r -a args; do
		ct_run "${args[@]}"
		assert_status 2
		refute_lines '' out
		assert_lines '^ctrace: ' err 1
	done <<-'END'
	--no-such-option
	--container
	-p
	-p abc -e trace=read
	-e trace=no_such_call -p 1
	--format xml -p 1
	--buffer 3X -p 1
	--phase never -p 1
	-e inject=read -p 1
	-b execve -p 1
	no-such-verb
	END
	ct_run --help
	assert_status 0
	assert_lines '--container' out
}

test_without_privilege()
{
	command -v setpriv > /dev/null || skip "no setpriv"
	cp "$CTRACE" "$T/ctrace"
	chmod 755 "$T/ctrace"
	CT_STATUS=0
	setpriv --reuid=65534 --regid=65534 --clear-groups "$T/ctrace" -p $$ > "$T/out" 2> "$T/err" < /dev/null || CT_STATUS=$?
	assert_status 1
	assert_lines '^ctrace: .*(root|CAP_BPF|privilege|sudo)' err 1
}

run_tests "$@"
