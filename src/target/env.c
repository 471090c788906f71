/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "ns/nsid.h"
#include "ns/procfs.h"
#include "target/resolver.h"
#include "util/macros.h"

#define HOST_PROC    "/host/proc"
#define HOST_CGROUPS "/host/sys/fs/cgroup"

/* /host/proc, if it is a procfs of the initial pid namespace; a pod can mount anything there. */
static bool is_initial_proc(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	uint32_t inum;
	pid_t pid;

	return fd >= 0 && nsid_reference(fd, &pid) == 0 && nsid_read(fd, pid, NS_PID, &inum) == 0 && inum == NS_PID_INITIAL;
}

/* Whether this procfs numbers us as we do ourselves: we have one number in it, the last of the list. */
static bool is_own_proc(int proc_fd)
{
	_cleanup_free_ char *text = NULL;
	struct proc_status s;
	size_t len;

	return proc_read_file(proc_fd, "self/status", 64u << 10, &text, &len) == 0 &&
	       proc_status_parse(text, len, &s) == 0 && s.n_nspid == 1;
}

static int read_lines(int proc_fd, const char *path, struct proc_cgroups *ret)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	int r = proc_read_file(proc_fd, path, 256u << 10, &text, &len);

	return r < 0 ? r : proc_cgroups_parse(text, len, ret);
}

static bool is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/*
 * The kernel shows cgroup paths relative to the reader's cgroup namespace,
 * whatever procfs they are read from: "/../../.." for the host's. Nothing here
 * can be done with those, so the calling thread joins that of the host's pid 1,
 * as long as it may (CAP_SYS_ADMIN).
 */
static void join_host_cgroups(int proc_fd, pid_t reference)
{
	_cleanup_close_ int fd = -1;
	uint32_t own, host;
	char path[32];

	if (nsid_own(NS_CGROUP, &own) < 0 || own == NS_CGROUP_INITIAL || nsid_read(proc_fd, reference, NS_CGROUP, &host) < 0 || own == host)
		return;
	snprintf(path, sizeof(path), "%d/ns/cgroup", (int)reference);
	fd = openat(proc_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		(void)setns(fd, CLONE_NEWCGROUP);
}

/*
 * Whether the pid 1 of this procfs stands for the host. In a container that
 * shares its target's pid namespace it is the target's own: what that one has
 * for its root or its cgroups is nothing to go by.
 */
static bool is_host(const struct target_env *env)
{
	return env->pidns_inum == NS_PID_INITIAL || strcmp(env->proc_path, "/proc");
}

/* The host's pid 1 has other mounts than we: state files are reached through its root, as far as that may be read. */
static int find_root(struct target_env *env, pid_t reference)
{
	_cleanup_close_ int fd = -1;
	uint32_t own, host;

	env->root_prefix = strdup("");
	if (!env->root_prefix)
		return -ENOMEM;
	if (!is_host(env) || nsid_own(NS_MNT, &own) < 0 ||
	    nsid_read(env->proc_fd, reference, NS_MNT, &host) < 0 || own == host)
		return 0;
	fd = openat(env->proc_fd, "1/root", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	free(env->root_prefix);
	if (asprintf(&env->root_prefix, "%s/1/root", env->proc_path) < 0)
		env->root_prefix = NULL;
	return env->root_prefix ? 0 : -ENOMEM;
}

/* Which pid namespace numbers its tasks: to take one for another would trace a stranger. */
static int read_pidns(struct target_env *env, pid_t *ret_reference)
{
	int r = nsid_reference(env->proc_fd, ret_reference);

	if (r == 0)
		return nsid_read(env->proc_fd, *ret_reference, NS_PID, &env->pidns_inum);
	*ret_reference = 1;
	return is_own_proc(env->proc_fd) ? nsid_own(NS_PID, &env->pidns_inum) : r;
}

static int find_cgroupfs(const struct target_env *env, const char *cgroupfs, char **ret)
{
	if (cgroupfs)
		*ret = strdup(cgroupfs);
	else if (is_host(env) && is_dir(HOST_CGROUPS))
		*ret = strdup(HOST_CGROUPS);
	else if (asprintf(ret, "%s/sys/fs/cgroup", env->root_prefix) < 0)
		*ret = NULL;
	return *ret ? 0 : -ENOMEM;
}

int target_env_open(const char *proc, const char *cgroupfs, struct target_env *ret_env)
{
	_cleanup_(target_env_done) struct target_env env = { .proc_fd = -1 };
	pid_t reference;
	int r;

	if (!proc)
		proc = is_initial_proc(HOST_PROC) ? HOST_PROC : "/proc";
	env.proc_fd = open(proc, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (env.proc_fd < 0)
		return -errno;
	env.proc_path = strdup(proc);
	if (!env.proc_path)
		return -ENOMEM;
	r = read_pidns(&env, &reference);
	if (r < 0)
		return r;
	if (is_host(&env))
		join_host_cgroups(env.proc_fd, reference);
	r = find_root(&env, reference);
	if (r < 0)
		return r;
	r = find_cgroupfs(&env, cgroupfs, &env.cgroupfs_path);
	if (r < 0)
		return r;
	*ret_env = env;
	env = (struct target_env){ .proc_fd = -1 };
	return 0;
}

/* Whether two processes' cgroups lie apart: neither in the other's, on a hierarchy that runtimes use. */
static bool cgroups_differ(int proc_fd, const char *a, const char *b)
{
	_cleanup_(proc_cgroups_done) struct proc_cgroups x = { 0 }, y = { 0 };

	if (read_lines(proc_fd, a, &x) < 0 || read_lines(proc_fd, b, &y) < 0)
		return false;
	for (size_t i = 0; i < x.n; i++)
		for (size_t k = 0; k < y.n; k++)
			if (x.v[i].hierarchy == y.v[k].hierarchy && hierarchy_rank(x.v[i].hierarchy, x.v[i].controllers) <= 2 &&
			    !cgroup_path_within(x.v[i].path, y.v[k].path) && !cgroup_path_within(y.v[k].path, x.v[i].path))
				return true;
	return false;
}

bool target_pid1_is_foreign(void)
{
	_cleanup_close_ int proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	uint32_t pidns, own, its;

	/* A /proc of another namespace says nothing of ours. */
	if (proc_fd < 0 || !is_own_proc(proc_fd) || nsid_own(NS_PID, &pidns) < 0 || pidns == NS_PID_INITIAL || getpid() == 1)
		return false;
	if (nsid_own(NS_MNT, &own) == 0 && nsid_read(proc_fd, 1, NS_MNT, &its) == 0 && own != its)
		return true;
	return cgroups_differ(proc_fd, "1/cgroup", "self/cgroup");
}

void target_env_done(struct target_env *env)
{
	if (env->proc_fd >= 0)
		close(env->proc_fd);
	free(env->proc_path);
	free(env->cgroupfs_path);
	free(env->root_prefix);
	*env = (struct target_env){ .proc_fd = -1 };
}
