/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CLI_ARMOUR_H
#define CTRACE_CLI_ARMOUR_H
/*
 * What ctrace lets go of once it traces, so that a mistake in the decoder of
 * hostile data is not root on the node: capabilities that the rest of the run
 * has no use for (capabilities(7)), new privileges (no_new_privs) and system
 * calls (seccomp(2)). docs/security.md says why each is kept.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/config.h"
#include "cli/preflight.h"
#include "target/target.h"

/* What a run still does after its attach, as far as it needs a privilege or a system call. */
struct duties {
	bool bpf_needs_cap;             /* before Linux 5.19 unprivileged_bpf_disabled refuses the use of open maps, too */
	bool stacks;                    /* -k: files and mappings of processes */
	bool names;                     /* --names: their /etc/hosts */
	bool secontexts;                /* --secontext */
	bool lossless;                  /* cgroups are frozen and thawed */
	bool waits;                     /* --wait, --follow-restarts: the runtimes' files, and what they lead to */
	bool paths;                     /* -P in a target that is waited for */
	bool hidden;                    /* processes of others can be seen with CAP_SYS_PTRACE only */
	bool strangers;                 /* network namespaces of tasks that are not known yet are entered */
	bool new_files;                 /* -ff opens files when tasks come */
	bool status_file;               /* --status-file writes one at the end */
	pid_t command_pid;              /* signals are forwarded to it; 0: no COMMAND */
	pid_t own_pid;
};

/* command_pid: that of COMMAND's process, 0: none. */
struct duties duties_of(const struct config *c, const struct machine *m, const struct target_env *env, const struct target_list *targets,
			pid_t command_pid);

/* The capabilities that these duties need, as bits by number. */
uint64_t duties_caps(const struct duties *d);

/*
 * Keeps of the capabilities those alone, in all five sets, for this thread:
 * one that --lossless has started has dropped its own. 0 or a negative errno.
 */
int armour_drop_caps(uint64_t keep);

/* LeakSanitizer looks for leaks at the exit from a process of its own, as a debugger: no filter can be there then. */
#if defined(__SANITIZE_ADDRESS__)
#define ARMOUR_FILTERS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARMOUR_FILTERS 0
#endif
#endif
#ifndef ARMOUR_FILTERS
#define ARMOUR_FILTERS 1
#endif

/*
 * No new privileges, and the filter. 0 or a negative errno: the kernel has no
 * seccomp filters, or a filter that is there already refuses more of them.
 */
int armour_filter(const struct duties *d);

/* All of it, with one line (say()) for what could not be had. */
void armour_put_on(const struct duties *d);

#endif
