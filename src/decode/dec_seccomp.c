/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* seccomp(2) and arch_prctl(2): the last argument depends on the first. */
#include "decode/dec_process.h"

#include "decode/field.h"
#include "decode/kinds.h"
#include "util/macros.h"

enum { SET_MODE_STRICT, SET_MODE_FILTER, GET_ACTION_AVAIL, GET_NOTIF_SIZES };

static void seccomp_action(struct dec *d)
{
	uint32_t action;

	if (!dec_read(d, 2, 0, &action, sizeof(action))) {
		say_unreadable(d, 2, dec_cap(d, 2, 0, 0));
		return;
	}
	d->ops->array_begin(d->e);
	say_sym(d, &tab_seccomp_actions, action);
	d->ops->array_end(d->e);
}

static void seccomp_sizes(struct dec *d)
{
	const struct capture *c = dec_good(d, 2, 3, 0);
	struct bytes b = bytes_of(c);

	if (!d->ok || b.len < 6) {
		say_addr(d, dec_reg(d, 2));
		return;
	}
	d->ops->struct_begin(d->e);
	field_udec(d, "seccomp_notif", get16(b, 0));
	field_udec(d, "seccomp_notif_resp", get16(b, 2));
	field_udec(d, "seccomp_data", get16(b, 4));
	d->ops->struct_end(d->e);
}

static void seccomp_decode(struct dec *d)
{
	uint32_t op = (uint32_t)dec_reg(d, 0);

	dec_args(d, 0, 1);
	dec_begin(d, 1);
	if (op == SET_MODE_FILTER)
		say_flags(d, &tab_seccomp_filter_flags, (uint32_t)dec_reg(d, 1));
	else
		say_hex(d, (uint32_t)dec_reg(d, 1));
	if (op == GET_NOTIF_SIZES)
		dec_at_end(d);
	dec_begin(d, 2);
	switch (op) {
	case SET_MODE_FILTER:
		say_fprog(d, 2, 1, true);
		break;
	case GET_ACTION_AVAIL:
		seccomp_action(d);
		break;
	case GET_NOTIF_SIZES:
		seccomp_sizes(d);
		break;
	default:
		say_addr(d, dec_reg(d, 2));
	}
}

static void seccomp_op(struct cap_builder *b, unsigned part, unsigned when, uint32_t size, unsigned op_number)
{
	struct cap_op *op = cap_add(b, 2, part, CAP_BYTES, when);

	op->max = size;
	op->cond = CAP_COND_VALUE;
	op->cond_arg = 0;
	op->cond_and = UINT32_MAX;
	op->cond_mask = 1ull << op_number;
}

static void seccomp_capture(struct cap_builder *b, const struct syscall *s _unused_)
{
	seccomp_op(b, 0, CAP_ENTER, 4, GET_ACTION_AVAIL);
	cap_fprog(b, 2, 1, &(struct cap_op){ .cond = CAP_COND_VALUE, .cond_and = UINT32_MAX, .cond_mask = 1ull << SET_MODE_FILTER });
	seccomp_op(b, 3, CAP_EXIT, 6, GET_NOTIF_SIZES);
}

const struct hooks hooks_seccomp = { .decode = seccomp_decode, .capture = seccomp_capture };

#define ARCH_GET_FS_CODE 0x1003
#define ARCH_GET_GS_CODE 0x1004
#define ARCH_GET_CPUID_CODE 0x1011

static void arch_prctl_decode(struct dec *d)
{
	uint64_t code = dec_reg(d, 0), v;

	dec_args(d, 0, 1);
	if (code == ARCH_GET_CPUID_CODE)
		return;
	if (code == ARCH_GET_FS_CODE || code == ARCH_GET_GS_CODE)
		dec_at_end(d);
	dec_begin(d, 1);
	if (code != ARCH_GET_FS_CODE && code != ARCH_GET_GS_CODE) {
		say_hex(d, dec_reg(d, 1));
	} else if (d->ok && dec_read(d, 1, 0, &v, sizeof(v))) {
		d->ops->array_begin(d->e);
		say_addr(d, v);
		d->ops->array_end(d->e);
	} else {
		say_addr(d, dec_reg(d, 1));
	}
}

static void arch_prctl_capture(struct cap_builder *b, const struct syscall *s _unused_)
{
	struct cap_op *op = cap_add(b, 1, 0, CAP_BYTES, CAP_EXIT);

	op->max = 8;
	op->cond = CAP_COND_VALUE;
	op->cond_arg = 0;
	op->cond_and = UINT32_MAX ^ 0x1000;     /* 0x1003 and 0x1004, as numbers below 64 */
	op->cond_mask = 1ull << 3 | 1ull << 4;
}

const struct hooks hooks_arch_prctl = { .decode = arch_prctl_decode, .capture = arch_prctl_capture };

/* waitid's id is a process, a group, or a descriptor. */
#define P_PIDFD_TYPE 3

static void waitid_decode(struct dec *d)
{
	dec_args(d, 0, 1);
	dec_begin(d, 1);
	if (dec_reg(d, 0) == P_PIDFD_TYPE)
		say_fd(d, (int)dec_reg(d, 1), false);
	else
		dec_who(d, 1);
	dec_args(d, 2, 5);
}

static void waitid_capture(struct cap_builder *b, const struct syscall *s)
{
	cap_fd(b, 1, false);
	cap_args(b, s, 0, s->nargs);
}

const struct hooks hooks_waitid = { .decode = waitid_decode, .capture = waitid_capture };
