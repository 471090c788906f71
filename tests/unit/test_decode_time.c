/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_output */
/* Clocks, sleeps, timers, and the terminal's ioctls. */
#include "decode_text.h"

#include <signal.h>

enum { NR_ioctl = 16, NR_nanosleep = 35, NR_setitimer = 38, NR_gettimeofday = 96, NR_times = 100, NR_timer_create = 222,
       NR_clock_gettime = 228, NR_clock_nanosleep = 230 };

static void test_clocks(void **state)
{
	uint64_t ts[2] = { UINT64_MAX, 5 };
	int tz[2] = { -60, 0 };

	(void)state;
	call_make(NR_clock_gettime, 0, 2, A(7), PTR);
	call_capture(1, 0, ts, 16);
	assert_call("CLOCK_BOOTTIME, {tv_sec=-1, tv_nsec=5}");
	assert_survives_cuts();
	call.args[0] = 0xfffffffa;
	call.ret = -22;
	assert_call("0xfffffffa /* CLOCK_??? */, 0x7ffc0000");
	call_make(NR_gettimeofday, 0, 2, PTR, PTR);
	ts[0] = 3;
	call_capture(0, 0, ts, 16);
	call_capture(1, 0, tz, 8);
	assert_call("{tv_sec=3, tv_usec=5}, {tz_minuteswest=-60, tz_dsttime=0}");
	assert_survives_cuts();
}

#define ERESTART_RESTARTBLOCK 516

static void test_sleeps(void **state)
{
	uint64_t req[2] = { 5, UINT64_MAX }, rem[2] = { 4, 9 };

	(void)state;
	call_make(NR_nanosleep, 0, 2, PTR, PTR);
	call_capture(0, 0, req, 16);
	call_capture(1, 0, rem, 16);
	assert_call("{tv_sec=5, tv_nsec=18446744073709551615}, 0x7ffc0000");
	call.ret = -ERESTART_RESTARTBLOCK;
	assert_call("{tv_sec=5, tv_nsec=18446744073709551615}, {tv_sec=4, tv_nsec=9}");
	assert_survives_cuts();
	/* Till a point in time: nothing is left. */
	call_make(NR_clock_nanosleep, -ERESTART_RESTARTBLOCK, 4, A(1), A(1), PTR, PTR);
	call_capture(2, 0, req, 16);
	call_capture(3, 0, rem, 16);
	assert_call("CLOCK_MONOTONIC, TIMER_ABSTIME, {tv_sec=5, tv_nsec=18446744073709551615}, 0x7ffc0000");
}

static void test_timers(void **state)
{
	uint64_t it[4] = { 1, 2, 3, 4 }, tms[4] = { 1, 0, 250, 0 };
	struct { uint64_t value; int signo, notify, tid; int pad[3]; } se = { 0x123456789, SIGUSR1, 4, 77, { 0 } };
	int id = 3;

	(void)state;
	call_make(NR_setitimer, 0, 3, A(0), PTR, A(0));
	call_capture(1, 0, it, 32);
	assert_call("ITIMER_REAL, {it_interval={tv_sec=1, tv_usec=2}, it_value={tv_sec=3, tv_usec=4}}, NULL");
	assert_survives_cuts();
	call_make(NR_timer_create, 0, 3, A(1), PTR, PTR);
	call_capture(1, 0, &se, 32);
	call_capture(2, 0, &id, 4);
	assert_call("CLOCK_MONOTONIC, {sigev_value={sival_int=591751049, sival_ptr=0x123456789}, sigev_signo=SIGUSR1, "
		    "sigev_notify=SIGEV_THREAD_ID, sigev_notify_thread_id=77}, [3]");
	assert_survives_cuts();
	se.value = 0, se.notify = 1;
	assert_call("CLOCK_MONOTONIC, {sigev_signo=10, sigev_notify=SIGEV_NONE}, [3]");
	call_make(NR_times, 1718076222, 1, PTR);
	call_capture(0, 0, tms, 32);
	assert_call("{tms_utime=1 /* 0.01 s */, tms_stime=0, tms_cutime=250 /* 2.50 s */, tms_cstime=0}");
	assert_survives_cuts();
}

static void test_terminal(void **state)
{
	uint32_t t[9] = { 0x500, 5, 0xbf, 0x8a3b };
	uint16_t w[4] = { 24, 80, 1, 2 };
	int v = -2;

	(void)state;
	call_make(NR_ioctl, 0, 3, A(4), A(0x5401), PTR);
	call_capture(2, 1, t, 36);
	assert_call("4, TCGETS, {c_iflag=ICRNL|IXON, c_oflag=NL0|CR0|TAB0|BS0|VT0|FF0|OPOST|ONLCR, c_cflag=B38400|CS8|CREAD, "
		    "c_lflag=ISIG|ICANON|ECHO|ECHOE|ECHOK|IEXTEN|ECHOCTL|ECHOKE, ...}");
	assert_survives_cuts();
	memset(t, 0, sizeof(t));
	call_make(NR_ioctl, -9, 3, A(-1), A(0x5402), PTR);
	call_capture(2, 0, t, 36);
	assert_call("-1, SNDCTL_TMR_START or TCSETS, {c_iflag=, c_oflag=NL0|CR0|TAB0|BS0|VT0|FF0|, c_cflag=B0|CS5|, c_lflag=, ...}");
	call.ret = 0;
	t[2] = UINT32_MAX;
	assert_call("-1, TCSETS, {c_iflag=, c_oflag=NL0|CR0|TAB0|BS0|VT0|FF0|, "
		    "c_cflag=B4000000|B4000000<<IBSHIFT|CS8|CSTOPB|CREAD|PARENB|PARODD|HUPCL|CLOCAL|CMSPAR|CRTSCTS|0x2ff0e000, "
		    "c_lflag=, ...}");
	call_make(NR_ioctl, 0, 3, A(4), A(0x5413), PTR);
	call_capture(2, 1, w, 8);
	assert_call("4, TIOCGWINSZ, {ws_row=24, ws_col=80, ws_xpixel=1, ws_ypixel=2}");
	call_make(NR_ioctl, -25, 3, A(4), A(0x5410), PTR);
	call_capture(2, 0, &v, 4);
	assert_call("4, TIOCSPGRP, [-2]");
	assert_survives_cuts();
}

static void test_other_ioctls(void **state)
{
	(void)state;
	call_make(NR_ioctl, 0, 3, A(3), A(0x5451), A(7));
	assert_call("3, FIOCLEX");
	call_make(NR_ioctl, -25, 3, A(3), A(0xdeadbeef), A(0x1234));
	assert_call("3, _IOC(_IOC_READ|_IOC_WRITE, 0xbe, 0xef, 0x1ead), 0x1234");
	call_make(NR_ioctl, -25, 3, A(3), A(0), A(0));
	assert_call("3, _IOC(_IOC_NONE, 0, 0, 0), 0");
	call_make(NR_ioctl, 0, 3, A(3), A(0x540b), A(2));
	assert_call("3, TCFLSH, TCIOFLUSH");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clocks),   cmocka_unit_test(test_sleeps),       cmocka_unit_test(test_timers),
		cmocka_unit_test(test_terminal), cmocka_unit_test(test_other_ioctls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
