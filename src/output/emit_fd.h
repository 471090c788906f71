/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_OUTPUT_EMIT_FD_H
#define CTRACE_OUTPUT_EMIT_FD_H
/* File descriptors and what they are, in text and JSON. */
#include "decode/emit.h"
#include "util/escape.h"
#include "util/strbuf.h"

/* 3</etc/passwd>, as strace. */
void fd_text(struct strbuf *sb, const struct emit_fd *fd, enum hex_mode hex);
/* What stands behind the number. */
void fd_text_detail(struct strbuf *sb, const struct emit_fd *fd, enum hex_mode hex);
/* The name of an address, as a comment behind it. */
void name_text(struct strbuf *sb, const char *name);
/* The number, or an object with it where more is known. */
void fd_json(struct strbuf *sb, const struct emit_fd *fd);

#endif
