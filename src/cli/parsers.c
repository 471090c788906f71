/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/parsers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

#include "cli/values.h"

int parse_error(struct parse *p, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(p->err, p->err_size, format, ap);
	va_end(ap);
	return -EINVAL;
}

static void *at(struct parse *p, const struct option_row *row)
{
	return (char *)p->c + row->where;
}

static int bad_value(struct parse *p, const char *text, const char *wants)
{
	return parse_error(p, "%s: '%s' is not %s", p->option, text, wants);
}

int option_flag(struct parse *p, const struct option_row *row, const char *text _unused_)
{
	*(bool *)at(p, row) = true;
	return 0;
}

int option_constant(struct parse *p, const struct option_row *row, const char *text _unused_)
{
	*(unsigned *)at(p, row) = (unsigned)row->value;
	return 0;
}

int option_nothing(struct parse *p _unused_, const struct option_row *row _unused_, const char *text _unused_)
{
	return 0;
}

int option_verb(struct parse *p, const struct option_row *row, const char *text _unused_)
{
	p->c->verb = (enum verb)row->value;
	return 0;
}

/* The second -f is strace's way to ask for --output-separately. */
int option_follow(struct parse *p, const struct option_row *row _unused_, const char *text _unused_)
{
	p->c->output.separate |= ++p->n_f > 1;
	return 0;
}

int option_string(struct parse *p, const struct option_row *row, const char *text)
{
	if (!*text)
		return parse_error(p, "%s: the argument is empty", p->option);
	*(const char **)at(p, row) = text;
	return 0;
}

/* An enum whose values are in the order of the words; without argument: row->value. */
int option_word(struct parse *p, const struct option_row *row, const char *text)
{
	unsigned i = (unsigned)row->value;

	if (text && value_word(text, strlen(text), row->words, &i) < 0)
		return parse_error(p, "%s: '%s' is none of: %s", p->option, text, row->words);
	*(unsigned *)at(p, row) = i;
	return 0;
}

int option_format(struct parse *p, const struct option_row *row, const char *text)
{
	unsigned i;

	if (value_word(text, strlen(text), row->words, &i) < 0)
		return parse_error(p, "%s: '%s' is none of: %s", p->option, text, row->words);
	*(const char **)at(p, row) = text;
	return 0;
}

int option_unsigned(struct parse *p, const struct option_row *row, const char *text)
{
	uint64_t v;

	if (value_unsigned(text, (uint64_t)row->value, &v) < 0)
		return parse_error(p, "%s: '%s' is not a number from 0 to %ld", p->option, text, row->value);
	*(unsigned *)at(p, row) = (unsigned)v;
	return 0;
}

int option_pid(struct parse *p, const struct option_row *row, const char *text)
{
	uint64_t v;

	if (value_unsigned(text, INT32_MAX, &v) < 0 || !v)
		return bad_value(p, text, "a pid");
	*(pid_t *)at(p, row) = (pid_t)v;
	return 0;
}

int option_limit(struct parse *p, const struct option_row *row, const char *text)
{
	uint64_t v;

	if (value_unsigned(text, UINT64_MAX, &v) < 0 || !v)
		return bad_value(p, text, "a number of calls");
	*(uint64_t *)at(p, row) = v;
	return 0;
}

int option_duration(struct parse *p, const struct option_row *row, const char *text)
{
	if (value_duration(text, row->value, at(p, row)) < 0)
		return bad_value(p, text, "a duration such as 500us, 10ms or 1.5s");
	return 0;
}

/* The kernel takes powers of two that are whole pages; bpf(2) BPF_MAP_TYPE_RINGBUF. */
#define BUFFER_MIN (64ull << 10)
#define BUFFER_MAX (1ull << 30)

int option_buffer(struct parse *p, const struct option_row *row, const char *text)
{
	uint64_t v, size = BUFFER_MIN;

	if (value_size(text, &v) < 0 || v > BUFFER_MAX)
		return bad_value(p, text, "a size from 64K to 1G, such as 64M");
	while (size < v)
		size *= 2;
	*(size_t *)at(p, row) = (size_t)size;
	return 0;
}

int option_ready_fd(struct parse *p, const struct option_row *row _unused_, const char *text)
{
	uint64_t v;
	int flags;

	if (value_unsigned(text, INT32_MAX, &v) < 0)
		return bad_value(p, text, "a file descriptor");
	flags = fcntl((int)v, F_GETFL);
	if (flags < 0)
		return parse_error(p, "%s: file descriptor %s is not open", p->option, text);
	if ((flags & O_ACCMODE) == O_RDONLY)
		return parse_error(p, "%s: file descriptor %s is not open for writing", p->option, text);
	p->c->session.ready_fd = (int)v;
	return 0;
}

/* strace's limit is the whole int range; a capture ends at CT_CAP_MAX. */
int option_string_limit(struct parse *p, const struct option_row *row _unused_, const char *text)
{
	uint64_t v;

	if (value_unsigned(text, INT32_MAX, &v) < 0)
		return bad_value(p, text, "a number of bytes");
	p->c->output.decode.string_limit = (unsigned)MIN(v, (uint64_t)CT_CAP_MAX);
	return 0;
}

int option_comm(struct parse *p, const struct option_row *row _unused_, const char *text)
{
	size_t n = sizeof(p->c->session.comm);

	if (!*text)
		return parse_error(p, "%s: the argument is empty", p->option);
	memset(p->c->session.comm, 0, n);
	memcpy(p->c->session.comm, text, strnlen(text, n - 1));
	return 0;
}

int option_env(struct parse *p, const struct option_row *row _unused_, const char *text)
{
	char **v = p->c->env_changes, **more;
	size_t n = 0;

	if (!*text || *text == '=')
		return bad_value(p, text, "VAR=VALUE or VAR");
	while (v && v[n])
		n++;
	more = reallocarray(v, n + 2, sizeof(*v));
	if (!more)
		return -ENOMEM;
	p->c->env_changes = v = more;
	v[n] = (char *)text;
	v[n + 1] = NULL;
	return 0;
}
