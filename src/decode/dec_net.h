/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_DEC_NET_H
#define CTRACE_DECODE_DEC_NET_H
#include "decode/field.h"

#define SOCKADDR_MAX 128        /* sizeof(struct sockaddr_storage): what the kernel takes at most */

/*
 * The socket address of len bytes that was captured as c; addr, its place in
 * the caller's memory, where it is too short or could not be read.
 */
void say_sockaddr(struct dec *d, const struct capture *c, uint64_t addr, int64_t len);
/* The same, of bytes. */
void say_sockaddr_bytes(struct dec *d, struct bytes b);
/* inet_addr("127.0.0.1") */
void say_inet_addr(struct dec *d, struct bytes b, size_t off);
/* Up to its NUL; without one, as if the last byte were to be one. */
void field_text(struct dec *d, const char *name, struct bytes s);
/* 00:1b:2c, of size bytes. */
void field_station(struct dec *d, const char *name, struct bytes b, size_t off, size_t size);
/* --names: the name of the internet address that was just said, if one is known. */
void say_peer_name(struct dec *d, const void *address, size_t len);
/* htons(ETH_P_IP) */
void say_ether_type(struct dec *d, uint16_t type);
/* if_nametoindex("lo"), or the number. */
void say_interface(struct dec *d, uint32_t index);
/*
 * The protocol of the netlink socket in register 0; false if it is no such
 * socket, or not known. One that is not bound counts as of no protocol
 * (NETLINK_UNKNOWN): strace asks for it among those that are bound.
 */
bool netlink_protocol(const struct dec *d, unsigned *ret_protocol);
#define SOCKET_REG 0u           /* where struct ct_sock_id is captured */
#define PART_SOCKET 0u
#define NETLINK_UNKNOWN 1u      /* NETLINK_UNUSED: messages have no names there */
/* Asks for it. */
void cap_netlink_protocol(struct cap_builder *b);
/* The number of the network namespace of the socket in register 0; 0: it is not known, or there is no such socket. */
uint32_t socket_netns(const struct dec *d);
/* Tasks by their numbers in the header of the first message, and of one that an error is about: of a buffer, or (msghdr) of a vector. */
void cap_netlink_pids(struct cap_builder *b, unsigned reg, unsigned when, const uint16_t *msg_iov);
/* The messages of a netlink socket, as many of their len bytes at addr as c has. */
void say_netlink_buffer(struct dec *d, unsigned protocol, const struct capture *c, uint64_t addr, uint64_t len);
/* The table of a level's options, NULL for a level without; get: of getsockopt. */
const struct symtab *socket_options(unsigned level, bool get);

#endif
