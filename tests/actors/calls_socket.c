/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Kinds of sockets: every family with its protocols, types and their flags,
 * under a seccomp filter that lets the kernel make none of them (it would load
 * modules); what accept and its kin show; memory that is not there.
 */
#include "calls.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>

static void deny(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socketpair, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAFNOSUPPORT),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(code[0]), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		abort();
}

static void kinds(void)
{
	static const long domains[] = { 48, 99, -1, 0x7fffffff, (long)0x100000001 };
	static const long protocols[] = { 0xc3, 0xc4, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf, 0xf0, 0xff, 0x100, 0x106, 0x300, 0x8dd86, -1, 0x7fffffff, (long)0x100000003, (long)0x80000000 };
	char name[32];

	for (long domain = 0; domain < 48; domain++) {
		snprintf(name, sizeof(name), "domain %ld", domain);
		section(name);
		for (long protocol = 0; protocol < (domain == AF_INET || domain == AF_INET6 || domain == AF_NETLINK || domain == AF_AX25 ? 148 : domain == AF_ISDN ? 48 : 10); protocol++)
			CALL(socket, domain, SOCK_RAW, protocol);
		for (size_t i = 0; i < sizeof(protocols) / sizeof(protocols[0]); i++) {
			CALL(socket, domain, SOCK_STREAM, protocols[i]);
			CALL(socketpair, domain, SOCK_STREAM, protocols[i], NULL);
		}
	}
	section("domains");
	for (size_t i = 0; i < sizeof(domains) / sizeof(domains[0]); i++) {
		CALL(socket, domains[i], 0, 0);
		CALL(socketpair, domains[i], 1, 7, 0x1000);
	}
	section("types");
	for (long type = 0; type < 18; type++) {
		CALL(socket, AF_UNIX, type, 0);
		CALL(socket, AF_UNIX, type | SOCK_CLOEXEC, 0);
		CALL(socketpair, AF_UNIX, type | SOCK_NONBLOCK, 0, NULL);
		CALL(socket, AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC | 0x10000, 0);
		CALL(socket, AF_INET, type | 0x7000, -1);
		CALL(socket, AF_INET, (long)(type | 0x100000000), 0);
	}
	section("packets");
	for (unsigned type = 0; type < 0x10000; type += 0x101)
		CALL(socket, AF_PACKET, SOCK_RAW, type);
}

static void accepted(int s)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "\0ctrace-calls_socket" }, from;
	socklen_t len = offsetof(struct sockaddr_un, sun_path) + 20;
	static const long flags[] = { 0, SOCK_CLOEXEC, SOCK_NONBLOCK, SOCK_CLOEXEC | SOCK_NONBLOCK, 1, 0x80001, -1 };
	int room, bad_len = 5;
	void *bad = bad_page();

	section("accept");
	CALL(bind, s, &un, len);
	CALL(listen, s, 64);
	/* Nobody calls. */
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		CALL(accept4, s, &from, ((len = sizeof(from)), &len), flags[i]);
		CALL(accept4, s, NULL, NULL, flags[i]);
	}
	CALL(accept, s, NULL, NULL);
	CALL(accept, s, &from, NULL);
	CALL(accept, s, NULL, &len);
	CALL(accept, s, bad, ((len = sizeof(from)), &len));
	CALL(accept, s, &from, bad);
	CALL(accept, s, bad, bad);
	CALL(accept, -1, &from, tail(&bad_len, 4));
	CALL(accept, -1, &from, tail(&bad_len, 3));
	for (int i = 0; i < 3; i++) {
		CALL(getsockname, s, &from, tail(&bad_len, 4));
		CALL(getpeername, s, &from, tail(&bad_len, 4));
		bad_len = i ? 0 : -1;
	}
	for (room = 0; room < 24; room++)
		CALL(getsockname, s, tail(NULL, (size_t)room + 1), ((len = (socklen_t)room), &len));
	CALL(getsockname, s, tail(NULL, 8), ((len = sizeof(from)), &len));
	CALL(getsockname, s, tail(NULL, 22), ((len = sizeof(from)), &len));
}

static void received(int sv[2])
{
	char buf[64];
	struct sockaddr_un from;
	socklen_t len;
	void *bad = bad_page();
	static const long sizes[] = { 0, 1, 5, 6, 64 };

	section("send, receive");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		CALL(sendto, sv[0], "datagram of some length, more than is shown of it", 50, MSG_DONTWAIT, NULL, 0);
		CALL(recvfrom, sv[1], buf, sizes[i], MSG_DONTWAIT | MSG_TRUNC, &from, ((len = (socklen_t)sizes[i]), &len));
	}
	CALL(recvfrom, sv[1], buf, 8, MSG_DONTWAIT, NULL, &len);
	CALL(sendto, sv[0], "y", 1, MSG_DONTWAIT, NULL, 0);
	CALL(recvfrom, sv[1], buf, 8, MSG_DONTWAIT, NULL, ((len = 7), &len));
	CALL(getsockname, sv[1], NULL, &len);
	CALL(getpeername, sv[1], NULL, &len);
	CALL(sendto, sv[0], "x", 1, MSG_DONTWAIT, bad, 2);
	CALL(sendto, sv[0], "x", 1, MSG_DONTWAIT, bad, 0);
	CALL(sendto, sv[0], tail("abc", 3), 4, MSG_DONTWAIT, NULL, 5);
	CALL(sendto, sv[0], NULL, 0, 0, NULL, 0);
	CALL(recvfrom, sv[1], buf, 8, MSG_DONTWAIT, &from, NULL);
	CALL(recvfrom, sv[1], NULL, 8, MSG_DONTWAIT, NULL, NULL);
	CALL(sendto, sv[0], "abcdef", 6, MSG_DONTWAIT, NULL, 0);
	CALL(recvfrom, sv[1], tail(NULL, 3), 3, MSG_DONTWAIT | MSG_PEEK, &from, bad);
	CALL(recvfrom, sv[1], tail(NULL, 3), 9, MSG_DONTWAIT | MSG_PEEK, &from, ((len = sizeof(from)), &len));
	CALL(recvfrom, sv[1], bad, 9, MSG_DONTWAIT | MSG_PEEK, bad, bad);
	CALL(recvfrom, sv[1], buf, 9, MSG_DONTWAIT, &from, ((len = sizeof(from)), &len));
	for (unsigned i = 0; i < 32; i++)
		CALL(recvfrom, -1, buf, 1ul << i, 1u << i, &from, &len);
	for (long how = -1; how < 5; how++)
		CALL(shutdown, -1, how);
	CALL(listen, -1, 0x7fffffff);
	CALL(sendfile, sv[0], -1, NULL, 10);
	CALL(sendfile, sv[0], -1, bad, SIZE_MAX);
}

int main(void)
{
	int sv[2], s;

	resident();
	s = (int)syscall(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	CALL(socketpair, AF_UNIX, SOCK_DGRAM, 0, sv);
	CALL(socketpair, AF_UNIX, SOCK_DGRAM, 0, NULL);
	CALL(socketpair, AF_UNIX, SOCK_DGRAM, 0, bad_page());
	CALL(socketpair, AF_UNIX, SOCK_DGRAM, 0, tail(NULL, 7));
	accepted(s);
	received(sv);
	deny();
	kinds();
	return 0;
}
