/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Socket addresses of every family and many lengths. No socket is needed: an
 * address is shown before the kernel looks at the descriptor, which is none.
 */
#include "calls.h"

#include <stdio.h>
#include <sys/socket.h>

#define FAMILIES 48

/* What an address is as long as in one family or another, and what is a byte short of it or long. */
static const unsigned char lengths[] = { 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 23, 24, 25, 27,
					 28, 29, 31, 32, 35, 36, 40, 47, 48, 56, 60, 63, 64, 72, 76, 87, 88, 96, 110, 127, 128, 200 };

/* Families of which more than bytes is shown. */
static const unsigned char known_families[] = { 1, 2, 3, 4, 9, 10, 16, 17, 30, 31, 33, 36, 38, 39, 40, 42, 44, 45 };

static void all_lengths(unsigned char *addr)
{
	static const unsigned char some[] = { 2, 3, 16, 28, 128 };
	int is_known = memchr(known_families, addr[0], sizeof(known_families)) != NULL;

	for (size_t i = 0; i < (is_known ? sizeof(lengths) : sizeof(some)); i++)
		CALL(bind, -1, addr, (int)(is_known ? lengths[i] : some[i]));
}

static void all_families(void)
{
	static unsigned char addr[256];
	char name[32];

	for (unsigned family = 0; family < FAMILIES; family++) {
		snprintf(name, sizeof(name), "family %u", family);
		section(name);
		memset(addr, 0, sizeof(addr));
		memcpy(addr, &(uint16_t){ (uint16_t)family }, 2);
		all_lengths(addr);
		for (size_t i = 2; i < sizeof(addr); i++)
			addr[i] = (unsigned char)(i * 37 + 11);
		all_lengths(addr);
		for (size_t i = 2; i < sizeof(addr); i++)
			addr[i] = (unsigned char)(i % 5 == 3 ? 1 : i % 7 == 5 ? 'a' + i % 26 : 0);
		all_lengths(addr);
		memset(addr + 2, 0xff, sizeof(addr) - 2);
		all_lengths(addr);
	}
}


/* --- what a family has names or forms for --- */

static unsigned char one[128];

static void start(unsigned family)
{
	memset(one, 0, sizeof(one));
	memcpy(one, &(uint16_t){ (uint16_t)family }, 2);
}

static void put8(size_t off, unsigned v)
{
	one[off] = (unsigned char)v;
}

static void put16(size_t off, unsigned v)
{
	memcpy(one + off, &(uint16_t){ (uint16_t)v }, 2);
}

static void put32(size_t off, uint32_t v)
{
	memcpy(one + off, &v, 4);
}

static void show(size_t len)
{
	CALL(connect, -1, one, (int)len);
}

/* A call sign is in the upper seven bits, padded with blanks; a station's number behind it. */
static void call_sign(size_t off, const char *text, unsigned ssid)
{
	for (size_t i = 0; i < 6; i++)
		put8(off + i, (unsigned)(*text ? *text++ : ' ') << 1);
	put8(off + 6, ssid << 1);
}

static void ax25(void)
{
	static const struct { const char *text; unsigned ssid; } signs[] = {
		{ "AB1CDE", 0 }, { "AB1CDE", 1 }, { "AB", 15 }, { "A", 16 }, { "", 0 }, { "", 1 }, { "AB C", 2 }, { "ab1", 3 },
		{ "0", 0 }, { "-", 0 }, { "A\"B", 0 }, { "A*", 0 }, { "AB1CDE", 127 }, { "A^\\", 48 }, { "\x01", 0 }, { "\x7f", 4 },
	};
	static const int ndigis[] = { 0, 1, 2, 3, 7, 8, 9, -1, 0x7fffffff };
	static const unsigned char rooms[] = { 16, 17, 22, 23, 24, 29, 30, 31, 37, 65, 66, 71, 72, 73, 78, 79, 80, 128 };

	section("AX.25");
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		start(AF_AX25);
		call_sign(2, signs[i].text, signs[i].ssid);
		show(16);
		/* The last bit of the last byte ends a list of addresses. */
		put8(8, one[8] | 1);
		show(16);
		put8(3, one[3] | 1);
		show(16);
	}
	for (size_t n = 0; n < sizeof(ndigis) / sizeof(ndigis[0]); n++) {
		start(AF_AX25);
		call_sign(2, "AB1CDE", 1);
		for (unsigned i = 0; i < 8; i++)
			call_sign(16 + 7 * i, i % 2 ? "DIGI" : "", i);
		put32(12, (uint32_t)ndigis[n]);
		for (size_t i = 0; i < sizeof(rooms); i++)
			show(rooms[i]);
		put8(9, 7), put8(10, 8), put8(11, 9);
		show(16);
	}
}

static void bluetooth(void)
{
	static const unsigned short psms[] = { 1, 3, 5, 7, 9, 0xb, 0xd, 0xf, 0x11, 0x13, 0x15, 0x17, 0x19, 0x1b, 0x1d, 0x1f, 0x21, 0x23, 0x25,
					       0x27, 0x29, 2, 0x7f, 0x80, 0x81, 0x82, 0xfd, 0xfe, 0xff, 0x1000, 0x1001, 0x1002, 0x1003,
					       0xfffe, 0xffff, 0xfff, 0x10fe, 0x10ff, 0x1100 };
	static const unsigned short cids[] = { 1, 2, 3, 4, 5, 6, 7, 8, 0x3e, 0x3f, 0x40, 0x41, 0x7f, 0x80, 0xfffe, 0xffff };

	section("Bluetooth");
	start(AF_BLUETOOTH);
	for (unsigned i = 0; i < 8; i++) {
		put16(2, i);
		show(4);
		put16(2, 0xffff);
		put16(4, i);
		show(6);
	}
	start(AF_BLUETOOTH);
	for (size_t i = 0; i < sizeof(psms) / sizeof(psms[0]); i++) {
		put16(2, psms[i]);
		put8(4, (unsigned)i), put8(9, 255);
		show(12);
	}
	for (size_t i = 0; i < sizeof(cids) / sizeof(cids[0]); i++) {
		put16(10, cids[i]);
		put8(12, (unsigned)i);
		put8(13, 7);
		show(14);
	}
}

static void vsock(void)
{
	section("vsock");
	start(AF_VSOCK);
	for (uint32_t i = 0; i < 5; i++) {
		put32(8, i), put32(4, i + 1);
		put8(12, i);
		show(16);
	}
	put32(8, UINT32_MAX - 1), put32(4, UINT32_MAX - 1);
	show(16);
	start(AF_VSOCK);
	for (size_t i = 13; i < 16; i++) {
		put8(i, 1);
		show(16);
		put8(i, 0);
	}
}

static void radio(void)
{
	section("IEEE 802.15.4, NFC, MCTP, QRTR");
	start(AF_IEEE802154);
	for (uint32_t i = 0; i < 6; i++) {
		static const unsigned char hwaddr[] = { 1, 2, 3, 4, 0xfe, 0xff, 7, 8 };

		put32(4, i), put16(8, i % 2 ? 0xffff : 0x1234);
		memcpy(one + 10, hwaddr, sizeof(hwaddr));
		show(20);
		put16(10, i % 2 ? 0xffff : 0xfffe);
		show(20);
		memset(one + 10, 0, 8);
		show(20);
		put16(18, 0xabcd);
		show(20);
		put16(18, 0), put16(2, 7);
		show(20);
		put16(2, 0);
	}
	start(AF_NFC);
	for (uint32_t i = 0; i < 10; i++) {
		put32(4, i), put32(8, i), put32(12, i);
		show(16);
	}
	for (unsigned i = 0; i < 70; i++) {
		put8(16, i), put8(17, 69 - i);
		memset(one + 18, i < 63 ? 'a' : 0, i < 63 ? i : 63);
		put8(88, i);
		show(96);
		if (i % 10 == 0) {
			show(88);
			show(95);
			show(97);
		}
	}
	start(AF_MCTP);
	for (unsigned i = 0; i < 12; i++) {
		put32(4, i), put8(8, i), put8(9, i), put8(10, i);
		show(12);
	}
	for (unsigned i = 0x7c; i < 0x80; i++) {
		put8(9, i), put8(8, i + 0x80);
		show(12);
	}
	put8(10, 8);
	show(12);
	put8(11, 1);
	show(12);
	start(AF_QIPCRTR);
	for (uint32_t i = 0; i < 4; i++) {
		put32(4, i), put32(8, UINT32_MAX - i);
		show(12);
		put32(4, UINT32_MAX - i), put32(8, i);
		put16(2, i);
		show(12);
	}
}

static void rxrpc(void)
{
	static const unsigned services[] = { 1, 2, 3, 4, 5, 51, 52, 53, 147, 2500, 2501, 2502, 2503, 2504, 1000 };
	static const unsigned char lengths_of[] = { 0, 1, 2, 8, 16, 24, 28, 100, 255 };

	section("RxRPC");
	for (size_t i = 0; i < sizeof(services) / sizeof(services[0]); i++) {
		start(AF_RXRPC);
		put16(2, services[i]), put16(4, (unsigned)i), put16(6, 16);
		put16(8, AF_INET), put16(10, 0x5b1b), put32(12, 0x0100007f);
		show(36);
	}
	for (size_t i = 0; i < sizeof(lengths_of); i++) {
		put16(4, SOCK_DGRAM), put16(6, lengths_of[i]);
		put16(8, AF_INET);
		show(36);
		put16(8, AF_INET6);
		show(36);
		show(40);
		show(128);
		put16(8, AF_UNIX);
		show(36);
		put16(8, AF_NETLINK);
		show(36);
		put16(8, AF_RXRPC);
		show(36);
		put16(8, 99);
		show(36);
	}
}

static void tipc(void)
{
	section("TIPC");
	start(AF_TIPC);
	for (unsigned i = 2; i < 16; i++)
		put8(i, i * 3);
	for (unsigned i = 0; i < 6; i++) {
		put8(2, i), put8(3, i);
		show(16);
	}
	put8(3, 0xff);
	show(16);
	put8(3, 0xfe);
	show(16);
	for (size_t i = 4; i < 16; i += 4)
		put32(i, (uint32_t)i);
	for (unsigned i = 1; i < 4; i++) {
		put8(2, i), put8(3, i);
		show(16);
	}
}

static void express(void)
{
	section("XDP, X.25, IPX, crypto");
	start(AF_XDP);
	for (unsigned i = 0; i < 6; i++) {
		put16(2, 1u << i), put32(4, i), put32(8, i), put32(12, i % 2);
		show(16);
	}
	start(AF_X25);
	for (unsigned i = 0; i < 17; i++) {
		show(18);
		put8(2 + i, '0' + i % 10);
	}
	start(AF_IPX);
	put16(2, 0x5104), put32(4, 0x01000000), put8(8, 1), put8(13, 255), put8(14, 4);
	show(16);
	put8(15, 1);
	show(16);
	start(AF_ALG);
	memcpy(one + 2, "skcipher", 8);
	memcpy(one + 24, "cbc(aes)", 8);
	show(88);
	memcpy(one + 2, "fourteen bytes", 14);
	show(88);
	show(30);
	for (unsigned i = 0; i < 32; i++) {
		put32(16, 1u << i), put32(20, 0x1000 | 1u << i);
		show(88);
	}
	memset(one + 24, 'n', 64);
	show(88);
	show(87);
	show(100);
	show(128);
	memset(one + 24, 'n', 104);
	show(128);
	show(200);
}

static void known(void)
{
	section("packet, interfaces");
	start(AF_PACKET);
	for (unsigned i = 0; i < 10; i++) {
		put16(2, 0x8 | i << 8), put32(4, i), put16(8, i), put8(10, i), put8(11, i);
		for (unsigned j = 0; j < 8; j++)
			put8(12 + j, j * i);
		show(20);
		show(19);
		show(12 + i);
		show(28);
	}
	start(AF_INET6);
	for (unsigned i = 0; i < 16; i++) {
		static const unsigned char first[] = { 0xfe, 0xff, 0xfd, 0 }, second[] = { 0x80, 0xbf, 2, 1, 0xc0, 5, 0x12 };

		put8(8, first[i % 4]), put8(9, second[i % 7]);
		put32(24, i % 3);
		show(28);
		show(27);
		show(25);
	}
}

int main(void)
{
	resident();
	all_families();
	ax25();
	bluetooth();
	vsock();
	radio();
	rxrpc();
	tipc();
	express();
	known();
	return 0;
}
