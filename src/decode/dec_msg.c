/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * struct msghdr: a name, an array of buffers and control messages. What its
 * pointers lead to is captured by operations that follow them (via_off), in
 * parts of their own; of arrays of msghdr by one operation (CAP_MMSG), whose
 * parts are the same and have an element for each message.
 */
#include "decode/dec_msg.h"
#include "decode/dec_net.h"
#include "decode/kinds.h"

#include "util/macros.h"

#define CONTROL_MAX 4096        /* bytes of control messages that are captured */

/* --- control messages --- */

static void cmsg_numbers(struct dec *d, struct bytes b, bool are_fds)
{
	size_t n = b.len / 4;

	d->ops->array_begin(d->e);
	for (size_t i = 0; i < n; i++) {
		if (!dec_shows(d, i)) {
			d->ops->more(d->e);
			break;
		}
		if (are_fds)
			say_fd(d, (int32_t)get32(b, 4 * i), false);
		else
			say_udec(d, get32(b, 4 * i));
	}
	d->ops->array_end(d->e);
}

static void cmsg_ints(struct dec *d, struct bytes b)
{
	cmsg_numbers(d, b, false);
}

static void cmsg_fds(struct dec *d, struct bytes b)
{
	cmsg_numbers(d, b, true);
}

static void cmsg_bytes(struct dec *d, struct bytes b)
{
	d->ops->array_begin(d->e);
	for (size_t i = 0; i < b.len; i++) {
		if (!dec_shows(d, i)) {
			d->ops->more(d->e);
			break;
		}
		say_hex(d, b.p[i]);
	}
	d->ops->array_end(d->e);
}

static void cmsg_cred(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	say_field(d, "pid");
	say_pid(d, (int32_t)get32(b, 0));
	say_field(d, "uid");
	say_id(d, get32(b, 4));
	say_field(d, "gid");
	say_id(d, get32(b, 8));
	d->ops->struct_end(d->e);
}

static void cmsg_text(struct dec *d, struct bytes b)
{
	d->ops->str(d->e, b.p, b.len, EMIT_STR_PATH);
}

static void cmsg_pidfd(struct dec *d, struct bytes b)
{
	say_fd(d, (int32_t)get32(b, 0), false);
}

/* Times of w bytes a word; of fewer than there have to be nothing is known. */
static void cmsg_time(struct dec *d, struct bytes b, unsigned w, const char *sub)
{
	if (b.len >= 2 * w)
		say_timespec(d, b.p, w, sub);
	else
		d->ops->word(d->e, "???");
}

static void cmsg_timeval(struct dec *d, struct bytes b)
{
	cmsg_time(d, b, d->word, "tv_usec");
}

static void cmsg_timeval64(struct dec *d, struct bytes b)
{
	cmsg_time(d, b, 8, "tv_usec");
}

static void cmsg_timespec(struct dec *d, struct bytes b)
{
	cmsg_time(d, b, d->word, "tv_nsec");
}

static void cmsg_timespec64(struct dec *d, struct bytes b)
{
	cmsg_time(d, b, 8, "tv_nsec");
}

/* Three of them: by software, none, by hardware. */
static void cmsg_times(struct dec *d, struct bytes b, unsigned w)
{
	if (b.len < 6 * w) {
		d->ops->word(d->e, "???");
		return;
	}
	d->ops->array_begin(d->e);
	for (size_t i = 0; i < 3; i++)
		say_timespec(d, b.p + i * 2 * w, w, "tv_nsec");
	d->ops->array_end(d->e);
}

static void cmsg_timestamping(struct dec *d, struct bytes b)
{
	cmsg_times(d, b, d->word);
}

static void cmsg_timestamping64(struct dec *d, struct bytes b)
{
	cmsg_times(d, b, 8);
}

static void cmsg_protocol(struct dec *d, struct bytes b)
{
	uint32_t v = get32(b, 0);
	const char *name = sym_name(&tab_ip_protocols, v);

	d->ops->array_begin(d->e);
	d->ops->sym(d->e, name, v);
	if (!name)
		d->ops->comment(d->e, "IP_???");
	d->ops->array_end(d->e);
}

/* struct sock_extended_err, and whose error it is. */
static void cmsg_error(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_udec(d, "ee_errno", get32(b, 0));
	field_udec(d, "ee_origin", get8(b, 4));
	field_udec(d, "ee_type", get8(b, 5));
	field_udec(d, "ee_code", get8(b, 6));
	field_udec(d, "ee_info", get32(b, 8));
	field_udec(d, "ee_data", get32(b, 12));
	say_field(d, "offender");
	say_sockaddr_bytes(d, bytes_cut(bytes_from(b, 16), 16));
	d->ops->struct_end(d->e);
}

static void cmsg_address(struct dec *d, struct bytes b)
{
	say_sockaddr_bytes(d, bytes_cut(b, SOCKADDR_MAX));
}

static void cmsg_pktinfo(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	say_field(d, "ipi_ifindex");
	say_interface(d, get32(b, 0));
	say_field(d, "ipi_spec_dst");
	say_inet_addr(d, b, 4);
	say_field(d, "ipi_addr");
	say_inet_addr(d, b, 8);
	d->ops->struct_end(d->e);
}

enum { LEVEL_IP = 0, LEVEL_SOCKET = 1 };

/* Shown as what they are, when there is enough of them; the others as bytes. */
static const struct {
	unsigned level, type;
	size_t min;
	void (*say)(struct dec *d, struct bytes b);
} cmsg_types[] = {
	{ LEVEL_SOCKET, 1, 4, cmsg_fds },               /* SCM_RIGHTS */
	{ LEVEL_SOCKET, 2, 12, cmsg_cred },             /* SCM_CREDENTIALS */
	{ LEVEL_SOCKET, 3, 1, cmsg_text },              /* SCM_SECURITY */
	{ LEVEL_SOCKET, 4, 4, cmsg_pidfd },             /* SCM_PIDFD */
	{ LEVEL_SOCKET, 29, 1, cmsg_timeval },          /* SO_TIMESTAMP_OLD */
	{ LEVEL_SOCKET, 35, 1, cmsg_timespec },         /* SO_TIMESTAMPNS_OLD */
	{ LEVEL_SOCKET, 37, 1, cmsg_timestamping },     /* SO_TIMESTAMPING_OLD */
	{ LEVEL_SOCKET, 63, 1, cmsg_timeval64 },        /* SO_TIMESTAMP_NEW */
	{ LEVEL_SOCKET, 64, 1, cmsg_timespec64 },       /* SO_TIMESTAMPNS_NEW */
	{ LEVEL_SOCKET, 65, 1, cmsg_timestamping64 },   /* SO_TIMESTAMPING_NEW */
	{ LEVEL_IP, 1, 1, cmsg_bytes },                 /* IP_TOS */
	{ LEVEL_IP, 2, 4, cmsg_ints },                  /* IP_TTL */
	{ LEVEL_IP, 3, 1, cmsg_text },                  /* SCM_SECURITY */
	{ LEVEL_IP, 6, 1, cmsg_bytes },                 /* IP_RECVOPTS */
	{ LEVEL_IP, 7, 1, cmsg_bytes },                 /* IP_RETOPTS */
	{ LEVEL_IP, 8, 12, cmsg_pktinfo },              /* IP_PKTINFO */
	{ LEVEL_IP, 11, 32, cmsg_error },               /* IP_RECVERR */
	{ LEVEL_IP, 20, 16, cmsg_address },             /* IP_ORIGDSTADDR */
	{ LEVEL_IP, 23, 4, cmsg_ints },                 /* IP_CHECKSUM */
	{ LEVEL_IP, 52, 4, cmsg_protocol },             /* IP_PROTOCOL */
};

static void say_cmsg_data(struct dec *d, uint32_t level, uint32_t type, struct bytes b)
{
	say_field(d, "cmsg_data");
	for (size_t i = 0; i < ARRAY_SIZE(cmsg_types); i++) {
		if (cmsg_types[i].level == level && cmsg_types[i].type == type && b.len >= cmsg_types[i].min) {
			cmsg_types[i].say(d, b);
			return;
		}
	}
	d->ops->str(d->e, b.p, b.len, EMIT_STR_HEX | EMIT_STR_PATH);
}

static void say_cmsg(struct dec *d, struct bytes b, uint64_t len)
{
	unsigned header = d->word + 8;
	uint32_t level = get32(b, d->word), type = get32(b, d->word + 4);

	d->ops->struct_begin(d->e);
	field_udec(d, "cmsg_len", len);
	field_sym(d, "cmsg_level", &tab_cmsg_levels, level);
	if (level == LEVEL_SOCKET)
		field_sym(d, "cmsg_type", &tab_scm_socket, type);
	else if (level == LEVEL_IP)
		field_sym(d, "cmsg_type", &tab_scm_ip, type);
	else
		field_hex(d, "cmsg_type", type);
	if (b.len > header && len > header)
		say_cmsg_data(d, level, type, bytes_from(bytes_cut(b, len), header));
	d->ops->struct_end(d->e);
}

/* As CMSG_NXTHDR() goes on: by aligned lengths, as long as there is room for a header. */
static void say_control(struct dec *d, const struct capture *c, uint64_t addr, uint64_t len)
{
	struct bytes b = bytes_cut(bytes_of(c && !(c->flags & CT_CAP_FAILED) ? c : NULL), len);
	unsigned header = d->word + 8;
	uint64_t off = 0;

	if (!addr || len < header || b.len < header || (b.len < len && b.len < CONTROL_MAX)) {
		say_addr(d, addr);
		if (addr && len >= header)
			dec_note(d, c);
		return;
	}
	d->ops->array_begin(d->e);
	while (bytes_have(b, off, header)) {
		uint64_t size = get_uint(b, off, d->word), step = size < header ? header : size;

		say_cmsg(d, bytes_from(b, off), size);
		if (step > len - off)
			break;
		step = (step + d->word - 1) & ~(uint64_t)(d->word - 1);
		if (step >= len - off)
			break;
		off += step;
		if (size < header || !bytes_have(b, off, header)) {
			say_rest_unread(d, addr + off);
			break;
		}
	}
	d->ops->array_end(d->e);
}

/* --- struct msghdr --- */

/* Where a message's parts are, and what is known beside them. */
struct message {
	unsigned reg, idx;      /* register, and which of an array */
	unsigned data_first;    /* the element of OF_DATA that is its first */
	bool received;          /* filled in: namelen_before is meant, data as far as left goes */
	int32_t namelen_before;
	uint64_t left;
};

static void msg_name(struct dec *d, const struct message *m, struct bytes b)
{
	int32_t len = (int32_t)get32(b, MSG_NAMELEN(d->word)), shown = len;

	if (m->received && m->namelen_before < shown)
		shown = m->namelen_before;
	say_field(d, "msg_name");
	say_sockaddr(d, dec_cap(d, m->reg, OF_NAME, m->idx), get_uint(b, 0, d->word), shown);
	say_field(d, "msg_namelen");
	if (m->received && m->namelen_before != len) {
		say_dec(d, m->namelen_before);
		d->ops->change(d->e);
	}
	say_dec(d, len);
}

static void msg_iov(struct dec *d, const struct message *m, struct bytes b)
{
	uint64_t addr = get_uint(b, MSG_IOV(d->word), d->word), count = get_uint(b, MSG_IOVLEN(d->word), d->word);
	const struct capture *c = dec_good(d, m->reg, OF_IOV, m->idx);
	const struct iovecs v = {
		.reg = m->reg, .part = OF_IOV, .idx = m->idx, .data_part = OF_DATA, .data_first = m->data_first,
	};
	unsigned protocol;

	say_field(d, "msg_iov");
	if (addr && !count) {
		d->ops->array_begin(d->e);
		d->ops->array_end(d->e);
	} else if (!addr || !c || c->len < 2 * d->word || count > (UINT64_MAX - addr) / (2 * d->word)) {
		say_addr(d, addr);
		if (addr)
			dec_note(d, dec_cap(d, m->reg, OF_IOV, m->idx));
	} else {
		d->netlink = netlink_protocol(d, &protocol) ? protocol + 1 : 0;
		say_iovecs_of(d, &v, addr, count, m->left, true);
		d->netlink = 0;
	}
	field_udec(d, "msg_iovlen", count);
}

static void say_msghdr(struct dec *d, const struct message *m, struct bytes b)
{
	uint64_t len = get_uint(b, MSG_CONTROLLEN(d->word), d->word);

	d->ops->struct_begin(d->e);
	msg_name(d, m, b);
	msg_iov(d, m, b);
	if (len) {
		say_field(d, "msg_control");
		say_control(d, dec_cap(d, m->reg, OF_CONTROL, m->idx),
			    get_uint(b, MSG_CONTROL(d->word), d->word), len);
	}
	field_udec(d, "msg_controllen", len);
	field_flags(d, "msg_flags", &tab_msg_flags, get32(b, MSG_FLAGS(d->word)));
	d->ops->struct_end(d->e);
}

/* The operations for what a message points to; when: before the call or after. */
static void capture_message(struct cap_builder *b, unsigned reg, unsigned when)
{
	uint16_t iov = (uint16_t)MSG_IOV(b->word);
	struct cap_op *op[3];

	op[0] = cap_add(b, reg, OF_NAME, CAP_BYTES, when | CAP_LEN32);
	op[0]->via_off = 0;
	op[0]->len_off = MSG_NAMELEN(b->word);
	op[0]->max = SOCKADDR_MAX;
	op[1] = cap_add(b, reg, OF_IOV, CAP_IOVEC, when | CAP_NETLINK);
	op[1]->via_off = (__u16)MSG_IOV(b->word);
	op[1]->len_off = (__u16)MSG_IOVLEN(b->word);
	op[1]->elem = CT_VEC_MAX;
	op[1]->max = cap_limit(b);
	op[2] = cap_add(b, reg, OF_CONTROL, CAP_BYTES, when);
	op[2]->via_off = (__u16)MSG_CONTROL(b->word);
	op[2]->len_off = (__u16)MSG_CONTROLLEN(b->word);
	op[2]->max = CONTROL_MAX;
	for (unsigned i = 0; i < ARRAY_SIZE(op); i++)
		op[i]->len_from = CAP_LEN_FIELD;
	cap_netlink_protocol(b);
	op[0] = cap_net_fds(b, reg, when, reg);
	op[0]->elem = 1;
	op[0]->via_off = iov;
	cap_netlink_pids(b, reg, when, &iov);
}

static void decode_msg_in(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	const struct capture *c = dec_good(d, reg, PART_BEFORE, 0);
	struct message m = { .reg = reg, .left = UINT64_MAX };

	if (c && c->len >= MSG_SIZE(d->word))
		say_msghdr(d, &m, bytes_of(c));
	else
		say_unreadable(d, reg, dec_cap(d, reg, PART_BEFORE, 0));
}

static void capture_msg_in(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, PART_BEFORE, CAP_ENTER, MSG_SIZE(b->word));
	capture_message(b, reg, CAP_ENTER);
	cap_rights(b, reg, CAP_ENTER);
	cap_creds(b, reg, CAP_ENTER);
}

const struct kind kind_msg_in = { .decode = decode_msg_in, .capture = capture_msg_in };

/* Nothing was received: there is only the room for a name. */
static void say_msg_failed(struct dec *d, unsigned reg)
{
	const struct capture *c = dec_good(d, reg, PART_BEFORE, 0);

	if (!c || c->len < MSG_SIZE(d->word)) {
		say_unreadable(d, reg, dec_cap(d, reg, PART_BEFORE, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	field_dec(d, "msg_namelen", (int32_t)get32(bytes_of(c), MSG_NAMELEN(d->word)));
	d->ops->struct_end(d->e);
}

static void decode_msg_out(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	const struct capture *before = dec_good(d, reg, PART_BEFORE, 0), *c = dec_good(d, reg, PART_AFTER, 0);
	struct message m = { .reg = reg, .received = true };

	if (!d->ok || !c || c->len < MSG_SIZE(d->word)) {
		say_msg_failed(d, reg);
		return;
	}
	m.namelen_before = (int32_t)get32(bytes_of(before ? before : c), MSG_NAMELEN(d->word));
	m.left = (uint64_t)d->call->ret;
	say_msghdr(d, &m, bytes_of(c));
}

static void capture_msg_out(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, PART_BEFORE, CAP_ENTER, MSG_SIZE(b->word));
	cap_fixed(b, reg, PART_AFTER, CAP_EXIT, MSG_SIZE(b->word));
	capture_message(b, reg, CAP_EXIT);
	cap_rights(b, reg, CAP_EXIT);
	cap_creds(b, reg, CAP_EXIT);
}

static bool has_message(const struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	return dec_reg(d, reg);
}

const struct kind kind_msg_out = {
	.decode = decode_msg_out, .capture = capture_msg_out, .at_end = true, .at_end_if = has_message,
};

/* --- arrays of messages --- */

/* n messages, of which the kernel has handled done; before: how they were, NULL for what is sent. */
static void say_messages(struct dec *d, unsigned reg, struct bytes b, struct bytes before, uint64_t n, uint64_t done, bool received)
{
	unsigned size = MMSG_SIZE(d->word), data_first = 0;

	d->ops->array_begin(d->e);
	for (uint64_t i = 0; i < n; i++) {
		struct message m = { .reg = reg, .idx = (unsigned)i, .data_first = data_first, .received = received, .left = UINT64_MAX };
		struct bytes one = bytes_from(b, i * size);
		uint32_t len = get32(one, MSG_SIZE(d->word));

		/* Whether it is there is seen first, as in strace. */
		if (one.len < size) {
			say_rest_unread(d, dec_reg(d, reg) + i * size);
			break;
		}
		if (!dec_shows(d, i)) {
			d->ops->more(d->e);
			break;
		}
		if (received) {
			m.left = len;
			m.namelen_before = (int32_t)get32(bytes_from(before, i * size), MSG_NAMELEN(d->word));
		}
		if (i < done)
			dump_vector(d, i, get_uint(one, MSG_IOVLEN(d->word), d->word));
		else
			d->dump = false;
		d->ops->struct_begin(d->e);
		say_field(d, "msg_hdr");
		say_msghdr(d, &m, bytes_cut(one, MSG_SIZE(d->word)));
		if (i < done)
			field_udec(d, "msg_len", len);
		d->ops->struct_end(d->e);
		data_first += (unsigned)MIN(get_uint(one, MSG_IOVLEN(d->word), d->word), (uint64_t)CT_VEC_MAX);
	}
	d->ops->array_end(d->e);
}

/* What the messages of an array point to, as many as are shown. */
static void capture_messages(struct cap_builder *b, unsigned reg, unsigned when, enum cap_len len_from)
{
	uint32_t shown = b->opts->no_abbrev ? CT_VEC_MAX : MIN(b->opts->string_limit, CT_VEC_MAX);
	struct cap_op *op = cap_add(b, reg, OF_NAME, CAP_MMSG, when | CAP_NETLINK);

	op->len_from = (__u8)len_from;
	op->len_arg = (__u8)(reg + 1);
	op->elem = shown;
	op->max = cap_limit(b);
	op = cap_fds(b, reg, when, CAP_RIGHTS);
	op->len_from = (__u8)len_from;
	op->len_arg = (__u8)(reg + 1);
	op->elem = MMSG_SIZE(b->word);
	op->max = shown;
	cap_netlink_protocol(b);
}

static uint64_t handled(const struct dec *d)
{
	return d->ok && d->call->ret > 0 ? (uint64_t)d->call->ret : 0;
}

static void decode_mmsg_in(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	const struct capture *before = dec_good(d, reg, PART_BEFORE, 0), *after = dec_good(d, reg, PART_AFTER, 0);
	uint64_t n = (uint32_t)dec_reg(d, reg + 1);

	if (!dec_reg(d, reg) || d->opts->addresses || (n && (!before || before->len < MMSG_SIZE(d->word)))) {
		say_unreadable(d, reg, dec_cap(d, reg, PART_BEFORE, 0));
		return;
	}
	/* Lengths are written into the array as messages are sent; nothing else changes. */
	say_messages(d, reg, bytes_of(handled(d) && after ? after : before), (struct bytes){ NULL, 0 }, n, handled(d), false);
}

static void capture_mmsg_in(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	uint32_t size = MMSG_SIZE(b->word);

	cap_block(b, reg, PART_BEFORE, CAP_ENTER, reg + 1, size, size * CT_VEC_MAX);
	cap_block(b, reg, PART_AFTER, CAP_EXIT, reg + 1, size, size * CT_VEC_MAX);
	capture_messages(b, reg, CAP_ENTER, CAP_LEN_ARG);
}

const struct kind kind_mmsg_in = { .decode = decode_mmsg_in, .capture = capture_mmsg_in, .at_end = true };

static void decode_mmsg_out(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	const struct capture *before = dec_good(d, reg, PART_BEFORE, 0), *after = dec_good(d, reg, PART_AFTER, 0);
	uint64_t n = handled(d);

	if (d->ok && dec_reg(d, reg) && !d->opts->addresses && (!n || (after && after->len >= MMSG_SIZE(d->word))))
		say_messages(d, reg, bytes_of(n ? after : NULL), bytes_of(before ? before : after), n, n, true);
	else
		say_addr(d, dec_reg(d, reg));
}

static void capture_mmsg_out(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	uint32_t size = MMSG_SIZE(b->word);

	cap_block(b, reg, PART_BEFORE, CAP_ENTER, reg + 1, size, size * CT_VEC_MAX);
	cap_block(b, reg, PART_AFTER, CAP_EXIT, reg + 1, size, size * CT_VEC_MAX);
	capture_messages(b, reg, CAP_EXIT, CAP_LEN_RET);
}

const struct kind kind_mmsg_out = { .decode = decode_mmsg_out, .capture = capture_mmsg_out, .at_end = true };
