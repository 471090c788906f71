/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* io_submit and its family (include/uapi/linux/aio_abi.h). The structures are the same on every ABI. */
#include "decode/dec_file.h"
#include "decode/dec_process.h"
#include "decode/kinds.h"
#include "util/macros.h"

enum { CMD_PREAD, CMD_PWRITE, CMD_FSYNC, CMD_FDSYNC, CMD_PREADX, CMD_POLL, CMD_NOOP, CMD_PREADV, CMD_PWRITEV };

#define IOCB_SIZE 64
#define IOCB_FLAG_RESFD_BIT 1u
#define IOCB_FLAG_IOPRIO_BIT 2u

/* Captures of CAP_IOCBS. */
enum { PART_POINTERS, PART_IOCB, PART_BUF, PART_ELEMENT };

#define IOCB_ELEMENTS 32        /* of an iovec array in an iocb */

/* What every operation has. */
static void say_iocb_head(struct dec *d, struct bytes b)
{
	uint16_t op = get16(b, 16), prio = get16(b, 18);
	const char *name = sym_name(&tab_iocb_cmds, op);

	field_hex(d, "aio_data", get64(b, 0));
	if (get32(b, 8))
		field_udec(d, "aio_key", get32(b, 8));
	if (get32(b, 12))
		field_flags(d, "aio_rw_flags", &tab_rwf_flags, get32(b, 12));
	say_field(d, "aio_lio_opcode");
	if (name) {
		d->ops->named(d->e, name, op, EMIT_UDEC);
	} else {
		say_udec(d, op);
		d->ops->comment(d->e, tab_iocb_cmds.unknown);
	}
	if (get32(b, 56) & IOCB_FLAG_IOPRIO_BIT) {
		say_field(d, "aio_reqprio");
		say_ioprio(d, prio);
	} else if (prio) {
		field_dec(d, "aio_reqprio", (int16_t)prio);
	}
	say_field(d, "aio_fildes");
	say_fd(d, (int32_t)get32(b, 20), false);
}

/* The iovec array of element i, with the data of those that are written. */
static void say_iocb_vector(struct dec *d, unsigned reg, unsigned i, struct bytes b, bool data)
{
	uint64_t addr = get64(b, 24), count = get64(b, 32);
	uint64_t limit = d->opts->no_abbrev || d->opts->string_limit > IOCB_ELEMENTS ? IOCB_ELEMENTS : d->opts->string_limit;
	struct bytes v = bytes_of(dec_good(d, reg, PART_BUF, i));
	uint64_t n = count < limit ? count : limit, size = 2 * d->word, k;

	if (!addr || (count && v.len < size)) {
		say_addr(d, addr);
		return;
	}
	d->ops->array_begin(d->e);
	for (k = 0; k < n && bytes_have(v, k * size, size); k++) {
		uint64_t base = get_uint(v, k * size, d->word), len = get_uint(v, k * size + d->word, d->word);
		const struct capture *c = data ? dec_good(d, reg, PART_ELEMENT, i << 5 | (unsigned)k) : NULL;

		d->ops->struct_begin(d->e);
		say_field(d, "iov_base");
		if (data && base && !len)
			d->ops->str(d->e, "", 0, 0);
		else if (base && c && (c->len >= len || c->len >= d->opts->string_limit))
			say_buf(d, c->data, c->len < len ? c->len : len, len);
		else
			say_addr(d, base);
		field_udec(d, "iov_len", len);
		d->ops->struct_end(d->e);
	}
	if (k < n)
		say_rest_unread(d, addr + k * size);
	else if (n < count)
		d->ops->more(d->e);
	d->ops->array_end(d->e);
}

static void say_iocb_write(struct dec *d, unsigned reg, unsigned i, struct bytes b)
{
	uint64_t addr = get64(b, 24), len = get64(b, 32);
	const struct capture *c = dec_good(d, reg, PART_BUF, i);

	if (addr && !len)
		d->ops->str(d->e, "", 0, 0);
	else if (addr && c && (c->len >= len || c->len >= d->opts->string_limit))
		say_buf(d, c->data, c->len < len ? c->len : len, len);
	else
		say_addr(d, addr);
}

/* False: of this operation nothing more is said. */
static bool say_iocb_op(struct dec *d, unsigned reg, unsigned i, struct bytes b)
{
	uint16_t op = get16(b, 16);

	switch (op) {
	case CMD_PREAD: case CMD_PWRITE:
		say_field(d, "aio_buf");
		if (op == CMD_PREAD)
			say_hex(d, get64(b, 24));
		else
			say_iocb_write(d, reg, i, b);
		field_udec(d, "aio_nbytes", get64(b, 32));
		field_dec(d, "aio_offset", (int64_t)get64(b, 40));
		break;
	case CMD_PREADV: case CMD_PWRITEV:
		say_field(d, "aio_buf");
		say_iocb_vector(d, reg, i, b, op == CMD_PWRITEV);
		field_dec(d, "aio_offset", (int64_t)get64(b, 40));
		break;
	case CMD_POLL:
		field_flags(d, "aio_buf", &tab_poll_events, get64(b, 24));
		break;
	default:
		return false;
	}
	return true;
}

static void say_iocb(struct dec *d, unsigned reg, unsigned i, struct bytes b)
{
	uint32_t flags = get32(b, 56);

	d->ops->struct_begin(d->e);
	say_iocb_head(d, b);
	if (!say_iocb_op(d, reg, i, b)) {
		d->ops->struct_end(d->e);
		return;
	}
	if (flags)
		field_flags(d, "aio_flags", &tab_iocb_flags, flags);
	if (flags & IOCB_FLAG_RESFD_BIT) {
		say_field(d, "aio_resfd");
		say_fd(d, (int32_t)get32(b, 60), false);
	} else {
		field_spare(d, "aio_resfd", b, 60, 4, 1);
	}
	d->ops->struct_end(d->e);
}

/* a: the register with the count. */
static void decode_iocbs(struct dec *d, const struct arg *a, unsigned reg)
{
	const struct capture *c = dec_cap(d, reg, PART_POINTERS, 0);
	struct bytes v = bytes_of(dec_good(d, reg, PART_POINTERS, 0)), b;
	uint64_t addr = dec_reg(d, reg), count = dec_reg(d, a->a), i;
	uint64_t n = d->opts->no_abbrev || count < d->opts->string_limit ? count : d->opts->string_limit;

	if (!addr || (count && v.len < d->word) || dec_long(d, a->a) < 0) {
		say_addr(d, addr);
		if (addr)
			dec_note(d, c);
		return;
	}
	d->ops->array_begin(d->e);
	for (i = 0; i < n && bytes_have(v, i * d->word, d->word); i++) {
		b = bytes_of(dec_good(d, reg, PART_IOCB, (unsigned)i));
		if (b.len >= IOCB_SIZE)
			say_iocb(d, reg, (unsigned)i, b);
		else
			say_addr(d, get_uint(v, i * d->word, d->word));
	}
	if (i < n)
		say_rest_unread(d, addr + i * d->word);
	else if (n < count)
		d->ops->more(d->e);
	d->ops->array_end(d->e);
}

static void capture_iocbs(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	struct cap_op *op = cap_add(b, reg, PART_POINTERS, CAP_IOCBS, CAP_ENTER);

	op->len_from = CAP_LEN_ARG;
	op->len_arg = (__u8)a->a;
	op->elem = cap_elements(b);
	op->max = cap_bytes_limit(b);
	/* aio_fildes and aio_resfd. */
	for (unsigned off = 20; off <= 60; off += 40) {
		op = cap_fds(b, reg, CAP_ENTER, CAP_FDPTRS);
		op->len_from = CAP_LEN_ARG;
		op->len_arg = (__u8)a->a;
		op->len_off = (__u16)off;
		op->elem = b->word;
		op->max = cap_elements(b);
	}
}

const struct kind kind_iocbs = { .decode = decode_iocbs, .capture = capture_iocbs };

/* io_cancel's is told by what it is alone. */
static void decode_iocb(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	struct bytes b;

	if (!struct_at(d, reg, 0, IOCB_SIZE, &b))
		return;
	say_iocb_head(d, b);
	d->ops->struct_end(d->e);
}

static void capture_iocb(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, IOCB_SIZE);
	cap_fd_at(b, reg, CAP_ENTER, 20);
}

const struct kind kind_iocb = { .decode = decode_iocb, .capture = capture_iocb };

/* --- struct io_event --- */

#define IO_EVENT_SIZE 32

static void say_io_event(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_hex(d, "data", get64(b, 0));
	field_hex(d, "obj", get64(b, 8));
	field_dec(d, "res", (int64_t)get64(b, 16));
	field_dec(d, "res2", (int64_t)get64(b, 24));
	d->ops->struct_end(d->e);
}

static void decode_io_events(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	if (d->ok)
		say_array(d, dec_cap(d, reg, 0, 0), dec_reg(d, reg), (uint64_t)d->call->ret, IO_EVENT_SIZE, say_io_event);
	else
		say_addr(d, dec_reg(d, reg));
}

static void capture_io_events(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_result(b, reg, IO_EVENT_SIZE, IO_EVENT_SIZE * cap_elements(b));
}

const struct kind kind_io_events = { .decode = decode_io_events, .capture = capture_io_events, .at_end = true };

static void decode_io_event(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	const struct capture *c = dec_good(d, reg, 0, 0);

	if (d->ok && dec_reg(d, reg) && c && c->len >= IO_EVENT_SIZE)
		say_io_event(d, bytes_of(c));
	else
		say_unreadable(d, reg, d->ok ? dec_cap(d, reg, 0, 0) : NULL);
}

static void capture_io_event(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, IO_EVENT_SIZE);
}

const struct kind kind_io_event = { .decode = decode_io_event, .capture = capture_io_event, .at_end = true };
