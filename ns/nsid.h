/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_NS_NSID_H
#define CTRACE_NS_NSID_H
/*
 * Namespaces by the inode that the kernel gives them (see namespaces(7)), and
 * the numbers that a task has in a pid namespace. An inode is given out again
 * after its namespace has ended.
 */
#include <stdint.h>
#include <sys/types.h>

enum ns_kind { NS_PID, NS_MNT, NS_CGROUP, NS_USER, NS_KINDS };

#define NS_PID_INITIAL    0xEFFFFFFCu   /* include/linux/proc_ns.h: PROC_PID_INIT_INO */
#define NS_CGROUP_INITIAL 0xEFFFFFFBu   /* PROC_CGROUP_INIT_INO */

/* "pid:[4026531836]" as the links below /proc/PID/ns read. -EINVAL. */
int nsid_parse(const char *link, enum ns_kind kind, uint32_t *ret);

/* pid's namespace; -ESRCH, or -EACCES for whom may not trace pid. */
int nsid_read(int proc_fd, pid_t pid, enum ns_kind kind, uint32_t *ret);

/*
 * A process that stands for the pid namespace of this procfs itself: pid 1, or
 * where even root may not look at that one (it has capabilities that we have
 * not), another of the first ones that has no number below. -EACCES.
 */
int nsid_reference(int proc_fd, pid_t *ret);

/* The calling process's own, by its own /proc. */
int nsid_own(enum ns_kind kind, uint32_t *ret);

/*
 * The number that a task has in the pid namespace with this inode: its own
 * namespace or one that encloses it. -ENOENT when it has none there. tid: as in
 * procfs.h.
 */
int pid_in_namespace(int proc_fd, pid_t pid, pid_t tid, uint32_t inum, pid_t *ret);

/*
 * The way back, by a search: the process whose number is nr in that namespace.
 * -ESRCH.
 */
int pid_from_namespace(int proc_fd, uint32_t inum, pid_t nr, pid_t *ret);

#endif
