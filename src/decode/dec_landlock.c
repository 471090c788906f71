/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Landlock (include/uapi/linux/landlock.h) and the lsm_* calls (include/uapi/linux/lsm.h). */
#include "decode/dec_file.h"
#include "decode/kinds.h"
#include "util/macros.h"

/* --- struct landlock_ruleset_attr: as many fields as the size that is given reaches into --- */

#define RULESET_MIN 8

static const struct {
	const char *name;
	const struct symtab *table;
} ruleset_fields[] = {
	{ "handled_access_fs", &tab_landlock_fs },   { "handled_access_net", &tab_landlock_net },
	{ "scoped", &tab_landlock_scopes },          { "quiet_access_fs", &tab_landlock_fs },
	{ "quiet_access_net", &tab_landlock_net },   { "quiet_scoped", &tab_landlock_scopes },
};

#define RULESET_SIZE (8 * ARRAY_SIZE(ruleset_fields))

static void decode_ruleset_attr(struct dec *d, const struct arg *a, unsigned reg)
{
	uint64_t size = dec_reg(d, a->a);
	struct bytes b;

	if (size < RULESET_MIN) {
		say_addr(d, dec_reg(d, reg));
		return;
	}
	if (!struct_at(d, reg, 0, size < RULESET_SIZE ? size : RULESET_SIZE, &b))
		return;
	b = bytes_cut(b, size);
	for (size_t i = 0; i < ARRAY_SIZE(ruleset_fields) && size > 8 * i; i++)
		field_flags(d, ruleset_fields[i].name, ruleset_fields[i].table, get64(b, 8 * i));
	if (size > RULESET_SIZE)
		d->ops->more(d->e);
	d->ops->struct_end(d->e);
}

static void capture_ruleset_attr(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_block(b, reg, 0, CAP_ENTER, a->a, 1, RULESET_SIZE);
}

const struct kind kind_ruleset_attr = { .decode = decode_ruleset_attr, .capture = capture_ruleset_attr };

/* With flags it answers a question, and makes no ruleset. */
static enum ret_kind ruleset_ret(const struct call *call)
{
	return (uint32_t)call->args[2] ? RET_DEC : RET_FD;
}

const struct hooks hooks_landlock_create_ruleset = { .ret = ruleset_ret };

/* --- landlock_add_rule --- */

enum { RULE_PATH_BENEATH = 1, RULE_NET_PORT };

#define PATH_BENEATH_SIZE 12    /* packed */
#define NET_PORT_SIZE 16

static void add_rule_decode(struct dec *d)
{
	uint32_t type = (uint32_t)dec_reg(d, 1);
	struct bytes b;

	dec_args(d, 0, 2);
	dec_begin(d, 2);
	if (type == RULE_PATH_BENEATH) {
		if (struct_at(d, 2, 0, PATH_BENEATH_SIZE, &b)) {
			field_flags(d, "allowed_access", &tab_landlock_fs, get64(b, 0));
			say_field(d, "parent_fd");
			say_fd(d, (int32_t)get32(b, 8), false);
			d->ops->struct_end(d->e);
		}
	} else if (type == RULE_NET_PORT) {
		if (struct_at(d, 2, 0, NET_PORT_SIZE, &b)) {
			field_flags(d, "allowed_access", &tab_landlock_net, get64(b, 0));
			field_udec(d, "port", get64(b, 8));
			d->ops->struct_end(d->e);
		}
	} else {
		say_addr(d, dec_reg(d, 2));
	}
	dec_args(d, 3, 4);
}

static void add_rule_capture(struct cap_builder *b, const struct syscall *s)
{
	cap_args(b, s, 0, 2);
	cap_if(b, 2, 0, CAP_BYTES, CAP_ENTER, 1, UINT32_MAX, 1 << RULE_PATH_BENEATH)->max = PATH_BENEATH_SIZE;
	cap_if(b, 2, 0, CAP_BYTES, CAP_ENTER, 1, UINT32_MAX, 1 << RULE_NET_PORT)->max = NET_PORT_SIZE;
	cap_fd_at(b, 2, CAP_ENTER, 8);
}

const struct hooks hooks_landlock_add_rule = { .decode = add_rule_decode, .capture = add_rule_capture };

/* --- a size that is read and written: [512 => 32] --- */

enum { SIZE_BEFORE, SIZE_AFTER };

static void decode_size_inout(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	uint32_t before, after;

	if (!dec_reg(d, reg) || !dec_read(d, reg, SIZE_BEFORE, &before, sizeof(before))) {
		say_unreadable(d, reg, dec_reg(d, reg) ? dec_cap(d, reg, SIZE_BEFORE, 0) : NULL);
		return;
	}
	d->ops->array_begin(d->e);
	say_udec(d, before);
	if (dec_read(d, reg, SIZE_AFTER, &after, sizeof(after)) && after != before) {
		d->ops->change(d->e);
		say_udec(d, after);
	}
	d->ops->array_end(d->e);
}

static void capture_size_inout(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, SIZE_BEFORE, CAP_ENTER, 4);
	cap_fixed(b, reg, SIZE_AFTER, CAP_EXIT | CAP_ON_ERROR, 4);
}

const struct kind kind_size_inout = { .decode = decode_size_inout, .capture = capture_size_inout, .at_end = true };

/* --- lsm_list_modules --- */

static void say_lsm(struct dec *d, struct bytes b)
{
	say_sym(d, &tab_lsm_modules, get64(b, 0));
}

static void decode_lsm_ids(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	if (d->ok)
		say_array(d, dec_cap(d, reg, 0, 0), dec_reg(d, reg), (uint64_t)d->call->ret, 8, say_lsm);
	else
		say_addr(d, dec_reg(d, reg));
}

static void capture_lsm_ids(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_result(b, reg, 8, 8 * cap_elements(b));
}

const struct kind kind_lsm_ids = { .decode = decode_lsm_ids, .capture = capture_lsm_ids, .at_end = true };

/* --- struct lsm_ctx: id, flags, len (of all of it), ctx_len, ctx --- */

#define LSM_CTX_SIZE 32
#define LSM_CTX_MAX 4096
#define LSM_FLAG_SINGLE_BIT 1u

enum { LSM_CTX, LSM_CTX_BEFORE };

/* Bytes that are not there are not shown, whatever it says. */
static void say_lsm_ctx(struct dec *d, struct bytes b)
{
	uint64_t len = get64(b, 24);

	d->ops->struct_begin(d->e);
	field_sym(d, "id", &tab_lsm_ids, get64(b, 0));
	field_hex(d, "flags", get64(b, 8));
	field_udec(d, "len", get64(b, 16));
	field_udec(d, "ctx_len", len);
	if (len && b.len > LSM_CTX_SIZE) {
		say_field(d, "ctx");
		b = bytes_cut(bytes_from(b, LSM_CTX_SIZE), len);
		say_hex_bytes(d, b.p, b.len, b.len);
	}
	d->ops->struct_end(d->e);
}

static void decode_lsm_ctx_in(struct dec *d, const struct arg *a, unsigned reg)
{
	uint32_t size = (uint32_t)dec_reg(d, a->a);
	const struct capture *c = dec_good(d, reg, LSM_CTX, 0);

	if (!dec_reg(d, reg) || size < LSM_CTX_SIZE || !c || c->len < LSM_CTX_SIZE)
		say_unreadable(d, reg, dec_reg(d, reg) && size >= LSM_CTX_SIZE ? dec_cap(d, reg, LSM_CTX, 0) : NULL);
	else
		say_lsm_ctx(d, bytes_cut(bytes_of(c), size));
}

static void capture_lsm_ctx_in(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_block(b, reg, LSM_CTX, CAP_ENTER, a->a, 1, LSM_CTX_MAX);
}

const struct kind kind_lsm_ctx_in = { .decode = decode_lsm_ctx_in, .capture = capture_lsm_ctx_in };

/* One after the other, each as long as it says. */
static void say_lsm_ctxs(struct dec *d, struct bytes b)
{
	d->ops->array_begin(d->e);
	while (bytes_have(b, 0, LSM_CTX_SIZE)) {
		uint64_t len = get64(b, 16);

		say_lsm_ctx(d, len < b.len ? bytes_cut(b, len < LSM_CTX_SIZE ? LSM_CTX_SIZE : len) : b);
		if (len < LSM_CTX_SIZE)
			break;
		b = len < b.len ? bytes_from(b, len) : (struct bytes){ NULL, 0 };
	}
	d->ops->array_end(d->e);
}

/* a: the register with the flags. With LSM_FLAG_SINGLE the id is read, too. */
static void decode_lsm_ctx_out(struct dec *d, const struct arg *a, unsigned reg)
{
	const struct capture *c = dec_good(d, reg, LSM_CTX, 0);
	uint64_t id;

	if (dec_reg(d, a->a) & LSM_FLAG_SINGLE_BIT && dec_reg(d, reg) && dec_read(d, reg, LSM_CTX_BEFORE, &id, sizeof(id))) {
		d->ops->struct_begin(d->e);
		field_sym(d, "id", &tab_lsm_ids, id);
		d->ops->struct_end(d->e);
		d->ops->change(d->e);
	}
	dec_at_end(d);
	if (!d->ok || !dec_reg(d, reg))
		say_addr(d, dec_reg(d, reg));
	else if (c)
		say_lsm_ctxs(d, bytes_of(c));
	else
		say_unreadable(d, reg, dec_cap(d, reg, LSM_CTX, 0));
}

/* The size is behind the next register. */
static void capture_lsm_ctx_out(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	struct cap_op *op = cap_add(b, reg, LSM_CTX_BEFORE, CAP_BYTES, CAP_ENTER);

	op->max = 8;
	op->cond = CAP_COND_BITS;
	op->cond_arg = (__u8)a->a;
	op->cond_and = LSM_FLAG_SINGLE_BIT;
	op = cap_add(b, reg, LSM_CTX, CAP_BYTES, CAP_EXIT);
	op->len_from = CAP_LEN_PTR;
	op->len_arg = (__u8)(reg + 1);
	op->max = LSM_CTX_MAX;
}

const struct kind kind_lsm_ctx_out = { .decode = decode_lsm_ctx_out, .capture = capture_lsm_ctx_out };
