/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_DEC_PERF_H
#define CTRACE_DECODE_DEC_PERF_H
#include "decode/field.h"

/* The struct perf_event_attr that an argument points to, captured as part; part + 1: the size that the kernel knows. */
void say_perf_attr(struct dec *d, unsigned reg, unsigned part);
void cap_perf_attr(struct cap_builder *b, unsigned reg, unsigned part);

#endif
