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
KIND(int) KIND(uint) KIND(long) KIND(ulong) KIND(hex) KIND(hexl) KIND(addr) KIND(addr_out)
KIND(llong) KIND(ullong) KIND(llong_hl) KIND(pos) KIND(pages)
KIND(fd) KIND(atfd) KIND(others_fd) KIND(pid) KIND(pgid) KIND(who) KIND(id) KIND(id16) KIND(sig) KIND(key)
KIND(mode) KIND(file_mode) KIND(mode_if_creat) KIND(dev_if_node) KIND(addr_if_fixed) KIND(addr_if_creat) KIND(int_if_cpu)
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
/* dec_ipc.c */
KIND(ipc_flags) KIND(shm_flags) KIND(ipc_op) KIND(semun)
/* dec_personality.c */
KIND(persona)
HOOKS(personality)
/* dec_exec.c */
KIND(argv) KIND(envp)
/* dec_signal.c */
KIND(sigset_in) KIND(sigset_out) KIND(sigpending) KIND(sigaction_in) KIND(sigaction_out)
KIND(siginfo_in) KIND(siginfo_out) KIND(stack_in) KIND(stack_out)
HOOKS(rt_sigreturn) HOOKS(sigreturn) HOOKS(rt_sigtimedwait)
/* dec_poll.c */
KIND(pollfds) KIND(timeout) KIND(fdset) KIND(sigset_ref) KIND(epoll_event) KIND(epoll_events)
HOOKS(poll) HOOKS(ppoll) HOOKS(ppoll_time64) HOOKS(select) HOOKS(pselect6) HOOKS(pselect6_time64)
/* dec_time.c */
KIND(time_in) KIND(time_if_ok) KIND(time_out) KIND(interval_in) KIND(interval_out) KIND(time_left) KIND(timezone_in) KIND(timezone_out)
KIND(sigevent) KIND(tms)
/* dec_process.c, dec_futex.c, dec_prctl.c, dec_seccomp.c, dec_ioctl.c */
KIND(wait_status) KIND(rusage) KIND(rlimit_in) KIND(rlimit_out) KIND(cpus_in) KIND(cpus_out)
KIND(sched_param_in) KIND(sched_param_out) KIND(sched_policy) KIND(rseq)
HOOKS(sched_getscheduler) HOOKS(clone) HOOKS(clone3) HOOKS(waitid) HOOKS(futex) HOOKS(futex_time64) HOOKS(prctl)
HOOKS(seccomp) HOOKS(arch_prctl) HOOKS(ioctl)
/* dec_net.c, dec_msg.c, dec_sockopt.c */
KIND(sock_type) KIND(sock_protocol) KIND(sockaddr_in) KIND(sockaddr_out) KIND(socklen) KIND(recv_buf) KIND(send_buf)
KIND(msg_in) KIND(msg_out) KIND(mmsg_in) KIND(mmsg_out)
HOOKS(setsockopt) HOOKS(getsockopt) HOOKS(recvmmsg) HOOKS(recvmmsg_time64)

#define K(n, id) { .name = #n, .kind = &kind_##id }
#define INT(n) K(n, int)                /* int, decimal */
#define UINT(n) K(n, uint)
#define LONG(n) K(n, long)
#define ULONG(n) K(n, ulong)
#define HEX(n) K(n, hex)                /* unsigned int */
#define HEXL(n) K(n, hexl)              /* unsigned long */
#define ADDR(n) K(n, addr)              /* a pointer that is not followed */
#define ADDR_OUT(n) K(n, addr_out)      /* the same, to what the call fills in */
#define LLONG(n) K(n, llong)            /* 64 bits in two registers of a 32-bit ABI, low half first */
#define ULLONG(n) K(n, ullong)
#define LLONG_HL(n) K(n, llong_hl)      /* high half first (_llseek) */
#define POS(n) K(n, pos)                /* pos_l, pos_h of preadv: two registers on every ABI */
#define PAGES(n) K(n, pages)            /* an offset in pages of 4096 bytes (mmap2) */
#define FD(n) K(n, fd)
#define ATFD(n) K(n, atfd)
#define OTHERS_FD(n, p) { .name = #n, .kind = &kind_others_fd, .a = p }        /* of the process whose pidfd is in register p */
#define PID(n) K(n, pid)
#define PGID(n) K(n, pgid)              /* a process group */
#define WHO(n, w, p) { .name = #n, .kind = &kind_who, .a = w, .b = p }       /* w: register that says what it is; p: there, a process; p + 1: a group */
#define ID(n) K(n, id)                  /* uid_t, gid_t */
#define ID16(n) K(n, id16)
#define SIG(n) K(n, sig)
#define KEY(n) K(n, key)                /* key_t of System V IPC */
#define MODE(n) K(n, mode)
#define FILE_MODE(n) K(n, file_mode)    /* with S_IFMT */
#define MODE_IF_CREAT(n, f) { .name = #n, .kind = &kind_mode_if_creat, .a = f }
#define ADDR_IF_CREAT(n, f) { .name = #n, .kind = &kind_addr_if_creat, .a = f }
#define INT_IF_CPU(n, f) { .name = #n, .kind = &kind_int_if_cpu, .a = f }     /* membarrier */
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
#define IPC_FLAGS(n) { .name = #n, .kind = &kind_ipc_flags, .table = &tab_ipc_flags }
#define SHM_FLAGS(n) { .name = #n, .kind = &kind_shm_flags, .table = &tab_shm_flags }
#define IPC_OP(n, t) { .name = #n, .kind = &kind_ipc_op, .table = &tab_##t }
#define SEMUN(n) K(n, semun)
#define PERSONA(n) K(n, persona)
#define ARGV(n) K(n, argv)
#define ENVP(n) K(n, envp)

/* s, l, c, f: registers with a size, a length, a count, flags */
#define SIGSET_IN(n, s) { .name = #n, .kind = &kind_sigset_in, .a = s }
/* The same of a whole set alone. */
#define SIGSET_WHOLE(n, s) { .name = #n, .kind = &kind_sigset_in, .a = s, .b = 8 }
#define SIGSET_OUT(n, s) { .name = #n, .kind = &kind_sigset_out, .a = s }
#define SIGPENDING(n, s) { .name = #n, .kind = &kind_sigpending, .a = s }
#define SIGACTION_IN(n, s) { .name = #n, .kind = &kind_sigaction_in, .a = s }
#define SIGACTION_OUT(n, s) { .name = #n, .kind = &kind_sigaction_out, .a = s }
#define SIGINFO_IN(n) K(n, siginfo_in)
#define SIGINFO_OUT(n) K(n, siginfo_out)
#define STACK_IN(n) K(n, stack_in)
#define STACK_OUT(n) K(n, stack_out)

#define POLLFDS(n, c) { .name = #n, .kind = &kind_pollfds, .a = c }
#define FDSET(n) K(n, fdset)            /* as many as the call's first argument says */
#define SIGSET_REF(n) K(n, sigset_ref)  /* pointer to a pointer and a size */
#define EPOLL_EVENT(n, o) { .name = #n, .kind = &kind_epoll_event, .a = o }     /* o: register with the operation */
#define EPOLL_EVENTS(n) K(n, epoll_events)

/* struct timespec and its kin; 64: with 64-bit times on every ABI */
#define TIMED(n, id, form) { .name = #n, .kind = &kind_##id, .b = form }
#define TIMESPEC_IN(n) TIMED(n, time_in, 0)
#define TIMESPEC_OUT(n) TIMED(n, time_out, 0)
#define TIMESPEC64_IN(n) TIMED(n, time_in, 1)
#define TIMESPEC64_IF_OK(n) TIMED(n, time_if_ok, 1)
#define TIMESPEC64_OUT(n) TIMED(n, time_out, 1)
#define TIMEVAL_IN(n) TIMED(n, time_in, 2)
#define TIMEVAL_OUT(n) TIMED(n, time_out, 2)
#define TIMEOUT(n) TIMED(n, timeout, 0)         /* read, and written back with what was left */
#define TIMEOUT64(n) TIMED(n, timeout, 1)
#define TIMEOUT_US(n) TIMED(n, timeout, 2)
#define ITIMERSPEC_IN(n) TIMED(n, interval_in, 0)
#define ITIMERSPEC_OUT(n) TIMED(n, interval_out, 0)
#define ITIMERSPEC64_IN(n) TIMED(n, interval_in, 1)
#define ITIMERSPEC64_OUT(n) TIMED(n, interval_out, 1)
#define ITIMERVAL_IN(n) TIMED(n, interval_in, 2)
#define ITIMERVAL_OUT(n) TIMED(n, interval_out, 2)
#define TIME_LEFT(n, f) { .name = #n, .kind = &kind_time_left, .a = f }         /* of a sleep */
#define TIME64_LEFT(n, f) { .name = #n, .kind = &kind_time_left, .a = f, .b = 1 }
#define TIMEZONE_IN(n) K(n, timezone_in)
#define TIMEZONE_OUT(n) K(n, timezone_out)
#define SIGEVENT(n) K(n, sigevent)
#define TMS(n) K(n, tms)

#define WAIT_STATUS(n) K(n, wait_status)
#define RUSAGE(n) K(n, rusage)
#define RUSAGE_OF_CHILD(n) { .name = #n, .kind = &kind_rusage, .a = 1 }
#define RLIMIT_IN(n) K(n, rlimit_in)
#define RLIMIT_OUT(n) K(n, rlimit_out)
#define RLIMIT64_IN(n) { .name = #n, .kind = &kind_rlimit_in, .a = 8 }
#define RLIMIT64_OUT(n) { .name = #n, .kind = &kind_rlimit_out, .a = 8 }
#define CPUS_IN(n, l) { .name = #n, .kind = &kind_cpus_in, .a = l }
#define CPUS_OUT(n) K(n, cpus_out)
#define SCHED_PARAM_IN(n) K(n, sched_param_in)
#define SCHED_PARAM_OUT(n) K(n, sched_param_out)
#define SCHED_POLICY(n) K(n, sched_policy)
#define RSEQ(n, l) { .name = #n, .kind = &kind_rseq, .a = l }

#define SOCK_TYPE(n) K(n, sock_type)
#define SOCK_PROTOCOL(n) K(n, sock_protocol)    /* the family is the first argument */
#define SOCKADDR_IN(n, l) { .name = #n, .kind = &kind_sockaddr_in, .a = l }
#define SOCKADDR_OUT(n, l) { .name = #n, .kind = &kind_sockaddr_out, .a = l }
#define SOCKLEN(n) K(n, socklen)                /* read and written */
#define SEND_BUF(n, l) { .name = #n, .kind = &kind_send_buf, .a = l }
#define RECV_BUF(n, l) { .name = #n, .kind = &kind_recv_buf, .a = l }
#define MSG_IN(n) K(n, msg_in)
#define MSG_OUT(n) K(n, msg_out)
#define MMSG_IN(n) K(n, mmsg_in)                /* the count is the next argument */
#define MMSG_OUT(n) K(n, mmsg_out)

#include "decode/kinds_file.h"
#include "decode/kinds_proc.h"

#endif
