/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_OUTPUT_EMIT_JSON_H
#define CTRACE_OUTPUT_EMIT_JSON_H
/*
 * Values as JSON. Writes the members of a call's "args" object, without its
 * braces; "notes" and the result's detail are collected beside it.
 *
 *   numbers            decimal: a number, or a string of digits beyond 2^53; hexadecimal and octal: a string, "0x1f", "0644"
 *   pointers           "0x7ffc2a40"; NULL is null
 *   constants          their name; without one "0x2a"
 *   sets               an array of names, "0x10" for the bits that have none
 *   bytes              a string if they are UTF-8 without NUL, else {"bytes":"68ff00"}, two hex digits a byte
 *   structures, arrays an object, an array; what is left out is simply not there
 *   changed values     {"in":128,"out":16}
 *   abstract sockets   {"abstract":"name"}: the name without its leading NUL
 *   parts of a detail  those with a label: {"left":{"tv_sec":0,"tv_nsec":999}}
 *
 * A note is {"arg":"buf","note":"cut","length":4096}; the notes are
 * unreadable, cut (length is there when it is known), captured_at_exit,
 * changed, lost.
 */
#include "decode/emit.h"
#include "util/escape.h"
#include "util/strbuf.h"

#define EMIT_JSON_DEPTH 128

#define EMIT_JSON_KEYS 64       /* members of an object that are told apart */

struct emit_json {
	struct emitter e;               /* first: the emitter is this */
	struct strbuf *out;             /* where the next byte goes: args or &detail */
	struct strbuf detail;           /* values behind the result, with commas */
	struct strbuf notes;            /* objects, with commas */
	unsigned n_detail;              /* values in detail */
	/* state: */
	const char *arg;                /* name of the argument that is being written */
	bool any_arg;
	bool noted_change, noted_cut;   /* of the argument */
	bool in_part;                   /* inside the object that a labelled part of the detail is */
	struct strbuf data;             /* -e read=, write=: elements of an array */
	bool others;                    /* the set whose members are being written is {"all_but":[...]} */
	unsigned depth;
	struct emit_json_level {
		enum { LEVEL_VALUE, LEVEL_OBJECT, LEVEL_ARRAY } kind;
		bool any;               /* a member or element was written: the next needs a comma */
		bool changed;           /* inside {"in":...,"out": */
		bool joined;            /* the next value follows "out": */
		size_t start;           /* where the last value begins */
		unsigned n_keys;        /* hashes of the members' names so far */
		uint32_t keys[EMIT_JSON_KEYS];
	} levels[EMIT_JSON_DEPTH];
};

void emit_json_init(struct emit_json *j);
void emit_json_done(struct emit_json *j);
/* Before each call (or signal): out is where it goes, appended. */
void emit_json_begin(struct emit_json *j, struct strbuf *out);
/* After it: closes what is open, so that out may be continued. */
void emit_json_end(struct emit_json *j);
/* An object for a number of which something is told. */
void emit_json_put_pid(struct strbuf *out, const struct emit_pid *pid);
/* Appends the result's detail as one value; false, and nothing, when there is none. */
bool emit_json_detail(const struct emit_json *j, struct strbuf *out);

#endif
