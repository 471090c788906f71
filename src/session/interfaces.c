/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "session/interfaces.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ns/nsid.h"
#include "session/families.h"
#include "util/macros.h"

#define TASKS 16                /* of a cgroup whose namespaces are entered before any is asked for */
#define NAMESPACES 64           /* that are kept; the oldest goes first */

struct reader {
	struct interfaces base;
	const struct target_env *env;
	const struct target_list *targets;
	struct known {
		uint32_t inum;
		int fd;                 /* a socket of the internet, and one of generic netlink */
		struct families families;
	} known[NAMESPACES];
	unsigned n, next;
};

/* The process's number in env's /proc; 0: not known. */
static pid_t number(const struct reader *r, const struct task *t)
{
	if (!r->env)
		return 0;
	if (r->env->pidns_inum == NS_PID_INITIAL)
		return (pid_t)t->host_tgid;
	if (t->target < r->targets->n && r->targets->v[t->target].pidns_inum == r->env->pidns_inum)
		return (pid_t)t->tgid;
	return 0;
}

static uint32_t inum_of(int fd)
{
	struct stat st;

	return fstat(fd, &st) ? 0 : (uint32_t)st.st_ino;
}

static int open_sockets(struct known *k)
{
	k->fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	k->families.fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	return k->fd < 0 ? -errno : 0;
}

/* Sockets in the namespace; negative errno. Nothing else of this thread goes there. */
static int open_in(struct known *k, int ns, uint32_t inum)
{
	_cleanup_close_ int own = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
	int r;

	if (own < 0)
		return -errno;
	if (inum_of(own) == inum)
		return open_sockets(k);
	if (setns(ns, CLONE_NEWNET))
		return -errno;
	r = open_sockets(k);
	/* It has just been left, with the capability that leads back. */
	if (setns(own, CLONE_NEWNET))
		abort();
	return r;
}

static void close_known(struct known *k)
{
	if (k->fd >= 0)
		close(k->fd);
	if (k->families.fd >= 0)
		close(k->families.fd);
}

static struct known *find_known(struct reader *r, uint32_t inum)
{
	for (unsigned i = 0; inum && i < r->n; i++)
		if (r->known[i].inum == inum)
			return &r->known[i];
	return NULL;
}

/* NULL: it cannot be entered. */
static struct known *enter(struct reader *r, int ns, uint32_t inum)
{
	struct known *k = &r->known[r->next], fresh = { .inum = inum, .fd = -1, .families.fd = -1 };

	if (open_in(&fresh, ns, inum)) {
		close_known(&fresh);
		return NULL;
	}
	if (r->next < r->n)
		close_known(k);
	else
		r->n++;
	r->next = (r->next + 1) % NAMESPACES;
	*k = fresh;
	return k;
}

/* The network namespace of a process by its number in env's /proc; -1: it is gone, or in another than that of inum. */
static int open_of(const struct reader *r, pid_t pid, uint32_t inum)
{
	char name[64];
	int fd;

	if (pid <= 0)
		return -1;
	snprintf(name, sizeof(name), "%d/ns/net", (int)pid);
	fd = openat(r->env->proc_fd, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || !inum || inum_of(fd) == inum)
		return fd;
	close(fd);
	return -1;
}

/* The first process of a target, which outlives most others, or one that was found in it. */
static pid_t first_process(const struct reader *r, const struct target *t)
{
	if (t->pid)
		return t->pid;
	if (r->env->pidns_inum == NS_PID_INITIAL && t->init_pid)
		return t->init_pid;
	return t->place_pid;
}

static pid_t first_of(const struct reader *r, const struct task *t)
{
	return r->env && t->target < r->targets->n ? first_process(r, &r->targets->v[t->target]) : 0;
}

/* The namespace of that number (0: that of the task); NULL: it cannot be had. */
static struct known *find(struct reader *r, const struct task *t, uint32_t inum)
{
	_cleanup_close_ int ns = -1;
	struct known *k = find_known(r, inum);

	if (k)
		return k;
	ns = open_of(r, number(r, t), inum);
	if (ns < 0 && inum)
		ns = open_of(r, first_of(r, t), inum);
	if (ns < 0 && inum)
		ns = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
	if (ns < 0 || (inum && inum_of(ns) != inum))
		return NULL;
	inum = inum_of(ns);
	k = find_known(r, inum);
	return k ? k : enter(r, ns, inum);
}

static bool name_of(struct interfaces *i, const struct task *t, uint32_t netns, uint32_t index, char buf[static INTERFACE_NAME])
{
	struct ifreq req = { .ifr_ifindex = (int)index };
	const struct known *k = find((struct reader *)i, t, netns);

	if (!k || ioctl(k->fd, SIOCGIFNAME, &req))
		return false;
	memcpy(buf, req.ifr_name, INTERFACE_NAME);
	buf[INTERFACE_NAME - 1] = '\0';
	return true;
}

static bool family_of(struct interfaces *i, const struct task *t, uint32_t netns, uint16_t id, char buf[static FAMILY_NAME])
{
	struct known *k = find((struct reader *)i, t, netns);

	return k && families_find(&k->families, id, buf);
}

struct interfaces *interfaces_new(void)
{
	struct reader *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->base.name = name_of;
	r->base.family = family_of;
	return &r->base;
}

void interfaces_free(struct interfaces *i)
{
	struct reader *r = (struct reader *)i;

	if (!r)
		return;
	for (unsigned k = 0; k < r->n; k++)
		close_known(&r->known[k]);
	free(r);
}

void interfaces_place(struct interfaces *i, const struct target_env *env, const struct target_list *targets)
{
	struct reader *r = (struct reader *)i;

	r->env = env;
	r->targets = targets;
}

static void enter_of(struct reader *r, pid_t pid)
{
	_cleanup_close_ int ns = open_of(r, pid, 0);

	if (ns >= 0 && r->n < NAMESPACES && !find_known(r, inum_of(ns)))
		enter(r, ns, inum_of(ns));
}

void interfaces_enter(struct interfaces *i)
{
	struct reader *r = (struct reader *)i;
	_cleanup_close_ int own = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);

	if (own >= 0)
		enter(r, own, inum_of(own));
	for (size_t k = 0; k < r->targets->n; k++) {
		const struct target *t = &r->targets->v[k];
		struct task_refs refs = { 0 };

		enter_of(r, first_process(r, t));
		if (t->kind != TARGET_CGROUP || t->waiting || target_list_tasks(r->env, t, &refs))
			continue;
		/* What is in one cgroup can have several. */
		for (size_t n = 0; n < refs.n && n < TASKS; n++)
			if (task_ref_lives(r->env, &refs.v[n]))
				enter_of(r, refs.v[n].tgid);
		task_refs_done(&refs);
	}
}
