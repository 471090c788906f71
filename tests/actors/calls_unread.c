/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Input that is not there, in whole or in part: vectors with elements that
 * cannot be read or without an end, arrays and strings that go up to the end
 * of what is mapped, and beyond.
 */
#include "calls.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/xattr.h>

#define PAGE 4096

/* n bytes of text that end where memory ends, without a NUL. */
static char *unended(size_t n)
{
	return memset(tail(NULL, n), 'x', n);
}

static void execs(void)
{
	char *bad = bad_page();
	const char *argv[] = { "ok", (char *)1, "z", bad, (char *)-1, "last", NULL };
	const char *envp[] = { "A=1", bad, "B=2", NULL };
	const char *two[] = { "ab", "cd" };
	const char *end[] = { "a", unended(31), unended(32), unended(33), unended(40), NULL };
	const char **loose = tail(two, sizeof(two)), **none = tail(NULL, 1);
	const char *many[700];

	section("execve");
	CALL(execve, "/none", argv, envp);
	CALL(execve, "/none", loose, loose);
	CALL(execve, "/none", (char *)loose + 4, (char *)loose + 4);
	CALL(execve, "/none", none, none);
	CALL(execve, "/none", end, end);
	CALL(execveat, -1, "none", argv, envp, 0);
	for (unsigned i = 0; i < 699; i++)
		many[i] = "m";
	many[699] = NULL;
	CALL(execve, "/none", many, many);
	many[300] = bad;
	CALL(execve, "/none", many, many);
	/* Two pages of pointers, and then none. */
	const char **long_one = tail(NULL, 2 * PAGE);
	for (unsigned i = 0; i < 2 * PAGE / sizeof(char *); i++)
		long_one[i] = "p";
	CALL(execve, "/none", long_one, long_one);
}

static void strings(void)
{
	section("strings");
	for (size_t n = 30; n < 36; n++) {
		CALL(memfd_create, unended(n), 0);
		CALL(add_key, unended(n), unended(n), unended(n), n, -1);
		CALL(setxattr, "/none", unended(n), unended(n), n, 0);
	}
	CALL(open, unended(10), 0);
	CALL(open, unended(PAGE - 2), 0);
	CALL(open, unended(PAGE - 1), 0);
	CALL(open, unended(PAGE), 0);
	CALL(open, unended(PAGE + 1), 0);
}

static void arrays(void)
{
	struct iovec iov[] = { { "one", 3 }, { bad_page(), 3 }, { "three", 5 } };
	struct iovec *few = tail(iov, sizeof(iov)), *many = tail(NULL, 3 * PAGE);
	struct pollfd *fds = tail(NULL, 3 * PAGE + 24);
	struct msghdr msg = { .msg_iov = few, .msg_iovlen = 5 };
	struct mmsghdr msgs[3] = { { .msg_hdr = { .msg_iov = iov, .msg_iovlen = 3 } }, { .msg_hdr = { .msg_iov = few, .msg_iovlen = 4 } },
				   { .msg_hdr = { .msg_name = bad_page(), .msg_namelen = 16, .msg_iov = bad_page(), .msg_iovlen = 1,
						  .msg_control = bad_page(), .msg_controllen = 32 } } };

	section("arrays");
	for (unsigned i = 0; i < 3 * PAGE / sizeof(*many); i++)
		many[i] = (struct iovec){ "many", 4 };
	for (unsigned i = 0; i < 3 * PAGE / sizeof(*fds) + 3; i++)
		fds[i] = (struct pollfd){ .fd = -1, .events = POLLIN };
	CALL(writev, -1, iov, 3);
	CALL(writev, -1, few, 4);
	CALL(writev, -1, few, 1000);
	CALL(writev, -1, (char *)few + 8, 3);
	CALL(writev, -1, many, 1000);
	CALL(process_vm_writev, getpid(), iov, 3, few, 4, 0);
	CALL(vmsplice, -1, many, 1000, 0);
	CALL(poll, fds, 2000, 0);
	CALL(poll, fds, 4294967295u, 0);
	CALL(poll, (char *)fds + 4, 1539, 0);
	CALL(sendmsg, -1, &msg, 0);
	CALL(sendmsg, -1, tail(&msg, 40), 0);
	CALL(sendmmsg, -1, msgs, 3, 0);
	CALL(sendmmsg, -1, tail(msgs, 100), 3, 0);
}

static void blocks(void)
{
	char *end = memset(tail(NULL, 2 * PAGE), 'b', 2 * PAGE);

	section("blocks");
	CALL(write, -1, end + 2 * PAGE - 20, 32);
	CALL(write, -1, end + 2 * PAGE - 31, 40);
	CALL(write, -1, end + 2 * PAGE - 33, 40);
	CALL(write, -1, end, 3 * PAGE);
	CALL(sendto, -1, end + 2 * PAGE - 20, 32, 0, end + 2 * PAGE - 8, 16);
	CALL(bind, -1, end + 2 * PAGE - 2, 16);
	CALL(bind, -1, end + 2 * PAGE - 1, 16);
	CALL(fsetxattr, -1, "user.a", end + 2 * PAGE - 20, 32, 0);
	CALL(setsockopt, -1, SOL_SOCKET, SO_RCVTIMEO, end + 2 * PAGE - 8, 16);
	CALL(nanosleep, end + 2 * PAGE - 8, NULL);
}

int main(void)
{
	resident();
	execs();
	strings();
	arrays();
	blocks();
	_exit(0);
}
