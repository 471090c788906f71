/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "session/dns.h"

#include <arpa/nameser.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define ANSWERS 256             /* that are looked at */
#define ALIASES 8               /* one after the other */

/* The names that mean what was asked for: the question's, and those that it is an alias of. */
struct names {
	char v[ALIASES + 1][NS_MAXDNAME];
	unsigned n;
};

static bool has_name(const struct names *names, const char *name)
{
	for (unsigned i = 0; i < names->n; i++) {
		if (!strcasecmp(names->v[i], name))
			return true;
	}
	return false;
}

static void lower(char *s)
{
	for (; *s; s++) {
		if (*s >= 'A' && *s <= 'Z')
			*s |= 0x20;
	}
}

/* The record is one that the last name is an alias by: adds what it leads to. */
static bool follow(struct names *names, ns_msg *m, const ns_rr *rr)
{
	if (names->n > ALIASES || ns_rr_type(*rr) != ns_t_cname || ns_rr_class(*rr) != ns_c_in ||
	    strcasecmp(names->v[names->n - 1], ns_rr_name(*rr)) != 0)
		return false;
	if (ns_name_uncompress(ns_msg_base(*m), ns_msg_end(*m), ns_rr_rdata(*rr), names->v[names->n], NS_MAXDNAME) < 0)
		return false;
	names->n++;
	return true;
}

/* Servers give them in order; of others some more readings find the rest. */
static int follow_all(struct names *names, ns_msg *m, unsigned n)
{
	bool any = true;

	while (any) {
		any = false;
		for (unsigned i = 0; i < n; i++) {
			ns_rr rr;

			if (ns_parserr(m, ns_s_an, (int)i, &rr))
				return -EBADMSG;
			any |= follow(names, m, &rr);
		}
	}
	return 0;
}

static size_t address_len(const ns_rr *rr)
{
	size_t len = ns_rr_type(*rr) == ns_t_a ? NS_INADDRSZ : ns_rr_type(*rr) == ns_t_aaaa ? NS_IN6ADDRSZ : 0;

	return ns_rr_class(*rr) == ns_c_in && ns_rr_rdlen(*rr) == len ? len : 0;
}

int dns_addresses(const uint8_t *message, size_t len, dns_found_fn *found, void *data)
{
	struct names names = { .n = 1 };
	unsigned n;
	int told = 0;
	ns_msg m;
	ns_rr rr;

	if (len < NS_HFIXEDSZ || len > NS_MAXMSG || ns_initparse(message, (int)len, &m))
		return -EBADMSG;
	if (!ns_msg_getflag(m, ns_f_qr) || ns_msg_getflag(m, ns_f_opcode) != ns_o_query || ns_msg_getflag(m, ns_f_rcode) != ns_r_noerror ||
	    ns_msg_count(m, ns_s_qd) != 1)
		return 0;
	if (ns_parserr(&m, ns_s_qd, 0, &rr))
		return -EBADMSG;
	snprintf(names.v[0], NS_MAXDNAME, "%s", ns_rr_name(rr));
	lower(names.v[0]);
	n = ns_msg_count(m, ns_s_an);
	if (n > ANSWERS)
		n = ANSWERS;
	if (follow_all(&names, &m, n))
		return -EBADMSG;
	for (unsigned i = 0; i < n; i++) {
		size_t size;

		if (ns_parserr(&m, ns_s_an, (int)i, &rr))
			return -EBADMSG;
		size = address_len(&rr);
		/* What was not asked for is not believed either. */
		if (!size || !has_name(&names, ns_rr_name(rr)))
			continue;
		found(data, names.v[0], ns_rr_rdata(rr), size, ns_rr_ttl(rr));
		told++;
	}
	return told;
}

int dns_addresses_stream(const uint8_t *bytes, size_t len, dns_found_fn *found, void *data)
{
	size_t size = len >= 2 ? (size_t)(bytes[0] << 8 | bytes[1]) : 0;

	if (len >= 2 + NS_HFIXEDSZ && size >= NS_HFIXEDSZ && size <= len - 2)
		return dns_addresses(bytes + 2, size, found, data);
	return dns_addresses(bytes, len, found, data);
}
