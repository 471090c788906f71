/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TARGET_TARGET_H
#define CTRACE_TARGET_TARGET_H
/*
 * Targets: from what the user names to what the kernel side selects by, and
 * the readings of the host's /proc that audit it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum target_kind { TARGET_CONTAINER, TARGET_CGROUP, TARGET_PROCESS, TARGET_THREAD, TARGET_ALL, TARGET_COMMAND };

/* As the user wrote it. */
struct target_spec {
	enum target_kind kind;
	char *arg;                      /* container, cgroup path; owned */
	pid_t pid;                      /* process, thread, command */
};

/* The host, as ctrace sees it: the mounts it reads. */
struct target_env {
	int proc_fd;                    /* the host's /proc, a directory */
	char *proc_path;
	char *cgroupfs_path;            /* the host's cgroup mount point, e.g. /sys/fs/cgroup */
	char *root_prefix;              /* before the paths of state files: "" or /host/proc/1/root */
	uint32_t pidns_inum;            /* the pid namespace that this /proc is numbered in */
};

/* proc, cgroupfs: --proc and --cgroupfs, NULL for the defaults. 0 or negative errno. */
int target_env_open(const char *proc, const char *cgroupfs, struct target_env *ret_env);
void target_env_done(struct target_env *env);

/* A cgroup that is, with all below it, the target: on ONE hierarchy. */
struct cgroup_selector {
	uint32_t hierarchy_id;          /* field 1 of /proc/PID/cgroup; 0: the v2 hierarchy */
	uint64_t id;                    /* inode of the directory = the kernel's cgroup id */
	char *path;                     /* the directory, absolute, in the host's cgroup mount */
};

struct container_info {
	char *id;                       /* full */
	char *name, *runtime, *image;   /* NULL: not known */
	char *pod_namespace, *pod, *pod_uid, *pod_container;
};

struct target {
	enum target_kind kind;
	char *label;                    /* short, for the output: the container's name or 12 digits of its ID, the cgroup's last component, the pid */
	struct container_info *container;       /* NULL for others */
	struct cgroup_selector *cgroups;        /* cgroup targets; more than one only if several directories carry the ID */
	size_t n_cgroups;
	pid_t init_pid;                 /* host number of the container's init; 0: none */
	uint64_t init_start;            /* field 22 of its stat */
	uint32_t pidns_inum;            /* pid namespace of the target's init, else of the caller */
	pid_t pid;                      /* process targets: number in env's /proc */
	unsigned n_tasks;               /* at the time of resolving */
};

struct target_list {
	struct target *v;
	size_t n;
};

void target_list_done(struct target_list *list);

/*
 * Resolves what the user named. Errors are told one by one through report
 * (one line without newline, already safe for a terminal); what resolved is in
 * the list all the same. Returns the number of failures, or a negative errno.
 */
int targets_resolve(const struct target_env *env, const struct target_spec *specs, size_t n,
		    void (*report)(const char *line, void *data), void *data, struct target_list *ret_list);

/* One task as a reading of /proc or of a cgroup finds it; host numbers. */
struct task_ref {
	pid_t tid, tgid;
};

struct task_refs {
	struct task_ref *v;             /* sorted by tid, each once */
	size_t n, allocated;
};

void task_refs_done(struct task_refs *refs);

/*
 * Reads the target's tasks: cgroup.threads (v1: tasks) of the whole subtree,
 * or /proc/PID/task and its descendants to any depth. Tasks that vanish while
 * it reads are no error. Zombies are left out. 0 or a negative errno (-ENOENT: the target is gone).
 */
int target_read_tasks(const struct target_env *env, const struct target *t, struct task_refs *ret_refs);

/* Whether the cgroup directory of the target is still there; true for targets without one. */
bool target_exists(const struct target *t);

#endif
