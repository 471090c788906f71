/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Programs for the classic BPF machine: seccomp filters, which a child alone installs, and those of sockets. */
#include "calls.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

static void *bad;

#define PROG(p) ((struct sock_fprog){ sizeof(p) / sizeof((p)[0]), p })

/* Every class of instructions, most of which no filter may have. */
static struct sock_filter zoo[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 4),
	BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 0xfffff000),
	BPF_STMT(BPF_LD | BPF_B | BPF_IND, 7),
	BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0),
	BPF_STMT(BPF_LD | BPF_IMM, 0x1234),
	BPF_STMT(BPF_LD | BPF_MEM, 3),
	BPF_STMT(BPF_LDX | BPF_MEM, 3),
	BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, 14),
	BPF_STMT(BPF_ST, 1),
	BPF_STMT(BPF_STX, 15),
	BPF_STMT(BPF_ALU | BPF_ADD | BPF_K, 1),
	BPF_STMT(BPF_ALU | BPF_NEG, 0),
	BPF_STMT(BPF_ALU | BPF_XOR | BPF_X, 0),
	BPF_STMT(BPF_ALU | BPF_MOD | BPF_K, 9),
	BPF_STMT(BPF_ALU | 0xe0, 9),
	BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 2),
	BPF_JUMP(BPF_JMP | BPF_JGT | BPF_X, 0, 0, 0xff),
	BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 3),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 1, 0, 0),
	BPF_JUMP(BPF_JMP | 0xf0, 1, 2, 3),
	BPF_STMT(BPF_MISC | BPF_TAX, 0),
	BPF_STMT(BPF_MISC | BPF_TXA, 0),
	BPF_STMT(BPF_MISC | 0x40, 1),
	BPF_STMT(BPF_RET | BPF_A, 0),
	BPF_STMT(BPF_RET | BPF_X, 7),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_THREAD),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP | 5),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 38),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 0xffff),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE | 1),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_LOG),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
	BPF_STMT(BPF_RET | BPF_K, 0x12345678),
};

/* What is none. */
static struct sock_filter odd[] = {
	{ 0xff00, 1, 2, 3 },
	{ 0x15, 0, 0, 0 },
	{ 0x16, 0, 0, 0x7fff0000 },
	{ 0x06, 1, 2, 0x7fff0000 },
	{ 0x20, 1, 0, 0 },
	{ 0, 0, 0, 0 },
	{ 0xe0 | BPF_LD, 0, 0, 1 },
	{ BPF_LDX | BPF_ABS | BPF_B, 0, 0, 1 },
	{ BPF_ST | 0x10, 0, 0, 1 },
	{ BPF_RET | BPF_K | 0x20, 0, 0, 0x7fff0000 },
	{ 0x38, 0, 0, 1 },
	{ 0x1f | 6, 0, 0, 1 },
	{ 0xff02, 0, 0, 1 },
	{ 0xffff, 0, 0, 1 },
	{ 0x1e, 0, 0, 0x7fff0001 },
	{ 0x9e, 0, 0, 1 },
	{ 0xff06, 0, 0, 1 },
	{ 0x87, 0, 0, 1 },
	{ 0xf, 0, 0, 1 },
	{ 0xff05, 0, 0, 1 },
};

static struct sock_filter getpid_is_refused[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getsid, 0, 1),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

static void refused(void)
{
	struct sock_fprog f = PROG(zoo), tailed = { 4, tail(getpid_is_refused, sizeof(getpid_is_refused[0]) * 2) }, none = { 0, NULL },
			  broken = { 4, bad }, huge = { 0xffff, tail(zoo, 24) },
			  other = PROG(odd);
	const struct sock_fprog *all[] = { &f, &other, &tailed, &none, &broken, &huge, tail(&f, 8), NULL, bad };

	section("refused filters");
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		CALL(seccomp, SECCOMP_SET_MODE_FILTER, 0, all[i]);
		CALL(prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, all[i], 0, 0);
	}
	CALL(seccomp, SECCOMP_SET_MODE_FILTER, 0x77, &f);
	CALL(seccomp, SECCOMP_SET_MODE_STRICT, 0x77, &f);
	CALL(seccomp, 77, 0x77, &f);
	CALL(prctl, PR_SET_SECCOMP, 77, &f, 1, 2);
}

static void installed(void)
{
	struct sock_fprog f = PROG(getpid_is_refused);
	int pid = raw_fork(), status;

	if (!pid) {
		section("installed filters");
		CALL(prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		CALL(seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_LOG, &f);
		CALL(prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &f);
		CALL(getsid, 0);
		_exit(0);
	}
	CALL(wait4, pid, &status, 0, NULL);
}

/* As many as the kernel takes, and more; what lies at the ends of memory; data about packets, and which are none. */
static void of_sockets(void)
{
	static const uint32_t offsets[] = { 0,		0x12,	    0xffe00000, 0xffefffff, 0xfff00003, 0xffffefff,
					    0xfffff000, 0xfffff03c, 0xfffff040, 0xffffffff };
	static const uint16_t modes[] = { BPF_LD | BPF_W | BPF_ABS, BPF_LD | BPF_H | BPF_IND, BPF_LD | BPF_B | BPF_ABS };
	static const uint16_t lengths[] = { 0, 1, 2, 33, 4095, 4096, 4097, 65535 };
	static struct sock_filter many[65536], got[65536];
	enum { N = sizeof(offsets) / sizeof(offsets[0]), M = sizeof(lengths) / sizeof(lengths[0]) };
	int fd = syscall(SYS_socket, AF_UNIX, SOCK_DGRAM, 0);
	struct sock_fprog f = { 3 * N, many };

	section("filters of sockets");
	for (unsigned i = 0; i < 3 * N; i++)
		many[i] = (struct sock_filter){ modes[i / N], 0, 0, offsets[i % N] };
	CALL(setsockopt, fd, SOL_SOCKET, SO_ATTACH_FILTER, &f, sizeof(f));
	for (unsigned i = 0; i < M; i++) {
		f = (struct sock_fprog){ lengths[i], many };
		for (unsigned k = 0; k < lengths[i]; k++)
			many[k] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_IMM, k);
		if (lengths[i])
			many[lengths[i] - 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, 0xffff);
		CALL(setsockopt, fd, SOL_SOCKET, SO_ATTACH_FILTER, &f, sizeof(f));
		for (unsigned k = 0; k < M; k++) {
			socklen_t len = lengths[k];

			CALL(getsockopt, fd, SOL_SOCKET, SO_GET_FILTER, got, &len);
		}
		f.filter = tail(many, 64);
		CALL(setsockopt, fd, SOL_SOCKET, SO_ATTACH_FILTER, &f, sizeof(f));
		CALL(setsockopt, fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &f, sizeof(f));
		f.filter = bad;
		CALL(setsockopt, fd, SOL_SOCKET, SO_ATTACH_FILTER, &f, sizeof(f));
	}
	CALL(setsockopt, fd, SOL_SOCKET, SO_DETACH_FILTER, NULL, 0);
	CALL(close, fd);
}

int main(void)
{
	resident();
	bad = bad_page();
	refused();
	installed();
	of_sockets();
	return 0;
}
