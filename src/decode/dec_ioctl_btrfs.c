/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl: file systems of btrfs. linux/btrfs.h, linux/btrfs_tree.h */
#include "decode/ioctl_hand.h"

#include <stdio.h>

/* --- features: what there is, may be set, may be cleared --- */

extern const struct io_struct io_btrfs_features;
#define FEATURES 24

static void say_supported(struct dec *d, struct bytes all, size_t off)
{
	static const char *const which[] = { "supported", "safe to set", "safe to clear" };

	d->ops->array_begin(d->e);
	for (unsigned i = 0; i < 3; i++) {
		io_say_struct(d, &io_btrfs_features, bytes_from(all, off + i * FEATURES), (struct bytes){ NULL, 0 });
		d->ops->comment(d->e, which[i]);
	}
	d->ops->array_end(d->e);
}

IO_PLAIN(features_supported, HAND(NULL, say_supported, 3 * FEATURES))
IO_PLAIN(features_set, { .form = IOF_SUB, .sub = &io_btrfs_features, .n = 2, .flags = IOF_MANY })

/* --- objects by number: trees, and the largest there is --- */

static void say_object(struct dec *d, uint64_t v)
{
	const char *name = v == UINT64_MAX ? "UINT64_MAX" : sym_name(&tab_btrfs_root_ids, v);

	if (name)
		d->ops->named(d->e, name, v, EMIT_UDEC);
	else
		say_udec(d, v);
}

static void say_object_field(struct dec *d, struct bytes all, size_t off)
{
	say_object(d, get64(all, off));
}

#define OBJECT(nm) { .name = #nm, .form = IOF_HAND, .say = say_object_field, .size = 8 }

static void field_key(struct dec *d, const char *name, uint32_t v)
{
	const char *word = v == UINT32_MAX ? "UINT32_MAX" : sym_name(&tab_btrfs_keys, v);

	say_field(d, name);
	if (word)
		d->ops->named(d->e, word, v, EMIT_UDEC);
	else
		say_udec(d, v);
}

/* The tree that was asked for, if it was the one that the file lies in. */
static void say_lookup_tree(struct dec *d, struct bytes b, size_t off)
{
	if (get64(io_before(d), 0))
		return;
	say_field(d, "treeid");
	say_object(d, get64(b, off));
}

IO_STRUCT(quota_status, U8(flags), OBJECT(progress), SKIP(8, 6))
IO_STRUCT(ino_lookup, OBJECT(treeid), OBJECT(objectid), ARROW, AT(0, 0), HAND(NULL, say_lookup_tree, 8), AT(16, 16), STRN(name, 4080))

/* --- limits, balance, scrub --- */

IO_STRUCT(qgroup_lim, FL8(flags, btrfs_qgroup_limit), U8(max_rfer), U8(max_excl), U8(rsv_rfer), U8(rsv_excl))
IO_STRUCT(qgroup_limit, U8(qgroupid), SUB(lim, qgroup_lim))

#define BALANCE_FLAGS { .name = "flags", .form = IOF_FLAGS, .size = 8, .table = &tab_btrfs_balance_args }
IO_STRUCT(balance_part, FL8(profiles, btrfs_block_group), M8(usage), IO_F("devid", IOF_DEV, 8), M8(pstart), M8(pend), M8(vstart),
	  M8(vend), M8(target), BALANCE_FLAGS, AT(136, 136))
#define BALANCE_PART 136

/* Of data, metadata and system chunks those that the flags say. */
static void say_balance_parts(struct dec *d, struct bytes all, size_t off)
{
	static const struct { uint64_t flag; const char *name; } parts[] = { { 1, "data" }, { 4, "meta" }, { 2, "sys" } };

	for (unsigned i = 0; i < 3; i++) {
		if (!(get64(all, 0) & parts[i].flag))
			continue;
		say_field(d, parts[i].name);
		io_say_struct(d, &io_balance_part, bytes_from(all, off + i * BALANCE_PART), (struct bytes){ NULL, 0 });
	}
}

#define BALANCE_PARTS HAND(NULL, say_balance_parts, 3 * BALANCE_PART)
#define BALANCE_SIZE AT(1024, 1024)
IO_STRUCT(balance_progress, FL8(flags, btrfs_balance), FL8(state, btrfs_balance_state), BALANCE_PARTS, BALANCE_SIZE)
IO_STRUCT(balance, FL8(flags, btrfs_balance), SKIP(8, 1), BALANCE_PARTS, ARROW, AT(0, 0), FL8(flags, btrfs_balance),
	  FL8(state, btrfs_balance_state), BALANCE_PARTS, BALANCE_SIZE)

/* A null pointer is an argument like others: it goes on with a balance that rests. */
static void say_balance(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes in = io_before(d);

	if (dec_reg(d, 2) && in.len >= 1024) {
		io_say_struct(d, &io_balance, in, io_after(d));
		return;
	}
	say_unreadable(d, 2, dec_cap(d, 2, IO_BEFORE, 0));
	dec_at_end(d);
	if (!d->ok)
		return;
	d->ops->change(d->e);
	say_addr(d, dec_reg(d, 2));
}

static void cap_balance(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, 1024);
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, 1024);
}

const struct io_hand io_btrfs_balance = { .say = say_balance, .capture = cap_balance };

IO_STRUCT(scrub_progress, U8(data_extents_scrubbed), U8(tree_extents_scrubbed), U8(data_bytes_scrubbed), U8(tree_bytes_scrubbed),
	  U8(read_errors), U8(csum_errors), U8(verify_errors), U8(no_csum), U8(csum_discards), U8(super_errors), U8(malloc_errors),
	  U8(uncorrectable_errors), U8(corrected_errors), U8(last_physical), U8(unverified_errors))
IO_STRUCT(scrub, IO_F("devid", IOF_DEV, 8), U8(start), M8(end), FL8(flags, btrfs_scrub), ARROW, SUB(progress, scrub_progress),
	  AT(1024, 1024))
IO_STRUCT(scrub_state, IO_F("devid", IOF_DEV, 8), ARROW, AT(32, 32), SUB(progress, scrub_progress), AT(1024, 1024))

/* --- statistics of a device --- */

#define DEV_STATS 5

static void say_dev_stats(struct dec *d, struct bytes all, size_t off)
{
	uint64_t n = get64(all, 8);

	d->ops->unnamed_field(d->e, "values");
	d->ops->array_begin(d->e);
	for (unsigned i = 0; i < n && i < DEV_STATS; i++) {
		d->ops->index_begin(d->e, sym_name(&tab_btrfs_dev_stat, i), i, "BTRFS_DEV_STAT_???");
		say_udec(d, get64(all, off + 8 * i));
		d->ops->index_end(d->e);
	}
	if (n > DEV_STATS)
		d->ops->more(d->e);
	d->ops->array_end(d->e);
}

IO_STRUCT(dev_stats, IO_F("devid", IOF_DEV, 8), U8(nr_items), FL8(flags, btrfs_dev_stats), ARROW, AT(8, 8), U8(nr_items),
	  FL8(flags, btrfs_dev_stats), HAND(NULL, say_dev_stats, 8 * DEV_STATS), AT(1032, 1032))

/* --- replacement of a device --- */

enum { REPLACE_START, REPLACE_STATUS };
#define REPLACE_NAME 1025

IO_STRUCT(replace_start, IO_F("srcdevid", IOF_DEV, 8), SY8(cont_reading_from_srcdev_mode, btrfs_replace_mode),
	  STRN(srcdev_name, REPLACE_NAME), STRN(tgtdev_name, REPLACE_NAME))

static void say_replace_start(struct dec *d, struct bytes all, size_t off)
{
	if (get64(all, 0) != REPLACE_START)
		return;
	say_field(d, "start");
	io_say_struct(d, &io_replace_start, bytes_from(all, off), (struct bytes){ NULL, 0 });
}

static void field_moment(struct dec *d, const char *name, uint64_t v)
{
	field_udec(d, name, v);
	say_time_comment_digits(d, (int64_t)v, 0, 0);
}

static void say_replace_status(struct dec *d, struct bytes all, size_t off)
{
	uint64_t progress = get64(all, off + 8);
	char text[40];

	if (get64(io_before(d), 0) != REPLACE_STATUS)
		return;
	say_field(d, "status");
	d->ops->struct_begin(d->e);
	field_sym(d, "replace_state", &tab_btrfs_replace_state, get64(all, off));
	field_udec(d, "progress_1000", progress);
	if (progress <= 1000) {
		snprintf(text, sizeof(text), "%u.%u%%", (unsigned)progress / 10, (unsigned)progress % 10);
		d->ops->comment(d->e, text);
	}
	field_moment(d, "time_started", get64(all, off + 16));
	field_moment(d, "time_stopped", get64(all, off + 24));
	field_udec(d, "num_write_errors", get64(all, off + 32));
	field_udec(d, "num_uncorrectable_read_errors", get64(all, off + 40));
	d->ops->struct_end(d->e);
}

IO_STRUCT(dev_replace, SY8(cmd, btrfs_replace_cmd), SKIP(8, 1), HAND(NULL, say_replace_start, 2072), ARROW, AT(8, 8),
	  SY8(result, btrfs_replace_result), HAND(NULL, say_replace_status, 48), AT(2600, 2600))

/* --- lists of numbers that a pointer leads to --- */

static void say_number(struct dec *d, struct bytes b)
{
	say_udec(d, get64(b, 0));
}

#define NUMBERS_MOST (CT_CAP_MAX / 8)

/* --- BTRFS_IOC_SEND --- */

static void say_send(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes b = io_before(d);
	size_t at = 16 + d->word, root = at;
	uint64_t n = get64(b, 8), addr = get_uint(b, 16, d->word);

	if (!io_has(d, b, root + 16, IO_BEFORE))
		return;
	d->ops->struct_begin(d->e);
	say_field(d, "send_fd");
	say_fd(d, (int32_t)get64(b, 0), false);
	field_udec(d, "clone_sources_count", n);
	say_field(d, "clone_sources");
	if (d->opts->no_abbrev && addr)
		say_array(d, dec_cap(d, 2, IO_MORE, 0), addr, n, 8, say_number);
	else
		say_addr(d, addr);
	say_field(d, "parent_root");
	say_object(d, get64(b, root));
	field_flags(d, "flags", &tab_btrfs_send, get64(b, root + 8));
	d->ops->struct_end(d->e);
}

static void cap_send(struct cap_builder *b, const struct io_command *c _unused_)
{
	struct cap_op *op;

	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, 32 + b->word);
	cap_fd_at(b, 2, CAP_ENTER, 0);
	if (!b->opts->no_abbrev)
		return;
	op = cap_add(b, 2, IO_MORE, CAP_BYTES, CAP_ENTER | CAP_LEN32);
	op->len_from = CAP_LEN_FIELD;
	op->len_off = 8;
	op->elem = 8;
	op->via_off = 16;
	op->max = CT_CAP_MAX;
}

const struct io_hand io_btrfs_send = { .say = say_send, .capture = cap_send };

/* --- subvolumes and snapshots with options --- */

#define QGROUP_INHERIT 4u
#define VOLUME_HEAD 56
#define VOLUME_NAME 4040
#define INHERIT_HEAD 72
#define INHERIT_LIM 32

static void say_inherit(struct dec *d, uint64_t addr)
{
	struct bytes b = bytes_of(dec_good(d, 2, IO_MORE, 0));
	struct capture rest = { 0 };

	if (!addr || b.len < INHERIT_HEAD) {
		say_addr(d, addr);
		return;
	}
	d->ops->struct_begin(d->e);
	field_flags(d, "flags", &tab_btrfs_qgroup_inherit, get64(b, 0));
	field_udec(d, "num_qgroups", get64(b, 8));
	field_udec(d, "num_ref_copies", get64(b, 16));
	field_udec(d, "num_excl_copies", get64(b, 24));
	say_field(d, "lim");
	io_say_struct(d, &io_qgroup_lim, bytes_from(b, INHERIT_LIM), (struct bytes){ NULL, 0 });
	if (d->opts->no_abbrev) {
		say_field(d, "qgroups");
		rest = *dec_cap(d, 2, IO_MORE, 0);
		rest.data = (const char *)rest.data + INHERIT_HEAD;
		rest.len -= INHERIT_HEAD;
		say_array(d, &rest, addr + INHERIT_HEAD, get64(b, 8), 8, say_number);
	} else {
		d->ops->more(d->e);
	}
	d->ops->struct_end(d->e);
}

static void say_volume_name(struct dec *d, struct bytes b)
{
	struct bytes s = bytes_cut(bytes_from(b, VOLUME_HEAD), VOLUME_NAME);
	const uint8_t *nul = memchr(s.p, 0, s.len);

	say_field(d, "name");
	d->ops->str(d->e, s.p, nul ? (size_t)(nul - s.p) : s.len - 1, EMIT_STR_PATH | (nul ? 0 : EMIT_STR_CUT));
}

static void say_volume(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes b = io_before(d), out = io_after(d);
	uint64_t flags = get64(b, 16);

	if (!io_has(d, b, VOLUME_HEAD + VOLUME_NAME, IO_BEFORE))
		return;
	d->ops->struct_begin(d->e);
	say_field(d, "fd");
	say_fd(d, (int32_t)get64(b, 0), false);
	field_flags(d, "flags", &tab_btrfs_subvol, flags);
	if (flags & QGROUP_INHERIT) {
		field_udec(d, "size", get64(b, 24));
		say_field(d, "qgroup_inherit");
		say_inherit(d, get_uint(b, 32, d->word));
	}
	say_volume_name(d, b);
	d->ops->struct_end(d->e);
	dec_at_end(d);
	if (!d->ok)
		return;
	d->ops->change(d->e);
	if (!io_has(d, out, 16, IO_AFTER))
		return;
	d->ops->struct_begin(d->e);
	field_udec(d, "transid", get64(out, 8));
	d->ops->struct_end(d->e);
}

static void cap_volume(struct cap_builder *b, const struct io_command *c _unused_)
{
	struct cap_op *op;

	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, VOLUME_HEAD + VOLUME_NAME);
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, 16);
	cap_fd_at(b, 2, CAP_ENTER, 0);
	op = cap_add(b, 2, IO_MORE, CAP_BYTES, CAP_ENTER);
	op->via_off = 32;
	op->max = INHERIT_HEAD + (b->opts->no_abbrev ? 512 : 0);
}

const struct io_hand io_btrfs_volume = { .say = say_volume, .capture = cap_volume };

/* --- space --- */

static void say_space(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_flags(d, "flags", &tab_btrfs_space_info, get64(b, 0));
	field_udec(d, "total_bytes", get64(b, 8));
	field_udec(d, "used_bytes", get64(b, 16));
	d->ops->struct_end(d->e);
}

/* A part of the argument, from off on, as what was captured of it. */
static struct capture tail(const struct capture *whole, size_t off)
{
	struct capture c = *whole;

	c.data = (const char *)c.data + off;
	c.len -= off;
	return c;
}

#define SPACE_HEAD 16
#define SPACE_SIZE 24
#define SPACES_MOST 340         /* 8 KB */

static void say_space_info(struct dec *d, const struct io_command *cmd _unused_)
{
	struct bytes in = io_before(d), out = io_after(d);
	uint64_t slots = get64(in, 0), total = get64(out, 8);
	struct capture c;

	if (!io_has(d, in, SPACE_HEAD, IO_BEFORE))
		return;
	d->ops->struct_begin(d->e);
	field_udec(d, "space_slots", slots);
	d->ops->struct_end(d->e);
	dec_at_end(d);
	if (!d->ok)
		return;
	d->ops->change(d->e);
	if (!io_has(d, out, SPACE_HEAD, IO_AFTER))
		return;
	d->ops->struct_begin(d->e);
	field_udec(d, "total_spaces", total);
	/* A call with no room asks how many there are. */
	if ((!slots && total) || !d->opts->no_abbrev) {
		if (slots || !total)
			d->ops->more(d->e);
	} else {
		say_field(d, "spaces");
		c = tail(dec_cap(d, 2, IO_AFTER, 0), SPACE_HEAD);
		say_array(d, &c, dec_reg(d, 2) + SPACE_HEAD, total, SPACE_SIZE, say_space);
	}
	d->ops->struct_end(d->e);
}

static void cap_space_info(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, SPACE_HEAD);
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, SPACE_HEAD + (b->opts->no_abbrev ? SPACES_MOST * SPACE_SIZE : 0));
}

const struct io_hand io_btrfs_space = { .say = say_space_info, .capture = cap_space_info };

/* --- paths of an inode, inodes of a place --- */

#define CONTAINER_HEAD 16
#define CONTAINER_MOST 4096

/* Where each path lies, an offset from the list's beginning says. */
static void say_container_path(struct dec *d, struct bytes list, uint64_t offset)
{
	struct bytes s = offset < SIZE_MAX ? bytes_from(list, (size_t)offset) : (struct bytes){ NULL, 0 };
	const uint8_t *nul = s.len ? memchr(s.p, 0, s.len) : NULL;

	if (nul)
		d->ops->str(d->e, s.p, (size_t)(nul - s.p), EMIT_STR_PATH);
	else
		say_addr(d, offset);
}

static void say_container_values(struct dec *d, struct bytes list, uint64_t n, bool paths)
{
	uint64_t step = paths ? 1 : 3;

	d->ops->array_begin(d->e);
	for (uint64_t i = 0; i + step <= n; i += step) {
		if (!bytes_have(list, (size_t)i * 8, 8 * step)) {
			d->ops->more(d->e);
			break;
		}
		if (paths) {
			say_container_path(d, list, get64(list, (size_t)i * 8));
			continue;
		}
		d->ops->struct_begin(d->e);
		field_udec(d, "inum", get64(list, (size_t)i * 8));
		field_udec(d, "offset", get64(list, (size_t)i * 8 + 8));
		field_udec(d, "root", get64(list, (size_t)i * 8 + 16));
		d->ops->struct_end(d->e);
	}
	d->ops->array_end(d->e);
}

static void say_container(struct dec *d, uint64_t addr, bool paths)
{
	struct bytes b = bytes_of(dec_good(d, 2, IO_MORE, 0));

	if (!addr || b.len < CONTAINER_HEAD) {
		say_addr(d, addr);
		return;
	}
	d->ops->struct_begin(d->e);
	field_udec(d, "bytes_left", get32(b, 0));
	field_udec(d, "bytes_missing", get32(b, 4));
	field_udec(d, "elem_cnt", get32(b, 8));
	field_udec(d, "elem_missed", get32(b, 12));
	if (d->opts->no_abbrev) {
		say_field(d, "val");
		say_container_values(d, bytes_from(b, CONTAINER_HEAD), get32(b, 8), paths);
	} else {
		d->ops->more(d->e);
	}
	d->ops->struct_end(d->e);
}

#define PATHS_SIZE 56

static void say_after_lookup(struct dec *d, const char *name, bool paths)
{
	dec_at_end(d);
	if (!d->ok)
		return;
	d->ops->change(d->e);
	d->ops->struct_begin(d->e);
	say_field(d, name);
	say_container(d, get64(io_before(d), PATHS_SIZE - 8), paths);
	d->ops->struct_end(d->e);
}

static void say_ino_paths(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes b = io_before(d);

	if (!io_has(d, b, PATHS_SIZE, IO_BEFORE))
		return;
	d->ops->struct_begin(d->e);
	field_udec(d, "inum", get64(b, 0));
	field_udec(d, "size", get64(b, 8));
	field_addr(d, "fspath", get64(b, 48));
	d->ops->struct_end(d->e);
	say_after_lookup(d, "fspath", true);
}

static void say_logical_ino(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes b = io_before(d);

	if (!io_has(d, b, PATHS_SIZE, IO_BEFORE))
		return;
	d->ops->struct_begin(d->e);
	field_udec(d, "logical", get64(b, 0));
	field_udec(d, "size", get64(b, 8));
	if (get64(b, 16) | get64(b, 24) | get64(b, 32)) {
		say_field(d, "reserved");
		d->ops->array_begin(d->e);
		for (unsigned i = 0; i < 3; i++)
			say_hex(d, get64(b, 16 + 8 * i));
		d->ops->array_end(d->e);
	}
	field_flags(d, "flags", &tab_btrfs_logical_ino, get64(b, 40));
	field_addr(d, "inodes", get64(b, 48));
	d->ops->struct_end(d->e);
	say_after_lookup(d, "inodes", false);
}

static void cap_lookup(struct cap_builder *b, const struct io_command *c _unused_)
{
	struct cap_op *op;

	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, PATHS_SIZE);
	op = cap_add(b, 2, IO_MORE, CAP_BYTES, CAP_EXIT);
	op->via_off = PATHS_SIZE - 8;
	op->max = b->opts->no_abbrev ? CONTAINER_MOST : CONTAINER_HEAD;
}

const struct io_hand io_btrfs_ino_paths = { .say = say_ino_paths, .capture = cap_lookup };
const struct io_hand io_btrfs_logical_ino = { .say = say_logical_ino, .capture = cap_lookup };

/* --- search in trees --- */

#define SEARCH_KEY 104
#define SEARCH_HEADER 32
#define SEARCH_MOST 4096
#define SEARCH_NR_ITEMS 64
#define FIRST_FREE 256ull
#define LAST_FREE (-256ull)

static void say_search_key(struct dec *d, struct bytes b)
{
	static const char *const limits[] = { "min_offset", "max_offset", "min_transid", "max_transid" };

	d->ops->struct_begin(d->e);
	say_field(d, "tree_id");
	say_object(d, get64(b, 0));
	if (d->opts->no_abbrev || get64(b, 8) != FIRST_FREE) {
		say_field(d, "min_objectid");
		say_object(d, get64(b, 8));
	}
	if (d->opts->no_abbrev || get64(b, 16) != LAST_FREE) {
		say_field(d, "max_objectid");
		say_object(d, get64(b, 16));
	}
	for (unsigned i = 0; i < 4; i++) {
		uint64_t v = get64(b, 24 + 8 * i);

		say_field(d, limits[i]);
		if (v == UINT64_MAX)
			d->ops->named(d->e, "UINT64_MAX", v, EMIT_UDEC);
		else
			say_udec(d, v);
	}
	field_key(d, "min_type", get32(b, 56));
	field_key(d, "max_type", get32(b, 60));
	field_udec(d, "nr_items", get32(b, SEARCH_NR_ITEMS));
	d->ops->struct_end(d->e);
}

static void say_found(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_udec(d, "transid", get64(b, 0));
	say_field(d, "objectid");
	say_object(d, get64(b, 8));
	field_udec(d, "offset", get64(b, 16));
	field_key(d, "type", get32(b, 24));
	field_udec(d, "len", get32(b, 28));
	d->ops->struct_end(d->e);
}

/* Each item is a header and as many bytes as that says; room: bytes of the buffer. */
static void say_items(struct dec *d, struct bytes b, size_t head, uint64_t room)
{
	uint32_t n = get32(b, SEARCH_NR_ITEMS);
	uint64_t off = 0;

	say_field(d, "buf");
	d->ops->array_begin(d->e);
	for (uint32_t i = 0; i < n; i++) {
		if (off > room || room - off < SEARCH_HEADER) {
			d->ops->more(d->e);
			break;
		}
		if (!bytes_have(b, head + (size_t)off, SEARCH_HEADER)) {
			say_rest_unread(d, dec_reg(d, 2) + head + off);
			break;
		}
		say_found(d, bytes_from(b, head + (size_t)off));
		off += SEARCH_HEADER + (uint64_t)get32(b, head + (size_t)off + 28);
	}
	d->ops->array_end(d->e);
}

static void say_search(struct dec *d, bool v2)
{
	struct bytes b = io_before(d), out = io_after(d);
	size_t head = SEARCH_KEY + (v2 ? 8 : 0);

	if (!io_has(d, b, head, IO_BEFORE))
		return;
	d->ops->struct_begin(d->e);
	say_field(d, "key");
	say_search_key(d, b);
	if (v2)
		field_udec(d, "buf_size", get64(b, SEARCH_KEY));
	d->ops->struct_end(d->e);
	dec_at_end(d);
	if (!d->ok)
		return;
	d->ops->change(d->e);
	if (!io_has(d, out, head, IO_AFTER))
		return;
	d->ops->struct_begin(d->e);
	say_field(d, "key");
	d->ops->struct_begin(d->e);
	field_udec(d, "nr_items", get32(out, SEARCH_NR_ITEMS));
	d->ops->struct_end(d->e);
	if (v2)
		field_udec(d, "buf_size", get64(out, SEARCH_KEY));
	if (d->opts->no_abbrev)
		say_items(d, out, head, v2 ? get64(out, SEARCH_KEY) : SEARCH_MOST - head);
	else
		d->ops->more(d->e);
	d->ops->struct_end(d->e);
}

static void say_search1(struct dec *d, const struct io_command *c _unused_)
{
	say_search(d, false);
}

static void say_search2(struct dec *d, const struct io_command *c _unused_)
{
	say_search(d, true);
}

static void cap_search(struct cap_builder *b, uint32_t most)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, SEARCH_KEY + 8);
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, b->opts->no_abbrev ? most : SEARCH_KEY + 8);
}

static void cap_search1(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_search(b, SEARCH_MOST);
}

static void cap_search2(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_search(b, CT_CAP_MAX);
}

const struct io_hand io_btrfs_search = { .say = say_search1, .capture = cap_search1 };
const struct io_hand io_btrfs_search2 = { .say = say_search2, .capture = cap_search2 };
