/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ctrace check: what this machine, or this container, allows. */
#include "cli/check.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "cgroup/mounts.h"
#include "cli/message.h"
#include "cli/preflight.h"
#include "ns/nsid.h"
#include "ns/procfs.h"
#include "util/macros.h"

#define TEXT 512

/* Less: some targets cannot be named, or not by all their names. */
enum state { FINE, LESS, MISSING };

static const char *const state_words[] = { "ok", "less", "MISSING" };

/* What is found, and what would help. */
struct check {
	const struct config *c;
	struct machine m;
	struct target_env env;
	bool env_open;
	bool no_bpf;                    /* bpf(2) is refused by something else than a missing capability */
	bool no_host_proc, no_host_cgroups;
	bool failed;
};

static void tell(struct check *k, const char *what, enum state state, const char *format, ...) _printf_(4, 5);

/* With --print-pod-spec the YAML has its place. */
static void tell(struct check *k, const char *what, enum state state, const char *format, ...)
{
	char text[TEXT];
	va_list ap;

	k->failed |= state == MISSING;
	if (k->c->print_pod_spec)
		return;
	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	printf("%-22s %-8s %s\n", what, state_words[state], text);
}

static void check_kernel(struct check *k)
{
	const struct machine *m = &k->m;
	bool old = machine_too_old(m);

	tell(k, "kernel", old ? MISSING : FINE, old ? "Linux %u.%u: too old, 5.15 or newer is needed" : "Linux %u.%u", m->kernel_major, m->kernel_minor);
	if (m->has_btf)
		tell(k, "BTF", FINE, "/sys/kernel/btf/vmlinux");
	else
		tell(k, "BTF", MISSING, "%s", m->has_sysfs ? "the kernel has none: use one that is built with CONFIG_DEBUG_INFO_BTF=y, as the distributions' are" :
						       "no sysfs at /sys, where it is: mount it (mount -t sysfs sysfs /sys)");
	if (m->confidential)
		tell(k, "lockdown", MISSING, "confidentiality: no BPF program may read memory; boot with lockdown=integrity or less");
	else
		tell(k, "lockdown", FINE, "none, or integrity");
	tell(k, "memlock", FINE, "no limit counts for BPF since Linux 5.11");
}

#define CAPS 4

struct cap {
	const char *name, *why;
	bool has;
};

static void look_at_caps(const struct machine *m, struct cap ret[static CAPS])
{
	ret[0] = (struct cap){ "CAP_BPF", "to load programs", m->cap_bpf };
	ret[1] = (struct cap){ "CAP_PERFMON", "to read kernel memory in them", m->cap_perfmon };
	ret[2] = (struct cap){ "CAP_SYS_PTRACE", "to look at processes of others in /proc", m->cap_ptrace };
	/* What root owns, root may read without it. */
	ret[3] = (struct cap){ "CAP_DAC_READ_SEARCH", "to read the runtimes' files", m->cap_dac || m->is_root };
}

static void check_cap(struct check *k, const struct cap *cap)
{
	if (cap->has)
		tell(k, cap->name, FINE, "%s", cap->why);
	else if (k->m.is_root)
		tell(k, cap->name, MISSING, "%s: give it to the container (docker run --cap-add, securityContext.capabilities.add)", cap->why);
	else
		tell(k, cap->name, MISSING, "%s: run ctrace as root (sudo ctrace ...)", cap->why);
}

static void check_privilege(struct check *k)
{
	struct cap caps[CAPS];

	if (k->m.in_user_namespace)
		tell(k, "user namespace", MISSING, "not the machine's, so capabilities count for nothing: run ctrace without userns remapping (hostUsers: true)");
	else
		tell(k, "user namespace", FINE, "the machine's");
	look_at_caps(&k->m, caps);
	for (size_t i = 0; i < CAPS; i++)
		check_cap(k, &caps[i]);
}

/* A command that no kernel has: EINVAL from who may call bpf(2) at all. */
static void check_seccomp(struct check *k)
{
	int r = syscall(SYS_bpf, 0x7fff, NULL, 0) < 0 ? errno : 0;

	if (r == EINVAL || r == E2BIG) {
		tell(k, "seccomp", FINE, "bpf(2) may be called");
	} else if (!k->m.cap_bpf) {
		tell(k, "seccomp", MISSING, "bpf(2): %s, without CAP_BPF", strerror(r));
	} else {
		k->no_bpf = true;
		tell(k, "seccomp", MISSING, "bpf(2): %s in spite of CAP_BPF: the seccomp profile or a security module refuses it (--security-opt seccomp=unconfined, seccompProfile: Unconfined)",
		     strerror(r));
	}
}

static void check_proc(struct check *k)
{
	uint32_t own = 0, hidden;
	int r = k->m.has_procfs ? target_env_open(k->c->proc, k->c->cgroupfs, &k->env) : -ENOENT;

	if (r < 0) {
		tell(k, "procfs", MISSING, "%s: %s; mount it (mount -t proc proc /proc)", k->c->proc ? k->c->proc : "/proc", strerror(-r));
		return;
	}
	k->env_open = true;
	(void)nsid_own(NS_PID, &own);
	if (k->env.pidns_inum == NS_PID_INITIAL) {
		tell(k, "the host's processes", FINE, "%s%s", k->env.proc_path, own == NS_PID_INITIAL ? "" : ", in a pid namespace of our own");
	} else {
		k->no_host_proc = true;
		tell(k, "the host's processes", LESS, "%s is of another pid namespace: containers in it can be traced, others not; mount the host's /proc read-only at /host/proc",
		     k->env.proc_path);
	}
	hidden = proc_hides(k->env.proc_fd, k->env.proc_path);
	if (!hidden)
		tell(k, "hidepid", FINE, "off");
	else
		tell(k, "hidepid", k->m.cap_ptrace ? FINE : MISSING, "%u: %s", hidden,
		     k->m.cap_ptrace ? "not for who has CAP_SYS_PTRACE" : "processes of others are not seen without CAP_SYS_PTRACE");
}

static void check_cgroups(struct check *k)
{
	static const char *const modes[] = { "none is mounted", "v1", "hybrid: v1 with v2 beside it", "v2" };
	struct cgroup_mounts mounts = { 0 };
	enum cgroup_mode mode;
	uint32_t ns = 0;

	if (!k->env_open)
		return;
	if (cgroup_mounts_read(k->env.proc_fd, k->env.root_prefix, k->env.cgroupfs_path, &mounts) < 0)
		mode = CGROUP_MODE_NONE;
	else
		mode = cgroup_mounts_mode(&mounts);
	cgroup_mounts_done(&mounts);
	k->no_host_cgroups = mode == CGROUP_MODE_NONE;
	tell(k, "cgroups", k->no_host_cgroups ? LESS : FINE, "%s%s%s", modes[mode], k->no_host_cgroups ? "" : ", at ",
	     k->no_host_cgroups ? ": --cgroup and names of containers need the host's /sys/fs/cgroup, read-only at /host/sys/fs/cgroup" : k->env.cgroupfs_path);
	(void)nsid_own(NS_CGROUP, &ns);
	tell(k, "cgroup namespace", FINE, "%s", ns == NS_CGROUP_INITIAL ? "the host's" : "one of our own: the kernel is asked for paths where they are relative");
}

static void forget(const char *line _unused_, void *data _unused_)
{
}

/* Everything is loaded and attached for a process of ours, which does nothing. */
static void check_trace(struct check *k)
{
	struct target_spec spec = { .kind = TARGET_PROCESS };
	struct target_list targets = { 0 };
	struct session *session = NULL;
	char err[TEXT] = "";
	int r = -ESRCH;

	if (!k->env_open)
		return;
	fflush(stdout);
	spec.pid = fork();
	if (!spec.pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (1)
			pause();
	}
	if (spec.pid > 0)
		r = targets_resolve(&k->env, &spec, 1, false, false, forget, NULL, &targets);
	if (r > 0)
		r = -ESRCH;
	if (!r)
		r = session_start(&k->c->session, &k->env, &targets, &session, err, sizeof(err));
	session_free(session);
	target_list_done(&targets);
	if (spec.pid > 0) {
		kill(spec.pid, SIGKILL);
		waitpid(spec.pid, NULL, 0);
	}
	if (r)
		tell(k, "tracing", MISSING, "%s", err[0] ? err : strerror(-r));
	else
		tell(k, "tracing", FINE, "the programs load, and see a process of ours");
}

/* Those that are missing, as a manifest names them; nothing when there are none. */
static void print_caps(const struct machine *m)
{
	struct cap caps[CAPS];
	bool any = false;

	look_at_caps(m, caps);
	for (size_t i = 0; i < CAPS; i++) {
		if (caps[i].has)
			continue;
		printf("%s%s", any ? ", " : "  capabilities:\n    add: [", caps[i].name + strlen("CAP_"));
		any = true;
	}
	if (any)
		printf("]\n");
}

static bool lacks_caps(const struct machine *m)
{
	struct cap caps[CAPS];
	bool lacks = false;

	look_at_caps(m, caps);
	for (size_t i = 0; i < CAPS; i++)
		lacks |= !caps[i].has;
	return lacks;
}

/* What a container of a pod lacks, for its place in the manifest. */
static void print_pod_spec(const struct check *k)
{
	const struct machine *m = &k->m;

	if (lacks_caps(m) || !m->is_root || k->no_bpf) {
		printf("securityContext:\n");
		if (!m->is_root)
			printf("  runAsUser: 0\n");
		print_caps(m);
		if (k->no_bpf)
			printf("  seccompProfile: {type: Unconfined}\n");
	}
	if (k->no_host_proc || k->no_host_cgroups) {
		printf("volumeMounts:\n");
		if (k->no_host_proc)
			printf("- {name: host-proc, mountPath: /host/proc, readOnly: true}\n");
		if (k->no_host_cgroups)
			printf("- {name: host-cgroup, mountPath: /host/sys/fs/cgroup, readOnly: true}\n");
		printf("# of the pod, beside containers:\nvolumes:\n");
		if (k->no_host_proc)
			printf("- {name: host-proc, hostPath: {path: /proc}}\n");
		if (k->no_host_cgroups)
			printf("- {name: host-cgroup, hostPath: {path: /sys/fs/cgroup}}\n");
	}
	if (m->in_user_namespace)
		printf("# of the pod, beside containers:\nhostUsers: true\n");
	if (!k->failed && !k->no_host_proc && !k->no_host_cgroups)
		printf("# nothing is missing\n");
}

int check_machine(const struct config *c)
{
	struct check k = { .c = c, .env = { .proc_fd = -1 } };

	machine_look(&k.m);
	check_kernel(&k);
	check_privilege(&k);
	check_seccomp(&k);
	check_proc(&k);
	check_cgroups(&k);
	check_trace(&k);
	if (c->print_pod_spec)
		print_pod_spec(&k);
	if (k.env_open)
		target_env_done(&k.env);
	if (fflush(stdout)) {
		say("cannot write: %s", strerror(errno));
		return 1;
	}
	return k.failed;
}
