/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CGROUP_USER_DIRS_H
#define CTRACE_CGROUP_USER_DIRS_H
/* Where runtimes that a user runs without root keep their state. */
#include "cgroup/runtime.h"

/*
 * Of whom ctrace works for: the user behind sudo, or who runs it when that is
 * not root; sets env->home. And what storage.conf(5) says for root. 0 or -ENOMEM.
 */
int user_dirs_add_own(struct runtime_env *env);

/* Of any user, by number: state below the home, and below /run/user/UID; root has none. 0 or -ENOMEM. */
int user_dirs_add(struct runtime_env *env, uid_t uid);

#endif
