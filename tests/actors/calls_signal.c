/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Signals: the calls, and signals of every origin as they are delivered. */
#include "calls.h"

#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#define SYS_pidfd_open 434
#endif

static void *bad;
static int unused_fd = -1;

struct k_sigaction {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

/* Emulated and traced, the call that is to be interrupted may take a while to begin. */
#if defined(__x86_64__)
#define ALARM_US 20000
#else
#define ALARM_US 300000
#endif

static void on_signal(int signo)
{
	(void)signo;
}

static void on_signal_deep(int signo)
{
	(void)signo;
	CALL(getppid);
}

static void actions(void)
{
	struct k_sigaction a = { .handler = SIG_IGN }, old;

	section("rt_sigaction");
	CALL(rt_sigaction, SIGUSR1, NULL, &old, 8);
	CALL(rt_sigaction, SIGUSR1, &a, NULL, 8);
	a.handler = on_signal, a.flags = SA_RESTART | SA_SIGINFO | SA_NODEFER | SA_RESETHAND;
	a.mask = 1 << (SIGHUP - 1) | 1 << (SIGTERM - 1);
	CALL(rt_sigaction, SIGUSR1, &a, &old, 8);
	a.handler = on_signal, a.flags = 0x04000000 | SA_ONSTACK | SA_NOCLDSTOP | SA_NOCLDWAIT | 0x400000;
	a.restorer = (void (*)(void))0x1234, a.mask = ~0ull;
	CALL(rt_sigaction, SIGUSR2, &a, &old, 8);
	a.mask = ~0ull ^ 1ull << (SIGCHLD - 1) ^ 1ull << 40;
	CALL(rt_sigaction, SIGUSR2, &a, &old, 8);
	a.handler = SIG_DFL, a.flags = 0, a.mask = 1ull << 63 | 1ull << 31 | 1ull << 33 | 1ull << 50;
	CALL(rt_sigaction, SIGRTMIN, &a, &old, 8);
	CALL(rt_sigaction, 64, &a, &old, 8);
	CALL(rt_sigaction, 32, &a, &old, 8);
	CALL(rt_sigaction, 65, &a, &old, 8);
	CALL(rt_sigaction, 0, NULL, NULL, 8);
	CALL(rt_sigaction, -1, NULL, NULL, 8);
	CALL(rt_sigaction, SIGKILL, &a, NULL, 8);
	CALL(rt_sigaction, SIGUSR1, &a, &old, 4);
	CALL(rt_sigaction, SIGUSR1, bad, &old, 8);
	CALL(rt_sigaction, SIGUSR1, NULL, bad, 8);
	CALL(rt_sigaction, SIGUSR1, NULL, NULL, 8);
	a.handler = (void (*)(int))2, a.flags = 0;
	CALL(rt_sigaction, SIGUSR2, &a, NULL, 8);
	CALL(rt_sigaction, SIGUSR2, NULL, &old, 8);
	CALL(rt_sigaction, SIGUSR2, tail(&a, 16), NULL, 8);
	a.handler = SIG_DFL;
	CALL(rt_sigaction, SIGUSR2, &a, NULL, 8);
}

static void masks(void)
{
	uint64_t set = 1 << (SIGUSR1 - 1) | 1 << (SIGINT - 1), old, none = 0;

	section("rt_sigprocmask");
	CALL(rt_sigprocmask, SIG_BLOCK, &set, &old, 8);
	CALL(rt_sigprocmask, SIG_UNBLOCK, &set, NULL, 8);
	CALL(rt_sigprocmask, SIG_SETMASK, &none, &old, 8);
	CALL(rt_sigprocmask, SIG_SETMASK, NULL, &old, 8);
	CALL(rt_sigprocmask, 77, &set, &old, 8);
	CALL(rt_sigprocmask, SIG_BLOCK, bad, &old, 8);
	CALL(rt_sigprocmask, SIG_BLOCK, NULL, bad, 8);
	CALL(rt_sigprocmask, SIG_BLOCK, &set, &old, 4);
	CALL(rt_sigprocmask, SIG_BLOCK, &set, &old, 128);
	CALL(rt_sigprocmask, SIG_BLOCK, NULL, NULL, 8);
	set = ~0ull;
	CALL(rt_sigprocmask, SIG_BLOCK, &set, NULL, 8);
	CALL(rt_sigprocmask, SIG_SETMASK, &none, &set, 8);
	set = ~0ull & ~(3ull << 31);
	CALL(rt_sigprocmask, 99, &set, NULL, 8);
	set = 0x5555555555555555;
	CALL(rt_sigprocmask, 99, &set, NULL, 8);
	set = 0x7fffffff;
	CALL(rt_sigprocmask, 99, &set, NULL, 8);
	section("rt_sigpending");
	set = 1 << (SIGUSR1 - 1) | 1ull << 40;
	CALL(rt_sigprocmask, SIG_SETMASK, &set, NULL, 8);
	CALL(kill, getpid(), SIGUSR1);
	CALL(rt_sigpending, &old, 8);
	CALL(rt_sigpending, &old, 4);
	CALL(rt_sigpending, &old, 7);
	CALL(rt_sigpending, bad, 8);
	CALL(rt_sigpending, NULL, 8);
	section("rt_sigtimedwait");
	siginfo_t info;
	struct timespec ts = { 0, 1000 };
	CALL(rt_sigtimedwait, &set, &info, &ts, 8);
	CALL(rt_sigtimedwait, &set, &info, &ts, 8);
	CALL(rt_sigtimedwait, &set, NULL, &ts, 8);
	ts.tv_nsec = -1;
	CALL(rt_sigtimedwait, &set, NULL, &ts, 8);
	CALL(rt_sigtimedwait, bad, bad, bad, 8);
	CALL(rt_sigtimedwait, NULL, NULL, NULL, 8);
	CALL(kill, getpid(), SIGUSR1);
	CALL(rt_sigtimedwait, &set, NULL, NULL, 8);
	CALL(rt_sigtimedwait, &set, &info, NULL, 4);
	CALL(rt_sigprocmask, SIG_SETMASK, &none, NULL, 8);
}

static void kills(void)
{
	int pid = getpid();
	siginfo_t info = { .si_signo = SIGUSR1, .si_code = SI_QUEUE, .si_pid = 12, .si_uid = 34 };
	uint64_t set = 1ull << (SIGUSR1 - 1) | 1ull << 39, none = 0;
	struct timespec ts = { 1, 0 };

	section("kill");
	info.si_value.sival_ptr = (void *)0x12345678;
	CALL(kill, pid, 0);
	CALL(kill, 0x7fffffff, SIGTERM);
	CALL(kill, pid, 99);
	CALL(kill, pid, -1);
	CALL(tgkill, pid, pid, 0);
	CALL(tgkill, pid, pid, SIGCONT);
	CALL(tgkill, -1, -1, SIGRTMIN);
	CALL(tkill, pid, 0);
	CALL(tkill, -1, SIGRTMAX);
	CALL(rt_sigprocmask, SIG_SETMASK, &set, NULL, 8);
	CALL(rt_sigqueueinfo, pid, SIGUSR1, &info);
	CALL(rt_sigtimedwait, &set, &info, &ts, 8);
	CALL(rt_sigqueueinfo, pid, 40, &info);
	CALL(rt_sigtimedwait, &set, &info, &ts, 8);
	CALL(rt_tgsigqueueinfo, pid, pid, SIGUSR1, &info);
	CALL(rt_sigtimedwait, &set, &info, &ts, 8);
	info.si_code = -60, info.si_signo = 40;
	CALL(rt_sigqueueinfo, pid, 40, &info);
	CALL(rt_sigtimedwait, &set, &info, &ts, 8);
	CALL(rt_sigqueueinfo, pid, SIGUSR1, bad);
	CALL(rt_sigqueueinfo, pid, SIGUSR1, NULL);
	info.si_code = SI_USER;
	CALL(rt_sigqueueinfo, 0x7fffffff, SIGUSR1, &info);
	info.si_code = SI_TKILL;
	CALL(rt_sigqueueinfo, 0x7fffffff, SIGUSR1, &info);
	info.si_code = SI_TIMER;
	CALL(rt_sigqueueinfo, 0x7fffffff, SIGUSR1, &info);
	info.si_code = SI_MESGQ;
	CALL(rt_sigqueueinfo, 0x7fffffff, SIGUSR1, &info);
	info.si_code = SI_ASYNCIO;
	CALL(rt_sigqueueinfo, 0x7fffffff, SIGUSR1, &info);
	info.si_code = SI_KERNEL;
	CALL(rt_sigqueueinfo, 0x7fffffff, SIGUSR1, &info);
	int p = syscall(SYS_pidfd_open, pid, 0);
	CALL(pidfd_send_signal, p, 0, NULL, 0);
	CALL(pidfd_send_signal, p, SIGUSR1, &info, 0);
	info.si_code = SI_QUEUE, info.si_signo = SIGUSR1;
	CALL(pidfd_send_signal, p, SIGUSR1, &info, 0);
	CALL(rt_sigtimedwait, &set, &info, &ts, 8);
	CALL(pidfd_send_signal, -1, SIGUSR1, bad, 1);
	CALL(pidfd_send_signal, -1, SIGUSR1, NULL, 99);
	CALL(close, p);
	CALL(rt_sigprocmask, SIG_SETMASK, &none, NULL, 8);
}

static void restorer_action(int signo, void (*handler)(int), int flags)
{
	struct sigaction a = { .sa_handler = handler, .sa_flags = flags };

	sigaddset(&a.sa_mask, SIGHUP);
	sigaddset(&a.sa_mask, 50);
	sigaction(signo, &a, NULL);
}

static void delivery(void)
{
	uint64_t none = 0;
	int pid = getpid();

	section("delivery");
	restorer_action(SIGUSR1, on_signal_deep, 0);
	CALL(kill, pid, SIGUSR1);
	CALL(tgkill, pid, pid, SIGUSR1);
	CALL(kill, pid, SIGWINCH);
	CALL(kill, pid, SIGURG);
	uint64_t rt = 1ull << 38 | 1 << (SIGTERM - 1);
	CALL(rt_sigprocmask, SIG_SETMASK, &rt, NULL, 8);
	CALL(kill, pid, SIGUSR1);
	CALL(rt_sigprocmask, SIG_SETMASK, &none, NULL, 8);
}

/* Waits that a timer's signal ends. */
static void interrupted(void)
{
	uint64_t none = 0, all = ~0ull;
	struct itimerval it = { { 0, 0 }, { 0, ALARM_US } };
	struct timespec ts = { 5, 0 }, left;

	section("interrupted");
	restorer_action(SIGALRM, on_signal, 0);
	CALL(setitimer, ITIMER_REAL, &it, NULL);
	CALL(pause);
	CALL(setitimer, ITIMER_REAL, &it, NULL);
	CALL(rt_sigsuspend, &none, 8);
	CALL(rt_sigsuspend, bad, 8);
	CALL(rt_sigsuspend, &all, 4);
	CALL(setitimer, ITIMER_REAL, &it, NULL);
	CALL(nanosleep, &ts, &left);
	CALL(setitimer, ITIMER_REAL, &it, NULL);
	CALL(clock_nanosleep, CLOCK_MONOTONIC, 0, &ts, &left);
	CALL(setitimer, ITIMER_REAL, &it, NULL);
	CALL(poll, NULL, 0, 5000);
}

/* The same with descriptors, first without SA_RESTART, then with. */
static void interrupted_descriptors(void)
{
	struct itimerval it = { { 0, 0 }, { 0, ALARM_US } };
	uint64_t none = 0;
	int p[2];
	char c;

	CALL(pipe2, p, 0);
	CALL(setitimer, ITIMER_REAL, &it, NULL);
	CALL(read, p[0], &c, 1);
	restorer_action(SIGALRM, on_signal, SA_RESTART);
	CALL(setitimer, ITIMER_REAL, &it, NULL);
	struct pollfd pf = { p[0], POLLIN, 0 };
	CALL(ppoll, &pf, 1, NULL, NULL, 8);
	CALL(setitimer, ITIMER_REAL, &it, NULL);
	CALL(rt_sigtimedwait, &none, NULL, NULL, 8);
	CALL(setitimer, ITIMER_REAL, &it, NULL);
	CALL(select, 0, NULL, NULL, NULL, NULL);
	int e = syscall(SYS_epoll_create1, 0);
	struct epoll_event ev;
	CALL(setitimer, ITIMER_REAL, &it, NULL);
	CALL(epoll_wait, e, &ev, 1, -1);
	CALL(close, e);
	CALL(close, p[0]);
	CALL(close, p[1]);
}

static void restarted(void)
{
	struct itimerval it = { { 0, 0 }, { 0, ALARM_US } };
	int p[2];
	char c;

	CALL(pipe2, p, 0);
	/* The write end goes when the timer's handler has run: read is restarted once, then sees the end. */
	int child = raw_fork();
	if (!child) {
		CALL(close, p[0]);
		CALL(nanosleep, &(struct timespec){ 0, 3000 * ALARM_US }, NULL);
		CALL(exit, 3);
	}
	CALL(close, p[1]);
	CALL(setitimer, ITIMER_REAL, &it, NULL);
	CALL(read, p[0], &c, 1);
	int status;
	CALL(wait4, child, &status, 0, NULL);
	CALL(close, p[0]);
}

static void timer_signal(void)
{
	struct timer_sent { timer_t id; } t;
	struct sigevent se = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 77 };
	struct itimerspec its = { { 0, 0 }, { 0, 10000000 } };
	CALL(timer_create, CLOCK_MONOTONIC, &se, &t);
	CALL(timer_settime, 0, 0, &its, NULL);
	CALL(pause);
	CALL(timer_delete, 0);
}

static void altstack(void)
{
	static char stack[16384];
	stack_t s = { .ss_sp = stack, .ss_size = sizeof(stack) }, old;

	section("sigaltstack");
	CALL(sigaltstack, NULL, &old);
	CALL(sigaltstack, &s, &old);
	CALL(sigaltstack, NULL, &old);
	s.ss_flags = SS_DISABLE;
	CALL(sigaltstack, &s, NULL);
	s.ss_flags = 0x80000000, s.ss_size = 1 << 16;
	CALL(sigaltstack, &s, &old);
	s.ss_flags = 1;
	CALL(sigaltstack, &s, &old);
	s.ss_flags = 77;
	CALL(sigaltstack, &s, NULL);
	CALL(sigaltstack, bad, NULL);
	CALL(sigaltstack, NULL, bad);
	CALL(sigaltstack, NULL, NULL);
}

static int child_that(void (*what)(void))
{
	int pid = raw_fork(), status;

	if (!pid) {
		what();
		syscall(SYS_exit_group, 0);
	}
	CALL(wait4, pid, &status, 0, NULL);
	return status;
}

static void faults_map(void) { *(volatile char *)0x10 = 1; }
static void faults_access(void) { *(volatile char *)bad = 1; }
static void faults_general(void) { *(volatile char *)(uintptr_t)0x8000000000000010 = 1; }
#if defined(__x86_64__) || defined(__i386__)
static void illegal(void) { __asm__ volatile("ud2"); }
static void divides(void) { __asm__ volatile("xor %%edx, %%edx; xor %%ecx, %%ecx; div %%ecx" ::: "eax", "ecx", "edx"); }
static void traps(void) { __asm__ volatile("int3"); }
#else
static void illegal(void) { __asm__ volatile(".inst 0"); }
static void divides(void) { CALL(kill, getpid(), SIGFPE); }
static void traps(void) { __asm__ volatile("brk 0"); }
#endif
#if defined(__x86_64__)
/* rt_sigreturn with a stack that is not there. */
static void returns_nowhere(void) { __asm__ volatile("mov $0x1230, %esp; mov $15, %eax; syscall"); }
static void returns_null(void) { __asm__ volatile("xor %esp, %esp; mov $15, %eax; syscall"); }
#endif
static void pipes(void) { CALL(write, unused_fd, "x", 1); }
static void kills_itself(void) { CALL(kill, getpid(), SIGKILL); }
static void terminates(void) { CALL(kill, getpid(), SIGTERM); }
static void rt_terminates(void) { CALL(tgkill, getpid(), getpid(), 45); }

static void stops(void)
{
	CALL(kill, getpid(), SIGSTOP);
	CALL(exit_group, 5);
}

static void sys_denied(void)
{
	struct sock_filter_like { uint16_t code; uint8_t jt, jf; uint32_t k; } f[] = {
		{ 0x20, 0, 0, 0 }, { 0x15, 0, 1, SYS_getppid }, { 0x06, 0, 0, 0x00030007 }, { 0x06, 0, 0, 0x7fff0000 } };
	struct { uint16_t len; void *f; } prog = { 4, f };

	CALL(prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	CALL(seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog);
	CALL(getppid);
}

static void faults(void)
{
	int status, pid;

	section("faults");
	child_that(faults_map);
	child_that(faults_access);
	child_that(faults_general);
	child_that(illegal);
	child_that(divides);
	child_that(traps);
#if defined(__x86_64__)
	child_that(returns_nowhere);
	child_that(returns_null);
#endif
	int p[2];
	CALL(pipe2, p, 0);
	CALL(close, p[0]);
	unused_fd = p[1];
	child_that(pipes);
	CALL(close, p[1]);
	child_that(kills_itself);
	child_that(terminates);
	child_that(rt_terminates);
	child_that(sys_denied);
	section("stop");
	pid = raw_fork();
	if (!pid)
		stops();
	CALL(wait4, pid, &status, WUNTRACED, NULL);
	CALL(kill, pid, SIGCONT);
	CALL(wait4, pid, &status, WCONTINUED, NULL);
	CALL(wait4, pid, &status, 0, NULL);
}

int main(void)
{
	struct rlimit_like { uint64_t a, b; } no_core = { 0, 0 };

	CALL(prlimit64, 0, 4, &no_core, NULL);
	resident();
	bad = bad_page();
	actions();
	masks();
	kills();
	delivery();
	interrupted();
	interrupted_descriptors();
	restarted();
	timer_signal();
	altstack();
	faults();
	return 0;
}
