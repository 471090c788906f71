/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TESTS_FUZZ_CALLS_H
#define CTRACE_TESTS_FUZZ_CALLS_H
/*
 * The input of fuzz_calls: 8 bytes that choose the display options, then
 * records, each behind its length (32 bits). All that lies in between when
 * the bytes of a mutation do not fit is left out.
 */
#include <stddef.h>
#include <stdint.h>

#define CALLS_OPTIONS 8

/* The record at *at, a copy of its header is not needed: its length into *ret_len, *at behind it. NULL: no more. */
static inline const uint8_t *calls_next(const uint8_t *data, size_t size, size_t *at, size_t *ret_len)
{
	const uint8_t *p;
	uint32_t len;

	if (*at > size || size - *at < sizeof(len))
		return NULL;
	__builtin_memcpy(&len, data + *at, sizeof(len));
	p = data + *at + sizeof(len);
	*ret_len = len < size - *at - sizeof(len) ? len : size - *at - sizeof(len);
	*at += sizeof(len) + *ret_len;
	return p;
}

#endif
