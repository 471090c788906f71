/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Targets whose cgroups cannot be seen from where ctrace is: the kernel is
 * asked, after the programs are loaded and before they are attached.
 */
#include <errno.h>
#include <string.h>

#include "session/internal.h"

/* The rows of a walk as steps; a row that is cut off ends them. malloc'd. */
static int parse_rows(const uint8_t *data, size_t len, struct cgroup_step **ret_v, size_t *ret_n)
{
	struct cgroup_step *v = calloc(len / sizeof(struct ct_where_row) + 1, sizeof(*v));
	size_t pos = 0, n = 0;

	if (!v)
		return -ENOMEM;
	while (len - pos >= sizeof(struct ct_where_row)) {
		struct ct_where_row row;
		struct cgroup_step *step = &v[n];

		memcpy(&row, data + pos, sizeof(row));
		pos += sizeof(row);
		if (row.name_len > len - pos || row.name_len >= sizeof(step->name))
			break;
		memcpy(step->name, data + pos, row.name_len);
		pos += row.name_len;
		step->hierarchy = row.hierarchy;
		step->level = row.level;
		step->id = row.id;
		n++;
	}
	*ret_v = v;
	*ret_n = n;
	return 0;
}

static int ask(struct session *s, pid_t nr, struct cgroup_step **ret_v, size_t *ret_n)
{
	_cleanup_(rows_done) struct rows rows = { 0 };
	int r;

	s->skel->bss->ctl.where_pidns = s->env->pidns_inum;
	s->skel->bss->ctl.where_nr = (uint32_t)nr;
	r = session_iterate(s, s->skel->progs.ctrace_where, &rows);
	return r ? r : parse_rows(rows.data, rows.len, ret_v, ret_n);
}

static int place(struct session *s, struct target *t)
{
	_cleanup_free_ struct cgroup_step *of_pid = NULL, *of_init = NULL;
	struct cgroup_steps pid = { 0 }, init = { 0 };
	int r = ask(s, t->place_pid, &of_pid, &pid.n);

	if (!r && t->init_pid && t->init_pid != t->place_pid)
		r = ask(s, t->init_pid, &of_init, &init.n);
	if (r)
		return r;
	pid.v = of_pid;
	init.v = of_init;
	return target_place(s->env, t, &pid, &init);
}

bool session_has_hidden(const struct session *s)
{
	for (size_t i = 0; i < s->targets->n; i++)
		if (s->targets->v[i].by_kernel)
			return true;
	return false;
}

int session_place(struct session *s, char *err, size_t err_size)
{
	for (size_t i = 0; i < s->targets->n; i++) {
		struct target *t = &s->targets->v[i];
		int r = t->by_kernel ? place(s, t) : 0;

		/* It is known by another name now. */
		if (!r && t->by_kernel && s->opts.target_changed)
			r = s->opts.target_changed(i, s->opts.target_changed_data);
		if (r == -ENOENT)
			snprintf(err, err_size, "process %d is in no container, by the names of its cgroups; -p %d traces it all the same",
				 (int)t->place_pid, (int)t->place_pid);
		else if (r)
			snprintf(err, err_size, "cannot ask the kernel for the cgroups of process %d: %s", (int)t->place_pid, strerror(-r));
		if (r)
			return r;
	}
	return 0;
}
