/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TARGET_SELECTOR_H
#define CTRACE_TARGET_SELECTOR_H
/*
 * Label selectors, as kubectl -l takes them (kubernetes.io/docs/concepts/overview/working-with-objects/labels):
 * requirements divided by commas, all of which must hold: KEY, !KEY, KEY=VALUE, KEY==VALUE, KEY!=VALUE,
 * KEY in (A,B), KEY notin (A,B), KEY>N, KEY<N. "!=" and "notin" also hold where there is no such label.
 */
#include <stdbool.h>

#include "util/macros.h"

struct selector;

/* 0, -ENOMEM, or -EINVAL with *ret_why: what is wrong, a constant text without a dot. */
int selector_parse(const char *text, struct selector **ret_selector, const char **ret_why);
void selector_free(struct selector *s);
DEFINE_CLEANUP(struct selector *, selector_free)

/* get: the value of a label, NULL where there is none. */
bool selector_matches(const struct selector *s, const char *(*get)(const char *key, const void *data), const void *data);

#endif
