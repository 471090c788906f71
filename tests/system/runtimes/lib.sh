# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# The same tests for every container runtime. A test file defines
#     rt_setup                  starts what the runtime needs, on private sockets and folders
#     rt_run NAME COMMAND...    a detached container with $T/shared as /shared; sets RT_ID
#     rt_exec NAME COMMAND...   an exec session, to its end
#     rt_pid NAME               the host pid of its init
#     rt_kill NAME SIGNAL
# and rt_name, how ctrace calls the runtime; then "runtime_tests" calls what
# is defined here.
runtimes_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../lib.sh
. "$runtimes_dir/../lib.sh"
# shellcheck source=../storm.sh
. "$runtimes_dir/../storm.sh"

# Containers of a run have a name that no other run has.
rt_unique()
{
	echo "ct$$-$1"
}

# rt_actor NAME: the actor, in a container.
rt_actor()
{
	actor_files "$1"
	rt_run "$1" /bin/sh -c "exec /bin/marked serve < /shared/$1.orders > /shared/$1.answers"
	tell "$1" sleep 0
	RT_PID=$(rt_pid "$1")
	[ "${RT_PID:-0}" -gt 1 ] || fail "no pid of the container: $RT_PID"
}

rt_rootfs()
{
	box_rootfs "$T/rootfs"
}

traced()
{
	local name=$1
	shift
	base=$((${base:-0} + 1000))
	ct_start "$@"
	tell "$name" calls "$base" 50
	ct_stop
	assert_status 0
	assert_marked "$base" 50
	assert_complete
}

# By every name that it has. The opening line says what it is.
names_case()
{
	local name
	rt_setup
	rt_actor web
	name=$(rt_unique web)
	traced web --container "$RT_ID"
	traced web --container "${RT_ID:0:12}"
	traced web --container "$name"
	traced web --container "$rt_name:$name"
	traced web --container "pid:$RT_PID"
	assert_lines "^ctrace: tracing (.* )?container .*$name.*its pid 1 is $RT_PID on the host" err
	assert_lines '^1 +lseek\(-1, 5000, SEEK_SET\) += -1 EBADF \(Bad file descriptor\)$' out 1
	listed_case
	origin_case
}

# Each JSON record says whose it is: rt_image is what the runtime calls the image, empty for one without.
rt_image=

origin_case()
{
	base=$((${base:-0} + 1000))
	ct_start --format json --container "$RT_ID"
	tell web calls "$base" 20
	ct_stop
	jq -se --arg id "$RT_ID" --arg runtime "$rt_name" --arg image "$rt_image" '
		map(select(.type == "syscall" and .name == "lseek").container) | length == 20 and
		all(.id == $id and .runtime == $runtime and (.image // "") == $image)' "$T/out" > /dev/null ||
		fail "whose calls they are: $(grep -a -m 1 lseek "$T/out")"
}

# ctrace ps has the container once, whole, and knows it by its process.
listed_case()
{
	ct_run ps --format json
	assert_status 0
	jq -se --arg id "$RT_ID" --arg runtime "$rt_name" --argjson pid "$RT_PID" '
		map(select(.container.id == $id)) | length == 1 and (.[0] |
		.container.runtime == $runtime and .init_host_pid == $pid and .tasks >= 1 and (.cgroup | length > 1))' "$T/out" > /dev/null ||
		fail "not once, or not whole: $(grep -a "$RT_PID" "$T/out")"
	ct_run ps --pid "$RT_PID" --format json
	[ "$(jq -r '"\(.host_pid) \(.pid) \(.container.id)"' "$T/out")" = "$RT_PID 1 $RT_ID" ] || fail "ps --pid $RT_PID: $(cat "$T/out" "$T/err")"
}

# Workers at the start, exec sessions, and the end with its status.
life_case()
{
	rt_setup
	rt_actor web
	ct_start --container "$(rt_unique web)"
	bpf_objects "$CT" > "$T/objects"
	tell web fork 1000 50
	tell web threads 3 2000 20
	rt_exec web /bin/marked calls 3000 100 / fork 3100 50 || fail "exec failed"
	tell web orphan 4000 20
	order web exit 5
	ct_wait
	assert_status 0
	assert_marked 1000 50
	assert_marked 2000 60
	assert_marked 3000 150
	assert_marked 4000 20
	assert_lines 'execve\("/bin/marked", \["/bin/marked", "calls"' out 1
	assert_lines '^1 +\+\+\+ exited with 5 \+\+\+$' out 1
	assert_lines '^\+\+\+ container .* ended: exit 5 \+\+\+$' out 1
	# Neither the shim nor conmon nor what the runtime did before the exec.
	refute_lines 'execve\("/proc/self/(exe|fd/)' out
	assert_complete
	assert_detached "$T/objects"
}

killed_case()
{
	rt_setup
	rt_actor web
	ct_start --container "$(rt_unique web)"
	rt_kill web KILL
	ct_wait
	assert_status 0
	assert_lines '^1 +\+\+\+ killed by SIGKILL \+\+\+$' out 1
	assert_lines '^\+\+\+ container .* ended: .*SIGKILL.* \+\+\+$' out 1
	assert_complete
	# It is stopped now, and its name is still known to the runtime or to nobody.
	ct_run --container "$(rt_unique web)"
	assert_status 1
	assert_lines "^ctrace: .*$(rt_unique web)" err
}

# storm_case ROUNDS
storm_case()
{
	local rounds=0 tries=0 limit=$(($1 * 2 + 3)) board
	rt_setup
	while [ "$rounds" -lt "$1" ]; do
		tries=$((tries + 1))
		[ "$tries" -le "$limit" ] || fail "only $rounds of $((tries - 1)) rounds counted: $storm_last"
		board=board$tries
		mkdir -p "$T/shared"
		rt_run "storm$tries" /bin/storm run "/shared/$board"
		until_true 10 test -s "$T/shared/$board" || fail "the storm does not start"
		storm_round "$T/shared/$board" "$(rt_unique "storm$tries")" && rounds=$((rounds + 1))
		rm -f "$T/shared/$board"
	done
	storm_report "$rounds" "$tries"
}

# daemon_start LOG COMMAND...: ended with the test, by its pid.
daemon_start()
{
	local log=$1
	shift
	"$@" > "$log" 2>&1 < /dev/null &
	DAEMON=$!
	defer end_daemon "$DAEMON"
}

# Daemons clean up after themselves, given time.
end_daemon()
{
	local i
	signal_child TERM "$1"
	for ((i = 0; i < 200; i++)); do
		child_lives "$1" || break
		sleep 0.05
	done
	signal_child KILL "$1"
	wait "$1" 2>/dev/null
	return 0
}

# A containerd of our own; its socket is $T/containerd.sock.
containerd_start()
{
	command -v containerd > /dev/null || skip "containerd is not installed"
	cat > "$T/containerd.toml" <<-END
	version = 2
	root = "$T/containerd/root"
	state = "$T/containerd/state"
	disabled_plugins = ["io.containerd.grpc.v1.cri"]
	[grpc]
	  address = "$T/containerd.sock"
	END
	mkdir -p "$T/containerd/root" "$T/containerd/state"
	daemon_start "$T/containerd.log" containerd --config "$T/containerd.toml"
	until_true 20 test -S "$T/containerd.sock" || fail "containerd does not start: $(tail -n 2 "$T/containerd.log")"
	export CTRACE_CONTAINERD_STATE=$T/containerd/state
}

# What descriptors are, as the container sees them: its root is what the runtime makes of an image.
files_case()
{
	rt_setup
	rt_actor web
	ct_start --container "$RT_ID" -yy -e trace=lseek,openat
	rt_exec web /bin/files yy > "$T/expected" 2> "$T/left_out" || fail "the actor failed: $(cat "$T/left_out")"
	ct_stop
	assert_complete
	assert_files
}
