/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Mutations that know what a record is: fields of its header, arguments, single captures, whole records. */
#include <string.h>

#include "calls.h"
#include "record.h"
#include "util/macros.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);

/* An input that is being changed. */
struct input {
	struct rnd r;
	uint8_t *data;
	size_t size, max;
};

/* Puts n bytes in the place of old ones at an offset; false: no room. */
static bool replace(struct input *in, size_t at, size_t old, const void *bytes, size_t n)
{
	if (in->size - old + n > in->max)
		return false;
	memmove(in->data + at + n, in->data + at + old, in->size - at - old);
	memcpy(in->data + at, bytes, n);
	in->size += n - old;
	return true;
}

static void add_record(struct input *in, size_t at, size_t old)
{
	static struct record rec;
	uint8_t bytes[4 + RECORD_MAX];
	uint32_t len;

	record_any(&in->r, &rec);
	len = (uint32_t)rec.len;
	memcpy(bytes, &len, 4);
	memcpy(bytes + 4, rec.bytes, rec.len);
	replace(in, at, old, bytes, 4 + rec.len);
}

/* Where a record of a call keeps its captures: each at its offset in the record. */
static size_t captures(const uint8_t *rec, size_t len, size_t *offsets, size_t max)
{
	size_t n = 0, at = sizeof(struct rec_syscall);

	while (n < max && at + sizeof(struct cap_hdr) <= len) {
		struct cap_hdr h;

		memcpy(&h, rec + at, sizeof(h));
		if (h.len > len - at - sizeof(h))
			break;
		offsets[n++] = at;
		at += sizeof(h) + ((h.len + 3u) & ~3u);
	}
	return n;
}

static void set_u32(uint8_t *p, uint32_t v)
{
	memcpy(p, &v, sizeof(v));
}

/* The lengths before and in the record follow what became of a capture. */
static void grow(struct input *in, size_t prefix, size_t len, long by)
{
	size_t field = prefix + 4 + offsetof(struct rec_syscall, caps_len);
	uint32_t caps;

	set_u32(in->data + prefix, (uint32_t)((long)len + by));
	memcpy(&caps, in->data + field, sizeof(caps));
	set_u32(in->data + field, (uint32_t)((long)caps + by));
}

/* Another content, and perhaps another length, of one capture. */
static void mutate_data(struct input *in, size_t prefix, size_t len, size_t off)
{
	size_t at = prefix + 4 + off;
	struct cap_hdr h;
	uint8_t bytes[4096] = { 0 };
	size_t old, now;

	memcpy(&h, in->data + at, sizeof(h));
	old = (h.len + 3u) & ~3u;
	if (old > len - off - sizeof(h) || h.len > sizeof(bytes) / 2)
		return;
	memcpy(bytes, in->data + at + sizeof(h), h.len);
	if (rnd_below(&in->r, 4) == 0) {
		now = rnd_below(&in->r, 2) ? h.len : rnd_below(&in->r, h.len + 32u);
		record_fill(&in->r, bytes, now);
	} else {
		now = LLVMFuzzerMutate(bytes, h.len, rnd_below(&in->r, 2) && h.len ? h.len : sizeof(bytes) - 4);
	}
	if (!replace(in, at + sizeof(h), old, bytes, (now + 3) & ~(size_t)3))
		return;
	if (h.true_len == h.len)
		h.true_len = (uint32_t)now;
	h.len = (uint16_t)now;
	memcpy(in->data + at, &h, sizeof(h));
	grow(in, prefix, len, (long)((now + 3) & ~(size_t)3) - (long)old);
}

static void mutate_capture(struct input *in, size_t prefix, size_t len)
{
	size_t offsets[64], n = captures(in->data + prefix + 4, len, offsets, ARRAY_SIZE(offsets)), off, size;
	struct cap_hdr h;
	uint8_t *at;

	if (!n)
		return;
	off = offsets[rnd_below(&in->r, (uint32_t)n)];
	at = in->data + prefix + 4 + off;
	memcpy(&h, at, sizeof(h));
	size = MIN(sizeof(h) + ((h.len + 3u) & ~3u), len - off);
	switch (rnd_below(&in->r, 12)) {
	case 0:
		h.arg = (uint8_t)rnd_below(&in->r, 7);
		break;
	case 1:
		h.part = (uint8_t)(rnd_below(&in->r, 2) ? rnd_below(&in->r, 8) : 250 + rnd_below(&in->r, 6));
		break;
	case 2:
		h.flags = (uint8_t)rnd_below(&in->r, 16);
		break;
	case 3:
		h.idx = (uint16_t)rnd_below(&in->r, 5);
		break;
	case 4:
		h.true_len = (uint32_t)rnd_value(&in->r);
		break;
	case 5:
		/* Without it. */
		if (replace(in, prefix + 4 + off, size, "", 0))
			grow(in, prefix, len, -(long)size);
		return;
	default:
		mutate_data(in, prefix, len, off);
		return;
	}
	memcpy(at, &h, sizeof(h));
}

static void mutate_field(struct input *in, size_t prefix)
{
	struct rec_syscall c;
	uint8_t *at = in->data + prefix + 4;
	unsigned arg = rnd_below(&in->r, CT_ARGS);

	memcpy(&c, at, sizeof(c));
	switch (rnd_below(&in->r, 10)) {
	case 0:
		c.h.flags ^= 1u << rnd_below(&in->r, 13);
		break;
	case 1:
		c.nr = rnd_below(&in->r, 8) ? rnd_below(&in->r, CT_NR_NATIVE) : (uint32_t)rnd_value(&in->r);
		break;
	case 2:
		c.ret = (int64_t)(rnd_below(&in->r, 2) ? rnd_below(&in->r, 64) : rnd_value(&in->r));
		break;
	case 3:
		c.h.kind = (uint16_t)(rnd_below(&in->r, 3) ? CT_REC_SYSCALL : rnd_below(&in->r, CT_REC_MAX + 1));
		break;
	case 4:
		c.args[arg] ^= UINT64_C(1) << rnd_below(&in->r, 64);
		break;
	case 5:
		LLVMFuzzerMutate((uint8_t *)&c.args[arg], sizeof(c.args[arg]), sizeof(c.args[arg]));
		break;
	default:
		c.args[arg] = rnd_below(&in->r, 2) ? rnd_value(&in->r) : rnd_below(&in->r, 40);
	}
	if (c.h.flags & CT_F_COMPAT)
		c.args[arg] = (uint32_t)c.args[arg];
	memcpy(at, &c, sizeof(c));
}

/* One record of those that there are: where its length stands, and that. False: none is there. */
static bool pick(struct input *in, size_t *ret_prefix, size_t *ret_len)
{
	size_t at = CALLS_OPTIONS, len, n = 0;
	const uint8_t *p;

	while ((p = calls_next(in->data, in->size, &at, &len)))
		if (rnd_below(&in->r, (uint32_t)++n) == 0) {
			*ret_prefix = (size_t)(p - in->data) - 4;
			*ret_len = len;
		}
	return n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	struct input in = { rnd_from(seed), data, size, max };
	size_t prefix, len;
	unsigned what;

	if (max < CALLS_OPTIONS)
		return LLVMFuzzerMutate(data, size, max);
	if (size < CALLS_OPTIONS)
		memset(data, 0, in.size = CALLS_OPTIONS);
	what = rnd_below(&in.r, 16);
	if (what == 0)
		return LLVMFuzzerMutate(data, in.size, max);
	if (what < 3)
		data[rnd_below(&in.r, CALLS_OPTIONS)] ^= (uint8_t)(1u << rnd_below(&in.r, 8));
	else if (what == 3 || !pick(&in, &prefix, &len))
		add_record(&in, in.size, 0);
	else if (what == 4)
		add_record(&in, prefix, 4 + len);
	else if (len < sizeof(struct rec_syscall))
		add_record(&in, prefix, 4 + len);
	else if (what < 9)
		mutate_field(&in, prefix);
	else
		mutate_capture(&in, prefix, len);
	return in.size;
}
