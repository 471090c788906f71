/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CLI_OPTIONS_H
#define CTRACE_CLI_OPTIONS_H
/* The option table (options.def) and the look-up in it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/config.h"

struct parse;

enum arg_mode { ARG_NONE, ARG_NEEDED, ARG_OPTIONAL, ARG_LONG };
enum completion { COMPLETE_NONE, COMPLETE_FILE, COMPLETE_DIR, COMPLETE_PID, COMPLETE_USER, COMPLETE_WORDS, COMPLETE_LIST, COMPLETE_CLASSES };
enum option_group { GROUP_TARGET, GROUP_FILTER, GROUP_OUTPUT, GROUP_SUMMARY, GROUP_COMMAND, GROUP_RUN, GROUP_PS, GROUP_CHECK, GROUP_MISC, GROUP_MAX };

struct option_row {
	char letter;                    /* 0: none */
	const char *name;               /* NULL: none */
	const char *arg;
	enum arg_mode mode;
	/* text is NULL when there is no argument. 0, or -EINVAL after parse_error(). */
	int (*parse)(struct parse *p, const struct option_row *row, const char *text);
	size_t where;                   /* in struct config */
	long value;
	enum completion completion;
	const char *words;
	enum option_group group;
	const char *help;
};

struct refused_row {
	char letter;
	const char *name, *why;
};

extern const struct option_row option_rows[];
extern const size_t n_option_rows;
extern const char *const option_group_titles[GROUP_MAX];

/* NULL if there is none. */
const struct option_row *option_by_letter(char letter);
/*
 * By its name or a beginning of it that no other option shares. NULL if there
 * is none; then *ret_ambiguous tells whether there were several.
 */
const struct option_row *option_by_name(const char *name, size_t len, bool *ret_ambiguous);
/* The option whose name is nearest to what was written; NULL if none is near. */
const struct option_row *option_nearest(const char *name, size_t len);

/* Whether the option means something to the verb. */
bool option_of_verb(const struct option_row *row, enum verb verb);

const struct refused_row *refused_by_letter(char letter);
const struct refused_row *refused_by_name(const char *name, size_t len);

#define OPTIONS_USAGE                                                     \
	"ctrace [OPTIONS] TARGET...", "ctrace [OPTIONS] [TARGET...] -- COMMAND [ARG...]", "ctrace ps [--pid N] [--format json]", \
	"ctrace check [--print-pod-spec]", "ctrace help"

/* "-p, --attach=PID[,PID...]", as --help and the manual have it. */
size_t option_head(const struct option_row *o, char *buf, size_t size);
/* The help text with the values that the option takes. */
void option_help_text(const struct option_row *o, char *buf, size_t size);
/* What --help prints. Returns 0 or a negative errno. */
int options_help(FILE *f);

#endif
