/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/preflight.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <linux/magic.h>

#include "ns/procfs.h"
#include "util/macros.h"

/* include/linux/proc_ns.h PROC_USER_INIT_INO: the inode of the initial user namespace. */
#define USER_INIT_INO 0xeffffffdu

static bool always(const struct wants *w _unused_)
{
	return true;
}

static bool wants_proc(const struct wants *w)
{
	return w->containers || w->processes;
}

static bool wants_others(const struct wants *w)
{
	return w->others;
}

static bool wants_stacks(const struct wants *w)
{
	return w->stacks;
}

static bool wants_user(const struct wants *w)
{
	return w->user;
}

const struct need machine_needs[NEEDS] = {
	[NEED_BPF] = { CAP_NUMBER_BPF, "CAP_BPF", "to load programs", always, NULL, NULL },
	{ CAP_NUMBER_PERFMON, "CAP_PERFMON", "to read kernel memory in them", always, NULL, NULL },
	[NEED_PTRACE] = { CAP_SYS_PTRACE, "CAP_SYS_PTRACE", "to look at processes of others in /proc", wants_proc, wants_others,
	  "pids of tasks in other pid namespaces are shown as the host's" },
	{ CAP_DAC_READ_SEARCH, "CAP_DAC_READ_SEARCH", "to read the runtimes' files, and those of processes", wants_proc, NULL, NULL },
	{ CAP_NUMBER_CHECKPOINT_RESTORE, "CAP_CHECKPOINT_RESTORE", "to open the programs of processes for -k", NULL, wants_stacks,
	  "-k shows addresses without functions, of the first frames alone" },
	{ CAP_SYS_ADMIN, "CAP_SYS_ADMIN", "to enter network namespaces for the names of interfaces, and the host's cgroup namespace", NULL, NULL, NULL },
	{ CAP_SETUID, "CAP_SETUID", "to run COMMAND as another user, -u", wants_user, NULL, NULL },
	{ CAP_SETGID, "CAP_SETGID", "to run COMMAND with the groups of another user, -u", wants_user, NULL, NULL },
};

static bool is_mounted(const char *path, long magic)
{
	struct statfs fs;

	return !statfs(path, &fs) && fs.f_type == magic;
}

/* Linux 5.4's security/lockdown: "none integrity [confidentiality]". No such file: no lockdown. */
static bool is_confidential(void)
{
	_cleanup_close_ int fd = open("/sys/kernel/security/lockdown", O_RDONLY | O_CLOEXEC);
	char text[128];
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	if (n < 0)
		return false;
	text[n] = '\0';
	return strstr(text, "[confidentiality]");
}

bool machine_is_before(const struct machine *m, unsigned major, unsigned minor)
{
	return m->kernel_major < major || (m->kernel_major == major && m->kernel_minor < minor);
}

static bool has_cap(const struct machine *m, unsigned cap)
{
	return m->caps >> cap & 1;
}

static uint64_t look_caps(void)
{
	cap_t caps = cap_get_proc();
	cap_flag_value_t set;
	uint64_t bits = 0;

	if (!caps)
		return UINT64_MAX;
	for (cap_value_t cap = 0; cap < CAP_NUMBERS; cap++) {
		if (!cap_get_flag(caps, cap, CAP_EFFECTIVE, &set) && set == CAP_SET)
			bits |= 1ull << cap;
	}
	cap_free(caps);
	return bits;
}

/* A command that no kernel has: EINVAL or E2BIG from one that looks at it. */
static int try_bpf(void)
{
	int error = syscall(SYS_bpf, 0x7fff, NULL, 0) < 0 ? errno : 0;

	return error == EINVAL || error == E2BIG ? 0 : error;
}

void machine_look(struct machine *ret)
{
	struct machine m = { .caps = look_caps() };
	struct utsname name;
	struct stat st;

	if (uname(&name) < 0 || sscanf(name.release, "%u.%u", &m.kernel_major, &m.kernel_minor) != 2) {
		m.kernel_major = 5;
		m.kernel_minor = 15;
	}
	m.is_root = !geteuid();
	m.has_procfs = is_mounted("/proc", PROC_SUPER_MAGIC);
	m.has_sysfs = is_mounted("/sys", SYSFS_MAGIC);
	m.has_btf = !access("/sys/kernel/btf/vmlinux", R_OK);
	m.confidential = is_confidential();
	m.in_user_namespace = !stat("/proc/self/ns/user", &st) && st.st_ino != USER_INIT_INO;
	if (machine_has(&m, &machine_needs[NEED_BPF]))
		m.bpf_error = try_bpf();
	*ret = m;
}

bool machine_has(const struct machine *m, const struct need *need)
{
	switch (need->cap) {
	case CAP_NUMBER_BPF:
	case CAP_NUMBER_PERFMON:
	case CAP_NUMBER_CHECKPOINT_RESTORE:
		return has_cap(m, need->cap) || has_cap(m, CAP_SYS_ADMIN);
	case CAP_DAC_READ_SEARCH:
		/* What root owns, root may read without it. */
		return has_cap(m, need->cap) || has_cap(m, CAP_DAC_OVERRIDE) || m->is_root;
	}
	return has_cap(m, need->cap);
}

const char *machine_remedy(const struct machine *m)
{
	return m->is_root ? "give it to the container (docker run --cap-add, securityContext.capabilities.add; SYS_ADMIN in place of BPF and PERFMON where these are not known)" : "run ctrace as root (sudo ctrace ...)";
}

bool machine_lacks(const struct machine *m, enum part part, char *buf, size_t size)
{
	const char *text = NULL;

	switch (part) {
	case PART_KERNEL:
		if (!machine_is_before(m, 5, 15))
			return false;
		snprintf(buf, size, "Linux %u.%u is too old: ctrace needs 5.15 or newer", m->kernel_major, m->kernel_minor);
		return true;
	case PART_PROCFS:
		if (!m->has_procfs)
			text = "no procfs at /proc: mount it (mount -t proc proc /proc)";
		break;
	case PART_USER_NAMESPACE:
		if (m->in_user_namespace)
			text = "this is a user namespace, whose root has no rights over the kernel: run ctrace as root of the machine (in a container: without userns remapping, hostUsers: true)";
		break;
	case PART_BPF:
		if (!m->bpf_error)
			return false;
		snprintf(buf, size, "bpf(2) is refused in spite of CAP_BPF (%s), by a seccomp profile or a security module: run the container without that (docker run --security-opt seccomp=unconfined, seccompProfile: {type: Unconfined})",
			 strerror(m->bpf_error));
		return true;
	case PART_LOCKDOWN:
		if (m->confidential)
			text = "the kernel is locked down (confidentiality), so no BPF program may read memory: boot with lockdown=integrity or less";
		break;
	case PART_BTF:
		if (!m->has_btf)
			text = m->has_sysfs ? "the kernel has no BTF (/sys/kernel/btf/vmlinux): use one that is built with CONFIG_DEBUG_INFO_BTF=y, as the distributions' are" :
					      "no sysfs at /sys, where the kernel's BTF is: mount it (mount -t sysfs sysfs /sys)";
		break;
	case PARTS:
		break;
	}
	if (text)
		snprintf(buf, size, "%s", text);
	return text;
}

static int judge_caps(const struct machine *m, const struct wants *w, char *err, size_t err_size)
{
	char missing[256] = "";
	size_t len = 0;

	for (size_t i = 0; i < NEEDS; i++) {
		const struct need *n = &machine_needs[i];

		if (n->must && n->must(w) && !machine_has(m, n))
			len += (size_t)snprintf(missing + len, sizeof(missing) - len, "%s%s", len ? ", " : "", n->name);
	}
	if (!len)
		return 0;
	snprintf(err, err_size, "missing %s: %s", missing, machine_remedy(m));
	return -EPERM;
}

int machine_judge(const struct machine *m, const struct wants *w, char *err, size_t err_size)
{
	int r;

	for (enum part part = 0; part < PARTS; part++) {
		/* What a user namespace lacks no capability mends. */
		r = part == PART_USER_NAMESPACE + 1 ? judge_caps(m, w, err, err_size) : 0;
		if (r < 0)
			return r;
		if (machine_lacks(m, part, err, err_size))
			return part == PART_USER_NAMESPACE || part == PART_BPF || part == PART_LOCKDOWN ? -EPERM : -ENOTSUP;
	}
	return 0;
}

bool machine_less(const struct machine *m, const struct wants *w, size_t n, char *buf, size_t size)
{
	const struct need *need = &machine_needs[n];

	if (!need->asked || !need->asked(w) || machine_has(m, need))
		return false;
	snprintf(buf, size, "without %s %s", need->name, need->less);
	return true;
}

unsigned proc_hides(int proc_fd, const char *proc_path)
{
	_cleanup_free_ char *text = NULL;
	char *save = NULL;
	unsigned level = 0;
	size_t len;

	if (proc_read_file(proc_fd, "self/mountinfo", 4u << 20, &text, &len) < 0)
		return 0;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char where[256];
		const char *option = strstr(line, "hidepid=");

		if (sscanf(line, "%*u %*u %*s %*s %255s", where) != 1 || strcmp(where, proc_path))
			continue;
		/* The last one is the one that is seen. Linux 5.8 writes words. */
		option = option ? option + strlen("hidepid=") : "off";
		level = !strncmp(option, "noaccess", 8) ? 1 : !strncmp(option, "invisible", 9) ? 2 : !strncmp(option, "ptraceable", 10) ? 4 :
			(unsigned)strtoul(option, NULL, 10);
	}
	return level;
}
