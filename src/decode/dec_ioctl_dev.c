/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl: structures of devices and of the kernel's own descriptors that their fields' sizes do not describe. */
#include "decode/dec_process.h"
#include "decode/dec_signal.h"
#include "decode/ioctl_hand.h"

/* --- random(4) --- */

#define POOL_HEAD 8

static void say_entropy(struct dec *d, const struct io_command *c _unused_)
{
	const struct capture *whole = dec_good(d, 2, IO_BEFORE, 0);
	struct bytes b = bytes_of(whole), data = bytes_from(b, POOL_HEAD);
	int32_t size = (int32_t)get32(b, 4);
	uint32_t room = size < 0 ? UINT32_MAX : (uint32_t)size;

	if (!dec_reg(d, 2) || b.len < POOL_HEAD) {
		say_unreadable(d, 2, dec_cap(d, 2, IO_BEFORE, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	field_dec(d, "entropy_count", (int32_t)get32(b, 0));
	field_dec(d, "buf_size", size);
	say_field(d, "buf");
	data = bytes_cut(data, room);
	if (!data.len && room)
		say_addr(d, dec_reg(d, 2) + POOL_HEAD);
	else
		say_buf(d, data.p ? data.p : (const uint8_t *)"", data.len, room);
	d->ops->struct_end(d->e);
}

static void cap_entropy(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, POOL_HEAD + cap_limit(b) + 1);
}

const struct io_hand io_rnd_entropy = { .say = say_entropy, .capture = cap_entropy };

/* --- RTC_PARAM_GET: strace tells of the value even if the call failed, by its address --- */

#define PAD_NZ { .name = "__pad", .form = IOF_HEX, .size = 4, .flags = IOF_NZ }

enum { RTC_PARAM_FEATURES, RTC_PARAM_CORRECTION, RTC_PARAM_BACKUP_SWITCH_MODE };

/* A parameter's value, as the parameter says, which is the same before the call and after it. */
static void say_rtc_value(struct dec *d, struct bytes all, size_t off)
{
	uint64_t param = get64(bytes_of(dec_good(d, 2, IO_BEFORE, 0)), 0), v = get64(all, off);

	say_field(d, param == RTC_PARAM_CORRECTION ? "svalue" : "uvalue");
	if (param == RTC_PARAM_FEATURES)
		say_flags(d, &tab_rtc_features, v);
	else if (param == RTC_PARAM_CORRECTION)
		say_dec(d, (int64_t)v);
	else if (param == RTC_PARAM_BACKUP_SWITCH_MODE)
		say_sym(d, &tab_rtc_backup_modes, v);
	else
		say_hex(d, v);
}

#define RTC_VALUE HAND(NULL, say_rtc_value, 8)
IO_STRUCT(rtc_param_get, SY8(param, rtc_params), AT(16, 16), U4(index), PAD_NZ, { .form = IOF_ARROW, .n = 1 }, AT(8, 8), RTC_VALUE,
	  AT(20, 20), PAD_NZ)
IO_STRUCT(rtc_param_set, SY8(param, rtc_params), RTC_VALUE, U4(index), PAD_NZ)

/* --- HDIO_DRIVE_CMD: registers, and the sectors that were read behind them --- */

#define DRIVE_HEAD 4
#define DRIVE_SECTOR 512u

static void say_drive_cmd(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes in = bytes_of(dec_good(d, 2, IO_BEFORE, 0)), out = bytes_of(dec_good(d, 2, IO_AFTER, 0));
	unsigned sectors = get8(in, 3);

	if (!dec_reg(d, 2) || in.len < DRIVE_HEAD) {
		say_unreadable(d, 2, dec_cap(d, 2, IO_BEFORE, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	field_sym(d, "command", &tab_ata_cmds, get8(in, 0));
	field_udec(d, "sector_number", get8(in, 1));
	field_udec(d, "feature", get8(in, 2));
	field_udec(d, "sector_count", sectors);
	d->ops->struct_end(d->e);
	dec_at_end(d);
	if (!d->ok)
		return;
	d->ops->change(d->e);
	if (out.len < DRIVE_HEAD) {
		say_unreadable(d, 2, dec_cap(d, 2, IO_AFTER, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	field_hex(d, "status", get8(out, 0));
	field_udec(d, "error", get8(out, 1));
	field_udec(d, "nsector", get8(out, 2));
	if (sectors) {
		say_field(d, "buf");
		say_hex_bytes(d, out.p + DRIVE_HEAD, out.len - DRIVE_HEAD, sectors * DRIVE_SECTOR);
	}
	d->ops->struct_end(d->e);
}

static void say_hex4(struct dec *d, struct bytes b)
{
	say_hex(d, get32(b, 0));
}

/* Three numbers. */
static void say_interface(struct dec *d, const struct io_command *c _unused_)
{
	io_say_behind(d, IO_BEFORE, 0, 3, 4, say_hex4);
}

static void cap_interface(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, 12);
}

const struct io_hand io_hd_interface = { .say = say_interface, .capture = cap_interface };

static void cap_drive_cmd(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, DRIVE_HEAD);
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, DRIVE_HEAD + cap_limit(b));
}

const struct io_hand io_drive_cmd = { .say = say_drive_cmd, .capture = cap_drive_cmd };

/* --- force feedback --- */

static void say_envelope(struct dec *d, struct bytes b)
{
	say_field(d, "envelope");
	d->ops->struct_begin(d->e);
	field_udec(d, "attack_length", get16(b, 0));
	field_udec(d, "attack_level", get16(b, 2));
	field_udec(d, "fade_length", get16(b, 4));
	field_udec(d, "fade_level", get16(b, 6));
	d->ops->struct_end(d->e);
}

static void say_periodic(struct dec *d, struct bytes b)
{
	size_t at = d->word == 8 ? 24 : 20;

	field_udec(d, "waveform", get16(b, 0));
	field_udec(d, "period", get16(b, 2));
	field_dec(d, "magnitude", (int16_t)get16(b, 4));
	field_dec(d, "offset", (int16_t)get16(b, 6));
	field_udec(d, "phase", get16(b, 8));
	say_envelope(d, bytes_from(b, 10));
	field_udec(d, "custom_len", get32(b, at - 4));
	field_addr(d, "custom_data", get_uint(b, at, d->word));
}

enum { FF_RUMBLE = 0x50, FF_PERIODIC, FF_CONSTANT, FF_RAMP = 0x57 };

/* The union at the end, of the types whose members strace shows. */
static void say_effect(struct dec *d, struct bytes all, size_t off)
{
	static const char *const names[] = { "rumble", "periodic", "constant" };
	struct bytes b = bytes_from(all, off);
	unsigned type = get16(all, 0);

	if (!d->opts->no_abbrev || !((type >= FF_RUMBLE && type <= FF_CONSTANT) || type == FF_RAMP))
		return;
	say_field(d, type == FF_RAMP ? "ramp" : names[type - FF_RUMBLE]);
	d->ops->struct_begin(d->e);
	if (type == FF_RUMBLE) {
		field_udec(d, "strong_magnitude", get16(b, 0));
		field_udec(d, "weak_magnitude", get16(b, 2));
	} else if (type == FF_PERIODIC) {
		say_periodic(d, b);
	} else if (type == FF_CONSTANT) {
		field_dec(d, "level", (int16_t)get16(b, 0));
		say_envelope(d, bytes_from(b, 2));
	} else {
		field_dec(d, "start_level", (int16_t)get16(b, 0));
		field_dec(d, "end_level", (int16_t)get16(b, 2));
		say_envelope(d, bytes_from(b, 4));
	}
	d->ops->struct_end(d->e);
}

extern const struct io_struct io_ff_trigger, io_ff_replay;
#define SUB_V(nm, s) { .name = #nm, .form = IOF_SUB, .sub = &io_##s, .flags = IOF_VERBOSE }
IO_STRUCT(ff_effect, SY2(type, evdev_ff), D2(id), U2(direction), MORE, SUB_V(trigger, ff_trigger), SUB_V(replay, ff_replay), AT(16, 16),
	  HAND(NULL, say_effect, 1), AT(48, 44))

/* --- seccomp --- */

static void say_data_nr(struct dec *d, struct bytes all, size_t off)
{
	say_syscall_nr(d, get32(all, off), get32(all, off + 4));
}

IO_STRUCT(seccomp_data, HAND("nr", say_data_nr, 4), SY4(arch, audit_arch), PTR8(instruction_pointer), ARR(args, IOF_HEX, 8, 6))
IO_STRUCT(notif, X8(id), IO_F("pid", IOF_PID, 4), X4(flags), SUB(data, seccomp_data))

static bool all_zero(struct bytes b)
{
	for (size_t i = 0; i < b.len; i++)
		if (b.p[i])
			return false;
	return true;
}

/* The caller has to clear it; what it left there is told before what it got. */
static void say_notif(struct dec *d, const struct io_command *c _unused_)
{
	size_t size = io_size(d->call->abi, &io_notif);
	struct bytes in = bytes_of(dec_good(d, 2, IO_BEFORE, 0)), out = bytes_of(dec_good(d, 2, IO_AFTER, 0));
	bool told = dec_reg(d, 2) && in.len >= size && !all_zero(in);

	if (told)
		io_say_struct(d, &io_notif, in, in);
	dec_at_end(d);
	if (told)
		d->ops->change(d->e);
	if (!dec_reg(d, 2) || !d->ok || out.len < size)
		say_unreadable(d, 2, dec_cap(d, 2, d->ok ? IO_AFTER : IO_BEFORE, 0));
	else
		io_say_struct(d, &io_notif, out, out);
}

static void cap_notif(struct cap_builder *b, const struct io_command *c _unused_)
{
	uint32_t size = (uint32_t)io_size(b->abi, &io_notif);

	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, size);
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, size);
}

const struct io_hand io_notif_recv = { .say = say_notif, .capture = cap_notif };

/* --- PIDFD_GET_INFO: what there is, the mask says --- */

enum { INFO_PID = 1, INFO_CREDS = 2, INFO_CGROUP = 4, INFO_EXIT = 8, INFO_CORE = 16, INFO_MASK = 32, INFO_CORE_SIGNAL = 64, INFO_CORE_CODE = 128 };

static void say_info_ids(struct dec *d, struct bytes b, uint64_t mask)
{
	static const char *const pids[] = { "pid", "tgid", "ppid" };
	static const char *const ids[] = { "ruid", "rgid", "euid", "egid", "suid", "sgid", "fsuid", "fsgid" };

	if (mask & INFO_CGROUP)
		field_udec(d, "cgroupid", get64(b, 8));
	for (unsigned i = 0; mask & INFO_PID && i < 3; i++) {
		say_field(d, pids[i]);
		say_pid(d, (int32_t)get32(b, 16 + 4 * i));
	}
	for (unsigned i = 0; mask & INFO_CREDS && i < 8; i++) {
		say_field(d, ids[i]);
		say_id(d, get32(b, 28 + 4 * i));
	}
}

static void say_info(struct dec *d, struct bytes b, uint64_t mask)
{
	say_info_ids(d, b, mask);
	if (mask & INFO_EXIT) {
		say_field(d, "exit_code");
		say_wait_status(d, get32(b, 60));
	}
	if (mask & INFO_CORE)
		field_flags(d, "coredump_mask", &tab_pidfd_core, get32(b, 64));
	if (mask & INFO_CORE_SIGNAL) {
		say_field(d, "coredump_signal");
		say_signal(d, (int)get32(b, 68));
	}
	if (mask & INFO_CORE_CODE)
		field_udec(d, "coredump_code", get32(b, 72));
	if (mask & INFO_MASK)
		field_flags(d, "supported_mask", &tab_pidfd_info, get64(b, 80));
}

#define INFO_SIZE 88u

static void say_pidfd_info(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes in = bytes_of(dec_good(d, 2, IO_BEFORE, 0)), out = bytes_of(dec_good(d, 2, IO_AFTER, 0));
	uint64_t asked = get64(in, 0), got = get64(out, 0);
	size_t size = (uint32_t)dec_reg(d, 1) >> 16 & 0x3fff;

	/* The first version had 64 bytes; what an older one does not have, its mask does not tell of. */
	if (size > INFO_SIZE)
		size = INFO_SIZE;
	if (!dec_reg(d, 2) || in.len < sizeof(asked)) {
		say_unreadable(d, 2, dec_cap(d, 2, IO_BEFORE, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	field_flags(d, "mask", &tab_pidfd_info, asked);
	dec_at_end(d);
	if (d->ok && out.len >= size) {
		if (got != asked) {
			d->ops->change(d->e);
			say_flags(d, &tab_pidfd_info, got);
		}
		say_info(d, out, got);
	}
	d->ops->struct_end(d->e);
}

static void cap_pidfd_info(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, INFO_SIZE);
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, INFO_SIZE);
}

const struct io_hand io_pidfd_info = { .say = say_pidfd_info, .capture = cap_pidfd_info };
