/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Asynchronous I/O of the first kind: io_setup and its family. */
#include "calls.h"

#include <fcntl.h>
#include <linux/aio_abi.h>
#include <signal.h>
#include <sys/uio.h>
#include <time.h>

static void *bad;

struct sigset_arg { const void *set; size_t size; };

static struct iocb op(int what, int fd, const void *buf, uint64_t n, int64_t off)
{
	return (struct iocb){ .aio_data = 0x1234, .aio_lio_opcode = what, .aio_fildes = fd, .aio_buf = (uintptr_t)buf,
			      .aio_nbytes = n, .aio_offset = off };
}

static void submits(aio_context_t ctx, int fd)
{
	static char b[64], c[64];
	static struct iovec v[2] = { { "vector", 6 }, { "of two", 6 } }, r[2] = { { b, 5 }, { c, 6 } };
	struct iocb i[14], *p[40];

	section("io_submit");
	memset(p, 0, sizeof(p));
	i[0] = op(IOCB_CMD_PWRITE, fd, "a first write of more than thirty-two bytes", 43, 0);
	i[1] = op(IOCB_CMD_PREAD, fd, b, 10, 3);
	i[2] = op(IOCB_CMD_PWRITEV, fd, v, 2, 50);
	i[3] = op(IOCB_CMD_PREADV, fd, r, 2, 0);
	i[4] = op(IOCB_CMD_FSYNC, fd, NULL, 0, 0);
	i[5] = op(IOCB_CMD_FDSYNC, fd, b, 7, 9);
	for (int k = 0; k < 14; k++)
		p[k] = &i[k];
	CALL(io_submit, ctx, 6, p);
	i[6] = op(IOCB_CMD_POLL, fd, (void *)0x3, 1, 2);
	i[7] = op(IOCB_CMD_NOOP, fd, (void *)0x3, 1, 2);
	i[8] = op(77, -1, b, 1, -1);
	i[9] = op(IOCB_CMD_PWRITE, -1, bad, 10, -7);
	i[9].aio_reqprio = 5;
	i[10] = op(IOCB_CMD_PWRITEV, -1, bad, 10, 0);
	i[11] = op(IOCB_CMD_PWRITE, -1, "eventfd", 7, 0);
	i[11].aio_flags = IOCB_FLAG_RESFD, i[11].aio_resfd = 66;
	i[12] = op(IOCB_CMD_PREADV, -1, NULL, 0, 0);
	i[12].aio_rw_flags = 0x3, i[12].aio_flags = 0xff, i[12].aio_key = 99, i[12].aio_reserved2 = 5;
	i[13] = op(IOCB_CMD_PREAD, -1, NULL, -1, 0);
	i[13].aio_data = 0;
	for (int k = 6; k < 14; k++)
		CALL(io_submit, ctx, 1, p + k);
	CALL(io_submit, ctx, 0, p);
	CALL(io_submit, ctx, -1, tail(p, sizeof(p)));
	CALL(io_submit, ctx, 3, bad);
	CALL(io_submit, ctx, 1, NULL);
	CALL(io_submit, 0, 2, p + 8);
	p[1] = bad;
	CALL(io_submit, 0, 3, p);
	p[1] = NULL;
	CALL(io_submit, 0, 3, p);
	CALL(io_submit, 0, 3, tail(p, 16));
	for (int k = 0; k < 40; k++)
		p[k] = &i[4];
	CALL(io_submit, 0, 40, p);
	for (int k = 0; k < 10; k++) {
		i[4] = op(k, -1, (void *)1, 1, 3);
		i[4].aio_flags = 5, i[4].aio_resfd = 7;
		CALL(io_submit, 0, 1, p);
		i[4].aio_flags = 4;
		CALL(io_submit, 0, 1, p);
		i[4].aio_flags = 0;
		CALL(io_submit, 0, 1, p);
	}
}

static void results(aio_context_t ctx, int fd)
{
	struct io_event e[10];
	struct timespec ts = { 0, 1000 };
	uint64_t set = 0x4002;
	struct sigset_arg sig = { &set, 8 };
	struct iocb i = op(IOCB_CMD_PREAD, fd, e, 1, 0);

	section("io_getevents");
	memset(e, 0, sizeof(e));
	CALL(io_getevents, ctx, 0, 2, e, NULL);
	CALL(io_getevents, ctx, 1, 10, e, &ts);
	CALL(io_getevents, ctx, 0, 10, e, &ts);
	CALL(io_getevents, ctx, 0, 0, bad, bad);
	CALL(io_getevents, 0, 1, 1, e, NULL);
	CALL(io_getevents, ctx, 5, 2, NULL, NULL);
	section("io_pgetevents");
	CALL(io_pgetevents, ctx, 0, 10, e, &ts, &sig);
	CALL(io_pgetevents, ctx, 0, 10, e, NULL, NULL);
	CALL(io_pgetevents, ctx, 0, 10, e, &ts, bad);
	sig.set = bad;
	CALL(io_pgetevents, ctx, 0, 10, e, bad, &sig);
	sig.set = &set, sig.size = 7;
	CALL(io_pgetevents, 0, 1, 1, e, &ts, &sig);
	sig.set = NULL;
	CALL(io_pgetevents, ctx, 0, 1, e, &ts, &sig);
	section("io_cancel");
	CALL(io_cancel, ctx, &i, e);
	i = op(IOCB_CMD_PWRITE, -1, "cancelled", 9, 4);
	CALL(io_cancel, 0, &i, bad);
	CALL(io_cancel, 0, bad, e);
	CALL(io_cancel, 0, NULL, NULL);
}

int main(void)
{
	char name[] = "/tmp/ctrace-calls_aio.XXXXXX";
	aio_context_t ctx = 0;
	int fd;

	resident();
	bad = bad_page();
	fd = mkstemp(name);
	if (fd < 0 || unlink(name))
		return 1;
	section("io_setup");
	CALL(io_setup, 16, &ctx);
	CALL(io_setup, 0, &ctx);
	CALL(io_setup, -1, bad);
	CALL(io_setup, 1, NULL);
	submits(ctx, fd);
	results(ctx, fd);
	CALL(io_destroy, ctx);
	CALL(io_destroy, 0);
	CALL(io_destroy, bad);
	return 0;
}
