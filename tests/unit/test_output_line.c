/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_output */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "output/prefix.h"
#include "output/sink.h"
#include "output/tasks.h"
#include "util/macros.h"

#define SEC 1000000000ull

static struct task task(uint32_t host, uint32_t tid, const char *comm)
{
	struct task t = { .host_tid = host, .host_tgid = host, .tid = tid, .tgid = tid };

	strncpy(t.comm, comm, CT_COMM_LEN);
	return t;
}

static void test_tasks_forks(void **state)
{
	struct task parent = task(100, 100, "p"), child = task(101, 101, "c");
	struct tasks *ts;

	(void)state;
	assert_int_equal(tasks_new(0, &ts), 0);
	tasks_seen(ts, &parent, 9);
	assert_int_equal(tasks_alive_at(ts, 10), 1);
	tasks_forked(ts, 101, 20);
	/* the fork itself began before there was a child */
	assert_int_equal(tasks_alive_at(ts, 20), 1);
	assert_int_equal(tasks_alive_at(ts, 21), 2);
	/* its first record is no second child */
	tasks_seen(ts, &child, 25);
	assert_int_equal(tasks_alive_at(ts, 100), 2);
	tasks_seen(ts, &child, 30);
	assert_int_equal(tasks_alive_at(ts, 100), 2);
	tasks_gone(ts, 101, 50);
	assert_int_equal(tasks_alive_at(ts, 50), 2);
	assert_int_equal(tasks_alive_at(ts, 51), 1);
	/* a number that comes again is another task */
	tasks_seen(ts, &child, 60);
	assert_int_equal(tasks_alive_at(ts, 61), 2);
	tasks_free(ts);
}

/* vfork returns when the child has already been seen at work. */
static void test_tasks_child_first(void **state)
{
	struct task parent = task(100, 1, "p"), child = task(101, 2, "c");
	struct tasks *ts;

	(void)state;
	assert_int_equal(tasks_new(1, &ts), 0);
	tasks_seen(ts, &parent, 5);
	assert_int_equal(tasks_alive_at(ts, 6), 1);
	tasks_seen(ts, &child, 12);
	tasks_forked(ts, 2, 10);
	assert_int_equal(tasks_alive_at(ts, 100), 2);
	tasks_free(ts);
}

static void test_tasks_at_start(void **state)
{
	struct tasks *ts;

	(void)state;
	assert_int_equal(tasks_new(3, &ts), 0);
	assert_int_equal(tasks_alive_at(ts, 1), 3);
	for (uint32_t i = 1; i <= 4; i++) {
		struct task t = task(i, i, "t");

		tasks_seen(ts, &t, i * 10);
	}
	assert_int_equal(tasks_alive_at(ts, 100), 4);
	tasks_free(ts);
}

/* More tasks than slots, in and out, against a plain array. */
static void test_tasks_table(void **state)
{
	static bool alive[5000];
	struct tasks *ts;
	int n = 0;

	(void)state;
	srand(7);
	assert_int_equal(tasks_new(0, &ts), 0);
	for (unsigned i = 0; i < 200000; i++) {
		uint32_t id = 1 + (uint32_t)rand() % 4999;
		struct task t = task(id, id, "t");

		if (alive[id] && rand() % 2) {
			tasks_gone(ts, id, i + 1);
			n--;
			alive[id] = false;
		} else {
			tasks_seen(ts, &t, i + 1);
			n += !alive[id];
			alive[id] = true;
		}
		assert_int_equal(tasks_alive_at(ts, i + 2), n);
	}
	for (uint32_t id = 1; id < 5000; id++)
		assert_int_equal(tasks_get(ts, id, false) != NULL, alive[id]);
	assert_null(tasks_get(ts, 0, true));
	tasks_free(ts);
}

struct fixture {
	struct output_opts opts;
	struct target_label labels[2];
	struct run_info run;
	struct tasks *tasks;
	struct prefix prefix;
};

static void fixture_init(struct fixture *f, size_t n)
{
	f->run = (struct run_info){ .opts = &f->opts, .targets = f->labels, .n_targets = n,
				    .wall_offset = (int64_t)(1000 * SEC) };
	assert_int_equal(tasks_new(0, &f->tasks), 0);
	assert_int_equal(prefix_init(&f->prefix, &f->run, f->tasks, false), 0);
}

static void fixture_done(struct fixture *f)
{
	prefix_done(&f->prefix);
	tasks_free(f->tasks);
}

static void expect(struct fixture *f, const struct task *t, uint64_t time, int64_t nr, const char *want)
{
	struct strbuf sb = { 0 };

	prefix_write(&f->prefix, &sb, t, time, &(struct prefix_place){ .nr = nr });
	assert_string_equal(strbuf_cstr(&sb), want);
	strbuf_done(&sb);
}

static void test_prefix_pid(void **state)
{
	struct fixture f = { .labels = { { .name = "web", .is_container = true }, { .name = "a\033[2J b" } } };
	struct task t = task(6229, 7, "ng<in>\nx"), host = task(6229, 0, "runc");

	(void)state;
	fixture_init(&f, 1);
	expect(&f, &t, SEC, 0, "[pid     7] ");
	expect(&f, &host, SEC, 0, "[pid host:6229] ");
	f.opts.comm = true;
	expect(&f, &t, SEC, 0, "[pid     7<ng\\74in\\76\\nx>] ");
	f.opts.pids = PIDS_HOST;
	expect(&f, &t, SEC, 0, "[pid  6229<ng\\74in\\76\\nx>] ");
	f.opts.pids = PIDS_BOTH;
	f.opts.comm = false;
	expect(&f, &t, SEC, 0, "[pid 7/6229] ");
	fixture_done(&f);

	f.opts = (struct output_opts){ .path = "x" };
	fixture_init(&f, 1);
	expect(&f, &t, SEC, 0, "7     ");
	f.opts.comm = true;
	expect(&f, &t, SEC, 0, "7<ng\\74in\\76\\nx> ");
	fixture_done(&f);

	f.opts = (struct output_opts){ 0 };
	fixture_init(&f, 2);
	expect(&f, &t, SEC, 0, "web [pid     7] ");
	t.target = 1;
	expect(&f, &t, SEC, 0, "a\\33\\1332J\\40b [pid     7] ");
	t.target = CT_NO_TARGET;
	expect(&f, &t, SEC, 0, "[pid     7] ");
	fixture_done(&f);
}

/* Replicas' containers have one name: of several pods, or when it is asked for, the pods are named. */
static void test_prefix_pod(void **state)
{
	struct fixture f = { .labels = { { .name = "app", .pod_path = "shop/web-1/app" }, { .name = "proxy", .pod_path = "shop/web-1/proxy" } } };
	struct task t = task(6229, 7, "nginx");

	(void)state;
	fixture_init(&f, 1);
	expect(&f, &t, SEC, 0, "[pid     7] ");
	fixture_done(&f);
	fixture_init(&f, 2);
	expect(&f, &t, SEC, 0, "app [pid     7] ");
	fixture_done(&f);

	f.opts.always_pod = true;
	fixture_init(&f, 1);
	expect(&f, &t, SEC, 0, "web-1/app [pid     7] ");
	fixture_done(&f);
	/* No pod's: as ever. */
	f.labels[0].pod_path = NULL;
	fixture_init(&f, 1);
	expect(&f, &t, SEC, 0, "[pid     7] ");
	fixture_done(&f);

	f.opts.always_pod = false;
	f.labels[0].pod_path = "shop/web-10/app";
	fixture_init(&f, 2);
	expect(&f, &t, SEC, 0, "web-10/app [pid     7] ");
	t.target = 1;
	expect(&f, &t, SEC, 0, "web-1/proxy [pid     7] ");
	f.labels[0].pod_path = "a b/web-1/app";
	assert_int_equal(prefix_relabel(&f.prefix, 1), 0);
	expect(&f, &t, SEC, 0, "web-1/proxy [pid     7] ");
	f.labels[1].pod_path = "shop/w]b";
	assert_int_equal(prefix_relabel(&f.prefix, 1), 0);
	expect(&f, &t, SEC, 0, "w\\135b/proxy [pid     7] ");
	fixture_done(&f);
}

static void test_prefix_plain(void **state)
{
	struct fixture f = { .labels = { { .name = "sleep", .plain_prefix = true } } };
	struct task t = task(7, 7, "sh");

	(void)state;
	fixture_init(&f, 1);
	tasks_seen(f.tasks, &t, SEC - 1);
	expect(&f, &t, SEC, 0, "");
	tasks_forked(f.tasks, 8, 2 * SEC);
	expect(&f, &t, 2 * SEC, 0, "");
	expect(&f, &t, 3 * SEC, 0, "[pid     7] ");
	f.opts.always_pid = true;
	expect(&f, &t, SEC, 0, "[pid     7] ");
	fixture_done(&f);
}

static void test_prefix_stamps(void **state)
{
	static const struct { enum stamp_mode mode; const char *want; } rows[] = {
		{ STAMP_NONE, "" },
		{ STAMP_TIME, "01:16:41 " },
		{ STAMP_TIME_MS, "01:16:41.000 " },
		{ STAMP_TIME_US, "01:16:41.000002 " },
		{ STAMP_TIME_NS, "01:16:41.000002003 " },
		{ STAMP_UNIX, "1001 " },
		{ STAMP_UNIX_MS, "1001.000 " },
		{ STAMP_UNIX_US, "1001.000002 " },
		{ STAMP_UNIX_NS, "1001.000002003 " },
	};
	struct fixture f = { .labels = { { .plain_prefix = true } } };
	struct task t = task(7, 7, "sh");

	(void)state;
	setenv("TZ", "UTC-1", 1);
	tzset();
	fixture_init(&f, 1);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		f.opts.stamp = rows[i].mode;
		expect(&f, &t, SEC + 2003, 0, rows[i].want);
	}
	/* the second changes, and back */
	f.opts.stamp = STAMP_TIME;
	expect(&f, &t, 60 * SEC, 0, "01:17:40 ");
	expect(&f, &t, SEC, 0, "01:16:41 ");
	f.opts.syscall_number = true;
	expect(&f, &t, SEC, 62, "01:16:41 [  62] ");
	expect(&f, &t, SEC, -1, "01:16:41 [   0] ");
	expect(&f, &t, SEC, UINT32_MAX, "01:16:41 [???] ");
	fixture_done(&f);
}

static void test_prefix_relative(void **state)
{
	struct fixture f = { .opts = { .relative = true, .relative_digits = 6 }, .labels = { { .plain_prefix = true } } };
	struct task t = task(7, 7, "sh");

	(void)state;
	fixture_init(&f, 1);
	expect(&f, &t, 10 * SEC, 0, "     0.000000 ");
	expect(&f, &t, 12 * SEC + 1500, 0, "     2.000001 ");
	/* a call that began between the two and is written after */
	expect(&f, &t, 11 * SEC, 0, "     1.000000 ");
	f.opts.stamp = STAMP_UNIX;
	expect(&f, &t, 13 * SEC, 0, "1013 (+     0.999998) ");
	f.opts.relative_digits = 0;
	f.opts.stamp = STAMP_NONE;
	expect(&f, &t, 20 * SEC, 0, "     7 ");
	f.opts.relative_digits = 9;
	for (unsigned i = 0; i < 3 * RECENT_STAMPS; i++)
		expect(&f, &t, 20 * SEC + i + 1, 0, "     0.000000001 ");
	/* older than all that is remembered */
	expect(&f, &t, 5 * SEC, 0, "     0.000000000 ");
	fixture_done(&f);
}

static void test_coverage_line(void **state)
{
	struct coverage c = {
		.complete = true,
		.since = SEC + 706000000,
		.tasks = { .at_start = 3, .by_fork = 50, .by_move = 1, .ended = 54 },
		.calls = { .seen = 120345, .delivered = 120300, .filtered = 45 },
	};
	char line[1024], small[16];

	(void)state;
	setenv("TZ", "UTC", 1);
	tzset();
	coverage_line(&c, (int64_t)(7570 * SEC), line, sizeof(line));
	assert_string_equal(line, "coverage complete since 02:06:11.706: 54 tasks (3 at start, 0 by rescan, 50 by fork, "
				  "1 by move, 0 on first call), 54 ended; 120345 calls seen = 120300 delivered + "
				  "45 filtered + 0 lost; 0 in flight");
	c.complete = false;
	c.n_why = 2;
	strcpy(c.why[0], "1042 calls lost: ring full, see --buffer");
	strcpy(c.why[1], "x\ny");
	c.calls.lost_ring_full = 1040;
	c.calls.lost_too_big = 2;
	c.tasks.late = 1;
	c.tasks.left = 2;
	c.calls.begun_before = 3;
	c.calls.degraded = 4;
	coverage_line(&c, 0, line, sizeof(line));
	assert_string_equal(line, "coverage incomplete (1042 calls lost: ring full, see --buffer; x\\ny): 55 tasks "
				  "(3 at start, 0 by rescan, 50 by fork, 1 by move, 0 on first call, 1 late), 54 ended, "
				  "2 left; 120345 calls seen = 120300 delivered + 45 filtered + 1042 lost; 0 in flight, "
				  "3 begun before, 4 degraded");
	assert_int_equal(coverage_line(&c, 0, small, sizeof(small)), 15);
	assert_string_equal(small, "coverage incomp");
}

static void test_coverage_json(void **state)
{
	struct coverage c = { .since = SEC, .n_why = 1, .calls = { .seen = UINT64_MAX, .lost_too_big = 1 } };
	char *got;

	(void)state;
	strcpy(c.why[0], "a \"b\"");
	got = coverage_json(&c, (int64_t)SEC);
	assert_non_null(got);
	assert_string_equal(got, "{\"type\":\"coverage\",\"complete\":false,\"why\":[\"a \\\"b\\\"\"],\"since\":\"2.000000000\","
				 "\"tasks\":{\"at_start\":0,\"by_rescan\":0,\"by_fork\":0,\"by_move\":0,\"on_first_call\":0,"
				 "\"late\":0,\"ended\":0,\"left\":0},\"calls\":{\"seen\":9007199254740992,\"delivered\":0,"
				 "\"filtered\":0,\"lost\":{\"ring_full\":0,\"too_big\":1,\"no_state\":0},\"in_flight\":0,"
				 "\"begun_before\":0,\"degraded\":0,\"written\":0}}");
	free(got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tasks_forks),     cmocka_unit_test(test_tasks_child_first),
		cmocka_unit_test(test_tasks_at_start),  cmocka_unit_test(test_tasks_table),
		cmocka_unit_test(test_prefix_pid),      cmocka_unit_test(test_prefix_pod),
		cmocka_unit_test(test_prefix_plain),
		cmocka_unit_test(test_prefix_stamps),   cmocka_unit_test(test_prefix_relative),
		cmocka_unit_test(test_coverage_line),   cmocka_unit_test(test_coverage_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
