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

# More for ctr run.
ctr_options=()

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
	ctr_ run -d "${ctr_options[@]}" --rootfs --mount "type=bind,src=$T/shared,dst=/shared,options=rbind:rw" "$T/rootfs" "$id" "$@" > "$T/ctr.log" 2>&1 ||
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

# pod_member NAME TYPE: an actor that says of itself what CRI's containers do, of pod shop/web-$$.
pod_member()
{
	local cri=io.kubernetes.cri
	ctr_options=(--annotation "$cri.container-type=$2" --annotation "$cri.container-name=$1"
		--annotation "$cri.sandbox-name=web-$$" --annotation "$cri.sandbox-namespace=shop")
	rt_actor "$1"
}

# A pod is its containers, without the one that holds its namespaces.
test_containerd_pod()
{
	local name
	rt_setup
	pod_member pause sandbox
	pod_member app container
	pod_member proxy container
	ct_start --pod "shop/web-$$"
	tell app calls 1000 20
	tell proxy calls 2000 20
	tell pause calls 3000 20
	ct_stop
	assert_status 0
	assert_complete
	for name in app proxy; do
		assert_lines "^ctrace: tracing containerd container $name \\($(rt_unique "$name")\\) of pod shop/web-$$: 1 task" err 1
	done
	assert_lines '^app 1 +lseek\(-1, 10[0-9]{2}, SEEK_SET\)' out 20
	assert_lines '^proxy 1 +lseek\(-1, 20[0-9]{2}, SEEK_SET\)' out 20
	refute_marked 3000 20
	ct_start --pod "web-$$:proxy"
	tell app calls 4000 20
	tell proxy calls 5000 20
	ct_stop
	refute_marked 4000 20
	assert_marked 5000 20
	ct_run ps
	assert_lines "^$(rt_unique app) +app +shop/web-$$ +containerd +1 +[0-9]+ " out 1
	assert_lines "^$(rt_unique pause) " out 0
	ct_run --pod "shop/web-$$:db"
	assert_status 1
	assert_lines "^ctrace: pod shop/web-$$:db: no such container runs; it has (app, proxy|proxy, app)\$" err 1
}

test_containerd_names() { names_case; }
test_containerd_life() { life_case; }
test_containerd_killed() { killed_case; }
test_containerd_storm() { storm_case 3; }

# Others take its rt_ functions alone.
[ "${BASH_SOURCE[0]}" != "$0" ] || run_tests "$@"
