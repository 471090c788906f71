/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* dockerd: DockerRootDir/containers/ID/config.v2.json, mode 0600. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cgroup/socket.h"
#include "util/macros.h"

int docker_add_labels(json_t *labels, struct container_entry *e)
{
	const char *type = state_string(labels, "io.kubernetes.docker.type");

	/* cri-dockerd's, and docker compose's */
	e->sandbox = type && !strcmp(type, "podsandbox");
	if (state_set(&e->pod, state_string(labels, "io.kubernetes.pod.name")) < 0 ||
	    state_set(&e->pod_namespace, state_string(labels, "io.kubernetes.pod.namespace")) < 0 ||
	    state_set(&e->pod_uid, state_string(labels, "io.kubernetes.pod.uid")) < 0 ||
	    state_set(&e->pod_container, state_string(labels, "io.kubernetes.container.name")) < 0 ||
	    state_set(&e->sandbox_id, state_string(labels, "io.kubernetes.sandbox.id")) < 0 ||
	    state_set(&e->service, state_string(labels, "com.docker.compose.service")) < 0)
		return -ENOMEM;
	/* cri-dockerd keeps annotations as labels. */
	if (state_set_pod_kind(e, state_string(labels, "annotation.io.kubernetes.container.type")) < 0)
		return -ENOMEM;
	return state_add_labels(labels, e);
}

/* 1: it is in the list now. */
static int add_container(json_t *config, struct container_entries *entries)
{
	const char *id = state_string(config, "ID"), *name = state_string(config, "Name");
	json_t *state = json_object_get(config, "State"), *c = json_object_get(config, "Config");
	struct container_entry *e;

	if (!state_id_valid(id))
		return 0;
	e = container_entries_add(entries, "docker", id);
	if (!e)
		return -ENOMEM;
	e->pid = state_pid(state, "Pid");
	e->stopped = !json_is_true(json_object_get(state, "Running"));
	if (name && *name == '/')
		name++;
	if (state_set(&e->name, name) < 0 || state_set(&e->image, state_string(c, "Image")) < 0)
		return -ENOMEM;
	return docker_add_labels(json_object_get(c, "Labels"), e) < 0 ? -ENOMEM : 1;
}

/* docker run --runtime=NAME stands in a file of its own. */
static int add_kernel(struct runtime_env *env, const struct state_dir *dir, const char *path, const char *id,
		      struct container_entry *e)
{
	_cleanup_json_ json_t *config = NULL;
	_cleanup_free_ char *file = NULL;

	if (asprintf(&file, "%s/%s/hostconfig.json", path, id) < 0)
		return -ENOMEM;
	config = state_read_json(env, dir, file, STATE_FILE_MAX);
	e->kernel = runtime_kernel(state_string(config, "Runtime"));
	return 0;
}

static int list(struct runtime_env *env, const struct state_dir *dir, struct container_entries *entries)
{
	_cleanup_(name_list_done) struct name_list ids = { 0 };
	_cleanup_free_ char *path = NULL;
	int r;

	if (asprintf(&path, "%s/containers", dir->path) < 0)
		return -ENOMEM;
	r = state_list_names(env, dir, path, &ids);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (size_t i = 0; i < ids.n; i++) {
		_cleanup_free_ char *file = NULL;
		_cleanup_json_ json_t *config = NULL;

		if (asprintf(&file, "%s/%s/config.v2.json", path, ids.v[i]) < 0)
			return -ENOMEM;
		config = state_read_json(env, dir, file, STATE_FILE_MAX);
		r = config ? add_container(config, entries) : 0;
		if (r < 0)
			return r;
		if (r > 0 && add_kernel(env, dir, path, ids.v[i], &entries->v[entries->n - 1]) < 0)
			return -ENOMEM;
	}
	return 0;
}

const struct runtime_ops runtime_docker = { .name = "docker", .kind = STATE_DOCKER, .list = list };
