/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl: structures by the description of their fields. */
#include "decode/ioctl_hand.h"

#include <stdio.h>

static unsigned abi_word(enum abi abi)
{
	return abi == ABI_I386 || abi == ABI_ARM ? 4 : 8;
}

static unsigned field_width(enum abi abi, const struct io_field *f)
{
	return f->size ? f->size : abi_word(abi);
}

/* i386 aligns 64-bit numbers to 4. */
static size_t width_align(enum abi abi, unsigned width)
{
	if (width == 8)
		return abi == ABI_I386 ? 4 : 8;
	return width == 1 || width == 2 || width == 4 ? width : 1;
}

static size_t struct_align(enum abi abi, const struct io_struct *s)
{
	size_t most = 1, align;

	for (unsigned i = 0; i < s->n; i++) {
		const struct io_field *f = &s->f[i];

		if (f->form > IOF_SKIP)
			continue;
		align = f->form == IOF_SUB ? struct_align(abi, f->sub) : width_align(abi, field_width(abi, f));
		if (align > most)
			most = align;
	}
	return most;
}

/* Where the field lies, *off being where the one before it ended; *off becomes where it ends itself. */
static size_t place(enum abi abi, const struct io_field *f, size_t *off)
{
	size_t align, size, at, n = 1;

	if (f->form == IOF_AT) {
		*off = abi_word(abi) == 8 ? f->n : f->size;
		return *off;
	}
	if (f->form > IOF_SKIP)
		return *off;
	if (f->form == IOF_SUB) {
		align = struct_align(abi, f->sub);
		size = io_size(abi, f->sub);
	} else {
		size = field_width(abi, f);
		align = width_align(abi, (unsigned)size);
	}
	if (f->n)
		n = f->n;
	at = (*off + align - 1) & ~(align - 1);
	*off = at + n * size;
	return at;
}

size_t io_size(enum abi abi, const struct io_struct *s)
{
	size_t off = 0, end = 0, align = struct_align(abi, s);

	for (unsigned i = 0; i < s->n; i++) {
		place(abi, &s->f[i], &off);
		if (off > end)
			end = off;
	}
	return (end + align - 1) & ~(align - 1);
}

/* --- values --- */

static uint64_t value_at(struct bytes b, size_t off, unsigned size)
{
	return get_uint(b, off, size < 8 ? size : 8);
}

static int64_t with_sign(uint64_t v, unsigned size)
{
	switch (size) {
	case 1:
		return (int8_t)v;
	case 2:
		return (int16_t)v;
	case 4:
		return (int32_t)v;
	default:
		return (int64_t)v;
	}
}

void io_char(char text[static 8], uint8_t c)
{
	static const char escapes[] = "\t\n\v\f\r'\\", letters[] = "tnvfr'\\";
	const char *at = c ? strchr(escapes, c) : NULL;

	if (at)
		snprintf(text, 8, "'\\%c'", letters[at - escapes]);
	else if (c >= ' ' && c < 0x7f)
		snprintf(text, 8, "'%c'", c);
	else
		snprintf(text, 8, "'\\x%02x'", c);
}

static void say_char(struct dec *d, uint8_t c)
{
	char text[8];

	io_char(text, c);
	d->ops->word(d->e, text);
}

/* -1, with the comment that it has no name; K_RAW. */
static void say_constant(struct dec *d, const struct symtab *t, int64_t v)
{
	const char *name = sym_name(t, (uint64_t)v);

	if (name) {
		d->ops->named(d->e, name, (uint64_t)v, EMIT_DEC);
		return;
	}
	say_dec(d, v);
	d->ops->comment(d->e, t->unknown);
}

static void say_max(struct dec *d, uint64_t v, unsigned size)
{
	if (v == (size == 4 ? UINT32_MAX : UINT64_MAX))
		d->ops->named(d->e, size == 4 ? "UINT32_MAX" : "UINT64_MAX", v, EMIT_UDEC);
	else
		say_udec(d, v);
}

void io_say_value(struct dec *d, const struct io_field *f, uint64_t v, unsigned size)
{
	switch (f->form) {
	case IOF_MAX:
		say_max(d, v, size);
		break;
	case IOF_CONST:
		say_constant(d, f->table, with_sign(v, size));
		break;
	case IOF_CHAR:
		say_char(d, (uint8_t)v);
		break;
	case IOF_DEC:
		say_dec(d, with_sign(v, size));
		break;
	case IOF_UDEC:
		say_udec(d, v);
		break;
	case IOF_FLAGS:
		say_flags(d, f->table, v);
		break;
	case IOF_SYM:
		say_sym(d, f->table, v);
		break;
	case IOF_ADDR:
		say_addr(d, v);
		break;
	case IOF_FD:
		say_fd(d, (int32_t)v, false);
		break;
	case IOF_PID:
		say_pid(d, (int32_t)v);
		break;
	case IOF_ID:
		say_id(d, (uint32_t)v);
		break;
	case IOF_DEV:
		say_dev64(d, v);
		break;
	default:
		say_hex(d, v);
	}
}

static bool all_zero(struct bytes b, size_t off, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (get8(b, off + i))
			return false;
	return true;
}

/* Of a field that is left out if there is nothing in it. */
static bool is_there(const struct io_field *f, struct bytes b, size_t off, size_t size)
{
	return f->flags & IOF_COUNTED ? get32(b, f->count_at) : !all_zero(b, off, size);
}

static void say_uuid(struct dec *d, struct bytes b, size_t off)
{
	char text[40], *p = text;

	for (unsigned i = 0; i < 16; i++)
		p += snprintf(p, sizeof(text) - (size_t)(p - text), i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", get8(b, off + i));
	d->ops->word(d->e, text);
}

/* A string in an array: whole, however long, and marked where it has no end. */
static void say_name(struct dec *d, struct bytes b, size_t off, size_t room)
{
	struct bytes s = bytes_cut(bytes_from(b, off), room);
	const void *nul = s.len ? memchr(s.p, 0, s.len) : NULL;
	size_t len = nul ? (size_t)((const uint8_t *)nul - s.p) : room - 1;

	d->ops->str(d->e, s.p, len < s.len ? len : s.len, EMIT_STR_PATH | (nul ? 0 : EMIT_STR_CUT));
}

static void say_many(struct dec *d, const struct io_field *f, struct bytes b, size_t off, unsigned size)
{
	/* Padding that is not zero, and structures of which there are always so many, are shown whole. */
	bool limited = f->flags & IOF_LIMIT || (f->form != IOF_SUB && !(f->flags & IOF_NZ));
	uint32_t n = f->n;

	if (f->flags & IOF_COUNTED)
		n = MIN(n, get32(b, f->count_at));
	d->ops->array_begin(d->e);
	for (unsigned i = 0; i < n; i++) {
		if (limited && !dec_shows(d, i)) {
			d->ops->more(d->e);
			break;
		}
		if (f->form == IOF_SUB)
			io_say_struct(d, f->sub, bytes_from(b, off + i * size), (struct bytes){ NULL, 0 });
		else
			io_say_value(d, f, value_at(b, off + i * size, size), size);
	}
	d->ops->array_end(d->e);
}

static void say_content(struct dec *d, const struct io_field *f, struct bytes b, size_t off)
{
	unsigned size = f->form == IOF_SUB ? (unsigned)io_size(d->call->abi, f->sub) : field_width(d->call->abi, f);

	switch (f->form) {
	case IOF_STR:
		say_name(d, b, off, f->n);
		break;
	case IOF_TEXT:
	case IOF_BYTES:
		b = bytes_cut(bytes_from(b, off), f->n);
		if (f->form == IOF_TEXT)
			say_buf(d, b.p, b.len, f->n);
		else
			say_hex_bytes(d, b.p, b.len, f->n);
		break;
	case IOF_UUID:
		say_uuid(d, b, off);
		break;
	case IOF_HAND:
		f->say(d, b, off);
		break;
	default:
		if (f->flags & IOF_MANY)
			say_many(d, f, b, off, size);
		else if (f->form == IOF_SUB)
			io_say_struct(d, f->sub, bytes_cut(bytes_from(b, off), size), (struct bytes){ NULL, 0 });
		else
			io_say_value(d, f, value_at(b, off, size), size);
	}
}

/* --- structures --- */

static void begin(struct dec *d, const struct io_struct *s)
{
	/* Rows that point at something have a structure. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
	if (s->shape == IO_BRACKETS)
		d->ops->array_begin(d->e);
	else if (s->shape == IO_BRACES)
		d->ops->struct_begin(d->e);
}

static void end(struct dec *d, const struct io_struct *s)
{
	if (s->shape == IO_BRACKETS)
		d->ops->array_end(d->e);
	else if (s->shape == IO_BRACES)
		d->ops->struct_end(d->e);
}

/* What follows is known after the call. False: nothing is, the structure ends here. */
static bool go_on(struct dec *d, const struct io_struct *s, const struct io_field *f, struct bytes out)
{
	dec_at_end(d);
	if (f->form == IOF_EXIT)
		return d->ok && out.p;
	end(d, s);
	if (!d->ok && !f->n)
		return false;
	d->ops->change(d->e);
	if (!d->ok || !out.p) {
		say_unreadable(d, 2, dec_cap(d, 2, IO_AFTER, 0));
		return false;
	}
	begin(d, s);
	return true;
}

/* Not shown, for one reason or another. */
static bool left_out(const struct dec *d, const struct io_field *f, struct bytes b, size_t off, size_t size)
{
	return f->form >= IOF_SKIP || ((f->flags & IOF_VERBOSE) && !d->opts->no_abbrev) || ((f->flags & IOF_NZ) && !is_there(f, b, off, size));
}

/* False: the structure has been ended. */
static bool say_fields(struct dec *d, const struct io_struct *s, struct bytes in, struct bytes out)
{
	size_t off = 0, at;

	for (unsigned i = 0; i < s->n; i++) {
		const struct io_field *f = &s->f[i];

		at = place(d->call->abi, f, &off);
		if (f->form == IOF_EXIT || f->form == IOF_ARROW) {
			if (!go_on(d, s, f, out))
				return f->form == IOF_EXIT;
			in = out;
			continue;
		}
		if (f->form == IOF_MORE && !d->opts->no_abbrev)
			d->ops->more(d->e);
		if (left_out(d, f, in, at, off - at))
			continue;
		if (f->name)
			say_field(d, f->name);
		say_content(d, f, in, at);
	}
	return true;
}

void io_say_struct(struct dec *d, const struct io_struct *s, struct bytes in, struct bytes out)
{
	begin(d, s);
	if (say_fields(d, s, in, out))
		end(d, s);
}

void io_say_struct_open(struct dec *d, const struct io_struct *s, struct bytes b)
{
	begin(d, s);
	say_fields(d, s, b, (struct bytes){ NULL, 0 });
}

/* --- arguments --- */

static struct bytes captured(const struct dec *d, const struct io_command *cmd, unsigned part, size_t size)
{
	/* A string for -e verbose=. */
	bool text = cmd->how == IO_IN && cmd->desc && cmd->desc->shape == IO_BARE && cmd->desc->f[0].form == IOF_TEXT;
	const struct capture *c = text ? dec_good_text(d, 2, part, 0) : dec_good(d, 2, part, 0);

	return c && c->len >= size ? bytes_of(c) : (struct bytes){ NULL, 0 };
}

static void say_number(struct dec *d, const struct io_struct *s)
{
	/* Rows of IO_VALUE have a structure. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
	unsigned size = s->f[0].size ? s->f[0].size : d->word;
	uint64_t v = dec_reg(d, 2);

	io_say_value(d, &s->f[0], size < 8 ? v & ((1ull << 8 * size) - 1) : v, size);
}

static void say_string(struct dec *d)
{
	const struct capture *c = dec_good_text(d, 2, IO_BEFORE, 0);

	if (!dec_reg(d, 2) || !c)
		say_unreadable(d, 2, dec_text(d, 2, IO_BEFORE, 0));
	else
		say_str(d, c, false);
}

void io_say_argument(struct dec *d, const struct io_command *c)
{
	uint64_t v = dec_reg(d, 2);
	size_t size = c->desc ? io_size(d->call->abi, c->desc) : 0;
	unsigned first = c->how == IO_OUT ? IO_AFTER : IO_BEFORE;
	struct bytes in = captured(d, c, first, size);

	if (c->how == IO_VALUE)
		say_number(d, c->desc);
	else if (c->how == IO_POINTER || !v || (c->how == IO_OUT && !d->ok))
		say_addr(d, v);
	else if (c->how == IO_STRING)
		say_string(d);
	else if (!in.p)
		say_unreadable(d, 2, dec_cap(d, 2, first, 0));
	else
		io_say_struct(d, c->desc, in, captured(d, c, IO_AFTER, size));
}

/* The fields of a structure that lies at base that are descriptors: a bit for each 4-byte word. */
static uint64_t descriptor_words(enum abi abi, const struct io_struct *s, size_t base)
{
	uint64_t words = 0;
	size_t off = 0, at;

	for (unsigned i = 0; i < s->n; i++) {
		const struct io_field *f = &s->f[i];

		at = base + place(abi, f, &off);
		if (f->form == IOF_SUB)
			words |= descriptor_words(abi, f->sub, at);
		else if (f->form == IOF_FD && at < 256)
			words |= 1ull << at / 4;
	}
	return words;
}

/* One that lies behind those words is the kernel's, of a structure that is read and written. */
static void capture_far_descriptors(struct cap_builder *b, const struct io_struct *s)
{
	size_t off = 0, at;

	for (unsigned i = 0; i < s->n; i++) {
		at = place(b->abi, &s->f[i], &off);
		if (s->f[i].form == IOF_FD && at >= 256)
			cap_fd_at(b, 2, CAP_EXIT, (uint16_t)at);
	}
}

static void capture_descriptors(struct cap_builder *b, const struct io_command *c, uint32_t size)
{
	uint64_t words = descriptor_words(b->abi, c->desc, 0);

	if (c->how == IO_INOUT)
		capture_far_descriptors(b, c->desc);
	if (!words)
		return;
	if (c->how == IO_VALUE)
		cap_fd(b, 2, false);
	if (c->how == IO_IN || c->how == IO_INOUT)
		cap_fd_words(b, 2, CAP_ENTER, words)->max = size;
	if (c->how == IO_OUT || c->how == IO_INOUT)
		cap_fd_words(b, 2, CAP_EXIT, words)->max = size;
}

void io_capture(struct cap_builder *b, const struct io_command *c)
{
	uint32_t size = c->desc ? (uint32_t)io_size(b->abi, c->desc) : 0;

	if (c->desc)
		capture_descriptors(b, c, size);
	switch (c->how) {
	case IO_IN:
		cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, size);
		break;
	case IO_OUT:
		cap_fixed(b, 2, IO_AFTER, CAP_EXIT, size);
		break;
	case IO_INOUT:
		cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, size);
		cap_fixed(b, 2, IO_AFTER, CAP_EXIT, size);
		break;
	case IO_STRING:
		cap_string(b, 2, false);
		break;
	case IO_BY_HAND:
		if (c->hand->capture)
			c->hand->capture(b, c);
		break;
	}
}

void io_say_behind(struct dec *d, unsigned part, size_t head, uint64_t n, size_t size, void (*element)(struct dec *d, struct bytes b))
{
	const struct capture *c = dec_good(d, 2, part, 0);
	struct capture rest;
	uint64_t addr = dec_reg(d, 2);

	if (!c || c->len < head) {
		say_array(d, NULL, addr ? addr + head : 0, n, size, element);
		return;
	}
	rest = *c;
	rest.data = (const char *)rest.data + head;
	rest.len -= head;
	say_array(d, &rest, addr + head, n, size, element);
}
