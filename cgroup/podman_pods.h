/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CGROUP_PODMAN_PODS_H
#define CTRACE_CGROUP_PODMAN_PODS_H
/*
 * podman's pods: ROOT/libpod/bolt_state.db, where podman up to 4 (and a later
 * one that has such a file from before) keeps them. The database of later ones
 * is another; their pods are known by the socket.
 */
#include "cgroup/runtime.h"

/* Fills in the pods of the entries from first on, which dir tells of. 0 or -ENOMEM. */
int podman_pods_add(struct runtime_env *env, const struct state_dir *dir, struct container_entries *entries, size_t first);

#endif
