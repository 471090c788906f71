/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TESTS_KINDS_H
#define CTRACE_TESTS_KINDS_H
/*
 * The ways in which tasks are made, change and end. Each kind is run in a
 * process of its own; all that it makes takes slots of the board.
 */
#include <stdint.h>

#define KIND_ORPHANS  0x1u      /* tasks outlive their parents */
#define KIND_INSIDE   0x2u      /* needs work.inside */
#define KIND_OUTSIDE  0x4u      /* needs work.outside */
#define KIND_HANGS    0x8u      /* does not end by itself */

#define KIND_WAITS    0x10u     /* made before the gate, and until then asleep */

struct kind {
	const char *name;
	unsigned flags;
	void (*run)(void);              /* NULL: not to be run, the entry point's own */
};

extern const struct kind kinds[];
extern const uint32_t n_kinds;

struct work {
	uint32_t calls, width, depth, n_short;
	const char *inside, *outside;
	int board_fd;                   /* stays open over exec */
};

extern struct work work;

void kind_run(uint32_t kind);
/* What follows "live" on the command line: the program that a task executed goes on with its slot. */
int kind_live(char **argv);

#endif
