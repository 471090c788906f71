/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_DEC_PROCESS_H
#define CTRACE_DECODE_DEC_PROCESS_H
#include "decode/field.h"

/* A struct sock_fprog that was captured of an argument. */
void say_fprog(struct dec *d, unsigned reg, unsigned part);

#endif
