/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* struct perf_event_attr (linux/perf_event.h), which has grown nine times. */
#include "decode/kinds.h"

#include "decode/dec_perf.h"
#include "util/macros.h"

#include <stdio.h>

enum { PA_TYPE, PA_SIZE = 4, PA_CONFIG = 8, PA_PERIOD = 16, PA_SAMPLE_TYPE = 24, PA_READ_FORMAT = 32, PA_BITS = 40, PA_WAKEUP = 48,
       PA_BP_TYPE = 52, PA_CONFIG1 = 56, PA_CONFIG2 = 64, PA_SIZE_0 = 64, PA_BRANCH = 72, PA_REGS_USER = 80, PA_STACK_USER = 88,
       PA_CLOCKID = 92, PA_REGS_INTR = 96, PA_AUX_WATERMARK = 104, PA_MAX_STACK = 108, PA_RESERVED_2 = 110, PA_AUX_SIZE = 112,
       PA_AUX_ACTION = 116, PA_SIG_DATA = 120, PA_CONFIG3 = 128, PA_CONFIG4 = 136, PA_KNOWN = 144 };

enum { TYPE_HARDWARE, TYPE_SOFTWARE, TYPE_TRACEPOINT, TYPE_HW_CACHE, TYPE_RAW, TYPE_BREAKPOINT };

#define SAMPLE_BRANCH_STACK (1u << 11)
#define SAMPLE_STACK_USER   (1u << 13)

/* The bits at PA_BITS, from the lowest on; precise_ip has two. */
static const char *const bit_names[] = {
	"disabled", "inherit", "pinned", "exclusive", "exclude_user", "exclude_kernel", "exclude_hv", "exclude_idle", "mmap", "comm",
	"freq", "inherit_stat", "enable_on_exec", "task", "watermark", "precise_ip", NULL, "mmap_data", "sample_id_all", "exclude_host",
	"exclude_guest", "exclude_callchain_kernel", "exclude_callchain_user", "mmap2", "comm_exec", "use_clockid", "context_switch",
	"write_backward", "namespaces", "ksymbol", "bpf_event", "aux_output", "cgroup", "text_poke", "build_id", "inherit_thread",
	"remove_on_exec", "sigtrap",
};

enum { BIT_FREQ = 10, BIT_WATERMARK = 14, BIT_PRECISE = 15, BIT_CLOCKID = 25 };

static bool bit(struct bytes b, unsigned n)
{
	return get64(b, PA_BITS) >> n & 1;
}

/* The number of a PMU, then what it counts. */
static void say_hw_config(struct dec *d, uint64_t v, bool cache)
{
	struct words w = { 0 };

	if (v >> 32) {
		words_hex(&w, v >> 32);
		words_str(&w, "<<32|");
	}
	if (!cache) {
		words_sym(d, &w, &tab_perf_hw_ids, (uint32_t)v);
		d->ops->word(d->e, w.buf);
		return;
	}
	if (v >> 24 & 0xff) {
		words_hex(&w, v >> 24 & 0xff);
		words_str(&w, "<<24|");
	}
	words_sym(d, &w, &tab_perf_cache_results, v >> 16 & 0xff);
	words_str(&w, "<<16|");
	words_sym(d, &w, &tab_perf_cache_ops, v >> 8 & 0xff);
	words_str(&w, "<<8|");
	words_sym(d, &w, &tab_perf_caches, v & 0xff);
	d->ops->word(d->e, w.buf);
}

static void perf_config(struct dec *d, struct bytes b)
{
	uint64_t v = get64(b, PA_CONFIG);

	say_field(d, "config");
	switch (get32(b, PA_TYPE)) {
	case TYPE_HARDWARE:
		say_hw_config(d, v, false);
		break;
	case TYPE_HW_CACHE:
		say_hw_config(d, v, true);
		break;
	case TYPE_SOFTWARE:
		say_sym(d, &tab_perf_sw_ids, v);
		break;
	case TYPE_TRACEPOINT:
		say_udec(d, v);
		break;
	default:
		say_hex(d, v);
	}
}

static void perf_bits(struct dec *d, struct bytes b)
{
	static const char *const skids[] = { "arbitrary skid", "constant skid", "requested to have 0 skid", "must have 0 skid" };
	uint64_t v = get64(b, PA_BITS), rest = v >> ARRAY_SIZE(bit_names);

	for (unsigned i = 0; i < ARRAY_SIZE(bit_names); i++) {
		if (i == BIT_PRECISE) {
			field_udec(d, bit_names[i], v >> i & 3);
			d->ops->comment(d->e, skids[v >> i & 3]);
		} else if (bit_names[i] && (d->opts->no_abbrev || (v >> i & 1))) {
			field_udec(d, bit_names[i], v >> i & 1);
		}
	}
	if (rest) {
		field_hex(d, "__reserved_1", rest);
		d->ops->comment(d->e, "Bits 63..38");
	}
}

static void perf_breakpoint(struct dec *d, struct bytes b)
{
	field_sym(d, "bp_type", &tab_perf_bp_types, get32(b, PA_BP_TYPE));
	field_hex(d, "bp_addr", get64(b, PA_CONFIG1));
	if (b.len > PA_CONFIG2)
		field_udec(d, "bp_len", get64(b, PA_CONFIG2));
}

static void perf_aux(struct dec *d, struct bytes b)
{
	uint32_t action = get32(b, PA_AUX_ACTION);

	if (b.len > PA_AUX_SIZE)
		field_udec(d, "aux_sample_size", get32(b, PA_AUX_SIZE));
	if (b.len <= PA_AUX_ACTION)
		return;
	field_udec(d, "aux_start_paused", action & 1);
	field_udec(d, "aux_pause", action >> 1 & 1);
	field_udec(d, "aux_resume", action >> 2 & 1);
	if (action >> 3) {
		field_hex(d, "__reserved_3", action >> 3);
		d->ops->comment(d->e, "Bits 931..959");
	}
}

/* What came with version 2 and later: there, if the size goes beyond its place. */
static void perf_later(struct dec *d, struct bytes b)
{
	uint64_t samples = get64(b, PA_SAMPLE_TYPE);
	char text[32];

	if (b.len > PA_BRANCH && samples & SAMPLE_BRANCH_STACK)
		field_flags(d, "branch_sample_type", &tab_perf_branch_types, get64(b, PA_BRANCH));
	if (b.len > PA_REGS_USER)
		field_hex(d, "sample_regs_user", get64(b, PA_REGS_USER));
	if (b.len > PA_STACK_USER && samples & SAMPLE_STACK_USER)
		field_hex(d, "sample_stack_user", get32(b, PA_STACK_USER));
	if (b.len > PA_CLOCKID && bit(b, BIT_CLOCKID))
		field_sym(d, "clockid", &tab_clock_ids, get32(b, PA_CLOCKID));
	if (b.len > PA_REGS_INTR)
		field_hex(d, "sample_regs_intr", get64(b, PA_REGS_INTR));
	if (b.len > PA_AUX_WATERMARK)
		field_udec(d, "aux_watermark", get32(b, PA_AUX_WATERMARK));
	if (b.len > PA_MAX_STACK)
		field_udec(d, "sample_max_stack", get16(b, PA_MAX_STACK));
	if (get16(b, PA_RESERVED_2)) {
		snprintf(text, sizeof(text), "bytes 110..111: %#x", get16(b, PA_RESERVED_2));
		d->ops->comment(d->e, text);
	}
	perf_aux(d, b);
	if (b.len > PA_SIG_DATA)
		field_hex(d, "sig_data", get64(b, PA_SIG_DATA));
	if (b.len > PA_CONFIG3)
		field_hex(d, "config3", get64(b, PA_CONFIG3));
	if (b.len > PA_CONFIG4)
		field_hex(d, "config4", get64(b, PA_CONFIG4));
}

static void perf_attr(struct dec *d, struct bytes b, uint32_t size, const uint32_t *new_size)
{
	d->ops->struct_begin(d->e);
	field_sym(d, "type", &tab_perf_types, get32(b, PA_TYPE));
	field_sym(d, "size", &tab_perf_attr_sizes, get32(b, PA_SIZE));
	if (new_size) {
		d->ops->change(d->e);
		say_sym(d, &tab_perf_attr_sizes, *new_size);
	}
	perf_config(d, b);
	field_udec(d, bit(b, BIT_FREQ) ? "sample_freq" : "sample_period", get64(b, PA_PERIOD));
	field_flags(d, "sample_type", &tab_perf_sample_types, get64(b, PA_SAMPLE_TYPE));
	field_flags(d, "read_format", &tab_perf_read_formats, get64(b, PA_READ_FORMAT));
	perf_bits(d, b);
	if (d->opts->no_abbrev) {
		field_udec(d, bit(b, BIT_WATERMARK) ? "wakeup_watermark" : "wakeup_events", get32(b, PA_WAKEUP));
		if (get32(b, PA_TYPE) == TYPE_BREAKPOINT) {
			perf_breakpoint(d, b);
		} else {
			field_hex(d, "config1", get64(b, PA_CONFIG1));
			if (b.len > PA_CONFIG2)
				field_hex(d, "config2", get64(b, PA_CONFIG2));
		}
		perf_later(d, b);
	}
	if (!d->opts->no_abbrev || size > PA_KNOWN)
		d->ops->more(d->e);
	d->ops->struct_end(d->e);
}

#define E2BIG_NR 7

void say_perf_attr(struct dec *d, unsigned reg, unsigned part)
{
	struct bytes b = bytes_of(dec_good(d, reg, part, 0));
	uint32_t size = get32(b, PA_SIZE), wanted, new_size;

	if (!size)
		size = PA_SIZE_0;
	wanted = d->opts->no_abbrev ? MIN(size, PA_KNOWN) : PA_SIZE_0;
	if (!dec_reg(d, reg) || size < PA_SIZE_0 || b.len < wanted) {
		say_unreadable(d, reg, dec_cap(d, reg, part, 0));
		return;
	}
	/* The kernel says which size it knows. */
	if (d->err == E2BIG_NR && dec_read(d, reg, part + 1, &new_size, sizeof(new_size)) && new_size != get32(b, PA_SIZE))
		perf_attr(d, bytes_cut(b, wanted), size, &new_size);
	else
		perf_attr(d, bytes_cut(b, wanted), size, NULL);
}

void cap_perf_attr(struct cap_builder *b, unsigned reg, unsigned part)
{
	cap_fixed(b, reg, part, CAP_ENTER, PA_KNOWN);
	cap_fixed(b, reg, part + 1, CAP_EXIT | CAP_ON_ERROR, 4);
	b->spec->ops[b->spec->nops - 1].len_off = PA_SIZE;
}

static void decode_perf_attr(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	say_perf_attr(d, reg, 0);
}

static void capture_perf_attr(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_perf_attr(b, reg, 0);
}

const struct kind kind_perf_attr = { .decode = decode_perf_attr, .capture = capture_perf_attr };
