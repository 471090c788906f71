/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* setsockopt and getsockopt: names by level, values by what the option is. */
#include "decode/dec_net.h"
#include "decode/kinds.h"

#include "util/macros.h"

#define OPTION_MAX 256          /* bytes of a value that are looked at */

enum { SOL_IP_LEVEL = 0, SOL_SOCKET_LEVEL = 1, SOL_IPV6_LEVEL = 41, SOL_NETLINK_LEVEL = 270 };

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

	if (level == SOL_NETLINK_LEVEL)
		return sym_name(&tab_so_netlink, option);
	if (level != SOL_SOCKET_LEVEL || !sym_name(&tab_so_socket, option))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (others[i] == option)
			return false;
	return true;
}

/* --- values that are structures --- */

static void field_part(struct dec *d, const char *name, struct bytes b, size_t off)
{
	struct bytes rest = bytes_cut(bytes_from(b, off), 4);

	if (!rest.len)
		return;
	say_field(d, name);
	if (rest.len == 4)
		say_dec(d, (int32_t)get32(rest, 0));
	else
		d->ops->str(d->e, rest.p, rest.len, EMIT_STR_HEX);
}

static void value_linger(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_part(d, "l_onoff", b, 0);
	field_part(d, "l_linger", b, 4);
	d->ops->struct_end(d->e);
}

static void value_ucred(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	if (b.len < 4) {
		field_part(d, "pid", b, 0);
	} else {
		say_field(d, "pid");
		say_pid(d, (int32_t)get32(b, 0));
	}
	field_part(d, "uid", b, 4);
	field_part(d, "gid", b, 8);
	d->ops->struct_end(d->e);
}

static void value_ip_mreq(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	say_field(d, "imr_multiaddr");
	say_inet_addr(d, b, 0);
	say_field(d, "imr_interface");
	say_inet_addr(d, b, 4);
	d->ops->struct_end(d->e);
}

static void value_fprog(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_udec(d, "len", get16(b, 0));
	field_addr(d, "filter", get_uint(b, d->word, d->word));
	d->ops->struct_end(d->e);
}

static void value_tpacket_req(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_udec(d, "tp_block_size", get32(b, 0));
	field_udec(d, "tp_block_nr", get32(b, 4));
	field_udec(d, "tp_frame_size", get32(b, 8));
	field_udec(d, "tp_frame_nr", get32(b, 12));
	d->ops->struct_end(d->e);
}

/* min: what has to be there; max: more than that is none (0: as much as you like). */
static const struct value {
	unsigned level, option;
	bool set, get;
	size_t min, max;
	void (*say)(struct dec *d, struct bytes b);
} values[] = {
	{ SOL_SOCKET_LEVEL, 13, true, false, 8, 0, value_linger },      /* SO_LINGER */
	{ SOL_SOCKET_LEVEL, 13, false, true, 1, 0, value_linger },
	{ SOL_SOCKET_LEVEL, 17, false, true, 1, 0, value_ucred },       /* SO_PEERCRED */
	{ SOL_SOCKET_LEVEL, 26, true, false, 16, 16, value_fprog },     /* SO_ATTACH_FILTER */
	{ SOL_SOCKET_LEVEL, 51, true, false, 16, 16, value_fprog },     /* SO_ATTACH_REUSEPORT_CBPF */
	{ SOL_IP_LEVEL, 35, true, false, 8, 0, value_ip_mreq },         /* IP_ADD_MEMBERSHIP */
	{ SOL_IP_LEVEL, 36, true, false, 8, 0, value_ip_mreq },
	{ 263, 5, true, false, 16, 16, value_tpacket_req },             /* PACKET_RX_RING */
	{ 263, 13, true, false, 16, 16, value_tpacket_req },            /* PACKET_TX_RING */
};

static const struct value *value_of(unsigned level, unsigned option, bool get)
{
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		if (values[i].level == level && values[i].option == option && (get ? values[i].get : values[i].set))
			return &values[i];
	return NULL;
}

/* ICMP_FILTER: the types that are filtered out. */
static void value_icmp_filter(struct dec *d, uint32_t v)
{
	d->ops->array_begin(d->e);
	for (unsigned i = 0; i < 32; i++)
		if (v >> i & 1)
			say_sym(d, &tab_icmp_types, i);
	d->ops->array_end(d->e);
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

/* A value of len bytes, of which c has the first: one int in brackets, or bytes. */
static void say_plain_value(struct dec *d, const struct capture *c, size_t len, bool as_int, bool get)
{
	struct bytes b = bytes_of(c);

	if (as_int ? len >= 4 : len == 4)
		say_boxed_dec(d, (int32_t)get32(b, 0));
	else if (as_int && get)
		d->ops->str(d->e, b.p, MIN(b.len, len), EMIT_STR_HEX);
	else
		say_buf(d, b.p, MIN(b.len, len), len);
}

/* len: of the value, as far as it is known; negative: it is none. */
static void say_value(struct dec *d, int64_t len, bool get)
{
	unsigned level = (uint32_t)dec_reg(d, 1), option = (uint32_t)dec_reg(d, 2);
	const struct value *v = value_of(level, option, get);
	const struct capture *c = dec_good(d, 3, 0, 0);
	bool as_int = is_int(level, option);
	size_t need = len < 0 ? 0 : MIN((size_t)len, OPTION_MAX), min = v ? v->min : as_int && !get ? 4 : 0;

	dec_begin(d, 3);
	if (len < 0 || !dec_reg(d, 3) || (size_t)len < min || (v && v->max && (size_t)len > v->max))
		say_addr(d, dec_reg(d, 3));
	else if (need && (!c || c->len < need))
		say_unreadable(d, 3, dec_cap(d, 3, 0, 0));
	else if (v)
		v->say(d, bytes_cut(bytes_of(c), need));
	else if (level == 255 && option == 1 && !get && len >= 4)
		value_icmp_filter(d, get32(bytes_of(c), 0));
	else
		say_plain_value(d, c, (size_t)len, as_int, get);
}

static void setsockopt_decode(struct dec *d)
{
	say_level_and_name(d, false);
	say_value(d, (int32_t)dec_reg(d, 4), false);
	dec_args(d, 4, 5);
}

static void setsockopt_capture(struct cap_builder *b, const struct syscall *s _unused_)
{
	cap_block(b, 3, 0, CAP_ENTER, 4, 1, OPTION_MAX);
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

#define SO_PEERCRED_NAME 17

static void getsockopt_capture(struct cap_builder *b, const struct syscall *s)
{
	struct cap_op *op = cap_add(b, 3, 0, CAP_BYTES, CAP_EXIT);

	op->len_from = CAP_LEN_PTR;
	op->len_arg = 4;
	op->max = OPTION_MAX;
	cap_args(b, s, 4, 5);
	op = cap_pid_at(b, 3, CAP_EXIT, 0);
	op->cond = CAP_COND_VALUE;
	op->cond_arg = 2;
	op->cond_and = UINT32_MAX;
	op->cond_mask = 1ull << SO_PEERCRED_NAME;
}

const struct hooks hooks_getsockopt = { .decode = getsockopt_decode, .capture = getsockopt_capture };
