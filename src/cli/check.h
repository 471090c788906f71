/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CLI_CHECK_H
#define CTRACE_CLI_CHECK_H
/* ctrace check */
#include "cli/config.h"

/* Prints what there is and what is missing, with its remedy. The exit status: 0 only when tracing works. */
int check_machine(const struct config *c);

#endif
