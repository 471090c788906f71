/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_cgroup */
/* Every shape of a cgroup path that a runtime is known to make is a row here. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cgroup/name.h"
#include "util/macros.h"

#define I  "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define P  "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define N  "aaaabbbbccccddddaaaabbbbccccddddaaaabbbbccccddddaaaabbbbccccdddd"
#define U  "6f8a2d1e-3c4b-4a5d-9e8f-001122334455"
#define U_ "6f8a2d1e_3c4b_4a5d_9e8f_001122334455"
#define H  "0123456789abcdef0123456789abcdef"
#define B  "k3v9s0x1z2y4w5u6t7r8q9p0a"

#define KUBE  "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" U_ ".slice"
#define UKUBE "/user.slice/user-1000.slice/user@1000.service/user.slice"

struct row {
	const char *path;
	const char *runtime;    /* NULL: in no container */
	const char *id;
	const char *below;      /* what of the path lies below the container's cgroup */
};

static const struct row payload[] = {
	/* docker */
	{ "/docker/" I, "docker", I, "" },
	{ "/docker/" I "/init", "docker", I, "/init" },
	{ "/actions_job/" I, "docker", I, "" },
	{ "/mine/" I, "", I, "" },
	{ "/system.slice/docker-" I ".scope", "docker", I, "" },
	{ "/a.slice/a-b.slice/docker-" I ".scope/init.scope", "docker", I, "/init.scope" },
	{ UKUBE "/docker-" I ".scope", "docker", I, "" },
	{ "/docker/" I "/syscont-cgroup-root/init.scope", "docker", I, "/syscont-cgroup-root/init.scope" },
	/* cri-dockerd */
	{ KUBE "/docker-" I ".scope", "docker", I, "" },
	{ "/kubepods/burstable/pod" U "/" I, "", I, "" },
	{ "/kubepods/pod" U "/" I, "", I, "" },
	/* containerd */
	{ KUBE "/cri-containerd-" I ".scope", "containerd", I, "" },
	{ "/system.slice/containerd.service/kubepods-burstable-pod" U_ ".slice:cri-containerd:" I, "containerd", I, "" },
	{ "/kubepods-burstable-pod" U_ ".slice:cri-containerd:" I "/sub", "containerd", I, "/sub" },
	{ "/k8s.io/" I, "containerd", I, "" },
	{ "/default/" I, "", I, "" },
	{ "/system.slice/nerdctl-" I ".scope", "containerd", I, "" },
	{ UKUBE "/nerdctl-" I ".scope", "containerd", I, "" },
	{ "/system.slice/containerd.service/cpuset/" I, "", I, "" },
	/* CRI-O */
	{ KUBE "/crio-" I ".scope", "crio", I, "" },
	{ KUBE "/crio-" I ".scope/container", "crio", I, "/container" },
	{ KUBE "/crio-" I ".scope/container/exec", "crio", I, "/container/exec" },
	{ "/kubepods/burstable/pod" U "/crio-" I, "crio", I, "" },
	{ "/crio/crio-" I, "crio", I, "" },
	{ "/system.slice/crio-" I ".scope", "crio", I, "" },
	{ "/kubepods.slice/kubepods-pod" U_ ".slice/crio-" I ".scope/container/app/x", "crio", I, "/container/app/x" },
	{ "/kubepods-burstable-pod" U_ ".slice:crio:" I, "crio", I, "" },
	/* podman */
	{ "/machine.slice/libpod-" I ".scope", "podman", I, "" },
	{ "/machine.slice/libpod-" I ".scope/container", "podman", I, "/container" },
	{ "/machine.slice/machine-libpod_pod_" P ".slice/libpod-" I ".scope/container", "podman", I, "/container" },
	{ UKUBE "/user-libpod_pod_" P ".slice/libpod-" I ".scope/container", "podman", I, "/container" },
	{ "/libpod_parent/libpod-" I, "podman", I, "" },
	{ "/libpod_parent/" P "/libpod-" I, "podman", I, "" },
	{ "/system.slice/web.service/libpod-payload-" I, "podman", I, "" },
	{ "/system.slice/web.service/libpod-payload-" I ".scope/container", "podman", I, "/container" },
	{ "/libpod_parent/libpod-" I "/crun-exec", "podman", I, "/crun-exec" },
	{ "/libpod_parent/libpod-" I "/.proxy-crun", "podman", I, "/.proxy-crun" },
	{ UKUBE "/libpod-payload-" I, "podman", I, "" },
	/* clusters in containers: the innermost counts */
	{ "/X.slice/X-kubepods.slice/X-kubepods-burstable.slice/X-kubepods-burstable-pod" U_ ".slice/cri-containerd-" I ".scope",
	  "containerd", I, "" },
	{ "/system.slice/docker-" N ".scope/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-burstable.slice/"
	  "kubelet-kubepods-burstable-pod" U_ ".slice/cri-containerd-" I ".scope", "containerd", I, "" },
	{ "/docker/" N "/kubelet/kubepods/besteffort/pod" U "/" I, "", I, "" },
	{ "/system.slice/docker-" N ".scope/system.slice/containerd.service", "docker", N, "/system.slice/containerd.service" },
	{ "/system.slice/docker-" N ".scope/init.scope", "docker", N, "/init.scope" },
	{ "/docker/" N "/docker/" I, "docker", I, "" },
	{ "/k3s/kubepods/burstable/pod" U "/" I, "", I, "" },
	{ "/k3s/kubepods/pod" H "/" I, "", I, "" },
	{ "/docker/" N "/k3s/kubepods/besteffort/pod" U "/" I, "", I, "" },
	{ "/system.slice/docker-" N ".scope/kubepods/besteffort/pod" U "/cri-containerd-" I ".scope", "containerd", I, "" },
	{ "/machine.slice/libpod-" N ".scope/container/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod" U_ ".slice/"
	  "cri-containerd-" I ".scope", "containerd", I, "" },
	{ "/machine.slice/libpod-" N ".scope/container/libpod_parent/libpod-" I, "podman", I, "" },
	{ "/docker/" N "/web", "docker", N, "/web" },
	{ "/lxc.payload.node/docker/" I, "docker", I, "" },
	{ "/lxc.payload.node/system.slice/docker-" I ".scope/init", "docker", I, "/init" },
	/* LXC and its kin */
	{ "/lxc.payload.web", "lxc", "web", "" },
	{ "/lxc.payload.web-1/.lxc", "lxc", "web-1", "/.lxc" },
	{ "/D/lxc.payload.web/init.scope", "lxc", "web", "/init.scope" },
	{ "/lxc/web/payload/init.scope", "lxc", "web", "/init.scope" },
	{ "/lxc/web", "lxc", "web", "" },
	{ "/lxc/101/ns/system.slice", "lxc", "101", "/ns/system.slice" },
	{ "/lxc.payload/web", "lxc", "web", "" },
	{ "/lxc.payload.proj_web", "lxc", "proj_web", "" },
	{ "/lxc.payload.web/.lxc-1", "lxc", "web", "/.lxc-1" },
	{ "/lxc/lxc.payload.web", "lxc", "web", "" },
	{ "/user.slice/user-1000.slice/user@1000.service/app.slice/run-r0123.scope/lxc.payload.web/init.scope", "lxc", "web", "/init.scope" },
	{ "/machine.slice/machine-lxc\\x2d1234\\x2dweb.scope", "libvirt", "web", "" },
	{ "/machine/web.libvirt-lxc", "libvirt", "web", "" },
	{ "/machine.slice/machine-lxc\\x2d1234\\x2dmy\\x2dweb.scope/libvirt", "libvirt", "my-web", "/libvirt" },
	{ "/web.libvirt-lxc", "libvirt", "web", "" },
	{ "/libvirt/lxc/web", "libvirt", "web", "" },
	{ "/machine.slice/machine-my\\x2dweb.scope/payload/init.scope", "nspawn", "my-web", "/init.scope" },
	{ "/machine.slice/systemd-nspawn@web.service/payload", "nspawn", "web", "" },
	{ "/machine.slice/systemd-nspawn@my\\x2dweb.service/payload/system.slice/a.service", "nspawn", "my-web", "/system.slice/a.service" },
	{ "/user.slice/user-1000.slice/user@1000.service/machine.slice/machine-web.scope/payload", "nspawn", "web", "" },
	/* others */
	{ "/kubepods/burstable/pod" U "/kata_" P, "kata", P, "" },
	{ "/ecs/0123abcd/" I, "", I, "" },
	{ "/ecstasks.slice/ecstasks-" H ".slice/docker-" I ".scope", "docker", I, "" },
	{ "/ecs/" H "/" H "-1234567890", "ecs", H "-1234567890", "" },
	{ "/mesos/" U, "mesos", U, "" },
	{ "/mesos/" U "/leaf", "mesos", U, "/leaf" },
	{ "/mesos/" U "/mesos/00112233-4455-6677-8899-aabbccddeeff", "mesos", "00112233-4455-6677-8899-aabbccddeeff", "" },
	{ "/garden/01234567-89ab-cdef-0123-4567", "garden", "01234567-89ab-cdef-0123-4567", "" },
	{ "/garden/good/01234567-89ab-cdef-0123-4567/init", "garden", "01234567-89ab-cdef-0123-4567", "/init" },
	{ "/bpm-router", "bpm", "router", "" },
	{ "/user.slice/user-0.slice/apptainer-4711.scope", "apptainer", "4711", "" },
	{ "/apptainer/4711", "apptainer", "4711", "" },
	{ "/user.slice/user-1000.slice/user@1000.service/user.slice/apptainer-4711.scope", "apptainer", "4711", "" },
	{ "/system.slice/singularity-4711.scope", "singularity", "4711", "" },
	{ "/singularity/4711", "singularity", "4711", "" },
	{ "/system.slice/runc-web.scope", "runc", "web", "" },
	{ UKUBE "/crun-web.scope/container", "crun", "web", "/container" },
	{ "/system.slice/youki-web.scope", "youki", "web", "" },
};

static const char *const none[] = {
	"/", "", "/init.scope", "/system.slice/ssh.service", "/user.slice/user-1000.slice/session-1.scope",
	/* 1.2: auxiliary */
	"/machine.slice/libpod-conmon-" I ".scope", "/libpod_parent/conmon", "/libpod_parent/libpod-conmon-" I,
	"/system.slice/web.service/runtime", "/system.slice/web.service/supervisor",
	"/user.slice/podman-pause-0123abcd.scope", "/user.slice/podman-4711.scope", "/user.slice/rootless-netns-0123abcd.scope",
	"/system.slice/crio-conmon-" I ".scope", KUBE "/crio-conmon-" I ".scope", "/kubepods/burstable/pod" U "/crio-conmon-" I,
	KUBE "/crio-" P, "/system.slice/var-lib-docker-containers-" I "-mounts-shm.mount", "/system.slice/" I ".mount",
	"/lxc.monitor.web", "/lxc.pivot", "/lxc/web/monitor", "/lxc.monitor/web",
	"/machine.slice/machine-web.scope/supervisor", "/machine.slice/systemd-nspawn@web.service/supervisor",
	"/kata_overhead/" P, "/kata-overhead.slice:runtime-rs:" P, "/docker/buildkit/" B, "/docker/buildkit",
	"/system.slice/docker-" B ".scope", "/mesos/agent/leaf", "/mine/buildkit/" B, UKUBE "/docker-" B ".scope",
	"/lxc/lxc.monitor.web", "/lxc.monitor.proj_web", "/machine.slice/machine-qemu\\x2d1\\x2dvm.scope/libvirt/emulator",
	"/kata-overhead.slice/kata-overhead-x.scope", "/system.slice/web.service/payload",
	/* groups */
	"/docker", "/libpod_parent", "/libpod_parent/" P, "/machine.slice/machine-libpod_pod_" P ".slice",
	"/kubepods/besteffort/pod" U, KUBE, "/lxc", "/garden", "/podruntime/kubelet",
	/* what looks like one */
	"/docker/0123456789ab", "/docker/" I "0", "/system.slice/docker-" I "0.scope", "/system.slice/docker.service",
	"/system.slice/snap.lxd.daemon." I ".scope", "/docker/0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef",
	"/system.slice/docker-.scope", "/system.slice/docker-" I, "/libpod-", "/crio-.scope", "/bpm-", "/lxc.payload.",
	"/ecs/" H "/" H "-12345678901", "/ecs/" H "/" H "-", "/ecs/" H "/" H,
	"/system.slice/bpm-detector.service", "/bpm-x.slice/x", "/user.slice/bpm-1.scope",
	/* sandboxes of programs, and services of the host */
	"/user.slice/user-1000.slice/user@1000.service/app.slice/app-flatpak-org.gnome.Maps-4711.scope",
	"/user.slice/user-1000.slice/user@1000.service/app.slice/snap.firefox.firefox-01234567-89ab-cdef-0123-456789abcdef.scope",
	"/system.slice/snap.docker.dockerd.service", "/system.slice/containerd.service", "/k3s.service", "/system.slice/crio.service",
	"/podruntime/runtime", "/system/apid", "/init", "/lxcfs.service", "/system.slice/apptainer-x.scope", "/apptainer/x",
	"/system.slice/" I ".service", "/system.slice/x-" I ".scope", "/" I "_", "/x" I,
	"/garden/01234567-89ab-cdef-0123", "/garden/01234567-89ab-cdef-0123-4567-",
};

static void test_payload(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(payload); i++) {
		const struct row *r = &payload[i];
		struct cgroup_name name;

		if (!cgroup_name_container(r->path, &name))
			fail_msg("%s: in no container", r->path);
		if (strcmp(name.runtime, r->runtime) || strcmp(name.id, r->id) || strcmp(r->path + name.end, r->below))
			fail_msg("%s: %s, %s, below it %s", r->path, name.runtime, name.id, r->path + name.end);
	}
}

static void test_none(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(none); i++) {
		struct cgroup_name name;

		if (cgroup_name_container(none[i], &name))
			fail_msg("%s: taken for %s %s", none[i], name.runtime, name.id);
	}
}

/* conmon of a podman that runs in a docker container belongs to that container. */
static void test_auxiliary_inside(void **state)
{
	struct cgroup_name name;

	(void)state;
	assert_true(cgroup_name_container("/docker/" N "/libpod_parent/conmon", &name));
	assert_string_equal(name.id, N);
	assert_true(cgroup_name_container("/docker/" N "/lxc/web/monitor", &name));
	assert_string_equal(name.id, N);
}

static void test_roles(void **state)
{
	struct cgroup_name name;

	(void)state;
	cgroup_name_match("/machine.slice/libpod-conmon-" I ".scope", &name);
	assert_int_equal(name.role, ROLE_AUX);
	cgroup_name_match("/libpod_parent/" P, &name);
	assert_int_equal(name.role, ROLE_GROUP);
	cgroup_name_match("/docker/" I "/below", &name);
	assert_int_equal(name.role, ROLE_NONE);
	cgroup_name_match("/docker/" I, &name);
	assert_int_equal(name.role, ROLE_PAYLOAD);
}

/* From each row's own ID back to where the container begins. */
static void test_find_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(payload); i++) {
		const struct row *r = &payload[i];
		size_t end = cgroup_name_find_id(r->path, r->id);

		if (end != strlen(r->path) - strlen(r->below))
			fail_msg("%s: found %.*s", r->path, (int)end, r->path);
	}
}

static void test_find_id(void **state)
{
	static const struct {
		const char *path, *id, *found;
	} rows[] = {
		/* the outer one of a node's ID, with all that is in it */
		{ "/docker/" N "/kubelet/kubepods/besteffort/pod" U "/" I, N, "/docker/" N },
		{ "/docker/" N "/kubelet/kubepods/besteffort/pod" U "/" I, I, "/docker/" N "/kubelet/kubepods/besteffort/pod" U "/" I },
		/* any name, as ctr and runc take them */
		{ "/default/web", "web", "/default/web" },
		{ "/web/web", "web", "/web" },
		{ "/webs/xweb", "web", "" },
		{ "/", "web", "" },
		{ "/web", "", "" },
		/* never what is the runtime's own */
		{ "/machine.slice/libpod-conmon-" I ".scope", I, "" },
		{ "/lxc/web/monitor", "web", "" },
		{ "/lxc/web/payload/x", "web", "/lxc/web/payload" },
		{ KUBE "/crio-" P, P, "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t end = cgroup_name_find_id(rows[i].path, rows[i].id);

		if (end != strlen(rows[i].found) || strncmp(rows[i].path, rows[i].found, end))
			fail_msg("%s in %s: found %.*s", rows[i].id, rows[i].path, (int)end, rows[i].path);
	}
}

static void test_pod_uid(void **state)
{
	static const struct {
		const char *path, *uid;
	} rows[] = {
		{ "/kubepods/burstable/pod" U "/" I, U },
		{ "/kubepods/pod" U, U },
		{ KUBE "/cri-containerd-" I ".scope", U },
		{ "/kubepods.slice/kubepods-pod" U_ ".slice/crio-" I ".scope/container", U },
		{ "/kubelet.slice/kubelet-kubepods-besteffort-pod" U_ ".slice", U },
		{ "/kubepods/burstable/pod" H "/" I, H },
		{ "/system.slice/containerd.service/kubepods-burstable-pod" U_ ".slice:cri-containerd:" I, U },
		{ "/docker/" I, NULL }, { "/pod", NULL }, { "/kubepods/podx" U, NULL }, { "/kubepods/pod" U "0/x", NULL },
		{ "/libpod_parent/libpod-" I, NULL }, { "/machine.slice/machine-libpod_pod_" P ".slice", NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char uid[64] = "";
		bool found = cgroup_name_pod_uid(rows[i].path, uid, sizeof(uid));

		if (found != !!rows[i].uid || (found && strcmp(uid, rows[i].uid)))
			fail_msg("%s: %s", rows[i].path, found ? uid : "none");
	}
}

struct keys {
	char v[64][CGROUP_KEY_MAX + 1];
	size_t n;
};

static int add_key(const char *key, void *data)
{
	struct keys *keys = data;

	assert_true(keys->n < ARRAY_SIZE(keys->v));
	assert_true(strlen(key) <= CGROUP_KEY_MAX);
	for (size_t i = 0; i < keys->n; i++)
		assert_string_not_equal(keys->v[i], key);
	strcpy(keys->v[keys->n++], key);
	return 0;
}

/* As the kernel side looks a new directory up: by its name, its name with its parent's, and a name's end. */
static bool has_key(const struct keys *keys, const char *path, size_t len)
{
	const char *name = memrchr(path, '/', len), *parent = name > path ? memrchr(path, '/', (size_t)(name - path)) : NULL;

	for (size_t i = 0; i < keys->n; i++) {
		const char *k = keys->v[i], *s = name + 1;
		size_t n = strlen(k), rest = (size_t)(path + len - s);

		if (n == rest && !memcmp(s, k, n))
			return true;
		if (k[0] == ':' && rest > n && !memcmp(path + len - n, k, n))
			return true;
		if (parent && n == (size_t)(path + len - parent - 1) && !memcmp(parent + 1, k, n))
			return true;
	}
	return false;
}

/* Whatever the grammar finds a container by, its ID gives the key to. */
static void test_keys(void **state)
{
	size_t found = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(payload); i++) {
		const struct row *row = &payload[i];
		size_t len = strlen(row->path) - strlen(row->below);
		struct keys keys = { .n = 0 };

		assert_int_equal(cgroup_name_keys(row->id, add_key, &keys), 0);
		assert_string_equal(keys.v[0], row->id);
		if (strstr(row->path, "/machine-lxc"))
			continue;       /* holds a number that only libvirt knows */
		if (!has_key(&keys, row->path, len))
			fail_msg("%s: no key for %.*s", row->id, (int)len, row->path);
		found++;
	}
	assert_true(found > 30);
}

static void test_key_forms(void **state)
{
	static const char *const web[] = {
		"we-b", "we-b.libvirt-lxc", "lxc.payload.we-b", "we-b/payload", "machine-we-b.scope/payload",
		"machine-we\\x2db.scope/payload", "systemd-nspawn@we-b.service/payload", "systemd-nspawn@we\\x2db.service/payload",
		"runc-we-b.scope", "runc-we\\x2db.scope", "crun-we-b.scope", "crun-we\\x2db.scope", "youki-we-b.scope",
		"youki-we\\x2db.scope", "bpm-we-b",
	};
	static const char *const foreign[] = {
		"/x/libpod-conmon-" I ".scope", "/crio-conmon-" I ".scope", "/lxc.monitor." I, "/x.slice/x-libpod_pod_" I ".slice",
		"/" I ".mount", "/docker-" I ".scope/x", "/a" I, "/docker-" P ".scope", "/x:y:" P,
	};
	struct keys keys = { .n = 0 };

	(void)state;
	assert_int_equal(cgroup_name_keys("we-b", add_key, &keys), 0);
	assert_int_equal(keys.n, ARRAY_SIZE(web));
	for (size_t i = 0; i < keys.n; i++)
		assert_string_equal(keys.v[i], web[i]);
	keys.n = 0;
	assert_int_equal(cgroup_name_keys(I, add_key, &keys), 0);
	for (size_t i = 0; i < ARRAY_SIZE(foreign); i++)
		if (has_key(&keys, foreign[i], strlen(foreign[i])))
			fail_msg("a key for %s", foreign[i]);
	assert_true(has_key(&keys, "/system.slice:docker:" I, strlen("/system.slice:docker:" I)));
	/* a 64th digit less */
	keys.n = 0;
	assert_int_equal(cgroup_name_keys(&I[1], add_key, &keys), 0);
	assert_false(has_key(&keys, "/system.slice:docker:" I, strlen("/system.slice:docker:" I)));
}

/* LXC 3's monitor has a directory of the container's name, too. */
static void test_refused_keys(void **state)
{
	static const char buildkit[] = "0123456789abcdefghijklmno";
	struct keys keys = { .n = 0 };

	(void)state;
	assert_int_equal(cgroup_name_refused_keys("web", add_key, &keys), 0);
	assert_int_equal(keys.n, 1);
	assert_string_equal(keys.v[0], "lxc.monitor/web");
	assert_false(has_key(&keys, "/lxc/web", strlen("/lxc/web")));
	assert_true(has_key(&keys, "/x/lxc.monitor/web", strlen("/x/lxc.monitor/web")));
	keys.n = 0;
	assert_int_equal(cgroup_name_refused_keys(buildkit, add_key, &keys), 0);
	assert_int_equal(keys.n, 2);
	assert_string_equal(keys.v[0], "buildkit/0123456789abcdefghijklmno");
}

static int stop_at(const char *key, void *data)
{
	return !strcmp(key, data) ? 7 : 0;
}

static void test_key_limits(void **state)
{
	static const char *const bad[] = { "", ".", "..", "a/b", "a\nb" };
	struct keys keys = { .n = 0 };
	char id[CGROUP_KEY_MAX + 2];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(cgroup_name_keys(bad[i], add_key, &keys), -EINVAL);
	memset(id, '-', sizeof(id));
	id[CGROUP_KEY_MAX + 1] = '\0';
	assert_int_equal(cgroup_name_keys(id, add_key, &keys), -EINVAL);
	assert_int_equal(keys.n, 0);
	for (size_t len = 1; len <= CGROUP_KEY_MAX; len++) {
		id[len] = '\0';
		keys.n = 0;
		assert_int_equal(cgroup_name_keys(id, add_key, &keys), 0);
		assert_string_equal(keys.v[0], id);
		id[len] = '-';
	}
	assert_int_equal(keys.n, 1);
	assert_int_equal(cgroup_name_keys("web", stop_at, "runc-web.scope"), 7);
	assert_int_equal(cgroup_name_keys(".web", stop_at, "runc-\\x2eweb.scope"), 7);
}

/* Names that a container chooses: long, and with what the patterns are made of. */
static void test_hostile(void **state)
{
	static char path[8192];
	struct cgroup_name name;

	(void)state;
	memset(path, 'a', sizeof(path) - 1);
	memcpy(path, "/lxc.payload.", 13);
	assert_true(cgroup_name_container(path, &name));
	assert_int_equal(strlen(name.id), CGROUP_ID_MAX - 1);
	for (size_t i = 0; i + 2 < sizeof(path); i += 2)
		memcpy(path + i, "/*", 2);
	assert_false(cgroup_name_container(path, &name));
	memset(path, ':', sizeof(path) - 1);
	path[0] = '/';
	path[200] = '\0';
	assert_false(cgroup_name_container(path, &name));
	memset(path, '/', 100);
	path[100] = '\0';
	assert_false(cgroup_name_container(path, &name));
	assert_int_equal(cgroup_name_find_id(path, "x"), 0);
	assert_true(cgroup_name_container("/machine.slice/machine-a\\x00b\\x1bc\\x2.scope/payload", &name));
	assert_string_equal(name.id, "a\\x00b\x1b" "c\\x2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_payload), cmocka_unit_test(test_none), cmocka_unit_test(test_auxiliary_inside),
		cmocka_unit_test(test_roles), cmocka_unit_test(test_find_rows), cmocka_unit_test(test_find_id),
		cmocka_unit_test(test_pod_uid), cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_keys), cmocka_unit_test(test_key_forms), cmocka_unit_test(test_key_limits),
		cmocka_unit_test(test_refused_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
