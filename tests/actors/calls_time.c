/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Clocks, sleeps and timers. */
#include "calls.h"

#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/times.h>
#include <time.h>

static void *bad;

static void clocks(void)
{
	static const int ids[] = { CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID,
				   CLOCK_MONOTONIC_RAW, CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC_COARSE, CLOCK_BOOTTIME,
				   CLOCK_REALTIME_ALARM, CLOCK_BOOTTIME_ALARM, 10, CLOCK_TAI, 12, 77, -6, -2, -3, -1 };
	struct timespec ts;
	struct timeval tv;
	struct timezone tz;
	time_t t;

	section("clocks");
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		CALL(clock_gettime, ids[i], &ts);
		CALL(clock_getres, ids[i], &ts);
	}
	CALL(clock_gettime, CLOCK_REALTIME, bad);
	CALL(clock_gettime, CLOCK_REALTIME, NULL);
	CALL(clock_getres, CLOCK_REALTIME, NULL);
	CALL(clock_settime, 77, &ts);
	CALL(clock_settime, CLOCK_MONOTONIC, NULL);
	CALL(clock_settime, CLOCK_MONOTONIC, bad);
	ts.tv_nsec = -5;
	CALL(clock_settime, CLOCK_MONOTONIC, &ts);
	CALL(gettimeofday, &tv, NULL);
	CALL(gettimeofday, &tv, &tz);
	CALL(gettimeofday, NULL, &tz);
	CALL(gettimeofday, bad, bad);
	CALL(settimeofday, bad, NULL);
	tv.tv_usec = 2000000;
	CALL(settimeofday, &tv, NULL);
	CALL(time, &t);
	CALL(time, NULL);
	CALL(time, bad);
}

static void sleeps(void)
{
	struct timespec ts = { 0, 1000 }, left;

	section("sleeps");
	CALL(nanosleep, &ts, &left);
	CALL(nanosleep, &ts, NULL);
	CALL(nanosleep, NULL, NULL);
	CALL(nanosleep, bad, &left);
	ts.tv_nsec = 1000000000;
	CALL(nanosleep, &ts, &left);
	ts.tv_sec = -1, ts.tv_nsec = -2;
	CALL(nanosleep, &ts, &left);
	ts.tv_sec = 0, ts.tv_nsec = 1000;
	CALL(clock_nanosleep, CLOCK_REALTIME, 0, &ts, &left);
	CALL(clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, &left);
	CALL(clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
	CALL(clock_nanosleep, 77, 77, bad, NULL);
	CALL(clock_nanosleep, CLOCK_MONOTONIC, 0, NULL, bad);
}

static void timers(void)
{
	struct itimerval it = { { 100, 1 }, { 200, 2 } }, old;
	struct sigevent se = { .sigev_notify = SIGEV_NONE };
	struct itimerspec its = { { 100, 1 }, { 200, 2 } }, its_old;
	int id;

	section("itimers");
	CALL(setitimer, ITIMER_REAL, &it, &old);
	CALL(setitimer, ITIMER_VIRTUAL, &it, &old);
	CALL(setitimer, ITIMER_PROF, &it, NULL);
	CALL(getitimer, ITIMER_VIRTUAL, &old);
	CALL(getitimer, 77, &old);
	CALL(getitimer, ITIMER_REAL, bad);
	CALL(setitimer, ITIMER_VIRTUAL, NULL, &old);
	CALL(setitimer, ITIMER_REAL, bad, &old);
	it.it_value.tv_usec = 2000000;
	CALL(setitimer, ITIMER_REAL, &it, NULL);
	CALL(setitimer, ITIMER_REAL, NULL, NULL);
	CALL(setitimer, ITIMER_PROF, NULL, NULL);
	CALL(alarm, 100);
	CALL(alarm, 0);
	section("timers");
	CALL(timer_create, CLOCK_MONOTONIC, &se, &id);
	CALL(timer_settime, id, 0, &its, &its_old);
	CALL(timer_settime, id, TIMER_ABSTIME, &its, NULL);
	CALL(timer_gettime, id, &its_old);
	CALL(timer_getoverrun, id);
	CALL(timer_delete, id);
	CALL(timer_gettime, id, &its_old);
	CALL(timer_getoverrun, 99);
	CALL(timer_delete, 99);
	CALL(timer_settime, 99, 0x77, bad, NULL);
	CALL(timer_create, CLOCK_REALTIME, NULL, &id);
	CALL(timer_delete, id);
	se.sigev_notify = SIGEV_SIGNAL, se.sigev_signo = SIGUSR1, se.sigev_value.sival_ptr = (void *)0x123456789;
	CALL(timer_create, CLOCK_REALTIME, &se, &id);
	CALL(timer_delete, id);
	se.sigev_notify = 4;
	((int *)&se)[4] = getpid();
	CALL(timer_create, CLOCK_REALTIME, &se, &id);
	CALL(timer_delete, id);
	se.sigev_notify = SIGEV_THREAD;
	CALL(timer_create, CLOCK_REALTIME, &se, &id);
	CALL(timer_delete, id);
	se.sigev_notify = 77, se.sigev_signo = 77;
	CALL(timer_create, CLOCK_REALTIME, &se, &id);
	CALL(timer_create, 77, bad, &id);
	CALL(timer_create, CLOCK_REALTIME, &se, bad);
}

int main(void)
{
	resident();
	bad = bad_page();
	clocks();
	sleeps();
	timers();
	struct tms tms;
	section("times");
	CALL(times, &tms);
	CALL(times, NULL);
	CALL(times, bad);
	return 0;
}
