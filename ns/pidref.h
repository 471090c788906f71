/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_NS_PIDREF_H
#define CTRACE_NS_PIDREF_H
/*
 * A process, named so that a reused number is noticed: the number together
 * with the start time (field 22 of its stat). Whoever reads anything about a
 * process by its number verifies afterwards that it was still this one.
 */
#include <stdint.h>
#include <sys/types.h>

struct pidref {
	pid_t pid;              /* 0: none */
	uint64_t start;
};

/* -ESRCH if there is none or if it has ended (a zombie whose threads all ended). */
int pidref_open(int proc_fd, pid_t pid, struct pidref *ret);

/* 0 while it runs, -ESRCH when it has ended or the number is another's. */
int pidref_verify(int proc_fd, const struct pidref *ref);

/*
 * A thread of the process that runs: its leader, or another one when the
 * leader has ended before them (a zombie's own files show little). -ESRCH.
 */
int pidref_live_thread(int proc_fd, pid_t pid, pid_t *ret_tid);

#endif
