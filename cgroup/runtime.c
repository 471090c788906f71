/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The list of the runtimes and the union of what they know. */
#include "cgroup/runtime.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "cgroup/monitor.h"
#include "ns/array.h"
#include "util/macros.h"

#define RUNTIME(name) extern const struct runtime_ops runtime_##name;
#include "cgroup/runtimes.def"
#undef RUNTIME

const struct runtime_ops *const runtimes[] = {
#define RUNTIME(name) &runtime_##name,
#include "cgroup/runtimes.def"
#undef RUNTIME
	NULL,
};

extern const struct runtime_ops socket_docker, socket_podman;

static const struct runtime_ops *const apis[] = { &socket_docker, &socket_podman, NULL };

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

int state_dirs_add(struct state_dirs *dirs, const char *root, const char *path, const char *run, pid_t owner)
{
	size_t len = strlen(path);
	struct state_dir d;

	if (*path != '/')
		return 0;
	while (len > 1 && path[len - 1] == '/')
		len--;
	for (size_t i = 0; i < dirs->n; i++)
		if (same(dirs->v[i].root, root) && strlen(dirs->v[i].path) == len && !memcmp(dirs->v[i].path, path, len) &&
		    same(dirs->v[i].run, run))
			return 0;
	if (ARRAY_RESERVE(dirs->v, dirs->allocated, dirs->n + 1) < 0)
		return -ENOMEM;
	d = (struct state_dir){ .root = strdup(root), .path = strndup(path, len), .owner = owner };
	d.run = run ? strdup(run) : NULL;
	if (!d.root || !d.path || (run && !d.run)) {
		free(d.root);
		free(d.path);
		free(d.run);
		return -ENOMEM;
	}
	dirs->v[dirs->n++] = d;
	return 0;
}

void runtime_env_done(struct runtime_env *env)
{
	for (size_t kind = 0; kind < STATE_KINDS; kind++) {
		struct state_dirs *dirs = &env->dirs[kind];

		for (size_t i = 0; i < dirs->n; i++) {
			free(dirs->v[i].root);
			free(dirs->v[i].path);
			free(dirs->v[i].run);
		}
		free(dirs->v);
		*dirs = (struct state_dirs){ 0 };
	}
	monitors_done(&env->monitors);
	free(env->home);
	free(env->note);
	env->home = env->note = NULL;
}

/* Whether the word stands in the text, with no letter or digit beside it. */
static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = strcasestr(text, word); at; at = strcasestr(at + 1, word))
		if ((at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[n]))
			return true;
	return false;
}

const char *runtime_kernel(const char *name)
{
	if (!name)
		return NULL;
	if (has_word(name, "runsc") || has_word(name, "gvisor"))
		return "gVisor";
	return has_word(name, "kata") ? "Kata" : NULL;
}

struct container_entry *container_entries_add(struct container_entries *entries, const char *runtime, const char *id)
{
	struct container_entry *e;

	if (ARRAY_RESERVE(entries->v, entries->allocated, entries->n + 1) < 0)
		return NULL;
	e = &entries->v[entries->n];
	*e = (struct container_entry){ .runtime = runtime, .id = strdup(id) };
	if (!e->id)
		return NULL;
	entries->n++;
	return e;
}

int container_entry_add_label(struct container_entry *e, const char *key, const char *value)
{
	struct container_label *v = reallocarray(e->labels, e->n_labels + 1, sizeof(*v));

	if (!v)
		return -ENOMEM;
	e->labels = v;
	v[e->n_labels] = (struct container_label){ strdup(key), strdup(value) };
	if (!v[e->n_labels].key || !v[e->n_labels].value) {
		free(v[e->n_labels].key);
		free(v[e->n_labels].value);
		return -ENOMEM;
	}
	e->n_labels++;
	return 0;
}

const struct container_entry *container_pod_labels(const struct container_entries *entries, const struct container_entry *e)
{
	if (e->sandbox)
		return e->n_labels ? e : NULL;
	for (size_t i = 0; e->sandbox_id && i < entries->n; i++)
		if (entries->v[i].sandbox && entries->v[i].n_labels && entries->v[i].owner == e->owner &&
		    !strcmp(entries->v[i].id, e->sandbox_id))
			return &entries->v[i];
	return NULL;
}

void container_entry_done(struct container_entry *e)
{
	free(e->id);
	free(e->name);
	free(e->space);
	free(e->image);
	free(e->pod_namespace);
	free(e->pod);
	free(e->pod_uid);
	free(e->pod_container);
	free(e->pod_kind);
	free(e->service);
	free(e->cgroup_path);
	free(e->sandbox_id);
	for (size_t i = 0; i < e->n_labels; i++) {
		free(e->labels[i].key);
		free(e->labels[i].value);
	}
	free(e->labels);
	*e = (struct container_entry){ 0 };
}

void container_entries_done(struct container_entries *entries)
{
	for (size_t i = 0; i < entries->n; i++)
		container_entry_done(&entries->v[i]);
	free(entries->v);
	*entries = (struct container_entries){ 0 };
}

static void take(char **to, char **from)
{
	if (!*to)
		*to = TAKE_PTR(*from);
}

/*
 * One container that two runtimes tell of. IDs of 64 digits are random; short
 * ones are given by users, and two of the same name are one container only if
 * they have the same process.
 */
static bool same_container(const struct container_entry *a, const struct container_entry *b)
{
	if (strcmp(a->id, b->id) || a->owner != b->owner)
		return false;
	/* In containerd's database, and in its state. */
	if (b->metadata && a->space && b->space && !strcmp(a->space, b->space))
		return true;
	return strlen(a->id) == 64 || (a->pid && a->pid == b->pid);
}

/* Engines stand before what they run containers with, and what only a cgroup's name tells is the last. */
static size_t rank(const char *runtime)
{
	size_t i = 0;

	while (runtimes[i] && strcmp(runtimes[i]->name, runtime))
		i++;
	return *runtime ? i : i + 1;
}

/* What the later one knows and the earlier one does not. */
static void merge(struct container_entry *to, struct container_entry *from)
{
	if (!to->pid && from->pid) {
		to->pid = from->pid;
		to->start = from->start;
	} else if (to->pid == from->pid && !to->start) {
		to->start = from->start;
	}
	/* Docker's container is also one of runc: whose files told of it first is not always who named it. */
	if (rank(from->runtime) < rank(to->runtime))
		to->runtime = from->runtime;
	take(&to->name, &from->name);
	take(&to->space, &from->space);
	take(&to->image, &from->image);
	take(&to->pod_namespace, &from->pod_namespace);
	take(&to->pod, &from->pod);
	take(&to->pod_uid, &from->pod_uid);
	take(&to->pod_container, &from->pod_container);
	take(&to->pod_kind, &from->pod_kind);
	take(&to->service, &from->service);
	take(&to->cgroup_path, &from->cgroup_path);
	take(&to->sandbox_id, &from->sandbox_id);
	if (!to->n_labels) {
		to->n_labels = from->n_labels;
		to->labels = TAKE_PTR(from->labels);
		from->n_labels = 0;
	}
	to->sandbox |= from->sandbox;
	if (!to->kernel)
		to->kernel = from->kernel;
}

struct order {
	const struct container_entry *entry;
	size_t index;
};

static int compare_order(const void *a, const void *b)
{
	const struct order *x = a, *y = b;
	int r = strcmp(x->entry->id, y->entry->id);

	return r ? r : (x->index > y->index) - (x->index < y->index);
}

/* Has no task, and a name of a user's choice, which another runtime's container that runs may have too. */
static bool is_stale(const struct container_entry *e)
{
	return e->metadata && strlen(e->id) != 64;
}

/* Leaves each container once, in the order of the runtimes. */
static int merge_entries(struct container_entries *entries)
{
	_cleanup_free_ struct order *order = calloc(entries->n + 1, sizeof(*order));
	size_t kept = 0;

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < entries->n; i++)
		order[i] = (struct order){ &entries->v[i], i };
	qsort(order, entries->n, sizeof(*order), compare_order);
	for (size_t i = 1, first = 0; i < entries->n; i++) {
		struct container_entry *e = &entries->v[order[i].index];

		if (strcmp(entries->v[order[first].index].id, e->id)) {
			first = i;
			continue;
		}
		for (size_t k = first; k < i; k++) {
			struct container_entry *to = &entries->v[order[k].index];

			if (!to->runtime || !same_container(to, e))
				continue;
			merge(to, e);
			/* The ID stays for the comparisons that follow; the runtime marks the entry as void. */
			e->runtime = NULL;
			break;
		}
	}
	for (size_t i = 0; i < entries->n; i++) {
		if (!entries->v[i].runtime || is_stale(&entries->v[i])) {
			container_entry_done(&entries->v[i]);
			continue;
		}
		entries->v[kept++] = entries->v[i];
	}
	entries->n = kept;
	return 0;
}

static int list_all(struct runtime_env *env, const struct runtime_ops *const *all, struct container_entries *entries)
{
	for (const struct runtime_ops *const *ops = all; *ops; ops++) {
		const struct state_dirs *dirs = &env->dirs[(*ops)->kind];

		for (size_t i = 0; i < dirs->n; i++) {
			size_t before = entries->n;
			int r = (*ops)->list(env, &dirs->v[i], entries);

			if (r < 0)
				return r;
			for (size_t k = before; k < entries->n; k++)
				entries->v[k].owner = dirs->v[i].owner;
		}
	}
	return merge_entries(entries);
}

int runtime_list(struct runtime_env *env, struct container_entries *ret)
{
	_cleanup_(container_entries_done) struct container_entries entries = { 0 };
	int r = list_all(env, runtimes, &entries);

	if (r < 0)
		return r;
	*ret = entries;
	entries = (struct container_entries){ 0 };
	return 0;
}

int runtime_ask(struct runtime_env *env, struct container_entries *entries)
{
	return list_all(env, apis, entries);
}
