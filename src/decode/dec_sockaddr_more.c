/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Socket addresses of radio, telephone, virtual and other networks. */
#include "decode/dec_sockaddr.h"

#include "util/macros.h"

#include <ctype.h>
#include <stdio.h>

void field_text(struct dec *d, const char *name, struct bytes s)
{
	const uint8_t *nul = s.len ? memchr(s.p, 0, s.len) : NULL;

	say_field(d, name);
	if (nul)
		d->ops->str(d->e, s.p, (size_t)(nul - s.p), EMIT_STR_PATH);
	else
		d->ops->str(d->e, s.p, s.len ? s.len - 1 : 0, EMIT_STR_PATH | EMIT_STR_CUT);
}

static void field_bytes(struct dec *d, const char *name, struct bytes b, size_t off, size_t size)
{
	say_field(d, name);
	d->ops->str(d->e, b.p + off, size, EMIT_STR_HEX | EMIT_STR_PATH);
}

void field_station(struct dec *d, const char *name, struct bytes b, size_t off, size_t size)
{
	struct words w = { 0 };
	char two[4];

	for (size_t i = 0; i < size; i++) {
		snprintf(two, sizeof(two), "%s%02x", i ? ":" : "", get8(b, off + i));
		words_str(&w, two);
	}
	say_field(d, name);
	d->ops->alias_bytes_begin(d->e, b.p + off, size);
	d->ops->word(d->e, w.buf);
	d->ops->alias_end(d->e);
}

/* A remark that -X raw leaves out. */
static void remark(struct dec *d, const char *text)
{
	if (text && d->opts->consts != CONST_RAW)
		d->ops->comment(d->e, text);
}

/* A number in any case; what it is called stands beside it. */
static void field_number(struct dec *d, const char *name, const struct symtab *t, uint64_t v)
{
	const char *known = sym_name(t, v);

	field_hex(d, name, v);
	remark(d, known ? known : t->unknown);
}

/* --- AX.25, X.25, IPX --- */

#define CALL_SIGN 7
#define DIGIPEATERS 8

/* include/uapi/linux/ax25.h: six letters, shifted by one bit, and a number. False: it has no text. */
static bool call_sign_text(struct bytes b, size_t off, char text[static 12])
{
	unsigned ssid = get8(b, off + 6) >> 1 & 15;
	size_t n = 0;

	for (size_t i = 0; i < 6; i++) {
		text[i] = (char)(get8(b, off + i) >> 1);
		if (text[i] < ' ' || text[i] > '~' || text[i] == '*')
			return false;
		if (text[i] != ' ')
			n = i + 1;
	}
	if (n || ssid)
		snprintf(text + n, 12 - n, "-%u", ssid);
	else
		snprintf(text, 12, "*");
	return true;
}

/* No other bytes have the same text. */
static bool call_sign_plain(struct bytes b, size_t off)
{
	bool end = false, any = false;

	for (size_t i = 0; i < 6; i++) {
		unsigned v = get8(b, off + i), c = v >> 1;

		if (v & 1)
			return false;
		if (c == ' ')
			end = true;
		else if (end || !((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')))
			return false;
		else
			any = true;
	}
	return !(get8(b, off + 6) & ~0x1eu) && (any || !get8(b, off + 6));
}

static void say_call_sign(struct dec *d, struct bytes b, size_t off)
{
	char text[12];
	bool has_text = call_sign_text(b, off, text), plain = call_sign_plain(b, off);

	if (plain && d->opts->consts == CONST_ABBREV) {
		d->ops->word(d->e, text);
		return;
	}
	d->ops->struct_begin(d->e);
	field_bytes(d, "ax25_call", b, off, CALL_SIGN);
	d->ops->struct_end(d->e);
	if (has_text && !(plain && d->opts->consts == CONST_RAW))
		d->ops->comment(d->e, text);
}

static void ax25_fields(struct dec *d, struct bytes b)
{
	say_field(d, "sax25_call");
	say_call_sign(d, b, 2);
	field_dec(d, "sax25_ndigis", (int32_t)get32(b, 12));
}

/* Without more than a call sign it is a struct sockaddr_ax25, with stations that repeat it a full_sockaddr_ax25. */
void sockaddr_ax25(struct dec *d, struct bytes b)
{
	struct bytes list = bytes_from(b, 16);
	int64_t n = (int32_t)get32(b, 12);
	size_t room = list.len / CALL_SIGN;

	if (!list.len && !n) {
		ax25_fields(d, b);
		return;
	}
	say_field(d, "fsa_ax25");
	d->ops->struct_begin(d->e);
	ax25_fields(d, b);
	d->ops->struct_end(d->e);
	n = MIN(n, DIGIPEATERS);
	if (n > 0) {
		say_field(d, "fsa_digipeater");
		d->ops->array_begin(d->e);
		for (size_t i = 0; i < (size_t)n; i++) {
			if (i >= room || !dec_shows(d, i)) {
				d->ops->more(d->e);
				break;
			}
			say_call_sign(d, list, i * CALL_SIGN);
		}
		d->ops->array_end(d->e);
	}
	if (list.len % CALL_SIGN || room > DIGIPEATERS)
		d->ops->more(d->e);
}

static void field_hex_byte(struct dec *d, const char *name, uint8_t v)
{
	say_field(d, name);
	say_byte(d, v);
}

void sockaddr_ipx(struct dec *d, struct bytes b)
{
	field_net(d, "sipx_port", b, 2, 2);
	say_field(d, "sipx_network");
	d->ops->around(d->e, "htonl(");
	say_hex(d, get_be32(b, 4));
	d->ops->around(d->e, ")");
	say_field(d, "sipx_node");
	d->ops->array_begin(d->e);
	for (size_t i = 8; i < 14; i++)
		say_byte(d, get8(b, i));
	d->ops->array_end(d->e);
	field_hex_byte(d, "sipx_type", get8(b, 14));
	if (get8(b, 15))
		field_hex_byte(d, "sipx_zero", get8(b, 15));
}

void sockaddr_x25(struct dec *d, struct bytes b)
{
	say_field(d, "sx25_addr");
	d->ops->struct_begin(d->e);
	field_text(d, "x25_addr", bytes_cut(bytes_from(b, 2), 16));
	d->ops->struct_end(d->e);
}

/* --- Bluetooth --- */

/* A channel's number; from the first free one on as what it is beyond that. */
static void field_channel(struct dec *d, const char *name, struct bytes b, size_t off, const struct symtab *t,
			  const struct sym *dynamic)
{
	uint16_t v = get16(b, off);
	struct words w = { 0 };

	say_field(d, name);
	d->ops->around(d->e, "htobs(");
	for (; !sym_name(t, v) && dynamic->name; dynamic++) {
		if (v < dynamic->v)
			continue;
		words_named(d, &w, dynamic->name, dynamic->v);
		words_str(&w, "+");
		words_udec(&w, v - dynamic->v);
		d->ops->named(d->e, w.buf, v, EMIT_HEX);
		break;
	}
	if (!w.len)
		say_sym(d, t, v);
	d->ops->around(d->e, ")");
}

static void field_device(struct dec *d, struct bytes b)
{
	say_field(d, "hci_dev");
	d->ops->around(d->e, "htobs(");
	say_udec(d, get16(b, 2));
	d->ops->around(d->e, ")");
}

/* include/net/bluetooth: sockaddr_hci, _sco, _rc, _l2. */
bool sockaddr_bluetooth(struct dec *d, struct bytes b)
{
	static const struct sym psms[] = { { 0x1001, "L2CAP_PSM_DYN_START" }, { 0x100, NULL } },
				le_psms[] = { { 0x80, "L2CAP_PSM_LE_DYN_START" }, { 0, NULL } },
				cids[] = { { 0x40, "L2CAP_CID_DYN_START" }, { 0, NULL } }, none[] = { { 0, NULL } };

	switch (b.len) {
	case 6:
		field_device(d, b);
		field_sym(d, "hci_channel", &tab_hci_channels, get16(b, 4));
		return true;
	case 4:
		field_device(d, b);
		return true;
	case 8:
		field_station(d, "sco_bdaddr", b, 2, 6);
		return true;
	case 10:
		field_station(d, "rc_bdaddr", b, 2, 6);
		field_udec(d, "rc_channel", get8(b, 8));
		return true;
	case 12:
	case 14:
		field_channel(d, "l2_psm", b, 2, &tab_l2cap_psms,
			      get16(b, 2) > 0x1000 ? psms : get16(b, 2) < 0x100 ? le_psms : none);
		field_station(d, "l2_bdaddr", b, 4, 6);
		field_channel(d, "l2_cid", b, 10, &tab_l2cap_cids, cids);
		if (b.len == 14)
			field_sym(d, "l2_bdaddr_type", &tab_bdaddr_types, get8(b, 12));
		return true;
	default:
		return false;
	}
}

/* --- RxRPC, TIPC --- */

/* The address of the transport below. */
void sockaddr_rxrpc(struct dec *d, struct bytes b)
{
	static const struct { unsigned family; const char *member, *name; } inner[] = {
		{ 2, "sin", "sin_family" }, { 10, "sin6", "sin6_family" }, { 0, NULL, "family" },
	};
	struct bytes address = bytes_cut(bytes_from(b, 8), get16(b, 6));
	unsigned family = get16(b, 8);
	size_t i = family == 2 ? 0 : family == 10 ? 1 : 2;

	field_number(d, "srx_service", &tab_rxrpc_services, get16(b, 2));
	field_sym(d, "transport_type", &tab_socket_types, get16(b, 4));
	field_udec(d, "transport_len", get16(b, 6));
	say_field(d, "transport");
	d->ops->struct_begin(d->e);
	if (inner[i].member) {
		say_field(d, inner[i].member);
		d->ops->struct_begin(d->e);
	}
	field_sym(d, inner[i].name, &tab_socket_domains, family);
	say_sockaddr_body(d, address, true);
	if (inner[i].member)
		d->ops->struct_end(d->e);
	d->ops->struct_end(d->e);
}

static void tipc_range(struct dec *d, struct bytes b)
{
	say_field(d, "nameseq");
	d->ops->struct_begin(d->e);
	field_udec(d, "type", get32(b, 4));
	field_udec(d, "lower", get32(b, 8));
	field_udec(d, "upper", get32(b, 12));
	d->ops->struct_end(d->e);
}

static void tipc_service(struct dec *d, struct bytes b)
{
	say_field(d, "name");
	d->ops->struct_begin(d->e);
	say_field(d, "name");
	d->ops->struct_begin(d->e);
	field_udec(d, "type", get32(b, 4));
	field_udec(d, "instance", get32(b, 8));
	d->ops->struct_end(d->e);
	field_hex(d, "domain", get32(b, 12));
	d->ops->struct_end(d->e);
}

static void tipc_socket(struct dec *d, struct bytes b)
{
	say_field(d, "id");
	d->ops->struct_begin(d->e);
	field_udec(d, "ref", get32(b, 4));
	field_hex(d, "node", get32(b, 8));
	d->ops->struct_end(d->e);
}

void sockaddr_tipc(struct dec *d, struct bytes b)
{
	static void (*const forms[])(struct dec *d, struct bytes b) = { NULL, tipc_range, tipc_service, tipc_socket };
	unsigned type = get8(b, 2);
	int scope = (int8_t)get8(b, 3);
	const char *name = sym_name(&tab_tipc_scopes, (uint64_t)(scope < 0 ? -scope : scope));

	field_sym(d, "addrtype", &tab_tipc_addresses, type);
	/* Of those that are bound, negative of those that are unbound. */
	say_field(d, "scope");
	if (scope < 0)
		d->ops->around(d->e, "-");
	d->ops->sym(d->e, name, (uint64_t)(scope < 0 ? -scope : scope));
	if (!name)
		remark(d, tab_tipc_scopes.unknown);
	say_field(d, "addr");
	if (!type || type >= ARRAY_SIZE(forms)) {
		d->ops->str(d->e, b.p + 4, 12, EMIT_STR_PATH);
		return;
	}
	d->ops->struct_begin(d->e);
	forms[type](d, b);
	d->ops->struct_end(d->e);
}

/* --- IEEE 802.15.4, NFC --- */

enum { IEEE802154_NONE, IEEE802154_SHORT = 2 };

void sockaddr_ieee802154(struct dec *d, struct bytes b)
{
	uint32_t type = get32(b, 4);

	say_field(d, "addr");
	d->ops->struct_begin(d->e);
	field_number(d, "addr_type", &tab_ieee802154_addresses, type);
	field_number(d, "pan_id", &tab_ieee802154_pans, get16(b, 8));
	if (type == IEEE802154_SHORT)
		field_number(d, "short_addr", &tab_ieee802154_short_addresses, get16(b, 10));
	else if (type != IEEE802154_NONE)
		field_station(d, "hwaddr", b, 10, 8);
	d->ops->struct_end(d->e);
}

#define NFC_SERVICE_NAME 63

/* With a service it is a struct sockaddr_nfc_llcp, whose last member is a size_t. */
void sockaddr_nfc(struct dec *d, struct bytes b)
{
	size_t len_off = d->word == 8 ? 88 : 84;
	uint64_t len = get_uint(b, len_off, d->word);

	say_field(d, "dev_idx");
	say_interface(d, get32(b, 4));
	field_hex(d, "target_idx", get32(b, 8));
	field_sym(d, "nfc_protocol", &tab_nfc_targets, get32(b, 12));
	if (b.len == 16)
		return;
	if (b.len < len_off + d->word) {
		d->ops->more(d->e);
		return;
	}
	field_number(d, "dsap", &tab_llcp_saps, get8(b, 16));
	field_number(d, "ssap", &tab_llcp_saps, get8(b, 17));
	say_field(d, "service_name");
	d->ops->str(d->e, b.p + 18, MIN(len, NFC_SERVICE_NAME), EMIT_STR_PATH);
	field_udec(d, "service_name_len", len);
}

/* --- crypto, virtual machines, others --- */

static void field_features(struct dec *d, const char *name, uint32_t v)
{
	struct words w = { 0 };

	field_hex(d, name, v);
	if (!v)
		return;
	for (size_t i = 0; i < tab_crypto_features.n; i++) {
		if (!(v & tab_crypto_features.v[i].v))
			continue;
		words_str(&w, w.len ? "|" : "");
		words_str(&w, tab_crypto_features.v[i].name);
		v &= ~(uint32_t)tab_crypto_features.v[i].v;
	}
	if (w.len && v) {
		words_str(&w, "|");
		words_hex(&w, v);
	}
	remark(d, w.len ? w.buf : tab_crypto_features.unknown);
}

void sockaddr_alg(struct dec *d, struct bytes b)
{
	field_text(d, "salg_type", bytes_cut(bytes_from(b, 2), 14));
	field_features(d, "salg_feat", get32(b, 16));
	field_features(d, "salg_mask", get32(b, 20));
	field_text(d, "salg_name", bytes_from(b, 24));
}

void sockaddr_vsock(struct dec *d, struct bytes b)
{
	if (get16(b, 2))
		field_hex(d, "svm_reserved1", get16(b, 2));
	field_sym(d, "svm_cid", &tab_vsock_cids, get32(b, 8));
	field_sym(d, "svm_port", &tab_vsock_ports, get32(b, 4));
	field_flags(d, "svm_flags", &tab_vsock_flags, get8(b, 12));
	if (get8(b, 13) || get8(b, 14) || get8(b, 15))
		field_bytes(d, "svm_zero", b, 13, 3);
}

void sockaddr_qrtr(struct dec *d, struct bytes b)
{
	field_sym(d, "sq_node", &tab_qrtr_nodes, get32(b, 4));
	field_sym(d, "sq_port", &tab_qrtr_ports, get32(b, 8));
}

#define XDP_SHARED_UMEM 1

void sockaddr_xdp(struct dec *d, struct bytes b)
{
	unsigned flags = get16(b, 2);

	field_flags(d, "sxdp_flags", &tab_xdp_bind_flags, flags);
	say_field(d, "sxdp_ifindex");
	say_interface(d, get32(b, 4));
	field_udec(d, "sxdp_queue_id", get32(b, 8));
	if (flags & XDP_SHARED_UMEM) {
		say_field(d, "sxdp_shared_umem_fd");
		say_fd(d, (int32_t)get32(b, 12), false);
	} else if (get32(b, 12)) {
		field_hex(d, "sxdp_shared_umem_fd", get32(b, 12));
	}
}

void sockaddr_mctp(struct dec *d, struct bytes b)
{
	if (get16(b, 2))
		field_hex(d, "__smctp_pad0", get16(b, 2));
	field_sym(d, "smctp_network", &tab_mctp_networks, get32(b, 4));
	say_field(d, "smctp_addr");
	d->ops->struct_begin(d->e);
	field_sym(d, "s_addr", &tab_mctp_addresses, get8(b, 8));
	d->ops->struct_end(d->e);
	field_hex(d, "smctp_type", get8(b, 9));
	field_hex(d, "smctp_tag", get8(b, 10));
	if (get8(b, 11))
		field_hex(d, "__smctp_pad1", get8(b, 11));
}
