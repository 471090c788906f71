/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * --wait and --follow-restarts. The kernel side knows by what names the
 * directories of a target that is not there can be made, and selects them at
 * that moment; here is how it learns the names, and what follows.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "ns/nsid.h"
#include "session/internal.h"
#include "session/paths.h"

static bool is_waited_for(const struct target *t)
{
	return t->waiting || t->n_wanted;
}

bool session_waits(const struct session *s)
{
	for (size_t i = 0; i < s->targets->n; i++) {
		if (is_waited_for(&s->targets->v[i]))
			return true;
	}
	return false;
}

static int changed(struct session *s, size_t i)
{
	return s->opts.target_changed ? s->opts.target_changed(i, s->opts.target_changed_data) : 0;
}

/* The hierarchies on which the target's directories count, as bits. */
static uint32_t hierarchy_bits(const struct session *s, const struct target *t)
{
	const struct ct_config *cfg = &s->skel->rodata->cfg;
	uint32_t bits = 0;

	for (size_t k = 0; k < t->n_wanted_hierarchies; k++) {
		for (uint32_t h = 0; h < cfg->n_hierarchies; h++) {
			if (cfg->hierarchies[h] == t->wanted_hierarchies[k])
				bits |= 1u << h;
		}
	}
	return bits;
}

int session_want(struct session *s, size_t i)
{
	const struct target *t = &s->targets->v[i];
	struct watched *w = &s->watched[i];
	struct ct_wanted value = { .hierarchies = hierarchy_bits(s, t) };
	struct ct_wanted_key *keys = calloc(t->n_wanted + 1, sizeof(*keys));
	int fd = bpf_map__fd(s->skel->maps.wanted), err = 0;

	_Static_assert(sizeof(keys->key) == sizeof(t->wanted->key), "keys of one size");
	if (!keys)
		return -ENOMEM;
	for (size_t k = 0; k < w->n_keys; k++)
		bpf_map_delete_elem(fd, &w->keys[k]);
	free(w->keys);
	w->keys = keys;
	w->n_keys = 0;
	for (size_t k = 0; !err && k < t->n_wanted; k++) {
		/* Shorter ones end in zeros, as the kernel's do. */
		snprintf(keys[k].key, sizeof(keys[k].key), "%s", t->wanted[k].key);
		value.target = t->wanted[k].refused ? CT_NO_TARGET : i;
		err = bpf_map_update_elem(fd, &keys[k], &value, BPF_ANY);
		w->n_keys += !err;
	}
	return err;
}

int session_hold_pidns(struct session *s, size_t i)
{
	const struct target *t = &s->targets->v[i];
	struct watched *w = &s->watched[i];
	uint32_t inum = t->pidns_inum, target = i;
	char path[32];

	/* One that was waited for can turn out to have none of its own: then its cgroup alone decides. */
	if (!s->opts.nsenter || t->kind != TARGET_CONTAINER || !t->init_pid || session_shares_pidns(t))
		return 0;
	closep(&w->pidns_fd);
	snprintf(path, sizeof(path), "%d/ns/pid", (int)t->init_pid);
	/* As long as it is open no other namespace gets this number. */
	w->pidns_fd = openat(s->env->proc_fd, path, O_RDONLY | O_CLOEXEC);
	return bpf_map_update_elem(bpf_map__fd(s->skel->maps.sel_pidns), &inum, &target, BPF_ANY);
}

/* Whether the kernel side selected the target's directories when they were made. */
static bool is_selected(const struct session *s, const struct target *t)
{
	for (size_t k = 0; k < t->n_cgroups; k++) {
		struct ct_cgroup_key key;
		uint32_t target;

		if (session_cgroup_key(s, &t->cgroups[k], &key) &&
		    !bpf_map_lookup_elem(bpf_map__fd(s->skel->maps.sel_cgroups), &key, &target))
			return true;
	}
	return false;
}

static int tell_started(size_t i, struct sink *sink, uint32_t host_pid)
{
	struct started_event e = { .time = boottime_ns() };

	if (!sink || !sink->ops->started)
		return 0;
	e.task.target = i;
	e.task.host_tid = e.task.host_tgid = host_pid;
	e.task.tid = e.task.tgid = 1;
	return sink->ops->started(sink, &e);
}

/* The target was there before the kernel side knew its name: it is traced from now on. */
static int take_late(struct session *s, size_t i, struct sink *sink)
{
	struct target *t = &s->targets->v[i];
	struct watched *w = &s->watched[i];
	int err = session_select_cgroups(s, i, t);

	if (err)
		return err;
	s->live[i].pidns = t->pidns_inum;
	__atomic_add_fetch(&s->skel->bss->ctl.epoch, 1, __ATOMIC_RELAXED);
	w->began = t->init_pid > 0;
	session_watch_init(s, i);
	err = session_hold_pidns(s, i);
	if (err || !s->since)
		return err;
	s->late_starts++;
	return tell_started(i, sink, (uint32_t)t->init_pid);
}

static int look_for(struct session *s, size_t i, struct sink *sink)
{
	struct target *t = &s->targets->v[i];
	int r = waiter_update(s->waiter, t), found = 0;

	if (r < 0)
		return r;
	if (r) {
		r = session_want(s, i);
		if (!r)
			r = changed(s, i);
		if (r)
			return r;
	}
	/* Made meanwhile: the record tells, or has told. */
	if (!t->waiting)
		return 0;
	found = waiter_find(s->waiter, t);
	if (found <= 0)
		return found;
	r = is_selected(s, t) ? 0 : take_late(s, i, sink);
	return r ? r : changed(s, i);
}

int session_look(struct session *s, struct sink *sink)
{
	int err = 0;

	for (size_t i = 0; !err && i < s->targets->n; i++) {
		if (is_waited_for(&s->targets->v[i]) && !s->watched[i].ended)
			err = look_for(s, i, sink);
	}
	return err;
}

int session_wait_open(struct session *s)
{
	int err = waiter_open(s->env, s->targets, &s->waiter);

	return err ? err : session_look(s, NULL);
}

static bool knows_cgroup(const struct target *t, const struct made_event *e)
{
	for (size_t k = 0; k < t->n_cgroups; k++) {
		if (t->cgroups[k].id == e->id && t->cgroups[k].hierarchy_id == e->hierarchy)
			return true;
	}
	return false;
}

/* The selectors of an instance that has ended. */
static void forget_cgroups(struct session *s, struct watched *w)
{
	for (size_t k = 0; k < w->n_old; k++)
		bpf_map_delete_elem(bpf_map__fd(s->skel->maps.sel_cgroups), &w->old[k]);
	free(w->old);
	w->old = NULL;
	w->n_old = 0;
}

/* What is to be forgotten when the next instance comes; until then tasks of the last one may end. */
static void keep_cgroups(struct session *s, struct watched *w, const struct target *t)
{
	forget_cgroups(s, w);
	w->old = calloc(t->n_cgroups + 1, sizeof(*w->old));
	for (size_t k = 0; w->old && k < t->n_cgroups; k++)
		w->n_old += session_cgroup_key(s, &t->cgroups[k], &w->old[w->n_old]);
}

void session_wait_again(struct session *s, size_t i)
{
	struct target *t = &s->targets->v[i];
	struct watched *w = &s->watched[i];

	keep_cgroups(s, w, t);
	session_unwatch_init(s, i);
	if (t->pidns_inum)
		bpf_map_delete_elem(bpf_map__fd(s->skel->maps.sel_pidns), &t->pidns_inum);
	closep(&w->pidns_fd);
	w->ended = w->began = w->has_status = w->oom_killed = w->looked_up = false;
	w->host_init = 0;
	w->instance++;
	waiter_again(s->waiter, t);
}

/* The kernel side took it by its name; the target is as it was before. */
static void refuse_made(struct session *s, const struct made_event *e)
{
	const struct target *t = &s->targets->v[e->target];
	struct cgroup_selector made = { .hierarchy_id = e->hierarchy, .id = e->id };
	struct ct_cgroup_key key;

	if (session_cgroup_key(s, &made, &key))
		bpf_map_delete_elem(bpf_map__fd(s->skel->maps.sel_cgroups), &key);
	if (!t->waiting)
		s->live[e->target].pidns = t->pidns_inum;
	__atomic_add_fetch(&s->skel->bss->ctl.epoch, 1, __ATOMIC_RELAXED);
}

int session_made(struct session *s, struct sink *sink, const struct made_event *e)
{
	struct target *t = e->target < s->targets->n ? &s->targets->v[e->target] : NULL;
	struct watched *w = t ? &s->watched[e->target] : NULL;
	int err;

	if (!t || !s->waiter || w->ended || knows_cgroup(t, e))
		return 0;
	if (waiter_refuses(s->waiter, t, e->path, e->path_len)) {
		refuse_made(s, e);
		return 0;
	}
	/* The same name again, while its last bearer is not taken for ended: this is its end. */
	if (!t->waiting && (w->began || t->kind == TARGET_CGROUP)) {
		err = session_tell_end(s, sink, e->target);
		if (err)
			return err;
		session_wait_again(s, e->target);
	}
	if (t->waiting)
		forget_cgroups(s, w);
	err = waiter_made(s->waiter, t, e->hierarchy, e->id, e->path, e->path_len);
	/* Gone already, or not to be seen from here: the kernel side has it all the same. */
	if (err && err != -ENOMEM)
		return 0;
	return err ? err : changed(s, e->target);
}

int session_started(struct session *s, struct sink *sink, const struct first_process *p)
{
	size_t i = p->event.task.target;
	struct target *t = i < s->targets->n ? &s->targets->v[i] : NULL;
	struct watched *w = t ? &s->watched[i] : NULL;
	int err;

	if (!t || w->ended)
		return 0;
	w->began = true;
	w->host_init = p->event.task.host_tgid;
	t->init_pid = s->env->pidns_inum == NS_PID_INITIAL ? (pid_t)w->host_init : 0;
	t->init_start = p->start;
	t->pidns_inum = p->pidns;
	session_watch_init(s, i);
	session_hold_late(s, i);
	err = session_hold_pidns(s, i);
	if (!err)
		err = changed(s, i);
	if (!err && sink->ops->started)
		err = sink->ops->started(sink, &p->event);
	return err;
}

/*
 * Not by the first process, when it is told: what the runtime does before the container's program has the runtime's
 * files before it, and so have the records of that time.
 */
int session_look_up(struct session *s, const struct call *call)
{
	size_t i = call->task.target;
	const struct target *t = i < s->targets->n ? &s->targets->v[i] : NULL;
	pid_t pid = 0;
	int r;

	if (!t || s->watched[i].looked_up || !is_waited_for(t) || call->flags & CT_F_RUNTIME)
		return 0;
	if (s->env->pidns_inum == NS_PID_INITIAL)
		pid = (pid_t)call->task.host_tgid;
	else if (t->pidns_inum && t->pidns_inum == s->env->pidns_inum)
		pid = (pid_t)call->task.tgid;
	if (pid <= 0)
		return 0;
	r = paths_resolve_for(&s->opts.touch, s->env, pid, s->opts.path_resolved);
	/* Of a process that has ended there is nothing to look at: the next one's call asks again. */
	s->watched[i].looked_up = r > 0;
	return r < 0 ? r : 0;
}
