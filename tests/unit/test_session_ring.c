/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_session */
/*
 * The ring's reader, over a memory file laid out as the kernel's ring buffer:
 * the consumer's page, the producer's page, the data (which the kernel maps
 * twice; the records here do not cross the end).
 */
#include <errno.h>
#include <linux/bpf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "bpf/event.h"
#include "session/ring.h"
#include "util/macros.h"

#define PAGE 4096
#define SIZE 65536
#define MS 1000000ull

struct fake {
	int fd;
	uint8_t *memory;
	struct ring *ring;
	uint64_t taken[4096];
	size_t n;
};

static unsigned long *consumer(struct fake *f)
{
	return (unsigned long *)f->memory;
}

static unsigned long *producer(struct fake *f)
{
	return (unsigned long *)(f->memory + PAGE);
}

static int setup(void **state)
{
	static struct fake f;

	memset(&f, 0, sizeof(f));
	f.fd = memfd_create("ring", 0);
	if (f.fd < 0 || ftruncate(f.fd, 2 * PAGE + 2 * SIZE) < 0)
		return -1;
	f.memory = mmap(NULL, 2 * PAGE + 2 * SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, f.fd, 0);
	if (f.memory == MAP_FAILED || ring_open(f.fd, SIZE, &f.ring))
		return -1;
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fake *f = *state;

	ring_free(f->ring);
	munmap(f->memory, 2 * PAGE + 2 * SIZE);
	close(f->fd);
	return 0;
}

/* Appends a record; flags in the length as the kernel sets them. Returns its header. */
static uint32_t *add(struct fake *f, uint64_t time, uint32_t flags)
{
	uint32_t *h = (uint32_t *)(f->memory + 2 * PAGE + (*producer(f) & (SIZE - 1)));
	struct rec_hdr rec = { .kind = CT_REC_LEFT, .time = time };

	h[0] = sizeof(rec) | flags;
	h[1] = 0;
	memcpy(h + 2, &rec, sizeof(rec));
	*producer(f) += BPF_RINGBUF_HDR_SZ + ((sizeof(rec) + 7) & ~7ul);
	return h;
}

static int take(const void *record, size_t len, void *data)
{
	struct fake *f = data;
	struct rec_hdr h;

	assert_int_equal(len, sizeof(h));
	memcpy(&h, record, sizeof(h));
	f->taken[f->n++] = h.time;
	return 0;
}

static void in_the_order_of_time(void **state)
{
	struct fake *f = *state;

	add(f, 30 * MS, 0);
	add(f, 10 * MS, 0);
	add(f, 20 * MS, 0);
	assert_int_equal(ring_drain(f->ring, true, take, f), 3);
	assert_int_equal(f->taken[0], 10 * MS);
	assert_int_equal(f->taken[1], 20 * MS);
	assert_int_equal(f->taken[2], 30 * MS);
}

static void the_last_millisecond_waits(void **state)
{
	struct fake *f = *state;

	add(f, 10 * MS, 0);
	add(f, 20 * MS, 0);
	assert_int_equal(ring_drain(f->ring, false, take, f), 1);
	assert_true(ring_waiting(f->ring));
	/* From another CPU, and older than what waits. */
	add(f, 20 * MS - 1000, 0);
	assert_int_equal(ring_drain(f->ring, true, take, f), 2);
	assert_int_equal(f->taken[1], 20 * MS - 1000);
	assert_int_equal(f->taken[2], 20 * MS);
	assert_false(ring_waiting(f->ring));
}

static void discarded_records_are_not_taken(void **state)
{
	struct fake *f = *state;

	add(f, 1, BPF_RINGBUF_DISCARD_BIT);
	add(f, 2, 0);
	assert_int_equal(ring_drain(f->ring, true, take, f), 1);
	assert_int_equal(f->taken[0], 2);
}

static void a_busy_record_holds_up_the_rest(void **state)
{
	struct fake *f = *state;
	uint32_t *busy;

	add(f, 1, 0);
	busy = add(f, 2, BPF_RINGBUF_BUSY_BIT);
	add(f, 3, 0);
	assert_int_equal(ring_drain(f->ring, true, take, f), 1);
	assert_true(ring_waiting(f->ring));
	assert_false(ring_rest(f->ring));
	busy[0] &= ~BPF_RINGBUF_BUSY_BIT;
	assert_int_equal(ring_drain(f->ring, true, take, f), 2);
	assert_true(ring_rest(f->ring));
}

static void busy_reader_publishes_no_last_position(void **state)
{
	struct fake *f = *state;
	unsigned long end;

	for (int i = 0; i < 600; i++)
		add(f, i, 0);
	end = *producer(f);
	assert_int_equal(ring_drain(f->ring, true, take, f), 600);
	/* More than a quarter was read: there is room again, but the kernel does not see a reader that has caught up. */
	assert_true(*consumer(f) > 0);
	assert_true(*consumer(f) < end);
	assert_true(ring_rest(f->ring));
	assert_int_equal(*consumer(f), end);
}

static void the_ring_wraps(void **state)
{
	struct fake *f = *state;
	size_t size = BPF_RINGBUF_HDR_SZ + ((sizeof(struct rec_hdr) + 7) & ~7ul), sum = 0;

	assert_int_equal(SIZE % size, 0);
	for (int i = 0; i < 5000; i++) {
		add(f, i, 0);
		if (i % 100 == 99) {
			f->n = 0;
			assert_int_equal(ring_drain(f->ring, true, take, f), 100);
			assert_int_equal(f->taken[99], i);
			sum += f->n;
			assert_true(*producer(f) - *consumer(f) < SIZE);
		}
	}
	assert_int_equal(sum, 5000);
}

static int refuse(const void *record _unused_, size_t len _unused_, void *data _unused_)
{
	return -ENOSPC;
}

static void an_error_ends_the_drain(void **state)
{
	struct fake *f = *state;

	add(f, 1, 0);
	add(f, 2, 0);
	assert_int_equal(ring_drain(f->ring, true, refuse, f), -ENOSPC);
	assert_int_equal(ring_drain(f->ring, true, take, f), 1);
	assert_int_equal(f->taken[0], 2);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(in_the_order_of_time),
		TEST(the_last_millisecond_waits),
		TEST(discarded_records_are_not_taken),
		TEST(a_busy_record_holds_up_the_rest),
		TEST(busy_reader_publishes_no_last_position),
		TEST(the_ring_wraps),
		TEST(an_error_ends_the_drain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
