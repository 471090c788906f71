/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "board.h"
#include "deny.h"
#include "kinds.h"

#define MAX_THREADS 16u
#define NEST_FLAGS  (CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS)

struct work work = { .calls = 100, .width = 3, .depth = 3, .n_short = 50 };

static uint32_t current;        /* the kind that runs */
static int nested;              /* in a pid namespace below the target's */

/* The caller's number in the target's pid namespace, which is the one that /proc shows. */
static uint32_t own_tid(void)
{
	char link[64];
	const char *p;
	ssize_t n;

	if (!nested)
		return (uint32_t)syscall(SYS_gettid);
	n = readlink("/proc/thread-self", link, sizeof(link) - 1);
	link[n < 0 ? 0 : n] = 0;
	p = strrchr(link, '/');
	return p ? (uint32_t)strtoul(p + 1, NULL, 10) : 0;
}

static struct slot *own_slot(void)
{
	return slot_take(own_tid(), current);
}

static void make_calls(struct slot *s, uint32_t n)
{
	for (; s && n > 0 && s->done < board->stride; n--) {
		slot_call(s);
		if (s->done % board->burst == 0)
			pause_us(board->pause);
	}
}

static void life(void)
{
	make_calls(own_slot(), work.calls);
}

static void refused(void)
{
	atomic_fetch_add(&board->refused, 1);
}

static void reap(void)
{
	while (wait(NULL) > 0 || errno == EINTR)
		;
}

/* 0 in the child; a failure is counted. */
static pid_t birth(void)
{
	pid_t pid = fork();

	if (pid < 0)
		refused();
	return pid;
}

static pid_t birth_clone3(uint64_t flags, int cgroup)
{
	/* CLONE_PARENT takes the caller's own exit signal. */
	struct clone_args args = { .flags = flags, .exit_signal = flags & CLONE_PARENT ? 0 : SIGCHLD, .cgroup = cgroup < 0 ? 0 : (uint64_t)cgroup };
	pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));

	if (pid < 0)
		refused();
	return pid;
}

static void *thread_life(void *arg)
{
	life();
	return arg;
}

/* Runs n threads to their end, beside a life of the caller's. */
static void with_threads(uint32_t n, void *(*start)(void *))
{
	pthread_t threads[MAX_THREADS];
	uint32_t made = 0;

	while (made < n && made < MAX_THREADS && !pthread_create(&threads[made], NULL, start, NULL))
		made++;
	if (made < n && made < MAX_THREADS)
		refused();
	life();
	while (made > 0)
		pthread_join(threads[--made], NULL);
}

/* --- forks --------------------------------------------------------------------------- */

static void grow(uint32_t depth)
{
	for (uint32_t i = 0; depth > 0 && i < work.width; i++) {
		if (birth() == 0) {
			grow(depth - 1);
			_exit(0);
		}
	}
	life();
	reap();
}

static void kind_tree(void)
{
	grow(work.depth);
}

/* Each forks the next and ends at once. */
static void kind_orphans(void)
{
	for (uint32_t i = 0; i < work.depth; i++) {
		if (birth() != 0) {
			make_calls(own_slot(), 2);
			_exit(0);
		}
	}
	life();
}

/* Children that live shorter than a millisecond, one after the other. */
static void kind_short(void)
{
	for (uint32_t i = 0; i < work.n_short; i++) {
		uint64_t start = board_now();
		struct slot *s;
		pid_t pid = birth();

		if (pid == 0) {
			s = own_slot();
			for (int n = 0; s && n < 2; n++)
				slot_call(s);
			_exit(0);
		}
		if (pid > 0 && waitpid(pid, NULL, 0) == pid && board_now() - start < 1000000)
			atomic_fetch_add(&board->brief, 1);
	}
}

/* The child has its parent's memory, and the parent waits. */
static void birth_vfork(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		life();
		_exit(0);
	}
	if (pid < 0)
		refused();
}

static void kind_vfork(void)
{
	for (uint32_t i = 0; i < work.width; i++)
		birth_vfork();
	life();
	reap();
}

static void kind_clone3(void)
{
	if (birth_clone3(0, -1) == 0) {
		life();
		if (birth_clone3(CLONE_PARENT, -1) == 0) {
			life();
			_exit(0);
		}
		_exit(0);
	}
	life();
	reap();
}

/* --- threads --------------------------------------------------------------------------- */

static void kind_threads(void)
{
	with_threads(2 * work.width, thread_life);
}

static void *thread_brief(void *arg)
{
	make_calls(own_slot(), 2);
	return arg;
}

/* Threads that end as soon as they are made. */
static void kind_thread_storm(void)
{
	for (uint32_t i = 0; i < work.n_short; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, thread_brief, NULL))
			refused();
		else
			pthread_join(thread, NULL);
	}
}

static void *thread_outlives(void *arg)
{
	pause_us(3000);
	life();
	return arg;
}

/* The first thread ends before the others. */
static void kind_leader_exit(void)
{
	for (uint32_t i = 0; i < 2; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, thread_outlives, NULL))
			refused();
	}
	make_calls(own_slot(), 3);
	syscall(SYS_exit, 0);
}

/* --- exec ------------------------------------------------------------------------------- */

/* Goes on with slot s in this program, executed anew, which does it again for every stage left. */
static void go_on(struct slot *s, uint32_t stages)
{
	char fd[16], slot[16], left[16];

	snprintf(fd, sizeof(fd), "%d", work.board_fd);
	snprintf(slot, sizeof(slot), "%u", (uint32_t)(slot_number(s, 0) / board->stride - board->first));
	snprintf(left, sizeof(left), "%u", stages);
	execl("/proc/self/exe", "workload", "live", fd, slot, left, (char *)NULL);
	refused();
	_exit(0);
}

int kind_live(char **argv)
{
	uint32_t stages = (uint32_t)strtoul(argv[2], NULL, 10), n = (uint32_t)strtoul(argv[1], NULL, 10);
	struct slot *s;

	work.board_fd = atoi(argv[0]);
	board_use(work.board_fd);
	if (n >= board_tasks())
		return 2;
	s = board_slot(n);
	make_calls(s, (board->stride - s->done) / (stages + 1));
	if (stages > 0)
		go_on(s, stages - 1);
	return 0;
}

static void kind_exec_chain(void)
{
	struct slot *s = own_slot();

	make_calls(s, work.calls / (work.depth + 1));
	if (s)
		go_on(s, work.depth);
}

static void *thread_execs(void *arg)
{
	struct slot *s = own_slot();

	(void)arg;
	make_calls(s, work.calls / 2);
	if (!s)
		_exit(0);
	/* From the exec on it has the first thread's number. */
	s->tid_after = (uint32_t)getpid();
	s->moved_at = s->done;
	go_on(s, 1);
	return NULL;
}

static void kind_thread_exec(void)
{
	pthread_t thread;

	make_calls(own_slot(), 3);
	if (pthread_create(&thread, NULL, thread_execs, NULL))
		refused();
	else
		pthread_join(thread, NULL);
}

/* --- seccomp ------------------------------------------------------------------------------ */

static int deny(unsigned action)
{
	if (!deny_call(SYS_lseek, action))
		return 0;
	refused();
	return -1;
}

static void denied_and_killed(unsigned action)
{
	struct slot *s = own_slot();

	make_calls(s, 5);
	if (s && !deny(action))
		slot_call_last(s);
}

static void kind_deny_errno(void)
{
	if (!deny(SECCOMP_RET_ERRNO | EACCES))
		life();
}

static void *thread_is_killed(void *arg)
{
	denied_and_killed(SECCOMP_RET_KILL_THREAD);
	return arg;
}

static void kind_deny_thread(void)
{
	with_threads(2, thread_is_killed);
	if (birth() == 0) {
		denied_and_killed(SECCOMP_RET_KILL_THREAD);
		_exit(0);
	}
	reap();
}

static void kind_deny_process(void)
{
	denied_and_killed(SECCOMP_RET_KILL_PROCESS);
}

static void kind_deny_trap(void)
{
	denied_and_killed(SECCOMP_RET_TRAP);
}

/* --- namespaces ----------------------------------------------------------------------------- */

static int write_file(const char *dir, const char *name, const char *text)
{
	char path[4096];
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = write(fd, text, strlen(text));
		close(fd);
	}
	if (n < 0)
		refused();
	return n < 0 ? -1 : 0;
}

/* Whoever makes the next namespace needs to be known in its own; root may not be mapped without CAP_SETFCAP. */
static void map_ids(const char *map)
{
	write_file("/proc/self", "setgroups", "deny");
	write_file("/proc/self", "uid_map", map);
	write_file("/proc/self", "gid_map", map);
}

static void nest(uint32_t levels)
{
	pid_t pid = levels ? birth_clone3(NEST_FLAGS, -1) : 1;

	if (pid == 0) {
		nested = 1;
		map_ids(levels == 3 ? "0 1000 1" : "0 0 1");
		with_threads(1, thread_life);
		nest(levels - 1);
		_exit(0);
	}
	life();
	reap();
}

static void kind_nested(void)
{
	if (syscall(SYS_setresgid, 1000, 1000, 1000) || syscall(SYS_setresuid, 1000, 1000, 1000) || prctl(PR_SET_DUMPABLE, 1))
		return refused();
	nest(3);
}

static int join(pid_t pid, const char *name, int type)
{
	char path[64];
	int fd, r;

	snprintf(path, sizeof(path), "/proc/%d/ns/%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	r = setns(fd, type);
	close(fd);
	return r;
}

/* Children that enter a namespace that others live in. */
static void kind_setns(void)
{
	int pipes[2];
	pid_t pid;
	char byte;

	if (pipe(pipes) < 0)
		return refused();
	pid = birth_clone3(NEST_FLAGS, -1);
	if (pid == 0) {
		nested = 1;
		close(pipes[1]);
		life();
		(void)!read(pipes[0], &byte, 1);
		_exit(0);
	}
	for (uint32_t i = 0; pid > 0 && i < work.width; i++) {
		if (birth() != 0)
			continue;
		life();
		if (join(pid, "user", CLONE_NEWUSER) || join(pid, "pid", CLONE_NEWPID) || join(pid, "mnt", CLONE_NEWNS)) {
			refused();
			_exit(0);
		}
		nested = 1;
		if (birth() == 0)
			life();
		else
			reap();
		_exit(0);
	}
	/* The first of the namespace ends last. */
	life();
	for (uint32_t i = 0; pid > 0 && i < work.width; i++)
		wait(NULL);
	close(pipes[1]);
	reap();
}

/* --- cgroups ---------------------------------------------------------------------------------- */

static int enter(const char *dir, const char *below, const char *file)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", dir, below);
	return write_file(path, file, "0");
}

static void kind_into_cgroup(void)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/b", work.inside);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (uint32_t i = 0; fd >= 0 && i < work.width; i++) {
		if (birth_clone3(CLONE_INTO_CGROUP, fd) == 0) {
			grow(1);
			_exit(0);
		}
	}
	reap();
}

/* From one part of the target to another, while its threads go on. */
static void kind_hop(void)
{
	pthread_t threads[2];
	uint32_t n = 0;

	while (n < 2 && !pthread_create(&threads[n], NULL, thread_life, NULL))
		n++;
	for (uint32_t i = 0; i < 4; i++) {
		enter(work.inside, i % 2 ? "a" : "b", "cgroup.procs");
		make_calls(own_slot(), work.calls / 4);
	}
	while (n > 0)
		pthread_join(threads[--n], NULL);
}

static void *thread_hops(void *arg)
{
	char path[4096];
	const char *file;

	(void)arg;
	/* v1's file has another name. */
	snprintf(path, sizeof(path), "%s/t/x/tasks", work.inside);
	file = access(path, F_OK) ? "cgroup.threads" : "tasks";
	for (uint32_t i = 0; i < 4; i++) {
		enter(work.inside, i % 2 ? "t/x" : "t/y", file);
		make_calls(own_slot(), work.calls / 4);
	}
	return NULL;
}

static void kind_hop_threads(void)
{
	if (!enter(work.inside, "t", "cgroup.procs"))
		with_threads(2, thread_hops);
}

static pthread_barrier_t barrier;

/* Calls inside, outside and inside again; between them the process is moved, while its threads wait. */
static void in_and_out(int moves)
{
	static const char *const way[] = { "outside", "inside", "outside", "inside" };

	life();
	for (uint32_t i = 0; i < 4; i++) {
		struct slot *s;
		int out = way[i][0] == 'o';

		pthread_barrier_wait(&barrier);
		if (moves)
			enter(out ? work.outside : work.inside, out ? "." : "a", "cgroup.procs");
		pthread_barrier_wait(&barrier);
		s = own_slot();
		if (s && out)
			s->flags |= SLOT_OUTSIDE;
		make_calls(s, work.calls / 4);
	}
}

static void *thread_in_and_out(void *arg)
{
	in_and_out(0);
	return arg;
}

static void kind_out(void)
{
	pthread_t threads[2];
	uint32_t n = 0;

	pthread_barrier_init(&barrier, NULL, 3);
	while (n < 2 && !pthread_create(&threads[n], NULL, thread_in_and_out, NULL))
		n++;
	if (n < 2) {
		refused();
		_exit(0);
	}
	in_and_out(1);
	while (n > 0)
		pthread_join(threads[--n], NULL);
}

/* --- calls that do not return ------------------------------------------------------------------- */

static void kind_hang(void)
{
	struct slot *s = own_slot();

	if (!s)
		return;
	make_calls(s, 3);
	slot_hang(s);
}

/* Sleeps in one call until the last writer of the pipe has ended, and then without a call until it is reparented. */
static void wait_for_end(int fds[2])
{
	uint64_t end;
	char byte;

	close(fds[1]);
	(void)!read(fds[0], &byte, 1);
	end = board_now() + 3000000;
	while (board_now() < end)
		;
}

/*
 * Tasks that sleep while tracing begins, and make their calls only when their
 * parents have ended: no call of theirs shows then where they come from.
 */
static void kind_sleepers(void)
{
	int parent[2], child[2];

	/* Nobody says "go" any more when the entry point was killed. */
	if (pipe2(parent, O_CLOEXEC) < 0 || pipe2(child, O_CLOEXEC) < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL))
		return refused();
	if (birth() == 0) {
		if (birth() == 0) {
			close(parent[1]);
			wait_for_end(child);
			life();
			_exit(0);
		}
		wait_for_end(parent);
		life();
		_exit(0);
	}
	close(child[1]);
	board_wait_go();
}

/* Killed in the middle of its calls. */
static void kind_killed(void)
{
	pid_t pid = birth();

	if (pid == 0) {
		with_threads(2, thread_life);
		_exit(0);
	}
	pause_us(1000);
	if (pid > 0)
		kill(pid, SIGKILL);
	reap();
}

const struct kind kinds[] = {
	{ "entry-point", 0, NULL },
	{ "tree", 0, kind_tree },
	{ "orphans", KIND_ORPHANS, kind_orphans },
	{ "threads", 0, kind_threads },
	{ "thread-storm", 0, kind_thread_storm },
	{ "vfork", 0, kind_vfork },
	{ "clone3", 0, kind_clone3 },
	{ "short", 0, kind_short },
	{ "exec-chain", 0, kind_exec_chain },
	{ "thread-exec", 0, kind_thread_exec },
	{ "leader-exit", 0, kind_leader_exit },
	{ "deny-errno", 0, kind_deny_errno },
	{ "deny-thread", 0, kind_deny_thread },
	{ "deny-process", 0, kind_deny_process },
	{ "deny-trap", 0, kind_deny_trap },
	{ "nested", 0, kind_nested },
	{ "setns", 0, kind_setns },
	{ "into-cgroup", KIND_INSIDE, kind_into_cgroup },
	{ "hop", KIND_INSIDE, kind_hop },
	{ "hop-threads", KIND_INSIDE, kind_hop_threads },
	{ "out", KIND_OUTSIDE, kind_out },
	{ "hang", KIND_HANGS, kind_hang },
	{ "killed", 0, kind_killed },
	{ "sleepers", KIND_ORPHANS | KIND_WAITS, kind_sleepers },
};
const uint32_t n_kinds = sizeof(kinds) / sizeof(kinds[0]);

void kind_run(uint32_t kind)
{
	current = kind;
	kinds[kind].run();
}
