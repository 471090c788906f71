/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_output */
/* Sockets: addresses, messages, options. */
#include "decode_text.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { NR_socket = 41, NR_accept = 43, NR_recvfrom = 45, NR_sendmsg = 46, NR_recvmsg = 47, NR_bind = 49, NR_getsockname = 51,
       NR_socketpair = 53, NR_setsockopt = 54, NR_getsockopt = 55, NR_sendmmsg = 307 };

static void test_socket(void **state)
{
	(void)state;
	call_make(NR_socket, 3, 3, A(AF_INET), A(SOCK_DGRAM | SOCK_CLOEXEC), A(0));
	assert_call("AF_INET, SOCK_DGRAM|SOCK_CLOEXEC, IPPROTO_IP");
	call_make(NR_socket, -97, 3, A(99), A(15), A(77));
	assert_call("0x63 /* AF_??? */, 0xf /* SOCK_??? */, 77");
	call_make(NR_socket, 3, 3, A(AF_PACKET), A(SOCK_RAW), A(htons(3)));
	assert_call("AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)");
	call_make(NR_socket, -22, 3, A(AF_INET), A(0x7fff7801), A(999));
	assert_call("AF_INET, SOCK_STREAM|SOCK_CLOEXEC|SOCK_NONBLOCK|0x7ff77000, 0x3e7 /* IPPROTO_??? */");
	call_make(NR_socketpair, -95, 4, A(AF_INET), A(SOCK_STREAM), A(0), PTR);
	assert_call("AF_INET, SOCK_STREAM, 0, 0x7ffc0000");
}

static void check_bind(const void *addr, size_t captured, int64_t len, const char *expected)
{
	call_make(NR_bind, -9, 3, A(-1), PTR, A(len));
	call_capture(1, 0, addr, captured);
	assert_call(expected);
	assert_survives_cuts();
}

static void test_unix(void **state)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/tmp/sock" };

	(void)state;
	check_bind(&un, 110, 110, "-1, {sa_family=AF_UNIX, sun_path=\"/tmp/sock\"}, 110");
	check_bind(&un, 110, 300, "-1, 0x7ffc0000, 300");
	check_bind(&un, 5, 5, "-1, {sa_family=AF_UNIX, sun_path=\"/tm\"}, 5");
	check_bind(&un, 2, 2, "-1, {sa_family=AF_UNIX}, 2");
	check_bind(&un, 1, 1, "-1, 0x7ffc0000, 1");
	check_bind(&un, 128 - 18, -1, "-1, 0x7ffc0000, -1");
	check_bind("\1\0\0a\0b\0", 7, 7, "-1, {sa_family=AF_UNIX, sun_path=@\"a\\0b\\0\"}, 7");
	check_bind("\1\0\0", 3, 3, "-1, {sa_family=AF_UNIX, sun_path=@\"\"}, 3");
	check_bind("\1\0a\33[0m\xff", 8, 8, "-1, {sa_family=AF_UNIX, sun_path=\"a\\33[0m\\377\"}, 8");
}

static void test_inet(void **state)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(4711), .sin_addr.s_addr = htonl(0x7f000001) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(53), .sin6_scope_id = 1 };

	(void)state;
	check_bind(&in, 16, 16, "-1, {sa_family=AF_INET, sin_port=htons(4711), sin_addr=inet_addr(\"127.0.0.1\")}, 16");
	check_bind(&in, 8, 8, "-1, {sa_family=AF_INET, sa_data=\"\\22g\\177\\0\\0\\1\"}, 8");
	inet_pton(AF_INET6, "fe80::1:2:ff", &in6.sin6_addr);
	check_bind(&in6, 28, 28, "-1, {sa_family=AF_INET6, sin6_port=htons(53), sin6_flowinfo=htonl(0), "
				 "inet_pton(AF_INET6, \"fe80::1:2:ff\", &sin6_addr), sin6_scope_id=if_nametoindex(\"lo\")}, 28");
	inet_pton(AF_INET6, "::ffff:10.1.2.3", &in6.sin6_addr);
	check_bind(&in6, 24, 24, "-1, {sa_family=AF_INET6, sin6_port=htons(53), sin6_flowinfo=htonl(0), "
				 "inet_pton(AF_INET6, \"::ffff:10.1.2.3\", &sin6_addr)}, 24");
}

static void test_other_families(void **state)
{
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK, .nl_pid = 12, .nl_groups = 0x1f };
	struct sockaddr_ll ll = { .sll_family = AF_PACKET, .sll_protocol = htons(0x806), .sll_ifindex = 2, .sll_hatype = 1,
				  .sll_pkttype = 4, .sll_halen = 99, .sll_addr = { 1, 0, 254 } };

	(void)state;
	check_bind(&nl, 12, 12, "-1, {sa_family=AF_NETLINK, nl_pid=12, nl_groups=0x00001f}, 12");
	check_bind(&ll, 20, 20, "-1, {sa_family=AF_PACKET, sll_protocol=htons(ETH_P_ARP), sll_ifindex=2, sll_hatype=ARPHRD_ETHER, "
				"sll_pkttype=PACKET_OUTGOING, sll_halen=99, sll_addr=[0x1, 00, 0xfe, 00, 00, 00, 00, 00, ...]}, 20");
	check_bind("\143\0\1\2abc", 7, 7, "-1, {sa_family=0x63 /* AF_??? */, sa_data=\"\\1\\2abc\"}, 7");
}

static void test_value_result(void **state)
{
	uint32_t room = 110, len = 19, minus = UINT32_MAX;
	const char addr[] = "\1\0\0ctrace-calls_net";

	(void)state;
	call_make(NR_getsockname, 0, 3, A(7), PTR, PTR);
	call_capture(2, 0, &room, 4);
	call_capture(2, 1, &len, 4);
	call_capture(1, 0, addr, 19);
	assert_call("7, {sa_family=AF_UNIX, sun_path=@\"ctrace-calls_net\"}, [110 => 19]");
	assert_survives_cuts();
	room = 4;
	assert_call("7, {sa_family=AF_UNIX, sun_path=@\"c\"}, [4 => 19]");
	call.ret = -22;
	call.captures[0].data = &minus;
	assert_call("7, 0x7ffc0000, [-1]");
	call_make(NR_accept, -9, 3, A(-1), A(0), A(0));
	assert_call("-1, NULL, NULL");
	/* A length without the address, and a lie about it. */
	call_make(NR_getsockname, 0, 3, A(7), PTR, PTR);
	room = 0x7fffffff, len = 0x7fffffff;
	call_capture(2, 0, &room, 4);
	call_capture(2, 1, &len, 4);
	assert_call("7, 0x7ffc0000, [2147483647]");
	call_make(NR_recvfrom, 8, 6, A(7), PTR, A(4), A(0x20), A(0), A(0));
	call_capture(1, 0, "datagram", 8);
	assert_call("7, \"data\", 4, MSG_TRUNC, NULL, NULL");
}

struct header { uint64_t name; uint32_t namelen, pad; uint64_t iov, iovlen, control, controllen; uint32_t flags, pad2; };

/* What is in part 0 (and 1, after the call): name 2, iovec 3, its data 4, control 5. */
static void test_sendmsg(void **state)
{
	struct header m = { .iov = PTR, .iovlen = 2, .control = 0x1000, .controllen = 56 };
	uint64_t iov[4] = { PTR, 5, PTR, 40 };
	struct { uint64_t len; int level, type; int fds[2]; uint64_t len2; int level2, type2; uint32_t cred[3]; int pad; } control = {
		24, SOL_SOCKET, SCM_RIGHTS, { 0, 2 }, 28, SOL_SOCKET, 2, { 86, 0, 0 }, 0 };

	(void)state;
	call_make(NR_sendmsg, 45, 3, A(7), PTR, A(0x4000));
	call_capture(1, 0, &m, 56);
	call_capture(1, 3, iov, 32);
	call_capture(1, 4, "first", 5);
	call_capture(1, 4, "the second buffer is longer than thirty-two", 32)->idx = 1;
	call_capture(1, 5, &control, 56);
	assert_call("7, {msg_name=NULL, msg_namelen=0, msg_iov=[{iov_base=\"first\", iov_len=5}, "
		    "{iov_base=\"the second buffer is longer than\"..., iov_len=40}], msg_iovlen=2, "
		    "msg_control=[{cmsg_len=24, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, cmsg_data=[0, 2]}, "
		    "{cmsg_len=28, cmsg_level=SOL_SOCKET, cmsg_type=SCM_CREDENTIALS, cmsg_data={pid=86, uid=0, gid=0}}], "
		    "msg_controllen=56, msg_flags=0}, MSG_NOSIGNAL");
	assert_survives_cuts();
	control.len = 8;
	call.captures[1].len = 16;
	assert_call("7, {msg_name=NULL, msg_namelen=0, msg_iov=[{iov_base=\"first\", iov_len=5}, ... /* 0x7ffc0010 */], msg_iovlen=2, "
		    "msg_control=[{cmsg_len=8, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS}, ... /* 0x1010 */], "
		    "msg_controllen=56, msg_flags=0}, MSG_NOSIGNAL");
	control.len = UINT64_MAX;
	m.iovlen = UINT64_MAX;
	assert_call("7, {msg_name=NULL, msg_namelen=0, msg_iov=0x7ffc0000, msg_iovlen=18446744073709551615, "
		    "msg_control=[{cmsg_len=18446744073709551615, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, "
		    "cmsg_data=[0, 2, 28, 0, 1, 2, 86, 0, 0, 0]}], msg_controllen=56, msg_flags=0}, MSG_NOSIGNAL");
}

static void test_recvmsg(void **state)
{
	struct header before = { .name = PTR, .namelen = 110 }, after = { .name = PTR, .namelen = 0, .flags = 0x28 };

	(void)state;
	call_make(NR_recvmsg, 12, 3, A(8), PTR, A(0));
	call_capture(1, 0, &before, 56);
	call_capture(1, 1, &after, 56);
	assert_call("8, {msg_name=0x7ffc0000, msg_namelen=110 => 0, msg_iov=NULL, msg_iovlen=0, msg_controllen=0, "
		    "msg_flags=MSG_CTRUNC|MSG_TRUNC}, 0");
	assert_survives_cuts();
	call.ret = -11;
	assert_call("8, {msg_namelen=110}, 0");
}

static void test_sendmmsg(void **state)
{
	struct { struct header h; uint32_t len, pad; } m[2] = { { { .iov = PTR, .iovlen = 1 }, 1, 0 }, { { 0 }, 0, 0 } };
	uint64_t iov[2] = { PTR, 1 };

	(void)state;
	call_make(NR_sendmmsg, 1, 4, A(7), PTR, A(2), A(0));
	call_capture(1, 0, m, sizeof(m));
	call_capture(1, 1, m, sizeof(m));
	call_capture(1, 3, iov, 16);
	call_capture(1, 4, "x", 1);
	assert_call("7, [{msg_hdr={msg_name=NULL, msg_namelen=0, msg_iov=[{iov_base=\"x\", iov_len=1}], msg_iovlen=1, msg_controllen=0, "
		    "msg_flags=0}, msg_len=1}, {msg_hdr={msg_name=NULL, msg_namelen=0, msg_iov=NULL, msg_iovlen=0, msg_controllen=0, "
		    "msg_flags=0}}], 2, 0");
	assert_survives_cuts();
	call.args[2] = UINT32_MAX;
	assert_survives_cuts();
}

static void test_options(void **state)
{
	int one = 1, linger[2] = { 1, 30 };
	uint32_t room = 64, len = 4;

	(void)state;
	call_make(NR_setsockopt, 0, 5, A(7), A(SOL_SOCKET), A(SO_REUSEADDR), PTR, A(4));
	call_capture(3, 0, &one, 4);
	assert_call("7, SOL_SOCKET, SO_REUSEADDR, [1], 4");
	call.args[4] = 2;
	assert_call("7, SOL_SOCKET, SO_REUSEADDR, 0x7ffc0000, 2");
	call_make(NR_setsockopt, 0, 5, A(7), A(SOL_SOCKET), A(SO_LINGER), PTR, A(8));
	call_capture(3, 0, linger, 8);
	assert_call("7, SOL_SOCKET, SO_LINGER, {l_onoff=1, l_linger=30}, 8");
	call_make(NR_setsockopt, 0, 5, A(7), A(SOL_SOCKET), A(SO_BINDTODEVICE), PTR, A(3));
	call_capture(3, 0, "lo", 3);
	assert_call("7, SOL_SOCKET, SO_BINDTODEVICE, \"lo\\0\", 3");
	call_make(NR_getsockopt, 0, 5, A(7), A(6), A(13), PTR, PTR);
	call_capture(3, 0, "bbr", 4);
	call_capture(4, 0, &room, 4);
	call_capture(4, 1, &len, 4);
	assert_call("7, SOL_TCP, TCP_CONGESTION, [7496290], [64 => 4]");
	assert_survives_cuts();
	call_make(NR_getsockopt, -92, 5, A(7), A(9999), A(1), PTR, PTR);
	call_capture(4, 0, &len, 4);
	assert_call("7, 0x270f /* SOL_?? */, 1, 0x7ffc0000, [4]");
}

/* Families with fields of their own: a byte short of them they are bytes. */
static void test_more_families(void **state)
{
	uint8_t b[128] = { 0 };

	(void)state;
	b[0] = 40, b[4] = 22, b[8] = 2, b[12] = 3;
	check_bind(b, 16, 16, "-1, {sa_family=AF_VSOCK, svm_cid=VMADDR_CID_HOST, svm_port=0x16, svm_flags=VMADDR_FLAG_TO_HOST|0x2}, 16");
	check_bind(b, 4, 4, "-1, {sa_family=AF_VSOCK, sa_data=\"\\0\\0\"}, 4");
	memset(b, 0, sizeof(b));
	b[0] = 3, memcpy(b + 2, "\x82\x84\x40\x40\x40\x40\x02", 7), b[12] = 200;
	memcpy(b + 16, b + 2, 7);
	check_bind(b, 23, 23, "-1, {sa_family=AF_AX25, fsa_ax25={sax25_call=AB-1, sax25_ndigis=200}, fsa_digipeater=[AB-1, ...]}, 23");
	check_bind(b, 128, 128, "-1, {sa_family=AF_AX25, fsa_ax25={sax25_call=AB-1, sax25_ndigis=200}, fsa_digipeater=[AB-1, "
				"{ax25_call=\"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"}, {ax25_call=\"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"}, "
				"{ax25_call=\"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"}, {ax25_call=\"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"}, "
				"{ax25_call=\"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"}, {ax25_call=\"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"}, "
				"{ax25_call=\"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"}], ...}, 128");
	/* Lengths within an address are not believed. */
	memset(b, 0, sizeof(b));
	b[0] = 39, memset(b + 12, 0xff, 84);
	check_bind(b, 16, 16, "-1, {sa_family=AF_NFC, dev_idx=0, target_idx=0, nfc_protocol=0xffffffff /* NFC_PROTO_??? */}, 16");
	memset(b + 12, 0, 84);
	b[18] = 'a', b[88] = 1;
	check_bind(b, 96, 96, "-1, {sa_family=AF_NFC, dev_idx=0, target_idx=0, nfc_protocol=0 /* NFC_PROTO_??? */, dsap=0, ssap=0, "
			      "service_name=\"a\", service_name_len=1}, 96");
	memset(b + 80, 0xff, 16);
	assert_survives_cuts();
	memset(b, 0, sizeof(b));
	b[0] = 33, b[6] = 0xff, b[7] = 0xff, b[8] = AF_INET, b[12] = 127, b[15] = 1;
	check_bind(b, 36, 36, "-1, {sa_family=AF_RXRPC, srx_service=0 /* ???_SERVICE */, transport_type=0 /* SOCK_??? */, transport_len=65535, "
			      "transport={sin={sin_family=AF_INET, sin_port=htons(0), sin_addr=inet_addr(\"127.0.0.1\")}}}, 36");
	b[6] = 1, b[7] = 0;
	check_bind(b, 36, 36, "-1, {sa_family=AF_RXRPC, srx_service=0 /* ???_SERVICE */, transport_type=0 /* SOCK_??? */, transport_len=1, "
			      "transport={sin={sin_family=AF_INET}}}, 36");
	b[0] = 38;
	memset(b + 1, 0, 127);
	memset(b + 2, 'x', 14), b[24] = 'y';
	check_bind(b, 25, 25, "-1, {sa_family=AF_ALG, salg_type=\"xxxxxxxxxxxxx\"..., salg_feat=0, salg_mask=0, salg_name=\"\"...}, 25");
	memset(b, 0, sizeof(b));
	b[0] = 31, b[2] = 0x29, b[4] = 1;
	check_bind(b, 12, 12, "-1, {sa_family=AF_BLUETOOTH, l2_psm=htobs(0x29 /* L2CAP_PSM_??? */), l2_bdaddr=01:00:00:00:00:00, "
			      "l2_cid=htobs(0 /* L2CAP_CID_??? */)}, 12");
	check_bind(b, 5, 5, "-1, {sa_family=AF_BLUETOOTH, sa_data=\")\\0\\1\"}, 5");
}

static void check_set(uint64_t level, uint64_t name, const void *value, size_t captured, int64_t len, const char *expected)
{
	call_make(NR_setsockopt, 0, 5, A(7), A(level), A(name), PTR, A(len));
	call_capture(3, 0, value, captured);
	assert_call(expected);
	assert_survives_cuts();
}

static void test_option_structures(void **state)
{
	uint8_t b[300] = { 0 };

	(void)state;
	b[8] = AF_INET, b[12] = 224, b[15] = 1, b[0] = 1;
	check_set(0, 42, b, 136, 136, "7, SOL_IP, MCAST_JOIN_GROUP, {gr_interface=if_nametoindex(\"lo\"), gr_group={sa_family=AF_INET, "
				      "sin_port=htons(0), sin_addr=inet_addr(\"224.0.0.1\")}}, 136");
	check_set(0, 42, b, 135, 135, "7, SOL_IP, MCAST_JOIN_GROUP, 0x7ffc0000, 135");
	/* Less than the length says could be read. */
	check_set(0, 42, b, 100, 136, "7, SOL_IP, MCAST_JOIN_GROUP, 0x7ffc0000, 136");
	check_set(0, 35, b, 4, 8, "7, SOL_IP, IP_ADD_MEMBERSHIP, 0x7ffc0000, 8");
	/* A 32-bit program's is aligned to four bytes. */
	memmove(b + 4, b + 8, 128);
	call_make(366, 0, 5, A(7), A(0), A(42), PTR, A(132));
	call.abi = ABI_I386;
	call_capture(3, 0, b, 132);
	assert_call("7, SOL_IP, MCAST_JOIN_GROUP, {gr_interface=if_nametoindex(\"lo\"), gr_group={sa_family=AF_INET, "
		    "sin_port=htons(0), sin_addr=inet_addr(\"224.0.0.1\")}}, 132");
	assert_survives_cuts();
	memset(b, 0xff, sizeof(b));
	check_set(263, 1, b, 16, 16, "7, SOL_PACKET, PACKET_ADD_MEMBERSHIP, {mr_ifindex=4294967295, mr_type=0xffff /* PACKET_MR_??? */, "
				     "mr_alen=65535, mr_address=ff:ff:ff:ff:ff:ff:ff:ff}, 16");
	check_set(255, 1, b, 1, 1, "7, SOL_RAW, ICMP_FILTER, ~[], 1");
	check_set(6, 38, b, 288, 288, "7, SOL_TCP, TCP_AO_ADD_KEY, {addr={sa_family=0xffff /* AF_??? */, sa_data=\"\\377\\377\\377\\377\\377\\377"
		  "\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377"
		  "\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377"
		  "\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377"
		  "\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377"
		  "\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\"}, prefix=255, "
		  "alg_name=\"\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377"
		  "\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377"
		  "\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\"..., ifindex=4294967295, set_current=1, "
		  "set_rnext=1, sndid=255, rcvid=255, maclen=255, keyflags=TCP_AO_KEYF_IFINDEX|TCP_AO_KEYF_EXCLUDE_OPT|0xfc, "
		  "key=\"\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff"
		  "\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff"
		  "\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff"
		  "\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\", keylen=255}, 288");
}

static void test_got_options(void **state)
{
	uint32_t room = 64, len = 4, err = 111, groups[3] = { 1, 2, 3 };

	(void)state;
	call_make(NR_getsockopt, 0, 5, A(7), A(SOL_SOCKET), A(SO_ERROR), PTR, PTR);
	call_capture(3, 0, &err, 4);
	call_capture(4, 0, &len, 4);
	call_capture(4, 1, &len, 4);
	assert_call("7, SOL_SOCKET, SO_ERROR, [ECONNREFUSED], [4]");
	assert_survives_cuts();
	err = UINT32_MAX;
	assert_call("7, SOL_SOCKET, SO_ERROR, [4294967295], [4]");
	err = 0;
	assert_call("7, SOL_SOCKET, SO_ERROR, [0], [4]");
	/* The length counts less than it says. */
	call_make(NR_getsockopt, 0, 5, A(7), A(SOL_NETLINK), A(9), PTR, PTR);
	call_capture(3, 0, groups, sizeof(groups));
	call_capture(4, 0, &room, 4);
	call_capture(4, 1, &room, 4);
	assert_call("7, SOL_NETLINK, NETLINK_LIST_MEMBERSHIPS, [1, 2, 3, ... /* 0x7ffc000c */], [64]");
	assert_survives_cuts();
	len = 0;
	call_make(NR_getsockopt, 0, 5, A(7), A(0), A(4), PTR, PTR);
	call_capture(4, 0, &room, 4);
	call_capture(4, 1, &len, 4);
	assert_call("7, SOL_IP, IP_OPTIONS, 0x7ffc0000, [64 => 0]");
}

/* The only control message of a message, of so many bytes of data. */
static void check_control(int level, int type, const void *data, size_t len, const char *expected)
{
	struct { uint64_t len; int level, type; uint8_t data[64]; } c = { 16 + len, level, type, { 0 } };
	struct header m = { .control = 0x1000, .controllen = 16 + len };
	char line[512];

	memcpy(c.data, data, len);
	call_make(NR_sendmsg, -9, 3, A(-1), PTR, A(0));
	call_capture(1, 0, &m, 56);
	call_capture(1, 5, &c, 16 + len);
	snprintf(line, sizeof(line), "-1, {msg_name=NULL, msg_namelen=0, msg_iov=NULL, msg_iovlen=0, msg_control=[{cmsg_len=%zu, %s}], "
		 "msg_controllen=%zu, msg_flags=0}, 0", 16 + len, expected, 16 + len);
	assert_call(line);
	assert_survives_cuts();
}

static void test_control(void **state)
{
	uint8_t error[32] = { 111, [4] = 2, 3, 4, [8] = 5, [12] = 6, [16] = AF_INET, [18] = 0, 80, 127, 0, 0, 1 };
	int64_t times[6] = { 1, 2, 0, 0, 3, 4 };

	(void)state;
	check_control(0, 11, error, 32, "cmsg_level=SOL_IP, cmsg_type=IP_RECVERR, cmsg_data={ee_errno=111, ee_origin=2, ee_type=3, ee_code=4, "
					"ee_info=5, ee_data=6, offender={sa_family=AF_INET, sin_port=htons(80), "
					"sin_addr=inet_addr(\"127.0.0.1\")}}");
	check_control(0, 11, error, 4, "cmsg_level=SOL_IP, cmsg_type=IP_RECVERR, cmsg_data=\"\\x6f\\x00\\x00\\x00\"");
	check_control(1, 37, times, 48, "cmsg_level=SOL_SOCKET, cmsg_type=SO_TIMESTAMPING_OLD, cmsg_data=[{tv_sec=1, tv_nsec=2}, "
					"{tv_sec=0, tv_nsec=0}, {tv_sec=3, tv_nsec=4}]");
	check_control(1, 37, times, 47, "cmsg_level=SOL_SOCKET, cmsg_type=SO_TIMESTAMPING_OLD, cmsg_data=???");
	check_control(1, 29, times, 16, "cmsg_level=SOL_SOCKET, cmsg_type=SO_TIMESTAMP_OLD, cmsg_data={tv_sec=1, tv_usec=2}");
	check_control(0, 52, times, 4, "cmsg_level=SOL_IP, cmsg_type=IP_PROTOCOL, cmsg_data=[IPPROTO_ICMP]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_socket),        cmocka_unit_test(test_unix),         cmocka_unit_test(test_inet),
		cmocka_unit_test(test_other_families), cmocka_unit_test(test_value_result), cmocka_unit_test(test_sendmsg),
		cmocka_unit_test(test_recvmsg),       cmocka_unit_test(test_sendmmsg),     cmocka_unit_test(test_options),
		cmocka_unit_test(test_more_families), cmocka_unit_test(test_option_structures), cmocka_unit_test(test_got_options),
		cmocka_unit_test(test_control),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
