/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_FILES_H
#define CTRACE_BPF_FILES_H
/*
 * What the file descriptors of a call are, taken down while it is made: the
 * path, a socket's ends, and what else /proc/PID/fd and fdinfo would tell. A
 * run that does not ask for it (cfg.files, cfg.sockets) has none of this code.
 *
 * Kernel memory is read by offsets (offsets.def) and always by
 * bpf_probe_read_kernel: another thread may close the file meanwhile.
 */
#include "bpf/capture.h"

/* A field that this kernel has; the verifier drops what asks for others. */
#define HAVE(field) (off.field != CT_OFF_NONE)

static __always_inline __u64 get64(__u64 addr)
{
	__u64 v = 0;

	bpf_probe_read_kernel(&v, sizeof(v), (void *)addr);
	return v;
}

static __always_inline __u32 get32(__u64 addr)
{
	__u32 v = 0;

	bpf_probe_read_kernel(&v, sizeof(v), (void *)addr);
	return v;
}

static __always_inline __u16 get16(__u64 addr)
{
	__u16 v = 0;

	bpf_probe_read_kernel(&v, sizeof(v), (void *)addr);
	return v;
}

/* The open file that a descriptor of a task is; 0: it is none. */
static __always_inline __u64 task_file(__u64 task, __u32 fd)
{
	__u64 files = get64(task + off.task_struct_files), fdt;

	if (!files)
		return 0;
	fdt = get64(files + off.files_struct_fdt);
	if (fd >= get32(fdt + off.fdtable_max_fds))
		return 0;
	return get64(get64(fdt + off.fdtable_fd) + (__u64)fd * sizeof(fdt));
}

static __always_inline __u64 open_file(__u32 fd)
{
	return task_file(bpf_get_current_task(), fd);
}

/* Magic numbers of the file systems of files without a path: include/uapi/linux/magic.h. */
#define MAGIC_SOCKET 0x534f434bu
#define MAGIC_ANON   0x09041934u
#define MAGIC_PID    0x50494446u
#define MAGIC_NS     0x6e736673u

static __always_inline __u32 inode_magic(__u64 inode)
{
	return get32(get64(inode + off.inode_i_sb) + off.super_block_s_magic);
}

/* The struct sock of a file; 0: it is no socket. */
static __always_inline __u64 file_sock(__u64 file)
{
	if (!file || inode_magic(get64(file + off.file_f_inode)) != MAGIC_SOCKET)
		return 0;
	return get64(get64(file + off.file_private_data) + off.socket_sk);
}

#define FAMILY_UNIX    1
#define FAMILY_INET    2
#define FAMILY_INET6   10
#define FAMILY_NETLINK 16

#define PROTOCOL_UDP 17
#define PORT_DNS     53

static __always_inline __u16 peer_port(__u64 sk)
{
	return __builtin_bswap16(get16(sk + off.sock_common_skc_dport));
}

static __always_inline __u32 sock_netns(__u64 sk)
{
	return get32(get64(sk + off.sock_common_skc_net) + off.net_ns + off.ns_common_inum);
}

/* Whether a socket may be one to a name server: it is connected to the port, or gets datagrams from anywhere. */
static __always_inline bool may_be_dns(__u64 sk, __u16 family)
{
	__u16 port;

	if (family != FAMILY_INET && family != FAMILY_INET6)
		return false;
	port = peer_port(sk);
	return port == PORT_DNS || (!port && get16(sk + off.sock_sk_protocol) == PROTOCOL_UDP);
}

/*
 * Whether the call's first argument is a netlink socket, or with --names one that may carry DNS, whose bytes are all
 * wanted; kept for the other operations of the call.
 */
__noinline int is_netlink(struct scratch *s)
{
	__u16 family;
	__u64 sk;

	if (!s || !cfg.sockets)
		return 0;
	if (!s->netlink) {
		sk = file_sock(open_file(s->args[0]));
		family = sk ? get16(sk + off.sock_common_skc_family) : 0;
		s->netlink = family == FAMILY_NETLINK || (asked_for(peers) && family && may_be_dns(sk, family)) ? NETLINK_YES : NETLINK_NO;
	}
	return s->netlink == NETLINK_YES;
}

/* CAP_SOCK */
static __always_inline void capture_sock(struct scratch *s, struct cap_op *op)
{
	__u64 file = open_file(s->args[op->arg & 7]), sk = file_sock(file), at = s->off + sizeof(struct cap_hdr);
	struct ct_sock_id id = {};
	struct cap_hdr *h;

	if (!sk)
		return;
	id.family = get16(sk + off.sock_common_skc_family);
	if (op->elem && op->elem != id.family)
		return;
	id.type = get16(get64(file + off.file_private_data) + off.socket_type);
	id.protocol = get16(sk + off.sock_sk_protocol);
	id.netns = sock_netns(sk);
	if (id.family == FAMILY_INET || id.family == FAMILY_INET6)
		id.peer_port = peer_port(sk);
	if (id.family == FAMILY_NETLINK && HAVE(netlink_sock_portid))
		id.port_id = get32(sk + off.netlink_sock_portid);
	h = cap_begin(s, op, op->part, 0);
	bound(at);
	if (!h || at > SCRATCH_DATA)
		return;
	h->true_len = sizeof(id);
	__builtin_memcpy(&s->data[at], &id, sizeof(id));
	cap_end(s, h, sizeof(id));
}

/* Puts bytes behind what is in the scratch. */
static __always_inline void put_bytes(struct scratch *s, const void *bytes, __u32 len)
{
	__u64 at = s->off;

	bound(at);
	if (at > SCRATCH_DATA)
		return;
	bpf_probe_read_kernel(&s->data[at], len, bytes);
	s->off = at + len;
}

/* A name with its NUL, from kernel memory. */
static __always_inline void put_name(struct scratch *s, __u64 addr)
{
	__u64 at = s->off;
	long n;

	bound(at);
	if (at > SCRATCH_DATA)
		return;
	n = bpf_probe_read_kernel_str(&s->data[at], 256, (void *)addr);
	if (n > 0)
		s->off = at + (n & 0x1ff);
}

#define STEPS_CHUNK 4
#define STEPS_CHUNKS 64
#define PATH_MAX 4096

/* Some steps from a file towards the task's root. */
__noinline int path_steps(struct scratch *s)
{
	if (!s || !asked_for(files))
		return 0;
	for (int i = 0; i < STEPS_CHUNK && !s->file.done; i++) {
		__u64 dentry = s->file.dentry, mnt = s->file.mnt, up;

		if (dentry == s->file.root_dentry && mnt == s->file.root_mnt) {
			s->file.done = 1;
		} else if (dentry == get64(mnt + off.vfsmount_mnt_root)) {
			/* Out of the mount, to where it is mounted; the topmost is its own parent. */
			__u64 mount = mnt - off.mount_mnt;

			up = get64(mount + off.mount_mnt_parent);
			s->file.done = !up || up == mount;
			s->file.dentry = get64(mount + off.mount_mnt_mountpoint);
			s->file.mnt = up + off.mount_mnt;
		} else {
			up = get64(dentry + off.dentry_d_parent);
			if (!up || up == dentry) {
				s->file.done = 1;
				break;
			}
			put_name(s, get64(dentry + off.dentry_d_name + off.qstr_name));
			s->file.dentry = up;
			if (s->off - s->file.names > PATH_MAX)
				break;
		}
	}
	return 0;
}

/* The names of the path. */
static __always_inline void put_path(struct scratch *s)
{
	s->file.done = 0;
	for (int i = 0; i < STEPS_CHUNKS && !s->file.done && s->off - s->file.names <= PATH_MAX; i++)
		path_steps(s);
	if (!s->file.done)
		s->file.out.flags |= CT_FILE_CUT;
}

#define TCP_CLOSE 7

static __always_inline void inet_ends(struct ct_file_socket *k, __u64 sk)
{
	/* Kept when a connection has ended, or could not be made, unlike skc_num. */
	k->port = __builtin_bswap16(get16(sk + off.inet_sock_inet_sport));
	k->closed = !get16(sk + off.sock_common_skc_num) && k->state == TCP_CLOSE;
	k->peer_port = __builtin_bswap16(get16(sk + off.sock_common_skc_dport));
	if (k->family == FAMILY_INET) {
		k->address[0] = get32(sk + off.sock_common_skc_rcv_saddr);
		k->peer_address[0] = get32(sk + off.sock_common_skc_daddr);
	} else if (HAVE(sock_common_skc_v6_daddr)) {
		bpf_probe_read_kernel(k->address, sizeof(k->address), (void *)(sk + off.sock_common_skc_v6_rcv_saddr));
		bpf_probe_read_kernel(k->peer_address, sizeof(k->peer_address), (void *)(sk + off.sock_common_skc_v6_daddr));
	}
}

#define SOCK_DEAD 1     /* 1 << enum sock_flags' first */
#define SUN_FAMILY 2    /* bytes of sockaddr_un before its path */
#define SUN_PATH 108

/* A unix socket's peer, and the address that it is bound to: 0 or its struct unix_address. */
static __always_inline __u64 unix_ends(struct ct_file_socket *k, __u64 sk)
{
	__u64 peer = get64(sk + off.unix_sock_peer), address = get64(sk + off.unix_sock_addr), socket;
	__u32 len;

	if (peer) {
		k->has_peer = 1;
		socket = get64(peer + off.sock_sk_socket);
		if (socket)
			k->peer = get64(socket - off.socket_alloc_socket + off.socket_alloc_vfs_inode + off.inode_i_ino);
		else if (HAVE(sock_common_skc_flags))
			k->closed = get64(peer + off.sock_common_skc_flags) & SOCK_DEAD;
	}
	if (!address)
		return 0;
	len = get32(address + off.unix_address_len);
	k->path_len = len > SUN_FAMILY + SUN_PATH ? SUN_PATH : len > SUN_FAMILY ? len - SUN_FAMILY : 0;
	return address;
}

/* CT_FILE_SOCKET */
__noinline int put_socket(struct scratch *s, __u64 sk, __u64 socket)
{
	struct ct_file_socket k = {};
	__u64 address = 0, at, len;

	if (!s || !asked_for(files))
		return 0;
	k.family = get16(sk + off.sock_common_skc_family);
	k.type = get16(socket + off.socket_type);
	k.protocol = get16(sk + off.sock_sk_protocol);
	k.state = get16(sk + off.sock_common_skc_state) & 0xff;
	if (k.family == FAMILY_INET || k.family == FAMILY_INET6)
		inet_ends(&k, sk);
	else if (k.family == FAMILY_UNIX && HAVE(unix_sock_peer))
		address = unix_ends(&k, sk);
	else if (k.family == FAMILY_NETLINK && HAVE(netlink_sock_portid))
		k.port_id = get32(sk + off.netlink_sock_portid);
	if (asked_for(peers))
		k.netns = sock_netns(sk);
	put_bytes(s, &k, sizeof(k));
	s->file.out.detail = CT_FILE_SOCKET;
	s->file.out.detail_len = sizeof(k);
	len = k.path_len;
	at = s->off;
	bound(len);
	bound(at);
	if (!address || !len || len > SUN_PATH || at > SCRATCH_DATA)
		return 0;
	bpf_probe_read_kernel(&s->data[at], len, (void *)(address + off.unix_address_name + SUN_FAMILY));
	len = (len + 3) & ~3ull;
	s->off = at + len;
	s->file.out.detail_len += len;
	return 0;
}

#define put_detail(s, kind, v)                          \
	do {                                            \
		put_bytes(s, &(v), sizeof(v));          \
		(s)->file.out.detail = kind;            \
		(s)->file.out.detail_len = sizeof(v);   \
	} while (0)

/* Number i of a struct pid. */
static __always_inline void pid_at(struct upid *u, __u64 pid, __u32 i)
{
	bpf_probe_read_kernel(u, sizeof(*u), (void *)(pid + off.pid_numbers + i * sizeof(*u)));
}

/* CT_FILE_PIDFD: the number in the caller's pid namespace, as procfs would show it there. */
__noinline int put_pidfd(struct scratch *s, __u64 pid)
{
	__u64 own = get64(bpf_get_current_task() + off.task_struct_thread_pid);
	__u32 level = get32(own + off.pid_level) & (CT_NS_LEVELS - 1);
	struct ct_file_pidfd k = { .pid = -1 };
	struct upid mine = {}, u = {};

	if (!s || !asked_for(files) || !pid)
		return 0;
	pid_at(&u, pid, 0);
	k.host_pid = u.nr;
	/* No task has it any more. */
	if (get64(pid + off.pid_tasks)) {
		k.pid = 0;
		pid_at(&mine, own, level);
		pid_at(&u, pid, level);
		if (level <= get32(pid + off.pid_level) && u.ns == mine.ns)
			k.pid = u.nr;
	}
	put_detail(s, CT_FILE_PIDFD, k);
	return 0;
}

/* The first eight bytes of a name. */
#define NAME(a, b, c, d, e, f, g, h) \
	((__u64)(a) | (__u64)(b) << 8 | (__u64)(c) << 16 | (__u64)(d) << 24 | (__u64)(e) << 32 | (__u64)(f) << 40 | (__u64)(g) << 48 | (__u64)(h) << 56)
#define NAME_EVENTFD  NAME('[', 'e', 'v', 'e', 'n', 't', 'f', 'd')
#define NAME_SIGNALFD NAME('[', 's', 'i', 'g', 'n', 'a', 'l', 'f')
#define NAME_PIDFD    NAME('[', 'p', 'i', 'd', 'f', 'd', ']', 0)

/* The details of a file of the kernel's own, by its name. */
static __always_inline void put_anon(struct scratch *s, __u64 private)
{
	__u64 name = get64(get64(s->file.dentry + off.dentry_d_name + off.qstr_name));

	if (name == NAME_EVENTFD && HAVE(eventfd_ctx_count)) {
		struct ct_file_eventfd k = {};

		k.count = get64(private + off.eventfd_ctx_count);
		if (HAVE(eventfd_ctx_flags))
			k.flags = get32(private + off.eventfd_ctx_flags);
		if (HAVE(eventfd_ctx_id))
			k.id = get32(private + off.eventfd_ctx_id);
		put_detail(s, CT_FILE_EVENTFD, k);
	} else if (name == NAME_SIGNALFD && HAVE(signalfd_ctx_sigmask)) {
		/* The kernel keeps the others. */
		struct ct_file_signalfd k = { ~get64(private + off.signalfd_ctx_sigmask) };

		put_detail(s, CT_FILE_SIGNALFD, k);
	} else if (name == NAME_PIDFD) {
		/* Before 6.9; since then a file system of their own. */
		put_pidfd(s, private);
	}
}

#define MODE_TYPE 0170000
#define MODE_CHAR 0020000
#define DEV_PTMX (5u << 20 | 2)

/* What is known of the file beside its path. */
__noinline int put_file_detail(struct scratch *s, __u64 file, __u64 inode)
{
	__u64 private;

	if (!s || !asked_for(files))
		return 0;
	private = get64(file + off.file_private_data);
	switch (s->file.out.magic) {
	case MAGIC_SOCKET:
		if (private)
			put_socket(s, get64(private + off.socket_sk), private);
		return 0;
	case MAGIC_ANON:
		put_anon(s, private);
		return 0;
	case MAGIC_PID:
		put_pidfd(s, get64(inode + off.inode_i_private));
		return 0;
	}
	if ((s->file.out.mode & MODE_TYPE) == MODE_CHAR && s->file.out.rdev == DEV_PTMX && private && HAVE(tty_struct_index)) {
		struct ct_file_ptmx k = {};

		k.index = get32(get64(private + off.tty_file_private_tty) + off.tty_struct_index);
		put_detail(s, CT_FILE_PTMX, k);
	}
	return 0;
}

/* The name of a file that lies in no directory. */
static __always_inline void put_nameless(struct scratch *s, __u64 inode)
{
	s->file.out.flags |= CT_FILE_NAMELESS;
	if (s->file.out.magic != MAGIC_NS)
		put_name(s, get64(s->file.dentry + off.dentry_d_name + off.qstr_name));
	else if (HAVE(ns_common_ops))
		put_name(s, get64(get64(get64(inode + off.inode_i_private) + off.ns_common_ops) + off.proc_ns_operations_name));
}

static __always_inline void put_names(struct scratch *s, __u64 inode)
{
	__u64 dentry = s->file.dentry, fs;

	s->file.names = s->off;
	if (get64(dentry + off.dentry_d_parent) == dentry && dentry != get64(s->file.mnt + off.vfsmount_mnt_root)) {
		put_nameless(s, inode);
		return;
	}
	if (asked_for(files) < CT_FILES_PATHS)
		return;
	if (get64(dentry + off.dentry_d_parent) != dentry && !get64(dentry + off.dentry_d_hash + off.hlist_bl_node_pprev))
		s->file.out.flags |= CT_FILE_DELETED;
	fs = get64(bpf_get_current_task() + off.task_struct_fs) + off.fs_struct_root;
	s->file.root_mnt = get64(fs + off.path_mnt);
	s->file.root_dentry = get64(fs + off.path_dentry);
	put_path(s);
}

/* Finds the file: its path, and its inode as the result; 0: there is none. */
static __always_inline __u64 file_found(struct scratch *s, __u32 fd, __u64 *ret_file)
{
	__u64 file = 0, path;

	if (fd == (__u32)CT_FD_CWD) {
		path = get64(bpf_get_current_task() + off.task_struct_fs) + off.fs_struct_pwd;
	} else {
		file = task_file(s->file.task, fd);
		if (!file)
			return 0;
		path = file + off.file_f_path;
	}
	s->file.mnt = get64(path + off.path_mnt);
	s->file.dentry = get64(path + off.path_dentry);
	*ret_file = file;
	return get64(file ? file + off.file_f_inode : s->file.dentry + off.dentry_d_inode);
}

#define FILE_ROOM 8192  /* of one file: names, details */

/* Takes down what a descriptor is; nothing for one that is none. */
__noinline int capture_file(struct scratch *s, __u32 fd, __u32 whose)
{
	struct cap_hdr h = { .part = CT_PART_FD, .idx = whose };
	__u64 start, inode, file, len;

	if (!s || !asked_for(files))
		return 0;
	start = s->off;
	bound(start);
	if (start > SCRATCH_DATA - FILE_ROOM)
		return 0;
	if (whose < CT_FD_OTHERS)
		s->file.task = bpf_get_current_task();
	inode = s->file.task ? file_found(s, fd, &file) : 0;
	if (!inode)
		return 0;
	s->file.out = (struct ct_file){ .fd = fd };
	s->file.out.ino = get64(inode + off.inode_i_ino);
	s->file.out.mode = get16(inode + off.inode_i_mode);
	s->file.out.rdev = get32(inode + off.inode_i_rdev);
	s->file.out.magic = inode_magic(inode);
	s->off = start + sizeof(h) + sizeof(s->file.out);
	if (file)
		put_file_detail(s, file, inode);
	put_names(s, inode);
	len = s->off - start - sizeof(h);
	/* Once more: 6.1 forgets what it knew of a number that went by the stack. */
	bound(start);
	if (start > SCRATCH_DATA - FILE_ROOM)
		return 0;
	h.flags = s->flags;
	h.len = len;
	h.true_len = len;
	bpf_probe_read_kernel(&s->data[start], sizeof(h), &h);
	bpf_probe_read_kernel(&s->data[start + sizeof(h)], sizeof(s->file.out), &s->file.out);
	s->off = (s->off + 3) & ~3ull;
	return 0;
}

/* Notes a descriptor that is to be looked at: here the calls of the program are too deep for that. */
static __always_inline void list_fd(struct scratch *s, __u32 fd)
{
	__u64 n = s->n_fds;

	bound(n);
	if (n >= FD_LIST)
		return;
	s->fds[n] = fd;
	s->n_fds = n + 1;
}

static long file_step(__u32 i, void *walk)
{
	struct walk *w = walk;
	__u64 n = i;

	bound(n);
	if (n >= FD_LIST || n >= w->s->n_fds)
		return 1;
	capture_file(w->s, w->s->fds[n], CT_FD_OWN);
	return 0;
}

/* The descriptors that were noted. */
__noinline int capture_listed(struct scratch *s)
{
	struct walk w = { .s = s };

	if (!s || !asked_for(files))
		return 0;
	walk_loop(FD_LIST, file_step, &w);
	s->n_fds = 0;
	if (s->others) {
		s->others = 0;
		for (__u32 i = 0; i < CT_FD_OTHER_MAX; i++) {
			s->file.task = s->other_task[i];
			s->other_task[i] = 0;
			if (s->file.task)
				capture_file(s, s->other_fd[i], CT_FD_OTHERS + i);
		}
	}
	return 0;
}

/* Notes the descriptors among the arguments. */
static __always_inline void list_args(struct scratch *s, const struct cap_spec *spec)
{
	for (__u32 i = 0; i < CT_ARGS; i++) {
		__s32 fd = s->args[i];

		if ((spec->fds >> i & 1) && (fd >= 0 || (fd == CT_FD_CWD && spec->cwds >> i & 1)))
			list_fd(s, fd);
	}
}

#endif
