/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_util */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "util/macros.h"
#include "util/outfile.h"

static char dir[64], path[96];

static int setup(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/ctrace-outparts-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/t", dir);
	return 0;
}

static int teardown(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command);
}

/* A line to the file of key; 0: to the one without a suffix. */
static void line(struct outfile *o, uint32_t key, const char *text)
{
	char suffix[16];
	struct strbuf *sb = outfile_begin(o);

	snprintf(suffix, sizeof(suffix), "%u", key);
	strbuf_str(sb, text);
	if (key)
		outfile_part(o, key, suffix);
	assert_int_equal(outfile_end(o, key), 0);
}

static void expect(const char *suffix, const char *want)
{
	char name[128], buf[4096];
	_cleanup_close_ int fd = -1;
	ssize_t n;

	snprintf(name, sizeof(name), "%s%s", path, suffix);
	fd = open(name, O_RDONLY);
	assert_true(fd >= 0);
	n = read(fd, buf, sizeof(buf) - 1);
	assert_true(n >= 0);
	buf[n] = '\0';
	assert_string_equal(buf, want);
}

static void test_parts(void **state _unused_)
{
	struct outfile *o;

	assert_int_equal(outfile_open_parts(path, false, &o), 0);
	assert_true(outfile_has_parts(o));
	line(o, 7, "a\n");
	line(o, 8, "b\n");
	line(o, 0, "main\n");
	line(o, 7, "c\n");
	assert_int_equal(outfile_counted(o), 0);
	assert_int_equal(outfile_flush(o), 0);
	assert_int_equal(outfile_counted(o), 3);
	line(o, 8, "d\n");
	assert_int_equal(outfile_close(o), 0);
	expect(".7", "a\nc\n");
	expect(".8", "b\nd\n");
	expect("", "main\n");
}

static void test_append(void **state _unused_)
{
	struct outfile *o;

	for (int i = 0; i < 2; i++) {
		assert_int_equal(outfile_open_parts(path, false, &o), 0);
		line(o, 7, "a\n");
		assert_int_equal(outfile_close(o), 0);
		expect(".7", "a\n");
	}
	assert_int_equal(outfile_open_parts(path, true, &o), 0);
	line(o, 7, "b\n");
	assert_int_equal(outfile_close(o), 0);
	expect(".7", "a\nb\n");
}

/* A number that comes again after its task has ended does not empty the file of the first. */
static void test_end_and_again(void **state _unused_)
{
	struct outfile *o;

	assert_int_equal(outfile_open_parts(path, false, &o), 0);
	line(o, 7, "a\n");
	outfile_part_end(o, 7);
	outfile_part_end(o, 7);
	outfile_part_end(o, 99);
	assert_int_equal(outfile_flush(o), 0);
	line(o, 7, "b\n");
	line(o, 4194304, "far\n");
	outfile_part_end(o, 4194304);
	assert_int_equal(outfile_close(o), 0);
	expect(".7", "a\nb\n");
	expect(".4194304", "far\n");
}

/* More files than may be open. */
static void test_many(void **state _unused_)
{
	struct rlimit old, few = { 80, 80 };
	struct outfile *o;
	char suffix[16];

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	few.rlim_max = old.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	assert_int_equal(outfile_open_parts(path, false, &o), 0);
	for (uint32_t round = 0; round < 3; round++) {
		for (uint32_t key = 1; key <= 300; key++)
			line(o, key, round ? "more\n" : "first\n");
		assert_int_equal(outfile_flush(o), 0);
	}
	assert_int_equal(outfile_counted(o), 900);
	assert_int_equal(outfile_close(o), 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	for (uint32_t key = 1; key <= 300; key++) {
		snprintf(suffix, sizeof(suffix), ".%u", key);
		expect(suffix, "first\nmore\nmore\n");
	}
}

/* What cannot be written ends the output, and is not counted. */
static void test_error(void **state _unused_)
{
	struct outfile *o;
	char name[128];

	snprintf(name, sizeof(name), "%s.8", path);
	assert_int_equal(symlink("/dev/full", name), 0);
	assert_int_equal(outfile_open_parts(path, false, &o), 0);
	line(o, 7, "a\n");
	line(o, 8, "b\n");
	assert_int_equal(outfile_flush(o), -ENOSPC);
	assert_int_equal(outfile_counted(o), 1);
	outfile_begin(o);
	assert_int_equal(outfile_end(o, true), -ENOSPC);
	assert_int_equal(outfile_close(o), -ENOSPC);
	expect(".7", "a\n");
	assert_int_equal(outfile_open_parts("/no/such/folder/t", false, &o), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_parts, setup, teardown),
		cmocka_unit_test_setup_teardown(test_append, setup, teardown),
		cmocka_unit_test_setup_teardown(test_end_and_again, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many, setup, teardown),
		cmocka_unit_test_setup_teardown(test_error, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
