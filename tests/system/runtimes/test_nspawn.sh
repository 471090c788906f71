#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# systemd-nspawn, in a cgroup of the test's own and without a systemd that
# would register it. It has no sessions: a task gets in by its cgroup.
. "$(dirname "$0")/lib.sh"

# nspawn_start [SCOPE]: in a unit of that name, if it is not the one that systemd would give it.
nspawn_start()
{
	nspawn_prepare "$@"
	nspawn_run
}

nspawn_prepare()
{
	local mount n=0
	command -v systemd-nspawn > /dev/null || skip "systemd-nspawn is not installed"
	rt_rootfs
	mkdir -p "$T/rootfs/usr/lib" "$T/shared"
	echo 'ID=ctrace-test' > "$T/rootfs/etc/os-release"
	name=ct$$nspawn
	# As systemd would call it.
	scope=${1:-machine-$name.scope}
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
}

nspawn_run()
{
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

# In a service's own unit the cgroup has no name of a machine in it: its process says what it is called.
test_nspawn_in_a_service()
{
	nspawn_start "ct$$web.service"
	ct_start --container "machine:$name"
	assert_lines "^ctrace: tracing nspawn container $name.*its pid 1 is $RT_PID on the host" err
	nspawn_work
}

# machined's file names it, whatever its unit is called, and ctrace ps tells of it, once.
test_nspawn_registered()
{
	nspawn_start "ct$$web.service"
	mkdir -p "$T/machines"
	printf 'NAME=%s\nSCOPE=%s\nSERVICE=systemd-nspawn\nCLASS=container\nLEADER=%s\n' "ct$$reg" "$scope" "$RT_PID" > "$T/machines/ct$$reg"
	export CTRACE_MACHINES=$T/machines
	ct_run ps --format json
	assert_status 0
	jq -se --argjson pid "$RT_PID" --arg cgroup "/$scope/payload" 'map(select(.init_host_pid == $pid)) | length == 1 and
		(.[0] | .container.runtime == "nspawn" and .tasks == 1 and (.cgroup | endswith($cgroup)))' "$T/out" > /dev/null ||
		fail "not once, or not whole: $(grep -a "$RT_PID" "$T/out")"
	ct_run ps --pid "$RT_PID" --format json
	[ "$(jq -r '"\(.pid) \(.container.runtime)"' "$T/out")" = '1 nspawn' ] || fail "ps --pid $RT_PID: $(cat "$T/out" "$T/err")"
	ct_start --container "nspawn:ct$$reg"
	assert_lines "^ctrace: tracing nspawn container ct$$reg.*its pid 1 is $RT_PID on the host" err
	nspawn_work
	# Its file is old now.
	ct_run --container "nspawn:ct$$reg"
	assert_status 1
	assert_lines "^ctrace: container nspawn:ct$$reg is not running: nspawn ct$$reg " err 1
}

test_nspawn_waited_for()
{
	nspawn_prepare
	ct_start --wait --container "nspawn:$name"
	assert_lines "^ctrace: waiting for container $name; " err 1
	nspawn_run
	nspawn_work
	[ "$(head -n 1 "$T/out" | grep -ac ' started +++$')" = 1 ] || fail "the trace begins with $(head -n 1 "$T/out")"
	[ "$(sed -n 2p "$T/out" | grep -aEc '^1 +execve\("/bin/sh"')" = 1 ] || fail "the first call is $(sed -n 2p "$T/out")"
	assert_lines "^\+\+\+ container $name ended: .*\+\+\+\$" out 1
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
