/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* -e and the filters that it stands for. */
#include <errno.h>
#include <string.h>

#include "cli/parsers.h"
#include "cli/values.h"

int option_trace(struct parse *p, const struct option_row *row _unused_, const char *text)
{
	char err[256];

	if (syscall_set_parse(text, &p->c->session.trace, err, sizeof(err)) < 0)
		return parse_error(p, "%s: %s", p->option, err);
	p->c->traces = true;
	syscall_set_add_unknown(&p->c->session.trace);
	return 0;
}

int option_signal(struct parse *p, const struct option_row *row _unused_, const char *text)
{
	const char *bad;

	if (value_signal_set(text, &p->c->signals, &bad) < 0)
		return parse_error(p, "%s: '%.*s' is no signal", p->option, (int)strcspn(bad, ","), bad);
	return 0;
}

int option_status(struct parse *p, const struct option_row *row, const char *text)
{
	const char *bad;
	uint32_t set;

	if (value_word_set(text, row->words, &set, &bad) < 0)
		return parse_error(p, "%s: '%.*s' is none of: %s", p->option, (int)strcspn(bad, ","), bad, row->words);
	p->c->session.status = set;
	return 0;
}

int option_trace_path(struct parse *p, const struct option_row *row _unused_, const char *text)
{
	return touch_add_path(&p->c->session.touch, text);
}

int option_trace_fds(struct parse *p, const struct option_row *row _unused_, const char *text)
{
	const char *bad;
	int r = fd_set_parse(text, &p->c->session.touch.fds, &bad);

	if (r == -EINVAL)
		return parse_error(p, "%s: '%.*s' is no file descriptor", p->option, (int)strcspn(bad, ","), bad);
	return r;
}

/* A set of calls in decode_opts, or of descriptors; row->value says which. */
int option_call_set(struct parse *p, const struct option_row *row, const char *text)
{
	struct syscall_set *set = &p->c->call_sets[row->value];
	struct decode_opts *opts = &p->c->output.decode;
	char err[256];

	if (syscall_set_parse(text, set, err, sizeof(err)) < 0)
		return parse_error(p, "%s: %s", p->option, err);
	*(const struct syscall_set **[]){ &opts->abbrev, &opts->verbose, &opts->raw }[row->value] = set;
	return 0;
}

/* Undoes an abbrev= before it, and one behind it undoes this. */
int option_no_abbrev(struct parse *p, const struct option_row *row _unused_, const char *text _unused_)
{
	p->c->output.decode.no_abbrev = true;
	p->c->output.decode.abbrev = NULL;
	return 0;
}

int option_data(struct parse *p, const struct option_row *row, const char *text)
{
	struct fd_set_spec *set = &p->c->data_fds[row->value];
	const char *bad;
	int r = fd_set_parse(text, set, &bad);

	if (r == -EINVAL)
		return parse_error(p, "%s: '%.*s' is no file descriptor", p->option, (int)strcspn(bad, ","), bad);
	*(row->value ? &p->c->output.decode.dump_writes : &p->c->output.decode.dump_reads) = set;
	return r;
}

/* The qualifiers of -e, strace's short forms included; each is an option of its own too. */
static const struct { const char *key, *option; } qualifiers[] = {
	{ "trace", "trace" }, { "t", "trace" }, { "signal", "signal" }, { "signals", "signal" }, { "s", "signal" },
	{ "secontext", "secontext" }, { "decode-pids", "decode-pids" }, { "decode-pid", "decode-pids" },
	{ "decode-fds", "decode-fds" }, { "decode-fd", "decode-fds" }, { "trace-fds", "trace-fds" }, { "trace-fd", "trace-fds" },
	{ "fds", "trace-fds" }, { "fd", "trace-fds" },
	{ "abbrev", "abbrev" }, { "a", "abbrev" }, { "verbose", "verbose" }, { "v", "verbose" }, { "raw", "raw" }, { "x", "raw" },
	{ "read", "read" }, { "reads", "read" }, { "r", "read" }, { "write", "write" }, { "writes", "write" }, { "w", "write" },
	{ "status", "status" }, { "quiet", "quiet" }, { "silent", "quiet" }, { "silence", "quiet" }, { "q", "quiet" },
};

int option_expression(struct parse *p, const struct option_row *row, const char *text)
{
	size_t len = strcspn(text, "=");
	const struct refused_row *refused;
	bool ambiguous;

	/* A set of calls holds no '=', but a regular expression may. */
	if (!text[len] || *text == '/' || *text == '!')
		return option_trace(p, row, text);
	for (size_t i = 0; i < ARRAY_SIZE(qualifiers); i++) {
		const char *name = qualifiers[i].option;

		if (strlen(qualifiers[i].key) != len || memcmp(qualifiers[i].key, text, len) != 0)
			continue;
		row = option_by_name(name, strlen(name), &ambiguous);
		return row->parse(p, row, text + len + 1);
	}
	refused = refused_by_name(text, len);
	if (refused)
		return parse_error(p, "-e %s: %s", refused->name, refused->why);
	return parse_error(p, "-e: unknown '%.*s='; 'ctrace --help' lists them", (int)len, text);
}
