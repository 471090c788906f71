/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CLI_CONFIG_H
#define CTRACE_CLI_CONFIG_H
/* What the command line asks for: made once by config_parse(), const after. */
#include "output/sink.h"
#include "session/session.h"
#include "stack/stack.h"
#include "target/target.h"

enum verb { VERB_TRACE, VERB_PS, VERB_CHECK, VERB_IDLE, VERB_HELP, VERB_VERSION };

struct config {
	enum verb verb;
	struct target_spec *specs;      /* owned; without COMMAND */
	size_t n_specs;
	char **command;                 /* NULL-terminated, into argv; NULL: none */
	const char *argv0;              /* --argv0 */
	const char *user;               /* -u */
	char **env_changes;             /* -E, NULL-terminated, into argv */
	const char *proc, *cgroupfs;
	struct output_opts output;
	struct session_opts session;
	struct syscall_set call_sets[3];        /* -e abbrev=, verbose=, raw=: output.decode points here */
	struct fd_set_spec data_fds[2];         /* -e read=, write= */
	const char *status_file;
	bool print_pod_spec;            /* ctrace check */
	pid_t ps_pid;                   /* ctrace ps --pid; 0: all containers */
	bool strict;
	bool by_default;                /* no target was named: the container whose pid namespace ctrace is in */
	bool wait;                      /* --wait */
	bool secontext, secontext_full; /* --secontext */
	bool traces;                    /* -e trace= was given */
	bool names;                     /* --names */
	unsigned quiet;
	bool quiet_paths;               /* -e quiet=path-resolution */
	uint64_t signals;               /* -e signal=: signal n is bit n - 1; output.show_signal_data points here */
};

/*
 * 0, or the exit status to end with (2, wrong usage, after one line on
 * standard error). The config must stay where it is.
 */
int config_parse(int argc, char **argv, struct config *ret_config);
/* The same, with the line in err: 0, -EINVAL or another negative errno. */
int config_read(int argc, char **argv, struct config *ret_config, char *err, size_t err_size);
void config_done(struct config *c);

/* The whole program; returns its exit status. */
int ctrace_main(int argc, char **argv);

#endif
