/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* i386's first mmap(2): one pointer to its six arguments. */
#include "decode/kinds.h"

#include <string.h>

static void decode_old_mmap(struct dec *d)
{
	/* They are the call's arguments, and no structure for -e verbose=. */
	const struct capture *c = dec_good_text(d, 0, 0, 0);
	uint32_t v[6];

	if (!c || c->len < sizeof(v)) {
		dec_begin(d, 0);
		say_unreadable(d, 0, dec_text(d, 0, 0, 0));
		return;
	}
	memcpy(v, c->data, sizeof(v));
	dec_arg(d, 0, "addr");
	say_addr(d, v[0]);
	dec_arg(d, 0, "length");
	say_udec(d, v[1]);
	dec_arg(d, 0, "prot");
	say_flags(d, &tab_prot_flags, v[2]);
	dec_arg(d, 0, "flags");
	say_mmap_flags(d, v[3]);
	dec_arg(d, 0, "fd");
	say_fd(d, (int)v[4], false);
	dec_arg(d, 0, "offset");
	say_hex(d, v[5]);
}

static void capture_old_mmap(struct cap_builder *b, const struct syscall *s)
{
	(void)s;
	cap_fixed(b, 0, 0, CAP_ENTER, 6 * sizeof(uint32_t));
	cap_fd_at(b, 0, CAP_ENTER, 4 * sizeof(uint32_t));
}

const struct hooks hooks_old_mmap = { .decode = decode_old_mmap, .capture = capture_old_mmap };
