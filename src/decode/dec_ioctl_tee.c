/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl of trusted execution environments: sessions. The argument tells where a structure lies that ends with parameters. linux/tee.h */
#include "decode/dec_array.h"
#include "decode/ioctl_hand.h"

#define BUF_DATA 16             /* struct tee_ioctl_buf_data: pointer and length, of 64 bits on all ABIs */
#define PARAM 32                /* struct tee_ioctl_param */
#define PARAMS_MOST 900         /* that are copied with -v */
#define BUF_IN IO_MORE
#define BUF_OUT (IO_MORE + 1)

enum { TYPE_VALUE_INOUT = 3, TYPE_MEMREF_INPUT = 5, TYPE_MEMREF_INOUT = 7, TYPE_UBUF_INPUT = 8, TYPE_UBUF_INOUT = 10, TYPE_OBJREF_INOUT = 13 };
#define TYPE_MASK 0xffu
#define META 0x100u

static void say_attr(struct dec *d, uint64_t attr)
{
	const char *name = sym_name(&tab_tee_param, attr & ~(uint64_t)META);

	if (!(attr & META)) {
		say_sym(d, &tab_tee_param, attr);
		return;
	}
	if (d->opts->consts == CONST_RAW) {
		say_hex(d, attr & ~(uint64_t)META);
	} else {
		d->ops->flags_begin(d->e, 0);
		d->ops->flag_apart(d->e, name, attr & ~(uint64_t)META, EMIT_HEX);
		if (!name)
			d->ops->comment(d->e, tab_tee_param.unknown);
		if (d->opts->consts == CONST_ABBREV)
			d->ops->flag_apart(d->e, "TEE_IOCTL_PARAM_ATTR_META", META, EMIT_HEX);
		d->ops->flags_end(d->e);
	}
	/* Of it the name alone is told, whatever -X says. */
	if (d->opts->consts != CONST_ABBREV)
		d->ops->around(d->e, "|TEE_IOCTL_PARAM_ATTR_META");
}

static void say_param(struct dec *d, struct bytes b)
{
	uint64_t attr = get64(b, 0), a = get64(b, 8), second = get64(b, 16), c = get64(b, 24);
	unsigned type = attr & TYPE_MASK;

	d->ops->struct_begin(d->e);
	say_field(d, "attr");
	say_attr(d, attr);
	if (type >= TYPE_MEMREF_INPUT && type <= TYPE_MEMREF_INOUT) {
		field_hex(d, "shm_offs", a);
		field_hex(d, "size", second);
		field_udec(d, "shm_id", c);
	} else if (type >= TYPE_UBUF_INPUT && type <= TYPE_UBUF_INOUT) {
		field_hex(d, "buf", a);
		field_hex(d, "size", second);
	} else if (type > TYPE_UBUF_INOUT && type <= TYPE_OBJREF_INOUT) {
		field_hex(d, "obj_id", a);
		field_hex(d, "flags", second);
	} else if (type) {
		field_hex(d, "a", a);
		field_hex(d, "b", second);
		field_hex(d, "c", c);
	}
	d->ops->struct_end(d->e);
}

/* --- the four structures --- */

struct session {
	uint8_t head, count_at;         /* bytes before the parameters, and where their number stands */
	void (*say_in)(struct dec *d, struct bytes b);
	void (*say_out)(struct dec *d, struct bytes b);
};

/* Two numbers are groups'; those without a name may be of any kind. */
static void say_login(struct dec *d, struct bytes b)
{
	uint32_t login = get32(b, 32);

	field_sym(d, "clnt_login", &tab_tee_login, login);
	if (login == 2 || login == 6) {
		field_udec(d, "clnt_uuid", get32(b, 16));
	} else if (!sym_name(&tab_tee_login, login)) {
		say_field(d, "clnt_uuid");
		d->ops->array_begin(d->e);
		for (unsigned i = 0; i < 16; i++)
			say_hex(d, get8(b, 16 + i));
		d->ops->array_end(d->e);
	}
}

IO_PLAIN(tee_uuid, UUID(uuid))

static void open_in(struct dec *d, struct bytes b)
{
	io_say_struct(d, &io_tee_uuid, b, (struct bytes){ NULL, 0 });
	say_login(d, b);
	field_udec(d, "cancel_id", get32(b, 36));
}

static void say_origin(struct dec *d, struct bytes b, size_t off)
{
	field_udec(d, "ret", get32(b, off));
	field_sym(d, "ret_origin", &tab_tee_origin, get32(b, off + 4));
}

static void open_out(struct dec *d, struct bytes b)
{
	field_hex(d, "session", get32(b, 40));
	say_origin(d, b, 44);
}

static void invoke_in(struct dec *d, struct bytes b)
{
	field_udec(d, "func", get32(b, 0));
	field_hex(d, "session", get32(b, 4));
	field_udec(d, "cancel_id", get32(b, 8));
}

static void invoke_out(struct dec *d, struct bytes b)
{
	say_origin(d, b, 12);
}

static void recv_in(struct dec *d, struct bytes b)
{
	field_udec(d, "func", get32(b, 0));
}

static void recv_out(struct dec *d, struct bytes b)
{
	field_udec(d, "num_params", get32(b, 4));
}

static void send_in(struct dec *d, struct bytes b)
{
	(void)d;
	(void)b;
}

static void send_out(struct dec *d, struct bytes b)
{
	field_udec(d, "ret", get32(b, 0));
}

static const struct session open_session = { 56, 52, open_in, open_out }, invoke = { 24, 20, invoke_in, invoke_out },
			    receive = { 8, 4, recv_in, recv_out }, transmit = { 8, 4, send_in, send_out };

static void say_params(struct dec *d, const struct session *s, const struct capture *c, uint64_t addr, uint64_t n)
{
	struct capture rest = *c;

	rest.data = (const char *)rest.data + s->head;
	rest.len -= s->head;
	say_field(d, "params");
	if (n)
		say_array(d, &rest, addr + s->head, n, PARAM, say_param);
	else
		d->ops->null(d->e);
}

/* Whether the structure is there, and as long as its number of parameters says. */
static bool is_session(const struct session *s, const struct capture *c, struct bytes data)
{
	return get64(data, 0) && c && c->len >= s->head && get64(data, 8) == s->head + (uint64_t)PARAM * get32(bytes_of(c), s->count_at);
}

static void say_data(struct dec *d, struct bytes data)
{
	d->ops->struct_begin(d->e);
	field_udec(d, "buf_len", get64(data, 8));
	say_field(d, "buf_ptr");
}

static void say_session_out(struct dec *d, const struct session *s)
{
	struct bytes data = io_after(d);
	const struct capture *c = dec_good(d, 2, BUF_OUT, 0);

	if (!d->ok || data.len < BUF_DATA || !is_session(s, c, data))
		return;
	d->ops->change(d->e);
	d->ops->struct_begin(d->e);
	s->say_out(d, bytes_of(c));
	say_params(d, s, c, get64(data, 0), get32(bytes_of(c), s->count_at));
	d->ops->struct_end(d->e);
}

static void say_session(struct dec *d, const struct session *s)
{
	struct bytes data = io_before(d);
	const struct capture *c = dec_good(d, 2, BUF_IN, 0);

	if (!io_has(d, data, BUF_DATA, IO_BEFORE))
		return;
	say_data(d, data);
	if (is_session(s, c, data)) {
		d->ops->struct_begin(d->e);
		s->say_in(d, bytes_of(c));
		field_udec(d, "num_params", get32(bytes_of(c), s->count_at));
		say_params(d, s, c, get64(data, 0), get32(bytes_of(c), s->count_at));
		d->ops->struct_end(d->e);
		dec_at_end(d);
		say_session_out(d, s);
	} else {
		say_addr(d, get64(data, 0));
		if (get64(data, 0))
			dec_note(d, dec_cap(d, 2, BUF_IN, 0));
	}
	d->ops->struct_end(d->e);
}

static void say_open(struct dec *d, const struct io_command *c _unused_)
{
	say_session(d, &open_session);
}

static void say_invoke(struct dec *d, const struct io_command *c _unused_)
{
	say_session(d, &invoke);
}

static void say_receive(struct dec *d, const struct io_command *c _unused_)
{
	say_session(d, &receive);
}

static void say_transmit(struct dec *d, const struct io_command *c _unused_)
{
	say_session(d, &transmit);
}

static void cap_buffer(struct cap_builder *b, unsigned part, unsigned when)
{
	struct cap_op *op = cap_add(b, 2, part, CAP_BYTES, when);

	op->via_off = 0;
	op->len_from = CAP_LEN_FIELD;
	op->len_off = 8;
	op->max = open_session.head + PARAM * (b->opts->no_abbrev ? PARAMS_MOST : cap_limit(b));
	if (op->max > CT_CAP_MAX)
		op->max = CT_CAP_MAX;
}

static void cap_session(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, BUF_DATA);
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, BUF_DATA);
	cap_buffer(b, BUF_IN, CAP_ENTER);
	cap_buffer(b, BUF_OUT, CAP_EXIT);
}

const struct io_hand io_tee_open = { .say = say_open, .capture = cap_session };
const struct io_hand io_tee_invoke = { .say = say_invoke, .capture = cap_session };
const struct io_hand io_tee_receive = { .say = say_receive, .capture = cap_session };
const struct io_hand io_tee_transmit = { .say = say_transmit, .capture = cap_session };
