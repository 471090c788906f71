/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "util/outparts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include "util/macros.h"

#define OPEN_MAX 512            /* files that are open at once, at most */
#define OPEN_KEPT 64            /* descriptors that are left to the rest of the program */
#define BUCKETS 4096

struct part {
	uint32_t key;
	uint32_t next;                  /* in its bucket; 0: the last one. Of a free one: the next free one */
	char *suffix;                   /* NULL: it is free */
	int fd;                         /* -1: closed */
	unsigned slot;                  /* where in open[] */
	uint64_t used;                  /* when it was written last */
	bool ended;
	bool made;                      /* its file has been opened before */
};

struct outparts {
	char *path;
	bool append;
	uint64_t clock;
	struct part *parts;             /* [0] is none */
	uint32_t n, allocated, free;
	uint32_t buckets[BUCKETS];
	uint32_t open[OPEN_MAX];
	unsigned n_open, max_open;
	uint32_t *ended;                /* to be closed after the next write */
	size_t n_ended, ended_allocated;
	/* Keys whose part has ended, a bit each: a number that comes again does not empty the file of the first. */
	unsigned char *past;
	size_t past_size;
};

int outparts_new(const char *path, bool append, struct outparts **ret_parts)
{
	struct outparts *p = calloc(1, sizeof(*p));
	struct rlimit limit;

	if (!p)
		return -ENOMEM;
	p->path = strdup(path);
	p->append = append;
	p->n = 1;
	p->max_open = OPEN_MAX;
	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur < OPEN_MAX + OPEN_KEPT)
		p->max_open = limit.rlim_cur > OPEN_KEPT ? (unsigned)limit.rlim_cur - OPEN_KEPT : 1;
	if (!p->path) {
		free(p);
		return -ENOMEM;
	}
	*ret_parts = p;
	return 0;
}

void outparts_free(struct outparts *p)
{
	if (!p)
		return;
	for (uint32_t i = 1; i < p->n; i++) {
		if (p->parts[i].suffix && p->parts[i].fd >= 0)
			close(p->parts[i].fd);
		free(p->parts[i].suffix);
	}
	free(p->parts);
	free(p->ended);
	free(p->past);
	free(p->path);
	free(p);
}

static uint32_t *bucket_of(struct outparts *p, uint32_t key)
{
	return &p->buckets[key % BUCKETS];
}

static uint32_t find(struct outparts *p, uint32_t key)
{
	uint32_t i = *bucket_of(p, key);

	while (i && p->parts[i].key != key)
		i = p->parts[i].next;
	return i;
}

/* A place for one more; 0: no memory. */
static uint32_t take_place(struct outparts *p)
{
	uint32_t i = p->free;

	if (i) {
		p->free = p->parts[i].next;
		return i;
	}
	if (p->n >= p->allocated) {
		uint32_t n = p->allocated ? p->allocated * 2 : 64;
		struct part *parts = reallocarray(p->parts, n, sizeof(*parts));

		if (!parts)
			return 0;
		p->parts = parts;
		p->allocated = n;
	}
	return p->n++;
}

static bool was_before(const struct outparts *p, uint32_t key)
{
	return key / 8 < p->past_size && p->past[key / 8] >> key % 8 & 1;
}

uint32_t outparts_part(struct outparts *p, uint32_t key, const char *suffix)
{
	uint32_t i = find(p, key);
	char *copy;

	if (i)
		return i;
	copy = strdup(suffix);
	i = copy ? take_place(p) : 0;
	if (!i) {
		free(copy);
		return 0;
	}
	p->parts[i] = (struct part){ .key = key, .next = *bucket_of(p, key), .suffix = copy, .fd = -1,
				     .made = p->append || was_before(p, key) };
	*bucket_of(p, key) = i;
	return i;
}

static int close_part(struct outparts *p, struct part *part)
{
	int fd = part->fd;

	if (fd < 0)
		return 0;
	part->fd = -1;
	p->open[part->slot] = p->open[--p->n_open];
	p->parts[p->open[part->slot]].slot = part->slot;
	/* NFS and quotas report here what did not fit. */
	return close(fd) < 0 && errno != EINTR ? -errno : 0;
}

static int close_oldest(struct outparts *p)
{
	uint32_t oldest = p->open[0];

	for (unsigned i = 1; i < p->n_open; i++)
		if (p->parts[p->open[i]].used < p->parts[oldest].used)
			oldest = p->open[i];
	return close_part(p, &p->parts[oldest]);
}

static int open_part(struct outparts *p, uint32_t i)
{
	struct part *part = &p->parts[i];
	_cleanup_free_ char *path = NULL;
	int fd, r;

	if (part->fd >= 0)
		return 0;
	if (asprintf(&path, "%s.%s", p->path, part->suffix) < 0)
		return -ENOMEM;
	for (;;) {
		if (p->n_open >= p->max_open) {
			r = close_oldest(p);
			if (r < 0)
				return r;
		}
		fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | (part->made ? 0 : O_TRUNC), 0666);
		if (fd >= 0)
			break;
		if ((errno != EMFILE && errno != ENFILE) || !p->n_open)
			return -errno;
		p->max_open = p->n_open;        /* the limit is lower than it was said to be */
	}
	part->fd = fd;
	part->made = true;
	part->slot = p->n_open;
	p->open[p->n_open++] = i;
	return 0;
}

void outparts_end(struct outparts *p, uint32_t key)
{
	uint32_t i = find(p, key);

	if (!i || p->parts[i].ended)
		return;
	if (p->n_ended >= p->ended_allocated) {
		size_t n = p->ended_allocated ? p->ended_allocated * 2 : 64;
		uint32_t *ended = reallocarray(p->ended, n, sizeof(*ended));

		if (!ended)
			return;         /* it stays, which costs memory alone */
		p->ended = ended;
		p->ended_allocated = n;
	}
	p->parts[i].ended = true;
	p->ended[p->n_ended++] = i;
}

static void remember_key(struct outparts *p, uint32_t key)
{
	size_t need = key / 8 + 1;
	unsigned char *past;

	if (need > p->past_size) {
		past = realloc(p->past, need * 2);
		if (!past)
			return;
		memset(past + p->past_size, 0, need * 2 - p->past_size);
		p->past = past;
		p->past_size = need * 2;
	}
	p->past[key / 8] |= (unsigned char)(1u << key % 8);
}

static int drop_ended(struct outparts *p)
{
	int r = 0;

	for (size_t k = 0; k < p->n_ended; k++) {
		uint32_t i = p->ended[k], *link = bucket_of(p, p->parts[i].key);
		int q = close_part(p, &p->parts[i]);

		r = r ? r : q;
		while (*link != i)
			link = &p->parts[*link].next;
		*link = p->parts[i].next;
		remember_key(p, p->parts[i].key);
		free(p->parts[i].suffix);
		p->parts[i] = (struct part){ .next = p->free, .fd = -1 };
		p->free = i;
	}
	p->n_ended = 0;
	return r;
}

#define TOGETHER 256            /* runs that are written by one call */

/* n runs of one file. */
static int write_runs(int fd, const char *buf, struct outpart_run **runs, size_t n)
{
	struct iovec iov[TOGETHER];

	while (n) {
		size_t k;
		ssize_t done;

		for (k = 0; k < n && k < TOGETHER; k++)
			iov[k] = (struct iovec){ (char *)buf + runs[k]->start, runs[k]->end - runs[k]->start };
		done = writev(fd, iov, (int)k);
		if (done < 0 && errno != EINTR)
			return -errno;
		if (done == 0)
			return -EIO;
		while (done > 0) {
			size_t len = runs[0]->end - runs[0]->start, part = (size_t)done < len ? (size_t)done : len;

			runs[0]->start += part;
			done -= (ssize_t)part;
			if (part < len)
				break;
			runs++;
			n--;
		}
	}
	return 0;
}

static int by_part(const void *va, const void *vb)
{
	const struct outpart_run *a = *(struct outpart_run *const *)va, *b = *(struct outpart_run *const *)vb;

	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

int outparts_write(struct outparts *p, const char *buf, struct outpart_run *runs, size_t n)
{
	_cleanup_free_ struct outpart_run **order = reallocarray(NULL, n ? n : 1, sizeof(*order));
	int r = 0, q;

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		order[i] = &runs[i];
	qsort(order, n, sizeof(*order), by_part);
	p->clock++;
	for (size_t i = 0, k; i < n && r == 0; i = k) {
		uint32_t part = order[i]->part;

		for (k = i + 1; k < n && order[k]->part == part; k++)
			;
		r = open_part(p, part);
		if (r < 0)
			break;
		p->parts[part].used = p->clock;
		r = write_runs(p->parts[part].fd, buf, order + i, k - i);
	}
	q = drop_ended(p);
	return r ? r : q;
}
