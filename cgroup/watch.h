/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CGROUP_WATCH_H
#define CTRACE_CGROUP_WATCH_H
/*
 * Tells when the runtimes' state files have changed in a way that matters for
 * names: a container was created, or one was given another name soon after.
 * By inotify(7), and by a slow look for directories that are not there yet.
 */
#include "cgroup/runtime.h"

struct runtime_watch;

/* env must outlive it; directories that are added to it later are watched too, see runtime_watch_take(). */
int runtime_watch_open(struct runtime_env *env, struct runtime_watch **ret_watch);
void runtime_watch_free(struct runtime_watch *w);

/* Readable when there is something to take, and WATCH_POLL_MS after the last time. */
#define WATCH_POLL_MS 250
int runtime_watch_fd(const struct runtime_watch *w);

/* Takes what has happened and looks for new directories. 1: read the state again; 0; or a negative errno. */
int runtime_watch_take(struct runtime_watch *w);

#endif
