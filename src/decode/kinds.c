/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Argument kinds: numbers, pointers, constants. Nothing here needs a capture. */
#include "decode/kinds.h"

#include "decode/fileconst.h"

static void decode_int(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_dec(d, (int32_t)dec_reg(d, reg));
}

static void decode_uint(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_udec(d, (uint32_t)dec_reg(d, reg));
}

static void decode_long(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_dec(d, dec_long(d, reg));
}

static void decode_ulong(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_udec(d, dec_reg(d, reg));
}

static void decode_hex(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_hex(d, (uint32_t)dec_reg(d, reg));
}

static void decode_hexl(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_hex(d, dec_reg(d, reg));
}

static void decode_addr(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_addr(d, dec_reg(d, reg));
}

const struct kind kind_int = { .decode = decode_int };
const struct kind kind_uint = { .decode = decode_uint };
const struct kind kind_long = { .decode = decode_long };
const struct kind kind_ulong = { .decode = decode_ulong };
const struct kind kind_hex = { .decode = decode_hex };
const struct kind kind_hexl = { .decode = decode_hexl };
const struct kind kind_addr = { .decode = decode_addr };
const struct kind kind_addr_out = { .decode = decode_addr, .at_end = true };

/* --- 64 bits in two registers --- */

static uint64_t pair(const struct dec *d, unsigned low, unsigned high)
{
	return (uint32_t)dec_reg(d, low) | dec_reg(d, high) << 32;
}

static void decode_llong(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_dec(d, (int64_t)pair(d, reg, reg + 1));
}

static void decode_ullong(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_udec(d, pair(d, reg, reg + 1));
}

static void decode_llong_hl(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_dec(d, (int64_t)pair(d, reg + 1, reg));
}

static void decode_flagsll(struct dec *d, const struct arg *a, unsigned reg)
{
	say_flags(d, a->table, pair(d, reg, reg + 1));
}

/* preadv(2): pos_h does not count where a long holds 64 bits. */
static void decode_pos(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_dec(d, d->word == 8 ? dec_long(d, reg) : (int64_t)pair(d, reg, reg + 1));
}

static void decode_pages(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_hex(d, dec_reg(d, reg) << 12);
}

const struct kind kind_llong = { .decode = decode_llong, .extra_regs = 1 };
const struct kind kind_ullong = { .decode = decode_ullong, .extra_regs = 1 };
const struct kind kind_llong_hl = { .decode = decode_llong_hl, .extra_regs = 1 };
const struct kind kind_flagsll = { .decode = decode_flagsll, .extra_regs = 1 };
const struct kind kind_pos = { .decode = decode_pos, .extra_regs = 1 };
const struct kind kind_pages = { .decode = decode_pages };

/* --- numbers with a meaning --- */

static void decode_fd(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_fd(d, (int)dec_reg(d, reg), false);
}

static void decode_atfd(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_fd(d, (int)dec_reg(d, reg), true);
}

static void decode_id(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_id(d, (uint32_t)dec_reg(d, reg));
}

static void decode_id16(struct dec *d, const struct arg *a, unsigned reg)
{
	uint16_t id = (uint16_t)dec_reg(d, reg);

	(void)a;
	say_id(d, id == UINT16_MAX ? UINT32_MAX : id);
}

static void decode_sig(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_signal(d, (int)dec_reg(d, reg));
}

static void decode_key(struct dec *d, const struct arg *a, unsigned reg)
{
	uint32_t key = (uint32_t)dec_reg(d, reg);

	(void)a;
	if (key)
		say_hex(d, key);
	else
		d->ops->sym(d->e, "IPC_PRIVATE", 0);
}

static void decode_mode(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_mode(d, (uint16_t)dec_reg(d, reg));
}

static void decode_file_mode(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_mode_type(d, (uint16_t)dec_reg(d, reg));
}

/* What they are is asked for by cap_row_fds(). */
const struct kind kind_fd = { .decode = decode_fd };
const struct kind kind_atfd = { .decode = decode_atfd };
const struct kind kind_id = { .decode = decode_id };
const struct kind kind_id16 = { .decode = decode_id16 };
const struct kind kind_sig = { .decode = decode_sig };
const struct kind kind_key = { .decode = decode_key };
const struct kind kind_mode = { .decode = decode_mode };
const struct kind kind_file_mode = { .decode = decode_file_mode };

/* --- constants --- */

static void decode_flags(struct dec *d, const struct arg *a, unsigned reg)
{
	say_flags(d, a->table, (uint32_t)dec_reg(d, reg));
}

static void decode_flagsl(struct dec *d, const struct arg *a, unsigned reg)
{
	say_flags(d, a->table, dec_reg(d, reg));
}

static void decode_sym(struct dec *d, const struct arg *a, unsigned reg)
{
	say_sym(d, a->table, (uint32_t)dec_reg(d, reg));
}

const struct kind kind_flags = { .decode = decode_flags };
const struct kind kind_flagsl = { .decode = decode_flagsl };
const struct kind kind_sym = { .decode = decode_sym };

/* Flags with the size of huge pages in the six topmost of 32 bits, written 21<<MAP_HUGE_SHIFT. */
static void say_huge_flags(struct dec *d, const struct symtab *t, uint64_t v, const char *shift)
{
	uint64_t huge = v >> HUGE_SHIFT & 0x3f, low = (1u << HUGE_SHIFT) - 1;
	struct flags_more more = { .bits = huge << HUGE_SHIFT, .unsaid = v & ~(uint64_t)UINT32_MAX, .nested = true };
	struct words w = { 0 };

	if (huge) {
		words_udec(&w, huge);
		words_str(&w, "<<");
		words_str(&w, shift);
		more.name = w.buf;
	}
	say_flags_and(d, t, v & low, &more);
}

void say_mmap_flags(struct dec *d, uint64_t v)
{
	say_huge_flags(d, &tab_mmap_flags, v, "MAP_HUGE_SHIFT");
}

static void decode_mmap_flags(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_mmap_flags(d, dec_reg(d, reg));
}

static void decode_memfd_flags(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_huge_flags(d, &tab_memfd_flags, (uint32_t)dec_reg(d, reg), "MFD_HUGE_SHIFT");
}

const struct kind kind_mmap_flags = { .decode = decode_mmap_flags };
const struct kind kind_memfd_flags = { .decode = decode_memfd_flags };

/* --- arguments that depend on others --- */

static bool present_if_creat(const struct dec *d, const struct arg *a, unsigned reg)
{
	(void)reg;
	return dec_reg(d, a->a) & (O_CREAT_BIT | O_TMPFILE_BIT);
}

static bool present_if_node(const struct dec *d, const struct arg *a, unsigned reg)
{
	uint32_t type = (uint32_t)dec_reg(d, a->a) & 0170000;

	(void)reg;
	return type == MODE_CHR || type == MODE_BLK;
}

static void decode_dev32(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	say_dev64(d, (uint32_t)dec_reg(d, reg));
}

static bool present_if_fixed(const struct dec *d, const struct arg *a, unsigned reg)
{
	(void)reg;
	return dec_reg(d, a->a) & MREMAP_MAYMOVE_BIT && dec_reg(d, a->a) & MREMAP_PLACED_BITS;
}

static bool present_if_cpu(const struct dec *d, const struct arg *a, unsigned reg)
{
	(void)reg;
	return dec_reg(d, a->a) & MEMBARRIER_CPU_BIT;
}

const struct kind kind_addr_if_creat = { .decode = decode_addr, .present = present_if_creat };
const struct kind kind_int_if_cpu = { .decode = decode_int, .present = present_if_cpu };
const struct kind kind_mode_if_creat = { .decode = decode_mode, .present = present_if_creat };
const struct kind kind_dev_if_node = { .decode = decode_dev32, .present = present_if_node };
const struct kind kind_addr_if_fixed = { .decode = decode_addr, .present = present_if_fixed };
