/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_NS_PROCFS_H
#define CTRACE_NS_PROCFS_H
/*
 * Readers of a procfs, always relative to a directory descriptor, so that the
 * host's can be read from inside a container and a fixture in a test. Numbers
 * are those of the pid namespace that this procfs was mounted for.
 *
 * What is read can vanish at any moment: open then says ENOENT and read
 * ESRCH. Both come out of here as -ESRCH.
 *
 * Parsers take bytes and a length; they never need a NUL. A task chooses its
 * own comm: it may hold ')', blanks and newlines. See proc(5).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PROC_NS_LEVELS 33       /* the kernel's MAX_PID_NS_LEVEL is 32 below the initial one */
#define PROC_COMM_LEN  64       /* kernel threads show more than TASK_COMM_LEN */

struct proc_stat {
	pid_t pid, ppid;
	char state;             /* 'Z', 'X': ended */
	char comm[PROC_COMM_LEN];
	uint64_t start;         /* field 22, clock ticks since boot */
};

struct proc_status {
	char state;
	pid_t tgid, ppid;
	unsigned n_nspid;       /* levels; 0 where the kernel has no pid namespaces */
	pid_t nspid[PROC_NS_LEVELS];    /* [0]: in this procfs, last: as the task sees itself */
};

/* One line of /proc/PID/cgroup. */
struct proc_cgroup {
	uint32_t hierarchy;     /* 0: v2 */
	char *controllers;      /* "", "cpu,cpuacct", "name=systemd" */
	char *path;             /* without " (deleted)"; begins with "/.." when read from another cgroup namespace */
	bool deleted;
};

struct proc_cgroups {
	char *text;             /* what the strings point into */
	struct proc_cgroup *v;
	size_t n;
};

struct pid_list {
	pid_t *v;
	size_t n, allocated;
};

/* Whether the state is that of a task that has ended. */
static inline bool proc_state_ended(char state)
{
	return state == 'Z' || state == 'X' || state == 'x';
}

/*
 * Reads a regular file below dir_fd whole. The text has a NUL behind its
 * *ret_len bytes. -EFBIG beyond max, -ESRCH when it is or becomes gone.
 */
int proc_read_file(int dir_fd, const char *path, size_t max, char **ret_text, size_t *ret_len);

/* The same of an open descriptor. */
int proc_read_fd(int fd, size_t max, char **ret_text, size_t *ret_len);

/* -EINVAL for what is no stat line, status, ... */
int proc_stat_parse(const char *text, size_t len, struct proc_stat *ret);
int proc_status_parse(const char *text, size_t len, struct proc_status *ret);
/* Lines that are malformed are left out. */
int proc_cgroups_parse(const char *text, size_t len, struct proc_cgroups *ret);
void proc_cgroups_done(struct proc_cgroups *cgroups);
/* Decimal numbers divided by white space; stops with -EINVAL at anything else. Appends. */
int pid_list_parse(const char *text, size_t len, struct pid_list *list);

/* tid 0: the process itself, else /proc/PID/task/TID. */
int proc_stat_read(int proc_fd, pid_t pid, pid_t tid, struct proc_stat *ret);
int proc_status_read(int proc_fd, pid_t pid, pid_t tid, struct proc_status *ret);
int proc_cgroups_read(int proc_fd, pid_t pid, pid_t tid, struct proc_cgroups *ret);
/* The arguments, each with its NUL; *ret_len counts the NULs. Empty for kernel threads and zombies. */
int proc_cmdline_read(int proc_fd, pid_t pid, char **ret_text, size_t *ret_len);
int proc_comm_read(int proc_fd, pid_t pid, char ret_comm[static PROC_COMM_LEN]);
/* Where a link such as "root", "cwd" or "ns/pid" points to; -ENAMETOOLONG. */
int proc_link_read(int proc_fd, pid_t pid, const char *name, char *ret, size_t size);

/*
 * Processes that thread tid of pid forked and that live; appends. -EOPNOTSUPP
 * where the kernel has no children files (CONFIG_PROC_CHILDREN).
 */
int proc_children_read(int proc_fd, pid_t pid, pid_t tid, struct pid_list *list);
/* The threads of pid; appends. */
int proc_threads_read(int proc_fd, pid_t pid, struct pid_list *list);
/* All processes; appends. */
int proc_pids_read(int proc_fd, struct pid_list *list);
/* So many of them, which procfs shows in the order of their numbers; appends. To read all of 20,000 takes 20 ms. */
int proc_first_pids_read(int proc_fd, size_t most, struct pid_list *list);

int pid_list_add(struct pid_list *list, pid_t pid);
void pid_list_done(struct pid_list *list);

#endif
