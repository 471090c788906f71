/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CGROUP_DIR_H
#define CTRACE_CGROUP_DIR_H
/* One cgroup directory, and the tree below it. */
#include <stdbool.h>
#include <stdint.h>

#include "ns/procfs.h"

#define CGROUP_DEPTH_MAX 128    /* of a walk; the kernel's own bound is cgroup.max.depth */

/*
 * The kernel's id of a cgroup: its file handle (name_to_handle_at(2), type
 * FILEID_KERNFS), which is the inode number on 64-bit kernels.
 */
int cgroup_dir_id(const char *dir, uint64_t *ret);

/*
 * Calls each directory of the tree, dir itself first, parents before children;
 * path is dir with what lies below. A negative result ends the walk and is
 * returned; a positive one leaves out what lies below. Directories that vanish
 * are passed over. -ENOENT when dir is not there, -ELOOP deeper than CGROUP_DEPTH_MAX.
 */
int cgroup_walk(const char *dir, int (*each)(int dir_fd, const char *path, void *data), void *data);

/* The tasks (threads) of one directory; numbers of the reader's pid namespace. Appends. */
int cgroup_tasks_read(int dir_fd, struct pid_list *list);

/* Its processes. -EOPNOTSUPP in a threaded cgroup. Appends. */
int cgroup_procs_read(int dir_fd, struct pid_list *list);

/* Whether the tree has a task. */
bool cgroup_is_populated(const char *dir);

#endif
