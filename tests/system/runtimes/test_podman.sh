#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# podman, with storage of the test's own.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck disable=SC2034
rt_name=podman

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
	RT_ID=$(podman_ run -d --name "$(rt_unique "$name")" --network none --ulimit nofile=1024:1024 --ulimit nproc=1000:1000 \
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

# Others take its rt_ functions alone.
[ "${BASH_SOURCE[0]}" != "$0" ] || run_tests "$@"
