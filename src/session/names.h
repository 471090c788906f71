/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_SESSION_NAMES_H
#define CTRACE_SESSION_NAMES_H
/*
 * --names: names of internet addresses. The latest answer of a name server
 * that the trace showed, in the network namespace of the socket, comes before
 * the file /etc/hosts of the process, which is read when a line is written.
 * Nobody is asked, neither name servers nor nsswitch.
 *
 * Of a namespace a bounded number of names is kept, and of a bounded number of
 * namespaces: a container that makes up answers drives out its own alone.
 */
#include "decode/decode.h"
#include "target/target.h"

/* NULL when memory runs out. */
struct peer_names *peer_names_new(void);
void peer_names_free(struct peer_names *p);
/* Where processes are found; both must outlive it. */
void peer_names_place(struct peer_names *p, const struct target_env *env, const struct target_list *targets);
/* Takes the names out of what a call received, if that is a name server's answer. */
void peer_names_learn(struct peer_names *p, const struct call *call);

#endif
