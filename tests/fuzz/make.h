/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TESTS_FUZZ_MAKE_H
#define CTRACE_TESTS_FUZZ_MAKE_H
/* Inputs that random bytes hardly ever are: answers of name servers, programs, databases, the JSON of runtimes. All but right, mostly. */
#include "files.h"
#include "rnd.h"

#define ANSWER_MAX 1200
#define PROGRAM_MAX 6000
#define BOLT_MAX (6 * BOLT_PAGE)

/* An answer of a name server; how many bytes it has. */
size_t make_answer(struct rnd *r, uint8_t p[static ANSWER_MAX]);
/* An ELF file with symbols, notes and call frame information that covers all of it. */
size_t make_program(struct rnd *r, uint8_t p[static PROGRAM_MAX]);
/* Its note of this build ID leads to a file of debugging symbols. */
#define PROGRAM_ID "\xab\xcd\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12"
#define PROGRAM_DEBUG "usr/lib/debug/.build-id/ab/cd0102030405060708090a0b0c0d0e0f101112.debug"
/* The pages of a bolt database from its root on, for fuzz_bolt. */
size_t make_bolt(uint8_t p[static BOLT_MAX]);
/* One value in a JSON text becomes another one. Its new length; 0 if it is no JSON, or there is no room. */
size_t change_json(struct rnd *r, char *text, size_t len, size_t max);

#endif
