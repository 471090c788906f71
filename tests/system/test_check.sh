#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# ctrace check: what there is, and what is missing, with its remedy.
. "$(dirname "$0")/lib.sh"

# In mounts of its own, after a command that takes something away.
check_without()
{
	CT_STATUS=0
	unshare --mount sh -c "$1"' && exec "$0" check' "$CTRACE" > "$T/out" 2> "$T/err" || CT_STATUS=$?
}

test_whole()
{
	ct_run check
	assert_status 0
	refute_lines MISSING out
	assert_lines '^kernel +ok +Linux [0-9]+\.[0-9]+$' out 1
	assert_lines '^CAP_BPF +ok ' out 1
	assert_lines '^tracing +ok ' out 1
	assert_lines "^daemons' sockets +ok " out 1
	[ ! -s "$T/err" ] || fail "it says $(cat "$T/err")"
}

# Its status is that of a trace, and what it says of it is what the trace says.
test_user()
{
	CT_STATUS=0
	setpriv --reuid 65534 --regid 65534 --clear-groups "$CTRACE" check > "$T/out" 2> "$T/err" || CT_STATUS=$?
	assert_status 1
	assert_lines '^CAP_(BPF|PERFMON|SYS_PTRACE|DAC_READ_SEARCH) +MISSING +.*: run ctrace as root \(sudo ctrace \.\.\.\)$' out 4
	assert_lines '^CAP_(CHECKPOINT_RESTORE|SYS_ADMIN|SETUID|SETGID) +less +.*: run ctrace as root' out 4
	assert_lines '^tracing +MISSING ' out 1
}

test_part()
{
	CT_STATUS=0
	setpriv --bounding-set -sys_admin,-perfmon "$CTRACE" check > "$T/out" 2> "$T/err" || CT_STATUS=$?
	assert_status 1
	assert_lines '^[A-Z_]+ +MISSING ' out 1
	assert_lines '^CAP_PERFMON +MISSING +to read kernel memory in them: give it to the container ' out 1
}

test_no_btf()
{
	check_without "mount -t tmpfs none /sys/kernel/btf"
	assert_status 1
	assert_lines '^BTF +MISSING +the kernel has no BTF \(/sys/kernel/btf/vmlinux\): use one that is built with CONFIG_DEBUG_INFO_BTF=y' out 1
	assert_lines '^tracing +MISSING ' out 1
}

test_hidepid()
{
	check_without "mount -t proc -o hidepid=2 none /proc"
	assert_status 0
	assert_lines '^hidepid +ok +2: not for who has CAP_SYS_PTRACE$' out 1
}

test_user_namespace()
{
	CT_STATUS=0
	unshare --user --map-root-user "$CTRACE" check --print-pod-spec > "$T/out" 2> "$T/err" || CT_STATUS=$?
	assert_status 1
	assert_lines '^hostUsers: true$' out 1
}

run_tests "$@"
