/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_DEC_SIGNAL_H
#define CTRACE_DECODE_DEC_SIGNAL_H
#include "decode/field.h"

/* A siginfo_t of the caller's ABI: {si_signo=SIGCHLD, ...}. */
void say_siginfo(struct dec *d, struct bytes b);

/* SIG_DFL, SIG_IGN or an address. */
void say_handler(struct dec *d, uint64_t handler);
/* {sa_handler=..., sa_mask=[...], sa_flags=..., sa_restorer=...}; the mask has nbytes. */
void say_sigaction_parts(struct dec *d, uint64_t handler, struct bytes mask, size_t nbytes, uint64_t flags, uint64_t restorer);

/* Whether a signal set of that size is looked at: the kernel's own, or of one word or more. */
static inline bool sigset_has_size(const struct dec *d, uint64_t size)
{
	return size >= d->word && size <= 8;
}

/* __NR_getppid, or the number and its name, of a call of an architecture (AUDIT_ARCH_...). */
void say_syscall_nr(struct dec *d, uint32_t nr, uint32_t arch);

#endif
