/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_target */
/* A host in a temporary directory: its procfs, its cgroups, its runtimes' files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/sysmacros.h>

#include <cmocka.h>

#include "tree.h"

#include "target/target.h"

/* Eight digits, eight times. */
#define ID(s) s s s s s s s s
#define WEB   ID("9c6eb891")
#define DB    ID("9c6edb00")
#define GONE  ID("dead0001")
#define POD   ID("b0d0aa01")
#define SAND  ID("5a4d0b0c")
#define BARE  ID("ba4eba4e")
#define REUSE ID("4e05e000")
#define TAKEN ID("7a4e0000")
#define NOCG  ID("0c900000")
#define UID   "6f8a2d1e-3c4b-4a5d-9e8f-001122334455"

static struct target_env env;
static char lines[64][512];
static size_t n_lines;

static void report(const char *line, void *data)
{
	assert_ptr_equal(data, lines);
	assert_true(n_lines < ARRAY_SIZE(lines));
	snprintf(lines[n_lines++], sizeof(lines[0]), "%s", line);
}

struct process {
	int pid, tgid, ppid;    /* tgid 0: pid */
	char state;
	const char *nspid;      /* what stands behind the host's number */
	const char *cgroup;     /* path in all hierarchies */
	const char *comm;
};

static void write_status(const char *dir, const struct process *p)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/stat", dir);
	tree_file(path, "%d (%s) %c %d 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %d 0 0\n", p->pid, p->comm, p->state, p->ppid,
		  p->pid * 10);
	snprintf(path, sizeof(path), "%s/status", dir);
	tree_file(path, "Name:\tx\nState:\t%c (x)\nTgid:\t%d\nPid:\t%d\nPPid:\t%d\nNSpid:\t%d%s\n", p->state,
		  p->tgid ? p->tgid : p->pid, p->pid, p->ppid, p->pid, p->nspid);
	snprintf(path, sizeof(path), "%s/cgroup", dir);
	if (!strncmp(p->cgroup, "v1:", 3))
		tree_file(path, "5:memory:%s\n4:pids:%s\n1:name=systemd:/\n0::/\n", p->cgroup + 3, p->cgroup + 3);
	else
		tree_file(path, "5:memory:%s\n4:pids:%s\n1:name=systemd:/\n0::%s\n", p->cgroup, p->cgroup, p->cgroup);
}

static void write_process(const struct process *p)
{
	int tgid = p->tgid ? p->tgid : p->pid;
	char dir[64], path[128];

	/* procfs shows a thread by its own number as well */
	snprintf(dir, sizeof(dir), "proc/%d", p->pid);
	if (tgid != p->pid)
		snprintf(dir, sizeof(dir), "threads/%d", p->pid);
	write_status(dir, p);
	snprintf(path, sizeof(path), "%s/comm", dir);
	tree_file(path, "%s\n", p->comm);
	snprintf(path, sizeof(path), "%s/cmdline", dir);
	tree_file(path, "%s", p->comm);
	snprintf(dir, sizeof(dir), "proc/%d/task/%d", tgid, p->pid);
	write_status(dir, p);
	snprintf(path, sizeof(path), "%s/children", dir);
	tree_file(path, "%s", "");
}

static void write_children(int tgid, int tid, const char *children)
{
	char path[128];

	snprintf(path, sizeof(path), "proc/%d/task/%d/children", tgid, tid);
	tree_file(path, "%s", children);
}

/* A cgroup in all three hierarchies, with its tasks. */
static void write_cgroup(const char *path, const char *procs, const char *threads)
{
	static const char *const v1[] = { "memory", "pids" };
	char file[512];

	snprintf(file, sizeof(file), "cg/unified%s/cgroup.procs", path);
	tree_file(file, "%s", procs);
	snprintf(file, sizeof(file), "cg/unified%s/cgroup.threads", path);
	tree_file(file, "%s", threads);
	for (size_t i = 0; i < ARRAY_SIZE(v1); i++) {
		snprintf(file, sizeof(file), "cg/%s%s/cgroup.procs", v1[i], path);
		tree_file(file, "%s", procs);
		snprintf(file, sizeof(file), "cg/%s%s/tasks", v1[i], path);
		tree_file(file, "%s", threads);
	}
}

static void write_docker(const char *id, const char *name, int pid, bool running)
{
	char path[256];

	snprintf(path, sizeof(path), "root/var/lib/docker/containers/%s/config.v2.json", id);
	tree_file(path,
		  "{\"ID\":\"%s\",\"Name\":\"/%s\",\"State\":{\"Running\":%s,\"Pid\":%d},"
		  "\"Config\":{\"Image\":\"img\",\"Labels\":{\"com.docker.compose.service\":\"svc-%s\"}}}",
		  id, name, running ? "true" : "false", pid, name);
}

static void write_cri(const char *id, int pid, const char *type, const char *space, const char *container)
{
	char path[256];

	snprintf(path, sizeof(path), "root/run/containerd/io.containerd.runtime.v2.task/k8s.io/%s/init.pid", id);
	tree_file(path, "%d", pid);
	snprintf(path, sizeof(path), "root/run/containerd/io.containerd.runtime.v2.task/k8s.io/%s/config.json", id);
	tree_file(path,
		  "{\"annotations\":{\"io.kubernetes.cri.container-type\":\"%s\",\"io.kubernetes.cri.container-name\":\"%s\","
		  "\"io.kubernetes.cri.sandbox-name\":\"web-0\",\"io.kubernetes.cri.sandbox-namespace\":\"%s\","
		  "\"io.kubernetes.cri.sandbox-id\":\"%s\"}}",
		  type, container, space, strcmp(space, "shop") ? ID("5a4d0000") : SAND);
}

static const struct process processes[] = {
	{ 1, 0, 0, 'S', "", "/init.scope", "init" },
	/* docker web: init, a worker of two threads, a zombie; an exec'd one that no one in it forked */
	{ 100, 0, 50, 'S', "\t1", "/docker/" WEB "/init.scope", "nginx" },
	{ 101, 0, 100, 'S', "\t7", "/docker/" WEB, "worker" },
	{ 102, 101, 100, 'S', "\t8", "/docker/" WEB, "worker" },
	{ 103, 0, 100, 'Z', "\t9", "/docker/" WEB, "dead" },
	{ 104, 0, 50, 'R', "\t30", "/docker/" WEB, "sh" },
	{ 110, 0, 50, 'S', "\t1", "/docker/" DB, "db" },
	/* whoever got the number of a container that has ended */
	{ 120, 0, 1, 'S', "", "/system.slice/cron.service", "cron" },
	{ 130, 0, 50, 'S', "\t1", "/machine.slice/libpod-" POD ".scope/container", "podweb" },
	{ 131, 0, 1, 'S', "", "/machine.slice/libpod-conmon-" POD ".scope", "conmon" },
	{ 140, 0, 50, 'S', "\t1", "/kubepods/burstable/pod" UID "/" SAND, "pause" },
	{ 141, 0, 50, 'S', "\t6", "/kubepods/burstable/pod" UID "/" ID("c0ffee01"), "app" },
	{ 142, 0, 141, 'S', "\t8", "/kubepods/burstable/pod" UID "/" ID("c0ffee01"), "app" },
	{ 143, 0, 50, 'S', "\t1", "/kubepods/burstable/pod" UID "/" ID("c0ffee02"), "proxy" },
	{ 144, 0, 50, 'S', "\t1", "/kubepods/burstable/podb0b0/" ID("c0ffee04"), "back" },
	/* no state file knows these */
	{ 150, 0, 50, 'S', "\t1", "/docker/" BARE, "bare" },
	{ 160, 0, 50, 'S', "\t1", "/anyname", "x" },
	{ 161, 0, 1, 'S', "", "/hostname", "x" },
	/* a container without v2 */
	{ 170, 0, 50, 'S', "\t1", "v1:/cone", "crunned" },
	{ 180, 0, 50, 'S', "\t1", "/own/path/deep", "r" },
	{ 190, 0, 50, 'S', "\t1", "/user.slice/session-1.scope", "nocgroup" },
	/* trees for -p: 200 -> thread 201 -> 202 -> 203 */
	{ 200, 0, 1, 'S', "", "/user.slice", "sh" },
	{ 201, 200, 1, 'S', "", "/user.slice", "sh" },
	{ 202, 0, 200, 'S', "", "/user.slice", "sh" },
	{ 203, 0, 202, 'S', "", "/user.slice", "sh" },
	{ 204, 0, 200, 'Z', "", "/user.slice", "sh" },
};

static void write_mounts(void)
{
	struct stat st;

	assert_int_equal(stat(tree, &st), 0);
	tree_file("proc/self/mountinfo",
		  "30 1 0:1 / %1$s/cg rw - tmpfs x rw\n"
		  "31 1 %2$u:%3$u / %1$s/cg/unified rw - cgroup2 x rw\n"
		  "32 1 %2$u:%3$u / %1$s/cg/memory rw - cgroup x rw,memory\n"
		  "33 1 %2$u:%3$u / %1$s/cg/pids rw - cgroup x rw,pids\n",
		  tree, major(st.st_dev), minor(st.st_dev));
	tree_file("proc/self/cgroup", "5:memory:/\n4:pids:/\n1:name=systemd:/\n0::/\n");
}

static void write_runtimes(void)
{
	write_docker(WEB, "web", 100, true);
	write_docker(DB, "db", 110, true);
	write_docker(GONE, "gone", 0, false);
	write_docker(REUSE, "reused", 120, true);
	write_docker(TAKEN, "taken", 110, true);
	write_docker(NOCG, "disabled", 190, true);
	write_docker(ID("0123abcd"), "both", 110, false);
	write_cri(SAND, 140, "sandbox", "shop", "");
	write_cri(ID("c0ffee01"), 141, "container", "shop", "app");
	write_cri(ID("c0ffee02"), 143, "container", "shop", "proxy");
	/* an init container that has ended, and the same pod in another namespace */
	write_cri(ID("c0ffee03"), 0, "container", "shop", "setup");
	write_cri(ID("c0ffee04"), 144, "container", "test", "back");
	tree_file("root/var/lib/containers/storage/overlay-containers/containers.json",
		  "[{\"id\":\"%s\",\"names\":[\"pweb\"]},{\"id\":\"%s\",\"names\":[\"both\"]}]", POD, BARE);
	tree_file("root/run/containers/storage/overlay-containers/" POD "/userdata/pidfile", "130");
	tree_file("root/run/crun/cone/status", "{\"pid\":170,\"process-start-time\":1700,\"cgroup-path\":\"/cone\"}");
	tree_file("root/run/runc/odd/state.json",
		  "{\"init_process_pid\":180,\"init_process_start\":1800,\"cgroup_paths\":{\"\":\"/sys/fs/cgroup/unified/own/path\"}}");
	tree_file("root/run/runc/stale/state.json", "{\"init_process_pid\":180,\"init_process_start\":1799}");
	tree_file("root/run/runc/nocg/state.json", "{\"init_process_pid\":200,\"init_process_start\":2000}");
}

static int setup(void **state)
{
	(void)state;
	tree_make();
	for (size_t i = 0; i < ARRAY_SIZE(processes); i++)
		write_process(&processes[i]);
	write_children(200, 201, "202 204 ");
	write_children(202, 202, "203");
	write_cgroup("", "", "");
	write_cgroup("/docker/" WEB, "101\n103\n104\n", "101\n102\n103\n104\n9999\n");
	write_cgroup("/docker/" WEB "/init.scope", "100\n", "100\n");
	write_cgroup("/docker/" DB, "110\n", "110\n");
	write_cgroup("/docker/" BARE, "150\n", "150\n");
	write_cgroup("/machine.slice/libpod-" POD ".scope/container", "130\n", "130\n");
	write_cgroup("/machine.slice/libpod-conmon-" POD ".scope", "131\n", "131\n");
	write_cgroup("/kubepods/burstable/pod" UID "/" SAND, "140\n", "140\n");
	write_cgroup("/kubepods/burstable/pod" UID "/" ID("c0ffee01"), "141\n142\n", "141\n142\n");
	write_cgroup("/kubepods/burstable/pod" UID "/" ID("c0ffee02"), "143\n", "143\n");
	write_cgroup("/kubepods/burstable/podb0b0/" ID("c0ffee04"), "144\n", "144\n");
	write_cgroup("/anyname", "160\n", "160\n");
	write_cgroup("/hostname", "161\n", "161\n");
	write_cgroup("/own/path/deep", "180\n", "180\n");
	tree_file("cg/memory/cone/tasks", "170\n");
	tree_file("cg/pids/cone/tasks", "170\n");
	write_mounts();
	write_runtimes();
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

static int resolve(enum target_kind kind, const char *arg, pid_t pid, struct target_list *ret)
{
	struct target_spec spec = { .kind = kind, .arg = (char *)arg, .pid = pid };

	n_lines = 0;
	memset(lines, 0, sizeof(lines));
	return targets_resolve(&env, &spec, 1, false, false, report, lines, ret);
}

static void test_found(void **state)
{
	static const struct {
		const char *arg, *label, *runtime, *dir;
		pid_t init;
		unsigned n_tasks;
	} rows[] = {
		{ WEB, "web", "docker", "unified/docker/" WEB, 100, 6 },
		{ "web", "web", "docker", "unified/docker/" WEB, 100, 6 },
		{ "9c6eb", "web", "docker", "unified/docker/" WEB, 100, 6 },
		{ "docker:web", "web", "docker", "unified/docker/" WEB, 100, 6 },
		{ "docker:9c6ed", "db", "docker", "unified/docker/" DB, 110, 1 },
		{ "pid:101", "web", "docker", "unified/docker/" WEB, 100, 6 },
		{ "pid:100", "web", "docker", "unified/docker/" WEB, 100, 6 },
		{ "pweb", "pweb", "podman", "unified/machine.slice/libpod-" POD ".scope", 130, 1 },
		{ "app", "app", "containerd", "unified/kubepods/burstable/pod" UID "/" ID("c0ffee01"), 141, 2 },
		{ "k8s:shop/web-0/app", "app", "containerd", "unified/kubepods/burstable/pod" UID "/" ID("c0ffee01"), 141, 2 },
		{ "k8s:test/web-0", "back", "containerd", "unified/kubepods/burstable/podb0b0/" ID("c0ffee04"), 144, 1 },
		{ "pid:142", "app", "containerd", "unified/kubepods/burstable/pod" UID "/" ID("c0ffee01"), 141, 2 },
		/* of two that are called so one runs */
		{ "both", "both", "podman", "unified/docker/" BARE, 150, 1 },
		{ "anyname", "anyname", NULL, "unified/anyname", 160, 1 },
		{ "pid:160", "anyname", NULL, "unified/anyname", 160, 1 },
		{ "cone", "cone", "crun", "memory/cone", 170, 1 },
		{ "crun:cone", "cone", "crun", "memory/cone", 170, 1 },
		{ "odd", "odd", "runc", "unified/own/path", 180, 1 },
		{ "pid:180", "odd", "runc", "unified/own/path", 180, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct target_list l = { 0 };
		const struct target *t;

		if (resolve(TARGET_CONTAINER, rows[i].arg, 0, &l))
			fail_msg("%s: %s", rows[i].arg, lines[0]);
		assert_int_equal(l.n, 1);
		t = &l.v[0];
		assert_int_equal(t->kind, TARGET_CONTAINER);
		assert_string_equal(t->label, rows[i].label);
		if (rows[i].runtime)
			assert_string_equal(t->container->runtime, rows[i].runtime);
		else
			assert_null(t->container->runtime);
		assert_int_equal(t->n_cgroups, 1);
		assert_string_equal(t->cgroups[0].path + strlen(tree) + 4, rows[i].dir);
		assert_int_equal(t->cgroups[0].hierarchy_id, strncmp(rows[i].dir, "memory", 6) ? 0 : 5);
		assert_int_equal(t->init_pid, rows[i].init);
		assert_true(t->init_start == (uint64_t)rows[i].init * 10);
		assert_int_equal(t->n_tasks, rows[i].n_tasks);
		assert_true(target_exists(t));
		target_list_done(&l);
	}
}

static void test_refused(void **state)
{
	static const struct {
		const char *arg, *line;
	} rows[] = {
		{ "9c6e", "container 9c6e is ambiguous: docker web (9c6eb8919c6e), docker db (9c6edb009c6e)" },
		{ "gone", "container gone is not running: docker gone (dead0001dead)" },
		{ "dead", "container dead is not running: docker gone (dead0001dead)" },
		{ "reused", "container reused is not running: docker reused (4e05e0004e05)" },
		{ "taken", "container taken is not running: docker taken (7a4e00007a4e)" },
		{ "disabled", "container disabled runs in no cgroup of its own: docker disabled (0c9000000c90); -p 190 traces its first "
			      "process and what that forks" },
		{ "stale", "container stale is not running: runc stale" },
		{ "nocg", "container nocg runs in no cgroup of its own: runc nocg; -p 200 traces its first process and what that forks" },
		{ "wbe", "no container wbe; did you mean docker web (9c6eb8919c6e)?" },
		{ "podman:web", "no container podman:web; did you mean docker web (9c6eb8919c6e), podman pweb (b0d0aa01b0d0)?" },
		{ "svc-db", "no container svc-db; the compose service of that name is docker db (9c6edb009c6e)" },
		{ "pid:9999", "no such process: 9999" },
		{ "pid:103", "no such process: 103" },
		{ "pid:120", "process 120 is in no container: its cgroup is /system.slice/cron.service; -p 120 traces it all the same" },
		{ "pid:131", "process 131 is in no container: its cgroup is /machine.slice/libpod-conmon-" POD ".scope; -p 131 traces it all the same" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct target_list l = { 0 };

		assert_int_equal(resolve(TARGET_CONTAINER, rows[i].arg, 0, &l), 1);
		assert_int_equal(l.n, 0);
		assert_int_equal(n_lines, 1);
		assert_string_equal(lines[0], rows[i].line);
		target_list_done(&l);
	}
}

/* Names that match no container: never a directory of the host, of a runtime, or above containers. */
static void test_no_container(void **state)
{
	static const char *const rows[] = {
		"", ":", "docker:", "docker", "kubepods", "hostname", "init.scope", "conmon", "/", "..", "../docker", "nginx", "pid:",
		"pid:x", "k8s:", "k8s:shop", "k8s:shop/", "k8s:shop/web-0/", "k8s:shop/web", "k8s:shop/web-0/pause", "unified", "web\n",
		"lib*", "\033[31mred", "machine.slice",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct target_list l = { 0 };

		if (resolve(TARGET_CONTAINER, rows[i], 0, &l) != 1)
			fail_msg("%s was found", rows[i]);
		assert_int_equal(n_lines, 1);
		assert_memory_equal(lines[0], "no container ", 13);
		for (const char *p = lines[0]; *p; p++)
			assert_true(*p >= ' ' && *p < 127);
		target_list_done(&l);
	}
}

static void expect_tasks(const struct target *t, const pid_t *tids, size_t n)
{
	struct task_refs refs;

	assert_int_equal(target_read_tasks(&env, t, &refs), 0);
	assert_int_equal(refs.n, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(refs.v[i].tid, tids[i]);
	task_refs_done(&refs);
}

/* Threads of /proc that only show below their process, as the kernel resolves them by number. */
static void show_thread(int tid)
{
	char from[64], to[64];

	snprintf(from, sizeof(from), "threads/%d", tid);
	snprintf(to, sizeof(to), "proc/%d", tid);
	assert_int_equal(rename(tree_path(from), tree_path(to)), 0);
}

static void test_read_tasks(void **state)
{
	static const pid_t web[] = { 100, 101, 102, 104 }, tree_tids[] = { 200, 201, 202, 203 }, branch[] = { 201, 202, 203 };
	struct target_list l = { 0 };
	struct task_refs refs;

	(void)state;
	show_thread(102);
	show_thread(201);
	assert_int_equal(resolve(TARGET_CONTAINER, "web", 0, &l), 0);
	expect_tasks(&l.v[0], web, ARRAY_SIZE(web));
	assert_int_equal(target_read_tasks(&env, &l.v[0], &refs), 0);
	assert_int_equal(refs.v[2].tgid, 101);
	task_refs_done(&refs);

	/* listed alone, with its process when that is asked for */
	assert_int_equal(target_list_tasks(&env, &l.v[0], &refs), 0);
	for (size_t i = 0; i < refs.n; i++) {
		assert_int_equal(refs.v[i].tgid, 0);
		if (refs.v[i].tid != 102)
			continue;
		assert_true(task_ref_lives(&env, &refs.v[i]));
		assert_int_equal(refs.v[i].tgid, 101);
	}
	assert_true(refs.n >= ARRAY_SIZE(web));
	task_refs_done(&refs);
	target_list_done(&l);

	/* a thread's number stands for its process */
	assert_int_equal(resolve(TARGET_PROCESS, NULL, 201, &l), 0);
	assert_int_equal(l.v[0].pid, 200);
	assert_string_equal(l.v[0].label, "201");
	expect_tasks(&l.v[0], tree_tids, ARRAY_SIZE(tree_tids));
	target_list_done(&l);

	assert_int_equal(resolve(TARGET_THREAD, NULL, 201, &l), 0);
	assert_int_equal(l.v[0].pid, 201);
	expect_tasks(&l.v[0], branch, ARRAY_SIZE(branch));
	target_list_done(&l);
}

static void test_dead_process(void **state)
{
	static const struct {
		enum target_kind kind;
		pid_t pid;
		const char *line;
	} rows[] = {
		{ TARGET_PROCESS, 4711, "no such process: 4711" },
		{ TARGET_THREAD, 4711, "no such thread: 4711" },
		{ TARGET_PROCESS, 0, "no such process: 0" },
		{ TARGET_PROCESS, -1, "no such process: -1" },
		{ TARGET_PROCESS, 204, "has ended, and waits for its parent to take notice: 204" },
		{ TARGET_THREAD, 204, "has ended, and waits for its parent to take notice: 204" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct target_list l = { 0 };

		assert_int_equal(resolve(rows[i].kind, NULL, rows[i].pid, &l), 1);
		assert_string_equal(lines[0], rows[i].line);
		target_list_done(&l);
	}
}

static void test_all(void **state)
{
	struct target_list l = { 0 };
	struct task_refs refs;

	(void)state;
	assert_int_equal(resolve(TARGET_ALL, NULL, 0, &l), 0);
	assert_int_equal(target_read_tasks(&env, &l.v[0], &refs), 0);
	/* all but the two zombies */
	assert_int_equal(refs.n, ARRAY_SIZE(processes) - 2);
	task_refs_done(&refs);
	target_list_done(&l);
}

/* What resolves is in the list although others do not; the same twice is once. */
static void test_several(void **state)
{
	struct target_spec specs[] = {
		{ .kind = TARGET_CONTAINER, .arg = "web" }, { .kind = TARGET_CONTAINER, .arg = "nope" },
		{ .kind = TARGET_CONTAINER, .arg = WEB }, { .kind = TARGET_PROCESS, .pid = 200 },
		{ .kind = TARGET_PROCESS, .pid = 4711 }, { .kind = TARGET_CONTAINER, .arg = "db" },
	};
	struct target_list l = { 0 };

	(void)state;
	n_lines = 0;
	assert_int_equal(targets_resolve(&env, specs, ARRAY_SIZE(specs), false, false, report, lines, &l), 2);
	assert_int_equal(n_lines, 2);
	assert_int_equal(l.n, 3);
	assert_string_equal(l.v[0].label, "web");
	assert_string_equal(l.v[1].label, "200");
	assert_string_equal(l.v[2].label, "db");
	target_list_done(&l);
}

/* A pod is its containers that run, whichever of them is asked for; labels in the order of the files. */
static void test_pods(void **state)
{
	static const struct {
		const char *arg, *label;        /* of the only one; NULL: both of shop/web-0 */
	} good[] = {
		{ "shop/web-0", NULL },         { "shop/web-0:app", "app" }, { "web-0:proxy", "proxy" },
		{ "test/web-0", "back" },       { "web-0:back", "back" },
	};
	static const struct {
		const char *arg, *line;
	} bad[] = {
		{ "web-0", "pod web-0 is in several namespaces, name one: shop/web-0, test/web-0" },
		{ "web", "no pod web; running: shop/web-0, test/web-0" },
		{ "web-", "no pod web-; running: shop/web-0, test/web-0" },
		{ "prod/web-0", "no pod prod/web-0; running: shop/web-0, test/web-0" },
		{ "shop/", "no pod shop/; running: shop/web-0, test/web-0" },
		{ "shop/web-0:", "pod shop/web-0:: no such container runs; it has app, proxy, setup" },
		{ "shop/web-0:setup", "pod shop/web-0:setup: no such container runs; it has app, proxy, setup" },
		{ "shop/web-0:x\033", "pod shop/web-0:x\\33: no such container runs; it has app, proxy, setup" },
	};
	struct target_list l = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		if (resolve(TARGET_POD, good[i].arg, 0, &l))
			fail_msg("%s: %s", good[i].arg, lines[0]);
		assert_int_equal(l.n, good[i].label ? 1 : 2);
		for (size_t k = 0; k < l.n; k++)
			assert_int_equal(l.v[k].kind, TARGET_CONTAINER);
		if (good[i].label) {
			assert_string_equal(l.v[0].label, good[i].label);
		} else {
			assert_string_not_equal(l.v[0].label, l.v[1].label);
			assert_string_not_equal(l.v[0].label, "setup");
		}
		target_list_done(&l);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_int_equal(resolve(TARGET_POD, bad[i].arg, 0, &l), 1);
		assert_int_equal(l.n, 0);
		if (strlen(bad[i].line) > strlen("setup") && strstr(bad[i].line, "it has"))
			assert_memory_equal(lines[0], bad[i].line, strlen(bad[i].line) - strlen("app, proxy, setup"));
		else if (strstr(bad[i].line, "shop/web-0, test"))
			assert_memory_equal(lines[0], bad[i].line, strlen(bad[i].line) - strlen("shop/web-0, test/web-0"));
		else
			assert_string_equal(lines[0], bad[i].line);
		target_list_done(&l);
	}
}

/* --wait takes a pod's container that is not there yet by its whole name alone; for a pod there are seats. */
static void test_pods_wait(void **state)
{
	struct target_spec whole = { .kind = TARGET_POD, .arg = "shop/web-1:app" }, half = { .kind = TARGET_POD, .arg = "web-1:app" };
	struct target_spec pod = { .kind = TARGET_POD, .arg = "web-1" }, there = { .kind = TARGET_POD, .arg = "shop/web-0" };
	struct target_list l = { 0 };

	(void)state;
	n_lines = 0;
	assert_int_equal(targets_resolve(&env, &whole, 1, true, false, report, lines, &l), 0);
	assert_int_equal(l.n, 1);
	assert_true(l.v[0].waiting);
	assert_string_equal(l.v[0].spec.arg, "k8s:shop/web-1/app");
	target_list_done(&l);
	assert_int_equal(targets_resolve(&env, &half, 1, true, false, report, lines, &l), 1);
	assert_string_equal(lines[0], "pod web-1:app does not run, and --wait needs the whole name: NAMESPACE/POD:CONTAINER");
	target_list_done(&l);
	assert_int_equal(targets_resolve(&env, &pod, 1, true, false, report, lines, &l), 0);
	assert_true(l.n > 4);
	for (size_t i = 0; i < l.n; i++) {
		assert_true(target_is_vacant(&l.v[i]));
		assert_string_equal(l.v[i].pods.arg, "web-1");
		assert_true(l.v[i].waiting && l.v[i].kind == TARGET_CONTAINER);
	}
	target_list_done(&l);
	/* Those that run have no seats, and without --wait nobody comes. */
	assert_int_equal(targets_resolve(&env, &there, 1, false, true, report, lines, &l), 0);
	assert_true(l.n > 4);
	for (size_t i = 0; i < l.n; i++)
		assert_true(target_is_vacant(&l.v[i]) == (i >= 2));
	target_list_done(&l);
	assert_int_equal(targets_resolve(&env, &there, 1, false, false, report, lines, &l), 0);
	assert_int_equal(l.n, 2);
	target_list_done(&l);
}

#define METADATA "/var/lib/containerd/io.containerd.metadata.v1.bolt/meta.db"

/* The labels are in containerd's database; without it they are nowhere. */
static void test_pod_selector(void **state)
{
	static const char *const good[] = { "app=web", "tier in (front,back),!none", "app,io.kubernetes.pod.namespace=shop" };
	static const struct {
		const char *arg, *line;
	} bad[] = {
		{ "app=web,tier=back", "no pod matches app=web,tier=back; running: " },
		{ "app=web,io.kubernetes.pod.namespace!=shop", "no pod matches app=web,io.kubernetes.pod.namespace!=shop; running: " },
	};
	static char bytes[200000];
	struct target_list l = { 0 };
	FILE *f = fopen(CTRACE_UNIT_DIR "/fixtures/runtimes" METADATA, "re");

	(void)state;
	assert_int_equal(resolve(TARGET_PODS, "app=web", 0, &l), 1);
	assert_string_equal(lines[0], "no pod matches app=web: the runtime's files here hold no labels of pods; name them by --pod");
	target_list_done(&l);
	assert_non_null(f);
	tree_bytes("root" METADATA, bytes, fread(bytes, 1, sizeof(bytes), f));
	fclose(f);
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		if (resolve(TARGET_PODS, good[i], 0, &l))
			fail_msg("%s: %s", good[i], lines[0]);
		assert_int_equal(l.n, 2);
		for (size_t k = 0; k < l.n; k++)
			assert_string_equal(l.v[k].container->pod_namespace, "shop");
		assert_string_not_equal(l.v[0].label, l.v[1].label);
		target_list_done(&l);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_int_equal(resolve(TARGET_PODS, bad[i].arg, 0, &l), 1);
		assert_memory_equal(lines[0], bad[i].line, strlen(bad[i].line));
		target_list_done(&l);
	}
	assert_int_equal(remove(tree_path("root" METADATA)), 0);
}

/* Every container that runs, once, and no sandbox, no monitor. */
static void test_list(void **state)
{
	static const char *const labels[] = { "app", "proxy", "back", "cone", "db", "web", "both", "pweb", "odd" };
	struct target_list l = { 0 };
	struct list_doubts doubts = { .denied = true };

	(void)state;
	assert_int_equal(containers_list(&env, &l, &doubts), 0);
	assert_false(doubts.denied);
	assert_null(doubts.daemon);
	assert_null(doubts.remote);
	for (size_t i = 0; i < l.n; i++)
		if (i >= ARRAY_SIZE(labels) || strcmp(l.v[i].label, labels[i]))
			fail_msg("%zu: %s", i, l.v[i].label);
	assert_int_equal(l.n, ARRAY_SIZE(labels));
	assert_string_equal(l.v[5].container->image, "img");
	assert_int_equal(l.v[5].n_tasks, 6);
	assert_int_equal(l.v[5].init_pid, 100);
	target_list_done(&l);
}

static void test_list_pid(void **state)
{
	struct target t = { 0 };
	pid_t inside = -1;

	(void)state;
	n_lines = 0;
	assert_int_equal(container_of_pid(&env, 131, report, lines, &t, &inside), 1);
	assert_int_equal(n_lines, 1);
	assert_non_null(strstr(lines[0], "is in no container"));
	assert_int_equal(container_of_pid(&env, 4711, report, lines, &t, &inside), 1);
	assert_string_equal(lines[1], "no such process: 4711");
	assert_int_equal(container_of_pid(&env, 142, report, lines, &t, &inside), 0);
	assert_string_equal(t.label, "app");
	target_done(&t);
}

static void test_cgroup_errors(void **state)
{
	static const char *const paths[] = { "none", "cg/unified/docker", "root/run/crun/cone/status" };
	static const char *const texts[] = { ": no such cgroup directory", ": not a directory of a mounted cgroup hierarchy" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		struct target_list l = { 0 };

		assert_int_equal(resolve(TARGET_CGROUP, tree_path(paths[i]), 0, &l), 1);
		assert_non_null(strstr(lines[0], texts[i > 0]));
		target_list_done(&l);
	}
}

/* The directory is removed, or made anew for the next run of the container. */
static void test_vanished(void **state)
{
	struct target_list l = { 0 };
	struct task_refs refs;

	(void)state;
	assert_int_equal(resolve(TARGET_CONTAINER, "db", 0, &l), 0);
	assert_true(target_exists(&l.v[0]));
	assert_int_equal(rename(tree_path("cg/unified/docker/" DB), tree_path("kept")), 0);
	assert_false(target_exists(&l.v[0]));
	assert_int_equal(target_read_tasks(&env, &l.v[0], &refs), -ENOENT);
	tree_dir("cg/unified/docker/" DB);
	assert_false(target_exists(&l.v[0]));
	target_list_done(&l);
}

/* dockerd in a container: its files lie in its root, its numbers are those of its namespace. */
static void test_nested_daemon(void **state)
{
	static const struct process node[] = {
		{ 300, 0, 50, 'S', "\t1", "/docker/" ID("00de00de"), "init" },
		{ 301, 0, 300, 'S', "\t20", "/docker/" ID("00de00de"), "dockerd" },
		{ 310, 0, 301, 'S', "\t40\t1", "/docker/" ID("00de00de") "/docker/" ID("1e1e1e1e"), "inner" },
	};
	struct target_list l = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(node); i++)
		write_process(&node[i]);
	tree_file("proc/301/cmdline", "dockerd");
	tree_dir("proc/301/ns");
	assert_int_equal(symlink("mnt:[77]", tree_path("proc/301/ns/mnt")), 0);
	assert_int_equal(symlink("pid:[88]", tree_path("proc/300/ns")), 0);
	assert_int_equal(symlink("pid:[88]", tree_path("proc/301/ns/pid")), 0);
	tree_dir("proc/310/ns");
	assert_int_equal(symlink("pid:[99]", tree_path("proc/310/ns/pid")), 0);
	assert_int_equal(symlink(tree_path("noderoot"), tree_path("proc/301/root")), 0);
	write_cgroup("/docker/" ID("00de00de"), "300\n301\n", "300\n301\n");
	write_cgroup("/docker/" ID("00de00de") "/docker/" ID("1e1e1e1e"), "310\n", "310\n");
	tree_file("noderoot/var/lib/docker/containers/x/config.v2.json",
		  "{\"ID\":\"%s\",\"Name\":\"/inner\",\"State\":{\"Running\":true,\"Pid\":40}}", ID("1e1e1e1e"));
	assert_int_equal(resolve(TARGET_CONTAINER, "inner", 0, &l), 0);
	assert_string_equal(l.v[0].cgroups[0].path + strlen(tree),
			    "/cg/unified/docker/" ID("00de00de") "/docker/" ID("1e1e1e1e"));
	assert_int_equal(l.v[0].init_pid, 310);
	target_list_done(&l);
	/* the node's own ID is all of it */
	assert_int_equal(resolve(TARGET_CONTAINER, ID("00de00de"), 0, &l), 0);
	assert_int_equal(l.v[0].n_tasks, 3);
	assert_int_equal(l.v[0].init_pid, 300);
	target_list_done(&l);
}

/* Names of others in what is told reach the terminal as plain text. */
static void test_escaped(void **state)
{
	struct target_list l = { 0 };

	(void)state;
	write_docker(ID("e5c0e5c0"), "e\\u001b[2Jvil\\n\\u009b", 0, false);
	assert_int_equal(resolve(TARGET_CONTAINER, "e5c0", 0, &l), 1);
	assert_non_null(strstr(lines[0], "e\\33[2Jvil\\n"));
	for (const char *p = lines[0]; *p; p++)
		assert_true(*p >= ' ' && *p < 127);
	target_list_done(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_found, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_container, setup, teardown),
		cmocka_unit_test_setup_teardown(test_read_tasks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_dead_process, setup, teardown),
		cmocka_unit_test_setup_teardown(test_all, setup, teardown),
		cmocka_unit_test_setup_teardown(test_several, setup, teardown),
		cmocka_unit_test_setup_teardown(test_pods, setup, teardown),
		cmocka_unit_test_setup_teardown(test_pods_wait, setup, teardown),
		cmocka_unit_test_setup_teardown(test_pod_selector, setup, teardown),
		cmocka_unit_test_setup_teardown(test_list, setup, teardown),
		cmocka_unit_test_setup_teardown(test_list_pid, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cgroup_errors, setup, teardown),
		cmocka_unit_test_setup_teardown(test_vanished, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nested_daemon, setup, teardown),
		cmocka_unit_test_setup_teardown(test_escaped, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
