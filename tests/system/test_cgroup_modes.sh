#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# v2 alone, v1 alone, and both; read from the host's cgroup namespace, from
# another one with the hierarchies in sight, and from another one without.
# Runtimes and ctrace share the mode: both are in a mount namespace that shows it.
. "$(dirname "$0")/lib.sh"

# The target, in a cgroup of a shape that says what it is, and the place of the
# tracer: another cgroup beside it, in every hierarchy, two levels deeper.
target_start()
{
	local mount
	group=/ct$$-mode
	WEB=$(printf '9c6eb891676c%052x' $$)
	box_cgroup=$group/docker/$WEB box_start web
	defer groups_remove "$group"
	tell web threads 2 10 1
	for mount in $(cgroup_mounts); do
		mkdir -p "$mount$group/tracer/deep" 2> /dev/null || continue
		case $mount in
		*cpuset) cat "$mount/cpuset.cpus" > "$mount$group/cpuset.cpus"; cat "$mount/cpuset.mems" > "$mount$group/cpuset.mems" ;;
		esac
	done
	cat > "$T/foreign.sh" <<-'END'
	# GROUP HIDE COMMAND...: COMMAND in a cgroup namespace that is rooted below GROUP; hide: without cgroup mounts.
	group=$1 hide=$2
	shift 2
	awk '$3 ~ /^cgroup2?$/ { print $2 }' /proc/self/mounts | while read -r mount; do
		echo $$ > "$mount$group/tracer/deep/cgroup.procs"
	done 2> /dev/null
	exec unshare -m -C sh -c 'hide=$1; shift; [ "$hide" != hide ] || umount -R /sys/fs/cgroup; exec "$@"' sh "$hide" "$@"
	END
}

# mode_case ARG...: ctrace with these arguments, started by $ct_before.
mode_case()
{
	base=$((${base:-0} + 1000))
	ct_start "$@"
	tell web calls "$base" 50
	tell web fork $((base + 50)) 50
	tell web all $((base + 100)) 20
	runc_ exec "$(box_id web)" /bin/marked calls $((base + 200)) 50 / fork $((base + 250)) 20 || fail "exec failed"
	ct_stop
	assert_status 0
	assert_marked "$base" 140
	assert_marked $((base + 200)) 70
	assert_complete
	assert_lines "^1 +lseek\(-1, $base, SEEK_SET\) " out 1
	assert_lines "^ctrace: tracing .*container .*: 3 tasks; its pid 1 is $BOX_PID on the host" err
}

all_views()
{
	local by
	target_start
	for by in "$WEB" "pid:$BOX_PID"; do
		mode_case --container "$by"
		ct_before="sh $T/foreign.sh $group show" mode_case --container "$by"
	done
	# Without the directories it is the kernel that tells.
	for by in "$(box_id web)" "pid:$BOX_PID"; do
		ct_before="sh $T/foreign.sh $group hide" mode_case --container "$by"
	done
	# The end, with its status.
	ct_before="sh $T/foreign.sh $group hide" ct_start --container "pid:$BOX_PID"
	order web exit 5
	ct_wait
	assert_status 0
	assert_lines '^1 +\+\+\+ exited with 5 \+\+\+$' out 1
	assert_lines '^\+\+\+ container .* ended: exit 5 \+\+\+$' out 1
	assert_complete
}

views_v2()
{
	v2_alone
	all_views
}

views_v1()
{
	v1_alone pids
	all_views
}

test_v2_alone()
{
	in_mode views_v2
}

test_v1_alone()
{
	in_mode views_v1
}

test_both()
{
	[ -n "$(cgroup2_mount)" ] && [ -n "$(cgroup1_mount pids)" ] || cannot "cgroup v1 and v2 are not both mounted"
	in_mode all_views
}

run_tests "$@"
