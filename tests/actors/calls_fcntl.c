/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fcntl(2): every command, with what it takes, with nothing, with a bad pointer, with flags that there are not. */
#include "calls.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>

static void *bad;

static void descriptors(int fd)
{
	section("descriptors");
	CALL(close, syscall(SYS_fcntl, fd, F_DUPFD, 20));
	CALL(fcntl, fd, F_DUPFD, -1);
	CALL(close, syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 30));
	CALL(fcntl, -1, F_DUPFD_CLOEXEC, 0);
	CALL(fcntl, fd, 1027, fd);
	CALL(fcntl, fd, 1027, 0);
	CALL(fcntl, fd, 1027, -1);
	CALL(fcntl, fd, 1028, 0);
	CALL(fcntl, fd, 1028, 7);
	CALL(fcntl, fd, 1029, bad);
	CALL(fcntl, fd, F_GETFD);
	CALL(fcntl, fd, F_SETFD, FD_CLOEXEC);
	CALL(fcntl, fd, F_GETFD);
	CALL(fcntl, fd, F_SETFD, 0x76);
	CALL(fcntl, fd, F_SETFD, 0x77);
	CALL(fcntl, fd, F_GETFL);
	CALL(fcntl, fd, F_SETFL, O_APPEND | O_NONBLOCK | O_NOATIME);
	CALL(fcntl, fd, F_GETFL);
	CALL(fcntl, fd, F_SETFL, 0x80000000);
	CALL(fcntl, fd, F_SETFL, 0);
	CALL(fcntl, -1, F_GETFL);
}

static void locks(int fd)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 1, .l_len = 2, .l_pid = 0 };
	static const int ops[] = { F_SETLK, F_GETLK, F_SETLKW, 12, 13, 14, 36, 37, 38 };

	section("locks");
	for (unsigned i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		l = (struct flock){ .l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 1, .l_len = 2, .l_pid = 0 };
		CALL(fcntl, fd, ops[i], &l);
		l = (struct flock){ .l_type = F_UNLCK, .l_whence = SEEK_CUR, .l_start = -5, .l_len = 0, .l_pid = 7 };
		CALL(fcntl, fd, ops[i], &l);
		l.l_type = 77, l.l_whence = -1;
		CALL(fcntl, fd, ops[i], &l);
		CALL(fcntl, fd, ops[i], bad);
		CALL(fcntl, fd, ops[i], NULL);
		CALL(fcntl, -1, ops[i], tail(&l, 8));
	}
	section("leases");
	CALL(fcntl, fd, F_SETLEASE, F_WRLCK);
	CALL(fcntl, fd, F_GETLEASE);
	CALL(fcntl, fd, F_SETLEASE, F_UNLCK);
	CALL(fcntl, fd, F_GETLEASE);
	CALL(fcntl, fd, F_SETLEASE, 77);
	CALL(fcntl, -1, F_GETLEASE);
	struct { uint32_t flags; uint16_t type, pad; } del = { 0, F_RDLCK, 0 };
	CALL(fcntl, fd, 1040, &del);
	CALL(fcntl, fd, 1039, &del);
	del.flags = 5, del.type = 77, del.pad = 3;
	CALL(fcntl, fd, 1040, &del);
	CALL(fcntl, fd, 1039, bad);
	CALL(fcntl, fd, 1040, NULL);
	section("flock");
	CALL(flock, fd, LOCK_SH | LOCK_NB);
	CALL(flock, fd, LOCK_EX);
	CALL(flock, fd, LOCK_UN);
	CALL(flock, fd, 0x20 | 0x40);
	CALL(flock, fd, 0xe0);
	CALL(flock, -1, 0x700);
	CALL(flock, fd, 0);
}

static void owners(int fd)
{
	struct { int32_t type, pid; } own = { 1, getpid() };
	uint32_t ids[2];

	section("owners");
	CALL(fcntl, fd, F_SETOWN, own.pid);
	CALL(fcntl, fd, F_GETOWN);
	CALL(fcntl, fd, F_SETOWN, -own.pid);
	CALL(fcntl, fd, F_SETOWN, 0);
	CALL(fcntl, fd, 15, &own);
	CALL(fcntl, fd, 16, &own);
	own.type = 0;
	CALL(fcntl, fd, 15, &own);
	own.type = 77, own.pid = 0;
	CALL(fcntl, fd, 15, &own);
	own.type = 2;
	CALL(fcntl, fd, 15, &own);
	CALL(fcntl, fd, 15, bad);
	CALL(fcntl, fd, 16, bad);
	CALL(fcntl, fd, 16, NULL);
	CALL(fcntl, fd, 17, ids);
	CALL(fcntl, fd, 17, bad);
	CALL(fcntl, fd, F_SETSIG, SIGUSR1);
	CALL(fcntl, fd, F_GETSIG);
	CALL(fcntl, fd, F_SETSIG, 0);
	CALL(fcntl, fd, F_SETSIG, 77);
	CALL(fcntl, fd, F_GETSIG);
}

static void kinds(int fd)
{
	uint64_t hint = 2;
	int p[2], m, dir;

	section("kinds");
	for (int op = 1035; op <= 1038; op++) {
		CALL(fcntl, fd, op, &hint);
		CALL(fcntl, fd, op, bad);
		CALL(fcntl, fd, op, NULL);
	}
	hint = 77;
	CALL(fcntl, fd, 1036, &hint);
	CALL(fcntl, fd, 1038, &hint);
	m = syscall(SYS_memfd_create, "sealed", 2);
	CALL(fcntl, m, F_GET_SEALS);
	CALL(fcntl, m, F_ADD_SEALS, 0x2 | 0x4 | 0x10);
	CALL(fcntl, m, F_GET_SEALS);
	CALL(fcntl, m, F_ADD_SEALS, 0x1000);
	CALL(fcntl, m, F_ADD_SEALS, 0xffff);
	CALL(fcntl, m, F_ADD_SEALS, 0x1);
	CALL(fcntl, m, F_GET_SEALS);
	close(m);
	if (pipe(p))
		exit(1);
	CALL(fcntl, p[0], F_GETPIPE_SZ);
	CALL(fcntl, p[0], F_SETPIPE_SZ, 4096);
	CALL(fcntl, p[0], F_SETPIPE_SZ, -1);
	close(p[0]), close(p[1]);
	dir = open(".", O_RDONLY | O_DIRECTORY);
	CALL(fcntl, dir, F_NOTIFY, DN_CREATE | DN_DELETE | DN_MULTISHOT);
	CALL(fcntl, dir, F_NOTIFY, 0);
	CALL(fcntl, fd, F_NOTIFY, 0x40);
	close(dir);
	CALL(fcntl, fd, 11, 5);
	CALL(fcntl, fd, 35, bad);
	CALL(fcntl, fd, 1041, 7);
	CALL(fcntl, fd, 9999, bad);
	CALL(fcntl, fd, -1, -1);
}

int main(void)
{
	char name[] = "/tmp/ctrace-calls_fcntl.XXXXXX";
	int fd;

	resident();
	bad = bad_page();
	signal(SIGIO, SIG_IGN);
	fd = mkstemp(name);
	if (fd < 0)
		return 1;
	descriptors(fd);
	locks(fd);
	owners(fd);
	kinds(fd);
	return unlink(name) != 0;
}
