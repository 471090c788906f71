/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_UTIL_OUTPARTS_H
#define CTRACE_UTIL_OUTPARTS_H
/*
 * Many files beside one: PATH.SUFFIX for each key (-ff). There may be more of
 * them than a process may have open: the one that was written longest ago is
 * closed and opened again when there is more for it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct outparts;

/* A run of bytes for one file. */
struct outpart_run {
	uint32_t part;                  /* outparts_part() */
	size_t start, end;              /* in the buffer; never empty */
	bool counted;                   /* the caller's */
};

/* append: files that are there are continued, not emptied. */
int outparts_new(const char *path, bool append, struct outparts **ret_parts);
void outparts_free(struct outparts *p);
/* The file of a key; suffix is looked at when the key is new. 0: no memory. The file is made when it is written. */
uint32_t outparts_part(struct outparts *p, uint32_t key, const char *suffix);
/* No more comes for the key: its file is closed when what there is has been written. */
void outparts_end(struct outparts *p, uint32_t key);
/*
 * Writes the runs, each file's in their order; a run's end becomes its start
 * as far as it was written. 0, or the first error.
 */
int outparts_write(struct outparts *p, const char *buf, struct outpart_run *runs, size_t n);

#endif
