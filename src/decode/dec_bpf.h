/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_DEC_BPF_H
#define CTRACE_DECODE_DEC_BPF_H
/* Between the files that decode bpf(2). Their names begin with dec_: libbpf has functions of the names that offer themselves. */
#include "decode/field.h"

/*
 * A field of a structure: type says how it is shown (u unsigned, D signed, d file
 * descriptor, x hexadecimal, a address, y constant, f flags, n name,
 * i interface; others are known to dec_bpf.c). min: shown if the size of the
 * structure is larger, 0: always.
 */
struct bpf_field {
	const char *name;
	char type;
	uint16_t off;
	uint8_t size;
	uint8_t min;
	const struct symtab *table;
};

bool dec_bpf_plain(struct dec *d, const struct bpf_field *f, struct bytes b);
void dec_bpf_name(struct dec *d, struct bytes b, unsigned off, unsigned size);
void dec_bpf_extra(struct dec *d, struct bytes b, size_t known, uint64_t size);

/* A pointer at off of the attributes, and an array with its count as __u32 at count_off. */
struct cap_op *dec_bpf_pointer(struct cap_builder *b, unsigned part, unsigned when, enum cap_kind kind, unsigned off, uint32_t max);
struct cap_op *dec_bpf_array(struct cap_builder *b, unsigned part, unsigned when, unsigned off, unsigned count_off, uint32_t elem, uint32_t max);

/* dec_bpf_link.c: BPF_LINK_CREATE behind its flags, by attach type. */
void dec_bpf_link(struct dec *d, struct bytes b);
size_t dec_bpf_link_size(uint32_t attach_type);
void dec_bpf_capture_link(struct cap_builder *b);

#endif
