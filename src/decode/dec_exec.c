/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* execve, execveat: vectors of strings. */
#include "decode/field.h"
#include "decode/kinds.h"

#include <string.h>

/* strace shows as many strings as -s has bytes, and with -v all of them. */
static uint32_t vector_limit(const struct decode_opts *opts)
{
	return opts->no_abbrev ? CT_VEC_MAX : opts->string_limit < CT_VEC_MAX ? opts->string_limit : CT_VEC_MAX;
}

static void say_vector(struct dec *d, unsigned reg)
{
	const struct capture *c;
	unsigned i;

	d->ops->array_begin(d->e);
	for (i = 0; i <= CT_VEC_MAX; i++) {
		c = dec_cap(d, reg, 0, i);
		if (!c || (!c->len && (c->flags & CT_CAP_CUT)))
			break;
		if (!(c->flags & CT_CAP_FAILED)) {
			say_str(d, c, false);
			continue;
		}
		/* A string that could not be read, of which its pointer is known; or a pointer, with which the vector ends. */
		dec_note(d, c);
		if (c->len < sizeof(uint64_t)) {
			say_rest_unread(d, dec_reg(d, reg) + (uint64_t)i * d->word);
			break;
		}
		say_addr(d, get_uint((struct bytes){ c->data, c->len }, 0, sizeof(uint64_t)));
	}
	c = dec_cap(d, reg, 0, i);
	if (c && (c->flags & CT_CAP_CUT) && !(c->flags & CT_CAP_FAILED)) {
		d->ops->more(d->e);
		d->ops->note(d->e, NOTE_CUT, 0);
	}
	d->ops->array_end(d->e);
}

/* An empty vector leaves no capture; that its count was read tells it from one that could not be read. */
static bool vector_readable(const struct dec *d, unsigned reg)
{
	const struct capture *first = dec_cap(d, reg, 0, 0);

	return first ? !(first->flags & CT_CAP_FAILED) || first->len >= sizeof(uint64_t) : dec_good(d, reg, 1, 0) != NULL;
}

static void decode_argv(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	if (!dec_reg(d, reg))
		d->ops->null(d->e);
	else if (vector_readable(d, reg))
		say_vector(d, reg);
	else
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
}

static void capture_vector(struct cap_builder *b, unsigned reg)
{
	struct cap_op *op = cap_add(b, reg, 0, CAP_STRV, CAP_ENTER);

	op->elem = vector_limit(b->opts);
	op->max = cap_limit(b) + 1;
}

static void capture_count(struct cap_builder *b, unsigned reg, unsigned part)
{
	struct cap_op *op = cap_add(b, reg, part, CAP_VCOUNT, CAP_ENTER);

	op->max = 4;
}

static void capture_argv(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	capture_vector(b, reg);
	capture_count(b, reg, 1);
}

static void decode_envp(struct dec *d, const struct arg *a, unsigned reg)
{
	struct words w = { 0 };
	uint32_t n;

	if (d->opts->no_abbrev) {
		decode_argv(d, a, reg);
		return;
	}
	say_addr(d, dec_reg(d, reg));
	if (!dec_reg(d, reg) || !dec_read(d, reg, 1, &n, sizeof(n))) {
		if (dec_reg(d, reg))
			dec_note(d, dec_cap(d, reg, 1, 0));
		return;
	}
	words_udec(&w, n);
	words_str(&w, n == 1 ? " var" : " vars");
	if (dec_good(d, reg, 1, 0)->flags & CT_CAP_CUT)
		words_str(&w, ", unterminated");
	d->ops->comment(d->e, w.buf);
}

static void capture_envp(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	if (b->opts->no_abbrev)
		capture_vector(b, reg);
	capture_count(b, reg, 1);
}

const struct kind kind_argv = { .decode = decode_argv, .capture = capture_argv };
const struct kind kind_envp = { .decode = decode_envp, .capture = capture_envp };
