/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Extended attributes, file attributes, file handles. In a directory of its own under /tmp. */
#include "newcalls.h"

#include <fcntl.h>
#include <sys/stat.h>

static void *bad;

static void old_calls(int fd)
{
	char b[200], big[70];

	section("setxattr");
	memset(big, 'v', sizeof(big));
	CALL(setxattr, "file", "user.a", "value", 5, 0);
	CALL(setxattr, "file", "user.b", "with\0nul\377", 9, 1);
	CALL(setxattr, "file", "user.a", "", 0, 2);
	CALL(setxattr, "file", "user.c", big, sizeof(big), 0);
	CALL(setxattr, "file", "user.a", "x", 1, 0xff);
	CALL(setxattr, "file", bad, bad, 3, 3);
	CALL(setxattr, bad, NULL, NULL, 0, 0);
	CALL(lsetxattr, "file", "trusted.t", "root", 4, 0);
	CALL(lsetxattr, "none", "user.x", tail("abc", 3), 10, 0);
	CALL(fsetxattr, fd, "user.d", "4", 1, 0);
	CALL(fsetxattr, -1, "user.d", NULL, 4, 0);
	char *large = calloc(1, 70000);
	CALL(setxattr, "none", "user.x", large, 31, 0);
	CALL(setxattr, "none", "user.x", large, 32, 0);
	CALL(setxattr, "none", "user.x", large, 33, 0);
	CALL(setxattr, "none", "user.x", large, 65536, 0);
	CALL(setxattr, "none", "user.x", large, 65537, 0);
	CALL(setxattr, "file", "user.n", "text\0", 6, 0);
	section("getxattr");
	CALL(getxattr, "file", "user.n", large, 70000);
	CALL(getxattr, "file", "user.b", large, 65537);
	CALL(getxattr, "file", "user.n", b, sizeof(b));
	CALL(getxattr, "file", "user.b", b, sizeof(b));
	CALL(getxattr, "file", "user.c", b, sizeof(b));
	CALL(getxattr, "file", "user.c", b, 0);
	CALL(getxattr, "file", "user.c", NULL, 0);
	CALL(getxattr, "file", "user.c", b, 3);
	CALL(getxattr, "file", "user.c", bad, 100);
	CALL(getxattr, "file", "user.none", b, sizeof(b));
	CALL(lgetxattr, "file", "trusted.t", b, sizeof(b));
	CALL(lgetxattr, "none", bad, b, sizeof(b));
	CALL(fgetxattr, fd, "user.d", b, sizeof(b));
	CALL(fgetxattr, -1, NULL, NULL, 0);
	section("listxattr");
	CALL(listxattr, "file", b, 0);
	CALL(listxattr, "file", b, sizeof(b));
	CALL(listxattr, "file", b, 3);
	CALL(listxattr, "file", bad, 100);
	CALL(llistxattr, "file", b, sizeof(b));
	CALL(llistxattr, "none", b, sizeof(b));
	CALL(flistxattr, fd, b, sizeof(b));
	CALL(flistxattr, -1, NULL, 0);
	section("removexattr");
	CALL(removexattr, "file", "user.a");
	CALL(removexattr, "file", bad);
	CALL(lremovexattr, "file", "user.none");
	CALL(fremovexattr, fd, "user.d");
	CALL(fremovexattr, -1, NULL);
}

struct xargs { uint64_t value; uint32_t size, flags; };
struct xargs_more { struct xargs a; uint64_t more; };

static uint64_t ptr(const void *p)
{
	return (uintptr_t)p;
}

static void by_directory(int fd)
{
	char b[200];
	struct xargs a = { ptr("value"), 5, 1 };
	struct xargs_more more = { { ptr("more"), 4, 0 }, 1 };

	section("setxattrat");
	NEW(setxattrat, AT_FDCWD, "file", 0, "user.e", &a, sizeof(a));
	a = (struct xargs){ ptr("a value of more than thirty-two bytes"), 37, 0xff };
	NEW(setxattrat, fd, "", AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW, "user.f", &a, sizeof(a));
	a.flags = 0;
	NEW(setxattrat, fd, "", AT_EMPTY_PATH, "user.f", &a, sizeof(a));
	a = (struct xargs){ ptr(bad), 3, 2 };
	NEW(setxattrat, -1, "none", 0xffffffff, "user.f", &a, sizeof(a));
	a = (struct xargs){ 0, 0, 0 };
	NEW(setxattrat, AT_FDCWD, "file", 0, "user.g", &a, sizeof(a));
	a.size = 7;
	NEW(setxattrat, AT_FDCWD, "file", 0, "user.g", &a, sizeof(a));
	NEW(setxattrat, AT_FDCWD, "file", 0, "user.g", &more, sizeof(more));
	more.more = 0;
	NEW(setxattrat, AT_FDCWD, "file", 0, "user.g", &more, sizeof(more));
	NEW(setxattrat, AT_FDCWD, "file", 0, "user.g", &a, 15);
	NEW(setxattrat, AT_FDCWD, "file", 0, "user.g", bad, sizeof(a));
	NEW(setxattrat, AT_FDCWD, bad, 0, bad, NULL, sizeof(a));
	section("getxattrat");
	a = (struct xargs){ ptr(b), sizeof(b), 0 };
	NEW(getxattrat, AT_FDCWD, "file", 0, "user.e", &a, sizeof(a));
	NEW(getxattrat, AT_FDCWD, "file", 0, "user.f", &a, sizeof(a));
	a.size = 0;
	NEW(getxattrat, AT_FDCWD, "file", 0, "user.f", &a, sizeof(a));
	a.size = 2;
	NEW(getxattrat, AT_FDCWD, "file", 0, "user.f", &a, sizeof(a));
	a = (struct xargs){ ptr(b), sizeof(b), 3 };
	NEW(getxattrat, AT_FDCWD, "file", 0, "user.e", &a, sizeof(a));
	a = (struct xargs){ ptr(bad), sizeof(b), 0 };
	NEW(getxattrat, AT_FDCWD, "file", 0, "user.e", &a, sizeof(a));
	NEW(getxattrat, AT_FDCWD, "file", 0, "user.none", &a, sizeof(a));
	NEW(getxattrat, AT_FDCWD, "file", 0, "user.none", &a, 8);
	NEW(getxattrat, -1, NULL, 0x77, NULL, bad, sizeof(a));
	NEW(getxattrat, -1, NULL, 0, NULL, NULL, 0);
	section("listxattrat");
	NEW(listxattrat, AT_FDCWD, "file", 0, b, sizeof(b));
	NEW(listxattrat, AT_FDCWD, "file", 0, b, 0);
	NEW(listxattrat, AT_FDCWD, "file", 0x100, b, 1);
	NEW(listxattrat, fd, "", 0x1000, bad, 100);
	NEW(listxattrat, -1, bad, 0x77, NULL, 0);
	a = (struct xargs){ ptr("nul"), 4, 0 };
	NEW(setxattrat, AT_FDCWD, "file", 0, "user.h", &a, sizeof(a));
	a = (struct xargs){ ptr(b), 1 << 20, 0 };
	NEW(getxattrat, AT_FDCWD, "file", 0, "user.h", &a, sizeof(a));
	NEW(setxattrat, AT_FDCWD, "none", 0, "user.h", &a, sizeof(a));
	NEW(setxattrat, AT_FDCWD, "none", 0, "user.h", &a, 1ull << 33);
	section("removexattrat");
	NEW(removexattrat, AT_FDCWD, "file", 0, "user.e");
	NEW(removexattrat, fd, "", 0x1000, "user.none");
	NEW(removexattrat, -1, bad, 0xff, bad);
}

struct fsattr { uint64_t xflags; uint32_t extsize, nextents, projid, cowextsize; };
struct fsattr_more { struct fsattr a; uint64_t more; };

static void attributes(int fd)
{
	struct fsattr a, set = { 0x80, 0, 0, 7, 0 };
	struct fsattr_more more = { { 0x40, 1, 2, 3, 4 }, 0 };

	section("file_getattr");
	NEW(file_getattr, AT_FDCWD, "file", &a, sizeof(a), 0);
	NEW(file_getattr, fd, "", &a, sizeof(a), 0x1000);
	NEW(file_getattr, AT_FDCWD, "file", &more, sizeof(more), 0);
	NEW(file_getattr, AT_FDCWD, "file", &a, 16, 0);
	NEW(file_getattr, AT_FDCWD, "none", &a, sizeof(a), 0x100);
	NEW(file_getattr, AT_FDCWD, "file", bad, sizeof(a), 0);
	NEW(file_getattr, AT_FDCWD, "file", NULL, 0, 0);
	NEW(file_getattr, -1, bad, &a, sizeof(a), 0xffff);
	section("file_setattr");
	NEW(file_setattr, AT_FDCWD, "file", &a, sizeof(a), 0);
	NEW(file_setattr, AT_FDCWD, "file", &set, sizeof(set), 0);
	set = (struct fsattr){ ~0ull, 5, 6, 7, 8 };
	NEW(file_setattr, AT_FDCWD, "none", &set, sizeof(set), 0x100);
	more.more = 9;
	NEW(file_setattr, AT_FDCWD, "file", &more, sizeof(more), 0);
	NEW(file_setattr, AT_FDCWD, "file", &set, 16, 0);
	char *large = calloc(1, 8192);
	NEW(file_setattr, AT_FDCWD, "file", large, 4096, 0x77);
	NEW(file_setattr, AT_FDCWD, "file", large, 4097, 0x77);
	NEW(file_getattr, AT_FDCWD, "file", large, 4096, 0);
	NEW(file_getattr, AT_FDCWD, "file", large, 4097, 0);
	NEW(file_getattr, AT_FDCWD, "file", tail(NULL, 24), 32, 0);
	NEW(file_setattr, AT_FDCWD, "file", bad, sizeof(a), 0);
	NEW(file_setattr, -1, bad, NULL, 24, 0xffff);
}

struct handle { uint32_t bytes; int32_t type; unsigned char h[128]; };

static void handles(int fd)
{
	struct handle h = { 128, 0, { 0 } }, small = { 4, 0, { 0 } };
	uint64_t id;

	section("name_to_handle_at");
	CALL(name_to_handle_at, AT_FDCWD, "file", &h, &id, 0);
	h.bytes = 128;
	CALL(name_to_handle_at, fd, "", &h, &id, 0x1000 | 0x1);
	CALL(name_to_handle_at, AT_FDCWD, "file", &small, &id, 0);
	small.bytes = 0;
	CALL(name_to_handle_at, AT_FDCWD, "file", &small, &id, 0);
	small.bytes = 129;
	CALL(name_to_handle_at, AT_FDCWD, "file", &small, &id, 0);
	h.bytes = 128;
	CALL(name_to_handle_at, AT_FDCWD, "file", &h, bad, 0);
	h.bytes = 128;
	CALL(name_to_handle_at, AT_FDCWD, "file", &h, NULL, 0x200);
	CALL(name_to_handle_at, AT_FDCWD, "file", bad, &id, 0xffffffff);
	CALL(name_to_handle_at, -1, bad, NULL, &id, 0x400 | 0x2);
	section("open_by_handle_at");
	h.bytes = 128;
	(void)!syscall(SYS_name_to_handle_at, AT_FDCWD, "file", &h, &id, 0);
	CALL(close, syscall(SYS_open_by_handle_at, AT_FDCWD, &h, O_RDONLY));
	CALL(open_by_handle_at, fd, &h, O_RDWR | O_CLOEXEC | O_DIRECTORY);
	CALL(open_by_handle_at, -1, tail(&h, 12), O_RDONLY);
	h.bytes = 200;
	CALL(open_by_handle_at, -1, &h, O_RDONLY);
	h.bytes = 0, h.type = -3;
	CALL(open_by_handle_at, 77, &h, O_WRONLY | O_CREAT);
	CALL(open_by_handle_at, fd, bad, 3);
	CALL(open_by_handle_at, fd, NULL, 0);
}

int main(void)
{
	char dir[] = "/tmp/ctrace-calls_xattr.XXXXXX";
	int fd;

	resident();
	bad = bad_page();
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	fd = open("file", O_RDWR | O_CREAT, 0600);
	if (fd < 0)
		return 1;
	old_calls(fd);
	by_directory(fd);
	attributes(fd);
	handles(fd);
	if (unlink("file"))
		return 1;
	return rmdir(dir) != 0;
}
