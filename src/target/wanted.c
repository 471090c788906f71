/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What --wait and --follow-restarts look out for: the keys of directories that are yet to be made. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cgroup/name.h"
#include "ns/nsid.h"
#include "target/lookup.h"
#include "util/macros.h"

#define IDS_MAX 8       /* containers of one name that are waited for at a time */
#define LINES_MAX (256u << 10)

_Static_assert(WANTED_KEY_MAX == CGROUP_KEY_MAX, "the grammar's keys are the kernel side's");

/* The IDs that a spec may stand for; not owned. */
struct ids {
	const char *v[IDS_MAX + 2];
	size_t n;
};

/* Without RUNTIME: and NAMESPACE/ before it. *ret_runtime: of what length, 0: none. */
static const char *bare_name(const char *arg, size_t *ret_runtime)
{
	size_t n = strcspn(arg, ":");
	const char *slash;

	*ret_runtime = 0;
	if (!arg[n])
		return arg;
	if (!is_runtime_name(arg, n))
		return arg;
	*ret_runtime = n;
	slash = strrchr(arg + n + 1, '/');
	return slash ? slash + 1 : arg + n + 1;
}

static bool is_random_id(const char *id)
{
	return strlen(id) == 64 && strspn(id, "0123456789abcdef") == 64;
}

/* What the user wrote may be an ID, unless the runtime is one whose IDs are random. */
static const char *literal_id(const char *arg)
{
	static const char *const random[] = { "docker", "podman", "crio", "cri-o", "k8s" };
	const char *name;
	size_t n;

	name = bare_name(arg, &n);
	if (is_random_id(name))
		return name;
	for (size_t i = 0; i < ARRAY_SIZE(random); i++)
		if (n == strlen(random[i]) && !memcmp(arg, random[i], n))
			return NULL;
	return *name && !strpbrk(name, "/\n") ? name : NULL;
}

static void add_id(struct ids *ids, const char *id)
{
	for (size_t i = 0; i < ids->n; i++)
		if (!strcmp(ids->v[i], id))
			return;
	if (ids->n < ARRAY_SIZE(ids->v))
		ids->v[ids->n++] = id;
}

static bool by_prefix(const struct container_entry *e, const char *arg)
{
	size_t n;
	const char *name = bare_name(arg, &n);

	return !strncmp(e->id, name, strlen(name)) && strcmp(e->id, name) && (!e->name || strcmp(e->name, name));
}

/* m: what the runtimes know by the spec's argument. */
static int collect_ids(struct resolver *r, const struct target *t, struct matches *m, struct ids *ids)
{
	const char *literal = literal_id(t->spec.arg);
	int err = find_containers(r, t->spec.arg, m);

	if (err < 0)
		return err;
	/* Of several by a prefix any may be meant: none is. */
	if (m->n > 1 && by_prefix(&r->entries.v[m->v[0]], t->spec.arg))
		m->n = 0;
	for (size_t i = 0; i < MIN(m->n, (size_t)IDS_MAX); i++)
		add_id(ids, r->entries.v[m->v[i]].id);
	if (literal)
		add_id(ids, literal);
	if (t->container)
		add_id(ids, t->container->id);
	return 0;
}

struct key_list {
	struct wanted_cgroup *v;
	size_t n;
};

static int append_key(const char *key, bool refused, struct key_list *list)
{
	struct wanted_cgroup *v;
	size_t len = strlen(key);

	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->v[i].key, key))
			return 0;
	v = reallocarray(list->v, list->n + 1, sizeof(*v));
	if (!v)
		return -ENOMEM;
	list->v = v;
	v[list->n] = (struct wanted_cgroup){ .key = "", .refused = refused };
	memcpy(v[list->n++].key, key, len);
	return 0;
}

static int add_key(const char *key, void *data)
{
	return append_key(key, false, data);
}

static int add_refused(const char *key, void *data)
{
	return append_key(key, true, data);
}

/* Whether the keys are others than before; takes them. */
static bool take_keys(struct target *t, struct key_list *list)
{
	bool same = list->n == t->n_wanted;

	for (size_t i = 0; i < list->n && same; i++)
		same = !strcmp(list->v[i].key, t->wanted[i].key);
	free(t->wanted);
	t->wanted = list->v;
	t->n_wanted = list->n;
	return !same;
}

static int compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

bool container_is_known(const struct container_info *c, const struct container_entry *e)
{
	return c && !strcmp(c->id, e->id) && !compare_text(c->name, e->name) && !compare_text(c->runtime, e->runtime) &&
	       !compare_text(c->image, e->image) && !compare_text(c->pod, e->pod) &&
	       !compare_text(c->pod_container, e->pod_container) && !compare_text(c->pod_kind, e->pod_kind);
}

/* What is known of a container that does not run: all of it when it is certain which one is meant. 1: something else. */
static int describe_waiting(struct resolver *r, struct target *t, const char *arg, const struct matches *m)
{
	size_t n;
	const char *name = bare_name(arg, &n);
	int err;

	if (m->n == 1) {
		const struct container_entry *e = &r->entries.v[m->v[0]];

		if (container_is_known(t->container, e))
			return 0;
		err = target_fill_container(t, e);
		return err < 0 ? err : 1;
	}
	if (t->label)
		return 0;
	t->label = is_random_id(name) ? strndup(name, 12) : strdup(name);
	return t->label ? 1 : -ENOMEM;
}

int wanted_update(struct resolver *r, struct target *t)
{
	_cleanup_(matches_done) struct matches m = { 0 };
	struct key_list keys = { 0 };
	struct ids ids = { .n = 0 };
	int err, changed;

	/* A directory's path stays the same. */
	if (t->kind != TARGET_CONTAINER)
		return 0;
	err = collect_ids(r, t, &m, &ids);
	for (size_t i = 0; i < ids.n && err == 0; i++) {
		err = cgroup_name_keys(ids.v[i], add_key, &keys);
		if (err == 0)
			err = cgroup_name_refused_keys(ids.v[i], add_refused, &keys);
		if (err == -EINVAL)
			err = 0;
	}
	if (err < 0) {
		free(keys.v);
		return err;
	}
	changed = take_keys(t, &keys);
	if (!t->waiting)
		return changed;
	err = describe_waiting(r, t, t->spec.arg, &m);
	return err < 0 ? err : changed | err;
}

int wait_for_container(struct resolver *r, const char *arg, struct target *ret)
{
	_cleanup_(matches_done) struct matches m = { 0 };
	size_t n;
	int err = find_containers(r, arg, &m);

	if (err < 0)
		return err;
	if (m.n > 1 && by_prefix(&r->entries.v[m.v[0]], arg))
		return report_ambiguous(r, arg, &m);
	bare_name(arg, &n);
	/* No ID and no name has a slash in it, unless the runtime is named. */
	if (!m.n && !n && strchr(arg, '/'))
		return report_unknown(r, arg);
	ret->kind = TARGET_CONTAINER;
	ret->waiting = true;
	(void)nsid_own(NS_PID, &ret->pidns_inum);
	err = describe_waiting(r, ret, arg, &m);
	return MIN(err, 0);
}

static int cgroup_key(struct target *t, const char *path)
{
	struct key_list keys = { 0 };
	int err;

	if (strlen(path) > WANTED_KEY_MAX)
		return -ENAMETOOLONG;
	err = add_key(path, &keys);
	if (err == 0)
		take_keys(t, &keys);
	return err;
}

/* Appends the components of rest; -ENOENT: it goes back up. */
static int append_path(struct strbuf *path, const char *rest)
{
	while (*rest) {
		size_t n = strcspn(rest, "/");

		if (n == 2 && !memcmp(rest, "..", 2))
			return -ENOENT;
		if (n && !(n == 1 && *rest == '.')) {
			strbuf_char(path, '/');
			strbuf_bytes(path, rest, n);
		}
		rest += n + (rest[n] == '/');
	}
	return path->failed ? -ENOMEM : 0;
}

/* What of the path is there, without links; *ret_rest: what is not. NULL: no memory. */
static char *existing_part(const char *path, const char **ret_rest)
{
	_cleanup_free_ char *head = strdup(path);
	size_t n = strlen(path);

	while (head) {
		char *dir = realpath(n ? head : (*path == '/' ? "/" : "."), NULL);

		if (dir || errno == ENOMEM || !n) {
			*ret_rest = path + n;
			return dir;
		}
		while (n && head[n - 1] == '/')
			n--;
		while (n && head[n - 1] != '/')
			n--;
		head[n] = '\0';
	}
	return NULL;
}

static int locate_waiting(struct resolver *r, const char *arg, struct target *ret)
{
	_cleanup_free_ char *dir = NULL, *below = NULL;
	_cleanup_(strbuf_done) struct strbuf path = { 0 };
	const char *rest;
	int err = resolver_need_mounts(r);

	if (err < 0)
		return err;
	dir = existing_part(arg, &rest);
	if (!dir)
		return -ENOMEM;
	err = cgroup_mounts_hierarchy(&r->mounts, dir, &ret->wanted_hierarchies[0]);
	if (err == 0)
		err = cgroup_mounts_path(&r->mounts, ret->wanted_hierarchies[0], dir, &below);
	if (err < 0)
		return err == -ENOENT ? -ENOTSUP : err;
	/* Written on success. NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
	if (strcmp(below, "/"))
		strbuf_str(&path, below);
	err = append_path(&path, rest);
	if (err < 0)
		return err;
	ret->n_wanted_hierarchies = 1;
	err = cgroup_key(ret, strbuf_cstr(&path));
	if (err < 0)
		return err;
	ret->label = strdup(strrchr(ret->wanted[0].key, '/') + 1);
	return ret->label ? 0 : -ENOMEM;
}

int wait_for_cgroup(struct resolver *r, const char *arg, struct target *ret)
{
	int err = locate_waiting(r, arg, ret);

	if (err < 0)
		return err == -ENOMEM ? err : cgroup_failed(r, arg, err);
	ret->kind = TARGET_CGROUP;
	ret->waiting = true;
	(void)nsid_own(NS_PID, &ret->pidns_inum);
	return 0;
}

/* Those of one that is there: its own, and its path in that. */
static int wanted_cgroup(struct resolver *r, struct target *t)
{
	_cleanup_free_ char *path = NULL;
	int err;

	if (t->waiting)
		return 0;
	err = resolver_need_mounts(r);
	if (err == 0)
		err = cgroup_mounts_path(&r->mounts, t->cgroups[0].hierarchy_id, t->cgroups[0].path, &path);
	if (err == 0)
		err = cgroup_key(t, path);
	/* It is traced once, and not again. */
	if (err < 0)
		return err == -ENOMEM ? err : 0;
	t->wanted_hierarchies[0] = t->cgroups[0].hierarchy_id;
	t->n_wanted_hierarchies = 1;
	return 0;
}

int wanted_hierarchies(struct resolver *r, struct target *t)
{
	static const unsigned ranks[] = { 0, 1, 2, 4 };
	_cleanup_(proc_cgroups_done) struct proc_cgroups lines = { 0 };
	_cleanup_free_ char *text = NULL;
	size_t len;
	int err;

	if (t->kind == TARGET_CGROUP)
		return wanted_cgroup(r, t);
	err = proc_read_file(r->env->proc_fd, "self/cgroup", LINES_MAX, &text, &len);
	if (err == -ESRCH)
		err = proc_read_file(r->env->proc_fd, "1/cgroup", LINES_MAX, &text, &len);
	if (err == 0)
		err = proc_cgroups_parse(text, len, &lines);
	if (err < 0)
		return err;
	for (size_t k = 0; k < ARRAY_SIZE(ranks); k++)
		for (size_t i = 0; i < lines.n && t->n_wanted_hierarchies < ARRAY_SIZE(t->wanted_hierarchies); i++)
			if (hierarchy_rank(lines.v[i].hierarchy, lines.v[i].controllers) == ranks[k] &&
			    (ranks[k] != 4 || !strcmp(lines.v[i].controllers, "name=systemd")))
				t->wanted_hierarchies[t->n_wanted_hierarchies++] = lines.v[i].hierarchy;
	return 0;
}

char *wanted_id_in(struct resolver *r, const struct target *t, const char *path)
{
	_cleanup_(matches_done) struct matches m = { 0 };
	struct ids ids = { .n = 0 };
	struct cgroup_name name;

	if (collect_ids(r, t, &m, &ids) < 0)
		return NULL;
	for (size_t i = 0; i < ids.n; i++)
		if (cgroup_name_find_id(path, ids.v[i]))
			return strdup(ids.v[i]);
	return cgroup_name_container(path, &name) ? strdup(name.id) : strdup(strrchr(path, '/') + 1);
}
