/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_DESCRIPTORS_H
#define CTRACE_BPF_DESCRIPTORS_H
/*
 * Descriptors that lie in memory: arrays, fd_sets, control messages, netlink
 * attributes, and those of other processes. What each of them is, files.h tells.
 */
#include "bpf/files.h"

static long array_step(__u32 i, void *walk)
{
	struct walk *w = walk;
	struct scratch *s = w->s;
	__u64 at = w->addr + (__u64)i * (w->op->kind == CAP_FDPTRS ? (s->compat ? 4 : 8) : w->op->elem);
	__s32 fd = -1;

	if (i >= w->end)
		return 1;
	if (w->op->kind == CAP_FDPTRS) {
		if (load_pointer(s, at))
			return 1;
		at = s->pointer;
	}
	if (bpf_probe_read_user(&fd, sizeof(fd), (void *)(at + (w->op->len_from == CAP_LEN_FIELD ? 0 : w->op->len_off)))) {
		w->r = ELEMENT_FAILED;
		return w->op->kind == CAP_FDS;
	}
	if (fd >= 0)
		list_fd(s, fd);
	return 0;
}

/* Numbers of a structure of s->left bytes; what lies behind them is 0, as the kernel takes it. */
static long word_step(__u32 i, void *walk)
{
	struct walk *w = walk;
	struct scratch *s = w->s;
	__u64 at = (__u64)i * 4;
	__u32 fd = 0;

	if (!(w->op->cond_mask >> (i & 63) & 1))
		return 0;
	if (at < s->left && bpf_probe_read_user(&fd, sizeof(fd), (void *)(w->addr + at))) {
		w->r = ELEMENT_FAILED;
		return 1;
	}
	if (at < s->left && s->left - at < 4)
		fd &= (1u << (s->left - at) * 8) - 1;
	if ((__s32)fd >= 0)
		list_fd(s, fd);
	return 0;
}

/* An fd_set: longs, bit by bit. */
static long bit_step(__u32 i, void *walk)
{
	struct walk *w = walk;
	struct scratch *s = w->s;

	if (i >= w->end)
		return 1;
	if (!(i & 31)) {
		__u32 word = 0;

		if (bpf_probe_read_user(&word, sizeof(word), (void *)(w->addr + i / 8))) {
			w->r = ELEMENT_FAILED;
			return 1;
		}
		s->pointer = word;
	}
	if (s->pointer >> (i & 31) & 1)
		list_fd(s, i);
	return 0;
}

#define LEVEL_SOCKET 1
#define SCM_RIGHTS_TYPE 1
#define SCM_PIDFD_TYPE 4
#define RIGHTS_STEPS 1024

/* A struct msghdr begins: where its control messages are. False: it cannot be read. */
static __always_inline bool rights_message(struct scratch *s, __u64 addr)
{
	__u32 word = s->compat ? 4 : 8;
	bool good = !load_pointer(s, addr + 4 * word);

	s->rights.left = 0;
	s->rights.at = good ? s->pointer : 0;
	s->rights.end = s->rights.at;
	if (s->rights.at && !load_pointer(s, addr + 5 * word))
		s->rights.end += s->pointer < 65536 ? s->pointer : 65536;
	return good;
}

/* The next control message: if it holds descriptors, how many. False: there is none. */
static __always_inline bool rights_next(struct walk *w)
{
	struct scratch *s = w->s;
	__u32 word = s->compat ? 4 : 8, kind[2] = {};
	__u64 at = s->rights.at, len;

	if (at + word + sizeof(kind) > s->rights.end)
		return false;
	if (load_pointer(s, at)) {
		w->r = ELEMENT_FAILED;
		return false;
	}
	len = s->pointer;
	if (len < word + sizeof(kind))
		return false;
	if (len > s->rights.end - at)
		len = s->rights.end - at;
	bpf_probe_read_user(kind, sizeof(kind), (void *)(at + word));
	s->rights.fds = at + word + sizeof(kind);
	if (kind[0] == LEVEL_SOCKET && kind[1] == SCM_RIGHTS_TYPE)
		s->rights.left = (len - word - sizeof(kind)) / 4;
	else if (kind[0] == LEVEL_SOCKET && kind[1] == SCM_PIDFD_TYPE)
		s->rights.left = 1;
	s->rights.at = at + ((len + word - 1) & ~(__u64)(word - 1));
	return true;
}

static long rights_step(__u32 i, void *walk)
{
	struct walk *w = walk;
	struct scratch *s = w->s;
	__s32 fd = -1;

	if (s->rights.left) {
		if (bpf_probe_read_user(&fd, sizeof(fd), (void *)s->rights.fds))
			w->r = ELEMENT_FAILED;
		s->rights.fds += sizeof(fd);
		s->rights.left--;
		if (fd >= 0)
			list_fd(s, fd);
		return 0;
	}
	if (rights_next(w))
		return 0;
	if (!w->end)
		return 1;
	w->end--;
	if (!rights_message(s, w->addr))
		w->r = ELEMENT_FAILED;
	w->addr += w->op->elem;
	return 0;
}

/* Messages of NETLINK_ROUTE with descriptors in their attributes: their types, and which attributes those are. */
enum { RTM_LINK_FIRST = 16, RTM_LINK_LAST = 19, RTM_NSID_FIRST = 88, RTM_NSID_LAST = 90 };
enum { ERROR_TYPE = 2, ERROR_HEAD = 20, LINK_HEAD = 32, NSID_HEAD = 20, LINK_NET_NS_FD = 28, LINK_XDP = 43, XDP_FD = 1, XDP_EXPECTED_FD = 8, NSID_FD = 3 };
#define NETFDS_STEPS 256

/* An attribute. s->rights: at, end, fds: where the nest that it is in ends, left: it is of a link. */
static long netfds_step(__u32 i, void *walk)
{
	struct walk *w = walk;
	struct scratch *s = w->s;
	struct { __u16 len, type; } a = {};
	__u64 at = s->rights.at;
	bool nested = at < s->rights.fds, is_fd;
	__s32 fd = -1;

	if (at + sizeof(a) > s->rights.end || bpf_probe_read_user(&a, sizeof(a), (void *)at) || a.len < sizeof(a))
		return 1;
	a.type &= 0x3fff;
	if (s->rights.left && !nested && a.type == LINK_XDP) {
		s->rights.fds = at + a.len;
		s->rights.at = at + sizeof(a);
		return 0;
	}
	if (!s->rights.left)
		is_fd = a.type == NSID_FD;
	else
		is_fd = nested ? a.type == XDP_FD || a.type == XDP_EXPECTED_FD : a.type == LINK_NET_NS_FD;
	if (is_fd && a.len >= sizeof(a) + sizeof(fd) && !bpf_probe_read_user(&fd, sizeof(fd), (void *)(at + sizeof(a))) && fd >= 0)
		list_fd(s, fd);
	s->rights.at = at + ((a.len + 3) & ~3u);
	return 0;
}

/* CAP_NETFDS: at w->addr. False: it cannot be read. */
static __always_inline bool netfds_begin(struct walk *w)
{
	struct scratch *s = w->s;
	__u32 word = s->compat ? 4 : 8;
	struct { __u32 len; __u16 type; } h = {};
	__u64 room = s->args[w->op->len_arg & 7];

	if (w->op->elem) {
		if (load_pointer(s, w->addr + word))
			return false;
		room = s->pointer;
		if (load_pointer(s, w->addr))
			return false;
		w->addr = s->pointer;
	}
	s->rights = (struct rights_walk){};
	if (bpf_probe_read_user(&h, 6, (void *)w->addr))
		return false;
	/* An error is followed by the message that it is about. */
	if (h.type == ERROR_TYPE) {
		w->addr += ERROR_HEAD;
		room -= room < ERROR_HEAD ? room : ERROR_HEAD;
		if (bpf_probe_read_user(&h, 6, (void *)w->addr))
			return false;
	}
	s->rights.left = h.type >= RTM_LINK_FIRST && h.type <= RTM_LINK_LAST;
	if (s->rights.left || (h.type >= RTM_NSID_FIRST && h.type <= RTM_NSID_LAST)) {
		s->rights.at = w->addr + (s->rights.left ? LINK_HEAD : NSID_HEAD);
		s->rights.end = w->addr + (h.len < room ? h.len : room);
	}
	return true;
}

/* The struct pid that a pidfd of the caller's is for; 0: it is none. */
static __always_inline __u64 pid_of_pidfd(__u32 fd)
{
	__u64 file = open_file(fd), inode, name;

	if (!file)
		return 0;
	inode = get64(file + off.file_f_inode);
	if (inode_magic(inode) == MAGIC_PID)
		return get64(inode + off.inode_i_private);
	if (inode_magic(inode) != MAGIC_ANON)
		return 0;
	name = get64(get64(file + off.file_f_path + off.path_dentry) + off.dentry_d_name + off.qstr_name);
	return get64(name) == NAME_PIDFD ? get64(file + off.file_private_data) : 0;
}

/* The struct pid that has a number in the caller's namespace; 0: none. */
static __always_inline __u64 pid_of_number(__u32 nr)
{
	__u64 own = get64(bpf_get_current_task() + off.task_struct_thread_pid);
	__u32 level = get32(own + off.pid_level) & (CT_NS_LEVELS - 1);
	struct upid u = {};
	__u64 pid;

	pid_at(&u, own, level);
	pid = pid_find((__u64)u.ns, nr);
	if (!pid)
		return 0;
	pid_at(&u, pid, level);
	return u.nr == (int)nr ? pid : 0;
}

/* CAP_FD_OF: notes it for capture_listed(). */
static __always_inline void list_other(struct scratch *s, const struct cap_op *op)
{
	__u32 whose = s->args[op->len_arg & 7], fd = s->args[op->arg & 7];
	__u64 pid = op->elem ? pid_of_number(whose) : pid_of_pidfd(whose), first, i = op->max;

	first = pid ? get64(pid + off.pid_tasks) : 0;
	bound(i);
	if (!first || i >= CT_FD_OTHER_MAX)
		return;
	if (op->via_off != CAP_DIRECT && bpf_probe_read_user(&fd, sizeof(fd), (void *)(s->args[op->arg & 7] + op->via_off)))
		return;
	s->other_task[i] = first - off.task_struct_pid_links;
	s->other_fd[i] = fd;
	s->others = 1;
}

/* The operations on descriptors; not 0: it read nothing, and may be tried again. */
__noinline int capture_descriptors(struct scratch *s, struct cap_op *op)
{
	struct walk w = { .s = s, .op = op, .r = ELEMENT_OK };

	if (!s || !op)
		return 0;
	if (op->kind == CAP_SOCK) {
		if (cfg.sockets && op_applies(s, op))
			capture_sock(s, op);
		return 0;
	}
	if (op->kind == CAP_FD_OF) {
		if (asked_for(files) && op_applies(s, op))
			list_other(s, op);
		return 0;
	}
	w.addr = asked_for(files) ? op_address(s, op) : 0;
	if (!w.addr)
		return 0;
	w.end = op_length(s, op);
	if (op->kind == CAP_FDBITS)
		w.end = s->args[op->len_arg & 7];
	if (op->max && w.end > op->max)
		w.end = op->max;
	if (op->kind == CAP_FDBITS) {
		walk_loop(CT_VEC_MAX, bit_step, &w);
	} else if (op->kind == CAP_FDWORDS) {
		s->left = w.end;
		walk_loop(64, word_step, &w);
	} else if (op->kind == CAP_NETFDS) {
		if (!netfds_begin(&w))
			return 1;
		walk_loop(NETFDS_STEPS, netfds_step, &w);
	} else if (op->kind == CAP_RIGHTS) {
		s->rights = (struct rights_walk){};
		walk_loop(RIGHTS_STEPS, rights_step, &w);
	} else {
		walk_loop(CT_VEC_MAX, array_step, &w);
	}
	return w.r == ELEMENT_FAILED;
}

#endif
