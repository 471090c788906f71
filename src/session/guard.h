/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_SESSION_GUARD_H
#define CTRACE_SESSION_GUARD_H
/*
 * The guard of --lossless: a process in a session of its own that thaws what ctrace froze when ctrace has died, or
 * does not say in time that it has thawed it itself (it was stopped). It knows the files by descriptors that it is sent.
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cgroup/freezer.h"

#define GUARD_PATIENCE_MS 150   /* from the word that something is being frozen */

enum guard_op {
	GUARD_ADD,              /* a directory, with its descriptors: becomes number slot */
	GUARD_DROP,
	GUARD_FREEZE,           /* it is going to be frozen */
	GUARD_THAWED,           /* it is not frozen by us any more */
	GUARD_EXPIRED,          /* from the guard: it has thawed what was frozen */
};

struct guard_message {
	uint32_t op, slot;
	uint64_t time;          /* of GUARD_EXPIRED: CLOCK_BOOTTIME, ns */
};

/* Of the calling thread all capabilities, or all but CAP_SYS_ADMIN. */
void guard_drop_caps(bool but_admin);

/* Before anything is open that must end with ctrace alone. ret_fd: a socket, closed by the caller. 0 or a negative errno. */
int guard_start(pid_t *ret_pid, int *ret_fd);
/* f: with GUARD_ADD, else NULL. 0 or a negative errno: the guard is gone. */
int guard_tell(int fd, enum guard_op op, uint32_t slot, const struct freezer *f);

#endif
