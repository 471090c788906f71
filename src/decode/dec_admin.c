/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* reboot, kexec_load, syslog, segments of x86, the clock's discipline. */
#include "decode/kinds.h"

#include "decode/dec_array.h"
#include "decode/dec_process.h"
#include "decode/field.h"
#include "util/macros.h"

/* --- reboot(2): its last argument belongs to one command --- */

#define REBOOT_RESTART2 0xa1b2c3d4u

static void reboot_decode(struct dec *d)
{
	dec_args(d, 0, (uint32_t)dec_reg(d, 2) == REBOOT_RESTART2 ? 4 : 3);
}

const struct hooks hooks_reboot = { .decode = reboot_decode };

/* --- _sysctl(2): its arguments in a structure --- */

static void decode_sysctl_args(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	const struct capture *c = dec_good(d, reg, 0, 0);
	struct bytes b = bytes_of(c);

	if (!c || c->len < 6 * d->word) {
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	field_addr(d, "name", get_uint(b, 0, d->word));
	field_dec(d, "nlen", (int32_t)get32(b, d->word));
	field_addr(d, "oldval", get_uint(b, 2 * d->word, d->word));
	field_addr(d, "oldlenp", get_uint(b, 3 * d->word, d->word));
	field_addr(d, "newval", get_uint(b, 4 * d->word, d->word));
	field_udec(d, "newlen", get_uint(b, 5 * d->word, d->word));
	d->ops->struct_end(d->e);
}

static void capture_sysctl_args(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, 6 * b->word);
}

const struct kind kind_sysctl_args = { .decode = decode_sysctl_args, .capture = capture_sysctl_args };

/* --- kexec_load(2) --- */

#define KEXEC_SEGMENTS_MAX 16   /* KEXEC_SEGMENT_MAX */

static void say_kexec_segment(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_addr(d, "buf", get_uint(b, 0, d->word));
	field_udec(d, "bufsz", get_uint(b, d->word, d->word));
	field_addr(d, "mem", get_uint(b, 2 * d->word, d->word));
	field_udec(d, "memsz", get_uint(b, 3 * d->word, d->word));
	d->ops->struct_end(d->e);
}

static void decode_kexec_segments(struct dec *d, const struct arg *a, unsigned reg)
{
	uint64_t count = dec_reg(d, a->a);

	if (count > KEXEC_SEGMENTS_MAX)
		say_addr(d, dec_reg(d, reg));
	else
		say_array(d, dec_cap(d, reg, 0, 0), dec_reg(d, reg), count, 4 * d->word, say_kexec_segment);
}

static void capture_kexec_segments(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_block(b, reg, 0, CAP_ENTER, a->a, 4 * b->word, KEXEC_SEGMENTS_MAX * 4 * b->word);
}

const struct kind kind_kexec_segments = { .decode = decode_kexec_segments, .capture = capture_kexec_segments };

/* --- syslog(2) --- */

enum { LOG_READ = 2, LOG_READ_ALL, LOG_READ_CLEAR, LOG_LEVEL = 8, LOG_LAST = 10 };

static void syslog_level(struct dec *d, int level)
{
	const char *name = level == 8 ? "LOGLEVEL_DEBUG+1" : level < 0 ? NULL : sym_name(&tab_log_levels, (uint32_t)level);

	say_dec(d, level);
	d->ops->comment(d->e, name ? name : tab_log_levels.unknown);
}

static void syslog_decode(struct dec *d)
{
	int type = (int)dec_reg(d, 0);
	const char *name = sym_name(&tab_syslog_actions, (uint32_t)type);
	struct words w = { 0 };

	dec_begin(d, 0);
	if (name || d->opts->consts != CONST_RAW) {
		say_dec(d, type);
		d->ops->comment(d->e, name ? name : tab_syslog_actions.unknown);
	} else {
		/* This comment strace leaves there, whatever -X says. */
		if (type < 0)
			words_str(&w, "-");
		words_udec(&w, type < 0 ? -(int64_t)type : type);
		words_str(&w, " /* SYSLOG_ACTION_??? */");
		d->ops->word(d->e, w.buf);
	}
	if (type >= LOG_READ && type <= LOG_READ_CLEAR) {
		dec_args(d, 1, 3);
	} else if (type == LOG_LEVEL || type < 0 || type > LOG_LAST) {
		dec_begin(d, 1);
		say_addr(d, dec_reg(d, 1));
		dec_begin(d, 2);
		if (type == LOG_LEVEL)
			syslog_level(d, (int)dec_reg(d, 2));
		else
			say_dec(d, (int)dec_reg(d, 2));
	}
}

static void syslog_capture(struct cap_builder *b, const struct syscall *s _unused_)
{
	struct cap_op *op;

	cap_result(b, 1, 1, cap_limit(b));
	op = &b->spec->ops[b->spec->nops - 1];
	op->cond = CAP_COND_VALUE;
	op->cond_arg = 0;
	op->cond_and = UINT32_MAX;
	op->cond_mask = 1ull << LOG_READ | 1ull << LOG_READ_ALL | 1ull << LOG_READ_CLEAR;
}

const struct hooks hooks_syslog = { .decode = syslog_decode, .capture = syslog_capture };

/* --- struct user_desc (asm/ldt.h) --- */

/* A number of at least so many digits, as %#0*x. */
static void field_padded_hex(struct dec *d, const char *name, uint32_t v)
{
	char text[16] = "0x";
	unsigned digits = 6, n = 2;

	while (digits < 8 && v >> (4 * digits))
		digits++;
	if (!v)
		n = 0, digits = 8;
	while (digits)
		text[n++] = "0123456789abcdef"[v >> (4 * --digits) & 15];
	text[n] = '\0';
	say_field(d, name);
	d->ops->word(d->e, text);
}

static void user_desc_fields(struct dec *d, struct bytes b)
{
	uint32_t v = get32(b, 12);

	field_padded_hex(d, "base_addr", get32(b, 4));
	field_padded_hex(d, "limit", get32(b, 8));
	field_udec(d, "seg_32bit", v & 1);
	field_udec(d, "contents", v >> 1 & 3);
	field_udec(d, "read_exec_only", v >> 3 & 1);
	field_udec(d, "limit_in_pages", v >> 4 & 1);
	field_udec(d, "seg_not_present", v >> 5 & 1);
	field_udec(d, "useable", v >> 6 & 1);
	if (d->call->abi == ABI_X86_64)
		field_udec(d, "lm", v >> 7 & 1);
}

bool say_user_desc_of(struct dec *d, const struct capture *c)
{
	struct bytes b = bytes_of(c);

	if (b.len < USER_DESC_SIZE)
		return false;
	d->ops->struct_begin(d->e);
	field_dec(d, "entry_number", (int32_t)get32(b, 0));
	user_desc_fields(d, b);
	d->ops->struct_end(d->e);
	return true;
}

static void say_user_desc(struct dec *d, unsigned reg, unsigned part)
{
	if (!dec_reg(d, reg) || !say_user_desc_of(d, dec_good(d, reg, part, 0)))
		say_unreadable(d, reg, dec_cap(d, reg, part, 0));
}

enum { LDT_WRITE = 1, LDT_WRITE_NEW = 0x11 };

static void modify_ldt_decode(struct dec *d)
{
	uint32_t func = (uint32_t)dec_reg(d, 0);

	dec_args(d, 0, 1);
	dec_begin(d, 1);
	if ((func == LDT_WRITE || func == LDT_WRITE_NEW) && dec_reg(d, 2) == USER_DESC_SIZE)
		say_user_desc(d, 1, 0);
	else
		say_addr(d, dec_reg(d, 1));
	dec_args(d, 2, 3);
}

static void modify_ldt_capture(struct cap_builder *b, const struct syscall *s _unused_)
{
	struct cap_op *op = cap_add(b, 1, 0, CAP_BYTES, CAP_ENTER);

	op->max = USER_DESC_SIZE;
	op->cond = CAP_COND_VALUE;
	op->cond_arg = 0;
	op->cond_and = UINT32_MAX;
	op->cond_mask = 1ull << LDT_WRITE | 1ull << LDT_WRITE_NEW;
}

const struct hooks hooks_modify_ldt = { .decode = modify_ldt_decode, .capture = modify_ldt_capture };

/* set_thread_area fills in a number that was -1. */
static void set_thread_area_detail(struct dec *d)
{
	struct bytes b = bytes_of(dec_good(d, 0, 0, 0));
	uint32_t given;

	if (b.len < 4 || get32(b, 0) != UINT32_MAX || !d->ok || !dec_read(d, 0, 1, &given, sizeof(given)) || given == UINT32_MAX)
		return;
	d->ops->result_detail(d->e);
	field_dec(d, "entry_number", (int32_t)given);
}

static void set_thread_area_decode(struct dec *d)
{
	dec_begin(d, 0);
	say_user_desc(d, 0, 0);
}

static void set_thread_area_capture(struct cap_builder *b, const struct syscall *s _unused_)
{
	cap_fixed(b, 0, 0, CAP_ENTER, USER_DESC_SIZE);
	cap_fixed(b, 0, 1, CAP_EXIT, 4);
}

/* get_thread_area fills in all but the number. */
static void get_thread_area_decode(struct dec *d)
{
	struct bytes in = bytes_of(dec_good(d, 0, 0, 0)), out = bytes_of(dec_good(d, 0, 1, 0));

	dec_begin(d, 0);
	if (in.len < 4) {
		say_unreadable(d, 0, dec_cap(d, 0, 0, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	field_dec(d, "entry_number", (int32_t)get32(in, 0));
	dec_at_end(d);
	if (d->ok && out.len >= USER_DESC_SIZE)
		user_desc_fields(d, out);
	else
		d->ops->more(d->e);
	d->ops->struct_end(d->e);
}

static void get_thread_area_capture(struct cap_builder *b, const struct syscall *s _unused_)
{
	cap_fixed(b, 0, 0, CAP_ENTER, 4);
	cap_fixed(b, 0, 1, CAP_EXIT, USER_DESC_SIZE);
}

const struct hooks hooks_set_thread_area = { .decode = set_thread_area_decode, .capture = set_thread_area_capture,
	.detail = set_thread_area_detail };
const struct hooks hooks_get_thread_area = { .decode = get_thread_area_decode, .capture = get_thread_area_capture };

/* --- struct timex (linux/timex.h): ints that are padded to longs --- */

#define TIMEX_SIZE(word) (20 * (word) + 48)

static int64_t next_long(struct bytes b, size_t *off, unsigned word)
{
	uint64_t v = get_uint(b, *off, word);

	*off += word;
	return word == 4 ? (int32_t)v : (int64_t)v;
}

static void say_timex(struct dec *d, struct bytes b, unsigned word)
{
	static const char *const first[] = { "offset", "freq", "maxerror", "esterror" };
	static const char *const second[] = { "constant", "precision", "tolerance" };
	static const char *const third[] = { "stabil", "jitcnt", "calcnt", "errcnt", "stbcnt" };
	size_t off = word;

	d->ops->struct_begin(d->e);
	field_flags(d, "modes", &tab_adjtimex_modes, get32(b, 0));
	for (size_t i = 0; i < ARRAY_SIZE(first); i++)
		field_dec(d, first[i], next_long(b, &off, word));
	field_flags(d, "status", &tab_adjtimex_status, get32(b, off));
	off += word;
	for (size_t i = 0; i < ARRAY_SIZE(second); i++)
		field_dec(d, second[i], next_long(b, &off, word));
	say_field(d, "time");
	say_timespec(d, b.p + off, word, "tv_usec");
	off += 2 * word;
	field_dec(d, "tick", next_long(b, &off, word));
	field_dec(d, "ppsfreq", next_long(b, &off, word));
	field_dec(d, "jitter", next_long(b, &off, word));
	field_dec(d, "shift", (int32_t)get32(b, off));
	off += word;
	for (size_t i = 0; i < ARRAY_SIZE(third); i++)
		field_dec(d, third[i], next_long(b, &off, word));
	field_dec(d, "tai", (int32_t)get32(b, off));
	d->ops->struct_end(d->e);
}

/* b: 8 where it is the structure with 64-bit times on every ABI */
static unsigned timex_word(unsigned word, const struct arg *a)
{
	return a->b ? a->b : word;
}

static void decode_timex(struct dec *d, const struct arg *a, unsigned reg)
{
	unsigned word = timex_word(d->word, a);
	const struct capture *c = dec_good(d, reg, 0, 0);

	if (!d->ok)
		say_addr(d, dec_reg(d, reg));
	else if (!c || c->len < TIMEX_SIZE(word))
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
	else
		say_timex(d, bytes_of(c), word);
}

static void capture_timex(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, TIMEX_SIZE(timex_word(b->word, a)));
}

const struct kind kind_timex = { .decode = decode_timex, .capture = capture_timex, .at_end = true };

/* The clock's state is told of a structure that is. */
static void timex_detail(struct dec *d)
{
	unsigned last = d->sys->nargs - 1u;
	const struct capture *c = dec_good(d, arg_reg(d->sys, last), 0, 0);
	const char *name = d->ok ? sym_name(&tab_adjtimex_states, (uint64_t)d->call->ret) : NULL;

	if (!name || !c || c->len < TIMEX_SIZE(timex_word(d->word, &d->sys->args[last])))
		return;
	d->ops->result_detail(d->e);
	d->ops->word(d->e, name);
}

const struct hooks hooks_timex = { .detail = timex_detail };
