/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_JUDGE_H
#define CTRACE_BPF_JUDGE_H
/*
 * The one judge: whether a task is in, by the selectors alone; and the cache
 * of its verdicts in the tasks' entries. DESIGN section 3.
 */
#include "bpf/state.h"

struct verdict {
	__u32 target;           /* CT_NO_TARGET: out */
	__u32 by_process, thread_only, held;
};

/*
 * This and the functions like it take addresses as numbers, so that they can
 * be global and are verified once, not at each of their callers: 6.1 lets no
 * pointer to a kernel structure into a global function.
 */

/* Where a walk over a css_set's cgroups is. */
struct links {
	__u64 head, pos;
	__u64 cgroup;           /* what was found */
	__u32 hierarchy, pad;
};

#define LINKS_CHUNK 8

__noinline int links_chunk(struct links *w)
{
	for (int i = 0; w && i < LINKS_CHUNK && w->pos && w->pos != w->head; i++) {
		struct cgrp_cset_link *link = (void *)w->pos - bpf_core_field_offset(struct cgrp_cset_link, cgrp_link);
		struct list_head *pos = (void *)w->pos;
		struct cgroup *c = BPF_CORE_READ(link, cgrp);

		if (c && (__u32)BPF_CORE_READ(c, root, hierarchy_id) == w->hierarchy) {
			w->cgroup = (__u64)c;
			break;
		}
		w->pos = (__u64)BPF_CORE_READ(pos, next);
	}
	return 0;
}

/*
 * The cgroup of a css_set on one v1 hierarchy. Each of them, named ones too,
 * hangs on the set's list of links. The list does not change while the set
 * lives; a task that got another set meanwhile is judged again at its next call.
 */
__noinline __u64 css_cgroup(__u64 css_addr, __u32 hierarchy)
{
	struct css_set *css = (void *)css_addr;
	struct links w = { .hierarchy = hierarchy };

	w.head = css_addr + bpf_core_field_offset(struct css_set, cgrp_links);
	w.pos = (__u64)BPF_CORE_READ(css, cgrp_links.next);
	for (int i = 0; i < 32 / LINKS_CHUNK && !w.cgroup; i++)
		links_chunk(&w);
	return w.cgroup;
}

/* The id of a cgroup's ancestor at a level, its own level included. */
__noinline __u64 cgroup_ancestor_id(__u64 cgroup_addr, __u32 level)
{
	struct cgroup *c = (void *)cgroup_addr;
	struct cgroup___6_0 *old = (void *)c;
	struct cgroup *a = NULL;
	__u64 id = 0;

	if (bpf_core_field_exists(c->ancestors)) {
		bpf_probe_read_kernel(&a, sizeof(a), (void *)c + bpf_core_field_offset(struct cgroup, ancestors) + level * sizeof(a));
		return BPF_CORE_READ(a, kn, id);
	}
	bpf_probe_read_kernel(&id, sizeof(id), (void *)old + bpf_core_field_offset(struct cgroup___6_0, ancestor_ids) + level * sizeof(id));
	return id;
}

/* The directory around one; NULL for a root. */
static __always_inline struct kernfs_node *kernfs_parent(struct kernfs_node *kn)
{
	struct kernfs_node___6_14 *old = (void *)kn;

	if (bpf_core_field_exists(kn->__parent))
		return BPF_CORE_READ(kn, __parent);
	return BPF_CORE_READ(old, parent);
}

#define CGROUP_CHUNK 16
#define LEVELS_CHUNK 8  /* loops in two steps: what the verifier sees is the sum, not the product */

/* The target of the innermost selected cgroup from a level on, outwards, as far as a chunk goes; h: index of the hierarchy. */
__noinline __u32 cgroup_chunk(__u64 cgroup_addr, __u32 h, __u32 level)
{
	for (__u32 i = 0; i < CGROUP_CHUNK && i <= level; i++) {
		struct ct_cgroup_key key = { .hierarchy = h };
		__u32 *target;

		key.id = cgroup_ancestor_id(cgroup_addr, (level - i) & (CT_LEVELS - 1));
		target = bpf_map_lookup_elem(&sel_cgroups, &key);
		if (target)
			return *target;
	}
	return CT_NO_TARGET;
}

/* The target of the innermost selected cgroup among one and its ancestors. */
__noinline __u32 cgroup_target(__u64 cgroup_addr, __u32 h)
{
	struct cgroup *c = (void *)cgroup_addr;
	int level = c ? BPF_CORE_READ(c, level) : -1;
	struct ct_cpu *n = cpu_get();
	__u32 target = CT_NO_TARGET;

	if (level >= CT_LEVELS) {
		if (n)
			n->too_deep++;
		level = CT_LEVELS - 1;
	}
	for (int i = 0; i < CT_LEVELS / CGROUP_CHUNK && level >= 0 && target == CT_NO_TARGET; i++) {
		target = cgroup_chunk(cgroup_addr, h, level);
		level -= CGROUP_CHUNK;
	}
	return target;
}

/* The target that a css_set's cgroups are in. */
__noinline __u32 judge_cgroups(__u64 css_addr)
{
	struct css_set *css = (void *)css_addr;

	for (__u32 h = 0; h < CT_HIERARCHIES && h < cfg.n_hierarchies; h++) {
		__u32 id = cfg.hierarchies[h];
		__u64 cgroup = cfg.v1 && id ? css_cgroup(css_addr, id) : (__u64)BPF_CORE_READ(css, dfl_cgrp);
		__u32 target = cgroup_target(cgroup, h);

		if (target != CT_NO_TARGET)
			return target;
	}
	return CT_NO_TARGET;
}

/* Number i of a struct pid, counted from the initial namespace. */
static __always_inline struct upid pid_number(struct pid *pid, __u32 i)
{
	struct upid u = {};

	bpf_probe_read_kernel(&u, sizeof(u), (void *)pid + bpf_core_field_offset(struct pid, numbers) + i * sizeof(u));
	return u;
}

/* The target whose pid namespace a struct pid is numbered in, from one level on, outwards, as far as a chunk goes. */
__noinline __u32 pidns_chunk(__u64 pid_addr, __u32 level)
{
	for (__u32 i = 0; i < LEVELS_CHUNK && i <= level; i++) {
		struct upid u = pid_number((void *)pid_addr, level - i);
		__u32 inum = BPF_CORE_READ(u.ns, ns.inum), *target;

		target = bpf_map_lookup_elem(&sel_pidns, &inum);
		if (target)
			return *target;
	}
	return CT_NO_TARGET;
}

/* --nsenter: the target whose pid namespace a task is in, or in one below. */
__noinline __u32 judge_pidns(__u64 pid_addr)
{
	struct pid *pid = (void *)pid_addr;
	int level = pid ? BPF_CORE_READ(pid, level) : -1;
	__u32 target = CT_NO_TARGET;

	for (int i = 0; i < CT_NS_LEVELS / LEVELS_CHUNK + 1 && level >= 0 && target == CT_NO_TARGET; i++) {
		target = pidns_chunk(pid_addr, level);
		level -= LEVELS_CHUNK;
	}
	return target;
}

/* A selector that names a struct pid by one of its numbers, from one level on, outwards, as far as a chunk goes. */
__noinline int selector_chunk(struct verdict *v, __u64 pid_addr, __u64 start, __u32 thread, __u32 level)
{
	for (__u32 i = 0; v && i < LEVELS_CHUNK && i <= level; i++) {
		struct upid u = pid_number((void *)pid_addr, level - i);
		struct ct_task_key key = { .thread = thread };
		struct ct_task_selector *s;

		key.pidns = BPF_CORE_READ(u.ns, ns.inum);
		key.nr = u.nr;
		s = bpf_map_lookup_elem(&sel_tasks, &key);
		if (!s || (s->start && s->start != start / CT_TICK_NS))
			continue;
		v->target = s->target;
		v->held = s->flags & CT_SELECT_HELD;
		v->thread_only = thread;
		v->by_process = 1;
		break;
	}
	return 0;
}

/* The same in any of its namespaces: into v. start: boottime of the task. */
__noinline int find_selector(struct verdict *v, __u64 pid_addr, __u64 start, __u32 thread)
{
	struct pid *pid = (void *)pid_addr;
	int level = pid ? BPF_CORE_READ(pid, level) : -1;

	for (int i = 0; v && i < CT_NS_LEVELS / LEVELS_CHUNK + 1 && level >= 0 && !v->by_process; i++) {
		selector_chunk(v, pid_addr, start, thread, level);
		level -= LEVELS_CHUNK;
	}
	return 0;
}

#define ADOPTED_COUNTED 0x80000000u      /* with the target: the task counts as one of its living ones */

/* A verdict that is kept by number: of a child of a task that ended before it was judged, or where no entry could be had. */
__noinline int find_adopted(struct verdict *v, __u64 start, __u32 tid)
{
	struct ct_adopted_key key = { .start = start, .tid = tid };
	__u32 *target = bpf_map_lookup_elem(&adopted, &key);

	if (!v || v->by_process || !target)
		return 0;
	v->target = *target & ~ADOPTED_COUNTED;
	v->by_process = 1;
	return 1;
}

/* The verdict of an ancestor, or (as_group) of the leader of its thread group. */
__noinline int find_verdict(struct verdict *v, struct ct_entry *e, __u32 as_group)
{
	/* A thread is in with its group, but for a leader that was selected alone. */
	if (!v || v->by_process || !e || !e->epoch || !e->by_process || e->target == CT_NO_TARGET || (as_group && e->thread_only))
		return 0;
	v->target = e->target;
	v->by_process = 1;
	return 1;
}

/* One of a task and its parents: whether it is named, or has a verdict of its own. */
static __always_inline bool ask_parent(struct task_struct *p, struct verdict *v, bool is_parent)
{
	__u64 start = BPF_CORE_READ(p, start_boottime);

	find_selector(v, (__u64)BPF_CORE_READ(p, thread_pid), start, 1);
	find_selector(v, (__u64)BPF_CORE_READ(p, group_leader, thread_pid), BPF_CORE_READ(p, group_leader, start_boottime), 0);
	/* What a held COMMAND forks, or a thread selected alone, is a task of its own. */
	if (is_parent)
		v->held = v->thread_only = 0;
	find_adopted(v, start, BPF_CORE_READ(p, pid));
	if (is_parent)
		find_verdict(v, entry_get(p), 0);
	return v->by_process;
}

/*
 * Whether a process target has this task: it is named, or its nearest ancestor
 * with a verdict is in. The pointers are loaded as seldom as can be, and all
 * before the first branch: from 6.4 on the verifier searches the kernel's BTF, a
 * millisecond, for each and each time that it comes by. So a parent that is a
 * thread is not asked for its leader's entry; its own, and the numbers of both, are.
 */
static __noinline int judge_processes(struct task_struct *t, struct verdict *v, __u32 chain)
{
	struct task_struct *leader = t->group_leader, *p = t, *parents[CT_CHAIN] = {};

	for (__u32 i = 1; i < CT_CHAIN && i < chain; i++) {
		p = p->real_parent;
		parents[i] = p;
	}
	barrier();
	find_verdict(v, entry_get(leader), 1);
	if (ask_parent(t, v, false))
		return 1;
	for (__u32 i = 1; i < CT_CHAIN && i < chain; i++) {
		if (ask_parent(parents[i], v, true))
			return 1;
	}
	return 0;
}

/*
 * The part of it that needs no entry: the target of a task that is named itself,
 * or whose verdict is kept by number. Of a call that ends and whose task's entry is not to be had.
 */
static __noinline __u32 named_target(struct task_struct *t)
{
	struct verdict v = { .target = CT_NO_TARGET };

	ask_parent(t, &v, false);
	return v.target;
}

/*
 * chain: how many of the task and its parents are asked for process targets,
 * which costs the verifier 5 ms each in each program that does. Where it is 0
 * a call or the scan has given the verdict before, or the task's next call will.
 */
static __always_inline void judge(struct task_struct *t, struct verdict *v, __u32 chain)
{
	v->target = CT_NO_TARGET;
	if (cfg.all) {
		v->target = 0;
		return;
	}
	/* First what is for life: of a task in a cgroup target, too, that it may leave. */
	if (cfg.have_tasks && chain)
		judge_processes(t, v, chain);
	if (v->by_process)
		return;
	if (cfg.n_hierarchies) {
		v->target = judge_cgroups((__u64)BPF_CORE_READ(t, cgroups));
		if (v->target != CT_NO_TARGET)
			return;
	}
	if (cfg.nsenter)
		v->target = judge_pidns((__u64)BPF_CORE_READ(t, thread_pid));
}

/* The number of a struct pid in a namespace from one level on, outwards, as far as a chunk goes; 0: none. */
__noinline __u32 number_chunk(__u64 pid_addr, __u32 pidns, __u32 level)
{
	for (__u32 i = 0; i < LEVELS_CHUNK && i <= level; i++) {
		struct upid u = pid_number((void *)pid_addr, level - i);

		if (BPF_CORE_READ(u.ns, ns.inum) == pidns)
			return u.nr;
	}
	return 0;
}

/* The number of a struct pid in a namespace; 0: none. */
__noinline __u32 number_in(__u64 pid_addr, __u32 pidns)
{
	struct pid *pid = (void *)pid_addr;
	int level = pid ? BPF_CORE_READ(pid, level) : -1;
	__u32 nr = 0;

	/* From the innermost: that is where a container's number is. */
	for (int i = 0; i < CT_NS_LEVELS / LEVELS_CHUNK + 1 && level >= 0 && !nr; i++) {
		nr = number_chunk(pid_addr, pidns, level);
		level -= LEVELS_CHUNK;
	}
	return nr;
}

static __always_inline struct ct_target *target_get(__u32 i)
{
	return bpf_map_lookup_elem(&targets, &i);
}

/* A task's numbers in the pid namespace of its target. */
static __always_inline void set_numbers(struct ct_entry *e, struct task_struct *t)
{
	struct ct_target *target = target_get(e->target);

	if (!target)
		return;
	e->tid = number_in((__u64)BPF_CORE_READ(t, thread_pid), target->pidns);
	e->tgid = number_in((__u64)BPF_CORE_READ(t, group_leader, thread_pid), target->pidns);
}

/* Whether a file is a container runtime's: its name begins with one of the known names. */
__noinline int is_runtime(__u64 file_addr)
{
	struct file *f = (void *)file_addr;
	__u64 name[2] = {};
	const unsigned char *p = f ? BPF_CORE_READ(f, f_path.dentry, d_name.name) : NULL;

	if (!p || bpf_probe_read_kernel_str(name, sizeof(name), p) < 0)
		return 0;
	for (int i = 0; i < CT_RUNTIMES; i++) {
		const volatile struct ct_prefix *r = &cfg.runtimes[i];

		if (r->mask[0] && (name[0] & r->mask[0]) == r->value[0] && (name[1] & r->mask[1]) == r->value[1])
			return 1;
	}
	return 0;
}

static __always_inline __u8 first_phase(struct task_struct *t, __u32 i)
{
	struct ct_target *target = target_get(i);
	struct mm_struct *mm = BPF_CORE_READ(t, mm);

	if (!target || !(target->flags & CT_TARGET_CONTAINER) || !mm)
		return PHASE_CONTAINER;
	return is_runtime((__u64)BPF_CORE_READ(mm, exe_file)) ? PHASE_RUNTIME : PHASE_CONTAINER;
}

static __always_inline void count_origin(struct task_struct *t, enum origin origin)
{
	struct ct_cpu *n = cpu_get();

	if (!n)
		return;
	if (origin == BY_FORK)
		n->by_fork++;
	else if (origin == BY_MOVE)
		n->by_move++;
	else if (origin == BY_SCAN && ctl.scan_pass > 1)
		n->by_rescan++;
	else if (origin == BY_SCAN || (!ctl.announced && t->start_boottime < ctl.attached))
		n->at_start++;
	else
		n->on_first_call++;
}

static __always_inline void target_live(__u32 i, __s64 change)
{
	struct ct_target *target = target_get(i);

	if (target)
		__sync_fetch_and_add(&target->live, change);
}

/* The verdict of a task that may have no entry at all: kept by number. */
__noinline int adopt(__u64 start, __u32 tid, __u32 value)
{
	struct ct_adopted_key key = { .start = start, .tid = tid };
	struct ct_cpu *n = cpu_get();
	int err = bpf_map_update_elem(&adopted, &key, &value, BPF_ANY);

	if (err && n)
		n->adopt_failed++;
	return err;
}

/* The same of one that makes calls: it is one of the living tasks of its target. 1: it was not before. */
__noinline int adopt_living(__u64 start, __u32 tid, __u32 target)
{
	struct ct_adopted_key key = { .start = start, .tid = tid };
	__u32 *value = bpf_map_lookup_elem(&adopted, &key);

	if ((value && *value & ADOPTED_COUNTED) || adopt(start, tid, target | ADOPTED_COUNTED))
		return 0;
	ctl.adopted_living = 1;
	target_live(target, 1);
	return 1;
}

/* It ended, or has an entry now. 1: it was one of the living. */
__noinline int adopted_done(__u64 start, __u32 tid)
{
	struct ct_adopted_key key = { .start = start, .tid = tid };
	__u32 *value = bpf_map_lookup_elem(&adopted, &key);
	__u32 target;

	if (!value)
		return 0;
	target = *value;
	if (bpf_map_delete_elem(&adopted, &key) || !(target & ADOPTED_COUNTED))
		return 0;
	target_live(target & ~ADOPTED_COUNTED, -1);
	return 1;
}

/* A task that was out, or without a verdict, is in from now on. */
static __always_inline void mark_in(struct ct_entry *e, struct task_struct *t, const struct verdict *v, enum origin origin)
{
	e->target = v->target;
	if (__sync_lock_test_and_set(&e->in, 1))
		return;
	e->by_process = v->by_process;
	e->thread_only = v->thread_only;
	e->held = v->held;
	e->state = CALL_MAYBE;
	e->leaving = 0;
	e->phase = first_phase(t, v->target);
	set_numbers(e, t);
	target_live(v->target, 1);
	if (ctl.adopted_living && v->by_process && adopted_done(BPF_CORE_READ(t, start_boottime), BPF_CORE_READ(t, pid)))
		return;
	if (!v->held)
		count_origin(t, origin);
}

static __always_inline bool verdict_holds_for(const struct ct_entry *e, __u64 css)
{
	/* The way of every call of every task that is not traced. */
	if ((e->epoch == ctl.epoch || (BROKEN(EPOCH) && e->epoch)) && e->css == css)
		return true;
	if (e->never)
		return true;
	return e->epoch && e->by_process && e->target != CT_NO_TARGET;
}

/*
 * A direct load costs 2 ns where BPF_CORE_READ costs 20, but for each direct
 * load of a pointer the verifier searches the kernel's BTF for 20 us. So it is
 * for the system call programs alone.
 */
static __always_inline bool verdict_holds(const struct ct_entry *e, struct task_struct *t)
{
	return verdict_holds_for(e, (__u64)BPF_CORE_READ(t, cgroups));
}

#endif
