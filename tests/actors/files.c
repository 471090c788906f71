/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* STATIC: runs in containers without libraries. */
/*
 * Descriptors and what they are, as the process that has them sees it: for each
 * that it uses it first writes the call as a trace with -y must have it, by what
 * its own /proc says, and then makes that call, with a number that no other has:
 *
 *     lseek(3</tmp/files/plain>, 1001, SEEK_SET)
 *     openat(AT_FDCWD</tmp/files>, "mark-1002", O_RDONLY)
 *
 * files y, files yy: as -y and -yy show them. What the container does not let it
 * do (mounts in a user namespace of its own, a loopback) is left out, and said on
 * standard error.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define DIR "/tmp/files"
#define DELETED " (deleted)"
#define CHILDREN 40

static int next = 1001;
static int links;               /* this process's /proc/self/fd */
static bool yy;

static void need(bool good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(1);
}

static int make(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT, 0600);

	need(fd >= 0, path);
	return fd;
}

/* What /proc says; a fork has another. */
static void see_links(void)
{
	links = open("/proc/self/fd", O_RDONLY | O_DIRECTORY);
	need(links >= 0, "/proc/self/fd");
}

static void read_link(const char *name, char buf[static PATH_MAX])
{
	ssize_t n = readlinkat(links, name, buf, PATH_MAX - 1);

	need(n > 0, name);
	buf[n] = '\0';
}

/* The call; what it is with -yy, where that is not its path. */
static void mark_as(int fd, const char *details)
{
	char name[16], path[PATH_MAX];
	bool deleted = false;
	size_t len;

	snprintf(name, sizeof(name), "%d", fd);
	read_link(name, path);
	len = strlen(path);
	if (len > strlen(DELETED) && !strcmp(path + len - strlen(DELETED), DELETED)) {
		path[len - strlen(DELETED)] = '\0';
		deleted = true;
	}
	if (yy && details)
		snprintf(path, sizeof(path), "%s", details);
	dprintf(STDOUT_FILENO, "lseek(%d<%s>%s, %d, SEEK_SET)\n", fd, path, deleted ? "(deleted)" : "", next);
	syscall(SYS_lseek, fd, next++, SEEK_SET);
}

static void mark(int fd)
{
	mark_as(fd, NULL);
}

static void mark_cwd(void)
{
	char path[PATH_MAX], name[32];

	read_link("../cwd", path);
	snprintf(name, sizeof(name), "mark-%d", next);
	dprintf(STDOUT_FILENO, "openat(AT_FDCWD<%s>, \"%s\", O_RDONLY)\n", path, name);
	next++;
	syscall(SYS_openat, AT_FDCWD, name, O_RDONLY);
}

static void plain_files(void)
{
	int fd = make(DIR "/plain"), other;

	mark(fd);
	need(!rename(DIR "/plain", DIR "/renamed"), "rename");
	mark(fd);
	need(!link(DIR "/renamed", DIR "/linked"), "link");
	other = make(DIR "/linked");
	mark(other);
	close(other);
	need(!unlink(DIR "/renamed"), "unlink");
	mark(fd);
	need(dup2(fd, 77) == 77, "dup2");
	close(fd);
	mark(77);
	close(77);
	fd = open("/", O_RDONLY | O_DIRECTORY);
	mark(fd);
	close(fd);
	fd = open("/proc/self/status", O_RDONLY);
	mark(fd);
	close(fd);
	fd = open(DIR "/linked", O_PATH);
	mark(fd);
	close(fd);
	fd = make("/shared/bound");
	mark(fd);
	close(fd);
	fd = open("/dev/null", O_RDWR);
	mark_as(fd, "/dev/null<char 1:3>");
	close(fd);
	/* Made and gone between two others. */
	for (int i = 0; i < 20; i++) {
		fd = make(DIR "/short");
		unlink(DIR "/short");
		mark(fd);
		close(fd);
	}
}

static void nameless(void)
{
	char text[64];
	int pair[2], fd;

	need(!pipe(pair), "pipe");
	mark(pair[0]);
	mark(pair[1]);
	fd = (int)syscall(SYS_memfd_create, "memory", 0);
	mark(fd);
	fd = (int)syscall(SYS_pidfd_open, getpid(), 0);
	if (fd >= 0) {
		snprintf(text, sizeof(text), "pid:%d", (int)getpid());
		mark_as(fd, text);
	}
}

static void directories(void)
{
	char name[201];
	int fd;

	need(!chdir(DIR), "chdir");
	mark_cwd();
	need(!mkdir("sub", 0700) && !chdir("sub"), "sub");
	mark_cwd();
	need(!rmdir("../sub"), "rmdir");
	mark_cwd();
	need(!chdir(DIR), "chdir");
	/* A long way. */
	memset(name, 'n', 200);
	name[200] = '\0';
	for (int i = 0; i < 15; i++)
		need(!mkdir(name, 0700) && !chdir(name), "a long way");
	mark_cwd();
	fd = make("end");
	mark(fd);
	unlink("end");
	mark(fd);
	for (int i = 0; i < 15; i++)
		need(!chdir("..") && !rmdir(name), "the way back");
	close(fd);
	need(!chdir("/"), "chdir");
}

/* Does it in a child, whose numbers are those from next on. */
static void in_child(void (*what)(void))
{
	pid_t pid = fork();
	int status;

	need(pid >= 0, "fork");
	if (!pid) {
		see_links();
		what();
		_exit(0);
	}
	need(waitpid(pid, &status, 0) == pid && !status, "a child");
	next += 100;
}

/* Its end closes the file. */
static void short_life(void)
{
	char path[64];

	snprintf(path, sizeof(path), DIR "/child-%d", next);
	mark(make(path));
	unlink(path);
}

static void jail(void)
{
	int outside = make(DIR "/outside");

	need(!mkdir(DIR "/jail", 0700) || errno == EEXIST, "jail");
	need(!chroot(DIR "/jail"), "chroot");
	mark(outside);
	mark_cwd();
	mark(make("/inside"));
	need(!chdir("/"), "chdir");
	mark_cwd();
}

static bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	close(fd);
	return good;
}

#define SOMEBODY 1000

/* Root in a user namespace, with others; to be that root itself outside would take a capability that containers lack. */
static bool namespaces(int flags)
{
	char map[32];

	snprintf(map, sizeof(map), "0 %d 1", SOMEBODY);
	return !setresgid(SOMEBODY, SOMEBODY, SOMEBODY) && !setresuid(SOMEBODY, SOMEBODY, SOMEBODY) && !prctl(PR_SET_DUMPABLE, 1) &&
	       !unshare(CLONE_NEWUSER | flags) && write_file("/proc/self/setgroups", "deny") && write_file("/proc/self/uid_map", map) &&
	       write_file("/proc/self/gid_map", map);
}

static bool mount_namespace(void)
{
	if (namespaces(CLONE_NEWNS) && !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	    !mount("tmpfs", DIR "/new", "tmpfs", 0, NULL))
		return true;
	perror("no mounts");
	return false;
}

static void pivot(void)
{
	int outside = make(DIR "/outside"), inside, upper;

	mkdir(DIR "/new", 0700);
	if (!mount_namespace())
		return;
	need(!mkdir(DIR "/new/old", 0700) && !mkdir(DIR "/new/l", 0700) && !mkdir(DIR "/new/u", 0700) && !mkdir(DIR "/new/w", 0700) &&
	     !mkdir(DIR "/new/merged", 0700), "mkdir");
	inside = make(DIR "/new/inside");
	mark(inside);
	need(!mount(DIR "/new/l", DIR "/new/w", NULL, MS_BIND, NULL), "bind");
	mark(make(DIR "/new/w/bound"));
	need(!umount2(DIR "/new/w", MNT_DETACH), "umount");
	need(!syscall(SYS_pivot_root, DIR "/new", DIR "/new/old"), "pivot_root");
	mark(inside);
	mark(outside);
	need(!chdir("/"), "chdir");
	mark_cwd();
	if (mount("overlay", "/merged", "overlay", 0, "lowerdir=/l,upperdir=/u,workdir=/w"))
		perror("no overlay");
	upper = make("/merged/upper");
	mark(upper);
	unlink("/merged/upper");
	mark(upper);
	need(!umount2("/old", MNT_DETACH), "umount");
	mark(outside);
	mark(inside);
}

static ino_t inode(int fd)
{
	struct stat st;

	need(!fstat(fd, &st), "fstat");
	return st.st_ino;
}

/* A format of two inodes and a path. */
static void mark_unix(int fd, int peer, const char *path)
{
	char text[256];

	snprintf(text, sizeof(text), "UNIX-STREAM:[%lu", (unsigned long)inode(fd));
	if (peer >= 0)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "->%lu", (unsigned long)inode(peer));
	if (path)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), ",\"%s\"", path);
	strcat(text, "]");
	mark_as(fd, text);
}

static void unix_sockets(void)
{
	struct sockaddr_un a = { AF_UNIX, DIR "/socket" };
	int pair[2], server, client, peer;

	need(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair), "socketpair");
	mark_unix(pair[0], pair[1], NULL);
	mark_unix(pair[1], pair[0], NULL);
	server = socket(AF_UNIX, SOCK_STREAM, 0);
	client = socket(AF_UNIX, SOCK_STREAM, 0);
	need(!bind(server, (void *)&a, sizeof(a)) && !listen(server, 1) && !connect(client, (void *)&a, sizeof(a)), "unix sockets");
	peer = accept(server, NULL, NULL);
	mark_unix(server, -1, a.sun_path);
	mark_unix(client, peer, NULL);
	mark_unix(peer, client, a.sun_path);
	unlink(a.sun_path);
}

static unsigned port(int fd)
{
	struct sockaddr_in a;
	socklen_t len = sizeof(a);

	need(!getsockname(fd, (void *)&a, &len), "getsockname");
	return ntohs(a.sin_port);
}

static void mark_inet(int fd, int peer, const char *protocol)
{
	char text[128];

	if (peer >= 0)
		snprintf(text, sizeof(text), "%s:[127.0.0.1:%u->127.0.0.1:%u]", protocol, port(fd), port(peer));
	else
		snprintf(text, sizeof(text), "%s:[127.0.0.1:%u]", protocol, port(fd));
	mark_as(fd, text);
}

/* In a network of its own, which no tracer outside could ask for its sockets by their inodes. */
static void inet_sockets(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int server, client, peer, udp;
	socklen_t len = sizeof(a);

	if (!namespaces(CLONE_NEWNET)) {
		perror("no network");
		return;
	}
	server = socket(AF_INET, SOCK_STREAM, 0);
	need(!ioctl(server, SIOCSIFFLAGS, &lo), "loopback");
	need(!bind(server, (void *)&a, len) && !listen(server, 1) && !getsockname(server, (void *)&a, &len), "listen");
	mark_inet(server, -1, "TCP");
	client = socket(AF_INET, SOCK_STREAM, 0);
	need(!connect(client, (void *)&a, len), "connect");
	peer = accept(server, NULL, NULL);
	mark_inet(client, peer, "TCP");
	mark_inet(peer, client, "TCP");
	udp = socket(AF_INET, SOCK_DGRAM, 0);
	a.sin_port = 0;
	need(!bind(udp, (void *)&a, len), "udp");
	mark_inet(udp, -1, "UDP");
}

int main(int argc, char **argv)
{
	if (argc != 2 || (strcmp(argv[1], "y") && strcmp(argv[1], "yy"))) {
		fprintf(stderr, "usage: files y|yy\n");
		return 2;
	}
	yy = argv[1][1];
	umask(022);
	need(!mkdir(DIR, 0755) || errno == EEXIST, DIR);
	see_links();
	plain_files();
	nameless();
	directories();
	unix_sockets();
	next = 2001;
	for (int i = 0; i < CHILDREN; i++)
		in_child(short_life);
	in_child(jail);
	in_child(pivot);
	in_child(inet_sockets);
	return 0;
}
