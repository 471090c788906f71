/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TESTS_FUZZ_RECORD_H
#define CTRACE_TESTS_FUZZ_RECORD_H
/* Records as the kernel side makes them: what the decoders' own capture operations ask for, filled with what may come. */
#include <stdbool.h>

#include "bpf/event.h"
#include "rnd.h"

#define RECORD_MAX 12000

struct record {
	size_t len;
	_Alignas(8) uint8_t bytes[RECORD_MAX];
};

/* Of a call. sub: the how-many-eth value that has operations of its own; -1: the call's. False: there is none. */
bool record_call(struct rnd *r, bool compat, uint32_t nr, int sub, struct record *ret);
/* Of any kind, mostly a call with a row. */
void record_any(struct rnd *r, struct record *ret);
/* Bytes such as structures have; some are texts, addresses, netlink messages. */
void record_fill(struct rnd *r, uint8_t *p, size_t n);

#endif
