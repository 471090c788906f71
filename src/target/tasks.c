/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which tasks a target has now: the readings that audit the kernel side. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "cgroup/dir.h"
#include "cgroup/mounts.h"
#include "ns/array.h"
#include "ns/nsid.h"
#include "ns/procfs.h"
#include "target/resolver.h"
#include "util/macros.h"

void task_refs_done(struct task_refs *refs)
{
	free(refs->v);
	*refs = (struct task_refs){ 0 };
}

static int add_task(struct task_refs *refs, pid_t tid, pid_t tgid)
{
	if (ARRAY_RESERVE(refs->v, refs->allocated, refs->n + 1) < 0)
		return -ENOMEM;
	refs->v[refs->n++] = (struct task_ref){ .tid = tid, .tgid = tgid };
	return 0;
}

static int compare_refs(const void *a, const void *b)
{
	const struct task_ref *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

/* A task can move while it is read, and is then met twice. */
static void sort_once(struct task_refs *refs)
{
	size_t kept = 0;

	if (!refs->n)
		return;
	qsort(refs->v, refs->n, sizeof(*refs->v), compare_refs);
	for (size_t i = 0; i < refs->n; i++)
		if (!kept || refs->v[kept - 1].tid != refs->v[i].tid)
			refs->v[kept++] = refs->v[i];
	refs->n = kept;
}

/* Adds a task unless it has ended; procfs shows threads by their own number too. */
static int add_living(int proc_fd, pid_t tid, struct task_refs *refs)
{
	struct proc_status s;

	if (proc_status_read(proc_fd, tid, 0, &s) < 0 || proc_state_ended(s.state))
		return 0;
	return add_task(refs, tid, s.tgid);
}

static int collect_tasks(int dir_fd, const char *path, void *data)
{
	int r = cgroup_tasks_read(dir_fd, data);

	(void)path;
	return r == -ENOMEM ? r : 0;
}

static int read_by_files(const struct target_env *env, const struct target *t, bool complete, struct task_refs *refs)
{
	_cleanup_(pid_list_done) struct pid_list tids = { 0 };
	size_t there = 0;
	int r;

	for (size_t i = 0; i < t->n_cgroups; i++) {
		r = cgroup_walk(t->cgroups[i].path, collect_tasks, &tids);
		if (r == -ENOMEM)
			return r;
		there += r != -ENOENT;
	}
	if (!there)
		return -ENOENT;
	for (size_t i = 0; i < tids.n; i++) {
		/* 0: a task that this reader's pid namespace does not number */
		if (!tids.v[i])
			continue;
		r = complete ? add_living(env->proc_fd, tids.v[i], refs) : add_task(refs, tids.v[i], 0);
		if (r < 0)
			return r;
	}
	return 0;
}

/* The selectors as paths in /proc/PID/cgroup, and what repairs the paths that are read there. */
struct path_list {
	struct cgroup_mounts mounts;
	char **v;
	size_t n;
};

static void path_list_done(struct path_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->v[i]);
	free(list->v);
	cgroup_mounts_done(&list->mounts);
}

static int read_paths(const struct target_env *env, const struct target *t, struct path_list *ret)
{
	int r = 0;

	ret->v = calloc(t->n_cgroups + 1, sizeof(*ret->v));
	if (!ret->v)
		return -ENOMEM;
	/* What the kernel placed is compared as it is shown. */
	if (!t->by_kernel)
		r = cgroup_mounts_read(env->proc_fd, env->root_prefix, env->cgroupfs_path, &ret->mounts);
	for (size_t i = 0; i < t->n_cgroups && r == 0; i++) {
		const struct cgroup_selector *s = &t->cgroups[i];

		if (t->by_kernel)
			r = (ret->v[ret->n] = strdup(s->shown_path)) ? 0 : -ENOMEM;
		else
			r = cgroup_mounts_path(&ret->mounts, s->hierarchy_id, s->path, &ret->v[ret->n]);
		ret->n += r == 0;
	}
	return r;
}

static bool in_target(int proc_fd, pid_t pid, pid_t tid, const struct target *t, const struct path_list *paths)
{
	_cleanup_(proc_cgroups_done) struct proc_cgroups lines = { 0 };

	if (proc_cgroups_read(proc_fd, pid, tid, &lines) < 0 || cgroup_mounts_repair(&paths->mounts, &lines) < 0)
		return false;
	for (size_t i = 0; i < lines.n; i++)
		for (size_t k = 0; k < paths->n; k++)
			if (lines.v[i].hierarchy == t->cgroups[k].hierarchy_id &&
			    cgroup_path_within(lines.v[i].path, paths->v[k]))
				return true;
	return false;
}

typedef int task_fn(int proc_fd, pid_t pid, pid_t tid, void *data);

/* Calls each for all threads of all processes that live. */
static int each_task(int proc_fd, task_fn *each, void *data)
{
	_cleanup_(pid_list_done) struct pid_list pids = { 0 };
	int r = proc_pids_read(proc_fd, &pids);

	for (size_t i = 0; i < pids.n && r == 0; i++) {
		_cleanup_(pid_list_done) struct pid_list tids = { 0 };

		if (proc_threads_read(proc_fd, pids.v[i], &tids) < 0)
			continue;
		for (size_t k = 0; k < tids.n && r == 0; k++) {
			struct proc_stat s;

			if (proc_stat_read(proc_fd, pids.v[i], tids.v[k], &s) == 0 && !proc_state_ended(s.state))
				r = each(proc_fd, pids.v[i], tids.v[k], data);
		}
	}
	return r;
}

struct select_data {
	const struct target *t;
	const struct path_list *paths;  /* NULL: everything */
	struct task_refs *refs;
};

static int select_task(int proc_fd, pid_t pid, pid_t tid, void *data)
{
	struct select_data *d = data;

	if (d->paths && !in_target(proc_fd, pid, tid, d->t, d->paths))
		return 0;
	return add_task(d->refs, tid, pid);
}

/*
 * The files of a cgroup number tasks as their reader's pid namespace does, and
 * leave out those that it does not see. With a procfs of another namespace it
 * is this one that is asked.
 */
static int read_by_proc(const struct target_env *env, const struct target *t, struct task_refs *refs)
{
	_cleanup_(path_list_done) struct path_list paths = { 0 };
	struct select_data d = { .t = t, .paths = &paths, .refs = refs };
	int r;

	if (!target_exists(t))
		return -ENOENT;
	r = read_paths(env, t, &paths);
	return r < 0 ? r : each_task(env->proc_fd, select_task, &d);
}

bool target_env_is_ours(const struct target_env *env)
{
	uint32_t own;

	return !env->pidns_inum || nsid_own(NS_PID, &own) < 0 || own == env->pidns_inum;
}

/* Children of every process, from one reading of all of /proc: for kernels without children files. */
static int add_children_by_ppid(int proc_fd, pid_t pid, struct pid_list *list)
{
	_cleanup_(pid_list_done) struct pid_list pids = { 0 };
	int r = proc_pids_read(proc_fd, &pids);

	for (size_t i = 0; i < pids.n && r == 0; i++) {
		struct proc_stat s;

		if (proc_stat_read(proc_fd, pids.v[i], 0, &s) == 0 && s.ppid == pid)
			r = pid_list_add(list, pids.v[i]);
	}
	return r;
}

static int add_children(int proc_fd, pid_t pid, pid_t tid, struct pid_list *queue)
{
	int r = proc_children_read(proc_fd, pid, tid, queue);

	/* Without the files it is not told which thread forked: once a process is enough. */
	if (r == -EOPNOTSUPP)
		r = pid == tid ? add_children_by_ppid(proc_fd, pid, queue) : 0;
	return r == -ENOMEM ? r : 0;
}

/* A process's threads into refs, their children into the queue. */
static int add_process(int proc_fd, pid_t pid, struct task_refs *refs, struct pid_list *queue)
{
	_cleanup_(pid_list_done) struct pid_list tids = { 0 };
	int r = proc_threads_read(proc_fd, pid, &tids);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (size_t i = 0; i < tids.n; i++) {
		struct proc_stat s;

		if (proc_stat_read(proc_fd, pid, tids.v[i], &s) < 0)
			continue;
		/* An ended leader still has its children; one without threads has none. */
		if (!proc_state_ended(s.state) && add_task(refs, tids.v[i], pid) < 0)
			return -ENOMEM;
		if (add_children(proc_fd, pid, tids.v[i], queue) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int read_tree(int proc_fd, const struct target *t, struct task_refs *refs)
{
	_cleanup_(pid_list_done) struct pid_list queue = { 0 };
	struct proc_status s;
	int r = proc_status_read(proc_fd, t->pid, 0, &s);

	if (r < 0)
		return r == -ESRCH ? -ENOENT : r;
	if (t->kind == TARGET_THREAD) {
		if (!proc_state_ended(s.state))
			r = add_task(refs, t->pid, s.tgid);
		if (r == 0)
			r = add_children(proc_fd, s.tgid, t->pid, &queue);
	} else {
		r = add_process(proc_fd, s.tgid, refs, &queue);
	}
	/*
	 * Each process has one parent, so no one is queued twice except where
	 * tasks end and their children get new parents while this reads: what
	 * is there is read at most as often as the machine has pids.
	 */
	for (size_t i = 0; i < queue.n && r == 0 && i < 1u << 22; i++)
		r = add_process(proc_fd, queue.v[i], refs, &queue);
	return r;
}

static int read_tasks(const struct target_env *env, const struct target *t, bool complete, struct task_refs *ret_refs)
{
	_cleanup_(task_refs_done) struct task_refs refs = { 0 };
	struct select_data all = { .t = t, .refs = &refs };
	int r;

	if (t->kind == TARGET_ALL)
		r = each_task(env->proc_fd, select_task, &all);
	else if (!t->n_cgroups)
		r = read_tree(env->proc_fd, t, &refs);
	else if (!t->by_kernel && target_env_is_ours(env))
		r = read_by_files(env, t, complete, &refs);
	else
		r = read_by_proc(env, t, &refs);
	if (r < 0)
		return r;
	sort_once(&refs);
	*ret_refs = refs;
	refs = (struct task_refs){ 0 };
	return 0;
}

int target_read_tasks(const struct target_env *env, const struct target *t, struct task_refs *ret_refs)
{
	return read_tasks(env, t, true, ret_refs);
}

int target_list_tasks(const struct target_env *env, const struct target *t, struct task_refs *ret_refs)
{
	return read_tasks(env, t, false, ret_refs);
}

bool task_ref_lives(const struct target_env *env, struct task_ref *ref)
{
	struct proc_status s;

	if (ref->tgid)
		return true;
	if (proc_status_read(env->proc_fd, ref->tid, 0, &s) < 0 || proc_state_ended(s.state))
		return false;
	ref->tgid = s.tgid;
	return true;
}

bool target_exists(const struct target *t)
{
	for (size_t i = 0; i < t->n_cgroups; i++) {
		uint64_t id;

		/* A restarted docker container has the same path and another directory. */
		if (cgroup_dir_id(t->cgroups[i].path, &id) == 0 && id == t->cgroups[i].id)
			return true;
	}
	return !t->n_cgroups || t->by_kernel;
}

bool target_init_ended(const struct target_env *env, const struct target *t)
{
	struct proc_stat s;

	if (!t->init_pid)
		return false;
	return proc_stat_read(env->proc_fd, t->init_pid, 0, &s) == -ESRCH ||
	       proc_state_ended(s.state) || (t->init_start && s.start != t->init_start);
}
