/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * vanish FILE: calls from a copy of this program that it maps itself, and whose
 * file it makes empty by the last of them. What reads the file then finds
 * nothing, where it had mapped something. It must be linked with PIE, the default.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* By itself, without the C library: its code is called at another address. */
__attribute__((noinline, used)) static long call_there(long number, long a, long b)
{
	long r;

#if defined(__x86_64__)
	__asm__ volatile("syscall" : "=a"(r) : "a"(number), "D"(a), "S"(b) : "rcx", "r11", "memory");
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1) : "memory");
	r = x0;
#else
	r = number + a + b;
#endif
	return r;
}

/* Where in the file an address of the program lies. */
struct place {
	uintptr_t address;
	size_t offset;
};

static int find(struct dl_phdr_info *info, size_t size, void *data)
{
	struct place *p = data;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + h->p_vaddr;

		if (h->p_type != PT_LOAD || p->address < start || p->address >= start + h->p_filesz)
			continue;
		p->offset = p->address - start + h->p_offset;
		return 1;
	}
	return 0;
}

static int copy_self(const char *path)
{
	int from = open("/proc/self/exe", O_RDONLY), to = open(path, O_RDWR | O_CREAT | O_TRUNC, 0755);
	char buf[65536];
	ssize_t n;

	while (from >= 0 && to >= 0 && (n = read(from, buf, sizeof(buf))) > 0)
		if (write(to, buf, (size_t)n) != n)
			return -1;
	close(from);
	return to;
}

int main(int argc, char **argv)
{
	struct place p = { .address = (uintptr_t)call_there };
	struct timespec a_while = { 0, 300000000 };
	long (*call)(long, long, long);
	struct stat st;
	pid_t child;
	char *map;
	int fd;

	if (argc != 2 || !dl_iterate_phdr(find, &p))
		return 2;
	fd = copy_self(argv[1]);
	if (fd < 0 || fstat(fd, &st))
		return 1;
	map = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return 1;
	call = (long (*)(long, long, long))(uintptr_t)(map + p.offset);
	/* In a child: the code that it returns to is gone. */
	child = fork();
	if (!child) {
		nanosleep(&a_while, NULL);
		call(SYS_lseek, -1, 1);
		nanosleep(&a_while, NULL);
		call(SYS_ftruncate, fd, 0);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	nanosleep(&a_while, NULL);
	syscall(SYS_lseek, -1, 2, 0);
	/* As long as it lives it can be looked at. */
	nanosleep(&a_while, NULL);
	return 0;
}
