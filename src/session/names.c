/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "session/names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/dns.h"
#include "session/hosts.h"
#include "session/procs.h"
#include "util/macros.h"
#include "util/regular.h"

#define SPACES 64               /* network namespaces whose names are kept; the one that was used least lately goes first */
#define SETS   512              /* of a namespace: an address has its place in one of them */
#define WAYS   4                /* addresses of a set */
#define FILES  16               /* /etc/hosts of so many are kept */
#define PORT_DNS 53

/*
 * How long an answer counts: its TTL says how long it may be given to others. Programs keep addresses for longer, and
 * connections last; no TTL is longer than a week (RFC 8767).
 */
#define KEEP_MIN 3600u
#define KEEP_MAX (7 * 86400u)
#define SECOND   1000000000ull

struct learned {
	uint8_t address[16];            /* IPv4: ::ffff:a.b.c.d */
	uint64_t until;                 /* when it counts no more */
	char *name;                     /* NULL: none */
};

struct space {
	uint32_t netns;                 /* 0: not in use */
	uint64_t used;
	struct learned (*sets)[WAYS];
};

/* Which file it is, and that it is as it was. */
struct file_id {
	dev_t dev;
	ino_t ino;
	off_t size;
	struct timespec mtime, ctime;
};

struct file {
	struct file_id id;
	struct hosts *hosts;            /* NULL: this place is free */
};

struct names {
	struct peer_names base;
	const struct target_env *env;
	const struct target_list *targets;
	struct space spaces[SPACES];
	uint64_t uses;
	struct file files[FILES];
	unsigned next_file;
	struct file_id last[CT_TARGETS];        /* the file of a target's last task that was there; ino 0: none */
	uint32_t tries[CT_TARGETS];             /* calls of a target that were taken as an occasion to look for its file */
};

static void full_address(const void *address, size_t len, uint8_t full[static 16])
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	if (len == 16) {
		memcpy(full, address, 16);
		return;
	}
	memcpy(full, mapped, sizeof(mapped));
	memcpy(full + sizeof(mapped), address, 4);
}

/* 0.0.0.0 and ::, which are nobody's. */
static bool is_unspecified(const uint8_t full[static 16])
{
	static const uint8_t none[16];

	return !memcmp(full, none, 10) && !memcmp(full + 12, none, 4);
}

/* --- what was learned --- */

static struct space *find_space(struct names *n, uint32_t netns)
{
	for (unsigned i = 0; i < SPACES; i++) {
		if (n->spaces[i].netns != netns)
			continue;
		n->spaces[i].used = ++n->uses;
		return &n->spaces[i];
	}
	return NULL;
}

static void space_clear(struct space *s)
{
	for (unsigned i = 0; s->sets && i < SETS; i++) {
		for (unsigned k = 0; k < WAYS; k++)
			free(s->sets[i][k].name);
	}
	free(s->sets);
	*s = (struct space){ 0 };
}

/* NULL when memory runs out. */
static struct space *make_space(struct names *n, uint32_t netns)
{
	struct space *s = &n->spaces[0];

	for (unsigned i = 1; i < SPACES; i++) {
		if (n->spaces[i].used < s->used)
			s = &n->spaces[i];
	}
	space_clear(s);
	s->sets = calloc(SETS, sizeof(*s->sets));
	if (!s->sets)
		return NULL;
	s->netns = netns;
	s->used = ++n->uses;
	return s;
}

static struct learned *set_of(const struct space *s, const uint8_t full[static 16])
{
	uint32_t h = 2166136261u;       /* FNV-1a */

	for (unsigned i = 0; i < 16; i++)
		h = (h ^ full[i]) * 16777619u;
	return s->sets[h % SETS];
}

/* The address's place in its set, or else the one to be used: a free one, or that of the oldest answer. */
static struct learned *place_of(struct learned *set, const uint8_t full[static 16])
{
	struct learned *best = &set[0];

	for (unsigned i = 0; i < WAYS; i++) {
		if (set[i].name && !memcmp(set[i].address, full, 16))
			return &set[i];
		if (best->name && (!set[i].name || set[i].until < best->until))
			best = &set[i];
	}
	return best;
}

struct lesson {
	struct names *names;
	uint32_t netns;
	uint64_t time;
};

static void found(void *data, const char *name, const uint8_t *address, size_t len, uint32_t ttl)
{
	struct lesson *lesson = data;
	struct space *s = find_space(lesson->names, lesson->netns);
	uint32_t keep = ttl < KEEP_MIN ? KEEP_MIN : MIN(ttl, KEEP_MAX);
	uint8_t full[16];
	struct learned *l;
	char *copy;

	full_address(address, len, full);
	if (is_unspecified(full))
		return;
	if (!s)
		s = make_space(lesson->names, lesson->netns);
	copy = s ? strdup(name) : NULL;
	if (!copy)
		return;
	l = place_of(set_of(s, full), full);
	free(l->name);
	memcpy(l->address, full, sizeof(full));
	l->name = copy;
	l->until = lesson->time + keep * SECOND;
}

static const char *learned_name(struct names *n, const struct call *call, uint32_t netns, const uint8_t full[static 16])
{
	struct space *s = netns ? find_space(n, netns) : NULL;
	struct learned *l = s ? place_of(set_of(s, full), full) : NULL;

	if (!l || !l->name || memcmp(l->address, full, 16) != 0)
		return NULL;
	return call->enter <= l->until ? l->name : NULL;
}

/* --- /etc/hosts --- */

static struct file_id id_of(const struct stat *st)
{
	return (struct file_id){
		.dev = st->st_dev, .ino = st->st_ino, .size = st->st_size, .mtime = st->st_mtim, .ctime = st->st_ctim,
	};
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static const struct hosts *known_file(const struct names *n, const struct file_id *id)
{
	for (unsigned i = 0; i < FILES; i++) {
		const struct file *f = &n->files[i];

		if (f->hosts && f->id.dev == id->dev && f->id.ino == id->ino && f->id.size == id->size &&
		    same_time(&f->id.mtime, &id->mtime) && same_time(&f->id.ctime, &id->ctime))
			return f->hosts;
	}
	return NULL;
}

static const struct hosts *keep_file(struct names *n, const struct file_id *id, const char *bytes, size_t len)
{
	struct hosts *h = hosts_parse(bytes, len);
	struct file *f = &n->files[n->next_file];

	if (!h)
		return NULL;
	n->next_file = (n->next_file + 1) % FILES;
	hosts_free(f->hosts);
	*f = (struct file){ .id = *id, .hosts = h };
	return h;
}

/* Where the process has it. Links are followed as the process would follow them: not out of its root. */
static int open_hosts(const struct names *n, pid_t pid, struct stat *ret_st)
{
	_cleanup_close_ int root = -1;
	char name[64];

	snprintf(name, sizeof(name), "%d/root", (int)pid);
	root = openat(n->env->proc_fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return root < 0 ? -errno : regular_open(root, "etc/hosts", ret_st);
}

static const struct hosts *read_hosts(struct names *n, const struct file_id *id, int fd)
{
	_cleanup_free_ char *bytes = malloc(HOSTS_MAX);
	size_t len = 0;
	ssize_t r;

	while (bytes && len < HOSTS_MAX) {
		r = read(fd, bytes + len, HOSTS_MAX - len);
		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			break;
		len += (size_t)r;
	}
	return bytes ? keep_file(n, id, bytes, len) : NULL;
}

static const struct hosts *hosts_of_process(struct names *n, pid_t pid, struct file_id *ret_id)
{
	_cleanup_close_ int fd = -1;
	const struct hosts *h;
	struct stat st;

	fd = pid ? open_hosts(n, pid, &st) : -ENOENT;
	if (fd < 0)
		return NULL;
	*ret_id = id_of(&st);
	h = known_file(n, ret_id);
	return h ? h : read_hosts(n, ret_id, fd);
}

/* Of a task that has ended: what its container's init has, or its target's tasks had. */
static const struct hosts *find_hosts(struct names *n, const struct task *t)
{
	const struct target *target = n->env && t->target < n->targets->n && t->target < CT_TARGETS ? &n->targets->v[t->target] : NULL;
	const struct hosts *h;
	struct file_id id;

	h = n->env ? hosts_of_process(n, number_in_proc(n->env, n->targets, t, false), &id) : NULL;
	if (!target)
		return h;
	if (!h)
		h = hosts_of_process(n, target->init_pid, &id);
	if (!h)
		return n->last[t->target].ino ? known_file(n, &n->last[t->target]) : NULL;
	n->last[t->target] = id;
	return h;
}

#define TRIES 64

/* A task may have ended when its first address is shown: then it is its target's file that is known. It is looked for early. */
static void know_hosts(struct names *n, const struct task *t)
{
	uint32_t tries;

	if (!n->env || t->target >= n->targets->n || t->target >= CT_TARGETS || n->last[t->target].ino)
		return;
	tries = n->tries[t->target]++;
	/* There may be none at all. */
	if (tries < TRIES || !(tries & (tries - 1)))
		find_hosts(n, t);
}

void peer_names_learn(struct peer_names *p, const struct call *call)
{
	struct lesson lesson = { .names = (struct names *)p, .time = call->exit };
	struct received r;

	know_hosts(lesson.names, &call->task);
	for (unsigned i = 0; call_received(call, i, &r); i++) {
		lesson.netns = r.netns;
		if (r.port != PORT_DNS || !r.netns)
			continue;
		/* What is no answer is none. */
		if (r.stream)
			dns_addresses_stream(r.data, r.len, found, &lesson);
		else
			dns_addresses(r.data, r.len, found, &lesson);
	}
}

static const char *name_of(struct peer_names *p, const struct call *call, uint32_t netns, const void *address, size_t len)
{
	struct names *n = (struct names *)p;
	const struct hosts *h;
	const char *name;
	uint8_t full[16];

	full_address(address, len, full);
	if (is_unspecified(full))
		return NULL;
	name = learned_name(n, call, netns, full);
	if (name)
		return name;
	h = find_hosts(n, &call->task);
	return h ? hosts_name(h, full) : NULL;
}

struct peer_names *peer_names_new(void)
{
	struct names *n = calloc(1, sizeof(*n));

	if (!n)
		return NULL;
	n->base.name = name_of;
	return &n->base;
}

void peer_names_free(struct peer_names *p)
{
	struct names *n = (struct names *)p;

	if (!n)
		return;
	for (unsigned i = 0; i < SPACES; i++)
		space_clear(&n->spaces[i]);
	for (unsigned i = 0; i < FILES; i++)
		hosts_free(n->files[i].hosts);
	free(n);
}

void peer_names_place(struct peer_names *p, const struct target_env *env, const struct target_list *targets)
{
	struct names *n = (struct names *)p;

	n->env = env;
	n->targets = targets;
}
