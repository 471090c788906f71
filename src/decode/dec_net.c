/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sockets: how they are made, addresses that are passed and filled in. */
#include "decode/dec_net.h"
#include "decode/kinds.h"
#include "decode/netlink.h"

#include "util/macros.h"

/* --- socket, socketpair --- */

#define TYPE_MASK 0xfu

static void decode_sock_type(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	uint32_t v = (uint32_t)dec_reg(d, reg), flags = v & ~TYPE_MASK;
	const char *name = sym_name(&tab_socket_types, v & TYPE_MASK);
	const struct symtab *t = &tab_accept4_flags;
	uint32_t rest = flags;

	if (!name || !flags) {
		if (name)
			say_sym(d, &tab_socket_types, v);
		else
			say_flags(d, t, v);
		return;
	}
	d->ops->flags_begin(d->e, v & ~(uint32_t)TYPE_MASK);
	d->ops->flag_apart(d->e, name, v & TYPE_MASK, EMIT_HEX);
	for (size_t i = 0; i < t->n; i++) {
		if (!(rest & t->v[i].v))
			continue;
		d->ops->flag(d->e, t->v[i].name, t->v[i].v);
		rest &= ~(uint32_t)t->v[i].v;
	}
	if (rest)
		d->ops->flag(d->e, NULL, rest);
	d->ops->flags_end(d->e);
	if (rest == flags)
		d->ops->comment(d->e, t->unknown);
}

const struct kind kind_sock_type = { .decode = decode_sock_type };

#define FAMILY_AX25 3

/* Always a number, with its name beside it. */
static void say_ax25_protocol(struct dec *d, uint64_t v)
{
	const char *name = sym_name(&tab_ax25_protocols, v);
	struct words w = { 0 };

	words_hex(&w, v);
	words_str(&w, " /* ");
	words_str(&w, name ? name : tab_ax25_protocols.unknown);
	words_str(&w, " */");
	if (d->opts->consts == CONST_RAW) {
		d->ops->word(d->e, w.buf);
		return;
	}
	say_hex(d, v);
	d->ops->comment(d->e, name ? name : tab_ax25_protocols.unknown);
}

/* The protocol means something else in each family. */
static void decode_sock_protocol(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	static const struct { uint32_t family; const struct symtab *t; } tables[] = {
		{ 2, &tab_ip_protocols },         { 10, &tab_ip_protocols },        { 16, &tab_netlink_protocols },
		{ 23, &tab_irda_protocols },      { 29, &tab_can_protocols },       { 31, &tab_bluetooth_protocols },
		{ 33, &tab_socket_domains },      { 34, &tab_isdn_protocols },      { 35, &tab_phonet_protocols },
		{ 37, &tab_caif_protocols },      { 39, &tab_nfc_protocols },       { 41, &tab_kcm_protocols },
		{ 43, &tab_smc_protocols },
	};
	uint32_t family = (uint32_t)dec_reg(d, 0), v = (uint32_t)dec_reg(d, reg);

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		if (tables[i].family == family) {
			say_sym(d, tables[i].t, v);
			return;
		}
	}
	if (family == FAMILY_AX25)
		say_ax25_protocol(d, dec_reg(d, reg));
	else if (family == 17)          /* an Ethernet type in network order */
		say_ether_type(d, (uint16_t)((v & 0xff) << 8 | (v >> 8 & 0xff)));
	else
		say_udec(d, dec_reg(d, reg));
}

const struct kind kind_sock_protocol = { .decode = decode_sock_protocol };

/* --- addresses --- */

#define SXDP_SHARED_UMEM_FD 12  /* where it is in struct sockaddr_xdp */

static void decode_sockaddr_in(struct dec *d, const struct arg *a, unsigned reg)
{
	say_sockaddr(d, dec_cap(d, reg, 0, 0), dec_reg(d, reg), (int32_t)dec_reg(d, a->a));
}

static void capture_sockaddr_in(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_block(b, reg, 0, CAP_ENTER, a->a, 1, SOCKADDR_MAX);
	/* One family has a descriptor in its addresses; of the others (-P) there is none at that place. */
	if (!b->opts->match_fds)
		cap_fd_at(b, reg, CAP_ENTER, SXDP_SHARED_UMEM_FD);
}

const struct kind kind_sockaddr_in = { .decode = decode_sockaddr_in, .capture = capture_sockaddr_in };

/*
 * Filled in, with a length that is read and written (a: its register): there
 * is as much as fits, the new length is what there would have been.
 */
static void decode_sockaddr_out(struct dec *d, const struct arg *a, unsigned reg)
{
	uint32_t room, len;
	int64_t n = 0;

	if (d->ok && dec_read(d, a->a, 0, &room, sizeof(room)) && dec_read(d, a->a, 1, &len, sizeof(len)))
		n = (int32_t)len < (int32_t)room ? (int32_t)len : (int32_t)room;
	say_sockaddr(d, dec_cap(d, reg, 0, 0), dec_reg(d, reg), n);
}

static void capture_sockaddr_out(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	struct cap_op *op = cap_add(b, reg, 0, CAP_BYTES, CAP_EXIT);

	op->len_from = CAP_LEN_PTR;
	op->len_arg = (__u8)a->a;
	op->max = SOCKADDR_MAX;
}

/* Nobody asked for it: accept(3, NULL, NULL). */
static bool is_asked_for(const struct dec *d, const struct arg *a, unsigned reg)
{
	return dec_reg(d, reg) && dec_reg(d, a->a);
}

const struct kind kind_sockaddr_out = {
	.decode = decode_sockaddr_out, .capture = capture_sockaddr_out, .at_end = true, .at_end_if = is_asked_for,
};

static void decode_socklen(struct dec *d, const struct arg *a, unsigned reg)
{
	uint32_t before, after;

	/* Of an address that nobody asks for; it is never a row's first argument. */
	if (a[-1].kind == &kind_sockaddr_out && !dec_reg(d, reg - 1)) {
		say_addr(d, dec_reg(d, reg));
		return;
	}
	if (!dec_read(d, reg, 0, &before, sizeof(before))) {
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
		return;
	}
	d->ops->array_begin(d->e);
	say_dec(d, (int32_t)before);
	if (d->ok && dec_read(d, reg, 1, &after, sizeof(after)) && after != before) {
		d->ops->change(d->e);
		say_dec(d, (int32_t)after);
	}
	d->ops->array_end(d->e);
}

static void capture_socklen(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, 4);
	cap_fixed(b, reg, 1, CAP_EXIT, 4);
}

const struct kind kind_socklen = { .decode = decode_socklen, .capture = capture_socklen };

/* --- buffers, of netlink sockets with messages --- */

enum { FAMILY_NETLINK = 16 };

void cap_netlink_protocol(struct cap_builder *b)
{
	cap_add(b, SOCKET_REG, PART_SOCKET, CAP_SOCK, CAP_ENTER)->elem = FAMILY_NETLINK;
}

void cap_netlink_pids(struct cap_builder *b, unsigned reg, unsigned when, const uint16_t *msg_iov)
{
	enum { PID = 12, PID_OF_ERROR = 16 + 4 + PID };

	for (unsigned i = 0; i < 2; i++) {
		struct cap_op *op = cap_pid_at(b, reg, when | CAP_NETLINK, i ? PID_OF_ERROR : PID);

		if (!msg_iov)
			continue;
		op->elem = 1;
		op->via_off = *msg_iov;
	}
}

bool netlink_protocol(const struct dec *d, unsigned *ret_protocol)
{
	struct ct_sock_id id;

	if (d->opts->addresses || !dec_read(d, SOCKET_REG, PART_SOCKET, &id, sizeof(id)) || id.family != FAMILY_NETLINK)
		return false;
	*ret_protocol = id.port_id ? id.protocol : NETLINK_UNKNOWN;
	return true;
}

void say_netlink_buffer(struct dec *d, unsigned protocol, const struct capture *c, uint64_t addr, uint64_t len)
{
	enum { HEADER = 16 };
	struct bytes b = bytes_cut(bytes_of(c), len);

	if (b.len < len && b.len < HEADER)
		say_addr(d, addr);
	else
		say_netlink(d, protocol, b);
	if (b.len < len)
		dec_note(d, c);
}

static void decode_send_buf(struct dec *d, const struct arg *a, unsigned reg)
{
	const struct capture *c = dec_good(d, reg, 0, 0);
	unsigned protocol;

	if (!netlink_protocol(d, &protocol) || !dec_reg(d, reg) || !c || !dec_reg(d, a->a)) {
		kind_buf_in.decode(d, a, reg);
		return;
	}
	say_netlink_buffer(d, protocol, c, dec_reg(d, reg), dec_reg(d, a->a));
	dump_buffer(d, false, 0, c, dec_reg(d, a->a));
}

static void capture_send_buf(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_block(b, reg, 0, CAP_ENTER | CAP_NETLINK, a->a, 1, cap_limit(b));
	cap_netlink_protocol(b);
	cap_net_fds(b, reg, CAP_ENTER, a->a);
	cap_netlink_pids(b, reg, CAP_ENTER, NULL);
}

const struct kind kind_send_buf = { .decode = decode_send_buf, .capture = capture_send_buf };

/* What was received; with MSG_TRUNC the result says more than the buffer holds (a: register with its length). */
static void decode_recv_buf(struct dec *d, const struct arg *a, unsigned reg)
{
	const struct capture *c = dec_text(d, reg, 0, 0);
	uint64_t n = dec_reg(d, a->a);
	unsigned protocol;

	if (!d->ok || !dec_reg(d, reg)) {
		say_addr(d, dec_reg(d, reg));
		return;
	}
	if ((uint64_t)d->call->ret < n)
		n = (uint64_t)d->call->ret;
	if (!n)
		d->ops->str(d->e, "", 0, 0);
	else if (c && !(c->flags & CT_CAP_FAILED) && netlink_protocol(d, &protocol))
		say_netlink_buffer(d, protocol, c, dec_reg(d, reg), n);
	else if (c && !(c->flags & CT_CAP_FAILED))
		say_buf(d, c->data, MIN(c->len, n), n);
	else
		say_unreadable(d, reg, c);
	dump_buffer(d, false, 0, c, n);
}

static void capture_recv_buf(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	struct cap_op *op = cap_add(b, reg, 0, CAP_BYTES, CAP_EXIT | CAP_NETLINK);

	op->len_from = CAP_LEN_RET;
	op->elem = 1;
	op->max = cap_limit(b);
	cap_netlink_protocol(b);
	cap_net_fds(b, reg, CAP_EXIT, a->a);
	cap_netlink_pids(b, reg, CAP_EXIT, NULL);
}

const struct kind kind_recv_buf = { .decode = decode_recv_buf, .capture = capture_recv_buf, .at_end = true };
