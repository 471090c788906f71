/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* CRI-O: the list in containers-storage, the pod in the annotations of RUNROOT/.../userdata/config.json. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cgroup/storage.h"
#include "util/macros.h"

/* An object of strings, as JSON in a string. */
static int add_labels(const char *text, struct container_entry *e)
{
	_cleanup_json_ json_t *labels = text ? json_loads(text, 0, NULL) : NULL;

	return state_add_labels(labels, e);
}

static int add_annotations(json_t *a, struct container_entry *e)
{
	const char *type = state_string(a, "io.kubernetes.cri-o.ContainerType");

	e->sandbox = type && !strcmp(type, "sandbox");
	e->kernel = runtime_kernel(state_string(a, "io.kubernetes.cri-o.RuntimeHandler"));
	if (state_set(&e->pod, state_string(a, "io.kubernetes.pod.name")) < 0 ||
	    state_set(&e->pod_namespace, state_string(a, "io.kubernetes.pod.namespace")) < 0 ||
	    state_set(&e->pod_uid, state_string(a, "io.kubernetes.pod.uid")) < 0 ||
	    state_set(&e->pod_container, state_string(a, "io.kubernetes.container.name")) < 0 ||
	    state_set(&e->sandbox_id, state_string(a, "io.kubernetes.cri-o.SandboxID")) < 0 ||
	    state_set(&e->image, state_string(a, "io.kubernetes.cri-o.ImageName")) < 0)
		return -ENOMEM;
	if (state_set_pod_kind(e, state_string(a, "io.kubernetes.container.type")) < 0)
		return -ENOMEM;
	return add_labels(state_string(a, "io.kubernetes.cri-o.Labels"), e);
}

static int add_userdata(struct runtime_env *env, const struct state_dir *dir, const char *userdata,
			struct container_entry *e)
{
	_cleanup_free_ char *pidfile = NULL, *path = NULL;
	_cleanup_json_ json_t *config = NULL;

	if (asprintf(&pidfile, "%s/pidfile", userdata) < 0 || asprintf(&path, "%s/config.json", userdata) < 0)
		return -ENOMEM;
	e->pid = state_read_pid(env, dir, pidfile);
	config = state_read_json(env, dir, path, STATE_FILE_MAX);
	return add_annotations(json_object_get(config, "annotations"), e);
}

static int add(struct runtime_env *env, const struct state_dir *dir, const struct storage_container *c,
	       struct container_entries *entries)
{
	struct container_entry *e;
	int r;

	if (!storage_is_crio(c->metadata))
		return 0;
	e = container_entries_add(entries, "crio", c->id);
	if (!e)
		return -ENOMEM;
	r = c->userdata ? add_userdata(env, dir, c->userdata, e) : 0;
	if (r < 0)
		return r;
	if (state_set(&e->pod, state_string(c->metadata, "pod-name")) < 0 ||
	    state_set(&e->pod_namespace, state_string(c->metadata, "namespace")) < 0 ||
	    state_set(&e->pod_uid, state_string(c->metadata, "uid")) < 0 ||
	    state_set(&e->pod_container, state_string(c->metadata, "metadata-name")) < 0 ||
	    state_set(&e->image, state_string(c->metadata, "image-name")) < 0)
		return -ENOMEM;
	/* As for containerd: the container's own name, not k8s_CONTAINER_POD_NAMESPACE_UID_N. */
	if (!e->sandbox && state_set(&e->name, e->pod_container) < 0)
		return -ENOMEM;
	return state_set(&e->name, c->name);
}

static int list(struct runtime_env *env, const struct state_dir *dir, struct container_entries *entries)
{
	return storage_list(env, dir, add, entries);
}

const struct runtime_ops runtime_crio = { .name = "crio", .kind = STATE_STORAGE, .list = list };
