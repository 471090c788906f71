/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_OUTPUT_SINK_H
#define CTRACE_OUTPUT_SINK_H
/*
 * Sinks: what becomes of the records of a run. A sink is one file and one
 * line in sinks.def. Every function returns 0 or a negative errno; after
 * -EPIPE or another error of the output the run ends.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "decode/decode.h"
#include "decode/record.h"
#include "util/escape.h"

/* How targets are named in the output; lives as long as the run. */
struct target_label {
	const char *name;               /* before the prefix when there are several targets; bytes */
	bool is_container;
	const char *id, *runtime, *image;               /* NULL: not known */
	const char *pod_namespace, *pod, *pod_uid, *pod_container, *pod_kind;
	const char *pod_path;           /* NAMESPACE/POD[/CONTAINER] of a target that is asked for as a pod's; NULL: others */
	bool vacant;                    /* in reserve for a container of pods: it stands for nothing now */
	bool many_pods;                 /* asked for by labels, while more pods may come */
	bool plain_prefix;              /* COMMAND and -p: the pid prefix appears when a second task does, as in strace */
	uint32_t init_host_pid;         /* 0: none */
	char cgroup[256];               /* "" : none */
	unsigned n_tasks;               /* when it was resolved; 0: not known, or COMMAND */
};

enum pids_mode { PIDS_CONTAINER, PIDS_HOST, PIDS_BOTH };
enum stamp_mode { STAMP_NONE, STAMP_TIME, STAMP_TIME_US, STAMP_UNIX_US, STAMP_TIME_MS, STAMP_TIME_NS, STAMP_UNIX, STAMP_UNIX_MS, STAMP_UNIX_NS };
enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* Columns of the table, by strace's names; the wall- ones are the same as those before, under their own titles. */
enum summary_column {
	SUMMARY_END,                    /* of a list of them */
	SUMMARY_PERCENT, SUMMARY_TOTAL, SUMMARY_MIN, SUMMARY_MAX, SUMMARY_AVG, SUMMARY_WALL_TOTAL, SUMMARY_WALL_MIN,
	SUMMARY_WALL_MAX, SUMMARY_WALL_AVG, SUMMARY_CALLS, SUMMARY_ERRORS, SUMMARY_NAME, SUMMARY_COLUMNS,
};

struct output_opts {
	const char *format;             /* name of a sink: "text", "json", "summary" (-c) */
	const char *path;               /* -o: file, "|cmd" or "!cmd"; NULL: a stream */
	bool to_stderr;                 /* no -o: COMMAND's trace goes to standard error */
	bool append;                    /* -A */
	bool separate;                  /* -ff: a file for each task; with path alone */
	enum stamp_mode stamp;          /* -t -tt -ttt */
	bool relative;                  /* -r */
	bool duration;                  /* -T */
	unsigned relative_digits, duration_digits;      /* 0 for s, 3, 6, 9 */
	bool comm;                      /* -Y */
	bool syscall_number;            /* -n */
	bool ip;                        /* -i */
	bool stack;                     /* -k */
	unsigned stack_limit;           /* frames of a stack */
	bool arg_names;                 /* -N */
	enum hex_mode hex;              /* -x, -xx */
	bool and_summary;               /* -C: the table after the trace */
	bool summary_only;              /* -c */
	const char *summary_sort;       /* -S; NULL: time */
	unsigned char summary_columns[SUMMARY_COLUMNS + 1];     /* -U: up to SUMMARY_END; none: the usual ones */
	enum pids_mode pids;
	enum color_mode color;
	unsigned column;                /* -a: 40 */
	bool split;                     /* --split: <unfinished ...> and <... resumed>, in the order in which calls begin */
	unsigned quiet;                 /* -q: 1 to 3 */
	bool quiet_exit;                /* no "+++ exited" lines (-qq) */
	bool always_pid;                /* --always-show-pid */
	bool always_pod;                /* --always-show-pod */
	struct decode_opts decode;
	bool (*show_signal)(int signo, void *data);     /* -e signal=; NULL: all */
	void *show_signal_data;
};

/* What a sink needs to know about the run. */
struct run_info {
	const struct output_opts *opts;
	const struct target_label *targets;
	size_t n_targets;
	int64_t wall_offset;            /* CLOCK_REALTIME - CLOCK_BOOTTIME, ns, at the announcement */
	uint64_t since;                 /* the announcement, CLOCK_BOOTTIME ns */
	const char *version;
};

struct sink;

struct sink_ops {
	const char *name;
	/* start: tracing is active; nothing is written before. */
	int (*start)(struct sink *s);
	int (*call)(struct sink *s, const struct call *c);
	/*
	 * A call that has begun and not ended: exit is 0, ret is nothing, captures are those of its input. Its call()
	 * follows when it ends, with the same task and enter. With --split every call is told so; else those
	 * that have been blocked for a second, when the output asked for it (wants_blocked).
	 */
	int (*enter)(struct sink *s, const struct call *c);
	int (*signal)(struct sink *s, const struct signal_event *e);
	int (*exec)(struct sink *s, const struct exec_event *e);
	int (*exit)(struct sink *s, const struct exit_event *e);
	int (*left)(struct sink *s, const struct left_event *e);
	int (*started)(struct sink *s, const struct started_event *e);
	/* The label of a target says something else now. */
	int (*relabel)(struct sink *s, uint32_t target);
	int (*container)(struct sink *s, const struct container_event *e);
	int (*lost)(struct sink *s, const struct lost_event *e);
	int (*summary)(struct sink *s, const struct count_row *rows, size_t n, uint64_t elapsed_ns);
	int (*coverage)(struct sink *s, const struct coverage *c);
	void (*free)(struct sink *s);
};

struct outfile;

/* Every sink begins with this. */
struct sink {
	const struct sink_ops *ops;
	const struct run_info *run;
	struct outfile *out;            /* owned */
	bool wants_blocked;             /* set by the sink: calls that have been blocked for a second go to enter() */
};

/*
 * Opens the output that the options name and makes the sink. run must outlive
 * it; run->since and run->wall_offset may be filled in until start().
 * -EINVAL: no such format.
 */
int sink_open(const struct run_info *run, struct sink **ret_sink);
/* Writes out what is buffered: call it when there is nothing more to read. */
int sink_flush(struct sink *s);
/* Flushes, closes, waits for the command of -o '|cmd', frees. The first error of the output. Takes NULL. */
int sink_close(struct sink *s);

/* Call records of which every byte has been written; those in flight at the end are not counted (as in "delivered"). */
uint64_t sink_written(const struct sink *s);
/* The process that reads our output by -o '|cmd'; 0: none. */
pid_t sink_reader(const struct sink *s);
/* Whether there is such a format, and such a key for -S. */
bool sink_format_valid(const char *name);
bool sink_sort_valid(const char *key);
/* -U's list to columns, up to SUMMARY_END. -EINVAL: unknown, -EEXIST: named twice; *ret_bad points to it. */
int sink_columns_parse(const char *text, unsigned char ret_columns[static SUMMARY_COLUMNS + 1], const char **ret_bad);

/* The coverage statement, one line, without "ctrace: " and newline. */
size_t coverage_line(const struct coverage *c, int64_t wall_offset, char *buf, size_t size);
/* The coverage record as one JSON object (status file), without newline. malloc'd. */
char *coverage_json(const struct coverage *c, int64_t wall_offset);

#endif
