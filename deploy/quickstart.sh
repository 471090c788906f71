#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Builds ctrace and shows it at work.
#   sudo deploy/quickstart.sh         traces a small container of its own for five seconds
#   sudo deploy/quickstart.sh NAME    traces the container NAME until Ctrl-C
set -u
source_dir=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd) || exit 1
# shellcheck source=lib/packages.sh
. "$source_dir/deploy/lib/packages.sh"
# shellcheck source=lib/bundle.sh
. "$source_dir/deploy/lib/bundle.sh"

die()
{
	say "$*" >&2
	exit 1
}

case ${1:-} in
-h | --help)
	sed -n '3,5s/^# //p' "$0"
	exit 0
	;;
-*) die "unknown option $1; usage: sudo deploy/quickstart.sh [NAME]" ;;
esac
[ $# -le 1 ] || die "usage: sudo deploy/quickstart.sh [NAME]"
[ "$(id -u)" = 0 ] || die "this needs root: sudo deploy/quickstart.sh ${1:-}"

work=
container=
runc_pid=

clean_up()
{
	if [ -n "$container" ]; then
		runc delete --force "$container" > /dev/null 2>&1
		[ -z "$runc_pid" ] || wait "$runc_pid" 2>/dev/null
	fi
	[ -z "$work" ] || rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

build()
{
	local log
	need_build_packages
	if [ -z "${1:-}" ]; then
		need_command runc runc
		need_command busybox busybox-static
	fi
	install_missing || exit 1
	say "building $source_dir/build/ctrace"
	log=$(mktemp /tmp/ctrace-build.XXXXXX) || exit 1
	chmod 644 "$log"
	if ! build_tree "$source_dir/build" "$log" ctrace -DCTRACE_TESTS=OFF; then
		tail -n 20 "$log"
		die "the build failed; the whole log is $log"
	fi
	rm -f "$log"
}

# A shell that keeps starting workers; each of them looks for a file that is
# not there, as a program does whose image lacks its configuration.
start_container()
{
	work=$(mktemp -d /tmp/ctrace-quickstart.XXXXXX) || exit 1
	container=ctrace-demo-$$
	rootfs_make "$work/rootfs" || die "cannot make a root file system in $work"
	cat > "$work/rootfs/bin/worker" <<-'END'
	#!/bin/sh
	echo "worker $1 begins" > /tmp/worker.$1
	cat /etc/app/settings.conf 2> /dev/null || cat /etc/passwd > /dev/null
	rm /tmp/worker.$1
	sleep 0.2
	END
	cat > "$work/rootfs/bin/entry" <<-'END'
	#!/bin/sh
	n=0
	while true; do
		n=$((n + 1))
		worker $n &
		worker again-$n &
		wait
		sleep 0.1
	done
	END
	chmod 755 "$work/rootfs/bin/worker" "$work/rootfs/bin/entry"
	bundle_make "$work" "/$container" /bin/entry
	runc run --bundle "$work" "$container" < /dev/null > "$work/runc.log" 2>&1 &
	runc_pid=$!
	local i
	for ((i = 0; i < 100; i++)); do
		runc state "$container" 2>/dev/null | grep -q '"status": "running"' && return
		kill -0 "$runc_pid" 2>/dev/null || break
		sleep 0.05
	done
	cat "$work/runc.log"
	die "runc could not start the container"
}

# The number of calls and of processes in the trace, by its line prefix.
count_calls()
{
	awk '/^\[pid +[^]]+\] [a-z_0-9]+\(/ { calls++; sub(/^\[pid +/, ""); sub(/\].*/, ""); seen[$0] = 1 }
	     END { n = 0; for (p in seen) n++; print calls + 0, n }' "$1"
}

demo()
{
	local status calls processes failing
	say "starting a container with runc: a busybox that spawns workers"
	start_container
	local command=("$source_dir/build/ctrace" --container "$container" --for 5s --status-file "$work/status.json")
	say "tracing it for five seconds: ${command[*]}"
	"${command[@]}" | tee "$work/trace"
	status=${PIPESTATUS[0]}
	[ "$status" = 0 ] || die "ctrace ended with status $status"
	read -r calls processes < <(count_calls "$work/trace")
	failing=$(grep -o '[a-z0-9]*open[a-z0-9]*([^)]*"/etc/app/settings.conf"[^)]*) *= -1 E[A-Z]* ([^)]*)' "$work/trace" | head -n 1)
	[ "$calls" -ge 20 ] && [ "$processes" -ge 3 ] || die "only $calls calls of $processes processes were seen"
	grep -q '"complete": *true' "$work/status.json" || die "coverage was not complete: see the statement above"
	[ -n "$failing" ] || die "the open of /etc/app/settings.conf that the workers fail at is not in the trace"
	say "that were all $calls calls of $processes processes, none missed; the one to look at is $failing: the workers want a file that their image does not have"
}

if [ $# = 1 ]; then
	say "this builds ctrace in $source_dir/build and traces the container $1 until Ctrl-C; nothing else is changed but for build packages that may be missing"
	build "$1"
	say "running: $source_dir/build/ctrace --container $1"
	trap '' INT
	(
		trap - INT
		exec "$source_dir/build/ctrace" --container "$1"
	)
	exit $?
fi
say "this builds ctrace in $source_dir/build, starts a small container with runc, traces it for five seconds and removes it; packages that the build needs and that are missing are installed first, after saying which"
build
demo
