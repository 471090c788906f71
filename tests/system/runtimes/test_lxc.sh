#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# LXC, with a folder of the test's own; sessions by lxc-attach.
. "$(dirname "$0")/lib.sh"
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
	cat > "$T/$id.config" <<-END
	lxc.uts.name = $id
	lxc.rootfs.path = dir:$T/rootfs
	lxc.net.0.type = empty
	lxc.mount.auto = proc:rw
	lxc.mount.entry = $T/shared shared none bind 0 0
	lxc.apparmor.profile = unconfined
	lxc.tty.max = 0
	END
	defer lxc_remove "$id"
	lxc-start --lxcpath "$T/lxc" --rcfile "$T/$id.config" --name "$id" --logfile "$T/$id.log" --daemon -- "$@" < /dev/null > "$T/$id.err" 2>&1 ||
		fail "lxc-start: $(tail -n 2 "$T/$id.log")"
	RT_ID=$id
}

# What it leaves: the monitor's cgroups, and those that tasks are parked in at the end.
lxc_remove()
{
	lxc-stop --lxcpath "$T/lxc" --name "$1" --kill
	lxc-wait --lxcpath "$T/lxc" --name "$1" --state STOPPED --timeout 10
	find /sys/fs/cgroup -maxdepth 2 -type d \( -name "lxc.*.$1" -o -name lxc.pivot \) -exec rmdir {} +
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

run_tests "$@"
