/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The options that say how the output looks. */
#include <errno.h>
#include <string.h>

#include "cli/parsers.h"
#include "cli/values.h"

/* Index of PRECISION_WORDS to digits behind the point. */
static int read_precision(const char *text, size_t len, unsigned *ret_index)
{
	return value_word(text, len, PRECISION_WORDS, ret_index);
}

static const enum stamp_mode stamps[2][4] = {
	{ STAMP_TIME, STAMP_TIME_MS, STAMP_TIME_US, STAMP_TIME_NS },
	{ STAMP_UNIX, STAMP_UNIX_MS, STAMP_UNIX_US, STAMP_UNIX_NS },
};

/* strips "format:" and the like, which strace allows before each part */
static void skip_key(const char **text, size_t *len, const char *key)
{
	size_t n = strlen(key);

	if (*len > n && !memcmp(*text, key, n)) {
		*text += n;
		*len -= n;
	}
}

/* strace's [[format:]FORMAT[,[precision:]PRECISION]], in any order. */
static int read_stamp(const char *text, enum stamp_mode *ret)
{
	unsigned format = 0, precision = 0, i;
	bool none = false;

	for (;;) {
		size_t len = strcspn(text, ","), part_len = len;
		const char *part = text;

		skip_key(&part, &part_len, "format:");
		skip_key(&part, &part_len, "precision:");
		if (!value_word(part, part_len, "time unix none", &i)) {
			none = i == 2;
			format = i & 1;
		} else if (read_precision(part, part_len, &precision) < 0) {
			return -EINVAL;
		}
		if (!text[len])
			break;
		text += len + 1;
	}
	*ret = none ? STAMP_NONE : stamps[format][precision];
	return 0;
}

int option_stamp(struct parse *p, const struct option_row *row _unused_, const char *text)
{
	static const enum stamp_mode by_count[] = { STAMP_TIME, STAMP_TIME_US, STAMP_UNIX_US };

	if (text) {
		if (read_stamp(text, &p->c->output.stamp) < 0)
			return parse_error(p, "%s: '%s' is not a format such as time,us or unix,ns", p->option, text);
		return 0;
	}
	p->c->output.stamp = by_count[MIN(p->n_t, 2u)];
	p->n_t++;
	return 0;
}

/* -x, -xx; the long name without argument means all. */
int option_hex(struct parse *p, const struct option_row *row, const char *text)
{
	unsigned mode = HEX_ALL;

	if (text && value_word(text, strlen(text), row->words, &mode) < 0)
		return parse_error(p, "%s: '%s' is none of: %s", p->option, text, row->words);
	if (!text && p->option[1] != '-')
		mode = ++p->n_x == 1 ? HEX_NON_ASCII : HEX_ALL;
	p->c->output.hex = (enum hex_mode)mode;
	return 0;
}

static int read_digits(struct parse *p, const char *text, unsigned *ret)
{
	unsigned i = 2;

	if (text && read_precision(text, strlen(text), &i) < 0)
		return parse_error(p, "%s: '%s' is none of: " PRECISION_WORDS, p->option, text);
	*ret = i * 3;
	return 0;
}

int option_relative(struct parse *p, const struct option_row *row _unused_, const char *text)
{
	p->c->output.relative = true;
	return read_digits(p, text, &p->c->output.relative_digits);
}

int option_times(struct parse *p, const struct option_row *row _unused_, const char *text)
{
	p->c->output.duration = true;
	return read_digits(p, text, &p->c->output.duration_digits);
}

/* The last one counts, as in strace. */
int option_decode_pids(struct parse *p, const struct option_row *row, const char *text)
{
	uint32_t set = row->value;
	const char *bad;

	if (text && value_word_set(text, row->words, &set, &bad) < 0)
		return parse_error(p, "%s: '%.*s' is none of: %s", p->option, (int)strcspn(bad, ","), bad, row->words);
	p->c->output.comm = p->c->output.decode.pid_comm = set & DECODE_COMM;
	p->c->output.decode.pid_ns = set & DECODE_PIDNS;
	return 0;
}

/* -y is path, -yy all; strace has either the letter or the set, too. */
int option_decode_fds(struct parse *p, const struct option_row *row, const char *text)
{
	bool letter = !text && p->option[1] == 'y';
	const char *bad;
	uint32_t set = FDS_PATH;

	if (letter ? p->fds_set : p->n_y > 0)
		return parse_error(p, "-y and --decode-fds exclude each other");
	if (letter)
		set = p->n_y++ ? FDS_ALL : FDS_PATH;
	else if (text && value_word_set(text, row->words, &set, &bad) < 0)
		return parse_error(p, "%s: '%.*s' is none of: %s", p->option, (int)strcspn(bad, ","), bad, row->words);
	p->fds_set = !letter;
	p->c->output.decode.fds = set;
	return 0;
}

/* What a policy would have a file labelled with (mismatch) is known to the container's own libraries alone. */
int option_secontext(struct parse *p, const struct option_row *row, const char *text)
{
	const char *bad;
	uint32_t set = 0;

	if (text && value_word_set(text, row->words, &set, &bad) < 0) {
		if (!strncmp(bad, "mismatch", 8))
			return parse_error(p, "%s: ctrace has no database of file contexts to compare with, so mismatch is not shown", p->option);
		return parse_error(p, "%s: '%.*s' is none of: %s", p->option, (int)strcspn(bad, ","), bad, row->words);
	}
	p->c->secontext = true;
	p->c->secontext_full = set & 1;
	return 0;
}

/* --stack-trace=source (-kk) needs the programs' sources, which a container does not have. */
int option_stack_trace(struct parse *p, const struct option_row *row, const char *text)
{
	unsigned i;

	if ((!text && p->c->output.stack) || (text && !strcmp(text, "source")))
		return parse_error(p, "%s: lines of source code are not shown; --stack-trace=symbol (-k) shows functions and files", p->option);
	if (text && value_word(text, strlen(text), row->words, &i) < 0)
		return parse_error(p, "%s: '%s' is none of: %s", p->option, text, row->words);
	p->c->output.stack = true;
	return 0;
}

/* Bits of QUIET_WORDS. */
#define QUIET_ATTACH   (1u << 0)
#define QUIET_EXIT     (1u << 1)
#define QUIET_PATHS    (1u << 2)
#define QUIET_EXECVE   (1u << 4)
#define QUIET_EVERYTHING 0x1fu

/* strace's other words for the same; *text is moved over one word. */
static void add_quiet_word(char *buf, size_t size, const char **text)
{
	static const struct { const char *alias, *word; } aliases[] = { { "exits", "exit" }, { "superseded", "thread-execve" } };
	size_t len = strcspn(*text, ","), used = strlen(buf);

	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++) {
		if (strlen(aliases[i].alias) != len || memcmp(aliases[i].alias, *text, len) != 0)
			continue;
		snprintf(buf + used, size - used, "%s", aliases[i].word);
		*text += len;
		return;
	}
	snprintf(buf + used, size - used, "%.*s", (int)len, *text);
	*text += len;
}

int option_quiet(struct parse *p, const struct option_row *row, const char *text)
{
	char words[256] = "";
	const char *bad;
	uint32_t set;

	if (!text) {
		p->n_q++;
		return 0;
	}
	if (*text == '!')
		strcpy(words, "!");
	for (text += *text == '!'; strlen(words) < sizeof(words) - 1; text++) {
		add_quiet_word(words, sizeof(words), &text);
		if (!*text)
			break;
		snprintf(words + strlen(words), sizeof(words) - strlen(words), ",");
	}
	if (value_word_set(words, row->words, &set, &bad) < 0)
		return parse_error(p, "%s: '%.*s' is none of: %s", p->option, (int)strcspn(bad, ","), bad, row->words);
	p->quiet_set = set;
	return 0;
}

void quiet_apply(const struct parse *p)
{
	static const unsigned by_count[] = { 0, QUIET_ATTACH, QUIET_ATTACH | QUIET_EXIT, QUIET_EVERYTHING };
	unsigned set = p->quiet_set | by_count[MIN(p->n_q, 3u)];
	struct config *c = p->c;

	c->quiet = set & QUIET_ATTACH ? 1 : 0;
	c->quiet_paths = set & QUIET_PATHS;
	c->session.quiet = c->quiet;
	c->output.quiet = set & QUIET_EXECVE ? 3 : set & QUIET_EXIT ? 2 : c->quiet;
	c->output.quiet_exit = set & QUIET_EXIT;
}

/* strace's other names of the keys are good too; the words are the ones to tell. */
int option_sort(struct parse *p, const struct option_row *row, const char *text)
{
	if (!sink_sort_valid(text))
		return parse_error(p, "%s: '%s' is none of: %s", p->option, text, row->words);
	*(const char **)((char *)p->c + row->where) = text;
	return 0;
}

int option_columns(struct parse *p, const struct option_row *row _unused_, const char *text)
{
	const char *bad;
	int r = sink_columns_parse(text, p->c->output.summary_columns, &bad);

	if (r == -EEXIST)
		return parse_error(p, "%s: the column '%.*s' is named twice", p->option, (int)strcspn(bad, ","), bad);
	if (r < 0)
		return parse_error(p, "%s: '%.*s' is none of: " COLUMN_WORDS, p->option, (int)strcspn(bad, ","), bad);
	return 0;
}
