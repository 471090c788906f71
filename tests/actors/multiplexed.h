/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TESTS_MULTIPLEXED_H
#define CTRACE_TESTS_MULTIPLEXED_H
/*
 * i386: calls that there are by socketcall(2) and ipc(2) alone, and with
 * MULTIPLEXED defined all that there are by them, made so.
 */
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "numbers.h"

/* What socketcall or ipc make of a call of its own; others as they are. */
static inline long multiplexed_number(long nr)
{
#ifdef MULTIPLEXED
	static const short socketcalls[] = { 0, 359, 361, 362, 363, 0, 367, 368, 360, 0, 0, 369, 371, 373, 366, 365, 370, 372, 364, 337, 345 };
	static const short ipcs[] = { 0, 0, 393, 394, 0, 0, 0, 0, 0, 0, 0, 400, 401, 399, 402, 0, 0, 0, 0, 0, 0, 397, 398, 395, 396 };

	for (unsigned i = 1; i < sizeof(socketcalls) / sizeof(socketcalls[0]); i++) {
		if (nr == socketcalls[i])
			return SOCKETCALL + (long)i;
	}
	for (unsigned i = 1; i < sizeof(ipcs) / sizeof(ipcs[0]); i++) {
		if (nr == ipcs[i])
			return IPC + (long)i;
	}
#endif
	return nr;
}

/* The places of arguments of ipc(2): first, second, third, ptr, fifth. */
static inline long ipc_call(long call, const long a[6])
{
	long address = 0, ret;

	switch (call) {
	case 1:         /* semop */
	case 4:         /* semtimedop */
		return syscall(SYS_ipc, call, a[0], a[2], 0, a[1], call == 4 ? a[3] : 0);
	case 3:         /* semctl, whose fourth argument ptr leads to */
		return syscall(SYS_ipc, call, a[0], a[1], a[2], &a[3], 0);
	case 11:        /* msgsnd */
		return syscall(SYS_ipc, call, a[0], a[2], a[3], a[1], 0);
	case 12:        /* msgrcv, in its version 1 */
		return syscall(SYS_ipc, 1 << 16 | call, a[0], a[2], a[4], a[1], a[3]);
	case 14:        /* msgctl */
	case 24:        /* shmctl */
		return syscall(SYS_ipc, call, a[0], a[1], 0, a[2], 0);
	case 21:        /* shmat, which returns the address by third */
		ret = syscall(SYS_ipc, call, a[0], a[2], &address, a[1], 0);
		return ret ? ret : address;
	case 22:        /* shmdt */
		return syscall(SYS_ipc, call, 0, 0, 0, a[0], 0);
	default:
		return syscall(SYS_ipc, call, a[0], a[1], a[2], 0, 0);
	}
}

/* In place of syscall(2): takes what it takes, and what lies behind. */
static inline long multiplexed(long nr, ...)
{
	long a[6];
	va_list list;

	va_start(list, nr);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	nr = multiplexed_number(nr);
	if (nr >> 16 == IPC >> 16)
		return ipc_call(nr & 0xffff, a);
	if (nr >> 16 == SOCKETCALL >> 16)
		return syscall(SYS_socketcall, nr & 0xffff, a);
	return syscall(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}

#define syscall multiplexed

#endif
