/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_EMIT_H
#define CTRACE_DECODE_EMIT_H
/*
 * The emitter: decoders say what a value is, an emitter (text, JSON) writes
 * it down. Decoders never write punctuation; emitters know no system call.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct emitter;

enum emit_base { EMIT_DEC, EMIT_UDEC, EMIT_HEX, EMIT_OCT };

#define EMIT_STR_CUT  (1u << 0)  /* more bytes than are given: "abc"... */
#define EMIT_STR_PATH (1u << 1)  /* a file name: never cut by -s */
#define EMIT_STR_ABSTRACT (1u << 3)  /* the name of an abstract socket, without its leading NUL: @"name" */
#define EMIT_STR_NUL  (1u << 4)  /* the last byte, a NUL, ends the text: shown among bytes in hex alone, and then EMIT_STR_CUT counts */
#define EMIT_STR_HEX  (1u << 2)  /* bytes without meaning as text: all as \xNN in text */

enum emit_note { NOTE_UNREADABLE, NOTE_CUT, NOTE_AT_EXIT, NOTE_CHANGED, NOTE_LOST };

/* An address of the internet (4 or 16 bytes, network byte order) and a port. */
struct emit_endpoint {
	const void *address;
	uint16_t port;
	const char *name;               /* of the address, bytes of anybody; NULL: none is told */
};

/* What is told of a socket. */
struct emit_socket {
	const char *protocol;           /* TCPv6, UNIX-STREAM, NETLINK */
	int family;                     /* AF_INET, AF_INET6: of the endpoints */
	bool bound, connected;          /* the endpoints are there; unix: it has a peer; netlink: it has a port */
	struct emit_endpoint local, peer;
	uint64_t peer_inode;            /* unix */
	const char *path;               /* unix; NULL: none. With abstract without its leading NUL */
	size_t path_len;
	bool abstract;
	const char *netlink;            /* ROUTE; NULL: its number */
	uint32_t netlink_number, port_id;
};

struct emit_eventfd {
	uint64_t count;
	uint32_t id;
	bool semaphore;
};

/* A file descriptor and what it is, as far as that was asked for. One of the details at most is told. */
struct emit_fd {
	int fd;
	bool cwd;                       /* AT_FDCWD */
	const char *kind;               /* file, directory, socket, pidfd, ...; NULL: nothing is told */
	const char *path;               /* as /proc/PID/fd has it: pipe:[123]; NULL: not told */
	size_t path_len;
	bool deleted, cut;              /* cut: the path lacks its beginning */
	uint64_t inode;
	const struct emit_socket *socket;
	const struct emit_eventfd *eventfd;
	const char *signals;            /* signalfd: [USR1 CHLD] */
	int pid, host_pid;              /* pidfd; 0: none */
	bool is_dev, is_block;
	unsigned major, minor;
	int pts;                        /* /dev/ptmx: of its other side; -1: none */
};

/* A task or group by its number in the caller's pid namespace, and what --decode-pids tells of it. */
struct emit_pid {
	int32_t nr;                     /* negative: a group, as kill(2) has it */
	uint32_t host_nr;               /* 0: not told */
	char comm[16];                  /* bytes */
	size_t comm_len;                /* 0: not told */
};

/* -e read=, write=: bytes that a call carried, or how many buffers a message has of which they follow. */
struct emit_data {
	bool is_vector, numbered;       /* numbered: a buffer of a vector */
	uint64_t index;
	uint64_t len;                   /* bytes, or buffers, that there were */
	const void *bytes;              /* NULL: not readable */
	size_t have;
};

struct emit_ops {
	/*
	 * An argument of the call begins. A field() at once after it, outside of
	 * any structure, is a label that text shows in any case (child_stack=NULL).
	 */
	void (*arg)(struct emitter *e, const char *name);
	void (*num)(struct emitter *e, uint64_t v, enum emit_base base);
	void (*null)(struct emitter *e);
	/* A pointer whose target is not shown. */
	void (*addr)(struct emitter *e, uint64_t v);
	/* A constant by name; name NULL: as a number, in text with the prefix of its kind as a comment. */
	void (*sym)(struct emitter *e, const char *name, uint64_t v);
	/* The same with the form of its number, and with words that may be more than a name: S_IFREG|0644, makedev(0x8, 0x1). */
	void (*named)(struct emitter *e, const char *text, uint64_t v, enum emit_base base);
	/* A set: flags_begin, then flag for each name, or number (name NULL) for the rest, then flags_end. */
	void (*flags_begin)(struct emitter *e, uint64_t v);
	void (*flag)(struct emitter *e, const char *name, uint64_t v);
	void (*flags_end)(struct emitter *e);
	/* A member of the set that text writes as a value of its own: CLONE_VM|SIGCHLD. name NULL: a number. */
	void (*flag_apart)(struct emitter *e, const char *name, uint64_t v, enum emit_base base);
	/* A set of members that are written apart, as of signals: [HUP INT]; others: all but these. Text leaves out the first skip bytes of a name. */
	void (*members_begin)(struct emitter *e, bool others);
	void (*member)(struct emitter *e, const char *name, size_t skip, uint64_t v);
	void (*members_end)(struct emitter *e);
	/*
	 * What is said up to alias_end() is one value, put together in words, of which the number or the bytes are told, too:
	 * IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 4), htons(53).
	 */
	void (*alias_begin)(struct emitter *e, uint64_t v, enum emit_base base);
	void (*alias_bytes_begin)(struct emitter *e, const void *bytes, size_t len);
	void (*alias_end)(struct emitter *e);
	/* The element of an array up to index_end() is at the place of that name, which text tells: [SK_MEMINFO_DROPS]=0. name NULL: v and unknown. */
	void (*index_begin)(struct emitter *e, const char *name, uint64_t v, const char *unknown);
	void (*index_end)(struct emitter *e);
	/* around() of a value that may be an element, and is not told otherwise by -X: "htons(" and ")". */
	void (*call_begin)(struct emitter *e, const char *text);
	void (*call_end)(struct emitter *e, const char *text);
	/* The field with an address, which text writes as a call: inet_pton(AF_INET6, "::1", &sin6_addr). */
	void (*pton)(struct emitter *e, const char *field, const char *family, const char *text, const void *bytes, size_t len);
	void (*str)(struct emitter *e, const void *bytes, size_t len, unsigned flags);
	void (*struct_begin)(struct emitter *e);
	void (*field)(struct emitter *e, const char *name);
	void (*struct_end)(struct emitter *e);
	void (*array_begin)(struct emitter *e);
	/* An array that text writes as a set, with blanks between its members: [0 2]. Ended by array_end(). */
	void (*set_begin)(struct emitter *e);
	void (*array_end)(struct emitter *e);
	/* Fields or elements that are left out: "..." */
	void (*more)(struct emitter *e);
	/* A remark on the value just written; in text between comment signs. */
	void (*comment)(struct emitter *e, const char *text);
	/* The same before the value. */
	void (*comment_before)(struct emitter *e, const char *text);
	/* The value after the call, of an argument that is read and written: " => ". */
	void (*change)(struct emitter *e);
	/* Words that stand as they are, in text and as a JSON string: AT_FDCWD, makedev(0x1, 0x2), ~[HUP]. */
	void (*word)(struct emitter *e, const char *text);
	/* What JSON says about the argument; text shows it by its form alone. */
	void (*note)(struct emitter *e, enum emit_note note, uint64_t v);
	/* The arguments are done; what stands in parentheses behind the result, e.g. "Timeout" or "[{fd=0, revents=POLLIN}]". */
	void (*result_detail)(struct emitter *e);
	/*
	 * All further arguments are known when the call has ended, even if their values do not change: where strace
	 * waits for the result. Once a call at most, before arg() or within an argument.
	 */
	void (*at_end)(struct emitter *e);
	/* A field whose name stands in JSON alone. */
	void (*unnamed_field)(struct emitter *e, const char *name);
	/* Words that stand, in text alone, before and behind a value: "htons(" and ")". */
	void (*around)(struct emitter *e, const char *text);
	/* The security context of what was just said. */
	void (*secontext)(struct emitter *e, const char *context);
	/* The number of a task or group, of which something is told. */
	void (*pid)(struct emitter *e, const struct emit_pid *pid);
	/* The name of the address that was just said, bytes of anybody: in text a comment, in JSON a field beside it. */
	void (*peer_name)(struct emitter *e, const char *name);
	/* A file descriptor. */
	void (*fd)(struct emitter *e, const struct emit_fd *fd);
	void (*data)(struct emitter *e, const struct emit_data *data);
	/* Within the result's detail: a further part, behind a word of its own (NULL: none), as in "in [3], left {...}". */
	void (*part)(struct emitter *e, const char *label);
};

struct emitter {
	const struct emit_ops *ops;
};

#endif
