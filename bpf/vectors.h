/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_VECTORS_H
#define CTRACE_BPF_VECTORS_H
/* Vectors: of strings, of pointers, iovec arrays, messages, iocbs. */
#include "bpf/copy.h"

enum element { ELEMENT_OK, ELEMENT_END, ELEMENT_FAILED };

/* A pointer in user memory into *s->pointer; not 0: it cannot be read. */
__noinline int load_pointer(struct scratch *s, __u64 addr)
{
	if (!s)
		return 1;
	s->pointer = 0;
	return s->compat ? bpf_probe_read_user(&s->pointer, 4, (void *)addr) : bpf_probe_read_user(&s->pointer, 8, (void *)addr);
}

/* What the steps of a loop over a vector work on. */
struct walk {
	struct scratch *s;
	struct cap_op *op;
	__u64 addr, end;
	int r;                  /* enum element of the last one */
};

#define SHORT_LOOP 32   /* steps where there is no bpf_loop */

/* n times step, until it returns 1: with bpf_loop the verifier goes through it once. */
static __always_inline void walk_loop(__u32 n, long (*step)(__u32 i, void *walk), struct walk *w)
{
	if (bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_loop)) {
		bpf_loop(n, step, w, 0);
		return;
	}
	for (__u32 i = 0; i < SHORT_LOOP && i < n; i++) {
		if (step(i, w))
			break;
	}
}

/* An element without data says how its vector ends: it could not be read, or has more of them. */
static __always_inline bool element_ends(struct scratch *s, struct cap_op *op, __u32 i, __u8 flag)
{
	struct cap_hdr *h = cap_begin(s, op, op->part, i);

	if (!h)
		return false;
	h->flags |= flag;
	cap_end(s, h, 0);
	return true;
}

/* A string of a vector that could not be read: its pointer is what there is of it. */
static __always_inline void element_unread(struct scratch *s, struct cap_op *op, __u32 i)
{
	__u64 off = s->off;
	struct cap_hdr *h = cap_begin(s, op, op->part, i);

	bound(off);
	if (!h || off > SCRATCH_DATA - 64)
		return;
	h->flags |= CT_CAP_FAILED;
	h->true_len = sizeof(s->pointer);
	__builtin_memcpy(&s->data[off + sizeof(*h)], &s->pointer, sizeof(s->pointer));
	cap_end(s, h, sizeof(s->pointer));
}

/* Element i of a vector of strings. */
static long string_element(__u32 i, void *walk)
{
	struct walk *w = walk;
	struct scratch *s = w->s;
	__u64 before = s->off;

	if (load_pointer(s, w->addr + (__u64)i * (s->compat ? 4 : 8))) {
		s->unread = 1;
		element_ends(s, w->op, i, CT_CAP_FAILED);
		return 1;
	}
	if (!s->pointer)
		return 1;
	if (i >= w->op->elem) {
		element_ends(s, w->op, i, CT_CAP_CUT);
		return 1;
	}
	if (!cap_string(s, w->op, PLACE(w->op->part, i), s->pointer)) {
		s->off = before;
		element_unread(s, w->op, i);
	}
	return 0;
}

__noinline int cap_strings(struct scratch *s, struct cap_op *op, __u64 addr)
{
	struct walk w = { .s = s, .op = op, .addr = addr };

	if (!s || !op)
		return 0;
	walk_loop(CT_VEC_MAX + 1, string_element, &w);
	/* All of it is read again: where it ended may be another place. */
	if (s->unread)
		s->got = 0;
	return 0;
}

#define COUNT_CHUNKS 4096       /* 131,072 pointers */

/* Counts pointers into s->count, until NULL, the end of the chunk, or one that cannot be read. */
__noinline int count_chunk(struct scratch *s, __u64 addr)
{
	__u64 len = sizeof(s->chunk);
	__u32 n = 0, there = COUNT_CHUNK, word = 8;

	if (!s)
		return ELEMENT_FAILED;
	if (s->compat) {
		len /= 2;
		word = 4;
	}
	if (bpf_probe_read_user(s->chunk, len, (void *)addr)) {
		/* A vector may end with its page; behind its last whole pointer lies 0 then. */
		len = to_page_end(addr) & (s->compat ? ~3ull : ~7ull);
		bound(len);
		__builtin_memset(s->chunk, 0, sizeof(s->chunk));
		if (len >= sizeof(s->chunk) || bpf_probe_read_user(s->chunk, len, (void *)addr))
			return ELEMENT_FAILED;
		there = len / word;
	}
	if (s->compat) {
		for (n = 0; n < COUNT_CHUNK && ((__u32 *)s->chunk)[n]; n++)
			;
	} else {
		for (n = 0; n < COUNT_CHUNK && s->chunk[n]; n++)
			;
	}
	s->count += n;
	return n < there ? ELEMENT_END : there < COUNT_CHUNK ? ELEMENT_FAILED : ELEMENT_OK;
}

static long count_step(__u32 i, void *walk)
{
	struct walk *w = walk;

	w->r = count_chunk(w->s, w->addr + (__u64)i * COUNT_CHUNK * (w->s->compat ? 4 : 8));
	return w->r != ELEMENT_OK;
}

__noinline int cap_count(struct scratch *s, struct cap_op *op, __u64 addr)
{
	struct walk w = { .s = s, .op = op, .addr = addr, .r = ELEMENT_OK };
	struct cap_hdr *h;
	__u64 off;

	if (!s || !op)
		return 0;
	off = s->off;
	h = cap_begin(s, op, op->part, 0);
	if (!h)
		return 0;
	s->count = 0;
	walk_loop(COUNT_CHUNKS, count_step, &w);
	if (w.r == ELEMENT_FAILED)
		s->unread = 1;
	if (w.r == ELEMENT_FAILED && !s->count) {
		h->flags |= CT_CAP_FAILED;
		cap_end(s, h, 0);
		return 0;
	}
	/* No NULL was found. */
	if (w.r != ELEMENT_END)
		h->flags |= CT_CAP_CUT;
	bound(off);
	if (off > SCRATCH_DATA - 64)
		return 0;
	h->true_len = sizeof(s->count);
	__builtin_memcpy(&s->data[off + sizeof(*h)], &s->count, sizeof(s->count));
	cap_end(s, h, sizeof(s->count));
	return 1;
}

#define NO_LIMIT (~0ull)        /* scratch.left */

/* Takes the next len bytes of what a vector may still have: how many of them there are. */
static __always_inline __u64 take_left(struct scratch *s, __u64 len)
{
	/* The lengths of input may be anything, their sum, too. */
	if (s->left == NO_LIMIT)
		return len;
	if (len > s->left)
		len = s->left;
	s->left -= len;
	return len;
}

/* The data of element i of an iovec array, as far as s->left goes. */
static long vector_element(__u32 i, void *walk)
{
	struct walk *w = walk;
	struct scratch *s = w->s;
	__u64 addr = w->addr + (__u64)i * (s->compat ? 8 : 16), base;

	if (i >= w->op->elem || !s->left || load_pointer(s, addr))
		return 1;
	base = s->pointer;
	if (load_pointer(s, addr + (s->compat ? 4 : 8)))
		return 1;
	/* One that cannot be read says nothing of those behind it. */
	cap_bytes(s, w->op, PLACE(w->op->part + 1, i), base, take_left(s, s->pointer));
	return 0;
}

/* An iovec array, and the data of its elements: all of it for input, up to the result for output. */
__noinline int cap_vector(struct scratch *s, struct cap_op *op, __u64 addr, __u64 count)
{
	struct walk w = { .s = s, .op = op, .addr = addr };
	__u32 size;

	if (!s || !op)
		return 0;
	size = s->compat ? 8 : 16;
	s->left = s->when & CAP_ENTER || op->when & CAP_WHOLE ? NO_LIMIT : s->ret > 0 ? s->ret : 0;
	s->max = (op->elem < CT_VEC_MAX ? op->elem : CT_VEC_MAX) * size;
	if (!cap_bytes(s, op, PLACE(op->part, 0), addr, count * size))
		return 0;
	s->max = op_max(s, op);
	walk_loop(count < CT_VEC_MAX ? count : CT_VEC_MAX, vector_element, &w);
	return 0;
}

#define MMSG_NAME_MAX 128
#define MMSG_CONTROL_MAX 4096
#define MMSG_STEPS 8192         /* of all messages together */

/* A pointer-sized field of a struct mmsghdr, by its place in words. */
static __always_inline __u64 mmsg_word(struct scratch *s, __u64 addr, __u32 word)
{
	if (!load_pointer(s, addr + word * (s->compat ? 4 : 8)))
		return s->pointer;
	s->unread = 1;
	return 0;
}

enum { MMSG_NAME, MMSG_IOV, MMSG_DATA, MMSG_CONTROL };

/* The next piece of an array of messages; which that is, the scratch says. */
static long mmsg_step(__u32 i, void *walk)
{
	struct walk *w = walk;
	struct scratch *s = w->s;
	__u64 addr = w->addr + (__u64)s->walk.i * (s->compat ? 32 : 64), base, len;

	if (s->walk.i >= s->count || s->walk.i >= w->op->elem)
		return 1;
	switch (s->walk.stage) {
	case MMSG_NAME:
		s->walk.stage = MMSG_IOV;
		base = mmsg_word(s, addr, 0);
		len = (__u32)mmsg_word(s, addr, 1);
		s->max = MMSG_NAME_MAX;
		if (base && (__s32)len > 0)
			cap_bytes(s, w->op, PLACE(w->op->part, s->walk.i), base, len);
		break;
	case MMSG_IOV:
		s->walk.stage = MMSG_DATA;
		s->walk.at = mmsg_word(s, addr, 2);
		len = mmsg_word(s, addr, 3);
		s->walk.left = len < CT_VEC_MAX ? len : CT_VEC_MAX;
		s->left = s->when & CAP_ENTER ? NO_LIMIT : (__u32)mmsg_word(s, addr, 7);
		s->max = CT_VEC_MAX * (s->compat ? 8 : 16);
		if (s->walk.at)
			cap_bytes(s, w->op, PLACE(w->op->part + 1, s->walk.i), s->walk.at, len * (s->compat ? 8 : 16));
		break;
	case MMSG_DATA:
		if (!s->walk.left || !s->left || !s->walk.at) {
			s->walk.serial += s->walk.left;
			s->walk.stage = MMSG_CONTROL;
			break;
		}
		base = mmsg_word(s, s->walk.at, 0);
		len = take_left(s, mmsg_word(s, s->walk.at, 1));
		s->max = op_max(s, w->op);
		cap_bytes(s, w->op, PLACE(w->op->part + 2, s->walk.serial & 0xffff), base, len);
		s->walk.serial++;
		s->walk.left--;
		s->walk.at += s->compat ? 8 : 16;
		break;
	default:
		s->walk.stage = MMSG_NAME;
		base = mmsg_word(s, addr, 4);
		len = mmsg_word(s, addr, 5);
		s->max = MMSG_CONTROL_MAX;
		if (base && len)
			cap_bytes(s, w->op, PLACE(w->op->part + 3, s->walk.i), base, len);
		s->walk.i++;
	}
	return 0;
}

/* All messages of an array: those that were given, or that the call filled in. */
__noinline int cap_mmsg(struct scratch *s, struct cap_op *op, __u64 addr, __u64 count)
{
	struct walk w = { .s = s, .op = op, .addr = addr };

	if (!s || !op)
		return 0;
	s->count = count < CT_VEC_MAX ? count : CT_VEC_MAX;
	s->walk = (struct place_walk){};
	walk_loop(MMSG_STEPS, mmsg_step, &w);
	return 0;
}

#define IOCB_SIZE 64
#define IOCB_VECTOR_MAX 32
#define IOCB_STEPS 8192         /* of all iocbs together */

/* From include/uapi/linux/aio_abi.h: the same on every ABI. */
struct iocb_part {
	__u16 opcode;
	__u16 reqprio;
	__u32 fildes;
	__u64 buf, nbytes;
};
#define IOCB_PART 16            /* where it is */

enum { IOCB_CMD_PWRITE = 1, IOCB_CMD_PREADV = 7, IOCB_CMD_PWRITEV = 8 };
enum { IOCB_ITSELF, IOCB_DATA, IOCB_ELEMENTS };

/* What the iocb at s->walk.at writes, or where it reads to. */
static __always_inline void iocb_data(struct scratch *s, struct cap_op *op)
{
	struct iocb_part p = {};
	__u64 size = s->compat ? 8 : 16;

	s->walk.stage = IOCB_ITSELF;
	read_small(s, &p, sizeof(p), s->walk.at + IOCB_PART);
	if (p.opcode == IOCB_CMD_PWRITE) {
		s->max = op_max(s, op);
		cap_bytes(s, op, PLACE(op->part + 2, s->walk.i), p.buf, p.nbytes);
	} else if (p.opcode == IOCB_CMD_PREADV || p.opcode == IOCB_CMD_PWRITEV) {
		s->max = IOCB_VECTOR_MAX * size;
		cap_bytes(s, op, PLACE(op->part + 2, s->walk.i), p.buf, p.nbytes * size);
		if (p.opcode == IOCB_CMD_PWRITEV) {
			s->walk.stage = IOCB_ELEMENTS;
			s->walk.at = p.buf;
			s->walk.left = p.nbytes < IOCB_VECTOR_MAX ? p.nbytes : IOCB_VECTOR_MAX;
			s->walk.serial = s->walk.i << 5;
		}
	}
}

/* The next piece of an array of pointers to struct iocb. */
static long iocb_step(__u32 i, void *walk)
{
	struct walk *w = walk;
	struct scratch *s = w->s;
	__u64 word = s->compat ? 4 : 8, base;

	switch (s->walk.stage) {
	case IOCB_ITSELF:
		if (s->walk.i >= s->count || s->walk.i >= w->op->elem || load_pointer(s, w->addr + s->walk.i * word))
			return 1;
		s->walk.at = s->pointer;
		s->max = IOCB_SIZE;
		s->walk.stage = IOCB_DATA;
		cap_bytes(s, w->op, PLACE(w->op->part + 1, s->walk.i), s->walk.at, IOCB_SIZE);
		return 0;
	case IOCB_DATA:
		iocb_data(s, w->op);
		break;
	default:
		if (s->walk.left && !load_pointer(s, s->walk.at)) {
			base = s->pointer;
			s->max = op_max(s, w->op);
			if (!load_pointer(s, s->walk.at + word))
				cap_bytes(s, w->op, PLACE(w->op->part + 3, s->walk.serial & 0xffff), base, s->pointer);
			s->walk.at += 2 * word;
			s->walk.serial++;
			s->walk.left--;
			return 0;
		}
		s->walk.stage = IOCB_ITSELF;
	}
	if (s->walk.stage == IOCB_ITSELF)
		s->walk.i++;
	return 0;
}

__noinline int cap_iocbs(struct scratch *s, struct cap_op *op, __u64 addr, __u64 count)
{
	struct walk w = { .s = s, .op = op, .addr = addr };

	if (!s || !op)
		return 0;
	s->count = count < CT_VEC_MAX ? count : CT_VEC_MAX;
	s->max = CT_VEC_MAX * 8;
	if (!cap_bytes(s, op, PLACE(op->part, 0), addr, (__u64)s->count * (s->compat ? 4 : 8)))
		return 0;
	s->walk = (struct place_walk){};
	walk_loop(IOCB_STEPS, iocb_step, &w);
	return 0;
}

#endif
