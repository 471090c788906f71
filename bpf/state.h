/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_STATE_H
#define CTRACE_BPF_STATE_H
/* The maps and variables, what is kept of a task, and the counters. */
#include "bpf/kernel.h"
#include "bpf/event.h"
#include "bpf/control.h"

const volatile struct ct_config cfg = {};
const volatile struct ct_offsets off = {};

/*
 * What only some options ask for. The lean object is built without it: the
 * verifier checks, and then throws away, what is never reached, which is a
 * third of the time that a start takes.
 */
#ifdef CT_LEAN
#define asked_for(field) 0
#else
#define asked_for(field) cfg.field
#endif

volatile struct ct_control ctl = {};
volatile struct ct_asked asked = {};

/* Where a task is between its calls; DESIGN section 3, "the state of a task's call". */
enum call_state {
	CALL_MAYBE,     /* not known: marked in some other way than by a call or a fork */
	CALL_IDLE,
	CALL_IN,
	CALL_FORKED,    /* its first exit is its parent's clone, and no call */
};

enum origin { BY_CALL, BY_FORK, BY_MOVE, BY_SCAN };

enum phase { PHASE_CONTAINER, PHASE_RUNTIME };

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct ct_entry);
} tasks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 8 << 20);
} ring SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, CT_ROWS);
	__type(key, __u32);
	__type(value, struct cap_spec);
} specs SEC(".maps");

/* Which row of specs a command has (cap_spec.by_arg). */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct ct_sub_key);
	__type(value, __u32);
} sub_rows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, CT_TARGETS);
	__type(key, __u32);
	__type(value, struct ct_target);
} targets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, struct ct_cgroup_key);
	__type(value, __u32);
} sel_cgroups SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct ct_task_key);
	__type(value, struct ct_task_selector);
} sel_tasks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8192);
	__type(key, struct ct_adopted_key);
	__type(value, __u32);
} adopted SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct ct_wanted_key);
	__type(value, struct ct_wanted);
} wanted SEC(".maps");

/* Pid namespaces, by inum, with the target whose they are. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, CT_TARGETS);
	__type(key, __u32);
	__type(value, __u32);
} sel_pidns SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, CT_ROWS);
	__type(key, __u32);
	__type(value, struct ct_count);
} counts SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct ct_stat);
} stats SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct ct_cpu);
} cpu SEC(".maps");

/* Keeps clang from proving away a bound that the verifier has to see. */
#define bound(x) asm volatile("" : "+r"(x))

#define SCRATCH_DATA 65536u     /* captures of one record */
#define COUNT_CHUNK 32

/* Where the walk over an array of structures is that point to vectors. */
struct place_walk {
	__u32 i, stage;
	__u32 serial;           /* of the vectors' element, for its capture */
	__u32 left;             /* elements of this vector */
	__u64 at;               /* the next one */
};

/* The file whose descriptor is looked at, and where the way to the root of its task is. */
struct file_walk {
	__u64 mnt, dentry, root_mnt, root_dentry;
	__u64 names;            /* where in data they begin */
	__u64 task;             /* whose descriptor it is */
	__u32 done, pad;
	struct ct_file out;
};

/* Where the walk over control messages is. */
struct rights_walk {
	__u64 at, end;          /* the next message, and the end of all of them */
	__u64 fds;              /* the next descriptor */
	__u64 left;             /* descriptors of this message */
};

#define FD_LIST 256

enum { NETLINK_UNKNOWN, NETLINK_NO, NETLINK_YES };

/*
 * Where a record is put together. One a CPU, in an array indexed by CPU: a
 * per-CPU map's values may not be that large. tp_btf programs run without
 * preemption and none of ours interrupts another, so nobody else writes here.
 */
struct scratch {
	__u64 args[8];          /* six, the stack pointer, and one that makes the index a mask */
	__s64 ret;
	__u32 compat;
	__u32 failed;           /* operations that read nothing */
	__u32 when;             /* CAP_ENTER or CAP_EXIT */
	__u32 flags;            /* CT_CAP_* of what is captured now */
	__u64 off;              /* bytes in data */
	__u64 max;              /* bytes of the capture in hand */
	__u64 left;             /* bytes of output that a vector may still have */
	__u64 pointer;
	__u32 count;
	__u32 unread;           /* of the operation in hand: something could not be read */
	__u32 got;              /* ... and something could */
	__u32 late;             /* registers of the operations in failed, where there can be something */
	__u32 only;             /* operations asked for; 0: those of when */
	__u32 netlink;          /* NETLINK_*: whether args[0] is such a socket */
	struct place_walk walk;
	struct file_walk file;
	struct rights_walk rights;
	__u64 other_task[CT_FD_OTHER_MAX];      /* those whose other_fd is looked at; 0: none */
	__u32 other_fd[CT_FD_OTHER_MAX];
	__u32 others, n_fds;                    /* whether there is one */
	__u32 fds[FD_LIST];             /* descriptors to be looked at */
	struct ct_pid pid;      /* of the number that was looked for */
	__u64 chunk[COUNT_CHUNK];       /* of a vector that is counted */
	struct ct_entry spare;          /* of a task whose entry cannot be had */
	struct ct_wanted_key wanted;
	struct rec_syscall call;
	__u8 data[SCRATCH_DATA + CT_CAP_MAX + 64];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct scratch);
} scratches SEC(".maps");

static __always_inline struct scratch *scratch_get(void)
{
	__u32 i = bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&scratches, &i);
}

/* A kernel pointer as a plain number, which global functions take. */
static __always_inline __u64 address_of(const void *p)
{
	__u64 v = 0;

	bpf_probe_read_kernel(&v, sizeof(v), &p);
	return v;
}

static __always_inline struct ct_cpu *cpu_get(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&cpu, &zero);
}

static __always_inline __u32 row_of(bool compat, __u32 nr)
{
	if (compat)
		return nr < CT_NR_COMPAT ? CT_NR_NATIVE + nr : CT_ROW_OUTSIDE;
	return nr < CT_NR_NATIVE ? nr : CT_ROW_OUTSIDE;
}

/* What is copied of the call that the entry has: its row, or that of its command. NULL: there is no such row. */
static __always_inline struct cap_spec *spec_of(const struct ct_entry *e)
{
	struct ct_sub_key key = { .row = row_of(e->compat, e->nr) };
	struct cap_spec *spec = bpf_map_lookup_elem(&specs, &key.row);
	__u32 i, *sub;

	if (!spec || !spec->by_arg)
		return spec;
	i = spec->by_arg - 1;
	asm volatile("" : "+r"(i));
	if (i >= CT_ARGS)
		return spec;
	key.value = e->args[i];
	sub = bpf_map_lookup_elem(&sub_rows, &key);
	return sub ? bpf_map_lookup_elem(&specs, sub) : spec;
}

static __always_inline struct ct_entry *entry_get(struct task_struct *t)
{
	return bpf_task_storage_get(&tasks, t, NULL, 0);
}

#ifdef CT_MUTATION
#define BROKEN(path) (cfg.broken & CT_BREAK_##path)
#else
#define BROKEN(path) 0
#endif

/* NULL: there is none to be had. */
static __always_inline struct ct_entry *entry_make(struct task_struct *t)
{
	struct ct_entry *e;

	if (BROKEN(ALLOC))
		return NULL;
	e = bpf_task_storage_get(&tasks, t, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	/* Of two that make it at once, a task's own call and the scan, one gets nothing: it is there then. */
	return e ? e : entry_get(t);
}

/* After --for or --syscall-limit the programs do as if they were detached. */
static __always_inline bool run_over(__u64 now)
{
	return ctl.stopped || (ctl.deadline && now >= ctl.deadline);
}

#endif
