/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_STACK_H
#define CTRACE_BPF_STACK_H
/*
 * Where in its program a task makes a call or gets a signal: the instruction
 * pointer (cfg.ip), or all registers and a piece of the user stack (cfg.stack),
 * which user space unwinds.
 */
#include "bpf/state.h"

#define STACK_PAGES (CT_STACK_MAX / 4096)

/* Begins a capture that needs room for max bytes at most; its place in s->data, or ~0 if there is none. */
static __always_inline __u64 place_begin(struct scratch *s, __u8 part, __u64 max)
{
	__u64 off = s->off;
	struct cap_hdr *h;

	bound(off);
	if (off > SCRATCH_DATA - sizeof(*h) - max)
		return ~0ull;
	h = (void *)&s->data[off];
	__builtin_memset(h, 0, sizeof(*h));
	h->part = part;
	return off + sizeof(*h);
}

static __always_inline void place_end(struct scratch *s, __u64 off, __u64 len)
{
	struct cap_hdr *h = (void *)&s->data[off - sizeof(*h)];

	h->len = len;
	h->true_len = len;
	s->off = off + ((len + 3) & ~3ull);
}

/* The user stack from its pointer on, a page at a time, as far as it can be read. */
__noinline int cap_stack(struct scratch *s, __u64 sp)
{
	__u64 off, done = 0, n;

	if (!asked_for(stack) || !s)
		return 0;
	off = place_begin(s, CT_PART_STACK, CT_STACK_MAX);
	if (off > SCRATCH_DATA)
		return 0;
	for (__u32 i = 0; i < STACK_PAGES; i++) {
		n = 4096 - ((sp + done) & 4095);
		bound(done);
		if (done > CT_STACK_MAX - 4096)
			break;
		bound(n);
		if (n > 4096)
			break;
		if (bpf_probe_read_user(&s->data[off + done], n, (void *)(sp + done)))
			break;
		done += n;
	}
	place_end(s, off, done);
	return 0;
}

/* The user's registers, as the kernel keeps them: struct pt_regs of x86, struct user_pt_regs of arm64; then whose child the process is. */
static __always_inline void cap_registers(struct scratch *s, const struct pt_regs *regs)
{
	struct task_struct *t = bpf_get_current_task_btf();
	__u64 off = place_begin(s, CT_PART_REGS, CT_REGS_SIZE + sizeof(__u32));
	__u32 parent = BPF_CORE_READ(t, real_parent, tgid);

	if (off > SCRATCH_DATA)
		return;
	bpf_probe_read_kernel(&s->data[off], CT_REGS_SIZE, regs);
	__builtin_memcpy(&s->data[off + CT_REGS_SIZE], &parent, sizeof(parent));
	place_end(s, off, CT_REGS_SIZE + sizeof(parent));
}

/* A function of its own: the frames of all that call each other have 512 bytes together. */
__noinline int cap_place(struct scratch *s, __u64 regs_addr)
{
	const struct pt_regs *regs = (void *)regs_addr;
	__u64 ip = 0, sp = 0, off;

	if (!s || !(asked_for(names) || asked_for(ip) || asked_for(stack)))
		return 0;
	bpf_probe_read_kernel(&ip, sizeof(ip), regs_ip_at(regs));
	bpf_probe_read_kernel(&sp, sizeof(sp), regs_sp_at(regs));

	if (asked_for(names)) {
		off = place_begin(s, CT_PART_COMM, CT_COMM_LEN);
		if (off <= SCRATCH_DATA) {
			bpf_get_current_comm(&s->data[off], CT_COMM_LEN);
			place_end(s, off, CT_COMM_LEN);
		}
	}
	if (asked_for(ip)) {
		off = place_begin(s, CT_PART_IP, sizeof(ip));
		if (off <= SCRATCH_DATA) {
			__builtin_memcpy(&s->data[off], &ip, sizeof(ip));
			place_end(s, off, sizeof(ip));
		}
	}
	if (asked_for(stack)) {
		cap_registers(s, regs);
		cap_stack(s, sp);
	}
	return 0;
}

/* Of a call whose entry was not seen: the registers are still as they were then, but for the result. */
static __always_inline void place_unseen(struct scratch *s, struct task_struct *t)
{
	struct pt_regs *regs = (void *)bpf_task_pt_regs(t);

	s->flags = 0;
	if (regs)
		cap_place(s, address_of(regs));
}

#endif
