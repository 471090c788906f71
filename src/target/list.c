/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Every container that runs, whatever its runtime. */
#include <errno.h>
#include <string.h>

#include "ns/nsid.h"
#include "target/lookup.h"
#include "util/macros.h"

/* By runtime, pod and name. */
static int compare_containers(const void *a, const void *b)
{
	const struct container_info *x = ((const struct target *)a)->container, *y = ((const struct target *)b)->container;
	const char *of_x[] = { x->runtime, x->pod_namespace, x->pod, x->name, x->id };
	const char *of_y[] = { y->runtime, y->pod_namespace, y->pod, y->name, y->id };

	for (size_t i = 0; i < ARRAY_SIZE(of_x); i++) {
		int r = strcmp(of_x[i] ? of_x[i] : "", of_y[i] ? of_y[i] : "");

		if (r)
			return r;
	}
	return 0;
}

/* 1: the list has it now; 0: it does not run, or is there already. */
static int add_running(struct resolver *r, const struct container_entry *e, struct target_list *list)
{
	struct target t = { 0 };
	int err = locate_wherever(r, e, &t);

	if (err == 0)
		err = target_fill_container(&t, e);
	if (err == 0 && !target_list_has(list, &t)) {
		list->v[list->n++] = t;
		return 1;
	}
	target_done(&t);
	return err == -ENOMEM ? err : 0;
}

static int add_all(struct resolver *r, struct target_list *list)
{
	int err = 0;

	target_list_done(list);
	list->v = calloc(r->entries.n + 1, sizeof(*list->v));
	if (!list->v)
		return -ENOMEM;
	for (size_t i = 0; i < r->entries.n && err >= 0; i++)
		if (!r->entries.v[i].sandbox)
			err = add_running(r, &r->entries.v[i], list);
	return MIN(err, 0);
}

/* If one that runs is not known by name, or not by its pod: 1 when there is more to know now. */
static int ask_about_all(struct resolver *r, const struct target_list *list)
{
	int asked = 0;

	for (size_t i = 0; i < list->n && !asked; i++) {
		const struct target *t = &list->v[i];
		const struct container_info *c = t->container;
		/* Only containers are in the list. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
		struct container_entry e = { .runtime = c->runtime ? c->runtime : "", .id = c->id, .name = c->name, .pod = c->pod };

		asked = resolver_ask_about(r, &e, t->n_cgroups ? t->cgroups[0].path : NULL);
	}
	return asked;
}

void list_doubts_done(struct list_doubts *d)
{
	free(d->daemon);
	*d = (struct list_doubts){ 0 };
}

int containers_list(const struct target_env *env, struct target_list *ret, struct list_doubts *ret_doubts)
{
	_cleanup_(target_list_done) struct target_list list = { 0 };
	_cleanup_(resolver_done) struct resolver r = { .env = env };
	int err = resolver_need_entries(&r);

	if (err == 0)
		err = resolver_need_found_entries(&r);
	if (err == 0)
		err = add_all(&r, &list);
	if (err == 0)
		err = ask_about_all(&r, &list);
	if (err > 0)
		err = add_all(&r, &list);
	if (err < 0)
		return err;
	qsort(list.v, list.n, sizeof(*list.v), compare_containers);
	ret_doubts->denied = r.runtimes.denied;
	ret_doubts->daemon = TAKE_PTR(r.runtimes.note);
	ret_doubts->remote = r.runtimes.remote;
	*ret = list;
	list = (struct target_list){ 0 };
	return 0;
}

int container_of_pid(const struct target_env *env, pid_t pid, void (*report)(const char *line, void *data), void *data,
		     struct target *ret, pid_t *ret_inside)
{
	_cleanup_(resolver_done) struct resolver r = { .env = env, .report = report, .data = data };
	int err = resolve_container_of_host_pid(&r, pid, pid, ret);

	if (err)
		return err;
	if (pid_in_namespace(env->proc_fd, pid, 0, ret->pidns_inum, ret_inside) < 0)
		*ret_inside = 0;
	return 0;
}
