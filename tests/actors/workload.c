/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* STATIC: runs in containers without libraries. */
/*
 * A workload whose every task knows its own calls (parts/board.h), made in
 * every way in which the kernel makes tasks (parts/kinds.h).
 *
 *     workload run BOARD [NAME=VALUE...]   an entry point: makes tasks, kind
 *                                          after kind, until "stop" or tasks=N
 *     workload wait BOARD N                waits until N tasks have been born
 *     workload exec BOARD CMD...           notes the time, execs CMD
 *     workload go BOARD, stop BOARD        opens the gate; no more tasks
 *     workload sums BOARD                  each task's number and its calls
 *     workload check BOARD SINCE [UNTIL] < trace
 *                                          the calls begun from SINCE to UNTIL
 *                                          (CLOCK_REALTIME, ns) are in it, once;
 *                                          nothing is that must not be
 *
 *     calls=N    of most tasks (100)       burst=N    without a pause (50)
 *     pause=US   between bursts (2000)     pace=US    between two kinds (2000)
 *     tasks=N    then it ends              max=N      room on the board (20000)
 *     width=N    (3) depth=N (3) of trees  short=N    children of a burst (50)
 *     jobs=N     kinds at a time (8)       first=N    first slot's number (0)
 *     kinds=A,B  these alone               but=A,B    all but these
 *     brief=N    ends after so many children that lived less than 1 ms
 *     gate=1     nothing before "go"       connected=1  no task outlives its parent
 *     sleepers=N so many that sleep until "go", and whose parents end then
 *     inside=DIR a cgroup of the target, with a and b, and t/x and t/y for threads
 *     outside=DIR one that is not
 *
 * Exit status: 0, 1 the trace is wrong, 2 wrong usage or system error.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parts/board.h"
#include "parts/kinds.h"

#define MAX_JOBS   64u
#define MAX_HANGS  16u

static uint32_t pace = 2000, tasks = UINT32_MAX, max_tasks = 20000, jobs = 8, first, burst = 50, pause_length = 2000, gate, connected, brief = UINT32_MAX, sleepers;
static const char *only, *but;

static const struct {
	const char *name;
	uint32_t *value;
} numbers[] = {
	{ "calls", &work.calls },
	{ "burst", &burst },
	{ "pause", &pause_length },
	{ "pace", &pace },
	{ "tasks", &tasks },
	{ "max", &max_tasks },
	{ "width", &work.width },
	{ "depth", &work.depth },
	{ "short", &work.n_short },
	{ "jobs", &jobs },
	{ "first", &first },
	{ "gate", &gate },
	{ "connected", &connected },
	{ "brief", &brief },
	{ "sleepers", &sleepers },
};

static const struct {
	const char *name;
	const char **value;
} words[] = {
	{ "kinds", &only },
	{ "but", &but },
	{ "inside", &work.inside },
	{ "outside", &work.outside },
};

static int set_option(const char *arg)
{
	const char *value = strchr(arg, '=');
	size_t length = value ? (size_t)(value - arg) : 0;

	if (!value)
		return -EINVAL;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (!strncmp(numbers[i].name, arg, length) && !numbers[i].name[length]) {
			*numbers[i].value = (uint32_t)strtoul(value + 1, NULL, 10);
			return 0;
		}
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strncmp(words[i].name, arg, length) && !words[i].name[length]) {
			*words[i].value = value + 1;
			return 0;
		}
	}
	return -EINVAL;
}

static int in_list(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = list; p; p = strchr(p, ',')) {
		p += *p == ',';
		if (!strncmp(p, name, n) && (p[n] == ',' || !p[n]))
			return 1;
	}
	return 0;
}

static int chosen(const struct kind *k)
{
	if (!k->run || k->flags & KIND_WAITS || (only && !in_list(only, k->name)))
		return 0;
	return !in_list(but, k->name) && !(connected && k->flags & KIND_ORPHANS) && !(k->flags & KIND_INSIDE && !work.inside) &&
	       !(k->flags & KIND_OUTSIDE && !work.outside);
}

static struct {
	pid_t jobs[MAX_JOBS], hangs[MAX_HANGS];
	uint32_t n_jobs, n_hangs;
} entry;

/* Waits for one child; orphans come to the entry point as well. 0: there is none. */
static int reap_one(int flags)
{
	pid_t pid = waitpid(-1, NULL, flags);

	for (uint32_t i = 0; pid > 0 && i < entry.n_jobs; i++) {
		if (entry.jobs[i] == pid)
			entry.jobs[i] = entry.jobs[--entry.n_jobs];
	}
	return pid > 0 || (pid < 0 && errno == EINTR);
}

static void start_job(uint32_t kind)
{
	int hangs = kinds[kind].flags & KIND_HANGS;
	pid_t pid;

	if (hangs && entry.n_hangs == MAX_HANGS)
		return;
	pid = fork();
	if (pid == 0) {
		kind_run(kind);
		_exit(0);
	}
	if (pid < 0)
		atomic_fetch_add(&board->refused, 1);
	else if (kinds[kind].flags & KIND_WAITS)
		return;
	else if (hangs)
		entry.hangs[entry.n_hangs++] = pid;
	else
		entry.jobs[entry.n_jobs++] = pid;
}

/* The entry point's own calls, one a round. */
static void own_call(void)
{
	static struct slot *s;

	if (!s || s->done == board->stride)
		s = slot_take((uint32_t)syscall(SYS_gettid), 0);
	if (s)
		slot_call(s);
}

static void print_sums(void)
{
	uint64_t calls[MAX_KINDS] = {}, total = 0;
	uint32_t n[MAX_KINDS] = {};

	for (uint32_t i = 0; i < board_tasks(); i++) {
		const struct slot *s = board_slot(i);

		n[s->kind % MAX_KINDS]++;
		calls[s->kind % MAX_KINDS] += s->done;
		total += s->done;
	}
	for (uint32_t k = 0; k < n_kinds; k++) {
		if (n[k])
			printf("%s: %u tasks, %llu calls\n", kinds[k].name, n[k], (unsigned long long)calls[k]);
	}
	printf("%u tasks, %llu calls, %u children of less than a millisecond, %u tasks refused\n", board_tasks(), (unsigned long long)total,
	       board->brief, board->refused);
}

static int goes_on(void)
{
	return !board->stop && board->n_tasks < tasks && board->n_tasks < max_tasks && board->brief < brief;
}

static int run(const char *path)
{
	/* The rooms of a slot: what a kind adds to its calls. */
	board_make(path, first, work.calls + 16, max_tasks);
	board->burst = burst;
	board->pause = pause_length;
	work.board_fd = open(path, O_RDWR);
	if (work.board_fd < 0 || jobs > MAX_JOBS)
		die(path);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (uint32_t k = 0; k < n_kinds; k++) {
		for (uint32_t i = 0; kinds[k].flags & KIND_WAITS && i < sleepers; i++)
			start_job(k);
	}
	if (gate)
		board_wait_go();
	for (uint32_t k = 0; goes_on(); k = (k + 1) % n_kinds) {
		if (!chosen(&kinds[k]))
			continue;
		own_call();
		while (reap_one(WNOHANG))
			;
		while (entry.n_jobs >= jobs && reap_one(0))
			;
		start_job(k);
		pause_us(pace);
	}
	while (entry.n_jobs && reap_one(0))
		;
	for (uint32_t i = 0; i < entry.n_hangs; i++)
		kill(entry.hangs[i], SIGKILL);
	while (reap_one(0))
		;
	print_sums();
	return 0;
}

static int sums(void)
{
	for (uint32_t i = 0; i < board_tasks(); i++) {
		const struct slot *s = board_slot(i);

		printf("%s %u: from %llu, %u calls", kinds[s->kind % n_kinds].name, s->tid, (unsigned long long)slot_number(s, 0), s->done);
		if (s->moved_at)
			printf(", from %llu on as %u", (unsigned long long)slot_number(s, s->moved_at), s->tid_after);
		puts(s->flags & SLOT_OUTSIDE ? ", outside" : s->flags & SLOT_HANGS ? ", the next never returned" : "");
	}
	print_sums();
	return 0;
}

static int check(uint64_t since, uint64_t until)
{
	struct comparison c;

	board_compare(stdin, since, until, &c);
	printf("tasks %u, calls %llu: due %llu, hung %llu, outside %llu, seen before %llu; missing %llu (of %u tasks), twice %llu, foreign %llu, "
	       "of another task %llu, out of order %llu; brief %u, refused %u\n",
	       c.tasks, (unsigned long long)c.calls, (unsigned long long)c.due, (unsigned long long)c.hung, (unsigned long long)c.outside,
	       (unsigned long long)c.early, (unsigned long long)c.missing, c.hit, (unsigned long long)c.twice, (unsigned long long)c.foreign,
	       (unsigned long long)c.wrong_task, (unsigned long long)c.disordered, board->brief, board->refused);
	for (uint32_t k = 0; k < n_kinds; k++) {
		if (c.missing_of[k])
			printf("missing of %s: %llu\n", kinds[k].name, (unsigned long long)c.missing_of[k]);
	}
	if (c.missing)
		printf("the first that is missing: %llu\n", (unsigned long long)c.missed);
	if (c.wrong[0])
		printf("the first wrong line: %s\n", c.wrong);
	return comparison_good(&c) ? 0 : 1;
}

static int usage(void)
{
	fprintf(stderr, "usage: workload run|wait|exec|go|stop|sums|check BOARD ...\n");
	return 2;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 2 ? argv[1] : "";

	if (!strcmp(verb, "live") && argc == 5)
		return kind_live(argv + 2);
	if (!strcmp(verb, "run")) {
		for (int i = 3; i < argc; i++) {
			if (set_option(argv[i]) < 0)
				return usage();
		}
		return run(argv[2]);
	}
	if (argc > 2)
		board_open(argv[2]);
	if (!strcmp(verb, "wait") && argc == 4)
		return board_wait((uint32_t)strtoul(argv[3], NULL, 10));
	if (!strcmp(verb, "exec") && argc > 3) {
		board->exec_time = board_now();
		execvp(argv[3], argv + 3);
		die(argv[3]);
	}
	if (!strcmp(verb, "sums"))
		return sums();
	if (!strcmp(verb, "check") && (argc == 4 || argc == 5))
		return check(strtoull(argv[3], NULL, 10), argc == 5 ? strtoull(argv[4], NULL, 10) : UINT64_MAX);
	if (strcmp(verb, "go") != 0 && strcmp(verb, "stop") != 0)
		return usage();
	if (!strcmp(verb, "stop"))
		board->stop = 1;
	board_go();
	return 0;
}
