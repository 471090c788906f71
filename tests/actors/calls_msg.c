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

int main(void)
{
	for (size_t i = 0; i < sizeof(pattern); i++)
		pattern[i] = (unsigned char)(i < 20 ? 'a' + i : i * 37);
	resident();
	bad = bad_page();
	kinds();
	numbers();
	structures();
	return 0;
}
