/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl: structures of video devices, described by their fields. linux/videodev2.h */
#include "decode/dec_video.h"

static void say_pixel_format(struct dec *d, struct bytes all, size_t off)
{
	video_say_format(d, &tab_v4l2_pix_formats, get32(all, off));
}

static void say_fraction(struct dec *d, struct bytes all, size_t off)
{
	struct words w = { 0 };

	words_udec(&w, get32(all, off));
	words_str(&w, "/");
	words_udec(&w, get32(all, off + 4));
	d->ops->word(d->e, w.buf);
}

static void say_version(struct dec *d, struct bytes all, size_t off)
{
	say_kernel_version(d, get32(all, off));
}

static void say_control_id(struct dec *d, struct bytes all, size_t off)
{
	video_say_control(d, get32(all, off));
}

static void say_signed64(struct dec *d, struct bytes all, size_t off)
{
	say_dec(d, (int64_t)get64(all, off));
}

#define PIXELS(nm) HAND(#nm, say_pixel_format, 4)
#define FRACTION(nm) HAND(#nm, say_fraction, 8)

/* --- one number --- */

IO_BOX(v4l2_buf_type, ET(IOF_SYM, 4, v4l2_buf_types))

/* --- what the device is --- */

IO_STRUCT(v4l2_capability, STRN(driver, 16), STRN(card, 32), STRN(bus_info, 32), HAND("version", say_version, 4),
	  FL4(capabilities, v4l2_capabilities), IO_F("device_caps", IOF_FLAGS, 4, .table = &tab_v4l2_capabilities, .flags = IOF_NZ), AT(104, 104))
IO_STRUCT(v4l2_framebuffer, X4(capability), X4(flags), PTR(base), AT(48, 44))
IO_STRUCT(v4l2_standard, U4(index), EXITS, SKIP(8, 0), STRN(name, 24), FRACTION(frameperiod), U4(framelines), AT(72, 64))
IO_STRUCT(v4l2_input, U4(index), EXITS, STRN(name, 32), SY4(type, v4l2_in_types), X4(audioset), U4(tuner), FL8(std, v4l2_std),
	  FL4(status, v4l2_in_status), FL4(capabilities, v4l2_in_caps), AT(80, 76))

#define TUNER \
	STRN(name, 32), SY4(type, v4l2_tuner_types), FL4(capability, v4l2_tuner_caps), U4(rangelow), U4(rangehigh), \
	FL4(rxsubchans, v4l2_tuner_subs), SY4(audmode, v4l2_tuner_modes), D4(signal), D4(afc)
IO_STRUCT(v4l2_tuner_get, U4(index), EXITS, TUNER, AT(84, 84))
IO_STRUCT(v4l2_tuner_set, U4(index), TUNER, ARROW, AT(4, 4), TUNER, AT(84, 84))

/* --- pictures --- */

IO_STRUCT(v4l2_rect, D4(left), D4(top), U4(width), U4(height))
IO_STRUCT(v4l2_crop_get, SY4(type, v4l2_buf_types), EXITS, SUB(c, v4l2_rect))
IO_STRUCT(v4l2_crop_set, SY4(type, v4l2_buf_types), SUB(c, v4l2_rect))
IO_STRUCT(v4l2_cropcap, SY4(type, v4l2_buf_types), EXITS, SUB(bounds, v4l2_rect), SUB(defrect, v4l2_rect), FRACTION(pixelaspect))
IO_STRUCT(v4l2_fmtdesc, U4(index), SY4(type, v4l2_buf_types), EXITS, FL4(flags, v4l2_fmt_flags), STRN(description, 32), PIXELS(pixelformat),
	  AT(64, 64))

IO_STRUCT(v4l2_size_discrete, U4(width), U4(height))
IO_STRUCT(v4l2_size_stepwise, U4(min_width), U4(max_width), U4(step_width), U4(min_height), U4(max_height), U4(step_height))
IO_STRUCT(v4l2_interval_stepwise, FRACTION(min), FRACTION(max), FRACTION(step))

enum { DISCRETE = 1, CONTINUOUS = 2, STEPWISE = 3 };

static void say_sizes(struct dec *d, struct bytes all, size_t off)
{
	uint32_t type = get32(all, off);
	struct bytes b = bytes_from(all, off + 4), none = { NULL, 0 };

	field_sym(d, "type", &tab_v4l2_frmsize, type);
	if (type == DISCRETE) {
		say_field(d, "discrete");
		io_say_struct(d, &io_v4l2_size_discrete, b, none);
	} else if (type == STEPWISE) {
		say_field(d, "stepwise");
		io_say_struct(d, &io_v4l2_size_stepwise, b, none);
	}
}

static void say_intervals(struct dec *d, struct bytes all, size_t off)
{
	uint32_t type = get32(all, off);

	field_sym(d, "type", &tab_v4l2_frmival, type);
	if (type == DISCRETE) {
		say_field(d, "discrete");
		say_fraction(d, all, off + 4);
	} else if (type == CONTINUOUS || type == STEPWISE) {
		say_field(d, "stepwise");
		io_say_struct(d, &io_v4l2_interval_stepwise, bytes_from(all, off + 4), (struct bytes){ NULL, 0 });
	}
}

IO_STRUCT(v4l2_frame_sizes, U4(index), PIXELS(pixel_format), EXITS, HAND(NULL, say_sizes, 28), AT(44, 44))
IO_STRUCT(v4l2_frame_intervals, U4(index), PIXELS(pixel_format), U4(width), U4(height), EXITS, HAND(NULL, say_intervals, 28), AT(52, 52))

IO_STRUCT(v4l2_pix, U4(width), U4(height), PIXELS(pixelformat), SY4(field, v4l2_fields), U4(bytesperline), U4(sizeimage),
	  SY4(colorspace, v4l2_colorspaces))
IO_STRUCT(v4l2_vbi, U4(sampling_rate), U4(offset), U4(samples_per_line), PIXELS(sample_format), ARR(start, IOF_DEC, 4, 2),
	  ARR(count, IOF_UDEC, 4, 2), FL4(flags, v4l2_vbi_flags))

#define LINES 24

static void say_service_lines(struct dec *d, struct bytes all, size_t off)
{
	d->ops->array_begin(d->e);
	for (unsigned field = 0; field < 2; field++) {
		d->ops->array_begin(d->e);
		for (unsigned i = 0; i < LINES; i++)
			say_hex(d, get16(all, off + 2 * (field * LINES + i)));
		d->ops->array_end(d->e);
	}
	d->ops->array_end(d->e);
}

IO_STRUCT(v4l2_sliced, FL2(service_set, v4l2_sliced), HAND("service_lines", say_service_lines, 2 * 2 * LINES), U4(io_size))

IO_STRUCT(v4l2_plane_pix, U4(sizeimage), U4(bytesperline))
#define PLANE 20
#define PLANES 8

/* How many there are stands behind them. */
static void say_plane_formats(struct dec *d, struct bytes all, size_t off)
{
	unsigned n = get8(all, off + PLANE * PLANES);

	d->ops->array_begin(d->e);
	for (unsigned i = 0; i < n && i < PLANES; i++)
		io_say_struct(d, &io_v4l2_plane_pix, bytes_from(all, off + i * PLANE), (struct bytes){ NULL, 0 });
	d->ops->array_end(d->e);
}

IO_STRUCT(v4l2_pix_mp, U4(width), U4(height), PIXELS(pixelformat), SY4(field, v4l2_fields), SY4(colorspace, v4l2_colorspaces),
	  HAND("plane_fmt", say_plane_formats, PLANE * PLANES), U1(num_planes))

static void say_sdr_format(struct dec *d, struct bytes all, size_t off)
{
	video_say_format(d, &tab_v4l2_sdr_formats, get32(all, off));
}

static void say_meta_format(struct dec *d, struct bytes all, size_t off)
{
	video_say_format(d, &tab_v4l2_meta_formats, get32(all, off));
}

IO_STRUCT(v4l2_sdr, HAND("pixelformat", say_sdr_format, 4), IO_F("buffersize", IOF_UDEC, 4, .flags = IOF_NZ))
IO_STRUCT(v4l2_meta, HAND("dataformat", say_meta_format, 4), U4(buffersize))

/* --- parameters of streams --- */

#define PARAMETERS(mode, buffers) \
	FL4(capability, v4l2_parm_caps), FL4(mode, v4l2_parm_modes), FRACTION(timeperframe), X4(extendedmode), U4(buffers)
IO_STRUCT(v4l2_capture_parm, PARAMETERS(capturemode, readbuffers))
IO_STRUCT(v4l2_output_parm, PARAMETERS(outputmode, writebuffers))

/* --- buffers, controls --- */

IO_STRUCT(v4l2_exportbuffer, SY4(type, v4l2_buf_types), U4(index), U4(plane), FL4(flags, open_flags), ARROW, AT(16, 16), FDESC(fd), AT(64, 64))
IO_STRUCT(v4l2_control_get, HAND("id", say_control_id, 4), EXITS, D4(value))
/* A packed one. */
IO_STRUCT(v4l2_querymenu, HAND("id", say_control_id, 4), U4(index), ARROW, AT(8, 8), STRN(name, 32), AT(8, 8), HAND("value", say_signed64, 8),
	  AT(44, 44))

#define LONG(nm, fm, sz, ...) IO_F(#nm, fm, sz, .flags = IOF_VERBOSE, ##__VA_ARGS__)
/* What follows their ids. */
IO_PLAIN(v4l2_queryctrl, SKIP(4, 0), SY4(type, v4l2_ctrl_types), STRN(name, 32), MORE, LONG(minimum, IOF_DEC, 4), LONG(maximum, IOF_DEC, 4),
	 LONG(step, IOF_DEC, 4), LONG(default_value, IOF_DEC, 4), LONG(flags, IOF_FLAGS, 4, .table = &tab_v4l2_ctrl_flags),
	 { .name = "reserved", .form = IOF_HEX, .size = 4, .n = 2, .flags = IOF_MANY | IOF_NZ | IOF_VERBOSE })
IO_PLAIN(v4l2_query_ext_ctrl, SKIP(4, 0), SY4(type, v4l2_ctrl_types), STRN(name, 32), MORE, LONG(minimum, IOF_DEC, 8), LONG(maximum, IOF_DEC, 8),
	 LONG(step, IOF_UDEC, 8), LONG(default_value, IOF_DEC, 8), LONG(flags, IOF_FLAGS, 4, .table = &tab_v4l2_ctrl_flags),
	 LONG(elem_size, IOF_UDEC, 4), LONG(elems, IOF_UDEC, 4), LONG(nr_of_dims, IOF_UDEC, 4),
	 { .name = "dims", .form = IOF_UDEC, .size = 4, .n = 4, .count_at = 84, .flags = IOF_MANY | IOF_COUNTED | IOF_VERBOSE },
	 { .name = "reserved", .form = IOF_HEX, .size = 4, .n = 32, .flags = IOF_MANY | IOF_NZ | IOF_VERBOSE })
