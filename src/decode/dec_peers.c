/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* --names: what names are told of, and what they can be learned from. */
#include "decode/dec_msg.h"
#include "decode/dec_net.h"
#include "decode/kinds.h"

#include <sys/socket.h>

#include "util/macros.h"

/* Calls that are about a socket of their first register, or may be. */
static bool has_socket(const struct syscall *s)
{
	return s && s->nargs && s->args[SOCKET_REG].kind == &kind_fd;
}

/* Those that receive into a buffer of any kind of file. */
static bool reads(const struct syscall *s)
{
	return s->nargs > 1 && (s->args[1].kind == &kind_buf_out || s->args[1].kind == &kind_iovec_out);
}

static bool receives(const struct syscall *s)
{
	const struct kind *k = s->nargs > 1 ? s->args[1].kind : NULL;

	return k && (reads(s) || k == &kind_recv_buf || k == &kind_msg_out || k == &kind_mmsg_out);
}

void cap_names(struct cap_builder *b, const struct syscall *s)
{
	struct cap_op *socket = NULL;

	if (!b->opts->names || !has_socket(s) || !(receives(s) || s->classes & C_NETWORK))
		return;
	for (unsigned i = 0; i < b->spec->nops; i++) {
		struct cap_op *op = &b->spec->ops[i];

		if (op->kind == CAP_SOCK && op->arg == SOCKET_REG)
			socket = op;
		if (reads(s) && op->when & CAP_EXIT && op->arg == 1)
			op->when |= CAP_NETLINK;
	}
	if (!socket)
		socket = cap_add(b, SOCKET_REG, PART_SOCKET, CAP_SOCK, CAP_ENTER);
	/* Of any family. */
	socket->elem = 0;
}

static const struct capture *find(const struct call *call, unsigned reg, unsigned part, unsigned idx)
{
	for (unsigned i = 0; i < call->n_captures; i++) {
		const struct capture *c = &call->captures[i];

		if (c->arg == reg && c->part == part && c->idx == idx)
			return c->flags & CT_CAP_FAILED ? NULL : c;
	}
	return NULL;
}

static bool socket_of(const struct call *call, struct ct_sock_id *ret)
{
	const struct capture *c = has_socket(syscall_get(call->abi, call->nr)) ? find(call, SOCKET_REG, PART_SOCKET, 0) : NULL;

	if (!c || c->len < sizeof(*ret))
		return false;
	memcpy(ret, c->data, sizeof(*ret));
	return true;
}

static uint32_t call_netns(const struct call *call)
{
	struct ct_sock_id id;

	return socket_of(call, &id) ? id.netns : 0;
}

void say_peer_name(struct dec *d, const void *address, size_t len)
{
	struct peer_names *p = d->opts->names;
	const char *name = p ? p->name(p, d->call, call_netns(d->call), address, len) : NULL;

	if (name)
		d->ops->peer_name(d->e, name);
}

/* --- what was received --- */

static uint16_t port_in(const struct capture *c)
{
	struct bytes b = bytes_of(c);
	uint16_t family = get16(b, 0);

	return (family == AF_INET || family == AF_INET6) && b.len >= 4 ? get_be16(b, 2) : 0;
}

static void take(struct received *r, const struct capture *data, const struct capture *from, uint64_t len)
{
	struct bytes b = bytes_cut(bytes_of(data), len);

	r->data = b.p;
	r->len = b.len;
	/* A datagram may come from anybody, also where the socket is connected by now. */
	if (from && port_in(from))
		r->port = port_in(from);
}

/* How many elements with data the messages before the i-th of an array have. */
static unsigned first_element(const struct bytes messages, unsigned i, unsigned word)
{
	uint64_t n = 0;

	for (unsigned k = 0; k < i; k++)
		n += MIN(get_uint(bytes_from(messages, (size_t)k * MMSG_SIZE(word)), MSG_IOVLEN(word), word), (uint64_t)CT_VEC_MAX);
	return n < UINT16_MAX ? (unsigned)n : UINT16_MAX;
}

static bool take_message(const struct call *call, unsigned i, bool of_array, struct received *r)
{
	unsigned word = call->abi == ABI_I386 || call->abi == ABI_ARM ? 4 : 8, first = 0;
	uint64_t len = (uint64_t)call->ret;

	if (i >= (of_array ? len : 1))
		return false;
	if (of_array) {
		struct bytes b = bytes_of(find(call, 1, PART_AFTER, 0));

		if (!bytes_have(b, (size_t)i * MMSG_SIZE(word), MMSG_SIZE(word)))
			return false;
		len = get32(bytes_from(b, (size_t)i * MMSG_SIZE(word)), MSG_SIZE(word));
		first = first_element(b, i, word);
	}
	/* An answer that lies in several buffers is left out: nobody reads one so. */
	take(r, find(call, 1, OF_DATA, first), find(call, 1, OF_NAME, i), len);
	return true;
}

bool call_received(const struct call *call, unsigned i, struct received *ret)
{
	const struct syscall *s = syscall_get(call->abi, call->nr);
	struct received r = { 0 };
	struct ct_sock_id id;

	if (!s || !receives(s) || call->flags & (CT_F_NO_RETURN | CT_F_IN_FLIGHT) || call->ret <= 0 || call_errno(call) ||
	    !socket_of(call, &id) || (id.family != AF_INET && id.family != AF_INET6))
		return false;
	r.netns = id.netns;
	r.port = id.peer_port;
	r.stream = id.type == SOCK_STREAM;
	if (s->args[1].kind == &kind_msg_out || s->args[1].kind == &kind_mmsg_out) {
		if (!take_message(call, i, s->args[1].kind == &kind_mmsg_out, &r))
			return false;
	} else if (i) {
		return false;
	} else {
		/* Of a vector the data of its first buffer. */
		take(&r, find(call, 1, s->args[1].kind == &kind_iovec_out, 0),
		     s->nargs > 4 && s->args[4].kind == &kind_sockaddr_out ? find(call, 4, 0, 0) : NULL, (uint64_t)call->ret);
	}
	*ret = r;
	return true;
}
