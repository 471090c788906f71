/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "target/resolver.h"

#include <errno.h>
#include <string.h>

#include "cgroup/dir.h"
#include "cgroup/name.h"
#include "ns/array.h"
#include "ns/nsid.h"
#include "util/escape.h"
#include "util/macros.h"

int resolver_need_mounts(struct resolver *r)
{
	int e;

	if (r->have_mounts)
		return 0;
	e = cgroup_mounts_read(r->env->proc_fd, r->env->root_prefix, r->env->cgroupfs_path, &r->mounts);
	if (e == 0)
		r->have_mounts = true;
	return e;
}

int resolver_need_entries(struct resolver *r)
{
	int e;

	if (r->have_runtimes)
		return 0;
	e = runtime_env_open(r->env->proc_fd, r->env->proc_path, r->env->root_prefix, &r->runtimes);
	if (e < 0)
		return e;
	r->have_runtimes = true;
	return runtime_list(&r->runtimes, &r->entries);
}

unsigned hierarchy_rank(uint32_t hierarchy, const char *controllers)
{
	if (!hierarchy)
		return 0;
	if (!strncmp(controllers, "name=", 5))
		return 4;
	if (!strcmp(controllers, "memory"))
		return 1;
	return !strcmp(controllers, "pids") ? 2 : 3;
}

/* The rank of a mount, whose options also hold what is not a controller. */
unsigned resolver_mount_rank(const struct cgroup_mount *m)
{
	unsigned rank = 3;
	const char *o = m->options;

	if (m->v2)
		return 0;
	while (*o) {
		size_t n = strcspn(o, ",");

		if (n == 6 && !memcmp(o, "memory", n))
			rank = 1;
		else if (n == 4 && !memcmp(o, "pids", n))
			rank = MIN(rank, 2u);
		else if (n > 5 && !memcmp(o, "name=", 5))
			return 4;
		o += n + (o[n] == ',');
	}
	return rank;
}

int resolver_translate_pid(struct resolver *r, pid_t pid, pid_t *ret)
{
	uint32_t own;

	*ret = pid;
	if (!r->env->pidns_inum || nsid_own(NS_PID, &own) < 0 || own == r->env->pidns_inum)
		return 0;
	return pid_from_namespace(r->env->proc_fd, own, pid, ret);
}

struct find_walk {
	struct resolver *r;
	const struct cgroup_mount *mount;
	unsigned rank;
};

static int find_in_dir(int dir_fd, const char *dir, void *data)
{
	struct find_walk *w = data;
	struct found_cgroups *found = &w->r->found;
	size_t mount_len = strlen(w->mount->dir);
	struct cgroup_name name;
	struct found_cgroup f;

	(void)dir_fd;
	cgroup_name_match(dir + mount_len, &name);
	if (name.role != ROLE_PAYLOAD || !name.id[0])
		return 0;
	if (ARRAY_RESERVE(found->v, found->allocated, found->n + 1) < 0)
		return -ENOMEM;
	f = (struct found_cgroup){ .id = strdup(name.id), .dir = strdup(dir), .runtime = name.runtime,
				   .hierarchy = w->mount->hierarchy, .rank = w->rank, .begin = mount_len + name.begin,
				   .root = mount_len };
	if (!f.id || !f.dir) {
		free(f.id);
		free(f.dir);
		return -ENOMEM;
	}
	found->v[found->n++] = f;
	return 0;
}

static int compare_found(const void *a, const void *b)
{
	const struct found_cgroup *x = a, *y = b;
	int r = strcmp(x->id, y->id);

	if (r)
		return r;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->hierarchy != y->hierarchy)
		return x->hierarchy < y->hierarchy ? -1 : 1;
	return strcmp(x->dir, y->dir);
}

static bool known_entry(const struct resolver *r, const char *id)
{
	for (size_t i = 0; i < r->entries.n; i++)
		if (!strcmp(r->entries.v[i].id, id))
			return true;
	return false;
}

int resolver_need_found(struct resolver *r)
{
	int e;

	if (r->have_found)
		return 0;
	e = resolver_need_mounts(r);
	if (e < 0)
		return e;
	for (size_t i = 0; i < r->mounts.n; i++) {
		const struct cgroup_mount *m = &r->mounts.v[i];
		struct find_walk w = { .r = r, .mount = m, .rank = resolver_mount_rank(m) };

		/* v2, memory, pids and a named one: no runtime uses others alone. Each hierarchy once. */
		if (!m->known || w.rank == 3 || cgroup_mounts_find(&r->mounts, m->hierarchy, m->root) != m)
			continue;
		e = cgroup_walk(m->dir, find_in_dir, &w);
		if (e == -ENOMEM)
			return e;
	}
	if (r->found.n)
		qsort(r->found.v, r->found.n, sizeof(*r->found.v), compare_found);
	r->have_found = true;
	return 0;
}

int resolver_need_found_entries(struct resolver *r)
{
	int e = resolver_need_found(r);

	if (e < 0 || r->have_found_entries)
		return e;
	for (size_t i = 0; i < r->found.n; i++) {
		const struct found_cgroup *f = &r->found.v[i];
		struct container_entry *entry;
		bool nested;

		if (known_entry(r, f->id) || cgroup_is_faked(r, f->hierarchy, f->dir, f->dir + f->root, f->begin - f->root))
			continue;
		entry = container_entries_add(&r->entries, f->runtime, f->id);
		if (!entry)
			return -ENOMEM;
		nested = cgroup_is_nested(r, f->dir + f->root, f->begin - f->root);
		entry->by_name = true;
		/* What a container makes in its own cgroup says nothing of a machine. */
		entry->kernel = nested ? NULL : runtime_kernel(f->runtime);
	}
	r->have_found_entries = true;
	return 0;
}

int resolver_ask_daemons(struct resolver *r)
{
	int e;

	if (r->have_asked || r->no_daemons || r->state_only)
		return 0;
	e = resolver_need_entries(r);
	if (e == 0)
		e = runtime_ask(&r->runtimes, &r->entries);
	if (e < 0)
		return e;
	r->have_asked = true;
	return 1;
}

int resolver_ask_about(struct resolver *r, const struct container_entry *e, const char *path)
{
	/* Docker's and podman's IDs are random, and all their containers have names. */
	if (strlen(e->id) != 64)
		return 0;
	if (e->name && (e->pod || !path || (!strstr(path, "/libpod_parent/") && !strstr(path, "-libpod_pod_"))))
		return 0;
	return resolver_ask_daemons(r);
}

void resolver_done(struct resolver *r)
{
	for (size_t i = 0; i < r->found.n; i++) {
		free(r->found.v[i].id);
		free(r->found.v[i].dir);
	}
	free(r->found.v);
	container_entries_done(&r->entries);
	if (r->have_runtimes)
		runtime_env_done(&r->runtimes);
	cgroup_mounts_done(&r->mounts);
}

void resolver_fail(struct resolver *r, struct strbuf *line)
{
	if (r->report)
		r->report(line->failed ? "out of memory" : strbuf_cstr(line), r->data);
	strbuf_reset(line);
}

void line_text(struct strbuf *line, const char *text)
{
	if (text)
		escape_plain(line, text, strlen(text), NULL);
}
