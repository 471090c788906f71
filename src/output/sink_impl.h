/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_OUTPUT_SINK_IMPL_H
#define CTRACE_OUTPUT_SINK_IMPL_H
/* For the sinks themselves; their users see sink.h alone. */
#include "output/sink.h"
#include "util/outfile.h"
#include "util/strbuf.h"

/*
 * Makes a sink: run and out are set by sink_open() afterwards, but may be
 * looked at here. 0 or a negative errno.
 */
typedef int (*sink_new_fn)(const struct run_info *run, struct outfile *out, struct sink **ret_sink);

#define SINK(name) int sink_##name##_new(const struct run_info *run, struct outfile *out, struct sink **ret_sink);
#include "output/sinks.def"
#undef SINK

#endif
