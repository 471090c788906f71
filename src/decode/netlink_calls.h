/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_NETLINK_CALLS_H
#define CTRACE_DECODE_NETLINK_CALLS_H
/* Attributes that are decoded by hand: CALL(name) in netlink_attrs.def. */
#include "decode/netlink.h"

nla_say say_nla_hwaddr, say_nla_mac, say_nla_protinfo, say_nla_af_spec, say_nla_linkinfo, say_nla_info_kind, say_nla_info_slave_kind, say_nla_info_data, say_nla_info_xstats,
	say_nla_slave_data, say_nla_bridge_id, say_nla_vf_guid, say_nla_vlan_protocol, say_nla_mcast_xstats;
nla_say say_nla_multipath, say_nla_rta_via, say_nla_mdb_entry, say_nla_router_port;
nla_say say_nla_unix_vfs, say_nla_diag_shutdown, say_nla_diag_addresses, say_nla_md5sig, say_nla_inet_diag_sockopt, say_nla_bytecode;
nla_say say_nla_crypto_type;

#endif
