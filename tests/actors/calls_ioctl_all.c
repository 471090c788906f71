/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Every command of ioctl that has a name: with no argument, with one that leads
 * nowhere, on a descriptor that is none, and as one that succeeded.
 */
#include "calls.h"
#include "parts/answers.h"

#include <linux/nsfs.h>

#define C(number, abis, name) number,
static const uint32_t commands[] = {
#include "../../src/decode/ioctl_cmds.def"
};

/* What nothing but the number tells, and what a program would ask for. */
static const uint32_t others[] = {
	0x80044520, 0x80044541, 0x8018457f, 0x801844c1, 0x401845c1, 0x401845ff, 0x80204506, 0x80044d05, 0x40044d06, 0xc0044d07,
	0x81004804, 0x40206b00, 0x8040552c, 0x80406a13, 0xc0204806, 0x54ff, 0xfe33, 0x4004fe33, 0x8004fe33, 0xc004fe33, 0xc080fe33,
};

/* strace asks the descriptor's device which of two names the number has. */
static int by_device(uint32_t number)
{
	return number >= 0x5402 && number <= 0x5404;
}

/* Of one of these that failed, strace tells what it had to tell of another call before it. */
static int with_remains(int fd, uint32_t number)
{
	return fd < 0 && number == NS_GET_NSTYPE;
}

static void each(int fd, void *arg)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if ((!i || commands[i] != commands[i - 1]) && !by_device(commands[i]) && !with_remains(fd, commands[i]))
			CALL(ioctl, fd, commands[i], arg);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		CALL(ioctl, fd, others[i], arg);
}

#define ROOM 8192               /* the largest structure's; what goes on behind it, as counts say, cannot be read */

static unsigned char *filled(unsigned char first, unsigned char step)
{
	unsigned char *p = mmap(NULL, 2 * ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(p + ROOM, ROOM, PROT_NONE);
	for (unsigned i = 0; i < ROOM; i++)
		p[i] = (unsigned char)(first + step * i);
	return p;
}

int main(void)
{
	resident();
	answers_begin();
	section("no argument");
	each(-1, NULL);
	each(ANSWERED, NULL);
	section("nowhere");
	each(-1, bad_page());
	each(ANSWERED, (void *)1);
	section("zeros");
	each(-1, filled(0, 0));
	each(ANSWERED, filled(0, 0));
	section("bytes");
	each(-1, filled(1, 1));
	each(ANSWERED, filled(1, 1));
	section("the first bytes alone");
	each(-1, filled(1, 1) + ROOM - 4);
	each(ANSWERED, filled(1, 1) + ROOM - 4);
	each(ANSWERED, filled(0, 0) + ROOM - 20);
	section("ones");
	each(ANSWERED, filled(255, 0));
	return 0;
}
