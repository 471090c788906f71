/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Containers in containers. A node in a container (kind, docker in docker) has
 * containers of its own below its cgroup; but whoever may write to a cgroup can
 * make a directory of any name there, and move what it wants into it.
 */
#include <errno.h>
#include <string.h>

#include "cgroup/dir.h"
#include "cgroup/name.h"
#include "ns/nsid.h"
#include "target/resolver.h"
#include "util/macros.h"

bool cgroup_is_nested(const struct resolver *r, const char *path, size_t begin)
{
	_cleanup_free_ char *around = begin > 1 ? strndup(path, begin - 1) : NULL;
	struct cgroup_name name;

	if (!around)
		return false;
	if (cgroup_name_container(around, &name))
		return true;
	for (size_t i = 0; i < r->entries.n; i++) {
		const char *outer = r->entries.v[i].cgroup_path;

		if (outer && strlen(outer) > 1 && cgroup_path_within(around, outer))
			return true;
	}
	return false;
}

/* Ends the walk at a process that was put into mounts of its own: its parent has others. */
static int has_own_mounts(int dir_fd, const char *path, void *data)
{
	_cleanup_(pid_list_done) struct pid_list pids = { 0 };
	const struct target_env *env = data;

	(void)path;
	if (cgroup_procs_read(dir_fd, &pids) < 0)
		return 0;
	for (size_t i = 0; i < pids.n; i++) {
		struct proc_status s;
		uint32_t its, parents;

		if (proc_status_read(env->proc_fd, pids.v[i], 0, &s) < 0 || nsid_read(env->proc_fd, pids.v[i], NS_MNT, &its) < 0)
			continue;
		if (!s.ppid || nsid_read(env->proc_fd, s.ppid, NS_MNT, &parents) < 0 || its != parents)
			return -EEXIST;
	}
	return 0;
}

bool cgroup_is_faked(const struct resolver *r, const char *dir)
{
	/* Files of cgroups number tasks as their reader does. */
	if (!target_env_is_ours(r->env))
		return false;
	return cgroup_walk(dir, has_own_mounts, (void *)r->env) != -EEXIST;
}
