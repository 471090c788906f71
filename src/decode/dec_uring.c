/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* io_uring_setup and io_uring_enter; submission queue entries, where a call has one in its arguments. */
#include "decode/dec_uring.h"
#include "decode/kinds.h"
#include "util/macros.h"

static void say_ufield(struct dec *d, const struct ufield *f, uint64_t v)
{
	switch (f->kind) {
	case U_UDEC:
		say_udec(d, v);
		break;
	case U_DEC:
		say_dec(d, f->width == 4 ? (int64_t)(int32_t)v : (int64_t)v);
		break;
	case U_HEX:
		say_hex(d, v);
		break;
	case U_ADDR:
		say_addr(d, v);
		break;
	case U_FLAGS:
		say_flags(d, f->table, v);
		break;
	case U_SYM:
		say_sym(d, f->table, v);
		break;
	case U_FD:
		say_fd(d, (int32_t)v, false);
		break;
	}
}

void say_ufields(struct dec *d, struct bytes b, const struct ufield *f, size_t n)
{
	for (; n--; f++) {
		if (f->kind == U_SPARE) {
			field_spare(d, f->name, b, f->at, f->width, f->count);
			continue;
		}
		say_field(d, f->name);
		say_ufield(d, f, get_uint(b, f->at, f->width));
	}
}

/* --- struct io_uring_params --- */

#define PARAMS_SIZE 120
#define SETUP_ATTACH_WQ 0x20u

enum { PARAMS_BEFORE, PARAMS_AFTER };

static const struct ufield params_in[] = {
	{ "flags", 8, 4, U_FLAGS, 0, &tab_uring_setup_flags },
	{ "sq_thread_cpu", 12, 4, U_HEX, 0, NULL },
	{ "sq_thread_idle", 16, 4, U_UDEC, 0, NULL },
};

static const struct ufield params_out[] = {
	{ "sq_entries", 0, 4, U_UDEC, 0, NULL },
	{ "cq_entries", 4, 4, U_UDEC, 0, NULL },
	{ "features", 20, 4, U_FLAGS, 0, &tab_uring_features },
};

static const struct ufield sq_offsets[] = {
	{ "head", 40, 4, U_UDEC, 0, NULL },         { "tail", 44, 4, U_UDEC, 0, NULL },
	{ "ring_mask", 48, 4, U_UDEC, 0, NULL },    { "ring_entries", 52, 4, U_UDEC, 0, NULL },
	{ "flags", 56, 4, U_UDEC, 0, NULL },        { "dropped", 60, 4, U_UDEC, 0, NULL },
	{ "array", 64, 4, U_UDEC, 0, NULL },        { "resv1", 68, 4, U_SPARE, 1, NULL },
	{ "user_addr", 72, 8, U_HEX, 0, NULL },
};

static const struct ufield cq_offsets[] = {
	{ "head", 80, 4, U_UDEC, 0, NULL },         { "tail", 84, 4, U_UDEC, 0, NULL },
	{ "ring_mask", 88, 4, U_UDEC, 0, NULL },    { "ring_entries", 92, 4, U_UDEC, 0, NULL },
	{ "overflow", 96, 4, U_UDEC, 0, NULL },     { "cqes", 100, 4, U_UDEC, 0, NULL },
	{ "flags", 104, 4, U_UDEC, 0, NULL },       { "resv1", 108, 4, U_SPARE, 1, NULL },
	{ "user_addr", 112, 8, U_HEX, 0, NULL },
};

static void field_offsets(struct dec *d, const char *name, struct bytes b, const struct ufield *f, size_t n)
{
	say_field(d, name);
	d->ops->struct_begin(d->e);
	say_ufields(d, b, f, n);
	d->ops->struct_end(d->e);
}

static void decode_uring_params(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	struct bytes b, after;

	if (!struct_at(d, reg, PARAMS_BEFORE, PARAMS_SIZE, &b))
		return;
	say_ufields(d, b, params_in, ARRAY_SIZE(params_in));
	if (get32(b, 8) & SETUP_ATTACH_WQ) {
		say_field(d, "wq_fd");
		say_fd(d, (int32_t)get32(b, 24), false);
	}
	field_spare(d, "resv", b, 28, 4, 3);
	dec_at_end(d);
	after = bytes_of(dec_good(d, reg, PARAMS_AFTER, 0));
	if (d->ok && after.len >= PARAMS_SIZE) {
		say_ufields(d, after, params_out, ARRAY_SIZE(params_out));
		field_offsets(d, "sq_off", after, sq_offsets, ARRAY_SIZE(sq_offsets));
		field_offsets(d, "cq_off", after, cq_offsets, ARRAY_SIZE(cq_offsets));
	}
	d->ops->struct_end(d->e);
}

static void capture_uring_params(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, PARAMS_BEFORE, CAP_ENTER, PARAMS_SIZE);
	cap_fixed(b, reg, PARAMS_AFTER, CAP_EXIT, PARAMS_SIZE);
	cap_fd_at(b, reg, CAP_ENTER, 24);
}

const struct kind kind_uring_params = { .decode = decode_uring_params, .capture = capture_uring_params };

/* --- io_uring_enter: a signal set, or a structure that points to one and to a timeout --- */

#define ENTER_EXT_ARG 0x8u
#define ENTER_EXT_ARG_REG 0x40u        /* no pointer, but a place in registered memory */
#define EXT_ARG_SIZE 24

enum { EXT_SET, EXT_ARG, EXT_MASK, EXT_TIME };

static void say_ext_arg(struct dec *d)
{
	const struct capture *c;
	struct bytes b;

	if (!struct_at(d, 4, EXT_ARG, EXT_ARG_SIZE, &b))
		return;
	say_field(d, "sigmask");
	c = dec_good(d, 4, EXT_MASK, 0);
	if (get64(b, 0) && c && get32(b, 8) <= c->len && get32(b, 8) == 8)
		say_sigset(d, c->data, get32(b, 8));
	else
		say_addr(d, get64(b, 0));
	field_udec(d, "sigmask_sz", get32(b, 8));
	field_udec(d, "min_wait_usec", get32(b, 12));
	say_field(d, "ts");
	c = dec_good(d, 4, EXT_TIME, 0);
	if (get64(b, 16) && c && c->len >= 16)
		say_timespec(d, c->data, 8, "tv_nsec");
	else
		say_addr(d, get64(b, 16));
	d->ops->struct_end(d->e);
}

static void enter_decode(struct dec *d)
{
	uint32_t flags = (uint32_t)dec_reg(d, 3);

	dec_args(d, 0, 4);
	flags &= ENTER_EXT_ARG | ENTER_EXT_ARG_REG;
	if (!flags || flags == (ENTER_EXT_ARG | ENTER_EXT_ARG_REG)) {
		dec_args(d, 4, 6);
		return;
	}
	dec_arg(d, 4, "arg");
	if (flags == ENTER_EXT_ARG)
		say_ext_arg(d);
	else
		say_udec(d, dec_reg(d, 4));
	dec_arg(d, 5, "argsz");
	say_udec(d, dec_reg(d, 5));
}

static struct cap_op *cap_ext(struct cap_builder *b, unsigned part, unsigned via, uint32_t size)
{
	struct cap_op *op = cap_add(b, 4, part, CAP_BYTES, CAP_ENTER);

	op->cond = CAP_COND_BITS;
	op->cond_arg = 3;
	op->cond_and = ENTER_EXT_ARG;
	op->via_off = (__u16)via;
	op->max = size;
	return op;
}

static void enter_capture(struct cap_builder *b, const struct syscall *s)
{
	cap_args(b, s, 0, 6);
	cap_ext(b, EXT_ARG, CAP_DIRECT, EXT_ARG_SIZE);
	cap_ext(b, EXT_MASK, 0, 8);
	cap_ext(b, EXT_TIME, 16, 16);
}

const struct hooks hooks_io_uring_enter = { .decode = enter_decode, .capture = enter_capture };

/* --- struct io_uring_sqe --- */

enum {
	SQE_NOP = 0, SQE_READV = 1, SQE_WRITEV = 2, SQE_READ_FIXED = 4, SQE_WRITE_FIXED = 5, SQE_SENDMSG = 9, SQE_RECVMSG = 10,
	SQE_ACCEPT = 13, SQE_READ = 22, SQE_WRITE = 23, SQE_SEND = 26, SQE_RECV = 27, SQE_MSG_RING = 40, SQE_SEND_ZC = 47,
	SQE_SENDMSG_ZC = 48, SQE_READ_MULTISHOT = 49, SQE_FIXED_FD_INSTALL = 54, SQE_RECV_ZC = 58, SQE_READV_FIXED = 60,
	SQE_WRITEV_FIXED = 61, SQE_NOP128 = 63, SQE_URING_CMD128 = 64,
};

#define SQE_BIT(op) (1ull << (op))
#define SQE_SENDS (SQE_BIT(SQE_SENDMSG) | SQE_BIT(SQE_RECVMSG) | SQE_BIT(SQE_SEND) | SQE_BIT(SQE_RECV) | SQE_BIT(SQE_SEND_ZC) | \
		   SQE_BIT(SQE_RECV_ZC))
#define SQE_RWS (SQE_BIT(SQE_READV) | SQE_BIT(SQE_WRITEV) | SQE_BIT(SQE_READ_FIXED) | SQE_BIT(SQE_WRITE_FIXED) | \
		 SQE_BIT(SQE_READ) | SQE_BIT(SQE_WRITE) | SQE_BIT(SQE_READ_MULTISHOT) | SQE_BIT(SQE_READV_FIXED) | \
		 SQE_BIT(SQE_WRITEV_FIXED))

static bool sqe_in(uint8_t op, uint64_t set)
{
	return op < 64 && (set >> op & 1);
}

static void field_sqe_flags(struct dec *d, uint8_t op, uint32_t v)
{
	switch (op) {
	case SQE_NOP: case SQE_NOP128:
		field_flags(d, "nop_flags", &tab_uring_nop_flags, v);
		break;
	case SQE_MSG_RING:
		field_flags(d, "msg_ring_flags", &tab_uring_msg_flags, v);
		break;
	case SQE_FIXED_FD_INSTALL:
		field_flags(d, "install_fd_flags", &tab_uring_install_flags, v);
		break;
	default:
		field_hex(d, "rw_flags", v);
	}
}

static void field_sqe_prio(struct dec *d, uint8_t op, uint16_t v)
{
	if (sqe_in(op, SQE_SENDS | SQE_BIT(SQE_SENDMSG_ZC)))
		field_flags(d, "ioprio", &tab_uring_recvsend_flags, v);
	else if (op == SQE_ACCEPT)
		field_flags(d, "ioprio", &tab_uring_accept_flags, v);
	else
		field_udec(d, "ioprio", v);
}

static void say_cmd_byte(struct dec *d, struct bytes b)
{
	say_hex(d, get8(b, 0));
}

void say_sqe(struct dec *d, struct bytes b)
{
	uint8_t op = get8(b, 0);
	const char *name = sym_name(&tab_uring_ops, op);

	d->ops->struct_begin(d->e);
	say_field(d, "opcode");
	if (name) {
		d->ops->named(d->e, name, op, EMIT_UDEC);
	} else {
		say_udec(d, op);
		d->ops->comment(d->e, tab_uring_ops.unknown);
	}
	field_flags(d, "flags", &tab_uring_sqe_flags, get8(b, 1));
	field_sqe_prio(d, op, get16(b, 2));
	say_field(d, "fd");
	say_fd(d, (int32_t)get32(b, 4), false);
	field_hex(d, "off", get64(b, 8));
	field_hex(d, "addr", get64(b, 16));
	field_udec(d, "len", get32(b, 24));
	field_sqe_flags(d, op, get32(b, 28));
	field_hex(d, "user_data", get64(b, 32));
	field_hex(d, "buf_index", get16(b, 40));
	field_udec(d, "personality", get16(b, 42));
	field_hex(d, "file_index", get32(b, 44));
	if (sqe_in(op, SQE_SENDS | SQE_RWS) && get64(b, 56)) {
		field_flags(d, "attr_type_mask", &tab_uring_attr_flags, get64(b, 56));
		field_hex(d, "attr_ptr", get64(b, 48));
	} else {
		field_hex(d, "optval", get64(b, 48));
	}
	if ((op == SQE_NOP128 || op == SQE_URING_CMD128) && bytes_have(b, SQE_SIZE, SQE_SIZE)) {
		const struct capture c = { .data = b.p + SQE_SIZE, .len = SQE_SIZE };

		say_field(d, "cmd");
		say_array(d, &c, dec_reg(d, SQE_REG) + SQE_SIZE, SQE_SIZE, 1, say_cmd_byte);
	}
	d->ops->struct_end(d->e);
}
