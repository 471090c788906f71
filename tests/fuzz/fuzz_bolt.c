/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_cgroup */
/*
 * Bolt databases. The input is the pages from the third one on, of BOLT_PAGE
 * bytes; two metas with right checksums, which no mutation would find, come
 * before them, and the root is the first page of the input.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cgroup/bolt.h"
#include "files.h"
#include "util/macros.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char top[PATH_MAX / 2];
static volatile unsigned sum;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	snprintf(top, sizeof(top), "%s/ctrace-fuzz-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	if (!mkdtemp(top))
		abort();
	return 0;
}

/* The header of a page, and behind it: magic, version and size, root, freelist, how many pages, transaction, checksum. */
static void make_meta(uint64_t *page, uint64_t n_pages)
{
	uint64_t h = 0xcbf29ce484222325ull;
	const uint8_t *p = (const uint8_t *)&page[2];

	page[1] = 4;
	page[2] = 2ull << 32 | 0xed0cdaed;
	page[3] = BOLT_PAGE;
	page[4] = 2;
	page[7] = n_pages;
	page[8] = 1;
	for (size_t i = 0; i < 56; i++)
		h = (h ^ p[i]) * 0x100000001b3ull;
	page[9] = h;
}

static void use(struct bolt_bytes b)
{
	for (size_t i = 0; i < b.len; i++)
		sum += (uint8_t)b.p[i];
}

static int use_item(struct bolt *b, const struct bolt_item *item, void *data)
{
	struct bolt_bytes value;

	use(item->key);
	use(item->value);
	if (!item->is_bucket)
		return 0;
	if (bolt_get(b, &item->bucket, "key-3", &value) == 0)
		use(value);
	return bolt_each(b, &item->bucket, use_item, data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint64_t metas[2][BOLT_PAGE / 8];
	struct state_dir dir = { .root = top, .path = (char *)"/" };
	struct runtime_env env = { 0 };
	struct bolt_bucket at;
	char path[PATH_MAX];
	struct bolt *b;
	int fd;

	make_meta(metas[0], 2 + size / BOLT_PAGE);
	make_meta(metas[1], 2 + size / BOLT_PAGE);
	snprintf(path, sizeof(path), "%s/db", top);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, metas, sizeof(metas)) != sizeof(metas) || write(fd, data, size) != (ssize_t)size)
		abort();
	close(fd);
	if (bolt_open(&env, &dir, "/db", &b) < 0)
		return -1;
	at = bolt_root(b);
	bolt_each(b, &at, use_item, NULL);
	if (bolt_get_bucket(b, &at, "key-1", &at) == 0)
		bolt_each(b, &at, use_item, NULL);
	bolt_close(b);
	return 0;
}
