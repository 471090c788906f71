/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The kernel's counters: losses at their place, the -c table, the coverage statement. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "session/internal.h"
#include "session/narrow.h"

/* All rows by one call: what is counted meanwhile may be counted to the wrong side of a gap's end. */
static int rows_read(const struct session *s, struct counters *c)
{
	_cleanup_free_ struct ct_count *values = malloc(sizeof(*values) * CT_ROWS * s->n_cpus);
	_cleanup_free_ uint32_t *keys = malloc(sizeof(*keys) * CT_ROWS);
	const struct ct_count *v = values;
	uint32_t n = CT_ROWS, next;
	int err;

	if (!values || !keys)
		return -ENOMEM;
	err = bpf_map_lookup_batch(bpf_map__fd(s->skel->maps.counts), NULL, &next, keys, values, &n, NULL);
	if (err && err != -ENOENT)      /* that is the end of the map */
		return err;
	if (n != CT_ROWS)
		return -EIO;
	for (uint32_t i = 0; i < n; i++) {
		struct ct_count *r = &c->rows[keys[i]];

		for (int cpu = 0; cpu < s->n_cpus; cpu++, v++) {
			r->seen += v->seen;
			r->delivered += v->delivered;
			r->filtered += v->filtered;
			r->ring_full += v->ring_full;
			r->too_big += v->too_big;
		}
	}
	return 0;
}

int counters_read(const struct session *s, struct counters *ret_counters)
{
	_cleanup_free_ struct ct_cpu *cpus = calloc(s->n_cpus, sizeof(*cpus));
	uint64_t *sum = (uint64_t *)&ret_counters->cpu;
	uint32_t zero = 0;
	int err;

	if (!cpus)
		return -ENOMEM;
	memset(ret_counters, 0, sizeof(*ret_counters));
	err = rows_read(s, ret_counters);
	if (err)
		return err;
	err = bpf_map_lookup_elem(bpf_map__fd(s->skel->maps.cpu), &zero, cpus);
	if (err)
		return err;
	for (int c = 0; c < s->n_cpus; c++) {
		for (size_t i = 0; i < sizeof(*cpus) / sizeof(uint64_t); i++)
			sum[i] += ((uint64_t *)&cpus[c])[i];
	}
	return 0;
}

static enum abi row_abi(uint32_t row)
{
	return row < CT_NR_NATIVE || row == CT_ROW_OUTSIDE ? ABI_NATIVE : ABI_COMPAT;
}

static uint32_t row_nr(uint32_t row)
{
	return row == CT_ROW_OUTSIDE ? UINT32_MAX : row < CT_NR_NATIVE ? row : row - CT_NR_NATIVE;
}

int stats_read(const struct session *s, struct count_row **ret_rows, size_t *ret_n)
{
	_cleanup_free_ struct ct_stat *cpus = calloc(s->n_cpus, sizeof(*cpus));
	_cleanup_free_ struct count_row *rows = NULL;
	size_t n = 0, total = s->targets->n * CT_ROWS;

	rows = calloc(total, sizeof(*rows));
	if (!cpus || !rows)
		return -ENOMEM;
	for (uint32_t i = 0; i < total; i++) {
		struct count_row *r = &rows[n];

		*r = (struct count_row){ .target = i / CT_ROWS, .abi = row_abi(i % CT_ROWS), .nr = row_nr(i % CT_ROWS) };
		if (bpf_map_lookup_elem(bpf_map__fd(s->skel->maps.stats), &i, cpus))
			continue;
		for (int c = 0; c < s->n_cpus; c++) {
			r->calls += cpus[c].calls;
			r->errors += cpus[c].errors;
			r->no_return += cpus[c].no_return;
			r->total_ns += cpus[c].total;
			if (cpus[c].min && (!r->min_ns || cpus[c].min < r->min_ns))
				r->min_ns = cpus[c].min;
			r->max_ns = MAX(r->max_ns, cpus[c].max);
		}
		if (r->calls || r->no_return)
			n++;
	}
	*ret_rows = TAKE_PTR(rows);
	*ret_n = n;
	return 0;
}

bool losses_untold(const struct session *s, uint16_t cpu, uint32_t lost)
{
	return cpu < s->n_cpus && (int32_t)(lost - (uint32_t)s->losses.per_cpu[cpu]) > 0;
}

/* Keeps the rows that lost most, in order. */
static void add_row(struct lost_event *e, uint32_t row, uint64_t count)
{
	struct lost_row r = { row_abi(row), row_nr(row), count };
	unsigned i;

	if (e->n_rows < ARRAY_SIZE(e->rows))
		e->n_rows++;
	else if (e->rows[e->n_rows - 1].count >= count)
		return;
	for (i = e->n_rows - 1; i > 0 && e->rows[i - 1].count < count; i--)
		e->rows[i] = e->rows[i - 1];
	e->rows[i] = r;
}

/* Reads the CPUs' counters into s->losses.now. */
static bool read_cpus(struct session *s)
{
	uint32_t zero = 0;

	return !bpf_map_lookup_elem(bpf_map__fd(s->skel->maps.cpu), &zero, s->losses.now);
}

bool losses_pending(struct session *s)
{
	if (!read_cpus(s))
		return false;
	for (int c = 0; c < s->n_cpus; c++) {
		if (s->losses.now[c].lost != s->losses.per_cpu[c])
			return true;
	}
	return false;
}

static void take_per_cpu(struct session *s)
{
	if (!read_cpus(s))
		return;
	for (int c = 0; c < s->n_cpus; c++)
		s->losses.per_cpu[c] = s->losses.now[c].lost;
}

bool losses_take(struct session *s, struct lost_event *ret_event)
{
	_cleanup_free_ struct counters *now = malloc(sizeof(*now));

	*ret_event = (struct lost_event){ .time = boottime_ns() };
	/* The CPUs first: what is lost between the two readings is told at once and again looked for, never forgotten. */
	take_per_cpu(s);
	if (!now || counters_read(s, now))
		return false;
	for (uint32_t i = 0; i < CT_ROWS; i++) {
		uint64_t full = now->rows[i].ring_full - s->losses.ring_full[i];
		uint64_t big = now->rows[i].too_big - s->losses.too_big[i];

		if (!full && !big)
			continue;
		ret_event->ring_full += full;
		ret_event->too_big += big;
		add_row(ret_event, i, full + big);
		s->losses.ring_full[i] = now->rows[i].ring_full;
		s->losses.too_big[i] = now->rows[i].too_big;
	}
	ret_event->total = ret_event->ring_full + ret_event->too_big;
	return ret_event->total != 0;
}

_printf_(2, 3) static void because(struct coverage *c, const char *format, ...)
{
	va_list args;

	if (c->n_why == ARRAY_SIZE(c->why))
		return;
	va_start(args, format);
	vsnprintf(c->why[c->n_why++], sizeof(c->why[0]), format, args);
	va_end(args);
}

/* Runs of a program that the kernel left out since another ran on that CPU. */
static uint64_t recursion_misses(const struct session *s)
{
	struct bpf_program *p;
	uint64_t n = narrow_misses(s->narrow);

	bpf_object__for_each_program(p, s->skel->obj)
		n += program_misses(bpf_program__fd(p));
	return n;
}

static void sum_calls(const struct session *s, const struct counters *n, struct coverage *c)
{
	for (size_t i = 0; i < CT_ROWS; i++) {
		c->calls.seen += n->rows[i].seen;
		c->calls.delivered += n->rows[i].delivered;
		c->calls.filtered += n->rows[i].filtered;
		c->calls.lost_ring_full += n->rows[i].ring_full;
		c->calls.lost_too_big += n->rows[i].too_big;
	}
	/* Filtered is what is not shown because it was not asked for, wherever that is found out. */
	c->calls.delivered -= s->untouched;
	c->calls.filtered += s->untouched;
	c->calls.begun_before = n->cpu.begun_before;
	c->calls.degraded = n->cpu.degraded;
}

/* A cause with a number; 0 is none. */
static void counted(struct coverage *c, uint64_t n, const char *one, const char *many)
{
	if (n)
		because(c, "%llu %s", (unsigned long long)n, n == 1 ? one : many);
}

/* What the readings of /proc and of the runtimes' files had to say. */
static void judge_readings(const struct session *s, struct coverage *c)
{
	counted(c, c->tasks.late, "task of the target was not traced", "tasks of the target were not traced");
	if (!s->rested)
		because(c, "the tasks of the target did not come to rest while tracing began");
	if (s->audit_error)
		because(c, "the last reading of the target's tasks failed");
	if (s->unread)
		because(c, "the tasks of a target could not be read");
	counted(c, s->waiter ? waiter_unseated(s->waiter) : 0, "container of the pods came when as many were traced as one run can",
		"containers of the pods came when as many were traced as one run can");
	counted(c, s->late_starts, "container was known only after it had started", "containers were known only after they had started");
}

/* What the kernel side counted, and pairs of its counters that do not agree. */
static void judge_counters(const struct session *s, const struct ct_cpu *n, struct coverage *c)
{
	counted(c, recursion_misses(s), "run of the BPF programs was left out by the kernel", "runs of the BPF programs were left out by the kernel");
	if (n->too_deep)
		because(c, "cgroups deeper than %d levels", CT_LEVELS);
	counted(c, n->adopt_failed, "verdict could not be kept", "verdicts could not be kept");
	counted(c, n->chains_broken - n->chains_adopted, "task ended, and its children may have been missed", "tasks ended, and their children may have been missed");
	if (n->unjudged > n->uncached)
		counted(c, n->unjudged - n->uncached, "call was made before its task was judged", "calls were made before their task was judged");
	if (n->forks_unseen > n->forks_blind)
		counted(c, n->forks_unseen - n->forks_blind, "fork was not seen", "forks were not seen");
	counted(c, n->preempted, "run of the BPF programs came upon a preempted one", "runs of the BPF programs came upon a preempted one");
	counted(c, n->events_lost, "signal, end or move lost: ring full, see --buffer", "signals, ends or moves lost: ring full, see --buffer");
}

static void judge_coverage(const struct session *s, const struct counters *n, struct coverage *c)
{
	counted(c, c->calls.lost_ring_full, "call lost: ring full, see --buffer", "calls lost: ring full, see --buffer");
	counted(c, c->calls.lost_too_big, "call lost: too big for a record", "calls lost: too big for a record");
	if (!s->opts.counts_only && c->written != c->calls.delivered)
		because(c, "%llu of %llu calls were not written", (unsigned long long)(c->calls.delivered - c->written),
			(unsigned long long)c->calls.delivered);
	judge_readings(s, c);
	judge_counters(s, &n->cpu, c);
	counted(c, s->bad_records, "record was not understood", "records were not understood");
	c->complete = c->n_why == 0;
}

void coverage_fill(struct session *s, const struct sink *sink, uint64_t late, uint64_t in_flight, struct coverage *ret_coverage)
{
	_cleanup_free_ struct counters *n = malloc(sizeof(*n));
	struct coverage *c = ret_coverage;

	memset(c, 0, sizeof(*c));
	c->since = s->since;
	c->written = sink_written(sink);
	if (!n || counters_read(s, n)) {
		because(c, "the counters could not be read");
		return;
	}
	sum_calls(s, n, c);
	c->calls.in_flight = in_flight;
	c->tasks.at_start = n->cpu.at_start;
	c->tasks.by_rescan = n->cpu.by_rescan;
	c->tasks.by_fork = n->cpu.by_fork;
	c->tasks.by_move = n->cpu.by_move;
	c->tasks.on_first_call = n->cpu.on_first_call;
	c->tasks.ended = n->cpu.ended;
	c->tasks.left = n->cpu.left;
	c->tasks.late = late;
	c->narrow = s->opts.narrow;
	session_hold_stats(s, c);
	judge_coverage(s, n, c);
}
