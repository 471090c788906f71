/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl(2): the command's name, and its argument, as ioctl_args.def has it or as the number of the command tells. */
#include "decode/kinds.h"

#include "decode/ioctl_args.h"
#include "util/macros.h"

/* Pass one: what the rows name is defined elsewhere. */
#define NOTHING(n64, n32)
#define POINTER(n64, n32)
#define STRING(n64, n32, arg)
#define VALUE(n64, n32, arg, s) extern const struct io_struct io_##s;
#define IN(n64, n32, arg, s) extern const struct io_struct io_##s;
#define OUT(n64, n32, arg, s) extern const struct io_struct io_##s;
#define INOUT(n64, n32, arg, s) extern const struct io_struct io_##s;
#define BY_HAND(n64, n32, arg, h) extern const struct io_hand io_##h;
#include "decode/ioctl_args.def"
#undef NOTHING
#undef POINTER
#undef STRING
#undef VALUE
#undef IN
#undef OUT
#undef INOUT
#undef BY_HAND

static const struct io_command commands[] = {
#define NOTHING(n64, n32) { n64, n32, IO_NOTHING, NULL, NULL, NULL },
#define POINTER(n64, n32) { n64, n32, IO_POINTER, NULL, NULL, NULL },
#define STRING(n64, n32, arg) { n64, n32, IO_STRING, NULL, NULL, arg },
#define VALUE(n64, n32, arg, s) { n64, n32, IO_VALUE, &io_##s, NULL, arg },
#define IN(n64, n32, arg, s) { n64, n32, IO_IN, &io_##s, NULL, arg },
#define OUT(n64, n32, arg, s) { n64, n32, IO_OUT, &io_##s, NULL, arg },
#define INOUT(n64, n32, arg, s) { n64, n32, IO_INOUT, &io_##s, NULL, arg },
#define BY_HAND(n64, n32, arg, h) { n64, n32, IO_BY_HAND, NULL, &io_##h, arg },
#include "decode/ioctl_args.def"
};

static uint32_t number_for(const struct io_command *c, unsigned word)
{
	return word == 8 ? c->number : c->number32;
}

/* The rows are sorted by the numbers of 64-bit ABIs. */
const struct io_command *io_command_of(uint32_t number, unsigned word)
{
	size_t low = 0, high = ARRAY_SIZE(commands), middle;

	if (word == 4) {
		for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
			if (commands[i].number32 == number && number)
				return &commands[i];
		return NULL;
	}
	while (low < high) {
		middle = low + (high - low) / 2;
		if (commands[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < ARRAY_SIZE(commands) && commands[low].number == number ? &commands[low] : NULL;
}

/* --- commands without a row: the number tells direction and size --- */

#define DIR_WRITE 1u
#define DIR_READ 2u
#define SIZE(number) ((number) >> 16 & 0x3fff)
#define TYPE(number) ((number) >> 8 & 0xff)
#define INPUT_TYPE 'E'
/* PIDFD_GET_INFO, whose structure has grown since it had this size. */
#define PIDFD_INFO 0xc000ff0bu
#define PIDFD_INFO_LEAST 64

/* All that would be shown of it could be read: less is nothing, as of other buffers. */
static bool has_data(const struct dec *d, uint32_t size, unsigned part)
{
	const struct capture *c = dec_good(d, 2, part, 0);

	return c && c->len && c->len >= MIN(size, d->opts->string_limit);
}

static void say_data(struct dec *d, uint32_t size, unsigned part)
{
	const struct capture *c = dec_good(d, 2, part, 0);

	if (c && c->len)
		say_hex_bytes(d, c->data, c->len, size);
	else
		say_unreadable(d, 2, dec_cap(d, 2, part, 0));
}

/* strace has decoders for commands of these types: of others of their kinds it tells the address even with -v. */
static bool is_decoded_type(unsigned type)
{
	static const uint8_t types[] = {
		0x03, 0x12, 0x15, 0x21, 0x22, 0x24, 0x3d, 0x3e, 'E', 0x49, 'K', 'L', 'M', 'O', 'R', 'T', 'V', 'W', 'X', 'f', 'i', 'o',
		'p', 'u', 0x89, 0x8a, 0x94, 0xa4, 0xaa, 0xab, 0xae, 0xb4, 0xb7, 0xfd, 0xff,
	};

	return memchr(types, (int)type, sizeof(types));
}

/* With -v the data is shown, even if the call failed. */
static void say_by_number(struct dec *d, uint32_t number)
{
	unsigned dir = number >> 30;
	uint32_t size = SIZE(number);

	if ((number & 0xc000ffff) == PIDFD_INFO && size >= PIDFD_INFO_LEAST) {
		io_pidfd_info.say(d, NULL);
		return;
	}
	if (TYPE(number) == INPUT_TYPE && io_say_input(d, number))
		return;
	if (is_decoded_type(TYPE(number))) {
		say_hex(d, dec_reg(d, 2));
		return;
	}
	/* A size without a direction is taken as both. */
	if (!dir && size)
		dir = DIR_READ | DIR_WRITE;
	if (dir & DIR_READ && d->opts->no_abbrev && size)
		dec_at_end(d);
	if (!d->opts->no_abbrev || !size || !dec_reg(d, 2) || !has_data(d, size, dir & DIR_WRITE ? IO_BEFORE : IO_AFTER)) {
		say_hex(d, dec_reg(d, 2));
		return;
	}
	if (dir & DIR_WRITE)
		say_data(d, size, IO_BEFORE);
	if (dir == (DIR_READ | DIR_WRITE) && has_data(d, size, IO_AFTER))
		d->ops->change(d->e);
	if (dir & DIR_READ && has_data(d, size, IO_AFTER))
		say_data(d, size, IO_AFTER);
}

/* Commands with a size and no direction. */
static void say_sized(struct dec *d, const struct io_command *c)
{
	say_by_number(d, c->number);
}

static void cap_sized(struct cap_builder *b, const struct io_command *c)
{
	if (!b->opts->no_abbrev)
		return;
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, SIZE(c->number));
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT | CAP_ON_ERROR, SIZE(c->number));
}

const struct io_hand io_sized = { .say = say_sized, .capture = cap_sized };

/* --- the call --- */

static void ioctl_decode(struct dec *d)
{
	uint32_t number = (uint32_t)dec_reg(d, 1);
	const struct io_command *c = io_command_of(number, d->word);

	dec_args(d, 0, 1);
	dec_begin(d, 1);
	io_say_name(d, number);
	if (c && c->how == IO_NOTHING)
		return;
	if (c && (c->how == IO_OUT || (c->how == IO_BY_HAND && c->hand->at_end)))
		dec_at_end(d);
	dec_arg(d, 2, c && c->arg ? c->arg : d->sys->args[2].name);
	if (!c)
		say_by_number(d, number);
	else if (c->how == IO_BY_HAND)
		c->hand->say(d, c);
	else
		io_say_argument(d, c);
}

#define BY_NUMBER_VERBOSE 1024
#define BY_NUMBER_MOST 136       /* enough for what is shown of an input device's commands, whose numbers are many */

static void ioctl_capture(struct cap_builder *b, const struct syscall *s)
{
	uint32_t least = b->opts->no_abbrev ? BY_NUMBER_VERBOSE : BY_NUMBER_MOST, most = b->opts->string_limit > least ? cap_limit(b) : least;

	cap_args(b, s, 0, 1);
	cap_add(b, 2, IO_BEFORE, CAP_IOCTL, CAP_ENTER)->max = most;
	cap_add(b, 2, IO_AFTER, CAP_IOCTL, CAP_EXIT | CAP_ON_ERROR)->max = most;
}

static bool ioctl_capture_of(struct cap_builder *b, size_t i, uint32_t *ret_value)
{
	if (i >= ARRAY_SIZE(commands))
		return false;
	*ret_value = number_for(&commands[i], b->word);
	cap_fd(b, 0, false);
	if (*ret_value)
		io_capture(b, &commands[i]);
	return true;
}

/* What the number means that it returned. */
static void ioctl_detail(struct dec *d)
{
	enum { NS_GET_NSTYPE = 0xb703 };
	const char *name = sym_name(&tab_setns_types, (uint64_t)d->call->ret);
	uint32_t number = (uint32_t)dec_reg(d, 1);
	const struct io_command *c = io_command_of(number, d->word);

	if (c && c->hand && c->hand->detail)
		c->hand->detail(d);
	if (number != NS_GET_NSTYPE || !d->ok || !name)
		return;
	d->ops->result_detail(d->e);
	d->ops->sym(d->e, name, (uint64_t)d->call->ret);
}

enum { UDMABUF_CREATE = 0x40187542, UDMABUF_CREATE_LIST = 0x40087543 };

/* A buffer is made of what the argument tells, if that (of a list its head) can be read. */
static bool returns_buffer(const struct call *call)
{
	unsigned size = (uint32_t)call->args[1] == UDMABUF_CREATE ? SIZE(UDMABUF_CREATE) : 8;

	for (size_t i = 0; i < call->n_captures; i++)
		if (call->captures[i].arg == 2 && call->captures[i].part == IO_BEFORE)
			return !(call->captures[i].flags & CT_CAP_FAILED) && call->captures[i].len >= size;
	return call->args[2];
}

/* Commands whose result is a descriptor. */
static enum ret_kind ioctl_ret(const struct call *call)
{
	switch ((uint32_t)call->args[1]) {
	case 0xae01: case 0xae41:                               /* KVM_CREATE_VM, KVM_CREATE_VCPU */
	case 0xb701: case 0xb702:                               /* NS_GET_USERNS, NS_GET_PARENT */
	case 0x8010b70b: case 0x8010b70c:                       /* NS_MNT_GET_NEXT, NS_MNT_GET_PREV */
	case 0xff01: case 0xff02: case 0xff03: case 0xff04: case 0xff05: case 0xff06: case 0xff07: case 0xff08: case 0xff09:
	case 0xff0a:                                            /* PIDFD_GET_CGROUP_NAMESPACE to PIDFD_GET_UTS_NAMESPACE */
		return RET_FD;
	case UDMABUF_CREATE: case UDMABUF_CREATE_LIST:
		return returns_buffer(call) ? RET_FD : RET_DEC;
	}
	return RET_DEC;
}

const struct hooks hooks_ioctl = { .decode = ioctl_decode, .capture = ioctl_capture, .capture_of = ioctl_capture_of, .by_arg = 2, .detail = ioctl_detail,
				    .ret = ioctl_ret };
