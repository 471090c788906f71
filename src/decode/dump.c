/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* -e read= and -e write=: all bytes that a call carries, beside the arguments. */
#include "decode/kinds.h"
#include "decode/touch.h"

#include <string.h>

#include "util/macros.h"

/* The calls whose data is told, as of strace; their descriptor is the first argument. */
static const struct { const char *name; bool writes; } carriers[] = {
	{ "read", false },	  { "pread64", false },		   { "readv", false },		 { "preadv", false },
	{ "preadv2", false },	  { "recv", false },		   { "recvfrom", false },	 { "recvmsg", false },
	{ "recvmmsg", false },	  { "recvmmsg_time64", false },	   { "mq_timedreceive", false }, { "mq_timedreceive_time64", false },
	{ "write", true },	  { "pwrite64", true },		   { "writev", true },		 { "pwritev", true },
	{ "pwritev2", true },	  { "send", true },		   { "sendto", true },		 { "sendmsg", true },
	{ "sendmmsg", true },	  { "mq_timedsend", true },	   { "mq_timedsend_time64", true }, { "vmsplice", true },
};

const struct fd_set_spec *dump_set(const struct syscall *s, const struct decode_opts *opts)
{
	if (!s || (!opts->dump_reads && !opts->dump_writes))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(carriers); i++)
		if (!strcmp(carriers[i].name, s->name))
			return carriers[i].writes ? opts->dump_writes : opts->dump_reads;
	return NULL;
}

void dump_vector(struct dec *d, uint64_t index, uint64_t n_buffers)
{
	if (d->dump)
		d->ops->data(d->e, &(struct emit_data){ .is_vector = true, .index = index, .len = n_buffers });
}

void dump_buffer(struct dec *d, bool numbered, uint64_t index, const struct capture *c, uint64_t len)
{
	struct emit_data data = { .numbered = numbered, .index = index, .len = len };

	if (!d->dump || !len)
		return;
	if (!c || (c->flags & CT_CAP_FAILED)) {
		if (numbered)
			d->ops->data(d->e, &data);
		return;
	}
	data.bytes = c->data;
	data.have = MIN(c->len, len);
	d->ops->data(d->e, &data);
}

void dump_iovecs(struct dec *d, const struct iovecs *of, uint64_t count, uint64_t left)
{
	const struct capture *v = dec_cap(d, of->reg, of->part, of->idx);
	unsigned char raw[16];

	if (!d->dump)
		return;
	/* strace goes no further than to the first that is empty; here what follows it is told, too. */
	for (uint64_t i = 0; i < count && dec_element(v, i, 2 * d->word, raw); i++) {
		uint64_t len = dec_word(d, raw + d->word), n = MIN(len, left);

		dump_buffer(d, true, i, dec_good(d, of->reg, of->data_part, of->data_first + (unsigned)i), n);
		if (left != UINT64_MAX)
			left -= n;
	}
}
