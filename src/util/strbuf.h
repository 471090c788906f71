/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_UTIL_STRBUF_H
#define CTRACE_UTIL_STRBUF_H
/*
 * A growing run of bytes for the hot path: numbers are written by hand, no
 * call allocates once the buffer has its working size. When memory runs out
 * the buffer stays as it is and failed is set: look once, at the end.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct strbuf {
	char *buf;                      /* not NUL-terminated, see strbuf_cstr() */
	size_t len, allocated;
	bool failed;
};

void strbuf_done(struct strbuf *sb);
/* Makes room for n more bytes; false when there is no memory. */
bool strbuf_grow(struct strbuf *sb, size_t n);
/* NUL-terminated, until the next change; "" when memory ran out. */
const char *strbuf_cstr(struct strbuf *sb);

static inline void strbuf_reset(struct strbuf *sb)
{
	sb->len = 0;
	sb->failed = false;
}

/* Room for n bytes at the end, to be followed by sb->len += used; NULL when there is no memory. */
static inline char *strbuf_room(struct strbuf *sb, size_t n)
{
	if (__builtin_expect(sb->allocated - sb->len < n, 0) && !strbuf_grow(sb, n))
		return NULL;
	return sb->buf + sb->len;
}

static inline void strbuf_char(struct strbuf *sb, char c)
{
	char *p = strbuf_room(sb, 1);

	if (!p)
		return;
	*p = c;
	sb->len++;
}

static inline void strbuf_bytes(struct strbuf *sb, const void *bytes, size_t n)
{
	char *p = strbuf_room(sb, n);

	if (!p || !n)
		return;
	memcpy(p, bytes, n);
	sb->len += n;
}

static inline void strbuf_str(struct strbuf *sb, const char *s)
{
	strbuf_bytes(sb, s, strlen(s));
}

/* A string constant; its length is known to the compiler. */
#define strbuf_lit(sb, s) strbuf_bytes(sb, "" s, sizeof(s) - 1)

void strbuf_udec(struct strbuf *sb, uint64_t v);
void strbuf_dec(struct strbuf *sb, int64_t v);
/* As %#lx: 0x1f; 0 is written 0. */
void strbuf_hex(struct strbuf *sb, uint64_t v);
/* As %0*lx, without 0x. */
void strbuf_hex_digits(struct strbuf *sb, uint64_t v, unsigned digits);
/* As %#0*lo: at least digits wide with the leading 0 counted; 0 with digits 0 is written 0. */
void strbuf_oct(struct strbuf *sb, uint64_t v, unsigned digits);
/* Right-aligned in width, filled from the left with fill (as %5u, %06u). */
void strbuf_udec_width(struct strbuf *sb, uint64_t v, unsigned width, char fill);
/* Left-aligned in width (as %-5u). */
void strbuf_udec_left(struct strbuf *sb, uint64_t v, unsigned width);
/* Blanks until the buffer is column bytes longer than start. */
void strbuf_pad(struct strbuf *sb, size_t start, size_t column);

#endif
