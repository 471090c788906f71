/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From what the runtimes and the cgroup names say to the directory that is traced. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cgroup/dir.h"
#include "cgroup/name.h"
#include "ns/array.h"
#include "ns/nsid.h"
#include "target/resolver.h"
#include "util/macros.h"

int target_add_cgroup(struct target *t, uint32_t hierarchy, const char *dir)
{
	uint64_t id;
	int r = cgroup_dir_id(dir, &id);

	return r < 0 ? r : target_add_selector(t, hierarchy, id, dir);
}

int target_add_selector(struct target *t, uint32_t hierarchy, uint64_t id, const char *dir)
{
	struct cgroup_selector s = { .hierarchy_id = hierarchy, .id = id }, *v;

	s.path = strdup(dir);
	v = s.path ? reallocarray(t->cgroups, t->n_cgroups + 1, sizeof(*v)) : NULL;
	if (!v) {
		free(s.path);
		return -ENOMEM;
	}
	v[t->n_cgroups++] = s;
	t->cgroups = v;
	return 0;
}

int read_live_cgroups(struct resolver *r, pid_t pid, struct proc_cgroups *ret)
{
	int proc_fd = r->env->proc_fd, err;
	pid_t tid;

	err = pidref_live_thread(proc_fd, pid, &tid);
	/* A zombie's v1 lines read "/". */
	if (err == 0)
		err = proc_cgroups_read(proc_fd, pid, tid, ret);
	if (err < 0)
		return err;
	err = resolver_need_mounts(r);
	return err == 0 ? cgroup_mounts_repair(&r->mounts, ret) : err == -ENOMEM ? err : 0;
}

static size_t hint_end(const struct container_entry *e, const char *path)
{
	size_t n = e->cgroup_path ? strlen(e->cgroup_path) : 0;

	while (n > 1 && e->cgroup_path[n - 1] == '/')
		n--;
	if (n < 2 || strncmp(path, e->cgroup_path, n) || (path[n] && path[n] != '/'))
		return 0;
	return n;
}

/*
 * A long ID in the path is surer than what a state file says, and encloses
 * what the runtime made below it. A short one may be any directory's name.
 */
size_t entry_path_end(const struct container_entry *e, const char *path)
{
	bool random = strlen(e->id) == 64;
	size_t end = random ? cgroup_name_find_id(path, e->id) : hint_end(e, path);

	if (end)
		return end;
	return random ? hint_end(e, path) : cgroup_name_find_id(path, e->id);
}

int locate_by_lines(struct resolver *r, const struct proc_cgroups *lines, const struct container_entry *e,
		    struct target *ret)
{
	int err = resolver_need_mounts(r);

	if (err < 0)
		return err;
	for (unsigned rank = 0; rank <= 4; rank++)
		for (size_t i = 0; i < lines->n; i++) {
			const struct proc_cgroup *line = &lines->v[i];
			_cleanup_free_ char *path = NULL, *dir = NULL;
			size_t end;

			if (hierarchy_rank(line->hierarchy, line->controllers) != rank)
				continue;
			end = entry_path_end(e, line->path);
			if (!end)
				continue;
			path = strndup(line->path, end);
			if (!path)
				return -ENOMEM;
			if (cgroup_mounts_dir(&r->mounts, line->hierarchy, path, &dir) < 0)
				continue;
			err = target_add_cgroup(ret, line->hierarchy, dir);
			if (err == 0 || err == -ENOMEM)
				return err;
		}
	return -ENOENT;
}

/* Its number in the host's /proc and start time; -ESRCH when it is gone or the number is another's. */
static int entry_process(struct resolver *r, const struct container_entry *e, struct pidref *ret)
{
	int proc_fd = r->env->proc_fd, err;
	pid_t pid = e->pid;
	uint32_t ns;

	if (!pid)
		return -ESRCH;
	if (e->owner) {
		err = nsid_read(proc_fd, e->owner, NS_PID, &ns);
		if (err == 0)
			err = pid_from_namespace(proc_fd, ns, e->pid, &pid);
		if (err < 0)
			return -ESRCH;
	}
	err = pidref_open(proc_fd, pid, ret);
	if (err < 0)
		return err;
	return e->start && e->start != ret->start ? -ESRCH : 0;
}

bool entry_process_lives(struct resolver *r, const struct container_entry *e, struct target *ret)
{
	struct pidref ref;

	if (entry_process(r, e, &ref) < 0)
		return false;
	ret->kind = TARGET_CONTAINER;
	ret->init_pid = ref.pid;
	ret->init_start = ref.start;
	(void)nsid_own(NS_PID, &ret->pidns_inum);
	return true;
}

/*
 * A state that tells no start time can name a number that is another's by now:
 * one of the host, or of another container.
 */
static bool is_stranger(struct resolver *r, pid_t pid, const struct proc_cgroups *lines)
{
	struct cgroup_name name;
	struct proc_status s;

	if (proc_status_read(r->env->proc_fd, pid, 0, &s) < 0 || s.n_nspid < 2)
		return true;
	for (size_t i = 0; i < lines->n; i++)
		if (cgroup_name_container(lines->v[i].path, &name))
			return true;
	return false;
}

/* By the state's process. -ENOENT: it runs, in no cgroup that is the container's. */
static int locate_by_process(struct resolver *r, const struct container_entry *e, struct target *ret)
{
	_cleanup_(proc_cgroups_done) struct proc_cgroups lines = { 0 };
	struct pidref ref;
	int err;

	err = entry_process(r, e, &ref);
	if (err < 0)
		return err;
	err = read_live_cgroups(r, ref.pid, &lines);
	if (err < 0)
		return err;
	err = locate_by_lines(r, &lines, e, ret);
	/* The ID is looked for in what the kernel says. */
	if (err == -ENOENT && lines_are_hidden(r, &lines))
		return place_later(r, ref.pid, e, ret);
	if (err == -ENOENT && !e->start && is_stranger(r, ref.pid, &lines))
		return -ESRCH;
	if (err < 0)
		return err;
	if (pidref_verify(r->env->proc_fd, &ref) < 0)
		return -ESRCH;
	ret->init_pid = ref.pid;
	ret->init_start = ref.start;
	return 0;
}

/* lxc/NAME and lxc/NAME/payload both carry the name: the latter's match includes the former. */
static bool replaced_by_inner(const struct found_cgroups *found, size_t i)
{
	const struct found_cgroup *outer = &found->v[i];
	size_t n = strlen(outer->dir);

	for (size_t k = i + 1; k < found->n; k++) {
		const struct found_cgroup *f = &found->v[k];

		if (strcmp(f->id, outer->id) || f->hierarchy != outer->hierarchy)
			return false;
		if (!strncmp(f->dir, outer->dir, n) && f->dir[n] == '/' && f->begin <= outer->begin)
			return true;
	}
	return false;
}

static bool below_any(const struct target *t, const char *dir)
{
	for (size_t i = 0; i < t->n_cgroups; i++) {
		size_t n = strlen(t->cgroups[i].path);

		if (!strncmp(dir, t->cgroups[i].path, n) && (dir[n] == '/' || !dir[n]))
			return true;
	}
	return false;
}

/* A directory in another container is another one's, unless what the entry comes from runs there, too. */
static bool is_foreign(struct resolver *r, const struct container_entry *e, const struct found_cgroup *f)
{
	const char *path = f->dir + f->root;
	size_t begin = f->begin - f->root;

	if (e->by_name)
		return cgroup_is_faked(r, f->hierarchy, f->dir, path, begin);
	return !e->owner && cgroup_is_nested(r, path, begin);
}

/* By the names of the directories: of the first hierarchy where some are populated, all of these. */
static int locate_by_name(struct resolver *r, const struct container_entry *e, struct target *ret)
{
	int err = resolver_need_found(r);

	if (err < 0)
		return err;
	for (size_t i = 0; i < r->found.n; i++) {
		const struct found_cgroup *f = &r->found.v[i];

		if (strcmp(f->id, e->id) || replaced_by_inner(&r->found, i))
			continue;
		if (ret->n_cgroups && ret->cgroups[0].hierarchy_id != f->hierarchy)
			break;
		if (below_any(ret, f->dir) || !cgroup_is_populated(f->dir) || is_foreign(r, e, f))
			continue;
		err = target_add_cgroup(ret, f->hierarchy, f->dir);
		if (err == -ENOMEM)
			return err;
	}
	return ret->n_cgroups ? 0 : -ESRCH;
}

bool entry_process_runs(struct resolver *r, const struct container_entry *e)
{
	struct target t = { 0 };
	bool runs = e->pid && locate_by_process(r, e, &t) == 0;

	target_done(&t);
	return runs;
}

static int compare_pids(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

struct init_choice {
	pid_t pid;
	unsigned level;         /* levels of its pid namespace; 0: not the first of one */
	uint64_t start;
};

/*
 * The first process of a pid namespace that is not the host's is the init, of
 * several the outermost. Without such a one (the host's pid namespace, or a
 * pod's) it is the oldest whose parent is outside.
 */
static void consider_init(const struct target_env *env, const struct pid_list *pids, pid_t pid, struct init_choice *best)
{
	struct init_choice c = { .pid = pid };
	struct proc_status status;
	struct proc_stat stat;

	if (proc_status_read(env->proc_fd, pid, 0, &status) < 0 || proc_stat_read(env->proc_fd, pid, 0, &stat) < 0)
		return;
	if (proc_state_ended(stat.state))
		return;
	c.start = stat.start;
	if (status.n_nspid > 1 && status.nspid[status.n_nspid - 1] == 1)
		c.level = status.n_nspid;
	else if (bsearch(&status.ppid, pids->v, pids->n, sizeof(*pids->v), compare_pids))
		return;
	if (best->pid) {
		if (!c.level != !best->level) {
			if (!c.level)
				return;
		} else if (c.level != best->level) {
			if (c.level > best->level)
				return;
		} else if (c.start >= best->start) {
			return;
		}
	}
	*best = c;
}

static void find_init(const struct target_env *env, struct target *t, const struct task_refs *refs)
{
	_cleanup_(pid_list_done) struct pid_list pids = { 0 };
	struct init_choice best = { 0 };

	for (size_t i = 0; i < refs->n; i++)
		if (pid_list_add(&pids, refs->v[i].tgid) < 0)
			return;
	if (!pids.n)
		return;
	qsort(pids.v, pids.n, sizeof(*pids.v), compare_pids);
	for (size_t i = 0; i < pids.n; i++)
		if (!i || pids.v[i] != pids.v[i - 1])
			consider_init(env, &pids, pids.v[i], &best);
	t->init_pid = best.pid;
	t->init_start = best.start;
}

static int count_dir(int dir_fd, const char *path, void *data)
{
	_cleanup_(pid_list_done) struct pid_list tids = { 0 };
	unsigned *n = data;

	(void)path;
	if (cgroup_tasks_read(dir_fd, &tids) == 0)
		*n += (unsigned)tids.n;
	return 0;
}

void locate_tasks(const struct target_env *env, struct target *t)
{
	_cleanup_(task_refs_done) struct task_refs refs = { 0 };
	bool by_files = !t->by_kernel && target_env_is_ours(env), find = t->kind != TARGET_CGROUP && !t->init_pid;

	t->n_tasks = 0;
	if ((find || !by_files) && target_read_tasks(env, t, &refs) == 0)
		t->n_tasks = (unsigned)refs.n;
	if (find)
		find_init(env, t, &refs);
	/* Files of a cgroup leave out whom their reader's pid namespace does not number. */
	if (by_files)
		t->n_tasks = 0;
	for (size_t i = 0; by_files && i < t->n_cgroups; i++)
		(void)cgroup_walk(t->cgroups[i].path, count_dir, &t->n_tasks);
	if (!t->init_pid || nsid_read(env->proc_fd, t->init_pid, NS_PID, &t->pidns_inum) < 0)
		(void)nsid_own(NS_PID, &t->pidns_inum);
}

int locate_entry(struct resolver *r, const struct container_entry *e, struct target *ret)
{
	int process = locate_by_process(r, e, ret), err;

	if (process == -ENOMEM)
		return process;
	if (process < 0) {
		err = locate_by_name(r, e, ret);
		if (err < 0)
			return process == -ENOENT ? process : err;
	}
	if (!ret->by_kernel)
		locate_tasks(r->env, ret);
	return 0;
}

int locate_wherever(struct resolver *r, const struct container_entry *e, struct target *ret)
{
	int err = locate_entry(r, e, ret);

	return err < 0 && err != -ENOMEM && e->kernel && entry_process_lives(r, e, ret) ? 0 : err;
}
