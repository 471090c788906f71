/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Calls that are told when they begin. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>

#include "records.h"
#include "util/macros.h"

#define TRY(expression)                 \
	do {                            \
		int _r = (expression);  \
		if (_r < 0)             \
			return _r;      \
	} while (0)

/* The beginning of a call, as the kernel side tells it: without what is copied at its end. */
static int begin(struct sink *s, const struct call *c)
{
	struct call b = *c;

	b.exit = 0;
	b.ret = 0;
	b.flags &= ~(CT_F_NO_RETURN | CT_F_IN_FLIGHT);
	b.n_captures = 0;
	for (unsigned i = 0; i < c->n_captures; i++)
		if (!(c->captures[i].flags & CT_CAP_AT_EXIT))
			b.captures[b.n_captures++] = c->captures[i];
	return s->ops->enter(s, &b);
}

static int end(struct sink *s, const struct call *c)
{
	return s->ops->call(s, c);
}

static int both(struct sink *s, const struct call *c)
{
	TRY(begin(s, c));
	return end(s, c);
}

static struct call reads(struct task t, uint64_t enter_us, uint64_t exit_us)
{
	struct call c = rec_call(t, "read", enter_us, exit_us, 5);

	c.args[0] = 3;
	c.args[1] = 0x7ffc2a40;
	c.args[2] = 100;
	rec_capture(&c, 1, CT_CAP_AT_EXIT, "hello", 5, 5);
	return c;
}

static struct call opens(struct task t, uint64_t enter_us, uint64_t exit_us)
{
	struct call c = rec_call(t, "openat", enter_us, exit_us, -ENOENT);

	c.args[0] = (uint32_t)AT_FDCWD;
	c.args[1] = 0x7ffc2a40;
	c.args[2] = O_RDONLY | O_CLOEXEC;
	rec_string(&c, 1, "/etc/none");
	return c;
}

static struct call ends(struct task t, uint64_t us, int code)
{
	struct call c = rec_call(t, "exit_group", us, us + 20, 0);

	c.flags = CT_F_NO_RETURN;
	c.args[0] = (uint32_t)code;
	return c;
}

/* Pairs, whole lines, what comes between, and the ways to end. */
int feed_split(struct sink *s)
{
	struct task a = rec_task(6229, 7, "nginx"), b = rec_task(6230, 8, "worker"), c = rec_task(6231, 9, "third");
	struct call read_a = reads(a, 10, 500), open_b = opens(b, 20, 60), read_b = reads(b, 100, 300), pause_c, exits, last;

	TRY(begin(s, &read_a));
	TRY(both(s, &open_b));
	TRY(begin(s, &read_b));
	TRY(put_signal(s, c, 150, SIGUSR1));
	TRY(end(s, &read_b));
	TRY(end(s, &read_a));
	/* of the same task, nothing between */
	read_a = reads(a, 600, 700);
	TRY(both(s, &read_a));
	/* told twice, and once more when it has ended */
	TRY(begin(s, &read_a));
	read_a = reads(a, 800, 900);
	TRY(begin(s, &read_a));
	TRY(begin(s, &read_a));
	TRY(end(s, &read_a));
	/* its beginning was lost; its end was lost */
	open_b = opens(b, 1000, 1100);
	TRY(end(s, &open_b));
	read_b = reads(b, 1200, 1300);
	TRY(begin(s, &read_b));
	open_b = opens(b, 1400, 1500);
	TRY(both(s, &open_b));
	/* never returned: with and without arguments to come, and at once */
	pause_c = rec_call(c, "pause", 1600, 2000, 0);
	pause_c.flags = CT_F_NO_RETURN;
	TRY(begin(s, &pause_c));
	read_b = reads(b, 1700, 2100);
	read_b.flags = CT_F_NO_RETURN;
	TRY(begin(s, &read_b));
	exits = ends(a, 1800, 3);
	TRY(both(s, &exits));
	TRY(end(s, &pause_c));
	TRY(put_end(s, c, 2010, SIGKILL, true));
	TRY(end(s, &read_b));
	TRY(put_end(s, b, 2110, SIGKILL, true));
	TRY(put_end(s, a, 2200, 3 << 8, true));
	/* the last line is open at the end: ended by its own call, by another's line */
	read_a = reads(a, 3000, 0);
	TRY(begin(s, &read_a));
	read_b = reads(b, 3100, 0);
	TRY(begin(s, &read_b));
	read_b.flags = read_a.flags = CT_F_IN_FLIGHT;
	read_b.exit = read_a.exit = 0;
	TRY(end(s, &read_b));
	TRY(end(s, &read_a));
	last = reads(c, 3200, 0);
	last.exit = 0;
	last.flags = CT_F_IN_FLIGHT;
	TRY(end(s, &last));
	last.flags = 0;
	TRY(begin(s, &last));
	last.flags = CT_F_IN_FLIGHT;
	last.enter = 0;
	return end(s, &last);
}

/* Arguments that go on where the call ended, the result's detail, and what a program did under its leader's number. */
int feed_split_arguments(struct sink *s)
{
	struct task a = rec_task(100, 100, "sh"), b = rec_task(101, 101, "sh"), moved = rec_task(100, 100, "exec");
	struct call c = rec_call(a, "sendfile", 0, 50, 10), d = rec_call(b, "poll", 10, 60, 1), e;
	struct exec_event exec = { .task = moved, .time = AT(200), .old_host_tid = 101, .old_tid = 101, .filename = "/x", .filename_len = 2 };
	static const uint64_t before = 2, after = 12;
	static const struct { int fd; short events, revents; } asked = { 0, 1, 0 }, told = { 0, 1, 1 };

	moved.host_tgid = b.host_tgid = 100;
	c.args[0] = 4;
	c.args[1] = 3;
	c.args[2] = 0x7ffc2a40;
	c.args[3] = 10;
	rec_capture(&c, 2, 0, &before, 8, 8);
	rec_capture(&c, 2, CT_CAP_AT_EXIT, &after, 8, 8);
	c.captures[1].part = 1;
	d.args[0] = 0x7ffc2a80;
	d.args[1] = 1;
	d.args[2] = 1000;
	rec_capture(&d, 0, 0, &asked, 8, 8);
	rec_capture(&d, 0, CT_CAP_AT_EXIT, &told, 8, 8);
	d.captures[1].part = 1;
	TRY(begin(s, &c));
	TRY(begin(s, &d));
	TRY(end(s, &c));
	TRY(end(s, &d));
	e = rec_call(a, "pause", 100, 190, -514);
	TRY(begin(s, &e));
	c = rec_call(b, "execve", 150, 250, 0);
	c.args[0] = 0x7ffc2a40;
	rec_string(&c, 0, "/x");
	TRY(begin(s, &c));
	TRY(s->ops->exec(s, &exec));
	c.task = moved;
	TRY(end(s, &c));
	e = rec_call(moved, "getpid", 300, 301, 100);
	TRY(both(s, &e));
	/* the same where another line came between */
	e = rec_call(b, "execve", 400, 500, -ENOENT);
	e.args[0] = 0x7ffc2a40;
	rec_string(&e, 0, "/none");
	TRY(begin(s, &e));
	TRY(put_signal(s, a, 450, SIGUSR1));
	exec.time = AT(460);
	TRY(s->ops->exec(s, &exec));
	e.task = moved;
	return end(s, &e);
}
