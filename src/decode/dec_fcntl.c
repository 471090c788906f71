/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fcntl(2): what the third argument and the result are, the second says. */
#include "decode/kinds.h"

#include <string.h>

/* include/uapi/asm-generic/fcntl.h, include/uapi/linux/fcntl.h */
enum {
	OP_DUPFD = 0, OP_GETFD = 1, OP_SETFD = 2, OP_GETFL = 3, OP_SETFL = 4, OP_GETLK = 5, OP_SETLK = 6, OP_SETLKW = 7,
	OP_SETOWN = 8, OP_GETOWN = 9, OP_SETSIG = 10, OP_GETSIG = 11, OP_GETLK64 = 12, OP_SETLK64 = 13, OP_SETLKW64 = 14,
	OP_SETOWN_EX = 15, OP_GETOWN_EX = 16, OP_GETOWNER_UIDS = 17, OP_OFD_GETLK = 36, OP_OFD_SETLK = 37,
	OP_OFD_SETLKW = 38, OP_SETLEASE = 1024, OP_GETLEASE = 1025, OP_NOTIFY = 1026, OP_DUPFD_QUERY = 1027,
	OP_DUPFD_CLOEXEC = 1030, OP_SETPIPE_SZ = 1031, OP_GETPIPE_SZ = 1032, OP_ADD_SEALS = 1033, OP_GET_SEALS = 1034,
	OP_GET_RW_HINT = 1035, OP_SET_RW_HINT = 1036, OP_GET_FILE_RW_HINT = 1037, OP_SET_FILE_RW_HINT = 1038,
	OP_GETDELEG = 1039, OP_SETDELEG = 1040,
};

/* One part for each form of the third argument. */
enum { PART_LOCK, PART_OWNER, PART_HINT };

struct lock {
	int16_t type, whence;
	int64_t start, len;
	int32_t pid;
};

static bool read_lock(const struct capture *c, bool wide, unsigned word, struct lock *ret)
{
	const char *p = c ? c->data : NULL;
	/* struct flock of 64 bits; compat_flock64, packed; compat_flock */
	size_t start = word == 8 ? 8 : 4, width = word == 8 || wide ? 8 : 4;
	int32_t v32[2];

	if (!c || (c->flags & CT_CAP_FAILED) || c->len < start + 2 * width + 4)
		return false;
	memcpy(&ret->type, p, 2);
	memcpy(&ret->whence, p + 2, 2);
	if (width == 8) {
		memcpy(&ret->start, p + start, 8);
		memcpy(&ret->len, p + start + 8, 8);
	} else {
		memcpy(v32, p + start, 8);
		ret->start = v32[0];
		ret->len = v32[1];
	}
	memcpy(&ret->pid, p + start + 2 * width, 4);
	return true;
}

static void say_lock(struct dec *d, unsigned op, bool out)
{
	const struct capture *c = !out || d->ok ? dec_cap(d, 2, PART_LOCK, 0) : NULL;
	struct lock l;

	if (!read_lock(c, op > OP_SETLKW, d->word, &l)) {
		say_unreadable(d, 2, c);
		return;
	}
	d->ops->struct_begin(d->e);
	say_field(d, "l_type");
	say_sym(d, &tab_lock_types, (uint16_t)l.type);
	say_field(d, "l_whence");
	say_sym(d, &tab_whence, (uint16_t)l.whence);
	say_field(d, "l_start");
	say_dec(d, l.start);
	say_field(d, "l_len");
	say_dec(d, l.len);
	if (out) {
		say_field(d, "l_pid");
		say_pid(d, l.pid);
	}
	d->ops->struct_end(d->e);
}

#define OWNER_PGRP 2

static void say_owner(struct dec *d, bool out)
{
	const struct capture *c = !out || d->ok ? dec_cap(d, 2, PART_OWNER, 0) : NULL;
	int32_t v[2];

	if (!c || (c->flags & CT_CAP_FAILED) || c->len < sizeof(v)) {
		say_unreadable(d, 2, c);
		return;
	}
	memcpy(v, c->data, sizeof(v));
	d->ops->struct_begin(d->e);
	say_field(d, "type");
	say_sym(d, &tab_owner_types, (uint32_t)v[0]);
	say_field(d, "pid");
	if (v[0] == OWNER_PGRP)
		say_pgid(d, v[1]);
	else
		say_pid(d, v[1]);
	d->ops->struct_end(d->e);
}

static void say_hint(struct dec *d, bool out)
{
	const struct capture *c = !out || d->ok ? dec_cap(d, 2, PART_HINT, 0) : NULL;
	uint64_t hint;

	if (!c || (c->flags & CT_CAP_FAILED) || c->len < sizeof(hint)) {
		say_unreadable(d, 2, c);
		return;
	}
	memcpy(&hint, c->data, sizeof(hint));
	d->ops->array_begin(d->e);
	say_sym(d, &tab_write_hints, hint);
	d->ops->array_end(d->e);
}

/* struct delegation */
static void say_delegation(struct dec *d, bool out)
{
	const struct capture *c = !out || d->ok ? dec_cap(d, 2, PART_HINT, 0) : NULL;
	uint32_t flags;
	uint16_t v[2];

	if (!c || (c->flags & CT_CAP_FAILED) || c->len < sizeof(flags) + sizeof(v)) {
		say_unreadable(d, 2, c);
		return;
	}
	memcpy(&flags, c->data, sizeof(flags));
	memcpy(v, (const char *)c->data + sizeof(flags), sizeof(v));
	d->ops->struct_begin(d->e);
	say_field(d, "d_flags");
	say_hex(d, flags);
	say_field(d, "d_type");
	say_sym(d, &tab_lock_types, v[0]);
	say_field(d, "__pad");
	say_hex(d, v[1]);
	d->ops->struct_end(d->e);
}

/* What the third argument points to. */
static void say_third_struct(struct dec *d, unsigned op)
{
	/* Those that fcntl64 alone has. */
	if (op >= OP_GETLK64 && op <= OP_SETLKW64 && strcmp(syscall_name(d->sys), "fcntl64"))
		op = UINT32_MAX;
	switch (op) {
	case OP_SETLK: case OP_SETLKW: case OP_SETLK64: case OP_SETLKW64: case OP_OFD_SETLK: case OP_OFD_SETLKW:
		say_lock(d, op, false);
		break;
	case OP_GETLK: case OP_GETLK64: case OP_OFD_GETLK:
		say_lock(d, op, true);
		break;
	case OP_SETOWN_EX: case OP_GETOWN_EX:
		say_owner(d, op == OP_GETOWN_EX);
		break;
	case OP_GET_RW_HINT: case OP_GET_FILE_RW_HINT: case OP_SET_RW_HINT: case OP_SET_FILE_RW_HINT:
		say_hint(d, op == OP_GET_RW_HINT || op == OP_GET_FILE_RW_HINT);
		break;
	case OP_GETDELEG: case OP_SETDELEG:
		say_delegation(d, op == OP_GETDELEG);
		break;
	default:
		say_hex(d, dec_reg(d, 2));
	}
}

static void say_third(struct dec *d, unsigned op)
{
	uint32_t v = (uint32_t)dec_reg(d, 2);

	switch (op) {
	case OP_SETFD:
		say_flags(d, &tab_fd_bits, v);
		break;
	case OP_SETFL:
		say_flags(d, &tab_open_flags, v);
		break;
	case OP_SETSIG:
		say_signal(d, (int)v);
		break;
	case OP_SETLEASE:
		say_sym(d, &tab_lock_types, v);
		break;
	case OP_NOTIFY:
		say_flags(d, &tab_notify_flags, v);
		break;
	case OP_ADD_SEALS:
		say_flags(d, &tab_seals, v);
		break;
	case OP_DUPFD: case OP_DUPFD_CLOEXEC: case OP_SETPIPE_SZ:
		say_udec(d, dec_reg(d, 2));
		break;
	case OP_DUPFD_QUERY:
		say_fd(d, (int32_t)v, false);
		break;
	case OP_SETOWN:
		say_pid(d, (int32_t)v);
		break;
	default:
		say_third_struct(d, op);
	}
}

static bool has_third(unsigned op)
{
	switch (op) {
	case OP_GETFD: case OP_GETFL: case OP_GETOWN: case OP_GETSIG: case OP_GETLEASE: case OP_GETPIPE_SZ: case OP_GET_SEALS:
		return false;
	}
	return true;
}

static bool fills_third(unsigned op)
{
	switch (op) {
	case OP_GETLK: case OP_GETLK64: case OP_OFD_GETLK: case OP_GETOWN_EX:
	case OP_GET_RW_HINT: case OP_GET_FILE_RW_HINT: case OP_GETDELEG:
		return true;
	}
	return false;
}

static void decode_fcntl(struct dec *d)
{
	unsigned op = (uint32_t)dec_reg(d, 1);

	dec_args(d, 0, 2);
	if (!has_third(op))
		return;
	if (fills_third(op))
		dec_at_end(d);
	dec_begin(d, 2);
	say_third(d, op);
}

static void detail_flags(struct dec *d, const char *label, const struct symtab *t, uint64_t v)
{
	d->ops->part(d->e, label);
	say_flags(d, t, v);
}

static void detail_fcntl(struct dec *d)
{
	uint32_t ret = (uint32_t)d->call->ret;
	struct words w = { 0 };
	const char *name;
	char buf[16];

	if (!d->ok)
		return;
	switch ((uint32_t)dec_reg(d, 1)) {
	case OP_GETFD:
		if (ret)
			detail_flags(d, "flags", &tab_fd_bits, ret);
		break;
	case OP_GETFL:
		/* strace's words, whatever -X says. */
		if (d->opts->consts == CONST_ABBREV) {
			detail_flags(d, "flags", &tab_open_flags, ret);
			break;
		}
		words_flags(d, &w, &tab_open_flags, ret);
		d->ops->part(d->e, "flags");
		d->ops->word(d->e, w.buf);
		break;
	case OP_GET_SEALS:
		if (ret)
			detail_flags(d, "seals", &tab_seals, ret);
		break;
	case OP_GETLEASE:
		name = sym_name(&tab_lock_types, ret);
		if (!name)
			return;
		d->ops->result_detail(d->e);
		d->ops->word(d->e, name);
		break;
	case OP_GETSIG:
		if (!ret)
			return;
		d->ops->result_detail(d->e);
		d->ops->word(d->e, signal_name((int)ret, buf));
		break;
	default:
		break;
	}
}

static enum ret_kind ret_fcntl(const struct call *call)
{
	switch ((uint32_t)call->args[1]) {
	case OP_DUPFD: case OP_DUPFD_CLOEXEC:
		return RET_FD;
	case OP_GETFD: case OP_GETFL: case OP_GET_SEALS: case OP_GETLEASE:
		return RET_HEX;
	case OP_GETOWN:
		return RET_PID;
	}
	return RET_DEC;
}

#define BIT(op) (1ull << (op))
#define LOCKS_IN (BIT(OP_SETLK) | BIT(OP_SETLKW))
#define LOCKS64_IN (BIT(OP_SETLK64) | BIT(OP_SETLKW64) | BIT(OP_OFD_SETLK) | BIT(OP_OFD_SETLKW))
#define LOCKS_OUT BIT(OP_GETLK)
#define LOCKS64_OUT (BIT(OP_GETLK64) | BIT(OP_OFD_GETLK))

static struct cap_op *capture_if(struct cap_builder *b, unsigned part, unsigned when, uint32_t size, uint64_t ops)
{
	struct cap_op *op = cap_add(b, 2, part, CAP_BYTES, when);

	op->len_from = CAP_LEN_FIXED;
	op->max = size;
	op->cond = CAP_COND_VALUE;
	op->cond_arg = 1;
	op->cond_and = UINT32_MAX;
	op->cond_mask = ops;
	return op;
}

#define HINT_BIT(op) BIT((op) - OP_SETLEASE)

/* Commands of Linux alone, which begin at OP_SETLEASE. */
static void capture_from(struct cap_builder *b, unsigned when, uint64_t ops)
{
	struct cap_op *op = capture_if(b, PART_HINT, when, 8, ops);

	op->cond = CAP_COND_FROM;
	op->cond_and = OP_SETLEASE;
}

/* A number off bytes behind the third argument. */
static void capture_pid_if(struct cap_builder *b, unsigned when, uint16_t off, uint64_t ops)
{
	struct cap_op *op = cap_pid_at(b, 2, when, off);

	op->cond = CAP_COND_VALUE;
	op->cond_arg = 1;
	op->cond_and = UINT32_MAX;
	op->cond_mask = ops;
}

static void capture_pids(struct cap_builder *b)
{
	cap_pid(b, 2);
	cap_pid_result(b);
	capture_pid_if(b, CAP_ENTER | CAP_EXIT, 4, BIT(OP_SETOWN_EX) | BIT(OP_GETOWN_EX));
	capture_pid_if(b, CAP_EXIT, b->word == 8 ? 24 : 12, b->word == 8 ? LOCKS_OUT | LOCKS64_OUT : LOCKS_OUT);
	if (b->word == 4)
		capture_pid_if(b, CAP_EXIT, 20, LOCKS64_OUT);
}

static void capture_fcntl(struct cap_builder *b, const struct syscall *s)
{
	(void)s;
	capture_pids(b);
	if (b->word == 8) {
		capture_if(b, PART_LOCK, CAP_ENTER, 32, LOCKS_IN | LOCKS64_IN);
		capture_if(b, PART_LOCK, CAP_EXIT, 32, LOCKS_OUT | LOCKS64_OUT);
	} else {
		capture_if(b, PART_LOCK, CAP_ENTER, 16, LOCKS_IN);
		capture_if(b, PART_LOCK, CAP_EXIT, 16, LOCKS_OUT);
		capture_if(b, PART_LOCK, CAP_ENTER, 24, LOCKS64_IN);
		capture_if(b, PART_LOCK, CAP_EXIT, 24, LOCKS64_OUT);
	}
	capture_if(b, PART_OWNER, CAP_ENTER, 8, BIT(OP_SETOWN_EX));
	capture_if(b, PART_OWNER, CAP_EXIT, 8, BIT(OP_GETOWN_EX));
	capture_from(b, CAP_ENTER, HINT_BIT(OP_SET_RW_HINT) | HINT_BIT(OP_SET_FILE_RW_HINT) | HINT_BIT(OP_SETDELEG));
	capture_from(b, CAP_EXIT, HINT_BIT(OP_GET_RW_HINT) | HINT_BIT(OP_GET_FILE_RW_HINT) | HINT_BIT(OP_GETDELEG));
	cap_fd(b, 2, false);
}

const struct hooks hooks_fcntl = {
	.decode = decode_fcntl,
	.capture = capture_fcntl,
	.detail = detail_fcntl,
	.ret = ret_fcntl,
};
