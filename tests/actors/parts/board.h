/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TESTS_BOARD_H
#define CTRACE_TESTS_BOARD_H
/*
 * What tasks of a known workload did, noted by themselves on a shared file,
 * and the comparison of a trace with it.
 *
 * A marked call is lseek(-1, N, SEEK_SET), which fails and changes nothing.
 * N = (first + slot) * stride + i is unique over all boards with different
 * "first". Each task notes when it begins each of them: the notes are stores
 * and the clock is read in the vdso, so that nothing but the marked calls
 * enters the kernel.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define MAX_KINDS     32u

#define SLOT_OUTSIDE  0x1u      /* its calls are made outside the target */
#define SLOT_HANGS    0x2u      /* its last call, a futex that waits while the word is N, does not return */

struct slot {
	uint64_t born;                  /* CLOCK_REALTIME, ns */
	_Atomic uint32_t done;          /* calls that have certainly been made */
	uint32_t tid;                   /* as the target's pid namespace numbers it */
	uint32_t moved_at, tid_after;   /* from this call on it has this number: 0 is never */
	uint32_t flags, kind;
	uint64_t begun[];               /* stride of them; 0: not begun */
};

struct board {
	_Atomic uint64_t magic;
	uint64_t size;
	uint32_t first, stride, max_tasks;
	uint32_t burst, pause;          /* so many calls without a pause, and its microseconds */
	_Atomic uint32_t n_tasks, alive, go, stop, fast_from;
	_Atomic uint32_t brief;         /* children that lived less than a millisecond */
	_Atomic uint32_t refused;       /* tasks that the kernel or a seccomp profile did not allow */
	_Atomic uint64_t exec_time;
	char slots[];
};

extern struct board *board;

/* They end the process with status 2 if they cannot. */
void die(const char *what);
void board_make(const char *path, uint32_t first, uint32_t stride, uint32_t max_tasks);
void board_open(const char *path);
void board_use(int fd);

uint32_t board_tasks(void);
struct slot *board_slot(uint32_t n);

/* CLOCK_REALTIME in ns. */
uint64_t board_now(void);
void pause_us(long us);
/* Waits until N tasks have been born; an exit status. */
int board_wait(uint32_t n);

/* The gate. */
void board_wait_go(void);
void board_go(void);

/* A slot for the calling task, whose number in the target's pid namespace is tid; NULL if all are taken. */
struct slot *slot_take(uint32_t tid, uint32_t kind);
uint64_t slot_number(const struct slot *s, uint32_t i);
/* Its next marked call. */
void slot_call(struct slot *s);
/* Its last one, which ends the task. */
void slot_call_last(struct slot *s);
/* Its last one, which does not return. */
void slot_hang(struct slot *s);

struct comparison {
	uint32_t tasks, before, between, after; /* born before exec, before and after the announcement */
	uint32_t hit;                           /* tasks with missing calls */
	uint64_t calls, due;                    /* made; begun after the announcement, and before the end */
	uint64_t early;                         /* seen though begun before it */
	uint64_t missing, twice, foreign, wrong_task, disordered;
	uint64_t outside;                       /* calls made outside the target */
	uint64_t hung;                          /* calls due that never returned */
	uint64_t missing_of[MAX_KINDS];         /* by the kind of the task */
	uint64_t missed;                        /* the number of the first call that is missing */
	char wrong[200];                        /* the first line that must not be there */
};

/*
 * Compares a trace, text or JSON, with the board. Calls begun from since to
 * before until (ns, CLOCK_REALTIME) are due.
 */
void board_compare(FILE *trace, uint64_t since, uint64_t until, struct comparison *ret);
/* Nothing missing, nothing that must not be there, and something was due. */
int comparison_good(const struct comparison *c);

#endif
