/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "output/split.h"

bool split_begins(struct task_entry *e, const struct call *c)
{
	if ((e->begun && e->begun_at == c->enter) || c->enter <= e->ended_before)
		return false;
	e->begun = true;
	e->begun_at = c->enter;
	e->late = c->late;
	return true;
}

void split_begun(struct split *s, struct strbuf *sb, const struct call *c, size_t width)
{
	s->open_tid = c->task.host_tid;
	s->width = width;
	if (!s->live)
		split_interrupt(s, sb);
}

enum split_how split_ends(struct split *s, struct task_entry *e, const struct call *c)
{
	/* The end of a call that began otherwise was lost: what it left is not this one's. */
	bool told = e && e->begun && e->begun_at == c->enter;

	if (e) {
		e->begun = false;
		e->ended_before = c->enter;
	}
	if (!told)
		return SPLIT_WHOLE;
	if (s->open_tid != c->task.host_tid)
		return SPLIT_RESUMED;
	s->open_tid = 0;
	return SPLIT_CONTINUED;
}

void split_interrupt(struct split *s, struct strbuf *sb)
{
	if (!s->open_tid)
		return;
	strbuf_lit(sb, " <unfinished ...>\n");
	s->open_tid = 0;
}

void split_renumber(struct split *s, struct strbuf *sb, struct tasks *tasks, uint32_t old_tid, uint32_t new_tid, uint32_t number)
{
	struct task_entry *e = tasks_get(tasks, old_tid, false);
	bool begun = e && e->begun;
	uint64_t begun_at = e ? e->begun_at : 0;

	if (s->open_tid == old_tid) {
		strbuf_lit(sb, " <pid changed to ");
		strbuf_udec(sb, number);
		strbuf_lit(sb, " ...>\n");
		s->open_tid = 0;
	}
	/* Of the leader's own call there is no end. */
	e = tasks_get(tasks, new_tid, begun);
	if (!e)
		return;
	e->begun = begun;
	e->begun_at = begun_at;
	e->ended_before = 0;
}
