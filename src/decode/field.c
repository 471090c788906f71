/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "decode/field.h"

#include <stdio.h>

void say_rest_unread(struct dec *d, uint64_t addr)
{
	char text[32];

	snprintf(text, sizeof(text), "%#llx", (unsigned long long)addr);
	d->ops->more(d->e);
	d->ops->comment(d->e, text);
}

void say_array_rest(struct dec *d, struct bytes b, uint64_t addr, uint64_t shown, uint64_t count, size_t size)
{
	if (count <= shown || b.len < shown * size)
		return;
	/* One more was asked for: if it is not there, memory ends before it. */
	if (!bytes_have(b, shown * size, size) && !((addr + b.len) & 4095))
		say_rest_unread(d, addr + shown * size);
	else
		d->ops->more(d->e);
}

void say_array(struct dec *d, const struct capture *c, uint64_t addr, uint64_t count, size_t size,
	       void (*element)(struct dec *d, struct bytes b))
{
	struct bytes b = bytes_of(c && !(c->flags & CT_CAP_FAILED) ? c : NULL);
	uint64_t shown = d->opts->no_abbrev || count < d->opts->string_limit ? count : d->opts->string_limit;

	/* What would go beyond the end of all memory is no array. */
	/* The size of a structure. NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
	if (!addr || (count && b.len < size) || count > (UINT64_MAX - addr) / size) {
		say_addr(d, addr);
		if (addr)
			dec_note(d, c);
		return;
	}
	d->ops->array_begin(d->e);
	for (uint64_t i = 0; i < shown; i++) {
		if (!bytes_have(b, i * size, size)) {
			say_rest_unread(d, addr + i * size);
			dec_note(d, c);
			break;
		}
		element(d, bytes_cut(bytes_from(b, i * size), size));
	}
	say_array_rest(d, b, addr, shown, count, size);
	d->ops->array_end(d->e);
}

void say_timespec_arg(struct dec *d, unsigned reg, unsigned part, unsigned word, const char *sub)
{
	const struct capture *c = dec_good(d, reg, part, 0);

	if (c && c->len >= 2 * word)
		say_timespec(d, c->data, word, sub);
	else
		say_unreadable(d, reg, dec_cap(d, reg, part, 0));
}

void field_ticks(struct dec *d, const char *name, uint64_t ticks)
{
	char text[64];

	field_udec(d, name, ticks);
	if (!ticks || d->opts->consts == CONST_RAW)
		return;
	snprintf(text, sizeof(text), "%llu.%02u s", (unsigned long long)(ticks / 100), (unsigned)(ticks % 100));
	d->ops->comment(d->e, text);
}

void say_beyond(struct dec *d, const struct capture *c, size_t known, uint64_t size)
{
	struct bytes b = bytes_from(bytes_of(c), known);
	struct words w = { 0 };
	size_t i = 0;

	/* No more than a page, as strace. */
	if (size > BEYOND_MAX)
		size = BEYOND_MAX;
	if (size <= known)
		return;
	if (b.len < size - known) {
		d->ops->unnamed_field(d->e, "beyond");
		d->ops->word(d->e, "???");
		return;
	}
	while (i < b.len && !b.p[i])
		i++;
	if (i == b.len)
		return;
	words_str(&w, "bytes ");
	words_udec(&w, known);
	words_str(&w, "..");
	words_udec(&w, size - 1);
	d->ops->unnamed_field(d->e, "beyond");
	d->ops->comment_before(d->e, w.buf);
	d->ops->str(d->e, b.p, b.len < d->opts->string_limit ? b.len : d->opts->string_limit,
		    EMIT_STR_HEX | (size - known > d->opts->string_limit ? EMIT_STR_CUT : 0));
}

void say_byte(struct dec *d, uint8_t v)
{
	if (v)
		say_hex(d, v);
	else
		d->ops->word(d->e, "00");
}
