#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The strace oracle: each actor and each of some ordinary programs runs once,
# under strace 7.x and under ctrace at the same time, and both must have written
# the same lines, byte for byte, for each of its tasks. What is known to differ is
# in known-differences.txt, with the reason; it is taken out of both sides before
# they are compared, and the equality without that is printed as well.
#
#     run.sh BUILD_DIR [-k] [NAME...]      -k keeps the traces and says where
#
# NAME is an actor (calls_...), an ordinary program (a line of programs.txt or a
# file of programs/), or "actors", "programs". With .N: with the names of arguments
# (option -N); with .S: with --split, and strace in its live form; with .y and .yy:
# with what file descriptors are (options -y, -yy); with .V, .R: constants as numbers
# with names, without (-X verbose, -X raw); .W: arguments as numbers (-e raw=!execve);
# .v, .x, .n, .i, .k: with -v, -xx, -n, -i, -k; .A: -e verbose=none; .0, .1: -s 0, -s 1; .P: --decode-pids=pidns. Without a name:
# all of them, the actors also with .N, and those that have several tasks with .S.
#
# With .%CLASS: the names of the calls of that class alone (-e trace=%CLASS), and execve.
#
# With .F: files for each task (-ff); with .D: the data of all calls (-e read=all -e write=all).
#
# ORACLE_OPTIONS: options that both tracers get, such as -v. DIFF_LINES: how
# many lines of differences are shown of each (12). ORACLE_JOBS: how many are
# executed at once (2).
#
# All lines of an actor must be equal; of a program's 99.9 %, if not all, and of all programs' lines 99.95 %.
#
# Exit status: 0 they are, 1 not, 77 skipped (no root, no strace 7.x, no ctrace).
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: run.sh BUILD_DIR [-k] [NAME...]}" && pwd) || exit 2
shift
keep=
if [ "${1:-}" = -k ]; then
	keep=1
	shift
fi
# shellcheck source=lib.sh
. "$here/lib.sh"

skip()
{
	echo "SKIP strace oracle: $*"
	exit 77
}

[ "$(id -u)" = 0 ] || skip "needs root"
[ -x "$build/ctrace" ] || skip "no $build/ctrace"
strace=$("$here/fetch-strace.sh") || skip "strace 7.x cannot be had here"
work=$(mktemp -d /tmp/oracle.XXXXXX)
# Users of programs that change theirs come here.
chmod 755 "$work"
[ -n "$keep" ] && echo "traces are in $work" || trap 'rm -rf "$work"' EXIT

# The rules, without comments: one sed script. Each of them, or group of them, has a number.
grep -v '^#' "$here/known-differences.txt" >"$work/known.sed"
causes=$(grep -c '^# [0-9]*\. ' "$here/known-differences.txt")

actors=$(cd "$build/actors" && ls -d calls_*)
lines=$(sed -e '/^#/d' -e '/^$/d' "$here/programs.txt")
programs=$(echo "$lines" | cut -d' ' -f1; cd "$here/programs" && ls | grep -v '\.prepare$' | sed 's/\.[a-z]*$//')

failed=0
at_once=${ORACLE_JOBS:-2}
# Lines, those that are equal, and those that are when the known differences are taken out.
declare -A lines_of=([actors]=0 [programs]=0) raw_of=([actors]=0 [programs]=0) equal_of=([actors]=0 [programs]=0)

# judge NAME LEAST: prints what measure has found; fails below LEAST thousandths that are equal, and
# where more lines differ than are known to be open.
judge()
{
	local name=$1 least=$2 verdict='' of=programs open
	open=$(sed -n "s/^$name //p" "$here/open-differences.txt")
	cat "$work/$name.report"
	[ "$(cat "$work/$name.done")" = 0 ] || failed=1
	[ -s "$work/$name.result" ] || return
	# shellcheck disable=SC2046
	set -- $(cat "$work/$name.result")
	# A trace of nothing equals a trace of nothing.
	if [ "$4" -lt "$7" ] || [ $((($4 - $6 + ${open:-0}) * 1000)) -lt $(($4 * least)) ]; then
		verdict='  FAILED'
		failed=1
	fi
	awk -v name="$name" -v raw_lines="$1" -v raw="$2" -v n="$4" -v equal="$5" -v different="$6" -v verdict="$verdict" 'BEGIN {
		printf "%-18s %7d lines  raw %6.2f %%  known differences aside %6.2f %%  %5d different%s\n",
			name, raw_lines, 100 * raw / (raw_lines ? raw_lines : 1), 100 * (n - different) / (n ? n : 1), different, verdict }'
	[ -z "$open" ] || echo "$name: $open lines are open, see open-differences.txt"
	[ "$6" = 0 ] || head -n "${DIFF_LINES:-12}" "$work/$name.diff"
	[ "$least" = 1000 ] && of=actors
	lines_of[$of]=$((lines_of[$of] + $4)) equal_of[$of]=$((equal_of[$of] + $4 - $6)) raw_of[$of]=$((raw_of[$of] + $2))
}

# measure NAME COMMAND...: one execution, and the comparison, to $work/NAME.result.
measure()
{
	local name=$1 status=0
	shift
	if ! trace "$name" "$@"; then
		echo "$name: could not be traced"
		return 1
	fi
	[ -z "$few" ] || names_alone "$name"
	[ "${names#-ff}" = "$names" ] || merged "$name"
	[ -z "$live" ] || joined "$name" || status=1
	compare "$name" "$1"
	echo "$raw $rest ${few:-20}" >"$work/$name.result"
	return $status
}

# The executions that are not judged yet, in order: NAME LEAST.
pending=()

judge_done()
{
	while [ ${#pending[@]} -gt 0 ] && [ -s "$work/${pending[0]% *}.done" ]; do
		# shellcheck disable=SC2086
		judge ${pending[0]}
		pending=("${pending[@]:1}")
	done
}

# one NAME LEAST COMMAND...: in the background, no more of them at once than $at_once.
one()
{
	local name=$1 least=$2
	shift 2
	while [ "$(jobs -rp | wc -l)" -ge "$at_once" ]; do
		wait -n
	done
	{
		measure "$name" "$@" >"$work/$name.report" 2>&1
		echo $? >"$work/$name.done"
	} &
	pending+=("$name $least")
	judge_done
}

default_names()
{
	echo "$actors"
	for way in N V R v x; do
		echo "$actors" | sed "s/$/.$way/"
	done
	# Addresses in place of structures, next to nothing of strings and arrays; ioctl's and i386's have rows that are open.
	for way in A 0 1; do
		echo "$actors" | grep -vE 'denied32|ioctl_all' | sed "s/$/.$way/"
	done
	# What descriptors are: of every actor but those of thousands of lines, and programs with sockets.
	echo "$actors" | grep -vE 'denied|ioctl_all|ioctl_kinds|netlink|unread' | sed 's/$/.y/'
	echo calls_fds.yy calls_net.yy calls_compat.yy calls_poll.yy calls_aio.yy calls_sched.yy calls_process.yy calls_uring.yy
	echo bash.yy git.y nginx.yy curl.yy
	echo calls_pids.P calls_file.k
	echo calls_file.W calls_net.W calls_desc.W calls_file.n calls_net.n calls_file.i calls_net.i
	echo calls_process.F calls_threads.F make.F calls_file.D calls_fds.D calls_poll.D calls_process.D calls_watch.D
	for way in file process network signal ipc desc memory creds stat lstat fstat %stat statfs fstatfs %statfs clock pure; do
		echo "calls_denied.%$way calls_denied32.%$way"
	done
	echo "$programs"
	echo calls_process.S calls_threads.S calls_answered.S calls_signal.S shell.S python3.S make.S nginx.S redis.S postgres.S
}

expanded=
[ $# -gt 0 ] || set -- $(default_names)
for name in "$@"; do
	case $name in
	actors) expanded+=" $actors" ;;
	programs) expanded+=" $programs" ;;
	*) expanded+=" $name" ;;
	esac
done
for name in $expanded; do
	few= names= live= whole='-e status=!detached' program=$name
	case $name in
	# Ten calls of a class that has one member, and the exec.
	*.%*) few=11 names="-e trace=%${name#*.%},execve" program=${name%%.%*} ;;
	*.N) names=-N program=${name%.N} ;;
	*.S) live=--split whole= program=${name%.S} ;;
	*.V) names="-X verbose" program=${name%.V} ;;
	*.R) names="-X raw" program=${name%.R} ;;
	*.W) names="-e raw=!execve" program=${name%.W} ;;
	*.v) names=-v program=${name%.v} ;;
	*.x) names=-xx program=${name%.x} ;;
	*.D) names="-e read=all -e write=all" program=${name%.D} ;;
	*.F) names="-ff --always-show-pid" program=${name%.F} ;;
	*.A) names="-e verbose=none" program=${name%.A} ;;
	*.0) names="-s 0" program=${name%.0} ;;
	*.1) names="-s 1" program=${name%.1} ;;
	*.n) names=-n program=${name%.n} ;;
	*.i) names=-i program=${name%.i} ;;
	*.P) names=--decode-pids=pidns program=${name%.P} ;;
	*.k) names=-k program=${name%.k} ;;
	*.yy) names=-yy program=${name%.yy} ;;
	*.y) names=-y program=${name%.y} ;;
	esac
	if [ -x "$build/actors/$program" ]; then
		one "$name" 1000 "$build/actors/$program"
	elif file=$(ls "$here/programs/$program".* 2>/dev/null | grep -v '\.prepare$'); then
		one "$name" 999 "$file"
	elif line=$(echo "$lines" | grep "^$program "); then
		# The words of a line are the command's, as a shell would read them.
		eval "one $name 999 ${line#* }"
	else
		wait
		echo "$name: no such actor or program"
		exit 2
	fi
done
wait
judge_done
for of in actors programs; do
	[ "${lines_of[$of]}" -gt 0 ] || continue
	awk -v of=$of -v raw="${raw_of[$of]}" -v equal="${equal_of[$of]}" -v n="${lines_of[$of]}" -v causes="$causes" 'BEGIN {
		printf "all %s: %d lines, raw %.2f %% equal, %d causes of known differences aside %.3f %%\n", of, n, 100 * raw / n, causes, 100 * equal / n }'
done
if [ $((equal_of[programs] * 10000)) -lt $((lines_of[programs] * 9995)) ]; then
	echo "less than 99.95 % of the programs' lines are equal"
	failed=1
fi
if [ "$causes" -gt 20 ]; then
	echo "known-differences.txt has more than 20 causes"
	failed=1
fi
[ "$failed" = 0 ]
