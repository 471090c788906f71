/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_SESSION_INTERNAL_H
#define CTRACE_SESSION_INTERNAL_H
/* What the files of the session share. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/control.h"
#include "ctrace_bpf.skel.h"
#include "session/ring.h"
#include "session/session.h"
#include "session/wire.h"
#include "util/macros.h"

/* A target of the running session. */
struct watched {
	const struct target *target;
	int pidfd;                      /* of a container's init; -1 */
	int pidns_fd;                   /* its pid namespace, with --nsenter; -1 */
	bool ended;
	unsigned instance;              /* how often it has been waited for again */
	bool began;                     /* of one that was waited for: its first process is known */
	uint32_t host_init;             /* ... by this number; 0 */
	bool looked_up;                 /* ... and what -P's paths lead to there */
	struct ct_wanted_key *keys;     /* that the kernel side has */
	size_t n_keys;
	struct ct_cgroup_key *old;      /* selectors of the last instance */
	size_t n_old;
	bool has_status, oom_killed;
	int status;                     /* of the init, out of its exit record */
};

/* Losses that have been told, to tell the next ones at their place. */
struct losses {
	uint64_t *per_cpu;              /* calls lost on each CPU that have been told */
	struct ct_cpu *now;             /* room for a reading of the CPUs' counters */
	uint64_t ring_full[CT_ROWS], too_big[CT_ROWS];
};

/* Sums over the CPUs of the kernel's counters. */
struct counters {
	struct ct_count rows[CT_ROWS];
	struct ct_cpu cpu;
};

struct session {
	struct session_opts opts;
	const struct target_env *env;
	const struct target_list *targets;
	struct ctrace_bpf *skel;
	struct cap_spec *specs;         /* CT_ROWS, then those of commands; gone once they are in the map */
	struct ct_sub_key *sub_keys;    /* calls of one command each, */
	uint32_t *sub_rows;             /* and their rows in specs */
	uint32_t n_specs, n_subs;
	int n_cpus;                     /* possible ones */
	struct ring *ring;
	struct wire *wire;
	struct watched *watched;
	struct ct_target *live;         /* targets[], mapped */
	struct losses losses;
	struct waiter *waiter;          /* NULL: nothing is waited for */
	uint64_t late_starts;           /* targets that were found after they had started */
	uint64_t since;
	int64_t wall_offset;
	bool rested;                    /* the second reading came to rest */
	bool unread;                    /* a target's tasks could not be read */
	int audit_error;                /* of the last reading; 1: there was none */
	bool detached;
	bool looking;                   /* the timer for targets that nothing else tells of runs */
	bool asks;                      /* session_must_ask() */
	bool hurried;                   /* start-up goes first already */
	int epoll_fd, idle_fd, signal_fd, timer_fd, for_fd;
	int blocked_fd;                 /* timer: the next look for calls that block */
	bool command_running;
	int command_status, command_pidfd;
	int quit;                       /* a signal asked for the end */
	int sink_error;
	uint64_t bad_records;
	uint64_t untouched;             /* calls that came and are not shown: -P, -e fd= */
	uint64_t drained;               /* counted in a test build */
	struct stacks *stacks;          /* -k; NULL: none */
	struct narrow *narrow;          /* --narrow; NULL: not asked for */
	struct lossless *lossless;      /* --lossless; NULL: not asked for */
	bool yielded;                   /* it was told that a limit of --lossless was reached */
};

uint64_t boottime_ns(void);

/* Whether a call that the kernel side sent is one that was asked for: what is filtered here alone. */
static inline bool session_shows(const struct session *s, const struct call *call)
{
	return !touch_asks(&s->opts.touch) || call_touches(call, &s->opts.touch);
}

/* Looks up -P's paths in a target that was waited for, with the first call of its program. 0 or -ENOMEM. */
int session_look_up(struct session *s, const struct call *call);

/* One whose tasks are in for life, by number and descent. */
static inline bool is_process_target(const struct target *t)
{
	return t->kind == TARGET_PROCESS || t->kind == TARGET_THREAD || t->kind == TARGET_COMMAND;
}

/* specs.c */
/* What to copy of each call and command, and how large the maps for it must be. */
int session_make_specs(struct session *s);
/* Into the maps, once they are there. */
int session_fill_specs(struct session *s);
void session_drop_specs(struct session *s);

/* offsets.c */
/* Whether the kernel side looks at files and sockets, and where it finds them. After session_make_specs(). */
int session_set_files(struct session *s, char *err, size_t err_size);

/* stack.c */
/* Makes ready for stacks, if they are asked for. */
int session_stack_open(struct session *s);
/* What the record says of a process's mappings, and the stack of a call or signal, for the sink. */
void session_stack_take(struct session *s, struct wire_record *rec);

/* programs.c */
/* Once, before the object is opened. */
int session_open_programs(void);
/* Maps and programs into the kernel. ret_failed: whose load failed, if it is one that libbpf says nothing of; else NULL. */
int session_load_programs(struct ctrace_bpf *skel, const struct bpf_program **ret_failed);

/* load.c */
int session_load(struct session *s, char *err, size_t err_size);
int session_attach(struct session *s, char *err, size_t err_size);
/* Ends all tracing, and waits until no program runs any more. */
void session_detach(struct session *s);
/* The pid namespace that ctrace's own number is in: its inode. */
uint32_t session_own_pidns(void);
/* COMMAND has ended, and was not waited for yet: from then on its number can be another's. */
void session_unselect_command(struct session *s);
/* A thread group, by its number in env's /proc, as a selector of a process target. */
int session_select_process(struct session *s, uint32_t target, uint32_t pidns, pid_t nr, bool thread, uint64_t start, uint32_t flags);

/* where.c */
/* Whether a target's cgroup cannot be seen from here. */
bool session_has_hidden(const struct session *s);
/* Has the kernel tell the cgroups of these targets. Between loading and attaching. */
int session_place(struct session *s, char *err, size_t err_size);

/* Whether the container's pid namespace is the host's or ctrace's: others than its own tasks are in it. */
bool session_shares_pidns(const struct target *t);
/* The selector of a directory; false: this run decides nothing on its hierarchy. */
bool session_cgroup_key(const struct session *s, const struct cgroup_selector *c, struct ct_cgroup_key *ret_key);
/* The target's directories as selectors. */
int session_select_cgroups(struct session *s, uint32_t i, const struct target *t);

/* session.c */
/* Its init's pidfd, where one is to be had, becomes an event that ends it. */
void session_watch_init(struct session *s, size_t i);
void session_unwatch_init(struct session *s, size_t i);
/* The line that closes a container or a cgroup. */
int session_tell_end(struct session *s, struct sink *sink, size_t i);

/* wait.c */
/* Whether any target is waited for, now or when it has ended. */
bool session_waits(const struct session *s);
/* Tells the kernel side by what names the target's directories can be made, in place of what it knew. */
int session_want(struct session *s, size_t i);
/* After the attach: looks for what came meanwhile. */
int session_wait_open(struct session *s);
/* Something changed in the runtimes' files. sink: NULL before the announcement. */
int session_look(struct session *s, struct sink *sink);
/* The target has ended and is waited for again. */
void session_wait_again(struct session *s, size_t i);
int session_made(struct session *s, struct sink *sink, const struct made_event *e);
int session_started(struct session *s, struct sink *sink, const struct first_process *p);
/* --nsenter: the pid namespace of the target's init becomes a selector. */
int session_hold_pidns(struct session *s, size_t i);

/* iterate.c */
/* What iterators wrote. */
struct rows {
	uint8_t *data;
	size_t len, allocated;
};

static inline void rows_done(struct rows *rows)
{
	free(rows->data);
}

/* Runs a task iterator; what it writes is appended. */
int session_iterate(struct session *s, struct bpf_program *prog, struct rows *rows);
/* Whether the targets' tasks are not among those that an iterator of ours goes over, and can be asked for. */
bool session_must_ask(const struct session *s);
/* Runs the scan (enum ct_scan). refs: of each target the tasks to be asked for; of use if s->asks. */
int session_scan(struct session *s, uint32_t kind, const struct task_refs *refs, struct rows *rows);

/* scan.c */
/* Reads the targets out of /proc until a reading finds nothing new; DESIGN section 3, step 3. */
int session_rescan(struct session *s);
/* Tasks that are in a target by /proc and not by the kernel's verdict; how it went is in s->audit_error. */
uint64_t session_audit(struct session *s);
/* The calls that have not ended, to the sink; their number. */
int session_in_flight(struct session *s, struct sink *sink, uint64_t *ret_n);
/*
 * Those of them that have lasted a second, to the sink's enter(). *ret_next: in how many ns the next of
 * the others will have; 0: there is none.
 */
int session_blocked(struct session *s, struct sink *sink, uint64_t *ret_next);

/* counters.c */
int counters_read(const struct session *s, struct counters *ret_counters);
int stats_read(const struct session *s, struct count_row **ret_rows, size_t *ret_n);
/* Sums up what was lost since the last time, by call. False: nothing was. */
bool losses_take(struct session *s, struct lost_event *ret_event);
/* Whether calls were lost that have not been told. */
bool losses_pending(struct session *s);
/* Whether a record's count says that calls were lost before it that have not been told. */
bool losses_untold(const struct session *s, uint16_t cpu, uint32_t lost);
void coverage_fill(struct session *s, const struct sink *sink, uint64_t late, uint64_t in_flight, struct coverage *ret_coverage);

/* programs.c */
#define PROGRAM_LICENSE "Dual BSD/GPL"
#define EMPTY_INSNS 2
/* Returns 0. */
extern const struct bpf_insn empty_program[EMPTY_INSNS];
/* Of libbpf's callback before a load: has it load the empty program in that one's place. 0 or a negative errno. */
int program_load_empty(struct bpf_program *prog, struct bpf_prog_load_opts *opts);
/* Runs of the program that the kernel left out since another ran on that CPU. fd may be negative: 0. */
uint64_t program_misses(int fd);

/* hold.c */
/* Makes ready to freeze the targets, if it was asked for. Before anything is loaded. */
int session_hold(struct session *s, char *err, size_t err_size);
/* One that was waited for is there. */
void session_hold_late(struct session *s, size_t i);
/* Tells what has happened. */
void session_hold_news(struct session *s);
void session_hold_stats(struct session *s, struct coverage *c);

/* drain.c */
/* Takes what the ring holds to the sink. Number of records, or a negative errno. */
int session_drain(struct session *s, struct sink *sink, bool all);

/* Whether this run does without a path of coverage: CT_BREAK_*. Never, but in a test build. */
static inline bool is_broken(const struct session *s, uint32_t path)
{
#ifdef CT_MUTATION
	return s->skel->rodata->cfg.broken & path;
#else
	(void)s;
	(void)path;
	return false;
#endif
}

#endif
