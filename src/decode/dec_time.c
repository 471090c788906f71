/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Clocks, sleeps and timers. A kind's b is 1 where the structure has 64-bit
 * times whatever the ABI (the *_time64 calls of 32-bit ABIs), and 2 where its
 * fraction is in microseconds.
 */
#include "decode/kinds.h"

#include "decode/field.h"
#include "util/macros.h"

#define TIME64 1
#define MICRO  2

static unsigned time_word(unsigned word, const struct arg *a)
{
	return a->b & TIME64 ? 8 : word;
}

static const char *fraction(const struct arg *a)
{
	return a->b & MICRO ? "tv_usec" : "tv_nsec";
}

/* One timespec or timeval. */
static void say_time(struct dec *d, const struct arg *a, unsigned reg, unsigned part)
{
	const struct capture *c = dec_good(d, reg, part, 0);
	unsigned word = time_word(d->word, a);

	if (c && c->len >= 2 * word)
		say_timespec(d, c->data, word, fraction(a));
	else
		say_unreadable(d, reg, dec_cap(d, reg, part, 0));
}

/* Two of them: an interval and a value. */
static void say_interval(struct dec *d, const struct arg *a, unsigned reg)
{
	const struct capture *c = dec_good(d, reg, 0, 0);
	unsigned word = time_word(d->word, a);

	if (!c || c->len < 4 * word) {
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	say_field(d, "it_interval");
	say_timespec(d, c->data, word, fraction(a));
	say_field(d, "it_value");
	say_timespec(d, (const uint8_t *)c->data + 2 * word, word, fraction(a));
	d->ops->struct_end(d->e);
}

static void decode_time_in(struct dec *d, const struct arg *a, unsigned reg)
{
	say_time(d, a, reg, 0);
}

static void capture_time_in(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, 2 * time_word(b->word, a));
}

const struct kind kind_time_in = { .decode = decode_time_in, .capture = capture_time_in };

/* It is read, but shown of a call that succeeds alone. */
static void decode_time_if_ok(struct dec *d, const struct arg *a, unsigned reg)
{
	if (d->ok)
		say_time(d, a, reg, 0);
	else
		say_addr(d, dec_reg(d, reg));
}

const struct kind kind_time_if_ok = { .decode = decode_time_if_ok, .capture = capture_time_in };

static void decode_time_out(struct dec *d, const struct arg *a, unsigned reg)
{
	if (d->ok)
		say_time(d, a, reg, 0);
	else
		say_addr(d, dec_reg(d, reg));
}

static void capture_time_out(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, 2 * time_word(b->word, a));
}

const struct kind kind_time_out = { .decode = decode_time_out, .capture = capture_time_out, .at_end = true };

static void decode_interval_in(struct dec *d, const struct arg *a, unsigned reg)
{
	say_interval(d, a, reg);
}

static void capture_interval_in(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, 4 * time_word(b->word, a));
}

const struct kind kind_interval_in = { .decode = decode_interval_in, .capture = capture_interval_in };

static void decode_interval_out(struct dec *d, const struct arg *a, unsigned reg)
{
	if (d->ok)
		say_interval(d, a, reg);
	else
		say_addr(d, dec_reg(d, reg));
}

static void capture_interval_out(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, 4 * time_word(b->word, a));
}

const struct kind kind_interval_out = { .decode = decode_interval_out, .capture = capture_interval_out, .at_end = true };

/*
 * What was left of a sleep: written only when a signal ended it, and never for
 * a point in time. a is the register of the flags, 0 if there are none.
 */
#define ERESTARTSYS_NR 512
#define ERESTARTNOINTR_NR 513
#define ERESTARTNOHAND_NR 514
#define ERESTART_RESTARTBLOCK_NR 516

static bool was_interrupted(const struct dec *d)
{
	return d->err == ERESTARTSYS_NR || d->err == ERESTARTNOINTR_NR || d->err == ERESTARTNOHAND_NR ||
	       d->err == ERESTART_RESTARTBLOCK_NR;
}

static void decode_time_left(struct dec *d, const struct arg *a, unsigned reg)
{
	if (was_interrupted(d) && !(a->a && dec_reg(d, a->a)))
		say_time(d, a, reg, 0);
	else
		say_addr(d, dec_reg(d, reg));
}

static void capture_time_left(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT | CAP_ON_ERROR, 2 * time_word(b->word, a));
}

const struct kind kind_time_left = { .decode = decode_time_left, .capture = capture_time_left, .at_end = true };

/* struct timezone */
static void say_timezone(struct dec *d, unsigned reg)
{
	const struct capture *c = dec_good(d, reg, 0, 0);
	struct bytes b = bytes_of(c);

	if (!c || c->len < 8) {
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	field_dec(d, "tz_minuteswest", (int32_t)get32(b, 0));
	field_dec(d, "tz_dsttime", (int32_t)get32(b, 4));
	d->ops->struct_end(d->e);
}

static void decode_timezone_in(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	say_timezone(d, reg);
}

static void capture_timezone_in(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, 8);
}

const struct kind kind_timezone_in = { .decode = decode_timezone_in, .capture = capture_timezone_in };

static void decode_timezone_out(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	if (d->ok)
		say_timezone(d, reg);
	else
		say_addr(d, dec_reg(d, reg));
}

static void capture_timezone_out(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, 8);
}

const struct kind kind_timezone_out = { .decode = decode_timezone_out, .capture = capture_timezone_out, .at_end = true };

/* struct sigevent */
#define SIGEV_NONE_VALUE      1
#define SIGEV_THREAD_VALUE    2
#define SIGEV_THREAD_ID_VALUE 4

static void say_sigevent(struct dec *d, struct bytes b)
{
	uint64_t value = get_uint(b, 0, d->word);
	uint32_t signo = get32(b, d->word), notify = get32(b, d->word + 4);
	unsigned rest = d->word + 8;

	d->ops->struct_begin(d->e);
	if (value) {
		say_field(d, "sigev_value");
		d->ops->struct_begin(d->e);
		field_dec(d, "sival_int", (int32_t)value);
		field_addr(d, "sival_ptr", value);
		d->ops->struct_end(d->e);
	}
	say_field(d, "sigev_signo");
	if (notify != SIGEV_NONE_VALUE && sym_name(&tab_sigev_notify, notify))
		say_signal(d, (int)signo);
	else
		say_udec(d, signo);
	field_sym(d, "sigev_notify", &tab_sigev_notify, notify);
	if (notify == SIGEV_THREAD_ID_VALUE)
		field_dec(d, "sigev_notify_thread_id", (int32_t)get32(b, rest));
	if (notify == SIGEV_THREAD_VALUE) {
		field_addr(d, "sigev_notify_function", get_uint(b, rest, d->word));
		field_addr(d, "sigev_notify_attributes", get_uint(b, rest + d->word, d->word));
	}
	d->ops->struct_end(d->e);
}

#define SIGEVENT_SHOWN(word) ((word) + 8 + 2 * (word))

static void decode_sigevent(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	const struct capture *c = dec_good(d, reg, 0, 0);

	if (c && c->len >= SIGEVENT_SHOWN(d->word))
		say_sigevent(d, bytes_of(c));
	else
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
}

static void capture_sigevent(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, SIGEVENT_SHOWN(b->word));
}

const struct kind kind_sigevent = { .decode = decode_sigevent, .capture = capture_sigevent };

/* struct tms: four counts of ticks, each as two numbers would be: {tms_utime=0, ...} */
static void decode_tms(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	static const char *const names[] = { "tms_utime", "tms_stime", "tms_cutime", "tms_cstime" };
	const struct capture *c = dec_good(d, reg, 0, 0);

	if (!d->ok || !dec_reg(d, reg)) {
		say_addr(d, dec_reg(d, reg));
		return;
	}
	if (!c || c->len < 4 * d->word) {
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	for (unsigned i = 0; i < 4; i++)
		field_ticks(d, names[i], get_uint(bytes_of(c), i * d->word, d->word));
	d->ops->struct_end(d->e);
}

static void capture_tms(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, 4 * b->word);
}

const struct kind kind_tms = { .decode = decode_tms, .capture = capture_tms, .at_end = true };
