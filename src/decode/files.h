/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_FILES_H
#define CTRACE_DECODE_FILES_H
/* Internal to src/decode: files as the kernel side took them down (CT_PART_FD). */
#include "decode/record.h"

/* The path of a captured file, as /proc/PID/fd shows it but for "(deleted)", and the descriptor. false: it is none. */
bool file_path(const struct capture *c, int *ret_fd, char buf[static CT_PATH_ROOM], size_t *ret_len);

#endif
