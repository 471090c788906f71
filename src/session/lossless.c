/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "session/lossless.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "cgroup/freezer.h"
#include "ns/array.h"
#include "session/guard.h"
#include "session/internal.h"
#include "util/thread.h"

#define MS 1000000ull
#define LONGEST   (LOSSLESS_MAX_MS * MS)
#define WORTH_IT  (20 * MS)             /* the credit from which on a freeze is begun */
#define SETTLED   (5 * MS)              /* eight tasks stand by then */
#define LOOK_HELD (MS / 2)
#define LOOK_MIN  (MS / 5)
#define LOOK_MAX  (5 * MS)
#define FASTEST   200ull                /* bytes per microsecond that come at least, as far as is foreseen */

struct held {
	struct freezer freezer;
	bool used, frozen;
};

struct lossless {
	pthread_mutex_t lock;           /* of held[] */
	pthread_t thread;
	bool running;
	struct held *held;
	size_t n, allocated;
	const struct ring *ring;
	int guard_fd, stop_fd;
	pid_t guard;
	uint64_t credit, credited;      /* how long it may be frozen, as of when; ns */
	uint64_t since;                 /* of the freeze; 0: nothing is frozen */
	unsigned long last_position;
	uint64_t last_look;
	bool above;                     /* the mark is passed, and that was counted as yielding */
	struct lossless_stats stats;
	atomic_ullong holds_since;
	atomic_uint naps;               /* odd: the reader sleeps */
	atomic_uint news;
};

int lossless_new(struct lossless **ret)
{
	struct lossless *l = calloc(1, sizeof(*l));
	int r;

	if (!l)
		return -ENOMEM;
	pthread_mutex_init(&l->lock, NULL);
	l->guard_fd = -1;
	l->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	r = l->stop_fd < 0 ? -errno : guard_start(&l->guard, &l->guard_fd);
	if (r < 0) {
		lossless_free(l);
		return r;
	}
	*ret = l;
	return 0;
}

int lossless_add(struct lossless *l, uint32_t target, const char *dir)
{
	struct freezer f = FREEZER_NONE;
	int r = 0;

	pthread_mutex_lock(&l->lock);
	if (target < l->n && l->held[target].used) {
		if (l->held[target].frozen)
			(void)freezer_thaw(&l->held[target].freezer);
		freezer_done(&l->held[target].freezer);
		l->held[target].used = l->held[target].frozen = false;
		/* Its copies of the descriptors keep the lock. */
		(void)guard_tell(l->guard_fd, GUARD_DROP, target, NULL);
	}
	if (ARRAY_RESERVE(l->held, l->allocated, (size_t)target + 1) < 0)
		r = -ENOMEM;
	if (!r)
		r = freezer_open(dir, &f);
	if (!r) {
		for (; l->n <= target; l->n++)
			l->held[l->n] = (struct held){ .freezer = FREEZER_NONE };
		r = guard_tell(l->guard_fd, GUARD_ADD, target, &f);
	}
	if (!r)
		l->held[target] = (struct held){ .freezer = f, .used = true };
	else
		freezer_done(&f);
	pthread_mutex_unlock(&l->lock);
	return r;
}

static void tell_news(struct lossless *l, unsigned bit)
{
	atomic_fetch_or(&l->news, bit);
}

/* A fifth of the time that has passed, of which no more is kept than one freeze can use. */
static void add_credit(struct lossless *l, uint64_t now)
{
	l->credit = MIN(l->credit + (now - l->credited) / 5, LONGEST);
	l->credited = now;
}

static void forget(struct lossless *l, uint32_t i)
{
	freezer_done(&l->held[i].freezer);
	l->held[i].used = l->held[i].frozen = false;
	(void)guard_tell(l->guard_fd, GUARD_DROP, i, NULL);
}

static void freeze(struct lossless *l)
{
	uint64_t now = boottime_ns();
	bool any = false;

	for (uint32_t i = 0; i < l->n; i++) {
		struct held *h = &l->held[i];
		int r;

		if (!h->used)
			continue;
		/* What nobody would thaw is not frozen. */
		if (guard_tell(l->guard_fd, GUARD_FREEZE, i, NULL) < 0)
			break;
		r = freezer_freeze(&h->freezer);
		h->frozen = !r;
		any |= h->frozen;
		if (r)
			(void)guard_tell(l->guard_fd, GUARD_THAWED, i, NULL);
		if (r == -ENODEV)
			forget(l, i);
	}
	if (!any)
		return;
	l->since = now;
	atomic_store(&l->holds_since, now);
}

/* until: when what was frozen ran again. */
static void account(struct lossless *l, uint64_t until)
{
	uint64_t time = until > l->since ? until - l->since : 0;

	l->stats.times++;
	l->stats.total_ns += time;
	l->stats.longest_ns = MAX(l->stats.longest_ns, time);
	l->credit -= MIN(l->credit, time);
	l->credited = MAX(until, l->credited);
	l->since = 0;
}

static void thaw(struct lossless *l)
{
	uint64_t now;

	atomic_store(&l->holds_since, 0);
	for (uint32_t i = 0; i < l->n; i++) {
		struct held *h = &l->held[i];
		int r;

		if (!h->used || !h->frozen)
			continue;
		r = freezer_thaw(&h->freezer);
		h->frozen = false;
		(void)guard_tell(l->guard_fd, GUARD_THAWED, i, NULL);
		if (r > 0)
			tell_news(l, LOSSLESS_FOREIGN);
		if (r == -ENODEV)
			forget(l, i);
	}
	now = boottime_ns();
	account(l, now);
}

static void yields(struct lossless *l)
{
	l->stats.yielded++;
	tell_news(l, LOSSLESS_YIELDED);
}

/* How long until the mark can have been passed, at twice the rate of now. */
static uint64_t next_look(struct lossless *l, size_t used, uint64_t now)
{
	unsigned long position = ring_position(l->ring);
	uint64_t passed = MAX(now - l->last_look, (uint64_t)1), rate, mark = ring_size(l->ring) / 2;

	rate = l->last_look ? (position - l->last_position) * 1000 / passed : 0;
	l->last_position = position;
	l->last_look = now;
	if (used >= mark)
		return LOOK_MIN;
	return MIN(MAX((mark - used) * 1000 / (2 * MAX(rate, FASTEST)), LOOK_MIN), LOOK_MAX);
}

/* One look. In how many ns the next one is due. */
static uint64_t look(struct lossless *l)
{
	uint64_t now = boottime_ns(), ns;
	size_t used = ring_used(l->ring), size = ring_size(l->ring);

	if (l->since) {
		bool too_long = now - l->since >= l->credit;

		if (used > size / 8 * 3 && !too_long)
			return LOOK_HELD;
		thaw(l);
		if (used > size / 8 * 3) {
			yields(l);
			l->above = true;
		}
		now = boottime_ns();
	}
	add_credit(l, now);
	l->above &= used >= size / 2;
	if (used >= size / 2 && l->credit >= WORTH_IT) {
		freeze(l);
		if (l->since)
			return LOOK_HELD;
	} else if (used >= size / 2 && !l->above) {
		l->above = true;
		yields(l);
	}
	ns = next_look(l, used, now);
	return l->above ? MAX(ns, MS) : ns;
}

/* What the guard says, or that it is gone. False: it is. */
static bool hear(struct lossless *l)
{
	struct guard_message m;
	ssize_t n;

	while ((n = recv(l->guard_fd, &m, sizeof(m), MSG_DONTWAIT)) == sizeof(m)) {
		bool any = false;

		if (m.op != GUARD_EXPIRED || !l->since || m.slot >= l->n)
			continue;
		/* We were stopped, and the target has run since then. */
		l->held[m.slot].frozen = false;
		for (size_t i = 0; i < l->n; i++)
			any |= l->held[i].frozen;
		if (any)
			continue;
		atomic_store(&l->holds_since, 0);
		account(l, m.time);
		yields(l);
	}
	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

static void *keep(void *arg)
{
	struct lossless *l = arg;
	unsigned roused = 0;
	bool guarded = true, admin = false;

	for (size_t i = 0; i < l->n; i++)
		admin |= l->held[i].used && freezer_needs_admin(&l->held[i].freezer);
	session_hurry(true);
	/* Those of the thread that reads the ring are dropped elsewhere; each thread has its own. */
	guard_drop_caps(admin);
	l->credit = LONGEST;
	l->credited = boottime_ns();
	while (guarded) {
		struct pollfd p[] = {
			{ .fd = l->stop_fd, .events = POLLIN }, { .fd = l->guard_fd, .events = POLLIN }, { .fd = ring_fd(l->ring), .events = POLLIN },
		};
		unsigned nap = atomic_load(&l->naps);
		struct timespec t;
		uint64_t ns;
		bool sleeps;

		pthread_mutex_lock(&l->lock);
		/* First: what it has thawed, while we were stopped, is no other's doing. */
		guarded = hear(l);
		ns = look(l);
		pthread_mutex_unlock(&l->lock);
		/* While the reader sleeps a first record wakes both; until it is awake there is one, so that only time is waited for. */
		sleeps = nap % 2 && nap != roused && !atomic_load(&l->holds_since);
		t = (struct timespec){ .tv_nsec = (long)ns };
		if (ppoll(p, sleeps ? 3 : 2, sleeps ? NULL : &t, NULL) <= 0)
			continue;
		if (p[0].revents)
			break;
		if (sleeps && p[2].revents)
			roused = nap;
	}
	pthread_mutex_lock(&l->lock);
	if (l->since)
		thaw(l);
	pthread_mutex_unlock(&l->lock);
	if (!guarded)
		tell_news(l, LOSSLESS_UNGUARDED);
	return NULL;
}

int lossless_start(struct lossless *l, const struct ring *ring)
{
	int r;

	l->ring = ring;
	r = thread_start(&l->thread, keep, l);
	l->running = !r;
	return r;
}

void lossless_stop(struct lossless *l)
{
	uint64_t one = 1;

	if (!l)
		return;
	if (l->running) {
		if (write(l->stop_fd, &one, sizeof(one)) != sizeof(one))
			shutdown(l->guard_fd, SHUT_RDWR);
		pthread_join(l->thread, NULL);
	}
	l->running = false;
	closep(&l->guard_fd);
	if (l->guard > 0)
		waitpid(l->guard, NULL, 0);
	l->guard = 0;
}

void lossless_free(struct lossless *l)
{
	if (!l)
		return;
	lossless_stop(l);
	for (size_t i = 0; i < l->n; i++)
		freezer_done(&l->held[i].freezer);
	closep(&l->stop_fd);
	pthread_mutex_destroy(&l->lock);
	free(l->held);
	free(l);
}

void lossless_nap(struct lossless *l)
{
	if (l)
		atomic_fetch_add(&l->naps, 1);
}

bool lossless_holds(const struct lossless *l)
{
	uint64_t since = l ? atomic_load(&l->holds_since) : 0;

	return since && boottime_ns() - since >= SETTLED;
}

unsigned lossless_news(struct lossless *l)
{
	return l ? atomic_exchange(&l->news, 0) : 0;
}

struct lossless_stats lossless_stats(const struct lossless *l)
{
	return l->stats;
}
