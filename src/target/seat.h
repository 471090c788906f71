/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TARGET_SEAT_H
#define CTRACE_TARGET_SEAT_H
/* Inside src/target: targets in reserve for containers that pods get later. */
#include "target/resolver.h"

/* The IDs that the runtimes' files told of at one time, sorted. */
struct known_ids {
	char **v;
	size_t n;
};

int known_ids_take(struct known_ids *known, const struct container_entries *entries);
void known_ids_done(struct known_ids *known);

/* How many seats --wait and --follow-restarts want for a spec; 0 for most. */
size_t seats_wanted(const struct target_spec *spec);
/* Appends them, vacant; the caller has made room. 0 or a negative errno. */
int seats_add(struct resolver *r, const struct target_spec *spec, struct target_list *list);

/*
 * A seat that is vacant is taken by a container of its pods that no target in the list stands for (t->spec.arg is its
 * name then); one whose container is gone from the files becomes vacant. 1: so it was, 0, or a negative errno.
 */
int seat_update(struct resolver *r, const struct target_list *list, const struct known_ids *known, struct target *t);
/* Containers that have come and found no seat. */
size_t seats_missing(struct resolver *r, const struct target_list *list, const struct known_ids *known);

#endif
