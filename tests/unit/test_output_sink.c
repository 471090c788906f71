/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_output */
/* Sinks as a session uses them: where the output goes, and what becomes of its errors. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "output/sink.h"
#include "util/macros.h"

static const char *const formats[] = { "text", "json" };
static char file[64];

static struct output_opts opts;
static struct target_label label = { .name = "web", .is_container = true, .id = "0123" };
static struct run_info run = { .opts = &opts, .targets = &label, .n_targets = 1, .since = 5, .version = "0" };

static void defaults(const char *format)
{
	opts = (struct output_opts){ .format = format, .path = file, .column = 40, .decode = { .string_limit = 32 } };
}

static int setup(void **state)
{
	int fd;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	strcpy(file, "/tmp/ctrace-sink-XXXXXX");
	fd = mkstemp(file);
	if (fd < 0)
		return -1;
	close(fd);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return unlink(file);
}

/* A number far outside every table: its line depends on no decoder. */
static struct call unknown_call(void)
{
	return (struct call){
		.task = { .host_tid = 42, .host_tgid = 42, .tid = 7, .tgid = 7, .comm = "x" },
		.enter = 10, .exit = 20, .abi = ABI_NATIVE, .nr = 0x7fffffff, .ret = -ENOSYS,
	};
}

static size_t lines(void)
{
	_cleanup_fclose_ FILE *f = fopen(file, "r");
	size_t n = 0;
	int c;

	assert_non_null(f);
	while ((c = getc(f)) != EOF)
		n += c == '\n';
	return n;
}

static void test_formats(void **state)
{
	struct sink *s;

	(void)state;
	assert_true(sink_format_valid("text"));
	assert_true(sink_format_valid("json"));
	assert_true(sink_format_valid("summary"));
	assert_false(sink_format_valid("xml"));
	assert_false(sink_format_valid(NULL));
	defaults("xml");
	assert_int_equal(sink_open(&run, &s), -EINVAL);
	defaults("text");
	opts.path = "/no/such/dir/file";
	assert_int_equal(sink_open(&run, &s), -ENOENT);
	assert_int_equal(sink_close(NULL), 0);
}

static void test_sort_keys(void **state)
{
	static const char *const good[] = { "time", "min-time", "min_time", "calls", "errors", "name", "nothing", "avg-time" };
	static const char *const bad[] = { "", "tim", "times", "min-", "-", "min time" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		assert_true(sink_sort_valid(good[i]));
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_false(sink_sort_valid(bad[i]));
}

/* written counts calls alone, and not those in flight, which are not delivered either. */
static void test_written(void **state)
{
	struct exit_event e = { .task = { .host_tid = 42, .host_tgid = 42 }, .group_dead = true };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		struct call c = unknown_call();
		struct sink *s;

		defaults(formats[i]);
		assert_int_equal(sink_open(&run, &s), 0);
		assert_int_equal(s->ops->start(s), 0);
		for (int k = 0; k < 3; k++)
			assert_int_equal(s->ops->call(s, &c), 0);
		assert_int_equal(s->ops->exit(s, &e), 0);
		c.flags = CT_F_IN_FLIGHT;
		assert_int_equal(s->ops->call(s, &c), 0);
		assert_int_equal(sink_written(s), 0);
		assert_int_equal(sink_flush(s), 0);
		assert_int_equal(sink_written(s), 3);
		assert_int_equal(sink_close(s), 0);
		assert_int_equal(lines(), strcmp(formats[i], "json") ? 5 : 6);
	}
}

static int feed_until_error(struct sink *s, unsigned max)
{
	struct call c = unknown_call();
	int r = 0;

	for (unsigned i = 0; i < max && r == 0; i++)
		r = s->ops->call(s, &c);
	return r ? r : sink_flush(s);
}

static void test_full_disk(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		struct sink *s;

		defaults(formats[i]);
		opts.path = "/dev/full";
		assert_int_equal(sink_open(&run, &s), 0);
		assert_int_equal(feed_until_error(s, 100000), -ENOSPC);
		assert_int_equal(sink_written(s), 0);
		assert_int_equal(sink_close(s), -ENOSPC);
	}
}

/* head -1: the rest of the pipe's life is short. */
static void test_closed_pipe(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		char command[128];
		struct sink *s;

		defaults(formats[i]);
		snprintf(command, sizeof(command), "|head -n 1 >%s", file);
		opts.path = command;
		assert_int_equal(sink_open(&run, &s), 0);
		assert_true(sink_reader(s) > 0);
		assert_int_equal(feed_until_error(s, 1000000), -EPIPE);
		assert_int_equal(sink_close(s), -EPIPE);
		assert_int_equal(lines(), 1);
	}
}

static void test_summary_sort_refused(void **state)
{
	struct count_row row = { .abi = ABI_NATIVE, .calls = 1 };
	struct sink *s;

	(void)state;
	defaults("summary");
	opts.summary_sort = "nonsense";
	assert_int_equal(sink_open(&run, &s), 0);
	assert_int_equal(s->ops->summary(s, &row, 1, 1), -EINVAL);
	assert_int_equal(sink_close(s), 0);
	assert_int_equal(lines(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formats),     cmocka_unit_test(test_sort_keys),
		cmocka_unit_test(test_written),     cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_closed_pipe), cmocka_unit_test(test_summary_sort_refused),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
