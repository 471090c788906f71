/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* crun: ROOT/ID/status */
#include <errno.h>
#include <string.h>

#include "cgroup/oci.h"
#include "util/macros.h"

/*
 * With the systemd driver the path ends in a sub-cgroup of the scope
 * (cgroup-systemd.c, run.oci.systemd.subgroup): the container is the scope.
 */
static int add_cgroup_path(json_t *status, struct container_entry *e)
{
	const char *path = state_string(status, "cgroup-path"), *scope = state_string(status, "scope"), *at;
	size_t n;
	int r;

	if (!path || *path != '/')
		return 0;
	r = state_set(&e->cgroup_path, path);
	if (r < 0 || !scope)
		return r;
	n = strlen(scope);
	for (at = strstr(e->cgroup_path, scope); at; at = strstr(at + 1, scope))
		if (at > e->cgroup_path && at[-1] == '/' && (at[n] == '/' || !at[n])) {
			e->cgroup_path[at - e->cgroup_path + (ptrdiff_t)n] = '\0';
			break;
		}
	return 0;
}

static int add(const char *id, json_t *status, struct container_entries *entries)
{
	struct container_entry *e = container_entries_add(entries, "crun", id);

	if (!e)
		return -ENOMEM;
	e->pid = state_pid(status, "pid");
	e->start = state_number(status, "process-start-time");
	return add_cgroup_path(status, e);
}

static int list(struct runtime_env *env, const struct state_dir *dir, struct container_entries *entries)
{
	return oci_list(env, dir, "status", add, entries);
}

const struct runtime_ops runtime_crun = { .name = "crun", .kind = STATE_OCI, .list = list };
