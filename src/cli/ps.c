/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ctrace ps: the containers that run, as a table or as JSON. */
#include "cli/ps.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/announce.h"
#include "cli/message.h"
#include "output/json_util.h"
#include "util/escape.h"
#include "util/macros.h"

#define NSEC      UINT64_C(1000000000)
#define GAP       3             /* blanks between columns */

/* Of --pid: what was asked for. 0: all containers. */
struct asked {
	pid_t pid, inside;
};

enum column { COL_ID, COL_NAME, COL_POD, COL_KIND, COL_RUNTIME, COL_TASKS, COL_PID, COL_AGE, COL_CGROUP, COL_PROCESS, COL_INSIDE, COL_MAX };

static const char *const titles[COL_MAX] = {
	"CONTAINER ID", "NAME", "POD", "KIND", "RUNTIME", "TASKS", "PID", "AGE", "CGROUP", "PROCESS", "INSIDE",
};

/* From left to right; with --pid all of them. */
static const enum column order[] = { COL_PROCESS, COL_INSIDE, COL_ID, COL_NAME, COL_POD, COL_KIND, COL_RUNTIME, COL_TASKS, COL_PID, COL_AGE, COL_CGROUP };
#define ONLY_ASKED 2            /* so many of them are for --pid alone */

struct row {
	struct strbuf cells[COL_MAX];
};

struct table {
	struct row *rows;
	size_t n;
	size_t width[COL_MAX];
	bool kinds;             /* some are told apart within their pods */
};

static void table_done(struct table *t)
{
	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < COL_MAX; k++)
			strbuf_done(&t->rows[i].cells[k]);
	free(t->rows);
}

/* When its first process was started, on CLOCK_BOOTTIME in nanoseconds; 0: not known. */
static uint64_t started(const struct target *t)
{
	long ticks = sysconf(_SC_CLK_TCK);

	if (!t->init_start || ticks <= 0)
		return 0;
	return t->init_start / (uint64_t)ticks * NSEC + t->init_start % (uint64_t)ticks * (NSEC / (uint64_t)ticks);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	return clock_gettime(clock, &ts) < 0 ? 0 : (uint64_t)ts.tv_sec * NSEC + (uint64_t)ts.tv_nsec;
}

/* 45s, 12m, 3h, 9d: as kubectl rounds. */
static void put_age(struct strbuf *cell, const struct target *t)
{
	static const struct {
		uint64_t from, seconds;
		char letter;
	} units[] = { { 2 * 86400, 86400, 'd' }, { 3 * 3600, 3600, 'h' }, { 180, 60, 'm' }, { 0, 1, 's' } };
	uint64_t start = started(t), now = clock_ns(CLOCK_BOOTTIME), age;
	size_t i = 0;

	if (!start || now < start)
		return;
	age = (now - start) / NSEC;
	while (age < units[i].from)
		i++;
	strbuf_udec(cell, age / units[i].seconds);
	strbuf_char(cell, units[i].letter);
}

static void put_text(struct strbuf *cell, const char *text)
{
	if (text)
		escape_plain(cell, text, strlen(text), " ");
}

static void put_number(struct strbuf *cell, uint64_t v)
{
	if (v)
		strbuf_udec(cell, v);
}

static void fill_row(struct row *row, const struct target *t, const struct target_label *l, const struct asked *asked)
{
	struct strbuf *c = row->cells;

	if (l->id)
		escape_plain(&c[COL_ID], l->id, container_short_id(l->id), " ");
	put_text(&c[COL_NAME], t->container ? t->container->name : NULL);
	if (l->pod) {
		put_text(&c[COL_POD], l->pod_namespace);
		if (l->pod_namespace)
			strbuf_char(&c[COL_POD], '/');
		put_text(&c[COL_POD], l->pod);
	}
	put_text(&c[COL_KIND], l->pod_kind);
	put_text(&c[COL_RUNTIME], l->runtime);
	if (t->container && t->container->kernel) {
		strbuf_char(&c[COL_RUNTIME], '(');
		put_text(&c[COL_RUNTIME], t->container->kernel);
		strbuf_char(&c[COL_RUNTIME], ')');
	}
	strbuf_udec(&c[COL_TASKS], t->n_tasks);
	put_number(&c[COL_PID], (uint64_t)t->init_pid);
	put_age(&c[COL_AGE], t);
	put_text(&c[COL_CGROUP], l->cgroup);
	put_number(&c[COL_PROCESS], (uint64_t)asked->pid);
	put_number(&c[COL_INSIDE], (uint64_t)asked->inside);
}

static void measure(struct table *t)
{
	for (size_t k = 0; k < COL_MAX; k++)
		t->width[k] = strlen(titles[k]);
	for (size_t i = 0; i < t->n; i++) {
		t->kinds |= t->rows[i].cells[COL_KIND].len > 0;
		for (size_t k = 0; k < COL_MAX; k++) {
			if (!t->rows[i].cells[k].len)
				strbuf_char(&t->rows[i].cells[k], '-');
			t->width[k] = MAX(t->width[k], t->rows[i].cells[k].len);
		}
	}
}

/* row NULL: the titles. */
static void put_line(struct strbuf *out, const struct table *t, struct row *row, bool asked)
{
	for (size_t i = asked ? 0 : ONLY_ASKED; i < ARRAY_SIZE(order); i++) {
		enum column k = order[i];
		size_t start = out->len;

		if (k == COL_KIND && !t->kinds)
			continue;
		strbuf_str(out, row ? strbuf_cstr(&row->cells[k]) : titles[k]);
		if (i + 1 < ARRAY_SIZE(order))
			strbuf_pad(out, start, t->width[k] + GAP);
	}
	strbuf_char(out, '\n');
}

static int put_table(struct strbuf *out, const struct target *v, const struct target_label *labels, size_t n, const struct asked *asked)
{
	_cleanup_(table_done) struct table t = { .rows = calloc(n + 1, sizeof(*t.rows)), .n = n };

	if (!t.rows)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		fill_row(&t.rows[i], &v[i], &labels[i], asked);
	measure(&t);
	put_line(out, &t, NULL, asked->pid);
	for (size_t i = 0; i < n; i++)
		put_line(out, &t, &t.rows[i], asked->pid);
	return 0;
}

static void put_json(struct strbuf *out, const struct target *t, const struct target_label *l, const struct asked *asked)
{
	uint64_t start = started(t);

	strbuf_lit(out, "{\"type\":\"running\"");
	json_origin(out, l);
	json_count(out, "tasks", t->n_tasks);
	if (t->init_pid)
		json_count(out, "init_host_pid", (uint64_t)t->init_pid);
	if (start) {
		strbuf_lit(out, ",\"started\":");
		json_time(out, start, (int64_t)(clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_BOOTTIME)));
	}
	json_put_text(out, "cgroup", l->cgroup[0] ? l->cgroup : NULL);
	json_put_text(out, "kernel", t->container ? t->container->kernel : NULL);
	if (asked->pid) {
		json_count(out, "host_pid", (uint64_t)asked->pid);
		strbuf_lit(out, ",\"pid\":");
		if (asked->inside)
			strbuf_udec(out, (uint64_t)asked->inside);
		else
			strbuf_lit(out, "null");
	}
	strbuf_lit(out, "}\n");
}

static int print(const struct config *c, const struct target_list *list, const struct asked *asked)
{
	_cleanup_free_ struct target_label *labels = labels_make(list, c);
	_cleanup_(strbuf_done) struct strbuf out = { 0 };
	int r = 0;

	if (!labels)
		return -ENOMEM;
	if (c->output.format && !strcmp(c->output.format, "json"))
		for (size_t i = 0; i < list->n; i++)
			put_json(&out, &list->v[i], &labels[i], asked);
	else
		r = put_table(&out, list->v, labels, list->n, asked);
	if (r < 0 || out.failed)
		return -ENOMEM;
	if (fwrite(out.buf, 1, out.len, stdout) != out.len || fflush(stdout))
		return -errno;
	return 0;
}

static void say_doubts(const struct list_doubts *d)
{
	if (d->denied)
		say("some runtimes' files can be read by root only: containers may be missing, or their names");
	if (d->daemon)
		say("%s: names may be missing", d->daemon);
	if (d->remote)
		say("%s is not a unix:// socket: these are the containers of this machine", d->remote);
}

/* 0, 1 when it was said why not, or a negative errno. */
static int look(const struct config *c, const struct target_env *env, struct target_list *list, struct asked *asked)
{
	_cleanup_(list_doubts_done) struct list_doubts doubts = { 0 };
	int r;

	if (!asked->pid) {
		r = containers_list(env, list, &doubts);
		if (!r && !c->quiet)
			say_doubts(&doubts);
		return r;
	}
	list->v = calloc(1, sizeof(*list->v));
	if (!list->v)
		return -ENOMEM;
	r = container_of_pid(env, asked->pid, say_line, NULL, &list->v[0], &asked->inside);
	list->n = 1;
	return r;
}

int ps(const struct config *c)
{
	_cleanup_(target_env_done) struct target_env env = { .proc_fd = -1 };
	_cleanup_(target_list_done) struct target_list list = { 0 };
	struct asked asked = { .pid = c->ps_pid };
	int r = target_env_open(c->proc, c->cgroupfs, &env);

	if (r < 0) {
		say("cannot use %s as the host's procfs: %s", c->proc ? c->proc : "/proc", strerror(-r));
		return 1;
	}
	r = look(c, &env, &list, &asked);
	if (r < 0)
		say("cannot look for containers: %s", strerror(-r));
	if (r)
		return 1;
	r = print(c, &list, &asked);
	if (r < 0)
		say("cannot write: %s", strerror(-r));
	return r < 0;
}
