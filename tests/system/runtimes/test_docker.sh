#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Docker, with a daemon and a containerd of the test's own.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck disable=SC2034
rt_name=docker
# shellcheck disable=SC2034
rt_image=ctrace-test

docker_()
{
	docker -H "unix://$T/docker.sock" "$@"
}

rt_setup()
{
	command -v dockerd > /dev/null || skip "dockerd is not installed"
	containerd_start
	# Whatever the machine's own daemon is told in /etc is not for this one.
	echo '{}' > "$T/docker.json"
	daemon_start "$T/dockerd.log" dockerd --bridge=none --iptables=false --storage-driver=vfs --data-root "$T/docker" \
		--exec-root "$T/docker-exec" --containerd "$T/containerd.sock" -H "unix://$T/docker.sock" -p "$T/docker.pid" --config-file "$T/docker.json"
	until_true 30 docker_up || fail "dockerd does not start: $(tail -n 2 "$T/dockerd.log")"
	export CTRACE_DOCKER_ROOT=$T/docker
	rt_rootfs
	tar -C "$T/rootfs" -c . | docker_ import - ctrace-test > "$T/import.log" 2>&1 || fail "docker import: $(cat "$T/import.log")"
}

docker_up()
{
	[ -S "$T/docker.sock" ] && docker_ version > /dev/null 2>&1
}

rt_run()
{
	local name=$1
	shift
	RT_ID=$(docker_ run -d --name "$(rt_unique "$name")" --network none -v "$T/shared:/shared" ctrace-test "$@" 2> "$T/docker.err") ||
		fail "docker run: $(tail -n 2 "$T/docker.err")"
	defer docker_ rm -f "$RT_ID"
}

rt_exec()
{
	local name=$1
	shift
	docker_ exec "$(rt_unique "$name")" "$@"
}

rt_pid()
{
	docker_ inspect -f '{{.State.Pid}}' "$(rt_unique "$1")"
}

rt_kill()
{
	docker_ kill -s "$2" "$(rt_unique "$1")"
}

test_docker_names() { names_case; }
test_docker_life() { life_case; }
test_docker_killed() { killed_case; }
test_docker_files() { files_case; }
test_docker_storm() { storm_case "${STARTS:-20}"; }

# Where the files tell no names, the daemon is asked: /run/docker.sock may be all that a container sees of docker.
test_docker_socket()
{
	local name
	rt_setup
	rt_actor web
	name=$(rt_unique web)
	mount -t tmpfs tmpfs "$T/docker/containers" || cannot "no tmpfs can be mounted"
	defer umount -l "$T/docker/containers"
	export DOCKER_HOST=unix://$T/docker.sock
	traced web --container "$name"
	traced web --container "docker:$name"
	assert_lines "^ctrace: tracing docker container $name \\(${RT_ID:0:12}\\): .*its pid 1 is $RT_PID on the host" err
	listed_case
	ct_run ps
	assert_lines "^${RT_ID:0:12} +$name +- +docker " out 1
	# By the daemon's command line, too.
	unset DOCKER_HOST
	traced web --container "$name"
	# One that cannot be asked, and one that does not answer.
	DOCKER_HOST=tcp://127.0.0.1:1 ct_run --container "no-$name-at-all"
	assert_status 1
	assert_lines '^ctrace: no container no-.*\(DOCKER_HOST is not a unix:// socket: ctrace sees the containers of this machine alone\)$' err 1
	hung_case "$name"
}

# A daemon that is stopped takes calls and answers none.
hung_case()
{
	local begin=$SECONDS
	kill -STOP "$DAEMON"
	ct_run --container "no-$1-at-all"
	kill -CONT "$DAEMON"
	assert_status 1
	assert_lines "^ctrace: no container no-.*\\($T/docker.sock does not answer\\)\$" err 1
	[ $((SECONDS - begin)) -le 20 ] || fail "it took $((SECONDS - begin)) s"
}

TEST_TIMEOUT=${TEST_TIMEOUT:-$((120 + ${STARTS:-20} * 15))}
# Others take its rt_ functions alone.
[ "${BASH_SOURCE[0]}" != "$0" ] || run_tests "$@"
