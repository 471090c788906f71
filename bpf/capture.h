/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_CAPTURE_H
#define CTRACE_BPF_CAPTURE_H
/*
 * Copies of what a call's pointers point to, as the system call's operations
 * (struct cap_op) say. What to copy is data: one set of functions is verified,
 * each once (they are global), whatever the table says.
 */
#include "bpf/pids.h"
#include "bpf/state.h"

static __always_inline bool op_applies(const struct scratch *s, const struct cap_op *op)
{
	__u64 v = s->args[op->cond_arg & 7] & op->cond_and;

	switch (op->cond) {
	case CAP_COND_VALUE:
		return v < 64 && (op->cond_mask >> (v & 63) & 1);
	case CAP_COND_BITS:
		return v != 0;
	case CAP_COND_FROM:
		v = (__u32)s->args[op->cond_arg & 7] - op->cond_and;
		return v < 64 && (op->cond_mask >> (v & 63) & 1);
	default:
		return true;
	}
}

/* Copies size bytes; what cannot be read is 0, and noted. */
static __always_inline void read_small(struct scratch *s, void *to, __u32 size, __u64 addr)
{
	if (bpf_probe_read_user(to, size, (void *)addr))
		s->unread = 1;
}

/* A pointer in user memory; 0 if it is NULL or cannot be read. */
static __always_inline __u64 read_pointer(struct scratch *s, __u64 addr)
{
	__u64 v = 0;

	if (s->compat)
		read_small(s, &v, 4, addr);
	else
		read_small(s, &v, 8, addr);
	return v;
}

/* Where the operation reads; 0: nowhere, it does not apply or its pointer is NULL. */
static __always_inline __u64 op_address(struct scratch *s, const struct cap_op *op)
{
	__u64 addr = op_applies(s, op) ? s->args[op->arg & 7] : 0;

	if (addr && op->via_off != CAP_DIRECT)
		addr = read_pointer(s, addr + op->via_off);
	if (addr && op->kind == CAP_BYTES && op->len_from <= CAP_LEN_RET)
		addr += op->len_off;
	return addr;
}

/* The unsigned in user memory that tells the length. */
static __always_inline __u64 length_field(struct scratch *s, const struct cap_op *op, __u64 addr)
{
	__u32 v32 = 0;
	__u16 v16 = 0;

	if (op->when & CAP_LEN16) {
		read_small(s, &v16, sizeof(v16), addr);
		return v16;
	}
	if (op->when & CAP_LEN32) {
		read_small(s, &v32, sizeof(v32), addr);
		return v32;
	}
	return read_pointer(s, addr);
}

/* The length that the operation asks for, not yet cut: bytes, or elements of a vector. */
static __always_inline __u64 op_length(struct scratch *s, const struct cap_op *op)
{
	__u64 arg = s->args[op->len_arg & 7], v = 0, unit = op->kind == CAP_BYTES ? op->elem : 1;
	__u32 v32 = 0;

	switch (op->len_from) {
	case CAP_LEN_ARG:
		return arg * unit;
	case CAP_LEN_RET:
		return s->ret > 0 ? s->ret * unit : 0;
	case CAP_LEN_PTR:
		if (arg)
			read_small(s, &v32, sizeof(v32), arg);
		return v32;
	case CAP_LEN_FIELD:
		v = length_field(s, op, s->args[op->arg & 7] + op->len_off);
		return unit ? v * unit : v;
	case CAP_LEN_BITS:
		v = s->compat ? 32 : 64;
		return arg > 8192 ? 1024 : (arg + v - 1) / v * (v / 8);
	default:
		return op->max;
	}
}

/* bpf/files.h */
int is_netlink(struct scratch *s);
int capture_descriptors(struct scratch *s, struct cap_op *op);

/* Bytes of a capture at most. */
static __always_inline __u64 op_max(struct scratch *s, const struct cap_op *op)
{
	return op->when & CAP_NETLINK && is_netlink(s) ? CT_CAP_MAX : op->max;
}

/* Begins a capture; NULL when the record is full. off is the scratch's, checked. */
static __always_inline struct cap_hdr *cap_begin(struct scratch *s, const struct cap_op *op, __u32 part, __u32 idx)
{
	__u64 off = s->off;
	struct cap_hdr *h;

	bound(off);
	if (off > SCRATCH_DATA - 16)
		return NULL;
	h = (void *)&s->data[off];
	h->arg = op->arg;
	h->part = part;
	h->idx = idx;
	h->flags = s->flags;
	h->pad = 0;
	h->len = 0;
	h->true_len = 0;
	return h;
}

static __always_inline void cap_end(struct scratch *s, struct cap_hdr *h, __u64 len)
{
	h->len = len;
	s->off += sizeof(*h) + ((len + 3) & ~3ull);
}

/* Bytes up to the end of the page: what can be read when the next page cannot. */
static __always_inline __u64 to_page_end(__u64 addr)
{
	return 4096 - (addr & 4095);
}

/* What a capture is of: part and element in one argument. */
#define PLACE(part, idx) ((part) << 16 | (idx))

/* Copies len bytes to off in the data, up to the first page that is not there: how many. */
static __always_inline __u64 copy_pages(struct scratch *s, __u64 off, __u64 addr, __u64 len)
{
	__u64 done = 0, at, n;

	for (__u32 i = 0; i <= CT_CAP_MAX / 4096 && done < len; i++) {
		n = to_page_end(addr + done);
		if (n > len - done)
			n = len - done;
		at = off + done;
		bound(at);
		bound(n);
		if (at > SCRATCH_DATA || n > 4096)
			break;
		if (bpf_probe_read_user(&s->data[at], n, (void *)(addr + done)))
			break;
		done += n;
	}
	return done;
}

/* Copies a block of want bytes, at most s->max of them. 1 if anything could be read, or nothing had to be. */
__noinline int cap_bytes(struct scratch *s, struct cap_op *op, __u32 place, __u64 addr, __u64 want)
{
	struct cap_hdr *h;
	__u64 off, len = want, max;

	if (!s || !op)
		return 0;
	h = cap_begin(s, op, place >> 16, place & 0xffff);
	if (!h) {
		s->unread = 1;
		return 0;
	}
	off = s->off + sizeof(*h);
	max = s->max;
	h->true_len = want < CT_LEN_UNKNOWN ? want : CT_LEN_UNKNOWN;
	if (len > max)
		len = max;
	bound(off);
	if (off > SCRATCH_DATA)
		return 0;
	/* A record has an end: what does not fit is cut, too. */
	if (len > SCRATCH_DATA - off)
		len = SCRATCH_DATA - off;
	bound(len);
	if (len > CT_CAP_MAX)
		len = CT_CAP_MAX;
	if (len && bpf_probe_read_user(&s->data[off], len, (void *)addr)) {
		/* The end may lie in a page that is not there, as for a table at the end of a mapping. */
		s->unread = 1;
		len = copy_pages(s, off, addr, len);
		if (!len) {
			h->flags |= CT_CAP_FAILED | CT_CAP_CUT;
			cap_end(s, h, 0);
			return 0;
		}
	}
	if (len)
		s->got = 1;
	if (len < want)
		h->flags |= CT_CAP_CUT;
	cap_end(s, h, len);
	return 1;
}

/* A string that does not end before a page that is not there: all of it that is shown may be there. How much; 0: not so. */
static __always_inline __u64 unended_string(struct scratch *s, __u64 off, __u64 addr, __u64 len)
{
	bound(len);
	if (!len || len > 4096 || bpf_probe_read_user(&s->data[off], len, (void *)addr))
		return 0;
	return len;
}

#define STRING_LENGTH_MAX 4096

/* The length of a string that is too long to be copied, as far as it is looked for. The data from off on serves as room. */
static __always_inline __u32 string_length(struct scratch *s, __u64 off, __u64 addr)
{
	long n;

	bound(off);
	if (off > SCRATCH_DATA + STRING_LENGTH_MAX)
		return CT_LEN_UNKNOWN;
	n = bpf_probe_read_user_str(&s->data[off], STRING_LENGTH_MAX, (void *)addr);
	return n > 0 && n < STRING_LENGTH_MAX ? n - 1 : CT_LEN_UNKNOWN;
}

/* Copies a string of at most op->max bytes. 1 if it could be read. */
__noinline int cap_string(struct scratch *s, struct cap_op *op, __u32 place, __u64 addr)
{
	struct cap_hdr *h;
	__u64 off, size;
	__u8 last = 1;
	long n;

	if (!s || !op)
		return 0;
	h = cap_begin(s, op, place >> 16, place & 0xffff);
	if (!h) {
		s->unread = 1;
		return 0;
	}
	off = s->off + sizeof(*h);
	size = (__u64)op->max + 1;
	bound(off);
	if (off > SCRATCH_DATA)
		return 0;
	if (size > SCRATCH_DATA - off + 1)
		size = SCRATCH_DATA - off + 1;
	bound(size);
	if (size > CT_CAP_MAX)
		size = CT_CAP_MAX;
	n = bpf_probe_read_user_str(&s->data[off], size, (void *)addr);
	if (n <= 0) {
		n = unended_string(s, off, addr, size - 1) + 1;
		if (n == 1) {
			s->unread = 1;
			h->flags |= CT_CAP_FAILED;
			cap_end(s, h, 0);
			return 0;
		}
	}
	s->got = 1;
	/* n counts the NUL that the helper writes, also when it cut the string. */
	h->true_len = n - 1;
	if ((__u64)n == size && (bpf_probe_read_user(&last, 1, (void *)(addr + n - 1)) || last)) {
		h->flags |= CT_CAP_CUT;
		h->true_len = size < STRING_LENGTH_MAX ? string_length(s, off + size, addr) : CT_LEN_UNKNOWN;
	}
	cap_end(s, h, (__u64)(n - 1) & 0xffff);
	return 1;
}

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
		/* A vector may end with its page. */
		len = to_page_end(addr);
		bound(len);
		if (len >= sizeof(s->chunk) || bpf_probe_read_user(s->chunk, len, (void *)addr))
			return ELEMENT_FAILED;
		there = len / word;
	}
	if (s->compat) {
		for (n = 0; n < COUNT_CHUNK && n < there && ((__u32 *)s->chunk)[n]; n++)
			;
	} else {
		for (n = 0; n < COUNT_CHUNK && n < there && s->chunk[n]; n++)
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
	return dir & (s->when & CAP_ENTER ? IOC_WRITE : IOC_READ) ? IOC_SIZE(cmd) : 0;
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
		cap_pid_there(s, addr + op->len_off);
		break;
	case CAP_CREDS:
		cap_creds(s, addr);
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
		if (addr)
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
