#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The image that deploy/image.sh makes, in real engines: loaded, and tracing a
# neighbour with the rights that the manifests of deploy/ give it and no more.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=image.sh
. "$runtimes_dir/image.sh"

# --- the file ---------------------------------------------------------------------

# The same binary, the same bytes; whatever is no static program of ours is refused in one line.
test_image_file()
{
	static_need
	image_make
	sleep 1.1
	(umask 077 && SOURCE_DATE_EPOCH=1700000000 "$source_dir/deploy/image.sh" -o "$T/a.tar" "$STATIC") > /dev/null || fail "no image"
	sleep 1.1
	(umask 002 && cd / && SOURCE_DATE_EPOCH=1700000000 "$source_dir/deploy/image.sh" -o "$T/b.tar" "$STATIC") > /dev/null || fail "no image"
	cmp -s "$T/a.tar" "$T/b.tar" || fail "two images of one binary differ"
	tar -xOf "$T/a.tar" manifest.json | jq -r '.[0].Layers[0]' > "$T/layer"
	tar -xOf "$T/a.tar" "$(cat "$T/layer")" | tar -tv > "$T/files" || fail "no layer $(cat "$T/layer")"
	assert_lines '^-rwxr-xr-x 0/0 .* 2023-11-14 .* ctrace$' files 1
	assert_lines '^drwxrwxrwt 0/0 .* tmp/$' files 1
	assert_lines ' licenses/GPL-2.0-only.txt$' files 1
	cp "$BUILD/ctrace" "$T/dynamic"
	image_refused "is linked dynamically: configure with -DCTRACE_STATIC=ON" "$T/dynamic"
	image_refused "is no program for x86_64 or arm64" "$source_dir/README.md"
	image_refused "is no program for x86_64 or arm64" "$T/none"
	image_refused "not a name and a tag: Name" -t Name "$STATIC"
}

# image_refused WORDS ARG...
image_refused()
{
	local words=$1
	shift
	! "$source_dir/deploy/image.sh" -o "$T/no.tar" "$@" 2> "$T/err" || fail "it takes $*"
	[ "$(wc -l < "$T/err")" = 1 ] && grep -q "^image: .*$words" "$T/err" || fail "it says: $(cat "$T/err")"
	[ ! -e "$T/no.tar" ] || fail "it leaves a file"
}

# The Dockerfile, on a base that has the machine's own Debian, and with it the packages that
# the build installs: no image is fetched, and apt finds nothing to do.
test_dockerfile()
{
	local dir
	command -v podman > /dev/null || skip "podman is not installed"
	grep -q '^ID=debian$' /etc/os-release && [ -L /bin ] && [ -L /lib ] || cannot "no merged Debian, whose packages it could take"
	dpkg -s libseccomp-dev libdw-dev libjansson-dev clang bpftool > /dev/null 2>&1 || skip "the packages of the build are not installed"
	# shellcheck source=test_podman.sh
	. "$runtimes_dir/test_podman.sh"
	mkdir -p "$T"/base/{dev,etc,proc,sys,tmp,usr,var/cache/apt/archives/partial,var/lib/apt/lists/partial,var/lib/dpkg}
	chmod 1777 "$T/base/tmp"
	for dir in /bin /sbin /lib /lib64; do
		[ ! -L "$dir" ] || ln -s "usr$dir" "$T/base$dir"
	done
	tar -C "$T/base" -c . | podman_ import - ctrace-base > "$T/import.log" 2>&1 || fail "podman import: $(tail -n 2 "$T/import.log")"
	podman_ build --isolation chroot --ulimit nofile=1024:1024 --network host -v /usr:/usr:ro -v /etc:/etc:ro -v /var/lib/dpkg:/var/lib/dpkg:ro \
		--build-arg BASE=localhost/ctrace-base -f "$source_dir/deploy/Dockerfile" -t "$image" "$source_dir" > "$T/build.log" 2>&1 ||
		fail "podman build: $(tail -n 4 "$T/build.log" | tr '\n' ' ' | cut -c 1-600)"
	[ "$(side_run "localhost/$image" --version 2> "$T/err")" = "$("$CTRACE" --version)" ] || fail "--version: $(cat "$T/err")"
	podman_ inspect "localhost/$image" | jq -e '.[0].Config | .Entrypoint == ["/ctrace"] and (.Env | index("PATH=/") != null)' > /dev/null || fail "another entry point"
}

# --- beside the target, with the host's /proc ----------------------------------------

engine_case()
{
	image_setup "$1"
	engine_rights
	[ "$(side_run "$image" --version 2> "$T/err")" = "$("$STATIC" --version)" ] || fail "--version: $(cat "$T/err")"
	rt_actor web
	side_trace web "${side_proc[@]}" -- --container "$RT_ID"
	assert_lines "^ctrace: tracing $1 container .*its pid 1 is $RT_PID on the host" err 1
	side_trace web "${side_proc[@]}" -- --container "$(rt_unique web)" --format json
	jq -se --arg id "$RT_ID" --argjson host "$RT_PID" 'map(select(.type == "syscall" and .name == "lseek")) |
		.[0] | .container.id == $id and .pid == 1 and .host_pid == $host' "$T/out" > /dev/null || fail "wrong names: $(grep -a -m 1 lseek "$T/out")"
	side_run "${side_proc[@]}" "$image" ps > "$T/out" 2> "$T/err" || fail "ps: $(cat "$T/err")"
	assert_lines "^${RT_ID:0:12} +$(rt_unique web) +- +$1 +1 +$RT_PID " out 1
}

test_image_docker() { engine_case docker; }
test_image_podman() { engine_case podman; }

test_image_containerd()
{
	local id caps=()
	static_need
	# shellcheck source=test_containerd.sh
	. "$runtimes_dir/test_containerd.sh"
	rt_setup
	image_make
	ctr_ images import "$T/ctrace.tar" > "$T/load.log" 2>&1 || fail "ctr images import: $(tail -n 2 "$T/load.log")"
	rt_actor web
	id=$(rt_unique side)
	for cap in $capabilities; do
		caps+=(--cap-add "CAP_$cap")
	done
	ctr_ run --rm "${caps[@]}" --mount type=bind,src=/proc,dst=/host/proc,options=rbind:ro \
		"docker.io/library/$image:latest" "$id" /ctrace --container "$RT_ID" > "$T/out" 2> "$T/err" < /dev/null &
	CT=$!
	defer end_process "$CT"
	defer ctr_ containers delete "$id"
	defer ctr_ tasks delete --force "$id"
	until_true 20 grep -q '^ctrace: tracing containerd container' "$T/err" || fail "it does not trace: $(tail -n 2 "$T/err")"
	tell web calls 1000 50
	rt_exec web /bin/marked calls 1050 30 || fail "exec failed"
	ctr_ tasks kill -s INT "$id" || fail "no ctrace to stop"
	ct_wait
	assert_status 0
	assert_marked 1000 80
	grep -q '^ctrace: coverage complete since ' "$T/err" || fail "no statement: $(tail -n 2 "$T/err")"
}

# --- in the target's pid namespace, as kubectl debug --target has it -------------------

target_case()
{
	image_setup "$1"
	engine_rights
	rt_actor web
	side_trace web --pid "container:$(rt_unique web)" --
	assert_lines '^ctrace: no target is named: tracing the container of process 1' err 1
	assert_lines '^1 +lseek\(-1, 1000, SEEK_SET\)|^\[pid +1\] lseek\(-1, 1000, SEEK_SET\)' out 1
	side_run --pid "container:$(rt_unique web)" "$image" ps > "$T/out" 2> "$T/err" || fail "ps: $(cat "$T/err")"
	# Containers are found by the host's processes, which are not to be seen there.
	refute_lines "$RT_ID" out
}

test_target_docker() { target_case docker; }
test_target_podman() { target_case podman; }

# --- the manifests, started ----------------------------------------------------------------

# podman 4.3 takes limits from its configuration alone, seccomp's profile from the annotation of
# old, knows neither metadata.namespace nor $(VARIABLES) in arguments, and of the kinds Pod but not DaemonSet.
play()
{
	command -v catatonit > /dev/null || skip "catatonit is not installed"
	printf '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]\n' > "$T/containers.conf"
	export CONTAINERS_CONF=$T/containers.conf
	defer podman_ pod rm -f -t 0 "$pod"
	podman_ kube play --network none "$T/pod.yaml" > "$T/play.log" 2>&1 || fail "podman kube play: $(tail -n 3 "$T/play.log")"
}

played()
{
	podman_ logs "$SIDE" > "$T/out" 2> "$T/err"
	grep -q "$1" "$T/out" "$T/err"
}

test_play_sidecar()
{
	local pod=app-with-ctrace
	image_setup podman
	sed -e 's|image: busybox|image: ctrace-test|' -e "s|^  name: $pod\$|&\\n  annotations: {container.seccomp.security.alpha.kubernetes.io/ctrace: unconfined}|" -e '/name: POD_NAMESPACE/,+1d' -e "s|\$(POD_NAMESPACE)/\$(POD_NAME):app|$pod:app|" \
		"$source_dir/deploy/sidecar.yaml" > "$T/pod.yaml"
	play
	SIDE=$pod-ctrace
	until_true 20 played '"/etc/app.conf"' || fail "no call of the application: $(tail -n 2 "$T/err" "$T/play.log")"
	# It has the manifest's rights and no others.
	podman_ inspect "$SIDE" | jq -e '.[0] | (.EffectiveCaps | sort) == ["CAP_BPF", "CAP_DAC_READ_SEARCH", "CAP_PERFMON", "CAP_SYS_PTRACE"] and
		(.HostConfig | .SecurityOpt == ["no-new-privileges"] and .ReadonlyRootfs and (.Privileged | not)) and
		([.Mounts[] | select(.Destination | startswith("/host/")) | .RW] == [false, false])' > /dev/null || fail "other rights: $(podman_ inspect "$SIDE" | jq -c '.[0].EffectiveCaps')"
	podman_ stop -t 10 "$SIDE" > /dev/null || fail "it does not stop"
	played '^ctrace: coverage complete since ' || fail "no statement: $(tail -n 2 "$T/err")"
	assert_lines '^ctrace: tracing podman container .* of pod app-with-ctrace: ' err
	assert_lines 'openat\(AT_FDCWD, "/etc/app.conf", O_RDONLY.*\) = -1 ENOENT \(No such file or directory\)$' out
	refute_lines ' = 0$' out
}

# The node's pod: idle, until ctrace is run in it.
test_play_daemonset()
{
	local pod=ctrace-node
	image_setup podman
	rt_actor web
	/usr/bin/python3 - "$source_dir/deploy/daemonset.yaml" > "$T/pod.yaml" <<-'END_PYTHON' || fail "no DaemonSet"
	import json, sys, yaml
	template = next(d for d in yaml.safe_load_all(open(sys.argv[1])) if d["kind"] == "DaemonSet")["spec"]["template"]
	template["metadata"].update(name="ctrace-node", annotations={"container.seccomp.security.alpha.kubernetes.io/ctrace": "unconfined"})
	print(json.dumps({"apiVersion": "v1", "kind": "Pod", **template}))
	END_PYTHON
	/usr/bin/python3 "$source_dir/tests/lib/kubernetes.py" "$T/pod.yaml" > "$T/invalid" || fail "no pod: $(cat "$T/invalid")"
	play
	podman_ exec "$pod-ctrace" ctrace ps > "$T/out" 2> "$T/err" || fail "ps: $(cat "$T/err")"
	assert_lines "^${RT_ID:0:12} +$(rt_unique web) +- +podman +1 +$RT_PID " out 1
	podman_ exec "$pod-ctrace" ctrace --container "$(rt_unique web)" -e trace=lseek --for 2s > "$T/out" 2> "$T/err" &
	CT=$!
	defer end_process "$CT"
	until_true 20 grep -q '^ctrace: tracing ' "$T/err" || fail "it does not trace: $(cat "$T/err")"
	tell web calls 1000 50
	ct_wait
	assert_status 0
	assert_marked 1000 50
	podman_ stop -t 10 "$pod-ctrace" > /dev/null || fail "it does not stop"
	[ "$(podman_ inspect -f '{{.State.ExitCode}}' "$pod-ctrace")" = 0 ] || fail "idle ends with a status of $(podman_ inspect -f '{{.State.ExitCode}}' "$pod-ctrace")"
}

# What check prints for a container that was given nothing is what the manifests give.
test_pod_spec()
{
	image_setup podman
	side_rights=("${side_closed[@]}" --user 1000)
	side_run "$image" check --print-pod-spec > "$T/spec.yaml" 2> "$T/err"
	[ $? = 1 ] || fail "tracing would work there: $(cat "$T/err")"
	/usr/bin/python3 - "$T/spec.yaml" "$source_dir" > "$T/out" 2>&1 <<-'END_PYTHON' || fail "$(cat "$T/out"): $(cat "$T/spec.yaml")"
	import sys, yaml
	sys.path.insert(0, sys.argv[2] + "/tests/lib")
	import kubernetes
	spec = yaml.safe_load(open(sys.argv[1]))
	pod = yaml.safe_load(open(sys.argv[2] + "/deploy/sidecar.yaml"))
	tracer = pod["spec"]["containers"][1]
	for key, value in spec["securityContext"].items():
	    given = tracer["securityContext"].get(key)
	    if key == "capabilities":
	        value, given = sorted(value["add"]), sorted(given["add"])
	    assert given == value, f"{key}: {given} is not {value}"
	assert spec["volumeMounts"] == tracer["volumeMounts"][:len(spec["volumeMounts"])], "other mounts"
	pod["spec"]["volumes"] = spec["volumes"]
	tracer.update({key: spec[key] for key in ("securityContext", "volumeMounts")})
	wrong = kubernetes.mistakes(pod)
	assert not wrong, wrong
	END_PYTHON
}

# --- with less -------------------------------------------------------------------------

# One line each, which names what to give; and the status says so. podman knows each
# of these capabilities, and has a profile of seccomp that refuses bpf(2) without SYS_ADMIN.
test_less()
{
	local without cap
	image_setup podman
	rt_actor web
	for without in BPF PERFMON SYS_PTRACE; do
		side_rights=("${side_closed[@]}" --security-opt seccomp=unconfined)
		for cap in $capabilities; do
			[ "$cap" = "$without" ] || side_rights+=(--cap-add "$cap")
		done
		side_refused "^ctrace: .*CAP_$without.*(--cap-add|capabilities)"
	done
	side_rights=("${side_closed[@]}" "${side_caps[@]}")
	side_refused '^ctrace: .*(seccomp=unconfined|seccompProfile)'
	side_rights=("${side_closed[@]}" --security-opt seccomp=unconfined --user 1000)
	side_refused '^ctrace: .*CAP_BPF.*'
	side_rights=("${side_closed[@]}" --security-opt seccomp=unconfined "${side_caps[@]}")
	side_refused '^ctrace: .*BTF.*(CONFIG_DEBUG_INFO_BTF|/sys/kernel/btf)' --security-opt mask=/sys/kernel/btf
}

# side_refused PATTERN OPTION...
side_refused()
{
	CT_STATUS=0
	side_run "${side_proc[@]}" "${@:2}" "$image" --container "$RT_ID" --for 100ms > "$T/out" 2> "$T/err" || CT_STATUS=$?
	[ "$CT_STATUS" = 1 ] || fail "exit status $CT_STATUS with ${side_rights[*]}: $(tail -n 1 "$T/err")"
	assert_lines "$1" err 1
	[ "$(wc -l < "$T/err")" = 1 ] || fail "more than a line: $(cat "$T/err")"
}

# The Dockerfile builds the whole.
TEST_TIMEOUT=${TEST_TIMEOUT:-400}
run_tests "$@"
