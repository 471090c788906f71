/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_OUTPUT_SEPARATE_H
#define CTRACE_OUTPUT_SEPARATE_H
/*
 * -ff: what a task does goes to a file of its own, FILE.PID as with strace,
 * of containers FILE.CONTAINER.PID; the pid is the host's. What is about no
 * task, the end of a container, losses and the statement, goes to FILE.
 */
#include "output/sink.h"
#include "util/outfile.h"

/* Between begin and end of a line: it is the task's. Nothing without -ff. */
void separate_select(struct outfile *out, const struct run_info *run, const struct task *t);

#endif
