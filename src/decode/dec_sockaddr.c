/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Socket addresses: Unix, IPv4, IPv6, netlink, packet; more in dec_sockaddr_more.c, others as bytes. */
#include "decode/dec_sockaddr.h"
#include "decode/kinds.h"

#include "util/macros.h"

#include <arpa/inet.h>
#include <stdio.h>

enum { FAMILY_INET = 2, FAMILY_INET6 = 10, FAMILY_BLUETOOTH = 31 };

void field_net(struct dec *d, const char *name, struct bytes b, size_t off, size_t size)
{
	say_field(d, name);
	d->ops->alias_bytes_begin(d->e, b.p + off, size);
	d->ops->around(d->e, size == 2 ? "htons(" : "htonl(");
	say_udec(d, size == 2 ? get_be16(b, off) : get_be32(b, off));
	d->ops->around(d->e, ")");
	d->ops->alias_end(d->e);
}

static void say_address(struct dec *d, const char *before, const char *text, const char *behind)
{
	d->ops->around(d->e, before);
	d->ops->str(d->e, text, strlen(text), 0);
	d->ops->around(d->e, behind);
}

/* The network namespace of the socket of a call, where it was captured; 0: not known. */
uint32_t socket_netns(const struct dec *d)
{
	struct ct_sock_id id;

	return d->sys && d->sys->classes & C_NETWORK && dec_read(d, SOCKET_REG, PART_SOCKET, &id, sizeof(id)) ? id.netns : 0;
}

/* An interface by name, or the number: it belongs to a network namespace, where the first is always the loopback. */
void say_interface(struct dec *d, uint32_t index)
{
	char name[INTERFACE_NAME] = "lo";
	struct interfaces *i = d->opts->interfaces;

	if (!index || (i ? !i->name(i, &d->call->task, socket_netns(d), index, name) && index != 1 : index != 1)) {
		say_udec(d, index);
		return;
	}
	d->ops->alias_begin(d->e, index, EMIT_UDEC);
	say_address(d, "if_nametoindex(", name, ")");
	d->ops->alias_end(d->e);
}

static void sockaddr_unix(struct dec *d, struct bytes b)
{
	struct bytes path = bytes_cut(bytes_from(b, 2), 108);

	if (!path.len)
		return;
	say_field(d, "sun_path");
	if (path.p[0])
		d->ops->str(d->e, path.p, strnlen((const char *)path.p, path.len), EMIT_STR_PATH);
	else
		d->ops->str(d->e, path.p + 1, path.len - 1, EMIT_STR_PATH | EMIT_STR_ABSTRACT);
}

void say_inet_addr(struct dec *d, struct bytes b, size_t off)
{
	char text[48];

	snprintf(text, sizeof(text), "%u.%u.%u.%u", get8(b, off), get8(b, off + 1), get8(b, off + 2), get8(b, off + 3));
	if (bytes_have(b, off, 4))
		d->ops->alias_bytes_begin(d->e, b.p + off, 4);
	say_address(d, "inet_addr(", text, ")");
	if (bytes_have(b, off, 4))
		d->ops->alias_end(d->e);
}

static void sockaddr_inet(struct dec *d, struct bytes b)
{
	field_net(d, "sin_port", b, 2, 2);
	say_field(d, "sin_addr");
	say_inet_addr(d, b, 4);
	say_peer_name(d, b.p + 4, 4);
}

/* fe80::/10 and ff02::/16: their scope is an interface. */
static bool is_link_local(const uint8_t *addr)
{
	return (addr[0] == 0xfe && (addr[1] & 0xc0) == 0x80) || (addr[0] == 0xff && (addr[1] & 0x0f) == 0x02);
}

static void sockaddr_inet6(struct dec *d, struct bytes b)
{
	char addr[INET6_ADDRSTRLEN];
	const uint8_t *bytes = b.p + 8;

	field_net(d, "sin6_port", b, 2, 2);
	field_net(d, "sin6_flowinfo", b, 4, 4);
	if (!inet_ntop(AF_INET6, bytes, addr, sizeof(addr)))
		addr[0] = '\0';
	d->ops->pton(d->e, "sin6_addr", "AF_INET6", addr, bytes, 16);
	say_peer_name(d, bytes, 16);
	if (b.len <= 24)
		return;
	say_field(d, "sin6_scope_id");
	if (is_link_local(bytes))
		say_interface(d, get32(b, 24));
	else
		say_udec(d, get32(b, 24));
}

static void sockaddr_netlink(struct dec *d, struct bytes b)
{
	char text[16];

	if (get16(b, 2))
		field_hex(d, "nl_pad", get16(b, 2));
	field_dec(d, "nl_pid", (int32_t)get32(b, 4));
	say_field(d, "nl_groups");
	snprintf(text, sizeof(text), "%#08x", get32(b, 8));
	d->ops->word(d->e, text);
}

/* htons(ETH_P_IP) */
void say_ether_type(struct dec *d, uint16_t type)
{
	d->ops->around(d->e, "htons(");
	say_sym(d, &tab_ether_types, type);
	d->ops->around(d->e, ")");
}

static void sockaddr_packet(struct dec *d, struct bytes b)
{
	unsigned halen = get8(b, 11);

	say_field(d, "sll_protocol");
	d->ops->alias_bytes_begin(d->e, b.p + 2, 2);
	say_ether_type(d, get_be16(b, 2));
	d->ops->alias_end(d->e);
	say_field(d, "sll_ifindex");
	say_interface(d, get32(b, 4));
	field_sym(d, "sll_hatype", &tab_hardware_types, get16(b, 8));
	field_sym(d, "sll_pkttype", &tab_packet_types, get8(b, 10));
	field_udec(d, "sll_halen", halen);
	if (!halen)
		return;
	say_field(d, "sll_addr");
	d->ops->array_begin(d->e);
	for (size_t i = 12; i < b.len && i < 12 + halen; i++)
		say_byte(d, b.p[i]);
	if (12 + halen > b.len)
		d->ops->more(d->e);
	d->ops->array_end(d->e);
}

static void sockaddr_other(struct dec *d, struct bytes b, bool nested)
{
	if (b.len <= 2)
		return;
	if (nested)
		d->ops->unnamed_field(d->e, "sa_data");
	else
		say_field(d, "sa_data");
	d->ops->str(d->e, b.p + 2, b.len - 2, EMIT_STR_PATH);
}

void say_sockaddr_body(struct dec *d, struct bytes b, bool nested)
{
	static const struct {
		unsigned family;
		size_t min;
		void (*say)(struct dec *d, struct bytes b);
	} families[] = {
		{ 1, 3, sockaddr_unix },        { 2, 16, sockaddr_inet },    { 3, 16, sockaddr_ax25 },   { 4, 16, sockaddr_ipx },
		{ 9, 18, sockaddr_x25 },        { 10, 24, sockaddr_inet6 },  { 16, 12, sockaddr_netlink }, { 17, 20, sockaddr_packet },
		{ 30, 16, sockaddr_tipc },      { 33, 36, sockaddr_rxrpc },  { 36, 20, sockaddr_ieee802154 }, { 38, 25, sockaddr_alg },
		{ 39, 16, sockaddr_nfc },       { 40, 16, sockaddr_vsock },  { 42, 12, sockaddr_qrtr },  { 44, 16, sockaddr_xdp },
		{ 45, 12, sockaddr_mctp },
	};
	unsigned family = get16(b, 0);

	/* An address within an address is told from its bytes but for the internet's. */
	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		if (families[i].family != family || b.len < families[i].min)
			continue;
		if (nested && family != FAMILY_INET && family != FAMILY_INET6)
			break;
		families[i].say(d, b);
		return;
	}
	if (nested || family != FAMILY_BLUETOOTH || !sockaddr_bluetooth(d, b))
		sockaddr_other(d, b, nested);
}

void say_sockaddr_bytes(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_sym(d, "sa_family", &tab_socket_domains, get16(b, 0));
	say_sockaddr_body(d, b, false);
	d->ops->struct_end(d->e);
}

void say_sockaddr(struct dec *d, const struct capture *c, uint64_t addr, int64_t len)
{
	struct bytes b = bytes_of(c && !(c->flags & CT_CAP_FAILED) ? c : NULL);
	size_t need = len < SOCKADDR_MAX ? (size_t)(len > 0 ? len : 0) : SOCKADDR_MAX;

	if (len >= 2 && addr && b.len >= need) {
		say_sockaddr_bytes(d, bytes_cut(b, need));
		return;
	}
	say_addr(d, addr);
	if (len >= 2 && addr)
		dec_note(d, c);
}
