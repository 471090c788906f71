/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Extended attributes by directory, file attributes, file handles. */
#include "decode/dec_file.h"
#include "decode/kinds.h"
#include "util/macros.h"

#define VALUE_MAX 65536         /* XATTR_SIZE_MAX: more is no value */

static void say_xattr_value(struct dec *d, unsigned reg, unsigned part, uint64_t addr, uint64_t len)
{
	if (len <= VALUE_MAX)
		say_text_at(d, reg, part, addr, len);
	else
		say_addr(d, addr);
}

/* --- values as arguments; a: the register with the size --- */

static void decode_xattr_in(struct dec *d, const struct arg *a, unsigned reg)
{
	say_xattr_value(d, reg, 0, dec_reg(d, reg), dec_reg(d, a->a));
}

static void capture_xattr_in(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_block(b, reg, 0, CAP_ENTER, a->a, 1, cap_bytes_limit(b));
}

/* With size 0 only the length is asked for. */
static void decode_xattr_out(struct dec *d, const struct arg *a, unsigned reg)
{
	if (d->ok && dec_reg(d, a->a))
		say_xattr_value(d, reg, 0, dec_reg(d, reg), (uint64_t)d->call->ret);
	else
		say_addr(d, dec_reg(d, reg));
}

static void capture_xattr_out(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_result(b, reg, 1, cap_bytes_limit(b));
}

const struct kind kind_xattr_in = { .decode = decode_xattr_in, .capture = capture_xattr_in };
const struct kind kind_xattr_out = { .decode = decode_xattr_out, .capture = capture_xattr_out, .at_end = true };

/* --- struct xattr_args (include/uapi/linux/xattr.h); a: the register with its size --- */

#define XATTR_ARGS_SIZE 16      /* XATTR_ARGS_SIZE_VER0 */

enum { XATTR_ARGS, XATTR_VALUE };

static void xattr_args(struct dec *d, const struct arg *a, unsigned reg, bool in)
{
	uint64_t size = dec_reg(d, a->a), addr;
	struct bytes b;

	if (!sized_struct_at(d, reg, size, XATTR_ARGS_SIZE, &b))
		return;
	addr = get64(b, 0);
	say_field(d, "value");
	if (in)
		say_xattr_value(d, reg, XATTR_VALUE, addr, get32(b, 8));
	else if (d->ok && get32(b, 8))
		say_xattr_value(d, reg, XATTR_VALUE, addr, (uint64_t)d->call->ret);
	else
		say_addr(d, addr);
	field_udec(d, "size", get32(b, 8));
	field_flags(d, "flags", &tab_xattr_flags, get32(b, 12));
	say_beyond(d, dec_cap(d, reg, XATTR_ARGS, 0), XATTR_ARGS_SIZE, size);
	d->ops->struct_end(d->e);
}

static void decode_xattr_args_in(struct dec *d, const struct arg *a, unsigned reg)
{
	xattr_args(d, a, reg, true);
}

static void decode_xattr_args_out(struct dec *d, const struct arg *a, unsigned reg)
{
	xattr_args(d, a, reg, false);
}

static void capture_xattr_args_in(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	struct cap_op *op;

	cap_block(b, reg, XATTR_ARGS, CAP_ENTER, a->a, 1, SIZED_MAX);
	op = cap_add(b, reg, XATTR_VALUE, CAP_BYTES, CAP_ENTER | CAP_LEN32);
	op->via_off = 0;
	op->len_from = CAP_LEN_FIELD;
	op->len_off = 8;
	op->max = cap_bytes_limit(b);
}

static void capture_xattr_args_out(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	struct cap_op *op;

	cap_block(b, reg, XATTR_ARGS, CAP_ENTER, a->a, 1, SIZED_MAX);
	op = cap_add(b, reg, XATTR_VALUE, CAP_BYTES, CAP_EXIT);
	op->via_off = 0;
	op->len_from = CAP_LEN_RET;
	op->elem = 1;
	op->max = cap_bytes_limit(b);
}

const struct kind kind_xattr_args_in = { .decode = decode_xattr_args_in, .capture = capture_xattr_args_in };
const struct kind kind_xattr_args_out = { .decode = decode_xattr_args_out, .capture = capture_xattr_args_out, .at_end = true };

/* --- struct file_attr (include/uapi/linux/fs.h); a: the register with its size --- */

#define FILE_ATTR_SIZE 24       /* FILE_ATTR_SIZE_VER0 */

static void file_attr(struct dec *d, const struct arg *a, unsigned reg, bool in)
{
	uint64_t size = dec_reg(d, a->a);
	struct bytes b;

	if ((!in && !d->ok) || size > SIZED_MAX) {
		say_addr(d, dec_reg(d, reg));
		return;
	}
	if (!sized_struct_at(d, reg, size, FILE_ATTR_SIZE, &b))
		return;
	field_flags(d, "fa_xflags", &tab_fsxflags, get64(b, 0));
	field_udec(d, "fa_extsize", get32(b, 8));
	if (!in)
		field_udec(d, "fa_nextents", get32(b, 12));
	field_hex(d, "fa_projid", get32(b, 16));
	field_udec(d, "fa_cowextsize", get32(b, 20));
	say_beyond(d, dec_cap(d, reg, 0, 0), FILE_ATTR_SIZE, size);
	d->ops->struct_end(d->e);
}

static void decode_file_attr_in(struct dec *d, const struct arg *a, unsigned reg)
{
	file_attr(d, a, reg, true);
}

static void decode_file_attr_out(struct dec *d, const struct arg *a, unsigned reg)
{
	file_attr(d, a, reg, false);
}

static void capture_file_attr_in(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_block(b, reg, 0, CAP_ENTER, a->a, 1, SIZED_MAX);
}

static void capture_file_attr_out(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_block(b, reg, 0, CAP_EXIT, a->a, 1, SIZED_MAX);
}

const struct kind kind_file_attr_in = { .decode = decode_file_attr_in, .capture = capture_file_attr_in };
const struct kind kind_file_attr_out = { .decode = decode_file_attr_out, .capture = capture_file_attr_out, .at_end = true };

/* --- struct file_handle: the room for the handle, its type, the handle --- */

#define EOVERFLOW_ERROR 75      /* the same on every ABI */
#define HANDLE_HEAD 8
#define HANDLE_MAX 128          /* MAX_HANDLE_SZ */

enum { HANDLE_BEFORE, HANDLE_AFTER };

static void say_handle_bytes(struct dec *d, struct bytes b)
{
	uint32_t len = get32(b, 0), shown = len < HANDLE_MAX ? len : HANDLE_MAX;

	field_dec(d, "handle_type", (int32_t)get32(b, 4));
	say_field(d, "f_handle");
	if (bytes_have(b, HANDLE_HEAD, shown))
		d->ops->str(d->e, b.p + HANDLE_HEAD, shown, EMIT_STR_HEX | (shown < len ? EMIT_STR_CUT : 0));
	else
		d->ops->word(d->e, "???");
}

/* As it is filled in, or, if there was too little room, how much is needed. */
static void decode_handle_out(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	struct bytes after = bytes_of(dec_good(d, reg, HANDLE_AFTER, 0)), b;
	uint32_t before;

	if (!struct_at(d, reg, HANDLE_BEFORE, 4, &b))
		return;
	before = get32(b, 0);
	field_udec(d, "handle_bytes", before);
	dec_at_end(d);
	if ((d->ok || d->err == EOVERFLOW_ERROR) && bytes_have(after, 0, 4) && get32(after, 0) != before) {
		d->ops->change(d->e);
		say_udec(d, get32(after, 0));
	}
	if (d->ok && bytes_have(after, 0, HANDLE_HEAD))
		say_handle_bytes(d, after);
	d->ops->struct_end(d->e);
}

static void capture_handle_out(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, HANDLE_BEFORE, CAP_ENTER, 4);
	cap_fixed(b, reg, HANDLE_AFTER, CAP_EXIT | CAP_ON_ERROR, HANDLE_HEAD + HANDLE_MAX);
}

static void decode_handle_in(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	struct bytes b;

	if (!struct_at(d, reg, HANDLE_BEFORE, HANDLE_HEAD, &b))
		return;
	field_udec(d, "handle_bytes", get32(b, 0));
	say_handle_bytes(d, b);
	d->ops->struct_end(d->e);
}

static void capture_handle_in(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, HANDLE_BEFORE, CAP_ENTER, HANDLE_HEAD + HANDLE_MAX);
}

const struct kind kind_handle_out = { .decode = decode_handle_out, .capture = capture_handle_out };
const struct kind kind_handle_in = { .decode = decode_handle_in, .capture = capture_handle_in };
