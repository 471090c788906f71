#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# systemd-nspawn, in a cgroup of the test's own and without a systemd that
# would register it. It has no sessions: a task gets in by its cgroup.
. "$(dirname "$0")/lib.sh"

nspawn_start()
{
	local mount n=0
	command -v systemd-nspawn > /dev/null || skip "systemd-nspawn is not installed"
	rt_rootfs
	mkdir -p "$T/rootfs/usr/lib" "$T/shared"
	echo 'ID=ctrace-test' > "$T/rootfs/etc/os-release"
	name=ct$$nspawn
	# As systemd would call it.
	scope=machine-$name.scope
	: > "$T/join"
	# Its tree is below what it is started in: v2, and systemd's own hierarchy.
	for mount in "$(cgroup2_mount)" "$(cgroup1_mount name=systemd)"; do
		[ -n "$mount" ] || continue
		cgroup_make "$mount/$scope"
		echo "echo \$\$ > $mount/$scope/cgroup.procs" >> "$T/join"
		n=$((n + 1))
	done
	[ "$n" -gt 0 ] || cannot "neither cgroup v2 nor systemd's hierarchy is mounted"
	echo 'exec "$@"' >> "$T/join"
	actor_files web
	sh "$T/join" systemd-nspawn --quiet --register=no --keep-unit --pipe --directory="$T/rootfs" --machine="$name" --bind="$T/shared:/shared" \
		/bin/sh -c "exec /bin/marked serve < /shared/web.orders > /shared/web.answers" > "$T/nspawn.log" 2>&1 < /dev/null &
	defer end_daemon $!
	NSPAWN=$!
	until_true 20 nspawn_runs || fail "systemd-nspawn does not start: $(tail -n 2 "$T/nspawn.log")"
	tell web sleep 0
}

# Its init is the child of it that has a number 1.
nspawn_runs()
{
	RT_PID=$(pgrep -P "$NSPAWN" | while read -r pid; do
		awk -v pid="$pid" '$1 == "NSpid:" && NF > 2 && $NF == 1 { print pid }' "/proc/$pid/status"
	done)
	[ -n "$RT_PID" ] && gone "$NSPAWN" && fail "systemd-nspawn: $(tail -n 2 "$T/nspawn.log")"
	[ -n "$RT_PID" ] && [ "$(cat "/proc/$RT_PID/comm")" = marked ]
}

test_nspawn_by_name()
{
	nspawn_start
	ct_start --container "$name"
	nspawn_work
	assert_lines "^ctrace: tracing nspawn container $name.*its pid 1 is $RT_PID on the host" err
	assert_lines "^\+\+\+ container $name ended: .*\+\+\+\$" out 1
}

test_nspawn_by_pid()
{
	nspawn_start
	ct_start --container "pid:$RT_PID"
	nspawn_work
	assert_lines "^ctrace: tracing .*its pid 1 is $RT_PID on the host" err
	assert_lines '^1 +exit_group\(3\) += \?$' out 1
	assert_lines '^\+\+\+ container .* ended: .*\+\+\+$' out 1
}

test_nspawn_by_cgroup()
{
	local mount
	nspawn_start
	mount=$(cgroup2_mount)
	[ -n "$mount" ] || mount=$(cgroup1_mount name=systemd)
	ct_start --cgroup "$mount/$scope/payload"
	nspawn_work
}

nspawn_work()
{
	local dir
	tell web fork 1000 20
	tell web threads 3 1100 20
	nsenter -t "$RT_PID" -m -p -u -i /bin/marked calls 2000 20 || fail "nsenter failed"
	tell web orphan 1300 20
	order web exit 3
	until_true 20 gone "$NSPAWN" || fail "systemd-nspawn does not end"
	# What it leaves of its tree, as the unit's end would.
	for dir in "$(cgroup2_mount)" "$(cgroup1_mount name=systemd)"; do
		[ -z "$dir" ] || cgroup_remove "$dir/$scope"
	done
	ct_wait
	assert_status 0
	assert_marked 1000 20
	assert_marked 1100 60
	assert_marked 1300 20
	refute_marked 2000 20
	assert_complete
}

run_tests "$@"
