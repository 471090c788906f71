/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sets of system calls, as -e trace= writes them. */
#include "decode/kind.h"

#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

static const struct {
	const char *name;
	unsigned classes;
	bool bare;              /* strace still takes it without % */
} class_names[] = {
	{ "file", C_FILE, true }, { "process", C_PROCESS, true }, { "network", C_NETWORK, true }, { "net", C_NETWORK, false },
	{ "signal", C_SIGNAL, true }, { "ipc", C_IPC, true }, { "desc", C_DESC, true }, { "memory", C_MEMORY, true },
	{ "creds", C_CREDS, false }, { "stat", C_STAT, false }, { "lstat", C_LSTAT, false }, { "fstat", C_FSTAT, false },
	{ "%stat", C_STAT_LIKE, false }, { "statfs", C_STATFS, false }, { "fstatfs", C_FSTATFS, false },
	{ "%statfs", C_STATFS_LIKE, false }, { "clock", C_CLOCK, false }, { "pure", C_PURE, false },
};

/* One member of the list. */
struct item {
	const char *text;
	bool optional;          /* ?name: no error when there is no such call */
	bool native, compat;    /* which ABIs it means */
};

struct builder {
	struct syscall_set *set;
	char *err;
	size_t err_size;
};

static int fail(struct builder *b, const char *what, const char *text)
{
	/* What is printed of the user's words must be fit for a terminal. */
	char safe[64];
	size_t n = 0;

	for (; n < sizeof(safe) - 1 && text[n]; n++)
		safe[n] = text[n] >= ' ' && text[n] <= '~' ? text[n] : '?';
	safe[n] = '\0';
	snprintf(b->err, b->err_size, "%s '%s'", what, safe);
	return -EINVAL;
}

/* Calls match for every row of the item's ABIs; true if any was taken. */
static bool add_matching(struct builder *b, const struct item *it, bool (*match)(const struct syscall *, const void *),
			 const void *data)
{
	bool any = false;

	for (uint32_t nr = 0; nr < CT_NR_NATIVE; nr++) {
		const struct syscall *s = it->native ? syscall_get(ABI_NATIVE, nr) : NULL;

		if (s && match(s, data))
			any = b->set->rows[call_row(false, nr)] = true;
	}
	for (uint32_t nr = 0; nr < CT_NR_COMPAT; nr++) {
		const struct syscall *s = it->compat ? syscall_get(ABI_COMPAT, nr) : NULL;

		if (s && match(s, data))
			any = b->set->rows[call_row(true, nr)] = true;
	}
	return any;
}

static bool match_class(const struct syscall *s, const void *data)
{
	return s->classes & *(const unsigned *)data;
}

static bool match_name(const struct syscall *s, const void *data)
{
	return !strcmp(s->name, data);
}

static bool match_regex(const struct syscall *s, const void *data)
{
	return !regexec(data, s->name, 0, NULL, 0);
}

static unsigned find_class(const char *name, bool bare)
{
	for (size_t i = 0; i < ARRAY_SIZE(class_names); i++)
		if (!strcmp(class_names[i].name, name) && (!bare || class_names[i].bare))
			return class_names[i].classes;
	return 0;
}

static int add_regex(struct builder *b, const struct item *it)
{
	regex_t re;
	bool any;

	if (regcomp(&re, it->text + 1, REG_EXTENDED | REG_NOSUB))
		return fail(b, "not a regular expression:", it->text);
	any = add_matching(b, it, match_regex, &re);
	regfree(&re);
	return any || it->optional ? 0 : fail(b, "no system call matches", it->text);
}

static int add_number(struct builder *b, const struct item *it)
{
	char *end;
	unsigned long nr;

	errno = 0;
	nr = strtoul(it->text, &end, 10);
	if (errno || *end || nr > UINT32_MAX)
		return fail(b, "not a system call number:", it->text);
	if (it->native)
		b->set->rows[call_row(false, (uint32_t)nr)] = true;
	if (it->compat)
		b->set->rows[call_row(true, (uint32_t)nr)] = true;
	return 0;
}

static int add_item(struct builder *b, const struct item *it)
{
	unsigned class;

	if (*it->text == '/')
		return add_regex(b, it);
	if (*it->text >= '0' && *it->text <= '9')
		return add_number(b, it);
	if (!strcmp(it->text, "all")) {
		memset(b->set->rows, true, sizeof(b->set->rows));
		return 0;
	}
	if (!strcmp(it->text, "none"))
		return 0;
	class = *it->text == '%' ? find_class(it->text + 1, false) : find_class(it->text, true);
	/* A call of that name goes before a class without %. */
	if (*it->text != '%' && add_matching(b, it, match_name, it->text))
		return 0;
	if (class) {
		add_matching(b, it, match_class, &class);
		return 0;
	}
	if (it->optional)
		return 0;
	return fail(b, *it->text == '%' ? "no such class of system calls:" : "no such system call:", it->text);
}

/* Takes ?, and @64 or @32, off the text. */
static int parse_item(struct builder *b, char *text)
{
	struct item it = { .text = text, .native = true, .compat = true };
	char *at = *text == '/' ? NULL : strchr(text, '@');

	if (*it.text == '?') {
		it.optional = true;
		it.text++;
	}
	if (at) {
		if (!strcmp(at, "@64"))
			it.compat = false;
		else if (!strcmp(at, "@32"))
			it.native = false;
		else
			return fail(b, "not an ABI that ctrace knows (@64, @32):", at);
		*at = '\0';
	}
	if (!*it.text)
		return fail(b, "an empty name in the list of system calls:", text);
	return add_item(b, &it);
}

int syscall_set_parse(const char *text, struct syscall_set *ret_set, char *err, size_t err_size)
{
	_cleanup_free_ struct syscall_set *set = calloc(1, sizeof(*set));
	_cleanup_free_ char *copy = NULL;
	struct builder b = { .set = set, .err = err, .err_size = err_size };
	bool invert = *text == '!';
	char *save, *part;
	int r;

	copy = strdup(text + invert);
	if (!set || !copy) {
		snprintf(err, err_size, "out of memory");
		return -ENOMEM;
	}
	part = strtok_r(copy, ",", &save);
	if (!part)
		return fail(&b, "an empty list of system calls:", text);
	for (; part; part = strtok_r(NULL, ",", &save)) {
		r = parse_item(&b, part);
		if (r < 0)
			return r;
	}
	for (size_t i = 0; invert && i < CT_ROWS; i++)
		set->rows[i] = !set->rows[i];
	*ret_set = *set;
	return 0;
}

void syscall_set_add_unknown(struct syscall_set *set)
{
	for (uint32_t nr = 0; nr < CT_NR_NATIVE; nr++)
		set->rows[call_row(false, nr)] |= !syscall_get(ABI_NATIVE, nr);
	for (uint32_t nr = 0; nr < CT_NR_COMPAT; nr++)
		set->rows[call_row(true, nr)] |= !syscall_get(ABI_COMPAT, nr);
	set->rows[CT_ROW_OUTSIDE] = true;
}
