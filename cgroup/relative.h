/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CGROUP_RELATIVE_H
#define CTRACE_CGROUP_RELATIVE_H
/* Inside cgroup: paths that are relative to a cgroup namespace. */
#include "cgroup/mounts.h"

/*
 * Fills the bases of all hierarchies that are mounted from above our cgroup
 * namespace's root, and repairs the mounts' own roots. lines: our own
 * /proc/PID/cgroup.
 */
int cgroup_mounts_find_bases(struct cgroup_mounts *mounts, const char *lines, size_t len);

#endif
