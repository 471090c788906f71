/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_SESSION_LOSSLESS_H
#define CTRACE_SESSION_LOSSLESS_H
/*
 * --lossless: when the ring is half full the targets' cgroups are frozen until it has been drained; the other half takes
 * what runs until they stand. A thread of its own decides, since the one that reads the ring may wait for its output.
 *
 * A freeze lasts LOSSLESS_MAX_MS at most, and all of them a fifth of the time: beyond that the target runs on and
 * losses are counted as ever. That thread and the guard (guard.h) touch nothing of a container but those files.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/ring.h"

#define LOSSLESS_MAX_MS 100

struct lossless;

struct lossless_stats {
	uint64_t times, total_ns, longest_ns, yielded;
};

/* What has happened and was not told yet: bits. */
#define LOSSLESS_YIELDED   (1u << 0)    /* a limit was reached */
#define LOSSLESS_FOREIGN   (1u << 1)    /* another has frozen or thawed a target meanwhile */
#define LOSSLESS_UNGUARDED (1u << 2)    /* the guard has died: nothing is frozen any more */

/* Starts the guard. Early: see guard_start(). 0 or a negative errno. */
int lossless_new(struct lossless **ret);
/* Adds or replaces the directory of a target, by its index. What freezer_open() returns. */
int lossless_add(struct lossless *l, uint32_t target, const char *dir);
/* Starts the thread. The ring has to live until lossless_stop(). */
int lossless_start(struct lossless *l, const struct ring *ring);
/* Thaws, ends the thread and the guard. Takes NULL; may be called again. */
void lossless_stop(struct lossless *l);
void lossless_free(struct lossless *l);

/* The ring's reader goes to sleep until a record wakes it, or is awake again. Takes NULL. */
void lossless_nap(struct lossless *l);
/* Whether the target stands, so that no record can come before those that are there. Takes NULL. */
bool lossless_holds(const struct lossless *l);
unsigned lossless_news(struct lossless *l);
/* After lossless_stop(). */
struct lossless_stats lossless_stats(const struct lossless *l);

#endif
