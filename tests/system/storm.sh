# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Rounds of the storm actor (tests/actors/storm.c) for whatever runs it.

storm_times=()
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
	*) fail "$storm_last; $(grep -a 'ctrace: coverage' "$T/err")" ;;
	esac
	assert_complete
	ms=${storm_last##*announced }
	ms=${ms%% ms*}
	storm_times+=("$ms")
	storm_tasks=$((storm_tasks + $(awk '{ print $2 + 0 }' <<< "$storm_last")))
	storm_calls=$((storm_calls + $(sed 's/.*calls [0-9]*: \([0-9]*\) due.*/\1/' <<< "$storm_last")))
}

# Says what was measured, and holds the announcement to its time: the median to
# 150 ms, and each to twice that, since a virtual machine's neighbours take
# their share of single rounds.
storm_report()
{
	local sorted median worst
	sorted=$(printf '%s\n' "${storm_times[@]}" | sort -n)
	median=$(sed -n "$(((${#storm_times[@]} + 1) / 2))p" <<< "$sorted")
	worst=$(tail -n 1 <<< "$sorted")
	echo "note: $1 rounds of $2, $storm_tasks tasks, $storm_calls calls due and seen; announced $median ms after exec in the median, at most $worst"
	awk -v m="$median" -v w="$worst" -v max="$ANNOUNCED_MAX_MS" 'BEGIN { exit !(m <= max && w <= 2 * max) }' ||
		fail "announced $median ms after exec in the median, at most $worst, more than $ANNOUNCED_MAX_MS and twice that"
}
