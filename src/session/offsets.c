/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where fields of the kernel's structures are, out of its BTF. Of libbpf's two
 * ways the one takes ten times as long as this single pass (it makes an index
 * and reads the modules'), the other (CO-RE) a pass for each structure.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/internal.h"
#include "session/offsets.h"
#include "util/macros.h"

#define BTF_LONGEST (64u << 20)
#define NESTED 8                /* unnamed members within unnamed members */

struct btf_view {
	char *data;
	size_t size;
	bool mapped;
	const char *types, *types_end, *strings;
	size_t strings_len;
	const char *next;               /* as far as the types are read */
	uint32_t *starts;               /* of each type before it, in types */
	size_t n;
};

static const struct {
	const char *structure, *field;
	bool optional;
} wanted[] = {
#define OFFSET(structure, field) { #structure, #field, false },
#define OPTIONAL(structure, field) { #structure, #field, true },
#include "bpf/offsets.def"
#undef OFFSET
#undef OPTIONAL
};
_Static_assert(ARRAY_SIZE(wanted) == OFFSETS && sizeof(struct ct_offsets) == OFFSETS * sizeof(uint16_t), "one number for each field");

static void view_free(struct btf_view *v)
{
	if (v->mapped)
		munmap(v->data, v->size);
	else
		free(v->data);
	free(v->starts);
}

/* The file can be mapped since 6.16. */
static int view_data(struct btf_view *v, const char *file)
{
	_cleanup_close_ int fd = open(file, O_RDONLY | O_CLOEXEC);
	struct stat st;
	size_t n = 0;
	ssize_t r;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (st.st_size <= 0 || st.st_size > BTF_LONGEST)
		return -EFBIG;
	v->size = (size_t)st.st_size;
	v->data = mmap(NULL, v->size, PROT_READ, MAP_PRIVATE, fd, 0);
	v->mapped = v->data != MAP_FAILED;
	if (v->mapped)
		return 0;
	v->data = malloc(v->size);
	if (!v->data)
		return -ENOMEM;
	while (n < v->size && (r = read(fd, v->data + n, v->size - n)) > 0)
		n += (size_t)r;
	return n == v->size ? 0 : -EIO;
}

static int view_sections(struct btf_view *v)
{
	const struct btf_header *h = (const void *)v->data;

	if (v->size < sizeof(*h) || h->magic != BTF_MAGIC || h->hdr_len > v->size || ((h->hdr_len + h->type_off) & 3))
		return -EBADMSG;
	if ((uint64_t)h->hdr_len + h->type_off + h->type_len > v->size || (uint64_t)h->hdr_len + h->str_off + h->str_len > v->size)
		return -EBADMSG;
	v->next = v->types = v->data + h->hdr_len + h->type_off;
	v->types_end = v->types + h->type_len;
	v->strings = v->data + h->hdr_len + h->str_off;
	v->strings_len = h->str_len;
	return v->strings_len && !v->strings[v->strings_len - 1] ? 0 : -EBADMSG;
}

static const char *view_string(const struct btf_view *v, uint32_t at)
{
	return at < v->strings_len ? v->strings + at : "";
}

/* Bytes of a type's description; 0: a kind that is not known. */
static size_t type_size(const struct btf_type *t)
{
	static const struct { uint8_t fixed, each; } sizes[32] = {
		[BTF_KIND_INT] = { 16, 0 },             [BTF_KIND_VAR] = { 16, 0 },         [BTF_KIND_DECL_TAG] = { 16, 0 },
		[BTF_KIND_ARRAY] = { 24, 0 },           [BTF_KIND_STRUCT] = { 12, 12 },     [BTF_KIND_UNION] = { 12, 12 },
		[BTF_KIND_ENUM] = { 12, 8 },            [BTF_KIND_FUNC_PROTO] = { 12, 8 },  [BTF_KIND_DATASEC] = { 12, 12 },
		[BTF_KIND_ENUM64] = { 12, 12 },         [BTF_KIND_PTR] = { 12, 0 },         [BTF_KIND_FWD] = { 12, 0 },
		[BTF_KIND_TYPEDEF] = { 12, 0 },         [BTF_KIND_VOLATILE] = { 12, 0 },    [BTF_KIND_CONST] = { 12, 0 },
		[BTF_KIND_RESTRICT] = { 12, 0 },        [BTF_KIND_FUNC] = { 12, 0 },        [BTF_KIND_FLOAT] = { 12, 0 },
		[BTF_KIND_TYPE_TAG] = { 12, 0 },
	};
	unsigned kind = BTF_INFO_KIND(t->info);

	return sizes[kind].fixed + (size_t)sizes[kind].each * BTF_INFO_VLEN(t->info);
}

static int view_room(struct btf_view *v)
{
	size_t room = (size_t)(v->types_end - v->types) / sizeof(struct btf_type) + 1;

	/* Of which no more is touched than is read. */
	v->starts = malloc(room * sizeof(*v->starts));
	return v->starts ? 0 : -ENOMEM;
}

/* Type numbers begin at 1. Types are read up to the one that is asked for, and no further: it costs 5 ns each. */
static const struct btf_type *view_type(struct btf_view *v, uint32_t id)
{
	while (v->n < id) {
		size_t left = (size_t)(v->types_end - v->next), size = left < sizeof(struct btf_type) ? 0 : type_size((const void *)v->next);

		if (!size || size > left)
			return NULL;
		v->starts[v->n++] = (uint32_t)(v->next - v->types);
		v->next += size;
	}
	return id ? (const void *)(v->types + v->starts[id - 1]) : NULL;
}

static bool is_composite(const struct btf_type *t)
{
	return t && (BTF_INFO_KIND(t->info) == BTF_KIND_STRUCT || BTF_INFO_KIND(t->info) == BTF_KIND_UNION);
}

/* The offset of a field in bits, also within unnamed members; negative: there is none. */
static int64_t field_bits(struct btf_view *v, const struct btf_type *t, const char *field, unsigned depth)
{
	const struct btf_member *m = (const void *)(t + 1);

	for (unsigned i = 0; i < BTF_INFO_VLEN(t->info); i++) {
		uint32_t at = t->info >> 31 ? BTF_MEMBER_BIT_OFFSET(m[i].offset) : m[i].offset;
		const struct btf_type *inner;
		int64_t below;

		if (m[i].name_off && !strcmp(view_string(v, m[i].name_off), field))
			return at;
		if (m[i].name_off || depth >= NESTED)
			continue;
		inner = view_type(v, m[i].type);
		below = is_composite(inner) ? field_bits(v, inner, field, depth + 1) : -1;
		if (below >= 0)
			return at + below;
	}
	return -1;
}

#define NAME_SLOTS 1024u

/* Structures that may be wanted, by the beginnings of their names: few of the many others pass. */
static unsigned name_slot(const char *name)
{
	unsigned h = 0;

	for (unsigned i = 0; i < 5 && name[i]; i++)
		h = h * 31 + (unsigned char)name[i];
	return h % NAME_SLOTS;
}

/* How many of them are found in this structure. */
static size_t find_fields(struct btf_view *v, const struct btf_type *t, uint16_t *offsets)
{
	const char *name = view_string(v, t->name_off);
	size_t found = 0;

	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		int64_t bits;

		if (offsets[i] != CT_OFF_NONE || strcmp(wanted[i].structure, name) != 0)
			continue;
		bits = field_bits(v, t, wanted[i].field, 0);
		if (bits < 0 || bits % 8 != 0 || bits / 8 >= (int64_t)CT_OFF_NONE)
			continue;
		offsets[i] = (uint16_t)(bits / 8);
		found++;
	}
	return found;
}

/* Until all are found: they lie in the first third of the types. */
static void find_all(struct btf_view *v, uint16_t *offsets)
{
	bool slots[NAME_SLOTS] = { false };
	const struct btf_type *t;
	size_t found = 0;

	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		slots[name_slot(wanted[i].structure)] = true;
	for (uint32_t id = 1; found < ARRAY_SIZE(wanted) && (t = view_type(v, id)); id++) {
		if (BTF_INFO_KIND(t->info) == BTF_KIND_STRUCT && t->name_off && slots[name_slot(view_string(v, t->name_off))])
			found += find_fields(v, t, offsets);
	}
}

int offsets_read(const char *file, uint16_t ret[static OFFSETS], enum offset_field *ret_missing)
{
	uint16_t offsets[OFFSETS];
	struct btf_view v = { 0 };
	int err = view_data(&v, file);

	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		offsets[i] = CT_OFF_NONE;
	if (!err)
		err = view_sections(&v);
	if (!err)
		err = view_room(&v);
	if (!err)
		find_all(&v, offsets);
	view_free(&v);
	for (size_t i = 0; !err && i < ARRAY_SIZE(wanted); i++) {
		if (offsets[i] != CT_OFF_NONE || wanted[i].optional)
			continue;
		*ret_missing = (enum offset_field)i;
		err = -ENODATA;
	}
	if (!err)
		memcpy(ret, offsets, sizeof(offsets));
	return err;
}

/* Whether anything that is traced depends on what a socket is. */
static bool needs_sockets(const struct session *s)
{
	for (uint32_t i = 0; i < s->n_specs; i++) {
		const struct cap_spec *spec = &s->specs[i];

		for (uint32_t k = 0; spec->wanted && k < spec->nops; k++) {
			if (spec->ops[k].kind == CAP_SOCK || spec->ops[k].when & CAP_NETLINK)
				return true;
		}
	}
	return false;
}

int session_set_files(struct session *s, char *err, size_t err_size)
{
	const struct decode_opts *o = &s->opts.decode;
	struct ct_config *cfg = &s->skel->rodata->cfg;
	enum offset_field missing = 0;
	uint16_t offsets[OFFSETS];
	int r;

	if (s->opts.counts_only)
		return 0;
	cfg->sockets = needs_sockets(s);
	if (o->fds || o->match_fds)
		cfg->files = o->match_fds || o->fds & (FDS_PATH | FDS_DEV) ? CT_FILES_PATHS : CT_FILES_IDENTITY;
	if (!cfg->sockets && !cfg->files)
		return 0;
	r = offsets_read(OFFSETS_BTF_FILE, offsets, &missing);
	if (!r) {
		memcpy(&s->skel->rodata->off, offsets, sizeof(offsets));
		return 0;
	}
	/* Without -y the messages of netlink sockets are shown as bytes. */
	cfg->sockets = 0;
	if (!cfg->files)
		return 0;
	if (r == -ENODATA)
		snprintf(err, err_size, "this kernel cannot be asked for the files of descriptors (-y, -P): struct %s has no %s",
			 wanted[missing].structure, wanted[missing].field);
	else
		snprintf(err, err_size, "cannot read " OFFSETS_BTF_FILE ": %s", strerror(-r));
	return r;
}
