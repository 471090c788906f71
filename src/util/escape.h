/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_UTIL_ESCAPE_H
#define CTRACE_UTIL_ESCAPE_H
/*
 * Bytes of others made fit to be shown. Every string that comes from a traced
 * task or a file goes through one of these before it reaches the output.
 */
#include <stdbool.h>
#include <stddef.h>

#include "util/strbuf.h"

/* strace's --strings-in-hex */
enum hex_mode { HEX_NONE, HEX_NON_ASCII_CHARS, HEX_NON_ASCII, HEX_ALL };

/*
 * C escapes as in strace's quoted strings, without the quotes: \n \t \v \f
 * \r \" \\ and octal, three digits wide only where an octal digit follows.
 * With HEX_NON_ASCII (-x) a string that holds an odd byte is all \xNN.
 */
void escape_c(struct strbuf *sb, const void *bytes, size_t len, enum hex_mode mode);
/* The same for what stands between < and >, which become escapes, too. */
void escape_path(struct strbuf *sb, const void *bytes, size_t len, enum hex_mode mode);

/*
 * For text that stands without quotes (comm, container names): every byte
 * that is not printable ASCII, the backslash, and the bytes of also (NULL:
 * none) become escapes. Nothing else changes.
 */
void escape_plain(struct strbuf *sb, const void *bytes, size_t len, const char *also);

/* UTF-8 as JSON may hold it: no overlong forms, no surrogates, and no NUL. */
bool utf8_text(const void *bytes, size_t len);

/*
 * A JSON value: "..." when the bytes are UTF-8 text, else the object
 * {"bytes":"68ff"} with two hex digits for each byte. So nothing is lost and
 * the output is always valid JSON.
 */
void json_quote(struct strbuf *sb, const void *bytes, size_t len);

#endif
