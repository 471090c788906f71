/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_DEC_MSG_H
#define CTRACE_DECODE_DEC_MSG_H
/* How struct msghdr is captured and laid out. */

/* Parts: the header before and after, then those of what it points to. */
enum { PART_BEFORE, PART_AFTER, PART_FIRST };
enum { OF_NAME = PART_FIRST, OF_IOV, OF_DATA, OF_CONTROL };

/* Offsets in struct msghdr, by the size of a pointer. */
#define MSG_NAMELEN(w)    (w)
#define MSG_IOV(w)        (2u * (w))
#define MSG_IOVLEN(w)     (3u * (w))
#define MSG_CONTROL(w)    (4u * (w))
#define MSG_CONTROLLEN(w) (5u * (w))
#define MSG_FLAGS(w)      (6u * (w))
#define MSG_SIZE(w)       (7u * (w))
#define MMSG_SIZE(w)      (8u * (w))     /* with msg_len behind it */

#endif
