/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_EXEC_H
#define CTRACE_BPF_EXEC_H
/* An exec that succeeded: its record, and its arguments out of the new memory. */
#include "bpf/record.h"

#define STRING_CHUNKS 5         /* MAX_ARG_STRLEN and a NUL */

/* Past the end of the string at w->addr; 1: it is not found. The data beyond what is captured serves as room. */
static __always_inline long skip_string(struct walk *w)
{
	struct scratch *s = w->s;
	__u64 off = s->off;
	long n;

	bound(off);
	if (off > SCRATCH_DATA)
		return 1;
	for (int i = 0; i < STRING_CHUNKS; i++) {
		n = read_user_str(&s->data[off], CT_CAP_MAX, w->addr);
		if (n <= 0)
			return 1;
		if (n < CT_CAP_MAX) {
			w->addr += n;
			return 0;
		}
		/* Its last byte is a NUL in any case. */
		w->addr += n - 1;
	}
	return 1;
}

/* Argument string i as exec laid them out in the new memory, one behind the other. */
static long exec_string(__u32 i, void *walk)
{
	struct walk *w = walk;
	struct scratch *s = w->s;
	__u64 before = s->off;

	if (w->addr >= w->end)
		return 1;
	if (i >= w->op->elem) {
		element_ends(s, w->op, i, CT_CAP_CUT);
		return 1;
	}
	if (!cap_string(s, w->op, PLACE(w->op->part, i), w->addr))
		return 1;
	bound(before);
	if (before > SCRATCH_DATA)
		return 1;
	/* A string that was cut does not tell where the next begins. */
	if (((struct cap_hdr *)&s->data[before])->flags & CT_CAP_CUT)
		return skip_string(w);
	w->addr += ((struct cap_hdr *)&s->data[before])->len + 1;
	return 0;
}

__noinline int exec_strings(struct scratch *s, struct cap_op *op, __u64 addr, __u64 end)
{
	struct walk w = { .s = s, .op = op, .addr = addr, .end = end };

	if (!s || !op)
		return 0;
	walk_loop(CT_VEC_MAX + 1, exec_string, &w);
	return 0;
}

/* One operation of an exec that succeeded. */
__noinline int exec_capture_op(struct scratch *s, struct cap_op *op, __u64 bprm_addr, __u64 mm_addr, __u32 argv)
{
	struct linux_binprm *bprm = (void *)bprm_addr;
	struct mm_struct *mm = (void *)mm_addr;
	struct cap_hdr *h;
	__u64 off;
	__u32 count;
	bool env;
	long n;

	if (!s || !op)
		return 0;
	env = op->arg != argv;
	if (op->kind == CAP_STRV && env)
		return exec_strings(s, op, BPF_CORE_READ(mm, env_start), BPF_CORE_READ(mm, env_end));
	if (op->kind == CAP_STRV)
		return exec_strings(s, op, BPF_CORE_READ(mm, arg_start), BPF_CORE_READ(mm, arg_end));
	h = cap_begin(s, op, op->part, 0);
	off = s->off + sizeof(*h);
	bound(off);
	if (!h || off > SCRATCH_DATA)
		return 0;
	if (op->kind == CAP_STR) {
		n = bpf_probe_read_kernel_str(&s->data[off], 4096, BPF_CORE_READ(bprm, filename));
		if (n <= 0)
			return 0;
		h->true_len = n - 1;
		cap_end(s, h, (__u64)(n - 1) & 0xffff);
	} else if (op->kind == CAP_VCOUNT) {
		count = env ? BPF_CORE_READ(bprm, envc) : BPF_CORE_READ(bprm, argc);
		h->true_len = sizeof(count);
		__builtin_memcpy(&s->data[off], &count, sizeof(count));
		cap_end(s, h, sizeof(count));
	}
	return 0;
}

/* The path and the arguments of an exec that succeeded, where they could not be read before: the old memory is gone. */
static __noinline int capture_exec(struct task_struct *t, struct ct_entry *e, __u64 bprm_addr)
{
	struct scratch *s = scratch_get();
	__u32 row = row_of(e->compat, e->nr);
	struct cap_spec *spec = bpf_map_lookup_elem(&specs, &row);
	__u64 mm = (__u64)BPF_CORE_READ(t, mm);

	if (!s || !spec)
		return 0;
	scratch_args(s, e, 0);
	s->flags = CT_CAP_AT_EXIT | CT_CAP_RETRIED;
	for (__u32 i = 0; i < CT_OPS && i < spec->nops; i++) {
		/* execve(2) has three arguments, execveat(2) five and argv behind the path. */
		if (e->failed & 1u << i)
			exec_capture_op(s, &spec->ops[i], bprm_addr, mm, spec->nargs == 3 ? 1 : 2);
	}
	send_payload(t, e, s, bpf_ktime_get_boot_ns());
	return 0;
}

/* The exec's own record, with the path that was executed. */
static __noinline int send_exec(struct task_struct *t, struct ct_entry *e, __u32 old_pid, __u32 old_tid, __u64 filename)
{
	struct scratch *s = scratch_get();
	struct rec_exec *r;
	__u64 len = 0;
	long n;

	if (!s)
		return 0;
	r = (void *)s->data;
	hdr_fill(&r->h, CT_REC_EXEC, t, e, bpf_ktime_get_boot_ns());
	r->old_host_tid = old_pid;
	r->old_tid = old_tid;
	r->pad = 0;
	n = bpf_probe_read_kernel_str(s->data + sizeof(*r), 4096, (void *)filename);
	if (n > 1)
		len = n - 1;
	bound(len);
	if (len > 4095)
		len = 4095;
	r->filename_len = len;
	if (bpf_ringbuf_output(&ring, r, sizeof(*r) + len, 0))
		event_lost();
	return 0;
}

#endif
