/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ctrace check: what this machine, or this container, allows. */
#include "cli/check.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "cgroup/http.h"
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

/* A part of the machine, by the words that a run is refused with. */
static void check_part(struct check *k, const char *what, enum part part, const char *fine)
{
	char text[TEXT];

	if (machine_lacks(&k->m, part, text, sizeof(text)))
		tell(k, what, MISSING, "%s", text);
	else
		tell(k, what, FINE, "%s", fine);
}

static void check_kernel(struct check *k)
{
	char release[64];

	snprintf(release, sizeof(release), "Linux %u.%u", k->m.kernel_major, k->m.kernel_minor);
	check_part(k, "kernel", PART_KERNEL, release);
	check_part(k, "BTF", PART_BTF, "/sys/kernel/btf/vmlinux");
	check_part(k, "lockdown", PART_LOCKDOWN, "none, or integrity");
	tell(k, "memlock", FINE, "no limit counts for BPF since Linux 5.11");
}

/* Everything that has to do with containers; -u and the like are for who asks. */
static const struct wants wants_check = { .containers = true };

static bool is_must(const struct need *need)
{
	return need->must && need->must(&wants_check);
}

static void check_cap(struct check *k, const struct need *need)
{
	if (machine_has(&k->m, need))
		tell(k, need->name, FINE, "%s", need->why);
	else
		tell(k, need->name, is_must(need) ? MISSING : LESS, "%s: %s", need->why, machine_remedy(&k->m));
}

static void check_privilege(struct check *k)
{
	check_part(k, "user namespace", PART_USER_NAMESPACE, "the machine's");
	for (size_t i = 0; i < NEEDS; i++)
		check_cap(k, &machine_needs[i]);
}

static void check_seccomp(struct check *k)
{
	if (machine_has(&k->m, &machine_needs[NEED_BPF]))
		check_part(k, "seccomp", PART_BPF, "bpf(2) may be called");
	else
		tell(k, "seccomp", LESS, "whether it refuses bpf(2) shows when CAP_BPF is there");
}

static void check_proc(struct check *k)
{
	bool ptrace = machine_has(&k->m, &machine_needs[NEED_PTRACE]);
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
		tell(k, "hidepid", ptrace ? FINE : MISSING, "%u: %s", hidden,
		     ptrace ? "not for who has CAP_SYS_PTRACE" : "processes of others are not seen without CAP_SYS_PTRACE");
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

/* Names that no file tells: not all need them, so it is no failure. */
static void check_daemons(struct check *k)
{
	const char *missing = http_missing();

	if (missing)
		tell(k, "daemons' sockets", LESS, "not asked for names that no file tells: %s", missing);
	else
		tell(k, "daemons' sockets", FINE, "Docker and podman are asked for names that no file tells");
}

/* What a ctrace --lossless that was killed together with its guard left frozen. */
static void check_frozen(struct check *k)
{
	unsigned n;

	if (!k->env_open)
		return;
	n = targets_recover_all(&k->env);
	if (n)
		tell(k, "frozen cgroups", FINE, "%u left by a ctrace that was killed: thawed", n);
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

static bool lacks_cap(const struct machine *m, const struct need *need)
{
	return is_must(need) && !machine_has(m, need);
}

/* Those that are missing, as a manifest names them; nothing when there are none. */
static void print_caps(const struct machine *m)
{
	bool any = false;

	for (size_t i = 0; i < NEEDS; i++) {
		if (!lacks_cap(m, &machine_needs[i]))
			continue;
		printf("%s%s", any ? ", " : "  capabilities:\n    add: [", machine_needs[i].name + strlen("CAP_"));
		any = true;
	}
	if (any)
		printf("]\n");
}

static bool lacks_caps(const struct machine *m)
{
	bool lacks = false;

	for (size_t i = 0; i < NEEDS; i++)
		lacks |= lacks_cap(m, &machine_needs[i]);
	return lacks;
}

/* What a container of a pod lacks, for its place in the manifest. */
static void print_pod_spec(const struct check *k)
{
	const struct machine *m = &k->m;

	if (lacks_caps(m) || !m->is_root || m->bpf_error) {
		printf("securityContext:\n");
		if (!m->is_root)
			printf("  runAsUser: 0\n");
		print_caps(m);
		if (m->bpf_error)
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
	check_daemons(&k);
	check_frozen(&k);
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
