/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_DECODE_H
#define CTRACE_DECODE_DECODE_H
#include "decode/emit.h"
#include "decode/record.h"

/* -X: how text writes constants and sets; abbrev: O_WRONLY, raw: 0x1, verbose: both, the name as a comment. */
enum const_style { CONST_ABBREV, CONST_RAW, CONST_VERBOSE };

struct syscall_set;
struct fd_set_spec;

/* --secontext: security contexts, where they can be had; into buf, NUL-terminated, or false. */
struct secontexts {
	bool (*process)(struct secontexts *s, const struct task *t, char *buf, size_t size);
	bool (*path)(struct secontexts *s, const struct task *t, int dirfd, const char *path, char *buf, size_t size);
	/* Of a descriptor, or AT_FDCWD; false if it leads to another file now than to that inode. */
	bool (*fd)(struct secontexts *s, const struct task *t, int fd, uint64_t inode, char *buf, size_t size);
};
#define SECONTEXT_MAX 512

#define INTERFACE_NAME 16
#define FAMILY_NAME 16
/* What the network calls by numbers; false: no name is known. */
struct interfaces {
	/* An interface, in the network namespace of that number (0: the task's). */
	bool (*name)(struct interfaces *i, const struct task *t, uint32_t netns, uint32_t index, char buf[static INTERFACE_NAME]);
	/* A family of generic netlink; not all are seen from everywhere. */
	bool (*family)(struct interfaces *i, const struct task *t, uint32_t netns, uint16_t id, char buf[static FAMILY_NAME]);
};

/*
 * --names: what internet addresses (of 4 or 16 bytes) are called in the network namespace of that number (0: not known);
 * NULL: no name is known. It holds until the next question, and is bytes of anybody.
 */
struct peer_names {
	const char *(*name)(struct peer_names *p, const struct call *call, uint32_t netns, const void *address, size_t len);
};

/* What a call got from an internet socket, for who learns names from it. */
struct received {
	const uint8_t *data;            /* what was captured */
	size_t len;
	uint16_t port;                  /* whose it is: of the socket's peer, or of the sender */
	bool stream;
	uint32_t netns;
};
/* The i-th message; false: there are no more. Asked for by decode_opts.names. */
bool call_received(const struct call *call, unsigned i, struct received *ret);

/* Of a descriptor of the call. */
bool call_fd_secontext(const struct call *call, struct secontexts *s, int fd, char *buf, size_t size);

struct decode_opts {
	unsigned string_limit;          /* -s: bytes of a string that are shown; 32 */
	bool no_abbrev;                 /* -v, and what abbrev says of the call */
	bool addresses;                 /* what verbose says of the call: structures are not shown */
	/* -e abbrev=, verbose= and raw=: of which calls; NULL: abbrev and verbose all, raw none */
	const struct syscall_set *abbrev, *verbose, *raw;
	enum const_style consts;        /* -X: for what is no single value */
	const struct fd_set_spec *dump_reads, *dump_writes;     /* -e read=, write=: whose data is told; NULL: none */
	unsigned fds;                   /* -y: what is told of file descriptors, FDS_* */
	struct interfaces *interfaces;  /* NULL: of none is the name known but of the first, the loopback */
	struct secontexts *secontexts;  /* NULL: not asked for */
	struct peer_names *names;       /* NULL: not asked for */
	bool pid_comm, pid_ns;          /* --decode-pids: what is told of tasks by their numbers */
	struct fd_memory *memory;       /* of the peers of unix sockets; NULL: none is kept */
	bool match_fds;                 /* -P: it is asked for without being told */
	uint32_t late;                  /* registers whose input is told with what is known when the call has ended: a bit each */
};

/* In the order of --decode-fds' words. */
#define FDS_PATH     (1u << 0)
#define FDS_SOCKET   (1u << 1)
#define FDS_DEV      (1u << 2)
#define FDS_EVENTFD  (1u << 3)
#define FDS_PIDFD    (1u << 4)
#define FDS_SIGNALFD (1u << 5)
#define FDS_ALL      0x3fu

/* What descriptors were, where the kernel does not know any more at the time of the call. */
struct fd_memory *fd_memory_new(void);
void fd_memory_free(struct fd_memory *m);

struct syscall;                         /* one row of syscalls.def */

/* How the result is shown. */
enum ret_kind { RET_DEC, RET_FD, RET_HEX, RET_ADDR, RET_OCT, RET_PID, RET_PGID, RET_VOID };

/* The row for a number, or NULL when there is none. */
const struct syscall *syscall_get(enum abi abi, uint32_t nr);
const char *syscall_name(const struct syscall *s);
unsigned syscall_nargs(const struct syscall *s);

/* How the result of a call is shown: of some (fcntl) it depends on the arguments. RET_HEX for a number without a row. */
enum ret_kind call_ret_kind(const struct call *call);

/*
 * The name of any call, also of one without a row (syscall_0x1ff, as strace
 * writes it). Points to static memory or into buf.
 */
const char *call_name(enum abi abi, uint32_t nr, char buf[static 32]);

/* Whether -e raw= has the call: arguments and result are numbers. */
bool call_is_raw(const struct call *call, const struct decode_opts *opts);

/* Says the arguments of a call, in order, and the detail of its result, to the emitter. */
void decode_args(const struct call *call, const struct decode_opts *opts, struct emitter *e);

/* What is known of a file descriptor, and the memory that it is told in. */
struct fd_view {
	struct emit_fd fd;
	struct emit_socket socket;
	struct emit_eventfd eventfd;
	struct ct_file_socket k;
	char signals[1024];
	char path[CT_PATH_ROOM];
};

/* The file descriptor that a call returned, with what it is, into buf. NULL: it returned none, or nothing is to be told (opts->fds). */
const struct emit_fd *call_result_fd(const struct call *call, const struct decode_opts *opts, struct fd_view *buf);

/* The errno of a result that is one, else 0. Kernel-internal restarts (512 to 516) included. */
int call_errno(const struct call *call);
/* ENOENT; ERESTARTSYS; NULL if unknown. */
const char *errno_name(int err);
/* "No such file or directory"; for restarts strace's own words ("To be restarted if SA_RESTART is set"). */
const char *errno_text(int err);

/* SIGTERM, SIGRTMIN, SIGRT_5; into buf when it has no name. */
const char *signal_name(int signo, char buf[static 16]);
/* What --decode-pids tells of the number that a call returned; false: nothing. */
bool call_pid(const struct call *call, const struct decode_opts *opts, struct emit_pid *ret_pid);
/* Where the call was made (-i); 0: not known. */
uint64_t call_ip(const struct call *call);
/* Says a siginfo as a structure: {si_signo=SIGCHLD, si_code=CLD_EXITED, ...}. */
void decode_siginfo(const struct signal_event *s, const struct decode_opts *opts, struct emitter *e);

/* The capture operations that decode_args() will want, for the kernel side. */
void syscall_capture_spec(enum abi abi, uint32_t nr, const struct decode_opts *opts, struct cap_spec *ret_spec);

/*
 * Operations for the i-th value of argument spec.by_arg - 1 that has ones of its own, in place of those above: all
 * of the specification. False: there are no more such values.
 */
bool syscall_capture_of_value(enum abi abi, uint32_t nr, const struct decode_opts *opts, size_t i, uint32_t *ret_value,
			      struct cap_spec *ret_spec);

/*
 * A set of system calls, as -e trace= writes it: names, %classes, /regex,
 * numbers, name@64, name@32, ?name, all, none, and a leading ! for the rest.
 * Indexed by row (see CT_ROWS).
 */
struct syscall_set {
	bool rows[CT_ROWS];
};

/* 0, or -EINVAL with a message (without newline) in err. Commas separate. */
int syscall_set_parse(const char *text, struct syscall_set *ret_set, char *err, size_t err_size);

/* The numbers that no call has. strace shows those whatever -e trace= says. */
void syscall_set_add_unknown(struct syscall_set *set);

/* The row of a call in tables indexed by system call. */
static inline unsigned call_row(bool compat, uint32_t nr)
{
	if (compat)
		return nr < CT_NR_COMPAT ? CT_NR_NATIVE + nr : CT_ROW_OUTSIDE;
	return nr < CT_NR_NATIVE ? nr : CT_ROW_OUTSIDE;
}

#endif
