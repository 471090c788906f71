/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_WANTED_H
#define CTRACE_BPF_WANTED_H
/* Directories that a target waits for: by which of its names one is known, and the record that tells of it. */
#include "bpf/record.h"

/*
 * The keys by which a directory may be wanted, one after the other: its name
 * with that of the directory around it, its name, the end of its name, its path.
 */
enum { KEY_PARENT, KEY_NAME, KEY_END, KEY_PATH, KEYS };

#define END_KEY 65u     /* ":" and an ID of 64 digits */

static __always_inline bool wanted_key(struct ct_wanted_key *k, int which, __u64 cgroup_addr, __u64 path_addr)
{
	struct cgroup *c = (void *)cgroup_addr;
	struct kernfs_node *kn = BPF_CORE_READ(c, kn), *parent;
	const char *name = BPF_CORE_READ(kn, name);
	__u64 n;
	long r;

	__builtin_memset(k, 0, sizeof(*k));
	if (which == KEY_PATH)
		return bpf_probe_read_kernel_str(k->key, sizeof(k->key), (void *)path_addr) > 0;
	r = bpf_probe_read_kernel_str(k->key, sizeof(k->key), name);
	if (which == KEY_NAME || r <= 0)
		return r > 0;
	if (which == KEY_END) {
		if (r <= (long)END_KEY + 1)
			return false;
		__builtin_memset(k, 0, sizeof(*k));
		return bpf_probe_read_kernel_str(k->key, sizeof(k->key), name + r - 1 - END_KEY) > 0 && k->key[0] == ':';
	}
	parent = kernfs_parent(kn);
	if (!parent)
		return false;
	__builtin_memset(k, 0, sizeof(*k));
	r = bpf_probe_read_kernel_str(k->key, CT_WANTED_KEY / 2, BPF_CORE_READ(parent, name));
	n = r;
	bound(n);
	if (r <= 1 || n > CT_WANTED_KEY / 2)
		return false;
	k->key[n - 1] = '/';
	return bpf_probe_read_kernel_str(k->key + n, CT_WANTED_KEY / 2, name) > 0;
}

/* The target that wants this directory, on hierarchy index h. */
__noinline __u32 wanted_by(__u64 cgroup_addr, __u64 path_addr, __u32 h)
{
	struct scratch *s = scratch_get();
	bool refused = false;

	for (int which = 0; s && which < KEYS; which++) {
		struct ct_wanted *w;

		if (refused && which != KEY_PATH)
			continue;
		if (!wanted_key(&s->wanted, which, cgroup_addr, path_addr))
			continue;
		w = bpf_map_lookup_elem(&wanted, &s->wanted);
		if (!w || !(w->hierarchies & 1u << (h & 31)))
			continue;
		if (w->target != CT_NO_TARGET)
			return w->target;
		/* The runtime's own, which is named as the container: it is wanted only by its whole path. */
		refused = true;
	}
	return CT_NO_TARGET;
}

static __noinline int send_made(__u32 target, __u64 id, __u32 hierarchy, __u64 path_addr)
{
	struct task_struct *t = bpf_get_current_task_btf();
	struct ct_entry *e = spare_entry(t, target);
	struct scratch *s = scratch_get();
	struct rec_made *r;
	__u64 len = 0;
	long n;

	if (!s || !e)
		return 0;
	r = (void *)s->data;
	hdr_fill(&r->h, CT_REC_MADE, t, e, bpf_ktime_get_boot_ns());
	r->id = id;
	r->hierarchy = hierarchy;
	n = bpf_probe_read_kernel_str(s->data + sizeof(*r), 4096, (void *)path_addr);
	if (n > 1)
		len = n - 1;
	bound(len);
	if (len > 4095)
		len = 4095;
	r->path_len = len;
	if (bpf_ringbuf_output(&ring, r, sizeof(*r) + len, 0))
		event_lost();
	return 0;
}

#endif
