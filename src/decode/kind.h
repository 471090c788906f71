/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_KIND_H
#define CTRACE_DECODE_KIND_H
/*
 * Internal to src/decode: what a row of syscalls.def consists of, and the
 * helpers that decoders are written with.
 *
 * To add an argument kind: write `const struct kind kind_foo` with a decode
 * function (and a capture function, if it shows what a pointer points to) in
 * kinds.c or in a dec_*.c of its own, and two lines in kinds.h. To decode a
 * whole call by hand (order, optional arguments, unions): a struct hooks,
 * named in the row with SYSCALL_HOOKS.
 *
 * Nothing here may trust a call: any capture can be missing, short, cut or
 * unreadable, lengths in arguments lie. dec_read() and dec_cap() check.
 */
#include "decode/decode.h"
#include "decode/symtab.h"

/* A call that is being decoded. */
struct dec {
	const struct call *call;
	const struct decode_opts *opts;
	struct emitter *e;
	const struct emit_ops *ops;     /* e->ops */
	const struct syscall *sys;
	unsigned word;                  /* bytes of a pointer or long in the caller's ABI: 4 or 8 */
	bool ok;                        /* it returned, and with success: outputs are valid */
	int err;                        /* its errno, 0 */
	bool at_end;                    /* dec_at_end() has been called */
	unsigned char reg;              /* of the argument in hand */
	unsigned char retried;          /* registers whose input was read when the call ended, and it is not noted yet: a bit each */
	bool dump;                      /* the bytes that it carries are told (dump_buffer) */
	const struct ct_pid *sender;    /* of a signal; NULL: not known */
	unsigned netlink;               /* buffers that are said hold messages of this protocol - 1; 0: none */
	bool has_dirfd;
	int dirfd;                      /* that was said last: of a path that follows */
};

struct arg;

/* Collects the capture operations of a call. More than CT_OPS are dropped; a test sees to it that no row has more. */
struct cap_builder {
	struct cap_spec *spec;
	const struct decode_opts *opts;
	enum abi abi;
	unsigned word;
	unsigned dropped;
	struct cap_op spill;            /* what does not fit goes here */
};

struct kind {
	/* Says the value; ops->arg() has been called. */
	void (*decode)(struct dec *d, const struct arg *a, unsigned reg);
	/* Adds what decode wants to have copied; NULL: nothing. */
	void (*capture)(struct cap_builder *b, const struct arg *a, unsigned reg);
	/* Whether the call has this argument; NULL: always. */
	bool (*present)(const struct dec *d, const struct arg *a, unsigned reg);
	unsigned char extra_regs;       /* registers it takes beyond the first (64 bits in two halves) */
	bool at_end;                    /* an output: it and what follows it is known when the call has ended ... */
	bool (*at_end_if)(const struct dec *d, const struct arg *a, unsigned reg);      /* ... if this is true; NULL: always */
};

/* One argument of a row. Its register is its place in the row, plus the extra_regs of those before. */
struct arg {
	const char *name;
	const struct kind *kind;
	const struct symtab *table;
	unsigned short a, b;            /* by kind: the register that holds the length, a limit ... */
};

struct hooks {
	/* Says all arguments, in place of the row's kinds. */
	void (*decode)(struct dec *d);
	/* Adds all capture operations, in place of the row's kinds. */
	void (*capture)(struct cap_builder *b, const struct syscall *s);
	/* After the arguments: ops->result_detail() and what belongs there, or nothing. */
	void (*detail)(struct dec *d);
	/*
	 * Operations in place of capture's for some values of an argument, 1 + its register being by_arg: those of the
	 * i-th such value. False: there are no more.
	 */
	bool (*capture_of)(struct cap_builder *b, size_t i, uint32_t *ret_value);
	unsigned char by_arg;
	/* How the result is shown, where the arguments decide it. */
	enum ret_kind (*ret)(const struct call *call);
};

/* Filter classes, as strace's %class. */
enum syscall_class {
	C_FILE = 1 << 0, C_PROCESS = 1 << 1, C_NETWORK = 1 << 2, C_SIGNAL = 1 << 3, C_IPC = 1 << 4, C_DESC = 1 << 5,
	C_MEMORY = 1 << 6, C_CREDS = 1 << 7, C_STAT = 1 << 8, C_LSTAT = 1 << 9, C_FSTAT = 1 << 10,
	C_STAT_LIKE = 1 << 11, C_STATFS = 1 << 12, C_FSTATFS = 1 << 13, C_STATFS_LIKE = 1 << 14, C_CLOCK = 1 << 15,
	C_PURE = 1 << 16,
};

struct syscall {
	const char *name;
	enum ret_kind ret;
	unsigned classes;
	unsigned char nargs;            /* arguments; see syscall_nregs() for registers */
	const struct hooks *hooks;      /* NULL: none */
	struct arg args[CT_ARGS];
};

/* --- what was captured --- */

/* The capture of an argument's part and element, also one that failed; NULL: none. */
const struct capture *dec_cap(const struct dec *d, unsigned reg, unsigned part, unsigned idx);
/* The same for strings and buffers, which -e verbose= does not turn into addresses. */
const struct capture *dec_text(const struct dec *d, unsigned reg, unsigned part, unsigned idx);
/* As dec_text() and dec_cap(), but NULL unless it could be read. */
const struct capture *dec_good_text(const struct dec *d, unsigned reg, unsigned part, unsigned idx);
const struct capture *dec_good(const struct dec *d, unsigned reg, unsigned part, unsigned idx);
/* Copies a structure of size bytes: true only if all of it was captured. */
bool dec_read(const struct dec *d, unsigned reg, unsigned part, void *to, size_t size);
/* Element i of an array of size-byte elements that was captured as one block. */
bool dec_element(const struct capture *c, size_t i, size_t size, void *to);
/* What JSON should know about a capture that is shown (cut, read at exit) or missing (NULL: unreadable, lost). */
void dec_note(struct dec *d, const struct capture *c);

/* Reads an unsigned of the caller's word size out of p, which has d->word bytes. */
static inline uint64_t dec_word(const struct dec *d, const void *p)
{
	uint64_t v = 0;

	__builtin_memcpy(&v, p, d->word);       /* little-endian on every ABI that there is */
	return v;
}

/* The value of a register as the caller's types have it. */
static inline uint64_t dec_reg(const struct dec *d, unsigned reg)
{
	return reg < CT_ARGS ? d->call->args[reg] : 0;
}

/* A long of the caller, with its sign. */
static inline int64_t dec_long(const struct dec *d, unsigned reg)
{
	uint64_t v = dec_reg(d, reg);

	return d->word == 4 ? (int64_t)(int32_t)v : (int64_t)v;
}

/* --- words put together: for ops->word() --- */

struct words {
	size_t len;
	char buf[1024];                 /* NUL-terminated; what does not fit is left out */
};

void words_str(struct words *w, const char *s);
void words_udec(struct words *w, uint64_t v);
/* As %#x and %#03o. */
void words_hex(struct words *w, uint64_t v);
void words_oct(struct words *w, uint64_t v);
/* A constant as -X has it, its number being hexadecimal; name NULL: that alone. */
void words_named(const struct dec *d, struct words *w, const char *name, uint64_t v);
/* The same of a table, with a comment if it has none there: 0x7, and BPF_??? as a comment. */
void words_sym(const struct dec *d, struct words *w, const struct symtab *t, uint64_t v);
/* In text that has its own forms for -X: the name, or the number with or without that comment. */
void words_name(struct words *w, const struct symtab *t, uint64_t v, bool comment);
void words_comment(struct words *w, const char *text);
/* A|B|0x10 */
void words_flags(const struct dec *d, struct words *w, const struct symtab *t, uint64_t v);

/* Local time, as 2026-12-02T04:20:35.000005+0000; false, and nothing, for zero and what is out of range. */
bool words_time(struct words *w, int64_t sec, uint32_t fraction, unsigned digits);

/* --- saying values --- */

static inline void say_dec(struct dec *d, int64_t v)
{
	d->ops->num(d->e, (uint64_t)v, EMIT_DEC);
}

static inline void say_udec(struct dec *d, uint64_t v)
{
	d->ops->num(d->e, v, EMIT_UDEC);
}

static inline void say_hex(struct dec *d, uint64_t v)
{
	d->ops->num(d->e, v, EMIT_HEX);
}

static inline void say_field(struct dec *d, const char *name)
{
	d->ops->field(d->e, name);
}

/* A pointer: NULL or its address. */
void say_addr(struct dec *d, uint64_t v);
/* A pointer whose target could not be had: its address, with a note unless the call had no output to show. */
void say_unreadable(struct dec *d, unsigned reg, const struct capture *c);
/* A set by its names, what has none as a number. */
void say_flags(struct dec *d, const struct symtab *t, uint64_t v);
/* Of a set that has begun: the names of the bits of v; returns what is left. */
uint64_t say_flag_names(struct dec *d, const struct symtab *t, uint64_t v);
/* What a set has besides what its table names. */
struct flags_more {
	const char *name;               /* of one more member: 21<<MAP_HUGE_SHIFT; NULL: none */
	uint64_t bits;                  /* its value */
	uint64_t unsaid;                /* bits of the number that -X tells, and of nothing else */
	bool nested;                    /* of a number without any name -X verbose tells the table's comment in one of its own */
};
void say_flags_and(struct dec *d, const struct symtab *t, uint64_t v, const struct flags_more *more);
void say_mmap_flags(struct dec *d, uint64_t v);
/* A constant by name, else hexadecimal with the table's comment. */
void say_sym(struct dec *d, const struct symtab *t, uint64_t v);
/*
 * A file descriptor, AT_FDCWD included when at is set, with what it is (-y) if the kernel side was asked for it: the
 * kinds fd and atfd ask by themselves, other decoders by cap_fd() or cap_fds(). As it was when the call began;
 * of one that the call made, when it ended.
 */
void say_fd(struct dec *d, int fd, bool at);
/* The same as it was when the call had ended. */
void say_fd_after(struct dec *d, int fd);
/* One of another process, the i-th of cap_others_fd(). */
void say_others_fd(struct dec *d, int fd, unsigned i);
/*
 * The number of a task (of a group, if it is below -1), with what --decode-pids tells of it, if the kernel side was asked
 * for it: the kinds pid, pgid and who ask by themselves, other decoders by cap_pid() or cap_pid_at().
 */
void say_pid(struct dec *d, int32_t nr);
/* The number of a process group or session. */
void say_pgid(struct dec *d, int32_t nr);
/* Argument i of the row, which is of kind who. */
void dec_who(struct dec *d, unsigned i);
/* SIGTERM, or the number. */
void say_signal(struct dec *d, int signo);
/* [HUP INT] or ~[KILL]; a kernel set of nbytes. */
void words_sigset(struct words *w, const void *set, size_t nbytes, enum const_style consts);
void say_sigset(struct dec *d, const void *set, size_t nbytes);
/* uid or gid: -1 is -1. */
void say_id(struct dec *d, uint32_t id);
/* 0644; with type: S_IFREG|0644. */
void say_mode(struct dec *d, uint32_t mode);
void say_mode_type(struct dec *d, uint32_t mode);
/* makedev(0x8, 0x1) */
void say_dev(struct dec *d, unsigned major, unsigned minor);
/* The kernel's encoding of a dev_t in user space (huge_encode_dev). */
void say_dev64(struct dec *d, uint64_t dev);
/* Bytes shown up to -s; there were len of them in memory, of which have are at p. */
void say_buf(struct dec *d, const void *p, size_t have, uint64_t len);
/* The same for bytes that are no text: \xNN throughout. */
void say_hex_bytes(struct dec *d, const void *p, size_t have, uint64_t len);
/* A string capture (CAP_STR). path: never cut by -s. */
void say_str(struct dec *d, const struct capture *c, bool path);
/* The security context of the descriptor that was just said. */
void say_fd_secontext(struct dec *d, int fd);
/* {tv_sec=1, tv_nsec=0}; word is 4 for the old 32-bit structures; sub is "tv_nsec" or "tv_usec". */
void say_timespec(struct dec *d, const void *p, unsigned word, const char *sub);
/*
 * The iovec array at addr, captured as part (its elements' data as part + 1):
 * left is how many bytes there are in all, UINT64_MAX if that is not known;
 * without data the bases are addresses.
 */
void say_iovecs(struct dec *d, unsigned reg, unsigned part, uint64_t addr, uint64_t count, uint64_t left, bool data);
/* The same of element idx of an array of arrays, whose data are in a part and from an element of their own. */
struct iovecs {
	unsigned reg, part, idx, data_part, data_first;
};
void say_iovecs_of(struct dec *d, const struct iovecs *v, uint64_t addr, uint64_t count, uint64_t left, bool data);
/* A comment with a time stamp in it, for seconds since the epoch; as strace's. 0: nothing. */
void say_time_comment(struct dec *d, int64_t sec, uint32_t nsec);
/* KERNEL_VERSION(6, 18, 0) */
void say_kernel_version(struct dec *d, uint32_t version);
/* The same with a fraction of so many digits. */
void say_time_comment_digits(struct dec *d, int64_t sec, uint32_t fraction, unsigned digits);

/* --- arguments of a call decoded by hand --- */

/* The register at which argument i of the row begins. */
unsigned arg_reg(const struct syscall *s, unsigned i);
/* Begins an argument that is in this register: name said, value to follow. Whatever says arguments by hand begins them so. */
void dec_arg(struct dec *d, unsigned reg, const char *name);
/* Begins argument i of the row. */
void dec_begin(struct dec *d, unsigned i);
/* All that is said from here on is known when the call has ended. */
void dec_at_end(struct dec *d);
/* Says arguments from to to-1 as the row has them. */
void dec_args(struct dec *d, unsigned from, unsigned to);

/* --- data that a call carries, for -e read= and write= --- */

/* The descriptors of which s tells it; NULL: none. */
const struct fd_set_spec *dump_set(const struct syscall *s, const struct decode_opts *opts);
/* Nothing unless d->dump. A message of an array, the i-th, of so many buffers. */
void dump_vector(struct dec *d, uint64_t index, uint64_t n_buffers);
/* len bytes, of which c has the first; numbered: the i-th buffer of a vector. */
void dump_buffer(struct dec *d, bool numbered, uint64_t index, const struct capture *c, uint64_t len);
/* Those of a vector of iovecs, as say_iovecs(). */
struct iovecs;
void dump_iovecs(struct dec *d, const struct iovecs *v, uint64_t count, uint64_t left);

/* --- capture operations --- */

/* Adds one; the caller fills in what is not zero. Never NULL. */
struct cap_op *cap_add(struct cap_builder *b, unsigned reg, unsigned part, enum cap_kind kind, unsigned when);
/* A structure of size bytes. */
void cap_fixed(struct cap_builder *b, unsigned reg, unsigned part, unsigned when, uint32_t size);
/* A string: up to -s bytes, or a path. */
void cap_string(struct cap_builder *b, unsigned reg, bool path);
/* A block of args[len_reg] * elem bytes, max at most. */
void cap_block(struct cap_builder *b, unsigned reg, unsigned part, unsigned when, unsigned len_reg, uint32_t elem, uint32_t max);
/* A block as long as the result * elem says, max at most; at exit. */
void cap_result(struct cap_builder *b, unsigned reg, uint32_t elem, uint32_t max);
/* What the file descriptor in a register is, for say_fd(); also of one that is none always. With at AT_FDCWD, too. */
void cap_fd(struct cap_builder *b, unsigned reg, bool at);
/*
 * The same of descriptors that stand in memory: kind is one of CAP_FDS, CAP_FDPTRS, CAP_FDBITS and CAP_RIGHTS, and
 * the caller fills in where they are, as with cap_add(). An operation that is nowhere if nobody asks (no -y).
 */
struct cap_op *cap_fds(struct cap_builder *b, unsigned reg, unsigned when, enum cap_kind kind);
/* Those that control messages of the struct msghdr hold to which the register points. */
void cap_rights(struct cap_builder *b, unsigned reg, unsigned when);
/* --names: the network namespace of the socket that the call is about, and all bytes of what may be a name server's answer. */
void cap_names(struct cap_builder *b, const struct syscall *s);
/* What all rows with arguments of the kinds fd and atfd have, whatever hook they have. */
void cap_row_fds(struct cap_builder *b, const struct syscall *s);
/* One descriptor at off of the structure that the register points to. */
struct cap_op *cap_fd_at(struct cap_builder *b, unsigned reg, unsigned when, uint16_t off);
/* Those at some of the 4-byte words of a structure, bit i for number i, of the first 64; the caller says how long it is. */
struct cap_op *cap_fd_words(struct cap_builder *b, unsigned reg, unsigned when, uint64_t words);
/* Those in attributes of a message of NETLINK_ROUTE, as long as len_reg says; with op->elem 1 it is a vector's, op->via_off away. */
struct cap_op *cap_net_fds(struct cap_builder *b, unsigned reg, unsigned when, unsigned len_reg);
/* One of the process whose number pid_reg is, in a register or (via_off) where that points to; told as the i-th, below CT_FD_OTHER_MAX. */
struct cap_op *cap_others_fd(struct cap_builder *b, unsigned reg, unsigned pid_reg, unsigned i);
/* Whose the number in a register is, for say_pid() and say_pgid(). A result of RET_PID or RET_PGID in a row needs nothing. */
void cap_pid(struct cap_builder *b, unsigned reg);
/* The result's, where hooks make it RET_PID. */
void cap_pid_result(struct cap_builder *b);
/* The same of a number at off of the structure that the register points to. An operation that is nowhere if nobody asks. */
struct cap_op *cap_pid_at(struct cap_builder *b, unsigned reg, unsigned when, uint16_t off);
/* The same of the credentials among the control messages of the struct msghdr that the register points to. */
void cap_creds(struct cap_builder *b, unsigned reg, unsigned when);
/* All that the row's kinds want from argument from on, to-1 at most. */
void cap_args(struct cap_builder *b, const struct syscall *s, unsigned from, unsigned to);

/* Elements of an array that are shown: as strings, up to -s. One at least is read, to see whether it can be. */
static inline uint32_t cap_limit(const struct cap_builder *b)
{
	uint32_t limit = b->opts->string_limit ? b->opts->string_limit : 1;

	return limit < CT_CAP_MAX ? limit : CT_CAP_MAX - 1;
}

/* Whether the i-th element of an array is shown: as of strings, up to -s, with -v all. */
static inline bool dec_shows(const struct dec *d, uint64_t i)
{
	return d->opts->no_abbrev || i < d->opts->string_limit;
}

#endif
