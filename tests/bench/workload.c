/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 *     workload serve CPU        for each line "KIND N" makes N calls of a kind
 *                               and prints the wall time of one and its CPU time,
 *                               in ns
 *     workload flood KIND MS    makes calls for that time; prints their number
 *     workload pace K MS        makes K thousand getppid a second, in bursts of 1 ms
 *     workload first CMD...     runs CMD and prints the µs from its exec to the
 *                               first byte of its standard output, then ends it
 *     workload cpu FILE CMD...  runs CMD to its end and writes the µs of CPU time
 *                               that it took to FILE
 *     workload crowd N          makes N processes that sleep, prints how many there
 *                               are, and ends with them
 * Kinds: getppid; openat, of a file that is not there; read, of one byte; fork,
 * of a child that ends at once.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int zero_fd;

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ULL + (uint64_t)ts.tv_nsec;
}

static uint64_t now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static int calls(const char *kind, long n)
{
	char byte;

	if (!strcmp(kind, "getppid")) {
		while (n-- > 0)
			syscall(SYS_getppid);
	} else if (!strcmp(kind, "openat")) {
		while (n-- > 0)
			syscall(SYS_openat, AT_FDCWD, "/etc/no-such-file", O_RDONLY);
	} else if (!strcmp(kind, "read")) {
		while (n-- > 0) {
			if (syscall(SYS_read, zero_fd, &byte, 1) != 1)
				return -1;
		}
	} else if (!strcmp(kind, "fork")) {
		while (n-- > 0) {
			pid_t pid = fork();

			if (pid == 0)
				_exit(0);
			if (pid < 0 || waitpid(pid, NULL, 0) != pid)
				return -1;
		}
	} else {
		return -1;
	}
	return 0;
}

static int serve(const char *cpu)
{
	char line[64], kind[16];
	cpu_set_t set;
	long n;

	CPU_ZERO(&set);
	CPU_SET((unsigned)atoi(cpu), &set);
	sched_setaffinity(0, sizeof(set), &set);
	setvbuf(stdout, NULL, _IOLBF, 0);
	while (fgets(line, sizeof(line), stdin)) {
		uint64_t begin, used;

		if (sscanf(line, "%15s %ld", kind, &n) != 2 || n <= 0)
			return 2;
		begin = now();
		used = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		if (calls(kind, n))
			return 1;
		used = clock_ns(CLOCK_THREAD_CPUTIME_ID) - used;
		printf("%.1f %.1f\n", (double)(now() - begin) / (double)n, (double)used / (double)n);
	}
	return 0;
}

static int flood(const char *kind, const char *ms)
{
	uint64_t end = now() + strtoull(ms, NULL, 10) * 1000000ULL;
	unsigned long long n = 0;

	while (now() < end) {
		if (calls(kind, 1000))
			return 1;
		n += 1000;
	}
	printf("%llu\n", n);
	return 0;
}

static int pace(const char *thousands, const char *ms)
{
	uint64_t begin = now(), end = begin + strtoull(ms, NULL, 10) * 1000000ULL;
	long each = atol(thousands);

	for (uint64_t next = begin; each > 0 && next < end; next += 1000000) {
		struct timespec until = { .tv_sec = (time_t)(next / 1000000000ULL), .tv_nsec = (long)(next % 1000000000ULL) };

		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
		if (calls("getppid", each))
			return 1;
	}
	return each > 0 ? 0 : 2;
}

static int first(char **argv)
{
	uint64_t begin, end = 0;
	int fds[2];
	char byte;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return 1;
	begin = now();
	pid = fork();
	if (pid == 0) {
		dup2(fds[1], STDOUT_FILENO);
		execvp(argv[0], argv);
		_exit(127);
	}
	close(fds[1]);
	if (pid < 0)
		return 1;
	if (read(fds[0], &byte, 1) == 1)
		end = now();
	kill(pid, SIGTERM);
	/* It may have more to write before it sees the signal. */
	while (read(fds[0], &byte, 1) > 0)
		;
	waitpid(pid, NULL, 0);
	if (!end)
		return 1;
	printf("%.0f\n", (double)(end - begin) / 1000);
	return 0;
}

static int cpu_time(const char *path, char **argv)
{
	struct rusage used;
	int status;
	FILE *f;
	pid_t pid = fork();

	if (pid == 0) {
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &used) != pid || status != 0)
		return 1;
	f = fopen(path, "we");
	if (!f)
		return 1;
	fprintf(f, "%lld\n", (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000LL + used.ru_utime.tv_usec + used.ru_stime.tv_usec);
	return fclose(f) ? 1 : 0;
}

#define STACK 4096

static int sleeper(void *unused)
{
	(void)unused;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0) != 0)
		;
	return 0;
}

/* They share their memory, so that many are made in a second; each ends with its parent. */
static int crowd(const char *number)
{
	long want = atol(number), n;
	sigset_t set;
	char *stacks;
	int got;

	if (want <= 0)
		return 2;
	stacks = mmap(NULL, (size_t)want * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (stacks == MAP_FAILED)
		return 1;
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	setpgid(0, 0);
	for (n = 0; n < want; n++) {
		if (clone(sleeper, stacks + (n + 1) * STACK, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | SIGCHLD, NULL) < 0)
			break;
	}
	printf("%ld\n", n);
	fflush(stdout);
	sigwait(&set, &got);
	kill(0, SIGKILL);
	return 0;
}

int main(int argc, char **argv)
{
	zero_fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	if (argc == 3 && !strcmp(argv[1], "serve"))
		return serve(argv[2]);
	if (argc == 4 && !strcmp(argv[1], "flood"))
		return flood(argv[2], argv[3]);
	if (argc == 4 && !strcmp(argv[1], "pace"))
		return pace(argv[2], argv[3]);
	if (argc > 2 && !strcmp(argv[1], "first"))
		return first(argv + 2);
	if (argc > 3 && !strcmp(argv[1], "cpu"))
		return cpu_time(argv[2], argv + 3);
	if (argc == 3 && !strcmp(argv[1], "crowd"))
		return crowd(argv[2]);
	fprintf(stderr, "usage: workload serve CPU | flood KIND MS | pace K MS | first CMD... | cpu FILE CMD... | crowd N\n");
	return 2;
}
