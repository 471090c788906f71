#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# ctrace begins at random moments of the start-up of real containers, whose
# workload knows its own calls: none is missed after the announcement, none is
# shown twice, none of a neighbour's is shown. STARTS (4; LONG: 40) a runtime.
. "$(dirname "$0")/lib.sh"

# The functions of that runtime's own tests.
runtime()
{
	# shellcheck source=/dev/null
	. "$system_dir/runtimes/test_$1.sh"
}

# start_container BOARD [NAME=VALUE...]: the workload is its entry point.
start_container()
{
	local board=$1
	shift
	rt_run "$board" /bin/workload run "/shared/$board" "pace=$(by_length 4000 8000)" max=60000 "$@"
	until_true 20 test -s "$T/shared/$board" || fail "the workload does not start"
}

# One start, in one of four ways.
one_start()
{
	local board=w$1 way=$(($1 % 4)) file gate=1 format=text until=
	file=$T/shared/$board
	case $way in
	0 | 3) gate=0 ;;
	2) format=json ;;
	esac
	start_container "$board" "gate=$gate"
	[ "$gate" = 1 ] || random_sleep 200
	ct_launch -o "$T/out" --buffer 64M --format "$format" --container "$(rt_unique "$board")"
	if [ "$way" = 1 ]; then
		# The first fork is in the middle of ctrace's own start.
		random_sleep 120
		"$ACTORS/workload" go "$file"
	fi
	ct_ready
	[ "$way" != 2 ] || "$ACTORS/workload" go "$file"
	sleep "$(by_length 0.8 0.5)"
	if [ "$way" = 3 ]; then
		# Ended in the middle. A task that has noted a call may be slow to make it.
		sleep 1
		until=$(($(now_ns) - 1000000000))
		ct_stop
	fi
	"$ACTORS/workload" stop "$file"
	[ "$way" = 3 ] || ct_wait
	assert_status 0
	assert_workload "$file" $until
	[ "$way" != 2 ] || assert_equal "$(field due)" "$(field calls)" "calls due"
	assert_complete
	rm -rf "$file" "$T/out" "${T:?}/$board/rootfs"
}

starts_case()
{
	local i starts=${STARTS:-$(by_length 40 4)}
	rt_setup
	mkdir -p "$T/shared"
	start_container neighbour first=50000000 pace=50000 kinds=tree,threads,short width=1 depth=1
	for ((i = 0; i < starts; i++)); do
		one_start "$i"
	done
	"$ACTORS/workload" stop "$T/shared/neighbour"
	report
}

test_starts_docker() { runtime docker; starts_case; }
test_starts_containerd() { runtime containerd; starts_case; }
test_starts_podman() { runtime podman; starts_case; }
test_starts_runc() { runtime oci; rt_name=runc starts_case; }
test_starts_crun() { runtime oci; rt_name=crun starts_case; }

TEST_TIMEOUT=${TEST_TIMEOUT:-$(by_length 900 180)}
run_tests "$@"
