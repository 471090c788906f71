/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * apptainer and singularity: instances alone have state,
 * HOME/.apptainer/instances/app/HOST/USER/NAME/NAME.json (internal/pkg/instance).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cgroup/state.h"
#include "util/macros.h"

static int add(struct runtime_env *env, const struct state_dir *dir, const char *below, const char *name,
	       struct container_entries *entries)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_json_ json_t *state = NULL;
	struct container_entry *e;

	if (!state_id_valid(name))
		return 0;
	if (asprintf(&path, "%s/%s/%s.json", below, name, name) < 0)
		return -ENOMEM;
	state = state_read_json(env, dir, path, STATE_FILE_MAX);
	if (!json_is_object(state))
		return 0;
	e = container_entries_add(entries, strstr(dir->path, "/.singularity/") ? "singularity" : "apptainer", name);
	if (!e || state_set(&e->name, name) < 0 || state_set(&e->image, state_string(state, "image")) < 0)
		return -ENOMEM;
	e->pid = state_pid(state, "pid");
	return 0;
}

/* HOST and USER are two levels of folders. */
static int list_below(struct runtime_env *env, const struct state_dir *dir, const char *path, unsigned levels,
		      struct container_entries *entries)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };
	int r = state_list_names(env, dir, path, &names);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (size_t i = 0; i < names.n && r == 0; i++) {
		_cleanup_free_ char *below = NULL;

		if (!levels) {
			r = add(env, dir, path, names.v[i], entries);
			continue;
		}
		if (asprintf(&below, "%s/%s", path, names.v[i]) < 0)
			return -ENOMEM;
		r = list_below(env, dir, below, levels - 1, entries);
	}
	return r;
}

static int list(struct runtime_env *env, const struct state_dir *dir, struct container_entries *entries)
{
	return list_below(env, dir, dir->path, 2, entries);
}

const struct runtime_ops runtime_apptainer = { .name = "apptainer", .kind = STATE_INSTANCES, .list = list };
