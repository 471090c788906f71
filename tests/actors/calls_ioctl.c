/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl: terminals, descriptors, and commands that nobody knows. */
#include "calls.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <termios.h>

static void *bad;

static void terminal(int master)
{
	char k[64], set[64];
	struct winsize w = { 24, 80, 1, 2 };
	int v = 0, slave;

	section("terminal");
	CALL(ioctl, master, TIOCGPTN, &v);
	v = 0;
	CALL(ioctl, master, TIOCSPTLCK, &v);
	CALL(ioctl, master, TIOCGPTLCK, &v);
	slave = syscall(SYS_ioctl, master, TIOCGPTPEER, O_RDWR | O_NOCTTY);
	CALL(ioctl, slave, TCGETS, k);
	memcpy(set, k, sizeof(k));
	CALL(ioctl, slave, TCSETS, set);
	CALL(ioctl, slave, TCSETSW, set);
	CALL(ioctl, slave, TCSETSF, set);
	((int *)set)[0] = 0x7fff, ((int *)set)[1] = -1, ((int *)set)[3] = -1;
	CALL(ioctl, -1, TCSETS, set);
	memset(set, 0, sizeof(set));
	CALL(ioctl, -1, TCSETS, set);
	CALL(ioctl, slave, TCSETS, k);
	CALL(ioctl, slave, TCGETS, bad);
	CALL(ioctl, slave, TCSETS, bad);
	CALL(ioctl, slave, TCSETS, NULL);
	CALL(ioctl, -1, TCGETS, k);
	CALL(ioctl, slave, TCGETA, k);
	CALL(ioctl, slave, TIOCSWINSZ, &w);
	CALL(ioctl, slave, TIOCGWINSZ, &w);
	CALL(ioctl, slave, TIOCGWINSZ, bad);
	CALL(ioctl, -1, TIOCGWINSZ, &w);
	CALL(ioctl, slave, TIOCGPGRP, &v);
	v = getpid();
	CALL(ioctl, slave, TIOCSPGRP, &v);
	CALL(ioctl, slave, TIOCGSID, &v);
	CALL(ioctl, slave, TIOCSCTTY, 0);
	CALL(ioctl, slave, TIOCNOTTY);
	CALL(ioctl, slave, TIOCOUTQ, &v);
	CALL(ioctl, slave, TIOCMGET, &v);
	CALL(ioctl, slave, TIOCGETD, &v);
	CALL(ioctl, slave, TIOCEXCL);
	CALL(ioctl, slave, TIOCNXCL);
	CALL(ioctl, slave, TIOCSTI, "x");
	CALL(ioctl, slave, TCFLSH, TCIFLUSH);
	CALL(ioctl, slave, TCXONC, TCOON);
	CALL(ioctl, slave, TCSBRK, 1);
	CALL(ioctl, slave, TCSBRKP, 1);
	v = 1;
	CALL(ioctl, master, TIOCPKT, &v);
	CALL(ioctl, slave, TIOCGSOFTCAR, &v);
	CALL(ioctl, slave, TIOCSSOFTCAR, &v);
	CALL(close, slave);
}

static void descriptors(void)
{
	int p[2], v = 1;

	section("descriptors");
	CALL(pipe2, p, 0);
	CALL(write, p[1], "abc", 3);
	CALL(ioctl, p[0], FIONREAD, &v);
	CALL(ioctl, p[0], FIONREAD, bad);
	CALL(ioctl, p[0], FIONBIO, &v);
	v = 0;
	CALL(ioctl, p[0], FIONBIO, &v);
	CALL(ioctl, p[0], FIOASYNC, &v);
	CALL(ioctl, p[0], FIONBIO, bad);
	CALL(ioctl, p[0], FIOCLEX);
	CALL(ioctl, p[0], FIONCLEX);
	CALL(ioctl, p[0], FIOQSIZE, &v);
	CALL(ioctl, p[0], FIGETBSZ, &v);
	CALL(ioctl, -1, FIONREAD, &v);
	CALL(ioctl, -1, FIFREEZE, 0);
	section("unknown");
	CALL(ioctl, p[0], 0);
	CALL(ioctl, p[0], 1, 2);
	CALL(ioctl, p[0], 0xdeadbeef, 0x1234);
	CALL(ioctl, p[0], _IOC(_IOC_READ, 0xfe, 0x33, 44), bad);
	CALL(ioctl, p[0], _IOC(_IOC_WRITE, 0xfe, 0x33, 4), &v);
	CALL(ioctl, p[0], _IOC(_IOC_READ | _IOC_WRITE, 0xfe, 0x33, 8), NULL);
	CALL(ioctl, p[0], _IOC(_IOC_NONE, 0xfe, 0x33, 0), 7);
	CALL(ioctl, p[0], 0x54ff, 7);
	CALL(ioctl, p[0], 0xfe33, 7);
	CALL(close, p[0]);
	CALL(close, p[1]);
}

int main(void)
{
	int master;

	resident();
	bad = bad_page();
	master = syscall(SYS_openat, AT_FDCWD, "/dev/ptmx", O_RDWR | O_NOCTTY);
	terminal(master);
	CALL(close, master);
	descriptors();
	return 0;
}
