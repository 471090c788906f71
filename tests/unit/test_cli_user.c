/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_cli */
/* -u: users and groups by files of passwd(5)'s and group(5)'s form, and by the machine's own services. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/user.h"
#include "util/macros.h"

static char passwd[] = "/tmp/ctrace-passwd.XXXXXX", group[] = "/tmp/ctrace-group.XXXXXX";

static FILE *make(char *path)
{
	FILE *f = fdopen(mkstemp(path), "w");

	assert_non_null(f);
	return f;
}

static int set_up(void **state _unused_)
{
	FILE *f = make(passwd);

	fputs("+::::::\n"
	      "root:x:0:0:root:/root:/bin/sh\n"
	      "not a line\n"
	      "web:x:1000:1001:Web,,,:/srv:/bin/sh\n"
	      "web:x:7:7:a second time:/:/bin/sh\n"
	      "-web2:x:8:8::/:\n"
	      "42:x:900:901:a number for a name:/:/bin/sh\n", f);
	fclose(f);
	f = make(group);
	fputs("root:x:0:\nweb:x:1001:web\nlogs:x:2000:root,web\nnone:x:2001:webby,w\n", f);
	/* A line that is longer than any buffer that one might think of. */
	fputs("all:x:2002:", f);
	for (unsigned i = 0; i < 20000; i++)
		fprintf(f, "user%u,", i);
	fputs("web\nlogs2:x:2000:web\nlast:x:2003:web\n", f);
	fclose(f);
	return 0;
}

static int tear_down(void **state _unused_)
{
	unlink(passwd);
	unlink(group);
	return 0;
}

/* The groups in order, separated by blanks. */
static void finds(const char *text, uid_t uid, gid_t gid, const char *groups)
{
	_cleanup_(user_done) struct user u = { 0 };
	char got[256] = "";

	assert_int_equal(user_find_in_files(text, passwd, group, &u), 0);
	assert_int_equal(u.uid, uid);
	assert_int_equal(u.gid, gid);
	for (size_t i = 0; i < u.n_groups; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%u", i ? " " : "", u.groups[i]);
	assert_string_equal(got, groups);
}

static void test_files(void **state _unused_)
{
	finds("root", 0, 0, "0 2000");
	finds("0", 0, 0, "0 2000");
	finds("web", 1000, 1001, "1001 2000 2002 2003");
	finds("1000", 1000, 1001, "1001 2000 2002 2003");
	/* A group that is named is the only one. */
	finds("web:5", 1000, 5, "5");
	finds("1000:5", 1000, 5, "5");
	/* Numbers need no user; a number is never a name. */
	finds("42", 42, 42, "42");
	finds("4294967294:0", 4294967294, 0, "0");
}

static void refuses(const char *text, int error)
{
	struct user u = { .uid = 77 };

	assert_int_equal(user_find_in_files(text, passwd, group, &u), error);
	assert_int_equal(u.uid, 77);
	assert_null(u.groups);
}

static void test_nobody(void **state _unused_)
{
	refuses("nosuch", -ENOENT);
	refuses("", -ENOENT);
	refuses("we", -ENOENT);
	refuses("+", -ENOENT);
	refuses("-web2", -ENOENT);
	refuses("4294967295", -ENOENT);
	refuses("web:", -EINVAL);
	refuses("web:web", -EINVAL);
	refuses("0:4294967295", -EINVAL);
}

static void test_no_files(void **state _unused_)
{
	_cleanup_(user_done) struct user u = { 0 };

	assert_int_equal(user_find_in_files("web", "/nonexistent/passwd", group, &u), -ENOENT);
	assert_int_equal(user_find_in_files("web", "/dev/null/passwd", group, &u), -ENOTDIR);
	assert_int_equal(user_find_in_files("web", passwd, "/nonexistent/group", &u), 0);
	assert_int_equal(u.n_groups, 1);
	assert_int_equal(u.groups[0], 1001);
}

static void test_services(void **state _unused_)
{
	_cleanup_(user_done) struct user u = { 0 };

	assert_int_equal(user_find("no-such-user-at-all", &u), -ENOENT);
	assert_int_equal(user_find("root", &u), 0);
	assert_int_equal(u.uid, 0);
	assert_int_equal(u.gid, 0);
	assert_true(u.n_groups >= 1 && u.groups[0] == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_nobody),
		cmocka_unit_test(test_no_files),
		cmocka_unit_test(test_services),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
