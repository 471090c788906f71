#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Strangers and impossible durations: pids that are taken again all the time,
# and traces that begin and end in the middle of calls, of execs, of kills for
# want of memory, and of a container's restart.
#   CHURN_ROUNDS=40    attaches of each kind, 6 by default
. "$(dirname "$0")/lib.sh"

ROUNDS=${CHURN_ROUNDS:-6}
STRANGERS=10000000

need_churn()
{
	[ -x "$ACTORS/churn" ] || fail "$ACTORS/churn is not built"
}

# Marked calls of strangers: there must not be one, nor any other line of theirs.
refute_strangers()
{
	refute_lines "lseek\(-1, $((STRANGERS / 1000000))[0-9]{6}, SEEK_SET" out
	refute_lines '<(churn|outside)>|"comm":"(churn|outside)"' out
}

# --- pids that are taken again -----------------------------------------------------

# Three times round all the pids of the machine, while a small target makes and
# loses tasks of its own.
wraps()
{
	local max rounds=0 wrap wrapped
	need_churn
	max=$(cat /proc/sys/kernel/pid_max)
	[ "$max" -le 65536 ] || cannot "three times round $max pids takes too long"
	ct_start "$@" -Y
	"$ACTORS/churn" wrap $((3 * max)) "$STRANGERS" > "$T/wrapped" &
	wrap=$!
	defer end_process "$wrap"
	while ! gone "$wrap"; do
		tell a fork $((1000 + 20 * rounds)) 10
		tell a orphan $((1010 + 20 * rounds)) 10
		rounds=$((rounds + 1))
		sleep 0.02
	done
	wait "$wrap" || fail "the strangers failed"
	ct_stop
	wrapped=$(cat "$T/wrapped")
	[ "$wrapped" -ge 3 ] || fail "the pids began anew $wrapped times, not 3"
	refute_strangers
	assert_marked 1000 $((20 * rounds))
	assert_complete
	echo "note: $((3 * max)) strangers, $((3 * rounds)) tasks of the target's own, the pids began anew $wrapped times"
}

test_three_wraps_process()
{
	actor_start a
	wraps -p "$ACTOR"
}

test_three_wraps_cgroup()
{
	actor_in_cgroup
	wraps --cgroup "$dir"
}

# In a cgroup of its own; its path is $dir.
actor_in_cgroup()
{
	make_cgroup
	actor_start a
	echo "$ACTOR" > "$dir/cgroup.procs"
}

make_cgroup()
{
	local mount
	mount=$(cgroup2_mount)
	[ -n "$mount" ] || mount=$(cgroup1_mount pids)
	[ -n "$mount" ] || cannot "no cgroup file system"
	dir=$mount/ct$$
	cgroup_make "$dir"
}

# The very pid of a task that has just ended, in turn for a stranger and for one of the target.
reused()
{
	local n=300 member churn again
	mkfifo "$T/go"
	"$ACTORS/churn" reuse "$n" 1000 "$STRANGERS" > "$T/reuse" < "$T/go" 2> "$T/reuse.err" &
	churn=$!
	defer end_process "$churn"
	exec 7> "$T/go"
	until_true 10 test -s "$T/reuse" || fail "no member: $(cat "$T/reuse.err")"
	member=$(head -n 1 "$T/reuse")
	if [ "$1" = -p ]; then
		ct_start -p "$member"
	else
		echo "$member" > "$dir/cgroup.procs"
		ct_start --cgroup "$dir"
	fi
	echo >&7
	until_true 30 gone "$churn" || fail "the strangers do not end"
	wait "$churn" || fail "the strangers failed: $(cat "$T/reuse.err")"
	gone "$CT" || [ "$1" = -p ] || ct_stop
	ct_wait
	again=$(tail -n 1 "$T/reuse")
	# Others make tasks here as well, and take a pid now and then.
	[ "$again" -ge $((n / 2)) ] || fail "only $again of $n pids could be had again"
	refute_lines "lseek\(-1, $((STRANGERS / 1000000))[0-9]{6}, SEEK_SET" out
	assert_marked 1000 $((2 * n))
	assert_complete
	echo "note: $again of $n pids taken again at once by a stranger, and then by the target"
}

test_pid_reused_at_once_process()
{
	need_churn
	reused -p
}

test_pid_reused_at_once_cgroup()
{
	need_churn
	make_cgroup
	reused --cgroup
}

# --- durations ------------------------------------------------------------------------

# possible FROM TO: every call of the JSON trace lies between these two times
# (ns since 1970). One that was seen from its entry on to its end has a duration,
# any other has none, and a sleep took as long as was asked for.
possible()
{
	local wrong
	wrong=$(jq -c --argjson base "${1%?????????}" --argjson to "$(($2 - ${1%?????????} * 1000000000))" --argjson from "$((10#${1: -9}))" '
		def since_base: split(".") | ((.[0] | tonumber) - $base) * 1000000000 + (.[1] | tonumber);
		def partly: any(.notes[]?.note; . == "begun_before" or . == "in_flight" or . == "no_return" or . == "denied_by_seccomp" or . == "degraded");
		def asked: .args.request | .tv_sec * 1000000000 + .tv_nsec;
		select(.type == "syscall") | (.time | since_base) as $time |
		select(
			(has("duration") == partly) or ((.duration // 0) < 0) or
			(any(.notes[]?.note; . == "in_flight") | not) and $time + (.duration // 0) > $to or
			$time < $from or
			(has("duration") and .name == "clock_nanosleep" and .ret == 0 and .args.flags == [] and .duration < asked)
		)' "$T/$out" 2>&1 | head -n 2)
	[ -z "$wrong" ] || fail "an impossible call in a trace of $((($2 - $1) / 1000000)) ms: $wrong"
	calls=$((${calls:-0} + $(grep -c '"type":"syscall"' "$T/$out")))
	before=$((${before:-0} + $(grep -c '"begun_before"' "$T/$out")))
	flying=$((${flying:-0} + $(grep -c '"in_flight"' "$T/$out")))
}

# glance ARG...: a trace of about a fifth of a second, in JSON.
glance()
{
	local from
	from=$(date +%s%N)
	ct_start --format json "$@"
	sleep "${glance_time:-0.2}"
	gone "$CT" || kill -INT "$CT"
	ct_wait
	possible "$from" "$(date +%s%N)"
}

# sleepers NAME MS: tasks that are in the middle of something; the pid is SLEEPERS.
sleepers()
{
	need_churn
	[ -x "$T/$1" ] || cp "$ACTORS/churn" "$T/$1"
	"$T/$1" sleeps "$2" "$([ "$1" = outside ] && echo "$STRANGERS" || echo 0)" > /dev/null 2>&1 &
	SLEEPERS=$!
	defer end_process "$SLEEPERS"
}

told()
{
	echo "note: ${1:-$ROUNDS} attaches, $calls calls, $before begun before and $flying in flight at the end"
}

# Process and cgroup, in turn.
test_in_the_middle_of_calls_and_execs()
{
	local i pid
	make_cgroup
	sleepers outside 60000
	sleepers inside 60000
	pid=$SLEEPERS
	echo "$pid" > "$dir/cgroup.procs"
	for ((i = 0; i < ROUNDS; i++)); do
		if ((i % 2)); then glance -p "$pid"; else glance --cgroup "$dir"; fi
		assert_status 0
		assert_complete
		refute_strangers
		assert_lines '"comm":"inside"' out
	done
	[ "$before" -gt 0 ] && [ "$flying" -gt 0 ] || fail "no call was begun before ($before), or in flight ($flying)"
	told
}

# The same in text: no negative duration, calls in flight are shown as detached,
# those that began before have none.
test_in_the_middle_in_text()
{
	local n max
	sleepers inside 60000
	ct_start -p "$SLEEPERS" -ttt -T
	sleep 0.2
	ct_stop
	assert_complete
	assert_lines '<detached \.\.\.>$' out "$(jq .calls.in_flight "$T/$status")"
	refute_lines '<-|<detached \.\.\.> <' out
	awk '/>$/ && /<[0-9]+\.[0-9]+>$/ { d = $NF; gsub(/[<>]/, "", d); if (d + 0 > 10) exit 1; n++ } END { if (n < 100) exit 1 }' "$T/out" ||
		fail "a call that took longer than the trace, or hardly any calls"
	# Calls whose beginning was not seen have no duration, and no others: begun
	# before, or begun while ctrace let go. (Some of them do not return either.)
	n=$(grep -a '(' "$T/out" | grep -avcE '<[0-9]+\.[0-9]+>$|\+\+\+|---|= \?$|<detached')
	max=$(jq '.calls | .begun_before + .degraded' "$T/status")
	[ "$n" -ge 1 ] && [ "$n" -le "$max" ] || fail "$n calls without a duration, and $max whose beginning was not seen"
}

# In a cgroup whose tasks are killed for want of memory, one after the other.
test_in_the_middle_of_oom_kills()
{
	local i mount pid kills=0
	need_churn
	memory_cgroup
	cp "$ACTORS/churn" "$T/inside"
	sleepers outside 60000
	(echo 0 > "$dir/cgroup.procs" 2>/dev/null; exec bash -c 'echo $$ > "$1/cgroup.procs"; exec "$2" hog 64' sh "$dir" "$T/inside") 2> "$T/hog.err" &
	pid=$!
	defer end_process "$pid"
	until_true 10 oom_kills 1 || fail "nobody is killed in $dir: $(cat "$T/hog.err")"
	for ((i = 0; i < ROUNDS; i++)); do
		glance --cgroup "$dir"
		assert_status 0
		assert_complete
		refute_strangers
		kills=$((kills + $(grep -c '"type":"exit".*"oom_killed":true' "$T/out")))
	done
	[ "$kills" -gt 0 ] || fail "no kill was seen"
	gone "$pid" && fail "the parent of those that are to be killed was killed itself"
	told
}

# A cgroup that has 16 MiB of memory and no swap; $dir.
memory_cgroup()
{
	local mount
	mount=$(cgroup1_mount memory)
	if [ -n "$mount" ]; then
		dir=$mount/ct$$
		cgroup_make "$dir"
		echo 16777216 > "$dir/memory.limit_in_bytes" || cannot "no limit of memory"
		echo 16777216 > "$dir/memory.memsw.limit_in_bytes" 2> /dev/null
		return
	fi
	mount=$(cgroup2_mount)
	grep -qw memory "$mount/cgroup.controllers" 2> /dev/null && echo +memory > "$mount/cgroup.subtree_control" || cannot "no memory controller"
	dir=$mount/ct$$
	cgroup_make "$dir"
	echo 16777216 > "$dir/memory.max"
	echo 0 > "$dir/memory.swap.max" 2> /dev/null
}

oom_kills()
{
	local n
	n=$(cat "$dir/memory.oom_control" "$dir/memory.events" 2> /dev/null | awk '$1 == "oom_kill" { print $2 }')
	[ "${n:-0}" -ge "$1" ]
}

# A container that is killed and started again by the same name, all the time.
test_in_the_middle_of_restarts()
{
	local i id runs=0 from
	need_churn
	id=$(box_id web)
	box_cgroup=/$id box_make web /bin/churn sleeps 60000 0
	cp "$ACTORS/churn" "$T/web/rootfs/bin/inside"
	sed -i 's|"/bin/churn"|"/bin/inside"|' "$T/web/config.json"
	sleepers outside 60000
	defer runc_ delete --force "$id"
	touch "$T/go-on"
	restarts "$id" > "$T/restarts.log" 2>&1 &
	defer end_process $!
	defer rm -f "$T/go-on"
	for ((i = 0; i < 4 * ROUNDS && runs < ROUNDS; i++)); do
		until_true 10 box_running "$id" || fail "the container does not start: $(tail -n 2 "$T/restarts.log")"
		from=$(date +%s%N)
		timeout -s INT -k 5 0.6 "$CTRACE" --format json --container "$id" --status-file "$T/status" > "$T/out" 2> "$T/err"
		CT_STATUS=$?
		# Timeout says 124 for a run that it ended and that ended well; gone again before it was found: 1.
		case $CT_STATUS in
		0 | 124) runs=$((runs + 1)) ;;
		1) continue ;;
		*) fail "exit status $CT_STATUS: $(tail -n 2 "$T/err")" ;;
		esac
		possible "$from" "$(date +%s%N)"
		assert_complete
		refute_strangers
	done
	[ "$runs" -ge $((ROUNDS / 2)) ] || fail "only $runs of $i runs found the container: $(tail -n 1 "$T/err")"
	told "$runs"
}

restarts()
{
	while [ -e "$T/go-on" ]; do
		runc_ run --detach --bundle "$T/web" "$1" < /dev/null > /dev/null
		sleep 0.4
		runc_ delete --force "$1"
	done
}

run_tests "$@"
