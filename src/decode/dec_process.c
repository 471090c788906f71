/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Processes and threads: making them, waiting for them, their limits and locks. */
#include "decode/dec_process.h"

#include "decode/dec_poll.h"
#include "decode/dec_signal.h"
#include "decode/field.h"
#include "decode/kinds.h"
#include "util/macros.h"

#include <stdio.h>

/* --- wait --- */

static void status_word(struct dec *d, const char *test, const char *macro, const char *value, const char *more)
{
	char text[128];

	snprintf(text, sizeof(text), "{%s(s) && %s(s) == %s%s}", test, macro, value, more);
	d->ops->word(d->e, text);
}

/* A stop as its tracer is told: a call's stop is marked, an event stands in the upper half. */
static void stop_word(struct dec *d, unsigned code, unsigned event)
{
	const char *known = sym_name(&tab_ptrace_events, event);
	struct words w = { 0 };
	char name[16];

	words_str(&w, "{WIFSTOPPED(s) && WSTOPSIG(s) == ");
	words_str(&w, signal_name((int)(code & 0x7f), name));
	words_str(&w, code & 0x80 ? " | 0x80}" : "}");
	if (event) {
		words_str(&w, "|");
		if (known) {
			words_str(&w, known);
		} else {
			words_hex(&w, event);
			words_str(&w, " /* PTRACE_EVENT_??? */");
		}
		words_str(&w, "<<16");
	}
	d->ops->word(d->e, w.buf);
}

void say_wait_status(struct dec *d, uint32_t status)
{
	unsigned signo = status & 0x7f, code = status >> 8 & 0xff;
	char number[16], name[16];

	d->ops->array_begin(d->e);
	if (!signo) {
		snprintf(number, sizeof(number), "%u", code);
		status_word(d, "WIFEXITED", "WEXITSTATUS", number, "");
	} else if (signo != 0x7f) {
		status_word(d, "WIFSIGNALED", "WTERMSIG", signal_name((int)signo, name), status & 0x80 ? " && WCOREDUMP(s)" : "");
	} else if (status == 0xffff) {
		d->ops->word(d->e, "{WIFCONTINUED(s)}");
	} else if (status & 0x80) {
		say_hex(d, status);
	} else {
		stop_word(d, code, status >> 16);
	}
	d->ops->array_end(d->e);
}

static void decode_wait_status(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	uint32_t status;

	if (d->ok && d->call->ret > 0 && dec_read(d, reg, 0, &status, sizeof(status)))
		say_wait_status(d, status);
	else
		say_addr(d, dec_reg(d, reg));
}

static void capture_wait_status(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, 4);
}

const struct kind kind_wait_status = { .decode = decode_wait_status, .capture = capture_wait_status, .at_end = true };

/* struct rusage: two timevals and 14 longs. */
#define RUSAGE_SIZE(word) (18 * (word))

static void say_rusage(struct dec *d, struct bytes b)
{
	static const char *const names[] = { "ru_maxrss", "ru_ixrss", "ru_idrss", "ru_isrss", "ru_minflt", "ru_majflt", "ru_nswap",
					     "ru_inblock", "ru_oublock", "ru_msgsnd", "ru_msgrcv", "ru_nsignals", "ru_nvcsw",
					     "ru_nivcsw" };

	d->ops->struct_begin(d->e);
	say_field(d, "ru_utime");
	say_timespec(d, b.p, d->word, "tv_usec");
	say_field(d, "ru_stime");
	say_timespec(d, b.p + 2 * d->word, d->word, "tv_usec");
	if (d->opts->no_abbrev)
		for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
			field_udec(d, names[i], get_uint(b, (4 + i) * d->word, d->word));
	else
		d->ops->more(d->e);
	d->ops->struct_end(d->e);
}

/* a: 1 where it is filled in only together with a pid (wait4). */
static void decode_rusage(struct dec *d, const struct arg *a, unsigned reg)
{
	const struct capture *c = dec_good(d, reg, 0, 0);

	if (!d->ok || (a->a && !d->call->ret) || !dec_reg(d, reg))
		say_addr(d, dec_reg(d, reg));
	else if (c && c->len >= RUSAGE_SIZE(d->word))
		say_rusage(d, bytes_of(c));
	else
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
}

static void capture_rusage(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, RUSAGE_SIZE(b->word));
}

const struct kind kind_rusage = { .decode = decode_rusage, .capture = capture_rusage, .at_end = true };

/* --- limits --- */

static void say_limit(struct dec *d, uint64_t v, uint64_t infinity)
{
	char text[32];

	if (v == infinity) {
		d->ops->named(d->e, infinity == UINT64_MAX ? "RLIM64_INFINITY" : "RLIM_INFINITY", v, EMIT_UDEC);
	} else if (v > 1024 && !(v % 1024)) {
		snprintf(text, sizeof(text), "%llu*1024", (unsigned long long)(v / 1024));
		d->ops->named(d->e, text, v, EMIT_UDEC);
	} else {
		say_udec(d, v);
	}
}

/* a: 8 for the structure that is the same on every ABI. */
static unsigned limit_word(unsigned word, const struct arg *a)
{
	return a->a ? a->a : word;
}

static void say_rlimit(struct dec *d, const struct arg *a, unsigned reg)
{
	const struct capture *c = dec_good(d, reg, 0, 0);
	unsigned word = limit_word(d->word, a);
	uint64_t infinity = word == 8 ? UINT64_MAX : UINT32_MAX;

	if (!c || c->len < 2 * word) {
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	say_field(d, "rlim_cur");
	say_limit(d, get_uint(bytes_of(c), 0, word), infinity);
	say_field(d, "rlim_max");
	say_limit(d, get_uint(bytes_of(c), word, word), infinity);
	d->ops->struct_end(d->e);
}

static void decode_rlimit_in(struct dec *d, const struct arg *a, unsigned reg)
{
	say_rlimit(d, a, reg);
}

static void capture_rlimit_in(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, 2 * limit_word(b->word, a));
}

const struct kind kind_rlimit_in = { .decode = decode_rlimit_in, .capture = capture_rlimit_in };

static void decode_rlimit_out(struct dec *d, const struct arg *a, unsigned reg)
{
	if (d->ok)
		say_rlimit(d, a, reg);
	else
		say_addr(d, dec_reg(d, reg));
}

static void capture_rlimit_out(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, 2 * limit_word(b->word, a));
}

const struct kind kind_rlimit_out = { .decode = decode_rlimit_out, .capture = capture_rlimit_out, .at_end = true };

/* --- CPUs and scheduling --- */

#define CPUSET_MAX 128u          /* bytes of a set that strace looks at */

static void decode_cpus(struct dec *d, unsigned reg, uint64_t size)
{
	const struct capture *c = dec_good(d, reg, 0, 0);

	if (dec_reg(d, reg) && !d->opts->addresses && (!size || (c && c->len >= MIN(size, CPUSET_MAX))))
		say_bits(d, bytes_of(c), (unsigned)MIN(size, CPUSET_MAX) * 8, size > CPUSET_MAX);
	else
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
}

static void decode_cpus_in(struct dec *d, const struct arg *a, unsigned reg)
{
	decode_cpus(d, reg, (uint32_t)dec_reg(d, a->a));
}

static void capture_cpus_in(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_block(b, reg, 0, CAP_ENTER, a->a, 1, CPUSET_MAX);
}

const struct kind kind_cpus_in = { .decode = decode_cpus_in, .capture = capture_cpus_in };

static void decode_cpus_out(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	if (d->ok)
		decode_cpus(d, reg, d->call->ret);
	else
		say_addr(d, dec_reg(d, reg));
}

static void capture_cpus_out(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_result(b, reg, 1, CPUSET_MAX);
}

const struct kind kind_cpus_out = { .decode = decode_cpus_out, .capture = capture_cpus_out, .at_end = true };

static void decode_sched_param(struct dec *d, unsigned reg, bool shown)
{
	uint32_t priority;

	if (!shown || !dec_read(d, reg, 0, &priority, sizeof(priority))) {
		say_addr(d, dec_reg(d, reg));
		return;
	}
	d->ops->struct_begin(d->e);
	field_dec(d, "sched_priority", (int32_t)priority);
	d->ops->struct_end(d->e);
}

static void decode_sched_param_in(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	decode_sched_param(d, reg, true);
}

static void capture_sched_param_in(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, 4);
}

const struct kind kind_sched_param_in = { .decode = decode_sched_param_in, .capture = capture_sched_param_in };

static void decode_sched_param_out(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	decode_sched_param(d, reg, d->ok);
}

static void capture_sched_param_out(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, 4);
}

const struct kind kind_sched_param_out = { .decode = decode_sched_param_out, .capture = capture_sched_param_out, .at_end = true };

#define SCHED_RESET_ON_FORK_BIT 0x40000000u

/* A policy, and one flag before it. */
static void decode_sched_policy(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	uint32_t v = (uint32_t)dec_reg(d, reg), policy = v & ~SCHED_RESET_ON_FORK_BIT;
	const char *name = sym_name(&tab_sched_policies, policy);

	if (!(v & SCHED_RESET_ON_FORK_BIT) || v >> 31) {        /* a negative one is none */
		say_sym(d, &tab_sched_policies, v);
		return;
	}
	d->ops->flags_begin(d->e, v);
	d->ops->flag(d->e, "SCHED_RESET_ON_FORK", SCHED_RESET_ON_FORK_BIT);
	if (name || policy)
		d->ops->flag(d->e, name, policy);
	d->ops->flags_end(d->e);
}

const struct kind kind_sched_policy = { .decode = decode_sched_policy };

static void sched_getscheduler_detail(struct dec *d)
{
	const char *name;

	if (!d->ok)
		return;
	name = sym_name(&tab_sched_policies, (uint32_t)d->call->ret);
	if (!name)
		return;
	d->ops->result_detail(d->e);
	d->ops->word(d->e, name);
}

const struct hooks hooks_sched_getscheduler = { .detail = sched_getscheduler_detail };

/* --- clone --- */

#define CLONE_PIDFD_FLAG         0x1000u
#define CLONE_SETTLS_FLAG        0x80000u
#define CLONE_PARENT_SETTID_FLAG 0x100000u
#define CLONE_CHILD_FLAGS        (0x200000u | 0x1000000u)      /* CLONE_CHILD_CLEARTID, CLONE_CHILD_SETTID */

static void say_clone_signal(struct dec *d, unsigned signo)
{
	char buf[16];
	const char *name = signal_name((int)signo, buf);

	d->ops->flag_apart(d->e, *name == 'S' ? name : NULL, signo, EMIT_UDEC);
}

/* Flags, and in their low byte the signal that the parent gets. */
static void say_clone_flags(struct dec *d, uint64_t v)
{
	uint64_t rest = v & ~0xffull;
	unsigned signo = v & 0xff;

	d->ops->flags_begin(d->e, rest);
	for (size_t i = 0; i < tab_clone_flags.n; i++) {
		const struct sym *s = &tab_clone_flags.v[i];

		if (!(rest & s->v))
			continue;
		d->ops->flag(d->e, s->name, s->v);
		rest &= ~s->v;
	}
	if (rest)
		d->ops->flag(d->e, NULL, rest);
	if (signo)
		say_clone_signal(d, signo);
	d->ops->flags_end(d->e);
}

/* [5]: the new task's number, or a descriptor. */
static void say_boxed_number(struct dec *d, unsigned reg, bool pid)
{
	uint32_t v;

	if (!d->ok || !dec_read(d, reg, 0, &v, sizeof(v))) {
		say_addr(d, dec_reg(d, reg));
		return;
	}
	d->ops->array_begin(d->e);
	if (pid)
		say_pid(d, (int32_t)v);
	else
		say_fd_after(d, (int)v);
	d->ops->array_end(d->e);
}

/* The order of the registers after the flags and the stack differs by ABI: parent_tid, then tls and child_tid or reverse. */
static unsigned clone_tls_reg(enum abi abi)
{
	return abi == ABI_X86_64 ? 4 : 3;
}

/* Which register holds what is an ABI's matter, so the names are always shown. */
static void arg_labeled(struct dec *d, const char *name)
{
	d->ops->arg(d->e, name);
	d->ops->field(d->e, name);
}

#define TLS_PART 4

/* On i386 a descriptor of a segment; the part is captured there alone. */
static void say_tls(struct dec *d, const struct capture *c, uint64_t addr)
{
	if (!addr || !say_user_desc_of(d, c))
		say_addr(d, addr);
}

static void clone_decode(struct dec *d)
{
	uint64_t flags = dec_reg(d, 0);
	unsigned tls = clone_tls_reg(d->call->abi), child = 7 - tls;

	arg_labeled(d, "child_stack");
	say_addr(d, dec_reg(d, 1));
	arg_labeled(d, "flags");
	say_clone_flags(d, flags);
	dec_at_end(d);
	if (flags & (CLONE_PARENT_SETTID_FLAG | CLONE_PIDFD_FLAG)) {
		arg_labeled(d, "parent_tid");
		say_boxed_number(d, 2, !(flags & CLONE_PIDFD_FLAG));
	}
	if (flags & CLONE_SETTLS_FLAG) {
		arg_labeled(d, "tls");
		say_tls(d, dec_good(d, tls, TLS_PART, 0), dec_reg(d, tls));
	}
	if (flags & CLONE_CHILD_FLAGS) {
		arg_labeled(d, "child_tidptr");
		say_addr(d, dec_reg(d, child));
	}
}

static void clone_capture(struct cap_builder *b, const struct syscall *s _unused_)
{
	struct cap_op *op = cap_add(b, 2, 0, CAP_BYTES, CAP_EXIT);

	op->max = 4;
	op->cond = CAP_COND_BITS;
	op->cond_arg = 0;
	op->cond_and = CLONE_PARENT_SETTID_FLAG | CLONE_PIDFD_FLAG;
	op = cap_fd_at(b, 2, CAP_EXIT, 0);
	op->cond = CAP_COND_BITS;
	op->cond_arg = 0;
	op->cond_and = CLONE_PIDFD_FLAG;
	if (b->abi != ABI_I386)
		return;
	op = cap_add(b, clone_tls_reg(b->abi), TLS_PART, CAP_BYTES, CAP_EXIT);
	op->max = USER_DESC_SIZE;
	op->cond = CAP_COND_BITS;
	op->cond_arg = 0;
	op->cond_and = CLONE_SETTLS_FLAG;
}

const struct hooks hooks_clone = { .decode = clone_decode, .capture = clone_capture };

/* struct clone_args of linux/sched.h: eleven 64-bit numbers so far, the first eight at least. */
enum { CL_FLAGS, CL_PIDFD = 8, CL_CHILD_TID = 16, CL_PARENT_TID = 24, CL_EXIT_SIGNAL = 32, CL_STACK = 40, CL_STACK_SIZE = 48,
       CL_TLS = 56, CL_SET_TID = 64, CL_SET_TID_SIZE = 72, CL_CGROUP = 80, CL_SIZE_MIN = 64, CL_SIZE = 88 };

#define CLONE_INTO_CGROUP_FLAG 0x200000000ull
#define CL_TIDS   32            /* levels of pid namespaces */

static void say_tid(struct dec *d, struct bytes b)
{
	say_dec(d, (int32_t)get32(b, 0));
}

static void clone3_fields(struct dec *d, struct bytes b)
{
	uint64_t flags = get64(b, CL_FLAGS), n = get64(b, CL_SET_TID_SIZE);

	field_flags(d, "flags", &tab_clone3_flags, flags);
	if (flags & CLONE_PIDFD_FLAG)
		field_addr(d, "pidfd", get64(b, CL_PIDFD));
	if (flags & CLONE_CHILD_FLAGS)
		field_addr(d, "child_tid", get64(b, CL_CHILD_TID));
	if (flags & CLONE_PARENT_SETTID_FLAG)
		field_addr(d, "parent_tid", get64(b, CL_PARENT_TID));
	say_field(d, "exit_signal");
	say_signal_long(d, get64(b, CL_EXIT_SIGNAL));
	field_addr(d, "stack", get64(b, CL_STACK));
	field_hex(d, "stack_size", get64(b, CL_STACK_SIZE));
	if (flags & CLONE_SETTLS_FLAG) {
		say_field(d, "tls");
		say_tls(d, dec_good(d, 0, TLS_PART, 0), get64(b, CL_TLS));
	}
	if (get64(b, CL_SET_TID) || n) {
		say_field(d, "set_tid");
		say_array(d, dec_cap(d, 0, 1, 0), get64(b, CL_SET_TID), n, 4, say_tid);
		field_udec(d, "set_tid_size", n);
	}
	if ((flags & CLONE_INTO_CGROUP_FLAG) || get64(b, CL_CGROUP))
		field_udec(d, "cgroup", get64(b, CL_CGROUP));
}

static void clone3_result(struct dec *d, const char *name, unsigned part)
{
	uint32_t v;

	if (!dec_read(d, 0, part, &v, sizeof(v)))
		return;
	say_field(d, name);
	d->ops->array_begin(d->e);
	if (part == 3)
		say_pid(d, (int32_t)v);
	else
		say_fd_after(d, (int32_t)v);
	d->ops->array_end(d->e);
}

static void clone3_decode(struct dec *d)
{
	const struct capture *c = dec_good(d, 0, 0, 0);
	uint64_t size = dec_reg(d, 1), flags = get64(bytes_of(c), CL_FLAGS);

	dec_begin(d, 0);
	if (size < CL_SIZE_MIN || !c || c->len < CL_SIZE_MIN) {
		say_unreadable(d, 0, size < CL_SIZE_MIN ? NULL : dec_cap(d, 0, 0, 0));
	} else {
		d->ops->struct_begin(d->e);
		clone3_fields(d, bytes_cut(bytes_of(c), size));
		say_beyond(d, c, CL_SIZE, size);
		d->ops->struct_end(d->e);
		/* What could be read at the end alone was an address when the call began. */
		if (flags & (CLONE_PIDFD_FLAG | CLONE_PARENT_SETTID_FLAG) && !(c->flags & CT_CAP_RETRIED))
			dec_at_end(d);
		if (d->ok && (flags & (CLONE_PIDFD_FLAG | CLONE_PARENT_SETTID_FLAG))) {
			d->ops->change(d->e);
			d->ops->struct_begin(d->e);
			if (flags & CLONE_PIDFD_FLAG)
				clone3_result(d, "pidfd", 2);
			if (flags & CLONE_PARENT_SETTID_FLAG)
				clone3_result(d, "parent_tid", 3);
			d->ops->struct_end(d->e);
		}
	}
	dec_args(d, 1, 2);
}

static void clone3_pointer(struct cap_builder *b, unsigned part, unsigned when, unsigned off, uint32_t size)
{
	cap_fixed(b, 0, part, when, size);
	b->spec->ops[b->spec->nops - 1].via_off = (__u16)off;
}

static void clone3_capture(struct cap_builder *b, const struct syscall *s _unused_)
{
	cap_block(b, 0, 0, CAP_ENTER, 1, 1, CL_SIZE + BEYOND_MAX);
	clone3_pointer(b, 1, CAP_ENTER, CL_SET_TID, CL_TIDS * 4);
	clone3_pointer(b, 2, CAP_EXIT, CL_PIDFD, 4);
	clone3_pointer(b, 3, CAP_EXIT, CL_PARENT_TID, 4);
	cap_fd_at(b, 0, CAP_EXIT, 0)->via_off = CL_PIDFD;
	if (b->abi == ABI_I386)
		clone3_pointer(b, TLS_PART, CAP_ENTER, CL_TLS, USER_DESC_SIZE);
}

const struct hooks hooks_clone3 = { .decode = clone3_decode, .capture = clone3_capture };

/* --- rseq --- */

/* struct rseq of linux/rseq.h. */
#define RSEQ_SHOWN 33

static void decode_rseq(struct dec *d, const struct arg *a, unsigned reg)
{
	const struct capture *c = dec_good(d, reg, 0, 0);
	struct bytes b = bytes_of(c);
	uint32_t cpu = get32(b, 4);

	if ((uint32_t)dec_reg(d, a->a) < 32 || !c || c->len < 32) {
		say_addr(d, dec_reg(d, reg));
		return;
	}
	d->ops->struct_begin(d->e);
	field_udec(d, "cpu_id_start", get32(b, 0));
	say_field(d, "cpu_id");
	if (sym_name(&tab_rseq_cpu_ids, cpu))
		d->ops->named(d->e, sym_name(&tab_rseq_cpu_ids, cpu), (uint64_t)(int32_t)cpu, EMIT_DEC);
	else
		say_udec(d, cpu);
	field_addr(d, "rseq_cs", get64(b, 8));
	field_flags(d, "flags", &tab_rseq_cs_flags, get32(b, 16));
	field_udec(d, "node_id", get32(b, 20));
	field_udec(d, "mm_cid", get32(b, 24));
	say_field(d, "slice_ctrl");
	d->ops->struct_begin(d->e);
	field_udec(d, "request", get8(b, 28));
	field_udec(d, "granted", get8(b, 29));
	field_hex(d, "__reserved", get16(b, 30));
	d->ops->struct_end(d->e);
	field_hex(d, "__reserved", get8(b, 32));
	d->ops->struct_end(d->e);
}

static void capture_rseq(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_block(b, reg, 0, CAP_ENTER, a->a, 1, RSEQ_SHOWN);
}

const struct kind kind_rseq = { .decode = decode_rseq, .capture = capture_rseq };
