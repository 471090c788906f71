/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_session */
/* What is shown of SELinux's contexts as the kernel writes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "session/secontext.h"

#define SHOWS(context, full, expected)                                                          \
	do {                                                                                    \
		char buf[64];                                                                   \
		assert_true(secontext_show(context, sizeof(context) - 1, full, buf, sizeof(buf))); \
		assert_string_equal(buf, expected);                                             \
	} while (0)

#define NOTHING(context, full, size)                                                            \
	do {                                                                                    \
		char buf[64];                                                                   \
		assert_false(secontext_show(context, sizeof(context) - 1, full, buf, size));    \
	} while (0)

static void test_type(void **state)
{
	(void)state;
	SHOWS("unconfined_u:object_r:user_home_t:s0", false, "user_home_t");
	SHOWS("unconfined_u:object_r:user_home_t:s0\0", false, "user_home_t");
	SHOWS("system_u:system_r:container_t:s0:c1,c2\n", false, "container_t");
	SHOWS("u:r:t", false, "t");
	SHOWS("kernel", false, "kernel");
}

static void test_full(void **state)
{
	(void)state;
	SHOWS("unconfined_u:object_r:user_home_t:s0", true, "unconfined_u:object_r:user_home_t:s0");
	SHOWS("system_u:system_r:container_t:s0:c1,c2\n\0", true, "system_u:system_r:container_t:s0:c1,c2");
	SHOWS("kernel\0", true, "kernel");
}

static void test_none(void **state)
{
	(void)state;
	NOTHING("", false, 64);
	NOTHING("\0\0", true, 64);
	NOTHING("a:b:", false, 64);
	NOTHING("a:b::d", false, 64);
	NOTHING("unconfined_u:object_r:user_home_t:s0", false, 11);
	NOTHING("unconfined_u:object_r:user_home_t:s0", true, 36);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_type), cmocka_unit_test(test_full), cmocka_unit_test(test_none) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
