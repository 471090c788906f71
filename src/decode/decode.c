/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The engine: from a call and its row to values for the emitter. */
#include "decode/kinds.h"
#include "decode/touch.h"

#include <string.h>

static unsigned abi_word(enum abi abi)
{
	return abi == ABI_I386 || abi == ABI_ARM ? 4 : 8;
}

int call_errno(const struct call *call)
{
	int64_t ret = abi_word(call->abi) == 4 ? (int32_t)call->ret : call->ret;

	return ret >= 0 || ret < -4095 || (call->flags & (CT_F_NO_RETURN | CT_F_IN_FLIGHT)) ? 0 : (int)-ret;
}

enum ret_kind call_ret_kind(const struct call *call)
{
	const struct syscall *s = syscall_get(call->abi, call->nr);

	if (!s)
		return RET_HEX;
	return s->hooks && s->hooks->ret ? s->hooks->ret(call) : s->ret;
}

/* The options as they are for one call. */
static struct decode_opts opts_for(const struct decode_opts *opts, enum abi abi, uint32_t nr, bool capturing)
{
	unsigned row = call_row(abi != ABI_NATIVE, nr);
	struct decode_opts o = *opts;

	if (o.abbrev)
		o.no_abbrev = !o.abbrev->rows[row];
	if (o.verbose)
		o.addresses = !o.verbose->rows[row];
	if (capturing && dump_set(syscall_get(abi, nr), opts))
		o.string_limit = CT_CAP_MAX;
	return o;
}

bool call_is_raw(const struct call *call, const struct decode_opts *opts)
{
	return opts->raw && opts->raw->rows[call_row(call->abi != ABI_NATIVE, call->nr)];
}

/* Registers, as numbers. */
static void decode_raw(struct dec *d, unsigned n)
{
	static const char *const names[CT_ARGS] = { "arg1", "arg2", "arg3", "arg4", "arg5", "arg6" };

	for (unsigned i = 0; i < n && i < CT_ARGS; i++) {
		d->ops->arg(d->e, names[i]);
		say_hex(d, dec_reg(d, i));
	}
}

unsigned arg_reg(const struct syscall *s, unsigned i)
{
	unsigned reg = i;

	for (unsigned k = 0; k < i; k++)
		reg += s->args[k].kind->extra_regs;
	return reg;
}

/* The argument in hand has been said. */
static void arg_ends(struct dec *d)
{
	if (d->retried >> d->reg & 1)
		d->ops->note(d->e, NOTE_AT_EXIT, 0);
	d->retried &= (unsigned char)~(1u << d->reg);
}

void dec_arg(struct dec *d, unsigned reg, const char *name)
{
	arg_ends(d);
	/* An input that could not be read when the call began is told where it is known. */
	if (d->opts->late >> reg & 1)
		dec_at_end(d);
	d->reg = (unsigned char)reg;
	d->ops->arg(d->e, name);
}

void dec_begin(struct dec *d, unsigned i)
{
	dec_arg(d, arg_reg(d->sys, i), d->sys->args[i].name);
}

void dec_at_end(struct dec *d)
{
	if (!d->at_end)
		d->ops->at_end(d->e);
	d->at_end = true;
}

void dec_args(struct dec *d, unsigned from, unsigned to)
{
	const struct syscall *s = d->sys;
	unsigned reg = arg_reg(s, from);

	for (unsigned i = from; i < to && i < s->nargs; i++) {
		const struct arg *a = &s->args[i];

		if (!a->kind->present || a->kind->present(d, a, reg)) {
			if (a->kind->at_end && (!a->kind->at_end_if || a->kind->at_end_if(d, a, reg)))
				dec_at_end(d);
			dec_arg(d, reg, a->name);
			a->kind->decode(d, a, reg);
		}
		reg += 1 + a->kind->extra_regs;
	}
}

/* The upper half of a position is no argument where the lower one holds all of it. */
static unsigned raw_regs(const struct dec *d)
{
	unsigned n = arg_reg(d->sys, d->sys->nargs);

	for (unsigned i = 0; i < d->sys->nargs && d->word == 8; i++)
		n -= d->sys->args[i].kind == &kind_pos && i + 1 == d->sys->nargs;
	return n;
}

static unsigned char retried_regs(const struct call *call)
{
	unsigned regs = 0;

	for (unsigned i = 0; i < call->n_captures; i++) {
		const struct capture *c = &call->captures[i];

		if ((c->flags & (CT_CAP_RETRIED | CT_CAP_FAILED)) == CT_CAP_RETRIED && c->part < CT_PART_COMM && c->arg < CT_ARGS)
			regs |= 1u << c->arg;
	}
	return (unsigned char)regs;
}

void decode_args(const struct call *call, const struct decode_opts *opts, struct emitter *e)
{
	struct decode_opts o = opts_for(opts, call->abi, call->nr, false);
	struct dec d = {
		.call = call, .opts = &o, .e = e, .ops = e->ops,
		.sys = syscall_get(call->abi, call->nr),
		.word = abi_word(call->abi),
		.err = call_errno(call),
		.reg = CT_ARGS,
	};

	const struct fd_set_spec *dump = dump_set(d.sys, opts);

	d.dump = dump && fd_set_has(dump, (int)call->args[0]);
	d.ok = !d.err && !(call->flags & (CT_F_NO_RETURN | CT_F_IN_FLIGHT));
	if (!d.sys) {
		decode_raw(&d, CT_ARGS);
		return;
	}
	if (call_is_raw(call, opts)) {
		decode_raw(&d, raw_regs(&d));
		return;
	}
	d.retried = retried_regs(call);
	if (d.sys->hooks && d.sys->hooks->decode)
		d.sys->hooks->decode(&d);
	else
		dec_args(&d, 0, d.sys->nargs);
	arg_ends(&d);
	if (d.sys->hooks && d.sys->hooks->detail)
		d.sys->hooks->detail(&d);
}

uint64_t call_ip(const struct call *call)
{
	uint64_t ip = 0;

	/* Among the last, as it is taken after all input. */
	for (unsigned i = call->n_captures; i > 0; i--) {
		const struct capture *c = &call->captures[i - 1];

		if (c->part != CT_PART_IP || c->len < sizeof(ip))
			continue;
		memcpy(&ip, c->data, sizeof(ip));
		break;
	}
	return ip;
}

/* --- captures --- */

const struct capture *dec_cap(const struct dec *d, unsigned reg, unsigned part, unsigned idx)
{
	return d->opts->addresses ? NULL : dec_text(d, reg, part, idx);
}

const struct capture *dec_text(const struct dec *d, unsigned reg, unsigned part, unsigned idx)
{
	const struct capture *c = d->call->captures, *end = c + d->call->n_captures;

	for (; c < end; c++)
		if (c->arg == reg && c->part == part && c->idx == idx)
			return c;
	return NULL;
}

const struct capture *dec_good_text(const struct dec *d, unsigned reg, unsigned part, unsigned idx)
{
	const struct capture *c = dec_text(d, reg, part, idx);

	return c && !(c->flags & CT_CAP_FAILED) ? c : NULL;
}

const struct capture *dec_good(const struct dec *d, unsigned reg, unsigned part, unsigned idx)
{
	const struct capture *c = dec_cap(d, reg, part, idx);

	return c && !(c->flags & CT_CAP_FAILED) ? c : NULL;
}

bool dec_read(const struct dec *d, unsigned reg, unsigned part, void *to, size_t size)
{
	const struct capture *c = dec_good(d, reg, part, 0);

	if (!c || c->len < size)
		return false;
	memcpy(to, c->data, size);
	return true;
}

bool dec_element(const struct capture *c, size_t i, size_t size, void *to)
{
	if (!c || (c->flags & CT_CAP_FAILED) || i >= c->len / size)
		return false;
	memcpy(to, (const char *)c->data + i * size, size);
	return true;
}

void dec_note(struct dec *d, const struct capture *c)
{
	if (!c) {
		if (d->call->flags & CT_F_PAYLOAD_LOST)
			d->ops->note(d->e, NOTE_LOST, 0);
		return;
	}
	if (c->flags & CT_CAP_FAILED) {
		d->ops->note(d->e, NOTE_UNREADABLE, 0);
		return;
	}
	if (c->flags & CT_CAP_CUT)
		d->ops->note(d->e, NOTE_CUT, c->true_len == CT_LEN_UNKNOWN ? 0 : c->true_len);
}

/* --- capture specifications --- */

struct cap_op *cap_add(struct cap_builder *b, unsigned reg, unsigned part, enum cap_kind kind, unsigned when)
{
	struct cap_op *op = &b->spill;

	if (b->spec->nops < CT_OPS)
		op = &b->spec->ops[b->spec->nops++];
	else
		b->dropped++;
	*op = (struct cap_op){ .arg = (__u8)reg, .part = (__u8)part, .kind = (__u8)kind, .when = (__u8)when,
			       .via_off = CAP_DIRECT };
	if (when & CAP_EXIT)
		b->spec->has_exit = 1;
	return op;
}

void cap_fixed(struct cap_builder *b, unsigned reg, unsigned part, unsigned when, uint32_t size)
{
	struct cap_op *op = cap_add(b, reg, part, CAP_BYTES, when);

	op->len_from = CAP_LEN_FIXED;
	op->max = size;
}

void cap_string(struct cap_builder *b, unsigned reg, bool path)
{
	struct cap_op *op = cap_add(b, reg, 0, CAP_STR, CAP_ENTER);

	op->max = path ? 4096 : cap_limit(b) + 1;
}

void cap_block(struct cap_builder *b, unsigned reg, unsigned part, unsigned when, unsigned len_reg, uint32_t elem, uint32_t max)
{
	struct cap_op *op = cap_add(b, reg, part, CAP_BYTES, when);

	op->len_from = CAP_LEN_ARG;
	op->len_arg = (__u8)len_reg;
	op->elem = elem;
	op->max = max < CT_CAP_MAX ? max : CT_CAP_MAX;
}

void cap_result(struct cap_builder *b, unsigned reg, uint32_t elem, uint32_t max)
{
	struct cap_op *op = cap_add(b, reg, 0, CAP_BYTES, CAP_EXIT);

	op->len_from = CAP_LEN_RET;
	op->elem = elem;
	op->max = max;
}

void cap_args(struct cap_builder *b, const struct syscall *s, unsigned from, unsigned to)
{
	unsigned reg = arg_reg(s, from);

	for (unsigned i = from; i < to && i < s->nargs; i++) {
		const struct arg *a = &s->args[i];

		if (a->kind->capture)
			a->kind->capture(b, a, reg);
		reg += 1 + a->kind->extra_regs;
	}
}

/* Whether the result may be a descriptor: of some it depends on the arguments, of which value is the one that chose the operations. */
static bool returns_fd(const struct syscall *s, const uint32_t *value)
{
	struct call probe = { .args = { 1, 1, 1, 1, 1, 1 } };

	if (!s->hooks || !s->hooks->ret || !value)
		return s->ret == RET_FD || (s->hooks && s->hooks->ret);
	probe.args[s->hooks->by_arg - 1] = *value;
	return s->hooks->ret(&probe) == RET_FD;
}

/* What a call has besides its operations. */
static void spec_of_result(struct cap_builder *b, const struct syscall *s, const uint32_t *value)
{
	const struct decode_opts *opts = b->opts;

	cap_row_fds(b, s);
	if (s->ret == RET_PID || s->ret == RET_PGID)
		cap_pid_result(b);
	if ((opts->fds || opts->match_fds) && returns_fd(s, value))
		b->spec->fd_result = b->spec->has_exit = 1;
	b->spec->by_arg = s->hooks && s->hooks->capture_of ? s->hooks->by_arg : 0;
}

void syscall_capture_spec(enum abi abi, uint32_t nr, const struct decode_opts *opts, struct cap_spec *ret_spec)
{
	const struct syscall *s = syscall_get(abi, nr);
	struct decode_opts o = opts_for(opts, abi, nr, true);
	struct cap_spec spec = { 0 };
	struct cap_builder b = { .spec = &spec, .opts = &o, .abi = abi, .word = abi_word(abi) };

	if (s) {
		spec.nargs = (__u8)arg_reg(s, s->nargs);
		if (s->hooks && s->hooks->capture)
			s->hooks->capture(&b, s);
		else
			cap_args(&b, s, 0, s->nargs);
		cap_names(&b, s);
		spec_of_result(&b, s, NULL);
	} else {
		spec.nargs = CT_ARGS;
	}
	*ret_spec = spec;
}

bool syscall_capture_of_value(enum abi abi, uint32_t nr, const struct decode_opts *opts, size_t i, uint32_t *ret_value,
			      struct cap_spec *ret_spec)
{
	const struct syscall *s = syscall_get(abi, nr);
	struct decode_opts o = opts_for(opts, abi, nr, true);
	struct cap_spec spec = { 0 };
	struct cap_builder b = { .spec = &spec, .opts = &o, .abi = abi, .word = abi_word(abi) };

	if (!s || !s->hooks || !s->hooks->capture_of || !s->hooks->capture_of(&b, i, ret_value))
		return false;
	spec.nargs = (__u8)arg_reg(s, s->nargs);
	spec_of_result(&b, s, ret_value);
	*ret_spec = spec;
	return true;
}
