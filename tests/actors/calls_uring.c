/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* io_uring: making rings, entering them, registering what they use. */
#include "calls.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/uio.h>

#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425
#define SYS_io_uring_enter 426
#define SYS_io_uring_register 427
#endif

static void *bad;

struct offsets { uint32_t v[8]; uint64_t addr; };
struct params {
	uint32_t sq, cq, flags, cpu, idle, features, wq, resv[3];
	struct offsets sqo, cqo;
};

static int rings(void)
{
	struct params p = { 0 };
	int fd;

	section("io_uring_setup");
	CALL(close, syscall(SYS_io_uring_setup, 4, &p));
	p = (struct params){ .flags = 0x8 | 0x10, .cq = 32 };
	CALL(close, syscall(SYS_io_uring_setup, 8, &p));
	p = (struct params){ .flags = 0x2 | 0x4, .cpu = 0, .idle = 100 };
	CALL(close, syscall(SYS_io_uring_setup, 8, &p));
	p = (struct params){ .flags = 0x20, .wq = 77 };
	CALL(io_uring_setup, 8, &p);
	p = (struct params){ .flags = ~0u, .cpu = 3, .idle = 4, .wq = 5, .resv = { 1, 2, 3 } };
	CALL(io_uring_setup, 8, &p);
	p = (struct params){ .resv = { 0, 2, 0 } };
	CALL(io_uring_setup, 8, &p);
	CALL(io_uring_setup, 0, bad);
	CALL(io_uring_setup, -1, NULL);
	CALL(io_uring_setup, 1, tail(&p, 40));
	p = (struct params){ .flags = 0x1000 | 0x2000 | 0x40 };
	fd = syscall(SYS_io_uring_setup, 8, &p);
	CALL(close, fd);
	p = (struct params){ .flags = 0x40 };
	return syscall(SYS_io_uring_setup, 8, &p);
}

struct ext { uint64_t sigmask; uint32_t size, wait; uint64_t ts; };

static void enters(int fd)
{
	int64_t ts[2] = { 0, 1000 };
	uint64_t set = 0x4002;
	struct ext e = { (uintptr_t)&set, 8, 0, (uintptr_t)ts };

	section("io_uring_enter");
	CALL(io_uring_enter, fd, 0, 0, 0, NULL, 0);
	CALL(io_uring_enter, fd, 1, 0, 0x1, &set, 8);
	CALL(io_uring_enter, fd, 0, 0, 0x1, &set, 16);
	CALL(io_uring_enter, fd, 0, 0, 0x2 | 0x4, bad, 8);
	CALL(io_uring_enter, -1, 7, 8, 0xffffffff, bad, 8);
	CALL(io_uring_enter, fd, 0, 0, 0x9, &e, sizeof(e));
	e.wait = 5;
	CALL(io_uring_enter, fd, 0, 0, 0x9, &e, sizeof(e));
	e = (struct ext){ (uintptr_t)bad, 8, 0, (uintptr_t)bad };
	CALL(io_uring_enter, fd, 0, 0, 0x9, &e, sizeof(e));
	e = (struct ext){ 0, 0, 0, 0 };
	CALL(io_uring_enter, fd, 0, 0, 0x9, &e, sizeof(e));
	CALL(io_uring_enter, fd, 0, 0, 0x9, &e, 16);
	CALL(io_uring_enter, fd, 0, 0, 0x8, bad, sizeof(e));
	CALL(io_uring_enter, fd, 0, 0, 0x8, NULL, 24);
	CALL(io_uring_enter, 0, 0, 0, 0x10, NULL, 0);
	CALL(io_uring_enter, fd, 0, 0, 0x48, 64, 64);
	CALL(io_uring_enter, fd, 0, 0, 0x40, &set, 8);
}

#define REG(op, arg, n) CALL(io_uring_register, fd, op, arg, n)

/* Whatever the command: nothing, nowhere, too much. */
static void every(int fd)
{
	static uint64_t words[512];

	section("io_uring_register");
	for (int i = 0; i < 512; i++)
		words[i] = 0x100000000 * (2 * i + 1) + 2 * i;
	for (unsigned op = 0; op < 40; op++) {
		REG(op, NULL, 0);
		REG(op, bad, 1);
		if (op == 12)
			continue;
		CALL(io_uring_register, -1, op, words, 2);
		CALL(io_uring_register, -1, op, words, 1);
	}
	CALL(io_uring_register, 0, 0x80000000 | 8, words, 1);
	CALL(io_uring_register, 7, 0x80000000 | 77, words, 1);
	CALL(io_uring_register, -1, 17, NULL, 0);
}

struct update { uint32_t offset, resv; uint64_t data; };
struct restriction { uint16_t opcode; uint8_t arg, resv; uint32_t resv2[3]; };
struct rsrc { uint32_t nr, flags; uint64_t resv, data, tags; };
struct update2 { uint32_t offset, resv; uint64_t data, tags; uint32_t nr, resv2; };

static void resources(int fd)
{
	static char b[8192] __attribute__((aligned(4096)));
	struct iovec v[3] = { { b, 4096 }, { b + 4096, 100 }, { NULL, 0 } };
	int fds[4] = { 0, -1, fd, -1 }, skip[2] = { -2, 0 }, efd = eventfd(0, 0);
	uint64_t tags[4] = { 1, 2, 3, 4 };
	struct update u = { 1, 0, (uintptr_t)skip };
	struct rsrc r = { 4, 1, 0, 0, 0 };
	struct update2 u2 = { 1, 0, (uintptr_t)skip, (uintptr_t)tags, 2, 0 };

	section("io_uring resources");
	REG(0, v, 2);
	REG(1, NULL, 0);
	REG(0, bad, 2);
	REG(0, tail(v, 16), 2);
	fds[2] = 1;
	REG(2, fds, 4);
	REG(6, &u, 2);
	u = (struct update){ 7, 5, (uintptr_t)bad };
	REG(6, &u, 1);
	u.data = 0;
	REG(6, &u, 100);
	REG(3, NULL, 0);
	REG(4, &efd, 1);
	REG(5, NULL, 0);
	REG(7, &efd, 1);
	REG(5, bad, 7);
	REG(13, &r, sizeof(r));
	r = (struct rsrc){ 2, 0, 0, (uintptr_t)fds, (uintptr_t)tags };
	REG(13, &r, sizeof(r));
	r = (struct rsrc){ 2, 0xff, 9, (uintptr_t)bad, (uintptr_t)bad };
	REG(13, &r, sizeof(r));
	REG(14, &u2, sizeof(u2));
	u2.resv = 5, u2.resv2 = 6;
	REG(14, &u2, sizeof(u2));
	REG(3, NULL, 0);
	r = (struct rsrc){ 2, 0, 0, (uintptr_t)v, (uintptr_t)tags };
	REG(15, &r, sizeof(r));
	u2 = (struct update2){ 0, 0, (uintptr_t)v, 0, 1, 0 };
	REG(16, &u2, sizeof(u2));
	REG(16, &u2, 8);
	REG(1, NULL, 0);
	close(efd);
}

static void queries(int fd)
{
	struct { uint8_t last, n; uint16_t resv; uint32_t resv2[3]; struct { uint8_t op, resv; uint16_t flags; uint32_t resv2; } ops[70]; } probe = { 0 };
	struct restriction x[5] = { { 0, 1, 0, { 0 } }, { 1, 22, 0, { 0 } }, { 2, 0x7, 0, { 0 } }, { 3, 0xff, 5, { 1, 2, 3 } }, { 77, 77, 0, { 0 } } };
	uint32_t workers[2] = { 0, 0 }, napi[4] = { 0 };
	struct update ring[2] = { { -1u, 0, 0 }, { 3, 9, 77 } };
	struct { uint64_t addr; uint32_t entries; uint16_t group, flags; uint64_t resv[3]; } pbuf = { 0, 8, 1, 1, { 0 } };
	struct { uint64_t addr; int32_t fd; uint32_t flags; int64_t ts[2]; uint8_t opcode, pad[7]; uint64_t pad2[3]; } cancel = { 0x55, 1, 2, { -1, -1 }, 0, { 0 }, { 0 } };
	struct { uint32_t off, len; uint64_t resv; } range = { 0, 1, 0 };
	struct { uint32_t group, head, resv[8]; } status = { 1, 0, { 0 } };
	struct { uint32_t clock, resv[3]; } clock = { 7, { 0 } };
	cpu_set_t cpus;

	section("io_uring queries");
	REG(8, &probe, 3);
	memset(&probe, 0, sizeof(probe));
	REG(8, &probe, 70);
	probe.last = 1;
	REG(8, &probe, 5);
	REG(9, NULL, 0);
	REG(10, NULL, 1);
	REG(11, x, 5);
	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	REG(17, &cpus, sizeof(cpus));
	REG(18, NULL, 0);
	REG(19, workers, 2);
	workers[0] = 5;
	REG(19, workers, 2);
	REG(20, ring, 1);
	REG(20, ring, 2);
	REG(21, ring, 1);
	REG(22, &pbuf, 1);
	REG(26, &status, 1);
	REG(23, &pbuf, 1);
	pbuf.flags = 0xff, pbuf.resv[1] = 5;
	REG(22, &pbuf, 1);
	REG(24, &cancel, 1);
	cancel.flags = 0xff, cancel.ts[0] = 1, cancel.opcode = 3, cancel.pad[1] = 7, cancel.pad2[2] = 1;
	REG(24, &cancel, 1);
	REG(25, &range, 0);
	range.resv = 3;
	REG(25, &range, 0);
	REG(27, napi, 1);
	REG(28, napi, 1);
	napi[0] = 5, napi[1] = 0x01020101, napi[2] = 9;
	REG(27, napi, 1);
	REG(29, &clock, 0);
	clock.clock = 77, clock.resv[1] = 5;
	REG(29, &clock, 0);
}

/* Submission queue entries, where a call has one in its arguments. */
static void entries(void)
{
	unsigned char s[128];

	section("io_uring entries");
	for (unsigned op = 0; op < 67; op++) {
		memset(s, 0, sizeof(s));
		s[0] = op, s[1] = 3, s[2] = 2, s[4] = 7, s[8] = 8, s[16] = 9, s[24] = 10, s[32] = 11, s[40] = 12, s[42] = 13;
		s[44] = 14, s[48] = 15, s[64] = 5, s[65] = 17, s[127] = 17;
		memset(s + 28, 0xff, 4);
		CALL(io_uring_register, -1, 31, s, 1);
		s[56] = 16, s[3] = 0xff;
		CALL(io_uring_register, -1, 31, s, 1);
		s[56] = 1;
		CALL(io_uring_register, -1, 31, s, 2);
	}
	CALL(io_uring_register, -1, 31, tail(s, 64), 1);
}

struct query { uint64_t next, data; uint32_t op, size; int32_t result; uint32_t resv[3]; };

static void questions(void)
{
	uint64_t data[8] = { 0 };
	struct query q = { 0, (uintptr_t)data, 0, sizeof(data), 0, { 0 } };

	section("io_uring questions");
	for (unsigned op = 0; op < 5; op++) {
		q = (struct query){ 0, (uintptr_t)data, op, sizeof(data), 0, { 0 } };
		CALL(io_uring_register, -1, 35, &q, 0);
		q.resv[1] = 5;
		CALL(io_uring_register, -1, 35, &q, 0);
	}
	q = (struct query){ (uintptr_t)bad, (uintptr_t)bad, 0, 64, -3, { 0 } };
	CALL(io_uring_register, -1, 35, &q, 0);
	CALL(io_uring_register, -1, 35, bad, 0);
	CALL(io_uring_register, -1, 35, &q, 1);
	uint32_t ctrl[18] = { 3, 0, 0, 0, 5, 6, 7, 8 };
	for (unsigned op = 0; op < 4; op++) {
		ctrl[1] = op;
		CALL(io_uring_register, -1, 36, ctrl, 1);
	}
	memset(ctrl, 0, sizeof(ctrl));
	CALL(io_uring_register, -1, 36, ctrl, 1);
	CALL(io_uring_register, -1, 19, data, 40);
	CALL(io_uring_register, -1, 19, tail(data, 8), 3);
	CALL(io_uring_register, -1, 17, data, 9);
	int fds[3] = { -2, -1, 0 };
	CALL(io_uring_register, -1, 2, fds, 3);
	CALL(io_uring_register, -1, 2, tail(fds, 8), 3);
	CALL(io_uring_register, -1, 4, fds, 2);
}

int main(void)
{
	int fd;

	resident();
	bad = bad_page();
	fd = rings();
	enters(fd);
	every(fd);
	resources(fd);
	queries(fd);
	entries();
	questions();
	CALL(io_uring_register, fd, 12, NULL, 0);
	enters(fd);
	CALL(close, fd);
	return 0;
}
