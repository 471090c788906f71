/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* RFC 1035, section 4. */
#include "make.h"

#include <string.h>

struct message {
	struct rnd *r;
	uint8_t *p;
	size_t n;
};

static void put(struct message *m, const void *bytes, size_t n)
{
	if (n > ANSWER_MAX - m->n)
		n = ANSWER_MAX - m->n;
	memcpy(m->p + m->n, bytes, n);
	m->n += n;
}

static void put16(struct message *m, unsigned v)
{
	put(m, (uint8_t[]){ (uint8_t)(v >> 8), (uint8_t)v }, 2);
}

static void put_name(struct message *m)
{
	static const char *const labels[] = { "www", "example", "Com", "a\"b", "\n\x80", "x", "0123456789012345678901234567890123456789012345678901234567890123" };

	for (unsigned i = 1 + rnd_below(m->r, 3); i; i--) {
		const char *label = labels[rnd_below(m->r, sizeof(labels) / sizeof(labels[0]))];

		put(m, (uint8_t[]){ (uint8_t)(rnd_below(m->r, 30) ? strlen(label) : rnd_next(m->r)) }, 1);
		put(m, label, strlen(label));
	}
	put(m, "", 1);
}

static void put_pointer(struct message *m, size_t at)
{
	put16(m, 0xc000u | (unsigned)(rnd_below(m->r, 30) ? at : rnd_below(m->r, 1300)));
}

/* The resource record of an owner whose name stands at *owner; an alias makes the next one another's. */
static void put_record(struct message *m, size_t *owner, unsigned aliases)
{
	static const uint16_t types[] = { 1, 28, 1, 28, 5, 2, 41 };
	unsigned type = rnd_below(m->r, 8) < aliases ? 5 : types[rnd_below(m->r, 7)], len = type == 28 ? 16 : 4;
	size_t field;

	if (rnd_below(m->r, 12))
		put_pointer(m, rnd_below(m->r, 12) ? *owner : 12);
	else
		put_name(m);
	put16(m, type);
	put16(m, rnd_below(m->r, 20) ? 1 : (unsigned)rnd_next(m->r));
	put16(m, rnd_below(m->r, 4) ? 0 : (unsigned)rnd_next(m->r));
	put16(m, (unsigned)rnd_next(m->r));
	field = m->n;
	if (rnd_below(m->r, 12) == 0)
		len = rnd_below(m->r, 20);
	put16(m, len);
	if (type != 5) {
		put(m, "\x7f\0\0\1\xfe\x80\0\0\0\0\0\0\0\0\0\1\2\3\4\5", len);
		return;
	}
	*owner = m->n;
	if (rnd_below(m->r, 4))
		put_name(m);
	else
		put_pointer(m, 12);
	len = rnd_below(m->r, 20) ? (unsigned)(m->n - field - 2) : rnd_below(m->r, 30);
	if (m->n < ANSWER_MAX && field + 1 < ANSWER_MAX) {
		m->p[field] = (uint8_t)(len >> 8);
		m->p[field + 1] = (uint8_t)len;
	}
}

size_t make_answer(struct rnd *r, uint8_t p[static ANSWER_MAX])
{
	struct message m = { r, p, 0 };
	unsigned n = rnd_below(r, 3) ? 1 + rnd_below(r, 4) : rnd_below(r, 20), aliases = rnd_below(r, 8);
	size_t owner = 12;

	put16(&m, (unsigned)rnd_next(r));
	put16(&m, rnd_below(r, 20) ? 0x8180 : (unsigned)rnd_next(r));
	put16(&m, rnd_below(r, 20) ? 1 : rnd_below(r, 3));
	put16(&m, rnd_below(r, 20) ? n : rnd_below(r, 300));
	put16(&m, 0);
	put16(&m, 0);
	put_name(&m);
	put16(&m, 1);
	put16(&m, 1);
	while (n--)
		put_record(&m, &owner, aliases);
	return rnd_below(r, 8) ? m.n : rnd_below(r, (uint32_t)m.n + 1);
}
