/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CGROUP_OCI_H
#define CTRACE_CGROUP_OCI_H
/* What runc and crun share: one directory a container below --root, with one JSON file in it. */
#include "cgroup/state.h"

/* Calls each for ROOT/ID/file of every ID, and for ROOT/NAMESPACE/ID/file, where daemons keep several roots. */
int oci_list(struct runtime_env *env, const struct state_dir *dir, const char *file,
	     int (*each)(const char *id, json_t *state, struct container_entries *entries),
	     struct container_entries *entries);

#endif
