/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The programs. What they do is in the headers; here is when. */
#include "bpf/exec.h"
#include "bpf/record.h"
#include "bpf/scan.h"
#include "bpf/stack.h"
#include "bpf/wanted.h"
#include "bpf/where.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* Of a call without a valid verdict: that it has one now, by what is kept and not by what was just said. */
static __noinline int check_verdict(struct task_struct *t, struct ct_entry *e, __u64 css)
{
	struct ct_cpu *n = cpu_get();

	/* 0: a move ends the verdict at this moment, and judges anew. */
	if (e && e->epoch && (!e->css || e->css == css || e->css == (__u64)BPF_CORE_READ(t, cgroups)))
		return 0;
	if (n)
		n->unjudged++;
	return 0;
}

/* The entry of the current task if it is in, judged now when there is no valid verdict. NULL with a target: the task is in, and no entry could be had. */
static __always_inline struct ct_entry *current_entry(struct task_struct *t, __u32 *ret_target, __u32 chain)
{
	struct ct_entry *e = entry_get(t);
	__u64 css = (__u64)t->cgroups;

	if (!e || !verdict_holds_for(e, css)) {
		*ret_target = BROKEN(JUDGE) ? CT_NO_TARGET : rejudge(t, BY_CALL, CT_SCAN_JUDGE, chain);
		e = entry_get(t);
		if (chain)
			check_verdict(t, e, css);
		else if (cfg.have_tasks && !e && *ret_target == CT_NO_TARGET && !BROKEN(JUDGE))
			*ret_target = named_target(t);
	} else {
		*ret_target = e->never ? CT_NO_TARGET : e->target;
	}
	return *ret_target != CT_NO_TARGET ? e : NULL;
}

/* Copies the input of a call that begins: what is short waits in the entry, the rest goes ahead. */
static __noinline int capture_input(struct task_struct *t, struct ct_entry *e, struct cap_spec *spec, struct pt_regs *regs)
{
	struct scratch *s = scratch_get();

	if (!s)
		return 0;
	scratch_args(s, e, regs_sp(regs));
	s->ret = 0;
	s->flags = 0;
	s->when = CAP_ENTER;
	capture_all(s, spec, 0);
	if (asked_for(pids))
		cap_pid_args(s, spec);
	if (asked_for(files)) {
		list_args(s, spec);
		capture_listed(s);
	}
	if (asked_for(names) || asked_for(ip) || asked_for(stack))
		cap_place(s, address_of(regs));
	e->failed = s->failed;
	if (s->off <= CT_INLINE) {
		__builtin_memcpy(e->caps, s->data, CT_INLINE);
		e->caps_len = s->off;
		return 0;
	}
	send_payload(t, e, s, e->enter);
	return 0;
}

static __always_inline int call_enters(struct pt_regs *regs, long id)
{
	struct task_struct *t = bpf_get_current_task_btf();
	struct cap_spec *spec;
	struct ct_entry *e;
	__u32 target;
	__u64 now;

	e = current_entry(t, &target, CT_CHAIN);
	if (!e)
		return 0;
	/* It was moved out while its last call ended. */
	if (e->leaving) {
		mark_out(t, e);
		return 0;
	}
	now = bpf_ktime_get_boot_ns();
	if (run_over(now))
		return 0;
	e->compat = task_in_compat(t);
	if (e->held) {
		if (!is_exec_call(e->compat, id))
			return 0;
		e->held = 0;
		count_origin(t, BY_SCAN);
	}
	e->state = CALL_IN;
	e->denied = 0;
	e->enter = now;
	spec = call_begins(e, regs, id);
	if (!spec)
		return 0;
	e->wanted = spec->wanted;
	e->forks = spec->forks;
	if (!e->wanted || cfg.counts_only)
		return 0;
	if (spec->nops || asked_for(ip) || asked_for(stack) || asked_for(names) || (asked_for(pids) && (spec->pids | spec->pid_result)) || (asked_for(files) && (spec->fds | spec->fd_result))) {
		e->has_exit = spec->has_exit;
		capture_input(t, e, spec, regs);
	}
	if (cfg.split)
		send_enter(t, e);
	return 0;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(ctrace_sys_enter, struct pt_regs *regs, long id)
{
	return call_enters(regs, id);
}

/*
 * How a call came to be known waits in its entry: with constants in its place
 * the verifier would go through all that follows once for each of them.
 */
#define CT_F_HOW (CT_F_BEGUN_BEFORE | CT_F_DEGRADED | CT_F_DENIED)

/* A call that ends without an entry to its name: what it was, and whether it counts. */
static __always_inline bool exit_without_entry(struct task_struct *t, struct ct_entry *e, struct pt_regs *regs, long ret)
{
	long nr = regs_syscall(regs);
	__u8 state = e->state;

	e->state = CALL_IDLE;
	/* With --narrow it began before its function was hooked. */
	if (state == CALL_FORKED || cfg.narrow)
		return false;
	/* Of these a new task returns 0; who has made calls already is none, and was answered by seccomp. */
	if (!ret && state != CALL_IDLE && is_fork_call(task_in_compat(t), nr))
		return false;
	/* It began when sys_enter was detached already: after the trace's end. */
	if (state == CALL_IDLE && ctl.ending)
		return false;
	call_from_regs(t, e, regs);
	if (state == CALL_MAYBE) {
		e->flags = CT_F_BEGUN_BEFORE;
	} else if (t->seccomp.mode < SECCOMP_MODE_FILTER) {
		e->flags = CT_F_DEGRADED;
	} else {
		e->denied = 1;
		e->flags = CT_F_DENIED;
	}
	return true;
}

/* A task that is in and whose entry cannot be had: the record is made from the registers alone. */
static __noinline int exit_degraded(struct task_struct *t, struct pt_regs *regs, long ret, __u32 target, __u64 now)
{
	struct ct_entry *e = spare_entry(t, target);
	struct call_counts k;

	/* Whatever is known of it, of these a new task alone returns 0. */
	if (!e || (!ret && is_fork_call(task_in_compat(t), regs_syscall(regs))))
		return 0;
	call_registers(t, e, regs);
	if (call_counted(&k, t, e, ret, CT_F_DEGRADED, now))
		call_fate(&k, send_plain(t, e, ret, CT_F_DEGRADED, now));
	return 0;
}

/* A fork that has returned, and whose hook did not come by. */
static __always_inline void fork_unseen(void)
{
	struct ct_cpu *n = cpu_get();

	if (n)
		n->forks_unseen++;
}

static __always_inline int call_exits(struct pt_regs *regs, long ret)
{
	struct task_struct *t = bpf_get_current_task_btf();
	struct ct_entry *e;
	__u32 target;
	__u64 now;

	e = current_entry(t, &target, 0);
	if (target == CT_NO_TARGET)
		return 0;
	now = bpf_ktime_get_boot_ns();
	if (run_over(now))
		return 0;
	if (!e)
		return exit_degraded(t, regs, ret, target, now);
	if (e->held)
		return 0;
	if (e->state == CALL_IN) {
		e->state = CALL_IDLE;
		if (e->forks && ret > 0)
			fork_unseen();
	} else if (!exit_without_entry(t, e, regs, ret)) {
		return 0;
	}
	call_ended(t, e, direct_result(e, ret), e->flags & CT_F_HOW, now);
	if (e->leaving)
		mark_out(t, e);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(ctrace_sys_exit, struct pt_regs *regs, long ret)
{
	return call_exits(regs, ret);
}

/*
 * --narrow: a call's own function (__x64_sys_openat(const struct pt_regs *)), loaded once for each. Unlike those of
 * tracepoints these programs can be preempted on kernels that are built so, though not moved to another CPU (kernel/bpf/trampoline.c,
 * __bpf_prog_enter_recur): what then comes between, and would use the same scratch and counters, is left out and counted.
 */
static __always_inline struct ct_cpu *narrow_begin(void)
{
	struct ct_cpu *n = cpu_get();

	if (!n)
		return NULL;
	if (n->narrow) {
		n->preempted++;
		return NULL;
	}
	n->narrow = 1;
	return n;
}

SEC("narrow_enter")
int BPF_PROG(ctrace_narrow_enter, struct pt_regs *regs)
{
	struct ct_cpu *n = narrow_begin();

	if (!n)
		return 0;
	call_enters(regs, regs_syscall(regs));
	n->narrow = 0;
	return 0;
}

SEC("narrow_exit")
int BPF_PROG(ctrace_narrow_exit, struct pt_regs *regs, long ret)
{
	struct ct_cpu *n = narrow_begin();

	if (!n)
		return 0;
	call_exits(regs, ret);
	n->narrow = 0;
	return 0;
}

/* A program of the life cycle on a CPU where one of those was preempted: it has to run, and what both wrote may be mixed. */
static __always_inline void note_preempted(void)
{
	struct ct_cpu *n = cfg.narrow ? cpu_get() : NULL;

	if (n && n->narrow)
		n->preempted++;
}

#define ADOPT_CHUNK 8
#define ADOPT_CHUNKS 128

/* Where a walk over a task's children is. */
struct children {
	__u64 head, pos;
	__u32 target, done;
};

/* Some of the children; those that the fork hook saw have a verdict of their own, if their parent had one. */
__noinline int adopt_some(struct children *w)
{
	__u32 target;

	if (!w)
		return 0;
	/* 6.1 takes a map's value from the stack, not from the argument's memory. */
	target = w->target;
	for (int i = 0; i < ADOPT_CHUNK; i++) {
		struct list_head *pos = (void *)w->pos;
		struct task_struct *c = (void *)pos - bpf_core_field_offset(struct task_struct, sibling);
		__u64 start;

		if (!pos || w->pos == w->head) {
			w->done = 1;
			break;
		}
		start = BPF_CORE_READ(c, start_boottime);
		w->pos = (__u64)BPF_CORE_READ(pos, next);
		if (start < ctl.attached || ctl.adopted_living)
			adopt(start, BPF_CORE_READ(c, pid), target);
	}
	return 0;
}

/* The children of a task that ends and that no fork hook saw: their chain of parents breaks now. */
static __noinline int adopt_children(struct task_struct *t, __u32 target)
{
	struct children w = { .target = target };
	struct ct_cpu *n = cpu_get();

	w.head = address_of(t) + bpf_core_field_offset(struct task_struct, children);
	w.pos = (__u64)BPF_CORE_READ(t, children.next);
	if (w.pos == w.head)
		return 0;
	if (n)
		n->chains_broken++;
	if (BROKEN(ADOPT))
		return 0;
	for (int i = 0; i < ADOPT_CHUNKS && !w.done; i++)
		adopt_some(&w);
	if (w.done && n)
		n->chains_adopted++;
	return 0;
}

/* Whether the task ended inside a call. How it is shown is in e->flags. */
static __always_inline bool ended_in_call(struct task_struct *t, struct ct_entry *e)
{
	struct pt_regs *regs = (void *)bpf_task_pt_regs(t);
	__u32 how;

	if (e->state == CALL_IN)
		return true;
	/* With --narrow only what has been seen to begin is known to be one of the calls. */
	if (!regs || cfg.narrow)
		return false;
	/* Who is killed leaves his call by a sys_exit first. */
	if (e->state == CALL_MAYBE && is_exit_call(task_in_compat(t), regs_syscall(regs)))
		how = CT_F_BEGUN_BEFORE;
	/* A thread that seccomp kills alone, and not by a signal to its group, ends without sys_enter and sys_exit. */
	else if (!e->denied && t->seccomp.mode == SECCOMP_MODE_DEAD && (t->exit_code & 0x7f) == SIGSYS &&
		 (e->state == CALL_IDLE || !(BPF_CORE_READ(t, signal, flags) & SIGNAL_GROUP_EXIT)))
		how = CT_F_DENIED;
	else
		return false;
	call_from_regs(t, e, regs);
	e->flags = how;
	return true;
}

/* A leader that ends because another thread of its group did an exec: its number lives on. */
static __always_inline bool superseded(struct task_struct *t)
{
	struct signal_struct *sig = BPF_CORE_READ(t, signal);
	struct task_struct *other;

	if (t->pid != t->tgid)
		return false;
	if (bpf_core_field_exists(sig->group_exec_task)) {
		other = BPF_CORE_READ(sig, group_exec_task);
	} else {
		struct signal_struct___5_15 *old = (void *)sig;

		other = BPF_CORE_READ(old, group_exit_task);
	}
	return other && other != t;
}

static __noinline int send_exit(struct task_struct *t, struct ct_entry *e, __u64 now)
{
	struct rec_exit *r;

	if (superseded(t) || cfg.counts_only || !task_passes(t, e))
		return 0;
	r = bpf_ringbuf_reserve(&ring, sizeof(*r), 0);
	if (!r) {
		event_lost();
		return 0;
	}
	hdr_fill(&r->h, CT_REC_EXIT, t, e, now);
	if (BPF_CORE_READ(t, signal, live.counter) == 0)
		r->h.flags |= CT_F_GROUP_DEAD;
	if (BPF_CORE_READ(t, signal, oom_mm))
		r->h.flags |= CT_F_OOM_KILLED;
	r->code = t->exit_code;
	r->pad = 0;
	bpf_ringbuf_submit(r, 0);
	return 0;
}

/* What is kept by number of a process target's task, and its children. */
static __always_inline void end_numbers(struct task_struct *t, __u32 target)
{
	struct ct_cpu *n = cpu_get();

	adopt_children(t, target);
	if (adopted_done(BPF_CORE_READ(t, start_boottime), t->pid) && n)
		n->ended++;
}

/* The end of a task that is in and whose entry cannot be had. */
static __noinline int end_degraded(struct task_struct *t, __u32 target, __u64 now)
{
	struct ct_entry *e = spare_entry(t, target);
	struct call_counts k;

	if (!e)
		return 0;
	if (cfg.have_tasks)
		end_numbers(t, target);
	if (run_over(now))
		return 0;
	if (ended_in_call(t, e) && call_counted(&k, t, e, 0, CT_F_NO_RETURN, now))
		call_fate(&k, send_plain(t, e, 0, CT_F_NO_RETURN, now));
	send_exit(t, e, now);
	return 0;
}

#define PF_IO_WORKER 0x10
#define PF_USER_WORKER 0x4000   /* 6.4; nothing in the kernels before that are supported */

/* A thread that the kernel made for a task (io_uring, vhost): never in user space. */
static __always_inline bool is_worker(struct task_struct *t)
{
	return t->flags & (PF_IO_WORKER | PF_USER_WORKER);
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(ctrace_exit, struct task_struct *t)
{
	struct ct_entry *e = entry_get(t);
	struct ct_cpu *n = cpu_get();
	__u64 now = bpf_ktime_get_boot_ns();
	__u32 target;

	note_preempted();
	/* io_uring's threads of a task make no calls: nobody has heard of them. */
	if ((e && e->never) || (!e && is_worker(t)))
		return 0;
	if (!e || !verdict_holds(e, t)) {
		target = rejudge(t, BY_CALL, CT_SCAN_JUDGE, CT_CHAIN);
		if (target == CT_NO_TARGET)
			return 0;
		e = entry_get(t);
		if (!e)
			return end_degraded(t, target, now);
	}
	if (e->target == CT_NO_TARGET)
		return 0;
	if (cfg.have_tasks && e->by_process)
		end_numbers(t, e->target);
	if (__sync_lock_test_and_set(&e->in, 0)) {
		target_live(e->target, -1);
		if (n && !e->held)
			n->ended++;
	}
	if (!run_over(now)) {
		if (!e->held && ended_in_call(t, e))
			call_cut_short(t, e, e->flags & CT_F_HOW, now);
		e->state = CALL_IDLE;
		if (!is_worker(t))
			send_exit(t, e, now);
	}
	if (asked_for(pids))
		pid_ended(address_of(t));
	/* Nothing of the task's can come after this. */
	e->target = CT_NO_TARGET;
	e->by_process = 0;
	e->never = 1;
	return 0;
}

/* What a new task is, by its parent and by its cgroup, which is final here, also with CLONE_INTO_CGROUP. */
static __always_inline void judge_child(const struct ct_entry *p, struct task_struct *child, __u64 css, struct verdict *v)
{
	/* Without the parent's entry the child is judged at its own first call. */
	v->target = CT_NO_TARGET;
	if (p && p->by_process && p->target != CT_NO_TARGET) {
		v->target = p->target;
		v->by_process = 1;
	} else if (p && css == p->css && !p->leaving) {
		v->target = p->target;
	} else if (cfg.n_hierarchies) {
		v->target = judge_cgroups(css);
	}
	/* The first task of a pid namespace may come from outside: nsenter(1) forks. */
	if (cfg.nsenter && v->target == CT_NO_TARGET)
		v->target = judge_pidns((__u64)BPF_CORE_READ(child, thread_pid));
}

/* The parent's entry, with a valid verdict if one can be had. */
static __always_inline struct ct_entry *parent_entry(struct task_struct *parent)
{
	struct ct_entry *p = entry_get(parent);
	struct ct_cpu *n = cpu_get();

	if (!p || !verdict_holds(p, parent)) {
		rejudge(parent, BY_CALL, CT_SCAN_JUDGE, 0);
		p = entry_get(parent);
	}
	if (p)
		p->forks = 0;
	else if (n)
		n->forks_blind++;
	return p;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(ctrace_fork, struct task_struct *parent, struct task_struct *child)
{
	__u64 css = (__u64)BPF_CORE_READ(child, cgroups);
	struct verdict v = {};
	struct ct_entry *p, *e;

	if (BROKEN(FORK))
		return 0;
	note_preempted();
	p = parent_entry(parent);
	if (p && p->never) {
		e = entry_make(child);
		if (e)
			e->never = 1;
		return 0;
	}
	judge_child(p, child, css, &v);
	if (v.target == CT_NO_TARGET)
		return 0;
	e = entry_make(child);
	if (!e) {
		uncached(child, &v, BY_FORK);
		return 0;
	}
	mark_in(e, child, &v, BY_FORK);
	e->state = CALL_FORKED;
	if (p && p->epoch && p->target == v.target)
		e->phase = p->phase;
	if (cfg.waits)
		first_process(child, e, 0);
	/* Last, as in rejudge(). */
	e->css = css;
	e->epoch = ctl.epoch;
	return 0;
}

/* With --narrow: a held COMMAND's execve, at which it is let go, need not be among the calls, nor any before it. */
static __always_inline struct ct_entry *let_go(struct task_struct *t, struct ct_entry *e)
{
	if (!e || !verdict_holds(e, t)) {
		rejudge(t, BY_CALL, CT_SCAN_JUDGE, CT_CHAIN);
		e = entry_get(t);
	}
	if (e && e->held) {
		e->held = 0;
		count_origin(t, BY_SCAN);
	}
	return e;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(ctrace_exec, struct task_struct *t, int old_pid, struct linux_binprm *bprm)
{
	struct ct_entry *e = entry_get(t);
	__u32 old_tid;

	if (cfg.narrow)
		e = let_go(t, e);
	if (!entry_in(e))
		return 0;
	note_preempted();
	if (e->state == CALL_IN && e->failed && e->wanted && !cfg.counts_only)
		capture_exec(t, e, address_of(bprm));
	e->failed = 0;
	if (e->phase == PHASE_RUNTIME && !is_runtime((__u64)BPF_CORE_READ(bprm, file)))
		e->phase = PHASE_CONTAINER;
	if (cfg.waits && e->phase == PHASE_CONTAINER)
		first_process(t, e, 1);
	old_tid = e->tid;
	set_numbers(e, t);
	if (!task_passes(t, e) || run_over(bpf_ktime_get_boot_ns()) || cfg.counts_only)
		return 0;
	send_exec(t, e, old_pid, old_tid, (__u64)BPF_CORE_READ(bprm, filename));
	return 0;
}

/* A directory is made, and no task can be in it yet (the event comes under cgroup_mutex). */
SEC("tp_btf/cgroup_mkdir")
int BPF_PROG(ctrace_mkdir, struct cgroup *cgrp, const char *path)
{
	__u32 hierarchy = BPF_CORE_READ(cgrp, root, hierarchy_id), target;
	struct ct_cgroup_key key = { .hierarchy = CT_HIERARCHIES };
	struct ct_target *tg;

	for (__u32 h = 0; h < CT_HIERARCHIES && h < cfg.n_hierarchies; h++) {
		if (cfg.hierarchies[h] == hierarchy)
			key.hierarchy = h;
	}
	if (key.hierarchy == CT_HIERARCHIES)
		return 0;
	target = wanted_by(address_of(cgrp), address_of(path), key.hierarchy);
	tg = target_get(target);
	if (!tg)
		return 0;
	/* Whatever ran under this name before, its numbers are not those of what comes. */
	if (tg->flags & CT_TARGET_WAITED)
		tg->pidns = 0;
	key.id = BPF_CORE_READ(cgrp, kn, id);
	if (bpf_map_update_elem(&sel_cgroups, &key, &target, BPF_ANY))
		event_lost();
	send_made(target, key.id, hierarchy, address_of(path));
	return 0;
}

SEC("tp_btf/cgroup_attach_task")
int BPF_PROG(ctrace_attach, struct cgroup *dst, const char *path, struct task_struct *t, bool threadgroup)
{
	struct ct_entry *e;

	if (!cfg.n_hierarchies || BROKEN(MOVE))
		return 0;
	e = entry_get(t);
	/*
	 * A set of cgroups that no task has any more is freed, and its memory can
	 * be the next set's. So that the address of a task's set is what tells that
	 * its verdict holds, the verdicts of all that may have slept through two
	 * moves end here: those of this task, or, of a group, all that there are.
	 */
	if (threadgroup && BPF_CORE_READ(t, signal, nr_threads) > 1)
		__sync_fetch_and_add(&ctl.epoch, 1);
	else if (e)
		e->css = 0;
	/* A first thread that is a zombie stands for its group, and moves no more. */
	if (!(t->flags & PF_EXITING))
		rejudge(t, BY_MOVE, CT_SCAN_JUDGE, 1);
	return 0;
}

/* Of which signals the union begins with a number is the decoder's matter. */
static __always_inline void signal_sender(struct rec_signal *r)
{
	struct scratch *s = scratch_get();
	__s32 nr;

	__builtin_memcpy(&nr, r->fields, sizeof(nr));
	if (s && pid_look(s, nr, 1))
		r->sender = s->pid;
}

static __always_inline __u64 user_ip(struct task_struct *t)
{
	struct pt_regs *regs = (void *)bpf_task_pt_regs(t);

	return regs ? regs_ip(regs) : 0;
}

static __always_inline void signal_fill(struct rec_signal *r, struct task_struct *t, const struct ct_entry *e, int sig, struct kernel_siginfo *info,
					__u64 now)
{
	hdr_fill(&r->h, CT_REC_SIGNAL, t, e, now);
	r->signo = sig;
	r->code = BPF_CORE_READ(info, si_code);
	r->err = BPF_CORE_READ(info, si_errno);
	r->caps_len = 0;
	__builtin_memset(r->fields, 0, sizeof(r->fields));
	/* kernel_siginfo is 48 bytes: three ints, padding, and the union. */
	bpf_probe_read_kernel(r->fields, 32, (void *)info + 16);
	__builtin_memset(&r->sender, 0, sizeof(r->sender));
	if (asked_for(pids))
		signal_sender(r);
	r->ip = asked_for(ip) ? user_ip(t) : 0;
}

/* With the stack as it is where the signal comes. */
static __always_inline void send_signal_stack(struct task_struct *t, const struct ct_entry *e, int sig, struct kernel_siginfo *info, __u64 now)
{
	struct pt_regs *regs = (void *)bpf_task_pt_regs(t);
	struct scratch *s = scratch_get();
	__u64 len;

	if (!s || !regs)
		return;
	signal_fill((void *)s->data, t, e, sig, info, now);
	s->off = sizeof(struct rec_signal);
	cap_place(s, address_of(regs));
	len = s->off;
	((struct rec_signal *)s->data)->caps_len = len - sizeof(struct rec_signal);
	bound(len);
	if (len <= SCRATCH_DATA && bpf_ringbuf_output(&ring, s->data, len, 0))
		event_lost();
}

SEC("tp_btf/signal_deliver")
int BPF_PROG(ctrace_signal, int sig, struct kernel_siginfo *info)
{
	struct task_struct *t = bpf_get_current_task_btf();
	struct ct_entry *e = entry_get(t);
	struct rec_signal *r;
	__u64 now;

	if (!entry_in(e) || cfg.counts_only)
		return 0;
	note_preempted();
	now = bpf_ktime_get_boot_ns();
	if (run_over(now) || !task_passes(t, e))
		return 0;
	if (asked_for(stack)) {
		send_signal_stack(t, e, sig, info, now);
		return 0;
	}
	r = bpf_ringbuf_reserve(&ring, sizeof(*r), 0);
	if (!r) {
		event_lost();
		return 0;
	}
	signal_fill(r, t, e, sig, info, now);
	bpf_ringbuf_submit(r, 0);
	return 0;
}

SEC("iter/task")
int ctrace_scan(struct bpf_iter__task *ctx)
{
	struct task_struct *t = ctx->task;

	if (!t)
		return 0;
	scan_any(ctx->meta->seq, t);
	return 0;
}

struct ask {
	struct seq_file *seq;
};

static long ask_one(__u32 i, struct ask *a)
{
	struct task_struct *t;

	if (i >= CT_ASKED || i >= asked.n)
		return 1;
	t = bpf_task_from_pid(asked.tids[i]);
	if (!t)
		return 0;
	/* ctrace_scan has shown those. */
	if (!number_in((__u64)BPF_CORE_READ(t, thread_pid), ctl.own_pidns))
		scan_any(a->seq, t);
	bpf_task_release(t);
	return 0;
}

/*
 * The iterator goes over the tasks of its reader's pid namespace; of a ctrace
 * in a container the targets are elsewhere, and are asked for one by one.
 */
SEC("iter/task")
int ctrace_ask(struct bpf_iter__task *ctx)
{
	struct ask a = { ctx->meta->seq };

	/* One step of the walk is enough. */
	if (ctx->task && !ctx->meta->seq_num)
		bpf_loop(CT_ASKED, ask_one, &a, 0);
	return 0;
}

SEC("iter/task")
int ctrace_where(struct bpf_iter__task *ctx)
{
	/* The walk begins at any task and goes over all: once is enough. */
	if (ctx->task && !ctx->meta->seq_num)
		where_tell(ctx->meta->seq, ctx->task);
	return 0;
}
