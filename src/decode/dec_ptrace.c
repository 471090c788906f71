/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * ptrace(2): what the two last arguments are depends on the request. One row a
 * request, with a letter for each of them.
 */
#include "decode/dec_array.h"
#include "decode/dec_signal.h"
#include "decode/kinds.h"
#include "util/macros.h"

#include <stdio.h>

/*
 * addr: a address, u unsigned, n kind of registers, U place in struct user,
 * P struct ptrace_peeksiginfo_args. data: a address, s signal, o options,
 * w the word that was read, e the message, i siginfo that is set, I that was
 * read, Q several of them, r registers that are set, R that were read,
 * v iovec of registers that are set, V that were read, m signal mask that is
 * set, M that was read, f metadata of a filter, y syscall info that is set,
 * Y that was read. 0: not shown.
 */
static const struct request {
	uint32_t request;
	char addr, data;
} requests[] = {
	{ 1, 'a', 'w' },      { 2, 'a', 'w' },      { 3, 'U', 'w' },      { 4, 'a', 'a' },      { 5, 'a', 'a' },      { 6, 'U', 'a' },
	{ 7, 'a', 's' },      { 8, 0, 0 },          { 9, 'a', 's' },      { 0xc, 0, 'R' },      { 0xd, 0, 'r' },      { 0xe, 0, 'a' },
	{ 0xf, 0, 'a' },      { 0x10, 0, 0 },       { 0x11, 'a', 's' },   { 0x15, 'a', 'o' },   { 0x18, 'a', 's' },   { 0x1f, 'a', 's' },
	{ 0x20, 'a', 's' },   { 0x21, 'a', 's' },   { 0x4200, 'a', 'o' }, { 0x4201, 'a', 'e' }, { 0x4202, 'a', 'I' }, { 0x4203, 'a', 'i' },
	{ 0x4204, 'n', 'V' }, { 0x4205, 'n', 'v' }, { 0x4206, 'a', 'o' }, { 0x4207, 0, 0 },     { 0x4208, 0, 0 },     { 0x4209, 'P', 'Q' },
	{ 0x420a, 'u', 'M' }, { 0x420b, 'u', 'm' }, { 0x420c, 'u', 'a' }, { 0x420d, 'u', 'f' }, { 0x420e, 'u', 'Y' }, { 0x4212, 'u', 'y' },
};

/* Requests without a row show both as addresses. */
static const struct request plain = { 0, 'a', 'a' };

enum { REG_ADDR = 2, REG_DATA = 3 };
enum { PART_BEFORE, PART_AFTER, PART_REGS };

#define SIGINFO_SIZE 128
#define INFO_SIZE    88         /* struct ptrace_syscall_info */
#define NT_PRSTATUS_KIND 1u

/* Whether a request has the meaning of its row: those from 12 to 0x21 are for each architecture to give away. */
static bool has_row(enum abi abi, uint32_t v)
{
	return !abi_is_arm(abi) || v < 0xc || v == 0x10 || v == 0x11 || v == 0x18 || v == 0x1f || v == 0x20 || v >= 0x4200;
}

static const struct request *request_of(enum abi abi, uint32_t v)
{
	for (size_t i = 0; i < ARRAY_SIZE(requests); i++)
		if (requests[i].request == v && has_row(abi, v))
			return &requests[i];
	return &plain;
}

/* --- registers: struct user_regs_struct of sys/user.h, struct user_pt_regs of arm64's asm/ptrace.h --- */

#define ARM64_GENERAL 31

static const char *const registers_i386[] = {
	"ebx", "ecx", "edx", "esi", "edi", "ebp", "eax", "xds", "xes", "xfs", "xgs", "orig_eax", "eip", "xcs", "eflags", "esp", "xss",
};

static const char *const registers_arm64[] = { "sp", "pc", "pstate" };

static const char *const registers[] = {
	"r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8", "rax", "rcx", "rdx", "rsi", "rdi", "orig_rax", "rip", "cs",
	"eflags", "rsp", "ss", "fs_base", "gs_base", "ds", "es", "fs", "gs",
};

/* Members of struct user behind the registers. */
static const struct { uint16_t off; const char *name; } user_members[] = {
	{ 216, "u_fpvalid" }, { 224, "i387" }, { 736, "u_tsize" }, { 744, "u_dsize" }, { 752, "u_ssize" }, { 760, "start_code" },
	{ 768, "start_stack" }, { 776, "signal" }, { 784, "reserved" }, { 792, "u_ar0" }, { 800, "u_fpstate" }, { 808, "magic" },
	{ 816, "u_comm" }, { 848, "u_debugreg" },
};

#define USER_SIZE 912
#define EFLAGS_PLACE 18

static void say_user_offset(struct dec *d, uint64_t v)
{
	char text[64], name[16];
	size_t i, n = v / 8;
	unsigned more;

	/* Those of the tracer's own struct user, also for a 32-bit caller, whose offsets are others. */
	if (ABI_NATIVE != ABI_X86_64 || v > USER_SIZE) {
		say_addr(d, v);
		return;
	}
	if (v < user_members[0].off) {
		n = MIN(n, 20);         /* the last that has a name there */
		for (i = 0; registers[n][i]; i++)
			name[i] = registers[n][i] >= 'a' ? (char)(registers[n][i] - 32) : registers[n][i];
		name[n == EFLAGS_PLACE ? 3 : i] = '\0';        /* EFL */
		more = (unsigned)(v - 8 * n);
		snprintf(text, sizeof(text), more ? "8*%s+%u" : "8*%s", name, more);
	} else if (v == USER_SIZE) {
		snprintf(text, sizeof(text), "sizeof(struct user)");
	} else {
		for (i = ARRAY_SIZE(user_members) - 1; i && user_members[i].off > v; i--)
			;
		more = (unsigned)(v - user_members[i].off);
		snprintf(text, sizeof(text), more ? "offsetof(struct user, %s)+%u" : "offsetof(struct user, %s)", user_members[i].name, more);
	}
	if (v || d->opts->consts == CONST_ABBREV) {
		d->ops->named(d->e, text, v, EMIT_HEX);
		return;
	}
	d->ops->null(d->e);
	if (d->opts->consts == CONST_VERBOSE)
		d->ops->comment(d->e, text);
}

/* How many bytes of registers there are; 0: of an ABI whose registers are not known. */
static uint32_t registers_size(enum abi abi)
{
	switch (abi) {
	case ABI_X86_64:
		return 8 * ARRAY_SIZE(registers);
	case ABI_I386:
		return 4 * ARRAY_SIZE(registers_i386);
	case ABI_ARM64:
		return 8 * (ARM64_GENERAL + ARRAY_SIZE(registers_arm64));
	default:
		return 0;
	}
}

static void say_register_fields(struct dec *d, struct bytes b, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n && bytes_have(b, d->word * i, d->word); i++)
		field_hex(d, names[i], get_uint(b, d->word * i, d->word));
}

static void say_general_arm64(struct dec *d, struct bytes b)
{
	say_field(d, "regs");
	d->ops->array_begin(d->e);
	for (size_t i = 0; i < ARM64_GENERAL && bytes_have(b, 8 * i, 8); i++)
		say_hex(d, get64(b, 8 * i));
	d->ops->array_end(d->e);
}

/* As many as there are bytes; more: the caller has space for more than there are. */
static void say_registers(struct dec *d, struct bytes b, bool more)
{
	d->ops->struct_begin(d->e);
	if (d->call->abi == ABI_X86_64) {
		say_register_fields(d, b, registers, ARRAY_SIZE(registers));
	} else if (d->call->abi == ABI_I386) {
		say_register_fields(d, b, registers_i386, ARRAY_SIZE(registers_i386));
	} else {
		say_general_arm64(d, b);
		say_register_fields(d, bytes_from(b, 8 * ARM64_GENERAL), registers_arm64, ARRAY_SIZE(registers_arm64));
	}
	if (more)
		d->ops->more(d->e);
	d->ops->struct_end(d->e);
}

static void data_registers(struct dec *d, bool shown)
{
	struct bytes b = bytes_of(dec_good(d, REG_DATA, shown && d->ok && dec_cap(d, REG_DATA, PART_AFTER, 0) ? PART_AFTER : PART_BEFORE, 0));

	uint32_t size = registers_size(d->call->abi);

	if (shown && size && b.len >= size)
		say_registers(d, bytes_cut(b, size), false);
	else
		say_addr(d, dec_reg(d, REG_DATA));
}

/* An iovec: registers are in its base; how many there were is written back. */
static void data_iovec(struct dec *d, bool set)
{
	struct bytes before = bytes_of(dec_good(d, REG_DATA, PART_BEFORE, 0)), after = bytes_of(dec_good(d, REG_DATA, PART_AFTER, 0));
	struct bytes regs = bytes_of(dec_good(d, REG_DATA, PART_REGS, 0));
	uint64_t len = get_uint(before, d->word, d->word), new_len = d->ok && after.len >= 2 * d->word ? get_uint(after, d->word, d->word) : len;
	size_t size = registers_size(d->call->abi), shown = MIN(len, MIN(new_len, size));

	if (!dec_reg(d, REG_DATA) || before.len < 2 * d->word) {
		say_unreadable(d, REG_DATA, dec_cap(d, REG_DATA, PART_BEFORE, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	say_field(d, "iov_base");
	if ((set || d->ok) && (uint32_t)dec_reg(d, REG_ADDR) == NT_PRSTATUS_KIND && shown >= d->word && regs.len >= shown)
		say_registers(d, bytes_cut(regs, shown), MIN(len, new_len) > size);
	else
		say_addr(d, get_uint(before, 0, d->word));
	field_udec(d, "iov_len", len);
	if (new_len != len) {
		d->ops->change(d->e);
		say_udec(d, new_len);
	}
	d->ops->struct_end(d->e);
}

/* --- struct ptrace_syscall_info --- */

enum { INFO_NONE, INFO_ENTRY, INFO_EXIT, INFO_SECCOMP };

static void info_entry(struct dec *d, struct bytes b, const char *name, bool seccomp)
{
	if (!bytes_have(b, 24, 8))
		return;
	say_field(d, name);
	d->ops->struct_begin(d->e);
	say_field(d, "nr");
	say_syscall_nr(d, (uint32_t)get64(b, 24), get32(b, 4));
	if (bytes_have(b, 32, 8)) {
		say_field(d, "args");
		d->ops->array_begin(d->e);
		for (unsigned i = 0; i < CT_ARGS && bytes_have(b, 32 + 8 * i, 8); i++) {
			if (!dec_shows(d, i)) {
				d->ops->more(d->e);
				break;
			}
			say_hex(d, get64(b, 32 + 8 * i));
		}
		d->ops->array_end(d->e);
	}
	if (seccomp && bytes_have(b, 80, 4))
		field_udec(d, "ret_data", get32(b, 80));
	d->ops->struct_end(d->e);
}

static void info_exit(struct dec *d, struct bytes b)
{
	int64_t v = (int64_t)get64(b, 24);
	const char *name = get8(b, 32) && v < 0 && v >= -4095 ? errno_name((int)-v) : NULL;
	struct words w = { 0 };

	if (!bytes_have(b, 24, 8))
		return;
	say_field(d, "exit");
	d->ops->struct_begin(d->e);
	say_field(d, "rval");
	if (name) {
		words_str(&w, "-");
		words_str(&w, name);
		d->ops->sym(d->e, w.buf, (uint64_t)v);
	} else {
		say_dec(d, v);
	}
	if (bytes_have(b, 32, 1))
		field_udec(d, "is_error", get8(b, 32));
	d->ops->struct_end(d->e);
}

static void say_info(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_sym(d, "op", &tab_ptrace_info_ops, get8(b, 0));
	if (bytes_have(b, 4, 4))
		field_sym(d, "arch", &tab_audit_arch, get32(b, 4));
	if (bytes_have(b, 8, 8))
		field_addr(d, "instruction_pointer", get64(b, 8));
	if (bytes_have(b, 16, 8))
		field_addr(d, "stack_pointer", get64(b, 16));
	switch (get8(b, 0)) {
	case INFO_ENTRY:
		info_entry(d, b, "entry", false);
		break;
	case INFO_EXIT:
		info_exit(d, b);
		break;
	case INFO_SECCOMP:
		info_entry(d, b, "seccomp", true);
		break;
	}
	d->ops->struct_end(d->e);
}

static void data_info(struct dec *d, bool set)
{
	struct bytes b = bytes_of(dec_good(d, REG_DATA, set ? PART_BEFORE : PART_AFTER, 0));
	uint64_t size = dec_reg(d, REG_ADDR);

	if (!set && d->ok)
		size = MIN(size, (uint64_t)d->call->ret);
	if ((!set && !d->ok) || !size || b.len < MIN(size, INFO_SIZE))
		say_addr(d, dec_reg(d, REG_DATA));
	else
		say_info(d, bytes_cut(b, size));
}

/* --- the other arguments --- */

static void say_peek_args(struct dec *d)
{
	struct bytes b = bytes_of(dec_good(d, REG_ADDR, PART_BEFORE, 0));

	if (!dec_reg(d, REG_ADDR) || b.len < 16) {
		say_unreadable(d, REG_ADDR, dec_cap(d, REG_ADDR, PART_BEFORE, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	field_udec(d, "off", get64(b, 0));
	field_flags(d, "flags", &tab_ptrace_peek_flags, get32(b, 8));
	field_udec(d, "nr", get32(b, 12));
	d->ops->struct_end(d->e);
}

static void say_request_addr(struct dec *d, char letter)
{
	uint64_t v = dec_reg(d, REG_ADDR);

	switch (letter) {
	case 'u':
		say_udec(d, v);
		break;
	case 'n':
		say_sym(d, &tab_register_sets, (uint32_t)v);
		break;
	case 'U':
		say_user_offset(d, v);
		break;
	case 'P':
		say_peek_args(d);
		break;
	default:
		say_addr(d, v);
	}
}

/* What was read, in brackets. */
static void say_word_read(struct dec *d, bool message)
{
	uint64_t v = 0;

	if (!d->ok || !dec_read(d, REG_DATA, PART_AFTER, &v, d->word)) {
		say_addr(d, dec_reg(d, REG_DATA));
		return;
	}
	d->ops->array_begin(d->e);
	if (message)
		say_udec(d, v);
	else
		say_addr(d, v);
	d->ops->array_end(d->e);
}

static void data_siginfo(struct dec *d, bool set)
{
	struct bytes b = bytes_of(dec_good(d, REG_DATA, set ? PART_BEFORE : PART_AFTER, 0));

	if ((set || d->ok) && b.len >= SIGINFO_SIZE)
		say_siginfo(d, b);
	else
		say_unreadable(d, REG_DATA, set ? dec_cap(d, REG_DATA, PART_BEFORE, 0) : NULL);
}

static void data_sigmask(struct dec *d, bool set)
{
	struct bytes b = bytes_of(dec_good(d, REG_DATA, set ? PART_BEFORE : PART_AFTER, 0));

	uint64_t size = dec_reg(d, REG_ADDR);

	if (sigset_has_size(d, size) && (set || d->ok) && b.len >= size)
		say_sigset(d, b.p, size);
	else
		say_addr(d, dec_reg(d, REG_DATA));
}

/* struct seccomp_metadata: which filter, and what is told of it. */
static void data_metadata(struct dec *d)
{
	struct bytes before = bytes_of(dec_good(d, REG_DATA, PART_BEFORE, 0)), after = bytes_of(dec_good(d, REG_DATA, PART_AFTER, 0));

	if (dec_reg(d, REG_ADDR) < 8 || before.len < 8) {
		say_addr(d, dec_reg(d, REG_DATA));
		return;
	}
	d->ops->struct_begin(d->e);
	field_udec(d, "filter_off", get64(before, 0));
	if (d->ok && d->call->ret > 8 && after.len >= 16)
		field_flags(d, "flags", &tab_seccomp_filter_flags, get64(after, 8));
	d->ops->struct_end(d->e);
}

static void say_request_data(struct dec *d, char letter)
{
	uint64_t v = dec_reg(d, REG_DATA);

	switch (letter) {
	case 's':
		say_signal(d, (int)v);
		break;
	case 'o':
		say_flags(d, &tab_ptrace_options, v);
		break;
	case 'w':
	case 'e':
		say_word_read(d, letter == 'e');
		break;
	case 'i':
	case 'I':
		data_siginfo(d, letter == 'i');
		break;
	case 'Q':
		if (d->ok)
			say_array(d, dec_cap(d, REG_DATA, PART_AFTER, 0), v, (uint64_t)d->call->ret, SIGINFO_SIZE, say_siginfo);
		else
			say_addr(d, v);
		break;
	case 'r':
	case 'R':
		data_registers(d, letter == 'r' || d->ok);
		break;
	case 'v':
	case 'V':
		data_iovec(d, letter == 'v');
		break;
	case 'm':
	case 'M':
		data_sigmask(d, letter == 'm');
		break;
	case 'f':
		data_metadata(d);
		break;
	case 'y':
	case 'Y':
		data_info(d, letter == 'y');
		break;
	default:
		say_addr(d, v);
	}
}

static void say_request(struct dec *d, uint64_t op)
{
	const char *compat = abi_is_arm(d->call->abi) ? sym_name(&tab_ptrace_compat_ops, op) : NULL;

	if (!compat) {
		say_sym(d, &tab_ptrace_ops, op);
		return;
	}
	say_hex(d, op);
	if (d->opts->consts != CONST_RAW)
		d->ops->comment(d->e, compat);
}

static void ptrace_decode(struct dec *d)
{
	uint64_t op = dec_reg(d, 0);
	const struct request *r = (op <= UINT32_MAX) ? request_of(d->call->abi, (uint32_t)op) : &plain;

	dec_begin(d, 0);
	say_request(d, op);
	if (!op)                        /* PTRACE_TRACEME */
		return;
	dec_args(d, 1, 2);
	if (r->addr) {
		dec_begin(d, REG_ADDR);
		say_request_addr(d, r->addr);
	}
	if (!r->data)
		return;
	if (strchr("weIQRVMfY", r->data))
		dec_at_end(d);
	dec_begin(d, REG_DATA);
	say_request_data(d, r->data);
}

/* --- captures, by request --- */

static void capture_regset(struct cap_builder *b, unsigned when)
{
	struct cap_op *op;

	cap_fixed(b, REG_DATA, PART_BEFORE, CAP_ENTER, 2 * b->word);
	cap_fixed(b, REG_DATA, PART_AFTER, CAP_EXIT, 2 * b->word);
	op = cap_add(b, REG_DATA, PART_REGS, CAP_BYTES, when);
	op->via_off = 0;
	op->len_from = CAP_LEN_FIELD;
	op->len_off = (__u16)b->word;
	op->max = registers_size(b->abi);
}

static void capture_data(struct cap_builder *b, char letter)
{
	switch (letter) {
	case 'w':
	case 'e':
		cap_fixed(b, REG_DATA, PART_AFTER, CAP_EXIT, b->word);
		break;
	case 'i':
		cap_fixed(b, REG_DATA, PART_BEFORE, CAP_ENTER, SIGINFO_SIZE);
		break;
	case 'I':
		cap_fixed(b, REG_DATA, PART_AFTER, CAP_EXIT, SIGINFO_SIZE);
		break;
	case 'Q':
		cap_fixed(b, REG_ADDR, PART_BEFORE, CAP_ENTER, 16);
		cap_result(b, REG_DATA, SIGINFO_SIZE, array_max(b, SIGINFO_SIZE));
		b->spec->ops[b->spec->nops - 1].part = PART_AFTER;
		break;
	case 'r':
		cap_fixed(b, REG_DATA, PART_BEFORE, CAP_ENTER, registers_size(b->abi));
		break;
	case 'R':
		cap_fixed(b, REG_DATA, PART_AFTER, CAP_EXIT, registers_size(b->abi));
		break;
	case 'v':
		capture_regset(b, CAP_ENTER);
		break;
	case 'V':
		capture_regset(b, CAP_EXIT);
		break;
	case 'm':
		cap_fixed(b, REG_DATA, PART_BEFORE, CAP_ENTER, 8);
		break;
	case 'M':
		cap_fixed(b, REG_DATA, PART_AFTER, CAP_EXIT, 8);
		break;
	case 'f':
		cap_fixed(b, REG_DATA, PART_BEFORE, CAP_ENTER, 8);
		cap_fixed(b, REG_DATA, PART_AFTER, CAP_EXIT, 16);
		break;
	case 'y':
		cap_block(b, REG_DATA, PART_BEFORE, CAP_ENTER, REG_ADDR, 1, INFO_SIZE);
		break;
	case 'Y':
		cap_block(b, REG_DATA, PART_AFTER, CAP_EXIT, REG_ADDR, 1, INFO_SIZE);
		break;
	}
}

static void ptrace_capture(struct cap_builder *b, const struct syscall *s _unused_)
{
	cap_pid(b, 1);
}

static bool ptrace_capture_of(struct cap_builder *b, size_t i, uint32_t *ret_value)
{
	if (i >= ARRAY_SIZE(requests))
		return false;
	*ret_value = requests[i].request;
	cap_pid(b, 1);
	if (has_row(b->abi, requests[i].request))
		capture_data(b, requests[i].data);
	return true;
}

const struct hooks hooks_ptrace = { .decode = ptrace_decode, .capture = ptrace_capture, .capture_of = ptrace_capture_of, .by_arg = 1 };
