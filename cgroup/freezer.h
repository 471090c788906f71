/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CGROUP_FREEZER_H
#define CTRACE_CGROUP_FREEZER_H
/*
 * Freezing one cgroup for a moment: v2's cgroup.freeze, or freezer.state of v1's
 * freezer hierarchy (Documentation/admin-guide/cgroup-v2.rst, cgroup-v1/freezer-subsystem.rst).
 *
 * Others freeze as well (docker pause), and what they froze must stay so. And
 * who froze may die: so the directory is locked (flock(2)) as long as its owner
 * lives, and bears an extended attribute as long as its freeze holds. One with
 * the attribute and without the lock was left by a dead owner.
 */
#include <stdbool.h>

struct freezer {
	char *dir;              /* owned */
	bool v2;
	int dir_fd;             /* bears the lock: of whoever inherits or is sent it as well */
	int state_fd;           /* written to freeze and to thaw */
	int own_fd;             /* tells whether the directory itself is frozen, whatever those above are; v2: none, it is state_fd */
	int watch_fd;           /* inotify of the file that is written */
	bool shared;            /* another process of ours writes it as well: a change without an opening is nobody's else */
	bool open_elsewhere;    /* another has the file open, as far as is known */
	bool written_elsewhere; /* another has written it since our freeze */
};

#define FREEZER_NONE { .dir_fd = -1, .state_fd = -1, .own_fd = -1, .watch_fd = -1 }

/*
 * Takes the lock; what a dead owner left is thawed. -ENOENT: that directory cannot
 * be frozen (the root, or of a hierarchy without freezer), -EOPNOTSUPP: it is threaded,
 * -EBUSY: another ctrace has it, or another negative errno.
 */
int freezer_open(const char *dir, struct freezer *ret);
/* Lets go of the lock. What is frozen stays so: freezer_thaw() comes first. */
void freezer_done(struct freezer *f);

/* Another process's own watch, on the same descriptors: one queue tells each event to one reader alone. */
int freezer_watch(struct freezer *f);

/* Returns at once: tasks stand some milliseconds later. -EBUSY: another has frozen it, or is about to; -ENODEV: it is gone. */
int freezer_freeze(struct freezer *f);
/* 0, or 1: another has written the file since, so that it is theirs now and was left as it is. -ENODEV: it is gone. */
int freezer_thaw(struct freezer *f);
/* Whether another has written the file since the freeze. foreign: changes of which the file was not opened are not ours either. */
bool freezer_is_foreign(struct freezer *f, bool foreign);

/* Whether only who has CAP_SYS_ADMIN can freeze it, since it belongs to another than root. */
bool freezer_needs_admin(const struct freezer *f);

/* Thaws the directory if a dead owner left it frozen: 1; 0: there is nothing to do. */
int freezer_recover(const char *dir);
/* The same of every directory of the tree; how many were thawed, or a negative errno. */
int freezer_recover_below(const char *dir);

#endif
