#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A build in which a path of coverage can be disabled (CTRACE_BREAK): the trace
# is the workload's all the same, or the statement says "incomplete", and why.
# Never "complete" with a call missing: that is what makes the word mean something.
# MUTANT: that build's ctrace. LONG=1: also each two of them together.
. "$(dirname "$0")/lib.sh"
MUTANT=${MUTANT:-$source_dir/build-mutation/ctrace}

declare -A causes=(
	[fork]='[0-9]+ forks? (was|were) not seen'
	[adopt]='[0-9]+ tasks? ended, and (its|their) children may have been missed'
	[move]='^$'
	[epoch]='^$'
	[judge]='[0-9]+ calls? (was|were) made before (its|their) task was judged'
	[alloc]='[0-9]+ verdicts? could not be kept'
	[rescan]='the tasks of the target did not come to rest while tracing began'
	[audit]="the last reading of the target's tasks failed"
	[drain]='[0-9]+ of [0-9]+ calls were not written'
)
all_paths=(fork adopt move epoch judge alloc rescan audit drain)
# What any of them may lead to, and never without a task that was missed.
late='[0-9]+ tasks? of the target (was|were) not traced'

need_mutant()
{
	[ -x "$MUTANT" ] || skip "no build with -DCTRACE_MUTATION=ON at $MUTANT"
}

# One run of $CTRACE in the middle of the workload; sets equal and complete.
# run_broken PATHS cgroup|process
run_broken()
{
	local options=(connected=1 sleepers=4 max=60000 pace=3000) target=(-p)
	work_cgroup=
	if [ "$2" = cgroup ]; then
		work_cgroup=$dir/a
		options=(sleepers=4 max=60000 pace=3000 inside="$dir" outside="$dir-out")
		target=(--cgroup "$dir")
	fi
	workload_start "$T/board" "${options[@]}"
	[ "$2" = cgroup ] || target+=("$WORK")
	random_sleep 100
	CTRACE_BREAK=$1 ct_start --buffer 64M "${target[@]}"
	"$ACTORS/workload" go "$T/board"
	sleep 0.3
	"$ACTORS/workload" stop "$T/board"
	workload_end "$T/board"
	# By itself, or not: what counts the living may be broken.
	ct_stop
	assert_status 0
	assert_identity
	complete=$(jq .complete "$T/status")
	equal=true
	compare "$T/board" || equal=false
}

# fits PATHS: each reason of the statement is one that these paths may have.
fits()
{
	local path words=$late
	for path in ${1//,/ }; do
		words+="|${causes[$path]}"
	done
	jq -r '.why[]' "$T/status" | grep -Evx "$words" > "$T/unfit"
	[ ! -s "$T/unfit" ]
}

# broken PATHS cgroup|process
broken()
{
	CTRACE=$MUTANT run_broken "$@"
	if [ "$complete" = true ]; then
		[ "$equal" = true ] || fail "without $1 coverage of the $2 is said to be complete, seed $SEED: $(tr '\n' ';' <<< "$verdict")"
	else
		fits "$1" || fail "without $1 the $2 is incomplete for another reason: $(cat "$T/unfit")"
	fi
	[ "$equal" = true ] || [ "$(field foreign)$(field twice)" = 00 ] || fail "without $1 the $2 shows what must not be: $(tr '\n' ';' <<< "$verdict")"
	outcome=$([ "$complete" = true ] && echo complete || echo incomplete)/$([ "$equal" = true ] && echo equal || echo missing)
	echo "note: $1 $outcome"
}

# each cgroup|process
each()
{
	local path
	need_mutant
	if [ "$1" = cgroup ]; then
		dir=$(cgroup2_mount)
		[ -n "$dir" ] || cannot "cgroup v2 is not mounted"
		dir=$dir/ct$$
		hop_dirs "$dir"
	fi
	CTRACE=$MUTANT run_broken '' "$1"
	[ "$complete$equal" = truetrue ] || fail "with nothing broken, seed $SEED: $verdict $(cat "$T/status")"
	for path in "${all_paths[@]}"; do
		broken "$path" "$1"
		# These cannot go unnoticed.
		case $path in
		rescan | audit | drain) [ "$complete" = false ] || fail "without $path it says complete" ;;
		esac
	done
	[ -z "$LONG" ] || each_two "$1"
}

each_two()
{
	local i k
	for ((i = 0; i < ${#all_paths[@]}; i++)); do
		for ((k = i + 1; k < ${#all_paths[@]}; k++)); do
			broken "${all_paths[i]},${all_paths[k]}" "$1"
		done
	done
}

test_cgroup() { each cgroup; }
test_process() { each process; }

# The build that users have knows nothing of it.
test_normal_build()
{
	run_broken fork,adopt,move,epoch,judge,alloc,rescan,audit,drain process
	[ "$complete$equal" = truetrue ] || fail "the normal build heeds CTRACE_BREAK: $verdict $(cat "$T/status")"
	! grep -aq CTRACE_BREAK "$CTRACE" || fail "the normal build knows CTRACE_BREAK"
}

TEST_TIMEOUT=${TEST_TIMEOUT:-$(by_length 900 120)}
run_tests "$@"
