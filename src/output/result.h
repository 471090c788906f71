/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_OUTPUT_RESULT_H
#define CTRACE_OUTPUT_RESULT_H
/* What stands behind the arguments of a call in a line of text: ") = -1 ENOENT (No such file or directory) <0.000041>". */
#include "output/prefix.h"

/*
 * line: where in sb the line begins, of which width columns are in the output
 * already. detail: what stands in parentheses behind the result; NULL: nothing.
 */
void result_write(struct prefix *p, struct strbuf *sb, const struct call *c, const struct strbuf *detail, size_t line, size_t width);

#endif
