/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/status_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "util/macros.h"

/*
 * Whether the path is a plain file, or could be one: that may be removed and
 * replaced. /dev/stdout and /dev/fd/3 may lead to a regular file and are none.
 */
static bool is_replaceable(const char *path)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return errno == ENOENT;
	return S_ISREG(st.st_mode);
}

void status_file_clear(const char *path)
{
	if (is_replaceable(path))
		unlink(path);
}

static int write_all(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		text += n;
		len -= (size_t)n;
	}
	return 0;
}

static int write_line(int fd, const char *text)
{
	int r = write_all(fd, text, strlen(text));

	return r < 0 ? r : write_all(fd, "\n", 1);
}

/* At the end: what an open description of a script has written there stays. */
static int write_in_place(const char *path, const char *text)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);

	return fd < 0 ? -errno : write_line(fd, text);
}

int status_file_write(const char *path, const char *text)
{
	_cleanup_free_ char *temp = NULL;
	int fd, r;

	if (!is_replaceable(path))
		return write_in_place(path, text);
	if (asprintf(&temp, "%s.%d.tmp", path, getpid()) < 0) {
		temp = NULL;
		return -ENOMEM;
	}
	fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (fd < 0)
		return -errno;
	r = write_line(fd, text);
	if (close(fd) < 0 && !r)
		r = -errno;
	if (!r && rename(temp, path) < 0)
		r = -errno;
	if (r < 0)
		unlink(temp);
	return r;
}
