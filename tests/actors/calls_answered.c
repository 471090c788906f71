/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Every system call that there is, none of which the kernel runs: a thread
 * answers for it (SECCOMP_RET_USER_NOTIF), with results that no call would
 * give. What a tracer shows of a result then comes from the call's number alone.
 */
#include "calls.h"
#include "parts/int80.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

#define LAST 472        /* Linux 7.2's last number is 471 */
#define MARK 0x5eccu    /* the sixth argument of a call that is to be answered */

/* What the thread answers, from where it takes the questions, and whether the next one is its last. */
static volatile long long answer;
static int listener;
static volatile int last;

static void *answers(void *unused)
{
	static struct seccomp_notif question;
	static struct seccomp_notif_resp reply;

	/* Who asks waits, and changes nothing, until the answer is sent. */
	for (int stop = 0; !stop;) {
		memset(&question, 0, sizeof(question));
		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &question))
			continue;
		memset(&reply, 0, sizeof(reply));
		reply.id = question.id;
		reply.val = answer;
		stop = last;
		ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply);
	}
	return unused;
}

/* Whatever has the mark is answered; it is the lower half of a little-endian word. */
static int listen_to_marked(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[5])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MARK, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(code[0]), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		abort();
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &prog);
}

/* Those of which tracers expect more than a result. */
static int left_out(long nr)
{
#ifdef __x86_64__
	if (nr == 335 || nr == 336)
		return 1;
#elif defined(__i386__)
	if (nr == SYS_sigreturn)
		return 1;
#endif
	return nr == SYS_exit || nr == SYS_exit_group || nr == SYS_rt_sigreturn || nr == SYS_execve || nr == SYS_execveat;
}

/* As section(), with all six arguments: the mark is still in the register of the last. */
static void headline(const char *name)
{
	char line[64];

	CALL(write, -1, line, snprintf(line, sizeof(line), "== %s", name), 0, 0, 0);
}

static void all(const char *name, long long value)
{
	headline(name);
	answer = value;
	for (long nr = 0; nr < LAST; nr++) {
		if (!left_out(nr) && syscall(nr, 0, 0, 0, 0, 0, MARK) != value)
			abort();
	}
}

#ifdef __x86_64__
static int left_out_32(long nr)
{
	return nr == 1 || nr == 252 || nr == 119 || nr == 173 || nr == 11 || nr == 358;
}

static void all_32(const char *name, int value)
{
	static const uint32_t args[6] = { 0, 0, 0, 0, 0, MARK };

	headline(name);
	answer = value;
	/* What restart_syscall says was interrupted; of which ABI that was is not kept. */
	call32(20, args);
	for (long nr = 0; nr < LAST; nr++) {
		if (!left_out_32(nr) && (int)call32(nr, args) != value)
			abort();
	}
}

/* clone(2) with a segment for the new thread, which is told of a call that succeeds alone. */
static void segment_32(void)
{
	static const uint32_t segment[4] = { 12, 0xf7fd4b40, 0xfffff, 0x51 };
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	if (p == MAP_FAILED)
		abort();
	memcpy(p, segment, sizeof(segment));
	headline("clone, i386");
	answer = 0x1234;
	call32(120, (uint32_t[6]){ CLONE_SETTLS, 0, 0, (uint32_t)(uintptr_t)p, 0, MARK });
	call32(120, (uint32_t[6]){ CLONE_SETTLS, 0, 0, 16, 0, MARK });
	call32(120, (uint32_t[6]){ CLONE_SETTLS, 0, 0, 0, 0, MARK });
}
#endif

int main(void)
{
	pthread_t thread;

	resident();
	listener = listen_to_marked();
	if (listener < 0 || pthread_create(&thread, NULL, answers, NULL))
		abort();
	all("a number", 0x1234);
	all("zero", 0);
#ifdef __x86_64__
	all_32("a number, i386", 0x1234);
	all_32("zero, i386", 0);
	segment_32();
#endif
	/* It is gone when this process ends, and no call of its own is cut off. */
	last = 1;
	syscall(SYS_getppid, 0, 0, 0, 0, 0, MARK);
	while (pthread_tryjoin_np(thread, NULL) == EBUSY)
		;
	CALL(exit_group, 0, 0, 0, 0, 0, 0);
}
