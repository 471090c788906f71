/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_util */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "util/macros.h"
#include "util/outfile.h"

static char dir[64];

static int setup(void **state)
{
	(void)state;
	signal(SIGPIPE, SIG_IGN);
	strcpy(dir, "/tmp/ctrace-outfile-XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	return rmdir(dir);
}

static void put(struct outfile *o, const char *line)
{
	strbuf_str(outfile_begin(o), line);
}

static size_t slurp(const char *path, char *buf, size_t size)
{
	_cleanup_close_ int fd = open(path, O_RDONLY);
	ssize_t n;

	assert_true(fd >= 0);
	n = read(fd, buf, size - 1);
	assert_true(n >= 0);
	buf[n] = '\0';
	return (size_t)n;
}

static void test_file_and_append(void **state)
{
	struct outfile *o;
	char path[128], got[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/f", dir);
	assert_int_equal(outfile_open(path, false, &o), 0);
	put(o, "one\n");
	assert_int_equal(outfile_end(o, true), 0);
	assert_int_equal(outfile_counted(o), 0);
	assert_int_equal(outfile_flush(o), 0);
	assert_int_equal(outfile_counted(o), 1);
	assert_false(outfile_is_terminal(o));
	assert_int_equal(outfile_close(o), 0);

	assert_int_equal(outfile_open(path, true, &o), 0);
	put(o, "two\n");
	assert_int_equal(outfile_end(o, false), 0);
	assert_int_equal(outfile_close(o), 0);
	slurp(path, got, sizeof(got));
	assert_string_equal(got, "one\ntwo\n");

	assert_int_equal(outfile_open(path, false, &o), 0);
	assert_int_equal(outfile_close(o), 0);
	assert_int_equal(slurp(path, got, sizeof(got)), 0);
	unlink(path);
	snprintf(path, sizeof(path), "%s/no/such", dir);
	assert_int_equal(outfile_open(path, false, &o), -ENOENT);
}

static void test_command(void **state)
{
	struct outfile *o;
	char command[256], path[128], got[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/out", dir);
	for (const char *mark = "|!"; *mark; mark++) {
		snprintf(command, sizeof(command), "%csleep 0.1; tr a-z A-Z >%s", *mark, path);
		assert_int_equal(outfile_open(command, false, &o), 0);
		assert_true(outfile_reader(o) > 0);
		put(o, "abc\n");
		assert_int_equal(outfile_end(o, true), 0);
		/* close waits: the file is complete behind it */
		assert_int_equal(outfile_close(o), 0);
		slurp(path, got, sizeof(got));
		assert_string_equal(got, "ABC\n");
		unlink(path);
	}
	assert_int_equal(outfile_open("|/nonexistent/command 2>/dev/null", false, &o), 0);
	put(o, "abc\n");
	assert_int_equal(outfile_end(o, true), 0);
	assert_int_equal(outfile_close(o), -ENOENT);
}

static void test_command_ignores_interrupt(void **state)
{
	struct outfile *o;
	char command[256], path[128], got[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/out", dir);
	snprintf(command, sizeof(command), "|kill -INT $$; cat >%s", path);
	assert_int_equal(outfile_open(command, false, &o), 0);
	put(o, "abc\n");
	assert_int_equal(outfile_end(o, true), 0);
	assert_int_equal(outfile_close(o), 0);
	slurp(path, got, sizeof(got));
	assert_string_equal(got, "abc\n");
	unlink(path);
}

static void test_closed_pipe(void **state)
{
	struct outfile *o;
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(outfile_open_fd(fds[1], &o), 0);
	close(fds[0]);
	put(o, "abc\n");
	assert_int_equal(outfile_end(o, true), 0);
	assert_int_equal(outfile_flush(o), -EPIPE);
	/* the error stays */
	put(o, "def\n");
	assert_int_equal(outfile_end(o, true), -EPIPE);
	assert_int_equal(outfile_flush(o), -EPIPE);
	assert_int_equal(outfile_counted(o), 0);
	assert_int_equal(outfile_close(o), -EPIPE);
	/* the stream is still ours */
	assert_int_equal(close(fds[1]), 0);
}

static void test_full_disk(void **state)
{
	struct outfile *o;

	(void)state;
	assert_int_equal(outfile_open("/dev/full", false, &o), 0);
	put(o, "abc\n");
	assert_int_equal(outfile_end(o, true), 0);
	assert_int_equal(outfile_flush(o), -ENOSPC);
	assert_int_equal(outfile_counted(o), 0);
	assert_int_equal(outfile_close(o), -ENOSPC);
}

/* A write that fails half way: only the lines that went out whole count. */
static void test_partial_write(void **state)
{
	struct rlimit old, limit;
	struct outfile *o;
	char path[128], got[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/limited", dir);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	limit = old;
	limit.rlim_cur = 25;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(outfile_open(path, false, &o), 0);
	for (int i = 0; i < 5; i++) {
		put(o, "123456789\n");
		assert_int_equal(outfile_end(o, i != 0), 0);
	}
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(outfile_flush(o), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(outfile_counted(o), 1);
	assert_int_equal(outfile_close(o), -EFBIG);
	assert_int_equal(slurp(path, got, sizeof(got)), 25);
	unlink(path);
}

static void test_nonblocking(void **state)
{
	struct outfile *o;
	int fds[2], status;
	char buf[4096];
	size_t total = 0;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		ssize_t n;

		close(fds[1]);
		usleep(50000);
		while ((n = read(fds[0], buf, sizeof(buf))) > 0)
			total += (size_t)n;
		_exit(total == 400000 ? 0 : 1);
	}
	close(fds[0]);
	assert_int_equal(fcntl(fds[1], F_SETFL, O_NONBLOCK), 0);
	assert_int_equal(outfile_open_fd(fds[1], &o), 0);
	for (int i = 0; i < 40000; i++) {
		put(o, "123456789\n");
		assert_int_equal(outfile_end(o, true), 0);
	}
	assert_int_equal(outfile_flush(o), 0);
	assert_int_equal(outfile_counted(o), 40000);
	assert_int_equal(outfile_close(o), 0);
	close(fds[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_file_and_append), cmocka_unit_test(test_command),
		cmocka_unit_test(test_command_ignores_interrupt), cmocka_unit_test(test_closed_pipe),
		cmocka_unit_test(test_full_disk), cmocka_unit_test(test_partial_write),
		cmocka_unit_test(test_nonblocking),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
