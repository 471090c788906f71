# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Rounds of the workload actor (tests/actors/workload.c), whose every task knows
# its calls, and the comparison of the trace with it.
# LONG=1: many more of them. SEED: of the random moments, as a run before named it.
coverage_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../lib.sh
. "$coverage_dir/../lib.sh"
LONG=${LONG:-}
SEED=${SEED:-$$}
RANDOM=$SEED

sum_rounds=0
sum_tasks=0
sum_calls=0
sum_refused=0

# Rounds of LONG=1, or of CI.
by_length()
{
	if [ -n "$LONG" ]; then echo "$1"; else echo "$2"; fi
}

# random_sleep MS: from nothing to so long.
random_sleep()
{
	sleep "$(printf '0.%03d' $((RANDOM % ($1 + 1))))"
}

now_ns()
{
	date +%s%N
}

# Nanoseconds since the epoch of the status file's "since".
status_since()
{
	jq -r .since "$T/$status" | tr -d .
}

# field NAME: of the last comparison.
field()
{
	sed -n "s/.*[ ;]$1 \([0-9]*\).*/\1/p" <<< " ${verdict%%$'\n'*}"
}

# compare BOARD [UNTIL]: sets verdict; false if the trace is not the workload's.
compare()
{
	verdict=$("$ACTORS/workload" check "$1" "$(status_since)" ${2:+"$2"} < "$T/$out")
}

# Each marked call begun after the announcement is there once, and nothing that must not be.
assert_workload()
{
	compare "$@" || fail "seed $SEED: $(tr '\n' ';' <<< "$verdict") $(tail -n 1 "$T/$err")"
	sum_rounds=$((sum_rounds + 1))
	sum_tasks=$((sum_tasks + $(field tasks)))
	sum_calls=$((sum_calls + $(field due)))
	sum_refused=$((sum_refused + $(field refused)))
}

# The calls of WHAT that were due, for whoever reads the results.
report()
{
	local refused=
	[ "$sum_refused" = 0 ] || refused=", $sum_refused tasks not allowed by the container"
	echo "note: $sum_rounds rounds, $sum_tasks tasks, $sum_calls calls due and seen$refused; seed $SEED"
}

# workload_start BOARD [NAME=VALUE...]: on the host, in cgroup $work_cgroup if that is set. WORK is its pid.
workload_start()
{
	local board=$1
	shift
	if [ -n "${work_cgroup:-}" ]; then
		# shellcheck disable=SC2016
		sh -c 'echo 0 > "$0"/cgroup.procs; exec "$@"' "$work_cgroup" "$ACTORS/workload" run "$board" "$@" > "$board.sums" 2> "$board.err" &
	else
		"$ACTORS/workload" run "$board" "$@" > "$board.sums" 2> "$board.err" &
	fi
	WORK=$!
	defer end_process "$WORK"
	defer "$ACTORS/workload" stop "$board"
	until_true 10 test -s "$board" || fail "the workload does not start: $(cat "$board.err")"
}

workload_end()
{
	until_true 60 child_gone "$WORK" || fail "the workload does not end"
	wait "$WORK" || fail "the workload failed: $(cat "$1.err")"
}

# Cgroups for a workload to move in: $1 is the target, $1-out is none.
hop_dirs()
{
	cgroup_make "$1"
	cgroup_make "$1-out"
	mkdir "$1/a" "$1/b" "$1/t" "$1/t/x" "$1/t/y" || fail "cannot make cgroups in $1"
	[ ! -e "$1/t/x/cgroup.type" ] || echo threaded | tee "$1/t/x/cgroup.type" > "$1/t/y/cgroup.type" || cannot "no threaded cgroups"
}
