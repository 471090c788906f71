/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cgroup/freezer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "cgroup/dir.h"
#include "util/macros.h"

/*
 * Who may write a directory that was given to him could set a user attribute on it,
 * and have us thaw what another froze: there it is one of those that only the machine's root sets.
 */
static const char *mark_name(int dir_fd)
{
	struct stat st;

	return !fstat(dir_fd, &st) && !st.st_uid ? "user.ctrace.freeze" : "trusted.ctrace.freeze";
}

bool freezer_needs_admin(const struct freezer *f)
{
	return *mark_name(f->dir_fd) == 't';
}

static bool has_mark(int dir_fd)
{
	return fgetxattr(dir_fd, mark_name(dir_fd), NULL, 0) >= 0;
}

static int set_mark(int dir_fd)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "%d", getpid());

	return fsetxattr(dir_fd, mark_name(dir_fd), text, (size_t)n, 0) < 0 ? -errno : 0;
}

static void remove_mark(int dir_fd)
{
	(void)fremovexattr(dir_fd, mark_name(dir_fd));
}

/* Whether the directory itself is frozen. freezer.self_freezing and cgroup.freeze: "0" or "1". */
static bool is_frozen(const struct freezer *f)
{
	char c = '0';

	return pread(f->v2 ? f->state_fd : f->own_fd, &c, 1, 0) == 1 && c == '1';
}

static int set_state(const struct freezer *f, bool frozen)
{
	const char *word = f->v2 ? frozen ? "1" : "0" : frozen ? "FROZEN" : "THAWED";

	return pwrite(f->state_fd, word, strlen(word), 0) < 0 ? -errno : 0;
}

static bool is_threaded(int dir_fd)
{
	_cleanup_close_ int fd = openat(dir_fd, "cgroup.type", O_RDONLY | O_CLOEXEC);
	char word[sizeof("threaded") - 1];

	return fd >= 0 && read(fd, word, sizeof(word)) == sizeof(word) && !memcmp(word, "threaded", sizeof(word));
}

/* Those below f->dir_fd. */
static int open_files(struct freezer *f)
{
	if (is_threaded(f->dir_fd))
		return -EOPNOTSUPP;
	f->v2 = true;
	f->state_fd = openat(f->dir_fd, "cgroup.freeze", O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (f->state_fd < 0 && errno == ENOENT) {
		f->v2 = false;
		f->state_fd = openat(f->dir_fd, "freezer.state", O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	}
	if (f->state_fd < 0)
		return -errno;
	if (!f->v2) {
		f->own_fd = openat(f->dir_fd, "freezer.self_freezing", O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
		if (f->own_fd < 0)
			return -errno;
	}
	return 0;
}

/* With the lock. 1: it was thawed. */
static int recover(struct freezer *f)
{
	int r = 0;

	if (!has_mark(f->dir_fd))
		return 0;
	if (is_frozen(f)) {
		r = set_state(f, false);
		if (r < 0)
			return r;
		r = 1;
	}
	remove_mark(f->dir_fd);
	return r;
}

int freezer_watch(struct freezer *f)
{
	_cleanup_free_ char *path = NULL;

	/* The same file through the descriptor, whatever is mounted where meanwhile. */
	if (asprintf(&path, "/proc/self/fd/%d", f->state_fd) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	f->watch_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (f->watch_fd < 0)
		return -errno;
	return inotify_add_watch(f->watch_fd, path, IN_OPEN | IN_MODIFY | IN_CLOSE) < 0 ? -errno : 0;
}

int freezer_open(const char *dir, struct freezer *ret)
{
	struct freezer f = FREEZER_NONE;
	int r;

	f.dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	r = f.dir_fd < 0 ? -errno : open_files(&f);
	if (!r && flock(f.dir_fd, LOCK_EX | LOCK_NB) < 0)
		r = errno == EWOULDBLOCK ? -EBUSY : -errno;
	if (!r)
		r = recover(&f);
	/* Where it cannot be marked it must not be frozen: nobody could tell later whose freeze it is. */
	if (r >= 0)
		r = set_mark(f.dir_fd);
	if (!r) {
		remove_mark(f.dir_fd);
		r = freezer_watch(&f);
	}
	if (!r)
		r = (f.dir = strdup(dir)) ? 0 : -ENOMEM;
	if (r < 0) {
		freezer_done(&f);
		return r;
	}
	*ret = f;
	return 0;
}

void freezer_done(struct freezer *f)
{
	closep(&f->watch_fd);
	closep(&f->own_fd);
	closep(&f->state_fd);
	closep(&f->dir_fd);
	free(f->dir);
	f->dir = NULL;
}

/*
 * Our own writes change the file without opening it, so a change is another's when
 * somebody has it open, or when we have written nothing since the last look.
 */
static void take_event(struct freezer *f, uint32_t mask, bool foreign)
{
	if (mask & IN_Q_OVERFLOW)
		f->open_elsewhere = false;
	if (mask & IN_OPEN)
		f->open_elsewhere = true;
	if (mask & IN_MODIFY && (foreign || f->open_elsewhere))
		f->written_elsewhere = true;
	if (mask & IN_CLOSE_WRITE)
		f->written_elsewhere = true;
	if (mask & IN_CLOSE)
		f->open_elsewhere = false;
}

bool freezer_is_foreign(struct freezer *f, bool foreign)
{
	char buf[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
	ssize_t n;

	while ((n = read(f->watch_fd, buf, sizeof(buf))) > 0) {
		for (ssize_t at = 0; at < n;) {
			const struct inotify_event *e = (const void *)(buf + at);

			take_event(f, e->mask, foreign && !f->shared);
			at += (ssize_t)(sizeof(*e) + e->len);
		}
	}
	return f->written_elsewhere;
}

int freezer_freeze(struct freezer *f)
{
	int r;

	(void)freezer_is_foreign(f, true);
	if (f->open_elsewhere || is_frozen(f))
		return -EBUSY;
	f->written_elsewhere = false;
	r = set_mark(f->dir_fd);
	if (r < 0)
		return r;
	r = set_state(f, true);
	if (r < 0)
		remove_mark(f->dir_fd);
	(void)freezer_is_foreign(f, false);
	return r;
}

int freezer_thaw(struct freezer *f)
{
	int r;

	if (freezer_is_foreign(f, true)) {
		remove_mark(f->dir_fd);
		return 1;
	}
	r = set_state(f, false);
	/* After it: who dies between the two leaves a mark on what is not frozen, which does no harm. */
	if (!r)
		remove_mark(f->dir_fd);
	(void)freezer_is_foreign(f, false);
	return r;
}

static int recover_at(int parent_fd, const char *dir)
{
	_cleanup_(freezer_done) struct freezer f = FREEZER_NONE;
	int r;

	f.dir_fd = openat(parent_fd, dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (f.dir_fd < 0 || !has_mark(f.dir_fd))
		return 0;
	/* Its owner lives. */
	if (flock(f.dir_fd, LOCK_EX | LOCK_NB) < 0)
		return 0;
	r = open_files(&f);
	return r < 0 ? r : recover(&f);
}

int freezer_recover(const char *dir)
{
	return recover_at(AT_FDCWD, dir);
}

static int recover_each(int dir_fd, const char *path _unused_, void *data)
{
	int *n = data, r = recover_at(dir_fd, ".");

	*n += r > 0;
	return r == -ENOMEM ? r : 0;
}

int freezer_recover_below(const char *dir)
{
	int n = 0, r = cgroup_walk(dir, recover_each, &n);

	return r < 0 ? r : n;
}
