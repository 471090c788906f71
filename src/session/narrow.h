/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_SESSION_NARROW_H
#define CTRACE_SESSION_NARROW_H
/*
 * --narrow: in place of the hooks on every system call of the machine, programs on the functions of the calls that
 * are named (fentry and fexit, kernel/bpf/trampoline.c). The object has one of each, which is loaded once for each function.
 */
#include <stddef.h>
#include <stdint.h>

#include "session/session.h"

#define NARROW_MAX 16

struct ctrace_bpf;
struct narrow;

/*
 * Finds the functions, and tries whether the kernel lets one be hooked. 0, or a negative errno with one line in err.
 * Before the object is opened.
 */
int narrow_new(const struct session_opts *o, struct narrow **ret, char *err, size_t err_size);
/* Once, before any object is opened. */
int narrow_register(void);
/* Before the object is loaded: takes note of what is to be loaded. */
int narrow_prepare(struct narrow *n, struct ctrace_bpf *skel);
/* After that. */
int narrow_load(struct narrow *n, char *err, size_t err_size);
int narrow_attach(struct narrow *n, char *err, size_t err_size);
/* Takes NULL. */
void narrow_detach(struct narrow *n);
void narrow_free(struct narrow *n);
/* Runs that the kernel left out. */
uint64_t narrow_misses(const struct narrow *n);

#endif
