/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "ns/nsid.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ns/procfs.h"
#include "util/macros.h"

#define REFERENCES 64           /* processes tried by nsid_reference() */

static const char *const ns_names[NS_KINDS] = {
	[NS_PID] = "pid", [NS_MNT] = "mnt", [NS_CGROUP] = "cgroup", [NS_USER] = "user",
};

int nsid_parse(const char *link, enum ns_kind kind, uint32_t *ret)
{
	size_t len = strlen(ns_names[kind]);
	unsigned long long v;
	char *end;

	if (strncmp(link, ns_names[kind], len) || strncmp(link + len, ":[", 2))
		return -EINVAL;
	link += len + 2;
	if (*link < '0' || *link > '9')
		return -EINVAL;
	errno = 0;
	v = strtoull(link, &end, 10);
	if (errno || v > UINT32_MAX || strcmp(end, "]"))
		return -EINVAL;
	*ret = (uint32_t)v;
	return 0;
}

int nsid_read(int proc_fd, pid_t pid, enum ns_kind kind, uint32_t *ret)
{
	char name[16], link[64];
	int r;

	snprintf(name, sizeof(name), "ns/%s", ns_names[kind]);
	r = proc_link_read(proc_fd, pid, name, link, sizeof(link));
	return r < 0 ? r : nsid_parse(link, kind, ret);
}

static int compare_pids(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

int nsid_reference(int proc_fd, pid_t *ret)
{
	_cleanup_(pid_list_done) struct pid_list pids = { 0 };
	uint32_t inum;
	int r;

	if (nsid_read(proc_fd, 1, NS_PID, &inum) == 0) {
		*ret = 1;
		return 0;
	}
	/* procfs shows them in their order. */
	r = proc_first_pids_read(proc_fd, REFERENCES, &pids);
	if (r < 0)
		return r;
	if (pids.n)
		qsort(pids.v, pids.n, sizeof(*pids.v), compare_pids);
	for (size_t i = 0; i < MIN(pids.n, (size_t)REFERENCES); i++) {
		struct proc_status s;

		if (proc_status_read(proc_fd, pids.v[i], 0, &s) < 0 || s.n_nspid != 1 ||
		    nsid_read(proc_fd, pids.v[i], NS_PID, &inum) < 0)
			continue;
		*ret = pids.v[i];
		return 0;
	}
	return -EACCES;
}

int nsid_own(enum ns_kind kind, uint32_t *ret)
{
	char path[32], link[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/ns/%s", ns_names[kind]);
	n = readlink(path, link, sizeof(link) - 1);
	if (n < 0)
		return -errno;
	link[n] = '\0';
	return nsid_parse(link, kind, ret);
}

/* How many levels the namespace inum lies above that of pid; -ENOENT if it does not enclose it. */
static int levels_above(int proc_fd, pid_t pid, uint32_t inum)
{
	_cleanup_close_ int fd = -1;
	char path[32];

	snprintf(path, sizeof(path), "%d/ns/pid", (int)pid);
	fd = openat(proc_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	for (int level = 0; level < PROC_NS_LEVELS; level++) {
		struct stat st;
		int parent;

		if (fstat(fd, &st) < 0)
			return -errno;
		if (st.st_ino == inum)
			return level;
		parent = ioctl(fd, NS_GET_PARENT);
		if (parent < 0)
			return -ENOENT;
		close(fd);
		fd = parent;
	}
	return -ENOENT;
}

int pid_in_namespace(int proc_fd, pid_t pid, pid_t tid, uint32_t inum, pid_t *ret)
{
	struct proc_status s;
	uint32_t own;
	int above = 0, r;

	r = nsid_read(proc_fd, pid, NS_PID, &own);
	if (r < 0)
		return r;
	if (own != inum)
		above = levels_above(proc_fd, pid, inum);
	if (above < 0)
		return above;
	r = proc_status_read(proc_fd, pid, tid, &s);
	if (r < 0)
		return r;
	/* Above the procfs's own level there are no numbers to be had. */
	if ((unsigned)above >= s.n_nspid)
		return -ENOENT;
	*ret = s.nspid[s.n_nspid - 1 - (unsigned)above];
	return 0;
}

int pid_from_namespace(int proc_fd, uint32_t inum, pid_t nr, pid_t *ret)
{
	_cleanup_(pid_list_done) struct pid_list pids = { 0 };
	int r = proc_pids_read(proc_fd, &pids);

	if (r < 0)
		return r;
	for (size_t i = 0; i < pids.n; i++) {
		struct proc_status s;
		bool has = false;
		pid_t there;

		/* Opening namespaces is the dear part: only of those that carry the number at all. */
		if (proc_status_read(proc_fd, pids.v[i], 0, &s) < 0)
			continue;
		for (unsigned k = 0; k < s.n_nspid; k++)
			has |= s.nspid[k] == nr;
		if (!has || pid_in_namespace(proc_fd, pids.v[i], 0, inum, &there) < 0 || there != nr)
			continue;
		*ret = pids.v[i];
		return 0;
	}
	return -ESRCH;
}
