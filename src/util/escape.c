/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "util/escape.h"

#include <stdint.h>

static const char hex_digits[16] = "0123456789abcdef";

/* What a byte is in a C string: 0 itself, 1 octal, else the letter after the backslash. */
static const unsigned char c_classes[256] = {
	[0 ... 8] = 1,	   ['\t'] = 't',    ['\n'] = 'n',  ['\v'] = 'v',	 ['\f'] = 'f',
	['\r'] = 'r',	   [14 ... 31] = 1, ['"'] = '"', ['\\'] = '\\', [127 ... 255] = 1,
};

static char *put_octal(char *out, unsigned char c, bool wide)
{
	*out++ = '\\';
	if (wide || c >> 6)
		*out++ = (char)('0' + (c >> 6));
	if (wide || c >> 3)
		*out++ = (char)('0' + ((c >> 3) & 7));
	*out++ = (char)('0' + (c & 7));
	return out;
}

static char *put_hex(char *out, unsigned char c)
{
	*out++ = '\\';
	*out++ = 'x';
	*out++ = hex_digits[c >> 4];
	*out++ = hex_digits[c & 15];
	return out;
}

/* Whether -x turns to hex for this string: a byte that is neither printable nor white space. */
static bool has_odd_byte(const unsigned char *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (c_classes[p[i]] == 1)
			return true;
	return false;
}

static void escape(struct strbuf *sb, const void *bytes, size_t len, enum hex_mode mode, bool angles)
{
	const unsigned char *p = bytes;
	bool all_hex = mode == HEX_ALL || (mode == HEX_NON_ASCII && has_odd_byte(p, len));
	char *out;

	if (len > SIZE_MAX / 4)
		return;
	out = strbuf_room(sb, len * 4);
	if (!out)
		return;
	for (size_t i = 0; i < len; i++) {
		unsigned char c = p[i], class = c_classes[c];

		if (angles && (c == '<' || c == '>'))
			class = 1;
		if (all_hex || (class == 1 && mode == HEX_NON_ASCII_CHARS)) {
			out = put_hex(out, c);
		} else if (class == 0) {
			*out++ = (char)c;
		} else if (class == 1) {
			out = put_octal(out, c, i + 1 < len && p[i + 1] >= '0' && p[i + 1] <= '7');
		} else {
			*out++ = '\\';
			*out++ = (char)class;
		}
	}
	sb->len = (size_t)(out - sb->buf);
}

void escape_c(struct strbuf *sb, const void *bytes, size_t len, enum hex_mode mode)
{
	escape(sb, bytes, len, mode, false);
}

void escape_path(struct strbuf *sb, const void *bytes, size_t len, enum hex_mode mode)
{
	escape(sb, bytes, len, mode, true);
}

void escape_plain(struct strbuf *sb, const void *bytes, size_t len, const char *also)
{
	const unsigned char *p = bytes;
	char *out;

	if (len > SIZE_MAX / 4)
		return;
	out = strbuf_room(sb, len * 4);
	if (!out)
		return;
	for (size_t i = 0; i < len; i++) {
		unsigned char c = p[i], class = c_classes[c];

		if (class == '"')
			class = 0;
		if (class == 0 && also && strchr(also, c))
			class = 1;
		if (class == 0) {
			*out++ = (char)c;
		} else if (class == 1) {
			out = put_octal(out, c, i + 1 < len && p[i + 1] >= '0' && p[i + 1] <= '7');
		} else {
			*out++ = '\\';
			*out++ = (char)class;
		}
	}
	sb->len = (size_t)(out - sb->buf);
}

/* Length of the UTF-8 sequence at p, 0 if it is none (Unicode 15, table 3-7). */
static size_t utf8_sequence(const unsigned char *p, size_t left)
{
	size_t n;

	if (p[0] >= 0xc2 && p[0] <= 0xdf)
		n = 2;
	else if (p[0] >= 0xe0 && p[0] <= 0xef)
		n = 3;
	else if (p[0] >= 0xf0 && p[0] <= 0xf4)
		n = 4;
	else
		return 0;
	if (n > left)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return n;
}

bool utf8_text(const void *bytes, size_t len)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < len;) {
		size_t n;

		if (p[i] && p[i] < 0x80) {
			i++;
			continue;
		}
		n = p[i] ? utf8_sequence(p + i, len - i) : 0;
		if (!n)
			return false;
		i += n;
	}
	return true;
}

static void json_hex(struct strbuf *sb, const unsigned char *p, size_t len)
{
	char *out;

	strbuf_lit(sb, "{\"bytes\":\"");
	out = strbuf_room(sb, len * 2);
	if (!out)
		return;
	for (size_t i = 0; i < len; i++) {
		*out++ = hex_digits[p[i] >> 4];
		*out++ = hex_digits[p[i] & 15];
	}
	sb->len += len * 2;
	strbuf_lit(sb, "\"}");
}

/* DEL and C1 controls (0xc2 0x80..0x9f) are escaped too: terminals act on them. */
static char *put_json(char *out, const unsigned char *p, size_t left, size_t *ret_used)
{
	unsigned code = p[0];

	*ret_used = 1;
	if (p[0] == 0xc2 && left > 1 && p[1] < 0xa0) {
		code = p[1];
		*ret_used = 2;
	} else if (p[0] == '"' || p[0] == '\\') {
		*out++ = '\\';
		*out++ = (char)p[0];
		return out;
	} else if (p[0] == '\n' || p[0] == '\t') {
		*out++ = '\\';
		*out++ = p[0] == '\n' ? 'n' : 't';
		return out;
	} else if (p[0] >= 0x20 && p[0] != 0x7f) {
		*out++ = (char)p[0];
		return out;
	}
	memcpy(out, "\\u00", 4);
	out[4] = hex_digits[code >> 4];
	out[5] = hex_digits[code & 15];
	return out + 6;
}

void json_quote(struct strbuf *sb, const void *bytes, size_t len)
{
	const unsigned char *p = bytes;
	size_t used;
	char *out;

	if (len > SIZE_MAX / 8)
		return;
	if (!utf8_text(bytes, len)) {
		json_hex(sb, p, len);
		return;
	}
	out = strbuf_room(sb, len * 6 + 2);
	if (!out)
		return;
	*out++ = '"';
	for (size_t i = 0; i < len; i += used)
		out = put_json(out, p + i, len - i, &used);
	*out++ = '"';
	sb->len = (size_t)(out - sb->buf);
}
