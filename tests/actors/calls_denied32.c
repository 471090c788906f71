/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Every number of the 32-bit ABI (int 0x80) with arguments of several kinds,
 * under a seccomp filter that lets the kernel run none of them: see calls_denied.c.
 */
#include "calls.h"
#include "parts/int80.h"

#if defined(__x86_64__)

#define LAST 472        /* Linux 7.2's last number is 471 */

/* Signals' returns read their frame, which is none. */
static int left_out(long nr)
{
	return nr == 119 || nr == 173;
}

static void all(const char *name, const uint32_t args[6])
{
	section(name);
	/* What restart_syscall says was interrupted; of which ABI that was is not kept. */
	call32(20, args);
	for (long nr = 0; nr < LAST; nr++) {
		if (!left_out(nr) && call32(nr, args) != -EPERM)
			abort();
	}
}

/* Three pages at an address below 4 GB, always the same, that end at one that cannot be read; returns the second. */
static char *low_pages(uintptr_t where)
{
	char *p = mmap((void *)where, 4 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (p != (void *)where || mprotect(p + 3 * 4096, 4096, PROT_NONE))
		abort();
	return p + 4096;
}

int main(void)
{
	char *z = low_pages(0x1c35a000), *t = low_pages(0x23ca5000), *n = low_pages(0x3969f000);
	uint32_t zeros = (uint32_t)(uintptr_t)z, text = (uint32_t)(uintptr_t)t, numbers = (uint32_t)(uintptr_t)n, bad = zeros + 8192;

	memset(t, 'a', 8191);
	for (uint32_t i = 0; i < 2048; i++)
		memcpy(n + 4 * i, &(uint32_t){ i % 16 }, 4);
	memset(z, 0, 8192);
	deny_32();
	all("nothing", (uint32_t[6]){ 0 });
	all("small numbers", (uint32_t[6]){ 1, 2, 3, 4, 5, 6 });
	all("ones", (uint32_t[6]){ -1u, -1u, -1u, -1u, -1u, -1u });
	all("bad pointers", (uint32_t[6]){ bad, bad, bad, bad, bad, bad });
	all("zeros", (uint32_t[6]){ zeros, zeros, zeros, zeros, zeros, zeros });
	all("text", (uint32_t[6]){ text, text, text, text, text, text });
	all("numbers", (uint32_t[6]){ numbers, numbers, numbers, numbers, numbers, numbers });
	all("a descriptor, then zeros", (uint32_t[6]){ 1, zeros, 32, zeros, 8, zeros });
	all("a pointer and a length", (uint32_t[6]){ zeros, 64, zeros, 64, zeros, 64 });
	all("a command, then numbers", (uint32_t[6]){ 2, 2, numbers, numbers, 16, 16 });
	_exit(0);
}
#else
int main(void)
{
	return 0;
}
#endif
