/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/armour.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "cli/message.h"
#include "ns/nsid.h"
#include "util/macros.h"

/* Whether the host's process 1, which has capabilities, can be looked at by who uses none. */
static bool is_hidden(int proc_fd)
{
	cap_t own = cap_get_proc(), without = own ? cap_dup(own) : NULL;
	int fd = -1;

	if (without && !cap_clear_flag(without, CAP_EFFECTIVE) && !cap_set_proc(without)) {
		fd = openat(proc_fd, "1/stat", O_RDONLY | O_CLOEXEC);
		(void)cap_set_proc(own);
	}
	cap_free(own);
	cap_free(without);
	if (fd >= 0)
		close(fd);
	return fd < 0;
}

/* hidepid= and gid=, proc(5). A node's list of mounts can have thousands of lines, so it is tried there; a container's is short. */
static bool hides(const struct target_env *env)
{
	return env->pidns_inum == NS_PID_INITIAL ? is_hidden(env->proc_fd) : proc_hides(env->proc_fd, env->proc_path);
}

struct duties duties_of(const struct config *c, const struct machine *m, const struct target_env *env, const struct target_list *targets,
			pid_t command_pid)
{
	struct duties d = {
		.stacks = c->session.stack,
		.names = c->names,
		.secontexts = c->secontext,
		.waits = c->wait || c->session.follow_restarts,
		.lossless = c->session.lossless,
		.new_files = c->output.separate,
		.status_file = c->status_file,
		.command_pid = command_pid,
		.own_pid = getpid(),
	};

	d.bpf_needs_cap = machine_is_before(m, 5, 19);
	d.paths = d.waits && c->session.touch.n_paths;
	/* In a container the host's files are reached by the root of its process 1. */
	d.hidden = env->root_prefix[0] || hides(env);
	d.strangers = d.waits;
	for (size_t i = 0; i < targets->n; i++)
		d.strangers |= targets->v[i].kind == TARGET_COMMAND || targets->v[i].kind == TARGET_ALL;
	return d;
}

static uint64_t bit(unsigned cap)
{
	return 1ull << cap;
}

uint64_t duties_caps(const struct duties *d)
{
	uint64_t caps = bit(CAP_SYS_NICE);      /* readings of tasks go first, see session_hurry() */

	if (d->bpf_needs_cap)
		caps |= bit(CAP_NUMBER_BPF);
	/* /proc/PID/root, maps, ns: proc(5) says which are for tracers. */
	if (d->stacks || d->names || d->secontexts || d->waits || d->hidden || d->strangers)
		caps |= bit(CAP_SYS_PTRACE);
	/* Directories of other users on the way to what is read. */
	if (d->stacks || d->names || d->secontexts || d->waits)
		caps |= bit(CAP_DAC_READ_SEARCH);
	/* /proc/PID/map_files, proc(5). */
	if (d->stacks)
		caps |= bit(CAP_NUMBER_CHECKPOINT_RESTORE);
	/* setns(2) into a network namespace. */
	if (d->strangers)
		caps |= bit(CAP_SYS_ADMIN);
	/* Files in a directory that is another user's: that of whoever called sudo. */
	if (d->new_files || d->status_file)
		caps |= bit(CAP_DAC_OVERRIDE);
	if (d->command_pid)
		caps |= bit(CAP_KILL);
	return caps;
}

/* The bounding set; without CAP_SETPCAP it stays, and with no_new_privs nothing comes of it. */
static void drop_bounding(uint64_t keep)
{
	for (unsigned cap = 0; cap < CAP_NUMBERS; cap++) {
		if (keep & bit(cap))
			continue;
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) < 0)
			break;          /* EINVAL: the last one was the kernel's last */
	}
}

static int keep_one(cap_t to, cap_t from, cap_value_t cap)
{
	cap_flag_value_t has;

	/* One that the kernel or libcap does not know was not had. */
	if (cap_get_flag(from, cap, CAP_PERMITTED, &has) < 0 || has != CAP_SET)
		return 0;
	if (cap_set_flag(to, CAP_PERMITTED, 1, &cap, CAP_SET) < 0 || cap_set_flag(to, CAP_EFFECTIVE, 1, &cap, CAP_SET) < 0)
		return -errno;
	return 0;
}

int armour_drop_caps(uint64_t keep)
{
	cap_t from = cap_get_proc(), to = cap_init();
	int r = from && to ? 0 : -errno;

	drop_bounding(keep);
	/* EINVAL before Linux 4.3, which had no such set. */
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	for (unsigned cap = 0; !r && cap < CAP_NUMBERS; cap++) {
		if (keep & bit(cap))
			r = keep_one(to, from, (cap_value_t)cap);
	}
	if (!r && cap_set_proc(to) < 0)
		r = -errno;
	cap_free(from);
	cap_free(to);
	return r;
}

void armour_put_on(const struct duties *d)
{
	int r = armour_drop_caps(duties_caps(d));

	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (r < 0)
		say("goes on with all its capabilities, which it cannot drop: %s", strerror(-r));
	r = armour_filter(d);
	if (r < 0)
		say("goes on without a system call filter of its own: %s", strerror(-r));
}
