/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_DEC_SOCKADDR_H
#define CTRACE_DECODE_DEC_SOCKADDR_H
/* The families whose addresses dec_sockaddr.c leaves to dec_sockaddr_more.c: what stands behind sa_family. */
#include "decode/dec_net.h"

/* Those that are told apart by the length of the address say whether it is one of theirs. */
bool sockaddr_bluetooth(struct dec *d, struct bytes b);

void sockaddr_ax25(struct dec *d, struct bytes b);
void sockaddr_ipx(struct dec *d, struct bytes b);
void sockaddr_x25(struct dec *d, struct bytes b);
void sockaddr_rxrpc(struct dec *d, struct bytes b);
void sockaddr_ieee802154(struct dec *d, struct bytes b);
void sockaddr_tipc(struct dec *d, struct bytes b);
void sockaddr_alg(struct dec *d, struct bytes b);
void sockaddr_nfc(struct dec *d, struct bytes b);
void sockaddr_vsock(struct dec *d, struct bytes b);
void sockaddr_qrtr(struct dec *d, struct bytes b);
void sockaddr_xdp(struct dec *d, struct bytes b);
void sockaddr_mctp(struct dec *d, struct bytes b);

/* What stands behind the family, also of an address within an address (nested). */
void say_sockaddr_body(struct dec *d, struct bytes b, bool nested);

/* htons(80), htonl(7): of size bytes. */
void field_net(struct dec *d, const char *name, struct bytes b, size_t off, size_t size);

#endif
