# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# The system tests' library. A test file defines functions named test_...,
# and ends with: run_tests "$@". Each test runs in a shell of its own, with a
# folder $T of its own; what it starts it registers with defer, and all of
# that is undone however the test ends.
#
#     fail WORDS, skip WORDS, cannot W end the test
#     defer COMMAND ARG...             at its end, the last one first
#     ct_start ARG..., ct_stop, ct_run ctrace in the background, its end, in the foreground
#     box_start NAME ..., tell NAME .. a runc container, the actor in it or on the host
#
# Wants: BUILD, a build folder with ctrace and actors/.
set -u
system_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_dir=$(cd "$system_dir/../.." && pwd)
# shellcheck source=../../deploy/lib/bundle.sh
. "$source_dir/deploy/lib/bundle.sh"
BUILD=${BUILD:-$source_dir/build}
CTRACE=$BUILD/ctrace
ACTORS=$BUILD/actors
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL=C TZ=UTC

fail()
{
	echo "reason: $*"
	exit 1
}

skip()
{
	echo "reason: $*"
	exit 77
}

# For what no installation of packages would help: another machine is needed.
cannot()
{
	echo "reason: (cannot) $*"
	exit 77
}

deferred=()

defer()
{
	local command
	printf -v command '%q ' "$@"
	deferred+=("$command")
}

undo()
{
	local i
	for ((i = ${#deferred[@]} - 1; i >= 0; i--)); do
		eval "${deferred[i]}" > /dev/null 2>&1
	done
	deferred=()
}

# Whether it is a child of ours and runs. Once it has ended its number may be
# that of anybody on the machine, whom we must neither end nor wait for.
child_lives()
{
	local stat parent
	{ read -r stat < "/proc/$1/stat"; } 2>/dev/null || return 1
	read -r stat parent _ <<< "${stat##*) }"
	[ "$stat" != Z ] && { [ "$parent" = $$ ] || [ "$parent" = "$BASHPID" ]; }
}

child_gone()
{
	! child_lives "$1"
}

# signal_child SIGNAL PID: sends it to a child of ours that still runs.
signal_child()
{
	child_lives "$2" && kill -"$1" "$2" 2>/dev/null
}

# end_process PID: ends a child of ours and waits for it.
end_process()
{
	signal_child TERM "$1" || { wait "$1" 2>/dev/null; return 0; }
	local i
	for ((i = 0; i < 40; i++)); do
		child_lives "$1" || break
		sleep 0.05
	done
	signal_child KILL "$1"
	wait "$1" 2>/dev/null
	return 0
}

# until_true SECONDS COMMAND...
until_true()
{
	local end=$((SECONDS + $1 + 1))
	shift
	while ! "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.02
	done
}

# --- ctrace -------------------------------------------------------------------

out=out
err=err
status=status

# ct_start ARG...: starts ctrace with $T/out, $T/err, $T/status and waits for
# its announcement. CT is its pid. ct_before: a command to start it by.
ct_start()
{
	ct_launch -o "$T/$out" "$@"
	ct_ready
}

ct_launch()
{
	[ -p "$T/ready" ] || mkfifo "$T/ready"
	exec 8<> "$T/ready"
	# A shell's background jobs ignore SIGINT.
	${ct_before:-} env --default-signal=INT,QUIT "$CTRACE" --ready-fd 9 --status-file "$T/$status" "$@" 9>&8 2> "$T/$err" 8>&- &
	CT=$!
	defer end_process "$CT"
}

ct_ready()
{
	local byte i
	for ((i = 0; i < 20; i++)); do
		byte=
		# A read that times out may have got the byte all the same.
		read -r -u 8 -t 0.5 -N 1 byte
		[ -z "$byte" ] || return 0
		child_lives "$CT" || break
	done
	fail "ctrace did not announce itself: $(tail -n 3 "$T/$err")"
}

# Waits for ctrace's end, at most 20 seconds. CT_STATUS is its exit status.
ct_wait()
{
	until_true 20 child_gone "$CT" || fail "ctrace did not end within 20 seconds"
	wait "$CT"
	CT_STATUS=$?
}

gone()
{
	! kill -0 "$1" 2>/dev/null
}

ct_stop()
{
	signal_child "${1:-INT}" "$CT"
	ct_wait
}

# ct_run ARG...: to its end; standard output and error in $T/out and $T/err.
ct_run()
{
	CT_STATUS=0
	timeout -k 2 "${ct_timeout:-30}" "$CTRACE" "$@" > "$T/$out" 2> "$T/$err" < /dev/null || CT_STATUS=$?
	[ "$CT_STATUS" != 124 ] || fail "ctrace $* did not end"
}

# --- assertions ----------------------------------------------------------------

assert_status()
{
	[ "$CT_STATUS" = "$1" ] || fail "exit status $CT_STATUS, not $1: $(tail -n 2 "$T/$err")"
}

assert_equal()
{
	[ "$1" = "$2" ] || fail "${3:-value} is \"$1\", not \"$2\""
}

# assert_lines PATTERN FILE [COUNT]: lines that match (grep -E), at least one or exactly COUNT.
assert_lines()
{
	local n
	n=$(grep -aEc -- "$1" "$T/$2")
	if [ -n "${3:-}" ]; then
		[ "$n" = "$3" ] || fail "$n lines of $2 match \"$1\", not $3"
	else
		[ "$n" -gt 0 ] || fail "no line of $2 matches \"$1\": $(tail -n 3 "$T/$2" | cut -c 1-300)"
	fi
}

refute_lines()
{
	! grep -aEq -- "$1" "$T/$2" || fail "a line of $2 matches \"$1\": $(grep -aE -m 1 -- "$1" "$T/$2" | cut -c 1-300)"
}

# The identity that every statement must keep, and that it is in the status file as JSON.
assert_identity()
{
	jq -e '.calls | .seen == .delivered + .filtered + ([.lost[]] | add)' "$T/$status" > /dev/null ||
		fail "seen is not delivered + filtered + lost: $(cat "$T/$status")"
}

assert_complete()
{
	assert_identity
	jq -e '.complete == true' "$T/$status" > /dev/null || fail "coverage is not complete: $(cat "$T/$status")"
	grep -q '^ctrace: coverage complete since ' "$T/$err" || fail "no statement on standard error: $(tail -n 2 "$T/$err")"
}

# marked_counts BASE N: "missing twice" of the marked calls BASE..BASE+N-1 in the trace.
marked_counts()
{
	grep -ao 'lseek(-1, [0-9]*, SEEK_SET)' "$T/$out" |
		awk -v base="$1" -v n="$2" '
			{ sub(/.*-1, /, ""); sub(/,.*/, ""); x = $0 + 0; if (x >= base && x < base + n) seen[x]++ }
			END {
				for (i = base; i < base + n; i++) { missing += !(i in seen); twice += seen[i] > 1 }
				print missing + 0, twice + 0
			}'
}

# Each of the N marked calls from BASE on is in the trace, once.
assert_marked()
{
	local missing twice
	read -r missing twice < <(marked_counts "$1" "$2")
	[ "$missing" = 0 ] && [ "$twice" = 0 ] || fail "of the $2 marked calls from $1 on $missing are missing, $twice appear twice"
}

refute_marked()
{
	local missing twice
	read -r missing twice < <(marked_counts "$1" "$2")
	[ "$missing" = "$2" ] || fail "$(($2 - missing)) of the $2 marked calls from $1 on are in the trace and must not be"
}

# The calls that the actor "files" named in $T/expected are in the trace, and no others of the kind.
assert_files()
{
	[ "$(wc -l < "$T/expected")" -gt "${1:-80}" ] || fail "only $(wc -l < "$T/expected") calls"
	grep -aoE '(lseek\([0-9]+<.*, [0-9]{4}, SEEK_SET\)|openat\(AT_FDCWD<.*, "mark-[0-9]+", O_RDONLY\))' "$T/out" | sort > "$T/got"
	sort "$T/expected" | diff - "$T/got" > "$T/differs" || fail "$(grep -c '^[<>]' "$T/differs") lines differ: $(head -n 6 "$T/differs" | cut -c 1-300)"
}

# Programs and links that a process holds, as "prog N" and "link N".
bpf_objects()
{
	sed -n 's/^\(prog\|link\)_id:[[:space:]]*/\1 /p' /proc/"$1"/fdinfo/* 2>/dev/null | sort -u
}

# assert_detached FILE: none of the objects listed in it is still there.
# The kernel frees them a moment after the last file is closed.
assert_detached()
{
	local kind id
	[ -s "$1" ] || fail "ctrace held no BPF object while it ran"
	while read -r kind id; do
		until_true 3 bpf_gone "$kind" "$id" || fail "BPF $kind $id is still there"
	done < "$1"
}

bpf_gone()
{
	! bpftool "$1" show id "$2" > /dev/null 2>&1
}

# --- actors ---------------------------------------------------------------------

# tell NAME WORDS: has the actor do it and waits until it has.
tell()
{
	local name=$1 n answer
	shift
	n=$(wc -l < "$T/$name.answers")
	echo "$*" > "$T/$name.orders"
	until_true 20 answered "$name" "$n" || fail "actor $name does not answer: $*"
	answer=$(sed -n "$((n + 1))p" "$T/$name.answers")
	[ "$answer" = ok ] || fail "actor $name: $answer"
}

# order NAME WORDS: without an answer, since it ends the actor.
order()
{
	local name=$1
	shift
	echo "$*" > "$T/$name.orders"
}

answered()
{
	[ "$(wc -l < "$T/$1.answers")" -gt "$2" ]
}

# The actor's fifo and its answers lie where containers see them too.
actor_files()
{
	mkdir -p "$T/shared"
	mkfifo "$T/shared/$1.orders"
	: > "$T/shared/$1.answers"
	ln -s "shared/$1.orders" "$T/$1.orders"
	ln -s "shared/$1.answers" "$T/$1.answers"
	# A writer that stays, or else the actor would read the end of the file.
	sleep 3600 > "$T/$1.orders" &
	defer end_process $!
}

# actor_start NAME: on the host. Its pid is ACTOR.
actor_start()
{
	actor_files "$1"
	"$ACTORS/marked" serve < "$T/$1.orders" > "$T/$1.answers" 2> "$T/$1.err" &
	ACTOR=$!
	defer end_process "$ACTOR"
	tell "$1" sleep 0
}

# --- runc containers --------------------------------------------------------------

RUNC_ROOT=${RUNC_ROOT:-}

runc_()
{
	"${RUNTIME:-runc}" --root "$RUNC_ROOT" "$@"
}

need_runc()
{
	command -v "${RUNTIME:-runc}" > /dev/null || skip "${RUNTIME:-runc} is not installed"
	RUNC_ROOT=$T/run
	export CTRACE_RUNC_ROOT=$RUNC_ROOT CTRACE_CRUN_ROOT=$RUNC_ROOT
	mkdir -p "$RUNC_ROOT"
}

box_rootfs()
{
	rootfs_make "$1" || fail "no busybox to make a root file system of"
	cp "$ACTORS/marked" "$ACTORS/storm" "$ACTORS/workload" "$ACTORS/files" "$1/bin/"
}

# box_make NAME [COMMAND...]: a bundle; by default the actor. $T/shared is /shared.
box_make()
{
	local name=$1
	shift
	[ $# -gt 0 ] || set -- /bin/marked serve
	[ -n "$RUNC_ROOT" ] || need_runc
	mkdir -p "$T/shared"
	box_rootfs "$T/$name/rootfs"
	bundle_mounts=', {"destination": "/shared", "type": "bind", "source": "'$T'/shared", "options": ["rbind", "rw"]}' \
		bundle_make "$T/$name" "${box_cgroup:-/$name}" "$@"
}

# box_id NAME: the container's ID; unique on the machine, for others run tests as well.
box_id()
{
	echo "ct$$-$1"
}

# box_start NAME [COMMAND...]: a running container; BOX_PID is its init.
box_start()
{
	local name=$1 id
	shift
	id=$(box_id "$name")
	box_cgroup=${box_cgroup:-/$id} box_make "$name" "$@"
	actor_files "$name"
	runc_ run --bundle "$T/$name" "$id" < "$T/$name.orders" > "$T/$name.answers" 2> "$T/$name.err" &
	BOX_RUN=$!
	defer end_process "$BOX_RUN"
	defer runc_ delete --force "$id"
	until_true 10 box_running "$id" || fail "container $name does not start: $(cat "$T/$name.err")"
	BOX_PID=$(runc_ state "$id" | jq -r .pid)
	[ $# -gt 0 ] || tell "$name" sleep 0
}

box_running()
{
	[ "$(runc_ state "$1" 2>/dev/null | jq -r .status)" = running ]
}

# --- cgroups ----------------------------------------------------------------------

# in_mode FUNCTION: a function of the test's, in a mount namespace of its own.
in_mode()
{
	need_runc
	unshare -m --propagation private bash "$0" --one "$1"
	case $? in
	0) ;;
	77) exit 77 ;;
	*) exit 1 ;;
	esac
}

v2_alone()
{
	umount -R /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup || cannot "cgroup v2 cannot be mounted alone"
}

# v1_alone CONTROLLER: the hierarchies that the kernel has are mounted, without v2.
v1_alone()
{
	local mount
	mount=$(cgroup2_mount)
	[ -z "$mount" ] || umount "$mount" || cannot "cgroup v2 cannot be unmounted"
	[ -n "$(cgroup1_mount "$1")" ] || cannot "v1's $1 is not mounted"
}

# Where the v2 hierarchy is mounted, and a v1 one; nothing if there is none.
cgroup2_mount()
{
	awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts
}

cgroup1_mount()
{
	awk -v c="${1:-pids}" '$3 == "cgroup" && ("," $4 ",") ~ ("," c ",") { print $2; exit }' /proc/self/mounts
}

# cgroup_make DIR: made, and removed at the end with what is below it.
cgroup_make()
{
	mkdir -p "$1" || fail "cannot make $1"
	defer cgroup_remove "$1"
}

cgroup_mounts()
{
	awk '$3 ~ /^cgroup2?$/ { print $2 }' /proc/self/mounts
}

# groups_remove PATH: on each hierarchy where it is.
groups_remove()
{
	local mount
	for mount in $(cgroup_mounts); do
		[ ! -d "$mount$1" ] || cgroup_remove "$mount$1"
	done
}

cgroup_remove()
{
	local i pid mount
	mount=$(stat -c %m "$1" 2>/dev/null)
	for ((i = 0; i < 40; i++)); do
		find "$1" -name cgroup.procs -exec cat {} + 2>/dev/null | while read -r pid; do
			# Back to the root of its hierarchy, so that what we did not start lives on.
			echo "$pid" > "$mount/cgroup.procs" 2>/dev/null
		done
		find "$1" -depth -type d -exec rmdir {} + 2>/dev/null
		[ -d "$1" ] || return 0
		sleep 0.05
	done
}

# --- running ------------------------------------------------------------------------

run_one()
{
	T=$(mktemp -d "${TMPDIR:-/tmp}/ctrace-test.XXXXXX") || exit 1
	chmod 711 "$T"
	trap 'undo; [ -n "${CTRACE_KEEP:-}" ] || rm -rf "$T"' EXIT
	trap 'echo "reason: timeout in ${FUNCNAME[*]:-main}: $BASH_COMMAND"; exit 1' TERM
	trap 'exit 130' INT
	"$1"
}

# run_tests [NAME...]: all tests of the file, or these. A line for each on
# standard output; the exit status is that of run.sh: 1 if any failed.
run_tests()
{
	local name reason start code took failed=0
	if [ "${1:-}" = --one ]; then
		run_one "$2"
		exit 0
	fi
	if [ $# = 0 ]; then
		mapfile -t < <(grep -o '^test_[a-z0-9_]*' "$0")
		set -- "${MAPFILE[@]}"
	fi
	for name; do
		start=$(date +%s%N)
		code=0
		reason=$(timeout -k 10 "${TEST_TIMEOUT:-120}" bash "$0" --one "$name" 2>&1 < /dev/null) || code=$?
		took=$((($(date +%s%N) - start) / 100000000))
		took=$((took / 10)).$((took % 10))
		case $code in
		0) echo "ok $name (${took}s)$(note "$reason")" ;;
		77) echo "skip $name: $(reason "$reason")" ;;
		*)
			echo "not ok $name (${took}s): $(reason "$reason")"
			failed=1
			;;
		esac
	done
	exit "$failed"
}

reason()
{
	local line
	line=$(sed -n 's/^reason: //p' <<< "$1" | head -n 1)
	[ -n "$line" ] || line="the test ended early: $(tail -n 2 <<< "$1" | tr '\n' ' ')"
	cat -v <<< "$line"
}

# What a passing test measured: its lines that begin with "note: ".
note()
{
	sed -n 's/^note: /: /p' <<< "$1" | tr -d '\n'
}
