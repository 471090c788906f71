/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_SESSION_SESSION_H
#define CTRACE_SESSION_SESSION_H
/*
 * A session: the BPF programs, loaded and attached for a list of targets, and
 * the loop that takes their records to a sink. The only user of the skeleton.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "decode/decode.h"
#include "decode/touch.h"
#include "output/sink.h"
#include "target/target.h"

enum phase_filter { PHASE_CONTAINER, PHASE_RUNTIME, PHASE_ALL };

#define STATUS_SUCCESSFUL  (1u << 0)
#define STATUS_FAILED      (1u << 1)
#define STATUS_UNFINISHED  (1u << 2)    /* never returned */
#define STATUS_UNAVAILABLE (1u << 3)    /* of a tracer that could not ask for the result: none of ours */
#define STATUS_DETACHED    (1u << 4)
#define STATUS_ALL         0x1fu

struct session_opts {
	struct syscall_set trace;       /* -e trace= */
	struct touch touch;             /* -P, -e fd=: calls that are taken out of the records and not shown */
	struct decode_opts decode;      /* what is shown is what has to be captured */
	unsigned status;                /* -z -Z -e status=: STATUS_* */
	enum phase_filter phase;
	char comm[16];                  /* --comm; "": any */
	pid_t only_pid;                 /* --only-pid; 0: any */
	uint64_t slower_ns;             /* --slower */
	uint64_t for_ns;                /* --for; 0: no end */
	uint64_t syscall_limit;         /* --syscall-limit; 0: none */
	size_t buffer;                  /* --buffer, bytes */
	bool counts_only;               /* -c: no records are sent */
	bool counts;                    /* -C, -c */
	bool ip, stack;                 /* -i, -k: where a call is made */
	unsigned stack_limit;           /* frames of a stack */
	bool split;                     /* calls are also told when they begin */
	bool narrow;                    /* --narrow: the functions of the calls of trace, at most NARROW_MAX, in place of the hooks on all calls */
	bool lossless;                  /* --lossless: the targets' cgroups are frozen while the ring is drained */
	bool nsenter;                   /* --nsenter: what is in a container's pid namespace is in the container */
	bool follow_restarts;           /* --follow-restarts */
	/*
	 * Something else is known of a target (its container, its label, whether it is there): called after each
	 * waiter_update(), waiter_find() and waiter_made() that changed it, before a record of it goes to the sink. NULL: nobody asks.
	 */
	int (*target_changed)(size_t target, void *data);
	void *target_changed_data;
	/* One line about what has happened, of which the user should know. NULL: nobody asks. */
	void (*note)(const char *line);
	/* A path of touch leads to another one in a target that was waited for. NULL: nobody asks. */
	void (*path_resolved)(const char *asked, const char *resolved);
	bool until_exit;                /* --until-exit: ends with COMMAND itself */
	pid_t command_pid;              /* COMMAND's process, held before its exec; 0: none */
	pid_t reader_pid;               /* reads our output, and is never traced; 0: none */
	int command_release_fd;         /* a byte written here lets COMMAND go */
	int ready_fd;                   /* --ready-fd; -1: none */
	bool quiet;
};

struct session;

/*
 * A target that forks as fast as it can leaves a share of the CPUs that makes
 * start-up several times longer. For this tenth of a second ctrace goes first
 * (SCHED_RR, not inherited by what it starts); without the privilege it waits.
 * session_start() ends it.
 */
void session_hurry(bool on);

/*
 * Everything from loading to the announcement (DESIGN section 3, "start-up
 * order"). On failure a negative errno, and in err one line that says what is
 * missing and how to mend it. On success opts->touch.resolved is the session's.
 */
int session_start(const struct session_opts *opts, const struct target_env *env, const struct target_list *targets,
		  struct session **ret_session, char *err, size_t err_size);

/* After what is to be said at the start: the byte of --ready-fd, and COMMAND may go. 0 or a negative errno. */
int session_release(struct session *s);

/* The announcement's time and the clock offset, for struct run_info. */
void session_times(const struct session *s, uint64_t *ret_since, int64_t *ret_wall_offset);

/*
 * Takes records to the sink until the run ends (see DESIGN section 2, "Ends").
 * 0 for every regular end, also by a signal; a negative errno when the output
 * or the session failed. *ret_command_status is COMMAND's wait status.
 */
int session_run(struct session *s, struct sink *sink, int *ret_command_status);

/* Detaches, drains, reads the counters, tells the sink summary and coverage. */
int session_finish(struct session *s, struct sink *sink, struct coverage *ret_coverage);

/* Detaches whatever is still attached. Takes NULL. */
void session_free(struct session *s);

#endif
