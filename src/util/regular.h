/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_UTIL_REGULAR_H
#define CTRACE_UTIL_REGULAR_H
/*
 * Files that a container chose: what is there by that name may be a link out of
 * its root, a device whose opening does something, a FIFO that nobody writes,
 * a file that a program of the container serves (FUSE) and never answers for.
 * All are looked at before they are opened (O_PATH, open(2)).
 */
#include <stdbool.h>
#include <sys/stat.h>

/*
 * For reading, what an O_PATH descriptor stands for, which stays the caller's.
 * A descriptor, *ret_st (NULL: nobody asks) is of it; a negative errno, -EINVAL if it is no regular file, or one of FUSE.
 */
int regular_reopen(int path_fd, struct stat *ret_st);

/*
 * The same of a path below a directory that is taken for the root: links, also absolute ones and "..", lead nowhere else,
 * and none of procfs's (/proc/self/root, openat2(2)) is followed.
 */
int regular_open(int root_fd, const char *path, struct stat *ret_st);

/* Of what serves a file by a program: every look at it may take for ever. */
bool regular_is_served(int path_fd);

#endif
