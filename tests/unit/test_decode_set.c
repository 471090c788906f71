/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_decode */
/* Sets of system calls: -e trace=. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "decode/decode.h"

static struct syscall_set set;
static char err[128];

static uint32_t number(enum abi abi, const char *name)
{
	for (uint32_t nr = 0; nr < CT_NR_NATIVE; nr++) {
		const struct syscall *s = syscall_get(abi, nr);

		if (s && !strcmp(syscall_name(s), name))
			return nr;
	}
	fail_msg("no %s", name);
	return 0;
}

static bool native(const char *name)
{
	return set.rows[call_row(false, number(ABI_NATIVE, name))];
}

static bool compat(const char *name)
{
	return set.rows[call_row(true, number(ABI_COMPAT, name))];
}

static unsigned count(void)
{
	unsigned n = 0;

	for (size_t i = 0; i < CT_ROWS; i++)
		n += set.rows[i];
	return n;
}

static void parse(const char *text)
{
	*err = '\0';
	if (syscall_set_parse(text, &set, err, sizeof(err)))
		fail_msg("%s: %s", text, err);
}

static void refuse(const char *text, const char *words)
{
	*err = '\0';
	assert_int_equal(syscall_set_parse(text, &set, err, sizeof(err)), -EINVAL);
	if (!strstr(err, words))
		fail_msg("%s: '%s' does not say '%s'", text, err, words);
	assert_null(strchr(err, '\n'));
}

static void test_names(void **state)
{
	(void)state;
	parse("openat,close");
	assert_true(native("openat") && native("close"));
	assert_false(native("read") || native("openat2"));
	parse("all");
	assert_int_equal(count(), CT_ROWS);
	parse("none");
	assert_int_equal(count(), 0);
	parse("!none");
	assert_int_equal(count(), CT_ROWS);
	parse("!openat,close");
	assert_false(native("openat") || native("close"));
	assert_true(native("read") && set.rows[CT_ROW_OUTSIDE]);
	refuse("opennat", "no such system call: 'opennat'");
	parse("?opennat,close");
	assert_true(native("close"));
	assert_false(native("openat"));
}

static void test_classes(void **state)
{
	(void)state;
	parse("%file");
	assert_true(native("openat") && native("execve") && native("statfs"));
	assert_false(native("read") || native("socket"));
	parse("%network");
	assert_true(native("connect") && native("sendfile"));
	assert_false(native("read"));
	parse("%net");
	assert_true(native("connect"));
	/* A bare class is deprecated, and taken; a call of the same name goes first. */
	parse("memory");
	assert_true(native("mmap") && native("brk"));
	parse("%fstat");
	assert_true(native("fstat") && native("statx"));
	parse("fstat");
	assert_true(native("fstat"));
	assert_false(native("statx"));
	parse("%%stat");
	assert_true(native("fstat") && native("statx"));
	parse("%pure,%clock,%creds,%desc,%ipc,%process,%signal,%statfs,%fstatfs,%%statfs,%lstat,%stat");
	assert_true(native("getpid") && native("clock_settime") && native("setuid") && native("read") && native("shmat") &&
		    native("clone") && native("kill") && native("statfs"));
	refuse("%files", "no such class of system calls: '%files'");
	refuse("creds", "no such system call: 'creds'");
}

static void test_abis(void **state)
{
	(void)state;
	parse("openat@64");
	assert_true(native("openat"));
#if defined(__x86_64__)
	assert_false(compat("openat"));
	parse("openat@32");
	assert_true(compat("openat"));
	assert_false(native("openat"));
	parse("openat");
	assert_true(native("openat") && compat("openat"));
	/* A call that only one of them has. */
	parse("waitpid");
	assert_int_equal(count(), 1);
	parse("?waitpid@64");
	assert_int_equal(count(), 0);
#else
	(void)compat;
#endif
	refuse("openat@x32", "not an ABI");
	refuse("openat@", "not an ABI");
}

static void test_regex_and_numbers(void **state)
{
	(void)state;
	parse("/^open");
	assert_true(native("openat") && native("open_tree"));
	assert_false(native("mq_open"));
	parse("/open");
	assert_true(native("mq_open"));
	refuse("/(", "not a regular expression");
	refuse("/nothing_has_that_name", "no system call matches");
	parse("?/nothing_has_that_name");
	parse("0,511");
	assert_true(set.rows[0] && set.rows[511] && set.rows[CT_NR_NATIVE]);
	parse("99999");
	assert_true(set.rows[CT_ROW_OUTSIDE]);
	refuse("12x", "not a system call number");
	refuse("99999999999999999999", "not a system call number");
}

static void test_odd(void **state)
{
	static char longer[5000];

	(void)state;
	refuse("", "empty");
	refuse("!", "empty");
	refuse("?", "empty");
	refuse("@64", "empty");
	/* A terminal does not see what the user's words would do to it. */
	refuse("\033[31m\n", "'?[31m?'");
	memset(longer, 'a', sizeof(longer) - 1);
	refuse(longer, "no such system call");
	/* A set that is refused leaves the last one as it was. */
	parse("close");
	refuse("read,nonsense", "nonsense");
	assert_true(native("close"));
	assert_false(native("read"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_abis),
		cmocka_unit_test(test_regex_and_numbers),
		cmocka_unit_test(test_odd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
