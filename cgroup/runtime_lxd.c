/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * LXD and Incus: DIR/containers/[PROJECT_]NAME, with backup.yaml in it, which
 * holds what the daemon's database has of the instance. LXC runs them, so
 * their monitors are as LXC's.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cgroup/monitor.h"
#include "util/macros.h"

#define BACKUP_MAX (4u << 20)

/* The first value of the key, at whatever depth: all that is looked for is unique in a backup. malloc'd; NULL. */
static char *yaml_value(const char *text, const char *key)
{
	size_t n = strlen(key);

	for (const char *line = text; line; line = state_next_line(line)) {
		size_t len;

		line += strspn(line, " ");
		if (strncmp(line, key, n) || line[n] != ':' || line[n + 1] != ' ')
			continue;
		line += n + 2;
		line += strspn(line, " ");
		len = strcspn(line, "\r\n");
		if (len && strchr("\"'", line[0])) {
			if (len < 2 || line[len - 1] != line[0])
				return NULL;
			line++;
			len -= 2;
		}
		return len ? strndup(line, len) : NULL;
	}
	return NULL;
}

static int add_image(struct runtime_env *env, const struct state_dir *dir, const char *id, struct container_entry *e)
{
	_cleanup_free_ char *path = NULL, *text = NULL, *image = NULL;
	size_t len;

	if (asprintf(&path, "%s/containers/%s/backup.yaml", dir->path, id) < 0)
		return -ENOMEM;
	if (state_read(env, dir, path, BACKUP_MAX, &text, &len) < 0)
		return 0;
	image = yaml_value(text, "image.description");
	if (!image)
		image = yaml_value(text, "volatile.base_image");
	return state_set(&e->image, image);
}

/* Neither names of projects nor of instances have an underscore in them. */
static int add_instance(struct runtime_env *env, const struct state_dir *dir, const char *id,
			struct container_entries *entries)
{
	bool incus = strstr(dir->path, "incus") != NULL;
	const char *name = strrchr(id, '_');
	struct container_entry *e;

	if (!state_id_valid(id))
		return 0;
	e = container_entries_add(entries, incus ? "incus" : "lxd", id);
	if (!e)
		return -ENOMEM;
	e->space = name ? strndup(id, (size_t)(name - id)) : strdup("default");
	if (!e->space || state_set(&e->name, name && name[1] ? name + 1 : id) < 0 || add_image(env, dir, id, e) < 0)
		return -ENOMEM;
	monitor_add_init(env, monitor_find(env, STATE_LXD, dir->root, dir->path, id), "", e);
	return 0;
}

static int list(struct runtime_env *env, const struct state_dir *dir, struct container_entries *entries)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };
	_cleanup_free_ char *path = NULL;
	int r;

	if (asprintf(&path, "%s/containers", dir->path) < 0)
		return -ENOMEM;
	r = state_list_names(env, dir, path, &names);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (size_t i = 0; i < names.n && r == 0; i++)
		r = add_instance(env, dir, names.v[i], entries);
	return r;
}

const struct runtime_ops runtime_lxd = { .name = "lxd", .kind = STATE_LXD, .list = list };
