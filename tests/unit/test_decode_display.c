/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_output */
/* What options make of a call: -e raw=, verbose=, abbrev=, read=, write=; vectors with what cannot be read. */
#include "decode_text.h"

#include "decode/touch.h"

#define NR_WRITE    1
#define NR_STAT     4
#define NR_WRITEV   20
#define NR_SELECT   23
#define NR_SETSOCKOPT 54
#define NR_EXECVE   59
#define NR_SYSINFO  99
#define NR_GETDENTS64 217
#define NR_KEYCTL   250
#define NR_SENDMMSG 307

static struct syscall_set all, none;

static void reset(void)
{
	memset(&all, true, sizeof(all));
	memset(&none, false, sizeof(none));
	call_opts = (struct decode_opts){ .string_limit = 32 };
}

static void test_raw(void **state)
{
	(void)state;
	reset();
	call_make(NR_WRITE, 3, 3, A(1), PTR, A(3));
	call_capture(1, 0, "abc", 3);
	assert_call("1, \"abc\", 3");
	call_opts.raw = &all;
	assert_true(call_is_raw(&call, &call_opts));
	assert_call("0x1, 0x7ffc0000, 0x3");
	call_opts.raw = &none;
	assert_false(call_is_raw(&call, &call_opts));
	assert_call("1, \"abc\", 3");
	call.nr = 9999;
	assert_false(call_is_raw(&call, &call_opts));
	assert_call("0x1, 0x7ffc0000, 0x3, 0, 0, 0");
}

/* Strings stay, structures do not. */
static void test_verbose(void **state)
{
	unsigned char st[144] = { 0 };

	(void)state;
	reset();
	st[25] = 0x81;          /* st_mode: S_IFREG */
	call_make(NR_STAT, 0, 2, PTR, PTR + 64);
	call_capture(0, 0, "/f", 2);
	call_capture(1, 0, st, sizeof(st))->flags = CT_CAP_AT_EXIT;
	assert_call("\"/f\", {st_mode=S_IFREG|0400, st_size=0, ...}");
	call_opts.verbose = &none;
	assert_call("\"/f\", 0x7ffc0040");
	call_opts.verbose = &all;
	assert_call("\"/f\", {st_mode=S_IFREG|0400, st_size=0, ...}");
}

/* A set that has the call abbreviates it, whatever -v said before. */
static void test_abbrev(void **state)
{
	struct cap_spec spec;
	uint64_t iov[2] = { PTR + 64, 2 };

	(void)state;
	reset();
	call_opts.string_limit = 1;
	call_make(NR_WRITEV, 4, 3, A(1), PTR, A(2));
	call_capture(1, 0, (uint64_t[]){ iov[0], iov[1], iov[0], iov[1] }, 32);
	call_capture(1, 1, "ab", 2);
	call_capture(1, 1, "cd", 2)->idx = 1;
	assert_call("1, [{iov_base=\"a\"..., iov_len=2}, ...], 2");
	call_opts.abbrev = &none;
	assert_call("1, [{iov_base=\"a\"..., iov_len=2}, {iov_base=\"c\"..., iov_len=2}], 2");
	call_opts.no_abbrev = true;
	call_opts.abbrev = &all;
	assert_call("1, [{iov_base=\"a\"..., iov_len=2}, ...], 2");
	/* What is not shown need not be copied, but for one, to see whether it is there. */
	syscall_capture_spec(ABI_X86_64, NR_WRITEV, &call_opts, &spec);
	assert_int_equal(spec.ops[0].elem, 2);
	call_opts.abbrev = &none;
	syscall_capture_spec(ABI_X86_64, NR_WRITEV, &call_opts, &spec);
	assert_int_equal(spec.ops[0].elem, CT_VEC_MAX);
}

/* Memory ends behind the last element that is shown: that is told in place of what is left out. */
static void test_rest(void **state)
{
	uint64_t iov[4] = { PTR + 64, 2, PTR + 64, 2 };
	struct capture *c;

	(void)state;
	reset();
	call_opts.string_limit = 1;
	call_make(NR_WRITEV, 4, 3, A(1), PTR + 4080, A(2));
	c = call_capture(1, 0, iov, 32);
	call_capture(1, 1, "ab", 2);
	assert_call("1, [{iov_base=\"a\"..., iov_len=2}, ...], 2");
	c->len = 16;
	assert_call("1, [{iov_base=\"a\"..., iov_len=2}, ... /* 0x7ffc1000 */], 2");
	/* Cut elsewhere than at the end of a page: by the record. */
	call.args[1] = PTR;
	assert_call("1, [{iov_base=\"a\"..., iov_len=2}, ...], 2");
	call_opts.string_limit = 0;
	assert_call("1, [...], 2");
}

/* Of arrays within structures no more is shown than of others. */
static void test_limit(void **state)
{
	uint64_t info[14] = { 1, 2, 3, 4, 5 };

	(void)state;
	reset();
	call_make(NR_SYSINFO, 0, 1, PTR);
	call_capture(0, 0, info, sizeof(info))->flags = CT_CAP_AT_EXIT;
	for (unsigned limit = 0; limit < 5; limit++) {
		static const char *const loads[] = { "...", "2, ...", "2, 3, ...", "2, 3, 4", "2, 3, 4" };
		char want[256];

		snprintf(want, sizeof(want), "{uptime=1, loads=[%s], totalram=5, freeram=0, sharedram=0, bufferram=0, totalswap=0, freeswap=0, "
			 "procs=0, totalhigh=0, freehigh=0, mem_unit=0}", loads[limit]);
		call_opts.string_limit = limit;
		assert_call(want);
	}
}

/* -e verbose=none: strings are none of its structures, what setsockopt(2) sets is one, what getsockopt(2) gets is not. */
static void test_addresses(void **state)
{
	uint32_t length = 5;

	(void)state;
	reset();
	call_opts.verbose = &none;
	call_make(NR_KEYCTL, 7, 3, A(2), A(1), PTR);
	call.args[3] = 5;
	call_capture(2, 0, "value", 5);
	assert_call("KEYCTL_UPDATE, 1, \"value\", 5");
	call_make(NR_SETSOCKOPT, 0, 5, A(3), A(6), A(13), PTR, A(5));
	call_capture(3, 0, "cubic", 5);
	assert_call("3, SOL_TCP, TCP_CONGESTION, 0x7ffc0000, 5");
	call_opts.verbose = &all;
	assert_call("3, SOL_TCP, TCP_CONGESTION, \"cubic\", 5");
	call_opts.verbose = &none;
	call_make(NR_GETDENTS64, 0, 3, A(3), PTR, A(1024));
	assert_call("3, 0x7ffc0000, 1024");
	call_make(NR_SENDMMSG, 0, 4, A(3), PTR, A(0), A(0));
	assert_call("3, 0x7ffc0000, 0, 0");
	call_make(NR_SELECT, 1, 5, A(4), PTR, A(0), A(0), PTR + 64);
	call_capture(1, 1, "\10\0\0\0\0\0\0\0", 8)->flags = CT_CAP_AT_EXIT;
	call_capture(4, 1, &length, 4)->flags = CT_CAP_AT_EXIT;
	assert_call("4, 0x7ffc0000, NULL, NULL, 0x7ffc0040 -> in [3], left 0x7ffc0040");
}

static void expect_data(const char *want)
{
	struct emit_text t;
	struct strbuf out = { 0 };

	emit_text_init(&t);
	emit_text_begin(&t, &out, EMIT_WHOLE);
	decode_args(&call, &call_opts, &t.e);
	assert_string_equal(strbuf_cstr(&t.data), want);
	strbuf_done(&out);
	emit_text_done(&t);
}

static void test_data(void **state)
{
	int fds[] = { 1 };
	struct fd_set_spec one = { .any = true, .n = 1, .fds = fds }, others = { .any = true, .others = true, .n = 1, .fds = fds };
	struct cap_spec spec;

	(void)state;
	reset();
	call_make(NR_WRITE, 3, 3, A(1), PTR, A(3));
	call_capture(1, 0, "ab\n", 3);
	expect_data("");
	call_opts.dump_reads = &one;
	expect_data("");
	call_opts.dump_writes = &others;
	expect_data("");
	call_opts.dump_writes = &one;
	expect_data(" | 00000  61 62 0a                                          ab.              |\n");
	/* All of it is copied, whatever -s says. */
	syscall_capture_spec(ABI_X86_64, NR_WRITE, &call_opts, &spec);
	assert_true(spec.ops[0].max >= CT_CAP_MAX - 1);
	call.captures[0].flags = CT_CAP_FAILED;
	call.captures[0].len = 0;
	expect_data("");
}

/* As strace: a string that cannot be read is its pointer, a pointer that cannot the end. */
static void test_argv(void **state)
{
	uint64_t bad = 0xffffffffffffff;
	uint32_t two = 2;
	struct capture *c;

	(void)state;
	reset();
	call_make(NR_EXECVE, -2, 3, PTR, PTR + 16, A(0));
	call_capture(0, 0, "/x", 2);
	call_capture(1, 0, "ok", 2);
	c = call_capture(1, 0, &bad, sizeof(bad));
	c->idx = 1;
	c->flags = CT_CAP_FAILED;
	call_capture(1, 0, "z", 1)->idx = 2;
	call_capture(1, 1, &two, sizeof(two));
	assert_call("\"/x\", [\"ok\", 0xffffffffffffff, \"z\"], NULL");
	c->len = 0;
	assert_call("\"/x\", [\"ok\", ... /* 0x7ffc0018 */], NULL");
	call.captures[1].flags = CT_CAP_FAILED;
	call.captures[1].len = 0;
	assert_call("\"/x\", 0x7ffc0010, NULL");
	call.args[2] = PTR + 32;
	c = call_capture(2, 1, &two, sizeof(two));
	assert_call("\"/x\", 0x7ffc0010, 0x7ffc0020 /* 2 vars */");
	c->flags = CT_CAP_CUT;
	assert_call("\"/x\", 0x7ffc0010, 0x7ffc0020 /* 2 vars, unterminated */");
	assert_survives_cuts();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_raw),  cmocka_unit_test(test_verbose), cmocka_unit_test(test_abbrev), cmocka_unit_test(test_rest), cmocka_unit_test(test_limit), cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_data), cmocka_unit_test(test_argv),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
