/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The table of system calls, made of syscalls.def and numbers_*.def. */
#include "decode/kinds.h"

#include <string.h>

#define SYSCALL(id, ret, classes, ...) ROW(id, #id, ret, classes, NULL, __VA_ARGS__)
#define SYSCALL_HOOKS(id, ret, classes, hook, ...) ROW(id, #id, ret, classes, &hooks_##hook, __VA_ARGS__)
#define SYSCALL_AS(id, name, ret, classes, ...) ROW(id, #name, ret, classes, NULL, __VA_ARGS__)
#define SYSCALL_AS_HOOKS(id, name, ret, classes, hook, ...) ROW(id, #name, ret, classes, &hooks_##hook, __VA_ARGS__)

enum row_id {
	ROW_NONE,
#define ROW(id, ...) ROW_##id,
#include "decode/syscalls.def"
#undef ROW
};

#define ROW(id, name_, ret_, classes_, hooks_, ...)                    \
	[ROW_##id] = { .name = name_, .ret = ret_, .classes = classes_,        \
		       .nargs = sizeof((struct arg[]){ __VA_ARGS__ }) / sizeof(struct arg), \
		       .hooks = hooks_, .args = { __VA_ARGS__ } },
static const struct syscall rows[] = {
#include "decode/syscalls.def"
};
#undef ROW

#define NR(nr, id) [nr] = ROW_##id,
static const unsigned short numbers_x86_64[CT_NR_NATIVE] = {
#include "decode/numbers_x86_64.def"
};
static const unsigned short numbers_i386[CT_NR_COMPAT] = {
#include "decode/numbers_i386.def"
};
static const unsigned short numbers_arm64[CT_NR_NATIVE] = {
#include "decode/numbers_arm64.def"
};
#undef NR

static const struct {
	const unsigned short *rows;
	unsigned n;
} numbers[ABI_MAX] = {
	[ABI_X86_64] = { numbers_x86_64, CT_NR_NATIVE },
	[ABI_I386] = { numbers_i386, CT_NR_COMPAT },
	[ABI_ARM64] = { numbers_arm64, CT_NR_NATIVE },
};

const struct syscall *syscall_get(enum abi abi, uint32_t nr)
{
	unsigned row;

	if ((unsigned)abi >= ABI_MAX || nr >= numbers[abi].n)
		return NULL;
	row = numbers[abi].rows[nr];
	return row ? &rows[row] : NULL;
}

const char *syscall_name(const struct syscall *s)
{
	return s->name;
}

unsigned syscall_nargs(const struct syscall *s)
{
	return s->nargs;
}

const char *call_name(enum abi abi, uint32_t nr, char buf[static 32])
{
	static const char hex[16] = "0123456789abcdef";
	const struct syscall *s = syscall_get(abi, nr);
	char *p = buf + 31;
	uint64_t v;

	if (s)
		return s->name;
	/* A negative number is a long. */
	v = nr >> 31 ? nr | 0xffffffff00000000ull : nr;
	*p = '\0';
	do {
		*--p = hex[v & 15];
		v >>= 4;
	} while (v);
	*--p = 'x';
	*--p = '0';
	p -= strlen("syscall_");
	memcpy(p, "syscall_", strlen("syscall_"));
	return p;
}
