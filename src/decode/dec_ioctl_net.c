/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl: interfaces of the network. netdevice(7) */
#include "decode/dec_net.h"
#include "decode/ioctl_args.h"

#include <stdio.h>

#define NAME_SIZE 16            /* IFNAMSIZ */

/* include/uapi/linux/sockios.h */
enum {
	GIFFLAGS = 0x8913, SIFFLAGS, GIFADDR, SIFADDR, GIFDSTADDR, SIFDSTADDR, GIFBRDADDR, SIFBRDADDR, GIFNETMASK, SIFNETMASK,
	GIFMETRIC, SIFMETRIC, GIFMTU = 0x8921, SIFMTU, SIFNAME, SIFHWADDR, GIFHWADDR = 0x8927, GIFSLAVE = 0x8929,
	SIFSLAVE = 0x8930, ADDMULTI, DELMULTI, GIFINDEX, SIFHWBROADCAST = 0x8937, GIFTXQLEN = 0x8942, SIFTXQLEN,
	GIFMAP = 0x8970, SIFMAP,
};

static void say_name(struct dec *d, struct bytes b, size_t off)
{
	struct bytes s = bytes_cut(bytes_from(b, off), NAME_SIZE);
	const uint8_t *nul = s.len ? memchr(s.p, 0, s.len) : NULL;

	if (nul)
		d->ops->str(d->e, s.p, (size_t)(nul - s.p), EMIT_STR_PATH);
	else
		d->ops->str(d->e, s.p, s.len ? s.len - 1 : 0, EMIT_STR_PATH | EMIT_STR_CUT);
}

static void field_address(struct dec *d, const char *name, struct bytes b, size_t off)
{
	say_field(d, name);
	say_sockaddr_bytes(d, bytes_cut(bytes_from(b, off), 16));
}

/* Bytes of a hardware address; 14, where that is not known. if_arp.h, and the drivers' own headers */
static unsigned hwaddr_length(unsigned type)
{
	static const struct { uint16_t type; uint8_t len; } lengths[] = {
		{ 0, 7 }, { 1, 6 }, { 3, 7 }, { 6, 6 }, { 7, 1 }, { 15, 2 }, { 27, 8 }, { 270, 5 }, { 271, 5 }, { 290, 1 }, { 768, 4 },
		{ 772, 6 }, { 773, 1 }, { 774, 6 }, { 776, 4 }, { 777, 4 }, { 778, 4 }, { 779, 4 }, { 780, 6 }, { 783, 4 }, { 801, 6 },
		{ 802, 6 }, { 803, 6 }, { 804, 8 }, { 805, 8 }, { 820, 1 }, { 821, 1 }, { 822, 1 }, { 825, 8 }, { 826, 8 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++)
		if (lengths[i].type == type)
			return lengths[i].len;
	return 14;
}

static void field_hwaddr(struct dec *d, struct bytes b, size_t off)
{
	struct words w = { 0 };
	char two[4];

	say_field(d, "ifr_hwaddr");
	d->ops->struct_begin(d->e);
	field_sym(d, "sa_family", &tab_hardware_types, get16(b, off));
	for (unsigned i = 0; i < hwaddr_length(get16(b, off)); i++) {
		snprintf(two, sizeof(two), "%s%02x", i ? ":" : "", get8(b, off + 2 + i));
		words_str(&w, two);
	}
	say_field(d, "sa_data");
	d->ops->alias_bytes_begin(d->e, bytes_from(b, off + 2).p, 14);
	d->ops->word(d->e, w.buf);
	d->ops->alias_end(d->e);
	d->ops->struct_end(d->e);
}

static void field_map(struct dec *d, struct bytes b, size_t off)
{
	size_t at = off + 2 * d->word;

	say_field(d, "ifr_map");
	d->ops->struct_begin(d->e);
	field_hex(d, "mem_start", get_uint(b, off, d->word));
	field_hex(d, "mem_end", get_uint(b, off + d->word, d->word));
	field_hex(d, "base_addr", get16(b, at));
	field_hex(d, "irq", get8(b, at + 2));
	field_hex(d, "dma", get8(b, at + 3));
	field_hex(d, "port", get8(b, at + 4));
	d->ops->struct_end(d->e);
}

/* The half of struct ifreq behind the name: which member of the union, the command says. */
static void say_ifr(struct dec *d, struct bytes b, size_t off)
{
	switch ((uint32_t)dec_reg(d, 1)) {
	case GIFADDR: case SIFADDR:
		field_address(d, "ifr_addr", b, off);
		break;
	case GIFDSTADDR: case SIFDSTADDR:
		field_address(d, "ifr_dstaddr", b, off);
		break;
	case GIFBRDADDR: case SIFBRDADDR:
		field_address(d, "ifr_broadaddr", b, off);
		break;
	case GIFNETMASK: case SIFNETMASK:
		field_address(d, "ifr_netmask", b, off);
		break;
	case GIFHWADDR: case SIFHWADDR: case SIFHWBROADCAST: case ADDMULTI: case DELMULTI:
		field_hwaddr(d, b, off);
		break;
	case GIFFLAGS: case SIFFLAGS:
		field_flags(d, "ifr_flags", &tab_iff_flags, get16(b, off));
		break;
	case GIFINDEX:
		field_dec(d, "ifr_ifindex", (int32_t)get32(b, off));
		break;
	case GIFMETRIC: case SIFMETRIC:
		field_dec(d, "ifr_metric", (int32_t)get32(b, off));
		break;
	case GIFMTU: case SIFMTU:
		field_dec(d, "ifr_mtu", (int32_t)get32(b, off));
		break;
	case GIFTXQLEN: case SIFTXQLEN:
		field_dec(d, "ifr_qlen", (int32_t)get32(b, off));
		break;
	case GIFSLAVE: case SIFSLAVE:
		say_field(d, "ifr_slave");
		say_name(d, b, off);
		break;
	case SIFNAME:
		say_field(d, "ifr_newname");
		say_name(d, b, off);
		break;
	case GIFMAP: case SIFMAP:
		field_map(d, b, off);
		break;
	}
}

#define IFR_SIZE AT(40, 32)
IO_STRUCT(ifreq_get, STRN(ifr_name, NAME_SIZE), EXITS, HAND(NULL, say_ifr, 16), IFR_SIZE)
IO_STRUCT(ifreq_set, STRN(ifr_name, NAME_SIZE), HAND(NULL, say_ifr, 16), IFR_SIZE)
IO_STRUCT(ifname, AT(16, 16), D4(ifr_ifindex), EXITS, AT(0, 0), STRN(ifr_name, NAME_SIZE), IFR_SIZE)
IO_STRUCT(brif, AT(16, 16), U4(ifr_ifindex), IFR_SIZE)

/* --- bridges --- */

static void say_brname(struct dec *d, const struct io_command *c _unused_)
{
	const struct capture *s = dec_good_text(d, 2, IO_BEFORE, 0);

	if (!dec_reg(d, 2) || !s)
		say_unreadable(d, 2, dec_text(d, 2, IO_BEFORE, 0));
	else
		d->ops->str(d->e, s->data, s->len, EMIT_STR_PATH | (s->flags & CT_CAP_CUT ? EMIT_STR_CUT : 0));
}

static void cap_brname(struct cap_builder *b, const struct io_command *c _unused_)
{
	struct cap_op *op = cap_add(b, 2, IO_BEFORE, CAP_STR, CAP_ENTER);

	op->max = NAME_SIZE;
}

const struct io_hand io_brname = { .say = say_brname, .capture = cap_brname };

/* --- SIOCGIFCONF --- */

static size_t ifreq_size(const struct dec *d)
{
	return d->word == 8 ? 40 : 32;
}

static void say_ifc_len(struct dec *d, int32_t len)
{
	char text[48];
	size_t size = ifreq_size(d);

	say_dec(d, len);
	if (len <= 0 || (size_t)len % size)
		return;
	snprintf(text, sizeof(text), "%zu * sizeof(struct ifreq)", (size_t)len / size);
	d->ops->comment(d->e, text);
}

static void say_ifc_element(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	say_field(d, "ifr_name");
	say_name(d, b, 0);
	field_address(d, "ifr_addr", b, NAME_SIZE);
	d->ops->struct_end(d->e);
}

static void say_ifconf(struct dec *d, const struct io_command *c _unused_)
{
	/* Its head is shown whatever -e verbose= says. */
	struct bytes in = bytes_of(dec_good_text(d, 2, IO_BEFORE, 0)), out = bytes_of(dec_good_text(d, 2, IO_AFTER, 0));
	size_t have = 2 * d->word;
	int32_t len = (int32_t)get32(in, 0), after = (int32_t)get32(out, 0);
	uint64_t addr = get_uint(in, d->word, d->word);

	if (!dec_reg(d, 2) || in.len < have) {
		say_unreadable(d, 2, dec_text(d, 2, IO_BEFORE, 0));
		return;
	}
	/* Without a buffer the length is nothing but a result. */
	d->ops->struct_begin(d->e);
	say_field(d, "ifc_len");
	dec_at_end(d);
	if (!addr && d->ok && out.len >= have) {
		say_ifc_len(d, after);
	} else {
		say_ifc_len(d, len);
		if (d->ok && out.len >= have && after != len) {
			d->ops->change(d->e);
			say_ifc_len(d, after);
		}
	}
	say_field(d, "ifc_buf");
	if (!addr || !d->ok || d->opts->addresses || out.len < have || after < 0)
		say_addr(d, addr);
	else
		say_array(d, dec_cap(d, 2, IO_MORE, 0), addr, after > 0 ? (uint64_t)after / ifreq_size(d) : 0, ifreq_size(d), say_ifc_element);
	d->ops->struct_end(d->e);
}

static void cap_ifconf(struct cap_builder *b, const struct io_command *c _unused_)
{
	struct cap_op *op;

	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, 2 * b->word);
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, 2 * b->word);
	op = cap_add(b, 2, IO_MORE, CAP_BYTES, CAP_EXIT | CAP_LEN32);
	op->len_from = CAP_LEN_FIELD;
	op->via_off = (uint16_t)b->word;
	op->max = CT_CAP_MAX;
}

const struct io_hand io_ifconf = { .say = say_ifconf, .capture = cap_ifconf };
