/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * containerd's database of containers, which has what no other file has:
 * labels. In its bucket v1/NAMESPACE/containers/ID are the buckets labels and
 * extensions and the key image (containerd's metadata/buckets.go). CRI gives a
 * pod's labels to its sandbox, has what the kubelet asked for in an extension,
 * and keeps what ended until the kubelet removes it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cgroup/bolt.h"
#include "cgroup/state.h"
#include "util/macros.h"

#define META "io.containerd.metadata.v1.bolt/meta.db"

#define IMAGE_MAX 4096  /* bytes that can be an image's name */
#define LABEL_MAX 4096  /* of a key and its value: containerd's labels/validate.go */

struct reading {
	struct container_entries *entries;
	size_t before;                  /* entries of others */
	char *space;                    /* the namespace that is being read */
	struct container_entry *entry;  /* the container */
};

static const struct {
	const char *label;
	size_t offset;
} members[] = {
	{ "nerdctl/name", offsetof(struct container_entry, name) },
	{ "com.docker.compose.service", offsetof(struct container_entry, service) },
	{ "io.kubernetes.pod.name", offsetof(struct container_entry, pod) },
	{ "io.kubernetes.pod.namespace", offsetof(struct container_entry, pod_namespace) },
	{ "io.kubernetes.pod.uid", offsetof(struct container_entry, pod_uid) },
	{ "io.kubernetes.container.name", offsetof(struct container_entry, pod_container) },
};

static int take_label(struct container_entry *e, const char *key, const char *value)
{
	if (!strcmp(key, "io.cri-containerd.kind"))
		e->sandbox = !strcmp(value, "sandbox");
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (!strcmp(key, members[i].label) && state_set((char **)((char *)e + members[i].offset), value) < 0)
			return -ENOMEM;
	return container_entry_add_label(e, key, value);
}

static int add_label(struct bolt *b _unused_, const struct bolt_item *item, void *data)
{
	_cleanup_free_ char *key = NULL, *value = NULL;
	struct reading *r = data;

	if (item->is_bucket || item->key.len > LABEL_MAX || item->value.len > LABEL_MAX)
		return 0;
	key = bolt_strdup(item->key);
	value = bolt_strdup(item->value);
	return key && value ? take_label(r->entry, key, value) : 0;
}

/* The value of an Any of protobuf (google/protobuf/any.proto): field 2, of bytes. Empty: there is none. */
static struct bolt_bytes any_value(struct bolt_bytes any)
{
	const uint8_t *p = (const uint8_t *)any.p, *end = p + any.len;

	while (end - p >= 2) {
		unsigned field = *p >> 3, type = *p & 7, shift = 0;
		size_t len = 0;

		/* Both fields are bytes. */
		if (type != 2)
			break;
		for (p++; p < end && shift < 28; p++, shift += 7) {
			len |= (size_t)(*p & 0x7f) << shift;
			if (!(*p & 0x80))
				break;
		}
		if (p >= end || shift >= 28 || len > (size_t)(end - p - 1))
			break;
		p++;
		if (field == 2)
			return (struct bolt_bytes){ (const char *)p, len };
		p += len;
	}
	return (struct bolt_bytes){ NULL, 0 };
}

/* CRI's own: the container's sandbox, and the annotations that the kubelet gave it. */
static int add_cri(struct bolt *b, const struct bolt_bucket *container, struct container_entry *e)
{
	_cleanup_json_ json_t *json = NULL;
	struct bolt_bucket extensions;
	struct bolt_bytes value = { 0 };
	json_t *metadata, *annotations;
	int err = bolt_get_bucket(b, container, "extensions", &extensions);

	if (err == 0)
		err = bolt_get(b, &extensions, "io.cri-containerd.container.metadata", &value);
	if (err < 0)
		return err;
	value = any_value(value);
	json = value.len ? json_loadb(value.p, value.len, 0, NULL) : NULL;
	metadata = json_object_get(json, "Metadata");
	annotations = json_object_get(json_object_get(metadata, "Config"), "annotations");
	if (state_set(&e->sandbox_id, state_string(metadata, "SandboxID")) < 0)
		return -ENOMEM;
	return state_set_pod_kind(e, state_string(annotations, "io.kubernetes.container.type"));
}

/* A key is missing, or is of another kind than it should be. */
static int pass_over(int err)
{
	return err == -ENOENT ? 0 : err;
}

/* io.containerd.runsc.v1, io.containerd.kata.v2: the shim's name, as its client gave it. */
static int add_kernel(struct bolt *b, const struct bolt_item *item, struct container_entry *e)
{
	_cleanup_free_ char *name = NULL;
	struct bolt_bucket runtime;
	struct bolt_bytes value = { 0 };
	int err = bolt_get_bucket(b, &item->bucket, "runtime", &runtime);

	if (err == 0)
		err = bolt_get(b, &runtime, "name", &value);
	if (err < 0 || value.len >= 256)
		return pass_over(MIN(err, 0));
	name = bolt_strdup(value);
	if (!name)
		return -ENOMEM;
	e->kernel = runtime_kernel(name);
	return 0;
}

static int add_container(struct bolt *b, const struct bolt_item *item, void *data)
{
	_cleanup_free_ char *id = NULL, *image = NULL;
	struct reading *r = data;
	struct bolt_bucket labels;
	struct bolt_bytes value = { 0 };
	int err;

	id = item->is_bucket && item->key.len < 256 ? bolt_strdup(item->key) : NULL;
	if (!state_id_valid(id))
		return 0;
	r->entry = container_entries_add(r->entries, "containerd", id);
	if (!r->entry || state_set(&r->entry->space, r->space) < 0)
		return -ENOMEM;
	r->entry->stopped = r->entry->metadata = true;
	err = bolt_get(b, &item->bucket, "image", &value);
	if (err == 0 && value.len < IMAGE_MAX) {
		image = bolt_strdup(value);
		err = state_set(&r->entry->image, image);
	}
	if (pass_over(err) < 0)
		return err;
	err = add_kernel(b, item, r->entry);
	if (err < 0)
		return err;
	err = bolt_get_bucket(b, &item->bucket, "labels", &labels);
	if (err == 0)
		err = bolt_each(b, &labels, add_label, r);
	if (err == 0 && !r->entry->sandbox)
		err = state_set(&r->entry->name, r->entry->pod_container);
	if (pass_over(err) < 0)
		return err;
	return pass_over(add_cri(b, &item->bucket, r->entry));
}

static int add_space(struct bolt *b, const struct bolt_item *item, void *data)
{
	_cleanup_free_ char *space = NULL;
	struct reading *r = data;
	struct bolt_bucket containers;
	int err;

	space = item->is_bucket && item->key.len < 256 ? bolt_strdup(item->key) : NULL;
	/* dockerd knows more of its own than it tells containerd. */
	if (!space || !strcmp(space, "moby"))
		return 0;
	err = bolt_get_bucket(b, &item->bucket, "containers", &containers);
	if (err < 0)
		return pass_over(err);
	r->space = space;
	return bolt_each(b, &containers, add_container, r);
}

static int read_all(struct bolt *b, void *data)
{
	struct bolt_bucket v1;
	int err = bolt_find_bucket(b, (const char *const[]){ "v1", NULL }, &v1);

	return err < 0 ? err : bolt_each(b, &v1, add_space, data);
}

static void undo(void *data)
{
	struct reading *r = data;

	while (r->entries->n > r->before)
		container_entry_done(&r->entries->v[--r->entries->n]);
}

static int list(struct runtime_env *env, const struct state_dir *dir, struct container_entries *entries)
{
	struct reading r = { .entries = entries, .before = entries->n };
	_cleanup_free_ char *path = NULL;
	int err;

	if (asprintf(&path, "%s/" META, dir->path) < 0)
		return -ENOMEM;
	err = bolt_read(env, dir, path, read_all, undo, &r);
	/* What could be read of a broken one is as good as any. */
	return err == -ENOMEM ? err : 0;
}

const struct runtime_ops runtime_containerd_metadata = { .name = "containerd", .kind = STATE_CONTAINERD_ROOT, .list = list };
