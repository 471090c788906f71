#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The order of the lines, and their times. What steps a clock, takes a CPU away
# or suspends the machine is done in virtual machines: tests/vm/init.sh.
. "$(dirname "$0")/lib.sh"

need_churn()
{
	[ -x "$ACTORS/churn" ] || fail "$ACTORS/churn is not built"
}

# tokens N: two tokens, each in a ring of processes that go from CPU to CPU, and
# load beside them. The number of a marked call is its place in the order of causes.
tokens()
{
	cat > "$T/tokens" <<-END
	cp "$ACTORS/churn" "$T/inside"
	"$T/inside" sleeps 2000 5000000 &
	"$ACTORS/churn" token $1 5 1000000 &
	"$ACTORS/churn" token $1 2 2000000 &
	wait
	END
}

# in_causal_order BASE N: the marked calls are there once each, in the order of their numbers.
in_causal_order()
{
	local wrong
	wrong=$(awk -v base="$1" -v n="$2" '
		BEGIN { next_one = base }
		$1 >= base && $1 < base + n { if ($1 != next_one && !bad) bad = $1 " in place of " next_one; next_one = $1 + 1; seen++ }
		END { if (bad || seen != n) print seen + 0 " of " n " calls; " bad }' "$T/numbers")
	[ -z "$wrong" ] || fail "not in the order of causes: $wrong"
}

test_causes_come_first()
{
	local n=${TOKEN_ROUNDS:-4000}
	need_churn
	tokens "$n"
	ct_start -e signal=none -- bash "$T/tokens"
	ct_wait
	assert_status 0
	assert_complete
	grep -ao 'lseek(-1, [0-9]*' "$T/out" | sed 's/.* //' > "$T/numbers"
	in_causal_order 1000000 "$n"
	in_causal_order 2000000 "$n"
}

# Lines come in the order in which calls ended: strictly so for the calls of a
# task; among tasks on different CPUs one may come late when its CPU was held up
# between the reading of the clock and the record.
test_lines_in_order_of_their_ends()
{
	local n=${TOKEN_ROUNDS:-4000} late=0 worst=0
	need_churn
	tokens "$n"
	ct_start -e signal=none --format json -- bash "$T/tokens"
	ct_wait
	assert_status 0
	assert_complete
	jq -r 'select(.name == "lseek") | .args.offset' "$T/out" > "$T/numbers"
	in_causal_order 1000000 "$n"
	in_causal_order 2000000 "$n"
	jq -r 'select(.type == "syscall" and has("duration")) | "\(.host_tid) \(.time | sub("\\."; " ")) \(.duration)"' "$T/out" > "$T/ends"
	read -r late worst calls < <(awk '
		NR == 1 { base = $2 }
		{
			end = ($2 - base) * 1e9 + $3 + $4
			if (end < of[$1]) wrong++
			of[$1] = end
			if (end < newest) { late++; if (newest - end > worst) worst = newest - end } else newest = end
		}
		END { print wrong ? "wrong" : late + 0, worst / 1000, NR }' "$T/ends")
	[ "$late" != wrong ] || fail "calls of one task are not in their order"
	[ $((late * 1000)) -le "$calls" ] || fail "$late of $calls lines come after one that ended later, by up to $worst µs"
	echo "note: $late of $calls lines late, by at most $worst µs"
}

# By the workload's own clock.
test_stamps_are_the_calls_times()
{
	local verdict
	need_churn
	"$ACTORS/churn" stamps 3000 1000000 300 > "$T/stamps" &
	defer end_process $!
	ct_start -e trace=lseek -ttt -T -p $!
	# Those from before the announcement may or may not be there.
	until_true 20 gone $! || fail "the actor does not end"
	ct_wait
	assert_complete
	from_first_shown
	verdict=$("$ACTORS/churn" judge "$T/stamps.shown" < "$T/out") || fail "$verdict"
	echo "note: $verdict"
}

# The stamps from the first call on that the trace shows.
from_first_shown()
{
	local first
	first=$(grep -ao -m 1 'lseek(-1, [0-9]*' "$T/out" | sed 's/.* //')
	[ "${first:-0}" -lt 1001500 ] || fail "most of the calls were made before ctrace began: $first"
	awk -v first="$first" 'NR == 1 || $1 >= first' "$T/stamps" > "$T/stamps.shown"
}

run_tests "$@"
