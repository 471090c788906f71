/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_OUTPUT_TASKS_H
#define CTRACE_OUTPUT_TASKS_H
/*
 * What the text output has to remember of tasks to write lines as strace
 * does: how many there are (the pid prefix appears with the second), and the end of a leader whose threads live on.
 *
 * Numbers of ended tasks are forgotten, so the table is as large as the
 * number of live tasks.
 */
#include <stdbool.h>
#include <stdint.h>

#include "decode/record.h"

struct tasks;

struct task_entry {
	uint32_t host_tid;              /* the key; 0: free */
	uint32_t tid;
	bool counted;                   /* in tasks_alive_at() */
	bool ended;                     /* a leader whose end is held back */
	bool begun;                     /* the beginning of the call that it is in is written (split.h) */
	uint32_t late;                  /* ... and registers that it told nothing of yet (decode_opts.late) */
	int64_t last_nr;                /* of its last call; -1: not known */
	bool last_compat;               /* ... of the 32-bit ABI */
	uint64_t begun_at, ended_before;        /* that call's enter; of the last call that ended: its enter */
	struct exit_event end;
};

/* at_start: tasks that the target had at the beginning and that no record has named yet. */
int tasks_new(unsigned at_start, struct tasks **ret_tasks);
void tasks_free(struct tasks *ts);

/* NULL when there is none (create: when memory ran out). */
struct task_entry *tasks_get(struct tasks *ts, uint32_t host_tid, bool create);
void tasks_forget(struct tasks *ts, uint32_t host_tid);
/* Any entry whose end is held back, NULL: none. */
struct task_entry *tasks_next_ended(struct tasks *ts);

/* A record of the task: it is alive, at the latest from after that time on. */
void tasks_seen(struct tasks *ts, const struct task *t, uint64_t since);
/* A fork that returned: its child has lived from after that time on, with this number in the parent's pid namespace. */
void tasks_forked(struct tasks *ts, uint32_t child, uint64_t since);
void tasks_gone(struct tasks *ts, uint32_t host_tid, uint64_t when);
/* How many there were at that time (of the last few changes; older: the oldest that is known). */
int tasks_alive_at(const struct tasks *ts, uint64_t when);

#endif
