/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Scheduling, futexes of the second kind, priorities, and small calls about processes. */
#include "calls.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

/* Numbers that headers of Debian 12 lack; the same on every 64-bit ABI. */
#define NR_futex_waitv 449
#define NR_map_shadow_stack 453
#define NR_futex_wake 454
#define NR_futex_wait 455
#define NR_futex_requeue 456
#define NR_mseal 462
#define NR_memfd_secret 447
#define NR_process_mrelease 448
#define NR_process_madvise 440
#define NR_uretprobe 335
#define NR_uprobe 336
#define NR_rseq_slice_yield 471

#define CALLNR(nr, ...) ((void)!syscall(nr, ##__VA_ARGS__))

static void *bad;

struct attr {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
	uint32_t util_min, util_max;
};

static void attributes(void)
{
	struct attr a = { .size = sizeof(a), .policy = SCHED_OTHER, .nice = 1 };
	char big[128] = { 0 };

	section("sched_attr");
	CALL(sched_setattr, 0, &a, 0);
	CALL(sched_getattr, 0, &a, sizeof(a), 0);
	CALL(sched_getattr, 0, &a, 48, 0);
	CALL(sched_getattr, 0, &a, 47, 0);
	CALL(sched_getattr, 0, big, 128, 0);
	CALL(sched_getattr, 0, &a, 0, 7);
	CALL(sched_getattr, 0, bad, sizeof(a), 0);
	CALL(sched_getattr, -1, NULL, sizeof(a), 0);
	a = (struct attr){ .size = sizeof(a), .policy = 6, .flags = 7, .nice = -5, .priority = 3, .runtime = 10, .deadline = 20,
			   .period = 5, .util_min = 1, .util_max = 9 };
	CALL(sched_setattr, -1, &a, 0);
	a.flags = 0x18, a.policy = 77;
	CALL(sched_setattr, -1, &a, 5);
	a.flags = 0x60, a.policy = SCHED_FIFO;
	CALL(sched_setattr, -1, &a, 0);
	a.flags = 0x7f0000, a.size = 48, a.policy = SCHED_RR;
	CALL(sched_setattr, -1, &a, 0);
	a.size = 40;
	CALL(sched_setattr, -1, &a, 0);
	a.size = 0, a.policy = SCHED_IDLE, a.flags = 1;
	CALL(sched_setattr, -1, &a, 0);
	memcpy(big, &a, sizeof(a));
	*(uint32_t *)big = 128;
	CALL(sched_setattr, -1, big, 0);
	big[100] = 5;
	CALL(sched_setattr, -1, big, 0);
	CALL(sched_setattr, -1, tail(&a, 40), 0);
	CALL(sched_setattr, -1, tail(&a, 4), 0);
	CALL(sched_setattr, 0, bad, 0);
	CALL(sched_setattr, 0, NULL, 0);
}

static void priorities(void)
{
	section("ioprio");
	CALL(ioprio_get, 1, 0);
	CALL(ioprio_set, 1, 0, 2 << 13 | 4);
	CALL(ioprio_get, 1, 0);
	CALL(ioprio_set, 2, 0, 3 << 13);
	CALL(ioprio_get, 2, getpgrp());
	CALL(ioprio_set, 3, 77, 0);
	CALL(ioprio_set, 1, -1, 1 << 13 | 8);
	CALL(ioprio_set, 1, -1, 7 << 13 | 2 << 3 | 1);
	CALL(ioprio_set, 1, -1, 2 << 13 | 2 << 3 | 1);
	CALL(ioprio_set, 1, -1, 2 << 13 | 0x3ff << 3 | 1);
	CALL(ioprio_set, 1, -1, 0x77770000);
	CALL(ioprio_set, 77, 0, 4 << 13 | 1);
	CALL(ioprio_get, 77, 0);
	CALL(ioprio_get, 1, -1);
	CALL(getpriority, PRIO_PROCESS, 0);
	CALL(getpriority, PRIO_USER, -1);
	CALL(getpriority, 77, 0);
	CALL(setpriority, PRIO_PGRP, 0, 1);
	CALL(setpriority, PRIO_PROCESS, -1, -7);
}

struct waiter {
	uint64_t val, uaddr;
	uint32_t flags, reserved;
};

static void futexes(void)
{
	uint32_t f = 1, g = 2;
	struct waiter w[3] = { { 9, (uintptr_t)&f, 2, 0 }, { 2, (uintptr_t)&g, 0x82, 0 }, { 3, 0, 0x7777, 5 } };
	int64_t past[2] = { 1, 2 };           /* struct __kernel_timespec, on every ABI */

	section("futex2");
	CALLNR(NR_futex_waitv, w, 1, 0, NULL, 1);
	CALLNR(NR_futex_waitv, w, 2, 0, past, CLOCK_MONOTONIC);
	CALLNR(NR_futex_waitv, w, 3, 0, past, CLOCK_REALTIME);
	CALLNR(NR_futex_waitv, w, 0, 7, bad, 77);
	CALLNR(NR_futex_waitv, bad, 1, 0, bad, 1);
	CALLNR(NR_futex_waitv, NULL, 1, 0, NULL, 1);
	CALLNR(NR_futex_waitv, tail(w, sizeof(*w)), 2, 0, past, 1);
	CALLNR(NR_futex_wake, &f, 0xffffffffffffffff, 1, 2);
	CALLNR(NR_futex_wake, &f, 5, -1, 0x82);
	CALLNR(NR_futex_wake, bad, 0xffffffff, 1, 0x777);
	CALLNR(NR_futex_wait, &f, 9, 0xffffffff, 2, NULL, 1);
	CALLNR(NR_futex_wait, &f, 1, 1, 0x82, past, CLOCK_REALTIME);
	CALLNR(NR_futex_wait, bad, 1, 0xffffffffffffffff, 6, bad, 77);
	CALLNR(NR_futex_requeue, w, 0, 1, 2);
	CALLNR(NR_futex_requeue, bad, 7, -1, -1);
	CALLNR(NR_futex_requeue, NULL, 0, 0, 0);
	CALLNR(NR_futex_requeue, tail(w, sizeof(*w)), 0, 1, 2);
}

static void processes(void)
{
	int status, pid, fd;
	unsigned cpu, node;
	siginfo_t info = { .si_signo = SIGUSR1, .si_code = SI_QUEUE };

	section("processes");
	for (int type = 0; type < 10; type++)
		CALL(kcmp, getpid(), -1, type, 1, 2);
	CALL(kcmp, getpid(), getpid(), 0, 0, 1);
	CALL(kcmp, getpid(), getpid(), 7, 0, (uint32_t[3]){ 1, 2, 3 });
	CALL(kcmp, getpid(), getpid(), 7, 0, bad);
	pid = raw_fork();
	if (!pid) {
		raw_pause();
		_exit(0);
	}
	fd = syscall(SYS_pidfd_open, pid, 0);
	CALL(pidfd_open, pid, O_NONBLOCK);
	CALL(pidfd_open, -1, 0x77);
	CALL(pidfd_getfd, fd, 0, 0);
	CALL(pidfd_getfd, fd, -1, 7);
	CALL(pidfd_send_signal, fd, 0, NULL, 0);
	CALL(pidfd_send_signal, fd, SIGUSR1, &info, 7);
	CALL(pidfd_send_signal, fd, 99, bad, 0);
	CALLNR(NR_process_mrelease, fd, 0);
	CALLNR(NR_process_mrelease, -1, 7);
	/* The child waits by then: what is killed on its way into a call is told differently. */
	CALL(nanosleep, &(struct timespec){ 0, 30000000 }, NULL);
	CALL(pidfd_send_signal, fd, SIGKILL, NULL, 0);
	CALL(wait4, pid, &status, 0, NULL);
	CALL(close, fd);
	CALL(membarrier, 0, 0, 0);
	CALL(membarrier, 1, 0, 0);
	CALL(membarrier, 16, 0, 0);
	CALL(membarrier, 8, 0, 0);
	CALL(membarrier, 128, 1, 0);
	CALL(membarrier, 0x7000, 7, 7);
	CALL(membarrier, 0x200, 0, 0);
	CALL(getcpu, NULL, NULL, NULL);
	CALL(getcpu, bad, &node, NULL);
	CALL(getcpu, &cpu, bad, bad);
	CALL(unshare, 0);
	CALL(unshare, CLONE_FS | CLONE_FILES);
	CALL(unshare, 0x77);
	CALL(unshare, CLONE_NEWTIME | 0x4f);
	CALL(setns, -1, CLONE_NEWNET);
	CALL(setns, -1, CLONE_NEWNS | CLONE_NEWPID | 0x77);
	CALL(setns, 0, 0);
	CALL(getrandom, NULL, 0, 7);
	CALL(getrandom, bad, 8, 1);
	CALL(getrandom, NULL, 8, 0x77);
}

static void mappings(void)
{
	section("mappings");
	CALLNR(NR_mseal, NULL, 0, 0);
	CALLNR(NR_mseal, bad, 4096, 7);
	CALLNR(NR_map_shadow_stack, 0, 0, 0);
	CALLNR(NR_map_shadow_stack, 0x1000, 4096, 1);
	CALLNR(NR_map_shadow_stack, 0x1000, 4096, 0x77);
	CALLNR(NR_memfd_secret, 0x77);
	CALLNR(NR_memfd_secret, O_CLOEXEC | 0x77);
	CALL(pkey_alloc, 0, 3);
	CALL(pkey_alloc, 7, 0x77);
	CALL(pkey_free, -1);
	CALL(pkey_mprotect, NULL, 0, 1, -1);
	CALL(mlock2, bad, 4096, 7);
	CALL(munlockall);
	resident();
	CALL(mlockall, 0x77);
	CALLNR(NR_rseq_slice_yield, 0);
}

static void clocks(void)
{
	struct { uint32_t v[64]; } tx = { { 0 } };
	int timer;

	section("clocks");
	CALL(clock_adjtime, 77, &tx);
	CALL(clock_adjtime, CLOCK_REALTIME, bad);
	CALL(clock_adjtime, CLOCK_REALTIME, NULL);
	memset(&tx, 0xff, sizeof(tx));
	CALL(clock_adjtime, CLOCK_MONOTONIC, &tx);
	CALL(adjtimex, bad);
	CALL(adjtimex, NULL);
	CALL(timer_create, CLOCK_REALTIME, NULL, &timer);
	CALL(timer_delete, timer);
	CALL(timer_create, CLOCK_REALTIME, &(struct sigevent){ .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = 99 }, bad);
	CALL(timer_create, 77, bad, bad);
	CALL(timer_create, -6, NULL, NULL);
	CALL(clock_getres, ~getpid() * 8 | 2, NULL);
	CALL(clock_gettime, ~5 * 8 | 3, bad);
	CALL(settimeofday, bad, bad);
	CALL(clock_settime, 77, &(struct timespec){ 1, 2 });
	CALL(clock_nanosleep, CLOCK_REALTIME, 0x77, &(struct timespec){ 1, -1 }, bad);
	CALL(sched_rr_get_interval, 0, bad);
	CALL(sched_rr_get_interval, -1, NULL);
}

int main(void)
{
	resident();
	bad = bad_page();
	attributes();
	priorities();
	futexes();
	processes();
	mappings();
	clocks();
	return 0;
}
