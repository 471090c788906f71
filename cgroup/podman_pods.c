/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cgroup/podman_pods.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cgroup/bolt.h"
#include "cgroup/socket.h"
#include "ns/array.h"
#include "util/macros.h"

/* A container that is in a pod. */
struct member {
	char *id, *pod;
	bool infra;
};

struct members {
	struct member *v;
	size_t n, allocated;
};

/* A pod, as its bucket tells it. */
struct pod {
	struct members *to;
	const char *name, *infra;       /* infra: the ID of its pause container; NULL */
};

static void members_undo(void *data)
{
	struct members *m = data;

	for (size_t i = 0; i < m->n; i++) {
		free(m->v[i].id);
		free(m->v[i].pod);
	}
	m->n = 0;
}

static void members_done(struct members *m)
{
	members_undo(m);
	free(m->v);
}

/* The bucket "containers" of a pod: ID and name of each. */
static int add_member(struct bolt *b, const struct bolt_item *item, void *data)
{
	struct pod *pod = data;
	struct members *to = pod->to;
	struct member m;

	(void)b;
	if (ARRAY_RESERVE(to->v, to->allocated, to->n + 1) < 0)
		return -ENOMEM;
	m = (struct member){ .id = bolt_strdup(item->key), .pod = strdup(pod->name) };
	if (!m.id || !m.pod) {
		free(m.id);
		free(m.pod);
		return 0;
	}
	m.infra = pod->infra && !strcmp(pod->infra, m.id);
	to->v[to->n++] = m;
	return 0;
}

static json_t *get_json(struct bolt *b, const struct bolt_bucket *in, const char *key)
{
	struct bolt_bytes value;

	return bolt_get(b, in, key, &value) == 0 ? json_loadb(value.p, value.len, 0, NULL) : NULL;
}

/* One of the bucket "pod": its key is the pod's ID. */
static int add_pod(struct bolt *b, const struct bolt_item *item, void *data)
{
	_cleanup_json_ json_t *config = NULL, *state = NULL;
	struct pod pod = { .to = data };
	struct bolt_bucket containers;
	int r;

	if (!item->is_bucket)
		return 0;
	config = get_json(b, &item->bucket, "config");
	state = get_json(b, &item->bucket, "state");
	pod.name = state_string(config, "name");
	pod.infra = state_string(state, "InfraContainerID");
	if (!pod.name)
		return 0;
	r = bolt_get_bucket(b, &item->bucket, "containers", &containers);
	if (r == 0)
		r = bolt_each(b, &containers, add_member, &pod);
	return r == -ENOMEM ? r : 0;
}

static int read_pods(struct bolt *b, void *data)
{
	static const char *const path[] = { "pod", NULL };
	struct bolt_bucket pods;
	int r = bolt_find_bucket(b, path, &pods);

	return r < 0 ? r : bolt_each(b, &pods, add_pod, data);
}

int podman_set_pod(struct container_entry *e, const char *pod, bool infra)
{
	const char *name = e->name ? e->name : e->id;
	size_t n = strlen(pod);

	if (!strncmp(name, pod, n) && name[n] == '-' && name[n + 1])
		name += n + 1;
	e->sandbox |= infra;
	if (state_set(&e->pod, pod) < 0)
		return -ENOMEM;
	return state_set(&e->pod_container, name);
}

int podman_pods_add(struct runtime_env *env, const struct state_dir *dir, struct container_entries *entries, size_t first)
{
	_cleanup_(members_done) struct members members = { 0 };
	_cleanup_free_ char *path = NULL;
	int r;

	if (first == entries->n)
		return 0;
	if (asprintf(&path, "%s/libpod/bolt_state.db", dir->path) < 0)
		return -ENOMEM;
	r = bolt_read(env, dir, path, read_pods, members_undo, &members);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (size_t i = 0; i < members.n && r == 0; i++)
		for (size_t k = first; k < entries->n && r == 0; k++)
			if (!strcmp(entries->v[k].id, members.v[i].id))
				r = podman_set_pod(&entries->v[k], members.v[i].pod, members.v[i].infra);
	return r;
}
