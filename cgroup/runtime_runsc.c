/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * gVisor: ROOT/ID_sandbox:SANDBOX.state (runsc/container/state_file.go), and
 * one level deeper where a daemon keeps several namespaces.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cgroup/state.h"
#include "util/macros.h"

#define INFIX  "_sandbox:"
#define SUFFIX ".state"

/* The ID is what stands before the infix, which no ID holds. NULL: another file, or no memory. */
static char *id_of(const char *name)
{
	const char *at = strstr(name, INFIX);
	size_t n = strlen(name), k = strlen(SUFFIX);

	return at && n > k && !strcmp(name + n - k, SUFFIX) ? strndup(name, (size_t)(at - name)) : NULL;
}

static int add(struct runtime_env *env, const struct state_dir *dir, const char *below, const char *file, const char *id,
	       struct container_entries *entries)
{
	_cleanup_json_ json_t *state = NULL;
	_cleanup_free_ char *path = NULL;
	struct container_entry *e;

	if (!state_id_valid(id))
		return 0;
	if (asprintf(&path, "%s/%s", below, file) < 0)
		return -ENOMEM;
	state = state_read_json(env, dir, path, STATE_FILE_MAX);
	if (!json_is_object(state))
		return 0;
	e = container_entries_add(entries, "runsc", id);
	if (!e)
		return -ENOMEM;
	e->kernel = runtime_kernel("runsc");
	/* The sandbox's process: what it runs has none here. */
	e->pid = state_pid(json_object_get(state, "sandbox"), "pid");
	return 0;
}

static int list_dir(struct runtime_env *env, const struct state_dir *dir, const char *path, bool nested,
		    struct container_entries *entries)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };
	int r = state_list_names(env, dir, path, &names);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (size_t i = 0; i < names.n && r == 0; i++) {
		_cleanup_free_ char *id = id_of(names.v[i]), *below = NULL;

		if (id) {
			r = add(env, dir, path, names.v[i], id, entries);
		} else if (!nested) {
			if (asprintf(&below, "%s/%s", path, names.v[i]) < 0)
				return -ENOMEM;
			r = list_dir(env, dir, below, true, entries);
		}
	}
	return r;
}

static int list(struct runtime_env *env, const struct state_dir *dir, struct container_entries *entries)
{
	return list_dir(env, dir, dir->path, false, entries);
}

const struct runtime_ops runtime_runsc = { .name = "runsc", .kind = STATE_RUNSC, .list = list };
