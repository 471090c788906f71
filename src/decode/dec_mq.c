/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* POSIX message queues. */
#include "decode/kinds.h"

#include "decode/field.h"
#include "util/macros.h"

#define O_CREAT_BIT 0100u

static void say_mq_attr(struct dec *d, unsigned reg)
{
	struct bytes b = bytes_of(dec_good(d, reg, 0, 0));
	static const char *const names[] = { "mq_maxmsg", "mq_msgsize", "mq_curmsgs" };

	if (!dec_reg(d, reg) || b.len < 4 * d->word) {
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	field_flags(d, "mq_flags", &tab_mq_flags, get_uint(b, 0, d->word));
	for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
		uint64_t v = get_uint(b, (i + 1) * d->word, d->word);

		field_dec(d, names[i], d->word == 4 ? (int32_t)v : (int64_t)v);
	}
	d->ops->struct_end(d->e);
}

static void decode_mq_attr_in(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	say_mq_attr(d, reg);
}

static void capture_mq_attr_in(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, 4 * b->word);
}

static bool present_if_creat(const struct dec *d, const struct arg *a, unsigned reg _unused_)
{
	return dec_reg(d, a->a) & O_CREAT_BIT;
}

static void decode_mq_attr_out(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	if (d->ok)
		say_mq_attr(d, reg);
	else
		say_addr(d, dec_reg(d, reg));
}

static void capture_mq_attr_out(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, 4 * b->word);
}

static void decode_mq_mode(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	say_mode(d, (uint16_t)dec_reg(d, reg));
}

const struct kind kind_mq_mode_if_creat = { .decode = decode_mq_mode, .present = present_if_creat };
const struct kind kind_mq_attr_in = { .decode = decode_mq_attr_in, .capture = capture_mq_attr_in };
const struct kind kind_mq_attr_if_creat = { .decode = decode_mq_attr_in, .capture = capture_mq_attr_in, .present = present_if_creat };
const struct kind kind_mq_attr_out = { .decode = decode_mq_attr_out, .capture = capture_mq_attr_out, .at_end = true };
