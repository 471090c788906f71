/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl: the console's keyboard, fonts and sounds. ioctl_console(2), linux/kd.h, linux/keyboard.h */
#include "decode/ioctl_hand.h"
#include "util/macros.h"

#include <stdio.h>

/* Words that only name what a number says: none with -X raw. */
static void remark(struct dec *d, const char *text)
{
	if (d->opts->consts != CONST_RAW)
		d->ops->comment(d->e, text);
}

/* --- sounds --- */

#define PIT_TICKS 1193182u      /* a second */

static void say_sound(struct dec *d, const struct io_command *c _unused_)
{
	uint64_t ticks = dec_reg(d, 2);
	char text[32] = "off";

	say_udec(d, ticks);
	if (ticks && ticks <= PIT_TICKS)
		snprintf(text, sizeof(text), "%u Hz", PIT_TICKS / (unsigned)ticks);
	remark(d, text);
}

static void say_tone(struct dec *d, const struct io_command *c _unused_)
{
	uint32_t v = (uint32_t)dec_reg(d, 2), ms = v >> 16, ticks = v & 0xffff;
	char text[48] = "off";
	struct words w = { 0 };

	if (ms) {
		words_udec(&w, ms);
		words_str(&w, "<<16|");
	}
	words_udec(&w, ticks);
	d->ops->word(d->e, w.buf);
	if (ms && ticks)
		snprintf(text, sizeof(text), "%u Hz, %u ms", PIT_TICKS / ticks, ms);
	remark(d, text);
}

const struct io_hand io_kd_sound = { .say = say_sound };
const struct io_hand io_kd_tone = { .say = say_tone };

static void say_accepted(struct dec *d, const struct io_command *c _unused_)
{
	uint64_t v = dec_reg(d, 2);

	if (v < 128)
		say_signal(d, (int)v);
	else
		say_udec(d, v);
}

const struct io_hand io_kd_signal = { .say = say_accepted };

/* --- keys --- */

static void say_kb_table(struct dec *d, struct bytes all, size_t off)
{
	uint8_t v = get8(all, off);
	const char *name = sym_name(&tab_kb_tables, v);

	if (name)
		d->ops->sym(d->e, name, v);
	else
		say_flags(d, &tab_kb_shifts, v);
}

/* What a key does, as the kernel's headers name it, or by its type and the value in it. */
static void say_kb_value(struct dec *d, struct bytes all, size_t off)
{
	enum { LATIN = 0, META = 8, LETTER = 11, DEAD2 = 13 };
	uint16_t v = get16(all, off);
	unsigned type = v >> 8, value = v & 0xff;
	const char *name = sym_name(&tab_kb_keys, v), *type_name = sym_name(&tab_kb_key_types, type);
	char text[48], shown[8];

	say_hex(d, v);
	if (name) {
		remark(d, name);
		return;
	}
	if (type == LATIN || type == META || type == LETTER || type == DEAD2)
		io_char(shown, (uint8_t)value);
	else
		snprintf(shown, sizeof(shown), "%#x", value);
	if (type_name)
		snprintf(text, sizeof(text), "K(%s, %s)", type_name, shown);
	else
		snprintf(text, sizeof(text), "K(%#x, %s)", type, shown);
	remark(d, text);
}

#define KB_TABLE HAND("kb_table", say_kb_table, 1)
IO_STRUCT(kbentry, KB_TABLE, U1(kb_index), HAND("kb_value", say_kb_value, 2))
IO_STRUCT(kbentry_get, KB_TABLE, U1(kb_index), EXITS, AT(2, 2), HAND("kb_value", say_kb_value, 2))

#define FUNCTION_KEYS 0x100     /* of KT_FN */

static void say_kb_func(struct dec *d, struct bytes all, size_t off)
{
	uint8_t v = get8(all, off);
	const char *name = sym_name(&tab_kb_functions, FUNCTION_KEYS + v);
	char text[48];

	if (!name) {
		say_udec(d, v);
		return;
	}
	snprintf(text, sizeof(text), "KVAL(%s)", name);
	d->ops->named(d->e, text, v, EMIT_HEX);
}

#define KB_STRING 512
#define IO_KB_GET 0x4b48u       /* KDGKBSENT */

/* Up to its NUL, which stands before the end of what can be read or not at all. */
static void say_kb_string(struct dec *d, struct bytes b, uint64_t addr)
{
	struct bytes s = bytes_cut(bytes_from(b, 1), KB_STRING);
	const uint8_t *nul = s.len ? memchr(s.p, 0, s.len) : NULL;
	size_t len = nul ? (size_t)(nul - s.p) : s.len, shown = MIN(len, (size_t)d->opts->string_limit);

	say_field(d, "kb_string");
	if (nul || s.len == KB_STRING || shown < len)
		d->ops->str(d->e, s.p, shown, shown < len || !nul ? EMIT_STR_CUT : 0);
	else
		say_addr(d, addr);
}

static void say_kbsentry(struct dec *d, const struct io_command *c)
{
	struct bytes b = io_before(d), after = io_after(d);
	uint64_t addr = dec_reg(d, 2) + 1;

	if (!io_has(d, b, 1, IO_BEFORE))
		return;
	d->ops->struct_begin(d->e);
	say_field(d, "kb_func");
	say_kb_func(d, b, 0);
	if (c->number == IO_KB_GET) {
		dec_at_end(d);
		if (d->ok)
			say_kb_string(d, after, addr);
	} else {
		say_kb_string(d, b, addr);
	}
	d->ops->struct_end(d->e);
}

static void cap_kbsentry(struct cap_builder *b, const struct io_command *c)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, c->number == IO_KB_GET ? 1 : 1 + KB_STRING);
	if (c->number == IO_KB_GET)
		cap_fixed(b, 2, IO_AFTER, CAP_EXIT, 1 + KB_STRING);
}

const struct io_hand io_kd_string = { .say = say_kbsentry, .capture = cap_kbsentry };

IO_STRUCT(kbdiacr, IO_F("diacr", IOF_CHAR, 1), IO_F("base", IOF_CHAR, 1), IO_F("result", IOF_CHAR, 1))
IO_STRUCT(kbdiacruc, X4(diacr), X4(base), X4(result))
#define ACCENTS 256

static void say_accent(struct dec *d, struct bytes b)
{
	io_say_struct(d, &io_kbdiacr, b, (struct bytes){ NULL, 0 });
}

static void say_accent_uc(struct dec *d, struct bytes b)
{
	io_say_struct(d, &io_kbdiacruc, b, (struct bytes){ NULL, 0 });
}

static bool is_wide(const struct io_command *c)
{
	return c->number == 0x4bfa || c->number == 0x4bfb;      /* KDGKBDIACRUC, KDSKBDIACRUC */
}

/* More than a table has are not there to be shown. */
static void say_table(struct dec *d, unsigned part, uint32_t n, size_t size, void (*element)(struct dec *d, struct bytes b))
{
	struct bytes b = bytes_from(io_part(d, part), 4);

	if (n <= ACCENTS || !d->opts->no_abbrev || b.len < ACCENTS * size) {
		io_say_behind(d, part, 4, n, size, element);
		return;
	}
	d->ops->array_begin(d->e);
	for (unsigned i = 0; i < ACCENTS; i++)
		element(d, bytes_cut(bytes_from(b, i * size), size));
	d->ops->more(d->e);
	d->ops->array_end(d->e);
}

static void say_accents(struct dec *d, const struct io_command *c)
{
	unsigned part = c->hand->at_end ? IO_AFTER : IO_BEFORE;
	struct bytes b = io_part(d, part);

	if (part == IO_AFTER && !d->ok) {
		say_addr(d, dec_reg(d, 2));
		return;
	}
	if (!io_has(d, b, 4, part))
		return;
	d->ops->struct_begin(d->e);
	field_udec(d, "kb_cnt", get32(b, 0));
	say_field(d, is_wide(c) ? "kbdiacruc" : "kbdiacr");
	if (is_wide(c))
		say_table(d, part, get32(b, 0), 12, say_accent_uc);
	else
		say_table(d, part, get32(b, 0), 3, say_accent);
	d->ops->struct_end(d->e);
}

static void cap_accents(struct cap_builder *b, const struct io_command *c)
{
	uint32_t size = 4 + ACCENTS * (is_wide(c) ? 12 : 3);

	if (c->hand->at_end)
		cap_fixed(b, 2, IO_AFTER, CAP_EXIT, size);
	else
		cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, size);
}

const struct io_hand io_kd_accents = { .say = say_accents, .capture = cap_accents };
const struct io_hand io_kd_accents_get = { .say = say_accents, .capture = cap_accents, .at_end = true };

/* --- maps of characters --- */

IO_BOX(box_kb_meta, ET(IOF_SYM, 4, kb_meta))
IO_BOX(box_kb_leds, ET(IOF_FLAGS, 1, kb_leds))
IO_STRUCT(unimapinit, U2(advised_hashsize), U2(advised_hashstep), U2(advised_hashlevel))
#define GLYPHS 256
#define DIRECT_BASE 0xf000u     /* UNI_DIRECT_BASE: fonts' own characters, 512 of them */

static void say_glyph(struct dec *d, struct bytes b)
{
	uint16_t v = get16(b, 0);
	char text[32];

	if ((v & ~0x1ffu) == DIRECT_BASE) {
		snprintf(text, sizeof(text), "UNI_DIRECT_BASE+%#x", v & 0x1ff);
		d->ops->named(d->e, text, v, EMIT_HEX);
	} else {
		say_hex(d, v);
	}
}

static void say_glyphs_in(struct dec *d, const struct io_command *c _unused_)
{
	io_say_behind(d, IO_BEFORE, 0, GLYPHS, 2, say_glyph);
}

static void say_glyphs_out(struct dec *d, const struct io_command *c _unused_)
{
	if (d->ok)
		io_say_behind(d, IO_AFTER, 0, GLYPHS, 2, say_glyph);
	else
		say_addr(d, dec_reg(d, 2));
}

static void cap_glyphs_in(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, 2 * GLYPHS);
}

static void cap_glyphs_out(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, 2 * GLYPHS);
}

const struct io_hand io_kd_glyphs = { .say = say_glyphs_in, .capture = cap_glyphs_in };
const struct io_hand io_kd_glyphs_get = { .say = say_glyphs_out, .capture = cap_glyphs_out, .at_end = true };

IO_PLAIN(screen_font, { .form = IOF_BYTES, .size = 1, .n = 8192 })
IO_PLAIN(color_map, { .form = IOF_BYTES, .size = 1, .n = 48 })

static void say_pair(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_hex(d, "unicode", get16(b, 0));
	field_hex(d, "fontpos", get16(b, 2));
	d->ops->struct_end(d->e);
}

#define IO_GET 0x4b66u          /* GIO_UNIMAP */

static void say_unimap(struct dec *d, const struct io_command *c)
{
	bool get = c->number == IO_GET;
	struct bytes b = get && d->ok ? io_after(d) : io_before(d);
	size_t size = 2 * d->word;
	uint64_t addr = get_uint(b, d->word, d->word);

	if (!io_has(d, b, size, get && d->ok ? IO_AFTER : IO_BEFORE))
		return;
	d->ops->struct_begin(d->e);
	field_udec(d, "entry_ct", get16(b, 0));
	say_field(d, "entries");
	if (!addr || (get && !d->ok))
		say_addr(d, addr);
	else
		say_array(d, dec_cap(d, 2, IO_MORE, 0), addr, get16(b, 0), 4, say_pair);
	d->ops->struct_end(d->e);
}

static void cap_unimap(struct cap_builder *b, const struct io_command *c)
{
	bool get = c->number == IO_GET;
	struct cap_op *op;

	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, 2 * b->word);
	if (get)
		cap_fixed(b, 2, IO_AFTER, CAP_EXIT, 2 * b->word);
	op = cap_add(b, 2, IO_MORE, CAP_BYTES, (get ? CAP_EXIT : CAP_ENTER) | CAP_LEN16);
	op->len_from = CAP_LEN_FIELD;
	op->elem = 4;
	op->via_off = (uint16_t)b->word;
	op->max = CT_CAP_MAX;
}

const struct io_hand io_kd_unimap = { .say = say_unimap, .capture = cap_unimap, .at_end = false };
const struct io_hand io_kd_unimap_get = { .say = say_unimap, .capture = cap_unimap, .at_end = true };

/* --- fonts --- */

#define GLYPH 32                /* bytes, of at most 8 columns */

enum { FONT_IN = IO_MORE, FONT_OUT };

/* size: what the kernel reads or has written; its beginning is captured. */
static void say_font_data(struct dec *d, uint64_t addr, uint64_t size, unsigned part)
{
	const struct capture *c = dec_good(d, 2, part, 0);

	if (addr && (c || !size))
		say_hex_bytes(d, c ? c->data : "", c ? MIN(c->len, size) : 0, size);
	else
		say_addr(d, addr);
}

/* part: of the data; 0: they are not told. */
static void say_fontx(struct dec *d, struct bytes b, unsigned part)
{
	uint64_t addr = get_uint(b, d->word, d->word);

	d->ops->struct_begin(d->e);
	field_udec(d, "charcount", get16(b, 0));
	field_udec(d, "charheight", get16(b, 2));
	say_field(d, "chardata");
	if (part)
		say_font_data(d, addr, (uint64_t)get16(b, 0) * GLYPH, part);
	else
		say_addr(d, addr);
	d->ops->struct_end(d->e);
}

static void say_fontx_put(struct dec *d, const struct io_command *c _unused_)
{
	if (io_has(d, io_before(d), 2 * d->word, IO_BEFORE))
		say_fontx(d, io_before(d), FONT_IN);
}

static void say_fontx_get(struct dec *d, const struct io_command *c _unused_)
{
	if (!io_has(d, io_before(d), 2 * d->word, IO_BEFORE))
		return;
	say_fontx(d, io_before(d), 0);
	dec_at_end(d);
	if (!d->ok)
		return;
	d->ops->change(d->e);
	if (io_has(d, io_after(d), 2 * d->word, IO_AFTER))
		say_fontx(d, io_after(d), FONT_OUT);
}

static void cap_font(struct cap_builder *b, unsigned part, unsigned size, unsigned at)
{
	struct cap_op *op;

	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, size);
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, size);
	op = cap_add(b, 2, part, CAP_BYTES, part == FONT_IN ? CAP_ENTER : CAP_EXIT);
	op->via_off = (uint16_t)at;
	op->max = cap_limit(b);
}

static void cap_fontx_put(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_font(b, FONT_IN, 2 * b->word, b->word);
}

static void cap_fontx_get(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_font(b, FONT_OUT, 2 * b->word, b->word);
}

const struct io_hand io_kd_fontx = { .say = say_fontx_put, .capture = cap_fontx_put };
const struct io_hand io_kd_fontx_get = { .say = say_fontx_get, .capture = cap_fontx_get };

enum { FONT_SET, FONT_GET, FONT_SET_DEFAULT, FONT_COPY };
enum { FO_OP = 0, FO_FLAGS = 4, FO_WIDTH = 8, FO_HEIGHT = 12, FO_COUNT = 16 };

static void say_font_part(struct dec *d, struct bytes b, uint32_t op, unsigned part)
{
	size_t at = d->word == 8 ? 24 : 20;
	uint32_t width = get32(b, FO_WIDTH), count = get32(b, FO_COUNT);
	uint64_t addr = get_uint(b, at, d->word);

	field_udec(d, "width", width);
	field_udec(d, "height", get32(b, FO_HEIGHT));
	if (op == FONT_SET_DEFAULT)
		return;
	field_udec(d, "charcount", count);
	say_field(d, "data");
	if (part)
		say_font_data(d, addr, ((uint64_t)width + 7) / 8 * GLYPH * count, part);
	else
		say_addr(d, addr);
}

static void say_font_name(struct dec *d, struct bytes b)
{
	const struct capture *c = dec_good(d, 2, FONT_IN, 0);
	const char *nul = c ? memchr(c->data, 0, c->len) : NULL;

	say_field(d, "data");
	if (!c)
		say_addr(d, get_uint(b, d->word == 8 ? 24 : 20, d->word));
	else
		d->ops->str(d->e, c->data, nul ? (size_t)(nul - (const char *)c->data) : c->len, nul ? 0 : EMIT_STR_CUT);
}

static void say_font_op(struct dec *d, const struct io_command *c _unused_)
{
	size_t size = d->word == 8 ? 32 : 24;
	struct bytes b = io_before(d);
	uint32_t op = get32(b, FO_OP);

	if (!io_has(d, b, size, IO_BEFORE))
		return;
	d->ops->struct_begin(d->e);
	field_sym(d, "op", &tab_kd_font_ops, op);
	if (op == FONT_COPY) {
		field_udec(d, "height", get32(b, FO_HEIGHT));
	} else {
		if (op != FONT_SET_DEFAULT)
			field_flags(d, "flags", &tab_kd_font_flags, get32(b, FO_FLAGS));
		say_font_part(d, b, op, op == FONT_SET ? FONT_IN : 0);
		if (op == FONT_SET_DEFAULT)
			say_font_name(d, b);
	}
	d->ops->struct_end(d->e);
	if (op == FONT_SET || op == FONT_COPY)
		return;
	dec_at_end(d);
	if (!d->ok)
		return;
	d->ops->change(d->e);
	if (!io_has(d, io_after(d), size, IO_AFTER))
		return;
	d->ops->struct_begin(d->e);
	say_font_part(d, io_after(d), op, op == FONT_GET ? FONT_OUT : 0);
	d->ops->struct_end(d->e);
}

static void cap_font_op(struct cap_builder *b, const struct io_command *c _unused_)
{
	struct cap_op *op;

	cap_font(b, FONT_IN, b->word == 8 ? 32 : 24, b->word == 8 ? 24 : 20);
	op = cap_add(b, 2, FONT_OUT, CAP_BYTES, CAP_EXIT);
	op->via_off = b->word == 8 ? 24 : 20;
	op->max = cap_limit(b);
}

const struct io_hand io_kd_font_op = { .say = say_font_op, .capture = cap_font_op };
