/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Memory and its cache: mincore, cachestat. fanotify's directory. */
#include "decode/dec_file.h"
#include "decode/kinds.h"
#include "util/macros.h"

/* --- mincore: a byte for each page; a: the register with the length --- */

#define PAGE 4096u

static void say_resident(struct dec *d, struct bytes b)
{
	say_udec(d, get8(b, 0) & 1);
}

static void decode_residency(struct dec *d, const struct arg *a, unsigned reg)
{
	uint64_t len = dec_reg(d, a->a);

	if (d->ok)
		say_array(d, dec_cap(d, reg, 0, 0), dec_reg(d, reg), len / PAGE + (len % PAGE != 0), 1, say_resident);
	else
		say_addr(d, dec_reg(d, reg));
}

/* The length in pages is no length that an operation can have: as many bytes as are shown, or up to the end of memory. */
static void capture_residency(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_block(b, reg, 0, CAP_EXIT, a->a, 1, cap_elements(b));
}

const struct kind kind_residency = { .decode = decode_residency, .capture = capture_residency, .at_end = true };

/* --- cachestat (include/uapi/linux/mman.h) --- */

static void decode_cachestat_range(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	struct bytes b;

	if (!struct_at(d, reg, 0, 16, &b))
		return;
	field_hex(d, "off", get64(b, 0));
	field_udec(d, "len", get64(b, 8));
	d->ops->struct_end(d->e);
}

static void capture_cachestat_range(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_ENTER, 16);
}

static void decode_cachestat(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	static const char *const names[5] = { "nr_cache", "nr_dirty", "nr_writeback", "nr_evicted", "nr_recently_evicted" };
	struct bytes b;

	if (!d->ok) {
		say_addr(d, dec_reg(d, reg));
		return;
	}
	if (!struct_at(d, reg, 0, 40, &b))
		return;
	for (unsigned i = 0; i < 5; i++)
		field_udec(d, names[i], get64(b, 8 * i));
	d->ops->struct_end(d->e);
}

static void capture_cachestat(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, 40);
}

const struct kind kind_cachestat_range = { .decode = decode_cachestat_range, .capture = capture_cachestat_range };
const struct kind kind_cachestat = { .decode = decode_cachestat, .capture = capture_cachestat, .at_end = true };

/* --- an int that is filled in --- */

static void decode_int_ptr(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	uint32_t v;

	if (d->ok && dec_reg(d, reg) && dec_read(d, reg, 0, &v, sizeof(v)))
		say_boxed_dec(d, (int32_t)v);
	else
		say_unreadable(d, reg, d->ok && dec_reg(d, reg) ? dec_cap(d, reg, 0, 0) : NULL);
}

static void capture_int_ptr(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fixed(b, reg, 0, CAP_EXIT, 4);
}

const struct kind kind_int_ptr = { .decode = decode_int_ptr, .capture = capture_int_ptr, .at_end = true };

/* --- fanotify_init: a class, and flags as a value of their own --- */

#define FAN_CLASS_MASK 0xcu

static bool any_name(const struct symtab *t, uint64_t v)
{
	for (size_t i = 0; i < t->n; i++)
		if (v & t->v[i].v)
			return true;
	return false;
}

static void decode_fan_flags(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	uint32_t v = (uint32_t)dec_reg(d, reg), class = v & FAN_CLASS_MASK, rest = v & ~FAN_CLASS_MASK;
	const char *name = sym_name(&tab_fanotify_classes, class);
	struct words w = { 0 };
	bool known;

	d->ops->flags_begin(d->e, 0);
	d->ops->flag_apart(d->e, name, class, EMIT_HEX);
	if (!name)
		d->ops->comment(d->e, tab_fanotify_classes.unknown);
	known = any_name(&tab_fanotify_init_flags, rest);
	if (rest) {
		words_flags(d, &w, &tab_fanotify_init_flags, rest);
		d->ops->flag_apart(d->e, known ? w.buf : NULL, rest, EMIT_HEX);
	}
	d->ops->flags_end(d->e);
	if (rest && !known)
		d->ops->comment(d->e, tab_fanotify_init_flags.unknown);
}

const struct kind kind_fan_flags = { .decode = decode_fan_flags };

/* --- fanotify_mark's directory --- */

static void decode_fan_dirfd(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	if ((int32_t)dec_reg(d, reg) == -1)
		d->ops->named(d->e, "FAN_NOFD", UINT64_MAX, EMIT_DEC);
	else
		say_fd(d, (int32_t)dec_reg(d, reg), true);
}

static void capture_fan_dirfd(struct cap_builder *b, const struct arg *a _unused_, unsigned reg)
{
	cap_fd(b, reg, true);
}

const struct kind kind_fan_dirfd = { .decode = decode_fan_dirfd, .capture = capture_fan_dirfd };
