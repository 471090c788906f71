/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_CAPTURE_H
#define CTRACE_BPF_CAPTURE_H
/*
 * Copies of what a call's pointers point to, as the system call's operations
 * (struct cap_op) say. What to copy is data: one set of functions is verified,
 * each once (they are global), whatever the table says.
 */
#include "bpf/state.h"

/* Keeps clang from proving away a bound that the verifier has to see. */
#define bound(x) asm volatile("" : "+r"(x))

static __always_inline bool op_applies(const struct scratch *s, const struct cap_op *op)
{
	__u64 v = s->args[op->cond_arg & 7] & op->cond_and;

	switch (op->cond) {
	case CAP_COND_VALUE:
		return v < 64 && (op->cond_mask >> (v & 63) & 1);
	case CAP_COND_BITS:
		return v != 0;
	default:
		return true;
	}
}

/* A pointer in user memory; 0 if it is NULL or cannot be read. */
static __always_inline __u64 read_pointer(const struct scratch *s, __u64 addr)
{
	__u64 v = 0;

	if (s->compat)
		bpf_probe_read_user(&v, 4, (void *)addr);
	else
		bpf_probe_read_user(&v, 8, (void *)addr);
	return v;
}

/* Where the operation reads; 0: nowhere, it does not apply or its pointer is NULL. */
static __always_inline __u64 op_address(const struct scratch *s, const struct cap_op *op)
{
	__u64 addr = op_applies(s, op) ? s->args[op->arg & 7] : 0;

	if (addr && op->via_off != CAP_DIRECT)
		addr = read_pointer(s, addr + op->via_off);
	if (addr && op->kind == CAP_BYTES && op->len_from == CAP_LEN_FIXED)
		addr += op->len_off;
	return addr;
}

/* The length that the operation asks for, not yet cut: bytes, or elements of a vector. */
static __always_inline __u64 op_length(const struct scratch *s, const struct cap_op *op)
{
	__u64 arg = s->args[op->len_arg & 7], v = 0;
	__u32 v32 = 0;

	switch (op->len_from) {
	case CAP_LEN_ARG:
		return arg * op->elem;
	case CAP_LEN_RET:
		return s->ret > 0 ? s->ret * op->elem : 0;
	case CAP_LEN_PTR:
		if (arg)
			bpf_probe_read_user(&v32, sizeof(v32), (void *)arg);
		return v32;
	case CAP_LEN_FIELD:
		if (op->when & CAP_LEN32) {
			bpf_probe_read_user(&v32, sizeof(v32), (void *)(s->args[op->arg & 7] + op->len_off));
			return v32;
		}
		return read_pointer(s, s->args[op->arg & 7] + op->len_off);
	case CAP_LEN_BITS:
		v = s->compat ? 32 : 64;
		return arg > 8192 ? 1024 : (arg + v - 1) / v * (v / 8);
	default:
		return op->max;
	}
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
#define PLACE(part, idx) ((part) << 8 | (idx))

/* Copies a block of want bytes, at most s->max of them. 1 if anything could be read, or nothing had to be. */
__noinline int cap_bytes(struct scratch *s, struct cap_op *op, __u32 place, __u64 addr, __u64 want)
{
	struct cap_hdr *h;
	__u64 off, len = want, max;
	bool ok = true;

	if (!s || !op)
		return 0;
	h = cap_begin(s, op, place >> 8, place & 0xff);
	if (!h)
		return 0;
	off = s->off + sizeof(*h);
	max = s->max;
	h->true_len = want < CT_LEN_UNKNOWN ? want : CT_LEN_UNKNOWN;
	if (len > max)
		len = max;
	bound(len);
	if (len > CT_CAP_MAX)
		len = CT_CAP_MAX;
	bound(off);
	if (off > SCRATCH_DATA)
		return 0;
	if (len && bpf_probe_read_user(&s->data[off], len, (void *)addr)) {
		/* The end may lie in a page that is not there, as for a table at the end of a mapping. */
		__u64 first = to_page_end(addr);

		ok = false;
		if (first < len) {
			len = first;
			bound(len);
			if (len > 4096)
				len = 4096;
			ok = !bpf_probe_read_user(&s->data[off], len, (void *)addr);
		}
		if (!ok) {
			h->flags |= CT_CAP_FAILED;
			len = 0;
		}
	}
	if (len < want)
		h->flags |= CT_CAP_CUT;
	cap_end(s, h, len);
	return ok;
}

/* Copies a string of at most op->max bytes. 1 if it could be read. */
__noinline int cap_string(struct scratch *s, struct cap_op *op, __u32 place, __u64 addr)
{
	struct cap_hdr *h;
	__u64 off, size;
	long n;

	if (!s || !op)
		return 0;
	h = cap_begin(s, op, place >> 8, place & 0xff);
	if (!h)
		return 0;
	off = s->off + sizeof(*h);
	size = (__u64)op->max + 1;
	bound(size);
	if (size > CT_CAP_MAX)
		size = CT_CAP_MAX;
	bound(off);
	if (off > SCRATCH_DATA)
		return 0;
	n = bpf_probe_read_user_str(&s->data[off], size, (void *)addr);
	if (n <= 0) {
		h->flags |= CT_CAP_FAILED;
		cap_end(s, h, 0);
		return 0;
	}
	/* n counts the NUL that the helper writes, also when it cut the string. */
	h->true_len = n - 1;
	if ((__u64)n == size) {
		__u8 last = 1;

		if (bpf_probe_read_user(&last, 1, (void *)(addr + n - 1)) || last) {
			h->flags |= CT_CAP_CUT;
			h->true_len = CT_LEN_UNKNOWN;
		}
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

/* Element i of a vector of strings. */
__noinline int string_element(struct scratch *s, struct cap_op *op, __u64 addr, __u32 i)
{
	struct cap_hdr *h;
	int err;

	if (!s || !op)
		return ELEMENT_END;
	err = load_pointer(s, addr + (__u64)i * (s->compat ? 4 : 8));
	if (!err && !s->pointer)
		return ELEMENT_END;
	if (!err && i < op->elem && i < CT_VEC_MAX)
		return cap_string(s, op, PLACE(op->part, i), s->pointer) ? ELEMENT_OK : ELEMENT_FAILED;
	h = cap_begin(s, op, op->part, i);
	if (!h)
		return ELEMENT_FAILED;
	h->flags |= err ? CT_CAP_FAILED : CT_CAP_CUT;
	cap_end(s, h, 0);
	return err ? ELEMENT_FAILED : ELEMENT_END;
}

__noinline int cap_strings(struct scratch *s, struct cap_op *op, __u64 addr)
{
	int r = ELEMENT_OK;

	if (!s || !op)
		return 0;
	for (__u32 i = 0; i < CT_VEC_MAX + 1 && r == ELEMENT_OK; i++)
		r = string_element(s, op, addr, i);
	return r != ELEMENT_FAILED;
}

#define COUNT_CHUNKS 32

/* Counts pointers into s->count, until NULL or the end of the chunk. */
__noinline int count_chunk(struct scratch *s, __u64 addr)
{
	__u64 len = sizeof(s->chunk);
	__u32 n = 0;

	if (!s)
		return ELEMENT_FAILED;
	if (s->compat)
		len /= 2;
	if (bpf_probe_read_user(s->chunk, len, (void *)addr)) {
		/* A vector may end with its page; what lies behind is 0 then (the helper clears it), and the end. */
		len = to_page_end(addr);
		bound(len);
		if (len >= sizeof(s->chunk) || bpf_probe_read_user(s->chunk, len, (void *)addr))
			return ELEMENT_FAILED;
	}
	if (s->compat) {
		for (n = 0; n < COUNT_CHUNK && ((__u32 *)s->chunk)[n]; n++)
			;
	} else {
		for (n = 0; n < COUNT_CHUNK && s->chunk[n]; n++)
			;
	}
	s->count += n;
	return n < COUNT_CHUNK ? ELEMENT_END : ELEMENT_OK;
}

__noinline int cap_count(struct scratch *s, struct cap_op *op, __u64 addr)
{
	int r = ELEMENT_OK;
	struct cap_hdr *h;
	__u64 off, step;

	if (!s || !op)
		return 0;
	off = s->off;
	h = cap_begin(s, op, op->part, 0);
	if (!h)
		return 0;
	s->count = 0;
	step = s->compat ? 4 * COUNT_CHUNK : 8 * COUNT_CHUNK;
	for (__u32 i = 0; i < COUNT_CHUNKS && r == ELEMENT_OK; i++)
		r = count_chunk(s, addr + i * step);
	if (r == ELEMENT_FAILED) {
		h->flags |= CT_CAP_FAILED;
		cap_end(s, h, 0);
		return 0;
	}
	bound(off);
	if (off > SCRATCH_DATA - 64)
		return 0;
	h->true_len = sizeof(s->count);
	__builtin_memcpy(&s->data[off + sizeof(*h)], &s->count, sizeof(s->count));
	cap_end(s, h, sizeof(s->count));
	return 1;
}

/* The data of element i of an iovec array, as far as s->left goes. */
__noinline int vector_element(struct scratch *s, struct cap_op *op, __u64 addr, __u32 i)
{
	__u64 base, len;

	if (!s || !op || i >= s->count || i >= op->elem || !s->left)
		return ELEMENT_END;
	addr += (__u64)i * (s->compat ? 8 : 16);
	if (load_pointer(s, addr))
		return ELEMENT_END;
	base = s->pointer;
	if (load_pointer(s, addr + (s->compat ? 4 : 8)))
		return ELEMENT_END;
	len = s->pointer < s->left ? s->pointer : s->left;
	s->left -= len;
	/* One that cannot be read says nothing of those behind it. */
	if (!cap_bytes(s, op, PLACE(op->part + 1, i), base, len))
		s->unread = 1;
	return ELEMENT_OK;
}

/* An iovec array, and the data of its elements: all of it for input, up to the result for output. */
__noinline int cap_vector(struct scratch *s, struct cap_op *op, __u64 addr, __u64 count)
{
	int r = ELEMENT_OK;
	__u32 size;

	if (!s || !op)
		return 0;
	size = s->compat ? 8 : 16;
	s->left = s->when & CAP_ENTER || op->when & CAP_WHOLE ? ~0ull : s->ret > 0 ? s->ret : 0;
	s->max = (op->elem < CT_VEC_MAX ? op->elem : CT_VEC_MAX) * size;
	s->unread = 0;
	if (!cap_bytes(s, op, PLACE(op->part, 0), addr, count * size))
		return 0;
	s->max = op->max;
	s->count = count < CT_VEC_MAX ? count : CT_VEC_MAX;
	for (__u32 i = 0; i < CT_VEC_MAX && r == ELEMENT_OK; i++)
		r = vector_element(s, op, addr, i);
	return !s->unread;
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

/* One operation. Not 0: it read nothing, and may be tried again. */
__noinline int capture_op(struct scratch *s, struct cap_op *op)
{
	__u64 addr, len;
	bool ok = true;

	if (!s || !op)
		return 0;
	addr = op_address(s, op);
	if (!addr)
		return 0;
	s->max = op->max;
	switch (op->kind) {
	case CAP_BYTES:
		ok = cap_bytes(s, op, PLACE(op->part, 0), addr, op_length(s, op));
		break;
	case CAP_IOCTL:
		len = ioctl_size(s);
		if (len)
			ok = cap_bytes(s, op, PLACE(op->part, 0), addr, len);
		break;
	case CAP_STR:
		ok = cap_string(s, op, PLACE(op->part, 0), addr);
		break;
	}
	return !ok;
}

/* The operations on vectors, in a program of their own for the verifier's sake. */
__noinline int capture_vector(struct scratch *s, struct cap_op *op)
{
	__u64 addr;
	bool ok = true;

	if (!s || !op)
		return 0;
	addr = op_address(s, op);
	if (!addr)
		return 0;
	switch (op->kind) {
	case CAP_STRV:
		ok = cap_strings(s, op, addr);
		break;
	case CAP_VCOUNT:
		ok = cap_count(s, op, addr);
		break;
	case CAP_IOVEC:
		ok = cap_vector(s, op, addr, op_length(s, op));
		break;
	}
	return !ok;
}

static __always_inline bool is_vector(const struct cap_op *op)
{
	return op->kind >= CAP_STRV && op->kind <= CAP_IOVEC;
}

/* Operation i of a call, if it belongs to s->when, or to the mask s->only where that is not 0. */
__noinline int capture_step(struct scratch *s, struct cap_spec *spec, __u32 i)
{
	struct cap_op *op;
	__u64 off;
	int failed;

	if (!s || !spec || i >= CT_OPS)
		return 0;
	op = &spec->ops[i];
	off = s->off;
	if (s->only ? !(s->only & 1u << i) : !(op->when & s->when))
		return 0;
	if (s->when == CAP_EXIT && !s->only && s->ret < 0 && s->ret >= -4095 && !(op->when & CAP_ON_ERROR))
		return 0;
	failed = is_vector(op) ? capture_vector(s, op) : capture_op(s, op);
	if (failed && s->when == CAP_ENTER && !s->only) {
		s->failed |= 1u << i;
		s->off = off;
	}
	return 0;
}

/*
 * All operations of a call that belong to s->when; with a mask other than 0,
 * those of its bits. What read nothing is noted in s->failed, and leaves no
 * capture if it is input and will be tried again.
 */
static __always_inline void capture_all(struct scratch *s, struct cap_spec *spec, __u32 only)
{
	s->only = only;
	for (__u32 i = 0; i < CT_OPS && i < spec->nops; i++)
		capture_step(s, spec, i);
}

#endif
