/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CLI_PREFLIGHT_H
#define CTRACE_CLI_PREFLIGHT_H
/* What ctrace needs of the machine, looked at before anything is loaded. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* linux/capability.h; libcap's own names may be older than the running kernel. */
#define CAP_NUMBER_PERFMON            38
#define CAP_NUMBER_BPF                39
#define CAP_NUMBER_CHECKPOINT_RESTORE 40
#define CAP_NUMBERS                   64

struct machine {
	unsigned kernel_major, kernel_minor;
	bool has_btf;                   /* /sys/kernel/btf/vmlinux is readable */
	bool has_sysfs;
	bool has_procfs;
	bool confidential;              /* the kernel is locked down: confidentiality */
	bool in_user_namespace;         /* capabilities count for nothing outside it */
	bool is_root;
	uint64_t caps;                  /* effective, as bits by number */
	int bpf_error;                  /* with which bpf(2) is refused to who has CAP_BPF; 0: it is not */
};

/* What a run wants that not every run does. */
struct wants {
	bool containers;                /* by their names, and restarts: the runtimes' files are read */
	bool processes;                 /* -k, --names, --secontext: files of processes */
	bool stacks;                    /* -k */
	bool user;                      /* -u */
	bool others;                    /* processes that are not COMMAND's */
};

/* A capability, and what is done with it. */
struct need {
	unsigned cap;
	const char *name, *why;
	bool (*must)(const struct wants *w);    /* the run is refused without it; NULL: never */
	bool (*asked)(const struct wants *w);   /* it is less without it, so it is told; NULL: not told */
	const char *less;                       /* what the run lacks then */
};

/* Those that are asked for one by one. */
enum { NEED_BPF = 0, NEED_PTRACE = 2, NEEDS = 8 };
extern const struct need machine_needs[NEEDS];

/* The parts of the machine other than capabilities, in the order in which they are told. */
enum part { PART_KERNEL, PART_PROCFS, PART_USER_NAMESPACE, PART_BPF, PART_LOCKDOWN, PART_BTF, PARTS };

/* Whether the kernel is older than that version. */
bool machine_is_before(const struct machine *m, unsigned major, unsigned minor);
/* Never fails: what cannot be found out is taken as being there. */
void machine_look(struct machine *ret);
/* Whether the capability is there, or another one that stands for it. */
bool machine_has(const struct machine *m, const struct need *need);
/* How to get capabilities, for the end of a sentence that names them. */
const char *machine_remedy(const struct machine *m);
/* What is wrong with a part and what to do about it, in one line; false: nothing is. */
bool machine_lacks(const struct machine *m, enum part part, char *buf, size_t size);
/* 0, or -ENOTSUP/-EPERM with one line that says what is missing and what to do. */
int machine_judge(const struct machine *m, const struct wants *w, char *err, size_t err_size);
/* What is less for want of the n-th of machine_needs, in one line; false: nothing. Only for a run that is not refused. */
bool machine_less(const struct machine *m, const struct wants *w, size_t n, char *buf, size_t size);

/* hidepid= of the procfs at that path, proc(5); 0: none. */
unsigned proc_hides(int proc_fd, const char *proc_path);

#endif
