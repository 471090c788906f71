/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TESTS_TREE_H
#define CTRACE_TESTS_TREE_H
/* Files in a temporary directory, for tests that need trees which git cannot keep (empty directories, real inodes). */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/macros.h"

/* All of it is for the tests that include this; not each uses all. */
static char tree[PATH_MAX];

static _unused_ void tree_make(void)
{
	snprintf(tree, sizeof(tree), "%s/ctrace-unit-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	assert_non_null(mkdtemp(tree));
}

static int tree_remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static _unused_ void tree_remove(void)
{
	assert_int_equal(nftw(tree, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static _unused_ const char *tree_path(const char *path)
{
	static char full[2][PATH_MAX * 2];
	static unsigned turn;

	turn ^= 1;
	snprintf(full[turn], sizeof(full[turn]), "%s/%s", tree, path);
	return full[turn];
}

/* A directory with all above it. */
static _unused_ void tree_dir(const char *path)
{
	char full[PATH_MAX * 2];

	snprintf(full, sizeof(full), "%s/%s", tree, path);
	for (char *p = full + strlen(tree) + 1; *p; p++)
		if (*p == '/') {
			*p = '\0';
			assert_true(!mkdir(full, 0755) || errno == EEXIST);
			*p = '/';
		}
	assert_true(!mkdir(full, 0755) || errno == EEXIST);
}

static _unused_ void tree_bytes(const char *path, const void *bytes, size_t len)
{
	char dir[PATH_MAX], *slash;
	FILE *f;

	snprintf(dir, sizeof(dir), "%s", path);
	slash = strrchr(dir, '/');
	if (slash) {
		*slash = '\0';
		tree_dir(dir);
	}
	f = fopen(tree_path(path), "w");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static _unused_ _printf_(2, 3) void tree_file(const char *path, const char *format, ...)
{
	char text[16384];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	assert_true(n >= 0 && (size_t)n < sizeof(text));
	tree_bytes(path, text, (size_t)n);
}

/* What proc/PID/ and proc/PID/task/PID/ tell of a process. nspid: its numbers behind that in this procfs, each after a tab. */
static _unused_ void tree_process(int pid, int ppid, const char *nspid, const char *cgroup_lines)
{
	char dir[64], path[96];

	for (int i = 0; i < 2; i++) {
		snprintf(dir, sizeof(dir), i ? "proc/%1$d/task/%1$d" : "proc/%1$d", pid);
		snprintf(path, sizeof(path), "%s/stat", dir);
		tree_file(path, "%d (x) S %d 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %d 0 0\n", pid, ppid, pid * 10);
		snprintf(path, sizeof(path), "%s/status", dir);
		tree_file(path, "Name:\tx\nState:\tS (x)\nTgid:\t%d\nPid:\t%d\nPPid:\t%d\nNSpid:\t%d%s\n", pid, pid, ppid, pid, nspid);
		snprintf(path, sizeof(path), "%s/cgroup", dir);
		tree_file(path, "%s", cgroup_lines);
	}
}

#endif
