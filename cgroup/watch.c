/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cgroup/watch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "cgroup/state.h"
#include "ns/array.h"
#include "util/macros.h"

#define EVENTS (IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ONLYDIR)

/* A watched directory. */
struct watched_dir {
	int wd;                         /* -1: it is gone */
	enum state_kind kind;
	size_t dir;                     /* of the kind: an index, since the list grows */
	unsigned level;
	char *path;                     /* below the state directory's root */
};

struct runtime_watch {
	struct runtime_env *env;
	int epoll_fd, inotify_fd, timer_fd;
	struct watched_dir *v;
	size_t n, allocated;
};

/*
 * The directories of each kind. Level 0 is the state directory with what
 * stands here behind it; those below it are watched down to level last, where
 * the files are that tell. Of directories that are there already none deeper
 * than old is watched: there may be thousands of containers, and the reading
 * that follows finds them.
 */
static const struct {
	const char *below;
	unsigned last, old;
	const char *suffix;             /* of the directories that count; NULL: any */
	const char *files[3];
	const char *also;               /* a directory that counts without the suffix */
} shapes[STATE_KINDS] = {
	[STATE_DOCKER] = { "/containers", 1, 0, NULL, { "config.v2.json" }, NULL },
	[STATE_CONTAINERD] = { "/io.containerd.runtime.v2.task", 2, 1, NULL, { "config.json" }, NULL },
	/* CRI's, which it writes when a container is created: that is before the start, and then it is in the database. */
	[STATE_CONTAINERD_ROOT] = { "/io.containerd.grpc.v1.cri/containers", 1, 0, NULL, { "status" }, NULL },
	[STATE_STORAGE] = { "", 1, 1, "-containers", { "containers.json", "volatile-containers.json", "bolt_state.db" }, "libpod" },
};

static const struct state_dir *state_dir_of(const struct runtime_watch *w, const struct watched_dir *d)
{
	return &w->env->dirs[d->kind].v[d->dir];
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t n = strlen(name), k = suffix ? strlen(suffix) : 0;

	return n >= k && (!k || !strcmp(name + n - k, suffix));
}

static int add_children(struct runtime_watch *w, size_t index, bool is_new);

/* 1: it is watched now and was not before; 0: it was, or is not there. Takes the path. */
static int add_watch(struct runtime_watch *w, struct watched_dir d, bool is_new)
{
	_cleanup_free_ char *path = d.path;
	_cleanup_close_ int fd = state_open_dir(w->env, state_dir_of(w, &d), path);
	char proc[32];
	int r;

	if (fd < 0)
		return 0;
	/* inotify takes paths only: this one does not lead out of a container's root. */
	snprintf(proc, sizeof(proc), "/proc/self/fd/%d", fd);
	d.wd = inotify_add_watch(w->inotify_fd, proc, EVENTS);
	if (d.wd < 0)
		return errno == ENOMEM ? -ENOMEM : 0;
	for (size_t i = 0; i < w->n; i++)
		if (w->v[i].wd == d.wd)
			return 0;
	if (ARRAY_RESERVE(w->v, w->allocated, w->n + 1) < 0)
		return -ENOMEM;
	w->v[w->n] = d;
	w->v[w->n++].path = TAKE_PTR(path);
	r = d.level < (is_new ? shapes[d.kind].last : shapes[d.kind].old) ? add_children(w, w->n - 1, is_new) : 0;
	return r < 0 ? r : 1;
}

static int add_child(struct runtime_watch *w, size_t index, const char *name, bool is_new)
{
	struct watched_dir d = w->v[index];

	if (!has_suffix(name, shapes[d.kind].suffix) && (!shapes[d.kind].also || strcmp(name, shapes[d.kind].also) != 0))
		return 0;
	if (asprintf(&d.path, "%s/%s", w->v[index].path, name) < 0)
		return -ENOMEM;
	d.level++;
	return add_watch(w, d, is_new);
}

static int add_children(struct runtime_watch *w, size_t index, bool is_new)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };
	int r = state_list_names(w->env, state_dir_of(w, &w->v[index]), w->v[index].path, &names);

	for (size_t i = 0; i < names.n && r >= 0; i++)
		r = add_child(w, index, names.v[i], is_new);
	return r == -ENOMEM ? r : 0;
}

/* The state directories, also those that were made or mounted since. 1: some are new. */
static int watch_top(struct runtime_watch *w)
{
	int news = 0;

	for (enum state_kind kind = 0; kind < STATE_KINDS; kind++)
		for (size_t i = 0; shapes[kind].below && i < w->env->dirs[kind].n; i++) {
			struct watched_dir d = { .kind = kind, .dir = i };
			int r;

			if (asprintf(&d.path, "%s%s", w->env->dirs[kind].v[i].path, shapes[kind].below) < 0)
				return -ENOMEM;
			r = add_watch(w, d, false);
			if (r < 0)
				return r;
			news |= r;
		}
	return news;
}

/* Without those that are gone. */
static void compact(struct runtime_watch *w)
{
	size_t kept = 0;

	for (size_t i = 0; i < w->n; i++) {
		if (w->v[i].wd < 0)
			free(w->v[i].path);
		else
			w->v[kept++] = w->v[i];
	}
	w->n = kept;
}

static bool is_telling_file(enum state_kind kind, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(shapes[kind].files); i++)
		if (shapes[kind].files[i] && !strcmp(shapes[kind].files[i], name))
			return true;
	return false;
}

/* 1: what it tells of is news. */
static int on_event(struct runtime_watch *w, const struct inotify_event *e)
{
	struct watched_dir *d;
	size_t i = 0;

	if (e->mask & IN_Q_OVERFLOW)
		return 1;
	while (i < w->n && w->v[i].wd != e->wd)
		i++;
	if (i == w->n)
		return 0;
	d = &w->v[i];
	if (e->mask & IN_IGNORED)
		d->wd = -1;
	if (d->wd < 0 || !e->len)
		return 0;
	if (!(e->mask & IN_ISDIR))
		return d->level == shapes[d->kind].last && is_telling_file(d->kind, e->name);
	/* News, since files may have come into it before it is watched. */
	return d->level < shapes[d->kind].last ? add_child(w, i, e->name, true) : 0;
}

int runtime_watch_take(struct runtime_watch *w)
{
	union {
		struct inotify_event event;
		char bytes[16384];
	} buf;
	int news = 0, r;
	uint64_t ticks;
	ssize_t n;

	while ((n = read(w->inotify_fd, buf.bytes, sizeof(buf.bytes))) > 0)
		for (ssize_t at = 0; at < n;) {
			const struct inotify_event *e = (const void *)(buf.bytes + at);

			r = on_event(w, e);
			if (r < 0)
				return r;
			news |= r;
			at += (ssize_t)(sizeof(*e) + e->len);
		}
	compact(w);
	if (read(w->timer_fd, &ticks, sizeof(ticks)) == sizeof(ticks)) {
		r = watch_top(w);
		if (r < 0)
			return r;
		news |= r;
	}
	return news;
}

int runtime_watch_fd(const struct runtime_watch *w)
{
	return w->epoll_fd;
}

static int watch_fd(int epoll_fd, int fd)
{
	struct epoll_event e = { .events = EPOLLIN };

	return epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &e) < 0 ? -errno : 0;
}

static int open_fds(struct runtime_watch *w)
{
	struct timespec every = { 0, WATCH_POLL_MS * 1000000l };
	struct itimerspec t = { .it_value = every, .it_interval = every };
	int r;

	w->inotify_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	w->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	w->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (w->inotify_fd < 0 || w->timer_fd < 0 || w->epoll_fd < 0 || timerfd_settime(w->timer_fd, 0, &t, NULL) < 0)
		return -errno;
	r = watch_fd(w->epoll_fd, w->inotify_fd);
	return r < 0 ? r : watch_fd(w->epoll_fd, w->timer_fd);
}

int runtime_watch_open(struct runtime_env *env, struct runtime_watch **ret_watch)
{
	struct runtime_watch *w = calloc(1, sizeof(*w));
	int r;

	if (!w)
		return -ENOMEM;
	w->env = env;
	w->epoll_fd = w->inotify_fd = w->timer_fd = -1;
	r = open_fds(w);
	if (r == 0)
		r = watch_top(w);
	if (r < 0) {
		runtime_watch_free(w);
		return r;
	}
	*ret_watch = w;
	return 0;
}

void runtime_watch_free(struct runtime_watch *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->n; i++)
		free(w->v[i].path);
	free(w->v);
	closep(&w->epoll_fd);
	closep(&w->inotify_fd);
	closep(&w->timer_fd);
	free(w);
}
