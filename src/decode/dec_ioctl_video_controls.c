/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl of video devices: controls. linux/videodev2.h, linux/v4l2-controls.h */
#include "decode/dec_array.h"
#include "decode/dec_video.h"
#include "decode/ioctl_hand.h"

#include <stdio.h>

/* --- their numbers --- */

#define CLASS_MASK 0xffff0000u
#define NEXT_MASK 0xc0000000u   /* V4L2_CTRL_FLAG_NEXT_CTRL, V4L2_CTRL_FLAG_NEXT_COMPOUND */

/* A name, or one that is put together in text; NULL: there is none. */
static const char *control_name(char text[static 64], uint32_t id)
{
	const char *name = sym_name(&tab_v4l2_cids, id);
	const char *class = name ? NULL : sym_name(&tab_v4l2_ctrl_classes, id & CLASS_MASK);

	if (!class)
		return name;
	snprintf(text, 64, "%s+%#x", class, id & ~CLASS_MASK);
	return text;
}

void video_say_control(struct dec *d, uint32_t id)
{
	char text[64];
	const char *name = control_name(text, id);

	if (name)
		d->ops->named(d->e, name, id, EMIT_HEX);
	else
		say_sym(d, &tab_v4l2_cids, id);
}

/* The number of one to begin at: flags ask for the next one behind it. */
static void say_search(struct dec *d, uint32_t id)
{
	uint32_t flags = id & NEXT_MASK, rest = id & ~NEXT_MASK;
	char text[64];
	const char *name = control_name(text, rest);

	if (!flags) {
		video_say_control(d, id);
		return;
	}
	if (d->opts->consts == CONST_RAW) {
		say_hex(d, id);
		return;
	}
	d->ops->flags_begin(d->e, flags);
	say_flag_names(d, &tab_v4l2_ctrl_next, flags);
	d->ops->flag_apart(d->e, name, rest, EMIT_HEX);
	if (!name)
		d->ops->comment(d->e, tab_v4l2_cids.unknown);
	d->ops->flags_end(d->e);
}

/* --- one control --- */

#define CONTROL_SIZE 8

static void say_control_set(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes b = io_before(d), after = io_after(d);

	if (!io_has(d, b, CONTROL_SIZE, IO_BEFORE))
		return;
	d->ops->struct_begin(d->e);
	say_field(d, "id");
	video_say_control(d, get32(b, 0));
	field_dec(d, "value", (int32_t)get32(b, 4));
	dec_at_end(d);
	if (d->ok && after.len >= CONTROL_SIZE && get32(after, 4) != get32(b, 4)) {
		d->ops->change(d->e);
		say_dec(d, (int32_t)get32(after, 4));
	}
	d->ops->struct_end(d->e);
}

static void cap_control_set(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, CONTROL_SIZE);
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, CONTROL_SIZE);
}

const struct io_hand io_v4l2_control_set = { .say = say_control_set, .capture = cap_control_set };

/* The number in the structure becomes that of the control which is described. */
static void say_description(struct dec *d, const struct io_struct *s)
{
	struct bytes b = io_before(d), after = io_after(d);
	size_t size = io_size(d->call->abi, s);

	if (!io_has(d, b, size, IO_BEFORE))
		return;
	d->ops->struct_begin(d->e);
	say_field(d, "id");
	say_search(d, get32(b, 0));
	dec_at_end(d);
	if (d->ok && after.len >= size) {
		if (get32(after, 0) != get32(b, 0)) {
			d->ops->change(d->e);
			say_search(d, get32(after, 0));
		}
		io_say_struct(d, s, after, (struct bytes){ NULL, 0 });
	}
	d->ops->struct_end(d->e);
}

static void say_query(struct dec *d, const struct io_command *c _unused_)
{
	say_description(d, &io_v4l2_queryctrl);
}

static void say_query_ext(struct dec *d, const struct io_command *c _unused_)
{
	say_description(d, &io_v4l2_query_ext_ctrl);
}

static void cap_description(struct cap_builder *b, const struct io_struct *s)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, (uint32_t)io_size(b->abi, s));
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, (uint32_t)io_size(b->abi, s));
}

static void cap_query(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_description(b, &io_v4l2_queryctrl);
}

static void cap_query_ext(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_description(b, &io_v4l2_query_ext_ctrl);
}

const struct io_hand io_v4l2_query = { .say = say_query, .capture = cap_query };
const struct io_hand io_v4l2_query_ext = { .say = say_query_ext, .capture = cap_query_ext };

/* --- many controls --- */

#define MANY_AT(word) ((word) == 8 ? 24u : 20u)         /* the pointer to them */
#define MANY_SIZE(word) (MANY_AT(word) + (word))
#define EXT_CONTROL 20          /* struct v4l2_ext_control, packed */
#define LIST_IN IO_MORE
#define LIST_OUT (IO_MORE + 1)

/* With a size it is a pointer to that many bytes, which are not captured. */
static void say_ext_control(struct dec *d, struct bytes b)
{
	uint32_t size = get32(b, 4);

	d->ops->struct_begin(d->e);
	field_sym(d, "id", &tab_v4l2_cids, get32(b, 0));
	field_udec(d, "size", size);
	if (size) {
		field_addr(d, "string", get_uint(b, 12, d->word));
	} else {
		field_dec(d, "value", (int32_t)get32(b, 12));
		field_dec(d, "value64", (int64_t)get64(b, 12));
	}
	d->ops->struct_end(d->e);
}

/* False: they are not shown, or not as far as they would be. */
static bool say_list(struct dec *d, struct bytes b, unsigned part)
{
	const struct capture *c = dec_cap(d, 2, part, 0);
	uint64_t addr = get_uint(b, MANY_AT(d->word), d->word), n = get32(b, 4);
	uint64_t shown = d->opts->no_abbrev || n < d->opts->string_limit ? n : d->opts->string_limit;

	if (!n)
		return false;
	say_field(d, "controls");
	say_array(d, c, addr, n, EXT_CONTROL, say_ext_control);
	return addr && c && !(c->flags & CT_CAP_FAILED) && c->len / EXT_CONTROL >= shown;
}

static bool begin_many(struct dec *d, struct bytes b)
{
	if (!io_has(d, b, MANY_SIZE(d->word), IO_BEFORE))
		return false;
	d->ops->struct_begin(d->e);
	field_sym(d, "ctrl_class", &tab_v4l2_ctrl_classes, get32(b, 0));
	field_udec(d, "count", get32(b, 4));
	return true;
}

/* What the call left: of one that failed also where it failed. */
static void say_left(struct dec *d, struct bytes after)
{
	say_list(d, after, LIST_OUT);
	if (!d->ok)
		field_udec(d, "error_idx", get32(after, 8));
}

static void say_many_get(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes b = io_before(d), after = io_after(d);

	if (!begin_many(d, b))
		return;
	dec_at_end(d);
	if (after.len >= MANY_SIZE(d->word) && get32(after, 4))
		say_left(d, after);
	d->ops->struct_end(d->e);
}

static void say_many_set(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes b = io_before(d), after = io_after(d);
	bool more;

	if (!begin_many(d, b))
		return;
	more = say_list(d, b, LIST_IN);
	d->ops->struct_end(d->e);
	dec_at_end(d);
	if (!more || after.len < MANY_SIZE(d->word))
		return;
	d->ops->change(d->e);
	d->ops->struct_begin(d->e);
	say_left(d, after);
	d->ops->struct_end(d->e);
}

static void cap_list(struct cap_builder *b, unsigned part, unsigned when)
{
	struct cap_op *op = cap_add(b, 2, part, CAP_BYTES, when | CAP_LEN32);

	op->via_off = (uint16_t)MANY_AT(b->word);
	op->len_from = CAP_LEN_FIELD;
	op->len_off = 4;
	op->elem = EXT_CONTROL;
	op->max = array_max(b, EXT_CONTROL);
}

static void cap_many(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, MANY_SIZE(b->word));
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT | CAP_ON_ERROR, MANY_SIZE(b->word));
	cap_list(b, LIST_IN, CAP_ENTER);
	cap_list(b, LIST_OUT, CAP_EXIT | CAP_ON_ERROR);
}

const struct io_hand io_v4l2_many_get = { .say = say_many_get, .capture = cap_many };
const struct io_hand io_v4l2_many_set = { .say = say_many_set, .capture = cap_many };
