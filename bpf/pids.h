/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_PIDS_H
#define CTRACE_BPF_PIDS_H
/*
 * Whose a number is that a call has as an argument, in its results or in
 * memory: looked up in the caller's pid namespace, at the time of the call.
 * Only with cfg.pids (--decode-pids); pid_find() also for the files of others (-y).
 */
#include "bpf/state.h"

/* What is told of tasks that have ended: a parent that has waited for its child finds it in no namespace any more. */
struct ended_key {
	__u32 pidns;            /* inum */
	__u32 nr;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, struct ended_key);
	__type(value, struct ct_pid);
} ended SEC(".maps");

static __always_inline __u64 load_u64(__u64 addr)
{
	__u64 v = 0;

	bpf_probe_read_kernel(&v, sizeof(v), (void *)addr);
	return v;
}

static __always_inline struct upid upid_at(__u64 pid, __u32 level)
{
	struct upid u = {};

	bpf_probe_read_kernel(&u, sizeof(u), (void *)pid + bpf_core_field_offset(struct pid, numbers) + level * sizeof(u));
	return u;
}

#define XA_LEVELS 5             /* of 64 slots each; a pid has 22 bits */
#define XA_NODE 2               /* the two low bits of an entry that is a node */

/* Where the namespace's numbers lead, as idr_find() does; 0: nowhere. What it finds may be on its way out. */
__noinline __u64 pid_find(__u64 ns_addr, __u32 nr)
{
	struct pid_namespace *ns = (void *)ns_addr;
	struct xa_node *node;
	__u64 entry;
	__u8 shift;

	if (!asked_for(pids) && !asked_for(files))
		return 0;
	entry = (__u64)BPF_CORE_READ(ns, idr.idr_rt.xa_head);
	for (int i = 0; i < XA_LEVELS && (entry & 3) == XA_NODE; i++) {
		node = (void *)(entry - XA_NODE);
		shift = 0;
		bpf_probe_read_kernel(&shift, sizeof(shift), &node->shift);
		shift &= 31;
		if (!i && nr >> shift >= 64)
			return 0;
		entry = load_u64((__u64)&node->slots[nr >> shift & 63]);
	}
	return entry & 3 ? 0 : entry;
}

/* Of what it is the number. */
static __always_inline void pid_uses(__u64 pid, struct ct_pid *p)
{
	__u64 first[4] = {};    /* tasks of each enum pid_type: a task, a thread group, a process group, a session */

	bpf_probe_read_kernel(first, sizeof(first), (void *)pid + bpf_core_field_offset(struct pid, tasks));
	p->is = (first[0] ? CT_PID_TASK : 0) | (first[2] || first[3] ? CT_PID_GROUP : 0);
	__builtin_memset(p->comm, 0, sizeof(p->comm));
	if (first[0])
		bpf_probe_read_kernel(p->comm, sizeof(p->comm),
				      (void *)first[0] - bpf_core_field_offset(struct task_struct, pid_links) + bpf_core_field_offset(struct task_struct, comm));
}

/*
 * Fills s->pid with whose a number is; negative: a group's. 0 if nobody has it. With past also whose it was: what a
 * call or signal tells of may have ended.
 */
__noinline int pid_look(struct scratch *s, __s32 nr, __u32 past)
{
	struct task_struct *t = bpf_get_current_task_btf();
	struct ended_key key = {};
	struct ct_pid *old;
	struct upid own;
	__u64 pid;
	__u32 level;

	if (!asked_for(pids) || !s)
		return 0;
	s->pid.nr = 0;
	if (!nr || nr == -1)
		return 0;
	key.nr = nr < 0 ? 0u - (__u32)nr : (__u32)nr;
	pid = (__u64)BPF_CORE_READ(t, thread_pid);
	level = BPF_CORE_READ((struct pid *)pid, level);
	if (!pid || level >= CT_NS_LEVELS)
		return 0;
	own = upid_at(pid, level);
	pid = pid_find((__u64)own.ns, key.nr);
	/* A node that is freed meanwhile may lead astray. */
	if (pid && upid_at(pid, level).nr == (int)key.nr) {
		pid_uses(pid, &s->pid);
		s->pid.host_nr = level ? upid_at(pid, 0).nr : 0;
		s->pid.nr = key.nr;
		return 1;
	}
	if (!past)
		return 0;
	key.pidns = BPF_CORE_READ(own.ns, ns.inum);
	old = bpf_map_lookup_elem(&ended, &key);
	if (!old)
		return 0;
	s->pid = *old;
	return 1;
}

/* A capture of whose a number is, if anybody's. */
__noinline int cap_pid(struct scratch *s, __s32 nr, __u32 past)
{
	struct cap_hdr *h;
	__u64 off;

	if (!asked_for(pids) || !s || !pid_look(s, nr, past))
		return 0;
	off = s->off;
	bound(off);
	if (off > SCRATCH_DATA - sizeof(*h) - sizeof(s->pid))
		return 0;
	h = (void *)&s->data[off];
	__builtin_memset(h, 0, sizeof(*h));
	h->part = CT_PART_PID;
	h->flags = s->flags;
	h->len = sizeof(s->pid);
	h->true_len = sizeof(s->pid);
	__builtin_memcpy(h + 1, &s->pid, sizeof(s->pid));
	s->off += sizeof(*h) + sizeof(s->pid);
	return 0;
}

/* Those in registers, when a call begins. */
static __always_inline void cap_pid_args(struct scratch *s, const struct cap_spec *spec)
{
	for (__u32 i = 0; i < CT_ARGS; i++) {
		if (spec->pids & 1u << i)
			cap_pid(s, (__s32)s->args[i], 0);
	}
}

/* CAP_PID */
static __always_inline void cap_pid_there(struct scratch *s, __u64 addr)
{
	__s32 nr = 0;

	if (bpf_probe_read_user(&nr, sizeof(nr), (void *)addr)) {
		s->unread = 1;
		return;
	}
	cap_pid(s, nr, s->when == CAP_EXIT);
}

#define CREDS_MAX 8             /* control messages that are looked at */
#define SOL_SOCKET 1
#define SCM_CREDENTIALS 2

/* CAP_CREDS: the control messages of a struct msghdr. */
__noinline int cap_creds(struct scratch *s, __u64 msg)
{
	__u64 word, addr = 0, left = 0, len;
	__u32 kind[2];

	if (!asked_for(pids) || !s)
		return 0;
	/* name, namelen, iov, iovlen: four words */
	word = s->compat ? 4 : 8;
	bpf_probe_read_user(&addr, word, (void *)(msg + 4 * word));
	bpf_probe_read_user(&left, word, (void *)(msg + 5 * word));
	for (int i = 0; i < CREDS_MAX && addr && left >= word + 8; i++) {
		len = 0;
		if (bpf_probe_read_user(&len, word, (void *)addr) || bpf_probe_read_user(kind, sizeof(kind), (void *)(addr + word)))
			break;
		if (len < word + 8 || len > left)
			break;
		if (kind[0] == SOL_SOCKET && kind[1] == SCM_CREDENTIALS)
			cap_pid_there(s, addr + word + 8);
		len = (len + word - 1) & ~(word - 1);
		if (len > left)
			break;
		addr += len;
		left -= len;
	}
	return 0;
}

/* A task that ends, by its numbers in its own namespace and in those around it. */
__noinline int pid_ended(__u64 task_addr)
{
	struct task_struct *t = (void *)task_addr;
	struct pid *pid;
	struct ct_pid v = { .is = CT_PID_TASK };
	__u32 level, host;

	if (!asked_for(pids))
		return 0;
	pid = BPF_CORE_READ(t, thread_pid);
	level = BPF_CORE_READ(pid, level);
	bpf_probe_read_kernel(v.comm, sizeof(v.comm), &t->comm);
	host = upid_at((__u64)pid, 0).nr;
	for (int i = 0; pid && i < 4 && level < CT_NS_LEVELS; i++) {
		struct upid u = upid_at((__u64)pid, level);
		struct ended_key key = { .nr = u.nr };

		key.pidns = BPF_CORE_READ(u.ns, ns.inum);
		v.nr = u.nr;
		v.host_nr = level ? host : 0;
		bpf_map_update_elem(&ended, &key, &v, BPF_ANY);
		if (!level--)
			break;
	}
	return 0;
}

#endif
