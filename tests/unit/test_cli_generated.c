/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_cli */
/* What is made from the option table and committed must be what the table gives now ('make docs' writes it again). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/generate.h"
#include "cli/options.h"
#include "util/macros.h"

#define DEPLOY CTRACE_UNIT_DIR "/../../deploy/"

static char *read_file(const char *name)
{
	_cleanup_fclose_ FILE *f = NULL;
	char path[512], *text = calloc(1, 1 << 20);

	snprintf(path, sizeof(path), DEPLOY "%s", name);
	f = fopen(path, "re");
	if (!f)
		fail_msg("%s is missing", path);
	assert_non_null(text);
	assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
	return text;
}

/* Cuts what stands between the two marked lines out of the text. */
static char *marked_part(char *text, const struct generated *g)
{
	char *begin = strstr(text, g->begin), *end = strstr(text, g->end);

	assert_non_null(begin);
	assert_non_null(end);
	begin = strchr(begin, '\n') + 1;
	assert_true(begin <= end);
	*end = '\0';
	return begin;
}

static void test_current(void **state _unused_)
{
	for (unsigned i = 0; i < n_generated_files; i++) {
		const struct generated *g = &generated_files[i];
		_cleanup_free_ char *committed = read_file(g->path), *made = NULL;
		size_t size;
		FILE *f = open_memstream(&made, &size);

		assert_non_null(f);
		g->write(f);
		fclose(f);
		assert_true(size > 1000);
		if (strcmp(g->begin ? marked_part(committed, g) : committed, made) != 0)
			fail_msg("deploy/%s is not what the option table gives: run 'make docs'", g->path);
	}
}

/* Each long option stands in every generated file and in --help. */
static void test_whole(void **state _unused_)
{
	_cleanup_free_ char *help = NULL;
	size_t size;
	FILE *f = open_memstream(&help, &size);

	assert_non_null(f);
	assert_int_equal(options_help(f), 0);
	fclose(f);
	for (size_t i = 0; i < n_option_rows; i++) {
		char text[64];

		if (!option_rows[i].name)
			continue;
		snprintf(text, sizeof(text), "--%s", option_rows[i].name);
		if (!strstr(help, text))
			fail_msg("%s is not in --help", text);
	}
	/* No line is wider than a terminal that is still common. */
	for (char *save, *line = strtok_r(help, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		assert_true(strlen(line) <= 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_current), cmocka_unit_test(test_whole) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
