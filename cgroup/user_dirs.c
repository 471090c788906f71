/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cgroup/user_dirs.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cgroup/state.h"
#include "util/macros.h"

/* By the host's file of users: what others know of them, a static program cannot ask. NULL: none, or no memory. */
static char *home_in_file(struct runtime_env *env, uid_t uid)
{
	struct state_dir here = { .root = (char *)env->root_prefix };
	_cleanup_free_ char *text = NULL;
	_cleanup_fclose_ FILE *f = NULL;
	const struct passwd *pw;
	size_t len;

	if (state_read(env, &here, "/etc/passwd", STATE_FILE_MAX, &text, &len) < 0 || !len)
		return NULL;
	f = fmemopen(text, len, "r");
	while (f && (pw = fgetpwent(f)))
		if (pw->pw_uid == uid && *pw->pw_dir == '/')
			return strdup(pw->pw_dir);
	return NULL;
}

/* malloc'd; NULL: not known. */
static char *home_of(struct runtime_env *env, uid_t uid)
{
	const char *own = getenv("HOME");
	char *home;

	if (uid == getuid() && own && *own == '/')
		return strdup(own);
	home = home_in_file(env, uid);
#ifndef CTRACE_STATIC
	if (!home && !*env->root_prefix) {
		const struct passwd *pw = getpwuid(uid);

		home = pw && *pw->pw_dir == '/' ? strdup(pw->pw_dir) : NULL;
	}
#endif
	return home;
}

/* The value of KEY = "VALUE" in the table [storage], where it is a path as it stands; malloc'd, NULL: none. */
static char *storage_value(const char *text, const char *key)
{
	bool in_table = false;

	for (const char *line = text; line; line = state_next_line(line)) {
		_cleanup_free_ char *path = NULL;

		line += strspn(line, " \t");
		if (*line == '[')
			in_table = !strncmp(line, "[storage]", 9);
		path = in_table ? state_toml_string(line, key) : NULL;
		if (path && *path == '/' && !strchr(path, '$'))
			return TAKE_PTR(path);
	}
	return NULL;
}

/* Containers-storage as the file says, else where the two are by default. */
static int add_storage(struct runtime_env *env, const char *conf, const char *graph, const char *run)
{
	struct state_dir here = { .root = (char *)env->root_prefix };
	_cleanup_free_ char *text = NULL, *conf_graph = NULL, *conf_run = NULL;
	bool denied = env->denied;
	size_t len;

	if (state_read(env, &here, conf, STATE_FILE_MAX, &text, &len) == 0) {
		conf_graph = storage_value(text, "graphroot");
		conf_run = storage_value(text, "runroot");
	}
	env->denied = denied;
	return state_dirs_add(&env->dirs[STATE_STORAGE], env->root_prefix, conf_graph ? conf_graph : graph, conf_run ? conf_run : run, 0);
}

static int add_path(struct runtime_env *env, enum state_kind kind, const char *dir, const char *name)
{
	_cleanup_free_ char *path = NULL;

	if (asprintf(&path, "%s/%s", dir, name) < 0)
		return -ENOMEM;
	return state_dirs_add(&env->dirs[kind], env->root_prefix, path, NULL, 0);
}

/* $XDG_RUNTIME_DIR: /run/user/UID, unless it is ours and says something else. */
static char *runtime_dir(uid_t uid)
{
	const char *own = getenv("XDG_RUNTIME_DIR");
	char *dir;

	if (uid == getuid() && own && *own == '/')
		return strdup(own);
	return asprintf(&dir, "/run/user/%u", (unsigned)uid) < 0 ? NULL : dir;
}

static char *data_dir(uid_t uid, const char *home)
{
	const char *own = getenv("XDG_DATA_HOME");
	char *dir;

	if (uid == getuid() && own && *own == '/')
		return strdup(own);
	return asprintf(&dir, "%s/.local/share", home) < 0 ? NULL : dir;
}

static int add_home(struct runtime_env *env, uid_t uid, const char *home, const char *run)
{
	_cleanup_free_ char *data = data_dir(uid, home), *graph = NULL, *runroot = NULL, *conf = NULL;

	if (!data || asprintf(&graph, "%s/containers/storage", data) < 0 || asprintf(&runroot, "%s/containers", run) < 0 ||
	    asprintf(&conf, "%s/.config/containers/storage.conf", home) < 0)
		return -ENOMEM;
	if (add_storage(env, conf, graph, runroot) < 0)
		return -ENOMEM;
	return add_path(env, STATE_DOCKER, data, "docker");
}

int user_dirs_add(struct runtime_env *env, uid_t uid)
{
	static const struct {
		enum state_kind kind;
		const char *name;
	} below[] = {
		{ SOCKET_DOCKER, "docker.sock" }, { SOCKET_PODMAN, "podman/podman.sock" },
		{ STATE_CONTAINERD, "docker/containerd/daemon" }, { STATE_OCI, "docker/runtime-runc" },
		{ STATE_OCI, "runc" }, { STATE_OCI, "crun" },
	};
	_cleanup_free_ char *home = uid ? home_of(env, uid) : NULL, *run = uid ? runtime_dir(uid) : NULL;
	int r;

	if (!uid)
		return 0;
	if (!run)
		return -ENOMEM;
	r = home ? add_home(env, uid, home, run) : 0;
	for (size_t i = 0; i < ARRAY_SIZE(below) && r == 0; i++)
		r = add_path(env, below[i].kind, run, below[i].name);
	return r;
}

/* 0: root alone. */
static uid_t served_user(void)
{
	const char *sudo = getenv("SUDO_UID");
	unsigned long uid;
	char *end;

	if (getuid() || !sudo || *sudo < '0' || *sudo > '9')
		return getuid();
	errno = 0;
	uid = strtoul(sudo, &end, 10);
	return errno || *end || uid >= UINT32_MAX ? 0 : (uid_t)uid;
}

int user_dirs_add_own(struct runtime_env *env)
{
	uid_t uid = served_user();
	int r;

	env->home = home_of(env, uid);
	r = add_storage(env, "/etc/containers/storage.conf", "/var/lib/containers/storage", "/run/containers/storage");
	return r < 0 ? r : user_dirs_add(env, uid);
}
