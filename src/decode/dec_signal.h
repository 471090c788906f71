/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_DEC_SIGNAL_H
#define CTRACE_DECODE_DEC_SIGNAL_H
#include "decode/field.h"

/* A siginfo_t of the caller's ABI: {si_signo=SIGCHLD, ...}. */
void say_siginfo(struct dec *d, struct bytes b);

#endif
