/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "session/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "ns/array.h"
#include "session/internal.h"

#define SOCKET 3        /* the guard's own number for it */
#define FDS 3           /* of a directory: itself, its state, and v1's own state */

struct slot {
	struct freezer freezer;
	bool used;
	uint64_t until;         /* when it is taken for forgotten; 0: not frozen */
};

struct guard {
	struct slot *v;
	size_t n, allocated;
};

int guard_tell(int fd, enum guard_op op, uint32_t slot, const struct freezer *f)
{
	struct guard_message m = { .op = op, .slot = slot };
	struct iovec iov = { &m, sizeof(m) };
	union {
		char buf[CMSG_SPACE(FDS * sizeof(int))];
		struct cmsghdr align;
	} control = { 0 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (f) {
		int fds[FDS] = { f->dir_fd, f->state_fd, f->own_fd };
		size_t size = (f->v2 ? FDS - 1 : FDS) * sizeof(int);
		struct cmsghdr *c = &control.align;

		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(size);
		memcpy(CMSG_DATA(c), fds, size);
		msg.msg_control = &control;
		msg.msg_controllen = CMSG_SPACE(size);
	}
	return sendmsg(fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
}

/* One message: 1; 0: ctrace has closed its end. Descriptors that come with it are in f. */
static int receive(struct guard_message *m, struct freezer *f)
{
	struct iovec iov = { m, sizeof(*m) };
	union {
		char buf[CMSG_SPACE(FDS * sizeof(int))];
		struct cmsghdr align;
	} control;
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control) };
	ssize_t n = recvmsg(SOCKET, &msg, MSG_CMSG_CLOEXEC);
	const struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&msg) : NULL;
	int fds[FDS] = { -1, -1, -1 };

	if (n <= 0)
		return n < 0 && errno == EINTR ? 1 : 0;
	if (c && c->cmsg_type == SCM_RIGHTS)
		memcpy(fds, CMSG_DATA(c), MIN(c->cmsg_len - CMSG_LEN(0), sizeof(fds)));
	f->dir_fd = fds[0];
	f->state_fd = fds[1];
	f->own_fd = fds[2];
	f->v2 = f->own_fd < 0;
	f->shared = true;
	return 1;
}

static void thaw(struct slot *s)
{
	if (s->used && s->until)
		(void)freezer_thaw(&s->freezer);
	s->until = 0;
}

static void add(struct guard *g, uint32_t i, struct freezer *f)
{
	if (i > 1u << 16 || f->state_fd < 0 || ARRAY_RESERVE(g->v, g->allocated, (size_t)i + 1) < 0) {
		freezer_done(f);
		return;
	}
	for (; g->n <= i; g->n++)
		g->v[g->n] = (struct slot){ .freezer = FREEZER_NONE };
	if (g->v[i].used)
		freezer_done(&g->v[i].freezer);
	(void)freezer_watch(f);
	g->v[i] = (struct slot){ .freezer = *f, .used = true };
}

static void take(struct guard *g, const struct guard_message *m, struct freezer *f)
{
	struct slot *s = m->slot < g->n ? &g->v[m->slot] : NULL;

	if (m->op == GUARD_ADD) {
		add(g, m->slot, f);
		return;
	}
	freezer_done(f);
	if (!s || !s->used)
		return;
	switch (m->op) {
	case GUARD_FREEZE:
		(void)freezer_is_foreign(&s->freezer, false);
		s->freezer.written_elsewhere = false;
		s->until = boottime_ns() + GUARD_PATIENCE_MS * 1000000ull;
		break;
	case GUARD_THAWED:
		s->until = 0;
		break;
	case GUARD_DROP:
		freezer_done(&s->freezer);
		s->used = false;
		break;
	}
}

/* Thaws what is frozen for too long. In how many ms the next one will be; -1: nothing is frozen. */
static int expire(struct guard *g)
{
	uint64_t now = boottime_ns(), next = 0;

	for (size_t i = 0; i < g->n; i++) {
		struct slot *s = &g->v[i];

		if (s->until && s->until <= now) {
			struct guard_message m = { .op = GUARD_EXPIRED, .slot = (uint32_t)i, .time = now };

			thaw(s);
			(void)send(SOCKET, &m, sizeof(m), MSG_NOSIGNAL | MSG_DONTWAIT);
		}
		if (s->until && (!next || s->until < next))
			next = s->until;
	}
	return next ? (int)((next - now) / 1000000) + 1 : -1;
}

/* Nothing of ctrace's but the socket: what it has open must end when it ends. */
static void stand_alone(int fd)
{
	sigset_t all;
	int null;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	setsid();
	if (fd != SOCKET)
		dup2(fd, SOCKET);
	syscall(SYS_close_range, SOCKET + 1, ~0u, 0);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int i = 0; null >= 0 && i <= STDERR_FILENO; i++)
		dup2(null, i);
	if (chdir("/") < 0)
		return;
}

void guard_drop_caps(bool but_admin)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct had[_LINUX_CAPABILITY_U32S_3] = { 0 }, data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (but_admin && !syscall(SYS_capget, &h, had))
		data[0].permitted = data[0].effective = had[0].effective & (1u << CAP_SYS_ADMIN);
	syscall(SYS_capset, &h, data);
}

static void guard_run(int fd)
{
	struct guard g = { 0 };

	stand_alone(fd);
	prctl(PR_SET_NAME, "ctrace-guard");
	session_hurry(true);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	/* Marks of directories that are not root's. */
	guard_drop_caps(true);
	while (1) {
		struct pollfd p = { .fd = SOCKET, .events = POLLIN };
		struct freezer f = FREEZER_NONE;
		struct guard_message m;

		if (poll(&p, 1, expire(&g)) <= 0)
			continue;
		if (!receive(&m, &f))
			break;
		take(&g, &m, &f);
	}
	for (size_t i = 0; i < g.n; i++)
		thaw(&g.v[i]);
	_exit(0);
}

int guard_start(pid_t *ret_pid, int *ret_fd)
{
	int fds[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	pid = fork();
	if (pid < 0) {
		int err = -errno;

		close(fds[0]);
		close(fds[1]);
		return err;
	}
	if (!pid)
		guard_run(fds[1]);
	close(fds[1]);
	*ret_pid = pid;
	*ret_fd = fds[0];
	return 0;
}
