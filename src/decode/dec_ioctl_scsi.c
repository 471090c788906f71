/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl: SG_IO, a command to a SCSI device, in one of two structures. scsi/sg.h, linux/bsg.h */
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
enum { COMMAND = IO_MORE, SENSE, DATA_IN, DATA_OUT, VECTOR_IN, VECTOR_IN_DATA, VECTOR_OUT, VECTOR_OUT_DATA,
       V4_BEFORE, V4_AFTER, V4_RESPONSE, V4_DATA_IN, V4_DATA_OUT, V4_VECTOR_IN, V4_VECTOR_IN_DATA, V4_VECTOR_OUT, V4_VECTOR_OUT_DATA };

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

/* Flat, or that many vectors in a part of their own. */
static void say_data(struct dec *d, unsigned part, unsigned vector_part, uint64_t addr, uint32_t vectors, uint64_t len)
{
	unsigned char first[16];

	if (!vectors)
		say_bytes(d, part, addr, len);
	else if (dec_element(dec_cap(d, 2, vector_part, 0), 0, 2 * d->word, first))
		say_iovecs(d, 2, vector_part, addr, vectors, len, true);
	else
		say_addr(d, addr);
}

/* Of so many bytes that should have come, less what has not. */
static uint32_t without(uint32_t len, int32_t resid)
{
	return resid > 0 && (uint32_t)resid <= len ? len - (uint32_t)resid : len;
}

static void say_request(struct dec *d, struct bytes b, const struct place *p)
{
	int32_t direction = (int32_t)get32(b, SG_DIRECTION);

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
	say_data(d, DATA_IN, VECTOR_IN, get_uint(b, p->dxferp, d->word), get16(b, SG_IOVECS), get32(b, p->dxfer_len));
}

static void say_answer(struct dec *d, struct bytes in, struct bytes b, const struct place *p)
{
	int32_t direction = (int32_t)get32(in, SG_DIRECTION), resid = (int32_t)get32(b, p->resid);
	unsigned host = d->word == 8 ? SG_HOST : SG_HOST - 20;

	if (direction == FROM_DEV || direction == TO_FROM_DEV) {
		if (direction == FROM_DEV)
			say_field(d, "dxferp");
		else
			d->ops->change(d->e);
		say_data(d, DATA_OUT, VECTOR_OUT, get_uint(b, p->dxferp, d->word), get16(b, SG_IOVECS),
			 without(get32(b, p->dxfer_len), resid));
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

/* --- version 4: struct sg_io_v4, the same for all callers --- */

enum { V4_REQUEST_LEN = 12, V4_REQUEST = 16, V4_RESPONSE_AT = 48, V4_OUT_VECTORS = 56, V4_OUT_LEN = 60, V4_IN_VECTORS = 64, V4_IN_LEN = 68,
       V4_OUT_DATA = 72, V4_IN_DATA = 80, V4_RESPONSE_LEN = 132, V4_IN_RESID = 136, V4_SIZE = 160 };

/* The structure stands in two captures: what version 3 has, and the rest. */
static bool read_v4(struct dec *d, unsigned part, unsigned rest_part, unsigned char to[static V4_SIZE])
{
	struct bytes head = bytes_of(dec_good(d, 2, part, 0)), rest = bytes_of(dec_good(d, 2, rest_part, 0));
	size_t size = place_of(d->word)->size;

	if (head.len < size || rest.len < V4_SIZE - size)
		return false;
	memcpy(to, head.p, size);
	memcpy(to + size, rest.p, V4_SIZE - size);
	return true;
}

static void say_request4(struct dec *d, struct bytes b)
{
	field_sym(d, "protocol", &tab_bsg_protocols, get32(b, 4));
	field_sym(d, "subprotocol", &tab_bsg_subprotocols, get32(b, 8));
	field_udec(d, "request_len", get32(b, V4_REQUEST_LEN));
	say_field(d, "request");
	/* Where version 3 has its data. */
	say_bytes(d, DATA_IN, get64(b, V4_REQUEST), get32(b, V4_REQUEST_LEN));
	field_hex(d, "request_tag", get64(b, 24));
	field_udec(d, "request_attr", get32(b, 32));
	field_udec(d, "request_priority", get32(b, 36));
	field_udec(d, "request_extra", get32(b, 40));
	field_udec(d, "max_response_len", get32(b, 44));
	field_udec(d, "dout_iovec_count", get32(b, V4_OUT_VECTORS));
	field_udec(d, "dout_xfer_len", get32(b, V4_OUT_LEN));
	field_udec(d, "din_iovec_count", get32(b, V4_IN_VECTORS));
	field_udec(d, "din_xfer_len", get32(b, V4_IN_LEN));
	say_field(d, "dout_xferp");
	say_data(d, V4_DATA_IN, V4_VECTOR_IN, get64(b, V4_OUT_DATA), get32(b, V4_OUT_VECTORS), get32(b, V4_OUT_LEN));
	field_udec(d, "timeout", get32(b, 88));
	field_flags(d, "flags", &tab_bsg_flags, get32(b, 92));
	field_hex(d, "usr_ptr", get64(b, 96));
}

static void say_answer4(struct dec *d, struct bytes b)
{
	int32_t resid = (int32_t)get32(b, V4_IN_RESID);

	field_udec(d, "response_len", get32(b, V4_RESPONSE_LEN));
	say_field(d, "response");
	say_bytes(d, V4_RESPONSE, get64(b, V4_RESPONSE_AT), get32(b, V4_RESPONSE_LEN));
	say_field(d, "din_xferp");
	say_data(d, V4_DATA_OUT, V4_VECTOR_OUT, get64(b, V4_IN_DATA), get32(b, V4_IN_VECTORS), without(get32(b, V4_IN_LEN), resid));
	field_hex(d, "driver_status", get32(b, 108));
	field_hex(d, "transport_status", get32(b, 112));
	field_hex(d, "device_status", get32(b, 116));
	field_udec(d, "retry_delay", get32(b, 120));
	field_flags(d, "info", &tab_sg_info, get32(b, 124));
	field_udec(d, "duration", get32(b, 128));
	field_udec(d, "response_len", get32(b, V4_RESPONSE_LEN));
	field_dec(d, "din_resid", resid);
	field_dec(d, "dout_resid", (int32_t)get32(b, 140));
	field_hex(d, "generated_tag", get64(b, 144));
}

/* The first number tells which structure it is; strace reads the rest behind it. */
static void say_sg_io(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes in = bytes_of(dec_good(d, 2, IO_BEFORE, 0)), out = bytes_of(dec_good(d, 2, IO_AFTER, 0));
	const struct place *p = place_of(d->word);
	unsigned char before[V4_SIZE], after[V4_SIZE];
	uint64_t addr = dec_reg(d, 2);
	uint32_t kind = get32(in, 0);
	bool whole;

	if (!addr || in.len < 4) {
		say_unreadable(d, 2, dec_cap(d, 2, IO_BEFORE, 0));
		return;
	}
	if (kind != 'S' && kind != 'Q') {
		d->ops->array_begin(d->e);
		say_udec(d, kind);
		d->ops->array_end(d->e);
		return;
	}
	d->ops->struct_begin(d->e);
	say_field(d, kind == 'S' ? "interface_id" : "guard");
	d->ops->word(d->e, kind == 'S' ? "'S'" : "'Q'");
	whole = kind == 'S' ? in.len >= p->size : read_v4(d, IO_BEFORE, V4_BEFORE, before);
	if (!whole) {
		d->ops->unnamed_field(d->e, "address");
		say_addr(d, addr + 4);
	} else if (kind == 'S') {
		say_request(d, in, p);
	} else {
		say_request4(d, (struct bytes){ before, V4_SIZE });
	}
	dec_at_end(d);
	/* What it says after the call is told of one that failed, too. */
	if (whole && kind == 'S' && out.len >= p->size)
		say_answer(d, in, out, p);
	else if (whole && kind == 'Q' && read_v4(d, IO_AFTER, V4_AFTER, after))
		say_answer4(d, (struct bytes){ after, V4_SIZE });
	d->ops->struct_end(d->e);
}

static void cap_pointed(struct cap_builder *b, unsigned part, unsigned when, uint16_t at)
{
	struct cap_op *op = cap_add(b, 2, part, CAP_BYTES, when);

	op->via_off = at;
	op->max = cap_limit(b);
}

static void cap_vectors(struct cap_builder *b, unsigned part, unsigned when, uint16_t count_at, uint16_t at)
{
	struct cap_op *op = cap_add(b, 2, part, CAP_IOVEC, when);

	op->len_from = CAP_LEN_FIELD;
	op->len_off = count_at;
	op->via_off = at;
	op->elem = CT_VEC_MAX;
	op->max = cap_limit(b);
}

static void cap_rest(struct cap_builder *b, unsigned part, unsigned when, uint16_t from)
{
	struct cap_op *op = cap_add(b, 2, part, CAP_BYTES, when);

	op->len_off = from;
	op->max = V4_SIZE - from;
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
	cap_vectors(b, VECTOR_IN, CAP_ENTER | CAP_LEN16, SG_IOVECS, p->dxferp);
	cap_vectors(b, VECTOR_OUT, always | CAP_WHOLE | CAP_LEN16, SG_IOVECS, p->dxferp);
	/* Of version 4; its command stands where version 3 has its data. */
	cap_rest(b, V4_BEFORE, CAP_ENTER, p->size);
	cap_rest(b, V4_AFTER, always, p->size);
	cap_pointed(b, V4_RESPONSE, always, V4_RESPONSE_AT);
	cap_pointed(b, V4_DATA_IN, CAP_ENTER, V4_OUT_DATA);
	cap_pointed(b, V4_DATA_OUT, always, V4_IN_DATA);
	cap_vectors(b, V4_VECTOR_IN, CAP_ENTER | CAP_LEN32, V4_OUT_VECTORS, V4_OUT_DATA);
	cap_vectors(b, V4_VECTOR_OUT, always | CAP_WHOLE | CAP_LEN32, V4_IN_VECTORS, V4_IN_DATA);
}

const struct io_hand io_sg_io = { .say = say_sg_io, .capture = cap_sg_io };
