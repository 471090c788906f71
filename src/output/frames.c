/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "output/frames.h"

#include <string.h>

#include "util/escape.h"
#include "util/macros.h"

static void put_hex(struct strbuf *sb, const char *before, uint64_t v)
{
	strbuf_str(sb, before);
	strbuf_hex_digits(sb, v, 1);
}

/* strace's form: FILE(SYMBOL+OFFSET) [ADDRESS], with +0x0 for no symbol; and its words for what is in no file. */
static void put_frame(struct strbuf *sb, const struct stack_frame *f)
{
	strbuf_lit(sb, " > ");
	if (f->file) {
		escape_plain(sb, f->file, strlen(f->file), NULL);
		strbuf_char(sb, '(');
		if (f->symbol)
			escape_plain(sb, f->symbol, strlen(f->symbol), NULL);
		put_hex(sb, "+0x", f->offset);
		strbuf_lit(sb, ") ");
	} else {
		strbuf_lit(sb, "unexpected_backtracing_error ");
	}
	put_hex(sb, "[0x", f->address);
	strbuf_char(sb, ']');
}

void frames_put_text(struct strbuf *sb, const struct stack *st)
{
	for (size_t i = 0; st && i < st->n; i++) {
		put_frame(sb, &st->frames[i]);
		if (st->unmapped)
			strbuf_lit(sb, " (the process had ended before its mappings could be read)");
		strbuf_char(sb, '\n');
	}
}

void frames_put_json(struct strbuf *sb, const struct stack *st)
{
	if (!st)
		return;
	strbuf_lit(sb, ",\"stack\":[");
	for (size_t i = 0; i < st->n; i++) {
		const struct stack_frame *f = &st->frames[i];

		strbuf_str(sb, i ? ",{" : "{");
		if (f->file) {
			strbuf_lit(sb, "\"file\":");
			json_quote(sb, f->file, strlen(f->file));
			strbuf_char(sb, ',');
		}
		if (f->symbol) {
			strbuf_lit(sb, "\"symbol\":");
			json_quote(sb, f->symbol, strlen(f->symbol));
			put_hex(sb, ",\"offset\":\"0x", f->offset);
			strbuf_lit(sb, "\",");
		}
		put_hex(sb, "\"address\":\"0x", f->address);
		strbuf_lit(sb, "\"}");
	}
	strbuf_char(sb, ']');
}

void held_stacks_keep(struct held_stacks *h, uint32_t host_tid, const struct stack *st)
{
	struct held *held = &h->v[h->next];

	if (!st)
		return;
	h->next = (h->next + 1) % ARRAY_SIZE(h->v);
	held->host_tid = host_tid;
	strbuf_reset(&held->text);
	frames_put_text(&held->text, st);
}

void held_stacks_put(struct held_stacks *h, uint32_t host_tid, struct strbuf *sb)
{
	for (size_t i = 0; i < ARRAY_SIZE(h->v); i++) {
		struct held *held = &h->v[i];

		if (held->host_tid != host_tid || !held->text.len)
			continue;
		strbuf_bytes(sb, held->text.buf, held->text.len);
		strbuf_reset(&held->text);
		held->host_tid = 0;
	}
}

void held_stacks_done(struct held_stacks *h)
{
	for (size_t i = 0; i < ARRAY_SIZE(h->v); i++)
		strbuf_done(&h->v[i].text);
}
