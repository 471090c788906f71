/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TESTS_DECODE_BOTH_H
#define CTRACE_TESTS_DECODE_BOTH_H
/* Calls made by hand, as text and as JSON: for one group of tests, with setup() and teardown(). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "decode/decode.h"
#include "output/emit_json.h"
#include "output/emit_text.h"

static struct decode_opts opts = { .string_limit = 32 };
static struct emit_text text;
static struct emit_json json;
static struct strbuf out;
static struct call call;

static int setup(void **state)
{
	(void)state;
	emit_text_init(&text);
	emit_json_init(&json);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	emit_text_done(&text);
	emit_json_done(&json);
	strbuf_done(&out);
	return 0;
}

/* A call without captures; its arguments are those, then zeros. */
static inline void call_begin(enum abi abi, uint32_t nr, int64_t ret, const uint64_t *args, size_t n)
{
	memset(&call, 0, sizeof(call));
	call.abi = abi;
	call.nr = nr;
	call.ret = ret;
	memcpy(call.args, args, n * sizeof(*args));
}

static inline const char *as_text(void)
{
	strbuf_reset(&out);
	emit_text_begin(&text, &out, EMIT_WHOLE);
	decode_args(&call, &opts, &text.e);
	return strbuf_cstr(&out);
}

/* The members of the object, without its braces. */
static inline const char *as_json(void)
{
	strbuf_reset(&out);
	emit_json_begin(&json, &out);
	decode_args(&call, &opts, &json.e);
	emit_json_end(&json);
	return strbuf_cstr(&out);
}

#endif
