/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Feeds hand-made records to a sink, which writes to standard output.
 *
 *     golden            lists the cases
 *     golden CASE       runs one
 *     golden -b FORMAT N        writes N records and says how long it took
 *     golden -r FORMAT N SEED   writes N calls of random content
 *
 * run.sh compares what comes out with the files in expected/.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "golden.h"
#include "util/macros.h"

/* The run of a case: everything that a sink looks at. */
static struct output_opts opts;
static struct target_label labels[4];
static struct run_info run = { .opts = &opts, .targets = labels, .version = "0.0-golden" };

static int fail(const char *what, int r)
{
	fprintf(stderr, "golden: %s: %s\n", what, strerror(-r));
	return 1;
}

static void defaults(void)
{
	opts = (struct output_opts){
		.format = "text", .column = 40, .relative_digits = 6, .duration_digits = 6, .color = COLOR_NEVER,
		.decode = { .string_limit = 32 },
	};
	labels[0] = (struct target_label){
		.name = "web", .is_container = true, .id = "9c6eb891676c0123456789abcdef", .runtime = "docker",
		.image = "busybox:latest", .init_host_pid = 6229, .cgroup = "/docker/9c6eb891676c0123456789abcdef",
	};
	labels[1] = (struct target_label){
		.name = "api", .is_container = true, .id = "0123456789ab", .runtime = "containerd",
		.pod_namespace = "prod", .pod = "api-7d9f", .pod_uid = "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
		.pod_container = "api",
	};
	run.n_targets = 1;
	run.since = 100 * SEC;
	run.wall_offset = (int64_t)(1764640000 * SEC);
}

static const struct golden_case *find(const char *name)
{
	for (size_t i = 0; i < golden_n_cases; i++)
		if (!strcmp(golden_cases[i].name, name))
			return &golden_cases[i];
	return NULL;
}

static int run_case(const struct golden_case *c)
{
	struct sink *s;
	int r;

	defaults();
	if (c->setup)
		c->setup(&opts, labels, &run);
	r = sink_open(&run, &s);
	if (r < 0)
		return fail("sink_open", r);
	r = s->ops->start(s);
	if (r == 0)
		r = c->feed(s);
	if (r < 0) {
		sink_close(s);
		return fail(c->name, r);
	}
	r = sink_close(s);
	return r < 0 ? fail("sink_close", r) : 0;
}

static int bench(const char *format, unsigned long n)
{
	struct timespec a, b;
	struct sink *s;
	double seconds;
	int r;

	defaults();
	opts.format = format;
	opts.stamp = STAMP_TIME_US;
	opts.duration = true;
	r = sink_open(&run, &s);
	if (r < 0)
		return fail("sink_open", r);
	clock_gettime(CLOCK_MONOTONIC, &a);
	r = golden_bench(s, n);
	if (r == 0)
		r = sink_flush(s);
	clock_gettime(CLOCK_MONOTONIC, &b);
	if (r == 0 && sink_written(s) != n)
		r = -EIO;
	seconds = (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9;
	fprintf(stderr, "%s: %lu records in %.3f s, %.0f records/s\n", format, n, seconds, (double)n / seconds);
	sink_close(s);
	return r < 0 ? fail("bench", r) : 0;
}

static int random_records(const char *format, unsigned long n, unsigned long seed)
{
	struct sink *s;
	int r;

	defaults();
	opts.format = format;
	opts.comm = opts.duration = opts.relative = true;
	opts.stamp = STAMP_UNIX_NS;
	opts.arg_names = seed & 1;
	opts.split = seed & 8 && !strcmp(format, "text");
	opts.decode.no_abbrev = seed & 2;
	opts.decode.string_limit = seed & 4 ? 2000 : 32;
	r = sink_open(&run, &s);
	if (r < 0)
		return fail("sink_open", r);
	r = s->ops->start(s);
	if (r == 0)
		r = golden_random(s, n, seed);
	if (r == 0)
		r = sink_close(s);
	else
		sink_close(s);
	return r < 0 ? fail("random", r) : 0;
}

int main(int argc, char **argv)
{
	const struct golden_case *c;

	setenv("TZ", "UTC", 1);
	unsetenv("NO_COLOR");
	tzset();
	signal(SIGPIPE, SIG_IGN);
	if (argc == 4 && !strcmp(argv[1], "-b"))
		return bench(argv[2], strtoul(argv[3], NULL, 10));
	if (argc == 5 && !strcmp(argv[1], "-r"))
		return random_records(argv[2], strtoul(argv[3], NULL, 10), strtoul(argv[4], NULL, 10));
	if (argc < 2) {
		for (size_t i = 0; i < golden_n_cases; i++)
			puts(golden_cases[i].name);
		return 0;
	}
	c = find(argv[1]);
	if (!c) {
		fprintf(stderr, "golden: no case %s\n", argv[1]);
		return 2;
	}
	return run_case(c);
}
