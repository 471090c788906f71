/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "session/wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

#define BUCKETS 1024

/* Input of a call that has not ended, by the task's number on the host. */
struct payload {
	struct payload *next;
	uint32_t tid, seq;
	size_t len, allocated;
	uint8_t *data;
};

struct wire {
	struct payload *payloads[BUCKETS];
	struct call call;
};

int wire_new(struct wire **ret_wire)
{
	struct wire *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	*ret_wire = w;
	return 0;
}

static void payload_free(struct payload *p)
{
	if (!p)
		return;
	free(p->data);
	free(p);
}

void wire_free(struct wire *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < BUCKETS; i++) {
		while (w->payloads[i]) {
			struct payload *next = w->payloads[i]->next;

			payload_free(w->payloads[i]);
			w->payloads[i] = next;
		}
	}
	free(w);
}

static struct payload **payload_find(struct wire *w, uint32_t tid)
{
	struct payload **p = &w->payloads[tid % BUCKETS];

	while (*p && (*p)->tid != tid)
		p = &(*p)->next;
	return p;
}

static void payload_drop(struct wire *w, uint32_t tid)
{
	struct payload **p = payload_find(w, tid), *found = *p;

	if (!found)
		return;
	*p = found->next;
	payload_free(found);
}

/* Keeps the captures of a payload; a second one for the same call is added to the first. */
static int payload_keep(struct wire *w, const struct rec_payload *r, const uint8_t *caps)
{
	struct payload **at = payload_find(w, r->h.host_tid), *p = *at;

	if (!p) {
		p = calloc(1, sizeof(*p));
		if (!p)
			return -ENOMEM;
		p->tid = r->h.host_tid;
		p->seq = r->seq;
		*at = p;
	}
	if (p->seq != r->seq) {
		p->seq = r->seq;
		p->len = 0;
	}
	if (p->len + r->caps_len > p->allocated) {
		size_t more = p->len + r->caps_len + 512;
		uint8_t *data = realloc(p->data, more);

		if (!data)
			return -ENOMEM;
		p->data = data;
		p->allocated = more;
	}
	if (r->caps_len)
		memcpy(p->data + p->len, caps, r->caps_len);
	p->len += r->caps_len;
	return 0;
}

static void parse_task(const struct rec_hdr *h, struct task *ret_task)
{
	ret_task->host_tid = h->host_tid;
	ret_task->host_tgid = h->host_tgid;
	ret_task->tid = h->tid;
	ret_task->tgid = h->tgid;
	ret_task->target = h->target;
	memcpy(ret_task->comm, h->comm, CT_COMM_LEN);
	ret_task->comm[CT_COMM_LEN] = 0;
}

/*
 * Where the capture goes: what was read a second time stands for what was read
 * of it at first, if there was anything, and the second time was no worse.
 */
static void keep_capture(struct call *c, const struct capture *cap)
{
	for (unsigned i = 0; cap->flags & CT_CAP_RETRIED && cap->part < CT_PART_COMM && i < c->n_captures; i++) {
		struct capture *old = &c->captures[i];

		if (old->arg != cap->arg || old->part != cap->part || old->idx != cap->idx || old->flags & CT_CAP_AT_EXIT)
			continue;
		if (old->flags & CT_CAP_FAILED || !(cap->flags & CT_CAP_FAILED))
			*old = *cap;
		return;
	}
	if (c->n_captures < CALL_CAPTURES)
		c->captures[c->n_captures++] = *cap;
}

static int parse_captures(struct call *c, const uint8_t *data, size_t len)
{
	while (len) {
		struct cap_hdr h;
		struct capture cap;
		size_t size;

		if (len < sizeof(h))
			return -EBADMSG;
		memcpy(&h, data, sizeof(h));
		if (h.len > len - sizeof(h) || h.arg > CAP_ARG_SP)
			return -EBADMSG;
		/* The last one's padding may lie behind the end. */
		size = MIN(sizeof(h) + (((size_t)h.len + 3) & ~(size_t)3), len);
		cap = (struct capture){
			.arg = h.arg,
			.part = h.part,
			.idx = h.idx,
			.flags = h.flags,
			.len = h.len,
			.true_len = h.true_len,
			.data = data + sizeof(h),
		};
		keep_capture(c, &cap);
		data += size;
		len -= size;
	}
	return 0;
}

/* The call's task is named as it was when the call began. */
static void take_name(struct call *c)
{
	for (unsigned i = c->n_captures; i > 0; i--) {
		const struct capture *cap = &c->captures[i - 1];

		if (cap->part != CT_PART_COMM || cap->len != CT_COMM_LEN)
			continue;
		memcpy(c->task.comm, cap->data, CT_COMM_LEN);
		break;
	}
}

static int parse_call(struct wire *w, const struct rec_syscall *r, size_t len)
{
	struct call *c = &w->call;
	struct payload *p;
	int err;

	if (len < sizeof(*r) || r->caps_len > len - sizeof(*r))
		return -EBADMSG;
	parse_task(&r->h, &c->task);
	c->enter = r->enter_time;
	c->exit = r->h.flags & CT_F_IN_FLIGHT || r->h.kind == CT_REC_ENTER ? 0 : r->h.time;
	c->flags = r->h.flags;
	c->abi = r->h.flags & CT_F_COMPAT ? ABI_COMPAT : ABI_NATIVE;
	c->nr = r->nr;
	memcpy(c->args, r->args, sizeof(c->args));
	c->late = r->h.kind == CT_REC_ENTER ? r->late : 0;
	c->ret = r->ret;
	c->n_captures = 0;
	c->stack = NULL;
	if (r->h.flags & CT_F_PAYLOAD) {
		p = *payload_find(w, r->h.host_tid);
		if (p && p->seq == r->seq) {
			err = parse_captures(c, p->data, p->len);
			if (err)
				return err;
		} else {
			c->flags |= CT_F_PAYLOAD_LOST;
		}
	}
	err = parse_captures(c, (const uint8_t *)(r + 1), r->caps_len);
	take_name(c);
	return err;
}

/* What was captured where a signal came. */
static int parse_place(struct wire *w, const uint8_t *caps, size_t len, struct wire_record *rec)
{
	if (!len)
		return 0;
	w->call.n_captures = 0;
	rec->call = &w->call;
	return parse_captures(&w->call, caps, len);
}

static int parse_event(struct wire *w, const struct rec_hdr *h, size_t len, struct wire_record *rec)
{
	struct task task;

	parse_task(h, &task);
	switch (h->kind) {
	case CT_REC_SIGNAL: {
		const struct rec_signal *r = (const void *)h;

		if (len < sizeof(*r) || r->caps_len > len - sizeof(*r))
			return -EBADMSG;
		rec->kind = WIRE_SIGNAL;
		rec->signal = (struct signal_event){ task, h->time, r->signo, r->code, r->err, r->fields, r->sender.nr ? &r->sender : NULL, r->ip, NULL };
		return parse_place(w, (const uint8_t *)(r + 1), r->caps_len, rec);
	}
	case CT_REC_EXEC: {
		const struct rec_exec *r = (const void *)h;

		if (len < sizeof(*r) || r->filename_len > len - sizeof(*r))
			return -EBADMSG;
		rec->kind = WIRE_EXEC;
		rec->exec = (struct exec_event){ task, h->time, r->old_host_tid, r->old_tid, (const char *)(r + 1), r->filename_len };
		return 0;
	}
	case CT_REC_EXIT: {
		const struct rec_exit *r = (const void *)h;

		if (len < sizeof(*r))
			return -EBADMSG;
		payload_drop(w, h->host_tid);
		rec->kind = WIRE_EXIT;
		rec->exit = (struct exit_event){ task, h->time, (int)r->code, h->flags & CT_F_OOM_KILLED, h->flags & CT_F_GROUP_DEAD };
		return 0;
	}
	case CT_REC_MADE: {
		const struct rec_made *r = (const void *)h;

		if (len < sizeof(*r) || r->path_len > len - sizeof(*r))
			return -EBADMSG;
		rec->kind = WIRE_MADE;
		rec->made = (struct made_event){ task.target, r->id, r->hierarchy, (const char *)(r + 1), r->path_len };
		return 0;
	}
	case CT_REC_STARTED: {
		const struct rec_started *r = (const void *)h;

		if (len < sizeof(*r))
			return -EBADMSG;
		rec->kind = WIRE_STARTED;
		rec->started = (struct first_process){ { task, h->time }, r->start, r->pidns };
		return 0;
	}
	case CT_REC_LEFT:
		if (len < sizeof(struct rec_left))
			return -EBADMSG;
		rec->kind = WIRE_LEFT;
		rec->left = (struct left_event){ task, h->time };
		return 0;
	}
	return -EBADMSG;
}

int wire_parse(struct wire *w, const void *data, size_t len, struct wire_record *ret_record)
{
	const struct rec_hdr *h = data;
	const struct rec_payload *p = data;
	int err;

	ret_record->kind = WIRE_NONE;
	ret_record->call = NULL;
	if (len < sizeof(*h))
		return -EBADMSG;
	ret_record->cpu = h->cpu;
	ret_record->lost = h->lost;
	switch (h->kind) {
	case CT_REC_SYSCALL:
	case CT_REC_ENTER:
		err = parse_call(w, data, len);
		if (err)
			return err;
		ret_record->kind = h->kind == CT_REC_ENTER ? WIRE_ENTER : WIRE_CALL;
		ret_record->call = &w->call;
		return 0;
	case CT_REC_PAYLOAD:
		if (len < sizeof(*p) || p->caps_len > len - sizeof(*p))
			return -EBADMSG;
		return payload_keep(w, p, (const uint8_t *)(p + 1));
	default:
		return parse_event(w, h, len, ret_record);
	}
}
