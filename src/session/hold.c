/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What --lossless is to a session: which directories are frozen, and what is said of it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "session/internal.h"
#include "session/lossless.h"

static void explain(int r, const char *dir, char *err, size_t err_size)
{
	if (r == -EBUSY)
		snprintf(err, err_size, "--lossless: another ctrace --lossless has the cgroup %s", dir);
	else if (r == -EOPNOTSUPP)
		snprintf(err, err_size, "--lossless: the cgroup %s is threaded, and cannot be frozen as a whole", dir);
	else if (r == -EROFS)
		snprintf(err, err_size, "--lossless: the cgroup %s cannot be frozen: cgroups are mounted read-only here", dir);
	else if (r == -ENOENT)
		snprintf(err, err_size, "--lossless: the cgroup %s cannot be frozen: it is a root, or of a hierarchy without freezer", dir);
	else
		snprintf(err, err_size, "--lossless: cannot freeze the cgroup %s: %s", dir, strerror(-r));
}

static int hold_one(struct session *s, size_t i, char *err, size_t err_size)
{
	_cleanup_free_ char *dir = NULL;
	int r = target_freezer_dir(s->env, &s->targets->v[i], s->opts.reader_pid, &dir, err, err_size);

	if (r < 0)
		return r;
	r = lossless_add(s->lossless, (uint32_t)i, dir);
	if (r < 0)
		explain(r, dir, err, err_size);
	return r;
}

int session_hold(struct session *s, char *err, size_t err_size)
{
	int r;

	if (!s->opts.lossless)
		return 0;
	r = lossless_new(&s->lossless);
	for (size_t i = 0; !r && i < s->targets->n; i++) {
		if (!s->targets->v[i].waiting)
			r = hold_one(s, i, err, err_size);
	}
	return r;
}

static void note(const struct session *s, const char *line)
{
	if (s->opts.note)
		s->opts.note(line);
}

void session_hold_late(struct session *s, size_t i)
{
	char err[512] = "";

	if (s->lossless && hold_one(s, i, err, sizeof(err)) < 0)
		note(s, err);
}

void session_hold_news(struct session *s)
{
	unsigned news = lossless_news(s->lossless);

	if (news & LOSSLESS_UNGUARDED)
		note(s, "--lossless: the process that would thaw the target was killed: it is not frozen any more, and calls may be lost");
	if (news & LOSSLESS_FOREIGN)
		note(s, "--lossless: another program froze or thawed the target meanwhile, and its state was left to that");
	if (news & LOSSLESS_YIELDED && !s->yielded)
		note(s, "--lossless: the target was frozen for as long as is allowed, and runs on: calls may be lost");
	s->yielded |= (news & LOSSLESS_YIELDED) != 0;
}

void session_hold_stats(struct session *s, struct coverage *c)
{
	struct lossless_stats stats;

	if (!s->lossless)
		return;
	stats = lossless_stats(s->lossless);
	c->frozen.asked = true;
	c->frozen.times = stats.times;
	c->frozen.total_ns = stats.total_ns;
	c->frozen.longest_ns = stats.longest_ns;
	c->frozen.yielded = stats.yielded;
}
