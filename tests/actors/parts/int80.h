/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_ACTORS_INT80_H
#define CTRACE_ACTORS_INT80_H
/*
 * The 32-bit ABI of x86, from a 64-bit program: int 0x80. Kernels without that
 * ABI know no such calls, but their seccomp filters come first.
 */
#if defined(__x86_64__)
#include <stdint.h>

/* From now on each such call is answered with EPERM. */
void deny_32(void);

/* The sixth argument is in ebp, which the compiler may use. */
static inline long call32(long nr, const uint32_t args[6])
{
	long ret;

	__asm__ volatile("lea -128(%%rsp), %%rsp\n\t"
			 "push %%rbp\n\t"
			 "mov %[last], %%ebp\n\t"
			 "int $0x80\n\t"
			 "pop %%rbp\n\t"
			 "lea 128(%%rsp), %%rsp"
			 : "=a"(ret)
			 : "0"(nr), "b"((unsigned long)args[0]), "c"((unsigned long)args[1]), "d"((unsigned long)args[2]),
			   "S"((unsigned long)args[3]), "D"((unsigned long)args[4]), [last] "r"(args[5])
			 : "memory", "r8", "r9", "r10", "r11", "cc");
	return ret;
}
#endif
#endif
