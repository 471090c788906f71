/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "output/tasks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

#define CHANGES  128            /* remembered changes of the number of tasks */
#define EXPECTED 64             /* children that a fork named and no record yet */

struct change {
	uint64_t when;
	int alive;              /* from then on */
};

struct tasks {
	struct task_entry *slots;       /* open addressing, linear probing */
	uint32_t n_slots, used;         /* n_slots is a power of two */
	uint32_t last;                  /* the slot of the last look-up */
	int alive, unnamed;             /* unnamed: a part of alive */
	int first_alive;                /* before the oldest change kept */
	struct change changes[CHANGES]; /* by time; n_changes of them */
	unsigned n_changes;
	uint32_t expected[EXPECTED];
	unsigned n_expected;
};

int tasks_new(unsigned at_start, struct tasks **ret_tasks)
{
	struct tasks *ts = calloc(1, sizeof(*ts));

	if (!ts)
		return -ENOMEM;
	ts->n_slots = 64;
	ts->slots = calloc(ts->n_slots, sizeof(*ts->slots));
	if (!ts->slots) {
		free(ts);
		return -ENOMEM;
	}
	ts->alive = ts->unnamed = ts->first_alive = (int)MIN(at_start, 1u << 30);
	*ret_tasks = ts;
	return 0;
}

void tasks_free(struct tasks *ts)
{
	if (!ts)
		return;
	free(ts->slots);
	free(ts);
}

static uint32_t hash(const struct tasks *ts, uint32_t host_tid)
{
	return (host_tid * 2654435761u >> 7) & (ts->n_slots - 1);
}

/* The slot that holds the key, or the free one where it belongs. */
static uint32_t find_slot(const struct tasks *ts, uint32_t host_tid)
{
	uint32_t i = hash(ts, host_tid);

	while (ts->slots[i].host_tid && ts->slots[i].host_tid != host_tid)
		i = (i + 1) & (ts->n_slots - 1);
	return i;
}

static bool enlarge(struct tasks *ts)
{
	struct task_entry *old = ts->slots;
	uint32_t n_old = ts->n_slots;
	struct task_entry *slots;

	if (n_old > UINT32_MAX / 4)
		return false;
	slots = calloc((size_t)n_old * 2, sizeof(*slots));
	if (!slots)
		return false;
	ts->slots = slots;
	ts->n_slots = n_old * 2;
	for (uint32_t i = 0; i < n_old; i++)
		if (old[i].host_tid)
			ts->slots[find_slot(ts, old[i].host_tid)] = old[i];
	free(old);
	return true;
}

struct task_entry *tasks_get(struct tasks *ts, uint32_t host_tid, bool create)
{
	uint32_t i = ts->last;

	if (!host_tid)
		return NULL;
	if (i < ts->n_slots && ts->slots[i].host_tid == host_tid)
		return &ts->slots[i];
	i = find_slot(ts, host_tid);
	if (!ts->slots[i].host_tid) {
		if (!create)
			return NULL;
		if ((uint64_t)ts->used * 4 >= (uint64_t)ts->n_slots * 3) {
			if (!enlarge(ts))
				return NULL;
			i = find_slot(ts, host_tid);
		}
		ts->slots[i] = (struct task_entry){ .host_tid = host_tid, .last_nr = -1 };
		ts->used++;
	}
	ts->last = i;
	return &ts->slots[i];
}

/* Removes the slot and moves up those behind it that would not be found any more. */
static void remove_slot(struct tasks *ts, uint32_t i)
{
	uint32_t mask = ts->n_slots - 1;

	for (uint32_t j = (i + 1) & mask; ts->slots[j].host_tid; j = (j + 1) & mask) {
		uint32_t home = hash(ts, ts->slots[j].host_tid);

		if (((j - home) & mask) >= ((j - i) & mask)) {
			ts->slots[i] = ts->slots[j];
			i = j;
		}
	}
	ts->slots[i].host_tid = 0;
	ts->used--;
}

void tasks_forget(struct tasks *ts, uint32_t host_tid)
{
	uint32_t i;

	if (!host_tid)
		return;
	i = find_slot(ts, host_tid);
	if (ts->slots[i].host_tid)
		remove_slot(ts, i);
}

struct task_entry *tasks_next_ended(struct tasks *ts)
{
	for (uint32_t i = 0; i < ts->n_slots; i++)
		if (ts->slots[i].host_tid && ts->slots[i].ended)
			return &ts->slots[i];
	return NULL;
}

/* Changes come nearly in order; a late one is sorted in and shifts what follows it. */
static void change(struct tasks *ts, int by, uint64_t when)
{
	unsigned i;

	if (ts->n_changes == CHANGES) {
		ts->first_alive = ts->changes[0].alive;
		memmove(ts->changes, ts->changes + 1, (CHANGES - 1) * sizeof(ts->changes[0]));
		ts->n_changes--;
	}
	for (i = ts->n_changes; i > 0 && ts->changes[i - 1].when > when; i--) {
		ts->changes[i] = ts->changes[i - 1];
		ts->changes[i].alive += by;
	}
	ts->changes[i].when = when;
	ts->changes[i].alive = (i ? ts->changes[i - 1].alive : ts->first_alive) + by;
	ts->n_changes++;
	ts->alive += by;
}

static bool take_expected(struct tasks *ts, uint32_t number)
{
	for (unsigned i = 0; number && i < ts->n_expected; i++) {
		if (ts->expected[i] != number)
			continue;
		ts->expected[i] = ts->expected[--ts->n_expected];
		return true;
	}
	return false;
}

void tasks_seen(struct tasks *ts, const struct task *t, uint64_t since)
{
	struct task_entry *e = tasks_get(ts, t->host_tid, true);

	if (!e || e->counted)
		return;
	e->counted = true;
	e->tid = t->tid;
	if (take_expected(ts, t->tid) || take_expected(ts, t->host_tid))
		return;
	if (ts->unnamed)
		ts->unnamed--;
	else
		change(ts, 1, since);
}

static bool known_number(const struct tasks *ts, uint32_t number)
{
	for (uint32_t i = 0; i < ts->n_slots; i++) {
		const struct task_entry *e = &ts->slots[i];

		if (e->host_tid && e->counted && (e->tid == number || e->host_tid == number))
			return true;
	}
	return false;
}

void tasks_forked(struct tasks *ts, uint32_t child, uint64_t since)
{
	/* The child may have come first: vfork returns after its exec. */
	if (ts->n_expected == EXPECTED || known_number(ts, child))
		return;
	ts->expected[ts->n_expected++] = child;
	change(ts, 1, since);
}

void tasks_gone(struct tasks *ts, uint32_t host_tid, uint64_t when)
{
	struct task_entry *e = tasks_get(ts, host_tid, false);

	if (e && e->counted && ts->alive > 0)
		change(ts, -1, when);
	tasks_forget(ts, host_tid);
}

int tasks_alive_at(const struct tasks *ts, uint64_t when)
{
	for (unsigned i = ts->n_changes; i > 0; i--)
		if (ts->changes[i - 1].when < when)
			return ts->changes[i - 1].alive;
	return ts->first_alive;
}
