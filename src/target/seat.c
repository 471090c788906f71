/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * --wait and --follow-restarts with pods: containers that a pod gets later, and pods that come. How many that will
 * be nobody knows, and the number of targets is fixed at the start: there are targets in reserve, seats, each of
 * which a container takes when the runtime's files first tell of it, and leaves when they tell of it no more.
 */
#include "target/seat.h"

#include <errno.h>
#include <string.h>

#include "ns/nsid.h"
#include "target/lookup.h"
#include "util/macros.h"

#define SEATS_OF_A_POD   16
#define SEATS_OF_PODS    64
#define TARGETS_IN_ALL   250     /* the kernel side has room for 256 */

static int compare_ids(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int known_ids_take(struct known_ids *known, const struct container_entries *entries)
{
	known->v = calloc(entries->n + 1, sizeof(*known->v));
	if (!known->v)
		return -ENOMEM;
	for (; known->n < entries->n; known->n++) {
		known->v[known->n] = strdup(entries->v[known->n].id);
		if (!known->v[known->n])
			return -ENOMEM;
	}
	qsort(known->v, known->n, sizeof(*known->v), compare_ids);
	return 0;
}

void known_ids_done(struct known_ids *known)
{
	for (size_t i = 0; i < known->n; i++)
		free(known->v[i]);
	free(known->v);
	*known = (struct known_ids){ 0 };
}

static bool is_known(const struct known_ids *known, const char *id)
{
	return bsearch(&id, known->v, known->n, sizeof(*known->v), compare_ids);
}

/* Whether another target stands for it. */
static bool is_taken(const struct target_list *list, const struct container_entry *e, const char *name)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct target *t = &list->v[i];

		if (t->spec.arg && !strcmp(t->spec.arg, name))
			return true;
		if (t->container && !strcmp(t->container->id, e->id))
			return true;
	}
	return false;
}

/*
 * One that has come since, or that runs. What was known at the first reading and does not run has ended, for all
 * that can be told, or is started later and runs then.
 */
static bool has_come(struct resolver *r, const struct known_ids *known, const struct container_entry *e)
{
	return !is_known(known, e->id) || entry_process_runs(r, e);
}

/* 1: it is to have a seat, and *ret_name is how it is called (malloc'd); 0: it has one, or has not come; -ENOMEM. */
static int wants_seat(struct resolver *r, const struct target_list *list, const struct known_ids *known, const struct container_entry *e,
		      char **ret_name)
{
	_cleanup_free_ char *name = pod_container_name(r, e);

	if (!name)
		return -ENOMEM;
	if (is_taken(list, e, name) || !has_come(r, known, e))
		return 0;
	*ret_name = TAKE_PTR(name);
	return 1;
}

/* 1: it has a container now; 0: there is none. */
static int take_seat(struct resolver *r, const struct target_list *list, const struct known_ids *known, struct target *t)
{
	_cleanup_(matches_done) struct matches m = { 0 };
	int err = find_pod_containers(r, &t->pods, &m);

	for (size_t i = 0; i < m.n && err == 0; i++)
		err = wants_seat(r, list, known, &r->entries.v[m.v[i]], &t->spec.arg);
	return err;
}

static size_t missing(struct resolver *r, const struct target_list *list, const struct known_ids *known, const struct target_spec *pods)
{
	_cleanup_(matches_done) struct matches m = { 0 };
	size_t n = 0;

	if (find_pod_containers(r, pods, &m) < 0)
		return 0;
	for (size_t i = 0; i < m.n; i++) {
		_cleanup_free_ char *name = NULL;

		n += wants_seat(r, list, known, &r->entries.v[m.v[i]], &name) > 0;
	}
	return n;
}

/* Whether it is the first seat for its pods, and none of these is vacant. */
static bool is_full(const struct target_list *list, size_t first)
{
	for (size_t i = 0; i < list->n; i++) {
		if (!list->v[i].pods.arg || strcmp(list->v[i].pods.arg, list->v[first].pods.arg))
			continue;
		if (i < first || target_is_vacant(&list->v[i]))
			return false;
	}
	return true;
}

size_t seats_missing(struct resolver *r, const struct target_list *list, const struct known_ids *known)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		if (list->v[i].pods.arg && is_full(list, i))
			n += missing(r, list, known, &list->v[i].pods);
	return n;
}

static int vacate(struct target *t)
{
	free(t->spec.arg);
	t->spec.arg = NULL;
	free(t->wanted);
	t->wanted = NULL;
	t->n_wanted = 0;
	container_info_free(t->container);
	t->container = NULL;
	free(t->label);
	t->label = strdup(t->pods.arg);
	return t->label ? 1 : -ENOMEM;
}

int seat_update(struct resolver *r, const struct target_list *list, const struct known_ids *known, struct target *t)
{
	_cleanup_(matches_done) struct matches m = { 0 };
	int err;

	if (target_is_vacant(t))
		return take_seat(r, list, known, t);
	if (!t->waiting)
		return 0;
	err = find_containers(r, t->spec.arg, &m);
	return err < 0 || m.n ? err : vacate(t);
}

static int add_seat(struct resolver *r, const struct target_spec *pods, struct target_list *list)
{
	struct target t = { .kind = TARGET_CONTAINER, .waiting = true, .spec = { .kind = TARGET_CONTAINER }, .pods = *pods };
	int err;

	t.pods.arg = strdup(pods->arg);
	t.label = strdup(pods->arg);
	(void)nsid_own(NS_PID, &t.pidns_inum);
	err = t.pods.arg && t.label ? wanted_hierarchies(r, &t) : -ENOMEM;
	if (err < 0) {
		target_done(&t);
		return err;
	}
	list->v[list->n++] = t;
	return 0;
}

size_t seats_wanted(const struct target_spec *spec)
{
	if (spec->kind == TARGET_PODS)
		return SEATS_OF_PODS;
	/* One container of a pod is a target by its name. */
	return spec->kind == TARGET_POD && !strchr(spec->arg, ':') ? SEATS_OF_A_POD : 0;
}

int seats_add(struct resolver *r, const struct target_spec *spec, struct target_list *list)
{
	int err = 0;

	for (size_t n = seats_wanted(spec); n && err == 0 && list->n < TARGETS_IN_ALL; n--)
		err = add_seat(r, spec, list);
	return err;
}
