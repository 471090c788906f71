/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_IOCTL_HAND_H
#define CTRACE_DECODE_IOCTL_HAND_H
/* For the decoders of ioctl's arguments that are written by hand. */
#include "decode/ioctl_args.h"

/* What a part of the capture holds; nothing if it could not be read. */
static inline struct bytes io_part(const struct dec *d, unsigned part)
{
	return bytes_of(dec_good(d, 2, part, 0));
}

/* What the argument points to before the call, and after it. */
static inline struct bytes io_before(const struct dec *d)
{
	return io_part(d, IO_BEFORE);
}

static inline struct bytes io_after(const struct dec *d)
{
	return io_part(d, IO_AFTER);
}

/* False, and the address said: there is no structure of that size. */
static inline bool io_has(struct dec *d, struct bytes b, size_t size, unsigned part)
{
	if (dec_reg(d, 2) && b.len >= size)
		return true;
	say_unreadable(d, 2, dec_cap(d, 2, part, 0));
	return false;
}

/* The elements that lie behind a head of so many bytes, captured with it as far as they could be read. */
void io_say_behind(struct dec *d, unsigned part, size_t head, uint64_t n, size_t size, void (*element)(struct dec *d, struct bytes b));

#endif
