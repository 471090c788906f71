/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_FILECONST_H
#define CTRACE_DECODE_FILECONST_H
/*
 * Constants that decide how a call is decoded, where the C library's headers
 * would give those of the build host. These are the same on every ABI we have.
 */
#define O_CREAT_BIT 0x40u
#define O_TMPFILE_BIT 0x400000u         /* __O_TMPFILE */
#define MREMAP_MAYMOVE_BIT 1u
#define MREMAP_PLACED_BITS 6u           /* MREMAP_FIXED, MREMAP_DONTUNMAP */
#define MEMBARRIER_CPU_BIT 1u           /* MEMBARRIER_CMD_FLAG_CPU */
#define HUGE_SHIFT 26                   /* MAP_HUGE_SHIFT and its kin */
#define MODE_CHR 0020000u
#define MODE_BLK 0060000u
#define PATH_LONGEST 4095u          /* PATH_MAX without the NUL */
#define MS_REMOUNT_BIT 0x20u
#define MS_CHANGE_BITS 0x1e3000u        /* MS_BIND, MS_MOVE, MS_UNBINDABLE, MS_PRIVATE, MS_SLAVE, MS_SHARED */

#endif
