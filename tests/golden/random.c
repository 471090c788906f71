/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records of random content: whatever a traced program does, a line of text
 * stays one line of printable ASCII and a line of JSON stays a valid record.
 * The values lean to the edges; the numbers follow from the seed alone.
 */
#include <stdlib.h>
#include <string.h>

#include "records.h"
#include "util/macros.h"

#define BLOCK 32768

static uint64_t state;
static unsigned char block[BLOCK];

static uint64_t rnd(void)
{
	/* xorshift64 (Marsaglia 2003) */
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint64_t value(void)
{
	switch (rnd() % 8) {
	case 0:
		return 0;
	case 1:
		return rnd() % 64;
	case 2:
		return rnd();
	case 3:
		return 0 - rnd() % 600;
	case 4:
		return rnd() % 70000;
	case 5:
		return UINT64_C(1) << rnd() % 64;
	case 6:
		return (uint32_t)rnd();
	default:
		return 0x7ffc00000000 + rnd() % 100000;
	}
}

static struct task random_task(void)
{
	struct task t = { .host_tid = (uint32_t)(1 + rnd() % 50), .tid = (uint32_t)(rnd() % 60) };

	t.host_tgid = t.host_tid - (uint32_t)(rnd() % 2);
	t.tgid = t.tid;
	for (int i = 0; i < CT_COMM_LEN - 1; i++)
		t.comm[i] = (char)rnd();
	return t;
}

/* The captures are copies of their own, so that a sanitizer sees each byte that is read beyond one. */
static void random_captures(struct call *c)
{
	c->n_captures = rnd() % 50 ? (unsigned)(rnd() % 20) : CALL_CAPTURES;
	for (unsigned i = 0; i < c->n_captures; i++) {
		struct capture *p = &c->captures[i];
		void *copy;

		p->arg = (uint8_t)(rnd() % 7);
		p->part = (uint8_t)(rnd() % 4);
		p->idx = (uint16_t)(rnd() % 8 ? 0 : rnd() % CT_VEC_MAX);
		p->flags = (uint8_t)(rnd() % 3 ? 0 : rnd() % 16);
		if (!(p->flags & CT_CAP_FAILED))
			p->len = (uint32_t)(rnd() % 3 ? rnd() % 160 : rnd() % 5000);
		p->true_len = rnd() % 3 ? p->len : (uint32_t)rnd();
		copy = malloc(p->len ? p->len : 1);
		if (!copy)
			abort();
		memcpy(copy, block + rnd() % (BLOCK - 5000), p->len);
		p->data = copy;
	}
}

static int put_call(struct sink *s, uint64_t time)
{
	struct call c = { .task = random_task(), .enter = rnd() % 3 ? time : 0, .exit = time + rnd() % 5000 };
	int r = 0;

	c.abi = rnd() % 3 ? ABI_NATIVE : ABI_COMPAT;
	c.flags = (uint32_t)(rnd() % 4 ? 0 : rnd() & 0x1fe) | (c.abi == ABI_COMPAT ? CT_F_COMPAT : 0);
	c.nr = (uint32_t)(rnd() % 20 ? rnd() % 480 : rnd());
	for (int i = 0; i < CT_ARGS; i++)
		c.args[i] = c.abi == ABI_COMPAT ? (uint32_t)value() : value();
	c.ret = (int64_t)(rnd() % 3 ? rnd() % 5000 : value());
	random_captures(&c);
	if (s->run->opts->split && rnd() % 2)
		r = s->ops->enter(s, &c);
	if (r == 0 && (!s->run->opts->split || rnd() % 3))
		r = s->ops->call(s, &c);
	for (unsigned i = 0; i < c.n_captures; i++)
		free((void *)c.captures[i].data);
	return r;
}

static int put_random_signal(struct sink *s, uint64_t time)
{
	struct signal_event e = { .task = random_task(), .time = time, .signo = (int)(1 + rnd() % 64) };
	uint8_t fields[112];

	for (size_t i = 0; i < sizeof(fields); i++)
		fields[i] = (uint8_t)rnd();
	e.code = rnd() % 3 ? (int)(rnd() % 12) - 6 : (int)rnd();
	e.err = (int)(rnd() % 200);
	e.fields = fields;
	return s->ops->signal(s, &e);
}

static int put_random_exit(struct sink *s, uint64_t time)
{
	struct exit_event e = { .task = random_task(), .time = time };

	e.status = rnd() % 2 ? (int)(rnd() % 256) << 8 : (int)(1 + rnd() % 64) | (rnd() % 2 ? 0x80 : 0);
	e.group_dead = rnd() % 2;
	return s->ops->exit(s, &e);
}

static int put_random_exec(struct sink *s, uint64_t time)
{
	struct exec_event e = { .task = random_task(), .time = time, .filename = (const char *)block };

	e.filename_len = rnd() % 100;
	e.old_host_tid = (uint32_t)(rnd() % 2 ? 0 : 1 + rnd() % 50);
	return s->ops->exec(s, &e);
}

int golden_random(struct sink *s, unsigned long n, unsigned long seed)
{
	int r = 0;

	state = 88172645463325252u ^ seed * 7919;
	for (unsigned long i = 0; i < n && r == 0; i++) {
		uint64_t time = AT(i * 10);

		for (size_t k = 0; k < BLOCK && i % 64 == 0; k += 8) {
			uint64_t v = rnd() % 3 ? value() : rnd();

			memcpy(block + k, &v, 8);
		}
		r = put_call(s, time);
		if (r == 0 && rnd() % 8 == 0)
			r = put_random_signal(s, time);
		if (r == 0 && rnd() % 10 == 0)
			r = put_random_exit(s, time);
		if (r == 0 && rnd() % 10 == 0)
			r = put_random_exec(s, time);
	}
	return r;
}
