/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "session/session.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>

#include "ns/procfs.h"
#include "session/internal.h"
#include "session/lossless.h"
#include "session/narrow.h"
#include "stack/stack.h"

#define TICK_MS 5               /* between two looks at the ring while records come */
#define MANY 4096               /* records in one look after which the next follows at once */
#define WATCH_MS 100            /* between two looks at whether targets without a pidfd are still there */
#define MAX_EVENTS 16
#define CATCH_UP_NS 200000000ull        /* for which the first look at the ring may go first */
#define BLOCKED_LOOK_NS  500000000ull   /* between two looks at the calls that have blocked for a second */
#define BLOCKED_SLACK_NS 10000000ull

uint64_t boottime_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_BOOTTIME, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static int64_t wall_offset(void)
{
	uint64_t best = UINT64_MAX;
	int64_t offset = 0;

	/* Of several readings the one that was interrupted least. */
	for (int i = 0; i < 5; i++) {
		uint64_t before = boottime_ns(), after;
		struct timespec ts;

		clock_gettime(CLOCK_REALTIME, &ts);
		after = boottime_ns();
		if (after - before >= best)
			continue;
		best = after - before;
		offset = ts.tv_sec * 1000000000ll + ts.tv_nsec - (int64_t)(before + best / 2);
	}
	return offset;
}

static int watch_fd(int epoll_fd, int fd)
{
	struct epoll_event e = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &e) < 0 ? -errno : 0;
}

static int make_timer(uint64_t first_ns, uint64_t every_ns)
{
	struct itimerspec t = {
		.it_value = { first_ns / 1000000000, first_ns % 1000000000 },
		.it_interval = { every_ns / 1000000000, every_ns % 1000000000 },
	};
	int fd = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);

	if (fd >= 0)
		timerfd_settime(fd, 0, &t, NULL);
	return fd;
}

static int open_signals(void)
{
	struct sigaction hup;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	/* Under nohup(1) it is ignored, and stays so. */
	if (!sigaction(SIGHUP, NULL, &hup) && hup.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/*
 * Two sets to wait on: all but the ring, for a tick while records come, and
 * the ring together with that set, when nothing does.
 */
static int open_events(struct session *s)
{
	int err;

	s->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	s->idle_fd = epoll_create1(EPOLL_CLOEXEC);
	s->signal_fd = open_signals();
	s->timer_fd = make_timer(0, 0);
	if (s->epoll_fd < 0 || s->idle_fd < 0 || s->signal_fd < 0 || s->timer_fd < 0)
		return -errno;
	err = watch_fd(s->epoll_fd, s->signal_fd);
	if (!err)
		err = watch_fd(s->epoll_fd, s->timer_fd);
	if (!err)
		err = watch_fd(s->idle_fd, s->epoll_fd);
	if (!err)
		err = watch_fd(s->idle_fd, ring_fd(s->ring));
	return err;
}

/*
 * A pidfd of a container's init, which is numbered in env's /proc: to be had if
 * our own numbers are the same, and if it is still the process it was.
 */
static int open_pidfd(const struct session *s, const struct target *t)
{
	_cleanup_close_ int fd = -1;
	struct proc_stat stat;

	if (session_own_pidns() != s->env->pidns_inum)
		return -1;
	fd = syscall(SYS_pidfd_open, t->init_pid, 0);
	if (fd < 0 || proc_stat_read(s->env->proc_fd, t->init_pid, 0, &stat) || (t->init_start && stat.start != t->init_start))
		return -1;
	return TAKE_FD(fd);
}

static int make_watches(struct session *s)
{
	s->watched = calloc(s->targets->n + 1, sizeof(*s->watched));
	if (!s->watched)
		return -ENOMEM;
	for (size_t i = 0; i < s->targets->n; i++) {
		s->watched[i].target = &s->targets->v[i];
		s->watched[i].pidfd = s->watched[i].pidns_fd = -1;
	}
	return 0;
}

void session_watch_init(struct session *s, size_t i)
{
	struct watched *w = &s->watched[i];

	session_unwatch_init(s, i);
	if (w->target->kind == TARGET_CONTAINER && w->target->init_pid)
		w->pidfd = open_pidfd(s, w->target);
	if (w->pidfd >= 0)
		watch_fd(s->epoll_fd, w->pidfd);
}

void session_unwatch_init(struct session *s, size_t i)
{
	struct watched *w = &s->watched[i];

	if (w->pidfd >= 0)
		epoll_ctl(s->epoll_fd, EPOLL_CTL_DEL, w->pidfd, NULL);
	closep(&w->pidfd);
}

static int open_watches(struct session *s)
{
	for (size_t i = 0; i < s->targets->n; i++)
		session_watch_init(s, i);
	if (!s->opts.command_pid)
		return 0;
	s->command_running = true;
	s->command_pidfd = syscall(SYS_pidfd_open, s->opts.command_pid, 0);
	return s->command_pidfd < 0 ? -errno : watch_fd(s->epoll_fd, s->command_pidfd);
}

/* After the attach, so that what comes from now on is seen by the kernel side. */
static int open_waiter(struct session *s)
{
	int err;

	if (!session_waits(s))
		return 0;
	err = session_wait_open(s);
	return err ? err : watch_fd(s->epoll_fd, waiter_fd(s->waiter));
}

/* Tracing is active: from here on every call of every task of the targets is seen. */
static int announce(struct session *s)
{
	s->since = boottime_ns();
	s->wall_offset = wall_offset();
	if (s->opts.for_ns) {
		s->skel->bss->ctl.deadline = s->since + s->opts.for_ns;
		s->for_fd = make_timer(s->opts.for_ns, 0);
		if (s->for_fd < 0 || watch_fd(s->epoll_fd, s->for_fd))
			return -errno;
	}
	s->skel->bss->ctl.announced = 1;
	return 0;
}

int session_release(struct session *s)
{
	if (s->opts.ready_fd >= 0 && write(s->opts.ready_fd, "\n", 1) != 1)
		return -errno;
	if (s->opts.command_pid && write(s->opts.command_release_fd, "\n", 1) != 1)
		return -errno;
	return 0;
}

static int losses_init(struct session *s)
{
	s->losses.per_cpu = calloc(s->n_cpus, sizeof(*s->losses.per_cpu));
	s->losses.now = calloc(s->n_cpus, sizeof(*s->losses.now));
	return s->losses.per_cpu && s->losses.now ? 0 : -ENOMEM;
}

static int start(struct session *s, char *err, size_t err_size)
{
	int r = make_watches(s);

	if (!r)
		r = session_hold(s, err, err_size);
	if (!r)
		r = session_load(s, err, err_size);
	if (!r)
		r = ring_open(bpf_map__fd(s->skel->maps.ring), bpf_map__max_entries(s->skel->maps.ring), &s->ring);
	if (!r)
		r = wire_new(&s->wire);
	if (!r)
		r = session_stack_open(s);
	if (!r)
		r = open_events(s);
	if (!r)
		r = open_watches(s);
	if (!r)
		r = losses_init(s);
	if (!r && s->lossless)
		r = lossless_start(s->lossless, s->ring);
	if (!r)
		r = session_attach(s, err, err_size);
	if (!r)
		r = open_waiter(s);
	if (!r)
		r = session_rescan(s);
	if (!r)
		r = announce(s);
	return r;
}

void session_hurry(bool on)
{
	static struct sched_param own;
	static int policy = -1;
	struct sched_param first = { .sched_priority = 1 };

	if (on) {
		policy = sched_getscheduler(0);
		/* One that is niced was asked not to, and what it starts would lose its nice value. */
		if (policy == SCHED_OTHER && !getpriority(PRIO_PROCESS, 0) && !sched_getparam(0, &own))
			sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &first);
	} else if (policy == SCHED_OTHER && sched_getscheduler(0) != policy) {
		sched_setscheduler(0, policy, &own);
	}
}

int session_start(const struct session_opts *opts, const struct target_env *env, const struct target_list *targets,
		  struct session **ret_session, char *err, size_t err_size)
{
	struct session *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return -ENOMEM;
	err[0] = 0;
	s->opts = *opts;
	s->env = env;
	s->targets = targets;
	s->epoll_fd = s->idle_fd = s->signal_fd = s->timer_fd = s->for_fd = s->blocked_fd = s->command_pidfd = -1;
	if (targets->n > CT_TARGETS) {
		snprintf(err, err_size, "%zu targets: more than the %d that one run can have", targets->n, CT_TARGETS);
		r = -E2BIG;
	} else {
		s->hurried = true;
		r = start(s, err, err_size);
	}
	s->hurried = false;
	session_hurry(false);
	if (r) {
		if (!err[0])
			snprintf(err, err_size, "cannot start tracing: %s", strerror(-r));
		/* Still the caller's. */
		s->opts.touch = (struct touch){ 0 };
		session_free(s);
		return r;
	}
	*ret_session = s;
	return 0;
}

void session_times(const struct session *s, uint64_t *ret_since, int64_t *ret_wall_offset)
{
	*ret_since = s->since;
	*ret_wall_offset = s->wall_offset;
}

static void on_signal(struct session *s)
{
	struct signalfd_siginfo info;

	while (read(s->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (!s->command_running)
			s->quit = info.ssi_signo;
		else if (info.ssi_signo != SIGINT)
			kill(s->opts.command_pid, info.ssi_signo);
	}
}

static void on_command_end(struct session *s)
{
	session_unselect_command(s);
	if (waitpid(s->opts.command_pid, &s->command_status, WNOHANG) != s->opts.command_pid)
		return;
	s->command_running = false;
	epoll_ctl(s->epoll_fd, EPOLL_CTL_DEL, s->command_pidfd, NULL);
	if (s->opts.until_exit)
		s->quit = -1;
}

static bool has_tasks(const struct session *s, size_t i)
{
	return __atomic_load_n(&s->live[i].live, __ATOMIC_RELAXED) > 0;
}

/* Whether there is nothing left to come from a target. */
static bool target_ended(struct session *s, size_t i)
{
	struct watched *w = &s->watched[i];
	struct task_refs refs = {};
	bool none;

	if (w->target->waiting)
		return false;
	switch (w->target->kind) {
	case TARGET_ALL:
		return false;
	case TARGET_COMMAND:
		return !s->command_running && !has_tasks(s, i);
	case TARGET_PROCESS:
	case TARGET_THREAD:
		if (has_tasks(s, i))
			return false;
		/* One that has made no call yet is not counted. */
		none = target_read_tasks(s->env, w->target, &refs) || !refs.n;
		task_refs_done(&refs);
		return none;
	case TARGET_CONTAINER:
		if (w->pidfd >= 0)
			return false;   /* its pidfd tells */
		return w->has_status || !target_exists(w->target) || target_init_ended(s->env, w->target);
	case TARGET_CGROUP:
		return !target_exists(w->target);
	case TARGET_POD:
	case TARGET_PODS:
		break;
	}
	return false;
}

int session_tell_end(struct session *s, struct sink *sink, size_t i)
{
	struct watched *w = &s->watched[i];
	struct container_event e = { .time = boottime_ns(), .target = i };

	if (w->target->kind != TARGET_CONTAINER && w->target->kind != TARGET_CGROUP)
		return 0;
	e.has_status = w->has_status;
	e.status = w->status;
	e.oom_killed = w->oom_killed;
	return sink->ops->container ? sink->ops->container(sink, &e) : 0;
}

static int end_target(struct session *s, struct sink *sink, size_t i)
{
	struct watched *w = &s->watched[i];
	unsigned instance = w->instance;
	int n, err = 0;
	bool came;

	session_unwatch_init(s, i);
	/* Its last records come before the line that closes it. */
	n = session_drain(s, sink, true);
	if (n < 0)
		return n;
	/* Among them can be those of its next start, which have closed it. */
	if (w->instance != instance)
		return 0;
	/* When its directory was made and is gone, and nothing ran in it, it has yet to come. */
	came = !w->n_keys || w->began || w->target->kind == TARGET_CGROUP || w->has_status;
	if (came)
		err = session_tell_end(s, sink, i);
	if (!s->waiter || (came && !s->opts.follow_restarts)) {
		w->ended = true;
		return err;
	}
	if (err)
		return err;
	session_wait_again(s, i);
	return session_look(s, sink);
}

/*
 * Whether only a look tells that the target has ended. Of the others a pidfd, or
 * COMMAND's end, tells it; what is waited for is told by the runtimes' files.
 */
static bool wants_look(const struct session *s, size_t i)
{
	const struct watched *w = &s->watched[i];

	if (w->ended || w->target->waiting || w->target->kind == TARGET_ALL)
		return false;
	if (w->target->kind == TARGET_COMMAND)
		return !s->command_running;
	return w->target->kind != TARGET_CONTAINER || w->pidfd < 0;
}

/* The timer runs while it is of use: who waits for an idle container is not woken. */
static void set_looks(struct session *s)
{
	struct itimerspec t = { 0 };
	bool want = false;

	for (size_t i = 0; !want && i < s->targets->n; i++)
		want = wants_look(s, i);
	if (want == s->looking)
		return;
	s->looking = want;
	if (want)
		t.it_value.tv_nsec = t.it_interval.tv_nsec = WATCH_MS * 1000000;
	timerfd_settime(s->timer_fd, 0, &t, NULL);
}

static int check_targets(struct session *s, struct sink *sink)
{
	int err = 0;

	for (size_t i = 0; !err && i < s->targets->n; i++) {
		if (!s->watched[i].ended && target_ended(s, i))
			err = end_target(s, sink, i);
	}
	return err;
}

static int arm_blocked(struct session *s, uint64_t ns)
{
	struct itimerspec t = { .it_value = { ns / 1000000000, ns % 1000000000 } };

	if (s->blocked_fd < 0) {
		s->blocked_fd = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
		if (s->blocked_fd < 0 || watch_fd(s->epoll_fd, s->blocked_fd))
			return -errno;
	}
	return timerfd_settime(s->blocked_fd, 0, &t, NULL) < 0 ? -errno : 0;
}

/* A call that blocks sends no record, nor need there have been one before it: so it is looked for. */
static int on_blocked(struct session *s, struct sink *sink)
{
	uint64_t ticks, next;
	int err;

	if (read(s->blocked_fd, &ticks, sizeof(ticks)) < 0)
		return 0;
	/* What has ended meanwhile is told first. */
	err = session_drain(s, sink, true);
	if (err >= 0)
		err = session_blocked(s, sink, &next);
	if (!err)
		err = sink_flush(sink);
	if (err)
		return err;
	return arm_blocked(s, next ? MIN(next + BLOCKED_SLACK_NS, BLOCKED_LOOK_NS) : BLOCKED_LOOK_NS);
}

static int on_event(struct session *s, struct sink *sink, int fd)
{
	uint64_t ticks;
	int err;

	if (fd == s->signal_fd) {
		on_signal(s);
	} else if (fd == s->command_pidfd) {
		on_command_end(s);
		return check_targets(s, sink);
	} else if (fd == s->for_fd) {
		s->quit = -1;
	} else if (s->waiter && fd == waiter_fd(s->waiter)) {
		/* What the kernel side has told is known first. */
		err = session_drain(s, sink, true);
		return err < 0 ? err : session_look(s, sink);
	} else if (fd == s->blocked_fd) {
		return on_blocked(s, sink);
	} else if (fd == s->timer_fd) {
		return read(fd, &ticks, sizeof(ticks)) < 0 ? 0 : check_targets(s, sink);
	} else {
		for (size_t i = 0; i < s->targets->n; i++) {
			if (s->watched[i].pidfd == fd && !s->watched[i].ended)
				return end_target(s, sink, i);
		}
	}
	return 0;
}

static int handle_events(struct session *s, struct sink *sink, int timeout_ms)
{
	struct epoll_event events[MAX_EVENTS];
	int n = epoll_wait(s->epoll_fd, events, MAX_EVENTS, timeout_ms), err = 0;

	if (n < 0)
		return errno == EINTR ? 0 : -errno;
	for (int i = 0; !err && i < n; i++)
		err = on_event(s, sink, events[i].data.fd);
	return err;
}

/* COMMAND's end is the run's, whatever else is traced; else all targets have to end. */
static bool all_ended(const struct session *s)
{
	bool all = true, any = false;

	for (size_t i = 0; i < s->targets->n; i++) {
		/* A seat that nobody has taken keeps nobody waiting, unless all are such. */
		if (target_is_vacant(&s->targets->v[i]) && !s->opts.follow_restarts)
			continue;
		if (s->watched[i].ended && s->targets->v[i].kind == TARGET_COMMAND)
			return true;
		any = true;
		all &= s->watched[i].ended;
	}
	return any && all;
}

/* Nothing came in a tick: show what there is, and sleep until there is more. */
static int rest(struct session *s, struct sink *sink)
{
	struct epoll_event e;
	int n = session_drain(s, sink, true), err;

	if (n < 0)
		return n;
	err = sink_flush(sink);
	if (err || n)
		return err;
	if (ring_rest(s->ring)) {
		lossless_nap(s->lossless);
		n = epoll_wait(s->idle_fd, &e, 1, -1);
		lossless_nap(s->lossless);
		if (n < 0 && errno != EINTR)
			return -errno;
	}
	return handle_events(s, sink, 0);
}

/* One look at the ring. *idle counts the looks that found nothing. */
static int turn(struct session *s, struct sink *sink, unsigned *idle)
{
	int n = session_drain(s, sink, lossless_holds(s->lossless)), err;

	if (n < 0)
		return n;
	session_hold_news(s);
	set_looks(s);
	if (!n && (*idle)++)
		return rest(s, sink);
	if (n) {
		*idle = 0;
		err = sink_flush(sink);
		if (err)
			return err;
	}
	/* For stacks the mappings of what may end at once are to be read: no record waits for others. */
	return handle_events(s, sink, n > MANY || s->stacks ? 0 : TICK_MS);
}

/*
 * What a busy target did since the attach has filled the ring by a good part:
 * it goes out first, as start-up did, or the ring would overflow now.
 */
static int catch_up(struct session *s, struct sink *sink)
{
	uint64_t end = boottime_ns() + CATCH_UP_NS;
	int n;

	session_hurry(true);
	do
		n = session_drain(s, sink, false);
	while (n > MANY && boottime_ns() < end);
	session_hurry(false);
	return MIN(n, 0);
}

int session_run(struct session *s, struct sink *sink, int *ret_command_status)
{
	unsigned idle = 0;
	int err = catch_up(s, sink);

	if (!err && sink->wants_blocked)
		err = arm_blocked(s, BLOCKED_LOOK_NS);
	while (!err && !s->quit && !all_ended(s) && !s->skel->bss->ctl.stopped)
		err = turn(s, sink, &idle);
	if (ret_command_status)
		*ret_command_status = s->command_status;
	s->sink_error = err;
	return err;
}

static int finish_counts(struct session *s, struct sink *sink)
{
	_cleanup_free_ struct count_row *rows = NULL;
	size_t n;
	int err;

	if (!s->opts.counts && !s->opts.counts_only)
		return 0;
	err = stats_read(s, &rows, &n);
	if (!err && sink->ops->summary)
		err = sink->ops->summary(sink, rows, n, boottime_ns() - s->since);
	return err;
}

/* What is left in the ring, the calls that did not end, and the losses not yet told. */
static int finish_records(struct session *s, struct sink *sink, uint64_t *ret_in_flight)
{
	struct lost_event lost;
	int err;

	err = session_drain(s, sink, true);
	if (err < 0)
		return err;
	err = session_in_flight(s, sink, ret_in_flight);
	if (!err && losses_take(s, &lost) && sink->ops->lost)
		err = sink->ops->lost(sink, &lost);
	return err;
}

int session_finish(struct session *s, struct sink *sink, struct coverage *ret_coverage)
{
	uint64_t late = 0, in_flight = 0;
	int err = s->sink_error, r;

	late = session_audit(s);
	session_detach(s);
	lossless_stop(s->lossless);
	session_hold_news(s);
	if (!err)
		err = finish_records(s, sink, &in_flight);
	if (!err)
		err = finish_counts(s, sink);
	r = sink_flush(sink);
	if (!err)
		err = r;
	coverage_fill(s, sink, late, in_flight, ret_coverage);
	if (!err && sink->ops->coverage)
		err = sink->ops->coverage(sink, ret_coverage);
	return err;
}

void session_free(struct session *s)
{
	if (!s)
		return;
	lossless_stop(s->lossless);
	session_detach(s);
	for (size_t i = 0; s->watched && i < s->targets->n; i++) {
		closep(&s->watched[i].pidfd);
		closep(&s->watched[i].pidns_fd);
		free(s->watched[i].keys);
		free(s->watched[i].old);
	}
	waiter_free(s->waiter);
	closep(&s->epoll_fd);
	closep(&s->idle_fd);
	closep(&s->signal_fd);
	closep(&s->timer_fd);
	closep(&s->for_fd);
	session_drop_specs(s);
	closep(&s->blocked_fd);
	closep(&s->command_pidfd);
	ring_free(s->ring);
	wire_free(s->wire);
	stacks_free(s->stacks);
	lossless_free(s->lossless);
	narrow_free(s->narrow);
	ctrace_bpf__destroy(s->skel);
	free(s->watched);
	touch_forget_resolved(&s->opts.touch);
	free(s->losses.per_cpu);
	free(s->losses.now);
	free(s);
}
