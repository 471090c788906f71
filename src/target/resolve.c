/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The list of targets, and those that need no runtime: cgroups, processes, threads. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cgroup/dir.h"
#include "ns/nsid.h"
#include "target/resolver.h"
#include "target/seat.h"
#include "util/macros.h"

void container_info_free(struct container_info *c)
{
	if (!c)
		return;
	free(c->id);
	free(c->name);
	free(c->runtime);
	free(c->image);
	free(c->pod_namespace);
	free(c->pod);
	free(c->pod_uid);
	free(c->pod_container);
	free(c->pod_kind);
	free(c);
}

static void cgroup_selector_done(struct cgroup_selector *s)
{
	free(s->path);
	free(s->shown_path);
}

void target_done(struct target *t)
{
	free(t->label);
	container_info_free(t->container);
	for (size_t i = 0; i < t->n_cgroups; i++)
		cgroup_selector_done(&t->cgroups[i]);
	free(t->cgroups);
	free(t->place_path);
	free(t->spec.arg);
	free(t->pods.arg);
	free(t->wanted);
	*t = (struct target){ 0 };
}

void target_list_done(struct target_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		target_done(&list->v[i]);
	free(list->v);
	*list = (struct target_list){ 0 };
}

int cgroup_failed(struct resolver *r, const char *arg, int err)
{
	_cleanup_(strbuf_done) struct strbuf line = { 0 };

	line_text(&line, arg);
	switch (err) {
	case -ENOENT:
		strbuf_lit(&line, ": no such cgroup directory");
		break;
	case -ENOTSUP:
		strbuf_lit(&line, ": not a directory of a mounted cgroup hierarchy");
		break;
	default:
		strbuf_lit(&line, ": ");
		strbuf_str(&line, strerror(-err));
	}
	resolver_fail(r, &line);
	return 1;
}

int resolve_cgroup(struct resolver *r, const char *arg, struct target *ret)
{
	/* The walk follows no link, and a path with a link in it would not stay the target's. */
	_cleanup_free_ char *dir = realpath(arg, NULL);
	uint32_t hierarchy;
	int err;

	if (!dir && r->wait && errno == ENOENT)
		return wait_for_cgroup(r, arg, ret);
	if (!dir)
		return errno == ENOMEM ? -ENOMEM : cgroup_failed(r, arg, -errno);
	err = resolver_need_mounts(r);
	if (err == 0)
		err = cgroup_mounts_hierarchy(&r->mounts, dir, &hierarchy);
	if (err == 0)
		err = target_add_cgroup(ret, hierarchy, dir);
	if (err < 0)
		return err == -ENOMEM ? err : cgroup_failed(r, arg, err);
	ret->kind = TARGET_CGROUP;
	locate_tasks(r->env, ret);
	ret->label = strdup(strrchr(dir, '/')[1] ? strrchr(dir, '/') + 1 : "/");
	return ret->label ? 0 : -ENOMEM;
}

static int process_failed(struct resolver *r, const struct target_spec *spec, const char *what)
{
	_cleanup_(strbuf_done) struct strbuf line = { 0 };

	strbuf_str(&line, what);
	strbuf_dec(&line, spec->pid);
	resolver_fail(r, &line);
	return 1;
}

int resolve_process(struct resolver *r, const struct target_spec *spec, struct target *ret)
{
	const char *no_such = spec->kind == TARGET_THREAD ? "no such thread: " : "no such process: ";
	_cleanup_(pid_list_done) struct pid_list tids = { 0 };
	struct proc_status status;
	struct pidref ref;
	pid_t pid;
	int err;

	if (spec->pid <= 0 || resolver_translate_pid(r, spec->pid, &pid) < 0)
		return process_failed(r, spec, no_such);
	err = proc_status_read(r->env->proc_fd, pid, 0, &status);
	if (err < 0)
		return err == -ENOMEM ? err : process_failed(r, spec, no_such);
	/* As strace -f -p, which attaches to the whole group of a thread. */
	if (spec->kind == TARGET_PROCESS)
		pid = status.tgid;
	else if (proc_state_ended(status.state))
		return process_failed(r, spec, "has ended, and waits for its parent to take notice: ");
	err = pidref_open(r->env->proc_fd, pid, &ref);
	if (err < 0)
		return err == -ENOMEM ? err : process_failed(r, spec, "has ended, and waits for its parent to take notice: ");
	ret->kind = spec->kind;
	ret->pid = pid;
	ret->init_start = ref.start;
	ret->n_tasks = 1;
	if (spec->kind != TARGET_THREAD && proc_threads_read(r->env->proc_fd, pid, &tids) == 0)
		ret->n_tasks = (unsigned)tids.n;
	(void)nsid_own(NS_PID, &ret->pidns_inum);
	if (spec->kind == TARGET_COMMAND && spec->arg)
		ret->label = strdup(spec->arg);
	else if (asprintf(&ret->label, "%d", (int)spec->pid) < 0)
		ret->label = NULL;
	return ret->label ? 0 : -ENOMEM;
}

static int resolve_all(struct resolver *r, struct target *ret)
{
	(void)r;
	ret->kind = TARGET_ALL;
	(void)nsid_own(NS_PID, &ret->pidns_inum);
	ret->label = strdup("all");
	return ret->label ? 0 : -ENOMEM;
}

int resolve_one(struct resolver *r, const struct target_spec *spec, struct target *ret)
{
	switch (spec->kind) {
	case TARGET_CONTAINER:
		return resolve_container(r, spec->arg, ret);
	case TARGET_CGROUP:
		return resolve_cgroup(r, spec->arg, ret);
	case TARGET_PROCESS:
	case TARGET_THREAD:
	case TARGET_COMMAND:
		return resolve_process(r, spec, ret);
	case TARGET_ALL:
		return resolve_all(r, ret);
	case TARGET_POD:
	case TARGET_PODS:
		break;
	}
	return -EINVAL;
}

static bool same_wanted(const struct target *a, const struct target *b)
{
	if (a->spec.arg && b->spec.arg && !strcmp(a->spec.arg, b->spec.arg))
		return true;
	return a->container && b->container && !strcmp(a->container->id, b->container->id);
}

/* The same target named twice (by name and by ID) is traced once. */
bool target_list_has(const struct target_list *list, const struct target *t)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct target *o = &list->v[i];

		if (o->kind != t->kind || o->pid != t->pid || o->n_cgroups != t->n_cgroups)
			continue;
		if (t->waiting) {
			if (same_wanted(o, t))
				return true;
			continue;
		}
		/* On another kernel: by what it is. */
		if (!t->n_cgroups && t->kind == TARGET_CONTAINER) {
			if (!strcmp(o->container->id, t->container->id))
				return true;
			continue;
		}
		if (!t->n_cgroups || (o->cgroups[0].hierarchy_id == t->cgroups[0].hierarchy_id &&
				      o->cgroups[0].id == t->cgroups[0].id))
			return true;
	}
	return false;
}

/* What waiting needs to know of a target that was resolved. */
static int prepare_wait(struct resolver *r, const struct target_spec *spec, bool follow, struct target *t)
{
	int err;

	t->spec = *spec;
	t->spec.arg = spec->arg ? strdup(spec->arg) : NULL;
	if (spec->arg && !t->spec.arg)
		return -ENOMEM;
	if ((t->kind != TARGET_CONTAINER && t->kind != TARGET_CGROUP) || (!t->waiting && !follow))
		return 0;
	err = wanted_hierarchies(r, t);
	return err < 0 ? err : MIN(wanted_update(r, t), 0);
}

static void free_specs(struct target_spec *specs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(specs[i].arg);
	free(specs);
}

/* Room for so many more targets. */
static int reserve_targets(struct target_list *list, size_t more)
{
	struct target *v = reallocarray(list->v, list->n + more + 1, sizeof(*v));

	if (!v)
		return -ENOMEM;
	list->v = v;
	return 0;
}

/* The number of failures, or a negative errno. */
static int resolve_spec(struct resolver *r, const struct target_spec *spec, bool follow, struct target_list *list)
{
	struct target_spec *specs = NULL;
	struct target t = { 0 };
	size_t n = 0;
	int err, failures = 0;

	if (spec->kind == TARGET_POD || spec->kind == TARGET_PODS) {
		err = spec->kind == TARGET_POD ? expand_pod(r, spec->arg, &specs, &n) : expand_selector(r, spec->arg, &specs, &n);
		for (size_t i = 0; i < n && err >= 0; i++) {
			err = resolve_spec(r, &specs[i], follow, list);
			failures += MAX(err, 0);
		}
		free_specs(specs, n);
		return err < 0 || !n ? err : failures;
	}
	err = reserve_targets(list, 1);
	if (err == 0)
		err = resolve_one(r, spec, &t);
	if (err == 0)
		err = prepare_wait(r, spec, follow, &t);
	if (err == 0 && !target_list_has(list, &t)) {
		list->v[list->n++] = t;
		return 0;
	}
	target_done(&t);
	return err;
}

int targets_resolve(const struct target_env *env, const struct target_spec *specs, size_t n, bool wait, bool follow,
		    void (*report)(const char *line, void *data), void *data, struct target_list *ret_list)
{
	_cleanup_(resolver_done) struct resolver r = { .env = env, .report = report, .data = data, .wait = wait };
	_cleanup_(target_list_done) struct target_list list = { 0 };
	int failures = 0, err = reserve_targets(&list, 0);

	if (err < 0 || n > INT_MAX)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		err = resolve_spec(&r, &specs[i], follow, &list);
		if (err < 0)
			return err;
		failures += err;
	}
	for (size_t i = 0; i < n && (wait || follow) && failures < (int)n; i++) {
		err = reserve_targets(&list, seats_wanted(&specs[i]));
		if (err == 0)
			err = seats_add(&r, &specs[i], &list);
		if (err < 0)
			return err;
	}
	*ret_list = list;
	list = (struct target_list){ 0 };
	return failures;
}
