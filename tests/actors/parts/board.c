/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <fcntl.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "board.h"

#define MAGIC 0x424f415244ULL

struct board *board;

void die(const char *what)
{
	perror(what);
	exit(2);
}

uint64_t board_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ULL + (uint64_t)ts.tv_nsec;
}

void pause_us(long us)
{
	struct timespec ts = { .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000 };

	nanosleep(&ts, NULL);
}

static size_t slot_size(uint32_t stride)
{
	return sizeof(struct slot) + stride * sizeof(uint64_t);
}

static void map(int fd, size_t size)
{
	board = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (board == MAP_FAILED)
		die("board");
}

void board_make(const char *path, uint32_t first, uint32_t stride, uint32_t max_tasks)
{
	size_t size = sizeof(*board) + slot_size(stride) * max_tasks;
	int fd = open(path, O_RDWR | O_CLOEXEC | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || ftruncate(fd, (off_t)size) < 0)
		die(path);
	map(fd, size);
	close(fd);
	board->size = size;
	board->first = first;
	board->stride = stride;
	board->max_tasks = max_tasks;
	board->magic = MAGIC;
}

void board_use(int fd)
{
	struct stat st = {};

	/* Whoever makes it may be about to. */
	for (int i = 0; st.st_size < (off_t)sizeof(*board); i++) {
		if (fstat(fd, &st) < 0 || i == 1000)
			die("not a board");
		pause_us(i ? 5000 : 0);
	}
	map(fd, (size_t)st.st_size);
	for (int i = 0; board->magic != MAGIC; i++) {
		if (i == 1000)
			die("not a board");
		pause_us(5000);
	}
}

void board_open(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die(path);
	board_use(fd);
	close(fd);
}

uint32_t board_tasks(void)
{
	uint32_t n = board->n_tasks;

	return n < board->max_tasks ? n : board->max_tasks;
}

struct slot *board_slot(uint32_t n)
{
	return (struct slot *)(board->slots + slot_size(board->stride) * n);
}

int board_wait(uint32_t n)
{
	for (int i = 0; i < 3000; i++) {
		if (board->n_tasks >= n)
			return 0;
		pause_us(10000);
	}
	fprintf(stderr, "only %u tasks were born\n", board->n_tasks);
	return 2;
}

void board_wait_go(void)
{
	/* Not FUTEX_WAIT, which is a mark. */
	while (!board->go)
		syscall(SYS_futex, &board->go, FUTEX_WAIT_BITSET, 0, NULL, NULL, FUTEX_BITSET_MATCH_ANY);
}

void board_go(void)
{
	board->go = 1;
	syscall(SYS_futex, &board->go, FUTEX_WAKE, INT32_MAX);
}

struct slot *slot_take(uint32_t tid, uint32_t kind)
{
	uint32_t n = atomic_load(&board->n_tasks);
	struct slot *s;

	do {
		if (n >= board->max_tasks)
			return NULL;
	} while (!atomic_compare_exchange_weak(&board->n_tasks, &n, n + 1));
	s = board_slot(n);
	s->born = board_now();
	s->tid = tid;
	s->kind = kind;
	return s;
}

uint64_t slot_number(const struct slot *s, uint32_t i)
{
	uint64_t n = (uint64_t)((const char *)s - board->slots) / slot_size(board->stride);

	return (board->first + n) * board->stride + i;
}

void slot_call(struct slot *s)
{
	uint32_t i = s->done;

	s->begun[i] = board_now();
	syscall(SYS_lseek, -1, (long)slot_number(s, i), SEEK_SET);
	atomic_store(&s->done, i + 1);
}

void slot_call_last(struct slot *s)
{
	uint32_t i = s->done;

	s->begun[i] = board_now();
	atomic_store(&s->done, i + 1);
	syscall(SYS_lseek, -1, (long)slot_number(s, i), SEEK_SET);
}

void slot_hang(struct slot *s)
{
	uint32_t word = (uint32_t)slot_number(s, s->done);

	s->flags |= SLOT_HANGS;
	s->begun[s->done] = board_now();
	while (1)
		syscall(SYS_futex, &word, FUTEX_WAIT, word, NULL);
}

/* --- the comparison --------------------------------------------------------------- */

struct seen {
	uint8_t *counts;        /* of each number */
	uint32_t *last;         /* of each slot: one more than the last call seen */
	uint64_t limit;
	struct comparison *c;
};

struct mention {
	uint64_t number;
	uint32_t tid;           /* 0: the line does not tell */
	int hangs;
};

/* The number of the task that stands before the call; 0 if none does. */
static uint32_t text_tid(const char *line, const char *call)
{
	const char *p = strstr(line, "[pid ");

	p = p && p < call ? p + 5 : line;
	/* A container's name may stand before the number. */
	while (p < call) {
		char *end;
		unsigned long n = strtoul(p, &end, 10);

		if (end > p && (*end == ' ' || *end == ']' || *end == '<'))
			return (uint32_t)n;
		p = strchr(p, ' ');
		if (!p)
			return 0;
		p += strspn(p, " ");
	}
	return 0;
}

static uint64_t number_after(const char *line, const char *key, uint64_t otherwise)
{
	const char *p = strstr(line, key);

	return p ? strtoull(p + strlen(key), NULL, 10) : otherwise;
}

/* 1 and what the line says, if it shows a marked call. */
static int parse_line(const char *line, struct mention *m)
{
	static const char seek[] = "lseek(-1, ", wait[] = ", FUTEX_WAIT, ";
	const char *p;

	*m = (struct mention){};
	if (*line == '{') {
		m->hangs = !strstr(line, "\"name\":\"lseek\"");
		if (m->hangs && !strstr(line, "\"FUTEX_WAIT\""))
			return 0;
		m->tid = (uint32_t)number_after(line, "\"tid\":", 0);
		m->number = number_after(line, m->hangs ? "\"val\":" : "\"offset\":", UINT64_MAX);
		return 1;
	}
	p = strstr(line, seek);
	if (p) {
		m->number = strtoull(p + sizeof(seek) - 1, NULL, 10);
	} else {
		p = strstr(line, wait);
		if (!p)
			return 0;
		m->hangs = 1;
		m->number = strtoull(p + sizeof(wait) - 1, NULL, 10);
	}
	m->tid = text_tid(line, p);
	return 1;
}

/* Whether the line may stand where it stands. */
static int take_mention(struct seen *seen, const struct mention *m)
{
	uint64_t first = (uint64_t)board->first * board->stride;
	uint32_t slot, i, tid;
	struct slot *s;

	if (m->number < first || m->number - first >= seen->limit) {
		seen->c->foreign++;
		return 0;
	}
	slot = (uint32_t)((m->number - first) / board->stride);
	i = (uint32_t)((m->number - first) % board->stride);
	s = board_slot(slot);
	/* What a task never did, or did outside the target. */
	if ((m->hangs && !(s->flags & SLOT_HANGS && i == s->done)) || !s->begun[i] || s->flags & SLOT_OUTSIDE) {
		seen->c->foreign++;
		return 0;
	}
	tid = s->moved_at && i >= s->moved_at ? s->tid_after : s->tid;
	if (m->tid && m->tid != tid)
		seen->c->wrong_task++;
	else if (i + 1 < seen->last[slot])
		seen->c->disordered++;
	else if (seen->counts[m->number - first]++)
		seen->c->twice++;
	else
		return seen->last[slot] = i + 1, 1;
	return 0;
}

static void compare_slot(const struct slot *s, const uint8_t *counts, uint64_t since, uint64_t until, struct comparison *c)
{
	uint64_t gaps = c->missing;

	c->before += s->born < board->exec_time;
	c->between += s->born >= board->exec_time && s->born < since;
	c->after += s->born >= since;
	for (uint32_t i = 0; i < board->stride; i++) {
		int made = i < s->done, hangs = i == s->done && s->flags & SLOT_HANGS;
		int due = s->begun[i] >= since && s->begun[i] < until;

		if (s->flags & SLOT_OUTSIDE) {
			c->outside += made;
			continue;
		}
		c->early += counts[i] && s->begun[i] < since;
		/* The call after the last may have been begun, by a task that was killed or runs still. */
		if (!made && !hangs)
			continue;
		c->calls++;
		c->due += due;
		c->hung += due && hangs;
		if (due && !counts[i] && c->missing++ == 0)
			c->missed = slot_number(s, i);
	}
	c->hit += c->missing > gaps;
	c->missing_of[s->kind % MAX_KINDS] += c->missing - gaps;
}

void board_compare(FILE *trace, uint64_t since, uint64_t until, struct comparison *ret)
{
	struct seen seen = { .c = ret };
	struct mention m;
	char *line = NULL;
	size_t size = 0;

	*ret = (struct comparison){ .tasks = board_tasks() };
	seen.limit = (uint64_t)ret->tasks * board->stride;
	seen.counts = calloc(seen.limit + 1, 1);
	seen.last = calloc(ret->tasks + 1, sizeof(*seen.last));
	if (!seen.counts || !seen.last)
		die("memory");
	while (getline(&line, &size, trace) > 0) {
		if (parse_line(line, &m) && !take_mention(&seen, &m) && !ret->wrong[0])
			snprintf(ret->wrong, sizeof(ret->wrong), "%s", line);
	}
	free(line);
	for (uint32_t t = 0; t < ret->tasks; t++)
		compare_slot(board_slot(t), seen.counts + (uint64_t)t * board->stride, since, until, ret);
	free(seen.counts);
	free(seen.last);
}

int comparison_good(const struct comparison *c)
{
	return !c->missing && !c->twice && !c->foreign && !c->wrong_task && !c->disordered && c->due;
}
