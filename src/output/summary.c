/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The table of -c. Layout and sort keys are strace's (its -w form); the
 * counters come from the kernel, so they are exact whatever was lost.
 */
#include "output/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/prefix.h"
#include "util/macros.h"

struct row {
	char name[40];
	unsigned number;                /* of its row among all calls */
	uint64_t calls, errors, no_return;
	uint64_t total_ns, min_ns, max_ns;
};

struct table {
	struct row *rows;
	size_t n;
	struct row sum;
	size_t name_width;
	const unsigned char *columns;   /* up to SUMMARY_END */
	int widths[SUMMARY_COLUMNS];
};

typedef int (*compare_fn)(const void *a, const void *b);

static int by_number(const void *a, const void *b)
{
	unsigned x = ((const struct row *)a)->number, y = ((const struct row *)b)->number;

	return (x > y) - (x < y);
}

/* Largest first; equal ones by number, as strace has them. */
#define COMPARE(function, expression)                                           \
	static int function(const void *va, const void *vb)                     \
	{                                                                       \
		const struct row *r = va;                                       \
		uint64_t a = (expression), b;                                   \
                                                                                \
		r = vb;                                                         \
		b = (expression);                                               \
		if (a != b)                                                     \
			return a < b ? 1 : -1;                                  \
		return by_number(va, vb);                                       \
	}

COMPARE(by_time, r->total_ns)
COMPARE(by_min, r->min_ns)
COMPARE(by_max, r->max_ns)
COMPARE(by_avg, r->calls ? r->total_ns / r->calls : 0)
COMPARE(by_calls, r->calls)
COMPARE(by_errors, r->errors)

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
}

/* The keys of strace -S with all their spellings; NULL: not sorted. */
static const struct {
	const char *key;
	compare_fn compare;
} sort_keys[] = {
	{ "time", by_time },	   { "time-percent", by_time }, { "time-total", by_time }, { "total-time", by_time },
	{ "wall-total", by_time }, { "total-wall", by_time },	{ "min-time", by_min },	   { "time-min", by_min },
	{ "shortest", by_min },	   { "wall-min", by_min },	{ "min-wall", by_min },	   { "max-time", by_max },
	{ "time-max", by_max },	   { "longest", by_max },	{ "wall-max", by_max },	   { "max-wall", by_max },
	{ "avg-time", by_avg },	   { "time-avg", by_avg },	{ "wall-avg", by_avg },	   { "avg-wall", by_avg },
	{ "calls", by_calls },	   { "count", by_calls },	{ "error", by_errors },	   { "errors", by_errors },
	{ "name", by_name },	   { "syscall", by_name },	{ "syscall-name", by_name }, { "none", NULL },
	{ "nothing", NULL },
};

/* strace takes an underline for each dash. */
static bool same_key(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && !(*a == '-' && *b == '_'))
			return false;
	return *a == *b;
}

static int find_sort(const char *key, compare_fn *ret_compare)
{
	for (size_t i = 0; i < ARRAY_SIZE(sort_keys); i++) {
		if (!same_key(sort_keys[i].key, key))
			continue;
		*ret_compare = sort_keys[i].compare;
		return 0;
	}
	return -EINVAL;
}

bool summary_sort_valid(const char *key)
{
	compare_fn compare;

	return find_sort(key, &compare) == 0;
}

static void add(struct row *to, const struct count_row *from)
{
	if (from->calls && (!to->calls || from->min_ns < to->min_ns))
		to->min_ns = from->min_ns;
	to->max_ns = MAX(to->max_ns, from->max_ns);
	to->calls += from->calls;
	to->errors += from->errors;
	to->no_return += from->no_return;
	to->total_ns += from->total_ns;
}

/* The rows of one target, or (CT_NO_TARGET) of all; names that occur twice are one row. */
static int table_make(struct table *t, const struct count_row *rows, size_t n, uint32_t target)
{
	*t = (struct table){ .name_width = 15 };
	t->rows = calloc(n ? n : 1, sizeof(*t->rows));
	if (!t->rows)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		char buf[32], name[40];
		size_t k;

		if (target != CT_NO_TARGET && rows[i].target != target)
			continue;
		if (!rows[i].calls && !rows[i].no_return)
			continue;
		snprintf(name, sizeof(name), "%s%s", call_name(rows[i].abi, rows[i].nr, buf),
			 rows[i].abi == ABI_COMPAT ? "@32" : "");
		for (k = 0; k < t->n && strcmp(t->rows[k].name, name); k++)
			;
		if (k == t->n) {
			t->rows[k].number = call_row(rows[i].abi != ABI_NATIVE, rows[i].nr);
			strcpy(t->rows[t->n++].name, name);
		}
		add(&t->rows[k], &rows[i]);
		add(&t->sum, &rows[i]);
		if (rows[i].calls)
			t->name_width = MAX(t->name_width, strlen(name));
	}
	return 0;
}

static _printf_(2, 3) void put(struct strbuf *sb, const char *format, ...)
{
	char buf[256];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(buf, sizeof(buf), format, ap);
	va_end(ap);
	if (n > 0)
		strbuf_bytes(sb, buf, MIN((size_t)n, sizeof(buf) - 1));
}

static const struct column {
	enum summary_column column;
	const char *title;
	int width;                      /* at least; below 0: to the left */
} columns[] = {
	[SUMMARY_PERCENT] = { SUMMARY_PERCENT, "% time", 6 },	[SUMMARY_TOTAL] = { SUMMARY_TOTAL, "seconds", 11 },
	[SUMMARY_MIN] = { SUMMARY_MIN, "shortest", 8 },		[SUMMARY_MAX] = { SUMMARY_MAX, "longest", 8 },
	[SUMMARY_AVG] = { SUMMARY_AVG, "usecs/call", 11 },	[SUMMARY_WALL_TOTAL] = { SUMMARY_TOTAL, "wall-total", 11 },
	[SUMMARY_WALL_MIN] = { SUMMARY_MIN, "wall-min", 8 },	[SUMMARY_WALL_MAX] = { SUMMARY_MAX, "wall-max", 8 },
	[SUMMARY_WALL_AVG] = { SUMMARY_AVG, "wall-avg", 11 },	[SUMMARY_CALLS] = { SUMMARY_CALLS, "calls", 9 },
	[SUMMARY_ERRORS] = { SUMMARY_ERRORS, "errors", 9 },	[SUMMARY_NAME] = { SUMMARY_NAME, "syscall", -1 },
};

/* strace's names of the columns, each in all its spellings. */
static const struct { const char *key; enum summary_column column; } column_keys[] = {
	{ "time-percent", SUMMARY_PERCENT },  { "time", SUMMARY_PERCENT },	    { "total-time", SUMMARY_TOTAL },
	{ "time-total", SUMMARY_TOTAL },      { "min-time", SUMMARY_MIN },	    { "time-min", SUMMARY_MIN },
	{ "shortest", SUMMARY_MIN },	      { "max-time", SUMMARY_MAX },	    { "time-max", SUMMARY_MAX },
	{ "longest", SUMMARY_MAX },	      { "avg-time", SUMMARY_AVG },	    { "time-avg", SUMMARY_AVG },
	{ "wall-total", SUMMARY_WALL_TOTAL }, { "total-wall", SUMMARY_WALL_TOTAL }, { "wall-min", SUMMARY_WALL_MIN },
	{ "min-wall", SUMMARY_WALL_MIN },     { "wall-max", SUMMARY_WALL_MAX },	    { "max-wall", SUMMARY_WALL_MAX },
	{ "wall-avg", SUMMARY_WALL_AVG },     { "avg-wall", SUMMARY_WALL_AVG },	    { "calls", SUMMARY_CALLS },
	{ "count", SUMMARY_CALLS },	      { "errors", SUMMARY_ERRORS },	    { "error", SUMMARY_ERRORS },
	{ "name", SUMMARY_NAME },	      { "syscall", SUMMARY_NAME },	    { "syscall-name", SUMMARY_NAME },
};

static const unsigned char default_columns[] = {
	SUMMARY_PERCENT, SUMMARY_TOTAL, SUMMARY_AVG, SUMMARY_CALLS, SUMMARY_ERRORS, SUMMARY_NAME, SUMMARY_END,
};

static int column_by_key(const char *key, size_t len)
{
	char copy[24];

	if (len >= sizeof(copy))
		return -EINVAL;
	memcpy(copy, key, len);
	copy[len] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(column_keys); i++)
		if (same_key(column_keys[i].key, copy))
			return (int)column_keys[i].column;
	return -EINVAL;
}

int summary_columns_parse(const char *text, unsigned char ret_columns[static SUMMARY_COLUMNS + 1], const char **ret_bad)
{
	unsigned char chosen[SUMMARY_COLUMNS + 1];
	size_t n = 0;
	bool named = false;

	for (;;) {
		size_t len = strcspn(text, ",");
		int column = column_by_key(text, len);

		*ret_bad = text;
		if (column < 0)
			return -EINVAL;
		if (memchr(chosen, column, n))
			return -EEXIST;
		chosen[n++] = (unsigned char)column;
		named |= column == SUMMARY_NAME;
		if (!text[len])
			break;
		text += len + 1;
	}
	/* A row without a name says nothing: strace puts it last. */
	if (!named)
		chosen[n++] = SUMMARY_NAME;
	chosen[n++] = SUMMARY_END;
	memcpy(ret_columns, chosen, n);
	return 0;
}

/* One value, without padding. */
static void value_text(char *buf, size_t size, const struct row *r, const struct table *t, enum summary_column column)
{
	double total = (double)t->sum.total_ns;
	uint64_t seconds = column == SUMMARY_MIN ? r->min_ns : column == SUMMARY_MAX ? r->max_ns : r->total_ns;

	switch (column) {
	case SUMMARY_PERCENT:
		snprintf(buf, size, "%.2f", r == &t->sum ? 100.0 : total > 0 ? 100 * (double)r->total_ns / total : 0);
		break;
	case SUMMARY_AVG:
		snprintf(buf, size, "%" PRIu64, r->calls ? r->total_ns / r->calls / 1000 : 0);
		break;
	case SUMMARY_CALLS:
		snprintf(buf, size, "%" PRIu64, r->calls);
		break;
	case SUMMARY_ERRORS:
		snprintf(buf, size, "%.0" PRIu64, r->errors);
		break;
	case SUMMARY_NAME:
		snprintf(buf, size, "%s", r->name);
		break;
	default:
		snprintf(buf, size, "%.6f", (double)seconds / 1e9);
		break;
	}
}

/* As wide as its title and its values need. */
static int column_width(const struct table *t, const struct column *c)
{
	int width = c->width < 0 ? (int)t->name_width + 1 : c->width;
	char buf[48];

	for (size_t i = 0; i <= t->n; i++) {
		value_text(buf, sizeof(buf), i < t->n ? &t->rows[i] : &t->sum, t, c->column);
		width = MAX(width, (int)strlen(buf));
	}
	return c->width < 0 ? -width : width;
}

/* A line of the table: r's values, or (NULL) the titles. */
static void put_line(struct strbuf *sb, const struct table *t, const struct row *r)
{
	for (const unsigned char *k = t->columns; *k != SUMMARY_END; k++) {
		const struct column *c = &columns[*k];
		char buf[48];

		if (r)
			value_text(buf, sizeof(buf), r, t, c->column);
		else
			snprintf(buf, sizeof(buf), "%s", c->title);
		if (k != t->columns)
			strbuf_char(sb, ' ');
		if (c->width < 0 && k[1] == SUMMARY_END)
			strbuf_str(sb, buf);
		else
			put(sb, "%*s", t->widths[*k], buf);
	}
	strbuf_char(sb, '\n');
}

static void put_rule(struct strbuf *sb, const struct table *t)
{
	for (const unsigned char *k = t->columns; *k != SUMMARY_END; k++) {
		if (k != t->columns)
			strbuf_char(sb, ' ');
		for (int i = abs(t->widths[*k]); i > 0; i--)
			strbuf_char(sb, '-');
	}
	strbuf_char(sb, '\n');
}

static void put_never_returned(struct strbuf *sb, const struct table *t)
{
	bool any = false;

	if (!t->sum.no_return)
		return;
	put(sb, "never returned: %" PRIu64 " (", t->sum.no_return);
	for (size_t i = 0; i < t->n; i++) {
		if (!t->rows[i].no_return)
			continue;
		put(sb, "%s%s %" PRIu64, any ? ", " : "", t->rows[i].name, t->rows[i].no_return);
		any = true;
	}
	strbuf_lit(sb, ")\n");
}

static void put_table(struct strbuf *sb, struct table *t)
{
	strcpy(t->sum.name, "total");
	for (size_t i = 1; i < SUMMARY_COLUMNS; i++)
		t->widths[i] = column_width(t, &columns[i]);
	put_line(sb, t, NULL);
	put_rule(sb, t);
	for (size_t i = 0; i < t->n; i++)
		if (t->rows[i].calls)
			put_line(sb, t, &t->rows[i]);
	put_rule(sb, t);
	put_line(sb, t, &t->sum);
	put_never_returned(sb, t);
}

/* title: the target that it is called after, CT_NO_TARGET: the total. */
static int put_target(struct strbuf *sb, const struct run_info *run, uint32_t title, const struct count_row *rows, size_t n,
		      uint32_t target, compare_fn compare, uint64_t elapsed_ns)
{
	struct table t;
	int r = table_make(&t, rows, n, target);

	if (r < 0)
		return r;
	t.columns = run->opts->summary_columns[0] == SUMMARY_END ? default_columns : run->opts->summary_columns;
	if (compare)
		qsort(t.rows, t.n, sizeof(*t.rows), compare);
	if (title == CT_NO_TARGET) {
		strbuf_lit(sb, "total, ");
	} else if (run->targets[title].name) {
		target_title(run, title, NULL, sb);
		strbuf_lit(sb, ", ");
	}
	put(sb, "wall time in %" PRIu64 ".%06" PRIu64 " seconds:\n", elapsed_ns / 1000000000,
	    elapsed_ns / 1000 % 1000000);
	put_table(sb, &t);
	free(t.rows);
	return 0;
}

static int put_all(struct strbuf *sb, const struct run_info *run, const struct count_row *rows, size_t n,
		   uint64_t elapsed_ns)
{
	compare_fn compare = by_time;
	int r = 0;

	if (run->opts->summary_sort && find_sort(run->opts->summary_sort, &compare) < 0)
		return -EINVAL;
	for (size_t i = 0; i < run->n_targets && run->n_targets > 1 && r == 0; i++) {
		if (run->targets[i].vacant)
			continue;
		r = put_target(sb, run, (uint32_t)i, rows, n, (uint32_t)i, compare, elapsed_ns);
		strbuf_char(sb, '\n');
	}
	if (r < 0)
		return r;
	return put_target(sb, run, run->n_targets == 1 ? 0 : CT_NO_TARGET, rows, n, CT_NO_TARGET, compare, elapsed_ns);
}

int summary_write(struct outfile *out, const struct run_info *run, const struct count_row *rows, size_t n,
		  uint64_t elapsed_ns)
{
	struct strbuf *sb = outfile_begin(out);
	int q, r = put_all(sb, run, rows, n, elapsed_ns);

	if (r < 0)
		sb->failed = true;      /* drops what is there of the table */
	q = outfile_end(out, false);
	return r < 0 ? r : q;
}
