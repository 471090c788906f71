/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CLI_STATUS_FILE_H
#define CTRACE_CLI_STATUS_FILE_H

/*
 * Removes what an earlier run left there, so that nobody takes it for this
 * one's. Only regular files.
 */
void status_file_clear(const char *path);

/*
 * Writes text and a newline: to a new file beside it that then takes its
 * name, so that a reader sees all of it or nothing; at the end of anything
 * that is there and no plain file (/dev/stderr, a fifo, a symbolic link). 0 or a negative errno.
 */
int status_file_write(const char *path, const char *text);

#endif
