/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* capget(2) and capset(2): sets of 32 bits, since version 2 in two halves. */
#include "decode/kinds.h"

#include "decode/field.h"
#include "util/macros.h"

#define CAP_VERSION_1 0x19980330u
#define CAP_VERSION_2 0x20071026u
#define CAP_VERSION_3 0x20080522u
#define CAP_HALF 12             /* struct __user_cap_data_struct: effective, permitted, inheritable */

static void decode_cap_header(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	struct bytes b = bytes_of(dec_good(d, reg, 0, 0));

	if (!dec_reg(d, reg) || b.len < 8) {
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	field_sym(d, "version", &tab_capability_versions, get32(b, 0));
	say_field(d, "pid");
	say_pid(d, (int32_t)get32(b, 4));
	d->ops->struct_end(d->e);
}

static void capture_cap_header(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, 8);
	cap_pid_at(b, reg, CAP_ENTER, 4);
}

const struct kind kind_cap_header = { .decode = decode_cap_header, .capture = capture_cap_header };

static void words_half(struct words *w, uint32_t v, unsigned first)
{
	for (unsigned i = 0; i < 32; i++) {
		const char *name = sym_name(&tab_capabilities, first + i);

		if (!(v >> i & 1) || !name)
			continue;
		words_str(w, w->len ? "|1<<" : "1<<");
		words_str(w, name);
		v &= ~(1u << i);
	}
	if (v) {
		words_str(w, w->len ? "|" : "");
		words_hex(w, v);
	}
}

static void cap_set_half(struct dec *d, uint32_t v, unsigned first)
{
	for (unsigned i = 0; i < 32; i++) {
		const char *name = sym_name(&tab_capabilities, first + i);
		struct words w = { 0 };

		if (!(v >> i & 1) || !name)
			continue;
		words_str(&w, "1<<");
		words_str(&w, name);
		d->ops->flag(d->e, w.buf, 1ull << (first + i));
		v &= ~(1u << i);
	}
	if (v)
		d->ops->flag(d->e, NULL, v);
}

/* With -X each half has its number. */
static void cap_set_apart(struct dec *d, uint32_t low, uint32_t high)
{
	struct words lower = { 0 }, upper = { 0 };

	words_half(&lower, low, 0);
	words_half(&upper, high, 32);
	d->ops->flags_begin(d->e, 0);
	if (low || !high)
		d->ops->flag_apart(d->e, low ? lower.buf : NULL, low, EMIT_HEX);
	if (high)
		d->ops->flag_apart(d->e, upper.buf, high, EMIT_HEX);
	d->ops->flags_end(d->e);
}

static void field_cap_set(struct dec *d, const char *name, uint32_t low, uint32_t high)
{
	say_field(d, name);
	if (d->opts->consts != CONST_ABBREV) {
		cap_set_apart(d, low, high);
		return;
	}
	d->ops->flags_begin(d->e, low | (uint64_t)high << 32);
	cap_set_half(d, low, 0);
	cap_set_half(d, high, 32);
	d->ops->flags_end(d->e);
}

/* How many halves the version has; what it is comes from the first argument. */
static unsigned cap_halves(const struct dec *d)
{
	uint32_t version = get32(bytes_of(dec_good(d, 0, 0, 0)), 0);

	return version == CAP_VERSION_2 || version == CAP_VERSION_3 ? 2 : 1;
}

static void say_cap_data(struct dec *d, unsigned reg)
{
	struct bytes b = bytes_of(dec_good(d, reg, 0, 0)), high;

	if (!dec_reg(d, reg) || b.len < CAP_HALF * cap_halves(d) || !dec_good(d, 0, 0, 0)) {
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
		return;
	}
	high = cap_halves(d) == 2 ? bytes_from(b, CAP_HALF) : (struct bytes){ NULL, 0 };
	d->ops->struct_begin(d->e);
	field_cap_set(d, "effective", get32(b, 0), get32(high, 0));
	field_cap_set(d, "permitted", get32(b, 4), get32(high, 4));
	field_cap_set(d, "inheritable", get32(b, 8), get32(high, 8));
	d->ops->struct_end(d->e);
}

static void decode_cap_data_in(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	say_cap_data(d, reg);
}

static void capture_cap_data_in(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, 2 * CAP_HALF);
}

static void decode_cap_data_out(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	if (d->ok)
		say_cap_data(d, reg);
	else
		say_addr(d, dec_reg(d, reg));
}

static void capture_cap_data_out(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, 2 * CAP_HALF);
}

const struct kind kind_cap_data_in = { .decode = decode_cap_data_in, .capture = capture_cap_data_in };
const struct kind kind_cap_data_out = { .decode = decode_cap_data_out, .capture = capture_cap_data_out, .at_end = true };
