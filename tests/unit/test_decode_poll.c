/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_output */
/* poll, select, epoll: what is waited for, and what came. */
#include "decode_text.h"

#include <poll.h>
#include <sys/epoll.h>

enum { NR_poll = 7, NR_select = 23, NR_epoll_wait = 232, NR_epoll_ctl = 233, NR_pselect6 = 270, NR_ppoll = 271 };

static void test_poll(void **state)
{
	struct pollfd in[3] = { { 3, POLLIN | POLLPRI, 0 }, { -1, POLLIN, 0 }, { 4, 0, 0 } };
	struct pollfd out[3] = { { 3, POLLIN | POLLPRI, POLLIN }, { -1, POLLIN, 0 }, { 4, 0, POLLHUP } };

	(void)state;
	call_make(NR_poll, 2, 3, PTR, A(3), A(UINT32_MAX));
	call_capture(0, 0, in, sizeof(in));
	call_capture(0, 1, out, sizeof(out));
	assert_call("[{fd=3, events=POLLIN|POLLPRI}, {fd=-1}, {fd=4, events=0}], 3, -1 -> "
		    "[{fd=3, revents=POLLIN}, {fd=4, revents=POLLHUP}]");
	assert_survives_cuts();
	call.ret = 0;
	assert_call("[{fd=3, events=POLLIN|POLLPRI}, {fd=-1}, {fd=4, events=0}], 3, -1 -> Timeout");
	call.ret = -14;
	call.captures[0].len = 20;
	assert_call("[{fd=3, events=POLLIN|POLLPRI}, {fd=-1}, ... /* 0x7ffc0010 */], 3, -1");
	call_make(NR_poll, -14, 3, PTR, A(UINT32_MAX), A(0));
	call_capture(0, 0, in, 0)->flags = CT_CAP_FAILED;
	assert_call("0x7ffc0000, 4294967295, 0");
	call_make(NR_poll, 0, 3, PTR, A(0), A(0));
	assert_call("[], 0, 0 -> Timeout");
}

static void test_many(void **state)
{
	struct pollfd many[40];

	(void)state;
	for (int i = 0; i < 40; i++)
		many[i] = (struct pollfd){ i, POLLOUT, i >= 38 ? POLLOUT : 0 };
	call_make(NR_poll, 2, 3, PTR, A(40), A(0));
	call_opts.string_limit = 2;
	call_capture(0, 0, many, 16);
	call_capture(0, 1, many, sizeof(many));
	assert_call("[{fd=0, events=POLLOUT}, {fd=1, events=POLLOUT}, ...], 40, 0 -> [{fd=38, revents=POLLOUT}, {fd=39, revents=POLLOUT}]");
	call_opts.string_limit = 32;
}

static void test_ppoll(void **state)
{
	struct pollfd out = { 3, POLLIN, POLLIN };
	uint64_t before[2] = { 1, 0 }, after[2] = { 0, 999 }, set = 1 << 16;

	(void)state;
	call_make(NR_ppoll, 1, 5, PTR, A(1), PTR, PTR, A(8));
	call_capture(0, 0, &out, 8);
	call_capture(0, 1, &out, 8);
	call_capture(2, 0, before, 16);
	call_capture(2, 1, after, 16);
	call_capture(3, 0, &set, 8);
	assert_call("[{fd=3, events=POLLIN}], 1, {tv_sec=1, tv_nsec=0}, [CHLD], 8 -> [{fd=3, revents=POLLIN}], left {tv_sec=0, tv_nsec=999}");
	assert_survives_cuts();
}

static void test_select(void **state)
{
	uint64_t in = 1 << 3, none = 0, tv[2] = { 1, 2 };

	(void)state;
	call_make(NR_select, 1, 5, A(8), PTR, PTR, A(0), PTR);
	call_capture(1, 0, &in, 8);
	call_capture(1, 1, &in, 8);
	call_capture(2, 0, &none, 8);
	call_capture(2, 1, &none, 8);
	call_capture(4, 0, tv, 16);
	call_capture(4, 1, tv, 16);
	assert_call("8, [3], [], NULL, {tv_sec=1, tv_usec=2} -> in [3], left {tv_sec=1, tv_usec=2}");
	assert_survives_cuts();
	call.args[0] = UINT32_MAX;
	call.ret = -22;
	assert_call("-1, 0x7ffc0000, 0x7ffc0000, NULL, {tv_sec=1, tv_usec=2}");
	/* More descriptors than are ever captured: a part of them alone is not said. */
	call.args[0] = 0x7fffffff;
	call.ret = 1;
	assert_call("2147483647, 0x7ffc0000, 0x7ffc0000, NULL, {tv_sec=1, tv_usec=2} -> in [3], left {tv_sec=1, tv_usec=2}");
}

static void test_pselect6(void **state)
{
	uint64_t ref[2] = { PTR, 8 }, set = 1, ts[2] = { 0, 0 };

	(void)state;
	call_make(NR_pselect6, 0, 6, A(0), A(0), A(0), A(0), PTR, PTR);
	call_capture(4, 0, ts, 16);
	call_capture(5, 0, ref, 16);
	call_capture(5, 1, &set, 8);
	assert_call("0, NULL, NULL, NULL, {tv_sec=0, tv_nsec=0}, {sigmask=[HUP], sigsetsize=8} -> Timeout");
	assert_survives_cuts();
	ref[1] = 4;
	assert_call("0, NULL, NULL, NULL, {tv_sec=0, tv_nsec=0}, {sigmask=0x7ffc0000, sigsetsize=4} -> Timeout");
}

static void test_epoll(void **state)
{
	struct { uint32_t events; uint64_t data; } __attribute__((packed)) e[2] = { { EPOLLIN | EPOLLET, 0x1234567887654321 },
										     { EPOLLOUT | 0x8000, 7 } };

	(void)state;
	call_make(NR_epoll_ctl, 0, 4, A(6), A(EPOLL_CTL_ADD), A(3), PTR);
	call_capture(3, 0, e, 12);
	assert_call("6, EPOLL_CTL_ADD, 3, {events=EPOLLIN|EPOLLET, data=0x1234567887654321}");
	assert_survives_cuts();
	call.args[1] = EPOLL_CTL_DEL;
	assert_call("6, EPOLL_CTL_DEL, 3, 0x7ffc0000");
	call_make(NR_epoll_wait, 2, 4, A(6), PTR, A(8), A(0));
	call_capture(1, 0, e, 24);
	assert_call("6, [{events=EPOLLIN|EPOLLET, data=0x1234567887654321}, {events=EPOLLOUT|0x8000, data=0x7}], 8, 0");
	assert_survives_cuts();
	call.ret = 0x7fffffff;
	assert_survives_cuts();
	call_make(NR_epoll_wait, 0, 4, A(6), PTR, A(8), A(0));
	assert_call("6, [], 8, 0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_poll),   cmocka_unit_test(test_many),     cmocka_unit_test(test_ppoll),
		cmocka_unit_test(test_select), cmocka_unit_test(test_pselect6), cmocka_unit_test(test_epoll),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
