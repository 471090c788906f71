/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_IOCTL_ARGS_H
#define CTRACE_DECODE_IOCTL_ARGS_H
/*
 * Arguments of ioctl(2): which commands have which (ioctl_args.def), and
 * structures that are described by their fields. The fields stand in the order
 * of memory; where they lie follows from their sizes and the caller's ABI.
 */
#include "decode/field.h"
#include "util/macros.h"

enum io_form {
	IOF_DEC, IOF_UDEC, IOF_HEX, IOF_FLAGS, IOF_SYM, IOF_ADDR, IOF_FD, IOF_PID, IOF_ID, IOF_DEV,
	IOF_MAX,        /* IOF_UDEC, all bits as UINT64_MAX or UINT32_MAX */
	IOF_CONST,      /* as IOF_SYM, the number being signed and decimal */
	IOF_CHAR,       /* 'a', '\\x01' */
	IOF_STR,        /* a string in an array of n bytes */
	IOF_TEXT,       /* n bytes */
	IOF_BYTES,      /* n bytes, as \xNN */
	IOF_UUID,
	IOF_SUB,        /* a structure */
	IOF_HAND,       /* said by a function */
	/* These are no fields. */
	IOF_SKIP,       /* what is not shown */
	IOF_AT,         /* what follows lies at n (a 64-bit ABI's), or at size (the others') */
	IOF_EXIT,       /* what follows is known after the call */
	IOF_ARROW,      /* the same, told as the value after it */
	IOF_MORE,       /* what an abbreviated structure leaves out here */
};

#define IOF_NZ      1u  /* shown if it is not 0 */
#define IOF_VERBOSE 2u  /* shown with -v */
#define IOF_MANY    4u  /* an array of n */
#define IOF_LIMIT   8u  /* ... of which -s are shown without -v */
#define IOF_COUNTED 16u /* ... of which there are as many as the 32 bits at count_at say; with IOF_NZ nothing if none */

#define IO_WORD 0       /* size of a pointer or long */

struct io_struct;

struct io_field {
	const char *name;               /* NULL: an element of a boxed one */
	const struct symtab *table;
	const struct io_struct *sub;
	void (*say)(struct dec *d, struct bytes all, size_t off);      /* IOF_HAND */
	uint16_t n;
	uint16_t size;
	uint16_t count_at;
	uint8_t form, flags;
};

struct io_struct {
	const struct io_field *f;
	uint8_t n;
	uint8_t shape;
};

enum io_shape { IO_BRACES, IO_BRACKETS, IO_BARE };      /* {a=1, b=2}, [1, 2], 1 */

enum io_how {
	IO_NOTHING,     /* no argument */
	IO_VALUE,       /* the argument itself; the structure's one field says how */
	IO_POINTER,     /* a pointer that is not followed */
	IO_IN, IO_OUT, IO_INOUT,
	IO_STRING,      /* a string, read */
	IO_BY_HAND,
};

struct io_command;

struct io_hand {
	void (*say)(struct dec *d, const struct io_command *c);
	void (*capture)(struct cap_builder *b, const struct io_command *c);
	bool at_end;                    /* its value is known when the call has ended */
	void (*detail)(struct dec *d);  /* ops->result_detail() and what belongs there, or nothing; NULL: nothing */
};

struct io_command {
	uint32_t number, number32;      /* of 64-bit and of 32-bit ABIs; 0: none */
	uint8_t how;
	const struct io_struct *desc;
	const struct io_hand *hand;
	const char *arg;                /* its name; NULL: argp */
};

/* Part of a capture: before and after the call; further ones are a hand's own. */
enum { IO_BEFORE, IO_AFTER, IO_MORE };

/* The command's row, or NULL. */
const struct io_command *io_command_of(uint32_t number, unsigned word);
/* The i-th of an ABI, for the capture's sake; NULL: no more. Rows that it does not have are NULL with *ret_none set. */
const struct io_command *io_command_at(size_t i, unsigned word, uint32_t *ret_number, bool *ret_none);

/* The name of a command, or NULL. */
const char *io_name(enum abi abi, uint32_t number);
void io_say_name(struct dec *d, uint32_t number);

/* Bytes of a structure. */
size_t io_size(enum abi abi, const struct io_struct *s);
/* Says one: in is what was there before the call, out what after it. */
void io_say_struct(struct dec *d, const struct io_struct *s, struct bytes in, struct bytes out);
/* Says one that is captured, but not its end: further fields may follow, then ops->struct_end(). */
void io_say_struct_open(struct dec *d, const struct io_struct *s, struct bytes b);
/* An input device's command of type 'E' that has no row. False: it is none that is known, and nothing has been said. */
bool io_say_input(struct dec *d, uint32_t number);
/* Says a value of a field's form. */
void io_say_value(struct dec *d, const struct io_field *f, uint64_t v, unsigned size);
/* A character as in C, in quotes: 'a', '\\x01'. */
void io_char(char text[static 8], uint8_t c);
/* Says what a command's argument is, as its row has it. */
void io_say_argument(struct dec *d, const struct io_command *c);
void io_capture(struct cap_builder *b, const struct io_command *c);

/* Fields. */
#define IO_F(nm, fm, sz, ...) { .name = nm, .form = fm, .size = sz, ##__VA_ARGS__ }
/* Without a name: a number, or an element of what a pointer to one or a few leads to. */
#define E(fm, sz) { .form = fm, .size = sz }
#define ET(fm, sz, tab) { .form = fm, .size = sz, .table = &tab_##tab }
#define D1(n) IO_F(#n, IOF_DEC, 1)
#define D2(n) IO_F(#n, IOF_DEC, 2)
#define D4(n) IO_F(#n, IOF_DEC, 4)
#define D8(n) IO_F(#n, IOF_DEC, 8)
#define U1(n) IO_F(#n, IOF_UDEC, 1)
#define U2(n) IO_F(#n, IOF_UDEC, 2)
#define U4(n) IO_F(#n, IOF_UDEC, 4)
#define U8(n) IO_F(#n, IOF_UDEC, 8)
#define UW(n) IO_F(#n, IOF_UDEC, IO_WORD)
#define X1(n) IO_F(#n, IOF_HEX, 1)
#define X2(n) IO_F(#n, IOF_HEX, 2)
#define X4(n) IO_F(#n, IOF_HEX, 4)
#define X8(n) IO_F(#n, IOF_HEX, 8)
#define XW(n) IO_F(#n, IOF_HEX, IO_WORD)
#define FL1(n, t) IO_F(#n, IOF_FLAGS, 1, .table = &tab_##t)
#define FL2(n, t) IO_F(#n, IOF_FLAGS, 2, .table = &tab_##t)
#define FL4(n, t) IO_F(#n, IOF_FLAGS, 4, .table = &tab_##t)
#define FL8(n, t) IO_F(#n, IOF_FLAGS, 8, .table = &tab_##t)
#define FLW(n, t) IO_F(#n, IOF_FLAGS, IO_WORD, .table = &tab_##t)
#define SY1(n, t) IO_F(#n, IOF_SYM, 1, .table = &tab_##t)
#define SY2(n, t) IO_F(#n, IOF_SYM, 2, .table = &tab_##t)
#define SY4(n, t) IO_F(#n, IOF_SYM, 4, .table = &tab_##t)
#define SY8(n, t) IO_F(#n, IOF_SYM, 8, .table = &tab_##t)
#define M8(n) IO_F(#n, IOF_MAX, 8)
#define M4(n) IO_F(#n, IOF_MAX, 4)
#define PTR(n) IO_F(#n, IOF_ADDR, IO_WORD)
#define PTR8(n) IO_F(#n, IOF_ADDR, 8)
#define FDESC(n) IO_F(#n, IOF_FD, 4)
#define DEVW(n) IO_F(#n, IOF_DEV, IO_WORD)
#define DEV2(n) IO_F(#n, IOF_DEV, 2)
#define DEV4(n) IO_F(#n, IOF_DEV, 4)
#define DEV8(n) IO_F(#n, IOF_DEV, 8)
#define STRN(nm, len) { .name = #nm, .form = IOF_STR, .size = 1, .n = len }
#define TEXT(nm, len) { .name = #nm, .form = IOF_TEXT, .size = 1, .n = len }
#define BYTES(nm, len) { .name = #nm, .form = IOF_BYTES, .size = 1, .n = len }
#define UUID(nm) { .name = #nm, .form = IOF_UUID, .size = 1, .n = 16 }
#define UUID_NZ(nm) { .name = #nm, .form = IOF_UUID, .size = 1, .n = 16, .flags = IOF_NZ }
#define SUB(nm, s) { .name = #nm, .form = IOF_SUB, .sub = &io_##s }
#define HAND(nm, fn, len) { .name = nm, .form = IOF_HAND, .say = fn, .size = 1, .n = len }
#define ARR(nm, fm, sz, count) { .name = #nm, .form = fm, .size = sz, .n = count, .flags = IOF_MANY }
#define ARR_NZ(nm, fm, sz, count) { .name = #nm, .form = fm, .size = sz, .n = count, .flags = IOF_MANY | IOF_NZ }
/* The first elements of an array, most at most; the ones of SUBS are structures. */
#define VEC(nm, fm, sz, most, at) \
	{ .name = #nm, .form = fm, .size = sz, .n = most, .count_at = at, .flags = IOF_MANY | IOF_LIMIT | IOF_COUNTED }
#define SUBS(nm, s, most, at) \
	{ .name = #nm, .form = IOF_SUB, .sub = &io_##s, .n = most, .count_at = at, .flags = IOF_MANY | IOF_COUNTED | IOF_NZ }
#define SUBS_ALL(nm, s, most) { .name = #nm, .form = IOF_SUB, .sub = &io_##s, .n = most, .flags = IOF_MANY }
#define VALUES(nm, fm, sz, count) { .name = #nm, .form = fm, .size = sz, .n = count, .flags = IOF_MANY | IOF_LIMIT }
#define SKIP(sz, count) { .form = IOF_SKIP, .size = sz, .n = count }
#define AT(off64, off32) { .form = IOF_AT, .n = off64, .size = off32 }
#define EXITS { .form = IOF_EXIT }
#define ARROW { .form = IOF_ARROW }
#define MORE { .form = IOF_MORE }

#define IO_STRUCT(id, ...) \
	static const struct io_field io_fields_##id[] = { __VA_ARGS__ }; \
	const struct io_struct io_##id = { io_fields_##id, sizeof(io_fields_##id) / sizeof(struct io_field), IO_BRACES };
#define IO_BOX(id, ...) \
	static const struct io_field io_fields_##id[] = { __VA_ARGS__ }; \
	const struct io_struct io_##id = { io_fields_##id, sizeof(io_fields_##id) / sizeof(struct io_field), IO_BRACKETS };
#define IO_PLAIN(id, ...) \
	static const struct io_field io_fields_##id[] = { __VA_ARGS__ }; \
	const struct io_struct io_##id = { io_fields_##id, sizeof(io_fields_##id) / sizeof(struct io_field), IO_BARE };

#endif
