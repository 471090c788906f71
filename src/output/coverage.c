/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The coverage statement, as a line and as JSON: what each number means is in DESIGN's "the rules". */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "output/json_util.h"
#include "output/prefix.h"
#include "output/sink.h"
#include "util/escape.h"
#include "util/macros.h"

#define NSEC 1000000000

static void put_count(struct strbuf *sb, uint64_t n, const char *what)
{
	strbuf_udec(sb, n);
	strbuf_char(sb, ' ');
	strbuf_str(sb, what);
}

/* Only when there is something to say. */
static void put_if(struct strbuf *sb, uint64_t n, const char *what)
{
	if (!n)
		return;
	strbuf_lit(sb, ", ");
	put_count(sb, n, what);
}

/* Local time, 02:06:11.706 */
static void put_since(struct strbuf *sb, uint64_t since, int64_t wall_offset)
{
	int64_t wall = MAX((int64_t)since + wall_offset, 0);
	time_t t = (time_t)(wall / NSEC);
	char buf[16];
	struct tm tm;

	if (localtime_r(&t, &tm) && strftime(buf, sizeof(buf), "%H:%M:%S", &tm))
		strbuf_str(sb, buf);
	else
		strbuf_dec(sb, wall / NSEC);
	put_fraction(sb, (uint32_t)(wall % NSEC), 3);
}

static void put_tasks(struct strbuf *sb, const struct coverage *c)
{
	uint64_t all = c->tasks.at_start + c->tasks.by_rescan + c->tasks.by_fork + c->tasks.by_move +
		       c->tasks.on_first_call + c->tasks.late;

	put_count(sb, all, all == 1 ? "task (" : "tasks (");
	put_count(sb, c->tasks.at_start, "at start, ");
	put_count(sb, c->tasks.by_rescan, "by rescan, ");
	put_count(sb, c->tasks.by_fork, "by fork, ");
	put_count(sb, c->tasks.by_move, "by move, ");
	put_count(sb, c->tasks.on_first_call, "on first call");
	put_if(sb, c->tasks.late, "late");
	strbuf_lit(sb, "), ");
	put_count(sb, c->tasks.ended, "ended");
	put_if(sb, c->tasks.left, "left");
}

static void put_calls(struct strbuf *sb, const struct coverage *c)
{
	put_count(sb, c->calls.seen, c->narrow ? "named calls seen = " : "calls seen = ");
	put_count(sb, c->calls.delivered, "delivered + ");
	put_count(sb, c->calls.filtered, "filtered + ");
	put_count(sb, c->calls.lost_ring_full + c->calls.lost_too_big, "lost; ");
	put_count(sb, c->calls.in_flight, "in flight");
	put_if(sb, c->calls.begun_before, "begun before");
	put_if(sb, c->calls.degraded, "degraded");
}

static void put_ms(struct strbuf *sb, uint64_t ns)
{
	strbuf_udec(sb, ns / 1000000);
	put_fraction(sb, (uint32_t)(ns % 1000000 * 1000), 1);
	strbuf_lit(sb, " ms");
}

static void put_frozen(struct strbuf *sb, const struct coverage *c)
{
	if (!c->frozen.asked)
		return;
	strbuf_lit(sb, "; frozen ");
	put_count(sb, c->frozen.times, c->frozen.times == 1 ? "time, " : "times, ");
	put_ms(sb, c->frozen.total_ns);
	strbuf_lit(sb, " in all, ");
	put_ms(sb, c->frozen.longest_ns);
	strbuf_lit(sb, " at most");
	if (c->frozen.yielded)
		put_if(sb, c->frozen.yielded, c->frozen.yielded == 1 ? "limit reached" : "limits reached");
}

size_t coverage_line(const struct coverage *c, int64_t wall_offset, char *buf, size_t size)
{
	struct strbuf sb = { 0 };
	size_t n;

	strbuf_lit(&sb, "coverage ");
	if (c->complete) {
		strbuf_lit(&sb, "complete since ");
		put_since(&sb, c->since, wall_offset);
	} else {
		strbuf_lit(&sb, "incomplete (");
		for (unsigned i = 0; i < MIN(c->n_why, ARRAY_SIZE(c->why)); i++) {
			if (i)
				strbuf_lit(&sb, "; ");
			escape_plain(&sb, c->why[i], strnlen(c->why[i], sizeof(c->why[i])), NULL);
		}
		strbuf_char(&sb, ')');
	}
	strbuf_lit(&sb, ": ");
	put_tasks(&sb, c);
	strbuf_lit(&sb, "; ");
	put_calls(&sb, c);
	if (c->narrow)
		strbuf_lit(&sb, "; --narrow: other calls, int 0x80 and what seccomp denies are not seen");
	put_frozen(&sb, c);
	n = sb.failed || !size ? 0 : MIN(sb.len, size - 1);
	if (n)
		memcpy(buf, sb.buf, n);
	if (size)
		buf[n] = '\0';
	strbuf_done(&sb);
	return n;
}

void coverage_put_json(struct strbuf *sb, const struct coverage *c, int64_t wall_offset)
{
	strbuf_lit(sb, "{\"type\":\"coverage\",\"complete\":");
	strbuf_str(sb, c->complete ? "true" : "false");
	strbuf_lit(sb, ",\"why\":[");
	for (unsigned i = 0; i < MIN(c->n_why, ARRAY_SIZE(c->why)); i++) {
		if (i)
			strbuf_char(sb, ',');
		json_quote(sb, c->why[i], strnlen(c->why[i], sizeof(c->why[i])));
	}
	strbuf_lit(sb, "],\"since\":");
	json_time(sb, c->since, wall_offset);
	strbuf_lit(sb, ",\"tasks\":{");
	json_count(sb, "at_start", c->tasks.at_start);
	json_count(sb, "by_rescan", c->tasks.by_rescan);
	json_count(sb, "by_fork", c->tasks.by_fork);
	json_count(sb, "by_move", c->tasks.by_move);
	json_count(sb, "on_first_call", c->tasks.on_first_call);
	json_count(sb, "late", c->tasks.late);
	json_count(sb, "ended", c->tasks.ended);
	json_count(sb, "left", c->tasks.left);
	strbuf_lit(sb, "},\"calls\":{");
	json_count(sb, "seen", c->calls.seen);
	json_count(sb, "delivered", c->calls.delivered);
	json_count(sb, "filtered", c->calls.filtered);
	strbuf_lit(sb, ",\"lost\":{");
	json_count(sb, "ring_full", c->calls.lost_ring_full);
	json_count(sb, "too_big", c->calls.lost_too_big);
	/* A call whose state could not be kept is recorded all the same (degraded): by construction none is lost. */
	json_count(sb, "no_state", 0);
	strbuf_char(sb, '}');
	json_count(sb, "in_flight", c->calls.in_flight);
	json_count(sb, "begun_before", c->calls.begun_before);
	json_count(sb, "degraded", c->calls.degraded);
	json_count(sb, "written", c->written);
	strbuf_char(sb, '}');
	if (c->narrow)
		strbuf_lit(sb, ",\"narrow\":true");
	if (c->frozen.asked) {
		strbuf_lit(sb, ",\"frozen\":{");
		json_count(sb, "times", c->frozen.times);
		json_count(sb, "total", c->frozen.total_ns);
		json_count(sb, "longest", c->frozen.longest_ns);
		json_count(sb, "yielded", c->frozen.yielded);
		strbuf_char(sb, '}');
	}
	strbuf_char(sb, '}');
}

char *coverage_json(const struct coverage *c, int64_t wall_offset)
{
	struct strbuf sb = { 0 };
	char *copy = NULL;

	coverage_put_json(&sb, c, wall_offset);
	if (!sb.failed)
		copy = strndup(sb.buf, sb.len);
	strbuf_done(&sb);
	return copy;
}
