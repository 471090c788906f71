/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "records.h"
#include "util/macros.h"

#define ARGS struct output_opts *opts, struct target_label *labels, struct run_info *run
#define UNUSED_ARGS (void)opts, (void)labels, (void)run

/* Runs the statements in order, until one fails. */
#define TRY(expression)                 \
	do {                            \
		int _r = (expression);  \
		if (_r < 0)             \
			return _r;      \
	} while (0)

#define EXITED(code) ((code) << 8)
#define CORE 0x80

static void as_command(ARGS)
{
	(void)opts;
	(void)run;
	labels[0] = (struct target_label){ .name = "sh", .plain_prefix = true };
}

/* A shell that forks: the prefix comes with the child and goes with it. */
static int feed_command(struct sink *s)
{
	struct task sh = rec_task(100, 100, "sh"), child = rec_task(101, 101, "sh");

	TRY(put_openat(s, sh, "/etc/profile", 0, 30, -ENOENT));
	TRY(put_simple(s, sh, "getuid", 50, 51, 0));
	TRY(put_simple(s, sh, "fork", 100, 200, 101));
	TRY(put_simple(s, child, "getpid", 220, 221, 101));
	TRY(put_simple(s, sh, "getppid", 230, 231, 99));
	TRY(put_exit_call(s, child, 300, 3));
	TRY(put_end(s, child, 310, EXITED(3), true));
	TRY(put_simple(s, sh, "getgid", 400, 401, 0));
	TRY(put_exit_call(s, sh, 500, 0));
	return put_end(s, sh, 510, EXITED(0), true);
}

/* vfork returns after the child's exec; what began before there was a child has no prefix. */
static int feed_vfork(struct sink *s)
{
	struct task sh = rec_task(100, 100, "sh"), child = rec_task(101, 101, "ls");

	TRY(put_simple(s, sh, "getuid", 0, 1, 0));
	TRY(put_simple(s, child, "getpid", 120, 121, 101));
	TRY(put_simple(s, sh, "vfork", 100, 200, 101));
	TRY(put_simple(s, sh, "getuid", 210, 211, 0));
	TRY(put_end(s, child, 220, EXITED(0), true));
	return put_simple(s, sh, "getuid", 230, 231, 0);
}

static void container_times(ARGS)
{
	UNUSED_ARGS;
	opts->stamp = STAMP_TIME_US;
	opts->duration = true;
	opts->comm = true;
}

static int feed_container(struct sink *s)
{
	struct task web = rec_task(6229, 7, "nginx"), host = rec_task(6300, 0, "runc:[2:INIT]");

	TRY(put_openat(s, web, "/etc/none", 0, 41, -ENOENT));
	TRY(put_simple(s, host, "getpid", 2000000, 2000001, 6300));
	/* began earlier, ended later: the stamps go back */
	TRY(put_simple(s, web, "pause", 1000000, 2500000, -514));
	TRY(put_signal(s, web, 2500010, SIGUSR1));
	TRY(put_exit_call(s, web, 3000000, 0));
	return put_end(s, web, 3000100, EXITED(0), true);
}

static void relative(ARGS)
{
	UNUSED_ARGS;
	opts->stamp = STAMP_UNIX_US;
	opts->relative = true;
	opts->syscall_number = true;
	opts->pids = PIDS_BOTH;
}

static void two_targets(ARGS)
{
	UNUSED_ARGS;
	run->n_targets = 2;
}

static int feed_two(struct sink *s)
{
	struct task web = rec_task(6229, 1, "nginx"), api = rec_task(7001, 1, "api"), lost = rec_task(8000, 0, "x");
	struct container_event end = { .time = AT(900), .has_status = true, .status = EXITED(1), .oom_killed = true };
	struct left_event left = { .task = web, .time = AT(500) };

	api.target = 1;
	lost.target = CT_NO_TARGET;
	TRY(put_simple(s, web, "getpid", 0, 1, 1));
	TRY(put_simple(s, api, "getpid", 2, 3, 1));
	TRY(put_simple(s, lost, "getpid", 4, 5, 1));
	TRY(s->ops->left(s, &left));
	left.task = api;
	TRY(s->ops->left(s, &left));
	TRY(s->ops->container(s, &end));
	end = (struct container_event){ .time = AT(910), .target = 1, .has_status = true, .status = SIGKILL };
	TRY(s->ops->container(s, &end));
	end.has_status = false;
	return s->ops->container(s, &end);
}

static void to_file(ARGS)
{
	UNUSED_ARGS;
	opts->path = "/dev/stdout";
	opts->append = true;
}

static int feed_coverage(struct sink *s, bool complete)
{
	struct coverage c = {
		.complete = complete,
		.since = START,
		.tasks = { .at_start = 3, .by_fork = 50, .by_move = 1, .ended = 54 },
		.calls = { .seen = 120345, .delivered = 120300, .filtered = 45 },
		.written = 120300,
	};

	if (!complete) {
		c.n_why = 1;
		strcpy(c.why[0], "1042 calls lost: ring full, see --buffer");
		c.calls.lost_ring_full = 1042;
		c.calls.delivered -= 1042;
	}
	return s->ops->coverage(s, &c);
}

/* --lossless: a run in which the target was frozen; and one that reached a limit, with --narrow. */
static int feed_frozen(struct sink *s)
{
	struct coverage c = {
		.complete = true,
		.since = START,
		.tasks = { .at_start = 1, .ended = 1 },
		.calls = { .seen = 9, .delivered = 9 },
		.written = 9,
		.frozen = { .asked = true, .times = 12, .total_ns = 204513999, .longest_ns = 20099999 },
	};

	TRY(s->ops->coverage(s, &c));
	c.frozen.times = 1;
	c.frozen.yielded = 1;
	c.narrow = true;
	return s->ops->coverage(s, &c);
}

static int feed_file(struct sink *s)
{
	TRY(feed_container(s));
	TRY(feed_coverage(s, true));
	return feed_coverage(s, false);
}

/* Everything that others name holds bytes that a terminal would act on. */
static void hostile_names(ARGS)
{
	UNUSED_ARGS;
	opts->comm = true;
	run->n_targets = 2;
	labels[0].name = "web\033]0;owned\a\nx";
	labels[0].image = "\xff\xfe";
	labels[1].pod = "\xc2\x9b" "31m";
}

static int feed_hostile(struct sink *s)
{
	struct task evil = rec_task(6229, 7, "\033[2J<a>\n\\\"\x80"), api = rec_task(7, 7, "caf\xc3\xa9");
	struct left_event left = { .task = evil, .time = AT(500) };
	struct exec_event exec = { .task = evil, .time = AT(600), .filename = "/bin/\033c\0\xff", .filename_len = 9 };
	struct call c = rec_call(evil, "write", 10, 20, 9);

	api.target = 1;
	c.args[0] = 1;
	c.args[1] = 0x1000;
	c.args[2] = 9;
	rec_capture(&c, 1, 0, "\033[0m\0" "1\x7f\xff", 9, 9);
	TRY(s->ops->call(s, &c));
	TRY(put_openat(s, evil, "/tmp/\r\nfake(\"x\") = 0\n", 0, 1, 3));
	TRY(put_openat(s, evil, "/tmp/\xc3\xa9\xc2\x9b\xff", 0, 1, 3));
	TRY(put_openat(s, api, "/tmp/caf\xc3\xa9", 0, 1, 3));
	TRY(s->ops->exec(s, &exec));
	return s->ops->left(s, &left);
}

static int put_flagged(struct sink *s, struct task t, const char *name, int64_t ret, uint32_t flags)
{
	struct call c = rec_call(t, name, 10, 20, ret);

	c.flags = flags;
	if (flags & (CT_F_DENIED | CT_F_BEGUN_BEFORE | CT_F_DEGRADED))
		c.enter = 0;
	if (flags & CT_F_IN_FLIGHT)
		c.exit = 0;
	return s->ops->call(s, &c);
}

/* before: the number of the call that is taken up again (34 is pause). */
static int put_restart(struct sink *s, struct task t, uint32_t before, int64_t ret)
{
	struct call c = rec_call(t, "restart_syscall", 0, 1, ret);

	c.args[0] = before;
	return s->ops->call(s, &c);
}

/* Each kind of result, and the flags of a call. */
static int feed_results(struct sink *s)
{
	struct task t = rec_task(100, 100, "sh");
	struct call c;

	TRY(put_simple(s, t, "umask", 0, 1, 022));
	TRY(put_simple(s, t, "umask", 0, 1, 0));
	TRY(put_simple(s, t, "brk", 0, 1, 0x55d0c0de0000));
	TRY(put_simple(s, t, "dup", 0, 1, 4));
	TRY(put_simple(s, t, "getpid", 0, 1, 100));
	TRY(put_simple(s, t, "dup", 0, 1, -EBADF));
	TRY(put_simple(s, t, "dup", 0, 1, -4000));
	TRY(put_simple(s, t, "lseek", 0, 1, INT64_MIN + 5));
	TRY(put_simple(s, t, "pause", 0, 1, -512));
	TRY(put_simple(s, t, "pause", 0, 1, -513));
	TRY(put_simple(s, t, "pause", 0, 1, -514));
	TRY(put_simple(s, t, "pause", 0, 1, -516));
	TRY(put_restart(s, t, 34, -516));
	TRY(put_restart(s, t, 34, 0));
	TRY(put_restart(s, rec_task(200, 200, "x"), UINT32_MAX, 0));
	TRY(put_flagged(s, t, "dup", -EPERM, CT_F_DENIED));
	TRY(put_flagged(s, t, "pause", -EINTR, CT_F_BEGUN_BEFORE));
	TRY(put_flagged(s, t, "pause", 0, CT_F_NO_RETURN));
	TRY(put_flagged(s, t, "pause", 0, CT_F_IN_FLIGHT));
	TRY(put_flagged(s, t, "getpid", 1, CT_F_DEGRADED));
	TRY(put_flagged(s, t, "getpid", 1, CT_F_RUNTIME));
	c = rec_call(t, "getpid", 0, 1, -ENOSYS);
	c.nr = 0x1ff;
	c.args[0] = UINT64_MAX;
	TRY(s->ops->call(s, &c));
	c.nr = 0x7fffffff;
	TRY(s->ops->call(s, &c));
	c = rec_call(t, "getpid", 0, 1, (int64_t)(uint32_t)-ENOENT);
	c.args[0] = 5;
	c.abi = ABI_COMPAT;
	c.nr = 41;      /* dup */
	TRY(s->ops->call(s, &c));
	c.ret = 77;
	return s->ops->call(s, &c);
}

/* What could not be had of an argument, or not whole, or only late. */
static int feed_notes(struct sink *s)
{
	static const char text[] = "forty bytes of text that are cut at 32..";
	struct task t = rec_task(100, 100, "sh");
	struct call c = rec_call(t, "openat", 0, 1, -ENOENT);

	c.args[0] = (uint32_t)AT_FDCWD;
	c.args[1] = 0x7ffc0000;
	rec_capture(&c, 1, CT_CAP_FAILED, NULL, 0, CT_LEN_UNKNOWN);
	TRY(s->ops->call(s, &c));
	c.n_captures = 0;
	rec_capture(&c, 1, CT_CAP_RETRIED | CT_CAP_AT_EXIT, "/late", 5, 5);
	TRY(s->ops->call(s, &c));
	c.n_captures = 0;
	rec_capture(&c, 1, CT_CAP_CUT, "/very/long", 10, CT_LEN_UNKNOWN);
	TRY(s->ops->call(s, &c));
	c.n_captures = 0;
	c.flags = CT_F_PAYLOAD | CT_F_PAYLOAD_LOST;
	TRY(s->ops->call(s, &c));
	c = rec_call(t, "write", 0, 1, 4096);
	c.args[0] = 1;
	c.args[1] = 0x1000;
	c.args[2] = 4096;
	rec_capture(&c, 1, CT_CAP_CUT, text, sizeof(text) - 1, 4096);
	TRY(s->ops->call(s, &c));
	/* a detail behind the result */
	c = rec_call(t, "fcntl", 0, 1, O_RDWR | O_APPEND);
	c.args[0] = 1;
	c.args[1] = F_GETFL;
	return s->ops->call(s, &c);
}

/* Ends, in the order that wait(2) tells them, and lines of our own. */
static int feed_events(struct sink *s)
{
	struct task leader = rec_task(100, 10, "srv"), thread = rec_task(101, 11, "srv"), other = rec_task(300, 30, "x");
	struct exec_event exec = { .task = leader, .time = AT(60), .filename = "/bin/true", .filename_len = 9 };
	struct lost_event lost = {
		.time = AT(80), .total = 412, .ring_full = 412, .n_rows = 2,
		.rows = { { ABI_NATIVE, 0, 300 }, { ABI_NATIVE, 1, 112 } },
	};
	struct container_event end = { .time = AT(99), .has_status = true, .status = EXITED(137) };

	thread.host_tgid = 100;
	thread.tgid = 10;
	/* the leader first: its line waits for its last thread */
	TRY(put_end(s, leader, 10, EXITED(0), false));
	TRY(put_end(s, thread, 20, EXITED(0), true));
	/* a thread executes a program: the leader has no end of its own */
	TRY(put_simple(s, thread, "getpid", 30, 31, 10));
	TRY(put_end(s, leader, 50, EXITED(0), false));
	exec.old_host_tid = 101;
	exec.old_tid = 11;
	TRY(s->ops->exec(s, &exec));
	TRY(put_simple(s, leader, "getpid", 61, 62, 10));
	TRY(put_end(s, leader, 70, SIGSEGV | CORE, true));
	TRY(put_signal(s, other, 71, SIGKILL));
	TRY(put_end(s, other, 71, SIGKILL, true));
	TRY(s->ops->lost(s, &lost));
	lost.total = 500;
	lost.ring_full = 490;
	lost.too_big = 10;
	TRY(s->ops->lost(s, &lost));
	lost = (struct lost_event){ .time = AT(90), .total = 1, .too_big = 1 };
	TRY(s->ops->lost(s, &lost));
	TRY(s->ops->container(s, &end));
	/* a leader whose threads are still there at the end of the run */
	TRY(put_end(s, other, 95, EXITED(4), false));
	return feed_coverage(s, true);
}

static bool no_chld(int signo, void *data)
{
	(void)data;
	return signo != SIGCHLD;
}

static void hex(ARGS)
{
	UNUSED_ARGS;
	opts->hex = HEX_ALL;
}

static void consts_raw(ARGS)
{
	UNUSED_ARGS;
	opts->decode.consts = CONST_RAW;
}

static void consts_verbose(ARGS)
{
	UNUSED_ARGS;
	opts->decode.consts = CONST_VERBOSE;
}

static void raw_calls(ARGS)
{
	static struct syscall_set all;

	UNUSED_ARGS;
	memset(&all, true, sizeof(all));
	opts->decode.raw = &all;
}

static void quiet(ARGS)
{
	UNUSED_ARGS;
	opts->quiet = 3;
	opts->quiet_exit = true;
	opts->show_signal = no_chld;
}

static int feed_quiet(struct sink *s)
{
	struct task t = rec_task(6229, 7, "nginx");

	TRY(put_signal(s, t, 1, SIGCHLD));
	TRY(put_signal(s, t, 2, SIGHUP));
	return feed_events(s);
}

static void color(ARGS)
{
	UNUSED_ARGS;
	opts->color = COLOR_ALWAYS;
}

static void narrow(ARGS)
{
	UNUSED_ARGS;
	opts->column = 0;
	opts->duration = true;
	opts->duration_digits = 3;
}

static void json(ARGS)
{
	UNUSED_ARGS;
	opts->format = "json";
	opts->and_summary = true;
	run->n_targets = 2;
}

static void json_hostile(ARGS)
{
	hostile_names(opts, labels, run);
	opts->format = "json";
}

static void json_command(ARGS)
{
	as_command(opts, labels, run);
	opts->format = "json";
}

static struct target_label *waiting;

/* Waited for by its name; the rest is known when it starts. */
static void restarts(ARGS)
{
	(void)opts;
	(void)run;
	waiting = labels;
	labels[0] = (struct target_label){ .name = "web", .is_container = true };
}

static void json_restarts(ARGS)
{
	restarts(opts, labels, run);
	opts->format = "json";
}

static int feed_restarts(struct sink *s)
{
	static const char *const ids[] = { "9c6eb891676c", "5a4d0b0c1111" };
	struct task init = rec_task(6229, 1, "app");

	for (unsigned i = 0; i < ARRAY_SIZE(ids); i++) {
		struct started_event start = { .task = init, .time = AT(100 * i + 10) };
		struct container_event end = { .time = AT(100 * i + 90), .has_status = true, .status = EXITED(1) };

		waiting[0].name = i ? "web\033[2" : "web";
		waiting[0].id = ids[i];
		waiting[0].runtime = "docker";
		TRY(s->ops->relabel(s, 0));
		TRY(s->ops->started(s, &start));
		TRY(put_openat(s, init, "/etc/app.conf", 100 * i + 20, 100 * i + 30, -ENOENT));
		TRY(put_end(s, init, 100 * i + 80, EXITED(1), true));
		TRY(s->ops->container(s, &end));
	}
	return 0;
}

static const struct count_row counts[] = {
	{ 0, ABI_NATIVE, 0, 1000, 3, 0, 2 * SEC, 500, 900 * MS },
	{ 0, ABI_NATIVE, 3, 20, 0, 0, 40 * US, 1000, 3000 },
	{ 0, ABI_NATIVE, 34, 0, 0, 2, 0, 0, 0 },
	{ 1, ABI_NATIVE, 0, 5, 1, 0, 1 * SEC, 400, 999 * MS },
	{ 1, ABI_COMPAT, 3, 4, 0, 1, 500 * US, 100, 200 },
	{ 1, ABI_NATIVE, 0x1ff, 1, 1, 0, 10, 10, 10 },
};

static int feed_summary(struct sink *s)
{
	return s->ops->summary(s, counts, s->run->n_targets > 1 ? ARRAY_SIZE(counts) : 3, 5003 * MS);
}

static int feed_json(struct sink *s)
{
	TRY(feed_two(s));
	TRY(feed_results(s));
	TRY(feed_events(s));
	TRY(put_signal(s, rec_task(6229, 7, "nginx"), 97, SIGUSR1));
	TRY(feed_summary(s));
	return feed_coverage(s, false);
}

static void summary(ARGS)
{
	UNUSED_ARGS;
	opts->format = "summary";
	opts->summary_only = true;
}

static void summary_calls(ARGS)
{
	summary(opts, labels, run);
	opts->summary_sort = "calls";
	run->n_targets = 2;
}

static void summary_name(ARGS)
{
	summary(opts, labels, run);
	opts->summary_sort = "syscall_name";
	run->n_targets = 2;
}

static void with_summary(ARGS)
{
	UNUSED_ARGS;
	opts->and_summary = true;
}

static int feed_with_summary(struct sink *s)
{
	TRY(feed_container(s));
	return feed_summary(s);
}

static void split(ARGS)
{
	UNUSED_ARGS;
	opts->split = true;
}

static void split_stamps(ARGS)
{
	split(opts, labels, run);
	opts->stamp = STAMP_TIME_US;
	opts->relative = opts->duration = opts->syscall_number = opts->comm = true;
	opts->column = 100;
}

static void split_command(ARGS)
{
	as_command(opts, labels, run);
	opts->split = opts->arg_names = true;
}

static void split_color(ARGS)
{
	split(opts, labels, run);
	opts->color = COLOR_ALWAYS;
}

const struct golden_case golden_cases[] = {
	{ "text-command", as_command, feed_command },
	{ "text-vfork", as_command, feed_vfork },
	{ "text-container", NULL, feed_container },
	{ "text-container-times", container_times, feed_container },
	{ "text-relative", relative, feed_container },
	{ "text-two", two_targets, feed_two },
	{ "text-file", to_file, feed_file },
	{ "text-frozen", to_file, feed_frozen },
	{ "text-hostile", hostile_names, feed_hostile },
	{ "text-results", as_command, feed_results },
	{ "text-notes", NULL, feed_notes },
	{ "text-narrow", narrow, feed_results },
	{ "text-events", NULL, feed_events },
	{ "text-restarts", restarts, feed_restarts },
	{ "text-quiet", quiet, feed_quiet },
	{ "text-hex", hex, feed_hostile },
	{ "text-const-raw", consts_raw, feed_notes },
	{ "text-const-verbose", consts_verbose, feed_notes },
	{ "text-raw-calls", raw_calls, feed_results },
	{ "text-split", split, feed_split },
	{ "text-split-stamps", split_stamps, feed_split },
	{ "text-split-arguments", split_command, feed_split_arguments },
	{ "text-split-color", split_color, feed_split_arguments },
	{ "text-color", color, feed_events },
	{ "text-color-results", color, feed_results },
	{ "text-summary", with_summary, feed_with_summary },
	{ "json", json, feed_json },
	{ "json-hostile", json_hostile, feed_hostile },
	{ "json-restarts", json_restarts, feed_restarts },
	{ "json-notes", json_command, feed_notes },
	{ "json-frozen", json, feed_frozen },
	{ "json-command", json_command, feed_command },
	{ "summary", summary, feed_summary },
	{ "summary-calls", summary_calls, feed_summary },
	{ "summary-name", summary_name, feed_summary },
};
const size_t golden_n_cases = ARRAY_SIZE(golden_cases);
