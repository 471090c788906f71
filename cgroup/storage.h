/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CGROUP_STORAGE_H
#define CTRACE_CGROUP_STORAGE_H
/*
 * containers-storage, which podman and CRI-O share:
 * ROOT/DRIVER-containers/{containers.json,volatile-containers.json}, and
 * RUNROOT/DRIVER-containers/ID/userdata/ for what ends with a boot.
 */
#include "cgroup/state.h"

struct storage_container {
	const char *id, *name;          /* name: NULL when it has none */
	json_t *metadata;               /* what the engine keeps: a JSON string in the file; NULL */
	const char *userdata;           /* below dir->root, RUNROOT/.../ID/userdata; NULL: the runroot is not known */
};

int storage_list(struct runtime_env *env, const struct state_dir *dir,
		 int (*each)(struct runtime_env *env, const struct state_dir *dir, const struct storage_container *c,
			     struct container_entries *entries),
		 struct container_entries *entries);

/* Whether the metadata is CRI-O's. */
bool storage_is_crio(json_t *metadata);

#endif
