/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cgroup/name.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "util/macros.h"

static const struct name_row {
	enum cgroup_role role;
	const char *runtime;
	const char *pattern;
} rows[] = {
#define NAME(role, runtime, pattern) { role, runtime, pattern },
#include "cgroup/names.def"
#undef NAME
};

bool cgroup_name_runtime(const char *runtime)
{
	for (size_t i = 0; *runtime && i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].runtime, runtime))
			return true;
	return false;
}

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t span(const char *s, size_t len, bool (*is)(char c))
{
	size_t n = 0;

	while (n < len && is(s[n]))
		n++;
	return n;
}

static bool is_base36(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z');
}

static bool is_ecs(const char *s, size_t len)
{
	return len >= 34 && len <= 43 && span(s, 32, is_hex) == 32 && s[32] == '-' &&
	       span(s + 33, len - 33, is_digit) == len - 33;
}

/* 8 hex digits, then four groups of 4, the last of them perhaps of 12. */
static bool is_guid(const char *s, size_t len)
{
	size_t pos = 8, groups = 0;

	if (span(s, len, is_hex) != 8)
		return false;
	while (pos < len) {
		size_t n;

		if (s[pos++] != '-')
			return false;
		n = span(s + pos, len - pos, is_hex);
		pos += n;
		groups++;
		if (n != 4 && !(n == 12 && pos == len))
			return false;
	}
	return groups == 4;
}

/* Whether the text has the shape that follows the '%'; *ret_skip: length of the shape's name. */
static bool has_shape(const char *shape, const char *s, size_t len, size_t *ret_skip)
{
	*ret_skip = 1;
	switch (*shape) {
	case '6':
		*ret_skip = 2;
		return len == 64 && span(s, len, is_hex) == len;
	case '2':
		*ret_skip = 2;
		return len == 25 && span(s, len, is_base36) == len;
	case 'e':
		return is_ecs(s, len);
	case 'g':
		return is_guid(s, len);
	case 'd':
		return len > 0 && span(s, len, is_digit) == len;
	default:
		return len > 0;
	}
}

struct span {
	const char *s;
	size_t len;
};

/* One component against one component of a pattern, which ends at '/' or NUL. */
static bool match_component(const char *p, size_t plen, const char *s, size_t len, struct span *id)
{
	size_t skip, rest;

	while (plen && *p != '*' && *p != '%') {
		if (!len || *p != *s)
			return false;
		p++, plen--, s++, len--;
	}
	if (!plen)
		return !len;
	if (*p == '*') {
		for (size_t n = 0; n <= len; n++)
			if (match_component(p + 1, plen - 1, s + n, len - n, id))
				return true;
		return false;
	}
	/* Behind an ID stands literal text only, so its length is known. */
	has_shape(p + 1, s, 0, &skip);
	rest = plen - 1 - skip;
	if (len < rest || memcmp(s + len - rest, p + 1 + skip, rest))
		return false;
	if (!has_shape(p + 1, s, len - rest, &skip))
		return false;
	*id = (struct span){ s, len - rest };
	return true;
}

/* The last component of s[0, len) is s[*ret, len). */
static bool last_component(const char *s, size_t len, size_t *ret)
{
	const char *slash = len ? memrchr(s, '/', len) : NULL;

	*ret = slash ? (size_t)(slash - s) + 1 : 0;
	return *ret < len;
}

/* Matches the pattern against the end of path[0, len); *ret_begin: where the match begins. */
static bool match_tail(const char *pattern, const char *path, size_t len, struct span *id, size_t *ret_begin)
{
	size_t plen = strlen(pattern);

	for (;;) {
		size_t p, s;

		if (!last_component(pattern, plen, &p) || !last_component(path, len, &s))
			return false;
		if (!match_component(pattern + p, plen - p, path + s, len - s, id))
			return false;
		*ret_begin = s;
		if (!p)
			return true;
		plen = p - 1;
		len = s ? s - 1 : 0;
	}
}

static int hex_value(char c)
{
	return is_digit(c) ? c - '0' : c - 'a' + 10;
}

/* systemd writes bytes that unit names may not hold as \xNN; see systemd-escape(1). */
static void copy_id(char *to, size_t size, const struct span *id)
{
	size_t n = 0;

	for (size_t i = 0; i < id->len && n + 1 < size; i++) {
		const char *s = id->s + i;

		if (id->len - i >= 4 && s[0] == '\\' && s[1] == 'x' && is_hex(s[2]) && is_hex(s[3]) &&
		    (s[2] != '0' || s[3] != '0')) {
			to[n++] = (char)(hex_value(s[2]) * 16 + hex_value(s[3]));
			i += 3;
		} else {
			to[n++] = *s;
		}
	}
	to[n] = '\0';
}

static void match_at(const char *path, size_t len, struct cgroup_name *ret)
{
	*ret = (struct cgroup_name){ .role = ROLE_NONE, .runtime = "", .end = len, .begin = len };
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct span id = { 0 };
		size_t begin;

		if (!match_tail(rows[i].pattern, path, len, &id, &begin))
			continue;
		ret->role = rows[i].role;
		ret->runtime = rows[i].runtime;
		ret->begin = begin;
		copy_id(ret->id, sizeof(ret->id), &id);
		return;
	}
}

void cgroup_name_match(const char *path, struct cgroup_name *ret)
{
	match_at(path, strlen(path), ret);
}

bool cgroup_name_container(const char *path, struct cgroup_name *ret)
{
	size_t len = strlen(path);

	while (len > 1) {
		struct cgroup_name name;
		size_t begin;

		match_at(path, len, &name);
		if (name.role == ROLE_PAYLOAD) {
			*ret = name;
			return true;
		}
		/* What an auxiliary row matched is no container on any of its levels. */
		if (name.role == ROLE_AUX)
			begin = name.begin;
		else
			last_component(path, len, &begin);
		len = begin ? begin - 1 : 0;
	}
	return false;
}

/*
 * Whether the component below path[0, end) turns the match that ends there into
 * another one: lxc/NAME/payload is the container and lxc/NAME/monitor is none,
 * though lxc/NAME alone would be one. Returns the length up to where the
 * container ends, 0: nowhere.
 */
static size_t settle_match(const char *path, const struct cgroup_name *name)
{
	size_t next = name->end + 1;
	struct cgroup_name below;

	if (!path[name->end])
		return name->end;
	next += strcspn(path + next, "/");
	match_at(path, next, &below);
	if (below.begin > name->begin)
		return name->end;
	if (below.role == ROLE_AUX)
		return 0;
	return below.role == ROLE_PAYLOAD ? next : name->end;
}

size_t cgroup_name_find_id(const char *path, const char *id)
{
	size_t len = strlen(path), id_len = strlen(id), plain = 0, begin = 0;

	if (!id_len)
		return 0;
	for (size_t end = 1; end <= len; end++) {
		struct cgroup_name name;

		if (path[end] != '/' && path[end] != '\0')
			continue;
		match_at(path, end, &name);
		if (name.role == ROLE_PAYLOAD && !strcmp(name.id, id))
			return settle_match(path, &name);
		last_component(path, end, &begin);
		if (!plain && name.role == ROLE_NONE && end - begin == id_len && !memcmp(path + begin, id, id_len))
			plain = end;
	}
	return plain;
}

/* 32 hex digits (static pods), or 8-4-4-4-12 with the given divider. */
static bool pod_uid(const char *s, size_t len, char *ret)
{
	if (len == 32 && span(s, len, is_hex) == len) {
		memcpy(ret, s, len);
		ret[len] = '\0';
		return true;
	}
	if (len != 36)
		return false;
	for (size_t i = 0; i < len; i++) {
		bool divider = i == 8 || i == 13 || i == 18 || i == 23;

		if (divider ? s[i] != '-' && s[i] != '_' : !is_hex(s[i]))
			return false;
		ret[i] = divider ? '-' : s[i];
	}
	ret[len] = '\0';
	return true;
}

bool cgroup_name_pod_uid(const char *path, char *ret, size_t size)
{
	size_t len = strlen(path);

	if (size < 37)
		return false;
	while (len > 1) {
		const char *c, *end = path + len, *pod;
		size_t begin;

		last_component(path, len, &begin);
		c = path + begin;
		if (end - c > 6 && !memcmp(end - 6, ".slice", 6))
			end -= 6;
		/* pod<uid>, or ...kubepods-burstable-pod<uid>, or slice:cri-containerd:id with it in front */
		pod = memmem(c, (size_t)(end - c), "pod", 3);
		while (pod && pod < end) {
			size_t n = (size_t)(end - pod) - 3;
			const char *slice = memmem(pod, (size_t)(end - pod), ".slice", 6);

			if (slice)
				n = (size_t)(slice - pod) - 3;
			if ((pod == c || pod[-1] == '-') && pod_uid(pod + 3, n, ret))
				return true;
			pod = memmem(pod + 3, (size_t)(end - pod) - 3, "pod", 3);
		}
		len = begin ? begin - 1 : 0;
	}
	return false;
}

/* As systemd writes it into a unit's name: unit_name_escape() in its unit-name.c. False: it does not fit. */
static bool escape_unit(const char *id, char *to, size_t size)
{
	static const char plain[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:_.";
	size_t n = 0;

	for (const char *s = id; *s; s++) {
		if (size - n < sizeof("\\x00"))
			return false;
		if (strchr(plain, *s) && (s > id || *s != '.'))
			to[n++] = *s;
		else
			n += (size_t)snprintf(to + n, size - n, "\\x%02x", (unsigned char)*s);
	}
	to[n] = '\0';
	return true;
}

/* The components of a row's pattern from the one with the ID on, with the ID in its place. 0: too long. */
static int emit_key(const struct span *before, const char *id, const char *after, int (*each)(const char *key, void *data),
		    void *data)
{
	char key[CGROUP_KEY_MAX + 2];
	int n = snprintf(key, sizeof(key), "%.*s%s%s", (int)before->len, before->s, id, after);

	return n > CGROUP_KEY_MAX ? 0 : each(key, data);
}

static int emit_row(const struct name_row *row, const char *id, int (*each)(const char *key, void *data), void *data)
{
	const char *percent = strchr(row->pattern, '%'), *after;
	char escaped[CGROUP_KEY_MAX + 1];
	struct span before = { .s = row->pattern };
	size_t skip;
	int r;

	if (row->role != ROLE_PAYLOAD || !percent || !has_shape(percent + 1, id, strlen(id), &skip))
		return 0;
	last_component(row->pattern, (size_t)(percent - row->pattern), &before.len);
	before.s += before.len;
	before.len = (size_t)(percent - before.s);
	after = percent + 1 + skip;
	/* The ID alone is a key of its own, and so is what ends in :ID; other names with more in them are not known. */
	if ((!before.len && !*after) || memchr(before.s, '*', before.len))
		return 0;
	r = emit_key(&before, id, after, each, data);
	if (r || (strncmp(after, ".scope", 6) != 0 && strncmp(after, ".service", 8) != 0) ||
	    !escape_unit(id, escaped, sizeof(escaped)) || !strcmp(escaped, id))
		return r;
	return emit_key(&before, escaped, after, each, data);
}

int cgroup_name_keys(const char *id, int (*each)(const char *key, void *data), void *data)
{
	size_t len = strlen(id);
	int r;

	if (!len || len > CGROUP_KEY_MAX || strpbrk(id, "/\n") || !strcmp(id, ".") || !strcmp(id, ".."))
		return -EINVAL;
	r = each(id, data);
	if (!r && len == 64 && span(id, len, is_hex) == len)
		r = emit_key(&(struct span){ ":", 1 }, id, "", each, data);
	for (size_t i = 0; i < ARRAY_SIZE(rows) && !r; i++)
		r = emit_row(&rows[i], id, each, data);
	return r;
}

int cgroup_name_refused_keys(const char *id, int (*each)(const char *key, void *data), void *data)
{
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows) && !r; i++) {
		const char *pattern = rows[i].pattern, *percent = strchr(pattern, '%'), *slash = strrchr(pattern, '/');
		size_t skip;

		/* Where the last component is the ID and nothing else, and the one before it is known. */
		if (rows[i].role != ROLE_AUX || !percent || !slash || percent != slash + 1 || memchr(pattern, '*', (size_t)(slash - pattern)) ||
		    memchr(pattern, '/', (size_t)(slash - pattern)) || !has_shape(percent + 1, id, strlen(id), &skip) || percent[1 + skip])
			continue;
		r = emit_key(&(struct span){ pattern, (size_t)(percent - pattern) }, id, "", each, data);
	}
	return r;
}
