#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# ctrace -- COMMAND: its first traced call is its exec, its status is ctrace's.
. "$(dirname "$0")/lib.sh"

test_status()
{
	ct_run -- "$ACTORS/marked" calls 1000 10 / exit 7
	assert_status 7
	# The trace goes to standard error, what COMMAND prints to standard output.
	out=err assert_marked 1000 10
	refute_lines '' out
	assert_lines '^execve\("[^"]*/marked", \[' err 1
	assert_lines '^exit_group\(7\) += \?$' err 1
	assert_lines '^\+\+\+ exited with 7 \+\+\+$' err 1
	assert_lines '^ctrace: coverage complete since ' err 1
	ct_run -- true
	assert_status 0
	ct_run -- false
	assert_status 1
}

test_first_call_is_exec()
{
	ct_run -o "$T/trace" --status-file "$T/status" -- "$ACTORS/marked" calls 1000 5
	assert_status 0
	head -n 1 "$T/trace" | grep -qE '^[0-9]+ +execve\(' || fail "the first line is $(head -n 1 "$T/trace")"
	out=trace assert_marked 1000 5
	assert_complete
}

test_signal()
{
	# The shell reports 128 + N for a process that a signal killed.
	ct_run -- "$ACTORS/marked" die 15
	assert_status 143
	assert_lines '^\+\+\+ killed by SIGTERM \+\+\+$' err 1
}

test_not_there()
{
	ct_run -- "$T/no-such-command"
	assert_status 127
	assert_lines '^ctrace: .*no-such-command.*No such file or directory' err
	: > "$T/plain"
	ct_run -- "$T/plain"
	assert_status 126
	ct_run -- no-such-command-at-all
	assert_status 127
}

test_descendants()
{
	ct_run -o "$T/trace" --status-file "$T/status" -- "$ACTORS/marked" fork 1000 10 / orphan 1100 10 / threads 2 1200 10 / thread-exec 1300 10
	assert_status 0
	out=trace assert_marked 1000 10
	out=trace assert_marked 1100 10
	out=trace assert_marked 1200 20
	out=trace assert_marked 1300 10
	assert_complete
}

test_ends_with_descendants()
{
	# The shell ends at once, what it leaves behind goes on for a while.
	ct_run -o "$T/trace" -- sh -c "$ACTORS/marked sleep 700 / calls 1000 10 & exit 4"
	assert_status 4
	out=trace assert_marked 1000 10
	ct_run --until-exit -o "$T/trace2" -- sh -c "$ACTORS/marked sleep 3000 / calls 1000 10 & exit 4"
	assert_status 4
	out=trace2 refute_marked 1000 10
}

test_sigint_is_for_command()
{
	ct_launch -o "$T/out" -- "$ACTORS/marked" sleep 600 / calls 1000 10 / exit 9
	ct_ready
	kill -INT "$CT"
	ct_wait
	assert_status 9
	assert_marked 1000 10
	assert_complete
}

test_sigterm_is_forwarded()
{
	ct_launch -o "$T/out" -- "$ACTORS/marked" sleep 30000
	ct_ready
	kill -TERM "$CT"
	ct_wait
	assert_status 143
	assert_lines '\+\+\+ killed by SIGTERM \+\+\+$' out 1
}

test_together_with_a_container()
{
	box_start web
	ct_start --container "$(box_id web)" -- "$ACTORS/marked" calls 1000 10 / sleep 500 / exit 5
	tell web calls 2000 10
	ct_wait
	assert_status 5
	assert_marked 1000 10
	assert_marked 2000 10
	assert_complete
}

# A machine whose users are in files alone: of several groups.
make_users()
{
	printf 'root:x:0:0::/:/bin/sh\nweb:x:7001:7002::/:/bin/sh\n' > "$T/passwd"
	printf 'root:x:0:\nweb:x:7002:\nlogs:x:7003:root,web\nfiles:x:7004:web\n' > "$T/group"
	cat > "$T/there" <<-END
	#!/bin/sh
	mount --bind "$T/passwd" /etc/passwd && mount --bind "$T/group" /etc/group && exec "$1" "\$@"
	END
	printf '#!/bin/sh\nexec unshare -m "%s" "$@"\n' "$T/there" > "$T/ctrace"
	chmod 755 "$T/there" "$T/ctrace"
}

# ids_of USER: the ids that COMMAND has.
ids_of()
{
	ct_run -u "$1" -- sh -c 'grep -E "^(Uid|Gid|Groups):" /proc/self/status | tr -s "\t " " "; exit 3'
	assert_status 3
	sed 's/ $//' "$T/out" | paste -sd ' '
}

# users_of CTRACE
users_of()
{
	make_users "$1"
	local CTRACE=$T/ctrace
	assert_equal "$(ids_of web)" "Uid: 7001 7001 7001 7001 Gid: 7002 7002 7002 7002 Groups: 7002 7003 7004"
	assert_equal "$(ids_of 7001)" "Uid: 7001 7001 7001 7001 Gid: 7002 7002 7002 7002 Groups: 7002 7003 7004"
	assert_equal "$(ids_of 7001:7009)" "Uid: 7001 7001 7001 7001 Gid: 7009 7009 7009 7009 Groups: 7009"
	ct_run -u nosuch -- true
	assert_status 125
	assert_equal "$(cat "$T/err")" "ctrace: -u: no user 'nosuch'"
}

test_user()
{
	users_of "$CTRACE"
}

# The C library's look-up of users wants modules that a static program cannot load.
test_user_static()
{
	local static=${STATIC:-$source_dir/build-static/ctrace}
	[ -x "$static" ] || skip "no static build: tests/run.sh --all makes one"
	users_of "$static"
}

test_strict()
{
	ct_run --strict -- "$ACTORS/marked" calls 1000 10
	assert_status 0
	box_start web
	ct_start --strict --buffer 64K --container "$(box_id web)" -e trace=getppid
	kill -STOP "$CT"
	tell web flood 20000
	kill -CONT "$CT"
	ct_stop
	assert_status 3
	assert_lines '^ctrace: coverage incomplete ' err
}

run_tests "$@"
