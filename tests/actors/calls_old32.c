/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The oldest calls of the 32-bit ABI (int 0x80): each number of socketcall(2)
 * and ipc(2), signals with sets of one word, the first select(2), and clone(2)
 * with a segment. None of them is run by the kernel: see calls_denied32.c.
 */
#include "calls.h"
#include "parts/int80.h"

#if defined(__x86_64__)
#include <sched.h>

enum { NR_SIGNAL = 48, NR_SIGACTION = 67, NR_SSETMASK = 69, NR_SIGSUSPEND = 72, NR_SIGPENDING = 73, NR_SELECT = 82, NR_READDIR = 89,
       NR_SOCKETCALL = 102, NR_IPC = 117, NR_CLONE = 120, NR_SIGPROCMASK = 126, NR_CLONE3 = 435 };
#define SEMCTL 3
#define BAD 16u         /* nothing is mapped there */

static uint32_t *words;
static uint32_t at;     /* of words */

#define OLD(nr, ...) ((void)call32(NR_##nr, (uint32_t[6]){ __VA_ARGS__ }))

static void number_words(uint32_t first)
{
	for (uint32_t i = 0; i < 16; i++)
		words[i] = first + i;
}

static void socketcalls(void)
{
	section("socketcall");
	for (uint32_t call = 0; call < 24; call++) {
		OLD(SOCKETCALL, call, 0, 1, 2, 3, 4);
		OLD(SOCKETCALL, call, BAD, 1, 2, 3, 4);
		OLD(SOCKETCALL, call, at, 1, 2, 3, 4);
	}
	OLD(SOCKETCALL, -1u, at, 1, 2, 3, 4);
	OLD(SOCKETCALL, 1u << 16 | 1, at, 1, 2, 3, 4);
}

static void ipcs(void)
{
	static const uint32_t versions[] = { 0, 1, 2, 0xffff };

	section("ipc");
	for (unsigned v = 0; v < 4; v++) {
		for (uint32_t call = 0; call < 28; call++) {
			uint32_t number = versions[v] << 16 | call;

			OLD(IPC, number, 1, 2, 3, 0, 5);
			OLD(IPC, number, 1, 2, 3, BAD, 5);
			/* strace 7.2 tells the version in place of what the pointer leads to. */
			if (call != SEMCTL || !v)
				OLD(IPC, number, 1, 2, 3, at, 5);
		}
	}
}

static void action(uint32_t handler, uint32_t mask, uint32_t flags, uint32_t restorer)
{
	words[0] = handler;
	words[1] = mask;
	words[2] = flags;
	words[3] = restorer;
	OLD(SIGACTION, 1, at, at);
}

static void signals(void)
{
	static const uint32_t masks[] = { 0, 1, 0x7fffffff, 0xff00ff00, 0x80000000, 0xffff, 0x1ffff, -1u };

	section("signal");
	for (uint32_t i = 0; i < 4; i++) {
		OLD(SIGNAL, i, i);
		OLD(SIGNAL, -1u, -1u - i);
	}
	section("sigaction");
	OLD(SIGACTION, 0, 0, 0);
	OLD(SIGACTION, 1, BAD, BAD);
	action(0, 0, 0, 0);
	action(1, 2, 3, 4);
	action(2, 0xffff00ff, 0x04000000, 5);
	action(-1u, -1u, -1u, -1u);
	section("sets");
	for (unsigned i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
		OLD(SSETMASK, masks[i]);
		OLD(SIGSUSPEND, masks[i], 1, masks[i]);
		words[0] = masks[i];
		OLD(SIGPROCMASK, i, at, at);
		OLD(SIGPENDING, at);
	}
	OLD(SIGPROCMASK, 0, BAD, BAD);
	OLD(SIGPROCMASK, 1, 0, 0);
	OLD(SIGPENDING, 0);
}

static void selects(void)
{
	uint32_t args[] = { 9, at + 1024, at + 1032, at + 1040, at + 1048 };

	section("select, readdir");
	OLD(SELECT, 0);
	OLD(SELECT, BAD);
	words[256] = 7;
	words[258] = 8;
	memcpy(words, args, sizeof(args));
	OLD(SELECT, at);
	words[1] = BAD;
	words[4] = 0;
	OLD(SELECT, at);
	OLD(READDIR, 1, at, 0);
	OLD(READDIR, 1, at, 1);
}

/* What is to be the thread's own segment. */
static void clones(void)
{
	static const uint32_t segments[][4] = { { 12, 0xf7fd4b40, 0xfffff, 0x51 }, { -1u, 0, 0, 0x7f }, { 6, 0x12, 0xffffffff, 0xff } };

	section("clone");
	for (unsigned i = 0; i < 3; i++) {
		memcpy(words, segments[i], sizeof(segments[i]));
		OLD(CLONE, CLONE_VM | CLONE_SETTLS, BAD, 0, at, 0);
		OLD(CLONE, CLONE_VM, BAD, 0, at, 0);
		memset(words + 64, 0, 64);
		words[64] = CLONE_SETTLS;
		words[64 + 14] = at;
		OLD(CLONE3, at + 256, 64);
	}
	OLD(CLONE, CLONE_SETTLS, 0, 0, BAD, 0);
	OLD(CLONE, CLONE_SETTLS, 0, 0, 0, 0);
	words[64 + 14] = BAD;
	OLD(CLONE3, at + 256, 64);
}

int main(void)
{
	words = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	if (words == MAP_FAILED)
		abort();
	at = (uint32_t)(uintptr_t)words;
	resident();
	deny_32();
	number_words(0);
	socketcalls();
	ipcs();
	number_words(0x77);
	ipcs();
	signals();
	selects();
	clones();
	_exit(0);
}
#else
int main(void)
{
	return 0;
}
#endif
