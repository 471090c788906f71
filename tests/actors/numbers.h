/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TESTS_NUMBERS_H
#define CTRACE_TESTS_NUMBERS_H
/*
 * Calls that not every ABI has: there they are number -1, which fails with
 * ENOSYS, and both tracers show so.
 */
#include <sys/syscall.h>

/* Calls that i386 has by socketcall(2) or ipc(2) alone; made by multiplexed.h. */
#ifdef __i386__
#define SOCKETCALL      0x10000
#define IPC             0x20000
#define SYS_accept      (SOCKETCALL + 5)
#define SYS_send        (SOCKETCALL + 9)
#define SYS_recv        (SOCKETCALL + 10)
#define SYS_semop       (IPC + 1)
#define SYS_semtimedop  (IPC + 4)
#endif

#ifndef SYS__llseek
#define SYS__llseek (-1)
#endif
#ifndef SYS__sysctl
#define SYS__sysctl (-1)
#endif
#ifndef SYS_accept
#define SYS_accept (-1)
#endif
#ifndef SYS_access
#define SYS_access (-1)
#endif
#ifndef SYS_alarm
#define SYS_alarm (-1)
#endif
#ifndef SYS_arch_prctl
#define SYS_arch_prctl (-1)
#endif
#ifndef SYS_chmod
#define SYS_chmod (-1)
#endif
#ifndef SYS_chown
#define SYS_chown (-1)
#endif
#ifndef SYS_creat
#define SYS_creat (-1)
#endif
#ifndef SYS_dup2
#define SYS_dup2 (-1)
#endif
#ifndef SYS_epoll_create
#define SYS_epoll_create (-1)
#endif
#ifndef SYS_epoll_wait
#define SYS_epoll_wait (-1)
#endif
#ifndef SYS_eventfd
#define SYS_eventfd (-1)
#endif
#ifndef SYS_fork
#define SYS_fork (-1)
#endif
#ifndef SYS_futimesat
#define SYS_futimesat (-1)
#endif
#ifndef SYS_getdents
#define SYS_getdents (-1)
#endif
#ifndef SYS_getpgrp
#define SYS_getpgrp (-1)
#endif
#ifndef SYS_getxattrat
#define SYS_getxattrat (-1)
#endif
#ifndef SYS_inotify_init
#define SYS_inotify_init (-1)
#endif
#ifndef SYS_ioperm
#define SYS_ioperm (-1)
#endif
#ifndef SYS_iopl
#define SYS_iopl (-1)
#endif
#ifndef SYS_kexec_file_load
#define SYS_kexec_file_load (-1)
#endif
#ifndef SYS_lchown
#define SYS_lchown (-1)
#endif
#ifndef SYS_link
#define SYS_link (-1)
#endif
#ifndef SYS_lstat
#define SYS_lstat (-1)
#endif
#ifndef SYS_mkdir
#define SYS_mkdir (-1)
#endif
#ifndef SYS_mknod
#define SYS_mknod (-1)
#endif
#ifndef SYS_modify_ldt
#define SYS_modify_ldt (-1)
#endif
#ifndef SYS_msgctl
#define SYS_msgctl (-1)
#endif
#ifndef SYS_msgget
#define SYS_msgget (-1)
#endif
#ifndef SYS_newfstatat
#define SYS_newfstatat (-1)
#endif
#ifndef SYS_open
#define SYS_open (-1)
#endif
#ifndef SYS_pause
#define SYS_pause (-1)
#endif
#ifndef SYS_pipe
#define SYS_pipe (-1)
#endif
#ifndef SYS_poll
#define SYS_poll (-1)
#endif
#ifndef SYS_readlink
#define SYS_readlink (-1)
#endif
#ifndef SYS_recv
#define SYS_recv (-1)
#endif
#ifndef SYS_rename
#define SYS_rename (-1)
#endif
#ifndef SYS_renameat
#define SYS_renameat (-1)
#endif
#ifndef SYS_rmdir
#define SYS_rmdir (-1)
#endif
#ifndef SYS_select
#define SYS_select (-1)
#endif
#ifndef SYS_semctl
#define SYS_semctl (-1)
#endif
#ifndef SYS_semget
#define SYS_semget (-1)
#endif
#ifndef SYS_semop
#define SYS_semop (-1)
#endif
#ifndef SYS_semtimedop
#define SYS_semtimedop (-1)
#endif
#ifndef SYS_send
#define SYS_send (-1)
#endif
#ifndef SYS_shmctl
#define SYS_shmctl (-1)
#endif
#ifndef SYS_shmget
#define SYS_shmget (-1)
#endif
#ifndef SYS_signalfd
#define SYS_signalfd (-1)
#endif
#ifndef SYS_stat
#define SYS_stat (-1)
#endif
#ifndef SYS_symlink
#define SYS_symlink (-1)
#endif
#ifndef SYS_sysfs
#define SYS_sysfs (-1)
#endif
#ifndef SYS_time
#define SYS_time (-1)
#endif
#ifndef SYS_umount2
#define SYS_umount2 (-1)
#endif
#ifndef SYS_unlink
#define SYS_unlink (-1)
#endif
#ifndef SYS_uselib
#define SYS_uselib (-1)
#endif
#ifndef SYS_ustat
#define SYS_ustat (-1)
#endif
#ifndef SYS_utime
#define SYS_utime (-1)
#endif
#ifndef SYS_utimes
#define SYS_utimes (-1)
#endif
#ifndef SYS_vfork
#define SYS_vfork (-1)
#endif

#endif
