/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_cgroup */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tree.h"

#include "cgroup/runtime.h"

#define FIXTURE CTRACE_UNIT_DIR "/fixtures/runtimes"

/* Eight digits, eight times: the IDs of the fixtures. */
#define ID(s) s s s s s s s s
#define UID "6f8a2d1e-3c4b-4a5d-9e8f-001122334455"

/* In a database that containerd's CRI plugin wrote, where k3s has it: an init container and its sandbox. */
#define K3S_INIT    "67121de43b0f92cdd3288ccb685aabaa0a3ccebeefd05be1f95c0ebbfd9453e7"
#define K3S_SANDBOX "cc49a133d5f654f0e74f631e77842c62b638a5ae6e4f339b10474695cae4c2b3"
#define K3S_UID     "7e38f08f-41cb-4ebf-84c2-a57ba9b274d0"

/* A procfs without processes. */
static void make_empty_proc(void)
{
	tree_make();
	tree_dir("proc");
}

static void list_below(const char *root, struct runtime_env *env, struct container_entries *ret)
{
	static char proc[PATH_MAX * 2];
	int fd;

	snprintf(proc, sizeof(proc), "%s/proc", tree);
	fd = open(proc, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(runtime_env_open(fd, proc, root, env), 0);
	assert_int_equal(runtime_list(env, ret), 0);
	runtime_env_done(env);
	close(fd);
}

static const struct container_entry *find(const struct container_entries *l, const char *id)
{
	const struct container_entry *found = NULL;

	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->v[i].id, id)) {
			assert_null(found);
			found = &l->v[i];
		}
	if (!found)
		fail_msg("not listed: %s", id);
	return found;
}

static void same_string(const char *id, const char *what, const char *is, const char *want)
{
	if ((!is != !want) || (is && strcmp(is, want)))
		fail_msg("%s: %s is %s, not %s", id, what, is ? is : "none", want ? want : "none");
}

#define SAFE(container) .runtime = "containerd", .space = "k8s.io", .name = container, .pod = "safe-0", .pod_namespace = "shop", .pod_container = container

static const struct container_entry fixture[] = {
	{ .id = ID("9c6eb891"), .runtime = "docker", .name = "web", .image = "nginx:1", .pid = 6229, .start = 880011,
	  .cgroup_path = "/docker/" ID("9c6eb891"), .service = "front" },
	{ .id = ID("dead0001"), .runtime = "docker", .name = "old", .image = "nginx:0", .stopped = true },
	{ .id = ID("cafe0002"), .runtime = "docker", .name = "k8s_app_pod-0_default_x_0", .image = "app", .pid = 6300,
	  .pod_namespace = "default", .pod = "pod-0", .pod_uid = UID, .pod_container = "app" },
	{ .id = ID("5a4d0c0d"), .runtime = "docker", .name = "k8s_POD_pod-0_default_x_0", .image = "pause", .pid = 6301, .sandbox = true,
	  .pod_namespace = "default", .pod = "pod-0", .pod_uid = UID, .pod_container = "POD" },
	{ .id = ID("c0ffee01"), .runtime = "containerd", .name = "nginx", .space = "k8s.io", .pid = 7001,
	  .image = "docker.io/library/nginx:1", .pod_namespace = "shop", .pod = "web-0", .pod_uid = UID,
	  .pod_container = "nginx" },
	{ .id = ID("5a4d0b0c"), .runtime = "containerd", .space = "k8s.io", .pid = 7000, .pod_namespace = "shop",
	  .pod = "web-0", .pod_uid = UID, .sandbox = true },
	{ .id = ID("0ddba11e"), .runtime = "containerd", .space = "default", .name = "nerd", .pid = 7100, .service = "nerdsvc",
	  .cgroup_path = "/default/" ID("0ddba11e") },
	{ .id = "ctr1", .runtime = "containerd", .space = "default", .pid = 7200, .start = 880200,
	  .cgroup_path = "/default/ctr1" },
	{ .id = "broken", .runtime = "containerd", .space = "default" },
	{ .id = "plain", .runtime = "runc", .pid = 7300, .start = 880300, .cgroup_path = "/own/path" },
	{ .id = "v1only", .runtime = "runc", .pid = 7301, .start = 880301, .cgroup_path = "/mem/v1only" },
	{ .id = "cplain", .runtime = "crun", .pid = 7400, .start = 880400, .cgroup_path = "/cplain" },
	{ .id = "cscope", .runtime = "crun", .pid = 7401, .start = 880401, .cgroup_path = "/user.slice/my-cscope.scope" },
	{ .id = ID("b0d0aa01"), .runtime = "podman", .name = "pweb", .image = "localhost/bb:1", .pid = 7500 },
	{ .id = ID("b0d0aa02"), .runtime = "podman", .name = "pvol" },
	{ .id = ID("b0d0aa03"), .runtime = "podman" },
	{ .id = K3S_INIT, .runtime = "containerd", .space = "k8s.io", .name = "app", .image = "localhost/ctrace-box:1", .stopped = true,
	  .pod_namespace = "shop", .pod = "web-1", .pod_uid = K3S_UID, .pod_container = "app" },
	{ .id = K3S_SANDBOX, .runtime = "containerd", .space = "k8s.io", .image = "localhost/ctrace-box:1", .stopped = true, .sandbox = true,
	  .pod_namespace = "shop", .pod = "web-1", .pod_uid = K3S_UID },
	{ .id = ID("c410aa01"), .runtime = "crio", .name = "side", .image = "reg/side:2", .pid = 7600,
	  .pod_namespace = "kube-system", .pod = "crio-pod", .pod_uid = "uid1", .pod_container = "side" },
	{ .id = ID("c410aa02"), .runtime = "crio", .name = "k8s_POD_crio-pod_kube-system_uid1_0", .sandbox = true,
	  .pod_namespace = "kube-system", .pod = "crio-pod", .pod_uid = "uid1", .pod_container = "crio-pod" },
	{ .id = "web", .runtime = "lxc", .name = "web", .stopped = true },
	{ .id = "101", .runtime = "lxc", .name = "shop", .stopped = true },
	{ .id = "c1", .runtime = "lxd", .name = "c1", .space = "default", .image = "ubuntu 22.04 LTS amd64 (release)", .stopped = true },
	{ .id = "blue_c2", .runtime = "lxd", .name = "c2", .space = "blue", .image = "89abcdef", .stopped = true },
	{ .id = "green_i1", .runtime = "incus", .name = "i1", .space = "green", .stopped = true },
	{ .id = "box", .runtime = "nspawn", .name = "box", .pid = 8200 },
	{ .id = "lv", .runtime = "libvirt", .name = "lv", .pid = 8202 },
	{ .id = "inst", .runtime = "apptainer", .name = "inst", .image = "/srv/app.sif", .pid = 8300 },
	{ .id = "old", .runtime = "singularity", .name = "old", .image = "/srv/old.sif", .pid = 8301 },
	{ .id = "gv1", .runtime = "runsc", .pid = 8400, .kernel = "gVisor" },
	{ .id = ID("6f150001"), SAFE("c1"), .pid = 8410, .kernel = "gVisor" },
	/* runsc's own state has another process: that of the sandbox */
	{ .id = ID("6f150002"), SAFE("c2"), .pid = 8411, .kernel = "gVisor" },
	{ .id = ID("6f150003"), SAFE("c3"), .pid = 8412, .kernel = "gVisor" },
	{ .id = ID("6f150004"), SAFE("c4"), .pid = 8413, .kernel = "Kata" },
	{ .id = ID("6f150005"), SAFE("c5"), .pid = 8414, .kernel = "Kata" },
	{ .id = ID("6f150006"), SAFE("c6"), .pid = 8415 },
	{ .id = ID("9c6e0001"), .runtime = "docker", .name = "safe", .image = "img", .pid = 8420, .kernel = "gVisor" },
};

static void test_fixture(void **state)
{
	struct container_entries l = { 0 };
	struct runtime_env env;

	(void)state;
	make_empty_proc();
	list_below(FIXTURE, &env, &l);
	tree_remove();
	for (size_t i = 0; i < ARRAY_SIZE(fixture); i++) {
		const struct container_entry *want = &fixture[i], *is = find(&l, want->id);

		same_string(want->id, "runtime", is->runtime, want->runtime);
		same_string(want->id, "name", is->name, want->name);
		same_string(want->id, "namespace", is->space, want->space);
		same_string(want->id, "image", is->image, want->image);
		same_string(want->id, "pod namespace", is->pod_namespace, want->pod_namespace);
		same_string(want->id, "pod", is->pod, want->pod);
		same_string(want->id, "pod uid", is->pod_uid, want->pod_uid);
		same_string(want->id, "pod container", is->pod_container, want->pod_container);
		same_string(want->id, "service", is->service, want->service);
		same_string(want->id, "cgroup path", is->cgroup_path, want->cgroup_path);
		same_string(want->id, "kernel", is->kernel, want->kernel);
		assert_int_equal(is->pid, want->pid);
		assert_true(is->start == want->start);
		assert_int_equal(is->stopped, want->stopped);
		assert_int_equal(is->sandbox, want->sandbox);
		assert_int_equal(is->owner, 0);
	}
	assert_int_equal(l.n, ARRAY_SIZE(fixture));
	container_entries_done(&l);
}

static const char *pod_label(const struct container_entries *l, const char *id, const char *key)
{
	const struct container_entry *e = container_pod_labels(l, find(l, id));

	for (size_t i = 0; e && i < e->n_labels; i++)
		if (!strcmp(e->labels[i].key, key))
			return e->labels[i].value;
	return NULL;
}

/* A pod's labels are those of its sandbox: in containerd's database, in CRI-O's annotations, in docker's configuration. */
static void test_labels(void **state)
{
	struct container_entries l = { 0 };
	struct runtime_env env;

	(void)state;
	make_empty_proc();
	list_below(FIXTURE, &env, &l);
	tree_remove();
	same_string("containerd", "label", pod_label(&l, ID("c0ffee01"), "app"), "web");
	same_string("containerd", "label", pod_label(&l, ID("c0ffee01"), "pod-template-hash"), "5d4f");
	same_string("containerd", "label", pod_label(&l, ID("5a4d0b0c"), "tier"), "front");
	same_string("containerd", "label", pod_label(&l, ID("c0ffee01"), "none"), NULL);
	same_string("crio", "label", pod_label(&l, ID("c410aa01"), "app"), "side");
	same_string("docker", "label", pod_label(&l, ID("cafe0002"), "app"), "dock");
	same_string("k3s", "label", pod_label(&l, K3S_INIT, "app"), "web");
	same_string("k3s", "kind", find(&l, K3S_INIT)->pod_kind, "init");
	same_string("containerd", "kind", find(&l, ID("c0ffee01"))->pod_kind, NULL);
	same_string("crio", "kind", find(&l, ID("c410aa01"))->pod_kind, "ephemeral");
	same_string("docker", "kind", find(&l, ID("cafe0002"))->pod_kind, "container");
	/* In no pod. */
	assert_null(container_pod_labels(&l, find(&l, ID("0ddba11e"))));
	assert_int_equal(find(&l, ID("0ddba11e"))->n_labels, 2);
	container_entries_done(&l);
}

static size_t read_database(const char *root, char *bytes, size_t size)
{
	char path[PATH_MAX];
	FILE *f;
	size_t len;

	snprintf(path, sizeof(path), FIXTURE "%s/io.containerd.metadata.v1.bolt/meta.db", root);
	f = fopen(path, "re");
	assert_non_null(f);
	len = fread(bytes, 1, size, f);
	fclose(f);
	return len;
}

#define METADATA "root/var/lib/containerd/io.containerd.metadata.v1.bolt/meta.db"

/* The database alone: what it lists does not run, as far as it tells. Broken ones do no harm. */
static void test_metadata(void **state)
{
	static char bytes[200000];
	struct container_entries l = { 0 };
	struct runtime_env env;
	size_t len = read_database("/var/lib/containerd", bytes, sizeof(bytes));

	(void)state;
	make_empty_proc();
	tree_bytes(METADATA, bytes, len);
	list_below(tree_path("root"), &env, &l);
	/* The other two have names for IDs. */
	assert_int_equal(l.n, 3);
	assert_true(find(&l, ID("c0ffee01"))->stopped);
	assert_string_equal(find(&l, ID("c0ffee01"))->name, "nginx");
	assert_string_equal(find(&l, ID("c0ffee01"))->pod, "web-0");
	assert_true(find(&l, ID("5a4d0b0c"))->sandbox);
	assert_null(find(&l, ID("5a4d0b0c"))->name);
	container_entries_done(&l);
	for (size_t cut = 0; cut < len; cut += 4099) {
		tree_bytes(METADATA, bytes, cut);
		list_below(tree_path("root"), &env, &l);
		assert_true(l.n <= 3);
		container_entries_done(&l);
	}
	tree_remove();
}

/* Each byte in turn of what CRI keeps of a container is another one. */
static void test_mutated(void **state)
{
	static char bytes[200000];
	size_t len = read_database("/var/lib/rancher/k3s/agent/containerd", bytes, sizeof(bytes)), tried = 0, kinds = 0;
	struct container_entries l = { 0 };
	struct runtime_env env;
	char *at = memmem(bytes, len, "github.com/containerd/cri/pkg/store/container/Metadata", 54);

	(void)state;
	assert_non_null(at);
	make_empty_proc();
	/* The Any's tags and lengths stand before its name and behind it, then there is JSON. */
	for (char *p = at - 2; p < at + 100; p++) {
		static const char others[] = { 0, 1, 2, 0x12, 0x7f, (char)0x80, (char)0xff };
		char is = *p;

		for (size_t i = 0; i < sizeof(others); i++, tried++) {
			*p = others[i];
			tree_bytes(METADATA, bytes, len);
			list_below(tree_path("root"), &env, &l);
			for (size_t k = 0; k < l.n; k++)
				kinds += l.v[k].pod_kind != NULL;
			container_entries_done(&l);
		}
		*p = is;
	}
	assert_true(kinds > tried / 4 && kinds < tried);
	tree_remove();
}

#define DOCKER "root/var/lib/docker/containers/"
#define GOOD   ID("900d900d")

static void write_docker(const char *path, const char *id, const char *name)
{
	tree_file(path, "{\"ID\":\"%s\",\"Name\":\"/%s\",\"State\":{\"Running\":true,\"Pid\":1}}", id, name);
}

/* Whatever stands beside it, the good container is listed, and nothing else. */
static void test_hostile_files(void **state)
{
	static const char nul[] = "{\"ID\":\"" ID("00000001") "\0\",\"Name\":\"/x\"}";
	static const char nul_escape[] = "{\"ID\":\"" ID("00000002") "\\u0000\",\"Name\":\"/x\"}";
	struct container_entries l = { 0 };
	struct runtime_env env;
	char *huge;

	(void)state;
	make_empty_proc();
	write_docker(DOCKER "good/config.v2.json", GOOD, "good");
	tree_file(DOCKER "a/config.v2.json", "%s", "");
	tree_file(DOCKER "b/config.v2.json", "%s", "{\"ID\":");
	tree_file(DOCKER "c/config.v2.json", "%s", "[1,2,3]");
	tree_file(DOCKER "d/config.v2.json", "%s", "{\"ID\":17,\"Name\":[]}");
	tree_file(DOCKER "e/config.v2.json", "%s", "{\"Name\":\"/noid\"}");
	tree_file(DOCKER "f/config.v2.json", "%s", "{\"ID\":\"../../x\",\"Name\":\"/slash\"}");
	tree_bytes(DOCKER "g/config.v2.json", nul, sizeof(nul) - 1);
	tree_bytes(DOCKER "h/config.v2.json", nul_escape, sizeof(nul_escape) - 1);
	tree_dir(DOCKER "i/config.v2.json");
	assert_int_equal(mkdir(tree_path(DOCKER "j"), 0755), 0);
	assert_int_equal(mkfifo(tree_path(DOCKER "j/config.v2.json"), 0600), 0);
	huge = malloc(5u << 20);
	assert_non_null(huge);
	memset(huge, '[', 5u << 20);
	tree_bytes(DOCKER "k/config.v2.json", huge, 5u << 20);
	tree_bytes(DOCKER "l/config.v2.json", huge, 1u << 20);
	free(huge);
	list_below(tree_path("root"), &env, &l);
	assert_int_equal(l.n, 1);
	assert_string_equal(l.v[0].id, GOOD);
	assert_string_equal(l.v[0].name, "good");
	container_entries_done(&l);
	tree_remove();
}

/* Of the runtimes whose files are text, or lie in folders: there is the container, with nothing that the bytes do not say. */
static void test_hostile_text(void **state)
{
	static const struct {
		const char *path;
		bool listed;            /* whatever is in the file */
	} files[] = {
		{ "root/var/lib/lxc/x/config", true }, { "root/var/lib/lxd/containers/x/backup.yaml", true },
		{ "root/run/systemd/machines/x", false }, { "root/root/.apptainer/instances/app/h/u/x/x.json", false },
		{ "root/run/runsc/x_sandbox:y.state", false },
	};
	static const struct {
		const char *bytes;
		size_t len;
		bool machine;           /* enough to be one */
	} texts[] = {
#define TEXT(s, machine) { s, sizeof(s) - 1, machine }
		TEXT("", false), TEXT("\0", false), TEXT("\n", false), TEXT("=", false), TEXT("lxc.uts.name", false),
		TEXT("lxc.uts.name = ", false), TEXT("image.description: \"", false), TEXT("image.description:", false), TEXT("CLASS=", false),
		TEXT("CLASS=container", true), TEXT("CLASS=container\nLEADER=", true), TEXT("CLASS=\"", false),
		TEXT("CLASS=container\nLEADER=99999999999999999999", true), TEXT("CLASS=container\nLEADER=-1\nSCOPE=\"\"", true),
		TEXT("CLASS=container\nLEADER=7x", true), TEXT("LEADER=7\0CLASS=container", false), TEXT("{\"pid\":", false), TEXT("[7]", false),
		TEXT("lxc.cgroup.dir.container = ////", false), TEXT("\xff\xfe\x1b[2J\r", false),
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		for (size_t k = 0; k < ARRAY_SIZE(texts); k++) {
			struct container_entries l = { 0 };
			struct runtime_env env;

			make_empty_proc();
			tree_bytes(files[i].path, texts[k].bytes, texts[k].len);
			list_below(tree_path("root"), &env, &l);
			if (l.n != (files[i].listed || (i == 2 && texts[k].machine)))
				fail_msg("%s with %s: %zu containers", files[i].path, texts[k].bytes, l.n);
			if (l.n) {
				assert_string_equal(l.v[0].id, "x");
				assert_int_equal(l.v[0].pid, 0);
				assert_null(l.v[0].image);
				assert_null(l.v[0].cgroup_path);
			}
			container_entries_done(&l);
			tree_remove();
		}
}

/* A state directory can lie in a container's root: its links stay below it. */
static void test_links(void **state)
{
	struct container_entries l = { 0 };
	struct runtime_env env;

	(void)state;
	make_empty_proc();
	write_docker("outside/" GOOD "/config.v2.json", GOOD, "outside");
	write_docker("root/inside/one/config.v2.json", ID("111d111d"), "inside");
	tree_dir("root/var/lib/docker/containers");
	assert_int_equal(symlink(tree_path("outside/" GOOD), tree_path(DOCKER "absolute")), 0);
	assert_int_equal(symlink("../../../../../outside/" GOOD, tree_path(DOCKER "relative")), 0);
	assert_int_equal(symlink("/inside/one", tree_path(DOCKER "good")), 0);
	list_below(tree_path("root"), &env, &l);
	assert_int_equal(l.n, 1);
	assert_string_equal(l.v[0].name, "inside");
	container_entries_done(&l);
	tree_remove();
}

/* crun's scope is looked for as a whole word of the path, behind a slash: the path's first byte has none before it. */
static void test_scope_at_begin(void **state)
{
	struct container_entries l = { 0 };
	struct runtime_env env;

	(void)state;
	make_empty_proc();
	tree_file("root/run/crun/scoped/status", "%s", "{\"pid\":5,\"cgroup-path\":\"/a/b\",\"scope\":\"/a\"}");
	list_below(tree_path("root"), &env, &l);
	assert_int_equal(l.n, 1);
	assert_string_equal(l.v[0].cgroup_path, "/a/b");
	container_entries_done(&l);
	tree_remove();
}

static void test_numbers(void **state)
{
	struct container_entries l = { 0 };
	struct runtime_env env;

	(void)state;
	make_empty_proc();
	tree_file("root/run/runc/neg/state.json", "%s", "{\"init_process_pid\":-5,\"init_process_start\":-1}");
	tree_file("root/run/runc/big/state.json", "%s", "{\"init_process_pid\":4294967297,\"cgroup_paths\":[]}");
	tree_file("root/run/runc/str/state.json", "%s", "{\"init_process_pid\":\"7\",\"cgroup_paths\":{\"\":\"/elsewhere/x\"}}");
	list_below(tree_path("root"), &env, &l);
	assert_int_equal(l.n, 3);
	for (size_t i = 0; i < l.n; i++) {
		assert_int_equal(l.v[i].pid, 0);
		assert_true(l.v[i].start == 0);
		assert_null(l.v[i].cgroup_path);
	}
	container_entries_done(&l);
	tree_remove();
}

static void write_process(int pid, const char *comm, const char *cmdline, size_t len)
{
	char path[64];

	snprintf(path, sizeof(path), "proc/%d/comm", pid);
	tree_file(path, "%s\n", comm);
	snprintf(path, sizeof(path), "proc/%d/cmdline", pid);
	tree_bytes(path, cmdline, len);
}

#define WRITE_PROCESS(pid, comm, cmdline) write_process(pid, comm, cmdline, sizeof(cmdline))

/* cmdline NULL: of a process that nobody looks at. */
struct proc_row {
	int pid, ppid;
	const char *comm, *cmdline;
	size_t len;
	const char *nspid, *children, *cgroup;
};

#define MONITOR(pid, comm, cmdline, children, cgroup) { pid, 1, comm, cmdline, sizeof(cmdline), "", children, cgroup }

static const struct proc_row monitors[] = {
	MONITOR(30, "lxc-start", "[lxc monitor] /tmp/my lxc web", "31", "/lxc.monitor.web"),
	{ 31, 30, NULL, NULL, 0, "\t1", "", "/lxc.payload.web-1/init.scope" },
	MONITOR(32, "lxc-start", "/usr/bin/lxc-start\0-F\0-n\000101", "33", "/lxc.monitor/101"),
	{ 33, 32, NULL, NULL, 0, "\t1", "", "/lxc/101/ns/init.scope" },
	MONITOR(34, "lxc-start", "lxc-start\0-P\0/tmp/p/\0--name=told\0-F", "35", "/my/own/monitor"),
	{ 35, 34, NULL, NULL, 0, "\t1", "", "/my/own/place/inner" },
	MONITOR(36, "lxd", "[lxc monitor] /var/snap/lxd/common/lxd/containers p_c1", "37", "/lxc.monitor.p_c1"),
	{ 37, 36, NULL, NULL, 0, "\t1", "", "/lxc.payload.p_c1/init.scope" },
	MONITOR(38, "incusd", "[lxc monitor] /var/lib/incus/containers i1", "900 39", "/lxc.monitor.i1"),
	/* a helper that is no init */
	{ 900, 38, NULL, NULL, 0, "", "", "/lxc.monitor.i1" },
	{ 39, 38, NULL, NULL, 0, "\t1", "", "/lxc.payload.i1" },
	MONITOR(40, "systemd-nspawn", "systemd-nspawn\0-bD\0/srv/x\0--machine\0box", "41", "/machine.slice/machine-box.scope/supervisor"),
	{ 41, 40, NULL, NULL, 0, "\t1", "", "/machine.slice/machine-box.scope/payload/init.scope" },
	MONITOR(42, "systemd-nspawn", "systemd-nspawn\0--register=no\0-i\0/srv/img.raw\0--\0-M\0no", "43", "/system.slice/img.service/supervisor"),
	{ 43, 42, NULL, NULL, 0, "\t1", "", "/system.slice/img.service/payload" },
	/* registered: once, by the unit that machined knows */
	MONITOR(44, "systemd-nspawn", "systemd-nspawn\0-Mreg\0-D/srv/reg", "45", "/machine.slice/reg.service/supervisor"),
	{ 45, 44, NULL, NULL, 0, "\t1", "", "/machine.slice/reg.service/payload/init.scope" },
	/* none of these is one */
	MONITOR(50, "lxd", "lxd\0--logfile\0/x", "57", "/"),
	MONITOR(51, "lxc-start", "[lxc monitor] ", "57", "/"),
	MONITOR(52, "lxc-start", "lxc-start\0-n", "57", "/"),
	MONITOR(53, "systemd-nspawn", "systemd-nspawn\0--directory", "57", "/"),
	MONITOR(54, "sleep", "[lxc monitor] /var/lib/lxc evil", "57", "/"),
	MONITOR(55, "lxc-start", "[lxc monitor] /var/lib/lxc ../evil", "57", "/"),
	/* its text has no end */
	{ 56, 1, "lxc-start", "[lxc monitor] /var/lib/lxc open", 31, "", "57", "/" },
	{ 57, 56, NULL, NULL, 0, "\t1", "", "/evil" },
};

static void write_row(const struct proc_row *p)
{
	char path[64], lines[128];

	if (p->cmdline)
		write_process(p->pid, p->comm, p->cmdline, p->len);
	snprintf(lines, sizeof(lines), "3:memory:/\n0::%s\n", p->cgroup);
	tree_process(p->pid, p->ppid, p->nspid, lines);
	snprintf(path, sizeof(path), "proc/%1$d/task/%1$d/children", p->pid);
	tree_file(path, "%s", p->children);
}

/* LXC and systemd-nspawn tell nothing in files: their monitors are found by their command lines, and inits as their children. */
static void test_monitors(void **state)
{
	static const struct {
		const char *id, *runtime, *name, *cgroup;
		int pid;
	} rows[] = {
		{ "web", "lxc", "web", "/lxc.payload.web-1", 31 },
		{ "101", "lxc", "shop", "/lxc/101", 33 },
		{ "told", "lxc", "told", "/my/own/place", 35 },
		{ "p_c1", "lxd", "c1", "/lxc.payload.p_c1", 37 },
		{ "i1", "incus", "i1", "/lxc.payload.i1", 39 },
		{ "box", "nspawn", "box", "/machine.slice/machine-box.scope/payload", 41 },
		{ "img", "nspawn", "img", "/system.slice/img.service/payload", 43 },
		{ "reg", "nspawn", "reg", "/machine.slice/reg.service/payload", 45 },
	};
	struct container_entries l = { 0 };
	struct runtime_env env;

	(void)state;
	make_empty_proc();
	for (size_t i = 0; i < ARRAY_SIZE(monitors); i++)
		write_row(&monitors[i]);
	tree_file("root/run/systemd/machines/reg", "NAME=reg\nSCOPE=reg.service\nSERVICE=systemd-nspawn\nCLASS=container\nLEADER=45\n");
	tree_dir("root/tmp/my lxc/web");
	tree_file("root/var/lib/lxc/101/config", "%s", "lxc.uts.name = shop\n");
	tree_file("root/tmp/p/told/config", "%s", "lxc.cgroup.dir.container = /no\nlxc.cgroup.dir.container = my/own/place\n");
	tree_dir("root/var/snap/lxd/common/lxd/containers/p_c1");
	tree_dir("root/var/lib/incus/containers/i1");
	list_below(tree_path("root"), &env, &l);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct container_entry *e = find(&l, rows[i].id);

		same_string(rows[i].id, "runtime", e->runtime, rows[i].runtime);
		same_string(rows[i].id, "name", e->name, rows[i].name);
		same_string(rows[i].id, "cgroup path", e->cgroup_path, rows[i].cgroup);
		assert_int_equal(e->pid, rows[i].pid);
		assert_false(e->stopped);
	}
	assert_int_equal(l.n, ARRAY_SIZE(rows));
	container_entries_done(&l);
	tree_remove();
}

/* Daemons, shims and monitors with state in places of their own. */
static void test_command_lines(void **state)
{
	static const char *const ids[] = {
		ID("d0000001"), ID("d0000002"), ID("d0000003"), ID("c0000001"), "ctr-by-config", ID("50000001"), "runc-by-root",
		"runc-by-exec-root", "k3s", ID("c0ffee01"), ID("5a4d0b0c"), ID("0ddba11e"),
	};
	static char bytes[200000];
	struct container_entries l = { 0 };
	struct runtime_env env;

	(void)state;
	make_empty_proc();
	WRITE_PROCESS(10, "dockerd", "dockerd\0--data-root\0/tmp/x/data\0--exec-root=/tmp/x/exec");
	WRITE_PROCESS(11, "dockerd", "/usr/bin/dockerd\0--data-root=/tmp/y/data/");
	WRITE_PROCESS(12, "dockerd", "dockerd\0--config-file\0/etc/d.json");
	WRITE_PROCESS(13, "containerd", "containerd\0--state\0/tmp/c/state");
	WRITE_PROCESS(14, "containerd", "containerd\0--config\0/etc/c.toml");
	/* As k3s, and likewise microk8s, starts it; the database lies below the root that is named. */
	WRITE_PROCESS(21, "containerd", "containerd\0-c\0/none.toml\0-a\0/k/c.sock\0--state\0/k/state\0--root\0/k/root");
	WRITE_PROCESS(15, "conmon", "conmon\0-c\0x\0-b\0/p/root/vfs-containers/x/userdata\0-p\0/p/run/vfs-containers/x/userdata/pidfile");
	WRITE_PROCESS(16, "runc", "runc\0--root\0/tmp/rr\0run\0runc-by-root");
	WRITE_PROCESS(17, "containerd-shim", "shim\0-namespace\0x");
	WRITE_PROCESS(18, "dockerd", "dockerd\0--data-root");
	WRITE_PROCESS(19, "conmon", "conmon\0-b\0/x\0-p\0y");
	WRITE_PROCESS(20, "sleep", "dockerd\0--data-root\0/not/a/daemon");
	tree_file("root/etc/d.json", "%s", "{\"data-root\":\"/tmp/z\"}");
	tree_file("root/etc/c.toml", "%s", "version = 2\n state = \"/tmp/toml\"\n[grpc]\nstate = \"/not/this\"\n");
	write_docker("root/tmp/x/data/containers/1/config.v2.json", ID("d0000001"), "one");
	write_docker("root/tmp/y/data/containers/1/config.v2.json", ID("d0000002"), "two");
	write_docker("root/tmp/z/containers/1/config.v2.json", ID("d0000003"), "three");
	write_docker("root/not/a/daemon/containers/1/config.v2.json", ID("d0000004"), "four");
	tree_file("root/tmp/x/exec/runtime-runc/moby/runc-by-exec-root/state.json", "{}");
	tree_file("root/tmp/c/state/io.containerd.runtime.v2.task/default/" ID("c0000001") "/init.pid", "5");
	tree_file("root/tmp/toml/io.containerd.runtime.v2.task/default/ctr-by-config/init.pid", "6");
	tree_file("root/not/this/io.containerd.runtime.v2.task/default/not-this/init.pid", "6");
	tree_file("root/p/root/vfs-containers/containers.json", "[{\"id\":\"%s\",\"names\":[\"p\"]}]", ID("50000001"));
	tree_file("root/tmp/rr/runc-by-root/state.json", "{}");
	tree_file("root/k/state/io.containerd.runtime.v2.task/k8s.io/k3s/init.pid", "7");
	tree_bytes("root/k/root/io.containerd.metadata.v1.bolt/meta.db", bytes, read_database("/var/lib/containerd", bytes, sizeof(bytes)));
	list_below(tree_path("root"), &env, &l);
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		find(&l, ids[i]);
	assert_int_equal(l.n, ARRAY_SIZE(ids));
	container_entries_done(&l);
	tree_remove();
}

static void test_variables(void **state)
{
	struct container_entries l = { 0 };
	struct runtime_env env;

	(void)state;
	make_empty_proc();
	write_docker("root/v/d2/containers/1/config.v2.json", GOOD, "one");
	tree_file("root/v/rr/a/state.json", "{}");
	tree_file("root/v/cr/b/status", "{\"pid\":8}");
	tree_file("root/v/ct/io.containerd.runtime.v2.task/default/c/init.pid", "9");
	tree_file("root/v/pr/overlay-containers/containers.json", "[{\"id\":\"d\"}]");
	tree_file("root/v/pn/overlay-containers/d/userdata/pidfile", "10");
	tree_file("root/v/rs/e_sandbox:e.state", "{\"sandbox\":{\"pid\":11}}");
	tree_file("root/v/lx/f/config", "%s", "");
	tree_file("root/v/ld/containers/g/x", "%s", "");
	tree_file("root/v/ma/h", "CLASS=container\nLEADER=12\n");
	setenv("CTRACE_RUNSC_ROOT", "/v/rs", 1);
	setenv("CTRACE_LXC_PATH", "/v/lx", 1);
	setenv("CTRACE_LXD_DIR", "/v/ld", 1);
	setenv("CTRACE_MACHINES", "/v/ma", 1);
	setenv("CTRACE_DOCKER_ROOT", "/v/d1:relative::/v/d2", 1);
	setenv("CTRACE_RUNC_ROOT", "/v/rr", 1);
	setenv("CTRACE_CRUN_ROOT", "/v/cr/", 1);
	setenv("CTRACE_CONTAINERD_STATE", "/v/ct", 1);
	setenv("CTRACE_PODMAN_ROOT", "/v/none:/v/pr", 1);
	setenv("CTRACE_PODMAN_RUNROOT", "/v/x:/v/pn", 1);
	list_below(tree_path("root"), &env, &l);
	assert_int_equal(l.n, 9);
	assert_int_equal(find(&l, "e")->pid, 11);
	assert_string_equal(find(&l, "f")->runtime, "lxc");
	assert_string_equal(find(&l, "g")->runtime, "lxd");
	assert_int_equal(find(&l, "h")->pid, 12);
	assert_string_equal(find(&l, GOOD)->runtime, "docker");
	assert_string_equal(find(&l, "a")->runtime, "runc");
	assert_int_equal(find(&l, "b")->pid, 8);
	assert_int_equal(find(&l, "c")->pid, 9);
	assert_int_equal(find(&l, "d")->pid, 10);
	container_entries_done(&l);
	unsetenv("CTRACE_RUNSC_ROOT");
	unsetenv("CTRACE_LXC_PATH");
	unsetenv("CTRACE_LXD_DIR");
	unsetenv("CTRACE_MACHINES");
	unsetenv("CTRACE_DOCKER_ROOT");
	unsetenv("CTRACE_RUNC_ROOT");
	unsetenv("CTRACE_CRUN_ROOT");
	unsetenv("CTRACE_CONTAINERD_STATE");
	unsetenv("CTRACE_PODMAN_ROOT");
	unsetenv("CTRACE_PODMAN_RUNROOT");
	tree_remove();
}

/* The same short ID twice is two containers, unless it is one process. */
static void test_merge(void **state)
{
	struct container_entries l = { 0 };
	struct runtime_env env;
	size_t web = 0;

	(void)state;
	make_empty_proc();
	tree_file("root/run/containerd/io.containerd.runtime.v2.task/default/web/init.pid", "100");
	tree_file("root/run/containerd/runc/default/web/state.json", "{\"init_process_pid\":100,\"init_process_start\":5}");
	tree_file("root/run/runc/web/state.json", "{\"init_process_pid\":200}");
	list_below(tree_path("root"), &env, &l);
	for (size_t i = 0; i < l.n; i++) {
		assert_string_equal(l.v[i].id, "web");
		if (l.v[i].pid == 100) {
			assert_string_equal(l.v[i].runtime, "containerd");
			assert_true(l.v[i].start == 5);
		} else {
			assert_string_equal(l.v[i].runtime, "runc");
		}
		web++;
	}
	assert_int_equal(web, 2);
	container_entries_done(&l);
	tree_remove();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixture), cmocka_unit_test(test_labels), cmocka_unit_test(test_metadata), cmocka_unit_test(test_mutated),
		cmocka_unit_test(test_hostile_files), cmocka_unit_test(test_links),
		cmocka_unit_test(test_scope_at_begin),
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_command_lines), cmocka_unit_test(test_variables),
		cmocka_unit_test(test_merge), cmocka_unit_test(test_monitors), cmocka_unit_test(test_hostile_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
