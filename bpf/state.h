/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_STATE_H
#define CTRACE_BPF_STATE_H
/* The maps and variables, what is kept of a task, and the counters. */
#include "bpf/kernel.h"
#include "bpf/event.h"
#include "bpf/control.h"

const volatile struct ct_config cfg = {};
volatile struct ct_control ctl = {};

/* Where a task is between its calls; DESIGN section 3, "the state of a task's call". */
enum call_state {
	CALL_MAYBE,     /* not known: marked in some other way than by a call or a fork */
	CALL_IDLE,
	CALL_IN,
	CALL_FORKED,    /* its first exit is its parent's clone, and no call */
};

enum origin { BY_CALL, BY_FORK, BY_MOVE, BY_SCAN };

enum phase { PHASE_CONTAINER, PHASE_RUNTIME };

/* The one task storage: verdict, numbers, and the call between its entry and its exit. */
struct entry {
	__u64 css;              /* task->cgroups that the verdict was given for */
	__u32 epoch;            /* ... and the selectors' epoch; 0: no verdict */
	__u32 target;           /* CT_NO_TARGET: out */
	__u8 by_process;        /* in for life */
	__u8 thread_only;       /* by --tid: says nothing of its siblings */
	__u8 never;             /* ctrace itself and what it starts */
	__u8 held;              /* COMMAND before its exec */
	__u8 phase;
	__u8 state;             /* enum call_state */
	__u8 compat;
	__u8 denied;            /* its last call was one that seccomp denied */
	__u8 leaving;           /* moved out in the middle of a call */
	__u8 wanted;            /* the call's row passes -e trace= */
	__u8 has_exit;          /* it has output to copy */
	__u8 pad;
	__u16 caps_len;
	__u32 tid, tgid;        /* in the pid namespace of the target's init */
	__u32 nr, seq, flags;
	__u32 failed;           /* capture operations to try again at exit: a bit each */
	__u64 enter;
	__u64 args[CT_ARGS];
	__u8 caps[CT_INLINE];
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct entry);
} tasks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 8 << 20);
} ring SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, CT_ROWS);
	__type(key, __u32);
	__type(value, struct cap_spec);
} specs SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
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

#define SCRATCH_DATA 65536u     /* captures of one record */

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
	__u32 count, pad;
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

static __always_inline struct entry *entry_get(struct task_struct *t)
{
	return bpf_task_storage_get(&tasks, t, NULL, 0);
}

static __always_inline struct entry *entry_make(struct task_struct *t)
{
	return bpf_task_storage_get(&tasks, t, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
}

/* After --for or --syscall-limit the programs do as if they were detached. */
static __always_inline bool run_over(__u64 now)
{
	return ctl.stopped || (ctl.deadline && now >= ctl.deadline);
}

#endif
