/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* podman: the names in containers-storage, the pid in RUNROOT/.../userdata/pidfile, the pods in a database. */
#include <errno.h>
#include <stdio.h>

#include "cgroup/podman_pods.h"
#include "cgroup/storage.h"
#include "util/macros.h"

static int add(struct runtime_env *env, const struct state_dir *dir, const struct storage_container *c,
	       struct container_entries *entries)
{
	_cleanup_free_ char *pidfile = NULL;
	struct container_entry *e;

	if (storage_is_crio(c->metadata))
		return 0;
	e = container_entries_add(entries, "podman", c->id);
	if (!e)
		return -ENOMEM;
	if (c->userdata) {
		if (asprintf(&pidfile, "%s/pidfile", c->userdata) < 0)
			return -ENOMEM;
		e->pid = state_read_pid(env, dir, pidfile);
	}
	if (state_set(&e->name, c->name) < 0 || state_set(&e->name, state_string(c->metadata, "name")) < 0)
		return -ENOMEM;
	return state_set(&e->image, state_string(c->metadata, "image-name"));
}

static int list(struct runtime_env *env, const struct state_dir *dir, struct container_entries *entries)
{
	size_t before = entries->n;
	int r = storage_list(env, dir, add, entries);

	return r < 0 ? r : podman_pods_add(env, dir, entries, before);
}

const struct runtime_ops runtime_podman = { .name = "podman", .kind = STATE_STORAGE, .list = list };
