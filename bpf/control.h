/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_CONTROL_H
#define CTRACE_BPF_CONTROL_H
/*
 * What the session and the BPF programs say to each other besides records:
 * selectors, switches, counters, and the rows of a scan.
 */
#include "bpf/event.h"

#define CT_HIERARCHIES 4        /* cgroup hierarchies that targets are decided on */
#define CT_LEVELS 256           /* cgroup depth that is looked at; a power of two */
#define CT_NS_LEVELS 32         /* MAX_PID_NS_LEVEL of the kernel */
#define CT_CHAIN 4             /* parents that are asked; the scan goes from parents to children, so that deeper trees are reached too */
#define CT_INLINE 128           /* bytes of input captures that wait in a task's entry */
#define CT_RUNTIMES 16

/* The beginning of a name: (bytes & mask) == value, as two words. A mask of 0: unused. */
struct ct_prefix {
	__u64 value[2], mask[2];
};

/*
 * Paths of coverage that a test build (CT_MUTATION) disables, one at a time,
 * to see that the statement notices. In every other build they do not exist.
 */
#define CT_BREAK_FORK   (1u << 0) /* the fork hook */
#define CT_BREAK_ADOPT  (1u << 1) /* the children of an ending task */
#define CT_BREAK_MOVE   (1u << 2) /* the event of a cgroup move */
#define CT_BREAK_EPOCH  (1u << 3) /* verdicts are given again when selectors were added */
#define CT_BREAK_JUDGE  (1u << 4) /* a task without a verdict is judged at its call */
#define CT_BREAK_ALLOC  (1u << 5) /* a task's entry can be made */
#define CT_BREAK_RESCAN (1u << 6) /* the second reading of /proc */
#define CT_BREAK_AUDIT  (1u << 7) /* the last reading of /proc */
#define CT_BREAK_DRAIN  (1u << 8) /* every record is taken out of the ring */

/* Constants of a run, set before loading. */
struct ct_config {
	__u8 all;                       /* --all: every task */
	__u8 n_hierarchies;
	__u8 v1;                        /* one of them is */
	__u8 have_tasks;                /* process targets: selectors by number */
	__u8 counts;                    /* -c, -C: fill stats */
	__u8 counts_only;               /* -c: send no call records */
	__u8 phase;                     /* 0 container, 1 runtime, 2 all */
	__u8 status;                    /* CT_WANT_* */
	__u8 filter_comm;
	__u8 split;                     /* --split: a record also when a call begins */
	__u8 waits;                     /* some target is waited for: wanted[] */
	__u8 ip, stack;                 /* -i, -k: where a call was made */
	__u8 names;                     /* -Y: what its task was called then */
	__u8 pids;                      /* --decode-pids: whose numbers are is looked up */
	__u8 files;                     /* -y, -P: CT_FILES_*, what descriptors are is taken down */
	__u8 sockets;                   /* calls are traced of which it counts whether their socket is a netlink socket */
	__u8 peers;                     /* --names: what may be answers of name servers is copied whole */
	__u8 narrow;                    /* --narrow: the functions of some calls in place of sys_enter and sys_exit */
	__u8 nsenter;                   /* what is in a container's pid namespace is in: sel_pidns[] */
	__u32 only_pid;
	__u32 n_targets;
	__u32 broken;                   /* CT_BREAK_*, in a test build */
	__u64 slower;
	__u64 syscall_limit;
	__u32 hierarchies[CT_HIERARCHIES];      /* hierarchy ids; 0 is v2 */
	char comm[CT_COMM_LEN];
	struct ct_prefix runtimes[CT_RUNTIMES];         /* names that a container runtime's executable begins with */
};

/* ct_config.files */
#define CT_FILES_IDENTITY 1     /* without the paths of files that have one */
#define CT_FILES_PATHS    2

/* Where fields of the kernel's structures are: offsets.def. */
#define CT_OFF_NONE 0xffffu
struct ct_offsets {
#define OFFSET(structure, field) __u16 structure##_##field;
#define OPTIONAL(structure, field) OFFSET(structure, field)
#include "bpf/offsets.def"
#undef OFFSET
#undef OPTIONAL
};

#define CT_WANT_SUCCESS    (1u << 0)
#define CT_WANT_FAILED     (1u << 1)
#define CT_WANT_UNFINISHED (1u << 2)   /* never returned: exit_group */
#define CT_WANT_IN_FLIGHT  (1u << 3)   /* running when the trace ends */
#define CT_WANT_ALL        15u

/* Variables of a run, written by both sides while it runs. */
struct ct_control {
	__u32 epoch;                    /* of the selectors; from 1; raised when selectors were added */
	__u32 announced;
	__u64 attached;                 /* CLOCK_BOOTTIME of the attach */
	__u64 deadline;                 /* --for; 0: none */
	__u64 passed;                   /* calls sent, for --syscall-limit */
	__u32 stopped;                  /* the limit is reached */
	__u32 full;                     /* the ring was: calls are lost until the reader has emptied it and told so */
	__u32 ending;                   /* calls that begin are not seen any more */
	__u32 scan;                     /* enum ct_scan */
	__u32 scan_pass;
	__u32 scan_pidns;               /* the pid namespace that rows of a scan are numbered in; 0: the initial one */
	__u32 where_pidns, where_nr;    /* the process that ctrace_where tells of */
	__u32 adopted_living;           /* some task that makes calls has no entry */
	__u32 own_pidns;                /* of who reads a scan */
};

enum ct_task_is { CT_TASK_OUT, CT_TASK_IN, CT_TASK_LEFT_OUT };

enum ct_scan {
	CT_SCAN_JUDGE,                  /* judges every task, keeps the verdict, gives a row for each */
	CT_SCAN_AUDIT,                  /* the same without keeping anything */
	CT_SCAN_CALLS,                  /* gives the calls that are not ended, with what is captured of them */
	CT_SCAN_BLOCKED,                /* of these those whose beginning was seen */
};

/* One of targets[] */
struct ct_target {
	__u32 pidns;                    /* inum of the pid namespace that its numbers are shown in */
	__u32 flags;
	__s64 live;                     /* tasks that are in and have not ended */
};
#define CT_TARGET_CONTAINER (1u << 0) /* has a phase */
#define CT_TARGET_WAITED    (1u << 1) /* its pid namespace is that of the first process that begins one in it */

/* sel_cgroups: the cgroup with all below it */
struct ct_cgroup_key {
	__u64 id;
	__u32 hierarchy;                /* index into ct_config.hierarchies */
	__u32 pad;
};

/* wanted: cgroups that are a target's when they are made, by one of the keys of struct wanted_cgroup; padded with zeros */
#define CT_WANTED_KEY 256
struct ct_wanted_key {
	char key[CT_WANTED_KEY];
};

struct ct_wanted {
	__u32 target;                   /* CT_NO_TARGET: never by its name */
	__u32 hierarchies;              /* bits: indexes into ct_config.hierarchies where it counts */
};

/* sel_tasks: tasks by number in a pid namespace */
struct ct_task_key {
	__u32 pidns;                    /* inum */
	__u32 nr;
	__u32 thread;                   /* 0: a thread group by its tgid; 1: one thread by its tid */
};

struct ct_task_selector {
	__u32 target;
	__u32 flags;
	__u64 start;                    /* clock ticks since boot, as field 22 of /proc/PID/stat; 0: any */
};
#define CT_SELECT_HELD (1u << 0) /* COMMAND before its exec: its calls do not count yet */
#define CT_TICK_NS 10000000ull   /* USER_HZ is 100 on x86 and arm64 */

/* adopted: verdicts by number, of children of a task that ended before they were judged, and of tasks whose entry cannot be made */
struct ct_adopted_key {
	__u64 start;                    /* start_boottime */
	__u32 tid;
	__u32 pad;
};

/* counts[row], per CPU */
struct ct_count {
	__u64 seen, delivered, filtered, ring_full, too_big;
};

/* stats[target * CT_ROWS + row], per CPU, with ct_config.counts */
struct ct_stat {
	__u64 calls, errors, no_return;
	__u64 total, min, max;
};

/* cpu[0], per CPU */
struct ct_cpu {
	__u64 lost;                     /* calls, any row and cause */
	__u64 begun_before, degraded;
	__u64 at_start, by_rescan, by_fork, by_move, on_first_call, ended, left;
	__u64 events_lost;              /* records other than calls that did not fit */
	__u64 too_deep;                 /* cgroups below CT_LEVELS */
	__u64 adopt_failed;
	/* Pairs that must agree: each is counted by another path than its partner. */
	__u64 unjudged, uncached;       /* calls that no verdict was kept for; verdicts that could not be kept */
	__u64 forks_unseen, forks_blind;        /* forks that returned and no hook saw; runs of the hook without the parent's entry */
	__u64 chains_broken, chains_adopted;    /* tasks that ended before their children; of these, whose children were looked at */
	__u64 narrow;                   /* a program of --narrow runs, or has been preempted */
	__u64 preempted;                /* runs that came upon that */
};

/* The one task storage: verdict, numbers, and the call between its entry and its exit. */
struct ct_entry {
	__u64 css;              /* task->cgroups that the verdict was given for */
	__u32 epoch;            /* ... and the selectors' epoch; 0: no verdict */
	__u32 target;           /* CT_NO_TARGET: out */
	__u32 in;               /* exchanged, so that one of the task itself and the scan counts it */
	__u8 by_process;        /* in for life */
	__u8 thread_only;       /* by --tid: says nothing of its siblings */
	__u8 never;             /* ctrace itself and what it starts */
	__u8 held;              /* COMMAND before its exec */
	__u8 phase;
	__u8 state;             /* enum call_state */
	__u8 compat;
	__u8 denied;            /* its last call was one that seccomp denied */
	__u8 leaving;           /* moved out in the middle of a call */
	__u8 wanted;            /* the call's row passes -e trace= */
	__u8 has_exit;          /* it has output to copy */
	__u8 forks;             /* it makes a task, and the fork hook has not come by */
	__u16 caps_len;
	__u32 tid, tgid;        /* in the pid namespace of the target's init */
	__u32 nr, seq, flags;
	__u32 failed;           /* capture operations to try again at exit: a bit each */
	__u64 enter;
	__u64 args[CT_ARGS];
	__u8 caps[CT_INLINE];
};

/* Tasks that ctrace_ask tells of, by their numbers in the initial namespace; so few that their rows fit into what one step of an iterator may write. */
#define CT_ASKED 96
struct ct_asked {
	__u32 n;
	__u32 tids[CT_ASKED];
};

struct ct_scan_row {
	__u32 tid, tgid;                /* in ct_control.scan_pidns; 0: none there */
	__u32 target;
	__u32 is;                       /* enum ct_task_is */
};

/*
 * A row of ctrace_where: a cgroup of the process, from the innermost to the
 * root of each of ct_config.hierarchies; name_len bytes of its name follow.
 */
struct ct_where_row {
	__u64 id;
	__u32 hierarchy;                /* its id */
	__u16 level;                    /* 0: the root */
	__u16 name_len;
};
#define CT_WHERE_NAME 255

/* A row of CT_SCAN_CALLS or CT_SCAN_BLOCKED is a struct rec_syscall and its caps_len bytes. */

#endif
