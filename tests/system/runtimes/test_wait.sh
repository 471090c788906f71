#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# --wait and --follow-restarts with each runtime: a container is traced from
# its first call on, by a name or an ID that is known before it exists.
. "$(dirname "$0")/lib.sh"

# What the containers run: marked calls, a file that is missing, and the end.
crashing=(/bin/sh -c '/bin/marked calls 1000 20; cat /missing; exit 3')

ends()
{
	[ "$(grep -ac '^+++ container .* ended' "$T/$out")" -ge "$1" ]
}

# assert_runs N: seen N times, each from the exec of its program on, and with its end.
assert_runs()
{
	assert_lines '^\+\+\+ container .* started \+\+\+$' out "$1"
	assert_lines '^\+\+\+ container .* ended: exit 3 \+\+\+$' out "$1"
	assert_lines '(open|openat)\(.*"/missing".* = -1 ENOENT' out "$1"
	assert_lines 'lseek\(-1, 1000, SEEK_SET\)' out "$1"
	assert_lines 'lseek\(-1, 10[01][0-9], SEEK_SET\)' out $(($1 * 20))
	# The call that follows each start is the exec of the container's program, and nothing is before the first.
	[ "$(grep -a -A 1 ' started +++$' "$T/out" | grep -aEc '^1 +execve\("/bin/sh", \["/bin/sh", "-c"')" = "$1" ] ||
		fail "not each start begins with the exec: $(grep -a -A 1 ' started +++$' "$T/out" | head -n 4)"
	[ "$(head -n 1 "$T/out" | grep -ac ' started +++$')" = 1 ] || fail "the trace begins with $(head -n 1 "$T/out")"
	assert_complete
}

# wait_case NAME: the container is named by what does not exist yet.
wait_case()
{
	mkdir -p "$T/shared"
	ct_start --wait --container "$1"
	assert_lines "^ctrace: waiting for container ${1#*:}; times are UTC\$" err 1
	rt_run web "${crashing[@]}"
	ct_wait
	assert_status 0
	assert_runs 1
}

# restarts_case COMMAND...: the command starts the container again when it has ended.
restarts_case()
{
	mkdir -p "$T/shared"
	ct_start --wait --follow-restarts --container "$(rt_unique web)"
	rt_run web "${crashing[@]}"
	until_true 30 ends 1 || fail "no end of the first run"
	"$@" > "$T/again.log" 2>&1 || fail "not started again: $(tail -n 1 "$T/again.log")"
	until_true 30 ends 2 || fail "no end of the second run"
	"$@" > "$T/again.log" 2>&1 || fail "not started again: $(tail -n 1 "$T/again.log")"
	until_true 30 ends 3 || fail "no end of the third run"
	ct_stop
	assert_status 0
	assert_runs 3
}

test_docker_by_name()
{
	. "$runtimes_dir/test_docker.sh"
	rt_setup
	wait_case "$(rt_unique web)"
	assert_lines '^ctrace: ' err 2
}

# Created and not started: its ID is known, and what it is.
test_docker_by_id()
{
	local id
	. "$runtimes_dir/test_docker.sh"
	rt_setup
	mkdir -p "$T/shared"
	id=$(docker_ create --name "$(rt_unique web)" --network none ctrace-test "${crashing[@]}") || fail "docker create"
	defer docker_ rm -f "$id"
	ct_start --wait --container "${id:0:10}"
	assert_lines "^ctrace: waiting for docker container $(rt_unique web) \\(${id:0:12}\\)" err 1
	docker_ start "$id" > "$T/start.log" 2>&1 || fail "docker start: $(cat "$T/start.log")"
	ct_wait
	assert_status 0
	assert_runs 1
}

test_docker_restarts()
{
	. "$runtimes_dir/test_docker.sh"
	rt_setup
	restarts_case docker_start
}

docker_start()
{
	docker_ start "$(rt_unique web)"
}

# By its daemon: once, and twice more.
test_docker_restarts_itself()
{
	. "$runtimes_dir/test_docker.sh"
	rt_setup
	ct_start --wait --follow-restarts --format json --container "docker:$(rt_unique web)"
	docker_ run -d --restart on-failure:2 --name "$(rt_unique web)" --network none ctrace-test "${crashing[@]}" > "$T/id" 2> "$T/docker.err" ||
		fail "docker run: $(tail -n 2 "$T/docker.err")"
	defer docker_ rm -f "$(rt_unique web)"
	until_true 60 json_ends 3 || fail "no three ends: $(tail -n 2 "$T/out")"
	ct_stop
	assert_status 0
	jq -s -e --arg id "$(cat "$T/id")" --arg name "$(rt_unique web)" '
		(map(select(.type == "container" and .event == "started")) | length) == 3 and
		(map(select(.type == "container" and .event == "ended" and .status == 3)) | length) == 3 and
		(map(select(.error == "ENOENT" and .args.pathname == "/missing")) | length) == 3 and
		(map(select(.type == "syscall")) | all(.container.id == $id and .container.name == $name and .container.runtime == "docker"))
		' "$T/out" > "$T/jq" || fail "the records say something else: $(head -c 300 "$T/out")"
	assert_complete
}

json_ends()
{
	[ "$(grep -ac '"type":"container".*"event":"ended"' "$T/out")" -ge "$1" ]
}

# What the runtime does before is there on request, and marked by the name of who does it.
test_docker_phases()
{
	. "$runtimes_dir/test_docker.sh"
	rt_setup
	ct_start --wait --phase all --container "$(rt_unique web)"
	rt_run web "${crashing[@]}"
	ct_wait
	assert_status 0
	assert_lines '^1 +execve\("/bin/sh", \["/bin/sh", "-c"' out 1
	[ "$(grep -an -m 1 'execve("/bin/sh", \["/bin/sh", "-c"' "$T/out" | cut -d : -f 1)" -gt 20 ] ||
		fail "nothing of what the runtime does is before the program's exec"
	assert_lines 'pivot_root\(' out
	assert_complete
}

test_podman_by_name()
{
	. "$runtimes_dir/test_podman.sh"
	rt_setup
	wait_case "podman:$(rt_unique web)"
}

test_podman_restarts()
{
	. "$runtimes_dir/test_podman.sh"
	rt_setup
	restarts_case podman_start
}

podman_start()
{
	podman_ start "$(rt_unique web)"
}

test_containerd_by_id()
{
	. "$runtimes_dir/test_containerd.sh"
	rt_setup
	wait_case "$(rt_unique web)"
}

test_runc_by_id()
{
	. "$runtimes_dir/test_oci.sh"
	rt_name=runc
	rt_setup
	wait_case "$(rt_unique web)"
}

test_runc_restarts()
{
	. "$runtimes_dir/test_oci.sh"
	rt_name=runc
	rt_setup
	restarts_case oci_again
}

# Another container of the same ID, as runc knows no restart.
oci_again()
{
	runc_ delete --force "$(rt_unique web)" || return 1
	runc_ run --detach --bundle "$T/web" "$(rt_unique web)" < /dev/null
}

test_lxc_by_name()
{
	. "$runtimes_dir/test_lxc.sh"
	rt_setup
	wait_case "lxc:$(rt_unique web)"
}

test_lxc_restarts()
{
	. "$runtimes_dir/test_lxc.sh"
	rt_setup
	restarts_case lxc_again
}

lxc_again()
{
	local id
	id=$(rt_unique web)
	lxc-wait --lxcpath "$T/lxc" --name "$id" --state STOPPED --timeout 10
	lxc-start --lxcpath "$T/lxc" --name "$id" --daemon -- "${crashing[@]}" < /dev/null
}

test_crun_by_id()
{
	. "$runtimes_dir/test_oci.sh"
	rt_name=crun
	rt_setup
	wait_case "$(rt_unique web)"
}

test_crun_restarts()
{
	. "$runtimes_dir/test_oci.sh"
	rt_name=crun
	rt_setup
	restarts_case oci_again
}

run_tests "$@"
