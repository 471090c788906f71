/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Containers that are named by a process in them, or by their directory alone. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cgroup/dir.h"
#include "cgroup/name.h"
#include "ns/nsid.h"
#include "target/lookup.h"
#include "util/macros.h"

static int pid_failed(struct resolver *r, pid_t pid, const char *what, const char *path)
{
	_cleanup_(strbuf_done) struct strbuf line = { 0 };

	if (!path) {
		strbuf_str(&line, what);
		strbuf_dec(&line, pid);
	} else {
		strbuf_lit(&line, "process ");
		strbuf_dec(&line, pid);
		strbuf_str(&line, what);
		line_text(&line, path);
		strbuf_lit(&line, "; -p ");
		strbuf_dec(&line, pid);
		strbuf_lit(&line, " traces it all the same");
	}
	resolver_fail(r, &line);
	return 1;
}

/* By the names alone, less those that are nothing but names. */
static size_t by_grammar(struct resolver *r, uint32_t hierarchy, const char *path, struct cgroup_name *ret)
{
	_cleanup_free_ char *around = strdup(path);

	*ret = (struct cgroup_name){ .runtime = "" };
	while (around && cgroup_name_container(around, ret)) {
		_cleanup_free_ char *inner = strndup(path, ret->end), *dir = NULL;

		if (!inner)
			return 0;
		if (!cgroup_is_nested(r, path, ret->begin) || cgroup_mounts_dir(&r->mounts, hierarchy, inner, &dir) < 0 ||
		    !cgroup_is_faked(r, hierarchy, dir, path, ret->begin))
			return ret->end;
		around[ret->begin - 1] = '\0';
		*ret = (struct cgroup_name){ .runtime = "" };
	}
	return 0;
}

/* Where in the path what ends there begins. */
static size_t begin_of(const char *path, size_t end)
{
	_cleanup_free_ char *head = strndup(path, end);

	return head ? cgroup_last_begin(head) : 0;
}

/*
 * Whether the entry's container is really there. In another container's cgroup
 * its name alone says nothing, unless it comes from there: then its process is.
 */
static bool is_there(struct resolver *r, const struct container_entry *e, uint32_t hierarchy, const char *path, size_t end)
{
	_cleanup_(proc_cgroups_done) struct proc_cgroups lines = { 0 };
	struct target t = { 0 };

	if (e->owner || !cgroup_is_nested(r, path, begin_of(path, end)))
		return true;
	if (!entry_process_lives(r, e, &t) || read_live_cgroups(r, t.init_pid, &lines) < 0)
		return false;
	for (size_t i = 0; i < lines.n; i++) {
		const char *its = lines.v[i].path;

		if (lines.v[i].hierarchy == hierarchy)
			return !strncmp(its, path, end) && (its[end] == '/' || !its[end]);
	}
	return false;
}

/* The innermost container that a path lies in, by what the runtimes know and by the grammar. */
static size_t innermost(struct resolver *r, uint32_t hierarchy, const char *path, const struct container_entry **ret_entry,
			struct cgroup_name *ret_name)
{
	size_t end = by_grammar(r, hierarchy, path, ret_name);

	*ret_entry = NULL;
	for (size_t i = 0; i < r->entries.n; i++) {
		size_t e = entry_path_end(&r->entries.v[i], path);

		if (!e || e < end || (e == end && *ret_entry) || !is_there(r, &r->entries.v[i], hierarchy, path, e))
			continue;
		end = e;
		*ret_entry = &r->entries.v[i];
	}
	return end;
}

bool is_unit(const char *name)
{
	static const char *const types[] = { ".service", ".slice", ".scope", ".mount", ".socket", ".swap" };
	size_t n = strlen(name);

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		size_t k = strlen(types[i]);

		if (n > k && !strcmp(name + n - k, types[i]))
			return true;
	}
	return false;
}

/*
 * A pid namespace below that of this /proc, or other mounts than the host's
 * pid 1 has (than ours, where even root may not look at pid 1).
 */
static bool in_other_namespaces(const struct target_env *env, pid_t pid)
{
	struct proc_status s;
	uint32_t host, its;

	if (proc_status_read(env->proc_fd, pid, 0, &s) == 0 && s.n_nspid > 1)
		return true;
	if (nsid_read(env->proc_fd, 1, NS_MNT, &host) < 0 && nsid_own(NS_MNT, &host) < 0)
		return false;
	return nsid_read(env->proc_fd, pid, NS_MNT, &its) == 0 && host != its;
}

/*
 * Whether the cgroup was made for this process: its parent, who made the
 * namespaces, is not in it. (A sandbox in its maker's cgroup is not told from
 * what else is in there.)
 */
static bool is_own_cgroup(struct resolver *r, pid_t init, const struct container_entry *e, uint32_t hierarchy)
{
	_cleanup_(proc_cgroups_done) struct proc_cgroups lines = { 0 };
	struct proc_status s;

	if (proc_status_read(r->env->proc_fd, init, 0, &s) < 0)
		return false;
	if (!s.ppid || read_live_cgroups(r, s.ppid, &lines) < 0)
		return true;
	for (size_t i = 0; i < lines.n; i++)
		if (lines.v[i].hierarchy == hierarchy && entry_path_end(e, lines.v[i].path))
			return false;
	return true;
}

/* In namespaces of its own and in a cgroup of an unknown shape: the cgroup of its init. */
static int resolve_shapeless(struct resolver *r, pid_t pid, const struct proc_cgroups *lines, struct target *ret)
{
	_cleanup_(proc_cgroups_done) struct proc_cgroups of_init = { 0 };
	pid_t init = namespace_init(r->env, pid);

	if (!in_other_namespaces(r->env, pid) || read_live_cgroups(r, init, &of_init) < 0)
		return -ENOENT;
	for (unsigned rank = 0; rank <= 4; rank++)
		for (size_t i = 0; i < of_init.n; i++) {
			const struct proc_cgroup *line = &of_init.v[i];
			struct container_entry e = { .runtime = "", .cgroup_path = line->path };

			e.id = strrchr(line->path, '/') + 1;
			if (hierarchy_rank(line->hierarchy, line->controllers) != rank || !*e.id || is_unit(e.id) ||
			    !is_own_cgroup(r, init, &e, line->hierarchy) || locate_by_lines(r, lines, &e, ret) < 0)
				continue;
			locate_tasks(r->env, ret);
			return target_fill_container(ret, &e);
		}
	return -ENOENT;
}

/* Of one whose name no file tells, the daemons are asked before. */
static int ask_about_lines(struct resolver *r, const struct proc_cgroups *lines)
{
	int asked = 0;

	for (size_t i = 0; i < lines->n && asked >= 0; i++) {
		const struct container_entry *e;
		struct cgroup_name name;
		struct container_entry by_name;

		if (!innermost(r, lines->v[i].hierarchy, lines->v[i].path, &e, &name))
			continue;
		by_name = (struct container_entry){ .runtime = name.runtime, .id = name.id };
		asked = resolver_ask_about(r, e ? e : &by_name, lines->v[i].path);
	}
	return MIN(asked, 0);
}

static int resolve_lines(struct resolver *r, const struct proc_cgroups *lines, struct target *ret)
{
	for (unsigned rank = 0; rank <= 4; rank++)
		for (size_t i = 0; i < lines->n; i++) {
			const struct container_entry *e;
			struct container_entry by_name;
			struct cgroup_name name;
			int err;

			if (hierarchy_rank(lines->v[i].hierarchy, lines->v[i].controllers) != rank ||
			    !innermost(r, lines->v[i].hierarchy, lines->v[i].path, &e, &name))
				continue;
			by_name = (struct container_entry){ .runtime = name.runtime, .id = name.id, .by_name = true };
			if (!e && !cgroup_is_nested(r, lines->v[i].path, name.begin))
				by_name.kernel = runtime_kernel(name.runtime);
			err = locate_by_lines(r, lines, e ? e : &by_name, ret);
			if (err == -ENOENT)
				continue;
			if (err < 0)
				return err;
			locate_tasks(r->env, ret);
			return target_fill_container(ret, e ? e : &by_name);
		}
	return -ENOENT;
}

static const char *shown_path(const struct proc_cgroups *lines)
{
	const char *path = "/";

	for (size_t i = 0; i < lines->n; i++)
		if (strlen(lines->v[i].path) > strlen(path))
			path = lines->v[i].path;
	return path;
}

int resolve_container_of_host_pid(struct resolver *r, pid_t pid, pid_t shown, struct target *ret)
{
	_cleanup_(proc_cgroups_done) struct proc_cgroups lines = { 0 };
	struct pidref ref;
	int err;

	err = pidref_open(r->env->proc_fd, pid, &ref);
	if (err == 0)
		err = read_live_cgroups(r, pid, &lines);
	if (err == -ENOMEM)
		return err;
	if (err < 0 || pidref_verify(r->env->proc_fd, &ref) < 0)
		return pid_failed(r, shown, "no such process: ", NULL);
	err = resolver_need_entries(r);
	if (err == 0)
		err = ask_about_lines(r, &lines);
	if (err == 0)
		err = resolve_lines(r, &lines, ret);
	if (err == -ENOENT)
		err = resolve_shapeless(r, pid, &lines, ret);
	if (err == -ENOENT && lines_are_hidden(r, &lines))
		return place_later(r, pid, NULL, ret);
	return err == -ENOENT ? pid_failed(r, shown, " is in no container: its cgroup is ", shown_path(&lines)) : err;
}

int resolve_container_of_pid(struct resolver *r, pid_t pid, struct target *ret)
{
	char arg[32];
	pid_t host;
	int err;

	if (!pid || resolver_translate_pid(r, pid, &host) < 0)
		return pid_failed(r, pid, "no such process: ", NULL);
	err = resolve_container_of_host_pid(r, host, pid, ret);
	if (err || !ret->container || !ret->container->kernel)
		return err;
	snprintf(arg, sizeof(arg), "pid:%d", (int)pid);
	return report_kernel(r, arg, ret->container->kernel);
}

struct dir_search {
	struct resolver *r;
	const struct cgroup_mount *mount;
	const char *name;
	char *dir;              /* the only one so far */
	bool several;
};

/* A directory of that name with a process of its own that is in other namespaces than the host. */
static int search_dir(int dir_fd, const char *path, void *data)
{
	_cleanup_(pid_list_done) struct pid_list pids = { 0 };
	struct dir_search *s = data;
	struct cgroup_name name;

	if (strcmp(strrchr(path, '/') + 1, s->name))
		return 0;
	cgroup_name_match(path + strlen(s->mount->dir), &name);
	if (name.role != ROLE_NONE || cgroup_procs_read(dir_fd, &pids) < 0 || !pids.n)
		return 0;
	if (!in_other_namespaces(s->r->env, pids.v[0]))
		return 0;
	if (s->dir) {
		s->several = true;
		return 0;
	}
	s->dir = strdup(path);
	return s->dir ? 0 : -ENOMEM;
}

static int directory_found(struct resolver *r, const struct dir_search *s, struct target *ret)
{
	struct container_entry e = { .runtime = "", .id = (char *)s->name };
	_cleanup_(strbuf_done) struct strbuf line = { 0 };
	int err;

	if (s->several) {
		strbuf_lit(&line, "several cgroups are named ");
		line_text(&line, s->name);
		strbuf_lit(&line, ", for example ");
		line_text(&line, s->dir);
		strbuf_lit(&line, ": name one with --cgroup");
		resolver_fail(r, &line);
		return 1;
	}
	err = target_add_cgroup(ret, s->mount->hierarchy, s->dir);
	if (err < 0)
		return err;
	locate_tasks(r->env, ret);
	return target_fill_container(ret, &e);
}

int resolve_directory_name(struct resolver *r, const char *arg, struct target *ret)
{
	if (!*arg || strchr(arg, '/') || is_unit(arg))
		return -ENOENT;
	for (unsigned rank = 0; rank <= 4; rank++)
		for (size_t i = 0; i < r->mounts.n; i++) {
			const struct cgroup_mount *m = &r->mounts.v[i];
			struct dir_search s = { .r = r, .mount = m, .name = arg };
			int err;

			if (!m->known || resolver_mount_rank(m) != rank)
				continue;
			err = cgroup_walk(m->dir, search_dir, &s);
			if (err != -ENOMEM)
				err = s.dir ? directory_found(r, &s, ret) : -ENOENT;
			free(s.dir);
			if (err != -ENOENT)
				return err;
		}
	return -ENOENT;
}
