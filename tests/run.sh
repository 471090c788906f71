#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The tests.
#   sudo tests/run.sh           build, unit, golden and system tests (with runc)
#   sudo tests/run.sh --all     all of CI: also real runtimes, other kernels under
#                               qemu, the strace oracle (also for i386 and arm64), clang,
#                               sanitizers, fuzzers, arm64
#   --only SUITE[,SUITE...]     these alone (the builds that they need are made)
# Packages that are missing are installed (deploy/lib/packages.sh says how),
# container runtimes with --all alone. Exit status: 1 if a test failed; with
# CI=true also if one was skipped that could have run.
set -u
source_dir=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd) || exit 1
# SAY_PREFIX is read by packages.sh.
# shellcheck disable=SC2034
SAY_PREFIX=tests
# shellcheck source=../deploy/lib/packages.sh
. "$source_dir/deploy/lib/packages.sh"
# shellcheck source=lib/debian.sh
. "$source_dir/tests/lib/debian.sh"
# shellcheck source=lib/suites.sh
. "$source_dir/tests/lib/suites.sh"

all=0
only=
while [ $# -gt 0 ]; do
	case $1 in
	--all) all=1 ;;
	--only)
		only=${2:?--only needs a name}
		shift
		;;
	*)
		sed -n '4,12s/^# \{0,1\}//p' "$0"
		exit 2
		;;
	esac
	shift
done

build=$source_dir/build
work=$(mktemp -d /tmp/ctrace-tests.XXXXXX) || exit 1
# The builder may be another user.
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
results=$work/results
: > "$results"

wanted()
{
	if [ -n "$only" ]; then
		[[ ,$only, == *,$1,* ]]
	else
		[ "$2" = plain ] || [ "$all" = 1 ]
	fi
}

# suite NAME COMMAND...: runs it and counts its lines "ok ...", "not ok ..." and
# "skip NAME: reason". A skip that this machine can do nothing about says "(cannot)".
suite()
{
	local name=$1 log=$work/$1.log start=$SECONDS status passed failed skipped
	shift
	echo "=== $name"
	"$@" 2>&1 < /dev/null | tee "$log"
	status=${PIPESTATUS[0]}
	passed=$(grep -c '^ok ' "$log")
	failed=$(grep -c '^not ok ' "$log")
	skipped=$(grep -c '^skip ' "$log")
	if [ "$failed" = 0 ] && { [ "$status" != 0 ] || [ $((passed + skipped)) = 0 ]; }; then
		echo "not ok $name: ended with status $status after $((passed + skipped)) tests"
		failed=1
	fi
	printf '%s\t%d\t%d\t%d\t%d\t%s\n' "$name" "$passed" "$failed" "$skipped" $((SECONDS - start)) \
		"$(sed -n 's/^skip //p' "$log" | cut -c 1-120 | paste -sd ';')" >> "$results"
}

table()
{
	local passed failed skipped avoidable
	echo
	awk -F'\t' '
		BEGIN { printf "%-10s %7s %7s %8s %8s\n", "suite", "passed", "failed", "seconds", "skipped" }
		{ printf "%-10s %7d %7d %8d %8d%s\n", $1, $2, $3, $5, $4, $6 == "" ? "" : "  " $6 }' "$results"
	passed=$(awk -F'\t' '{ n += $2 } END { print n + 0 }' "$results")
	failed=$(awk -F'\t' '{ n += $3 } END { print n + 0 }' "$results")
	skipped=$(awk -F'\t' '{ n += $4 } END { print n + 0 }' "$results")
	avoidable=$(cat "$work"/*.log 2>/dev/null | grep '^skip ' | grep -vc '(cannot)')
	code=0
	[ "$failed" = 0 ] || code=1
	if [ "${CI:-}" = true ] && [ "$avoidable" -gt 0 ]; then
		echo "CI: $avoidable tests were skipped that could have run here"
		code=1
	fi
	echo "$passed passed, $failed failed, $skipped skipped"
}

packages
# What the later suites stand on: without it there is nothing to say.
suite build suite_build
if [ -x "$build/ctrace" ] && ! grep -q '^not ok' "$work/build.log"; then
	! wanted unit plain || suite unit suite_ctest "$build" -E '^golden'
	! wanted golden plain || suite golden suite_ctest "$build" -R '^golden'
	! wanted system plain || suite system suite_system
	! wanted runtimes all || suite runtimes suite_runtimes
	! wanted coverage all || suite coverage suite_coverage
	! wanted oracle all || suite oracle suite_oracle
	! wanted vm all || suite vm suite_vm
	! wanted sanitize all || suite sanitize suite_sanitize
	! wanted clang all || suite clang suite_clang
	! wanted lint all || suite lint suite_lint
	! wanted fuzz all || suite fuzz suite_fuzz
	! wanted arm64 all || suite arm64 suite_arm64
	! wanted machines all || suite machines suite_machines
fi
table
exit "$code"
