/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "output/json_util.h"

#include "util/escape.h"
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

/* "name": with a comma before it unless it is the first. */
static void put_name(struct strbuf *sb, const char *name)
{
	if (sb->len && sb->buf[sb->len - 1] != '{')
		strbuf_char(sb, ',');
	strbuf_char(sb, '"');
	strbuf_str(sb, name);
	strbuf_lit(sb, "\":");
}

void json_count(struct strbuf *sb, const char *name, uint64_t v)
{
	put_name(sb, name);
	strbuf_udec(sb, MIN(v, JSON_INT_MAX));
}

void json_put_text(struct strbuf *sb, const char *name, const char *value)
{
	if (!value)
		return;
	put_name(sb, name);
	json_quote(sb, value, strlen(value));
}

void json_origin(struct strbuf *sb, const struct target_label *l)
{
	if (l->is_container) {
		strbuf_lit(sb, ",\"container\":{");
		json_put_text(sb, "id", l->id);
		json_put_text(sb, "name", l->name);
		json_put_text(sb, "runtime", l->runtime);
		json_put_text(sb, "image", l->image);
		strbuf_char(sb, '}');
	}
	if (l->pod) {
		strbuf_lit(sb, ",\"pod\":{");
		json_put_text(sb, "namespace", l->pod_namespace);
		json_put_text(sb, "name", l->pod);
		json_put_text(sb, "uid", l->pod_uid);
		json_put_text(sb, "container", l->pod_container);
		json_put_text(sb, "kind", l->pod_kind);
		strbuf_char(sb, '}');
	}
}
