/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "util/strbuf.h"

#include <stdlib.h>

#define NUMBER_MAX 24           /* digits of 2^64 in octal and a sign */

static const char hex_digits[16] = "0123456789abcdef";

void strbuf_done(struct strbuf *sb)
{
	free(sb->buf);
	*sb = (struct strbuf){ 0 };
}

bool strbuf_grow(struct strbuf *sb, size_t n)
{
	size_t want, size = sb->allocated ? sb->allocated : 256;
	char *p;

	if (__builtin_add_overflow(sb->len, n, &want) || want > SIZE_MAX / 2)
		goto fail;
	while (size < want)
		size *= 2;
	p = realloc(sb->buf, size);
	if (!p)
		goto fail;
	sb->buf = p;
	sb->allocated = size;
	return true;
fail:
	sb->failed = true;
	return false;
}

const char *strbuf_cstr(struct strbuf *sb)
{
	char *p = strbuf_room(sb, 1);

	if (!p)
		return "";
	*p = '\0';
	return sb->buf;
}

/* Writes the digits so that they end at end; returns their beginning. */
static char *digits10(char *end, uint64_t v)
{
	do {
		*--end = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	return end;
}

void strbuf_udec(struct strbuf *sb, uint64_t v)
{
	char tmp[NUMBER_MAX], *end = tmp + sizeof(tmp), *p;

	if (v < 10) {
		strbuf_char(sb, (char)('0' + v));
		return;
	}
	p = digits10(end, v);
	strbuf_bytes(sb, p, (size_t)(end - p));
}

void strbuf_dec(struct strbuf *sb, int64_t v)
{
	if (v < 0) {
		strbuf_char(sb, '-');
		strbuf_udec(sb, 0 - (uint64_t)v);
		return;
	}
	strbuf_udec(sb, (uint64_t)v);
}

void strbuf_hex(struct strbuf *sb, uint64_t v)
{
	char tmp[NUMBER_MAX], *end = tmp + sizeof(tmp), *p = end;

	if (!v) {
		strbuf_char(sb, '0');
		return;
	}
	for (; v; v >>= 4)
		*--p = hex_digits[v & 15];
	*--p = 'x';
	*--p = '0';
	strbuf_bytes(sb, p, (size_t)(end - p));
}

void strbuf_hex_digits(struct strbuf *sb, uint64_t v, unsigned digits)
{
	char tmp[NUMBER_MAX], *end = tmp + sizeof(tmp), *p = end;

	if (digits > 16)
		digits = 16;
	do {
		*--p = hex_digits[v & 15];
		v >>= 4;
	} while (v || p > end - digits);
	strbuf_bytes(sb, p, (size_t)(end - p));
}

void strbuf_oct(struct strbuf *sb, uint64_t v, unsigned digits)
{
	char tmp[NUMBER_MAX], *end = tmp + sizeof(tmp), *p = end;

	if (digits > NUMBER_MAX)
		digits = NUMBER_MAX;
	for (; v; v >>= 3)
		*--p = (char)('0' + (v & 7));
	if (p == end || *p != '0')
		*--p = '0';
	while (p > end - digits)
		*--p = '0';
	strbuf_bytes(sb, p, (size_t)(end - p));
}

void strbuf_udec_width(struct strbuf *sb, uint64_t v, unsigned width, char fill)
{
	char tmp[NUMBER_MAX], *end = tmp + sizeof(tmp), *p = digits10(end, v);

	for (size_t n = (size_t)(end - p); n < width; n++)
		strbuf_char(sb, fill);
	strbuf_bytes(sb, p, (size_t)(end - p));
}

void strbuf_udec_left(struct strbuf *sb, uint64_t v, unsigned width)
{
	size_t start = sb->len;

	strbuf_udec(sb, v);
	strbuf_pad(sb, start, width);
}

void strbuf_pad(struct strbuf *sb, size_t start, size_t column)
{
	size_t n = sb->len - start;
	char *p;

	if (n >= column)
		return;
	n = column - n;
	p = strbuf_room(sb, n);
	if (!p)
		return;
	memset(p, ' ', n);
	sb->len += n;
}
