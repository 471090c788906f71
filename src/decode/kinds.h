/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_KINDS_H
#define CTRACE_DECODE_KINDS_H
/*
 * The argument kinds and hooks that rows of syscalls.def may name. KIND(foo)
 * declares kind_foo, HOOKS(foo) hooks_foo; a macro below spells it in a row.
 * Included by syscalls.c and by the files that define kinds.
 */
#include "decode/kind.h"

#define KIND(id) extern const struct kind kind_##id;
#define HOOKS(id) extern const struct hooks hooks_##id;

/* kinds.c: numbers and pointers */
KIND(int) KIND(uint) KIND(long) KIND(ulong) KIND(hex) KIND(hexl) KIND(addr)
KIND(llong) KIND(ullong) KIND(llong_hl) KIND(pos) KIND(pages)
KIND(fd) KIND(atfd) KIND(pid) KIND(id) KIND(id16) KIND(sig) KIND(key)
KIND(mode) KIND(file_mode) KIND(mode_if_creat) KIND(dev_if_node) KIND(addr_if_fixed)
KIND(flags) KIND(flagsl) KIND(flagsll) KIND(sym) KIND(mmap_flags) KIND(memfd_flags)
/* kind_data.c: strings, buffers and small outputs */
KIND(path) KIND(str) KIND(mount_type) KIND(mount_data) KIND(buf_in) KIND(buf_out) KIND(bytes_out) KIND(buf_sized) KIND(cwd) KIND(iovec_in) KIND(iovec_out)
KIND(fdpair) KIND(offptr) KIND(offptr64) KIND(offptr64_in) KIND(id_ptr) KIND(id16_ptr) KIND(uint_ptr) KIND(ulong_ptr) KIND(addr_ptr)
KIND(llong_ptr) KIND(time_ptr) KIND(ids_in) KIND(ids_out) KIND(ids16_in) KIND(ids16_out)
/* dec_stat.c, dec_file.c */
KIND(stat) KIND(stat64) KIND(statx) KIND(statfs) KIND(statfs64) KIND(dents) KIND(dents64)
KIND(utimens) KIND(utimens64) KIND(utimes) KIND(utimbuf) KIND(open_how) KIND(utsname) KIND(sysinfo)
/* dec_fcntl.c */
HOOKS(fcntl)
HOOKS(time)
/* dec_mem.c */
HOOKS(old_mmap)
/* dec_exec.c */
KIND(argv) KIND(envp)

#define K(n, id) { .name = #n, .kind = &kind_##id }
#define INT(n) K(n, int)                /* int, decimal */
#define UINT(n) K(n, uint)
#define LONG(n) K(n, long)
#define ULONG(n) K(n, ulong)
#define HEX(n) K(n, hex)                /* unsigned int */
#define HEXL(n) K(n, hexl)              /* unsigned long */
#define ADDR(n) K(n, addr)              /* a pointer that is not followed */
#define LLONG(n) K(n, llong)            /* 64 bits in two registers of a 32-bit ABI, low half first */
#define ULLONG(n) K(n, ullong)
#define LLONG_HL(n) K(n, llong_hl)      /* high half first (_llseek) */
#define POS(n) K(n, pos)                /* pos_l, pos_h of preadv: two registers on every ABI */
#define PAGES(n) K(n, pages)            /* an offset in pages of 4096 bytes (mmap2) */
#define FD(n) K(n, fd)
#define ATFD(n) K(n, atfd)
#define PID(n) K(n, pid)
#define ID(n) K(n, id)                  /* uid_t, gid_t */
#define ID16(n) K(n, id16)
#define SIG(n) K(n, sig)
#define KEY(n) K(n, key)                /* key_t of System V IPC */
#define MODE(n) K(n, mode)
#define FILE_MODE(n) K(n, file_mode)    /* with S_IFMT */
#define MODE_IF_CREAT(n, f) { .name = #n, .kind = &kind_mode_if_creat, .a = f }
#define DEV_IF_NODE(n, m) { .name = #n, .kind = &kind_dev_if_node, .a = m }
#define ADDR_IF_FIXED(n, f) { .name = #n, .kind = &kind_addr_if_fixed, .a = f }
#define FLAGS(n, t) { .name = #n, .kind = &kind_flags, .table = &tab_##t }
#define FLAGSL(n, t) { .name = #n, .kind = &kind_flagsl, .table = &tab_##t }
#define FLAGSLL(n, t) { .name = #n, .kind = &kind_flagsll, .table = &tab_##t }
#define SYM(n, t) { .name = #n, .kind = &kind_sym, .table = &tab_##t }
#define MMAP_FLAGS(n) K(n, mmap_flags)
#define MEMFD_FLAGS(n) K(n, memfd_flags)

#define PATH(n) K(n, path)
#define STR(n) K(n, str)
#define MOUNT_TYPE(n, f) { .name = #n, .kind = &kind_mount_type, .a = f }      /* f: register with the flags */
#define MOUNT_DATA(n, f) { .name = #n, .kind = &kind_mount_data, .a = f }
#define BUF_IN(n, l) { .name = #n, .kind = &kind_buf_in, .a = l }       /* l: register with its length */
#define BUF_OUT(n) K(n, buf_out)        /* as long as the result */
#define BUF_SIZED(n, l) { .name = #n, .kind = &kind_buf_sized, .a = l } /* the same, but none if argument l is 0 */
#define BYTES_OUT(n) K(n, bytes_out)    /* the same, no text */
#define CWD(n) K(n, cwd)
#define IOVEC_IN(n, c) { .name = #n, .kind = &kind_iovec_in, .a = c }   /* c: register with the count */
#define IOVEC_OUT(n, c) { .name = #n, .kind = &kind_iovec_out, .a = c }
#define FDPAIR(n) K(n, fdpair)
#define OFFPTR(n) K(n, offptr)          /* off_t, read and written */
#define OFFPTR64(n) K(n, offptr64)
#define OFFPTR64_IN(n) K(n, offptr64_in)        /* as before the call */
#define ID_PTR(n) K(n, id_ptr)
#define ID16_PTR(n) K(n, id16_ptr)
#define UINT_PTR(n) K(n, uint_ptr)      /* outputs, as [7] */
#define ULONG_PTR(n) K(n, ulong_ptr)
#define ADDR_PTR(n) K(n, addr_ptr)
#define LLONG_PTR(n) K(n, llong_ptr)
#define TIME_PTR(n) K(n, time_ptr)
#define IDS_IN(n, c) { .name = #n, .kind = &kind_ids_in, .a = c }
#define IDS_OUT(n) K(n, ids_out)
#define IDS16_IN(n, c) { .name = #n, .kind = &kind_ids16_in, .a = c }
#define IDS16_OUT(n) K(n, ids16_out)

#define STAT(n) K(n, stat)
#define STAT64(n) K(n, stat64)
#define STATX(n) K(n, statx)
#define STATFS(n) K(n, statfs)
#define STATFS64(n) K(n, statfs64)
#define DENTS(n) K(n, dents)
#define DENTS64(n) K(n, dents64)
#define UTIMENS(n) K(n, utimens)
#define UTIMENS64(n) K(n, utimens64)
#define UTIMES(n) K(n, utimes)
#define UTIMBUF(n) K(n, utimbuf)
#define OPEN_HOW(n, s) { .name = #n, .kind = &kind_open_how, .a = s }
#define UTSNAME(n) K(n, utsname)
#define SYSINFO(n) K(n, sysinfo)
#define ARGV(n) K(n, argv)
#define ENVP(n) K(n, envp)

#endif
