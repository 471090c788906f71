/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_util ctrace_stack */
/* Files of a container: what is opened, what is only looked at; and a mapped file that becomes shorter. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "stack/guard.h"
#include "util/macros.h"
#include "util/regular.h"

static char dir[] = "/tmp/ctrace-regular-XXXXXX";
static int root;

static int make(void **state _unused_)
{
	int fd;

	if (!mkdtemp(dir) || (root = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0)
		return -1;
	fd = openat(root, "file", O_WRONLY | O_CREAT, 0600);
	if (fd < 0 || write(fd, "inside", 6) != 6 || close(fd))
		return -1;
	return mkdirat(root, "etc", 0700) || mkfifoat(root, "fifo", 0600) || symlinkat("/file", root, "absolute") ||
	       symlinkat("../../../../file", root, "etc/up") || symlinkat("/etc/passwd", root, "out") ||
	       symlinkat("/proc/self/root/etc/passwd", root, "magic") || symlinkat("loop", root, "loop");
}

static int unmake(void **state _unused_)
{
	static const char *const names[] = { "file", "etc/up", "fifo", "absolute", "out", "magic", "loop" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		unlinkat(root, names[i], 0);
	unlinkat(root, "etc", AT_REMOVEDIR);
	close(root);
	return rmdir(dir);
}

/* The content by that name is the one inside. */
static void opens(const char *path)
{
	struct stat st;
	char text[16] = "";
	int fd = regular_open(root, path, &st);

	if (fd < 0)
		fail_msg("%s: %s", path, strerror(-fd));
	assert_int_equal(st.st_size, 6);
	assert_int_equal(read(fd, text, sizeof(text)), 6);
	assert_string_equal(text, "inside");
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	close(fd);
}

static void refuses(int at, const char *path, int error)
{
	assert_int_equal(regular_open(at, path, NULL), error);
}

static void test_inside(void **state _unused_)
{
	opens("file");
	opens("/file");
	opens("../../file");
	opens("absolute");
	opens("etc/up");
}

static void test_refused(void **state _unused_)
{
	_cleanup_close_ int slash = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	refuses(root, "none", -ENOENT);
	refuses(root, "fifo", -EINVAL);
	refuses(root, "etc", -EINVAL);
	refuses(root, "", -ENOENT);
	/* There is no etc/passwd inside. */
	refuses(root, "out", -ENOENT);
	refuses(root, "magic", -ENOENT);
	refuses(root, "loop", -ELOOP);
	refuses(slash, "/dev/null", -EINVAL);
	refuses(slash, "/dev/tty", -EINVAL);
	/* A magic link that is there. */
	refuses(slash, "/proc/self/root/etc/passwd", -ELOOP);
	refuses(slash, "/proc/self/exe", -ELOOP);
}

static void test_shorter(void **state _unused_)
{
	long page = sysconf(_SC_PAGESIZE);
	int fd = openat(root, "file", O_RDWR);
	volatile char *map;

	assert_int_equal(ftruncate(fd, 3 * page), 0);
	assert_int_equal(pwrite(fd, "x", 1, 2 * page), 1);
	map = mmap(NULL, (size_t)(3 * page), PROT_READ, MAP_PRIVATE, fd, 0);
	assert_true(map != MAP_FAILED);
	assert_int_equal(guard_mapped_files(), 0);
	assert_int_equal(map[2 * page], 'x');
	assert_int_equal(ftruncate(fd, 1), 0);
	assert_int_equal(map[2 * page], 0);
	assert_int_equal(map[2 * page + 17], 0);
	assert_int_equal(map[page], 0);
	assert_int_equal(map[0], 'i');
	munmap((void *)map, (size_t)(3 * page));
	assert_int_equal(pwrite(fd, "inside", 6, 0), 6);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inside),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_shorter),
	};

	return cmocka_run_group_tests(tests, make, unmake);
}
