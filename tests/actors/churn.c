/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* STATIC: runs in containers and virtual machines without libraries. */
/*
 * Workloads that know their own calls, for loss, for pids that are taken
 * again, and for the order of what is shown.
 *
 *     churn serve BOARD     takes orders, a line each, and answers each with "ok"; counts on
 *                           the board every call that it makes, its own reads and writes too:
 *                               mix N K   N rounds of the first K kinds of calls (all: K = 99);
 *                                         the first is a marked call, numbered on from the last
 *                               name X    takes that name
 *     churn sums BOARD      "name count" for each kind that was called
 *     churn wrap N BASE     N short-lived tasks, one after the other, as fast as it goes; the
 *                           i-th makes the marked call BASE + i. Prints how often the pids began anew
 *     churn reuse N IN OUT  prints the pid of a member, waits for a line, then N times: the member
 *                           makes a child with the marked call IN + i, and when that has ended its
 *                           very pid is given to a child of this process (OUT + i) and again
 *                           to one of the member (IN + N + i). Prints how many pids were had again
 *     churn token N TASKS BASE
 *                           a token goes round TASKS processes, N times in all; who has it makes
 *                           the marked call BASE + i and goes to another CPU
 *     churn sleeps MS BASE  tasks that sleep, wait, exec and end for that time; churn has to be
 *                           called by its path. A sleep's line tells how long it has to take
 *     churn stamps N BASE US
 *                           marked calls, US µs apart; prints what they are to be judged by
 *     churn judge STAMPS < TRACE
 *                           the trace, made with -ttt -T, has each of them once and in order, at
 *                           the times at which they were made
 *     churn worker I        one of those, after its exec
 *     churn hog MIB         takes memory in children, one after the other, until it is killed
 *
 * A marked call is lseek(-1, N, SEEK_SET).
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char byte_zero[1];
static int zero_fd, null_fd;
static uint32_t futex_word;

static void marked(long n)
{
	syscall(SYS_lseek, -1, n, SEEK_SET);
}

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static void pause_us(long us)
{
	struct timespec ts = { .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000 };

	while (nanosleep(&ts, &ts) < 0 && errno == EINTR)
		;
}

/* --- serve: the kinds of calls, none of which changes anything ------------------ */

#define KINDS(X)                                                        \
	X(lseek, SYS_lseek, -1, board->next++, SEEK_SET)                \
	X(getppid, SYS_getppid)                                         \
	X(futex, SYS_futex, &futex_word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0) \
	X(read, SYS_read, zero_fd, byte_zero, 1)                        \
	X(write, SYS_write, null_fd, byte_zero, 1)                      \
	X(getpid, SYS_getpid)                                           \
	X(gettid, SYS_gettid)                                           \
	X(getuid, SYS_getuid)                                           \
	X(geteuid, SYS_geteuid)                                         \
	X(getgid, SYS_getgid)                                           \
	X(sched_yield, SYS_sched_yield)                                 \
	X(dup, SYS_dup, -1)                                             \
	X(getegid, SYS_getegid)                                         \
	X(getsid, SYS_getsid, 0)                                        \
	X(getpgid, SYS_getpgid, 0)                                      \
	X(close, SYS_close, -1)                                         \
	X(fsync, SYS_fsync, -1)                                         \
	X(fdatasync, SYS_fdatasync, -1)                                 \
	X(ftruncate, SYS_ftruncate, -1, 0)                              \
	X(fchmod, SYS_fchmod, -1, 0)                                    \
	X(fchown, SYS_fchown, -1, -1, -1)                               \
	X(flock, SYS_flock, -1, 0)                                      \
	X(openat, SYS_openat, AT_FDCWD, "/no/such/file/anywhere", O_RDONLY) \
	X(sched_getscheduler, SYS_sched_getscheduler, 0)

enum kind {
#define X(name, ...) KIND_##name,
	KINDS(X)
#undef X
	KIND_prctl,
	N_KINDS,
};

static const char *const kind_names[N_KINDS] = {
#define X(name, ...) #name,
	KINDS(X)
#undef X
	"prctl",
};

struct board {
	long next;
	uint64_t counts[N_KINDS];
};

static struct board *board;

static void board_map(const char *path, int make)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | (make ? O_CREAT | O_TRUNC : 0), 0600);

	if (fd < 0 || (make && ftruncate(fd, sizeof(*board)) < 0))
		die(path);
	board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (board == MAP_FAILED)
		die(path);
	close(fd);
}

static void one_call(unsigned kind)
{
	board->counts[kind]++;
	switch (kind) {
#define X(name, ...) case KIND_##name: syscall(__VA_ARGS__); break;
	KINDS(X)
#undef X
	}
}

static int obey(char *line)
{
	char *verb = strtok(line, " \n"), *a = strtok(NULL, " \n"), *b = strtok(NULL, " \n");

	if (verb && a && b && !strcmp(verb, "mix")) {
		unsigned n = (unsigned)atol(a), kinds = (unsigned)atoi(b);

		for (unsigned i = 0; i < n; i++) {
			for (unsigned k = 0; k < kinds && k < KIND_prctl; k++)
				one_call(k);
		}
		return 1;
	}
	if (verb && a && !strcmp(verb, "name")) {
		board->counts[KIND_prctl]++;
		prctl(PR_SET_NAME, a);
		return 1;
	}
	return 0;
}

/* Reads and writes by themselves: the library would make calls of its own. */
static int serve(const char *path)
{
	char line[128];
	long n;

	board_map(path, 1);
	zero_fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (zero_fd < 0 || null_fd < 0)
		die("/dev");
	while ((n = syscall(SYS_read, 0, line, sizeof(line) - 1)) > 0) {
		int ok;

		board->counts[KIND_read]++;
		line[n] = 0;
		ok = obey(line);
		/* Before: who reads the answer reads the sums next. */
		board->counts[KIND_write]++;
		if (syscall(SYS_write, 1, ok ? "ok\n" : "error\n", ok ? 3 : 6) < 0)
			return 2;
	}
	return 0;
}

static int sums(const char *path)
{
	board_map(path, 0);
	for (unsigned i = 0; i < N_KINDS; i++) {
		if (board->counts[i])
			printf("%s %llu\n", kind_names[i], (unsigned long long)board->counts[i]);
	}
	return 0;
}

/* --- pids that are taken again ---------------------------------------------------- */

/* A child that makes one call and ends; with a given pid, or by vfork, which is the fastest. */
static pid_t brief(long mark, pid_t pid)
{
	struct clone_args args = {
		.exit_signal = SIGCHLD,
		.set_tid = (uintptr_t)&pid,
		.set_tid_size = 1,
	};
	pid_t child = pid ? (pid_t)syscall(SYS_clone3, &args, sizeof(args)) : vfork();

	if (child == 0) {
		marked(mark);
		_exit(0);
	}
	return child;
}

static int wrap(long n, long base)
{
	pid_t last = 0;
	long began_anew = 0;

	for (long i = 0; i < n; i++) {
		pid_t pid = brief(base + i, 0);

		if (pid < 0)
			die("vfork");
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
		began_anew += pid < last;
		last = pid;
	}
	printf("%ld\n", began_anew);
	return 0;
}

struct pipes {
	int to[2], from[2];
};

/* The traced one: for each pid that it reads makes a child (0: with any pid), waits for it, and answers with its pid. */
static void member(struct pipes *p, long n, long base)
{
	for (long i = 0; i < 2 * n; i++) {
		/* In turn a new one, and one with the pid that both had. */
		long mark = base + i / 2 + (i % 2 ? n : 0);
		pid_t pid, child;

		if (read(p->to[0], &pid, sizeof(pid)) != sizeof(pid))
			_exit(1);
		child = brief(mark, pid);
		/* Somebody else has that pid by now. */
		if (child < 0 && pid)
			child = brief(mark, 0);
		if (child > 0)
			waitpid(child, NULL, 0);
		if (write(p->from[1], &child, sizeof(child)) != sizeof(child))
			_exit(1);
	}
	_exit(0);
}

static pid_t ask(struct pipes *p, pid_t pid)
{
	if (write(p->to[1], &pid, sizeof(pid)) != sizeof(pid) || read(p->from[0], &pid, sizeof(pid)) != sizeof(pid))
		die("member");
	return pid;
}

static int reuse(long n, long in, long out)
{
	struct pipes p;
	long again = 0;
	pid_t pid;
	char go;

	if (pipe2(p.to, O_CLOEXEC) < 0 || pipe2(p.from, O_CLOEXEC) < 0)
		die("pipe");
	pid = fork();
	if (pid == 0)
		member(&p, n, in);
	printf("%d\n", pid);
	fflush(stdout);
	if (read(0, &go, 1) != 1)
		return 2;
	for (long i = 0; i < n; i++) {
		pid_t child = ask(&p, 0), mine = brief(out + i, child);

		if (mine > 0) {
			waitpid(mine, NULL, 0);
			again += ask(&p, mine) == mine;
		} else {
			ask(&p, 0);
		}
	}
	waitpid(pid, NULL, 0);
	printf("%ld\n", again);
	return 0;
}

/* --- order ------------------------------------------------------------------------- */

static void next_cpu(long i)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((unsigned)(i % sysconf(_SC_NPROCESSORS_ONLN)), &set);
	/* Refused while a CPU is away: then it stays where it is. */
	sched_setaffinity(0, sizeof(set), &set);
}

static void pass_on(int from, int to, long n, long base)
{
	long i;

	while (read(from, &i, sizeof(i)) == sizeof(i)) {
		if (i >= 0 && i < n) {
			marked(base + i);
			next_cpu(i / 3);
			i++;
		}
		if (i >= n)
			i = -1;
		if (write(to, &i, sizeof(i)) != sizeof(i) || i < 0)
			return;
	}
}

static int token(long n, unsigned tasks, long base)
{
	int fds[64][2];
	long first = 0;

	if (tasks < 2 || tasks > 64)
		return 2;
	for (unsigned t = 0; t < tasks; t++) {
		if (pipe2(fds[t], O_CLOEXEC) < 0)
			die("pipe");
	}
	for (unsigned t = 0; t < tasks; t++) {
		if (fork() == 0) {
			pass_on(fds[t][0], fds[(t + 1) % tasks][1], n, base);
			_exit(0);
		}
	}
	if (write(fds[0][1], &first, sizeof(first)) != sizeof(first))
		die("pipe");
	while (wait(NULL) > 0)
		;
	return 0;
}

/* --- calls that last ----------------------------------------------------------------- */

static void sleep_exactly(long us)
{
	struct timespec ts = { .tv_nsec = us * 1000 };

	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &ts, NULL);
}

static int worker(long i)
{
	struct pollfd none = { .fd = -1 };
	struct timespec ts = { .tv_nsec = 1000000 * (1 + i % 20) };

	sleep_exactly(500 + i % 37 * 700);
	syscall(SYS_ppoll, &none, 1, &ts, NULL, 8);
	ts.tv_nsec = 300000 * (1 + i % 7);
	syscall(SYS_futex, &futex_word, FUTEX_WAIT_PRIVATE, 0, &ts, NULL, 0);
	marked(i);
	if (i % 3 == 0)
		raise(SIGKILL);
	return 0;
}

static int sleeps(const char *self, long ms, long base)
{
	struct timespec end, now;
	char number[24];

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += ms / 1000;
	end.tv_nsec += ms % 1000 * 1000000;
	for (long i = 0;; i++) {
		pid_t pid;

		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec > end.tv_nsec))
			break;
		snprintf(number, sizeof(number), "%ld", base + i);
		pid = fork();
		if (pid == 0) {
			/* Half of them sleep before the exec, so that an attach falls into either. */
			if (i % 2)
				sleep_exactly(3000);
			execl(self, self, "worker", number, (char *)NULL);
			_exit(127);
		}
		pause_us(1500);
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
	while (wait(NULL) > 0)
		;
	return 0;
}

static int hog(long mib)
{
	while (1) {
		pid_t pid = fork();

		if (pid == 0) {
			size_t size = (size_t)mib << 20;
			char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

			for (size_t i = 0; p != MAP_FAILED && i < size; i += 4096) {
				p[i] = 1;
				if (i % (1 << 20) == 0)
					marked((long)(i >> 20));
			}
			_exit(0);
		}
		if (pid > 0)
			waitpid(pid, NULL, 0);
		else
			pause_us(1000);
	}
}

/* --- times ----------------------------------------------------------------------------- */

static int64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * 1000000000ll + ts.tv_nsec;
}

/* Wall time less the time since boot: of the closest of some readings. */
static int64_t wall_offset(void)
{
	int64_t best = INT64_MAX, offset = 0;

	for (int i = 0; i < 20; i++) {
		int64_t before = clock_ns(CLOCK_BOOTTIME), wall = clock_ns(CLOCK_REALTIME), after = clock_ns(CLOCK_BOOTTIME);

		if (after - before < best) {
			best = after - before;
			offset = wall - before;
		}
	}
	return offset;
}

/* Of each call the time before and after it, in ns since boot; first the offset of the wall clock as it was at the start. */
static int stamps(long n, long base, long us)
{
	printf("%lld\n", (long long)wall_offset());
	for (long i = 0; i < n; i++) {
		int64_t before = clock_ns(CLOCK_BOOTTIME);

		marked(base + i);
		printf("%ld %lld %lld\n", base + i, (long long)before, (long long)clock_ns(CLOCK_BOOTTIME));
		fflush(stdout);
		pause_us(us);
	}
	return 0;
}

/* "SECONDS.DIGITS" in ns. */
static int64_t seconds_ns(const char *s, char **end)
{
	int64_t ns = strtoll(s, end, 10) * 1000000000ll, digit = 100000000;

	if (**end != '.')
		return ns;
	for ((*end)++; **end >= '0' && **end <= '9'; (*end)++, digit /= 10)
		ns += (**end - '0') * digit;
	return ns;
}

/* The next marked call of a trace: its number, when it began and how long it took. 0: none. */
static int next_marked(long *number, int64_t *time, int64_t *duration)
{
	static char line[4096];

	while (fgets(line, sizeof(line), stdin)) {
		char *call = strstr(line, " lseek(-1, "), *took = strrchr(line, '<'), *stamp, *end;

		if (!call || !took || took < call)
			continue;
		*number = strtol(call + 11, &end, 10);
		*call = 0;
		stamp = strrchr(line, ' ');
		*time = seconds_ns(stamp ? stamp + 1 : line, &end);
		*duration = seconds_ns(took + 1, &end);
		return 1;
	}
	return 0;
}

#define ROUNDING 2000                   /* of a stamp and a duration with six decimals */
#define OFFSET_ERROR 100000000          /* the two clocks are not read at the same instant */

static int wrong(long number, const char *what, int64_t ns)
{
	printf("call %ld: %s by %.6f s\n", number, what, (double)ns / 1e9);
	return 1;
}

static int judge(const char *path)
{
	long long offset, first_before = 0, first_after = 0, before, after;
	int64_t time, duration, first_time = 0;
	long number, shown, n = 0;
	FILE *f = fopen(path, "re");

	if (!f || fscanf(f, "%lld", &offset) != 1)
		die(path);
	while (fscanf(f, "%ld %lld %lld", &number, &before, &after) == 3) {
		if (!next_marked(&shown, &time, &duration))
			return wrong(number, "not shown", 0);
		if (shown != number)
			return wrong(number, "another is in its place", (shown - number) * 1000000000ll);
		if (!n++) {
			first_before = before;
			first_after = after;
			first_time = time;
		}
		if (duration > after - before + ROUNDING)
			return wrong(number, "shown as longer than it was", duration - (after - before));
		/* Between two lines as much time has passed as between the calls. */
		if (time - first_time < before - first_after - ROUNDING)
			return wrong(number, "too early", before - first_after - (time - first_time));
		if (time - first_time > after - first_before + ROUNDING)
			return wrong(number, "too late", time - first_time - (after - first_before));
		if (llabs(time - offset - before) > OFFSET_ERROR + (after - before))
			return wrong(number, "off the wall clock that ctrace began with", time - offset - before);
	}
	fclose(f);
	if (next_marked(&shown, &time, &duration))
		return wrong(shown, "shown and not made", 0);
	printf("%ld calls in %.3f s\n", n, (double)(after - first_before) / 1e9);
	return n ? 0 : 1;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";
	long n = argc > 2 ? atol(argv[2]) : 0, a = argc > 3 ? atol(argv[3]) : 0, b = argc > 4 ? atol(argv[4]) : 0;

	if (argc == 3 && !strcmp(verb, "serve"))
		return serve(argv[2]);
	if (argc == 3 && !strcmp(verb, "sums"))
		return sums(argv[2]);
	if (argc == 4 && !strcmp(verb, "wrap"))
		return wrap(n, a);
	if (argc == 5 && !strcmp(verb, "reuse"))
		return reuse(n, a, b);
	if (argc == 5 && !strcmp(verb, "token"))
		return token(n, (unsigned)a, b);
	if (argc == 4 && !strcmp(verb, "sleeps"))
		return sleeps(argv[0], n, a);
	if (argc == 5 && !strcmp(verb, "stamps"))
		return stamps(n, a, b);
	if (argc == 3 && !strcmp(verb, "judge"))
		return judge(argv[2]);
	if (argc == 3 && !strcmp(verb, "worker"))
		return worker(n);
	if (argc == 3 && !strcmp(verb, "hog"))
		return hog(n);
	fprintf(stderr, "usage: churn serve|sums|wrap|reuse|token|sleeps|stamps|judge|worker|hog ...\n");
	return 2;
}
