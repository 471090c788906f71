/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The parsers of procfs.h: bytes in, numbers out, nothing opened. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "ns/array.h"
#include "ns/procfs.h"
#include "util/macros.h"

/* A run of bytes that is being read from the front. */
struct cursor {
	const char *p, *end;
};

static bool cursor_number(struct cursor *c, uint64_t max, uint64_t *ret)
{
	const char *start = c->p;
	uint64_t v = 0;

	for (; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++) {
		unsigned digit = (unsigned)(*c->p - '0');

		if (v > (max - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	*ret = v;
	return c->p > start;
}

static bool cursor_pid(struct cursor *c, pid_t *ret)
{
	uint64_t v;

	if (!cursor_number(c, INT_MAX, &v))
		return false;
	*ret = (pid_t)v;
	return true;
}

static void cursor_blanks(struct cursor *c)
{
	while (c->p < c->end && (*c->p == ' ' || *c->p == '\t'))
		c->p++;
}

/* Skips n fields that blanks divide. */
static bool cursor_skip_fields(struct cursor *c, unsigned n)
{
	while (n--) {
		cursor_blanks(c);
		if (c->p == c->end)
			return false;
		while (c->p < c->end && *c->p != ' ')
			c->p++;
	}
	cursor_blanks(c);
	return true;
}

/*
 * pid (comm) state ppid ...: everything behind comm is numbers, so the last
 * ')' is the one that closes it.
 */
int proc_stat_parse(const char *text, size_t len, struct proc_stat *ret)
{
	struct cursor c = { text, text + len };
	struct proc_stat s = { 0 };
	const char *open, *close;
	size_t n;

	if (!cursor_pid(&c, &s.pid))
		return -EINVAL;
	open = memchr(text, '(', len);
	close = memrchr(text, ')', len);
	if (!open || !close || close < open || open != c.p + 1)
		return -EINVAL;
	n = MIN((size_t)(close - open - 1), sizeof(s.comm) - 1);
	memcpy(s.comm, open + 1, n);
	c.p = close + 1;
	cursor_blanks(&c);
	if (c.p == c.end)
		return -EINVAL;
	s.state = *c.p;
	if (!cursor_skip_fields(&c, 1) || !cursor_pid(&c, &s.ppid))
		return -EINVAL;
	/* fields 5 to 21; ppid's own end is where field 4 ends */
	if (!cursor_skip_fields(&c, 17) || !cursor_number(&c, UINT64_MAX, &s.start))
		return -EINVAL;
	*ret = s;
	return 0;
}

static int status_nspid(struct cursor *c, struct proc_status *s)
{
	for (;;) {
		cursor_blanks(c);
		if (c->p == c->end)
			return 0;
		if (s->n_nspid == PROC_NS_LEVELS || !cursor_pid(c, &s->nspid[s->n_nspid]))
			return -EINVAL;
		s->n_nspid++;
	}
}

/* The kernel escapes newlines of comm in the Name: line, so lines can be trusted here. */
static int status_line(const char *line, size_t len, struct proc_status *s, unsigned *seen)
{
	static const struct {
		const char *key;
		size_t len;
	} keys[] = { { "State:", 6 }, { "Tgid:", 5 }, { "PPid:", 5 }, { "NSpid:", 6 } };
	struct cursor c = { line, line + len };

	for (unsigned i = 0; i < ARRAY_SIZE(keys); i++) {
		if (len < keys[i].len || memcmp(line, keys[i].key, keys[i].len))
			continue;
		if (*seen & 1u << i)
			return -EINVAL;
		*seen |= 1u << i;
		c.p += keys[i].len;
		cursor_blanks(&c);
		if (i == 0) {
			s->state = c.p < c.end ? *c.p : 0;
			return s->state ? 0 : -EINVAL;
		}
		if (i == 3)
			return status_nspid(&c, s);
		return cursor_pid(&c, i == 1 ? &s->tgid : &s->ppid) ? 0 : -EINVAL;
	}
	return 0;
}

int proc_status_parse(const char *text, size_t len, struct proc_status *ret)
{
	struct proc_status s = { 0 };
	unsigned seen = 0;

	for (size_t pos = 0; pos < len;) {
		const char *nl = memchr(text + pos, '\n', len - pos);
		size_t n = nl ? (size_t)(nl - (text + pos)) : len - pos;
		int r = status_line(text + pos, n, &s, &seen);

		if (r < 0)
			return r;
		pos += n + 1;
	}
	if ((seen & 7) != 7)
		return -EINVAL;
	*ret = s;
	return 0;
}

/* hierarchy:controllers:path, where the path may hold more colons. The line is cut in place. */
static bool cgroup_line(char *line, size_t len, struct proc_cgroup *ret)
{
	static const char deleted[] = " (deleted)";
	struct cursor c = { line, line + len };
	uint64_t id;
	char *colon;

	if (memchr(line, '\0', len) || !cursor_number(&c, UINT32_MAX, &id) || c.p == c.end || *c.p != ':')
		return false;
	ret->controllers = line + (c.p - line) + 1;
	colon = memchr(ret->controllers, ':', (size_t)(c.end - ret->controllers));
	if (!colon || colon + 1 == c.end || colon[1] != '/')
		return false;
	*colon = '\0';
	ret->path = colon + 1;
	line[len] = '\0';
	ret->hierarchy = (uint32_t)id;
	len -= (size_t)(ret->path - line);
	ret->deleted = len > sizeof(deleted) - 1 && !strcmp(ret->path + len - (sizeof(deleted) - 1), deleted);
	if (ret->deleted)
		ret->path[len - (sizeof(deleted) - 1)] = '\0';
	return true;
}

int proc_cgroups_parse(const char *text, size_t len, struct proc_cgroups *ret)
{
	_cleanup_(proc_cgroups_done) struct proc_cgroups c = { 0 };
	size_t allocated = 0;

	c.text = malloc(len + 1);
	if (!c.text)
		return -ENOMEM;
	if (len)
		memcpy(c.text, text, len);
	for (size_t pos = 0; pos < len;) {
		char *line = c.text + pos, *nl = memchr(line, '\n', len - pos);
		size_t n = nl ? (size_t)(nl - line) : len - pos;

		if (ARRAY_RESERVE(c.v, allocated, c.n + 1) < 0)
			return -ENOMEM;
		if (cgroup_line(line, n, &c.v[c.n]))
			c.n++;
		pos += n + 1;
	}
	*ret = c;
	c = (struct proc_cgroups){ 0 };
	return 0;
}

void proc_cgroups_done(struct proc_cgroups *cgroups)
{
	free(cgroups->text);
	free(cgroups->v);
	*cgroups = (struct proc_cgroups){ 0 };
}

int pid_list_parse(const char *text, size_t len, struct pid_list *list)
{
	struct cursor c = { text, text + len };

	for (;;) {
		pid_t pid;
		int r;

		while (c.p < c.end && (*c.p == ' ' || *c.p == '\t' || *c.p == '\n'))
			c.p++;
		if (c.p == c.end)
			return 0;
		if (!cursor_pid(&c, &pid))
			return -EINVAL;
		r = pid_list_add(list, pid);
		if (r < 0)
			return r;
	}
}

int pid_list_add(struct pid_list *list, pid_t pid)
{
	int r = ARRAY_RESERVE(list->v, list->allocated, list->n + 1);

	if (r < 0)
		return r;
	list->v[list->n++] = pid;
	return 0;
}

void pid_list_done(struct pid_list *list)
{
	free(list->v);
	*list = (struct pid_list){ 0 };
}
