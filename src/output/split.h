/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_OUTPUT_SPLIT_H
#define CTRACE_OUTPUT_SPLIT_H
/*
 * Calls whose beginning is written before their end, as strace -f does it: a
 * line stays open until the call ends or until something else is written,
 * which ends it with "<unfinished ...>"; the rest of the call then follows
 * behind "<... read resumed>".
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/record.h"
#include "output/tasks.h"
#include "util/strbuf.h"

struct split {
	bool live;                      /* lines stay open (--split); else the calls told are blocked and their lines end at once */
	uint32_t open_tid;              /* whose line is open; 0: none is */
	size_t width;                   /* its columns so far */
};

enum split_how {
	SPLIT_WHOLE,                    /* nothing of the call has been written */
	SPLIT_CONTINUED,                /* its line is still open */
	SPLIT_RESUMED,                  /* its beginning stands further up */
};

/* A call has begun. False: it has been told before, or has ended, and is not to be written. e: its task's. */
bool split_begins(struct task_entry *e, const struct call *c);
/* Its beginning is written, width columns of line: leaves the line open or ends it. */
void split_begun(struct split *s, struct strbuf *sb, const struct call *c, size_t width);
/* A call has ended, or tracing has: what of it was written. Its line is no longer open after that. e: NULL if none. */
enum split_how split_ends(struct split *s, struct task_entry *e, const struct call *c);
/* Before anything else is written: ends the open line. */
void split_interrupt(struct split *s, struct strbuf *sb);
/*
 * A thread executes a program and goes on under its leader's number, shown as
 * number: so does the call that it is in.
 */
void split_renumber(struct split *s, struct strbuf *sb, struct tasks *tasks, uint32_t old_tid, uint32_t new_tid, uint32_t number);

#endif
