/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* NETLINK_SOCK_DIAG: what is asked of sockets, and told of them. */
#include "decode/netlink_calls.h"

#include <arpa/inet.h>

#include "util/macros.h"

enum { DIAG_UNIX = 1, DIAG_NETLINK = 16, DIAG_PACKET = 17, DIAG_SMC = 43 };
enum { COMPAT_FIRST = 18, COMPAT_LAST = 19 };    /* TCPDIAG_GETSOCK, DCCPDIAG_GETSOCK */

#define FLAG_REQUEST 1u
#define SOCKID_SIZE 48

/* --- addresses and ports of a socket --- */

static void field_port(struct dec *d, const char *name, struct bytes b, size_t off)
{
	say_field(d, name);
	d->ops->alias_bytes_begin(d->e, b.p + off, 2);
	d->ops->around(d->e, "htons(");
	say_udec(d, get_be16(b, off));
	d->ops->around(d->e, ")");
	d->ops->alias_end(d->e);
}

/* struct inet_diag_sockid; b has SOCKID_SIZE bytes. */
static void say_sockid(struct dec *d, unsigned family, struct bytes b)
{
	say_field(d, "id");
	d->ops->struct_begin(d->e);
	field_port(d, "idiag_sport", b, 0);
	field_port(d, "idiag_dport", b, 2);
	field_nl_address(d, "idiag_src", family, bytes_cut(bytes_from(b, 4), 16));
	field_nl_address(d, "idiag_dst", family, bytes_cut(bytes_from(b, 20), 16));
	say_field(d, "idiag_if");
	say_interface(d, get32(b, 36));
	say_field(d, "idiag_cookie");
	d->ops->array_begin(d->e);
	say_udec(d, get32(b, 40));
	say_udec(d, get32(b, 44));
	d->ops->array_end(d->e);
	d->ops->struct_end(d->e);
}

/* --- messages --- */

/* The family alone, of a header that is too short. */
static void say_cut_header(struct dec *d, const char *name, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_sym(d, name, &tab_socket_domains, get8(b, 0));
	d->ops->more(d->e);
	d->ops->struct_end(d->e);
}

/* A header of plain fields, and the attributes behind it. */
static void say_plain(struct dec *d, struct bytes b, const struct nl_struct *s, const struct nla_table *t)
{
	struct nla_ctx x = { .family = get8(b, 0) };

	if (b.len < s->size) {
		say_cut_header(d, s->fields[0].name, b);
		return;
	}
	say_nl_struct(d, b, s);
	if (t && b.len > s->size)
		say_nlattrs(d, &x, bytes_from(b, s->size), t);
}

static void say_netlink_req(struct dec *d, struct bytes b)
{
	uint8_t protocol = get8(b, 1);
	enum { SIZE = 20, ALL = 255 };

	if (b.len < SIZE) {
		say_cut_header(d, "sdiag_family", b);
		return;
	}
	d->ops->struct_begin(d->e);
	field_sym(d, "sdiag_family", &tab_socket_domains, get8(b, 0));
	say_field(d, "sdiag_protocol");
	if (protocol == ALL)
		d->ops->named(d->e, "NDIAG_PROTO_ALL", protocol, EMIT_HEX);
	else
		say_sym(d, &tab_netlink_protocols, protocol);
	field_udec(d, "ndiag_ino", get32(b, 4));
	field_flags(d, "ndiag_show", &tab_netlink_show, get32(b, 8));
	say_field(d, "ndiag_cookie");
	d->ops->array_begin(d->e);
	say_udec(d, get32(b, 12));
	say_udec(d, get32(b, 16));
	d->ops->array_end(d->e);
	d->ops->struct_end(d->e);
}

/* A head of so many bytes, the addresses, and a tail; the attributes behind them. */
static void say_with_id(struct dec *d, struct bytes b, const struct nl_struct *head, size_t head_size, const struct nl_struct *tail,
			const struct nla_table *t)
{
	size_t size = head_size + SOCKID_SIZE + (tail ? tail->size : 0);
	struct nla_ctx x = { .family = get8(b, 0) };
	/* SMC has no addresses of its own: they are those of the TCP socket. */
	unsigned family = x.family == DIAG_SMC ? AF_INET : x.family;

	if (b.len < size) {
		say_cut_header(d, head->fields[0].name, b);
		return;
	}
	d->ops->struct_begin(d->e);
	say_nl_fields(d, b, head);
	say_sockid(d, family, bytes_cut(bytes_from(b, head_size), SOCKID_SIZE));
	if (tail)
		say_nl_fields(d, bytes_from(b, head_size + SOCKID_SIZE), tail);
	d->ops->struct_end(d->e);
	if (t && b.len > size)
		say_nlattrs(d, &x, bytes_from(b, size), t);
}

static void say_request(struct dec *d, unsigned type, struct bytes b)
{
	switch (get8(b, 0)) {
	case DIAG_UNIX:
		say_plain(d, b, &nls_unix_diag_req, NULL);
		break;
	case AF_INET:
	case AF_INET6:
		if (type >= COMPAT_FIRST && type <= COMPAT_LAST)
			say_with_id(d, b, &nls_inet_diag_req_compat, 4, &nls_inet_diag_req_tail, &nla_inet_req);
		else
			say_with_id(d, b, &nls_inet_diag_req_v2, 8, NULL, &nla_inet_req);
		break;
	case DIAG_NETLINK:
		say_netlink_req(d, b);
		break;
	case DIAG_PACKET:
		say_plain(d, b, &nls_packet_diag_req, NULL);
		break;
	case DIAG_SMC:
		say_with_id(d, b, &nls_smc_diag_req, 4, NULL, NULL);
		break;
	}
}

static void say_answer(struct dec *d, struct bytes b)
{
	switch (get8(b, 0)) {
	case DIAG_UNIX:
		say_plain(d, b, &nls_unix_diag_msg, &nla_unix_diag);
		break;
	case AF_INET:
	case AF_INET6:
		say_with_id(d, b, &nls_inet_diag_msg_head, 4, &nls_inet_diag_msg_tail, &nla_inet_diag);
		break;
	case DIAG_NETLINK:
		say_plain(d, b, &nls_netlink_diag_msg, &nla_netlink_diag);
		break;
	case DIAG_PACKET:
		say_plain(d, b, &nls_packet_diag_msg, &nla_packet_diag);
		break;
	case DIAG_SMC:
		say_with_id(d, b, &nls_smc_diag_msg_head, 4, &nls_smc_diag_msg_tail, &nla_smc_diag);
		break;
	}
}

static bool is_known(unsigned family)
{
	return family == DIAG_UNIX || family == AF_INET || family == AF_INET6 || family == DIAG_NETLINK || family == DIAG_PACKET ||
	       family == DIAG_SMC;
}

void say_nl_diag(struct dec *d, unsigned type, unsigned flags, struct bytes b)
{
	if (is_known(get8(b, 0)) && b.len > 1) {
		if (flags & FLAG_REQUEST)
			say_request(d, type, b);
		else
			say_answer(d, b);
		return;
	}
	d->ops->struct_begin(d->e);
	field_sym(d, "family", &tab_socket_domains, get8(b, 0));
	if (b.len > 1) {
		say_field(d, "data");
		say_nl_bytes(d, bytes_from(b, 1));
	}
	d->ops->struct_end(d->e);
}

/* --- attributes --- */

bool say_nla_unix_vfs(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row _unused_)
{
	if (b.len < 8)
		return false;
	d->ops->struct_begin(d->e);
	say_field(d, "udiag_vfs_dev");
	/* strace reads the kernel's dev_t, which is 12 bits of major and 20 of minor, as one of user space. */
	say_dev64(d, get32(b, 4));
	field_udec(d, "udiag_vfs_ino", get32(b, 0));
	d->ops->struct_end(d->e);
	return true;
}

/* A number, its names beside it. */
bool say_nla_diag_shutdown(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row _unused_)
{
	struct words w = { 0 };
	uint8_t v = get8(b, 0);

	if (!b.len || b.len > 8)
		return false;
	say_hex(d, v);
	if (v & 3)
		words_flags(d, &w, &tab_diag_shutdown, v);
	else
		words_str(&w, tab_diag_shutdown.unknown);
	if (v && d->opts->consts != CONST_RAW)
		d->ops->comment(d->e, w.buf);
	return true;
}

bool say_nla_diag_addresses(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row _unused_)
{
	if (b.len < SOCKADDR_MAX)
		return false;
	d->ops->array_begin(d->e);
	for (size_t i = 0; bytes_have(b, i * SOCKADDR_MAX, SOCKADDR_MAX); i++) {
		if (!dec_shows(d, i)) {
			d->ops->more(d->e);
			break;
		}
		say_sockaddr_bytes(d, bytes_cut(bytes_from(b, i * SOCKADDR_MAX), SOCKADDR_MAX));
	}
	d->ops->array_end(d->e);
	return true;
}

bool say_nla_md5sig(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row _unused_)
{
	enum { SIZE = 100, KEY = 20, KEY_MAX = 80 };

	if (b.len < SIZE)
		return false;
	d->ops->array_begin(d->e);
	for (size_t i = 0; bytes_have(b, i * SIZE, SIZE); i++) {
		struct bytes one = bytes_cut(bytes_from(b, i * SIZE), SIZE);
		size_t key = MIN(get16(one, 2), KEY_MAX);

		if (!dec_shows(d, i)) {
			d->ops->more(d->e);
			break;
		}
		d->ops->struct_begin(d->e);
		field_sym(d, "tcpm_family", &tab_socket_domains, get8(one, 0));
		field_udec(d, "tcpm_prefixlen", get8(one, 1));
		field_udec(d, "tcpm_keylen", get16(one, 2));
		field_nl_address(d, "tcpm_addr", get8(one, 0), bytes_cut(bytes_from(one, 4), 16));
		say_field(d, "tcpm_key");
		d->ops->str(d->e, one.p + KEY, key, EMIT_STR_HEX | EMIT_STR_PATH);
		d->ops->struct_end(d->e);
	}
	d->ops->array_end(d->e);
	return true;
}

static bool is_zero(struct bytes b)
{
	for (size_t i = 0; i < b.len; i++)
		if (b.p[i])
			return false;
	return true;
}

/* Bits of options, those that are set. */
bool say_nla_inet_diag_sockopt(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row _unused_)
{
	static const char *const names[] = {
		"recverr", "is_icsk", "freebind", "hdrincl", "mc_loop", "transparent", "mc_all", "nodefrag", "bind_address_no_port",
		"recverr_rfc4884", "defer_connect",
	};
	uint16_t v = get16(b, 0);
	unsigned rest = v >> ARRAY_SIZE(names);
	struct words w = { 0 };

	if (b.len < 2)
		return false;
	d->ops->struct_begin(d->e);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (v >> i & 1 || d->opts->no_abbrev)
			field_udec(d, names[i], v >> i & 1);
	if (rest || d->opts->no_abbrev) {
		field_hex(d, "unused", rest);
		d->ops->comment(d->e, "bits 3..8");
	}
	d->ops->struct_end(d->e);
	if (is_zero(bytes_from(b, 2)))
		return true;
	words_str(&w, "/* bytes 2..");
	words_udec(&w, b.len - 1);
	words_str(&w, " */ ");
	d->ops->call_begin(d->e, w.buf);
	say_nl_bytes(d, bytes_from(b, 2));
	d->ops->call_end(d->e, "");
	return true;
}

static void say_hostcond(struct dec *d, struct bytes b)
{
	unsigned family = get8(b, 0);

	d->ops->struct_begin(d->e);
	field_sym(d, "family", &tab_socket_domains, family);
	field_udec(d, "prefix_len", get8(b, 1));
	field_udec(d, "port", get32(b, 4));
	if (b.len > 8)
		field_nl_address(d, "addr", family, bytes_cut(bytes_from(b, 8), family == AF_INET ? 4 : b.len));
	d->ops->struct_end(d->e);
}

/* What belongs to the first operation of a filter; strace goes no further. */
static void say_bytecode_operand(struct dec *d, unsigned code, struct bytes b)
{
	enum { S_GE = 2, D_LE = 5, S_COND = 7, D_COND = 8, DEV_COND = 9, MARK_COND = 10 };

	if (code >= S_GE && code <= D_LE && b.len >= nls_inet_diag_bc_op.size)
		say_nl_struct(d, b, &nls_inet_diag_bc_op);
	else if ((code == S_COND || code == D_COND) && b.len >= 8)
		say_hostcond(d, b);
	else if (code == DEV_COND && b.len >= 4)
		say_interface(d, get32(b, 0));
	else if (code == MARK_COND && b.len >= nls_inet_diag_markcond.size)
		say_nl_struct(d, b, &nls_inet_diag_markcond);
	else
		say_nl_bytes(d, b);
}

bool say_nla_bytecode(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row _unused_)
{
	if (b.len < 4)
		return false;
	say_nl_struct(d, b, &nls_inet_diag_bc_op);
	if (b.len > 4)
		say_bytecode_operand(d, get8(b, 0), bytes_from(b, 4));
	return true;
}
