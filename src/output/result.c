/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "output/emit_text.h"
#include "output/result.h"

#include "output/emit_fd.h"

#define NSEC 1000000000u

/* The kernel's own codes that never reach the program: it calls again, or says EINTR. */
static bool is_restart(int err)
{
	return (err >= 512 && err <= 514) || err == 516;
}

/* raw: as strace does with -e raw=, the kernel's own codes as if they reached the program. */
static void put_error(struct prefix *p, struct strbuf *sb, int err, bool raw)
{
	const char *name = errno_name(err), *text = errno_text(err);

	prefix_paint(p, sb, PAINT_ERROR);
	if (is_restart(err) && raw) {
		strbuf_lit(sb, "-1 ");
		strbuf_str(sb, name);
		strbuf_lit(sb, " (Unknown error ");
		strbuf_dec(sb, err);
		strbuf_char(sb, ')');
		text = NULL;
	} else if (is_restart(err)) {
		strbuf_lit(sb, "? ");
		strbuf_str(sb, name);
	} else if (name) {
		strbuf_lit(sb, "-1 ");
		strbuf_str(sb, name);
	} else {
		strbuf_lit(sb, "-1 (errno ");
		strbuf_dec(sb, err);
		strbuf_char(sb, ')');
	}
	if (name && text) {
		strbuf_lit(sb, " (");
		strbuf_str(sb, text);
		strbuf_char(sb, ')');
	}
	prefix_paint(p, sb, PAINT_OFF);
}

static void put_value(struct strbuf *sb, const struct call *c, enum ret_kind kind)
{
	uint64_t v = c->abi == ABI_NATIVE ? (uint64_t)c->ret : (uint32_t)c->ret;

	switch (kind) {
	case RET_HEX:
	case RET_ADDR:
		strbuf_hex(sb, v);
		break;
	case RET_OCT:
		strbuf_oct(sb, v, 3);
		break;
	case RET_FD:
	case RET_PID:
	case RET_PGID:
		if (c->abi == ABI_NATIVE && kind == RET_FD)
			strbuf_dec(sb, c->ret);
		else
			strbuf_dec(sb, (int32_t)c->ret);
		break;
	case RET_DEC:
		strbuf_udec(sb, v);
		break;
	case RET_VOID:
		strbuf_char(sb, '?');
		break;
	}
}

/* A file descriptor with what it is (-y). */
static bool put_fd(struct prefix *p, struct strbuf *sb, const struct call *c)
{
	const struct output_opts *opts = p->run->opts;
	struct fd_view view;
	const struct emit_fd *fd = opts->decode.fds ? call_result_fd(c, &opts->decode, &view) : NULL;

	if (!fd)
		return false;
	fd_text(sb, fd, opts->hex);
	return true;
}

/* Of the descriptor that was made, if it is still there. */
static void put_secontext(struct secontexts *s, struct strbuf *sb, const struct call *c)
{
	char context[SECONTEXT_MAX];

	if (!call_fd_secontext(c, s, (int)c->ret, context, sizeof(context)))
		return;
	strbuf_char(sb, ' ');
	emit_text_secontext(sb, context);
}

static void put_result(struct prefix *p, struct strbuf *sb, const struct call *c, const struct strbuf *detail)
{
	enum ret_kind kind = call_ret_kind(c);
	bool raw = call_is_raw(c, &p->run->opts->decode);
	int err = call_errno(c);
	struct emit_pid pid;

	if (c->flags & CT_F_NO_RETURN) {
		strbuf_char(sb, '?');
		return;
	}
	if (err)
		put_error(p, sb, err, raw);
	else if (raw)
		strbuf_hex(sb, c->abi == ABI_NATIVE ? (uint64_t)c->ret : (uint32_t)c->ret);
	else if (call_pid(c, &p->run->opts->decode, &pid))
		emit_text_pid(sb, &pid);
	else if (!put_fd(p, sb, c))
		put_value(sb, c, kind);
	if (!err && kind == RET_FD && p->run->opts->decode.secontexts)
		put_secontext(p->run->opts->decode.secontexts, sb, c);
	if (detail) {
		strbuf_lit(sb, " (");
		strbuf_bytes(sb, detail->buf, detail->len);
		strbuf_char(sb, ')');
	}
}

static void put_duration(const struct prefix *p, struct strbuf *sb, const struct call *c)
{
	uint64_t d = c->exit - c->enter;

	if (!c->enter || c->exit < c->enter || (c->flags & (CT_F_NO_RETURN | CT_F_BEGUN_BEFORE)))
		return;
	strbuf_lit(sb, " <");
	strbuf_udec(sb, d / NSEC);
	put_fraction(sb, (uint32_t)(d % NSEC), p->run->opts->duration_digits);
	strbuf_char(sb, '>');
}

void result_write(struct prefix *p, struct strbuf *sb, const struct call *c, const struct strbuf *detail, size_t line, size_t width)
{
	unsigned column = p->run->opts->column;

	strbuf_lit(sb, ") ");
	if (width < column)
		strbuf_pad(sb, line, column - width + p->invisible);
	strbuf_lit(sb, "= ");
	put_result(p, sb, c, detail);
	if (p->run->opts->duration)
		put_duration(p, sb, c);
}
