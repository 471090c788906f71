/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl: the structures of files, file systems, block devices and flash, by their fields. */
#include "decode/ioctl_args.h"

/* A number, or what a pointer to one or a few leads to. */
IO_BOX(box_d4, E(IOF_DEC, 4))
IO_BOX(box_u4, E(IOF_UDEC, 4))
IO_BOX(box_x4, E(IOF_HEX, 4))
IO_BOX(box_u2, E(IOF_UDEC, 2))
IO_BOX(box_d8, E(IOF_DEC, 8))
IO_BOX(box_u8, E(IOF_UDEC, 8))
IO_BOX(box_x8, E(IOF_HEX, 8))
IO_BOX(box_uw, E(IOF_UDEC, IO_WORD))
IO_BOX(box_hex_long, E(IOF_HEX, IO_WORD))
IO_BOX(box_fd, E(IOF_FD, 4))
IO_BOX(box_id, E(IOF_ID, 4))
IO_BOX(box_pgid, E(IOF_DEC, 4))
IO_BOX(box_u8_2, E(IOF_UDEC, 8), E(IOF_UDEC, 8))
IO_BOX(box_u4_2, E(IOF_UDEC, 4), E(IOF_UDEC, 4))
IO_BOX(box_ide_nice, ET(IOF_FLAGS, IO_WORD, ide_nice))
IO_BOX(box_busstate, ET(IOF_SYM, IO_WORD, busstate))
IO_BOX(box_dw, E(IOF_DEC, IO_WORD))

#define SG_NO_ESCALATE 0x100u

static void say_sg_reset(struct dec *d, struct bytes all, size_t off)
{
	uint32_t v = get32(all, off), kind = v & ~SG_NO_ESCALATE;
	const char *name = sym_name(&tab_sg_reset, kind);

	d->ops->array_begin(d->e);
	if (v & SG_NO_ESCALATE) {
		d->ops->flags_begin(d->e, 0);
		d->ops->flag_apart(d->e, "SG_SCSI_RESET_NO_ESCALATE", SG_NO_ESCALATE, EMIT_HEX);
		d->ops->flag_apart(d->e, name, kind, EMIT_HEX);
		if (!name && d->opts->consts != CONST_RAW)
			d->ops->comment(d->e, tab_sg_reset.unknown);
		d->ops->flags_end(d->e);
	} else {
		say_sym(d, &tab_sg_reset, v);
	}
	d->ops->array_end(d->e);
}

IO_PLAIN(box_sg_reset, HAND(NULL, say_sg_reset, 4))
IO_BOX(box_mtd_mode, ET(IOF_SYM, IO_WORD, mtd_modes))
IO_BOX(box_otp, ET(IOF_SYM, 4, mtd_otp))
IO_BOX(box_nbd_flags, ET(IOF_FLAGS, 4, nbd_flags))
IO_BOX(box_fs_flags, ET(IOF_FLAGS, 4, fs_flags))
IO_BOX(box_balance_ctl, ET(IOF_SYM, 4, btrfs_balance_ctl))
IO_BOX(box_shutdown, ET(IOF_SYM, 4, fs_shutdown))

IO_PLAIN(fs_label, { .form = IOF_STR, .size = 1, .n = 256 })
IO_PLAIN(subvol_flags, ET(IOF_FLAGS, 8, btrfs_subvol))

/* --- disks --- */

IO_PLAIN(hd_identity_old, { .form = IOF_TEXT, .size = 1, .n = 142 })
IO_PLAIN(hd_identity, { .form = IOF_TEXT, .size = 1, .n = 512 })

IO_STRUCT(hd_geometry, U1(heads), U1(sectors), U2(cylinders), UW(start))
IO_STRUCT(blktrace, AT(32, 32), U2(act_mask), AT(36, 36), U4(buf_size), U4(buf_nr), AT(48, 48), U8(start_lba), U8(end_lba),
	  IO_F("pid", IOF_DEC, 4), EXITS, AT(0, 0), STRN(name, 32), AT(72, 72))
IO_STRUCT(sg_scsi_id, D4(host_no), D4(channel), X4(scsi_id), D4(lun), X4(scsi_type), D2(h_cmd_per_lun), D2(d_queue_depth),
	  SKIP(4, 2))
IO_STRUCT(sg_req_info, D1(req_state), D1(orphan), D1(sg_io_owned), D1(problem), D4(pack_id), PTR(usr_ptr), U4(duration), SKIP(4, 1))

/* Nothing is told of an encryption that there is not, unless all is. */
static bool encrypted(const struct dec *d, struct bytes all, size_t type_at)
{
	return d->opts->no_abbrev || get32(all, type_at);
}

static void say_loop_crypt(struct dec *d, struct bytes all, size_t off)
{
	if (!encrypted(d, all, off))
		return;
	field_sym(d, "lo_encrypt_type", &tab_loop_crypt, get32(all, off));
	field_udec(d, "lo_encrypt_key_size", get32(all, off + 4));
}

#define LOOP_TAIL(name_field) \
	HAND(NULL, say_loop_crypt, 8), FL4(lo_flags, loop_flags), STRN(name_field, 64)
#define V_(nm, fm, sz) { .name = #nm, .form = fm, .size = sz, .flags = IOF_VERBOSE }
#define VARR(nm, fm, sz, count) { .name = #nm, .form = fm, .size = sz, .n = count, .flags = IOF_MANY | IOF_VERBOSE }

static unsigned key_size(struct bytes all, size_t at)
{
	uint32_t len = get32(all, at);

	return len < 32 ? len : 32;
}

/* The key, as long as lo_encrypt_key_size, three numbers before it, says. */
static void say_loop_key(struct dec *d, struct bytes all, size_t off, size_t size_at)
{
	struct bytes key = bytes_cut(bytes_from(all, off), key_size(all, size_at));

	if (!encrypted(d, all, size_at - 4))
		return;
	say_field(d, "lo_encrypt_key");
	d->ops->str(d->e, key.p, key.len, EMIT_STR_PATH);
}

static void say_loop_key_old(struct dec *d, struct bytes all, size_t off)
{
	say_loop_key(d, all, off, off - 64 - 8);
}

static void say_loop_crypt_name(struct dec *d, struct bytes all, size_t off)
{
	struct bytes s = bytes_cut(bytes_from(all, off), 64);
	const uint8_t *nul = s.len ? memchr(s.p, 0, s.len) : NULL;

	if (!encrypted(d, all, off - 64 - 12))
		return;
	say_field(d, "lo_crypt_name");
	d->ops->str(d->e, s.p, nul ? (size_t)(nul - s.p) : s.len - 1, EMIT_STR_PATH | (nul ? 0 : EMIT_STR_CUT));
}

static void say_loop_key64(struct dec *d, struct bytes all, size_t off)
{
	say_loop_key(d, all, off, off - 128 - 8);
}

/* The kernel's old device numbers are unsigned short in the compat structure. */
IO_STRUCT(loop_info, D4(lo_number), V_(lo_device, IOF_DEV, IO_WORD), V_(lo_inode, IOF_UDEC, IO_WORD), V_(lo_rdevice, IOF_DEV, IO_WORD),
	  X4(lo_offset), LOOP_TAIL(lo_name), HAND(NULL, say_loop_key_old, 32), VARR(lo_init, IOF_HEX, IO_WORD, 2),
	  VARR(reserved, IOF_HEX, 1, 4), MORE)
IO_STRUCT(loop_info64, V_(lo_device, IOF_DEV, 8), V_(lo_inode, IOF_UDEC, 8), V_(lo_rdevice, IOF_DEV, 8), X8(lo_offset),
	  V_(lo_sizelimit, IOF_UDEC, 8), U4(lo_number), LOOP_TAIL(lo_file_name), HAND(NULL, say_loop_crypt_name, 64),
	  HAND(NULL, say_loop_key64, 32), VARR(lo_init, IOF_HEX, 8, 2), MORE)
IO_STRUCT(loop_config, FDESC(fd), U4(block_size), SUB(info, loop_info64), ARR_NZ(__reserved, IOF_HEX, 8, 8))

/* --- flash --- */

IO_STRUCT(mtd_erase, X4(start), X4(length))
IO_STRUCT(mtd_erase64, X8(start), X8(length))
IO_STRUCT(mtd_otp, X4(start), X4(length), U4(locked))
IO_STRUCT(mtd_info, SY1(type, mtd_types), FL4(flags, mtd_flags), X4(size), X4(erasesize), X4(writesize), X4(oobsize), X8(padding))
IO_STRUCT(mtd_stats, X4(corrected), X4(failed), X4(badblocks), X4(bbtblocks))
IO_STRUCT(mtd_oob, X4(start), X4(length), PTR(ptr))
IO_STRUCT(mtd_oob64, X8(start), AT(12, 12), X4(length), PTR8(usr_ptr))
IO_STRUCT(mtd_region, AT(12, 12), X4(regionindex), EXITS, AT(0, 0), X4(offset), X4(erasesize), X4(numblocks), AT(16, 16))
IO_STRUCT(mtd_write, X8(start), X8(len), X8(ooblen), PTR8(usr_data), PTR8(usr_oob), SY1(mode, mtd_ops), SKIP(1, 7))
IO_STRUCT(ubi_leb_change, D4(lnum), D4(bytes), SY1(dtype, ubi_types), SKIP(1, 7))
IO_STRUCT(ubi_map, D4(lnum), SY1(dtype, ubi_types), SKIP(1, 3))
IO_STRUCT(ubi_rsvol, D8(bytes), D4(vol_id), AT(12, 12))
IO_STRUCT(ubi_prop, SY1(property, ubi_props), SKIP(1, 7), X8(value))

/* --- files and file systems --- */

IO_STRUCT(file_clone_range, IO_F("src_fd", IOF_FD, 8), U8(src_offset), U8(src_length), U8(dest_offset))
IO_STRUCT(fsxattr_in, FL4(fsx_xflags, fsxflags), U4(fsx_extsize), SKIP(4, 1), X4(fsx_projid), U4(fsx_cowextsize), SKIP(1, 8))
IO_STRUCT(fsxattr_out, FL4(fsx_xflags, fsxflags), U4(fsx_extsize), U4(fsx_nextents), X4(fsx_projid), U4(fsx_cowextsize), SKIP(1, 8))
IO_STRUCT(lbmd_cap, FL4(lbmd_flags, lbmd_flags), U2(lbmd_interval), U1(lbmd_size), U1(lbmd_opaque_size), U1(lbmd_opaque_offset),
	  U1(lbmd_pi_size), U1(lbmd_pi_offset), SY1(lbmd_guard_tag_type, lbmd_csum), U1(lbmd_app_tag_size), U1(lbmd_ref_tag_size),
	  U1(lbmd_storage_tag_size), SKIP(1, 1))
IO_STRUCT(fstrim, X8(start), U8(len), U8(minlen))
IO_STRUCT(udmabuf, FDESC(memfd), FL4(flags, udmabuf_flags), U8(offset), U8(size))
IO_STRUCT(mnt_ns_info, U4(size), U4(nr_mounts), X8(mnt_ns_id))

/* --- btrfs --- */

IO_STRUCT(btrfs_vol, IO_F("fd", IOF_FD, 8), STRN(name, 4088))
IO_STRUCT(qgroup_create, U8(create), U8(qgroupid))
IO_STRUCT(qgroup_assign, U8(assign), U8(src), U8(dst))
IO_STRUCT(defrag_range, U8(start), M8(len), FL8(flags, btrfs_defrag), U4(extent_thresh), SY4(compress_type, btrfs_compress), SKIP(4, 4))
IO_STRUCT(quota_rescan, U8(flags), SKIP(8, 7))
IO_STRUCT(quota_ctl, SY8(cmd, btrfs_quota), SKIP(8, 1))
IO_STRUCT(btrfs_features, FL8(compat_flags, btrfs_compat), FL8(compat_ro_flags, btrfs_compat_ro), FL8(incompat_flags, btrfs_incompat))

static void say_csum(struct dec *d, struct bytes all, size_t off)
{
	uint64_t flags = get64(all, off + 4);

	if (!(flags & 1))
		return;
	field_sym(d, "csum_type", &tab_btrfs_csum, get16(all, off));
	field_udec(d, "csum_size", get16(all, off + 2));
}

static void say_generation(struct dec *d, struct bytes all, size_t off)
{
	if (get64(all, off - 8) & 2)
		field_udec(d, "generation", get64(all, off));
}

static const struct io_field uuid_field[] = { UUID(metadata_uuid) };
static const struct io_struct uuid_only = { uuid_field, 1, IO_BARE };

static void say_metadata_uuid(struct dec *d, struct bytes all, size_t off)
{
	if (get64(all, off - 16) & 4)
		io_say_struct(d, &uuid_only, bytes_from(all, off), (struct bytes){ NULL, 0 });
}

IO_STRUCT(btrfs_fs_info, U8(max_id), U8(num_devices), UUID(fsid), U4(nodesize), U4(sectorsize), U4(clone_alignment),
	  HAND(NULL, say_csum, 4), FL8(flags, btrfs_fs_info), HAND(NULL, say_generation, 8),
	  HAND(NULL, say_metadata_uuid, 16), AT(1024, 1024))
IO_STRUCT(btrfs_dev_info, IO_F("devid", IOF_DEV, 8), UUID_NZ(uuid), ARROW, AT(8, 8), UUID_NZ(uuid), U8(bytes_used), U8(total_bytes),
	  AT(3072, 3072), STRN(path, 1024))
static void say_btrfs_time(struct dec *d, struct bytes all, size_t off)
{
	int64_t sec = (int64_t)get64(all, off);
	uint32_t nsec = get32(all, off + 8);

	d->ops->struct_begin(d->e);
	field_udec(d, "sec", (uint64_t)sec);
	field_udec(d, "nsec", nsec);
	d->ops->struct_end(d->e);
	say_time_comment(d, sec, nsec);
}

IO_STRUCT(btrfs_received, UUID(uuid), U8(stransid), AT(32, 32), HAND("stime", say_btrfs_time, 12), AT(64, 56), U8(flags), ARROW,
	  AT(24, 24), U8(rtransid), AT(48, 44), HAND("rtime", say_btrfs_time, 12), AT(200, 192))
