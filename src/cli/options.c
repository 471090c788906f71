/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/options.h"

#include <string.h>

#include "cli/parsers.h"
#include "util/macros.h"

#define AT(member) offsetof(struct config, member)
#define NOWHERE    0

const struct option_row option_rows[] = {
#define OPTION(letter, name, arg, mode, parser, where, value, completion, words, group, help) \
	{ letter, name, arg, mode, parser, where, value, completion, words, group, help },
#include "cli/options.def"
#undef OPTION
};
const size_t n_option_rows = ARRAY_SIZE(option_rows);

static const struct refused_row refused_rows[] = {
#define REFUSED(letter, name, why) { letter, name, why },
#include "cli/refused.def"
#undef REFUSED
};

const char *const option_group_titles[GROUP_MAX] = {
	[GROUP_TARGET] = "Targets (any number of them; all are traced)",
	[GROUP_FILTER] = "What is shown of them",
	[GROUP_OUTPUT] = "Output",
	[GROUP_SUMMARY] = "Counts",
	[GROUP_COMMAND] = "COMMAND",
	[GROUP_RUN] = "The run",
	[GROUP_PS] = "Of ctrace ps, which lists the containers that run (beside --format, --proc and --cgroupfs)",
	[GROUP_CHECK] = "Of ctrace check, which tells what this machine or container allows (beside --proc and --cgroupfs)",
	[GROUP_MISC] = "Help",
};

const struct option_row *option_by_letter(char letter)
{
	for (size_t i = 0; i < n_option_rows; i++)
		if (letter && option_rows[i].letter == letter)
			return &option_rows[i];
	return NULL;
}

/* strace's second names; not told, but good. */
static const struct { const char *alias, *name; } aliases[] = {
	{ "timestamps", "absolute-timestamps" }, { "silent", "quiet" }, { "silence", "quiet" }, { "signals", "signal" },
};

const struct option_row *option_by_name(const char *name, size_t len, bool *ret_ambiguous)
{
	const struct option_row *found = NULL;

	*ret_ambiguous = false;
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++) {
		if (strlen(aliases[i].alias) != len || memcmp(aliases[i].alias, name, len) != 0)
			continue;
		name = aliases[i].name;
		len = strlen(name);
		break;
	}
	for (size_t i = 0; i < n_option_rows; i++) {
		const struct option_row *row = &option_rows[i];

		if (!row->name || strncmp(row->name, name, len) != 0)
			continue;
		if (!row->name[len]) {
			*ret_ambiguous = false;
			return row;
		}
		*ret_ambiguous |= found != NULL;
		found = row;
	}
	return *ret_ambiguous ? NULL : found;
}

bool option_of_verb(const struct option_row *row, enum verb verb)
{
	/* Those that it shares with tracing. */
	static const char *const shared[] = { "proc", "cgroupfs", "quiet", "format" };
	size_t n = verb == VERB_PS ? ARRAY_SIZE(shared) : 2;

	if (verb == VERB_TRACE)
		return row->group != GROUP_PS && row->group != GROUP_CHECK;
	if (verb == VERB_IDLE)
		return row->group == GROUP_MISC;
	for (size_t i = 0; row->name && i < n; i++)
		if (!strcmp(row->name, shared[i]))
			return true;
	return row->group == GROUP_MISC || row->group == (verb == VERB_PS ? GROUP_PS : GROUP_CHECK);
}

const struct refused_row *refused_by_letter(char letter)
{
	for (size_t i = 0; i < ARRAY_SIZE(refused_rows); i++)
		if (letter && refused_rows[i].letter == letter)
			return &refused_rows[i];
	return NULL;
}

const struct refused_row *refused_by_name(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(refused_rows); i++)
		if (strlen(refused_rows[i].name) == len && !memcmp(refused_rows[i].name, name, len))
			return &refused_rows[i];
	return NULL;
}

#define NAME_MAX_LEN 40

/* Levenshtein's distance; both names are at most NAME_MAX_LEN long. */
static unsigned distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	unsigned row[NAME_MAX_LEN + 1];

	for (size_t j = 0; j <= b_len; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= a_len; i++) {
		unsigned diagonal = row[0];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= b_len; j++) {
			unsigned change = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			row[j] = MIN(change, MIN(row[j], row[j - 1]) + 1);
		}
	}
	return row[b_len];
}

const struct option_row *option_nearest(const char *name, size_t len)
{
	const struct option_row *nearest = NULL;
	unsigned best = 2 * 3;

	if (len < 3 || len > NAME_MAX_LEN)
		return NULL;
	/* Short names are near to everything. */
	if (len < 4)
		best = 2 * 2;
	for (size_t i = 0; i < n_option_rows; i++) {
		const char *n = option_rows[i].name;
		unsigned d;

		if (!n || strlen(n) > NAME_MAX_LEN)
			continue;
		/* Of two that are as near, the one that begins alike. */
		d = 2 * distance(name, len, n, strlen(n)) + (*n != *name);
		if (d < best) {
			best = d;
			nearest = &option_rows[i];
		}
	}
	return nearest;
}
