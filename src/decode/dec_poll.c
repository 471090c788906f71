/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Waiting for descriptors: poll, select, epoll. What came of it stands behind the result. */
#include "decode/dec_array.h"
#include "decode/dec_poll.h"
#include "decode/dec_signal.h"

#include "decode/field.h"
#include "decode/kinds.h"
#include "util/macros.h"

#include <stdio.h>
#include <string.h>

#define POLLFD_SIZE 8

/* --- poll, ppoll --- */

static void say_pollfd(struct dec *d, struct bytes b)
{
	int fd = (int32_t)get32(b, 0);

	d->ops->struct_begin(d->e);
	say_field(d, "fd");
	say_fd(d, fd, false);
	if (fd >= 0)
		field_flags(d, "events", &tab_poll_events, get16(b, 4));
	d->ops->struct_end(d->e);
}

static void decode_pollfds(struct dec *d, const struct arg *a, unsigned reg)
{
	say_array(d, dec_cap(d, reg, 0, 0), dec_reg(d, reg), (uint32_t)dec_reg(d, a->a), POLLFD_SIZE, say_pollfd);
}

static void capture_pollfds(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	uint32_t shown = MAX(array_max(b, POLLFD_SIZE) / POLLFD_SIZE, 1u);      /* one is read in any case, to see whether it can be */
	struct cap_op *fds = cap_fds(b, reg, CAP_ENTER, CAP_FDS);

	fds->len_from = CAP_LEN_ARG;
	fds->len_arg = (__u8)a->a;
	fds->elem = POLLFD_SIZE;
	fds->max = shown;

	cap_block(b, reg, 0, CAP_ENTER, a->a, POLLFD_SIZE, shown * POLLFD_SIZE);
	cap_block(b, reg, 1, CAP_EXIT, a->a, POLLFD_SIZE, CT_CAP_MAX);
}

const struct kind kind_pollfds = { .decode = decode_pollfds, .capture = capture_pollfds };

/* strace begins no further element when what it has written and the flags are longer (measured: 971 is not, 979 is). */
#define REVENTS_TEXT 975u

/* How long the flags are as text. */
static size_t flags_text(const struct dec *d, uint16_t revents)
{
	struct words w = { 0 };

	if (d->opts->consts != CONST_RAW)
		words_flags(d, &w, &tab_poll_events, revents);
	if (d->opts->consts != CONST_ABBREV)
		words_hex(&w, revents);
	return w.len + (d->opts->consts == CONST_VERBOSE ? strlen(" /*  */") : 0);
}

static void say_revents(struct dec *d, struct bytes b)
{
	unsigned shown = 0;
	size_t text = 0, flags;
	char number[16];

	d->ops->array_begin(d->e);
	for (size_t off = 0; bytes_have(b, off, POLLFD_SIZE); off += POLLFD_SIZE) {
		if (!get16(b, off + 6))
			continue;
		flags = flags_text(d, get16(b, off + 6));
		if ((shown++ >= d->opts->string_limit && !d->opts->no_abbrev) || text + flags > REVENTS_TEXT) {
			d->ops->more(d->e);
			break;
		}
		text += flags + strlen("{fd=, revents=}, ") + (size_t)snprintf(number, sizeof(number), "%d", (int32_t)get32(b, off));
		d->ops->struct_begin(d->e);
		field_dec(d, "fd", (int32_t)get32(b, off));
		field_flags(d, "revents", &tab_poll_events, get16(b, off + 6));
		d->ops->struct_end(d->e);
	}
	d->ops->array_end(d->e);
}

static void say_timeout_detail(struct dec *d)
{
	d->ops->result_detail(d->e);
	d->ops->word(d->e, "Timeout");
}

/* The time that was left, which the kernel writes back. */
static void say_left(struct dec *d, unsigned reg, unsigned word, const char *sub)
{
	const struct capture *c = dec_good(d, reg, 1, 0);

	if (!c || c->len < 2 * word)
		return;
	d->ops->part(d->e, "left");
	say_timespec(d, c->data, word, sub);
}

static void poll_result(struct dec *d)
{
	const struct capture *c = dec_good(d, 0, 1, 0);

	if (!c)
		return;
	d->ops->result_detail(d->e);
	d->ops->part(d->e, NULL);
	say_revents(d, bytes_of(c));
}

static void poll_detail(struct dec *d)
{
	if (!d->ok)
		return;
	if (!d->call->ret)
		say_timeout_detail(d);
	else
		poll_result(d);
}

const struct hooks hooks_poll = { .detail = poll_detail };

static void ppoll_left(struct dec *d, unsigned word)
{
	poll_detail(d);
	if (d->ok && d->call->ret)
		say_left(d, 2, word, "tv_nsec");
}

static void ppoll_detail(struct dec *d)
{
	ppoll_left(d, d->word);
}

static void ppoll_time64_detail(struct dec *d)
{
	ppoll_left(d, 8);
}

const struct hooks hooks_ppoll = { .detail = ppoll_detail };
const struct hooks hooks_ppoll_time64 = { .detail = ppoll_time64_detail };

/* recvmmsg writes its timeout back, too. */
static void recvmmsg_left(struct dec *d, unsigned word)
{
	if (!d->ok)
		return;
	if (d->call->ret <= 0) {
		say_timeout_detail(d);
		return;
	}
	if (!dec_good(d, 4, 1, 0))
		return;
	d->ops->result_detail(d->e);
	say_left(d, 4, word, "tv_nsec");
}

static void recvmmsg_detail(struct dec *d)
{
	recvmmsg_left(d, d->word);
}

static void recvmmsg_time64_detail(struct dec *d)
{
	recvmmsg_left(d, 8);
}

const struct hooks hooks_recvmmsg = { .detail = recvmmsg_detail };
const struct hooks hooks_recvmmsg_time64 = { .detail = recvmmsg_time64_detail };

/* A timeout that is read, and written back with what was left of it. */
static void decode_timeout(struct dec *d, const struct arg *a, unsigned reg)
{
	say_timespec_arg(d, reg, 0, a->b == 1 ? 8 : d->word, a->b == 2 ? "tv_usec" : "tv_nsec");
}

static void capture_timeout(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	uint32_t size = a->b == 1 ? 16 : 2 * b->word;

	cap_fixed(b, reg, 0, CAP_ENTER, size);
	cap_fixed(b, reg, 1, CAP_EXIT, size);
}

const struct kind kind_timeout = { .decode = decode_timeout, .capture = capture_timeout };

/* --- select, pselect6 --- */

#define FDSET_MAX 8192          /* bytes: descriptors up to 65535 */

static bool fdset_bit(struct bytes b, unsigned fd)
{
	return get8(b, fd / 8) >> fd % 8 & 1;
}

static void say_set(struct dec *d, struct bytes b, unsigned n, bool with_files, bool more)
{
	d->ops->set_begin(d->e);
	for (unsigned bit = 0; bit < n && bit / 8 < b.len; bit++) {
		if (!fdset_bit(b, bit))
			continue;
		if (with_files)
			say_fd(d, (int)bit, false);
		else
			say_udec(d, bit);
	}
	if (more)
		d->ops->more(d->e);
	d->ops->array_end(d->e);
}

void say_bits(struct dec *d, struct bytes b, unsigned n, bool more)
{
	say_set(d, b, n, false, more);
}

static void decode_fdset(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	const struct capture *c = dec_good(d, reg, 0, 0);
	int nfds = (int32_t)dec_reg(d, 0);

	if (!dec_reg(d, reg) || nfds <= 0)
		say_addr(d, dec_reg(d, reg));
	else if (!c || (unsigned)nfds > FDSET_MAX * 8)
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
	else
		say_set(d, bytes_of(c), (unsigned)nfds, true, false);
}

static void capture_fdset(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	for (unsigned part = 0; part < 2; part++) {
		struct cap_op *op = cap_add(b, reg, part, CAP_BYTES, part ? CAP_EXIT : CAP_ENTER);

		op->len_from = CAP_LEN_BITS;
		op->len_arg = 0;
		op->max = FDSET_MAX;
	}
	cap_fds(b, reg, CAP_ENTER, CAP_FDBITS)->len_arg = 0;
}

const struct kind kind_fdset = { .decode = decode_fdset, .capture = capture_fdset };

static void select_set(struct dec *d, unsigned reg, const char *name)
{
	struct bytes b = bytes_of(dec_text(d, reg, 1, 0));
	int nfds = (int32_t)dec_reg(d, 0);
	int fd = 0;

	while (fd < nfds && (size_t)fd / 8 < b.len && !fdset_bit(b, fd))
		fd++;
	if (fd >= nfds || (size_t)fd / 8 >= b.len)
		return;
	d->ops->part(d->e, name);
	say_bits(d, b, nfds, false);
}

static void select_result(struct dec *d, unsigned word, const char *sub)
{
	if (!d->ok)
		return;
	if (!d->call->ret) {
		say_timeout_detail(d);
		return;
	}
	d->ops->result_detail(d->e);
	select_set(d, 1, "in");
	select_set(d, 2, "out");
	select_set(d, 3, "except");
	if (d->opts->addresses && dec_reg(d, 4)) {
		d->ops->part(d->e, "left");
		say_addr(d, dec_reg(d, 4));
	} else {
		say_left(d, 4, word, sub);
	}
}

static void select_detail(struct dec *d)
{
	select_result(d, d->word, "tv_usec");
}

const struct hooks hooks_select = { .detail = select_detail };

static void pselect6_detail(struct dec *d)
{
	select_result(d, d->word, "tv_nsec");
}

const struct hooks hooks_pselect6 = { .detail = pselect6_detail };

static void pselect6_time64_detail(struct dec *d)
{
	select_result(d, 8, "tv_nsec");
}

const struct hooks hooks_pselect6_time64 = { .detail = pselect6_time64_detail };

/* pselect6's sixth argument: a pointer to a signal set and its size. */
static void decode_sigset_ref(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	const struct capture *c = dec_good(d, reg, 0, 0), *set = dec_good(d, reg, 1, 0);
	uint64_t addr = get_uint(bytes_of(c), 0, d->word), size = get_uint(bytes_of(c), d->word, d->word);

	if (!c || c->len < 2 * d->word) {
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	say_field(d, "sigmask");
	if (addr && sigset_has_size(d, size) && set && set->len >= size)
		say_sigset(d, set->data, size);
	else
		say_addr(d, addr);
	field_udec(d, "sigsetsize", size);
	d->ops->struct_end(d->e);
}

static void capture_sigset_ref(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, 2 * b->word);
	cap_fixed(b, reg, 1, CAP_ENTER, 8);
	b->spec->ops[b->spec->nops - 1].via_off = 0;
}

const struct kind kind_sigset_ref = { .decode = decode_sigset_ref, .capture = capture_sigset_ref };

/* --- epoll --- */

#define EPOLL_DEL 2

/* struct epoll_event is packed where a 64-bit and a 32-bit ABI share it. */
static bool is_arm(enum abi abi)
{
	return abi == ABI_ARM64 || abi == ABI_ARM;
}

static unsigned epoll_event_size(enum abi abi)
{
	return is_arm(abi) ? 16 : 12;
}

static void say_epoll_event(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_flags(d, "events", &tab_epoll_events, get32(b, 0));
	field_hex(d, "data", get64(b, is_arm(d->call->abi) ? 8 : 4));
	d->ops->struct_end(d->e);
}

static void decode_epoll_event(struct dec *d, const struct arg *a, unsigned reg)
{
	const struct capture *c = dec_good(d, reg, 0, 0);

	if (dec_reg(d, a->a) == EPOLL_DEL || !dec_reg(d, reg))
		say_addr(d, dec_reg(d, reg));
	else if (!c || c->len < epoll_event_size(d->call->abi))
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
	else
		say_epoll_event(d, bytes_of(c));
}

static void capture_epoll_event(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, epoll_event_size(b->abi));
}

const struct kind kind_epoll_event = { .decode = decode_epoll_event, .capture = capture_epoll_event };

static void decode_epoll_events(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	if (d->ok)
		say_array(d, dec_cap(d, reg, 0, 0), dec_reg(d, reg), d->call->ret, epoll_event_size(d->call->abi),
			  say_epoll_event);
	else
		say_addr(d, dec_reg(d, reg));
}

static void capture_epoll_events(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	unsigned size = epoll_event_size(b->abi);

	cap_result(b, reg, size, MAX(array_max(b, size), size));
}

const struct kind kind_epoll_events = { .decode = decode_epoll_events, .capture = capture_epoll_events, .at_end = true };
