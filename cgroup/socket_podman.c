/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* podman's own API, which tells pods and pids in its list. Every version since 4 has 4.0.0's. */
#include <errno.h>
#include <string.h>

#include "cgroup/socket.h"
#include "util/macros.h"

static int add(struct runtime_env *env _unused_, const struct state_dir *dir _unused_, struct http *h _unused_, json_t *row,
	       struct container_entries *entries)
{
	const char *id = state_string(row, "Id"), *state = state_string(row, "State"), *pod = state_string(row, "PodName");
	struct container_entry *e;

	if (!state_id_valid(id))
		return 0;
	e = container_entries_add(entries, "podman", id);
	if (!e)
		return -ENOMEM;
	e->stopped = !state || !strcmp(state, "exited") || !strcmp(state, "created") || !strcmp(state, "configured") ||
		     !strcmp(state, "stopped");
	if (!e->stopped)
		e->pid = state_pid(row, "Pid");
	if (state_set(&e->name, json_string_value(json_array_get(json_object_get(row, "Names"), 0))) < 0 ||
	    state_set(&e->image, state_string(row, "Image")) < 0 ||
	    state_set(&e->service, state_string(json_object_get(row, "Labels"), "com.docker.compose.service")) < 0)
		return -ENOMEM;
	return pod ? podman_set_pod(e, pod, json_is_true(json_object_get(row, "IsInfra"))) : 0;
}

static int list(struct runtime_env *env, const struct state_dir *dir, struct container_entries *entries)
{
	return socket_list(env, dir, "/v4.0.0/libpod/containers/json?all=true&pod=true", add, entries);
}

const struct runtime_ops socket_podman = { .name = "podman", .kind = SOCKET_PODMAN, .list = list };
