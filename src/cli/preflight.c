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
#include <sys/utsname.h>
#include <linux/magic.h>

#include "ns/procfs.h"
#include "util/macros.h"

/* include/linux/proc_ns.h PROC_USER_INIT_INO: the inode of the initial user namespace. */
#define USER_INIT_INO 0xeffffffdu

/* linux/capability.h; libcap's own names may be older than the running kernel. */
#define CAP_NUMBER_PERFMON 38
#define CAP_NUMBER_BPF     39

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

static bool has_cap(cap_t caps, cap_value_t cap)
{
	cap_flag_value_t set;

	return !cap_get_flag(caps, cap, CAP_EFFECTIVE, &set) && set == CAP_SET;
}

static void look_caps(struct machine *m)
{
	cap_t caps = cap_get_proc();
	bool admin;

	if (!caps)
		return;
	admin = has_cap(caps, CAP_SYS_ADMIN);
	m->cap_bpf = admin || has_cap(caps, CAP_NUMBER_BPF);
	m->cap_perfmon = admin || has_cap(caps, CAP_NUMBER_PERFMON);
	m->cap_ptrace = has_cap(caps, CAP_SYS_PTRACE);
	m->cap_dac = has_cap(caps, CAP_DAC_READ_SEARCH) || has_cap(caps, CAP_DAC_OVERRIDE);
	cap_free(caps);
}

void machine_look(struct machine *ret)
{
	struct machine m = { .cap_bpf = true, .cap_perfmon = true, .cap_ptrace = true, .cap_dac = true };
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
	look_caps(&m);
	*ret = m;
}

static int judge_privilege(const struct machine *m, char *err, size_t err_size)
{
	/* What root owns, root may read without it. */
	bool can_read = m->cap_dac || m->is_root;
	char missing[128];

	if (m->in_user_namespace) {
		snprintf(err, err_size, "this is a user namespace, whose root has no rights over the kernel: run ctrace as root of the machine (in a container: without userns remapping)");
		return -EPERM;
	}
	if (m->cap_bpf && m->cap_perfmon && m->cap_ptrace && can_read)
		return 0;
	snprintf(missing, sizeof(missing), "%s%s%s%s", m->cap_bpf ? "" : ", CAP_BPF", m->cap_perfmon ? "" : ", CAP_PERFMON",
		 m->cap_ptrace ? "" : ", CAP_SYS_PTRACE", can_read ? "" : ", CAP_DAC_READ_SEARCH");
	if (m->is_root)
		snprintf(err, err_size, "missing %s: give the container these capabilities (docker run --cap-add, or securityContext.capabilities.add)", missing + 2);
	else
		snprintf(err, err_size, "missing %s: run ctrace as root (sudo ctrace ...)", missing + 2);
	return -EPERM;
}

bool machine_too_old(const struct machine *m)
{
	return m->kernel_major < 5 || (m->kernel_major == 5 && m->kernel_minor < 15);
}

int machine_judge(const struct machine *m, char *err, size_t err_size)
{
	int r;

	if (machine_too_old(m)) {
		snprintf(err, err_size, "Linux %u.%u is too old: ctrace needs 5.15 or newer", m->kernel_major, m->kernel_minor);
		return -ENOTSUP;
	}
	if (!m->has_procfs) {
		snprintf(err, err_size, "no procfs at /proc: mount it (mount -t proc proc /proc)");
		return -ENOTSUP;
	}
	r = judge_privilege(m, err, err_size);
	if (r < 0)
		return r;
	if (m->confidential) {
		snprintf(err, err_size, "the kernel is locked down (confidentiality), so no BPF program may read memory: boot with lockdown=integrity or less");
		return -EPERM;
	}
	if (!m->has_btf && !m->has_sysfs) {
		snprintf(err, err_size, "no sysfs at /sys, where the kernel's BTF is: mount it (mount -t sysfs sysfs /sys)");
		return -ENOTSUP;
	}
	if (!m->has_btf) {
		snprintf(err, err_size, "the kernel has no BTF (/sys/kernel/btf/vmlinux): use one that is built with CONFIG_DEBUG_INFO_BTF=y, as the distributions' are");
		return -ENOTSUP;
	}
	return 0;
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
