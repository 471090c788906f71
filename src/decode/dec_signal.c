/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Signals: actions, masks, siginfo. The shapes of siginfo follow the kernel's
 * siginfo_layout() (kernel/signal.c), its fields are shown as strace 7.2 does.
 */
#include "decode/dec_signal.h"

#include "decode/field.h"
#include "decode/kinds.h"
#include "util/macros.h"

#include <stdio.h>

/* --- siginfo --- */

#define SI_USER_CODE   0
#define SI_TIMER_CODE  (-2)
#define SI_SIGIO_CODE  (-5)
#define SI_TKILL_CODE  (-6)

enum { SIG_ILL = 4, SIG_TRAP = 5, SIG_BUS = 7, SIG_FPE = 8, SIG_SEGV = 11, SIG_CHLD = 17, SIG_IO = 29, SIG_SYS = 31 };
enum { SYS_SECCOMP_CODE = 1 };

static const struct symtab *codes_of(int signo)
{
	switch (signo) {
	case SIG_ILL:
		return &tab_si_codes_ill;
	case SIG_TRAP:
		return &tab_si_codes_trap;
	case SIG_BUS:
		return &tab_si_codes_bus;
	case SIG_FPE:
		return &tab_si_codes_fpe;
	case SIG_SEGV:
		return &tab_si_codes_segv;
	case SIG_CHLD:
		return &tab_si_codes_cld;
	case SIG_IO:
		return &tab_si_codes_poll;
	case SIG_SYS:
		return &tab_si_codes_sys;
	default:
		return NULL;
	}
}

static const char *code_name(int signo, int code)
{
	const char *name = sym_name(&tab_si_codes, (uint32_t)code);
	const struct symtab *t = codes_of(signo);

	return name || !t ? name : sym_name(t, (uint32_t)code);
}

static void si_value(struct dec *d, struct bytes b, unsigned off)
{
	field_dec(d, "si_int", (int32_t)get32(b, off));
	field_addr(d, "si_ptr", get_uint(b, off, d->word));
}

static void si_pid_uid(struct dec *d, struct bytes b)
{
	say_field(d, "si_pid");
	say_pid(d, (int32_t)get32(b, 0));
	say_field(d, "si_uid");
	say_id(d, get32(b, 4));
}

#define CLD_EXITED_CODE 1

static void si_child(struct dec *d, struct bytes b, int code)
{
	int status = (int32_t)get32(b, 8);
	unsigned times = d->word == 8 ? 16 : 12;

	si_pid_uid(d, b);
	say_field(d, "si_status");
	if (code == CLD_EXITED_CODE)
		say_dec(d, status);
	else
		say_signal(d, status);
	field_ticks(d, "si_utime", get_uint(b, times, d->word));
	field_ticks(d, "si_stime", get_uint(b, times + d->word, d->word));
}

static void si_fault(struct dec *d, struct bytes b, int signo, int code)
{
	/* After the address: a short, padded to a pointer's alignment, then the bounds. */
	unsigned rest = d->word;

	field_addr(d, "si_addr", get_uint(b, 0, d->word));
	if (signo == SIG_BUS && (code == 4 || code == 5))
		field_hex(d, "si_addr_lsb", get16(b, rest));
	if (signo == SIG_SEGV && code == 3) {
		field_addr(d, "si_lower", get_uint(b, 2 * rest, d->word));
		field_addr(d, "si_upper", get_uint(b, 3 * rest, d->word));
	}
	if (signo == SIG_SEGV && code == 4)
		field_udec(d, "si_pkey", get32(b, 2 * rest));
}

/* The call of an AUDIT_ARCH_... that a machine of abi's kind has. */
static const struct syscall *arch_syscall(uint32_t nr, uint32_t arch, enum abi abi, enum abi *ret_abi)
{
	static const struct { uint32_t arch; enum abi abi; } abis[] = {
		{ 0xc000003e, ABI_X86_64 }, { 0x40000003, ABI_I386 }, { 0xc00000b7, ABI_ARM64 }, { 0x40000028, ABI_ARM },
	};

	for (size_t i = 0; i < ARRAY_SIZE(abis); i++) {
		if (abis[i].arch != arch || abi_is_arm(abis[i].abi) != abi_is_arm(abi))
			continue;
		*ret_abi = abis[i].abi;
		return syscall_get(abis[i].abi, nr);
	}
	return NULL;
}

/* __NR_getppid where the call is of the caller's own kind; a number and a comment for the other one of its machine. */
void say_syscall_nr(struct dec *d, uint32_t nr, uint32_t arch)
{
	enum abi abi = d->call->abi;
	const struct syscall *s = arch_syscall(nr, arch, abi, &abi);
	char text[64];

	if (s && abi == d->call->abi) {
		snprintf(text, sizeof(text), "__NR_%s", syscall_name(s));
		d->ops->named(d->e, text, nr, EMIT_UDEC);
		return;
	}
	say_udec(d, nr);
	if (s && d->opts->consts != CONST_RAW)
		d->ops->comment(d->e, syscall_name(s));
}

static void si_seccomp(struct dec *d, struct bytes b)
{
	uint32_t nr = get32(b, d->word), arch = get32(b, d->word + 4);

	field_addr(d, "si_call_addr", get_uint(b, 0, d->word));
	say_field(d, "si_syscall");
	say_syscall_nr(d, nr, arch);
	field_sym(d, "si_arch", &tab_audit_arch, arch);
}

static bool sends_itself(int code)
{
	return code == SI_USER_CODE || code == SI_TKILL_CODE;
}

/* All that has no shape of its own. What the kernel sends has neither sender nor value, mostly. */
static void si_plain(struct dec *d, struct bytes b, int code)
{
	if (code <= 0 || get32(b, 0) || get32(b, 4))
		si_pid_uid(d, b);
	if (!sends_itself(code) && get_uint(b, 8, d->word))
		si_value(d, b, 8);
}

static bool is_poll(int signo, int code)
{
	return signo == SIG_IO && code >= 1 && code <= 6;
}

static void si_fields(struct dec *d, struct bytes b, int signo, int code)
{
	if (code == SI_TIMER_CODE) {
		field_hex(d, "si_timerid", get32(b, 0));
		field_dec(d, "si_overrun", (int32_t)get32(b, 4));
		si_value(d, b, 8);
	} else if (code == SI_SIGIO_CODE || is_poll(signo, code)) {
		field_dec(d, "si_band", d->word == 8 ? (int64_t)get64(b, 0) : (int32_t)get32(b, 0));
		field_dec(d, "si_fd", (int32_t)get32(b, d->word));
	} else if (code <= 0) {
		si_plain(d, b, code);
	} else if (signo == SIG_CHLD) {
		si_child(d, b, code);
	} else if (signo == SIG_ILL || signo == SIG_FPE || signo == SIG_SEGV || signo == SIG_BUS || signo == SIG_TRAP) {
		si_fault(d, b, signo, code);
	} else if (signo == SIG_SYS) {
		si_seccomp(d, b);
	} else if (signo != SIG_IO) {
		si_plain(d, b, code);
	}
}

static void say_siginfo_parts(struct dec *d, int signo, int err, int code, struct bytes b)
{
	const char *name = code_name(signo, code);

	d->ops->struct_begin(d->e);
	if (!signo) {
		d->ops->struct_end(d->e);
		return;
	}
	say_field(d, "si_signo");
	say_signal(d, signo);
	say_field(d, "si_code");
	if (name)
		d->ops->sym(d->e, name, (uint32_t)code);
	else
		say_hex(d, (uint32_t)code);
	if (err) {
		const char *text = errno_name(err);

		say_field(d, "si_errno");
		if (text)
			d->ops->named(d->e, text, (uint32_t)err, EMIT_UDEC);
		else
			say_udec(d, (uint32_t)err);
	}
	si_fields(d, b, signo, code);
	d->ops->struct_end(d->e);
}

void say_siginfo(struct dec *d, struct bytes b)
{
	/* The union is aligned to a pointer: behind three ints, and a gap where pointers have 8 bytes. */
	say_siginfo_parts(d, (int32_t)get32(b, 0), (int32_t)get32(b, 4), (int32_t)get32(b, 8),
			  bytes_from(b, d->word == 8 ? 16 : 12));
}

void decode_siginfo(const struct signal_event *s, const struct decode_opts *opts, struct emitter *e)
{
	struct call no_call = { .abi = ABI_NATIVE };
	/* The kernel's own siginfo, whatever the task's ABI. */
	struct dec d = { .call = &no_call, .opts = opts, .e = e, .ops = e->ops, .word = 8,
			 .sender = s->sender };

	/* Of seccomp: it is about the call that the task is in, which is of the task's own kind. */
	if (s->signo == SIG_SYS && s->code == SYS_SECCOMP_CODE)
		arch_syscall(0, get32((struct bytes){ s->fields, 112 }, 12), ABI_NATIVE, &no_call.abi);
	say_siginfo_parts(&d, s->signo, s->err, s->code, (struct bytes){ s->fields, 112 });
}

/* --- arguments --- */

/* A sigset argument: a.a is the register with its size, a.b the least that it has to be. */
static void decode_sigset(struct dec *d, const struct arg *a, unsigned reg, bool output)
{
	const struct capture *c = dec_good(d, reg, 0, 0);
	uint32_t size = (uint32_t)dec_reg(d, a->a);

	if (!dec_reg(d, reg))
		say_addr(d, 0);
	else if ((output && !d->ok) || !sigset_has_size(d, size) || size < a->b)
		say_addr(d, dec_reg(d, reg));
	else if (!c || c->len < size)
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
	else
		say_sigset(d, c->data, size);
}

static void decode_sigset_in(struct dec *d, const struct arg *a, unsigned reg)
{
	decode_sigset(d, a, reg, false);
}

static void capture_sigset_in(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, 8);
}

const struct kind kind_sigset_in = { .decode = decode_sigset_in, .capture = capture_sigset_in };

static void decode_sigset_out(struct dec *d, const struct arg *a, unsigned reg)
{
	decode_sigset(d, a, reg, true);
}

static void capture_sigset_out(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, 8);
}

const struct kind kind_sigset_out = { .decode = decode_sigset_out, .capture = capture_sigset_out, .at_end = true };

/* rt_sigpending fills in as much as was asked for. */
static void decode_sigpending(struct dec *d, const struct arg *a, unsigned reg)
{
	const struct capture *c = dec_good(d, reg, 0, 0);
	uint64_t size = dec_reg(d, a->a);
	uint8_t set[8] = { 0 };

	if (!d->ok || !dec_reg(d, reg) || size > sizeof(set)) {
		say_addr(d, dec_reg(d, reg));
		return;
	}
	if (!c || c->len < size) {
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
		return;
	}
	memcpy(set, c->data, size);
	say_sigset(d, set, sizeof(set));
}

static void capture_sigpending(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_block(b, reg, 0, CAP_EXIT, a->a, 1, 8);
}

const struct kind kind_sigpending = { .decode = decode_sigpending, .capture = capture_sigpending, .at_end = true };

/* struct sigaction of the kernel: handler, flags, restorer, mask. */
#define SIGACTION_SIZE(word) (3 * (word) + 8)
#define SA_RESTORER_FLAG 0x04000000u

void say_handler(struct dec *d, uint64_t handler)
{
	if (handler <= 1)
		d->ops->sym(d->e, handler ? "SIG_IGN" : "SIG_DFL", handler);
	else
		say_addr(d, handler);
}

void say_sigaction_parts(struct dec *d, uint64_t handler, struct bytes mask, size_t nbytes, uint64_t flags, uint64_t restorer)
{
	d->ops->struct_begin(d->e);
	say_field(d, "sa_handler");
	say_handler(d, handler);
	say_field(d, "sa_mask");
	say_sigset(d, mask.p, nbytes);
	field_flags(d, "sa_flags", &tab_sa_flags, flags);
	if (flags & SA_RESTORER_FLAG)
		field_addr(d, "sa_restorer", restorer);
	d->ops->struct_end(d->e);
}

static void say_sigaction(struct dec *d, struct bytes b)
{
	say_sigaction_parts(d, get_uint(b, 0, d->word), bytes_from(b, 3 * d->word), 8, get_uint(b, d->word, d->word),
			    get_uint(b, 2 * d->word, d->word));
}

static void decode_sigaction(struct dec *d, unsigned reg, bool shown)
{
	const struct capture *c = dec_good(d, reg, 0, 0);

	if (!dec_reg(d, reg) || !shown)
		say_addr(d, dec_reg(d, reg));
	else if (!c || c->len < SIGACTION_SIZE(d->word))
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
	else
		say_sigaction(d, bytes_of(c));
}

static void decode_sigaction_in(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	decode_sigaction(d, reg, true);
}

static void capture_sigaction_in(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, SIGACTION_SIZE(b->word));
}

const struct kind kind_sigaction_in = { .decode = decode_sigaction_in, .capture = capture_sigaction_in };

static void decode_sigaction_out(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	decode_sigaction(d, reg, d->ok);
}

static void capture_sigaction_out(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, SIGACTION_SIZE(b->word));
}

const struct kind kind_sigaction_out = { .decode = decode_sigaction_out, .capture = capture_sigaction_out, .at_end = true };

/* siginfo that is passed in, or filled in. */
#define SIGINFO_SIZE 128

static void decode_siginfo_arg(struct dec *d, unsigned reg, bool shown)
{
	const struct capture *c = dec_good(d, reg, 0, 0);

	if (!dec_reg(d, reg) || !shown)
		say_addr(d, dec_reg(d, reg));
	else if (!c || c->len < SIGINFO_SIZE)
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
	else
		say_siginfo(d, bytes_of(c));
}

static void decode_siginfo_in(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	decode_siginfo_arg(d, reg, true);
}

static void capture_siginfo_in(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, SIGINFO_SIZE);
	cap_pid_at(b, reg, CAP_ENTER, b->word == 8 ? 16 : 12);
}

const struct kind kind_siginfo_in = { .decode = decode_siginfo_in, .capture = capture_siginfo_in };

static void decode_siginfo_out(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	decode_siginfo_arg(d, reg, d->ok);
}

static void capture_siginfo_out(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, SIGINFO_SIZE);
	cap_pid_at(b, reg, CAP_EXIT, b->word == 8 ? 16 : 12);
}

const struct kind kind_siginfo_out = { .decode = decode_siginfo_out, .capture = capture_siginfo_out, .at_end = true };

/* stack_t: pointer, int, size. */
#define STACK_SIZE(word) (3 * (word))

static void decode_stack(struct dec *d, unsigned reg, bool shown)
{
	const struct capture *c = dec_good(d, reg, 0, 0);
	struct bytes b = bytes_of(c);

	if (!dec_reg(d, reg) || !shown) {
		say_addr(d, dec_reg(d, reg));
		return;
	}
	if (!c || c->len < STACK_SIZE(d->word)) {
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	field_addr(d, "ss_sp", get_uint(b, 0, d->word));
	field_flags(d, "ss_flags", &tab_sigaltstack_flags, get32(b, d->word));
	field_udec(d, "ss_size", get_uint(b, 2 * d->word, d->word));
	d->ops->struct_end(d->e);
}

static void decode_stack_in(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	decode_stack(d, reg, true);
}

static void capture_stack_in(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, STACK_SIZE(b->word));
}

const struct kind kind_stack_in = { .decode = decode_stack_in, .capture = capture_stack_in };

static void decode_stack_out(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	decode_stack(d, reg, d->ok);
}

static void capture_stack_out(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, STACK_SIZE(b->word));
}

const struct kind kind_stack_out = { .decode = decode_stack_out, .capture = capture_stack_out, .at_end = true };

/* --- calls that need more than their arguments --- */

/*
 * rt_sigreturn has no arguments: what it restores lies on the user's stack,
 * where the kernel put it to call the handler (struct rt_sigframe). The return
 * address that x86 has in front has been popped by then.
 */
static unsigned sigmask_in_frame(enum abi abi)
{
	switch (abi) {
	case ABI_X86_64:
		return 8 + 8 + 24 + 256;        /* uc_flags, uc_link, uc_stack, uc_mcontext */
	case ABI_ARM64:
		return 128 + 8 + 8 + 24;        /* siginfo, uc_flags, uc_link, uc_stack */
	case ABI_I386:
		return 3 * 4 + 128 + 2 * 4 + 12 + 88; /* signal and two pointers, siginfo, uc_flags, uc_link, uc_stack, uc_mcontext */
	default:
		return 128 + 2 * 4 + 12 + 84;   /* arm: siginfo, uc_flags, uc_link, uc_stack, uc_mcontext */
	}
}

static void capture_stack(struct cap_builder *b, unsigned part, unsigned off, uint32_t size)
{
	struct cap_op *op = cap_add(b, CAP_ARG_SP, part, CAP_BYTES, CAP_ENTER);

	op->len_from = CAP_LEN_FIXED;
	op->len_off = (__u16)off;
	op->max = size;
}

static void say_restored(struct dec *d, const void *set)
{
	dec_arg(d, 0, "sigmask");
	d->ops->struct_begin(d->e);
	say_field(d, "mask");
	say_sigset(d, set, 8);
	d->ops->struct_end(d->e);
}

enum { FRAME_MASK, FRAME_POINTER };

static void rt_sigreturn_capture(struct cap_builder *b, const struct syscall *s _unused_)
{
	capture_stack(b, FRAME_MASK, sigmask_in_frame(b->abi), 8);
	cap_add(b, CAP_ARG_SP, FRAME_POINTER, CAP_VALUE, CAP_ENTER);
}

/* The set, or where it would be. */
static void rt_sigreturn_decode(struct dec *d)
{
	const struct capture *c = dec_good(d, CAP_ARG_SP, FRAME_MASK, 0), *sp = dec_text(d, CAP_ARG_SP, FRAME_POINTER, 0);

	if (c && c->len >= 8) {
		say_restored(d, c->data);
		return;
	}
	if (!sp || sp->len < 8)
		return;
	dec_arg(d, 0, "sigmask");
	d->ops->struct_begin(d->e);
	field_addr(d, "mask", get64(bytes_of(sp), 0) + sigmask_in_frame(d->call->abi));
	dec_note(d, dec_cap(d, CAP_ARG_SP, FRAME_MASK, 0));
	d->ops->struct_end(d->e);
}

const struct hooks hooks_rt_sigreturn = { .decode = rt_sigreturn_decode, .capture = rt_sigreturn_capture };

/* The older one of i386 (struct sigframe_ia32): the second word of the set stands behind the room for a struct _fpstate_32. */
#define FRAME_OLDMASK   80u
#define FRAME_EXTRAMASK (88u + 624u)

static void sigreturn_capture(struct cap_builder *b, const struct syscall *s _unused_)
{
	capture_stack(b, 0, FRAME_OLDMASK, 4);
	capture_stack(b, 1, FRAME_EXTRAMASK, 4);
}

static void sigreturn_decode(struct dec *d)
{
	uint32_t set[2];

	if (dec_read(d, CAP_ARG_SP, 0, &set[0], 4) && dec_read(d, CAP_ARG_SP, 1, &set[1], 4))
		say_restored(d, set);
}

const struct hooks hooks_sigreturn = { .decode = sigreturn_decode, .capture = sigreturn_capture };

#define SIGNAL_LAST 64

/* The signal that was waited for: 10 (SIGUSR1). */
static void sigtimedwait_detail(struct dec *d)
{
	if (!d->ok || d->call->ret <= 0 || d->call->ret > SIGNAL_LAST)
		return;
	d->ops->result_detail(d->e);
	say_signal(d, (int)d->call->ret);
}

const struct hooks hooks_rt_sigtimedwait = { .detail = sigtimedwait_detail };
