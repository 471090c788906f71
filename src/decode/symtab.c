/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "decode/symtab.h"

/* Constants that a C library header defines as macros would be expanded in the tables: include none here. */
#define S(name, value) { value, #name },

#define SYMBOLS(id, unknown, ...) static const struct sym syms_##id[] = { __VA_ARGS__ };
#define SYMBOLS_WITH(id, unknown, more, ...) static const struct sym syms_##id[] = { __VA_ARGS__ };
#include "decode/symbols.def"
#undef SYMBOLS
#undef SYMBOLS_WITH

#define WITH(...) __VA_ARGS__
#define SYMBOLS(id, unknown, ...) const struct symtab tab_##id = { #id, syms_##id, sizeof(syms_##id) / sizeof(struct sym), unknown, NULL, 0, NULL };
#define SYMBOLS_WITH(id, unknown, more, ...) \
	const struct symtab tab_##id = { #id, syms_##id, sizeof(syms_##id) / sizeof(struct sym), unknown, more };
#include "decode/symbols.def"
#undef SYMBOLS
#undef SYMBOLS_WITH

#define SYMBOLS(id, unknown, ...) &tab_##id,
#define SYMBOLS_WITH(id, unknown, more, ...) &tab_##id,
const struct symtab *const symtab_all[] = {
#include "decode/symbols.def"
};
const size_t symtab_count = sizeof(symtab_all) / sizeof(symtab_all[0]);

const char *sym_name(const struct symtab *t, uint64_t v)
{
	if (v < t->n && t->v[v].v == v)
		return t->v[v].name;
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].v == v)
			return t->v[i].name;
	return NULL;
}
