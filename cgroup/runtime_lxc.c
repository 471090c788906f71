/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * LXC: LXCPATH/NAME/config for each container that is defined. There is no
 * file with a pid: the monitor of one that runs is its parent.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cgroup/monitor.h"
#include "util/macros.h"

#define CONFIG_MAX (256u << 10)

/* The last value of the key, as LXC takes it, without blanks around it; malloc'd. NULL: none, or no memory. */
static char *config_value(const char *text, const char *key)
{
	size_t n = strlen(key);
	char *value = NULL;

	for (const char *line = text; line; line = state_next_line(line)) {
		size_t len;

		line += strspn(line, " \t");
		if (strncmp(line, key, n) || !strchr(" \t=", line[n]) || !line[n])
			continue;
		line += n + strspn(line + n, " \t");
		if (*line != '=')
			continue;
		line += 1 + strspn(line + 1, " \t\"'");
		len = strcspn(line, "\n");
		while (len && strchr(" \t\r\"'", line[len - 1]))
			len--;
		free(value);
		value = strndup(line, len);
		if (!value)
			break;
	}
	return value;
}

/* Proxmox calls them by number, and its users by the host's name in it. */
static int add_name(struct container_entry *e, const char *config)
{
	bool number = strspn(e->id, "0123456789") == strlen(e->id);
	_cleanup_free_ char *uts = number ? config_value(config, "lxc.uts.name") : NULL;

	return state_set(&e->name, uts ? uts : e->id);
}

/* Where it was told to be: lxc.cgroup.dir.container, and with a part of its own in that. */
static char *told_cgroup(const char *config)
{
	_cleanup_free_ char *dir = config_value(config, "lxc.cgroup.dir.container");
	const char *at = dir ? dir : "";

	return strdup(at + strspn(at, "/"));
}

static int add_container(struct runtime_env *env, const struct state_dir *dir, const char *name,
			 struct container_entries *entries)
{
	const struct monitor *m = monitor_find(env, STATE_LXC, dir->root, dir->path, name);
	_cleanup_free_ char *path = NULL, *config = NULL, *told = NULL;
	struct container_entry *e;
	size_t len;
	int r;

	if (!state_id_valid(name))
		return 0;
	if (asprintf(&path, "%s/%s/config", dir->path, name) < 0)
		return -ENOMEM;
	r = state_read(env, dir, path, CONFIG_MAX, &config, &len);
	if (r == -ENOMEM)
		return r;
	/* One of lxc-execute, or with --rcfile, has none, and a monitor. */
	if (r < 0 && !m)
		return 0;
	e = container_entries_add(entries, "lxc", name);
	if (!e)
		return -ENOMEM;
	told = told_cgroup(config ? config : "");
	if (!told || add_name(e, config ? config : "") < 0)
		return -ENOMEM;
	monitor_add_init(env, m, told, e);
	return 0;
}

static int list(struct runtime_env *env, const struct state_dir *dir, struct container_entries *entries)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };
	int r = state_list_names(env, dir, dir->path, &names);

	if (r == -ENOMEM)
		return r;
	for (r = 0; r == 0 && names.n; names.n--) {
		_cleanup_free_ char *name = names.v[names.n - 1];

		r = add_container(env, dir, name, entries);
	}
	/* Whose folder is not there, since it was started without one. */
	for (size_t i = 0; i < env->monitors.n && r == 0; i++) {
		const struct monitor *m = &env->monitors.v[i];
		bool known = false;

		if (m->kind != STATE_LXC || strcmp(m->root, dir->root) || strcmp(m->path, dir->path))
			continue;
		for (size_t k = 0; k < entries->n && !known; k++)
			known = !strcmp(entries->v[k].runtime, "lxc") && !strcmp(entries->v[k].id, m->name);
		if (!known)
			r = add_container(env, dir, m->name, entries);
	}
	return r;
}

const struct runtime_ops runtime_lxc = { .name = "lxc", .kind = STATE_LXC, .list = list };
