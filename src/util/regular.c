/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "util/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/macros.h"

#ifndef FUSE_SUPER_MAGIC
#define FUSE_SUPER_MAGIC 0x65735546
#endif

bool regular_is_served(int path_fd)
{
	struct statfs fs;

	return fstatfs(path_fd, &fs) < 0 || (unsigned)fs.f_type == FUSE_SUPER_MAGIC;
}

int regular_reopen(int path_fd, struct stat *ret_st)
{
	struct stat st;
	char name[64];
	int fd;

	if (regular_is_served(path_fd) || fstat(path_fd, &st) < 0 || !S_ISREG(st.st_mode))
		return -EINVAL;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", path_fd);
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -errno;
	if (ret_st)
		*ret_st = st;
	return fd;
}

int regular_open(int root_fd, const char *path, struct stat *ret_st)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	_cleanup_close_ int fd = (int)syscall(SYS_openat2, root_fd, path, &how, sizeof(how));

	return fd < 0 ? -errno : regular_reopen(fd, ret_st);
}
