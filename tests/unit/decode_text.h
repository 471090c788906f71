/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TESTS_DECODE_TEXT_H
#define CTRACE_TESTS_DECODE_TEXT_H
/*
 * Calls made by hand and their text. The expected lines are strace 7.2's for
 * the same memory; the oracle (tests/system/oracle) compares many more on a
 * live kernel, these need none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "decode/decode.h"
#include "output/emit_text.h"

static struct call call;
static struct decode_opts call_opts = { .string_limit = 32 };

/* A call of x86_64: call_make(number, result, number of arguments, arguments...). */
static inline void call_make(uint32_t nr, int64_t ret, unsigned n, ...)
{
	va_list ap;

	memset(&call, 0, sizeof(call));
	call.abi = ABI_X86_64;
	call.nr = nr;
	call.ret = ret;
	va_start(ap, n);
	for (unsigned i = 0; i < n && i < CT_ARGS; i++)
		call.args[i] = va_arg(ap, uint64_t);
	va_end(ap);
}

#define A(v) ((uint64_t)(v))
#define PTR 0x7ffc0000ull       /* where all that is captured is said to lie */

static inline struct capture *call_capture(unsigned arg, unsigned part, const void *data, size_t len)
{
	struct capture *c = &call.captures[call.n_captures++];

	assert_true(call.n_captures <= CALL_CAPTURES);
	*c = (struct capture){ .arg = (uint8_t)arg, .part = (uint8_t)part, .len = (uint32_t)len, .true_len = (uint32_t)len,
			       .data = data };
	return c;
}

/* Arguments, and what stands behind the result: "fds, 1, 0 -> Timeout". */
static inline void assert_call(const char *expected)
{
	struct emit_text t;
	struct strbuf out = { 0 };

	emit_text_init(&t);
	emit_text_begin(&t, &out, EMIT_WHOLE);
	decode_args(&call, &call_opts, &t.e);
	if (t.has_detail) {
		strbuf_str(&out, " -> ");
		strbuf_bytes(&out, t.detail.buf, t.detail.len);
	}
	assert_string_equal(strbuf_cstr(&out), expected);
	strbuf_done(&out);
	emit_text_done(&t);
}

/* Nothing that a record says may lead outside of it: all captures of the call, cut at every length. */
static inline void assert_survives_cuts(void)
{
	struct call whole = call;

	for (unsigned i = 0; i < whole.n_captures; i++) {
		for (uint32_t len = 0; len < whole.captures[i].len; len++) {
			struct emit_text t;
			struct strbuf out = { 0 };
			char *copy = test_malloc(len ? len : 1);

			call = whole;
			memcpy(copy, whole.captures[i].data, len);
			call.captures[i].data = copy;
			call.captures[i].len = len;
			call.captures[i].flags |= CT_CAP_CUT;
			emit_text_init(&t);
			emit_text_begin(&t, &out, EMIT_WHOLE);
			decode_args(&call, &call_opts, &t.e);
			assert_true(out.len > 0);
			strbuf_done(&out);
			emit_text_done(&t);
			test_free(copy);
		}
	}
	call = whole;
}

#endif
