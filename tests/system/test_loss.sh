#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Losses: provoked by a small ring and a reader that stands still, and told to
# the last call. The actor counts its own calls, by name, so that what is shown
# and what is lost can be added up: none is missing, and none was made up.
#   LOSS_ROUNDS=20     rounds of each kind, 5 by default
. "$(dirname "$0")/lib.sh"

ROUNDS=${LOSS_ROUNDS:-5}
# Kinds of calls that a line of losses has room for, less the actor's own two.
FEW=12

# churn_start NAME: the actor that counts. Its pid is ACTOR.
churn_start()
{
	[ -x "$ACTORS/churn" ] || fail "$ACTORS/churn is not built"
	actor_files "$1"
	"$ACTORS/churn" serve "$T/$1.board" < "$T/$1.orders" > "$T/$1.answers" 2> "$T/$1.err" &
	ACTOR=$!
	defer end_process "$ACTOR"
	tell "$1" mix 1 1
}

# Waits until the actor sleeps: it does so in its own read alone.
settled()
{
	until_true 20 sleeps "$ACTOR" || fail "the actor does not come to rest"
}

sleeps()
{
	grep -q '^State:[[:space:]]*S' "/proc/$1/status"
}

sums()
{
	"$ACTORS/churn" sums "$T/$1.board" | sort
}

# What a text trace shows and what it says is lost: "name count" each.
shown_text()
{
	grep -ao '^[0-9]* *[a-z_0-9]*(' "$T/$out" | sed 's/(//; s/.* //' | sort | uniq -c | awk '{ print $2, $1 }'
}

lost_text()
{
	sed -n 's/.*+++ lost [0-9]* calls\{0,1\} ([a-z0-9 ,]*): \(.*\) +++$/\1/p' "$T/$out" | tr ',' '\n' |
		awk 'NF { n[$1] += $2 } END { for (i in n) print i, n[i] }' | sort
}

shown_json()
{
	jq -r 'select(.type == "syscall") | .name' "$T/$out" | sort | uniq -c | awk '{ print $2, $1 }'
}

lost_json()
{
	jq -r 'select(.type == "lost") | .by_call[] | "\(.name) \(.calls)"' "$T/$out" |
		awk '{ n[$1] += $2 } END { for (i in n) print i, n[i] }' | sort
}

# balance FORM BEFORE AFTER: for each kind, shown + lost = made. The read that
# the actor sat in at the start has ended since, and the one it sits in now is
# shown as detached: one more than it has counted.
balance()
{
	local wrong
	"shown_$1" > "$T/shown"
	"lost_$1" > "$T/lost"
	wrong=$(awk '
		FILENAME ~ /before$/ { n[$1] -= $2; next }
		FILENAME ~ /after$/ { n[$1] += $2; next }
		{ n[$1] -= $2 }
		END { n["read"]++; for (i in n) if (n[i]) printf "%s%s %+d", sep++ ? ", " : "", i, -n[i] }' "$2" "$3" "$T/shown" "$T/lost")
	[ -z "$wrong" ] || fail "shown + lost is not what was made: $wrong (of $(awk '{ n += $2 } END { print n }' "$T/lost") lost)"
}

# The kernel's own counters against the trace: delivered are the lines but
# those of calls that had not ended, lost are those of the lines that say so.
counters_agree()
{
	local lines lost
	if [ "$1" = json ]; then
		lines=$(jq -r 'select(.type == "syscall" and has("ret")) | .name' "$T/$out" | wc -l)
		lost=$(jq -s '[.[] | select(.type == "lost") | .calls] | add // 0' "$T/$out")
	else
		lines=$(grep -a '^[0-9]* *[a-z_0-9]*(' "$T/$out" | grep -avc '<detached \.\.\.>$')
		lost=$(sed -n 's/.*+++ lost \([0-9]*\) call.*/\1/p' "$T/$out" | awk '{ n += $1 } END { print n + 0 }')
	fi
	assert_equal "$(jq '.calls.delivered' "$T/$status")" "$lines" "delivered, against the lines of calls"
	assert_equal "$(jq '.calls.lost.ring_full' "$T/$status")" "$lost" "lost.ring_full, against the lines of losses"
	assert_equal "$(jq '[.calls.lost[]] | add' "$T/$status")" "$lost" "the sum of the causes"
	assert_equal "$(jq '.calls.written' "$T/$status")" "$lines" "written"
	assert_identity
}

# Wherever marked numbers are missing between two lines, a line of losses is
# between them, and it says how many: one of each gap, and none elsewhere.
gaps_are_marked()
{
	local wrong
	wrong=$(awk '
		/\+\+\+ lost / { told = 1; for (i = 1; i < NF; i++) if ($i == "lseek") count += $(i + 1) }
		/lseek\(-1, / {
			x = $0; sub(/.*lseek\(-1, /, "", x); sub(/,.*/, "", x); x += 0
			if (seen && x <= last) bad = bad " " last " before " x
			if (seen && x != last + 1) { gaps++; if (!told) bad = bad " " last ".." x " without a line" }
			if (seen && x - last - 1 != count) bad = bad " " last ".." x " told as " count + 0
			last = x; seen = 1; told = count = 0
		}
		END { if (bad) print bad; else if (!gaps) print " none" }' "$T/out")
	[ -z "$wrong" ] || fail "gaps:$(cut -c 1-200 <<< "$wrong")"
	gaps=$((${gaps:-0} + $(grep -c '+++ lost ' "$T/out")))
}

# one_loss FORM TARGET-OPTION TARGET KINDS ARG...: the reader stands still in
# the middle, once, or (stutter) again and again while the actor runs on.
one_loss()
{
	local form=$1 kinds=$4 option=$2 target=$3 i
	shift 4
	settled
	sums a > "$T/before"
	ct_start "$option" "$target" --format "$form" --buffer 64K -e signal=none "$@"
	tell a mix 10 "$kinds"
	if [ -n "${stutter:-}" ]; then
		for ((i = 0; i < 4; i++)); do
			kill -STOP "$CT"
			tell a mix 400 "$kinds"
			kill -CONT "$CT"
			tell a mix 200 "$kinds"
		done
	else
		kill -STOP "$CT"
		tell a mix 2000 "$kinds"
		kill -CONT "$CT"
		until_true 10 grep -aq 'lost' "$T/$out" || fail "no line of losses"
		tell a mix 10 "$kinds"
	fi
	settled
	# Its last read has begun, so that it is in flight when ctrace ends.
	ct_stop
	sums a > "$T/after"
	assert_equal "$CT_STATUS" "${want_status:-0}" "exit status"
	[ "$(jq .calls.lost.ring_full "$T/$status")" -gt 1000 ] || fail "hardly anything was lost"
	jq -e '.complete == false' "$T/$status" > /dev/null || fail "complete, though calls were lost"
	total=$((${total:-0} + $(jq .calls.lost.ring_full "$T/$status")))
}

rounds()
{
	local form=$1 i
	shift
	churn_start a
	for ((i = 0; i < ROUNDS; i++)); do
		one_loss "$form" -p "$ACTOR" "$FEW" "$@"
		balance "$form" "$T/before" "$T/after"
		counters_agree "$form"
		[ "$form" = json ] || gaps_are_marked
	done
	echo "note: $ROUNDS rounds, $total calls lost${gaps:+ in $gaps gaps}, each accounted for"
}

test_every_lost_call_is_told()
{
	rounds text
}

test_every_lost_call_is_told_json()
{
	rounds json
}

test_reader_that_stutters()
{
	stutter=1 rounds text
}

# The same for a cgroup, with --strict, which then says so by its exit status.
test_cgroup_and_strict()
{
	local mount dir
	mount=$(cgroup2_mount)
	[ -n "$mount" ] || cannot "cgroup v2 is not mounted"
	dir=$mount/ct$$
	cgroup_make "$dir"
	churn_start a
	echo "$ACTOR" > "$dir/cgroup.procs"
	want_status=3 one_loss text --cgroup "$dir" "$FEW" --strict
	balance text "$T/before" "$T/after"
	counters_agree text
	# Complete: 0.
	ct_start -p "$ACTOR" --strict
	tell a mix 10 "$FEW"
	ct_stop
	assert_status 0
	assert_complete
}

# With a filter the calls that it leaves out are counted as filtered, lost or not.
test_filtered_calls()
{
	local filtered
	churn_start a
	one_loss text -p "$ACTOR" "$FEW" -e 'trace=!getppid,futex'
	filtered=$(($(made getppid) + $(made futex)))
	assert_equal "$(jq .calls.filtered "$T/$status")" "$filtered" "filtered calls"
	sed -i '/^getppid \|^futex /d' "$T/before" "$T/after"
	balance text "$T/before" "$T/after"
	counters_agree text
}

# made NAME: how many of them the actor made during the trace.
made()
{
	awk -v name="$1" '$1 == name { n = FILENAME ~ /after$/ ? n + $2 : n - $2 } END { print n + 0 }' "$T/before" "$T/after"
}

# More kinds than a line of losses has room for: the rest is told as one number.
test_many_kinds()
{
	local form made shown lost
	churn_start a
	for form in text json; do
		one_loss "$form" -p "$ACTOR" 99
		counters_agree "$form"
		made=$(awk '{ n = FILENAME ~ /after$/ ? n + $2 : n - $2 } END { print n }' "$T/before" "$T/after")
		shown=$("shown_$form" | awk '{ n += $2 } END { print n }')
		lost=$(jq .calls.lost.ring_full "$T/$status")
		assert_equal $((shown + lost)) $((made + 1)) "calls shown or lost"
		if [ "$form" = text ]; then
			assert_lines '\+\+\+ lost [0-9]+ calls \(ring full\): .*, others [0-9]+ \+\+\+$' out
			# Each line adds up to its own total.
			awk '/\+\+\+ lost / {
				total = $0; sub(/.*\+\+\+ lost /, "", total); total += 0
				rows = $0; sub(/.*\): /, "", rows); n = split(rows, row, ", ")
				for (i = 1; i <= n; i++) { split(row[i], part, " "); total -= part[2] }
				if (total) exit 1
			}' "$T/out" || fail "a line of losses does not add up"
		else
			jq -se '[.[] | select(.type == "lost") | .calls == .ring_full + .too_big and ([.by_call[].calls] | add) <= .calls] | all' "$T/out" > /dev/null ||
				fail "a record of losses does not add up"
		fi
	done
}

# A slow command that takes the output: ctrace waits for it, the ring fills, all is told.
test_slow_reader()
{
	churn_start a
	settled
	sums a > "$T/before"
	ct_launch -o "|(sleep 1.5; cat) > $T/out" -p "$ACTOR" --buffer 64K -e signal=none
	ct_ready
	tell a mix 4000 "$FEW"
	settled
	ct_stop
	sums a > "$T/after"
	assert_status 0
	[ "$(jq .calls.lost.ring_full "$T/status")" -gt 0 ] || fail "nothing was lost"
	balance text "$T/before" "$T/after"
	counters_agree text
}

# A reader that stands still for seconds loses nothing, if the ring holds it all.
test_stopped_and_large_enough()
{
	churn_start a
	settled
	sums a > "$T/before"
	ct_start -p "$ACTOR" --buffer 32M --strict -e signal=none
	kill -STOP "$CT"
	tell a mix 5000 "$FEW"
	sleep 2
	tell a mix 10 "$FEW"
	kill -CONT "$CT"
	settled
	ct_stop
	sums a > "$T/after"
	assert_status 0
	assert_complete
	balance text "$T/before" "$T/after"
	counters_agree text
}

# Records that were taken out of the ring and not written are not delivered:
# the statement says how many, and never "complete".
test_output_that_ends()
{
	local lines
	mkdir "$T/small"
	mount -t tmpfs -o size=64k none "$T/small" || cannot "unable to mount a tmpfs"
	defer umount "$T/small"
	churn_start a
	ct_launch -o "$T/small/out" -p "$ACTOR" -e signal=none --strict
	ct_ready
	tell a mix 2000 "$FEW"
	gone "$CT" || until_true 10 gone "$CT" || ct_stop
	ct_wait
	assert_status 1
	# What is there are whole lines but the last, and their number is what the statement calls written.
	lines=$(grep -ac '^[0-9]* *[a-z_0-9]*(.*= ' "$T/small/out")
	not_all_written "$lines"
	assert_lines '^ctrace: .*No space left on device' err
	# head takes one line.
	ct_launch -o "|head -n 1 > $T/head" -p "$ACTOR" -e signal=none --strict
	ct_ready
	tell a mix 20000 "$FEW"
	gone "$CT" || until_true 10 gone "$CT" || ct_stop
	ct_wait
	[ "$CT_STATUS" != 0 ] || fail "exit status 0, though the output was closed"
	assert_equal "$(wc -l < "$T/head")" 1 "lines that head got"
	not_all_written
}

# not_all_written [LINES]: the statement of an output that ended early.
not_all_written()
{
	jq -e '.complete == false and .calls.written < .calls.delivered and .calls.written > 0' "$T/status" > /dev/null ||
		fail "not all was written: $(cat "$T/status")"
	assert_identity
	assert_lines '^ctrace: coverage incomplete \(.*[0-9]+ of [0-9]+ calls were not written' err 1
	[ $# = 0 ] || [ "$(jq .calls.written "$T/status")" -le "$1" ] || fail "$(jq .calls.written "$T/status") calls written, and $1 in the file"
}

# Killed in the middle of a loss, nothing stays attached, and the next run is complete.
test_killed_while_losing()
{
	churn_start a
	ct_start -p "$ACTOR" --buffer 64K -e signal=none
	bpf_objects "$CT" > "$T/objects"
	kill -STOP "$CT"
	tell a mix 500 "$FEW"
	kill -KILL "$CT"
	wait "$CT" 2>/dev/null
	assert_detached "$T/objects"
	settled
	sums a > "$T/before"
	ct_start -p "$ACTOR" --strict -e signal=none
	tell a mix 100 "$FEW"
	settled
	ct_stop
	sums a > "$T/after"
	assert_status 0
	assert_complete
	balance text "$T/before" "$T/after"
}

run_tests "$@"
