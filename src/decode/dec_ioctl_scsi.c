/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl: SG_IO, a command to a SCSI device. scsi/sg.h, linux/bsg.h */
#include "decode/ioctl_args.h"
#include "util/macros.h"

/* Where the fields of struct sg_io_hdr lie; pointers have the caller's size. */
struct place {
	uint16_t dxfer_len, dxferp, cmdp, sbp, timeout, flags, status, sb_len_wr, resid, duration, info, size;
};

static const struct place place64 = { 12, 16, 24, 32, 40, 44, 64, 67, 72, 76, 80, 88 };
static const struct place place32 = { 12, 16, 20, 24, 28, 32, 44, 47, 52, 56, 60, 64 };

enum { SG_DIRECTION = 4, SG_CMD_LEN = 8, SG_SENSE_MAX = 9, SG_IOVECS = 10, SG_HOST = 68, SG_DRIVER = 70 };
enum { TO_DEV = -2, FROM_DEV = -3, TO_FROM_DEV = -4 };

/* Parts of the capture beyond the structure. A vector's data stand in the part behind it. */
enum { COMMAND = IO_MORE, SENSE, DATA_IN, DATA_OUT, VECTOR_IN, VECTOR_IN_DATA, VECTOR_OUT, VECTOR_OUT_DATA };

static const struct place *place_of(unsigned word)
{
	return word == 8 ? &place64 : &place32;
}

static void say_bytes(struct dec *d, unsigned part, uint64_t addr, uint64_t len)
{
	const struct capture *c = dec_good(d, 2, part, 0);

	if (addr && (c || !len))
		say_hex_bytes(d, c ? c->data : "", c ? MIN(c->len, len) : 0, len);
	else
		say_addr(d, addr);
}

static void say_data(struct dec *d, struct bytes b, uint64_t addr, uint64_t len, bool out)
{
	uint16_t vectors = get16(b, SG_IOVECS);

	if (vectors)
		say_iovecs(d, 2, out ? VECTOR_OUT : VECTOR_IN, addr, vectors, len, true);
	else
		say_bytes(d, out ? DATA_OUT : DATA_IN, addr, len);
}

static void say_request(struct dec *d, struct bytes b, const struct place *p)
{
	int32_t direction = (int32_t)get32(b, SG_DIRECTION);

	d->ops->struct_begin(d->e);
	say_field(d, "interface_id");
	d->ops->word(d->e, "'S'");
	field_sym(d, "dxfer_direction", &tab_sg_dxfer, (uint32_t)direction);
	field_udec(d, "cmd_len", get8(b, SG_CMD_LEN));
	say_field(d, "cmdp");
	say_bytes(d, COMMAND, get_uint(b, p->cmdp, d->word), get8(b, SG_CMD_LEN));
	field_udec(d, "mx_sb_len", get8(b, SG_SENSE_MAX));
	field_udec(d, "iovec_count", get16(b, SG_IOVECS));
	field_udec(d, "dxfer_len", get32(b, p->dxfer_len));
	field_udec(d, "timeout", get32(b, p->timeout));
	field_flags(d, "flags", &tab_sg_flags, get32(b, p->flags));
	if (direction != TO_DEV && direction != TO_FROM_DEV)
		return;
	say_field(d, "dxferp");
	say_data(d, b, get_uint(b, p->dxferp, d->word), get32(b, p->dxfer_len), false);
}

static void say_answer(struct dec *d, struct bytes in, struct bytes b, const struct place *p)
{
	int32_t direction = (int32_t)get32(in, SG_DIRECTION), resid = (int32_t)get32(b, p->resid);
	uint32_t len = get32(b, p->dxfer_len);
	unsigned host = d->word == 8 ? SG_HOST : SG_HOST - 20;

	if (resid > 0 && (uint32_t)resid <= len)
		len -= (uint32_t)resid;
	if (direction == FROM_DEV || direction == TO_FROM_DEV) {
		if (direction == FROM_DEV)
			say_field(d, "dxferp");
		else
			d->ops->change(d->e);
		say_data(d, b, get_uint(b, p->dxferp, d->word), len, true);
	}
	field_hex(d, "status", get8(b, p->status));
	field_hex(d, "masked_status", get8(b, p->status + 1u));
	field_hex(d, "msg_status", get8(b, p->status + 2u));
	field_udec(d, "sb_len_wr", get8(b, p->sb_len_wr));
	say_field(d, "sbp");
	say_bytes(d, SENSE, get_uint(b, p->sbp, d->word), get8(b, p->sb_len_wr));
	field_hex(d, "host_status", get16(b, host));
	field_hex(d, "driver_status", get16(b, host + 2));
	field_dec(d, "resid", resid);
	field_udec(d, "duration", get32(b, p->duration));
	field_flags(d, "info", &tab_sg_info, get32(b, p->info));
}

/* Version 4 has another structure, of which strace tells the first number, as of all others. */
static void say_sg_io(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes in = bytes_of(dec_good(d, 2, IO_BEFORE, 0)), out = bytes_of(dec_good(d, 2, IO_AFTER, 0));
	const struct place *p = place_of(d->word);
	uint64_t addr = dec_reg(d, 2);

	if (!addr || in.len < 4) {
		say_unreadable(d, 2, dec_cap(d, 2, IO_BEFORE, 0));
		return;
	}
	if (get32(in, 0) != 'S') {
		d->ops->array_begin(d->e);
		say_udec(d, get32(in, 0));
		d->ops->array_end(d->e);
		return;
	}
	if (in.len < p->size) {
		say_addr(d, addr);
		return;
	}
	say_request(d, in, p);
	dec_at_end(d);
	/* What it says after the call is told of one that failed, too. */
	if (out.len >= p->size)
		say_answer(d, in, out, p);
	d->ops->struct_end(d->e);
}

static void cap_pointed(struct cap_builder *b, unsigned part, unsigned when, uint16_t at)
{
	struct cap_op *op = cap_add(b, 2, part, CAP_BYTES, when);

	op->via_off = at;
	op->max = cap_limit(b);
}

static void cap_vectors(struct cap_builder *b, unsigned part, unsigned when, uint16_t at)
{
	struct cap_op *op = cap_add(b, 2, part, CAP_IOVEC, when | CAP_LEN16);

	op->len_from = CAP_LEN_FIELD;
	op->len_off = SG_IOVECS;
	op->via_off = at;
	op->elem = CT_VEC_MAX;
	op->max = cap_limit(b);
}

static void cap_sg_io(struct cap_builder *b, const struct io_command *c _unused_)
{
	const struct place *p = place_of(b->word);
	unsigned always = CAP_EXIT | CAP_ON_ERROR;

	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, p->size);
	cap_fixed(b, 2, IO_AFTER, always, p->size);
	cap_pointed(b, COMMAND, CAP_ENTER, p->cmdp);
	cap_pointed(b, SENSE, always, p->sbp);
	cap_pointed(b, DATA_IN, CAP_ENTER, p->dxferp);
	cap_pointed(b, DATA_OUT, always, p->dxferp);
	cap_vectors(b, VECTOR_IN, CAP_ENTER, p->dxferp);
	cap_vectors(b, VECTOR_OUT, always | CAP_WHOLE, p->dxferp);
}

const struct io_hand io_sg_io = { .say = say_sg_io, .capture = cap_sg_io };
