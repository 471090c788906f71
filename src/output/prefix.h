/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_OUTPUT_PREFIX_H
#define CTRACE_OUTPUT_PREFIX_H
/*
 * How a line of text begins: container, pid, comm, time stamps. The forms are
 * strace's (printleader() there), and a test compares them with strace's own
 * output.
 */
#include <stdbool.h>
#include <stdint.h>

#include "output/sink.h"
#include "output/tasks.h"
#include "util/strbuf.h"

#define RECENT_STAMPS 64

struct prefix {
	const struct run_info *run;
	const struct tasks *tasks;
	bool to_file;                   /* -o: %-5u in place of [pid %5u] */
	bool color;
	struct strbuf *labels;          /* one a target: its name, escaped */
	/* Local time of the last second that was written. */
	int64_t clock_second;
	char clock[8];
	bool clock_valid;
	/* -r: the times of the last lines, sorted, since lines come in the order of their ends. */
	uint64_t stamps[RECENT_STAMPS];
	unsigned n_stamps;
	size_t invisible;               /* bytes of the line that take no column */
};

/* tasks must outlive it. 0 or -ENOMEM. */
int prefix_init(struct prefix *p, const struct run_info *run, const struct tasks *tasks, bool color);
void prefix_done(struct prefix *p);
/* The target has another name. 0 or -ENOMEM. */
int prefix_relabel(struct prefix *p, uint32_t target);

/* Of the task's call, or of the last one before an event. */
struct prefix_place {
	int64_t nr;                     /* for -n; -1: unknown */
	uint64_t ip;                    /* for -i; 0: unknown */
	bool compat;
};

/* time: CLOCK_BOOTTIME of what the line is about, 0: unknown. */
void prefix_write(struct prefix *p, struct strbuf *sb, const struct task *t, uint64_t time, const struct prefix_place *at);
/* The prefix of a line that is about no task. */
void prefix_write_stamp(struct prefix *p, struct strbuf *sb, uint64_t time);
/*
 * Appends how a target is called: its name, of several pods' containers, or with --always-show-pod, POD/NAME.
 * escaped: bytes that are shown as escapes, as of escape_plain().
 */
void target_title(const struct run_info *run, uint32_t target, const char *escaped, struct strbuf *sb);
/* The target's name as it may be shown; "" for none. */
void prefix_label(const struct prefix *p, struct strbuf *sb, uint32_t target);

enum paint { PAINT_OFF, PAINT_PREFIX, PAINT_NAME, PAINT_ERROR, PAINT_EVENT };

/* Switches the colour; nothing where there is none. */
void prefix_paint(struct prefix *p, struct strbuf *sb, enum paint paint);

/* ".123456" of a second's rest, with that many digits (0: nothing). */
void put_fraction(struct strbuf *sb, uint32_t ns, unsigned digits);

#endif
