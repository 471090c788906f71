/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Readings of the targets' tasks: out of the host's /proc, and by the kernel's
 * own verdict (a BPF task iterator). What one has and the other lacks is what
 * coverage is about.
 */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "ns/procfs.h"
#include "session/internal.h"

#define MAX_PASSES 20
#define BLOCKED_NS 1000000000ull        /* a call that lasts so long is shown before it ends */

/* A row of the calls that have not ended. They are packed: it is copied to where its words are aligned. */
struct call_row {
	struct rec_syscall r;
	uint8_t caps[CT_INLINE];
};

/* The kernel's verdicts, sorted by tid. */
struct verdicts {
	struct ct_scan_row *v;
	size_t n;
};

static int compare_rows(const void *a, const void *b)
{
	const struct ct_scan_row *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

static int scan_verdicts(struct session *s, enum ct_scan kind, const struct task_refs *refs, struct verdicts *ret)
{
	_cleanup_(rows_done) struct rows rows = { 0 };
	int err = session_scan(s, kind, refs, &rows);

	if (err)
		return err;
	ret->v = (void *)TAKE_PTR(rows.data);
	ret->n = rows.len / sizeof(*ret->v);
	qsort(ret->v, ret->n, sizeof(*ret->v), compare_rows);
	return 0;
}

/*
 * The verdict of a task that the iterator does not show (it walks the pid
 * namespace of the reader, and some kernels hide tasks from it): out of its
 * entry. One that has none yet will be judged at its first call, and is not
 * missed.
 */
static bool entry_is_out(struct session *s, const struct task_ref *t)
{
	/* A number of another namespace is another process's here. */
	bool ours = session_own_pidns() == s->env->pidns_inum;
	_cleanup_close_ int fd = ours ? syscall(SYS_pidfd_open, t->tgid, 0) : -1;
	struct ct_entry e;

	if (fd < 0 || bpf_map_lookup_elem(bpf_map__fd(s->skel->maps.tasks), &fd, &e))
		return false;
	return !e.never && e.epoch == s->skel->bss->ctl.epoch && e.target == CT_NO_TARGET;
}

/* Whether the kernel has the task as out. Of those that the iterator has shown nothing more has to be read. */
static bool is_out(struct session *s, const struct verdicts *v, struct task_ref *t)
{
	struct ct_scan_row key = { .tid = (uint32_t)t->tid };
	const struct ct_scan_row *row = v->n ? bsearch(&key, v->v, v->n, sizeof(key), compare_rows) : NULL;

	if (row && row->is != CT_TASK_OUT)
		return false;
	return task_ref_lives(s->env, t) && (row || entry_is_out(s, t));
}

/* Whether the task is still there and has not ended; one that went away meanwhile was not missed. */
static bool task_lives(const struct session *s, const struct task_ref *t)
{
	struct proc_stat stat;

	return !proc_stat_read(s->env->proc_fd, t->tgid, t->tid, &stat) && !proc_state_ended(stat.state);
}

/* A thread group of a process target that the chain of parents may not connect: it becomes a selector. */
static int select_found(struct session *s, uint32_t target, const struct task_ref *t)
{
	struct proc_stat stat;

	if (t->tid != t->tgid || proc_stat_read(s->env->proc_fd, t->tgid, 0, &stat))
		return 0;
	return session_select_process(s, target, s->env->pidns_inum, t->tgid, false, stat.start, 0);
}

/* Tasks of a reading that the kernel does not have as in, and that are still there. */
static int compare(struct session *s, uint32_t i, struct task_refs *refs, const struct verdicts *verdicts, bool select)
{
	const struct target *t = &s->targets->v[i];
	int missing = 0;

	for (size_t k = 0; k < refs->n; k++) {
		if (!is_out(s, verdicts, &refs->v[k]) || !task_lives(s, &refs->v[k]))
			continue;
		missing++;
		if (select && is_process_target(t) && t->kind != TARGET_THREAD)
			select_found(s, i, &refs->v[k]);
	}
	return missing;
}

static void all_refs_done(struct session *s, struct task_refs *refs)
{
	for (size_t i = 0; refs && i < s->targets->n; i++)
		task_refs_done(&refs[i]);
	free(refs);
}

/* The tasks of each target, out of /proc; NULL: no memory. */
static struct task_refs *read_targets(struct session *s)
{
	struct task_refs *refs = calloc(s->targets->n + 1, sizeof(*refs));
	int err;

	for (size_t i = 0; refs && i < s->targets->n; i++) {
		const struct target *t = &s->targets->v[i];

		if (t->kind == TARGET_ALL || t->kind == TARGET_COMMAND || t->waiting || s->watched[i].ended)
			continue;
		err = target_list_tasks(s->env, t, &refs[i]);
		/* One that has ended by now has no tasks to be read. */
		if (err && err != -ENOENT && err != -ESRCH)
			s->unread = true;
	}
	return refs;
}

/*
 * Reads the targets, then the kernel's verdicts, in this order: what is in the
 * reading and out by the later verdict was missed, or is gone. Returns the
 * number missed; a negative errno.
 */
static int read_and_compare(struct session *s, enum ct_scan kind)
{
	struct task_refs *refs = read_targets(s);
	struct verdicts verdicts = {};
	int missing = 0, err;

	if (!refs)
		return -ENOMEM;
	err = scan_verdicts(s, kind, refs, &verdicts);
	for (size_t i = 0; !err && i < s->targets->n; i++)
		missing += compare(s, i, &refs[i], &verdicts, kind == CT_SCAN_JUDGE);
	all_refs_done(s, refs);
	free(verdicts.v);
	return err ? err : missing;
}

/* One pass: what it has to add gets a selector, and every verdict but those for life is given again. */
static int pass(struct session *s)
{
	int missing;

	s->skel->bss->ctl.scan_pass++;
	missing = read_and_compare(s, CT_SCAN_JUDGE);
	if (missing > 0)
		__atomic_add_fetch(&s->skel->bss->ctl.epoch, 1, __ATOMIC_RELAXED);
	return missing;
}

int session_rescan(struct session *s)
{
	int missing = 1;

	for (int i = 0; i < MAX_PASSES && missing > 0 && !is_broken(s, CT_BREAK_RESCAN); i++)
		missing = pass(s);
	s->rested = !missing;
	return MIN(missing, 0);
}

uint64_t session_audit(struct session *s)
{
	int late = is_broken(s, CT_BREAK_AUDIT) ? 1 : read_and_compare(s, CT_SCAN_AUDIT);

	s->audit_error = is_broken(s, CT_BREAK_AUDIT) ? 1 : MIN(late, 0);
	return s->audit_error ? 0 : late;
}

/* The rows of calls that have not ended. */
static int scan_calls(struct session *s, enum ct_scan kind, struct rows *rows)
{
	struct task_refs *refs = s->asks ? read_targets(s) : NULL;
	int err = s->asks && !refs ? -ENOMEM : session_scan(s, kind, refs, rows);

	all_refs_done(s, refs);
	return err;
}

/* Takes one row of calls that have not ended, as a record. *pos goes behind it. */
static int parse_row(struct session *s, const struct rows *rows, size_t *pos, struct call_row *row, struct wire_record *ret_rec)
{
	size_t size = sizeof(row->r);

	memcpy(&row->r, rows->data + *pos, size);
	size += row->r.caps_len;
	if (row->r.caps_len > sizeof(row->caps) || size > rows->len - *pos)
		return -EBADMSG;
	memcpy(row->caps, rows->data + *pos + sizeof(row->r), row->r.caps_len);
	*pos += size;
	return wire_parse(s->wire, row, size, ret_rec);
}

int session_in_flight(struct session *s, struct sink *sink, uint64_t *ret_n)
{
	_cleanup_(rows_done) struct rows rows = { 0 };
	size_t pos = 0;
	uint64_t n = 0;
	int err = scan_calls(s, CT_SCAN_CALLS, &rows);

	while (!err && rows.len - pos >= sizeof(struct rec_syscall)) {
		struct call_row row;
		struct wire_record rec;

		err = parse_row(s, &rows, &pos, &row, &rec);
		if (!err && !session_shows(s, rec.call))
			continue;
		if (!err && sink->ops->call)
			err = sink->ops->call(sink, rec.call);
		n++;
	}
	if (!err)
		*ret_n = n;
	return err;
}

int session_blocked(struct session *s, struct sink *sink, uint64_t *ret_next)
{
	_cleanup_(rows_done) struct rows rows = { 0 };
	uint64_t now = boottime_ns();
	size_t pos = 0;
	int err = scan_calls(s, CT_SCAN_BLOCKED, &rows);

	*ret_next = 0;
	while (!err && rows.len - pos >= sizeof(struct rec_syscall)) {
		struct call_row row;
		struct wire_record rec;
		uint64_t age;

		err = parse_row(s, &rows, &pos, &row, &rec);
		if (err)
			break;
		age = now > rec.call->enter ? now - rec.call->enter : 0;
		if (age < BLOCKED_NS)
			*ret_next = *ret_next ? MIN(*ret_next, BLOCKED_NS - age) : BLOCKED_NS - age;
		else if (sink->ops->enter && session_shows(s, rec.call))
			err = sink->ops->enter(sink, rec.call);
	}
	return err;
}
