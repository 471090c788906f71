/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ioctl: virtual machines, performance events, and what is a head with an array of any length behind it. */
#include "decode/dec_perf.h"
#include "decode/ioctl_hand.h"
#include "util/macros.h"

/* --- kvm: linux/kvm.h, asm/kvm.h --- */

#define CPUID_HEAD 8
#define CPUID_ENTRY 40
#define CPUID_MOST 256          /* KVM_MAX_CPUID_ENTRIES */

static void say_cpuid(struct dec *d, struct bytes b)
{
	static const char *const registers[] = { "eax", "ebx", "ecx", "edx" };

	d->ops->struct_begin(d->e);
	field_hex(d, "function", get32(b, 0));
	field_hex(d, "index", get32(b, 4));
	field_flags(d, "flags", &tab_kvm_cpuid_flags, get32(b, 8));
	for (unsigned i = 0; i < 4; i++)
		field_hex(d, registers[i], get32(b, 12 + 4 * i));
	d->ops->struct_end(d->e);
}

static void say_cpuids(struct dec *d, unsigned part)
{
	struct bytes b = io_part(d, part);
	uint32_t n = get32(b, 0);

	if (!io_has(d, b, CPUID_HEAD, part))
		return;
	d->ops->struct_begin(d->e);
	field_udec(d, "nent", n);
	say_field(d, "entries");
	if (d->opts->no_abbrev || !n) {
		io_say_behind(d, part, CPUID_HEAD, n, CPUID_ENTRY, say_cpuid);
	} else {
		d->ops->array_begin(d->e);
		d->ops->more(d->e);
		d->ops->array_end(d->e);
	}
	d->ops->struct_end(d->e);
}

static void say_cpuid_set(struct dec *d, const struct io_command *c _unused_)
{
	say_cpuids(d, IO_BEFORE);
}

static void say_cpuid_get(struct dec *d, const struct io_command *c _unused_)
{
	if (d->ok)
		say_cpuids(d, IO_AFTER);
	else
		say_addr(d, dec_reg(d, 2));
}

static uint32_t cpuid_size(const struct cap_builder *b)
{
	return CPUID_HEAD + (b->opts->no_abbrev ? CPUID_MOST * CPUID_ENTRY : 0);
}

static void cap_cpuid_set(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, cpuid_size(b));
}

static void cap_cpuid_get(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, cpuid_size(b));
}

const struct io_hand io_kvm_cpuid_set = { .say = say_cpuid_set, .capture = cap_cpuid_set };
const struct io_hand io_kvm_cpuid_get = { .say = say_cpuid_get, .capture = cap_cpuid_get, .at_end = true };

#define REG(nm) { .name = #nm, .form = IOF_HEX, .size = 8 }
#define REG_V(nm) { .name = #nm, .form = IOF_HEX, .size = 8, .flags = IOF_VERBOSE }
IO_STRUCT(kvm_regs, REG(rax), MORE, REG_V(rbx), REG_V(rcx), REG_V(rdx), REG_V(rsi), REG_V(rdi), REG(rsp), REG(rbp), MORE, REG_V(r8),
	  REG_V(r9), REG_V(r10), REG_V(r11), REG_V(r12), REG_V(r13), REG_V(r14), REG_V(r15), REG(rip), REG(rflags))

IO_STRUCT(kvm_segment, X8(base), U4(limit), U2(selector), U1(type), U1(present), U1(dpl), U1(db), U1(s), U1(l), U1(g), U1(avl), SKIP(1, 2))
IO_STRUCT(kvm_dtable, X8(base), U2(limit), SKIP(2, 3))
#define SUB_V(nm, s) { .name = #nm, .form = IOF_SUB, .sub = &io_##s, .flags = IOF_VERBOSE }
#define U8_V(nm) { .name = #nm, .form = IOF_UDEC, .size = 8, .flags = IOF_VERBOSE }
IO_STRUCT(kvm_sregs, SUB(cs, kvm_segment), MORE, SUB_V(ds, kvm_segment), SUB_V(es, kvm_segment), SUB_V(fs, kvm_segment),
	  SUB_V(gs, kvm_segment), SUB_V(ss, kvm_segment), SUB_V(tr, kvm_segment), SUB_V(ldt, kvm_segment), SUB_V(gdt, kvm_dtable),
	  SUB_V(idt, kvm_dtable), U8_V(cr0), U8_V(cr2), U8_V(cr3), U8_V(cr4), U8_V(cr8), U8_V(efer), REG_V(apic_base),
	  { .name = "interrupt_bitmap", .form = IOF_HEX, .size = 8, .n = 4, .flags = IOF_MANY | IOF_VERBOSE })

/* --- performance events: linux/perf_event.h --- */

static void say_modify(struct dec *d, const struct io_command *c _unused_)
{
	say_perf_attr(d, 2, IO_BEFORE);
}

static void cap_modify(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_perf_attr(b, 2, IO_BEFORE);
}

const struct io_hand io_perf_modify = { .say = say_modify, .capture = cap_modify };

#define QUERY_HEAD 8

static void say_id_of_program(struct dec *d, struct bytes b)
{
	say_udec(d, get32(b, 0));
}

static void say_query(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes in = io_part(d, IO_BEFORE), out = io_part(d, IO_AFTER);

	if (!io_has(d, in, 4, IO_BEFORE))
		return;
	d->ops->struct_begin(d->e);
	field_udec(d, "ids_len", get32(in, 0));
	dec_at_end(d);
	if (d->ok && out.len >= QUERY_HEAD) {
		field_udec(d, "prog_cnt", get32(out, 4));
		say_field(d, "ids");
		io_say_behind(d, IO_AFTER, QUERY_HEAD, get32(out, 4), 4, say_id_of_program);
	} else {
		d->ops->more(d->e);
	}
	d->ops->struct_end(d->e);
}

static void cap_query(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, 4);
	cap_fixed(b, 2, IO_AFTER, CAP_EXIT, QUERY_HEAD + 4 * (b->opts->no_abbrev ? 4096 : cap_limit(b)));
}

const struct io_hand io_perf_query = { .say = say_query, .capture = cap_query };

/* --- linux/udmabuf.h --- */

#define LIST_HEAD 8
#define LIST_ITEM 24

static void say_list_item(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	say_field(d, "memfd");
	say_fd(d, (int32_t)get32(b, 0), false);
	field_udec(d, "offset", get64(b, 8));
	field_udec(d, "size", get64(b, 16));
	d->ops->struct_end(d->e);
}

static void say_list(struct dec *d, const struct io_command *c _unused_)
{
	struct bytes b = io_part(d, IO_BEFORE);

	if (!io_has(d, b, LIST_HEAD, IO_BEFORE))
		return;
	d->ops->struct_begin(d->e);
	field_flags(d, "flags", &tab_udmabuf_flags, get32(b, 0));
	field_udec(d, "count", get32(b, 4));
	say_field(d, "list");
	io_say_behind(d, IO_BEFORE, LIST_HEAD, get32(b, 4), LIST_ITEM, say_list_item);
	d->ops->struct_end(d->e);
}

static void cap_list(struct cap_builder *b, const struct io_command *c _unused_)
{
	cap_fixed(b, 2, IO_BEFORE, CAP_ENTER, LIST_HEAD + LIST_ITEM * (b->opts->no_abbrev ? 1024 : cap_limit(b)));
}

const struct io_hand io_udmabuf_list = { .say = say_list, .capture = cap_list };

/* --- linux/counter.h --- */

IO_STRUCT(counter_component, SY1(type, counter_types), SY1(scope, counter_scopes), U1(parent), U1(id))
IO_STRUCT(counter_watch, SUB(component, counter_component), SY1(event, counter_events), U1(channel))

/* --- absolute axes of input devices: linux/input.h --- */

#define D4_V(nm) { .name = #nm, .form = IOF_UDEC, .size = 4, .flags = IOF_VERBOSE }
IO_STRUCT(absinfo, U4(value), U4(minimum), MORE, D4_V(maximum), D4_V(fuzz), D4_V(flat), D4_V(resolution))
