/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "session/ring.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/event.h"
#include "util/macros.h"

#define ORDER_WINDOW_NS 1000000ull

/* A record that was seen and not yet handed over. */
struct item {
	uint64_t time;
	unsigned long pos;
};

struct ring {
	int fd;
	size_t size, page;
	unsigned long *consumer;
	const unsigned long *producer;
	const uint8_t *data;
	unsigned long scanned;          /* up to here records are in items */
	unsigned long published;
	struct item *items;
	size_t first, n, allocated;     /* items[first .. n) wait, sorted by time */
	uint64_t newest;
};

int ring_open(int map_fd, size_t size, struct ring **ret_ring)
{
	struct ring *r = calloc(1, sizeof(*r));
	void *p;

	if (!r)
		return -ENOMEM;
	r->fd = map_fd;
	r->size = size;
	r->page = sysconf(_SC_PAGESIZE);
	p = mmap(NULL, r->page, PROT_READ | PROT_WRITE, MAP_SHARED, map_fd, 0);
	if (p == MAP_FAILED)
		goto fail;
	r->consumer = p;
	/* The data is mapped twice in a row, so that no record is split. */
	p = mmap(NULL, r->page + 2 * size, PROT_READ, MAP_SHARED, map_fd, r->page);
	if (p == MAP_FAILED)
		goto fail;
	r->producer = p;
	r->data = (const uint8_t *)p + r->page;
	r->scanned = r->published = __atomic_load_n(r->consumer, __ATOMIC_RELAXED);
	*ret_ring = r;
	return 0;
fail:
	ring_free(r);
	return -errno;
}

void ring_free(struct ring *r)
{
	if (!r)
		return;
	if (r->consumer)
		munmap(r->consumer, r->page);
	if (r->producer)
		munmap((void *)r->producer, r->page + 2 * r->size);
	free(r->items);
	free(r);
}

int ring_fd(const struct ring *r)
{
	return r->fd;
}

size_t ring_used(const struct ring *r)
{
	/* The reader's position first: it is never beyond the other. */
	unsigned long consumer = __atomic_load_n(r->consumer, __ATOMIC_ACQUIRE);

	return __atomic_load_n(r->producer, __ATOMIC_ACQUIRE) - consumer;
}

unsigned long ring_position(const struct ring *r)
{
	return __atomic_load_n(r->producer, __ATOMIC_ACQUIRE);
}

size_t ring_size(const struct ring *r)
{
	return r->size;
}

static const uint32_t *record_header(const struct ring *r, unsigned long pos)
{
	return (const uint32_t *)(r->data + (pos & (r->size - 1)));
}

static int item_add(struct ring *r, uint64_t time, unsigned long pos)
{
	size_t i;

	if (r->n == r->allocated) {
		if (r->first) {
			memmove(r->items, r->items + r->first, (r->n - r->first) * sizeof(*r->items));
			r->n -= r->first;
			r->first = 0;
		}
		if (r->n >= r->allocated / 2) {
			size_t more = r->allocated ? r->allocated * 2 : 4096;
			struct item *items = realloc(r->items, more * sizeof(*items));

			if (!items)
				return -ENOMEM;
			r->items = items;
			r->allocated = more;
		}
	}
	/* Records lie nearly in order: a fraction has to move by a few places. */
	for (i = r->n; i > r->first && r->items[i - 1].time > time; i--)
		r->items[i] = r->items[i - 1];
	r->items[i] = (struct item){ time, pos };
	r->n++;
	if (time > r->newest)
		r->newest = time;
	return 0;
}

/* Takes note of the records that were committed since the last look. A busy one ends it: it will be done at the next. */
static int ring_collect(struct ring *r)
{
	unsigned long end = __atomic_load_n(r->producer, __ATOMIC_ACQUIRE);

	while (r->scanned < end) {
		const uint32_t *h = record_header(r, r->scanned);
		uint32_t len = __atomic_load_n(h, __ATOMIC_ACQUIRE);
		uint32_t size = len & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);

		if (len & BPF_RINGBUF_BUSY_BIT)
			break;
		if (!(len & BPF_RINGBUF_DISCARD_BIT)) {
			const struct rec_hdr *rec = (const void *)((const uint8_t *)h + BPF_RINGBUF_HDR_SZ);
			int err = item_add(r, size >= sizeof(*rec) ? rec->time : 0, r->scanned);

			if (err)
				return err;
		}
		r->scanned += (BPF_RINGBUF_HDR_SZ + size + 7) & ~7ul;
	}
	return 0;
}

/* All before this position has been handed over. */
static unsigned long done_until(const struct ring *r)
{
	unsigned long pos = r->scanned;

	for (size_t i = r->first; i < r->n; i++)
		pos = MIN(pos, r->items[i].pos);
	return pos;
}

static void publish(struct ring *r, unsigned long pos)
{
	if (pos <= r->published)
		return;
	r->published = pos;
	__atomic_store_n(r->consumer, pos, __ATOMIC_RELEASE);
}

int ring_drain(struct ring *r, bool all, ring_fn fn, void *data)
{
	unsigned long done;
	int n = 0, err;

	err = ring_collect(r);
	if (err)
		return err;
	while (r->first < r->n) {
		const struct item *item = &r->items[r->first];
		const uint32_t *h = record_header(r, item->pos);

		if (!all && item->time + ORDER_WINDOW_NS > r->newest)
			break;
		r->first++;
		n++;
		err = fn((const uint8_t *)h + BPF_RINGBUF_HDR_SZ, *h & ~BPF_RINGBUF_DISCARD_BIT, data);
		if (err)
			return err;
		/* Room for the producers, in time, but never all: see the header. */
		if ((n & 1023) == 0 && item->pos - r->published > r->size / 4)
			publish(r, MIN(done_until(r), item->pos) - r->size / 16);
	}
	done = done_until(r);
	if (done - r->published > r->size / 4)
		publish(r, done - r->size / 16);
	return n;
}

bool ring_waiting(const struct ring *r)
{
	return r->first < r->n || r->scanned < __atomic_load_n(r->producer, __ATOMIC_ACQUIRE);
}

bool ring_rest(struct ring *r)
{
	unsigned long before = r->scanned;

	if (r->first < r->n)
		return false;
	publish(r, r->scanned);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	ring_collect(r);
	return r->scanned == before && __atomic_load_n(r->producer, __ATOMIC_ACQUIRE) == before;
}
