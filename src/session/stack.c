/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* -k: stacks for the calls and signals that go to the sink. */
#include <errno.h>
#include <string.h>

#include "ns/nsid.h"
#include "session/internal.h"
#include "stack/stack.h"

/* Calls that map other files, or the same elsewhere. */
static bool remaps(enum abi abi, uint32_t nr)
{
	static const char *const names[] = { "mmap", "mmap2", "munmap", "mprotect", "pkey_mprotect", "mremap", "remap_file_pages", "shmat", "shmdt" };
	const struct syscall *row = syscall_get(abi, nr);

	for (size_t i = 0; row && i < ARRAY_SIZE(names); i++)
		if (!strcmp(syscall_name(row), names[i]))
			return true;
	return false;
}

/* The process's number in env's /proc; 0: it has none there that is known. */
static pid_t proc_number(const struct session *s, const struct task *t)
{
	if (s->env->pidns_inum == NS_PID_INITIAL)
		return (pid_t)t->host_tgid;
	if (t->target < s->targets->n && s->targets->v[t->target].pidns_inum == s->env->pidns_inum)
		return (pid_t)t->tgid;
	return 0;
}

static const struct stack *stack_of(struct session *s, const struct task *t, const struct call *c)
{
	struct stack_sample sample = { 0 };

	for (unsigned i = c->n_captures; i > 0; i--) {
		const struct capture *cap = &c->captures[i - 1];

		if (cap->part == CT_PART_STACK) {
			sample.memory = cap->data;
			sample.memory_len = cap->len;
		} else if (cap->part == CT_PART_REGS && cap->len >= CT_REGS_SIZE + sizeof(sample.parent)) {
			sample.registers = cap->data;
			memcpy(&sample.parent, (const char *)cap->data + CT_REGS_SIZE, sizeof(sample.parent));
		}
	}
	if (!sample.registers)
		return NULL;
	return stacks_unwind(s->stacks, t->host_tgid, proc_number(s, t), &sample);
}

int session_stack_open(struct session *s)
{
	if (!s->opts.stack || s->opts.counts_only)
		return 0;
	return stacks_new(s->env->proc_fd, s->opts.stack_limit, &s->stacks);
}

void session_stack_take(struct session *s, struct wire_record *rec)
{
	struct call *c = rec->call;

	if (!s->stacks)
		return;
	switch (rec->kind) {
	case WIRE_CALL:
		c->stack = stack_of(s, &c->task, c);
		if (remaps(c->abi, c->nr))
			stacks_changed(s->stacks, c->task.host_tgid);
		break;
	case WIRE_SIGNAL:
		if (c)
			rec->signal.stack = stack_of(s, &rec->signal.task, c);
		break;
	case WIRE_EXEC:
		stacks_exec(s->stacks, rec->exec.task.host_tgid, proc_number(s, &rec->exec.task));
		break;
	case WIRE_EXIT:
		if (rec->exit.group_dead)
			stacks_ended(s->stacks, rec->exit.task.host_tgid);
		break;
	default:
		break;
	}
}
