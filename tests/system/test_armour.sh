#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What ctrace keeps once it traces: capabilities, by mode; no new privileges; a
# filter that refuses none of its own calls. And runs that have some
# capabilities only. docs/security.md says which test is for what.
. "$(dirname "$0")/lib.sh"

# caps_of FIELD PID: a set of capabilities as words, sorted.
caps_of()
{
	local set
	set=$(awk -v f="$1:" '$1 == f { print $2 }' "/proc/$2/status")
	capsh --decode="$set" | sed 's/.*=//' | tr ',' '\n' | sort | paste -s -d ' '
}

# assert_armour PID CAP...: it has these alone, in each set, and cannot get more.
assert_armour()
{
	local pid=$1 set want
	shift
	# Of those that there are here at all.
	want=$(printf '%s\n' "$@" | grep -xF "$(caps_of CapBnd $$ | tr ' ' '\n')" | sort | paste -s -d ' ')
	for set in CapPrm CapEff CapBnd; do
		assert_equal "$(caps_of "$set" "$pid")" "$want" "$set"
	done
	for set in CapInh CapAmb; do
		assert_equal "$(caps_of "$set" "$pid")" "" "$set"
	done
	assert_equal "$(awk '$1 == "NoNewPrivs:" { print $2 }' "/proc/$pid/status")" 1 NoNewPrivs
	assert_equal "$(awk '$1 == "Seccomp:" { print $2 }' "/proc/$pid/status")" 2 Seccomp
	assert_equal "$(awk '$1 == "Threads:" { print $2 }' "/proc/$pid/status")" 1 Threads
}

# mode_keeps "CAP..." ARG...: what a run with these options keeps. It ends well.
mode_keeps()
{
	local caps=$1
	shift
	exec 8<> "$T/ready"
	env --default-signal=INT "$CTRACE" --ready-fd 9 "$@" 9>&8 > "$T/out" 2> "$T/err" 8>&- < /dev/null &
	CT=$!
	defer end_process "$CT"
	ct_ready
	# shellcheck disable=SC2086
	assert_armour "$CT" $caps
	ct_stop
	assert_status 0
	assert_lines '^ctrace: coverage complete since ' err 1
}

test_capabilities()
{
	mkfifo "$T/ready"
	actor_start a
	mode_keeps "cap_sys_nice" -p "$ACTOR"
	mode_keeps "cap_sys_nice" -p "$ACTOR" -yy --format json -o "$T/file"
	mode_keeps "cap_sys_nice" -p "$ACTOR" -c
	mode_keeps "cap_sys_nice cap_sys_ptrace cap_dac_read_search cap_checkpoint_restore" -p "$ACTOR" -k
	mode_keeps "cap_sys_nice cap_sys_ptrace cap_dac_read_search" -p "$ACTOR" --names
	mode_keeps "cap_sys_nice cap_sys_ptrace cap_dac_read_search" -p "$ACTOR" --secontext
	mode_keeps "cap_sys_nice cap_dac_override" -p "$ACTOR" -ff -o "$T/each"
	mode_keeps "cap_sys_nice cap_dac_override" -p "$ACTOR" --status-file "$T/status"
	mode_keeps "cap_sys_nice cap_sys_ptrace cap_sys_admin" --all -e trace=none
}

test_capabilities_container()
{
	mkfifo "$T/ready"
	need_runc
	box_start web
	mode_keeps "cap_sys_nice" --container "$(box_id web)"
	mode_keeps "cap_sys_nice cap_sys_ptrace cap_sys_admin cap_dac_read_search" --container "$(box_id web)" --wait
	mode_keeps "cap_sys_nice cap_sys_ptrace cap_sys_admin cap_dac_read_search" --container "$(box_id web)" --follow-restarts
}

# hidden_keeps OPTIONS CAP...: what is kept where /proc is mounted so.
hidden_keeps()
{
	local options=$1
	shift
	rm -f "$T/err"
	# shellcheck disable=SC2016
	unshare --mount sh -c 'mount -t proc -o "$1" none /proc && shift && exec "$@"' sh "$options" \
		"$CTRACE" -p "$ACTOR" --for 1s > "$T/out" 2> "$T/err" &
	CT=$!
	defer end_process "$CT"
	until_true 5 grep -qs ' tracing ' "$T/err" || fail "it does not begin with $options"
	# The opening line is written when all of it is on.
	assert_armour "$CT" "$@"
	ct_wait
	assert_status 0
	assert_lines '^ctrace: coverage complete since ' err 1
}

# Where /proc hides processes they are still seen; it hides none from its group, which is root's by default.
test_capabilities_hidepid()
{
	actor_start a
	hidden_keeps hidepid=2 cap_sys_nice
	hidden_keeps hidepid=2,gid=54321 cap_sys_nice cap_sys_ptrace
	hidden_keeps hidepid=1,gid=54321 cap_sys_nice cap_sys_ptrace
}

# COMMAND and the reader of the output have what the caller has.
test_command_keeps_all()
{
	local who
	grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status > "$T/own"
	# shellcheck disable=SC2016
	ct_run -e trace=none -o '|grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status > '"$T/reader"'; cat > /dev/null' -- \
		sh -c 'grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status > "$0"; grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/$PPID/status > "$0.ctrace"' "$T/command"
	assert_status 0
	for who in reader command; do
		diff "$T/own" "$T/$who" > "$T/differs" || fail "the $who has other rights: $(head -n 3 "$T/differs")"
	done
	grep -q '^NoNewPrivs:.1$' "$T/command.ctrace" || fail "ctrace itself is not armoured"
}

# A program with file capabilities gets them, set-user-ID programs work.
test_command_gains()
{
	install -m 755 "$(command -v setpriv)" "$T/gains"
	chmod 4755 "$T/gains"
	ct_run -e trace=none -u 65534 -- "$T/gains" -d
	assert_status 0
	assert_lines '^euid: 0$' out 1
	assert_lines '^no_new_privs: 0$' out 1
}

# --- no call of its own is refused ---------------------------------------------------

# when_ready COMMAND...: in the background, once ctrace has written to --ready-fd 7.
when_ready()
{
	[ -p "$T/begun" ] || mkfifo "$T/begun"
	exec 7<> "$T/begun"
	{
		read -r -u 7 -N 1 -t 20 && "$@"
	} > /dev/null 2>&1 < /dev/null &
}

# watched ARG...: a run of ctrace as COMMAND of another one, which looks for calls that the filter of the first one refuses.
watched()
{
	CT_STATUS=0
	timeout -k 2 30 "$CTRACE" -qq --until-exit --format json -o "$T/watch" -Z -- "$CTRACE" "$@" > "$T/out" 2> "$T/err" < /dev/null || CT_STATUS=$?
	assert_status "${watched_status:-0}"
	# libseccomp asks, with an address that is none, what the kernel can do.
	[ -n "$(jq 'select(.name == "seccomp" and .comm == "ctrace" and .error == "EFAULT")' "$T/watch")" ] || fail "no filter was made with $*"
	jq -r 'select(.type == "syscall" and .comm == "ctrace" and (.notes // [] | any(.note == "denied_by_seccomp"))) |
		"\(.name)(\(.args | tostring | .[:80]))"' "$T/watch" > "$T/refused"
	[ ! -s "$T/refused" ] || fail "refused with $*: $(head -n 2 "$T/refused" | tr '\n' ' ')"
}

test_nothing_refused_command()
{
	local t=$T/t
	watched -o "$t" -- sh -c 'cat /nowhere; ls /'
	watched -o "|cat > $t" -- ls /
	watched -c -- ls /
	watched -C -w -o "$t" -- ls /
	watched -A -tt -T -r -Y --decode-pids=pidns -o "$t" --status-file "$T/status" -- sh -c 'ls /; ls /'
	watched -ff -o "$t" -- sh -c 'ls /; ls /'
	watched -k -o "$t" -- ls /
	watched -y --names -o "$t" -- getent hosts localhost
	watched -yy --format json -o "$t" -- "$ACTORS/calls_socket"
	watched -v --secontext=full -o "$t" -- ls -l /
	watched --split -P /etc/hosts -o "$t" -- cat /etc/hosts
	watched -u 65534 -o "$t" -- id
	watched --syscall-limit=5 -o "$t" -- ls /
	watched_status=143 watched -o "$t" -- sh -c 'kill -TERM $$'
	watched_status=125 watched -o /dev/full -- true
}

# Names of interfaces and of netlink's families, of the tracer's namespace and of others.
test_nothing_refused_network()
{
	watched -yy -o "$T/t" -- "$ACTORS/calls_sockaddr"
	watched -yy -o "$T/t" -- "$ACTORS/calls_netlink"
	watched -o "$T/t" -- unshare -n "$ACTORS/calls_sockaddr"
	assert_lines 'if_nametoindex\("lo"\)' t
}

test_nothing_refused_targets()
{
	need_runc
	box_start web
	actor_start a
	when_ready tell web calls 1000 5
	watched --ready-fd 7 -k -yy --names --for 1s -o "$T/t" --container "$(box_id web)"
	out=t assert_marked 1000 5
	watched --for 300ms -o "$T/t" -p "$ACTOR" -p "$BOX_PID"
	watched --for 300ms -o "$T/t" --tid "$ACTOR"
	watched --for 300ms -o "$T/t" --all -e trace=lseek
	watched --for 300ms -o "$T/t" -ff --container "$(box_id web)"
	when_ready tell web calls 1300 20000
	watched --ready-fd 7 --for 1s --buffer 64k --lossless -e trace=lseek -o "$T/t" --container "$(box_id web)"
	# It happened, under the filter.
	assert_lines '^ctrace: coverage .*frozen [1-9][0-9]* time' err 1
	when_ready tell web calls 1200 5
	watched --ready-fd 7 --for 1s --wait --follow-restarts -o "$T/t" --container "$(box_id web)"
	out=t assert_marked 1200 5
}

run_twice()
{
	local i
	for ((i = 0; i < 2; i++)); do
		runc_ run --bundle "$T/late" "$1"
		runc_ delete --force "$1"
		sleep 0.3
	done
}

# A container that comes, ends, and comes again.
test_nothing_refused_waiting()
{
	local id
	need_runc
	id=$(box_id late)
	box_cgroup=/$id box_make late /bin/marked calls 1000 5
	when_ready run_twice "$id"
	watched --ready-fd 7 --for 4s --wait --follow-restarts -k -P /etc/hosts -P /bin/marked -o "$T/t" --container "$id"
	wait
	assert_lines 'execve\(' t 2
}

# --- files of a hostile container ---------------------------------------------------------

# A file that ctrace has mapped, and that is made empty: what is behind its end is no end of ctrace.
test_file_vanishes()
{
	ct_run -o "$T/trace" -k -e trace=lseek,ftruncate --status-file "$T/status" -- "$ACTORS/vanish" "$T/file"
	assert_status 0
	assert_complete
	assert_lines 'ftruncate\([0-9]+, 0\) += 0' trace 1
	assert_lines ' > .*/vanish\(main\+0x' trace
}

# What may lie where the debugging symbols of a container's program would be: nothing waits for
# it, and no file of the host is opened for it.
test_debug_file()
{
	local id debug what
	need_runc
	box_start web
	id=$(readelf -n "$ACTORS/marked" | sed -n 's/.*Build ID: //p')
	debug=$T/web/rootfs/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
	mkdir -p "${debug%/*}"
	echo secret > "$T/secret"
	for what in "mkfifo" "mknod -m 666 %s c 5 0" "ln -s /proc/self/root/$T/secret" "ln -s /proc/1/root/$T/secret" \
		"ln -s ../../../../../../../../../../..$T/secret" "mkdir" "truncate -s 1T" "ln -s /proc/kmsg"; do
		rm -rf "$debug" "$T/err"
		case $what in
		*%s*) ${what//%s/$debug} ;;
		*) $what "$debug" ;;
		esac || fail "cannot make it: $what"
		"$CTRACE" -qq -f -o "$T/watch" -e trace=openat,openat2,open -y -- \
			"$CTRACE" -k -e trace=lseek -o "$T/trace" -p "$BOX_PID" > "$T/out" 2> "$T/err" < /dev/null &
		CT=$!
		defer end_process "$CT"
		until_true 5 grep -qs ' tracing ' "$T/err" || fail "it does not begin with $what: $(tail -n 2 "$T/err")"
		tell web calls 1000 2
		kill -INT "$(pgrep -P "$CT")"
		ct_wait
		assert_lines '^ > /bin/marked\(__libc_start_call_main\+0x' trace
		refute_lines "= [0-9]+<$T/secret" watch
		# Looked at, and not opened.
		sed -i '/O_PATH/d' "$T/watch"
		refute_lines 'O_RDONLY.* = [0-9]+<(/dev/tty|/proc/kmsg)' watch
	done
}

# --- some capabilities only ------------------------------------------------------------

# with CAP,CAP... COMMAND...: as another user, with these alone.
with()
{
	local caps=-all,+${1//,/,+}
	shift
	CT_STATUS=0
	timeout -k 2 20 setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps "$caps" --ambient-caps "$caps" --bounding-set "$caps,+setpcap" \
		"$@" > "$T/out" 2> "$T/err" < /dev/null || CT_STATUS=$?
}

test_partly()
{
	local all=bpf,perfmon,sys_ptrace,dac_read_search
	need_runc
	box_start web
	actor_start a
	chmod 755 "$T"
	with bpf,perfmon "$CTRACE" -e trace=lseek -- "$ACTORS/marked" calls 1000 5
	assert_status 0
	out=err assert_marked 1000 5
	refute_lines '^ctrace: without' err
	with bpf,perfmon "$CTRACE" --for 100ms -p "$ACTOR"
	assert_status 0
	assert_lines "^ctrace: without CAP_SYS_PTRACE pids of tasks in other pid namespaces are shown as the host's" err 1
	with bpf,perfmon "$CTRACE" --for 100ms --container "$(box_id web)"
	assert_status 1
	assert_lines '^ctrace: missing CAP_SYS_PTRACE, CAP_DAC_READ_SEARCH: run ctrace as root \(sudo ctrace \.\.\.\)$' err 1
	with bpf,perfmon "$CTRACE" --for 100ms -k -p "$ACTOR"
	assert_status 1
	assert_lines '^ctrace: missing CAP_SYS_PTRACE, CAP_DAC_READ_SEARCH: ' err 1
	with perfmon,sys_ptrace "$CTRACE" --for 100ms -p "$ACTOR"
	assert_status 1
	assert_lines '^ctrace: missing CAP_BPF: ' err 1
	with "$all" "$CTRACE" --for 100ms --container "$(box_id web)"
	assert_status 0
	refute_lines '^ctrace: without' err
	with "$all" "$CTRACE" --for 100ms -k -p "$BOX_PID"
	assert_status 0
	assert_lines '^ctrace: without CAP_CHECKPOINT_RESTORE -k shows addresses without functions' err 1
	with "$all" "$CTRACE" -u 0 -- true
	assert_status 125
	assert_lines '^ctrace: missing CAP_SETUID, CAP_SETGID: ' err 1
	# Nothing says only that something is not permitted.
	refute_lines 'Operation not permitted' err
}

# Functions have names with one capability more, and nothing else.
test_partly_stacks()
{
	local caps=-all,+bpf,+perfmon,+sys_ptrace,+dac_read_search,+checkpoint_restore
	need_runc
	box_start web
	chmod 777 "$T"
	ct_before="setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps $caps --ambient-caps $caps --bounding-set $caps" \
		ct_start -e trace=lseek -k -p "$BOX_PID"
	tell web calls 1000 2
	ct_stop
	assert_status 0
	assert_complete
	assert_lines '^ > /bin/marked\(__libc_start_call_main\+0x' out
}

# File capabilities, as Debian's packages can set them.
test_file_capabilities()
{
	command -v setcap > /dev/null || skip "setcap is not installed"
	cp "$CTRACE" "$T/ctrace"
	setcap cap_bpf,cap_perfmon,cap_sys_ptrace,cap_dac_read_search=ep "$T/ctrace" || cannot "files have no capabilities here"
	CT_STATUS=0
	# shellcheck disable=SC2016
	setpriv --reuid 65534 --regid 65534 --clear-groups "$T/ctrace" -- sh -c 'grep -E "^(CapPrm|NoNewPrivs)" /proc/self/status' > "$T/out" 2> "$T/err" || CT_STATUS=$?
	assert_status 0
	assert_lines '^CapPrm:.0000000000000000$' out 1
	assert_lines '^NoNewPrivs:.0$' out 1
	assert_lines '^execve\(' err
}

run_tests "$@"
