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

/* TARGET_POD and TARGET_PODS are of specs alone: what they resolve to are containers. */
enum target_kind {
	TARGET_CONTAINER, TARGET_CGROUP, TARGET_PROCESS, TARGET_THREAD, TARGET_ALL, TARGET_COMMAND,
	TARGET_POD,                     /* by name */
	TARGET_PODS,                    /* by labels: arg is a selector that selector_parse() takes */
};

/* As the user wrote it. */
struct target_spec {
	enum target_kind kind;
	char *arg;                      /* container, pod, cgroup path; owned */
	pid_t pid;                      /* process, thread, command */
};

/* The host, as ctrace sees it: the mounts it reads. */
struct target_env {
	int proc_fd;                    /* the host's /proc, a directory; it keeps the pid namespace, whose inode is not given out again */
	char *proc_path;
	char *cgroupfs_path;            /* the host's cgroup mount point, e.g. /sys/fs/cgroup */
	char *root_prefix;              /* before the paths of state files: "" or /host/proc/1/root */
	uint32_t pidns_inum;            /* the pid namespace that this /proc is numbered in */
};

/* proc, cgroupfs: --proc and --cgroupfs, NULL for the defaults. 0 or negative errno. */
int target_env_open(const char *proc, const char *cgroupfs, struct target_env *ret_env);
void target_env_done(struct target_env *env);

/*
 * Whether ctrace was put into another's pid namespace, as "kubectl debug
 * --target" does: its pid 1 is not the machine's, and has other mounts than
 * ctrace, or a cgroup that lies elsewhere.
 */
bool target_pid1_is_foreign(void);

/* A cgroup that is, with all below it, the target: on ONE hierarchy. */
struct cgroup_selector {
	uint32_t hierarchy_id;          /* field 1 of /proc/PID/cgroup; 0: the v2 hierarchy */
	uint64_t id;                    /* inode of the directory = the kernel's cgroup id */
	char *path;                     /* the directory, absolute, in the host's cgroup mount; by_kernel: below the root of its hierarchy */
	char *shown_path;               /* by_kernel: as /proc/PID/cgroup shows it to us; else NULL */
};

/* How many digits of an ID tell enough: twelve of a random one, as docker ps prints them; else all of it. */
size_t container_short_id(const char *id);

struct container_info {
	char *id;                       /* full */
	char *name, *runtime, *image;   /* NULL: not known */
	const char *kernel;             /* not this one but "gVisor", "Kata": nothing can be traced; NULL; not owned */
	char *pod_namespace, *pod, *pod_uid, *pod_container;
	char *pod_kind;                 /* "init", "container", "ephemeral" */
};

/*
 * --wait, --follow-restarts: a directory that is the target's when it is made.
 * The kernel side knows it by its key at the moment of its making.
 */
#define WANTED_KEY_MAX 255
struct wanted_cgroup {
	/*
	 * "NAME": the directory's own name; "PARENT/NAME": with that of the directory
	 * around it; ":ID" (65 bytes): a name that ends so; "/a/b": the whole path below the root of its hierarchy.
	 */
	char key[WANTED_KEY_MAX + 1];
	bool refused;                   /* "PARENT/NAME" of a directory that is not the target's, though another key is its name */
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
	struct target_spec spec;        /* a copy: what the user wrote */
	/*
	 * A seat: one of the targets in reserve for the containers that these pods get while ctrace runs. arg NULL: none.
	 * Vacant while spec.arg is NULL; else spec is that of its container.
	 */
	struct target_spec pods;
	bool waiting;                   /* it is not there now: no cgroups, no init */
	struct wanted_cgroup *wanted;   /* owned; none: it is not waited for */
	size_t n_wanted;
	uint32_t wanted_hierarchies[4]; /* where such directories count: those that a found target would be traced by */
	size_t n_wanted_hierarchies;
	/*
	 * Neither its cgroup's directory nor its whole path can be seen from here: the
	 * kernel is asked for the cgroups of place_pid (in env's /proc) before anything
	 * is attached, on the hierarchies in wanted_hierarchies, and target_place() chooses.
	 */
	bool by_kernel;
	pid_t place_pid;
	char *place_path;               /* where the runtime says that the container is; NULL */
};

struct target_list {
	struct target *v;
	size_t n;
};

static inline bool target_is_vacant(const struct target *t)
{
	return t->pods.arg && !t->spec.arg;
}

void target_list_done(struct target_list *list);

/*
 * Resolves what the user named. Errors are told one by one through report
 * (one line without newline, already safe for a terminal); what resolved is in
 * the list all the same. Returns the number of failures, or a negative errno.
 */
/*
 * wait: containers and cgroups that are not there are no failure but targets that are waiting, with their wanted[]
 * (empty while no ID is known); for pods there are seats (struct target, pods), vacant or not. follow: those that are there get their wanted[] too.
 */
int targets_resolve(const struct target_env *env, const struct target_spec *specs, size_t n, bool wait, bool follow,
		    void (*report)(const char *line, void *data), void *data, struct target_list *ret_list);

/*
 * Every container that runs on the host, as targets sorted by runtime, pod and name; pods' sandboxes are left out.
 * 0 or a negative errno.
 */
struct list_doubts {
	bool denied;                    /* some runtimes' files could not be read for lack of permission */
	char *daemon;                   /* a daemon that was to be asked for names and did not tell, with the reason, in bytes of others; owned; NULL */
	const char *remote;             /* DOCKER_HOST or the like, which names a daemon that may be elsewhere; NULL */
};

void list_doubts_done(struct list_doubts *d);
int containers_list(const struct target_env *env, struct target_list *ret, struct list_doubts *ret_doubts);

/*
 * The container that a process is in, by its number in env's /proc; ret_inside: its number in the container, 0: it
 * has none there. 0, 1 when it was reported that there is none, or a negative errno. target_done() ends it.
 */
int container_of_pid(const struct target_env *env, pid_t pid, void (*report)(const char *line, void *data), void *data,
		     struct target *ret, pid_t *ret_inside);
void target_done(struct target *t);

/* One task as a reading of /proc or of a cgroup finds it; host numbers. */
struct task_ref {
	pid_t tid, tgid;                /* tgid 0: not read yet, see target_list_tasks() */
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

/*
 * The same, and no more is read of a task than that it is listed: where a cgroup lists them their tgid is 0, and zombies
 * are among them. A file of /proc for each is 20 us, which for 10,000 tasks is more than all the rest of a start.
 */
int target_list_tasks(const struct target_env *env, const struct target *t, struct task_refs *ret_refs);
/* Of one that was listed: its tgid. False: it has ended. */
bool task_ref_lives(const struct target_env *env, struct task_ref *ref);

/*
 * Waiting (waiter.c). A waiter looks at what the runtimes' state files say of containers that are waited for by name:
 * they tell the ID when a container is created, before it is started.
 */
struct waiter;

/* targets: that seats do not stand for those of others; they stay where they are as long as the waiter. */
int waiter_open(const struct target_env *env, const struct target_list *targets, struct waiter **ret_waiter);
/* Containers of pods that came when all seats were taken: they are not traced. */
size_t waiter_unseated(struct waiter *w);
void waiter_free(struct waiter *w);
/* Readable when something may have changed; the next waiter_update() makes it rest. */
int waiter_fd(const struct waiter *w);
/*
 * Looks for the target again by t->spec: 1 when t->wanted (and t->container, t->label) became another, 0 when
 * not, or a negative errno. Cheap when nothing changed.
 */
int waiter_update(struct waiter *w, struct target *t);
/*
 * Whether the target is there now, started before it was wanted: 1 with t->cgroups, t->init_pid and what else
 * targets_resolve() gives filled in; 0; or a negative errno. Looks the first time, when the target has other keys,
 * and now and then; else it costs nothing. A target has to stay where it is as long as the waiter.
 */
int waiter_find(struct waiter *w, struct target *t);
/*
 * The kernel side tells that a wanted directory was made; path is the one below the root of its hierarchy (bytes).
 * Adds the selector with the directory as it is reached here, and reads again what is known of the container. A
 * target that is not waiting any more (another hierarchy of the same start) gets a further selector.
 */
int waiter_made(struct waiter *w, struct target *t, uint32_t hierarchy, uint64_t id, const char *path, size_t len);
/*
 * Whether such a directory is not to be believed: it was made in another
 * container's cgroup, and no runtime in there knows of it. (What is a container
 * all the same, waiter_find() finds.)
 */
bool waiter_refuses(struct waiter *w, const struct target *t, const char *path, size_t len);
/* The target has ended and is waited for again: forgets its selectors and its init. */
void waiter_again(struct waiter *w, struct target *t);

/*
 * The directory by which the target can be frozen, and nothing but the target (freezer.c): a container's lies on another
 * hierarchy than the one it is traced by where v1's freezer is in use. avoid: a process that must not be in it beside
 * ctrace itself; 0: none. malloc'd. A negative errno with one line in err.
 */
int target_freezer_dir(const struct target_env *env, const struct target *t, pid_t avoid, char **ret_dir, char *err, size_t err_size);

/* Thaws what a ctrace that was killed left frozen, if it is a target's. How many were. */
unsigned target_recover(const struct target_env *env, const struct target *t);
/* The same wherever cgroups are mounted. */
unsigned targets_recover_all(const struct target_env *env);

/* Whether the cgroup directory of the target is still there; true for targets without one, or without one that can be seen. */
bool target_exists(const struct target *t);

/* Whether the init of the target is known and has ended, by env's /proc. */
bool target_init_ended(const struct target_env *env, const struct target *t);

/* A cgroup of a process and those around it, as the kernel has them. */
struct cgroup_step {
	uint32_t hierarchy;
	unsigned level;                 /* 0: the root */
	uint64_t id;
	char name[256];
};

struct cgroup_steps {
	const struct cgroup_step *v;    /* of each hierarchy from the innermost to the root */
	size_t n;
};

/*
 * Of a target that is by_kernel: fills in its cgroups, what is known by their
 * names, its init and its tasks. of_pid: of its place_pid; of_init: of its
 * init_pid, none if that is the same. -ENOENT: that is no container.
 */
int target_place(const struct target_env *env, struct target *t, const struct cgroup_steps *of_pid,
		 const struct cgroup_steps *of_init);

#endif
