/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_output */
/* Values in the three styles of -X; the expected words are strace 7.2's for the same values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "output/emit_text.h"

static struct emit_text t;
static struct strbuf out;

typedef void say_fn(struct emitter *e, const struct emit_ops *ops);

static const char *said(say_fn *say, enum const_style style)
{
	strbuf_reset(&out);
	t.consts = style;
	emit_text_begin(&t, &out, EMIT_WHOLE);
	t.e.ops->arg(&t.e, "a");
	say(&t.e, t.e.ops);
	return strbuf_cstr(&out);
}

static void expect(say_fn *say, const char *abbrev, const char *raw, const char *verbose)
{
	assert_string_equal(said(say, CONST_ABBREV), abbrev);
	assert_string_equal(said(say, CONST_RAW), raw);
	assert_string_equal(said(say, CONST_VERBOSE), verbose);
}

static void sym(struct emitter *e, const struct emit_ops *ops)
{
	ops->sym(e, "RLIMIT_STACK", 3);
}

static void sym_unknown(struct emitter *e, const struct emit_ops *ops)
{
	ops->sym(e, NULL, 0x63);
	ops->comment(e, "AF_???");
}

static void time_comment(struct emitter *e, const struct emit_ops *ops)
{
	ops->num(e, 5, EMIT_UDEC);
	ops->comment(e, "0.05 s");
}

static void signal_number(struct emitter *e, const struct emit_ops *ops)
{
	ops->named(e, "SIGKILL", 9, EMIT_DEC);
}

static void mode(struct emitter *e, const struct emit_ops *ops)
{
	ops->named(e, "S_IFREG|0644", 0100644, EMIT_OCT);
}

static void test_constants(void **state)
{
	(void)state;
	expect(sym, "RLIMIT_STACK", "0x3", "0x3 /* RLIMIT_STACK */");
	expect(sym_unknown, "0x63 /* AF_??? */", "0x63", "0x63 /* AF_??? */");
	expect(time_comment, "5 /* 0.05 s */", "5 /* 0.05 s */", "5 /* 0.05 s */");
	expect(signal_number, "SIGKILL", "9", "9 /* SIGKILL */");
	expect(mode, "S_IFREG|0644", "0100644", "0100644 /* S_IFREG|0644 */");
}

static void open_flags(struct emitter *e, const struct emit_ops *ops)
{
	ops->flags_begin(e, 0x80000);
	ops->flag(e, "O_RDONLY", 0);
	ops->flag(e, "O_CLOEXEC", 0x80000);
	ops->flags_end(e);
}

static void flags_zero(struct emitter *e, const struct emit_ops *ops)
{
	ops->flags_begin(e, 0);
	ops->flags_end(e);
}

static void flags_zero_named(struct emitter *e, const struct emit_ops *ops)
{
	ops->flags_begin(e, 0);
	ops->flag(e, "PROT_NONE", 0);
	ops->flags_end(e);
}

static void flags_rest(struct emitter *e, const struct emit_ops *ops)
{
	ops->flags_begin(e, 0x180000);
	ops->flag(e, "O_CLOEXEC", 0x80000);
	ops->flag(e, NULL, 0x100000);
	ops->flags_end(e);
}

static void flags_unknown(struct emitter *e, const struct emit_ops *ops)
{
	ops->flags_begin(e, 0x70);
	ops->flag(e, NULL, 0x70);
	ops->flags_end(e);
	ops->comment(e, "AT_???");
}

/* mmap(2) with a type that there is not. */
static void joint_unknown(struct emitter *e, const struct emit_ops *ops)
{
	ops->flags_begin(e, 0x1f);
	ops->flag(e, NULL, 0xf);
	ops->comment(e, "MAP_???");
	ops->flag(e, "MAP_FIXED", 0x10);
	ops->flags_end(e);
}

static void test_sets(void **state)
{
	(void)state;
	expect(open_flags, "O_RDONLY|O_CLOEXEC", "0x80000", "0x80000 /* O_RDONLY|O_CLOEXEC */");
	expect(flags_zero, "0", "0", "0");
	expect(flags_zero_named, "PROT_NONE", "0", "0 /* PROT_NONE */");
	expect(flags_rest, "O_CLOEXEC|0x100000", "0x180000", "0x180000 /* O_CLOEXEC|0x100000 */");
	expect(flags_unknown, "0x70 /* AT_??? */", "0x70", "0x70 /* AT_??? */");
	expect(joint_unknown, "0xf /* MAP_??? */|MAP_FIXED", "0x1f", "0x1f /* 0xf /* MAP_??? */|MAP_FIXED */");
}

static void clone_flags(struct emitter *e, const struct emit_ops *ops)
{
	ops->flags_begin(e, 0x1000);
	ops->flag(e, "CLONE_PIDFD", 0x1000);
	ops->flag_apart(e, "SIGCHLD", 17, EMIT_UDEC);
	ops->flags_end(e);
}

static void clone_nothing_but_signal(struct emitter *e, const struct emit_ops *ops)
{
	ops->flags_begin(e, 0);
	ops->flag_apart(e, "SIGCHLD", 17, EMIT_UDEC);
	ops->flags_end(e);
}

static void socket_type(struct emitter *e, const struct emit_ops *ops)
{
	ops->flags_begin(e, 0x80000);
	ops->flag_apart(e, "SOCK_DGRAM", 2, EMIT_HEX);
	ops->flag(e, "SOCK_CLOEXEC", 0x80000);
	ops->flags_end(e);
}

static void get_flags(struct emitter *e, const struct emit_ops *ops)
{
	ops->flags_begin(e, 0x54040200);
	ops->flag(e, "IPC_CREAT", 0x200);
	ops->flag(e, NULL, 0x54040000);
	ops->flag_apart(e, NULL, 0600, EMIT_OCT);
	ops->flags_end(e);
}

static void test_apart(void **state)
{
	(void)state;
	expect(clone_flags, "CLONE_PIDFD|SIGCHLD", "0x1000|17", "0x1000 /* CLONE_PIDFD */|17 /* SIGCHLD */");
	expect(clone_nothing_but_signal, "SIGCHLD", "17", "17 /* SIGCHLD */");
	expect(socket_type, "SOCK_DGRAM|SOCK_CLOEXEC", "0x2|0x80000", "0x2 /* SOCK_DGRAM */|0x80000 /* SOCK_CLOEXEC */");
	expect(get_flags, "IPC_CREAT|0x54040000|0600", "0x54040200|0600", "0x54040200 /* IPC_CREAT|0x54040000 */|0600");
}

static void signals(struct emitter *e, const struct emit_ops *ops)
{
	ops->members_begin(e, false);
	ops->member(e, "SIGHUP", 3, 1);
	ops->member(e, "SIGUSR1", 3, 10);
	ops->members_end(e);
}

static void other_signals(struct emitter *e, const struct emit_ops *ops)
{
	ops->members_begin(e, true);
	ops->member(e, "SIGKILL", 3, 9);
	ops->members_end(e);
}

static void priority(struct emitter *e, const struct emit_ops *ops)
{
	ops->array_begin(e);
	ops->num(e, 1, EMIT_DEC);
	ops->alias_begin(e, 8200, EMIT_UDEC);
	ops->around(e, "IOPRIO_PRIO_VALUE(");
	ops->sym(e, "IOPRIO_CLASS_RT", 1);
	ops->around(e, ", ");
	ops->num(e, 8, EMIT_DEC);
	ops->around(e, ")");
	ops->alias_end(e);
	ops->num(e, 2, EMIT_DEC);
	ops->array_end(e);
}

static void address(struct emitter *e, const struct emit_ops *ops)
{
	ops->struct_begin(e);
	ops->field(e, "sin6_port");
	ops->alias_bytes_begin(e, "\x00\x35", 2);
	ops->around(e, "htons(");
	ops->num(e, 53, EMIT_UDEC);
	ops->around(e, ")");
	ops->alias_end(e);
	ops->pton(e, "sin6_addr", "AF_INET6", "::", "\0\0", 2);
	ops->struct_end(e);
}

static void test_composed(void **state)
{
	(void)state;
	expect(signals, "[HUP USR1]", "[1 10]", "[1 /* HUP */ 10 /* USR1 */]");
	expect(other_signals, "~[KILL]", "~[9]", "~[9 /* KILL */]");
	expect(priority, "[1, IOPRIO_PRIO_VALUE(IOPRIO_CLASS_RT, 8), 2]", "[1, 8200, 2]",
	       "[1, 8200 /* IOPRIO_PRIO_VALUE(0x1 /* IOPRIO_CLASS_RT */, 8) */, 2]");
	expect(address, "{sin6_port=htons(53), inet_pton(AF_INET6, \"::\", &sin6_addr)}",
	       "{sin6_port=\"\\x00\\x35\", sin6_addr=\"\\x00\\x00\"}",
	       "{sin6_port=\"\\x00\\x35\" /* htons(53) */, sin6_addr=\"\\x00\\x00\" /* inet_pton(AF_INET6, \"::\") */}");
}

/* Behind the result constants are words, sets follow -X. */
static void detail(struct emitter *e, const struct emit_ops *ops)
{
	ops->num(e, 7, EMIT_DEC);
	ops->part(e, NULL);
	ops->sym(e, "SUID_DUMP_USER", 1);
	ops->part(e, "flags");
	ops->flags_begin(e, 1);
	ops->flag(e, "FD_CLOEXEC", 1);
	ops->flags_end(e);
}

static void test_detail(void **state)
{
	static const char *const want[] = {
		[CONST_ABBREV] = "SUID_DUMP_USER, flags FD_CLOEXEC", [CONST_RAW] = "SUID_DUMP_USER, flags 0x1",
		[CONST_VERBOSE] = "SUID_DUMP_USER, flags 0x1 /* FD_CLOEXEC */",
	};

	(void)state;
	for (unsigned style = 0; style < 3; style++) {
		assert_string_equal(said(detail, (enum const_style)style), "7");
		assert_string_equal(strbuf_cstr(&t.detail), want[style]);
	}
}

static void data(struct emitter *e, const struct emit_ops *ops)
{
	ops->data(e, &(struct emit_data){ .is_vector = true, .index = 1, .len = 2 });
	ops->data(e, &(struct emit_data){ .numbered = true, .len = 17, .bytes = "0123456789abcdef\x7f", .have = 17 });
	ops->data(e, &(struct emit_data){ .numbered = true, .index = 1, .len = 5, .bytes = "\xff", .have = 1 });
}

static void test_data(void **state)
{
	(void)state;
	assert_string_equal(said(data, CONST_ABBREV), "");
	assert_string_equal(strbuf_cstr(&t.data),
			    " = 2 buffers in vector 1\n"
			    " * 17 bytes in buffer 0\n"
			    " | 00000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  0123456789abcdef |\n"
			    " | 00010  7f                                                .                |\n"
			    " * 5 bytes in buffer 1\n"
			    " | 00000  ff                                                .                |\n"
			    " | 00001  ... 4 more bytes |\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_constants), cmocka_unit_test(test_sets),	 cmocka_unit_test(test_apart),
		cmocka_unit_test(test_composed),  cmocka_unit_test(test_detail), cmocka_unit_test(test_data),
	};
	int r;

	emit_text_init(&t);
	r = cmocka_run_group_tests(tests, NULL, NULL);
	emit_text_done(&t);
	strbuf_done(&out);
	return r;
}
