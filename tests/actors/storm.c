/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* STATIC: runs in containers without libraries. */
/*
 * A storm of tasks around the start of a tracer, and its judge.
 *
 *     storm run BOARD [tree]    an entry point that keeps making tasks, each of
 *                               which makes CALLS marked calls, until "stop";
 *                               tree: no task outlives its parent, so that /proc
 *                               connects them all
 *     storm wait BOARD N        waits until N tasks have been born
 *     storm exec BOARD CMD...   notes the time, speeds the births up, execs CMD
 *     storm stop BOARD          no more births
 *     storm check BOARD NS < trace
 *                               NS: the announcement, CLOCK_REALTIME. Every
 *                               marked call begun after it must be in the trace
 *                               exactly once, every other at most once.
 *
 * Tasks, marked calls and the comparison: parts/board.h.
 *
 * Exit status: 0, 1 the trace is wrong, 2 wrong usage or system error, 3 too
 * few tasks were born in one of the windows: the round does not count.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parts/board.h"

#define CALLS      1000u
#define BURST      50u
#define MAX_TASKS  6000u
#define MAX_ALIVE  500u
#define FAST_BORN  260u         /* tasks that are born at the higher rate */
#define ENOUGH     100u         /* tasks that each window must have */

static int tree;

static void task_life(void)
{
	struct slot *s = slot_take((uint32_t)syscall(SYS_gettid), 0);
	long pause = s ? 20000 + (long)(slot_number(s, 0) / CALLS % 16) * 2000 : 0;

	while (s && s->done < CALLS) {
		slot_call(s);
		if (s->done % BURST == 0)
			pause_us(pause);
	}
	atomic_fetch_sub(&board->alive, 1);
}

static void *thread_life(void *arg)
{
	task_life();
	return arg;
}

static void life_with_threads(void)
{
	pthread_t threads[3];
	unsigned n;

	for (n = 0; n < 3; n++) {
		atomic_fetch_add(&board->alive, 1);
		if (pthread_create(&threads[n], NULL, thread_life, NULL)) {
			atomic_fetch_sub(&board->alive, 1);
			break;
		}
	}
	task_life();
	while (n > 0)
		pthread_join(threads[--n], NULL);
}

/* Makes a process; 0 in the child. The count is taken before, so that it never passes through 0. */
static pid_t birth(void)
{
	pid_t pid;

	atomic_fetch_add(&board->alive, 1);
	pid = fork();
	if (pid < 0)
		atomic_fetch_sub(&board->alive, 1);
	return pid;
}

static void one_birth(unsigned kind)
{
	if (birth() != 0)
		return;
	switch (kind % 4) {
	case 1:         /* an orphan: its parent ends at once */
		if (!tree && fork() != 0)
			_exit(0);
		task_life();
		break;
	case 2:
		life_with_threads();
		break;
	case 3:         /* has a child of its own */
		if (birth() == 0) {
			task_life();
			_exit(0);
		}
		task_life();
		break;
	default:
		task_life();
	}
	/* SIGCHLD is ignored: fails when the last child is gone. */
	while (tree && wait(NULL) > 0)
		;
	_exit(0);
}

static int run(const char *path)
{
	uint64_t calls = 0;
	uint32_t n;

	board_make(path, 0, CALLS, MAX_TASKS);
	signal(SIGCHLD, SIG_IGN);
	for (unsigned kind = 0; !board->stop && board->n_tasks < MAX_TASKS; kind++) {
		uint32_t from = board->fast_from;

		if (board->alive < MAX_ALIVE)
			one_birth(kind);
		pause_us(from && board->n_tasks - (from - 1) < FAST_BORN ? 50 : 8000);
	}
	while (board->alive)
		pause_us(10000);
	n = board_tasks();
	for (uint32_t i = 0; i < n; i++) {
		printf("task %u: %u calls\n", board_slot(i)->tid, board_slot(i)->done);
		calls += board_slot(i)->done;
	}
	printf("%u tasks, %llu calls\n", n, (unsigned long long)calls);
	return 0;
}

static int storm_exec(char **argv)
{
	board->fast_from = board->n_tasks + 1;
	board->exec_time = board_now();
	execvp(argv[0], argv);
	die(argv[0]);
	return 2;
}

static int check(uint64_t since)
{
	struct comparison c;

	board_compare(stdin, since, UINT64_MAX, &c);
	printf("tasks %u: %u before exec, %u between exec and announcement, %u after; calls %llu: %llu due, %llu more seen before; "
	       "missing %llu (of %u tasks), twice %llu, unknown %llu, of another task %llu, out of order %llu; announced %.1f ms after exec\n",
	       c.tasks, c.before, c.between, c.after, (unsigned long long)c.calls, (unsigned long long)c.due, (unsigned long long)c.early,
	       (unsigned long long)c.missing, c.hit, (unsigned long long)c.twice, (unsigned long long)c.foreign,
	       (unsigned long long)c.wrong_task, (unsigned long long)c.disordered, (double)(int64_t)(since - board->exec_time) / 1e6);
	if (!comparison_good(&c))
		return 1;
	return c.between < ENOUGH || c.after < ENOUGH || c.tasks == MAX_TASKS ? 3 : 0;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 2 ? argv[1] : "";

	tree = argc == 4 && !strcmp(argv[3], "tree");
	if (!strcmp(verb, "run") && (argc == 3 || tree))
		return run(argv[2]);
	if (argc > 2)
		board_open(argv[2]);
	if (!strcmp(verb, "wait") && argc == 4)
		return board_wait((uint32_t)strtoul(argv[3], NULL, 10));
	if (!strcmp(verb, "exec") && argc > 3)
		return storm_exec(argv + 3);
	if (!strcmp(verb, "check") && argc == 4)
		return check(strtoull(argv[3], NULL, 10));
	if (!strcmp(verb, "stop") && argc == 3) {
		board->stop = 1;
		return 0;
	}
	fprintf(stderr, "usage: storm run|wait|exec|stop|check BOARD ...\n");
	return 2;
}
