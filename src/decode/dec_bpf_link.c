/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* BPF_LINK_CREATE: what follows its flags depends on what the program is attached to. */
#include "decode/dec_bpf.h"

#include "decode/dec_array.h"
#include "util/macros.h"

#define T(id) &tab_##id

enum { PART_PATH = 4, PART_ITER, PART_A, PART_B, PART_C, PART_SYMS, PART_SYM_STRINGS };
enum { UPROBES = 16, TRACING = 32 };      /* added to a part: the same of other members */

#define F_ID 0x20u
#define SYMS_MAX 32

static void say_iter_info(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	say_field(d, "map");
	d->ops->struct_begin(d->e);
	say_field(d, "map_fd");
	say_fd(d, (int)get32(b, 0), false);
	d->ops->struct_end(d->e);
	d->ops->struct_end(d->e);
}

static void say_hex64(struct dec *d, struct bytes b)
{
	say_hex(d, get64(b, 0));
}

static void say_id32(struct dec *d, struct bytes b)
{
	say_udec(d, get32(b, 0));
}

static void link_array(struct dec *d, const char *name, unsigned part, uint64_t addr, uint32_t count, size_t size,
		       void (*element)(struct dec *d, struct bytes b))
{
	say_field(d, name);
	say_array(d, dec_cap(d, 1, part, 0), addr, count, size, element);
}

static void link_default(struct dec *d, struct bytes b)
{
	if (get32(b, 16))
		field_udec(d, "target_btf_id", get32(b, 16));
}

static void link_tracing(struct dec *d, struct bytes b)
{
	say_field(d, "tracing");
	d->ops->struct_begin(d->e);
	field_udec(d, "target_btf_id", get32(b, 16));
	field_hex(d, "cookie", get64(b, 24));
	d->ops->struct_end(d->e);
}

static void link_iter(struct dec *d, struct bytes b)
{
	link_array(d, "iter_info", PART_ITER, get64(b, 16), get32(b, 24), 4, say_iter_info);
	field_udec(d, "iter_info_len", get32(b, 24));
}

static void link_perf(struct dec *d, struct bytes b)
{
	say_field(d, "perf_event");
	d->ops->struct_begin(d->e);
	field_hex(d, "bpf_cookie", get64(b, 16));
	d->ops->struct_end(d->e);
}

/* Names of symbols: pointers of the caller's size, of which the strings were captured as far as they could be read. */
static void link_syms(struct dec *d, uint64_t addr, uint32_t count)
{
	const struct capture *c = dec_good(d, 1, PART_SYMS, 0), *s;
	uint32_t shown = d->opts->no_abbrev || count < d->opts->string_limit ? count : d->opts->string_limit, i;
	uint64_t v = 0;

	say_field(d, "syms");
	if (!addr || (count && (!c || c->len < d->word))) {
		say_addr(d, addr);
		return;
	}
	d->ops->array_begin(d->e);
	for (i = 0; i < shown && dec_element(c, i, d->word, &v); i++) {
		s = dec_good(d, 1, PART_SYM_STRINGS, i);
		if (v && s && !(s->flags & CT_CAP_CUT && !s->len))
			say_str(d, s, false);
		else
			say_addr(d, v);
	}
	if (i < shown)
		say_rest_unread(d, addr + (uint64_t)d->word * i);
	else if (i < count)
		d->ops->more(d->e);
	d->ops->array_end(d->e);
}

static void link_kprobes(struct dec *d, struct bytes b)
{
	uint32_t n = get32(b, 20);

	say_field(d, "kprobe_multi");
	d->ops->struct_begin(d->e);
	field_flags(d, "flags", T(bpf_kprobe_flags), get32(b, 16));
	field_udec(d, "cnt", n);
	link_syms(d, get64(b, 24), n);
	link_array(d, "addrs", PART_A, get64(b, 32), n, 8, say_hex64);
	link_array(d, "cookies", PART_B, get64(b, 40), n, 8, say_hex64);
	d->ops->struct_end(d->e);
}

static void link_uprobes(struct dec *d, struct bytes b)
{
	const struct capture *path = dec_good(d, 1, PART_PATH, 0);
	uint32_t n = get32(b, 48);

	say_field(d, "uprobe_multi");
	d->ops->struct_begin(d->e);
	say_field(d, "path");
	if (get64(b, 16) && path)
		say_str(d, path, true);
	else
		say_addr(d, get64(b, 16));
	link_array(d, "offsets", PART_A + UPROBES, get64(b, 24), n, 8, say_hex64);
	link_array(d, "ref_ctr_offsets", PART_B + UPROBES, get64(b, 32), n, 8, say_hex64);
	link_array(d, "cookies", PART_C + UPROBES, get64(b, 40), n, 8, say_hex64);
	field_udec(d, "cnt", n);
	field_flags(d, "flags", T(bpf_uprobe_flags), get32(b, 52));
	say_field(d, "pid");
	say_pid(d, (int32_t)get32(b, 56));
	say_field(d, "path_fd");
	say_fd(d, (int)get32(b, 60), false);
	d->ops->struct_end(d->e);
}

static void link_netfilter(struct dec *d, struct bytes b)
{
	say_field(d, "netfilter");
	d->ops->struct_begin(d->e);
	field_udec(d, "pf", get32(b, 16));
	field_udec(d, "hooknum", get32(b, 20));
	field_dec(d, "priority", (int32_t)get32(b, 24));
	field_flags(d, "flags", T(bpf_netfilter_flags), get32(b, 28));
	d->ops->struct_end(d->e);
}

static void link_relative(struct dec *d, struct bytes b, const char *name)
{
	say_field(d, name);
	d->ops->struct_begin(d->e);
	if (get32(b, 12) & F_ID) {
		field_udec(d, "relative_id", get32(b, 16));
	} else {
		say_field(d, "relative_fd");
		say_fd(d, (int)get32(b, 16), false);
	}
	field_hex(d, "expected_revision", get64(b, 24));
	d->ops->struct_end(d->e);
}

static void link_tcx(struct dec *d, struct bytes b)
{
	link_relative(d, b, "tcx");
}

static void link_netkit(struct dec *d, struct bytes b)
{
	link_relative(d, b, "netkit");
}

static void link_tracing_multi(struct dec *d, struct bytes b)
{
	uint32_t n = get32(b, 32);

	say_field(d, "tracing_multi");
	d->ops->struct_begin(d->e);
	link_array(d, "ids", PART_A + TRACING, get64(b, 16), n, 4, say_id32);
	link_array(d, "cookies", PART_B + TRACING, get64(b, 24), n, 8, say_hex64);
	field_udec(d, "cnt", n);
	d->ops->struct_end(d->e);
}

/* By the name's beginning; the first that fits. size: what is known of the attributes then. */
static const struct shape {
	const char *prefix;
	void (*say)(struct dec *d, struct bytes b);
	size_t size;
} shapes[] = {
	{ "BPF_CGROUP_", link_default, 20 }, { "BPF_TRACE_FENTRY_MULTI", link_tracing_multi, 36 },
	{ "BPF_TRACE_FEXIT_MULTI", link_tracing_multi, 36 }, { "BPF_TRACE_FSESSION_MULTI", link_tracing_multi, 36 },
	{ "BPF_TRACE_FENTRY", link_tracing, 32 }, { "BPF_TRACE_FEXIT", link_tracing, 32 }, { "BPF_TRACE_FSESSION", link_tracing, 32 },
	{ "BPF_MODIFY_RETURN", link_tracing, 32 }, { "BPF_LSM_MAC", link_tracing, 32 }, { "BPF_TRACE_ITER", link_iter, 28 },
	{ "BPF_PERF_EVENT", link_perf, 24 }, { "BPF_TRACE_KPROBE_MULTI", link_kprobes, 48 },
	{ "BPF_TRACE_UPROBE_MULTI", link_uprobes, 64 }, { "BPF_NETFILTER", link_netfilter, 32 }, { "BPF_TCX_", link_tcx, 32 },
	{ "BPF_NETKIT_", link_netkit, 32 },
};

static const struct shape *shape_of(uint32_t attach_type)
{
	const char *name = sym_name(T(bpf_attach_types), attach_type);

	for (size_t i = 0; name && i < ARRAY_SIZE(shapes); i++)
		if (!strncmp(name, shapes[i].prefix, strlen(shapes[i].prefix)))
			return &shapes[i];
	return NULL;
}

void dec_bpf_link(struct dec *d, struct bytes b)
{
	const struct shape *s = shape_of(get32(b, 8));

	if (s && b.len > 16)
		s->say(d, b);
}

size_t dec_bpf_link_size(uint32_t attach_type)
{
	const struct shape *s = shape_of(attach_type);

	return s ? s->size : 16;
}

/* All that any of them points to: it is not known which one it is. What is no pointer reads nothing, or what is not shown. */
void dec_bpf_capture_link(struct cap_builder *b)
{
	struct cap_op *op;

	dec_bpf_pointer(b, PART_PATH, CAP_ENTER, CAP_STR, 16, 4096);
	dec_bpf_array(b, PART_ITER, CAP_ENTER, 16, 24, 4, array_max(b, 4));
	op = cap_fds(b, 1, CAP_ENTER | CAP_LEN32, CAP_FDS);
	op->via_off = 16;
	op->len_from = CAP_LEN_FIELD;
	op->len_off = 24;
	op->elem = 4;
	op->max = array_max(b, 4) / 4;
	op = dec_bpf_pointer(b, PART_SYM_STRINGS, CAP_ENTER, CAP_STRV, 24, cap_limit(b) + 1);
	op->elem = SYMS_MAX;
	dec_bpf_array(b, PART_SYMS, CAP_ENTER, 24, 20, b->word, array_max(b, b->word));
	/* kprobe_multi, and at other places of other lengths uprobe_multi. */
	dec_bpf_array(b, PART_A, CAP_ENTER, 32, 20, 8, array_max(b, 8));
	dec_bpf_array(b, PART_B, CAP_ENTER, 40, 20, 8, array_max(b, 8));
	dec_bpf_array(b, PART_A + UPROBES, CAP_ENTER, 24, 48, 8, array_max(b, 8));
	dec_bpf_array(b, PART_B + UPROBES, CAP_ENTER, 32, 48, 8, array_max(b, 8));
	dec_bpf_array(b, PART_C + UPROBES, CAP_ENTER, 40, 48, 8, array_max(b, 8));
	dec_bpf_array(b, PART_A + TRACING, CAP_ENTER, 16, 32, 4, array_max(b, 4));
	dec_bpf_array(b, PART_B + TRACING, CAP_ENTER, 24, 32, 8, array_max(b, 8));
}
