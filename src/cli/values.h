/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CLI_VALUES_H
#define CTRACE_CLI_VALUES_H
/* Values as they are written on the command line. All return 0 or -EINVAL. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decimal digits and nothing else, at most max. */
int value_unsigned(const char *text, uint64_t max, uint64_t *ret);
/* 10ms, 1.5s, 500us, 2m, 1h; a bare number is seconds unless a unit is needed. More than 0. */
int value_duration(const char *text, bool need_unit, uint64_t *ret_ns);
/* 65536, 64K, 8M, 1G (powers of 1024; KiB, KB and so on mean the same). */
int value_size(const char *text, uint64_t *ret);
/* Which word of a list that is separated by blanks. */
int value_word(const char *text, size_t len, const char *words, unsigned *ret_index);
/*
 * A set of words, separated by commas, with all, none and a leading !, as
 * strace reads it; word n of the list is bit n. On failure *ret_bad points to
 * the word that is none.
 */
int value_word_set(const char *text, const char *words, uint32_t *ret_set, const char **ret_bad);
/* A set of signals: names with or without SIG, numbers; signal n is bit n - 1. */
int value_signal_set(const char *text, uint64_t *ret_set, const char **ret_bad);

#endif
