# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# The oracle's parts: one execution under two tracers, and the comparison of
# their lines. Sourced by run.sh, which sets here, build, strace and work; and
# for each execution:
#     names    -N for both tracers, or nothing
#     live     --split for ctrace, or nothing
#     whole    what makes strace write whole lines, or nothing

# wait_for FILE: at most ten seconds for a line in it.
wait_for()
{
	for _ in $(seq 200); do
		[ -s "$1" ] && return 0
		sleep 0.05
	done
	return 1
}

# in_box DIR COMMAND...: in a folder and an environment of its own; the network is a loopback, /run is empty.
in_box()
{
	# shellcheck disable=SC2016
	unshare -n -m sh -c 'cd "$1" && shift && mount -t tmpfs none /run && busybox ip link set lo up && exec "$@"' sh "$@"
}

clean_env()
{
	echo env -i "HOME=$1" PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TZ=UTC
}

# trace NAME COMMAND...: one execution, two traces: $work/NAME.{strace,ctrace}
trace()
{
	local name=$1 home=$work/$1.home
	shift
	mkfifo "$work/$name.go"
	mkdir "$home"
	rm -f "$work/$name.pid" "$work/$name.ready"
	if [ -x "${1%.*}.prepare" ] && ! in_box "$home" $(clean_env "$home") "${1%.*}.prepare" >"$work/$name.prepared" 2>&1; then
		tail -n 3 "$work/$name.prepared"
		return 1
	fi
	# The shell is held until ctrace watches it; what both see from the exec on is compared.
	# shellcheck disable=SC2046,SC2086,SC2016
	in_box "$home" "$strace" -f $whole $names ${ORACLE_OPTIONS:-} -o "$work/$name.strace" $(clean_env "$home") \
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

# per_task TRACE DIR NEEDLE: the lines of each task to DIR/PID, from the first exec of NEEDLE on.
per_task()
{
	local hex
	hex=$(printf %s "$3" | od -An -v -tx1 | tr -d ' \n' | sed 's/../\\\\x&/g')
	mkdir -p "$2"
	awk -v dir="$2" -v needle="$3" -v hex="$hex" '
		!begun && !(index($0, " execve(\"" needle "\"") || index($0, " execve(pathname=\"" needle "\"") || index($0, " execve(\"" hex "\"")) { next }
		{
			begun = 1
			# Frames of a stack (-k) and data (-e read=) stand below the line that they belong to; with -Y a comm behind the number.
			if (substr($0, 1, 1) != " ") {
				task = $1
				sub(/<.*/, "", task)
			}
			file = dir "/" task
			print >> file
			# No more than these at once: a program can have more tasks than awk files.
			if (!(file in open) && ++n > 500) { for (f in open) close(f); delete open; n = 1 }
			open[file]
		}' "$1"
}

# equality DIR_A DIR_B DIFF: prints "lines equal different", writes the differences.
equality()
{
	: >"$3"
	local pid
	for pid in $(ls "$1" "$2" | grep -E '^[0-9]+$' | sort -nu); do
		touch "$1/$pid" "$2/$pid"
		cmp -s "$1/$pid" "$2/$pid" || diff --text --minimal "$1/$pid" "$2/$pid" >>"$3"
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

# merged NAME: one trace in place of files for each task, with the pid in each line.
merged()
{
	local side
	for side in strace ctrace; do
		cat "$work/$1.$side".[0-9]* >"$work/$1.$side"
	done
}

# names_alone NAME: of calls that were denied (calls_denied) nothing but the name: their arguments are compared elsewhere.
names_alone()
{
	sed -i -E 's/\(.* = -1 EPERM .*//' "$work/$1.strace" "$work/$1.ctrace"
}

# joined NAME: puts whole calls in place of split ones; fails unless those were split at the same place.
joined()
{
	local name=$1 side status=0
	python3 "$here/join.py" "$work/$name.strace" "$work/$name.ctrace" >"$work/$name.places" || status=1
	sed "s/^/$name: /" "$work/$name.places"
	for side in strace ctrace; do
		mv "$work/$name.$side" "$work/$name.$side.live"
		mv "$work/$name.$side.joined" "$work/$name.$side"
	done
	return $status
}

# compare NAME NEEDLE: sets raw and rest, each "lines equal different", without
# and with the known differences taken out; the others are in $work/NAME.diff.
compare()
{
	local name=$1 needle=$2 side file
	for side in strace ctrace; do
		per_task "$work/$name.$side" "$work/$name.$side.d" "$needle"
		mkdir -p "$work/$name.$side.known.d"
		for file in "$work/$name.$side.d"/*; do
			sed -E -f "$work/known.sed" "$file" >"$work/$name.$side.known.d/${file##*/}"
		done
	done
	raw=$(equality "$work/$name.strace.d" "$work/$name.ctrace.d" "$work/$name.raw")
	rest=$(equality "$work/$name.strace.known.d" "$work/$name.ctrace.known.d" "$work/$name.diff")
}
