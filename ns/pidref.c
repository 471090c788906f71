/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "ns/pidref.h"

#include <errno.h>

#include "ns/procfs.h"
#include "util/macros.h"

int pidref_live_thread(int proc_fd, pid_t pid, pid_t *ret_tid)
{
	_cleanup_(pid_list_done) struct pid_list tids = { 0 };
	struct proc_stat s;
	int r;

	r = proc_stat_read(proc_fd, pid, 0, &s);
	if (r < 0)
		return r;
	if (!proc_state_ended(s.state)) {
		*ret_tid = pid;
		return 0;
	}
	r = proc_threads_read(proc_fd, pid, &tids);
	if (r < 0)
		return r;
	for (size_t i = 0; i < tids.n; i++)
		if (proc_stat_read(proc_fd, pid, tids.v[i], &s) == 0 && !proc_state_ended(s.state)) {
			*ret_tid = tids.v[i];
			return 0;
		}
	return -ESRCH;
}

int pidref_open(int proc_fd, pid_t pid, struct pidref *ret)
{
	struct proc_stat s;
	pid_t tid;
	int r;

	r = proc_stat_read(proc_fd, pid, 0, &s);
	if (r < 0)
		return r;
	if (proc_state_ended(s.state)) {
		r = pidref_live_thread(proc_fd, pid, &tid);
		if (r < 0)
			return r;
	}
	*ret = (struct pidref){ .pid = pid, .start = s.start };
	return 0;
}

int pidref_verify(int proc_fd, const struct pidref *ref)
{
	struct pidref now;
	int r = pidref_open(proc_fd, ref->pid, &now);

	if (r < 0)
		return r;
	return now.start == ref->start ? 0 : -ESRCH;
}
