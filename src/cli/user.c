/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/user.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cli/values.h"
#include "util/macros.h"

/* What was asked for, and how the user is known where users are kept. */
struct wanted {
	const char *name;       /* NULL: uid is it */
	uid_t uid;
};

struct source {
	/* 1 and the first group and name (to be freed), 0 or a negative errno. */
	int (*find)(const struct source *s, const struct wanted *w, struct user *u, char **ret_name);
	/* All groups of a user by this name. */
	int (*groups)(const struct source *s, const char *name, struct user *u);
	const char *passwd, *group;     /* of files */
};

static int add_group(struct user *u, gid_t gid)
{
	gid_t *more;

	for (size_t i = 0; i < u->n_groups; i++)
		if (u->groups[i] == gid)
			return 0;
	more = reallocarray(u->groups, u->n_groups + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	u->groups = more;
	u->groups[u->n_groups++] = gid;
	return 0;
}

static int found(const struct passwd *pw, struct user *u, char **ret_name)
{
	u->uid = pw->pw_uid;
	u->gid = pw->pw_gid;
	*ret_name = strdup(pw->pw_name);
	return *ret_name ? 1 : -ENOMEM;
}

/* Lines that ask for another service to be included (+, -) are no users. */
static bool is_wanted(const struct passwd *pw, const struct wanted *w)
{
	if (strchr("+-", *pw->pw_name))
		return false;
	return w->name ? !strcmp(pw->pw_name, w->name) : pw->pw_uid == w->uid;
}

static int open_table(const char *path, FILE **ret)
{
	*ret = fopen(path, "re");
	return *ret || errno == ENOENT ? 0 : -errno;
}

static int file_find(const struct source *s, const struct wanted *w, struct user *u, char **ret_name)
{
	_cleanup_fclose_ FILE *f = NULL;
	const struct passwd *pw;
	int r = open_table(s->passwd, &f);

	while (f && (pw = fgetpwent(f)))
		if (is_wanted(pw, w))
			return found(pw, u, ret_name);
	return r;
}

static bool has_member(const struct group *g, const char *name)
{
	for (char **m = g->gr_mem; *m; m++)
		if (!strcmp(*m, name))
			return true;
	return false;
}

static int file_groups(const struct source *s, const char *name, struct user *u)
{
	_cleanup_fclose_ FILE *f = NULL;
	const struct group *g;
	int r = open_table(s->group, &f);

	while (!r && f && (g = fgetgrent(f)))
		if (has_member(g, name))
			r = add_group(u, g->gr_gid);
	return r;
}

static int find_by(const struct source *s, const char *text, struct user *ret)
{
	const char *colon = strchr(text, ':');
	_cleanup_free_ char *first = strndup(text, colon ? (size_t)(colon - text) : strlen(text)), *name = NULL;
	_cleanup_(user_done) struct user u = { 0 };
	struct wanted w = { 0 };
	uint64_t uid, gid;
	int r;

	if (!first)
		return -ENOMEM;
	if (value_unsigned(first, UINT32_MAX - 1, &uid) < 0)
		w.name = first;
	else
		w.uid = (uid_t)uid;
	r = s->find(s, &w, &u, &name);
	if (r < 0)
		return r;
	if (!r && w.name)
		return -ENOENT;
	if (!r) {
		u.uid = w.uid;
		u.gid = w.uid;
	}
	if (colon) {
		if (value_unsigned(colon + 1, UINT32_MAX - 1, &gid) < 0)
			return -EINVAL;
		u.gid = (gid_t)gid;
	}
	r = add_group(&u, u.gid);
	if (!r && name && !colon)
		r = s->groups(s, name, &u);
	if (r < 0)
		return r;
	*ret = u;
	u = (struct user){ 0 };
	return 0;
}

int user_find_in_files(const char *text, const char *passwd, const char *group, struct user *ret)
{
	const struct source files = { file_find, file_groups, passwd, group };

	return find_by(&files, text, ret);
}

#ifdef CTRACE_STATIC
/* The C library would load the modules of nsswitch.conf(5), which a static program cannot. */
int user_find(const char *text, struct user *ret)
{
	return user_find_in_files(text, "/etc/passwd", "/etc/group", ret);
}
#else
static int system_find(const struct source *s _unused_, const struct wanted *w, struct user *u, char **ret_name)
{
	const struct passwd *pw = w->name ? getpwnam(w->name) : getpwuid(w->uid);

	return pw ? found(pw, u, ret_name) : 0;
}

static int system_groups(const struct source *s _unused_, const char *name, struct user *u)
{
	int n = 0;

	/* With room for none it says how many there are. */
	getgrouplist(name, u->gid, NULL, &n);
	for (;;) {
		int room = n;
		gid_t *groups = reallocarray(u->groups, (size_t)room, sizeof(*groups));

		if (!groups)
			return -ENOMEM;
		u->groups = groups;
		if (getgrouplist(name, u->gid, groups, &n) >= 0) {
			u->n_groups = (size_t)n;
			return 0;
		}
		if (n <= room)
			return -EIO;
	}
}

int user_find(const char *text, struct user *ret)
{
	static const struct source services = { .find = system_find, .groups = system_groups };

	return find_by(&services, text, ret);
}
#endif

void user_done(struct user *u)
{
	if (!u)
		return;
	free(u->groups);
	*u = (struct user){ 0 };
}
