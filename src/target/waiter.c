/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Targets that are not there yet. The kernel side finds a container by the
 * name of its cgroup, and so by its ID; what the user typed may be a name,
 * which runtimes write into their files together with the ID when a container
 * is created: docker and podman do so hundreds of milliseconds before the cgroup is made.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "cgroup/name.h"
#include "cgroup/watch.h"
#include "ns/array.h"
#include "target/lookup.h"
#include "target/seat.h"
#include "util/macros.h"

/*
 * A daemon with state in an unusual place is found by its command line, and a
 * new name for an old container by reading all again: both cost a look at
 * everything, so they are done seldom, and never for more than a hundredth of the time.
 */
#define LOOK_EVERY_NS 2000000000ull
#define LOOK_SHARE    100

/* When a target was last looked for among what runs. */
struct sought {
	const struct target *target;
	unsigned looks;                 /* of struct waiter, then */
	bool due;                       /* it has other keys since */
	struct cgroup_selector *ended;  /* the cgroups that it had when it ended */
	size_t n_ended;
};

struct waiter {
	const struct target_env *env;
	struct resolver state;          /* the last reading */
	struct runtime_watch *watch;
	uint64_t next_look;
	unsigned looks, readings;
	struct sought *sought;
	size_t n_sought, sought_allocated;
	const struct target_list *targets;
	struct known_ids known;         /* to the first reading */
	const char *no_one;             /* the pods for which no container was found */
	unsigned no_one_reading;        /* in that reading */
};

static void forget(struct cgroup_selector *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(v[i].path);
	free(v);
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ull + (uint64_t)ts.tv_nsec;
}

/* Reads what the runtimes know once more. */
static int read_state(struct waiter *w)
{
	container_entries_done(&w->state.entries);
	w->state.entries = (struct container_entries){ 0 };
	w->readings++;
	return runtime_list(&w->state.runtimes, &w->state.entries);
}

/* What was begun then has cost so much that the next time has to wait. */
static void put_off_look(struct waiter *w, uint64_t begin)
{
	uint64_t now = now_ns(), next = now + (now - begin) * LOOK_SHARE;

	w->next_look = MAX(w->next_look, next);
}

static int look_everywhere(struct waiter *w)
{
	uint64_t begin = now_ns();
	int r = runtime_env_refresh(&w->state.runtimes);

	if (r == 0)
		r = read_state(w);
	w->looks++;
	w->next_look = begin + LOOK_EVERY_NS;
	put_off_look(w, begin);
	return r;
}

/* NULL: no memory. */
static struct sought *sought(struct waiter *w, const struct target *t)
{
	for (size_t i = 0; i < w->n_sought; i++)
		if (w->sought[i].target == t)
			return &w->sought[i];
	if (ARRAY_RESERVE(w->sought, w->sought_allocated, w->n_sought + 1) < 0)
		return NULL;
	w->sought[w->n_sought] = (struct sought){ .target = t, .due = true };
	return &w->sought[w->n_sought++];
}

int waiter_open(const struct target_env *env, const struct target_list *targets, struct waiter **ret_waiter)
{
	struct waiter *w = calloc(1, sizeof(*w));
	int r;

	if (!w)
		return -ENOMEM;
	w->env = env;
	w->targets = targets;
	w->state = (struct resolver){ .env = env, .state_only = true };
	r = resolver_need_mounts(&w->state);
	if (r == 0)
		r = resolver_need_entries(&w->state);
	/* A container that is created between the first reading and this is found by the second one. */
	if (r == 0)
		r = runtime_watch_open(&w->state.runtimes, &w->watch);
	if (r == 0)
		r = read_state(w);
	if (r == 0)
		r = known_ids_take(&w->known, &w->state.entries);
	if (r < 0) {
		waiter_free(w);
		return r;
	}
	w->next_look = now_ns() + LOOK_EVERY_NS;
	*ret_waiter = w;
	return 0;
}

void waiter_free(struct waiter *w)
{
	if (!w)
		return;
	runtime_watch_free(w->watch);
	resolver_done(&w->state);
	for (size_t i = 0; i < w->n_sought; i++)
		forget(w->sought[i].ended, w->sought[i].n_ended);
	free(w->sought);
	known_ids_done(&w->known);
	free(w);
}

size_t waiter_unseated(struct waiter *w)
{
	return w->targets ? seats_missing(&w->state, w->targets, &w->known) : 0;
}

int waiter_fd(const struct waiter *w)
{
	return runtime_watch_fd(w->watch);
}

/* What the runtimes have learnt of a container since it was found, for example by which of them it was made. */
static int update_found(struct waiter *w, struct target *t)
{
	const struct container_entry *e = NULL;
	int r;

	if (!t->container)
		return 0;
	for (size_t i = 0; i < w->state.entries.n && !e; i++)
		if (!strcmp(w->state.entries.v[i].id, t->container->id))
			e = &w->state.entries.v[i];
	if (!e || container_is_known(t->container, e))
		return 0;
	r = target_fill_container(t, e);
	return r < 0 ? r : 1;
}

/* A seat among many that are vacant asks in vain if another one did. */
static int update_seat(struct waiter *w, struct target *t)
{
	bool vacant = target_is_vacant(t);
	int r;

	if (vacant && w->no_one_reading == w->readings && w->no_one && !strcmp(w->no_one, t->pods.arg))
		return 0;
	r = seat_update(&w->state, w->targets, &w->known, t);
	if (vacant && r == 0) {
		w->no_one = t->pods.arg;
		w->no_one_reading = w->readings;
	}
	return r;
}

int waiter_update(struct waiter *w, struct target *t)
{
	struct sought *s = sought(w, t);
	int r = runtime_watch_take(w->watch), found, seat;

	if (!s)
		return -ENOMEM;
	if (r >= 0 && now_ns() >= w->next_look)
		r = look_everywhere(w);
	else if (r > 0)
		r = read_state(w);
	if (r < 0)
		return r;
	seat = t->pods.arg ? update_seat(w, t) : 0;
	if (seat < 0)
		return seat;
	r = t->spec.arg ? wanted_update(&w->state, t) : 0;
	if (r >= 0)
		r |= seat;
	s->due |= r > 0;
	if (r < 0 || t->waiting)
		return r;
	found = update_found(w, t);
	return found < 0 ? found : r | found;
}

/* What a fresh resolution has found, in place of what was known. */
static void take_found(struct target *t, struct target *found)
{
	forget(t->cgroups, t->n_cgroups);
	free(t->label);
	container_info_free(t->container);
	t->cgroups = TAKE_PTR(found->cgroups);
	t->n_cgroups = found->n_cgroups;
	t->label = TAKE_PTR(found->label);
	t->container = TAKE_PTR(found->container);
	t->init_pid = found->init_pid;
	t->init_start = found->init_start;
	t->pidns_inum = found->pidns_inum;
	t->n_tasks = found->n_tasks;
	t->waiting = false;
	found->n_cgroups = 0;
}

/* What ended can be seen for a moment longer: tasks that its init's end kills are in the cgroup until they are gone. */
static bool is_ended(const struct sought *s, const struct target *found)
{
	for (size_t i = 0; i < s->n_ended; i++)
		for (size_t k = 0; k < found->n_cgroups; k++)
			if (s->ended[i].id == found->cgroups[k].id && s->ended[i].hierarchy_id == found->cgroups[k].hierarchy_id)
				return true;
	return false;
}

int waiter_find(struct waiter *w, struct target *t)
{
	_cleanup_(resolver_done) struct resolver r = { .env = w->env, .no_daemons = true };
	_cleanup_(target_done) struct target found = { 0 };
	struct sought *s = sought(w, t);
	uint64_t begin = now_ns();
	int err;

	if (!s)
		return -ENOMEM;
	if (!t->spec.arg || (!s->due && s->looks == w->looks))
		return 0;
	s->due = false;
	s->looks = w->looks;
	err = resolve_one(&r, &t->spec, &found);
	put_off_look(w, begin);
	if (err < 0)
		return err;
	if (err > 0 || is_ended(s, &found))
		return 0;
	take_found(t, &found);
	return 1;
}

/* By the runtimes' files, or by the directory's name alone. */
static int describe_made(struct waiter *w, struct target *t, const char *path)
{
	_cleanup_free_ char *id = wanted_id_in(&w->state, t, path);
	struct container_entry by_name = { .id = id, .runtime = "" };
	const struct container_entry *e = &by_name;
	struct cgroup_name name;

	if (!id)
		return -ENOMEM;
	if (cgroup_name_container(path, &name))
		by_name.runtime = name.runtime;
	for (size_t i = 0; i < w->state.entries.n; i++) {
		if (strcmp(w->state.entries.v[i].id, id))
			continue;
		e = &w->state.entries.v[i];
		if (!*by_name.runtime || !strcmp(by_name.runtime, e->runtime))
			break;
	}
	/* What was known of it is more than its name says. */
	if (e == &by_name && t->container && !strcmp(t->container->id, id))
		return 0;
	return container_is_known(t->container, e) ? 0 : target_fill_container(t, e);
}

static bool comes_from_inside(const struct resolver *r, const char *path)
{
	for (size_t i = 0; i < r->entries.n; i++) {
		const struct container_entry *e = &r->entries.v[i];

		if (e->owner && entry_path_end(e, path) == strlen(path))
			return true;
	}
	return false;
}

bool waiter_refuses(struct waiter *w, const struct target *t, const char *path, size_t len)
{
	_cleanup_free_ char *text = len && *path == '/' ? strndup(path, len) : NULL;

	/* A path that the user wrote is what it is. */
	if (!text || t->kind != TARGET_CONTAINER)
		return false;
	if (!cgroup_is_nested(&w->state, text, cgroup_last_begin(text)))
		return false;
	return read_state(w) < 0 || !comes_from_inside(&w->state, text);
}

int waiter_made(struct waiter *w, struct target *t, uint32_t hierarchy, uint64_t id, const char *path, size_t len)
{
	_cleanup_free_ char *text = NULL, *dir = NULL;
	int r;

	if (!len || *path != '/' || memchr(path, '\0', len))
		return -EINVAL;
	text = strndup(path, len);
	if (!text)
		return -ENOMEM;
	r = cgroup_mounts_dir(&w->state.mounts, hierarchy, text, &dir);
	if (r == 0)
		r = target_add_selector(t, hierarchy, id, dir);
	if (r < 0)
		return r;
	if (t->kind == TARGET_CONTAINER && t->waiting) {
		r = read_state(w);
		if (r == 0)
			r = describe_made(w, t, text);
	}
	t->waiting = false;
	return r;
}

void waiter_again(struct waiter *w, struct target *t)
{
	struct sought *s = sought(w, t);

	if (s) {
		forget(s->ended, s->n_ended);
		s->ended = TAKE_PTR(t->cgroups);
		s->n_ended = t->n_cgroups;
	}
	forget(t->cgroups, t->cgroups ? t->n_cgroups : 0);
	t->cgroups = NULL;
	t->n_cgroups = 0;
	t->init_pid = 0;
	t->init_start = 0;
	t->n_tasks = 0;
	t->waiting = true;
}
