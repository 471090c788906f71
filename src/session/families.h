/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_SESSION_FAMILIES_H
#define CTRACE_SESSION_FAMILIES_H
/*
 * Generic netlink families by their numbers, which the kernel gives out as
 * their modules are loaded: asked for when one is met that is not known.
 */
#include "decode/decode.h"

#include <time.h>

struct families {
	int fd;                         /* a socket in the network namespace that is asked; -1: none */
	struct {
		uint16_t id;
		char name[FAMILY_NAME];
	} v[128];
	size_t n;
	time_t asked;                   /* CLOCK_MONOTONIC; 0: never */
};

/* False: there is none of that number, or none that the network namespace knows. */
bool families_find(struct families *f, uint16_t id, char buf[static FAMILY_NAME]);

#endif
