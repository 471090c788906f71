/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_SESSION_PROCS_H
#define CTRACE_SESSION_PROCS_H
/* Where a traced task is in /proc. */
#include "decode/record.h"
#include "ns/nsid.h"
#include "target/target.h"

/* The number of a task's process, or of itself, in env's /proc (NULL: none yet); 0: not known. */
static inline pid_t number_in_proc(const struct target_env *env, const struct target_list *targets, const struct task *t, bool thread)
{
	if (!env)
		return 0;
	if (env->pidns_inum == NS_PID_INITIAL)
		return (pid_t)(thread ? t->host_tid : t->host_tgid);
	if (t->target < targets->n && targets->v[t->target].pidns_inum == env->pidns_inum)
		return (pid_t)(thread ? t->tid : t->tgid);
	return 0;
}

#endif
