/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_NETLINK_H
#define CTRACE_DECODE_NETLINK_H
/*
 * Netlink messages: headers, attributes and what they hold. Attributes are
 * rows of netlink_attrs.def, structures of plain numbers rows of
 * netlink_structs.def; the rest are functions of dec_nl*.c.
 */
#include "decode/dec_net.h"

#define NL_DEPTH 16             /* of messages and attributes in one another; deeper ones are shown as bytes */

/* What attributes depend on beside themselves. */
struct nla_ctx {
	unsigned family;                /* of the message's header */
	unsigned depth;                 /* of nested attributes */
	char kind[16], slave_kind[16];  /* of the link: IFLA_INFO_KIND and IFLA_INFO_SLAVE_KIND, NUL-terminated */
};

struct nla_row;

/* Says the value of an attribute; false, and nothing said, if it is not of that form. */
typedef bool nla_say(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_row *row);

struct nla_row {
	uint16_t type;
	nla_say *say;
	uint8_t bits;                   /* of numbers */
	const void *arg;                /* a table of names, of attributes or of fields */
};

/* The attributes of one kind of message or nest; types NULL: they are numbered, as elements of a list. */
struct nla_table {
	const struct symtab *types;
	const struct nla_row *rows;     /* of those whose values are shown as more than bytes */
	size_t n;
};

#define NLA(id, unknown, ...) extern const struct nla_table nla_##id;
#include "decode/netlink_attrs.def"
#undef NLA

/* One field of a structure. */
struct nl_field {
	const char *name;               /* NULL: nothing to say */
	uint8_t size;                   /* bytes; 0: what follows need not be there */
	char form;                      /* u, d, x, l (bytes, of which the field before tells the number), or as in say_nl_number() */
	const struct symtab *t;
};

struct nl_struct {
	const struct nl_field *fields;
	size_t n;
	size_t size;                    /* bytes that have to be there */
};

#define NLSTRUCT(id, size, ...) extern const struct nl_struct nls_##id;
#include "decode/netlink_structs.def"
#undef NLSTRUCT

/* The fields, without braces. */
void say_nl_fields(struct dec *d, struct bytes b, const struct nl_struct *s);
void say_nl_struct(struct dec *d, struct bytes b, const struct nl_struct *s);
/* Attributes, as elements of the array that they are in. */
void say_nlattrs(struct dec *d, struct nla_ctx *x, struct bytes b, const struct nla_table *t);
/* What has no form: \x01\x02, up to -s. */
void say_nl_bytes(struct dec *d, struct bytes b);
/* A name in so many bytes, or as many as there are; without a NUL as text that goes on. */
void say_nl_name(struct dec *d, struct bytes b, size_t size);
/* A string up to its NUL, or to -s. */
void say_nl_text(struct dec *d, struct bytes b);
/* 01:02:03, as much of it as is shown. */
void say_mac(struct dec *d, struct bytes b, size_t shown);
/* An address of that family; false if it is none, or too short. */
bool say_nl_address(struct dec *d, unsigned family, struct bytes b);
/* The field of a structure that holds one and nothing else, or bytes of another family. */
void field_nl_address(struct dec *d, const char *name, unsigned family, struct bytes b);

/* The messages of a socket of that protocol. */
void say_netlink(struct dec *d, unsigned protocol, struct bytes b);

/* Of one protocol: what follows a message's header, in an array. */
void say_nl_route(struct dec *d, unsigned type, struct bytes b);
void say_nl_diag(struct dec *d, unsigned type, unsigned flags, struct bytes b);
void say_nl_uevent(struct dec *d, struct bytes b);

#endif
