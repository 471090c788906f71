/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* NETLINK_ROUTE: the header of each type of message, and attributes of routes and multicast groups. */
#include "decode/netlink_calls.h"

#include <arpa/inet.h>

#include "util/macros.h"

static const struct {
	unsigned first, last;           /* types of messages */
	const struct nl_struct *header;
	size_t padded;                  /* bytes before the attributes */
	const struct nla_table *attributes;
} messages[] = {
	{ 16, 19, &nls_ifinfomsg, 16, &nla_link },
	{ 20, 22, &nls_ifaddrmsg, 8, &nla_addr },
	{ 24, 26, &nls_rtmsg, 12, &nla_route },
	{ 28, 30, &nls_ndmsg, 12, &nla_neigh },
	{ 32, 34, &nls_fib_rule_hdr, 12, &nla_rule },
	{ 36, 38, &nls_tcmsg, 20, &nla_tc },            /* queues */
	{ 40, 42, &nls_tcmsg, 20, &nla_tc },            /* their classes */
	{ 44, 46, &nls_tcmsg, 20, &nla_tc },            /* filters */
	{ 48, 50, &nls_tcamsg, 4, &nla_act_root },
	{ 56, 58, &nls_ifaddrmsg, 8, &nla_addr },       /* multicast */
	{ 60, 62, &nls_ifaddrmsg, 8, &nla_addr },       /* anycast */
	{ 64, 64, &nls_ndtmsg, 4, &nla_neightbl },
	{ 66, 67, &nls_ndtmsg, 4, &nla_neightbl },
	{ 72, 74, &nls_ifaddrlblmsg, 12, &nla_addrlabel },
	{ 78, 79, &nls_dcbmsg, 4, &nla_dcb },
	{ 80, 82, &nls_netconfmsg, 4, &nla_netconf },
	{ 84, 86, &nls_br_port_msg, 8, &nla_mdb },
	{ 88, 90, &nls_rtgenmsg, 4, &nla_nsid },
	{ 92, 92, &nls_if_stats_msg, 12, &nla_stats },
	{ 94, 94, &nls_if_stats_msg, 12, &nla_stats },
	{ 96, 96, &nls_creport, 4, NULL },
	{ 100, 102, &nls_tcmsg, 20, &nla_tc },          /* chains */
	{ 104, 106, &nls_nhmsg, 8, &nla_nexthop },
};

enum { NEW_LINK = 16, GET_NEIGHBOUR = 30, CACHE_REPORT = 96, FAMILY_BRIDGE = 7, FAMILY_IPMR = 128, FAMILY_IP6MR = 129 };

/* The family, and what else there is of a header that is not known. */
static void say_unknown(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_sym(d, "family", &tab_socket_domains, get8(b, 0));
	if (b.len > 1) {
		say_field(d, "data");
		say_nl_bytes(d, bytes_from(b, 1));
	}
	d->ops->struct_end(d->e);
}

static void say_header(struct dec *d, struct bytes b, const struct nl_struct *header)
{
	const struct nl_struct family = { header->fields, 1, 1 };

	d->ops->struct_begin(d->e);
	say_nl_fields(d, b, b.len < header->size ? &family : header);
	if (b.len < header->size)
		d->ops->more(d->e);
	d->ops->struct_end(d->e);
}

/* Of a packet that no multicast route is for; NULL: of no family that has such. */
static const struct nla_table *cache_report(unsigned family)
{
	return family == FAMILY_IPMR ? &nla_creport : family == FAMILY_IP6MR ? &nla_creport6 : NULL;
}

void say_nl_route(struct dec *d, unsigned type, struct bytes b)
{
	struct nla_ctx x = { .family = get8(b, 0) };

	/* A bridge's are asked for by its link (rtnl_fdb_dump()). */
	if (type == GET_NEIGHBOUR && x.family == FAMILY_BRIDGE)
		type = NEW_LINK;
	for (size_t i = 0; i < ARRAY_SIZE(messages); i++) {
		const struct nl_struct *header = messages[i].header;
		const struct nla_table *attributes = messages[i].attributes;
		struct bytes rest = bytes_from(b, messages[i].padded);

		if (type < messages[i].first || type > messages[i].last)
			continue;
		if (type == CACHE_REPORT)
			attributes = cache_report(x.family);
		say_header(d, b, header);
		if (rest.len && attributes)
			say_nlattrs(d, &x, rest, attributes);
		else if (rest.len)
			say_nl_bytes(d, rest);
		return;
	}
	say_unknown(d, b);
}

/* --- routes --- */

/* Next hops, each with attributes of its own. */
bool say_nla_multipath(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_row *row _unused_)
{
	bool many = false;

	if (b.len < nls_rtnexthop.size || x->depth >= NL_DEPTH)
		return false;
	x->depth++;
	for (uint64_t i = 0; b.len; i++) {
		size_t len = get16(b, 0), step = (len + 3) & ~(size_t)3;
		struct bytes rest = { NULL, 0 }, attributes = bytes_from(bytes_cut(b, len), nls_rtnexthop.size);

		if (b.len < nls_rtnexthop.size) {
			say_nl_bytes(d, b);
			break;
		}
		if (!dec_shows(d, i)) {
			d->ops->more(d->e);
			break;
		}
		if (step >= nls_rtnexthop.size)
			rest = bytes_from(b, step);
		if (!many && rest.len) {
			d->ops->array_begin(d->e);
			many = true;
		}
		if (attributes.len)
			d->ops->array_begin(d->e);
		say_nl_struct(d, b, &nls_rtnexthop);
		if (attributes.len) {
			say_nlattrs(d, x, attributes, &nla_route);
			d->ops->array_end(d->e);
		}
		b = rest;
	}
	if (many)
		d->ops->array_end(d->e);
	x->depth--;
	return true;
}

bool say_nla_rta_via(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row _unused_)
{
	unsigned family = get16(b, 0);

	if (b.len < 2)
		return false;
	d->ops->struct_begin(d->e);
	field_sym(d, "rtvia_family", &tab_socket_domains, family);
	if (b.len > 2)
		field_nl_address(d, "rtvia_addr", family, bytes_cut(bytes_from(b, 2), family == AF_INET ? 4 : b.len));
	d->ops->struct_end(d->e);
	return true;
}

/* --- multicast groups of a bridge --- */

bool say_nla_mdb_entry(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_row *row _unused_)
{
	enum { SIZE = 28 };
	unsigned proto = get_be16(b, 24);

	if (b.len < SIZE)
		return false;
	d->ops->struct_begin(d->e);
	say_field(d, "ifindex");
	say_interface(d, get32(b, 0));
	field_sym(d, "state", &tab_mdb_states, get8(b, 4));
	field_flags(d, "flags", &tab_mdb_flags, get8(b, 5));
	field_udec(d, "vid", get16(b, 6));
	say_field(d, "addr");
	d->ops->struct_begin(d->e);
	field_nl_address(d, "u", proto, bytes_cut(bytes_from(b, 8), 16));
	say_field(d, "proto");
	d->ops->around(d->e, "htons(");
	say_sym(d, &tab_socket_domains, proto);
	d->ops->around(d->e, ")");
	d->ops->struct_end(d->e);
	d->ops->struct_end(d->e);
	if (b.len > SIZE)
		say_nlattrs(d, x, bytes_from(b, SIZE), &nla_mdb_eattr);
	return true;
}

bool say_nla_router_port(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_row *row _unused_)
{
	if (b.len < 4)
		return false;
	say_interface(d, get32(b, 0));
	if (b.len > 4)
		say_nlattrs(d, x, bytes_from(b, 4), &nla_router_pattr);
	return true;
}
