/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CLI_PARSERS_H
#define CTRACE_CLI_PARSERS_H
/* What an option of options.def does with its argument. */
#include "cli/options.h"
#include "util/macros.h"

#define STATUS_WORDS    "successful failed unfinished unavailable detached all none"
#define PRECISION_WORDS "s ms us ns"
#define QUIET_WORDS     "attach exit path-resolution personality thread-execve all none"
#define CLASS_WORDS     "%file %process %network %signal %ipc %desc %memory %creds %stat %lstat %fstat %%stat %statfs %fstatfs %%statfs %clock %pure all none"
#define PIDS_WORDS      "comm pidns all none"
#define FDS_WORDS       "path socket dev eventfd pidfd signalfd all none"
#define SECONTEXT_WORDS "full all none"
#define STACK_WORDS     "symbol"
#define SORT_WORDS      "time min-time max-time avg-time calls errors name nothing"

#define COLUMN_WORDS    "time-percent total-time min-time max-time avg-time wall-total wall-min wall-max wall-avg calls errors name"
#define HEX_WORDS       "none non-ascii-chars non-ascii all"

/* Bits of PIDS_WORDS. */
#define DECODE_COMM  1
#define DECODE_PIDNS 2

/* One pass over argv. */
struct parse {
	struct config *c;
	const char *option;             /* as it stands in argv: "-s", "--string-limit" */
	unsigned n_t, n_q, n_f, n_x;    /* -t, -q, -f and -x so far */
	unsigned quiet_set;             /* -e quiet= */
	unsigned n_y;                   /* -y so far */
	bool fds_set;                   /* --decode-fds */
	char *err;
	size_t err_size;
};

/* Sets the message; returns -EINVAL. */
int parse_error(struct parse *p, const char *format, ...) _printf_(2, 3);

/* --container pid:1, which nobody wrote. 0 or a negative errno. */
int target_by_default(struct parse *p);

typedef int option_parser(struct parse *p, const struct option_row *row, const char *text);

option_parser option_target, option_pod_selector, option_pids, option_all, option_follow, option_string, option_flag, option_constant, option_word,
	option_nothing, option_unsigned, option_pid, option_duration, option_limit, option_buffer, option_ready_fd, option_expression,
	option_trace, option_signal, option_status, option_comm, option_format, option_string_limit, option_stamp,
	option_relative, option_times, option_decode_pids, option_stack_trace, option_secontext, option_decode_fds, option_trace_path, option_trace_fds, option_quiet, option_sort, option_env, option_verb, option_hex, option_call_set, option_no_abbrev, option_data, option_columns;

/* What -q and -e quiet= have come to, for the config. */
void quiet_apply(const struct parse *p);

#endif
