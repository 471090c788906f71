/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CLI_ANNOUNCE_H
#define CTRACE_CLI_ANNOUNCE_H
/* Targets in words: for the output, and for the opening lines. */
#include "cli/config.h"

/* One label a target; they point into the list and the config. NULL: no memory. The array is malloc'd. */
struct target_label *labels_make(const struct target_list *targets, const struct config *c);
/* Again for one target, of which something else is known. */
void label_update(struct target_label *l, const struct target *t, const struct config *c);

/* One line for each target, but none for COMMAND, as strace says nothing there either. */
void announce(const struct target_list *targets, const struct target_env *env, const struct config *c);

/* "docker container web (9c6eb891676c): 3 tasks; its pid 1 is 6229 on the host" */
void target_describe(const struct target *t, const struct target_env *env, char *buf, size_t size);

/* "container web", "docker container web (9c6eb891676c)", "cgroup /sys/fs/cgroup/a": what is waited for. */
void target_wanted(const struct target *t, char *buf, size_t size);

/* The time zone of the output's time stamps: Europe/Berlin, or CET, or UTC. */
void time_zone_name(char *buf, size_t size);

#endif
