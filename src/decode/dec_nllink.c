/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Attributes of links that are more than numbers. */
#include "decode/netlink_calls.h"

#include <arpa/inet.h>

#include "util/macros.h"

#define FAMILY_BRIDGE 7
#define ADDRESS_MAX 32          /* MAX_ADDR_LEN */

static bool say_nest(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_table *t)
{
	say_nlattrs(d, x, b, t);
	return true;
}

bool say_nla_mac(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row _unused_)
{
	if (b.len > ADDRESS_MAX)
		return false;
	say_mac(d, b, b.len);
	return true;
}

/* strace takes the family of the message for the type of the hardware, whose addresses have so many bytes. */
bool say_nla_hwaddr(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_row *row _unused_)
{
	static const struct { unsigned type, len; } lengths[] = {
		{ 0, 7 }, { 1, 6 }, { 3, 7 }, { 6, 6 }, { 7, 1 }, { 15, 2 }, { 24, 16 }, { 27, 8 }, { 32, 20 },
	};

	size_t shown = b.len;

	if (b.len > ADDRESS_MAX)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++)
		if (lengths[i].type == x->family)
			shown = lengths[i].len;
	say_mac(d, b, shown);
	return true;
}

bool say_nla_protinfo(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_row *row _unused_)
{
	if (x->family == FAMILY_BRIDGE)
		return say_nest(d, x, b, &nla_brport);
	return x->family == AF_INET6 ? say_nest(d, x, b, &nla_ifla_inet6) : false;
}

bool say_nla_af_spec(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_row *row _unused_)
{
	return say_nest(d, x, b, x->family == FAMILY_BRIDGE ? &nla_bridge_spec : &nla_af_spec);
}

bool say_nla_linkinfo(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_row *row _unused_)
{
	x->kind[0] = x->slave_kind[0] = '\0';
	return say_nest(d, x, b, &nla_linkinfo);
}

/* Which says of what kind the data behind it are. */
static void say_kind(struct dec *d, struct bytes b, char kind[static 16])
{
	size_t len = MIN(bytes_strlen(b), (size_t)15);

	memcpy(kind, b.p, len);
	kind[len] = '\0';
	say_nl_text(d, b);
}

bool say_nla_info_kind(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_row *row _unused_)
{
	say_kind(d, b, x->kind);
	return true;
}

bool say_nla_info_slave_kind(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_row *row _unused_)
{
	say_kind(d, b, x->slave_kind);
	return true;
}

bool say_nla_info_data(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_row *row _unused_)
{
	if (!strcmp(x->kind, "bridge"))
		return say_nest(d, x, b, &nla_br);
	return !strcmp(x->kind, "tun") ? say_nest(d, x, b, &nla_tun) : false;
}

bool say_nla_slave_data(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_row *row _unused_)
{
	return !strcmp(x->slave_kind, "bridge") ? say_nest(d, x, b, &nla_brport) : false;
}

bool say_nla_info_xstats(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_row *row _unused_)
{
	if (strcmp(x->kind, "can") || b.len < nls_can_device_stats.size)
		return false;
	say_nl_struct(d, b, &nls_can_device_stats);
	return true;
}

bool say_nla_bridge_id(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row _unused_)
{
	if (b.len < 8)
		return false;
	d->ops->struct_begin(d->e);
	say_field(d, "prio");
	d->ops->array_begin(d->e);
	say_udec(d, get8(b, 0));
	say_udec(d, get8(b, 1));
	d->ops->array_end(d->e);
	say_field(d, "addr");
	say_mac(d, bytes_cut(bytes_from(b, 2), 6), 6);
	d->ops->struct_end(d->e);
	return true;
}

/* 16 bytes, or 12 of those whose numbers of 64 bits are not aligned. */
bool say_nla_vf_guid(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row _unused_)
{
	size_t at = b.len == 16 ? 8 : 4;

	if (b.len != at + 8)
		return false;
	d->ops->struct_begin(d->e);
	field_udec(d, "vf", get32(b, 0));
	field_hex(d, "guid", get64(b, at));
	d->ops->struct_end(d->e);
	return true;
}

bool say_nla_vlan_protocol(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row _unused_)
{
	uint16_t v = get_be16(b, 0);
	const char *name = sym_name(&tab_ether_types, v);

	if (b.len < 2 || b.len > 8)
		return false;
	d->ops->call_begin(d->e, "htons(");
	d->ops->sym(d->e, name, v);
	if (!name)
		d->ops->comment(d->e, "ETHER_P_???");
	d->ops->call_end(d->e, ")");
	return true;
}

/* Each counter for what came in and what went out, but for the errors. */
bool say_nla_mcast_xstats(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row _unused_)
{
	static const struct { const char *name; bool single; } counters[] = {
		{ "igmp_v1queries", false }, { "igmp_v2queries", false }, { "igmp_v3queries", false }, { "igmp_leaves", false },
		{ "igmp_v1reports", false }, { "igmp_v2reports", false }, { "igmp_v3reports", false }, { "igmp_parse_errors", true },
		{ "mld_v1queries", false }, { "mld_v2queries", false }, { "mld_leaves", false }, { "mld_v1reports", false },
		{ "mld_v2reports", false }, { "mld_parse_errors", true }, { "mcast_bytes", false }, { "mcast_packets", false },
	};
	enum { SIZE = 30 * 8 };
	size_t off = 0;

	if (b.len < SIZE)
		return false;
	d->ops->struct_begin(d->e);
	for (size_t i = 0; i < ARRAY_SIZE(counters); i++) {
		say_field(d, counters[i].name);
		if (counters[i].single) {
			say_udec(d, get64(b, off));
			off += 8;
			continue;
		}
		d->ops->array_begin(d->e);
		for (unsigned dir = 0; dir < 2; dir++, off += 8) {
			d->ops->index_begin(d->e, sym_name(&tab_mcast_dirs, dir), dir, tab_mcast_dirs.unknown);
			say_udec(d, get64(b, off));
			d->ops->index_end(d->e);
		}
		d->ops->array_end(d->e);
	}
	d->ops->struct_end(d->e);
	if (b.len > SIZE)
		say_nl_bytes(d, bytes_from(b, SIZE));
	return true;
}
