/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The file is pages of one size. Pages 0 and 1 are metas, written in turns by
 * each transaction: the one with a right checksum and the higher number
 * counts. A bucket is a tree of branch and leaf pages; a small one is a leaf
 * page inside of the value that it has in the bucket around it. The layout is
 * that of bbolt's internal/common/{meta,page,inode,bucket}.go.
 */
#include "cgroup/bolt.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup/state.h"
#include "util/macros.h"

#define MAGIC           0xED0CDAEDu
#define VERSION         2u
#define FILE_MAX        (1ull << 30)
#define PAGE_MIN        512u
#define PAGE_MAX        65536u
#define DEPTH_MAX       24      /* of one tree: a page has two children at least */
#define TRIES           5

#define LEAF_BUCKET     1u      /* flag of an item */

enum page_flag { PAGE_BRANCH = 0x01, PAGE_LEAF = 0x02, PAGE_META = 0x04 };

struct page_header {
	uint64_t id;
	uint16_t flags, count;
	uint32_t overflow;              /* pages that belong to it, behind it */
};

struct meta {
	uint32_t magic, version, page_size, flags;
	uint64_t root, sequence, freelist, pages, txid, checksum;
};

struct branch_item {
	uint32_t pos, key_len;          /* pos: from the item itself */
	uint64_t page;
};

struct leaf_item {
	uint32_t flags, pos, key_len, value_len;
};

struct bucket_header {
	uint64_t page, sequence;
};

struct bolt {
	int fd;
	uint8_t *pages;                 /* room for the whole file, which costs nothing; filled as pages are needed */
	uint8_t *have;                  /* a bit a page */
	size_t n_pages;
	struct meta meta;
	uint64_t budget;                /* pages that may still be visited: a file that leads in circles ends */
};

/* A page that was checked: its items lie in [p, p + len). */
struct node {
	const uint8_t *p;
	size_t len;
	unsigned count;
	bool leaf;
};

/* --- the metas --- */

static uint64_t fnv1a(const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	uint64_t h = 0xcbf29ce484222325ull;

	while (len--)
		h = (h ^ *p++) * 0x100000001b3ull;
	return h;
}

static bool meta_read(int fd, off_t page, struct meta *ret)
{
	struct meta m;

	if (pread(fd, &m, sizeof(m), page + (off_t)sizeof(struct page_header)) != (ssize_t)sizeof(m))
		return false;
	if (m.magic != MAGIC || m.version != VERSION || m.checksum != fnv1a(&m, offsetof(struct meta, checksum)))
		return false;
	if (m.page_size < PAGE_MIN || m.page_size > PAGE_MAX || m.page_size & (m.page_size - 1))
		return false;
	*ret = m;
	return true;
}

/* The second meta says where it is only if the first one does: else every size is tried. */
static bool find_meta(int fd, struct meta *ret)
{
	struct meta first, second;
	bool have = meta_read(fd, 0, &first);

	for (uint32_t size = have ? first.page_size : PAGE_MIN; size <= PAGE_MAX; size *= 2) {
		if (meta_read(fd, size, &second) && second.page_size == size) {
			*ret = have && first.txid > second.txid ? first : second;
			return true;
		}
		if (have)
			break;
	}
	if (have)
		*ret = first;
	return have;
}

/* --- the pages --- */

void bolt_close(struct bolt *b)
{
	if (!b)
		return;
	free(b->pages);
	free(b->have);
	closep(&b->fd);
	free(b);
}
DEFINE_CLEANUP(struct bolt *, bolt_close)

int bolt_open(struct runtime_env *env, const struct state_dir *dir, const char *path, struct bolt **ret_bolt)
{
	_cleanup_(bolt_closep) struct bolt *b = calloc(1, sizeof(*b));
	struct stat st;

	if (!b)
		return -ENOMEM;
	b->fd = state_open_file(env, dir, path);
	if (b->fd < 0)
		return b->fd;
	if (!find_meta(b->fd, &b->meta) || fstat(b->fd, &st) < 0)
		return -EBADMSG;
	if ((uint64_t)st.st_size > FILE_MAX)
		return -EFBIG;
	b->n_pages = MIN((uint64_t)st.st_size / b->meta.page_size, b->meta.pages);
	if (b->n_pages < 3)
		return -EBADMSG;
	b->budget = 16 * (uint64_t)b->n_pages + 4096;
	b->have = calloc(b->n_pages / 8 + 1, 1);
	b->pages = calloc(b->n_pages, b->meta.page_size);
	if (!b->pages || !b->have)
		return -ENOMEM;
	*ret_bolt = TAKE_PTR(b);
	return 0;
}

bool bolt_unchanged(struct bolt *b)
{
	struct meta now;

	return find_meta(b->fd, &now) && now.txid == b->meta.txid && now.checksum == b->meta.checksum;
}

struct bolt_bucket bolt_root(const struct bolt *b)
{
	return (struct bolt_bucket){ .page = b->meta.root };
}

/* Reads pages [first, first + n), those that are not here yet. The caller has checked that there are so many. */
static int need_pages(struct bolt *b, uint64_t first, uint64_t n)
{
	for (uint64_t i = first; i < first + n; i++) {
		size_t at = i * b->meta.page_size, got = 0;

		if (b->have[i / 8] & 1u << i % 8)
			continue;
		while (got < b->meta.page_size) {
			ssize_t r = pread(b->fd, b->pages + at + got, b->meta.page_size - got, (off_t)(at + got));

			if (r < 0 && errno == EINTR)
				continue;
			if (r <= 0)
				return r < 0 ? -EIO : -EBADMSG;
			got += (size_t)r;
		}
		b->have[i / 8] |= (uint8_t)(1u << i % 8);
	}
	return 0;
}

/* A page of len bytes that holds items. */
static int check_node(const uint8_t *p, size_t len, struct node *ret)
{
	struct page_header h;
	size_t item;

	if (len < sizeof(h))
		return -EBADMSG;
	memcpy(&h, p, sizeof(h));
	if (h.flags != PAGE_BRANCH && h.flags != PAGE_LEAF)
		return -EBADMSG;
	item = h.flags == PAGE_LEAF ? sizeof(struct leaf_item) : sizeof(struct branch_item);
	if (h.count > (len - sizeof(h)) / item)
		return -EBADMSG;
	*ret = (struct node){ .p = p, .len = len, .count = h.count, .leaf = h.flags == PAGE_LEAF };
	return 0;
}

static int get_node(struct bolt *b, uint64_t page, struct node *ret)
{
	struct page_header h;
	int r;

	if (page < 2 || page >= b->n_pages)
		return -EBADMSG;
	r = need_pages(b, page, 1);
	if (r < 0)
		return r;
	memcpy(&h, b->pages + page * b->meta.page_size, sizeof(h));
	if (h.id != page || h.overflow >= b->n_pages - page || b->budget < 1 + (uint64_t)h.overflow)
		return -EBADMSG;
	b->budget -= 1 + (uint64_t)h.overflow;
	r = need_pages(b, page, 1 + (uint64_t)h.overflow);
	if (r < 0)
		return r;
	return check_node(b->pages + page * b->meta.page_size, (1 + (size_t)h.overflow) * b->meta.page_size, ret);
}

static int bucket_node(struct bolt *b, const struct bolt_bucket *bucket, struct node *ret)
{
	struct page_header h;
	int r;

	if (bucket->page)
		return get_node(b, bucket->page, ret);
	if (!b->budget)
		return -EBADMSG;
	b->budget--;
	r = check_node(bucket->data, bucket->len, ret);
	if (r < 0)
		return r;
	memcpy(&h, bucket->data, sizeof(h));
	return ret->leaf && !h.overflow ? 0 : -EBADMSG;
}

/* --- the items --- */

/* len bytes at pos, as counted from offset at in the node. */
static int node_bytes(const struct node *n, size_t at, uint64_t pos, uint64_t len, struct bolt_bytes *ret)
{
	if (pos > n->len - at || len > n->len - at - pos)
		return -EBADMSG;
	*ret = (struct bolt_bytes){ (const char *)n->p + at + pos, len };
	return 0;
}

static int branch_at(const struct node *n, unsigned i, struct bolt_bytes *ret_key, uint64_t *ret_page)
{
	size_t at = sizeof(struct page_header) + i * sizeof(struct branch_item);
	struct branch_item item;

	memcpy(&item, n->p + at, sizeof(item));
	*ret_page = item.page;
	return node_bytes(n, at, item.pos, item.key_len, ret_key);
}

static int read_bucket(struct bolt_bytes value, struct bolt_bucket *ret)
{
	struct bucket_header h;

	if (value.len < sizeof(h))
		return -EBADMSG;
	memcpy(&h, value.p, sizeof(h));
	*ret = (struct bolt_bucket){ .page = h.page };
	if (!h.page) {
		ret->data = (const uint8_t *)value.p + sizeof(h);
		ret->len = value.len - sizeof(h);
	}
	return 0;
}

static int leaf_key(const struct node *n, unsigned i, struct bolt_bytes *ret_key)
{
	size_t at = sizeof(struct page_header) + i * sizeof(struct leaf_item);
	struct leaf_item item;

	memcpy(&item, n->p + at, sizeof(item));
	return node_bytes(n, at, item.pos, item.key_len, ret_key);
}

static int leaf_at(const struct node *n, unsigned i, struct bolt_item *ret)
{
	size_t at = sizeof(struct page_header) + i * sizeof(struct leaf_item);
	struct bolt_item found = { 0 };
	struct leaf_item item;
	int r;

	memcpy(&item, n->p + at, sizeof(item));
	r = node_bytes(n, at, item.pos, item.key_len, &found.key);
	if (r == 0)
		r = node_bytes(n, at, (uint64_t)item.pos + item.key_len, item.value_len, &found.value);
	if (r < 0)
		return r;
	if (item.flags & LEAF_BUCKET) {
		found.is_bucket = true;
		r = read_bucket(found.value, &found.bucket);
		found.value = (struct bolt_bytes){ NULL, 0 };
	}
	if (r == 0)
		*ret = found;
	return r;
}

static int compare(struct bolt_bytes a, const char *key, size_t len)
{
	int r = memcmp(a.p, key, MIN(a.len, len));

	return r ? r : (a.len > len) - (a.len < len);
}

/* How many of the node's keys are not above the key. */
static int count_up_to(const struct node *n, const char *key, size_t len, unsigned *ret)
{
	unsigned low = 0, high = n->count;

	while (low < high) {
		unsigned middle = (low + high) / 2;
		struct bolt_bytes is;
		uint64_t page;
		int r = n->leaf ? leaf_key(n, middle, &is) : branch_at(n, middle, &is, &page);

		if (r < 0)
			return r;
		if (compare(is, key, len) > 0)
			high = middle;
		else
			low = middle + 1;
	}
	*ret = low;
	return 0;
}

static int find_item(struct bolt *b, const struct bolt_bucket *in, const char *key, struct bolt_item *ret)
{
	size_t len = strlen(key);
	struct bolt_item item;
	struct bolt_bytes is;
	struct node n;
	unsigned at = 0;
	int r = bucket_node(b, in, &n);

	for (unsigned depth = 0; r == 0 && !n.leaf; depth++) {
		uint64_t page;

		if (depth == DEPTH_MAX || !n.count)
			return -EBADMSG;
		r = count_up_to(&n, key, len, &at);
		if (r == 0)
			r = branch_at(&n, at ? at - 1 : 0, &is, &page);
		if (r == 0)
			r = get_node(b, page, &n);
	}
	if (r == 0)
		r = count_up_to(&n, key, len, &at);
	if (r < 0)
		return r;
	if (!at)
		return -ENOENT;
	r = leaf_at(&n, at - 1, &item);
	if (r < 0)
		return r;
	if (compare(item.key, key, len))
		return -ENOENT;
	*ret = item;
	return 0;
}

int bolt_get(struct bolt *b, const struct bolt_bucket *in, const char *key, struct bolt_bytes *ret_value)
{
	struct bolt_item item;
	int r = find_item(b, in, key, &item);

	if (r < 0)
		return r;
	if (item.is_bucket)
		return -ENOENT;
	*ret_value = item.value;
	return 0;
}

int bolt_get_bucket(struct bolt *b, const struct bolt_bucket *in, const char *name, struct bolt_bucket *ret_bucket)
{
	struct bolt_item item;
	int r = find_item(b, in, name, &item);

	if (r < 0)
		return r;
	if (!item.is_bucket)
		return -ENOENT;
	*ret_bucket = item.bucket;
	return 0;
}

int bolt_find_bucket(struct bolt *b, const char *const *names, struct bolt_bucket *ret_bucket)
{
	struct bolt_bucket at = bolt_root(b);

	for (; *names; names++) {
		int r = bolt_get_bucket(b, &at, *names, &at);

		if (r < 0)
			return r;
	}
	*ret_bucket = at;
	return 0;
}

typedef int each_fn(struct bolt *b, const struct bolt_item *item, void *data);

static int each_below(struct bolt *b, const struct node *n, unsigned depth, each_fn *each, void *data)
{
	for (unsigned i = 0; i < n->count; i++) {
		struct bolt_bytes key;
		struct bolt_item item;
		struct node child;
		uint64_t page;
		int r;

		if (n->leaf) {
			r = leaf_at(n, i, &item);
			if (r == 0)
				r = each(b, &item, data);
		} else if (depth == DEPTH_MAX) {
			return -EBADMSG;
		} else {
			r = branch_at(n, i, &key, &page);
			if (r == 0)
				r = get_node(b, page, &child);
			if (r == 0)
				r = each_below(b, &child, depth + 1, each, data);
		}
		if (r)
			return r;
	}
	return 0;
}

int bolt_each(struct bolt *b, const struct bolt_bucket *in, each_fn *each, void *data)
{
	struct node n;
	int r = bucket_node(b, in, &n);

	return r < 0 ? r : each_below(b, &n, 0, each, data);
}

int bolt_read(struct runtime_env *env, const struct state_dir *dir, const char *path,
	      int (*read)(struct bolt *b, void *data), void (*undo)(void *data), void *data)
{
	for (int i = 0; i < TRIES; i++) {
		_cleanup_(bolt_closep) struct bolt *b = NULL;
		int r = bolt_open(env, dir, path, &b);

		if (r < 0)
			return r;
		r = read(b, data);
		if (r == -ENOMEM || bolt_unchanged(b))
			return r;
		if (undo)
			undo(data);
	}
	return -EAGAIN;
}

char *bolt_strdup(struct bolt_bytes bytes)
{
	if (!bytes.len)
		return strdup("");
	return memchr(bytes.p, '\0', bytes.len) ? NULL : strndup(bytes.p, bytes.len);
}
