/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* stat, statx, statfs. */
#include "decode/kinds.h"

#include <string.h>

#include "decode/fileconst.h"

/* Where a member is, and how wide; width 0: it is not there. */
struct member {
	unsigned char at, width;
};

/* struct stat as the kernel fills it. */
struct stat_layout {
	unsigned size;
	struct member dev, ino, mode, nlink, uid, gid, rdev, file_size, blksize, blocks, time[3], nsec[3];
};

/* arch/x86/include/uapi/asm/stat.h, 64 bits */
static const struct stat_layout stat_x86_64 = {
	.size = 144, .dev = { 0, 8 }, .ino = { 8, 8 }, .nlink = { 16, 8 }, .mode = { 24, 4 }, .uid = { 28, 4 },
	.gid = { 32, 4 }, .rdev = { 40, 8 }, .file_size = { 48, 8 }, .blksize = { 56, 8 }, .blocks = { 64, 8 },
	.time = { { 72, 8 }, { 88, 8 }, { 104, 8 } }, .nsec = { { 80, 8 }, { 96, 8 }, { 112, 8 } },
};
/* include/uapi/asm-generic/stat.h */
static const struct stat_layout stat_generic = {
	.size = 128, .dev = { 0, 8 }, .ino = { 8, 8 }, .mode = { 16, 4 }, .nlink = { 20, 4 }, .uid = { 24, 4 },
	.gid = { 28, 4 }, .rdev = { 32, 8 }, .file_size = { 48, 8 }, .blksize = { 56, 4 }, .blocks = { 64, 8 },
	.time = { { 72, 8 }, { 88, 8 }, { 104, 8 } }, .nsec = { { 80, 8 }, { 96, 8 }, { 112, 8 } },
};
/* arch/x86/include/uapi/asm/stat.h, 32 bits: struct stat, struct stat64 */
static const struct stat_layout stat_i386 = {
	.size = 64, .dev = { 0, 4 }, .ino = { 4, 4 }, .mode = { 8, 2 }, .nlink = { 10, 2 }, .uid = { 12, 2 },
	.gid = { 14, 2 }, .rdev = { 16, 4 }, .file_size = { 20, 4 }, .blksize = { 24, 4 }, .blocks = { 28, 4 },
	.time = { { 32, 4 }, { 40, 4 }, { 48, 4 } }, .nsec = { { 36, 4 }, { 44, 4 }, { 52, 4 } },
};
static const struct stat_layout stat64_i386 = {
	.size = 96, .dev = { 0, 8 }, .ino = { 88, 8 }, .mode = { 16, 4 }, .nlink = { 20, 4 }, .uid = { 24, 4 },
	.gid = { 28, 4 }, .rdev = { 32, 8 }, .file_size = { 44, 8 }, .blksize = { 52, 4 }, .blocks = { 56, 8 },
	.time = { { 64, 4 }, { 72, 4 }, { 80, 4 } }, .nsec = { { 68, 4 }, { 76, 4 }, { 84, 4 } },
};

static const struct stat_layout *stat_layout_for(enum abi abi)
{
	switch (abi) {
	case ABI_X86_64:
		return &stat_x86_64;
	case ABI_ARM64:
		return &stat_generic;
	default:
		return &stat_i386;
	}
}

static uint64_t get(const char *p, struct member m)
{
	uint64_t v = 0;

	memcpy(&v, p + m.at, m.width);
	return v;
}

static int64_t get_signed(const char *p, struct member m)
{
	uint64_t v = get(p, m);

	return m.width == 4 ? (int64_t)(int32_t)v : (int64_t)v;
}

static void field_udec(struct dec *d, const char *name, uint64_t v)
{
	say_field(d, name);
	say_udec(d, v);
}

static void field_time(struct dec *d, const char *name, const char *nsec_name, int64_t sec, uint64_t nsec)
{
	say_field(d, name);
	say_dec(d, sec);
	say_time_comment(d, sec, (uint32_t)nsec);
	say_field(d, nsec_name);
	say_udec(d, nsec);
}

static void say_stat_head(struct dec *d, const struct stat_layout *l, const char *p, uint32_t mode)
{
	say_field(d, "st_dev");
	say_dev64(d, get(p, l->dev));
	field_udec(d, "st_ino", get(p, l->ino));
	say_field(d, "st_mode");
	say_mode_type(d, mode);
	field_udec(d, "st_nlink", get(p, l->nlink));
	field_udec(d, "st_uid", get(p, l->uid));
	field_udec(d, "st_gid", get(p, l->gid));
	field_udec(d, "st_blksize", get(p, l->blksize));
	field_udec(d, "st_blocks", get(p, l->blocks));
}

static void say_stat(struct dec *d, const struct stat_layout *l, const char *p)
{
	static const char *const names[3][2] = {
		{ "st_atime", "st_atime_nsec" }, { "st_mtime", "st_mtime_nsec" }, { "st_ctime", "st_ctime_nsec" },
	};
	uint32_t mode = (uint32_t)get(p, l->mode), type = mode & 0170000;

	d->ops->struct_begin(d->e);
	if (d->opts->no_abbrev) {
		say_stat_head(d, l, p, mode);
	} else {
		say_field(d, "st_mode");
		say_mode_type(d, mode);
	}
	if (type == MODE_CHR || type == MODE_BLK) {
		say_field(d, "st_rdev");
		say_dev64(d, get(p, l->rdev));
	} else {
		say_field(d, "st_size");
		say_dec(d, get_signed(p, l->file_size));
	}
	for (unsigned i = 0; d->opts->no_abbrev && i < 3; i++)
		field_time(d, names[i][0], names[i][1], get_signed(p, l->time[i]), get(p, l->nsec[i]));
	if (!d->opts->no_abbrev)
		d->ops->more(d->e);
	d->ops->struct_end(d->e);
}

/* The output of size bytes, or NULL after its address was said. */
static const char *output(struct dec *d, unsigned reg, size_t size)
{
	const struct capture *c = d->ok ? dec_cap(d, reg, 0, 0) : NULL;

	if (c && !(c->flags & CT_CAP_FAILED) && c->len >= size)
		return c->data;
	say_unreadable(d, reg, c);
	return NULL;
}

static void decode_stat(struct dec *d, const struct arg *a, unsigned reg)
{
	const struct stat_layout *l = stat_layout_for(d->call->abi);
	const char *p = output(d, reg, l->size);

	(void)a;
	if (p)
		say_stat(d, l, p);
}

static void capture_stat(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_fixed(b, reg, 0, CAP_EXIT, stat_layout_for(b->abi)->size);
}

static void decode_stat64(struct dec *d, const struct arg *a, unsigned reg)
{
	const char *p = output(d, reg, stat64_i386.size);

	(void)a;
	if (p)
		say_stat(d, &stat64_i386, p);
}

static void capture_stat64(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_fixed(b, reg, 0, CAP_EXIT, stat64_i386.size);
}

const struct kind kind_stat = { .decode = decode_stat, .capture = capture_stat, .at_end = true };
const struct kind kind_stat64 = { .decode = decode_stat64, .capture = capture_stat64, .at_end = true };

/* --- struct statx: the same everywhere (include/uapi/linux/stat.h) --- */

struct statx_time {
	int64_t sec;
	uint32_t nsec;
	int32_t pad;
};

struct statx_data {
	uint32_t mask, blksize;
	uint64_t attributes;
	uint32_t nlink, uid, gid;
	uint16_t mode, pad;
	uint64_t ino, size, blocks, attributes_mask;
	struct statx_time atime, btime, ctime, mtime;
	uint32_t rdev_major, rdev_minor, dev_major, dev_minor;
	uint64_t mnt_id;
	uint32_t dio_mem_align, dio_offset_align;
	uint64_t subvol;
	uint32_t atomic_unit_min, atomic_unit_max, atomic_segments_max, dio_read_offset_align, atomic_unit_max_opt, pad2;
};

/* stx_mask */
#define HAS_MODE 0x3u
#define HAS_NLINK 0x4u
#define HAS_UID 0x8u
#define HAS_GID 0x10u
#define HAS_ATIME 0x20u
#define HAS_MTIME 0x40u
#define HAS_CTIME 0x80u
#define HAS_INO 0x100u
#define HAS_SIZE 0x200u
#define HAS_BLOCKS 0x400u
#define HAS_BTIME 0x800u
#define HAS_MNT_ID 0x1000u
#define HAS_DIOALIGN 0x2000u
#define HAS_SUBVOL 0x8000u
#define ATTR_WRITE_ATOMIC 0x400000u     /* of stx_attributes: only then these limits mean anything */
#define HAS_DIO_READ_ALIGN 0x20000u

static void statx_udec(struct dec *d, const struct statx_data *s, uint32_t bit, const char *name, uint64_t v)
{
	if (s->mask & bit)
		field_udec(d, name, v);
}

static void statx_time(struct dec *d, const struct statx_data *s, uint32_t bit, const char *name, const struct statx_time *t)
{
	if (!(s->mask & bit))
		return;
	say_field(d, name);
	say_timespec(d, t, 8, "tv_nsec");
	say_time_comment(d, t->sec, t->nsec);
}

static void say_statx_rest(struct dec *d, const struct statx_data *s)
{
	statx_udec(d, s, HAS_BLOCKS, "stx_blocks", s->blocks);
	say_field(d, "stx_attributes_mask");
	say_flags(d, &tab_statx_attributes, s->attributes_mask);
	statx_time(d, s, HAS_ATIME, "stx_atime", &s->atime);
	statx_time(d, s, HAS_BTIME, "stx_btime", &s->btime);
	statx_time(d, s, HAS_CTIME, "stx_ctime", &s->ctime);
	statx_time(d, s, HAS_MTIME, "stx_mtime", &s->mtime);
	field_udec(d, "stx_rdev_major", s->rdev_major);
	field_udec(d, "stx_rdev_minor", s->rdev_minor);
	field_udec(d, "stx_dev_major", s->dev_major);
	field_udec(d, "stx_dev_minor", s->dev_minor);
	if (s->mask & HAS_MNT_ID) {
		say_field(d, "stx_mnt_id");
		say_hex(d, s->mnt_id);
	}
	statx_udec(d, s, HAS_DIOALIGN, "stx_dio_mem_align", s->dio_mem_align);
	statx_udec(d, s, HAS_DIOALIGN, "stx_dio_offset_align", s->dio_offset_align);
	if (s->mask & HAS_SUBVOL) {
		say_field(d, "stx_subvol");
		say_hex(d, s->subvol);
	}
	if (s->attributes & ATTR_WRITE_ATOMIC) {
		field_udec(d, "stx_atomic_write_unit_min", s->atomic_unit_min);
		field_udec(d, "stx_atomic_write_unit_max", s->atomic_unit_max);
		field_udec(d, "stx_atomic_write_segments_max", s->atomic_segments_max);
	}
	statx_udec(d, s, HAS_DIO_READ_ALIGN, "stx_dio_read_offset_align", s->dio_read_offset_align);
	if (s->attributes & ATTR_WRITE_ATOMIC)
		field_udec(d, "stx_atomic_write_unit_max_opt", s->atomic_unit_max_opt);
}

static void decode_statx(struct dec *d, const struct arg *a, unsigned reg)
{
	const char *p = output(d, reg, sizeof(struct statx_data));
	struct statx_data s;
	bool all = d->opts->no_abbrev;

	(void)a;
	if (!p)
		return;
	memcpy(&s, p, sizeof(s));
	d->ops->struct_begin(d->e);
	say_field(d, "stx_mask");
	say_flags(d, &tab_statx_mask, s.mask);
	if (all)
		field_udec(d, "stx_blksize", s.blksize);
	say_field(d, "stx_attributes");
	say_flags(d, &tab_statx_attributes, s.attributes);
	if (all) {
		statx_udec(d, &s, HAS_NLINK, "stx_nlink", s.nlink);
		statx_udec(d, &s, HAS_UID, "stx_uid", s.uid);
		statx_udec(d, &s, HAS_GID, "stx_gid", s.gid);
	}
	if (s.mask & HAS_MODE) {
		say_field(d, "stx_mode");
		say_mode_type(d, s.mode);
	}
	if (all)
		statx_udec(d, &s, HAS_INO, "stx_ino", s.ino);
	statx_udec(d, &s, HAS_SIZE, "stx_size", s.size);
	if (all)
		say_statx_rest(d, &s);
	else
		d->ops->more(d->e);
	d->ops->struct_end(d->e);
}

static void capture_statx(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_fixed(b, reg, 0, CAP_EXIT, sizeof(struct statx_data));
}

const struct kind kind_statx = { .decode = decode_statx, .capture = capture_statx, .at_end = true };

/* --- struct statfs: members of one width but f_fsid, and in statfs64 of 32-bit ABIs 64-bit counts --- */

struct statfs_layout {
	unsigned size;
	struct member type, bsize, count[5], fsid, namelen, frsize, flags;
};

static const struct statfs_layout statfs_64 = {
	.size = 120, .type = { 0, 8 }, .bsize = { 8, 8 },
	.count = { { 16, 8 }, { 24, 8 }, { 32, 8 }, { 40, 8 }, { 48, 8 } },
	.fsid = { 56, 8 }, .namelen = { 64, 8 }, .frsize = { 72, 8 }, .flags = { 80, 8 },
};
static const struct statfs_layout statfs_32 = {
	.size = 64, .type = { 0, 4 }, .bsize = { 4, 4 },
	.count = { { 8, 4 }, { 12, 4 }, { 16, 4 }, { 20, 4 }, { 24, 4 } },
	.fsid = { 28, 8 }, .namelen = { 36, 4 }, .frsize = { 40, 4 }, .flags = { 44, 4 },
};
/* struct compat_statfs64, packed */
static const struct statfs_layout statfs64_32 = {
	.size = 84, .type = { 0, 4 }, .bsize = { 4, 4 },
	.count = { { 8, 8 }, { 16, 8 }, { 24, 8 }, { 32, 8 }, { 40, 8 } },
	.fsid = { 48, 8 }, .namelen = { 56, 4 }, .frsize = { 60, 4 }, .flags = { 64, 4 },
};

static void say_fsid(struct dec *d, uint64_t fsid)
{
	say_field(d, "f_fsid");
	d->ops->struct_begin(d->e);
	say_field(d, "val");
	d->ops->array_begin(d->e);
	for (unsigned i = 0; i < 2 && dec_shows(d, i); i++)
		say_hex(d, (uint32_t)(fsid >> 32 * i));
	if (!dec_shows(d, 1))
		d->ops->more(d->e);
	d->ops->array_end(d->e);
	d->ops->struct_end(d->e);
}

static void say_statfs(struct dec *d, const struct statfs_layout *l, const char *p)
{
	static const char *const names[5] = { "f_blocks", "f_bfree", "f_bavail", "f_files", "f_ffree" };
	uint64_t flags = get(p, l->flags);

	d->ops->struct_begin(d->e);
	say_field(d, "f_type");
	say_sym(d, &tab_fs_magics, get(p, l->type));
	field_udec(d, "f_bsize", get(p, l->bsize));
	for (unsigned i = 0; i < 5; i++)
		field_udec(d, names[i], get(p, l->count[i]));
	say_fsid(d, get(p, l->fsid));
	field_udec(d, "f_namelen", get(p, l->namelen));
	field_udec(d, "f_frsize", get(p, l->frsize));
	if (flags) {
		say_field(d, "f_flags");
		say_flags(d, &tab_statfs_flags, flags);
	}
	d->ops->struct_end(d->e);
}

static void decode_statfs(struct dec *d, const struct arg *a, unsigned reg)
{
	const struct statfs_layout *l = d->word == 4 ? &statfs_32 : &statfs_64;
	const char *p = output(d, reg, l->size);

	(void)a;
	if (p)
		say_statfs(d, l, p);
}

static void capture_statfs(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_fixed(b, reg, 0, CAP_EXIT, b->word == 4 ? statfs_32.size : statfs_64.size);
}

static void decode_statfs64(struct dec *d, const struct arg *a, unsigned reg)
{
	const char *p = output(d, reg, statfs64_32.size);

	(void)a;
	if (p)
		say_statfs(d, &statfs64_32, p);
}

static void capture_statfs64(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_fixed(b, reg, 0, CAP_EXIT, statfs64_32.size);
}

const struct kind kind_statfs = { .decode = decode_statfs, .capture = capture_statfs, .at_end = true };
const struct kind kind_statfs64 = { .decode = decode_statfs64, .capture = capture_statfs64, .at_end = true };
