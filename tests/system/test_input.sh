#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Input that is not resident when a call begins, or not there at all: what is
# shown of it, and what JSON says of how it was had.
. "$(dirname "$0")/lib.sh"

# calls_of FILE: the calls of the actor, without what is another in each run.
calls_of()
{
	sed -n '/"== strings and blocks"/,/^+++/p' "$T/$1" |
		sed -E -e '/^\+\+\+/d' -e '/ (mmap|pwrite64)\(/d' -e 's/^[0-9]+ +//' -e 's/0x[0-9a-f]{6,}/ADDRESS/g' \
			-e 's/^(fork|set_tid_address|wait4)(.*= )[0-9]+$/\1\2PID/'
}

# Once the kernel has touched it, it is shown as if it had been there.
test_not_resident()
{
	ct_run -o "$T/late" --status-file "$T/status" -- "$ACTORS/calls_late"
	assert_complete
	ct_run -o "$T/resident" -- "$ACTORS/calls_late" resident
	calls_of resident > "$T/expected"
	[ "$(grep -c late "$T/expected")" -ge 20 ] || fail "these are not the actor's calls: $(head -n 5 "$T/expected")"
	calls_of late | diff "$T/expected" - || fail "what was not resident is shown otherwise"
}

# notes FILE CALL ARG: the notes of all such calls, in order, each with the length if it has one.
notes()
{
	jq -r --arg call "$2" --arg arg "$3" 'select(.name == $call) | [.notes[]? | select(.arg == $arg) | .note + (if .length then "=\(.length)" else "" end)] | join("+")' "$T/$1" |
		grep . | sort -u | paste -sd ' '
}

assert_notes()
{
	local is
	is=$(notes "$1" "$2" "$3")
	[ "$is" = "$4" ] || fail "notes of $2's $3 are \"$is\", not \"$4\""
}

test_json_notes()
{
	ct_run --format json -o "$T/late" -- "$ACTORS/calls_late"
	jq -c 'select(.type == "exec" or .type == "syscall")' "$T/late" | sed -n '/== strings and blocks/,$p' > "$T/calls"
	assert_notes calls openat pathname captured_at_exit
	assert_notes calls write buf 'captured_at_exit cut=43+captured_at_exit'
	assert_notes calls setxattr value captured_at_exit
	assert_notes calls nanosleep req captured_at_exit
	assert_notes calls connect addr captured_at_exit
	assert_notes calls rt_sigprocmask set captured_at_exit
	assert_notes calls writev iov captured_at_exit
	assert_notes calls sendmsg msg captured_at_exit
	assert_notes calls sendmmsg msgvec captured_at_exit
	assert_notes calls ppoll fds captured_at_exit
	assert_notes calls execveat argv cut+captured_at_exit
	assert_notes calls execve argv cut+captured_at_exit
	ct_run --format json -o "$T/resident" -- "$ACTORS/calls_late" resident
	sed -n '/== strings and blocks/,$p' "$T/resident" > "$T/calls"
	# What others find on their pages is not ours to say.
	assert_notes calls writev iov ''
	assert_notes calls write buf cut=43
}

# An element that cannot be read is its address; the others are there.
test_unreadable()
{
	ct_run --format json -o "$T/unread" -- "$ACTORS/calls_unread"
	jq -e -s 'map(select(.name == "execve")) | any(.args.argv[0] == "ok" and .args.argv[1] == "0x1" and .args.argv[2] == "z" and
		([.notes[] | select(.note == "unreadable" and .arg == "argv")] | length) == 3)' "$T/unread" > "$T/jq" || fail "execve is not there"
	jq -e -s 'map(select(.name == "writev")) | any((.args.iov | length) == 3 and .args.iov[0].iov_base == "one" and
		(.args.iov[1].iov_base | startswith("0x")) and .args.iov[2].iov_base == "three" and
		any(.notes[]; .note == "unreadable"))' "$T/unread" > "$T/jq" || fail "writev is not there"
	# A buffer of which only a part is there is no string.
	jq -e -s 'map(select(.name == "write" and .args.count == 32)) | any((.args.buf | startswith("0x")) and any(.notes[]; .note == "unreadable"))' \
		"$T/unread" > "$T/jq" || fail "write is not there"
}

# The lengths of what was cut, of each kind of output.
test_lengths()
{
	ct_run --format json -s 4 -o "$T/trace" -- /bin/sh -c 'cd /; echo a long line; /bin/ls /proc/self/task > /dev/null; read -r line < /etc/passwd'
	jq -e -s 'map(select(.name == "write" and .args.buf == "a lo")) | any(.[].notes[]; .note == "cut" and .length == 12)' "$T/trace" > "$T/jq" || fail "write"
	jq -e -s 'map(select(.name == "read" and .ret > 4)) | length > 0 and all(.[].notes[] | select(.arg == "buf"); .note == "cut" and .length > 4)' \
		"$T/trace" > "$T/jq" || fail "read"
	jq -e -s 'map(select(.name == "execve" and .args.argv[0] == "/bin")) | any(.[].notes[]; .arg == "argv" and .note == "cut" and .length == 7)' \
		"$T/trace" > "$T/jq" || fail "execve"
}

run_tests "$@"
