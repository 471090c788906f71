/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A bolt database of buckets with pages of their own, inline ones, a branch, and a page that is longer than one. */
#include <stdio.h>
#include <string.h>

#include "files.h"
#include "make.h"

enum { BRANCH = 1, LEAF = 2, BUCKET = 1 };

/* A page that is being written: its items grow from the header, their bytes lie behind all items. */
struct page {
	uint8_t *p;
	uint16_t flags, n, all;
	size_t used;
};

static struct page begin(uint8_t *p, uint64_t id, uint16_t flags, uint16_t items, uint32_t overflow)
{
	memcpy(p, &id, 8);
	memcpy(p + 8, &flags, 2);
	memcpy(p + 10, &items, 2);
	memcpy(p + 12, &overflow, 4);
	return (struct page){ .p = p, .flags = flags, .all = items, .used = 16 + 16u * items };
}

static void add(struct page *page, uint32_t flags, const char *key, const void *value, size_t len)
{
	size_t at = 16 + 16u * page->n++;
	uint32_t leaf[4] = { flags, (uint32_t)(page->used - at), (uint32_t)strlen(key), (uint32_t)len };

	memcpy(page->p + at, leaf, sizeof(leaf));
	memcpy(page->p + page->used, key, leaf[2]);
	memcpy(page->p + page->used + leaf[2], value, len);
	page->used += leaf[2] + len;
}

static void add_child(struct page *page, const char *key, uint64_t id)
{
	size_t at = 16 + 16u * page->n++;
	uint32_t head[2] = { (uint32_t)(page->used - at), (uint32_t)strlen(key) };

	memcpy(page->p + at, head, sizeof(head));
	memcpy(page->p + at + 8, &id, 8);
	memcpy(page->p + page->used, key, head[1]);
	page->used += head[1];
}

size_t make_bolt(uint8_t p[static BOLT_MAX])
{
	static const char text[BOLT_PAGE] = "a value";
	uint8_t small[256] = { 0 };
	struct page page;

	memset(p, 0, BOLT_MAX);
	page = begin(small + 16, 0, LEAF, 3, 0);
	add(&page, 0, "key-1", "one", 3);
	add(&page, 0, "key-3", "three", 5);
	add(&page, 0, "key-4", "", 0);
	page.used += 16;
	{
		uint64_t own[2] = { 3, 0 };
		struct page root = begin(p, 2, LEAF, 4, 0);

		add(&root, BUCKET, "key-1", own, sizeof(own));
		add(&root, BUCKET, "key-2", small, page.used);
		add(&root, 0, "key-3", text, 20);
		own[0] = 7;
		add(&root, BUCKET, "key-4", own, sizeof(own));
	}
	page = begin(p + BOLT_PAGE, 3, BRANCH, 2, 0);
	add_child(&page, "key-1", 4);
	add_child(&page, "key-3", 5);
	page = begin(p + 2 * BOLT_PAGE, 4, LEAF, 2, 0);
	add(&page, 0, "key-1", text, 30);
	add(&page, 0, "key-2", text, 40);
	page = begin(p + 3 * BOLT_PAGE, 5, LEAF, 2, 1);
	add(&page, 0, "key-3", text, 400);
	add(&page, 0, "key-4", text, 400);
	page = begin(p + 5 * BOLT_PAGE, 7, LEAF, 1, 0);
	add(&page, BUCKET, "key-1", small, 16 + 100);
	return 6 * BOLT_PAGE;
}
