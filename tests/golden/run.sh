#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Compares what each case of the golden program writes with expected/CASE.
# UPDATE=1 writes the expected files anew: look at the diff before you commit.
set -u
golden=$1
dir=$(dirname "$0")/expected
got=$(mktemp) || exit 1
trap 'rm -f "$got"' EXIT
failed=0
cases=$("$golden") || exit 1
[ -n "$cases" ] || { echo "golden: no cases"; exit 1; }

for name in $cases; do
	if ! "$golden" "$name" >"$got"; then
		echo "FAILED $name: the program failed"
		failed=1
	elif [ "${UPDATE:-}" = 1 ]; then
		mkdir -p "$dir" && cp "$got" "$dir/$name"
	elif ! diff -u "$dir/$name" "$got"; then
		echo "FAILED $name"
		failed=1
	fi
	# No control byte but the end of a line ever comes out, colours on request excepted; text is plain ASCII.
	case $name in
	*color*) odd= ;;
	json*) odd='[\001-\010\013-\037\177]' ;;
	*) odd='[\001-\010\013-\037\177-\377]' ;;
	esac
	if [ -n "$odd" ] && LC_ALL=C grep -n "$(printf "$odd")" "$got"; then
		echo "FAILED $name: odd bytes in the output"
		failed=1
	fi
done
for seed in 1 2 3 4 5 6 7 8 9 14; do
	"$golden" -r text 5000 $seed >"$got" || { echo "FAILED random text, seed $seed: the program failed"; failed=1; }
	if LC_ALL=C grep -n "$(printf '[^\040-\176]')" "$got"; then
		echo "FAILED random text, seed $seed: bytes that are not printable ASCII"
		failed=1
	fi
	if grep -vnE '^\[pid +(host:)?[0-9]+(<.*>)?\] [0-9]+\.[0-9]{9} \(\+ *[0-9]+\.[0-9]{6}\) ([a-z0-9_]+\(|<\.\.\. [a-z0-9_]+ resumed>|--- SIG|\+\+\+ (exited|killed|superseded))' "$got"; then
		echo "FAILED random text, seed $seed: lines of another form"
		failed=1
	fi
done
for file in "$dir"/*; do
	echo "$cases" | grep -qxF "$(basename "$file")" || { echo "FAILED $file: no such case"; failed=1; }
done
exit $failed
