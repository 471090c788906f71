/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_output */
/* Netlink messages that are cut, lie about their lengths, or of sockets that nothing is known of. */
#include "decode_text.h"

#include "output/emit_json.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

enum { NR_sendto = 44, NR_recvfrom = 45, NR_sendto_i386 = 369, PORT = 77 };

static unsigned char buf[4096];
static size_t buf_len;
static struct ct_sock_id id;

static void put(const void *data, size_t len)
{
	assert_true(len <= sizeof(buf) - buf_len);
	if (len)
		memcpy(buf + buf_len, data, len);
	buf_len += len;
}

static void put_header(uint32_t len, uint16_t type, uint16_t flags)
{
	struct nlmsghdr h = { .nlmsg_len = len, .nlmsg_type = type, .nlmsg_flags = flags, .nlmsg_seq = 1 };

	put(&h, sizeof(h));
}

static void put_attr(uint16_t len, uint16_t type)
{
	struct nlattr a = { .nla_len = len, .nla_type = type };

	put(&a, sizeof(a));
}

static void begin(uint32_t len, uint16_t type)
{
	buf_len = 0;
	put_header(len, type, 0);
}

/* What was put is sent on a socket of that protocol, which had said that it is len bytes. */
static void sent(unsigned protocol, uint32_t port, size_t len)
{
	id = (struct ct_sock_id){ .family = AF_NETLINK, .type = SOCK_RAW, .protocol = protocol, .port_id = port };
	call_make(NR_sendto, (int64_t)len, 6, A(3), PTR, A(len), A(0), A(0), A(0));
	call_capture(1, 0, buf, buf_len);
	call_capture(0, 0, &id, sizeof(id));
	if (buf_len < len)
		call.captures[0].flags |= CT_CAP_CUT;
	call.captures[0].true_len = (uint32_t)len;
}

static void assert_sent(const char *expected, size_t len)
{
	char whole[4096];

	snprintf(whole, sizeof(whole), "3, %s, %zu, 0, NULL, 0", expected, len);
	assert_call(whole);
	assert_survives_cuts();
}

static void check(unsigned protocol, const char *expected)
{
	sent(protocol, PORT, buf_len);
	assert_sent(expected, buf_len);
}

#define HEAD(len, type) "{nlmsg_len=" len ", nlmsg_type=" type ", nlmsg_flags=0, nlmsg_seq=1, nlmsg_pid=0}"

static void test_lengths(void **state)
{
	(void)state;
	begin(16, NLMSG_NOOP);
	check(NETLINK_ROUTE, HEAD("16", "NLMSG_NOOP"));
	begin(0, NLMSG_NOOP);
	check(NETLINK_ROUTE, HEAD("0", "NLMSG_NOOP"));
	begin(UINT32_MAX, RTM_NEWLINK);
	check(NETLINK_ROUTE, HEAD("4294967295", "RTM_NEWLINK"));
	put("\7", 1);
	check(NETLINK_ROUTE, "[" HEAD("4294967295", "RTM_NEWLINK") ", {ifi_family=AF_BRIDGE, ...}]");
	begin(16, NLMSG_NOOP);
	put_header(16, NLMSG_OVERRUN, 0);
	check(NETLINK_ROUTE, "[" HEAD("16", "NLMSG_NOOP") ", " HEAD("16", "NLMSG_OVERRUN") "]");
	buf_len = 3;
	check(NETLINK_ROUTE, "\"\\x10\\x00\\x00\"");
}

/* -s 0 shows none of them: an array all the same, which says so. */
static void test_none_shown(void **state)
{
	const struct decode_opts none = { 0 };
	struct strbuf out = { 0 };
	struct emit_json json;

	(void)state;
	begin(16, NLMSG_NOOP);
	sent(NETLINK_ROUTE, PORT, buf_len);
	emit_json_init(&json);
	emit_json_begin(&json, &out);
	decode_args(&call, &none, &json.e);
	emit_json_end(&json);
	assert_string_equal(strbuf_cstr(&out), "\"sockfd\":3,\"buf\":[],\"len\":16,\"flags\":[],\"dest_addr\":null,\"addrlen\":0");
	assert_string_equal(strbuf_cstr(&json.notes), "{\"arg\":\"buf\",\"note\":\"cut\"}");
	emit_json_done(&json);
	strbuf_done(&out);
}

/* strace does not find a socket that is not bound: its messages have generic names. */
static void test_unbound(void **state)
{
	(void)state;
	begin(16, RTM_NEWLINK);
	sent(NETLINK_ROUTE, 0, 16);
	assert_sent(HEAD("16", "0x10 /* NLMSG_??? */"), 16);
	sent(31, PORT, 16);
	assert_sent(HEAD("16", "0x10 /* NLMSG_??? */"), 16);
	/* Of a socket that is none of netlink, or of which nothing could be had. */
	id.family = AF_INET;
	assert_call("3, \"\\20\\0\\0\\0\\20\\0\\0\\0\\1\\0\\0\\0\\0\\0\\0\\0\", 16, 0, NULL, 0");
	call.n_captures = 1;
	assert_call("3, \"\\20\\0\\0\\0\\20\\0\\0\\0\\1\\0\\0\\0\\0\\0\\0\\0\", 16, 0, NULL, 0");
}

static void test_attributes(void **state)
{
	static const unsigned char header[16];

	(void)state;
	begin(36, RTM_NEWLINK);
	put(header, 16);
	put_attr(0xffff, 3);
	check(NETLINK_ROUTE, "[" HEAD("36", "RTM_NEWLINK") ", {ifi_family=AF_UNSPEC, ifi_type=ARPHRD_NETROM, ifi_index=0, ifi_flags=0, "
			     "ifi_change=0}, {nla_len=65535, nla_type=IFLA_IFNAME}]");
	begin(40, RTM_NEWLINK);
	put(header, 16);
	put_attr(0xffff, 3);
	put("lo\0\0", 4);
	check(NETLINK_ROUTE, "[" HEAD("40", "RTM_NEWLINK") ", {ifi_family=AF_UNSPEC, ifi_type=ARPHRD_NETROM, ifi_index=0, ifi_flags=0, "
			     "ifi_change=0}, [{nla_len=65535, nla_type=IFLA_IFNAME}, \"lo\\0\"]]");
	begin(40, RTM_NEWLINK);
	put(header, 16);
	put_attr(2, 0x8004);
	put_attr(4, 4);
	check(NETLINK_ROUTE, "[" HEAD("40", "RTM_NEWLINK") ", {ifi_family=AF_UNSPEC, ifi_type=ARPHRD_NETROM, ifi_index=0, ifi_flags=0, "
			     "ifi_change=0}, {nla_len=2, nla_type=NLA_F_NESTED|IFLA_MTU}]");
}

/* The attributes in it are no more than the bytes that there are, however deep it says to be. */
static void test_depth(void **state)
{
	(void)state;
	for (unsigned nests = 1; nests < 200; nests += 33) {
		begin(28 + 12 * nests, RTM_NEWROUTE);
		put("\2\0\0\0\0\0\0\0\0\0\0\0", 12);
		for (unsigned i = nests; i > 0; i--) {
			struct rtnexthop hop = { .rtnh_len = (uint16_t)(12 * i - 4) };

			put_attr((uint16_t)(12 * i), RTA_MULTIPATH);
			put(&hop, sizeof(hop));
		}
		sent(NETLINK_ROUTE, PORT, buf_len);
		assert_survives_cuts();
	}
}

/* A long of the caller's. */
static void test_compat(void **state)
{
	unsigned char header[28] = { AF_NETLINK };

	(void)state;
	begin(56, 20);
	put(header, sizeof(header));
	put_attr(12, 1);
	put("\1\0\0\0\0\0\0\200", 8);
	check(NETLINK_SOCK_DIAG, "[" HEAD("56", "SOCK_DIAG_BY_FAMILY") ", {ndiag_family=AF_NETLINK, ndiag_type=0 /* SOCK_??? */, "
				 "ndiag_protocol=NETLINK_ROUTE, ndiag_state=NETLINK_UNCONNECTED, ndiag_portid=0, ndiag_dst_portid=0, "
				 "ndiag_dst_group=0, ndiag_ino=0, ndiag_cookie=[0, 0]}, [{nla_len=12, nla_type=NETLINK_DIAG_GROUPS}, "
				 "[0x8000000000000001]]]");
	call.abi = ABI_I386;
	call.nr = NR_sendto_i386;
	assert_sent("[" HEAD("56", "SOCK_DIAG_BY_FAMILY") ", {ndiag_family=AF_NETLINK, ndiag_type=0 /* SOCK_??? */, "
		    "ndiag_protocol=NETLINK_ROUTE, ndiag_state=NETLINK_UNCONNECTED, ndiag_portid=0, ndiag_dst_portid=0, "
		    "ndiag_dst_group=0, ndiag_ino=0, ndiag_cookie=[0, 0]}, [{nla_len=12, nla_type=NETLINK_DIAG_GROUPS}, "
		    "[0x000001, 0x80000000]]]", 56);
}

static void test_error(void **state)
{
	static const char capped[] = "\xed\xff\xff\xff\40\0\0\0\22\0\1\3\1\0\0\0\0\0\0\0";

	(void)state;
	buf_len = 0;
	put_header(36, NLMSG_ERROR, NLM_F_CAPPED);
	put(capped, 20);
	check(NETLINK_ROUTE, "[{nlmsg_len=36, nlmsg_type=NLMSG_ERROR, nlmsg_flags=NLM_F_CAPPED, nlmsg_seq=1, nlmsg_pid=0}, {error=-ENODEV, "
			     "msg={nlmsg_len=32, nlmsg_type=RTM_GETLINK, nlmsg_flags=NLM_F_REQUEST|NLM_F_DUMP, nlmsg_seq=1, nlmsg_pid=0}}]");
	begin(24, NLMSG_ERROR);
	put("\xed\xff\xff\xff\1\2\3\4", 8);
	check(NETLINK_ROUTE, "[" HEAD("24", "NLMSG_ERROR") ", \"\\xed\\xff\\xff\\xff\\x01\\x02\\x03\\x04\"]");
	begin(20, NLMSG_DONE);
	put("\0\0\0\0", 4);
	check(NETLINK_ROUTE, "[" HEAD("20", "NLMSG_DONE") ", 0]");
}

/* What was sent, but not captured to its end. */
static void test_cut(void **state)
{
	(void)state;
	begin(36, RTM_NEWLINK);
	buf_len = 10;
	sent(NETLINK_ROUTE, PORT, 36);
	assert_sent("0x7ffc0000", 36);
	call_make(NR_recvfrom, 36, 6, A(3), PTR, A(100), A(0), A(0), A(0));
	call_capture(1, 0, buf, 10)->true_len = 36;
	call_capture(0, 0, &id, sizeof(id));
	assert_call("3, 0x7ffc0000, 100, 0, NULL, NULL");
}

static uint32_t rnd(uint32_t below)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 20) % below;
}

static void put_random(size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)rnd(rnd(3) ? 4 : 256);

		put(&c, 1);
	}
}

/* Attributes with and without others in them, whose lengths are mostly true. */
static void put_random_attrs(unsigned depth)
{
	for (unsigned n = rnd(4); n > 0 && buf_len < sizeof(buf) / 4; n--) {
		size_t at = buf_len, len;

		put_attr(0, (uint16_t)(rnd(70) | (rnd(9) ? 0 : 0x8000)));
		if (depth < 40 && rnd(2))
			put_random_attrs(depth + 1);
		else
			put_random(rnd(60));
		len = rnd(30) ? buf_len - at : rnd(65536);
		memcpy(buf + at, &len, 2);
		put("\0\0\0", -buf_len & 3);
	}
}

#define TEXT63 "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-"

/* NETLINK_CRYPTO, which kernels often are without: as strace tells it where the protocol of a socket is made to be this one. */
static void test_crypto(void **state)
{
	static const char alg[208] = "md5";
	char named[208];
	enum { GETALG = 19, DELRNG = 20 };

	(void)state;
	memset(named, 0, sizeof(named));
	memcpy(named, TEXT63 "x" "driver", 70);
	memcpy(named + 128, "module", 6);
	memcpy(named + 192, "\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0", 16);
	begin(16 + 208, GETALG);
	put(named, 208);
	check(NETLINK_CRYPTO, "[" HEAD("224", "CRYPTO_MSG_GETALG") ", {cru_name=\"" TEXT63 "\"..., cru_driver_name=\"driver\", "
			      "cru_module_name=\"module\", cru_type=0x1, cru_mask=0x2, cru_refcnt=3, cru_flags=0x4}]");
	begin(16 + 3, GETALG);
	put(alg, 3);
	check(NETLINK_CRYPTO, "[" HEAD("19", "CRYPTO_MSG_GETALG") ", \"md5\"]");
	begin(16 + 3, DELRNG);
	put(alg, 3);
	check(NETLINK_CRYPTO, "[" HEAD("19", "CRYPTO_MSG_DELRNG") ", \"\\x6d\\x64\\x35\"]");
	begin(16 + 208 + 8 + 12 + 76 + 8, GETALG);
	put(alg, 208);
	put_attr(8, 1);
	put("\1\0\0\0", 4);
	put_attr(12, 2);
	put("larval\0", 8);
	put_attr(76, 3);
	put(TEXT63 "\0" "\100\0\0\0\20\0\0", 72);
	put_attr(8, 3);
	put("hash", 4);
	check(NETLINK_CRYPTO, "[" HEAD("328", "CRYPTO_MSG_GETALG") ", {cru_name=\"md5\", cru_driver_name=\"\", cru_module_name=\"\", "
			      "cru_type=0, cru_mask=0, cru_refcnt=0, cru_flags=0}, [[{nla_len=8, nla_type=CRYPTOCFGA_PRIORITY_VAL}, 1], "
			      "[{nla_len=12, nla_type=CRYPTOCFGA_REPORT_LARVAL}, {type=\"larval\"}], "
			      "[{nla_len=76, nla_type=CRYPTOCFGA_REPORT_HASH}, {type=\"" TEXT63 "\", blocksize=64, digestsize=16}], "
			      "[{nla_len=8, nla_type=CRYPTOCFGA_REPORT_HASH}, \"hash\"]]]");
}

/* Brackets that are open at the end; those in strings do not count. */
static unsigned last_depth(const char *text)
{
	unsigned depth = 0;
	bool quoted = false;

	for (const char *p = text; *p; p++) {
		if (quoted && *p == '\\' && p[1])
			p++;
		else if (*p == '"')
			quoted = !quoted;
		else if (!quoted && (*p == '[' || *p == '{'))
			depth++;
		else if (!quoted && (*p == ']' || *p == '}'))
			depth--;
	}
	return depth;
}

/* Whatever it is, what begins ends. */
static void test_random(void **state)
{
	static const uint8_t protocols[] = { NETLINK_ROUTE, NETLINK_SOCK_DIAG, NETLINK_NETFILTER, NETLINK_GENERIC, NETLINK_XFRM,
					     NETLINK_AUDIT, NETLINK_CRYPTO, NETLINK_KOBJECT_UEVENT, NETLINK_SELINUX };

	(void)state;
	for (unsigned i = 0; i < 4000; i++) {
		struct emit_text t;
		struct strbuf out = { 0 };

		buf_len = 0;
		for (unsigned n = rnd(3); n > 0; n--)
			put_header(rnd(200), (uint16_t)(rnd(4) ? 16 + rnd(120) : rnd(4)), (uint16_t)rnd(65536));
		put_header(rnd(9) ? 4096 : rnd(64), (uint16_t)(rnd(9) ? 16 + rnd(rnd(2) ? 100 : 3000) : 2), (uint16_t)rnd(65536));
		put_random(4 * rnd(20));
		put_random_attrs(0);
		sent(protocols[rnd(sizeof(protocols))], PORT, buf_len + (rnd(3) ? 0 : rnd(100)));
		call.captures[0].data = test_malloc(buf_len);
		memcpy((void *)call.captures[0].data, buf, buf_len);
		emit_text_init(&t);
		emit_text_begin(&t, &out, EMIT_WHOLE);
		decode_args(&call, &(struct decode_opts){ .string_limit = rnd(40), .no_abbrev = rnd(2) }, &t.e);
		assert_int_equal(last_depth(strbuf_cstr(&out)), 0);
		test_free((void *)call.captures[0].data);
		strbuf_done(&out);
		emit_text_done(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lengths), cmocka_unit_test(test_none_shown), cmocka_unit_test(test_unbound), cmocka_unit_test(test_attributes), cmocka_unit_test(test_depth),
		cmocka_unit_test(test_compat),  cmocka_unit_test(test_error),   cmocka_unit_test(test_cut),
		cmocka_unit_test(test_crypto),  cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
