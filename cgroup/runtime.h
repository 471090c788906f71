/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CGROUP_RUNTIME_H
#define CTRACE_CGROUP_RUNTIME_H
/*
 * What the state files of the container runtimes tell: names, IDs, first
 * processes, cgroups; and, for who asks for it, what daemons answer. What they
 * tell is old by nature: the caller compares it with /proc and with the cgroups.
 *
 * A runtime is one file runtime_NAME.c with a const struct runtime_ops, one
 * line in runtimes.def, and a fixture below tests/unit/fixtures/runtimes/.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct container_label {
	char *key, *value;
};

struct container_entry {
	const char *runtime;    /* "docker": as in RUNTIME:NAME; not owned */
	char *id;               /* full; never NULL */
	char *name;             /* without docker's leading slash; NULL: none */
	char *space;            /* containerd's namespace: IDs are unique in it only; NULL */
	char *image;
	char *pod_namespace, *pod, *pod_uid, *pod_container;
	char *pod_kind;         /* what the kubelet says that it is of its pod: "init" (sidecars too), "container", "ephemeral"; NULL */
	char *service;          /* of docker compose; NULL */
	char *cgroup_path;      /* below a hierarchy's root, where the state tells it; NULL */
	pid_t pid;              /* its first process; 0: not known, or it has none */
	pid_t owner;            /* pid is a number in this process's pid namespace; 0: in the host's */
	uint64_t start;         /* start time of pid; 0: not known */
	bool stopped;           /* the state says that it does not run */
	bool by_name;           /* no runtime knows it: a cgroup's name is all that there is */
	const char *kernel;     /* "gVisor", "Kata": its system calls do not reach this kernel; NULL; not owned */
	bool sandbox;           /* a pod's pause container */
	bool metadata;          /* it stands in containerd's database: whether it runs is told elsewhere */
	char *sandbox_id;       /* of its pod's pause container, which has the pod's labels; NULL */
	struct container_label *labels;         /* its own; those of a pod are its sandbox's */
	size_t n_labels;
};

struct container_entries {
	struct container_entry *v;
	size_t n, allocated;
};

/* A directory with a runtime's state. */
struct state_dir {
	char *root;             /* what stands for "/": "", /host/proc/1/root, or the root of a process in a container */
	char *path;             /* below root, absolute */
	char *run;              /* podman: the runroot that belongs to it; NULL */
	pid_t owner;            /* number of a process in whose pid namespace the state's numbers count; 0: the host's */
};

struct state_dirs {
	struct state_dir *v;
	size_t n, allocated;
};

enum state_kind {
	STATE_DOCKER,           /* DockerRootDir */
	STATE_CONTAINERD,       /* containerd's state: io.containerd.runtime.v2.task/ is below it */
	STATE_CONTAINERD_ROOT,  /* containerd's root: io.containerd.metadata.v1.bolt/ is below it */
	STATE_STORAGE,          /* containers-storage, of podman and CRI-O */
	STATE_OCI,              /* --root of runc or crun */
	STATE_RUNSC,            /* gVisor's --root */
	STATE_LXC,              /* a folder of LXC's containers (lxcpath) */
	STATE_LXD,              /* LXD's and Incus's */
	STATE_MACHINES,         /* machined's, for systemd-nspawn */
	STATE_INSTANCES,        /* apptainer's: a folder with HOST/USER/NAME/NAME.json */
	SOCKET_DOCKER,          /* a daemon's socket, path is its own: Docker's API */
	SOCKET_PODMAN,          /* podman's */
	STATE_KINDS
};

/*
 * A process that watches over one container and tells of it by its command
 * line: LXC's monitor, systemd-nspawn. Its child is the container's init.
 */
struct monitor {
	enum state_kind kind;
	char *root, *path;      /* as in struct state_dir */
	char *name;
	pid_t pid, owner;       /* pid: in the host's procfs */
	uint64_t start;
};

struct monitors {
	struct monitor *v;
	size_t n, allocated;
};

/* Where to look. */
struct runtime_env {
	int proc_fd;            /* the host's procfs */
	const char *proc_path;
	const char *root_prefix;
	struct state_dirs dirs[STATE_KINDS];
	struct monitors monitors;       /* those that ran at the last look at the processes */
	bool denied;            /* some state could not be read for lack of permission */
	char *home;             /* of the user that ctrace works for; NULL: not known */
	const char *remote;     /* the variable that names a daemon which is not asked, since it may be anywhere; NULL */
	char *note;             /* which daemon could not be asked, and why; bytes of others in it; NULL */
};

struct runtime_ops {
	const char *name;
	enum state_kind kind;
	/* Appends what dir knows. Broken and vanished files are passed over. 0 or -ENOMEM. */
	int (*list)(struct runtime_env *env, const struct state_dir *dir, struct container_entries *entries);
};

/* Ends with NULL. Of several that know a container the first one names it. */
extern const struct runtime_ops *const runtimes[];

/*
 * The state directories: the defaults, those of the environment variables
 * CTRACE_DOCKER_ROOT, CTRACE_CONTAINERD_STATE, CTRACE_CONTAINERD_ROOT,
 * CTRACE_PODMAN_ROOT (with CTRACE_PODMAN_RUNROOT), CTRACE_RUNC_ROOT,
 * CTRACE_CRUN_ROOT, CTRACE_RUNSC_ROOT, CTRACE_LXC_PATH, CTRACE_LXD_DIR and
 * CTRACE_MACHINES (lists divided by colons), those of the user behind sudo,
 * and those that the command lines of running daemons, shims and monitors name.
 * The sockets: those of DOCKER_HOST and CONTAINER_HOST, of docker's context, the
 * usual ones, and those of command lines.
 */
int runtime_env_open(int proc_fd, const char *proc_path, const char *root_prefix, struct runtime_env *ret);
void runtime_env_done(struct runtime_env *env);
/* Adds the directories of daemons that were started since. Costs a look at every process. */
int runtime_env_refresh(struct runtime_env *env);

/* Everything that the runtimes know, each container once. 0 or a negative errno. */
int runtime_list(struct runtime_env *env, struct container_entries *ret);

/* What name says of a container's kernel: the name of a runtime, a shim, a runtime class. Takes NULL; NULL: this one. */
const char *runtime_kernel(const char *name);

/*
 * Asks the daemons over their sockets, each for a second at most, and adds what
 * the entries lack: ret's entries move. 0 or a negative errno; daemons that do not answer are no error.
 */
int runtime_ask(struct runtime_env *env, struct container_entries *entries);

/* Appends a directory; once, whatever the number of calls. */
int state_dirs_add(struct state_dirs *dirs, const char *root, const char *path, const char *run, pid_t owner);

/* Appends an empty entry and returns it; NULL: no memory. */
struct container_entry *container_entries_add(struct container_entries *entries, const char *runtime, const char *id);
/* Appends a copy of a label. 0 or -ENOMEM. */
int container_entry_add_label(struct container_entry *entry, const char *key, const char *value);
/*
 * Whose labels are the pod's: the entry itself for a sandbox, else that of its
 * sandbox. NULL: the runtime's files have none (or it is in no pod).
 */
const struct container_entry *container_pod_labels(const struct container_entries *entries, const struct container_entry *e);
void container_entry_done(struct container_entry *entry);
void container_entries_done(struct container_entries *entries);

#endif
