/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CLI_PS_H
#define CTRACE_CLI_PS_H
/* ctrace ps */
#include "cli/config.h"

/* Prints the containers that run, or with --pid the one that a process is in. The exit status. */
int ps(const struct config *c);

#endif
