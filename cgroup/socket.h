/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CGROUP_SOCKET_H
#define CTRACE_CGROUP_SOCKET_H
/*
 * What daemons answer over their sockets. Each API is one file with a const
 * struct runtime_ops, whose directory (struct state_dir) is the socket's path.
 * For the readers of APIs, and for who finds out where the sockets are.
 */
#include "cgroup/http.h"
#include "cgroup/state.h"

/* An answer that is JSON; NULL: none, which is noted in env if quiet is not set. */
json_t *socket_get_json(struct runtime_env *env, const struct state_dir *dir, struct http *h, const char *path);

/* Hands each row of the list that path answers to add(); 0, also where there is no answer, or -ENOMEM. */
int socket_list(struct runtime_env *env, const struct state_dir *dir, const char *path,
		int (*add)(struct runtime_env *env, const struct state_dir *dir, struct http *h, json_t *row,
			   struct container_entries *entries),
		struct container_entries *entries);

/* The sockets of the environment (DOCKER_HOST, CONTAINER_HOST, docker's context) and the usual ones. 0 or -ENOMEM. */
int sockets_add_known(struct runtime_env *env);
/* A unix:// address as a daemon's command line or a variable has it; others are passed over. 0 or -ENOMEM. */
int sockets_add_address(struct runtime_env *env, const char *root, const char *address, pid_t owner);

/* What labels of docker's containers tell. 0 or -ENOMEM. */
int docker_add_labels(json_t *labels, struct container_entry *e);

/* A container of podman's pod: its name in it is without the pod's, which "podman kube play" puts before it. 0 or -ENOMEM. */
int podman_set_pod(struct container_entry *e, const char *pod, bool infra);

#endif
