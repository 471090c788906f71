/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_UTIL_OUTFILE_H
#define CTRACE_UTIL_OUTFILE_H
/*
 * Buffered output of whole lines to a stream, a file, or the standard input
 * of a command. SIGPIPE is to be ignored by the program: a closed pipe comes
 * back as -EPIPE. The first error stays: all later calls return it and write
 * nothing, so that the output ends in one place.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/strbuf.h"

struct outfile;

/*
 * path: a file, which is created or truncated (append: continued), or "|cmd"
 * or "!cmd", which is run by sh -c and not reached by the terminal's Ctrl-C,
 * so that it sees the end of the trace.
 */
int outfile_open(const char *path, bool append, struct outfile **ret_out);
/*
 * path is a file, and beside it is one for each key that outfile_part() names,
 * PATH.SUFFIX. append: those that are there are continued.
 */
int outfile_open_parts(const char *path, bool append, struct outfile **ret_out);
/* Between begin and end: the line goes to the file of the key. Nothing where there are no parts. */
void outfile_part(struct outfile *o, uint32_t key, const char *suffix);
bool outfile_has_parts(const struct outfile *o);
/* No more lines come for the key. */
void outfile_part_end(struct outfile *o, uint32_t key);
/* A stream that is open already and stays the caller's: standard output. */
int outfile_open_fd(int fd, struct outfile **ret_out);

/*
 * Lines are written straight into the buffer: begin gives it, end says that
 * the line is whole. A line that is counted adds one to outfile_counted()
 * once its last byte has been written. Lines that ran out of memory are
 * dropped whole (-ENOMEM).
 */
struct strbuf *outfile_begin(struct outfile *o);
int outfile_end(struct outfile *o, bool counted);

int outfile_flush(struct outfile *o);
/* Counted lines of which every byte was taken by the kernel. */
uint64_t outfile_counted(const struct outfile *o);
bool outfile_is_terminal(const struct outfile *o);
/* The process that reads our output by "|cmd", 0: none. */
pid_t outfile_reader(const struct outfile *o);

/*
 * Flushes, closes, waits for the command, frees. The first error of the
 * output; -ENOENT and -EACCES when the shell could not run the command.
 * Takes NULL.
 */
int outfile_close(struct outfile *o);

#endif
