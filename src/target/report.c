/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One line each for what --container could not resolve. */
#include <errno.h>
#include <string.h>

#include "ns/array.h"
#include "target/lookup.h"
#include "util/escape.h"
#include "util/macros.h"

#define SHOWN 8         /* containers in one line */
#define LOOKED_AT 256   /* containers whose life is looked at for a list */
#define NAME_MAX_LEN 64 /* of names that are compared */

size_t container_short_id(const char *id)
{
	size_t n = strlen(id);

	return n == 64 ? 12 : n;
}

/* docker web (9c6eb891676c), runc ctr1, containerd default/web, k8s default/web-0/nginx (9c6eb891676c) */
static void describe(struct strbuf *line, const struct container_entry *e)
{
	/* podman's pods have no namespace, and their containers names of their own. */
	bool pod = e->pod && e->pod_namespace && e->pod_container;
	const char *runtime = pod ? "k8s" : e->runtime;

	if (*runtime) {
		strbuf_str(line, runtime);
		strbuf_char(line, ' ');
	}
	if (pod) {
		line_text(line, e->pod_namespace);
		strbuf_char(line, '/');
		line_text(line, e->pod);
		strbuf_char(line, '/');
		line_text(line, e->pod_container);
	} else if (e->name) {
		line_text(line, e->name);
	} else {
		if (e->space) {
			line_text(line, e->space);
			strbuf_char(line, '/');
		}
		escape_plain(line, e->id, container_short_id(e->id), NULL);
		return;
	}
	strbuf_lit(line, " (");
	escape_plain(line, e->id, container_short_id(e->id), NULL);
	strbuf_char(line, ')');
}

static void describe_all(struct strbuf *line, const struct resolver *r, const struct matches *m)
{
	for (size_t i = 0; i < MIN(m->n, (size_t)SHOWN); i++) {
		if (i)
			strbuf_lit(line, ", ");
		describe(line, &r->entries.v[m->v[i]]);
	}
	if (m->n <= SHOWN)
		return;
	strbuf_lit(line, " and ");
	strbuf_udec(line, m->n - SHOWN);
	strbuf_lit(line, " more");
}

int report_dead(struct resolver *r, const char *arg, const struct matches *m, int why)
{
	_cleanup_(strbuf_done) struct strbuf line = { 0 };
	const struct container_entry *e = &r->entries.v[m->v[0]];

	strbuf_lit(&line, "container ");
	line_text(&line, arg);
	if (m->n > 1) {
		strbuf_lit(&line, ": none of these is running: ");
		describe_all(&line, r, m);
	} else if (why == -ENOENT) {
		strbuf_lit(&line, " runs in no cgroup of its own: ");
		describe(&line, e);
		if (!e->owner) {
			strbuf_lit(&line, "; -p ");
			strbuf_dec(&line, e->pid);
			strbuf_lit(&line, " traces its first process and what that forks");
		}
	} else {
		strbuf_lit(&line, " is not running: ");
		describe(&line, e);
	}
	resolver_fail(r, &line);
	return 1;
}

int report_kernel(struct resolver *r, const char *arg, const char *kernel)
{
	_cleanup_(strbuf_done) struct strbuf line = { 0 };

	strbuf_lit(&line, "container ");
	line_text(&line, arg);
	if (!strcmp(kernel, "gVisor"))
		strbuf_lit(&line, " runs under gVisor (runsc)");
	else
		strbuf_lit(&line, " runs in a virtual machine (Kata)");
	strbuf_lit(&line, ": its system calls do not reach this kernel");
	resolver_fail(r, &line);
	return 1;
}

int report_ambiguous(struct resolver *r, const char *arg, const struct matches *m)
{
	_cleanup_(strbuf_done) struct strbuf line = { 0 };

	strbuf_lit(&line, "container ");
	line_text(&line, arg);
	strbuf_lit(&line, " is ambiguous: ");
	describe_all(&line, r, m);
	resolver_fail(r, &line);
	return 1;
}

/* Edits between two short names; two letters that changed places are one. */
static unsigned distance(const char *a, const char *b)
{
	unsigned rows[3][NAME_MAX_LEN + 1], *last = rows[0], *row = rows[1], *before = rows[2], *old;
	size_t n = strlen(a), m = strlen(b);

	if (n > NAME_MAX_LEN || m > NAME_MAX_LEN)
		return NAME_MAX_LEN;
	for (size_t k = 0; k <= m; k++)
		last[k] = (unsigned)k;
	for (size_t i = 1; i <= n; i++) {
		row[0] = (unsigned)i;
		for (size_t k = 1; k <= m; k++) {
			row[k] = MIN(MIN(last[k], row[k - 1]) + 1, last[k - 1] + (a[i - 1] != b[k - 1]));
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
				row[k] = MIN(row[k], before[k - 2] + 1);
		}
		old = before;
		before = last;
		last = row;
		row = old;
	}
	return last[m];
}

static bool is_near(const struct container_entry *e, const char *arg)
{
	const char *colon = strchr(arg, ':'), *name = e->name ? e->name : e->id;

	if (colon)
		arg = colon + 1;
	return *arg && (strstr(name, arg) || distance(arg, name) <= 1 + strlen(arg) / 4);
}

bool entry_runs(struct resolver *r, const struct container_entry *e)
{
	struct target t = { 0 };
	bool live = locate_entry(r, e, &t) == 0;

	target_done(&t);
	return live;
}

int report_not_found(struct resolver *r, struct strbuf *line)
{
	if (r->runtimes.denied)
		strbuf_lit(line, " (some runtimes' files can be read by root only)");
	if (r->runtimes.note) {
		strbuf_lit(line, " (");
		line_text(line, r->runtimes.note);
		strbuf_char(line, ')');
	}
	if (r->runtimes.remote) {
		strbuf_lit(line, " (");
		strbuf_str(line, r->runtimes.remote);
		strbuf_lit(line, " is not a unix:// socket: ctrace sees the containers of this machine alone)");
	}
	resolver_fail(r, line);
	return 1;
}

int report_unknown(struct resolver *r, const char *arg)
{
	_cleanup_(matches_done) struct matches running = { 0 }, near = { 0 }, serving = { 0 };
	_cleanup_(strbuf_done) struct strbuf line = { 0 };

	for (size_t i = 0; r->report && i < MIN(r->entries.n, (size_t)LOOKED_AT); i++) {
		const struct container_entry *e = &r->entries.v[i];

		if (e->sandbox || !entry_runs(r, e))
			continue;
		if (matches_add(&running, i) < 0)
			return -ENOMEM;
		if (e->service && !strcmp(e->service, arg) && matches_add(&serving, i) < 0)
			return -ENOMEM;
		if (is_near(e, arg) && matches_add(&near, i) < 0)
			return -ENOMEM;
	}
	strbuf_lit(&line, "no container ");
	if (*arg)
		line_text(&line, arg);
	else
		strbuf_lit(&line, "has an empty name");
	if (serving.n) {
		strbuf_lit(&line, "; the compose service of that name is ");
		describe_all(&line, r, &serving);
	} else if (near.n) {
		strbuf_lit(&line, "; did you mean ");
		describe_all(&line, r, &near);
		strbuf_char(&line, '?');
	} else if (running.n) {
		strbuf_lit(&line, "; running: ");
		describe_all(&line, r, &running);
	} else {
		strbuf_lit(&line, ": none is running here");
	}
	return report_not_found(r, &line);
}
