/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "output/sink.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "output/sink_impl.h"
#include "output/summary.h"
#include "util/macros.h"

static const struct {
	const char *name;
	sink_new_fn make;
} sinks[] = {
#define SINK(name) { #name, sink_##name##_new },
#include "output/sinks.def"
#undef SINK
};

static sink_new_fn find_sink(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(sinks); i++)
		if (!strcmp(sinks[i].name, name))
			return sinks[i].make;
	return NULL;
}

bool sink_format_valid(const char *name)
{
	return find_sink(name) != NULL;
}

int sink_columns_parse(const char *text, unsigned char ret_columns[static SUMMARY_COLUMNS + 1], const char **ret_bad)
{
	return summary_columns_parse(text, ret_columns, ret_bad);
}

bool sink_sort_valid(const char *key)
{
	return summary_sort_valid(key);
}

int sink_open(const struct run_info *run, struct sink **ret_sink)
{
	const struct output_opts *opts = run->opts;
	sink_new_fn make = find_sink(opts->format);
	struct outfile *out;
	int r;

	if (!make)
		return -EINVAL;
	if (opts->path && opts->separate)
		r = outfile_open_parts(opts->path, opts->append, &out);
	else if (opts->path)
		r = outfile_open(opts->path, opts->append, &out);
	else
		r = outfile_open_fd(opts->to_stderr ? STDERR_FILENO : STDOUT_FILENO, &out);
	if (r < 0)
		return r;
	r = make(run, out, ret_sink);
	if (r < 0) {
		outfile_close(out);
		return r;
	}
	(*ret_sink)->run = run;
	(*ret_sink)->out = out;
	return 0;
}

int sink_flush(struct sink *s)
{
	return outfile_flush(s->out);
}

uint64_t sink_written(const struct sink *s)
{
	return outfile_counted(s->out);
}

pid_t sink_reader(const struct sink *s)
{
	return outfile_reader(s->out);
}

int sink_close(struct sink *s)
{
	int r;

	if (!s)
		return 0;
	r = outfile_close(s->out);
	s->out = NULL;
	s->ops->free(s);
	return r;
}
