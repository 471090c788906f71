/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CLI_GENERATE_H
#define CTRACE_CLI_GENERATE_H
/* Files in deploy/ that are made from the option table. A unit test holds them against it. */
#include <stdio.h>

struct generated {
	const char *path;               /* below deploy/ */
	/* The part of the file between the lines that begin with these; NULL: the whole file. */
	const char *begin, *end;
	void (*write)(FILE *f);
};

extern const struct generated generated_files[];
extern const unsigned n_generated_files;

#endif
