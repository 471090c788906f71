/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "record.h"

#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>

#include "decode/decode.h"
#include "util/macros.h"

#define DATA_MAX 1500           /* bytes of one capture */

/* A call that is being made. */
struct maker {
	struct rnd *r;
	struct record *rec;
	unsigned word;
	bool netlink;                   /* the socket is one, of a protocol */
	uint16_t protocol;
	bool network;                   /* a call of sockets: addresses and control messages are what it mostly has */
};

static struct rec_syscall *call_of(struct maker *m)
{
	return (struct rec_syscall *)m->rec->bytes;
}

/* --- data --- */

static void fill_numbers(struct rnd *r, uint8_t *p, size_t n)
{
	size_t step = rnd_below(r, 3) ? 4 : rnd_below(r, 2) ? 8 : 2;

	for (size_t i = 0; i < n; i += step) {
		uint64_t v = rnd_value(r);

		memcpy(p + i, &v, MIN(step, n - i));
	}
}

static void fill_text(struct rnd *r, uint8_t *p, size_t n)
{
	static const char some[] = "abc/.%\"\\\n\t<>@\x7f\x80\xc3\xa9\xe2\x82\xac, ={}[]0123";
	unsigned kind = rnd_below(r, 3);

	for (size_t i = 0; i < n; i++)
		p[i] = kind == 0 ? (uint8_t)('a' + i % 26) : kind == 1 ? (uint8_t)some[rnd_below(r, sizeof(some) - 1)] : (uint8_t)rnd_next(r);
	if (n && rnd_below(r, 2))
		p[rnd_below(r, (uint32_t)n)] = 0;
}

static void fill_sockaddr(struct rnd *r, uint8_t *p, size_t n)
{
	static const uint16_t usual[] = { AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK, 31, 44 };
	uint16_t family = rnd_below(r, 3) ? usual[rnd_below(r, ARRAY_SIZE(usual))] : (uint16_t)rnd_below(r, 48);

	fill_numbers(r, p, n);
	memcpy(p, &family, MIN(n, sizeof(family)));
}

static void fill_attributes(struct rnd *r, uint8_t *p, size_t n, unsigned depth);

/* IFLA_LINKINFO: what kind of link, then attributes that are of that kind. The type. */
static uint16_t fill_link(struct rnd *r, uint8_t *p, size_t n, unsigned depth)
{
	static const char *const kinds[] = { "bridge", "tun", "can", "vlan", "a_link_of_a_long_name" };
	const char *kind = kinds[rnd_below(r, ARRAY_SIZE(kinds))];
	size_t said = strlen(kind) + rnd_below(r, 2), len = MIN(said, n - 4), at = (len + 7) & ~(size_t)3;
	bool slave = rnd_below(r, 3) == 0;

	memset(p, 0, n);
	memcpy(p, (uint16_t[]){ (uint16_t)(4 + len), slave ? 4 : 1 }, 4);
	memcpy(p + 4, kind, MIN(len, strlen(kind)));
	if (at + 4 < n) {
		memcpy(p + at, (uint16_t[]){ (uint16_t)(n - at), (uint16_t)((slave ? 5 : 2) + (rnd_below(r, 4) == 0)) }, 4);
		fill_attributes(r, p + at + 4, n - at - 4, depth + 1);
	}
	return 18;
}

/* Attributes, one in another: length, type, data padded to 4. */
static void fill_attributes(struct rnd *r, uint8_t *p, size_t n, unsigned depth)
{
	while (n >= 4) {
		size_t most = rnd_below(r, 4) ? 40 : 240;
		uint16_t len = (uint16_t)(4 + rnd_below(r, (uint32_t)MIN(n - 4, most) + 1));
		uint16_t type = (uint16_t)rnd_below(r, rnd_below(r, 3) ? 24 : 70);
		size_t size = ((size_t)len + 3) & ~(size_t)3;

		if (depth < 4 && len >= 16 && rnd_below(r, 8) == 0)
			type = fill_link(r, p + 4, len - 4u, depth);
		else if (depth < 4 && rnd_below(r, 3) == 0)
			fill_attributes(r, p + 4, len - 4u, depth + 1);
		else
			fill_numbers(r, p + 4, len - 4u);
		if (rnd_below(r, 12) == 0)
			len = (uint16_t)rnd_value(r);
		if (rnd_below(r, 4) == 0)
			type |= (uint16_t)(rnd_below(r, 4) << 14);
		memcpy(p, &len, 2);
		memcpy(p + 2, &type, 2);
		if (size >= n)
			return;
		p += size;
		n -= size;
	}
}

/* What a message of a protocol may begin with. */
static uint16_t message_type(struct rnd *r, unsigned protocol)
{
	if (rnd_below(r, 12) == 0)
		return (uint16_t)rnd_value(r);
	if (rnd_below(r, 8) == 0)
		return (uint16_t)(1 + rnd_below(r, 4));
	switch (protocol) {
	case NETLINK_SOCK_DIAG:
		return (uint16_t)(18 + rnd_below(r, 4));
	case NETLINK_NETFILTER:
		return (uint16_t)(rnd_below(r, 14) << 8 | rnd_below(r, 28));
	default:
		return (uint16_t)(16 + rnd_below(r, rnd_below(r, 8) ? 112 : 4));
	}
}

static void fill_netlink(struct rnd *r, uint8_t *p, size_t n, unsigned protocol)
{
	static const uint8_t heads[] = { 4, 8, 12, 12, 16, 16, 20, 24, 28, 56, 72, 72, 0 };
	static const uint8_t families[] = { 0, AF_INET, AF_INET6, AF_UNIX, AF_NETLINK, AF_PACKET, 7, 43, 28 };

	while (n >= 16) {
		size_t most = rnd_below(r, 3) ? 100 : 600;
		uint32_t len = 16 + rnd_below(r, (uint32_t)MIN(n - 16, most) + 1);
		uint32_t head = protocol == NETLINK_SOCK_DIAG ? heads[rnd_below(r, ARRAY_SIZE(heads) - 5) + 4] : heads[rnd_below(r, ARRAY_SIZE(heads))];
		uint16_t type = message_type(r, protocol);

		fill_numbers(r, p, 16);
		fill_numbers(r, p + 16, MIN(len - 16, head));
		if (len > 16 && rnd_below(r, 6))
			p[16] = families[rnd_below(r, ARRAY_SIZE(families))];
		if (len - 16 > head)
			fill_attributes(r, p + 16 + head, len - 16 - head, 0);
		memcpy(p, &len, 4);
		memcpy(p + 4, &type, 2);
		len = (len + 3) & ~3u;
		if (len >= n)
			return;
		p += len;
		n -= len;
	}
}

void record_fill(struct rnd *r, uint8_t *p, size_t n)
{
	memset(p, 0, n);
	switch (rnd_below(r, 8)) {
	case 0:
		fill_text(r, p, n);
		break;
	case 1:
		fill_sockaddr(r, p, n);
		break;
	case 2:
		fill_netlink(r, p, n, NETLINK_ROUTE);
		break;
	case 3:
		fill_attributes(r, p, n, 0);
		break;
	default:
		fill_numbers(r, p, n);
	}
}

/* --- captures --- */

/* Its data, to be written by the caller; NULL: no room. */
static uint8_t *put(struct maker *m, unsigned arg, unsigned part, unsigned idx, size_t len)
{
	struct cap_hdr h = { .arg = (uint8_t)arg, .part = (uint8_t)part, .idx = (uint16_t)idx, .len = (uint16_t)len, .true_len = (uint32_t)len };
	size_t size = sizeof(h) + ((len + 3) & ~(size_t)3);
	uint8_t *at = m->rec->bytes + m->rec->len;

	if (size > sizeof(m->rec->bytes) - m->rec->len)
		return NULL;
	if (rnd_below(m->r, 12) == 0) {
		h.flags = (uint8_t)rnd_below(m->r, 16);
		h.true_len = rnd_below(m->r, 2) ? CT_LEN_UNKNOWN : (uint32_t)rnd_value(m->r);
	}
	memset(at, 0, size);
	memcpy(at, &h, sizeof(h));
	m->rec->len += size;
	call_of(m)->caps_len += (uint32_t)size;
	return at + sizeof(h);
}

/* Control messages (cmsg(3)) of those levels and types that are known, mostly. */
static void fill_control(struct rnd *r, uint8_t *p, size_t n, unsigned word)
{
	static const uint8_t types[] = { 1, 2, 3, 4, 6, 7, 8, 11, 20, 23, 29, 35, 37, 52, 63, 64, 65 };
	size_t header = word + 8;

	while (n >= header) {
		uint32_t room = (uint32_t)(n - header) + 1, level = rnd_below(r, 8) ? rnd_below(r, 2) : rnd_below(r, 48);
		uint32_t type = rnd_below(r, 8) ? types[rnd_below(r, sizeof(types))] : rnd_below(r, 80);
		uint64_t len = header + rnd_below(r, room < 60 ? room : 60);
		size_t step = ((size_t)len + word - 1) & ~(size_t)(word - 1);

		fill_numbers(r, p + header, (size_t)len - header);
		if (rnd_below(r, 12) == 0)
			len = rnd_value(r);
		memcpy(p, &len, word);
		memcpy(p + word, &level, 4);
		memcpy(p + word + 4, &type, 4);
		if (step >= n)
			return;
		p += step;
		n -= step;
	}
}

static void put_filled(struct maker *m, unsigned arg, unsigned part, unsigned idx, size_t len)
{
	uint8_t *p = put(m, arg, part, idx, len);

	if (p && m->netlink && rnd_below(m->r, 4))
		fill_netlink(m->r, p, len, m->protocol);
	else if (p && m->network && rnd_below(m->r, 3) == 0)
		fill_sockaddr(m->r, p, len);
	else if (p && m->network && rnd_below(m->r, 3) == 0)
		fill_control(m->r, p, len, m->word);
	else if (p)
		record_fill(m->r, p, len);
}

static void put_text(struct maker *m, unsigned arg, unsigned part, unsigned idx, size_t len)
{
	uint8_t *p = put(m, arg, part, idx, len);

	if (!p)
		return;
	fill_text(m->r, p, len);
	/* Its NUL is no part of it. */
	for (size_t i = 0; i < len; i++)
		p[i] = p[i] ? p[i] : '0';
}

/* How much an operation copies. */
static size_t length(struct maker *m, const struct cap_op *op, bool bytes)
{
	struct rec_syscall *c = call_of(m);
	uint64_t v = op->max, unit = op->elem ? op->elem : 1;
	__u64 *from = op->len_from == CAP_LEN_RET ? (__u64 *)&c->ret : op->len_arg < CT_ARGS ? &c->args[op->len_arg] : NULL;

	switch (op->len_from) {
	case CAP_LEN_FIXED:
		break;
	case CAP_LEN_ARG:
	case CAP_LEN_RET:
	case CAP_LEN_BITS:
		if (!from)
			return 0;
		if (*from > 400u && rnd_below(m->r, 4))
			*from = rnd_below(m->r, 80);
		v = op->len_from == CAP_LEN_BITS ? (*from + 63) / 64 * 8 : bytes ? *from * unit : *from;
		break;
	default:
		v = (rnd_below(m->r, 10) ? rnd_below(m->r, 12) : rnd_below(m->r, 300)) * (bytes ? unit : 1);
	}
	if (bytes && op->max)
		v = MIN(v, (uint64_t)op->max);
	if (rnd_below(m->r, 10) == 0)
		v = rnd_below(m->r, (uint32_t)MIN(v, (uint64_t)DATA_MAX) + 2);
	return (size_t)MIN(v, (uint64_t)(bytes ? DATA_MAX : 12));
}

static void put_vector(struct maker *m, const struct cap_op *op)
{
	size_t n = length(m, op, false);
	uint8_t *v = put(m, op->arg, op->part, 0, n * 2 * m->word);

	for (size_t i = 0; v && i < n; i++) {
		uint64_t base = rnd_below(m->r, 8) ? 0x7ffc1000 + i * 256 : rnd_value(m->r), len = rnd_below(m->r, 8) ? rnd_below(m->r, 100) : rnd_value(m->r);

		memcpy(v + i * 2 * m->word, &base, m->word);
		memcpy(v + i * 2 * m->word + m->word, &len, m->word);
		if (op->max && rnd_below(m->r, 8))
			put_filled(m, op->arg, op->part + 1u, (unsigned)i, (size_t)MIN(MIN(len, (uint64_t)op->max), (uint64_t)DATA_MAX));
	}
}

static void put_messages(struct maker *m, const struct cap_op *op)
{
	unsigned n = (unsigned)length(m, op, false);

	for (unsigned i = 0; i < n && i < 4; i++) {
		unsigned vectors = rnd_below(m->r, 3);

		put_filled(m, op->arg, op->part, i, rnd_below(m->r, 110));
		put_filled(m, op->arg, op->part + 1u, i, vectors * 2u * m->word);
		put_filled(m, op->arg, op->part + 3u, i, rnd_below(m->r, 120));
		for (unsigned k = 0; k < vectors; k++)
			put_filled(m, op->arg, op->part + 2u, i * vectors + k, rnd_below(m->r, 80));
	}
}

static void put_iocbs(struct maker *m, const struct cap_op *op)
{
	size_t all = length(m, op, false);
	unsigned n = (unsigned)MIN(all, (size_t)4);

	put_filled(m, op->arg, op->part, 0, (size_t)n * m->word);
	for (unsigned i = 0; i < n; i++) {
		put_filled(m, op->arg, op->part + 1u, i, 64);
		put_filled(m, op->arg, op->part + 2u, i, rnd_below(m->r, 64));
		put_filled(m, op->arg, op->part + 3u, i << 5 | rnd_below(m->r, 4), rnd_below(m->r, 40));
	}
}

/* A file, with a detail that fits, and its names. */
static void put_file(struct maker *m, unsigned arg, unsigned idx, int32_t fd)
{
	static const uint16_t sizes[] = { 0, sizeof(struct ct_file_socket), sizeof(struct ct_file_eventfd), sizeof(struct ct_file_signalfd),
					  sizeof(struct ct_file_pidfd), sizeof(struct ct_file_ptmx) };
	struct ct_file f = { .fd = fd, .detail = (uint8_t)rnd_below(m->r, ARRAY_SIZE(sizes)), .ino = rnd_value(m->r) };
	size_t names = rnd_below(m->r, 60);
	uint8_t *p;

	f.detail_len = sizes[f.detail];
	f.flags = (uint8_t)rnd_below(m->r, 8);
	f.mode = rnd_below(m->r, 16) << 12 | rnd_below(m->r, 4096);
	f.rdev = (uint32_t)rnd_value(m->r);
	f.magic = (uint32_t)rnd_value(m->r);
	if (rnd_below(m->r, 16) == 0)
		f.detail_len = (uint16_t)rnd_value(m->r);
	p = put(m, arg, CT_PART_FD, idx, sizeof(f) + sizes[f.detail] + names);
	if (!p)
		return;
	record_fill(m->r, p + sizeof(f), sizes[f.detail]);
	if (f.detail == CT_FILE_SOCKET)
		fill_sockaddr(m->r, p + sizeof(f), 4);
	fill_text(m->r, p + sizeof(f) + sizes[f.detail], names);
	memcpy(p, &f, sizeof(f));
}

static void put_pid(struct maker *m, uint64_t nr)
{
	struct ct_pid pid = { .nr = (int32_t)nr, .host_nr = (uint32_t)rnd_value(m->r), .is = rnd_below(m->r, 4) };
	uint8_t *p = put(m, 0, CT_PART_PID, 0, sizeof(pid));

	if (!p)
		return;
	fill_text(m->r, (uint8_t *)pid.comm, sizeof(pid.comm));
	memcpy(p, &pid, sizeof(pid));
}

static void put_socket(struct maker *m, const struct cap_op *op)
{
	struct ct_sock_id id = { .type = (uint16_t)rnd_below(m->r, 7), .protocol = rnd_below(m->r, 40) };
	uint8_t *p = put(m, op->arg, op->part, 0, sizeof(id));

	if (!p)
		return;
	fill_sockaddr(m->r, (uint8_t *)&id, sizeof(id.family));
	if (m->netlink) {
		id.family = AF_NETLINK;
		id.protocol = m->protocol;
		/* One that is not bound has no messages with names. */
		id.port_id = rnd_below(m->r, 8) ? 1 + rnd_below(m->r, 99) : 0;
	}
	memcpy(p, &id, sizeof(id));
}

static void put_files(struct maker *m, const struct cap_op *op)
{
	unsigned n = rnd_below(m->r, 4);

	for (unsigned i = 0; i < n; i++)
		put_file(m, op->arg, op->kind == CAP_FD_OF ? CT_FD_OTHERS : CT_FD_OWN, (int32_t)rnd_below(m->r, 64));
}

/* Arguments of which an operation depends, so that it happens. */
static void meet_condition(struct maker *m, const struct cap_op *op)
{
	__u64 *v = op->cond_arg < CT_ARGS ? &call_of(m)->args[op->cond_arg] : NULL;
	unsigned bit = rnd_below(m->r, 64);

	if (!v || rnd_below(m->r, 4) == 0)
		return;
	for (unsigned i = 0; i < 64 && !(op->cond_mask >> bit & 1); i++)
		bit = (bit + 1) % 64;
	if (op->cond == CAP_COND_VALUE)
		*v = (*v & ~(uint64_t)op->cond_and) | ((uint64_t)bit & op->cond_and);
	else if (op->cond == CAP_COND_BITS)
		*v |= op->cond_and;
	else if (op->cond == CAP_COND_FROM)
		*v = op->cond_and + bit;
}

static void put_operation(struct maker *m, const struct cap_op *op)
{
	struct rec_syscall *c = call_of(m);
	unsigned n;

	if (rnd_below(m->r, 12) == 0)
		return;
	switch (op->kind) {
	case CAP_STR:
		put_text(m, op->arg, op->part, 0, rnd_below(m->r, 50));
		return;
	case CAP_STRV:
		n = rnd_below(m->r, 5);
		for (unsigned i = 0; i < n; i++)
			put_text(m, op->arg, op->part, i, rnd_below(m->r, 30));
		return;
	case CAP_VCOUNT:
		put_filled(m, op->arg, op->part, 0, 4);
		return;
	case CAP_IOVEC:
		put_vector(m, op);
		return;
	case CAP_MMSG:
		put_messages(m, op);
		return;
	case CAP_IOCBS:
		put_iocbs(m, op);
		return;
	case CAP_IOCTL:
		put_filled(m, op->arg, op->part, 0, (size_t)MIN(c->args[1] >> 16 & 0x3fff, (uint64_t)DATA_MAX));
		return;
	case CAP_SOCK:
		put_socket(m, op);
		return;
	case CAP_PID:
	case CAP_CREDS:
		put_pid(m, rnd_value(m->r));
		return;
	case CAP_BYTES:
		put_filled(m, op->arg, op->part, 0, length(m, op, true));
		return;
	case CAP_VALUE:
		put_filled(m, op->arg, op->part, 0, sizeof(uint64_t));
		return;
	default:
		put_files(m, op);
	}
}

/* --- records --- */

static void make_header(struct rnd *r, struct record *rec, unsigned kind, size_t size)
{
	struct rec_hdr *h = (struct rec_hdr *)rec->bytes;

	memset(rec->bytes, 0, size);
	rec->len = size;
	h->kind = (uint16_t)kind;
	h->cpu = (uint16_t)rnd_below(r, 4);
	h->time = 100000000000u + rnd_below(r, 1000000);
	h->host_tid = 1 + rnd_below(r, 8);
	h->host_tgid = 1 + rnd_below(r, 8);
	h->tid = rnd_below(r, 8);
	h->tgid = rnd_below(r, 8);
	h->target = rnd_below(r, 8) ? 0 : rnd_below(r, 3) ? 1 : CT_NO_TARGET;
	if (rnd_below(r, 4))
		memcpy(h->comm, "nginx", 5);
	else
		fill_text(r, (uint8_t *)h->comm, CT_COMM_LEN);
}

static void put_places(struct maker *m, const struct cap_spec *spec)
{
	struct rec_syscall *c = call_of(m);

	for (unsigned i = 0; i < CT_ARGS; i++) {
		if (spec->fds >> i & 1 && rnd_below(m->r, 3))
			put_file(m, i, CT_FD_OWN, (int32_t)c->args[i]);
		if (spec->pids >> i & 1 && rnd_below(m->r, 3))
			put_pid(m, c->args[i]);
	}
	if (spec->fd_result && rnd_below(m->r, 2))
		put_file(m, 0, CT_FD_RESULT, (int32_t)c->ret);
	if (spec->pid_result && rnd_below(m->r, 2))
		put_pid(m, (uint64_t)c->ret);
	if (rnd_below(m->r, 8) == 0)
		put_filled(m, 0, CT_PART_IP, 0, 8);
	if (rnd_below(m->r, 8) == 0)
		put_text(m, 0, CT_PART_COMM, 0, CT_COMM_LEN);
}

static bool is_network(const struct syscall *s)
{
	static const char *const words[] = { "sock", "bind", "connect", "accept", "send", "recv", "getpeername" };

	for (size_t i = 0; s && i < ARRAY_SIZE(words); i++)
		if (strstr(syscall_name(s), words[i]))
			return true;
	return false;
}

/* A level that has options, and one of its numbers. */
static void choose_option(struct maker *m, const struct syscall *s)
{
	static const uint16_t levels[] = { 0, 1, 1, 6, 17, 41, 58, 132, 255, 263, 267, 270, 271, 279, 282, 283, 284, 285 };

	if (!s || !strstr(syscall_name(s), "sockopt") || rnd_below(m->r, 6) == 0)
		return;
	call_of(m)->args[1] = levels[rnd_below(m->r, ARRAY_SIZE(levels))];
	call_of(m)->args[2] = rnd_below(m->r, 90);
}

bool record_call(struct rnd *r, bool compat, uint32_t nr, int sub, struct record *ret)
{
	enum abi abi = compat ? ABI_COMPAT : ABI_NATIVE;
	struct decode_opts opts = { .string_limit = 32, .fds = FDS_ALL, .pid_comm = true, .pid_ns = true, .no_abbrev = rnd_below(r, 2) };
	struct cap_spec spec = { 0 };
	static const uint16_t protocols[] = { NETLINK_ROUTE, NETLINK_ROUTE, NETLINK_SOCK_DIAG, NETLINK_SOCK_DIAG, NETLINK_NETFILTER, NETLINK_GENERIC,
					      NETLINK_SELINUX, NETLINK_KOBJECT_UEVENT, NETLINK_XFRM, 40 };
	struct maker m = { .r = r, .rec = ret, .word = compat ? 4 : 8, .netlink = rnd_below(r, 4) == 0,
			   .protocol = protocols[rnd_below(r, ARRAY_SIZE(protocols))] };
	struct rec_syscall *c = call_of(&m);
	uint32_t value = 0;

	m.network = is_network(syscall_get(abi, nr));
	syscall_capture_spec(abi, nr, &opts, &spec);
	if (sub >= 0 && (!spec.by_arg || !syscall_capture_of_value(abi, nr, &opts, (size_t)sub, &value, &spec)))
		return false;
	make_header(r, ret, rnd_below(r, 12) ? CT_REC_SYSCALL : CT_REC_ENTER, sizeof(*c));
	c->h.flags = compat ? CT_F_COMPAT : 0;
	if (rnd_below(r, 12) == 0)
		c->h.flags |= rnd_below(r, 512) & ~CT_F_COMPAT;
	if (compat && rnd_below(r, 8) == 0)
		c->h.flags |= CT_F_MULTIPLEXED;
	c->enter_time = rnd_below(r, 8) ? c->h.time - rnd_below(r, 100000) : 0;
	c->nr = nr;
	c->seq = 1;
	c->ret = (int64_t)(rnd_below(r, 3) == 0 ? rnd_value(r) : rnd_below(r, 2) ? rnd_below(r, 64) : 0);
	for (int i = 0; i < CT_ARGS; i++)
		c->args[i] = rnd_below(r, 2) ? rnd_value(r) : rnd_below(r, 16);
	if (sub >= 0)
		c->args[spec.by_arg ? spec.by_arg - 1 : 0] = value;
	choose_option(&m, syscall_get(abi, nr));
	for (unsigned i = 0; i < spec.nops; i++)
		meet_condition(&m, &spec.ops[i]);
	for (unsigned i = 0; i < spec.nops; i++)
		put_operation(&m, &spec.ops[i]);
	put_places(&m, &spec);
	for (int i = 0; compat && i < CT_ARGS; i++)
		c->args[i] = (uint32_t)c->args[i];
	return true;
}

static void make_signal(struct rnd *r, struct record *ret)
{
	struct rec_signal *s = (struct rec_signal *)ret->bytes;

	make_header(r, ret, CT_REC_SIGNAL, sizeof(*s));
	s->signo = (int32_t)(1 + rnd_below(r, 64));
	s->code = rnd_below(r, 3) ? (int32_t)rnd_below(r, 12) - 6 : (int32_t)rnd_value(r);
	s->err = (int32_t)rnd_below(r, 200);
	fill_numbers(r, s->fields, sizeof(s->fields));
	s->sender.nr = (int32_t)rnd_below(r, 3);
	fill_text(r, (uint8_t *)s->sender.comm, CT_COMM_LEN);
	s->ip = rnd_value(r);
}

static void make_exec(struct rnd *r, struct record *ret)
{
	struct rec_exec *e = (struct rec_exec *)ret->bytes;
	uint32_t len = rnd_below(r, 60);

	make_header(r, ret, CT_REC_EXEC, sizeof(*e));
	e->old_host_tid = rnd_below(r, 3);
	e->old_tid = rnd_below(r, 3);
	e->filename_len = len;
	fill_text(r, ret->bytes + ret->len, len);
	ret->len += len;
}

static void make_made(struct rnd *r, struct record *ret)
{
	struct rec_made *m = (struct rec_made *)ret->bytes;
	uint32_t len = rnd_below(r, 60);

	make_header(r, ret, CT_REC_MADE, sizeof(*m));
	m->id = rnd_next(r);
	m->path_len = len;
	fill_text(r, ret->bytes + ret->len, len);
	ret->len += len;
}

/* The captures of a call go ahead of it. */
static void make_payload(struct rnd *r, struct record *ret)
{
	struct record call;
	struct rec_payload *p = (struct rec_payload *)ret->bytes;
	const struct rec_syscall *c = (const struct rec_syscall *)call.bytes;

	while (!record_call(r, rnd_below(r, 2), rnd_below(r, CT_NR_NATIVE), -1, &call))
		continue;
	make_header(r, ret, CT_REC_PAYLOAD, sizeof(*p));
	p->seq = 1;
	p->caps_len = c->caps_len;
	memcpy(ret->bytes + sizeof(*p), c + 1, c->caps_len);
	ret->len += c->caps_len;
}

static void make_event(struct rnd *r, struct record *ret)
{
	struct rec_exit *e = (struct rec_exit *)ret->bytes;

	switch (rnd_below(r, 6)) {
	case 0:
		make_signal(r, ret);
		break;
	case 1:
		make_exec(r, ret);
		break;
	case 2:
		make_payload(r, ret);
		break;
	case 3:
		make_made(r, ret);
		break;
	case 4:
		make_header(r, ret, CT_REC_EXIT, sizeof(*e));
		e->h.flags = rnd_below(r, 8) << 9;
		e->code = rnd_below(r, 2) ? rnd_below(r, 256) << 8 : rnd_below(r, 256);
		break;
	default:
		make_header(r, ret, CT_REC_LEFT, sizeof(struct rec_left));
	}
}

void record_any(struct rnd *r, struct record *ret)
{
	if (rnd_below(r, 8) == 0) {
		make_event(r, ret);
		return;
	}
	for (;;) {
		bool compat = rnd_below(r, 3) == 0;
		uint32_t nr = rnd_below(r, 24) ? rnd_below(r, CT_NR_NATIVE) : (uint32_t)rnd_value(r);

		if (rnd_below(r, 24) && !syscall_get(compat ? ABI_COMPAT : ABI_NATIVE, nr))
			continue;
		/* Of a call with commands of its own any one. */
		if (rnd_below(r, 3) && record_call(r, compat, nr, (int)rnd_below(r, rnd_below(r, 2) ? 24 : 1024), ret))
			return;
		if (record_call(r, compat, nr, -1, ret))
			return;
	}
}
