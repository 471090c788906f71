#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# containerd's CRI plugin, driven as the kubelet drives it: sandboxes in the
# cgroup of a pod, containers with the kubelet's names, labels and annotations.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=../../lib/npm.sh
. "$source_dir/tests/lib/npm.sh"

image=localhost/ctrace-box:1

# --- a containerd with the CRI plugin -------------------------------------------

# No network: a pod has the node's, so no CNI is asked; no rlimits and no OOM scores that this machine may refuse.
cri_config()
{
	cat <<-END
	version = 2
	root = "$T/containerd/root"
	state = "$T/containerd/state"
	[grpc]
	  address = "$T/containerd.sock"
	[plugins."io.containerd.grpc.v1.cri"]
	  sandbox_image = "$image"
	  restrict_oom_score_adj = true
	  disable_apparmor = true
	  disable_tcp_service = true
	  stream_server_port = "0"
	  [plugins."io.containerd.grpc.v1.cri".containerd]
	    snapshotter = "native"
	    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
	      runtime_type = "io.containerd.runc.v2"
	  [plugins."io.containerd.grpc.v1.cri".cni]
	    bin_dir = "$T/cni"
	    conf_dir = "$T/cni"
	END
}

ctr_()
{
	ctr --address "$T/containerd.sock" --namespace k8s.io "$@"
}

# The busybox tree as an archive such as "docker save" writes; without a command it sleeps, as the pause container does.
import_image()
{
	local dir=$T/image sum
	mkdir -p "$dir"
	tar -C "$T/rootfs" --numeric-owner -cf "$dir/layer.tar" .
	sum=$(sha256sum "$dir/layer.tar" | cut -d ' ' -f 1)
	jq -n --arg sum "sha256:$sum" --arg arch "$(dpkg --print-architecture)" '{architecture: $arch, os: "linux",
		config: {Entrypoint: ["/bin/sleep", "1000000"]}, rootfs: {type: "layers", diff_ids: [$sum]}}' > "$dir/config.json"
	jq -n --arg image "$image" '[{Config: "config.json", RepoTags: [$image], Layers: ["layer.tar"]}]' > "$dir/manifest.json"
	tar -C "$dir" -cf "$T/image.tar" manifest.json config.json layer.tar
	ctr_ images import --snapshotter native "$T/image.tar" > "$T/import.log" 2>&1 || fail "import: $(tail -n 1 "$T/import.log")"
}

cri_setup()
{
	local modules
	command -v containerd > /dev/null || skip "containerd is not installed"
	command -v npm > /dev/null || skip "npm is not installed"
	modules=$(npm_packages cri @grpc/grpc-js@1.14.0 @grpc/proto-loader@0.8.0 2> "$T/npm.log") || skip "npm cannot install a gRPC client: $(tail -n 1 "$T/npm.log")"
	mkdir -p "$T/containerd" "$T/cni"
	cri_config > "$T/containerd.toml"
	daemon_start "$T/containerd.log" containerd --config "$T/containerd.toml"
	until_true 20 test -S "$T/containerd.sock" || fail "containerd does not start: $(tail -n 2 "$T/containerd.log")"
	rt_rootfs
	import_image
	mkfifo "$T/cri.in" "$T/cri.out"
	NODE_PATH=$modules node "$runtimes_dir/cri.js" "$T/containerd.sock" < "$T/cri.in" > "$T/cri.out" 2> "$T/cri.log" &
	defer end_process $!
	exec {cri_in}> "$T/cri.in" {cri_out}< "$T/cri.out"
	until_true 20 cri_ready || fail "the CRI plugin does not answer: $CRI"
}

cri_ready()
{
	cri_try Version '{}'
}

# cri_try METHOD JSON: the answer is in CRI.
cri_try()
{
	echo "$1 $(jq -c . <<< "$2")" >&"$cri_in"
	read -r -t 30 CRI <&"$cri_out" || { CRI="no answer: $(tail -n 1 "$T/cri.log")"; return 1; }
	[[ $CRI != error:* ]]
}

cri()
{
	cri_try "$@" || fail "$1: $CRI"
}

# Its arguments as a JSON array.
words()
{
	printf '%s\n' "$@" | jq -Rnc '[inputs]'
}

# --- pods ----------------------------------------------------------------------

# pod_start NAMESPACE NAME LABELS: as the kubelet's RunPodSandbox. SANDBOX, and POD: the request's config.
pod_start()
{
	local uid
	uid=$(cat /proc/sys/kernel/random/uuid)
	POD=$(jq -nc --arg ns "$1" --arg name "$2" --arg uid "$uid" --argjson labels "$3" --arg dir "$T" '{
		metadata: {name: $name, uid: $uid, namespace: $ns}, log_directory: "\($dir)/logs/\($uid)",
		labels: ($labels + {"io.kubernetes.pod.name": $name, "io.kubernetes.pod.namespace": $ns, "io.kubernetes.pod.uid": $uid}),
		annotations: {"kubernetes.io/config.source": "api", "kubernetes.io/config.seen": "2026-01-01T00:00:00Z"},
		linux: {cgroup_parent: "/kubepods/besteffort/pod\($uid)", security_context: {namespace_options: {network: "NODE", pid: "CONTAINER", ipc: "POD"}}}}')
	defer remove_cgroups "kubepods/besteffort/pod$uid"
	cri RunPodSandbox "{\"config\":$POD}"
	SANDBOX=$(jq -r .pod_sandbox_id <<< "$CRI")
	defer pod_end "$SANDBOX"
}

pod_end()
{
	cri_try StopPodSandbox "{\"pod_sandbox_id\":\"$1\"}"
	cri_try RemovePodSandbox "{\"pod_sandbox_id\":\"$1\"}"
}

# The kubelet's part: it makes a pod's cgroup, and removes it.
remove_cgroups()
{
	local dir
	for dir in /sys/fs/cgroup/*/"$1" /sys/fs/cgroup/"$1"; do
		[ -d "$dir" ] && find "$dir" -depth -type d -exec rmdir {} \;
	done
	rmdir /sys/fs/cgroup/*/kubepods/besteffort /sys/fs/cgroup/*/kubepods /sys/fs/cgroup/kubepods/besteffort /sys/fs/cgroup/kubepods
}

# container_create NAME ATTEMPT COMMAND...: in the pod that was started last, as $kind. CONTAINER: its ID.
kind=container

container_create()
{
	local name=$1 attempt=$2 config
	shift 2
	config=$(jq -nc --argjson pod "$POD" --arg name "$name" --argjson attempt "$attempt" --arg image "$image" --arg dir "$T" --arg kind "$kind" --argjson command "$(words "$@")" '{
		metadata: {name: $name, attempt: $attempt}, image: {image: $image}, command: $command,
		mounts: [{container_path: "/shared", host_path: "\($dir)/shared"}],
		labels: ($pod.labels | with_entries(select(.key | startswith("io.kubernetes."))) + {"io.kubernetes.container.name": $name}),
		annotations: {"io.kubernetes.container.hash": "8d3a1b2c", "io.kubernetes.container.type": $kind, "io.kubernetes.container.restartCount": "\($attempt)",
			"io.kubernetes.container.terminationMessagePath": "/dev/termination-log",
			"io.kubernetes.container.terminationMessagePolicy": "File", "io.kubernetes.pod.terminationGracePeriod": "30"},
		log_path: "\($name)/\($attempt).log", linux: {security_context: {namespace_options: {network: "NODE", pid: "CONTAINER"}}}}')
	mkdir -p "$(jq -r .log_directory <<< "$POD")/$name"
	cri CreateContainer "{\"pod_sandbox_id\":\"$SANDBOX\",\"config\":$config,\"sandbox_config\":$POD}"
	CONTAINER=$(jq -r .container_id <<< "$CRI")
}

container_start()
{
	cri StartContainer "{\"container_id\":\"$1\"}"
}

container_run()
{
	container_create "$@"
	container_start "$CONTAINER"
}

container_exited()
{
	cri ContainerStatus "{\"container_id\":\"$1\"}"
	[ "$(jq -r .status.state <<< "$CRI")" = CONTAINER_EXITED ]
}

container_exec()
{
	local id=$1
	shift
	cri ExecSync "{\"container_id\":\"$id\",\"cmd\":$(words "$@"),\"timeout\":30}"
	[ "$(jq -r .exit_code <<< "$CRI")" = 0 ] || fail "exec: $CRI"
}

pid_of()
{
	ctr_ tasks ls | awk -v id="$1" '$1 == id { print $2 }'
}

# actor_run NAME: a container of the pod with the actor as its program.
actor_run()
{
	actor_files "$1"
	container_run "$1" 0 /bin/sh -c "exec /bin/marked serve < /shared/$1.orders > /shared/$1.answers"
	tell "$1" sleep 0
}

# A pod as it is when its init container has ended: a sidecar (an init container that goes on) and an ordinary one.
shop_pod()
{
	NAME=web-$$
	pod_start shop "$NAME" '{"app":"web","pod-template-hash":"5d4f","app.kubernetes.io/part-of":"shop"}'
	kind=init
	container_run setup 0 /bin/true
	until_true 20 container_exited "$CONTAINER" || fail "the init container does not end"
	actor_run mesh
	MESH=$CONTAINER
	kind=container
	actor_run app
	APP=$CONTAINER
	APP_PID=$(pid_of "$APP")
	[ "${APP_PID:-0}" -gt 1 ] || fail "no pid of the container"
}

# --- tests -----------------------------------------------------------------------

# One container, by each of its names: what it does, its workers, and an exec session; on both sides the right numbers.
test_cri_names()
{
	local base=1000 target
	cri_setup
	shop_pod
	for target in "--container=$APP" "--container=${APP:0:12}" "--container=app" "--container=containerd:app" "--container=k8s:shop/$NAME/app" \
		"--container=pid:$APP_PID" "--pod=shop/$NAME:app" "--pod=$NAME:app"; do
		ct_start "$target"
		tell app calls "$base" 20
		tell mesh calls $((base + 500)) 20
		ct_stop
		assert_status 0
		assert_marked "$base" 20
		refute_marked $((base + 500)) 20
		assert_complete
		assert_lines "^ctrace: tracing containerd container app \\(${APP:0:12}\\) of pod shop/$NAME: 1 task; its pid 1 is $APP_PID on the host" err 1
		base=$((base + 1000))
	done
	ct_start --format json --container "$APP"
	tell app fork 20000 20
	tell app threads 3 21000 20
	container_exec "$APP" /bin/sh -c '/bin/marked calls 22000 50; /bin/marked calls 23000 50'
	ct_stop
	assert_complete
	jq -se --arg id "$APP" --arg name "$NAME" --arg image "$image" --argjson pod "$POD" --argjson pid "$APP_PID" '
		map(select(.type == "syscall" and .name == "lseek")) | length == 180 and
		all(.container == {id: $id, name: "app", runtime: "containerd", image: $image} and
			.pod == {namespace: "shop", name: $name, uid: $pod.metadata.uid, container: "app", kind: "container"} and .pid < 100 and .host_pid >= $pid)' \
		"$T/out" > /dev/null || fail "JSON: $(grep -m 1 lseek "$T/out")"
	jq -se '[.[] | select(.type == "exec")] | length >= 3' "$T/out" > /dev/null || fail "the shell that ExecSync started is not there"
}

# The pod, by name and by labels: its containers, and neither the pause container nor the shim.
test_cri_pod()
{
	local pod base=1000
	cri_setup
	shop_pod
	for pod in "--pod=shop/$NAME" "--pod=$NAME" '--pod-selector=app=web,app.kubernetes.io/part-of in (shop,x)' \
		"--pod-selector=pod-template-hash,!none,io.kubernetes.pod.name=$NAME"; do
		ct_start "$pod"
		tell app calls "$base" 20
		tell mesh calls $((base + 500)) 20
		container_exec "$MESH" /bin/marked calls $((base + 700)) 20
		ct_stop
		assert_status 0
		assert_complete
		assert_lines "^app 1 +lseek\\(-1, $((base / 100))[0-9]{2}, SEEK_SET\\)" out 20
		assert_lines "^mesh 1 +lseek\\(-1, $((base / 100 + 5))[0-9]{2}, SEEK_SET\\)" out 20
		assert_marked $((base + 700)) 20
		refute_lines '^[^am+]' out
		assert_lines '^ctrace: tracing ' err 2
		base=$((base + 1000))
	done
	ct_run ps --format json
	jq -se --arg id "$APP" --arg sandbox "$SANDBOX" --argjson pid "$APP_PID" '
		([.[] | select(.container.id == $id)] | length == 1 and .[0].init_host_pid == $pid and .[0].pod.container == "app") and
		all(.container.id != $sandbox)' "$T/out" > /dev/null || fail "ps: $(grep -a "$NAME" "$T/out")"
	jq -se --arg id "$MESH" '[.[] | select(.container.id == $id)] | .[0].pod.kind == "init"' "$T/out" > /dev/null || fail "the sidecar is no init container"
	ct_run ps
	assert_lines "^${MESH:0:12} +mesh +shop/$NAME +init +containerd +1 " out 1
	assert_lines "^${APP:0:12} +app +shop/$NAME +container +containerd +1 " out 1
	# Asked for by its ID, the pause container is one like others.
	ct_run --container "$SANDBOX" --for 10ms
	assert_status 0
	assert_lines "^ctrace: tracing containerd container ${SANDBOX:0:12} of pod shop/$NAME: 1 task" err 1
	ct_run --pod-selector app=nothing
	assert_status 1
	assert_lines "^ctrace: no pod matches app=nothing; running: .*shop/$NAME" err 1
	ct_run --pod "shop/$NAME:setup"
	assert_status 1
	assert_lines "^ctrace: pod shop/$NAME:setup: no such container runs; it has " err 1
}

# What comes later: a container that the pod gets, and one that is started again under a new ID, as after a crash.
test_cri_restarts()
{
	cri_setup
	shop_pod
	ct_start --pod "shop/$NAME" --follow-restarts
	tell app calls 1000 20
	kind=ephemeral
	container_run debugger 0 /bin/marked calls 2000 20
	kind=container
	until_true 20 container_exited "$CONTAINER" || fail "the container does not end"
	order app exit 3
	until_true 20 container_exited "$APP" || fail "the container does not end"
	container_run app 1 /bin/marked calls 3000 20
	until_true 20 container_exited "$CONTAINER" || fail "the container does not end"
	tell mesh calls 4000 20
	ct_stop
	assert_status 0
	assert_complete
	assert_lines '^debugger 1 +lseek\(-1, 20[0-9]{2}, SEEK_SET\)' out 20
	assert_lines '^app 1 +lseek\(-1, (10|30)[0-9]{2}, SEEK_SET\)' out 40
	assert_lines '^mesh 1 +lseek\(-1, 40[0-9]{2}, SEEK_SET\)' out 20
	assert_lines '^debugger 1 +execve\(' out 1
	assert_lines '^\+\+\+ container app ended: exit 3 \+\+\+$' out 1
	assert_lines "^ctrace: waiting for containers of pod shop/$NAME\$" err 1
}

# Pods that come later, by their labels: the one that is there, a replica, and one of other labels.
test_cri_replicas()
{
	local first
	cri_setup
	shop_pod
	first=$NAME
	ct_start --pod-selector app=web --follow-restarts
	tell app calls 1000 20
	pod_start shop "web-b-$$" '{"app":"web"}'
	container_run app 0 /bin/marked calls 2000 20
	until_true 20 container_exited "$CONTAINER" || fail "the container does not end"
	pod_start shop "other-$$" '{"app":"other"}'
	container_run app 0 /bin/marked calls 3000 20
	until_true 20 container_exited "$CONTAINER" || fail "the container does not end"
	ct_stop
	assert_status 0
	assert_complete
	assert_lines "^$first/app 1 +lseek\\(-1, 10[0-9]{2}, SEEK_SET\\)" out 20
	assert_lines "^web-b-$$/app 1 +lseek\\(-1, 20[0-9]{2}, SEEK_SET\\)" out 20
	refute_marked 3000 20
	# Nothing there yet: the run is that of the pod's containers, and ends with them.
	ct_start --format json --pod-selector 'app=job' --wait
	assert_lines '^ctrace: waiting for containers of pods with labels app=job; times are UTC$' err 1
	pod_start shop "job-$$" '{"app":"job"}'
	container_run work 0 /bin/marked calls 5000 20
	ct_wait
	assert_status 0
	assert_complete
	jq -se --arg name "job-$$" 'map(select(.type == "syscall" and .name == "lseek")) | length == 20 and
		all(.pod.name == $name and .pod.container == "work" and .pod.namespace == "shop")' "$T/out" > /dev/null || fail "JSON: $(grep -m 1 lseek "$T/out")"
	jq -se '.[0].type == "start" and .[0].targets == []' "$T/out" > /dev/null || fail "start: $(head -n 1 "$T/out")"
}

[ "${BASH_SOURCE[0]}" != "$0" ] || run_tests "$@"
