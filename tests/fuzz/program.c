/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* elf(5); each number in it is now and then another one. */
#include <elf.h>
#include <string.h>

#include "make.h"

#define MEMORY 0x100000u        /* of the one segment: what fuzz_stack maps */

enum { S_NULL, S_TEXT, S_FRAMES, S_NOTE, S_SYMBOLS, S_STRINGS, S_DYNAMIC, S_NAMES, SECTIONS };

static const char names[] = "\0.text\0.eh_frame\0.note.gnu.build-id\0.symtab\0.strtab\0.dynsym\0.shstrtab";

struct program {
	struct rnd *r;
	uint8_t *p;
	size_t n;
	uint64_t base;
	Elf64_Shdr sections[SECTIONS];
};

/* A number, or what somebody who means harm puts there. */
static uint64_t slip(struct program *e, uint64_t v)
{
	if (rnd_below(e->r, 60))
		return v;
	switch (rnd_below(e->r, 5)) {
	case 0:
		return v + 1;
	case 1:
		return v - 1;
	case 2:
		return e->n - rnd_below(e->r, 64);
	case 3:
		return 0;
	default:
		return rnd_value(e->r);
	}
}

static void put(struct program *e, const void *bytes, size_t n)
{
	if (n > PROGRAM_MAX - e->n)
		n = PROGRAM_MAX - e->n;
	memcpy(e->p + e->n, bytes, n);
	e->n += n;
}

/* Ends a section that began at an offset. */
static void section(struct program *e, unsigned i, const char *name, size_t at, uint32_t type, uint32_t link, uint64_t unit)
{
	e->sections[i] = (Elf64_Shdr){
		.sh_name = (uint32_t)slip(e, (uint64_t)(name - names)), .sh_type = (uint32_t)slip(e, type), .sh_flags = i < S_SYMBOLS ? SHF_ALLOC : 0,
		.sh_addr = slip(e, e->base + at), .sh_offset = slip(e, at), .sh_size = slip(e, e->n - at), .sh_link = (uint32_t)slip(e, link),
		.sh_addralign = slip(e, 1), .sh_entsize = slip(e, unit),
	};
	while (e->n % 8)
		put(e, "", 1);
}

static void put_frames(struct program *e)
{
	/* CFA = rsp + 8, the return address below it. */
	uint8_t cie[] = { 20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0 };
	uint8_t fde[] = { 20, 0, 0, 0, 28, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
	size_t at = e->n;
	int32_t back = -(int32_t)(at + sizeof(cie) + 8);

	memcpy(fde + 8, &back, 4);
	put(e, cie, sizeof(cie));
	put(e, fde, sizeof(fde));
	for (unsigned i = rnd_below(e->r, 8) ? 0 : 3; i; i--)
		e->p[at + rnd_below(e->r, (uint32_t)(e->n - at))] = (uint8_t)rnd_next(e->r);
	put(e, "\0\0\0\0", 4);
	section(e, S_FRAMES, names + 7, at, SHT_PROGBITS, 0, 0);
}

static void put_note(struct program *e)
{
	static const uint8_t sizes[] = { 20, 20, 20, 2, 1, 0, 63, 64, 65, 200 };
	uint8_t id[256] = PROGRAM_ID;
	Elf64_Nhdr h = { (uint32_t)slip(e, 4), rnd_below(e->r, 2) ? 20 : sizes[rnd_below(e->r, sizeof(sizes))], (uint32_t)slip(e, 3) };
	size_t at = e->n, size = h.n_descsz;

	h.n_descsz = (uint32_t)slip(e, h.n_descsz);
	put(e, &h, sizeof(h));
	put(e, "GNU", 4);
	put(e, id, size);
	section(e, S_NOTE, names + 17, at, SHT_NOTE, 0, 0);
	e->sections[S_NOTE].sh_addralign = slip(e, 4);
}

static void put_symbols(struct program *e, unsigned where, const char *name, uint32_t type)
{
	size_t at = e->n;

	for (unsigned n = rnd_below(e->r, 12); n; n--) {
		Elf64_Sym s = { .st_name = (uint32_t)slip(e, rnd_below(e->r, 60)), .st_info = (uint8_t)slip(e, STT_FUNC), .st_shndx = (uint16_t)slip(e, S_TEXT) };

		s.st_value = e->base + slip(e, rnd_below(e->r, MEMORY));
		s.st_size = slip(e, rnd_below(e->r, MEMORY));
		put(e, &s, sizeof(s));
	}
	section(e, where, name, at, type, S_STRINGS, sizeof(Elf64_Sym));
}

static void put_strings(struct program *e)
{
	static const char text[64] = "\0main\0f\"\n\0a_long_name_of_a_function\0\x80\xff\033[31m\0last_of_them_all!";
	size_t at = e->n;

	put(e, text, sizeof(text) - rnd_below(e->r, 3));
	section(e, S_STRINGS, names + 44, at, SHT_STRTAB, 0, 0);
}

static void put_sections(struct program *e)
{
	size_t at = e->n;

	put(e, "\x90\xc3\x90\x90\x90\x90\x90\xc3", 8);
	section(e, S_TEXT, names + 1, at, SHT_PROGBITS, 0, 0);
	put_frames(e);
	put_note(e);
	put_symbols(e, S_SYMBOLS, names + 36, SHT_SYMTAB);
	put_strings(e);
	put_symbols(e, S_DYNAMIC, names + 52, SHT_DYNSYM);
	at = e->n;
	put(e, names, sizeof(names));
	section(e, S_NAMES, names + 60, at, SHT_STRTAB, 0, 0);
}

size_t make_program(struct rnd *r, uint8_t p[static PROGRAM_MAX])
{
	struct program e = { .r = r, .p = p };
	Elf64_Ehdr h = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT }, .e_type = rnd_below(r, 2) ? ET_DYN : ET_EXEC, .e_version = 1 };
	Elf64_Phdr load = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_align = 4096 };

	e.base = h.e_type == ET_EXEC ? 0x400000 : 0;
	e.n = sizeof(h) + sizeof(load);
	put_sections(&e);
	h.e_ident[EI_CLASS] = (uint8_t)slip(&e, ELFCLASS64);
#if defined(__x86_64__)
	h.e_machine = (uint16_t)slip(&e, EM_X86_64);
#else
	h.e_machine = (uint16_t)slip(&e, EM_AARCH64);
#endif
	h.e_ehsize = sizeof(h);
	h.e_phoff = slip(&e, sizeof(h));
	h.e_phentsize = (uint16_t)slip(&e, sizeof(load));
	h.e_phnum = (uint16_t)slip(&e, 1);
	h.e_shoff = slip(&e, e.n);
	h.e_shentsize = (uint16_t)slip(&e, sizeof(e.sections[0]));
	h.e_shnum = (uint16_t)slip(&e, SECTIONS);
	h.e_shstrndx = (uint16_t)slip(&e, S_NAMES);
	load.p_vaddr = load.p_paddr = slip(&e, e.base);
	load.p_filesz = slip(&e, e.n);
	load.p_memsz = slip(&e, MEMORY);
	memcpy(p, &h, sizeof(h));
	memcpy(p + sizeof(h), &load, sizeof(load));
	put(&e, e.sections, sizeof(e.sections));
	return rnd_below(r, 20) ? e.n : rnd_below(r, (uint32_t)e.n);
}
