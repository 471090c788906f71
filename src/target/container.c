/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* --container: from what the user typed to one container that runs. */
#include <errno.h>
#include <string.h>

#include "cgroup/name.h"
#include "ns/array.h"
#include "target/lookup.h"
#include "util/macros.h"

static bool copy(char **to, const char *from)
{
	*to = from && *from ? strdup(from) : NULL;
	return *to || !from || !*from;
}

int target_fill_container(struct target *t, const struct container_entry *e)
{
	struct container_info *c = calloc(1, sizeof(*c));
	char uid[64];

	if (!c)
		return -ENOMEM;
	t->kind = TARGET_CONTAINER;
	container_info_free(t->container);
	t->container = c;
	c->kernel = e->kernel;
	if (!copy(&c->id, e->id) || !copy(&c->name, e->name) || !copy(&c->runtime, e->runtime) ||
	    !copy(&c->image, e->image) || !copy(&c->pod_namespace, e->pod_namespace) || !copy(&c->pod, e->pod) ||
	    !copy(&c->pod_uid, e->pod_uid) || !copy(&c->pod_container, e->pod_container) ||
	    !copy(&c->pod_kind, e->pod_kind))
		return -ENOMEM;
	if (!c->pod_uid && t->n_cgroups && cgroup_name_pod_uid(t->cgroups[0].path, uid, sizeof(uid)) &&
	    !copy(&c->pod_uid, uid))
		return -ENOMEM;
	free(t->label);
	/* An entry has an ID. NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
	t->label = c->name ? strdup(c->name) : strndup(c->id, container_short_id(e->id));
	return t->label ? 0 : -ENOMEM;
}

enum step { STEP_ID, STEP_NAME, STEP_PREFIX };

static bool entry_matches(const struct container_entry *e, enum step step, const char *arg)
{
	switch (step) {
	case STEP_ID:
		return !strcmp(e->id, arg);
	case STEP_NAME:
		/* podman's pause container has a name that people see. */
		return e->name && (!e->sandbox || !e->pod_namespace) && !strcmp(e->name, arg);
	case STEP_PREFIX:
		return !strncmp(e->id, arg, strlen(arg));
	}
	return false;
}

/* The k8s runtime is a view of the others' pods: NAMESPACE/POD/CONTAINER, or NAMESPACE/POD. */
static bool matches_pod(const struct container_entry *e, const char *arg)
{
	const char *parts[] = { e->pod_namespace, e->pod, e->pod_container };

	if (e->sandbox)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		size_t n = parts[i] ? strlen(parts[i]) : 0;

		if (!n || strncmp(arg, parts[i], n))
			return false;
		arg += n;
		if (!*arg)
			return i > 0;
		if (*arg++ != '/')
			return false;
	}
	return false;
}

/* What is looked for; runtime and space NULL: any. */
struct query {
	const char *runtime, *space, *arg;
};

static int collect(struct resolver *r, enum step step, const struct query *q, struct matches *m)
{
	for (size_t i = 0; i < r->entries.n; i++) {
		const struct container_entry *e = &r->entries.v[i];

		if (q->runtime && strcmp(e->runtime, q->runtime))
			continue;
		if (q->space && (!e->space || strcmp(e->space, q->space)))
			continue;
		if (!entry_matches(e, step, q->arg))
			continue;
		if (matches_add(m, i) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* The first step that matches anything decides. */
static int find_entries(struct resolver *r, const struct query *q, struct matches *m)
{
	int err = resolver_need_entries(r);

	if (!*q->arg)
		return err;
	for (enum step step = STEP_ID; step <= STEP_NAME && err == 0 && !m->n; step++)
		err = collect(r, step, q, m);
	/* Only what no state file knows is worth a walk through all cgroups. */
	if (err < 0 || m->n)
		return err;
	if (!r->state_only) {
		err = resolver_need_found_entries(r);
		if (err == 0)
			err = collect(r, STEP_ID, q, m);
	}
	if (err == 0 && !m->n)
		err = collect(r, STEP_PREFIX, q, m);
	return err;
}

static int find_pods(struct resolver *r, const char *arg, struct matches *m)
{
	for (size_t i = 0; i < r->entries.n; i++) {
		if (!matches_pod(&r->entries.v[i], arg))
			continue;
		if (matches_add(m, i) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* Names that people have for runtimes. */
static const struct {
	const char *alias, *runtime;
} aliases[] = {
	{ "cri-o", "crio" }, { "machine", "nspawn" }, { "machined", "nspawn" }, { "gvisor", "runsc" }, { "nerdctl", "containerd" },
};

static const char *runtime_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
		if (!strcmp(aliases[i].alias, name))
			return aliases[i].runtime;
	return name;
}

bool is_runtime_name(const char *name, size_t len)
{
	_cleanup_free_ char *text = strndup(name, len);

	if (!text)
		return false;
	if (!strcmp(text, "k8s") || runtime_of(text) != text || cgroup_name_runtime(text))
		return true;
	for (const struct runtime_ops *const *ops = runtimes; *ops; ops++)
		if (!strcmp((*ops)->name, text))
			return true;
	return !strcmp(text, "incus");
}

/* RUNTIME:NAME, k8s:NAMESPACE/POD/CONTAINER, containerd:NAMESPACE/NAME */
static int find_in_runtime(struct resolver *r, const char *arg, struct matches *m)
{
	const char *colon = strchr(arg, ':'), *slash;
	_cleanup_free_ char *runtime = NULL, *space = NULL;
	struct query q;

	if (!colon)
		return 0;
	runtime = strndup(arg, (size_t)(colon - arg));
	if (!runtime)
		return -ENOMEM;
	if (!strcmp(runtime, "k8s"))
		return find_pods(r, colon + 1, m);
	q = (struct query){ .runtime = runtime_of(runtime), .arg = colon + 1 };
	slash = strchr(q.arg, '/');
	if (slash) {
		space = strndup(q.arg, (size_t)(slash - q.arg));
		if (!space)
			return -ENOMEM;
		q.space = space;
		q.arg = slash + 1;
	}
	return find_entries(r, &q, m);
}

/*
 * Of several that match those that run count: a stopped container of the same
 * name cannot be meant.
 */
static int choose(struct resolver *r, const char *arg, const struct matches *m, struct target *ret)
{
	_cleanup_(matches_done) struct matches live = { 0 };
	int last = -ESRCH;

	for (size_t i = 0; i < m->n; i++) {
		struct target t = { 0 };
		const struct container_entry *e = &r->entries.v[m->v[i]];
		int err = locate_wherever(r, e, &t);

		if (err == 0 && !live.n) {
			target_done(ret);
			*ret = t;
		} else {
			target_done(&t);
		}
		if (err == -ENOMEM)
			return err;
		if (err < 0) {
			last = err;
			continue;
		}
		if (matches_add(&live, m->v[i]) < 0)
			return -ENOMEM;
	}
	/* Nor will it when it comes. */
	if (!live.n && m->n == 1 && r->wait && r->entries.v[m->v[0]].kernel)
		return report_kernel(r, arg, r->entries.v[m->v[0]].kernel);
	if (!live.n && r->wait && last != -ENOENT)
		return wait_for_container(r, arg, ret);
	if (!live.n)
		return report_dead(r, arg, m, last);
	if (live.n > 1)
		return report_ambiguous(r, arg, &live);
	if (r->entries.v[live.v[0]].kernel)
		return report_kernel(r, arg, r->entries.v[live.v[0]].kernel);
	return target_fill_container(ret, &r->entries.v[live.v[0]]);
}

/* pid:N with digits only; no runtime gives IDs or names with a colon. */
static bool parse_pid(const char *arg, pid_t *ret)
{
	unsigned long v;
	char *end;

	if (strncmp(arg, "pid:", 4) || arg[4] < '0' || arg[4] > '9')
		return false;
	errno = 0;
	v = strtoul(arg + 4, &end, 10);
	if (errno || *end)
		return false;
	*ret = v <= INT32_MAX ? (pid_t)v : 0;
	return true;
}

static int find_known(struct resolver *r, const char *arg, struct matches *m)
{
	struct query any = { .arg = arg };
	int err = find_entries(r, &any, m);

	return err == 0 && !m->n ? find_in_runtime(r, arg, m) : err;
}

int find_containers(struct resolver *r, const char *arg, struct matches *m)
{
	int err = find_known(r, arg, m);

	if (err < 0 || m->n || !*arg)
		return err;
	err = resolver_ask_daemons(r);
	return err > 0 ? find_known(r, arg, m) : err;
}

int resolve_container(struct resolver *r, const char *arg, struct target *ret)
{
	_cleanup_(matches_done) struct matches m = { 0 };
	pid_t pid;
	int err;

	if (parse_pid(arg, &pid))
		return resolve_container_of_pid(r, pid, ret);
	err = find_containers(r, arg, &m);
	if (err < 0)
		return err;
	if (m.n)
		return choose(r, arg, &m, ret);
	err = resolve_directory_name(r, arg, ret);
	if (err != -ENOENT)
		return err;
	return r->wait ? wait_for_container(r, arg, ret) : report_unknown(r, arg);
}
