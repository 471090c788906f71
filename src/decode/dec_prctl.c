/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * prctl(2): each option has arguments of its own. One row an option: a letter
 * for each argument that is shown, in order, and the tables that they need.
 */
#include "decode/dec_process.h"

#include "decode/field.h"
#include "decode/kinds.h"
#include "util/macros.h"

#include <stdio.h>

/*
 * Letters: x hexadecimal, u unsigned, a address, s signal; y and Y a constant
 * (Y of 32 bits), f and F flags (F of 32 bits), each of the next table.
 * Through a pointer that is filled in: I an int, G a signal, B a constant of
 * the next table, P an address. n a name that is passed, N one that is filled in.
 * Others are looked at by hand.
 */
struct option {
	uint32_t option;
	const char *args;
	const struct symtab *tables[2];
	const struct symtab *result;    /* names of the result, shown behind it */
	bool result_hex;
	const char *names[4];                   /* of its arguments, where they have better ones than arg2 */
};

#define T(id) &tab_##id

static const struct option options[] = {
	{ 1, "s", { 0 }, NULL, false, { "sig" } }, /* PR_SET_PDEATHSIG */
	{ 2, "G", { 0 }, NULL, false, { "sig" } },
	{ 3, "", { 0 }, T(dumpable), false, { NULL } }, /* PR_GET_DUMPABLE */
	{ 4, "y", { T(dumpable) }, NULL, false, { "dumpable" } },
	{ 5, "I", { 0 }, NULL, false, { "flags" } }, /* PR_GET_UNALIGN */
	{ 6, "f", { T(unalign_flags) }, NULL, false, { "flags" } },
	{ 7, "", { 0 }, NULL, false, { NULL } }, /* PR_GET_KEEPCAPS */
	{ 8, "u", { 0 }, NULL, false, { "state" } },
	{ 9, "I", { 0 }, NULL, false, { "fpemu" } }, /* PR_GET_FPEMU */
	{ 10, "u", { 0 }, NULL, false, { "fpemu" } },
	{ 11, "I", { 0 }, NULL, false, { "mode" } }, /* PR_GET_FPEXC */
	{ 12, "u", { 0 }, NULL, false, { "mode" } },
	{ 13, "", { 0 }, NULL, false, { NULL } }, /* PR_GET_TIMING */
	{ 14, "u", { 0 }, NULL, false, { "mode" } },
	{ 15, "n", { 0 }, NULL, false, { "name" } }, /* PR_SET_NAME */
	{ 16, "N", { 0 }, NULL, false, { "name" } },
	{ 19, "I", { 0 }, NULL, false, { "endianness" } }, /* PR_GET_ENDIAN */
	{ 20, "u", { 0 }, NULL, false, { "endianness" } },
	{ 21, "", { 0 }, NULL, false, { NULL } }, /* PR_GET_SECCOMP */
	{ 22, "S", { T(seccomp_modes) }, NULL, false, { "mode", "filter" } },
	{ 23, "y", { T(capabilities) }, NULL, false, { "cap" } }, /* PR_CAPBSET_READ */
	{ 24, "y", { T(capabilities) }, NULL, false, { "cap" } },
	{ 25, "B", { T(tsc_modes) }, NULL, false, { "flag" } }, /* PR_GET_TSC */
	{ 26, "y", { T(tsc_modes) }, NULL, false, { "flag" } },
	{ 27, "", { 0 }, T(securebits), true, { NULL } }, /* PR_GET_SECUREBITS */
	{ 28, "f", { T(securebits) }, NULL, false, { "flags" } },
	{ 29, "u", { 0 }, NULL, false, { "slack" } }, /* PR_SET_TIMERSLACK */
	{ 30, "", { 0 }, NULL, false, { NULL } },
	{ 31, "", { 0 }, NULL, false, { NULL } }, /* PR_TASK_PERF_EVENTS_DISABLE */
	{ 32, "", { 0 }, NULL, false, { NULL } },
	{ 33, "M", { T(mce_kill), T(mce_kill_policies) }, NULL, false, { "operation", "policy" } },
	{ 34, "xxxx", { 0 }, T(mce_kill_policies), false, { NULL } }, /* PR_MCE_KILL_GET */
	{ 35, "Yxxx", { T(set_mm) }, NULL, false, { "operation" } },
	{ 36, "u", { 0 }, NULL, false, { "set" } }, /* PR_SET_CHILD_SUBREAPER */
	{ 37, "I", { 0 }, NULL, false, { "isset" } },
	{ 38, "uxxx", { 0 }, NULL, false, { "set" } }, /* PR_SET_NO_NEW_PRIVS */
	{ 40, "P", { 0 }, NULL, false, { "addr" } }, /* PR_GET_TID_ADDRESS */
	{ 41, "uxxx", { 0 }, NULL, false, { "flag" } }, /* PR_SET_THP_DISABLE */
	{ 45, "F", { T(fp_modes) }, NULL, false, { "mode" } }, /* PR_SET_FP_MODE */
	{ 46, "", { 0 }, T(fp_modes), true, { NULL } },
	{ 47, "C", { T(cap_ambient), T(capabilities) }, NULL, false, { "operation", "caps" } },
	{ 51, "", { 0 }, NULL, false, { NULL } }, /* PR_SVE_GET_VL */
	{ 52, "y", { T(speculations) }, T(speculation_flags), true, { "misfeature" } },
	{ 53, "D", { T(speculations), T(speculation_flags) }, NULL, false, { "misfeature", "value" } },
	{ 54, "fxxx", { T(pac_keys) }, NULL, false, { "keys" } }, /* PR_PAC_RESET_KEYS */
	{ 57, "uxxx", { 0 }, NULL, false, { "state" } }, /* PR_SET_IO_FLUSHER */
	{ 59, "yxxa", { T(user_dispatch) }, NULL, false, { "operation", "off", "size", "switch" } },
	{ 60, "ffxx", { T(pac_enabled_keys), T(pac_enabled_keys) }, NULL, false, { "bitmask_affected", "bitmask_set" } },
	{ 62, "K", { T(sched_core) }, NULL, false, { "operation", "pid", "pid_type" } }, /* PR_SCHED_CORE */
	{ 64, "", { 0 }, NULL, false, { NULL } }, /* PR_SME_GET_VL */
	{ 65, "Fxxx", { T(mdwe_flags) }, NULL, false, { "mask" } }, /* PR_SET_MDWE */
	{ 70, "", { 0 }, NULL, false, { NULL } }, /* PR_RISCV_V_GET_CONTROL */
	{ 0x53564d41, "V", { T(set_vma) }, NULL, false, { "attr", "addr", "size", "name" } },
	{ 0x59616d61, "p", { 0 }, NULL, false, { "pid" } }, /* PR_SET_PTRACER */
};

static const struct option *option_of(const struct dec *d)
{
	uint32_t v = (uint32_t)dec_reg(d, 0);

	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].option == v)
			return &options[i];
	return NULL;
}

static void arg_begin(struct dec *d, unsigned reg)
{
	const struct option *o = option_of(d);

	if (o && o->names[reg - 1])
		dec_arg(d, reg, o->names[reg - 1]);
	else
		dec_begin(d, reg);
}

static void arg_hex(struct dec *d, unsigned i)
{
	arg_begin(d, i);
	say_hex(d, dec_reg(d, i));
}

/* Without the option's own name for it. */
static void arg_plain(struct dec *d, unsigned i)
{
	dec_begin(d, i);
	say_hex(d, dec_reg(d, i));
}

static void arg_hexes(struct dec *d, unsigned from)
{
	for (unsigned i = from; i < 5; i++)
		arg_hex(d, i);
}

/* --- options that need more than a letter --- */

#define MODE_FILTER 2

static void args_seccomp(struct dec *d, const struct option *o)
{
	arg_begin(d, 1);
	say_sym(d, o->tables[0], dec_reg(d, 1));
	if (dec_reg(d, 1) == MODE_FILTER) {
		arg_begin(d, 2);
		say_fprog(d, 2, 1, true);
	} else if (!sym_name(o->tables[0], dec_reg(d, 1))) {
		arg_plain(d, 2);
		arg_hexes(d, 3);
	}
}

static void args_mce_kill(struct dec *d, const struct option *o)
{
	arg_begin(d, 1);
	say_sym(d, o->tables[0], dec_reg(d, 1));
	if (dec_reg(d, 1) == 1) {       /* PR_MCE_KILL_SET */
		arg_begin(d, 2);
		say_sym(d, o->tables[1], dec_reg(d, 2));
	} else {
		arg_plain(d, 2);
	}
	arg_hexes(d, 3);
}

static void args_cap_ambient(struct dec *d, const struct option *o)
{
	uint64_t what = dec_reg(d, 1);

	arg_begin(d, 1);
	say_sym(d, o->tables[0], what);
	if (what >= 1 && what <= 3) {   /* IS_SET, RAISE, LOWER */
		arg_begin(d, 2);
		say_sym(d, o->tables[1], dec_reg(d, 2));
	} else {
		arg_plain(d, 2);
	}
	arg_hexes(d, 3);
}

static void args_speculation(struct dec *d, const struct option *o)
{
	arg_begin(d, 1);
	say_sym(d, o->tables[0], dec_reg(d, 1));
	arg_begin(d, 2);
	if (sym_name(o->tables[0], dec_reg(d, 1)))
		say_sym(d, o->tables[1], dec_reg(d, 2));
	else
		say_hex(d, dec_reg(d, 2));
}

static void args_sched_core(struct dec *d, const struct option *o)
{
	static const char *const types[] = { "PIDTYPE_PID", "PIDTYPE_TGID", "PIDTYPE_PGID", "PIDTYPE_SID" };
	uint64_t type = dec_reg(d, 3);

	arg_begin(d, 1);
	say_sym(d, o->tables[0], (uint32_t)dec_reg(d, 1));
	arg_begin(d, 2);
	if (type < 2)
		say_pid(d, (int32_t)dec_reg(d, 2));
	else
		say_pgid(d, (int32_t)dec_reg(d, 2));
	arg_hex(d, 3);
	if (d->opts->consts != CONST_RAW)
		d->ops->comment(d->e, type < ARRAY_SIZE(types) ? types[type] : "PIDTYPE_???");
	arg_begin(d, 4);
	if (dec_reg(d, 1))
		say_hex(d, dec_reg(d, 4));
	else
		say_addr(d, dec_reg(d, 4));
}

static void args_set_vma(struct dec *d, const struct option *o)
{
	const struct capture *c = dec_good_text(d, 4, 2, 0);

	arg_begin(d, 1);
	say_sym(d, o->tables[0], dec_reg(d, 1));
	if (dec_reg(d, 1)) {            /* other than PR_SET_VMA_ANON_NAME */
		arg_hexes(d, 2);
		return;
	}
	arg_hex(d, 2);
	arg_begin(d, 3);
	say_udec(d, dec_reg(d, 3));
	arg_begin(d, 4);
	if (c)
		say_str(d, c, false);
	else
		say_unreadable(d, 4, dec_text(d, 4, 2, 0));
}

static void arg_ptracer(struct dec *d)
{
	arg_begin(d, 1);
	if ((int32_t)dec_reg(d, 1) == -1)
		d->ops->named(d->e, "PR_SET_PTRACER_ANY", UINT64_MAX, EMIT_DEC);
	else
		say_pid(d, (int32_t)dec_reg(d, 1));
}

/* --- letters --- */

#define COMM_SHOWN 15           /* of 16 bytes, the last is the kernel's NUL */

static void say_name(struct dec *d, const char *name, size_t len, bool cut)
{
	size_t shown = MIN(len, d->opts->string_limit);

	d->ops->str(d->e, name, shown, cut || shown < len ? EMIT_STR_CUT : 0);
}

/* The kernel takes 15 bytes of what it is given; whether there was a 16th is not known. */
static void arg_set_name(struct dec *d)
{
	const struct capture *c = dec_text(d, 1, 0, 0);
	size_t n;

	if (!c || (c->flags & CT_CAP_FAILED)) {
		say_unreadable(d, 1, c);
		return;
	}
	n = strnlen(c->data, MIN(c->len, COMM_SHOWN));
	say_name(d, c->data, n, n == COMM_SHOWN);
}

static void arg_get_name(struct dec *d)
{
	const struct capture *c = dec_text(d, 1, 1, 0);

	if (d->ok && c && !(c->flags & CT_CAP_FAILED))
		say_name(d, c->data, strnlen(c->data, c->len), false);
	else
		say_addr(d, dec_reg(d, 1));
}

static void arg_filled_in(struct dec *d, char letter, const struct symtab *t)
{
	uint64_t v = 0;
	bool have = dec_read(d, 1, 1, &v, letter == 'P' ? d->word : 4);

	if (!d->ok || !have) {
		say_addr(d, dec_reg(d, 1));
		return;
	}
	d->ops->array_begin(d->e);
	switch (letter) {
	case 'I':
		say_dec(d, (int32_t)v);
		break;
	case 'G':
		say_signal(d, (int32_t)v);
		break;
	case 'B':
		say_sym(d, t, (uint32_t)v);
		break;
	default:
		say_addr(d, v);
	}
	d->ops->array_end(d->e);
}

static void say_letter(struct dec *d, char letter, unsigned reg, const struct symtab *t)
{
	uint64_t v = dec_reg(d, reg);

	if (strchr("IGBPN", letter))
		dec_at_end(d);
	arg_begin(d, reg);
	switch (letter) {
	case 'x':
		say_hex(d, v);
		break;
	case 'u':
		say_udec(d, v);
		break;
	case 'a':
		say_addr(d, v);
		break;
	case 's':
		say_signal_long(d, v);
		break;
	case 'y':
		say_sym(d, t, v);
		break;
	case 'Y':
		say_sym(d, t, (uint32_t)v);
		break;
	case 'f':
		say_flags(d, t, v);
		break;
	case 'F':
		say_flags(d, t, (uint32_t)v);
		break;
	case 'n':
		arg_set_name(d);
		break;
	case 'N':
		arg_get_name(d);
		break;
	default:
		arg_filled_in(d, letter, t);
	}
}

static void say_letters(struct dec *d, const struct option *o)
{
	unsigned table = 0;

	for (unsigned i = 0; o->args[i]; i++) {
		bool uses = strchr("yYfFB", o->args[i]);

		say_letter(d, o->args[i], i + 1, uses && table < ARRAY_SIZE(o->tables) ? o->tables[table] : NULL);
		table += uses;
	}
}

static void prctl_decode(struct dec *d)
{
	const struct option *o = option_of(d);

	dec_args(d, 0, 1);
	switch (o ? o->args[0] : 'X') {
	case 'X':
		arg_hexes(d, 1);
		break;
	case 'S':
		args_seccomp(d, o);
		break;
	case 'M':
		args_mce_kill(d, o);
		break;
	case 'C':
		args_cap_ambient(d, o);
		break;
	case 'D':
		args_speculation(d, o);
		break;
	case 'K':
		args_sched_core(d, o);
		break;
	case 'V':
		args_set_vma(d, o);
		break;
	case 'p':
		arg_ptracer(d);
		break;
	default:
		say_letters(d, o);
	}
}

#define GET_SPECULATION_CTRL 52u

static void prctl_detail(struct dec *d)
{
	const struct option *o = option_of(d);
	struct words w = { 0 };

	if (!d->ok || !o || !o->result)
		return;
	if (o->result_hex) {
		/* Words, whatever -X says, or nothing. */
		if (d->opts->consts == CONST_RAW)
			return;
		if (!d->call->ret && (uint32_t)dec_reg(d, 0) == GET_SPECULATION_CTRL) {
			d->ops->result_detail(d->e);
			d->ops->word(d->e, "PR_SPEC_NOT_AFFECTED");
			return;
		}
		if (!d->call->ret)
			return;
		d->ops->result_detail(d->e);
		if (d->opts->consts == CONST_ABBREV) {
			say_flags(d, o->result, (uint64_t)d->call->ret);
			return;
		}
		words_flags(d, &w, o->result, (uint64_t)d->call->ret);
		d->ops->word(d->e, w.buf);
		return;
	}
	if (!sym_name(o->result, (uint64_t)d->call->ret))
		return;
	d->ops->result_detail(d->e);
	say_sym(d, o->result, (uint64_t)d->call->ret);
}

static enum ret_kind prctl_ret(const struct call *call)
{
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].option == (uint32_t)call->args[0] && options[i].result_hex)
			return RET_HEX;
	return RET_DEC;
}

/* The options by number whose second argument is a pointer: what it leads to is taken in, or out. */
static uint64_t options_with(const char *letters)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].option < 64 && options[i].args[0] && strchr(letters, options[i].args[0]))
			mask |= 1ull << options[i].option;
	return mask;
}

static struct cap_op *option_op(struct cap_builder *b, unsigned reg, unsigned part, unsigned when, uint32_t size, uint64_t mask)
{
	struct cap_op *op = cap_add(b, reg, part, CAP_BYTES, when);

	op->max = size;
	op->cond = CAP_COND_VALUE;
	op->cond_arg = 0;
	op->cond_and = UINT32_MAX;
	op->cond_mask = mask;
	return op;
}

static void prctl_capture(struct cap_builder *b, const struct syscall *s _unused_)
{
	struct cap_op *op;

	/* PR_SET_PTRACER, PR_SCHED_CORE */
	cap_pid(b, 1);
	cap_pid(b, 2);
	op = option_op(b, 1, 0, CAP_ENTER, COMM_SHOWN, options_with("n"));
	op->kind = CAP_STR;
	option_op(b, 1, 1, CAP_EXIT, 16, options_with("IGBPN"));
	cap_fprog(b, 2, 1, &(struct cap_op){ .cond = CAP_COND_VALUE, .cond_and = UINT32_MAX, .cond_mask = options_with("S") });
	/* PR_SET_VMA is no small number: by a bit of it that no other option has. */
	op = option_op(b, 4, 2, CAP_ENTER, cap_limit(b) + 1, 0);
	op->kind = CAP_STR;
	op->cond = CAP_COND_BITS;
	op->cond_and = 0x02000000;
}

const struct hooks hooks_prctl = { .decode = prctl_decode, .capture = prctl_capture, .detail = prctl_detail, .ret = prctl_ret };
