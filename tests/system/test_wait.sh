#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# --wait and --follow-restarts: cgroups, ends while waiting, what is refused.
# The container runtimes have their own tests.
. "$(dirname "$0")/lib.sh"

# run_in DIR BASE: a process moves itself into the cgroup and makes 20 marked calls there.
run_in()
{
	sh -c 'echo $$ > "$1/cgroup.procs" && exec "$2" calls "$3" 20' sh "$1" "$ACTORS/marked" "$2" > "$T/run.log" 2>&1 ||
		fail "no process in $1: $(cat "$T/run.log")"
}

# A cgroup that is waited for together with what is around it, made and removed twice.
cgroup_case()
{
	local top=$1/ct$$ dir=$1/ct$$/a/b
	[ -n "$1" ] || cannot "there is no such hierarchy"
	# Paths are as long as the build folder's.
	ct_start --wait --follow-restarts --cgroup "$dir" -s 4096
	until_true 5 grep -q "^ctrace: waiting for cgroup $dir; times are UTC\$" "$T/err" || fail "no opening line: $(cat "$T/err")"
	cgroup_make "$dir"
	# Beside it, and around it.
	mkdir "$top/b" || fail "cannot make $top/b"
	run_in "$top/b" 9000
	run_in "$top/a" 9100
	mkdir "$dir/deep" || fail "cannot make $dir/deep"
	run_in "$dir" 1000
	run_in "$dir/deep" 1100
	rmdir "$dir/deep" "$dir" || fail "cannot remove $dir"
	until_true 20 grep -q '^+++ target b ended +++$' "$T/out" || fail "no line for the directory's end"
	mkdir "$dir" || fail "cannot make $dir again"
	run_in "$dir" 1200
	ct_stop
	assert_status 0
	assert_marked 1000 20
	assert_marked 1100 20
	assert_marked 1200 20
	refute_marked 9000 20
	refute_marked 9100 20
	# The exec is the first thing of those that come in by themselves.
	assert_lines 'execve\("[^"]*/marked", \["[^"]*/marked", "calls", "1000"' out 1
	assert_complete
}

test_cgroup_v2()
{
	cgroup_case "$(cgroup2_mount)"
}

test_cgroup_v1()
{
	cgroup_case "$(cgroup1_mount)"
}

# It ends with the directory when it is not to be followed.
test_cgroup_once()
{
	local mount dir
	mount=$(cgroup2_mount)
	mount=${mount:-$(cgroup1_mount)}
	dir=$mount/ct$$-once
	ct_start --wait --cgroup "$dir"
	cgroup_make "$dir"
	run_in "$dir" 1000
	rmdir "$dir" || fail "cannot remove $dir"
	ct_wait
	assert_status 0
	assert_marked 1000 20
	assert_complete
}

# Nothing ever came: that is a failure, however the waiting ended.
test_never_came()
{
	local mount
	mount=$(cgroup2_mount)
	ct_start --wait --container "ct$$-never"
	ct_stop
	assert_status 1
	assert_lines "^ctrace: container ct$$-never never came\$" err 1
	ct_start --wait --cgroup "${mount:-$(cgroup1_mount)}/ct$$-never" --for 300ms
	ct_wait
	assert_status 1
	assert_lines "^ctrace: cgroup .*/ct$$-never never came\$" err 1
}

# --for counts from the announcement, whether there is anything or not.
test_for()
{
	local begin end
	begin=$(date +%s%N)
	ct_start -q --wait --for 700ms --container "ct$$-never"
	ct_wait
	end=$(date +%s%N)
	assert_status 1
	[ $((end - begin)) -ge 700000000 ] || fail "it ended after $(((end - begin) / 1000000)) ms"
	refute_lines 'waiting for' err
}

# Others are traced meanwhile, and it is no failure that one never came.
test_beside_others()
{
	actor_start a
	ct_start --wait --container "ct$$-never" -p "$ACTOR"
	tell a calls 1000 20
	ct_stop
	assert_status 0
	assert_marked 1000 20
	assert_lines "^ctrace: container ct$$-never never came\$" err 1
	assert_complete
}

test_command_beside()
{
	ct_run --wait --container "ct$$-never" -- "$ACTORS/marked" calls 1000 20
	assert_status 0
	assert_lines 'lseek\(-1, 1000, SEEK_SET\)' err 1
}

test_refused()
{
	local v2 long
	v2=$(cgroup2_mount)
	v2=${v2:-$(cgroup1_mount)}
	long=$(printf 'x%.0s' {1..200})
	ct_run --wait -p 1
	assert_status 2
	assert_lines '^ctrace: --wait needs a container or a cgroup' err 1
	ct_run --follow-restarts --container pid:1
	assert_status 2
	ct_run --wait --container pid:4194303
	assert_status 2
	# Waited for beside another, but no such process.
	ct_run --wait --container pid:4194303 --cgroup /nosuch/cgroup
	assert_status 1
	assert_lines '^ctrace: /nosuch/cgroup: not a directory of a mounted cgroup hierarchy$' err 1
	assert_lines '^ctrace: no such process: 4194303$' err 1
	ct_run --wait --cgroup "$v2/$long/$long"
	assert_status 1
	assert_lines 'File name too long$' err 1
	ct_run --wait --cgroup "$v2/nosuch/../x"
	assert_status 1
	assert_lines 'no such cgroup directory$' err 1
	ct_run --cgroup "$v2/nosuch$$"
	assert_status 1
	assert_lines 'no such cgroup directory$' err 1
}

# A container that ends and comes again under a run that goes on: what it was before is told apart by its end.
test_follow_running()
{
	box_start web
	ct_start --follow-restarts --container "$(box_id web)"
	tell web calls 1000 20
	order web exit 4
	until_true 20 grep -q '^+++ container .* ended: exit 4 +++$' "$T/out" || fail "no end"
	wait "$BOX_RUN"
	runc_ delete --force "$(box_id web)"
	runc_ run --bundle "$T/web" "$(box_id web)" < "$T/web.orders" >> "$T/web.answers" 2> "$T/web.err" &
	defer end_process $!
	until_true 10 box_running "$(box_id web)" || fail "it does not start again: $(cat "$T/web.err")"
	tell web calls 2000 20
	order web exit 5
	until_true 20 grep -q '^+++ container .* ended: exit 5 +++$' "$T/out" || fail "no second end"
	ct_stop
	assert_status 0
	assert_marked 1000 20
	assert_marked 2000 20
	assert_lines '^\+\+\+ container .* started \+\+\+$' out 1
	assert_lines 'execve\("/bin/marked", \["/bin/marked", "serve"\]' out 1
	assert_complete
}

# -P: what a link leads to is looked up in each container that comes.
test_path_of_later_container()
{
	local root=$T/web/rootfs
	box_start web
	ln -s /tmp/first "$root/tmp/link"
	ct_start --follow-restarts --container "$(box_id web)" -P /tmp/link
	assert_lines '^ctrace: Requested path "/tmp/link" resolved into "/tmp/first"$' err 0
	order web exit 4
	until_true 20 grep -q '^+++ container .* ended: exit 4 +++$' "$T/out" || fail "no end"
	wait "$BOX_RUN"
	: > "$root/tmp/second"
	ln -sfn /tmp/second "$root/tmp/link"
	runc_ delete --force "$(box_id web)"
	runc_ run --bundle "$T/web" "$(box_id web)" < "$T/web.orders" >> "$T/web.answers" 2> "$T/web.err" &
	defer end_process $!
	until_true 10 box_running "$(box_id web)" || fail "it does not start again: $(cat "$T/web.err")"
	tell web calls 2000 20
	runc_ exec "$(box_id web)" /bin/cat /tmp/second /etc/passwd > "$T/said" 2>&1
	order web exit 5
	until_true 20 grep -q '^+++ container .* ended: exit 5 +++$' "$T/out" || fail "no second end"
	ct_stop
	assert_status 0
	assert_lines '^ctrace: Requested path "/tmp/link" resolved into "/tmp/second"$' err 1
	assert_lines 'open(at)?\(.*"/tmp/second", O_RDONLY' out 1
	refute_lines 'passwd' out
	assert_complete
}

# The same of one that is waited for from the start; the links of ctrace's own files say nothing of it.
test_path_of_cgroup()
{
	local dir
	dir=$(cgroup2_mount)/ct$$
	[ "$dir" != "/ct$$" ] || cannot "there is no cgroup v2"
	: > "$T/real"
	ln -s real "$T/link"
	ct_start --wait --cgroup "$dir" -P "$T/link" -e trace=%file
	refute_lines 'Requested path' err
	cgroup_make "$dir"
	# shellcheck disable=SC2016
	sh -c 'echo $$ > "$1/cgroup.procs"; cd "$2"; : < real; : < "$2/real"; sleep 0.3; : < "$2/real"; : < /etc/passwd' sh "$dir" "$T" || fail "no process in $dir"
	ct_stop
	assert_lines "^ctrace: Requested path \"$T/link\" resolved into \"$T/real\"\$" err 1
	assert_lines "\"$T/real\", O_RDONLY" out
	refute_lines passwd out
	assert_complete
}

# It is there already: --wait changes nothing.
test_already_there()
{
	box_start web
	ct_start --wait --container "$(box_id web)"
	tell web calls 1000 20
	assert_lines '^ctrace: tracing .*container .*its pid 1 is' err 1
	order web exit 4
	ct_wait
	assert_status 0
	assert_marked 1000 20
	refute_lines ' started \+\+\+$' out
	assert_lines '^\+\+\+ container .* ended: exit 4 \+\+\+$' out 1
	assert_complete
}

run_tests "$@"
