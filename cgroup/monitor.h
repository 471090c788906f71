/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CGROUP_MONITOR_H
#define CTRACE_CGROUP_MONITOR_H
/* Inside cgroup: runtimes without state files, whose monitors tell by their command lines what they watch over. */
#include "cgroup/state.h"
#include "ns/pidref.h"

/* The process that looked at the command line; args: each argument with its NUL. */
struct monitor_source {
	struct runtime_env *env;
	const char *root;
	pid_t pid, owner;
	const char *args;
	size_t len;
};

/* Whether a process of this name can be one. */
bool monitor_comm(const char *comm);

/* Notes the monitor, if it is one, and where its container's configuration is. 0 or -ENOMEM. */
int monitor_look(const struct monitor_source *s, const char *comm);

/* The first process of the monitor's container, by the number that the monitor knows it by. 0: none. *ret: in the host's procfs. */
pid_t monitor_init(struct runtime_env *env, const struct monitor *m, struct pidref *ret);

/* The monitor of that container. NULL: none runs. */
const struct monitor *monitor_find(const struct runtime_env *env, enum state_kind kind, const char *root, const char *path,
				   const char *name);

/*
 * Where the container lies, by its init's cgroup: up to the end of tail (whole
 * components; "": none), else to where the grammar finds one, else to what is
 * a systemd's in it. malloc'd; NULL where there is no telling.
 */
char *monitor_cgroup_path(struct runtime_env *env, pid_t host_pid, const char *tail);

/* Of a container that has a monitor, its init and its place, as monitor_cgroup_path() finds it; with none (NULL) it is stopped. */
void monitor_add_init(struct runtime_env *env, const struct monitor *m, const char *tail, struct container_entry *e);

void monitors_done(struct monitors *monitors);

#endif
