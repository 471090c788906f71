/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CGROUP_STATE_H
#define CTRACE_CGROUP_STATE_H
/*
 * State files of runtimes, read below a root directory that may belong to a
 * container (a daemon in a container): no link in there leads out of it, and
 * only regular files of a bounded size are read. For the runtime readers.
 */
#include <jansson.h>
#include <stddef.h>

#include "cgroup/runtime.h"

#define STATE_FILE_MAX (4u << 20)
#define STATE_LIST_MAX (32u << 20)      /* a list of all containers */

struct name_list {
	char **v;
	size_t n, allocated;
};

/* Paths are absolute below dir->root. -ENOENT, -EACCES (noted in env), -EINVAL ... */
int state_read(struct runtime_env *env, const struct state_dir *dir, const char *path, size_t max, char **ret_text,
	       size_t *ret_len);
/* A regular file; its caller bounds what is read. Results as state_read(). */
int state_open_file(struct runtime_env *env, const struct state_dir *dir, const char *path);
/* A directory, for inotify and the like. */
int state_open_dir(struct runtime_env *env, const struct state_dir *dir, const char *path);
/* A socket, by O_PATH. -ENOTSOCK. */
int state_open_socket(struct runtime_env *env, const struct state_dir *dir, const char *path);
/* NULL when there is no such file or when it is not a JSON object or array. */
json_t *state_read_json(struct runtime_env *env, const struct state_dir *dir, const char *path, size_t max);
/* A file with a decimal number; 0 when there is none. */
pid_t state_read_pid(struct runtime_env *env, const struct state_dir *dir, const char *path);
/* The line behind that which begins here; NULL: it was the last. */
const char *state_next_line(const char *line);
/* The names in a directory without those that begin with a dot; sorted. */
int state_list_names(struct runtime_env *env, const struct state_dir *dir, const char *path, struct name_list *ret);
void name_list_done(struct name_list *list);

/* The string at object.key, NULL where it is missing, empty, or something else. Takes NULL. */
const char *state_string(json_t *object, const char *key);
/* A number that can be a pid, else 0. */
pid_t state_pid(json_t *object, const char *key);
uint64_t state_number(json_t *object, const char *key);

/* Copies s, if there is one and nothing is there yet. 0 or -ENOMEM. */
int state_set(char **to, const char *s);

/* The value of a line KEY = "VALUE" or KEY = 'VALUE' of TOML; malloc'd. NULL: it is another line, or no memory. */
char *state_toml_string(const char *line, const char *key);
/* An annotation of the kubelet's (pkg/kubelet/kuberuntime/labels.go) as pod_kind, if it is one that it writes. 0 or -ENOMEM. */
int state_set_pod_kind(struct container_entry *e, const char *kind);
/* The strings of an object as the entry's labels. Takes NULL. 0 or -ENOMEM. */
int state_add_labels(json_t *object, struct container_entry *e);

/* Whether it can be a container's ID: the name of a directory, not too long. */
bool state_id_valid(const char *id);

static inline void json_done(json_t **json)
{
	json_decref(*json);
}

#define _cleanup_json_ _cleanup_(json_done)

#endif
