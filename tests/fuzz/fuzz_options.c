/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_cli */
/*
 * What stands on the command line, by the parser that the first byte names.
 * Scripts put names of others there: container names, paths. A message about
 * it is one line of printable text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/config.h"
#include "cli/parsers.h"
#include "cli/values.h"
#include "decode/touch.h"
#include "util/macros.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ARGV_MAX 64

static void check_message(const char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~') {
			fprintf(stderr, "a message that is not printable: %s\n", text);
			abort();
		}
}

/* Of a position that a parser tells: it lies in what was parsed. */
static void check_place(const char *text, const char *bad)
{
	if (bad < text || bad > text + strlen(text))
		abort();
}

static void parse_line(char *text)
{
	static char err[512];
	char *argv[ARGV_MAX + 2] = { (char *)"ctrace" }, *save;
	struct config config;
	int argc = 1;

	for (char *word = strtok_r(text, "\n", &save); word && argc < ARGV_MAX; word = strtok_r(NULL, "\n", &save))
		argv[argc++] = word;
	err[0] = '\0';
	/* What is said of it goes through say(), which makes it printable. */
	if (config_read(argc, argv, &config, err, sizeof(err)) == 0)
		config_done(&config);
	else if (!err[0])
		abort();
}

static void parse_calls(const char *text)
{
	static struct syscall_set set;
	char err[256] = "";

	if (syscall_set_parse(text, &set, err, sizeof(err)) < 0)
		check_message(err);
}

static void parse_fds(const char *text)
{
	struct fd_set_spec fds = { 0 };
	const char *bad = text;

	if (fd_set_parse(text, &fds, &bad) < 0)
		check_place(text, bad);
	else
		free(fds.fds);
}

static void parse_value(unsigned parser, const char *text)
{
	unsigned char columns[SUMMARY_COLUMNS + 1];
	const char *bad = text;
	uint64_t v;
	uint32_t set;
	int r = 0;

	switch (parser) {
	case 3:
		value_unsigned(text, 1000, &v);
		value_unsigned(text, UINT64_MAX, &v);
		break;
	case 4:
		value_duration(text, false, &v);
		value_duration(text, true, &v);
		break;
	case 5:
		value_size(text, &v);
		break;
	case 6:
		r = value_word_set(text, FDS_WORDS, &set, &bad);
		break;
	case 7:
		r = value_signal_set(text, &v, &bad);
		break;
	default:
		r = sink_columns_parse(text, columns, &bad);
	}
	if (r < 0)
		check_place(text, bad);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = NULL;
	unsigned parser, stars = 0;

	if (size < 1)
		return -1;
	parser = data[0] % 9;
	text = malloc(size);
	if (!text)
		abort();
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	/* Regular expressions of one's own are compiled by libc, which takes years for some. */
	for (const char *p = text; *p; p++)
		stars += *p == '{' || *p == '*' || *p == '+' || *p == '\\';
	if (strchr(text, '/') && stars > 2)
		return -1;
	if (parser == 0)
		parse_line(text);
	else if (parser == 1)
		parse_calls(text);
	else if (parser == 2)
		parse_fds(text);
	else
		parse_value(parser, text);
	return 0;
}
