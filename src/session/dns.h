/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_SESSION_DNS_H
#define CTRACE_SESSION_DNS_H
/*
 * Answers of name servers (RFC 1035), read with the C library's own parser
 * (libresolv), which checks every length and every compressed name.
 */
#include <stddef.h>
#include <stdint.h>

/* An address (of 4 or 16 bytes) is that of a name, for ttl seconds. The name is as the C library writes it, in lower case, with odd bytes as \DDD. */
typedef void dns_found_fn(void *data, const char *name, const uint8_t *address, size_t len, uint32_t ttl);

/*
 * Tells what addresses a message names. An alias (CNAME) is told by the name that was asked for. Number of addresses; -EBADMSG for
 * what is no such message or is cut; 0 for one that answers nothing.
 */
int dns_addresses(const uint8_t *message, size_t len, dns_found_fn *found, void *data);
/* The same over TCP: with the message's length before it, or without, where it was read apart. */
int dns_addresses_stream(const uint8_t *bytes, size_t len, dns_found_fn *found, void *data);

#endif
