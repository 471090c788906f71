/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_target */
/* Waiting for containers and cgroups, on a host in a temporary directory. */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/sysmacros.h>
#include <time.h>

#include <cmocka.h>

#include "tree.h"

#include "cgroup/watch.h"
#include "target/target.h"

/* Eight digits, eight times. */
#define ID(s) s s s s s s s s
#define WEB  ID("9c6eb891")
#define DB   ID("9c6edb00")
#define NEW  ID("5a4d0b0c")
#define POD  ID("b0d0aa01")

static struct target_env env;
static const struct target_list none;
static char line[512];
static unsigned n_lines;

static void report(const char *text, void *data)
{
	(void)data;
	n_lines++;
	snprintf(line, sizeof(line), "%s", text);
}

static void write_docker(const char *id, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "root/var/lib/docker/containers/%s/config.v2.json", id);
	tree_file(path, "{\"ID\":\"%s\",\"Name\":\"/%s\",\"State\":{\"Running\":false,\"Pid\":0},\"Config\":{\"Image\":\"img\"}}", id, name);
}

/* As the engines do: a new file is put in the place of the old one. */
static void write_podman(const char *id, const char *name)
{
	tree_file("root/var/lib/containers/storage/overlay-containers/.tmp-1", "[{\"id\":\"%s\",\"names\":[\"%s\"]}]", id, name);
	assert_int_equal(rename(tree_path("root/var/lib/containers/storage/overlay-containers/.tmp-1"),
				tree_path("root/var/lib/containers/storage/overlay-containers/containers.json")), 0);
}

static void write_mounts(const char *cgroup_lines)
{
	struct stat st;

	assert_int_equal(stat(tree, &st), 0);
	tree_file("proc/self/mountinfo",
		  "31 1 %2$u:%3$u / %1$s/cg/unified rw - cgroup2 x rw\n"
		  "32 1 %2$u:%3$u / %1$s/cg/memory rw - cgroup x rw,memory\n",
		  tree, major(st.st_dev), minor(st.st_dev));
	tree_file("proc/self/cgroup", "%s", cgroup_lines);
}

static int setup(void **state)
{
	(void)state;
	tree_make();
	tree_dir("cg/unified");
	tree_dir("cg/memory");
	write_mounts("12:cpu,cpuacct:/\n5:memory:/\n4:pids:/\n3:name=other:/\n1:name=systemd:/\n0::/\n");
	tree_dir("root/var/lib/docker/containers");
	env = (struct target_env){ .proc_fd = open(tree_path("proc"), O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	assert_true(env.proc_fd >= 0);
	env.proc_path = strdup(tree_path("proc"));
	env.cgroupfs_path = strdup(tree_path("cg"));
	env.root_prefix = strdup(tree_path("root"));
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	target_env_done(&env);
	tree_remove();
	return 0;
}

static int resolve(enum target_kind kind, const char *arg, bool wait, bool follow, struct target_list *ret)
{
	struct target_spec spec = { .kind = kind, .arg = (char *)arg };

	n_lines = 0;
	line[0] = '\0';
	return targets_resolve(&env, &spec, 1, wait, follow, report, NULL, ret);
}

static bool wants(const struct target *t, const char *key)
{
	for (size_t i = 0; i < t->n_wanted; i++)
		if (!strcmp(t->wanted[i].key, key))
			return true;
	return false;
}

/* The only target, which waits. */
static struct target *waiting(const char *arg, struct target_list *list)
{
	if (resolve(TARGET_CONTAINER, arg, true, false, list))
		fail_msg("%s: %s", arg, line);
	assert_int_equal(list->n, 1);
	assert_true(list->v[0].waiting);
	assert_int_equal(list->v[0].kind, TARGET_CONTAINER);
	assert_int_equal(list->v[0].n_cgroups, 0);
	assert_string_equal(list->v[0].spec.arg, arg);
	return &list->v[0];
}

static void test_resolve(void **state)
{
	static const struct {
		const char *arg, *label, *key, *no_key;
		bool known;
	} rows[] = {
		{ "nosuch", "nosuch", "nosuch", "docker-" WEB ".scope", false },
		{ "nosuch", "nosuch", "runc-nosuch.scope", NULL, false },
		{ "nosuch", "nosuch", "nosuch/payload", NULL, false },
		{ "web", "web", "docker-" WEB ".scope", "docker-" DB ".scope", true },
		/* a runc container may be called so as well */
		{ "web", "web", "web", NULL, true },
		{ "docker:web", "web", WEB, "web", true },
		{ "9c6eb", "web", ":" WEB, NULL, true },
		{ WEB, "web", WEB, NULL, true },
		{ POD, "b0d0aa01b0d0", "libpod-" POD ".scope", NULL, false },
		{ "podman:" POD, "b0d0aa01b0d0", "libpod-" POD, NULL, false },
		{ "containerd:k8s.io/" POD, "b0d0aa01b0d0", "cri-containerd-" POD ".scope", NULL, false },
		{ "runc:job", "job", "runc-job.scope", "runc:job", false },
		{ "containerd:default/job", "job", "job", NULL, false },
		{ "odd:job", "odd:job", "odd:job", NULL, false },
	};

	(void)state;
	write_docker(WEB, "web");
	write_docker(DB, "db");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct target_list l = { 0 };
		struct target *t = waiting(rows[i].arg, &l);

		assert_string_equal(t->label, rows[i].label);
		if (!wants(t, rows[i].key))
			fail_msg("%s: no key %s", rows[i].arg, rows[i].key);
		if (rows[i].no_key && wants(t, rows[i].no_key))
			fail_msg("%s: key %s", rows[i].arg, rows[i].no_key);
		assert_int_equal(t->container != NULL, rows[i].known);
		if (rows[i].known) {
			assert_string_equal(t->container->id, WEB);
			assert_string_equal(t->container->runtime, "docker");
			assert_string_equal(t->container->image, "img");
		}
		/* v2, memory, pids, systemd's */
		assert_int_equal(t->n_wanted_hierarchies, 4);
		for (size_t k = 0; k < 4; k++)
			assert_int_equal(t->wanted_hierarchies[k], ((const uint32_t[]){ 0, 5, 4, 1 })[k]);
		target_list_done(&l);
	}
}

/* Names that nothing is known by yet have no keys, unless they may be IDs themselves. */
static void test_resolve_unknown(void **state)
{
	static const char *const names[] = { "docker:web", "podman:web", "k8s:shop/web-0/app" };
	struct target_list l = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct target *t = waiting(names[i], &l);

		assert_int_equal(t->n_wanted, 0);
		assert_null(t->container);
		target_list_done(&l);
	}
	write_mounts("0::/\n");
	assert_int_equal(waiting("web", &l)->n_wanted_hierarchies, 1);
	assert_int_equal(l.v[0].wanted_hierarchies[0], 0);
	target_list_done(&l);
}

static void test_resolve_fails(void **state)
{
	static const struct {
		enum target_kind kind;
		const char *arg, *line;
	} rows[] = {
		{ TARGET_CONTAINER, "9c6e", "container 9c6e is ambiguous: docker web (9c6eb8919c6e), docker db (9c6edb009c6e)" },
		{ TARGET_CONTAINER, "a/b", "no container a/b: none is running here" },
		{ TARGET_CONTAINER, "pid:77", "no such process: 77" },
		{ TARGET_CGROUP, "/nosuch/x", "/nosuch/x: not a directory of a mounted cgroup hierarchy" },
	};
	struct target_list l = { 0 };

	(void)state;
	write_docker(WEB, "web");
	write_docker(DB, "db");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(resolve(rows[i].kind, rows[i].arg, true, true, &l), 1);
		assert_int_equal(l.n, 0);
		assert_int_equal(n_lines, 1);
		assert_string_equal(line, rows[i].line);
		target_list_done(&l);
	}
	/* without --wait */
	assert_int_equal(resolve(TARGET_CONTAINER, "web", false, true, &l), 1);
	assert_string_equal(line, "container web is not running: docker web (9c6eb8919c6e)");
	target_list_done(&l);
}

/* Of two that have the name both are waited for; the same one under two names is one target. */
static void test_resolve_several(void **state)
{
	struct target_spec specs[] = {
		{ .kind = TARGET_CONTAINER, .arg = (char *)"both" }, { .kind = TARGET_CONTAINER, .arg = (char *)"both" },
		{ .kind = TARGET_CONTAINER, .arg = (char *)"web" },  { .kind = TARGET_CONTAINER, .arg = (char *)WEB },
		{ .kind = TARGET_CONTAINER, .arg = (char *)"x" },    { .kind = TARGET_CONTAINER, .arg = (char *)"y" },
	};
	struct target_list l = { 0 };

	(void)state;
	write_docker(WEB, "web");
	write_docker(DB, "both");
	tree_dir("root/var/lib/containers/storage/overlay-containers");
	write_podman(POD, "both");
	assert_int_equal(targets_resolve(&env, specs, ARRAY_SIZE(specs), true, false, report, NULL, &l), 0);
	assert_int_equal(l.n, 4);
	assert_true(wants(&l.v[0], "docker-" DB ".scope") && wants(&l.v[0], "libpod-" POD ".scope"));
	assert_null(l.v[0].container);
	assert_string_equal(l.v[0].label, "both");
	assert_string_equal(l.v[1].label, "web");
	target_list_done(&l);
}

/* Waits until the descriptor has something to say, and takes it, as the session does. */
static int update(struct waiter *w, struct target *t, int seconds)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		struct pollfd p = { .fd = waiter_fd(w), .events = POLLIN };
		int r;

		assert_true(poll(&p, 1, 5000) == 1);
		r = waiter_update(w, t);
		assert_int_equal(poll(&p, 1, 0), 0);
		if (r)
			return r;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec - begin.tv_sec < seconds);
	return 0;
}

static void test_update_docker(void **state)
{
	struct target_list l = { 0 };
	struct target *t = waiting("docker:web", &l);
	struct waiter *w = NULL;

	(void)state;
	assert_int_equal(waiter_open(&env, &none, &w), 0);
	assert_int_equal(waiter_update(w, t), 0);
	/* another one */
	write_docker(DB, "db");
	assert_int_equal(update(w, t, 0), 0);
	assert_int_equal(t->n_wanted, 0);
	write_docker(WEB, "web");
	assert_int_equal(update(w, t, 10), 1);
	assert_true(wants(t, "docker-" WEB ".scope") && wants(t, WEB));
	assert_string_equal(t->container->id, WEB);
	assert_string_equal(t->label, "web");
	assert_int_equal(waiter_update(w, t), 0);
	waiter_free(w);
	target_list_done(&l);
}

/* The directory first, and the file half. */
static void test_update_half(void **state)
{
	struct target_list l = { 0 };
	struct target *t = waiting("docker:web", &l);
	struct waiter *w = NULL;

	(void)state;
	assert_int_equal(waiter_open(&env, &none, &w), 0);
	tree_dir("root/var/lib/docker/containers/" WEB);
	assert_int_equal(update(w, t, 0), 0);
	tree_file("root/var/lib/docker/containers/" WEB "/config.v2.json", "{\"ID\":\"%s\",\"Name\":\"/we", WEB);
	assert_int_equal(update(w, t, 0), 0);
	write_docker(WEB, "web");
	assert_int_equal(update(w, t, 10), 1);
	assert_string_equal(t->container->id, WEB);
	waiter_free(w);
	target_list_done(&l);
}

/* Its storage is made while we wait. */
static void test_update_podman(void **state)
{
	struct target_list l = { 0 };
	struct target *t = waiting("web", &l);
	struct waiter *w = NULL;

	(void)state;
	assert_int_equal(waiter_open(&env, &none, &w), 0);
	assert_int_equal(waiter_update(w, t), 0);
	tree_dir("root/var/lib/containers/storage/overlay-containers");
	write_podman(POD, "web");
	assert_int_equal(update(w, t, 10), 1);
	assert_string_equal(t->container->id, POD);
	assert_string_equal(t->container->runtime, "podman");
	assert_true(wants(t, "libpod-" POD ".scope") && wants(t, "web"));
	/* removed, and made again under another ID */
	write_podman(NEW, "web");
	assert_int_equal(update(w, t, 10), 1);
	assert_string_equal(t->container->id, NEW);
	assert_true(wants(t, "libpod-" NEW));
	waiter_free(w);
	target_list_done(&l);
}

/* A container that is there is given the name that is waited for: nothing tells, it is looked for. */
static void test_update_renamed(void **state)
{
	struct target_list l = { 0 };
	struct target *t;
	struct waiter *w = NULL;

	(void)state;
	write_docker(WEB, "old");
	t = waiting("web", &l);
	assert_int_equal(waiter_open(&env, &none, &w), 0);
	write_docker(WEB, "web");
	assert_int_equal(update(w, t, 10), 1);
	assert_string_equal(t->container->id, WEB);
	waiter_free(w);
	target_list_done(&l);
}

static int take(struct runtime_watch *w, int timeout_ms)
{
	struct pollfd p = { .fd = runtime_watch_fd(w), .events = POLLIN };

	(void)poll(&p, 1, timeout_ms);
	return runtime_watch_take(w);
}

/* What tells nothing of names is no reason to read all state again. */
static void test_watch_is_quiet(void **state)
{
	struct runtime_env where;
	struct runtime_watch *w = NULL;

	(void)state;
	write_docker(WEB, "web");
	tree_dir("root/run/containerd/io.containerd.runtime.v2.task/k8s.io/" DB);
	assert_int_equal(runtime_env_open(env.proc_fd, env.proc_path, env.root_prefix, &where), 0);
	assert_int_equal(runtime_watch_open(&where, &w), 0);
	assert_int_equal(runtime_watch_take(w), 0);
	/* An old container's files; a log, a link and a file in the place of directories. */
	write_docker(WEB, "web");
	tree_file("root/run/containerd/io.containerd.runtime.v2.task/k8s.io/" DB "/config.json", "{}");
	tree_file("root/var/lib/docker/containers/x.log", "x");
	tree_file("root/run/containerd/io.containerd.runtime.v2.task/x", "x");
	for (int i = 0; i < 4; i++)
		assert_int_equal(take(w, 100), 0);
	/* a new one, and then a file in it that does not matter */
	write_docker(NEW, "new");
	assert_int_equal(take(w, 5000), 1);
	tree_file("root/var/lib/docker/containers/" NEW "/hosts", "x");
	assert_int_equal(take(w, 100), 0);
	write_docker(NEW, "newer");
	assert_int_equal(take(w, 5000), 1);
	/* a bundle in a namespace that is new as well */
	tree_file("root/run/containerd/io.containerd.runtime.v2.task/default/c1/config.json", "{}");
	assert_int_equal(take(w, 5000), 1);
	(void)take(w, 0);
	tree_file("root/run/containerd/io.containerd.runtime.v2.task/default/c2/config.json", "{}");
	assert_int_equal(take(w, 5000), 1);
	/* removed, and there again */
	assert_int_equal(unlink(tree_path("root/var/lib/docker/containers/x.log")), 0);
	assert_int_equal(rename(tree_path("root/var/lib/docker"), tree_path("root/var/lib/gone")), 0);
	tree_dir("root/var/lib/docker/containers");
	while (!take(w, 5000))
		;
	write_docker(DB, "db");
	assert_int_equal(take(w, 5000), 1);
	runtime_watch_free(w);
	runtime_env_done(&where);
}

static void made(struct waiter *w, struct target *t, uint32_t hierarchy, uint64_t id, const char *path)
{
	assert_int_equal(waiter_made(w, t, hierarchy, id, path, strlen(path)), 0);
	assert_false(t->waiting);
	assert_int_equal(t->cgroups[t->n_cgroups - 1].hierarchy_id, hierarchy);
	assert_true(t->cgroups[t->n_cgroups - 1].id == id);
}

static void test_made(void **state)
{
	struct target_list l = { 0 };
	struct target *t;
	struct waiter *w = NULL;

	(void)state;
	write_docker(WEB, "web");
	t = waiting("web", &l);
	assert_int_equal(waiter_open(&env, &none, &w), 0);
	/* The directory need not be there any more. */
	made(w, t, 0, 77, "/system.slice/docker-" WEB ".scope");
	assert_int_equal(t->n_cgroups, 1);
	assert_string_equal(t->cgroups[0].path + strlen(tree), "/cg/unified/system.slice/docker-" WEB ".scope");
	assert_string_equal(t->label, "web");
	made(w, t, 5, 78, "/docker/" WEB);
	assert_int_equal(t->n_cgroups, 2);
	assert_string_equal(t->cgroups[1].path + strlen(tree), "/cg/memory/docker/" WEB);
	waiter_again(w, t);
	assert_true(t->waiting);
	assert_int_equal(t->n_cgroups, 0);
	assert_true(wants(t, WEB));
	/* as a runc container, of which nothing is known but its directory */
	made(w, t, 0, 79, "/web");
	assert_string_equal(t->container->id, "web");
	assert_null(t->container->runtime);
	/* and what is learnt of it then */
	tree_file("root/run/runc/web/state.json", "{\"init_process_pid\":77,\"init_process_start\":770}");
	assert_int_equal(update(w, t, 10), 1);
	assert_string_equal(t->container->runtime, "runc");
	waiter_again(w, t);
	made(w, t, 0, 80, "/x.slice/crun-web.scope");
	assert_string_equal(t->container->id, "web");
	/* what the kernel side would not send */
	assert_int_equal(waiter_made(w, t, 0, 1, "x", 1), -EINVAL);
	assert_int_equal(waiter_made(w, t, 0, 1, "/x\0y", 4), -EINVAL);
	assert_int_equal(waiter_made(w, t, 0, 1, "", 0), -EINVAL);
	assert_int_equal(waiter_made(w, t, 99, 1, "/x", 2), -ENOENT);
	waiter_free(w);
	target_list_done(&l);
}

/* It was started before its keys were known. */
static void test_find(void **state)
{
	struct target_list l = { 0 };
	struct target *t = waiting("docker:web", &l);
	struct waiter *w = NULL;

	(void)state;
	assert_int_equal(waiter_open(&env, &none, &w), 0);
	assert_int_equal(waiter_find(w, t), 0);
	write_docker(WEB, "web");
	assert_int_equal(update(w, t, 10), 1);
	tree_file("cg/unified/docker/" WEB "/cgroup.procs", "100\n");
	assert_int_equal(waiter_find(w, t), 1);
	assert_false(t->waiting);
	assert_int_equal(t->n_cgroups, 1);
	assert_string_equal(t->cgroups[0].path + strlen(tree), "/cg/unified/docker/" WEB);
	assert_string_equal(t->container->id, WEB);
	assert_true(wants(t, WEB));
	/* its init has ended, and a task of it is still seen */
	waiter_again(w, t);
	for (int i = 0; i < 10; i++) {
		(void)update(w, t, 0);
		assert_int_equal(waiter_find(w, t), 0);
	}
	assert_true(t->waiting);
	/* another directory */
	assert_int_equal(rename(tree_path("cg/unified/docker"), tree_path("cg/unified/old")), 0);
	tree_file("cg/unified/docker/" WEB "/cgroup.procs", "101\n");
	assert_int_equal(unlink(tree_path("cg/unified/old/" WEB "/cgroup.procs")), 0);
	/* not at each call: the next look is due with its time */
	assert_int_equal(waiter_find(w, t), 0);
	for (int i = 0; i < 100 && t->waiting; i++) {
		(void)update(w, t, 0);
		(void)waiter_find(w, t);
	}
	assert_false(t->waiting);
	assert_int_equal(t->n_cgroups, 1);
	waiter_free(w);
	target_list_done(&l);
}

/* Containers of a pod, as containerd has them when they are started. */
static void write_cri(unsigned n, const char *pod, const char *container)
{
	char path[256];

	snprintf(path, sizeof(path), "root/run/containerd/io.containerd.runtime.v2.task/k8s.io/%064x/config.json", n);
	tree_file(path, "{\"annotations\":{\"io.kubernetes.cri.container-type\":\"container\",\"io.kubernetes.cri.container-name\":\"%s\","
			"\"io.kubernetes.cri.sandbox-name\":\"%s\",\"io.kubernetes.cri.sandbox-namespace\":\"shop\"}}", container, pod);
}

/* What changes when all targets are asked, as the session does; ret_changed: the last that did. */
static unsigned update_all(struct waiter *w, struct target_list *l, struct target **ret_changed)
{
	unsigned n = 0;

	for (unsigned i = 0; i < l->n; i++) {
		int r = waiter_update(w, &l->v[i]);

		assert_true(r >= 0);
		if (r)
			*ret_changed = &l->v[i];
		n += (unsigned)r;
	}
	return n;
}

/* The pod's containers take seats as they come, each one, and leave them when they are gone. */
static void test_seats(void **state)
{
	struct target_list l = { 0 };
	struct target *app = NULL, *other = NULL;
	struct waiter *w = NULL;
	char id[256], name[32];

	(void)state;
	write_cri(1, "web-1", "old");
	write_cri(2, "web-2", "app");
	assert_int_equal(resolve(TARGET_POD, "shop/web-1", true, true, &l), 0);
	assert_int_equal(l.n, 16);
	assert_int_equal(waiter_open(&env, &l, &w), 0);
	assert_int_equal(update_all(w, &l, &app), 0);
	write_cri(3, "web-2", "late");
	write_cri(4, "web-1", "app");
	assert_int_equal(update_all(w, &l, &app), 1);
	assert_string_equal(app->spec.arg, "k8s:shop/web-1/app");
	assert_string_equal(app->label, "app");
	snprintf(id, sizeof(id), "cri-containerd-%064x.scope", 4);
	assert_true(app->waiting && wants(app, id));
	assert_int_equal(update_all(w, &l, &app), 0);
	write_cri(5, "web-1", "proxy");
	assert_int_equal(update_all(w, &l, &other), 1);
	assert_ptr_not_equal(other, app);
	assert_string_equal(other->label, "proxy");
	/* Again under another ID: the same seat. */
	write_cri(6, "web-1", "app");
	assert_int_equal(update_all(w, &l, &other), 1);
	assert_ptr_equal(other, app);
	for (unsigned i = 4; i <= 6; i += 2) {
		snprintf(id, sizeof(id), "root/run/containerd/io.containerd.runtime.v2.task/k8s.io/%064x/config.json", i);
		assert_int_equal(remove(tree_path(id)), 0);
		*strrchr(id, '/') = '\0';
		assert_int_equal(remove(tree_path(id)), 0);
	}
	write_cri(7, "web-2", "more");
	assert_int_equal(update_all(w, &l, &other), 1);
	assert_true(target_is_vacant(app));
	assert_int_equal(app->n_wanted, 0);
	assert_null(app->container);
	assert_string_equal(app->label, "shop/web-1");
	/* One is taken: fifteen find a seat, of twenty. */
	assert_int_equal(waiter_unseated(w), 0);
	for (unsigned i = 20; i < 40; i++) {
		snprintf(name, sizeof(name), "c%u", i);
		write_cri(i, "web-1", name);
	}
	assert_int_equal(update_all(w, &l, &other), 15);
	for (size_t i = 0; i < l.n; i++) {
		assert_false(target_is_vacant(&l.v[i]));
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(l.v[i].spec.arg, l.v[k].spec.arg);
	}
	assert_int_equal(waiter_unseated(w), 5);
	waiter_free(w);
	target_list_done(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_resolve, setup, teardown),
		cmocka_unit_test_setup_teardown(test_resolve_unknown, setup, teardown),
		cmocka_unit_test_setup_teardown(test_resolve_fails, setup, teardown),
		cmocka_unit_test_setup_teardown(test_resolve_several, setup, teardown),
		cmocka_unit_test_setup_teardown(test_update_docker, setup, teardown),
		cmocka_unit_test_setup_teardown(test_update_half, setup, teardown),
		cmocka_unit_test_setup_teardown(test_update_podman, setup, teardown),
		cmocka_unit_test_setup_teardown(test_update_renamed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_watch_is_quiet, setup, teardown),
		cmocka_unit_test_setup_teardown(test_made, setup, teardown),
		cmocka_unit_test_setup_teardown(test_find, setup, teardown),
		cmocka_unit_test_setup_teardown(test_seats, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
