/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl: the structures of GPIO lines, precise clocks, infrared, flash and trusted environments, by their fields. */
#include "decode/ioctl_args.h"
#include "util/macros.h"

#include <stdio.h>

/* --- gpio: linux/gpio.h --- */

#define GPIO_LINES 64
#define GPIO_NAME 32

IO_STRUCT(gpio_chip, STRN(name, GPIO_NAME), STRN(label, GPIO_NAME), U4(lines))
IO_STRUCT(gpio_unwatch, U4(offset))
IO_STRUCT(gpio_event, U4(lineoffset), FL4(handleflags, gpio_handle), FL4(eventflags, gpio_event), STRN(consumer_label, GPIO_NAME), ARROW,
	  FDESC(fd))
IO_STRUCT(gpio_values, VALUES(values, IOF_UDEC, 1, GPIO_LINES))
IO_STRUCT(gpio_info, U4(line_offset), ARROW, FL4(flags, gpio_line), STRN(name, GPIO_NAME), STRN(consumer, GPIO_NAME))
IO_STRUCT(gpio_config, FL4(flags, gpio_handle), VALUES(default_values, IOF_UDEC, 1, GPIO_LINES), SKIP(4, 4))
#define GPIO_HANDLE_LINES 356   /* where their number is */
IO_STRUCT(gpio_handle, AT(GPIO_HANDLE_LINES, GPIO_HANDLE_LINES), U4(lines), AT(0, 0),
	  VEC(lineoffsets, IOF_UDEC, 4, GPIO_LINES, GPIO_HANDLE_LINES), FL4(flags, gpio_handle),
	  VEC(default_values, IOF_UDEC, 1, GPIO_LINES, GPIO_HANDLE_LINES), STRN(consumer_label, GPIO_NAME),
	  AT(GPIO_HANDLE_LINES + 4, GPIO_HANDLE_LINES + 4), ARROW, FDESC(fd))

#define GPIO_ATTRS 10
IO_STRUCT(gpio2_attr, U4(id), IO_F("padding", IOF_HEX, 4, .flags = IOF_NZ), X8(data))
IO_STRUCT(gpio2_config_attr, SUB(attr, gpio2_attr), X8(mask))
IO_STRUCT(gpio2_config, FL8(flags, gpio_line2), U4(num_attrs), ARR_NZ(padding, IOF_HEX, 4, 5), SUBS(attrs, gpio2_config_attr, GPIO_ATTRS, 8))
IO_STRUCT(gpio2_values_get, AT(8, 8), X8(mask), ARROW, AT(0, 0), X8(bits), AT(16, 16))
IO_STRUCT(gpio2_values, X8(bits), X8(mask))
IO_STRUCT(gpio2_info, AT(64, 64), U4(offset), ARROW, AT(0, 0), STRN(name, GPIO_NAME), STRN(consumer, GPIO_NAME), AT(72, 72),
	  FL8(flags, gpio_line2), AT(68, 68), U4(num_attrs), AT(80, 80), SUBS(attrs, gpio2_attr, GPIO_ATTRS, 68),
	  ARR_NZ(padding, IOF_HEX, 4, 4))
#define GPIO2_LINES 560
IO_STRUCT(gpio2_line, AT(GPIO2_LINES, GPIO2_LINES), U4(num_lines), AT(0, 0), VEC(offsets, IOF_UDEC, 4, GPIO_LINES, GPIO2_LINES),
	  STRN(consumer, GPIO_NAME), SUB(config, gpio2_config), AT(GPIO2_LINES + 4, GPIO2_LINES + 4),
	  IO_F("event_buffer_size", IOF_UDEC, 4, .flags = IOF_NZ), ARR_NZ(padding, IOF_HEX, 4, 5), ARROW, FDESC(fd))

/* --- precise clocks: linux/ptp_clock.h --- */

static void say_phase_limit(struct dec *d, struct bytes all, size_t off)
{
	int32_t v = (int32_t)get32(all, off);
	int64_t ns = v < 0 ? -(int64_t)v : v;
	char text[40];

	say_dec(d, v);
	if (!v || d->opts->consts == CONST_RAW)
		return;
	snprintf(text, sizeof(text), "%s%lld.%09lld s", v < 0 ? "-" : "", (long long)(ns / 1000000000), (long long)(ns % 1000000000));
	d->ops->comment(d->e, text);
}

IO_STRUCT(ptp_caps, D4(max_adj), D4(n_alarm), D4(n_ext_ts), D4(n_per_out), D4(pps), D4(n_pins), D4(cross_timestamping), D4(adjust_phase),
	  HAND("max_phase_adj", say_phase_limit, 4), ARR_NZ(rsv, IOF_HEX, 4, 11))
IO_STRUCT(ptp_time, D8(sec), U4(nsec), IO_F("reserved", IOF_HEX, 4, .flags = IOF_NZ))
IO_STRUCT(ptp_extts, U4(index), FL4(flags, ptp_extts), SKIP(4, 2))
IO_STRUCT(ptp_extts2, U4(index), FL4(flags, ptp_extts), ARR_NZ(rsv, IOF_HEX, 4, 2))

enum { PEROUT_DUTY_CYCLE = 2, PEROUT_PHASE = 4, PEROUT_FLAGS = 36 };

static void say_ptp_time(struct dec *d, const char *name, struct bytes all, size_t off)
{
	say_field(d, name);
	io_say_struct(d, &io_ptp_time, bytes_from(all, off), (struct bytes){ NULL, 0 });
}

static void say_perout_start(struct dec *d, struct bytes all, size_t off)
{
	say_ptp_time(d, get32(all, PEROUT_FLAGS) & PEROUT_PHASE ? "phase" : "start", all, off);
}

static void say_perout_on(struct dec *d, struct bytes all, size_t off)
{
	if (get32(all, PEROUT_FLAGS) & PEROUT_DUTY_CYCLE)
		say_ptp_time(d, "on", all, off);
}

/* The place is the length's that the signal is on, or reserved. */
static void say_perout_rest(struct dec *d, struct bytes all, size_t off)
{
	if (get32(all, PEROUT_FLAGS) & PEROUT_DUTY_CYCLE) {
		say_perout_on(d, all, off);
		return;
	}
	if (!(get64(all, off) | get64(all, off + 8)))
		return;
	say_field(d, "rsv");
	d->ops->array_begin(d->e);
	for (unsigned i = 0; i < 4; i++)
		say_hex(d, get32(all, off + 4 * i));
	d->ops->array_end(d->e);
}

#define PEROUT HAND(NULL, say_perout_start, 16), SUB(period, ptp_time), U4(index), FL4(flags, ptp_perout)
IO_STRUCT(ptp_perout, AT(0, 0), PEROUT, HAND(NULL, say_perout_on, 16), AT(56, 56))
IO_STRUCT(ptp_perout2, AT(0, 0), PEROUT, HAND(NULL, say_perout_rest, 16), AT(56, 56))
IO_STRUCT(ptp_pin_set, AT(64, 64), U4(index), SY4(func, ptp_pf), U4(chan), AT(96, 96))
IO_STRUCT(ptp_pin_set2, AT(64, 64), U4(index), SY4(func, ptp_pf), U4(chan), ARR_NZ(rsv, IOF_HEX, 4, 5))
IO_STRUCT(ptp_pin_get, AT(64, 64), U4(index), EXITS, AT(0, 0), STRN(name, 64), AT(68, 68), SY4(func, ptp_pf), U4(chan), AT(96, 96))
IO_STRUCT(ptp_pin_get2, AT(64, 64), U4(index), AT(76, 76), ARR_NZ(rsv, IOF_HEX, 4, 5), EXITS, AT(0, 0), STRN(name, 64), AT(68, 68),
	  SY4(func, ptp_pf), U4(chan), AT(96, 96))
IO_STRUCT(ptp_precise, SUB(device, ptp_time), SUB(sys_realtime, ptp_time), SUB(sys_monoraw, ptp_time), ARR_NZ(rsv, IOF_HEX, 4, 4))

#define PTP_SAMPLES 25

/* Two times a sample, and one. */
static void say_samples(struct dec *d, struct bytes all, size_t off)
{
	uint64_t n = 2ull * get32(all, 0) + 1;

	say_field(d, "ts");
	d->ops->array_begin(d->e);
	for (unsigned i = 0; i < n && i < 2 * PTP_SAMPLES + 1; i++) {
		if (!dec_shows(d, i)) {
			d->ops->more(d->e);
			break;
		}
		io_say_struct(d, &io_ptp_time, bytes_from(all, off + 16 * i), (struct bytes){ NULL, 0 });
	}
	d->ops->array_end(d->e);
}

static void say_samples_extended(struct dec *d, struct bytes all, size_t off)
{
	uint32_t n = get32(all, 0);

	say_field(d, "ts");
	d->ops->array_begin(d->e);
	for (unsigned i = 0; i < n && i < PTP_SAMPLES; i++) {
		d->ops->array_begin(d->e);
		for (unsigned j = 0; j < 3; j++)
			io_say_struct(d, &io_ptp_time, bytes_from(all, off + 48 * i + 16 * j), (struct bytes){ NULL, 0 });
		d->ops->array_end(d->e);
	}
	d->ops->array_end(d->e);
}

IO_STRUCT(ptp_offset, U4(n_samples), ARR_NZ(rsv, IOF_HEX, 4, 3), EXITS, HAND(NULL, say_samples, 16 * (2 * PTP_SAMPLES + 1)), AT(832, 832))
IO_STRUCT(ptp_offset_extended, U4(n_samples), SY4(clockid, clock_ids), ARR_NZ(rsv, IOF_HEX, 4, 2), EXITS,
	  HAND(NULL, say_samples_extended, 48 * PTP_SAMPLES), AT(1216, 1216))

/* --- infrared: linux/lirc.h --- */

IO_BOX(box_lirc_mode, ET(IOF_SYM, 4, lirc_modes))
IO_BOX(box_lirc_features, ET(IOF_FLAGS, 4, lirc_features))

/* --- flash: mtd/mtd-abi.h, mtd/ubi-user.h --- */

static void say_oob_pairs(struct dec *d, struct bytes all, size_t off)
{
	d->ops->array_begin(d->e);
	for (unsigned i = 0; i < 8; i++) {
		d->ops->array_begin(d->e);
		say_hex(d, get32(all, off + 8 * i));
		say_hex(d, get32(all, off + 8 * i + 4));
		d->ops->array_end(d->e);
	}
	d->ops->array_end(d->e);
}

IO_STRUCT(nand_oobinfo, SY4(useecc, mtd_nandecc), X4(eccbytes), AT(8, 8), HAND("oobfree", say_oob_pairs, 64), AT(72, 72),
	  VALUES(eccpos, IOF_HEX, 4, 32))
IO_STRUCT(nand_oobfree, X4(offset), X4(length))
IO_STRUCT(nand_ecclayout, X4(eccbytes), VALUES(eccpos, IOF_HEX, 4, 64), X4(oobavail), SUBS_ALL(oobfree, nand_oobfree, 8))

/* A name with its length before it; what is longer than it can be is cut. */
#define UBI_NAME 127

static void say_ubi_name(struct dec *d, struct bytes all, size_t off, int16_t len)
{
	struct bytes s = bytes_cut(bytes_from(all, off), UBI_NAME + 1);
	size_t most = len < 0 ? 0 : MIN((size_t)len, UBI_NAME);
	bool cut = len < 0 || len > UBI_NAME;
	const uint8_t *nul = s.len ? memchr(s.p, 0, MIN(most + cut, s.len)) : NULL;

	d->ops->str(d->e, s.p ? s.p : (const uint8_t *)"", nul ? (size_t)(nul - s.p) : MIN(most, s.len),
		    EMIT_STR_PATH | (cut && !nul ? EMIT_STR_CUT : 0));
}

static void say_ubi_vol_name(struct dec *d, struct bytes all, size_t off)
{
	say_ubi_name(d, all, off, (int16_t)get16(all, 18));
}

static void say_ubi_ent_name(struct dec *d, struct bytes all, size_t off)
{
	say_ubi_name(d, all, off, (int16_t)get16(all, 4));
}

/* What the call returns, it writes to the first number. */
static void say_ubi_result(struct dec *d, struct bytes all, size_t off _unused_)
{
	say_boxed_dec(d, (int32_t)get32(all, 0));
}

#define UBI_RESULT AT(0, 0), HAND(NULL, say_ubi_result, 4)
IO_STRUCT(ubi_attach_in, D4(ubi_num), D4(mtd_num), D4(vid_hdr_offset), D2(max_beb_per1024), D1(disable_fm), D1(need_resv_pool), AT(24, 24))
IO_PLAIN(ubi_attach, { .form = IOF_SUB, .sub = &io_ubi_attach_in }, ARROW, UBI_RESULT)
IO_STRUCT(ubi_make_in, D4(vol_id), D4(alignment), D8(bytes), SY1(vol_type, ubi_vol_types), FL1(flags, ubi_vol_flags), D2(name_len),
	  AT(24, 24), HAND("name", say_ubi_vol_name, 128), AT(152, 152))
IO_PLAIN(ubi_make, { .form = IOF_SUB, .sub = &io_ubi_make_in }, ARROW, UBI_RESULT)
IO_STRUCT(ubi_rename_one, D4(vol_id), D2(name_len), AT(8, 8), HAND("name", say_ubi_ent_name, 128), AT(136, 136))

#define UBI_RENAMES 32

static void say_ubi_renames(struct dec *d, struct bytes all, size_t off)
{
	int32_t n = (int32_t)get32(all, 0);

	d->ops->array_begin(d->e);
	for (int32_t i = 0; i < n && i < UBI_RENAMES; i++)
		io_say_struct(d, &io_ubi_rename_one, bytes_from(all, off + 136 * (size_t)i), (struct bytes){ NULL, 0 });
	d->ops->array_end(d->e);
}

IO_STRUCT(ubi_rename, D4(count), AT(16, 16), HAND("ents", say_ubi_renames, 136 * UBI_RENAMES), AT(4368, 4368))

/* --- trusted execution: linux/tee.h --- */

IO_STRUCT(tee_shm_alloc, X8(size), FL4(flags, tee_shm), ARROW, AT(0, 0), X8(size), FL4(flags, tee_shm), D4(id))
IO_STRUCT(tee_shm_fd, IO_F("fd", IOF_FD, 8), AT(16, 16), FL4(flags, tee_shm), ARROW, AT(8, 8), X8(size), AT(20, 20), D4(id))
IO_STRUCT(tee_shm_register, PTR8(addr), X8(length), FL4(flags, tee_shm), ARROW, AT(8, 8), X8(length), FL4(flags, tee_shm), D4(id))
