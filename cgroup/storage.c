/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cgroup/storage.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "util/macros.h"

typedef int each_fn(struct runtime_env *env, const struct state_dir *dir, const struct storage_container *c,
		    struct container_entries *entries);

bool storage_is_crio(json_t *metadata)
{
	return json_object_get(metadata, "pod-name") != NULL;
}

static int read_one(struct runtime_env *env, const struct state_dir *dir, const char *driver_dir, json_t *row,
		    each_fn *each, struct container_entries *entries)
{
	const char *text = state_string(row, "metadata");
	_cleanup_json_ json_t *metadata = text ? json_loads(text, 0, NULL) : NULL;
	_cleanup_free_ char *userdata = NULL;
	struct storage_container c = {
		.id = state_string(row, "id"),
		.name = json_string_value(json_array_get(json_object_get(row, "names"), 0)),
		.metadata = metadata,
	};

	if (!state_id_valid(c.id))
		return 0;
	if (dir->run && asprintf(&userdata, "%s/%s/%s/userdata", dir->run, driver_dir, c.id) < 0)
		return -ENOMEM;
	c.userdata = userdata;
	return each(env, dir, &c, entries);
}

static int read_list(struct runtime_env *env, const struct state_dir *dir, const char *driver_dir, const char *file,
		     each_fn *each, struct container_entries *entries)
{
	_cleanup_json_ json_t *rows = NULL;
	_cleanup_free_ char *path = NULL;

	if (asprintf(&path, "%s/%s/%s", dir->path, driver_dir, file) < 0)
		return -ENOMEM;
	rows = state_read_json(env, dir, path, STATE_LIST_MAX);
	for (size_t i = 0; i < json_array_size(rows); i++) {
		int r = read_one(env, dir, driver_dir, json_array_get(rows, i), each, entries);

		if (r < 0)
			return r;
	}
	return 0;
}

int storage_list(struct runtime_env *env, const struct state_dir *dir, each_fn *each, struct container_entries *entries)
{
	static const char suffix[] = "-containers";
	_cleanup_(name_list_done) struct name_list names = { 0 };
	int r = state_list_names(env, dir, dir->path, &names);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (size_t i = 0; i < names.n; i++) {
		size_t n = strlen(names.v[i]);

		if (n < sizeof(suffix) || strcmp(names.v[i] + n - (sizeof(suffix) - 1), suffix))
			continue;
		r = read_list(env, dir, names.v[i], "containers.json", each, entries);
		if (r < 0)
			return r;
		r = read_list(env, dir, names.v[i], "volatile-containers.json", each, entries);
		if (r < 0)
			return r;
	}
	return 0;
}
