/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Numbers of tasks and groups. They are the caller's own; whose they are in
 * the host's numbering, and its command name, the kernel side has looked up at
 * the time of the call (bpf/pids.h).
 */
#include "decode/kinds.h"

#include <string.h>

static bool same_number(const struct capture *c, uint32_t nr, struct ct_pid *ret)
{
	if (c->part != CT_PART_PID || c->len < sizeof(*ret))
		return false;
	memcpy(ret, c->data, sizeof(*ret));
	return (uint32_t)ret->nr == nr;
}

/* What was captured of this number; the data of the result goes into ret. */
static bool find_pid(const struct call *call, const struct ct_pid *sender, uint32_t nr, struct ct_pid *ret)
{
	if (sender && (uint32_t)sender->nr == nr) {
		*ret = *sender;
		return true;
	}
	for (unsigned i = 0; call && i < call->n_captures; i++)
		if (same_number(&call->captures[i], nr, ret))
			return true;
	return false;
}

static bool tell(const struct ct_pid *found, const struct decode_opts *opts, bool group, struct emit_pid *p)
{
	size_t len = strnlen(found->comm, sizeof(found->comm));

	if (!(found->is & (group ? CT_PID_GROUP : CT_PID_TASK)))
		return false;
	if (opts->pid_ns)
		p->host_nr = found->host_nr;
	if (opts->pid_comm && !group) {
		memcpy(p->comm, found->comm, len);
		p->comm_len = len;
	}
	return p->host_nr || p->comm_len;
}

static void say_number(struct dec *d, int32_t nr, bool group)
{
	struct emit_pid p = { .nr = nr };
	struct ct_pid found;

	group = group || nr < 0;
	/* 0 and -1 name nobody, and INT_MIN has no opposite. */
	if (nr && nr != -1 && nr != INT32_MIN && (d->opts->pid_ns || d->opts->pid_comm) &&
	    find_pid(d->call, d->sender, nr < 0 ? 0u - (uint32_t)nr : (uint32_t)nr, &found) && tell(&found, d->opts, group, &p))
		d->ops->pid(d->e, &p);
	else
		say_dec(d, nr);
}

void say_pid(struct dec *d, int32_t nr)
{
	say_number(d, nr, false);
}

void say_pgid(struct dec *d, int32_t nr)
{
	say_number(d, nr, true);
}

bool call_pid(const struct call *call, const struct decode_opts *opts, struct emit_pid *ret_pid)
{
	enum ret_kind kind = call_ret_kind(call);
	int32_t nr = (int32_t)call->ret;
	struct emit_pid p = { .nr = nr };
	bool group = kind == RET_PGID || nr < 0, any = false;
	struct ct_pid found;

	if ((kind != RET_PID && kind != RET_PGID) || !nr || nr == INT32_MIN || (call->flags & (CT_F_NO_RETURN | CT_F_IN_FLIGHT)))
		return false;
	if (!opts->pid_ns && !opts->pid_comm)
		return false;
	/* The last one: it may also be an argument, as of when the call began. */
	for (unsigned i = call->n_captures; i > 0 && !any; i--)
		any = same_number(&call->captures[i - 1], nr < 0 ? 0u - (uint32_t)nr : (uint32_t)nr, &found);
	if (!any || !tell(&found, opts, group, &p))
		return false;
	*ret_pid = p;
	return true;
}

/* --- capture --- */

static bool asked(const struct cap_builder *b)
{
	return b->opts->pid_ns || b->opts->pid_comm;
}

void cap_pid(struct cap_builder *b, unsigned reg)
{
	if (asked(b) && reg < CT_ARGS)
		b->spec->pids |= (__u8)(1u << reg);
}

void cap_pid_result(struct cap_builder *b)
{
	if (!asked(b))
		return;
	b->spec->pid_result = 1;
	b->spec->has_exit = 1;
}

struct cap_op *cap_pid_at(struct cap_builder *b, unsigned reg, unsigned when, uint16_t off)
{
	struct cap_op *op = &b->spill;

	if (asked(b))
		op = cap_add(b, reg, 0, CAP_PID, when);
	op->len_off = off;
	return op;
}

void cap_creds(struct cap_builder *b, unsigned reg, unsigned when)
{
	if (asked(b))
		cap_add(b, reg, 0, CAP_CREDS, when);
}

/* --- kinds --- */

static void capture_pid(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_pid(b, reg);
}

static void decode_pid(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_pid(d, (int32_t)dec_reg(d, reg));
}

static void decode_pgid(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_pgid(d, (int32_t)dec_reg(d, reg));
}

/* a: the register that says what the number is; b: its value for a process, and one more for a group. */
static void decode_who(struct dec *d, const struct arg *a, unsigned reg)
{
	uint32_t which = (uint32_t)dec_reg(d, a->a), v = (uint32_t)dec_reg(d, reg);

	if (which == a->b)
		say_pid(d, (int32_t)v);
	else if (which == a->b + 1u)
		say_pgid(d, (int32_t)v);
	else
		say_dec(d, (int32_t)v);
}

void dec_who(struct dec *d, unsigned i)
{
	const struct arg *a = &d->sys->args[i];

	decode_who(d, a, arg_reg(d->sys, i));
}

const struct kind kind_pid = { .decode = decode_pid, .capture = capture_pid };
const struct kind kind_pgid = { .decode = decode_pgid, .capture = capture_pid };
const struct kind kind_who = { .decode = decode_who, .capture = capture_pid };
