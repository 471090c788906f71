/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files by name: opening, looking, changing. In a directory of its own under /tmp. */
#include "calls.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/vfs.h>

static void *bad;

struct how { uint64_t flags, mode, resolve; };

static void opens(void)
{
	char longname[300], exact[4200];
	int fd;

	section("open");
	memset(longname, 'n', sizeof(longname) - 1);
	longname[sizeof(longname) - 1] = 0;
	memset(exact, 'p', sizeof(exact) - 1);
	exact[sizeof(exact) - 1] = 0;
	CALL(open, "none", O_RDONLY);
	CALL(open, "none", O_WRONLY | O_TRUNC | O_NONBLOCK, 0777);
	CALL(close, syscall(SYS_open, "file", O_RDWR | O_CREAT | O_EXCL, 0644));
	CALL(open, "file", O_RDWR | O_CREAT | O_EXCL, 04755);
	CALL(close, syscall(SYS_creat, "file", 0600));
	CALL(creat, "/none/none", 07777);
	CALL(close, syscall(SYS_openat, AT_FDCWD, "file", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY));
	CALL(close, syscall(SYS_openat, AT_FDCWD, ".", O_RDONLY | O_DIRECTORY));
	CALL(close, syscall(SYS_openat, AT_FDCWD, ".", O_PATH | O_CLOEXEC));
	CALL(close, syscall(SYS_openat, AT_FDCWD, "/tmp", O_TMPFILE | O_RDWR, 0600));
	CALL(close, syscall(SYS_openat, AT_FDCWD, "file", O_WRONLY | O_APPEND | O_SYNC | O_DSYNC | O_ASYNC | O_NOATIME | O_LARGEFILE));
	CALL(openat, AT_FDCWD, "file", 3);
	CALL(openat, AT_FDCWD, "none", 0xffffffff, 0177777);
	CALL(openat, -1, "none", O_DIRECT);
	CALL(openat, 77, "none", O_RDONLY | 0x40000000);
	CALL(openat, AT_FDCWD, "", O_RDONLY);
	CALL(openat, AT_FDCWD, NULL, O_RDONLY);
	CALL(openat, AT_FDCWD, bad, O_RDONLY);
	CALL(openat, AT_FDCWD, (void *)1, O_RDONLY);
	CALL(openat, AT_FDCWD, "with \"quotes\" \\ and \t tab \n newline", O_RDONLY);
	CALL(openat, AT_FDCWD, "\1\2\3\033[31m\177\200\377 \0018 9", O_RDONLY);
	CALL(openat, AT_FDCWD, "\303\244\303\266 utf-8", O_RDONLY);
	CALL(openat, AT_FDCWD, longname, O_RDONLY);
	CALL(openat, AT_FDCWD, exact, O_RDONLY);
	exact[4095] = 0;
	CALL(openat, AT_FDCWD, exact, O_RDONLY);
	exact[4094] = 0;
	CALL(openat, AT_FDCWD, exact, O_RDONLY);
	CALL(openat, AT_FDCWD, tail("cut", 3), O_RDONLY);
	CALL(openat, AT_FDCWD, tail("end", 4), O_RDONLY);
	section("openat2");
	struct how h = { O_RDONLY | O_CLOEXEC, 0, 0 };
	fd = syscall(SYS_openat2, AT_FDCWD, "file", &h, sizeof(h));
	CALL(close, fd);
	h = (struct how){ O_RDWR | O_CREAT | O_EXCL, 0640, 0x1f };
	CALL(openat2, AT_FDCWD, "file", &h, sizeof(h));
	h = (struct how){ 0xffffffff, 0177777, 0xff };
	CALL(openat2, AT_FDCWD, "file", &h, sizeof(h));
	CALL(openat2, AT_FDCWD, "file", &h, 23);
	CALL(openat2, AT_FDCWD, "file", bad, sizeof(h));
	CALL(openat2, AT_FDCWD, "file", NULL, sizeof(h));
	struct { struct how h; uint64_t more; } big = { { O_RDONLY, 0, 0 }, 1 };
	CALL(openat2, AT_FDCWD, "file", &big, sizeof(big));
}

static void looks(void)
{
	struct stat st;
	int fd;

	section("stat");
	CALL(stat, "file", &st);
	CALL(stat, ".", &st);
	CALL(stat, "/dev/null", &st);
	CALL(stat, "none", &st);
	CALL(stat, "file", bad);
	CALL(stat, NULL, &st);
	CALL(lstat, "/proc/self/exe", &st);
	CALL(lstat, "none", NULL);
	fd = syscall(SYS_openat, AT_FDCWD, "file", O_RDONLY);
	CALL(fstat, fd, &st);
	CALL(fstat, -1, &st);
	CALL(newfstatat, AT_FDCWD, "file", &st, 0);
	CALL(newfstatat, fd, "", &st, AT_EMPTY_PATH);
	CALL(newfstatat, fd, NULL, &st, AT_EMPTY_PATH);
	CALL(newfstatat, AT_FDCWD, "none", &st, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT);
	CALL(newfstatat, AT_FDCWD, "none", &st, 0x7fff);
	CALL(newfstatat, AT_FDCWD, "/dev/zero", &st, 0);
	CALL(newfstatat, AT_FDCWD, "fifo", &st, 0);
	section("statx");
	char stx[256];
	CALL(statx, AT_FDCWD, "file", 0, 0x7ff, stx);
	CALL(statx, AT_FDCWD, "/dev/null", AT_STATX_SYNC_AS_STAT | AT_SYMLINK_NOFOLLOW, 0xfff, stx);
	CALL(statx, fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, 0x1fffff, stx);
	CALL(statx, AT_FDCWD, "none", AT_STATX_FORCE_SYNC, 1, stx);
	CALL(statx, AT_FDCWD, "file", 0x77, 0xffffffff, stx);
	CALL(statx, AT_FDCWD, bad, 0, 0, bad);
	CALL(close, fd);
}

static void links(void)
{
	char b[256];

	section("access");
	CALL(access, "file", R_OK);
	CALL(access, "file", F_OK);
	CALL(access, "none", R_OK | W_OK | X_OK);
	CALL(access, "none", 0x77);
	CALL(faccessat, AT_FDCWD, "file", W_OK);
	CALL(faccessat, -1, "none", X_OK);
	CALL(faccessat2, AT_FDCWD, "file", R_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW);
	section("readlink");
	CALL(symlink, "target of the link", "link");
	CALL(readlink, "link", b, sizeof(b));
	CALL(readlink, "link", b, 6);
	CALL(readlink, "file", b, sizeof(b));
	CALL(readlink, "link", b, 0);
	CALL(readlink, "link", bad, 20);
	CALL(readlinkat, AT_FDCWD, "link", b, sizeof(b));
	CALL(readlinkat, -1, "link", b, sizeof(b));
	CALL(symlinkat, "to", AT_FDCWD, "link2");
	char lname[200];
	memset(lname, 'l', 199);
	lname[199] = 0;
	CALL(symlink, lname, "link3");
	CALL(readlink, "link3", b, sizeof(b));
}

static void directories(void)
{
	int fd;

	section("statfs");
	struct statfs sf;
	CALL(statfs, "/proc", &sf);
	CALL(statfs, "none", &sf);
	CALL(statfs, "/", bad);
	CALL(statfs, ".", &sf);
	fd = syscall(SYS_openat, AT_FDCWD, "/sys", O_RDONLY | O_DIRECTORY);
	CALL(fstatfs, fd, &sf);
	CALL(fstatfs, -1, &sf);
	section("getdents64");
	CALL(close, fd);
	char dents[1024];
	fd = syscall(SYS_openat, AT_FDCWD, ".", O_RDONLY | O_DIRECTORY);
	CALL(getdents64, fd, dents, sizeof(dents));
	CALL(getdents64, fd, dents, sizeof(dents));
	CALL(getdents64, fd, dents, 1);
	CALL(getdents64, -1, dents, sizeof(dents));
	CALL(getdents64, fd, bad, sizeof(dents));
	CALL(lseek, fd, 0, SEEK_SET);
	CALL(getdents, fd, dents, sizeof(dents));
	CALL(close, fd);
}

static void changes(void)
{
	struct timespec ts[2] = { { 1000000000, 5 }, { 0, UTIME_NOW } };
	int fd;

	section("changes");
	CALL(mkdir, "dir", 0755);
	CALL(mkdir, "dir", 01777);
	CALL(mkdirat, AT_FDCWD, "dir2", 0700);
	CALL(mkdirat, -1, "none", 0);
	CALL(rmdir, "dir2");
	CALL(rmdir, "none");
	CALL(link, "file", "hard");
	CALL(linkat, AT_FDCWD, "file", AT_FDCWD, "hard2", 0);
	CALL(linkat, AT_FDCWD, "file", 77, "none", AT_SYMLINK_FOLLOW | AT_EMPTY_PATH | 1);
	CALL(rename, "hard", "moved");
	CALL(rename, "none", "none2");
	CALL(renameat, AT_FDCWD, "moved", AT_FDCWD, "dir/moved");
	CALL(renameat2, AT_FDCWD, "hard2", AT_FDCWD, "dir/moved", RENAME_NOREPLACE);
	CALL(renameat2, AT_FDCWD, "hard2", AT_FDCWD, "dir/moved", RENAME_EXCHANGE | RENAME_WHITEOUT | 0x10);
	CALL(unlink, "hard2");
	CALL(unlink, "none");
	CALL(unlinkat, AT_FDCWD, "dir/moved", 0);
	CALL(unlinkat, AT_FDCWD, "dir", AT_REMOVEDIR);
	CALL(unlinkat, -1, "none", 0x77);
	CALL(mknod, "fifo", S_IFIFO | 0600, 0);
	CALL(mknod, "none/x", S_IFCHR | 0600, 0x103);
	CALL(mknodat, AT_FDCWD, "none/x", S_IFBLK | 0644, 0x801);
	CALL(mknodat, AT_FDCWD, "none/x", 0644, 0);
	CALL(chmod, "file", 04711);
	CALL(chmod, "none", 0177777);
	CALL(fchmodat, AT_FDCWD, "file", 0644);
	fd = syscall(SYS_openat, AT_FDCWD, "file", O_RDWR);
	CALL(fchmod, fd, 0600);
	CALL(chown, "file", 0, -1);
	CALL(lchown, "link", -1, -1);
	CALL(fchown, fd, 0, 0);
	CALL(fchownat, AT_FDCWD, "file", -1, 0, AT_SYMLINK_NOFOLLOW);
	CALL(truncate, "file", 100);
	CALL(truncate, "none", -1);
	CALL(ftruncate, fd, 10);
	CALL(ftruncate, -1, 0x7fffffffffffffff);
	CALL(fallocate, fd, 0, 0, 4096);
	CALL(fallocate, fd, 3, 5, -1);
	CALL(utimensat, AT_FDCWD, "file", ts, 0);
	CALL(utimensat, fd, NULL, NULL, 0);
	ts[0].tv_nsec = UTIME_OMIT;
	CALL(utimensat, AT_FDCWD, "none", ts, AT_SYMLINK_NOFOLLOW);
	CALL(utimensat, AT_FDCWD, "file", bad, 0);
	CALL(close, fd);
}

static void working_directory(void)
{
	int fd;

	section("directories");
	char cwd[4096];
	CALL(getcwd, cwd, sizeof(cwd));
	CALL(getcwd, cwd, 2);
	CALL(getcwd, bad, 4096);
	CALL(getcwd, NULL, 0);
	CALL(chdir, ".");
	CALL(chdir, "none");
	CALL(chdir, bad);
	fd = syscall(SYS_openat, AT_FDCWD, ".", O_RDONLY | O_DIRECTORY);
	CALL(fchdir, fd);
	CALL(fchdir, -1);
	CALL(close, fd);
	CALL(chroot, "none");
	CALL(sync);
	CALL(unlink, "fifo");
}

int main(void)
{
	char dir[] = "/tmp/ctrace-calls_file.XXXXXX";

	resident();
	bad = bad_page();
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	opens();
	looks();
	links();
	directories();
	changes();
	working_directory();
	CALL(unlink, "file");
	CALL(unlink, "link");
	CALL(unlink, "link2");
	CALL(unlink, "link3");
	return rmdir(dir) != 0;
}
