/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CLI_USER_H
#define CTRACE_CLI_USER_H
/* Whom COMMAND runs as (-u): a name, UID or UID:GID. */
#include <stddef.h>
#include <sys/types.h>

struct user {
	uid_t uid;
	gid_t gid;
	gid_t *groups;          /* gid among them */
	size_t n_groups;
};

/* 0, -ENOENT (there is no such user), -EINVAL (not a user's shape) or another negative errno. ret is the caller's to free. */
int user_find(const char *text, struct user *ret);
/* The same by files of passwd(5)'s and group(5)'s form alone. One that is not there has no users, no groups. */
int user_find_in_files(const char *text, const char *passwd, const char *group, struct user *ret);
void user_done(struct user *u);

#endif
