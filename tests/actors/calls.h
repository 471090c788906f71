/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TESTS_CALLS_H
#define CTRACE_TESTS_CALLS_H
/*
 * For the actors of the strace oracle: raw calls, marks in the trace, and
 * memory whose end, or all of it, is not there. What they do is the same in
 * every run but for pids and addresses; all their memory is resident, since a
 * tracer that does not stop its target cannot fault pages in.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "numbers.h"

#ifdef __i386__
#include "multiplexed.h"
#endif

/* fork(2) as the ABI has it; arm64 has clone alone (17 is SIGCHLD). */
static inline int raw_fork(void)
{
	return (int)(SYS_fork != -1 ? syscall(SYS_fork) : syscall(SYS_clone, 17, 0, 0, 0, 0));
}

/* Until a signal; for want of pause(2), a call without results, so that it is told whole if it is its last. */
static inline void raw_pause(void)
{
	uint64_t none = 0;

	if (SYS_pause != -1)
		(void)!syscall(SYS_pause);
	else
		(void)!syscall(SYS_rt_sigsuspend, &none, sizeof(none));
}

/* A call with exactly these arguments; its result, as the kernel gives it, is the trace's matter. */
#define CALL(nr, ...) ((void)!syscall(SYS_##nr, ##__VA_ARGS__))

/* A line in the trace that says what follows: write(-1, "== name", ...). */
static inline void section(const char *name)
{
	char line[64] = "== ";

	strncat(line, name, sizeof(line) - 4);
	(void)!write(-1, line, strlen(line));
}

/* A page that is not there. */
static inline void *bad_page(void)
{
	return mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* size bytes, copied from data unless it is NULL, that end where memory ends. */
static inline void *tail(const void *data, size_t size)
{
	size_t room = (size + 4095) / 4096 * 4096;
	char *p = mmap(NULL, room + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || mprotect(p + room, 4096, PROT_NONE))
		abort();
	memset(p, 0, room);
	p += room - size;
	if (data)
		memcpy(p, data, size);
	return p;
}

static inline void resident(void)
{
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		abort();
}
#endif
