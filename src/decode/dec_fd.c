/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * File descriptors and what they are: out of what the kernel side took down of
 * the open file while the call was made.
 */
#include "decode/field.h"
#include "decode/files.h"
#include "decode/kinds.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "util/macros.h"

#define NAMELESS_PIPE     0x50495045u   /* magic numbers of file systems whose files have no path: include/uapi/linux/magic.h */
#define NAMELESS_SOCKET   0x534f434bu
#define NAMELESS_ANON     0x09041934u
#define NAMELESS_PID      0x50494446u
#define NAMELESS_NS       0x6e736673u
#define NAMELESS_DMABUF   0x444d4142u

#define EVENTFD_SEMAPHORE 1u

/* A file as the kernel side took it down. */
struct file {
	struct ct_file f;
	struct bytes detail;
	const char *names;              /* n_names of them, each NUL-terminated, the innermost first */
	size_t names_len;
};

/* false: it is none. */
static bool read_file(const struct capture *c, struct file *ret)
{
	struct bytes b = bytes_of(c);

	if (c->part != CT_PART_FD || (c->flags & CT_CAP_FAILED) || c->len < sizeof(ret->f))
		return false;
	memcpy(&ret->f, c->data, sizeof(ret->f));
	b = bytes_from(b, sizeof(ret->f));
	if (ret->f.detail_len > b.len)
		return false;
	ret->detail = bytes_cut(b, ret->f.detail_len);
	b = bytes_from(b, ret->f.detail_len);
	ret->names = (const char *)b.p;
	ret->names_len = b.len;
	/* A name without its end is none. */
	while (ret->names_len && ret->names[ret->names_len - 1])
		ret->names_len--;
	return true;
}

/* From OF_OTHERS on: what CAP_FD_OF has found, by its max. */
enum moment { AT_BEGIN, AT_END, AT_RESULT, OF_OTHERS };

static enum moment moment_of(const struct capture *c)
{
	if (c->idx >= CT_FD_OTHERS)
		return (enum moment)(OF_OTHERS + (c->idx - CT_FD_OTHERS));
	if ((c->flags & (CT_CAP_AT_EXIT | CT_CAP_RETRIED)) != CT_CAP_AT_EXIT)
		return AT_BEGIN;
	return c->idx == CT_FD_RESULT ? AT_RESULT : AT_END;
}

/* What is known of a descriptor: at that moment, or else when the call had ended, if it is one that the call left in memory. */
static bool find_file(const struct call *call, int fd, enum moment when, struct file *ret)
{
	bool found = false;

	for (unsigned i = 0; i < call->n_captures; i++) {
		const struct capture *c = &call->captures[i];
		enum moment m = moment_of(c);
		struct file file;

		if (c->part != CT_PART_FD || (m != when && (found || m != AT_END || when >= OF_OTHERS)) || !read_file(c, &file) || file.f.fd != fd)
			continue;
		*ret = file;
		found = true;
		if (m == when)
			return true;
	}
	return found;
}

/* --- paths --- */

static void put(struct fd_view *v, const char *s, size_t len)
{
	if (len > sizeof(v->path) - v->fd.path_len)
		len = sizeof(v->path) - v->fd.path_len;
	if (!len)
		return;
	memcpy(v->path + v->fd.path_len, s, len);
	v->fd.path_len += len;
}

static void put_str(struct fd_view *v, const char *s)
{
	put(v, s, strlen(s));
}

static void put_number(struct fd_view *v, uint64_t n)
{
	char buf[24], *end = buf + sizeof(buf), *p = end;

	do {
		*--p = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	put(v, p, (size_t)(end - p));
}

static void put_inode(struct fd_view *v, const char *kind, size_t len, uint64_t inode)
{
	put(v, kind, len);
	put_str(v, ":[");
	put_number(v, inode);
	put_str(v, "]");
}

/* As the file systems' own d_dname functions write it. */
static void nameless_path(struct fd_view *v, const struct file *file)
{
	size_t len = file->names_len ? strlen(file->names) : 0;

	switch (file->f.magic) {
	case NAMELESS_PIPE:
		put_inode(v, "pipe", 4, file->f.ino);
		break;
	case NAMELESS_SOCKET:
		put_inode(v, "socket", 6, file->f.ino);
		break;
	case NAMELESS_NS:
		put_inode(v, file->names, len, file->f.ino);
		break;
	case NAMELESS_PID:
		put_str(v, "anon_inode:[pidfd]");
		break;
	case NAMELESS_ANON:
		put_str(v, "anon_inode:");
		put(v, file->names, len);
		break;
	case NAMELESS_DMABUF:
		put_str(v, "/dmabuf:");
		put(v, file->names, len);
		break;
	default:
		put_str(v, "/");
		put(v, file->names, len);
		v->fd.deleted = true;
	}
}

/* The names from the last, which is the outermost, to the first. */
static void joined_path(struct fd_view *v, const struct file *file)
{
	size_t end = file->names_len;

	while (end) {
		size_t start = end - 1;

		while (start && file->names[start - 1])
			start--;
		put_str(v, "/");
		put(v, file->names + start, end - 1 - start);
		end = start;
	}
	if (!file->names_len)
		put_str(v, "/");
	v->fd.deleted = file->f.flags & CT_FILE_DELETED;
	v->fd.cut = file->f.flags & CT_FILE_CUT;
}

static const char *kind_of(const struct file *file)
{
	static const char *const by_type[16] = {
		[1] = "fifo", [2] = "char", [4] = "directory", [6] = "block", [8] = "file", [10] = "symlink", [12] = "socket",
	};
	const char *kind;

	switch (file->f.detail) {
	case CT_FILE_EVENTFD:
		return "eventfd";
	case CT_FILE_SIGNALFD:
		return "signalfd";
	case CT_FILE_PIDFD:
		return "pidfd";
	}
	if (file->f.flags & CT_FILE_NAMELESS) {
		switch (file->f.magic) {
		case NAMELESS_PIPE:
			return "pipe";
		case NAMELESS_ANON:
			return "anon_inode";
		case NAMELESS_PID:
			return "pidfd";
		case NAMELESS_NS:
			return "namespace";
		}
	}
	kind = by_type[file->f.mode >> 12 & 15];
	return kind ? kind : "unknown";
}

/* --- details --- */

/* Protocols by the names that the kernel has for them (struct proto), as far as they are shown. */
static const char *protocol_name(const struct file *file)
{
	static const char *const names[] = {
		"TCP", "UDP", "UDPLITE", "DCCP", "SCTP", "L2TP/IP", "PING", "RAW", "TCPv6", "UDPv6", "UDPLITEv6", "DCCPv6", "SCTPv6",
		"L2TP/IPv6", "PINGv6", "RAWv6", "UNIX", "UNIX-STREAM", "NETLINK",
	};

	for (size_t i = 0; file->names_len && i < ARRAY_SIZE(names); i++) {
		if (!strcmp(file->names, names[i]))
			return names[i];
	}
	return NULL;
}

/* Whether a socket's ends are told: those of the protocols that the kernel lists by sock_diag(7). */
static bool has_endpoints(const char *protocol)
{
	return !strncmp(protocol, "TCP", 3) || (!strncmp(protocol, "UDP", 3) && strncmp(protocol, "UDPL", 4) != 0);
}

#define PEERS 4096

struct fd_memory {
	struct { uint64_t inode, peer; } peers[PEERS];
};

struct fd_memory *fd_memory_new(void)
{
	return calloc(1, sizeof(struct fd_memory));
}

void fd_memory_free(struct fd_memory *m)
{
	free(m);
}

/*
 * Whether the ends of a TCP socket are told: as long as the kernel lists it, and when its connection has ended if they
 * had been told before; those of one that never came about are not.
 */
static bool has_ends(struct fd_memory *m, uint64_t inode, const struct ct_file_socket *k)
{
	size_t at = inode % PEERS;

	if (!k->port || !m)
		return k->port;
	if (k->closed)
		return m->peers[at].inode == inode;
	m->peers[at].inode = inode;
	return true;
}

/* The inode of a unix socket's peer. One that is closed has none any more: what it was is remembered. */
static uint64_t peer_inode(struct fd_memory *m, uint64_t inode, const struct ct_file_socket *k)
{
	size_t at = inode % PEERS;

	if (!k->has_peer || !m)
		return k->peer;
	if (k->peer) {
		m->peers[at].inode = inode;
		m->peers[at].peer = k->peer;
		return k->peer;
	}
	return k->closed && m->peers[at].inode == inode ? m->peers[at].peer : 0;
}

static void unix_detail(struct fd_view *v, struct bytes path, uint64_t peer)
{
	struct emit_socket *s = &v->socket;

	s->connected = peer;
	s->peer_inode = peer;
	if (!path.len)
		return;
	s->path = (const char *)path.p;
	s->abstract = !path.p[0];
	if (s->abstract)
		s->path++;
	s->path_len = strnlen(s->path, path.len - s->abstract);
}

static const char *name_of(const struct call *call, const struct decode_opts *opts, const struct ct_file_socket *k, const void *address)
{
	return opts->names ? opts->names->name(opts->names, call, k->netns, address, k->family == AF_INET ? 4 : 16) : NULL;
}

static void socket_detail(struct fd_view *v, const struct file *file, const struct call *call, const struct decode_opts *opts)
{
	const char *protocol = protocol_name(file), *name;
	struct emit_socket *s = &v->socket;
	struct bytes path;

	if (!protocol || file->detail.len < sizeof(v->k))
		return;
	memcpy(&v->k, file->detail.p, sizeof(v->k));
	path = bytes_cut(bytes_from(file->detail, sizeof(v->k)), v->k.path_len);
	*s = (struct emit_socket){ .protocol = protocol, .family = v->k.family };
	v->fd.socket = s;
	switch (v->k.family) {
	case AF_INET:
	case AF_INET6:
		s->bound = has_endpoints(protocol) && has_ends(opts->memory, file->f.ino, &v->k);
		s->connected = s->bound && v->k.peer_port;
		s->local = (struct emit_endpoint){ .address = v->k.address, .port = v->k.port };
		s->peer = (struct emit_endpoint){ .address = v->k.peer_address, .port = v->k.peer_port };
		if (s->connected)
			s->peer.name = name_of(call, opts, &v->k, v->k.peer_address);
		break;
	case AF_UNIX:
		unix_detail(v, path, peer_inode(opts->memory, file->f.ino, &v->k));
		break;
	case AF_NETLINK:
		s->bound = v->k.port_id;
		s->port_id = v->k.port_id;
		s->netlink_number = v->k.protocol;
		name = sym_name(&tab_netlink_protocols, v->k.protocol);
		s->netlink = name ? name + strlen("NETLINK_") : NULL;
		break;
	}
}

static void eventfd_detail(struct fd_view *v, const struct file *file)
{
	struct ct_file_eventfd k;

	if (file->detail.len < sizeof(k))
		return;
	memcpy(&k, file->detail.p, sizeof(k));
	v->eventfd = (struct emit_eventfd){ k.count, k.id, k.flags & EVENTFD_SEMAPHORE };
	v->fd.eventfd = &v->eventfd;
}

static void signalfd_detail(struct fd_view *v, const struct file *file, enum const_style consts)
{
	struct ct_file_signalfd k;
	struct words w = { 0 };

	if (file->detail.len < sizeof(k))
		return;
	memcpy(&k, file->detail.p, sizeof(k));
	words_sigset(&w, &k.mask, sizeof(k.mask), consts);
	memcpy(v->signals, w.buf, w.len < sizeof(v->signals) ? w.len + 1 : sizeof(v->signals));
	v->signals[sizeof(v->signals) - 1] = '\0';
	v->fd.signals = v->signals;
}

static void pidfd_detail(struct fd_view *v, const struct file *file)
{
	struct ct_file_pidfd k;

	if (file->detail.len < sizeof(k))
		return;
	memcpy(&k, file->detail.p, sizeof(k));
	if (k.pid <= 0)
		return;
	v->fd.pid = k.pid;
	v->fd.host_pid = k.host_pid;
}

static void dev_detail(struct fd_view *v, const struct file *file)
{
	struct ct_file_ptmx k;
	unsigned type = file->f.mode >> 12 & 15;

	/* One that is in no directory any more is shown without, as strace asks by its path. */
	if ((type != 2 && type != 6) || v->fd.deleted)
		return;
	v->fd.is_dev = true;
	v->fd.is_block = type == 6;
	v->fd.major = file->f.rdev >> 20;
	v->fd.minor = file->f.rdev & 0xfffff;
	if (file->f.detail != CT_FILE_PTMX || file->detail.len < sizeof(k))
		return;
	memcpy(&k, file->detail.p, sizeof(k));
	v->fd.pts = k.index;
}

/* Of the kinds of detail that were asked for the one that this file has. */
static void add_detail(struct fd_view *v, const struct file *file, const struct call *call, const struct decode_opts *opts)
{
	unsigned fds = opts->fds;

	if (fds & FDS_SOCKET && file->f.detail == CT_FILE_SOCKET)
		socket_detail(v, file, call, opts);
	else if (fds & FDS_EVENTFD && file->f.detail == CT_FILE_EVENTFD)
		eventfd_detail(v, file);
	else if (fds & FDS_SIGNALFD && file->f.detail == CT_FILE_SIGNALFD)
		signalfd_detail(v, file, opts->consts);
	else if (fds & FDS_PIDFD && file->f.detail == CT_FILE_PIDFD)
		pidfd_detail(v, file);
	else if (fds & FDS_DEV)
		dev_detail(v, file);
}

static void view_path(struct fd_view *v, const struct file *file)
{
	v->fd.path_len = 0;
	v->fd.deleted = false;
	v->fd.cut = false;
	if (file->f.flags & CT_FILE_NAMELESS)
		nameless_path(v, file);
	else
		joined_path(v, file);
	v->fd.path = v->path;
}

static bool shows_anything(const struct emit_fd *fd)
{
	return fd->socket || fd->eventfd || fd->signals || fd->pid || fd->is_dev;
}

/* A socket of any protocol is told with FDS_SOCKET, by its inode if there is nothing else. */
static bool shows_path(const struct fd_view *v, const struct file *file, unsigned fds)
{
	return fds & FDS_PATH || v->fd.is_dev || (fds & FDS_SOCKET && file->f.detail == CT_FILE_SOCKET);
}

static void view(struct fd_view *v, const struct call *call, int fd, enum moment when, const struct decode_opts *opts)
{
	struct file file;

	v->fd = (struct emit_fd){ .fd = fd, .pts = -1 };
	if (!opts->fds || !find_file(call, fd, when, &file))
		return;
	view_path(v, &file);
	add_detail(v, &file, call, opts);
	if (!shows_path(v, &file, opts->fds))
		v->fd.path = NULL;
	if (!v->fd.path && !shows_anything(&v->fd))
		return;
	v->fd.kind = kind_of(&file);
	v->fd.inode = file.f.ino;
}

static void say(struct dec *d, int fd, bool at, enum moment when)
{
	struct fd_view v;

	/* Only where it can be meant is -100 the working directory. */
	view(&v, d->call, fd < 0 && !at ? -1 : fd, when, d->opts);
	v.fd.fd = fd;
	v.fd.cwd = at && fd == CT_FD_CWD;
	d->ops->fd(d->e, &v.fd);
}

void say_fd(struct dec *d, int fd, bool at)
{
	say(d, fd, at, AT_BEGIN);
	if (at) {
		d->dirfd = fd;
		d->has_dirfd = true;
	}
	say_fd_secontext(d, fd);
}

void say_fd_after(struct dec *d, int fd)
{
	say(d, fd, false, AT_END);
	say_fd_secontext(d, fd);
}

void say_others_fd(struct dec *d, int fd, unsigned i)
{
	say(d, fd, false, (enum moment)(OF_OTHERS + i));
}

static void decode_others_fd(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_others_fd(d, (int)dec_reg(d, reg), 0);
}

static void capture_others_fd(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_fds(b, reg, CAP_ENTER, CAP_FD_OF)->len_arg = (__u8)a->a;
}

const struct kind kind_others_fd = { .decode = decode_others_fd, .capture = capture_others_fd };

const struct emit_fd *call_result_fd(const struct call *call, const struct decode_opts *opts, struct fd_view *buf)
{
	if (call_ret_kind(call) != RET_FD || call_errno(call) || (call->flags & (CT_F_NO_RETURN | CT_F_IN_FLIGHT)))
		return NULL;
	view(buf, call, (int)call->ret, AT_RESULT, opts);
	return buf->fd.kind ? &buf->fd : NULL;
}

/* --- captures --- */

static bool wants_files(const struct cap_builder *b)
{
	return b->opts->fds || b->opts->match_fds;
}

void cap_fd(struct cap_builder *b, unsigned reg, bool at)
{
	if (!wants_files(b))
		return;
	b->spec->fds |= (__u8)(1u << reg);
	if (at)
		b->spec->cwds |= (__u8)(1u << reg);
}

struct cap_op *cap_fds(struct cap_builder *b, unsigned reg, unsigned when, enum cap_kind kind)
{
	if (wants_files(b))
		return cap_add(b, reg, CT_PART_FD, kind, when);
	b->spill = (struct cap_op){ 0 };
	return &b->spill;
}

void cap_row_fds(struct cap_builder *b, const struct syscall *s)
{
	for (unsigned i = 0; i < s->nargs; i++) {
		const struct kind *kind = s->args[i].kind;

		if (kind == &kind_fd || kind == &kind_atfd)
			cap_fd(b, arg_reg(s, i), kind == &kind_atfd);
	}
}

void cap_rights(struct cap_builder *b, unsigned reg, unsigned when)
{
	struct cap_op *op = cap_fds(b, reg, when, CAP_RIGHTS);

	op->len_from = CAP_LEN_FIXED;
	op->max = 1;
}

struct cap_op *cap_fd_words(struct cap_builder *b, unsigned reg, unsigned when, uint64_t words)
{
	struct cap_op *op = cap_fds(b, reg, when, CAP_FDWORDS);

	op->cond_mask = words;
	return op;
}

struct cap_op *cap_net_fds(struct cap_builder *b, unsigned reg, unsigned when, unsigned len_reg)
{
	struct cap_op *op = cap_fds(b, reg, when, CAP_NETFDS);

	op->len_arg = (__u8)len_reg;
	return op;
}

struct cap_op *cap_others_fd(struct cap_builder *b, unsigned reg, unsigned pid_reg, unsigned i)
{
	struct cap_op *op = cap_fds(b, reg, CAP_ENTER, CAP_FD_OF);

	op->len_arg = (__u8)pid_reg;
	op->elem = 1;
	op->max = i;
	return op;
}

struct cap_op *cap_fd_at(struct cap_builder *b, unsigned reg, unsigned when, uint16_t off)
{
	struct cap_op *op = cap_fds(b, reg, when, CAP_FDS);

	op->len_from = CAP_LEN_FIXED;
	op->max = 1;
	op->len_off = off;
	return op;
}

bool file_path(const struct capture *c, int *ret_fd, char buf[static CT_PATH_ROOM], size_t *ret_len)
{
	struct fd_view v;
	struct file file;

	if (!read_file(c, &file))
		return false;
	view_path(&v, &file);
	if (v.fd.cut)
		return false;
	memcpy(buf, v.path, v.fd.path_len);
	*ret_len = v.fd.path_len;
	*ret_fd = file.f.fd;
	return true;
}
