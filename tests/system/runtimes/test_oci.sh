#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The two OCI runtimes by themselves: runc and crun.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# crun refuses a hybrid machine's cgroups: it gets a mount namespace without the v2 one.
crun_setup()
{
	command -v crun > /dev/null || skip "crun is not installed"
	cat > "$T/crun" <<-'END'
	#!/bin/sh
	exec unshare -m sh -c 'umount /sys/fs/cgroup/unified 2> /dev/null; exec crun "$@"' crun "$@"
	END
	chmod 755 "$T/crun"
	RUNTIME=$T/crun
	need_runc
}

rt_setup()
{
	case $rt_name in
	crun) crun_setup ;;
	*) need_runc ;;
	esac
	mkdir -p "$T/shared"
}

rt_run()
{
	local name=$1 id
	shift
	id=$(rt_unique "$name")
	box_cgroup=/$id box_make "$name" "$@"
	runc_ run --detach --bundle "$T/$name" "$id" > "$T/$name.log" 2>&1 < /dev/null || fail "$rt_name run: $(tail -n 2 "$T/$name.log")"
	RT_ID=$id
	defer runc_ delete --force "$id"
}

rt_exec()
{
	local name=$1
	shift
	runc_ exec "$(rt_unique "$name")" "$@"
}

rt_pid()
{
	runc_ state "$(rt_unique "$1")" | jq -r .pid
}

rt_kill()
{
	runc_ kill "$(rt_unique "$1")" "$2"
}

test_runc_names() { rt_name=runc; names_case; }
test_runc_life() { rt_name=runc; life_case; }
test_runc_killed() { rt_name=runc; killed_case; }
test_crun_names() { rt_name=crun; names_case; }
test_crun_life() { rt_name=crun; life_case; }
test_crun_killed() { rt_name=crun; killed_case; }
test_crun_storm() { rt_name=crun; storm_case 3; }

# Others take its rt_ functions alone.
[ "${BASH_SOURCE[0]}" != "$0" ] || run_tests "$@"
