/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Calls of i386 alone: signals with sets of one word, readdir(2), and what is
 * left of socketcall(2) and ipc(2) where they are no call that is known.
 */
#include "decode/dec_signal.h"
#include "decode/kinds.h"
#include "util/macros.h"

/* --- signal sets of a word: in an argument, or in memory --- */

static void decode_old_mask(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	uint32_t set = (uint32_t)dec_reg(d, reg);

	say_sigset(d, &set, sizeof(set));
}

const struct kind kind_old_mask = { .decode = decode_old_mask };

static void say_old_set(struct dec *d, unsigned reg, bool shown)
{
	uint32_t set;

	if (!dec_reg(d, reg) || !shown)
		say_addr(d, dec_reg(d, reg));
	else if (!dec_read(d, reg, 0, &set, sizeof(set)))
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
	else
		say_sigset(d, &set, sizeof(set));
}

static void decode_old_set_in(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	say_old_set(d, reg, true);
}

static void capture_old_set_in(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, 4);
}

const struct kind kind_old_set_in = { .decode = decode_old_set_in, .capture = capture_old_set_in };

static void decode_old_set_out(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	say_old_set(d, reg, d->ok);
}

static void capture_old_set_out(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, 4);
}

const struct kind kind_old_set_out = { .decode = decode_old_set_out, .capture = capture_old_set_out, .at_end = true };

/* --- actions (struct old_sigaction: handler, mask, flags, restorer) --- */

#define OLD_SIGACTION_SIZE 16

static void say_old_action(struct dec *d, unsigned reg, bool shown)
{
	const struct capture *c = dec_good(d, reg, 0, 0);

	if (!dec_reg(d, reg) || !shown)
		say_addr(d, dec_reg(d, reg));
	else if (!c || c->len < OLD_SIGACTION_SIZE)
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
	else
		say_sigaction_parts(d, get32(bytes_of(c), 0), bytes_from(bytes_of(c), 4), 4, get32(bytes_of(c), 8), get32(bytes_of(c), 12));
}

static void decode_old_action_in(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	say_old_action(d, reg, true);
}

static void capture_old_action_in(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, OLD_SIGACTION_SIZE);
}

const struct kind kind_old_action_in = { .decode = decode_old_action_in, .capture = capture_old_action_in };

static void decode_old_action_out(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	say_old_action(d, reg, d->ok);
}

static void capture_old_action_out(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, OLD_SIGACTION_SIZE);
}

const struct kind kind_old_action_out = { .decode = decode_old_action_out, .capture = capture_old_action_out, .at_end = true };

static void decode_handler(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	say_handler(d, dec_reg(d, reg));
}

const struct kind kind_handler = { .decode = decode_handler };

/* --- results --- */

/* The handler that there was: 0 (SIG_DFL). */
static void signal_detail(struct dec *d)
{
	uint32_t ret = (uint32_t)d->call->ret;

	if (!d->ok || ret > 1)
		return;
	d->ops->result_detail(d->e);
	d->ops->word(d->e, ret ? "SIG_IGN" : "SIG_DFL");
}

const struct hooks hooks_signal = { .detail = signal_detail };

static void mask_detail(struct dec *d, const char *label)
{
	uint32_t set = (uint32_t)d->call->ret;

	if (!d->ok)
		return;
	d->ops->result_detail(d->e);
	d->ops->part(d->e, label);
	say_sigset(d, &set, sizeof(set));
}

static void sgetmask_detail(struct dec *d)
{
	mask_detail(d, "mask");
}

static void ssetmask_detail(struct dec *d)
{
	mask_detail(d, "old mask");
}

const struct hooks hooks_sgetmask = { .detail = sgetmask_detail };
const struct hooks hooks_ssetmask = { .detail = ssetmask_detail };

/* Its two first arguments mean nothing. */
static void sigsuspend_decode(struct dec *d)
{
	dec_args(d, 2, 3);
}

const struct hooks hooks_sigsuspend = { .decode = sigsuspend_decode };

/* readdir(2) reads one entry, whatever its last argument says: told is one that says more. */
static void readdir_decode(struct dec *d)
{
	dec_args(d, 0, (uint32_t)dec_reg(d, 2) == 1 ? 2 : 3);
}

const struct hooks hooks_readdir = { .decode = readdir_decode };

/* --- socketcall(2), ipc(2) --- */

/* It is told where what it leads to could not be read. */
static void decode_socketcall(struct dec *d, const struct arg *a, unsigned reg)
{
	uint32_t v = (uint32_t)dec_reg(d, reg);
	const char *name = sym_name(a->table, v);

	if (name)
		d->ops->named(d->e, name, v, EMIT_UDEC);
	else
		say_dec(d, (int32_t)v);
}

const struct kind kind_socketcall = { .decode = decode_socketcall };

/* The version of the interface is in the upper half. */
static void decode_ipc_call(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	uint32_t v = (uint32_t)dec_reg(d, reg);
	struct words w = { 0 };

	if (!(v >> 16)) {
		say_udec(d, v);
		return;
	}
	words_udec(&w, v >> 16);
	words_str(&w, "<<16|");
	words_udec(&w, v & 0xffff);
	d->ops->word(d->e, w.buf);
}

const struct kind kind_ipc_call = { .decode = decode_ipc_call };
