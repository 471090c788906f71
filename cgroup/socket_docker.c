/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Docker's API: /containers/json lists all but their pids, which /containers/ID/json has. Without a version in the path it is the daemon's own. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cgroup/socket.h"
#include "util/macros.h"

/* Of the names those of links have two slashes. */
static const char *name_of(json_t *row)
{
	json_t *names = json_object_get(row, "Names");

	for (size_t i = 0; i < json_array_size(names); i++) {
		const char *name = json_string_value(json_array_get(names, i));

		if (name && *name == '/' && !strchr(name + 1, '/'))
			return name + 1;
	}
	return NULL;
}

/* In a path of the API nothing else may stand. */
static bool is_hex_id(const char *id)
{
	return state_id_valid(id) && strspn(id, "0123456789abcdef") == strlen(id);
}

static bool has_process(json_t *row)
{
	const char *state = state_string(row, "State");

	return state && strcmp(state, "created") && strcmp(state, "exited") && strcmp(state, "dead");
}

/* Its first process. Where there is no answer in time, the cgroup's name has to do. */
static int add_pid(struct runtime_env *env, const struct state_dir *dir, struct http *h, struct container_entry *e)
{
	_cleanup_json_ json_t *full = NULL;
	_cleanup_free_ char *path = NULL;
	json_t *state;

	if (asprintf(&path, "/containers/%s/json", e->id) < 0)
		return -ENOMEM;
	full = socket_get_json(env, dir, h, path);
	state = json_object_get(full, "State");
	if (!json_is_true(json_object_get(state, "Running")))
		return 0;
	e->pid = state_pid(state, "Pid");
	return 0;
}

static int add(struct runtime_env *env, const struct state_dir *dir, struct http *h, json_t *row,
	       struct container_entries *entries)
{
	const char *id = state_string(row, "Id");
	struct container_entry *e;

	if (!is_hex_id(id))
		return 0;
	e = container_entries_add(entries, "docker", id);
	if (!e)
		return -ENOMEM;
	e->stopped = !has_process(row);
	if (state_set(&e->name, name_of(row)) < 0 || state_set(&e->image, state_string(row, "Image")) < 0 ||
	    docker_add_labels(json_object_get(row, "Labels"), e) < 0)
		return -ENOMEM;
	return e->stopped ? 0 : add_pid(env, dir, h, e);
}

static int list(struct runtime_env *env, const struct state_dir *dir, struct container_entries *entries)
{
	return socket_list(env, dir, "/containers/json?all=1", add, entries);
}

const struct runtime_ops socket_docker = { .name = "docker", .kind = SOCKET_DOCKER, .list = list };
