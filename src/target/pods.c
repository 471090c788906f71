/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* --pod-selector: the containers of all pods that have these labels. */
#include <errno.h>
#include <string.h>

#include "target/lookup.h"
#include "target/selector.h"
#include "util/macros.h"

struct labelled {
	const struct container_entry *container, *labels;
};

/* What the kubelet always gives a sandbox is there whatever the runtime keeps of its labels. */
static const char *get_label(const char *key, const void *data)
{
	const struct labelled *l = data;

	for (size_t i = 0; i < l->labels->n_labels; i++)
		if (!strcmp(l->labels->labels[i].key, key))
			return l->labels->labels[i].value;
	if (!strcmp(key, "io.kubernetes.pod.namespace"))
		return l->container->pod_namespace;
	if (!strcmp(key, "io.kubernetes.pod.name"))
		return l->container->pod;
	return !strcmp(key, "io.kubernetes.pod.uid") ? l->container->pod_uid : NULL;
}

static bool has_labels(struct resolver *r, const struct container_entry *e, const struct selector *s)
{
	struct labelled l = { .container = e, .labels = container_pod_labels(&r->entries, e) };

	return l.labels && selector_matches(s, get_label, &l);
}

int find_by_labels(struct resolver *r, const char *arg, struct matches *m)
{
	_cleanup_(selector_freep) struct selector *s = NULL;
	const char *why;
	int err = selector_parse(arg, &s, &why);

	for (size_t i = 0; i < r->entries.n && err == 0; i++)
		if (is_pod_container(&r->entries.v[i]) && has_labels(r, &r->entries.v[i], s))
			err = matches_add(m, i);
	return err;
}

/* What there is, for the line that says why nothing was found. */
struct count {
	size_t pods, labelled, matching;
};

static int find(struct resolver *r, const struct selector *s, struct count *count, struct matches *live)
{
	for (size_t i = 0; i < r->entries.n; i++) {
		const struct container_entry *e = &r->entries.v[i];

		if (!is_pod_container(e))
			continue;
		count->pods++;
		count->labelled += container_pod_labels(&r->entries, e) != NULL;
		if (!has_labels(r, e, s))
			continue;
		count->matching++;
		if (entry_runs(r, e) && matches_add(live, i) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int report_none(struct resolver *r, const char *arg, const struct count *count)
{
	_cleanup_(strbuf_done) struct strbuf line = { 0 };

	strbuf_lit(&line, "no pod matches ");
	line_text(&line, arg);
	if (count->pods && !count->labelled)
		strbuf_lit(&line, ": the runtime's files here hold no labels of pods; name them by --pod");
	else if (count->matching)
		strbuf_lit(&line, " and runs");
	else if (line_running_pods(&line, r) < 0)
		return -ENOMEM;
	return report_not_found(r, &line);
}

int expand_selector(struct resolver *r, const char *arg, struct target_spec **specs, size_t *n)
{
	_cleanup_(selector_freep) struct selector *s = NULL;
	_cleanup_(matches_done) struct matches live = { 0 };
	struct count count = { 0 };
	const char *why;
	int err = selector_parse(arg, &s, &why);

	if (err == 0)
		err = resolver_need_entries(r);
	if (err == 0)
		err = find(r, s, &count, &live);
	if (err < 0)
		return err;
	/* They may come, unless nothing would tell. */
	if (!live.n && r->wait && (count.labelled || !count.pods))
		return 0;
	if (!live.n)
		return report_none(r, arg, &count);
	for (size_t i = 0; i < live.n && err == 0; i++)
		err = add_pod_spec(r, &r->entries.v[live.v[i]], specs, n);
	return err;
}
