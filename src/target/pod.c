/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* --pod: a pod's containers, each of them a target. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "target/lookup.h"
#include "util/macros.h"

/* [NAMESPACE/]POD[:CONTAINER]; none of the names holds one of these bytes. */
struct pod_name {
	char *text;             /* the others point into it */
	const char *space, *pod, *container;
};

static void pod_name_done(struct pod_name *name)
{
	free(name->text);
}

static int parse_name(const char *arg, struct pod_name *ret)
{
	char *p;

	*ret = (struct pod_name){ .text = strdup(arg) };
	if (!ret->text)
		return -ENOMEM;
	ret->pod = ret->text;
	p = strchr(ret->text, '/');
	if (p) {
		*p = '\0';
		ret->space = ret->text;
		ret->pod = p + 1;
	}
	p = strchr(ret->pod, ':');
	if (p) {
		*p = '\0';
		ret->container = p + 1;
	}
	return 0;
}

bool is_pod_container(const struct container_entry *e)
{
	return !e->sandbox && e->pod && e->pod_container;
}

/* podman's pods have no namespace. */
static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_of_pod(const struct container_entry *e, const struct pod_name *name)
{
	if (!is_pod_container(e) || strcmp(e->pod, name->pod))
		return false;
	return !name->space || same_text(e->pod_namespace, name->space);
}

/* What comes after a pod's colon; podman's containers have names of their own, too. */
static bool is_container(const struct container_entry *e, const char *name)
{
	return !strcmp(e->pod_container, name) || (!e->pod_namespace && e->name && !strcmp(e->name, name));
}

/* all: of the pod; live: those of them that are asked for and run. */
static int find(struct resolver *r, const struct pod_name *name, struct matches *all, struct matches *live)
{
	int err = resolver_need_entries(r);

	for (size_t i = 0; i < r->entries.n && err == 0; i++) {
		const struct container_entry *e = &r->entries.v[i];

		if (!is_of_pod(e, name))
			continue;
		err = matches_add(all, i);
		if (err == 0 && (!name->container || is_container(e, name->container)) && entry_runs(r, e))
			err = matches_add(live, i);
	}
	return err;
}

/* What of an entry is named: its pod, or its name in the pod. */
static bool same_name(const struct container_entry *a, const struct container_entry *b, bool pods)
{
	return pods ? !strcmp(a->pod, b->pod) && same_text(a->pod_namespace, b->pod_namespace) : !strcmp(a->pod_container, b->pod_container);
}

void line_pods(struct strbuf *line, const struct resolver *r, const struct matches *m, bool pods)
{
	const char *between = "";

	for (size_t i = 0; i < m->n; i++) {
		const struct container_entry *e = &r->entries.v[m->v[i]];
		size_t k = 0;

		while (k < i && !same_name(&r->entries.v[m->v[k]], e, pods))
			k++;
		if (k < i)
			continue;
		strbuf_str(line, between);
		if (pods && e->pod_namespace) {
			line_text(line, e->pod_namespace);
			strbuf_char(line, '/');
		} else if (pods) {
			strbuf_str(line, e->runtime);
			strbuf_char(line, ' ');
		}
		line_text(line, pods ? e->pod : e->pod_container);
		between = ", ";
	}
}

int line_running_pods(struct strbuf *line, struct resolver *r)
{
	_cleanup_(matches_done) struct matches running = { 0 };

	for (size_t i = 0; r->report && i < r->entries.n; i++) {
		const struct container_entry *e = &r->entries.v[i];

		if (!is_pod_container(e) || !entry_runs(r, e))
			continue;
		if (matches_add(&running, i) < 0)
			return -ENOMEM;
	}
	if (running.n) {
		strbuf_lit(line, "; running: ");
		line_pods(line, r, &running, true);
	} else {
		strbuf_lit(line, ": none is running here");
	}
	return 0;
}

/* No pod of that name: those that run here. */
static int report_no_pod(struct resolver *r, const char *arg)
{
	_cleanup_(strbuf_done) struct strbuf line = { 0 };

	strbuf_lit(&line, "no pod ");
	line_text(&line, arg);
	return line_running_pods(&line, r) < 0 ? -ENOMEM : report_not_found(r, &line);
}

static int report_pod(struct resolver *r, const char *arg, const char *what, const struct matches *m, bool pods)
{
	_cleanup_(strbuf_done) struct strbuf line = { 0 };

	strbuf_lit(&line, "pod ");
	line_text(&line, arg);
	strbuf_str(&line, what);
	line_pods(&line, r, m, pods);
	resolver_fail(r, &line);
	return 1;
}

static bool is_one_pod(const struct resolver *r, const struct matches *m)
{
	for (size_t i = 1; i < m->n; i++)
		if (!same_text(r->entries.v[m->v[i]].pod_namespace, r->entries.v[m->v[0]].pod_namespace))
			return false;
	return true;
}

/* Takes the argument; NULL: no memory. */
static int add_spec(char *arg, struct target_spec **specs, size_t *n)
{
	struct target_spec *v = arg ? reallocarray(*specs, *n + 1, sizeof(*v)) : NULL;

	if (!v) {
		free(arg);
		return -ENOMEM;
	}
	*specs = v;
	v[(*n)++] = (struct target_spec){ .kind = TARGET_CONTAINER, .arg = arg };
	return 0;
}

static int find_by_name(struct resolver *r, const char *arg, struct matches *m)
{
	_cleanup_(pod_name_done) struct pod_name name = { 0 };
	int err = parse_name(arg, &name);

	for (size_t i = 0; i < r->entries.n && err == 0; i++)
		if (is_of_pod(&r->entries.v[i], &name))
			err = matches_add(m, i);
	return err;
}

int find_pod_containers(struct resolver *r, const struct target_spec *pods, struct matches *m)
{
	return pods->kind == TARGET_POD ? find_by_name(r, pods->arg, m) : find_by_labels(r, pods->arg, m);
}

/* NULL: no memory. */
static char *kubernetes_name(const char *space, const char *pod, const char *container)
{
	char *arg;

	return asprintf(&arg, "k8s:%s/%s/%s", space, pod, container) < 0 ? NULL : arg;
}

/* A container of podman's: by its name, which the next one has again, unless another user's has the same. */
static char *podman_name(const struct resolver *r, const struct container_entry *e)
{
	const char *name = e->name ? e->name : e->id;
	char *arg;

	for (size_t i = 0; i < r->entries.n; i++)
		if (&r->entries.v[i] != e && same_text(r->entries.v[i].name, name))
			name = e->id;
	return asprintf(&arg, "%s:%s", e->runtime, name) < 0 ? NULL : arg;
}

char *pod_container_name(const struct resolver *r, const struct container_entry *e)
{
	return e->pod_namespace ? kubernetes_name(e->pod_namespace, e->pod, e->pod_container) : podman_name(r, e);
}

int add_pod_spec(const struct resolver *r, const struct container_entry *e, struct target_spec **specs, size_t *n)
{
	return add_spec(pod_container_name(r, e), specs, n);
}

int expand_pod(struct resolver *r, const char *arg, struct target_spec **specs, size_t *n)
{
	_cleanup_(matches_done) struct matches all = { 0 }, live = { 0 };
	_cleanup_(pod_name_done) struct pod_name name = { 0 };
	int err = parse_name(arg, &name);

	if (err == 0)
		err = find(r, &name, &all, &live);
	if (err == 0 && !all.n)
		err = resolver_ask_daemons(r);
	if (err > 0)
		err = find(r, &name, &all, &live);
	if (err < 0)
		return err;
	if (!is_one_pod(r, &live))
		return report_pod(r, arg, " is in several namespaces, name one: ", &live, true);
	/* What is waited for by name needs all of it. */
	if (!live.n && r->wait && name.space && name.container)
		return add_spec(kubernetes_name(name.space, name.pod, name.container), specs, n);
	/* Others are for seats. */
	if (!live.n && r->wait && !name.container)
		return 0;
	if (!live.n && r->wait)
		return report_pod(r, arg, " does not run, and --wait needs the whole name: NAMESPACE/POD:CONTAINER", &live, true);
	if (!all.n)
		return report_no_pod(r, arg);
	if (!live.n)
		return report_pod(r, arg, name.container ? ": no such container runs; it has " : ": none of its containers runs: ", &all, false);
	for (size_t i = 0; i < live.n && err == 0; i++) {
		const struct container_entry *e = &r->entries.v[live.v[i]];

		err = add_pod_spec(r, e, specs, n);
	}
	return err;
}
