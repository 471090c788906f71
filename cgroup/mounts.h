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

#include "ns/procfs.h"

enum cgroup_mode { CGROUP_MODE_NONE, CGROUP_MODE_V1, CGROUP_MODE_HYBRID, CGROUP_MODE_V2 };

struct cgroup_mount {
	char *dir;              /* where we reach it; with the prefix */
	char *root;             /* what of the hierarchy is mounted: field 4 of mountinfo, repaired */
	char *options;          /* of the superblock: "rw,memory" */
	dev_t dev;
	bool v2;
	uint32_t hierarchy;     /* 0: v2 */
	bool known;             /* hierarchy is (a v1 mount whose controllers no line names is not) */
};

/*
 * Where the reader's cgroup namespace is rooted, below what is mounted here of
 * the hierarchy. Only of hierarchies that are mounted from above that root
 * ("/.." in mountinfo): paths that are shown relative to it are repaired by this.
 */
struct cgroup_base {
	uint32_t hierarchy;
	char *path;             /* "/docker/9c6eb..." */
};

struct cgroup_mounts {
	struct cgroup_mount *v;
	size_t n;
	struct cgroup_base *bases;
	size_t n_bases;
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

/*
 * The absolute path of one that is relative to the base: "/../web" in
 * "/docker/9c6eb..." is "/docker/web". -ENOENT when it leads out of it. malloc'd.
 */
int cgroup_path_join(const char *base, const char *path, char **ret);

/* The path of the cgroup so many levels above, as the same reader sees it: above "/" lies "/..". malloc'd. */
int cgroup_path_above(const char *path, unsigned levels, char **ret);

/* Makes the paths that the kernel shows relative to our cgroup namespace whole, as far as mounts tell. */
int cgroup_mounts_repair(const struct cgroup_mounts *mounts, struct proc_cgroups *lines);

/* Whether path is outer, or lies below it; both as the same reader sees them ("/.." at the front included). */
bool cgroup_path_within(const char *path, const char *outer);

enum cgroup_mode cgroup_mounts_mode(const struct cgroup_mounts *mounts);

/* The first mount of a hierarchy that shows the path; NULL. path as in /proc/PID/cgroup. */
const struct cgroup_mount *cgroup_mounts_find(const struct cgroup_mounts *mounts, uint32_t hierarchy, const char *path);

/* The directory of a cgroup; -ENOENT when no mount shows it. The directory itself may not exist. */
int cgroup_mounts_dir(const struct cgroup_mounts *mounts, uint32_t hierarchy, const char *path, char **ret_dir);

/* The way back: the path, as in /proc/PID/cgroup, of a directory that cgroup_mounts_dir() gave. */
int cgroup_mounts_path(const struct cgroup_mounts *mounts, uint32_t hierarchy, const char *dir, char **ret_path);

/* To which hierarchy a directory of any cgroup mount belongs; -ENOTSUP for other file systems. */
int cgroup_mounts_hierarchy(const struct cgroup_mounts *mounts, const char *dir, uint32_t *ret);

/* Whether a controller is in a list divided by commas: that of a line of /proc/PID/cgroup, or a mount's options. */
bool cgroup_has_controller(const char *list, const char *name);

#endif
