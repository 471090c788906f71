/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * containerd (CRI, ctr, nerdctl): one bundle a task, in the state directory
 * below io.containerd.runtime.v2.task/NAMESPACE/ID: init.pid and the OCI
 * config.json, whose annotations hold CRI's and nerdctl's names.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cgroup/state.h"
#include "util/macros.h"

#define TASKS "io.containerd.runtime.v2.task"

/*
 * Only a plain path: runc makes slice:prefix:name into a unit, whose name
 * carries the ID (internal/cri/server/helpers.go, getCgroupsPath).
 */
static int add_cgroup_path(json_t *config, struct container_entry *e)
{
	const char *path = state_string(json_object_get(config, "linux"), "cgroupsPath");

	return path && *path == '/' ? state_set(&e->cgroup_path, path) : 0;
}

static int add_annotations(json_t *a, struct container_entry *e)
{
	const char *type = state_string(a, "io.kubernetes.cri.container-type");

	e->sandbox = type && !strcmp(type, "sandbox");
	if (state_set(&e->name, state_string(a, "nerdctl/name")) < 0 ||
	    state_set(&e->pod_container, state_string(a, "io.kubernetes.cri.container-name")) < 0 ||
	    state_set(&e->pod, state_string(a, "io.kubernetes.cri.sandbox-name")) < 0 ||
	    state_set(&e->pod_namespace, state_string(a, "io.kubernetes.cri.sandbox-namespace")) < 0 ||
	    state_set(&e->pod_uid, state_string(a, "io.kubernetes.cri.sandbox-uid")) < 0 ||
	    state_set(&e->sandbox_id, state_string(a, "io.kubernetes.cri.sandbox-id")) < 0 ||
	    state_set(&e->image, state_string(a, "io.kubernetes.cri.image-name")) < 0)
		return -ENOMEM;
	return e->sandbox ? 0 : state_set(&e->name, e->pod_container);
}

/*
 * Who runs it: containerd writes the shim's path, the shims of runc's kind
 * write the runtime's, and their options name it, too. What CRI calls the
 * runtime class is a name that an administrator gave.
 */
static int add_kernel(struct runtime_env *env, const struct state_dir *dir, const char *bundle, json_t *annotations,
		      struct container_entry *e)
{
	static const char *const files[] = { "shim-binary-path", "runtime" };
	_cleanup_json_ json_t *options = NULL;
	_cleanup_free_ char *path = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(files) && !e->kernel; i++) {
		_cleanup_free_ char *file = NULL, *text = NULL;
		size_t len;

		if (asprintf(&file, "%s/%s", bundle, files[i]) < 0)
			return -ENOMEM;
		if (state_read(env, dir, file, 4096, &text, &len) == 0)
			e->kernel = runtime_kernel(text);
	}
	if (asprintf(&path, "%s/options.json", bundle) < 0)
		return -ENOMEM;
	options = e->kernel ? NULL : state_read_json(env, dir, path, STATE_FILE_MAX);
	if (!e->kernel)
		e->kernel = runtime_kernel(state_string(options, "binary_name"));
	if (!e->kernel)
		e->kernel = runtime_kernel(state_string(annotations, "io.containerd.cri.runtime-handler"));
	return 0;
}

static int add_container(struct runtime_env *env, const struct state_dir *dir, const char *bundle, const char *ns,
			 const char *id, struct container_entries *entries)
{
	/* moby is the namespace of dockerd, which knows more of the container than the bundle. */
	bool docker = !strcmp(ns, "moby");
	_cleanup_json_ json_t *config = NULL;
	_cleanup_free_ char *path = NULL, *pidfile = NULL;
	struct container_entry *e;

	if (!state_id_valid(id))
		return 0;
	if (asprintf(&pidfile, "%s/init.pid", bundle) < 0 || asprintf(&path, "%s/config.json", bundle) < 0)
		return -ENOMEM;
	e = container_entries_add(entries, docker ? "docker" : "containerd", id);
	if (!e)
		return -ENOMEM;
	e->pid = state_read_pid(env, dir, pidfile);
	config = docker ? NULL : state_read_json(env, dir, path, STATE_FILE_MAX);
	if (add_kernel(env, dir, bundle, json_object_get(config, "annotations"), e) < 0 || add_cgroup_path(config, e) < 0 ||
	    (!docker && state_set(&e->space, ns) < 0))
		return -ENOMEM;
	return add_annotations(json_object_get(config, "annotations"), e);
}

static int list(struct runtime_env *env, const struct state_dir *dir, struct container_entries *entries)
{
	_cleanup_(name_list_done) struct name_list namespaces = { 0 };
	_cleanup_free_ char *tasks = NULL;
	int r;

	if (asprintf(&tasks, "%s/%s", dir->path, TASKS) < 0)
		return -ENOMEM;
	r = state_list_names(env, dir, tasks, &namespaces);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (size_t i = 0; i < namespaces.n; i++) {
		_cleanup_(name_list_done) struct name_list ids = { 0 };
		_cleanup_free_ char *path = NULL;

		if (asprintf(&path, "%s/%s", tasks, namespaces.v[i]) < 0)
			return -ENOMEM;
		if (state_list_names(env, dir, path, &ids) == -ENOMEM)
			return -ENOMEM;
		for (size_t k = 0; k < ids.n; k++) {
			_cleanup_free_ char *bundle = NULL;

			if (asprintf(&bundle, "%s/%s", path, ids.v[k]) < 0)
				return -ENOMEM;
			r = add_container(env, dir, bundle, namespaces.v[i], ids.v[k], entries);
			if (r < 0)
				return r;
		}
	}
	return 0;
}

const struct runtime_ops runtime_containerd = { .name = "containerd", .kind = STATE_CONTAINERD, .list = list };
