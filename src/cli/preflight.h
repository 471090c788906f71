/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CLI_PREFLIGHT_H
#define CTRACE_CLI_PREFLIGHT_H
/* What ctrace needs of the machine, looked at before anything is loaded. */
#include <stdbool.h>
#include <stddef.h>

struct machine {
	unsigned kernel_major, kernel_minor;
	bool has_btf;                   /* /sys/kernel/btf/vmlinux is readable */
	bool has_sysfs;
	bool has_procfs;
	bool confidential;              /* the kernel is locked down: confidentiality */
	bool in_user_namespace;         /* capabilities count for nothing outside it */
	bool is_root;
	bool cap_bpf, cap_perfmon;      /* effective; CAP_SYS_ADMIN stands for both */
	bool cap_ptrace, cap_dac;       /* CAP_SYS_PTRACE, CAP_DAC_READ_SEARCH or CAP_DAC_OVERRIDE */
};

/* Never fails: what cannot be found out is taken as being there. */
void machine_look(struct machine *ret);
/* Whether the kernel lacks what all of ctrace builds on. */
bool machine_too_old(const struct machine *m);
/* 0, or -ENOTSUP/-EPERM with one line that says what is missing and what to do. */
int machine_judge(const struct machine *m, char *err, size_t err_size);

/* hidepid= of the procfs at that path, proc(5); 0: none. */
unsigned proc_hides(int proc_fd, const char *proc_path);

#endif
