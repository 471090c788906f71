/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * bpf(2): a union whose member the command chooses (union bpf_attr of
 * linux/bpf.h). One list of fields a command; what has grown is shown as far as
 * the size goes.
 */
#include "decode/dec_bpf.h"

#include "decode/dec_array.h"
#include "decode/dec_net.h"
#include "decode/dec_process.h"
#include "decode/kinds.h"
#include "util/macros.h"

#define T(id) &tab_##id

/* A letter beyond those of dec_bpf.h is looked at in say_special(). */
static const struct bpf_field map_create[] = {
	{ "map_type", 'y', 0, 4, 0, T(bpf_map_types) }, { "key_size", 'u', 4, 4, 0, NULL }, { "value_size", 'u', 8, 4, 0, NULL },
	{ "max_entries", 'u', 12, 4, 0, NULL }, { "map_flags", 'f', 16, 4, 16, T(bpf_map_flags) },
	{ "inner_map_fd", 'd', 20, 4, 20, NULL }, { "numa_node", 'N', 24, 4, 24, NULL }, { "map_name", 'n', 28, 16, 28, NULL },
	{ "map_ifindex", 'i', 44, 4, 44, NULL }, { "btf_fd", 'd', 48, 4, 48, NULL }, { "btf_key_type_id", 'u', 52, 4, 48, NULL },
	{ "btf_value_type_id", 'u', 56, 4, 48, NULL }, { "btf_vmlinux_value_type_id", 'u', 60, 4, 60, NULL },
	{ "map_extra", 'u', 64, 8, 64, NULL }, { "value_type_btf_obj_fd", 'd', 72, 4, 72, NULL },
	{ "map_token_fd", 'd', 76, 4, 76, NULL }, { "excl_prog_hash", 'a', 80, 8, 80, NULL },
	{ "excl_prog_hash_size", 'u', 88, 4, 80, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field map_lookup[] = {
	{ "map_fd", 'd', 0, 4, 0, NULL }, { "key", 'a', 8, 8, 0, NULL }, { "value", 'a', 16, 8, 0, NULL },
	{ "flags", 'f', 24, 8, 24, T(bpf_lookup_flags) }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field map_update[] = {
	{ "map_fd", 'd', 0, 4, 0, NULL }, { "key", 'a', 8, 8, 0, NULL }, { "value", 'a', 16, 8, 0, NULL },
	{ "flags", 'f', 24, 8, 0, T(bpf_update_flags) }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field map_delete[] = {
	{ "map_fd", 'd', 0, 4, 0, NULL }, { "key", 'a', 8, 8, 0, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field map_next_key[] = {
	{ "map_fd", 'd', 0, 4, 0, NULL }, { "key", 'a', 8, 8, 0, NULL }, { "next_key", 'a', 16, 8, 0, NULL },
	{ NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field map_freeze[] = {
	{ "map_fd", 'd', 0, 4, 0, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field prog_load[] = {
	{ "prog_type", 'y', 0, 4, 0, T(bpf_prog_types) }, { "insn_cnt", 'u', 4, 4, 0, NULL }, { "insns", 'I', 8, 8, 0, NULL },
	{ "license", 's', 16, 8, 0, NULL }, { "log_level", 'u', 24, 4, 24, NULL }, { "log_size", 'u', 28, 4, 24, NULL },
	{ "log_buf", 'L', 32, 8, 24, NULL }, { "kern_version", 'v', 40, 4, 40, NULL },
	{ "prog_flags", 'f', 44, 4, 44, T(bpf_prog_flags) }, { "prog_name", 'n', 48, 16, 48, NULL },
	{ "prog_ifindex", 'i', 64, 4, 64, NULL }, { "expected_attach_type", 'y', 68, 4, 68, T(bpf_attach_types) },
	{ "prog_btf_fd", 'd', 72, 4, 72, NULL }, { "func_info_rec_size", 'u', 76, 4, 72, NULL },
	{ "func_info", 'a', 80, 8, 72, NULL }, { "func_info_cnt", 'u', 88, 4, 72, NULL },
	{ "line_info_rec_size", 'u', 92, 4, 72, NULL }, { "line_info", 'a', 96, 8, 72, NULL },
	{ "line_info_cnt", 'u', 104, 4, 72, NULL }, { "attach_btf_id", 'u', 108, 4, 108, NULL },
	{ "attach_prog_fd", 'd', 112, 4, 112, NULL }, { "core_relo_cnt", 'u', 116, 4, 128, NULL },
	{ "fd_array", 'a', 120, 8, 120, NULL }, { "core_relos", 'a', 128, 8, 128, NULL },
	{ "core_relo_rec_size", 'u', 136, 4, 128, NULL }, { "log_true_size", 'u', 140, 4, 140, NULL },
	{ "prog_token_fd", 'd', 144, 4, 144, NULL }, { "fd_array_cnt", 'u', 148, 4, 148, NULL },
	{ "signature", 'G', 152, 8, 152, NULL }, { "signature_size", 'u', 160, 4, 152, NULL },
	{ "keyring_id", 'D', 164, 4, 152, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field object[] = {
	{ "pathname", 'p', 0, 8, 0, NULL }, { "bpf_fd", 'd', 8, 4, 0, NULL }, { "file_flags", 'f', 12, 4, 12, T(bpf_file_flags) },
	{ "path_fd", 'd', 16, 4, 16, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field prog_attach[] = {
	{ "target_fd", 't', 0, 4, 0, NULL }, { "attach_bpf_fd", 'd', 4, 4, 0, NULL },
	{ "attach_type", 'y', 8, 4, 0, T(bpf_attach_types) }, { "attach_flags", 'f', 12, 4, 0, T(bpf_attach_flags) },
	{ "replace_bpf_fd", 'd', 16, 4, 16, NULL }, { "relative_fd", 'r', 20, 4, 20, NULL },
	{ "expected_revision", 'u', 24, 8, 20, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field test_run[] = {
	{ "prog_fd", 'd', 0, 4, 0, NULL }, { "retval", 'u', 4, 4, 0, NULL }, { "data_size_in", 'u', 8, 4, 0, NULL },
	{ "data_size_out", 'u', 12, 4, 0, NULL }, { "data_in", 'a', 16, 8, 0, NULL }, { "data_out", 'a', 24, 8, 0, NULL },
	{ "repeat", 'u', 32, 4, 0, NULL }, { "duration", 'u', 36, 4, 0, NULL }, { "ctx_size_in", 'u', 40, 4, 40, NULL },
	{ "ctx_size_out", 'u', 44, 4, 40, NULL }, { "ctx_in", 'a', 48, 8, 40, NULL }, { "ctx_out", 'a', 56, 8, 40, NULL },
	{ "flags", 'f', 64, 4, 64, T(bpf_test_flags) }, { "cpu", 'u', 68, 4, 64, NULL }, { "batch_size", 'u', 72, 4, 72, NULL },
	{ NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field next_id[] = {
	{ "start_id", 'u', 0, 4, 0, NULL }, { "next_id", 'u', 4, 4, 0, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field prog_by_id[] = {
	{ "prog_id", 'u', 0, 4, 0, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field map_by_id[] = {
	{ "map_id", 'u', 0, 4, 0, NULL }, { "open_flags", 'f', 8, 4, 8, T(bpf_open_flags) }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field btf_by_id[] = {
	{ "btf_id", 'u', 0, 4, 0, NULL }, { "open_flags", 'f', 8, 4, 8, T(bpf_open_flags) },
	{ "fd_by_id_token_fd", 'd', 12, 4, 8, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field link_by_id[] = {
	{ "link_id", 'u', 0, 4, 0, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field object_info[] = {
	{ "bpf_fd", 'd', 0, 4, 0, NULL }, { "info_len", 'c', 4, 4, 0, NULL }, { "info", 'O', 8, 8, 0, NULL },
	{ NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field prog_query[] = {
	{ "target_fd", 'T', 0, 4, 0, NULL }, { "attach_type", 'y', 4, 4, 0, T(bpf_attach_types) },
	{ "query_flags", 'f', 8, 4, 0, T(bpf_query_flags) }, { "attach_flags", 'f', 12, 4, 0, T(bpf_attach_flags) },
	{ "prog_ids", 'Q', 16, 8, 0, NULL }, { "prog_cnt", 'c', 24, 4, 0, NULL }, { "prog_attach_flags", 'a', 32, 8, 32, NULL },
	{ "link_ids", 'a', 40, 8, 40, NULL }, { "link_attach_flags", 'a', 48, 8, 40, NULL }, { "revision", 'x', 56, 8, 40, NULL },
	{ NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field raw_tracepoint[] = {
	{ "name", 's', 0, 8, 0, NULL }, { "prog_fd", 'd', 8, 4, 0, NULL }, { "cookie", 'x', 16, 8, 22, NULL },
	{ NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field btf_load[] = {
	{ "btf", 'B', 0, 8, 0, NULL }, { "btf_log_buf", 'a', 8, 8, 0, NULL }, { "btf_size", 'u', 16, 4, 0, NULL },
	{ "btf_log_size", 'u', 20, 4, 0, NULL }, { "btf_log_level", 'u', 24, 4, 0, NULL },
	{ "btf_log_true_size", 'u', 28, 4, 28, NULL }, { "btf_flags", 'f', 32, 4, 32, T(bpf_file_flags) },
	{ "btf_token_fd", 'd', 36, 4, 32, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field task_fd_query[] = {
	{ "pid", 'P', 0, 4, 0, NULL }, { "fd", 'd', 4, 4, 0, NULL }, { "flags", 'u', 8, 4, 0, NULL },
	{ "buf_len", 'u', 12, 4, 0, NULL }, { "buf", 'Z', 16, 8, 0, NULL }, { "prog_id", 'u', 24, 4, 0, NULL },
	{ "fd_type", 'y', 28, 4, 0, T(bpf_fd_types) }, { "probe_offset", 'x', 32, 8, 0, NULL },
	{ "probe_addr", 'x', 40, 8, 0, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field batch_lookup[] = {
	{ "in_batch", 'a', 0, 8, 0, NULL }, { "out_batch", 'a', 8, 8, 0, NULL }, { "keys", 'a', 16, 8, 0, NULL },
	{ "values", 'a', 24, 8, 0, NULL }, { "count", 'u', 32, 4, 0, NULL }, { "map_fd", 'd', 36, 4, 0, NULL },
	{ "elem_flags", 'f', 40, 8, 0, T(bpf_lookup_flags) }, { "flags", 'x', 48, 8, 0, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field batch_update[] = {
	{ "keys", 'a', 16, 8, 0, NULL }, { "values", 'a', 24, 8, 0, NULL }, { "count", 'u', 32, 4, 0, NULL },
	{ "map_fd", 'd', 36, 4, 0, NULL }, { "elem_flags", 'f', 40, 8, 0, T(bpf_update_flags) }, { "flags", 'x', 48, 8, 0, NULL },
	{ NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field batch_delete[] = {
	{ "keys", 'a', 16, 8, 0, NULL }, { "count", 'u', 32, 4, 0, NULL }, { "map_fd", 'd', 36, 4, 0, NULL },
	{ "elem_flags", 'f', 40, 8, 0, T(bpf_lookup_flags) }, { "flags", 'x', 48, 8, 0, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field link_create[] = {
	{ "prog_fd", 'd', 0, 4, 0, NULL }, { "target_fd", 't', 4, 4, 0, NULL },
	{ "attach_type", 'y', 8, 4, 0, T(bpf_attach_types) }, { "flags", 'f', 12, 4, 0, T(bpf_attach_flags) },
	{ NULL, 'M', 16, 0, 0, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field link_update[] = {
	{ "link_fd", 'd', 0, 4, 0, NULL }, { "new_prog_fd", 'd', 4, 4, 0, NULL }, { "flags", 'f', 8, 4, 0, T(bpf_attach_flags) },
	{ "old_prog_fd", 'R', 12, 4, 0, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field enable_stats[] = {
	{ "type", 'y', 0, 4, 0, T(bpf_stats_types) }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field iter_create[] = {
	{ "link_fd", 'd', 0, 4, 0, NULL }, { "flags", 'x', 4, 4, 0, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field link_detach[] = {
	{ "link_fd", 'd', 0, 4, 0, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field bind_map[] = {
	{ "prog_fd", 'd', 0, 4, 0, NULL }, { "map_fd", 'd', 4, 4, 0, NULL }, { "flags", 'x', 8, 4, 0, NULL },
	{ NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field token_create[] = {
	{ "flags", 'x', 0, 4, 0, NULL }, { "bpffs_fd", 'd', 4, 4, 0, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field stream_read[] = {
	{ "stream_buf", 'a', 0, 8, 0, NULL }, { "stream_buf_len", 'u', 8, 4, 0, NULL }, { "stream_id", 'u', 12, 4, 0, NULL },
	{ "prog_fd", 'd', 16, 4, 0, NULL }, { NULL, 0, 0, 0, 0, NULL },
};
static const struct bpf_field assoc_struct_ops[] = {
	{ "map_fd", 'd', 0, 4, 0, NULL }, { "prog_fd", 'd', 4, 4, 0, NULL }, { "flags", 'x', 8, 4, 0, NULL },
	{ NULL, 0, 0, 0, 0, NULL },
};

/* By command: the member's name, NULL where it has none, its fields and its size. after: the kernel writes to it. */
static const struct command {
	const char *member;
	const struct bpf_field *fields;
	uint16_t known;
	bool after;
} commands[] = {
	{ NULL, map_create, 92, 0 }, { NULL, map_lookup, 32, 0 }, { NULL, map_update, 32, 0 }, { NULL, map_delete, 16, 0 },
	{ NULL, map_next_key, 24, 0 }, { NULL, prog_load, 168, 0 }, { NULL, object, 20, 0 }, { NULL, object, 20, 0 },
	{ NULL, prog_attach, 32, 0 }, { NULL, prog_attach, 32, 0 }, { "test", test_run, 76, 0 }, { NULL, next_id, 8, 1 },
	{ NULL, next_id, 8, 1 }, { NULL, prog_by_id, 4, 0 }, { NULL, map_by_id, 12, 0 }, { "info", object_info, 16, 1 },
	{ "query", prog_query, 64, 1 }, { "raw_tracepoint", raw_tracepoint, 24, 0 }, { NULL, btf_load, 40, 1 }, { NULL, btf_by_id, 16, 0 },
	{ "task_fd_query", task_fd_query, 48, 1 }, { NULL, map_lookup, 32, 0 }, { NULL, map_freeze, 4, 0 }, { NULL, next_id, 8, 1 },
	{ "batch", batch_lookup, 56, 0 }, { "batch", batch_lookup, 56, 0 }, { "batch", batch_update, 56, 0 }, { "batch", batch_delete, 56, 0 },
	{ "link_create", link_create, 16, 0 }, { "link_update", link_update, 16, 0 }, { NULL, link_by_id, 4, 0 }, { NULL, next_id, 8, 1 },
	{ "enable_stats", enable_stats, 4, 0 }, { "iter_create", iter_create, 8, 0 }, { "link_detach", link_detach, 4, 0 },
	{ "prog_bind_map", bind_map, 12, 0 }, { "token_create", token_create, 8, 0 }, { "prog_stream_read", stream_read, 20, 0 },
	{ "prog_assoc_struct_ops", assoc_struct_ops, 12, 0 },
};

enum { CMD_PROG_LOAD = 5, CMD_OBJ_PIN, CMD_OBJ_GET, CMD_QUERY = 16, CMD_RAW_TP, CMD_BTF_LOAD, CMD_TASK_FD_QUERY = 20, CMD_LINK_CREATE = 28 };

#define ATTR_MAX 4096           /* a page: the kernel takes no more */
#define INSN_SIZE 8
#define INSNS_MAX 4096

/* Parts of the argument that are captured. */
enum { PART_ATTR, PART_AFTER, PART_STRING, PART_INSNS, PART_BLOCK, PART_SIGNATURE };

#define F_NUMA_NODE 0x4u
#define F_REPLACE   0x4u
#define F_ID        0x20u

static bool is_link_by_ifindex(uint32_t attach_type)
{
	const char *name = sym_name(&tab_bpf_attach_types, attach_type);

	return name && (!strcmp(name, "BPF_XDP") || !strncmp(name, "BPF_TCX_", 8) || !strncmp(name, "BPF_NETKIT_", 11));
}

/* A file descriptor, or the number of an interface. */
static void field_target(struct dec *d, uint32_t v, uint32_t attach_type)
{
	if (is_link_by_ifindex(attach_type)) {
		say_field(d, "target_ifindex");
		say_interface(d, v);
	} else {
		say_field(d, "target_fd");
		say_fd(d, (int)v, false);
	}
}

/* --- instructions --- */

enum { CLASS_STX = 3, CLASS_ALU, CLASS_JMP, CLASS_JMP32, CLASS_ALU64 };

static void say_code(struct dec *d, uint8_t code)
{
	unsigned class = code & 7;
	struct words w = { 0 };

	words_sym(d, &w, &tab_ebpf_classes, class);
	if (class <= CLASS_STX) {
		words_bpf(d, &w, &tab_bpf_sizes, code & 0x18);
		words_bpf(d, &w, &tab_ebpf_modes, code & 0xe0);
	} else if (class == CLASS_JMP32) {
		words_bpf_rest(&w, code & ~7u);
	} else {
		words_bpf(d, &w, &tab_bpf_sources, code & 8);
		words_bpf(d, &w, class == CLASS_JMP ? &tab_ebpf_jump_ops : &tab_ebpf_alu_ops, code & 0xf0);
	}
	d->ops->word(d->e, w.buf);
}

static void say_insn(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	say_field(d, "code");
	say_code(d, get8(b, 0));
	field_sym(d, "dst_reg", &tab_ebpf_registers, get8(b, 1) & 15);
	field_sym(d, "src_reg", &tab_ebpf_registers, get8(b, 1) >> 4);
	field_dec(d, "off", (int16_t)get16(b, 2));
	field_hex(d, "imm", get32(b, 4));
	d->ops->struct_end(d->e);
}

static void say_insns(struct dec *d, uint64_t addr, uint32_t count)
{
	const struct capture *c = dec_cap(d, 1, PART_INSNS, 0);

	if (!d->opts->no_abbrev)
		say_addr(d, addr);
	else
		say_array_up_to(d, c, addr, count, INSN_SIZE, INSNS_MAX, say_insn);
}

/* --- what pointers lead to --- */

static void say_string_at(struct dec *d, uint64_t addr, bool path)
{
	const struct capture *c = dec_good(d, 1, PART_STRING, 0);

	if (!addr || !c) {
		say_addr(d, addr);
		if (addr)
			dec_note(d, dec_cap(d, 1, PART_STRING, 0));
		return;
	}
	say_str(d, c, path);
}

/* A buffer of size bytes that holds a string: up to its NUL. */
static void say_text_at(struct dec *d, unsigned part, uint64_t addr, uint32_t size)
{
	const struct capture *c = dec_good(d, 1, part, 0);
	size_t n, limit;

	if (!addr || (size && !c)) {
		say_addr(d, addr);
		if (addr)
			dec_note(d, dec_cap(d, 1, part, 0));
		return;
	}
	limit = c ? MIN(c->len, size) : 0;
	n = limit ? strnlen(c->data, limit) : 0;
	d->ops->str(d->e, n ? c->data : "", MIN(n, d->opts->string_limit), size && (n == size || n > d->opts->string_limit || (n == limit && limit < size)) ? EMIT_STR_CUT : 0);
}

static void say_bytes_at(struct dec *d, unsigned part, uint64_t addr, uint32_t size, bool hex)
{
	const struct capture *c = dec_good(d, 1, part, 0);

	/* Beyond what the caller can address there is not even nothing. */
	if (!addr || (d->word == 4 && addr > UINT32_MAX) || (size && (!c || (c->len < size && c->len < d->opts->string_limit)))) {
		say_addr(d, addr);
		if (addr)
			dec_note(d, dec_cap(d, 1, part, 0));
	} else if (!size) {
		d->ops->str(d->e, "", 0, 0);
	} else if (hex) {
		say_hex_bytes(d, c->data, MIN(c->len, size), size);
	} else {
		say_buf(d, c->data, MIN(c->len, size), size);
	}
}

static void say_prog_id(struct dec *d, struct bytes b)
{
	say_udec(d, get32(b, 0));
}

/* --- fields --- */

void dec_bpf_name(struct dec *d, struct bytes b, unsigned off, unsigned size)
{
	struct bytes name = bytes_cut(bytes_from(b, off), size);
	size_t n = name.len ? strnlen((const char *)name.p, name.len) : 0;

	/* The last byte is the kernel's NUL: what stands there is not shown. */
	d->ops->str(d->e, n ? (const void *)name.p : "", n == size ? size - 1 : n, n == size ? EMIT_STR_CUT : 0);
}

/* Those whose value is the field alone. False: it is none of them. */
bool dec_bpf_plain(struct dec *d, const struct bpf_field *f, struct bytes b)
{
	uint64_t v = get_uint(b, f->off, MIN(f->size, 8));

	if (!strchr("udDxayfni", f->type))
		return false;
	say_field(d, f->name);
	switch (f->type) {
	case 'u':
		say_udec(d, v);
		break;
	case 'D':
		say_dec(d, (int)v);
		break;
	case 'd':
		say_fd(d, (int)v, false);
		break;
	case 'x':
		say_hex(d, v);
		break;
	case 'a':
		say_addr(d, v);
		break;
	case 'y':
		say_sym(d, f->table, v);
		break;
	case 'f':
		say_flags(d, f->table, v);
		break;
	case 'i':
		say_interface(d, (uint32_t)v);
		break;
	default:
		dec_bpf_name(d, b, f->off, f->size);
	}
	return true;
}

/* What there was before and after, of a number that the kernel may write to. */
static void field_changed(struct dec *d, const char *name, uint32_t before, uint32_t after)
{
	field_udec(d, name, before);
	if (before == after)
		return;
	d->ops->change(d->e);
	say_udec(d, after);
}

static void say_special(struct dec *d, const struct bpf_field *f, struct bytes b, struct bytes after)
{
	uint64_t v = get_uint(b, f->off, f->size);

	switch (f->type) {
	case 'N':
		if (get32(b, 16) & F_NUMA_NODE)
			field_udec(d, f->name, v);
		return;
	case 'R':
		if (get32(b, 8) & F_REPLACE) {
			say_field(d, f->name);
			say_fd(d, (int)v, false);
		}
		return;
	case 't':
		field_target(d, (uint32_t)v, get32(b, 8));
		return;
	case 'T':
		field_target(d, (uint32_t)v, get32(b, 4));
		return;
	case 'r':
		if (get32(b, 12) & F_ID) {
			field_udec(d, "relative_id", v);
		} else {
			say_field(d, f->name);
			say_fd(d, (int)v, false);
		}
		return;
	case 'c':
		field_changed(d, f->name, (uint32_t)v, d->ok && after.len ? get32(after, f->off) : (uint32_t)v);
		return;
	case 'M':
		dec_bpf_link(d, b);
		return;
	}
	say_field(d, f->name);
	switch (f->type) {
	case 'I':
		say_insns(d, v, get32(b, 4));
		break;
	case 's':
	case 'p':
		say_string_at(d, v, f->type == 'p');
		break;
	case 'L':
		say_text_at(d, PART_BLOCK, v, get32(b, 28));
		break;
	case 'Z':
		say_text_at(d, PART_BLOCK, v, get32(b, 12));
		break;
	case 'v':
		say_kernel_version(d, (uint32_t)v);
		break;
	case 'G':
		say_bytes_at(d, PART_SIGNATURE, v, get32(b, 160), true);
		break;
	case 'B':
		say_bytes_at(d, PART_BLOCK, v, get32(b, 16), false);
		break;
	case 'P':
		say_pid(d, (int32_t)v);
		break;
	case 'Q':
		if (d->ok || !get32(b, 24))
			say_array(d, dec_cap(d, 1, PART_BLOCK, 0), v, d->ok ? get32(after, 24) : 0, 4, say_prog_id);
		else
			say_addr(d, v);
		break;
	default:        /* 'O': of what kind the object is, the descriptor would have to tell */
		say_addr(d, v);
	}
}

/* What lies behind the known fields, if it is not all 0. */
void dec_bpf_extra(struct dec *d, struct bytes b, size_t known, uint64_t size)
{
	struct bytes rest = bytes_from(b, known);
	struct words w = { 0 };
	size_t i = 0;

	while (i < rest.len && !rest.p[i])
		i++;
	if (i == rest.len)
		return;
	if (!d->opts->no_abbrev) {
		d->ops->more(d->e);
		return;
	}
	words_str(&w, "bytes ");
	words_udec(&w, known);
	words_str(&w, "..");
	words_udec(&w, size - 1);
	say_field(d, "extra_data");
	d->ops->str(d->e, rest.p, rest.len, EMIT_STR_HEX);
	d->ops->comment(d->e, w.buf);
}

static void bpf_attr(struct dec *d, const struct command *cmd, struct bytes b, struct bytes after, uint32_t size)
{
	size_t known = cmd->known;

	d->ops->struct_begin(d->e);
	if (cmd->member) {
		say_field(d, cmd->member);
		d->ops->struct_begin(d->e);
	}
	for (const struct bpf_field *f = cmd->fields; f->type; f++) {
		/* What the kernel wrote is shown; what it counted, before and after. */
		bool written = cmd->after && after.len && f->type != 'c' && (d->ok || f->off >= 24);

		if (f->min && size <= f->min)
			continue;
		if (!dec_bpf_plain(d, f, written ? after : b))
			say_special(d, f, b, after);
	}
	if (cmd->fields == link_create)
		known = dec_bpf_link_size(get32(b, 8));
	if (cmd->member)
		d->ops->struct_end(d->e);
	dec_bpf_extra(d, b, known, size);
	d->ops->struct_end(d->e);
}

static void bpf_decode(struct dec *d)
{
	uint32_t number = (uint32_t)dec_reg(d, 0), size = (uint32_t)dec_reg(d, 2);
	const struct command *cmd = number < ARRAY_SIZE(commands) ? &commands[number] : NULL;
	struct bytes b = bytes_of(dec_good(d, 1, PART_ATTR, 0)), after = bytes_of(dec_good(d, 1, PART_AFTER, 0));

	dec_args(d, 0, 1);
	if (cmd && cmd->after)
		dec_at_end(d);
	dec_begin(d, 1);
	if (!cmd || !size || size > ATTR_MAX || b.len < size)
		say_unreadable(d, 1, cmd && size && size <= ATTR_MAX ? dec_cap(d, 1, PART_ATTR, 0) : NULL);
	else
		bpf_attr(d, cmd, bytes_cut(b, size), bytes_cut(after, size), size);
	dec_args(d, 2, 3);
}

/* --- captures, by command --- */

static void capture_attr(struct cap_builder *b)
{
	cap_block(b, 1, PART_ATTR, CAP_ENTER, 2, 1, ATTR_MAX);
}

static void bpf_capture(struct cap_builder *b, const struct syscall *s _unused_)
{
	capture_attr(b);
}

struct cap_op *dec_bpf_pointer(struct cap_builder *b, unsigned part, unsigned when, enum cap_kind kind, unsigned off, uint32_t max)
{
	struct cap_op *op = cap_add(b, 1, part, kind, when);

	op->via_off = (__u16)off;
	op->max = max;
	return op;
}

struct cap_op *dec_bpf_array(struct cap_builder *b, unsigned part, unsigned when, unsigned off, unsigned count_off, uint32_t elem, uint32_t max)
{
	struct cap_op *op = dec_bpf_pointer(b, part, when | CAP_LEN32, CAP_BYTES, off, max);

	op->len_from = CAP_LEN_FIELD;
	op->len_off = (__u16)count_off;
	op->elem = elem;
	return op;
}

/* The fields that are descriptors, or may be; those that follow BPF_LINK_CREATE's flags: relative_fd, uprobe_multi's path_fd. */
static uint64_t descriptor_words(const struct command *cmd)
{
	uint64_t words = 0;

	for (const struct bpf_field *f = cmd->fields; f->type; f++) {
		if (strchr("dtTrR", f->type))
			words |= 1ull << f->off / 4;
		else if (f->type == 'M')
			words |= 1ull << 16 / 4 | 1ull << 60 / 4;
	}
	return words;
}

static bool bpf_capture_of(struct cap_builder *b, size_t i, uint32_t *ret_value)
{
	struct cap_op *op;

	if (i >= ARRAY_SIZE(commands))
		return false;
	*ret_value = (uint32_t)i;
	capture_attr(b);
	op = cap_fd_words(b, 1, CAP_ENTER, descriptor_words(&commands[i]));
	op->len_from = CAP_LEN_ARG;
	op->len_arg = 2;
	if (commands[i].after)
		cap_block(b, 1, PART_AFTER, CAP_EXIT | CAP_ON_ERROR, 2, 1, commands[i].known);
	switch (i) {
	case CMD_PROG_LOAD:
		dec_bpf_pointer(b, PART_STRING, CAP_ENTER, CAP_STR, 16, cap_limit(b) + 1);
		if (b->opts->no_abbrev)
			dec_bpf_array(b, PART_INSNS, CAP_ENTER, 8, 4, INSN_SIZE, INSNS_MAX * INSN_SIZE);
		dec_bpf_array(b, PART_BLOCK, CAP_ENTER, 32, 28, 1, cap_limit(b) + 1);
		dec_bpf_array(b, PART_SIGNATURE, CAP_ENTER, 152, 160, 1, cap_limit(b));
		break;
	case CMD_OBJ_PIN:
	case CMD_OBJ_GET:
		dec_bpf_pointer(b, PART_STRING, CAP_ENTER, CAP_STR, 0, 4096);
		break;
	case CMD_RAW_TP:
		dec_bpf_pointer(b, PART_STRING, CAP_ENTER, CAP_STR, 0, cap_limit(b) + 1);
		break;
	case CMD_QUERY:
		dec_bpf_array(b, PART_BLOCK, CAP_EXIT, 16, 24, 4, array_max(b, 4));
		break;
	case CMD_BTF_LOAD:
		dec_bpf_array(b, PART_BLOCK, CAP_EXIT | CAP_ON_ERROR, 0, 16, 1, cap_limit(b));
		break;
	case CMD_TASK_FD_QUERY:
		dec_bpf_array(b, PART_BLOCK, CAP_EXIT | CAP_ON_ERROR, 16, 12, 1, cap_limit(b) + 1);
		break;
	case CMD_LINK_CREATE:
		dec_bpf_capture_link(b);
		break;
	}
	return true;
}

/* Whether a command makes a descriptor: MAP_CREATE, PROG_LOAD, OBJ_GET, *_GET_FD_BY_ID, RAW_TRACEPOINT_OPEN, BTF_LOAD, ... TOKEN_CREATE. */
static enum ret_kind bpf_ret(const struct call *call)
{
	static const uint8_t makes[] = { 0, CMD_PROG_LOAD, CMD_OBJ_GET, 13, 14, CMD_RAW_TP, CMD_BTF_LOAD, 19, CMD_LINK_CREATE, 30, 32, 33, 36 };

	uint32_t size = (uint32_t)call->args[2];

	if (!size || size > ATTR_MAX || !memchr(makes, (int)MIN((uint32_t)call->args[0], 255u), sizeof(makes)))
		return RET_DEC;
	return RET_FD;
}

const struct hooks hooks_bpf = {
	.decode = bpf_decode, .capture = bpf_capture, .capture_of = bpf_capture_of, .by_arg = 1, .ret = bpf_ret,
};
