/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "output/emit_json.h"

#include "output/emit_fd.h"

#define EXACT (UINT64_C(1) << 53)       /* the largest number that a double, and so jq, keeps exact */

static struct emit_json *json_of(struct emitter *e)
{
	return (struct emit_json *)e;
}

static struct emit_json_level *level_of(struct emit_json *j)
{
	return &j->levels[j->depth];
}

/* A value is over: closes {"in":...,"out":...}. */
static void finish(struct emit_json *j)
{
	struct emit_json_level *l = level_of(j);

	if (l->changed && !l->joined)
		strbuf_char(j->out, '}');
	else if (l->changed)
		strbuf_lit(j->out, "null}");
	l->changed = false;
	l->joined = false;
}

/* A value begins. */
static void value(struct emit_json *j)
{
	struct emit_json_level *l = level_of(j);

	if (l->joined) {
		l->joined = false;
		return;
	}
	if (l->kind == LEVEL_ARRAY) {
		finish(j);
		if (l->any)
			strbuf_char(j->out, ',');
		l->any = true;
		if (j->depth == 0)
			j->n_detail++;
	}
	l->start = j->out->len;
}

static void level_begin(struct emit_json_level *l, int kind)
{
	l->kind = kind;
	l->any = l->changed = l->joined = false;
	l->start = 0;
	l->n_keys = 0;
}

/* FNV-1a; two names of one object that share it would be told apart without need, and that is all. */
static uint32_t hash_of(const char *name)
{
	uint32_t h = 2166136261u;

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	return h;
}

/* "name": and, since readers keep the last of two equal keys, "name_2": for a second one. */
static void put_key(struct emit_json *j, const char *name)
{
	struct emit_json_level *l = level_of(j);
	uint32_t hash = hash_of(name);
	unsigned same = 0;

	for (unsigned i = 0; i < l->n_keys; i++)
		same += l->keys[i] == hash;
	if (l->n_keys < EMIT_JSON_KEYS)
		l->keys[l->n_keys++] = hash;
	strbuf_char(j->out, '"');
	strbuf_str(j->out, name);
	if (same) {
		strbuf_char(j->out, '_');
		strbuf_udec(j->out, same + 1);
	}
	strbuf_lit(j->out, "\":");
}

static void json_arg(struct emitter *e, const char *name)
{
	struct emit_json *j = json_of(e);

	finish(j);
	if (j->any_arg)
		strbuf_char(j->out, ',');
	j->any_arg = true;
	j->arg = name;
	j->noted_change = j->noted_cut = false;
	put_key(j, name);
}

static void put_dec(struct emit_json *j, int64_t v)
{
	bool exact = v <= (int64_t)EXACT && v >= -(int64_t)EXACT;

	if (!exact)
		strbuf_char(j->out, '"');
	strbuf_dec(j->out, v);
	if (!exact)
		strbuf_char(j->out, '"');
}

static void put_udec(struct emit_json *j, uint64_t v)
{
	if (v > EXACT)
		strbuf_char(j->out, '"');
	strbuf_udec(j->out, v);
	if (v > EXACT)
		strbuf_char(j->out, '"');
}

static void put_hex(struct emit_json *j, uint64_t v)
{
	strbuf_lit(j->out, "\"0x");
	strbuf_hex_digits(j->out, v, 1);
	strbuf_char(j->out, '"');
}

static void json_num(struct emitter *e, uint64_t v, enum emit_base base)
{
	struct emit_json *j = json_of(e);

	value(j);
	switch (base) {
	case EMIT_DEC:
		put_dec(j, (int64_t)v);
		break;
	case EMIT_UDEC:
		put_udec(j, v);
		break;
	case EMIT_HEX:
		put_hex(j, v);
		break;
	case EMIT_OCT:
		strbuf_char(j->out, '"');
		strbuf_oct(j->out, v, 3);
		strbuf_char(j->out, '"');
		break;
	}
}

static void json_null(struct emitter *e)
{
	struct emit_json *j = json_of(e);

	value(j);
	strbuf_lit(j->out, "null");
}

static void json_addr(struct emitter *e, uint64_t v)
{
	struct emit_json *j = json_of(e);

	value(j);
	put_hex(j, v);
}

static void json_sym(struct emitter *e, const char *name, uint64_t v)
{
	struct emit_json *j = json_of(e);

	value(j);
	if (name)
		json_quote(j->out, name, strlen(name));
	else
		put_hex(j, v);
}

static void json_named(struct emitter *e, const char *text, uint64_t v, enum emit_base base)
{
	struct emit_json *j = json_of(e);

	if (!text) {
		json_num(e, v, base);
		return;
	}
	value(j);
	json_quote(j->out, text, strlen(text));
}

static void begin(struct emit_json *j, int kind)
{
	value(j);
	strbuf_char(j->out, kind == LEVEL_ARRAY ? '[' : '{');
	if (j->depth < EMIT_JSON_DEPTH - 1)
		j->depth++;
	level_begin(level_of(j), kind);
}

static void end(struct emit_json *j, char c)
{
	finish(j);
	strbuf_char(j->out, c);
	if (j->depth > 0)
		j->depth--;
}

static void json_flags_begin(struct emitter *e, uint64_t v)
{
	(void)v;
	begin(json_of(e), LEVEL_ARRAY);
}

static void json_flags_end(struct emitter *e)
{
	end(json_of(e), ']');
}

static void end_part(struct emit_json *j)
{
	if (j->in_part)
		end(j, '}');
	j->in_part = false;
}

/* A part of the result's detail with a label is an object of one member. */
static void begin_part(struct emit_json *j)
{
	end_part(j);
	begin(j, LEVEL_OBJECT);
	j->in_part = true;
}

static void json_field(struct emitter *e, const char *name)
{
	struct emit_json *j = json_of(e);

	if (j->out == &j->detail && !j->depth)
		begin_part(j);
	if (level_of(j)->kind != LEVEL_OBJECT)
		return;
	finish(j);
	if (level_of(j)->any)
		strbuf_char(j->out, ',');
	level_of(j)->any = true;
	put_key(j, name);
}

static void json_word(struct emitter *e, const char *text)
{
	struct emit_json *j = json_of(e);

	value(j);
	json_quote(j->out, text, strlen(text));
}

/* ["SIGHUP"], or {"all_but":["SIGKILL"]} */
static void json_members_begin(struct emitter *e, bool others)
{
	struct emit_json *j = json_of(e);

	if (others) {
		begin(j, LEVEL_OBJECT);
		json_field(e, "all_but");
	}
	j->others = others;
	begin(j, LEVEL_ARRAY);
}

static void json_member(struct emitter *e, const char *name, size_t skip, uint64_t v)
{
	(void)skip;
	json_sym(e, name, v);
}

static void json_members_end(struct emitter *e)
{
	struct emit_json *j = json_of(e);

	end(j, ']');
	if (j->others)
		end(j, '}');
}

/* What is said of the value stands for it; around() is for text alone. */
static void json_alias_begin(struct emitter *e, uint64_t v, enum emit_base base)
{
	(void)e;
	(void)v;
	(void)base;
}

static void json_alias_bytes_begin(struct emitter *e, const void *bytes, size_t len)
{
	(void)e;
	(void)bytes;
	(void)len;
}

static void json_alias_end(struct emitter *e)
{
	(void)e;
}

static void json_pton(struct emitter *e, const char *field, const char *family, const char *text, const void *bytes, size_t len)
{
	(void)family;
	(void)bytes;
	(void)len;
	json_field(e, field);
	json_word(e, text);
}

static void json_str(struct emitter *e, const void *bytes, size_t len, unsigned flags)
{
	struct emit_json *j = json_of(e);

	value(j);
	if (flags & EMIT_STR_NUL && len)
		len--;
	if (flags & EMIT_STR_ABSTRACT)
		strbuf_lit(j->out, "{\"abstract\":");
	json_quote(j->out, bytes, len);
	if (flags & EMIT_STR_ABSTRACT)
		strbuf_char(j->out, '}');
}

static void json_struct_begin(struct emitter *e)
{
	begin(json_of(e), LEVEL_OBJECT);
}

static void json_struct_end(struct emitter *e)
{
	end(json_of(e), '}');
}

static void json_array_begin(struct emitter *e)
{
	begin(json_of(e), LEVEL_ARRAY);
}

static void json_array_end(struct emitter *e)
{
	end(json_of(e), ']');
}

static void json_note(struct emitter *e, enum emit_note note, uint64_t v)
{
	static const char *const names[] = {
		[NOTE_UNREADABLE] = "unreadable", [NOTE_CUT] = "cut", [NOTE_AT_EXIT] = "captured_at_exit",
		[NOTE_CHANGED] = "changed", [NOTE_LOST] = "lost",
	};
	struct emit_json *j = json_of(e);
	struct strbuf *sb = &j->notes;

	/* Once an argument, but for each length. */
	if (note == NOTE_CUT && !v && j->noted_cut)
		return;
	j->noted_cut |= note == NOTE_CUT && !v;
	if (sb->len)
		strbuf_char(sb, ',');
	strbuf_lit(sb, "{\"arg\":\"");
	strbuf_str(sb, j->arg ? j->arg : "");
	strbuf_lit(sb, "\",\"note\":\"");
	strbuf_str(sb, names[note]);
	strbuf_char(sb, '"');
	if (note == NOTE_CUT && v && v <= EXACT) {
		strbuf_lit(sb, ",\"length\":");
		strbuf_udec(sb, v);
	}
	strbuf_char(sb, '}');
}

/* Elements that are left out; the fields that are without -v are no news. */
static void json_more(struct emitter *e)
{
	struct emit_json *j = json_of(e);
	/* Text writes no brackets around netlink messages of which -s 0 shows none. */
	bool alone = j->out->len && j->out->buf[j->out->len - 1] == ':';

	if (alone) {
		value(j);
		strbuf_lit(j->out, "[]");
	}
	if (alone || level_of(j)->kind == LEVEL_ARRAY)
		json_note(e, NOTE_CUT, 0);
}

static void json_comment(struct emitter *e, const char *text)
{
	(void)e;
	(void)text;
}

static void json_peer_name(struct emitter *e, const char *name)
{
	json_field(e, "name");
	json_word(e, name);
}

static void json_index_begin(struct emitter *e, const char *name, uint64_t v, const char *unknown)
{
	(void)e;
	(void)name;
	(void)v;
	(void)unknown;
}

static void json_index_end(struct emitter *e)
{
	(void)e;
}

static void json_change(struct emitter *e)
{
	static const char in[] = "{\"in\":";
	struct emit_json *j = json_of(e);
	struct emit_json_level *l = level_of(j);
	size_t n = sizeof(in) - 1;

	if (l->changed || !strbuf_room(j->out, n))
		return;
	memmove(j->out->buf + l->start + n, j->out->buf + l->start, j->out->len - l->start);
	memcpy(j->out->buf + l->start, in, n);
	j->out->len += n;
	strbuf_lit(j->out, ",\"out\":");
	l->changed = true;
	l->joined = true;
	if (!j->noted_change)
		json_note(e, NOTE_CHANGED, 0);
	j->noted_change = true;
}

static void json_result_detail(struct emitter *e)
{
	struct emit_json *j = json_of(e);

	finish(j);
	j->out = &j->detail;
	j->depth = 0;
	level_begin(&j->levels[0], LEVEL_ARRAY);
}

static void json_part(struct emitter *e, const char *label)
{
	struct emit_json *j = json_of(e);

	if (j->out != &j->detail)
		json_result_detail(e);
	end_part(j);
	if (!label)
		return;
	json_field(e, label);
}

void emit_json_put_pid(struct strbuf *out, const struct emit_pid *pid)
{
	strbuf_lit(out, "{\"pid\":");
	strbuf_dec(out, pid->nr);
	if (pid->host_nr) {
		strbuf_lit(out, ",\"host_pid\":");
		strbuf_udec(out, pid->host_nr);
	}
	if (pid->comm_len) {
		strbuf_lit(out, ",\"comm\":");
		json_quote(out, pid->comm, pid->comm_len);
	}
	strbuf_char(out, '}');
}

/* The value that was just written becomes {"value":...,"secontext":"..."}. */
static void json_secontext(struct emitter *e, const char *context)
{
	static const char begin_value[] = "{\"value\":";
	struct emit_json *j = json_of(e);
	struct emit_json_level *l = level_of(j);
	size_t n = sizeof(begin_value) - 1;

	if (l->changed || !strbuf_room(j->out, n))
		return;
	memmove(j->out->buf + l->start + n, j->out->buf + l->start, j->out->len - l->start);
	memcpy(j->out->buf + l->start, begin_value, n);
	j->out->len += n;
	strbuf_lit(j->out, ",\"secontext\":");
	json_quote(j->out, context, strlen(context));
	strbuf_char(j->out, '}');
}

static void json_pid(struct emitter *e, const struct emit_pid *pid)
{
	struct emit_json *j = json_of(e);

	value(j);
	emit_json_put_pid(j->out, pid);
}

static void json_fd(struct emitter *e, const struct emit_fd *fd)
{
	struct emit_json *j = json_of(e);

	value(j);
	fd_json(j->out, fd);
}

/* JSON is written when the call has ended. */
static void json_at_end(struct emitter *e)
{
	(void)e;
}

static void json_data(struct emitter *e, const struct emit_data *data)
{
	struct emit_json *j = json_of(e);
	struct strbuf *sb = &j->data;

	strbuf_str(sb, sb->len ? ",{" : "{");
	if (data->is_vector || data->numbered) {
		strbuf_str(sb, data->is_vector ? "\"vector\":" : "\"buffer\":");
		strbuf_udec(sb, data->index);
		strbuf_char(sb, ',');
	}
	strbuf_str(sb, data->is_vector ? "\"buffers\":" : "\"length\":");
	strbuf_udec(sb, data->len < EXACT ? data->len : EXACT);
	if (data->bytes) {
		strbuf_lit(sb, ",\"bytes\":\"");
		for (size_t i = 0; i < data->have; i++)
			strbuf_hex_digits(sb, ((const unsigned char *)data->bytes)[i], 2);
		strbuf_char(sb, '"');
	}
	strbuf_char(sb, '}');
}

static const struct emit_ops json_ops = {
	.arg = json_arg,
	.num = json_num,
	.null = json_null,
	.addr = json_addr,
	.sym = json_sym,
	.named = json_named,
	.flags_begin = json_flags_begin,
	.flag = json_sym,
	.flags_end = json_flags_end,
	.flag_apart = json_named,
	.members_begin = json_members_begin,
	.member = json_member,
	.members_end = json_members_end,
	.alias_begin = json_alias_begin,
	.alias_bytes_begin = json_alias_bytes_begin,
	.alias_end = json_alias_end,
	.index_begin = json_index_begin,
	.index_end = json_index_end,
	.call_begin = json_comment,
	.call_end = json_comment,
	.pton = json_pton,
	.str = json_str,
	.struct_begin = json_struct_begin,
	.field = json_field,
	.struct_end = json_struct_end,
	.array_begin = json_array_begin,
	.set_begin = json_array_begin,
	.array_end = json_array_end,
	.more = json_more,
	.comment = json_comment,
	.comment_before = json_comment,
	.change = json_change,
	.word = json_word,
	.note = json_note,
	.result_detail = json_result_detail,
	.at_end = json_at_end,
	.unnamed_field = json_field,
	.around = json_comment,
	.part = json_part,
	.data = json_data,
	.fd = json_fd,
	.pid = json_pid,
	.secontext = json_secontext,
	.peer_name = json_peer_name,
};

void emit_json_init(struct emit_json *j)
{
	*j = (struct emit_json){ .e.ops = &json_ops };
}

void emit_json_done(struct emit_json *j)
{
	strbuf_done(&j->detail);
	strbuf_done(&j->notes);
	strbuf_done(&j->data);
}

void emit_json_begin(struct emit_json *j, struct strbuf *out)
{
	j->out = out;
	j->arg = NULL;
	j->any_arg = false;
	j->depth = 0;
	j->n_detail = 0;
	j->in_part = false;
	level_begin(&j->levels[0], LEVEL_VALUE);
	j->noted_change = j->noted_cut = false;
	strbuf_reset(&j->detail);
	strbuf_reset(&j->notes);
	strbuf_reset(&j->data);
}

void emit_json_end(struct emit_json *j)
{
	end_part(j);
	finish(j);
}

bool emit_json_detail(const struct emit_json *j, struct strbuf *out)
{
	if (!j->n_detail)
		return false;
	if (j->n_detail > 1)
		strbuf_char(out, '[');
	strbuf_bytes(out, j->detail.buf, j->detail.len);
	if (j->n_detail > 1)
		strbuf_char(out, ']');
	return true;
}
