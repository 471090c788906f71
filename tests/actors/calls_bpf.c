/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bpf(2): every command, with attributes of all sizes; what it makes ends with it. */
#include "calls.h"

#include <fcntl.h>
#include <linux/bpf.h>

#define CMDS 39                 /* BPF_PROG_ASSOC_STRUCT_OPS is the last that strace 7.2 knows */

static void *bad;
static unsigned a[2048];        /* union bpf_attr, in words */

static void clear(void)
{
	memset(a, 0, sizeof(a));
}

static void pointer(unsigned word, const void *p)
{
	uint64_t v = (uintptr_t)p;

	memcpy(&a[word], &v, sizeof(v));
}

static void sizes(void)
{
	section("sizes");
	for (int cmd = 0; cmd < CMDS + 1; cmd++) {
		clear();
		CALL(bpf, cmd, a, 0);
		for (int size = 2; size <= 168; size += 22)
			CALL(bpf, cmd, a, size);
	}
	section("values");
	for (int cmd = 0; cmd < CMDS; cmd++) {
		for (unsigned i = 0; i < 64; i++)
			a[i] = 0x10000 + i;
		CALL(bpf, cmd, a, 160);
		CALL(bpf, cmd, a, 22);
	}
	section("bad ones");
	clear();
	CALL(bpf, 22, a, 4096);
	CALL(bpf, 22, a, 4097);
	CALL(bpf, 22, a, -1);
	a[1023] = 1;
	CALL(bpf, 22, a, 4096);
	CALL(bpf, 3, tail(a, 16), 16);
	CALL(bpf, 3, tail(a, 16), 32);
	CALL(bpf, 3, bad, 16);
	CALL(bpf, 3, NULL, 16);
	CALL(bpf, 77, a, 16);
}

static void flags(void)
{
	section("flags");
	for (unsigned bit = 0; bit < 32; bit += 3) {
		clear();
		a[3] = a[4] = a[8] = a[11] = 1u << bit;
		CALL(bpf, 0, a, 20);
		CALL(bpf, 5, a, 48);
		CALL(bpf, 6, a, 16);
		CALL(bpf, 8, a, 16);
		CALL(bpf, 18, a, 36);
		a[2] = a[6] = a[10] = a[16] = 1u << bit;
		CALL(bpf, 1, a, 32);
		CALL(bpf, 2, a, 32);
		CALL(bpf, 10, a, 80);
		CALL(bpf, 14, a, 12);
		CALL(bpf, 16, a, 64);
		CALL(bpf, 24, a, 56);
		CALL(bpf, 26, a, 56);
		CALL(bpf, 29, a, 16);
	}
	clear();
	a[4] = 0x0fffffff, a[6] = 3, a[11] = 1;
	CALL(bpf, 0, a, 96);
	a[4] = 0x80000000, a[11] = 0;
	CALL(bpf, 0, a, 96);
	a[4] = 0, a[7] = 0x30313233, a[8] = 0x6162630a, a[9] = a[10] = 0x41424344;
	CALL(bpf, 0, a, 44);
}

static void programs(void)
{
	static const struct bpf_insn zoo[] = {
		{ 0xb7, 0, 0, 0, 0x12345 }, { 0xb7, 1, 2, -3, -4 }, { 0x18, 1, 1, 0, 7 }, { 0, 0, 0, 0, 0 }, { 0x85, 0, 0, 0, 5 },
		{ 0x61, 1, 2, 4, 0 }, { 0x7b, 10, 1, -8, 0 }, { 0x62, 1, 0, 5, 6 }, { 0x15, 1, 0, 3, 9 }, { 0xdb, 1, 2, 8, 1 },
		{ 0xd4, 1, 0, 0, 16 }, { 0xbf, 12, 13, 0, 0 }, { 0x06, 1, 0, 0, 0 }, { 0x26, 1, 0, 3, 9 }, { 0xe5, 1, 0, 3, 9 },
		{ 0xf5, 0, 0, 0, 1 }, { 0xc7, 1, 0, 0, 2 }, { 0x81, 1, 2, 0, 0 }, { 0xff, 15, 15, 1, 1 }, { 0xa0, 0, 0, 0, 0 },
		{ 0xe4, 1, 0, 0, 16 }, { 0x48, 0, 1, 0, 4 }, { 0x95, 0, 0, 0, 0 } };
	static const struct bpf_insn ok[] = { { 0xb7, 0, 0, 0, 7 }, { 0x95, 0, 0, 0, 0 } };
	static const char name[16] = "a name\n\"";
	char log[64] = "log", data[64] = { 0 };
	int fd;

	section("programs");
	clear();
	a[0] = BPF_PROG_TYPE_SOCKET_FILTER, a[1] = sizeof(zoo) / sizeof(zoo[0]), a[6] = 1, a[7] = sizeof(log), a[10] = 0x060203;
	pointer(2, zoo), pointer(4, "GPL, and a licence that is longer than what is shown"), pointer(8, log);
	memcpy(&a[12], name, sizeof(name));
	CALL(bpf, 5, a, 144);
	a[1] = 3, pointer(2, tail(zoo, 16)), pointer(4, bad), pointer(8, bad);
	CALL(bpf, 5, a, 144);
	a[1] = 70000, pointer(4, NULL), a[7] = 2, pointer(8, log);
	CALL(bpf, 5, a, 72);
	pointer(2, bad), a[7] = 0;
	CALL(bpf, 5, a, 72);
	clear();
	a[0] = BPF_PROG_TYPE_SOCKET_FILTER, a[1] = 2;
	pointer(2, ok), pointer(4, "GPL");
	fd = syscall(SYS_bpf, 5, a, 72);
	clear();
	a[0] = fd, a[2] = a[3] = sizeof(data), pointer(4, data), pointer(6, log), a[8] = 1;
	CALL(bpf, 10, a, 80);
	clear();
	pointer(0, "/none/x"), a[2] = fd;
	CALL(bpf, 6, a, 20);
	a[2] = 0, a[3] = 8;
	CALL(bpf, 7, a, 20);
	pointer(0, bad);
	CALL(bpf, 7, a, 20);
	clear();
	pointer(0, "no_tracepoint_has_a_name_as_long_as_this"), a[2] = fd;
	CALL(bpf, 17, a, 24);
	clear();
	a[0] = -1, pointer(4, data), a[6] = 4;
	CALL(bpf, 16, a, 64);
	CALL(close, fd);
	clear();
	a[0] = 1, a[38] = 1, a[40] = 9, a[41] = -3;
	pointer(38, "signature");
	CALL(bpf, 5, a, 168);
}

static void maps(void)
{
	uint64_t key = 1, value = 2;
	int fd;

	section("maps");
	clear();
	a[0] = BPF_MAP_TYPE_HASH, a[1] = 4, a[2] = 8, a[3] = 3;
	memcpy(&a[7], "a_map", 6);
	fd = syscall(SYS_bpf, 0, a, 72);
	clear();
	a[0] = fd, pointer(2, &key), pointer(4, &value);
	CALL(bpf, 2, a, 32);
	CALL(bpf, 1, a, 32);
	CALL(bpf, 4, a, 24);
	CALL(bpf, 21, a, 32);
	CALL(bpf, 3, a, 32);
	CALL(bpf, 22, a, 4);
	clear();
	CALL(bpf, 12, a, 16);
	CALL(bpf, 31, a, 16);
	a[0] = fd, a[1] = 8, pointer(2, bad);
	CALL(bpf, 15, a, 16);
	CALL(close, fd);
	clear();
	pointer(0, "no BTF at all, and more than is shown"), a[4] = 37;
	CALL(bpf, 18, a, 28);
	a[4] = -1;
	CALL(bpf, 18, a, 28);
	clear();
	a[0] = getpid(), a[1] = -1, a[3] = 64, pointer(4, &value);
	CALL(bpf, 20, a, 48);
}

static void links(void)
{
	static const char *syms[3] = { "first", "one_with_a_name_that_is_longer_than_shown", (const char *)5 };
	static const uint64_t addrs[3] = { 0x1000, 0x2000, 3 };

	section("links");
	for (unsigned type = 0; type < 64; type++) {
		clear();
		a[0] = -1, a[1] = 0x7ffffff0, a[2] = type, a[4] = 20, a[6] = 22;
		CALL(bpf, 28, a, 64);
	}
	clear();
	a[2] = 28, pointer(4, addrs), a[6] = 3;
	CALL(bpf, 28, a, 64);
	a[6] = 0;
	CALL(bpf, 28, a, 64);
	clear();
	a[2] = 42, a[4] = 1, a[5] = 3, pointer(6, syms), pointer(8, addrs), pointer(10, addrs);
	CALL(bpf, 28, a, 48);
	pointer(6, NULL), pointer(8, bad);
	CALL(bpf, 28, a, 48);
	clear();
	a[2] = 48, pointer(4, "/none/x"), pointer(6, addrs), pointer(8, addrs), pointer(10, bad), a[12] = 3, a[13] = 3, a[14] = 77;
	CALL(bpf, 28, a, 64);
	clear();
	a[2] = 46, a[3] = 0x20, a[4] = 5, a[6] = 6;
	CALL(bpf, 28, a, 64);
	clear();
	a[0] = 1, a[1] = 2, a[2] = 4, a[3] = 7;
	CALL(bpf, 29, a, 16);
	CALL(bpf, 29, a, 12);
	clear();
	a[2] = 46;
	CALL(bpf, 8, a, 32);
	a[2] = 1, a[3] = 0x20, a[5] = 9;
	CALL(bpf, 9, a, 32);
	a[2] = 37, a[1] = 37;
	CALL(bpf, 9, a, 32);
	CALL(bpf, 16, a, 64);
}

int main(void)
{
	resident();
	bad = bad_page();
	sizes();
	flags();
	programs();
	maps();
	links();
	return 0;
}
