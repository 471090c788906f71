/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_DEC_ARRAY_H
#define CTRACE_DECODE_DEC_ARRAY_H
/* Arrays that say_array() shows: how much of them to copy. */
#include "decode/field.h"

/* Bytes of an array of size-byte elements: as many as -s shows and one more, to see whether it is there; with -v as many as a capture holds. */
static inline uint32_t array_max(const struct cap_builder *b, uint32_t size)
{
	uint32_t limit = CT_CAP_MAX / size;

	if (!b->opts->no_abbrev && b->opts->string_limit < limit)
		limit = b->opts->string_limit + 1;
	return limit * size;
}

/* args[len_reg] elements of size bytes. */
static inline void cap_array(struct cap_builder *b, unsigned reg, unsigned part, unsigned when, unsigned len_reg, uint32_t size)
{
	cap_block(b, reg, part, when, len_reg, size, array_max(b, size));
}

/* As say_array(), of max elements at most: with more of them the rest is left out. */
void say_array_up_to(struct dec *d, const struct capture *c, uint64_t addr, uint64_t count, size_t size, unsigned max,
		     void (*element)(struct dec *d, struct bytes b));

#endif
