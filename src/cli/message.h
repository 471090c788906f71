/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CLI_MESSAGE_H
#define CTRACE_CLI_MESSAGE_H
#include "util/macros.h"

/*
 * One line on standard error, "ctrace: " before it, in one write so that it
 * is not torn by others who write there. Whatever the text holds, nothing but
 * printable ASCII reaches the terminal: other bytes become \ooo.
 */
void say(const char *format, ...) _printf_(1, 2);
/* The same, as the resolver of targets reports. */
void say_line(const char *line, void *data);

#endif
