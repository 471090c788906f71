/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_STACK_GUARD_H
#define CTRACE_STACK_GUARD_H

/*
 * libelf maps the files that it reads, and a file of a container can be made
 * shorter meanwhile: what is then read behind its end is SIGBUS (mmap(2)). From
 * here on such pages read as zeros. 0 or a negative errno. For the process's life.
 */
int guard_mapped_files(void);

#endif
