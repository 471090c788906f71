/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl of video devices: formats and parameters, whose type says what they are, and buffers. linux/videodev2.h */
#include "decode/dec_array.h"
#include "decode/dec_video.h"
#include "decode/ioctl_hand.h"

#include <stdio.h>

static const struct bytes none;

/* As in C, but without its names of characters that cannot be printed. */
static void words_char(struct words *w, uint8_t c)
{
	char text[8];

	if (c < ' ' || c >= 0x7f)
		snprintf(text, sizeof(text), "'\\x%02x'", c);
	else
		snprintf(text, sizeof(text), c == '\'' || c == '\\' ? "'\\%c'" : "'%c'", c);
	words_str(w, text);
}

void video_say_format(struct dec *d, const struct symtab *t, uint32_t v)
{
	const char *name = sym_name(t, v);
	struct words w = { 0 };

	if (d->opts->consts == CONST_RAW) {
		say_hex(d, v);
		return;
	}
	words_str(&w, "v4l2_fourcc(");
	for (unsigned i = 0; i < 4; i++) {
		words_char(&w, (uint8_t)(v >> 8 * i));
		words_str(&w, i < 3 ? ", " : ")");
	}
	d->ops->word(d->e, w.buf);
	if (name)
		d->ops->comment(d->e, name);
}

/* --- formats --- */

enum {
	VIDEO_CAPTURE = 1, VIDEO_OUTPUT, VIDEO_OVERLAY, VBI_CAPTURE, VBI_OUTPUT, SLICED_VBI_CAPTURE, SLICED_VBI_OUTPUT, VIDEO_OUTPUT_OVERLAY,
	VIDEO_CAPTURE_MPLANE, VIDEO_OUTPUT_MPLANE, SDR_CAPTURE, SDR_OUTPUT, META_CAPTURE, META_OUTPUT,
};

static const struct {
	const char *name;
	const struct io_struct *desc;
} formats[] = {
	[VIDEO_CAPTURE] = { "fmt.pix", &io_v4l2_pix }, [VIDEO_OUTPUT] = { "fmt.pix", &io_v4l2_pix },
	[VBI_CAPTURE] = { "fmt.vbi", &io_v4l2_vbi }, [VBI_OUTPUT] = { "fmt.vbi", &io_v4l2_vbi },
	[SLICED_VBI_CAPTURE] = { "fmt.sliced", &io_v4l2_sliced }, [SLICED_VBI_OUTPUT] = { "fmt.sliced", &io_v4l2_sliced },
	[VIDEO_CAPTURE_MPLANE] = { "fmt.pix_mp", &io_v4l2_pix_mp }, [VIDEO_OUTPUT_MPLANE] = { "fmt.pix_mp", &io_v4l2_pix_mp },
	[SDR_CAPTURE] = { "fmt.sdr", &io_v4l2_sdr }, [SDR_OUTPUT] = { "fmt.sdr", &io_v4l2_sdr },
	[META_CAPTURE] = { "fmt.meta", &io_v4l2_meta }, [META_OUTPUT] = { "fmt.meta", &io_v4l2_meta },
};

/* struct v4l2_format: its type, and a union that pointers align. */
#define FMT_AT(word) (word)
#define FMT_UNION 200
#define FMT_SIZE(word) (FMT_AT(word) + FMT_UNION)
#define CLIPS_AT 24             /* in struct v4l2_window */

/* struct v4l2_clip: a rectangle and a pointer to the next one, which nobody follows. */
static unsigned clip_size(unsigned word)
{
	return 16 + word;
}

static void say_clip(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	say_field(d, "c");
	io_say_struct(d, &io_v4l2_rect, b, none);
	d->ops->struct_end(d->e);
}

/* A window; part: of the capture of its clips. False: these could not be shown. */
static bool say_window(struct dec *d, struct bytes b, unsigned part)
{
	const struct capture *clips = dec_cap(d, 2, part, 0);
	unsigned word = d->word, at = CLIPS_AT, size = clip_size(word), shown;
	uint64_t addr = get_uint(b, at, word);
	uint32_t n = get32(b, at + word);
	uint8_t alpha = get8(b, at + (word == 8 ? 24 : 12));

	say_field(d, "fmt.win");
	d->ops->struct_begin(d->e);
	say_field(d, "w");
	io_say_struct(d, &io_v4l2_rect, b, none);
	field_sym(d, "field", &tab_v4l2_fields, get32(b, 16));
	field_hex(d, "chromakey", get32(b, 20));
	say_field(d, "clips");
	say_array(d, clips, addr, n, size, say_clip);
	field_udec(d, "clipcount", n);
	field_addr(d, "bitmap", get_uint(b, at + (word == 8 ? 16 : 8), word));
	if (alpha)
		field_hex(d, "global_alpha", alpha);
	d->ops->struct_end(d->e);
	shown = d->opts->no_abbrev || n < d->opts->string_limit ? n : d->opts->string_limit;
	return addr && n && clips && !(clips->flags & CT_CAP_FAILED) && clips->len / size >= shown;
}

/* The union of a format of that type. False: there is nothing more to say of it. */
static bool say_format(struct dec *d, uint32_t type, struct bytes b, unsigned part)
{
	b = bytes_from(b, FMT_AT(d->word));
	if (type == VIDEO_OVERLAY || type == VIDEO_OUTPUT_OVERLAY)
		return say_window(d, b, part);
	if (type >= ARRAY_SIZE(formats) || !formats[type].name)
		return false;
	say_field(d, formats[type].name);
	io_say_struct(d, formats[type].desc, b, none);
	return true;
}

static void begin_type(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_sym(d, "type", &tab_v4l2_buf_types, get32(b, 0));
}

#define CLIPS_IN IO_MORE
#define CLIPS_OUT (IO_MORE + 1)

static void say_format_get(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes b = io_before(d), after = io_after(d);
	size_t size = FMT_SIZE(d->word);

	if (!io_has(d, b, size, IO_BEFORE))
		return;
	begin_type(d, b);
	dec_at_end(d);
	if (d->ok && after.len >= size)
		say_format(d, get32(after, 0), after, CLIPS_OUT);
	d->ops->struct_end(d->e);
}

static void say_format_set(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes b = io_before(d), after = io_after(d);
	size_t size = FMT_SIZE(d->word);
	bool more;

	if (!io_has(d, b, size, IO_BEFORE))
		return;
	begin_type(d, b);
	more = say_format(d, get32(b, 0), b, CLIPS_IN);
	dec_at_end(d);
	d->ops->struct_end(d->e);
	if (!more || !d->ok || after.len < size)
		return;
	d->ops->change(d->e);
	d->ops->struct_begin(d->e);
	say_format(d, get32(after, 0), after, CLIPS_OUT);
	d->ops->struct_end(d->e);
}

/* The clips of the format at this offset. */
static void cap_clips(struct cap_builder *b, unsigned part, unsigned when, unsigned at)
{
	struct cap_op *op = cap_add(b, 2, part, CAP_BYTES, when | CAP_LEN32);

	at += FMT_AT(b->word) + CLIPS_AT;
	op->via_off = (uint16_t)at;
	op->len_from = CAP_LEN_FIELD;
	op->len_off = (uint16_t)(at + b->word);
	op->elem = clip_size(b->word);
	op->max = array_max(b, op->elem);
}

static void cap_format(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, FMT_SIZE(b->word));
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, FMT_SIZE(b->word));
	cap_clips(b, CLIPS_IN, CAP_ENTER, 0);
	cap_clips(b, CLIPS_OUT, CAP_EXIT, 0);
}

const struct io_hand io_v4l2_format_get = { .say = say_format_get, .capture = cap_format };
const struct io_hand io_v4l2_format_set = { .say = say_format_set, .capture = cap_format };

/* --- parameters of streams --- */

#define PARM_SIZE 204

static bool say_parameters(struct dec *d, uint32_t type, struct bytes b)
{
	if (type != VIDEO_CAPTURE && type != VIDEO_OUTPUT)
		return false;
	say_field(d, type == VIDEO_CAPTURE ? "parm.capture" : "parm.output");
	io_say_struct(d, type == VIDEO_CAPTURE ? &io_v4l2_capture_parm : &io_v4l2_output_parm, bytes_from(b, 4), none);
	return true;
}

static void say_parm_get(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes b = io_before(d), after = io_after(d);

	if (!io_has(d, b, PARM_SIZE, IO_BEFORE))
		return;
	begin_type(d, b);
	dec_at_end(d);
	if (d->ok && after.len >= PARM_SIZE)
		say_parameters(d, get32(after, 0), after);
	d->ops->struct_end(d->e);
}

static void say_parm_set(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes b = io_before(d), after = io_after(d);
	bool more;

	if (!io_has(d, b, PARM_SIZE, IO_BEFORE))
		return;
	begin_type(d, b);
	more = say_parameters(d, get32(b, 0), b);
	dec_at_end(d);
	d->ops->struct_end(d->e);
	if (!more || !d->ok || after.len < PARM_SIZE)
		return;
	d->ops->change(d->e);
	d->ops->struct_begin(d->e);
	say_parameters(d, get32(after, 0), after);
	d->ops->struct_end(d->e);
}

static void cap_parm(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, PARM_SIZE);
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, PARM_SIZE);
}

const struct io_hand io_v4l2_parm_get = { .say = say_parm_get, .capture = cap_parm };
const struct io_hand io_v4l2_parm_set = { .say = say_parm_set, .capture = cap_parm };

/* --- buffers --- */

#define REQUEST_SIZE 20

/* " => v", if a number is another one after the call. */
static bool is_changed(struct dec *d, uint32_t v, struct bytes after, size_t off, size_t size)
{
	if (!d->ok || after.len < size || get32(after, off) == v)
		return false;
	d->ops->change(d->e);
	return true;
}

static void say_request(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes b = io_before(d), after = io_after(d);

	if (!io_has(d, b, REQUEST_SIZE, IO_BEFORE))
		return;
	d->ops->struct_begin(d->e);
	field_sym(d, "type", &tab_v4l2_buf_types, get32(b, 4));
	field_sym(d, "memory", &tab_v4l2_memory, get32(b, 8));
	field_udec(d, "count", get32(b, 0));
	dec_at_end(d);
	if (is_changed(d, get32(b, 0), after, 0, REQUEST_SIZE))
		say_udec(d, get32(after, 0));
	d->ops->struct_end(d->e);
}

static void cap_request(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, REQUEST_SIZE);
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, REQUEST_SIZE);
}

const struct io_hand io_v4l2_request = { .say = say_request, .capture = cap_request };

/* Where things are in struct v4l2_buffer. */
struct layout {
	uint8_t size, stamp, memory, m, length, stamp_word;
};

/* By the width of pointers, and by what its number says of its size: that of 32-bit times is the smaller one. */
static const struct layout *layout_of(enum abi abi, unsigned word, uint32_t number)
{
	static const struct layout wide = { 88, 24, 60, 64, 72, 8 }, wide_time32 = { 80, 20, 48, 56, 64, 4 },
				   narrow = { 76, 20, 56, 60, 64, 8 }, narrow_time32 = { 68, 20, 48, 52, 56, 4 },
				   arm = { 80, 24, 60, 64, 68, 8 };
	unsigned size = number >> 16 & 0x3fff;

	if (word == 8)
		return size == wide.size ? &wide : &wide_time32;
	if (size == narrow_time32.size)
		return &narrow_time32;
	return abi == ABI_ARM ? &arm : &narrow;
}

#define STAMP_MASK 0xe000u
#define SOURCE_MASK 0x70000u

/* A constant among the flags. */
static void say_among(struct dec *d, const struct symtab *t, uint32_t v)
{
	const char *name = sym_name(t, v);

	d->ops->flag_apart(d->e, name, v, EMIT_HEX);
	if (!name)
		d->ops->comment(d->e, t->unknown);
}

static void say_buffer_flags(struct dec *d, uint32_t v)
{
	uint32_t bits = v & ~(STAMP_MASK | SOURCE_MASK);
	uint64_t rest;

	say_field(d, "flags");
	if (d->opts->consts == CONST_RAW) {
		say_hex(d, v);
		return;
	}
	d->ops->flags_begin(d->e, bits);
	rest = say_flag_names(d, &tab_v4l2_buf_flags, bits);
	if (rest)
		d->ops->flag(d->e, NULL, rest);
	say_among(d, &tab_v4l2_buf_stamps, v & STAMP_MASK);
	say_among(d, &tab_v4l2_buf_sources, v & SOURCE_MASK);
	d->ops->flags_end(d->e);
}

enum { MEMORY_MMAP = 1, MEMORY_USERPTR = 2 };

static void say_buffer_state(struct dec *d, const struct layout *l, struct bytes b, bool dequeued)
{
	uint32_t memory = get32(b, l->memory);

	if (dequeued)
		field_udec(d, "index", get32(b, 0));
	field_sym(d, "memory", &tab_v4l2_memory, memory);
	if (memory == MEMORY_MMAP)
		field_hex(d, "m.offset", get32(b, l->m));
	else if (memory == MEMORY_USERPTR)
		field_addr(d, "m.userptr", get_uint(b, l->m, d->word));
	field_udec(d, "length", get32(b, l->length));
	field_udec(d, "bytesused", get32(b, 8));
	say_buffer_flags(d, get32(b, 12));
	if (dequeued) {
		say_field(d, "timestamp");
		d->ops->struct_begin(d->e);
		field_dec(d, "tv_sec", l->stamp_word == 8 ? (int64_t)get64(b, l->stamp) : (int32_t)get32(b, l->stamp));
		field_udec(d, "tv_usec", get_uint(b, l->stamp + l->stamp_word, l->stamp_word));
		d->ops->struct_end(d->e);
	}
	d->ops->more(d->e);
}

static void say_a_buffer(struct dec *d, const struct io_command *c, bool dequeued)
{
	const struct layout *l = layout_of(d->call->abi, d->word, d->word == 8 ? c->number : c->number32);
	struct bytes b = io_before(d), after = io_after(d);

	if (!io_has(d, b, l->size, IO_BEFORE))
		return;
	d->ops->struct_begin(d->e);
	field_sym(d, "type", &tab_v4l2_buf_types, get32(b, 4));
	if (!dequeued)
		field_udec(d, "index", get32(b, 0));
	dec_at_end(d);
	if (d->ok && after.len >= l->size)
		say_buffer_state(d, l, after, dequeued);
	d->ops->struct_end(d->e);
}

static void say_buffer(struct dec *d, const struct io_command *c)
{
	say_a_buffer(d, c, false);
}

static void say_dequeued(struct dec *d, const struct io_command *c)
{
	say_a_buffer(d, c, true);
}

static void cap_buffer(struct cap_builder *b, const struct io_command *c)
{
	const struct layout *l = layout_of(b->abi, b->word, b->word == 8 ? c->number : c->number32);

	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, l->size);
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, l->size);
}

const struct io_hand io_v4l2_buffer = { .say = say_buffer, .capture = cap_buffer };
const struct io_hand io_v4l2_dequeue = { .say = say_dequeued, .capture = cap_buffer };

/* --- buffers that are made, with the format in the structure --- */

#define CREATE_FORMAT(word) ((word) == 8 ? 16u : 12u)
#define CREATE_SIZE(word) (CREATE_FORMAT(word) + FMT_SIZE(word) + 32)

static void say_create(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes b = io_before(d), f = bytes_from(b, CREATE_FORMAT(d->word));

	if (!io_has(d, b, CREATE_SIZE(d->word), IO_BEFORE))
		return;
	d->ops->struct_begin(d->e);
	field_udec(d, "count", get32(b, 4));
	field_sym(d, "memory", &tab_v4l2_memory, get32(b, 8));
	say_field(d, "format");
	begin_type(d, f);
	say_format(d, get32(f, 0), f, CLIPS_IN);
	d->ops->struct_end(d->e);
	d->ops->struct_end(d->e);
}

static void detail_create(struct dec *d)
{
	struct bytes b = io_after(d);

	if (!d->ok || b.len < CREATE_SIZE(d->word))
		return;
	d->ops->result_detail(d->e);
	d->ops->struct_begin(d->e);
	field_udec(d, "index", get32(b, 0));
	field_udec(d, "count", get32(b, 4));
	d->ops->struct_end(d->e);
}

static void cap_create(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, CREATE_SIZE(b->word));
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, CREATE_SIZE(b->word));
	cap_clips(b, CLIPS_IN, CAP_ENTER, CREATE_FORMAT(b->word));
}

const struct io_hand io_v4l2_create = { .say = say_create, .capture = cap_create, .detail = detail_create };
