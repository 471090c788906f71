#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Proves that the fuzzers find what they are there for: plants the bugs of
# planted.txt one by one and demands that each is found.
#     tests/fuzz/planted.sh BUILD [SECONDS [NAME...]]    seconds of the CPU, not of a busy machine's clock
# BUILD is one with CTRACE_FUZZ; nothing in it is changed: the files with the
# bug are compiled apart, and the target is linked with them before the
# libraries. One line "ok NAME ..." or "not ok NAME ..." for each.
set -u
build=$(readlink -f "$1") || exit 2
seconds=${2:-60}
shift $(($# > 2 ? 2 : $#))
here=$(dirname "$(readlink -f "$0")")
source_dir=$(readlink -f "$here/../..")
work=$(mktemp -d /tmp/ctrace-planted.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
export ASAN_OPTIONS=quarantine_size_mb=16 UBSAN_OPTIONS=print_stacktrace=1

# The command that compiles a file of the tree, with the header that has the bug before the others.
compile()
{
	local source=$1 from=$2 object=$3 command
	command=$(jq -r --arg f "$source_dir/$source" '.[] | select(.file == $f) | "cd " + .directory + " && " + .command' "$build/compile_commands.json" | head -n 1)
	[ -n "$command" ] || return 1
	command=${command% -o *}
	# Before the directories of the tree.
	command="${command/ -I/ -I$work/include -I}"
	bash -c "$command -iquote $source_dir/$(dirname "$source") -Wno-error -o $object -c $from" 2>> "$work/build.log"
}

# plant NAME TARGET FILE SED-COMMAND [COMPILED...]: the file is a header if files are named that are to be compiled with it.
plant()
{
	local name=$1 target=$2 file=$3 change=$4 objects=() copy source
	shift 4
	rm -rf "$work/include" "$work/o"
	mkdir -p "$work/o" "$work/include/$(basename "$(dirname "$file")")"
	copy=$work/o/$(basename "$file")
	[ $# = 0 ] || copy=$work/include/$(basename "$(dirname "$file")")/$(basename "$file")
	sed "$change" "$source_dir/$file" > "$copy" || return 1
	# A bug that the code has no place for any more is a stale line here.
	! cmp -s "$source_dir/$file" "$copy" || return 1
	if [ $# = 0 ]; then
		compile "$file" "$copy" "$work/o/x.o" || return 1
		objects=("$work/o/x.o")
	fi
	for source; do
		compile "$source" "$source_dir/$source" "$work/o/$(basename "$source").o" || return 1
		objects+=("$work/o/$(basename "$source").o")
	done
	(cd "$build/tests/fuzz" && eval "$(sed "s|-o $target |${objects[*]} -o $work/$target-$name |" "CMakeFiles/$target.dir/link.txt")") 2>> "$work/build.log"
}

find_by()
(
	local dir=$work/$2.d
	ulimit -t "$seconds"
	TMPDIR=$dir/tmp exec nice -n 10 "$work/$1-$2" -max_total_time=$((seconds * 10)) -timeout=60 -rss_limit_mb=2048 -max_len=30000 \
		-entropic=0 -artifact_prefix="$dir/bad/" "$dir/corpus" "$work/seeds/$1"
)

# Says after how many seconds the bug was found.
find_it()
{
	local name=$1 target=$2 log=$work/$1.log took TIMEFORMAT='%R s (%U of them of the CPU)'
	mkdir -p "$work/$name.d/corpus" "$work/$name.d/tmp" "$work/$name.d/bad"
	took=$( { time find_by "$target" "$name" > "$log" 2>&1; } 2>&1 | tail -n 1)
	if grep -qE '^SUMMARY: ' "$log"; then
		echo "ok planted_$name: found after $took"
	else
		tail -n 2 "$log" | cut -c 1-200 | sed 's/^/# /'
		echo "not ok planted_$name: not found in $took"
	fi
	rm -rf "$work/$name.d"
}

one()
{
	local name=$1 target=$2
	if plant "$@"; then
		find_it "$name" "$target"
	else
		tail -n 5 "$work/build.log" 2> /dev/null | sed 's/^/# /'
		echo "not ok planted_$name: could not be planted"
	fi
	rm -f "$work/$target-$name"
}

"$build/tests/fuzz/fuzz-seeds" "$work/seeds" || { echo "not ok seeds: could not be made"; exit 1; }
while IFS=$'\t' read -r name target file change compiled; do
	case $name in '' | '#'*) continue ;; esac
	[ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
	# shellcheck disable=SC2086 # files are words
	one "$name" "$target" "$file" "$change" $compiled
done < "$here/planted.txt" | tee "$work/result"
! grep -q '^not ok' "$work/result" && grep -q '^ok' "$work/result"
