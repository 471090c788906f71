/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_OUTPUT_FRAMES_H
#define CTRACE_OUTPUT_FRAMES_H
/* Stacks, as text and as JSON. */
#include "stack/stack.h"
#include "util/strbuf.h"

/* A line a frame; nothing for NULL. */
void frames_put_text(struct strbuf *sb, const struct stack *st);
/* ,"stack":[{...}]; nothing for NULL. */
void frames_put_json(struct strbuf *sb, const struct stack *st);

/* Stacks of calls that end their task: strace writes them behind its last line. */
struct held_stacks {
	struct held {
		uint32_t host_tid;      /* 0: free */
		struct strbuf text;
	} v[64];
	unsigned next;
};

void held_stacks_keep(struct held_stacks *h, uint32_t host_tid, const struct stack *st);
/* Writes what is kept of the task, once. */
void held_stacks_put(struct held_stacks *h, uint32_t host_tid, struct strbuf *sb);
void held_stacks_done(struct held_stacks *h);

#endif
