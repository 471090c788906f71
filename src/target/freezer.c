/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* By which directory a target can be frozen. */
#include "cgroup/freezer.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "cgroup/dir.h"
#include "cgroup/mounts.h"
#include "ns/procfs.h"
#include "target/target.h"
#include "util/macros.h"

#define LOOKS 3         /* at whether a directory has other tasks: those that come meanwhile are none */

static bool has_file(const char *dir, const char *name)
{
	_cleanup_free_ char *path = NULL;

	if (asprintf(&path, "%s/%s", dir, name) < 0) {
		path = NULL;
		return false;
	}
	return !access(path, F_OK);
}

static bool can_freeze(const char *dir)
{
	return has_file(dir, "cgroup.freeze") || has_file(dir, "freezer.state");
}

/* A process of the target, by its number in env's /proc: the init, or the first that is found. 0: none. */
static pid_t any_process(const struct target_env *env, const struct target *t)
{
	struct task_refs refs = { 0 };
	pid_t pid = t->init_pid;

	if (pid > 0)
		return pid;
	if (!target_read_tasks(env, t, &refs) && refs.n)
		pid = refs.v[0].tgid;
	task_refs_done(&refs);
	return pid;
}

/* By the lines of one of its processes: v1's freezer before v2, which a hybrid machine has without controllers. */
static int dir_of_process(const struct target_env *env, pid_t pid, char **ret_dir)
{
	struct cgroup_mounts mounts = { 0 };
	struct proc_cgroups lines = { 0 };
	int r = proc_cgroups_read(env->proc_fd, pid, 0, &lines);

	if (r < 0)
		return r;
	r = cgroup_mounts_read(env->proc_fd, env->root_prefix, env->cgroupfs_path, &mounts);
	if (!r)
		r = cgroup_mounts_repair(&mounts, &lines);
	for (int v2 = 0; !r && v2 < 2 && !*ret_dir; v2++) {
		for (size_t i = 0; i < lines.n && !*ret_dir; i++) {
			const struct proc_cgroup *line = &lines.v[i];
			_cleanup_free_ char *dir = NULL;

			if (v2 ? line->hierarchy != 0 : !cgroup_has_controller(line->controllers, "freezer"))
				continue;
			if (strcmp(line->path, "/") && !cgroup_mounts_dir(&mounts, line->hierarchy, line->path, &dir) && can_freeze(dir))
				*ret_dir = TAKE_PTR(dir);
		}
	}
	proc_cgroups_done(&lines);
	cgroup_mounts_done(&mounts);
	if (r < 0)
		return r;
	return *ret_dir ? 0 : -ENOENT;
}

static int collect(int dir_fd, const char *path _unused_, void *data)
{
	return cgroup_procs_read(dir_fd, data) == -ENOMEM ? -ENOMEM : 0;
}

static bool is_in(const struct task_refs *refs, pid_t pid)
{
	for (size_t i = 0; i < refs->n; i++)
		if (refs->v[i].tgid == pid)
			return true;
	return false;
}

static bool is_listed(const struct pid_list *list, pid_t pid)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i] == pid)
			return true;
	return false;
}

/* Whether others than the target's tasks are in the tree, and were at every look. */
static bool has_strangers(const struct target_env *env, const struct target *t, const char *dir)
{
	for (int i = 0; i < LOOKS; i++) {
		_cleanup_(pid_list_done) struct pid_list pids = { 0 };
		struct task_refs refs = { 0 };
		bool strange = false;

		if (cgroup_walk(dir, collect, &pids) < 0 || target_read_tasks(env, t, &refs) < 0)
			return true;
		for (size_t k = 0; k < pids.n; k++)
			strange |= pids.v[k] && !is_in(&refs, pids.v[k]);
		task_refs_done(&refs);
		if (!strange)
			return false;
	}
	return true;
}

/* The target's own directory, where it is traced by one that can be frozen; else that of its processes. */
static int find_dir(const struct target_env *env, const struct target *t, char **ret_dir, bool *ret_own)
{
	pid_t pid;

	*ret_own = true;
	for (size_t i = 0; i < t->n_cgroups; i++) {
		if (!can_freeze(t->cgroups[i].path))
			continue;
		*ret_dir = strdup(t->cgroups[i].path);
		return *ret_dir ? 0 : -ENOMEM;
	}
	*ret_own = false;
	pid = any_process(env, t);
	return pid > 0 ? dir_of_process(env, pid, ret_dir) : -ENOENT;
}

int target_freezer_dir(const struct target_env *env, const struct target *t, pid_t avoid, char **ret_dir, char *err, size_t err_size)
{
	_cleanup_(pid_list_done) struct pid_list pids = { 0 };
	_cleanup_free_ char *dir = NULL;
	bool own;
	int r;

	if (t->by_kernel) {
		snprintf(err, err_size, "--lossless: the cgroup of %s cannot be seen from here; mount the host's /sys/fs/cgroup, writable, at /host/sys/fs/cgroup", t->label);
		return -ENOENT;
	}
	r = find_dir(env, t, &dir, &own);
	if (r < 0) {
		snprintf(err, err_size, "--lossless: %s is in no cgroup of its own that can be frozen", t->label);
		return r;
	}
	r = cgroup_walk(dir, collect, &pids);
	if (r < 0) {
		snprintf(err, err_size, "--lossless: %s: %s", dir, strerror(-r));
		return r;
	}
	if (is_listed(&pids, getpid()) || (avoid && is_listed(&pids, avoid))) {
		snprintf(err, err_size, "--lossless: %s is in the cgroup %s itself, and would be frozen with it",
			 is_listed(&pids, getpid()) ? "ctrace" : "the reader of the output", dir);
		return -EDEADLK;
	}
	if (!own && has_strangers(env, t, dir)) {
		snprintf(err, err_size, "--lossless: the cgroup that can be frozen, %s, has others than the tasks of %s", dir, t->label);
		return -EBUSY;
	}
	*ret_dir = TAKE_PTR(dir);
	return 0;
}

unsigned target_recover(const struct target_env *env, const struct target *t)
{
	_cleanup_free_ char *dir = NULL;
	bool own;

	if (t->by_kernel || t->waiting || (t->kind != TARGET_CONTAINER && t->kind != TARGET_CGROUP) || find_dir(env, t, &dir, &own) < 0)
		return 0;
	return freezer_recover(dir) > 0;
}

unsigned targets_recover_all(const struct target_env *env)
{
	struct cgroup_mounts mounts = { 0 };
	unsigned n = 0;

	if (cgroup_mounts_read(env->proc_fd, env->root_prefix, env->cgroupfs_path, &mounts) < 0)
		return 0;
	for (size_t i = 0; i < mounts.n; i++) {
		int r;

		if (!mounts.v[i].v2 && !cgroup_has_controller(mounts.v[i].options, "freezer"))
			continue;
		r = freezer_recover_below(mounts.v[i].dir);
		n += r > 0 ? (unsigned)r : 0;
	}
	cgroup_mounts_done(&mounts);
	return n;
}
