/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "session/interfaces.h"

#include <errno.h>
#include <fcntl.h>
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
#include "util/macros.h"

#define NAMESPACES 64           /* that are kept; the oldest goes first */

struct reader {
	struct interfaces base;
	const struct target_env *env;
	const struct target_list *targets;
	struct { uint32_t inum; int fd; } known[NAMESPACES];
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

/* A socket in the namespace; negative errno. Nothing else of this thread goes there. */
static int socket_in(int ns, uint32_t inum)
{
	_cleanup_close_ int own = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
	int fd;

	if (own < 0)
		return -errno;
	if (inum_of(own) == inum)
		return socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (setns(ns, CLONE_NEWNET))
		return -errno;
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	/* It has just been left, with the capability that leads back. */
	if (setns(own, CLONE_NEWNET))
		abort();
	return fd;
}

static int known_socket(const struct reader *r, uint32_t inum)
{
	for (unsigned i = 0; i < r->n; i++)
		if (r->known[i].inum == inum)
			return r->known[i].fd;
	return -1;
}

static int keep(struct reader *r, uint32_t inum, int fd)
{
	unsigned at = r->next;

	if (fd < 0)
		return -1;
	r->next = (r->next + 1) % NAMESPACES;
	if (at < r->n)
		close(r->known[at].fd);
	else
		r->n++;
	r->known[at].inum = inum;
	r->known[at].fd = fd;
	return fd;
}

/* A socket in the namespace of that number (0: that of the task); -1: it cannot be had. */
static int find_socket(struct reader *r, const struct task *t, uint32_t inum)
{
	_cleanup_close_ int ns = -1, own = -1;
	char name[64];
	pid_t pid;
	int fd = inum ? known_socket(r, inum) : -1;

	if (fd >= 0)
		return fd;
	pid = number(r, t);
	if (pid) {
		snprintf(name, sizeof(name), "%d/ns/net", (int)pid);
		ns = openat(r->env->proc_fd, name, O_RDONLY | O_CLOEXEC);
	}
	if (ns >= 0 && (!inum || inum_of(ns) == inum)) {
		inum = inum_of(ns);
		fd = known_socket(r, inum);
		return fd >= 0 ? fd : keep(r, inum, socket_in(ns, inum));
	}
	own = inum ? open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC) : -1;
	return own >= 0 && inum_of(own) == inum ? keep(r, inum, socket_in(own, inum)) : -1;
}

static bool name_of(struct interfaces *i, const struct task *t, uint32_t netns, uint32_t index, char buf[static INTERFACE_NAME])
{
	struct ifreq req = { .ifr_ifindex = (int)index };
	int fd = find_socket((struct reader *)i, t, netns);

	if (fd < 0 || ioctl(fd, SIOCGIFNAME, &req))
		return false;
	memcpy(buf, req.ifr_name, INTERFACE_NAME);
	buf[INTERFACE_NAME - 1] = '\0';
	return true;
}

struct interfaces *interfaces_new(void)
{
	struct reader *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->base.name = name_of;
	return &r->base;
}

void interfaces_free(struct interfaces *i)
{
	struct reader *r = (struct reader *)i;

	if (!r)
		return;
	for (unsigned k = 0; k < r->n; k++)
		close(r->known[k].fd);
	free(r);
}

void interfaces_place(struct interfaces *i, const struct target_env *env, const struct target_list *targets)
{
	struct reader *r = (struct reader *)i;

	r->env = env;
	r->targets = targets;
}
