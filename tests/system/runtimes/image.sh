# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# ctrace in a container of a real engine: its image, and the rights that it has there.
STATIC=${STATIC:-$source_dir/build-static/ctrace}

# What deploy/sidecar.yaml says; tests/unit/manifests.py compares the manifests with each other.
capabilities="BPF PERFMON SYS_PTRACE DAC_READ_SEARCH"
side_closed=(--cap-drop ALL --security-opt no-new-privileges --read-only --network none)
side_caps=()
for cap in $capabilities; do
	side_caps+=(--cap-add "$cap")
done
side_rights=("${side_closed[@]}" --security-opt seccomp=unconfined "${side_caps[@]}")
side_proc=(-v /proc:/host/proc:ro -v /sys/fs/cgroup:/host/sys/fs/cgroup:ro)
image=ctrace

static_need()
{
	[ -x "$STATIC" ] || skip "there is no static build at $STATIC"
}

image_make()
{
	"$source_dir/deploy/image.sh" -t "$image:latest" -o "$T/ctrace.tar" "$STATIC" > "$T/image.log" 2>&1 || fail "image.sh: $(cat "$T/image.log")"
}

# image_setup RUNTIME: its rt_ functions, and the image in it.
image_setup()
{
	static_need
	image_make
	# shellcheck disable=SC1090
	. "$runtimes_dir/test_$1.sh"
	rt_setup
	engine load -i "$T/ctrace.tar" > "$T/load.log" 2>&1 || fail "$1 load: $(tail -n 2 "$T/load.log")"
}

# engine ARG...: docker or podman.
engine()
{
	"${rt_name}_" "$@"
}

# An engine that is older than these capabilities has them in SYS_ADMIN, for which its seccomp profile allows bpf(2).
engine_rights()
{
	engine create --name "$(rt_unique try)" "${side_rights[@]}" "$image" > "$T/try.log" 2>&1
	engine rm "$(rt_unique try)" > /dev/null 2>&1
	grep -q 'unknown capability: "CAP_BPF"' "$T/try.log" || return 0
	side_rights=("${side_closed[@]}" --cap-add SYS_ADMIN --cap-add SYS_PTRACE --cap-add DAC_READ_SEARCH)
}

# The default limits of podman are above what an unprivileged machine may set.
side_limits()
{
	[ "$rt_name" != podman ] || echo --ulimit nofile=1024:1024 --ulimit nproc=1000:1000
}

# side_run ARG...: a container of the image, to its end.
side_run()
{
	# shellcheck disable=SC2046
	engine run --rm $(side_limits) "${side_rights[@]}" "$@" < /dev/null
}

# side_start OPTION... -- ARG...: a detached ctrace, to its first lines; SIDE is its name.
side_start()
{
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	side_n=$((${side_n:-0} + 1))
	SIDE=$(rt_unique "side$side_n")
	# shellcheck disable=SC2046
	engine run -d --name "$SIDE" $(side_limits) "${side_rights[@]}" "${options[@]}" "$image" "$@" > "$T/run.log" 2>&1 ||
		fail "$rt_name run: $(tail -n 4 "$T/run.log" | tr '\n' ' ')"
	defer engine rm -f "$SIDE"
	until_true 20 side_traces || fail "it does not trace: $(tail -n 2 "$T/err")"
}

side_traces()
{
	engine logs "$SIDE" > "$T/out" 2> "$T/err"
	grep -q '^ctrace: tracing ' "$T/err"
}

# Its end, with Ctrl-C.
side_stop()
{
	engine kill -s INT "$SIDE" > /dev/null || fail "no ctrace to stop: $(tail -n 2 "$T/err")"
	CT_STATUS=$(engine wait "$SIDE")
	engine logs "$SIDE" > "$T/out" 2> "$T/err"
}

# side_trace TARGET OPTION... -- ARG...: what the target does meanwhile, and an exec session, is in the trace.
side_trace()
{
	local name=$1
	shift
	base=$((${base:-0} + 1000))
	side_start "$@"
	tell "$name" calls "$base" 50
	tell "$name" fork $((base + 50)) 20
	rt_exec "$name" /bin/marked calls $((base + 100)) 30 || fail "exec failed"
	side_stop
	assert_status 0
	# JSON has the same calls.
	[[ " $* " != *" json "* ]] || return 0
	assert_marked "$base" 70
	assert_marked $((base + 100)) 30
	grep -q '^ctrace: coverage complete since ' "$T/err" || fail "no statement: $(tail -n 2 "$T/err")"
}
