/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TESTS_RECORDS_H
#define CTRACE_TESTS_RECORDS_H
/* Makers of records. Times are microseconds after the announcement. */
#include "golden.h"

#define START (100 * SEC)
#define AT(us) (START + (us) * US)

struct task rec_task(uint32_t host_tid, uint32_t tid, const char *comm);

/* A call by name, from entry to exit; arguments are set by the caller. */
struct call rec_call(struct task t, const char *name, uint64_t enter_us, uint64_t exit_us, int64_t ret);
/* A copy of what argument arg points to. */
void rec_capture(struct call *c, unsigned arg, unsigned flags, const void *data, size_t len, uint32_t true_len);
void rec_string(struct call *c, unsigned arg, const char *s);

int put_simple(struct sink *s, struct task t, const char *name, uint64_t enter_us, uint64_t exit_us, int64_t ret);
int put_openat(struct sink *s, struct task t, const char *path, uint64_t enter_us, uint64_t exit_us, int64_t ret);
int put_exit_call(struct sink *s, struct task t, uint64_t enter_us, int code);
int put_end(struct sink *s, struct task t, uint64_t us, int status, bool last);
int put_signal(struct sink *s, struct task t, uint64_t us, int signo);

#endif
