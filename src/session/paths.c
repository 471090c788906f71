/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "session/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/macros.h"

static bool read_link(int dirfd, const char *name, char buf[static PATH_MAX])
{
	ssize_t n = readlinkat(dirfd, name, buf, PATH_MAX);

	if (n <= 0 || n >= PATH_MAX || buf[0] != '/')
		return false;
	buf[n] = '\0';
	return true;
}

/* A path as it is called below a root: of one that was changed by chroot(2) links tell the whole way. */
static const char *below_root(const char *path, const char *root)
{
	size_t len = strcmp(root, "/") ? strlen(root) : 0;

	if (strncmp(path, root, len) != 0 || (path[len] != '/' && path[len]))
		return path;
	return path[len] ? path + len : "/";
}

/* The path from the process's root on; a relative one by its working directory. */
static bool whole_path(int proc_fd, pid_t pid, const char *root, const char *path, char buf[static PATH_MAX])
{
	char name[64], cwd[PATH_MAX];

	if (*path == '/')
		return snprintf(buf, PATH_MAX, "%s", path) < PATH_MAX;
	snprintf(name, sizeof(name), "%d/cwd", (int)pid);
	return read_link(proc_fd, name, cwd) && snprintf(buf, PATH_MAX, "%s/%s", below_root(cwd, root), path) < PATH_MAX;
}

/* As that process sees it. */
static char *resolved_for(int proc_fd, pid_t pid, const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	char name[64], root[PATH_MAX], whole[PATH_MAX], found[PATH_MAX];
	_cleanup_close_ int root_fd = -1, fd = -1;

	snprintf(name, sizeof(name), "%d/root", (int)pid);
	root_fd = openat(proc_fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root_fd < 0 || !read_link(proc_fd, name, root) || !whole_path(proc_fd, pid, root, path, whole))
		return NULL;
	fd = (int)syscall(SYS_openat2, root_fd, whole, &how, sizeof(how));
	if (fd < 0)
		return NULL;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	return read_link(AT_FDCWD, name, found) ? strdup(below_root(found, root)) : NULL;
}

/* The process whose view of files stands for the target's; 0: ctrace's own. */
static pid_t viewer(const struct target *t)
{
	if (t->kind == TARGET_COMMAND || t->kind == TARGET_ALL)
		return 0;
	return t->pid ? t->pid : t->place_pid ? t->place_pid : t->init_pid;
}

static int resolve(struct touch *t, const struct target_env *env, pid_t pid, void (*tell)(const char *asked, const char *resolved))
{
	for (size_t k = 0; k < t->n_paths; k++) {
		_cleanup_free_ char *path = pid ? resolved_for(env->proc_fd, pid, t->paths[k]) : realpath(t->paths[k], NULL);
		int r = path ? touch_add_resolved(t, path) : 0;

		if (r < 0)
			return r;
		if (r > 0 && tell)
			tell(t->paths[k], path);
	}
	return 0;
}

int paths_resolve_for(struct touch *t, const struct target_env *env, pid_t pid, void (*tell)(const char *asked, const char *resolved))
{
	char name[64], root[PATH_MAX];
	int r = resolve(t, env, pid, tell);

	snprintf(name, sizeof(name), "%d/root", (int)pid);
	return r ? r : read_link(env->proc_fd, name, root);
}

int paths_resolve(struct touch *t, const struct target_env *env, const struct target_list *targets,
		  void (*tell)(const char *asked, const char *resolved))
{
	for (size_t i = 0; i < targets->n; i++) {
		const struct target *target = &targets->v[i];
		int r = target->waiting ? 0 : resolve(t, env, viewer(target), tell);

		if (r < 0)
			return r;
	}
	return 0;
}
