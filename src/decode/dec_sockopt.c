/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* setsockopt and getsockopt: names by level, values by what the option is. */
#include "decode/dec_net.h"
#include "decode/dec_process.h"
#include "decode/kinds.h"

#include "util/macros.h"

#include <arpa/inet.h>
#include <stdio.h>

#define OPTION_MAX 512          /* bytes of a value that are captured; with -v as many as there are */

/* Parts of optval: the value; struct sock_fprog and its instructions (-v); those of a filter that is got (-v); an int. */
enum { PART_VALUE, PART_FPROG, PART_INSNS, PART_GOT_INSNS, PART_INT };

enum { LEVEL_IP = 0, LEVEL_SOCKET = 1, LEVEL_TCP = 6, LEVEL_IPV6 = 41, LEVEL_RAW = 255, LEVEL_PACKET = 263, LEVEL_NETLINK = 270,
       LEVEL_TIPC = 271 };
enum { OPTION_PEERCRED = 17, OPTION_FILTER = 26, OPTION_REUSEPORT_CBPF = 51, OPTION_PEERPIDFD = 77 };

const struct symtab *socket_options(unsigned level, bool get)
{
	static const struct {
		unsigned level;
		const struct symtab *set, *get;         /* get NULL: the same */
	} levels[] = {
		{ 0, &tab_so_ip, &tab_so_ip_get },        { 1, &tab_so_socket, &tab_so_socket_get },
		{ 6, &tab_so_tcp, NULL },                 { 17, &tab_so_udp, NULL },
		{ 41, &tab_so_ipv6, &tab_so_ipv6_get },   { 132, &tab_so_sctp, NULL },
		{ 255, &tab_so_raw, NULL },               { 256, &tab_so_ipx, NULL },
		{ 257, &tab_so_ax25, NULL },              { 263, &tab_so_packet, NULL },
		{ 266, &tab_so_irda, NULL },              { 268, &tab_so_llc, NULL },
		{ 269, &tab_so_dccp, NULL },              { 270, &tab_so_netlink, NULL },
		{ 271, &tab_so_tipc, NULL },              { 272, &tab_so_rxrpc, NULL },
		{ 273, &tab_so_pppol2tp, NULL },          { 274, &tab_so_bluetooth, NULL },
		{ 275, &tab_so_pnpipe, NULL },            { 276, &tab_so_rds, NULL },
		{ 277, &tab_so_iucv, NULL },              { 278, &tab_so_caif, NULL },
		{ 279, &tab_so_alg, NULL },               { 280, &tab_so_nfc, NULL },
		{ 281, &tab_so_kcm, NULL },               { 282, &tab_so_tls, NULL },
		{ 283, &tab_so_xdp, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(levels); i++)
		if (levels[i].level == level)
			return get && levels[i].get ? levels[i].get : levels[i].set;
	return NULL;
}

/* Options of SOL_SOCKET that are no int, or that strace does not take for one. */
static bool is_int(unsigned level, unsigned option)
{
	static const unsigned char others[] = { 3, 4, 13, 17, 20, 21, 22, 23, 24, 25, 26, 28, 31, 38, 39, 47, 48, 50, 51, 52, 55, 57,
						59, 61, 62, 66, 67, 71, 72, 77, 80 };

	if (level == LEVEL_NETLINK)
		return true;
	if (level != LEVEL_SOCKET || !sym_name(&tab_so_socket, option))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (others[i] == option)
			return false;
	return true;
}

/* A value: len bytes, of which b has the first. */
struct value {
	struct bytes b;
	int64_t len;
	uint64_t addr;
	bool get;
};

/* --- numbers that mean something --- */

static void boxed_named(struct dec *d, const struct symtab *t, uint32_t v, enum emit_base base)
{
	const char *name = sym_name(t, v);

	d->ops->array_begin(d->e);
	d->ops->named(d->e, name, base == EMIT_DEC ? (uint64_t)(int64_t)(int32_t)v : v, base);
	if (!name && t->unknown)
		d->ops->comment(d->e, t->unknown);
	d->ops->array_end(d->e);
}

static void value_txrehash(struct dec *d, const struct value *v)
{
	boxed_named(d, &tab_txrehash, get32(v->b, 0), EMIT_DEC);
}

static void value_importance(struct dec *d, const struct value *v)
{
	boxed_named(d, &tab_tipc_importance, get32(v->b, 0), EMIT_HEX);
}

static void value_protocol(struct dec *d, const struct value *v)
{
	boxed_named(d, &tab_ip_protocols, get32(v->b, 0), EMIT_HEX);
}

static void value_error(struct dec *d, const struct value *v)
{
	uint32_t err = get32(v->b, 0);

	d->ops->array_begin(d->e);
	d->ops->named(d->e, err && err < INT32_MAX ? errno_name((int)err) : NULL, err, EMIT_UDEC);
	d->ops->array_end(d->e);
}

static void value_fd(struct dec *d, const struct value *v)
{
	d->ops->array_begin(d->e);
	say_fd_after(d, (int32_t)get32(v->b, 0));
	d->ops->array_end(d->e);
}

/* Two ports in one number, 0 being none. */
static void value_port_range(struct dec *d, const struct value *v)
{
	uint32_t range = get32(v->b, 0), low = range & 0xffff, high = range >> 16;
	char text[16];

	d->ops->array_begin(d->e);
	say_hex(d, range);
	if (low && high)
		snprintf(text, sizeof(text), "%u..%u", low, high);
	else if (low)
		snprintf(text, sizeof(text), "%u..", low);
	else
		snprintf(text, sizeof(text), "..%u", high);
	if (d->opts->consts != CONST_RAW && range && (!low || !high || low <= high))
		d->ops->comment(d->e, text);
	d->ops->array_end(d->e);
}

/* ICMP_FILTER: the types that are filtered out; what is not given is. More than half are told by those that are not. */
static void value_icmp_filter(struct dec *d, const struct value *v)
{
	uint32_t bits = UINT32_MAX;
	bool others, any = false;

	memcpy(&bits, v->b.p, MIN(v->b.len, sizeof(bits)));
	others = __builtin_popcount(bits) > 16;
	d->ops->members_begin(d->e, others);
	for (unsigned i = 0; i < 32; i++) {
		if ((bits >> i & 1) == others)
			continue;
		if (any)
			d->ops->around(d->e, " ");
		any = true;
		say_sym(d, &tab_icmp_types, i);
	}
	d->ops->members_end(d->e);
}

/* --- structures --- */

/* A member, of which a part may be missing. */
static void field_part(struct dec *d, const char *name, struct bytes b, size_t off, bool is_signed)
{
	struct bytes rest = bytes_cut(bytes_from(b, off), 4);

	if (!rest.len)
		return;
	say_field(d, name);
	if (rest.len < 4)
		d->ops->str(d->e, rest.p, rest.len, EMIT_STR_HEX);
	else if (is_signed)
		say_dec(d, (int32_t)get32(rest, 0));
	else
		say_udec(d, get32(rest, 0));
}

static void value_linger(struct dec *d, const struct value *v)
{
	d->ops->struct_begin(d->e);
	field_part(d, "l_onoff", v->b, 0, true);
	field_part(d, "l_linger", v->b, 4, true);
	d->ops->struct_end(d->e);
}

static void value_ucred(struct dec *d, const struct value *v)
{
	d->ops->struct_begin(d->e);
	if (v->b.len < 4) {
		field_part(d, "pid", v->b, 0, true);
	} else {
		say_field(d, "pid");
		say_pid(d, (int32_t)get32(v->b, 0));
	}
	field_part(d, "uid", v->b, 4, true);
	field_part(d, "gid", v->b, 8, true);
	d->ops->struct_end(d->e);
}

static void value_packet_statistics(struct dec *d, const struct value *v)
{
	d->ops->struct_begin(d->e);
	field_part(d, "tp_packets", v->b, 0, false);
	field_part(d, "tp_drops", v->b, 4, false);
	field_part(d, "tp_freeze_q_cnt", v->b, 8, false);
	d->ops->struct_end(d->e);
}

static void value_ip_mreq(struct dec *d, const struct value *v)
{
	d->ops->struct_begin(d->e);
	say_field(d, "imr_multiaddr");
	say_inet_addr(d, v->b, 0);
	say_field(d, "imr_interface");
	say_inet_addr(d, v->b, 4);
	d->ops->struct_end(d->e);
}

static void value_ipv6_mreq(struct dec *d, const struct value *v)
{
	char addr[INET6_ADDRSTRLEN];

	if (!inet_ntop(AF_INET6, v->b.p, addr, sizeof(addr)))
		addr[0] = '\0';
	d->ops->struct_begin(d->e);
	d->ops->pton(d->e, "ipv6mr_multiaddr", "AF_INET6", addr, v->b.p, 16);
	say_field(d, "ipv6mr_interface");
	say_interface(d, get32(v->b, 16));
	d->ops->struct_end(d->e);
}

/* struct group_req; the address is aligned as a pointer is. */
static void value_group_req(struct dec *d, const struct value *v)
{
	d->ops->struct_begin(d->e);
	say_field(d, "gr_interface");
	say_interface(d, get32(v->b, 0));
	say_field(d, "gr_group");
	say_sockaddr_bytes(d, bytes_cut(bytes_from(v->b, d->word), SOCKADDR_MAX));
	d->ops->struct_end(d->e);
}

static void value_fprog(struct dec *d, const struct value *v)
{
	d->ops->struct_begin(d->e);
	field_udec(d, "len", get16(v->b, 0));
	say_field(d, "filter");
	say_socket_filter(d, dec_cap(d, 3, PART_INSNS, 0), get_uint(v->b, d->word, d->word), get16(v->b, 0));
	d->ops->struct_end(d->e);
}

/* The length counts instructions. */
static void value_got_filter(struct dec *d, const struct value *v)
{
	say_socket_filter(d, dec_cap(d, 3, PART_GOT_INSNS, 0), v->addr, (uint64_t)v->len);
}

static void value_tpacket_req(struct dec *d, const struct value *v)
{
	d->ops->struct_begin(d->e);
	field_udec(d, "tp_block_size", get32(v->b, 0));
	field_udec(d, "tp_block_nr", get32(v->b, 4));
	field_udec(d, "tp_frame_size", get32(v->b, 8));
	field_udec(d, "tp_frame_nr", get32(v->b, 12));
	d->ops->struct_end(d->e);
}

static void value_packet_mreq(struct dec *d, const struct value *v)
{
	unsigned alen = get16(v->b, 6);

	d->ops->struct_begin(d->e);
	say_field(d, "mr_ifindex");
	say_interface(d, get32(v->b, 0));
	field_sym(d, "mr_type", &tab_packet_mreq_types, get16(v->b, 4));
	field_udec(d, "mr_alen", alen);
	field_station(d, "mr_address", v->b, 8, MIN(alen, 8u));
	d->ops->struct_end(d->e);
}

static void value_tipc_group(struct dec *d, const struct value *v)
{
	d->ops->struct_begin(d->e);
	field_udec(d, "type", get32(v->b, 0));
	field_udec(d, "instance", get32(v->b, 4));
	field_sym(d, "scope", &tab_tipc_scopes, get32(v->b, 8));
	field_flags(d, "flags", &tab_tipc_group_flags, get32(v->b, 12));
	d->ops->struct_end(d->e);
}

#define TCP_AO_ADD_SIZE 288
#define TCP_AO_KEY_MAX  80

/* struct tcp_ao_add; what is not given is 0. */
static void value_tcp_ao_add(struct dec *d, const struct value *v)
{
	uint8_t all[TCP_AO_ADD_SIZE] = { 0 };
	struct bytes b = { all, sizeof(all) };
	unsigned keylen;

	memcpy(all, v->b.p, MIN(v->b.len, sizeof(all)));
	keylen = get8(b, 207);
	d->ops->struct_begin(d->e);
	say_field(d, "addr");
	say_sockaddr_bytes(d, bytes_cut(b, SOCKADDR_MAX));
	field_udec(d, "prefix", get8(b, 202));
	field_text(d, "alg_name", bytes_cut(bytes_from(b, 128), 64));
	say_field(d, "ifindex");
	say_interface(d, get32(b, 192));
	field_udec(d, "set_current", get8(b, 196) & 1);
	field_udec(d, "set_rnext", get8(b, 196) >> 1 & 1);
	field_udec(d, "sndid", get8(b, 203));
	field_udec(d, "rcvid", get8(b, 204));
	field_udec(d, "maclen", get8(b, 205));
	field_flags(d, "keyflags", &tab_tcp_ao_key_flags, get8(b, 206));
	say_field(d, "key");
	d->ops->str(d->e, all + 208, MIN(keylen, TCP_AO_KEY_MAX), EMIT_STR_HEX | EMIT_STR_PATH);
	field_udec(d, "keylen", keylen);
	d->ops->struct_end(d->e);
}

static void say_group(struct dec *d, struct bytes b)
{
	say_udec(d, get32(b, 0));
}

static void value_groups(struct dec *d, const struct value *v)
{
	say_array(d, dec_cap(d, 3, PART_VALUE, 0), v->addr, (uint64_t)v->len / 4, 4, say_group);
}

/* --- which option has which --- */

#define SET 1u
#define GET 2u

/*
 * min: a shorter value is shown by its address; plain: as what it is without a meaning. size: what is looked at, which has
 * to be readable; exact: that alone.
 */
static const struct option {
	unsigned level, first, last;    /* option numbers */
	unsigned ways;
	size_t min, size;
	enum { SHORT_ADDRESS, SHORT_PLAIN, EXACT_ADDRESS, EXACT_HEX } otherwise;
	void (*say)(struct dec *d, const struct value *v);
} options[] = {
	{ LEVEL_IP, 35, 36, SET, 8, 8, SHORT_ADDRESS, value_ip_mreq },               /* IP_ADD_MEMBERSHIP, IP_DROP_MEMBERSHIP */
	{ LEVEL_IP, 42, 42, SET, 0, 0, SHORT_ADDRESS, value_group_req },             /* MCAST_JOIN_GROUP */
	{ LEVEL_IP, 45, 45, SET, 0, 0, SHORT_ADDRESS, value_group_req },             /* MCAST_LEAVE_GROUP */
	{ LEVEL_IP, 51, 51, SET | GET, 4, 4, EXACT_HEX, value_port_range },          /* IP_LOCAL_PORT_RANGE */
	{ LEVEL_IP, 52, 52, GET, 4, 4, EXACT_HEX, value_protocol },                  /* IP_PROTOCOL */
	{ LEVEL_SOCKET, 4, 4, GET, 4, 4, SHORT_PLAIN, value_error },                 /* SO_ERROR */
	{ LEVEL_SOCKET, 13, 13, SET, 8, 8, SHORT_ADDRESS, value_linger },            /* SO_LINGER */
	{ LEVEL_SOCKET, 13, 13, GET, 1, 8, SHORT_ADDRESS, value_linger },
	{ LEVEL_SOCKET, 17, 17, GET, 1, 12, SHORT_ADDRESS, value_ucred },            /* SO_PEERCRED */
	{ LEVEL_SOCKET, 26, 26, SET, 0, 0, EXACT_ADDRESS, value_fprog },             /* SO_ATTACH_FILTER */
	{ LEVEL_SOCKET, 51, 51, SET, 0, 0, EXACT_ADDRESS, value_fprog },             /* SO_ATTACH_REUSEPORT_CBPF */
	{ LEVEL_SOCKET, 26, 26, GET, 1, 0, SHORT_ADDRESS, value_got_filter },        /* SO_GET_FILTER */
	{ LEVEL_SOCKET, 74, 74, SET | GET, 4, 4, SHORT_PLAIN, value_txrehash },      /* SO_TXREHASH */
	{ LEVEL_SOCKET, 77, 77, GET, 4, 4, SHORT_PLAIN, value_fd },                  /* SO_PEERPIDFD */
	{ LEVEL_TCP, 38, 38, SET, 1, TCP_AO_ADD_SIZE, SHORT_ADDRESS, value_tcp_ao_add },
	{ LEVEL_IPV6, 20, 21, SET, 20, 20, SHORT_ADDRESS, value_ipv6_mreq },         /* IPV6_ADD_MEMBERSHIP, IPV6_DROP_MEMBERSHIP */
	{ LEVEL_IPV6, 27, 28, SET, 20, 20, SHORT_ADDRESS, value_ipv6_mreq },         /* IPV6_JOIN_ANYCAST, IPV6_LEAVE_ANYCAST */
	{ LEVEL_IPV6, 42, 42, SET, 0, 0, SHORT_ADDRESS, value_group_req },
	{ LEVEL_IPV6, 45, 45, SET, 0, 0, SHORT_ADDRESS, value_group_req },
	{ LEVEL_RAW, 1, 1, SET | GET, 1, 4, SHORT_ADDRESS, value_icmp_filter },      /* ICMP_FILTER */
	{ LEVEL_PACKET, 1, 2, SET, 16, 16, EXACT_ADDRESS, value_packet_mreq },       /* PACKET_ADD_MEMBERSHIP, PACKET_DROP_MEMBERSHIP */
	{ LEVEL_PACKET, 5, 5, SET, 16, 16, EXACT_ADDRESS, value_tpacket_req },       /* PACKET_RX_RING */
	{ LEVEL_PACKET, 13, 13, SET, 16, 16, EXACT_ADDRESS, value_tpacket_req },     /* PACKET_TX_RING */
	{ LEVEL_PACKET, 6, 6, GET, 1, 12, SHORT_ADDRESS, value_packet_statistics },  /* PACKET_STATISTICS */
	{ LEVEL_NETLINK, 9, 9, GET, 1, 0, SHORT_ADDRESS, value_groups },             /* NETLINK_LIST_MEMBERSHIPS */
	{ LEVEL_TIPC, 127, 127, SET | GET, 4, 4, SHORT_ADDRESS, value_importance },  /* TIPC_IMPORTANCE */
	{ LEVEL_TIPC, 135, 135, SET | GET, 16, 16, SHORT_ADDRESS, value_tipc_group }, /* TIPC_GROUP_JOIN */
};

static const struct option *option_of(unsigned level, unsigned name, bool get)
{
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].level == level && name >= options[i].first && name <= options[i].last && options[i].ways & (get ? GET : SET))
			return &options[i];
	return NULL;
}

/* Structures whose size is a matter of the ABI. */
static size_t size_of(const struct dec *d, const struct option *o, size_t fixed)
{
	if (o->say == value_group_req)
		return d->word + SOCKADDR_MAX;
	return o->say == value_fprog ? 2 * d->word : fixed;
}

/* What can be read of the value's first bytes; NULL: not all of them. */
static const struct capture *value_read(const struct dec *d, size_t need)
{
	const struct capture *c = dec_good(d, 3, PART_VALUE, 0);

	return c && c->len >= need ? c : NULL;
}

static void value_unread(struct dec *d)
{
	say_unreadable(d, 3, dec_cap(d, 3, PART_VALUE, 0));
}

static void say_structure(struct dec *d, const struct option *o, struct value *v)
{
	size_t size = size_of(d, o, o->size), need = MIN((size_t)v->len, size);
	const struct capture *c = value_read(d, need);

	if (need && !c) {
		value_unread(d);
		return;
	}
	v->b = bytes_cut(bytes_of(c), need);
	o->say(d, v);
}

static void say_int(struct dec *d)
{
	const struct capture *c = value_read(d, sizeof(uint32_t));

	if (!c)
		c = dec_good(d, 3, PART_INT, 0);
	if (c && c->len >= sizeof(uint32_t))
		say_boxed_dec(d, (int32_t)get32(bytes_of(c), 0));
	else
		value_unread(d);
}

/* Bytes, up to -s; one more has to be readable, as strace wants it. What is set is a structure for -e verbose=, what is got is not. */
static void say_text(struct dec *d, uint64_t len, bool hex, bool get)
{
	size_t need = (size_t)MIN(len, (uint64_t)d->opts->string_limit + 1);
	const struct capture *c = get ? dec_text(d, 3, PART_VALUE, 0) : dec_cap(d, 3, PART_VALUE, 0);

	if ((need || (!get && d->opts->addresses)) && (!c || c->flags & CT_CAP_FAILED || c->len < need))
		value_unread(d);
	else if (hex)
		say_hex_bytes(d, need ? c->data : NULL, need, len);
	else
		say_buf(d, need ? c->data : NULL, need, len);
}

/* Without a meaning: one int in brackets, or bytes. */
static void say_plain(struct dec *d, const struct value *v, unsigned level, unsigned name)
{
	bool as_int = is_int(level, name);

	if (level == LEVEL_TIPC)
		say_int(d);
	else if (as_int ? v->len >= 4 : v->len == 4)
		say_int(d);
	else if (level == LEVEL_NETLINK && v->get)
		say_int(d);
	else if (as_int && !v->get)
		say_addr(d, v->addr);
	else
		say_text(d, (uint32_t)v->len, as_int, v->get);
}

/* len: of the value, as far as it is known; negative: it is none. */
static void say_value(struct dec *d, int64_t len, bool get)
{
	unsigned level = (uint32_t)dec_reg(d, 1), name = (uint32_t)dec_reg(d, 2);
	const struct option *o = option_of(level, name, get);
	struct value v = { .len = len, .addr = dec_reg(d, 3), .get = get };
	int64_t min = o ? (int64_t)size_of(d, o, o->min) : 0;

	dec_begin(d, 3);
	if (!v.addr || (get && len <= 0))
		say_addr(d, v.addr);
	else if (!o)
		say_plain(d, &v, level, name);
	else if (len >= min && (o->otherwise < EXACT_ADDRESS || len == min))
		say_structure(d, o, &v);
	else if (o->otherwise == EXACT_HEX)
		say_text(d, (uint32_t)len, true, get);
	else if (o->otherwise == SHORT_PLAIN && get)
		say_text(d, (uint32_t)len, true, get);
	else
		say_addr(d, v.addr);
}

/* --- calls --- */

static void say_level_and_name(struct dec *d, bool get)
{
	unsigned level = (uint32_t)dec_reg(d, 1), option = (uint32_t)dec_reg(d, 2);
	const struct symtab *t = socket_options(level, get);

	dec_args(d, 0, 1);
	dec_begin(d, 1);
	say_sym(d, &tab_socket_levels, level);
	dec_begin(d, 2);
	if (t)
		say_sym(d, t, option);
	else
		say_udec(d, option);
}

static uint32_t value_max(const struct cap_builder *b)
{
	return b->opts->no_abbrev ? CT_CAP_MAX : MAX((uint32_t)OPTION_MAX, cap_limit(b) + 1);
}

/* Of two levels there is always an int, whatever the length says. */
static void cap_int(struct cap_builder *b, unsigned when)
{
	struct cap_op *op = cap_add(b, 3, PART_INT, CAP_BYTES, when);

	op->max = sizeof(uint32_t);
	op->cond = CAP_COND_FROM;
	op->cond_arg = 1;
	op->cond_and = LEVEL_NETLINK;
	op->cond_mask = 1u | 1u << (LEVEL_TIPC - LEVEL_NETLINK);
}

static void setsockopt_decode(struct dec *d)
{
	say_level_and_name(d, false);
	say_value(d, (int32_t)dec_reg(d, 4), false);
	dec_args(d, 4, 5);
}

static void setsockopt_capture(struct cap_builder *b, const struct syscall *s _unused_)
{
	cap_block(b, 3, PART_VALUE, CAP_ENTER, 4, 1, value_max(b));
	cap_fprog(b, 3, PART_FPROG, &(struct cap_op){ .cond = CAP_COND_VALUE, .cond_arg = 2, .cond_and = UINT32_MAX,
						      .cond_mask = 1ull << OPTION_FILTER | 1ull << OPTION_REUSEPORT_CBPF });
	cap_int(b, CAP_ENTER);
}

const struct hooks hooks_setsockopt = { .decode = setsockopt_decode, .capture = setsockopt_capture };

static void getsockopt_decode(struct dec *d)
{
	uint32_t room, len;
	int64_t n = -1;

	if (d->ok && dec_read(d, 4, 0, &room, sizeof(room)) && dec_read(d, 4, 1, &len, sizeof(len)))
		n = MIN((int32_t)len, (int32_t)room);
	say_level_and_name(d, true);
	if (dec_reg(d, 4))
		dec_at_end(d);
	say_value(d, n, true);
	dec_args(d, 4, 5);
}

static void on_option(struct cap_op *op, unsigned name)
{
	op->cond = CAP_COND_FROM;
	op->cond_arg = 2;
	op->cond_and = name;
	op->cond_mask = 1;
}

static void getsockopt_capture(struct cap_builder *b, const struct syscall *s)
{
	struct cap_op *op = cap_add(b, 3, PART_VALUE, CAP_BYTES, CAP_EXIT);

	op->len_from = CAP_LEN_PTR;
	op->len_arg = 4;
	op->max = value_max(b);
	cap_args(b, s, 4, 5);
	cap_int(b, CAP_EXIT);
	on_option(cap_pid_at(b, 3, CAP_EXIT, 0), OPTION_PEERCRED);
	on_option(cap_fd_at(b, 3, CAP_EXIT, 0), OPTION_PEERPIDFD);
	if (b->opts->no_abbrev) {
		op = cap_add(b, 3, PART_GOT_INSNS, CAP_BYTES, CAP_EXIT);
		op->max = CT_CAP_MAX;
		on_option(op, OPTION_FILTER);
	}
}

const struct hooks hooks_getsockopt = { .decode = getsockopt_decode, .capture = getsockopt_capture };
