#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What stands beside pids, and where calls are made: --decode-pids, -i, -k, in containers with a pid namespace and
# with files of their own.
. "$(dirname "$0")/lib.sh"

schema=$(dirname "$0")/../../src/output/ctrace.schema.json
validate="$(dirname "$0")/../golden/schema.py"

# The host's number of the task that has number $1 in the container, by the prefix of its own lines (--pids=both).
host_of()
{
	sed -nE "s,^$1/([0-9]+)[< ].*,\\1,p" "$T/out" | sort -u
}

# Forks, waits and kills: the children have ended long before their lines are written.
test_host_numbers()
{
	local child host
	box_start web
	ct_start --container "$(box_id web)" --pids=both --decode-pids=pidns,comm
	tell web fork 2000 10
	tell web zombie
	tell web reap
	ct_stop
	assert_complete
	assert_marked 2000 10
	child=$(sed -nE 's,^1/.* clone3?\(.* = ([0-9]+)<marked> /\*.*,\1,p' "$T/out" | head -n 1)
	[ -n "$child" ] || fail "no child with its name: $(grep -aE -m 1 'clone' "$T/out")"
	host=$(host_of "$child")
	[ -n "$host" ] && [ "$host" != "$child" ] || fail "child $child has number \"$host\" on the host"
	assert_lines "^1/.* clone3?\\(.* = $child<marked> /\\* $host in strace's PID NS \\*/\$" out 1
	# Of a child that is gone when its parent has waited for it.
	assert_lines "^1/.* wait(4|id)\\(.* = $child<marked> /\\* $host in strace's PID NS \\*/\$" out 1
	# Every child that was made has its lines under the number that it was made with.
	sed -nE "s,^1/.* clone3?\\(.* = ([0-9]+)<marked> /\\* ([0-9]+) in.*,\\1/\\2,p" "$T/out" | while read -r host; do
		grep -aq "^$host<marked>" "$T/out" || fail "no line of $host"
	done || exit 1
	refute_lines ' = [0-9]+ /\*' out
}

# The same as structure, which is the schema's.
test_json()
{
	box_start web
	ct_start --container "$(box_id web)" --format json --decode-pids=all -i -k
	tell web fork 2000 3
	tell web reap
	ct_stop
	assert_complete
	jq -se '[.[] | select(.name == "wait4" or .name == "waitid")] | any(.ret_pid.host_pid > 0 and .ret_pid.comm == "marked")' "$T/out" > /dev/null ||
		fail "no child that was waited for: $(grep -a '"wait' "$T/out" | head -n 2)"
	jq -se 'all(.[] | select(.type == "syscall" and .duration); .ip | test("^0x[0-9a-f]+$"))' "$T/out" > /dev/null || fail "calls without ip"
	jq -se 'any(.[] | select(.name == "lseek"); .stack | any(.file == "/bin/marked" and (.symbol == "main" or .symbol == "serve")))' "$T/out" > /dev/null ||
		fail "no stack: $(grep -a '"lseek"' "$T/out" | head -n 1)"
	if python3 -c 'import jsonschema' 2>/dev/null; then
		python3 "$validate" "$schema" --records "$T/out" || fail "records that are none"
	fi
}

# A task of the host's own namespace has no second number; comm alone does not show any.
test_host_process()
{
	ct_run --decode-pids=pidns -e trace=getpid,kill -- "$ACTORS/calls_pids"
	assert_status 0
	refute_lines '^(\[pid +[0-9]+\] )?kill\([0-9]{4,} /\*' err
	assert_lines "kill\\(2 /\\* [0-9]+ in strace's PID NS \\*/, 0\\)" err
	ct_run --decode-pids=comm -e trace=kill -- "$ACTORS/calls_pids"
	refute_lines 'PID NS' err
	assert_lines 'kill\(2<calls_pids>, 0\)' err
	ct_run --decode-pids=none -e trace=kill -- "$ACTORS/calls_pids"
	refute_lines 'PID NS|calls_pids>' err
}

# A pid namespace within the container's: numbers in arguments, results, structures and messages are the caller's,
# those beside them the host's; children had ended when they were waited for.
test_inner_namespace()
{
	box_start web
	cp "$ACTORS/calls_pids" "$T/web/rootfs/bin/"
	ct_start --container "$(box_id web)" --pids=both --decode-pids=all
	runc_ exec --cap CAP_SYS_ADMIN "$(box_id web)" /bin/calls_pids > "$T/said" 2>&1 || fail "the actor failed: $(tail -n 2 "$T/said")"
	ct_stop
	assert_complete
	# Every number of the host's is that of a task which made calls; a task's own is its own.
	awk '
		match($0, /^[0-9]+\/[0-9]+</) {
			split($1, n, /[\/<]/)
			own[n[2]] = 1
			line[++lines] = $0
			host[lines] = n[2]
		}
		END {
			for (i = 1; i <= lines; i++) {
				rest = line[i]
				while (match(rest, /[0-9]+ in strace.s PID NS/)) {
					m = substr(rest, RSTART, RLENGTH)
					sub(/ .*/, "", m)
					rest = substr(rest, RSTART + RLENGTH)
					said++
					if (!(m in own)) { print "nobody has " m ": " line[i]; bad = 1 }
					if (line[i] ~ /> (getpid|gettid)\(\)/ && m != host[i]) { print "not its own: " line[i]; bad = 1 }
				}
			}
			print said > "/dev/stderr"
			exit bad
		}' "$T/out" > "$T/wrong" 2> "$T/count" || fail "$(head -n 3 "$T/wrong" | cut -c 1-200)"
	[ "$(cat "$T/count")" -gt 60 ] || fail "only $(cat "$T/count") numbers have the host's beside them"
	for name in clone kill tgkill wait4 waitid setpgid prlimit64 kcmp shmctl sendmsg recvmsg; do
		assert_lines "> $name\\(.*[0-9]+(<calls_pids>)? /\\* [0-9]+ in strace's PID NS" out
	done
	assert_lines '> fcntl\(.*, F_SETOWN, -?[0-9]+(<calls_pids>)? /\* ' out
	assert_lines 'cmsg_type=SCM_CREDENTIALS, cmsg_data=\{pid=[0-9]+<calls_pids> /\* ' out
}

# The program is in the container alone, and functions have the names that its file gives them.
test_stack_in_container()
{
	[ ! -e /bin/marked ] || fail "/bin/marked is on this host"
	box_start web
	ct_start --container "$(box_id web)" -k -e trace=lseek,exit_group
	tell web calls 1000 5
	tell web fork 2000 5
	ct_stop
	assert_complete
	assert_marked 1000 5
	assert_marked 2000 5
	assert_lines '^ > /bin/marked\((main|serve)\+0x[0-9a-f]+\) \[0x[0-9a-f]+\]$' out
	assert_lines '^ > /bin/marked\(_start\+0x[0-9a-f]+\) \[0x[0-9a-f]+\]$' out
	refute_lines '^ > unexpected|^ > .*had ended' out
	# A stack below each call, and behind the last line of what ended.
	awk '/lseek\(/ { calls++; want = 1; next } /^ > / { if (want) with++; want = 0; next } { want = 0 }
		END { exit !(calls == 10 && with == 10) }' "$T/out" || fail "calls without a stack: $(grep -a -A 1 -m 3 lseek "$T/out")"
	grep -a -A 1 '+++ exited with' "$T/out" | grep -aq '^ > /bin/marked(' || fail "no stack behind an end"
}

# A program that was deleted while it runs, and one in a mount namespace within the container's, at a path where others see another.
test_stack_of_hidden_files()
{
	box_start web
	cp "$ACTORS/marked" "$T/web/rootfs/bin/gone"
	cp "$ACTORS/marked" "$T/web/rootfs/bin/inner"
	: > "$T/web/rootfs/bin/mounted"
	ct_start --container "$(box_id web)" -k -e trace=lseek
	runc_ exec "$(box_id web)" /bin/gone sleep 1000 / calls 3000 5 > "$T/said" 2>&1 &
	until_true 5 pgrep -f '^/bin/gone sleep 1000' > /dev/null || fail "the program does not run"
	rm "$T/web/rootfs/bin/gone"
	wait $!
	runc_ exec --cap CAP_SYS_ADMIN "$(box_id web)" /bin/busybox unshare -m /bin/busybox sh -c \
		'/bin/busybox mount --bind /bin/inner /bin/mounted && exec /bin/mounted calls 4000 5 / sleep 500' > "$T/said" 2>&1 || fail "no mount: $(cat "$T/said")"
	ct_stop
	assert_complete
	assert_marked 3000 5
	assert_marked 4000 5
	[ "$(grep -a -A 2 'lseek(-1, 300' "$T/out" | grep -Ec '^ > /bin/gone( \(deleted\))?\((cmd_calls|calls|mark|syscall)')" -ge 5 ] ||
		fail "no functions of the deleted program: $(grep -a -A 3 -m 1 'lseek(-1, 300' "$T/out")"
	[ "$(grep -a -A 2 'lseek(-1, 400' "$T/out" | grep -Ec '^ > /bin/(mounted|inner)\((cmd_calls|calls|mark|syscall)')" -ge 5 ] ||
		fail "no functions of the mounted program: $(grep -a -A 3 -m 1 'lseek(-1, 400' "$T/out")"
}

test_frame_limit()
{
	box_start web
	ct_start --container "$(box_id web)" -k --stack-trace-frame-limit=2 -e trace=lseek
	tell web calls 1000 5
	ct_stop
	assert_lines '^ > ' out 10
}

test_instruction_pointer()
{
	box_start web
	ct_start --container "$(box_id web)" -i
	tell web calls 1000 5
	order web exit 0
	ct_wait
	assert_lines '^1 +\[0000[0-9a-f]{12}\] lseek\(-1, 1000' out 1
	assert_lines '^1 +\[\?{16}\] \+\+\+ exited with 0' out 1
	refute_lines '^1 +[a-z]' out
}

# A label as SELinux would give it; the file is the container's.
test_secontext()
{
	box_start web
	local root
	root=$(readlink -f "/proc/$BOX_PID/root") && [ -n "$root" ] || fail "no root of the container"
	python3 -c 'import os, sys; os.setxattr(sys.argv[1], "security.selinux", b"system_u:object_r:bin_t:s0\0")' "/proc/$BOX_PID/root/bin/busybox" ||
		cannot "files here take no labels"
	ct_start --container "$(box_id web)" --secontext -e trace=execve
	runc_ exec "$(box_id web)" /bin/busybox sh -c '/bin/busybox sleep 0.2; true'
	ct_stop
	assert_lines 'execve\("/bin/busybox" \[bin_t\], \["/bin/busybox", "sleep"' out
	ct_start --container "$(box_id web)" --secontext=full -e trace=execve
	runc_ exec "$(box_id web)" /bin/busybox sh -c '/bin/busybox sleep 0.2; true'
	ct_stop
	assert_lines 'execve\("/bin/busybox" \[system_u:object_r:bin_t:s0\], \["/bin/busybox", "sleep"' out
	[ -e /sys/fs/selinux/enforce ] || assert_lines '^ctrace: --secontext: SELinux is off' err 1
}

run_tests "$@"
