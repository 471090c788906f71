#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What deploy/ gives to Kubernetes fits its schemas, and asks for the same rights everywhere."""
import copy
import os
import sys

source = sys.argv[1]
sys.path.insert(0, os.path.join(source, "tests", "lib"))
import kubernetes  # noqa: E402  (ends with 77 where a module is missing)

failures = []


def check(holds, words):
    if not holds:
        failures.append(words)


def read(name):
    with open(os.path.join(source, "deploy", name), encoding="utf-8") as file:
        return kubernetes.documents(file.read())


def valid(name, container=False):
    docs = read(name)
    for doc in docs:
        for line in kubernetes.mistakes(doc, schema, container):
            failures.append(f"{name}: {line}")
    return docs


def tracer(spec):
    return next(c for c in spec["containers"] if c["name"] == "ctrace")


def refused(doc, path, value):
    """A field that is not there, or of another type, at a place of a manifest that fits."""
    doc = copy.deepcopy(doc)
    at = doc
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    check(kubernetes.mistakes(doc, schema), f"{path} = {value!r} is not refused")


schema = kubernetes.load_schema()
(sidecar,) = valid("sidecar.yaml")
daemonset_docs = valid("daemonset.yaml")
daemonset = next(d for d in daemonset_docs if d["kind"] == "DaemonSet")
(profile,) = valid("debug-profile.json", container=True)

refused(sidecar, ["spec", "hostPid"], True)
refused(sidecar, ["spec", "containers", 1, "securityContext", "capabilities", "Add"], [])
refused(sidecar, ["spec", "containers", 1, "securityContext", "runAsUser"], "0")
refused(sidecar, ["spec", "containers", 1, "securityContext", "seccompProfile", "type"], "None")
refused(sidecar, ["spec", "volumes", 0, "hostPath"], {"type": "Directory"})
refused(daemonset, ["spec", "template", "spec", "tolerations"], {"operator": "Exists"})
refused(daemonset, ["apiVersion"], "v1")

of_pod, of_node = tracer(sidecar["spec"]), tracer(daemonset["spec"]["template"]["spec"])
check(of_pod["securityContext"] == of_node["securityContext"], "sidecar.yaml and daemonset.yaml give other rights")
check({k: v for k, v in profile["securityContext"].items() if k != "runAsNonRoot"} == of_pod["securityContext"], "debug-profile.json gives other rights")
check(profile["securityContext"]["runAsNonRoot"] is False, "a pod's runAsNonRoot would hold in the debug container")
check(of_pod["securityContext"]["capabilities"] == {"drop": ["ALL"], "add": ["BPF", "PERFMON", "SYS_PTRACE", "DAC_READ_SEARCH"]}, "other capabilities")
for name, spec, container in (("sidecar", sidecar["spec"], of_pod), ("daemonset", daemonset["spec"]["template"]["spec"], of_node)):
    volumes = {v["name"]: v["hostPath"]["path"] for v in spec["volumes"]}
    check(all(m["readOnly"] for m in container["volumeMounts"]), f"{name}: a mount that can be written")
    check({m["mountPath"]: volumes[m["name"]] for m in container["volumeMounts"]} ==
          {"/host/proc": "/proc", "/host/sys/fs/cgroup": "/sys/fs/cgroup"}, f"{name}: other mounts")
    check(spec["automountServiceAccountToken"] is False, f"{name}: the API server's token is in the pod")
    check(not any(spec.get(k) for k in ("hostPID", "hostNetwork", "hostIPC", "shareProcessNamespace")), f"{name}: more than is needed")

for line in failures:
    print(line)
print(f"{len(failures)} mistakes")
sys.exit(1 if failures else 0)
