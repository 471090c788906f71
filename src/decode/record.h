/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_RECORD_H
#define CTRACE_DECODE_RECORD_H
/*
 * Records after the wire parser has checked their bounds: what the decoder
 * and the sinks work on. Pointers in them lead into the ring buffer or into
 * the parser's memory and hold until the sink's function returns.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/event.h"

enum abi { ABI_X86_64, ABI_I386, ABI_ARM64, ABI_ARM, ABI_MAX };

static inline bool abi_is_arm(enum abi abi)
{
	return abi == ABI_ARM64 || abi == ABI_ARM;
}

#if defined(__x86_64__)
#define ABI_NATIVE ABI_X86_64
#define ABI_COMPAT ABI_I386
#elif defined(__aarch64__)
#define ABI_NATIVE ABI_ARM64
#define ABI_COMPAT ABI_ARM
#else
#error "ctrace supports x86_64 and arm64"
#endif

/* Whose record it is. */
struct task {
	uint32_t host_tid, host_tgid;
	uint32_t tid, tgid;             /* in the pid namespace of the target's init; 0: none there */
	uint32_t target;                /* index; CT_NO_TARGET */
	char comm[CT_COMM_LEN + 1];     /* bytes as the kernel has them; NUL-terminated */
};

struct capture {
	uint8_t arg, part, flags;       /* CT_CAP_* */
	uint16_t idx;
	uint32_t len, true_len;
	const void *data;               /* not aligned */
};

#define CALL_CAPTURES 2200      /* two vectors of CT_VEC_MAX, and the rest */

struct stack;                           /* stack/stack.h */

struct call {
	struct task task;
	uint64_t enter, exit;           /* CLOCK_BOOTTIME, ns; enter 0: not known; exit 0: in flight */
	uint32_t flags;                 /* CT_F_* */
	enum abi abi;
	uint32_t nr;
	uint64_t args[CT_ARGS];         /* 32-bit ABI: upper halves are 0 */
	uint32_t late;                  /* one that begins: registers whose input could not be read yet, a bit each */
	int64_t ret;                    /* nothing with CT_F_NO_RETURN or CT_F_IN_FLIGHT */
	const struct stack *stack;      /* -k; NULL: none */
	unsigned n_captures;
	struct capture captures[CALL_CAPTURES];
};

struct signal_event {
	struct task task;
	uint64_t time;
	int signo, code, err;
	const uint8_t *fields;          /* 112 bytes: the siginfo union */
	const struct ct_pid *sender;    /* whose number its si_pid is; NULL: not known */
	uint64_t ip;                    /* -i: where it came; 0: not known */
	const struct stack *stack;      /* -k; NULL: none */
};

struct exec_event {
	struct task task;
	uint64_t time;
	uint32_t old_host_tid, old_tid; /* other than the task's: its number before the exec */
	const char *filename;           /* bytes */
	size_t filename_len;
};

struct exit_event {
	struct task task;
	uint64_t time;
	int status;                     /* as wait(2) gives it */
	bool oom_killed, group_dead;
};

struct left_event {
	struct task task;
	uint64_t time;
};

/* A container that was waited for has its first process. */
struct started_event {
	struct task task;
	uint64_t time;
};

/* Calls lost since the last such event, shown where the gap is. */
struct lost_event {
	uint64_t time;
	uint64_t total, ring_full, too_big;
	unsigned n_rows;                /* the calls that were hit, most first */
	struct lost_row { enum abi abi; uint32_t nr; uint64_t count; } rows[16];
};

/* A target has ended. */
struct container_event {
	uint64_t time;
	uint32_t target;
	bool has_status;
	int status;                     /* of its init, as wait(2) */
	bool oom_killed;
};

/* The coverage statement; DESIGN section 3 defines each number. */
struct coverage {
	bool complete;
	unsigned n_why;
	char why[16][160];               /* why it is not complete, in words */
	uint64_t since;                 /* CLOCK_BOOTTIME, ns, of the announcement */
	struct { uint64_t at_start, by_rescan, by_fork, by_move, on_first_call, late, ended, left; } tasks;
	struct { uint64_t seen, delivered, filtered, lost_ring_full, lost_too_big, in_flight, begun_before, degraded; } calls;
	uint64_t written;               /* records parsed and written */
	bool narrow;                    /* --narrow: seen are the calls that were named, and those alone */
	/* --lossless: how often the target was frozen, and for how long; and how often it ran on in spite of a full buffer. */
	struct { bool asked; uint64_t times, total_ns, longest_ns, yielded; } frozen;
};

/* One row of the -c table, from the kernel's counters. */
struct count_row {
	uint32_t target;
	enum abi abi;
	uint32_t nr;
	uint64_t calls, errors, no_return;
	uint64_t total_ns, min_ns, max_ns;      /* of the calls that returned */
};

#endif
