/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "decode/touch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decode/files.h"
#include "decode/kinds.h"
#include "util/macros.h"

#define TOUCHING (C_FILE | C_DESC | C_NETWORK)

static bool has_path(const struct touch *t, const char *path, size_t len)
{
	for (size_t i = 0; i < t->n_paths; i++) {
		if (strlen(t->paths[i]) == len && !memcmp(t->paths[i], path, len))
			return true;
	}
	for (size_t i = 0; i < t->n_resolved; i++) {
		if (strlen(t->resolved[i]) == len && !memcmp(t->resolved[i], path, len))
			return true;
	}
	return false;
}

bool fd_set_has(const struct fd_set_spec *s, int fd)
{
	if (!s->any || fd < 0)
		return false;
	for (size_t i = 0; i < s->n; i++) {
		if (s->fds[i] == fd)
			return !s->others;
	}
	return s->others;
}

/* One of the arguments, by its kind. */
static bool arg_touches(const struct call *c, const struct arg *a, unsigned reg, const struct touch *t)
{
	if (reg >= CT_ARGS)
		return false;
	if (a->kind == &kind_fd || a->kind == &kind_atfd)
		return fd_set_has(&t->fds, (int)c->args[reg]);
	if (a->kind != &kind_path)
		return false;
	for (unsigned i = 0; i < c->n_captures; i++) {
		const struct capture *k = &c->captures[i];

		if (k->arg == reg && !k->part && !(k->flags & (CT_CAP_FAILED | CT_CAP_CUT)))
			return has_path(t, k->data, k->len);
	}
	return false;
}

/* Calls whose descriptors in memory count. */
static bool waits_for_many(const struct syscall *s)
{
	static const char *const names[] = {
		"poll", "ppoll", "ppoll_time64", "select", "_newselect", "pselect6", "pselect6_time64",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(s->name, names[i]))
			return true;
	}
	return false;
}

/* Whether one of the arguments is that descriptor. */
static bool is_argument(const struct call *c, const struct syscall *s, int fd)
{
	for (unsigned i = 0; i < s->nargs; i++) {
		unsigned reg = arg_reg(s, i);

		if ((s->args[i].kind == &kind_fd || s->args[i].kind == &kind_atfd) && reg < CT_ARGS && (int)c->args[reg] == fd)
			return true;
	}
	return false;
}

/* The files whose descriptors were looked at when the call began. */
static bool files_touch(const struct call *c, const struct syscall *s, const struct touch *t)
{
	for (unsigned i = 0; i < c->n_captures; i++) {
		const struct capture *k = &c->captures[i];
		char path[CT_PATH_ROOM];
		size_t len;
		int fd;

		if (k->part != CT_PART_FD || k->idx != CT_FD_OWN || (k->flags & (CT_CAP_AT_EXIT | CT_CAP_RETRIED)) == CT_CAP_AT_EXIT)
			continue;
		if (!file_path(k, &fd, path, &len) || fd < 0 || (!waits_for_many(s) && !is_argument(c, s, fd)))
			continue;
		if (fd_set_has(&t->fds, fd) || has_path(t, path, len))
			return true;
	}
	return false;
}

bool call_touches(const struct call *c, const struct touch *t)
{
	const struct syscall *s = syscall_get(c->abi, c->nr);

	if (!s || !(s->classes & TOUCHING))
		return false;
	for (unsigned i = 0; i < s->nargs; i++) {
		if (arg_touches(c, &s->args[i], arg_reg(s, i), t))
			return true;
	}
	return files_touch(c, s, t);
}

static int add_fd(struct fd_set_spec *s, int fd)
{
	int *fds = realloc(s->fds, (s->n + 1) * sizeof(*fds));

	if (!fds)
		return -ENOMEM;
	s->fds = fds;
	s->fds[s->n++] = fd;
	return 0;
}

/* A number that is all of the word. */
static bool read_number(const char *text, size_t len, int *ret)
{
	char *end;
	long v;

	if (!len || *text < '0' || *text > '9')
		return false;
	errno = 0;
	v = strtol(text, &end, 10);
	if (errno || end != text + len || v > INT32_MAX)
		return false;
	*ret = (int)v;
	return true;
}

int fd_set_parse(const char *text, struct fd_set_spec *ret, const char **ret_bad)
{
	struct fd_set_spec s = { .any = true, .others = *text == '!' };
	int fd, r;

	text += s.others;
	for (;;) {
		size_t len = strcspn(text, ",");

		if (len == 3 && !memcmp(text, "all", 3)) {
			s.others = !s.others;
			s.n = 0;
		} else if (len != 4 || memcmp(text, "none", 4) != 0) {
			r = read_number(text, len, &fd) ? add_fd(&s, fd) : -EINVAL;
			if (r < 0) {
				*ret_bad = text;
				free(s.fds);
				return r;
			}
		}
		if (!text[len])
			break;
		text += len + 1;
	}
	free(ret->fds);
	*ret = s;
	return 0;
}

int touch_add_path(struct touch *t, const char *path)
{
	const char **paths = realloc(t->paths, (t->n_paths + 1) * sizeof(*paths));

	if (!paths)
		return -ENOMEM;
	t->paths = paths;
	t->paths[t->n_paths++] = path;
	return 0;
}

int touch_add_resolved(struct touch *t, const char *path)
{
	char **resolved;

	if (has_path(t, path, strlen(path)))
		return 0;
	resolved = realloc(t->resolved, (t->n_resolved + 1) * sizeof(*resolved));
	if (!resolved)
		return -ENOMEM;
	t->resolved = resolved;
	resolved[t->n_resolved] = strdup(path);
	if (!resolved[t->n_resolved])
		return -ENOMEM;
	t->n_resolved++;
	return 1;
}

void touch_forget_resolved(struct touch *t)
{
	for (size_t i = 0; i < t->n_resolved; i++)
		free(t->resolved[i]);
	free(t->resolved);
	t->resolved = NULL;
	t->n_resolved = 0;
}

void touch_done(struct touch *t)
{
	touch_forget_resolved(t);
	free(t->paths);
	free(t->fds.fds);
	*t = (struct touch){ 0 };
}
