/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TESTS_FUZZ_RND_H
#define CTRACE_TESTS_FUZZ_RND_H
/* Numbers that follow from a seed alone, leaning to the edges where asked. */
#include <stddef.h>
#include <stdint.h>

struct rnd {
	uint64_t state;
};

static inline struct rnd rnd_from(uint64_t seed)
{
	return (struct rnd){ 88172645463325252u ^ (seed + 1) * 0x9e3779b97f4a7c15u };
}

static inline uint64_t rnd_next(struct rnd *r)
{
	/* xorshift64 (Marsaglia 2003) */
	r->state ^= r->state << 13;
	r->state ^= r->state >> 7;
	r->state ^= r->state << 17;
	return r->state;
}

/* 0 to n - 1; 0 for 0. */
static inline uint32_t rnd_below(struct rnd *r, uint32_t n)
{
	return n ? (uint32_t)((rnd_next(r) >> 16) % n) : 0;
}

static inline uint64_t rnd_value(struct rnd *r)
{
	uint64_t v = rnd_next(r);

	switch (rnd_below(r, 9)) {
	case 0:
		return 0;
	case 1:
		return v % 64;
	case 2:
		return v;
	case 3:
		return 0 - v % 600;
	case 4:
		return v % 70000;
	case 5:
		return UINT64_C(1) << v % 64;
	case 6:
		return (uint32_t)v;
	case 7:
		return 0 - UINT64_C(100);       /* AT_FDCWD */
	default:
		return 0x7ffc00000000 + v % 100000;
	}
}

#endif
