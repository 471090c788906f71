/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_SCAN_H
#define CTRACE_BPF_SCAN_H
/* What the task iterators write of one task: its verdict, or its call that has not ended. */
#include "bpf/record.h"

/* The iterator goes from parents to children, nearly: a task and its parent are enough, and a further pass does the rest. */
static __always_inline void scan_task(struct seq_file *seq, struct task_struct *t)
{
	struct ct_scan_row row = {};
	struct ct_entry *e = entry_get(t);

	/*
	 * Known, and not to be shown: ctrace inside of its target is not a task
	 * that was missed. Neither is a zombie; what ends now is judged then.
	 */
	if ((e && (e->never || e->held)) || t->flags & PF_EXITING) {
		row.is = CT_TASK_LEFT_OUT;
	} else {
		row.target = rejudge(t, BY_SCAN, ctl.scan, 2);
		row.is = row.target == CT_NO_TARGET ? CT_TASK_OUT : CT_TASK_IN;
	}
	row.tid = t->pid;
	row.tgid = t->tgid;
	if (ctl.scan_pidns) {
		row.tid = number_in((__u64)BPF_CORE_READ(t, thread_pid), ctl.scan_pidns);
		row.tgid = number_in((__u64)BPF_CORE_READ(t, group_leader, thread_pid), ctl.scan_pidns);
	}
	bpf_seq_write(seq, &row, sizeof(row));
}

/*
 * Whether a task that has made no call since it was marked sleeps in one that
 * began before. One that runs may be in user mode, with the registers of a
 * call that is long over still in place.
 */
static __always_inline bool blocked_in_call(struct task_struct *t)
{
	struct pt_regs *regs = (void *)bpf_task_pt_regs(t);

	return t->__state && regs && regs_syscall(regs) >= 0;
}

static __always_inline void scan_call(struct seq_file *seq, struct task_struct *t)
{
	struct ct_entry *e = entry_get(t);
	bool blocked = ctl.scan == CT_SCAN_BLOCKED;
	__u32 flags = blocked ? 0 : CT_F_IN_FLIGHT;
	struct rec_syscall r = {};
	__u64 len;

	if (!entry_in(e))
		return;
	if (blocked && (e->state != CALL_IN || !e->enter))
		return;
	if (e->state == CALL_MAYBE && blocked_in_call(t)) {
		call_from_regs(t, e, (void *)bpf_task_pt_regs(t));
		flags |= CT_F_BEGUN_BEFORE;
	} else if (e->state != CALL_IN) {
		return;
	}
	if (!e->wanted || !(cfg.status & CT_WANT_IN_FLIGHT) || !task_passes(t, e))
		return;
	call_fill(&r, t, e, 0, flags, 0);
	if (blocked)
		r.h.kind = CT_REC_ENTER;
	len = e->caps_len;
	bound(len);
	if (len > CT_INLINE)
		len = 0;
	r.caps_len = len;
	bpf_seq_write(seq, &r, sizeof(r));
	if (len)
		bpf_seq_write(seq, e->caps, len);
}

static __always_inline void scan_any(struct seq_file *seq, struct task_struct *t)
{
	if (ctl.scan == CT_SCAN_CALLS || ctl.scan == CT_SCAN_BLOCKED)
		scan_call(seq, t);
	else
		scan_task(seq, t);
}

#endif
