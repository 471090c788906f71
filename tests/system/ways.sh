# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# What the tests of ways into a target and out of it share.

need_v2()
{
	V2=$(cgroup2_mount)
	[ -n "$V2" ] || cannot "cgroup v2 is not mounted"
}

need_v1()
{
	V1=$(cgroup1_mount pids)
	[ -n "$V1" ] || cannot "no cgroup v1 hierarchy is mounted"
}

# assert_tasks FILTER: jq, on the tasks of the status file.
assert_tasks()
{
	jq -e ".tasks | $1" "$T/$status" > /dev/null || fail "not $1: $(jq -c .tasks "$T/$status")"
}

# On both hierarchies of cgroups that the machine has.
on_each()
{
	local what=$1 mount
	shift
	for mount in "$@"; do
		[ -n "$mount" ] || continue
		out=out$done err=err$done status=status$done "$what" "$mount" "a$done"
		done=$((done + 1))
	done
	[ "$done" -gt 0 ] || cannot "no cgroup file system"
}
done=0

# headless_ready PID: its first thread has ended, and another one lives.
headless_ready()
{
	[ "$(awk '{ print $3 }' "/proc/$1/stat")" = Z ] && [ "$(ls "/proc/$1/task" | wc -l)" = 2 ]
}

# assert_incomplete WORD: and the cause has that word.
assert_incomplete()
{
	assert_identity
	assert_lines "^ctrace: coverage incomplete \(.*$1" "$err" 1
	jq -e --arg word "$1" '.complete == false and any(.why[]; contains($word))' "$T/$status" > /dev/null || fail "not for $1: $(cat "$T/$status")"
}

# A second ctrace beside the first: its pid is SECOND, the first one's stays CT.
ct_second()
{
	local first=$CT
	ct_start "$@"
	SECOND=$CT
	CT=$first
}
