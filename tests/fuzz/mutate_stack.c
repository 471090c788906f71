/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <string.h>

#include "files.h"
#include "make.h"
#include "util/macros.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);

/* One number of a header or table is another one; they are aligned. */
static void change_number(struct rnd *r, uint8_t *p, size_t n)
{
	size_t width = 1u << (1 + rnd_below(r, 3)), at = rnd_below(r, (uint32_t)n) & ~(width - 1);
	uint64_t v = rnd_below(r, 2) ? rnd_value(r) : n - rnd_below(r, 80);

	memcpy(p + at, &v, MIN(width, n - at));
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	struct rnd r = rnd_from(seed);
	uint8_t program[PROGRAM_MAX];
	size_t n;

	if (size < STACK_HEADER || max < STACK_HEADER)
		return LLVMFuzzerMutate(data, size, max);
	switch (rnd_below(&r, 8)) {
	case 0:
		n = make_program(&r, program);
		n = MIN(n, max - STACK_HEADER);
		memcpy(data + STACK_HEADER, program, n);
		return STACK_HEADER + n;
	case 1:
		LLVMFuzzerMutate(data, STACK_HEADER, STACK_HEADER);
		return size;
	case 2:
	case 3:
	case 4:
		for (unsigned i = 1 + rnd_below(&r, 3); i && size > STACK_HEADER; i--)
			change_number(&r, data + STACK_HEADER, size - STACK_HEADER);
		return size;
	default:
		return STACK_HEADER + LLVMFuzzerMutate(data + STACK_HEADER, size - STACK_HEADER, max - STACK_HEADER);
	}
}
