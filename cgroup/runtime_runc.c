/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* runc: ROOT/ID/state.json; cgroup_paths holds whole directories, one for each controller, "" for v2. */
#include <errno.h>
#include <string.h>

#include "cgroup/oci.h"
#include "util/macros.h"

/* Without the mount point, which runc takes from its own mountinfo. */
static const char *below_mount(const char *path, const char *mount)
{
	size_t n = strlen(mount);

	return path && !strncmp(path, mount, n) && path[n] == '/' ? path + n : NULL;
}

static const char *cgroup_path(json_t *state)
{
	json_t *paths = json_object_get(state, "cgroup_paths");
	const char *unified = state_string(paths, ""), *memory = state_string(paths, "memory"), *path;

	path = below_mount(unified, "/sys/fs/cgroup/unified");
	if (!path)
		path = below_mount(unified, "/sys/fs/cgroup");
	if (!path)
		path = below_mount(memory, "/sys/fs/cgroup/memory");
	return path;
}

static int add(const char *id, json_t *state, struct container_entries *entries)
{
	struct container_entry *e = container_entries_add(entries, "runc", id);

	if (!e)
		return -ENOMEM;
	e->pid = state_pid(state, "init_process_pid");
	e->start = state_number(state, "init_process_start");
	return state_set(&e->cgroup_path, cgroup_path(state));
}

static int list(struct runtime_env *env, const struct state_dir *dir, struct container_entries *entries)
{
	return oci_list(env, dir, "state.json", add, entries);
}

const struct runtime_ops runtime_runc = { .name = "runc", .kind = STATE_OCI, .list = list };
