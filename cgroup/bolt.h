/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CGROUP_BOLT_H
#define CTRACE_CGROUP_BOLT_H
/*
 * A reader of bolt databases (go.etcd.io/bbolt, format version 2), in which
 * containerd keeps its metadata and podman 4 its state: a tree of buckets,
 * each with sorted keys that have a value or are buckets again. The file may
 * be anybody's: every offset and count is checked, and no walk is longer than
 * the file allows, whatever its pages point at.
 *
 * A daemon writes meanwhile. It never writes to pages that the last committed
 * transaction uses, so what was read is whole if no transaction was committed
 * until it had been read: bolt_unchanged() says so, and bolt_read() tries
 * again. Numbers are in the byte order of the machine, as bbolt has them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgroup/runtime.h"

struct bolt;

/* A bucket; valid as long as the database is open. */
struct bolt_bucket {
	uint64_t page;          /* of its root; 0: it is inline */
	const uint8_t *data;    /* inline: its page */
	size_t len;
};

/* Bytes of the file, without a NUL behind them; valid until bolt_close(). */
struct bolt_bytes {
	const char *p;
	size_t len;
};

struct bolt_item {
	struct bolt_bytes key;
	struct bolt_bytes value;        /* of a bucket: none */
	bool is_bucket;
	struct bolt_bucket bucket;
};

/*
 * Opens path, absolute below dir->root, as state_read() does. -ENOENT,
 * -EACCES (noted in env), -EBADMSG: no bolt database, -EFBIG: larger than a
 * gigabyte, -ENOMEM.
 */
int bolt_open(struct runtime_env *env, const struct state_dir *dir, const char *path, struct bolt **ret_bolt);
void bolt_close(struct bolt *b);
/* Whether nothing was committed since it was opened. */
bool bolt_unchanged(struct bolt *b);

struct bolt_bucket bolt_root(const struct bolt *b);

/*
 * The value of a key, or the bucket of that name. 0, -ENOENT, -EBADMSG: the
 * file is broken (or was written to while it was read), -EIO, -ENOMEM.
 */
int bolt_get(struct bolt *b, const struct bolt_bucket *in, const char *key, struct bolt_bytes *ret_value);
int bolt_get_bucket(struct bolt *b, const struct bolt_bucket *in, const char *name, struct bolt_bucket *ret_bucket);
/* Down several buckets; names end with NULL. */
int bolt_find_bucket(struct bolt *b, const char *const *names, struct bolt_bucket *ret_bucket);

/* Calls each for every item, by the order of the keys. What each returns, if not 0, ends it and is returned. */
int bolt_each(struct bolt *b, const struct bolt_bucket *in,
	      int (*each)(struct bolt *b, const struct bolt_item *item, void *data), void *data);

/*
 * Opens path and calls read with it, until nothing was committed meanwhile,
 * which is tried some times. undo (NULL: none) drops what a call of read that
 * does not count has collected. What read returned; -EAGAIN: never at rest;
 * the errors of bolt_open().
 */
int bolt_read(struct runtime_env *env, const struct state_dir *dir, const char *path,
	      int (*read)(struct bolt *b, void *data), void (*undo)(void *data), void *data);

/* A copy, ended by NUL; NULL: it holds a NUL itself, or no memory. */
char *bolt_strdup(struct bolt_bytes bytes);

#endif
