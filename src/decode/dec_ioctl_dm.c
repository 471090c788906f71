/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl: the device mapper. All commands have one structure; what else there is stands behind it. linux/dm-ioctl.h */
#include "decode/ioctl_args.h"
#include "util/macros.h"

#include <stdio.h>

enum { VERSION, REMOVE_ALL, LIST_DEVICES, DEV_CREATE, DEV_REMOVE, DEV_RENAME, DEV_SUSPEND, DEV_STATUS, DEV_WAIT, TABLE_LOAD, TABLE_CLEAR,
       TABLE_DEPS, TABLE_STATUS, LIST_VERSIONS, TARGET_MSG, DEV_SET_GEOMETRY };

#define SET(nr) (1u << (nr))
#define WITH_DATA_IN  (SET(DEV_RENAME) | SET(TABLE_LOAD) | SET(TARGET_MSG) | SET(DEV_SET_GEOMETRY))
#define WITH_DATA_OUT (SET(LIST_DEVICES) | SET(DEV_WAIT) | SET(TABLE_DEPS) | SET(TABLE_STATUS) | SET(LIST_VERSIONS))
#define WITH_SPECS    (SET(TABLE_LOAD) | SET(DEV_WAIT) | SET(TABLE_STATUS))
#define MAY_BE_EMPTY  (SET(TABLE_DEPS) | SET(LIST_DEVICES) | SET(LIST_VERSIONS) | SET(TARGET_MSG))
#define WITHOUT_DEV   (SET(REMOVE_ALL) | SET(LIST_DEVICES) | SET(LIST_VERSIONS))
#define WITH_EVENT_IN (SET(DEV_REMOVE) | SET(DEV_RENAME) | SET(DEV_SUSPEND) | SET(DEV_WAIT))
#define WITH_STATE_OUT (SET(DEV_CREATE) | SET(DEV_RENAME) | SET(DEV_SUSPEND) | SET(DEV_STATUS) | SET(DEV_WAIT) | SET(TABLE_LOAD) | \
			SET(TABLE_CLEAR) | SET(TABLE_DEPS) | SET(TABLE_STATUS) | SET(TARGET_MSG))

enum { DM_DATA_SIZE = 12, DM_DATA_START = 16, DM_TARGETS = 20, DM_OPENS = 24, DM_FLAGS = 28, DM_EVENT = 32, DM_DEV = 40, DM_NAME = 48,
       DM_UUID = 176, DM_HEAD = 305, DM_SIZE = 312 };
#define DM_MAJOR 4
#define DM_LEAST 16             /* up to data_size */
#define DM_MOST 4096            /* of what stands behind the structure */

static unsigned command(const struct dec *d)
{
	return (unsigned)dec_reg(d, 1) & 0xff;
}

static bool is_in(uint32_t set, unsigned nr)
{
	return nr < 32 && (set >> nr & 1);
}

/* A string in an array; unless it is empty, if so wanted. */
static void field_string(struct dec *d, const char *name, struct bytes b, size_t off, size_t room, bool always)
{
	struct bytes s = bytes_cut(bytes_from(b, off), room);
	const uint8_t *nul = s.len ? memchr(s.p, 0, s.len) : NULL;
	/* strace puts a NUL in place of the last byte. */
	size_t len = nul ? (size_t)(nul - s.p) : s.len ? s.len - 1 : 0;

	if (!len && !always)
		return;
	say_field(d, name);
	d->ops->str(d->e, s.p ? s.p : (const uint8_t *)"", len, EMIT_STR_PATH | (nul || !s.len ? 0 : EMIT_STR_CUT));
}

/* Behind a structure: up to -s. */
static void field_text(struct dec *d, const char *name, struct bytes b, size_t off)
{
	struct bytes s = bytes_from(b, off);
	size_t n = MIN(s.len, (size_t)d->opts->string_limit), len = s.len ? strnlen((const char *)s.p, n) : 0;

	say_field(d, name);
	d->ops->str(d->e, s.len ? s.p : (const uint8_t *)"", len, len < s.len && !s.p[len] ? 0 : s.len ? EMIT_STR_CUT : 0);
}

static void misplaced(struct dec *d, const char *what)
{
	char text[48];

	snprintf(text, sizeof(text), "misplaced %s", what);
	d->ops->word(d->e, "???");
	d->ops->comment(d->e, text);
}

/* Whether size bytes lie at off, within what the call says that there is. */
static bool fits(struct bytes b, uint64_t off, size_t size)
{
	return off + size <= get32(b, DM_DATA_SIZE) && off + size <= b.len;
}

#define SPEC 40

static void say_specs(struct dec *d, struct bytes b, bool out)
{
	uint32_t n = get32(b, DM_TARGETS), start = get32(b, DM_DATA_START);
	uint64_t off = start, end = 0;

	for (uint32_t i = 0; i < n; i++) {
		/* One may not lie within the one before it. */
		if (!fits(b, off, SPEC) || (i && off <= end)) {
			misplaced(d, "struct dm_target_spec");
			return;
		}
		end = off + SPEC;
		d->ops->struct_begin(d->e);
		field_udec(d, "sector_start", get64(b, off));
		field_udec(d, "length", get64(b, off + 8));
		if (out)
			field_dec(d, "status", (int32_t)get32(b, off + 16));
		field_string(d, "target_type", b, off + 24, 16, true);
		field_text(d, "string", b, off + SPEC);
		d->ops->struct_end(d->e);
		/* Where the next one is, counts from here in what is passed, from the first in what is returned. */
		off = (out ? start : off) + get32(b, off + 20);
	}
}

static void say_deps(struct dec *d, struct bytes b)
{
	uint64_t off = get32(b, DM_DATA_START);
	uint32_t n = get32(b, off);

	if (!fits(b, off, 8) || !fits(b, off, 8 + 8 * (size_t)n)) {
		misplaced(d, "struct dm_target_deps");
		return;
	}
	d->ops->struct_begin(d->e);
	field_udec(d, "count", n);
	say_field(d, "deps");
	d->ops->array_begin(d->e);
	for (uint32_t i = 0; i < n; i++)
		say_dev64(d, get64(b, off + 8 + 8ull * i));
	d->ops->array_end(d->e);
	d->ops->struct_end(d->e);
}

#define NAME_LIST 12            /* up to the name; with it the structure has 16 */
#define VERSION_LIST 16

#define EVENTS_SINCE 37         /* version 4.37 */

/* The number of the last event stands behind the name, if there is room before the next one. */
static void say_event(struct dec *d, struct bytes b, uint64_t off, uint32_t next)
{
	struct bytes name = bytes_from(b, off + NAME_LIST);
	uint64_t at = (off + NAME_LIST + strnlen((const char *)name.p, name.len) + 1 + 7) & ~7ull;

	if (get32(b, 4) >= EVENTS_SINCE && name.len && next && at + 4 <= off + next && bytes_have(b, at, 4))
		field_udec(d, "event_nr", get32(b, at));
}

/* Each says how far the next one is; 0 ends the list. */
static void say_names(struct dec *d, struct bytes b, bool versions)
{
	uint64_t off = get32(b, DM_DATA_START), end = 0;
	uint32_t next;

	do {
		if (!fits(b, off, 16) || (end && off <= end)) {
			misplaced(d, versions ? "struct dm_target_versions" : "struct dm_name_list");
			return;
		}
		end = off + (versions ? VERSION_LIST : NAME_LIST);
		next = get32(b, off + (versions ? 0 : 8));
		d->ops->struct_begin(d->e);
		if (versions) {
			field_text(d, "name", b, off + VERSION_LIST);
			say_field(d, "version");
			d->ops->array_begin(d->e);
			for (unsigned i = 0; i < 3; i++)
				say_udec(d, get32(b, off + 4 + 4 * i));
			d->ops->array_end(d->e);
		} else {
			say_field(d, "dev");
			say_dev64(d, get64(b, off));
			field_text(d, "name", b, off + NAME_LIST);
			say_event(d, b, off, next);
		}
		d->ops->struct_end(d->e);
		off += next;
	} while (next);
}

static void say_message(struct dec *d, struct bytes b)
{
	uint64_t off = get32(b, DM_DATA_START);

	if (!fits(b, off, 8)) {
		misplaced(d, "struct dm_target_msg");
		return;
	}
	d->ops->struct_begin(d->e);
	field_udec(d, "sector", get64(b, off));
	field_text(d, "message", b, off + 8);
	d->ops->struct_end(d->e);
}

static void say_text(struct dec *d, struct bytes b)
{
	uint64_t off = get32(b, DM_DATA_START);

	if (off > get32(b, DM_DATA_SIZE)) {
		misplaced(d, "string");
		return;
	}
	d->ops->struct_begin(d->e);
	field_text(d, "string", b, off);
	d->ops->struct_end(d->e);
}

/* What stands behind the structure, of a command that has something. */
static void say_behind(struct dec *d, struct bytes b, bool out)
{
	unsigned nr = command(d);

	if (!is_in(out ? WITH_DATA_OUT : WITH_DATA_IN, nr))
		return;
	if (is_in(WITH_SPECS, nr) ? !get32(b, DM_TARGETS) : is_in(MAY_BE_EMPTY, nr) && get32(b, DM_DATA_START) == get32(b, DM_DATA_SIZE))
		return;
	if (!d->opts->no_abbrev) {
		d->ops->more(d->e);
		return;
	}
	b = bytes_cut(b, get32(b, DM_DATA_SIZE));
	switch (nr) {
	case TABLE_LOAD: case DEV_WAIT: case TABLE_STATUS:
		say_specs(d, b, out);
		break;
	case TABLE_DEPS:
		say_deps(d, b);
		break;
	case LIST_DEVICES: case LIST_VERSIONS:
		say_names(d, b, nr == LIST_VERSIONS);
		break;
	case TARGET_MSG:
		say_message(d, b);
		break;
	default:
		say_text(d, b);
	}
}

static void say_state(struct dec *d, struct bytes b, bool out)
{
	unsigned nr = command(d);
	bool state = out && is_in(WITH_STATE_OUT, nr);

	if (is_in(WITH_DATA_IN | WITH_DATA_OUT, nr))
		field_udec(d, "data_start", get32(b, DM_DATA_START));
	if (!is_in(WITHOUT_DEV, nr)) {
		if (get64(b, DM_DEV)) {
			say_field(d, "dev");
			say_dev64(d, get64(b, DM_DEV));
		}
		field_string(d, "name", b, DM_NAME, 128, false);
		field_string(d, "uuid", b, DM_UUID, 129, false);
	}
	if (state || nr == TABLE_LOAD)
		field_udec(d, "target_count", get32(b, DM_TARGETS));
	if (state)
		field_dec(d, "open_count", (int32_t)get32(b, DM_OPENS));
	if (state || (!out && is_in(WITH_EVENT_IN, nr)))
		field_udec(d, "event_nr", get32(b, DM_EVENT));
	field_flags(d, "flags", &tab_dm_flags, get32(b, DM_FLAGS));
}

static void say_one(struct dec *d, struct bytes b, bool out)
{
	bool known = get32(b, 0) == DM_MAJOR, large = get32(b, DM_DATA_SIZE) >= DM_HEAD;

	d->ops->array_begin(d->e);
	d->ops->struct_begin(d->e);
	say_field(d, "version");
	d->ops->array_begin(d->e);
	for (unsigned i = 0; i < 3; i++)
		say_udec(d, get32(b, 4 * i));
	d->ops->array_end(d->e);
	if (!known) {
		d->ops->comment(d->e, "unsupported device mapper ABI version");
	} else {
		field_udec(d, "data_size", get32(b, DM_DATA_SIZE));
		if (large)
			say_state(d, b, out);
		else
			d->ops->comment(d->e, "data_size too small");
	}
	d->ops->struct_end(d->e);
	if (known && large)
		say_behind(d, b, out);
	d->ops->array_end(d->e);
}

static void say_dm(struct dec *d, const struct io_command *c _unused_)
{
	/* Shown whatever -e verbose= says. */
	struct bytes in = bytes_of(dec_good_text(d, 2, IO_BEFORE, 0)), out = bytes_of(dec_good_text(d, 2, IO_AFTER, 0));

	if (!dec_reg(d, 2) || in.len < DM_SIZE || get32(in, DM_DATA_SIZE) < DM_LEAST) {
		say_hex(d, dec_reg(d, 2));
		if (dec_reg(d, 2) && in.len < DM_SIZE)
			dec_note(d, dec_text(d, 2, IO_BEFORE, 0));
		return;
	}
	say_one(d, in, false);
	dec_at_end(d);
	if (!d->ok)
		return;
	d->ops->change(d->e);
	if (out.len >= DM_SIZE)
		say_one(d, out, true);
	else
		say_unreadable(d, 2, dec_text(d, 2, IO_AFTER, 0));
}

static void cap_dm(struct cap_builder *b, const struct io_command *c)
{
	unsigned nr = c->number & 0xff;
	bool all = b->opts->no_abbrev;

	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, all && is_in(WITH_DATA_IN, nr) ? DM_MOST : DM_SIZE);
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, all && is_in(WITH_DATA_OUT, nr) ? DM_MOST : DM_SIZE);
}

const struct io_hand io_dm = { .say = say_dm, .capture = cap_dm };
