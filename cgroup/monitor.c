/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * LXC's monitor writes "[lxc monitor] LXCPATH NAME" over its arguments when it
 * becomes a daemon (lxccontainer.c); in the foreground it keeps its own, as
 * systemd-nspawn does.
 */
#include "cgroup/monitor.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cgroup/name.h"
#include "ns/array.h"
#include "ns/pidref.h"
#include "ns/procfs.h"
#include "util/macros.h"

#define LXC_TITLE   "[lxc monitor] "
#define LXC_DEFAULT "/var/lib/lxc"
#define MONITORS_MAX 100000

bool monitor_comm(const char *comm)
{
	/* LXD's monitors are its forkstart command. */
	static const char *const names[] = { "lxc-start", "lxc-execute", "lxd", "incusd", "systemd-nspawn" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(comm, names[i]))
			return true;
	return false;
}

static const char *next_arg(const struct monitor_source *s, const char *arg)
{
	arg = arg ? arg + strlen(arg) + 1 : s->args;
	return arg < s->args + s->len ? arg : NULL;
}

/* The value of -c VALUE, -cVALUE, -bc VALUE, --name VALUE or --name=VALUE; NULL. */
static const char *option(const struct monitor_source *s, char letter, const char *name)
{
	static const char flags[] = "bqxaPUnkdF";
	size_t n = strlen(name), before;

	for (const char *a = next_arg(s, NULL); a && strcmp(a, "--"); a = next_arg(s, a)) {
		if (a[0] != '-')
			continue;
		before = 1;
		while (a[before] && a[before] != letter && strchr(flags, a[before]))
			before++;
		if (a[before] == letter)
			return a[before + 1] ? a + before + 1 : next_arg(s, a);
		if (a[1] != '-' || strncmp(a + 2, name, n))
			continue;
		if (a[2 + n] == '=')
			return a + 3 + n;
		if (!a[2 + n])
			return next_arg(s, a);
	}
	return NULL;
}

static void monitor_done(struct monitor *m)
{
	free(m->root);
	free(m->path);
	free(m->name);
}

static int add(const struct monitor_source *s, enum state_kind kind, const char *path, const char *name, size_t len)
{
	struct monitors *l = &s->env->monitors;
	struct monitor m = { .kind = kind, .pid = s->pid, .owner = s->owner };
	struct pidref ref;

	if (*path != '/' || !len || l->n >= MONITORS_MAX || pidref_open(s->env->proc_fd, s->pid, &ref) < 0)
		return 0;
	if (ARRAY_RESERVE(l->v, l->allocated, l->n + 1) < 0)
		return -ENOMEM;
	m.start = ref.start;
	m.root = strdup(s->root);
	m.path = strdup(path);
	m.name = strndup(name, len);
	if (!m.root || !m.path || !m.name) {
		monitor_done(&m);
		return -ENOMEM;
	}
	if (!state_id_valid(m.name)) {
		monitor_done(&m);
		return 0;
	}
	l->v[l->n++] = m;
	return state_dirs_add(&s->env->dirs[kind], m.root, m.path, NULL, s->owner);
}

/* A folder of containers; that of LXD and Incus lies in what is theirs. */
static int add_lxc(const struct monitor_source *s, const char *folder, const char *name)
{
	_cleanup_free_ char *path = strdup(folder);
	size_t len = strlen(folder);
	char *slash;

	if (!path)
		return -ENOMEM;
	while (len > 1 && path[len - 1] == '/')
		path[--len] = '\0';
	slash = strrchr(path, '/');
	if (!slash || slash == path || strcmp(slash, "/containers"))
		return add(s, STATE_LXC, path, name, strlen(name));
	*slash = '\0';
	slash = strrchr(path, '/');
	if (slash && (!strcmp(slash, "/lxd") || !strcmp(slash, "/incus")))
		return add(s, STATE_LXD, path, name, strlen(name));
	return add(s, STATE_LXC, folder, name, strlen(name));
}

/* The name holds no blank, the folder may. */
static int look_at_title(const struct monitor_source *s)
{
	_cleanup_free_ char *text = strndup(s->args + strlen(LXC_TITLE), strnlen(s->args, s->len) - strlen(LXC_TITLE));
	char *blank;

	if (!text)
		return -ENOMEM;
	blank = strrchr(text, ' ');
	if (!blank || blank == text)
		return 0;
	*blank = '\0';
	return add_lxc(s, text, blank + 1);
}

static int look_at_lxc(const struct monitor_source *s)
{
	const char *name, *folder;

	if (!strncmp(s->args, LXC_TITLE, strlen(LXC_TITLE)))
		return look_at_title(s);
	name = option(s, 'n', "name");
	folder = option(s, 'P', "lxcpath");
	return name ? add_lxc(s, folder ? folder : LXC_DEFAULT, name) : 0;
}

/* Without --machine it is called as its folder or image is. */
static int look_at_nspawn(const struct monitor_source *s)
{
	const char *name = option(s, 'M', "machine"), *slash;
	size_t len;

	if (name)
		return add(s, STATE_MACHINES, "/run/systemd/machines", name, strlen(name));
	name = option(s, 'D', "directory");
	if (!name)
		name = option(s, 'i', "image");
	if (!name)
		return 0;
	len = strlen(name);
	while (len && name[len - 1] == '/')
		len--;
	slash = memrchr(name, '/', len);
	if (slash) {
		len -= (size_t)(slash + 1 - name);
		name = slash + 1;
	}
	if (len > 4 && !memcmp(name + len - 4, ".raw", 4))
		len -= 4;
	return add(s, STATE_MACHINES, "/run/systemd/machines", name, len);
}

int monitor_look(const struct monitor_source *s, const char *comm)
{
	/* Strings end where the text does. */
	if (!s->len || s->args[s->len - 1])
		return 0;
	return strcmp(comm, "systemd-nspawn") ? look_at_lxc(s) : look_at_nspawn(s);
}

const struct monitor *monitor_find(const struct runtime_env *env, enum state_kind kind, const char *root, const char *path,
				   const char *name)
{
	for (size_t i = 0; i < env->monitors.n; i++) {
		const struct monitor *m = &env->monitors.v[i];
		struct pidref ref = { m->pid, m->start };

		if (m->kind == kind && !strcmp(m->name, name) && !strcmp(m->root, root) && !strcmp(m->path, path) &&
		    pidref_verify(env->proc_fd, &ref) == 0)
			return m;
	}
	return NULL;
}

/* The child that is the first of a pid namespace; without such a one, the oldest. */
pid_t monitor_init(struct runtime_env *env, const struct monitor *m, struct pidref *ret)
{
	_cleanup_(pid_list_done) struct pid_list children = { 0 };
	struct proc_status own, s, best = { 0 };

	*ret = (struct pidref){ 0 };
	if (proc_status_read(env->proc_fd, m->pid, 0, &own) < 0 || proc_children_read(env->proc_fd, m->pid, m->pid, &children) < 0)
		return 0;
	for (size_t i = 0; i < children.n; i++) {
		struct pidref ref;
		bool first;

		if (proc_status_read(env->proc_fd, children.v[i], 0, &s) < 0 || !s.n_nspid || s.n_nspid < own.n_nspid ||
		    pidref_open(env->proc_fd, children.v[i], &ref) < 0)
			continue;
		first = s.n_nspid > own.n_nspid && s.nspid[s.n_nspid - 1] == 1;
		if (ret->pid && !first)
			continue;
		*ret = ref;
		best = s;
		if (first)
			break;
	}
	/* As whoever keeps the state counts. */
	return ret->pid && own.n_nspid ? best.nspid[own.n_nspid - 1] : 0;
}

/* The end of the tail, as whole components, in the path. 0: it is not there. */
static size_t find_tail(const char *path, const char *tail)
{
	size_t n = strlen(tail);

	for (const char *at = n ? strstr(path, tail) : NULL; at; at = strstr(at + 1, tail))
		if (at > path && at[-1] == '/' && (at[n] == '/' || !at[n]))
			return (size_t)(at - path) + n;
	return 0;
}

static size_t container_end(const char *path, const char *tail)
{
	struct cgroup_name name;
	size_t end = find_tail(path, tail);
	const char *system;

	if (end)
		return end;
	if (cgroup_name_container(path, &name))
		return name.end;
	/* A systemd in it has its own process here, and nothing of the host's lies below. */
	system = strstr(path, "/init.scope");
	end = system && !system[strlen("/init.scope")] ? (size_t)(system - path) : strlen(path);
	return end > 1 ? end : 0;
}

char *monitor_cgroup_path(struct runtime_env *env, pid_t host_pid, const char *tail)
{
	_cleanup_(proc_cgroups_done) struct proc_cgroups lines = { 0 };
	const struct proc_cgroup *best = NULL;
	size_t end;

	if (proc_cgroups_read(env->proc_fd, host_pid, 0, &lines) < 0)
		return NULL;
	/* v2, or where that is not in use what says most. */
	for (size_t i = 0; i < lines.n; i++) {
		const struct proc_cgroup *l = &lines.v[i];

		if (!strcmp(l->path, "/") || !strncmp(l->path, "/..", 3))
			continue;
		if (!best || !l->hierarchy || (best->hierarchy && strlen(l->path) > strlen(best->path)))
			best = l;
	}
	end = best ? container_end(best->path, tail) : 0;
	return end ? strndup(best->path, end) : NULL;
}

void monitor_add_init(struct runtime_env *env, const struct monitor *m, const char *tail, struct container_entry *e)
{
	struct pidref init;

	e->pid = m ? monitor_init(env, m, &init) : 0;
	e->stopped = !e->pid;
	if (e->stopped)
		return;
	e->start = init.start;
	e->cgroup_path = monitor_cgroup_path(env, init.pid, tail);
}

void monitors_done(struct monitors *monitors)
{
	for (size_t i = 0; i < monitors->n; i++)
		monitor_done(&monitors->v[i]);
	free(monitors->v);
	*monitors = (struct monitors){ 0 };
}
