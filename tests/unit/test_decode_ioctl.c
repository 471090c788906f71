/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_output */
/* Arguments of ioctl: what no kernel here makes, and captures of every command that lie about their contents or end too early. */
#include "decode_text.h"

#include <stdlib.h>

#define NR_IOCTL 16
#define NR_IOCTL_I386 54

#define NOTHING(n64, n32) { n64, n32 },
#define POINTER(n64, n32) { n64, n32 },
#define STRING(n64, n32, arg) { n64, n32 },
#define VALUE(n64, n32, arg, s) { n64, n32 },
#define IN(n64, n32, arg, s) { n64, n32 },
#define OUT(n64, n32, arg, s) { n64, n32 },
#define INOUT(n64, n32, arg, s) { n64, n32 },
#define BY_HAND(n64, n32, arg, h) { n64, n32 },
static const struct { uint32_t n64, n32; } commands[] = {
#include "decode/ioctl_args.def"
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))
#define PARTS 6

/* Decodes the call as it is: nothing is compared, it has to come back. */
static void decode(void)
{
	struct emit_text t;
	struct strbuf out = { 0 };

	emit_text_init(&t);
	emit_text_begin(&t, &out, EMIT_WHOLE);
	decode_args(&call, &call_opts, &t.e);
	assert_true(strlen(strbuf_cstr(&out)) > 0);
	strbuf_done(&out);
	emit_text_done(&t);
}

static void make(enum abi abi, uint32_t number, int64_t ret)
{
	call_make(abi == ABI_I386 ? NR_IOCTL_I386 : NR_IOCTL, ret, 3, A(3), A(number), PTR);
	call.abi = abi;
}

/* All parts of a command with so many bytes, each in memory of its own that ends there. */
static void with_length(enum abi abi, uint32_t number, size_t len, int fill)
{
	char *copies[PARTS];

	for (int64_t ret = 0; ret >= -9; ret -= 9) {
		make(abi, number, ret);
		for (unsigned part = 0; part < PARTS; part++) {
			copies[part] = malloc(len ? len : 1);
			assert_non_null(copies[part]);
			for (size_t i = 0; i < len; i++)
				copies[part][i] = (char)(fill < 0 ? (int)i + 1 : fill);
			call_capture(2, part, copies[part], len)->true_len = UINT32_MAX;
		}
		decode();
		for (unsigned part = 0; part < PARTS; part++)
			free(copies[part]);
	}
}

static void test_every_length(void **state)
{
	static const size_t lengths[] = { 0, 1, 2, 3, 4, 7, 8, 11, 12, 15, 16, 20, 24, 31, 32, 36, 40, 48, 56, 64, 72, 76, 80, 84, 88, 104, 112, 144,
					  204, 208, 232, 256, 305, 312, 364, 592, 1024, 1032, 2600, 4096, 4368, 8192 };
	static const int fills[] = { 0, 1, 0xff, -1 };

	(void)state;
	for (unsigned verbose = 0; verbose < 2; verbose++) {
		call_opts = (struct decode_opts){ .string_limit = 32, .no_abbrev = verbose };
		for (size_t i = 0; i < COMMANDS; i++)
			for (size_t j = 0; j < sizeof(lengths) / sizeof(lengths[0]); j++)
				for (size_t k = 0; k < sizeof(fills) / sizeof(fills[0]); k++) {
					with_length(ABI_X86_64, commands[i].n64, lengths[j], fills[k]);
					if (commands[i].n32 && !verbose)
						with_length(ABI_I386, commands[i].n32, lengths[j], fills[k]);
				}
	}
	call_opts = (struct decode_opts){ .string_limit = 32 };
}

static void put32(unsigned char *p, uint32_t v)
{
	memcpy(p, &v, sizeof(v));
}

static void put64(unsigned char *p, uint64_t v)
{
	memcpy(p, &v, sizeof(v));
}

/* The list begins within its own head, as strace lets it, and goes on beyond its end. */
static void test_device_mapper(void **state)
{
	enum { DM_LIST_DEVICES = 0xc138fd02, DM_TABLE_LOAD = 0xc138fd09 };
	unsigned char d[400] = { 4 };

	(void)state;
	call_opts.no_abbrev = true;
	put32(d + 12, sizeof(d));
	put32(d + 16, 312);
	put64(d + 312, 0xfd01);
	put32(d + 320, 1000);
	strcpy((char *)d + 324, "one");
	make(ABI_X86_64, DM_LIST_DEVICES, 0);
	call_capture(2, 0, d, 312);
	call_capture(2, 1, d, sizeof(d));
	assert_call("3, DM_LIST_DEVICES, [{version=[4, 0, 0], data_size=400, data_start=312, flags=0}] => [{version=[4, 0, 0], "
		    "data_size=400, data_start=312, flags=0}, {dev=makedev(0xfd, 0x1), name=\"one\"}, "
		    "??? /* misplaced struct dm_name_list */]");
	assert_survives_cuts();
	put32(d + 16, 8);
	put32(d + 20, 1);
	make(ABI_X86_64, DM_TABLE_LOAD, -9);
	call_capture(2, 0, d, sizeof(d));
	assert_call("3, DM_TABLE_LOAD, [{version=[4, 0, 0], data_size=400, data_start=8, target_count=1, flags=0}, "
		    "{sector_start=1717986918400, length=4294967304, target_type=\"\", string=\"\"}]");
	assert_survives_cuts();
	put32(d + 16, 361);
	assert_call("3, DM_TABLE_LOAD, [{version=[4, 0, 0], data_size=400, data_start=361, target_count=1, flags=0}, "
		    "??? /* misplaced struct dm_target_spec */]");
	call_opts.no_abbrev = false;
}

/* Paths lie where the numbers say, within what was captured or not at all. */
static void test_btrfs_paths(void **state)
{
	enum { BTRFS_IOC_INO_PATHS = 0xc0389423 };
	unsigned char a[56] = { 5 }, list[40] = { 0 };

	(void)state;
	call_opts.no_abbrev = true;
	put64(a + 8, 4096);
	put64(a + 48, PTR);
	put32(list + 8, 2);
	put64(list + 16, 16);
	put64(list + 24, UINT64_MAX);
	strcpy((char *)list + 32, "a/b");
	make(ABI_X86_64, BTRFS_IOC_INO_PATHS, 0);
	call_capture(2, 0, a, sizeof(a));
	call_capture(2, 2, list, sizeof(list));
	assert_call("3, BTRFS_IOC_INO_PATHS, {inum=5, size=4096, fspath=0x7ffc0000} => {fspath={bytes_left=0, bytes_missing=0, "
		    "elem_cnt=2, elem_missed=0, val=[\"a/b\", 0xffffffffffffffff]}}");
	assert_survives_cuts();
	call_opts.no_abbrev = false;
}

/* What an input device tells is as long as the result says, which may be more than there is. */
static void test_input_bits(void **state)
{
	unsigned char bits[4] = { 0x03, 0, 0x81, 0 };

	(void)state;
	make(ABI_X86_64, 0x80044520, 4);        /* EVIOCGBIT(0, 4) */
	call_capture(2, 1, bits, sizeof(bits));
	assert_call("3, EVIOCGBIT(0, 4), [EV_SYN EV_KEY 0x10 /* EV_??? */ EV_FF_STATUS]");
	call.ret = 1000;
	assert_call("3, EVIOCGBIT(0, 4), [EV_SYN EV_KEY 0x10 /* EV_??? */ EV_FF_STATUS]");
	call.ret = 1;
	assert_call("3, EVIOCGBIT(0, 4), [EV_SYN EV_KEY]");
	call.ret = 0;
	assert_call("3, EVIOCGBIT(0, 4), 0x7ffc0000");
	make(ABI_X86_64, 0x80404506, 300);      /* EVIOCGNAME(64) */
	call_capture(2, 1, "keys", 4);
	assert_call("3, EVIOCGNAME(64), \"keys\"...");
	assert_survives_cuts();
}

/* A command to a SCSI device, that it answered, on both widths. */
static void test_scsi(void **state)
{
	unsigned char h[88] = { 'S' }, h32[64] = { 'S' };

	(void)state;
	put32(h + 4, (uint32_t)-3);
	h[8] = 6;
	put32(h + 12, 8);
	put64(h + 16, PTR);
	put64(h + 24, PTR);
	put32(h + 72, 2);
	make(ABI_X86_64, 0x2285, 0);
	call_capture(2, 0, h, sizeof(h));
	call_capture(2, 1, h, sizeof(h));
	call_capture(2, 2, "\x12\0\0\0$\0", 6);
	call_capture(2, 5, "hello\0\0\0", 8);
	assert_call("3, SG_IO, {interface_id='S', dxfer_direction=SG_DXFER_FROM_DEV, cmd_len=6, cmdp=\"\\x12\\x00\\x00\\x00\\x24\\x00\", "
		    "mx_sb_len=0, iovec_count=0, dxfer_len=8, timeout=0, flags=0, dxferp=\"\\x68\\x65\\x6c\\x6c\\x6f\\x00\", status=0, "
		    "masked_status=0, msg_status=0, sb_len_wr=0, sbp=NULL, host_status=0, driver_status=0, resid=2, duration=0, info=0}");
	assert_survives_cuts();
	put32(h32 + 4, (uint32_t)-1);
	put32(h32 + 56, 7);
	make(ABI_I386, 0x2285, 0);
	call_capture(2, 0, h32, sizeof(h32));
	call_capture(2, 1, h32, sizeof(h32));
	assert_call("3, SG_IO, {interface_id='S', dxfer_direction=SG_DXFER_NONE, cmd_len=0, cmdp=NULL, mx_sb_len=0, iovec_count=0, "
		    "dxfer_len=0, timeout=0, flags=0, status=0, masked_status=0, msg_status=0, sb_len_wr=0, sbp=NULL, host_status=0, "
		    "driver_status=0, resid=0, duration=7, info=0}");
}

/* Version 4 in two captures; counts and lengths that nothing bears out. */
static void test_scsi4(void **state)
{
	unsigned char h[160] = { 'Q' };

	(void)state;
	put32(h + 12, 6);
	put64(h + 16, PTR);
	put32(h + 56, UINT32_MAX);
	put32(h + 60, UINT32_MAX);
	put32(h + 68, 8);
	put64(h + 72, PTR);
	put64(h + 80, PTR);
	put32(h + 136, 6);
	make(ABI_X86_64, 0x2285, 0);
	call_capture(2, 0, h, 88);
	call_capture(2, 1, h, 88);
	call_capture(2, 4, "\x12\0\0\0$\0", 6);
	call_capture(2, 10, h + 88, 72);
	call_capture(2, 11, h + 88, 72);
	call_capture(2, 14, "ok", 2);
	assert_call("3, SG_IO, {guard='Q', protocol=BSG_PROTOCOL_SCSI, subprotocol=BSG_SUB_PROTOCOL_SCSI_CMD, request_len=6, "
		    "request=\"\\x12\\x00\\x00\\x00\\x24\\x00\", request_tag=0, request_attr=0, request_priority=0, request_extra=0, "
		    "max_response_len=0, dout_iovec_count=4294967295, dout_xfer_len=4294967295, din_iovec_count=0, din_xfer_len=8, "
		    "dout_xferp=0x7ffc0000, timeout=0, flags=0, usr_ptr=0, response_len=0, response=NULL, din_xferp=\"\\x6f\\x6b\", "
		    "driver_status=0, transport_status=0, device_status=0, retry_delay=0, info=0, duration=0, response_len=0, din_resid=6, "
		    "dout_resid=0, generated_tag=0}");
	assert_survives_cuts();
	call.n_captures = 1;
	assert_call("3, SG_IO, {guard='Q', 0x7ffc0004}");
}

/* What a video device changes is told beside what it was. */
static void test_video_changes(void **state)
{
	enum { S_CTRL = 0xc008561c, QUERYCTRL = 0xc0445624, REQBUFS = 0xc0145608, S_FMT = 0xc0d05605 };
	unsigned char in[208] = { 0 }, out[208] = { 0 };

	(void)state;
	put32(in, 0x980900);
	put32(in + 4, (uint32_t)-5);
	put32(out, 0x980901);
	put32(out + 4, 3);
	strcpy((char *)out + 8, "Contrast");
	make(ABI_X86_64, S_CTRL, 0);
	call_capture(2, 0, in, 8);
	call_capture(2, 1, out, 8);
	assert_call("3, VIDIOC_S_CTRL, {id=V4L2_CID_BRIGHTNESS, value=-5 => 3}");
	assert_survives_cuts();
	put32(in, 0x80980900);
	make(ABI_X86_64, QUERYCTRL, 0);
	call_capture(2, 0, in, 68);
	call_capture(2, 1, out, 68);
	assert_call("3, VIDIOC_QUERYCTRL, {id=V4L2_CTRL_FLAG_NEXT_CTRL|V4L2_CID_BRIGHTNESS => V4L2_CID_CONTRAST, type=V4L2_CTRL_TYPE_MENU, "
		    "name=\"Contrast\", ...}");
	assert_survives_cuts();
	put32(in, 4);
	put32(in + 4, 1);
	put32(in + 8, 1);
	put32(out, 2);
	make(ABI_X86_64, REQBUFS, 0);
	call_capture(2, 0, in, 20);
	call_capture(2, 1, out, 20);
	assert_call("3, VIDIOC_REQBUFS, {type=V4L2_BUF_TYPE_VIDEO_CAPTURE, memory=V4L2_MEMORY_MMAP, count=4 => 2}");
	assert_survives_cuts();
	memset(in, 0, sizeof(in));
	memset(out, 0, sizeof(out));
	put32(in, 13);
	put32(in + 8, 0x48435655);
	memcpy(out, in, sizeof(in));
	put32(out + 12, 100);
	make(ABI_X86_64, S_FMT, 0);
	call_capture(2, 0, in, sizeof(in));
	call_capture(2, 1, out, sizeof(out));
	assert_call("3, VIDIOC_S_FMT, {type=V4L2_BUF_TYPE_META_CAPTURE, fmt.meta={dataformat=v4l2_fourcc('U', 'V', 'C', 'H') "
		    "/* V4L2_META_FMT_UVC */, buffersize=0}} => {fmt.meta={dataformat=v4l2_fourcc('U', 'V', 'C', 'H') /* V4L2_META_FMT_UVC */, "
		    "buffersize=100}}");
	assert_survives_cuts();
}

/* Buffers as 32-bit programs have them, with times of 64 bits and of 32. */
static void test_video_buffers(void **state)
{
	enum { DQBUF = 0xc04c5611, DQBUF_TIME32 = 0xc0445611 };
	unsigned char b[76] = { 7 };

	(void)state;
	put32(b + 4, 1);
	put32(b + 8, 640);
	put32(b + 12, 0x2001);
	put64(b + 20, 5);
	put64(b + 28, 6);
	put32(b + 56, 2);
	put32(b + 60, 0xfffff000);
	put32(b + 64, 4096);
	make(ABI_I386, DQBUF, 0);
	call_capture(2, 0, b, sizeof(b));
	call_capture(2, 1, b, sizeof(b));
	assert_call("3, VIDIOC_DQBUF, {type=V4L2_BUF_TYPE_VIDEO_CAPTURE, index=7, memory=V4L2_MEMORY_USERPTR, m.userptr=0xfffff000, length=4096, "
		    "bytesused=640, flags=V4L2_BUF_FLAG_MAPPED|V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC|V4L2_BUF_FLAG_TSTAMP_SRC_EOF, "
		    "timestamp={tv_sec=5, tv_usec=6}, ...}");
	assert_survives_cuts();
	put32(b + 24, 9);
	put32(b + 48, 1);
	put32(b + 52, 0x1000);
	put32(b + 56, 8192);
	make(ABI_I386, DQBUF_TIME32, 0);
	call_capture(2, 0, b, 68);
	call_capture(2, 1, b, 68);
	assert_call("3, VIDIOC_DQBUF_TIME32, {type=V4L2_BUF_TYPE_VIDEO_CAPTURE, index=7, memory=V4L2_MEMORY_MMAP, m.offset=0x1000, length=8192, "
		    "bytesused=640, flags=V4L2_BUF_FLAG_MAPPED|V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC|V4L2_BUF_FLAG_TSTAMP_SRC_EOF, "
		    "timestamp={tv_sec=5, tv_usec=9}, ...}");
	assert_survives_cuts();
}

/* The number of parameters and the length of the buffer must agree, before the call and after it. */
static void test_trusted_sessions(void **state)
{
	enum { INVOKE = 0x8010a403 };
	unsigned char data[16] = { 0 }, in[56] = { 9 }, out[56] = { 9 };

	(void)state;
	put64(data, PTR);
	put64(data + 8, sizeof(in));
	put32(in + 4, 0xab);
	put32(in + 20, 1);
	put64(in + 24, 1);
	put64(in + 32, 5);
	memcpy(out, in, sizeof(in));
	put32(out + 12, 3);
	put32(out + 16, 4);
	put64(out + 32, 6);
	make(ABI_X86_64, INVOKE, 0);
	call_capture(2, 0, data, sizeof(data));
	call_capture(2, 1, data, sizeof(data));
	call_capture(2, 2, in, sizeof(in));
	call_capture(2, 3, out, sizeof(out));
	assert_call("3, TEE_IOC_INVOKE, {buf_len=56, buf_ptr={func=9, session=0xab, cancel_id=0, num_params=1, "
		    "params=[{attr=TEE_IOCTL_PARAM_ATTR_TYPE_VALUE_INPUT, a=0x5, b=0, c=0}]} => {ret=3, ret_origin=TEEC_ORIGIN_TRUSTED_APP, "
		    "params=[{attr=TEE_IOCTL_PARAM_ATTR_TYPE_VALUE_INPUT, a=0x6, b=0, c=0}]}}");
	assert_survives_cuts();
	put32(in + 20, 2);
	assert_call("3, TEE_IOC_INVOKE, {buf_len=56, buf_ptr=0x7ffc0000}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_length),
		cmocka_unit_test(test_device_mapper),
		cmocka_unit_test(test_btrfs_paths),
		cmocka_unit_test(test_input_bits),
		cmocka_unit_test(test_scsi),
		cmocka_unit_test(test_scsi4),
		cmocka_unit_test(test_video_changes),
		cmocka_unit_test(test_video_buffers),
		cmocka_unit_test(test_trusted_sessions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
