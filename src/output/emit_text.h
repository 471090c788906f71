/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_OUTPUT_EMIT_TEXT_H
#define CTRACE_OUTPUT_EMIT_TEXT_H
/*
 * Values in strace's words. Writes into a buffer of the caller: what stands
 * between the parentheses of a call. What belongs behind the result (fcntl's
 * flags, poll's descriptors) is collected in detail.
 */
#include "decode/decode.h"
#include "util/escape.h"
#include "util/strbuf.h"

#define EMIT_DEPTH 128

/* Which arguments are written: all, those known when the call begins, those known when it has ended. */
enum emit_part { EMIT_WHOLE, EMIT_BEGINNING, EMIT_END };

struct emit_text {
	struct emitter e;               /* first: the emitter is this */
	struct strbuf *out;             /* where the next byte goes: line, &detail or &dropped */
	struct strbuf *line;            /* the caller's */
	struct strbuf dropped;          /* the other part */
	enum emit_part part;
	bool more_at_end;               /* there are arguments that are known when the call has ended */
	struct strbuf detail;           /* "" when there is none */
	bool has_detail;
	struct strbuf data;             /* lines that follow the call's: -e read=, write= */
	bool arg_names;                 /* -N: fd=3 */
	enum hex_mode hex;              /* -x, -xx */
	enum const_style consts;        /* -X */
	/* state: */
	bool in_arg;                    /* arguments have begun; the next needs a comma */
	bool any_flag;                  /* a member of the set that is being written was written */
	bool any_apart;                 /* one that is written apart */
	bool numbered;                  /* -X: the number of the set was written */
	bool in_comment;                /* -X verbose: its names are being written */
	bool has_rest;                  /* ... before which this is to be written */
	uint64_t flags_value, flags_rest;
	/* -X: an alias */
	struct strbuf unsaid;           /* what -X raw leaves out of it */
	bool in_alias;                  /* also without -X */
	struct strbuf *alias_out;       /* where it goes on behind it; NULL: in none */
	enum const_style alias_consts;
	unsigned depth;
	bool is_array[EMIT_DEPTH], need_comma[EMIT_DEPTH], is_set[EMIT_DEPTH];
};

void emit_text_init(struct emit_text *t);
void emit_text_done(struct emit_text *t);
/* Before each call (or signal): line is where it goes, appended. */
void emit_text_begin(struct emit_text *t, struct strbuf *line, enum emit_part part);
/* 1<sh> and the like, as for an argument. */
void emit_text_secontext(struct strbuf *out, const char *context);
void emit_text_pid(struct strbuf *out, const struct emit_pid *pid);

#endif
