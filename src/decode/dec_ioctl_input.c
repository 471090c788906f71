/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl: what input devices tell, by commands whose numbers hold a length and an index. linux/input.h */
#include "decode/ioctl_args.h"
#include "util/macros.h"

#define DIR(number) ((number) >> 30)
#define SIZE(number) ((number) >> 16 & 0x3fff)
#define NR(number) ((number) & 0xff)
enum { DIR_WRITE = 1, DIR_READ = 2 };
enum { NR_NAME = 0x06, NR_PHYS, NR_UNIQ, NR_PROP, NR_MTSLOTS, NR_KEY = 0x18, NR_LED, NR_SND, NR_SW, NR_BIT = 0x20, NR_ABS = 0x40,
       NR_SFF = 0x80, NR_SABS = 0xc0 };
#define ABS_COUNT 0x40
#define ABSINFO 24

extern const struct io_struct io_absinfo;

/* Bits by their names: what there are of them, and from which number on strace tells of none. */
struct bit_names {
	const struct symtab *table;
	unsigned max;
};

static const struct bit_names event_bits[] = {
	[0x00] = { &tab_evdev_ev, 0x1f }, [0x01] = { &tab_evdev_keys, 0x2ff }, [0x02] = { &tab_evdev_rel, 0x0f },
	[0x03] = { &tab_evdev_abs, 0x3f }, [0x04] = { &tab_evdev_msc, 0x07 }, [0x05] = { &tab_evdev_sw, 0x11 },
	[0x11] = { &tab_evdev_led, 0x0f }, [0x12] = { &tab_evdev_snd, 0x07 }, [0x14] = { &tab_evdev_rep, 0x01 },
	[0x15] = { &tab_evdev_ff, 0x7f }, [0x17] = { &tab_evdev_ff_status, 0x01 },
};
static const struct bit_names prop_bits = { &tab_evdev_props, 0x1f };

#define EV_PWR 0x16

static const struct bit_names *names_of(unsigned nr)
{
	static const uint8_t states[] = { 0x01, 0x11, 0x12, 0x05 };     /* EV_KEY, EV_LED, EV_SND, EV_SW */

	if (nr == NR_PROP)
		return &prop_bits;
	if (nr >= NR_KEY && nr <= NR_SW)
		return &event_bits[states[nr - NR_KEY]];
	if (nr < NR_BIT || nr - NR_BIT >= sizeof(event_bits) / sizeof(event_bits[0]) || !event_bits[nr - NR_BIT].table)
		return NULL;
	return &event_bits[nr - NR_BIT];
}

#define FEW 4           /* are shown without -v */

/* -X: the longs that they lie in, as numbers or as a comment. */
static void say_longs(struct dec *d, struct bytes b, unsigned n)
{
	struct words w = { 0 };

	if (d->opts->consts == CONST_RAW)
		d->ops->array_begin(d->e);
	for (unsigned i = 0; i < n; i++) {
		uint64_t v = get_uint(b, (size_t)i * d->word, d->word);

		words_str(&w, i ? ", " : "[");
		words_hex(&w, v);
		if (d->opts->consts == CONST_RAW)
			say_hex(d, v);
	}
	words_str(&w, "]");
	if (d->opts->consts == CONST_RAW)
		d->ops->array_end(d->e);
	else
		d->ops->comment(d->e, w.buf);
}

static void say_bits(struct dec *d, const struct bit_names *names, struct bytes b, uint64_t n)
{
	unsigned shown = 0, longs = (unsigned)((MIN(n, names->max) + 8 * d->word - 1) / (8 * d->word));

	if (d->opts->consts == CONST_RAW) {
		say_longs(d, b, longs);
		return;
	}
	d->ops->set_begin(d->e);
	for (unsigned i = 0; i < n && i < names->max && i / 8 < b.len; i++) {
		if (!(b.p[i / 8] >> (i % 8) & 1))
			continue;
		if (shown++ == FEW && !d->opts->no_abbrev) {
			d->ops->more(d->e);
			break;
		}
		say_sym(d, names->table, i);
	}
	d->ops->array_end(d->e);
	if (d->opts->consts == CONST_VERBOSE)
		say_longs(d, b, longs);
}

static void say_text(struct dec *d, struct bytes b, uint64_t len)
{
	size_t limit = d->opts->string_limit, have = len < b.len ? (size_t)len : b.len;

	d->ops->str(d->e, b.p ? b.p : (const uint8_t *)"", have < limit ? have : limit, len > limit ? EMIT_STR_CUT : 0);
}

static void say_slots(struct dec *d, struct bytes b, uint32_t size)
{
	uint32_t n = size / 4 - 1;

	d->ops->struct_begin(d->e);
	field_sym(d, "code", &tab_evdev_mt, get32(b, 0));
	say_field(d, "values");
	d->ops->array_begin(d->e);
	for (uint32_t i = 0; i < n; i++) {
		if (!dec_shows(d, i)) {
			d->ops->more(d->e);
			break;
		}
		if (!bytes_have(b, 4 + 4 * (size_t)i, 4)) {
			say_rest_unread(d, dec_reg(d, 2) + 4 + 4ull * i);
			break;
		}
		say_dec(d, (int32_t)get32(b, 4 + 4 * (size_t)i));
	}
	d->ops->array_end(d->e);
	d->ops->struct_end(d->e);
}

static bool say_axis(struct dec *d, struct bytes b, uint32_t size)
{
	if (size < ABSINFO || b.len < ABSINFO)
		return false;
	io_say_struct_open(d, &io_absinfo, b);
	if (size > ABSINFO && d->opts->no_abbrev)
		d->ops->more(d->e);
	d->ops->struct_end(d->e);
	return true;
}

/* True: it has been told. */
static bool say_read(struct dec *d, uint32_t number)
{
	unsigned nr = NR(number);
	bool text = nr >= NR_NAME && nr <= NR_UNIQ;
	struct bytes b = bytes_of(text ? dec_good_text(d, 2, IO_AFTER, 0) : dec_good(d, 2, IO_AFTER, 0));
	uint64_t result = (uint64_t)d->call->ret;
	const struct bit_names *names = names_of(nr);

	if (nr >= NR_ABS && nr < NR_ABS + ABS_COUNT)
		return say_axis(d, b, SIZE(number));
	if (text) {
		if (result && !b.len)
			return false;
		say_text(d, b, result);
	} else if (nr == NR_MTSLOTS) {
		if (SIZE(number) < 4 || b.len < 4)
			return false;
		say_slots(d, b, SIZE(number));
	} else if (nr == NR_BIT + EV_PWR) {
		if (b.len < 4)
			return false;
		say_boxed_dec(d, (int32_t)get32(b, 0));
	} else if (names && result && b.len >= (MIN(result * 8, names->max) + 7) / 8) {
		say_bits(d, names, b, result * 8);
	} else {
		return false;
	}
	return true;
}

bool io_say_input(struct dec *d, uint32_t number)
{
	unsigned nr = NR(number);

	/* EVIOCSFF of another ABI. */
	if (DIR(number) == DIR_WRITE && nr == NR_SFF) {
		say_addr(d, dec_reg(d, 2));
		return true;
	}
	if (DIR(number) == DIR_WRITE && nr >= NR_SABS) {
		if (!dec_reg(d, 2) || !say_axis(d, bytes_of(dec_good(d, 2, IO_BEFORE, 0)), SIZE(number)))
			say_unreadable(d, 2, dec_cap(d, 2, IO_BEFORE, 0));
		return true;
	}
	if (DIR(number) != DIR_READ || !((nr >= NR_NAME && nr <= NR_MTSLOTS) || (nr >= NR_KEY && nr <= NR_SW) ||
					 (nr >= NR_BIT && nr < NR_ABS + ABS_COUNT)))
		return false;
	dec_at_end(d);
	if (!d->ok || !dec_reg(d, 2) || !say_read(d, number))
		say_addr(d, dec_reg(d, 2));
	return true;
}
