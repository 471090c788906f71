/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Netlink messages: their headers, errors, and what each protocol has in them. */
#include "decode/netlink_calls.h"

#include <arpa/inet.h>
#include <linux/netlink.h>

#include "util/macros.h"

#define HEADER 16u              /* struct nlmsghdr */

/* A header, and what protocol it is of. */
struct nlmsg {
	uint32_t len;
	unsigned type, flags, protocol;
};

/* --- types --- */

/* The tables of the netfilter subsystems' messages. */
static const struct symtab *nf_types(unsigned subsystem)
{
	static const struct symtab *const tables[] = {
		NULL, &tab_nf_conntrack, &tab_nf_expect, &tab_nf_queue, &tab_nf_log, &tab_nf_osf, &tab_nf_ipset, &tab_nf_acct,
		&tab_nf_cttimeout, &tab_nf_cthelper, &tab_nf_tables, &tab_nf_compat, &tab_nf_hook,
	};

	return subsystem < ARRAY_SIZE(tables) ? tables[subsystem] : NULL;
}

/* NFNL_MSG_BATCH_BEGIN and _END */
static bool is_batch(unsigned type)
{
	return type == NLMSG_MIN_TYPE || type == NLMSG_MIN_TYPE + 1;
}

static void say_nf_part(struct dec *d, const struct symtab *t, unsigned v)
{
	const char *name = t ? sym_name(t, v) : NULL;

	d->ops->flag_apart(d->e, name, v, EMIT_HEX);
	if (t && !name)
		d->ops->comment(d->e, t->unknown);
}

/* NFNL_SUBSYS_NFTABLES<<8|NFT_MSG_NEWTABLE */
static void say_nf_type(struct dec *d, unsigned type)
{
	unsigned subsystem = type >> 8, msg = type & 0xff;
	const struct symtab *t = nf_types(subsystem);

	if (is_batch(type)) {
		say_sym(d, &tab_nf_batch_types, type);
		return;
	}
	d->ops->flags_begin(d->e, 0);
	say_nf_part(d, &tab_nf_subsystems, subsystem);
	d->ops->around(d->e, "<<8");
	say_nf_part(d, t, msg);
	d->ops->flags_end(d->e);
}

/* Of the families the first alone has a number that is always the same. */
static void say_family(struct dec *d, unsigned type)
{
	struct interfaces *i = d->opts->interfaces;
	char name[FAMILY_NAME];

	if (!sym_name(&tab_genl_families, type) && i && i->family(i, &d->call->task, socket_netns(d), (uint16_t)type, name))
		d->ops->sym(d->e, name, type);
	else
		say_sym(d, &tab_genl_families, type);
}

static void say_type(struct dec *d, unsigned protocol, unsigned type)
{
	static const struct { unsigned protocol; const struct symtab *t; } tables[] = {
		{ NETLINK_ROUTE, &tab_nl_route_types },   { NETLINK_SOCK_DIAG, &tab_nl_diag_types }, { NETLINK_XFRM, &tab_nl_xfrm_types },
		{ NETLINK_SELINUX, &tab_nl_selinux_types }, { NETLINK_AUDIT, &tab_nl_audit_types }, { NETLINK_CRYPTO, &tab_nl_crypto_types },
	};

	if (type >= NLMSG_MIN_TYPE && protocol == NETLINK_NETFILTER) {
		say_nf_type(d, type);
		return;
	}
	if (type >= NLMSG_MIN_TYPE && protocol == NETLINK_GENERIC) {
		say_family(d, type);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		if (type >= NLMSG_MIN_TYPE && tables[i].protocol == protocol) {
			say_sym(d, tables[i].t, type);
			return;
		}
	}
	say_sym(d, &tab_nlmsg_types, type);
}

/* --- flags: what the upper ones mean depends on the type --- */

static bool is_one_of(unsigned type, const uint16_t *types, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (types[i] == type)
			return true;
	return false;
}

static const struct symtab *nf_flags(unsigned type)
{
	static const uint16_t new_types[] = {
		0x100, 0x200, 0x700, 0x800, 0x900, 0xa00, 0xa03, 0xa06, 0xa09, 0xa0c, 0xa0f, 0xa12, 0xa16,
	};
	static const uint16_t get_types[] = {
		0x101, 0x103, 0x104, 0x105, 0x106, 0x107, 0x201, 0x203, 0x701, 0x702, 0x801, 0x901, 0xa01, 0xa04, 0xa07, 0xa0a, 0xa0d,
		0xa10, 0xa13, 0xa15, 0xa17, 0xa19, 0xa21, 0xb00, 0xc00,
	};
	static const uint16_t del_types[] = {
		0x102, 0x202, 0x703, 0x802, 0x902, 0xa02, 0xa05, 0xa08, 0xa0b, 0xa0e, 0xa14, 0xa18, 0xa1a, 0xa1b, 0xa1c, 0xa1d, 0xa1e,
		0xa1f, 0xa20,
	};

	if (is_one_of(type, new_types, ARRAY_SIZE(new_types)))
		return &tab_nlmsg_new_flags;
	if (is_one_of(type, get_types, ARRAY_SIZE(get_types)))
		return &tab_nlmsg_get_flags;
	return is_one_of(type, del_types, ARRAY_SIZE(del_types)) ? &tab_nlmsg_del_flags : NULL;
}

static const struct symtab *route_flags(unsigned type)
{
	static const struct symtab *const tables[] = { &tab_nlmsg_new_flags, &tab_nlmsg_del_flags, &tab_nlmsg_get_flags, NULL };
	enum { RTM_DELACTION_TYPE = 49 };

	return type == RTM_DELACTION_TYPE ? &tab_nlmsg_get_flags : tables[type & 3];
}

static const struct symtab *xfrm_flags(unsigned type)
{
	static const uint16_t new_types[] = { 16, 19, 30, 34, 36 }, get_types[] = { 18, 21, 31, 35, 37 }, del_types[] = { 17, 20 };

	if (is_one_of(type, new_types, ARRAY_SIZE(new_types)))
		return &tab_nlmsg_new_flags;
	if (is_one_of(type, get_types, ARRAY_SIZE(get_types)))
		return &tab_nlmsg_get_flags;
	return is_one_of(type, del_types, ARRAY_SIZE(del_types)) ? &tab_nlmsg_del_flags : NULL;
}

static const struct symtab *crypto_flags(unsigned type)
{
	enum { NEWALG = 0x10, DELALG = 0x11, GETALG = 0x13, DELRNG = 0x14 };

	switch (type) {
	case NEWALG:
		return &tab_nlmsg_new_flags;
	case DELALG:
	case DELRNG:
		return &tab_nlmsg_del_flags;
	case GETALG:
		return &tab_nlmsg_get_flags;
	default:
		return NULL;
	}
}

static const struct symtab *upper_flags(const struct nlmsg *m)
{
	if (m->type < NLMSG_MIN_TYPE)
		return m->type == NLMSG_ERROR ? &tab_nlmsg_ack_flags : NULL;
	switch (m->protocol) {
	case NETLINK_CRYPTO:
		return crypto_flags(m->type);
	case NETLINK_NETFILTER:
		return nf_flags(m->type);
	case NETLINK_ROUTE:
		return route_flags(m->type);
	case NETLINK_GENERIC:
	case NETLINK_SOCK_DIAG:
		return &tab_nlmsg_get_flags;
	case NETLINK_XFRM:
		return xfrm_flags(m->type);
	default:
		return NULL;
	}
}

static void say_nlmsg_flags(struct dec *d, const struct nlmsg *m)
{
	const struct symtab *upper = upper_flags(m);
	uint64_t rest;

	d->ops->flags_begin(d->e, m->flags);
	rest = say_flag_names(d, &tab_nlmsg_flags, m->flags);
	if (upper)
		rest = say_flag_names(d, upper, rest);
	if (rest || !m->flags)
		d->ops->flag(d->e, NULL, rest);
	d->ops->flags_end(d->e);
	if (rest && rest == m->flags)
		d->ops->comment(d->e, tab_nlmsg_flags.unknown);
}

static void say_header(struct dec *d, const struct nlmsg *m, struct bytes b)
{
	int32_t pid = (int32_t)get32(b, 12);

	d->ops->struct_begin(d->e);
	field_udec(d, "nlmsg_len", m->len);
	say_field(d, "nlmsg_type");
	say_type(d, m->protocol, m->type);
	say_field(d, "nlmsg_flags");
	say_nlmsg_flags(d, m);
	field_udec(d, "nlmsg_seq", get32(b, 8));
	say_field(d, "nlmsg_pid");
	/* Of a task, or of a socket, whose numbers are negative. */
	if (pid > 0)
		say_pid(d, pid);
	else
		say_dec(d, pid);
	d->ops->struct_end(d->e);
}

/* --- what follows --- */

static void say_message(struct dec *d, unsigned protocol, struct bytes b, unsigned depth);

/* -ENOENT */
static void say_errno(struct dec *d, int32_t v)
{
	const char *name = v < 0 && v >= -4095 ? errno_name(-v) : NULL;
	struct words w = { 0 };

	if (!name) {
		say_dec(d, v);
		return;
	}
	words_str(&w, "-");
	words_str(&w, name);
	d->ops->named(d->e, w.buf, (uint64_t)(int64_t)v, EMIT_DEC);
}

/* struct nlmsgerr: an errno, and the message that it is about, or its header alone. */
static void say_error(struct dec *d, const struct nlmsg *m, struct bytes b, unsigned depth)
{
	struct nla_ctx x = { 0 };
	struct nlmsg about = { .len = get32(b, 4), .type = get16(b, 8), .flags = get16(b, 10), .protocol = m->protocol };
	struct bytes msg = bytes_from(b, 4), rest;
	int32_t error = (int32_t)get32(b, 0);
	size_t len = about.len;

	if (b.len < 4 + HEADER || depth >= NL_DEPTH) {
		say_nl_bytes(d, b);
		return;
	}
	if (m->flags & NLM_F_CAPPED || len < HEADER)
		len = HEADER;
	rest = bytes_from(msg, (len + 3) & ~(size_t)3);
	if (rest.len)
		d->ops->array_begin(d->e);
	d->ops->struct_begin(d->e);
	say_field(d, "error");
	say_errno(d, error);
	say_field(d, "msg");
	if (m->flags & NLM_F_CAPPED)
		say_header(d, &about, msg);
	else
		say_message(d, m->protocol, bytes_cut(msg, len), depth + 1);
	d->ops->struct_end(d->e);
	if (!rest.len)
		return;
	say_nlattrs(d, &x, rest, &nla_nlmsgerr);
	d->ops->array_end(d->e);
}

static void say_done(struct dec *d, struct bytes b)
{
	if (b.len == 4)
		say_dec(d, (int32_t)get32(b, 0));
	else
		say_nl_bytes(d, b);
}

static void say_netfilter(struct dec *d, unsigned type, struct bytes b)
{
	const struct nla_table numbered = { NULL, NULL, 0 };
	struct nla_ctx x = { .family = get8(b, 0) };
	struct bytes rest = bytes_from(b, nls_nfgenmsg.size);
	enum { NFTABLES = 10 };

	if (b.len < nls_nfgenmsg.size) {
		say_nl_bytes(d, b);
		return;
	}
	d->ops->struct_begin(d->e);
	field_sym(d, "nfgen_family", &tab_socket_domains, get8(b, 0));
	field_sym(d, "version", &tab_nf_versions, get8(b, 1));
	say_field(d, "res_id");
	if (type >> 8 == NFTABLES && get_be16(b, 2) == NFTABLES) {
		d->ops->alias_begin(d->e, get16(b, 2), EMIT_HEX);
		d->ops->around(d->e, "htons(");
		d->ops->word(d->e, sym_name(&tab_nf_subsystems, NFTABLES));
		d->ops->around(d->e, ")");
		d->ops->alias_end(d->e);
	} else {
		d->ops->call_begin(d->e, "htons(");
		say_udec(d, get_be16(b, 2));
		d->ops->call_end(d->e, ")");
	}
	d->ops->struct_end(d->e);
	if (rest.len && is_batch(type))
		say_nl_bytes(d, rest);
	else if (rest.len)
		say_nlattrs(d, &x, rest, &numbered);
}

static void say_generic(struct dec *d, unsigned type, struct bytes b)
{
	const struct nla_table numbered = { NULL, NULL, 0 };
	struct nla_ctx x = { 0 };
	enum { SIZE = 4 };

	if (b.len < SIZE) {
		say_nl_bytes(d, b);
		return;
	}
	d->ops->struct_begin(d->e);
	say_field(d, "cmd");
	if (type == NLMSG_MIN_TYPE)
		say_sym(d, &tab_ctrl_cmds, get8(b, 0));
	else
		say_hex(d, get8(b, 0));
	field_udec(d, "version", get8(b, 1));
	if (get16(b, 2))
		field_hex(d, "reserved", get16(b, 2));
	d->ops->struct_end(d->e);
	if (b.len > SIZE)
		say_nlattrs(d, &x, bytes_from(b, SIZE), type == NLMSG_MIN_TYPE ? &nla_ctrl : &numbered);
}

static void say_selinux(struct dec *d, unsigned type, struct bytes b)
{
	const struct nl_struct *s = type == NLMSG_MIN_TYPE ? &nls_selnl_setenforce : type == NLMSG_MIN_TYPE + 1 ? &nls_selnl_policyload : NULL;

	if (!s || b.len < s->size)
		say_nl_bytes(d, b);
	else
		say_nl_struct(d, b, s);
}

bool say_nla_crypto_type(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row _unused_)
{
	d->ops->struct_begin(d->e);
	say_field(d, "type");
	say_nl_text(d, b);
	d->ops->struct_end(d->e);
	return true;
}

static void say_crypto(struct dec *d, unsigned type, struct bytes b)
{
	const struct nl_struct *s = &nls_crypto_user_alg;
	struct nla_ctx x = { 0 };
	enum { FIRST = 0x10, LAST = 0x13 };             /* CRYPTO_MSG_NEWALG, CRYPTO_MSG_GETALG */

	if (type < FIRST || type > LAST) {
		say_nl_bytes(d, b);
	} else if (b.len < s->size) {
		say_buf(d, b.p, b.len, b.len);
	} else {
		say_nl_struct(d, b, s);
		if (b.len > s->size)
			say_nlattrs(d, &x, bytes_from(b, s->size), &nla_crypto);
	}
}

static void say_payload(struct dec *d, const struct nlmsg *m, struct bytes b, unsigned depth)
{
	if (m->type == NLMSG_ERROR) {
		say_error(d, m, b, depth);
	} else if (m->type == NLMSG_DONE) {
		say_done(d, b);
	} else if (m->type < NLMSG_MIN_TYPE) {
		say_nl_bytes(d, b);
	} else {
		switch (m->protocol) {
		case NETLINK_ROUTE:
			say_nl_route(d, m->type, b);
			break;
		case NETLINK_SOCK_DIAG:
			say_nl_diag(d, m->type, m->flags, b);
			break;
		case NETLINK_NETFILTER:
			say_netfilter(d, m->type, b);
			break;
		case NETLINK_GENERIC:
			say_generic(d, m->type, b);
			break;
		case NETLINK_SELINUX:
			say_selinux(d, m->type, b);
			break;
		case NETLINK_CRYPTO:
			say_crypto(d, m->type, b);
			break;
		default:
			say_nl_bytes(d, b);
		}
	}
}

/* One message, of b.len bytes at most; there are enough for a header. */
static void say_message(struct dec *d, unsigned protocol, struct bytes b, unsigned depth)
{
	struct nlmsg m = { .len = get32(b, 0), .type = get16(b, 4), .flags = get16(b, 6), .protocol = protocol };
	struct bytes payload = bytes_from(bytes_cut(b, m.len), HEADER);

	if (payload.len)
		d->ops->array_begin(d->e);
	say_header(d, &m, b);
	if (!payload.len)
		return;
	say_payload(d, &m, payload, depth);
	d->ops->array_end(d->e);
}

/* From udev, with a header of its own, or from the kernel: text. */
static void say_uevent(struct dec *d, struct bytes b)
{
	static const char prefix[8] = "libudev";
	struct bytes rest;
	bool udev = b.len >= nls_udev_header.size && !memcmp(b.p, prefix, sizeof(prefix));

	if (!udev) {
		say_buf(d, b.p, b.len, b.len);
		return;
	}
	rest = bytes_from(b, nls_udev_header.size);
	if (rest.len)
		d->ops->array_begin(d->e);
	say_nl_struct(d, b, &nls_udev_header);
	if (!rest.len)
		return;
	say_buf(d, rest.p, rest.len, rest.len);
	d->ops->array_end(d->e);
}

void say_netlink(struct dec *d, unsigned protocol, struct bytes b)
{
	bool many = false;

	if (protocol == NETLINK_KOBJECT_UEVENT) {
		say_uevent(d, b);
		return;
	}
	if (b.len < HEADER)
		say_nl_bytes(d, b);
	for (uint64_t i = 0; b.len >= HEADER || (i && b.len); i++) {
		uint32_t len = get32(b, 0);
		struct bytes rest = { NULL, 0 };

		if (b.len < HEADER) {
			say_nl_bytes(d, b);
			break;
		}
		if (!dec_shows(d, i)) {
			d->ops->more(d->e);
			break;
		}
		if (len >= HEADER)
			rest = bytes_from(b, ((size_t)len + 3) & ~(size_t)3);
		if (!many && rest.len) {
			d->ops->array_begin(d->e);
			many = true;
		}
		say_message(d, protocol, b, 0);
		b = rest;
	}
	if (many)
		d->ops->array_end(d->e);
}
