/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * cgroup_namespaces(7): paths in /proc/PID/cgroup and the roots in mountinfo
 * are relative to the reader's cgroup namespace, with a "/.." for each level
 * between its root and the nearest directory that both have above them.
 */
#include "cgroup/relative.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cgroup/dir.h"
#include "util/macros.h"

/* The levels that a path goes up; *ret_rest is what follows: "" or "/...". */
static size_t levels_up(const char *path, const char **ret_rest)
{
	size_t n = 0;

	while (!strncmp(path, "/..", 3) && (path[3] == '/' || !path[3])) {
		path += 3;
		n++;
	}
	*ret_rest = strcmp(path, "/") ? path : "";
	return n;
}

static size_t depth_of(const char *path)
{
	size_t n = 0;

	for (; *path; path++)
		n += path[0] == '/' && path[1] && path[1] != '/';
	return n;
}

int cgroup_path_join(const char *base, const char *path, char **ret)
{
	size_t len = strlen(base);
	const char *rest;
	size_t up = levels_up(path, &rest);

	while (len && base[len - 1] == '/')
		len--;
	for (; up; up--) {
		if (!len)
			return -ENOENT;
		while (len && base[len - 1] != '/')
			len--;
		len -= len > 0;
	}
	if (!len && !*rest)
		rest = "/";
	return asprintf(ret, "%.*s%s", (int)len, base, rest) < 0 ? -ENOMEM : 0;
}

int cgroup_path_above(const char *path, unsigned levels, char **ret)
{
	size_t allocated = strlen(path) + 3 * (size_t)levels + 2;
	_cleanup_free_ char *p = malloc(allocated);
	const char *rest;

	if (!p)
		return -ENOMEM;
	strcpy(p, strcmp(path, "/") ? path : "");
	for (; levels; levels--) {
		levels_up(p, &rest);
		if (*rest)
			*strrchr(p, '/') = '\0';
		else
			strcat(p, "/..");
	}
	if (!*p)
		strcpy(p, "/");
	*ret = TAKE_PTR(p);
	return 0;
}

bool cgroup_path_within(const char *path, const char *outer)
{
	const char *rest, *outer_rest;
	size_t up = levels_up(path, &rest), outer_up = levels_up(outer, &outer_rest), n = strlen(outer_rest);

	/* What lies straight above our root has below it all that goes up less far. */
	if (!n)
		return up <= outer_up;
	return up == outer_up && !strncmp(rest, outer_rest, n) && (rest[n] == '/' || !rest[n]);
}

static const struct cgroup_base *find_base(const struct cgroup_mounts *mounts, uint32_t hierarchy)
{
	for (size_t i = 0; i < mounts->n_bases; i++)
		if (mounts->bases[i].hierarchy == hierarchy)
			return &mounts->bases[i];
	return NULL;
}

/* The mount of the same hierarchy that shows most of what is above our root; NULL: none shows any. */
static const struct cgroup_mount *highest(const struct cgroup_mounts *mounts, uint32_t hierarchy, size_t *ret_up)
{
	const struct cgroup_mount *best = NULL;

	*ret_up = 0;
	for (size_t i = 0; i < mounts->n; i++) {
		const char *rest;
		size_t up = levels_up(mounts->v[i].root, &rest);

		if (!mounts->v[i].known || mounts->v[i].hierarchy != hierarchy || *rest || up <= *ret_up)
			continue;
		*ret_up = up;
		best = &mounts->v[i];
	}
	return best;
}

struct own_search {
	size_t dir_len;         /* of the mount point */
	size_t depth;           /* of our cgroup below it */
	char *path;             /* our cgroup, below the mount point */
};

/* Our cgroup is the one that lists us; files of cgroups number tasks as their reader does. */
static int is_own(int dir_fd, const char *dir, void *data)
{
	_cleanup_(pid_list_done) struct pid_list pids = { 0 };
	struct own_search *s = data;
	size_t depth = depth_of(dir + s->dir_len);

	if (depth < s->depth)
		return 0;
	if (cgroup_procs_read(dir_fd, &pids) < 0)
		return 1;
	for (size_t i = 0; i < pids.n; i++) {
		if (pids.v[i] != getpid())
			continue;
		s->path = strdup(dir + s->dir_len);
		return s->path ? -EEXIST : -ENOMEM;
	}
	return 1;
}

/* The root of our cgroup namespace: our own cgroup less the path that we see of it. */
static int find_one(const struct cgroup_mount *m, size_t up, const char *own, struct cgroup_base *ret)
{
	struct own_search s = { .dir_len = strlen(m->dir) };
	size_t len, own_len;
	const char *rest;
	int r;

	/* Moved to above the root, it does not say below what. */
	if (levels_up(own, &rest))
		return -ENOENT;
	s.depth = up + depth_of(rest);
	r = cgroup_walk(m->dir, is_own, &s);
	if (r != -EEXIST)
		return r < 0 ? r : -ENOENT;
	len = strlen(s.path);
	own_len = strlen(rest);
	if (len < own_len || strcmp(s.path + len - own_len, rest)) {
		free(s.path);
		return -ENOENT;
	}
	s.path[len - own_len] = '\0';
	*ret = (struct cgroup_base){ .hierarchy = m->hierarchy, .path = s.path };
	return 0;
}

static int repair_roots(struct cgroup_mounts *mounts)
{
	for (size_t i = 0; i < mounts->n; i++) {
		struct cgroup_mount *m = &mounts->v[i];
		const struct cgroup_base *b = m->known ? find_base(mounts, m->hierarchy) : NULL;
		char *root;
		int r = b ? cgroup_path_join(b->path, m->root, &root) : -ENOENT;

		if (r == -ENOMEM)
			return r;
		if (r < 0)
			continue;
		free(m->root);
		m->root = root;
	}
	return 0;
}

int cgroup_mounts_find_bases(struct cgroup_mounts *mounts, const char *lines, size_t len)
{
	_cleanup_(proc_cgroups_done) struct proc_cgroups own = { 0 };
	int r = proc_cgroups_parse(lines, len, &own);

	if (r < 0)
		return r;
	mounts->bases = calloc(own.n + 1, sizeof(*mounts->bases));
	if (!mounts->bases)
		return -ENOMEM;
	for (size_t i = 0; i < own.n; i++) {
		size_t up;
		const struct cgroup_mount *m = highest(mounts, own.v[i].hierarchy, &up);

		r = m ? find_one(m, up, own.v[i].path, &mounts->bases[mounts->n_bases]) : -ENOENT;
		if (r == -ENOMEM)
			return r;
		mounts->n_bases += r == 0;
	}
	return repair_roots(mounts);
}

int cgroup_mounts_repair(const struct cgroup_mounts *mounts, struct proc_cgroups *lines)
{
	size_t size = 1, pos = 0;
	char *text;

	if (!mounts->n_bases)
		return 0;
	for (size_t i = 0; i < lines->n; i++) {
		const struct cgroup_base *b = find_base(mounts, lines->v[i].hierarchy);

		size += strlen(lines->v[i].controllers) + strlen(lines->v[i].path) + (b ? strlen(b->path) : 0) + 4;
	}
	text = malloc(size);
	if (!text)
		return -ENOMEM;
	for (size_t i = 0; i < lines->n; i++) {
		struct proc_cgroup *line = &lines->v[i];
		const struct cgroup_base *b = find_base(mounts, line->hierarchy);
		_cleanup_free_ char *joined = NULL;

		if (b && cgroup_path_join(b->path, line->path, &joined) == -ENOMEM) {
			free(text);
			return -ENOMEM;
		}
		line->controllers = strcpy(text + pos, line->controllers);
		pos += strlen(line->controllers) + 1;
		line->path = strcpy(text + pos, joined ? joined : line->path);
		pos += strlen(line->path) + 1;
	}
	free(lines->text);
	lines->text = text;
	return 0;
}
