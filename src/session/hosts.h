/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_SESSION_HOSTS_H
#define CTRACE_SESSION_HOSTS_H
/* hosts(5): the names of a file /etc/hosts, which is the container's and holds any bytes. */
#include <stddef.h>
#include <stdint.h>

#define HOSTS_MAX (256u << 10)  /* bytes of a file that are read */

struct hosts;

/* NULL when memory runs out. The bytes are not kept. */
struct hosts *hosts_parse(const char *bytes, size_t len);
void hosts_free(struct hosts *h);
/* The first name of the first line with the address, an IPv4 one as ::ffff:a.b.c.d; NULL: there is none. Bytes of anybody. */
const char *hosts_name(const struct hosts *h, const uint8_t address[static 16]);

#endif
