#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# podman, with storage of the test's own.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck disable=SC2034
rt_name=podman
# shellcheck disable=SC2034
rt_image=localhost/ctrace-test:latest
rt_options=(--network none)

podman_()
{
	podman --root "$T/podman" --runroot "$T/podman-run" --tmpdir "$T/podman-tmp" --storage-driver "${rt_storage:-vfs}" \
		--cgroup-manager cgroupfs --events-backend file --runtime runc "$@"
}

rt_setup()
{
	command -v podman > /dev/null || skip "podman is not installed"
	command -v conmon > /dev/null || skip "conmon is not installed"
	rt_rootfs
	export CTRACE_PODMAN_ROOT=$T/podman CTRACE_PODMAN_RUNROOT=$T/podman-run
	tar -C "$T/rootfs" -c . | podman_ import - ctrace-test > "$T/import.log" 2>&1 || fail "podman import: $(tail -n 2 "$T/import.log")"
}

rt_run()
{
	local name=$1
	shift
	# The default limits are above what an unprivileged machine may set.
	RT_ID=$(podman_ run -d --name "$(rt_unique "$name")" "${rt_options[@]}" --ulimit nofile=1024:1024 --ulimit nproc=1000:1000 \
		--security-opt seccomp=unconfined -v "$T/shared:/shared" ctrace-test "$@" 2> "$T/podman.err") ||
		fail "podman run: $(tail -n 2 "$T/podman.err")"
	defer podman_ rm -f -t 0 "$RT_ID"
}

rt_exec()
{
	local name=$1
	shift
	podman_ exec "$(rt_unique "$name")" "$@"
}

rt_pid()
{
	podman_ inspect -f '{{.State.Pid}}' "$(rt_unique "$1")"
}

rt_kill()
{
	podman_ kill -s "$2" "$(rt_unique "$1")"
}

test_podman_names() { names_case; }
test_podman_life() { life_case; }
test_podman_killed() { killed_case; }

# With a root of layers, which not every file system can be the upper one of.
test_podman_files()
{
	mkdir "$T/podman"
	mount -t tmpfs tmpfs "$T/podman" || cannot "no tmpfs can be mounted"
	defer umount -l "$T/podman"
	rt_storage=overlay
	files_case
	grep -q ' / / .* - overlay ' "/proc/$RT_PID/mountinfo" || fail "its root is no overlay: $(head -n 1 "/proc/$RT_PID/mountinfo")"
}

test_podman_storm() { storm_case 3; }

# pod_up: a pod with its pause container.
pod_up()
{
	pod=$(rt_unique pod)
	# The pause container takes its limits from here alone.
	printf '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]\nseccomp_profile = "unconfined"\n' > "$T/containers.conf"
	export CONTAINERS_CONF=$T/containers.conf
	podman_ pod create --name "$pod" --network none --infra-image localhost/ctrace-test --infra-command "/bin/sleep 1000" --share ipc,uts > "$T/pod.log" 2>&1 ||
		fail "podman pod create: $(tail -n 2 "$T/pod.log")"
	defer podman_ pod rm -f -t 0 "$pod"
	rt_options=(--pod "$pod")
}

# The pod by its name, without its pause container; files tell of it.
test_podman_pods()
{
	local pod name
	rt_setup
	pod_up
	rt_actor "pod-web"
	name=$(rt_unique pod-web)
	traced pod-web --pod "$pod"
	assert_lines "^ctrace: tracing podman container $name \\(${RT_ID:0:12}\\) of pod $pod: .*its pid 1 is $RT_PID on the host" err 1
	refute_lines '^ctrace: tracing .*-infra' err
	traced pod-web --pod "$pod:web"
	traced pod-web --pod "$pod:$name"
	traced pod-web --container "podman:$name"
	pod_listed
	# Of its own name the pause container is no less a container.
	ct_run --container "$(podman_ pod inspect -f '{{.InfraContainerID}}' "$pod")" --for 0.1s
	assert_status 0
	ct_run --pod "$pod:no"
	assert_status 1
	assert_lines "^ctrace: pod $pod:no: no such container runs; it has web\$" err 1
	ct_run --pod "kube-system/$pod"
	assert_status 1
	assert_lines "^ctrace: no pod kube-system/$pod; running: .*podman $pod" err 1
}

pod_listed()
{
	ct_run ps --format json
	jq -se --arg pod "$pod" --arg id "$RT_ID" 'map(select(.pod.name == $pod)) | length == 1 and .[0].container.id == $id and .[0].pod.container == "web"' \
		"$T/out" > /dev/null || fail "not the pod's one container: $(grep -a "$pod" "$T/out")"
}

# A container that joins the pod later, from its first call on.
test_podman_pod_grows()
{
	local pod first
	rt_setup
	pod_up
	rt_actor "pod-web"
	first=$RT_PID
	ct_start --pod "$pod" --follow-restarts
	tell "pod-web" calls 1000 50
	rt_actor "pod-late"
	tell "pod-late" calls 2000 50
	ct_stop
	assert_status 0
	assert_marked 1000 50
	assert_marked 2000 50
	assert_complete
	[ "$first" != "$RT_PID" ] || fail "one container, not two"
	assert_lines 'execve\("/bin/sh", \["/bin/sh", "-c", "exec /bin/marked' out 1
}

# What no file tells here, "podman system service" does. It sees the files that are covered for us.
test_podman_socket()
{
	local pod name begin=$SECONDS
	rt_setup
	pod_up
	rt_actor "pod-web"
	# After the container: mounts that it is given have to be there.
	daemon_start "$T/service.log" unshare -m --propagation private podman --root "$T/podman" --runroot "$T/podman-run" --tmpdir "$T/podman-tmp" \
		--storage-driver vfs --cgroup-manager cgroupfs --events-backend file --runtime runc system service -t 0 "unix://$T/podman.sock"
	until_true 20 test -S "$T/podman.sock" || fail "the service does not start: $(tail -n 2 "$T/service.log")"
	name=$(rt_unique pod-web)
	export CONTAINER_HOST=unix://$T/podman.sock
	mount -t tmpfs tmpfs "$T/podman/libpod" || cannot "no tmpfs can be mounted"
	defer umount -l "$T/podman/libpod"
	pod_listed
	traced pod-web --pod "$pod"
	mount -t tmpfs tmpfs "$T/podman/vfs-containers" || cannot "no tmpfs can be mounted"
	defer umount -l "$T/podman/vfs-containers"
	traced pod-web --container "$name"
	traced pod-web --container "podman:$name"
	ct_run ps --pid "$RT_PID"
	assert_lines "^$RT_PID +1 +${RT_ID:0:12} +$name +$pod +podman " out 1
	# By the service's command line, too; and what does not answer is waited for a second.
	unset CONTAINER_HOST
	traced pod-web --container "$name"
	kill -STOP "$DAEMON"
	ct_run --container "$name"
	kill -CONT "$DAEMON"
	assert_status 1
	assert_lines "^ctrace: no container $name.* \\($T/podman.sock does not answer\\)" err 1
	[ $((SECONDS - begin)) -le 60 ] || fail "it took $((SECONDS - begin)) s"
}

# Others take its rt_ functions alone.
[ "${BASH_SOURCE[0]}" != "$0" ] || run_tests "$@"
