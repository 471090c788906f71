/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_session ctrace_skeleton */
/* Offsets out of BTF: a kernel's as far as this machine has one, one that is made here, and files that lie. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/offsets.h"

#define NONE 0xffffu            /* CT_OFF_NONE */
#define ROOM (1 << 20)

static char path[] = "/tmp/ctrace-offsets.XXXXXX";
static uint16_t offsets[OFFSETS];
static enum offset_field missing;

static const char *const names[OFFSETS][2] = {
#define OFFSET(structure, field) { #structure, #field },
#define OPTIONAL(structure, field) { #structure, #field },
#include "bpf/offsets.def"
#undef OFFSET
#undef OPTIONAL
};

/* A file of BTF that is put together. */
static struct {
	struct btf_header h;
	char types[ROOM], strings[ROOM];
	uint32_t n_types;
} made;

static void begin(void)
{
	memset(&made, 0, sizeof(made));
	made.h = (struct btf_header){ .magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(made.h), .str_len = 1 };
}

static uint32_t string(const char *s)
{
	uint32_t at = made.h.str_len;

	strcpy(made.strings + at, s);
	made.h.str_len += (uint32_t)strlen(s) + 1;
	return at;
}

static void put(const void *p, size_t size)
{
	assert_true(made.h.type_len + size <= ROOM);
	memcpy(made.types + made.h.type_len, p, size);
	made.h.type_len += (uint32_t)size;
}

static void put_struct(const char *name, unsigned n)
{
	struct btf_type t = { .name_off = name ? string(name) : 0, .info = BTF_KIND_STRUCT << 24 | n };

	put(&t, sizeof(t));
	made.n_types++;
}

static void put_member(const char *name, uint32_t type, uint32_t bits)
{
	struct btf_member m = { .name_off = name ? string(name) : 0, .type = type, .offset = bits };

	put(&m, sizeof(m));
}

/* A structure of its own for each field that is wanted: it lies at 8 times its place in the list. skipped: all but that one. */
static void put_all(int skipped)
{
	for (int i = 0; i < OFFSETS; i++) {
		if (i == skipped)
			continue;
		put_struct(names[i][0], 1);
		put_member(names[i][1], 0, (uint32_t)i * 64);
	}
}

static void write_file(const void *p, size_t size)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

/* As one block; returns its size. */
static size_t flatten(char *buf)
{
	size_t n = sizeof(made.h);

	made.h.str_off = made.h.type_len;
	memcpy(buf, &made.h, n);
	memcpy(buf + n, made.types, made.h.type_len);
	n += made.h.type_len;
	memcpy(buf + n, made.strings, made.h.str_len);
	return n + made.h.str_len;
}

static int read_made(void)
{
	static char buf[2 * ROOM + sizeof(struct btf_header)];

	write_file(buf, flatten(buf));
	memset(offsets, 0x11, sizeof(offsets));
	return offsets_read(path, offsets, &missing);
}

static void test_fields(void **state)
{
	(void)state;
	begin();
	put_all(-1);
	assert_int_equal(read_made(), 0);
	for (unsigned i = 0; i < OFFSETS; i++)
		assert_int_equal(offsets[i], 8 * i);
}

/* In unnamed members, and with the size of bit fields in the upper byte of the offset. */
static void test_nested(void **state)
{
	struct btf_type t = { .info = (1u << 31) | BTF_KIND_STRUCT << 24 | 2 };

	(void)state;
	begin();
	put_struct(NULL, 1);
	put_member("files", 0, 128);
	t.name_off = string("task_struct");
	put(&t, sizeof(t));
	put_member(NULL, 1, 640);
	put_member("fs", 0, 32u << 24 | 64);
	put_all(-1);
	assert_int_equal(read_made(), 0);
	assert_int_equal(offsets[OFFSET_task_struct_files], (640 + 128) / 8);
	assert_int_equal(offsets[OFFSET_task_struct_fs], 8);
}

static void test_missing(void **state)
{
	(void)state;
	begin();
	put_all(OFFSET_dentry_d_parent);
	assert_int_equal(read_made(), -ENODATA);
	assert_int_equal(missing, OFFSET_dentry_d_parent);
	assert_int_equal(offsets[0], 0x1111);
	/* Only some systems have these. */
	begin();
	put_all(OFFSET_unix_sock_peer);
	assert_int_equal(read_made(), 0);
	assert_int_equal(offsets[OFFSET_unix_sock_peer], NONE);
}

static void test_no_btf(void **state)
{
	(void)state;
	assert_int_equal(offsets_read("/nonexistent/btf", offsets, &missing), -ENOENT);
	write_file("", 0);
	assert_true(offsets_read(path, offsets, &missing) < 0);
	write_file("no BTF, but long enough for its header", 38);
	assert_int_equal(offsets_read(path, offsets, &missing), -EBADMSG);
}

/* Cut anywhere, and with lengths, kinds and names that lead elsewhere: an error, or some offsets, but no more. */
static void test_lies(void **state)
{
	static char whole[2 * ROOM + sizeof(struct btf_header)], spoilt[sizeof(whole)];
	uint32_t random = 12345;
	size_t n;

	(void)state;
	begin();
	put_struct(NULL, 2);
	put_member(NULL, 1, 0);         /* within itself */
	put_member("files", 0, 7);      /* no whole byte */
	put_all(-1);
	n = flatten(whole);
	for (size_t len = 0; len < n; len += len < 64 ? 1 : 97) {
		write_file(whole, len);
		assert_true(offsets_read(path, offsets, &missing) < 0);
	}
	for (unsigned round = 0; round < 400; round++) {
		memcpy(spoilt, whole, n);
		for (unsigned i = 0; i < 1 + round % 8; i++) {
			random = random * 1103515245 + 12345;
			spoilt[(random >> 8) % (round % 2 ? n : sizeof(struct btf_header) + 200)] ^= (char)(1u << (random >> 4) % 8);
		}
		write_file(spoilt, n);
		offsets_read(path, offsets, &missing);
	}
}

static void test_this_kernel(void **state)
{
	(void)state;
	if (access(OFFSETS_BTF_FILE, R_OK))
		skip();
	assert_int_equal(offsets_read(OFFSETS_BTF_FILE, offsets, &missing), 0);
	/* Whatever the version: no two fields of one place, and a name is behind its length. */
	assert_int_not_equal(offsets[OFFSET_task_struct_files], offsets[OFFSET_task_struct_fs]);
	assert_int_equal(offsets[OFFSET_path_dentry], offsets[OFFSET_path_mnt] + sizeof(void *));
	assert_int_equal(offsets[OFFSET_qstr_name], 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields), cmocka_unit_test(test_nested), cmocka_unit_test(test_missing),
		cmocka_unit_test(test_no_btf), cmocka_unit_test(test_lies), cmocka_unit_test(test_this_kernel),
	};
	int fd = mkstemp(path), failed;

	if (fd < 0)
		return 1;
	close(fd);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
