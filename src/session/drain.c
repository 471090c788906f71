/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From the ring to the sink. */
#include <errno.h>

#include "ns/nsid.h"
#include "session/internal.h"
#include "session/names.h"

struct drain {
	struct session *s;
	struct sink *sink;
};

static int tell_losses(struct drain *d)
{
	struct lost_event lost;

	if (!losses_take(d->s, &lost))
		return 0;
	return d->sink->ops->lost ? d->sink->ops->lost(d->sink, &lost) : 0;
}

/* Whether the task is of the container's init, whose number is that in env's /proc. */
static bool is_init(const struct session *s, const struct watched *w, const struct exit_event *e)
{
	const struct target *t = w->target;

	if (w->host_init)
		return e->task.host_tgid == w->host_init;
	if (!t->init_pid)
		return false;
	if (s->env->pidns_inum == NS_PID_INITIAL)
		return (pid_t)e->task.host_tgid == t->init_pid;
	return t->pidns_inum == s->env->pidns_inum && (pid_t)e->task.tgid == t->init_pid;
}

/* The init of a container has ended: what its closing line says. */
static void note_exit(struct session *s, const struct exit_event *e)
{
	struct watched *w;

	if (e->task.target >= s->targets->n)
		return;
	w = &s->watched[e->task.target];
	if (e->oom_killed)
		w->oom_killed = true;
	if (!e->group_dead || !is_init(s, w, e))
		return;
	w->has_status = true;
	w->status = e->status;
}

static int dispatch(struct drain *d, const struct wire_record *rec)
{
	const struct sink_ops *ops = d->sink->ops;

	if (d->s->waiter && d->s->opts.touch.n_paths && (rec->kind == WIRE_CALL || rec->kind == WIRE_ENTER)) {
		int err = session_look_up(d->s, rec->call);

		if (err)
			return err;
	}
	switch (rec->kind) {
	case WIRE_CALL:
		if (!session_shows(d->s, rec->call)) {
			d->s->untouched++;
			return 0;
		}
		return ops->call ? ops->call(d->sink, rec->call) : 0;
	case WIRE_SIGNAL:
		return ops->signal ? ops->signal(d->sink, &rec->signal) : 0;
	case WIRE_EXEC:
		return ops->exec ? ops->exec(d->sink, &rec->exec) : 0;
	case WIRE_EXIT:
		note_exit(d->s, &rec->exit);
		return ops->exit ? ops->exit(d->sink, &rec->exit) : 0;
	case WIRE_LEFT:
		return ops->left ? ops->left(d->sink, &rec->left) : 0;
	case WIRE_ENTER:
		return ops->enter && session_shows(d->s, rec->call) ? ops->enter(d->sink, rec->call) : 0;
	case WIRE_MADE:
		return session_made(d->s, d->sink, &rec->made);
	case WIRE_STARTED:
		return session_started(d->s, d->sink, &rec->started);
	case WIRE_NONE:
		break;
	}
	return 0;
}

static int take_record(const void *data, size_t len, void *arg)
{
	struct drain *d = arg;
	struct wire_record rec;
	int err;

	/* A test build that loses records on the way. */
	if (is_broken(d->s, CT_BREAK_DRAIN) && d->s->drained++ % 64 == 63)
		return 0;
	err = wire_parse(d->s->wire, data, len, &rec);
	if (err == -EBADMSG) {
		d->s->bad_records++;
		return 0;
	}
	if (err)
		return err;
	if (losses_untold(d->s, rec.cpu, rec.lost)) {
		err = tell_losses(d);
		if (err)
			return err;
	}
	session_stack_take(d->s, &rec);
	if (d->s->opts.decode.names && rec.kind == WIRE_CALL)
		peer_names_learn(d->s->opts.decode.names, rec.call);
	return dispatch(d, &rec);
}

int session_drain(struct session *s, struct sink *sink, bool all)
{
	bool full = __atomic_load_n(&s->skel->bss->ctl.full, __ATOMIC_ACQUIRE);
	struct drain d = { s, sink };
	int n = ring_drain(s->ring, all || full, take_record, &d), err = 0;

	/*
	 * A gap that no record of its own CPU has closed yet: the task may go on on
	 * another. Those that wait came before it, or tell it themselves.
	 */
	if (n < 0 || ring_waiting(s->ring))
		return n;
	/* Before the reading, which so has all of the gap; the next records are taken after it. */
	if (full)
		__atomic_store_n(&s->skel->bss->ctl.full, 0, __ATOMIC_RELEASE);
	if (losses_pending(s))
		err = tell_losses(&d);
	return err ? err : n;
}
