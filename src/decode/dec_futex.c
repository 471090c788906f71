/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* futex(2): which arguments there are, and what they mean, depends on the operation. */
#include "decode/dec_process.h"

#include "decode/field.h"
#include "decode/kinds.h"
#include "util/macros.h"

enum { F_WAIT, F_WAKE, F_FD, F_REQUEUE, F_CMP_REQUEUE, F_WAKE_OP, F_LOCK_PI, F_UNLOCK_PI, F_TRYLOCK_PI, F_WAIT_BITSET,
       F_WAKE_BITSET, F_WAIT_REQUEUE_PI, F_CMP_REQUEUE_PI, F_LOCK_PI2 };

#define F_PRIVATE 128u
#define F_CLOCK   256u
#define F_COMMAND 127u

static bool takes_clock(unsigned cmd)
{
	return cmd == F_WAIT || cmd == F_WAIT_BITSET || cmd == F_WAIT_REQUEUE_PI;
}

static void say_futex_op(struct dec *d, uint32_t op)
{
	uint32_t base = op & ~F_CLOCK;
	const char *name = sym_name(&tab_futex_ops, base);

	if (op == (F_FD | F_PRIVATE) || (name && op != base && takes_clock(base & F_COMMAND))) {
		d->ops->flags_begin(d->e, op);
		d->ops->flag(d->e, op == base ? "FUTEX_FD" : name, op == base ? F_FD : base);
		d->ops->flag(d->e, op == base ? "FUTEX_PRIVATE_FLAG" : "FUTEX_CLOCK_REALTIME", op == base ? F_PRIVATE : F_CLOCK);
		d->ops->flags_end(d->e);
		return;
	}
	say_sym(d, &tab_futex_ops, op);
}

/* With -X raw strace takes all of them for unknown. */
static void words_part(const struct dec *d, struct words *w, const struct symtab *t, unsigned v, const char *shift)
{
	const char *name = sym_name(t, v);

	words_named(d, w, name, v);
	words_str(w, shift);
	if (!name || d->opts->consts == CONST_RAW) {
		words_str(w, " /* ");
		words_str(w, t->unknown);
		words_str(w, " */");
	}
}

/* The operation that FUTEX_WAKE_OP does on the second futex: four fields in 32 bits. */
static void say_wake_op(struct dec *d, uint32_t v)
{
	struct words w = { 0 };

	if (v >> 31) {
		words_named(d, &w, "FUTEX_OP_OPARG_SHIFT", 8);
		words_str(&w, "<<28|");
	}
	words_part(d, &w, &tab_futex_op_ops, v >> 28 & 7, "<<28");
	words_str(&w, "|");
	words_hex(&w, v >> 12 & 0xfff);
	words_str(&w, "<<12|");
	words_part(d, &w, &tab_futex_op_cmps, v >> 24 & 15, "<<24");
	words_str(&w, "|");
	words_hex(&w, v & 0xfff);
	d->ops->word(d->e, w.buf);
}

static void say_bitset(struct dec *d, uint32_t v)
{
	if (v == UINT32_MAX)
		d->ops->sym(d->e, "FUTEX_BITSET_MATCH_ANY", v);
	else
		say_hex(d, v);
}

static void arg_val(struct dec *d)
{
	dec_begin(d, 2);
	say_udec(d, (uint32_t)dec_reg(d, 2));
}

static void arg_timeout(struct dec *d, unsigned word)
{
	dec_begin(d, 3);
	say_timespec_arg(d, 3, 0, word, "tv_nsec");
}

static void arg_val2(struct dec *d)
{
	dec_arg(d, 3, "val2");
	say_udec(d, (uint32_t)dec_reg(d, 3));
}

static void arg_uaddr2(struct dec *d)
{
	dec_begin(d, 4);
	say_addr(d, dec_reg(d, 4));
}

static void arg_val3(struct dec *d)
{
	dec_begin(d, 5);
	say_udec(d, (uint32_t)dec_reg(d, 5));
}

static void futex_wake_args(struct dec *d, unsigned cmd)
{
	arg_val(d);
	switch (cmd) {
	case F_WAKE_BITSET:
		dec_begin(d, 5);
		say_bitset(d, (uint32_t)dec_reg(d, 5));
		break;
	case F_REQUEUE:
		arg_val2(d);
		arg_uaddr2(d);
		break;
	case F_CMP_REQUEUE:
	case F_CMP_REQUEUE_PI:
		arg_val2(d);
		arg_uaddr2(d);
		arg_val3(d);
		break;
	case F_WAKE_OP:
		arg_val2(d);
		arg_uaddr2(d);
		dec_begin(d, 5);
		say_wake_op(d, (uint32_t)dec_reg(d, 5));
		break;
	}
}

static void futex_other_args(struct dec *d)
{
	arg_val(d);
	for (unsigned i = 3; i < CT_ARGS; i++) {
		dec_begin(d, i);
		say_hex(d, i == 5 ? (uint32_t)dec_reg(d, i) : dec_reg(d, i));
	}
}

static void futex_args(struct dec *d, unsigned word)
{
	uint32_t op = (uint32_t)dec_reg(d, 1), cmd = op & F_COMMAND;

	dec_args(d, 0, 1);
	dec_begin(d, 1);
	say_futex_op(d, op);
	switch (cmd) {
	case F_WAIT:
	case F_WAIT_BITSET:
	case F_WAIT_REQUEUE_PI:
		arg_val(d);
		arg_timeout(d, word);
		if (cmd == F_WAIT_REQUEUE_PI)
			arg_uaddr2(d);
		if (cmd == F_WAIT_BITSET) {
			dec_begin(d, 5);
			say_bitset(d, (uint32_t)dec_reg(d, 5));
		}
		break;
	case F_LOCK_PI:
	case F_LOCK_PI2:
		arg_timeout(d, word);
		break;
	case F_UNLOCK_PI:
	case F_TRYLOCK_PI:
		break;
	case F_WAKE:
	case F_FD:
	case F_REQUEUE:
	case F_CMP_REQUEUE:
	case F_WAKE_OP:
	case F_WAKE_BITSET:
	case F_CMP_REQUEUE_PI:
		futex_wake_args(d, cmd);
		break;
	default:
		futex_other_args(d);
	}
}

static void futex_decode(struct dec *d)
{
	futex_args(d, d->word);
}

static void futex_time64_decode(struct dec *d)
{
	futex_args(d, 8);
}

static void capture_timeout(struct cap_builder *b, unsigned word)
{
	struct cap_op *op = cap_add(b, 3, 0, CAP_BYTES, CAP_ENTER);

	op->max = 2 * word;
	op->cond = CAP_COND_VALUE;
	op->cond_arg = 1;
	op->cond_and = F_COMMAND;
	op->cond_mask = 1ull << F_WAIT | 1ull << F_WAIT_BITSET | 1ull << F_WAIT_REQUEUE_PI | 1ull << F_LOCK_PI | 1ull << F_LOCK_PI2;
}

static void futex_capture(struct cap_builder *b, const struct syscall *s _unused_)
{
	capture_timeout(b, b->word);
}

static void futex_time64_capture(struct cap_builder *b, const struct syscall *s _unused_)
{
	capture_timeout(b, 8);
}

const struct hooks hooks_futex = { .decode = futex_decode, .capture = futex_capture };
const struct hooks hooks_futex_time64 = { .decode = futex_time64_decode, .capture = futex_time64_capture };
