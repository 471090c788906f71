/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CGROUP_MOUNTS_H
#define CTRACE_CGROUP_MOUNTS_H
/*
 * The cgroup hierarchies and where they are mounted. A container has another
 * path in each v1 hierarchy, and the same inode can stand for different cgroups
 * in two of them: so everything here names its hierarchy.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum cgroup_mode { CGROUP_MODE_NONE, CGROUP_MODE_V1, CGROUP_MODE_HYBRID, CGROUP_MODE_V2 };

struct cgroup_mount {
	char *dir;              /* where we reach it; with the prefix */
	char *root;             /* what of the hierarchy is mounted: field 4 of mountinfo */
	char *options;          /* of the superblock: "rw,memory" */
	dev_t dev;
	bool v2;
	uint32_t hierarchy;     /* 0: v2 */
	bool known;             /* hierarchy is (a v1 mount whose controllers no line names is not) */
};

struct cgroup_mounts {
	struct cgroup_mount *v;
	size_t n;
};

/*
 * The cgroup mounts that a mountinfo file (proc(5)) tells of, with prefix put
 * before the mount points. Numbers of v1 hierarchies come from the lines of a
 * /proc/PID/cgroup file. check: leave out what is mounted over (its directory
 * has another device).
 */
int cgroup_mounts_parse(const char *mountinfo, size_t len, const char *cgroup_lines, size_t cgroup_len,
			const char *prefix, bool check, struct cgroup_mounts *ret);

/*
 * Those of the host: below_dir is its cgroup mount point as we reach it (with
 * prefix, when it is reached through another process's root). Mounts below it
 * come first. proc_fd: the host's procfs.
 */
int cgroup_mounts_read(int proc_fd, const char *prefix, const char *below_dir, struct cgroup_mounts *ret);
void cgroup_mounts_done(struct cgroup_mounts *mounts);

enum cgroup_mode cgroup_mounts_mode(const struct cgroup_mounts *mounts);

/* The first mount of a hierarchy that shows the path; NULL. path as in /proc/PID/cgroup. */
const struct cgroup_mount *cgroup_mounts_find(const struct cgroup_mounts *mounts, uint32_t hierarchy, const char *path);

/* The directory of a cgroup; -ENOENT when no mount shows it. The directory itself may not exist. */
int cgroup_mounts_dir(const struct cgroup_mounts *mounts, uint32_t hierarchy, const char *path, char **ret_dir);

/* The way back: the path, as in /proc/PID/cgroup, of a directory that cgroup_mounts_dir() gave. */
int cgroup_mounts_path(const struct cgroup_mounts *mounts, uint32_t hierarchy, const char *dir, char **ret_path);

/* To which hierarchy a directory of any cgroup mount belongs; -ENOTSUP for other file systems. */
int cgroup_mounts_hierarchy(const struct cgroup_mounts *mounts, const char *dir, uint32_t *ret);

#endif
