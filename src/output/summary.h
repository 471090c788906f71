/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_OUTPUT_SUMMARY_H
#define CTRACE_OUTPUT_SUMMARY_H
#include <stddef.h>

#include "output/sink.h"
#include "util/outfile.h"

/*
 * The tables of -c and -C: one a target, then, if there are several, the
 * total. The columns are strace's; the times are wall time. 0 or a negative
 * errno, of the output's too; nothing is written when the table fails.
 */
int summary_write(struct outfile *out, const struct run_info *run, const struct count_row *rows, size_t n,
		  uint64_t elapsed_ns);

/*
 * -U's list to columns, up to SUMMARY_END. -EINVAL: unknown, -EEXIST: named
 * twice; *ret_bad then points to it.
 */
int summary_columns_parse(const char *text, unsigned char ret_columns[static SUMMARY_COLUMNS + 1], const char **ret_bad);

/* Whether -S takes this key. */
bool summary_sort_valid(const char *key);

#endif
