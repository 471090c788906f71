/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Processes, threads, their limits and what they ask of the kernel about themselves. */
#include "calls.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#if defined(__x86_64__)
#include <asm/prctl.h>
#endif

static void *bad;
static char stack[65536] __attribute__((aligned(16)));

static void in_child(int pid)
{
	if (!pid)
		syscall(SYS_exit_group, 7);
}

static void children(void)
{
	int status, pid;
	struct rusage ru;
	siginfo_t info;

	section("fork");
	pid = raw_fork();
	in_child(pid);
	CALL(wait4, pid, &status, 0, &ru);
	pid = vfork();
	if (!pid)
		_exit(1);
	CALL(wait4, -1, &status, WNOHANG | __WALL, NULL);
	pid = raw_fork();
	in_child(pid);
	CALL(waitid, P_PID, pid, &info, WEXITED | WNOWAIT, &ru);
	CALL(waitid, P_ALL, 0, &info, WEXITED, NULL);
	CALL(waitid, P_PGID, 0, &info, WEXITED | WNOHANG, NULL);
	CALL(waitid, P_PIDFD, -1, NULL, WSTOPPED | WCONTINUED, NULL);
	CALL(waitid, 77, 0, bad, 0x77, bad);
	CALL(wait4, pid, bad, 0, NULL);
	CALL(wait4, -1, NULL, 0, NULL);
	CALL(wait4, 0, NULL, __WCLONE, NULL);
	CALL(wait4, -77, NULL, 0x77, NULL);
	pid = raw_fork();
	if (!pid) {
		CALL(nanosleep, &(struct timespec){ 0, 30000000 }, NULL);
		syscall(SYS_exit_group, 0);
	}
	CALL(wait4, pid, &status, WNOHANG, &ru);
	CALL(wait4, pid, NULL, 0, NULL);
	pid = raw_fork();
	in_child(pid);
	CALL(wait4, pid, bad, 0, NULL);
	CALL(wait4, pid, &status, 0, bad);
	section("exec");
	pid = raw_fork();
	if (!pid) {
		char *argv[] = { "true", "with \"quotes\"", "and\ncontrol\1bytes\xff", NULL }, *env[] = { "A=1", "B=2", NULL };

		CALL(execve, "/does/not/exist", argv, env);
		CALL(execve, "/does/not/exist", NULL, NULL);
		CALL(execve, "/does/not/exist", bad, bad);
		CALL(execve, bad, argv, env);
		CALL(execve, NULL, argv, env);
		CALL(execveat, AT_FDCWD, "/does/not/exist", argv, env, AT_SYMLINK_NOFOLLOW);
		CALL(execveat, -1, "", argv, env, AT_EMPTY_PATH);
		CALL(execve, "/bin/true", argv, env);
	}
	CALL(wait4, pid, &status, 0, NULL);
}

static int thread(void *arg)
{
	(void)arg;
	CALL(gettid);
	CALL(exit, 0);
	return 0;
}

static void clones(void)
{
	int pid, status, ptid = 0, ctid = 0, fd = -1;

	section("clone");
	pid = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	in_child(pid);
	CALL(wait4, pid, &status, 0, NULL);
	pid = syscall(SYS_clone, SIGCHLD | CLONE_PARENT_SETTID | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID, NULL, &ptid, &ctid, NULL);
	in_child(pid);
	CALL(wait4, pid, &status, 0, NULL);
	pid = syscall(SYS_clone, SIGCHLD | CLONE_PIDFD, NULL, &fd, NULL, NULL);
	in_child(pid);
	CALL(wait4, pid, &status, 0, NULL);
	CALL(close, fd);
	pid = syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
	in_child(pid);
	CALL(wait4, pid, &status, __WALL, NULL);
	CALL(clone, CLONE_SIGHAND, NULL, NULL, NULL, NULL);
	CALL(clone, CLONE_THREAD | 0x80, bad, bad, bad, bad);
	CALL(clone, CLONE_NEWUSER | CLONE_FS | SIGUSR1, NULL, NULL, NULL, NULL);
	pid = clone(thread, stack + sizeof(stack), CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
		    CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID, NULL, &ptid, NULL, &ctid);
	CALL(nanosleep, &(struct timespec){ 0, 30000000 }, NULL);
}

static void clones3(void)
{
	int pid, status, ptid = 0, ctid = 0, fd = -1;
	struct clone_args a = { .exit_signal = SIGCHLD };

	section("clone3");
	pid = syscall(SYS_clone3, &a, sizeof(a));
	in_child(pid);
	CALL(wait4, pid, &status, 0, NULL);
	pid = syscall(SYS_clone3, &a, 64);
	in_child(pid);
	CALL(wait4, pid, &status, 0, NULL);
	a.flags = CLONE_PIDFD | CLONE_PARENT_SETTID | CLONE_CHILD_SETTID, a.pidfd = (uintptr_t)&fd;
	a.parent_tid = (uintptr_t)&ptid, a.child_tid = (uintptr_t)&ctid;
	pid = syscall(SYS_clone3, &a, sizeof(a));
	in_child(pid);
	CALL(wait4, pid, &status, 0, NULL);
	CALL(close, fd);
	int tids[2] = { 7, 8 };
	a = (struct clone_args){ .flags = CLONE_NEWPID | CLONE_CLEAR_SIGHAND | 0xff, .exit_signal = 99, .stack = 1, .stack_size = 0x1000,
				 .tls = 0x1234, .set_tid = (uintptr_t)tids, .set_tid_size = 2, .cgroup = 77 };
	CALL(clone3, &a, sizeof(a));
	a.flags |= CLONE_INTO_CGROUP | CLONE_SETTLS;
	CALL(clone3, &a, sizeof(a));
	CALL(clone3, &a, 63);
	CALL(clone3, &a, 8);
	CALL(clone3, bad, sizeof(a));
	CALL(clone3, NULL, sizeof(a));
	char big[128] = { 0 };
	CALL(clone3, tail(big, 128), 4096);
	big[100] = 1;
	CALL(clone3, big, 128);
}

static void registered(void)
{
	int status, ctid;

	section("registered");
	CALL(set_tid_address, &ctid);
	CALL(set_robust_list, bad, 24);
	CALL(set_robust_list, &status, 23);
	void *head;
	size_t len;
	CALL(get_robust_list, 0, &head, &len);
	CALL(get_robust_list, -1, &head, &len);
	CALL(rseq, bad, 32, 0, 0x1234);
	CALL(rseq, NULL, 0, 1, 0);
	CALL(rseq, NULL, 0, 77, 0);
}

static void futexes(void)
{
	uint32_t f = 1, g = 2;
	struct timespec ts = { 0, 1000000 };

	section("futex");
	CALL(futex, &f, FUTEX_WAIT, 0, NULL);
	CALL(futex, &f, FUTEX_WAIT_PRIVATE, 1, &ts);
	CALL(futex, &f, FUTEX_WAIT, 1, bad);
	CALL(futex, bad, FUTEX_WAIT, 1, &ts);
	CALL(futex, NULL, FUTEX_WAIT, 1, &ts);
	CALL(futex, &f, FUTEX_WAKE, 1);
	CALL(futex, &f, FUTEX_WAKE_PRIVATE, 0x7fffffff);
	CALL(futex, &f, FUTEX_FD, 1, NULL, NULL, 0);
	CALL(futex, &f, FUTEX_REQUEUE, 1, 2, &g);
	CALL(futex, &f, FUTEX_CMP_REQUEUE_PRIVATE, 1, 2, &g, 9);
	CALL(futex, &f, FUTEX_CMP_REQUEUE, 1, 2, &g, 1);
	CALL(futex, &f, FUTEX_WAKE_OP, 1, 1, &g, FUTEX_OP(FUTEX_OP_SET, 7, FUTEX_OP_CMP_EQ, 2));
	CALL(futex, &f, FUTEX_WAKE_OP_PRIVATE, 1, 1, &g, FUTEX_OP((FUTEX_OP_ADD | FUTEX_OP_OPARG_SHIFT), 1, FUTEX_OP_CMP_GE, 3));
	CALL(futex, &f, FUTEX_WAKE_OP, 1, 1, &g, 0xffffffff);
	CALL(futex, &f, FUTEX_WAIT_BITSET, 2, NULL, NULL, FUTEX_BITSET_MATCH_ANY);
	CALL(futex, &f, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 1, &ts, NULL, FUTEX_BITSET_MATCH_ANY);
	CALL(futex, &f, FUTEX_WAIT_BITSET, 1, &ts, NULL, 5);
	CALL(futex, &f, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 5);
	CALL(futex, &f, FUTEX_LOCK_PI, 0, &ts, NULL, 0);
	CALL(futex, &f, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0);
	CALL(futex, &f, FUTEX_TRYLOCK_PI, 0, NULL, NULL, 0);
	CALL(futex, &f, FUTEX_WAIT_REQUEUE_PI, 9, &ts, &g, 0);
	CALL(futex, &f, FUTEX_CMP_REQUEUE_PI, 1, 2, &g, 9);
	CALL(futex, &f, FUTEX_LOCK_PI2, 0, &ts, NULL, 0);
	CALL(futex, &f, 77, 1, 2, 3, 4);
	CALL(futex, &f, 0xff7f, 1, 2, 3, 4);
}

static void limits(void)
{
	struct rlimit l = { 100, 200 };
	struct rusage ru;

	section("limits");
	for (int i = 0; i < 17; i++)
		CALL(getrlimit, i, &l);
	l = (struct rlimit){ 1 << 20, 3 << 19 };
	CALL(setrlimit, RLIMIT_FSIZE, &l);
	l = (struct rlimit){ 2048, RLIM_INFINITY };
	CALL(prlimit64, 0, RLIMIT_FSIZE, &l, &l);
	CALL(prlimit64, getpid(), RLIMIT_CORE, NULL, &l);
	CALL(prlimit64, -1, RLIMIT_NOFILE, bad, bad);
	CALL(prlimit64, 0, RLIMIT_NOFILE, NULL, NULL);
	CALL(prlimit64, 0, 99, &l, NULL);
	l = (struct rlimit){ 200, 100 };
	CALL(setrlimit, RLIMIT_CORE, &l);
	CALL(setrlimit, RLIMIT_CORE, bad);
	CALL(getrlimit, RLIMIT_CORE, bad);
	CALL(getrlimit, RLIMIT_CORE, NULL);
	CALL(getrusage, RUSAGE_SELF, &ru);
	CALL(getrusage, RUSAGE_CHILDREN, &ru);
	CALL(getrusage, RUSAGE_THREAD, &ru);
	CALL(getrusage, 77, &ru);
	CALL(getrusage, RUSAGE_SELF, bad);
	section("scheduling");
	unsigned long mask[16] = { 1 };
	struct sched_param sp = { 0 };
	CALL(sched_getaffinity, 0, 128, mask);
	CALL(sched_getaffinity, getpid(), 8, mask);
	CALL(sched_getaffinity, 0, 1, mask);
	CALL(sched_getaffinity, 0, 128, bad);
	mask[0] = 1;
	CALL(sched_setaffinity, 0, 128, mask);
	mask[0] = (unsigned long)0x8000000000000005, mask[1] = 2;
	CALL(sched_setaffinity, -1, 16, mask);
	CALL(sched_setaffinity, -1, 0, mask);
	CALL(sched_setaffinity, -1, 3, mask);
	CALL(sched_setaffinity, 0, 8, bad);
	CALL(sched_setaffinity, 0, 8, NULL);
	mask[0] = 3;
	CALL(sched_setaffinity, 0, 8, mask);
	CALL(sched_yield);
	CALL(sched_getscheduler, 0);
	CALL(sched_setscheduler, 0, SCHED_BATCH, &sp);
	CALL(sched_getscheduler, 0);
	CALL(sched_getscheduler, -1);
	CALL(sched_getparam, 0, &sp);
	CALL(sched_setscheduler, 0, SCHED_OTHER, &sp);
	CALL(sched_setscheduler, 0, SCHED_BATCH | SCHED_RESET_ON_FORK, bad);
	CALL(sched_setparam, 0, &sp);
	CALL(sched_get_priority_max, SCHED_FIFO);
	CALL(sched_get_priority_min, 77);
	CALL(getpriority, PRIO_PROCESS, 0);
	CALL(setpriority, PRIO_PROCESS, 0, 0);
	CALL(getpriority, 77, 0);
	CALL(getcpu, NULL, NULL, NULL);
}

static void identities(void)
{
	uint32_t a, b, c, groups[40] = { 1, 2, 3 };

	section("identities");
	CALL(getpid);
	CALL(gettid);
	CALL(getppid);
	CALL(getuid);
	CALL(geteuid);
	CALL(getgid);
	CALL(getegid);
	CALL(getresuid, &a, &b, &c);
	CALL(getresgid, &a, &b, &c);
	CALL(getresuid, &a, bad, NULL);
	CALL(setuid, 0);
	CALL(setgid, 0);
	CALL(setreuid, -1, 0);
	CALL(setregid, 0, -1);
	CALL(setresuid, -1, -1, -1);
	CALL(setresgid, 0, 0, 0);
	CALL(setfsuid, 0);
	CALL(setfsgid, -1);
	CALL(setuid, -1);
	CALL(setgroups, 3, groups);
	CALL(getgroups, 0, NULL);
	CALL(getgroups, 40, groups);
	CALL(getgroups, 1, groups);
	CALL(getgroups, 40, bad);
	CALL(setgroups, 40, groups);
	CALL(setgroups, 2, bad);
	CALL(setgroups, 0, NULL);
	CALL(getgroups, 0, groups);
	CALL(getgroups, 0, bad);
	CALL(getpgid, 0);
	CALL(getpgrp);
	CALL(getsid, 0);
	CALL(getsid, -1);
	CALL(setpgid, 0, 0);
	CALL(setpgid, -1, 5);
	CALL(setsid);
	CALL(umask, 022);
	CALL(umask, 07777);
	CALL(capget, NULL, NULL);
}

static void filters(void)
{
	struct sock_filter_like { uint16_t code; uint8_t jt, jf; uint32_t k; } f[] = { { 0x06, 0, 0, 0x7fff0000 } };
	struct { uint16_t len; void *f; } prog = { 1, f };
	uint32_t action = 0x7fff0000;
	uint16_t sizes[3];

	section("seccomp");
	CALL(seccomp, SECCOMP_SET_MODE_STRICT, 1, NULL);
	CALL(seccomp, SECCOMP_SET_MODE_FILTER, 0x40, &prog);
	CALL(seccomp, SECCOMP_SET_MODE_FILTER, 0xffff, bad);
	CALL(seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_LOG, NULL);
	CALL(seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action);
	action = 0x1234;
	CALL(seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action);
	action = 0x50001;
	CALL(seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action);
	CALL(seccomp, SECCOMP_GET_ACTION_AVAIL, 0, bad);
	CALL(seccomp, SECCOMP_GET_NOTIF_SIZES, 0, sizes);
	CALL(seccomp, 77, 77, 77);
	CALL(prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	CALL(seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog);
	CALL(prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
	CALL(prctl, PR_GET_SECCOMP);
	f[0].k = 0x7fff0000;
	/* getppid: denied with EPERM from here on. */
	struct sock_filter_like deny[] = { { 0x20, 0, 0, 0 }, { 0x15, 0, 1, SYS_getpriority }, { 0x06, 0, 0, 0x00050001 },
					   { 0x06, 0, 0, 0x7fff0000 } };
	prog.len = 4, prog.f = deny;
	CALL(seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &prog);
	CALL(getpriority, PRIO_PGRP, 5);
}

static void prctls(void)
{
	section("prctl");
	for (int i = 1; i < 80; i++)
		/* Not those that other machines have (SVE, SME, MTE, RISC-V, PowerPC), nor those that harm. */
		if (i != 50 && i != 55 && i != 63 && i != 69 && i != 71 && i != 72 && i != 73 && i != PR_SET_SECCOMP && i != PR_SET_UNALIGN && i != PR_SET_TSC && i != PR_SET_NAME && i != PR_SET_DUMPABLE &&
		    i != PR_SET_PDEATHSIG && i != PR_TASK_PERF_EVENTS_DISABLE && i != PR_SET_SPECULATION_CTRL)
			CALL(prctl, i, bad, 0, 0, 0);
}

static void prctls_right(void)
{
	char name[17] = "actor \1\xff\"name", v[64];
	int i;

	section("prctl with the right arguments");
	CALL(prctl, PR_SET_NAME, name);
	CALL(prctl, PR_GET_NAME, v);
	CALL(prctl, PR_SET_NAME, bad);
	CALL(prctl, PR_SET_NAME, "a name that is far longer than sixteen bytes");
	CALL(prctl, PR_SET_NAME, "calls_process");
	CALL(prctl, PR_GET_NAME, bad);
	CALL(prctl, PR_SET_PDEATHSIG, SIGTERM);
	CALL(prctl, PR_GET_PDEATHSIG, &i);
	CALL(prctl, PR_SET_PDEATHSIG, 0);
	CALL(prctl, PR_SET_PDEATHSIG, 99);
	CALL(prctl, PR_GET_DUMPABLE);
	CALL(prctl, PR_SET_DUMPABLE, 1);
	CALL(prctl, PR_SET_DUMPABLE, 7);
	CALL(prctl, PR_GET_KEEPCAPS);
	CALL(prctl, PR_SET_KEEPCAPS, 0);
	CALL(prctl, PR_CAPBSET_READ, 0);
	CALL(prctl, PR_CAPBSET_READ, 21);
	CALL(prctl, PR_CAPBSET_READ, 99);
	CALL(prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, 3, 0, 0);
	CALL(prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	CALL(prctl, PR_CAP_AMBIENT, 77, 0, 0, 0);
	CALL(prctl, PR_GET_SECUREBITS);
	CALL(prctl, PR_SET_SECUREBITS, 0x2f);
	CALL(prctl, PR_GET_TSC, &i);
	CALL(prctl, PR_GET_UNALIGN, &i);
	CALL(prctl, PR_GET_TIMERSLACK);
	CALL(prctl, PR_SET_TIMERSLACK, 50000);
	CALL(prctl, PR_SET_CHILD_SUBREAPER, 0);
	CALL(prctl, PR_GET_CHILD_SUBREAPER, &i);
	CALL(prctl, PR_SET_PTRACER, -1);
	CALL(prctl, PR_SET_PTRACER, 12);
	CALL(prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
	CALL(prctl, PR_GET_THP_DISABLE, 0, 0, 0, 0);
	CALL(prctl, PR_SET_THP_DISABLE, 0, 0, 0, 0);
	CALL(prctl, PR_GET_TID_ADDRESS, &v);
	CALL(prctl, PR_SET_MM, PR_SET_MM_BRK, 0x1234, 0, 0);
	CALL(prctl, PR_SET_MM, 77, 0, 0, 0);
	CALL(prctl, PR_MCE_KILL, PR_MCE_KILL_SET, PR_MCE_KILL_EARLY, 0, 0);
	CALL(prctl, PR_MCE_KILL, PR_MCE_KILL_CLEAR, 0, 0, 0);
	CALL(prctl, PR_MCE_KILL_GET, 0, 0, 0, 0);
	CALL(prctl, PR_GET_SPECULATION_CTRL, 0, 0, 0, 0);
	CALL(prctl, PR_GET_SPECULATION_CTRL, 1, 0, 0, 0);
	CALL(prctl, PR_SET_SPECULATION_CTRL, 77, 77, 0, 0);
	CALL(prctl, 0x53564d41, 0, bad, 4096, "name");
	char *area = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CALL(prctl, 0x53564d41, 0, area, 4096, "name");
	CALL(prctl, 0x53564d41, 0, area, 4096, NULL);
	CALL(prctl, 9999, 1, 2, 3, 4);
	CALL(prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, bad);
	CALL(prctl, PR_SET_SECCOMP, 77, bad);
}

static void arch_prctls(void)
{
#if defined(__x86_64__)
	unsigned long base;

	section("arch_prctl");
	CALL(arch_prctl, ARCH_GET_FS, &base);
	CALL(arch_prctl, ARCH_GET_GS, &base);
	CALL(arch_prctl, ARCH_SET_GS, 0);
	CALL(arch_prctl, ARCH_GET_FS, bad);
	CALL(arch_prctl, 0x1011);
	CALL(arch_prctl, 0x1012, 1);
	CALL(arch_prctl, 0x3001, &base);
	CALL(arch_prctl, 0x5001, 1);
	CALL(arch_prctl, 0x5005, &base);
	CALL(arch_prctl, 0x9999, 1);
#endif
}

int main(void)
{
	resident();
	bad = bad_page();
	children();
	clones();
	clones3();
	registered();
	futexes();
	limits();
	identities();
	prctls();
	prctls_right();
	arch_prctls();
	filters();
	return 0;
}
