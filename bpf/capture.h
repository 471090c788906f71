/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_CAPTURE_H
#define CTRACE_BPF_CAPTURE_H
/*
 * The operations of a system call (struct cap_op), one after the other: what
 * to copy is data, and the functions that do it are verified once, whatever
 * the table says.
 */
#include "bpf/vectors.h"

#define IOC_SIZE(cmd) ((cmd) >> 16 & 0x3fff)
#define IOC_WRITE 1
#define IOC_READ 2

/* The size of an ioctl's argument in this direction, by the number of the command; 0: it has none. */
static __always_inline __u64 ioctl_size(const struct scratch *s)
{
	__u64 cmd = s->args[1];
	__u32 dir = cmd >> 30 & 3;

	/* The terminal's old numbers tell neither; the largest is struct termios. FIOCLEX and FIONCLEX have no argument. */
	if ((cmd & 0xffff) >> 8 == 'T' && !dir)
		return (cmd & 0xff) == 0x50 || (cmd & 0xff) == 0x51 ? 0 : 44;
	/* A size without a direction is taken as both. */
	return !dir || dir & (s->when & CAP_ENTER ? IOC_WRITE : IOC_READ) ? IOC_SIZE(cmd) : 0;
}

static __always_inline void cap_value(struct scratch *s, const struct cap_op *op, __u64 value)
{
	struct cap_hdr *h = cap_begin(s, op, op->part, 0);
	__u64 off = s->off + sizeof(*h);

	bound(off);
	if (!h || off > SCRATCH_DATA - sizeof(value))
		return;
	__builtin_memcpy(&s->data[off], &value, sizeof(value));
	h->true_len = sizeof(value);
	cap_end(s, h, sizeof(value));
}

/* One operation on what is at addr. */
static __always_inline void capture_there(struct scratch *s, struct cap_op *op, __u64 addr)
{
	__u64 len;

	s->max = op_max(s, op);
	switch (op->kind) {
	case CAP_BYTES:
		cap_bytes(s, op, PLACE(op->part, 0), addr, op_length(s, op));
		break;
	case CAP_IOCTL:
		len = ioctl_size(s);
		if (len)
			cap_bytes(s, op, PLACE(op->part, 0), addr, len);
		break;
	case CAP_STR:
		cap_string(s, op, PLACE(op->part, 0), addr);
		break;
	case CAP_STRV:
		cap_strings(s, op, addr);
		break;
	case CAP_VCOUNT:
		cap_count(s, op, addr);
		break;
	case CAP_IOVEC:
		cap_vector(s, op, addr, op_length(s, op));
		break;
	case CAP_MMSG:
		cap_mmsg(s, op, addr, op_length(s, op));
		break;
	case CAP_IOCBS:
		cap_iocbs(s, op, addr, op_length(s, op));
		break;
	case CAP_PID:
		if (op->when & CAP_NETLINK && !is_netlink(s))
			break;
		if (op->elem && load_pointer(s, addr)) {
			s->unread = 1;
			break;
		}
		cap_pid_there(s, (op->elem ? s->pointer : addr) + op->len_off);
		break;
	case CAP_CREDS:
		cap_creds(s, addr);
		break;
	case CAP_VALUE:
		cap_value(s, op, addr);
		break;
	}
}

static __always_inline bool is_descriptors(const struct cap_op *op)
{
	return op->kind >= CAP_SOCK && op->kind <= CAP_RIGHTS;
}

/* An input that could not be read, or not all of it, is tried again at exit. What was read of it stays until then. */
static __always_inline void note_unread(struct scratch *s, const struct cap_op *op, __u32 i, __u64 off)
{
	__u64 pointer = s->args[op->arg & 7];

	s->failed |= 1u << i;
	if (!s->got)
		s->off = off;
	/* Where nothing can be there is nothing to wait for. */
	if (pointer >= 4096 && (__s64)pointer > 0)
		s->late |= 1u << (op->arg & 7);
}

/* Operation i of a call, if it belongs to s->when, or to the mask s->only where that is not 0. */
__noinline int capture_step(struct scratch *s, struct cap_spec *spec, __u32 i)
{
	struct cap_op *op;
	__u64 off, addr, k = i;

	bound(k);
	if (!s || !spec || k >= CT_OPS)
		return 0;
	op = &spec->ops[k];
	off = s->off;
	if (s->only ? !(s->only & 1u << i) : !(op->when & s->when))
		return 0;
	if (s->when == CAP_EXIT && !s->only && s->ret < 0 && s->ret >= -4095 && !(op->when & CAP_ON_ERROR))
		return 0;
	s->unread = 0;
	s->got = 0;
	if (is_descriptors(op)) {
		if (capture_descriptors(s, op))
			s->unread = 1;
	} else {
		addr = op_address(s, op);
		if (addr || op->kind == CAP_VALUE)
			capture_there(s, op, addr);
	}
	if (s->unread && s->when == CAP_ENTER && !s->only)
		note_unread(s, op, i, off);
	return 0;
}

/*
 * All operations of a call that belong to s->when; with a mask other than 0,
 * those of its bits. What could not be read, or not all of it, is noted in
 * s->failed.
 */
static __always_inline void capture_all(struct scratch *s, struct cap_spec *spec, __u32 only)
{
	s->only = only;
	for (__u32 i = 0; i < CT_OPS && i < spec->nops; i++)
		capture_step(s, spec, i);
}

#endif
