/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl: names of commands, from one compact table, and of those whose numbers hold a length or an index. */
#include "decode/ioctl_args.h"
#include "util/macros.h"

#include <stdio.h>

enum {
	X64 = 1, A64 = 2, I386 = 4, A32 = 8,
	W8 = X64 | A64, W4 = I386 | A32, X86 = X64 | I386, ARMS = A64 | A32, ALL = W8 | W4,
	X64_I386_A32 = X86 | A32, X64_A64_I386 = W8 | I386, X64_A64_A32 = W8 | A32,
};

/* All names in one block, so that a row is two numbers and needs no relocation. */
static const struct {
#define C(number, abis, name) char n_##number##_##abis[sizeof(name)];
#include "decode/ioctl_cmds.def"
#undef C
} names = {
#define C(number, abis, name) name,
#include "decode/ioctl_cmds.def"
#undef C
};

#define ABI_BITS 4

static const struct {
	uint32_t number;
	uint32_t place;                 /* of its name, and the ABIs in the lowest bits */
} rows[] = {
#define C(number, abis, name) { number, (uint32_t)offsetof(__typeof__(names), n_##number##_##abis) << ABI_BITS | (abis) },
#include "decode/ioctl_cmds.def"
#undef C
};

static uint32_t abi_bit(enum abi abi)
{
	switch (abi) {
	case ABI_ARM64:
		return A64;
	case ABI_I386:
		return I386;
	case ABI_ARM:
		return A32;
	default:
		return X64;
	}
}

const char *io_name(enum abi abi, uint32_t number)
{
	size_t low = 0, high = ARRAY_SIZE(rows), middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (rows[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < ARRAY_SIZE(rows) && rows[low].number == number; low++)
		if (rows[low].place & abi_bit(abi))
			return (const char *)&names + (rows[low].place >> ABI_BITS);
	return NULL;
}

#define DIR(number) ((number) >> 30)
#define SIZE(number) ((number) >> 16 & 0x3fff)
#define TYPE(number) ((number) >> 8 & 0xff)
#define NR(number) ((number) & 0xff)
enum { DIR_NONE, DIR_WRITE, DIR_READ, DIR_BOTH };

/* Commands with a length in place of a size: EVIOCGNAME(256). include/uapi: input.h, hidraw.h, hiddev.h, joystick.h, uinput.h, spidev.h */
static const struct {
	uint8_t dir, type, nr;
	const char *name;
} with_length[] = {
	{ DIR_READ, 'E', 0x06, "EVIOCGNAME" }, { DIR_READ, 'E', 0x07, "EVIOCGPHYS" }, { DIR_READ, 'E', 0x08, "EVIOCGUNIQ" },
	{ DIR_READ, 'E', 0x09, "EVIOCGPROP" }, { DIR_READ, 'E', 0x0a, "EVIOCGMTSLOTS" }, { DIR_READ, 'E', 0x18, "EVIOCGKEY" },
	{ DIR_READ, 'E', 0x19, "EVIOCGLED" }, { DIR_READ, 'E', 0x1a, "EVIOCGSND" }, { DIR_READ, 'E', 0x1b, "EVIOCGSW" },
	{ DIR_READ, 'H', 0x04, "HIDIOCGRAWNAME" }, { DIR_READ, 'H', 0x05, "HIDIOCGRAWPHYS" }, { DIR_READ, 'H', 0x08, "HIDIOCGRAWUNIQ" },
	{ DIR_READ, 'H', 0x12, "HIDIOCGPHYS" }, { DIR_BOTH, 'H', 0x06, "HIDIOCSFEATURE" }, { DIR_BOTH, 'H', 0x07, "HIDIOCGFEATURE" },
	{ DIR_READ, 'U', 0x2c, "UI_GET_SYSNAME" }, { DIR_READ, 'j', 0x13, "JSIOCGNAME" }, { DIR_WRITE, 'k', 0x00, "SPI_IOC_MESSAGE" },
};

static bool call_of(struct words *w, const char *name, uint32_t v)
{
	words_str(w, name);
	words_str(w, "(");
	words_udec(w, v);
	words_str(w, ")");
	return true;
}

#define EVDEV_BITS 0x20         /* EVIOCGBIT(ev, len): from here on, 32 of them; then absolute axes, 64 each */
#define EVDEV_GABS 0x40
#define EVDEV_SABS 0xc0

static bool evdev_name(const struct dec *d, struct words *w, uint32_t number)
{
	unsigned nr = NR(number);

	if (DIR(number) == DIR_READ && nr >= EVDEV_BITS && nr < EVDEV_GABS) {
		words_str(w, "EVIOCGBIT(");
		if (nr == EVDEV_BITS)
			words_str(w, "0");
		else
			words_name(w, &tab_evdev_ev, nr - EVDEV_BITS, d->opts->consts == CONST_ABBREV);
		words_str(w, ", ");
		words_udec(w, SIZE(number));
		words_str(w, ")");
		return true;
	}
	if (DIR(number) == DIR_READ && nr >= EVDEV_GABS && nr < EVDEV_GABS + 0x40) {
		words_str(w, "EVIOCGABS(");
		words_name(w, &tab_evdev_abs, nr - EVDEV_GABS, d->opts->consts == CONST_ABBREV);
	} else if (DIR(number) == DIR_WRITE && nr >= EVDEV_SABS) {
		words_str(w, "EVIOCSABS(");
		words_name(w, &tab_evdev_abs, nr - EVDEV_SABS, d->opts->consts == CONST_ABBREV);
	} else {
		return false;
	}
	words_str(w, ")");
	return true;
}

/* A name that is put together from the number. */
static bool composed_name(const struct dec *d, struct words *w, uint32_t number)
{
	for (size_t i = 0; i < ARRAY_SIZE(with_length); i++)
		if (with_length[i].type == TYPE(number) && with_length[i].nr == NR(number) && with_length[i].dir == DIR(number))
			return call_of(w, with_length[i].name, SIZE(number));
	if (TYPE(number) == 'E')
		return evdev_name(d, w, number);
	if (TYPE(number) == 'M' && DIR(number) == DIR_READ)
		return call_of(w, "MIXER_READ", NR(number));
	if (TYPE(number) == 'M' && DIR(number) == DIR_WRITE)
		return call_of(w, "MIXER_WRITE", NR(number));
	return false;
}

/* _IOC(_IOC_READ, 0x54, 0x1, 0x24) */
static void words_ioc(struct words *w, uint32_t number)
{
	static const char *const directions[] = { "_IOC_NONE", "_IOC_WRITE", "_IOC_READ", "_IOC_READ|_IOC_WRITE" };

	words_str(w, "_IOC(");
	words_str(w, directions[DIR(number)]);
	words_str(w, ", ");
	words_hex(w, TYPE(number));
	words_str(w, ", ");
	words_hex(w, NR(number));
	words_str(w, ", ");
	words_hex(w, SIZE(number));
	words_str(w, ")");
}

/* The errors with which a terminal refuses to be set, beyond those of the kernel's own for a call to be made again. */
static bool is_terminals(int err)
{
	enum { EINTR_NR = 4, EIO_NR = 5, EFAULT_NR = 14, RESTARTS = 512 };

	return !err || err == EINTR_NR || err == EIO_NR || err == EFAULT_NR || err >= RESTARTS;
}

/*
 * The three numbers that a sound timer and a terminal share. strace looks the
 * device up; a terminal is what did not answer as others do.
 */
static const char *terminal_name(const struct dec *d, uint32_t number)
{
	static const char *const names_of[] = { "TCSETS", "TCSETSW", "TCSETSF" };

	if (number < 0x5402 || number > 0x5404 || !is_terminals(d->err))
		return NULL;
	return names_of[number - 0x5402];
}

void io_say_name(struct dec *d, uint32_t number)
{
	const char *name = terminal_name(d, number);
	struct words w = { 0 };
	bool composed = false;

	if (!name) {
		composed = composed_name(d, &w, number);
		name = io_name(d->call->abi, number);
	}
	if (!composed && name) {
		d->ops->sym(d->e, name, number);
		return;
	}
	if (composed && name) {
		words_str(&w, " or ");
		words_str(&w, name);
	}
	if (!composed)
		words_ioc(&w, number);
	d->ops->named(d->e, w.buf, number, EMIT_HEX);
}
