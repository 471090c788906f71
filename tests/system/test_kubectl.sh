#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# kubectl-ctrace, with a kubectl of our own (kubectl/kubectl) whose tracer pods run the ctrace of the build on
# real containers, which runc makes where containerd would, with the annotations that CRI gives them.
. "$(dirname "$0")/lib.sh"
real_kubectl=$(command -v kubectl)
plugin_dir=$source_dir/deploy
plugin=$plugin_dir/kubectl-ctrace

kube_setup()
{
	/usr/bin/python3 -c '' 2> /dev/null || skip "python3 is not installed"
	need_runc
	export KUBE_STATE=$T/kube CTRACE CTRACE_CONTAINERD_STATE=$T/containerd TMPDIR=$T/tmp
	PATH=$system_dir/kubectl:$PATH
	tasks=$CTRACE_CONTAINERD_STATE/io.containerd.runtime.v2.task/k8s.io
	mkdir -p "$KUBE_STATE"/{pods,namespaces/ctrace} "$TMPDIR" "$tasks"
	: > "$KUBE_STATE/kubelets"
	: > "$KUBE_STATE/created"
	: > "$KUBE_STATE/deleted"
	defer kubelets_end
	cgroups=/ct$$-kube
	defer groups_remove "$cgroups"
}

kubelets_end()
{
	local pid
	while read -r pid; do
		! grep -aq kubectl "/proc/$pid/cmdline" || kill "$pid"
	done < "$KUBE_STATE/kubelets"
}

# pod_object NAMESPACE/POD NODE CONTAINER...: as the API server has it. pod_phase, pod_label, pod_more.
pod_object()
{
	local of=$1 node=$2 file
	shift 2
	file=$KUBE_STATE/pods/${of%/*}_${of#*/}.json
	jq -n --arg ns "${of%/*}" --arg name "${of#*/}" --arg node "$node" --arg phase "${pod_phase:-Running}" --arg app "${pod_label:-web}" '
		{metadata: {namespace: $ns, name: $name, labels: {app: $app}}, status: {phase: $phase},
		spec: ({containers: [$ARGS.positional[] | {name: .}]} + (if $node == "" then {} else {nodeName: $node} end))}
		'"${pod_more:+ * $pod_more}" --args "$@" > "$file.new" || fail "no object of pod $of"
	mv "$file.new" "$file"
}

pod_remove()
{
	rm "$KUBE_STATE/pods/${1%/*}_${1#*/}.json"
}

# container KEY NAMESPACE/POD NAME [COMMAND...]: runs, by default with an actor KEY.
container()
{
	local key=$1 of=$2 name=$3
	shift 3
	ID=$(printf '%s %s' "$T" "$key" | sha256sum | cut -c 1-64)
	box_cgroup=$cgroups/$ID box_make "$key" "$@"
	mkdir "$tasks/$ID"
	jq --arg name "$name" --arg ns "${of%/*}" --arg pod "${of#*/}" --arg root "$T/$key/rootfs" '.root.path = $root | .annotations = {
		"io.kubernetes.cri.container-type": "container", "io.kubernetes.cri.container-name": $name,
		"io.kubernetes.cri.sandbox-name": $pod, "io.kubernetes.cri.sandbox-namespace": $ns}' "$T/$key/config.json" > "$T/config.json"
	mv "$T/config.json" "$tasks/$ID/config.json"
	actor_files "$key"
	runc_ run --bundle "$tasks/$ID" "$ID" < "$T/$key.orders" > "$T/$key.answers" 2> "$T/$key.err" &
	RUN=$!
	defer end_process "$RUN"
	defer runc_ delete --force "$ID"
	[ $# = 0 ] || return 0
	until_true 10 box_running "$ID" || fail "container $key does not start: $(cat "$T/$key.err")"
	runc_ state "$ID" | jq -r .pid > "$tasks/$ID/init.pid"
	tell "$key" sleep 0
}

# container_end KEY: as the runtime takes it away.
container_end()
{
	local id
	id=$(printf '%s %s' "$T" "$1" | sha256sum | cut -c 1-64)
	order "$1" exit "${2:-0}"
	until_true 10 container_over "$id" || fail "container $1 does not end"
	runc_ delete --force "$id" 2> /dev/null
	rm -rf "${tasks:?}/$id"
}

container_over()
{
	! box_running "$1"
}

# kc_start ARG...: the plugin in a session of its own, as on a terminal; KC is its pid, and its group.
kc_start()
{
	# What the one before has said is no announcement.
	: > "$T/err"
	# shellcheck disable=SC2086
	setsid env --default-signal=INT,QUIT ${kc_shell:-dash} "$plugin" "$@" > "$T/out" 2> "$T/err" < /dev/null &
	KC=$!
	defer end_process "$KC"
}

# kc_tracing N: until N containers are traced or waited for.
kc_tracing()
{
	until_true 30 kc_announced "$1" || fail "not $1 containers are traced: $(cat "$T/err")"
}

kc_announced()
{
	[ "$(grep -cE '^ctrace: ([a-z0-9-]+: )?(tracing|waiting for) ' "$T/err")" -ge "$1" ]
}

kc_wait()
{
	until_true 40 child_gone "$KC" || fail "the plugin did not end within 40 seconds: $(tail -n 3 "$T/err")"
	wait "$KC"
	CT_STATUS=$?
}

# As Ctrl-C does: to every process of the group.
kc_interrupt()
{
	kill -INT -- "-$KC"
	kc_wait
}

kc_run()
{
	kc_start "$@"
	kc_wait
}

# Every tracer that was created is deleted and gone, with its ctrace and the files here.
assert_nothing_left()
{
	until_true 30 tracers_gone || fail "tracers are left: $(ls "$KUBE_STATE/pods")"
	[ -z "$(ls -A "$TMPDIR")" ] || fail "files are left after $(wc -l < "$KUBE_STATE/created"): $(ls -lR "$TMPDIR"; cat "$T/err")"
	until_true 5 group_gone || fail "processes are left: $(pgrep -a -g "$KC")"
	[ "${1:-0}" = "$(wc -l < "$KUBE_STATE/created")" ] || fail "$(wc -l < "$KUBE_STATE/created") tracers were created, not ${1:-0}"
}

tracers_gone()
{
	diff <(sort "$KUBE_STATE/created") <(sort "$KUBE_STATE/deleted") > /dev/null && [ -z "$(find "$KUBE_STATE/pods" -name 'ctrace_*')" ]
}

group_gone()
{
	! pgrep -g "$KC" > /dev/null
}

assert_statements()
{
	assert_lines '^ctrace: ([a-z0-9-]+: )?coverage complete since ' err "$1"
}

# --- what it traces ------------------------------------------------------------------

# One pod, its containers and no other's; Ctrl-C ends it with the statement.
test_pod()
{
	kube_setup
	container app shop/web-1 app
	container proxy shop/web-1 proxy
	container other shop/web-2 app
	pod_object shop/web-1 node-a app proxy
	pod_object shop/web-2 node-a app
	kc_start -n shop web-1
	kc_tracing 2
	tell app calls 1000 20
	tell proxy calls 2000 20
	tell other calls 3000 20
	kc_interrupt
	assert_status 0
	assert_lines '^web-1/app \[pid +1\] lseek\(-1, 10[0-9]{2}, SEEK_SET\) ' out 20
	assert_lines '^web-1/proxy \[pid +1\] lseek\(-1, 20[0-9]{2}, SEEK_SET\) ' out 20
	refute_marked 3000 20
	assert_statements 1
	assert_lines '^ctrace: starting a tracer on node node-a for shop/web-1$' err 1
	refute_lines '^ctrace: ' out
	refute_lines '^web' err
	assert_nothing_left 1
}

# With the rights, the mounts and the memory that the tracer's pod is given, in namespaces of its own; also from a restart on.
test_privileges()
{
	kube_setup
	: > "$KUBE_STATE/contained"
	container app shop/web-1 app
	pod_object shop/web-1 node-a app
	kc_start -n shop web-1 -- -y -e trace=lseek,openat
	kc_tracing 1
	tell app calls 1000 20
	container_end app 3
	container again shop/web-1 app
	tell again calls 2000 20
	kc_interrupt
	assert_status 0
	assert_marked 1000 20
	assert_marked 2000 20
	assert_lines '^web-1/app \[pid +1\] lseek\(-1, 20[0-9]{2}, SEEK_SET\) ' out 20
	assert_statements 1
	assert_nothing_left 1
}

# Only the containers that are named; what follows -- comes to ctrace as it was written.
test_container_and_options()
{
	local words
	kube_setup
	container app shop/web-1 app
	container proxy shop/web-1 proxy
	pod_object shop/web-1 node-a app proxy
	kc_start web-1 --namespace=shop -c proxy --context 'a "b" $c' -- --strict -e trace=lseek --comm 'it'\''s "$(HOME)" $$ \ `x`	ü'
	kc_tracing 1
	tell proxy calls 1000 5
	kc_interrupt
	assert_status 0
	assert_lines . out 0
	words=$(jq -c . "$KUBE_STATE"/words.*)
	assert_equal "$words" "$(json_strings ctrace --wait --follow-restarts --always-show-pod --pod shop/web-1:proxy \
		--strict -e trace=lseek --comm 'it'\''s "$(HOME)" $$ \ `x`	ü' | jq -c .)" "ctrace's command line"
	jq -se 'all(.[]; index("--context=a \"b\" $c"))' "$KUBE_STATE/calls" > /dev/null || fail "a call without --context: $(cat "$KUBE_STATE/calls")"
	assert_nothing_left 1
}

# Two nodes, a pod that crashes and comes again, a replica that comes later, another that goes.
test_selector()
{
	kube_setup
	container one shop/web-1 app
	container two shop/web-2 app
	container three shop/web-3 app
	pod_object shop/web-1 node-a app
	pod_object shop/web-2 node-b app
	pod_object shop/web-3 node-b app
	pod_label=db pod_object shop/db-1 node-b app
	kc_start -n shop -l app=web
	kc_tracing 3
	assert_lines '^ctrace: starting a tracer on node node-b for shop/web-2 shop/web-3$' err 1
	assert_lines '^ctrace: node-[ab]: tracing containerd container app \(' err 3
	tell one calls 1000 10
	tell two calls 2000 10
	tell three calls 3000 10
	# Under another ID.
	container_end two 1
	container again shop/web-2 app
	tell again calls 2100 10
	# A replica, on a node that has a tracer already.
	container four shop/web-4 app
	pod_object shop/web-4 node-a app
	kc_tracing 4
	tell four calls 4000 10
	# The end of the only pod of a tracer.
	container_end four
	pod_remove shop/web-4
	until_true 15 grep -qx ctrace-.*-3 "$KUBE_STATE/deleted" || fail "the tracer of a pod that is gone stays"
	kc_interrupt
	assert_status 0
	assert_lines '^web-1/app \[pid +1\] lseek\(-1, 10[0-9]{2}, SEEK_SET\) ' out 10
	assert_lines '^web-2/app \[pid +1\] lseek\(-1, 20[0-9]{2}, SEEK_SET\) ' out 10
	assert_lines '^web-2/app \[pid +1\] lseek\(-1, 21[0-9]{2}, SEEK_SET\) ' out 10
	assert_lines '^web-2/app \[pid +[0-9]+\] execve\("/bin/marked"' out 1
	assert_lines '^web-3/app \[pid +1\] lseek\(-1, 30[0-9]{2}, SEEK_SET\) ' out 10
	assert_lines '^web-4/app \[pid +1\] lseek\(-1, 40[0-9]{2}, SEEK_SET\) ' out 10
	assert_lines '^\+\+\+ container web-2/app ended' out 1
	assert_statements 3
	assert_nothing_left 3
}

# From its first call on, when it is not there yet; it ends with the pod.
test_wait()
{
	kube_setup
	kc_start -n shop --wait job-1
	until_true 10 grep -q '^ctrace: there is no pod shop/job-1; waiting$' "$T/err" || fail "it does not wait: $(cat "$T/err")"
	pod_phase=Pending pod_object shop/job-1 node-a app
	kc_tracing 1
	container app shop/job-1 app /bin/marked calls 1000 20
	pod_phase=Running pod_object shop/job-1 node-a app
	until_true 10 grep -q 'exited with 0' "$T/out" || fail "no end of the container: $(tail -n 2 "$T/out")"
	kc_interrupt
	assert_status 0
	assert_marked 1000 20
	assert_lines '^job-1/app \[pid +[0-9]+\] execve\("/bin/marked"' out 1
	assert_nothing_left 1
}

# Without --wait it is over with the pod.
test_pod_ends()
{
	kube_setup
	container app shop/web-1 app
	pod_object shop/web-1 node-a app
	kc_start -n shop web-1
	kc_tracing 1
	tell app calls 1000 20
	container_end app
	pod_phase=Succeeded pod_object shop/web-1 node-a app
	kc_wait
	assert_status 0
	assert_marked 1000 20
	assert_statements 1
	assert_lines '^\+\+\+ container web-1/app ended' out 1
	assert_nothing_left 1
}

# Init containers that have done their work and debuggers are left out; sidecars are not.
test_kinds_of_containers()
{
	kube_setup
	pod_phase=Pending pod_more='{spec: {
		initContainers: [{name: "prepare"}, {name: "fetch"}, {name: "mesh", restartPolicy: "Always"}],
		ephemeralContainers: [{name: "debugger"}]}, status: {initContainerStatuses: [
		{name: "prepare", state: {terminated: {exitCode: 0}}}, {name: "fetch", state: {terminated: {exitCode: 1}}}]}}' pod_object shop/web-1 node-a app
	kc_run -n shop pod/web-1 --dry-run
	assert_status 0
	assert_equal "$(jq -r '[.items[].spec.containers[].args[] | select(startswith("shop/"))] | join(" ")' "$T/out")" \
		'shop/web-1:app shop/web-1:fetch shop/web-1:mesh' targets
	kc_run -n shop web-1 --dry-run -c debugger -c prepare
	assert_equal "$(jq -r '[.items[].spec.containers[].args[] | select(startswith("shop/"))] | join(" ")' "$T/out")" \
		'shop/web-1:debugger shop/web-1:prepare' targets
	kc_run -n shop web-1 -c db
	assert_status 1
	assert_lines '^ctrace: pod shop/web-1 has no container db; it has app, prepare, fetch, mesh, debugger$' err 1
	assert_lines . err 1
	assert_nothing_left 0
}

# Valid for an API server, and with the rights and mounts of the sidecar's manifest, which gives the reasons.
test_manifest()
{
	local part pod
	kube_setup
	pod_object shop/web-1 node-a app proxy
	pod_object shop/web-2 node-b app
	kc_run -n shop -l app=web --dry-run --image reg.example:5000/tools/ctrace@sha256:0123 --timeout 2h -- -e 'trace="\$(x)'
	assert_status 0
	[ "$(jq '.items | length' "$T/out")" = 2 ] || fail "not two pods: $(cat "$T/out")"
	jq -c '.items[]' "$T/out" | while read -r pod; do
		echo "$pod" > "$T/pod.json"
		/usr/bin/python3 "$source_dir/tests/lib/kubernetes.py" "$T/pod.json" > "$T/mistakes" || echo "$?: $(head -n 1 "$T/mistakes")"
	done > "$T/invalid"
	! grep -q '^77: ' "$T/invalid" || skip "$(cut -c 5- "$T/invalid" | head -n 1)"
	[ ! -s "$T/invalid" ] || fail "$(cat "$T/invalid")"
	/usr/bin/python3 -c 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)' < "$source_dir/deploy/sidecar.yaml" > "$T/sidecar.json"
	for part in securityContext resources volumeMounts imagePullPolicy; do
		assert_equal "$(jq -cS ".items[0].spec.containers[0].$part" "$T/out")" "$(jq -cS '.spec.containers[] | select(.name == "ctrace").'$part "$T/sidecar.json")" "$part"
	done
	for part in volumes automountServiceAccountToken enableServiceLinks hostPID; do
		assert_equal "$(jq -cS ".items[0].spec.$part" "$T/out")" "$(jq -cS ".spec.$part" "$T/sidecar.json")" "$part"
	done
	jq -e '[.items[].spec] | map(.nodeName) == ["node-a", "node-b"] and all(.[]; .activeDeadlineSeconds == 7200 and .restartPolicy == "Never")' "$T/out" > /dev/null ||
		fail "not so: $(cat "$T/out")"
	assert_nothing_left 0
}

# The real kubectl, where there is one, against an API server of ours: what it prints, and what it does when Ctrl-C comes.
test_real_kubectl()
{
	kube_setup
	[ -n "$real_kubectl" ] || cannot "there is no kubectl; Debian's is not needed for anything else"
	"$system_dir/kubectl/apiserver" > "$T/apiserver.log" 2>&1 &
	defer end_process $!
	until_true 10 test -s "$KUBE_STATE/port" || fail "no API server: $(tail -n 1 "$T/apiserver.log")"
	export KUBECTL=$real_kubectl HOME=$T KUBECONFIG=$T/config
	cat > "$KUBECONFIG" <<-END
	{"apiVersion": "v1", "kind": "Config", "current-context": "c", "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u", "namespace": "shop"}}],
	"clusters": [{"name": "c", "cluster": {"server": "http://127.0.0.1:$(cat "$KUBE_STATE/port")"}}], "users": [{"name": "u", "user": {}}]}
	END
	container one shop/web-1 app
	container two shop/web-2 app
	pod_more='{spec: {initContainers: [{name: "prepare"}]}, status: {initContainerStatuses: [{name: "prepare", state: {terminated: {exitCode: 0}}}]}}' \
		pod_object shop/web-1 node-a app
	pod_object shop/web-2 node-b app
	refused 'there is no pod web-9 in this namespace; -n names another' 1 web-9
	mv "$KUBE_STATE/namespaces/ctrace" "$KUBE_STATE/namespaces/other"
	refused 'no tracer can be started in namespace ctrace: Error from server (NotFound): namespaces "ctrace" not found; make it with: kubectl create namespace ctrace && kubectl label namespace ctrace pod-security.kubernetes.io/enforce=privileged (or name another with --tracer-namespace)' \
		1 web-1
	kc_start -l app=web --tracer-namespace other
	kc_tracing 2
	echo 12 > "$KUBE_STATE/break"
	tell one calls 1000 40
	tell two calls 2000 10
	until_true 15 grep -q 1039 "$T/out" || fail "a log that broke off does not go on: $(cat "$T/err")"
	kc_interrupt
	assert_status 0
	assert_marked 1000 40
	assert_marked 2000 10
	assert_lines '^web-1/app \[pid' out
	assert_lines prepare err 0
	assert_statements 2
	[ ! -e "$KUBE_STATE/calls" ] || fail "it was not the real kubectl"
	assert_nothing_left 2
}

# --- how it ends -------------------------------------------------------------------------

# By a signal to the plugin alone; under each shell; a log that broke off goes on without a gap.
test_shells_and_signals()
{
	local shell signal=TERM n=0
	kube_setup
	container app shop/web-1 app
	pod_object shop/web-1 node-a app
	echo 5 > "$KUBE_STATE/linger"
	for shell in dash 'busybox sh' 'bash --posix'; do
		command -v "${shell%% *}" > /dev/null || continue
		n=$((n + 1))
		kc_shell=$shell kc_start -n shop web-1
		kc_tracing 1
		echo 12 > "$KUBE_STATE/break"
		tell app calls "${n}000" 40
		# The first one has its pod deleted while there is no stream, the others when there is one again.
		[ "$n" = 1 ] || until_true 15 grep -q "${n}039" "$T/out" || fail "the log does not go on: $(cat "$T/err")"
		kill -$signal "$KC"
		kc_wait
		assert_status 0
		assert_marked "${n}000" 40
		assert_statements 1
		signal=HUP
		[ ! -e "$KUBE_STATE/break" ] || fail "the log did not break off"
		# A deleted pod whose status can be asked for no more.
		echo 0 > "$KUBE_STATE/linger"
	done
	assert_nothing_left "$n"
}

# ctrace ends by itself; its exit status is the plugin's.
test_status()
{
	kube_setup
	container app shop/web-1 app
	pod_object shop/web-1 node-a app
	kc_run -n shop web-1 -- --for 300ms -c
	assert_status 0
	assert_lines '^web-1/app, wall time in ' out 1
	assert_statements 1
	kc_run -n shop web-1 -- --nonsense
	assert_status 2
	assert_lines '^ctrace: .*nonsense' err
	assert_nothing_left 2
}

# The trace of several nodes as JSON; nobody reads the end of another.
test_json_and_pipe()
{
	kube_setup
	container one shop/web-1 app
	container two shop/web-2 app
	pod_object shop/web-1 node-a app
	pod_object shop/web-2 node-b app
	kc_start -n shop -l app=web -- --format json -e trace=lseek
	kc_tracing 2
	tell one calls 1000 10
	tell two calls 2000 10
	kc_interrupt
	assert_status 0
	jq -se 'map(select(.type == "syscall") | .pod.name) | (map(select(. == "web-1")) | length) == 10 and (map(select(. == "web-2")) | length) == 10' "$T/out" > /dev/null ||
		fail "not the JSON of two pods: $(tail -n 2 "$T/out")"
	mkfifo "$T/pipe"
	head -n 1 < "$T/pipe" > "$T/first" &
	: > "$T/err"
	setsid dash "$plugin" -n shop web-1 > "$T/pipe" 2> "$T/err" &
	KC=$!
	defer end_process "$KC"
	kc_tracing 1
	until_true 20 ended_by_calls || fail "it does not end when nobody reads the trace"
	kc_wait
	assert_status 1
	refute_lines 'awk|write' err
	assert_nothing_left 3
}

ended_by_calls()
{
	tell one calls 3000 5
	sleep 0.2
	child_gone "$KC"
}

# --timeout ends the tracers, whatever the plugin does; also one that is killed leaves nothing running.
test_timeout()
{
	kube_setup
	container app shop/web-1 app
	pod_object shop/web-1 node-a app
	kc_run -n shop web-1 --timeout 2s
	assert_status 0
	assert_statements 1
	assert_lines '^ctrace: the tracer has ended after 2 seconds; see --timeout$' err 1
	# What it has started ends its work.
	kc_start -n shop web-1
	kc_tracing 1
	kill -KILL "$KC"
	assert_nothing_left 2
	assert_statements 1
	kc_start -n shop web-1 --timeout 4s
	kc_tracing 1
	kill -KILL -- "-$KC"
	until_true 10 grep -q DeadlineExceeded "$KUBE_STATE"/pods/ctrace_*.json || fail "the tracer of a killed plugin goes on"
	rm -rf "${TMPDIR:?}"/*
}

# --- what goes wrong ---------------------------------------------------------------------------

# refused WORDS-OF-THE-MESSAGE STATUS ARG...: one line, that one.
refused()
{
	local message=$1 status=$2
	shift 2
	kc_run "$@"
	assert_status "$status"
	assert_lines . out 0
	[ "$(grep -v '^ctrace: starting a tracer ' "$T/err")" = "ctrace: $message" ] || fail "not \"$message\", but: $(cat "$T/err")"
}

test_usage()
{
	kube_setup
	refused 'no POD is named, and no --selector; see kubectl ctrace --help' 2
	refused 'POD or --selector, not both; see kubectl ctrace --help' 2 web-1 -l app=web
	refused 'one POD at a time, not web-1 and web-2; --selector is for several; see kubectl ctrace --help' 2 web-1 web-2
	refused "no such option: -Z (ctrace's own come after --); see kubectl ctrace --help" 2 web-1 -Z
	refused '--container needs a value; see kubectl ctrace --help' 2 web-1 --container
	refused 'POD is no name of Kubernetes: a$(id); see kubectl ctrace --help' 2 'a$(id)'
	refused '--timeout is a time such as 90s, 30m or 4h: soon; see kubectl ctrace --help' 2 web-1 --timeout soon
	refused "-o would write files in the tracer's pod, which are lost: the trace comes to standard output; see kubectl ctrace --help" 2 web-1 -- -o x
	refused '--image is no name of an image: a"b; see kubectl ctrace --help' 2 web-1 --image 'a"b'
	[ ! -e "$KUBE_STATE/calls" ] || fail "kubectl was asked: $(cat "$KUBE_STATE/calls")"
	kc_run --help
	assert_status 0
	assert_lines '^Usage: kubectl ctrace POD ' out 1
	assert_nothing_left 0
}

# As kubectl asks for it: the words so far, the last one perhaps empty.
test_completion()
{
	kube_setup
	pod_object shop/web-1 node-a app
	pod_object shop/web-2 node-a app
	pod_object other/db-1 node-a app
	assert_equal "$(dash "$plugin_dir/kubectl_complete-ctrace" -n shop '' | tr '\n' ' ')" 'web-1 web-2 :4 ' completions
	assert_equal "$(dash "$plugin_dir/kubectl_complete-ctrace" --namespace=other d | tr '\n' ' ')" 'db-1 :4 ' completions
	assert_equal "$(dash "$plugin_dir/kubectl_complete-ctrace" web-1 -c '' | tr '\n' ' ')" ':4 ' completions
	# Each option that it offers is one.
	dash "$plugin_dir/kubectl_complete-ctrace" -- | grep -e -- > "$T/options"
	while read -r option; do
		dash "$plugin" --help | grep -qe "$option" || fail "no such option: $option"
	done < "$T/options"
	[ "$(wc -l < "$T/options")" -gt 10 ] || fail "only $(wc -l < "$T/options") options"
}

test_no_pod()
{
	kube_setup
	refused 'there is no pod shop/web-1' 1 -n shop web-1
	refused 'there is no pod web-1 in this namespace; -n names another' 1 web-1
	refused 'there is no pod with app=none in any namespace' 1 -A -l app=none
	pod_phase=Failed pod_object shop/web-1 node-a app
	refused 'pod shop/web-1 has ended (Failed)' 1 -n shop web-1
	pod_phase=Pending pod_more='{status: {conditions: [{type: "PodScheduled", status: "False", message: "0/3 nodes are available:\n3 Insufficient cpu."}]}}' pod_object shop/web-1 '' app
	refused 'pod shop/web-1 is not on a node yet: 0/3 nodes are available: 3 Insufficient cpu.' 1 -n shop web-1
	echo 'Error from server (Forbidden): pods is forbidden: User "dev" cannot list resource "pods" in API group "" in the namespace "shop"' > "$KUBE_STATE/refuse.get"
	refused 'pod shop/web-1: Error from server (Forbidden): pods is forbidden: User "dev" cannot list resource "pods" in API group "" in the namespace "shop"' 1 -n shop web-1
	assert_nothing_left 0
}

# The tracer does not come: on one node of two the other goes on.
test_no_tracer()
{
	local rights
	kube_setup
	container one shop/web-1 app
	pod_object shop/web-1 node-a app
	rmdir "$KUBE_STATE/namespaces/ctrace"
	refused 'no tracer can be started in namespace ctrace: Error from server (NotFound): namespaces "ctrace" not found; make it with: kubectl create namespace ctrace && kubectl label namespace ctrace pod-security.kubernetes.io/enforce=privileged (or name another with --tracer-namespace)' \
		1 -n shop web-1
	mkdir "$KUBE_STATE/namespaces/ctrace"
	rights='Error from server (Forbidden): pods is forbidden: User "dev" cannot create resource "pods" in API group "" in the namespace "ctrace"'
	echo "$rights" > "$KUBE_STATE/refuse.create.once"
	refused "no tracer can be started in namespace ctrace: $rights; you need the rights to create, list and delete pods and to get pods/log there" 1 -n shop web-1
	echo NoImage > "$KUBE_STATE/node.node-a"
	refused 'node node-a: no image reg.example/ct:1 (ErrImagePull: failed to pull and unpack image "reg.example/ct:1": not found); push it where the node can pull it from and name it with --image, or load it on the node: ctr -n k8s.io images import, kind load docker-image' \
		1 -n shop web-1 --image reg.example/ct:1
	echo Refuses > "$KUBE_STATE/node.node-a"
	refused "node node-a: the tracer is refused (OutOfpods: Node didn't have enough resource: pods)" 1 -n shop web-1
	echo NotReady > "$KUBE_STATE/node.node-a"
	refused 'node node-a: the tracer has not started within 2 seconds (Pending: ); see --start-timeout' 1 -n shop web-1 --start-timeout 2s
	refused 'node node-a: it is not ready, so no tracer starts there' 1 -n shop web-1
	# The other node's tracer traces.
	pod_object shop/web-0 node-a app
	pod_object shop/web-1 node-b app
	kc_start -n shop -l app=web --start-timeout 6s
	kc_tracing 1
	tell one calls 1000 10
	until_true 30 grep -q 'node-a: the tracer has not started\|node-a: it is not ready' "$T/err" || fail "node-a is not given up: $(cat "$T/err")"
	kc_interrupt
	assert_status 1
	assert_marked 1000 10
	assert_statements 1
	assert_nothing_left 6
}

# Ctrl-C before anything is traced; a kubectl that fails in the middle; one that cannot delete.
test_middle()
{
	kube_setup
	container app shop/web-1 app
	pod_object shop/web-1 node-a app
	kc_start -n shop web-1
	until_true 10 test -s "$KUBE_STATE/created" || fail "no tracer"
	kc_interrupt
	assert_status 130
	assert_nothing_left 1
	kc_start -n shop web-1
	kc_tracing 1
	tell app calls 1000 10
	echo 'error: the server is not there' > "$KUBE_STATE/refuse.get"
	kc_wait
	assert_status 1
	assert_lines '^ctrace: pod shop/web-1: the server is not there$' err 1
	rm "$KUBE_STATE/refuse.get"
	assert_nothing_left 2
	kc_start -n shop web-1
	kc_tracing 1
	echo 'error: the server is not there' > "$KUBE_STATE/refuse.delete.once"
	kc_interrupt
	assert_status 0
	assert_statements 1
	assert_nothing_left 3
	kc_start -n shop web-1
	kc_tracing 1
	echo 'error: the server is not there' > "$KUBE_STATE/refuse.delete"
	kc_interrupt
	assert_status 1
	rm "$KUBE_STATE/refuse.delete"
	assert_lines '^ctrace: tracer pods are left, which end by themselves within 3600 seconds: the server is not there; delete them with: kubectl delete pods -n ctrace -l ctrace-run=[0-9a-f]+$' err 1
	sh -c "$(sed -n 's/.*delete them with: //p' "$T/err")" > /dev/null || fail "that command fails"
	assert_nothing_left 4
}

run_tests "$@"
