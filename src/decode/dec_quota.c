/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* quotactl and quotactl_fd by command (include/uapi/linux/quota.h, dqblk_xfs.h). */
#include "decode/dec_file.h"
#include "decode/kinds.h"
#include "util/macros.h"

enum {
	OP_SYNC = 0x800001, OP_QUOTAON, OP_QUOTAOFF, OP_GETFMT, OP_GETINFO, OP_SETINFO, OP_GETQUOTA, OP_SETQUOTA, OP_GETNEXTQUOTA,
	OP_XQUOTAON = 0x5801, OP_XQUOTAOFF, OP_XGETQUOTA, OP_XSETQLIM, OP_XGETQSTAT, OP_XQUOTARM, OP_XQUOTASYNC, OP_XGETQSTATV,
	OP_XGETNEXTQUOTA,
};

enum { PART_PATH, PART_IN, PART_OUT };

#define QUOTA_IN_MAX 112        /* struct fs_disk_quota */
#define QUOTA_OUT_MAX 160       /* struct fs_quota_statv */

/* QCMD(command, type) */
static void decode_quota_op(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	uint32_t v = (uint32_t)dec_reg(d, reg);
	struct words w = { 0 };

	words_str(&w, "QCMD(");
	words_name(&w, &tab_quota_ops, v >> 8, true);
	words_str(&w, ", ");
	words_name(&w, &tab_quota_types, v & 0xff, true);
	words_str(&w, ")");
	d->ops->named(d->e, w.buf, v, EMIT_UDEC);
}

const struct kind kind_quota_op = { .decode = decode_quota_op };

/* A run of numbers of one width, named in order. */
static void fields_udec(struct dec *d, struct bytes b, size_t off, size_t size, const char *const *names, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		field_udec(d, names[i], get_uint(b, off + i * size, size));
}

static void fields_int(struct dec *d, struct bytes b, size_t off, const char *const *names, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		field_dec(d, names[i], (int32_t)get32(b, off + 4 * i));
}

/* struct if_dqblk, and if_nextdqblk, which has an id behind it. */
static void say_dqblk(struct dec *d, struct bytes b, bool next)
{
	static const char *const names[] = { "dqb_bhardlimit", "dqb_bsoftlimit", "dqb_curspace", "dqb_ihardlimit", "dqb_isoftlimit",
					     "dqb_curinodes", "dqb_btime", "dqb_itime" };
	bool all = d->opts->no_abbrev;

	fields_udec(d, b, 0, 8, names, all ? 8 : 6);
	if (all)
		field_flags(d, "dqb_valid", &tab_quota_valid, get32(b, 64));
	if (next)
		field_udec(d, "dqb_id", get32(b, 68));
	if (!all)
		d->ops->more(d->e);
}

static void say_dqinfo(struct dec *d, struct bytes b)
{
	static const char *const names[] = { "dqi_bgrace", "dqi_igrace" };

	fields_udec(d, b, 0, 8, names, 2);
	field_flags(d, "dqi_flags", &tab_quota_info_flags, get32(b, 16));
	field_flags(d, "dqi_valid", &tab_quota_info_valid, get32(b, 20));
}

/* struct fs_disk_quota */
static void say_disk_quota(struct dec *d, struct bytes b)
{
	static const char *const limits[] = { "d_blk_hardlimit", "d_blk_softlimit", "d_ino_hardlimit", "d_ino_softlimit", "d_bcount",
					      "d_icount" };
	static const char *const timers[] = { "d_itimer", "d_btimer" };
	static const char *const warns[] = { "d_iwarns", "d_bwarns" };
	static const char *const real[] = { "d_rtb_hardlimit", "d_rtb_softlimit", "d_rtbcount" };

	field_dec(d, "d_version", (int8_t)get8(b, 0));
	field_flags(d, "d_flags", &tab_xfs_dquot_flags, get8(b, 1));
	field_hex(d, "d_fieldmask", get16(b, 2));
	field_udec(d, "d_id", get32(b, 4));
	fields_udec(d, b, 8, 8, limits, ARRAY_SIZE(limits));
	if (!d->opts->no_abbrev) {
		d->ops->more(d->e);
		return;
	}
	fields_int(d, b, 56, timers, 2);
	fields_udec(d, b, 64, 2, warns, 2);
	fields_udec(d, b, 72, 8, real, 3);
	field_dec(d, "d_rtbtimer", (int32_t)get32(b, 96));
	field_udec(d, "d_rtbwarns", get16(b, 100));
}

static void field_qfile(struct dec *d, const char *name, struct bytes b, size_t off)
{
	say_field(d, name);
	d->ops->struct_begin(d->e);
	field_udec(d, "qfs_ino", get64(b, off));
	field_udec(d, "qfs_nblks", get64(b, off + 8));
	field_udec(d, "qfs_nextents", get32(b, off + 16));
	d->ops->struct_end(d->e);
}

static void say_quota_limits(struct dec *d, struct bytes b, size_t off)
{
	static const char *const limits[] = { "qs_btimelimit", "qs_itimelimit", "qs_rtbtimelimit" };
	static const char *const warns[] = { "qs_bwarnlimit", "qs_iwarnlimit" };

	fields_int(d, b, off, limits, 3);
	fields_udec(d, b, off + 12, 2, warns, 2);
}

/* struct fs_quota_stat: the two it holds are 4 bytes shorter where 64 bits are aligned to 32. */
static void say_quota_stat(struct dec *d, struct bytes b)
{
	size_t step = d->word == 4 ? 20 : 24;

	field_dec(d, "qs_version", (int8_t)get8(b, 0));
	if (!d->opts->no_abbrev) {
		d->ops->more(d->e);
		return;
	}
	field_flags(d, "qs_flags", &tab_xfs_quota_flags, get16(b, 2));
	field_qfile(d, "qs_uquota", b, 8);
	field_qfile(d, "qs_gquota", b, 8 + step);
	field_udec(d, "qs_incoredqs", get32(b, 8 + 2 * step));
	say_quota_limits(d, b, 12 + 2 * step);
}

static void say_quota_statv(struct dec *d, struct bytes b)
{
	field_dec(d, "qs_version", (int8_t)get8(b, 0));
	if (!d->opts->no_abbrev) {
		d->ops->more(d->e);
		return;
	}
	field_flags(d, "qs_flags", &tab_xfs_quota_flags, get16(b, 2));
	field_udec(d, "qs_incoredqs", get32(b, 4));
	field_qfile(d, "qs_uquota", b, 8);
	field_qfile(d, "qs_gquota", b, 32);
	field_qfile(d, "qs_pquota", b, 56);
	say_quota_limits(d, b, 80);
}

/* --- arguments --- */

static void say_boxed(struct dec *d, unsigned reg, unsigned part, const struct symtab *t, bool flags)
{
	uint32_t v;

	if (!dec_reg(d, reg) || (part == PART_OUT && !d->ok) || !dec_read(d, reg, part, &v, sizeof(v))) {
		say_unreadable(d, reg, dec_reg(d, reg) && (part == PART_IN || d->ok) ? dec_cap(d, reg, part, 0) : NULL);
		return;
	}
	d->ops->array_begin(d->e);
	if (flags)
		say_flags(d, t, v);
	else
		say_sym(d, t, v);
	d->ops->array_end(d->e);
}

#define DQBLK_SIZE 68           /* up to its last member */

static size_t quota_size(uint32_t op, unsigned word)
{
	switch (op) {
	case OP_GETINFO: case OP_SETINFO:
		return 24;
	case OP_GETQUOTA: case OP_SETQUOTA:
		return DQBLK_SIZE;
	case OP_GETNEXTQUOTA:
		return DQBLK_SIZE + 4;
	case OP_XGETQSTAT:
		return word == 4 ? 68 : 80;
	case OP_XGETQSTATV:
		return QUOTA_OUT_MAX;
	}
	return QUOTA_IN_MAX;
}

static void say_quota_struct(struct dec *d, unsigned reg, uint32_t op, bool in)
{
	struct bytes b;

	if (!in && !d->ok) {
		say_addr(d, dec_reg(d, reg));
		return;
	}
	if (!struct_at(d, reg, in ? PART_IN : PART_OUT, quota_size(op, d->word), &b))
		return;
	switch (op) {
	case OP_GETINFO: case OP_SETINFO:
		say_dqinfo(d, b);
		break;
	case OP_GETQUOTA: case OP_SETQUOTA: case OP_GETNEXTQUOTA:
		say_dqblk(d, b, op == OP_GETNEXTQUOTA);
		break;
	case OP_XGETQSTAT:
		say_quota_stat(d, b);
		break;
	case OP_XGETQSTATV:
		say_quota_statv(d, b);
		break;
	default:
		say_disk_quota(d, b);
	}
	d->ops->struct_end(d->e);
}

static void say_quota_addr(struct dec *d, unsigned reg, uint32_t op)
{
	switch (op) {
	case OP_QUOTAON:
		say_string_at(d, reg, PART_PATH, dec_reg(d, reg), true);
		break;
	case OP_SETINFO: case OP_SETQUOTA: case OP_XSETQLIM:
		say_quota_struct(d, reg, op, true);
		break;
	case OP_GETINFO: case OP_GETQUOTA: case OP_GETNEXTQUOTA: case OP_XGETQUOTA: case OP_XGETQSTAT: case OP_XGETQSTATV:
	case OP_XGETNEXTQUOTA:
		say_quota_struct(d, reg, op, false);
		break;
	case OP_GETFMT:
		say_boxed(d, reg, PART_OUT, &tab_quota_formats, false);
		break;
	case OP_XQUOTAON: case OP_XQUOTAOFF:
		say_boxed(d, reg, PART_IN, &tab_xfs_quota_flags, true);
		break;
	case OP_XQUOTARM:
		say_boxed(d, reg, PART_IN, &tab_xfs_dquot_flags, true);
		break;
	default:
		say_addr(d, dec_reg(d, reg));
	}
}

static bool is_output(uint32_t op)
{
	switch (op) {
	case OP_GETINFO: case OP_GETQUOTA: case OP_GETNEXTQUOTA: case OP_XGETQUOTA: case OP_XGETQSTAT: case OP_XGETQSTATV:
	case OP_XGETNEXTQUOTA: case OP_GETFMT:
		return true;
	}
	return false;
}

/* The third argument: none, a format, or whose quota it is. */
static void say_quota_id(struct dec *d, uint32_t op)
{
	switch (op) {
	case OP_QUOTAON:
		dec_begin(d, 2);
		say_sym(d, &tab_quota_formats, (uint32_t)dec_reg(d, 2));
		return;
	case OP_GETFMT: case OP_GETINFO: case OP_SETINFO: case OP_XQUOTAON: case OP_XQUOTAOFF: case OP_XQUOTARM: case OP_XGETQSTAT:
	case OP_XGETQSTATV:
		return;
	}
	dec_args(d, 2, 3);
}

static void quota_decode(struct dec *d, unsigned op_reg)
{
	uint32_t op = (uint32_t)dec_reg(d, op_reg) >> 8;

	dec_args(d, 0, 2);
	if (op == OP_SYNC || op == OP_QUOTAOFF || op == OP_XQUOTASYNC)
		return;
	say_quota_id(d, op);
	if (is_output(op))
		dec_at_end(d);
	dec_begin(d, 3);
	say_quota_addr(d, 3, op);
}

static void quotactl_decode(struct dec *d)
{
	quota_decode(d, 0);
}

static void quotactl_fd_decode(struct dec *d)
{
	quota_decode(d, 1);
}

/* A rare call: its memory is copied whatever the command. */
static void quotactl_capture(struct cap_builder *b, const struct syscall *s)
{
	struct cap_op *op;

	cap_args(b, s, 0, 2);
	op = cap_add(b, 3, PART_PATH, CAP_STR, CAP_ENTER);
	op->max = 4096;
	cap_fixed(b, 3, PART_IN, CAP_ENTER, QUOTA_IN_MAX);
	cap_fixed(b, 3, PART_OUT, CAP_EXIT, QUOTA_OUT_MAX);
}

const struct hooks hooks_quotactl = { .decode = quotactl_decode, .capture = quotactl_capture };
const struct hooks hooks_quotactl_fd = { .decode = quotactl_fd_decode, .capture = quotactl_capture };

/* --- ustat: a device number of 32 bits --- */

static void decode_dev(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	say_dev64(d, (uint32_t)dec_reg(d, reg));
}

const struct kind kind_dev = { .decode = decode_dev };
