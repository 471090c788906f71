/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_cli */
/* Durations, sizes, numbers and sets as they are written on the command line. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/values.h"
#include "util/macros.h"

static void test_durations(void **state _unused_)
{
	static const struct { const char *text; bool need_unit; uint64_t ns; } rows[] = {
		{ "10ms", true, 10000000 }, { "2s", true, 2000000000 }, { "1.5s", true, 1500000000 }, { "500us", true, 500000 },
		{ "500\xc2\xb5s", true, 500000 }, { "7ns", true, 7 }, { "2m", true, 120000000000 }, { "1min", true, 60000000000 },
		{ "1h", true, 3600000000000 }, { "3", false, 3000000000 }, { "0.25", false, 250000000 },
		{ "0.000000001", false, 1 }, { "1.0000000019s", true, 1000000001 }, { "1.5ns", true, 1 },
		{ "18446744073s", true, 18446744073000000000u },
		/* refused: */
		{ "", false, 0 }, { "s", false, 0 }, { "3", true, 0 }, { "-1s", false, 0 }, { "1.s", false, 0 }, { ".5s", false, 0 },
		{ "1 s", false, 0 }, { "1sec", false, 0 }, { "1S", false, 0 }, { "0s", false, 0 }, { "0.0000000001s", false, 0 },
		{ "18446744074s", false, 0 }, { "99999999999999999999s", false, 0 }, { "1e3s", false, 0 }, { "0x10s", false, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t ns = 0;
		int r = value_duration(rows[i].text, rows[i].need_unit, &ns);

		if (r != (rows[i].ns ? 0 : -EINVAL) || ns != rows[i].ns)
			fail_msg("'%s': %d, %llu", rows[i].text, r, (unsigned long long)ns);
	}
}

static void test_sizes(void **state _unused_)
{
	static const struct { const char *text; uint64_t size; } rows[] = {
		{ "65536", 65536 }, { "64K", 65536 }, { "64k", 65536 }, { "64KiB", 65536 }, { "64KB", 65536 }, { "8M", 8388608 },
		{ "1G", 1073741824 }, { "17179869183G", 18446744072635809792u },
		{ "", 0 }, { "M", 0 }, { "0", 0 }, { "0M", 0 }, { "-1", 0 }, { "1T", 0 }, { "1.5M", 0 }, { "1MM", 0 }, { "1MBB", 0 },
		{ "17179869184G", 0 }, { "18446744073709551616", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t size = 0;
		int r = value_size(rows[i].text, &size);

		if (r != (rows[i].size ? 0 : -EINVAL) || size != rows[i].size)
			fail_msg("'%s': %d, %llu", rows[i].text, r, (unsigned long long)size);
	}
}

static void test_numbers(void **state _unused_)
{
	uint64_t v = 77;

	assert_int_equal(value_unsigned("0", 10, &v), 0);
	assert_int_equal(v, 0);
	assert_int_equal(value_unsigned("10", 10, &v), 0);
	assert_int_equal(v, 10);
	assert_int_equal(value_unsigned("18446744073709551615", UINT64_MAX, &v), 0);
	assert_true(v == UINT64_MAX);
	v = 77;
	assert_int_equal(value_unsigned("11", 10, &v), -EINVAL);
	assert_int_equal(value_unsigned("", 10, &v), -EINVAL);
	assert_int_equal(value_unsigned("+1", 10, &v), -EINVAL);
	assert_int_equal(value_unsigned(" 1", 10, &v), -EINVAL);
	assert_int_equal(value_unsigned("1 ", 10, &v), -EINVAL);
	assert_int_equal(value_unsigned("18446744073709551616", UINT64_MAX, &v), -EINVAL);
	assert_int_equal(v, 77);
}

static void test_words(void **state _unused_)
{
	const char *bad = NULL;
	uint32_t set = 99;
	unsigned i = 99;

	assert_int_equal(value_word("b", 1, "a b c", &i), 0);
	assert_int_equal(i, 1);
	assert_int_equal(value_word("c", 1, "a b c", &i), 0);
	assert_int_equal(i, 2);
	assert_int_equal(value_word("", 0, "a b c", &i), -EINVAL);
	assert_int_equal(value_word("a b", 3, "a b c", &i), -EINVAL);
	assert_int_equal(value_word("ab", 2, "abc ab", &i), 0);
	assert_int_equal(i, 1);
	assert_int_equal(value_word_set("a,c", "a b c all none", &set, &bad), 0);
	assert_int_equal(set, 5);
	assert_int_equal(value_word_set("!a,c", "a b c all none", &set, &bad), 0);
	assert_int_equal(set, 2);
	assert_int_equal(value_word_set("all", "a b c all none", &set, &bad), 0);
	assert_int_equal(set, 7);
	assert_int_equal(value_word_set("!all", "a b c all none", &set, &bad), 0);
	assert_int_equal(set, 0);
	assert_int_equal(value_word_set("!none", "a b c all none", &set, &bad), 0);
	assert_int_equal(set, 7);
	assert_int_equal(value_word_set("a,d,b", "a b c all none", &set, &bad), -EINVAL);
	assert_string_equal(bad, "d,b");
	assert_int_equal(value_word_set("a,", "a b c all none", &set, &bad), -EINVAL);
	assert_int_equal(set, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_durations), cmocka_unit_test(test_sizes), cmocka_unit_test(test_numbers), cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
