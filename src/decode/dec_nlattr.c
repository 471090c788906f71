/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Netlink attributes, and values that many of them have. */
#include "decode/netlink.h"

#include <arpa/inet.h>
#include <stdio.h>

#include "util/macros.h"

#define NLA_HEADER 4u
#define NLA_NESTED 0x8000u
#define NLA_NET_BYTEORDER 0x4000u

void say_nl_bytes(struct dec *d, struct bytes b)
{
	say_hex_bytes(d, b.p, b.len, b.len);
}

void say_mac(struct dec *d, struct bytes b, size_t shown)
{
	struct words w = { 0 };
	char text[4];

	for (size_t i = 0; i < b.len && i < shown; i++) {
		snprintf(text, sizeof(text), i ? ":%02x" : "%02x", b.p[i]);
		words_str(&w, text);
	}
	d->ops->alias_bytes_begin(d->e, b.p, b.len);
	d->ops->word(d->e, w.buf);
	d->ops->alias_end(d->e);
}

bool say_nl_address(struct dec *d, unsigned family, struct bytes b)
{
	char text[INET6_ADDRSTRLEN];

	if (family == AF_INET && b.len >= 4) {
		say_inet_addr(d, b, 0);
		return true;
	}
	if (family != AF_INET6 || b.len < 16 || !inet_ntop(AF_INET6, b.p, text, sizeof(text)))
		return false;
	d->ops->alias_bytes_begin(d->e, b.p, 16);
	d->ops->around(d->e, "inet_pton(AF_INET6, ");
	d->ops->str(d->e, text, strlen(text), 0);
	d->ops->around(d->e, ")");
	d->ops->alias_end(d->e);
	return true;
}

void field_nl_address(struct dec *d, const char *name, unsigned family, struct bytes b)
{
	char text[INET6_ADDRSTRLEN];

	if (family == AF_INET6 && b.len >= 16 && inet_ntop(AF_INET6, b.p, text, sizeof(text))) {
		d->ops->pton(d->e, name, "AF_INET6", text, b.p, 16);
		return;
	}
	say_field(d, name);
	if (family != AF_INET || b.len < 4 || !inet_ntop(AF_INET, b.p, text, sizeof(text))) {
		say_nl_bytes(d, b);
		return;
	}
	d->ops->alias_bytes_begin(d->e, b.p, b.len);
	d->ops->around(d->e, "inet_addr(");
	d->ops->str(d->e, text, strlen(text), 0);
	d->ops->around(d->e, ")");
	d->ops->alias_end(d->e);
}

/* --- structures --- */

/* As wide as the bytes alone would be with all their digits. */
static void say_nl_mask(struct dec *d, uint64_t v, unsigned size)
{
	char text[32];

	snprintf(text, sizeof(text), "%#0*llx", 2 * (int)size, (unsigned long long)v);
	d->ops->word(d->e, text);
}

void say_nl_name(struct dec *d, struct bytes b, size_t size)
{
	size_t n = MIN(b.len, size), len = bytes_strlen(bytes_cut(b, n));

	d->ops->str(d->e, b.p, MIN(len, size - 1), len < n ? EMIT_STR_PATH : EMIT_STR_PATH | EMIT_STR_CUT);
}

void say_nl_text(struct dec *d, struct bytes b)
{
	size_t n = MIN(b.len, (size_t)d->opts->string_limit), shown = bytes_strlen(bytes_cut(b, n));

	d->ops->str(d->e, b.p, shown, shown < n ? 0 : EMIT_STR_CUT);
}

static void say_nl_number(struct dec *d, struct bytes b, const struct nl_field *f)
{
	unsigned size = MIN(f->size, 8u), shift = 64 - 8 * size;       /* names and addresses are longer */
	uint64_t v = get_uint(b, 0, size);

	switch (f->form) {
	case 'u':
		say_udec(d, v);
		break;
	case 'd':
		say_dec(d, (int64_t)(v << shift) >> shift);
		break;
	case 's':
		say_sym(d, f->t, v);
		break;
	case 'f':
		say_flags(d, f->t, v);
		break;
	case 'i':
		say_interface(d, (uint32_t)v);
		break;
	case 'I':
		say_id(d, (uint32_t)v);
		break;
	case 'm':
		say_mac(d, bytes_cut(b, f->size), f->size);
		break;
	case 'n':
		d->ops->around(d->e, f->size == 2 ? "htons(" : "htonl(");
		say_udec(d, f->size == 2 ? get_be16(b, 0) : get_be32(b, 0));
		d->ops->around(d->e, ")");
		break;
	case 'e':
		say_ether_type(d, get_be16(b, 0));
		break;
	case 'w':                       /* a mask */
		say_nl_mask(d, v, f->size);
		break;
	case 't':                       /* a string with its NUL */
		d->ops->str(d->e, b.p, bytes_strlen(bytes_cut(b, f->size)), EMIT_STR_PATH);
		break;
	case 'k':
		say_nl_name(d, b, f->size);
		break;
	case 'h':
		d->ops->around(d->e, "htonl(");
		say_hex(d, get_be32(b, 0));
		d->ops->around(d->e, ")");
		break;
	case 'r':                       /* of a family, or else of that table */
		say_sym(d, sym_name(&tab_socket_domains, v) ? &tab_socket_domains : f->t, v);
		break;
	case 'b':
	case 'l':
		d->ops->str(d->e, b.p, MIN(b.len, (size_t)f->size), EMIT_STR_HEX | EMIT_STR_PATH);
		break;
	case 'c':                       /* a cookie */
		d->ops->array_begin(d->e);
		say_udec(d, get32(b, 0));
		say_udec(d, get32(b, 4));
		d->ops->array_end(d->e);
		break;
	default:
		say_hex(d, v);
	}
}

void say_nl_fields(struct dec *d, struct bytes b, const struct nl_struct *s)
{
	bool optional = false;
	size_t off = 0, before = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct nl_field *f = &s->fields[i];
		struct bytes value = bytes_from(b, off);

		optional |= !f->size;
		if (!f->size)
			continue;
		if (optional && !bytes_have(b, off, f->size))
			break;
		/* z: only if it is not 0. */
		if (f->name && (f->form != 'z' || get_uint(b, off, f->size))) {
			say_field(d, f->name);
			say_nl_number(d, f->form == 'l' ? bytes_cut(value, before) : value, f);
		}
		before = get_uint(value, 0, MIN(f->size, 8u));
		off += f->size;
	}
}

void say_nl_struct(struct dec *d, struct bytes b, const struct nl_struct *s)
{
	d->ops->struct_begin(d->e);
	say_nl_fields(d, b, s);
	d->ops->struct_end(d->e);
}

enum { REST_TOO = 1, OR_TEXT = 2 };

static bool nla_struct(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row)
{
	const struct nl_struct *s = row->arg;

	if (b.len < s->size && row->bits != OR_TEXT)
		return false;
	if (b.len < s->size)
		say_buf(d, b.p, b.len, b.len);
	else
		say_nl_struct(d, b, s);
	/* Of some strace shows what a newer kernel has behind it. */
	if (row->bits == REST_TOO && b.len > s->size)
		say_nl_bytes(d, bytes_from(b, s->size));
	return true;
}

/* --- numbers: those that have to have their size, and those (X) that take any from their size to 8 bytes --- */

enum { NUM_EXACT = 0x80 };

/* The value of an attribute; false if there is not enough of it, or too much. */
static bool nla_value(struct bytes b, const struct nla_row *row, uint64_t *ret_v)
{
	unsigned size = (row->bits & ~NUM_EXACT) / 8;

	if (b.len < size || (row->bits & NUM_EXACT && b.len > 8))
		return false;
	*ret_v = get_uint(b, 0, row->bits & NUM_EXACT ? b.len : size);
	if (size < 8 && row->bits & NUM_EXACT)
		*ret_v &= (1ull << 8 * size) - 1;
	return true;
}

static bool nla_uint(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row)
{
	uint64_t v;

	if (!nla_value(b, row, &v))
		return false;
	say_udec(d, v);
	return true;
}

static bool nla_int(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row)
{
	unsigned shift = 64 - row->bits;
	uint64_t v;

	if (!nla_value(b, row, &v))
		return false;
	say_dec(d, (int64_t)(v << shift) >> shift);
	return true;
}

static bool nla_hex(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row)
{
	uint64_t v;

	if (!nla_value(b, row, &v))
		return false;
	say_hex(d, v);
	return true;
}

/* A number of any length up to 8 bytes; without names of 1, 2, 4 or 8. */
static bool nla_any(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row)
{
	if (b.len > 8 || (!row->arg && b.len & (b.len - 1)))
		return false;
	if (row->arg)
		say_sym(d, row->arg, get_uint(b, 0, b.len));
	else
		say_hex(d, get_uint(b, 0, b.len));
	return true;
}

static bool nla_id(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row _unused_)
{
	if (b.len < 4)
		return false;
	say_id(d, get32(b, 0));
	return true;
}

static bool nla_sym(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row)
{
	uint64_t v;

	if (!nla_value(b, row, &v))
		return false;
	say_sym(d, row->arg, v);
	return true;
}

static bool nla_flags(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row)
{
	uint64_t v;

	if (!nla_value(b, row, &v))
		return false;
	say_flags(d, row->arg, v);
	return true;
}

static bool nla_fd(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row _unused_)
{
	if (b.len < 4)
		return false;
	say_fd(d, (int)get32(b, 0), false);
	return true;
}

static bool nla_ifindex(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row _unused_)
{
	if (b.len < 4)
		return false;
	say_interface(d, get32(b, 0));
	return true;
}

static bool nla_net(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row)
{
	unsigned size = row->bits / 8;
	uint64_t v = size == 2 ? get_be16(b, 0) : size == 4 ? get_be32(b, 0) : (uint64_t)get_be32(b, 0) << 32 | get_be32(b, 4);

	if (b.len < size)
		return false;
	d->ops->call_begin(d->e, size == 2 ? "htons(" : size == 4 ? "htonl(" : "htobe64(");
	say_udec(d, v);
	d->ops->call_end(d->e, ")");
	return true;
}

/* Fractions of a second, and what they are in seconds. */
static bool nla_ticks(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row)
{
	unsigned per_second = row->bits == 3 ? 1000 : 100;
	char text[64];
	uint64_t v;

	if (b.len > 8)
		return false;
	v = get_uint(b, 0, b.len);
	say_udec(d, v);
	snprintf(text, sizeof(text), row->bits == 3 ? "%llu.%03u s" : "%llu.%02u s", (unsigned long long)(v / per_second),
		 (unsigned)(v % per_second));
	if (v && d->opts->consts != CONST_RAW)
		d->ops->comment(d->e, text);
	return true;
}

/* --- arrays --- */

/* Numbers of bits each (0: the caller's long); of those with a table the place is told by its name. */
static bool say_nla_array(struct dec *d, struct bytes b, const struct nla_row *row, char form)
{
	size_t size = row->bits ? row->bits / 8 : d->word;
	const struct symtab *t = row->arg;
	const struct nl_field f = { .size = (uint8_t)size, .form = form };

	if (b.len < size)
		return false;
	d->ops->array_begin(d->e);
	for (size_t i = 0; bytes_have(b, i * size, size); i++) {
		if (!dec_shows(d, i)) {
			d->ops->more(d->e);
			break;
		}
		if (t)
			d->ops->index_begin(d->e, sym_name(t, i), i, t->unknown);
		say_nl_number(d, bytes_from(b, i * size), &f);
		if (t)
			d->ops->index_end(d->e);
	}
	d->ops->array_end(d->e);
	return true;
}

static bool nla_array(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row)
{
	return say_nla_array(d, b, row, 'u');
}

static bool nla_array_signed(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row)
{
	return say_nla_array(d, b, row, 'd');
}

static bool nla_array_masks(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row)
{
	return say_nla_array(d, b, row, 'w');
}

static bool nla_structs(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row)
{
	const struct nl_struct *s = row->arg;

	if (b.len < s->size)
		return false;
	d->ops->array_begin(d->e);
	for (size_t i = 0; bytes_have(b, i * s->size, s->size); i++) {
		if (!dec_shows(d, i)) {
			d->ops->more(d->e);
			break;
		}
		say_nl_struct(d, bytes_from(b, i * s->size), s);
	}
	d->ops->array_end(d->e);
	return true;
}

/* --- strings and addresses --- */

/* A last NUL is left out; where there is none within -s, more may follow. */
static bool nla_str(struct dec *d, struct nla_ctx *x _unused_, struct bytes b, const struct nla_row *row _unused_)
{
	size_t n = MIN(b.len, (size_t)d->opts->string_limit);
	bool ended = n && !b.p[n - 1];

	d->ops->str(d->e, b.p, n, EMIT_STR_CUT | (ended ? EMIT_STR_NUL : 0));
	return true;
}

static bool nla_address(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_row *row)
{
	return say_nl_address(d, row->bits ? row->bits : x->family, b);
}

/* --- attributes --- */

static bool nla_nest(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_row *row)
{
	if (x->depth >= NL_DEPTH)
		return false;
	x->depth++;
	say_nlattrs(d, x, b, row->arg);
	x->depth--;
	return true;
}

/* Attributes that are numbered, each of which holds attributes. */
static bool nla_list(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_row *row)
{
	const struct nla_row every = { .say = nla_nest, .arg = row->arg };
	const struct nla_table list = { NULL, &every, 1 };

	if (x->depth >= NL_DEPTH)
		return false;
	x->depth++;
	say_nlattrs(d, x, b, &list);
	x->depth--;
	return true;
}

static bool nla_list_of_lists(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_row *row)
{
	const struct nla_row every = { .say = nla_list, .arg = row->arg };
	const struct nla_table list = { NULL, &every, 1 };

	if (x->depth >= NL_DEPTH)
		return false;
	x->depth++;
	say_nlattrs(d, x, b, &list);
	x->depth--;
	return true;
}

static const struct nla_row *row_of(const struct nla_table *t, unsigned type)
{
	for (size_t i = 0; i < t->n; i++)
		if (!t->types || t->rows[i].type == type)
			return &t->rows[i];
	return NULL;
}

static void say_nla_type(struct dec *d, const struct symtab *types, unsigned v)
{
	unsigned type = v & ~(NLA_NESTED | NLA_NET_BYTEORDER);
	const char *name = types ? sym_name(types, type) : NULL;

	if (type == v) {
		if (types)
			say_sym(d, types, v);
		else
			say_hex(d, v);
		return;
	}
	d->ops->flags_begin(d->e, 0);
	if (v & NLA_NESTED)
		d->ops->flag_apart(d->e, "NLA_F_NESTED", NLA_NESTED, EMIT_HEX);
	if (v & NLA_NET_BYTEORDER)
		d->ops->flag_apart(d->e, "NLA_F_NET_BYTEORDER", NLA_NET_BYTEORDER, EMIT_HEX);
	d->ops->flag_apart(d->e, name, type, EMIT_HEX);
	d->ops->flags_end(d->e);
	if (types && !name)
		d->ops->comment(d->e, types->unknown);
}

/* One attribute, of b.len bytes with its header at most; len is what it says. */
static void say_nlattr(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_table *t)
{
	unsigned len = get16(b, 0), type = get16(b, 2);
	const struct nla_row *row = row_of(t, type & ~(NLA_NESTED | NLA_NET_BYTEORDER));
	struct bytes data = bytes_from(bytes_cut(b, len), NLA_HEADER);

	if (data.len)
		d->ops->array_begin(d->e);
	d->ops->struct_begin(d->e);
	field_udec(d, "nla_len", len);
	say_field(d, "nla_type");
	say_nla_type(d, t->types, type);
	d->ops->struct_end(d->e);
	if (!data.len)
		return;
	if (!row || !row->say(d, x, data, row))
		say_nl_bytes(d, data);
	d->ops->array_end(d->e);
}

void say_nlattrs(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_table *t)
{
	bool many = false;

	for (uint64_t i = 0; b.len; i++) {
		size_t len = get16(b, 0), step = (len + 3) & ~(size_t)3;
		struct bytes rest = { NULL, 0 };

		if (b.len < NLA_HEADER) {
			say_nl_bytes(d, b);
			break;
		}
		if (!dec_shows(d, i)) {
			d->ops->more(d->e);
			break;
		}
		if (len >= NLA_HEADER)
			rest = bytes_from(b, step);
		if (!many && rest.len) {
			d->ops->array_begin(d->e);
			many = true;
		}
		say_nlattr(d, x, b, t);
		b = rest;
	}
	if (many)
		d->ops->array_end(d->e);
}

/* --- the tables --- */

#define A(name, nr, ...) { nr, __VA_ARGS__ },
#define N(name, nr)
#define U8    nla_uint, 8, NULL
#define U16   nla_uint, 16, NULL
#define U32   nla_uint, 32, NULL
#define U64   nla_uint, 64, NULL
#define S32   nla_int, 32, NULL
#define X8    nla_hex, 8, NULL
#define X16   nla_hex, 16, NULL
#define X32   nla_hex, 32, NULL
#define X64   nla_hex, 64, NULL
#define ANY(t) nla_any, 0, &tab_##t
#define ANY_HEX nla_any, 0, NULL
#define ID    nla_id, 32, NULL
#define STR   nla_str, 0, NULL
#define FD    nla_fd, 32, NULL
#define IFINDEX nla_ifindex, 32, NULL
#define HTONS nla_net, 16, NULL
#define HTONL nla_net, 32, NULL
#define BE64  nla_net, 64, NULL
#define TICKS nla_ticks, 2, NULL
#define MSEC  nla_ticks, 3, NULL
#define ADDR  nla_address, 0, NULL
#define IN4   nla_address, AF_INET, NULL
#define IN6   nla_address, AF_INET6, NULL
#define SYM(bits, t)    nla_sym, bits, &tab_##t
#define FLAGS(bits, t)  nla_flags, bits, &tab_##t
#define XSYM(bits, t)   nla_sym, bits | NUM_EXACT, &tab_##t
#define XFLAGS(bits, t) nla_flags, bits | NUM_EXACT, &tab_##t
#define NEST(t)  nla_nest, 0, &nla_##t
#define LIST(t)  nla_list, 0, &nla_##t
#define LIST2(t) nla_list_of_lists, 0, &nla_##t
#define STRUCT(s) nla_struct, 0, &nls_##s
#define STRUCT_REST(s) nla_struct, REST_TOO, &nls_##s
#define STRUCT_OR_TEXT(s) nla_struct, OR_TEXT, &nls_##s
#define STRUCTS(s) nla_structs, 0, &nls_##s
#define ARRAY(bits) nla_array, bits, NULL
#define MASKS(bits) nla_array_masks, bits, NULL
#define INDEXED(bits, t) nla_array, bits, &tab_##t
#define INDEXED_S(bits, t) nla_array_signed, bits, &tab_##t
#define CALL(f) say_nla_##f, 0, NULL

#include "decode/netlink_calls.h"

#define NLA(id, unknown, ...) static const struct nla_row rows_##id[] = { __VA_ARGS__ { 0xffff, NULL, 0, NULL } };
#include "decode/netlink_attrs.def"
#undef NLA
#define NLA(id, unknown, ...) const struct nla_table nla_##id = { &tab_nla_##id, rows_##id, ARRAY_SIZE(rows_##id) - 1 };
#include "decode/netlink_attrs.def"
#undef NLA

#define F(name, size) { #name, size, 'u', NULL },
#define X(name, size) { #name, size, 'x', NULL },
#define AS(name, size, form) { #name, size, form, NULL },
#define AST(name, size, form, t) { #name, size, form, &tab_##t },
#define PAD(size) { NULL, size, 0, NULL },
#define REST { NULL, 0, 0, NULL },
#define NLSTRUCT(id, size, ...) static const struct nl_field fields_##id[] = { __VA_ARGS__ };
#include "decode/netlink_structs.def"
#undef NLSTRUCT
#define NLSTRUCT(id, size, ...) const struct nl_struct nls_##id = { fields_##id, ARRAY_SIZE(fields_##id), size };
#include "decode/netlink_structs.def"
#undef NLSTRUCT
