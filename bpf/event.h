/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_EVENT_H
#define CTRACE_BPF_EVENT_H
/*
 * The record ABI: what the BPF programs write into the ring buffer, and the
 * capture operations that user space asks of them. Shared by both sides and
 * includes nothing but <linux/types.h>, which bpf/kernel.h stands in for.
 *
 * All times are CLOCK_BOOTTIME nanoseconds. All pids named host_* are numbers
 * in the initial pid namespace; tid and tgid are numbers in the pid namespace
 * of the target's init, 0 where the task has none there.
 */
#ifndef __CTRACE_BPF__
#include <linux/types.h>
#endif

#define CT_ARGS      6
#define CT_COMM_LEN  16
#define CT_TARGETS   256        /* targets of one run */
#define CT_NO_TARGET 0xffffffffu

/*
 * Rows of the tables that are indexed by system call: native numbers, then
 * those of the 32-bit compat ABI, then one row for every number outside.
 */
#define CT_NR_NATIVE   512
#define CT_NR_COMPAT   512
#define CT_NR_PSEUDO   500        /* i386: calls that only socketcall and ipc make, up to CT_NR_COMPAT; the kernel has no such numbers */
#define CT_ROW_OUTSIDE (CT_NR_NATIVE + CT_NR_COMPAT)
#define CT_ROWS        (CT_ROW_OUTSIDE + 1)

/* X(constant, structure): one line a record kind. Append only. */
#define CT_RECORDS(X)                     \
	X(CT_REC_SYSCALL, rec_syscall)    \
	X(CT_REC_PAYLOAD, rec_payload)    \
	X(CT_REC_SIGNAL,  rec_signal)     \
	X(CT_REC_EXEC,    rec_exec)       \
	X(CT_REC_EXIT,    rec_exit)       \
	X(CT_REC_LEFT,    rec_left)       \
	X(CT_REC_ENTER,   rec_syscall)    \
	X(CT_REC_MADE,    rec_made)       \
	X(CT_REC_STARTED, rec_started)

enum ct_record {
	CT_REC_NONE,
#define X(constant, structure) constant,
	CT_RECORDS(X)
#undef X
	CT_REC_MAX
};

/* Every record begins so. Its size is the ring buffer's own length. */
struct rec_hdr {
	__u16 kind;             /* enum ct_record */
	__u16 cpu;
	__u32 lost;             /* calls lost on this CPU so far, modulo 2^32 */
	__u64 time;             /* when it happened; of a call: when it ended */
	__u32 host_tid, host_tgid;
	__u32 tid, tgid;
	__u32 target;           /* index of the target; CT_NO_TARGET */
	__u32 flags;            /* CT_F_* */
	char comm[CT_COMM_LEN];
};

/* rec_hdr.flags of a call */
#define CT_F_COMPAT       (1u << 0)  /* a call of the 32-bit ABI */
#define CT_F_DENIED       (1u << 1)  /* seccomp denied it: no sys_enter */
#define CT_F_BEGUN_BEFORE (1u << 2)  /* entered before the attach: no arguments but those left in the registers, no duration */
#define CT_F_NO_RETURN    (1u << 3)  /* the task ended inside it */
#define CT_F_DEGRADED     (1u << 4)  /* its entry state could not be kept */
#define CT_F_PAYLOAD      (1u << 5)  /* its input went ahead as CT_REC_PAYLOAD */
#define CT_F_PAYLOAD_LOST (1u << 6)  /* ... which did not fit into the ring */
#define CT_F_IN_FLIGHT    (1u << 7)  /* not ended: read out of the task's state */
#define CT_F_RUNTIME      (1u << 8)  /* phase runtime */
#define CT_F_MULTIPLEXED  (1u << 12) /* came through socketcall or ipc: nr and args are those of the call that it is */
/* ... of CT_REC_EXIT */
#define CT_F_OOM_KILLED   (1u << 9)
#define CT_F_GROUP_DEAD   (1u << 10) /* the last thread of its group */
#define CT_F_CORE_DUMPED  (1u << 11)

struct rec_syscall {
	struct rec_hdr h;
	__u64 enter_time;       /* 0: not known */
	__s64 ret;
	__u64 args[CT_ARGS];    /* restart_syscall, which has none: args[0] is the number of the task's call before it, ~0 unknown */
	__u32 nr;
	__u32 seq;              /* of the task's calls; joins a payload */
	__u32 caps_len;         /* bytes of captures that follow */
	__u32 late;             /* CT_REC_ENTER: arguments whose input could not be read yet and is there when it ends, a bit each */
};

/* Input captures of a call that is still running; joined by (host_tid, seq). */
struct rec_payload {
	struct rec_hdr h;
	__u32 seq;
	__u32 caps_len;
};

/*
 * A task or group by a number in the caller's pid namespace, at the time of
 * the call: the data of a capture of part CT_PART_PID, whose arg and idx say
 * nothing. There is none where nobody has the number.
 */
#define CT_PART_PID 0xfeu
struct ct_pid {
	__s32 nr;
	__u32 host_nr;          /* in the initial namespace; 0: the caller is in it */
	__u32 is;               /* CT_PID_* */
	char comm[CT_COMM_LEN]; /* of the task */
};
#define CT_PID_TASK  (1u << 0)
#define CT_PID_GROUP (1u << 1)  /* a process group or session */

struct rec_signal {
	struct rec_hdr h;
	__s32 signo, code, err;
	__u32 caps_len;         /* bytes of captures that follow: -k */
	__u8 fields[112];       /* the union that follows in siginfo_t, as the kernel keeps it */
	__u64 ip;               /* -i: the instruction pointer; else 0 */
	struct ct_pid sender;   /* who has the number that the union begins with; nr 0: nobody, or nobody asks */
};

struct rec_exec {
	struct rec_hdr h;
	__u32 old_host_tid;     /* other than host_tid: a thread that was not the leader did it */
	__u32 old_tid;
	__u32 filename_len;     /* bytes that follow, without a NUL */
	__u32 pad;
};

struct rec_exit {
	struct rec_hdr h;
	__u32 code;             /* as wait(2)'s status */
	__u32 pad;
};

/* A task that was moved out of the cgroup of its target. */
struct rec_left {
	struct rec_hdr h;
};

/*
 * CT_REC_ENTER is a call that begins (--split), with what is captured of its
 * input; CT_REC_SYSCALL follows when it ends.
 */

/* A cgroup that a target waited for was made; the task of the header is the one that made it. */
struct rec_made {
	struct rec_hdr h;
	__u64 id;
	__u32 hierarchy;        /* as field 1 of /proc/PID/cgroup */
	__u32 path_len;         /* bytes that follow, without a NUL: from the hierarchy's root */
};

/* The first process of a container that was waited for: from here on the container's numbers are known. */
struct rec_started {
	struct rec_hdr h;
	__u64 start;            /* clock ticks since boot, as field 22 of /proc/PID/stat */
	__u32 pidns;            /* inum */
	__u32 pad;
};

/*
 * Captures: copies of what a call's pointers point to. A run of
 * { struct cap_hdr; data; padding to 4 } of caps_len bytes in all.
 */
struct cap_hdr {
	__u8 arg;               /* of which argument, 0 to 5 */
	__u8 part;              /* cap_op.part */
	__u8 flags;             /* CT_CAP_* */
	__u8 pad;
	__u16 idx;              /* element of a vector */
	__u16 len;              /* bytes that follow */
	__u32 true_len;         /* bytes there were; CT_LEN_UNKNOWN for a cut string */
};
#define CT_LEN_UNKNOWN 0xffffffffu

#define CT_CAP_AT_EXIT  (1u << 0) /* read when the call ended */
#define CT_CAP_FAILED   (1u << 1) /* not readable; len is 0 */
#define CT_CAP_CUT      (1u << 2) /* longer than what is here */
#define CT_CAP_RETRIED  (1u << 3) /* input that was not resident at entry, read at exit: stands for what was read then */

/* What a capture operation copies. */
enum cap_kind {
	CAP_NONE,
	CAP_BYTES,      /* a block; its length by len_from */
	CAP_STR,        /* a string up to its NUL (not part of the data) */
	CAP_STRV,       /* a NULL-terminated vector of strings: idx is the element; at most elem strings of max bytes. Of one that
	                   cannot be read the pointer, with CT_CAP_FAILED, as __u64. A last capture of length 0 says with CT_CAP_CUT
	                   that there are more, with CT_CAP_FAILED that this pointer cannot be read */
	CAP_VCOUNT,     /* the number of pointers in a NULL-terminated vector, as __u32; CT_CAP_CUT: no NULL was found */
	CAP_IOVEC,      /* an iovec array, count by len_from: part = the array itself, part + 1 = the data of element idx;
	                   max bytes of data each; elem structures at most */
	CAP_MMSG,       /* an array of struct mmsghdr, count by len_from, elem at most. Of message i: part = its name, part + 1 = its iovec
	                   array, part + 3 = its control data, all with idx i; part + 2 = the data of its elements, max bytes each, idx
	                   counted on over all messages (CT_VEC_MAX elements of a message count at most) */
	CAP_IOCBS,      /* an array of pointers to struct iocb, count by len_from, elem at most: part = the pointers, part + 1 = iocb idx;
	                   part + 2 = what it writes, max bytes at most, or the iovec array of PREADV and PWRITEV, 32 elements at most;
	                   part + 3, idx << 5 | element: the data of PWRITEV's elements */
	CAP_IOCTL,      /* args[1] tells direction and size (_IOC_DIR, _IOC_SIZE; 44 bytes for type 'T' without) */
	CAP_SOCK,       /* struct ct_sock_id of the socket whose descriptor args[arg] is; with elem other than 0 only of that family */
	/* Files of descriptors that stand in memory: struct ct_file of each, in captures of part CT_PART_FD; max at most. */
	CAP_FDS,        /* an array, count by len_from; a descriptor at len_off (0 with CAP_LEN_FIELD) of each elem bytes */
	CAP_FDPTRS,     /* an array of pointers, count by len_from; a descriptor len_off behind each */
	CAP_FDBITS,     /* an fd_set of args[len_arg] bits */
	CAP_FDWORDS,    /* a structure, its bytes by len_from: the __s32 number i of it is one if bit i of cond_mask is set; 0 behind it */
	CAP_FD_OF,      /* the descriptor args[arg], or at args[arg] + via_off, of the process whose pidfd args[len_arg] is, or with
	                   elem 1 its number; idx of what comes of it: CT_FD_OTHERS + max, 3 at most */
	CAP_NETFDS,     /* those in attributes of a message of NETLINK_ROUTE of args[len_arg] bytes; with elem 1 it is in the first of the
	                   vectors at args[arg] + via_off */
	CAP_RIGHTS,     /* SCM_RIGHTS and SCM_PIDFD of elem bytes each of struct msghdr (0: one), count by len_from */
	CAP_PID,        /* struct ct_pid of the number at len_off of what args[arg] points to, in a capture of part CT_PART_PID; with elem 1
	                   of what the first vector there points to; with CAP_NETLINK only if args[0] is such a socket */
	CAP_CREDS,      /* the same of SCM_CREDENTIALS of a struct msghdr; part CT_PART_PID, too */
	CAP_VALUE,      /* args[arg] itself, as __u64: of CAP_ARG_SP, which is no argument of the call */
};

/* Where the length comes from (CAP_BYTES: bytes; vectors: elements, elem being their limit and no factor). */
enum cap_len {
	CAP_LEN_FIXED,  /* max, from len_off on */
	CAP_LEN_ARG,    /* args[len_arg] * elem, from len_off on */
	CAP_LEN_RET,    /* the result * elem, from len_off on */
	CAP_LEN_PTR,    /* the __u32 that args[len_arg] points to, when it is read */
	CAP_LEN_FIELD,  /* the unsigned (pointer-sized, __u32 with CAP_LEN32, __u16 with CAP_LEN16) at args[arg] + len_off, * elem if that is not 0 */
	CAP_LEN_BITS,   /* args[len_arg] bits, rounded up to whole longs (fd_set, cpu masks) */
};

#define CAP_ENTER    (1u << 0)  /* cap_op.when: input, read at entry, once more at exit if it was not resident */
#define CAP_EXIT     (1u << 1)  /* output, read at exit when the call succeeded */
#define CAP_ON_ERROR (1u << 2)  /* with CAP_EXIT: also when it failed */
#define CAP_LEN32    (1u << 3)
#define CAP_LEN16    (1u << 5)
#define CAP_NETLINK  (1u << 6)  /* of a netlink socket (args[0]) CT_CAP_MAX bytes are copied, whatever max says; so with --names of one that may carry DNS */
#define CAP_WHOLE    (1u << 4)  /* CAP_IOVEC at exit: the result does not count its bytes, all of its elements are copied */

enum cap_cond {
	CAP_COND_NONE,
	CAP_COND_VALUE, /* args[cond_arg] & cond_and is v < 64 and bit v of cond_mask is set */
	CAP_COND_BITS,  /* args[cond_arg] & cond_and is not 0 */
	CAP_COND_FROM,  /* v = args[cond_arg] (32 bits) - cond_and, v < 64 and bit v of cond_mask is set */
};

/* CAP_SOCK */
struct ct_sock_id {
	__u16 family, type;
	__u32 protocol;
	__u32 netns;            /* inum */
	__u32 port_id;          /* netlink; 0: not bound */
	__u16 peer_port;        /* internet; 0: not connected */
	__u16 pad;
};

/*
 * What a file descriptor is, at the time of the call: the data of a capture
 * of part CT_PART_FD, whose idx is CT_FD_*. After it come detail_len
 * bytes of detail (one of the structures below, padded to 4), then the names
 * of the path, from the file's own up to the task's root, each with its NUL.
 */
#define CT_PART_FD 0xffu
#define CT_FD_OWN    0u
#define CT_FD_RESULT 1u         /* the call returned it */
#define CT_FD_OTHERS 2u         /* CAP_FD_OF; CT_FD_OTHER_MAX from here on */
#define CT_FD_OTHER_MAX 4u
struct ct_file {
	__s32 fd;               /* CT_FD_CWD: the working directory */
	__u8 detail;            /* enum ct_file_detail */
	__u8 flags;             /* CT_FILE_* */
	__u16 detail_len;
	__u64 ino;
	__u32 mode;
	__u32 rdev;             /* 12 bits of major, 20 of minor */
	__u32 magic;            /* of the file system */
	__u32 pad;
};
#define CT_FD_CWD (-100)
#define CT_PATH_ROOM 4352u     /* more than all names of a path: 4096 bytes, and the last of them whole */
#define CT_FILE_DELETED  (1u << 0)
#define CT_FILE_NAMELESS (1u << 1) /* in no directory: its name is what its file system makes of it */
#define CT_FILE_CUT      (1u << 2) /* the path goes on */

enum ct_file_detail { CT_FILE_PLAIN, CT_FILE_SOCKET, CT_FILE_EVENTFD, CT_FILE_SIGNALFD, CT_FILE_PIDFD, CT_FILE_PTMX };

/* CT_FILE_SOCKET; addresses in network byte order, ports and all else in the host's; path_len bytes of sun_path follow. */
struct ct_file_socket {
	__u16 family, type;
	__u32 protocol;
	__u32 state;
	__u32 port_id;          /* netlink; 0: not bound */
	__u16 port, peer_port;
	__u16 path_len;
	__u8 has_peer;          /* unix */
	__u8 closed;            /* unix: nobody has the peer open any more; TCP: it has given back the port that it had */
	__u32 address[4], peer_address[4];
	__u64 peer;             /* unix: inode, 0 while it is not accepted */
	__u32 netns;            /* inum; 0 without --names */
	__u32 pad;
};

struct ct_file_eventfd {
	__u64 count;
	__u32 id, flags;
};

struct ct_file_signalfd {
	__u64 mask;
};

struct ct_file_pidfd {
	__s32 pid;              /* as the caller's pid namespace has it; 0: not in it, -1: the process is gone */
	__s32 host_pid;
};

struct ct_file_ptmx {
	__s32 index;            /* of the other side: /dev/pts/N */
	__u32 pad;
};

/*
 * Where the call was made, in captures of these parts, whose arg and idx say
 * nothing: the instruction pointer as __u64 (-i), the user's registers, with
 * the parent's host_tgid as __u32 behind them, and the user stack from its
 * pointer on (-k). And the task's name when the call began (-Y): it may be
 * another at its end.
 */
#define CT_PART_COMM  0xfau
#define CT_PART_IP    0xfdu
#define CT_PART_REGS  0xfcu
#define CT_PART_STACK 0xfbu
#define CT_STACK_MAX  16384u
#if defined(__x86_64__) || defined(__TARGET_ARCH_x86)
#define CT_REGS_SIZE  (21 * 8)  /* struct pt_regs */
#else
#define CT_REGS_SIZE  (34 * 8)  /* struct user_pt_regs */
#endif

#define CAP_DIRECT 0xffffu      /* via_off: args[arg] itself is the pointer */
#define CAP_ARG_SP 6            /* arg: the user stack pointer (rt_sigreturn) */
#define CT_OPS     16           /* operations of one system call */
#define CT_CAP_MAX 32768u       /* bytes of one capture */
#define CT_VEC_MAX 1024u        /* elements captured of one vector; kernels without bpf_loop (before 5.17): 32 */

struct cap_op {
	__u8 arg, kind, when, part;
	__u8 len_from, len_arg, cond, cond_arg;
	__u16 via_off;          /* the pointer is read at args[arg] + via_off */
	__u16 len_off;
	__u32 elem;
	__u32 max;
	__u32 cond_and;
	__u64 cond_mask;
};

/* What the kernel side knows of one system call. */
struct cap_spec {
	__u8 nargs;
	__u8 nops;
	__u8 has_exit;          /* any operation with CAP_EXIT */
	__u8 wanted;            /* -e trace= has it; the session's, not the decoder's, as is forks */
	__u8 forks;             /* returns the number of a task that it made */
	__u8 fds;               /* arguments that are file descriptors: a bit each */
	__u8 cwds;              /* of these that may be AT_FDCWD */
	__u8 fd_result;         /* the result is one */
	__u32 inputs;           /* operations with CAP_ENTER: a bit each; the session's */
	__u8 pids;              /* arguments that are numbers of tasks or groups: a bit each */
	__u8 pid_result;        /* the result is one */
	__u8 by_arg;            /* 1 + the argument whose low 32 bits choose other operations, if there are any for them; 0: none */
	__u8 pad2;
	struct cap_op ops[CT_OPS];
};

/*
 * Commands of one call that are copied in ways of their own (cap_spec.by_arg):
 * row is that of the call, value the argument. It leads to a further row of
 * the table of specs, from CT_ROWS on.
 */
struct ct_sub_key {
	__u32 row;
	__u32 value;
};

#endif
