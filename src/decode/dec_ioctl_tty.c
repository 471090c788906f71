/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl: struct termios and its kin. Flags, and constants of several bits among them; as strace, always named. */
#include "decode/ioctl_args.h"
#include "util/macros.h"

#include <stdio.h>

static void words_bit_names(struct words *w, const struct symtab *t, uint32_t v)
{
	const char *bar = "";

	for (size_t i = 0; i < t->n; i++) {
		if (!(v & t->v[i].v))
			continue;
		words_str(w, bar);
		words_str(w, t->v[i].name);
		v &= ~(uint32_t)t->v[i].v;
		bar = "|";
	}
	if (v) {
		words_str(w, bar);
		words_hex(w, v);
	}
}

static void words_bits(const struct dec *d, struct words *w, const struct symtab *t, uint32_t v)
{
	struct words names = { 0 };

	if (!v)
		return;
	words_bit_names(&names, t, v);
	words_named(d, w, names.buf, v);
}

static void field_words(struct dec *d, const char *name, const struct words *w)
{
	say_field(d, name);
	d->ops->word(d->e, w->buf);
}

static void field_iflag(struct dec *d, const char *name, const struct symtab *t, uint32_t v)
{
	struct words w = { 0 };

	words_bits(d, &w, t, v);
	field_words(d, name, &w);
}

/* Delays are constants of one or two bits; they are always named. */
static void field_oflag(struct dec *d, uint32_t v)
{
	static const struct { const char *name; unsigned shift, mask; } delays[] = {
		{ "NL", 8, 1 }, { "CR", 9, 3 }, { "TAB", 11, 3 }, { "BS", 13, 1 }, { "VT", 14, 1 }, { "FF", 15, 1 },
	};
	struct words w = { 0 };
	uint32_t rest = v;
	char name[16];

	for (size_t i = 0; i < ARRAY_SIZE(delays); i++) {
		unsigned delay = v >> delays[i].shift & delays[i].mask;

		if (delays[i].shift == 11 && delay == 3)
			snprintf(name, sizeof(name), "XTABS");
		else
			snprintf(name, sizeof(name), "%s%u", delays[i].name, delay);
		words_named(d, &w, name, delay << delays[i].shift);
		words_str(&w, "|");
		rest &= ~(delays[i].mask << delays[i].shift);
	}
	words_bits(d, &w, &tab_termios_oflag, rest);
	field_words(d, "c_oflag", &w);
}

#define BAUD_MASK 0x100fu
#define INPUT_BAUD_SHIFT 16

static void field_cflag(struct dec *d, uint32_t v)
{
	uint32_t input = v >> INPUT_BAUD_SHIFT & BAUD_MASK, rest = v & ~(BAUD_MASK | BAUD_MASK << INPUT_BAUD_SHIFT | 0x30u);
	struct words w = { 0 };
	char size[8];

	words_named(d, &w, sym_name(&tab_baud_rates, v & BAUD_MASK), v & BAUD_MASK);
	if (input) {
		words_str(&w, "|");
		words_named(d, &w, sym_name(&tab_baud_rates, input), input);
		words_str(&w, "<<");
		words_named(d, &w, "IBSHIFT", INPUT_BAUD_SHIFT);
	}
	snprintf(size, sizeof(size), "CS%u", 5 + (v >> 4 & 3));
	words_str(&w, "|");
	words_named(d, &w, size, v & 0x30);
	words_str(&w, "|");
	words_bits(d, &w, &tab_termios_cflag, rest);
	field_words(d, "c_cflag", &w);
}

static void field_control_chars(struct dec *d, struct bytes b, unsigned n)
{
	static const char *const names[] = { "VINTR", "VQUIT", "VERASE", "VKILL", "VEOF", "VTIME", "VMIN", "VSWTC", "VSTART",
					     "VSTOP", "VSUSP", "VEOL", "VREPRINT", "VDISCARD", "VWERASE", "VLNEXT", "VEOL2" };
	struct words w = { 0 };

	words_str(&w, "[");
	for (unsigned i = 0; i < n; i++) {
		words_str(&w, i ? ", [" : "[");
		if (i < ARRAY_SIZE(names))
			words_str(&w, names[i]);
		else
			words_udec(&w, i);
		words_str(&w, "]=");
		words_hex(&w, get8(b, i));
	}
	words_str(&w, "]");
	field_words(d, "c_cc", &w);
}

/* word: 4, or 2 for the old struct termio. */
static void say_termios(struct dec *d, struct bytes b, unsigned word, bool speeds)
{
	d->ops->struct_begin(d->e);
	field_iflag(d, "c_iflag", &tab_termios_iflag, (uint32_t)get_uint(b, 0, word));
	field_oflag(d, (uint32_t)get_uint(b, word, word));
	field_cflag(d, (uint32_t)get_uint(b, 2 * word, word));
	field_iflag(d, "c_lflag", &tab_termios_lflag, (uint32_t)get_uint(b, 3 * word, word));
	if (d->opts->no_abbrev) {
		field_sym(d, "c_line", &tab_ldiscs, get8(b, 4 * word));
		field_control_chars(d, bytes_from(b, 4 * word + 1), word == 2 ? 8 : 19);
		if (speeds) {
			field_udec(d, "c_ispeed", get32(b, 36));
			field_udec(d, "c_ospeed", get32(b, 40));
		}
	} else {
		d->ops->more(d->e);
	}
	d->ops->struct_end(d->e);
}

static void say_termios_field(struct dec *d, struct bytes b, size_t off)
{
	say_termios(d, bytes_from(b, off), 4, false);
}

static void say_termios2_field(struct dec *d, struct bytes b, size_t off)
{
	say_termios(d, bytes_from(b, off), 4, true);
}

static void say_termio_field(struct dec *d, struct bytes b, size_t off)
{
	say_termios(d, bytes_from(b, off), 2, false);
}

IO_PLAIN(termios, HAND(NULL, say_termios_field, 36))
IO_PLAIN(termios2, HAND(NULL, say_termios2_field, 44))
IO_PLAIN(termio, HAND(NULL, say_termio_field, 17))
