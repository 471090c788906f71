/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sched_setattr, ioprio_set, kcmp, membarrier, and the futex calls of the second kind. */
#include "decode/dec_process.h"
#include "decode/kinds.h"

#include "decode/dec_array.h"
#include "decode/field.h"
#include "util/macros.h"

/* --- struct sched_attr (linux/sched/types.h) --- */

enum { SA_SIZE, SA_POLICY = 4, SA_FLAGS = 8, SA_NICE = 16, SA_PRIORITY = 20, SA_RUNTIME = 24, SA_DEADLINE = 32, SA_PERIOD = 40,
       SA_SIZE_0 = 48, SA_UTIL_MIN = 48, SA_UTIL_MAX = 52, SA_SIZE_1 = 56 };
#define KEEP_POLICY 0x8u
#define KEEP_PARAMS 0x10u

static void sched_attr_fields(struct dec *d, struct bytes b, uint32_t size)
{
	uint64_t flags = get64(b, SA_FLAGS);

	if (!(flags & KEEP_POLICY))
		field_sym(d, "sched_policy", &tab_sched_policies, get32(b, SA_POLICY));
	field_flags(d, "sched_flags", &tab_sched_attr_flags, flags);
	if (!(flags & KEEP_PARAMS)) {
		field_dec(d, "sched_nice", (int32_t)get32(b, SA_NICE));
		field_udec(d, "sched_priority", get32(b, SA_PRIORITY));
		field_udec(d, "sched_runtime", get64(b, SA_RUNTIME));
		field_udec(d, "sched_deadline", get64(b, SA_DEADLINE));
		field_udec(d, "sched_period", get64(b, SA_PERIOD));
	}
	if (size >= SA_SIZE_1) {
		field_udec(d, "sched_util_min", get32(b, SA_UTIL_MIN));
		field_udec(d, "sched_util_max", get32(b, SA_UTIL_MAX));
	}
	if (size > SA_SIZE_1)
		d->ops->more(d->e);
}

static void say_sched_attr(struct dec *d, unsigned reg)
{
	struct bytes b = bytes_of(dec_good(d, reg, 0, 0));
	uint32_t size = get32(b, SA_SIZE);

	if (!dec_reg(d, reg) || b.len < SA_SIZE_0) {
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	field_udec(d, "size", size);
	if (!size || size >= SA_SIZE_0)
		sched_attr_fields(d, b, size);
	d->ops->struct_end(d->e);
}

static void decode_sched_attr_in(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	say_sched_attr(d, reg);
}

static void capture_sched_attr_in(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, SA_SIZE_1);
}

/* a: the register with the size */
static void decode_sched_attr_out(struct dec *d, const struct arg *a, unsigned reg)
{
	if (d->ok && dec_reg(d, a->a))
		say_sched_attr(d, reg);
	else
		say_addr(d, dec_reg(d, reg));
}

static void capture_sched_attr_out(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_block(b, reg, 0, CAP_EXIT, a->a, 1, SA_SIZE_1);
}

const struct kind kind_sched_attr_in = { .decode = decode_sched_attr_in, .capture = capture_sched_attr_in };
const struct kind kind_sched_attr_out = { .decode = decode_sched_attr_out, .capture = capture_sched_attr_out, .at_end = true };

/* --- priorities of I/O: a class and a number --- */

#define IOPRIO_SHIFT 13

static void ioprio_words(struct dec *d, uint32_t v)
{
	uint32_t class = v >> IOPRIO_SHIFT;
	const char *name = sym_name(&tab_ioprio_classes, class);
	struct words w = { 0 };

	words_str(&w, "IOPRIO_PRIO_VALUE(");
	words_named(d, &w, name, class);
	if (!name)
		words_str(&w, " /* IOPRIO_CLASS_??? */");
	words_str(&w, ", ");
	words_udec(&w, v & ((1u << IOPRIO_SHIFT) - 1));
	words_str(&w, ")");
	d->ops->word(d->e, w.buf);
}

void say_ioprio(struct dec *d, uint32_t v)
{
	d->ops->alias_begin(d->e, v, EMIT_UDEC);
	ioprio_words(d, v);
	d->ops->alias_end(d->e);
}

static void decode_ioprio(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	uint32_t v = (uint32_t)dec_reg(d, reg);

	/* An int, as one sees where it is told as a number. */
	d->ops->alias_begin(d->e, (uint64_t)(int32_t)v, EMIT_DEC);
	ioprio_words(d, v);
	d->ops->alias_end(d->e);
}

const struct kind kind_ioprio = { .decode = decode_ioprio };

static void ioprio_get_detail(struct dec *d)
{
	/* The number stands before it. */
	if (!d->ok || d->opts->consts == CONST_RAW)
		return;
	d->ops->result_detail(d->e);
	ioprio_words(d, (uint32_t)d->call->ret);
}

const struct hooks hooks_ioprio_get = { .detail = ioprio_get_detail };

/* --- kcmp --- */

enum { CMP_FILE = 0, CMP_EPOLL = 7 };

/* struct kcmp_epoll_slot */
static void kcmp_slot(struct dec *d)
{
	struct bytes b = bytes_of(dec_good(d, 4, 0, 0));

	if (!dec_reg(d, 4) || b.len < 12) {
		say_unreadable(d, 4, dec_cap(d, 4, 0, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	say_field(d, "efd");
	say_others_fd(d, (int)get32(b, 0), 1);
	say_field(d, "tfd");
	say_others_fd(d, (int)get32(b, 4), 2);
	field_udec(d, "toff", get32(b, 8));
	d->ops->struct_end(d->e);
}

static void kcmp_decode(struct dec *d)
{
	uint32_t type = (uint32_t)dec_reg(d, 2);

	dec_args(d, 0, 3);
	if (type != CMP_FILE && type != CMP_EPOLL) {
		if (!sym_name(&tab_kcmp_types, type))
			dec_args(d, 3, 5);
		return;
	}
	dec_begin(d, 3);
	say_others_fd(d, (int)dec_reg(d, 3), 0);
	dec_begin(d, 4);
	if (type == CMP_FILE)
		say_others_fd(d, (int)dec_reg(d, 4), 1);
	else
		kcmp_slot(d);
}

/* What follows is wanted of these comparisons only. */
static void if_compared(struct cap_op *op, uint64_t types)
{
	op->cond = CAP_COND_VALUE;
	op->cond_arg = 2;
	op->cond_and = UINT32_MAX;
	op->cond_mask = types;
}

static void kcmp_capture(struct cap_builder *b, const struct syscall *s _unused_)
{
	struct cap_op *op = cap_add(b, 4, 0, CAP_BYTES, CAP_ENTER);

	op->max = 12;
	if_compared(op, 1ull << CMP_EPOLL);
	cap_pid(b, 0);
	cap_pid(b, 1);
	if_compared(cap_others_fd(b, 3, 0, 0), 1ull << CMP_FILE | 1ull << CMP_EPOLL);
	if_compared(cap_others_fd(b, 4, 1, 1), 1ull << CMP_FILE);
	for (unsigned i = 0; i < 2; i++) {
		op = cap_others_fd(b, 4, 1, 1 + i);
		op->via_off = (__u16)(4 * i);
		if_compared(op, 1ull << CMP_EPOLL);
	}
}

const struct hooks hooks_kcmp = { .decode = kcmp_decode, .capture = kcmp_capture };

/* --- membarrier: what it knows, by name --- */

static void membarrier_detail(struct dec *d)
{
	if (!d->ok || (uint32_t)dec_reg(d, 0) || d->call->ret <= 0)
		return;
	d->ops->result_detail(d->e);
	say_flags(d, &tab_membarrier_cmds, (uint64_t)d->call->ret);
}

static enum ret_kind membarrier_ret(const struct call *call)
{
	return (uint32_t)call->args[0] ? RET_DEC : RET_HEX;
}

const struct hooks hooks_membarrier = { .detail = membarrier_detail, .ret = membarrier_ret };

/* --- futex_waitv and its like --- */

#define WAITV_SIZE 24
#define WAITV_MAX 128           /* FUTEX_WAITV_MAX: more are none */

/* struct futex_waitv (linux/futex.h) */
static void say_waitv(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_hex(d, "val", get64(b, 0));
	field_addr(d, "uaddr", get64(b, 8));
	field_flags(d, "flags", &tab_futex2_flags, get32(b, 16));
	if (get32(b, 20))
		field_hex(d, "__reserved", get32(b, 20));
	d->ops->struct_end(d->e);
}

/* a: the register with the count; b: the count itself, where that is none */
static void decode_futex_waiters(struct dec *d, const struct arg *a, unsigned reg)
{
	uint64_t count = a->b ? a->b : (uint32_t)dec_reg(d, a->a);
	const struct capture *c = dec_cap(d, reg, 0, 0);

	/* Whether there is one more is seen before it is left out. */
	if (d->opts->no_abbrev && c && !(c->flags & CT_CAP_FAILED) && c->len >= (WAITV_MAX + 1) * WAITV_SIZE)
		say_array_up_to(d, c, dec_reg(d, reg), count, WAITV_SIZE, WAITV_MAX, say_waitv);
	else
		say_array(d, c, dec_reg(d, reg), count, WAITV_SIZE, say_waitv);
}

static void capture_futex_waiters(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	if (a->b)
		cap_fixed(b, reg, 0, CAP_ENTER, a->b * WAITV_SIZE);
	else
		cap_array(b, reg, 0, CAP_ENTER, a->a, WAITV_SIZE);
}

const struct kind kind_futex_waiters = { .decode = decode_futex_waiters, .capture = capture_futex_waiters };

static void decode_futex_mask(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	if (dec_reg(d, reg) == UINT32_MAX)
		d->ops->sym(d->e, "FUTEX_BITSET_MATCH_ANY", UINT32_MAX);
	else
		say_hex(d, dec_reg(d, reg));
}

const struct kind kind_futex_mask = { .decode = decode_futex_mask };
