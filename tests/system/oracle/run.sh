#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The strace oracle: each actor runs once, under strace 7.x and under ctrace at
# the same time, and both must have written the same lines, byte for byte, for
# each of its tasks. What is known to differ is in known-differences.txt, with
# the reason; it is taken out of both sides before they are compared, and the
# equality without that is printed as well.
#
#     run.sh BUILD_DIR [-k] [NAME...]      -k keeps the traces and says where
#
# NAME is an actor (calls_...), an actor with .N (with the names of arguments,
# option -N), or one of the ordinary programs of programs.txt; any of them with .S is
# traced with --split, and strace writes its live form. Without: all of them, those of several tasks also with .S. ORACLE_OPTIONS holds options that both tracers get, such as -v.
#
# Exit status: 0 all equal, 1 not, 77 skipped (no root, no strace 7.x, no ctrace).
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?usage: run.sh BUILD_DIR [-k] [NAME...]}
shift
keep=
if [ "${1:-}" = -k ]; then
	keep=1
	shift
fi

skip() {
	echo "SKIP strace oracle: $*"
	exit 77
}

[ "$(id -u)" = 0 ] || skip "needs root"
[ -x "$build/ctrace" ] || skip "no $build/ctrace"
strace=$("$here/fetch-strace.sh") || skip "strace 7.x cannot be had here"
work=$(mktemp -d)
[ -n "$keep" ] && echo "traces are in $work" || trap 'rm -rf "$work"' EXIT

# The rules, without comments: one sed script.
grep -v '^#' "$here/known-differences.txt" >"$work/known.sed"

# wait_for FILE: at most ten seconds for a line in it.
wait_for() {
	for _ in $(seq 200); do
		[ -s "$1" ] && return 0
		sleep 0.05
	done
	return 1
}

# trace NAME COMMAND...: one execution, two traces: $work/NAME.{strace,ctrace}
trace() {
	local name=$1
	shift
	mkfifo "$work/$name.go"
	rm -f "$work/$name.pid" "$work/$name.ready"
	# The shell is held until ctrace watches it; what both see from the exec on is compared.
	# status=!detached makes strace write whole lines, as ctrace does without --split.
	# shellcheck disable=SC2086
	"$strace" -f $whole $names ${ORACLE_OPTIONS:-} -o "$work/$name.strace" \
		sh -c 'echo $$ >"$1.pid"; read -r go <"$1.go"; shift; exec "$@"' sh "$work/$name" "$@" \
		>"$work/$name.out" 2>&1 </dev/null &
	local tracee=$!
	wait_for "$work/$name.pid" || return 1
	# shellcheck disable=SC2086
	"$build/ctrace" -p "$(cat "$work/$name.pid")" --always-show-pid $live $names ${ORACLE_OPTIONS:-} -o "$work/$name.ctrace" --ready-fd 9 \
		9>"$work/$name.ready" >"$work/$name.says" 2>&1 &
	local tracer=$!
	if ! wait_for "$work/$name.ready"; then
		echo go >"$work/$name.go"
		wait "$tracee" "$tracer"
		cat "$work/$name.says"
		return 1
	fi
	echo go >"$work/$name.go"
	wait "$tracee"
	wait "$tracer"
}

# split TRACE DIR NEEDLE: the lines of each task to DIR/PID, from the first exec of NEEDLE on.
split() {
	mkdir -p "$2"
	awk -v dir="$2" -v needle="$3" '
		!begun && !(index($0, " execve(\"" needle "\"") || index($0, " execve(pathname=\"" needle "\"")) { next }
		{ begun = 1; pid = $1; print > (dir "/" pid) }' "$1"
}

# equality DIR_A DIR_B DIFF: prints "lines equal different", writes the differences.
equality() {
	: >"$3"
	local pid
	for pid in $(ls "$1" "$2" | grep -E '^[0-9]+$' | sort -nu); do
		touch "$1/$pid" "$2/$pid"
		diff --text "$1/$pid" "$2/$pid" >>"$3"
	done
	cat "$1"/* | awk -v file="$3" '
		END {
			while ((getline line < file) > 0) {
				missing += line ~ /^</
				extra += line ~ /^>/
			}
			print NR, NR - missing, (missing > extra ? missing : extra) + 0
		}'
}

# joined NAME: puts whole calls in place of split ones.
joined() {
	local name=$1 side
	python3 "$here/join.py" "$work/$name.strace" "$work/$name.ctrace" >"$work/$name.places" || failed=1
	sed "s/^/$name: /" "$work/$name.places"
	for side in strace ctrace; do
		mv "$work/$name.$side" "$work/$name.$side.live"
		mv "$work/$name.$side.joined" "$work/$name.$side"
	done
}

compare() {
	local name=$1 needle=$2 side file raw rest
	for side in strace ctrace; do
		split "$work/$name.$side" "$work/$name.$side.d" "$needle"
		mkdir -p "$work/$name.$side.known.d"
		for file in "$work/$name.$side.d"/*; do
			sed -E -f "$work/known.sed" "$file" >"$work/$name.$side.known.d/${file##*/}"
		done
	done
	raw=$(equality "$work/$name.strace.d" "$work/$name.ctrace.d" "$work/$name.raw")
	rest=$(equality "$work/$name.strace.known.d" "$work/$name.ctrace.known.d" "$work/$name.diff")
	# shellcheck disable=SC2086
	set -- $raw $rest
	printf '%-16s %6d lines  raw: %6d equal %5d different   known differences aside: %6d equal %5d different\n' \
		"$name" "$1" "$2" "$3" "$5" "$6"
	raw_lines=$((raw_lines + $1)) raw_equal=$((raw_equal + $2))
	lines=$((lines + $4)) equal=$((equal + $5)) different=$((different + $6))
	[ "$6" = 0 ] || head -n "${DIFF_LINES:-12}" "$work/$name.diff"
	# A trace of nothing equals a trace of nothing.
	[ "$4" -ge 20 ] || failed=1
}

raw_lines=0 raw_equal=0 lines=0 equal=0 different=0 failed=0
programs=$(sed -e '/^#/d' -e '/^$/d' "$here/programs.txt")
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(cd "$build/actors" && ls -d calls_* && ls -d calls_* | sed 's/$/.N/') $(echo "$programs" | cut -d' ' -f1) \
	calls_process.S calls_threads.S calls_signal.S shell.S python.S

# one NAME COMMAND...
one() {
	local name=$1
	shift
	if ! trace "$name" "$@"; then
		echo "$name: could not be traced"
		failed=1
		return
	fi
	[ -z "$live" ] || joined "$name"
	compare "$name" "$1"
}

for name in "$@"; do
	names= live= whole='-e status=!detached' program=$name
	case $name in
	*.N) names=-N program=${name%.N} ;;
	*.S) live=--split whole= program=${name%.S} ;;
	esac
	if [ -x "$build/actors/$program" ]; then
		one "$name" "$build/actors/$program"
		continue
	fi
	line=$(echo "$programs" | grep "^$program ") || { echo "$name: no such actor or program"; exit 2; }
	# The words of a line are the command's, as a shell would read them.
	eval "one $name ${line#* }"
done
awk -v a=$raw_equal -v b=$raw_lines -v c=$equal -v d=$lines 'BEGIN {
	printf "all: raw %d of %d lines equal (%.2f %%), known differences aside %d of %d (%.2f %%)\n",
		a, b, b ? 100 * a / b : 0, c, d, d ? 100 * c / d : 0 }'
[ "$different" = 0 ] && [ "$failed" = 0 ]
