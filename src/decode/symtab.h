/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_SYMTAB_H
#define CTRACE_DECODE_SYMTAB_H
/*
 * Names of constants. The tables are the symbols_*.def files; their order is
 * the one in which strace 7.2 writes flags. A family's own symbols_FAMILY.def is included at
 * the end of symbols.def.
 */
#include <stddef.h>
#include <stdint.h>

#include "decode/record.h"

struct sym {
	uint64_t v;
	const char *name;
};

struct symtab {
	const char *id;
	const struct sym *v;
	size_t n;
	const char *unknown;            /* "AT_???", for a value without a name; NULL: no comment */
	const struct symtab *base;      /* flags: the bits of base_mask are a constant of their own, written first */
	uint64_t base_mask;
	const struct symtab *arm;       /* the same on arm64 and arm, where the values differ */
};

#define SYMBOLS(id, unknown, ...) extern const struct symtab tab_##id;
#define SYMBOLS_WITH(id, unknown, more, ...) extern const struct symtab tab_##id;
#include "decode/symbols.def"
#undef SYMBOLS
#undef SYMBOLS_WITH

/* The table for an ABI. */
static inline const struct symtab *symtab_for(const struct symtab *t, enum abi abi)
{
	return t->arm && abi_is_arm(abi) ? t->arm : t;
}

/* The name of a value, or NULL. */
const char *sym_name(const struct symtab *t, uint64_t v);

/* Every table, for tests. */
extern const struct symtab *const symtab_all[];
extern const size_t symtab_count;

#endif
