/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_session */
/* SOURCES: record.c mutate.c */
/*
 * Records as a hostile task may have them made, through the wire parser, the
 * decoders and both outputs. Each record and each capture is a block of its
 * own, so that the sanitizer sees every byte that is read beyond one. A line of text
 * must be printable ASCII, a line of JSON a JSON object.
 *
 * Each call is shown some more times with one capture shorter or gone, which
 * costs little beside what a run costs the fuzzer.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "calls.h"
#include "decode/touch.h"
#include "output/sink.h"
#include "rnd.h"
#include "session/wire.h"
#include "stack/stack.h"
#include "util/macros.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What a run of the input looks at. */
static struct output_opts opts;
static struct target_label labels[2];
static struct run_info run = { .opts = &opts, .targets = labels, .version = "0.0-fuzz" };
static struct syscall_set all_calls;
static struct fd_set_spec all_fds = { .any = true, .others = true };
static struct stack some_stack;
static int output = -1;
static bool show;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	show = getenv("FUZZ_SHOW") != NULL;
	setenv("TZ", "UTC", 1);
	unsetenv("NO_COLOR");
	output = memfd_create("output", MFD_CLOEXEC);
	if (output < 0 || dup2(output, STDOUT_FILENO) < 0)
		abort();
	memset(all_calls.rows, true, sizeof(all_calls.rows));
	labels[0] = (struct target_label){ .name = "we\"b\n", .is_container = true, .id = "9c6eb891676c", .runtime = "docker", .init_host_pid = 3 };
	labels[1] = (struct target_label){ .name = "api", .plain_prefix = true, .pod_namespace = "prod", .pod = "api-7d9f", .pod_container = "api" };
	some_stack.n = 3;
	some_stack.frames[0] = (struct stack_frame){ .file = "/bin/\033[31m\n<x>", .symbol = "f\"\x80", .offset = 3, .address = 0x1000 };
	some_stack.frames[1] = (struct stack_frame){ .file = "/bin/x", .address = 0x1000 };
	some_stack.frames[2] = (struct stack_frame){ .address = UINT64_MAX };
	return 0;
}

/* --- options --- */

static bool word(char *buf, size_t size)
{
	snprintf(buf, size, "t\"\n");
	return true;
}

static bool process_context(struct secontexts *s _unused_, const struct task *t _unused_, char *buf, size_t size)
{
	return word(buf, size);
}

static bool path_context(struct secontexts *s _unused_, const struct task *t _unused_, int dirfd, const char *path, char *buf, size_t size)
{
	return dirfd != -1 && path[0] != 'x' && word(buf, size);
}

static bool fd_context(struct secontexts *s _unused_, const struct task *t _unused_, int fd, uint64_t inode _unused_, char *buf, size_t size)
{
	return fd % 2 && word(buf, size);
}

static const char *peer_name(struct peer_names *p _unused_, const struct call *call _unused_, uint32_t netns, const void *address, size_t len)
{
	unsigned char bytes[16];

	if (len != 4 && len != 16)
		abort();
	memcpy(bytes, address, len);
	return (bytes[0] ^ bytes[len - 1] ^ netns) % 3 ? "a\x80\"\n*/ >.com" : NULL;
}

static bool interface_name(struct interfaces *i _unused_, const struct task *t _unused_, uint32_t netns _unused_, uint32_t index,
			   char buf[static INTERFACE_NAME])
{
	snprintf(buf, INTERFACE_NAME, "e\"\n\x80%u", index);
	return index % 2;
}

static bool family_name(struct interfaces *i _unused_, const struct task *t _unused_, uint32_t netns _unused_, uint16_t id,
			char buf[static FAMILY_NAME])
{
	snprintf(buf, FAMILY_NAME, "f*/\"\n%u", id);
	return id % 2;
}

static struct peer_names peers = { peer_name };
static struct interfaces interfaces = { interface_name, family_name };
static struct secontexts contexts = { process_context, path_context, fd_context };

static unsigned take(uint64_t *bits, unsigned n)
{
	unsigned v = (unsigned)(*bits & ((1u << n) - 1));

	*bits >>= n;
	return v;
}

static void choose_decoding(uint64_t *bits, struct decode_opts *d, struct fd_memory *memory)
{
	static const unsigned limits[] = { 32, 0, 5, 4096 };

	*d = (struct decode_opts){ .string_limit = limits[take(bits, 2)], .memory = memory };
	d->no_abbrev = take(bits, 1);
	d->abbrev = take(bits, 1) ? &all_calls : NULL;
	d->addresses = take(bits, 3) == 7;
	d->raw = take(bits, 4) == 15 ? &all_calls : NULL;
	d->consts = (enum const_style)(take(bits, 2) % 3);
	d->dump_reads = take(bits, 1) ? &all_fds : NULL;
	d->dump_writes = take(bits, 1) ? &all_fds : NULL;
	d->fds = take(bits, 6);
	d->secontexts = take(bits, 2) == 3 ? &contexts : NULL;
	d->names = take(bits, 1) ? &peers : NULL;
	d->interfaces = take(bits, 1) ? &interfaces : NULL;
	d->pid_comm = take(bits, 1);
	d->pid_ns = take(bits, 1);
	d->match_fds = take(bits, 1);
}

static void choose(uint64_t bits, struct fd_memory *memory)
{
	opts = (struct output_opts){ .column = 40, .relative_digits = 6, .duration_digits = 6, .color = COLOR_NEVER };
	choose_decoding(&bits, &opts.decode, memory);
	opts.stamp = (enum stamp_mode)(take(&bits, 4) % (STAMP_UNIX_NS + 1));
	opts.relative = take(&bits, 1);
	opts.duration = take(&bits, 1);
	opts.comm = take(&bits, 1);
	opts.syscall_number = take(&bits, 1);
	opts.ip = take(&bits, 1);
	opts.stack = take(&bits, 1);
	opts.stack_limit = 8;
	opts.arg_names = take(&bits, 1);
	opts.hex = (enum hex_mode)take(&bits, 2);
	opts.pids = (enum pids_mode)(take(&bits, 2) % 3);
	opts.column = take(&bits, 1) ? 40 : 0;
	opts.split = take(&bits, 1);
	opts.quiet_exit = take(&bits, 1);
	opts.always_pid = take(&bits, 1);
	run.n_targets = 1 + take(&bits, 1);
	run.since = 100000000000u;
	run.wall_offset = INT64_C(1764640000) * 1000000000;
}

/* --- one input through one output --- */

static void captures_apart(struct call *c)
{
	for (unsigned i = 0; i < c->n_captures; i++) {
		struct capture *cap = &c->captures[i];
		/* Every second one at an odd address: captures are not aligned. */
		char *copy = malloc(cap->len + 1 + (i & 1));

		if (!copy)
			abort();
		memcpy(copy + (i & 1), cap->data, cap->len);
		/* The byte behind those at an even address is one too many, too. */
		if (!(i & 1))
			copy = realloc(copy, cap->len ? cap->len : 1);
		cap->data = copy + (i & 1);
	}
}

static void captures_free(struct call *c)
{
	for (unsigned i = 0; i < c->n_captures; i++)
		free((char *)c->captures[i].data - (i & 1));
}

static void touch_call(const struct call *c)
{
	struct touch t = { .fds = { .any = true, .n = 1, .fds = (int[]){ 3 } } };
	const char *path = "/bin/x";

	t.paths = &path;
	t.n_paths = 1;
	call_touches(c, &t);
}

/* A cgroup's path is compared and shown by others: all of its bytes are there. */
static void read_path(const struct made_event *made)
{
	free(strndup(made->path, made->path_len));
}

static int give(struct sink *s, struct wire_record *rec)
{
	switch (rec->kind) {
	case WIRE_CALL:
		rec->call->stack = opts.stack ? &some_stack : NULL;
		touch_call(rec->call);
		return s->ops->call(s, rec->call);
	case WIRE_ENTER:
		return opts.split && s->ops->enter ? s->ops->enter(s, rec->call) : 0;
	case WIRE_SIGNAL:
		rec->signal.stack = opts.stack ? &some_stack : NULL;
		return s->ops->signal ? s->ops->signal(s, &rec->signal) : 0;
	case WIRE_EXEC:
		return s->ops->exec ? s->ops->exec(s, &rec->exec) : 0;
	case WIRE_EXIT:
		return s->ops->exit ? s->ops->exit(s, &rec->exit) : 0;
	case WIRE_LEFT:
		return s->ops->left ? s->ops->left(s, &rec->left) : 0;
	case WIRE_MADE:
		read_path(&rec->made);
		return 0;
	default:
		return 0;
	}
}

/* --- the same call with less of what was captured --- */

#define SHORTER 16              /* times */

/* Up to so many bytes, in a block that ends with them. */
static int give_shorter(struct sink *s, struct wire_record *rec, struct rnd *r)
{
	struct capture *cap = &rec->call->captures[rnd_below(r, rec->call->n_captures)], whole = *cap;
	uint32_t less = 1 + rnd_below(r, 8);
	char *copy;
	int err;

	switch (rnd_below(r, 8)) {
	case 0:
		cap->flags ^= CT_CAP_FAILED;
		break;
	case 1:
		cap->len = rnd_below(r, whole.len + 1);
		cap->flags |= CT_CAP_CUT;
		break;
	case 2:
	case 3:
		cap->len = rnd_below(r, whole.len + 1);
		break;
	default:
		cap->len -= MIN(less, cap->len);
	}
	if (cap->true_len == whole.len && !(cap->flags & CT_CAP_CUT))
		cap->true_len = cap->len;
	copy = malloc(cap->len);
	if (!copy)
		abort();
	memcpy(copy, whole.data, cap->len);
	cap->data = copy;
	err = give(s, rec);
	*cap = whole;
	free(copy);
	return err;
}

static int give_all(struct sink *s, struct wire_record *rec, uint64_t seed)
{
	struct rnd r = rnd_from(seed);
	int err = give(s, rec);

	for (unsigned i = 0; !err && rec->kind == WIRE_CALL && rec->call->n_captures && i < SHORTER; i++)
		err = give_shorter(s, rec, &r);
	return err;
}

static struct task *task_of(struct wire_record *rec)
{
	switch (rec->kind) {
	case WIRE_CALL:
	case WIRE_ENTER:
		return &rec->call->task;
	case WIRE_SIGNAL:
		return &rec->signal.task;
	case WIRE_EXEC:
		return &rec->exec.task;
	case WIRE_EXIT:
		return &rec->exit.task;
	case WIRE_LEFT:
		return &rec->left.task;
	default:
		return NULL;
	}
}

/* The kernel's clock: no number of it is near the end. */
static uint64_t sane(uint64_t time)
{
	return time & (UINT64_MAX >> 6);
}

static void sane_times(struct wire_record *rec)
{
	switch (rec->kind) {
	case WIRE_CALL:
	case WIRE_ENTER:
		rec->call->enter = sane(rec->call->enter);
		rec->call->exit = sane(rec->call->exit);
		break;
	case WIRE_SIGNAL:
		rec->signal.time = sane(rec->signal.time);
		break;
	case WIRE_EXEC:
		rec->exec.time = sane(rec->exec.time);
		break;
	case WIRE_EXIT:
		rec->exit.time = sane(rec->exit.time);
		break;
	case WIRE_LEFT:
		rec->left.time = sane(rec->left.time);
		break;
	default:
		break;
	}
}

static int feed(struct sink *s, struct wire *w, const uint8_t *bytes, size_t len, uint64_t seed)
{
	_cleanup_free_ uint8_t *copy = malloc(len ? len : 1);
	struct wire_record rec;
	struct task *t;
	int r;

	if (!copy)
		abort();
	memcpy(copy, bytes, len);
	if (wire_parse(w, copy, len, &rec) < 0)
		return 0;
	t = task_of(&rec);
	/* The session numbers the targets. */
	if (t && t->target != CT_NO_TARGET)
		t->target %= (uint32_t)run.n_targets;
	sane_times(&rec);
	if (rec.call)
		captures_apart(rec.call);
	r = give_all(s, &rec, seed);
	if (rec.call)
		captures_free(rec.call);
	return r;
}

static void bad(const char *what, const char *line, size_t len)
{
	fprintf(stderr, "%s:\n%.*s\n", what, (int)len, line);
	abort();
}

static void check_text(const char *line, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (line[i] < ' ' || line[i] > '~')
			bad("text that is not printable", line, len);
}

static void check_json(const char *line, size_t len)
{
	json_error_t err;
	json_t *j;

	/* The schema says so: beyond ASCII a record holds well-formed UTF-8, which jansson checks. */
	j = json_loadb(line, len, JSON_REJECT_DUPLICATES, &err);
	if (!j) {
		fprintf(stderr, "%s at column %d\n", err.text, err.column);
		bad("not a JSON object", line, len);
	}
	json_decref(j);
}

static void check_output(void (*check)(const char *line, size_t len))
{
	off_t size = lseek(output, 0, SEEK_END);
	_cleanup_free_ char *text = malloc((size_t)size + 1);
	char *p = text, *end;

	if (!text || pread(output, text, (size_t)size, 0) != size || ftruncate(output, 0) < 0 || lseek(output, 0, SEEK_SET) < 0)
		abort();
	if (show)
		fprintf(stderr, "%.*s", (int)size, text);
	for (; p < text + size; p = end + 1) {
		end = memchr(p, '\n', (size_t)(text + size - p));
		if (!end)
			bad("a line without an end", p, (size_t)(text + size - p));
		check(p, (size_t)(end - p));
	}
}

static void run_format(const char *format, const uint8_t *data, size_t size, void (*check)(const char *line, size_t len))
{
	static const struct coverage coverage = { .complete = true };
	struct fd_memory *memory = fd_memory_new();
	size_t at = CALLS_OPTIONS, len;
	const uint8_t *bytes;
	struct sink *s;
	/* It is large; what it may remember of an input are payloads. */
	static struct wire *w;
	bool payloads = false;
	uint64_t bits, seed = (uint64_t)format[0];

	memcpy(&bits, data, sizeof(bits));
	/* Follows from the input alone. */
	for (size_t i = 0; i < size; i++)
		seed = (seed ^ data[i]) * 0x100000001b3ull;
	choose(bits, memory);
	opts.format = format;
	if (!memory || (!w && wire_new(&w) < 0) || sink_open(&run, &s) < 0 || s->ops->start(s) < 0)
		abort();
	while ((bytes = calls_next(data, size, &at, &len))) {
		payloads |= len >= 2 && (bytes[0] | bytes[1] << 8) == CT_REC_PAYLOAD;
		if (feed(s, w, bytes, len, seed++) < 0)
			abort();
	}
	/* Ends the line of a call that goes on. */
	if (s->ops->coverage(s, &coverage) < 0 || sink_close(s) < 0)
		abort();
	if (payloads) {
		wire_free(w);
		w = NULL;
	}
	fd_memory_free(memory);
	check_output(check);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < CALLS_OPTIONS)
		return -1;
	run_format("text", data, size, check_text);
	run_format("json", data, size, check_json);
	return 0;
}
