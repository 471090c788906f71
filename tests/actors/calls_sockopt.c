/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Socket options: every level, every name that one knows, values of many
 * lengths. What is set is shown before the kernel looks at the descriptor, which
 * is none; what is got, after a seccomp filter has said that it succeeded.
 */
#include "calls.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>

static const struct { int level, last; } levels[] = {
	{ 0, 70 },    { 1, 90 },   { 6, 50 },   { 17, 10 },  { 17, 106 }, { 41, 80 },  { 132, 134 }, { 136, 2 },  { 255, 3 },  { 256, 3 },
	{ 257, 26 },  { 258, 9 },  { 259, 3 },  { 260, 9 },  { 261, 3 },  { 262, 8 },  { 263, 26 },  { 264, 3 },  { 265, 3 },  { 266, 12 },
	{ 267, 2 },   { 268, 11 }, { 269, 20 }, { 270, 14 }, { 271, 140 }, { 272, 9 }, { 273, 7 },   { 274, 21 }, { 275, 6 },  { 276, 30 },
	{ 277, 3 },   { 278, 3 },  { 279, 10 }, { 280, 6 },  { 281, 3 },  { 282, 7 },  { 283, 11 },  { 284, 5 },  { 285, 3 },  { 286, 3 },
	{ 287, 3 },   { 288, 3 },  { 58, 3 },   { 18, 4 },   { 2, 3 },    { 12345, 1 },
};

static const int lengths[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 20, 21, 24, 28, 32, 36, 40, 64, 130, 200, 256, 300, -1 };

#define VALUE_SIZE 512
static unsigned char *value;      /* memory ends behind it */
static socklen_t room;

/* Options with values of a kind of their own. */
static const struct { int level, name; } special[] = {
	{ 0, 32 }, { 0, 35 }, { 0, 36 }, { 0, 41 }, { 0, 42 }, { 0, 45 }, { 0, 48 }, { 0, 51 }, { 0, 52 }, { 1, 2 }, { 1, 4 }, { 1, 13 },
	{ 1, 17 }, { 1, 20 }, { 1, 25 }, { 1, 26 }, { 1, 51 }, { 1, 57 }, { 1, 74 }, { 1, 77 }, { 6, 11 }, { 6, 13 }, { 6, 38 }, { 41, 20 },
	{ 41, 27 }, { 41, 42 }, { 255, 1 }, { 263, 1 }, { 263, 5 }, { 263, 6 }, { 263, 13 }, { 263, 18 }, { 270, 1 }, { 270, 9 }, { 271, 127 },
	{ 271, 130 }, { 271, 135 }, { 12345, 1 },
};

static void set_at(int level, int name, void *p, int len)
{
	CALL(setsockopt, -1, level, name, p, len);
}

static void get_at(int level, int name, void *p, int len)
{
	room = (socklen_t)len;
	CALL(getsockopt, -1, level, name, p, &room);
}

static int is_special(int level, int name)
{
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		if (special[i].level == level && special[i].name == name)
			return 1;
	return 0;
}

/* All lengths of those, some of the others. */
static void all(void (*call)(int level, int name, void *p, int len))
{
	static const int some[] = { 1, 4, 16 };
	char name[32];

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		snprintf(name, sizeof(name), "level %d", levels[i].level);
		section(name);
		for (int n = 0; n < levels[i].last; n++) {
			int all_of_them = is_special(levels[i].level, n);
			size_t count = all_of_them ? sizeof(lengths) / sizeof(lengths[0]) : sizeof(some) / sizeof(some[0]);

			for (size_t j = 0; j < count; j++)
				call(levels[i].level, n, value, all_of_them ? lengths[j] : some[j]);
		}
	}
}

static void text(void)
{
	for (size_t i = 0; i < VALUE_SIZE; i++)
		value[i] = (unsigned char)(i < 20 ? 'a' + i : i * 37);
}

/* Memory that ends before the value does. */
static void short_memory(void (*call)(int level, int name, void *p, int len))
{
	static const unsigned char have[] = { 0, 1, 4, 8, 15, 16, 20, 64 };
	void *tails[sizeof(have)], *bad = bad_page();

	for (size_t i = 0; i < sizeof(have); i++)
		tails[i] = tail(value, have[i]);
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++) {
		for (size_t j = 0; j < sizeof(have); j++) {
			call(special[i].level, special[i].name, tails[j], have[j]);
			call(special[i].level, special[i].name, tails[j], have[j] + 1);
			call(special[i].level, special[i].name, tails[j], 300);
		}
		call(special[i].level, special[i].name, bad, 4);
		call(special[i].level, special[i].name, NULL, 16);
		call(special[i].level, special[i].name, NULL, 0);
	}
}

static void zeros(void (*call)(int level, int name, void *p, int len))
{
	memset(value, 0, VALUE_SIZE);
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++) {
		call(special[i].level, special[i].name, value, 4);
		/* A packet's address without length shows what was in its place before. */
		if (special[i].level != 263 || special[i].name != 1)
			call(special[i].level, special[i].name, value, 16);
	}
}

static void words(void (*call)(int level, int name, void *p, int len), int level, int name, const uint32_t *v, size_t n, int len)
{
	for (size_t i = 0; i < n; i++) {
		memcpy(value, &v[i], 4);
		call(level, name, value, len);
	}
}

#define WORDS(call, level, name, ...) \
	words(call, level, name, (const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4, 4)

static void numbers(void (*call)(int level, int name, void *p, int len))
{
	section("numbers");
	WORDS(call, 1, 74, 0, 1, 2, 255, 256, UINT32_MAX);
	WORDS(call, 271, 127, 0, 1, 2, 3, 4, UINT32_MAX);
	WORDS(call, 0, 52, 0, 1, 6, 17, 255, 256, 262, 300, UINT32_MAX);
	WORDS(call, 0, 51, 0, 1, 0x10000, 0x04000200, 0x02000400, 0xffffffff, 0x00000400, 0x04000000);
	WORDS(call, 1, 4, 0, 1, 11, 111, 133, 134, 512, 530, UINT32_MAX, -111u);
	WORDS(call, 255, 1, 0, 1, 2, 0x80000000, 0x7fffffff, 0xffffffff, 0xfffffffe, 0x0007ffff, 0xff, 0x001fffff, 0x003fffff, 0x7fff, 0xffff,
	      0x1ffff, 0x3ffff, 0xfffff);
	WORDS(call, 1, 17, 1, 0, UINT32_MAX);
	WORDS(call, 1, 77, 0, 5, UINT32_MAX);
	WORDS(call, 1, 3, 1, 2, 3, 77);
	WORDS(call, 1, 39, 1, 2, 10, 77);
	WORDS(call, 1, 38, 6, 17, 77);
	WORDS(call, 263, 10, 0, 1, 2, 3);
	WORDS(call, 263, 18, 0, 0x10002, 0x80070003);
}

/* A member of a structure in value. */
#define PUT(type, off, v) memcpy(value + (off), &(type){ v }, sizeof(type))

static void groups(void (*call)(int level, int name, void *p, int len))
{
	static const int names[] = { 42, 43, 44, 45, 46, 47, 48 };

	section("groups");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (int level = 0; level <= 41; level += 41) {
			memset(value, 0, VALUE_SIZE);
			PUT(uint32_t, 0, (uint32_t)(i % 3));
			PUT(uint16_t, 8, AF_INET), PUT(uint16_t, 10, 0x5b1b), PUT(uint32_t, 12, 0x010000e0);
			call(level, names[i], value, 136);
			call(level, names[i], value, 135);
			call(level, names[i], value, 264);
			PUT(uint16_t, 8, AF_INET6);
			call(level, names[i], value, 136);
			PUT(uint16_t, 8, AF_UNIX);
			call(level, names[i], value, 136);
		}
	}
	memset(value, 0, VALUE_SIZE);
	value[0] = 0xff, value[1] = 2, value[15] = 1;
	for (uint32_t i = 0; i < 3; i++) {
		PUT(uint32_t, 16, i);
		for (int n = 20; n < 29; n++)
			call(41, n, value, 20);
	}
	memset(value, 0, VALUE_SIZE);
	PUT(uint32_t, 0, 0x010000e0), PUT(uint32_t, 4, 0x0100007f), PUT(uint32_t, 8, 1);
	for (int n = 32; n < 42; n++) {
		call(0, n, value, 8);
		call(0, n, value, 12);
		call(0, n, value, 16);
	}
}

static void packets(void (*call)(int level, int name, void *p, int len))
{
	section("packet, TIPC");
	for (uint32_t i = 0; i < 7; i++) {
		memset(value, 0, VALUE_SIZE);
		PUT(uint32_t, 0, i), PUT(uint16_t, 4, (uint16_t)i), PUT(uint16_t, 6, (uint16_t)(i == 6 ? 255 : i * 2 + 1));
		for (unsigned j = 8; j < 16; j++)
			value[j] = (unsigned char)(j * 16 + j);
		call(263, 1, value, 16);
		call(263, 2, value, 16);
		PUT(uint32_t, 8, i), PUT(uint32_t, 12, i);
		call(271, 135, value, 16);
		call(271, 136, value, 16);
		call(263, 5, value, 16);
		call(263, 5, value, 28);
		call(263, 13, value, 28);
		call(263, 13, value, 16);
		call(263, 6, value, 8);
		call(263, 6, value, 12);
		call(1, 13, value, 8);
		call(1, 17, value, 12);
	}
}

static void tcp_key(void (*call)(int level, int name, void *p, int len))
{
	static const unsigned char keylens[] = { 0, 1, 4, 32, 33, 79, 80, 81, 255 };

	section("TCP keys");
	memset(value, 0, VALUE_SIZE);
	PUT(uint16_t, 0, AF_INET), PUT(uint16_t, 2, 0x5b1b), PUT(uint32_t, 4, 0x0100007f);
	memcpy(value + 128, "hmac(sha1)", 10);
	for (size_t i = 0; i < 80; i++)
		value[210 + i] = (unsigned char)(i + 1);
	for (size_t i = 0; i < sizeof(keylens); i++) {
		PUT(uint32_t, 192, (uint32_t)(i % 4));
		PUT(uint32_t, 196, (uint32_t)i);
		value[202] = 32, value[203] = 100, value[204] = 200, value[205] = (unsigned char)i;
		value[206] = (unsigned char)i, value[207] = keylens[i];
		call(6, 38, value, 288);
		call(6, 38, value, 210);
		call(6, 38, value, 400);
	}
	PUT(uint16_t, 0, AF_INET6);
	call(6, 38, value, 288);
	PUT(uint16_t, 0, AF_UNSPEC);
	call(6, 38, value, 288);
	memset(value + 128, 'x', 64);
	call(6, 38, value, 288);
}

static void filters(void (*call)(int level, int name, void *p, int len))
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, 0xffff),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	struct sock_fprog progs[] = { { 4, code }, { 3, tail(code, 16) }, { 0, code }, { 4, NULL }, { 4, bad_page() },
				       { 65535, tail(code, sizeof(code)) } };

	section("filters");
	for (size_t i = 0; i < sizeof(progs) / sizeof(progs[0]); i++) {
		call(1, 26, &progs[i], sizeof(progs[i]));
		call(1, 51, &progs[i], sizeof(progs[i]));
		call(1, 26, &progs[i], sizeof(progs[i]) - 1);
		call(1, 26, &progs[i], sizeof(progs[i]) + 1);
		call(1, 27, &progs[i], sizeof(progs[i]));
	}
}

static void strings(void (*call)(int level, int name, void *p, int len))
{
	static const struct { int level, name; } of_text[] = { { 1, 25 }, { 1, 31 }, { 6, 13 }, { 6, 31 }, { 1, 28 }, { 12345, 1 }, { 0, 4 } };

	section("strings");
	for (size_t i = 0; i < sizeof(of_text) / sizeof(of_text[0]); i++) {
		memset(value, 0, VALUE_SIZE);
		memcpy(value, "cubic", 5);
		call(of_text[i].level, of_text[i].name, value, 5);
		call(of_text[i].level, of_text[i].name, value, 6);
		call(of_text[i].level, of_text[i].name, value, 16);
		call(of_text[i].level, of_text[i].name, value, 500);
		memset(value, 'x', VALUE_SIZE);
		call(of_text[i].level, of_text[i].name, value, 31);
		call(of_text[i].level, of_text[i].name, value, 32);
		call(of_text[i].level, of_text[i].name, value, 33);
		call(of_text[i].level, of_text[i].name, value, 500);
	}
}

static void lengths_of_get(void)
{
	section("lengths");
	CALL(getsockopt, -1, 1, 2, value, NULL);
	CALL(getsockopt, -1, 1, 2, value, bad_page());
	CALL(getsockopt, -1, 1, 2, NULL, NULL);
	CALL(getsockopt, -1, 1, 2, bad_page(), bad_page());
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++) {
		static const uint32_t rooms[] = { 0x7fffffff, 0x80000000, 0xffffffff, 0x10000, 4096 };

		for (size_t j = 0; j < sizeof(rooms) / sizeof(rooms[0]); j++) {
			room = rooms[j];
			CALL(getsockopt, -1, special[i].level, special[i].name, value, &room);
			CALL(setsockopt, -1, special[i].level, special[i].name, value, rooms[j]);
		}
	}
}

static void values(void (*call)(int level, int name, void *p, int len))
{
	text();
	section("short memory");
	short_memory(call);
	section("zeros");
	zeros(call);
	numbers(call);
	groups(call);
	packets(call);
	tcp_key(call);
	filters(call);
	strings(call);
}

/* getsockopt succeeds, and does nothing. */
static void succeed(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getsockopt, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(code[0]), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		abort();
}

int main(void)
{
	resident();
	value = tail(NULL, VALUE_SIZE);
	text();
	all(set_at);
	values(set_at);
	text();
	lengths_of_get();
	succeed();
	all(get_at);
	values(get_at);
	text();
	lengths_of_get();
	return 0;
}
