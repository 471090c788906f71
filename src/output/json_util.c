/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "output/json_util.h"

#include "util/macros.h"

#define NSEC 1000000000

void json_time(struct strbuf *sb, uint64_t time, int64_t wall_offset)
{
	int64_t wall = MAX((int64_t)time + wall_offset, 0);

	strbuf_char(sb, '"');
	strbuf_udec(sb, (uint64_t)wall / NSEC);
	strbuf_char(sb, '.');
	strbuf_udec_width(sb, (uint64_t)wall % NSEC, 9, '0');
	strbuf_char(sb, '"');
}

void json_count(struct strbuf *sb, const char *name, uint64_t v)
{
	if (sb->len && sb->buf[sb->len - 1] != '{')
		strbuf_char(sb, ',');
	strbuf_char(sb, '"');
	strbuf_str(sb, name);
	strbuf_lit(sb, "\":");
	strbuf_udec(sb, MIN(v, JSON_INT_MAX));
}
