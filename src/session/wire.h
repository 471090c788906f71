/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_SESSION_WIRE_H
#define CTRACE_SESSION_WIRE_H
/*
 * The wire parser: from the bytes of a record to what the sinks take, every
 * length checked. It joins the input that went ahead of a call to the call.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/record.h"

struct wire;

enum wire_kind { WIRE_NONE, WIRE_CALL, WIRE_ENTER, WIRE_SIGNAL, WIRE_EXEC, WIRE_EXIT, WIRE_LEFT, WIRE_MADE, WIRE_STARTED };

/* CT_REC_MADE */
struct made_event {
	uint32_t target;
	uint64_t id;
	uint32_t hierarchy;
	const char *path;               /* bytes */
	size_t path_len;
};

/* CT_REC_STARTED */
struct first_process {
	struct started_event event;
	uint64_t start;                 /* clock ticks since boot */
	uint32_t pidns;
};

/* One parsed record; its pointers hold until the next one is parsed. */
struct wire_record {
	enum wire_kind kind;
	uint16_t cpu;
	uint32_t lost;                  /* calls lost on this CPU so far, modulo 2^32 */
	union {
		struct signal_event signal;
		struct exec_event exec;
		struct exit_event exit;
		struct left_event left;
		struct made_event made;
		struct first_process started;
	};
	struct call *call;              /* WIRE_CALL, WIRE_ENTER; WIRE_SIGNAL: where it came, as captures; or NULL */
};

int wire_new(struct wire **ret_wire);
void wire_free(struct wire *w);

/*
 * Parses one record. 0, with kind WIRE_NONE for what only prepares another; -EBADMSG for one that is
 * not as the ABI says.
 */
int wire_parse(struct wire *w, const void *data, size_t len, struct wire_record *ret_record);

#endif
