/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where the runtimes keep their state: defaults, environment, and what the
 * command lines of running daemons, shims and monitors tell. Each of these may
 * run in a container itself: then its files lie below /proc/PID/root and its
 * numbers are those of its pid namespace.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cgroup/monitor.h"
#include "cgroup/socket.h"
#include "cgroup/user_dirs.h"
#include "ns/array.h"
#include "ns/nsid.h"
#include "ns/procfs.h"
#include "util/macros.h"

static const struct {
	enum state_kind kind;
	const char *path, *run;
} defaults[] = {
	{ STATE_DOCKER, "/var/lib/docker", NULL },
	{ STATE_CONTAINERD, "/run/containerd", NULL },
	{ STATE_CONTAINERD, "/run/docker/containerd/daemon", NULL },
	{ STATE_CONTAINERD, "/run/k3s/containerd", NULL },
	{ STATE_CONTAINERD, "/run/k0s/containerd", NULL },
	{ STATE_CONTAINERD, "/var/snap/microk8s/common/run/containerd", NULL },
	{ STATE_CONTAINERD_ROOT, "/var/lib/containerd", NULL },
	{ STATE_CONTAINERD_ROOT, "/var/lib/rancher/k3s/agent/containerd", NULL },
	{ STATE_CONTAINERD_ROOT, "/var/lib/rancher/rke2/agent/containerd", NULL },
	{ STATE_CONTAINERD_ROOT, "/var/lib/k0s/containerd", NULL },
	{ STATE_CONTAINERD_ROOT, "/var/snap/microk8s/common/var/lib/containerd", NULL },
	{ STATE_STORAGE, "/var/lib/containers/storage", "/run/containers/storage" },
	{ STATE_OCI, "/run/runc", NULL },
	{ STATE_OCI, "/run/crun", NULL },
	{ STATE_OCI, "/run/containerd/runc", NULL },
	{ STATE_OCI, "/run/docker/runtime-runc", NULL },
	{ STATE_OCI, "/run/docker/runtime-crun", NULL },
	{ STATE_CONTAINERD, "/var/vcap/sys/run/containerd", NULL },
	{ STATE_RUNSC, "/run/runsc", NULL },
	{ STATE_RUNSC, "/run/containerd/runsc", NULL },
	{ STATE_LXC, "/var/lib/lxc", NULL },
	{ STATE_LXD, "/var/lib/lxd", NULL },
	{ STATE_LXD, "/var/snap/lxd/common/lxd", NULL },
	{ STATE_LXD, "/var/lib/incus", NULL },
	{ STATE_MACHINES, "/run/systemd/machines", NULL },
	{ STATE_INSTANCES, "/root/.apptainer/instances/app", NULL },
	{ STATE_INSTANCES, "/root/.singularity/instances/sing", NULL },
};

/* A process whose command line is looked at. */
struct daemon {
	struct runtime_env *env;
	const char *root;       /* see struct state_dir */
	pid_t owner;
	char *text;             /* arguments, each with its NUL */
	size_t len;
};

/* The mount namespaces met so far, each with one root for all its processes. */
struct seen_ns {
	uint32_t inum;
	char *root;
};

struct scan {
	struct runtime_env *env;
	uint32_t host_mnt;
	struct seen_ns *v;
	size_t n, allocated;
};

static const char *next_arg(const struct daemon *d, const char *arg)
{
	arg = arg ? arg + strlen(arg) + 1 : d->text;
	return arg < d->text + d->len ? arg : NULL;
}

/* The value of --name VALUE or --name=VALUE (or -name, as shims write it); NULL. */
static const char *option(const struct daemon *d, const char *name)
{
	size_t n = strlen(name);

	for (const char *a = next_arg(d, NULL); a; a = next_arg(d, a)) {
		if (strncmp(a, name, n))
			continue;
		if (a[n] == '=')
			return a + n + 1;
		if (!a[n])
			return next_arg(d, a);
	}
	return NULL;
}

static int add_dir(const struct daemon *d, enum state_kind kind, const char *path, const char *run)
{
	return path ? state_dirs_add(&d->env->dirs[kind], d->root, path, run, d->owner) : 0;
}

static int add_below(const struct daemon *d, enum state_kind kind, const char *dir, const char *name)
{
	_cleanup_free_ char *path = NULL;

	if (asprintf(&path, "%s/%s", dir, name) < 0)
		return -ENOMEM;
	return add_dir(d, kind, path, NULL);
}

/* -H ADDRESS, as often as it has sockets. */
static int add_addresses(const struct daemon *d, const char *short_name, const char *long_name)
{
	size_t n = strlen(long_name);

	for (const char *a = next_arg(d, NULL); a; a = next_arg(d, a)) {
		const char *address = NULL;

		if (!strncmp(a, long_name, n) && a[n] == '=')
			address = a + n + 1;
		else if (!strcmp(a, short_name) || !strcmp(a, long_name))
			address = next_arg(d, a);
		if (address && sockets_add_address(d->env, d->root, address, d->owner) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* podman system service unix://PATH */
static int from_podman(const struct daemon *d)
{
	bool service = false;

	for (const char *a = next_arg(d, NULL); a; a = next_arg(d, a)) {
		service |= !strcmp(a, "service");
		if (service && !strncmp(a, "unix://", 7))
			return state_dirs_add(&d->env->dirs[SOCKET_PODMAN], d->root, a + 7, NULL, d->owner);
	}
	return 0;
}

/* One that a user runs without root has its state where that user's is. */
static int add_owner(const struct daemon *d, pid_t pid)
{
	char dir[16];
	struct stat st;

	snprintf(dir, sizeof(dir), "%d", (int)pid);
	if (fstatat(d->env->proc_fd, dir, &st, 0) < 0)
		return 0;
	return user_dirs_add(d->env, st.st_uid);
}

static int from_dockerd(const struct daemon *d)
{
	const char *config_file = option(d, "--config-file"), *root, *exec;
	struct state_dir here = { .root = (char *)d->root };
	_cleanup_json_ json_t *config = NULL;

	config = state_read_json(d->env, &here, config_file ? config_file : "/etc/docker/daemon.json", STATE_FILE_MAX);
	root = option(d, "--data-root");
	if (!root)
		root = option(d, "-g");
	if (!root)
		root = state_string(config, "data-root");
	exec = option(d, "--exec-root");
	if (!exec)
		exec = state_string(config, "exec-root");
	if (!root)
		root = "/var/lib/docker";
	if (!exec)
		exec = "/run/docker";
	if (add_dir(d, STATE_DOCKER, root, NULL) < 0)
		return -ENOMEM;
	if (add_below(d, STATE_OCI, exec, "runtime-runc") < 0)
		return -ENOMEM;
	return add_below(d, STATE_CONTAINERD, exec, "containerd/daemon");
}

/* root and state are top-level keys of containerd's file, which stand before any table. */
static int from_containerd_config(const struct daemon *d, const char *file)
{
	struct state_dir here = { .root = (char *)d->root };
	_cleanup_free_ char *text = NULL;
	size_t len;

	if (state_read(d->env, &here, file, STATE_FILE_MAX, &text, &len) < 0)
		return 0;
	for (const char *line = text; line && *line != '['; line = state_next_line(line)) {
		_cleanup_free_ char *state = state_toml_string(line, "state"), *root = state_toml_string(line, "root");

		if (add_dir(d, STATE_CONTAINERD, state, NULL) < 0 || add_dir(d, STATE_CONTAINERD_ROOT, root, NULL) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int from_containerd(const struct daemon *d)
{
	const char *state = option(d, "--state"), *root = option(d, "--root"), *file = option(d, "--config");

	if (!file)
		file = option(d, "-c");
	if (add_dir(d, STATE_CONTAINERD, state, NULL) < 0 || add_dir(d, STATE_CONTAINERD_ROOT, root, NULL) < 0)
		return -ENOMEM;
	if (state && root)
		return 0;
	/* The defaults, below the root of a daemon in a container. */
	if (!state && add_dir(d, STATE_CONTAINERD, "/run/containerd", NULL) < 0)
		return -ENOMEM;
	if (!root && add_dir(d, STATE_CONTAINERD_ROOT, "/var/lib/containerd", NULL) < 0)
		return -ENOMEM;
	return from_containerd_config(d, file ? file : "/etc/containerd/config.toml");
}

/* Cuts n components from the end of a path; false if there are not as many. */
static bool cut_components(char *path, unsigned n)
{
	while (n--) {
		char *slash = strrchr(path, '/');

		if (!slash || slash == path)
			return false;
		*slash = '\0';
	}
	return true;
}

/* A shim works in its bundle: STATE/io.containerd.runtime.v2.task/NAMESPACE/ID. */
static int from_shim(const struct daemon *d, pid_t pid)
{
	char cwd[4096];

	if (proc_link_read(d->env->proc_fd, pid, "cwd", cwd, sizeof(cwd)) < 0 ||
	    !strstr(cwd, "/io.containerd.runtime.v2.task/") || !cut_components(cwd, 3))
		return 0;
	return add_dir(d, STATE_CONTAINERD, cwd, NULL);
}

/*
 * conmon -b ROOT/DRIVER-containers/ID/userdata -p RUNROOT/DRIVER-containers/ID/userdata/pidfile;
 * CRI-O's bundle lies below the runroot, and its root is the default one.
 */
static int from_conmon(const struct daemon *d)
{
	const char *bundle = option(d, "-b"), *pidfile = option(d, "-p");
	_cleanup_free_ char *root = NULL, *run = NULL;

	if (!bundle)
		bundle = option(d, "--bundle");
	if (!pidfile)
		pidfile = option(d, "--container-pidfile");
	if (!bundle || !pidfile)
		return 0;
	root = strdup(bundle);
	run = strdup(pidfile);
	if (!root || !run)
		return -ENOMEM;
	if (!cut_components(root, 3) || !cut_components(run, 4))
		return 0;
	if (!strcmp(root, run) && add_dir(d, STATE_STORAGE, "/var/lib/containers/storage", run) < 0)
		return -ENOMEM;
	return add_dir(d, STATE_STORAGE, root, run);
}

/* One that waits for its container; the option stands before the verb. */
static int from_oci(const struct daemon *d)
{
	return add_dir(d, STATE_OCI, option(d, "--root"), NULL);
}

static int from_monitor(const struct daemon *d, const char *comm, pid_t pid)
{
	struct monitor_source s = { .env = d->env, .root = d->root, .pid = pid, .owner = d->owner, .args = d->text, .len = d->len };

	return monitor_look(&s, comm);
}

static int from_process(const struct daemon *d, const char *comm, pid_t pid)
{
	if (monitor_comm(comm))
		return from_monitor(d, comm, pid);
	if (!strcmp(comm, "dockerd"))
		return from_dockerd(d) < 0 || add_addresses(d, "-H", "--host") < 0 || add_owner(d, pid) < 0 ? -ENOMEM : 0;
	if (!strcmp(comm, "podman"))
		return from_podman(d);
	if (!strcmp(comm, "containerd"))
		return from_containerd(d);
	if (!strncmp(comm, "containerd-shim", 15))
		return from_shim(d, pid);
	if (!strcmp(comm, "conmon"))
		return from_conmon(d);
	return from_oci(d);
}

static bool is_runtime(const char *comm)
{
	static const char *const names[] = { "dockerd", "containerd", "conmon", "podman", "runc", "crun" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(comm, names[i]))
			return true;
	return !strncmp(comm, "containerd-shim", 15) || monitor_comm(comm);
}

/* NULL: no memory. */
static const char *root_of(struct scan *s, pid_t pid)
{
	uint32_t mnt;
	char *root;

	if (nsid_read(s->env->proc_fd, pid, NS_MNT, &mnt) < 0 || !s->host_mnt || mnt == s->host_mnt)
		return s->env->root_prefix;
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].inum == mnt)
			return s->v[i].root;
	if (ARRAY_RESERVE(s->v, s->allocated, s->n + 1) < 0)
		return NULL;
	if (asprintf(&root, "%s/%d/root", s->env->proc_path, (int)pid) < 0)
		return NULL;
	s->v[s->n++] = (struct seen_ns){ mnt, root };
	return root;
}

/* Whether it has numbers of its own, in a pid namespace below that of this /proc. */
static bool is_below_host(const struct scan *s, pid_t pid)
{
	struct proc_status status;

	return proc_status_read(s->env->proc_fd, pid, 0, &status) == 0 && status.n_nspid > 1;
}

static int look_at(struct scan *s, pid_t pid)
{
	_cleanup_free_ char *text = NULL;
	struct daemon d = { .env = s->env };
	char comm[PROC_COMM_LEN];

	if (proc_comm_read(s->env->proc_fd, pid, comm) < 0 || !is_runtime(comm))
		return 0;
	if (proc_cmdline_read(s->env->proc_fd, pid, &text, &d.len) < 0 || !d.len)
		return 0;
	d.text = text;
	d.root = root_of(s, pid);
	if (!d.root)
		return -ENOMEM;
	if (is_below_host(s, pid))
		d.owner = pid;
	return from_process(&d, comm, pid);
}

static int scan_processes(struct runtime_env *env)
{
	_cleanup_(pid_list_done) struct pid_list pids = { 0 };
	struct scan s = { .env = env };
	int r;

	r = proc_pids_read(env->proc_fd, &pids);
	if (r < 0)
		return r;
	monitors_done(&env->monitors);
	/* Ours where even root may not look at pid 1: another one costs a detour by /proc/PID/root, no more. */
	if (nsid_read(env->proc_fd, 1, NS_MNT, &s.host_mnt) < 0)
		(void)nsid_own(NS_MNT, &s.host_mnt);
	for (size_t i = 0; i < pids.n && r == 0; i++)
		r = look_at(&s, pids.v[i]);
	for (size_t i = 0; i < s.n; i++)
		free(s.v[i].root);
	free(s.v);
	return r;
}

/* The k-th item of a list divided by colons; NULL. */
static char *list_item(const char *list, unsigned k)
{
	while (list && k--) {
		list = strchr(list, ':');
		list = list ? list + 1 : NULL;
	}
	return list ? strndup(list, strcspn(list, ":")) : NULL;
}

static int add_variable(struct runtime_env *env, enum state_kind kind, const char *variable, const char *run_variable)
{
	const char *value = getenv(variable), *runs = run_variable ? getenv(run_variable) : NULL;

	for (unsigned k = 0;; k++) {
		_cleanup_free_ char *path = list_item(value, k), *run = list_item(runs, k);

		if (!path)
			return 0;
		if (state_dirs_add(&env->dirs[kind], env->root_prefix, path, run, 0) < 0)
			return -ENOMEM;
	}
}

/* What users keep of apptainer's in their homes; NULL: it is not known. */
static int add_instances(struct runtime_env *env, const char *home)
{
	static const char *const below[] = { ".apptainer/instances/app", ".singularity/instances/sing" };
	int r = 0;

	for (size_t i = 0; home && *home && i < ARRAY_SIZE(below) && r == 0; i++) {
		_cleanup_free_ char *path = NULL;

		if (asprintf(&path, "%s/%s", home, below[i]) < 0)
			return -ENOMEM;
		r = state_dirs_add(&env->dirs[STATE_INSTANCES], env->root_prefix, path, NULL, 0);
	}
	return r;
}

/* Variables that name more places; the second one names the runroots that belong to the first one's. */
static const struct {
	enum state_kind kind;
	const char *name, *run;
} variables[] = {
	{ STATE_DOCKER, "CTRACE_DOCKER_ROOT", NULL },
	{ STATE_CONTAINERD, "CTRACE_CONTAINERD_STATE", NULL },
	{ STATE_CONTAINERD_ROOT, "CTRACE_CONTAINERD_ROOT", NULL },
	{ STATE_STORAGE, "CTRACE_PODMAN_ROOT", "CTRACE_PODMAN_RUNROOT" },
	{ STATE_OCI, "CTRACE_RUNC_ROOT", NULL },
	{ STATE_OCI, "CTRACE_CRUN_ROOT", NULL },
	{ STATE_RUNSC, "CTRACE_RUNSC_ROOT", NULL },
	{ STATE_LXC, "CTRACE_LXC_PATH", NULL },
	{ STATE_LXD, "CTRACE_LXD_DIR", NULL },
	{ STATE_MACHINES, "CTRACE_MACHINES", NULL },
};

static int add_known(struct runtime_env *env)
{
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(defaults) && r == 0; i++)
		r = state_dirs_add(&env->dirs[defaults[i].kind], env->root_prefix, defaults[i].path, defaults[i].run, 0);
	if (r == 0)
		r = user_dirs_add_own(env);
	if (r == 0)
		r = sockets_add_known(env);
	for (size_t i = 0; i < ARRAY_SIZE(variables) && r == 0; i++)
		r = add_variable(env, variables[i].kind, variables[i].name, variables[i].run);
	if (r == 0)
		r = add_instances(env, getenv("HOME"));
	if (r == 0)
		r = add_instances(env, env->home);
	return r;
}

int runtime_env_refresh(struct runtime_env *env)
{
	return scan_processes(env);
}

int runtime_env_open(int proc_fd, const char *proc_path, const char *root_prefix, struct runtime_env *ret)
{
	struct runtime_env env = { .proc_fd = proc_fd, .proc_path = proc_path, .root_prefix = root_prefix };
	int r = add_known(&env);

	if (r == 0)
		r = scan_processes(&env);
	if (r < 0) {
		runtime_env_done(&env);
		return r;
	}
	*ret = env;
	return 0;
}
