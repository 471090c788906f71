/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_ACTORS_DENY_H
#define CTRACE_ACTORS_DENY_H

/* From now on seccomp answers this call of the calling task (SYS_*) with this action (SECCOMP_RET_*). 0 or a negative errno. */
int deny_call(long nr, unsigned action);

#endif
