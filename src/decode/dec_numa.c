/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Memory policy: sets of nodes, pages and where they are; the memory of another process. */
#include "decode/kinds.h"

#include "decode/dec_array.h"
#include "decode/field.h"
#include "util/macros.h"

/* Longs of a set that is maxnode bits long; the kernel does not count the last one. */
static uint64_t node_longs(const struct dec *d, uint64_t maxnode)
{
	uint64_t bits = 8 * d->word;

	return (maxnode + bits - 2) / bits;
}

static void say_node_long(struct dec *d, struct bytes b)
{
	uint64_t v = get_uint(b, 0, d->word);
	char text[24], *p = text + sizeof(text) - 1;
	unsigned digits = 0, width = 2 * d->word - (v ? 2 : 0);

	*p = '\0';
	for (; v || digits < width; v >>= 4, digits++)
		*--p = "0123456789abcdef"[v & 15];
	if (get_uint(b, 0, d->word)) {
		*--p = 'x';
		*--p = '0';
	}
	d->ops->word(d->e, p);
}

static void say_nodes(struct dec *d, unsigned reg, uint64_t maxnode)
{
	uint64_t n = node_longs(d, maxnode);

	if (n < maxnode / (8 * d->word) || (maxnode && !n))
		say_addr(d, dec_reg(d, reg));
	else
		say_array(d, dec_cap(d, reg, 0, 0), dec_reg(d, reg), n, d->word, say_node_long);
}

/* a: the register with the number of bits */
static void decode_nodes_in(struct dec *d, const struct arg *a, unsigned reg)
{
	say_nodes(d, reg, dec_reg(d, a->a));
}

/* The bits are rounded up to longs; one more bit than counts makes no difference but for a long that is not shown. */
static void capture_nodes(struct cap_builder *b, const struct arg *a, unsigned reg, unsigned when)
{
	struct cap_op *op = cap_add(b, reg, 0, CAP_BYTES, when);

	op->len_from = CAP_LEN_BITS;
	op->len_arg = (__u8)a->a;
	op->max = array_max(b, b->word);
}

static void capture_nodes_in(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	capture_nodes(b, a, reg, CAP_ENTER);
}

static void decode_nodes_out(struct dec *d, const struct arg *a, unsigned reg)
{
	if (d->ok)
		say_nodes(d, reg, dec_reg(d, a->a));
	else
		say_addr(d, dec_reg(d, reg));
}

static void capture_nodes_out(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	capture_nodes(b, a, reg, CAP_EXIT);
}

const struct kind kind_nodes_in = { .decode = decode_nodes_in, .capture = capture_nodes_in };
const struct kind kind_nodes_out = { .decode = decode_nodes_out, .capture = capture_nodes_out, .at_end = true };

#define POLICY_FLAGS 0xe000u

/* A mode with flags: the mode comes first if it is one. */
static void decode_mempolicy(struct dec *d, const struct arg *a, unsigned reg)
{
	uint64_t v = a->a ? dec_reg(d, reg) : (uint32_t)dec_reg(d, reg), flags = v & POLICY_FLAGS;
	const char *name = sym_name(&tab_mempolicy_modes, v & ~(uint64_t)POLICY_FLAGS);

	if (!name) {
		say_flags(d, &tab_mempolicy_bits, v);
		return;
	}
	d->ops->flags_begin(d->e, v);
	d->ops->flag(d->e, name, v & ~(uint64_t)POLICY_FLAGS);
	for (size_t i = 0; i < tab_mempolicy_bits.n; i++)
		if (flags & tab_mempolicy_bits.v[i].v)
			d->ops->flag(d->e, tab_mempolicy_bits.v[i].name, tab_mempolicy_bits.v[i].v);
	d->ops->flags_end(d->e);
}

const struct kind kind_mempolicy = { .decode = decode_mempolicy };

static void decode_policy_ptr(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	uint32_t mode;

	if (!d->ok || !dec_read(d, reg, 0, &mode, sizeof(mode))) {
		say_addr(d, dec_reg(d, reg));
		return;
	}
	d->ops->array_begin(d->e);
	say_sym(d, &tab_mempolicy_modes, mode);
	d->ops->array_end(d->e);
}

static void capture_policy_ptr(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, 4);
}

const struct kind kind_policy_ptr = { .decode = decode_policy_ptr, .capture = capture_policy_ptr, .at_end = true };

/* --- move_pages(2) --- */

static void say_page(struct dec *d, struct bytes b)
{
	say_addr(d, get_uint(b, 0, d->word));
}

static void say_node(struct dec *d, struct bytes b)
{
	say_dec(d, (int32_t)get32(b, 0));
}

/* A node, or the negative of an errno. */
static void say_page_status(struct dec *d, struct bytes b)
{
	int32_t v = (int32_t)get32(b, 0);
	const char *name = v < 0 ? errno_name(-(int64_t)v > 4095 ? 0 : -v) : NULL;
	struct words w = { 0 };

	if (!name) {
		say_dec(d, v);
		return;
	}
	words_str(&w, "-");
	words_str(&w, name);
	d->ops->named(d->e, w.buf, (uint64_t)(int64_t)v, EMIT_DEC);
}

/* a: the register with the count */
static void decode_pages_in(struct dec *d, const struct arg *a, unsigned reg)
{
	say_array(d, dec_cap(d, reg, 0, 0), dec_reg(d, reg), dec_reg(d, a->a), d->word, say_page);
}

static void capture_pages_in(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_array(b, reg, 0, CAP_ENTER, a->a, b->word);
}

static void decode_page_nodes(struct dec *d, const struct arg *a, unsigned reg)
{
	say_array(d, dec_cap(d, reg, 0, 0), dec_reg(d, reg), dec_reg(d, a->a), 4, say_node);
}

static void capture_page_nodes(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_array(b, reg, 0, CAP_ENTER, a->a, 4);
}

static void decode_page_status(struct dec *d, const struct arg *a, unsigned reg)
{
	if (d->ok)
		say_array(d, dec_cap(d, reg, 0, 0), dec_reg(d, reg), dec_reg(d, a->a), 4, say_page_status);
	else
		say_addr(d, dec_reg(d, reg));
}

static void capture_page_status(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_array(b, reg, 0, CAP_EXIT, a->a, 4);
}

const struct kind kind_pages_in = { .decode = decode_pages_in, .capture = capture_pages_in };
const struct kind kind_page_nodes = { .decode = decode_page_nodes, .capture = capture_page_nodes };
const struct kind kind_page_status = { .decode = decode_page_status, .capture = capture_page_status, .at_end = true };

/* --- iovecs whose bases are another process's --- */

static void say_iovec(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_addr(d, "iov_base", get_uint(b, 0, d->word));
	field_udec(d, "iov_len", get_uint(b, d->word, d->word));
	d->ops->struct_end(d->e);
}

static void decode_iovec_addr(struct dec *d, const struct arg *a, unsigned reg)
{
	say_array(d, dec_cap(d, reg, 0, 0), dec_reg(d, reg), dec_reg(d, a->a), 2 * d->word, say_iovec);
}

static void capture_iovec_addr(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_array(b, reg, 0, CAP_ENTER, a->a, 2 * b->word);
}

const struct kind kind_iovec_addr = { .decode = decode_iovec_addr, .capture = capture_iovec_addr };
