/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <errno.h>
#include <string.h>

#include "cli/options.h"
#include "util/macros.h"

#define HELP_COLUMN 28
#define HELP_WIDTH  100

size_t option_head(const struct option_row *o, char *buf, size_t size)
{
	char letter[8] = "", name[64] = "";

	if (o->letter)
		snprintf(letter, sizeof(letter), "-%c%s", o->letter, o->name ? ", " : " ");
	if (o->name && o->arg)
		snprintf(name, sizeof(name), o->mode == ARG_OPTIONAL ? "--%s[=%s]" : "--%s=%s", o->name, o->arg);
	else if (o->name)
		snprintf(name, sizeof(name), "--%s", o->name);
	else
		snprintf(name, sizeof(name), "%s", o->arg ? o->arg : "");
	return (size_t)snprintf(buf, size, "%s%s", letter, name);
}

void option_help_text(const struct option_row *o, char *buf, size_t size)
{
	if (o->completion == COMPLETE_WORDS && strchr(o->words, ' '))
		snprintf(buf, size, "%s [%s]", o->help, o->words);
	else if (o->completion == COMPLETE_LIST)
		snprintf(buf, size, "%s; SET of: %s", o->help, o->words);
	else
		snprintf(buf, size, "%s", o->help);
}

/* Writes text in lines of HELP_WIDTH, each from HELP_COLUMN on. */
static void wrap(FILE *f, size_t column, const char *text)
{
	bool first = true;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (!first && column + 1 + len > HELP_WIDTH) {
			fprintf(f, "\n%*s", HELP_COLUMN, "");
			column = HELP_COLUMN;
		} else if (!first) {
			fputc(' ', f);
			column++;
		}
		fwrite(text, 1, len, f);
		column += len;
		text += len + (text[len] == ' ');
		first = false;
	}
	fputc('\n', f);
}

static void print_option(FILE *f, const struct option_row *o)
{
	char head[128], help[640];
	size_t indent = o->letter ? 2 : 6, len = indent + option_head(o, head, sizeof(head));

	fprintf(f, "%*s%s", (int)indent, "", head);
	if (len + 2 > HELP_COLUMN)
		fprintf(f, "\n%*s", HELP_COLUMN, "");
	else
		fprintf(f, "%*s", (int)(HELP_COLUMN - len), "");
	option_help_text(o, help, sizeof(help));
	wrap(f, HELP_COLUMN, help);
}

int options_help(FILE *f)
{
	static const char *const usage[] = { OPTIONS_USAGE };

	fputs("ctrace shows the system calls of containers and processes from the outside, in strace's format.\n\n", f);
	for (size_t i = 0; i < ARRAY_SIZE(usage); i++)
		fprintf(f, "%s %s\n", i ? "      " : "Usage:", usage[i]);
	for (int group = 0; group < GROUP_MAX; group++) {
		fprintf(f, "\n%s:\n", option_group_titles[group]);
		for (size_t i = 0; i < n_option_rows; i++)
			if (option_rows[i].group == (enum option_group)group)
				print_option(f, &option_rows[i]);
	}
	fputs("\nThe trace goes to standard output, or with COMMAND to standard error, unless -o is given.\n"
	      "Exit status: that of COMMAND; else 0 done, 1 failed, 2 wrong usage, 3 incomplete with --strict.\n", f);
	return fflush(f) || ferror(f) ? -EIO : 0;
}
