/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl: structures of files and block devices that their fields' sizes do not describe. */
#include "decode/ioctl_hand.h"

#include <stdio.h>

/* --- BLKPG --- */

static const struct io_field partition_fields[] = { D8(start), D8(length), D4(pno), STRN(devname, 64), STRN(volname, 64), AT(152, 152) };
static const struct io_struct partition = { partition_fields, sizeof(partition_fields) / sizeof(partition_fields[0]), IO_BRACES };

static void say_blkpg(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes b = io_before(d), data = bytes_of(dec_good(d, 2, IO_MORE, 0));
	size_t at = d->word == 8 ? 16 : 12;
	uint64_t addr = get_uint(b, at, d->word);

	if (!io_has(d, b, at + d->word, IO_BEFORE))
		return;
	d->ops->struct_begin(d->e);
	field_sym(d, "op", &tab_blkpg_ops, get32(b, 0));
	field_dec(d, "flags", (int32_t)get32(b, 4));
	field_dec(d, "datalen", (int32_t)get32(b, 8));
	say_field(d, "data");
	if (addr && data.len >= io_size(d->call->abi, &partition)) {
		io_say_struct(d, &partition, data, (struct bytes){ NULL, 0 });
	} else {
		say_addr(d, addr);
		if (addr)
			dec_note(d, dec_cap(d, 2, IO_MORE, 0));
	}
	d->ops->struct_end(d->e);
}

static void cap_blkpg(struct cap_builder *b, const struct io_command *c _unused_)
{
	struct cap_op *op;

	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, b->word == 8 ? 24 : 16);
	op = cap_add(b, 2, IO_MORE, CAP_BYTES, CAP_ENTER);
	op->via_off = b->word == 8 ? 16 : 12;
	op->max = (uint32_t)io_size(b->abi, &partition);
}

const struct io_hand io_blkpg = { .say = say_blkpg, .capture = cap_blkpg };

/* --- FS_IOC_FIEMAP --- */

#define FIEMAP_HEAD 32
#define FIEMAP_EXTENT 56
#define FIEMAP_MOST 512         /* extents that are copied */

static void say_extent(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_udec(d, "fe_logical", get64(b, 0));
	field_udec(d, "fe_physical", get64(b, 8));
	field_udec(d, "fe_length", get64(b, 16));
	field_flags(d, "fe_flags", &tab_fiemap_extent, get32(b, 40));
	d->ops->struct_end(d->e);
}

static void say_fiemap_after(struct dec *d, struct bytes b)
{
	uint32_t n = get32(b, 20);
	struct capture extents = { 0 };

	d->ops->struct_begin(d->e);
	field_flags(d, "fm_flags", &tab_fiemap_flags, get32(b, 16));
	field_udec(d, "fm_mapped_extents", n);
	if (d->opts->no_abbrev) {
		extents = *dec_good(d, 2, IO_AFTER, 0);
		extents.data = (const char *)extents.data + FIEMAP_HEAD;
		extents.len -= FIEMAP_HEAD;
		say_field(d, "fm_extents");
		say_array(d, &extents, dec_reg(d, 2) + FIEMAP_HEAD, n, FIEMAP_EXTENT, say_extent);
	} else {
		d->ops->more(d->e);
	}
	d->ops->struct_end(d->e);
}

static void say_fiemap(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes b = io_before(d);

	if (!io_has(d, b, FIEMAP_HEAD, IO_BEFORE))
		return;
	d->ops->struct_begin(d->e);
	field_udec(d, "fm_start", get64(b, 0));
	field_udec(d, "fm_length", get64(b, 8));
	field_flags(d, "fm_flags", &tab_fiemap_flags, get32(b, 16));
	field_udec(d, "fm_extent_count", get32(b, 24));
	d->ops->struct_end(d->e);
	dec_at_end(d);
	if (!d->ok)
		return;
	d->ops->change(d->e);
	if (io_has(d, io_after(d), FIEMAP_HEAD, IO_AFTER))
		say_fiemap_after(d, io_after(d));
}

static void cap_fiemap(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, FIEMAP_HEAD);
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, FIEMAP_HEAD + (b->opts->no_abbrev ? FIEMAP_MOST * FIEMAP_EXTENT : 0));
}

const struct io_hand io_fiemap = { .say = say_fiemap, .capture = cap_fiemap };

/* --- FIDEDUPERANGE --- */

#define DEDUPE_HEAD 24
#define DEDUPE_INFO 32
#define DEDUPE_FEW 2            /* shown without -v */
#define DEDUPE_MOST 512

static void say_dedupe_in(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	say_field(d, "dest_fd");
	say_fd(d, (int32_t)get64(b, 0), false);
	field_udec(d, "dest_offset", get64(b, 8));
	d->ops->struct_end(d->e);
}

static void say_dedupe_out(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_udec(d, "bytes_deduped", get64(b, 16));
	field_dec(d, "status", (int32_t)get32(b, 24));
	d->ops->struct_end(d->e);
}

/* False: they could not all be read. */
static bool field_infos(struct dec *d, unsigned part, uint16_t n, void (*element)(struct dec *d, struct bytes b))
{
	struct bytes b = bytes_from(bytes_of(dec_good(d, 2, part, 0)), DEDUPE_HEAD);

	say_field(d, "info");
	d->ops->array_begin(d->e);
	for (unsigned i = 0; i < n; i++) {
		if (!d->opts->no_abbrev && (i >= DEDUPE_FEW || !dec_shows(d, i))) {
			d->ops->more(d->e);
			break;
		}
		if (!bytes_have(b, i * DEDUPE_INFO, DEDUPE_INFO)) {
			say_rest_unread(d, dec_reg(d, 2) + DEDUPE_HEAD + i * DEDUPE_INFO);
			d->ops->array_end(d->e);
			return false;
		}
		element(d, bytes_from(b, i * DEDUPE_INFO));
	}
	d->ops->array_end(d->e);
	return true;
}

static void say_dedupe(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes b = io_before(d);
	uint16_t n = get16(b, 16);
	bool whole;

	if (!io_has(d, b, DEDUPE_HEAD, IO_BEFORE))
		return;
	d->ops->struct_begin(d->e);
	field_udec(d, "src_offset", get64(b, 0));
	field_udec(d, "src_length", get64(b, 8));
	field_udec(d, "dest_count", n);
	whole = field_infos(d, IO_BEFORE, n, say_dedupe_in);
	d->ops->struct_end(d->e);
	dec_at_end(d);
	if (!d->ok || !n || !whole)
		return;
	d->ops->change(d->e);
	if (!io_has(d, io_after(d), DEDUPE_HEAD, IO_AFTER))
		return;
	d->ops->struct_begin(d->e);
	field_infos(d, IO_AFTER, n, say_dedupe_out);
	d->ops->struct_end(d->e);
}

static void cap_dedupe(struct cap_builder *b, const struct io_command *c _unused_)
{
	uint32_t n = b->opts->no_abbrev ? DEDUPE_MOST : DEDUPE_FEW;

	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, DEDUPE_HEAD + n * DEDUPE_INFO);
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, DEDUPE_HEAD + n * DEDUPE_INFO);
	/* The descriptors of the first eight: words 6, 14, ... */
	cap_fd_words(b, 2, CAP_ENTER, b->opts->no_abbrev ? 0x4040404040404040ull : 0x4040)->max =
		DEDUPE_HEAD + (b->opts->no_abbrev ? 8 : DEDUPE_FEW) * DEDUPE_INFO;
}

const struct io_hand io_dedupe = { .say = say_dedupe, .capture = cap_dedupe };

/* --- names of file systems, with their length before them --- */

static void say_fsuuid_field(struct dec *d, struct bytes b, size_t off)
{
	uint8_t len = get8(b, 0);

	d->ops->str(d->e, bytes_from(b, off).p, len < 16 ? len : 16, EMIT_STR_PATH | EMIT_STR_HEX);
}

static void say_sysfs_field(struct dec *d, struct bytes b, size_t off)
{
	struct bytes s = bytes_cut(bytes_from(b, off), 128);
	size_t len = get8(b, 0) < s.len ? get8(b, 0) : s.len ? s.len - 1 : 0, text = bytes_strlen(bytes_cut(s, len + 1));

	if (text <= len)
		d->ops->str(d->e, s.p, text, EMIT_STR_PATH);
	else
		d->ops->str(d->e, s.p, len, EMIT_STR_PATH | EMIT_STR_CUT);
}

IO_STRUCT(fsuuid, U1(len), HAND("uuid", say_fsuuid_field, 16))
IO_STRUCT(fssysfs, U1(len), HAND("name", say_sysfs_field, 128))
