/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_TOUCH_H
#define CTRACE_DECODE_TOUCH_H
/*
 * Which calls touch a file: -P and -e fd=. As in strace a call of the classes
 * %file, %desc and %network does if one of its path arguments is one of the
 * paths as it stands or as it is called without symbolic links, or one of its
 * descriptors is open on one of them or has one of the numbers. What a call
 * returns says nothing.
 */
#include "decode/record.h"

struct fd_set_spec {
	bool any;                       /* -e fd= is given */
	bool others;                    /* all but these */
	size_t n;
	int *fds;                       /* owned */
};

struct touch {
	const char **paths;             /* owned, their bytes are not */
	size_t n_paths;
	char **resolved;                /* owned: what paths are called that links lead to */
	size_t n_resolved;
	struct fd_set_spec fds;
};

static inline bool touch_asks(const struct touch *t)
{
	return t->n_paths || t->fds.any;
}

/* decode_opts.match_fds must have been set when the call was captured, if there are paths. */
bool call_touches(const struct call *c, const struct touch *t);

bool fd_set_has(const struct fd_set_spec *s, int fd);
/* "0,1,5", "!2", all, none. -EINVAL with *ret_bad at what is no number; -ENOMEM. */
int fd_set_parse(const char *text, struct fd_set_spec *ret, const char **ret_bad);
/* One more path, which must live as long. */
int touch_add_path(struct touch *t, const char *path);
/* What a path leads to. 1; 0 if it is there already; -ENOMEM. */
int touch_add_resolved(struct touch *t, const char *path);
void touch_forget_resolved(struct touch *t);
void touch_done(struct touch *t);

#endif
