/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cgroup/oci.h"

#include <errno.h>
#include <stdio.h>

#include "util/macros.h"

typedef int each_fn(const char *id, json_t *state, struct container_entries *entries);

/* 1: there is such a container, 0: there is not. */
static int read_one(struct runtime_env *env, const struct state_dir *dir, const char *path, const char *id,
		    const char *file, each_fn *each, struct container_entries *entries)
{
	_cleanup_json_ json_t *state = NULL;
	_cleanup_free_ char *full = NULL;
	int r;

	if (!state_id_valid(id))
		return 0;
	if (asprintf(&full, "%s/%s/%s", path, id, file) < 0)
		return -ENOMEM;
	state = state_read_json(env, dir, full, STATE_FILE_MAX);
	if (!state)
		return 0;
	r = each(id, state, entries);
	return r < 0 ? r : 1;
}

static int list_dir(struct runtime_env *env, const struct state_dir *dir, const char *path, const char *file,
		    each_fn *each, struct container_entries *entries, bool nested)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };
	int r = state_list_names(env, dir, path, &names);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (size_t i = 0; i < names.n; i++) {
		_cleanup_free_ char *below = NULL;

		r = read_one(env, dir, path, names.v[i], file, each, entries);
		if (r < 0)
			return r;
		if (r > 0 || nested)
			continue;
		if (asprintf(&below, "%s/%s", path, names.v[i]) < 0)
			return -ENOMEM;
		r = list_dir(env, dir, below, file, each, entries, true);
		if (r < 0)
			return r;
	}
	return 0;
}

int oci_list(struct runtime_env *env, const struct state_dir *dir, const char *file, each_fn *each,
	     struct container_entries *entries)
{
	return list_dir(env, dir, dir->path, file, each, entries, false);
}
