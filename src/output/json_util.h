/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_OUTPUT_JSON_UTIL_H
#define CTRACE_OUTPUT_JSON_UTIL_H
/* Pieces of JSON that several records share. docs: ctrace.schema.json. */
#include <stdint.h>

#include "output/sink.h"
#include "util/strbuf.h"

/* Doubles hold integers up to here, and most readers of JSON know nothing else. */
#define JSON_INT_MAX (UINT64_C(1) << 53)

/* "1764640000.123456789", from CLOCK_BOOTTIME. */
void json_time(struct strbuf *sb, uint64_t time, int64_t wall_offset);
/* "name":7, with a comma before it unless it is the first in its object. What exceeds JSON_INT_MAX is told as that. */
void json_count(struct strbuf *sb, const char *name, uint64_t v);
/* The same with a string; nothing for NULL. */
void json_put_text(struct strbuf *sb, const char *name, const char *value);
/* ,"container":{...},"pod":{...} as far as there are any. */
void json_origin(struct strbuf *sb, const struct target_label *l);
/* The coverage record. */
void coverage_put_json(struct strbuf *sb, const struct coverage *c, int64_t wall_offset);

#endif
