/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * ioctl of video devices and trusted execution environments: structures whose
 * contents decide what is in them, readable as a whole, in part and not at all.
 * On a descriptor that is none, and on one whose calls succeed.
 */
#include "calls.h"
#include "parts/answers.h"

#include <linux/tee.h>
#include <linux/videodev2.h>
#include <sys/ioctl.h>

static void *bad;

/* These bytes, until the next ones come here. Behind them there is nothing. */
static void *here(const void *data, size_t size)
{
	static unsigned char *end;

	if (!end)
		end = (unsigned char *)tail(NULL, 4096) + 4096;
	return memcpy(end - size, data, size);
}

static void both(const unsigned *commands, const void *data, size_t size)
{
	void *p = here(data, size);

	for (size_t i = 0; commands[i]; i++) {
		CALL(ioctl, -1, commands[i], p);
		CALL(ioctl, ANSWERED, commands[i], p);
	}
}

#define BOTH(v, ...) both((const unsigned[]){ __VA_ARGS__, 0 }, &(v), sizeof(v))

static void ascending(void *p, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((unsigned char *)p)[i] = (unsigned char)(i + 1);
}

/* --- formats --- */

static void format(struct v4l2_format *f)
{
	struct v4l2_create_buffers b;
	unsigned char *half;

	BOTH(*f, VIDIOC_G_FMT, VIDIOC_S_FMT, VIDIOC_TRY_FMT);
	ascending(&b, sizeof(b));
	b.memory = f->type % 5;
	b.format = *f;
	BOTH(b, VIDIOC_CREATE_BUFS);
	/* The type is there, and nothing else. */
	half = here(f, sizeof(f->type));
	CALL(ioctl, -1, VIDIOC_S_FMT, half);
	CALL(ioctl, ANSWERED, VIDIOC_G_FMT, half);
}

static void filled_format(struct v4l2_format *f, unsigned type)
{
	ascending(f, sizeof(*f));
	f->type = type;
}

static void picture_formats(void)
{
	static const unsigned known[] = { V4L2_PIX_FMT_YUYV, V4L2_PIX_FMT_MJPEG, V4L2_PIX_FMT_Y10, V4L2_PIX_FMT_Y12 | 1u << 31, 0x20202020, 0x27275c27 };
	struct v4l2_format f;

	section("formats");
	for (unsigned type = 0; type <= 15; type++) {
		filled_format(&f, type);
		format(&f);
		memset(&f, 0, sizeof(f));
		f.type = type;
		format(&f);
		memset(&f, 255, sizeof(f));
		f.type = type;
		format(&f);
	}
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		filled_format(&f, V4L2_BUF_TYPE_VIDEO_CAPTURE);
		f.fmt.pix = (struct v4l2_pix_format){ .width = 640, .height = 480, .pixelformat = known[i], .field = (unsigned)i + 1, .bytesperline = 1280,
						      .sizeimage = 614400, .colorspace = (unsigned)i + 2 };
		BOTH(f, VIDIOC_S_FMT, VIDIOC_G_FMT);
		filled_format(&f, V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE);
		f.fmt.pix_mp.num_planes = (unsigned char)(i * 2);
		f.fmt.pix_mp.pixelformat = known[i];
		f.fmt.pix_mp.field = (unsigned)i;
		f.fmt.pix_mp.colorspace = (unsigned)i;
		BOTH(f, VIDIOC_S_FMT, VIDIOC_G_FMT);
		f.type = V4L2_BUF_TYPE_SDR_CAPTURE;
		f.fmt.sdr.pixelformat = V4L2_SDR_FMT_CU8 + (unsigned)i;
		BOTH(f, VIDIOC_S_FMT);
		f.type = V4L2_BUF_TYPE_META_CAPTURE;
		f.fmt.meta.dataformat = i ? V4L2_META_FMT_UVC : known[0];
		BOTH(f, VIDIOC_S_FMT);
	}
}

static void overlays(void)
{
	struct v4l2_clip clips[3], *list;
	struct v4l2_format f;

	section("overlays");
	ascending(clips, sizeof(clips));
	clips[1].next = NULL;
	list = tail(clips, sizeof(clips));
	for (unsigned count = 0; count < 6; count++) {
		filled_format(&f, count & 1 ? V4L2_BUF_TYPE_VIDEO_OVERLAY : V4L2_BUF_TYPE_VIDEO_OUTPUT_OVERLAY);
		f.fmt.win.clipcount = count;
		f.fmt.win.clips = list;
		f.fmt.win.bitmap = count == 2 ? NULL : f.fmt.win.bitmap;
		f.fmt.win.field = count;
		BOTH(f, VIDIOC_S_FMT, VIDIOC_G_FMT, VIDIOC_TRY_FMT);
		f.fmt.win.clips = count == 4 ? NULL : bad;
		BOTH(f, VIDIOC_S_FMT, VIDIOC_G_FMT, VIDIOC_TRY_FMT);
	}
}

static void vbi_formats(void)
{
	struct v4l2_format f;

	section("blanking");
	for (unsigned i = 0; i < 4; i++) {
		filled_format(&f, V4L2_BUF_TYPE_VBI_CAPTURE);
		f.fmt.vbi.flags = i;
		f.fmt.vbi.sample_format = V4L2_PIX_FMT_GREY;
		BOTH(f, VIDIOC_S_FMT, VIDIOC_G_FMT);
		f.type = V4L2_BUF_TYPE_SLICED_VBI_CAPTURE;
		f.fmt.sliced.service_set = (unsigned short)(i == 1 ? V4L2_SLICED_VBI_625 : i == 2 ? V4L2_SLICED_TELETEXT_B : 1u << i);
		BOTH(f, VIDIOC_S_FMT, VIDIOC_G_FMT);
	}
}

static void parameters(void)
{
	struct v4l2_streamparm p;

	section("parameters");
	for (unsigned type = 0; type <= 15; type++)
		for (int how = 0; how < 4; how++) {
			memset(&p, how == 1 ? 255 : 0, sizeof(p));
			if (how >= 2)
				ascending(&p, sizeof(p));
			p.type = type;
			if (how == 3) {
				p.parm.capture.capability = V4L2_CAP_TIMEPERFRAME;
				p.parm.capture.capturemode = V4L2_MODE_HIGHQUALITY;
			}
			BOTH(p, VIDIOC_G_PARM, VIDIOC_S_PARM);
		}
}

/* --- buffers --- */

static void buffer(const struct v4l2_buffer *b)
{
	BOTH(*b, VIDIOC_QUERYBUF, VIDIOC_QBUF, VIDIOC_DQBUF);
}

static void buffers(void)
{
	static const unsigned flags[] = { V4L2_BUF_FLAG_MAPPED | V4L2_BUF_FLAG_QUEUED, V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC | V4L2_BUF_FLAG_DONE,
					  V4L2_BUF_FLAG_TIMESTAMP_COPY | V4L2_BUF_FLAG_TSTAMP_SRC_SOE, V4L2_BUF_FLAG_TIMECODE, 0x6000, 0x20000 };
	struct v4l2_requestbuffers r = { .count = 4, .type = 1, .memory = 1, .capabilities = 0x11, .flags = 1 };
	struct v4l2_plane planes[4];
	struct v4l2_buffer b;

	section("buffers");
	for (unsigned i = 0; i <= 5; i++) {
		r.type = i * 2 + 1;
		r.memory = i;
		BOTH(r, VIDIOC_REQBUFS);
		memset(&b, 0, sizeof(b));
		b.type = i ? 1 : 15;
		b.memory = i;
		buffer(&b);
		ascending(&b, sizeof(b));
		b.type = 2;
		b.memory = i;
		b.flags = flags[i];
		buffer(&b);
	}
	ascending(planes, sizeof(planes));
	for (unsigned i = 0; i < 7; i++) {
		ascending(&b, sizeof(b));
		b.type = i & 1 ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE;
		b.memory = i;
		b.length = i;
		b.m.planes = i == 3 ? NULL : i == 2 ? bad : tail(planes, sizeof(planes));
		buffer(&b);
	}
}

static void old_buffers(void)
{
	/* The 32-bit time of 64-bit callers has these numbers. */
	static const unsigned commands[] = { 0xc0505609, 0xc050560f, 0xc0505611, 0xc0445609, 0xc044560f, 0xc0445611, 0xc0585609, 0xc058560f, 0xc0585611, 0 };
	unsigned char data[88];
	unsigned type = V4L2_BUF_TYPE_VIDEO_CAPTURE, memory, at;

	section("buffers of other times");
	for (memory = 0; memory <= 4; memory++) {
		ascending(data, sizeof(data));
		memcpy(data + 4, &type, 4);
		for (at = 40; at <= 60; at += 4)
			memcpy(data + at, &memory, 4);
		both(commands, data, sizeof(data));
	}
}

static void export(void)
{
	struct v4l2_exportbuffer e = { .type = 1, .index = 2, .plane = 3, .flags = 02000002, .fd = 0 };

	section("export");
	BOTH(e, VIDIOC_EXPBUF);
	e.type = 10;
	e.flags = 0;
	e.fd = -1;
	BOTH(e, VIDIOC_EXPBUF);
}

/* --- controls --- */

static void one_control(unsigned id)
{
	struct v4l2_query_ext_ctrl x;
	struct v4l2_queryctrl q;
	struct v4l2_querymenu m;
	struct v4l2_control c = { .id = id, .value = -5 };

	BOTH(c, VIDIOC_G_CTRL, VIDIOC_S_CTRL);
	ascending(&q, sizeof(q));
	q.id = id;
	q.type = id % 12;
	BOTH(q, VIDIOC_QUERYCTRL);
	ascending(&x, sizeof(x));
	x.id = id;
	x.type = id % 0x10f;
	x.nr_of_dims = id % 6;
	BOTH(x, VIDIOC_QUERY_EXT_CTRL);
	ascending(&m, sizeof(m));
	m.id = id;
	BOTH(m, VIDIOC_QUERYMENU);
}

static void controls(void)
{
	static const unsigned ids[] = { V4L2_CID_BRIGHTNESS, V4L2_CID_BASE, V4L2_CID_BASE + 4, V4L2_CID_USER_BASE + 0x1900, V4L2_CID_CODEC_BASE, V4L2_CID_CODEC_BASE + 1,
		V4L2_CID_CODEC_CX2341X_BASE + 200, V4L2_CID_CAMERA_CLASS_BASE, V4L2_CID_EXPOSURE_AUTO, V4L2_CID_PRIVATE_BASE, V4L2_CID_PRIVATE_BASE + 7,
		V4L2_CID_USER_CLASS, V4L2_CID_USER_CLASS | V4L2_CTRL_FLAG_NEXT_CTRL, V4L2_CID_BRIGHTNESS | V4L2_CTRL_FLAG_NEXT_CTRL,
		V4L2_CTRL_FLAG_NEXT_CTRL, V4L2_CTRL_FLAG_NEXT_COMPOUND, V4L2_CTRL_FLAG_NEXT_CTRL | V4L2_CTRL_FLAG_NEXT_COMPOUND, 0x980930, 0x9909ff, 0x20000 };

	section("controls");
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		one_control(ids[i]);
	/* The classes, each with what no device may have named yet. */
	for (unsigned class = 0x980000; class < 0xa60000; class += 0x10000) {
		struct v4l2_control c = { 0 };

		for (unsigned at = 0x8ff; at <= 0x905; at++) {
			c.id = class + at;
			BOTH(c, VIDIOC_S_CTRL);
		}
		for (unsigned at = 0x1000; at < 0x1fff; at += 0x40) {
			c.id = class + at;
			CALL(ioctl, -1, VIDIOC_S_CTRL, here(&c, sizeof(c)));
		}
	}
}

static void control_types(void)
{
	struct v4l2_query_ext_ctrl x;
	struct v4l2_queryctrl q;

	section("types of controls");
	for (unsigned type = 0; type < 13; type++) {
		q = (struct v4l2_queryctrl){ .id = V4L2_CID_CONTRAST, .type = type, .name = "one", .minimum = -1, .maximum = 100, .step = 1, .default_value = 5,
					     .flags = 1u << type };
		BOTH(q, VIDIOC_QUERYCTRL);
		x = (struct v4l2_query_ext_ctrl){ .id = V4L2_CID_CONTRAST, .type = 0x100 + type, .name = "two", .minimum = -1, .maximum = 1ll << 40, .step = 2,
						  .default_value = 6, .flags = 1u << type, .elem_size = 4, .elems = type, .nr_of_dims = type, .dims = { 2, 0, 3 } };
		BOTH(x, VIDIOC_QUERY_EXT_CTRL);
		x.type = 0x200 + type;
		x.nr_of_dims = type ? UINT32_MAX : 0;
		BOTH(x, VIDIOC_QUERY_EXT_CTRL);
		x.type = type;
		x.flags = 1u << (type + 8);
		x.nr_of_dims = 1;
		BOTH(x, VIDIOC_QUERY_EXT_CTRL);
	}
}

static void many_controls(void)
{
	struct v4l2_ext_control c[4], *all, *half;
	struct v4l2_ext_controls e;

	section("many controls");
	memset(c, 0, sizeof(c));
	c[0].id = V4L2_CID_BRIGHTNESS;
	c[0].value = -7;
	c[1].id = V4L2_CID_RDS_TX_PS_NAME;
	c[2].id = 0x9909ff;
	c[2].size = 100;
	c[2].string = bad;
	c[3].id = V4L2_CID_PRIVATE_BASE;
	c[3].value64 = -(1ll << 40);
	all = tail(c, sizeof(c));
	half = tail(c, sizeof(c) / 2);
	for (unsigned i = 0; i < 9; i++) {
		ascending(&e, sizeof(e));
		e.ctrl_class = i == 1 ? V4L2_CTRL_CLASS_USER : i == 2 ? V4L2_CTRL_CLASS_CODEC : i == 3 ? V4L2_CTRL_WHICH_DEF_VAL : i;
		e.count = i;
		e.error_idx = i;
		e.controls = i == 6 ? NULL : i == 7 ? bad : i == 8 ? half : all;
		BOTH(e, VIDIOC_G_EXT_CTRLS, VIDIOC_S_EXT_CTRLS, VIDIOC_TRY_EXT_CTRLS);
	}
	e.count = UINT32_MAX;
	e.controls = all;
	BOTH(e, VIDIOC_G_EXT_CTRLS, VIDIOC_S_EXT_CTRLS, VIDIOC_TRY_EXT_CTRLS);
}

/* --- devices --- */

static void sizes(void)
{
	struct v4l2_frmivalenum v;
	struct v4l2_frmsizeenum s;
	struct v4l2_fmtdesc d;

	section("sizes");
	for (unsigned type = 0; type < 5; type++) {
		ascending(&s, sizeof(s));
		ascending(&v, sizeof(v));
		ascending(&d, sizeof(d));
		s.type = v.type = d.type = type;
		s.pixel_format = v.pixel_format = d.pixelformat = type == 1 ? V4L2_PIX_FMT_YUYV : type == 2 ? V4L2_PIX_FMT_RGB565X : 0x41424344 + type;
		d.flags = type;
		BOTH(s, VIDIOC_ENUM_FRAMESIZES);
		BOTH(v, VIDIOC_ENUM_FRAMEINTERVALS);
		BOTH(d, VIDIOC_ENUM_FMT);
		d.type = type + 10;
		strcpy((char *)d.description, "a \"format\"");
		BOTH(d, VIDIOC_ENUM_FMT);
	}
}

static void devices(void)
{
	struct v4l2_capability c = { "driver", "a card", "pci:1", 0x060102, 0x85200001, 0x05200001, { 1, 2, 3 } };
	struct v4l2_framebuffer b = { .capability = 3, .flags = 5, .base = NULL, .fmt = { 1, 2, 3, 4, 5, 6, 7, 8 } };
	struct v4l2_standard s = { .index = 1, .id = 0xff, .name = "PAL", .frameperiod = { 1, 25 }, .framelines = 625 };
	struct v4l2_cropcap k = { 1, { 1, -2, 3, 4 }, { 5, 6, 7, 8 }, { 1, 1 } };
	struct v4l2_crop r = { 3, { 1, -2, 3, 4 } };
	struct v4l2_input i = { .index = 1, .name = "Camera 1", .type = 2, .audioset = 3, .tuner = 4, .std = 0xff, .status = 0x102, .capabilities = 4 };
	struct v4l2_tuner t = { .index = 1, .name = "Radio", .type = 1, .capability = 0x11, .rangelow = 5, .rangehigh = 6, .rxsubchans = 3, .audmode = 1,
				.signal = 100, .afc = -1 };
	uint64_t std;
	int type;

	section("devices");
	BOTH(c, VIDIOC_QUERYCAP);
	BOTH(b, VIDIOC_G_FBUF, VIDIOC_S_FBUF);
	BOTH(k, VIDIOC_CROPCAP);
	BOTH(r, VIDIOC_G_CROP, VIDIOC_S_CROP);
	for (unsigned n = 0; n < 6; n++) {
		i.type = t.type = n;
		t.audmode = n;
		s.id = n == 1 ? 0xb000 : n == 2 ? 0xff0000 : n == 3 ? ~0ull : n;
		BOTH(i, VIDIOC_ENUMINPUT);
		BOTH(t, VIDIOC_G_TUNER, VIDIOC_S_TUNER);
		BOTH(s, VIDIOC_ENUMSTD);
		std = 0x1000ull << n * 8 | n;
		BOTH(std, VIDIOC_G_STD, VIDIOC_S_STD);
	}
	for (type = 0; type < 16; type++)
		BOTH(type, VIDIOC_STREAMON, VIDIOC_STREAMOFF, VIDIOC_G_INPUT, VIDIOC_S_INPUT);
}

/* --- trusted execution --- */

#define PARAMS 14

static void tee(const void *data, size_t size, unsigned command)
{
	static unsigned char *end;
	struct tee_ioctl_buf_data d = { .buf_len = size };

	if (!end)
		end = (unsigned char *)tail(NULL, 4096) + 4096;
	d.buf_ptr = (uintptr_t)memcpy(end - size, data, size);

	BOTH(d, command);
	d.buf_len--;
	BOTH(d, command);
	/* Less is there than it says. */
	d.buf_len = size + 64;
	BOTH(d, command);
	d.buf_len = UINT64_MAX;
	BOTH(d, command);
}

/* Parameters of all types, more than there are, and fewer. */
static void tee_params(void *head, size_t size, uint32_t *count, struct tee_ioctl_param *p, unsigned command)
{
	static const uint32_t counts[] = { 0, 1, PARAMS - 1, PARAMS, PARAMS + 1, UINT32_MAX };

	for (size_t i = 0; i < PARAMS; i++) {
		p[i].attr = i == 4 ? 0x104 : i;
		p[i].a = i;
		p[i].b = 1ull << 40;
		p[i].c = i & 1 ? UINT64_MAX : 3;
	}
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		*count = counts[i];
		tee(head, size, command);
	}
	tee(head, size - 32 * PARAMS, command);
	*count = 0;
	tee(head, size - 32 * PARAMS, command);
	tee(head, 8, command);
	tee(head, 1, command);
}

#define WITH_PARAMS(type) (sizeof(struct type) + PARAMS * sizeof(struct tee_ioctl_param))

static void sessions(void)
{
	struct tee_ioctl_open_session_arg *open = calloc(1, WITH_PARAMS(tee_ioctl_open_session_arg));
	struct tee_ioctl_invoke_arg *invoke = calloc(1, WITH_PARAMS(tee_ioctl_invoke_arg));
	struct tee_iocl_supp_recv_arg *recv = calloc(1, WITH_PARAMS(tee_iocl_supp_recv_arg));
	struct tee_iocl_supp_send_arg *send = calloc(1, WITH_PARAMS(tee_iocl_supp_send_arg));
	struct tee_ioctl_buf_data d = { .buf_ptr = (uintptr_t)bad, .buf_len = 100 };

	section("sessions");
	for (unsigned i = 0; i < 9; i++) {
		ascending(open, sizeof(*open));
		open->clnt_login = i == 8 ? 0x80000000 : i;
		open->ret_origin = i;
		open->num_params = 0;
		tee(open, sizeof(*open), TEE_IOC_OPEN_SESSION);
		ascending(invoke, sizeof(*invoke));
		invoke->ret_origin = i;
		invoke->num_params = 0;
		tee(invoke, sizeof(*invoke), TEE_IOC_INVOKE);
	}
	recv->func = 7;
	send->ret = 8;
	tee_params(open, WITH_PARAMS(tee_ioctl_open_session_arg), &open->num_params, open->params, TEE_IOC_OPEN_SESSION);
	tee_params(invoke, WITH_PARAMS(tee_ioctl_invoke_arg), &invoke->num_params, invoke->params, TEE_IOC_INVOKE);
	tee_params(recv, WITH_PARAMS(tee_iocl_supp_recv_arg), &recv->num_params, recv->params, TEE_IOC_SUPPL_RECV);
	tee_params(send, WITH_PARAMS(tee_iocl_supp_send_arg), &send->num_params, send->params, TEE_IOC_SUPPL_SEND);
	BOTH(d, TEE_IOC_OPEN_SESSION, TEE_IOC_INVOKE, TEE_IOC_SUPPL_RECV, TEE_IOC_SUPPL_SEND);
	d.buf_ptr = 0;
	BOTH(d, TEE_IOC_OPEN_SESSION, TEE_IOC_INVOKE, TEE_IOC_SUPPL_RECV, TEE_IOC_SUPPL_SEND);
}

int main(void)
{
	resident();
	bad = bad_page();
	answers_begin();
	picture_formats();
	overlays();
	vbi_formats();
	parameters();
	buffers();
	old_buffers();
	export();
	controls();
	control_types();
	many_controls();
	sizes();
	devices();
	sessions();
	return 0;
}
