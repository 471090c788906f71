/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_FIELD_H
#define CTRACE_DECODE_FIELD_H
/*
 * Shorthands for decoders of structures: reading from copies of user memory,
 * which are not aligned, and saying one field. What a copy does not hold is
 * read as 0: look at its length first.
 */
#include "decode/kind.h"

#include <string.h>

/* A copy of user memory, and how much of it there is. */
struct bytes {
	const uint8_t *p;
	size_t len;
};

static inline struct bytes bytes_of(const struct capture *c)
{
	return c ? (struct bytes){ c->data, c->len } : (struct bytes){ NULL, 0 };
}

static inline bool bytes_have(struct bytes b, size_t off, size_t size)
{
	return off <= b.len && size <= b.len - off;
}

/* An unsigned of size bytes, 8 at most; the bytes beyond the end are 0. */
static inline uint64_t get_uint(struct bytes b, size_t off, size_t size)
{
	uint64_t v = 0;

	if (off < b.len)
		memcpy(&v, b.p + off, size < b.len - off ? size : b.len - off);
	return v;
}

static inline uint8_t get8(struct bytes b, size_t off)
{
	return (uint8_t)get_uint(b, off, 1);
}

static inline uint16_t get16(struct bytes b, size_t off)
{
	return (uint16_t)get_uint(b, off, 2);
}

static inline uint32_t get32(struct bytes b, size_t off)
{
	return (uint32_t)get_uint(b, off, 4);
}

static inline uint64_t get64(struct bytes b, size_t off)
{
	return get_uint(b, off, 8);
}

/* Network byte order. */
static inline uint16_t get_be16(struct bytes b, size_t off)
{
	return (uint16_t)(get8(b, off) << 8 | get8(b, off + 1));
}

static inline uint32_t get_be32(struct bytes b, size_t off)
{
	return (uint32_t)get_be16(b, off) << 16 | get_be16(b, off + 2);
}

static inline struct bytes bytes_from(struct bytes b, size_t off)
{
	return off >= b.len ? (struct bytes){ NULL, 0 } : (struct bytes){ b.p + off, b.len - off };
}

static inline struct bytes bytes_cut(struct bytes b, size_t len)
{
	return len < b.len ? (struct bytes){ b.p, len } : b;
}

/* Of a text that may lack its NUL. */
static inline size_t bytes_strlen(struct bytes b)
{
	return b.p ? strnlen((const char *)b.p, b.len) : 0;
}

static inline void field_dec(struct dec *d, const char *name, int64_t v)
{
	say_field(d, name);
	say_dec(d, v);
}

static inline void field_udec(struct dec *d, const char *name, uint64_t v)
{
	say_field(d, name);
	say_udec(d, v);
}

static inline void field_hex(struct dec *d, const char *name, uint64_t v)
{
	say_field(d, name);
	say_hex(d, v);
}

static inline void field_addr(struct dec *d, const char *name, uint64_t v)
{
	say_field(d, name);
	say_addr(d, v);
}

static inline void field_sym(struct dec *d, const char *name, const struct symtab *t, uint64_t v)
{
	say_field(d, name);
	say_sym(d, t, v);
}

static inline void field_flags(struct dec *d, const char *name, const struct symtab *t, uint64_t v)
{
	say_field(d, name);
	say_flags(d, t, v);
}

/* [v], as strace shows what a pointer to one number leads to. */
static inline void say_boxed_dec(struct dec *d, int64_t v)
{
	d->ops->array_begin(d->e);
	say_dec(d, v);
	d->ops->array_end(d->e);
}

/*
 * count elements of size bytes at addr in the caller's memory, of which c has
 * the first: [{...}, {...}, ...]. More than -s are left out; what could not be
 * read is told by its address, as a whole or from the first such element on.
 */
void say_array(struct dec *d, const struct capture *c, uint64_t addr, uint64_t count, size_t size,
	       void (*element)(struct dec *d, struct bytes b));
/* What stands for the elements beyond the first shown ones: that there are more, or that memory ends; b has one more than is shown. */
void say_array_rest(struct dec *d, struct bytes b, uint64_t addr, uint64_t shown, uint64_t count, size_t size);

#define BEYOND_MAX 4096         /* bytes beyond a structure that are looked at */

/*
 * What a newer program passes behind the known bytes of a structure of size
 * bytes, captured as c, if it is not all 0: their range and the bytes.
 */
void say_beyond(struct dec *d, const struct capture *c, size_t known, uint64_t size);

/* Elements from addr on that could not be read: ... and the address as a comment. */
void say_rest_unread(struct dec *d, uint64_t addr);

/* A byte of an address or the like: 0x7f, 00. */
void say_byte(struct dec *d, uint8_t v);

/* Ticks of 1/100 s; more than none are also given in seconds: 3 and "0.03 s" as a comment. */
void field_ticks(struct dec *d, const char *name, uint64_t ticks);

/* {tv_sec=..., tv_nsec=...} of an argument, its address where that is all there is. */
void say_timespec_arg(struct dec *d, unsigned reg, unsigned part, unsigned word, const char *sub);

#endif
