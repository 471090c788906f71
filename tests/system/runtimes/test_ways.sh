#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What containers do to one another and what becomes of them: shared cgroups
# and pid namespaces, one inside another, sessions, pause, restart, memory.
. "$(dirname "$0")/lib.sh"
# shellcheck source=../ways.sh
. "$system_dir/ways.sh"

# box_run NAME: the bundle is made, and perhaps changed; the actor in it starts.
box_run()
{
	local id
	id=$(box_id "$1")
	actor_files "$1"
	runc_ run --bundle "$T/$1" "$id" < "$T/$1.orders" > "$T/$1.answers" 2> "$T/$1.err" &
	defer end_process $!
	defer runc_ delete --force "$id"
	until_true 10 box_running "$id" || fail "container $1 does not start: $(cat "$T/$1.err")"
	BOX_PID=$(runc_ state "$id" | jq -r .pid)
	tell "$1" sleep 0
}

# --- containers that share -----------------------------------------------------------

# Two containers in one cgroup: the cgroup decides, and both are shown.
test_two_in_one_cgroup()
{
	local first second
	need_runc
	box_start one
	first=$BOX_PID
	box_cgroup=/$(box_id one) box_make two
	box_run two
	second=$BOX_PID
	[ "$(cat "/proc/$first/cgroup")" = "$(cat "/proc/$second/cgroup")" ] || fail "they are not in one cgroup"
	ct_start --container "$(box_id one)" --pids both
	tell one calls 1000 20
	tell two calls 2000 20
	tell two fork 2100 20
	order one exit 0
	ct_wait
	tell two calls 3000 20
	assert_marked 1000 20
	assert_marked 2000 20
	assert_marked 2100 20
	refute_marked 3000 20
	assert_complete
	assert_tasks '.at_start == 2 and .by_fork == 1'
	# What it says of the first holds: two tasks, and whose pid 1 it is.
	assert_lines "^ctrace: tracing .*$(box_id one): 2 tasks; its pid 1 is $first on the host" err 1
	# The other's tasks have no number in the first's namespace.
	ct_start --container "$(box_id two)"
	tell two calls 4000 20
	ct_stop
	assert_marked 4000 20
	assert_lines '^1 +lseek\(-1, 4000, SEEK_SET\)' out 1
	assert_complete
}

# join_pidns NAME PID: the container NAME, in the pid namespace of that process.
join_pidns()
{
	box_cgroup=/$(box_id "$1") box_make "$1"
	jq --arg path "/proc/$2/ns/pid" '(.linux.namespaces[] | select(.type == "pid")).path = $path' "$T/$1/config.json" > "$T/$1.json" || fail "jq failed"
	mv "$T/$1.json" "$T/$1/config.json"
	box_run "$1"
}

# Two containers of a pod with one pid namespace: the cgroup tells them apart.
test_shared_pid_namespace()
{
	local first second
	need_runc
	box_start first
	first=$BOX_PID
	join_pidns second "$first"
	second=$BOX_PID
	[ "$(readlink "/proc/$first/ns/pid")" = "$(readlink "/proc/$second/ns/pid")" ] || fail "they do not share the pid namespace"
	ct_start --container "$(box_id first)"
	out=out1 err=err1 status=status1 ct_second --container "$(box_id second)"
	tell first calls 1000 20
	tell second calls 2000 20
	tell first fork 1100 20
	tell second fork 2100 20
	runc_ exec "$(box_id second)" /bin/marked calls 2200 20 || fail "runc exec failed"
	ct_stop
	assert_only 1000 2000
	assert_marked 1100 20
	refute_marked 2100 20
	assert_complete
	CT=$SECOND
	out=out1 err=err1 status=status1
	ct_stop
	assert_only 2000 1000
	assert_marked 2100 20
	assert_marked 2200 20
	refute_marked 1100 20
	assert_complete
	# Its first process has no number 1 in there.
	nr=$(awk '$1 == "NSpid:" { print $NF }' "/proc/$second/status")
	[ "$nr" != 1 ] || fail "the second container's process has the number 1"
	assert_lines "^$nr +lseek\(-1, 2000, SEEK_SET\)" out1 1
}

assert_only()
{
	assert_marked "$1" 20
	refute_marked "$2" 20
}

# nested_start NAME CGROUP PID [OUTER-ID]: a container whose pid namespace and
# cgroup lie inside of those of the process PID.
nested_start()
{
	box_cgroup=/$2 box_make "$1"
	actor_files "$1"
	mkdir -p "$T/inner"
	cat > "$T/inner.sh" <<-END
	mount -t proc proc /proc && exec ${RUNTIME:-runc} --root $T/inner "\$@"
	END
	nsenter -t "$3" -p unshare -m sh "$T/inner.sh" run --bundle "$T/$1" "$(box_id "$1")" < "$T/$1.orders" > "$T/$1.answers" 2> "$T/$1.err" &
	defer end_process $!
	# It ends with the outer one, by a signal, and its runtime cannot clean up.
	defer nested_remove "$(box_id "$1")"
	until_true 10 nested_runs "$1" || fail "the inner container does not start: $(cat "$T/$1.err")"
	tell "$1" sleep 0
}

nested_remove()
{
	local i
	kill -KILL "$NESTED_PID"
	for ((i = 0; i < 40; i++)); do
		find /sys/fs/cgroup -depth -type d -name "$1" -exec rmdir {} + && break
		sleep 0.05
	done
}

nested_runs()
{
	NESTED_PID=$(find /sys/fs/cgroup -path "*/$(box_id "$1")/cgroup.procs" -exec cat {} + 2> /dev/null | sort -un | head -n 1)
	[ -n "$NESTED_PID" ] && [ "$(cat "/proc/$NESTED_PID/comm")" = marked ]
}

# One container in another: the outer one is both, the inner one only itself.
test_container_in_container()
{
	local outer
	need_runc
	box_start outer
	outer=$BOX_PID
	nested_start inner "$(box_id outer)/$(box_id inner)" "$outer"
	[ "$(awk '$1 == "NSpid:" { print NF - 1 }' "/proc/$NESTED_PID/status")" = 3 ] || fail "its pid namespace is not nested: $(grep NSpid "/proc/$NESTED_PID/status")"
	ct_start --container "$(box_id outer)"
	out=out1 err=err1 status=status1 ct_second --container "pid:$NESTED_PID"
	tell outer calls 1000 20
	tell inner calls 2000 20
	tell inner fork 2100 20
	tell outer fork 1100 20
	order inner exit 0
	until_true 10 gone "$SECOND" || fail "the inner container's trace does not end"
	tell outer calls 1200 20
	ct_stop
	for base in 1000 1100 1200 2000 2100; do
		assert_marked $base 20
	done
	# The numbers of the outer one's namespace, and of the inner one's.
	assert_lines '^1 +lseek\(-1, 1000, ' out 1
	refute_lines '^1 +lseek\(-1, 2[0-9]{3}, ' out
	refute_lines '^host:' out
	assert_complete
	out=out1 err=err1 status=status1
	CT=$SECOND
	ct_wait
	assert_status 0
	assert_marked 2000 20
	assert_marked 2100 20
	for base in 1000 1100 1200; do
		refute_marked $base 20
	done
	assert_lines '^1 +lseek\(-1, 2000, ' out1 1
	assert_lines '^1 +\+\+\+ exited with 0 \+\+\+$' out1 1
	assert_complete
}

# --- sessions --------------------------------------------------------------------------

# A session in a cgroup of its own below the container's.
test_session_in_subcgroup()
{
	local mount controllers path file
	box_start web
	ct_start --container "$(box_id web)"
	# Made while the trace runs, in each hierarchy that the container has.
	while IFS=: read -r _ controllers path; do
		[ "$path" != / ] || continue
		case $controllers in
		'') mount=$(cgroup2_mount) ;;
		*) mount=$(cgroup1_mount "$controllers") ;;
		esac
		[ -n "$mount" ] || continue
		cgroup_make "$mount$path/session"
		# v1's cpuset takes no task before it has these.
		for file in cpuset.cpus cpuset.mems; do
			[ ! -e "$mount$path/session/$file" ] || cat "$mount$path/$file" > "$mount$path/session/$file"
		done 2> /dev/null
	done < "/proc/$BOX_PID/cgroup"
	runc_ exec --cgroup session "$(box_id web)" /bin/marked calls 1000 20 / fork 1100 20 / threads 3 1200 20 2> "$T/exec.err" ||
		cannot "runc exec --cgroup: $(tail -n 1 "$T/exec.err")"
	ct_stop
	assert_marked 1000 20
	assert_marked 1100 20
	assert_marked 1200 60
	refute_lines '\+\+\+ left ' out
	assert_complete
}

# By its directory in any hierarchy: a controller's, systemd's, v2's. All of
# them at once, so that each session comes in through each.
test_session_by_any_hierarchy()
{
	local controllers path mount pids=() n=0
	box_start web
	while IFS=: read -r _ controllers path; do
		case $controllers in
		'') mount=$(cgroup2_mount) ;;
		pids | memory | cpuset | name=systemd) mount=$(cgroup1_mount "$controllers") ;;
		*) continue ;;
		esac
		[ -n "$mount" ] && [ "$path" != / ] || continue
		out=out$n err=err$n status=status$n ct_start --cgroup "$mount$path"
		pids+=("$CT")
		n=$((n + 1))
	done < "/proc/$BOX_PID/cgroup"
	[ "$n" -gt 0 ] || cannot "no hierarchy has a cgroup of the container: $(cat "/proc/$BOX_PID/cgroup")"
	tell web fork 1000 20
	tell web vfork 1100 10
	tell web threads 3 1200 20
	runc_ exec "$(box_id web)" /bin/marked calls 2000 20 / fork 2100 20 / orphan 2200 20 || fail "runc exec failed"
	for ((n = 0; n < ${#pids[@]}; n++)); do
		CT=${pids[n]}
		out=out$n err=err$n status=status$n
		ct_stop
		assert_status 0
		for base in 1000 1100 2000 2100 2200; do
			assert_marked $base 20
		done
		assert_marked 1200 60
		refute_lines '\+\+\+ left ' "$out"
		assert_complete
	done
	echo "note: $n hierarchies"
}

# Joining its namespaces is no way into a container, unless that is asked for.
test_nsenter()
{
	local orders=$T/shared/before.orders
	box_start web
	# One that is there before the trace is, and one that comes later.
	actor_files before
	nsenter -t "$BOX_PID" -m -p -u -i -n /bin/marked serve < "$orders" > "$T/before.answers" &
	defer end_process $!
	tell before sleep 0
	ct_start --container "$(box_id web)" --nsenter
	out=out1 err=err1 status=status1 ct_second --container "$(box_id web)"
	tell before calls 1000 20
	tell before fork 1100 20
	tell before threads 3 1200 20
	nsenter -t "$BOX_PID" -m -p -u -i -n /bin/marked calls 2000 20 / fork 2100 20 / orphan 2200 20 / vfork 2300 10 || fail "nsenter failed"
	# Without the pid namespace it stays outside: -F does not fork, so it is only its child that would be in there.
	nsenter -t "$BOX_PID" -m -u -i -n /bin/marked calls 3000 20 || fail "nsenter failed"
	nsenter -t "$BOX_PID" -m -p -F /bin/marked calls 3100 20 / fork 2400 20 || fail "nsenter failed"
	runc_ exec "$(box_id web)" /bin/marked calls 4000 20 || fail "runc exec failed"
	tell web calls 4100 20
	ct_stop
	for base in 1000 1100 2000 2100 2200 2300 2400 4000 4100; do
		assert_marked $base 20
	done
	assert_marked 1200 60
	refute_marked 3000 20
	refute_marked 3100 20
	refute_lines '\+\+\+ left ' out
	refute_lines '^host:' out
	assert_complete
	out=out1 err=err1 status=status1
	CT=$SECOND
	ct_stop
	for base in 1000 1100 2000 2100 2200 2300 2400 3000 3100; do
		refute_marked $base 20
	done
	assert_marked 4000 20
	assert_marked 4100 20
	assert_complete
}

# One that is waited for and turns out to share the host's pid namespace: its cgroup alone decides.
test_nsenter_waits_for_no_namespace()
{
	local id
	need_runc
	id=$(box_id web)
	box_cgroup=/$id box_make web /bin/marked calls 1000 20 / sleep 300 / calls 1100 20
	jq '.linux.namespaces |= map(select(.type != "pid"))' "$T/web/config.json" > "$T/config.json"
	mv "$T/config.json" "$T/web/config.json"
	ct_start --wait --nsenter --container "$id"
	runc_ run --bundle "$T/web" "$id" > "$T/run.log" 2>&1 < /dev/null &
	defer end_process $!
	defer runc_ delete --force "$id"
	until_true 10 grep -q '+++ container .* started +++' "$T/out" || fail "it does not start: $(cat "$T/run.log")"
	# A stranger on the host.
	"$ACTORS/marked" calls 5000 20
	ct_wait
	assert_status 0
	assert_marked 1000 20
	assert_marked 1100 20
	refute_marked 5000 20
	assert_complete
}

# A container in its pid namespace, with a cgroup that lies elsewhere.
test_nsenter_of_a_container()
{
	box_start outer
	ct_start --container "$(box_id outer)" --nsenter
	out=out1 err=err1 status=status1 ct_second --container "$(box_id outer)"
	nested_start inner "$(box_id inner)" "$BOX_PID"
	tell inner calls 1000 20
	tell inner fork 1100 20
	tell outer calls 2000 20
	ct_stop
	for base in 1000 1100 2000; do
		assert_marked $base 20
	done
	assert_complete
	out=out1 err=err1 status=status1
	CT=$SECOND
	ct_stop
	refute_marked 1000 20
	refute_marked 1100 20
	assert_marked 2000 20
	assert_complete
}

# In the host's pid namespace everything would be in.
test_nsenter_without_a_namespace()
{
	need_runc
	box_make web
	jq 'del(.linux.namespaces[] | select(.type == "pid"))' "$T/web/config.json" > "$T/web.json" && mv "$T/web.json" "$T/web/config.json"
	box_run web
	ct_run --container "$(box_id web)" --nsenter --for 1s
	[ "$CT_STATUS" != 0 ] || fail "--nsenter is taken for a container without a pid namespace"
	refute_lines . out
	assert_lines '^ctrace: .*pid namespace' err 1
	# Without it there is no doubt.
	ct_start --container "$(box_id web)"
	tell web calls 1000 20
	ct_stop
	assert_marked 1000 20
	assert_complete
}

# --- what becomes of a container ---------------------------------------------------------

# The trace begins and ends while it is paused, and again; calls go on after.
test_paused()
{
	local id i
	id=$(box_id web)
	box_start web
	tell web threads 3 100 5
	tell web hang
	runc_ pause "$id" || cannot "no freezer"
	for i in 1 2; do
		out=out$i err=err$i status=status$i ct_start --container "$id"
		status=status$i ct_stop
		assert_status 0
		err=err$i status=status$i assert_complete
		status=status$i assert_tasks '.at_start == 5 and .by_rescan == 0'
	done
	ct_start --container "$id"
	runc_ resume "$id"
	tell web all 1000 20
	runc_ pause "$id"
	gone "$CT" && fail "ctrace ended with the pause"
	runc_ resume "$id"
	tell web all 2000 20
	runc_ pause "$id"
	ct_stop
	runc_ resume "$id"
	tell web all 3000 20
	assert_marked 1000 60
	assert_marked 2000 60
	refute_marked 3000 60
	assert_complete
}

# A container of the same name, in a cgroup of the same name, is another one.
test_restarted()
{
	local id first
	id=$(box_id web)
	box_start web
	first=$BOX_RUN
	ct_start --container "$id"
	out=out1 err=err1 status=status1 ct_second --cgroup "$(target_dir)"
	tell web calls 1000 20
	order web exit 7
	until_true 10 gone "$first" || fail "the container does not end"
	rm "$T/web.orders" "$T/shared/web.orders" "$T/web.answers"
	runc_ delete --force "$id" > /dev/null 2>&1
	box_run web
	tell web calls 2000 20
	ct_wait
	assert_status 0
	assert_marked 1000 20
	refute_marked 2000 20
	assert_lines "^\+\+\+ container $id ended: exit 7 \+\+\+\$" out 1
	assert_complete
	out=out1 err=err1 status=status1
	CT=$SECOND
	ct_wait
	assert_status 0
	assert_marked 1000 20
	refute_marked 2000 20
	assert_complete
	out=out2 err=err2 status=status2
	ct_start --container "$id"
	tell web calls 3000 20
	ct_stop
	assert_marked 3000 20
	refute_marked 1000 20
	assert_complete
}

# again_case COMMAND...: the same by a runtime's own commands; a restarted
# container keeps its ID there.
again_case()
{
	local name pid
	rt_setup
	rt_actor web
	name=$(rt_unique web)
	pid=$RT_PID
	"$@" pause "$name" || cannot "no freezer"
	ct_start --container "$name"
	ct_stop
	assert_status 0
	assert_complete
	assert_tasks '.at_start == 1 and .ended == 0'
	ct_start --container "$RT_ID"
	"$@" unpause "$name"
	tell web fork 1000 20
	rt_exec web /bin/marked calls 1100 20 / threads 3 1200 20 || fail "exec failed"
	"$@" restart -t 0 "$name" || fail "it does not restart"
	until_true 20 restarted "$pid" || fail "it is not there again"
	tell web calls 2000 20
	ct_wait
	assert_status 0
	assert_marked 1000 20
	assert_marked 1100 20
	assert_marked 1200 60
	refute_marked 2000 20
	assert_lines '^1 +\+\+\+ killed by SIGKILL \+\+\+$' out 1
	assert_lines '^\+\+\+ container .* ended: .*SIGKILL.* \+\+\+$' out 1
	assert_complete
	ct_start --container "$RT_ID"
	tell web calls 3000 20
	rt_exec web /bin/marked calls 3100 20 || fail "exec failed"
	ct_stop
	assert_marked 3000 20
	assert_marked 3100 20
	assert_lines "^ctrace: tracing .*its pid 1 is $RT_PID on the host" err 1
	assert_complete
}

restarted()
{
	RT_PID=$(rt_pid web)
	[ "${RT_PID:-0}" -gt 1 ] && [ "$RT_PID" != "$1" ] && [ "$(cat "/proc/$RT_PID/comm")" = marked ]
}

test_docker_pause_and_restart()
{
	. "$runtimes_dir/test_docker.sh"
	again_case docker_
}

test_podman_pause_and_restart()
{
	. "$runtimes_dir/test_podman.sh"
	again_case podman_
}

# The directory of the container's cgroup.
target_dir()
{
	local mount path
	mount=$(cgroup1_mount pids)
	path=$(awk -F: '("," $2 ",") ~ /,pids,/ { print $3 }' "/proc/$BOX_PID/cgroup")
	if [ -z "$mount" ]; then
		mount=$(cgroup2_mount)
		path=$(awk -F: '$1 == 0 { print $3 }' "/proc/$BOX_PID/cgroup")
	fi
	echo "$mount$path"
}

# A session that the kernel kills for its memory: the container lives, ends by
# itself later, and its last line tells of both.
test_session_out_of_memory()
{
	local id swap=
	[ -n "$(cgroup1_mount memory)" ] || grep -qw memory "$(cgroup2_mount)/cgroup.controllers" || cannot "no memory controller"
	[ "$(awk 'NR > 1' /proc/swaps | wc -l)" = 0 ] || swap=', "swap": 33554432'
	id=$(box_id web)
	bundle_resources="\"memory\": {\"limit\": 33554432$swap}" box_start web
	ct_start --container "$id"
	runc_ exec "$id" /bin/marked calls 1000 20 / eat 200 && fail "the limit does not hold"
	tell web calls 2000 20
	order web exit 4
	ct_wait
	assert_status 0
	assert_marked 1000 20
	assert_marked 2000 20
	assert_lines '\+\+\+ killed by SIGKILL \(OOM killed\) \+\+\+$' out 1
	assert_lines '^1 +\+\+\+ exited with 4 \+\+\+$' out 1
	assert_lines "^\+\+\+ container $id ended: exit 4 \(OOM killed\) \+\+\+\$" out 1
	assert_complete
}

# shellcheck disable=SC2034
run_tests "$@"
