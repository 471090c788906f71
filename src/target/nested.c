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

size_t cgroup_outer_end(const struct resolver *r, const char *path, size_t begin)
{
	_cleanup_free_ char *around = begin > 1 ? strndup(path, begin - 1) : NULL;
	struct cgroup_name name;

	if (!around)
		return 0;
	if (cgroup_name_container(around, &name))
		return name.end;
	for (size_t i = 0; i < r->entries.n; i++) {
		const char *outer = r->entries.v[i].cgroup_path;

		if (outer && strlen(outer) > 1 && cgroup_path_within(around, outer))
			return strlen(outer);
	}
	return 0;
}

size_t cgroup_last_begin(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct cgroup_name name;

	cgroup_name_match(path, &name);
	return name.role == ROLE_PAYLOAD ? name.begin : (slash ? (size_t)(slash - path) + 1 : 0);
}

bool cgroup_is_nested(const struct resolver *r, const char *path, size_t begin)
{
	return cgroup_outer_end(r, path, begin) > 0;
}

struct search {
	struct resolver *r;
	uint32_t hierarchy;
	char *outer;            /* path of the container around it */
};

static bool is_in_outer(const struct search *s, pid_t pid)
{
	_cleanup_(proc_cgroups_done) struct proc_cgroups lines = { 0 };

	if (read_live_cgroups(s->r, pid, &lines) < 0)
		return false;
	for (size_t i = 0; i < lines.n; i++)
		if (lines.v[i].hierarchy == s->hierarchy)
			return cgroup_path_within(lines.v[i].path, s->outer);
	return false;
}

/*
 * Ends the walk at a process that was put into mounts of its own by one of the
 * container around it: its parent is there, and has others. (The init of that
 * container and its sessions have parents outside.)
 */
static int is_put_there(int dir_fd, const char *path, void *data)
{
	_cleanup_(pid_list_done) struct pid_list pids = { 0 };
	const struct search *search = data;
	int proc_fd = search->r->env->proc_fd;

	(void)path;
	if (cgroup_procs_read(dir_fd, &pids) < 0)
		return 0;
	for (size_t i = 0; i < pids.n; i++) {
		struct proc_status s;
		uint32_t its, parents;

		if (proc_status_read(proc_fd, pids.v[i], 0, &s) < 0 || !s.ppid || nsid_read(proc_fd, pids.v[i], NS_MNT, &its) < 0 ||
		    nsid_read(proc_fd, s.ppid, NS_MNT, &parents) < 0)
			continue;
		if (its != parents && is_in_outer(search, s.ppid))
			return -EEXIST;
	}
	return 0;
}

bool cgroup_is_faked(struct resolver *r, uint32_t hierarchy, const char *dir, const char *path, size_t begin)
{
	size_t end = cgroup_outer_end(r, path, begin);
	_cleanup_free_ char *outer = end ? strndup(path, end) : NULL;
	struct search s = { .r = r, .hierarchy = hierarchy, .outer = outer };

	/* Files of cgroups number tasks as their reader does. */
	if (!outer || !target_env_is_ours(r->env))
		return false;
	return cgroup_walk(dir, is_put_there, &s) != -EEXIST;
}
