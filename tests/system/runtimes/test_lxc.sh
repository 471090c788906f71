#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# LXC, with a folder of the test's own; sessions by lxc-attach.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck disable=SC2034
rt_name=lxc

rt_setup()
{
	command -v lxc-start > /dev/null || skip "lxc is not installed"
	rt_rootfs
	mkdir -p "$T/lxc" "$T/shared"
}

rt_run()
{
	local name=$1 id
	shift
	id=$(rt_unique "$name")
	mkdir -p "$T/lxc/$id"
	cat > "$T/lxc/$id/config" <<-END
	lxc.uts.name = $id
	lxc.rootfs.path = dir:$T/rootfs
	lxc.net.0.type = empty
	lxc.mount.auto = proc:rw
	lxc.mount.entry = $T/shared shared none bind 0 0
	lxc.apparmor.profile = unconfined
	lxc.tty.max = 0
	${lxc_more:-}
	END
	defer lxc_remove "$id"
	lxc-start --lxcpath "$T/lxc" --name "$id" --logfile "$T/$id.log" --daemon -- "$@" < /dev/null > "$T/$id.err" 2>&1 ||
		fail "lxc-start: $(tail -n 2 "$T/$id.log")"
	RT_ID=$id
}

# What it leaves: the monitor's cgroups, and those that tasks are parked in at the end.
lxc_remove()
{
	lxc-stop --lxcpath "$T/lxc" --name "$1" --kill
	lxc-wait --lxcpath "$T/lxc" --name "$1" --state STOPPED --timeout 10
	find /sys/fs/cgroup -maxdepth 2 -type d \( -name "lxc.*.$1" -o -name lxc.pivot \) -exec rmdir {} +
	# Those of LXC 3's layout.
	[ -z "${lxc_more:-}" ] || find /sys/fs/cgroup -maxdepth 4 -depth -type d \( -path "*/lxc/$1*" -o -path "*/lxc.monitor/$1*" -o -name "lxc.pivot" \) -exec rmdir {} +
	[ -z "${lxc_more:-}" ] || find /sys/fs/cgroup -maxdepth 2 -type d \( -name lxc -o -name lxc.monitor \) -exec rmdir {} + 2> /dev/null
	return 0
}

rt_exec()
{
	local name=$1
	shift
	lxc-attach --lxcpath "$T/lxc" --name "$(rt_unique "$name")" -- "$@"
}

rt_pid()
{
	lxc-info --lxcpath "$T/lxc" --name "$(rt_unique "$1")" --pid --no-humanize
}

rt_kill()
{
	kill -s "$2" "$(rt_pid "$1")"
}

test_lxc_names() { names_case; }
test_lxc_life() { life_case; }
test_lxc_killed() { killed_case; }
test_lxc_storm() { storm_case 2; }

# One that is defined and does not run, and the same with the name of its folder's daemon alone.
test_lxc_stopped()
{
	local id
	rt_setup
	id=$(rt_unique web)
	mkdir -p "$T/lxc/$id"
	echo "lxc.uts.name = $id" > "$T/lxc/$id/config"
	export CTRACE_LXC_PATH=$T/lxc
	ct_run --container "lxc:$id"
	assert_status 1
	assert_lines "^ctrace: container lxc:$id is not running: lxc $id " err 1
	ct_run ps
	assert_status 0
	refute_lines "$id" out
}

# Where LXC 3 has its directories: the monitor's is named as the container's, and is made first.
test_lxc_layout_of_3()
{
	local id
	rt_setup
	id=$(rt_unique web)
	lxc_more="lxc.cgroup.dir.container = lxc/$id
	lxc.cgroup.dir.monitor = lxc.monitor/$id"
	export CTRACE_LXC_PATH=$T/lxc
	# The monitor's calls would be those of a runtime, and its number one of the host's.
	ct_start --wait --phase all -Y --container "$id"
	rt_run web /bin/sh -c '/bin/marked calls 1000 20; exit 3'
	ct_wait
	assert_status 0
	assert_marked 1000 20
	[ "$(head -n 1 "$T/out" | grep -ac ' started +++$')" = 1 ] || fail "the trace begins with $(head -n 1 "$T/out")"
	refute_lines '^host:' out
	assert_lines "^\+\+\+ container $id ended: exit 3 \+\+\+\$" out 1
	assert_complete
}

# Others take its rt_ functions alone.
[ "${BASH_SOURCE[0]}" != "$0" ] || run_tests "$@"
