/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cgroup/state.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cgroup/name.h"
#include "ns/array.h"
#include "ns/procfs.h"
#include "util/macros.h"

#define NAMES_MAX 100000        /* of one directory */

/* Opens a path below a root that it cannot leave, neither by .. nor by a link. */
static int open_below(const char *root, const char *path, int flags)
{
	_cleanup_close_ int root_fd = open(*root ? root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct open_how how = {
		/* O_PATH opens nothing that could block, and bears no other flags. */
		.flags = (unsigned)flags | O_CLOEXEC | (flags & O_PATH ? 0 : O_NONBLOCK | O_NOCTTY),
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	long fd;

	if (root_fd < 0)
		return -errno;
	fd = syscall(SYS_openat2, root_fd, path, &how, sizeof(how));
	return fd < 0 ? -errno : (int)fd;
}

static int open_state(struct runtime_env *env, const struct state_dir *dir, const char *path, int flags)
{
	int fd = open_below(dir->root, path, flags);

	if (fd == -EACCES || fd == -EPERM)
		env->denied = true;
	return fd;
}

int state_read(struct runtime_env *env, const struct state_dir *dir, const char *path, size_t max, char **ret_text,
	       size_t *ret_len)
{
	_cleanup_close_ int fd = open_state(env, dir, path, O_RDONLY);

	if (fd < 0)
		return fd;
	return proc_read_fd(fd, max, ret_text, ret_len);
}

/* Of that type (S_IFREG ...); err: what another one is answered with. */
static int open_typed(struct runtime_env *env, const struct state_dir *dir, const char *path, int flags, mode_t type, int err)
{
	_cleanup_close_ int fd = open_state(env, dir, path, flags);
	struct stat st;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	return (st.st_mode & S_IFMT) == type ? TAKE_FD(fd) : err;
}

int state_open_file(struct runtime_env *env, const struct state_dir *dir, const char *path)
{
	return open_typed(env, dir, path, O_RDONLY, S_IFREG, -EINVAL);
}

int state_open_dir(struct runtime_env *env, const struct state_dir *dir, const char *path)
{
	return open_state(env, dir, path, O_RDONLY | O_DIRECTORY);
}

int state_open_socket(struct runtime_env *env, const struct state_dir *dir, const char *path)
{
	return open_typed(env, dir, path, O_PATH, S_IFSOCK, -ENOTSOCK);
}

json_t *state_read_json(struct runtime_env *env, const struct state_dir *dir, const char *path, size_t max)
{
	_cleanup_free_ char *text = NULL;
	size_t len;

	if (state_read(env, dir, path, max, &text, &len) < 0)
		return NULL;
	return json_loadb(text, len, 0, NULL);
}

const char *state_next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end ? end + 1 : NULL;
}

pid_t state_read_pid(struct runtime_env *env, const struct state_dir *dir, const char *path)
{
	_cleanup_(pid_list_done) struct pid_list pids = { 0 };
	_cleanup_free_ char *text = NULL;
	size_t len;

	if (state_read(env, dir, path, 64, &text, &len) < 0)
		return 0;
	if (pid_list_parse(text, len, &pids) < 0 || pids.n != 1)
		return 0;
	return pids.v[0];
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int state_list_names(struct runtime_env *env, const struct state_dir *dir, const char *path, struct name_list *ret)
{
	_cleanup_(name_list_done) struct name_list list = { 0 };
	_cleanup_close_ int fd = open_state(env, dir, path, O_RDONLY | O_DIRECTORY);
	_cleanup_closedir_ DIR *d = NULL;
	struct dirent *e;

	if (fd < 0)
		return fd;
	d = fdopendir(fd);
	if (!d)
		return -errno;
	(void)TAKE_FD(fd);
	while ((e = readdir(d)) && list.n < NAMES_MAX) {
		if (e->d_name[0] == '.')
			continue;
		if (ARRAY_RESERVE(list.v, list.allocated, list.n + 1) < 0)
			return -ENOMEM;
		list.v[list.n] = strdup(e->d_name);
		if (!list.v[list.n])
			return -ENOMEM;
		list.n++;
	}
	if (list.n)
		qsort(list.v, list.n, sizeof(*list.v), compare_names);
	*ret = list;
	list = (struct name_list){ 0 };
	return 0;
}

void name_list_done(struct name_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->v[i]);
	free(list->v);
	*list = (struct name_list){ 0 };
}

const char *state_string(json_t *object, const char *key)
{
	const char *s = json_string_value(json_object_get(object, key));

	return s && *s ? s : NULL;
}

uint64_t state_number(json_t *object, const char *key)
{
	json_int_t v = json_integer_value(json_object_get(object, key));

	return v > 0 ? (uint64_t)v : 0;
}

pid_t state_pid(json_t *object, const char *key)
{
	uint64_t v = state_number(object, key);

	return v <= INT_MAX ? (pid_t)v : 0;
}

int state_set(char **to, const char *s)
{
	if (!s || !*s || *to)
		return 0;
	*to = strdup(s);
	return *to ? 0 : -ENOMEM;
}

char *state_toml_string(const char *line, const char *key)
{
	size_t n = strlen(key);
	const char *value;

	line += strspn(line, " \t");
	if (strncmp(line, key, n))
		return NULL;
	value = line + n + strspn(line + n, " \t");
	if (*value++ != '=')
		return NULL;
	value += strspn(value, " \t");
	if (*value != '"' && *value != '\'')
		return NULL;
	n = strcspn(value + 1, *value == '"' ? "\"\n" : "'\n");
	return value[1 + n] == *value ? strndup(value + 1, n) : NULL;
}

int state_set_pod_kind(struct container_entry *e, const char *kind)
{
	static const char *const kinds[] = { "init", "container", "ephemeral" };

	for (size_t i = 0; kind && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kind, kinds[i]))
			return state_set(&e->pod_kind, kind);
	return 0;
}

int state_add_labels(json_t *object, struct container_entry *e)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) {
		if (json_is_string(value) && container_entry_add_label(e, key, json_string_value(value)) < 0)
			return -ENOMEM;
	}
	return 0;
}

bool state_id_valid(const char *id)
{
	return id && *id && strlen(id) < CGROUP_ID_MAX && !strchr(id, '/') && strcmp(id, ".") && strcmp(id, "..");
}
