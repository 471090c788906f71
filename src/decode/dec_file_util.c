/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "decode/dec_file.h"

void say_bytes_at(struct dec *d, unsigned reg, unsigned part, uint64_t addr, uint64_t len, bool hex)
{
	const struct capture *c = dec_text(d, reg, part, 0);
	struct bytes b = bytes_of(dec_good_text(d, reg, part, 0));

	if (addr && !len && !(c && (c->flags & CT_CAP_FAILED))) {
		d->ops->str(d->e, "", 0, 0);
		return;
	}
	/* Less than would be shown is nothing: a string must not look whole that is not. */
	if (!addr || !c || (c->flags & CT_CAP_FAILED) || (b.len < len && b.len <= d->opts->string_limit)) {
		say_addr(d, addr);
		if (addr)
			dec_note(d, c);
		return;
	}
	b = bytes_cut(b, len);
	if (hex)
		say_hex_bytes(d, b.p, b.len, len);
	else
		say_buf(d, b.p, b.len, len);
}

void say_text_at(struct dec *d, unsigned reg, unsigned part, uint64_t addr, uint64_t len)
{
	struct bytes b = bytes_of(dec_good_text(d, reg, part, 0));
	uint64_t n = len < d->opts->string_limit ? len : d->opts->string_limit;

	if (addr && n && bytes_have(b, 0, len <= d->opts->string_limit ? n : n + 1) && !b.p[n - 1])
		d->ops->str(d->e, b.p, (size_t)n, EMIT_STR_NUL | (n < len ? EMIT_STR_CUT : 0));
	else
		say_bytes_at(d, reg, part, addr, len, false);
}

void say_string_at(struct dec *d, unsigned reg, unsigned part, uint64_t addr, bool path)
{
	const struct capture *c = dec_text(d, reg, part, 0);

	if (addr && c && !(c->flags & CT_CAP_FAILED)) {
		say_str(d, c, path);
		if (c->flags)
			dec_note(d, c);
		return;
	}
	say_addr(d, addr);
	if (addr)
		dec_note(d, c);
}

bool struct_at(struct dec *d, unsigned reg, unsigned part, size_t size, struct bytes *ret)
{
	const struct capture *c = dec_good(d, reg, part, 0);

	if (!dec_reg(d, reg) || !c || c->len < size) {
		say_unreadable(d, reg, dec_reg(d, reg) ? dec_cap(d, reg, part, 0) : NULL);
		return false;
	}
	*ret = bytes_of(c);
	d->ops->struct_begin(d->e);
	return true;
}

bool sized_struct_at(struct dec *d, unsigned reg, uint64_t given, size_t min, struct bytes *ret)
{
	if (given < min) {
		say_addr(d, dec_reg(d, reg));
		return false;
	}
	if (!struct_at(d, reg, 0, min, ret))
		return false;
	*ret = bytes_cut(*ret, given);
	return true;
}

void field_spare(struct dec *d, const char *name, struct bytes b, size_t off, size_t size, unsigned count)
{
	bool any = false;

	for (unsigned i = 0; i < count; i++)
		any |= get_uint(b, off + i * size, size) != 0;
	if (!any)
		return;
	say_field(d, name);
	if (count > 1)
		d->ops->array_begin(d->e);
	for (unsigned i = 0; i < count; i++) {
		if (count > 1 && !dec_shows(d, i)) {
			d->ops->more(d->e);
			break;
		}
		say_hex(d, get_uint(b, off + i * size, size));
	}
	if (count > 1)
		d->ops->array_end(d->e);
}

struct cap_op *cap_if(struct cap_builder *b, unsigned reg, unsigned part, enum cap_kind kind, unsigned when,
		      unsigned arg, uint32_t and, uint64_t set)
{
	struct cap_op *op = cap_add(b, reg, part, kind, when);

	op->cond = CAP_COND_VALUE;
	op->cond_arg = (__u8)arg;
	op->cond_and = and;
	op->cond_mask = set;
	return op;
}

uint32_t cap_bytes_limit(const struct cap_builder *b)
{
	return cap_limit(b) + 1;
}

uint32_t cap_elements(const struct cap_builder *b)
{
	return b->opts->no_abbrev || b->opts->string_limit > 1023 ? 1024 : b->opts->string_limit + 1;
}
