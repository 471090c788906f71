/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_SESSION_INTERFACES_H
#define CTRACE_SESSION_INTERFACES_H
/*
 * Names of network interfaces by their numbers, in the network namespace of
 * the task or of its socket, asked for when a line is written, as strace does.
 * A namespace is kept by a socket that was made in it.
 */
#include "decode/decode.h"
#include "target/target.h"

/* NULL when memory runs out. */
struct interfaces *interfaces_new(void);
void interfaces_free(struct interfaces *i);
/* Where processes are found; both must outlive it. */
void interfaces_place(struct interfaces *i, const struct target_env *env, const struct target_list *targets);
/*
 * Enters the namespaces that are known now, ctrace's own and those of the targets' first tasks, so that their names can be
 * had without CAP_SYS_ADMIN later. Those of others then have no names. After interfaces_place().
 */
void interfaces_enter(struct interfaces *i);

#endif
