/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Messages: control messages of every kind and length, which are shown before
 * the kernel looks at the descriptor; several messages in one call; memory
 * that is not there; what is received.
 */
#include "calls.h"

#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

static unsigned char pattern[4096];
static void *bad;

/* --- control messages --- */

static void control_of(void *control, size_t len)
{
	struct msghdr m = { .msg_control = control, .msg_controllen = len };

	CALL(sendmsg, -1, &m, 0);
}

static void control(int level, int type, const void *data, size_t len)
{
	static union {
		struct cmsghdr header;
		unsigned char buf[CMSG_SPACE(2048)];
	} c;

	memset(&c, 0, sizeof(c));
	c.header = (struct cmsghdr){ .cmsg_len = CMSG_LEN(len), .cmsg_level = level, .cmsg_type = type };
	memcpy(CMSG_DATA(&c.header), data, len);
	control_of(&c, CMSG_LEN(len));
}

/* As more than bytes. */
static int is_shown(int level, int type)
{
	static const unsigned char of_socket[] = { 1, 2, 3, 4, 29, 35, 37, 63, 64, 65, 84 }, of_ip[] = { 1, 2, 3, 6, 7, 8, 11, 20, 23, 52 };

	return (level == SOL_SOCKET && memchr(of_socket, type, sizeof(of_socket))) || (level == SOL_IP && memchr(of_ip, type, sizeof(of_ip)));
}

static void kinds(void)
{
	static const struct { int level, last; } levels[] = {
		{ SOL_IP, 60 }, { SOL_SOCKET, 90 }, { 6, 50 }, { 17, 110 }, { SOL_IPV6, 80 }, { 132, 12 }, { 263, 26 }, { 270, 14 }, { 12345, 2 },
	};
	static const unsigned char lengths[] = { 0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 15, 16, 17, 20, 24, 28, 31, 32, 33, 40, 44, 47, 48, 64, 130 };
	char name[32];

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		snprintf(name, sizeof(name), "level %d", levels[i].level);
		section(name);
		for (int type = 0; type < levels[i].last; type++) {
			for (size_t j = 0; j < sizeof(lengths); j++)
				if (is_shown(levels[i].level, type) || lengths[j] == 4 || lengths[j] == 40)
					control(levels[i].level, type, pattern, lengths[j]);
		}
	}
}

static void numbers(void)
{
	static const uint32_t values[] = { 0, 1, 2, 6, 17, 255, 256, 262, UINT32_MAX };
	static const unsigned short lengths[] = { 124, 127, 128, 129, 131, 132, 133, 136, 200, 300, 1000, 2000 };
	static const struct { int level, type; } types[] = {
		{ SOL_IP, 1 }, { SOL_IP, 2 }, { SOL_IP, 6 }, { SOL_IP, 8 }, { SOL_IP, 11 }, { SOL_IP, 20 }, { SOL_IP, 23 }, { SOL_IP, 52 }, { 1, 1 }, { 1, 2 }, { 1, 3 },
		{ 1, 4 }, { 1, 37 }, { 1, 65 }, { 1, 84 }, { 12345, 1 },
	};

	section("numbers");
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		control(SOL_IP, 52, &values[i], 4);
		control(SOL_IP, 2, &values[i], 4);
		control(SOL_IP, 1, &values[i], 1);
		control(SOL_IP, 1, &values[i], 4);
		control(SOL_SOCKET, SCM_RIGHTS, &values[i], 4);
		control(SOL_SOCKET, 4, &values[i], 4);
		control(SOL_SOCKET, 84, &values[i], 4);
		control(SOL_IPV6, 52, &values[i], 4);
	}
	section("long");
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		for (size_t j = 0; j < sizeof(lengths) / sizeof(lengths[0]); j++)
			control(types[i].level, types[i].type, pattern, lengths[j]);
}

static void structures(void)
{
	struct { uint32_t err; uint8_t origin, type, code, pad; uint32_t info, data; struct sockaddr_in offender; } e = {
		111, 2, 3, 4, 5, 6, 7, { .sin_family = AF_INET, .sin_port = htons(80), .sin_addr.s_addr = htonl(0x7f000001) } };
	struct in_pktinfo info = { 1, { htonl(0x7f000001) }, { htonl(0xe0000001) } };
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(80), .sin_addr.s_addr = htonl(0x7f000001) };
	int64_t times[6] = { 1, 2, 3, 999999999, -1, 0 };

	section("structures");
	control(SOL_IP, 11, &e, sizeof(e));
	for (unsigned i = 0; i < 8; i++) {
		static const uint16_t families[] = { AF_UNSPEC, AF_UNIX, AF_INET6, AF_NETLINK, 99, AF_INET, AF_AX25, AF_VSOCK };

		e.err = i * 20, e.origin = (uint8_t)i, e.offender.sin_family = families[i];
		control(SOL_IP, 11, &e, sizeof(e));
		control(SOL_IPV6, 25, &e, sizeof(e));
	}
	for (info.ipi_ifindex = 0; info.ipi_ifindex < 3; info.ipi_ifindex++)
		control(SOL_IP, IP_PKTINFO, &info, sizeof(info));
	control(SOL_IP, 20, &in, sizeof(in));
	control(SOL_SOCKET, 29, times, 16);
	control(SOL_SOCKET, 35, times, 16);
	control(SOL_SOCKET, 63, times, 16);
	control(SOL_SOCKET, 64, times, 16);
	control(SOL_SOCKET, 37, times, 48);
	control(SOL_SOCKET, 65, times, 48);
	control(SOL_SOCKET, SCM_CREDENTIALS, &(struct ucred){ 1, 0, (gid_t)-1 }, sizeof(struct ucred));
	control(SOL_SOCKET, SCM_RIGHTS, (int[3]){ 0, -1, 2 }, 3 * sizeof(int));
	control(SOL_SOCKET, 3, "system_u:object_r:unlabeled_t:s0", 33);
	control(SOL_IP, 3, "label", 5);
	control(SOL_IP, 6, "\x83\x07\x04", 3);
}

/* Several control messages, lengths that lie, memory that ends within them. */
static void chains(void)
{
	static const size_t lens[] = { 0, 1, 8, 15, 16, 17, 20, 23, 24, 25, 32, 40, 41, 48, 56, 64, 1000, 4096, 5000, 0x7fffffff,
				       SIZE_MAX / 2 };          /* of SIZE_MAX strace makes a step of 0, and does not end */
	struct { struct cmsghdr h[2]; uint32_t data[8]; } c = { { { 16, SOL_SOCKET, SCM_RIGHTS }, { 20, SOL_SOCKET, SCM_RIGHTS } }, { 0 } };

	section("chains");
	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		c.h[0].cmsg_len = lens[i];
		control_of(&c, sizeof(c));
		control_of(tail(&c, sizeof(c)), sizeof(c));
		control_of(tail(&c, 16), 16);
		control_of(tail(&c, 16), 64);
		control_of(tail(&c, 40), 64);
		control_of(&c, 33);
	}
	c.h[0].cmsg_len = 16;
	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		c.h[1].cmsg_len = lens[i];
		control_of(tail(&c, sizeof(c)), sizeof(c));
		control_of(tail(&c, 40), 64);
		control_of(tail(&c, 24), 64);
	}
	c.h[1].cmsg_len = 20;
	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		control_of(tail(&c, sizeof(c)), lens[i]);
		control_of(NULL, lens[i]);
		control_of(bad, lens[i]);
	}
}

/* --- messages --- */

static void headers(void)
{
	struct iovec iov[3] = { { "first", 5 }, { "second", 6 }, { NULL, 0 } };
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/name" };
	struct msghdr m = { .msg_name = &un, .msg_namelen = 7, .msg_iov = iov, .msg_iovlen = 3 };
	static const int namelens[] = { 0, 1, 2, 3, 7, 110, 128, 129, 1000, 0x7fffffff, -1 };
	static const size_t counts[] = { 0, 1, 2, 3, 4, 1024, 1025, SIZE_MAX / 16, SIZE_MAX };

	section("headers");
	for (size_t i = 0; i < sizeof(namelens) / sizeof(namelens[0]); i++) {
		m.msg_namelen = (socklen_t)namelens[i];
		CALL(sendmsg, -1, &m, 0);
		CALL(recvmsg, -1, &m, 0);
	}
	m.msg_name = tail(&un, 7), m.msg_namelen = 7;
	CALL(sendmsg, -1, &m, 0);
	m.msg_namelen = 8;
	CALL(sendmsg, -1, &m, 0);
	m.msg_name = NULL, m.msg_namelen = 0;
	m.msg_iov = tail(iov, sizeof(iov));
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		m.msg_iovlen = counts[i];
		CALL(sendmsg, -1, &m, 0);
	}
	m.msg_iov = tail(iov, 20), m.msg_iovlen = 2;
	CALL(sendmsg, -1, &m, 0);
	m.msg_iov = tail(iov, 8), m.msg_iovlen = 1;
	CALL(sendmsg, -1, &m, 0);
	iov[1].iov_base = bad, iov[2] = (struct iovec){ NULL, 5 };
	m.msg_iov = iov, m.msg_iovlen = 3;
	CALL(sendmsg, -1, &m, 0);
	iov[0].iov_base = tail("tail", 4), iov[0].iov_len = 5;
	CALL(sendmsg, -1, &m, 0);
	for (unsigned i = 0; i < 32; i++) {
		m.msg_flags = (int)(1u << i);
		m.msg_iovlen = 0;
		CALL(sendmsg, -1, &m, 1u << i);
	}
	CALL(sendmsg, -1, tail(&m, sizeof(m)), 0);
	CALL(sendmsg, -1, tail(&m, sizeof(m) - 1), 0);
	CALL(sendmsg, -1, tail(&m, 8), 0);
	CALL(recvmsg, -1, tail(&m, sizeof(m)), 0);
	CALL(recvmsg, -1, tail(&m, sizeof(m) - 1), 0);
	CALL(recvmsg, -1, tail(&m, 12), 0);
	CALL(recvmsg, -1, bad, 0x40000000);
	CALL(recvmsg, -1, NULL, 0);
}

#define MANY 40

static struct mmsghdr vector[MANY];
static struct iovec parts[MANY][2];
static char rooms[MANY][8];

/* n messages of two parts each, filled with what they are for. */
static void fill(unsigned n, int receive)
{
	memset(vector, 0, sizeof(vector));
	for (unsigned i = 0; i < n; i++) {
		snprintf(rooms[i], sizeof(rooms[i]), "m%02u", i);
		parts[i][0] = (struct iovec){ rooms[i], receive ? 2 : 3 };
		parts[i][1] = receive ? (struct iovec){ rooms[i] + 2, 6 } : (struct iovec){ "+", 1 };
		vector[i].msg_hdr = (struct msghdr){ .msg_iov = parts[i], .msg_iovlen = 2 };
		vector[i].msg_len = 77;
	}
}

static void send_many(int fd)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/nobody" };
	union { struct cmsghdr h; char buf[CMSG_SPACE(sizeof(int))]; } c = { { CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS } };
	static const unsigned counts[] = { 1, 2, 5, 0 };

	section("sendmmsg");
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		fill(MANY, 0);
		CALL(sendmmsg, fd, vector, counts[i], MSG_DONTWAIT);
		CALL(sendmmsg, -1, vector, counts[i], 0);
	}
	CALL(sendmmsg, -1, vector, MANY, 0);
	CALL(sendmmsg, -1, tail(vector, 3 * sizeof(vector[0])), 3, 0);
	CALL(sendmmsg, -1, tail(vector, 3 * sizeof(vector[0])), 4, 0);
	CALL(sendmmsg, -1, tail(vector, 3 * sizeof(vector[0]) - 1), 3, 0);
	CALL(sendmmsg, -1, tail(vector, 3 * sizeof(vector[0])), UINT32_MAX, 0);
	CALL(sendmmsg, -1, tail(vector, 30), 1, 0);
	CALL(sendmmsg, -1, bad, 1, 0);
	CALL(sendmmsg, -1, bad, 0, 0);
	CALL(sendmmsg, -1, NULL, 0, 0);
	CALL(sendmmsg, -1, NULL, 3, 0);
	/* The second does not go: the first has its length, the others have what was there. */
	vector[1].msg_hdr.msg_name = &un, vector[1].msg_hdr.msg_namelen = sizeof(un);
	CALL(sendmmsg, fd, vector, 3, MSG_DONTWAIT);
	*(int *)CMSG_DATA(&c.h) = 2;
	vector[0].msg_hdr.msg_control = &c, vector[0].msg_hdr.msg_controllen = sizeof(c);
	vector[1] = vector[0], vector[2].msg_hdr.msg_iov = bad;
	CALL(sendmmsg, fd, vector, 2, MSG_DONTWAIT | MSG_NOSIGNAL);
	CALL(sendmmsg, fd, vector, 3, MSG_DONTWAIT);
	parts[0][1].iov_base = bad;
	CALL(sendmmsg, fd, vector, 1, MSG_DONTWAIT);
	vector[0].msg_hdr.msg_iovlen = 0;
	CALL(sendmmsg, fd, vector, 1, MSG_DONTWAIT);
	fill(2, 0);
	parts[0][0].iov_base = pattern, parts[0][0].iov_len = 100;
	CALL(sendmmsg, fd, vector, 2, MSG_DONTWAIT);
}

static void receive_many(int fd)
{
	struct sockaddr_un names[MANY];
	char controls[MANY][64];
	struct timespec none = { 0, 1 }, wrong = { 0, -1 };

	section("recvmmsg");
	fill(2, 1);
	CALL(recvmmsg, fd, vector, 2, MSG_DONTWAIT, NULL);
	fill(3, 1);
	for (unsigned i = 0; i < 3; i++)
		vector[i].msg_hdr.msg_name = &names[i], vector[i].msg_hdr.msg_namelen = i * 40;
	CALL(recvmmsg, fd, vector, 3, MSG_DONTWAIT, &none);
	fill(MANY, 1);
	for (unsigned i = 0; i < MANY; i++)
		vector[i].msg_hdr.msg_control = controls[i], vector[i].msg_hdr.msg_controllen = sizeof(controls[i]);
	CALL(recvmmsg, fd, vector, MANY, MSG_DONTWAIT | MSG_TRUNC, NULL);
	CALL(recvmmsg, fd, vector, MANY, MSG_DONTWAIT, NULL);
	CALL(recvmmsg, fd, vector, 2, MSG_DONTWAIT, &wrong);
	CALL(recvmmsg, fd, vector, 2, MSG_DONTWAIT, bad);
	CALL(recvmmsg, fd, bad, 2, MSG_DONTWAIT, NULL);
	CALL(recvmmsg, fd, NULL, 2, MSG_DONTWAIT, NULL);
	CALL(recvmmsg, fd, NULL, 0, MSG_DONTWAIT, NULL);
	CALL(recvmmsg, fd, vector, 0, 0x10000, &none);
	CALL(recvmmsg, -1, vector, 2, 0, NULL);
	CALL(recvmmsg, -1, vector, 2, MSG_WAITFORONE, &none);
}

/* More messages than are shown without -v. */
static void all_of_many(int sv[2])
{
	section("many");
	fill(MANY, 0);
	for (unsigned i = 0; i < MANY; i += 5)
		CALL(sendmmsg, sv[0], vector + i, 5, MSG_DONTWAIT);
	fill(MANY, 1);
	CALL(recvmmsg, sv[1], vector, MANY, MSG_DONTWAIT, NULL);
	fill(6, 0);
	CALL(sendmmsg, sv[0], vector, 6, MSG_DONTWAIT);
	fill(1, 1);
	for (unsigned i = 0; i < 6; i++)
		CALL(recvmsg, sv[1], &vector[0].msg_hdr, MSG_DONTWAIT);
}

static void received(int sv[2])
{
	char control[128], buf[8];
	struct iovec iov[2] = { { buf, 3 }, { buf + 3, 5 } };
	struct msghdr m = { .msg_iov = iov, .msg_iovlen = 2, .msg_control = control };
	union { struct cmsghdr h; char buf[CMSG_SPACE(3 * sizeof(int))]; } c = { { CMSG_LEN(3 * sizeof(int)), SOL_SOCKET, SCM_RIGHTS } };
	struct iovec out = { "0123456789", 10 };
	struct msghdr o = { .msg_iov = &out, .msg_iovlen = 1, .msg_control = &c, .msg_controllen = sizeof(c) };
	static const unsigned char lens[] = { 0, 8, 15, 16, 19, 20, 24, 27, 28, 32, 128 };

	section("recvmsg");
	memset(CMSG_DATA(&c.h), 0, 3 * sizeof(int));
	for (size_t i = 0; i < sizeof(lens); i++) {
		CALL(sendmsg, sv[0], &o, MSG_DONTWAIT);
		m.msg_controllen = lens[i];
		CALL(recvmsg, sv[1], &m, MSG_DONTWAIT | (i % 2 ? MSG_CMSG_CLOEXEC : 0));
		for (int fd = sv[1] + 1; fd < sv[1] + 5; fd++)
			close(fd);
	}
	CALL(sendmsg, sv[0], &o, MSG_DONTWAIT);
	m.msg_control = NULL, m.msg_controllen = 64;
	CALL(recvmsg, sv[1], &m, MSG_DONTWAIT | MSG_PEEK);
	m.msg_control = bad, m.msg_controllen = 64;
	CALL(recvmsg, sv[1], &m, MSG_DONTWAIT);
	CALL(sendmsg, sv[0], &o, MSG_DONTWAIT);
	m.msg_control = NULL, m.msg_controllen = 0, m.msg_iov = bad;
	CALL(recvmsg, sv[1], &m, MSG_DONTWAIT);
	m.msg_iov = iov, iov[1].iov_base = bad;
	CALL(recvmsg, sv[1], &m, MSG_DONTWAIT);
	iov[1].iov_base = buf + 3;
	CALL(sendmsg, sv[0], &o, MSG_DONTWAIT);
	m.msg_iovlen = 0;
	CALL(recvmsg, sv[1], &m, MSG_DONTWAIT);
	m.msg_iovlen = 2;
	CALL(recvmsg, sv[1], &m, MSG_DONTWAIT);
	CALL(recvmsg, sv[1], NULL, MSG_DONTWAIT);
	CALL(recvmsg, sv[1], bad, MSG_DONTWAIT);
}

static void time_stamps(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001) };
	socklen_t len = sizeof(in);
	int on = 1, s = (int)syscall(SYS_socket, AF_INET, SOCK_DGRAM, 0);
	char buf[16], control[256];
	struct iovec iov = { buf, sizeof(buf) };
	struct sockaddr_in from;
	struct msghdr m = { .msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &iov, .msg_iovlen = 1,
			    .msg_control = control, .msg_controllen = sizeof(control) };

	section("of the internet");
	CALL(bind, s, &in, sizeof(in));
	CALL(getsockname, s, &in, &len);
	CALL(setsockopt, s, SOL_IP, IP_RECVTTL, &on, sizeof(on));
	CALL(setsockopt, s, SOL_IP, IP_RECVTOS, &on, sizeof(on));
	CALL(setsockopt, s, SOL_IP, IP_PKTINFO, &on, sizeof(on));
	CALL(setsockopt, s, SOL_IP, IP_RECVORIGDSTADDR, &on, sizeof(on));
	CALL(setsockopt, s, SOL_SOCKET, 29, &on, sizeof(on));
	CALL(sendto, s, "stamped", 7, 0, &in, sizeof(in));
	CALL(recvmsg, s, &m, MSG_DONTWAIT);
	CALL(setsockopt, s, SOL_SOCKET, 64, &on, sizeof(on));
	CALL(sendto, s, "stamped", 7, 0, &in, sizeof(in));
	m.msg_namelen = 4, m.msg_controllen = sizeof(control);
	CALL(recvmsg, s, &m, MSG_DONTWAIT);
	CALL(setsockopt, s, SOL_IP, IP_RECVERR, &on, sizeof(on));
	/* Nobody listens: the error comes back. */
	in.sin_port = htons(1);
	CALL(sendto, s, "refused", 7, 0, &in, sizeof(in));
	m.msg_namelen = sizeof(from), m.msg_controllen = sizeof(control);
	CALL(recvmsg, s, &m, MSG_ERRQUEUE | MSG_DONTWAIT);
	CALL(getsockopt, s, SOL_SOCKET, SO_ERROR, buf, ((len = 4), &len));
	CALL(close, s);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(pattern); i++)
		pattern[i] = (unsigned char)(i < 20 ? 'a' + i : i * 37);
	resident();
	bad = bad_page();
	kinds();
	numbers();
	structures();
	chains();
	headers();
	int sv[2];
	CALL(socketpair, AF_UNIX, SOCK_DGRAM, 0, sv);
	send_many(sv[0]);
	receive_many(sv[1]);
	all_of_many(sv);
	received(sv);
	CALL(close, sv[0]);
	CALL(close, sv[1]);
	time_stamps();
	return 0;
}
