/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_DEC_URING_H
#define CTRACE_DECODE_DEC_URING_H
/* Structures of linux/io_uring.h, which are the same on every ABI: pointers in them have 64 bits. */
#include "decode/dec_file.h"

enum ufield_kind { U_UDEC, U_DEC, U_HEX, U_ADDR, U_FLAGS, U_SYM, U_FD, U_SPARE };

/* A member; of U_SPARE there are count, and they are shown if they are not 0. */
struct ufield {
	const char *name;
	uint8_t at, width, kind, count;
	const struct symtab *table;
};

void say_ufields(struct dec *d, struct bytes b, const struct ufield *f, size_t n);

/* struct io_uring_sqe; larger ones have a command of their own behind it. */
#define SQE_REG 2               /* the argument that points to it */
void say_sqe(struct dec *d, struct bytes b);
#define SQE_SIZE 64
#define SQE_SIZE_MAX 128

/* --- io_uring_register --- */

enum {
	OP_BUFFERS = 0, OP_FILES = 2, OP_EVENTFD = 4, OP_FILES_UPDATE = 6, OP_EVENTFD_ASYNC = 7, OP_PROBE = 8, OP_RESTRICTIONS = 11,
	OP_FILES2 = 13, OP_FILES_UPDATE2, OP_BUFFERS2, OP_BUFFERS_UPDATE, OP_IOWQ_AFF = 17, OP_WORKERS = 19, OP_RING_FDS, OP_UNRING_FDS,
	OP_PBUF_RING, OP_UNPBUF_RING, OP_SYNC_CANCEL, OP_ALLOC_RANGE, OP_PBUF_STATUS, OP_NAPI, OP_UNNAPI, OP_CLOCK, OP_CLONE_BUFFERS,
	OP_SEND_MSG_RING, OP_ZCRX_IFQ, OP_RESIZE_RINGS, OP_MEM_REGION, OP_QUERY, OP_ZCRX_CTRL, OP_BPF_FILTER, OP_MAX,
};

#define USE_REGISTERED_RING 0x80000000u
#define ARG SQE_REG             /* registers */
#define NR 3

/* The argument as it was, and as it is when the call has ended; what two of its pointers lead to. */
enum { PART_IN, PART_OUT, PART_DATA, PART_TAGS };

static inline uint64_t uring_count(const struct dec *d)
{
	return (uint32_t)dec_reg(d, NR);
}

/* A structure that a command takes, and how it is copied; NULL: this command takes none. */
const struct uring_struct *uring_struct_of(uint32_t op);
void say_uring_struct(struct dec *d, const struct uring_struct *o);
void capture_uring_struct(struct cap_builder *b, const struct uring_struct *o);
/* Memory that a pointer at via of the argument leads to. */
void cap_uring_via(struct cap_builder *b, unsigned part, unsigned when, unsigned via, uint32_t size);

#endif
