/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_SESSION_SECONTEXT_H
#define CTRACE_SESSION_SECONTEXT_H
/*
 * --secontext: SELinux's contexts of processes and files, read out of /proc
 * and through the process's own root when a line is written, as strace does.
 * What has ended by then has none.
 */
#include "decode/decode.h"
#include "target/target.h"

/* full: user, role, type and level; else the type. NULL when memory runs out. */
struct secontexts *secontexts_new(bool full);
void secontexts_free(struct secontexts *s);
/* Where processes are found; both must outlive it. */
void secontexts_place(struct secontexts *s, const struct target_env *env, const struct target_list *targets);
/* Whether there is any context at all on this machine. */
bool secontexts_any(int proc_fd);
/* The type, or with full all, of a context as the kernel writes it (it may end with NULs); false: it is none. */
bool secontext_show(const char *context, size_t len, bool full, char *buf, size_t size);

#endif
