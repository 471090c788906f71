/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Processes, their mappings, and the walk over a stack by libdwfl. */
#include "stack/stack.h"

#include <elfutils/libdwfl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bpf/event.h"
#include "stack/guard.h"
#include "stack/maps.h"
#include "stack/symbols.h"
#include "util/macros.h"

#define PROCESSES_MAX 256       /* that are kept; one that is needed again is read again */

/* What is mapped, which a process may share with its parent. */
struct space {
	unsigned refs;
	struct maps *maps;
	Dwfl *dwfl;
	bool attached;
	unsigned word;                  /* bytes of its pointers */
	struct symbols **symbols;       /* one a file; NULL: not looked for */
	const struct stack_sample *sample;
	uint64_t sp;
};

struct process {
	uint32_t id;                    /* 0: free */
	bool stale;                     /* its mappings have changed */
	bool gone;                      /* they cannot be read any more */
	bool ended;
	bool executed;                  /* a program of its own */
	bool exec_pending;              /* the call that did it has not come yet */
	uint64_t used;
	struct space *space;            /* NULL: not read */
	struct space *before;           /* of the program before */
};

struct stacks {
	int proc_fd;
	unsigned limit;
	uint64_t clock;
	struct process processes[PROCESSES_MAX];
	struct symbols *symbols;        /* all that were read */
	struct stack stack;
};

/* --- address spaces --- */

static void space_unref(struct space *sp)
{
	if (!sp || --sp->refs)
		return;
	if (sp->dwfl)
		dwfl_end(sp->dwfl);
	maps_free(sp->maps);
	free(sp->symbols);
	free(sp);
}

/* All files are given; there is nothing to look for. */
static int find_no_elf(Dwfl_Module *mod _unused_, void **userdata _unused_, const char *name _unused_, Dwarf_Addr base _unused_,
		       char **file _unused_, Elf **elf _unused_)
{
	return -1;
}

static int find_no_debuginfo(Dwfl_Module *mod _unused_, void **userdata _unused_, const char *name _unused_, Dwarf_Addr base _unused_,
			     const char *file _unused_, const char *link _unused_, GElf_Word crc _unused_, char **path _unused_)
{
	return -1;
}

static const Dwfl_Callbacks callbacks = { .find_elf = find_no_elf, .find_debuginfo = find_no_debuginfo };

static struct space *space_new(struct maps *maps_take)
{
	struct space *sp = calloc(1, sizeof(*sp));

	if (!sp) {
		maps_free(maps_take);
		return NULL;
	}
	sp->refs = 1;
	sp->maps = maps_take;
	sp->word = 8;
	sp->symbols = calloc(maps_take->n_files + 1, sizeof(*sp->symbols));
	sp->dwfl = dwfl_begin(&callbacks);
	if (!sp->symbols || !sp->dwfl) {
		space_unref(sp);
		return NULL;
	}
	for (size_t i = 0; i < maps_take->n_files; i++) {
		struct mapped_file *f = &maps_take->files[i];

		/* It takes the descriptor if it can use the file. */
		if (f->fd >= 0 && dwfl_report_elf(sp->dwfl, f->path, f->path, f->fd, f->base, false))
			f->fd = -1;
	}
	dwfl_report_end(sp->dwfl, NULL, NULL);
	return sp;
}

/* --- the registers and the memory that libdwfl asks for --- */

static pid_t next_thread(Dwfl *dwfl _unused_, void *arg, void **thread_arg)
{
	if (*thread_arg)
		return 0;
	*thread_arg = arg;
	return 1;
}

static bool get_thread(Dwfl *dwfl _unused_, pid_t tid _unused_, void *arg, void **thread_arg)
{
	*thread_arg = arg;
	return true;
}

static bool read_memory(Dwfl *dwfl _unused_, Dwarf_Addr addr, Dwarf_Word *ret, void *arg)
{
	const struct space *sp = arg;
	uint64_t off = addr - sp->sp;
	Dwarf_Word v = 0;

	if (off > sp->sample->memory_len || sp->sample->memory_len - off < sp->word)
		return false;
	memcpy(&v, (const char *)sp->sample->memory + off, sp->word);
	*ret = v;
	return true;
}

#if defined(__x86_64__)
/* struct pt_regs: r15 r14 r13 r12 bp bx r11 r10 r9 r8 ax cx dx si di orig_ax ip cs flags sp ss */
enum { REG_IP = 16, REG_SP = 19 };

static const unsigned char numbers64[] = { 10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0, 16 };
static const unsigned char numbers32[] = { 10, 11, 12, 5, 19, 4, 13, 14, 16 };

/* In DWARF's order. */
static bool give_registers(Dwfl_Thread *thread, const uint64_t *regs, unsigned word)
{
	const unsigned char *numbers = word == 4 ? numbers32 : numbers64;
	unsigned n = word == 4 ? sizeof(numbers32) : sizeof(numbers64);
	Dwarf_Word v[17];

	for (unsigned i = 0; i < n; i++)
		v[i] = word == 4 ? (uint32_t)regs[numbers[i]] : regs[numbers[i]];
	return dwfl_thread_state_registers(thread, 0, n, v);
}
#else
/* struct user_pt_regs: 31 registers, sp, pc, pstate */
enum { REG_IP = 32, REG_SP = 31 };

static bool give_registers(Dwfl_Thread *thread, const uint64_t *regs, unsigned word)
{
	Dwarf_Word v[32];

	(void)word;
	memcpy(v, regs, sizeof(v));
	if (!dwfl_thread_state_registers(thread, 0, 32, v))
		return false;
	dwfl_thread_state_register_pc(thread, regs[REG_IP]);
	return true;
}
#endif

static uint64_t reg_of(const struct stack_sample *sample, unsigned i)
{
	uint64_t v;

	memcpy(&v, (const char *)sample->registers + i * sizeof(v), sizeof(v));
	return v;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	const struct space *sp = arg;
	uint64_t regs[CT_REGS_SIZE / 8];

	memcpy(regs, sp->sample->registers, sizeof(regs));
	return give_registers(thread, regs, sp->word);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread, .get_thread = get_thread, .memory_read = read_memory, .set_initial_registers = set_registers,
};

/* The program, which comes first among the modules that are of an ABI, says which. */
static int note_word(Dwfl_Module *mod, void **userdata _unused_, const char *name _unused_, Dwarf_Addr start _unused_, void *arg)
{
	struct space *sp = arg;
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(mod, &bias);

	if (!elf)
		return DWARF_CB_OK;
	sp->word = gelf_getclass(elf) == ELFCLASS32 ? 4 : 8;
	return DWARF_CB_ABORT;
}

static bool space_attach(struct space *sp)
{
	if (!sp->attached) {
		dwfl_getmodules(sp->dwfl, note_word, sp, 0);
		sp->attached = dwfl_attach_state(sp->dwfl, NULL, 1, &thread_callbacks, sp);
	}
	return sp->attached;
}

/* --- frames --- */

struct walk {
	struct stacks *s;
	struct space *space;
};

static struct symbols *file_symbols(struct stacks *s, struct space *sp, size_t file, Elf *elf)
{
	const struct mapped_file *f = &sp->maps->files[file];
	struct symbols *found;

	if (sp->symbols[file])
		return sp->symbols[file];
	for (found = s->symbols; found; found = found->next)
		if (found->device == f->device && found->inode == f->inode)
			break;
	if (!found) {
		found = symbols_read(elf, sp->maps->root_fd);
		if (!found)
			return NULL;
		found->device = f->device;
		found->inode = f->inode;
		found->next = s->symbols;
		s->symbols = found;
	}
	sp->symbols[file] = found;
	return found;
}

static void name_frame(struct walk *w, struct stack_frame *f, size_t file, uint64_t pc, uint64_t look)
{
	Dwfl_Module *mod = dwfl_addrmodule(w->space->dwfl, look);
	const struct symbol *found;
	struct symbols *symbols;
	GElf_Addr bias;
	Elf *elf = mod ? dwfl_module_getelf(mod, &bias) : NULL;

	symbols = elf ? file_symbols(w->s, w->space, file, elf) : NULL;
	found = symbols ? symbols_find(symbols, look - bias) : NULL;
	if (!found)
		return;
	f->symbol = symbols->names + found->name;
	f->offset = pc - bias - found->start;
}

/* look: an address inside of the call that a return address stands behind. */
static void add_frame(struct walk *w, uint64_t pc, uint64_t look)
{
	struct stack *st = &w->s->stack;
	struct stack_frame *f = &st->frames[st->n++];
	const struct mapping *m = w->space ? maps_find(w->space->maps, look) : NULL;

	*f = (struct stack_frame){ .address = pc };
	if (!m || !m->path[0])
		return;
	f->file = m->path;
	f->address = pc - m->start + m->offset;
	if (m->file != SIZE_MAX)
		name_frame(w, f, m->file, pc, look);
}

static int take_frame(Dwfl_Frame *frame, void *arg)
{
	struct walk *w = arg;
	bool exact = true;
	Dwarf_Addr pc;

	if (w->s->stack.n == w->s->limit || !dwfl_frame_pc(frame, &pc, &exact) || !pc)
		return DWARF_CB_ABORT;
	add_frame(w, pc, exact ? pc : pc - 1);
	return DWARF_CB_OK;
}

/* --- processes --- */

static struct process *process_find(struct stacks *s, uint32_t id)
{
	for (size_t i = 0; i < PROCESSES_MAX; i++)
		if (s->processes[i].id == id)
			return &s->processes[i];
	return NULL;
}

static void process_drop(struct process *p)
{
	space_unref(p->space);
	space_unref(p->before);
}

/* One that has ended goes first, then the one that was not used for the longest time. */
static struct process *process_room(struct stacks *s)
{
	struct process *oldest = &s->processes[0];

	for (size_t i = 0; i < PROCESSES_MAX; i++) {
		struct process *p = &s->processes[i];

		if (!p->id)
			return p;
		if (p->ended != oldest->ended ? p->ended : p->used < oldest->used)
			oldest = p;
	}
	return oldest;
}

static struct process *process_get(struct stacks *s, uint32_t id)
{
	struct process *p = process_find(s, id);

	if (!p) {
		p = process_room(s);
		process_drop(p);
		*p = (struct process){ .id = id };
	}
	p->used = ++s->clock;
	return p;
}

/* Reads what is mapped now; keeps what it has if that is the same, or if the process has ended. */
static void process_read(struct stacks *s, struct process *p, pid_t pid)
{
	struct maps *maps;
	struct space *space;

	p->stale = false;
	if (p->gone || !pid)
		return;
	if (maps_read(s->proc_fd, pid, &maps) < 0) {
		p->gone = true;
		return;
	}
	if (p->space && p->space->maps->hash == maps->hash) {
		maps_free(maps);
		return;
	}
	space = space_new(maps);
	if (!space)
		return;
	space_unref(p->space);
	p->space = space;
}

static bool maps_pc(const struct space *sp, uint64_t pc)
{
	const struct mapping *m = sp ? maps_find(sp->maps, pc) : NULL;

	return m && m->path[0];
}

/*
 * What was mapped where the call was made; NULL: not known. What has been read
 * may be of later: of the program that the process executes next.
 */
static struct space *process_space(struct stacks *s, struct process *p, pid_t pid, uint64_t pc, uint32_t parent)
{
	const struct process *from;

	if (!p->space || p->stale || !maps_pc(p->space, pc))
		process_read(s, p, pid);
	if (maps_pc(p->space, pc)) {
		p->exec_pending = false;
		return p->space;
	}
	/* The call that executed the new program. */
	if (p->exec_pending && maps_pc(p->before, pc))
		return p->before;
	/* A child has the mappings of its parent, until it executes a program. */
	from = parent && (!p->executed || p->exec_pending) ? process_find(s, parent) : NULL;
	if (from && maps_pc(from->space, pc))
		return from->space;
	return p->space && maps_find(p->space->maps, pc) ? p->space : NULL;
}

const struct stack *stacks_unwind(struct stacks *s, uint32_t process, pid_t pid, const struct stack_sample *sample)
{
	struct process *p = process_get(s, process);
	uint64_t pc = reg_of(sample, REG_IP);
	struct walk w = { .s = s };

	s->stack.n = 0;
	w.space = process_space(s, p, pid, pc, sample->parent);
	s->stack.unmapped = !w.space;
	if (w.space) {
		w.space->sample = sample;
		w.space->sp = reg_of(sample, REG_SP);
		if (space_attach(w.space))
			dwfl_getthread_frames(w.space->dwfl, 1, take_frame, &w);
	}
	/* Where nothing tells how to go on, or libdw knows no such machine. */
	if (!s->stack.n && s->limit)
		add_frame(&w, pc, pc);
	return &s->stack;
}

void stacks_changed(struct stacks *s, uint32_t process)
{
	struct process *p = process_find(s, process);

	if (p)
		p->stale = true;
}

void stacks_exec(struct stacks *s, uint32_t process, pid_t pid)
{
	struct process *p = process_get(s, process);

	space_unref(p->before);
	*p = (struct process){ .id = process, .used = p->used, .executed = true, .exec_pending = true, .before = p->space };
	/* At once: what ends soon can be read no more. */
	process_read(s, p, pid);
}

void stacks_ended(struct stacks *s, uint32_t process)
{
	struct process *p = process_find(s, process);

	if (p)
		p->ended = p->gone = true;
}

int stacks_new(int proc_fd, unsigned limit, struct stacks **ret_stacks)
{
	struct stacks *s = calloc(1, sizeof(*s));
	struct rlimit files;

	if (!s)
		return -ENOMEM;
	elf_version(EV_CURRENT);
	(void)guard_mapped_files();
	s->proc_fd = proc_fd;
	s->limit = MIN(limit, (unsigned)STACK_FRAMES);
	/* A few of each process. */
	if (!getrlimit(RLIMIT_NOFILE, &files)) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	*ret_stacks = s;
	return 0;
}

void stacks_free(struct stacks *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < PROCESSES_MAX; i++)
		process_drop(&s->processes[i]);
	while (s->symbols) {
		struct symbols *next = s->symbols->next;

		symbols_free(s->symbols);
		s->symbols = next;
	}
	free(s);
}
