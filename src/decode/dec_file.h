/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_DEC_FILE_H
#define CTRACE_DECODE_DEC_FILE_H
/* What the decoders of files, mounts, keys and asynchronous I/O share. */
#include "decode/field.h"

#define SIZED_MAX 4096u         /* of a structure whose size the caller gives, as much is looked at (a page, as strace) */

/*
 * len bytes at addr, captured as part; as text or all as \xNN. NULL, "" for
 * none, and the address where they, up to -s of them, are not here.
 */
void say_bytes_at(struct dec *d, unsigned reg, unsigned part, uint64_t addr, uint64_t len, bool hex);
/* The same for text that may end in a NUL, which is not shown: where it is the last byte, or the last that would be shown. */
void say_text_at(struct dec *d, unsigned reg, unsigned part, uint64_t addr, uint64_t len);
/* A string, captured as part. */
void say_string_at(struct dec *d, unsigned reg, unsigned part, uint64_t addr, bool path);
/* Begins the structure at an argument if size bytes of it are here; else says its address: false. */
bool struct_at(struct dec *d, unsigned reg, unsigned part, size_t size, struct bytes *ret);
/* The same for one whose size the caller gives: min bytes at least. say_beyond() and struct_end() are to follow. */
bool sized_struct_at(struct dec *d, unsigned reg, uint64_t given, size_t min, struct bytes *ret);
/* Words that are not 0 where nothing should be: name=[0, 0x3]; size bytes each. */
void field_spare(struct dec *d, const char *name, struct bytes b, size_t off, size_t size, unsigned count);
/* A capture that is made if args[arg] & and is a number v below 64, and bit v of set is 1. */
struct cap_op *cap_if(struct cap_builder *b, unsigned reg, unsigned part, enum cap_kind kind, unsigned when,
		      unsigned arg, uint32_t and, uint64_t set);
/* Of bytes, as many as say_bytes_at() asks for: one more than is shown. */
uint32_t cap_bytes_limit(const struct cap_builder *b);
/* Of arrays, as many elements as are shown. */
uint32_t cap_elements(const struct cap_builder *b);

#endif
