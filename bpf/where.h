/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_WHERE_H
#define CTRACE_BPF_WHERE_H
/*
 * In which cgroups a process is, as the kernel itself has it. For a ctrace in a
 * container, where neither the cgroups' directories nor their whole paths can
 * be seen. Before the programs are attached: the scratch is used.
 */
#include "bpf/capture.h"
#include "bpf/judge.h"

/* A walk over all thread groups, and then up the cgroups of the one that was found. */
struct where {
	__u64 head, pos;
	__u64 found;            /* its leader */
	__u64 kn;               /* the next cgroup's kernfs_node; 0: of the next hierarchy */
	__u32 h;                /* index of the hierarchy, from 1 */
	__u32 level;
	__u32 done;
};

#define WHERE_CHUNK 64
#define WHERE_LEVELS 32         /* names of a path that are told */
#define WHERE_CHUNKS 4096

__noinline int where_some(struct where *w)
{
	for (int i = 0; w && i < WHERE_CHUNK && !w->done; i++) {
		struct list_head *pos = (void *)w->pos;
		struct task_struct *p = (void *)pos - bpf_core_field_offset(struct task_struct, tasks);

		if (number_in((__u64)BPF_CORE_READ(p, thread_pid), ctl.where_pidns) == ctl.where_nr) {
			w->found = (__u64)p;
			w->done = 1;
		}
		w->pos = (__u64)BPF_CORE_READ(pos, next);
		if (!w->pos || w->pos == w->head)
			w->done = 1;
	}
	return 0;
}

/* The innermost cgroup on the next hierarchy. */
static __always_inline void where_hierarchy(struct where *w)
{
	struct task_struct *t = (void *)w->found;
	struct css_set *css = BPF_CORE_READ(t, cgroups);
	struct cgroup *c;
	__u32 h = w->h++;
	__u32 id;

	if (h >= cfg.n_hierarchies || h >= CT_HIERARCHIES) {
		w->done = 1;
		return;
	}
	id = cfg.hierarchies[h];
	c = id ? (void *)css_cgroup((__u64)css, id) : BPF_CORE_READ(css, dfl_cgrp);
	if (!c)
		return;
	w->kn = (__u64)BPF_CORE_READ(c, kn);
	w->level = BPF_CORE_READ(c, level);
}

/* The next row, into the scratch's data. Its length; 0: there is none in this step. */
__noinline int where_row(struct where *w)
{
	struct scratch *s = scratch_get();
	struct ct_where_row *row;
	struct kernfs_node *kn;
	__u32 h;
	long n;

	if (!w || !s)
		return 0;
	if (!w->kn)
		where_hierarchy(w);
	kn = (void *)w->kn;
	h = w->h - 1;
	if (!kn || h >= CT_HIERARCHIES)
		return 0;
	row = (void *)s->data;
	row->id = BPF_CORE_READ(kn, id);
	row->hierarchy = cfg.hierarchies[h];
	row->level = w->level;
	n = bpf_probe_read_kernel_str(s->data + sizeof(*row), CT_WHERE_NAME + 1, BPF_CORE_READ(kn, name));
	row->name_len = n > 0 ? n - 1 : 0;
	w->kn = w->level ? (__u64)kernfs_parent(kn) : 0;
	w->level--;
	return sizeof(*row) + row->name_len;
}

static __always_inline void where_tell(struct seq_file *seq, struct task_struct *t)
{
	struct where w = {};
	struct scratch *s = scratch_get();

	if (!s)
		return;
	w.pos = w.head = address_of(t) + bpf_core_field_offset(struct task_struct, tasks);
	/* A thread is in no list but its group's. */
	if (t->pid != t->tgid)
		w.pos = w.head = (__u64)BPF_CORE_READ(t, group_leader) + bpf_core_field_offset(struct task_struct, tasks);
	for (int i = 0; i < WHERE_CHUNKS && !w.done; i++)
		where_some(&w);
	if (!w.found)
		return;
	w.done = 0;
	for (int i = 0; i < CT_HIERARCHIES * (WHERE_LEVELS + 1) && !w.done; i++) {
		__u64 len = where_row(&w);

		bound(len);
		if (len > sizeof(struct ct_where_row) + CT_WHERE_NAME)
			break;
		bpf_seq_write(seq, s->data, len);
	}
}

#endif
