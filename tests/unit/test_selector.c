/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_target */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target/selector.h"

/* app=web, tier=front, n=7, app.kubernetes.io/name=shop, empty="" */
static const char *get(const char *key, const void *data)
{
	static const char *const labels[][2] = {
		{ "app", "web" }, { "tier", "front" }, { "n", "7" }, { "app.kubernetes.io/name", "shop" }, { "empty", "" }, { "in", "x" },
	};

	assert_string_equal(data, "data");
	for (size_t i = 0; i < ARRAY_SIZE(labels); i++)
		if (!strcmp(labels[i][0], key))
			return labels[i][1];
	return NULL;
}

static bool match(const char *text)
{
	struct selector *s = NULL;
	const char *why = "";
	bool is;

	if (selector_parse(text, &s, &why) < 0)
		fail_msg("%s: %s", text, why);
	is = selector_matches(s, get, "data");
	selector_free(s);
	return is;
}

static void test_match(void **state)
{
	static const char *const yes[] = {
		"app", "!other", "app=web", "app==web", "app = web", " app == web , tier=front ", "app!=api", "other!=web", "app in (web)",
		"app in (api,web)", "app in(api , web )", "tier notin (back,cache)", "other notin (a)", "n>6", "n<8", "n > 6",
		"app.kubernetes.io/name=shop", "empty=", "empty", "empty in ()", "in=x", "in in (x)", "in", "app=web,!other,tier in (front),n",
		"! other",
	};
	static const char *const no[] = {
		"other", "!app", "app=api", "app!=web", "app in (api)", "app notin (web)", "other in (a)", "other=", "n>7", "n<7", "app>1",
		"other>1", "app=web,tier=back", "app=", "App=web", "app=Web", "empty=x", "app=we", "app=webs",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(yes); i++)
		if (!match(yes[i]))
			fail_msg("does not match: %s", yes[i]);
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		if (match(no[i]))
			fail_msg("matches: %s", no[i]);
}

static void test_wrong(void **state)
{
	static const char *const texts[] = {
		"", " ", ",", "app=web,", ",app", "=web", "!", "!=web", "app web", "app=web tier", "app in", "app in web", "app in (web",
		"app in (web,", "app notin web)", "app>x", "app<", "app=a/b", "app=web)", "app\n", "app=w\033", "!app=web", "app===web", "app inner (a)",
		"app=web;tier=x",
	};
	char longer[400];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct selector *s = NULL;
		const char *why = NULL;

		if (selector_parse(texts[i], &s, &why) != -EINVAL || s || !why)
			fail_msg("taken: '%s'", texts[i]);
	}
	for (size_t n = 62; n < 66; n++) {
		struct selector *s = NULL;
		const char *why = NULL;

		snprintf(longer, sizeof(longer), "app=%0*d", (int)n, 1);
		assert_int_equal(selector_parse(longer, &s, &why), n > 63 ? -EINVAL : 0);
		selector_free(s);
	}
}

/* As many as there may be, and more. */
static void test_many(void **state)
{
	char text[2000] = "app";
	const char *why = NULL;
	struct selector *s = NULL;

	(void)state;
	for (size_t i = 1; i < 256; i++)
		strcat(text, ",app");
	assert_true(match(text));
	strcat(text, ",app");
	assert_int_equal(selector_parse(text, &s, &why), -EINVAL);
	strcpy(text, "app in (web");
	for (size_t i = 1; i < 256; i++)
		strcat(text, ",a");
	strcat(text, ")");
	assert_true(match(text));
	text[strlen(text) - 1] = '\0';
	strcat(text, ",a)");
	assert_int_equal(selector_parse(text, &s, &why), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_match), cmocka_unit_test(test_wrong), cmocka_unit_test(test_many) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
