/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "output/separate.h"

#include <stdio.h>

#define NAME_ROOM 128           /* of a file name's 255 bytes */

/* The name of a container as part of a file's: RUNTIME:NAME and namespace/pod have bytes that are none there. */
static void put_name(char *buf, size_t size, const char *name)
{
	size_t n = 0;

	for (; n < size - 1 && name[n]; n++) {
		unsigned char c = (unsigned char)name[n];

		buf[n] = c <= ' ' || c == '/' || c == 127 ? '_' : (char)c;
	}
	buf[n] = '\0';
}

void separate_select(struct outfile *out, const struct run_info *run, const struct task *t)
{
	char name[NAME_ROOM], suffix[NAME_ROOM + 16];
	const struct target_label *label;

	if (!outfile_has_parts(out))
		return;
	label = t->target < run->n_targets ? &run->targets[t->target] : NULL;
	if (label && !label->plain_prefix && label->name) {
		put_name(name, sizeof(name), label->name);
		snprintf(suffix, sizeof(suffix), "%s.%u", name, t->host_tid);
	} else {
		snprintf(suffix, sizeof(suffix), "%u", t->host_tid);
	}
	outfile_part(out, t->host_tid, suffix);
}
