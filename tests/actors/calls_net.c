/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sockets: every call of the family, every address family and option type that ctrace decodes. */
#include "calls.h"

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

static void *bad;

static void sockets(void)
{
	section("socket");
	CALL(close, syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0));
	CALL(close, syscall(SYS_socket, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
	CALL(close, syscall(SYS_socket, AF_INET, SOCK_STREAM, IPPROTO_TCP));
	CALL(close, syscall(SYS_socket, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_IP));
	CALL(close, syscall(SYS_socket, AF_INET, SOCK_RAW, IPPROTO_ICMP));
	CALL(close, syscall(SYS_socket, AF_INET6, SOCK_DGRAM, IPPROTO_UDP));
	CALL(close, syscall(SYS_socket, AF_INET6, SOCK_RAW, IPPROTO_ICMPV6));
	CALL(close, syscall(SYS_socket, AF_NETLINK, SOCK_RAW, NETLINK_ROUTE));
	CALL(close, syscall(SYS_socket, AF_NETLINK, SOCK_DGRAM, NETLINK_KOBJECT_UEVENT));
	CALL(close, syscall(SYS_socket, AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)));
	CALL(close, syscall(SYS_socket, AF_PACKET, SOCK_DGRAM, htons(ETH_P_IP)));
	CALL(socket, AF_BLUETOOTH, SOCK_RAW, 1);
	CALL(socket, AF_VSOCK, SOCK_RAW, 1);
	CALL(socket, 99, 15, 77);
	CALL(socket, AF_INET, 0x7fff7801, 999);
	CALL(socket, AF_UNSPEC, 0, 0);
	CALL(socket, -1, -1, -1);
	CALL(socket, AF_INET, SOCK_STREAM, IPPROTO_MPTCP);
	CALL(socket, AF_INET, SOCK_RAW, 255);
	int sv[2], none[2];
	CALL(socketpair, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sv);
	CALL(socketpair, AF_INET, SOCK_STREAM, 0, none);
	CALL(socketpair, AF_UNIX, SOCK_DGRAM, 0, bad);
	CALL(socketpair, AF_UNIX, SOCK_DGRAM, 0, NULL);
	CALL(shutdown, sv[0], SHUT_WR);
	CALL(shutdown, sv[0], SHUT_RDWR);
	CALL(shutdown, -1, SHUT_RD);
	CALL(shutdown, sv[0], 77);
	CALL(listen, -1, 5);
	CALL(listen, sv[0], -1);
	CALL(close, sv[0]);
	CALL(close, sv[1]);
}

/* Addresses that nothing has to answer: bind on a closed descriptor shows them as well. */
static void addresses_unix(void)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/tmp/ctrace-calls_net.sock" };

	section("addresses unix");
	CALL(bind, -1, &un, offsetof(struct sockaddr_un, sun_path) + strlen(un.sun_path) + 1);
	CALL(bind, -1, &un, sizeof(un));
	CALL(bind, -1, &un, 2);
	CALL(bind, -1, &un, 1);
	CALL(bind, -1, &un, 0);
	CALL(bind, -1, &un, -1);
	CALL(bind, -1, &un, 5);
	CALL(bind, -1, &un, 300);
	CALL(bind, -1, NULL, 110);
	CALL(bind, -1, bad, 110);
	CALL(bind, -1, tail(&un, 20), 110);
	CALL(bind, -1, tail(&un, 20), 20);
	CALL(connect, -1, "\1\0\0abstract \1\"\\\n\xff name", 27);
	CALL(connect, -1, "\1\0\0", 3);
	CALL(connect, -1, "\1\0\0a\0b\0", 7);
	CALL(connect, -1, "\1\0path\xc3\xa4\t\xff", 10);
	memset(un.sun_path, 'x', sizeof(un.sun_path));
	CALL(connect, -1, &un, sizeof(un));

}

static void addresses_inet(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(4711), .sin_addr.s_addr = htonl(0x7f000001) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(53), .sin6_addr = IN6ADDR_LOOPBACK_INIT };

	section("addresses inet");
	CALL(bind, -1, &in, sizeof(in));
	CALL(bind, -1, &in, 8);
	CALL(bind, -1, &in, 7);
	CALL(bind, -1, &in, 128);
	in.sin_addr.s_addr = htonl(0xffffffff), in.sin_port = 0;
	CALL(connect, -1, &in, sizeof(in));
	CALL(connect, -1, &in, 300);
	CALL(bind, -1, &in6, sizeof(in6));
	CALL(bind, -1, &in6, 24);
	CALL(bind, -1, &in6, 23);
	in6.sin6_flowinfo = htonl(0x12345), in6.sin6_scope_id = 7;
	CALL(bind, -1, &in6, sizeof(in6));
	CALL(bind, -1, &in6, 26);
	inet_pton(AF_INET6, "fe80::1:2:ff", &in6.sin6_addr);
	in6.sin6_scope_id = 1;
	CALL(connect, -1, &in6, sizeof(in6));
	inet_pton(AF_INET6, "::ffff:10.1.2.3", &in6.sin6_addr);
	CALL(connect, -1, &in6, sizeof(in6));
	inet_pton(AF_INET6, "2001:db8:0:0:1:0:0:1", &in6.sin6_addr);
	CALL(connect, -1, &in6, sizeof(in6));
	inet_pton(AF_INET6, "ff02::1", &in6.sin6_addr);
	CALL(connect, -1, &in6, sizeof(in6));
	inet_pton(AF_INET6, "::10.1.2.3", &in6.sin6_addr);
	in6.sin6_flowinfo = 0, in6.sin6_scope_id = 0;
	CALL(connect, -1, &in6, sizeof(in6));

}

static void addresses_others(void)
{
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK, .nl_pid = 12, .nl_groups = 0x1f };
	struct sockaddr_ll ll = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ARP), .sll_ifindex = 1,
				  .sll_hatype = 1, .sll_pkttype = 4, .sll_halen = 6, .sll_addr = { 1, 2, 3, 4, 5, 254 } };
	struct sockaddr sa = { .sa_family = AF_UNSPEC, .sa_data = "\1\2abc" };

	section("addresses others");
	CALL(bind, -1, &nl, sizeof(nl));
	CALL(bind, -1, &nl, 11);
	nl.nl_pid = getpid(), nl.nl_groups = 0;
	CALL(bind, -1, &nl, sizeof(nl));
	CALL(bind, -1, &ll, sizeof(ll));
	CALL(bind, -1, &ll, 12);
	CALL(bind, -1, &ll, 11);
	ll.sll_ifindex = 999, ll.sll_protocol = htons(0x9999), ll.sll_hatype = 9999, ll.sll_pkttype = 99, ll.sll_halen = 99;
	CALL(bind, -1, &ll, sizeof(ll));
	ll.sll_ifindex = 0, ll.sll_halen = 0, ll.sll_hatype = 772, ll.sll_pkttype = 0, ll.sll_protocol = htons(ETH_P_ALL);
	CALL(bind, -1, &ll, sizeof(ll));
	CALL(connect, -1, &sa, sizeof(sa));
	CALL(connect, -1, &sa, 2);
	sa.sa_family = 99;
	CALL(connect, -1, &sa, sizeof(sa));
	CALL(connect, -1, &sa, 2);
}

static void unix_traffic(void)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "\0ctrace-calls_net" }, from;
	socklen_t len = 2 + 17;
	int s = syscall(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), c, a;

	section("unix stream");
	CALL(bind, s, &un, len);
	CALL(listen, s, 8);
	CALL(getsockname, s, &from, ((len = sizeof(from)), &len));
	CALL(getsockname, s, &from, ((len = 4), &len));
	CALL(getsockname, s, &from, ((len = 0), &len));
	CALL(getsockname, s, NULL, NULL);
	CALL(getsockname, s, bad, ((len = sizeof(from)), &len));
	CALL(getsockname, s, &from, bad);
	CALL(getsockname, -1, &from, ((len = sizeof(from)), &len));
	CALL(getsockname, s, &from, ((len = -1), &len));
	CALL(getpeername, s, &from, ((len = sizeof(from)), &len));
	c = syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0);
	CALL(connect, c, &un, 2 + 17);
	a = syscall(SYS_accept4, s, &from, ((len = sizeof(from)), &len), SOCK_CLOEXEC | SOCK_NONBLOCK);
	CALL(getpeername, c, &from, ((len = sizeof(from)), &len));
	CALL(getpeername, a, &from, ((len = sizeof(from)), &len));
	CALL(sendto, c, "hello\n", 6, 0, NULL, 0);
	CALL(sendto, c, "0123456789012345678901234567890123456789", 40, MSG_NOSIGNAL | MSG_DONTWAIT, &un, 2 + 17);
	CALL(sendto, c, NULL, 5, MSG_OOB, NULL, 0);
	CALL(sendto, c, bad, 5, 0x80000000, NULL, 0);
	CALL(sendto, -1, "x", 1, MSG_MORE | MSG_CONFIRM, &un, 2);
	char buf[128];
	CALL(recvfrom, a, buf, sizeof(buf), MSG_PEEK, NULL, NULL);
	CALL(recvfrom, a, buf, 3, 0, &from, ((len = sizeof(from)), &len));
	CALL(recvfrom, a, buf, sizeof(buf), MSG_WAITALL | MSG_DONTWAIT, &from, ((len = sizeof(from)), &len));
	CALL(recvfrom, a, buf, sizeof(buf), MSG_TRUNC, &from, ((len = sizeof(from)), &len));
	CALL(recvfrom, a, bad, 8, 0, NULL, NULL);
	CALL(recvfrom, -1, buf, 8, 0, &from, ((len = 9), &len));
	CALL(accept, -1, NULL, NULL);
	CALL(accept, -1, &from, ((len = sizeof(from)), &len));
	CALL(accept4, -1, NULL, NULL, 0);
	CALL(accept4, -1, NULL, NULL, 0x55);
	CALL(close, c);
	CALL(recvfrom, a, buf, 8, 0, NULL, NULL);
	CALL(close, a);
	CALL(close, s);
}

static void inet_traffic(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001) }, from;
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	socklen_t len = sizeof(in);
	int s = syscall(SYS_socket, AF_INET, SOCK_STREAM, IPPROTO_TCP), c, a;
	char buf[64];

	section("inet stream");
	CALL(bind, s, &in, sizeof(in));
	CALL(getsockname, s, &in, &len);
	CALL(listen, s, 1);
	c = syscall(SYS_socket, AF_INET, SOCK_STREAM, IPPROTO_IP);
	CALL(connect, c, &in, sizeof(in));
	a = syscall(SYS_accept, s, &from, ((len = sizeof(from)), &len));
	CALL(getpeername, a, &from, ((len = 128), &len));
	CALL(getpeername, a, &from, ((len = 5), &len));
	CALL(sendto, a, "abc\0def", 7, 0, NULL, 0);
	CALL(recvfrom, c, buf, sizeof(buf), 0, &from, ((len = sizeof(from)), &len));
	CALL(close, a);
	CALL(close, c);
	CALL(close, s);

	section("inet datagram");
	s = syscall(SYS_socket, AF_INET, SOCK_DGRAM, 0);
	in.sin_port = 0, len = sizeof(in);
	CALL(bind, s, &in, sizeof(in));
	CALL(getsockname, s, &in, &len);
	CALL(sendto, s, "datagram", 8, 0, &in, sizeof(in));
	CALL(recvfrom, s, buf, sizeof(buf), 0, &from, ((len = sizeof(from)), &len));
	CALL(sendto, s, "datagram", 8, 0, &in, sizeof(in));
	CALL(recvfrom, s, buf, 4, MSG_TRUNC, &from, ((len = 6), &len));
	CALL(sendto, s, "", 0, 0, &in, sizeof(in));
	CALL(recvfrom, s, buf, sizeof(buf), 0, &from, ((len = 0), &len));
	CALL(close, s);
	s = syscall(SYS_socket, AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	CALL(bind, s, &in6, sizeof(in6));
	len = sizeof(in6);
	CALL(getsockname, s, &in6, &len);
	CALL(close, s);
	s = syscall(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK };
	CALL(bind, s, &nl, sizeof(nl));
	len = sizeof(nl);
	CALL(getsockname, s, &nl, &len);
	CALL(close, s);
}

static void send_fds(int fd)
{
	union {
		char buf[CMSG_SPACE(2 * sizeof(int)) + CMSG_SPACE(sizeof(struct ucred))];
		struct cmsghdr align;
	} control = { 0 };
	char a[] = "first", b[] = "the second buffer is longer than thirty-two bytes";
	struct iovec iov[2] = { { a, sizeof(a) - 1 }, { b, sizeof(b) - 1 } };
	struct msghdr m = { .msg_iov = iov, .msg_iovlen = 2, .msg_control = &control, .msg_controllen = sizeof(control) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	int fds[2] = { 0, 2 };
	struct ucred cred = { .pid = getpid(), .uid = 0, .gid = 0 };

	c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(sizeof(fds));
	memcpy(CMSG_DATA(c), fds, sizeof(fds));
	c = CMSG_NXTHDR(&m, c);
	c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_CREDENTIALS, c->cmsg_len = CMSG_LEN(sizeof(cred));
	memcpy(CMSG_DATA(c), &cred, sizeof(cred));
	CALL(sendmsg, fd, &m, MSG_NOSIGNAL);
	CALL(sendmsg, -1, &m, 0);
	m.msg_controllen = CMSG_SPACE(sizeof(fds)) - 1;
	CALL(sendmsg, -1, &m, 0);
	m.msg_controllen = 15;
	CALL(sendmsg, -1, &m, 0);
	m.msg_controllen = 16;
	CALL(sendmsg, -1, &m, 0);
	c = CMSG_FIRSTHDR(&m);
	m.msg_controllen = sizeof(control);
	c->cmsg_len = 8;
	CALL(sendmsg, -1, &m, 0);
	c->cmsg_len = CMSG_LEN(5);
	CALL(sendmsg, -1, &m, 0);
	c->cmsg_len = CMSG_LEN(1000);
	CALL(sendmsg, -1, &m, 0);
	c->cmsg_len = CMSG_LEN(4), c->cmsg_type = 0x77;
	CALL(sendmsg, -1, &m, 0);
	c->cmsg_len = CMSG_LEN(4), c->cmsg_level = SOL_IP, c->cmsg_type = IP_TTL;
	CALL(sendmsg, -1, &m, 0);
	c->cmsg_len = CMSG_LEN(4), c->cmsg_level = 12345, c->cmsg_type = 6;
	CALL(sendmsg, -1, &m, 0);
	m.msg_control = bad, m.msg_controllen = 64;
	CALL(sendmsg, -1, &m, 0);
	m.msg_control = NULL;
	CALL(sendmsg, -1, &m, 0);
}

static void recv_msg(int fd, size_t size, size_t control_size, int flags)
{
	char control[256], a[4], b[64];
	struct sockaddr_un name;
	struct iovec iov[2] = { { a, sizeof(a) }, { b, size } };
	struct msghdr m = { .msg_name = &name, .msg_namelen = sizeof(name), .msg_iov = iov, .msg_iovlen = 2,
			    .msg_control = control, .msg_controllen = control_size };

	CALL(recvmsg, fd, &m, flags);
}

static void several_messages(int sv[2], struct iovec *many)
{
	struct iovec iov = { "x", 1 };
	struct mmsghdr mm[2] = { { .msg_hdr = { .msg_iov = &iov, .msg_iovlen = 1 } },
				 { .msg_hdr = { .msg_iov = many, .msg_iovlen = 2 } } };
	CALL(sendmmsg, sv[0], mm, 2, MSG_DONTWAIT);
	CALL(sendmmsg, -1, mm, 2, 0);
	CALL(sendmmsg, sv[0], mm, 0, 0);
	CALL(sendmmsg, sv[0], NULL, 1, 0);
	CALL(sendmmsg, sv[0], bad, 1, 0);
	char b1[8], b2[8];
	struct iovec r1 = { b1, 8 }, r2 = { b2, 8 };
	struct timespec ts = { 0, 1000000 };
	mm[0].msg_hdr = (struct msghdr){ .msg_iov = &r1, .msg_iovlen = 1 };
	mm[1].msg_hdr = (struct msghdr){ .msg_iov = &r2, .msg_iovlen = 1 };
	CALL(recvmmsg, sv[1], mm, 2, MSG_DONTWAIT, &ts);
	CALL(recvmmsg, sv[1], mm, 2, MSG_DONTWAIT, NULL);
	CALL(recvmmsg, -1, mm, 2, 0, &ts);
	CALL(recvmmsg, sv[1], bad, 2, MSG_DONTWAIT, bad);
}

static void messages(void)
{
	int sv[2], on = 1;
	struct msghdr m = { 0 };
	struct iovec iov = { "x", 1 }, many[40];

	section("messages");
	CALL(socketpair, AF_UNIX, SOCK_DGRAM, 0, sv);
	CALL(setsockopt, sv[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on));
	send_fds(sv[0]);
	recv_msg(sv[1], 64, 256, MSG_CMSG_CLOEXEC);
	send_fds(sv[0]);
	recv_msg(sv[1], 8, 32, 0);
	send_fds(sv[0]);
	recv_msg(sv[1], 8, 0, 0);
	recv_msg(sv[1], 8, 0, MSG_DONTWAIT);
	recv_msg(-1, 8, 16, MSG_DONTWAIT);
	CALL(sendmsg, sv[0], NULL, 0);
	CALL(sendmsg, sv[0], bad, 0);
	CALL(recvmsg, sv[0], NULL, 0);
	CALL(recvmsg, sv[0], bad, 0);
	CALL(sendmsg, -1, &m, 0);
	m.msg_iov = &iov;
	CALL(sendmsg, -1, &m, 0);
	m.msg_iovlen = 1, m.msg_flags = MSG_TRUNC;
	CALL(sendmsg, -1, &m, MSG_EOR);
	m.msg_iov = bad;
	CALL(sendmsg, -1, &m, 0);
	m.msg_iov = NULL;
	CALL(sendmsg, -1, &m, 0);
	for (size_t i = 0; i < 40; i++)
		many[i] = (struct iovec){ "many", i % 5 };
	m.msg_iov = many, m.msg_iovlen = 40;
	CALL(sendmsg, -1, &m, 0);
	m.msg_iov = tail(many, sizeof(many[0]) * 2), m.msg_iovlen = 3;
	CALL(sendmsg, -1, &m, 0);
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(9) };
	m.msg_iov = &iov, m.msg_iovlen = 1, m.msg_name = &in, m.msg_namelen = sizeof(in);
	CALL(sendmsg, -1, &m, 0);
	m.msg_name = bad;
	CALL(sendmsg, -1, &m, 0);
	m.msg_name = NULL;
	CALL(sendmsg, -1, &m, 0);
	several_messages(sv, many);
	CALL(close, sv[0]);
	CALL(close, sv[1]);
}

static void options(void)
{
	struct { int level, name; } int_options[] = {
		{ SOL_SOCKET, SO_REUSEADDR }, { SOL_SOCKET, SO_TYPE }, { SOL_SOCKET, SO_ERROR }, { SOL_SOCKET, SO_SNDBUF },
		{ SOL_SOCKET, SO_RCVBUF }, { SOL_SOCKET, SO_KEEPALIVE }, { SOL_SOCKET, SO_BROADCAST },
		{ SOL_SOCKET, SO_PRIORITY }, { SOL_SOCKET, SO_REUSEPORT }, { SOL_SOCKET, SO_DOMAIN },
		{ SOL_SOCKET, SO_PROTOCOL }, { SOL_SOCKET, SO_ACCEPTCONN }, { SOL_SOCKET, SO_MARK },
		{ SOL_SOCKET, SO_PASSCRED }, { SOL_SOCKET, SO_TIMESTAMP }, { SOL_SOCKET, SO_BUSY_POLL },
		{ SOL_SOCKET, 9999 }, { SOL_TCP, TCP_NODELAY }, { SOL_TCP, TCP_MAXSEG }, { SOL_TCP, TCP_KEEPIDLE },
		{ SOL_TCP, TCP_KEEPINTVL }, { SOL_TCP, TCP_KEEPCNT }, { SOL_TCP, TCP_USER_TIMEOUT },
		{ SOL_TCP, TCP_DEFER_ACCEPT }, { SOL_TCP, TCP_QUICKACK }, { SOL_TCP, TCP_CORK }, { SOL_TCP, 9999 },
		{ SOL_IP, IP_TOS }, { SOL_IP, IP_TTL }, { SOL_IP, IP_MTU_DISCOVER }, { SOL_IP, IP_RECVERR },
		{ SOL_IP, IP_PKTINFO }, { SOL_IP, 9999 }, { SOL_IPV6, IPV6_V6ONLY }, { SOL_IPV6, IPV6_RECVPKTINFO },
		{ SOL_IPV6, 9999 }, { 9999, 1 }, { SOL_NETLINK, NETLINK_ADD_MEMBERSHIP }, { SOL_PACKET, PACKET_VERSION },
		{ IPPROTO_UDP, 1 }, { SOL_RAW, 1 },
	};
	int s = syscall(SYS_socket, AF_INET, SOCK_STREAM, 0), v;
	socklen_t len;

	section("options int");
	for (size_t i = 0; i < sizeof(int_options) / sizeof(int_options[0]); i++) {
		v = 1;
		CALL(setsockopt, s, int_options[i].level, int_options[i].name, &v, sizeof(v));
		CALL(getsockopt, s, int_options[i].level, int_options[i].name, &v, ((len = sizeof(v)), &len));
	}
	CALL(close, s);
}

static void options_others(void)
{
	int s = syscall(SYS_socket, AF_INET, SOCK_STREAM, 0), v = 1;
	socklen_t len;

	section("options others");
	struct linger l = { 1, 30 };
	struct timeval tv = { 5, 250000 };
	char buf[64];
	CALL(setsockopt, s, SOL_SOCKET, SO_LINGER, &l, sizeof(l));
	CALL(getsockopt, s, SOL_SOCKET, SO_LINGER, &l, ((len = sizeof(l)), &len));
	CALL(getsockopt, s, SOL_SOCKET, SO_LINGER, &l, ((len = 5), &len));
	CALL(setsockopt, s, SOL_SOCKET, SO_LINGER, &l, 4);
	CALL(setsockopt, s, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	CALL(getsockopt, s, SOL_SOCKET, SO_RCVTIMEO, &tv, ((len = sizeof(tv)), &len));
	CALL(setsockopt, s, SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof(tv));
	CALL(setsockopt, s, SOL_SOCKET, SO_SNDTIMEO, &tv, 8);
	CALL(setsockopt, s, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3);
	CALL(setsockopt, s, SOL_SOCKET, SO_REUSEADDR, &v, 2);
	CALL(setsockopt, s, SOL_SOCKET, SO_REUSEADDR, &v, 0);
	CALL(setsockopt, s, SOL_SOCKET, SO_REUSEADDR, NULL, 4);
	CALL(setsockopt, s, SOL_SOCKET, SO_REUSEADDR, bad, 4);
	CALL(setsockopt, s, SOL_SOCKET, SO_REUSEADDR, buf, -1);
	memset(buf, 7, sizeof(buf));
	CALL(setsockopt, s, SOL_SOCKET, SO_REUSEADDR, buf, sizeof(buf));
	CALL(setsockopt, s, SOL_SOCKET, SO_SNDBUF, buf, 8);
	CALL(getsockopt, s, SOL_SOCKET, SO_SNDBUF, &v, ((len = 2), &len));
	CALL(getsockopt, s, SOL_SOCKET, SO_SNDBUF, buf, ((len = 64), &len));
	CALL(getsockopt, s, SOL_SOCKET, SO_SNDBUF, &v, NULL);
	CALL(getsockopt, s, SOL_SOCKET, SO_SNDBUF, bad, ((len = 4), &len));
	CALL(getsockopt, s, SOL_SOCKET, SO_SNDBUF, &v, bad);
	CALL(getsockopt, s, SOL_SOCKET, SO_SNDBUF, &v, ((len = -1), &len));
	CALL(getsockopt, s, SOL_SOCKET, SO_BINDTODEVICE, buf, ((len = 64), &len));
	CALL(getsockopt, s, SOL_TCP, TCP_INFO, buf, ((len = 8), &len));
	CALL(getsockopt, s, SOL_TCP, TCP_CONGESTION, buf, ((len = 16), &len));
	CALL(setsockopt, s, SOL_TCP, TCP_CONGESTION, "cubic", 5);
	struct ip_mreqn mreq = { { htonl(0xe0000001) }, { htonl(0x7f000001) }, 0 };
	CALL(setsockopt, s, SOL_IP, IP_ADD_MEMBERSHIP, &mreq, 8);
	CALL(setsockopt, s, SOL_IP, IP_ADD_MEMBERSHIP, &mreq, sizeof(mreq));
	CALL(close, s);
	s = syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0);
	CALL(getsockopt, s, SOL_SOCKET, SO_PEERCRED, buf, ((len = 12), &len));
	CALL(getsockopt, s, SOL_SOCKET, SO_PEERCRED, buf, ((len = 64), &len));
	CALL(getsockopt, s, SOL_SOCKET, SO_PEERCRED, buf, ((len = 4), &len));
	CALL(getsockopt, s, SOL_SOCKET, SO_PEERSEC, buf, ((len = 64), &len));
	CALL(getsockopt, -1, SOL_SOCKET, SO_TYPE, &v, ((len = 4), &len));
	CALL(close, s);
}

int main(void)
{
	resident();
	bad = bad_page();
	sockets();
	addresses_unix();
	addresses_inet();
	addresses_others();
	unix_traffic();
	inet_traffic();
	messages();
	options();
	options_others();
	return 0;
}
