/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_cgroup */
/*
 * The fixture was written by containerd 1.6, with ctr; pages that its last
 * transaction does not use were made zero. Page 24 is a branch with a branch
 * below it, 14 and 21 are longer than a page.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tree.h"

#include "cgroup/bolt.h"

#define FIXTURE CTRACE_UNIT_DIR "/fixtures/runtimes/var/lib/containerd/io.containerd.metadata.v1.bolt/meta.db"
#define SANDBOX "5a4d0b0c5a4d0b0c5a4d0b0c5a4d0b0c5a4d0b0c5a4d0b0c5a4d0b0c5a4d0b0c"

#define PAGE 4096
#define META 16         /* behind the page's header */
#define TXID (META + 48)
#define SUM (META + 56)

static uint8_t *fixture;
static size_t fixture_len;

static struct bolt *open_bytes(const void *bytes, size_t len, int *ret)
{
	struct state_dir dir = { .root = tree, .path = (char *)"/" };
	struct runtime_env env = { 0 };
	struct bolt *b = NULL;

	tree_bytes("meta.db", bytes, len);
	*ret = bolt_open(&env, &dir, "/meta.db", &b);
	return b;
}

static struct bolt *open_fixture(void)
{
	int r;
	struct bolt *b = open_bytes(fixture, fixture_len, &r);

	assert_int_equal(r, 0);
	return b;
}

static int labels_of(struct bolt *b, const char *space, const char *id, struct bolt_bucket *ret)
{
	return bolt_find_bucket(b, (const char *const[]){ "v1", space, "containers", id, "labels", NULL }, ret);
}

static void same_bytes(struct bolt_bytes is, const char *want)
{
	if (is.len != strlen(want) || memcmp(is.p, want, is.len))
		fail_msg("%.*s is not %s", (int)is.len, is.p, want);
}

static void test_values(void **state)
{
	struct bolt *b = open_fixture();
	struct bolt_bucket labels, none;
	struct bolt_bytes value;
	char *copy;

	(void)state;
	assert_int_equal(labels_of(b, "k8s.io", SANDBOX, &labels), 0);
	assert_int_equal(bolt_get(b, &labels, "app", &value), 0);
	same_bytes(value, "web");
	assert_int_equal(bolt_get(b, &labels, "io.kubernetes.pod.namespace", &value), 0);
	copy = bolt_strdup(value);
	assert_string_equal(copy, "shop");
	free(copy);
	assert_int_equal(bolt_get(b, &labels, "a", &value), -ENOENT);
	assert_int_equal(bolt_get(b, &labels, "app2", &value), -ENOENT);
	assert_int_equal(bolt_get(b, &labels, "zzz", &value), -ENOENT);
	assert_int_equal(bolt_get(b, &labels, "", &value), -ENOENT);
	assert_int_equal(bolt_get_bucket(b, &labels, "app", &none), -ENOENT);
	assert_int_equal(labels_of(b, "k8s.io", "absent", &none), -ENOENT);
	/* A bucket is no value. */
	assert_int_equal(bolt_find_bucket(b, (const char *const[]){ "v1", NULL }, &none), 0);
	assert_int_equal(bolt_get(b, &none, "k8s.io", &value), -ENOENT);
	assert_true(bolt_unchanged(b));
	bolt_close(b);
}

struct walk {
	unsigned n, stop_at;
	char last[64];
};

static int check_label(struct bolt *b, const struct bolt_item *item, void *data)
{
	struct walk *w = data;
	char key[64];

	(void)b;
	assert_false(item->is_bucket);
	snprintf(key, sizeof(key), "%.*s", (int)item->key.len, item->key.p);
	assert_true(strcmp(key, w->last) > 0);
	strcpy(w->last, key);
	/* label-K: K-000...K */
	assert_int_equal(strncmp(key, "label-", 6), 0);
	assert_memory_equal(item->value.p, key + 6, strlen(key + 6));
	return ++w->n == w->stop_at ? 77 : 0;
}

/* Branches, branches below them, and items longer than a page. */
static void test_trees(void **state)
{
	struct bolt *b = open_fixture();
	struct bolt_bucket labels;
	struct bolt_bytes value;
	struct walk w = { 0 };

	(void)state;
	assert_int_equal(labels_of(b, "many", "branches", &labels), 0);
	assert_int_equal(bolt_each(b, &labels, check_label, &w), 0);
	assert_int_equal(w.n, 60);
	for (unsigned i = 10; i < 70; i++) {
		char key[64], want[200];

		snprintf(key, sizeof(key), "label-%u", i);
		snprintf(want, sizeof(want), "%u-%0120u", i, i);
		assert_int_equal(bolt_get(b, &labels, key, &value), 0);
		same_bytes(value, want);
	}
	w = (struct walk){ .stop_at = 31 };
	assert_int_equal(bolt_each(b, &labels, check_label, &w), 77);
	assert_int_equal(w.n, 31);
	assert_int_equal(labels_of(b, "many", "overflow", &labels), 0);
	w = (struct walk){ 0 };
	assert_int_equal(bolt_each(b, &labels, check_label, &w), 0);
	assert_int_equal(w.n, 4);
	assert_int_equal(bolt_get(b, &labels, "label-3", &value), 0);
	assert_int_equal(value.len, 3002);
	bolt_close(b);
}

static int walk_all(struct bolt *b, const struct bolt_item *item, void *data)
{
	unsigned *sum = data;

	for (size_t i = 0; i < item->key.len; i++)
		*sum += (uint8_t)item->key.p[i];
	for (size_t i = 0; i < item->value.len; i++)
		*sum += (uint8_t)item->value.p[i];
	return item->is_bucket ? bolt_each(b, &item->bucket, walk_all, data) : 0;
}

/* Reads whatever can be reached. */
static int read_bytes(const void *bytes, size_t len)
{
	struct bolt_bucket at;
	unsigned sum = 0;
	int r;
	struct bolt *b = open_bytes(bytes, len, &r);

	if (!b)
		return r;
	at = bolt_root(b);
	r = bolt_each(b, &at, walk_all, &sum);
	bolt_close(b);
	return r;
}

static void test_truncated(void **state)
{
	(void)state;
	for (size_t len = 0; len < fixture_len; len += 509) {
		int r = read_bytes(fixture, len);

		if (r != -EBADMSG)
			fail_msg("%zu bytes: %d", len, r);
	}
	assert_int_equal(read_bytes(fixture, fixture_len), 0);
}

/* Numbers of pages and items, one after another, are wrong: it ends, and nothing is read outside. */
static void test_mutated(void **state)
{
	static const uint8_t values[] = { 0x00, 0x01, 0x02, 0x7f, 0x80, 0xff };
	uint8_t *copy = malloc(fixture_len);
	unsigned broken = 0, tried = 0;

	(void)state;
	assert_non_null(copy);
	memcpy(copy, fixture, fixture_len);
	for (size_t page = 2 * PAGE; page < fixture_len; page += PAGE) {
		if (!fixture[page + 8])
			continue;
		for (size_t at = 0; at < 48; at++, tried++) {
			copy[page + at] = values[tried % ARRAY_SIZE(values)];
			broken += read_bytes(copy, fixture_len) == -EBADMSG;
			copy[page + at] = fixture[page + at];
		}
	}
	assert_true(tried > 500);
	assert_true(broken > tried / 4);
	free(copy);
}

static void put(uint8_t *p, uint64_t value, size_t len)
{
	memcpy(p, &value, len);
}

/* A meta page gets its checksum. */
static void seal(uint8_t *page)
{
	uint64_t h = 0xcbf29ce484222325ull;

	for (size_t i = META; i < SUM; i++)
		h = (h ^ page[i]) * 0x100000001b3ull;
	put(page + SUM, h, 8);
}

/* The newer of the metas that are whole counts, and the second one is found without the first. */
static void test_metas(void **state)
{
	uint8_t *copy = malloc(fixture_len);
	uint64_t txid[2];
	unsigned newer;

	(void)state;
	assert_non_null(copy);
	memcpy(copy, fixture, fixture_len);
	memcpy(&txid[0], copy + TXID, 8);
	memcpy(&txid[1], copy + PAGE + TXID, 8);
	newer = txid[1] > txid[0];
	/* The older one may lead anywhere. */
	put(copy + !newer * PAGE + META + 16, 3, 8);
	seal(copy + !newer * PAGE);
	assert_int_equal(read_bytes(copy, fixture_len), 0);
	copy[!newer * PAGE + SUM] ^= 1;
	assert_int_equal(read_bytes(copy, fixture_len), 0);
	copy[newer * PAGE + SUM] ^= 1;
	assert_int_equal(read_bytes(copy, fixture_len), -EBADMSG);
	/* The only one that is whole stands in the second page. */
	memcpy(copy, fixture, fixture_len);
	memmove(copy + PAGE + META, fixture + newer * PAGE + META, SUM + 8 - META);
	memset(copy, 0, PAGE);
	assert_int_equal(read_bytes(copy, fixture_len), 0);
	put(copy + PAGE + META + 4, 3, 4);
	seal(copy + PAGE);
	assert_int_equal(read_bytes(copy, fixture_len), -EBADMSG);
	free(copy);
}

static uint8_t *page_with(uint8_t *file, uint16_t flags)
{
	for (size_t page = 2 * PAGE; page < fixture_len; page += PAGE)
		if (!memcmp(file + page + 8, &flags, 2))
			return file + page;
	fail();
	return NULL;
}

/* A branch whose children all are itself, and a bucket that is its own child: 2^24 visits if nobody counted. */
static void test_circles(void **state)
{
	uint8_t *copy = malloc(fixture_len), *page;
	uint16_t count;
	uint64_t id;

	(void)state;
	assert_non_null(copy);
	memcpy(copy, fixture, fixture_len);
	page = page_with(copy, 1);
	memcpy(&id, page, 8);
	memcpy(&count, page + 10, 2);
	for (unsigned i = 0; i < count; i++)
		put(page + 16 + 16 * i + 8, id, 8);
	assert_int_equal(read_bytes(copy, fixture_len), -EBADMSG);
	memcpy(copy, fixture, fixture_len);
	/* "v1" is the one item of the root. */
	id = copy[PAGE + TXID] > copy[TXID] ? copy[PAGE + META + 16] : copy[META + 16];
	page = copy + id * PAGE;
	assert_memory_equal(page + 32, "v1", 2);
	put(page + 34, id, 8);
	assert_int_equal(read_bytes(copy, fixture_len), -EBADMSG);
	free(copy);
}

static void test_no_file(void **state)
{
	struct state_dir dir = { .root = tree, .path = (char *)"/" };
	struct runtime_env env = { 0 };
	struct bolt *b;

	(void)state;
	assert_int_equal(bolt_open(&env, &dir, "/absent", &b), -ENOENT);
	assert_int_equal(mkfifo(tree_path("fifo"), 0600), 0);
	assert_int_equal(bolt_open(&env, &dir, "/fifo", &b), -EINVAL);
	assert_int_equal(symlink("/etc/passwd", tree_path("link")), 0);
	assert_int_equal(bolt_open(&env, &dir, "/link", &b), -ENOENT);
}

/* --- somebody writes meanwhile --- */

struct reading {
	unsigned calls, undone, commits;
};

static void commit(void)
{
	uint8_t *copy = malloc(fixture_len);
	static uint64_t txid = 1000;

	assert_non_null(copy);
	memcpy(copy, fixture, fixture_len);
	put(copy + TXID, txid++, 8);
	seal(copy);
	/* In place: whoever has the file open sees it. */
	tree_bytes("meta.db", copy, fixture_len);
	free(copy);
}

static int read_while_written(struct bolt *b, void *data)
{
	struct reading *r = data;

	(void)b;
	if (r->calls++ < r->commits)
		commit();
	return 5;
}

static void undo(void *data)
{
	((struct reading *)data)->undone++;
}

static void test_written(void **state)
{
	struct state_dir dir = { .root = tree, .path = (char *)"/" };
	struct reading r = { .commits = 2 };
	struct runtime_env env = { 0 };

	(void)state;
	tree_bytes("meta.db", fixture, fixture_len);
	assert_int_equal(bolt_read(&env, &dir, "/meta.db", read_while_written, undo, &r), 5);
	assert_int_equal(r.calls, 3);
	assert_int_equal(r.undone, 2);
	r = (struct reading){ .commits = 1000 };
	assert_int_equal(bolt_read(&env, &dir, "/meta.db", read_while_written, undo, &r), -EAGAIN);
	assert_int_equal(r.undone, r.calls);
	assert_int_equal(bolt_read(&env, &dir, "/absent", read_while_written, undo, &r), -ENOENT);
}

static int set_up(void **state)
{
	FILE *f = fopen(FIXTURE, "re");
	long len;

	(void)state;
	tree_make();
	if (!f || fseek(f, 0, SEEK_END) || (len = ftell(f)) <= 0)
		return -1;
	rewind(f);
	fixture_len = (size_t)len;
	fixture = malloc(fixture_len);
	len = (long)(fixture ? fread(fixture, 1, fixture_len, f) : 0);
	fclose(f);
	return (size_t)len == fixture_len ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	free(fixture);
	tree_remove();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values), cmocka_unit_test(test_trees), cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_mutated), cmocka_unit_test(test_metas), cmocka_unit_test(test_circles),
		cmocka_unit_test(test_no_file), cmocka_unit_test(test_written),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
