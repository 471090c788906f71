/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Well-formed arguments of ioctl: the device mapper's, SCSI's, real-time clocks', input devices', seccomp's and btrfs's, on a
 * descriptor that is none and as calls that succeeded. The latter are answered by a process that listens to the other's filter, and
 * returns what their fourth register has.
 */
#include "calls.h"
#include "parts/answers.h"

#include <linux/dm-ioctl.h>
#include <linux/seccomp.h>
#include <scsi/sg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define C(number, abis, name) number,
static const uint32_t commands[] = {
#include "../../src/decode/ioctl_cmds.def"
};

#define ROOM 8192

static void *bad;

/* The same on both descriptors; the second returns that much. */
static void both(uint32_t number, void *arg, int result)
{
	CALL(ioctl, -1, number, arg);
	CALL(ioctl, ANSWERED, number, arg, result);
}

/* --- each command of these, with memory of several forms --- */

enum { WORDS, COUNTS, POINTERS, TEXT, BITS, FORMS };

static void fill(unsigned char *p, unsigned form)
{
	static const char text[] = "name";
	static unsigned char *target;

	if (!target)
		target = tail(NULL, 4096);
	memset(p, 0, ROOM);
	for (unsigned i = 0; i < ROOM / 8; i++) {
		uint32_t words[2] = { form == BITS ? 1u << i % 31 : i % 5, form == BITS ? 3 : form == COUNTS ? 0 : i % 3 };
		uintptr_t pointer = (uintptr_t)target;

		if (form == POINTERS)
			memcpy(p + 8 * i, &pointer, sizeof(pointer));
		else if (form == TEXT)
			memcpy(p + 8 * i, text, sizeof(text));
		else
			memcpy(p + 8 * i, words, sizeof(words));
	}
}

static int is_ours(uint32_t number)
{
	unsigned kind = number >> 8 & 0xff;

	return kind == 0xfd || kind == 'E' || kind == 'p' || kind == '!' || kind == 0x94 || kind == 0x22;
}

static void forms(void)
{
	unsigned char *p = tail(NULL, ROOM);

	for (unsigned form = 0; form < FORMS; form++) {
		section("forms");
		fill(p, form);
		for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
			/* Of TREE_SEARCH_V2 the items would lie behind all of the memory. */
			if ((!i || commands[i] != commands[i - 1]) && is_ours(commands[i]) && !(form == WORDS && commands[i] == 0xc0709411))
				both(commands[i], p, form);
	}
}

/* --- the device mapper --- */

static void dm_head(struct dm_ioctl *d, unsigned size, unsigned start)
{
	memset(d, 0, 1024);
	d->version[0] = 4;
	d->version[1] = 48;
	d->data_size = size;
	d->data_start = start;
	d->flags = DM_READONLY_FLAG | DM_BUFFER_FULL_FLAG;
	d->event_nr = 7;
	d->open_count = 2;
	d->dev = 0xfd03;
	strcpy(d->name, "vol");
	strcpy(d->uuid, "CRYPT-1");
}

static void dm_table(struct dm_ioctl *d, unsigned at, unsigned next, int absolute)
{
	struct dm_target_spec *t = (void *)((char *)d + at);

	d->target_count = 2;
	t->sector_start = 0;
	t->length = 2048;
	t->status = -5;
	strcpy(t->target_type, "linear");
	strcpy((char *)(t + 1), "/dev/sda 0");
	t->next = next;
	t = (void *)((char *)d + at + next);
	t->sector_start = 2048;
	t->length = 1;
	strcpy(t->target_type, "error");
	t->next = absolute ? 2 * next : next;
}

static void dm_commands(struct dm_ioctl *d)
{
	for (unsigned nr = 0; nr < 20; nr++)
		both(_IOWR(DM_IOCTL, nr, struct dm_ioctl), d, 0);
}

static void mapper(void)
{
	static const struct { unsigned size, start; } places[] = {
		{ 305, 312 }, { 312, 312 }, { 320, 312 }, { 352, 312 }, { 353, 312 }, { 1024, 305 }, { 1024, 304 }, { 1024, 0 }, { 1024, 984 }, { 1024, 985 },
		{ 1024, 1023 }, { 1024, 1024 }, { 1024, 0xfffffff8 }, { 0xffffffff, 312 },
	};
	struct dm_ioctl *d = tail(NULL, 1024);
	char *data = (char *)d + 312;

	section("device mapper");
	dm_head(d, 1024, 312);
	dm_table(d, 312, 56, 0);
	dm_commands(d);
	dm_table(d, 312, 0, 0);
	dm_commands(d);
	dm_table(d, 312, 56, 1);
	d->target_count = 3;
	dm_commands(d);
	/* What is behind is a list, or text. */
	dm_head(d, 1024, 312);
	memcpy(data, "\2\0\0\0\0\0\0\0\3\375\0\0\0\0\0\0\4\375\0\0\0\0\0\0", 24);
	dm_commands(d);
	dm_head(d, 1024, 312);
	memcpy(data, "\3\375\0\0\0\0\0\0\30\0\0\0vol\0\0\0\0\0\0\0\0\0\0\0\4\375\0\0\0\0\0\0\0\0\0\0other\0", 42);
	dm_commands(d);
	for (unsigned room = 11; room < 46; room++) {
		static const unsigned versions[] = { 36, 37, 38 };

		dm_head(d, 1024, 312);
		d->version[1] = versions[room % 3];
		/* The first four bytes, and those of the second eight, are how far the next one is. */
		data[0] = data[8] = (char)room;
		both(DM_LIST_DEVICES, d, 0);
		both(DM_LIST_VERSIONS, d, 0);
		dm_table(d, 312, room, 0);
		both(DM_TABLE_LOAD, d, 0);
		both(DM_TABLE_STATUS, d, 0);
	}
	dm_head(d, 1024, 312);
	memcpy(data, "\40\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0linear\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\3\0\0\0\0striped\0", 56);
	dm_commands(d);
	memcpy(data, "\10\0\0\0\0\0\0\0message to a target\0", 28);
	dm_commands(d);
	for (unsigned len = 30; len < 35; len++) {
		dm_head(d, 1024, 312);
		dm_table(d, 312, 120, 0);
		memset(data + 40, 'l', len);
		memset(data + 8, 0, 4);
		dm_commands(d);
	}
	memset(data, 'x', 712);
	memset(d->name, 'n', sizeof(d->name));
	memset(d->uuid, 'u', sizeof(d->uuid));
	dm_commands(d);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		section("device mapper's places");
		dm_head(d, places[i].size, places[i].start);
		d->target_count = 1;
		dm_commands(d);
	}
}

/* --- SG_IO --- */

static void scsi_one(struct sg_io_hdr *h)
{
	static const int directions[] = { SG_DXFER_NONE, SG_DXFER_TO_DEV, SG_DXFER_FROM_DEV, SG_DXFER_TO_FROM_DEV, -5, -6, 0 };

	for (size_t i = 0; i < sizeof(directions) / sizeof(directions[0]); i++) {
		h->dxfer_direction = directions[i];
		both(SG_IO, h, 0);
	}
}

static void scsi(void)
{
	static unsigned char command[16] = { 0x12, 0, 0, 0, 96 }, sense[32] = { 0x70, 0, 5, 0, 0, 0, 0, 10 }, data[300], v4[160] = { 'Q' };
	struct sg_io_hdr h = { .interface_id = 'S', .cmd_len = 6, .mx_sb_len = 32, .dxfer_len = 96, .dxferp = data, .cmdp = command, .sbp = sense,
			       .timeout = 5000, .flags = SG_FLAG_DIRECT_IO | 0x20, .pack_id = 3, .status = 2, .masked_status = 1,
			       .msg_status = 0, .sb_len_wr = 18, .host_status = 7, .driver_status = 8, .resid = 60, .duration = 12,
			       .info = SG_INFO_CHECK | SG_INFO_DIRECT_IO };
	struct iovec iov[3] = { { data, 10 }, { data + 100, 40 }, { data, 100 } };

	section("SCSI");
	for (unsigned i = 0; i < sizeof(data); i++)
		data[i] = (unsigned char)i;
	scsi_one(&h);
	h.resid = 0;
	h.cmd_len = 16;
	h.dxfer_len = 300;
	scsi_one(&h);
	h.resid = -1;
	h.sb_len_wr = 0;
	h.cmd_len = 0;
	scsi_one(&h);
	h.iovec_count = 3;
	h.dxferp = iov;
	h.dxfer_len = 120;
	scsi_one(&h);
	h.resid = 115;
	scsi_one(&h);
	h.iovec_count = 5;
	h.dxferp = tail(iov, sizeof(iov));
	scsi_one(&h);
	h.iovec_count = 0;
	h.dxferp = h.cmdp = h.sbp = NULL;
	h.cmd_len = h.sb_len_wr = 8;
	h.resid = 500;
	scsi_one(&h);
	h.dxferp = h.cmdp = h.sbp = bad;
	scsi_one(&h);
	h.iovec_count = 1;
	scsi_one(&h);
	for (unsigned i = 0; i < 8; i++) {
		int how = (int)(i & 3) + (i & 4 ? 0x100 : 0);

		both(SG_SCSI_RESET, &how, 0);
	}
	both(SG_IO, tail(&h, sizeof(h) - 1), 0);
	both(SG_IO, tail("S\0\0\0", 4), 0);
	both(SG_IO, tail("S\0", 2), 0);
	both(SG_IO, v4, 0);
	both(SG_IO, tail(v4, 4), 0);
}

/* --- input devices: lengths stand in the number, and what is there in the result --- */

static void input(void)
{
	static const unsigned numbers[] = { 0x06, 0x07, 0x08, 0x09, 0x0a, 0x18, 0x19, 0x1a, 0x1b, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x31,
					    0x32, 0x34, 0x35, 0x36, 0x37, 0x38, 0x3f, 0x40, 0x41, 0x7f, 0xc0, 0xff };
	static const unsigned sizes[] = { 0, 1, 4, 8, 24, 28, 96, 200 };
	static const int results[] = { 0, 1, 2, 4, 8, 24, 96 };
	unsigned char *p = tail(NULL, 256);

	for (unsigned form = 0; form < 3; form++) {
		section("input devices");
		memset(p, form == 1 ? 0xff : 0, 256);
		for (unsigned i = 0; form == 2 && i < 256; i += 7)
			p[i] = (unsigned char)(1 << i % 8);
		for (size_t n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++) {
			/* strace reads whole longs, also where there is room for none. */
			for (size_t s = numbers[n] > 8 && numbers[n] < 0x40 ? 3 : 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
				both(_IOC(_IOC_READ, 'E', numbers[n], sizes[s]), p, results[s % 7]);
				both(_IOC(_IOC_WRITE, 'E', numbers[n], sizes[s]), p, 0);
			}
			for (size_t r = 0; r < sizeof(results) / sizeof(results[0]); r++)
				CALL(ioctl, ANSWERED, _IOC(_IOC_READ, 'E', numbers[n], 96), tail(p, 90), results[r]);
		}
	}
}

/* --- seccomp: the listener's own calls, and what it is asked wrongly --- */

static void send_fd(int socket, int fd)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec iov = { control, 1 };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	if (sendmsg(socket, &m, 0) != 1)
		abort();
}

static int receive_fd(int socket)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 }, byte;
	struct iovec iov = { &byte, 1 };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control) };
	int fd;

	if (recvmsg(socket, &m, 0) != 1)
		abort();
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(fd));
	return fd;
}

static void ask_wrongly(int fd)
{
	struct seccomp_notif n = { .flags = 1 };
	struct seccomp_notif_resp r = { .id = 1, .val = -2, .error = -13, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };
	struct seccomp_notif_addfd a = { .id = 1, .flags = SECCOMP_ADDFD_FLAG_SETFD | SECCOMP_ADDFD_FLAG_SEND, .srcfd = 0, .newfd = 9,
					 .newfd_flags = 02000000 };
	uint64_t id = 5, flags = 1;

	section("seccomp");
	CALL(ioctl, fd, SECCOMP_IOCTL_NOTIF_RECV, &n);
	CALL(ioctl, fd, SECCOMP_IOCTL_NOTIF_SEND, &r);
	CALL(ioctl, fd, SECCOMP_IOCTL_NOTIF_ID_VALID, &id);
	CALL(ioctl, fd, SECCOMP_IOCTL_NOTIF_ADDFD, &a);
	a.srcfd = 0xffffffff;
	a.flags = 0x10;
	CALL(ioctl, fd, SECCOMP_IOCTL_NOTIF_ADDFD, &a);
	CALL(ioctl, fd, _IOW('!', 4, uint64_t), &flags);
	flags = 3;
	CALL(ioctl, fd, _IOW('!', 4, uint64_t), flags);
	CALL(ioctl, fd, SECCOMP_IOCTL_NOTIF_SEND, bad);
	CALL(ioctl, fd, SECCOMP_IOCTL_NOTIF_ADDFD, tail(&a, 20));
	CALL(ioctl, fd, SECCOMP_IOCTL_NOTIF_ID_VALID, NULL);
}

/* What the caller left in the structure is told, too: each kind of machine. */
static void machines(void)
{
	static const uint32_t bits[] = { 0, 0x40000000, 0x80000000, 0xc0000000, 0x60000000, 0xe0000000, 0xa0000000 };
	static const uint16_t others[] = { 8, 21, 22, 43, 183, 188, 191, 195, 243, 252, 258, 0x9026, 0x9080, 0x9041, 0xa390, 0x5441, 0xabc7 };
	struct seccomp_notif n = { .id = 1, .pid = 2, .data = { .nr = 1, .instruction_pointer = 3, .args = { 1, 2, 3, 4, 5, 6 } } };

	section("machines");
	for (size_t b = 0; b < sizeof(bits) / sizeof(bits[0]); b++) {
		for (unsigned k = 0; k < sizeof(others) / sizeof(others[0]) + (b < 2 ? 200 : 0); k++) {
			n.data.arch = bits[b] | (k < 17 ? others[k] : k - 17);
			CALL(ioctl, -1, SECCOMP_IOCTL_NOTIF_RECV, &n);
		}
	}
	n.data.arch = 0x40000003;
	for (n.data.nr = -1; n.data.nr < 600; n.data.nr += 50)
		CALL(ioctl, -1, SECCOMP_IOCTL_NOTIF_RECV, &n);
	n.data.arch = 0xc000003e;
	for (n.data.nr = -1; n.data.nr < 600; n.data.nr += 50)
		CALL(ioctl, -1, SECCOMP_IOCTL_NOTIF_RECV, &n);
}

/* Until the other one has ended. */
static void answer(int fd)
{
	struct seccomp_notif n;
	struct seccomp_notif_resp r;
	struct seccomp_notif_addfd a;

	for (unsigned i = 0;; i++) {
		memset(&n, 0, sizeof(n));
		if (syscall(SYS_ioctl, fd, SECCOMP_IOCTL_NOTIF_RECV, &n))
			return;
		if (i < 3) {
			CALL(ioctl, fd, SECCOMP_IOCTL_NOTIF_ID_VALID, &n.id);
			a = (struct seccomp_notif_addfd){ .id = n.id, .srcfd = 0, .newfd = i == 1 ? 20 : 0, .flags = i == 1 };
			CALL(ioctl, fd, SECCOMP_IOCTL_NOTIF_ADDFD, &a);
		}
		r = (struct seccomp_notif_resp){ .id = n.id, .val = (int32_t)n.data.args[3] };
		CALL(ioctl, fd, SECCOMP_IOCTL_NOTIF_SEND, &r);
	}
}

static void answered(int socket)
{
	int fd = answers_listener();

	if (fd < 0)
		exit(0);
	send_fd(socket, fd);
	close(fd);
	forms();
	mapper();
	scsi();
	input();
	exit(0);
}

int main(void)
{
	int pair[2], pid, fd;

	resident();
	bad = bad_page();
	if (syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, pair))
		abort();
	pid = raw_fork();
	if (!pid) {
		close(pair[0]);
		answered(pair[1]);
	}
	close(pair[1]);
	fd = receive_fd(pair[0]);
	ask_wrongly(fd);
	machines();
	answer(fd);
	CALL(wait4, pid, NULL, 0, NULL);
	return 0;
}
