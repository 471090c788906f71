/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl: the structures of character devices and of the kernel's own descriptors, by their fields. */
#include "decode/ioctl_args.h"

#include <stdio.h>

IO_BOX(box_perf_ioc, ET(IOF_FLAGS, 4, perf_ioc_flags))
IO_BOX(box_leds, ET(IOF_FLAGS, 1, kd_leds))
IO_BOX(box_kb_type, ET(IOF_SYM, 1, kb_types))
IO_BOX(box_kd_mode, ET(IOF_SYM, 4, kd_modes))
IO_PLAIN(box_bytes256, { .form = IOF_BYTES, .size = 1, .n = 256 })
IO_BOX(box_tcxonc, ET(IOF_SYM, IO_WORD, tcxonc_actions))
IO_BOX(box_tcflush, ET(IOF_SYM, IO_WORD, tcflush_queues))
IO_BOX(box_modem, ET(IOF_FLAGS, 4, modem_lines))
IO_BOX(box_rtc_vl, ET(IOF_FLAGS, 4, rtc_vl))
IO_BOX(box_kvm_cap, ET(IOF_SYM, IO_WORD, kvm_caps))
IO_BOX(box_notif_fd, ET(IOF_FLAGS, IO_WORD, seccomp_notif_fd))
IO_BOX(box_wdios, ET(IOF_FLAGS, 4, wd_set))
IO_BOX(box_kb_mode, ET(IOF_CONST, 4, kb_modes))
IO_PLAIN(char_in, { .form = IOF_TEXT, .size = 1, .n = 1 })
IO_STRUCT(winsize, U2(ws_row), U2(ws_col), U2(ws_xpixel), U2(ws_ypixel))
IO_STRUCT(kbkeycode, X4(scancode), X4(keycode))
IO_STRUCT(kbd_repeat, D4(delay), D4(period), ARROW, AT(0, 0), D4(delay), D4(period))

/* --- clocks, watchdogs --- */

#define TM_V(nm) { .name = #nm, .form = IOF_DEC, .size = 4, .flags = IOF_VERBOSE }
IO_STRUCT(rtc_time, D4(tm_sec), D4(tm_min), D4(tm_hour), D4(tm_mday), D4(tm_mon), D4(tm_year), MORE, TM_V(tm_wday), TM_V(tm_yday),
	  TM_V(tm_isdst))
IO_STRUCT(rtc_wkalrm, U1(enabled), U1(pending), SUB(time, rtc_time))
IO_STRUCT(rtc_pll, D4(pll_ctrl), D4(pll_value), D4(pll_max), D4(pll_min), D4(pll_posmult), D4(pll_negmult), { .name = "pll_clock", .form = IOF_DEC, .size = IO_WORD })
IO_STRUCT(watchdog_info, FL4(options, wd_options), { .name = "firmware_version", .form = IOF_HEX, .size = 4, .flags = IOF_VERBOSE },
	  { .name = "identity", .form = IOF_STR, .size = 1, .n = 32, .flags = IOF_VERBOSE }, MORE)

/* --- input --- */

IO_STRUCT(input_id, U2(bustype), U2(vendor), U2(product), U2(version))
IO_BOX(evkey, E(IOF_UDEC, 4), ET(IOF_SYM, 4, evdev_keys))
IO_STRUCT(keymap_entry, U1(flags), U1(len), MORE, { .name = "index", .form = IOF_UDEC, .size = 2, .flags = IOF_VERBOSE },
	  { .name = "keycode", .form = IOF_SYM, .size = 4, .table = &tab_evdev_keys, .flags = IOF_VERBOSE },
	  { .name = "scancode", .form = IOF_HEX, .size = 1, .n = 32, .flags = IOF_MANY | IOF_VERBOSE })
/* What follows depends on the type; it is shown by hand. */
IO_STRUCT(ff_trigger, U2(button), U2(interval))
IO_STRUCT(ff_replay, U2(length), U2(delay))

/* --- seccomp, epoll, userfaultfd, KVM, TEE --- */

/* Of the flags of open(2), none says how it is accessed. */
static void say_newfd_flags(struct dec *d, struct bytes all, size_t off)
{
	struct symtab flags = *symtab_for(&tab_open_flags, d->call->abi);

	flags.base = NULL;
	flags.base_mask = 0;
	flags.arm = NULL;
	flags.unknown = tab_delete_module_flags.unknown;
	say_flags(d, &flags, get32(all, off));
}

/* The negative of an errno. */
static void say_notif_error(struct dec *d, struct bytes all, size_t off)
{
	int32_t v = (int32_t)get32(all, off);
	const char *name = v < 0 && v >= -4095 ? errno_name(-v) : NULL;
	char text[32];

	if (!name) {
		say_dec(d, v);
		return;
	}
	snprintf(text, sizeof(text), "-%s", name);
	d->ops->named(d->e, text, (uint64_t)(int64_t)v, EMIT_DEC);
}

IO_STRUCT(notif_addfd, X8(id), FL4(flags, seccomp_addfd), FDESC(srcfd), D4(newfd), HAND("newfd_flags", say_newfd_flags, 4))
IO_STRUCT(notif_resp, X8(id), D8(val), HAND("error", say_notif_error, 4), FL4(flags, seccomp_notif_flags))

static void say_usecs(struct dec *d, struct bytes all, size_t off)
{
	uint32_t usecs = get32(all, off);
	char text[32];

	say_udec(d, usecs);
	if (!usecs || d->opts->consts == CONST_RAW)
		return;
	snprintf(text, sizeof(text), "%u.%06u s", usecs / 1000000, usecs % 1000000);
	d->ops->comment(d->e, text);
}

IO_STRUCT(epoll_params, HAND("busy_poll_usecs", say_usecs, 4), AT(4, 4), U2(busy_poll_budget), X1(prefer_busy_poll),
	  { .name = "__pad", .form = IOF_HEX, .size = 1, .flags = IOF_NZ })
IO_STRUCT(uffd_range, X8(start), X8(len))
/* What there is, if that is not what was asked for. */
static void say_uffd_offer(struct dec *d, struct bytes all, size_t off)
{
	struct bytes in = bytes_of(dec_good(d, 2, IO_BEFORE, 0));

	if (get64(in, off) == get64(all, off))
		return;
	d->ops->change(d->e);
	d->ops->around(d->e, "features=");
	say_flags(d, &tab_uffd_features, get64(all, off));
}

IO_STRUCT(uffd_api, X8(api), FL8(features, uffd_features), EXITS, AT(8, 8), HAND(NULL, say_uffd_offer, 8), FL8(ioctls, uffd_api_ioctls))
IO_STRUCT(uffd_register, SUB(range, uffd_range), FL8(mode, uffd_register), EXITS, FL8(ioctls, uffd_register_ioctls))
IO_STRUCT(uffd_copy, X8(dst), X8(src), X8(len), FL8(mode, uffd_copy), EXITS, X8(copy))
IO_STRUCT(uffd_zeropage, SUB(range, uffd_range), FL8(mode, uffd_zeropage), EXITS, X8(zeropage))
IO_STRUCT(uffd_wp, SUB(range, uffd_range), FL8(mode, uffd_wp))
IO_STRUCT(uffd_continue, SUB(range, uffd_range), FL8(mode, uffd_continue), EXITS, U8(mapped))
IO_STRUCT(uffd_poison, SUB(range, uffd_range), FL8(mode, uffd_poison), EXITS, U8(updated))
IO_STRUCT(kvm_memory, U4(slot), FL4(flags, kvm_mem_flags), X8(guest_phys_addr), U8(memory_size), X8(userspace_addr))
IO_STRUCT(tee_version, SY4(impl_id, tee_impl), AT(8, 8), FL4(gen_caps, tee_gen), AT(4, 4), X4(impl_caps), AT(12, 12))
IO_STRUCT(tee_close, X4(session))
IO_STRUCT(tee_cancel, U4(cancel_id), X4(session))
