/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_util jansson */
/* Buffers and escapes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/escape.h"
#include "util/strbuf.h"

static const uint64_t numbers[] = {
	0, 1, 7, 8, 9, 10, 63, 64, 99, 100, 511, 512, 0xff, 0x100, 0x1234abcd, INT32_MAX, UINT32_MAX,
	INT64_MAX, (uint64_t)INT64_MIN, UINT64_MAX, UINT64_C(10000000000000000000),
};

/* The numbers that are written by hand are those that printf writes. */
static void test_numbers(void **state)
{
	struct strbuf sb = { 0 };
	char expected[512];

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		uint64_t v = numbers[i];

		strbuf_reset(&sb);
		strbuf_udec(&sb, v);
		strbuf_char(&sb, ' ');
		strbuf_dec(&sb, (int64_t)v);
		strbuf_char(&sb, ' ');
		strbuf_hex(&sb, v);
		strbuf_char(&sb, ' ');
		strbuf_oct(&sb, v, 0);
		strbuf_char(&sb, ' ');
		strbuf_oct(&sb, v, 3);
		strbuf_char(&sb, ' ');
		strbuf_hex_digits(&sb, v, 4);
		strbuf_char(&sb, ' ');
		strbuf_udec_width(&sb, v, 5, ' ');
		strbuf_char(&sb, ' ');
		strbuf_udec_width(&sb, v, 6, '0');
		strbuf_char(&sb, ' ');
		strbuf_udec_left(&sb, v, 5);
		strbuf_char(&sb, '|');
		snprintf(expected, sizeof(expected),
			 "%" PRIu64 " %" PRId64 " %#" PRIx64 " %#" PRIo64 " %#03" PRIo64 " %04" PRIx64 " %5" PRIu64 " %06" PRIu64
			 " %-5" PRIu64 "|", v, (int64_t)v, v, v, v, v, v, v, v);
		assert_string_equal(strbuf_cstr(&sb), expected);
	}
	strbuf_done(&sb);
}

static void test_growth(void **state)
{
	struct strbuf sb = { 0 };

	(void)state;
	assert_string_equal(strbuf_cstr(&sb), "");
	for (unsigned i = 0; i < 100000; i++)
		strbuf_char(&sb, 'x');
	assert_int_equal(sb.len, 100000);
	strbuf_pad(&sb, 99990, 40);
	assert_int_equal(sb.len, 99990 + 40);
	strbuf_pad(&sb, 0, 40);
	assert_int_equal(sb.len, 99990 + 40);
	/* What cannot be had fails, is remembered, and changes nothing. */
	assert_null(strbuf_room(&sb, SIZE_MAX));
	assert_true(sb.failed);
	assert_int_equal(sb.len, 99990 + 40);
	strbuf_reset(&sb);
	assert_false(sb.failed);
	strbuf_bytes(&sb, NULL, 0);
	assert_string_equal(strbuf_cstr(&sb), "");
	strbuf_done(&sb);
}

static void check_c(const char *bytes, size_t len, enum hex_mode mode, const char *expected)
{
	struct strbuf sb = { 0 };

	escape_c(&sb, bytes, len, mode);
	assert_string_equal(strbuf_cstr(&sb), expected);
	strbuf_done(&sb);
}

static void test_escape_c(void **state)
{
	(void)state;
	check_c("a\n\t\v\f\r\"\\b", 9, HEX_NONE, "a\\n\\t\\v\\f\\r\\\"\\\\b");
	check_c("\0", 1, HEX_NONE, "\\0");
	check_c("\0017\0018\001a\177\377" "7", 9, HEX_NONE, "\\0017\\18\\1a\\177\\3777");
	check_c("\033[31m", 5, HEX_NONE, "\\33[31m");
	check_c("ab\n", 3, HEX_NON_ASCII, "ab\\n");
	check_c("ab\001", 3, HEX_NON_ASCII, "\\x61\\x62\\x01");
	check_c("ab\001\n", 4, HEX_NON_ASCII_CHARS, "ab\\x01\\n");
	check_c("ab\n", 3, HEX_ALL, "\\x61\\x62\\x0a");
	check_c("", 0, HEX_ALL, "");
}

static void test_escape_plain(void **state)
{
	struct strbuf sb = { 0 };

	(void)state;
	escape_plain(&sb, "ngi\"nx<1>\033\n\x9b\\", 13, "<>");
	assert_string_equal(strbuf_cstr(&sb), "ngi\"nx\\0741\\76\\33\\n\\233\\\\");
	strbuf_reset(&sb);
	for (unsigned c = 0; c < 256; c++)
		escape_plain(&sb, &(char){ (char)c }, 1, NULL);
	for (size_t i = 0; i < sb.len; i++)
		assert_true(sb.buf[i] >= ' ' && sb.buf[i] <= '~');
	strbuf_done(&sb);
}

static void test_utf8(void **state)
{
	static const struct {
		const char *bytes;
		bool valid;
	} cases[] = {
		{ "", true }, { "abc", true }, { "\xc3\xa4", true }, { "\xe2\x82\xac", true }, { "\xf0\x9f\x90\x9d", true },
		{ "\xf4\x8f\xbf\xbf", true }, { "\xed\x9f\xbf", true }, { "\xee\x80\x80", true },
		{ "\xc3", false }, { "\xa4", false }, { "\xc0\xaf", false }, { "\xc1\xbf", false }, { "\xe0\x80\xaf", false },
		{ "\xe0\x9f\xbf", false }, { "\xed\xa0\x80", false }, { "\xf0\x8f\xbf\xbf", false },
		{ "\xf4\x90\x80\x80", false }, { "\xf5\x80\x80\x80", false }, { "\xff", false }, { "\xe2\x82", false },
		{ "\xf0\x9f\x90", false }, { "\xe2\x28\xa1", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(utf8_text(cases[i].bytes, strlen(cases[i].bytes)), cases[i].valid);
	assert_false(utf8_text("a\0b", 3));
}

/* Bytes from the value that json_quote() made of them. */
static size_t unquote(json_t *v, char *to)
{
	const char *hex;
	size_t n = 0;
	unsigned byte;

	if (json_is_string(v)) {
		memcpy(to, json_string_value(v), json_string_length(v));
		return json_string_length(v);
	}
	hex = json_string_value(json_object_get(v, "bytes"));
	assert_non_null(hex);
	for (; hex[2 * n]; n++) {
		assert_int_equal(sscanf(hex + 2 * n, "%2x", &byte), 1);
		to[n] = (char)byte;
	}
	return n;
}

/* Whatever the bytes are, the value is JSON, and they come back. */
static void test_json(void **state)
{
	struct strbuf sb = { 0 };
	char bytes[64], back[256];
	uint32_t x = 12345;

	(void)state;
	json_quote(&sb, "a\"\\\n\033\177\xc2\x9b", 8);
	assert_string_equal(strbuf_cstr(&sb), "\"a\\\"\\\\\\n\\u001b\\u007f\\u009b\"");
	for (unsigned round = 0; round < 20000; round++) {
		size_t len = round % sizeof(bytes);
		json_t *v;

		for (size_t i = 0; i < len; i++) {
			x = x * 1664525 + 1013904223;
			bytes[i] = (char)(round & 1 ? x >> 24 : (x >> 24) & 0x7f ? (x >> 24) & 0x7f : 'a');
		}
		strbuf_reset(&sb);
		json_quote(&sb, bytes, len);
		v = json_loadb(sb.buf, sb.len, JSON_DECODE_ANY, NULL);
		assert_non_null(v);
		assert_int_equal(unquote(v, back), len);
		assert_memory_equal(back, bytes, len);
		json_decref(v);
		for (size_t i = 0; i < sb.len; i++)
			assert_true((unsigned char)sb.buf[i] >= ' ' && sb.buf[i] != 0x7f);
	}
	strbuf_done(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_growth),
		cmocka_unit_test(test_escape_c),
		cmocka_unit_test(test_escape_plain),
		cmocka_unit_test(test_utf8),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
