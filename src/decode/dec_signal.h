/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_DEC_SIGNAL_H
#define CTRACE_DECODE_DEC_SIGNAL_H
#include "decode/field.h"

/* A siginfo_t of the caller's ABI: {si_signo=SIGCHLD, ...}. */
void say_siginfo(struct dec *d, struct bytes b);

/* Whether a signal set of that size is looked at: the kernel's own, or of one word or more. */
static inline bool sigset_has_size(const struct dec *d, uint64_t size)
{
	return size >= d->word && size <= 8;
}

/* __NR_getppid, or the number and its name, of a call of an architecture (AUDIT_ARCH_...). */
void say_syscall_nr(struct dec *d, uint32_t nr, uint32_t arch);

#endif
