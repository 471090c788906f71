/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The options that name targets. */
#include <errno.h>
#include <string.h>

#include "cli/parsers.h"
#include "cli/values.h"
#include "target/selector.h"

static int add_target(struct parse *p, enum target_kind kind, const char *arg, pid_t pid)
{
	struct config *c = p->c;
	struct target_spec *v;

	if (c->n_specs >= CT_TARGETS)
		return parse_error(p, "%s: more than %d targets", p->option, CT_TARGETS);
	v = reallocarray(c->specs, c->n_specs + 1, sizeof(*v));
	if (!v)
		return -ENOMEM;
	c->specs = v;
	v[c->n_specs] = (struct target_spec){ .kind = kind, .pid = pid };
	if (arg && !(v[c->n_specs].arg = strdup(arg)))
		return -ENOMEM;
	c->n_specs++;
	return 0;
}

int option_target(struct parse *p, const struct option_row *row, const char *text)
{
	if (!*text)
		return parse_error(p, "%s: the argument is empty", p->option);
	return add_target(p, (enum target_kind)row->value, text, 0);
}

int option_pod_selector(struct parse *p, const struct option_row *row, const char *text)
{
	_cleanup_(selector_freep) struct selector *s = NULL;
	const char *why = "";
	int r = selector_parse(text, &s, &why);

	if (r == -EINVAL)
		return parse_error(p, "%s: '%s' is no label selector: %s", p->option, text, why);
	return r < 0 ? r : add_target(p, (enum target_kind)row->value, text, 0);
}

int target_by_default(struct parse *p)
{
	p->c->by_default = true;
	return add_target(p, TARGET_CONTAINER, "pid:1", 0);
}

int option_all(struct parse *p, const struct option_row *row _unused_, const char *text _unused_)
{
	for (size_t i = 0; i < p->c->n_specs; i++)
		if (p->c->specs[i].kind == TARGET_ALL)
			return 0;
	return add_target(p, TARGET_ALL, NULL, 0);
}

/* As strace's -p: numbers separated by commas, blanks, tabs or newlines, so that -p "$(pidof nginx)" works. */
int option_pids(struct parse *p, const struct option_row *row, const char *text)
{
	static const char separators[] = ", \t\n";
	bool any = false;

	for (const char *s = text + strspn(text, separators); *s; s += strspn(s, separators)) {
		size_t len = strcspn(s, separators);
		char number[16];
		uint64_t pid;
		int r;

		if (len >= sizeof(number))
			return parse_error(p, "%s: '%s' is not a list of pids", p->option, text);
		memcpy(number, s, len);
		number[len] = '\0';
		if (value_unsigned(number, INT32_MAX, &pid) < 0 || !pid)
			return parse_error(p, "%s: '%s' is not a pid", p->option, number);
		r = add_target(p, (enum target_kind)row->value, NULL, (pid_t)pid);
		if (r < 0)
			return r;
		any = true;
		s += len;
	}
	return any ? 0 : parse_error(p, "%s: no pid given", p->option);
}
