/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Numbers that are put together of several: sets with the size of huge pages or a mode in them, modes with a
 * type, sets with bits that have no name, bits above an argument's 32; and arrays of which few elements count.
 */
#include "calls.h"

#define HUGE_2M (21u << 26)
/* Above 32 bits, where a long has them. */
#define ABOVE ((unsigned long)(0x100000000ull & ~0ul))

static void flags(void)
{
	static const unsigned long shm[] = { HUGE_2M, HUGE_2M | 0600, HUGE_2M | 01000 | 0600, HUGE_2M | 0x100000,
		HUGE_2M | 0x100000 | 01000, 04000 | 0600, 0x100000 | 0600, 0x100000 | 04000 | 0600, 0, 0644, -1ul };
	static const unsigned long memfd[] = { 0, HUGE_2M, HUGE_2M | 4, 0x40, 0x41, 1, HUGE_2M | 0x40, HUGE_2M | 0x45, ABOVE,
		ABOVE | 1 };
	static const unsigned long map[] = { 0, HUGE_2M, HUGE_2M | 0x40020, ABOVE, ABOVE | 2 | HUGE_2M | 0x40020, 2, 0x20, 4,
		0x200, 0x5200, ABOVE | 0x222, HUGE_2M | 4 };

	section("flags and huge pages");
	for (unsigned i = 0; i < sizeof(shm) / sizeof(*shm); i++) {
		CALL(shmget, -2, 0, shm[i]);
		CALL(semget, -2, -1, shm[i]);
	}
	for (unsigned i = 0; i < sizeof(memfd) / sizeof(*memfd); i++)
		CALL(memfd_create, NULL, memfd[i]);
	for (unsigned i = 0; i < sizeof(map) / sizeof(*map); i++) {
		CALL(remap_file_pages, 1, 0, 0, 0, map[i]);
#ifdef __i386__
		CALL(mmap2, 1, 0, i, map[i], -1, 1);
#else
		CALL(mmap, 1, 0, i, map[i], -1, 1);
#endif
	}
}

static void remaps(void)
{
	section("mremap");
	for (unsigned i = 0; i < 16; i++)
		CALL(mremap, 1, 0, 0, i, 7);
	CALL(mremap, 1, 0, 0, -1ul, 7);
}

static void modes(void)
{
	static const unsigned mode[] = { 0, 0644, 0100644, 0040755, 0170000, 0030000, 0130001, 0007777, 0027777, 0160000,
		0142000, 0001001, -1u };

	section("modes");
	for (unsigned i = 0; i < sizeof(mode) / sizeof(*mode); i++) {
		CALL(mknodat, -1, NULL, mode[i], 0x801);
		if (SYS_mknod != -1)
			CALL(mknod, NULL, mode[i], 0x801);
	}
	for (unsigned i = 0; i < 10; i++)
		CALL(faccessat, -1, NULL, i);
	CALL(faccessat, -1, NULL, 0x80000000ul);
	CALL(faccessat, -1, NULL, ABOVE);
	for (int class = -1; class < 5; class++) {
		CALL(ioprio_set, 1, -2, (unsigned long)class << 13 | 3);
		CALL(ioprio_set, 1, -2, (unsigned long)class << 29);
	}
}

/* n elements of size bytes, of which the i-th bytes are i. */
static void *counted(unsigned n, unsigned size)
{
	unsigned char *p = tail(NULL, (size_t)n * size);

	for (unsigned i = 0; i < n * size; i++)
		p[i] = i / size % 2 ? 0 : (unsigned char)(i % 251);
	return p;
}

static void arrays(void)
{
	static const unsigned long counts[] = { 1, 31, 32, 33, 127, 128, 129, 130, 0x80000000ul, 0xfffffffful };
	void *few = counted(128, 24), *more = counted(200, 24);

	section("arrays");
	for (unsigned i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		CALL(futex_waitv, few, counts[i], -1, NULL, 0);
		CALL(futex_waitv, more, counts[i], -1, NULL, 0);
		CALL(io_uring_register, -1, 2, more, counts[i]);
		CALL(set_mempolicy, -1, few, counts[i] * 8);
		CALL(migrate_pages, -1, counts[i] * 64, few, more);
	}
	CALL(io_uring_register, -1, 2, counted(3000, 4), 3000);
	CALL(io_uring_register, -1, 2, counted(3000, 4), 3001);
	CALL(set_mempolicy, -1, counted(2500, 8), 2500 * 64);
	CALL(migrate_pages, -1, 3000 * 64, counted(2500, 8), counted(3000, 8));
	/* A command with a size and no direction. */
	CALL(ioctl, -1, 0x00405000, few);
	CALL(ioctl, -1, 0x3c3a5000, few);
	CALL(ioctl, -1, 0x04005000, tail(NULL, 16));
}

int main(void)
{
	resident();
	flags();
	remaps();
	modes();
	arrays();
	return 0;
}
