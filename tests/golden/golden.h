/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TESTS_GOLDEN_H
#define CTRACE_TESTS_GOLDEN_H
#include "output/sink.h"

#define SEC 1000000000ull
#define MS  1000000ull
#define US  1000ull

/* One output to be compared: the options, and the records. */
struct golden_case {
	const char *name;
	void (*setup)(struct output_opts *opts, struct target_label *labels, struct run_info *run);
	int (*feed)(struct sink *s);
};

extern const struct golden_case golden_cases[];
extern const size_t golden_n_cases;

/* The same few ordinary calls, n in all. */
int golden_bench(struct sink *s, unsigned long n);
/* n calls, and other records between them, of random content. */
int golden_random(struct sink *s, unsigned long n, unsigned long seed);

/* split.c */
int feed_split(struct sink *s);
int feed_split_arguments(struct sink *s);

#endif
