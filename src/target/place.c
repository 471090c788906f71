/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A ctrace in a container, which sees neither the cgroups' directories nor
 * their whole paths: the kernel tells them, and the grammar of their names
 * which of them is the container.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cgroup/name.h"
#include "ns/nsid.h"
#include "target/resolver.h"
#include "util/macros.h"

#define HIERARCHIES 3                   /* that are asked for: v2, memory, pids; no runtime uses others alone */

static bool is_hidden(struct resolver *r, const struct proc_cgroup *line, bool foreign)
{
	if (!strcmp(line->path, "/"))
		return foreign;
	return !cgroup_mounts_find(&r->mounts, line->hierarchy, line->path);
}

bool lines_are_hidden(struct resolver *r, const struct proc_cgroups *lines)
{
	uint32_t own;
	bool foreign = nsid_own(NS_CGROUP, &own) == 0 && own != NS_CGROUP_INITIAL;

	for (size_t i = 0; i < lines->n; i++)
		if (hierarchy_rank(lines->v[i].hierarchy, lines->v[i].controllers) <= 2 && is_hidden(r, &lines->v[i], foreign))
			return true;
	return false;
}

pid_t namespace_init(const struct target_env *env, pid_t pid)
{
	pid_t at = pid;

	for (unsigned i = 0; i < 4096; i++) {
		struct proc_status s;

		if (!at || proc_status_read(env->proc_fd, at, 0, &s) < 0)
			break;
		if (s.n_nspid > 1 && s.nspid[s.n_nspid - 1] == 1)
			return at;
		/* In a procfs of that very namespace; an exec session's parent is not in it. */
		if (s.n_nspid == 1 && env->pidns_inum != NS_PID_INITIAL)
			return 1;
		at = s.ppid;
	}
	return pid;
}

int place_later(struct resolver *r, pid_t pid, const struct container_entry *e, struct target *ret)
{
	_cleanup_(proc_cgroups_done) struct proc_cgroups lines = { 0 };
	struct proc_stat s;
	int err = read_live_cgroups(r, pid, &lines);

	if (err < 0)
		return err;
	for (unsigned rank = 0; rank <= 4; rank++)
		for (size_t i = 0; i < lines.n; i++)
			if (hierarchy_rank(lines.v[i].hierarchy, lines.v[i].controllers) == rank && ret->n_wanted_hierarchies < HIERARCHIES)
				ret->wanted_hierarchies[ret->n_wanted_hierarchies++] = lines.v[i].hierarchy;
	ret->kind = TARGET_CONTAINER;
	ret->by_kernel = true;
	ret->place_pid = pid;
	ret->init_pid = namespace_init(r->env, pid);
	if (proc_stat_read(r->env->proc_fd, ret->init_pid, 0, &s) == 0)
		ret->init_start = s.start;
	if (nsid_read(r->env->proc_fd, ret->init_pid, NS_PID, &ret->pidns_inum) < 0)
		(void)nsid_own(NS_PID, &ret->pidns_inum);
	if (e && e->cgroup_path) {
		ret->place_path = strdup(e->cgroup_path);
		if (!ret->place_path)
			return -ENOMEM;
	}
	/* A label of its own is what target_fill_container() gives, now or when the kernel has told. */
	if (!e && asprintf(&ret->label, "pid:%d", (int)pid) < 0)
		ret->label = NULL;
	return e || ret->label ? 0 : -ENOMEM;
}

/* The whole path on one hierarchy. -ENOENT when the kernel did not tell all of it. */
static int join_steps(const struct cgroup_steps *steps, uint32_t hierarchy, char **ret)
{
	_cleanup_(strbuf_done) struct strbuf path = { 0 };
	unsigned level = 0;

	/* The rows go upwards, the path goes down. */
	for (size_t i = steps->n; i-- > 0;) {
		const struct cgroup_step *s = &steps->v[i];

		if (s->hierarchy != hierarchy)
			continue;
		if (s->level != level++)
			return -ENOENT;
		if (!s->level)
			continue;
		strbuf_char(&path, '/');
		strbuf_str(&path, s->name);
	}
	if (!level)
		return -ENOENT;
	if (level == 1)
		strbuf_char(&path, '/');
	*ret = path.failed ? NULL : strdup(strbuf_cstr(&path));
	return *ret ? 0 : -ENOMEM;
}

static unsigned count_levels(const char *path, size_t len)
{
	unsigned n = 0;

	for (size_t i = 0; i < len; i++)
		n += path[i] == '/' && i + 1 < len;
	return n;
}

/* Where the container ends in the path; 0: it is in none. */
static size_t container_end(const struct target *t, const char *path, struct cgroup_name *name)
{
	struct container_entry e = { .cgroup_path = t->place_path };

	if (t->container && t->container->id) {
		e.id = t->container->id;
		return entry_path_end(&e, path);
	}
	return cgroup_name_container(path, name) ? name->end : 0;
}

/* The path that /proc/PID/cgroup shows of the process, less what is below the container. */
static int shown_path(const struct target_env *env, pid_t pid, uint32_t hierarchy, unsigned below, char **ret)
{
	_cleanup_(proc_cgroups_done) struct proc_cgroups lines = { 0 };
	int r = proc_cgroups_read(env->proc_fd, pid, 0, &lines);

	for (size_t i = 0; i < lines.n && r == 0; i++)
		if (lines.v[i].hierarchy == hierarchy)
			return cgroup_path_above(lines.v[i].path, below, ret);
	return r < 0 ? r : -ENOENT;
}

/* The cgroup at the level, with its path, as the target's. */
static int take_step(const struct target_env *env, struct target *t, pid_t pid, const struct cgroup_steps *steps,
		     uint32_t hierarchy, const char *path, size_t end)
{
	unsigned level = count_levels(path, end), below = count_levels(path, strlen(path)) - level;
	struct cgroup_selector *v;

	for (size_t i = 0; i < steps->n; i++) {
		struct cgroup_selector s = { .hierarchy_id = hierarchy, .id = steps->v[i].id };
		int r;

		if (steps->v[i].hierarchy != hierarchy || steps->v[i].level != level)
			continue;
		r = shown_path(env, pid, hierarchy, below, &s.shown_path);
		if (r < 0)
			return r;
		s.path = strndup(path, end);
		v = s.path ? reallocarray(t->cgroups, t->n_cgroups + 1, sizeof(*v)) : NULL;
		if (!v) {
			free(s.path);
			free(s.shown_path);
			return -ENOMEM;
		}
		v[t->n_cgroups++] = s;
		t->cgroups = v;
		return 0;
	}
	return -ENOENT;
}

static int name_container(struct target *t, const char *runtime, const char *id)
{
	struct container_entry e = { .runtime = runtime, .id = (char *)id };

	if (t->container)
		return 0;
	free(TAKE_PTR(t->label));
	return target_fill_container(t, &e);
}

/* By the names of the cgroups around the process, on the first hierarchy where they tell. */
static int place_by_name(const struct target_env *env, struct target *t, const struct cgroup_steps *steps)
{
	for (size_t i = 0; i < t->n_wanted_hierarchies; i++) {
		_cleanup_free_ char *path = NULL;
		struct cgroup_name name = { .runtime = "" };
		size_t end;
		int r = join_steps(steps, t->wanted_hierarchies[i], &path);

		if (r == -ENOMEM)
			return r;
		end = r == 0 ? container_end(t, path, &name) : 0;
		if (!end)
			continue;
		r = take_step(env, t, t->place_pid, steps, t->wanted_hierarchies[i], path, end);
		return r < 0 ? r : name_container(t, name.runtime, name.id);
	}
	return -ENOENT;
}

/* Names of an unknown shape: the cgroup that the init is in, if the process is in it as well. */
static int place_shapeless(const struct target_env *env, struct target *t, const struct cgroup_steps *of_pid,
			   const struct cgroup_steps *of_init)
{
	for (size_t i = 0; i < t->n_wanted_hierarchies; i++) {
		uint32_t h = t->wanted_hierarchies[i];
		_cleanup_free_ char *path = NULL, *init = NULL;
		int r = join_steps(of_pid, h, &path);

		if (r == 0 && of_init->n)
			r = join_steps(of_init, h, &init);
		if (r == -ENOMEM)
			return r;
		if (r < 0 || !strcmp(path, "/") || is_unit(strrchr(path, '/') + 1))
			continue;
		if (init && strcmp(init, "/") && cgroup_path_within(path, init))
			r = take_step(env, t, t->init_pid, of_init, h, init, strlen(init));
		else
			r = take_step(env, t, t->place_pid, of_pid, h, path, strlen(path));
		return r < 0 ? r : name_container(t, "", strrchr(t->cgroups[0].path, '/') + 1);
	}
	return -ENOENT;
}

int target_place(const struct target_env *env, struct target *t, const struct cgroup_steps *of_pid,
		 const struct cgroup_steps *of_init)
{
	int r = place_by_name(env, t, of_pid);

	if (r == -ENOENT && !t->container)
		r = place_shapeless(env, t, of_pid, of_init);
	if (r < 0)
		return r;
	/* The init by the namespaces may be another container's: a pod's pause. */
	t->init_pid = 0;
	locate_tasks(env, t);
	return 0;
}
