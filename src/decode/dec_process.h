/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_DEC_PROCESS_H
#define CTRACE_DECODE_DEC_PROCESS_H
#include "decode/field.h"

/* A signal where a number of 64 bits is passed. */
static inline void say_signal_long(struct dec *d, uint64_t v)
{
	if (v > INT32_MAX)
		say_udec(d, v);
	else
		say_signal(d, (int)v);
}

/*
 * A struct sock_fprog that an argument points to, captured as part by
 * cap_fprog(), its instructions as part + 1; seccomp: they return actions.
 */
void say_fprog(struct dec *d, unsigned reg, unsigned part, bool seccomp);
/* Parts of an instruction: |BPF_K, and |0x10 of bits that mean nothing, with their comment also as plain numbers (-X raw). */
void words_bpf(const struct dec *d, struct words *w, const struct symtab *t, uint32_t v);
void words_bpf_rest(struct words *w, uint32_t v);
/* The instructions of a socket's filter at addr, captured as c. */
void say_socket_filter(struct dec *d, const struct capture *c, uint64_t addr, uint64_t count);
/* cond: when to copy it (its cond fields alone count). */
void cap_fprog(struct cap_builder *b, unsigned reg, unsigned part, const struct cap_op *cond);

/* [{WIFEXITED(s) && WEXITSTATUS(s) == 0}], as the macros of wait(2) take a status apart. */
void say_wait_status(struct dec *d, uint32_t status);

/* IOPRIO_PRIO_VALUE(class, number) */
void say_ioprio(struct dec *d, uint32_t v);

/* A struct user_desc (asm/ldt.h), a segment of x86. False, and nothing is said: it was not captured. */
#define USER_DESC_SIZE 16
bool say_user_desc_of(struct dec *d, const struct capture *c);

#endif
