/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "session/secontext.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "session/procs.h"
#include "util/macros.h"
#include "util/regular.h"

#define ATTRIBUTE "security.selinux"
#define CONTEXT_MAX 1024

struct reader {
	struct secontexts base;
	bool full;
	const struct target_env *env;
	const struct target_list *targets;
};

bool secontext_show(const char *context, size_t len, bool full, char *buf, size_t size)
{
	const char *end = context + len, *from = context, *to;

	while (end > context && (end[-1] == '\0' || end[-1] == '\n'))
		end--;
	to = end;
	if (!full) {
		for (int i = 0; i < 2; i++) {
			const char *colon = memchr(from, ':', (size_t)(end - from));

			/* The kernel's own tasks before a policy is loaded have one word. */
			if (!colon)
				break;
			from = colon + 1;
		}
		to = memchr(from, ':', (size_t)(end - from));
		if (!to)
			to = end;
	}
	if (to == from || (size_t)(to - from) >= size)
		return false;
	memcpy(buf, from, (size_t)(to - from));
	buf[to - from] = '\0';
	return true;
}

static bool of_process(struct secontexts *s, const struct task *t, char *buf, size_t size)
{
	struct reader *r = (struct reader *)s;
	pid_t tid = number_in_proc(r->env, r->targets, t, true);
	char name[64], context[CONTEXT_MAX];
	_cleanup_close_ int fd = -1;
	ssize_t n;

	if (!tid)
		return false;
	snprintf(name, sizeof(name), "%d/attr/current", (int)tid);
	fd = openat(r->env->proc_fd, name, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, context, sizeof(context));
	return n > 0 && secontext_show(context, (size_t)n, r->full, buf, size);
}

/* Of what a file descriptor of ours, also one by O_PATH, leads to. */
static bool of_descriptor(const struct reader *r, int fd, char *buf, size_t size)
{
	char name[64], context[CONTEXT_MAX];
	ssize_t n;

	if (regular_is_served(fd))
		return false;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = getxattr(name, ATTRIBUTE, context, sizeof(context));
	return n > 0 && secontext_show(context, (size_t)n, r->full, buf, size);
}

/* The path in the process's root; a relative one from its directory on. */
static bool whole_path(const struct reader *r, pid_t pid, int dirfd, const char *path, char buf[static PATH_MAX])
{
	char name[64];
	ssize_t n;

	if (*path == '/') {
		n = snprintf(buf, PATH_MAX, "%s", path);
		return n < PATH_MAX;
	}
	if (dirfd == AT_FDCWD)
		snprintf(name, sizeof(name), "%d/cwd", (int)pid);
	else
		snprintf(name, sizeof(name), "%d/fd/%d", (int)pid, dirfd);
	n = readlinkat(r->env->proc_fd, name, buf, PATH_MAX - 1);
	if (n <= 0 || buf[0] != '/')
		return false;
	/* AT_EMPTY_PATH: the descriptor has told its own. */
	if (!*path)
		return false;
	return n + snprintf(buf + n, (size_t)(PATH_MAX - n), "/%s", path) < PATH_MAX;
}

static bool of_fd(struct secontexts *s, const struct task *t, int number_of_fd, uint64_t inode, char *buf, size_t size)
{
	struct reader *r = (struct reader *)s;
	pid_t pid = number_in_proc(r->env, r->targets, t, false);
	_cleanup_close_ int fd = -1;
	struct stat st;
	char name[64];

	if (!pid)
		return false;
	snprintf(name, sizeof(name), number_of_fd == AT_FDCWD ? "%d/cwd" : "%d/fd/%d", (int)pid, number_of_fd);
	fd = openat(r->env->proc_fd, name, O_PATH | O_CLOEXEC);
	return fd >= 0 && !regular_is_served(fd) && !fstat(fd, &st) && st.st_ino == inode && of_descriptor(r, fd, buf, size);
}

static bool of_path(struct secontexts *s, const struct task *t, int dirfd, const char *path, char *buf, size_t size)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	struct reader *r = (struct reader *)s;
	_cleanup_close_ int root = -1, fd = -1;
	char name[64], whole[PATH_MAX];
	pid_t pid = number_in_proc(r->env, r->targets, t, false);

	if (!pid)
		return false;
	snprintf(name, sizeof(name), "%d/root", (int)pid);
	root = openat(r->env->proc_fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0 || !whole_path(r, pid, dirfd, path, whole))
		return false;
	fd = (int)syscall(SYS_openat2, root, whole, &how, sizeof(how));
	return fd >= 0 && of_descriptor(r, fd, buf, size);
}

struct secontexts *secontexts_new(bool full)
{
	struct reader *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->base = (struct secontexts){ .process = of_process, .path = of_path, .fd = of_fd };
	r->full = full;
	return &r->base;
}

void secontexts_free(struct secontexts *s)
{
	free(s);
}

void secontexts_place(struct secontexts *s, const struct target_env *env, const struct target_list *targets)
{
	struct reader *r = (struct reader *)s;

	r->env = env;
	r->targets = targets;
}

bool secontexts_any(int proc_fd)
{
	return faccessat(proc_fd, "self/attr/current", R_OK, 0) == 0 && access("/sys/fs/selinux/enforce", F_OK) == 0;
}
