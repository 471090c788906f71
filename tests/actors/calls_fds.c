/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What file descriptors are: files of all kinds, in arguments, results and memory, open, closed and deleted.
 * STATIC: it runs in virtual machines, too.
 */
#include "calls.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <linux/netlink.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>

static char dir[] = "/tmp/calls_fds.XXXXXX";

/* A call that tells what the descriptor is and does nothing. */
static void look(int fd)
{
	CALL(fcntl, fd, F_GETFD, 0);
}

static void files(void)
{
	int fd, dirfd;

	section("files");
	fd = open("plain", O_RDWR | O_CREAT, 0600);
	CALL(write, fd, "text", 4);
	CALL(dup2, fd, 40);
	CALL(dup2, fd, 40);
	CALL(dup3, fd, 41, O_CLOEXEC);
	CALL(dup, fd);
	CALL(fcntl, fd, F_DUPFD, 50);
	CALL(fcntl, fd, F_DUPFD_CLOEXEC, 50);
	CALL(unlink, "plain");
	CALL(write, fd, "text", 4);
	CALL(fstat, fd, NULL);
	CALL(mmap, NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	CALL(mmap, NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CALL(close, fd);
	CALL(close, fd);
	CALL(close, -1);
	CALL(close, 1 << 20);
	dirfd = open(".", O_RDONLY | O_DIRECTORY);
	CALL(openat, dirfd, "none", O_RDONLY);
	CALL(openat, AT_FDCWD, "none", O_RDONLY);
	CALL(openat, dirfd, "../none", O_PATH);
	CALL(fchdir, dirfd);
	CALL(mkdirat, dirfd, "sub", 0700);
	CALL(chdir, "sub");
	CALL(openat, AT_FDCWD, "none", O_RDONLY);
	CALL(rmdir, "../sub");
	CALL(openat, AT_FDCWD, "none", O_RDONLY);
	CALL(fchdir, dirfd);
	fd = open(".", O_TMPFILE | O_RDWR, 0600);
	look(fd);
	fd = syscall(SYS_memfd_create, "in memory", MFD_CLOEXEC);
	look(fd);
	CALL(memfd_create, "", 0);
	fd = open("/", O_PATH);
	look(fd);
	fd = open("/proc/self/ns/uts", O_RDONLY);
	look(fd);
}

/* Names that have to be escaped, and one as long as they may be. */
static void names(void)
{
	static const char *const odd[] = { "a b", "new\nline", "tab\tquote\"", "angle<>", "back\\slash", "octal\0019", "\303\251t\303\251", "\377\376" };
	char longest[256];
	int fd;

	section("names");
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		fd = open(odd[i], O_RDWR | O_CREAT, 0600);
		look(fd);
		CALL(unlink, odd[i]);
		look(fd);
		close(fd);
	}
	memset(longest, 'n', 255);
	longest[255] = 0;
	CALL(mkdir, longest, 0700);
	CALL(chdir, longest);
	CALL(mkdir, "deeper", 0700);
	CALL(chdir, "deeper");
	fd = open(".", O_PATH);
	look(fd);
	CALL(chdir, "../..");
	CALL(rename, longest, "short");
	look(fd);
	CALL(rmdir, "short/deeper");
	look(fd);
	CALL(rmdir, "short");
	look(fd);
}

static void devices(void)
{
	int fd = open("/dev/null", O_RDWR), pts;

	section("devices");
	look(fd);
	CALL(mknod, "null", S_IFCHR | 0600, makedev(1, 3));
	fd = open("null", O_RDWR);
	look(fd);
	CALL(unlink, "null");
	look(fd);
	CALL(mknod, "block", S_IFBLK | 0600, makedev(7, 4000));
	fd = open("block", O_PATH);
	look(fd);
	CALL(unlink, "block");
	fd = posix_openpt(O_RDWR | O_NOCTTY);
	look(fd);
	grantpt(fd);
	unlockpt(fd);
	pts = open(ptsname(fd), O_RDWR | O_NOCTTY);
	look(pts);
	CALL(mknod, "fifo", S_IFIFO | 0600, 0);
	fd = open("fifo", O_RDWR);
	look(fd);
	CALL(unlink, "fifo");
	look(fd);
}

static void nameless(void)
{
	sigset_t set;
	uint64_t v = 1ull << 40;
	int pair[2], fd;
	pid_t child;

	section("without a name");
	CALL(pipe, pair);
	CALL(pipe2, pair, O_CLOEXEC);
	CALL(pipe2, NULL, 0);
	CALL(pipe2, pair, -1);
	look(pair[0]);
	fd = syscall(SYS_eventfd2, 3, EFD_SEMAPHORE);
	CALL(read, fd, &v, 8);
	fd = syscall(SYS_eventfd2, 0, 0);
	v = 1ull << 40;
	CALL(write, fd, &v, 8);
	look(fd);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGRTMIN + 3);
	fd = syscall(SYS_signalfd4, -1, &set, 8, 0);
	look(fd);
	sigfillset(&set);
	CALL(signalfd4, fd, &set, 8, 0);
	look(fd);
	sigemptyset(&set);
	CALL(signalfd4, fd, &set, 8, 0);
	look(fd);
	fd = syscall(SYS_timerfd_create, CLOCK_MONOTONIC, 0);
	look(fd);
	fd = syscall(SYS_inotify_init1, 0);
	CALL(inotify_add_watch, fd, ".", IN_CREATE);
	fd = syscall(SYS_epoll_create1, 0);
	CALL(epoll_ctl, fd, EPOLL_CTL_ADD, pair[0], &(struct epoll_event){ .events = EPOLLIN });
	CALL(epoll_ctl, fd, EPOLL_CTL_DEL, 12345, NULL);
	fd = syscall(SYS_pidfd_open, getpid(), 0);
	look(fd);
	CALL(pidfd_send_signal, fd, 0, NULL, 0);
	child = fork();
	if (child == 0) {
		raw_pause();
		_exit(0);
	}
	fd = syscall(SYS_pidfd_open, child, 0);
	look(fd);
	CALL(pidfd_getfd, fd, pair[0], 0);
	/* The child waits by then: what is killed on its way into a call is told differently. */
	CALL(nanosleep, &(struct timespec){ 0, 100000000 }, NULL);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	look(fd);
	CALL(waitid, 3 /* P_PIDFD */, fd, NULL, WEXITED, NULL);
}

static void unix_sockets(void)
{
	struct sockaddr_un name = { AF_UNIX, "so\"cket" }, abstract = { AF_UNIX, "\0abs\1tract" };
	int pair[2], fd, client, peer;
	char b[4];

	section("unix sockets");
	CALL(socketpair, AF_UNIX, SOCK_STREAM, 0, pair);
	CALL(sendto, pair[0], "x", 1, 0, NULL, 0);
	CALL(recvfrom, pair[1], b, 1, 0, NULL, NULL);
	CALL(socketpair, AF_UNIX, SOCK_DGRAM, 0, pair);
	look(pair[0]);
	CALL(socketpair, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair);
	look(pair[1]);
	CALL(socketpair, AF_UNIX, SOCK_STREAM, 0, NULL);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	look(fd);
	CALL(bind, fd, &name, sizeof(name));
	CALL(listen, fd, 1);
	client = socket(AF_UNIX, SOCK_STREAM, 0);
	CALL(connect, client, &name, sizeof(name));
	peer = syscall(SYS_accept4, fd, NULL, NULL, 0);
	look(client);
	look(peer);
	CALL(unlink, name.sun_path);
	look(fd);
	fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	CALL(bind, fd, &abstract, 12);
	look(fd);
	fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	CALL(bind, fd, &abstract, sizeof(abstract));
	look(fd);
}

static void inet_sockets(int family)
{
	struct sockaddr_storage a = { .ss_family = family };
	socklen_t len = family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
	int fd, client, peer;

	if (family == AF_INET)
		((struct sockaddr_in *)&a)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else
		((struct sockaddr_in6 *)&a)->sin6_addr = in6addr_loopback;
	fd = socket(family, SOCK_STREAM, 0);
	look(fd);
	CALL(bind, fd, &a, len);
	CALL(listen, fd, 1);
	CALL(getsockname, fd, &a, &len);
	client = socket(family, SOCK_STREAM, 0);
	CALL(connect, client, &a, len);
	peer = syscall(SYS_accept, fd, NULL, NULL);
	CALL(sendto, client, "x", 1, 0, NULL, 0);
	look(peer);
	CALL(close, client);
	CALL(close, peer);
	/* Its port is free now, and nobody listens there: who sends is told so by an error at most. */
	CALL(close, fd);
	/* A connection that does not come about. */
	fd = socket(family, SOCK_STREAM, 0);
	CALL(connect, fd, &a, len);
	look(fd);
	CALL(close, fd);
	fd = socket(family, SOCK_DGRAM, 0);
	look(fd);
	CALL(connect, fd, &a, len);
	look(fd);
	CALL(close, fd);
	fd = socket(family, SOCK_DGRAM, 0);
	CALL(bind, fd, &a, len);
	look(fd);
	CALL(close, fd);
}

static void other_sockets(void)
{
	struct sockaddr_nl any = { .nl_family = AF_NETLINK };
	int fd;

	section("other sockets");
	fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	look(fd);
	CALL(bind, fd, &any, sizeof(any));
	look(fd);
	fd = socket(AF_NETLINK, SOCK_DGRAM, NETLINK_KOBJECT_UEVENT);
	CALL(bind, fd, &any, sizeof(any));
	look(fd);
	fd = socket(AF_NETLINK, SOCK_DGRAM, NETLINK_GENERIC);
	CALL(bind, fd, &any, sizeof(any));
	look(fd);
	fd = socket(AF_PACKET, SOCK_DGRAM, 0);
	look(fd);
	fd = socket(AF_INET, SOCK_RAW, IPPROTO_ICMP);
	look(fd);
}

static void in_memory(void)
{
	int pair[2], file = open("/dev/zero", O_RDONLY), event = syscall(SYS_eventfd2, 7, 0);
	struct pollfd fds[3] = { { event, POLLIN, 0 }, { -1, POLLIN, 0 }, { 12345, POLLIN, 0 } };
	union {
		struct cmsghdr c;
		char b[64];
	} control = { { CMSG_LEN(8), SOL_SOCKET, SCM_RIGHTS } };
	struct iovec io = { "x", 1 };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = CMSG_SPACE(8) };
	struct timespec zero = { 0, 0 };
	fd_set set;

	section("in memory");
	CALL(poll, fds, 3, 0);
	CALL(ppoll, fds, 1, &zero, NULL, 8);
	FD_ZERO(&set);
	FD_SET(event, &set);
	FD_SET(file, &set);
	CALL(select, event + 1, &set, NULL, NULL, &(struct timeval){ 0, 0 });
	CALL(select, event + 1, &set, &set, &set, &(struct timeval){ 0, 0 });
	CALL(pselect6, event + 1, NULL, &set, NULL, &zero, NULL);
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	((int *)CMSG_DATA(&control.c))[0] = event;
	((int *)CMSG_DATA(&control.c))[1] = file;
	CALL(sendmsg, pair[0], &m, 0);
	m.msg_controllen = sizeof(control);
	CALL(recvmsg, pair[1], &m, 0);
	CALL(close_range, 12345, 12400, 0);
	CALL(sendfile, pair[0], file, NULL, 4);
	CALL(splice, pair[0], NULL, file, NULL, 4, 0);
}

/* An attribute behind the message's end: its number, and a descriptor. */
static void put_fd(struct nlmsghdr *h, unsigned type, int fd)
{
	struct nlattr *a = (void *)((char *)h + h->nlmsg_len);

	*a = (struct nlattr){ 8, (uint16_t)type };
	memcpy(a + 1, &fd, sizeof(fd));
	h->nlmsg_len += 8;
}

/* In messages to the kernel, and in what it says of them: IFLA_NET_NS_FD, in IFLA_XDP, NETNSA_FD; and in others, where they are none. */
static void in_attributes(void)
{
	int fd = (int)syscall(SYS_socket, AF_NETLINK, SOCK_RAW, NETLINK_ROUTE), file = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", 0, 0);
	union {
		struct nlmsghdr h;
		char bytes[4096];
	} m, got;
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK };
	struct iovec iov[2] = { { &m, 0 }, { NULL, 0 } }, to = { &got, sizeof(got) };
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 }, answer = { .msg_iov = &to, .msg_iovlen = 1 };
	struct nlattr xdp = { 20, 43 };

	section("in attributes");
	CALL(bind, fd, &nl, sizeof(nl));
	for (unsigned type = 15; type < 92; type += type == 20 ? 67 : 1) {
		memset(&m, 0, sizeof(m));
		m.h = (struct nlmsghdr){ .nlmsg_type = (uint16_t)type, .nlmsg_len = type < 80 ? 32 : 20, .nlmsg_flags = type > 16 ? NLM_F_REQUEST : 0 };
		put_fd(&m.h, 28, file);
		put_fd(&m.h, 3, fd);
		memcpy(m.bytes + m.h.nlmsg_len, &xdp, sizeof(xdp));
		m.h.nlmsg_len += sizeof(xdp);
		put_fd(&m.h, 1, file);
		put_fd(&m.h, 8, 99);
		put_fd(&m.h, 0x801c, fd);
		put_fd(&m.h, 1, file);
		/* The kernel is to find an error, whatever it would do. */
		put_fd(&m.h, type < 80 ? 19 : 4, -1);
		CALL(sendto, fd, &m, m.h.nlmsg_len, MSG_DONTWAIT, NULL, 0);
		CALL(recvfrom, fd, &got, sizeof(got), MSG_PEEK | MSG_DONTWAIT, NULL, NULL);
		CALL(recvmsg, fd, &answer, MSG_DONTWAIT);
		iov[0].iov_len = m.h.nlmsg_len;
		CALL(sendmsg, fd, &msg, MSG_DONTWAIT);
		CALL(recvmsg, fd, &answer, MSG_DONTWAIT);
		CALL(sendto, fd, &m, 44, MSG_DONTWAIT, NULL, 0);
		CALL(recvmsg, fd, &answer, MSG_DONTWAIT);
		m.h.nlmsg_len = 36;
		CALL(sendto, fd, &m, 80, MSG_DONTWAIT, NULL, 0);
		CALL(recvmsg, fd, &answer, MSG_DONTWAIT);
	}
	CALL(sendto, file, &m, 80, MSG_DONTWAIT, NULL, 0);
	CALL(close, file);
	CALL(close, fd);
}

int main(void)
{
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	resident();
	files();
	names();
	devices();
	nameless();
	unix_sockets();
	section("internet sockets");
	inet_sockets(AF_INET);
	inet_sockets(AF_INET6);
	other_sockets();
	in_memory();
	in_attributes();
	chdir("/");
	rmdir(dir);
	return 0;
}
