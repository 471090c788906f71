/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_STACK_SYMBOLS_H
#define CTRACE_STACK_SYMBOLS_H
/*
 * The functions of a file by address, and of its separate debugging symbols
 * where those are installed: in the process's own root, or here (a build ID
 * tells that they belong together).
 */
#include <libelf.h>
#include <stdint.h>

struct symbol {
	uint64_t start, size;           /* as the file numbers its addresses */
	uint32_t name;                  /* offset into names */
	uint32_t order;
};

struct symbols {
	struct symbols *next;
	uint64_t device, inode;         /* the key of the cache */
	size_t n;
	struct symbol *v;               /* by start; of those that begin at one place the first in the file last */
	char *names;
};

/* Of an open file; never NULL unless memory runs out. root_fd: where to look for its debugging symbols first; -1: nowhere. */
struct symbols *symbols_read(Elf *elf, int root_fd);
void symbols_free(struct symbols *s);
/* The function that covers an address; NULL: none does. */
const struct symbol *symbols_find(const struct symbols *s, uint64_t address);

#endif
