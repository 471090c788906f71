/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* io_uring_register by command. */
#include "decode/dec_array.h"
#include "decode/dec_poll.h"
#include "decode/dec_uring.h"
#include "decode/kinds.h"
#include "util/macros.h"

/* --- arrays --- */

static void say_ufd(struct dec *d, struct bytes b)
{
	int32_t fd = (int32_t)get32(b, 0);

	if (fd == -2)
		d->ops->named(d->e, "IORING_REGISTER_FILES_SKIP", (uint64_t)(int64_t)fd, EMIT_DEC);
	else
		say_fd(d, fd, false);
}

static void say_plain_fd(struct dec *d, struct bytes b)
{
	say_fd(d, (int32_t)get32(b, 0), false);
}

static void say_tag(struct dec *d, struct bytes b)
{
	say_hex(d, get64(b, 0));
}

/* In iovecs of these calls pointers are those of the caller's ABI. */
static void say_uiovec(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_addr(d, "iov_base", get_uint(b, 0, d->word));
	field_udec(d, "iov_len", get_uint(b, d->word, d->word));
	d->ops->struct_end(d->e);
}

static void say_arg_array(struct dec *d, size_t size, void (*element)(struct dec *d, struct bytes b))
{
	say_array(d, dec_cap(d, ARG, PART_IN, 0), dec_reg(d, ARG), uring_count(d), size, element);
}

#define RESTRICTION_SIZE 16

static void say_restriction(struct dec *d, struct bytes b)
{
	uint16_t what = get16(b, 0);
	uint8_t v = get8(b, 2);
	struct words w = { 0 };

	d->ops->struct_begin(d->e);
	field_sym(d, "opcode", &tab_uring_restrictions, what);
	switch (what) {
	case 0:
		field_sym(d, "register_op", &tab_uring_register_ops, v);
		break;
	case 1:
		field_sym(d, "sqe_op", &tab_uring_ops, v);
		break;
	case 2: case 3:
		field_flags(d, "sqe_flags", &tab_uring_sqe_flags, v);
		break;
	default:
		words_str(&w, "op: ");
		words_hex(&w, v);
		d->ops->comment(d->e, w.buf);
	}
	field_spare(d, "resv", b, 3, 1, 1);
	field_spare(d, "resv2", b, 4, 4, 3);
	d->ops->struct_end(d->e);
}

#define UPDATE_SIZE 16          /* struct io_uring_rsrc_update */

static void say_ring_fd(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_dec(d, "offset", (int32_t)get32(b, 0));
	field_spare(d, "resv", b, 4, 4, 1);
	say_field(d, "data");
	say_fd(d, (int32_t)get32(b, 8), false);
	d->ops->struct_end(d->e);
}

static void say_ring_unfd(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_udec(d, "offset", get32(b, 0));
	field_spare(d, "resv", b, 4, 4, 1);
	field_spare(d, "data", b, 8, 8, 1);
	d->ops->struct_end(d->e);
}

/* --- resources: files or buffers, with tags --- */

static void field_resources(struct dec *d, const char *name, uint64_t addr, uint64_t n, bool buffers)
{
	say_field(d, name);
	if (buffers)
		say_array(d, dec_cap(d, ARG, PART_DATA, 0), addr, n, 2 * d->word, say_uiovec);
	else
		say_array(d, dec_cap(d, ARG, PART_DATA, 0), addr, n, 4, say_ufd);
}

static void field_tags(struct dec *d, uint64_t addr, uint64_t n)
{
	say_field(d, "tags");
	say_array(d, dec_cap(d, ARG, PART_TAGS, 0), addr, n, 8, say_tag);
}

static void say_files_update(struct dec *d)
{
	struct bytes b;

	if (!struct_at(d, ARG, PART_IN, UPDATE_SIZE, &b))
		return;
	field_udec(d, "offset", get32(b, 0));
	field_spare(d, "resv", b, 4, 4, 1);
	field_resources(d, "fds", get64(b, 8), uring_count(d), false);
	d->ops->struct_end(d->e);
}

#define RSRC_SIZE 32            /* struct io_uring_rsrc_register, io_uring_rsrc_update2 */

static void say_rsrc(struct dec *d, bool buffers)
{
	struct bytes b;

	if (uring_count(d) != RSRC_SIZE) {
		say_addr(d, dec_reg(d, ARG));
		return;
	}
	if (!struct_at(d, ARG, PART_IN, RSRC_SIZE, &b))
		return;
	field_udec(d, "nr", get32(b, 0));
	field_flags(d, "flags", &tab_uring_rsrc_flags, get32(b, 4));
	field_spare(d, "resv2", b, 8, 8, 1);
	field_resources(d, "data", get64(b, 16), get32(b, 0), buffers);
	field_tags(d, get64(b, 24), get32(b, 0));
	d->ops->struct_end(d->e);
}

static void say_rsrc_update(struct dec *d, bool buffers)
{
	struct bytes b;

	if (uring_count(d) != RSRC_SIZE) {
		say_addr(d, dec_reg(d, ARG));
		return;
	}
	if (!struct_at(d, ARG, PART_IN, RSRC_SIZE, &b))
		return;
	field_udec(d, "offset", get32(b, 0));
	field_spare(d, "resv", b, 4, 4, 1);
	field_resources(d, "data", get64(b, 8), get32(b, 24), buffers);
	field_tags(d, get64(b, 16), get32(b, 24));
	field_udec(d, "nr", get32(b, 24));
	field_spare(d, "resv2", b, 28, 4, 1);
	d->ops->struct_end(d->e);
}

/* --- struct io_uring_probe: 16 bytes, then 8 for each operation --- */

#define PROBE_HEAD 16
#define PROBE_OP 8

/* A decimal number with -X. */
static void field_op(struct dec *d, const char *name, unsigned op)
{
	const char *text = sym_name(&tab_uring_ops, op);

	say_field(d, name);
	if (text)
		d->ops->named(d->e, text, op, EMIT_UDEC);
	else
		say_sym(d, &tab_uring_ops, op);
}

static void say_probe_op(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_op(d, "op", get8(b, 0));
	field_spare(d, "resv", b, 1, 1, 1);
	field_flags(d, "flags", &tab_uring_op_flags, get16(b, 2));
	field_spare(d, "resv2", b, 4, 4, 1);
	d->ops->struct_end(d->e);
}

static void say_probe(struct dec *d, struct bytes b, uint64_t n)
{
	struct capture c = { .data = b.p + PROBE_HEAD, .len = (uint32_t)(b.len - PROBE_HEAD) };

	d->ops->struct_begin(d->e);
	field_op(d, "last_op", get8(b, 0));
	field_udec(d, "ops_len", get8(b, 1));
	field_spare(d, "resv", b, 2, 2, 1);
	field_spare(d, "resv2", b, 4, 4, 3);
	say_field(d, "ops");
	say_array(d, &c, dec_reg(d, ARG) + PROBE_HEAD, n, PROBE_OP, say_probe_op);
	d->ops->struct_end(d->e);
}

static bool all_zero(struct bytes b)
{
	for (size_t i = 0; i < b.len; i++)
		if (b.p[i])
			return false;
	return true;
}

/* What is passed in should be 0, and is shown if it is not. */
static void say_probe_arg(struct dec *d)
{
	struct bytes in = bytes_of(dec_good(d, ARG, PART_IN, 0)), out = bytes_of(dec_good(d, ARG, PART_OUT, 0));
	bool shown = in.len >= PROBE_HEAD && !all_zero(bytes_cut(in, PROBE_HEAD + uring_count(d) * PROBE_OP));

	if (!dec_reg(d, ARG) || in.len < PROBE_HEAD) {
		say_unreadable(d, ARG, dec_reg(d, ARG) ? dec_cap(d, ARG, PART_IN, 0) : NULL);
		return;
	}
	if (shown)
		say_probe(d, in, uring_count(d));
	dec_at_end(d);
	if (!d->ok && shown)
		return;
	if (shown)
		d->ops->change(d->e);
	if (d->ok && out.len >= PROBE_HEAD)
		say_probe(d, out, MIN(uring_count(d), get8(out, 1)));
	else
		say_addr(d, dec_reg(d, ARG));
}

/* --- IORING_REGISTER_IOWQ_MAX_WORKERS; false: not all could be read --- */

static bool say_workers(struct dec *d, const struct capture *c)
{
	struct bytes b = bytes_of(c && !(c->flags & CT_CAP_FAILED) ? c : NULL);
	uint64_t n = uring_count(d), i, shown = d->opts->no_abbrev || n < d->opts->string_limit ? n : d->opts->string_limit;

	if (n && b.len < 4) {
		say_addr(d, dec_reg(d, ARG));
		return false;
	}
	d->ops->array_begin(d->e);
	for (i = 0; i < shown && bytes_have(b, 4 * i, 4); i++) {
		const char *name = sym_name(&tab_uring_workers, i);
		struct words w = { 0 };

		words_str(&w, "[");
		if (!name || d->opts->consts != CONST_ABBREV)
			words_udec(&w, i);
		if (name && d->opts->consts == CONST_ABBREV)
			words_str(&w, name);
		if (d->opts->consts == CONST_VERBOSE || (!name && d->opts->consts == CONST_ABBREV)) {
			words_str(&w, " /* ");
			words_str(&w, name ? name : "IO_WQ_???");
			words_str(&w, " */");
		}
		words_str(&w, "]=");
		words_udec(&w, get32(b, 4 * i));
		d->ops->word(d->e, w.buf);
	}
	if (i < shown)
		say_rest_unread(d, dec_reg(d, ARG) + 4 * i);
	else if (shown < n)
		d->ops->more(d->e);
	d->ops->array_end(d->e);
	return i == shown;
}

static void say_workers_arg(struct dec *d)
{
	if (!dec_reg(d, ARG) || !dec_good(d, ARG, PART_IN, 0)) {
		say_unreadable(d, ARG, dec_reg(d, ARG) ? dec_cap(d, ARG, PART_IN, 0) : NULL);
		return;
	}
	if (!say_workers(d, dec_cap(d, ARG, PART_IN, 0)) || !uring_count(d))
		return;
	dec_at_end(d);
	d->ops->change(d->e);
	if (d->ok)
		say_workers(d, dec_cap(d, ARG, PART_OUT, 0));
	else
		say_addr(d, dec_reg(d, ARG));
}

static void say_cpus(struct dec *d)
{
	const struct capture *c = dec_good(d, ARG, PART_IN, 0);
	uint64_t n = uring_count(d) / d->word * d->word;

	if (dec_reg(d, ARG) && (c || !uring_count(d)))
		say_bits(d, bytes_of(c), (unsigned)MIN(n, 1024) * 8, false);
	else
		say_unreadable(d, ARG, dec_reg(d, ARG) ? dec_cap(d, ARG, PART_IN, 0) : NULL);
}

static void say_msg_ring(struct dec *d)
{
	const struct capture *c = dec_good(d, ARG, PART_IN, 0);

	if (uring_count(d) != 1 || !dec_reg(d, ARG) || !c || c->len < SQE_SIZE)
		say_addr(d, dec_reg(d, ARG));
	else
		say_sqe(d, bytes_of(c));
}

static void say_register_arg(struct dec *d, uint32_t op)
{
	switch (op) {
	case OP_BUFFERS:
		say_arg_array(d, 2 * d->word, say_uiovec);
		break;
	case OP_FILES: case OP_EVENTFD: case OP_EVENTFD_ASYNC:
		say_arg_array(d, 4, say_plain_fd);
		break;
	case OP_FILES_UPDATE:
		say_files_update(d);
		break;
	case OP_PROBE:
		say_probe_arg(d);
		break;
	case OP_RESTRICTIONS:
		say_arg_array(d, RESTRICTION_SIZE, say_restriction);
		break;
	case OP_FILES2: case OP_BUFFERS2:
		say_rsrc(d, op == OP_BUFFERS2);
		break;
	case OP_FILES_UPDATE2: case OP_BUFFERS_UPDATE:
		say_rsrc_update(d, op == OP_BUFFERS_UPDATE);
		break;
	case OP_IOWQ_AFF:
		say_cpus(d);
		break;
	case OP_WORKERS:
		say_workers_arg(d);
		break;
	case OP_RING_FDS: case OP_UNRING_FDS:
		say_arg_array(d, UPDATE_SIZE, op == OP_RING_FDS ? say_ring_fd : say_ring_unfd);
		break;
	case OP_SEND_MSG_RING:
		say_msg_ring(d);
		break;
	default:
		if (uring_struct_of(op))
			say_uring_struct(d, uring_struct_of(op));
		else
			say_addr(d, dec_reg(d, ARG));
	}
}

static void say_register_op(struct dec *d, uint32_t v)
{
	uint32_t op = v & ~USE_REGISTERED_RING;
	const char *name = sym_name(&tab_uring_register_ops, op);

	if (!(v & USE_REGISTERED_RING)) {
		say_sym(d, &tab_uring_register_ops, op);
		return;
	}
	d->ops->flags_begin(d->e, 0);
	d->ops->flag_apart(d->e, name, op, EMIT_HEX);
	if (!name)
		d->ops->comment(d->e, tab_uring_register_ops.unknown);
	d->ops->flag_apart(d->e, "IORING_REGISTER_USE_REGISTERED_RING", USE_REGISTERED_RING, EMIT_HEX);
	d->ops->flags_end(d->e);
}

static void register_decode(struct dec *d)
{
	uint32_t v = (uint32_t)dec_reg(d, 1);

	if (v & USE_REGISTERED_RING) {
		dec_begin(d, 0);
		say_udec(d, (uint32_t)dec_reg(d, 0));
	} else {
		dec_args(d, 0, 1);
	}
	dec_begin(d, 1);
	say_register_op(d, v);
	dec_begin(d, 2);
	say_register_arg(d, v & ~USE_REGISTERED_RING);
	dec_args(d, 3, 4);
}

/* --- captures --- */

/* How many resources there are stands in memory: as many as are shown are copied, and cut later. */
static void capture_resources(struct cap_builder *b, unsigned data, unsigned tags, bool buffers)
{
	cap_fixed(b, ARG, PART_IN, CAP_ENTER, RSRC_SIZE);
	cap_uring_via(b, PART_DATA, CAP_ENTER, data, array_max(b, buffers ? 2 * b->word : 4));
	cap_uring_via(b, PART_TAGS, CAP_ENTER, tags, array_max(b, 8));
}

static void capture_array(struct cap_builder *b, uint32_t size)
{
	cap_array(b, ARG, PART_IN, CAP_ENTER, NR, size);
}

/* As many descriptors as the call is told of, each at off of size bytes. */
static struct cap_op *capture_fd_array(struct cap_builder *b, uint32_t size, unsigned off)
{
	struct cap_op *op = cap_fds(b, ARG, CAP_ENTER, CAP_FDS);

	op->len_from = CAP_LEN_ARG;
	op->len_arg = NR;
	op->len_off = (__u16)off;
	op->elem = size;
	op->max = cap_elements(b);
	return op;
}

/* Those that a pointer leads to; their number stands at count. */
static void capture_fds_via(struct cap_builder *b, unsigned via, unsigned count)
{
	struct cap_op *op = cap_fds(b, ARG, CAP_ENTER | CAP_LEN32, CAP_FDS);

	op->via_off = (__u16)via;
	op->len_from = CAP_LEN_FIELD;
	op->len_off = (__u16)count;
	op->elem = 4;
	op->max = cap_elements(b);
}

static void capture_op(struct cap_builder *b, uint32_t op)
{
	switch (op) {
	case OP_BUFFERS:
		capture_array(b, 2 * b->word);
		break;
	case OP_FILES: case OP_EVENTFD: case OP_EVENTFD_ASYNC:
		capture_array(b, 4);
		capture_fd_array(b, 4, 0);
		break;
	case OP_FILES_UPDATE:
		cap_fixed(b, ARG, PART_IN, CAP_ENTER, UPDATE_SIZE);
		cap_uring_via(b, PART_DATA, CAP_ENTER, 8, cap_elements(b) * 4);
		capture_fd_array(b, 4, 0)->via_off = 8;
		break;
	case OP_PROBE:
		cap_fixed(b, ARG, PART_IN, CAP_ENTER, PROBE_HEAD + 256 * PROBE_OP);
		cap_fixed(b, ARG, PART_OUT, CAP_EXIT, PROBE_HEAD + 256 * PROBE_OP);
		break;
	case OP_RESTRICTIONS:
		capture_array(b, RESTRICTION_SIZE);
		break;
	case OP_FILES2: case OP_BUFFERS2:
		capture_resources(b, 16, 24, op == OP_BUFFERS2);
		if (op == OP_FILES2)
			capture_fds_via(b, 16, 0);
		break;
	case OP_FILES_UPDATE2: case OP_BUFFERS_UPDATE:
		capture_resources(b, 8, 16, op == OP_BUFFERS_UPDATE);
		if (op == OP_FILES_UPDATE2)
			capture_fds_via(b, 8, 24);
		break;
	case OP_IOWQ_AFF:
		cap_block(b, ARG, PART_IN, CAP_ENTER, NR, 1, 1024);
		break;
	case OP_WORKERS:
		capture_array(b, 4);
		cap_block(b, ARG, PART_OUT, CAP_EXIT, NR, 4, 4 * cap_elements(b));
		break;
	case OP_RING_FDS: case OP_UNRING_FDS:
		capture_array(b, UPDATE_SIZE);
		if (op == OP_RING_FDS)
			capture_fd_array(b, UPDATE_SIZE, 8);
		break;
	case OP_SEND_MSG_RING:
		cap_fixed(b, ARG, PART_IN, CAP_ENTER, SQE_SIZE_MAX);
		cap_fd_at(b, ARG, CAP_ENTER, 4);
		break;
	default:
		if (uring_struct_of(op))
			capture_uring_struct(b, uring_struct_of(op));
	}
}

/* Each command alone, then with the flag for a ring that is named by its place in a table. */
static bool register_capture_of(struct cap_builder *b, size_t i, uint32_t *ret_value)
{
	uint32_t op = (uint32_t)(i % OP_MAX);

	if (i >= 2 * OP_MAX)
		return false;
	if (i < OP_MAX)
		cap_fd(b, 0, false);
	capture_op(b, op);
	*ret_value = op | (i < OP_MAX ? 0 : USE_REGISTERED_RING);
	return true;
}

const struct hooks hooks_io_uring_register = { .decode = register_decode, .capture_of = register_capture_of, .by_arg = 2 };
