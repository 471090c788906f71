/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cgroup/mounts.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include "cgroup/relative.h"
#include "ns/array.h"
#include "util/macros.h"

#define MOUNTINFO_MAX (64u << 20)       /* nodes have had 100,000 mounts */
#define CGROUP_LINES_MAX (256u << 10)

static void mount_done(struct cgroup_mount *m)
{
	free(m->dir);
	free(m->root);
	free(m->options);
	*m = (struct cgroup_mount){ 0 };
}

void cgroup_mounts_done(struct cgroup_mounts *mounts)
{
	for (size_t i = 0; i < mounts->n; i++)
		mount_done(&mounts->v[i]);
	free(mounts->v);
	for (size_t i = 0; i < mounts->n_bases; i++)
		free(mounts->bases[i].path);
	free(mounts->bases);
	*mounts = (struct cgroup_mounts){ 0 };
}

/* Undoes the octal escapes of mountinfo (\040 for a blank), in place. */
static void unescape(char *s)
{
	char *to = s;

	while (*s) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' && s[3] >= '0' && s[3] <= '7') {
			*to++ = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
			s += 4;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
}

/* ID PARENT MAJ:MIN ROOT MOUNTPOINT OPTIONS [TAG...] - FSTYPE SOURCE SUPEROPTIONS; 1: a cgroup mount */
static int mount_line(char *line, const char *prefix, struct cgroup_mount *ret)
{
	_cleanup_(mount_done) struct cgroup_mount m = { 0 };
	char *field[6], *save = NULL, *type, *dash;
	unsigned major, minor;
	char end;

	dash = strstr(line, " - ");
	if (!dash)
		return 0;
	*dash = '\0';
	type = strtok_r(dash + 3, " ", &save);
	if (!type || (strcmp(type, "cgroup") && strcmp(type, "cgroup2")))
		return 0;
	m.v2 = !strcmp(type, "cgroup2");
	if (!strtok_r(NULL, " ", &save))
		return 0;
	type = strtok_r(NULL, " ", &save);
	m.options = strdup(type ? type : "");
	save = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(field); i++) {
		field[i] = strtok_r(i ? NULL : line, " ", &save);
		if (!field[i])
			return 0;
	}
	if (sscanf(field[2], "%u:%u%c", &major, &minor, &end) != 2 || field[3][0] != '/' || field[4][0] != '/')
		return 0;
	m.dev = makedev(major, minor);
	unescape(field[3]);
	unescape(field[4]);
	m.root = strdup(field[3]);
	if (!m.options || !m.root || asprintf(&m.dir, "%s%s", prefix, field[4]) < 0)
		return -ENOMEM;
	*ret = m;
	m = (struct cgroup_mount){ 0 };
	return 1;
}

static bool has_option(const char *options, const char *name, size_t len)
{
	while (*options) {
		size_t n = strcspn(options, ",");

		if (n == len && !memcmp(options, name, n))
			return true;
		options += n + (options[n] == ',');
	}
	return false;
}

bool cgroup_has_controller(const char *list, const char *name)
{
	return has_option(list, name, strlen(name));
}

/* Whether each of the controllers ("cpu,cpuacct", "name=systemd") is among the options. */
static bool has_controllers(const char *options, const char *controllers)
{
	if (!*controllers)
		return false;
	while (*controllers) {
		size_t n = strcspn(controllers, ",");

		if (!has_option(options, controllers, n))
			return false;
		controllers += n + (controllers[n] == ',');
	}
	return true;
}

static void number_hierarchy(struct cgroup_mount *m, const struct proc_cgroups *lines)
{
	m->known = m->v2;
	for (size_t i = 0; i < lines->n && !m->known; i++) {
		if (!lines->v[i].hierarchy || !has_controllers(m->options, lines->v[i].controllers))
			continue;
		m->hierarchy = lines->v[i].hierarchy;
		m->known = true;
	}
}

static bool is_mounted_over(const struct cgroup_mount *m)
{
	struct stat st;

	return stat(m->dir, &st) < 0 || st.st_dev != m->dev;
}

int cgroup_mounts_parse(const char *mountinfo, size_t len, const char *cgroup_lines, size_t cgroup_len,
			const char *prefix, bool check, struct cgroup_mounts *ret)
{
	_cleanup_(cgroup_mounts_done) struct cgroup_mounts mounts = { 0 };
	_cleanup_(proc_cgroups_done) struct proc_cgroups lines = { 0 };
	size_t allocated = 0;
	int r;

	r = proc_cgroups_parse(cgroup_lines, cgroup_len, &lines);
	if (r < 0)
		return r;
	for (size_t pos = 0; pos < len;) {
		const char *nl = memchr(mountinfo + pos, '\n', len - pos);
		size_t n = nl ? (size_t)(nl - (mountinfo + pos)) : len - pos;
		_cleanup_free_ char *line = strndup(mountinfo + pos, n);

		pos += n + 1;
		if (!line || ARRAY_RESERVE(mounts.v, allocated, mounts.n + 1) < 0)
			return -ENOMEM;
		r = mount_line(line, prefix, &mounts.v[mounts.n]);
		if (r < 0)
			return r;
		if (r == 0)
			continue;
		if (check && is_mounted_over(&mounts.v[mounts.n])) {
			mount_done(&mounts.v[mounts.n]);
			continue;
		}
		number_hierarchy(&mounts.v[mounts.n++], &lines);
	}
	*ret = mounts;
	mounts = (struct cgroup_mounts){ 0 };
	return 0;
}

static bool is_below(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	while (n && dir[n - 1] == '/')
		n--;
	return !strncmp(path, dir, n) && (path[n] == '/' || !path[n]);
}

static void below_first(struct cgroup_mounts *mounts, const char *dir)
{
	size_t front = 0;

	for (size_t i = 0; i < mounts->n; i++) {
		struct cgroup_mount m = mounts->v[i];

		if (!is_below(m.dir, dir))
			continue;
		memmove(&mounts->v[front + 1], &mounts->v[front], (i - front) * sizeof(m));
		mounts->v[front++] = m;
	}
}

int cgroup_mounts_read(int proc_fd, const char *prefix, const char *below_dir, struct cgroup_mounts *ret)
{
	bool through_root = *prefix && is_below(below_dir, prefix);
	_cleanup_free_ char *info = NULL, *lines = NULL;
	size_t info_len, lines_len;
	int r;

	/*
	 * self in the host's procfs is us, by our number there. Through another
	 * process's root its mounts are seen, not ours.
	 */
	r = proc_read_file(proc_fd, through_root ? "1/mountinfo" : "self/mountinfo", MOUNTINFO_MAX, &info, &info_len);
	if (r < 0)
		return r;
	r = proc_read_file(proc_fd, "self/cgroup", CGROUP_LINES_MAX, &lines, &lines_len);
	if (r == -ESRCH)
		r = proc_read_file(proc_fd, "1/cgroup", CGROUP_LINES_MAX, &lines, &lines_len);
	if (r < 0)
		return r;
	r = cgroup_mounts_parse(info, info_len, lines, lines_len, through_root ? prefix : "", true, ret);
	if (r < 0)
		return r;
	below_first(ret, below_dir);
	r = cgroup_mounts_find_bases(ret, lines, lines_len);
	if (r < 0)
		cgroup_mounts_done(ret);
	return r;
}

enum cgroup_mode cgroup_mounts_mode(const struct cgroup_mounts *mounts)
{
	bool v1 = false, v2 = false;

	for (size_t i = 0; i < mounts->n; i++) {
		v2 |= mounts->v[i].v2;
		v1 |= !mounts->v[i].v2;
	}
	if (v2)
		return v1 ? CGROUP_MODE_HYBRID : CGROUP_MODE_V2;
	return v1 ? CGROUP_MODE_V1 : CGROUP_MODE_NONE;
}

/* The part of path below the mount's root; NULL when the mount does not show it. */
static const char *below_root(const struct cgroup_mount *m, const char *path)
{
	size_t n = strlen(m->root);

	if (!strcmp(m->root, "/"))
		return path;
	if (strncmp(path, m->root, n) || (path[n] && path[n] != '/'))
		return NULL;
	return path + n;
}

const struct cgroup_mount *cgroup_mounts_find(const struct cgroup_mounts *mounts, uint32_t hierarchy, const char *path)
{
	if (!strncmp(path, "/..", 3))
		return NULL;
	for (size_t i = 0; i < mounts->n; i++)
		if (mounts->v[i].known && mounts->v[i].hierarchy == hierarchy && below_root(&mounts->v[i], path))
			return &mounts->v[i];
	return NULL;
}

int cgroup_mounts_dir(const struct cgroup_mounts *mounts, uint32_t hierarchy, const char *path, char **ret_dir)
{
	const struct cgroup_mount *m = cgroup_mounts_find(mounts, hierarchy, path);
	const char *rest;

	if (!m)
		return -ENOENT;
	rest = below_root(m, path);
	if (!strcmp(rest, "/"))
		rest = "";
	return asprintf(ret_dir, "%s%s", m->dir, rest) < 0 ? -ENOMEM : 0;
}

int cgroup_mounts_hierarchy(const struct cgroup_mounts *mounts, const char *dir, uint32_t *ret)
{
	struct statfs fs;
	struct stat st;

	if (statfs(dir, &fs) < 0 || stat(dir, &st) < 0)
		return -errno;
	if (fs.f_type == CGROUP2_SUPER_MAGIC) {
		*ret = 0;
		return 0;
	}
	if (fs.f_type != CGROUP_SUPER_MAGIC)
		return -ENOTSUP;
	for (size_t i = 0; i < mounts->n; i++) {
		if (mounts->v[i].dev != st.st_dev || !mounts->v[i].known)
			continue;
		*ret = mounts->v[i].hierarchy;
		return 0;
	}
	return -ENOTSUP;
}

int cgroup_mounts_path(const struct cgroup_mounts *mounts, uint32_t hierarchy, const char *dir, char **ret_path)
{
	for (size_t i = 0; i < mounts->n; i++) {
		const struct cgroup_mount *m = &mounts->v[i];
		const char *rest = dir + strlen(m->dir), *root = strcmp(m->root, "/") ? m->root : "";

		if (!m->known || m->hierarchy != hierarchy || !is_below(dir, m->dir))
			continue;
		if (!*rest && !*root)
			rest = "/";
		return asprintf(ret_path, "%s%s", root, rest) < 0 ? -ENOMEM : 0;
	}
	return -ENOENT;
}
