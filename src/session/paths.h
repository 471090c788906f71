/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_SESSION_PATHS_H
#define CTRACE_SESSION_PATHS_H
/* -P: what the paths that are watched lead to, through symbolic links and from a working directory on. */
#include "decode/touch.h"
#include "target/target.h"

/*
 * Looks each path of t up as the targets see it, those that have roots of their own there, and adds to t->resolved
 * what it is called there if that is another; tell gets both (NULL: nobody does). What is not there stays as it is.
 */
int paths_resolve(struct touch *t, const struct target_env *env, const struct target_list *targets,
		  void (*tell)(const char *asked, const char *resolved));
/*
 * The same as one process sees it, by its number in env's /proc: for targets that are waited for, when they are there.
 * 1; 0 if it has ended meanwhile; -ENOMEM.
 */
int paths_resolve_for(struct touch *t, const struct target_env *env, pid_t pid, void (*tell)(const char *asked, const char *resolved));

#endif
