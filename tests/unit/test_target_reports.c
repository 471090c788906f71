/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_target */
/*
 * What other tools were reported to get wrong about a process's container:
 * each public report that a /proc/PID/cgroup can tell of is a row, named by
 * tool and number. Of the others the behaviour is tested elsewhere:
 *
 *   tracee 1900 2680, 4076 3689; inspektor-gadget 3085; datadog-agent 39134; apm 887; lxcfs 598: readers in a cgroup
 *       namespace of their own                           test_cgroup_relative, test_target_place, runtimes/test_ways.sh
 *   tracee 1436 1438 1933 3203: containers from before   the audit at the start: system/coverage
 *   tracee 2046, tetragon 4826, inspektor-gadget 2614: what the runtime does before the exec: runtimes/test_wait.sh
 *   tetragon 369 540, bpftrace 900 3428 4261, datadog-agent 28: ids by hierarchy, v1 by subsys[]: test_cgroup_tree, tests/vm
 *   opentelemetry-go 3508, neuvector 1277 744: mountinfo is never asked which container a process is in
 *   runc 5101 5117, 3132: an init outside of what its state says, two containers in one cgroup: test_target
 *   runc 4620, cri-o 8904; systemd 17637: a removed scope, tasks moved out: system/test_cgroup.sh
 *   runc 2356 2416, kloak 177 193, systing 114 209: all that lies below, also what is made later: system/coverage
 *   bcc 1329 2971, opentelemetry-ebpf-profiler 1657 620 170, pyroscope 3008, beyla 130 578: numbers of nested pid
 *       namespaces                                       test_ns, runtimes/test_ways.sh
 *   podtrace 55: what is missing is said                 test_target, system/test_check.sh
 *   kata-containers 10733: nothing of ctrace's is written to a cgroup
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/sysmacros.h>

#include <cmocka.h>

#include "tree.h"

#include "target/target.h"

#define I  "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define P  "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define N  "aaaabbbbccccddddaaaabbbbccccddddaaaabbbbccccddddaaaabbbbccccdddd"
#define U  "6f8a2d1e-3c4b-4a5d-9e8f-001122334455"
#define U_ "6f8a2d1e_3c4b_4a5d_9e8f_001122334455"
#define H  "0123456789abcdef0123456789abcdef"

/* The mounts lie below a directory that is named as a container (tracee 3231). */
#define CG "docker/" P

#define KUBE  "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" U_ ".slice"
#define USER  "/user.slice/user-1000.slice/user@1000.service/user.slice"
#define V2(p) "0::" p "\n"

static const struct report {
	const char *name, *lines;
	const char *runtime;    /* NULL: in no container */
	const char *id;
	const char *dir;        /* what is traced, below the mounts */
	const char *pod_uid;    /* NULL */
} reports[] = {
	{ "tracee 5086, netdata 21317", V2("/machine.slice/libpod-conmon-" I ".scope"), NULL, NULL, NULL, NULL },
	{ "tracee 5190", V2(KUBE "/crio-conmon-" I ".scope"), NULL, NULL, NULL, NULL },
	{ "tracee 958", V2("/system.slice/snap.lxd.daemon." I ".scope"), NULL, NULL, NULL, NULL },
	{ "tracee 2925, 2896; spire 1081", V2("/docker/" N "/kubelet/kubepods/besteffort/pod" U "/" I), "", I,
	  "unified/docker/" N "/kubelet/kubepods/besteffort/pod" U "/" I, U },
	{ "tracee 3231", V2("/user.slice"), NULL, NULL, NULL, NULL },
	{ "tracee 1934", "5:memory:/docker/" I "\n4:pids:/other/docker/" I "\n0::/\n", "docker", I, "memory/docker/" I, NULL },
	{ "tetragon 1959", V2("/kubepods/burstable/pod" U "/" I), "", I, "unified/kubepods/burstable/pod" U "/" I, U },
	{ "tetragon 1959, systemd", V2(KUBE "/docker-" I ".scope"), "docker", I, "unified" KUBE "/docker-" I ".scope", U },
	{ "tetragon 2639, datadog-agent 52928", V2(KUBE "/crio-" I ".scope/container"), "crio", I, "unified" KUBE "/crio-" I ".scope", U },
	{ "tetragon 5693", V2(KUBE "/crio-" I ".scope/container/init.scope"), "crio", I, "unified" KUBE "/crio-" I ".scope", U },
	{ "inspektor-gadget 1515", V2("/system.slice/crun-web.scope/container"), "crun", "web", "unified/system.slice/crun-web.scope", NULL },
	{ "falco libs 1613", V2("/machine.slice/libpod-" I ".scope/container"), "podman", I, "unified/machine.slice/libpod-" I ".scope", NULL },
	{ "falco libs 1115", V2(USER "/libpod-" I ".scope/container"), "podman", I, "unified" USER "/libpod-" I ".scope", NULL },
	{ "falco libs 219", V2("/system.slice/docker-" I ".scope"), "docker", I, "unified/system.slice/docker-" I ".scope", NULL },
	{ "falco plugins 1378", V2("/system.slice/nerdctl-" I ".scope"), "containerd", I, "unified/system.slice/nerdctl-" I ".scope", NULL },
	{ "cadvisor 3457, 3565, 3838; cri-o 8034, 8748", V2(KUBE "/crio-" P), NULL, NULL, NULL, NULL },
	{ "cadvisor 1211, 1572", V2("/system.slice/var-lib-docker-containers-" I "-mounts-shm.mount"), NULL, NULL, NULL, NULL },
	{ "cadvisor 3923, datadog-agent 24186, opentelemetry-go 3633", V2("/ecs/" H "/" H "-1234567890"), "ecs", H "-1234567890",
	  "unified/ecs/" H "/" H "-1234567890", NULL },
	{ "datadog-agent 50692", "5:memory:/docker/" I "\n1:name=systemd:/docker/" I "\n0::/\n", "docker", I, "memory/docker/" I, NULL },
	{ "spire 4088", "5:memory:" KUBE "/crio-" I ".scope\n1:name=systemd:/system.slice/crio-conmon-" P ".scope\n0::/system.slice/crio.service\n",
	  "crio", I, "memory" KUBE "/crio-" I ".scope", U },
	{ "spire 949, 1535", V2("/kubepods.slice/kubepods-pod" U_ ".slice/cri-containerd-" I ".scope"), "containerd", I,
	  "unified/kubepods.slice/kubepods-pod" U_ ".slice/cri-containerd-" I ".scope", U },
	{ "netdata 13470", "3:cpuset:/system.slice/containerd.service/cpuset/" P "\n5:memory:/k8s.io/" I "\n0::/\n", "containerd", I,
	  "memory/k8s.io/" I, NULL },
	{ "coroot-node-agent 251", V2("/system.slice/web.service/libpod-payload-" I), "podman", I, "unified/system.slice/web.service/libpod-payload-" I,
	  NULL },
	{ "podman 8265, 8290, 9302, 10602", "1:name=systemd:/user.slice/session-1.scope\n5:memory:/libpod_parent/libpod-" I "\n4:pids:/\n0::/\n",
	  "podman", I, "memory/libpod_parent/libpod-" I, NULL },
	{ "podman 13673", V2("/system.slice/web.service/supervisor"), NULL, NULL, NULL, NULL },
	{ "podman 16589", V2("/system.slice/web.service/runtime"), NULL, NULL, NULL, NULL },
	{ "containerd 7276", V2("/system.slice/containerd.service/kubepods-burstable-pod" U_ ".slice:cri-containerd:" I), "containerd", I,
	  "unified/system.slice/containerd.service/kubepods-burstable-pod" U_ ".slice:cri-containerd:" I, U },
	{ "moby 20152, runc 577", "5:memory:/docker/" I "\n1:name=systemd:/system.slice/docker.service\n0::/system.slice/docker.service\n",
	  "docker", I, "memory/docker/" I, NULL },
	{ "envbox 168", V2("/docker/" N "/docker/" I), "docker", I, "unified/docker/" N "/docker/" I, NULL },
	{ "amazon-ecs-agent 1119", "5:memory:/ecs/0123abcd/" I "\n0::/\n", "", I, "memory/ecs/0123abcd/" I, NULL },
	{ "backend.ai 13796", V2("/a.slice/a-b.slice/docker-" I ".scope"), "docker", I, "unified/a.slice/a-b.slice/docker-" I ".scope", NULL },
};

static struct target_env env;
static char told[512];

static void report(const char *line, void *data)
{
	(void)data;
	snprintf(told, sizeof(told), "%s", line);
}

static void make_process(int pid, int ppid, const char *nspid, const char *lines, const char *mounts)
{
	char path[64];

	tree_process(pid, ppid, nspid, lines);
	snprintf(path, sizeof(path), "proc/%d/comm", pid);
	tree_file(path, "%s\n", "x");
	snprintf(path, sizeof(path), "proc/%d/ns", pid);
	tree_dir(path);
	snprintf(path, sizeof(path), "proc/%d/ns/mnt", pid);
	assert_int_equal(symlink(mounts, tree_path(path)), 0);
}

static const struct {
	const char *prefix, *dir, *options;
} hierarchies[] = {
	{ "0::", "unified", NULL }, { "5:memory:", "memory", "memory" }, { "4:pids:", "pids", "pids" },
	{ "3:cpuset:", "cpuset", "cpuset" }, { "1:name=systemd:", "systemd", "name=systemd" },
};

static void make_mounts(void)
{
	_cleanup_free_ char *text = strdup("");
	struct stat st;

	assert_int_equal(stat(tree, &st), 0);
	for (size_t i = 0; i < ARRAY_SIZE(hierarchies); i++) {
		char *more;

		assert_true(asprintf(&more, "%s%zu 1 %u:%u / %s/" CG "/%s rw - %s x rw%s%s\n", text, 30 + i, major(st.st_dev), minor(st.st_dev),
				     tree, hierarchies[i].dir, hierarchies[i].options ? "cgroup" : "cgroup2", hierarchies[i].options ? "," : "",
				     hierarchies[i].options ? hierarchies[i].options : "") > 0);
		free(text);
		text = more;
	}
	tree_file("proc/self/mountinfo", "%s", text);
	tree_file("proc/self/cgroup", "%s", "5:memory:/\n4:pids:/\n3:cpuset:/\n1:name=systemd:/\n0::/\n");
}

/* The directories of a process's lines, with it in them. */
static void make_cgroups(int pid, const char *lines)
{
	while (*lines) {
		size_t n = strcspn(lines, "\n");

		for (size_t i = 0; i < ARRAY_SIZE(hierarchies); i++) {
			size_t k = strlen(hierarchies[i].prefix);
			char path[PATH_MAX];

			if (strncmp(lines, hierarchies[i].prefix, k))
				continue;
			snprintf(path, sizeof(path), CG "/%s%.*s/cgroup.procs", hierarchies[i].dir, (int)(n - k), lines + k);
			tree_file(path, "%d\n", pid);
			snprintf(path, sizeof(path), CG "/%s%.*s/%s", hierarchies[i].dir, (int)(n - k), lines + k, i ? "tasks" : "cgroup.threads");
			tree_file(path, "%d\n", pid);
		}
		lines += n + (lines[n] == '\n');
	}
}

static void begin(void)
{
	tree_make();
	make_mounts();
	make_process(1, 0, "", V2("/init.scope"), "mnt:[1]");
	make_process(50, 1, "", V2("/system.slice/runtime.service"), "mnt:[1]");
	assert_int_equal(symlink("pid:[4026531836]", tree_path("proc/1/ns/pid")), 0);
}

static void open_env(void)
{
	env = (struct target_env){ .proc_fd = open(tree_path("proc"), O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	assert_true(env.proc_fd >= 0);
	env.proc_path = strdup(tree_path("proc"));
	env.cgroupfs_path = strdup(tree_path(CG));
	env.root_prefix = strdup(tree_path("root"));
}

static void end(void)
{
	target_env_done(&env);
	tree_remove();
}

static int resolve(const char *arg, bool wait, struct target_list *ret)
{
	struct target_spec spec = { .kind = TARGET_CONTAINER, .arg = (char *)arg };

	told[0] = '\0';
	return targets_resolve(&env, &spec, 1, wait, false, report, NULL, ret);
}

static void check(const struct report *r)
{
	struct target_list l = { 0 };
	const struct container_info *c;
	const char *dir;

	if (resolve("pid:100", false, &l)) {
		if (r->runtime)
			fail_msg("%s: %s", r->name, told);
		assert_non_null(strstr(told, "process 100 is in no container"));
		target_list_done(&l);
		return;
	}
	if (!r->runtime)
		fail_msg("%s: taken for %s", r->name, l.v[0].container->id);
	c = l.v[0].container;
	dir = l.v[0].cgroups[0].path + strlen(tree_path(CG "/"));
	if (strcmp(c->id, r->id) || strcmp(c->runtime ? c->runtime : "", r->runtime) || strcmp(dir, r->dir))
		fail_msg("%s: %s %s in %s", r->name, c->runtime, c->id, dir);
	if (r->pod_uid && (!c->pod_uid || strcmp(c->pod_uid, r->pod_uid)))
		fail_msg("%s: pod %s", r->name, c->pod_uid ? c->pod_uid : "unknown");
	if (l.v[0].init_pid != 100)
		fail_msg("%s: its init is %d", r->name, (int)l.v[0].init_pid);
	target_list_done(&l);
}

static void test_reports(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(reports); i++) {
		begin();
		/* what runs containers in a node runs in the node */
		make_process(60, 50, "\t1", V2("/docker/" N "/init"), "mnt:[60]");
		make_process(100, strstr(reports[i].lines, "/docker/" N) ? 60 : 50, "\t1", reports[i].lines, "mnt:[100]");
		make_cgroups(100, reports[i].lines);
		open_env();
		/* a process in no container has the host's mounts, or the shapeless would find it */
		if (!reports[i].runtime) {
			assert_int_equal(unlink(tree_path("proc/100/ns/mnt")), 0);
			make_process(100, 50, "", reports[i].lines, "mnt:[1]");
		}
		check(&reports[i]);
		end();
	}
}

#define WEB "/docker/" N

static void write_docker(const char *id, const char *name, int pid, const char *runtime)
{
	char path[256];

	snprintf(path, sizeof(path), "root/var/lib/docker/containers/%s/config.v2.json", id);
	tree_file(path, "{\"ID\":\"%s\",\"Name\":\"/%s\",\"State\":{\"Running\":%s,\"Pid\":%d}}", id, name, pid ? "true" : "false", pid);
	snprintf(path, sizeof(path), "root/var/lib/docker/containers/%s/hostconfig.json", id);
	tree_file(path, "{\"Runtime\":\"%s\"}", runtime);
}

static void expect_in(const char *arg, const char *id, const char *dir)
{
	struct target_list l = { 0 };

	if (resolve(arg, false, &l))
		fail_msg("%s: %s", arg, told);
	assert_string_equal(l.v[0].container->id, id);
	assert_string_equal(l.v[0].cgroups[0].path + strlen(tree_path(CG "/")), dir);
	assert_int_equal(l.v[0].n_cgroups, 1);
	target_list_done(&l);
}

static void expect_failure(const char *arg, bool wait, const char *line)
{
	struct target_list l = { 0 };

	assert_int_equal(resolve(arg, wait, &l), 1);
	assert_string_equal(told, line);
	target_list_done(&l);
}

static bool is_listed(const char *id, const char **ret_kernel)
{
	struct target_list l = { 0 };
	struct list_doubts doubts;
	bool found = false;

	assert_int_equal(containers_list(&env, &l, &doubts), 0);
	list_doubts_done(&doubts);
	for (size_t i = 0; i < l.n; i++)
		if (!strcmp(l.v[i].container->id, id)) {
			assert_false(found);
			found = true;
			*ret_kernel = l.v[i].container->kernel;
		}
	target_list_done(&l);
	return found;
}

/* A container makes directories of others' names in its own cgroup: its tasks stay its own, and others their names. */
static void test_faked(void **state)
{
	static const char *const names[] = {
		"/docker-" I ".scope", "/docker/" I, "/kata_" I, "/lxc.payload.x", "/machine-x.scope/payload", "/runc-x.scope", "/" I,
		"/libpod-conmon-" I ".scope", "/x.mount", "/docker/buildkit/x",
	};
	const char *kernel;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char lines[512];

		begin();
		write_docker(N, "web", 100, "runc");
		/* it is stopped, and its name is in use */
		write_docker(I, "gone", 0, "runc");
		make_process(100, 50, "\t1", V2(WEB), "mnt:[100]");
		make_cgroups(100, V2(WEB));
		snprintf(lines, sizeof(lines), "0::%s%s\n", WEB, names[i]);
		/* the one time a child of it, the other time itself */
		make_process(101, 100, "\t2", lines, "mnt:[100]");
		make_cgroups(101, lines);
		if (i % 2) {
			assert_int_equal(unlink(tree_path("proc/100/ns/mnt")), 0);
			make_process(100, 50, "\t1", lines, "mnt:[100]");
			make_cgroups(100, lines);
		}
		open_env();
		expect_in("pid:100", N, "unified" WEB);
		expect_in("pid:101", N, "unified" WEB);
		expect_in("web", N, "unified" WEB);
		expect_failure("gone", false, "container gone is not running: docker gone (0123456789ab)");
		assert_true(is_listed(N, &kernel));
		assert_false(is_listed(I, &kernel));
		assert_false(is_listed("x", &kernel));
		end();
	}
}

/* One that no runtime knows, and that was put into mounts of its own, is a container in the container. */
static void test_nested(void **state)
{
	static const char inner[] = "/docker/" I;
	const char *kernel;

	(void)state;
	begin();
	write_docker(N, "node", 100, "runc");
	make_process(100, 50, "\t1", V2(WEB), "mnt:[100]");
	make_cgroups(100, V2(WEB));
	make_process(101, 100, "\t2\t1", V2(WEB "/docker/" I), "mnt:[101]");
	make_process(102, 101, "\t3\t2", V2(WEB "/docker/" I), "mnt:[101]");
	make_cgroups(101, V2(WEB "/docker/" I));
	tree_file(CG "/unified" WEB "/docker/" I "/cgroup.procs", "%s", "102\n101\n");
	/* and one that a name alone says to be on another kernel */
	make_process(103, 100, "\t4\t1", V2(WEB "/kata_" P), "mnt:[103]");
	make_cgroups(103, V2(WEB "/kata_" P));
	open_env();
	expect_in("pid:101", I, "unified" WEB "/docker/" I);
	expect_in("pid:102", I, "unified" WEB "/docker/" I);
	expect_in("pid:103", P, "unified" WEB "/kata_" P);
	expect_in(&inner[8], I, "unified" WEB "/docker/" I);
	expect_in("node", N, "unified" WEB);
	assert_true(is_listed(I, &kernel));
	assert_true(is_listed(P, &kernel));
	assert_null(kernel);
	end();
}

/* gVisor and Kata: what is asked for is told to be out of reach, when it runs and when it would be waited for. */
static void test_other_kernel(void **state)
{
	static const char gvisor[] = "container web runs under gVisor (runsc): its system calls do not reach this kernel";
	static const char pod[] = V2("/kubepods/burstable/pod" U "/kata_" P);
	const char *kernel;

	(void)state;
	begin();
	write_docker(N, "web", 100, "runsc");
	write_docker(I, "later", 0, "io.containerd.kata.v2");
	make_process(100, 50, "\t1", V2(WEB), "mnt:[100]");
	make_cgroups(100, V2(WEB));
	/* Kata's shim has no cgroup that names the container */
	tree_file("root/run/containerd/io.containerd.runtime.v2.task/default/vm/init.pid", "%s", "50");
	tree_file("root/run/containerd/io.containerd.runtime.v2.task/default/vm/shim-binary-path", "%s", "/usr/bin/containerd-shim-kata-v2");
	make_process(110, 50, "\t1", pod, "mnt:[110]");
	make_cgroups(110, pod);
	open_env();
	expect_failure("web", false, gvisor);
	expect_failure("web", true, gvisor);
	expect_failure("pid:100", false, "container pid:100 runs under gVisor (runsc): its system calls do not reach this kernel");
	expect_failure("later", false, "container later is not running: docker later (0123456789ab)");
	expect_failure("later", true, "container later runs in a virtual machine (Kata): its system calls do not reach this kernel");
	expect_failure("vm", false, "container vm runs in a virtual machine (Kata): its system calls do not reach this kernel");
	expect_failure(P, false, "container " P " runs in a virtual machine (Kata): its system calls do not reach this kernel");
	expect_failure("pid:110", false, "container pid:110 runs in a virtual machine (Kata): its system calls do not reach this kernel");
	assert_true(is_listed(N, &kernel));
	assert_string_equal(kernel, "gVisor");
	assert_true(is_listed("vm", &kernel));
	assert_string_equal(kernel, "Kata");
	assert_true(is_listed(P, &kernel));
	assert_string_equal(kernel, "Kata");
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reports), cmocka_unit_test(test_faked), cmocka_unit_test(test_nested), cmocka_unit_test(test_other_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
