/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* System V IPC: flags with a mode at their end, operations with IPC_64. */
#include "decode/kinds.h"

#include "decode/fileconst.h"

#define IPC_64_BIT 0x100u       /* include/uapi/linux/ipc.h */
#define MODE_BITS 0777u

/* The size of huge pages: with -X it stands apart. */
static void say_huge(struct dec *d, uint32_t huge, const char *shift)
{
	struct words w = { 0 };

	if (d->opts->consts == CONST_ABBREV) {
		words_udec(&w, huge);
		words_str(&w, "<<");
		words_str(&w, shift);
		d->ops->flag(d->e, w.buf, (uint64_t)huge << HUGE_SHIFT);
		return;
	}
	words_str(&w, "<<");
	words_udec(&w, HUGE_SHIFT);
	d->ops->flag_apart(d->e, NULL, huge, EMIT_UDEC);
	d->ops->around(d->e, w.buf);
	if (d->opts->consts == CONST_VERBOSE)
		d->ops->comment(d->e, shift);
}

/* IPC_CREAT|0600; the mode always stands there. */
static void say_get_flags(struct dec *d, const struct symtab *t, uint32_t v, const char *huge_shift)
{
	uint32_t huge = huge_shift ? v >> HUGE_SHIFT & 0x3f : 0;
	uint32_t last = (v & MODE_BITS) | huge << HUGE_SHIFT;
	struct words w = { 0 };
	bool unnamed;
	uint64_t rest;

	if (!(v & ~MODE_BITS)) {
		say_mode(d, v);
		return;
	}
	d->ops->flags_begin(d->e, v & ~last);
	rest = say_flag_names(d, t, v & ~last);
	if (rest)
		d->ops->flag(d->e, NULL, rest);
	if (huge)
		say_huge(d, huge, huge_shift);
	/* Where it knows none of the flags strace leaves out the stroke before the mode, unless it looks for no names. */
	unnamed = rest && rest == (v & ~last) && !huge_shift && d->opts->consts != CONST_RAW;
	if (!unnamed)
		d->ops->flag_apart(d->e, NULL, v & MODE_BITS, EMIT_OCT);
	d->ops->flags_end(d->e);
	if (unnamed) {
		words_oct(&w, v & MODE_BITS);
		d->ops->around(d->e, w.buf);
	}
}

static void decode_ipc_flags(struct dec *d, const struct arg *a, unsigned reg)
{
	say_get_flags(d, a->table, (uint32_t)dec_reg(d, reg), NULL);
}

static void decode_shm_flags(struct dec *d, const struct arg *a, unsigned reg)
{
	say_get_flags(d, a->table, (uint32_t)dec_reg(d, reg), "SHM_HUGE_SHIFT");
}

static void decode_ipc_op(struct dec *d, const struct arg *a, unsigned reg)
{
	uint32_t v = (uint32_t)dec_reg(d, reg), op = v & ~IPC_64_BIT;
	const char *name = sym_name(a->table, op);

	if (!(v & IPC_64_BIT)) {
		say_sym(d, a->table, v);
		return;
	}
	d->ops->flags_begin(d->e, 0);
	d->ops->flag_apart(d->e, "IPC_64", IPC_64_BIT, EMIT_HEX);
	d->ops->flag_apart(d->e, name, op, EMIT_HEX);
	if (!name)
		d->ops->comment(d->e, a->table->unknown);
	d->ops->flags_end(d->e);
}

/* semctl(2): its fourth argument is a pointer or a number; not followed. */
static void decode_semun(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_addr(d, dec_reg(d, reg));
}

const struct kind kind_ipc_flags = { .decode = decode_ipc_flags };
const struct kind kind_shm_flags = { .decode = decode_shm_flags };
const struct kind kind_ipc_op = { .decode = decode_ipc_op };
const struct kind kind_semun = { .decode = decode_semun };
