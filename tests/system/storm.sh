# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Rounds of the storm actor (tests/actors/storm.c) for whatever runs it.

storm_worst=0
storm_calls=0
storm_tasks=0
storm_last=
ANNOUNCED_MAX_MS=${ANNOUNCED_MAX_MS:-150}

# Nanoseconds since the epoch of the status file's "since".
status_since()
{
	jq -r .since "$T/$status" | tr -d .
}

# storm_round BOARD TARGET [OPTION]: starts ctrace in the storm on BOARD, stops
# the storm one second after the announcement, and compares. 1: does not count.
storm_round()
{
	local board=$1 code=0 ms
	storm_last=$("$ACTORS/storm" wait "$board" 100 2>&1) || fail "the storm does not rise: $storm_last"
	ct_before="$ACTORS/storm exec $board" ct_start "${3:---container}" "$2"
	sleep 1
	"$ACTORS/storm" stop "$board"
	ct_wait
	assert_status 0
	storm_last=$("$ACTORS/storm" check "$board" "$(status_since)" < "$T/$out") || code=$?
	case $code in
	0) ;;
	3) return 1 ;;
	*) fail "$storm_last" ;;
	esac
	assert_complete
	ms=${storm_last##*announced }
	ms=${ms%% ms*}
	storm_worst=$(awk -v a="$storm_worst" -v b="$ms" 'BEGIN { print (b > a ? b : a) }')
	storm_tasks=$((storm_tasks + $(awk '{ print $2 + 0 }' <<< "$storm_last")))
	storm_calls=$((storm_calls + $(sed 's/.*calls [0-9]*: \([0-9]*\) due.*/\1/' <<< "$storm_last")))
}

# Says what was measured, and holds the announcement to its time.
storm_report()
{
	echo "note: $1 rounds of $2, $storm_tasks tasks, $storm_calls calls due and seen; announced at most $storm_worst ms after exec"
	awk -v w="$storm_worst" -v m="$ANNOUNCED_MAX_MS" 'BEGIN { exit !(w <= m) }' ||
		fail "announced $storm_worst ms after exec, more than $ANNOUNCED_MAX_MS"
}
