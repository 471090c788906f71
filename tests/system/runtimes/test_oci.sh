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

# In a place of its own choice, which has nothing of its name.
place_case()
{
	local id
	rt_setup
	id=$(rt_unique web)
	# Its cgroups' parents are the test's to take away.
	place=/ct$$place/a/$id-b
	defer remove_place "/sys/fs/cgroup/*/ct$$place"
	box_cgroup=$place box_make web /bin/sh -c 'exec /bin/marked serve < /shared/web.orders > /shared/web.answers'
	actor_files web
	runc_ run --detach --bundle "$T/web" "$id" > "$T/web.log" 2>&1 < /dev/null || fail "$rt_name run: $(tail -n 2 "$T/web.log")"
	defer runc_ delete --force "$id"
	RT_ID=$id
	RT_PID=$(rt_pid web)
	traced web --container "$id"
	assert_lines "^ctrace: tracing $rt_name container $id.*its pid 1 is $RT_PID on the host" err
	traced web --container "pid:$RT_PID"
	assert_lines "^ctrace: tracing $rt_name container $id.*its pid 1 is $RT_PID on the host" err
	listed_case
}

# remove_place GLOB: what is left of a container's cgroups.
remove_place()
{
	local dir
	for dir in $1; do
		[ ! -d "$dir" ] || find "$dir" -depth -type d -exec rmdir {} +
	done
}

test_runc_place() { rt_name=runc; place_case; }
test_crun_place() { rt_name=crun; place_case; }

# A container with a writable cgroup makes a directory there that is named as docker's are, and moves itself into it.
test_runc_faked_name()
{
	local dir fake id
	fake=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde0
	rt_name=runc
	rt_setup
	rt_actor web
	id=$RT_ID
	for dir in "$(cgroup2_mount)" /sys/fs/cgroup/{memory,pids}; do
		[ -d "$dir/$id" ] || continue
		mkdir "$dir/$id/docker-$fake.scope" || fail "mkdir in $dir/$id"
		echo "$RT_PID" > "$dir/$id/docker-$fake.scope/cgroup.procs"
	done
	defer remove_place "/sys/fs/cgroup/*/$id"
	ct_run ps --pid "$RT_PID" --format json
	[ "$(jq -r '.container.id' "$T/out")" = "$id" ] || fail "its process is said to be of $(cat "$T/out" "$T/err")"
	ct_run ps
	refute_lines 'docker +' out
	assert_lines " runc " out
	ct_run --container "docker:$fake"
	assert_status 1
	ct_run --container "$fake"
	assert_status 1
	traced web --container "$id"
	traced web --container "pid:$RT_PID"
	assert_lines "^ctrace: tracing runc container $id: " err
}

# Nor does one end another's trace, or begin it, by a directory of its name.
test_runc_faked_start()
{
	local dir web db
	rt_name=runc
	rt_setup
	rt_actor db
	db=$RT_ID
	web=$(rt_unique web)
	defer remove_place "/sys/fs/cgroup/*/$db"
	ct_start --wait --follow-restarts --container "$web"
	dir=$(cgroup2_mount)
	[ -n "$dir" ] || dir=/sys/fs/cgroup/memory
	mkdir "$dir/$db/$web"
	echo "$RT_PID" > "$dir/$db/$web/cgroup.procs"
	sleep 0.3
	tell db calls 7000 20
	refute_lines 'lseek' out
	rt_actor web
	tell web calls 7100 20
	# And while it runs.
	mkdir "$dir/$db/x" "$dir/$db/x/$web"
	sleep 0.3
	tell web calls 7200 20
	ct_stop
	assert_status 0
	assert_marked 7100 20
	assert_marked 7200 20
	assert_lines '^\+\+\+ container .* started \+\+\+$' out 1
	refute_lines '^\+\+\+ container .* ended' out
	refute_lines '^host' out
	assert_complete
}

# Its state says that another kernel runs it. (gVisor is in no Debian: that its calls do not come is not tried.)
test_gvisor_told()
{
	local id
	rt_name=runc
	rt_setup
	rt_actor web
	id=$(rt_unique safe)
	mkdir -p "$T/runsc"
	echo "{\"id\":\"$id\",\"sandbox\":{\"id\":\"$id\",\"pid\":$RT_PID}}" > "$T/runsc/${id}_sandbox:$id.state"
	export CTRACE_RUNSC_ROOT=$T/runsc
	ct_run --container "$id"
	assert_status 1
	assert_equal "$(cat "$T/err")" "ctrace: container $id runs under gVisor (runsc): its system calls do not reach this kernel"
	ct_run --wait --container "runsc:$id"
	assert_status 1
	ct_run ps
	assert_lines "^$id .* runsc\(gVisor\) " out 1
	ct_run ps --format json
	[ "$(jq -r --arg id "$id" 'select(.container.id == $id).kernel' "$T/out")" = gVisor ] || fail "$(cat "$T/out")"
	# What else is named is traced all the same.
	traced web --container "$id" --container "$RT_ID"
	assert_lines "^ctrace: container $id runs under gVisor" err 1
}

# Others take its rt_ functions alone.
[ "${BASH_SOURCE[0]}" != "$0" ] || run_tests "$@"
