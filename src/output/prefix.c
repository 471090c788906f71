/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "output/emit_text.h"
#include "output/prefix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/escape.h"
#include "util/macros.h"

#define NSEC 1000000000u

static const uint32_t powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000 };

int prefix_init(struct prefix *p, const struct run_info *run, const struct tasks *tasks, bool color)
{
	*p = (struct prefix){ .run = run, .tasks = tasks, .color = color, .to_file = run->opts->path };
	if (!run->n_targets)
		return 0;
	p->labels = calloc(run->n_targets, sizeof(*p->labels));
	if (!p->labels)
		return -ENOMEM;
	for (size_t i = 0; i < run->n_targets; i++) {
		int r = prefix_relabel(p, (uint32_t)i);

		if (r < 0)
			return r;
	}
	return 0;
}

/* How much of NAMESPACE/POD/CONTAINER is the pod. */
static size_t pod_length(const char *path)
{
	size_t n = strcspn(path, "/");

	return path[n] ? n + 1 + strcspn(path + n + 1, "/") : n;
}

/* Replicas have containers of the same name, so these say nothing among several pods. */
static bool names_pods(const struct run_info *run)
{
	const char *first = NULL;

	for (size_t i = 0; i < run->n_targets; i++) {
		const char *path = run->targets[i].pod_path;

		if (run->targets[i].many_pods)
			return true;
		if (!path)
			continue;
		if (!first)
			first = path;
		if (pod_length(first) != pod_length(path) || memcmp(first, path, pod_length(path)) != 0)
			return true;
	}
	return run->opts->always_pod;
}

void target_title(const struct run_info *run, uint32_t target, const char *escaped, struct strbuf *sb)
{
	const struct target_label *l = &run->targets[target];

	if (l->pod_path && names_pods(run)) {
		const char *pod = l->pod_path + strcspn(l->pod_path, "/");

		pod += *pod == '/';
		escape_plain(sb, pod, strcspn(pod, "/"), escaped);
		strbuf_char(sb, '/');
	}
	if (l->name)
		escape_plain(sb, l->name, strlen(l->name), escaped);
}

int prefix_relabel(struct prefix *p, uint32_t target)
{
	if (target >= p->run->n_targets)
		return 0;
	strbuf_reset(&p->labels[target]);
	target_title(p->run, target, " []", &p->labels[target]);
	return p->labels[target].failed ? -ENOMEM : 0;
}

void prefix_done(struct prefix *p)
{
	if (p->labels)
		for (size_t i = 0; i < p->run->n_targets; i++)
			strbuf_done(&p->labels[i]);
	free(p->labels);
	p->labels = NULL;
}

void prefix_label(const struct prefix *p, struct strbuf *sb, uint32_t target)
{
	if (target < p->run->n_targets)
		strbuf_bytes(sb, p->labels[target].buf, p->labels[target].len);
}

void prefix_paint(struct prefix *p, struct strbuf *sb, enum paint paint)
{
	static const char codes[][8] = {
		[PAINT_OFF] = "\033[0m",    [PAINT_PREFIX] = "\033[36m", [PAINT_NAME] = "\033[1m",
		[PAINT_ERROR] = "\033[31m", [PAINT_EVENT] = "\033[33m",
	};

	if (!p->color)
		return;
	strbuf_str(sb, codes[paint]);
	p->invisible += strlen(codes[paint]);
}

void put_fraction(struct strbuf *sb, uint32_t ns, unsigned digits)
{
	if (!digits || digits > 9)
		return;
	strbuf_char(sb, '.');
	strbuf_udec_width(sb, ns / powers[9 - digits], digits, '0');
}

/* The number by which the task is known; nothing stands before it. */
static void put_number(const struct prefix *p, struct strbuf *sb, const struct task *t)
{
	size_t start = sb->len, width;
	char *room;

	if (p->run->opts->pids == PIDS_HOST) {
		strbuf_udec(sb, t->host_tid);
	} else if (!t->tid) {
		strbuf_lit(sb, "host:");
		strbuf_udec(sb, t->host_tid);
	} else {
		strbuf_udec(sb, t->tid);
		if (p->run->opts->pids == PIDS_BOTH) {
			strbuf_char(sb, '/');
			strbuf_udec(sb, t->host_tid);
		}
	}
	width = sb->len - start;
	if (width >= 5)
		return;
	if (p->to_file) {
		/* With the comm behind it strace leaves the padding out. */
		if (!p->run->opts->comm || !t->comm[0])
			strbuf_pad(sb, start, 5);
		return;
	}
	room = strbuf_room(sb, 5 - width);
	if (!room)
		return;
	memmove(sb->buf + start + 5 - width, sb->buf + start, width);
	memset(sb->buf + start, ' ', 5 - width);
	sb->len += 5 - width;
}

/* Whether a line of this task at this time names it. */
static bool wants_pid(const struct prefix *p, const struct task *t, uint64_t time)
{
	const struct run_info *run = p->run;

	if (run->opts->separate && p->to_file)
		return run->opts->always_pid;
	if (p->to_file || run->opts->always_pid || run->n_targets != 1)
		return true;
	if (t->target != 0 || !run->targets[0].plain_prefix)
		return true;
	return tasks_alive_at(p->tasks, time) > 1;
}

static bool shows_target(const struct run_info *run, uint32_t target)
{
	return target < run->n_targets && (run->n_targets > 1 || (run->opts->always_pod && run->targets[target].pod_path));
}

static void put_pid(struct prefix *p, struct strbuf *sb, const struct task *t)
{
	prefix_paint(p, sb, PAINT_PREFIX);
	if (shows_target(p->run, t->target)) {
		prefix_label(p, sb, t->target);
		strbuf_char(sb, ' ');
	}
	if (!p->to_file)
		strbuf_lit(sb, "[pid ");
	put_number(p, sb, t);
	if (p->run->opts->comm && t->comm[0]) {
		strbuf_char(sb, '<');
		escape_plain(sb, t->comm, strnlen(t->comm, CT_COMM_LEN), "<>");
		strbuf_char(sb, '>');
	}
	if (!p->to_file)
		strbuf_char(sb, ']');
	prefix_paint(p, sb, PAINT_OFF);
	strbuf_char(sb, ' ');
}

static void put_clock(struct prefix *p, struct strbuf *sb, int64_t second)
{
	time_t t = (time_t)second;
	struct tm tm;

	if (!p->clock_valid || p->clock_second != second) {
		unsigned v[3];

		if (!localtime_r(&t, &tm)) {
			strbuf_dec(sb, second);
			return;
		}
		v[0] = (unsigned)tm.tm_hour;
		v[1] = (unsigned)tm.tm_min;
		v[2] = (unsigned)tm.tm_sec;
		memcpy(p->clock, "00:00:00", 8);
		for (int i = 0; i < 3; i++) {
			p->clock[i * 3] = (char)('0' + v[i] / 10 % 10);
			p->clock[i * 3 + 1] = (char)('0' + v[i] % 10);
		}
		p->clock_second = second;
		p->clock_valid = true;
	}
	strbuf_bytes(sb, p->clock, sizeof(p->clock));
}

static void put_stamp(struct prefix *p, struct strbuf *sb, uint64_t time)
{
	static const struct { bool unix_time; unsigned digits; } forms[] = {
		[STAMP_TIME] = { false, 0 },   [STAMP_TIME_MS] = { false, 3 }, [STAMP_TIME_US] = { false, 6 },
		[STAMP_TIME_NS] = { false, 9 }, [STAMP_UNIX] = { true, 0 },    [STAMP_UNIX_MS] = { true, 3 },
		[STAMP_UNIX_US] = { true, 6 },  [STAMP_UNIX_NS] = { true, 9 },
	};
	enum stamp_mode mode = p->run->opts->stamp;
	int64_t wall = (int64_t)time + p->run->wall_offset;
	int64_t second = wall / NSEC;

	if (mode == STAMP_NONE || (unsigned)mode >= ARRAY_SIZE(forms))
		return;
	if (wall < 0)
		wall = second = 0;
	if (forms[mode].unix_time)
		strbuf_dec(sb, second);
	else
		put_clock(p, sb, second);
	put_fraction(sb, (uint32_t)(wall % NSEC), forms[mode].digits);
	strbuf_char(sb, ' ');
}

/* How long before this time the line before it, in the order of times, was. */
static uint64_t since_last(struct prefix *p, uint64_t time)
{
	unsigned i = p->n_stamps;
	uint64_t last;

	while (i > 0 && p->stamps[i - 1] > time)
		i--;
	last = i ? p->stamps[i - 1] : time;
	if (p->n_stamps == RECENT_STAMPS) {
		if (i == 0)
			return 0;       /* older than all that is remembered */
		memmove(p->stamps, p->stamps + 1, (i - 1) * sizeof(p->stamps[0]));
		i--;
	} else {
		memmove(p->stamps + i + 1, p->stamps + i, (p->n_stamps - i) * sizeof(p->stamps[0]));
		p->n_stamps++;
	}
	p->stamps[i] = time;
	return time - last;
}

static void put_relative(struct prefix *p, struct strbuf *sb, uint64_t time)
{
	bool stamped = p->run->opts->stamp != STAMP_NONE;
	uint64_t d = since_last(p, time);

	if (stamped)
		strbuf_lit(sb, "(+");
	strbuf_udec_width(sb, d / NSEC, 6, ' ');
	put_fraction(sb, (uint32_t)(d % NSEC), p->run->opts->relative_digits);
	if (stamped)
		strbuf_char(sb, ')');
	strbuf_char(sb, ' ');
}

static void put_times(struct prefix *p, struct strbuf *sb, uint64_t time)
{
	if (!time)
		time = p->run->since;
	put_stamp(p, sb, time);
	if (p->run->opts->relative)
		put_relative(p, sb, time);
}

void prefix_write_stamp(struct prefix *p, struct strbuf *sb, uint64_t time)
{
	p->invisible = 0;
	put_times(p, sb, time);
}

static void put_secontext(const struct prefix *p, struct strbuf *sb, const struct task *t)
{
	struct secontexts *s = p->run->opts->decode.secontexts;
	char context[SECONTEXT_MAX];

	if (!s->process(s, t, context, sizeof(context)))
		return;
	emit_text_secontext(sb, context);
	strbuf_char(sb, ' ');
}

/* Digits as the task's pointers have; what is not known as question marks. */
static void put_ip(struct strbuf *sb, const struct prefix_place *at)
{
	unsigned digits = at->compat ? 8 : 16;

	strbuf_char(sb, '[');
	if (at->ip)
		strbuf_hex_digits(sb, at->ip, digits);
	else
		strbuf_bytes(sb, "????????????????", digits);
	strbuf_lit(sb, "] ");
}

void prefix_write(struct prefix *p, struct strbuf *sb, const struct task *t, uint64_t time, const struct prefix_place *at)
{
	p->invisible = 0;
	if (wants_pid(p, t, time))
		put_pid(p, sb, t);
	put_times(p, sb, time);
	if (p->run->opts->syscall_number) {
		strbuf_char(sb, '[');
		/* As strace: of a task without a call 0, of the call -1 question marks. */
		if (at->nr == UINT32_MAX)
			strbuf_lit(sb, "???");
		else
			strbuf_udec_width(sb, at->nr < 0 ? 0 : (uint64_t)at->nr, 4, ' ');
		strbuf_lit(sb, "] ");
	}
	if (p->run->opts->ip)
		put_ip(sb, at);
	if (p->run->opts->decode.secontexts)
		put_secontext(p, sb, t);
}
