/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * systemd-machined: /run/systemd/machines/NAME, lines KEY=VALUE
 * (src/machine/machine.c, machine_save). It has virtual machines, too. A
 * systemd-nspawn that does not register (--register=no) is found as a process.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cgroup/monitor.h"
#include "util/macros.h"

#define MACHINE_MAX (64u << 10)

/* The value of a key, without quotes; malloc'd. NULL: none, or no memory. */
static char *value_of(const char *text, const char *key)
{
	size_t n = strlen(key);

	for (const char *line = text; line; line = state_next_line(line)) {
		size_t len;

		if (strncmp(line, key, n) || line[n] != '=')
			continue;
		line += n + 1;
		len = strcspn(line, "\n");
		if (len >= 2 && line[0] == '"' && line[len - 1] == '"') {
			line++;
			len -= 2;
		}
		return len ? strndup(line, len) : NULL;
	}
	return NULL;
}

static pid_t number(const char *s)
{
	char *end = NULL;
	unsigned long v = s && *s >= '0' && *s <= '9' ? strtoul(s, &end, 10) : 0;

	return end && !*end && v <= INT32_MAX ? (pid_t)v : 0;
}

/* The leader by its number in the host's procfs, where that is the one that counts. */
static int add_place(struct runtime_env *env, struct container_entry *e, pid_t host_pid, const char *unit)
{
	_cleanup_free_ char *tail = NULL;

	if (!host_pid)
		return 0;
	/* nspawn divides its unit; what others make of theirs is the whole of it. */
	if (asprintf(&tail, "%s/payload", unit ? unit : "") < 0)
		return -ENOMEM;
	e->cgroup_path = monitor_cgroup_path(env, host_pid, tail[0] == '/' ? tail + 1 : tail);
	return 0;
}

static int add_machine(struct runtime_env *env, const struct state_dir *dir, const char *name,
		       struct container_entries *entries)
{
	_cleanup_free_ char *path = NULL, *text = NULL, *class = NULL, *service = NULL, *leader = NULL, *unit = NULL;
	struct container_entry *e;
	size_t len;

	/* Links from units. */
	if (!state_id_valid(name) || !strncmp(name, "unit:", 5))
		return 0;
	if (asprintf(&path, "%s/%s", dir->path, name) < 0)
		return -ENOMEM;
	if (state_read(env, dir, path, MACHINE_MAX, &text, &len) < 0)
		return 0;
	class = value_of(text, "CLASS");
	if (!class || strcmp(class, "container"))
		return 0;
	service = value_of(text, "SERVICE");
	leader = value_of(text, "LEADER");
	unit = value_of(text, "SCOPE");
	if (!unit)
		unit = value_of(text, "UNIT");
	e = container_entries_add(entries, service && !strcmp(service, "libvirt-lxc") ? "libvirt" : "nspawn", name);
	if (!e || state_set(&e->name, name) < 0)
		return -ENOMEM;
	e->pid = number(leader);
	return add_place(env, e, dir->owner ? 0 : e->pid, unit);
}

static bool has_pid(const struct container_entries *entries, size_t from, pid_t pid)
{
	for (size_t i = from; i < entries->n; i++)
		if (entries->v[i].pid == pid)
			return true;
	return false;
}

static int add_monitor(struct runtime_env *env, const struct monitor *m, size_t from, struct container_entries *entries)
{
	struct container_entry *e;
	struct pidref init;
	pid_t pid = monitor_init(env, m, &init);

	if (!pid || has_pid(entries, from, pid))
		return 0;
	e = container_entries_add(entries, "nspawn", m->name);
	if (!e || state_set(&e->name, m->name) < 0)
		return -ENOMEM;
	e->pid = pid;
	e->start = init.start;
	return add_place(env, e, init.pid, NULL);
}

static int list(struct runtime_env *env, const struct state_dir *dir, struct container_entries *entries)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };
	size_t from = entries->n;
	int r = state_list_names(env, dir, dir->path, &names);

	if (r == -ENOMEM)
		return r;
	r = 0;
	for (size_t i = 0; i < names.n && r == 0; i++)
		r = add_machine(env, dir, names.v[i], entries);
	for (size_t i = 0; i < env->monitors.n && r == 0; i++) {
		const struct monitor *m = &env->monitors.v[i];

		if (m->kind == STATE_MACHINES && !strcmp(m->root, dir->root) && !strcmp(m->path, dir->path) &&
		    monitor_find(env, m->kind, m->root, m->path, m->name) == m)
			r = add_monitor(env, m, from, entries);
	}
	return r;
}

const struct runtime_ops runtime_nspawn = { .name = "nspawn", .kind = STATE_MACHINES, .list = list };
