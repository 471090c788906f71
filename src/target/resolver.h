/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TARGET_RESOLVER_H
#define CTRACE_TARGET_RESOLVER_H
/* Inside src/target: what resolving several targets shares. */
#include "cgroup/mounts.h"
#include "cgroup/runtime.h"
#include "ns/pidref.h"
#include "ns/procfs.h"
#include "target/target.h"
#include "util/strbuf.h"

/* A directory whose name is that of a container, as a walk of the hierarchies finds it. */
struct found_cgroup {
	char *id, *dir;
	const char *runtime;            /* "": not told by the name */
	uint32_t hierarchy;
	unsigned rank;                  /* of the hierarchy: the least is the best to trace by */
	size_t begin;                   /* in dir: where what the grammar matched begins */
};

struct found_cgroups {
	struct found_cgroup *v;
	size_t n, allocated;
};

struct resolver {
	const struct target_env *env;
	void (*report)(const char *line, void *data);
	void *data;
	struct cgroup_mounts mounts;
	struct runtime_env runtimes;    /* opened with the entries */
	struct container_entries entries;
	struct found_cgroups found;
	bool have_mounts, have_runtimes, have_found, have_found_entries;
};

/* Reads on demand, once. 0 or a negative errno. */
int resolver_need_mounts(struct resolver *r);
int resolver_need_entries(struct resolver *r);
/* Walks the hierarchies. */
int resolver_need_found(struct resolver *r);
/* And makes entries of the containers that no runtime knows: pointers to entries end here. */
int resolver_need_found_entries(struct resolver *r);
void resolver_done(struct resolver *r);

/* Tells a failure; the buffer is emptied. Everything in it must be safe for a terminal. */
void resolver_fail(struct resolver *r, struct strbuf *line);

/* Text of others, made safe. Takes NULL. */
void line_text(struct strbuf *line, const char *text);

/*
 * One spec each: 0 with *ret filled, 1 when it was reported that it cannot be
 * resolved, or a negative errno.
 */
int resolve_container(struct resolver *r, const char *arg, struct target *ret);
int resolve_cgroup(struct resolver *r, const char *arg, struct target *ret);
int resolve_process(struct resolver *r, const struct target_spec *spec, struct target *ret);

void target_done(struct target *t);

/* A cgroup directory as a selector. -ENOENT. Owns a copy of dir. */
int target_add_cgroup(struct target *t, uint32_t hierarchy, const char *dir);

/* Where a container lies (locate.c). */

/* The caller's number of a process to that in the env's /proc. -ESRCH. */
int resolver_translate_pid(struct resolver *r, pid_t pid, pid_t *ret);

/* How well the hierarchy of such a line or mount serves: 0 v2, 1 memory, 2 pids, 3 other controllers, 4 named. */
unsigned hierarchy_rank(uint32_t hierarchy, const char *controllers);
unsigned resolver_mount_rank(const struct cgroup_mount *m);

/* The length of the path up to where the entry's container ends; 0: the path is not in it. */
size_t entry_path_end(const struct container_entry *e, const char *path);

/*
 * Fills cgroups, init_pid, init_start, pidns_inum and n_tasks of the target
 * for the container. -ESRCH: it does not run; -ENOENT: it runs without a
 * cgroup of its own.
 */
int locate_entry(struct resolver *r, const struct container_entry *e, struct target *ret);

/* Of a container's process, in which cgroup it is: adds the selector. -ENOENT. */
int locate_by_lines(struct resolver *r, const struct proc_cgroups *lines, const struct container_entry *e,
		    struct target *ret);

/* Finds the container's first process among those in the cgroups, and what is known by it. */
void locate_init(struct resolver *r, struct target *t);

/* The cgroup lines of a process that may be a zombie with living threads. */
int read_live_cgroups(int proc_fd, pid_t pid, struct proc_cgroups *ret);

#endif
