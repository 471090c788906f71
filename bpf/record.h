/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_RECORD_H
#define CTRACE_BPF_RECORD_H
/*
 * The end of a call: one program run counts it as seen and decides its fate,
 * so that seen = delivered + filtered + lost holds exactly.
 */
#include "bpf/descriptors.h"
#include "bpf/judge.h"
#include "bpf/stack.h"
#include "bpf/multiplex.h"

static __always_inline void hdr_fill(struct rec_hdr *h, __u16 kind, struct task_struct *t, const struct ct_entry *e, __u64 now)
{
	struct ct_cpu *n = cpu_get();

	h->kind = kind;
	h->cpu = bpf_get_smp_processor_id();
	h->lost = n ? n->lost : 0;
	h->time = now;
	h->host_tid = t->pid;
	h->host_tgid = t->tgid;
	h->tid = e->tid;
	h->tgid = e->tgid;
	h->target = e->target;
	h->flags = 0;
	bpf_probe_read_kernel(h->comm, sizeof(h->comm), t->comm);
}

static __always_inline void event_lost(void)
{
	struct ct_cpu *n = cpu_get();

	if (n)
		n->events_lost++;
}

static __always_inline bool comm_passes(struct task_struct *t)
{
	char comm[CT_COMM_LEN] = {};

	if (!cfg.filter_comm)
		return true;
	bpf_probe_read_kernel_str(comm, sizeof(comm), t->comm);
	for (int i = 0; i < CT_COMM_LEN; i++) {
		if (comm[i] != cfg.comm[i])
			return false;
		if (!comm[i])
			break;
	}
	return true;
}

/* What holds for every record of a task: --only-pid, --phase, --comm. */
static __always_inline bool task_passes(struct task_struct *t, const struct ct_entry *e)
{
	if (cfg.only_pid && e->tgid != cfg.only_pid)
		return false;
	if (cfg.phase != 2 && cfg.phase != e->phase)
		return false;
	return comm_passes(t);
}

static __always_inline bool is_error(__s64 ret)
{
	return ret < 0 && ret >= -4095;
}

static __always_inline bool call_passes(struct task_struct *t, const struct ct_entry *e, __s64 ret, __u32 flags, __u64 now)
{
	__u32 kind = flags & CT_F_NO_RETURN ? CT_WANT_UNFINISHED : is_error(ret) ? CT_WANT_FAILED : CT_WANT_SUCCESS;

	if (!e->wanted || !(cfg.status & kind))
		return false;
	if (cfg.slower && (!e->enter || now - e->enter < cfg.slower))
		return false;
	return task_passes(t, e);
}

static __always_inline void stat_add(const struct ct_entry *e, __u32 row, __s64 ret, __u32 flags, __u64 now)
{
	__u32 i = e->target * CT_ROWS + row;
	struct ct_stat *s = bpf_map_lookup_elem(&stats, &i);
	__u64 d;

	if (!s)
		return;
	if (flags & CT_F_NO_RETURN) {
		s->no_return++;
		return;
	}
	s->calls++;
	if (is_error(ret))
		s->errors++;
	if (!e->enter)
		return;
	d = now - e->enter;
	s->total += d;
	if (!s->min || d < s->min)
		s->min = d;
	if (d > s->max)
		s->max = d;
}

static __always_inline void call_fill(struct rec_syscall *r, struct task_struct *t, const struct ct_entry *e, __s64 ret, __u32 flags, __u64 now)
{
	hdr_fill(&r->h, CT_REC_SYSCALL, t, e, now);
	r->h.flags = e->flags | flags | (e->compat ? CT_F_COMPAT : 0) | (e->phase == PHASE_RUNTIME ? CT_F_RUNTIME : 0);
	r->enter_time = e->enter;
	r->ret = ret;
	r->args[0] = e->args[0];
	r->args[1] = e->args[1];
	r->args[2] = e->args[2];
	r->args[3] = e->args[3];
	r->args[4] = e->args[4];
	r->args[5] = e->args[5];
	r->nr = e->nr;
	r->seq = e->seq;
	r->caps_len = 0;
	r->late = 0;
}

static __always_inline void scratch_args(struct scratch *s, const struct ct_entry *e, __u64 sp)
{
	s->args[0] = e->args[0];
	s->args[1] = e->args[1];
	s->args[2] = e->args[2];
	s->args[3] = e->args[3];
	s->args[4] = e->args[4];
	s->args[5] = e->args[5];
	s->args[CAP_ARG_SP] = sp;
	s->args[7] = 0;
	s->compat = e->compat;
	s->netlink = NETLINK_UNKNOWN;
	s->n_fds = 0;
	s->others = 0;
	s->failed = 0;
	s->late = 0;
	s->off = 0;
}

/* The record with what was captured: 0, -1 the ring was full, -2 it did not fit into a record. */
static __always_inline int send_with(struct task_struct *t, struct ct_entry *e, __s64 ret, __u32 flags, __u64 now, const bool ends)
{
	struct scratch *s = scratch_get();
	struct cap_spec *spec = spec_of(e);
	__u64 len;

	if (!s || !spec)
		return -1;
	scratch_args(s, e, 0);
	s->ret = ret;
	__builtin_memcpy(s->data, e->caps, CT_INLINE);
	s->off = e->caps_len;
	if (s->off > CT_INLINE)
		s->off = 0;
	if ((asked_for(ip) || asked_for(stack)) && !e->enter)
		place_unseen(s, t);
	/* Of a task that ends the memory is gone. */
	if (!ends) {
		s->flags = CT_CAP_AT_EXIT | CT_CAP_RETRIED;
		s->when = CAP_ENTER;
		if (e->failed)
			capture_all(s, spec, e->failed);
		/* Its beginning was not seen. */
		if (asked_for(files) && !e->enter)
			list_args(s, spec);
		if (asked_for(files) && s->n_fds)
			capture_listed(s);
		s->flags = CT_CAP_AT_EXIT;
		s->when = CAP_EXIT;
		capture_all(s, spec, 0);
		if (asked_for(pids) && spec->pid_result && !is_error(ret))
			cap_pid(s, (__s32)ret, 1);
		if (asked_for(files) && s->n_fds)
			capture_listed(s);
		if (asked_for(files) && spec->fd_result && ret >= 0 && ret <= 0x7fffffff)
			capture_file(s, ret, CT_FD_RESULT);
	}
	call_fill(&s->call, t, e, ret, flags, now);
	len = s->off;
	bound(len);
	if (len > SCRATCH_DATA)
		return -2;
	s->call.caps_len = len;
	return bpf_ringbuf_output(&ring, &s->call, sizeof(s->call) + len, 0) ? -1 : 0;
}

static __noinline int send_captured(struct task_struct *t, struct ct_entry *e, __s64 ret, __u32 flags, __u64 now)
{
	return send_with(t, e, ret, flags, now, false);
}

static __noinline int send_cut_short(struct task_struct *t, struct ct_entry *e, __u32 flags, __u64 now)
{
	return send_with(t, e, 0, flags, now, true);
}

static __always_inline int send_plain(struct task_struct *t, struct ct_entry *e, __s64 ret, __u32 flags, __u64 now)
{
	struct rec_syscall *r = bpf_ringbuf_reserve(&ring, sizeof(*r), 0);

	if (!r)
		return -1;
	call_fill(r, t, e, ret, flags, now);
	bpf_ringbuf_submit(r, 0);
	return 0;
}

/* Sends what the scratch holds ahead of the call that it belongs to. */
static __always_inline void send_payload(struct task_struct *t, struct ct_entry *e, struct scratch *s, __u64 now)
{
	struct rec_payload *p = (void *)s->data - sizeof(*p);
	__u64 len = s->off;

	bound(len);
	if (!len || len > SCRATCH_DATA)
		return;
	/* While calls are lost it only kept the reader from catching up. */
	if (ctl.full) {
		e->flags |= CT_F_PAYLOAD_LOST;
		return;
	}
	hdr_fill(&p->h, CT_REC_PAYLOAD, t, e, now);
	p->seq = e->seq;
	p->caps_len = len;
	e->flags |= bpf_ringbuf_output(&ring, p, sizeof(*p) + len, 0) ? CT_F_PAYLOAD_LOST : CT_F_PAYLOAD;
}

/* --split: a call that begins. One that does not fit is shown whole when it ends. */
static __noinline int send_enter(struct task_struct *t, struct ct_entry *e)
{
	struct scratch *s = scratch_get();
	__u64 len = e->caps_len;

	/* While calls are lost their beginnings only kept the reader from catching up. */
	if (!s || ctl.full || !task_passes(t, e))
		return 0;
	call_fill(&s->call, t, e, 0, 0, e->enter);
	s->call.h.kind = CT_REC_ENTER;
	/* As capture_input() just left it. */
	s->call.late = e->failed ? s->late : 0;
	__builtin_memcpy(s->data, e->caps, CT_INLINE);
	bound(len);
	if (len > CT_INLINE)
		len = 0;
	s->call.caps_len = len;
	bpf_ringbuf_output(&ring, &s->call, sizeof(s->call) + len, 0);
	return 0;
}

/* Whether the entry says by itself that its task is traced: for events that need no new verdict. */
static __always_inline bool entry_in(const struct ct_entry *e)
{
	return e && !e->never && !e->held && e->epoch && e->target != CT_NO_TARGET;
}

/* What stands for the entry of a task that is in and has none. */
static __always_inline struct ct_entry *spare_entry(struct task_struct *t, __u32 target)
{
	struct scratch *s = scratch_get();
	struct ct_entry *e;

	if (!s)
		return NULL;
	e = &s->spare;
	e->target = target;
	e->in = 0;
	e->never = e->held = e->denied = e->leaving = 0;
	e->by_process = cfg.have_tasks;
	e->phase = PHASE_CONTAINER;
	e->state = CALL_MAYBE;
	e->epoch = 1;
	set_numbers(e, t);
	return e;
}

/* --syscall-limit: false once it is used up. */
static __always_inline bool take_one(void)
{
	__u64 n;

	if (!cfg.syscall_limit)
		return true;
	n = __sync_fetch_and_add(&ctl.passed, 1);
	if (n + 1 >= cfg.syscall_limit)
		ctl.stopped = 1;
	return n < cfg.syscall_limit;
}

/* The counters of one call. */
struct call_counts {
	struct ct_count *row;
	struct ct_cpu *cpu;
};

/* Counts a call that has ended; the entry says which. Whether a record of it is to be sent. */
static __always_inline bool call_counted(struct call_counts *k, struct task_struct *t, struct ct_entry *e, __s64 ret, __u32 flags, __u64 now)
{
	__u32 row = row_of(e->compat, e->nr);
	struct ct_count *c = bpf_map_lookup_elem(&counts, &row);
	struct ct_cpu *n = cpu_get();
	bool passes = call_passes(t, e, ret, flags, now);

	if (!c || !n)
		return false;
	if (passes && !take_one())
		return false;
	c->seen++;
	if (flags & CT_F_BEGUN_BEFORE)
		n->begun_before++;
	if (flags & CT_F_DEGRADED)
		n->degraded++;
	if (!passes) {
		c->filtered++;
		return false;
	}
	if (cfg.counts)
		stat_add(e, row, ret, flags, now);
	if (cfg.counts_only) {
		c->delivered++;
		return false;
	}
	k->row = c;
	k->cpu = n;
	return true;
}

/* What became of its record: 0, -1 the ring was full, -2 it was too big. */
static __always_inline void call_fate(const struct call_counts *k, int err)
{
	if (!err) {
		k->row->delivered++;
		return;
	}
	k->cpu->lost++;
	if (err == -2) {
		k->row->too_big++;
		return;
	}
	k->row->ring_full++;
	/* Not where one record alone is too large for the room that is left. */
	if (!ctl.full && bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) > bpf_ringbuf_query(&ring, BPF_RB_RING_SIZE) / 2)
		ctl.full = 1;
}

/* A call has ended, or (ends) its task did: counts it and sends it. */
static __always_inline int call_over(struct task_struct *t, struct ct_entry *e, __s64 ret, __u32 flags, __u64 now, const bool ends)
{
	struct call_counts k;

	if (!call_counted(&k, t, e, ret, flags, now))
		return 0;
	/*
	 * One gap until the reader has caught up, which it tells at its place, and
	 * not many small ones between records that just fitted.
	 */
	if (ctl.full)
		call_fate(&k, -1);
	else if (e->caps_len || e->failed || e->has_exit || asked_for(ip) || asked_for(stack))
		call_fate(&k, ends ? send_cut_short(t, e, flags, now) : send_captured(t, e, ret, flags, now));
	else
		call_fate(&k, send_plain(t, e, ret, flags, now));
	return 0;
}

static __noinline int call_ended(struct task_struct *t, struct ct_entry *e, __s64 ret, __u32 flags, __u64 now)
{
	return call_over(t, e, ret, flags, now, false);
}

/* The same of a task that ends within it: no result, and no memory to read. A function of its own, without the code for these. */
static __noinline int call_cut_short(struct task_struct *t, struct ct_entry *e, __u32 flags, __u64 now)
{
	return call_over(t, e, 0, flags | CT_F_NO_RETURN, now, true);
}

/* A call begins: its number and its arguments. How it is captured; NULL: it has no row. */
static __always_inline struct cap_spec *call_begins(struct ct_entry *e, struct pt_regs *regs, __u32 nr)
{
	__u32 before = e->seq ? e->nr : ~0u;

	e->nr = nr;
	e->seq++;
	e->flags = 0;
	e->caps_len = 0;
	e->failed = 0;
	e->has_exit = 0;
	e->forks = 0;
	regs_args(regs, e->compat, e->args);
	demultiplex(e);
	if (is_restart_call(e->compat, nr))
		e->args[0] = before;
	return spec_of(e);
}

/* A call whose entry was not seen: the number and the arguments from the registers. Its row, if there is one. */
static __always_inline struct cap_spec *call_registers(struct task_struct *t, struct ct_entry *e, struct pt_regs *regs)
{
	struct cap_spec *spec;

	e->compat = task_in_compat(t);
	e->enter = 0;
	spec = call_begins(e, regs, regs_syscall(regs));
	if (spec)
		e->wanted = spec->wanted;
	return spec;
}

/* The same with its input, to be read now. */
static __always_inline void call_from_regs(struct task_struct *t, struct ct_entry *e, struct pt_regs *regs)
{
	struct cap_spec *spec = call_registers(t, e, regs);

	if (!spec)
		return;
	e->has_exit = spec->has_exit || (asked_for(files) && spec->fds);
	e->failed = spec->inputs;
}

static __always_inline void send_left(struct task_struct *t, const struct ct_entry *e, __u64 now)
{
	struct rec_left *r = bpf_ringbuf_reserve(&ring, sizeof(*r), 0);
	struct ct_cpu *n = cpu_get();

	if (n)
		n->left++;
	if (!r) {
		event_lost();
		return;
	}
	hdr_fill(&r->h, CT_REC_LEFT, t, e, now);
	bpf_ringbuf_submit(r, 0);
}

/*
 * A container that was waited for shows its numbers from its first process on:
 * pid 1 of a namespace, or (begins) the one that executes its program, where it
 * has no namespace of its own.
 */
static __noinline int first_process(struct task_struct *t, struct ct_entry *e, __u32 begins)
{
	struct ct_target *target = target_get(e->target);
	struct pid *pid = BPF_CORE_READ(t, thread_pid);
	struct rec_started *r;
	struct upid u;
	__u32 level;

	if (!target || !(target->flags & CT_TARGET_WAITED) || target->pidns || !pid)
		return 0;
	level = BPF_CORE_READ(pid, level);
	u = pid_number(pid, level);
	if (!begins && (!level || u.nr != 1))
		return 0;
	target->pidns = BPF_CORE_READ(u.ns, ns.inum);
	/* The host's namespace, or ctrace's own, has others in it. */
	if (cfg.nsenter && level && target->pidns != ctl.own_pidns) {
		__u32 inum = target->pidns, i = e->target;

		bpf_map_update_elem(&sel_pidns, &inum, &i, BPF_ANY);
	}
	set_numbers(e, t);
	r = bpf_ringbuf_reserve(&ring, sizeof(*r), 0);
	if (!r) {
		event_lost();
		return 0;
	}
	hdr_fill(&r->h, CT_REC_STARTED, t, e, bpf_ktime_get_boot_ns());
	r->start = BPF_CORE_READ(t, start_boottime) / CT_TICK_NS;
	r->pidns = target->pidns;
	r->pad = 0;
	bpf_ringbuf_submit(r, 0);
	return 0;
}

/* The task is out from now on. */
static __always_inline void mark_out(struct task_struct *t, struct ct_entry *e)
{
	if (__sync_lock_test_and_set(&e->in, 0))
		target_live(e->target, -1);
	e->target = CT_NO_TARGET;
	e->leaving = 0;
}

/* The verdict is used and could not be kept. */
static __noinline int uncached(struct task_struct *t, struct verdict *v, enum origin origin)
{
	struct ct_cpu *n = cpu_get();

	if (n)
		n->uncached++;
	/* What descends from it is found by its parent's verdict, wherever that is. */
	if (v->by_process && adopt_living(BPF_CORE_READ(t, start_boottime), BPF_CORE_READ(t, pid), v->target))
		count_origin(t, origin);
	return 0;
}

/*
 * Gives a verdict and, with CT_SCAN_JUDGE, caches it, if the task's entry can be had.
 * Returns the target. A task that leaves in the middle of a call stays in
 * until its end.
 */
static __noinline __u32 rejudge(struct task_struct *t, enum origin origin, __u32 scan, __u32 chain)
{
	struct ct_entry *e = entry_get(t);
	struct verdict v = {};
	__u64 css = (__u64)BPF_CORE_READ(t, cgroups);
	__u32 epoch = ctl.epoch;
	bool was, leaves;

	if (e && verdict_holds_for(e, css))
		return e->target;
	judge(t, &v, chain);
	if (scan != CT_SCAN_JUDGE)
		return v.target;
	/* Anew: held over the judgement it would have the verifier go through that with an entry and without. */
	e = entry_get(t);
	/* Out without having asked all is no verdict. */
	if (v.target == CT_NO_TARGET && cfg.have_tasks && !chain && !(e && e->epoch && e->target != CT_NO_TARGET))
		return CT_NO_TARGET;
	if (!e)
		e = entry_make(t);
	if (!e) {
		uncached(t, &v, origin);
		return v.target;
	}
	was = e->in;
	/* Also into another target; a process target's task does so without a move, when its descent is found. */
	leaves = was && !e->leaving && e->target != v.target && (v.target == CT_NO_TARGET || (!e->by_process && !v.by_process));
	if (leaves)
		send_left(t, e, bpf_ktime_get_boot_ns());
	if (v.target == CT_NO_TARGET) {
		if (!was)
			e->target = CT_NO_TARGET;
		else if (e->state == CALL_IN)
			e->leaving = 1;
		else
			mark_out(t, e);
	} else if (!was) {
		mark_in(e, t, &v, origin);
	} else {
		/* It left into this target, or in a call, and is back before that has ended. */
		if (leaves || e->leaving)
			count_origin(t, origin);
		e->leaving = 0;
		if (e->target != v.target) {
			target_live(e->target, -1);
			target_live(v.target, 1);
			e->target = v.target;
			set_numbers(e, t);
		}
		e->by_process = v.by_process;
		e->thread_only = v.thread_only;
	}
	/*
	 * Last: who finds the verdict valid finds the target, too. It is not while
	 * a cgroup's task may be a process target's for life: its next call asks.
	 */
	e->css = cfg.have_tasks && !chain && !v.by_process ? 0 : css;
	e->epoch = epoch;
	return e->target;
}

#endif
