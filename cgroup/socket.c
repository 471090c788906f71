/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cgroup/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/macros.h"

/* The first thing that went wrong is what is told, in words. */
static void note(struct runtime_env *env, const struct state_dir *dir, int err)
{
	const char *why;

	if (env->note)
		return;
	switch (err) {
	case -ENOSYS:
		why = http_missing();
		if (why && asprintf(&env->note, "%s is not asked: %s", dir->path, why) < 0)
			env->note = NULL;
		return;
	case -ETIMEDOUT:
		why = "does not answer";
		break;
	case -EFBIG:
		why = "answers too much";
		break;
	case -EBADMSG:
		why = "refuses to answer";
		break;
	case -ECONNREFUSED:
	case -ENOENT:
		/* Left behind by a daemon that is gone. */
		return;
	default:
		why = "answers what is no answer";
	}
	if (asprintf(&env->note, "%s %s", dir->path, why) < 0)
		env->note = NULL;
}

/* For questions; *ret_fd is to be closed after *ret_http. */
static int open_socket(struct runtime_env *env, const struct state_dir *dir, int *ret_fd, struct http **ret_http)
{
	_cleanup_close_ int fd = state_open_socket(env, dir, dir->path);
	int r;

	if (fd < 0)
		return fd;
	r = http_open(fd, ret_http);
	if (r < 0) {
		note(env, dir, r);
		return r;
	}
	*ret_fd = TAKE_FD(fd);
	return 0;
}

json_t *socket_get_json(struct runtime_env *env, const struct state_dir *dir, struct http *h, const char *path)
{
	_cleanup_free_ char *text = NULL;
	json_t *json = NULL;
	size_t len;
	int r = http_get(h, path, &text, &len);

	if (r == -EACCES || r == -EPERM) {
		env->denied = true;
		return NULL;
	}
	if (r == 0) {
		json = json_loadb(text, len, 0, NULL);
		r = json ? 0 : -EPROTO;
	}
	if (r < 0)
		note(env, dir, r);
	return json;
}

int socket_list(struct runtime_env *env, const struct state_dir *dir, const char *path,
		int (*add)(struct runtime_env *env, const struct state_dir *dir, struct http *h, json_t *row,
			   struct container_entries *entries),
		struct container_entries *entries)
{
	_cleanup_close_ int fd = -1;
	_cleanup_(http_closep) struct http *h = NULL;
	_cleanup_json_ json_t *rows = NULL;
	int r = open_socket(env, dir, &fd, &h);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	rows = socket_get_json(env, dir, h, path);
	for (size_t i = 0; i < json_array_size(rows); i++) {
		r = add(env, dir, h, json_array_get(rows, i), entries);
		if (r < 0)
			return r;
	}
	return 0;
}

int sockets_add_address(struct runtime_env *env, const char *root, const char *address, pid_t owner)
{
	static const char podman[] = "/podman.sock";
	enum state_kind kind = SOCKET_DOCKER;
	size_t n;

	if (strncmp(address, "unix://", 7))
		return 0;
	address += 7;
	n = strlen(address);
	/* Users of podman often point DOCKER_HOST at its socket. */
	if (n >= sizeof(podman) && !strcmp(address + n - (sizeof(podman) - 1), podman))
		kind = SOCKET_PODMAN;
	return state_dirs_add(&env->dirs[kind], root, address, NULL, owner);
}

/* One that cannot be asked, since its daemon may be anywhere, is remembered for the message that nothing was found. */
static int add_variable(struct runtime_env *env, const char *variable, enum state_kind kind)
{
	const char *value = getenv(variable);

	if (!value || !*value)
		return 0;
	if (strncmp(value, "unix://", 7)) {
		if (!env->remote)
			env->remote = variable;
		return 0;
	}
	/* By the variable it is podman's, whatever the socket's name. */
	if (kind == SOCKET_PODMAN)
		return state_dirs_add(&env->dirs[kind], "", value + 7, NULL, 0);
	return sockets_add_address(env, "", value, 0);
}

/* The endpoint of the named context: HOME/.docker/contexts/meta/HASH/meta.json. */
static int add_context(struct runtime_env *env, const char *home, const char *name)
{
	struct state_dir here = { .root = (char *)"" };
	_cleanup_(name_list_done) struct name_list hashes = { 0 };
	_cleanup_free_ char *path = NULL;

	if (asprintf(&path, "%s/.docker/contexts/meta", home) < 0)
		return -ENOMEM;
	if (state_list_names(env, &here, path, &hashes) < 0)
		return 0;
	for (size_t i = 0; i < hashes.n; i++) {
		_cleanup_free_ char *file = NULL;
		_cleanup_json_ json_t *meta = NULL;
		const char *is, *host;

		if (asprintf(&file, "%s/%s/meta.json", path, hashes.v[i]) < 0)
			return -ENOMEM;
		meta = state_read_json(env, &here, file, STATE_FILE_MAX);
		is = state_string(meta, "Name");
		host = state_string(json_object_get(json_object_get(meta, "Endpoints"), "docker"), "Host");
		if (!is || !host || strcmp(is, name))
			continue;
		if (strncmp(host, "unix://", 7) && !env->remote)
			env->remote = "the docker context";
		return sockets_add_address(env, "", host, 0);
	}
	return 0;
}

/* As docker does: the variable DOCKER_HOST stands above contexts. */
static int add_current_context(struct runtime_env *env)
{
	const char *home = env->home, *name = getenv("DOCKER_CONTEXT"), *host = getenv("DOCKER_HOST");
	struct state_dir here = { .root = (char *)"" };
	_cleanup_json_ json_t *config = NULL;
	_cleanup_free_ char *file = NULL;
	bool denied = env->denied;
	int r;

	if (!home || (host && *host))
		return 0;
	if (!name || !*name) {
		if (asprintf(&file, "%s/.docker/config.json", home) < 0)
			return -ENOMEM;
		config = state_read_json(env, &here, file, STATE_FILE_MAX);
		name = state_string(config, "currentContext");
	}
	r = name && strcmp(name, "default") ? add_context(env, home, name) : 0;
	/* That is no runtime's file. */
	env->denied = denied;
	return r;
}

int sockets_add_known(struct runtime_env *env)
{
	static const struct {
		enum state_kind kind;
		const char *path;
	} defaults[] = {
		{ SOCKET_DOCKER, "/run/docker.sock" },
		{ SOCKET_PODMAN, "/run/podman/podman.sock" },
	};
	int r = add_variable(env, "DOCKER_HOST", SOCKET_DOCKER);

	if (r == 0)
		r = add_variable(env, "CONTAINER_HOST", SOCKET_PODMAN);
	if (r == 0)
		r = add_current_context(env);
	for (size_t i = 0; i < ARRAY_SIZE(defaults) && r == 0; i++)
		r = state_dirs_add(&env->dirs[defaults[i].kind], env->root_prefix, defaults[i].path, NULL, 0);
	return r;
}
