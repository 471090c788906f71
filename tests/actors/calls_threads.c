/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Threads that end in odd ways: one that execs, a leader that goes first, calls
 * that never return. Each in a process of its own, one after the other.
 */
#include "calls.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static char stacks[2][65536] __attribute__((aligned(16)));
static int started;

static void pause_for(long ms)
{
	CALL(nanosleep, &(struct timespec){ 0, ms * 1000000 }, NULL);
}

static void thread_start(unsigned which, int (*run)(void *))
{
	clone(run, stacks[which] + sizeof(stacks[which]),
	      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM, NULL);
}

static int runs_exec(void *arg)
{
	char *argv[] = { "true", NULL }, *env[] = { NULL };

	(void)arg;
	pause_for(50);
	CALL(execve, "/bin/true", argv, env);
	return 0;
}

static int waits(void *arg)
{
	(void)arg;
	started = 1;
	raw_pause();
	return 0;
}

static int goes_last(void *arg)
{
	(void)arg;
	pause_for(50);
	CALL(getppid);
	CALL(exit, 7);
	return 0;
}

static void exec_by_thread(void)
{
	thread_start(0, runs_exec);
	raw_pause();
}

static void leader_first(void)
{
	thread_start(0, goes_last);
	CALL(exit, 3);
}

static void ends_others(void)
{
	thread_start(0, waits);
	thread_start(1, waits);
	pause_for(50);
	CALL(exit_group, 4);
}

static void killed_together(void)
{
	thread_start(0, waits);
	pause_for(50);
	CALL(kill, getpid(), SIGTERM);
}

static void in_child(const char *name, void (*what)(void))
{
	int pid, status;

	section(name);
	pid = raw_fork();
	if (!pid) {
		what();
		syscall(SYS_exit_group, 99);
	}
	CALL(wait4, pid, &status, 0, NULL);
}

int main(void)
{
	resident();
	in_child("a thread execs", exec_by_thread);
	in_child("the leader ends first", leader_first);
	in_child("exit_group ends others", ends_others);
	in_child("a signal ends all", killed_together);
	return 0;
}
