/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Mounting, the old way and the new one, in a mount namespace of its own. */
#include "newcalls.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

static void *bad;

struct attr { uint64_t set, clr, propagation, userns; };

static void old_calls(void)
{
	section("mount");
	CALL(mount, "none", "m", "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=700");
	CALL(mount, NULL, "m", NULL, MS_REMOUNT | MS_RDONLY | MS_NOATIME, NULL);
	CALL(mount, "m", "n", NULL, MS_BIND | MS_REC, NULL);
	CALL(mount, NULL, "n", "type", MS_PRIVATE | MS_REC, "data");
	CALL(mount, NULL, "n", bad, MS_SHARED, bad);
	CALL(mount, "none", "m", "nofs", 0xffffffff, "data");
	CALL(mount, "none", "m", "nofs", 0, tail("data", 4));
	CALL(mount, bad, bad, bad, 0, bad);
	CALL(mount, NULL, NULL, NULL, 0, NULL);
	CALL(mount, "n", "m", "x", MS_MOVE, "y");
	CALL(umount2, "n", MNT_DETACH | UMOUNT_NOFOLLOW);
	CALL(umount2, "none", 0xffff);
	CALL(umount2, bad, MNT_EXPIRE);
	CALL(umount2, NULL, 0);
	CALL(umount2, "m", MNT_FORCE);
	CALL(pivot_root, "none", "none/old");
	CALL(pivot_root, bad, NULL);
	section("swap");
	CALL(swapon, "none", 0);
	CALL(swapon, "none", 0x8000 | 5);
	CALL(swapon, "none", 0x10000 | 0x20000 | 0x40000);
	CALL(swapon, "none", 0xffffffff);
	CALL(swapon, "none", 0x7fff);
	CALL(swapon, bad, 0x80000);
	CALL(swapoff, "none");
	CALL(swapoff, NULL);
}

static int new_mount(void)
{
	char blob[40];
	int fs, m;

	section("fsopen");
	memset(blob, 'b', sizeof(blob));
	NEW(fsopen, "nofs", 0);
	NEW(fsopen, "tmpfs", 0xff);
	NEW(fsopen, bad, 1);
	NEW(fsopen, NULL, 0);
	fs = syscall(NEW_fsopen, "tmpfs", 1);
	NEW(fsconfig, fs, 0, "ro", NULL, 0);
	NEW(fsconfig, fs, 0, bad, bad, 7);
	NEW(fsconfig, fs, 1, "size", "1m", 0);
	NEW(fsconfig, fs, 1, "size", bad, 0);
	NEW(fsconfig, fs, 1, "none", NULL, 5);
	NEW(fsconfig, fs, 1, "long", "a value that is longer than thirty-two bytes", -1);
	NEW(fsconfig, fs, 2, "blob", blob, 5);
	NEW(fsconfig, fs, 2, "blob", blob, 40);
	NEW(fsconfig, fs, 2, "blob", blob, 0);
	NEW(fsconfig, fs, 2, "blob", blob, -1);
	NEW(fsconfig, fs, 2, "blob", bad, 5);
	NEW(fsconfig, fs, 2, "blob", NULL, 5);
	NEW(fsconfig, fs, 2, "blob", tail("abc", 3), 5);
	NEW(fsconfig, fs, 3, "path", "some/path", AT_FDCWD);
	NEW(fsconfig, fs, 3, "path", bad, 3);
	NEW(fsconfig, fs, 4, "path", "", fs);
	NEW(fsconfig, fs, 4, "path", NULL, -1);
	NEW(fsconfig, fs, 5, "fd", NULL, 77);
	NEW(fsconfig, fs, 5, "fd", bad, AT_FDCWD);
	NEW(fsconfig, fs, 6, "x", "y", 1);
	NEW(fsconfig, fs, 6, NULL, NULL, 0);
	NEW(fsconfig, fs, 7, bad, bad, 0);
	NEW(fsconfig, fs, 7, NULL, NULL, 0);
	NEW(fsconfig, fs, 8, NULL, NULL, 0);
	NEW(fsconfig, fs, 9, "what", "what", 3);
	NEW(fsconfig, -1, 77, bad, bad, -1);
	section("fsmount");
	NEW(fsmount, -1, 0, 0);
	NEW(fsmount, fs, 0xff, 0x77);
	NEW(fsmount, fs, 0, 0xffffffff);
	NEW(fsmount, fs, 1, 0x30);
	m = syscall(NEW_fsmount, fs, 1, 0x2 | 0x20 | 0x80);
	CALL(close, fs);
	return m;
}

static void move(int m)
{
	int t;

	section("move_mount");
	NEW(move_mount, m, "", AT_FDCWD, "m", 0x4);
	NEW(move_mount, -1, "a", AT_FDCWD, "b", 0xffff);
	NEW(move_mount, AT_FDCWD, bad, 77, NULL, 0x300);
	CALL(close, m);
	section("fspick");
	CALL(close, syscall(NEW_fspick, AT_FDCWD, "m", 1));
	NEW(fspick, AT_FDCWD, "none", 0xe);
	NEW(fspick, -1, bad, 0x77);
	section("open_tree");
	CALL(close, syscall(NEW_open_tree, AT_FDCWD, "m", 0x80001));
	t = syscall(NEW_open_tree, AT_FDCWD, "m", 0x8001);
	NEW(open_tree, t, "", 0x1000 | 0x100 | 0x800 | 2);
	NEW(open_tree, AT_FDCWD, bad, 0xffffffff);
	NEW(open_tree, AT_FDCWD, NULL, 0);
	CALL(close, t);
}

static void attributes(void)
{
	struct attr a = { 0x1 | 0x4, 0x70, 0, 0 };
	struct { struct attr a; uint64_t more[2]; } big = { { 0x2, 0, MS_PRIVATE, 0 }, { 0, 0x11 } };

	section("mount_setattr");
	NEW(mount_setattr, AT_FDCWD, "m", 0, &a, sizeof(a));
	a = (struct attr){ 0x100000, 0x200000, MS_SLAVE, 7 };
	NEW(mount_setattr, AT_FDCWD, "m", 0x1000 | 0x8000 | 0x100, &a, sizeof(a));
	a = (struct attr){ ~0ull, ~0ull, ~0ull, ~0ull };
	NEW(mount_setattr, -1, "m", 0xffffffff, &a, sizeof(a));
	NEW(mount_setattr, AT_FDCWD, "m", 0, &a, 31);
	NEW(mount_setattr, AT_FDCWD, "m", 0, &a, 0);
	NEW(mount_setattr, AT_FDCWD, "m", 0, bad, sizeof(a));
	NEW(mount_setattr, AT_FDCWD, "m", 0, NULL, sizeof(a));
	NEW(mount_setattr, AT_FDCWD, bad, 0, tail(&a, 32), 40);
	NEW(mount_setattr, AT_FDCWD, "m", 0, &big, sizeof(big));
	memset(big.more, 0, sizeof(big.more));
	NEW(mount_setattr, AT_FDCWD, "m", 0, &big, sizeof(big));
	NEW(mount_setattr, AT_FDCWD, "m", 0, &big, 1ull << 40);
	section("open_tree_attr");
	a = (struct attr){ 0x1, 0, 0, 0 };
	CALL(close, syscall(NEW_open_tree_attr, AT_FDCWD, "m", 0x80001, &a, sizeof(a)));
	NEW(open_tree_attr, AT_FDCWD, "none", 0x1, &a, sizeof(a));
	NEW(open_tree_attr, AT_FDCWD, "m", 0x1, bad, sizeof(a));
	NEW(open_tree_attr, AT_FDCWD, "m", 0xffffffff, NULL, 0);
	NEW(open_tree_attr, -1, bad, 0, &a, 16);
}

struct req { uint32_t size, spare; uint64_t id, param, ns; };

static uint64_t mount_id(const char *path)
{
	struct { uint32_t mask, pad[35]; uint64_t id, more[20]; } s;

	memset(&s, 0, sizeof(s));
	if (syscall(SYS_statx, AT_FDCWD, path, 0, 0x4000, &s))
		return 0;
	return s.id;
}

static void asking(void)
{
	struct req r = { 24, 0, mount_id("m"), 0x7f, 0 };
	uint64_t ids[40], buf[256];

	section("statmount");
	NEW(statmount, &r, buf, sizeof(buf), 0);
	r.param = 0x1 | 0x2;
	NEW(statmount, &r, buf, sizeof(buf), 0);
	r.param = 0x8 | 0x10 | 0x20 | 0x80 | 0x200 | 0x400;
	NEW(statmount, &r, buf, sizeof(buf), 0);
	r.param = 0x1000;
	NEW(statmount, &r, buf, sizeof(buf), 0);
	r.param = 0;
	NEW(statmount, &r, buf, sizeof(buf), 0);
	r.param = ~0ull;
	NEW(statmount, &r, buf, 8, 0);
	r.param = 0x13;
	NEW(statmount, &r, tail(NULL, 512), 512, 0);
	NEW(statmount, &r, bad, 512, 0);
	NEW(statmount, &r, NULL, 0, 0xff);
	NEW(statmount, bad, buf, sizeof(buf), 1);
	NEW(statmount, NULL, buf, sizeof(buf), 0);
	r.size = 32, r.ns = 5, r.spare = 3;
	NEW(statmount, &r, buf, sizeof(buf), 0);
	r.size = 7;
	NEW(statmount, &r, buf, sizeof(buf), 0);
	r.size = 0;
	NEW(statmount, &r, buf, sizeof(buf), 0);
	r = (struct req){ 24, 0, 0x1234567890, 1, 0 };
	NEW(statmount, &r, buf, sizeof(buf), 0);
	section("listmount");
	r = (struct req){ 24, 0, mount_id("."), 0, 0 };
	NEW(listmount, &r, ids, 40, 0);
	NEW(listmount, &r, ids, 1, 1);
	NEW(listmount, &r, ids, 0, 0);
	r.id = ~0ull;
	NEW(listmount, &r, ids, 3, 0);
	r.param = 77;
	NEW(listmount, &r, bad, 3, 0);
	NEW(listmount, bad, ids, 3, 0xff);
	NEW(listmount, NULL, NULL, 3, 0);
	r.size = 32, r.ns = 5;
	NEW(listmount, &r, ids, 3, 0);
	struct { uint32_t size, spare; uint64_t id; uint32_t type, spare2; uint64_t user; } ns = { 32, 0, 1, 0x20000, 0, ~0ull };
	section("listns");
	NEW(listns, &ns, ids, 40, 0);
	ns.type = 0x7e020080, ns.spare = 1, ns.spare2 = 2;
	NEW(listns, &ns, ids, 3, 0xff);
	NEW(listns, bad, ids, 3, 0);
	NEW(listns, NULL, bad, 0, 0);
	ns.size = 16;
	NEW(listns, &ns, ids, 3, 0);
}

int main(void)
{
	char dir[] = "/tmp/ctrace-calls_mount.XXXXXX";

	resident();
	bad = bad_page();
	if (!mkdtemp(dir) || chdir(dir) || unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_PRIVATE | MS_REC, NULL))
		return 1;
	if (mkdir("m", 0700) || mkdir("n", 0700))
		return 1;
	old_calls();
	move(new_mount());
	attributes();
	asking();
	CALL(umount2, "m", MNT_DETACH);
	CALL(umount2, "m", MNT_DETACH);
	CALL(umount2, "m", MNT_DETACH);
	if (rmdir("m") || rmdir("n"))
		return 1;
	return rmdir(dir) != 0;
}
