/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Watching files, descriptors for events, moving data between files, memory of processes. */
#include "newcalls.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/uio.h>

static void *bad;

static void notify(void)
{
	int fd, wd;

	section("inotify");
	fd = syscall(SYS_inotify_init1, 0x80800);
	CALL(inotify_init1, 0x77);
	wd = syscall(SYS_inotify_add_watch, fd, ".", IN_CREATE | IN_DELETE | IN_ONLYDIR);
	CALL(inotify_add_watch, fd, "none", IN_ALL_EVENTS);
	CALL(inotify_add_watch, fd, bad, 0xffffffff);
	CALL(inotify_add_watch, -1, NULL, 0);
	CALL(inotify_rm_watch, fd, wd);
	CALL(inotify_rm_watch, fd, -1);
	CALL(inotify_rm_watch, -1, 77);
	CALL(close, fd);
	section("fanotify_init");
	CALL(close, syscall(SYS_fanotify_init, 0x1 | 0x2, O_RDONLY | O_CLOEXEC));
	CALL(fanotify_init, 0xc, 3);
	CALL(fanotify_init, 0xffffffff, 0xffffffff);
	CALL(fanotify_init, 0x10 | 0x20 | 0x40 | 0x4, O_RDWR | O_LARGEFILE);
	fd = syscall(SYS_fanotify_init, 0x200 | 0x400 | 0x800 | 0x1, O_RDONLY);
	section("fanotify_mark");
	CALL(fanotify_mark, fd, 1, 0x100ull | 0x40000000, AT_FDCWD, ".");
	CALL(fanotify_mark, fd, 0x2 | 0x8, 0x100ull, AT_FDCWD, ".");
	CALL(fanotify_mark, fd, 0x80, 0ull, AT_FDCWD, NULL);
	CALL(fanotify_mark, fd, 0x110, 0x3000000ull, -1, NULL);
	CALL(fanotify_mark, fd, 0x10 | 0x1, 0x3bull, -1, "none");
	CALL(fanotify_mark, -1, 0xffff, ~0ull, 77, bad);
	CALL(fanotify_mark, fd, 0, 0x800000000ull, -100, NULL);
	CALL(close, fd);
}

static void events(void)
{
	uint64_t mask = 0x4202;

	section("eventfd");
	CALL(close, syscall(SYS_eventfd2, 7, 0x80801));
	CALL(eventfd2, -1, 0x77);
	CALL(eventfd2, 0, 0x2);
#ifdef SYS_eventfd
	CALL(close, syscall(SYS_eventfd, 3));
	CALL(close, syscall(SYS_signalfd, -1, &mask, 8));
#endif
	CALL(close, syscall(SYS_signalfd4, -1, &mask, 8, 0x80800));
	CALL(signalfd4, 77, &mask, 8, 0x77);
	CALL(signalfd4, -1, &mask, 16, 0);
	CALL(signalfd4, -1, bad, 8, 0);
	CALL(signalfd4, -1, NULL, 0, 0);
	CALL(close, syscall(SYS_timerfd_create, 1, 0x80800));
	CALL(timerfd_create, 77, 0x77);
	CALL(close, syscall(SYS_memfd_create, "name", 0x10));
	CALL(memfd_create, "huge", 0x4 | 21u << 26);
	CALL(memfd_create, "what", 0xffffffff);
	CALL(close, syscall(SYS_epoll_create1, 0x80000));
	CALL(epoll_create1, 0x77);
	(void)!syscall(447, 0x80000 | 1);
	(void)!syscall(447, 2);
}

static void moves(int fd)
{
	int64_t in = 2, out = 1000, off = -5;
	int p[2], q[2];
	struct iovec v[2] = { { "gift", 4 }, { "another", 7 } };

	section("splice");
	if (pipe(p) || pipe(q))
		exit(1);
	CALL(splice, fd, &in, p[1], NULL, 5, 0x1 | 0x2);
	CALL(splice, p[0], NULL, fd, &out, 3, 0xff);
	CALL(splice, p[0], NULL, fd, &out, 3, 0);
	CALL(splice, -1, &off, -1, bad, -1, 0x10);
	CALL(splice, fd, bad, p[1], NULL, 5, 0);
	CALL(vmsplice, p[1], v, 2, 0x8 | 0x4);
	CALL(vmsplice, p[1], bad, 2, 0);
	CALL(vmsplice, p[1], NULL, 0, 0xff);
	CALL(vmsplice, -1, tail(v, 16), 2, 0);
	CALL(tee, p[0], q[1], 100, 0x2);
	CALL(tee, -1, -1, -1, 0xff);
	section("copy_file_range");
	in = 0, out = 2000;
	CALL(copy_file_range, fd, &in, fd, &out, 5, 0);
	CALL(copy_file_range, fd, NULL, fd, NULL, 0, 0xff);
	CALL(copy_file_range, fd, bad, fd, &out, 5, 1);
	CALL(copy_file_range, -1, &off, 77, NULL, -1, 0);
	section("ranges");
	CALL(sync_file_range, fd, 0l, 4096l, 7);
	CALL(sync_file_range, fd, -1l, -1l, 0xff);
	CALL(fallocate, fd, 1, 0l, 8192l);
	CALL(fallocate, fd, 3, 4096l, 4096l);
	CALL(fallocate, fd, 0xffff, 1l, 1l);
	CALL(fallocate, -1, 0, -1l, -1l);
	CALL(readahead, fd, 0l, 4096);
	CALL(readahead, -1, -1l, 1);
	CALL(fadvise64, fd, 0l, 100l, 3);
	CALL(fadvise64, fd, -1l, -1l, 77);
	CALL(lseek, fd, 0, 3);
	close(p[0]), close(p[1]), close(q[0]), close(q[1]);
}

static void vectors(int fd)
{
	char b[40];
	struct iovec w[2] = { { "abc", 3 }, { "defgh", 5 } }, r[2] = { { b, 4 }, { b + 4, 30 } };

	section("preadv2");
	CALL(pwritev2, fd, w, 2, 7, 0, 0x4);
	CALL(pwritev2, fd, w, 2, -1l, -1l, 0x10 | 0x20);
	CALL(pwritev2, fd, w, 2, 3, 0, 0xffff);
	CALL(pwritev2, -1, bad, 2, 3, 0, 0x40 | 0x80);
	CALL(preadv2, fd, r, 2, 7, 0, 0x8);
	CALL(preadv2, fd, r, 1, 7, 0, 0x1);
	CALL(preadv2, fd, NULL, 0, 0, 0, 0x77);
}

struct range { uint64_t off, len; };

static void cache(int fd)
{
	struct range r = { 0, 4096 };
	uint64_t c[5];

	section("cachestat");
	NEW(cachestat, fd, &r, c, 0);
	r = (struct range){ 1, 0 };
	NEW(cachestat, fd, &r, c, 0);
	NEW(cachestat, fd, &r, c, 0xff);
	NEW(cachestat, fd, &r, bad, 0);
	NEW(cachestat, fd, bad, c, 0);
	NEW(cachestat, -1, NULL, NULL, 0);
	NEW(cachestat, 77, tail(&r, 8), c, 1);
}

static void processes(int fd)
{
	char a[64] = "what is read by another", b[64];
	struct iovec local[2] = { { b, 5 }, { b + 5, 40 } }, remote[2] = { { a, 10 }, { a + 10, 8 } };
	struct iovec area[2] = { { (void *)((uintptr_t)a & -4096), 4096 }, { bad, 4096 } };
	int pid = getpid(), pidfd;
	unsigned char vec[16];
	char *m;

	section("process_vm");
	CALL(process_vm_readv, pid, local, 2, remote, 2, 0);
	CALL(process_vm_readv, pid, local, 1, remote, 1, 7);
	CALL(process_vm_readv, pid, bad, 2, remote, 2, 0);
	CALL(process_vm_readv, pid, local, 2, bad, 2, 0);
	CALL(process_vm_readv, 0, NULL, 0, NULL, 0, 0);
	local[0].iov_base = "given", local[1] = (struct iovec){ bad, 3 };
	CALL(process_vm_writev, pid, local, 1, remote, 2, 0);
	CALL(process_vm_writev, pid, local, 2, remote, 40, 0);
	CALL(process_vm_writev, pid, tail(local, 16), 2, tail(remote, 16), 2, ~0ul);
	CALL(process_vm_writev, pid, NULL, 3, NULL, 3, 0);
	section("process_madvise");
	pidfd = syscall(434, pid, 0);
	(void)!syscall(440, pidfd, area, 1, 20, 0);
	(void)!syscall(440, pidfd, area, 2, 3, 0);
	(void)!syscall(440, pidfd, bad, 2, 77, 0xff);
	(void)!syscall(440, -1, NULL, 0, 21, 0);
	(void)!syscall(440, -1, tail(area, 16), 2, 21, 0);
	close(pidfd);
	section("mincore");
	m = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	CALL(mincore, m, 8192, vec);
	CALL(mincore, m, 1, vec);
	CALL(mincore, m, 0, vec);
	CALL(mincore, m, 16384, bad);
	CALL(mincore, m, 8192, NULL);
	CALL(mincore, m + 1, 8192, vec);
	CALL(mincore, m, 8192, tail(NULL, 1));
	munmap(m, 16384);
	m = mmap(NULL, 200 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char many[256];
	CALL(mincore, m, 200 * 4096, many);
	munmap(m, 200 * 4096);
}

int main(void)
{
	char dir[] = "/tmp/ctrace-calls_watch.XXXXXX";
	char data[4096];
	int fd;

	resident();
	bad = bad_page();
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	fd = open("file", O_RDWR | O_CREAT, 0600);
	memset(data, 'd', sizeof(data));
	if (fd < 0 || write(fd, data, sizeof(data)) != sizeof(data))
		return 1;
	notify();
	events();
	moves(fd);
	vectors(fd);
	if (ftruncate(fd, 16384) || fsync(fd))
		return 1;
	cache(fd);
	processes(fd);
	if (unlink("file"))
		return 1;
	return rmdir(dir) != 0;
}
