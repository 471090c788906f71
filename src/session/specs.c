/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is copied of each system call, and of single commands of some: from the decoders' tables into the maps. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "session/internal.h"

/* Whether the call makes a task and returns its number. */
static bool makes_task(enum abi abi, uint32_t nr)
{
	static const char *const names[] = { "fork", "vfork", "clone", "clone3" };
	char buf[32];
	const char *name = call_name(abi, nr, buf);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

/* Operations that copy input: a bit each. */
static uint32_t input_operations(const struct cap_spec *spec)
{
	uint32_t bits = 0;

	for (uint32_t i = 0; i < spec->nops; i++) {
		if (spec->ops[i].when & CAP_ENTER)
			bits |= 1u << i;
	}
	return bits;
}

/* Makes room for one more of what are doubled whenever they are full. */
static int room(void **p, uint32_t n, size_t size)
{
	void *q;

	if (n & (n - 1))
		return 0;
	q = realloc(*p, (n ? 2 * (size_t)n : 1) * size);
	if (!q)
		return -ENOMEM;
	*p = q;
	return 0;
}

/* The row of a specification among those from first on: commands are many, what is copied of them is much the same. */
static int spec_row(struct session *s, const struct cap_spec *spec, uint32_t first, uint32_t *ret_at)
{
	int r;

	for (uint32_t i = first; i < s->n_specs; i++) {
		if (!memcmp(&s->specs[i], spec, sizeof(*spec))) {
			*ret_at = i;
			return 0;
		}
	}
	r = room((void **)&s->specs, s->n_specs, sizeof(*spec));
	if (r < 0)
		return r;
	s->specs[s->n_specs] = *spec;
	*ret_at = s->n_specs++;
	return 0;
}

/* The commands of a row that are copied in ways of their own. */
static int add_commands(struct session *s, enum abi abi, uint32_t nr, uint32_t row)
{
	uint32_t first = s->n_specs, value;
	struct cap_spec spec;
	int r;

	for (size_t i = 0; syscall_capture_of_value(abi, nr, &s->opts.decode, i, &value, &spec); i++) {
		uint32_t at;

		spec.forks = s->specs[row].forks;
		spec.wanted = s->specs[row].wanted;
		spec.inputs = input_operations(&spec);
		r = spec_row(s, &spec, first, &at);
		if (!r)
			r = room((void **)&s->sub_keys, s->n_subs, sizeof(*s->sub_keys));
		if (!r)
			r = room((void **)&s->sub_rows, s->n_subs, sizeof(*s->sub_rows));
		if (r < 0)
			return r;
		s->sub_keys[s->n_subs] = (struct ct_sub_key){ .row = row, .value = value };
		s->sub_rows[s->n_subs++] = at;
	}
	return 0;
}

int session_make_specs(struct session *s)
{
	uint32_t at;
	int r = 0;

	for (uint32_t row = 0; row < CT_ROWS && !r; row++) {
		enum abi abi = row < CT_NR_NATIVE ? ABI_NATIVE : ABI_COMPAT;
		uint32_t nr = row < CT_NR_NATIVE ? row : row - CT_NR_NATIVE;
		struct cap_spec spec = { 0 };

		if (row < CT_ROW_OUTSIDE) {
			syscall_capture_spec(abi, nr, &s->opts.decode, &spec);
			spec.forks = makes_task(abi, nr);
			spec.inputs = input_operations(&spec);
		}
		spec.wanted = s->opts.trace.rows[row];
		/* A row of its own each. */
		r = spec_row(s, &spec, s->n_specs, &at);
	}
	for (uint32_t row = 0; row < CT_ROW_OUTSIDE && !r; row++) {
		if (s->specs[row].by_arg && s->specs[row].wanted)
			r = add_commands(s, row < CT_NR_NATIVE ? ABI_NATIVE : ABI_COMPAT, row < CT_NR_NATIVE ? row : row - CT_NR_NATIVE, row);
	}
	if (!r)
		r = bpf_map__set_max_entries(s->skel->maps.specs, s->n_specs);
	if (!r && s->n_subs)
		r = bpf_map__set_max_entries(s->skel->maps.sub_rows, s->n_subs);
	return r;
}

int session_fill_specs(struct session *s)
{
	size_t entry = (sizeof(struct cap_spec) + 7) & ~(size_t)7;
	size_t size = (entry * s->n_specs + 4095) & ~(size_t)4095;
	uint8_t *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(s->skel->maps.specs), 0);
	uint32_t n = s->n_subs;
	int r = 0;

	if (p == MAP_FAILED)
		return -errno;
	for (uint32_t i = 0; i < s->n_specs; i++)
		memcpy(p + i * entry, &s->specs[i], sizeof(s->specs[i]));
	munmap(p, size);
	/* In one call: they are more than a thousand. */
	if (n && bpf_map_update_batch(bpf_map__fd(s->skel->maps.sub_rows), s->sub_keys, s->sub_rows, &n, NULL))
		r = -errno;
	session_drop_specs(s);
	return r;
}

void session_drop_specs(struct session *s)
{
	free(s->specs);
	free(s->sub_keys);
	free(s->sub_rows);
	s->specs = NULL;
	s->sub_keys = NULL;
	s->sub_rows = NULL;
	s->n_specs = s->n_subs = 0;
}
