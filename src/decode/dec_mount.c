/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Mounts: fsconfig, mount_setattr, statmount, listmount, listns, swapon (include/uapi/linux/mount.h, nsfs.h). */
#include "decode/dec_file.h"
#include "decode/kinds.h"
#include "util/macros.h"

/* --- fsconfig: what key and value are, the command says --- */

enum { SET_FLAG, SET_STRING, SET_BINARY, SET_PATH, SET_PATH_EMPTY, SET_FD };
enum { VALUE_STRING, VALUE_BYTES, VALUE_PATH };

static void say_fsconfig_value(struct dec *d, uint32_t cmd)
{
	uint64_t addr = dec_reg(d, 3);
	int32_t aux = (int32_t)dec_reg(d, 4);

	switch (cmd) {
	case SET_STRING:
		say_string_at(d, 3, VALUE_STRING, addr, false);
		break;
	case SET_BINARY:
		if (aux < 0)
			say_addr(d, addr);
		else
			say_bytes_at(d, 3, VALUE_BYTES, addr, (uint32_t)aux, true);
		break;
	case SET_PATH:
	case SET_PATH_EMPTY:
		say_string_at(d, 3, VALUE_PATH, addr, true);
		break;
	default:
		say_addr(d, addr);
	}
}

static void fsconfig_decode(struct dec *d)
{
	uint32_t cmd = (uint32_t)dec_reg(d, 1);
	int32_t aux = (int32_t)dec_reg(d, 4);

	dec_args(d, 0, 2);
	dec_begin(d, 2);
	if (cmd <= SET_FD)
		say_string_at(d, 2, 0, dec_reg(d, 2), false);
	else
		say_addr(d, dec_reg(d, 2));
	dec_begin(d, 3);
	say_fsconfig_value(d, cmd);
	dec_begin(d, 4);
	if (cmd == SET_PATH || cmd == SET_PATH_EMPTY)
		say_fd(d, aux, true);
	else if (cmd == SET_FD && aux >= 0)
		say_fd(d, aux, false);
	else
		say_dec(d, aux);
}

static void fsconfig_capture(struct cap_builder *b, const struct syscall *s)
{
	struct cap_op *op;

	cap_args(b, s, 0, 2);
	cap_fd(b, 4, true);
	cap_if(b, 2, 0, CAP_STR, CAP_ENTER, 1, UINT32_MAX, 0x3f)->max = cap_limit(b) + 1;
	cap_if(b, 3, VALUE_STRING, CAP_STR, CAP_ENTER, 1, UINT32_MAX, 1 << SET_STRING)->max = cap_limit(b) + 1;
	op = cap_if(b, 3, VALUE_BYTES, CAP_BYTES, CAP_ENTER, 1, UINT32_MAX, 1 << SET_BINARY);
	op->len_from = CAP_LEN_ARG;
	op->len_arg = 4;
	op->elem = 1;
	op->max = cap_bytes_limit(b);
	cap_if(b, 3, VALUE_PATH, CAP_STR, CAP_ENTER, 1, UINT32_MAX, 1 << SET_PATH | 1 << SET_PATH_EMPTY)->max = 4096;
}

const struct hooks hooks_fsconfig = { .decode = fsconfig_decode, .capture = fsconfig_capture };

/* --- struct mount_attr --- */

#define MOUNT_ATTR_SIZE 32      /* MOUNT_ATTR_SIZE_VER0 */

static void decode_mount_attr(struct dec *d, const struct arg *a, unsigned reg)
{
	uint64_t size = dec_reg(d, a->a);
	struct bytes b;

	if (!sized_struct_at(d, reg, size, MOUNT_ATTR_SIZE, &b))
		return;
	field_flags(d, "attr_set", &tab_mount_idmap_attrs, get64(b, 0));
	field_flags(d, "attr_clr", &tab_mount_idmap_attrs, get64(b, 8));
	field_sym(d, "propagation", &tab_mount_propagation, get64(b, 16));
	field_udec(d, "userns_fd", get64(b, 24));
	say_beyond(d, dec_cap(d, reg, 0, 0), MOUNT_ATTR_SIZE, size);
	d->ops->struct_end(d->e);
}

static void capture_mount_attr(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_block(b, reg, 0, CAP_ENTER, a->a, 1, SIZED_MAX);
}

const struct kind kind_mount_attr = { .decode = decode_mount_attr, .capture = capture_mount_attr };

/* --- swapon: flags, and a priority in their low bits --- */

#define SWAP_PRIORITY 0x7fffu

static void decode_swap_flags(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	uint32_t v = (uint32_t)dec_reg(d, reg), flags = v & ~SWAP_PRIORITY, rest = flags, known = 0;

	if (!flags) {
		say_udec(d, v);
		return;
	}
	for (size_t i = 0; i < tab_swap_flags.n; i++)
		known |= flags & (uint32_t)tab_swap_flags.v[i].v;
	d->ops->flags_begin(d->e, known ? flags : 0);
	for (size_t i = 0; i < tab_swap_flags.n; i++) {
		const struct sym *s = &tab_swap_flags.v[i];

		if (rest & s->v)
			d->ops->flag(d->e, s->name, s->v);
		rest &= (uint32_t)~s->v;
	}
	if (rest && rest != flags)
		d->ops->flag(d->e, NULL, rest);
	if (rest == flags) {
		d->ops->flag_apart(d->e, NULL, rest, EMIT_HEX);
		d->ops->comment(d->e, tab_swap_flags.unknown);
	}
	d->ops->flag_apart(d->e, NULL, v & SWAP_PRIORITY, EMIT_UDEC);
	d->ops->flags_end(d->e);
}

const struct kind kind_swap_flags = { .decode = decode_swap_flags };

/* --- requests that begin with their size: struct mnt_id_req, struct ns_id_req --- */

enum { REQ_WHOLE, REQ_SIZE };

#define MNT_REQ_MIN 24          /* MNT_ID_REQ_SIZE_VER0 */
#define MNT_REQ_ALL 32          /* MNT_ID_REQ_SIZE_VER1 */
#define NS_REQ_ALL  32          /* NS_ID_REQ_SIZE_VER0 */

static void capture_req(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	struct cap_op *op = cap_add(b, reg, REQ_WHOLE, CAP_BYTES, CAP_ENTER);

	op->len_from = CAP_LEN_PTR;
	op->len_arg = (__u8)reg;
	op->max = SIZED_MAX;
	cap_fixed(b, reg, REQ_SIZE, CAP_ENTER, 4);
}

static void capture_mnt_req(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	capture_req(b, a, reg);
	cap_fd_at(b, reg, CAP_ENTER, 4);
}

/* Begins it; what else is said depends on the size. */
static bool begin_req(struct dec *d, unsigned reg, size_t min, uint32_t *ret_size, struct bytes *ret)
{
	const struct capture *c = dec_good(d, reg, REQ_SIZE, 0);
	uint32_t size;

	if (!dec_read(d, reg, REQ_SIZE, &size, sizeof(size)) || !dec_reg(d, reg)) {
		say_unreadable(d, reg, dec_reg(d, reg) ? dec_cap(d, reg, REQ_SIZE, 0) : NULL);
		return false;
	}
	*ret_size = size;
	if (size < min)
		*ret = bytes_of(c);
	else if (!struct_at(d, reg, REQ_WHOLE, min, ret))
		return false;
	else
		return true;
	d->ops->struct_begin(d->e);
	return true;
}

static void field_hex_or_sym(struct dec *d, const char *name, const struct symtab *t, uint64_t v)
{
	say_field(d, name);
	if (sym_name(t, v))
		say_sym(d, t, v);
	else
		say_hex(d, v);
}

/* table: of param's flags; NULL: a number. */
static void decode_mnt_req(struct dec *d, const struct arg *a, unsigned reg)
{
	struct bytes b;
	uint32_t size;

	if (!begin_req(d, reg, MNT_REQ_MIN, &size, &b))
		return;
	field_udec(d, "size", size);
	if (size >= MNT_REQ_MIN) {
		say_field(d, "mnt_ns_fd");
		say_fd(d, (int32_t)get32(b, 4), false);
		field_hex_or_sym(d, "mnt_id", &tab_lsmt_ids, get64(b, 8));
		if (a->table)
			field_flags(d, "param", a->table, get64(b, 16));
		else
			field_hex(d, "param", get64(b, 16));
		if (size > MNT_REQ_MIN)
			field_hex(d, "mnt_ns_id", get64(b, 24));
		say_beyond(d, dec_cap(d, reg, REQ_WHOLE, 0), MNT_REQ_ALL, size);
	}
	d->ops->struct_end(d->e);
}

const struct kind kind_mnt_req = { .decode = decode_mnt_req, .capture = capture_mnt_req };

static void decode_ns_req(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	struct bytes b;
	uint32_t size;

	if (!begin_req(d, reg, NS_REQ_ALL, &size, &b))
		return;
	field_udec(d, "size", size);
	if (size >= NS_REQ_ALL) {
		if (get32(b, 4))
			field_hex(d, "spare", get32(b, 4));
		field_hex(d, "ns_id", get64(b, 8));
		field_flags(d, "ns_type", &tab_listns_types, get32(b, 16));
		if (get32(b, 20))
			field_hex(d, "spare2", get32(b, 20));
		field_hex_or_sym(d, "user_ns_id", &tab_listns_users, get64(b, 24));
		say_beyond(d, dec_cap(d, reg, REQ_WHOLE, 0), NS_REQ_ALL, size);
	}
	d->ops->struct_end(d->e);
}

const struct kind kind_ns_req = { .decode = decode_ns_req, .capture = capture_req };

/* --- the numbers that listmount and listns return; a: the register with how many there is room for --- */

static void say_u64_hex(struct dec *d, struct bytes b)
{
	say_hex(d, get64(b, 0));
}

static void decode_ids64(struct dec *d, const struct arg *a, unsigned reg)
{
	uint64_t addr = dec_reg(d, reg);

	if (addr && !dec_reg(d, a->a)) {
		d->ops->array_begin(d->e);
		d->ops->array_end(d->e);
	} else if (!d->ok) {
		say_addr(d, addr);
	} else {
		say_array(d, dec_cap(d, reg, 0, 0), addr, (uint64_t)d->call->ret, 8, say_u64_hex);
	}
}

static void capture_ids64(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_result(b, reg, 8, 8 * cap_elements(b));
}

const struct kind kind_ids64 = { .decode = decode_ids64, .capture = capture_ids64, .at_end = true };

/* --- struct statmount --- */

#define STATMOUNT_SIZE 512      /* the strings follow */

enum { SM_NUMBER, SM_UDEC, SM_MAGIC, SM_STRING, SM_STRINGS, SM_FLAGS, SM_SYM };

/* What is shown, if its bit is in the mask, in this order. SM_STRINGS is preceded by their count. */
static const struct sm_field {
	const char *name, *count;
	uint16_t bit;
	uint8_t at, width, kind;
	const struct symtab *table;
} statmount_fields[] = {
	{ "sb_dev_major", NULL, 0x1, 16, 4, SM_UDEC, NULL },
	{ "sb_dev_minor", NULL, 0x1, 20, 4, SM_UDEC, NULL },
	{ "sb_magic", NULL, 0x1, 24, 8, SM_MAGIC, &tab_fs_magics },
	{ "sb_flags", NULL, 0x1, 32, 4, SM_FLAGS, &tab_statmount_sb_flags },
	{ "fs_type", NULL, 0x20, 36, 4, SM_STRING, NULL },
	{ "mnt_id", NULL, 0x2, 40, 8, SM_NUMBER, NULL },
	{ "mnt_parent_id", NULL, 0x2, 48, 8, SM_NUMBER, NULL },
	{ "mnt_id_old", NULL, 0x2, 56, 4, SM_NUMBER, NULL },
	{ "mnt_parent_id_old", NULL, 0x2, 60, 4, SM_NUMBER, NULL },
	{ "mnt_attr", NULL, 0x2, 64, 8, SM_FLAGS, &tab_mount_idmap_attrs },
	{ "mnt_propagation", NULL, 0x2, 72, 8, SM_FLAGS, &tab_mount_propagation },
	{ "mnt_peer_group", NULL, 0x2, 80, 8, SM_NUMBER, NULL },
	{ "mnt_master", NULL, 0x2, 88, 8, SM_NUMBER, NULL },
	{ "propagate_from", NULL, 0x4, 96, 8, SM_NUMBER, NULL },
	{ "mnt_root", NULL, 0x8, 104, 4, SM_STRING, NULL },
	{ "mnt_point", NULL, 0x10, 108, 4, SM_STRING, NULL },
	{ "mnt_ns_id", NULL, 0x40, 112, 8, SM_NUMBER, NULL },
	{ "fs_subtype", NULL, 0x100, 120, 4, SM_STRING, NULL },
	{ "sb_source", NULL, 0x200, 124, 4, SM_STRING, NULL },
	{ "opt_array", "opt_num", 0x400, 128, 8, SM_STRINGS, NULL },
	{ "opt_sec_array", "opt_sec_num", 0x800, 136, 8, SM_STRINGS, NULL },
	{ "supported_mask", NULL, 0x1000, 144, 8, SM_FLAGS, &tab_statmount_mask },
	{ "mnt_uidmap", "mnt_uidmap_num", 0x2000, 152, 8, SM_STRINGS, NULL },
	{ "mnt_gidmap", "mnt_gidmap_num", 0x4000, 160, 8, SM_STRINGS, NULL },
};

/* A string at off behind the structure, its NUL included, or its offset where there is none. */
static void sm_string(struct dec *d, struct bytes strings, uint32_t off)
{
	struct bytes b = bytes_from(strings, off);
	const void *nul = b.len ? memchr(b.p, 0, b.len) : NULL;

	if (nul)
		d->ops->str(d->e, b.p, (size_t)((const uint8_t *)nul - b.p), EMIT_STR_PATH);
	else
		say_hex(d, off);
}

static void sm_strings(struct dec *d, struct bytes strings, uint32_t off, uint32_t count)
{
	struct bytes b = bytes_from(strings, off);
	uint64_t shown = d->opts->no_abbrev || count < d->opts->string_limit ? count : d->opts->string_limit;

	if (!b.len) {
		say_hex(d, off);
		return;
	}
	d->ops->array_begin(d->e);
	for (uint64_t i = 0; i < shown; i++) {
		const void *nul = b.len ? memchr(b.p, 0, b.len) : NULL;

		if (!nul) {
			d->ops->word(d->e, "???");
			shown = count;
			break;
		}
		d->ops->str(d->e, b.p, (size_t)((const uint8_t *)nul - b.p), EMIT_STR_PATH);
		b = bytes_from(b, (size_t)((const uint8_t *)nul - b.p) + 1);
	}
	if (shown < count)
		d->ops->more(d->e);
	d->ops->array_end(d->e);
}

static void sm_field(struct dec *d, const struct sm_field *f, struct bytes b, struct bytes strings)
{
	uint64_t v = get_uint(b, f->at, f->kind == SM_STRINGS ? 4 : f->width);

	say_field(d, f->kind == SM_STRINGS ? f->count : f->name);
	switch (f->kind) {
	case SM_NUMBER:
		say_hex(d, v);
		break;
	case SM_UDEC:
		say_udec(d, v);
		break;
	case SM_MAGIC:
		if (sym_name(f->table, v))
			say_sym(d, f->table, v);
		else
			say_hex(d, v);
		break;
	case SM_STRING:
		sm_string(d, strings, (uint32_t)v);
		break;
	case SM_FLAGS:
		say_flags(d, f->table, v);
		break;
	case SM_STRINGS:
		say_udec(d, v);
		say_field(d, f->name);
		sm_strings(d, strings, get32(b, f->at + 4u), (uint32_t)v);
		break;
	}
}

/* a: the register with the buffer's size. */
static void decode_statmount(struct dec *d, const struct arg *a, unsigned reg)
{
	uint64_t room = dec_reg(d, a->a), mask;
	struct bytes b, strings = { NULL, 0 };
	uint32_t size;

	if (!d->ok) {
		say_addr(d, dec_reg(d, reg));
		return;
	}
	if (!struct_at(d, reg, 0, room < STATMOUNT_SIZE ? room : STATMOUNT_SIZE, &b))
		return;
	b = bytes_cut(b, room);
	size = get32(b, 0);
	mask = get64(b, 8);
	if (size > STATMOUNT_SIZE && size <= room && bytes_have(b, 0, size))
		strings = bytes_from(bytes_cut(b, size), STATMOUNT_SIZE);
	field_udec(d, "size", size);
	if (mask & 0x80) {
		say_field(d, "mnt_opts");
		sm_string(d, strings, get32(b, 4));
	}
	field_flags(d, "mask", &tab_statmount_mask, mask);
	for (size_t i = 0; i < ARRAY_SIZE(statmount_fields); i++)
		if (mask & statmount_fields[i].bit)
			sm_field(d, &statmount_fields[i], b, strings);
	d->ops->struct_end(d->e);
}

/* The structure tells its size, strings included. */
static void capture_statmount(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	struct cap_op *op = cap_add(b, reg, 0, CAP_BYTES, CAP_EXIT);

	op->len_from = CAP_LEN_PTR;
	op->len_arg = (__u8)reg;
	op->max = CT_CAP_MAX;
}

const struct kind kind_statmount = { .decode = decode_statmount, .capture = capture_statmount, .at_end = true };
