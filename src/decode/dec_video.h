/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_DEC_VIDEO_H
#define CTRACE_DECODE_DEC_VIDEO_H
/* ioctl of video devices: what ioctl_structs_video.c and dec_ioctl_video*.c share. */
#include "decode/ioctl_args.h"

/* v4l2_fourcc('Y', 'U', 'Y', 'V'), with the format's name as a comment. */
void video_say_format(struct dec *d, const struct symtab *t, uint32_t v);
/* The number of a control, by its name or by its class: V4L2_CTRL_CLASS_USER+0x1. */
void video_say_control(struct dec *d, uint32_t id);

extern const struct io_struct io_v4l2_rect, io_v4l2_pix, io_v4l2_vbi, io_v4l2_sliced, io_v4l2_pix_mp, io_v4l2_sdr, io_v4l2_meta,
	io_v4l2_capture_parm, io_v4l2_output_parm, io_v4l2_queryctrl, io_v4l2_query_ext_ctrl;

#endif
