#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What can be named, and what is said of a target that cannot be traced.
. "$(dirname "$0")/lib.sh"

# traced_as NAME ARG...: the actor NAME is traced when ctrace is given ARG...
traced_as()
{
	local name=$1
	shift
	base=$((${base:-0} + 1000))
	ct_start "$@"
	tell "$name" calls "$base" 50
	tell "$name" fork $((base + 50)) 50
	ct_stop
	assert_status 0
	assert_marked "$base" 100
	assert_complete
}

test_container_names()
{
	local id
	id=$(box_id web)
	box_start web
	traced_as web --container "$id"
	traced_as web --container "${id%eb}"
	traced_as web --container "runc:$id"
	traced_as web --container "pid:$BOX_PID"
	assert_lines "^ctrace: tracing .*$id.*its pid 1 is $BOX_PID on the host" err
	# The pid in the prefix is the container's own number.
	assert_lines '^1 +lseek\(-1, 4000, SEEK_SET\) += -1 EBADF \(Bad file descriptor\)$' out 1
}

# A relative path makes a container's cgroups differ from hierarchy to
# hierarchy: each lies below what the runtime itself is in.
test_different_paths()
{
	local id
	id=$(box_id web)
	box_cgroup=$id box_start web
	traced_as web --container "$id"
	runc_ exec "$id" /bin/marked calls 1 1 || fail "runc exec failed"
}

test_cgroup_v1()
{
	local mount
	mount=$(cgroup1_mount pids)
	[ -n "$mount" ] || cannot "no cgroup v1 hierarchy is mounted"
	cgroup_case "$mount/ct$$"
}

test_cgroup_v2()
{
	local mount
	mount=$(cgroup2_mount)
	[ -n "$mount" ] || cannot "cgroup v2 is not mounted"
	cgroup_case "$mount/ct$$"
}

cgroup_case()
{
	cgroup_make "$1"
	actor_start a
	echo "$ACTOR" > "$1/cgroup.procs"
	traced_as a --cgroup "$1"
	# The kernel's paths mean the same as seen through the mount.
	mkdir -p "$1/deep/er"
	echo "$ACTOR" > "$1/deep/er/cgroup.procs"
	traced_as a --cgroup "$1"
	# What lies beside it, with a name that begins alike, is not in.
	mkdir "$1-beside"
	defer cgroup_remove "$1-beside"
	actor_start b
	echo "$ACTOR" > "$1-beside/cgroup.procs"
	ct_start --cgroup "$1"
	tell b calls 90000 20
	tell a calls 91000 20
	ct_stop
	refute_marked 90000 20
	assert_marked 91000 20
	assert_complete
}

test_process()
{
	actor_start a
	tell a threads 3 100 5
	traced_as a -p "$ACTOR"
	ct_start --attach "$ACTOR"
	tell a all 200 10
	tell a orphan 300 5
	tell a thread-exec 400 5
	tell a leader-exit 500 5
	ct_stop
	assert_marked 200 30
	assert_marked 300 5
	assert_marked 400 5
	assert_marked 500 5
	assert_complete
}

test_thread()
{
	local tid
	actor_start a
	tell a threads 2 100 1
	tid=$(ls "/proc/$ACTOR/task" | sort -n | sed -n 2p)
	ct_start --tid "$tid"
	tell a all 1000 20
	tell a calls 2000 20
	ct_stop
	# The threads share 1000..1039 in halves: one half is in, whichever it is; the leader is not.
	local first second
	first=$(marked_counts 1000 20)
	second=$(marked_counts 1020 20)
	case $first/$second in
	"0 0/20 0" | "20 0/0 0") ;;
	*) fail "of one thread's calls: $first, of the other's: $second (missing twice)" ;;
	esac
	refute_marked 2000 20
	assert_complete
}

test_several()
{
	box_start one
	box_start two
	actor_start host
	ct_start --container "$(box_id one)" --container "$(box_id two)" -p "$ACTOR"
	tell one calls 1000 10
	tell two calls 2000 10
	tell host calls 3000 10
	ct_stop
	assert_complete
	assert_lines "^$(box_id one) 1 +lseek\(-1, 1[0-9]{3}," out 10
	assert_lines "^$(box_id two) 1 +lseek\(-1, 2[0-9]{3}," out 10
	assert_lines " $ACTOR +lseek\(-1, 3[0-9]{3}," out 10
}

test_all()
{
	actor_start a
	ct_start --all -e trace=lseek
	tell a calls 1000 10
	ct_stop
	assert_status 0
	assert_marked 1000 10
	assert_complete
}

# One of several targets is not there: the others are traced.
test_partly_unknown()
{
	actor_start a
	traced_as a --container "no-such-$$" -p "$ACTOR"
	assert_lines "^ctrace: .*no-such-$$" err
}

test_unknown()
{
	local dead
	ct_run --container "no-such-$$"
	assert_status 1
	assert_lines "^ctrace: .*no-such-$$" err
	true &
	dead=$!
	wait "$dead"
	ct_run -p "$dead"
	assert_status 1
	assert_lines "^ctrace: .*no such process.*$dead" err
	ct_run --cgroup "/sys/fs/cgroup/no-such-$$"
	assert_status 1
	assert_lines "^ctrace: .*no-such-$$" err
	refute_lines '' out
}

test_ambiguous()
{
	box_start same1
	box_start same2
	ct_run --container "$(box_id same)"
	assert_status 1
	assert_lines "^ctrace: .*$(box_id same1)" err
	assert_lines "^ctrace: .*$(box_id same2)" err
}

test_dead_container()
{
	box_start dead
	order dead exit 0
	until_true 5 gone "$BOX_RUN" || fail "the container does not end"
	ct_run --container "$(box_id dead)"
	assert_status 1
	assert_lines "^ctrace: .*$(box_id dead)" err
	# Created, and not started: no payload yet, but its init is there.
	box_make made
	runc_ create --bundle "$T/made" "$(box_id made)" < /dev/null > "$T/made.log" 2>&1 || fail "runc create: $(cat "$T/made.log")"
	defer runc_ delete --force "$(box_id made)"
	ct_start --container "$(box_id made)"
	runc_ start "$(box_id made)"
	ct_wait
	assert_status 0
	# Its standard input is at its end at once.
	assert_lines '^1 +execve\("/bin/marked", \["/bin/marked", "serve"\]' out 1
	assert_lines '^1 +\+\+\+ exited with 0 \+\+\+$' out 1
	assert_complete
}

test_hostile_container_name()
{
	ct_run --container $'evil\e[31m\nname'
	assert_status 1
	refute_lines '[[:cntrl:]]' err
	assert_lines '^ctrace: .*evil' err
}

run_tests "$@"
