/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* -c: nothing but the tables at the end. */
#include <errno.h>
#include <stdlib.h>

#include "output/sink_impl.h"
#include "output/summary.h"

static int on_start(struct sink *s)
{
	(void)s;
	return 0;
}

/* With -c the kernel sends no records; what comes all the same is counted there already. */
#define IGNORE(function, type)                                          \
	static int function(struct sink *s, const struct type *e)       \
	{                                                               \
		(void)s;                                                \
		(void)e;                                                \
		return 0;                                               \
	}

IGNORE(on_call, call)
IGNORE(on_signal, signal_event)
IGNORE(on_exec, exec_event)
IGNORE(on_exit_event, exit_event)
IGNORE(on_left, left_event)
IGNORE(on_started, started_event)
IGNORE(on_container, container_event)
IGNORE(on_lost, lost_event)
IGNORE(on_coverage, coverage)

static int on_summary(struct sink *s, const struct count_row *rows, size_t n, uint64_t elapsed_ns)
{
	return summary_write(s->out, s->run, rows, n, elapsed_ns);
}

static void summary_free(struct sink *s)
{
	free(s);
}

static const struct sink_ops summary_ops = {
	.name = "summary",
	.start = on_start,
	.call = on_call,
	.signal = on_signal,
	.exec = on_exec,
	.exit = on_exit_event,
	.left = on_left,
	.started = on_started,
	.container = on_container,
	.lost = on_lost,
	.summary = on_summary,
	.coverage = on_coverage,
	.free = summary_free,
};

int sink_summary_new(const struct run_info *run, struct outfile *out, struct sink **ret_sink)
{
	struct sink *s = calloc(1, sizeof(*s));

	(void)run;
	(void)out;
	if (!s)
		return -ENOMEM;
	s->ops = &summary_ops;
	*ret_sink = s;
	return 0;
}
