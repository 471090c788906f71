/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/generate.h"

#include <string.h>

#include "cli/options.h"
#include "util/macros.h"

#define LICENSE "# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause\n"
#define MADE    "# Made from src/cli/options.def by 'make docs'; do not edit.\n"

/* The first clause of the help text: enough for a completion's remark. */
static void short_help(const struct option_row *o, char *buf, size_t size)
{
	static const char *const ends[] = { "; ", ": ", " (" };
	size_t len = strlen(o->help);

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		const char *end = strstr(o->help, ends[i]);

		if (end)
			len = MIN(len, (size_t)(end - o->help));
	}
	snprintf(buf, size, "%.*s", (int)len, o->help);
}

/* A string for the inside of single quotes, with a backslash before each byte of also. */
static void put_quoted(FILE *f, const char *s, const char *also)
{
	for (; *s; s++) {
		if (*s == '\'') {
			fputs("'\\''", f);
			continue;
		}
		if (*also && strchr(also, *s))
			fputc('\\', f);
		fputc(*s, f);
	}
}

/* -o|--output */
static void put_case(FILE *f, const struct option_row *o)
{
	if (o->letter && o->mode == ARG_NEEDED)
		fprintf(f, "-%c%s", o->letter, o->name ? "|" : "");
	if (o->name)
		fprintf(f, "--%s", o->name);
}

static void bash_action(FILE *f, const struct option_row *o)
{
	static const char *const actions[] = {
		[COMPLETE_FILE] = "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\"))",
		[COMPLETE_DIR] = "compopt -o filenames; COMPREPLY=($(compgen -d -- \"$cur\"))",
		[COMPLETE_PID] = "COMPREPLY=($(compgen -W \"$(cd /proc && echo [0-9]*)\" -- \"$cur\"))",
		[COMPLETE_USER] = "COMPREPLY=($(compgen -u -- \"$cur\"))",
	};

	if (o->completion == COMPLETE_WORDS)
		fprintf(f, "COMPREPLY=($(compgen -W '%s' -- \"$cur\"))", o->words);
	else if (o->completion == COMPLETE_LIST || o->completion == COMPLETE_CLASSES)
		fprintf(f, "_ctrace_list '%s'", o->words);
	else if (!o->name)
		fputs("compopt -o nospace; COMPREPLY=($(compgen -W 'trace= signal= status= quiet=' -- \"$cur\"))", f);
	else
		fputs(actions[o->completion], f);
}

static bool bash_completes(const struct option_row *o)
{
	return o->completion != COMPLETE_NONE || !o->name;
}

static void bash_cases(FILE *f)
{
	bool first = true;

	for (size_t i = 0; i < n_option_rows; i++) {
		const struct option_row *o = &option_rows[i];

		if ((o->mode != ARG_NEEDED && o->mode != ARG_LONG) || bash_completes(o))
			continue;
		fputs(first ? "\t" : "|", f);
		put_case(f, o);
		first = false;
	}
	fputs(")\n\t\treturn ;;\n", f);
	for (size_t i = 0; i < n_option_rows; i++) {
		const struct option_row *o = &option_rows[i];

		if (o->mode == ARG_NONE || !bash_completes(o))
			continue;
		fputc('\t', f);
		put_case(f, o);
		fputs(o->mode == ARG_OPTIONAL ? ") if [[ $equals ]]; then\n\t\t" : ")\n\t\t", f);
		bash_action(f, o);
		fputs(o->mode == ARG_OPTIONAL ? "\n\t\treturn; fi ;;\n" : "\n\t\treturn ;;\n", f);
	}
}

static void write_bash(FILE *f)
{
	fputs(LICENSE MADE
	      "\n# The last of several words that commas separate.\n"
	      "_ctrace_list()\n{\n"
	      "\tlocal before=\n"
	      "\t[[ $cur == *,* ]] && before=${cur%,*},\n"
	      "\tcompopt -o nospace\n"
	      "\tCOMPREPLY=($(compgen -P \"$before\" -W \"$1\" -- \"${cur##*,}\"))\n"
	      "}\n"
	      "\n_ctrace()\n{\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} equals= i\n"
	      "\tCOMPREPLY=()\n"
	      "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	      "\t\tif [[ ${COMP_WORDS[i]} == -- ]]; then\n"
	      "\t\t\tcompopt -o filenames\n"
	      "\t\t\tif ((i == COMP_CWORD - 1)); then COMPREPLY=($(compgen -c -- \"$cur\"))\n"
	      "\t\t\telse COMPREPLY=($(compgen -f -- \"$cur\")); fi\n"
	      "\t\t\treturn\n"
	      "\t\tfi\n"
	      "\tdone\n"
	      "\t# Bash takes --option=value apart at the '='.\n"
	      "\tif [[ $cur == '=' ]]; then cur= equals=1\n"
	      "\telif [[ $prev == '=' ]]; then prev=${COMP_WORDS[COMP_CWORD-2]} equals=1; fi\n"
	      "\tcase $prev in\n", f);
	bash_cases(f);
	fputs("\tesac\n\tCOMPREPLY=($(compgen -W '", f);
	for (size_t i = 0; i < n_option_rows; i++) {
		if (option_rows[i].letter)
			fprintf(f, "-%c ", option_rows[i].letter);
		if (option_rows[i].name)
			fprintf(f, "--%s ", option_rows[i].name);
	}
	fputs("--' -- \"$cur\"))\n}\n\ncomplete -F _ctrace ctrace\n", f);
}

static void zsh_action(FILE *f, const struct option_row *o)
{
	static const char *const actions[] = {
		[COMPLETE_NONE] = " ", [COMPLETE_FILE] = "_files", [COMPLETE_DIR] = "_files -/", [COMPLETE_PID] = "_pids",
		[COMPLETE_USER] = "_users",
	};

	fputc(':', f);
	put_quoted(f, o->arg, ":[]");
	fputc(':', f);
	if (o->completion == COMPLETE_WORDS)
		fprintf(f, "(%s)", o->words);
	else if (o->completion == COMPLETE_LIST || o->completion == COMPLETE_CLASSES)
		fprintf(f, "_values -s , set %s", o->words);
	else
		fputs(actions[o->completion], f);
}

static void zsh_spec(FILE *f, const struct option_row *o, bool is_letter)
{
	bool takes = is_letter ? o->mode == ARG_NEEDED : o->mode != ARG_NONE;
	char help[256];

	short_help(o, help, sizeof(help));
	fputs("\t'*", f);
	if (is_letter)
		fprintf(f, "-%c%s", o->letter, takes ? "+" : "");
	else
		fprintf(f, "--%s%s", o->name, !takes ? "" : o->mode == ARG_OPTIONAL ? "=-" : "=");
	fputc('[', f);
	put_quoted(f, help, ":[]");
	fputc(']', f);
	if (takes && o->mode == ARG_OPTIONAL)
		fputc(':', f);
	if (takes)
		zsh_action(f, o);
	fputs("' \\\n", f);
}

static void write_zsh(FILE *f)
{
	fputs("#compdef ctrace\n" LICENSE MADE "\n_arguments -s -S \\\n", f);
	for (size_t i = 0; i < n_option_rows; i++) {
		if (option_rows[i].letter)
			zsh_spec(f, &option_rows[i], true);
		if (option_rows[i].name)
			zsh_spec(f, &option_rows[i], false);
	}
	fputs("\t'*:::command:_normal'\n", f);
}

static void fish_action(FILE *f, const struct option_row *o)
{
	static const char *const actions[] = {
		[COMPLETE_NONE] = " -x", [COMPLETE_FILE] = " -r -F", [COMPLETE_DIR] = " -x -a '(__fish_complete_directories)'",
		[COMPLETE_PID] = " -x -a '(__fish_complete_pids)'", [COMPLETE_USER] = " -x -a '(__fish_complete_users)'",
	};

	if (o->mode == ARG_NONE)
		return;
	if (!o->words && o->mode == ARG_NEEDED)
		fputs(actions[o->completion], f);
	else if (o->words)
		fprintf(f, "%s -a '%s'", o->mode == ARG_NEEDED ? " -x" : "", o->words);
}

static void write_fish(FILE *f)
{
	char help[256];

	fputs(LICENSE MADE "\ncomplete -c ctrace -f\n"
	      "complete -c ctrace -n 'contains -- -- (commandline -opc)' -x -a '(__fish_complete_subcommand)'\n", f);
	for (size_t i = 0; i < n_option_rows; i++) {
		const struct option_row *o = &option_rows[i];

		fputs("complete -c ctrace", f);
		if (o->letter)
			fprintf(f, " -s %c", o->letter);
		if (o->name)
			fprintf(f, " -l %s", o->name);
		fish_action(f, o);
		short_help(o, help, sizeof(help));
		fputs(" -d '", f);
		put_quoted(f, help, "");
		fputs("'\n", f);
	}
}

/* groff_man(7): a plain '-' is a hyphen and ' a typographic quote. */
static void put_roff(FILE *f, const char *s)
{
	for (; *s; s++) {
		if (*s == '-')
			fputs("\\-", f);
		else if (*s == '\\')
			fputs("\\e", f);
		else if (*s == '\'')
			fputs("\\(aq", f);
		else
			fputc(*s, f);
	}
}

static void write_man_options(FILE *f)
{
	char text[640];

	for (int group = 0; group < GROUP_MAX; group++) {
		fprintf(f, ".SS \"%s\"\n", option_group_titles[group]);
		for (size_t i = 0; i < n_option_rows; i++) {
			const struct option_row *o = &option_rows[i];

			if (o->group != (enum option_group)group)
				continue;
			option_head(o, text, sizeof(text));
			fputs(".TP\n.B \"", f);
			put_roff(f, text);
			fputs("\"\n", f);
			option_help_text(o, text, sizeof(text));
			put_roff(f, text);
			fputs(".\n", f);
		}
	}
}

const struct generated generated_files[] = {
	{ "completions/ctrace.bash", NULL, NULL, write_bash },
	{ "completions/_ctrace", NULL, NULL, write_zsh },
	{ "completions/ctrace.fish", NULL, NULL, write_fish },
	{ "ctrace.1", ".\\\" Options: made", ".\\\" End of options", write_man_options },
};
const unsigned n_generated_files = ARRAY_SIZE(generated_files);
