/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * ptrace(2), every request, of a process that is not there: what is passed is
 * shown. What is read cannot be had here, since strace traces all that there is.
 */
#include "calls.h"

#include <signal.h>
#include <sys/uio.h>

static void *bad;
static uint64_t data[64] = { 0x1122, 2, 3 };

static const int requests[] = {
	1, 2, 3, 4, 5, 6, 7, 8, 9, 0xc, 0xd, 0x10, 0x11, 0x12, 0x13, 0x15, 0x18, 0x19, 0x1a, 0x1e, 0x1f, 0x20, 0x21,
	0x4200, 0x4201, 0x4202, 0x4203, 0x4204, 0x4205, 0x4206, 0x4207, 0x4208, 0x4209, 0x420a, 0x420b, 0x420c, 0x420d, 0x420e, 0x420f,
	0x4210, 0x4211, 0x4212, 0x4213, 77, -1,
};

static void all(void)
{
	section("requests");
	for (unsigned i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		CALL(ptrace, requests[i], -1, 8, 5);
		CALL(ptrace, requests[i], -1, 0, data);
		CALL(ptrace, requests[i], -1, NULL, NULL);
		CALL(ptrace, requests[i], -1, bad, bad);
	}
	CALL(ptrace, -1L, -1, -1L, -1L);
	for (int signo = 0; signo < 100; signo += 9)
		CALL(ptrace, 7, -1, 1, signo);
}

static void structures(void)
{
	struct iovec io = { data, 64 }, all_of_it = { data, 512 };
	struct { uint64_t off; uint32_t flags, nr; } peek = { 5, 1, 2 };
	uint64_t mask = 1 << 9, info[11] = { 1, 2, 3, 39, 4, 5, 6, 7, 8, 9, 10 };

	section("structures");
	for (int kind = 0; kind < 0x700; kind += 3)
		CALL(ptrace, 0x4204, -1, kind, &io);
	CALL(ptrace, 0x4205, -1, 1, &io);
	CALL(ptrace, 0x4205, -1, 1, &all_of_it);
	io.iov_base = bad;
	CALL(ptrace, 0x4205, -1, 1, &io);
	CALL(ptrace, 0x4205, -1, 1, tail(&io, 8));
	CALL(ptrace, 0x4200, -1, 0, 0x3000ff);
	CALL(ptrace, 0x4206, -1, 0, 0x3001ff);
	CALL(ptrace, 0x4209, -1, &peek, data);
	peek.flags = 0x71;
	CALL(ptrace, 0x4209, -1, &peek, bad);
	CALL(ptrace, 0x420b, -1, 8, &mask);
	CALL(ptrace, 0x420b, -1, 7, &mask);
	CALL(ptrace, 0x420b, -1, 80, &mask);
	CALL(ptrace, 0x420d, -1, 8, &mask);
	CALL(ptrace, 0x420d, -1, 7, &mask);
	for (int op = 0; op < 5; op++) {
		info[0] = op | 0xc000003eull << 32;
		for (int size = 0; size <= 88; size += 8)
			CALL(ptrace, 0x4212, -1, size, info);
	}
	CALL(ptrace, 0x4212, -1, 88, tail(info, 80));
	CALL(ptrace, 0x4203, -1, 0, &(siginfo_t){ .si_signo = SIGUSR1, .si_code = SI_QUEUE });
}

static void places(void)
{
	section("struct user");
	for (long off = 0; off < 0x3b0; off += 12)
		CALL(ptrace, 3, -1, off, 0);
	CALL(ptrace, 6, -1, 912, 7);
	CALL(ptrace, 6, -1, 0x1001, 7);
}

int main(void)
{
	resident();
	bad = bad_page();
	all();
	structures();
	places();
	return 0;
}
