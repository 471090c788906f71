#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# containerd, as its own client ctr drives it.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck disable=SC2034
rt_name=containerd

ctr_()
{
	ctr --address "$T/containerd.sock" --namespace ctrace-test "$@"
}

rt_setup()
{
	command -v ctr > /dev/null || skip "ctr is not installed"
	containerd_start
	rt_rootfs
}

rt_run()
{
	local name=$1 id
	shift
	id=$(rt_unique "$name")
	ctr_ run -d --rootfs --mount "type=bind,src=$T/shared,dst=/shared,options=rbind:rw" "$T/rootfs" "$id" "$@" > "$T/ctr.log" 2>&1 ||
		fail "ctr run: $(tail -n 2 "$T/ctr.log")"
	# Its container's ID is the name that it was given.
	RT_ID=$id
	defer ctr_ containers delete "$id"
	defer ctr_ tasks delete --force "$id"
}

rt_exec()
{
	local name=$1
	shift
	ctr_ tasks exec --exec-id "e$RANDOM" "$(rt_unique "$name")" "$@"
}

rt_pid()
{
	ctr_ tasks ls | awk -v id="$(rt_unique "$1")" '$1 == id { print $2 }'
}

rt_kill()
{
	ctr_ tasks kill -s "$2" "$(rt_unique "$1")"
}

test_containerd_names() { names_case; }
test_containerd_life() { life_case; }
test_containerd_killed() { killed_case; }
test_containerd_storm() { storm_case 3; }

# Others take its rt_ functions alone.
[ "${BASH_SOURCE[0]}" != "$0" ] || run_tests "$@"
