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
	size_t root;                    /* in dir: where the path below the hierarchy's root begins */
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
	bool have_mounts, have_runtimes, have_found, have_found_entries, have_asked;
	bool wait;                      /* --wait: what is not there is a target that is waiting */
	bool state_only;                /* by the runtimes' files alone, without a walk through the cgroups */
	bool no_daemons;                /* nothing is asked over sockets: tracing has begun */
};

/* Reads on demand, once. 0 or a negative errno. */
int resolver_need_mounts(struct resolver *r);
int resolver_need_entries(struct resolver *r);
/* Walks the hierarchies. */
int resolver_need_found(struct resolver *r);
/* And makes entries of the containers that no runtime knows: pointers to entries end here. */
int resolver_need_found_entries(struct resolver *r);
/* Asks the daemons for what the files do not tell, the first time. 1: it was done now, and pointers to entries end; 0; or a negative errno. */
int resolver_ask_daemons(struct resolver *r);
/* The same, if the container's name, or the pod that it is in, is not known. path: its cgroup; NULL. */
int resolver_ask_about(struct resolver *r, const struct container_entry *e, const char *path);
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
int resolve_one(struct resolver *r, const struct target_spec *spec, struct target *ret);

void container_info_free(struct container_info *c);

/* The same target, named otherwise. */
bool target_list_has(const struct target_list *list, const struct target *t);

/* The containers of a pod, each as a spec (pod.c). 0, 1 when it was reported that there are none, or a negative errno. */
int expand_pod(struct resolver *r, const char *arg, struct target_spec **specs, size_t *n);
/* The same for the containers of all pods that have these labels. */
int expand_selector(struct resolver *r, const char *arg, struct target_spec **specs, size_t *n);

/* --cgroup: one line that says why not. 1. */
int cgroup_failed(struct resolver *r, const char *arg, int err);

/* A cgroup directory as a selector. -ENOENT. Owns a copy of dir. */
int target_add_cgroup(struct target *t, uint32_t hierarchy, const char *dir);

/* One whose id is known; dir need not be there any more. */
int target_add_selector(struct target *t, uint32_t hierarchy, uint64_t id, const char *dir);

/* What is waited for (wanted.c). */

/* One that is waiting, since nothing was found: 0 with *ret filled, 1 when it was reported, or a negative errno. */
int wait_for_container(struct resolver *r, const char *arg, struct target *ret);
int wait_for_cgroup(struct resolver *r, const char *arg, struct target *ret);

/* Fills wanted[] by the spec; 1 when it is another than before, 0, or a negative errno. */
int wanted_update(struct resolver *r, struct target *t);
/* Fills wanted_hierarchies[]. */
int wanted_hierarchies(struct resolver *r, struct target *t);
/* Which of the IDs that the spec may stand for the path carries. malloc'd; NULL: none, or no memory. */
char *wanted_id_in(struct resolver *r, const struct target *t, const char *path);

/* Where a container lies (locate.c). */

/* Whether the process that the runtime names for it runs, in its cgroup. */
bool entry_process_runs(struct resolver *r, const struct container_entry *e);

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
/* The same; of what runs on another kernel, and may have no cgroup of its own, its process alone will do. */
int locate_wherever(struct resolver *r, const struct container_entry *e, struct target *ret);

/* Whether the entry's process is there, which is all that there is of a container on another kernel; fills in init_pid. */
bool entry_process_lives(struct resolver *r, const struct container_entry *e, struct target *ret);

/* Of a container's process, in which cgroup it is: adds the selector. -ENOENT. */
int locate_by_lines(struct resolver *r, const struct proc_cgroups *lines, const struct container_entry *e,
		    struct target *ret);

/* The cgroup lines of a process that may be a zombie with living threads, repaired as far as mounts tell. */
int read_live_cgroups(struct resolver *r, pid_t pid, struct proc_cgroups *ret);

/* Where the last container's name in a cgroup's path begins, which can have several components; else its last component (nested.c). */
size_t cgroup_last_begin(const char *path);
/* Whether what begins there in a cgroup's path lies in a container (nested.c). */
bool cgroup_is_nested(const struct resolver *r, const char *path, size_t begin);
/* Where that container's own path ends; 0: in none. */
size_t cgroup_outer_end(const struct resolver *r, const char *path, size_t begin);

/*
 * Of a directory in a container that bears another container's name, which no
 * runtime knows: whether it is no more than a name, since nothing in it was
 * put into mounts of its own there. path: that of dir, from its hierarchy's
 * root; begin: where the name begins in that. False also if it is in none.
 */
bool cgroup_is_faked(struct resolver *r, uint32_t hierarchy, const char *dir, const char *path, size_t begin);

/* What only the kernel can tell (place.c). */

/* Whether the lines are relative to a cgroup namespace, or of what no mount here shows. */
bool lines_are_hidden(struct resolver *r, const struct proc_cgroups *lines);

/* A target whose container is that of the process, by the kernel. e: what a runtime says of it; NULL. */
int place_later(struct resolver *r, pid_t pid, const struct container_entry *e, struct target *ret);

/* The init of a process's pid namespace, up its chain of parents; the process itself when that is broken. */
pid_t namespace_init(const struct target_env *env, pid_t pid);

/* Of the tasks that are the target's: a container's init, how many there are, and the namespace that they are shown in. */
void locate_tasks(const struct target_env *env, struct target *t);

/* Whether env's /proc numbers tasks as we do. */
bool target_env_is_ours(const struct target_env *env);

/* The label and what the output tells of a container, once its cgroups are there. */
int target_fill_container(struct target *t, const struct container_entry *e);

/* Whether the name is that of a systemd unit: a service in namespaces of its own is no container. */
bool is_unit(const char *name);

#endif
