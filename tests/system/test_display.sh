#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# How the trace is shown and where it goes: files for each task, data, tables.
. "$(dirname "$0")/lib.sh"

# Three tasks, of which each says in its file what it did and how it ended.
test_separate_files()
{
	mkdir "$T/ff"
	ct_run -ff -o "$T/ff/t" -e trace=execve,exit_group -- sh -c '/bin/true; /bin/false; exit 7'
	assert_status 7
	assert_equal "$(ls "$T/ff" | grep -c '^t\.[0-9]*$')" 3
	local end
	for end in 0 1 7; do
		local file
		file=$(grep -l "^+++ exited with $end +++\$" "$T"/ff/t.*)
		[ "$(wc -l < "$file")" = "$(grep -c -E '^(execve|exit_group)\(|^---|^\+\+\+ exited' "$file")" ] || fail "$file has other lines"
		tail -n 1 "$file" | grep -q '^+++ exited' || fail "$file does not end with its task's end"
	done
	assert_equal "$(cut -c-21 "$T/ff/t")" "+++ coverage complete"
}

# More tasks at once than files may be open.
test_separate_many()
{
	mkdir "$T/ff"
	ct_before="prlimit --nofile=100:4096" ct_start -ff -o "$T/ff/t" -- sh -c 'for i in $(seq 300); do sleep 0.3 & done; wait'
	ct_wait
	assert_equal "$(ls "$T/ff" | grep -c '^t\.[0-9]*$')" 302
	assert_equal "$(tail -q -n 1 "$T"/ff/t.* | sort | uniq -c | tr -s ' ')" " 302 +++ exited with 0 +++"
	assert_complete
}

test_separate_container()
{
	box_start web
	mkdir "$T/ff"
	ct_start --container "$(box_id web)" -ff -o "$T/ff/t" -e trace=lseek
	tell web calls 1000 5
	tell web fork 2000 5
	ct_stop
	assert_equal "$(ls "$T/ff" | grep -c "^t\.$(box_id web)\.[0-9]*\$")" 2
	cat "$T"/ff/t.* > "$T/all"
	grep -q -E '^[0-9]' "$T/all" && fail "lines with a prefix"
	assert_equal "$(grep -c '^lseek(-1, 100[0-4], SEEK_SET)' "$T/all")" 5
	assert_complete
}

test_data()
{
	ct_run -e trace=write -e write=1 -o "$T/out2" -- sh -c 'printf "0123456789abcdef\001\377z"'
	assert_status 0
	assert_equal "$(grep '^ |' "$T/out2")" \
		" | 00000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  0123456789abcdef |
 | 00010  01 ff 7a                                          ..z              |"
	ct_run -e trace=write -e write=all -o "$T/out3" -- dd if=/dev/zero bs=100000 count=1 status=none
	grep -q '^ | 07ff0  00 00' "$T/out3" || fail "32 KiB of a buffer are not there"
	ct_run --format json -e trace=write -e write=1 -o "$T/out4" -- sh -c 'printf "a\377"'
	grep -q '"data":\[{"length":2,"bytes":"61ff"}\]' "$T/out4" || fail "no data in JSON: $(tail -n 2 "$T/out4")"
}

test_columns()
{
	ct_run -c -U name,calls,max-time -S name -e trace=execve,close -- true
	assert_equal "$(sed -n '/^syscall/,$p' "$T/err" | sed -E 's/[0-9]+\.[0-9]+/N/; s/ +[0-9]+ +/ D /' | grep -v -E '^(ctrace|close|never)')" \
		"syscall              calls  longest
---------------- --------- --------
execve D N
---------------- --------- --------
total D N"
}

# How a call ended decides whether it is shown.
test_status()
{
	local word want
	for word in none unavailable detached unfinished failed; do
		ct_run -e "status=$word" -qq -o "$T/$word" -- sh -c 'exec true </nonexistent'
		assert_status 2
		case $word in
		unfinished) want='^[0-9]+ +exit_group' ;;
		failed) want=' = -1 E' ;;
		*) want= ;;
		esac
		if [ -n "$want" ]; then
			[ "$(grep -c -v '^+++' "$T/$word")" -ge 1 ] || fail "nothing with status=$word"
			grep -v '^+++' "$T/$word" | grep -q -v -E "$want" && fail "status=$word: $(head -n 3 "$T/$word")"
		else
			assert_equal "$(grep -c -v '^+++' "$T/$word")" 0 "lines with status=$word"
		fi
	done
	sleep 30 &
	local sleeper=$!
	defer end_process "$sleeper"
	ct_start -p "$sleeper" -e status=detached
	ct_stop
	assert_lines '^[0-9]+ +(clock_nanosleep|restart_syscall)\(.* <detached \.\.\.>$' out 1
	ct_start -p "$sleeper" -e 'status=!detached'
	ct_stop
	refute_lines '<detached' out
	return 0
}

# The same but for numbers, and for which of two calls tells of an open file.
plain()
{
	sed -E 's/0x[0-9a-f]+|[0-9a-f]{16}/N/g; s/[0-9][0-9.:]*/N/g; s/newfstatat\(N, "", /fstat(N, /; s/, AT_EMPTY_PATH\)/)/; s/ +/ /g'
}

# The README's rows of options, each with a line that it gives.
test_readme_options()
{
	local row options want got n=0
	[ ! -e /tmp/greeting ] || skip "/tmp/greeting is somebody's"
	printf 'h\303\251llo\n' > /tmp/greeting
	defer rm -f /tmp/greeting
	cd /srv || cannot "there is no /srv"
	while IFS= read -r row; do
		options=${row:0:32}
		want=$(plain <<< "${row:32}")
		# shellcheck disable=SC2086
		timeout 30 "$CTRACE" -qq -P /tmp/greeting -e trace=openat $options -- cat /tmp/greeting > /dev/null 2> "$T/err" < /dev/null ||
			fail "$options: exit status $?"
		got=$(plain < "$T/err")
		case $want in
		*...) grep -qF -- "${want%...}" <<< "$got" ;;
		*) grep -qxF -- "$want" <<< "$got" ;;
		esac || fail "$options: $want, but here: $got"
		n=$((n + 1))
	done < <(sed -n '/^<!-- tests\/system\/test_display.sh /,/^<!-- and no others/s/^    //p' "$source_dir/README.md")
	[ "$n" -ge 26 ] || fail "only $n rows"
}

# What is ignored is delivered to nobody, unless a tracer stops the process for it.
test_ignored_signals()
{
	ct_run -qq -e trace=kill -- sh -c 'trap "" USR1; trap : USR2; kill -USR1 $$; kill -WINCH $$; kill -USR2 $$'
	assert_lines '^kill\(' err 3
	assert_lines '^---' err 1
	assert_lines '^--- SIGUSR2 \{' err 1
}

# One clear line, and the exit status of wrong usage.
test_wrong_values()
{
	local words
	for words in "-X hex" "--strings-in-hex=x" "-e raw=no_such_call" "-e abbrev=" "-e verbose=%nothing" "-e read=x" "-e write=1,," \
		"-e status=lost" "-e quiet=nothing" "-U calls" "-c -U bogus" "-c -S bogus" "-ff -c -o f" "-ff -o |cat" "-s -1" "-a x" \
		"-d" "--debug" "-b execve" "-D" "-I 1" "--tips" "-e kvm=vcpu" "-e inject=read"; do
		# shellcheck disable=SC2086
		ct_run $words -- true
		assert_status 2
		assert_equal "$(wc -l < "$T/err")" 1 "number of lines about $words"
		grep -q '^ctrace: -' "$T/err" || fail "$words: $(cat "$T/err")"
	done
}

run_tests "$@"
