/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Programs for the classic BPF machine (linux/filter.h), as the macros
 * BPF_STMT and BPF_JUMP spell them. Shown with -v, else by their address.
 */
#include "decode/dec_process.h"

#include "decode/dec_array.h"
#include "decode/kinds.h"
#include "util/macros.h"

#define INSN_SIZE 8             /* struct sock_filter */
#define INSNS_MAX 4096          /* BPF_MAXINSNS */

enum { CLASS_LD, CLASS_LDX, CLASS_ST, CLASS_STX, CLASS_ALU, CLASS_JMP, CLASS_RET, CLASS_MISC };

#define SIZE_BITS 0x18u
#define MODE_BITS 0xe0u
#define MODE_ABS  0x20u
#define SRC_BIT   0x08u
#define OP_BITS   0xf0u
#define RVAL_BITS 0x18u
#define MISC_BITS 0xf8u

void words_bpf(const struct dec *d, struct words *w, const struct symtab *t, uint32_t v)
{
	words_str(w, "|");
	words_sym(d, w, t, v);
}

void words_bpf_rest(struct words *w, uint32_t v)
{
	if (!v)
		return;
	words_str(w, "|");
	words_hex(w, v);
	words_comment(w, tab_bpf_classes.unknown);
}

static void words_code(const struct dec *d, struct words *w, uint16_t code)
{
	unsigned class = code & 7;

	words_sym(d, w, &tab_bpf_classes, class);
	switch (class) {
	case CLASS_LD:
	case CLASS_LDX:
		words_bpf(d, w, &tab_bpf_sizes, code & SIZE_BITS);
		words_bpf(d, w, &tab_bpf_modes, code & MODE_BITS);
		break;
	case CLASS_ST:
	case CLASS_STX:
		words_bpf_rest(w, code & ~7u);
		break;
	case CLASS_ALU:
		words_bpf(d, w, &tab_bpf_sources, code & SRC_BIT);
		words_bpf(d, w, &tab_bpf_alu_ops, code & OP_BITS);
		break;
	case CLASS_JMP:
		words_bpf(d, w, &tab_bpf_sources, code & SRC_BIT);
		words_bpf(d, w, &tab_bpf_jump_ops, code & OP_BITS);
		break;
	case CLASS_RET:
		words_bpf(d, w, &tab_bpf_return_values, code & RVAL_BITS);
		words_bpf_rest(w, code & ~(RVAL_BITS | 7u));
		break;
	default:
		words_bpf(d, w, &tab_bpf_misc_ops, code & MISC_BITS);
		words_bpf_rest(w, code & ~(MISC_BITS | 7u));
	}
}

/* What a seccomp filter returns: an action in the upper half, its data in the lower. */
static void words_action(const struct dec *d, struct words *w, uint32_t k)
{
	words_sym(d, w, &tab_seccomp_actions, k & 0xffff0000u);
	if (!(k & 0xffff))
		return;
	words_str(w, "|");
	words_hex(w, k & 0xffff);
}

#define SKF_AD_OFF  0xfffff000u /* data about a packet, not its bytes */
#define SKF_NET_OFF 0xfff00000u
#define SKF_LL_OFF  0xffe00000u

/* Offsets of packets begin at 0: the last ones mean something else. */
static void words_packet(const struct dec *d, struct words *w, uint32_t k)
{
	if (k >= SKF_AD_OFF) {
		words_named(d, w, "SKF_AD_OFF", SKF_AD_OFF);
		words_str(w, "+");
		words_sym(d, w, &tab_skf_ad, k - SKF_AD_OFF);
	} else if (k >= SKF_NET_OFF) {
		words_named(d, w, "SKF_NET_OFF", SKF_NET_OFF);
		words_str(w, "+");
		words_udec(w, k - SKF_NET_OFF);
	} else if (k >= SKF_LL_OFF) {
		words_named(d, w, "SKF_LL_OFF", SKF_LL_OFF);
		words_str(w, "+");
		words_udec(w, k - SKF_LL_OFF);
	} else {
		words_hex(w, k);
	}
}

static void words_operand(const struct dec *d, struct words *w, uint16_t code, uint32_t k, bool seccomp)
{
	bool packet = (code & 7) == CLASS_LD && (code & MODE_BITS) == MODE_ABS;

	if (seccomp && (code & 7) == CLASS_RET)
		words_action(d, w, k);
	else if (!seccomp && packet)
		words_packet(d, w, k);
	else
		words_hex(w, k);
}

static void say_insn(struct dec *d, struct bytes b, bool seccomp)
{
	struct words w = { 0 };
	uint16_t code = get16(b, 0);
	uint8_t jt = get8(b, 2), jf = get8(b, 3);
	uint32_t k = get32(b, 4);

	words_str(&w, jt || jf ? "BPF_JUMP(" : "BPF_STMT(");
	words_code(d, &w, code);
	words_str(&w, ", ");
	if (jt || jf) {
		words_hex(&w, k);
		words_str(&w, ", ");
		words_hex(&w, jt);
		words_str(&w, ", ");
		words_hex(&w, jf);
	} else {
		words_operand(d, &w, code, k, seccomp);
	}
	words_str(&w, ")");
	d->ops->word(d->e, w.buf);
}

static void say_seccomp_insn(struct dec *d, struct bytes b)
{
	say_insn(d, b, true);
}

static void say_socket_insn(struct dec *d, struct bytes b)
{
	say_insn(d, b, false);
}

void say_array_up_to(struct dec *d, const struct capture *c, uint64_t addr, uint64_t count, size_t size, unsigned max,
		     void (*element)(struct dec *d, struct bytes b))
{
	if (count <= max || !c || c->len < max * size) {
		say_array(d, c, addr, count, size, element);
		return;
	}
	d->ops->array_begin(d->e);
	for (unsigned i = 0; i < max; i++)
		element(d, bytes_from(bytes_of(c), i * size));
	d->ops->more(d->e);
	d->ops->array_end(d->e);
}

static void say_insns(struct dec *d, const struct capture *c, uint64_t addr, unsigned count, bool seccomp)
{
	void (*insn)(struct dec *d, struct bytes b) = seccomp ? say_seccomp_insn : say_socket_insn;

	if (d->opts->no_abbrev)
		say_array_up_to(d, c, addr, count, INSN_SIZE, INSNS_MAX, insn);
	else
		say_addr(d, addr);
}

void say_socket_filter(struct dec *d, const struct capture *c, uint64_t addr, uint64_t count)
{
	/* As many as struct sock_fprog can count. */
	if (count > UINT16_MAX)
		say_addr(d, addr);
	else
		say_insns(d, c, addr, (unsigned)count, false);
}

void say_fprog(struct dec *d, unsigned reg, unsigned part, bool seccomp)
{
	const struct capture *c = dec_good(d, reg, part, 0);
	unsigned len;

	if (!c || c->len < 2 * d->word) {
		say_unreadable(d, reg, dec_cap(d, reg, part, 0));
		return;
	}
	len = get16(bytes_of(c), 0);
	d->ops->struct_begin(d->e);
	field_udec(d, "len", len);
	say_field(d, "filter");
	say_insns(d, dec_cap(d, reg, part + 1, 0), get_uint(bytes_of(c), d->word, d->word), len, seccomp);
	d->ops->struct_end(d->e);
}

void cap_fprog(struct cap_builder *b, unsigned reg, unsigned part, const struct cap_op *cond)
{
	struct cap_op *op = cap_add(b, reg, part, CAP_BYTES, CAP_ENTER);

	op->max = 2 * b->word;
	op->cond = cond->cond, op->cond_arg = cond->cond_arg, op->cond_and = cond->cond_and, op->cond_mask = cond->cond_mask;
	if (!b->opts->no_abbrev)
		return;
	op = cap_add(b, reg, part + 1, CAP_BYTES, CAP_ENTER | CAP_LEN16);
	op->via_off = (__u16)b->word;
	op->len_from = CAP_LEN_FIELD;
	op->elem = INSN_SIZE;
	op->max = INSNS_MAX * INSN_SIZE;
	op->cond = cond->cond, op->cond_arg = cond->cond_arg, op->cond_and = cond->cond_and, op->cond_mask = cond->cond_mask;
}
