/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * ioctl(2): the command's name, and the argument of those that are decoded:
 * terminals and what every descriptor knows. One row a command.
 */
#include "decode/kinds.h"

#include "decode/field.h"
#include "util/macros.h"

#include <stdio.h>

enum shape {
	IO_NONE,        /* no argument */
	IO_NUMBER,      /* the argument is an int */
	IO_HEX,         /* ... a bit pattern */
	IO_SYM,         /* ... a constant of the row's table */
	IO_INT_IN, IO_INT_OUT, IO_UINT_OUT,     /* a pointer to an int */
	IO_BITS_IN, IO_BITS_OUT,                /* a pointer to flags of the row's table */
	IO_CHAR_IN,
	IO_TERMIOS_IN, IO_TERMIOS_OUT, IO_TERMIO_IN, IO_TERMIO_OUT, IO_TERMIOS2_IN, IO_TERMIOS2_OUT,
	IO_WINSIZE_IN, IO_WINSIZE_OUT,
};

struct command {
	uint32_t number;
	enum shape shape;
	const struct symtab *table;
};

static const struct command commands[] = {
	{ 0x5401, IO_TERMIOS_OUT, NULL },               /* TCGETS */
	{ 0x5402, IO_TERMIOS_IN, NULL },
	{ 0x5403, IO_TERMIOS_IN, NULL },
	{ 0x5404, IO_TERMIOS_IN, NULL },
	{ 0x5405, IO_TERMIO_OUT, NULL },                /* TCGETA */
	{ 0x5406, IO_TERMIO_IN, NULL },
	{ 0x5407, IO_TERMIO_IN, NULL },
	{ 0x5408, IO_TERMIO_IN, NULL },
	{ 0x5409, IO_NUMBER, NULL },                    /* TCSBRK */
	{ 0x540a, IO_SYM, &tab_tcxonc_actions },
	{ 0x540b, IO_SYM, &tab_tcflush_queues },
	{ 0x540c, IO_NONE, NULL },                      /* TIOCEXCL */
	{ 0x540d, IO_NONE, NULL },
	{ 0x540e, IO_NUMBER, NULL },                    /* TIOCSCTTY */
	{ 0x540f, IO_INT_OUT, NULL },                   /* TIOCGPGRP */
	{ 0x5410, IO_INT_IN, NULL },
	{ 0x5411, IO_INT_OUT, NULL },                   /* TIOCOUTQ */
	{ 0x5412, IO_CHAR_IN, NULL },
	{ 0x5413, IO_WINSIZE_OUT, NULL },
	{ 0x5414, IO_WINSIZE_IN, NULL },
	{ 0x5415, IO_BITS_OUT, &tab_modem_lines },      /* TIOCMGET */
	{ 0x5416, IO_BITS_IN, &tab_modem_lines },
	{ 0x5417, IO_BITS_IN, &tab_modem_lines },
	{ 0x5418, IO_BITS_IN, &tab_modem_lines },
	{ 0x5419, IO_INT_OUT, NULL },                   /* TIOCGSOFTCAR */
	{ 0x541a, IO_INT_IN, NULL },
	{ 0x541b, IO_INT_OUT, NULL },                   /* FIONREAD */
	{ 0x541d, IO_NONE, NULL },                      /* TIOCCONS */
	{ 0x541f, IO_NONE, NULL },                      /* TIOCSSERIAL */
	{ 0x5420, IO_INT_IN, NULL },                    /* TIOCPKT */
	{ 0x5421, IO_INT_IN, NULL },                    /* FIONBIO */
	{ 0x5422, IO_NONE, NULL },                      /* TIOCNOTTY */
	{ 0x5423, IO_INT_IN, NULL },                    /* TIOCSETD */
	{ 0x5424, IO_INT_OUT, NULL },
	{ 0x5425, IO_NUMBER, NULL },                    /* TCSBRKP */
	{ 0x5427, IO_NONE, NULL },                      /* TIOCSBRK */
	{ 0x5428, IO_NONE, NULL },
	{ 0x5429, IO_INT_OUT, NULL },                   /* TIOCGSID */
	{ 0x5437, IO_NONE, NULL },                      /* TIOCVHANGUP */
	{ 0x5441, IO_HEX, NULL },                       /* TIOCGPTPEER */
	{ 0x5450, IO_NONE, NULL },                      /* FIONCLEX */
	{ 0x5451, IO_NONE, NULL },
	{ 0x5452, IO_INT_IN, NULL },                    /* FIOASYNC */
	{ 0x5456, IO_TERMIOS_OUT, NULL },               /* TIOCGLCKTRMIOS */
	{ 0x5457, IO_TERMIOS_IN, NULL },
	{ 0x802c542a, IO_TERMIOS2_OUT, NULL },          /* TCGETS2 */
	{ 0x402c542b, IO_TERMIOS2_IN, NULL },
	{ 0x402c542c, IO_TERMIOS2_IN, NULL },
	{ 0x402c542d, IO_TERMIOS2_IN, NULL },
	{ 0x80045430, IO_UINT_OUT, NULL },              /* TIOCGPTN */
	{ 0x40045431, IO_INT_IN, NULL },                /* TIOCSPTLCK */
	{ 0x80045432, IO_UINT_OUT, NULL },              /* TIOCGDEV */
	{ 0x80045440, IO_INT_OUT, NULL },               /* TIOCGEXCL */
	{ 0x8901, IO_INT_IN, NULL },                    /* FIOSETOWN */
	{ 0x8902, IO_INT_IN, NULL },
	{ 0x8903, IO_INT_OUT, NULL },
	{ 0x8904, IO_INT_OUT, NULL },
	{ 0x8905, IO_INT_OUT, NULL },                   /* SIOCATMARK */
	{ 0xc0045877, IO_NONE, NULL },                  /* FIFREEZE */
	{ 0xc0045878, IO_NONE, NULL },                  /* FITHAW */
};

static const struct command *command_of(uint32_t number)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (commands[i].number == number)
			return &commands[i];
	return NULL;
}

/* --- the command --- */

/* _IOC(_IOC_READ, 0x54, 0x1, 0x24) */
static void say_ioc(struct dec *d, uint32_t number)
{
	static const char *const directions[] = { "_IOC_NONE", "_IOC_WRITE", "_IOC_READ", "_IOC_READ|_IOC_WRITE" };
	struct words w = { 0 };

	words_str(&w, "_IOC(");
	words_str(&w, directions[number >> 30]);
	words_str(&w, ", ");
	words_hex(&w, number >> 8 & 0xff);
	words_str(&w, ", ");
	words_hex(&w, number & 0xff);
	words_str(&w, ", ");
	words_hex(&w, number >> 16 & 0x3fff);
	words_str(&w, ")");
	d->ops->named(d->e, w.buf, number, EMIT_HEX);
}

#define EBADF_NR 9
#define ENOTTY_NR 25

/*
 * The three numbers that a sound timer and a terminal share. strace looks the
 * device up; a terminal is what did not answer that it is none.
 */
static const char *terminal_name(const struct dec *d, uint32_t number)
{
	static const char *const names[] = { "TCSETS", "TCSETSW", "TCSETSF" };

	if (number < 0x5402 || number > 0x5404 || d->err == EBADF_NR || d->err == ENOTTY_NR)
		return NULL;
	return names[number - 0x5402];
}

static void say_command(struct dec *d, uint32_t number)
{
	const char *name = terminal_name(d, number);

	if (!name)
		name = sym_name(&tab_ioctl_cmds, number);
	if (name)
		d->ops->sym(d->e, name, number);
	else
		say_ioc(d, number);
}

/* --- terminals --- */

static void words_bit_names(struct words *w, const struct symtab *t, uint32_t v)
{
	const char *bar = "";

	for (size_t i = 0; i < t->n; i++) {
		if (!(v & t->v[i].v))
			continue;
		words_str(w, bar);
		words_str(w, t->v[i].name);
		v &= ~(uint32_t)t->v[i].v;
		bar = "|";
	}
	if (v) {
		words_str(w, bar);
		words_hex(w, v);
	}
}

static void words_bits(const struct dec *d, struct words *w, const struct symtab *t, uint32_t v)
{
	struct words names = { 0 };

	if (!v)
		return;
	words_bit_names(&names, t, v);
	words_named(d, w, names.buf, v);
}

static void field_words(struct dec *d, const char *name, const struct words *w)
{
	say_field(d, name);
	d->ops->word(d->e, w->buf);
}

static void field_iflag(struct dec *d, const char *name, const struct symtab *t, uint32_t v)
{
	struct words w = { 0 };

	words_bits(d, &w, t, v);
	field_words(d, name, &w);
}

/* Delays are constants of one or two bits; they are always named. */
static void field_oflag(struct dec *d, uint32_t v)
{
	static const struct { const char *name; unsigned shift, mask; } delays[] = {
		{ "NL", 8, 1 }, { "CR", 9, 3 }, { "TAB", 11, 3 }, { "BS", 13, 1 }, { "VT", 14, 1 }, { "FF", 15, 1 },
	};
	struct words w = { 0 };
	uint32_t rest = v;
	char name[16];

	for (size_t i = 0; i < ARRAY_SIZE(delays); i++) {
		unsigned delay = v >> delays[i].shift & delays[i].mask;

		if (delays[i].shift == 11 && delay == 3)
			snprintf(name, sizeof(name), "XTABS");
		else
			snprintf(name, sizeof(name), "%s%u", delays[i].name, delay);
		words_named(d, &w, name, delay << delays[i].shift);
		words_str(&w, "|");
		rest &= ~(delays[i].mask << delays[i].shift);
	}
	words_bits(d, &w, &tab_termios_oflag, rest);
	field_words(d, "c_oflag", &w);
}

#define BAUD_MASK 0x100fu
#define INPUT_BAUD_SHIFT 16

static void field_cflag(struct dec *d, uint32_t v)
{
	uint32_t input = v >> INPUT_BAUD_SHIFT & BAUD_MASK, rest = v & ~(BAUD_MASK | BAUD_MASK << INPUT_BAUD_SHIFT | 0x30u);
	struct words w = { 0 };
	char size[8];

	words_named(d, &w, sym_name(&tab_baud_rates, v & BAUD_MASK), v & BAUD_MASK);
	if (input) {
		words_str(&w, "|");
		words_named(d, &w, sym_name(&tab_baud_rates, input), input);
		words_str(&w, "<<IBSHIFT");
	}
	snprintf(size, sizeof(size), "CS%u", 5 + (v >> 4 & 3));
	words_str(&w, "|");
	words_named(d, &w, size, v & 0x30);
	words_str(&w, "|");
	words_bits(d, &w, &tab_termios_cflag, rest);
	field_words(d, "c_cflag", &w);
}

static void field_control_chars(struct dec *d, struct bytes b, unsigned n)
{
	static const char *const names[] = { "VINTR", "VQUIT", "VERASE", "VKILL", "VEOF", "VTIME", "VMIN", "VSWTC", "VSTART",
					     "VSTOP", "VSUSP", "VEOL", "VREPRINT", "VDISCARD", "VWERASE", "VLNEXT", "VEOL2" };
	struct words w = { 0 };

	words_str(&w, "[");
	for (unsigned i = 0; i < n; i++) {
		words_str(&w, i ? ", [" : "[");
		if (i < ARRAY_SIZE(names))
			words_str(&w, names[i]);
		else
			words_udec(&w, i);
		words_str(&w, "]=");
		words_hex(&w, get8(b, i));
	}
	words_str(&w, "]");
	field_words(d, "c_cc", &w);
}

/* word: 4, or 2 for the old struct termio. */
static void say_termios(struct dec *d, struct bytes b, unsigned word, bool speeds)
{
	d->ops->struct_begin(d->e);
	field_iflag(d, "c_iflag", &tab_termios_iflag, (uint32_t)get_uint(b, 0, word));
	field_oflag(d, (uint32_t)get_uint(b, word, word));
	field_cflag(d, (uint32_t)get_uint(b, 2 * word, word));
	field_iflag(d, "c_lflag", &tab_termios_lflag, (uint32_t)get_uint(b, 3 * word, word));
	if (d->opts->no_abbrev) {
		field_sym(d, "c_line", &tab_line_disciplines, get8(b, 4 * word));
		field_control_chars(d, bytes_from(b, 4 * word + 1), word == 2 ? 8 : 19);
		if (speeds) {
			field_udec(d, "c_ispeed", get32(b, 36));
			field_udec(d, "c_ospeed", get32(b, 40));
		}
	} else {
		d->ops->more(d->e);
	}
	d->ops->struct_end(d->e);
}

static void say_winsize(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_udec(d, "ws_row", get16(b, 0));
	field_udec(d, "ws_col", get16(b, 2));
	field_udec(d, "ws_xpixel", get16(b, 4));
	field_udec(d, "ws_ypixel", get16(b, 6));
	d->ops->struct_end(d->e);
}

/* --- the argument --- */

/* How much a pointer has to lead to, and whether the kernel fills it in. 0: no pointer. */
static size_t shape_size(enum shape shape, bool *ret_output)
{
	*ret_output = false;
	switch (shape) {
	case IO_INT_OUT:
	case IO_UINT_OUT:
	case IO_BITS_OUT:
		*ret_output = true;
		return 4;
	case IO_INT_IN:
	case IO_BITS_IN:
		return 4;
	case IO_CHAR_IN:
		return 1;
	case IO_TERMIOS_OUT:
		*ret_output = true;
		return 36;
	case IO_TERMIOS_IN:
		return 36;
	case IO_TERMIO_OUT:
		*ret_output = true;
		return 17;
	case IO_TERMIO_IN:
		return 17;
	case IO_TERMIOS2_OUT:
		*ret_output = true;
		return 44;
	case IO_TERMIOS2_IN:
		return 44;
	case IO_WINSIZE_OUT:
		*ret_output = true;
		return 8;
	case IO_WINSIZE_IN:
		return 8;
	default:
		return 0;
	}
}

static void say_boxed(struct dec *d, const struct command *cmd, uint32_t v)
{
	d->ops->array_begin(d->e);
	if (cmd->table)
		say_flags(d, cmd->table, v);
	else if (cmd->shape == IO_UINT_OUT)
		say_udec(d, v);
	else
		say_dec(d, (int32_t)v);
	d->ops->array_end(d->e);
}

static void say_pointed_at(struct dec *d, const struct command *cmd, struct bytes b)
{
	switch (cmd->shape) {
	case IO_CHAR_IN:
		d->ops->str(d->e, b.p, 1, 0);
		break;
	case IO_TERMIOS_IN:
	case IO_TERMIOS_OUT:
		say_termios(d, b, 4, false);
		break;
	case IO_TERMIOS2_IN:
	case IO_TERMIOS2_OUT:
		say_termios(d, b, 4, true);
		break;
	case IO_TERMIO_IN:
	case IO_TERMIO_OUT:
		say_termios(d, b, 2, false);
		break;
	case IO_WINSIZE_IN:
	case IO_WINSIZE_OUT:
		say_winsize(d, b);
		break;
	default:
		say_boxed(d, cmd, get32(b, 0));
	}
}

static void say_argument(struct dec *d, const struct command *cmd)
{
	uint64_t v = dec_reg(d, 2);
	bool output;
	size_t size = shape_size(cmd->shape, &output);
	const struct capture *c = dec_good(d, 2, output, 0);

	if (!c && size == 4)
		c = dec_good(d, 2, 2 + output, 0);
	if (cmd->shape == IO_NUMBER)
		say_dec(d, (int32_t)v);
	else if (cmd->shape == IO_SYM)
		say_sym(d, cmd->table, v);
	else if (cmd->shape == IO_HEX)
		say_hex(d, v);
	else if (!v || (output && !d->ok))
		say_addr(d, v);
	else if (!c || c->len < size)
		say_unreadable(d, 2, dec_cap(d, 2, output, 0));
	else
		say_pointed_at(d, cmd, bytes_of(c));
}

#define TIOCPKT_NR    0x5420
#define TIOCSPTLCK_NR 0x40045431

static const char *argument_name(const struct dec *d, const struct command *cmd)
{
	if (!cmd)
		return d->sys->args[2].name;
	if (cmd->shape == IO_NUMBER || cmd->shape == IO_SYM)
		return "arg";
	if (cmd->number == TIOCPKT_NR)
		return "mode";
	return cmd->number == TIOCSPTLCK_NR ? "lock" : d->sys->args[2].name;
}

static void ioctl_decode(struct dec *d)
{
	uint32_t number = (uint32_t)dec_reg(d, 1);
	const struct command *cmd = command_of(number);
	bool output;

	dec_args(d, 0, 1);
	dec_begin(d, 1);
	say_command(d, number);
	if (cmd && cmd->shape == IO_NONE)
		return;
	if (cmd && shape_size(cmd->shape, &output) && output)
		dec_at_end(d);
	d->ops->arg(d->e, argument_name(d, cmd));
	if (cmd)
		say_argument(d, cmd);
	else
		say_hex(d, dec_reg(d, 2));
}

static void ioctl_capture(struct cap_builder *b, const struct syscall *s _unused_)
{
	struct cap_op *op = cap_add(b, 2, 0, CAP_IOCTL, CAP_ENTER);

	op->max = 44;
	op = cap_add(b, 2, 1, CAP_IOCTL, CAP_EXIT);
	op->max = 44;
	/* Sockets' numbers (0x89xx) do not tell a size: an int for those of types from 0x80 on. */
	for (unsigned part = 2; part < 4; part++) {
		op = cap_add(b, 2, part, CAP_BYTES, part == 2 ? CAP_ENTER : CAP_EXIT);
		op->max = 4;
		op->cond = CAP_COND_BITS;
		op->cond_arg = 1;
		op->cond_and = 0x8000;
	}
}

const struct hooks hooks_ioctl = { .decode = ioctl_decode, .capture = ioctl_capture };
