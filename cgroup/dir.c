/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cgroup/dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ns/array.h"
#include "util/macros.h"

#define FILEID_KERNFS 0xfe      /* include/linux/exportfs.h, since 5.5 */
#define TASKS_MAX (64u << 20)

int cgroup_dir_id(const char *dir, uint64_t *ret)
{
	union {
		struct file_handle handle;
		char space[sizeof(struct file_handle) + MAX_HANDLE_SZ];
	} h = { .handle.handle_bytes = sizeof(uint64_t) };
	struct stat st;
	int mount_id;

	if (!name_to_handle_at(AT_FDCWD, dir, &h.handle, &mount_id, 0) && h.handle.handle_bytes == sizeof(*ret) &&
	    h.handle.handle_type == FILEID_KERNFS) {
		memcpy(ret, h.handle.f_handle, sizeof(*ret));
		return 0;
	}
	/* Fixtures, and seccomp profiles that deny name_to_handle_at. */
	if (stat(dir, &st) < 0)
		return -errno;
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	*ret = st.st_ino;
	return 0;
}

struct walk {
	int (*each)(int dir_fd, const char *path, void *data);
	void *data;
	char *path;
	size_t len, allocated;
};

static bool is_subdir(int dir_fd, const struct dirent *e)
{
	struct stat st;

	if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
		return false;
	if (e->d_type != DT_UNKNOWN)
		return e->d_type == DT_DIR;
	return !fstatat(dir_fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) && S_ISDIR(st.st_mode);
}

static int walk_down(struct walk *w, const char *name, size_t *ret_len)
{
	size_t n = strlen(name);

	if (ARRAY_RESERVE(w->path, w->allocated, w->len + n + 2) < 0)
		return -ENOMEM;
	*ret_len = w->len;
	w->path[w->len] = '/';
	memcpy(w->path + w->len + 1, name, n + 1);
	w->len += n + 1;
	return 0;
}

static int walk_dir(struct walk *w, int parent_fd, const char *name, int depth)
{
	_cleanup_close_ int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	_cleanup_closedir_ DIR *d = NULL;
	struct dirent *e;
	int r;

	if (fd < 0)
		return errno == ENOENT && depth ? 0 : -errno;
	if (depth >= CGROUP_DEPTH_MAX)
		return -ELOOP;
	r = w->each(fd, w->path, w->data);
	if (r)
		return MIN(r, 0);
	d = fdopendir(fd);
	if (!d)
		return -errno;
	(void)TAKE_FD(fd);
	while ((e = readdir(d))) {
		size_t len;

		if (!is_subdir(dirfd(d), e))
			continue;
		r = walk_down(w, e->d_name, &len);
		if (r < 0)
			return r;
		r = walk_dir(w, dirfd(d), e->d_name, depth + 1);
		w->len = len;
		w->path[len] = '\0';
		if (r < 0)
			return r;
	}
	return 0;
}

int cgroup_walk(const char *dir, int (*each)(int dir_fd, const char *path, void *data), void *data)
{
	struct walk w = { .each = each, .data = data };
	int r;

	w.len = strlen(dir);
	if (ARRAY_RESERVE(w.path, w.allocated, w.len + 1) < 0)
		return -ENOMEM;
	memcpy(w.path, dir, w.len + 1);
	r = walk_dir(&w, AT_FDCWD, dir, 0);
	free(w.path);
	return r;
}

/* The directory's removal while its files are open: ENODEV. */
static int read_ids(int dir_fd, const char *name, struct pid_list *list)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	int r = proc_read_file(dir_fd, name, TASKS_MAX, &text, &len);

	if (r == -ENODEV)
		return 0;
	return r < 0 ? r : pid_list_parse(text, len, list);
}

int cgroup_tasks_read(int dir_fd, struct pid_list *list)
{
	int r = read_ids(dir_fd, "cgroup.threads", list);

	/* v1 names it tasks; neither is there once the directory is removed. */
	if (r == -ESRCH)
		r = read_ids(dir_fd, "tasks", list);
	return r == -ESRCH ? 0 : r;
}

int cgroup_procs_read(int dir_fd, struct pid_list *list)
{
	int r = read_ids(dir_fd, "cgroup.procs", list);

	return r == -ESRCH ? 0 : r;
}

/* Ends the walk at the first directory with a task. */
static int has_task(int dir_fd, const char *path, void *data)
{
	static const char *const names[] = { "cgroup.threads", "tasks", "cgroup.procs" };

	(void)path;
	(void)data;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_close_ int fd = openat(dir_fd, names[i], O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		char byte;

		if (fd >= 0 && read(fd, &byte, 1) == 1)
			return -EEXIST;
	}
	return 0;
}

bool cgroup_is_populated(const char *dir)
{
	return cgroup_walk(dir, has_task, NULL) == -EEXIST;
}
