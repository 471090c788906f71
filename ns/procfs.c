/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "ns/procfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ns/array.h"
#include "util/macros.h"

#define SMALL_FILE (64u << 10)  /* stat, status, comm; a cgroup file has a few dozen lines of up to 4 KiB */
#define LIST_FILE  (64u << 20)  /* children: 2^22 pids of 8 bytes are 32 MiB */

static int gone(int err)
{
	return err == ENOENT ? -ESRCH : -err;
}

/* Reads to the end; files of procfs have no size. */
static int read_all(int fd, size_t max, char **ret_text, size_t *ret_len)
{
	_cleanup_free_ char *buf = NULL;
	size_t allocated = 0, len = 0;

	for (;;) {
		ssize_t n;

		if (ARRAY_RESERVE(buf, allocated, MAX(len + 2, (size_t)4096)) < 0)
			return -ENOMEM;
		n = read(fd, buf + len, allocated - len - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return gone(errno);
		if (n == 0)
			break;
		len += (size_t)n;
		if (len > max)
			return -EFBIG;
	}
	buf[len] = '\0';
	*ret_text = TAKE_PTR(buf);
	*ret_len = len;
	return 0;
}

int proc_read_fd(int fd, size_t max, char **ret_text, size_t *ret_len)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return gone(errno);
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	return read_all(fd, max, ret_text, ret_len);
}

int proc_read_file(int dir_fd, const char *path, size_t max, char **ret_text, size_t *ret_len)
{
	_cleanup_close_ int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	return fd < 0 ? gone(errno) : proc_read_fd(fd, max, ret_text, ret_len);
}

static void task_path(char *buf, size_t size, pid_t pid, pid_t tid, const char *name)
{
	if (tid)
		snprintf(buf, size, "%d/task/%d/%s", (int)pid, (int)tid, name);
	else
		snprintf(buf, size, "%d/%s", (int)pid, name);
}

static int read_task_file(int proc_fd, pid_t pid, pid_t tid, const char *name, size_t max, char **ret, size_t *ret_len)
{
	char path[64];

	task_path(path, sizeof(path), pid, tid, name);
	return proc_read_file(proc_fd, path, max, ret, ret_len);
}

int proc_stat_read(int proc_fd, pid_t pid, pid_t tid, struct proc_stat *ret)
{
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	int r = read_task_file(proc_fd, pid, tid, "stat", SMALL_FILE, &text, &len);

	return r < 0 ? r : proc_stat_parse(text, len, ret);
}

int proc_status_read(int proc_fd, pid_t pid, pid_t tid, struct proc_status *ret)
{
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	int r = read_task_file(proc_fd, pid, tid, "status", SMALL_FILE, &text, &len);

	return r < 0 ? r : proc_status_parse(text, len, ret);
}

int proc_cgroups_read(int proc_fd, pid_t pid, pid_t tid, struct proc_cgroups *ret)
{
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	int r = read_task_file(proc_fd, pid, tid, "cgroup", SMALL_FILE * 4, &text, &len);

	return r < 0 ? r : proc_cgroups_parse(text, len, ret);
}

int proc_cmdline_read(int proc_fd, pid_t pid, char **ret_text, size_t *ret_len)
{
	/* A command line can have megabytes; those asked for have not. */
	return read_task_file(proc_fd, pid, 0, "cmdline", SMALL_FILE * 4, ret_text, ret_len);
}

int proc_comm_read(int proc_fd, pid_t pid, char ret_comm[static PROC_COMM_LEN])
{
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	int r = read_task_file(proc_fd, pid, 0, "comm", SMALL_FILE, &text, &len);

	if (r < 0)
		return r;
	if (len && text[len - 1] == '\n')
		len--;
	len = MIN(len, (size_t)PROC_COMM_LEN - 1);
	memset(ret_comm, 0, PROC_COMM_LEN);
	if (len)
		memcpy(ret_comm, text, len);
	return 0;
}

int proc_link_read(int proc_fd, pid_t pid, const char *name, char *ret, size_t size)
{
	char path[64];
	ssize_t n;

	task_path(path, sizeof(path), pid, 0, name);
	n = readlinkat(proc_fd, path, ret, size);
	if (n < 0)
		return gone(errno);
	if ((size_t)n >= size)
		return -ENAMETOOLONG;
	ret[n] = '\0';
	return 0;
}

int proc_children_read(int proc_fd, pid_t pid, pid_t tid, struct pid_list *list)
{
	_cleanup_free_ char *text = NULL;
	char path[64];
	size_t len = 0;
	int r = read_task_file(proc_fd, pid, tid, "children", LIST_FILE, &text, &len);

	if (r == 0)
		return pid_list_parse(text, len, list);
	if (r != -ESRCH)
		return r;
	task_path(path, sizeof(path), pid, tid, "stat");
	return faccessat(proc_fd, path, F_OK, 0) < 0 ? -ESRCH : -EOPNOTSUPP;
}

static bool name_is_pid(const char *name, pid_t *ret)
{
	long v;
	char *end;

	if (name[0] < '1' || name[0] > '9')
		return false;
	errno = 0;
	v = strtol(name, &end, 10);
	if (errno || *end || v > INT32_MAX)
		return false;
	*ret = (pid_t)v;
	return true;
}

/* No more than so many; 0: all. */
static int read_number_names(int proc_fd, const char *path, size_t most, struct pid_list *list)
{
	_cleanup_close_ int fd = openat(proc_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_closedir_ DIR *dir = NULL;

	if (fd < 0)
		return gone(errno);
	dir = fdopendir(fd);
	if (!dir)
		return -errno;
	(void)TAKE_FD(fd);
	for (;;) {
		struct dirent *e;
		pid_t pid;
		int r;

		errno = 0;
		e = readdir(dir);
		if (!e)
			return errno ? gone(errno) : 0;
		if (!name_is_pid(e->d_name, &pid))
			continue;
		r = pid_list_add(list, pid);
		if (r < 0)
			return r;
		if (!--most)
			return 0;
	}
}

int proc_threads_read(int proc_fd, pid_t pid, struct pid_list *list)
{
	char path[64];

	task_path(path, sizeof(path), pid, 0, "task");
	return read_number_names(proc_fd, path, 0, list);
}

int proc_pids_read(int proc_fd, struct pid_list *list)
{
	return read_number_names(proc_fd, ".", 0, list);
}

int proc_first_pids_read(int proc_fd, size_t most, struct pid_list *list)
{
	return most ? read_number_names(proc_fd, ".", most, list) : 0;
}
