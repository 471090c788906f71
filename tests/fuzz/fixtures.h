/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TESTS_FUZZ_FIXTURES_H
#define CTRACE_TESTS_FUZZ_FIXTURES_H
#include <stddef.h>

/* The regular files below a directory, sorted; the program ends when that fails. They hold until the next call. */
char **fixture_files(const char *directory, size_t *ret_n);

#endif
