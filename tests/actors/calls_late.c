/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Input on pages that are mapped and not resident when the call begins, nor
 * when a tracer that cannot fault them in looks: of each call the pages are
 * mapped anew.
 *
 *     calls_late             so; with "resident" the same with all pages there
 *     calls_late blocked     a call with such input that waits for another task
 */
#include "calls.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>

#define PAGE 4096

static int touch, pipe_fd, socket_fd;

/* A copy of size bytes at the end of the first page of two. */
static void *late(const void *data, size_t size)
{
	int fd = (int)syscall(SYS_memfd_create, "late", 0);
	char *p;

	if (fd < 0 || ftruncate(fd, 2 * PAGE) || pwrite(fd, data, size, PAGE - (off_t)(size < PAGE ? size : PAGE)) != (ssize_t)size)
		abort();
	p = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | (touch ? MAP_POPULATE : 0), fd, 0);
	if (p == MAP_FAILED)
		abort();
	close(fd);
	return p + PAGE - (size < PAGE ? size : PAGE);
}

/* The same over two pages. */
static void *straddling(const char *text)
{
	size_t n = strlen(text) + 1;
	char both[2 * PAGE] = "";

	memcpy(both + PAGE - n / 2, text, n);
	return (char *)late(both, sizeof(both)) + PAGE - n / 2;
}

static void strings_and_blocks(void)
{
	struct sockaddr none = { .sa_family = AF_UNIX, .sa_data = "none" };

	section("strings and blocks");
	CALL(openat, AT_FDCWD, late("/none", 6), O_RDONLY);
	CALL(openat, AT_FDCWD, straddling("/none/on/two/pages"), O_RDONLY);
	CALL(write, pipe_fd, late("late", 4), 4);
	CALL(write, pipe_fd, straddling("text on two pages"), 17);
	CALL(write, pipe_fd, late("a line that is longer than thirty-two bytes", 43), 43);
	CALL(setxattr, late("/none", 6), late("user.name", 10), late("value", 5), 5, 0);
	CALL(nanosleep, late(&(struct timespec){ .tv_nsec = 1 }, sizeof(struct timespec)), NULL);
	CALL(connect, socket_fd, late(&none, sizeof(none)), sizeof(none));
	CALL(rt_sigprocmask, SIG_BLOCK, late(&(uint64_t){ 1 << (SIGUSR1 - 1) }, 8), NULL, 8);
}

static void vectors(void)
{
	struct iovec iov[] = { { late("one", 3), 3 }, { straddling("two, which is on both pages"), 27 }, { late("three", 5), 5 } };
	char control[CMSG_SPACE(sizeof(int))] = "";
	struct cmsghdr *c = (void *)control;
	struct sockaddr to = { .sa_family = AF_UNIX, .sa_data = "none" };

	section("vectors");
	CALL(writev, pipe_fd, late(iov, sizeof(iov)), 3);
	*c = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS };
	for (int i = 0; i < 2; i++) {
		struct iovec again[] = { { late("four", 4), 4 }, { late("five", 4), 4 } };
		struct msghdr msg = {
			.msg_name = late(&to, sizeof(to)), .msg_namelen = sizeof(to),
			.msg_iov = late(again, sizeof(again)), .msg_iovlen = 2,
			.msg_control = late(control, sizeof(control)), .msg_controllen = sizeof(control),
		};

		if (i)
			CALL(sendmmsg, socket_fd, late(&(struct mmsghdr){ .msg_hdr = msg }, sizeof(struct mmsghdr)), 1, 0);
		else
			CALL(sendmsg, socket_fd, late(&msg, sizeof(msg)), 0);
	}
	CALL(ppoll, late(&(struct pollfd){ .fd = pipe_fd, .events = POLLIN | POLLOUT }, sizeof(struct pollfd)), 1, NULL, NULL, 8);
}

static void execs(void)
{
	/* Longer than strings are shown: where the next begins is to be found. */
	char longest[5000];
	char *argv[] = { late("late", 5), late("second", 7), NULL, straddling("the last of them"), NULL };
	char *envp[] = { late("A=1", 4), late("B=2", 4), NULL };
	int status, junk = (int)syscall(SYS_memfd_create, "junk", 0);

	section("execve");
	(void)!write(junk, "junk", 4);
	memset(longest, 'l', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = 0;
	argv[2] = late(longest, sizeof(longest));
	CALL(execveat, junk, late("", 1), late(argv, sizeof(argv)), late(envp, sizeof(envp)), AT_EMPTY_PATH);
	argv[0] = late("late", 5);
	argv[1] = late("end", 4);
	argv[2] = late(longest, sizeof(longest));
	argv[3] = straddling("the last of them");
	envp[0] = late("A=1", 4);
	envp[1] = late("B=2", 4);
	if (!raw_fork()) {
		CALL(execve, late("/proc/self/exe", 15), late(argv, sizeof(argv)), late(envp, sizeof(envp)));
		_exit(1);
	}
	CALL(wait4, -1, &status, 0, NULL);
}

/* The child says something, and then reads. */
static void blocked(void)
{
	static char full[65536];
	int fds[2];

	if (pipe(fds) || write(fds[1], full, sizeof(full)) != sizeof(full))
		abort();
	if (!raw_fork()) {
		usleep(200000);
		CALL(lseek, -1, 1, 0);
		for (int i = 0; i < 2; i++)
			(void)!read(fds[0], full, sizeof(full));
		_exit(0);
	}
	CALL(write, fds[1], late("late", 4), 4);
	CALL(wait4, -1, NULL, 0, NULL);
}

int main(int argc, char **argv)
{
	int fds[2];

	/* What exec has made of this program. */
	if (argc > 1 && !strcmp(argv[1], "end"))
		_exit(0);
	touch = argc > 1 && !strcmp(argv[1], "resident");
	if (argc > 1 && !strcmp(argv[1], "blocked")) {
		blocked();
		_exit(0);
	}
	if (pipe(fds))
		abort();
	pipe_fd = fds[1];
	socket_fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	strings_and_blocks();
	vectors();
	execs();
	_exit(0);
}
