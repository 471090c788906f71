/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_COPY_H
#define CTRACE_BPF_COPY_H
/* Copies of what a call's pointers point to: one block, one string, and how long they are. */
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

/* Copies a string; the bytes with the NUL. The helper's own answer for an empty one is 0 before 6.13. */
static __always_inline long read_user_str(void *to, __u32 size, __u64 addr)
{
	long n = bpf_probe_read_user_str(to, size, (void *)addr);

	return n ? n : 1;
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
		return arg > 8 * CT_CAP_MAX ? CT_CAP_MAX : (arg + v - 1) / v * (v / 8);
	default:
		return op->max;
	}
}

/* bpf/files.h, bpf/descriptors.h */
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

/* Copies what there is of len bytes up to the end of addr's page: how many; 0: the page is not there. */
__noinline int copy_page(struct scratch *s, __u64 off, __u64 addr, __u64 len)
{
	__u64 n = to_page_end(addr);

	if (!s)
		return 0;
	if (n > len)
		n = len;
	bound(off);
	bound(n);
	if (off > SCRATCH_DATA || n > 4096 || bpf_probe_read_user(&s->data[off], n, (void *)addr))
		return 0;
	return n;
}

/* Copies len bytes to off in the data, up to the first page that is not there: how many. */
static __always_inline __u64 copy_pages(struct scratch *s, __u64 off, __u64 addr, __u64 len)
{
	__u64 done = 0;
	int n;

	for (__u32 i = 0; i <= CT_CAP_MAX / 4096 && done < len; i++) {
		n = copy_page(s, off + done, addr + done, len - done);
		if (n <= 0)
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
	n = read_user_str(&s->data[off], size, addr);
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

#endif
