/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Argument kinds: strings, buffers and small outputs. */
#include "decode/dec_net.h"
#include "decode/kinds.h"

#include <string.h>

#include "decode/fileconst.h"

/* Without -v, arrays are cut where strings are. */
static uint64_t shown(const struct dec *d, uint64_t count)
{
	return d->opts->no_abbrev || count < d->opts->string_limit ? count : d->opts->string_limit;
}

/* As many elements of an array are copied, and one more, to see whether it is there. */
static uint32_t elements(const struct cap_builder *b)
{
	return b->opts->no_abbrev || b->opts->string_limit >= CT_VEC_MAX ? CT_VEC_MAX : b->opts->string_limit + 1;
}

/* --- strings --- */

static void decode_string(struct dec *d, unsigned reg, bool path)
{
	const struct capture *c;

	if (!dec_reg(d, reg)) {
		d->ops->null(d->e);
		return;
	}
	c = dec_text(d, reg, 0, 0);
	if (!c || (c->flags & CT_CAP_FAILED)) {
		say_unreadable(d, reg, c);
		return;
	}
	say_str(d, c, path);
}

static void decode_path(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	decode_string(d, reg, true);
}

static void decode_str(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	decode_string(d, reg, false);
}

static void capture_path(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_string(b, reg, true);
}

static void capture_str(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_string(b, reg, false);
}

/* mount(2): what is not used with these flags is not read. */
static void decode_mount_type(struct dec *d, const struct arg *a, unsigned reg)
{
	if (dec_reg(d, a->a) & (MS_REMOUNT_BIT | MS_CHANGE_BITS))
		say_addr(d, dec_reg(d, reg));
	else
		decode_string(d, reg, false);
}

static void decode_mount_data(struct dec *d, const struct arg *a, unsigned reg)
{
	if (dec_reg(d, a->a) & MS_CHANGE_BITS && !(dec_reg(d, a->a) & MS_REMOUNT_BIT))
		say_addr(d, dec_reg(d, reg));
	else
		decode_string(d, reg, false);
}

const struct kind kind_mount_type = { .decode = decode_mount_type, .capture = capture_str };
const struct kind kind_mount_data = { .decode = decode_mount_data, .capture = capture_str };
const struct kind kind_path = { .decode = decode_path, .capture = capture_path };
const struct kind kind_str = { .decode = decode_str, .capture = capture_str };

/* --- buffers --- */

/* len bytes in memory, of which as many as -s wants should be here. */
static void decode_bytes(struct dec *d, unsigned reg, uint64_t len, bool hex)
{
	const struct capture *c;

	if (!dec_reg(d, reg)) {
		d->ops->null(d->e);
		return;
	}
	c = dec_text(d, reg, 0, 0);
	if (!len && !(c && (c->flags & CT_CAP_FAILED))) {
		d->ops->str(d->e, "", 0, 0);
		return;
	}
	/* Less than would be shown is nothing, as in strace: a string must not look whole that is not. */
	if (!c || (c->flags & CT_CAP_FAILED) || (c->len < len && c->len < d->opts->string_limit)) {
		say_unreadable(d, reg, c);
		return;
	}
	dump_buffer(d, false, 0, c, len);
	if (hex)
		say_hex_bytes(d, c->data, c->len < len ? c->len : len, len);
	else
		say_buf(d, c->data, c->len < len ? c->len : len, len);
}

static void decode_buf_in(struct dec *d, const struct arg *a, unsigned reg)
{
	/* Longer than the kernel takes: not looked at. */
	if (a->b && dec_reg(d, a->a) > a->b)
		say_addr(d, dec_reg(d, reg));
	else
		decode_bytes(d, reg, dec_reg(d, a->a), false);
}

static void capture_buf_in(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_block(b, reg, 0, CAP_ENTER, a->a, 1, cap_limit(b));
}

static void decode_buf_out(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	if (!d->ok)
		say_addr(d, dec_reg(d, reg));
	else
		decode_bytes(d, reg, (uint64_t)d->call->ret, false);
}

static void decode_bytes_out(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	if (!d->ok)
		say_addr(d, dec_reg(d, reg));
	else
		decode_bytes(d, reg, (uint64_t)d->call->ret, true);
}

/* As of getxattr(2): with size 0 only the length is asked for. */
static void decode_buf_sized(struct dec *d, const struct arg *a, unsigned reg)
{
	if (!dec_reg(d, a->a))
		say_addr(d, dec_reg(d, reg));
	else
		decode_buf_out(d, a, reg);
}

static void capture_buf_out(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_result(b, reg, 1, cap_limit(b));
}

/* getcwd(2): the result counts the NUL. */
static void decode_cwd(struct dec *d, const struct arg *a, unsigned reg)
{
	const struct capture *c = dec_text(d, reg, 0, 0);
	size_t n;

	(void)a;
	if (!d->ok || !c || (c->flags & CT_CAP_FAILED)) {
		say_unreadable(d, reg, d->ok ? c : NULL);
		return;
	}
	n = strnlen(c->data, c->len);
	d->ops->str(d->e, c->data, n, EMIT_STR_PATH | (n == c->len && n ? EMIT_STR_CUT : 0));
}

static void capture_cwd(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_result(b, reg, 1, 4096);
}

const struct kind kind_buf_in = { .decode = decode_buf_in, .capture = capture_buf_in };
const struct kind kind_buf_out = { .decode = decode_buf_out, .capture = capture_buf_out, .at_end = true };
const struct kind kind_buf_sized = { .decode = decode_buf_sized, .capture = capture_buf_out, .at_end = true };
const struct kind kind_bytes_out = { .decode = decode_bytes_out, .capture = capture_buf_out, .at_end = true };
const struct kind kind_cwd = { .decode = decode_cwd, .capture = capture_cwd, .at_end = true };

/* --- struct iovec[] --- */

/* left: bytes that the call moved, shared out over the elements; data: whether to show them. */
void say_iovecs(struct dec *d, unsigned reg, unsigned part, uint64_t addr, uint64_t count, uint64_t left, bool data)
{
	say_iovecs_of(d, &(struct iovecs){ .reg = reg, .part = part, .data_part = part + 1 }, addr, count, left, data);
}

/*
 * Memory ends within what would be shown: then it is not shown, as in strace. What the record had no room for
 * is cut elsewhere than at the end of a page.
 */
static bool ends_early(const struct dec *d, const struct capture *c, uint64_t base, uint64_t n)
{
	return c->len < n && c->len < d->opts->string_limit && !((base + c->len) & 4095);
}

void say_iovecs_of(struct dec *d, const struct iovecs *of, uint64_t addr, uint64_t count, uint64_t left, bool data)
{
	const struct capture *v = dec_cap(d, of->reg, of->part, of->idx), *c;
	unsigned char raw[16];
	uint64_t i, n_shown = shown(d, count);

	if (data)
		dump_iovecs(d, of, count, left);
	d->ops->array_begin(d->e);
	for (i = 0; i < n_shown && dec_element(v, i, 2 * d->word, raw); i++) {
		uint64_t base = dec_word(d, raw), len = dec_word(d, raw + d->word);
		uint64_t n = len < left ? len : left;

		d->ops->struct_begin(d->e);
		say_field(d, "iov_base");
		c = data ? dec_good(d, of->reg, of->data_part, of->data_first + (unsigned)i) : NULL;
		if (data && base && !n)
			d->ops->str(d->e, "", 0, 0);
		else if (base && c && d->netlink)
			say_netlink_buffer(d, d->netlink - 1, c, base, n);
		else if (base && c && !ends_early(d, c, base, n))
			say_buf(d, c->data, c->len < n ? c->len : n, n);
		else
			say_addr(d, base);
		if (data && base && n && !c && dec_cap(d, of->reg, of->data_part, of->data_first + (unsigned)i))
			d->ops->note(d->e, NOTE_UNREADABLE, 0);
		say_field(d, "iov_len");
		say_udec(d, len);
		d->ops->struct_end(d->e);
		if (left != UINT64_MAX)
			left -= n;
	}
	if (i < n_shown)
		say_rest_unread(d, addr + i * 2 * d->word);
	else
		say_array_rest(d, bytes_of(v), addr, i, count, 2 * d->word);
	d->ops->array_end(d->e);
}

static void decode_iovec(struct dec *d, const struct arg *a, unsigned reg, uint64_t moved, bool data)
{
	uint64_t count = dec_reg(d, a->a);
	const struct capture *c = dec_cap(d, reg, 0, 0);

	if (!dec_reg(d, reg)) {
		d->ops->null(d->e);
	} else if (!count) {
		d->ops->array_begin(d->e);
		d->ops->array_end(d->e);
	} else if (!c || (c->flags & CT_CAP_FAILED)) {
		say_unreadable(d, reg, c);
	} else {
		say_iovecs(d, reg, 0, dec_reg(d, reg), count, moved, data);
	}
}

static void decode_iovec_in(struct dec *d, const struct arg *a, unsigned reg)
{
	decode_iovec(d, a, reg, UINT64_MAX, true);
}

static void decode_iovec_out(struct dec *d, const struct arg *a, unsigned reg)
{
	decode_iovec(d, a, reg, d->ok ? (uint64_t)d->call->ret : 0, d->ok);
}

static void capture_iovec(struct cap_builder *b, const struct arg *a, unsigned reg, unsigned when)
{
	struct cap_op *op = cap_add(b, reg, 0, CAP_IOVEC, when);

	op->len_from = CAP_LEN_ARG;
	op->len_arg = (__u8)a->a;
	op->elem = elements(b);
	op->max = cap_limit(b);
}

static void capture_iovec_in(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	capture_iovec(b, a, reg, CAP_ENTER);
}

static void capture_iovec_out(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	capture_iovec(b, a, reg, CAP_EXIT | CAP_ON_ERROR);
}

const struct kind kind_iovec_in = { .decode = decode_iovec_in, .capture = capture_iovec_in };
const struct kind kind_iovec_out = { .decode = decode_iovec_out, .capture = capture_iovec_out, .at_end = true };

/* --- small outputs --- */

/* The bytes of an output of n bytes, else says the address; NULL then. */
static const void *output(struct dec *d, unsigned reg, size_t n)
{
	const struct capture *c = d->ok ? dec_cap(d, reg, 0, 0) : NULL;

	if (c && !(c->flags & CT_CAP_FAILED) && c->len >= n)
		return c->data;
	say_unreadable(d, reg, c);
	return NULL;
}

static uint64_t load(const void *p, size_t n)
{
	uint64_t v = 0;

	memcpy(&v, p, n);
	return v;
}

static void decode_fdpair(struct dec *d, const struct arg *a, unsigned reg)
{
	const char *p = output(d, reg, 8);

	(void)a;
	if (!p)
		return;
	d->ops->array_begin(d->e);
	for (unsigned i = 0; i < 2 && dec_shows(d, i); i++)
		say_fd_after(d, (int)load(p + 4 * i, 4));
	if (!dec_shows(d, 1))
		d->ops->more(d->e);
	d->ops->array_end(d->e);
}

static void decode_id_ptr(struct dec *d, const struct arg *a, unsigned reg)
{
	const void *p = output(d, reg, 4);

	(void)a;
	if (!p)
		return;
	d->ops->array_begin(d->e);
	say_id(d, (uint32_t)load(p, 4));
	d->ops->array_end(d->e);
}

static void decode_id16_ptr(struct dec *d, const struct arg *a, unsigned reg)
{
	const void *p = output(d, reg, 2);
	uint32_t id;

	(void)a;
	if (!p)
		return;
	id = (uint32_t)load(p, 2);
	d->ops->array_begin(d->e);
	say_id(d, id == UINT16_MAX ? UINT32_MAX : id);
	d->ops->array_end(d->e);
}

static void decode_number_ptr(struct dec *d, unsigned reg, size_t n, enum emit_base base)
{
	const void *p = output(d, reg, n);

	if (!p)
		return;
	d->ops->array_begin(d->e);
	d->ops->num(d->e, load(p, n), base);
	d->ops->array_end(d->e);
}

static void decode_uint_ptr(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	decode_number_ptr(d, reg, 4, EMIT_UDEC);
}

static void decode_ulong_ptr(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	decode_number_ptr(d, reg, d->word, EMIT_UDEC);
}

static void decode_llong_ptr(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	decode_number_ptr(d, reg, 8, EMIT_DEC);
}

static void decode_addr_ptr(struct dec *d, const struct arg *a, unsigned reg)
{
	const void *p = output(d, reg, d->word);

	(void)a;
	if (!p)
		return;
	d->ops->array_begin(d->e);
	say_addr(d, dec_word(d, p));
	d->ops->array_end(d->e);
}

static void decode_time_ptr(struct dec *d, const struct arg *a, unsigned reg)
{
	const void *p = output(d, reg, d->word);
	int64_t sec;

	(void)a;
	if (!p)
		return;
	sec = d->word == 4 ? (int32_t)load(p, 4) : (int64_t)load(p, 8);
	d->ops->array_begin(d->e);
	say_dec(d, sec);
	say_time_comment(d, sec, 0);
	d->ops->array_end(d->e);
}

static void capture_out2(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_fixed(b, reg, 0, CAP_EXIT, 2);
}

static void capture_out4(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_fixed(b, reg, 0, CAP_EXIT, 4);
}

static void capture_out8(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_fixed(b, reg, 0, CAP_EXIT, 8);
}

static void capture_out_word(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_fixed(b, reg, 0, CAP_EXIT, b->word);
}

static void capture_fdpair(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	struct cap_op *fds = cap_fds(b, reg, CAP_EXIT, CAP_FDS);

	fds->len_from = CAP_LEN_FIXED;
	fds->max = 2;
	fds->elem = sizeof(int);
	capture_out8(b, a, reg);
}

const struct kind kind_fdpair = { .decode = decode_fdpair, .capture = capture_fdpair, .at_end = true };
const struct kind kind_id_ptr = { .decode = decode_id_ptr, .capture = capture_out4, .at_end = true };
const struct kind kind_id16_ptr = { .decode = decode_id16_ptr, .capture = capture_out2, .at_end = true };
const struct kind kind_uint_ptr = { .decode = decode_uint_ptr, .capture = capture_out4, .at_end = true };
const struct kind kind_ulong_ptr = { .decode = decode_ulong_ptr, .capture = capture_out_word, .at_end = true };
const struct kind kind_llong_ptr = { .decode = decode_llong_ptr, .capture = capture_out8, .at_end = true };
const struct kind kind_addr_ptr = { .decode = decode_addr_ptr, .capture = capture_out_word, .at_end = true };
const struct kind kind_time_ptr = { .decode = decode_time_ptr, .capture = capture_out_word, .at_end = true };

/* --- offsets that are read and written: part 0 before, part 1 after --- */

static int64_t offset_value(const struct capture *c, unsigned n)
{
	return n == 4 ? (int32_t)load(c->data, 4) : (int64_t)load(c->data, 8);
}

static void decode_offset(struct dec *d, unsigned reg, unsigned n, bool changes)
{
	const struct capture *in = dec_cap(d, reg, 0, 0), *out = dec_good(d, reg, 1, 0);

	if (!in || (in->flags & CT_CAP_FAILED) || in->len < n) {
		say_unreadable(d, reg, in);
		return;
	}
	d->ops->array_begin(d->e);
	say_dec(d, offset_value(in, n));
	/* What could be read at the end alone was an address when the call began. */
	if (changes && !(in->flags & CT_CAP_RETRIED))
		dec_at_end(d);
	if (changes && d->ok && out && out->len >= n && offset_value(in, n) != offset_value(out, n)) {
		d->ops->change(d->e);
		say_dec(d, offset_value(out, n));
	}
	d->ops->array_end(d->e);
}

static void decode_offptr(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	decode_offset(d, reg, d->word, true);
}

static void decode_offptr64(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	decode_offset(d, reg, 8, true);
}

static void decode_offptr64_in(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	decode_offset(d, reg, 8, false);
}

static void capture_offptr(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_fixed(b, reg, 0, CAP_ENTER, b->word);
	cap_fixed(b, reg, 1, CAP_EXIT, b->word);
}

static void capture_offptr64(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_fixed(b, reg, 0, CAP_ENTER, 8);
	cap_fixed(b, reg, 1, CAP_EXIT, 8);
}

static void capture_offptr64_in(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_fixed(b, reg, 0, CAP_ENTER, 8);
}

const struct kind kind_offptr = { .decode = decode_offptr, .capture = capture_offptr };
const struct kind kind_offptr64 = { .decode = decode_offptr64, .capture = capture_offptr64 };
const struct kind kind_offptr64_in = { .decode = decode_offptr64_in, .capture = capture_offptr64_in };

/* --- groups --- */

static void decode_ids(struct dec *d, unsigned reg, uint64_t count, size_t n)
{
	const struct capture *c = dec_cap(d, reg, 0, 0);
	unsigned char raw[4];
	uint64_t i, n_shown = shown(d, count);

	if (!dec_reg(d, reg)) {
		d->ops->null(d->e);
		return;
	}
	if (count && (!c || (c->flags & CT_CAP_FAILED))) {
		say_unreadable(d, reg, c);
		return;
	}
	d->ops->array_begin(d->e);
	for (i = 0; i < n_shown && dec_element(c, (size_t)i, n, raw); i++) {
		uint32_t id = (uint32_t)load(raw, n);

		say_id(d, n == 2 && id == UINT16_MAX ? UINT32_MAX : id);
	}
	if (i < count)
		d->ops->more(d->e);
	d->ops->array_end(d->e);
}

#define GROUPS_MAX 65536       /* NGROUPS_MAX */

static void decode_groups(struct dec *d, unsigned reg, uint32_t count, size_t n)
{
	if (count > GROUPS_MAX)
		say_addr(d, dec_reg(d, reg));
	else
		decode_ids(d, reg, count, n);
}

static void decode_ids_in(struct dec *d, const struct arg *a, unsigned reg)
{
	decode_groups(d, reg, (uint32_t)dec_reg(d, a->a), 4);
}

static void decode_ids16_in(struct dec *d, const struct arg *a, unsigned reg)
{
	decode_groups(d, reg, (uint32_t)dec_reg(d, a->a), 2);
}

/* getgroups(2) with size 0 only counts; strace shows what lies there all the same. */
static void decode_ids_result(struct dec *d, unsigned reg, size_t n)
{
	if (!d->ok)
		say_addr(d, dec_reg(d, reg));
	else
		decode_ids(d, reg, (uint64_t)d->call->ret, n);
}

static void decode_ids_out(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	decode_ids_result(d, reg, 4);
}

static void decode_ids16_out(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	decode_ids_result(d, reg, 2);
}

static void capture_ids_in(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_block(b, reg, 0, CAP_ENTER, a->a, 4, 4 * elements(b));
}

static void capture_ids16_in(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_block(b, reg, 0, CAP_ENTER, a->a, 2, 2 * elements(b));
}

static void capture_ids_out(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_result(b, reg, 4, 4 * elements(b));
}

static void capture_ids16_out(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_result(b, reg, 2, 2 * elements(b));
}

const struct kind kind_ids_in = { .decode = decode_ids_in, .capture = capture_ids_in };
const struct kind kind_ids_out = { .decode = decode_ids_out, .capture = capture_ids_out, .at_end = true };
const struct kind kind_ids16_in = { .decode = decode_ids16_in, .capture = capture_ids16_in };
const struct kind kind_ids16_out = { .decode = decode_ids16_out, .capture = capture_ids16_out, .at_end = true };

/* time(2): its result in words */
static void detail_time(struct dec *d)
{
	struct words w = { 0 };

	if (!d->ok || !words_time(&w, d->call->ret, 0, 0))
		return;
	d->ops->result_detail(d->e);
	d->ops->word(d->e, w.buf);
}

const struct hooks hooks_time = { .detail = detail_time };
