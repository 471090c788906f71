/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "output/emit_text.h"

#include <string.h>

#include "output/emit_fd.h"

static struct emit_text *text_of(struct emitter *e)
{
	return (struct emit_text *)e;
}

/* A comma where the value is a further element of an array. */
static void value(struct emit_text *t)
{
	unsigned level = t->depth;

	if (!t->is_array[level] || t->in_alias)
		return;
	if (t->need_comma[level])
		strbuf_str(t->out, t->is_set[level] ? " " : ", ");
	t->need_comma[level] = true;
}

static void text_arg(struct emitter *e, const char *name)
{
	struct emit_text *t = text_of(e);

	t->depth = 0;
	if (t->in_arg)
		strbuf_lit(t->out, ", ");
	t->in_arg = true;
	if (t->arg_names) {
		strbuf_str(t->out, name);
		strbuf_char(t->out, '=');
	}
}

static void number(struct emit_text *t, uint64_t v, enum emit_base base)
{
	switch (base) {
	case EMIT_DEC:
		strbuf_dec(t->out, (int64_t)v);
		break;
	case EMIT_UDEC:
		strbuf_udec(t->out, v);
		break;
	case EMIT_HEX:
		strbuf_hex(t->out, v);
		break;
	case EMIT_OCT:
		strbuf_oct(t->out, v, 3);
		break;
	}
}

static void text_num(struct emitter *e, uint64_t v, enum emit_base base)
{
	struct emit_text *t = text_of(e);

	value(t);
	number(t, v, base);
}

static void text_null(struct emitter *e)
{
	struct emit_text *t = text_of(e);

	value(t);
	strbuf_lit(t->out, "NULL");
}

static void text_addr(struct emitter *e, uint64_t v)
{
	struct emit_text *t = text_of(e);

	value(t);
	strbuf_hex(t->out, v);
}

static void named(struct emit_text *t, const char *text, uint64_t v, enum emit_base base)
{
	if (!text || t->consts != CONST_ABBREV)
		number(t, v, base);
	if (!text || t->consts == CONST_RAW)
		return;
	if (t->consts == CONST_VERBOSE)
		strbuf_lit(t->out, " /* ");
	strbuf_str(t->out, text);
	if (t->consts == CONST_VERBOSE)
		strbuf_lit(t->out, " */");
}

static void text_named(struct emitter *e, const char *text, uint64_t v, enum emit_base base)
{
	struct emit_text *t = text_of(e);

	value(t);
	/* A remark on the result is always in words: its number stands before it. */
	if (text && t->has_detail && !t->depth && !t->in_alias)
		strbuf_str(t->out, text);
	else
		named(t, text, v, base);
}

static void text_sym(struct emitter *e, const char *name, uint64_t v)
{
	text_named(e, name, v, EMIT_HEX);
}

static void text_flags_begin(struct emitter *e, uint64_t v)
{
	struct emit_text *t = text_of(e);

	value(t);
	t->any_flag = t->any_apart = t->numbered = t->in_comment = t->has_rest = false;
	t->flags_value = v;
}

/* -X: the number of the members so far. */
static void flags_number(struct emit_text *t)
{
	if (t->numbered)
		return;
	t->numbered = true;
	if (t->any_apart)
		strbuf_char(t->out, '|');
	strbuf_hex(t->out, t->flags_value);
}

static void flags_comment(struct emit_text *t)
{
	flags_number(t);
	strbuf_lit(t->out, " /* ");
	t->in_comment = true;
	if (t->has_rest)
		strbuf_hex(t->out, t->flags_rest);
}

static void text_flag(struct emitter *e, const char *name, uint64_t v)
{
	struct emit_text *t = text_of(e);
	bool more = t->any_flag || (t->any_apart && t->consts == CONST_ABBREV);

	t->any_flag = true;
	if (t->consts == CONST_RAW)
		return;
	if (t->consts == CONST_VERBOSE && !t->in_comment) {
		/* Alone it is what the number says. */
		if (!name) {
			t->has_rest = true;
			t->flags_rest = v;
			return;
		}
		more = t->has_rest;
		flags_comment(t);
	}
	if (more)
		strbuf_char(t->out, '|');
	if (name)
		strbuf_str(t->out, name);
	else
		strbuf_hex(t->out, v);
}

static void flags_close(struct emit_text *t)
{
	if (t->in_comment)
		strbuf_lit(t->out, " */");
	t->in_comment = false;
}

static void text_flag_apart(struct emitter *e, const char *name, uint64_t v, enum emit_base base)
{
	struct emit_text *t = text_of(e);

	if (t->any_flag && t->consts != CONST_ABBREV)
		flags_number(t);
	flags_close(t);
	t->has_rest = false;
	if (t->any_flag || t->any_apart)
		strbuf_char(t->out, '|');
	t->any_apart = true;
	named(t, name, v, base);
}

static void text_flags_end(struct emitter *e)
{
	struct emit_text *t = text_of(e);

	if (t->consts == CONST_ABBREV ? !t->any_flag && !t->any_apart : t->flags_value || !t->any_apart)
		flags_number(t);
	flags_close(t);
	t->has_rest = false;
}

static void text_members_begin(struct emitter *e, bool others)
{
	struct emit_text *t = text_of(e);

	value(t);
	t->any_flag = false;
	strbuf_str(t->out, others ? "~[" : "[");
}

static void text_member(struct emitter *e, const char *name, size_t skip, uint64_t v)
{
	struct emit_text *t = text_of(e);

	if (t->any_flag)
		strbuf_char(t->out, ' ');
	t->any_flag = true;
	named(t, name + skip, v, EMIT_UDEC);
}

static void text_members_end(struct emitter *e)
{
	strbuf_char(text_of(e)->out, ']');
}

/* The number or the bytes of it are written. */
static void alias_begun(struct emit_text *t, enum const_style within)
{
	if (t->consts == CONST_ABBREV)
		return;
	t->alias_out = t->out;
	t->alias_consts = t->consts;
	if (t->consts == CONST_RAW) {
		t->out = &t->unsaid;
		return;
	}
	strbuf_lit(t->out, " /* ");
	t->consts = within;
}

static void text_alias_begin(struct emitter *e, uint64_t v, enum emit_base base)
{
	struct emit_text *t = text_of(e);

	value(t);
	t->in_alias = true;
	if (t->consts != CONST_ABBREV)
		number(t, v, base);
	alias_begun(t, t->consts);
}

static void text_index_begin(struct emitter *e, const char *name, uint64_t v, const char *unknown)
{
	struct emit_text *t = text_of(e);
	bool number_too = !name || t->consts != CONST_ABBREV;
	const char *comment = name ? name : unknown;

	value(t);
	t->in_alias = true;
	strbuf_char(t->out, '[');
	if (number_too)
		number(t, v, EMIT_UDEC);
	else
		strbuf_str(t->out, name);
	if (number_too && comment && t->consts != CONST_RAW) {
		strbuf_lit(t->out, " /* ");
		strbuf_str(t->out, comment);
		strbuf_lit(t->out, " */");
	}
	strbuf_lit(t->out, "]=");
}

static void text_call_begin(struct emitter *e, const char *text)
{
	struct emit_text *t = text_of(e);

	value(t);
	t->in_alias = true;
	strbuf_str(t->out, text);
}

static void text_call_end(struct emitter *e, const char *text)
{
	struct emit_text *t = text_of(e);

	t->in_alias = false;
	strbuf_str(t->out, text);
}

static void text_index_end(struct emitter *e)
{
	text_of(e)->in_alias = false;
}

static void put_bytes(struct emit_text *t, const void *bytes, size_t len)
{
	strbuf_char(t->out, '"');
	escape_c(t->out, bytes, len, HEX_ALL);
	strbuf_char(t->out, '"');
}

static void text_alias_bytes_begin(struct emitter *e, const void *bytes, size_t len)
{
	struct emit_text *t = text_of(e);

	value(t);
	t->in_alias = true;
	if (t->consts != CONST_ABBREV)
		put_bytes(t, bytes, len);
	alias_begun(t, CONST_ABBREV);
}

static void text_alias_end(struct emitter *e)
{
	struct emit_text *t = text_of(e);

	t->in_alias = false;
	if (!t->alias_out)
		return;
	t->out = t->alias_out;
	t->alias_out = NULL;
	t->consts = t->alias_consts;
	if (t->consts == CONST_VERBOSE)
		strbuf_lit(t->out, " */");
	strbuf_reset(&t->unsaid);
}

static void text_str(struct emitter *e, const void *bytes, size_t len, unsigned flags)
{
	struct emit_text *t = text_of(e);

	value(t);
	if (flags & EMIT_STR_NUL && len && t->hex != HEX_NON_ASCII && t->hex != HEX_ALL) {
		len--;
		flags &= ~EMIT_STR_CUT;
	}
	if (flags & EMIT_STR_ABSTRACT)
		strbuf_char(t->out, '@');
	strbuf_char(t->out, '"');
	escape_c(t->out, bytes, len, flags & EMIT_STR_HEX ? HEX_ALL : t->hex);
	strbuf_char(t->out, '"');
	if (flags & EMIT_STR_CUT)
		strbuf_lit(t->out, "...");
}

static void begin(struct emit_text *t, bool is_array)
{
	value(t);
	strbuf_char(t->out, is_array ? '[' : '{');
	if (t->depth < EMIT_DEPTH - 1)
		t->depth++;
	t->is_array[t->depth] = is_array;
	t->is_set[t->depth] = false;
	t->need_comma[t->depth] = false;
}

static void end(struct emit_text *t, char c)
{
	strbuf_char(t->out, c);
	if (t->depth > 0)
		t->depth--;
}

static void text_struct_begin(struct emitter *e)
{
	begin(text_of(e), false);
}

static void text_struct_end(struct emitter *e)
{
	end(text_of(e), '}');
}

static void text_array_begin(struct emitter *e)
{
	begin(text_of(e), true);
}

static void text_set_begin(struct emitter *e)
{
	struct emit_text *t = text_of(e);

	begin(t, true);
	t->is_set[t->depth] = true;
}

static void text_array_end(struct emitter *e)
{
	end(text_of(e), ']');
}

static void text_unnamed_field(struct emitter *e, const char *name)
{
	struct emit_text *t = text_of(e);
	unsigned level = t->depth;

	(void)name;
	if (level > 0) {
		if (t->need_comma[level])
			strbuf_lit(t->out, ", ");
		t->need_comma[level] = true;
	}
}

static void text_field(struct emitter *e, const char *name)
{
	struct emit_text *t = text_of(e);

	/* A label at the head of an argument whose name is there already. */
	if (!t->depth && t->arg_names && !t->has_detail)
		return;
	text_unnamed_field(e, name);
	strbuf_str(t->out, name);
	strbuf_char(t->out, '=');
}

static void put_pton(struct emit_text *t, const char *family, const char *text)
{
	strbuf_lit(t->out, "inet_pton(");
	strbuf_str(t->out, family);
	strbuf_lit(t->out, ", \"");
	escape_c(t->out, text, strlen(text), t->hex);
	strbuf_char(t->out, '"');
}

static void text_pton(struct emitter *e, const char *field, const char *family, const char *text, const void *bytes, size_t len)
{
	struct emit_text *t = text_of(e);

	if (t->consts == CONST_ABBREV) {
		text_unnamed_field(e, field);
		put_pton(t, family, text);
		strbuf_lit(t->out, ", &");
		strbuf_str(t->out, field);
		strbuf_char(t->out, ')');
		return;
	}
	text_field(e, field);
	put_bytes(t, bytes, len);
	if (t->consts == CONST_RAW)
		return;
	strbuf_lit(t->out, " /* ");
	put_pton(t, family, text);
	strbuf_lit(t->out, ") */");
}

static void text_more(struct emitter *e)
{
	struct emit_text *t = text_of(e);

	if (t->depth > 0 && t->need_comma[t->depth])
		strbuf_str(t->out, t->is_set[t->depth] ? " " : ", ");
	strbuf_lit(t->out, "...");
}

static void text_comment(struct emitter *e, const char *text)
{
	struct emit_text *t = text_of(e);

	/* What has no name is a mere number there: AT_???, TLS_???_VERSION, SOL_??, ?_OK. */
	if (t->consts == CONST_RAW && (strstr(text, "??") || strstr(text, "?_")))
		return;
	if (t->has_rest && !t->in_comment)
		flags_comment(t);
	strbuf_lit(t->out, " /* ");
	strbuf_str(t->out, text);
	strbuf_lit(t->out, " */");
}

static void text_peer_name(struct emitter *e, const char *name)
{
	name_text(text_of(e)->out, name);
}

static void text_comment_before(struct emitter *e, const char *text)
{
	struct emit_text *t = text_of(e);

	strbuf_lit(t->out, "/* ");
	strbuf_str(t->out, text);
	strbuf_lit(t->out, " */ ");
}

static void text_change(struct emitter *e)
{
	struct emit_text *t = text_of(e);

	strbuf_lit(t->out, " => ");
	if (t->is_array[t->depth])
		t->need_comma[t->depth] = false;
}

static void text_word(struct emitter *e, const char *text)
{
	struct emit_text *t = text_of(e);

	value(t);
	strbuf_str(t->out, text);
}

/* Text shows by its form alone what became of a value. */
static void text_note(struct emitter *e, enum emit_note note, uint64_t v)
{
	(void)e;
	(void)note;
	(void)v;
}

static void text_result_detail(struct emitter *e)
{
	struct emit_text *t = text_of(e);

	t->has_detail = true;
	t->depth = 0;
	t->out = &t->detail;
}

static void text_around(struct emitter *e, const char *text)
{
	strbuf_str(text_of(e)->out, text);
}

static void text_part(struct emitter *e, const char *label)
{
	struct emit_text *t = text_of(e);

	if (!t->has_detail)
		text_result_detail(e);
	t->depth = 0;
	if (t->out->len)
		strbuf_lit(t->out, ", ");
	if (label) {
		strbuf_str(t->out, label);
		strbuf_char(t->out, ' ');
	}
}

static void text_fd(struct emitter *e, const struct emit_fd *fd)
{
	struct emit_text *t = text_of(e);

	value(t);
	if (!fd->cwd) {
		fd_text(t->out, fd, t->hex);
		return;
	}
	named(t, "AT_FDCWD", (uint64_t)fd->fd, EMIT_DEC);
	fd_text_detail(t->out, fd, t->hex);
}

static void text_at_end(struct emitter *e)
{
	struct emit_text *t = text_of(e);

	t->more_at_end = true;
	if (t->part == EMIT_WHOLE)
		return;
	t->out = t->part == EMIT_END ? t->line : &t->dropped;
}

/* strace's words, also where ctrace is in a namespace itself: the number is the host's. */
void emit_text_pid(struct strbuf *out, const struct emit_pid *pid)
{
	strbuf_dec(out, pid->nr);
	if (pid->comm_len) {
		strbuf_char(out, '<');
		escape_plain(out, pid->comm, pid->comm_len, "<>");
		strbuf_char(out, '>');
	}
	if (!pid->host_nr)
		return;
	strbuf_lit(out, " /* ");
	strbuf_udec(out, pid->host_nr);
	strbuf_lit(out, " in strace's PID NS */");
}

static void text_pid(struct emitter *e, const struct emit_pid *pid)
{
	struct emit_text *t = text_of(e);

	value(t);
	emit_text_pid(t->out, pid);
}

#define ROW 16u                 /* bytes of a line of data */

static void put_data_row(struct strbuf *sb, size_t offset, const unsigned char *p, size_t n)
{
	strbuf_lit(sb, " | ");
	strbuf_hex_digits(sb, offset, 5);
	strbuf_lit(sb, "  ");
	for (size_t i = 0; i < ROW; i++) {
		if (i < n)
			strbuf_hex_digits(sb, p[i], 2);
		else
			strbuf_lit(sb, "  ");
		strbuf_str(sb, i == ROW / 2 - 1 ? "  " : " ");
	}
	strbuf_char(sb, ' ');
	for (size_t i = 0; i < ROW; i++)
		strbuf_char(sb, i >= n ? ' ' : p[i] >= ' ' && p[i] <= '~' ? (char)p[i] : '.');
	strbuf_lit(sb, " |\n");
}

static void text_data(struct emitter *e, const struct emit_data *data)
{
	struct strbuf *sb = &text_of(e)->data;

	if (data->is_vector || data->numbered) {
		strbuf_str(sb, data->is_vector ? " = " : " * ");
		strbuf_udec(sb, data->len);
		strbuf_str(sb, data->is_vector ? " buffers in vector " : " bytes in buffer ");
		strbuf_udec(sb, data->index);
		strbuf_char(sb, '\n');
	}
	if (data->is_vector)
		return;
	for (size_t i = 0; i < data->have; i += ROW)
		put_data_row(sb, i, (const unsigned char *)data->bytes + i, data->have - i < ROW ? data->have - i : ROW);
	/* Not strace's: ctrace has no more than these. */
	if (data->bytes && data->have < data->len) {
		strbuf_lit(sb, " | ");
		strbuf_hex_digits(sb, data->have, 5);
		strbuf_lit(sb, "  ... ");
		strbuf_udec(sb, data->len - data->have);
		strbuf_lit(sb, " more bytes |\n");
	}
}

void emit_text_secontext(struct strbuf *out, const char *context)
{
	strbuf_char(out, '[');
	escape_plain(out, context, strlen(context), "[]");
	strbuf_char(out, ']');
}

static void text_secontext(struct emitter *e, const char *context)
{
	strbuf_char(text_of(e)->out, ' ');
	emit_text_secontext(text_of(e)->out, context);
}

static const struct emit_ops text_ops = {
	.arg = text_arg,
	.num = text_num,
	.null = text_null,
	.addr = text_addr,
	.sym = text_sym,
	.named = text_named,
	.flags_begin = text_flags_begin,
	.flag = text_flag,
	.flags_end = text_flags_end,
	.flag_apart = text_flag_apart,
	.members_begin = text_members_begin,
	.member = text_member,
	.members_end = text_members_end,
	.alias_begin = text_alias_begin,
	.alias_bytes_begin = text_alias_bytes_begin,
	.alias_end = text_alias_end,
	.index_begin = text_index_begin,
	.index_end = text_index_end,
	.call_begin = text_call_begin,
	.call_end = text_call_end,
	.pton = text_pton,
	.str = text_str,
	.struct_begin = text_struct_begin,
	.field = text_field,
	.struct_end = text_struct_end,
	.array_begin = text_array_begin,
	.set_begin = text_set_begin,
	.array_end = text_array_end,
	.more = text_more,
	.comment = text_comment,
	.comment_before = text_comment_before,
	.change = text_change,
	.word = text_word,
	.note = text_note,
	.result_detail = text_result_detail,
	.at_end = text_at_end,
	.unnamed_field = text_unnamed_field,
	.around = text_around,
	.part = text_part,
	.data = text_data,
	.fd = text_fd,
	.pid = text_pid,
	.secontext = text_secontext,
	.peer_name = text_peer_name,
};

void emit_text_init(struct emit_text *t)
{
	*t = (struct emit_text){ .e.ops = &text_ops };
}

void emit_text_done(struct emit_text *t)
{
	strbuf_done(&t->detail);
	strbuf_done(&t->dropped);
	strbuf_done(&t->data);
	strbuf_done(&t->unsaid);
}

void emit_text_begin(struct emit_text *t, struct strbuf *line, enum emit_part part)
{
	t->part = part;
	t->line = line;
	t->out = part == EMIT_END ? &t->dropped : line;
	t->more_at_end = false;
	t->in_arg = false;
	t->in_alias = false;
	t->has_rest = false;
	t->has_detail = false;
	t->depth = 0;
	t->is_array[0] = false;
	strbuf_reset(&t->detail);
	strbuf_reset(&t->dropped);
	strbuf_reset(&t->data);
}
