/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* io_uring_register: the commands that take one structure. */
#include "decode/dec_uring.h"
#include "decode/kinds.h"
#include "util/macros.h"

/* --- structures, of which there is one (nr: what nr has to be) --- */

static const struct ufield pbuf_fields[] = {
	{ "ring_addr", 0, 8, U_ADDR, 0, NULL }, { "ring_entries", 8, 4, U_UDEC, 0, NULL }, { "bgid", 12, 2, U_UDEC, 0, NULL },
	{ "flags", 14, 2, U_HEX, 0, NULL },     { "min_left", 16, 4, U_UDEC, 0, NULL },    { "resv", 20, 4, U_SPARE, 5, NULL },
};

static const struct ufield cancel_fields[] = {
	{ "addr", 0, 8, U_HEX, 0, NULL }, { "fd", 8, 4, U_FD, 0, NULL }, { "flags", 12, 4, U_FLAGS, 0, &tab_uring_cancel_flags },
};

static const struct ufield cancel_rest[] = {
	{ "opcode", 32, 1, U_SYM, 0, &tab_uring_ops }, { "pad", 33, 1, U_SPARE, 7, NULL }, { "pad2", 40, 8, U_SPARE, 3, NULL },
};

static const struct ufield range_fields[] = {
	{ "off", 0, 4, U_UDEC, 0, NULL }, { "len", 4, 4, U_UDEC, 0, NULL }, { "resv", 8, 8, U_SPARE, 1, NULL },
};

static const struct ufield status_fields[] = {
	{ "buf_group", 0, 4, U_HEX, 0, NULL }, { "head", 4, 4, U_HEX, 0, NULL }, { "resv", 8, 4, U_SPARE, 8, NULL },
};

static const struct ufield clock_fields[] = {
	{ "clockid", 0, 4, U_SYM, 0, &tab_clock_ids }, { "__resv", 4, 4, U_SPARE, 3, NULL },
};

static const struct ufield clone_fields[] = {
	{ "src_fd", 0, 4, U_FD, 0, NULL },       { "flags", 4, 4, U_FLAGS, 0, &tab_uring_clone_flags },
	{ "src_off", 8, 4, U_UDEC, 0, NULL },    { "dst_off", 12, 4, U_UDEC, 0, NULL },
	{ "nr", 16, 4, U_UDEC, 0, NULL },        { "pad", 20, 4, U_SPARE, 3, NULL },
};

static const struct ufield region_fields[] = {
	{ "region_uptr", 0, 8, U_ADDR, 0, NULL }, { "flags", 8, 8, U_FLAGS, 0, &tab_uring_region_flags },
	{ "__resv", 16, 8, U_SPARE, 2, NULL },
};

static const struct ufield ifq_fields[] = {
	{ "if_idx", 0, 4, U_UDEC, 0, NULL },      { "if_rxq", 4, 4, U_UDEC, 0, NULL },
	{ "rq_entries", 8, 4, U_UDEC, 0, NULL },  { "flags", 12, 4, U_FLAGS, 0, &tab_uring_zcrx_flags },
	{ "area_ptr", 16, 8, U_ADDR, 0, NULL },   { "region_ptr", 24, 8, U_ADDR, 0, NULL },
};

static const struct ufield ifq_offsets[] = {
	{ "head", 32, 4, U_UDEC, 0, NULL },       { "tail", 36, 4, U_UDEC, 0, NULL }, { "rqes", 40, 4, U_UDEC, 0, NULL },
	{ "__resv2", 44, 4, U_SPARE, 1, NULL },   { "__resv", 48, 8, U_SPARE, 2, NULL },
};

static const struct ufield ifq_rest[] = {
	{ "zcrx_id", 64, 4, U_UDEC, 0, NULL },    { "rx_buf_len", 68, 4, U_UDEC, 0, NULL },
	{ "event_desc", 72, 8, U_ADDR, 0, NULL }, { "__resv", 80, 8, U_SPARE, 2, NULL },
};

static const struct ufield ctrl_fields[] = {
	{ "zcrx_id", 0, 4, U_UDEC, 0, NULL }, { "op", 4, 4, U_SYM, 0, &tab_uring_zcrx_ctrl }, { "__resv", 8, 8, U_SPARE, 2, NULL },
};

static const struct ufield resize_fields[] = {
	{ "sq_entries", 0, 4, U_UDEC, 0, NULL }, { "cq_entries", 4, 4, U_UDEC, 0, NULL },
	{ "flags", 8, 4, U_FLAGS, 0, &tab_uring_setup_flags },
};

#define SAY(d, b, fields) say_ufields(d, b, fields, ARRAY_SIZE(fields))

static void say_cancel(struct dec *d, struct bytes b)
{
	SAY(d, b, cancel_fields);
	say_field(d, "timeout");
	d->ops->struct_begin(d->e);
	field_dec(d, "tv_sec", (int64_t)get64(b, 16));
	field_dec(d, "tv_nsec", (int64_t)get64(b, 24));
	d->ops->struct_end(d->e);
	SAY(d, b, cancel_rest);
}

#define NAPI_REGISTER_OP 0

static void say_napi(struct dec *d, struct bytes b)
{
	field_hex(d, "busy_poll_to", get32(b, 0));
	field_hex(d, "prefer_busy_poll", get8(b, 4));
	field_sym(d, "opcode", &tab_uring_napi_ops, get8(b, 5));
	field_spare(d, "pad", b, 6, 1, 2);
	if (get8(b, 5) == NAPI_REGISTER_OP)
		field_sym(d, "op_param", &tab_uring_napi_tracking, get32(b, 8));
	else
		field_hex(d, "op_param", get32(b, 8));
	field_spare(d, "resv", b, 12, 4, 1);
}

static void say_ifq(struct dec *d, struct bytes b)
{
	SAY(d, b, ifq_fields);
	say_field(d, "offsets");
	d->ops->struct_begin(d->e);
	SAY(d, b, ifq_offsets);
	d->ops->struct_end(d->e);
	SAY(d, b, ifq_rest);
}

/* Where the rings are to lie, if the caller says so. */
static void field_user_addr(struct dec *d, const char *name, uint64_t addr)
{
	if (!addr)
		return;
	say_field(d, name);
	d->ops->struct_begin(d->e);
	field_hex(d, "user_addr", addr);
	d->ops->struct_end(d->e);
}

static void say_resize(struct dec *d, struct bytes b)
{
	SAY(d, b, resize_fields);
	field_user_addr(d, "sq_off", get64(b, 72));
	field_user_addr(d, "cq_off", get64(b, 112));
	field_spare(d, "resv", b, 28, 4, 3);
}

enum { ZCRX_FLUSH_RQ, ZCRX_EXPORT, ZCRX_ARM_EVENT };

static void say_zcrx_ctrl(struct dec *d, struct bytes b)
{
	struct bytes out = bytes_of(dec_good(d, ARG, PART_OUT, 0));
	uint32_t op = get32(b, 4);

	SAY(d, b, ctrl_fields);
	if (op > ZCRX_ARM_EVENT || (op == ZCRX_EXPORT && (!d->ok || !bytes_have(out, 24, 4))))
		return;
	say_field(d, op == ZCRX_FLUSH_RQ ? "zc_flush" : op == ZCRX_EXPORT ? "zc_export" : "zc_arm_event");
	d->ops->struct_begin(d->e);
	if (op == ZCRX_FLUSH_RQ) {
		field_spare(d, "__resv", b, 24, 8, 6);
	} else if (op == ZCRX_EXPORT) {
		say_field(d, "zcrx_fd");
		say_fd_after(d, (int32_t)get32(out, 24));
		field_spare(d, "__resv1", out, 28, 4, 11);
	} else {
		field_sym(d, "event_type", &tab_uring_zcrx_events, get32(b, 24));
		field_spare(d, "__resv", b, 28, 4, 11);
	}
	d->ops->struct_end(d->e);
}

static void say_pbuf(struct dec *d, struct bytes b)
{
	SAY(d, b, pbuf_fields);
}

static void say_range(struct dec *d, struct bytes b)
{
	SAY(d, b, range_fields);
}

static void say_status(struct dec *d, struct bytes b)
{
	SAY(d, b, status_fields);
}

static void say_clock(struct dec *d, struct bytes b)
{
	SAY(d, b, clock_fields);
}

static void say_clone(struct dec *d, struct bytes b)
{
	SAY(d, b, clone_fields);
}

static void say_region(struct dec *d, struct bytes b)
{
	SAY(d, b, region_fields);
}

/* --- struct io_uring_query_hdr, and what it asks for, as they were; a chain of them is not followed --- */

#define QUERY_HEAD 40
#define QUERY_DATA 48

static const struct ufield query_opcodes[] = {
	{ "nr_request_opcodes", 0, 4, U_UDEC, 0, NULL },
	{ "nr_register_opcodes", 4, 4, U_UDEC, 0, NULL },
	{ "feature_flags", 8, 8, U_FLAGS, 0, &tab_uring_features },
	{ "ring_setup_flags", 16, 8, U_FLAGS, 0, &tab_uring_setup_flags },
	{ "enter_flags", 24, 8, U_FLAGS, 0, &tab_io_uring_enter_flags },
	{ "sqe_flags", 32, 8, U_FLAGS, 0, &tab_uring_sqe_flags },
	{ "nr_query_opcodes", 40, 4, U_UDEC, 0, NULL },
	{ "__pad", 44, 4, U_SPARE, 1, NULL },
};

static const struct ufield query_zcrx[] = {
	{ "register_flags", 0, 8, U_FLAGS, 0, &tab_uring_zcrx_flags },
	{ "area_flags", 8, 8, U_FLAGS, 0, &tab_uring_area_flags },
	{ "nr_ctrl_opcodes", 16, 4, U_UDEC, 0, NULL },
	{ "features", 20, 4, U_HEX, 0, NULL },
	{ "rq_hdr_size", 24, 4, U_UDEC, 0, NULL },
	{ "rq_hdr_alignment", 28, 4, U_UDEC, 0, NULL },
	{ "__resv2", 32, 8, U_SPARE, 1, NULL },
};

static const struct ufield query_scq[] = {
	{ "hdr_size", 0, 8, U_UDEC, 0, NULL }, { "hdr_alignment", 8, 8, U_UDEC, 0, NULL },
};

static const struct ufield query_event[] = {
	{ "event_flags", 0, 4, U_HEX, 0, NULL }, { "stats_size", 4, 4, U_UDEC, 0, NULL },
	{ "stats_off_alignment", 8, 4, U_UDEC, 0, NULL },
};

static const struct {
	const struct ufield *fields;
	size_t n, size;
} queries[] = {
	{ query_opcodes, ARRAY_SIZE(query_opcodes), 48 },
	{ query_zcrx, ARRAY_SIZE(query_zcrx), 40 },
	{ query_scq, ARRAY_SIZE(query_scq), 16 },
	{ query_event, ARRAY_SIZE(query_event), 16 },
};

static void field_query_data(struct dec *d, uint64_t addr, uint32_t op)
{
	struct bytes data = bytes_of(dec_good(d, ARG, PART_DATA, 0));

	say_field(d, "query_data");
	if (!addr || op >= ARRAY_SIZE(queries) || data.len < queries[op].size) {
		say_addr(d, addr);
		return;
	}
	d->ops->struct_begin(d->e);
	say_ufields(d, data, queries[op].fields, queries[op].n);
	d->ops->struct_end(d->e);
}

static void say_query(struct dec *d, struct bytes b)
{
	uint64_t addr = get64(b, 8);
	uint32_t op = get32(b, 16);

	field_addr(d, "query_data", addr);
	field_sym(d, "query_op", &tab_uring_queries, op);
	field_udec(d, "size", get32(b, 20));
	field_dec(d, "result", (int32_t)get32(b, 24));
	field_spare(d, "__resv", b, 28, 4, 3);
	if (addr && get32(b, 20))
		field_query_data(d, addr, op);
	field_addr(d, "next_entry", get64(b, 0));
}

/* Queries are a chain, shown as an array is: of none at all there is its address. */
static bool chain_left_out(struct dec *d, unsigned op)
{
	if (op != OP_QUERY || dec_shows(d, 0) || !dec_reg(d, ARG) || !dec_good(d, ARG, PART_IN, 0))
		return false;
	say_addr(d, dec_reg(d, ARG));
	d->ops->comment(d->e, "...");
	return true;
}

/* A structure by command: read when the call begins, or (out) filled in; both: shown twice. */
static const struct uring_struct {
	uint8_t op, size, nr;
	bool out, both;
	void (*say)(struct dec *d, struct bytes b);
} ones[] = {
	{ OP_PBUF_RING, 40, 1, false, false, say_pbuf },
	{ OP_UNPBUF_RING, 40, 1, false, false, say_pbuf },
	{ OP_SYNC_CANCEL, 64, 1, false, false, say_cancel },
	{ OP_ALLOC_RANGE, 16, 1, false, false, say_range },
	{ OP_PBUF_STATUS, 40, 1, true, false, say_status },
	{ OP_NAPI, 16, 1, false, true, say_napi },
	{ OP_UNNAPI, 16, 1, true, false, say_napi },
	{ OP_CLOCK, 16, 0, false, false, say_clock },
	{ OP_CLONE_BUFFERS, 32, 1, false, false, say_clone },
	{ OP_ZCRX_IFQ, 96, 1, false, false, say_ifq },
	{ OP_RESIZE_RINGS, 120, 1, false, false, say_resize },
	{ OP_MEM_REGION, 32, 1, false, false, say_region },
	{ OP_QUERY, QUERY_HEAD, 0, false, false, say_query },
	{ OP_ZCRX_CTRL, 72, 1, false, false, say_zcrx_ctrl },
};

const struct uring_struct *uring_struct_of(uint32_t op)
{
	for (size_t i = 0; i < ARRAY_SIZE(ones); i++)
		if (ones[i].op == op)
			return &ones[i];
	return NULL;
}

void say_uring_struct(struct dec *d, const struct uring_struct *o)
{
	struct bytes b, out = bytes_of(dec_good(d, ARG, PART_OUT, 0));

	if (o->out)
		dec_at_end(d);
	if (uring_count(d) != o->nr || (o->out && !d->ok)) {
		say_addr(d, dec_reg(d, ARG));
		return;
	}
	if (chain_left_out(d, o->op))
		return;
	if (!struct_at(d, ARG, o->out ? PART_OUT : PART_IN, o->size, &b))
		return;
	o->say(d, b);
	d->ops->struct_end(d->e);
	if (!o->both)
		return;
	dec_at_end(d);
	if (d->ok && out.len >= o->size) {
		d->ops->change(d->e);
		d->ops->struct_begin(d->e);
		o->say(d, out);
		d->ops->struct_end(d->e);
	}
}

/* --- captures --- */

void cap_uring_via(struct cap_builder *b, unsigned part, unsigned when, unsigned via, uint32_t size)
{
	struct cap_op *op = cap_add(b, ARG, part, CAP_BYTES, when);

	op->via_off = (__u16)via;
	op->max = size;
}

void capture_uring_struct(struct cap_builder *b, const struct uring_struct *o)
{
	if (!o->out)
		cap_fixed(b, ARG, PART_IN, CAP_ENTER, o->size);
	if (o->out || o->both || o->op == OP_ZCRX_CTRL)
		cap_fixed(b, ARG, PART_OUT, CAP_EXIT, o->size);
	if (o->op == OP_QUERY)
		cap_uring_via(b, PART_DATA, CAP_ENTER, 8, QUERY_DATA);
	if (o->op == OP_SYNC_CANCEL)
		cap_fd_at(b, ARG, CAP_ENTER, 8);
	if (o->op == OP_CLONE_BUFFERS)
		cap_fd_at(b, ARG, CAP_ENTER, 0);
}
