/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* STATIC: runs in containers without libraries. */
/*
 * Does what it is told, one command a line from standard input ("marked
 * serve", which answers each with "ok"), or from its arguments, separated by
 * "/":
 *
 *     calls BASE N       N marked calls: lseek(-1, BASE + i, SEEK_SET)
 *     threads T BASE N   starts T threads that stay; each makes N marked calls
 *                        now and at every later "all"
 *     all BASE N         every thread that stays makes N marked calls, the t-th from BASE + t * N
 *     fork BASE N        a child that makes N marked calls; waits for it
 *     orphan BASE N      the same by a grandchild whose parent has ended
 *     thread-exec BASE N a child with two threads; the second one executes this
 *                        program anew, which makes the calls
 *     leader-exit BASE N a child whose first thread ends before the other makes the calls
 *     vfork BASE N       a child of vfork that makes N marked calls, and N more after an exec
 *     as TID BASE N      the same by clone3, with that number, which has to be free
 *     into DIR BASE N    a child that clone3 puts into the cgroup (v2) of that directory; makes the calls
 *     headless FILE BASE N  a child whose first thread ends; the other waits until FILE is there and makes the calls
 *     churn FILE BASE    a child that starts processes of three threads, one after the other,
 *                        until FILE is there; each thread makes one marked call, numbered on
 *     zombie             a child that ends at once
 *     reap               waits for all children
 *     deny errno|kill|kill-process|trap BASE N
 *                        a child that seccomp denies lseek; makes the calls
 *     unforked BASE N    a child that makes the calls, and before each a clone3 that seccomp
 *                        answers with 0, as if it were in a new task
 *     int80 BASE N       (x86_64) a child that makes the calls by int 0x80
 *     hang               a child that sleeps in pause() until it is killed
 *     flood N            N calls of getppid, as fast as they go
 *     eat MIB            takes that much memory
 *     hostile            a name and a path that try to take over a terminal
 *     comm NAME          takes that name
 *     sleep MS, exit N, die SIGNAL
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
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

#include "parts/deny.h"

#define MAX_THREADS 64

static int last_status;

static struct {
	pthread_mutex_t lock;
	pthread_cond_t go, done;
	unsigned n, round, pending;
	long base, count;
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER, .go = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER };

static void calls(long base, long n)
{
	for (long i = 0; i < n; i++)
		syscall(SYS_lseek, -1, base + i, SEEK_SET);
}

static void pause_ms(long ms)
{
	struct timespec ts = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	while (nanosleep(&ts, &ts) < 0 && errno == EINTR)
		;
}

static void *pool_thread(void *arg)
{
	long me = (long)arg;
	unsigned round = 0;

	pthread_mutex_lock(&pool.lock);
	while (1) {
		while (pool.round == round)
			pthread_cond_wait(&pool.go, &pool.lock);
		round = pool.round;
		pthread_mutex_unlock(&pool.lock);
		calls(pool.base + me * pool.count, pool.count);
		pthread_mutex_lock(&pool.lock);
		if (--pool.pending == 0)
			pthread_cond_signal(&pool.done);
	}
	return NULL;
}

static int cmd_all(char **argv)
{
	pthread_mutex_lock(&pool.lock);
	pool.base = atol(argv[0]);
	pool.count = atol(argv[1]);
	pool.pending = pool.n;
	pool.round++;
	pthread_cond_broadcast(&pool.go);
	while (pool.pending)
		pthread_cond_wait(&pool.done, &pool.lock);
	pthread_mutex_unlock(&pool.lock);
	return 0;
}

static int cmd_threads(char **argv)
{
	unsigned want = (unsigned)atoi(argv[0]);
	pthread_t thread;

	if (pool.n || want > MAX_THREADS)
		return -EINVAL;
	for (; pool.n < want; pool.n++) {
		if (pthread_create(&thread, NULL, pool_thread, (void *)(long)pool.n))
			return -EAGAIN;
	}
	return cmd_all(argv + 1);
}

static int cmd_calls(char **argv)
{
	calls(atol(argv[0]), atol(argv[1]));
	return 0;
}

static int wait_for(pid_t pid)
{
	if (pid < 0)
		return -errno;
	while (waitpid(pid, &last_status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return 0;
}

static int cmd_fork(char **argv)
{
	pid_t pid = fork();

	if (pid == 0) {
		calls(atol(argv[0]), atol(argv[1]));
		_exit(0);
	}
	return wait_for(pid);
}

static int cmd_orphan(char **argv)
{
	int fds[2];
	char byte;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (pid == 0) {
		pid_t parent = getpid();

		if (fork() != 0)
			_exit(0);
		while (getppid() == parent)
			pause_ms(1);
		calls(atol(argv[0]), atol(argv[1]));
		_exit(0);
	}
	close(fds[1]);
	if (wait_for(pid) < 0)
		return -ECHILD;
	/* The end of the file is the end of the grandchild. */
	while (read(fds[0], &byte, 1) < 0 && errno == EINTR)
		;
	close(fds[0]);
	return 0;
}

static void *thread_execs(void *arg)
{
	char **argv = arg;

	execl("/proc/self/exe", "marked", "calls", argv[0], argv[1], (char *)NULL);
	_exit(127);
}

static int cmd_thread_exec(char **argv)
{
	pid_t pid = fork();
	pthread_t thread;

	if (pid == 0) {
		pthread_create(&thread, NULL, thread_execs, argv);
		pause_ms(60000);
		_exit(126);
	}
	return wait_for(pid) ? -ECHILD : last_status ? -ENOEXEC : 0;
}

static void *thread_outlives(void *arg)
{
	char **argv = arg;

	pause_ms(50);
	calls(atol(argv[0]), atol(argv[1]));
	_exit(0);
}

static int cmd_leader_exit(char **argv)
{
	pid_t pid = fork();
	pthread_t thread;

	if (pid == 0) {
		pthread_create(&thread, NULL, thread_outlives, argv);
		syscall(SYS_exit, 0);
	}
	return wait_for(pid);
}

/* N calls, and N more after an exec. */
static void calls_exec_calls(long base, long n)
{
	char first[24], count[24];

	snprintf(first, sizeof(first), "%ld", base + n);
	snprintf(count, sizeof(count), "%ld", n);
	calls(base, n);
	execl("/proc/self/exe", "marked", "calls", first, count, (char *)NULL);
	_exit(127);
}

static int cmd_vfork(char **argv)
{
	long base = atol(argv[0]), n = atol(argv[1]);
	pid_t pid = vfork();

	if (pid == 0)
		calls_exec_calls(base, n);
	return wait_for(pid) ? -ECHILD : last_status ? -ENOEXEC : 0;
}

/* A child by clone3. */
static pid_t clone3_fork(struct clone_args *args)
{
	args->exit_signal = SIGCHLD;
	return (pid_t)syscall(SYS_clone3, args, sizeof(*args));
}

static int cmd_into(char **argv)
{
	int fd = open(argv[0], O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct clone_args args = { .flags = CLONE_INTO_CGROUP, .cgroup = (__u64)fd };
	pid_t pid;

	if (fd < 0)
		return -errno;
	pid = clone3_fork(&args);
	if (pid == 0) {
		calls(atol(argv[1]), atol(argv[2]));
		_exit(0);
	}
	close(fd);
	return wait_for(pid);
}

static int cmd_as(char **argv)
{
	pid_t tid = atoi(argv[0]);
	struct clone_args args = { .set_tid = (__u64)(uintptr_t)&tid, .set_tid_size = 1 };
	pid_t pid = clone3_fork(&args);

	if (pid == 0)
		calls_exec_calls(atol(argv[1]), atol(argv[2]));
	return wait_for(pid) ? -ECHILD : last_status ? -ENOEXEC : 0;
}

static void wait_for_file(const char *path)
{
	while (access(path, F_OK))
		pause_ms(1);
}

static void *headless_thread(void *arg)
{
	char **argv = arg;

	wait_for_file(argv[0]);
	calls(atol(argv[1]), atol(argv[2]));
	_exit(0);
}

static int cmd_headless(char **argv)
{
	pid_t pid = fork();
	pthread_t thread;

	if (pid == 0) {
		if (pthread_create(&thread, NULL, headless_thread, argv))
			_exit(1);
		syscall(SYS_exit, 0);
	}
	return pid < 0 ? -errno : 0;
}

static void *churn_thread(void *arg)
{
	calls((long)arg, 1);
	return NULL;
}

static void churn_group(long base)
{
	pthread_t threads[2];

	for (long i = 0; i < 2; i++) {
		if (pthread_create(&threads[i], NULL, churn_thread, (void *)(base + i)))
			_exit(1);
	}
	calls(base + 2, 1);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	_exit(0);
}

static int cmd_churn(char **argv)
{
	long base = atol(argv[1]);
	pid_t pid = fork();

	if (pid != 0)
		return pid < 0 ? -errno : 0;
	for (; access(argv[0], F_OK); base += 3) {
		pid = fork();
		if (pid == 0)
			churn_group(base);
		if (wait_for(pid) || last_status)
			_exit(1);
	}
	_exit(0);
}

static int cmd_zombie(char **argv)
{
	pid_t pid = fork();
	siginfo_t info;

	(void)argv;
	if (pid == 0)
		_exit(0);
	if (pid < 0)
		return -errno;
	/* It has ended, and is not taken away. */
	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) ? -errno : 0;
}

static int cmd_reap(char **argv)
{
	(void)argv;
	while (waitpid(-1, &last_status, 0) > 0 || errno == EINTR)
		;
	return errno == ECHILD ? 0 : -errno;
}

static int cmd_deny(char **argv)
{
	unsigned action = !strcmp(argv[0], "errno") ? SECCOMP_RET_ERRNO | EACCES :
			  !strcmp(argv[0], "kill")  ? SECCOMP_RET_KILL_THREAD :
			  !strcmp(argv[0], "trap")  ? SECCOMP_RET_TRAP : SECCOMP_RET_KILL_PROCESS;
	pid_t pid = fork();

	if (pid == 0) {
		if (deny_call(SYS_lseek, action))
			_exit(99);
		calls(atol(argv[1]), atol(argv[2]));
		_exit(0);
	}
	if (wait_for(pid))
		return -ECHILD;
	return WIFEXITED(last_status) && WEXITSTATUS(last_status) == 99 ? -EINVAL : 0;
}

static int cmd_unforked(char **argv)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (deny_call(SYS_clone3, SECCOMP_RET_ERRNO))
			_exit(99);
		for (long i = 0; i < atol(argv[1]); i++) {
			if (syscall(SYS_clone3, NULL, 0))
				_exit(99);
			calls(atol(argv[0]) + i, 1);
		}
		_exit(0);
	}
	return wait_for(pid) ? -ECHILD : last_status ? -EINVAL : 0;
}

static int cmd_int80(char **argv)
{
#ifdef __x86_64__
	long base = atol(argv[0]), n = atol(argv[1]);
	pid_t pid = fork();

	if (pid == 0) {
		for (long i = 0; i < n; i++) {
			long ret = 19;  /* lseek of i386 */

			__asm__ volatile("int $0x80" : "+a"(ret) : "b"(-1L), "c"(base + i), "d"(0L) : "memory");
			if (ret != -EBADF)
				_exit(1);
		}
		_exit(0);
	}
	return wait_for(pid) ? -ECHILD : last_status ? -ENOSYS : 0;
#else
	(void)argv;
	return -ENOSYS;
#endif
}

static int cmd_hang(char **argv)
{
	pid_t pid = fork();

	(void)argv;
	if (pid == 0) {
		/* Whoever is killed takes it along. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (1)
			pause();
	}
	return pid < 0 ? -errno : 0;
}

static int cmd_flood(char **argv)
{
	for (long n = atol(argv[0]); n > 0; n--)
		syscall(SYS_getppid);
	return 0;
}

static int cmd_eat(char **argv)
{
	size_t size = (size_t)atol(argv[0]) << 20;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return -errno;
	for (size_t i = 0; i < size; i += 4096)
		p[i] = 1;
	return munmap(p, size) ? -errno : 0;
}

static int cmd_hostile(char **argv)
{
	(void)argv;
	prctl(PR_SET_NAME, "a\033[31mX\n\x9bY\r");
	close(open("/\033]0;owned\a/\n+++ exited with 0 +++\n/\xff\xfe\x80", O_RDONLY));
	close(open("/etc/\xc2\x9b" "2J\x7f\t\b", O_RDONLY));
	close(open("/quote\"back\\slash", O_RDONLY));
	return 0;
}

static int cmd_comm(char **argv)
{
	return prctl(PR_SET_NAME, argv[0]) ? -errno : 0;
}

static int cmd_sleep(char **argv)
{
	pause_ms(atol(argv[0]));
	return 0;
}

static int cmd_exit(char **argv)
{
	fflush(stdout);
	_exit(atoi(argv[0]));
}

static int cmd_die(char **argv)
{
	signal(atoi(argv[0]), SIG_DFL);
	kill(getpid(), atoi(argv[0]));
	return -ESRCH;
}

static const struct {
	const char *name;
	int n_args;
	int (*run)(char **argv);
} commands[] = {
	{ "calls", 2, cmd_calls },
	{ "threads", 3, cmd_threads },
	{ "all", 2, cmd_all },
	{ "fork", 2, cmd_fork },
	{ "orphan", 2, cmd_orphan },
	{ "thread-exec", 2, cmd_thread_exec },
	{ "leader-exit", 2, cmd_leader_exit },
	{ "vfork", 2, cmd_vfork },
	{ "into", 3, cmd_into },
	{ "as", 3, cmd_as },
	{ "headless", 3, cmd_headless },
	{ "churn", 2, cmd_churn },
	{ "zombie", 0, cmd_zombie },
	{ "reap", 0, cmd_reap },
	{ "deny", 3, cmd_deny },
	{ "unforked", 2, cmd_unforked },
	{ "int80", 2, cmd_int80 },
	{ "hang", 0, cmd_hang },
	{ "flood", 1, cmd_flood },
	{ "eat", 1, cmd_eat },
	{ "hostile", 0, cmd_hostile },
	{ "comm", 1, cmd_comm },
	{ "sleep", 1, cmd_sleep },
	{ "exit", 1, cmd_exit },
	{ "die", 1, cmd_die },
};

static int command(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(commands[i].name, argv[0]) != 0)
			continue;
		if (argc - 1 != commands[i].n_args)
			return -EINVAL;
		return commands[i].run(argv + 1);
	}
	return -EINVAL;
}

static int serve(void)
{
	char line[256], *words[8], *save;

	setvbuf(stdout, NULL, _IOLBF, 0);
	while (fgets(line, sizeof(line), stdin)) {
		int n = 0, r;

		for (char *w = strtok_r(line, " \n", &save); w && n < 8; w = strtok_r(NULL, " \n", &save))
			words[n++] = w;
		if (n == 0)
			continue;
		r = command(n, words);
		if (r < 0)
			printf("error %s: %s\n", words[0], strerror(-r));
		else
			printf("ok\n");
	}
	return 0;
}

int main(int argc, char **argv)
{
	int i = 1, n;

	if (argc == 2 && !strcmp(argv[1], "serve"))
		return serve();
	while (i < argc) {
		int r;

		for (n = 0; i + n < argc && strcmp(argv[i + n], "/") != 0; n++)
			;
		r = n ? command(n, argv + i) : -EINVAL;
		if (r < 0) {
			fprintf(stderr, "marked: %s: %s\n", argv[i], strerror(-r));
			return 1;
		}
		i += n + 1;
	}
	return 0;
}
