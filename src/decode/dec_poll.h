/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_DEC_POLL_H
#define CTRACE_DECODE_DEC_POLL_H
#include "decode/field.h"

/* The bits that are set, of n: [0 2 5]. */
void say_bits(struct dec *d, struct bytes b, unsigned n, bool more);

#endif
