/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Every system call that there is, with arguments of several kinds, under a
 * seccomp filter that lets the kernel run none of them: what a tracer shows of
 * a call then comes from its arguments alone.
 */
#include "calls.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>

#define LAST 472        /* Linux 7.2's last number is 471 */

static void deny_all(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(code[0]), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		abort();
	/* Were it not for the filter, this would fail in another way. */
	if (syscall(SYS_getppid, 0) != -1 || errno != EPERM)
		abort();
}

/* Numbers that do not come back, or not here; uretprobe and uprobe of x86_64 are a SIGILL for whoever is not probed. */
static int left_out(long nr)
{
#ifdef __x86_64__
	if (nr == 335 || nr == 336)
		return 1;
#endif
#ifdef SYS_sigreturn
	/* It reads its frame, which is none. */
	if (nr == SYS_sigreturn)
		return 1;
#endif
	return nr == SYS_exit_group || nr == SYS_rt_sigreturn;
}

static void all(const char *name, const unsigned long args[6])
{
	section(name);
	for (long nr = 0; nr < LAST; nr++) {
		if (!left_out(nr))
			(void)!syscall(nr, args[0], args[1], args[2], args[3], args[4], args[5]);
	}
}

/*
 * Where the memory is that arguments point to. Many calls show these addresses as flags or numbers, so they are the same
 * in each run, far from what the kernel chooses, and have most bits in one or the other.
 */
#if UINTPTR_MAX > UINT32_MAX
#define ZEROS   0x15a5c3c5a000
#define TEXT    0x2a5a3c3a5000
#define NUMBERS 0x3b66996cf000
#define BAD     0x2d9b66933000
#else
#define ZEROS   0x1c35a000
#define TEXT    0x23ca5000
#define NUMBERS 0x3969f000
#define BAD     0x26963000
#endif

/* size bytes at this address. */
static void *memory_at(unsigned long where, size_t size, int prot)
{
	void *p = mmap((void *)where, size, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (p != (void *)where)
		abort();
	return p;
}

/* 8192 bytes that end where memory ends. */
static void *tail_at(unsigned long where)
{
	memory_at(where + 8192, 4096, PROT_NONE);
	return memset(memory_at(where, 8192, PROT_READ | PROT_WRITE), 0, 8192);
}

int main(void)
{
	unsigned long bad, zeros, text, numbers;
	uint32_t *words;

	bad = (unsigned long)memory_at(BAD, 4096, PROT_NONE);
	resident();
	zeros = (unsigned long)tail_at(ZEROS);
	text = (unsigned long)memset(tail_at(TEXT), 'a', 8191);
	words = tail_at(NUMBERS);
	for (unsigned i = 0; i < 2048; i++)
		words[i] = i % 16;
	numbers = (unsigned long)words;
	deny_all();
	all("nothing", (unsigned long[6]){ 0 });
	all("small numbers", (unsigned long[6]){ 1, 2, 3, 4, 5, 6 });
	all("ones", (unsigned long[6]){ -1, -1, -1, -1, -1, -1 });
	all("bad pointers", (unsigned long[6]){ bad, bad, bad, bad, bad, bad });
	all("zeros", (unsigned long[6]){ zeros, zeros, zeros, zeros, zeros, zeros });
	all("text", (unsigned long[6]){ text, text, text, text, text, text });
	all("numbers", (unsigned long[6]){ numbers, numbers, numbers, numbers, numbers, numbers });
	all("a descriptor, then zeros", (unsigned long[6]){ 1, zeros, 32, zeros, 8, zeros });
	all("a pointer and a length", (unsigned long[6]){ zeros, 64, zeros, 64, zeros, 64 });
	all("a command, then numbers", (unsigned long[6]){ 2, 2, numbers, numbers, 16, 16 });
	_exit(0);
}
