#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Calls that are written when they begin: --split, and what blocks on a terminal.
. "$(dirname "$0")/lib.sh"

# Each "resumed" of $T/out has its "unfinished" before it, of the same task and call.
assert_pairs()
{
	local wrong
	wrong=$(awk '
		/ <unfinished \.\.\.>$/ {
			name = $2; sub(/\(.*/, "", name)
			if (name != "<...") open[$1] = name
		}
		$2 == "<..." && $4 ~ /^resumed>/ {
			if (open[$1] != $3) print
			delete open[$1]
		}' "$T/$out")
	[ -z "$wrong" ] || fail "resumed and not begun: $(head -n 3 <<< "$wrong")"
}

# assert_marked, also of calls that are split: all their arguments are in the first line.
assert_marked_split()
{
	sed -i 's/SEEK_SET <unfinished/SEEK_SET) <unfinished/' "$T/$out"
	assert_marked "$@"
}

# In the order in which they begin: the parent waits first, and the child's calls come between.
test_pairs()
{
	ct_run --split -o "$T/trace" --status-file "$T/status" -- "$ACTORS/marked" fork 1000 5000 / exit 7
	assert_status 7
	out=trace assert_marked_split 1000 5000
	out=trace assert_pairs
	assert_complete
	assert_lines '^[0-9]+ +wait4\([0-9-]+ <unfinished \.\.\.>$' trace 1
	assert_lines '^[0-9]+ +<\.\.\. wait4 resumed>, \[\{WIFEXITED\(s\) && WEXITSTATUS\(s\) == 0\}\], 0, NULL\) = [0-9]+$' trace 1
	awk '/ wait4\(/ { begun = NR } /<\.\.\. wait4 resumed>/ { ended = NR } /lseek\(-1, 5999/ { last = NR }
		END { exit !(begun < last && last < ended) }' "$T/trace" || fail "the order is another: $(cat "$T/trace")"
}

# Input that cannot be read yet is told with the end of its call: neither missing, nor an address for ever.
test_not_resident()
{
	ct_run --split -o "$T/trace" --status-file "$T/status" -- "$ACTORS/calls_late" blocked
	assert_complete
	out=trace assert_pairs
	assert_lines '^[0-9]+ +write\([0-9]+ <unfinished \.\.\.>$' trace 1
	assert_lines '^[0-9]+ +<\.\.\. write resumed>, "late", 4\) += 4$' trace 1
	# Alone it is whole.
	ct_run --split -o "$T/trace" -e trace=write,openat -- "$ACTORS/calls_late"
	assert_lines '^[0-9]+ +write\([0-9]+, "text on two pages", 17\) += 17$' trace 1
	assert_lines '^[0-9]+ +openat\(AT_FDCWD, "/none/on/two/pages", O_RDONLY\) += -1 ENOENT' trace 1
}

# Alone, every line is whole and looks as it does without --split; a call without an end too.
test_alone()
{
	ct_run -o "$T/whole" -e trace=lseek,exit_group -- "$ACTORS/marked" calls 1000 10 / exit 3
	ct_run --split -o "$T/trace" -e trace=lseek,exit_group -- "$ACTORS/marked" calls 1000 10 / exit 3
	assert_status 3
	out=trace assert_marked 1000 10
	refute_lines 'unfinished|resumed' trace
	assert_lines '^[0-9]+ +exit_group\(3\) += \?$' trace 1
	diff <(sed -E 's/^[0-9]+ +//' "$T/whole") <(sed -E 's/^[0-9]+ +//' "$T/trace") |
		grep -v coverage | grep '^[<>]' && fail "--split alone writes other lines"
	return 0
}

# -t is when the call began in its first line and when it ended in the second; -T is in the second.
test_stamps()
{
	ct_run --split -ttt -T -o "$T/trace" -- "$ACTORS/marked" sleep 0 / fork 1000 5000
	assert_status 0
	assert_lines '^[0-9]+ +[0-9]+\.[0-9]{6} wait4\([0-9-]+ <unfinished \.\.\.>$' trace 1
	assert_lines '^[0-9]+ +[0-9]+\.[0-9]{6} <\.\.\. wait4 resumed>.* = [0-9]+ <[0-9]+\.[0-9]{6}>$' trace 1
	awk '$3 ~ /^[a-z_0-9]+\(/ || $3 == "<..." { if ($2 < before) { print; exit 1 } before = $2 }' "$T/trace" > "$T/back" ||
		fail "a stamp goes back: $(cat "$T/back")"
}

# A call that is in flight at the end of tracing stays as it began; a signal ends the open line.
test_left_open()
{
	actor_start host
	tell host hang
	ct_start --split -p "$ACTOR"
	tell host calls 1000 10
	ct_stop
	assert_complete
	assert_marked_split 1000 10
	assert_pairs
	# The actor reads its orders: that read began while it was traced. The pause of its child did not.
	grep -E ' read\(0 <|<\.\.\. read' "$T/out" | tail -n 1 | grep -qE 'read\(0 <(unfinished|detached) \.\.\.>$' ||
		fail "the actor's read is not left as it began: $(grep -a read "$T/out" | tail -n 2)"
	assert_lines 'pause\( <detached \.\.\.>$' out 1
}

# A thread that executes a program goes on under its leader's number.
test_exec_of_thread()
{
	ct_run --split -o "$T/trace" --status-file "$T/status" -- "$ACTORS/marked" thread-exec 1000 10
	assert_status 0
	out=trace assert_marked_split 1000 10
	assert_complete
	assert_lines '^[0-9]+ +\+\+\+ superseded by execve in pid [0-9]+ \+\+\+$' trace 1
	assert_lines '^[0-9]+ +<\.\.\. execve resumed>\) += 0$' trace 1
}

# Nothing is shown twice however many tasks there are.
test_many()
{
	ct_run --split -o "$T/trace" --status-file "$T/status" -- "$ACTORS/marked" threads 8 1000 200 / fork 9000 50
	assert_status 0
	assert_complete
	out=trace assert_pairs
	out=trace assert_marked_split 1000 1600
	out=trace assert_marked_split 9000 50
}

# While calls are lost: an end whose beginning was lost is whole, and nothing ends that did not begin.
test_lost()
{
	actor_start host
	ct_start --split --buffer 64K -p "$ACTOR"
	kill -STOP "$CT"
	tell host flood 20000
	kill -CONT "$CT"
	tell host calls 1000 10
	ct_stop
	assert_identity
	jq -e '.calls.lost | add > 0' "$T/$status" > /dev/null || fail "nothing was lost"
	assert_lines '^\+\+\+ lost [0-9]+ calls' out
	assert_pairs
	assert_lines '= ' out
	assert_equal "$(grep -cE '\) += ' "$T/out")" "$(jq .calls.delivered "$T/$status")" "number of calls that end"
}

test_wrong_usage()
{
	local options
	for options in -z -Z --status=successful --slower=1ms --format=json -c; do
		ct_run --split "$options" -- true
		assert_status 2
		assert_lines '^ctrace: .*--split' err 1
		assert_equal "$(wc -l < "$T/err")" 1 "number of lines that $options is refused with"
	done
}

# on_terminal NAME ARG...: ctrace with the trace on a pseudo terminal, what it got in $T/NAME.
on_terminal()
{
	local name=$1
	shift
	TERM=dumb timeout -k 2 30 script -qec "$(printf '%q ' "$CTRACE" "$@")" "$T/$name.raw" > /dev/null < /dev/null
	tr -d '\r' < "$T/$name.raw" > "$T/$name"
}

# After a second, once, and ended when it ends; what is short is whole.
test_blocked_on_terminal()
{
	command -v script > /dev/null || skip "script(1) is not installed"
	on_terminal screen -- "$ACTORS/marked" sleep 3500 / calls 1000 10 / sleep 1
	assert_lines 'nanosleep\(.*<unfinished \.\.\.>$' screen 1
	assert_lines '<\.\.\. (clock_)?nanosleep resumed>.*= 0$' screen 1
	out=screen assert_marked 1000 10
	assert_lines '^(clock_)?nanosleep\(.*= 0$' screen 1
}

# Also when no shown call comes before it.
test_blocked_and_filtered()
{
	command -v script > /dev/null || skip "script(1) is not installed"
	on_terminal screen -e trace=/nanosleep -- "$ACTORS/marked" calls 1000 10 / sleep 2500 / sleep 2500
	assert_lines 'nanosleep\(.*<unfinished \.\.\.>$' screen 2
	assert_lines '<\.\.\. (clock_)?nanosleep resumed>.*= 0$' screen 2
}

# Into a file nothing is split unless it was asked for.
test_blocked_in_file()
{
	ct_run -o "$T/trace" -- "$ACTORS/marked" sleep 2500
	assert_status 0
	refute_lines 'unfinished|resumed' trace
	assert_lines 'nanosleep\(.*= 0$' trace 1
}

run_tests "$@"
