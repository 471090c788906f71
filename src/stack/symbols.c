/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "stack/symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/macros.h"
#include "util/regular.h"

#define NAMES_MAX (256u << 20)
#define ENTRIES_MAX (32u << 20) /* of all tables that a file says it has: a browser has a million */
#define LOOK_BACK 64            /* functions that begin before an address and may still cover it */

struct reader {
	struct symbols *s;
	size_t allocated;
	size_t names_len, names_allocated;
	uint32_t order;
	size_t entries;                 /* that were looked at */
};

static int add_name(struct reader *r, const char *name, uint32_t *ret)
{
	size_t len = strlen(name) + 1;

	if (r->names_len + len > NAMES_MAX)
		return -E2BIG;
	if (r->names_len + len > r->names_allocated) {
		size_t more = (r->names_len + len) * 2;
		char *names = realloc(r->s->names, more);

		if (!names)
			return -ENOMEM;
		r->s->names = names;
		r->names_allocated = more;
	}
	memcpy(r->s->names + r->names_len, name, len);
	*ret = (uint32_t)r->names_len;
	r->names_len += len;
	return 0;
}

static int add_symbol(struct reader *r, const GElf_Sym *sym, const char *name)
{
	struct symbol *v = r->s->v;
	uint32_t at;
	int err;

	if (r->s->n == r->allocated) {
		size_t allocated = r->allocated ? r->allocated * 2 : 256;
		struct symbol *more = reallocarray(v, allocated, sizeof(*v));

		if (!more)
			return -ENOMEM;
		r->s->v = v = more;
		r->allocated = allocated;
	}
	err = add_name(r, name, &at);
	if (err)
		return err;
	v[r->s->n++] = (struct symbol){ .start = sym->st_value, .size = sym->st_size, .name = at, .order = r->order++ };
	return 0;
}

static int read_table(struct reader *r, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t n = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
	int err = 0;

	for (size_t i = 0; data && i < n && r->entries < ENTRIES_MAX && !err; i++, r->entries++) {
		GElf_Sym sym;
		const char *name;

		if (!gelf_getsym(data, (int)i, &sym))
			break;
		if (GELF_ST_TYPE(sym.st_info) != STT_FUNC || sym.st_shndx == SHN_UNDEF || !sym.st_size)
			continue;
		name = elf_strptr(elf, header->sh_link, sym.st_name);
		if (name)
			err = add_symbol(r, &sym, name);
	}
	return err;
}

static int read_tables(struct reader *r, Elf *elf)
{
	Elf_Scn *section = NULL;
	int err = 0;

	while (!err && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) && (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
			err = read_table(r, elf, section, &header);
	}
	return err;
}

static int by_start(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->order > y->order ? -1 : 1;
}

/* --- debugging symbols in a file of their own --- */

/* The build ID of a file, at most max bytes; 0: none. */
static size_t build_id(Elf *elf, uint8_t *id, size_t max)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		GElf_Nhdr note;
		Elf_Data *data;
		size_t name, desc, off = 0, next;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE || !(data = elf_getdata(section, NULL)))
			continue;
		while ((next = gelf_getnote(data, off, &note, &name, &desc)) > 0) {
			if (note.n_type == 3 && note.n_namesz == 4 && !memcmp((char *)data->d_buf + name, "GNU", 4) && note.n_descsz >= 2 &&
			    note.n_descsz <= max) {
				memcpy(id, (char *)data->d_buf + desc, note.n_descsz);
				return note.n_descsz;
			}
			off = next;
		}
	}
	return 0;
}

static int open_debug_file(int root_fd, const uint8_t *id, size_t len)
{
	_cleanup_close_ int here = -1;
	char path[256];
	int fd = -1, n;

	n = snprintf(path, sizeof(path), "/usr/lib/debug/.build-id/%02x/", id[0]);
	for (size_t i = 1; i < len && (size_t)n < sizeof(path) - 16; i++)
		n += snprintf(path + n, sizeof(path) - (size_t)n, "%02x", id[i]);
	snprintf(path + n, sizeof(path) - (size_t)n, ".debug");
	if (root_fd >= 0)
		fd = regular_open(root_fd, path, NULL);
	if (fd >= 0)
		return fd;
	here = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return here < 0 ? -1 : regular_open(here, path, NULL);
}

/* True if the symbols come from there. */
static bool read_debug_file(struct reader *r, Elf *elf, int root_fd, int *ret_err)
{
	_cleanup_close_ int fd = -1;
	uint8_t id[64], other[64];
	size_t len = build_id(elf, id, sizeof(id));
	bool same;
	Elf *debug;

	fd = len ? open_debug_file(root_fd, id, len) : -1;
	debug = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!debug)
		return false;
	same = build_id(debug, other, sizeof(other)) == len && !memcmp(id, other, len);
	if (same)
		*ret_err = read_tables(r, debug);
	elf_end(debug);
	return same && r->s->n;
}

struct symbols *symbols_read(Elf *elf, int root_fd)
{
	struct reader r = { .s = calloc(1, sizeof(*r.s)) };
	int err = 0;

	if (!r.s)
		return NULL;
	if (!read_debug_file(&r, elf, root_fd, &err))
		err = read_tables(&r, elf);
	/* What there is of them. */
	(void)err;
	if (r.s->n)
		qsort(r.s->v, r.s->n, sizeof(*r.s->v), by_start);
	return r.s;
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	free(s->v);
	free(s->names);
	free(s);
}

const struct symbol *symbols_find(const struct symbols *s, uint64_t address)
{
	size_t low = 0, high = s->n;

	/* The first that begins behind it. */
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->v[mid].start <= address)
			low = mid + 1;
		else
			high = mid;
	}
	for (size_t i = low; i > 0 && low - i < LOOK_BACK; i--)
		if (address - s->v[i - 1].start < s->v[i - 1].size)
			return &s->v[i - 1];
	return NULL;
}
