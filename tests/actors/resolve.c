/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* STATIC: runs in containers and virtual machines without libraries. */
/*
 * A name server and its clients, for --names. All of it is on the loopback.
 *
 *     resolve up            brings the loopback up
 *     resolve serve         a name server on 127.0.0.1, UDP and TCP: the address of nN.ANYTHING is 127.0.0.N, by way of an alias
 *     resolve ask WAY NAME  asks it, receives by read, readv, recvfrom, recvmsg, recvmmsg or tcp (and tcp-whole, where one read has
 *                           the length, too), and sends a byte to what the answer says
 *     resolve say ADDRESS   sends a byte there
 */
#include <arpa/inet.h>
#include <err.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define HEADER 12
#define ROOM   512

static const struct sockaddr_in server = { .sin_family = AF_INET, .sin_port = 53 << 8, .sin_addr.s_addr = 0x0100007f };

static void loopback_up(void)
{
	struct ifreq req = { .ifr_name = "lo" };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0 || ioctl(fd, SIOCGIFFLAGS, &req))
		err(1, "lo");
	req.ifr_flags |= IFF_UP;
	if (ioctl(fd, SIOCSIFFLAGS, &req))
		err(1, "lo");
	close(fd);
}

/* --- the server --- */

/* Makes the answer in place. Its length; 0: none. */
static size_t answer(uint8_t *m, size_t len)
{
	static const uint8_t alias[] = "\xc0\x0c\0\5\0\1\0\0\0\x3c\0\5\2lb\xc0\x0c";
	uint8_t address[] = "\2lb\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\x7f\0\0\1";
	size_t end = HEADER;

	while (end < len && m[end])
		end += m[end] + 1u;
	end += 5;
	if (len < HEADER + 5 || end > len || end + sizeof(alias) + sizeof(address) > ROOM)
		return 0;
	m[2] = 0x81;
	m[3] = 0x80;
	memcpy(m + 4, "\0\1\0\2\0\0\0\0", 8);
	memcpy(m + end, alias, sizeof(alias) - 1);
	address[sizeof(address) - 2] = (uint8_t)atoi((char *)m + HEADER + 2);
	memcpy(m + end + sizeof(alias) - 1, address, sizeof(address) - 1);
	return end + sizeof(alias) - 1 + sizeof(address) - 1;
}

static void serve_datagram(int fd)
{
	struct sockaddr_in from;
	socklen_t size = sizeof(from);
	uint8_t m[ROOM];
	ssize_t n = recvfrom(fd, m, sizeof(m), 0, (struct sockaddr *)&from, &size);
	size_t len = n > 0 ? answer(m, (size_t)n) : 0;

	if (len)
		sendto(fd, m, len, 0, (struct sockaddr *)&from, size);
}

static void serve_connection(int fd)
{
	int c = accept(fd, NULL, NULL);
	uint8_t m[2 + ROOM];
	ssize_t n = read(c, m, 2 + ROOM);
	size_t len = n > 2 ? answer(m + 2, (size_t)n - 2) : 0;

	m[0] = (uint8_t)(len >> 8);
	m[1] = (uint8_t)len;
	if (len && write(c, m, 2 + len) < 0)
		warn("write");
	close(c);
}

static int listener(int type)
{
	int fd = socket(AF_INET, type, 0), one = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	/* The loopback may not be up yet. */
	for (int i = 0; bind(fd, (const struct sockaddr *)&server, sizeof(server)); i++) {
		if (i == 1000)
			err(1, "bind");
		usleep(10000);
	}
	if (type == SOCK_STREAM && listen(fd, 8))
		err(1, "listen");
	return fd;
}

static void serve(void)
{
	struct pollfd fds[] = { { .fd = listener(SOCK_DGRAM), .events = POLLIN }, { .fd = listener(SOCK_STREAM), .events = POLLIN } };

	puts("ready");
	fflush(stdout);
	for (;;) {
		if (poll(fds, 2, -1) < 0)
			err(1, "poll");
		if (fds[0].revents)
			serve_datagram(fds[0].fd);
		if (fds[1].revents)
			serve_connection(fds[1].fd);
	}
}

/* --- the clients --- */

static size_t question(uint8_t *m, const char *name)
{
	size_t len = HEADER;

	memcpy(m, "\x12\x34\1\0\0\1\0\0\0\0\0\0", HEADER);
	while (*name) {
		size_t n = strcspn(name, ".");

		if (len + n + 6 > ROOM)
			errx(1, "a long name");
		m[len++] = (uint8_t)n;
		memcpy(m + len, name, n);
		len += n;
		name += n + (name[n] == '.');
	}
	memcpy(m + len, "\0\0\1\0\1", 5);
	return len + 5;
}

static ssize_t receive(int fd, const char *way, uint8_t *m)
{
	struct sockaddr_in from;
	socklen_t size = sizeof(from);
	struct iovec iov = { m, ROOM };
	struct mmsghdr msg = { .msg_hdr = { .msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &iov, .msg_iovlen = 1 } };

	if (!strcmp(way, "read"))
		return read(fd, m, ROOM);
	if (!strcmp(way, "readv"))
		return readv(fd, &iov, 1);
	if (!strcmp(way, "recvfrom"))
		return recvfrom(fd, m, ROOM, 0, (struct sockaddr *)&from, &size);
	if (!strcmp(way, "recvmsg"))
		return recvmsg(fd, &msg.msg_hdr, 0);
	if (!strcmp(way, "recvmmsg"))
		return recvmmsg(fd, &msg, 1, 0, NULL) == 1 ? (ssize_t)msg.msg_len : -1;
	errx(2, "no such way: %s", way);
}

static ssize_t ask_stream(const char *way, const char *name, uint8_t *m)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	uint8_t whole[2 + ROOM];
	size_t len = question(whole + 2, name);
	ssize_t n;

	whole[0] = 0;
	whole[1] = (uint8_t)len;
	if (connect(fd, (const struct sockaddr *)&server, sizeof(server)) || write(fd, whole, 2 + len) < 0)
		err(1, "server");
	if (!strcmp(way, "tcp")) {
		if (read(fd, whole, 2) != 2)
			err(1, "length");
		n = read(fd, m, ROOM);
	} else {
		n = read(fd, whole, sizeof(whole)) - 2;
		if (n > 0)
			memcpy(m, whole + 2, (size_t)n);
	}
	close(fd);
	return n;
}

static ssize_t ask_datagram(const char *way, const char *name, uint8_t *m)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	size_t len = question(m, name);
	ssize_t n;

	/* recvfrom and recvmsg tell who sent it: their sockets are not connected. */
	if (strncmp(way, "recv", 4) != 0 && connect(fd, (const struct sockaddr *)&server, sizeof(server)))
		err(1, "connect");
	if (sendto(fd, m, len, 0, strncmp(way, "recv", 4) ? NULL : (const struct sockaddr *)&server,
		   strncmp(way, "recv", 4) ? 0 : sizeof(server)) < 0)
		err(1, "sendto");
	n = receive(fd, way, m);
	close(fd);
	return n;
}

static void say(const void *address, int family)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
	struct sockaddr_in6 to6 = { .sin6_family = AF_INET6, .sin6_port = htons(9) };
	int fd = socket(family, SOCK_DGRAM, 0);

	memcpy(family == AF_INET ? (void *)&to.sin_addr : (void *)&to6.sin6_addr, address, family == AF_INET ? 4 : 16);
	if (connect(fd, family == AF_INET ? (struct sockaddr *)&to : (struct sockaddr *)&to6, family == AF_INET ? sizeof(to) : sizeof(to6)))
		err(1, "connect");
	if (write(fd, "x", 1) < 0)
		warn("write");
	close(fd);
}

int main(int argc, char **argv)
{
	uint8_t m[ROOM], address[16];
	ssize_t n;

	if (argc == 2 && !strcmp(argv[1], "up")) {
		loopback_up();
	} else if (argc == 2 && !strcmp(argv[1], "serve")) {
		serve();
	} else if (argc == 4 && !strcmp(argv[1], "ask")) {
		n = !strncmp(argv[2], "tcp", 3) ? ask_stream(argv[2], argv[3], m) : ask_datagram(argv[2], argv[3], m);
		if (n < HEADER + 4)
			err(1, "no answer");
		say(m + n - 4, AF_INET);
	} else if (argc == 3 && !strcmp(argv[1], "say")) {
		if (inet_pton(AF_INET, argv[2], address) == 1)
			say(address, AF_INET);
		else if (inet_pton(AF_INET6, argv[2], address) == 1)
			say(address, AF_INET6);
		else
			errx(2, "no address: %s", argv[2]);
	} else {
		errx(2, "usage: see the source");
	}
	return 0;
}
