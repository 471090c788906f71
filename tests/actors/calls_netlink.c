/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Netlink: messages of each protocol with each of their attributes, in values of several lengths. They are sent without
 * NLM_F_REQUEST, so the kernel takes no notice of them, but for a few that ask for what there is. In no network namespace of
 * its own: strace looks for sockets in its own one.
 */
#include "calls.h"

#include <linux/netlink.h>
#include <stdio.h>
#include <sys/socket.h>

#define ROOM 8192

struct buffer {
	size_t len;
	unsigned char data[ROOM];
};

static void put(struct buffer *b, const void *data, size_t len)
{
	if (len > ROOM - b->len)
		abort();
	memcpy(b->data + b->len, data, len);
	b->len += len;
}

/* A message begins; its length is filled in by send_message(). */
static void begin(struct buffer *b, unsigned type, unsigned flags, const void *header, size_t len)
{
	struct nlmsghdr h = { .nlmsg_type = (uint16_t)type, .nlmsg_flags = (uint16_t)flags, .nlmsg_seq = 7, .nlmsg_pid = 0 };

	b->len = 0;
	put(b, &h, sizeof(h));
	put(b, header, len);
}

static void put_attr(struct buffer *b, unsigned type, const void *data, size_t len)
{
	struct nlattr a = { .nla_len = (uint16_t)(len + 4), .nla_type = (uint16_t)type };

	put(b, &a, sizeof(a));
	put(b, data, len);
	put(b, "\0\0\0", -len & 3);
}

static void send_message(int fd, struct buffer *b)
{
	((struct nlmsghdr *)b->data)->nlmsg_len = (uint32_t)b->len;
	CALL(sendto, fd, b->data, b->len, MSG_DONTWAIT, NULL, 0);
}

/* The values that every attribute gets: numbers of all sizes, a name, and attributes. */
static void put_values(struct buffer *b, unsigned type)
{
	static const size_t sizes[] = { 1, 2, 3, 4, 7, 8, 12, 16, 24, 28, 36, 40, 48, 92, 128, 200 };
	unsigned char pattern[256], nest[24] = { 8, 0, 1, 0, 1, 2, 3, 4, 5, 0, 2, 0, 3, 0, 0, 0, 6, 0, 3, 0x80, 1, 2 };

	for (size_t i = 0; i < sizeof(pattern); i++)
		pattern[i] = (unsigned char)(i + 1);
	put_attr(b, type, NULL, 0);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		put_attr(b, type, pattern, sizes[i]);
	put_attr(b, type, "\1\0\0\0", 4);
	put_attr(b, type, "\3\0\0\0", 4);
	put_attr(b, type, "\377\377\377\377", 4);
	put_attr(b, type, "name", 5);
	put_attr(b, type, nest, sizeof(nest));
}

/* Attributes 0 to last of a message, each within the nests of path. */
static void attributes(int fd, const char *name, unsigned type, unsigned flags, const void *header, size_t header_len, unsigned last,
		       const unsigned *path)
{
	struct buffer b, inner, outer;

	section(name);
	for (unsigned i = 0; i <= last; i++) {
		inner.len = 0;
		put_values(&inner, i);
		for (size_t n = 0; path && path[n] != ~0u; n++) {
			outer.len = 0;
			put_attr(&outer, path[n], inner.data, inner.len);
			inner = outer;
		}
		begin(&b, type, flags, header, header_len);
		put(&b, inner.data, inner.len);
		send_message(fd, &b);
	}
}

/* Innermost first. */
#define PATH(...) (const unsigned[]){ __VA_ARGS__, ~0u }

static const unsigned char none[80], inet[80] = { 2 }, inet6[80] = { 10 }, bridge[80] = { 7 };

static void links(int fd)
{
	attributes(fd, "link", 16, 0, none, 16, 72, NULL);
	attributes(fd, "link of a bridge", 16, 0, bridge, 16, 72, NULL);
	attributes(fd, "port of a bridge", 16, 0, bridge, 16, 47, PATH(12));
	attributes(fd, "protinfo inet6", 16, 0, inet6, 16, 10, PATH(12));
	attributes(fd, "linkinfo", 16, 0, none, 16, 6, PATH(18));
	attributes(fd, "vfinfo", 16, 0, none, 16, 14, PATH(1, 22));
	attributes(fd, "vf stats", 16, 0, none, 16, 9, PATH(8, 1, 22));
	attributes(fd, "vf vlan", 16, 0, none, 16, 2, PATH(12, 1, 22));
	attributes(fd, "vf ports", 16, 0, none, 16, 8, PATH(1, 24));
	attributes(fd, "port self", 16, 0, none, 16, 8, PATH(25));
	attributes(fd, "af spec inet", 16, 0, none, 16, 2, PATH(2, 26));
	attributes(fd, "af spec inet6", 16, 0, none, 16, 10, PATH(10, 26));
	attributes(fd, "af spec mctp", 16, 0, none, 16, 3, PATH(45, 26));
	attributes(fd, "af spec", 16, 0, none, 16, 47, PATH(26));
	attributes(fd, "bridge spec", 16, 0, bridge, 16, 8, PATH(26));
	attributes(fd, "bridge tunnel", 16, 0, bridge, 16, 4, PATH(3, 26));
	attributes(fd, "xdp", 16, 0, none, 16, 9, PATH(43));
	attributes(fd, "prop list", 16, 0, none, 16, 56, PATH(52));
	attributes(fd, "proto down", 16, 0, none, 16, 3, PATH(55));
}

/* What the data of a link are is in an attribute before them. */
static void link_kinds(int fd)
{
	static const char *const kinds[] = { "bridge", "tun", "can", "veth" };
	struct buffer b, info;

	section("link kinds");
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		for (unsigned i = 0; i <= 52; i++) {
			struct buffer data = { 0 };

			put_values(&data, i);
			info.len = 0;
			put_attr(&info, 1, kinds[k], strlen(kinds[k]) + 1);
			put_attr(&info, 2, data.data, data.len);
			put_attr(&info, 3, data.data, i + 8);
			put_attr(&info, 4, kinds[k], strlen(kinds[k]) + 1);
			if (i < 10)
				put_attr(&info, 5, data.data, data.len);
			begin(&b, 16, 0, none, 16);
			put_attr(&b, 18, info.data, info.len);
			send_message(fd, &b);
		}
	}
	attributes(fd, "bridge without a kind", 16, 0, none, 16, 4, PATH(2, 18));
}

#define LINK { 18, NULL, 0 }     /* a next IFLA_LINKINFO begins */
#define DATA { 2, NULL, 0 }
#define SLAVE_DATA { 5, NULL, 0 }

/* One of a pair of attributes tells of the other. */
static void kinds_in_order(int fd)
{
	static const struct { unsigned type; const char *kind; size_t len; } rows[][5] = {
		{ { 1, "bridge", 7 }, LINK, DATA },
		{ { 4, "bridge", 7 }, DATA, SLAVE_DATA },
		{ { 1, "bridge", 7 }, SLAVE_DATA, DATA },
		{ { 1, "bridge", 7 }, { 4, "bond", 5 }, DATA, SLAVE_DATA },
		{ { 4, "bridge", 7 }, { 1, "tun", 4 }, DATA, SLAVE_DATA },
		{ DATA, { 1, "bridge", 7 }, DATA, { 1, "x", 1 }, DATA },
		{ { 1, "bridge", 6 }, DATA },
		{ { 1, "bridgeX", 7 }, DATA },
		{ { 1, "bri\0dge", 8 }, DATA },
		{ { 1, "", 0 }, DATA },
		{ { 1, "a kind whose name is longer than any is", 39 }, DATA },
	};
	struct buffer b, info;

	section("kinds in order");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		begin(&b, 16, 0, none, 16);
		info.len = 0;
		for (size_t k = 0; k < 5 && rows[i][k].type; k++) {
			if (rows[i][k].type == 18) {
				put_attr(&b, 18, info.data, info.len);
				info.len = 0;
			} else if (rows[i][k].kind) {
				put_attr(&info, rows[i][k].type, rows[i][k].kind, rows[i][k].len);
			} else {
				put_attr(&info, rows[i][k].type, "\10\0\1\0\5\0\0\0", 8);
			}
		}
		put_attr(&b, 18, info.data, info.len);
		send_message(fd, &b);
	}
}

/* Messages in messages, next hops in next hops. */
static void depths(int fd)
{
	struct buffer b, inner = { 0 }, outer;

	section("depths");
	put_attr(&inner, 4, "\1\0\0\0", 4);
	for (unsigned i = 0; i < 12; i++) {
		uint16_t hop[4] = { (uint16_t)(8 + inner.len), 0, 1, 0 };
		struct buffer with = { 0 };

		put(&with, hop, sizeof(hop));
		put(&with, inner.data, inner.len);
		outer.len = 0;
		put_attr(&outer, 9, with.data, with.len);
		inner = outer;
		begin(&b, 24, 0, inet, 12);
		put(&b, inner.data, inner.len);
		send_message(fd, &b);
	}
	begin(&inner, NLMSG_DONE, 0, none, 0);
	for (unsigned i = 0; i < 12; i++) {
		((struct nlmsghdr *)inner.data)->nlmsg_len = (uint32_t)inner.len;
		begin(&b, NLMSG_ERROR, 0, none, 4);
		put(&b, inner.data, inner.len);
		inner = b;
		send_message(fd, &b);
	}
}

static void routes(int fd)
{
	attributes(fd, "addr inet", 20, 0, inet, 8, 13, NULL);
	attributes(fd, "addr inet6", 20, 0, inet6, 8, 13, NULL);
	attributes(fd, "addr unspec", 20, 0, none, 8, 5, NULL);
	attributes(fd, "route inet", 24, 0, inet, 12, 33, NULL);
	attributes(fd, "route inet6", 24, 0, inet6, 12, 33, NULL);
	attributes(fd, "route metrics", 24, 0, inet, 12, 18, PATH(8));
	attributes(fd, "neigh", 28, 0, inet, 12, 19, NULL);
	attributes(fd, "neigh inet6", 28, 0, inet6, 12, 3, NULL);
	attributes(fd, "neigh fdb", 28, 0, inet6, 12, 3, PATH(14));
	attributes(fd, "rule", 32, 0, inet, 12, 32, NULL);
	attributes(fd, "rule inet6", 32, 0, inet6, 12, 3, NULL);
	attributes(fd, "qdisc", 36, 0, none, 20, 18, NULL);
	attributes(fd, "qdisc stats", 36, 0, none, 20, 9, PATH(7));
	attributes(fd, "qdisc stab", 36, 0, none, 20, 3, PATH(8));
	attributes(fd, "filter", 44, 0, none, 20, 18, NULL);
	attributes(fd, "chain", 100, 0, none, 20, 4, NULL);
	attributes(fd, "action root", 48, 0, none, 4, 7, NULL);
	attributes(fd, "action", 48, 0, none, 4, 11, PATH(1, 1));
	attributes(fd, "neightbl", 64, 0, none, 4, 10, NULL);
	attributes(fd, "neightbl parms", 64, 0, none, 4, 20, PATH(6));
	attributes(fd, "addrlabel", 72, 0, inet6, 12, 3, NULL);
	attributes(fd, "dcb", 78, 0, none, 4, 17, NULL);
	attributes(fd, "netconf", 80, 0, none, 4, 11, NULL);
	attributes(fd, "mdb", 84, 0, none, 8, 3, NULL);
	attributes(fd, "mdb entry", 84, 0, none, 8, 2, PATH(1, 1));
	attributes(fd, "mdb router", 84, 0, none, 8, 2, PATH(2));
	attributes(fd, "nsid", 88, 0, none, 4, 7, NULL);
	attributes(fd, "nexthop", 104, 0, none, 8, 15, NULL);
	attributes(fd, "nexthop inet", 104, 0, inet, 8, 7, NULL);
	attributes(fd, "nexthop group", 104, 0, none, 8, 5, PATH(12));
	attributes(fd, "nexthop bucket", 104, 0, none, 8, 4, PATH(13));
	attributes(fd, "stats", 92, 0, none, 12, 6, NULL);
	attributes(fd, "stats bridge", 92, 0, none, 12, 5, PATH(1, 2));
	attributes(fd, "stats bond", 92, 0, none, 12, 10, PATH(1, 2, 3));
	attributes(fd, "stats offload", 92, 0, none, 12, 2, PATH(4));
	attributes(fd, "stats mpls", 92, 0, none, 12, 2, PATH(28, 5));
	attributes(fd, "cache report", 96, 0, "\200\0\0\0", 4, 7, NULL);
}

/* Headers of each length, of each type of message, with every flag. */
static void headers(int fd)
{
	unsigned char pattern[64];
	struct buffer b;

	section("route headers");
	for (size_t i = 0; i < sizeof(pattern); i++)
		pattern[i] = (unsigned char)(3 * i + 2);
	for (unsigned type = 16; type < 125; type++) {
		static const size_t sizes[] = { 0, 1, 2, 4, 8, 12, 15, 16, 19, 20, 22, 40 };

		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			begin(&b, type, i ? 0 : 0xfffe, pattern, sizes[i]);
			send_message(fd, &b);
		}
	}
}

/* What follows a header may depend on its family. */
static void families(int fd)
{
	static const unsigned char all[] = { 0, 1, 2, 7, 10, 12, 16, 28, 45, 46, 127, 128, 129, 130, 255 };
	unsigned char header[44] = { [20] = 8, [22] = 1, [24] = 2, [32] = 8, [34] = 1, [40] = 3 };
	struct buffer b;

	section("families");
	for (unsigned type = 16; type < 125; type++) {
		for (size_t i = 0; i < sizeof(all); i++) {
			header[0] = all[i];
			begin(&b, type, 0, header, sizeof(header));
			send_message(fd, &b);
		}
	}
}

/* The ways to send: in pieces, several at once, as a file. */
static void ways(int fd)
{
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK };
	struct buffer b;
	struct iovec whole[2] = { { NULL, 0 }, { NULL, 0 } }, pieces[3], bad[2];
	struct mmsghdr mm[3];

	section("ways");
	begin(&b, 16, 0, none, 16);
	put_attr(&b, 3, "link", 5);
	((struct nlmsghdr *)b.data)->nlmsg_len = (uint32_t)b.len;
	whole[0] = (struct iovec){ b.data, b.len };
	whole[1] = (struct iovec){ b.data, b.len - 3 };
	pieces[0] = (struct iovec){ b.data, 16 };
	pieces[1] = (struct iovec){ b.data + 16, 16 };
	pieces[2] = (struct iovec){ b.data + 32, b.len - 32 };
	bad[0] = whole[0];
	bad[1] = (struct iovec){ bad_page(), 20 };
	memset(mm, 0, sizeof(mm));
	for (int i = 0; i < 3; i++) {
		mm[i].msg_hdr.msg_name = &nl;
		mm[i].msg_hdr.msg_namelen = sizeof(nl);
		mm[i].msg_hdr.msg_iov = i == 0 ? whole : i == 1 ? pieces : bad;
		mm[i].msg_hdr.msg_iovlen = i == 1 ? 3 : 2;
		CALL(sendmsg, fd, &mm[i].msg_hdr, MSG_DONTWAIT);
	}
	CALL(sendmmsg, fd, mm, 3, MSG_DONTWAIT);
	CALL(write, fd, b.data, b.len);
	CALL(writev, fd, pieces, 3);
	CALL(sendto, -1, b.data, b.len, MSG_DONTWAIT, NULL, 0);
	CALL(sendto, fd, tail(b.data, 10), 36, MSG_DONTWAIT, NULL, 0);
	CALL(sendto, fd, tail(NULL, 20), 200, MSG_DONTWAIT, NULL, 0);
	CALL(sendto, fd, b.data, b.len, MSG_DONTWAIT, &nl, 2);
}

static void multipath(int fd)
{
	static const unsigned char hops[] = {
		8, 0, 1, 2, 1, 0, 0, 0,  16, 0, 4, 0, 1, 0, 0, 0, 8, 0, 5, 0, 10, 1, 2, 3,  255, 0, 0xff, 1, 9, 9, 9, 9, 8, 0, 5, 0, 1, 1, 1, 1,
	};
	static const unsigned char via[] = { 2, 0, 10, 1, 2, 3 }, via6[18] = { 10, 0, 0xfe, 0x80, [17] = 1 };
	struct buffer b;

	section("multipath");
	begin(&b, 24, 0, inet, 12);
	put_attr(&b, 9, hops, 8);
	put_attr(&b, 9, hops, 24);
	put_attr(&b, 9, hops, sizeof(hops));
	put_attr(&b, 9, hops, 7);
	put_attr(&b, 18, via, sizeof(via));
	put_attr(&b, 18, via, 4);
	put_attr(&b, 18, via, 2);
	put_attr(&b, 18, via6, sizeof(via6));
	put_attr(&b, 18, "\7\0\1\2", 4);
	send_message(fd, &b);
}

/* Lengths that are too short, too long, or of nothing. */
static void lengths(int fd)
{
	unsigned char bytes[512];
	struct nlmsghdr *h = (void *)bytes;

	section("lengths");
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i % 19);
	CALL(sendto, fd, bytes, 0, MSG_DONTWAIT, NULL, 0);
	CALL(sendto, fd, bytes, 1, MSG_DONTWAIT, NULL, 0);
	CALL(sendto, fd, bytes, 15, MSG_DONTWAIT, NULL, 0);
	for (unsigned len = 0; len < 40; len += 5) {
		*h = (struct nlmsghdr){ .nlmsg_len = len, .nlmsg_type = 16 };
		CALL(sendto, fd, bytes, 16, MSG_DONTWAIT, NULL, 0);
		CALL(sendto, fd, bytes, 21, MSG_DONTWAIT, NULL, 0);
		CALL(sendto, fd, bytes, 64, MSG_DONTWAIT, NULL, 0);
	}
	h->nlmsg_len = 0xfffffff0u;
	CALL(sendto, fd, bytes, 64, MSG_DONTWAIT, NULL, 0);
	for (unsigned i = 0; i < 40; i++)
		memcpy(bytes + 12 * i, "\14\0\0\0\1\0\0\0\0\0\0", 12);
	CALL(sendto, fd, bytes, 480, MSG_DONTWAIT, NULL, 0);
	CALL(sendto, fd, bad_page(), 64, MSG_DONTWAIT, NULL, 0);
	CALL(sendto, fd, NULL, 64, MSG_DONTWAIT, NULL, 0);
	*h = (struct nlmsghdr){ .nlmsg_len = 36, .nlmsg_type = 16 };
	for (unsigned len = 0; len < 40; len += 3) {
		uint16_t a[2] = { (uint16_t)len, (uint16_t)(len % 2 ? 0x8003 : 0xc001) };

		h->nlmsg_len = 16 + 16 + 30;
		memcpy(bytes + 32, a, 4);
		CALL(sendto, fd, bytes, 62, MSG_DONTWAIT, NULL, 0);
	}
}

static void errors(int fd)
{
	static const int codes[] = { 0, -19, -512, -1000, -4096, 5, -2147483647 - 1 };
	struct buffer b, about;

	section("errors");
	begin(&about, 18, 0x301, none, 20);
	((struct nlmsghdr *)about.data)->nlmsg_len = 36;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		for (size_t len = 0; len <= 36; len += 6) {
			begin(&b, NLMSG_ERROR, i % 2 ? 0x100 : 0, &codes[i], 4);
			put(&b, about.data, len);
			send_message(fd, &b);
		}
		begin(&b, NLMSG_DONE, 2, &codes[i], 4);
		send_message(fd, &b);
		put(&b, "more", 4);
		send_message(fd, &b);
	}
	for (unsigned i = 0; i < 8; i++) {
		begin(&b, NLMSG_ERROR, 0x200, "\355\377\377\377", 4);
		put(&b, about.data, 36);
		put_values(&b, i);
		send_message(fd, &b);
		begin(&b, NLMSG_ERROR, 0x300, "\355\377\377\377", 4);
		put(&b, about.data, 16);
		put_values(&b, i);
		send_message(fd, &b);
	}
	for (unsigned type = 0; type < 8; type++) {
		begin(&b, type, 0xffff, "abcdefg", type);
		send_message(fd, &b);
	}
}

/* Requests are answered, with what is asked for wrongly. */
static void diag(int fd)
{
	static const unsigned char families[] = { 1, 2, 10, 16, 17, 43, 0, 29, 44 };
	unsigned char header[128];
	struct buffer b;

	section("diag headers");
	for (size_t f = 0; f < sizeof(families); f++) {
		for (size_t i = 0; i < sizeof(header); i++)
			header[i] = (unsigned char)(3 * i + 1);
		header[0] = families[f];
		for (size_t len = 1; len < 80; len += len < 16 ? 5 : 4) {
			begin(&b, 20, 0xfffe, header, len);
			send_message(fd, &b);
			begin(&b, 21, 0, header, len);
			send_message(fd, &b);
			begin(&b, 20, 1, header, len);
			send_message(fd, &b);
			begin(&b, 18, 1, header, len);
			send_message(fd, &b);
		}
	}
	attributes(fd, "unix diag", 20, 0, "\1", 16, 8, NULL);
	attributes(fd, "netlink diag", 20, 0, "\20", 28, 6, NULL);
	attributes(fd, "packet diag", 20, 0, "\21", 16, 6, NULL);
	attributes(fd, "inet diag", 20, 0, inet, 72, 23, NULL);
	attributes(fd, "ulp", 20, 0, inet, 72, 4, PATH(19));
	attributes(fd, "tls", 20, 0, inet, 72, 8, PATH(2, 19));
	attributes(fd, "mptcp", 20, 0, inet, 72, 12, PATH(3, 19));
	attributes(fd, "bpf storage", 20, 0, inet, 72, 4, PATH(1, 20));
	attributes(fd, "inet request", 20, 1, inet, 56, 4, NULL);
	section("addresses of packet sockets");
	for (unsigned len = 0; len < 40; len += 3) {
		const uint16_t kind[2] = { 1, (uint16_t)len };

		for (size_t i = 0; i < sizeof(header); i++)
			header[i] = (unsigned char)(i + 1);
		memcpy(header + 8, kind, sizeof(kind));
		begin(&b, 20, 0, "\21", 16);
		put_attr(&b, 1, header, 44);
		put_attr(&b, 1, header, 88);
		send_message(fd, &b);
	}
	section("bytecode");
	for (unsigned char code = 0; code < 16; code++) {
		unsigned char op[32] = { code, 4, 8, 0, 2, 24, 0, 0, 80, 0, 0, 0, 10, 1, 2, 3, 4, 5, 6 };

		begin(&b, 20, 1, inet, 56);
		for (size_t len = 3; len <= 32; len += len < 9 ? 1 : 4)
			put_attr(&b, 1, op, len);
		op[4] = 10;
		put_attr(&b, 1, op, 28);
		op[4] = 1;
		put_attr(&b, 1, op, 28);
		send_message(fd, &b);
	}
}

static void netfilter(int fd)
{
	struct buffer b;

	section("netfilter");
	for (unsigned subsystem = 0; subsystem < 15; subsystem++) {
		for (unsigned msg = 0; msg < 36; msg++) {
			begin(&b, subsystem << 8 | msg, msg % 2 ? 0xf00 : 0xc00, "\2\0\0\12", msg % 6);
			if (msg == 4)
				put_values(&b, 3);
			send_message(fd, &b);
		}
	}
}

static void others(void)
{
	static const struct { int protocol; unsigned first, last; } protocols[] = {
		{ NETLINK_XFRM, 16, 40 }, { NETLINK_SELINUX, 16, 18 }, { NETLINK_AUDIT, 1000, 1022 }, { NETLINK_AUDIT, 1299, 1340 },
		{ NETLINK_USERSOCK, 14, 18 }, { NETLINK_GENERIC, 16, 18 }, { NETLINK_KOBJECT_UEVENT, 16, 17 }, { NETLINK_CONNECTOR, 3, 3 },
		{ NETLINK_FIB_LOOKUP, 3, 17 }, { NETLINK_CRYPTO, 16, 21 }, { NETLINK_RDMA, 16, 17 }, { 31, 16, 17 },
	};
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK };
	unsigned char pattern[208];
	struct buffer b;

	for (size_t i = 0; i < sizeof(pattern); i++)
		pattern[i] = (unsigned char)(i + 1);
	for (size_t i = 0; i < sizeof(protocols) / sizeof(protocols[0]); i++) {
		int fd = syscall(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocols[i].protocol);

		section("other protocols");
		CALL(bind, fd, &nl, sizeof(nl));
		for (unsigned type = protocols[i].first; fd >= 0 && type <= protocols[i].last; type++) {
			for (size_t len = 0; len < 24; len += 5) {
				begin(&b, type, len ? 0 : 0xf00, "\3\1\0\0\10\0\2\0name\10\0\77\0more", len);
				send_message(fd, &b);
			}
		}
		/* Of kernels that have it. */
		if (protocols[i].protocol == NETLINK_CRYPTO && fd >= 0) {
			attributes(fd, "crypto", 16, 0, pattern, 208, 24, NULL);
			attributes(fd, "crypto module", 17, 0, none, 3, 1, NULL);
		}
		if (protocols[i].protocol == NETLINK_GENERIC) {
			attributes(fd, "ctrl", 16, 0, "\1\2\0\0", 4, 12, NULL);
			attributes(fd, "ctrl op", 16, 0, "\1\2\0\0", 4, 3, PATH(1, 6));
			attributes(fd, "ctrl groups", 16, 0, "\1\2\0\0", 4, 3, PATH(1, 7));
			attributes(fd, "ctrl policy", 16, 0, "\1\2\0\0", 4, 13, PATH(1, 1, 8));
			attributes(fd, "ctrl op policy", 16, 0, "\1\2\0\0", 4, 3, PATH(1, 9));
		}
		CALL(close, fd);
	}
}

static void uevents(void)
{
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK };
	unsigned char udev[80] = "libudev";
	int fd = syscall(SYS_socket, AF_NETLINK, SOCK_DGRAM, NETLINK_KOBJECT_UEVENT);

	section("uevents");
	for (size_t i = 8; i < sizeof(udev); i++)
		udev[i] = (unsigned char)(i + 32);
	CALL(sendto, fd, "add@/devices/x\0ACTION=add", 26, MSG_DONTWAIT, NULL, 0);
	CALL(bind, fd, &nl, sizeof(nl));
	CALL(sendto, fd, "add@/devices/x\0ACTION=add", 26, MSG_DONTWAIT, NULL, 0);
	for (size_t len = 7; len <= sizeof(udev); len += 11)
		CALL(sendto, fd, udev, len, MSG_DONTWAIT, NULL, 0);
	CALL(sendto, fd, udev, 40, MSG_DONTWAIT, NULL, 0);
	udev[8] = 0xfe, udev[9] = 0xed, udev[10] = 0xca, udev[11] = 0xfe;
	CALL(sendto, fd, udev, 80, MSG_DONTWAIT, NULL, 0);
	CALL(close, fd);
}

static void receive(int fd)
{
	static char data[32768];
	struct sockaddr_nl from;
	struct iovec iov = { data, sizeof(data) };
	struct msghdr m = { .msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &iov, .msg_iovlen = 1 };
	struct mmsghdr mm[2] = { { .msg_hdr = m }, { .msg_hdr = m } };
	socklen_t len = sizeof(from);

	CALL(recvmsg, fd, &m, MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);
	iov.iov_len = 100;
	CALL(recvmsg, fd, &m, MSG_PEEK | MSG_DONTWAIT);
	CALL(recvfrom, fd, data, 20, MSG_PEEK | MSG_DONTWAIT, NULL, NULL);
	iov.iov_len = sizeof(data);
	CALL(recvmsg, fd, &m, MSG_DONTWAIT);
	CALL(recvfrom, fd, data, sizeof(data), MSG_DONTWAIT, &from, &len);
	CALL(recvmmsg, fd, mm, 2, MSG_DONTWAIT, NULL);
	CALL(recvmsg, fd, &m, MSG_DONTWAIT);
}

/* What ordinary programs ask for, and its answers. */
static void dumps(void)
{
	static const unsigned types[] = { 18, 22, 26, 30, 34, 38, 66, 82, 90, 106 };
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK };
	int fd = syscall(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	struct buffer b;

	section("dumps");
	/* One that is not bound yet. */
	begin(&b, 18, 0x301, none, 16);
	send_message(fd, &b);
	receive(fd);
	CALL(bind, fd, &nl, sizeof(nl));
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct iovec iov[2] = { { b.data, 0 }, { NULL, 0 } };
		struct msghdr m = { .msg_name = &nl, .msg_namelen = sizeof(nl), .msg_iov = iov, .msg_iovlen = 1 };

		begin(&b, types[i], 0x301, types[i] == 38 ? none : types[i] == 26 ? inet6 : none, types[i] == 38 ? 20 : 16);
		((struct nlmsghdr *)b.data)->nlmsg_len = (uint32_t)b.len;
		iov[0].iov_len = b.len;
		CALL(sendmsg, fd, &m, 0);
		receive(fd);
	}
	begin(&b, 16, 5, none, 16);
	put_attr(&b, 3, "no name at all", 15);
	send_message(fd, &b);
	receive(fd);
	CALL(close, fd);
}

static void answers(void)
{
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK };
	unsigned char req[56] = { 2, 6, 0xff };
	struct buffer b;
	int fd = syscall(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);

	section("answers");
	CALL(bind, fd, &nl, sizeof(nl));
	memset(req + 4, 0xff, 4);
	begin(&b, 20, 0x301, req, 56);
	send_message(fd, &b);
	receive(fd);
	memcpy(req, "\1\0\0\0\377\377\377\377\0\0\0\0\77\0\0\0", 16);
	begin(&b, 20, 0x301, req, 24);
	send_message(fd, &b);
	receive(fd);
	CALL(close, fd);
	fd = syscall(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	CALL(bind, fd, &nl, sizeof(nl));
	begin(&b, 16, 1, "\3\1\0\0", 4);
	put_attr(&b, 2, "nlctrl", 7);
	send_message(fd, &b);
	receive(fd);
	begin(&b, 16, 1, "\3\1\0\0", 4);
	put_attr(&b, 2, "none such", 10);
	send_message(fd, &b);
	receive(fd);
	CALL(close, fd);
}

static int bound(int protocol)
{
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK };
	int fd = syscall(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);

	CALL(bind, fd, &nl, sizeof(nl));
	return fd;
}

int main(void)
{
	int fd;

	resident();
	fd = bound(NETLINK_ROUTE);
	lengths(fd);
	errors(fd);
	headers(fd);
	families(fd);
	ways(fd);
	links(fd);
	link_kinds(fd);
	kinds_in_order(fd);
	depths(fd);
	routes(fd);
	multipath(fd);
	CALL(close, fd);
	fd = bound(NETLINK_SOCK_DIAG);
	diag(fd);
	CALL(close, fd);
	fd = bound(NETLINK_NETFILTER);
	netfilter(fd);
	CALL(close, fd);
	others();
	uevents();
	dumps();
	answers();
	return 0;
}
