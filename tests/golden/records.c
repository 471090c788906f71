/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "records.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct task rec_task(uint32_t host_tid, uint32_t tid, const char *comm)
{
	struct task t = { .host_tid = host_tid, .host_tgid = host_tid, .tid = tid, .tgid = tid };

	memcpy(t.comm, comm, strnlen(comm, CT_COMM_LEN));
	return t;
}

static uint32_t number_of(const char *name)
{
	char buf[32];

	for (uint32_t nr = 0; nr < CT_NR_NATIVE; nr++)
		if (!strcmp(call_name(ABI_NATIVE, nr, buf), name))
			return nr;
	fprintf(stderr, "golden: no system call %s\n", name);
	exit(1);
}

struct call rec_call(struct task t, const char *name, uint64_t enter_us, uint64_t exit_us, int64_t ret)
{
	return (struct call){
		.task = t, .enter = AT(enter_us), .exit = AT(exit_us), .abi = ABI_NATIVE, .nr = number_of(name), .ret = ret,
	};
}

void rec_capture(struct call *c, unsigned arg, unsigned flags, const void *data, size_t len, uint32_t true_len)
{
	c->captures[c->n_captures++] = (struct capture){
		.arg = (uint8_t)arg, .flags = (uint8_t)flags, .len = (uint32_t)len, .true_len = true_len, .data = data,
	};
}

void rec_string(struct call *c, unsigned arg, const char *s)
{
	rec_capture(c, arg, 0, s, strlen(s), (uint32_t)strlen(s));
}

int put_simple(struct sink *s, struct task t, const char *name, uint64_t enter_us, uint64_t exit_us, int64_t ret)
{
	struct call c = rec_call(t, name, enter_us, exit_us, ret);

	return s->ops->call(s, &c);
}

int put_openat(struct sink *s, struct task t, const char *path, uint64_t enter_us, uint64_t exit_us, int64_t ret)
{
	struct call c = rec_call(t, "openat", enter_us, exit_us, ret);

	c.args[0] = (uint32_t)AT_FDCWD;
	c.args[1] = 0x7ffc2a40;
	c.args[2] = O_RDONLY | O_CLOEXEC;
	rec_string(&c, 1, path);
	return s->ops->call(s, &c);
}

int put_exit_call(struct sink *s, struct task t, uint64_t enter_us, int code)
{
	struct call c = rec_call(t, "exit_group", enter_us, enter_us, 0);

	c.flags = CT_F_NO_RETURN;
	c.args[0] = (uint32_t)code;
	return s->ops->call(s, &c);
}

int put_end(struct sink *s, struct task t, uint64_t us, int status, bool last)
{
	struct exit_event e = { .task = t, .time = AT(us), .status = status, .group_dead = last };

	return s->ops->exit(s, &e);
}

int put_signal(struct sink *s, struct task t, uint64_t us, int signo)
{
	uint8_t fields[112] = { 0 };
	struct signal_event e = { .task = t, .time = AT(us), .signo = signo, .code = SI_USER, .fields = fields };
	uint32_t sender[2] = { 4711, 1000 };

	memcpy(fields, sender, sizeof(sender));
	return s->ops->signal(s, &e);
}

int golden_bench(struct sink *s, unsigned long n)
{
	struct task t = rec_task(6229, 7, "nginx");
	struct call calls[4];
	static const char data[] = "GET / HTTP/1.1\r\nHost: example\r\n\r\n";
	int r = 0;

	calls[0] = rec_call(t, "openat", 10, 22, -ENOENT);
	calls[0].args[0] = (uint32_t)AT_FDCWD;
	calls[0].args[1] = 0x7ffc2a40;
	calls[0].args[2] = O_RDONLY | O_CLOEXEC;
	rec_string(&calls[0], 1, "/etc/nginx/conf.d/none.conf");
	calls[1] = rec_call(t, "write", 30, 35, sizeof(data) - 1);
	calls[1].args[0] = 3;
	calls[1].args[1] = 0x7ffc2a80;
	calls[1].args[2] = sizeof(data) - 1;
	rec_capture(&calls[1], 1, 0, data, sizeof(data) - 1, sizeof(data) - 1);
	calls[2] = rec_call(t, "getppid", 40, 41, 1);
	calls[3] = rec_call(t, "close", 50, 51, 0);
	calls[3].args[0] = 3;
	for (unsigned long i = 0; i < n && r == 0; i++) {
		struct call *c = &calls[i % 4];

		c->enter += 100 * US;
		c->exit += 100 * US;
		r = s->ops->call(s, c);
	}
	return r;
}
