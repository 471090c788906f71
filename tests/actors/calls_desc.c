/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Descriptors: reading, writing, duplicating; memory; what a process learns of the system. */
#include "calls.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <sys/uio.h>
#include <sys/utsname.h>

static void *bad;

static void transfers(int fd)
{
	char b[300], all[256];

	section("write");
	for (int i = 0; i < 256; i++)
		all[i] = i;
	CALL(write, fd, "plain", 5);
	CALL(write, fd, "exactly thirty-two bytes in this", 32);
	CALL(write, fd, "exactly thirty-three bytes in her", 33);
	CALL(write, fd, "", 0);
	CALL(write, fd, all, 256);
	for (int i = 0; i < 256; i += 32)
		CALL(write, fd, all + i, 32);
	CALL(write, fd, "\0000\0018\0029\003a\0077\33[0m", 14);
	CALL(write, fd, NULL, 0);
	CALL(write, fd, NULL, 5);
	CALL(write, fd, bad, 5);
	CALL(write, fd, tail("short", 5), 40);
	CALL(write, fd, "x", -1);
	CALL(write, -1, "x", 1);
	section("read");
	CALL(lseek, fd, 0, SEEK_SET);
	CALL(read, fd, b, 5);
	CALL(read, fd, b, 32);
	CALL(read, fd, b, 300);
	CALL(read, fd, b, 0);
	CALL(read, fd, bad, 10);
	CALL(read, fd, tail(NULL, 8), 100);
	CALL(read, -1, b, 10);
	CALL(read, fd, NULL, 10);
	CALL(lseek, fd, 0, SEEK_END);
	CALL(read, fd, b, 10);
}

static void positions(int fd)
{
	char b[16];

	section("positions");
	CALL(pread64, fd, b, 10, 3);
	CALL(pread64, fd, b, 10, 1 << 20);
	CALL(pread64, fd, b, 10, -1);
	CALL(pwrite64, fd, "pos", 3, 7);
	CALL(pwrite64, fd, "pos", 3, -7);
	CALL(lseek, fd, 5, SEEK_CUR);
	CALL(lseek, fd, -1, SEEK_SET);
	CALL(lseek, fd, 0, SEEK_DATA);
	CALL(lseek, fd, 0, SEEK_HOLE);
	CALL(lseek, fd, 0, 77);
	CALL(lseek, -1, 0, SEEK_END);
}

static void vectors(int fd)
{
	struct iovec v[4] = { { "one", 3 }, { "", 0 }, { "the third is longer than thirty-two bytes", 41 }, { NULL, 0 } }, many[40];

	section("vectors");
	CALL(writev, fd, v, 3);
	CALL(writev, fd, v, 0);
	CALL(writev, fd, NULL, 2);
	CALL(writev, fd, bad, 2);
	CALL(writev, fd, v, -1);
	CALL(writev, fd, tail(v, 2 * sizeof(v[0])), 3);
	for (int i = 0; i < 40; i++)
		many[i] = (struct iovec){ "abcdefgh", i % 8 };
	CALL(writev, fd, many, 40);
	v[1] = (struct iovec){ bad, 4 };
	CALL(writev, -1, v, 3);
	CALL(pwritev, fd, v, 1, 5);
	CALL(pwritev2, fd, v, 1, 5, 0);
	CALL(pwritev2, fd, v, 1, -1, 0, 0x77);
	CALL(lseek, fd, 0, SEEK_SET);
	char b1[10], b2[40], b3[20];
	struct iovec r[3] = { { b1, 10 }, { b2, 40 }, { b3, 20 } };
	CALL(readv, fd, r, 3);
	CALL(readv, fd, r, 0);
	CALL(preadv, fd, r, 2, 3);
	CALL(preadv2, fd, r, 2, 3, 0, 0);
	CALL(lseek, fd, -15, SEEK_END);
	CALL(readv, fd, r, 3);
	CALL(readv, fd, r, 3);
	CALL(readv, -1, r, 3);
	CALL(readv, fd, bad, 3);
}

static void copies(int fd)
{
	section("copies");
	int64_t in = 2, out = 1000;
	int other = syscall(SYS_memfd_create, "other \"name\"", 3);
	CALL(sendfile, other, fd, &in, 10);
	CALL(sendfile, other, fd, NULL, 0);
	CALL(sendfile, other, -1, &in, 10);
	CALL(sendfile, other, fd, bad, 10);
	CALL(copy_file_range, fd, &in, other, &out, 5, 0);
	CALL(copy_file_range, -1, NULL, other, NULL, 5, 0);
	CALL(close, other);
	CALL(memfd_create, "", 0xff);
	CALL(memfd_create, bad, 1);
	CALL(memfd_create, NULL, 0);
}

static void duplicates(int fd)
{
	int p[2];

	section("dup");
	CALL(dup, fd);
	CALL(dup, -1);
	CALL(dup2, fd, 50);
	CALL(dup2, fd, fd);
	CALL(dup2, -1, 50);
	CALL(dup3, fd, 51, O_CLOEXEC);
	CALL(dup3, fd, fd, 0);
	CALL(dup3, fd, 52, 0x77);
	CALL(close, 50);
	CALL(close, 51);
	CALL(close, -1);
	CALL(close_range, 60, 70, 0);
	CALL(close_range, 60, -1, 4);
	CALL(close_range, 70, 60, 0xff);
	section("pipe");
	CALL(pipe, p);
	CALL(close, p[0]);
	CALL(close, p[1]);
	CALL(pipe2, p, O_CLOEXEC | O_NONBLOCK | O_DIRECT);
	CALL(close, p[0]);
	CALL(close, p[1]);
	CALL(pipe, bad);
	CALL(pipe2, p, 0x77);
	CALL(pipe2, NULL, 0);
}

static void controls(int fd)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 1, .l_len = 2 };
	struct { int type, pid; } own = { 1, getpid() };

	section("fcntl");
	CALL(close, syscall(SYS_fcntl, fd, F_DUPFD, 20));
	CALL(close, syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 20));
	CALL(fcntl, fd, F_GETFD);
	CALL(fcntl, fd, F_SETFD, FD_CLOEXEC);
	CALL(fcntl, fd, F_GETFD);
	CALL(fcntl, fd, F_SETFD, 0x77);
	CALL(fcntl, fd, F_GETFL);
	CALL(fcntl, fd, F_SETFL, O_RDONLY | O_NONBLOCK | O_APPEND);
	CALL(fcntl, fd, F_GETFL);
	CALL(fcntl, fd, F_SETFL, O_RDWR);
	CALL(fcntl, fd, F_SETLK, &l);
	CALL(fcntl, fd, F_GETLK, &l);
	l.l_type = F_UNLCK;
	CALL(fcntl, fd, F_SETLKW, &l);
	CALL(fcntl, fd, F_GETLK, &l);
	l.l_type = 77, l.l_whence = 77;
	CALL(fcntl, fd, F_SETLK, &l);
	l = (struct flock){ .l_type = F_RDLCK, .l_whence = SEEK_END, .l_start = -3 };
	CALL(fcntl, fd, 36, &l);
	CALL(fcntl, fd, 37, &l);
	CALL(fcntl, fd, 38, &l);
	CALL(fcntl, fd, F_SETLK, bad);
	CALL(fcntl, fd, F_SETLK, NULL);
	CALL(fcntl, fd, F_GETOWN);
	CALL(fcntl, fd, F_SETOWN, getpid());
	CALL(fcntl, fd, F_GETOWN);
	CALL(fcntl, fd, 15, &own);
	CALL(fcntl, fd, 16, &own);
	CALL(fcntl, fd, F_SETSIG, 10);
	CALL(fcntl, fd, F_GETSIG);
	CALL(fcntl, fd, F_GETLEASE);
	CALL(fcntl, fd, F_SETLEASE, F_RDLCK);
	CALL(fcntl, fd, F_NOTIFY, 1);
	CALL(fcntl, fd, F_GETPIPE_SZ);
	CALL(fcntl, fd, F_SETPIPE_SZ, 4096);
	CALL(fcntl, fd, F_ADD_SEALS, 2);
	CALL(fcntl, fd, F_GET_SEALS);
	CALL(fcntl, fd, F_ADD_SEALS, 0x777);
	CALL(fcntl, fd, 9999, 7);
	CALL(fcntl, -1, F_GETFL);
	CALL(flock, fd, LOCK_SH);
	CALL(flock, fd, LOCK_EX | LOCK_NB);
	CALL(flock, fd, LOCK_UN);
	CALL(flock, -1, 0x77);
	CALL(fsync, fd);
	CALL(fdatasync, -1);
}

static void memory(int fd)
{
	char *m;

	section("memory");
	m = (char *)syscall(SYS_mmap, NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 4096);
	CALL(msync, m, 4096, MS_SYNC);
	CALL(msync, m, 4096, 0x77);
	CALL(munmap, m, 8192);
	m = (char *)syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK | MAP_GROWSDOWN, -1, 0);
	CALL(mprotect, m, 4096, PROT_READ | PROT_EXEC);
	CALL(mprotect, m, 4096, PROT_NONE);
	CALL(mprotect, m + 1, 4096, 0x77);
	CALL(madvise, m, 4096, MADV_DONTNEED);
	CALL(madvise, m, 4096, MADV_WILLNEED);
	CALL(madvise, m, 4096, 77);
	CALL(madvise, m, 4096, 22);
	m = (char *)syscall(SYS_mremap, m, 4096, 8192, MREMAP_MAYMOVE);
	CALL(mremap, m, 8192, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, m + (1 << 20));
	CALL(mremap, -1, 0, 0, 0x77);
	CALL(mlock, m, 4096);
	CALL(munlock, m, 4096);
	CALL(mlock2, m, 4096, 1);
	CALL(mincore, m, 4096, bad);
	CALL(munmap, m, 4096);
	CALL(munmap, 1, 0);
	CALL(mmap, NULL, 0, 0, 0, -1, 0);
	CALL(mmap, 0x10000, 4096, 0x7f, 0xffff, 77, 0x7000);
	CALL(mmap, NULL, 4096, PROT_READ, MAP_SHARED_VALIDATE | MAP_SYNC, fd, 0);
	CALL(mmap, NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | 21 << 26, -1, 0);
	CALL(mmap, NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	CALL(brk, NULL);
	CALL(brk, 0x1234);
	CALL(munlockall);
	CALL(mlockall, 0xff);
}

static void system_facts(void)
{
	struct utsname u;
	struct sysinfo si;
	char r[64];

	section("system");
	CALL(uname, &u);
	CALL(uname, bad);
	CALL(uname, NULL);
	CALL(sysinfo, &si);
	CALL(sysinfo, bad);
	CALL(getrandom, r, 16, 0);
	CALL(getrandom, r, 64, 1);
	CALL(getrandom, r, 0, 7);
	CALL(getrandom, bad, 16, 0);
	CALL(getrandom, r, 4, 0xff);
	CALL(sethostname, bad, 3);
	(void)!syscall(9999, 1, 2, 3, 4, 5, 6);
	(void)!syscall(-1, 1, 2, 3, 4, 5, 6);
	(void)!syscall(400);
	CALL(getxattr, "/tmp", "user.none", r, 10);
	CALL(fgetxattr, 0, "user.none", r, 10);
	CALL(listxattr, "/tmp", r, 64);
}

int main(void)
{
	char name[] = "/tmp/ctrace-calls_desc.XXXXXX";
	int fd;

	resident();
	bad = bad_page();
	fd = mkstemp(name);
	if (fd < 0 || unlink(name))
		return 1;
	transfers(fd);
	positions(fd);
	vectors(fd);
	copies(fd);
	duplicates(fd);
	controls(fd);
	memory(fd);
	system_facts();
	return 0;
}
