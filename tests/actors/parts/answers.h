/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_ACTORS_ANSWERS_H
#define CTRACE_ACTORS_ANSWERS_H

/* The descriptor whose ioctls succeed, whatever is asked: seccomp answers with 0 in the kernel's place. */
#define ANSWERED 77

/* From now on, for the calling task. */
void answers_begin(void);

/* ... or whoever reads this descriptor answers (seccomp_unotify(2)); -1. */
int answers_listener(void);

#endif
