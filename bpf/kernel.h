/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_KERNEL_H
#define CTRACE_BPF_KERNEL_H
/*
 * The kernel's types, as far as ctrace reads them. Offsets are relocated when
 * the object is loaded (CO-RE), so a structure lists only the fields that are
 * used, in any order. A field that came, went or moved has its flavour here,
 * with the version that changed it, and nowhere else.
 */
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

typedef _Bool bool;
#define true 1
#define false 0
#define NULL ((void *)0)

/*
 * Types whose layout has not changed since long before 5.15 or cannot change,
 * and that need no relocation: each root type of one costs 0.7 ms at start-up,
 * since libbpf looks through all of the kernel's types for it.
 */
struct list_head {
	struct list_head *next, *prev;
};

struct hlist_node {
	struct hlist_node *next, **pprev;
};

struct hlist_head {
	struct hlist_node *first;
};

struct xa_node {                        /* 4.20 */
	unsigned char shift, offset, count, nr_values;
	struct xa_node *parent;
	void *array;
	struct list_head private_list;  /* or a struct rcu_head, as large */
	void *slots[64];                /* 16 with CONFIG_BASE_SMALL */
};

struct pid_namespace;

struct upid {                           /* 2.6.24 */
	int nr;
	struct pid_namespace *ns;
};

struct kernel_siginfo {                 /* as siginfo_t begins: ABI */
	int si_signo, si_errno, si_code;
};

struct seq_file;
struct task_struct;

struct bpf_iter_meta {                  /* 5.8: what an iterator is given is ABI */
	struct seq_file *seq;
	__u64 session_id, seq_num;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

#if defined(__TARGET_ARCH_x86)
struct pt_regs {                        /* the order in which the entry code pushes, and ptrace(2)'s ABI */
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip, cs, flags, sp, ss;
};
#elif defined(__TARGET_ARCH_arm64)
struct pt_regs;
#endif

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct ns_common {
	unsigned int inum;
};

struct xarray {
	void *xa_head;
};

struct idr {
	struct xarray idr_rt;           /* 4.20 */
};

struct pid_namespace {
	struct ns_common ns;
	struct idr idr;                 /* 4.15; of struct pid */
};

struct pid {
	unsigned int level;
	struct hlist_head tasks[1];     /* first: the task that has the number as its own */
	struct upid numbers[1];         /* level + 1 of them */
};

typedef struct {
	int counter;
} atomic_t;

struct mm_struct;

#define SIGNAL_GROUP_EXIT 4u

struct signal_struct {
	atomic_t live;
	unsigned int flags;
	int nr_threads;
	struct mm_struct *oom_mm;       /* set once the OOM killer chose the group (4.9) */
	struct task_struct *group_exec_task;    /* 5.16: named group_exit_task before */
};

struct signal_struct___5_15 {
	struct task_struct *group_exit_task;
};

struct qstr {
	const unsigned char *name;
};

struct dentry {
	struct qstr d_name;
};

/* 6.16 gave the union of d_name another shape; the name stayed where CO-RE finds it. */
struct path {
	struct dentry *dentry;
};

struct file {
	struct path f_path;
};

struct mm_struct {
	unsigned long arg_start, arg_end, env_start, env_end;
	struct file *exe_file;
};

struct kernfs_node {
	__u64 id;                       /* 5.5: the cgroup's id, and the inode of its directory */
	const char *name;
	struct kernfs_node *__parent;   /* 6.15: named parent before */
};

struct kernfs_node___6_14 {
	struct kernfs_node *parent;
};

struct cgroup_root {
	int hierarchy_id;
};

struct cgroup {
	int level;
	struct kernfs_node *kn;
	struct cgroup_root *root;
	struct cgroup *ancestors[1];    /* 6.1 */
};

struct cgroup___6_0 {
	__u64 ancestor_ids[1];          /* until 6.0 */
};

struct css_set {
	struct cgroup *dfl_cgrp;
	struct list_head cgrp_links;
};

struct cgrp_cset_link {
	struct cgroup *cgrp;
	struct list_head cgrp_link;
};

struct seccomp {
	int mode;
};

struct thread_info {
	unsigned long flags;
	__u32 status;                   /* x86 */
};

struct task_struct {
	struct thread_info thread_info;
	unsigned int __state;           /* 5.14: volatile long state before */
	unsigned int flags;
	int pid, tgid;
	int exit_code;
	__u64 start_boottime;           /* 5.5: real_start_time before */
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct list_head tasks;         /* of the leaders of all thread groups */
	struct list_head children, sibling;
	struct pid *thread_pid;         /* 4.19 */
	struct hlist_node pid_links[1]; /* 4.19; first: in thread_pid->tasks */
	struct signal_struct *signal;
	struct css_set *cgroups;
	struct mm_struct *mm;
	struct seccomp seccomp;
	char comm[16];
};

struct linux_binprm {
	const char *filename;
	struct file *file;
	int argc, envc;
};

#if defined(__TARGET_ARCH_arm64)
struct pt_regs {
	__u64 regs[31];
	__u64 sp;
	__u64 pc;
	__u64 orig_x0;
	__s32 syscallno;
};
#endif

#pragma clang attribute pop

/* 6.2: a task by its number in the initial namespace. */
extern struct task_struct *bpf_task_from_pid(__s32 pid) __ksym __weak;
extern void bpf_task_release(struct task_struct *t) __ksym __weak;

#define PF_EXITING 4
#define SECCOMP_MODE_FILTER 2
#define SECCOMP_MODE_DEAD 3     /* 5.16; a task that seccomp kills */
#define SIGSYS 31

/* Whether the call that the task is in uses the 32-bit ABI. Decided per call: int 0x80 works in 64-bit programs too. */
static __always_inline bool task_in_compat(const struct task_struct *t)
{
#if defined(__TARGET_ARCH_x86)
	return t->thread_info.status & 0x2;             /* TS_COMPAT */
#else
	return t->thread_info.flags & (1ul << 22);      /* TIF_32BIT */
#endif
}

/* The arguments of a call, out of the registers that it came with; valid at entry and, but for execve and rt_sigreturn, at exit. */
static __always_inline void regs_args(const struct pt_regs *r, bool compat, __u64 *args)
{
#if defined(__TARGET_ARCH_x86)
	if (compat) {
		/* int 0x80 leaves what it likes in the upper halves. */
		args[0] = (__u32)r->bx;
		args[1] = (__u32)r->cx;
		args[2] = (__u32)r->dx;
		args[3] = (__u32)r->si;
		args[4] = (__u32)r->di;
		args[5] = (__u32)r->bp;
	} else {
		args[0] = r->di;
		args[1] = r->si;
		args[2] = r->dx;
		args[3] = r->r10;
		args[4] = r->r8;
		args[5] = r->r9;
	}
#else
	args[0] = r->orig_x0;
	args[1] = r->regs[1];
	args[2] = r->regs[2];
	args[3] = r->regs[3];
	args[4] = r->regs[4];
	args[5] = r->regs[5];
	if (compat) {
		args[0] = (__u32)args[0];
		args[1] = (__u32)args[1];
		args[2] = (__u32)args[2];
		args[3] = (__u32)args[3];
		args[4] = (__u32)args[4];
		args[5] = (__u32)args[5];
	}
#endif
}

/* The number of the call that the registers are in; negative: none. */
static __always_inline long regs_syscall(const struct pt_regs *r)
{
#if defined(__TARGET_ARCH_x86)
	return (int)r->orig_ax;
#else
	return r->syscallno;
#endif
}

static __always_inline __u64 regs_sp(const struct pt_regs *r)
{
	return r->sp;
}

static __always_inline const void *regs_ip_at(const struct pt_regs *r)
{
#if defined(__TARGET_ARCH_x86)
	return &r->ip;
#else
	return &r->pc;
#endif
}

static __always_inline const void *regs_sp_at(const struct pt_regs *r)
{
	return &r->sp;
}

static __always_inline __u64 regs_ip(const struct pt_regs *r)
{
#if defined(__TARGET_ARCH_x86)
	return r->ip;
#else
	return r->pc;
#endif
}

/* Numbers of the calls that make a task: of them alone a new task returns 0 without having entered. */
static __always_inline bool is_fork_call(bool compat, __u32 nr)
{
#if defined(__TARGET_ARCH_x86)
	if (compat)
		return nr == 2 || nr == 120 || nr == 190 || nr == 435;
	return nr == 56 || nr == 57 || nr == 58 || nr == 435;
#else
	if (compat)
		return nr == 2 || nr == 120 || nr == 190 || nr == 435;
	return nr == 220 || nr == 435;
#endif
}

/* exit and exit_group, which end their task from within. */
static __always_inline bool is_exit_call(bool compat, __u32 nr)
{
#if defined(__TARGET_ARCH_x86)
	return compat ? nr == 1 || nr == 252 : nr == 60 || nr == 231;
#else
	return compat ? nr == 1 || nr == 248 : nr == 93 || nr == 94;
#endif
}

static __always_inline bool is_restart_call(bool compat, __u32 nr)
{
#if defined(__TARGET_ARCH_x86)
	return nr == (compat ? 0 : 219);
#else
	return nr == (compat ? 0 : 128);
#endif
}

static __always_inline bool is_exec_call(bool compat, __u32 nr)
{
#if defined(__TARGET_ARCH_x86)
	return compat ? nr == 11 || nr == 358 : nr == 59 || nr == 322;
#else
	return compat ? nr == 11 || nr == 387 : nr == 221 || nr == 281;
#endif
}

#endif
