/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_decode */
/*
 * The constants of symbols*.def against the UAPI headers, for all names that
 * these define as macros. Each table is taken twice as text: as it is written,
 * which gives the names and our values, and with the headers' macros expanded,
 * which gives theirs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <asm/fcntl.h>
#include <asm/ioctls.h>
#include <asm/mman.h>
#include <asm/poll.h>
#include <asm/socket.h>
#include <asm/termbits.h>
#include <linux/close_range.h>
#include <linux/eventpoll.h>
#include <linux/falloc.h>
#include <linux/fanotify.h>
#include <linux/fcntl.h>
#include <linux/futex.h>
#include <linux/if_packet.h>
#include <linux/inotify.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/magic.h>
#include <linux/memfd.h>
#include <linux/mman.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/perf_event.h>
#include <linux/prctl.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <linux/stat.h>
#include <linux/userfaultfd.h>
#include <linux/vm_sockets.h>
#include <linux/wait.h>
#include <linux/xattr.h>

/* Fewer would mean that the headers were not taken. */
#define CHECKED_AT_LEAST 500

struct table {
	const char *id, *written, *expanded;
};

#define TEXT(...) #__VA_ARGS__
#define EXPANDED(...) TEXT(__VA_ARGS__)
#define SYMBOLS(id, unknown, ...) { #id, #__VA_ARGS__, EXPANDED(__VA_ARGS__) },
#define SYMBOLS_WITH(id, unknown, more, ...) { #id, #__VA_ARGS__, EXPANDED(__VA_ARGS__) },
static const struct table tables[] = {
#include "decode/symbols.def"
};

static const char *skip_space(const char *p)
{
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

/* The expressions of the headers: numbers, parentheses, casts, and << | + - ~ from left to right. */
static bool evaluate(const char **p, uint64_t *ret);

static bool operand(const char **p, uint64_t *ret)
{
	char *end;

	*p = skip_space(*p);
	if (**p == '~') {
		(*p)++;
		if (!operand(p, ret))
			return false;
		*ret = ~*ret;
		return true;
	}
	if (**p == '-') {
		(*p)++;
		if (!operand(p, ret))
			return false;
		*ret = 0 - *ret;
		return true;
	}
	if (**p == '(') {
		(*p)++;
		if (!evaluate(p, ret))
			return false;
		*p = skip_space(*p);
		if (*(*p)++ != ')')
			return false;
		return true;
	}
	if (!isdigit((unsigned char)**p))
		return false;
	*ret = strtoull(*p, &end, 0);
	for (*p = end; **p && strchr("uUlL", **p); (*p)++)
		;
	return true;
}

static bool evaluate(const char **p, uint64_t *ret)
{
	uint64_t v, right;

	if (!operand(p, &v))
		return false;
	for (;;) {
		*p = skip_space(*p);
		if ((*p)[0] == '<' && (*p)[1] == '<') {
			*p += 2;
			if (!operand(p, &right) || right > 63)
				return false;
			v <<= right;
		} else if (**p == '|' || **p == '+' || **p == '-') {
			char c = *(*p)++;

			if (!operand(p, &right))
				return false;
			v = c == '|' ? v | right : c == '+' ? v + right : v - right;
		} else {
			*ret = v;
			return true;
		}
	}
}

/* Takes the two arguments of the next S(a, b); b is the last one, behind the last comma at depth 1. */
static bool next_pair(const char **p, char *a, char *b, size_t size)
{
	const char *start, *comma = NULL, *end;
	unsigned depth = 1;

	start = strstr(*p, "S(");
	while (start && start != *p && (isalnum((unsigned char)start[-1]) || start[-1] == '_'))
		start = strstr(start + 1, "S(");
	if (!start)
		return false;
	start += 2;
	for (end = start; *end; end++) {
		if (*end == '(')
			depth++;
		else if (*end == ')' && !--depth)
			break;
		else if (*end == ',' && depth == 1)
			comma = end;
	}
	assert_non_null(comma);
	assert_true((size_t)(end - start) < size);
	snprintf(a, size, "%.*s", (int)(comma - start), skip_space(start));
	snprintf(b, size, "%.*s", (int)(end - comma - 1), skip_space(comma + 1));
	*p = end;
	return true;
}

/* A table of values for ARM is for ARM, and one that has such a table beside it is not. */
static bool foreign(const struct table *t)
{
	size_t n = strlen(t->id);
	bool arm = n > 4 && !strcmp(t->id + n - 4, "_arm");
#if defined(__x86_64__)
	return arm;
#else
	char other[128];

	snprintf(other, sizeof(other), "%s_arm", t->id);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (!strcmp(tables[i].id, other))
			return true;
	return false;
#endif
}

static unsigned check_table(const struct table *t)
{
	char name[512], value[512], theirs[512], again[512];
	const char *written = t->written, *expanded = t->expanded, *p;
	uint64_t ours, other;
	unsigned checked = 0;

	while (next_pair(&written, name, value, sizeof(name))) {
		assert_true(next_pair(&expanded, theirs, again, sizeof(theirs)));
		p = value;
		if (!evaluate(&p, &ours))
			fail_msg("%s: %s has no number: %s", t->id, name, value);
		p = theirs;
		if (!strcmp(name, theirs) || !evaluate(&p, &other))
			continue;
		/* A 32-bit constant that the header has as an int. */
		if (ours != other && (uint32_t)ours != (uint32_t)other)
			fail_msg("%s: %s is %#llx here, %#llx in the headers", t->id, name, (unsigned long long)ours,
				 (unsigned long long)other);
		checked++;
	}
	return checked;
}

static void test_constants(void **state)
{
	unsigned checked = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (!foreign(&tables[i]))
			checked += check_table(&tables[i]);
	print_message("%u constants compared\n", checked);
	assert_true(checked >= CHECKED_AT_LEAST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_constants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
