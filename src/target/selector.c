/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "target/selector.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

/* The limits of labels: 63 bytes for a value and for a key's name, 253 for the key's prefix. */
#define VALUE_MAX  63
#define KEY_MAX    (253 + 1 + 63)
#define PARTS_MAX  256

enum operator { OP_EXISTS, OP_ABSENT, OP_IN, OP_NOT_IN, OP_GREATER, OP_LESS };

struct requirement {
	char *key;
	enum operator op;
	char **values;
	size_t n_values;
};

struct selector {
	struct requirement *v;
	size_t n;
};

struct parser {
	const char *p;
	const char *why;
};

void selector_free(struct selector *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++) {
		free(s->v[i].key);
		for (size_t k = 0; k < s->v[i].n_values; k++)
			free(s->v[i].values[k]);
		free(s->v[i].values);
	}
	free(s->v);
	free(s);
}

static int fail(struct parser *p, const char *why)
{
	p->why = why;
	return -EINVAL;
}

static void skip_blanks(struct parser *p)
{
	p->p += strspn(p->p, " \t");
}

/* Whether the next byte, behind blanks, is this one; it is taken. */
static bool take_byte(struct parser *p, char byte)
{
	skip_blanks(p);
	if (*p->p != byte)
		return false;
	p->p++;
	return true;
}

/* A word of the bytes that keys (with slash) and values have; may be empty. */
static int take_word(struct parser *p, bool key, char **ret)
{
	static const char bytes[] = "/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
	size_t n;

	skip_blanks(p);
	n = strspn(p->p, key ? bytes : bytes + 1);
	if (n > (key ? KEY_MAX : VALUE_MAX))
		return fail(p, key ? "a key is too long" : "a value is longer than 63 bytes");
	*ret = strndup(p->p, n);
	p->p += n;
	return *ret ? 0 : -ENOMEM;
}

static int add_value(struct parser *p, struct requirement *r)
{
	char **v;

	if (r->n_values >= PARTS_MAX)
		return fail(p, "too many values");
	v = reallocarray(r->values, r->n_values + 1, sizeof(*v));
	if (!v)
		return -ENOMEM;
	r->values = v;
	v[r->n_values] = NULL;
	return take_word(p, false, &v[r->n_values++]);
}

static int parse_set(struct parser *p, struct requirement *r)
{
	int err;

	if (!take_byte(p, '('))
		return fail(p, "'in' and 'notin' want values in parentheses");
	do
		err = add_value(p, r);
	while (err == 0 && take_byte(p, ','));
	if (err == 0 && !take_byte(p, ')'))
		return fail(p, "a parenthesis is not closed");
	return err;
}

static bool is_number(const char *s, int64_t *ret)
{
	char *end;

	errno = 0;
	*ret = strtoll(s, &end, 10);
	return *s && !*end && !errno;
}

static bool take_operator(struct parser *p, const char *text)
{
	size_t n = strlen(text);

	if (strncmp(p->p, text, n))
		return false;
	/* A word ends where it ends: "inner" is none. */
	if (text[0] == 'i' || text[0] == 'n')
		if (p->p[n] != ' ' && p->p[n] != '\t' && p->p[n] != '(')
			return false;
	p->p += n;
	return true;
}

static int parse_operator(struct parser *p, struct requirement *r)
{
	static const struct {
		const char *text;
		enum operator op;
		bool set;
	} operators[] = {
		{ "==", OP_IN, false }, { "!=", OP_NOT_IN, false }, { "=", OP_IN, false }, { ">", OP_GREATER, false },
		{ "<", OP_LESS, false }, { "in", OP_IN, true }, { "notin", OP_NOT_IN, true },
	};
	int64_t number;
	size_t i = 0;
	int err;

	skip_blanks(p);
	while (i < ARRAY_SIZE(operators) && !take_operator(p, operators[i].text))
		i++;
	if (i == ARRAY_SIZE(operators))
		return *p->p && *p->p != ',' ? fail(p, "after a key there is =, ==, !=, in, notin, > or <, or a comma") : 0;
	r->op = operators[i].op;
	if (operators[i].set)
		return parse_set(p, r);
	err = add_value(p, r);
	if (err == 0 && (r->op == OP_GREATER || r->op == OP_LESS) && !is_number(r->values[0], &number))
		return fail(p, "> and < want a number");
	return err;
}

static int parse_requirement(struct parser *p, struct selector *s)
{
	struct requirement *v = reallocarray(s->v, s->n + 1, sizeof(*v)), *r;
	bool absent = take_byte(p, '!');
	int err;

	if (!v)
		return -ENOMEM;
	s->v = v;
	r = &v[s->n++];
	*r = (struct requirement){ .op = absent ? OP_ABSENT : OP_EXISTS };
	err = take_word(p, true, &r->key);
	if (err < 0)
		return err;
	if (!*r->key)
		return fail(p, "a key is missing");
	return absent ? 0 : parse_operator(p, r);
}

int selector_parse(const char *text, struct selector **ret_selector, const char **ret_why)
{
	_cleanup_(selector_freep) struct selector *s = calloc(1, sizeof(*s));
	struct parser p = { .p = text };
	int err = s ? 0 : -ENOMEM;

	while (err == 0) {
		err = s->n < PARTS_MAX ? parse_requirement(&p, s) : fail(&p, "too many requirements");
		if (err || !take_byte(&p, ','))
			break;
	}
	skip_blanks(&p);
	if (err == 0 && *p.p)
		err = fail(&p, "a comma is missing between two requirements");
	if (err == -EINVAL)
		*ret_why = p.why;
	if (err == 0)
		*ret_selector = TAKE_PTR(s);
	return err;
}

static bool has_value(const struct requirement *r, const char *value)
{
	for (size_t i = 0; i < r->n_values; i++)
		if (!strcmp(r->values[i], value))
			return true;
	return false;
}

static bool compares(const struct requirement *r, const char *value)
{
	int64_t is, want;

	if (!value || !is_number(value, &is) || !is_number(r->values[0], &want))
		return false;
	return r->op == OP_GREATER ? is > want : is < want;
}

static bool holds(const struct requirement *r, const char *value)
{
	switch (r->op) {
	case OP_EXISTS:
		return value;
	case OP_ABSENT:
		return !value;
	case OP_IN:
		return value && has_value(r, value);
	case OP_NOT_IN:
		return !value || !has_value(r, value);
	case OP_GREATER:
	case OP_LESS:
		return compares(r, value);
	}
	return false;
}

bool selector_matches(const struct selector *s, const char *(*get)(const char *key, const void *data), const void *data)
{
	for (size_t i = 0; i < s->n; i++)
		if (!holds(&s->v[i], get(s->v[i].key, data)))
			return false;
	return true;
}
