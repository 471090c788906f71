#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Runs the fuzzers of a build with CTRACE_FUZZ, all at once, from the inputs
# that fuzz-seeds makes:
#     tests/fuzz/run.sh BUILD [SECONDS [TARGET...]]
# One line "ok TARGET ..." or "not ok TARGET ..." for each; the input that a
# target ended with is printed in hex. CORPUS=DIRECTORY keeps what was found.
set -u
build=$(readlink -f "$1") || exit 2
seconds=${2:-60}
shift $(($# > 2 ? 2 : $#))
work=$(mktemp -d /tmp/ctrace-fuzz.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
corpus=${CORPUS:-$work/corpus}
programs=$build/tests/fuzz
[ $# -gt 0 ] || { set -- "$programs"/fuzz_*; set -- "${@##*/}"; }

# Memory that was freed is kept apart for a while: less of it is as good here, and faster.
export ASAN_OPTIONS=quarantine_size_mb=16 UBSAN_OPTIONS=print_stacktrace=1

one()
{
	local target=$1 log=$work/$1.log status=0 input
	mkdir -p "$corpus/$target" "$work/$target.tmp" "$work/$target.bad"
	# A minute of grace: reading the first inputs comes on top.
	TMPDIR=$work/$target.tmp timeout -k 10 $((seconds + 240)) nice -n 10 "$programs/$target" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=2048 -max_len=30000 \
		-print_final_stats=1 -artifact_prefix="$work/$target.bad/" "$corpus/$target" "$work/seeds/$target" > "$log" 2>&1 || status=$?
	if [ "$status" = 0 ] && grep -q '^stat::number_of_executed_units: *[1-9]' "$log"; then
		echo "ok $target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, $(grep -o ' cov: [0-9]*' "$log" | tail -n 1 | cut -d ' ' -f 3) edges"
		return
	fi
	grep -E 'ERROR: |runtime error: |^ +#[0-9]+ .* in [a-z_0-9]+ /|^SUMMARY: ' "$log" | head -n 25 | sed 's/^/# /'
	for input in "$work/$target.bad"/*; do
		[ -e "$input" ] || continue
		echo "# the input, for xxd -r -p FILE > INPUT; FUZZ_SHOW=1 $target INPUT:"
		od -An -v -tx1 "$input" | tr -d ' ' | sed 's/^/# /'
	done
	echo "not ok $target: ended with status $status"
}

"$programs/fuzz-seeds" "$work/seeds" || { echo "not ok seeds: could not be made"; exit 1; }
for target; do
	one "$target" > "$work/$target.result" &
done
wait
cat "$work"/*.result
! grep -q '^not ok' "$work"/*.result
