#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# ctrace in a container of its own: with the host's /proc, with the host's pid
# namespace, and with neither, in its target's pid namespace. It has mounts, a
# cgroup and a cgroup namespace of its own, and no more rights than it needs.
. "$(dirname "$0")/lib.sh"

# The host's programs and libraries; the build folder and $T lie where they do on the host.
side_mounts()
{
	local dir
	for dir in /usr /bin /sbin /lib /lib64 /etc "$BUILD" "$source_dir"; do
		[ ! -d "$dir" ] || printf ',{"destination": "%s", "type": "bind", "source": "%s", "options": ["rbind", "ro"]}' "$dir" "$(realpath "$dir")"
	done
	printf ',{"destination": "%s", "type": "bind", "source": "%s", "options": ["rbind", "rw"]}' "$T" "$T"
}

# Of the host's: proc, cgroups.
side_host()
{
	local what
	for what; do
		case $what in
		proc) printf ',{"destination": "/host/proc", "type": "bind", "source": "/proc", "options": ["rbind", "ro"]}' ;;
		cgroups) printf ',{"destination": "/host/sys/fs/cgroup", "type": "bind", "source": "/sys/fs/cgroup", "options": ["rbind", "ro"]}' ;;
		esac
	done
}

# Where a cgroup's directory is in there.
side_path()
{
	echo "/host$1"
}

# side_make PID-NAMESPACE HOST-MOUNTS COMMAND...: PID-NAMESPACE is own, host, or
# a process whose one it is; the bundle is $T/side.
side_make()
{
	local pidns=$1 host=$2 caps=${side_caps:-'["CAP_BPF","CAP_PERFMON","CAP_SYS_PTRACE","CAP_DAC_READ_SEARCH"]'}
	shift 2
	case $pidns in
	own) pidns='{"type": "pid"},' ;;
	host) pidns= ;;
	*) pidns='{"type": "pid", "path": "/proc/'$pidns'/ns/pid"},' ;;
	esac
	mkdir -p "$T/side/rootfs"
	# shellcheck disable=SC2086
	cat > "$T/side/config.json" <<-END
	{
	"ociVersion": "1.0.2",
	"process": {
		"terminal": false, "user": {"uid": 0, "gid": 0}, "cwd": "/", "args": $(json_strings "$@"),
		"env": ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "TZ=UTC"],
		"capabilities": {"bounding": $caps, "effective": $caps, "permitted": $caps, "inheritable": [], "ambient": []}
	},
	"root": {"path": "rootfs", "readonly": false},
	"mounts": [
		{"destination": "/proc", "type": "proc", "source": "proc"},
		{"destination": "/sys", "type": "sysfs", "source": "sysfs", "options": ["nosuid", "noexec", "nodev", "ro"]},
		${side_cgroup_mount-{\"destination\": \"/sys/fs/cgroup\", \"type\": \"cgroup\", \"source\": \"cgroup\", \"options\": [\"ro\"]\},}
		{"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "mode=755", "size=65536k"]}
		$(side_mounts) $(side_host $host)
	],
	"linux": {
		"cgroupsPath": "${side_cgroup:-$group/side}",
		"namespaces": [$pidns {"type": "ipc"}, {"type": "uts"}, {"type": "mount"}, {"type": "cgroup"}, {"type": "network"}],
		"resources": {}
	}
	}
	END
}

# side_start PID-NAMESPACE HOST-MOUNTS ARG...: ctrace in there, after the commands in $side_before.
side_start()
{
	local pidns=$1 host=$2 n=${side_n:=0} args
	shift 2
	side_n=$((n + 1))
	SIDE_ID=$(box_id "side$side_n")
	[ -p "$T/ready" ] || mkfifo "$T/ready"
	exec 8<> "$T/ready"
	printf -v args '%q ' "$CTRACE" --ready-fd 9 --status-file "$T/$status" -o "$T/$out" "$@"
	# ACTOR: a number that only the shell in there knows.
	side_make "$pidns" "$host" /bin/sh -c "${side_before:-} exec ${args//ACTOR/\$actor} 9> $T/ready"
	runc_ run --bundle "$T/side" "$SIDE_ID" < /dev/null 2> "$T/$err" 8>&- &
	CT=$!
	defer end_process "$CT"
	defer runc_ delete --force "$SIDE_ID"
	ct_ready
}

side_stop()
{
	runc_ kill "$SIDE_ID" INT
	ct_wait
	runc_ delete --force "$SIDE_ID" 2> /dev/null
	assert_status 0
}

# The target and the tracer lie beside each other in one group, as in a pod. The
# target's cgroup is of the shape that docker gives it, or of none.
pod_start()
{
	need_runc
	group=/ct$$-pod
	WEB=$(printf '9c6eb891676c%052x' $$)
	box_cgroup=$group/${1-docker/$WEB} box_start web
	defer groups_remove "$group"
	tell web threads 2 10 1
}

# What runs at the start, what that forks, and an exec session: all once.
target_calls()
{
	base=$((${base:-0} + 1000))
	tell web calls "$base" 50
	tell web fork $((base + 50)) 50
	tell web all $((base + 100)) 20
	tell web orphan $((base + 140)) 10
	runc_ exec "$(box_id web)" /bin/marked calls $((base + 200)) 50 / fork $((base + 250)) 20 || fail "exec failed"
}

assert_target_calls()
{
	assert_marked "$base" 150
	assert_marked $((base + 200)) 70
	assert_complete
	# Nothing of ctrace itself, which reads the ring and writes the trace.
	refute_lines 'bpf\(BPF_|--status-file|epoll_wait' out
}

# Both numbers of the worker and of the exec session.
assert_numbers()
{
	jq -e -s --argjson host "$BOX_PID" 'map(select(.type == "syscall" and .name == "lseek"))
		| (.[0] | .pid == 1 and .host_pid == $host) and (.[-1] | .pid > 1 and .host_pid > $host and .pid != .host_pid)' \
		"$T/out" > /dev/null || fail "wrong numbers: $(grep lseek "$T/out" | tail -n 1 | cut -c 1-300)"
}

# side_case PID-NAMESPACE HOST-MOUNTS ARG...
side_case()
{
	side_start "$@"
	target_calls
	side_stop
	assert_target_calls
	# The numbers are the container's own, those of an exec session too.
	assert_lines "^1 +lseek\(-1, $base, SEEK_SET\) " out 1
	refute_lines '^host:' out
	assert_lines '^ctrace: tracing .*container .*: 3 tasks; ' err
	side_start "$@" --format json -e trace=lseek
	tell web calls 1 1
	runc_ exec "$(box_id web)" /bin/marked calls 2 1 || fail "exec failed"
	side_stop
	assert_numbers
}

# --- with the host's /proc ------------------------------------------------------

test_host_proc()
{
	pod_start
	side_case own "proc cgroups" --container "$WEB"
	assert_lines "tracing docker container .*its pid 1 is $BOX_PID on the host" err
	# The tasks have no number in ctrace's own namespace.
	side_start own "proc cgroups" --cgroup "$(side_path "$(cgroup2_mount)$group/docker")"
	target_calls
	side_stop
	assert_target_calls
	assert_lines "^host:$BOX_PID +lseek\(-1, $base, SEEK_SET\) " out 1
	assert_lines '^ctrace: tracing cgroup .*: 3 tasks; ' err
}

# side_print HOST-MOUNTS ARG...: what ctrace prints there, to its end.
side_print()
{
	local host=$1
	shift
	CT_STATUS=0
	side_make own "$host" "$CTRACE" "$@"
	runc_ run --bundle "$T/side" "$(box_id print)" < /dev/null > "$T/out" 2> "$T/err" || CT_STATUS=$?
	runc_ delete --force "$(box_id print)" 2> /dev/null
}

# The numbers are the host's.
test_host_proc_ps()
{
	pod_start
	side_print "proc cgroups" ps --format json
	assert_status 0
	jq -se --arg id "$(box_id web)" --argjson pid "$BOX_PID" '
		map(select(.container.id == $id)) | length == 1 and (.[0] | .container.runtime == "runc" and .init_host_pid == $pid and .tasks == 3)' \
		"$T/out" > /dev/null || fail "not as it should be: $(cat "$T/out")"
	side_print "proc cgroups" ps --pid "$BOX_PID"
	assert_status 0
	assert_lines "^$BOX_PID +1 +$(box_id web) +- +- +runc +3 +$BOX_PID " out 1
}

# What is missing there is named with what the manifest needs for it.
test_check()
{
	group=/ct$$-pod
	defer groups_remove "$group"
	side_print "proc cgroups" check
	assert_status 0
	refute_lines MISSING out
	assert_lines '^the host.s processes +ok +/host/proc, in a pid namespace of our own$' out 1
	assert_lines '^cgroups +ok +.*, at /host/sys/fs/cgroup$' out 1
	assert_lines '^tracing +ok ' out 1
	side_print "proc cgroups" check --print-pod-spec
	assert_status 0
	[ "$(cat "$T/out")" = "# nothing is missing" ] || fail "what is missing: $(cat "$T/out")"
	side_caps='["CAP_PERFMON","CAP_SYS_PTRACE"]'
	side_print "" check
	assert_status 1
	assert_lines '^CAP_BPF +MISSING +to load programs: give it to the container \(docker run --cap-add, ' out 1
	assert_lines '^CAP_PERFMON +ok ' out 1
	assert_lines '^the host.s processes +less +/proc is of another pid namespace: ' out 1
	assert_lines '^tracing +MISSING ' out 1
	side_print "" check --print-pod-spec
	assert_status 1
	assert_lines '^    add: \[BPF\]$' out 1
	assert_lines '^- \{name: host-proc, mountPath: /host/proc, readOnly: true\}$' out 1
	assert_lines '^- \{name: host-proc, hostPath: \{path: /proc\}\}$' out 1
	/usr/bin/python3 -c 'import sys, yaml; d = yaml.safe_load(open(sys.argv[1])); assert d["securityContext"]["capabilities"]["add"] == ["BPF"]' "$T/out" ||
		fail "no YAML, or not what is missing: $(cat "$T/out")"
}

# -p: the numbers of whoever calls.
test_host_proc_own_numbers()
{
	pod_start
	actor_files a
	side_before="$ACTORS/marked serve < $T/a.orders > $T/a.answers & actor=\$!; " \
		side_start own "proc cgroups" -p ACTOR
	tell a calls 5000 20
	tell a orphan 5100 10
	tell web calls 6000 10
	side_stop
	assert_marked 5000 20
	assert_marked 5100 10
	refute_marked 6000 10
	assert_complete
}

# What waits in a call at the end is shown wherever ctrace is.
test_in_flight()
{
	local n=0 mode
	pod_start
	for mode in "own|proc cgroups|$WEB" "host|cgroups|pid:$BOX_PID" "$BOX_PID||pid:1"; do
		n=$((n + 1))
		side_start "${mode%%|*}" "$(cut -d "|" -f 2 <<< "$mode")" --container "${mode##*|}"
		tell web hang
		side_stop
		# Each new child, and those of before that are still at it; and the actor with its two threads.
		assert_lines '^[0-9]+ +pause\( ?<detached \.\.\.>$' out "$n"
		jq -e --argjson n "$n" '.calls.in_flight >= $n + 2' "$T/$status" > /dev/null || fail "in flight: $(jq -c .calls "$T/$status")"
		assert_complete
	done
}

# --- in the host's pid namespace -------------------------------------------------

test_host_pid()
{
	pod_start
	# Its cgroups are seen in their whole, or through the kernel alone.
	side_case host cgroups --container "pid:$BOX_PID"
	side_case host "" --container "pid:$BOX_PID"
	assert_lines "tracing docker container .*its pid 1 is $BOX_PID on the host" err
	side_start host "" -p "$BOX_PID"
	tell web calls 7000 50
	tell web fork 7100 50
	side_stop
	assert_marked 7000 50
	assert_marked 7100 50
	assert_complete
}

# --- in the target's pid namespace -----------------------------------------------

test_target_pid()
{
	pod_start
	side_case "$BOX_PID" "" --container pid:1
	assert_lines "tracing docker container .*${WEB:0:12}.*its first process is 1;" err
	side_start "$BOX_PID" "" -p 1
	tell web calls 7000 50
	tell web all 7100 50
	tell web fork 7200 50
	side_stop
	assert_marked 7000 50
	assert_marked 7100 100
	assert_marked 7200 50
	assert_complete
}

# What is meant in a debug container when nothing is named; not in one that has a pid namespace of its own.
test_default_target()
{
	pod_start
	side_start "$BOX_PID" ""
	tell web calls 1000 20
	runc_ exec "$(box_id web)" /bin/marked calls 1100 20 || fail "exec failed"
	side_stop
	assert_marked 1000 20
	assert_marked 1100 20
	assert_complete
	assert_lines '^ctrace: no target is named: tracing the container of process 1' err 1
	assert_lines '^ctrace: tracing docker container ' err 1
	for pidns in own host; do
		side_make "$pidns" "" "$CTRACE"
		CT_STATUS=0
		runc_ run --bundle "$T/side" "$(box_id "none-$pidns")" < /dev/null 2> "$T/$err" || CT_STATUS=$?
		assert_status 2
		assert_lines '^ctrace: no target; name one by ' err 1
	done
}

# Names that say nothing: the cgroup that the namespace's init is in.
test_target_pid_shapeless()
{
	pod_start web
	side_case "$BOX_PID" "" --container pid:1
	assert_lines 'tracing container web: 3 tasks' err
	# Known by this name from the first line on, though it was learnt late.
	side_before='sleep 60 & actor=$!;' side_start "$BOX_PID" "" --container pid:1 -p ACTOR
	tell web calls 9000 1
	side_stop
	assert_lines '^web 1 +lseek\(-1, 9000, SEEK_SET\) ' out 1
}

# Without a cgroup file system at all.
test_target_pid_no_cgroupfs()
{
	pod_start
	side_cgroup_mount='' side_case "$BOX_PID" "" --container pid:1
}

# ctrace in the very cgroup of its target, and nothing of it in the trace.
test_inside_the_target()
{
	pod_start
	side_cgroup=$group/docker/$WEB side_start "$BOX_PID" "" --container pid:1
	target_calls
	side_stop
	assert_target_calls
}

run_tests "$@"
