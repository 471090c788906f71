/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "make.h"
#include "util/macros.h"

struct change {
	struct rnd *r;
	json_t *root;
	unsigned left;                  /* values before the one that is to be changed */
};

static unsigned count(json_t *j)
{
	unsigned n = 0;
	const char *key;
	json_t *v;
	size_t i;

	json_object_foreach (j, key, v)
		n += 1 + count(v);
	json_array_foreach (j, i, v)
		n += 1 + count(v);
	return n;
}

/* The value of that number, counted as count() does. */
static json_t *value_at(json_t *j, unsigned *left)
{
	const char *key;
	json_t *v, *found;
	size_t i;

	json_object_foreach (j, key, v)
		if ((found = (*left)-- ? value_at(v, left) : v))
			return found;
	json_array_foreach (j, i, v)
		if ((found = (*left)-- ? value_at(v, left) : v))
			return found;
	return NULL;
}

/* A part of a text that stands anywhere in the file, mostly its beginning. */
static json_t *part_of_text(struct change *c)
{
	unsigned at = rnd_below(c->r, count(c->root));
	const char *text = json_string_value(value_at(c->root, &at));
	size_t len = text ? strlen(text) : 0, from = rnd_below(c->r, 2) ? 0 : rnd_below(c->r, (uint32_t)len);
	json_t *part = text ? json_stringn(text + from, rnd_below(c->r, (uint32_t)(len - from) + 1)) : NULL;

	return part ? part : json_string("/");
}

static json_t *another(struct change *c)
{
	static const char *const texts[] = { "", "/", "..", ".", "../x", "/a/", "a/b", "sandbox", "a\nb", "-1", "4294967297" };
	static const json_int_t numbers[] = { 0, 1, -1, 2147483647, 2147483648, 4294967295, 4294967296 + 5, INT64_MAX, INT64_MIN };
	char longest[300];

	switch (rnd_below(c->r, 12)) {
	case 0:
		return json_null();
	case 1:
		return json_true();
	case 2:
		return json_array();
	case 3:
		return json_object();
	case 4:
		memset(longest, 'a', sizeof(longest));
		return json_stringn(longest, rnd_below(c->r, 2) ? sizeof(longest) : rnd_below(c->r, sizeof(longest)));
	case 5:
		return json_real(1e300);
	case 6:
	case 7:
		return json_integer(numbers[rnd_below(c->r, ARRAY_SIZE(numbers))]);
	case 8:
		return json_string(texts[rnd_below(c->r, ARRAY_SIZE(texts))]);
	default:
		return part_of_text(c);
	}
}

/* True: it is done. */
static bool change_below(struct change *c, json_t *j)
{
	const char *key;
	json_t *v;
	void *next;
	size_t i;

	json_object_foreach_safe (j, next, key, v) {
		if (c->left-- == 0)
			return rnd_below(c->r, 5) ? json_object_set_new(j, key, another(c)) == 0 : json_object_del(j, key) == 0;
		if (change_below(c, v))
			return true;
	}
	json_array_foreach (j, i, v) {
		if (c->left-- == 0)
			return rnd_below(c->r, 2) ? json_array_set_new(j, i, another(c)) == 0 : json_array_append(j, v) == 0;
		if (change_below(c, v))
			return true;
	}
	return false;
}

size_t change_json(struct rnd *r, char *text, size_t len, size_t max)
{
	struct change c = { .r = r, .root = json_loadb(text, len, 0, NULL) };
	unsigned n = c.root ? count(c.root) : 0;
	size_t now = 0;

	if (n) {
		c.left = rnd_below(r, n);
		change_below(&c, c.root);
		now = json_dumpb(c.root, text, max, 0);
	}
	json_decref(c.root);
	return now <= max ? now : 0;
}
