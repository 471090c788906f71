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
 * A marked call is lseek(-1, N, SEEK_SET), which fails and changes nothing;
 * N = slot * CALLS + i. Each task notes on the board, a shared file, when it
 * begins each of them: the notes are stores and the clock is read in the vdso,
 * so that nothing but the marked calls and the pauses enters the kernel.
 *
 * Exit status: 0, 1 the trace is wrong, 2 wrong usage or system error, 3 too
 * few tasks were born in one of the windows: the round does not count.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CALLS      1000u
#define BURST      50u
#define MAX_TASKS  6000u
#define MAX_ALIVE  500u
#define FAST_BORN  260u         /* tasks that are born at the higher rate */
#define ENOUGH     100u         /* tasks that each window must have */
#define MAGIC      0x53544f524dULL

struct slot {
	uint64_t born;
	_Atomic uint32_t done;
	uint32_t tid;
	uint64_t begun[CALLS];
};

struct board {
	_Atomic uint64_t magic;
	_Atomic uint32_t n_tasks, alive, stop, fast_from;
	_Atomic uint64_t exec_time;
	struct slot slots[MAX_TASKS];
};

static struct board *board;
static int tree;

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ULL + (uint64_t)ts.tv_nsec;
}

static void pause_us(long us)
{
	struct timespec ts = { .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000 };

	nanosleep(&ts, NULL);
}

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static void board_map(const char *path, int make)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | (make ? O_CREAT | O_TRUNC : 0), 0600);

	if (fd < 0)
		die(path);
	if (make && ftruncate(fd, sizeof(*board)) < 0)
		die(path);
	board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (board == MAP_FAILED)
		die(path);
	close(fd);
	if (make)
		board->magic = MAGIC;
	for (int i = 0; board->magic != MAGIC; i++) {
		if (i == 1000) {
			fprintf(stderr, "%s: not a board\n", path);
			exit(2);
		}
		pause_us(5000);
	}
}

static void task_life(void)
{
	uint32_t n = atomic_fetch_add(&board->n_tasks, 1);
	struct slot *s;

	if (n >= MAX_TASKS) {
		atomic_fetch_sub(&board->alive, 1);
		return;
	}
	s = &board->slots[n];
	s->born = now();
	s->tid = (uint32_t)syscall(SYS_gettid);
	for (uint32_t i = 0; i < CALLS; i++) {
		s->begun[i] = now();
		syscall(SYS_lseek, -1, (long)(n * CALLS + i), SEEK_SET);
		atomic_store(&s->done, i + 1);
		if (i % BURST == BURST - 1)
			pause_us(20000 + (n % 16) * 2000);
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

	board_map(path, 1);
	signal(SIGCHLD, SIG_IGN);
	for (unsigned kind = 0; !board->stop && board->n_tasks < MAX_TASKS; kind++) {
		uint32_t from = board->fast_from;

		if (board->alive < MAX_ALIVE)
			one_birth(kind);
		pause_us(from && board->n_tasks - (from - 1) < FAST_BORN ? 50 : 8000);
	}
	while (board->alive)
		pause_us(10000);
	n = board->n_tasks < MAX_TASKS ? board->n_tasks : MAX_TASKS;
	for (uint32_t i = 0; i < n; i++) {
		printf("task %u: %u calls\n", board->slots[i].tid, board->slots[i].done);
		calls += board->slots[i].done;
	}
	printf("%u tasks, %llu calls\n", n, (unsigned long long)calls);
	return 0;
}

static int storm_wait(uint32_t n)
{
	for (int i = 0; i < 3000; i++) {
		if (board->n_tasks >= n)
			return 0;
		pause_us(10000);
	}
	fprintf(stderr, "only %u tasks were born\n", board->n_tasks);
	return 2;
}

static int storm_exec(char **argv)
{
	board->fast_from = board->n_tasks + 1;
	board->exec_time = now();
	execvp(argv[0], argv);
	die(argv[0]);
	return 2;
}

/* Counts the marked calls of a trace: seen[N]. Returns those that no task made. */
static uint64_t read_trace(uint8_t *seen, uint64_t limit)
{
	static const char mark[] = "lseek(-1, ";
	uint64_t unknown = 0;
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, stdin) > 0) {
		char *p = strstr(line, mark), *end;
		unsigned long long n;

		if (!p)
			continue;
		n = strtoull(p + sizeof(mark) - 1, &end, 10);
		if (n >= limit || strncmp(end, ", SEEK_SET)", 11) != 0)
			unknown++;
		else if (seen[n] < 255)
			seen[n]++;
	}
	free(line);
	return unknown;
}

static int check(uint64_t since)
{
	uint32_t n = board->n_tasks < MAX_TASKS ? board->n_tasks : MAX_TASKS;
	uint64_t calls = 0, due = 0, missing = 0, twice = 0, early = 0, unknown, limit = (uint64_t)n * CALLS;
	uint32_t before = 0, between = 0, after = 0, hit = 0;
	uint8_t *seen = calloc(limit + 1, 1);

	if (!seen)
		die("memory");
	unknown = read_trace(seen, limit);
	for (uint32_t t = 0; t < n; t++) {
		const struct slot *s = &board->slots[t];
		uint64_t gaps = missing;

		before += s->born < board->exec_time;
		between += s->born >= board->exec_time && s->born < since;
		after += s->born >= since;
		calls += s->done;
		for (uint32_t i = 0; i < CALLS; i++) {
			unsigned count = seen[t * CALLS + i];

			if (i >= s->done) {
				unknown += count;
				continue;
			}
			twice += count > 1;
			early += count == 1 && s->begun[i] < since;
			due += s->begun[i] >= since;
			missing += count == 0 && s->begun[i] >= since;
		}
		hit += missing > gaps;
	}
	free(seen);
	printf("tasks %u: %u before exec, %u between exec and announcement, %u after; calls %llu: %llu due, %llu more seen before; "
	       "missing %llu (of %u tasks), twice %llu, unknown %llu; announced %.1f ms after exec\n",
	       n, before, between, after, (unsigned long long)calls, (unsigned long long)due, (unsigned long long)early,
	       (unsigned long long)missing, hit, (unsigned long long)twice, (unsigned long long)unknown,
	       (double)(int64_t)(since - board->exec_time) / 1e6);
	if (missing || twice || unknown || due == 0)
		return 1;
	return between < ENOUGH || after < ENOUGH || n == MAX_TASKS ? 3 : 0;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 2 ? argv[1] : "";

	tree = argc == 4 && !strcmp(argv[3], "tree");
	if (!strcmp(verb, "run") && (argc == 3 || tree))
		return run(argv[2]);
	if (argc > 2)
		board_map(argv[2], 0);
	if (!strcmp(verb, "wait") && argc == 4)
		return storm_wait((uint32_t)strtoul(argv[3], NULL, 10));
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
