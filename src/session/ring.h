/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_SESSION_RING_H
#define CTRACE_SESSION_RING_H
/*
 * The reader of the BPF ring buffer (kernel/bpf/ringbuf.c): records in the
 * order of their time, and no wake-up while the reader is awake.
 *
 * The kernel wakes the reader when a record is committed exactly at the
 * consumer's position, that is, when the reader had caught up. A reader that is
 * busy therefore never publishes the position it has reached, only an earlier
 * one, and looks again after a tick; one that found nothing publishes it, looks
 * once more, and only then waits.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring;

/* Takes one record: len bytes that hold until it returns. Not 0 ends the drain. */
typedef int (*ring_fn)(const void *record, size_t len, void *data);

/* map_fd: a BPF_MAP_TYPE_RINGBUF; size: its max_entries. 0 or a negative errno. */
int ring_open(int map_fd, size_t size, struct ring **ret_ring);
void ring_free(struct ring *r);

/*
 * Hands over what is there, oldest first. Records of the last millisecond stay
 * for the next time, since an older one may yet come from another CPU, unless
 * all is asked for. Returns the number of records, or what fn returned, if
 * that was not 0.
 */
int ring_drain(struct ring *r, bool all, ring_fn fn, void *data);

/* Whether there are records that have not been handed over. */
bool ring_waiting(const struct ring *r);

/* Publishes how far the reader is, so that the next record wakes it. True: nothing came meanwhile, waiting is safe. */
bool ring_rest(struct ring *r);

/* Any thread may ask these: how much room the kernel has for used up, and how much it has written since the beginning; bytes. */
size_t ring_used(const struct ring *r);
unsigned long ring_position(const struct ring *r);
size_t ring_size(const struct ring *r);

/* Readable when there is a record behind the published position. */
int ring_fd(const struct ring *r);

#endif
