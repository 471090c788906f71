/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_STACK_STACK_H
#define CTRACE_STACK_STACK_H
/*
 * User stacks: unwound by libdw, from registers and a copy of the stack that
 * the kernel side has taken, over the process's mappings and the very files
 * that are mapped, whatever mount namespace they are in. Nothing of the
 * process is needed once its mappings have been read.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define STACK_FRAMES 256        /* of one stack, at most */

struct stack_frame {
	const char *file;               /* as its process sees it: bytes; NULL: not known */
	const char *symbol;             /* NULL: there is none */
	uint64_t offset;                /* from the symbol on */
	uint64_t address;               /* in the file; without one: in the process */
};

struct stack {
	size_t n;
	bool unmapped;                  /* the process had ended before its mappings could be read: frames are addresses alone */
	struct stack_frame frames[STACK_FRAMES];
};

/* What the kernel side has copied. */
struct stack_sample {
	const void *registers;          /* CT_REGS_SIZE bytes */
	const void *memory;             /* from the stack pointer on */
	size_t memory_len;
	uint32_t parent;                /* the process whose mappings it began with */
};

struct stacks;

/* proc_fd: a procfs, borrowed. limit: frames that are shown. 0 or -ENOMEM. */
int stacks_new(int proc_fd, unsigned limit, struct stacks **ret_stacks);
void stacks_free(struct stacks *s);

/*
 * The stack of a process, by a number that is unique for it, and the one that
 * it has in the procfs (0: none). Its strings hold until the next call.
 */
const struct stack *stacks_unwind(struct stacks *s, uint32_t process, pid_t pid, const struct stack_sample *sample);
/* Its mappings are others now. */
void stacks_changed(struct stacks *s, uint32_t process);
/* It executes another program. */
void stacks_exec(struct stacks *s, uint32_t process, pid_t pid);
/* It has ended; what is left of its records may still come. */
void stacks_ended(struct stacks *s, uint32_t process);

#endif
