/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Text: strace's lines in the form that it writes with -z, one whole line a
 * call when the call ends; with --split, and for calls that are blocked on a
 * terminal, in the form that it writes without (split.h). Lines of our own have the shape of strace's end
 * lines (+++ ... +++), which its parsers skip.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "output/emit_text.h"
#include "output/frames.h"
#include "output/prefix.h"
#include "output/result.h"
#include "output/separate.h"
#include "output/sink_impl.h"
#include "output/split.h"
#include "output/summary.h"
#include "output/tasks.h"
#include "util/escape.h"
#include "util/macros.h"


/* Calls that the text form treats in its own way. */
enum call_class { CALL_PLAIN, CALL_FORK, CALL_RESTART, CALL_EXIT };

struct text {
	struct sink sink;
	const struct run_info *run;     /* of use before sink.run is set */
	struct prefix prefix;
	struct tasks *tasks;
	struct emit_text emitter;
	struct split split;
	uint32_t late;                  /* of the call in hand: registers told with its end */
	struct held_stacks held;        /* -k */
	bool count_tasks;               /* the prefix depends on how many there are */
	unsigned char classes[CT_ROWS]; /* enum call_class */
};

static struct text *text_of(struct sink *s)
{
	return (struct text *)s;
}

static void classify(struct text *t)
{
	static const struct { const char *name; enum call_class class; } named[] = {
		{ "fork", CALL_FORK },	 { "vfork", CALL_FORK },	       { "clone", CALL_FORK },
		{ "clone3", CALL_FORK }, { "restart_syscall", CALL_RESTART },
		{ "exit", CALL_EXIT },   { "exit_group", CALL_EXIT },
	};

	for (unsigned row = 0; row < CT_ROW_OUTSIDE; row++) {
		bool compat = row >= CT_NR_NATIVE;
		uint32_t nr = compat ? row - CT_NR_NATIVE : row;
		char buf[32];
		const char *name = call_name(compat ? ABI_COMPAT : ABI_NATIVE, nr, buf);

		for (size_t i = 0; i < ARRAY_SIZE(named); i++)
			if (!strcmp(name, named[i].name))
				t->classes[row] = (unsigned char)named[i].class;
	}
}

static enum call_class class_of(const struct text *t, const struct call *c)
{
	return t->classes[call_row(c->abi != ABI_NATIVE, c->nr)];
}

static bool wants_color(const struct output_opts *opts, const struct outfile *out)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (opts->color == COLOR_ALWAYS)
		return true;
	if (opts->color == COLOR_NEVER || (no_color && *no_color))
		return false;
	return outfile_is_terminal(out) && term && strcmp(term, "dumb");
}

static int text_start(struct sink *s)
{
	(void)s;
	return 0;
}

/* When the call began; where that is not known, when it ended. */
static uint64_t call_time(const struct call *c)
{
	return c->enter ? c->enter : c->exit;
}

/* What stands before lines about signals and ends. */
static void remember_call(struct task_entry *e, const struct call *c)
{
	e->last_nr = c->nr;
	e->last_compat = c->abi != ABI_NATIVE;
}

/* What later lines need to know of this call. */
static void remember(struct text *t, const struct call *c, enum call_class class)
{
	uint64_t began = call_time(c);
	struct task_entry *e;

	if (t->count_tasks) {
		tasks_seen(t->tasks, &c->task, began ? began - 1 : 0);
		if (class == CALL_FORK && !(c->flags & (CT_F_NO_RETURN | CT_F_IN_FLIGHT)) && c->ret > 0)
			tasks_forked(t->tasks, (uint32_t)c->ret, began);
	}
	if (t->run->opts->syscall_number || t->run->opts->ip) {
		e = tasks_get(t->tasks, c->task.host_tid, true);
		if (e)
			remember_call(e, c);
	}
}

static void put_restarted(struct strbuf *sb, const struct call *c)
{
	uint32_t before = (uint32_t)c->args[0];
	char buf[32];

	strbuf_lit(sb, "<... resuming interrupted ");
	strbuf_str(sb, before == UINT32_MAX ? "system call" : call_name(c->abi, before, buf));
	strbuf_lit(sb, " ...>");
}

static void put_name(struct text *t, struct strbuf *sb, const struct call *c)
{
	char buf[32];

	prefix_paint(&t->prefix, sb, PAINT_NAME);
	strbuf_str(sb, call_name(c->abi, c->nr, buf));
	prefix_paint(&t->prefix, sb, PAINT_OFF);
}

static void put_args(struct text *t, struct strbuf *sb, const struct call *c, enum emit_part part)
{
	struct decode_opts opts = t->run->opts->decode;

	opts.late = t->late;
	emit_text_begin(&t->emitter, sb, part);
	if (class_of(t, c) != CALL_RESTART)
		decode_args(c, &opts, &t->emitter.e);
	else if (part != EMIT_END && !call_is_raw(c, &opts))
		put_restarted(sb, c);
}

/* Whatever begins a line begins it here. */
static struct strbuf *line_begin(struct text *t)
{
	struct strbuf *sb = outfile_begin(t->sink.out);

	split_interrupt(&t->split, sb);
	return sb;
}

static void put_prefix(struct text *t, struct strbuf *sb, const struct call *c, uint64_t time)
{
	struct prefix_place at = { .nr = c->nr, .compat = c->abi != ABI_NATIVE };

	if (t->run->opts->ip)
		at.ip = call_ip(c);
	separate_select(t->sink.out, t->run, &c->task);
	prefix_write(&t->prefix, sb, &c->task, time, &at);
}

static int text_enter(struct sink *s, const struct call *c)
{
	struct text *t = text_of(s);
	struct task_entry *e;
	struct strbuf *sb;
	size_t line;

	if (t->count_tasks)
		tasks_seen(t->tasks, &c->task, c->enter ? c->enter - 1 : 0);
	e = tasks_get(t->tasks, c->task.host_tid, true);
	if (!e || !split_begins(e, c))
		return 0;
	remember_call(e, c);
	t->late = c->late;
	sb = line_begin(t);
	line = sb->len;
	put_prefix(t, sb, c, c->enter);
	put_name(t, sb, c);
	strbuf_char(sb, '(');
	put_args(t, sb, c, EMIT_BEGINNING);
	split_begun(&t->split, sb, c, sb->len - line - t->prefix.invisible);
	return outfile_end(s->out, false);
}

/* Up to where the arguments go on, or begin. */
static void put_head(struct text *t, struct strbuf *sb, const struct call *c, enum split_how how)
{
	if (how == SPLIT_CONTINUED) {
		t->prefix.invisible = 0;
		return;
	}
	put_prefix(t, sb, c, how == SPLIT_RESUMED ? c->exit : call_time(c));
	if (how == SPLIT_RESUMED)
		strbuf_lit(sb, "<... ");
	put_name(t, sb, c);
	if (how == SPLIT_RESUMED)
		strbuf_lit(sb, " resumed>");
	else
		strbuf_char(sb, '(');
}

/* What is known at the end, or else how the call was left. */
static void put_tail(struct text *t, struct strbuf *sb, const struct call *c, enum split_how how)
{
	size_t start = sb->len;

	if (!(c->flags & (CT_F_NO_RETURN | CT_F_IN_FLIGHT))) {
		put_args(t, sb, c, how == SPLIT_WHOLE ? EMIT_WHOLE : EMIT_END);
		return;
	}
	put_args(t, sb, c, how == SPLIT_WHOLE ? EMIT_BEGINNING : EMIT_END);
	/* Arguments that its beginning has told nothing of are told here. */
	if (how != SPLIT_WHOLE && t->late)
		t->emitter.more_at_end = false;
	else if (how != SPLIT_WHOLE)
		sb->len = start;
	if (c->flags & CT_F_IN_FLIGHT)
		strbuf_lit(sb, " <detached ...>");
	else if (t->emitter.more_at_end)
		strbuf_lit(sb, " <unfinished ...>");
}

/* Of a call that ends its task the stack stands behind the task's last line. */
static void put_stack(struct text *t, struct strbuf *sb, const struct call *c)
{
	if (!(c->flags & (CT_F_NO_RETURN | CT_F_IN_FLIGHT)))
		frames_put_text(sb, c->stack);
	else if (class_of(t, c) == CALL_EXIT)
		held_stacks_keep(&t->held, c->task.host_tid, c->stack);
}

static int text_call(struct sink *s, const struct call *c)
{
	struct text *t = text_of(s);
	bool in_flight = c->flags & CT_F_IN_FLIGHT;
	const struct strbuf *detail;
	enum split_how how = SPLIT_WHOLE;
	struct task_entry *e;
	struct strbuf *sb;
	size_t line, width;

	remember(t, c, class_of(t, c));
	t->late = 0;
	if (t->split.live || s->wants_blocked) {
		e = tasks_get(t->tasks, c->task.host_tid, true);
		how = split_ends(&t->split, e, c);
		t->late = e && how != SPLIT_WHOLE ? e->late : 0;
	}
	/* As strace leaves it: its beginning is there, and no end. */
	if (in_flight && how == SPLIT_RESUMED)
		return 0;
	width = how == SPLIT_CONTINUED ? t->split.width : 0;
	sb = line_begin(t);
	line = sb->len;
	put_head(t, sb, c, how);
	put_tail(t, sb, c, how);
	if (!in_flight) {
		detail = t->emitter.has_detail ? &t->emitter.detail : NULL;
		result_write(&t->prefix, sb, c, detail, line, width);
	}
	strbuf_char(sb, '\n');
	strbuf_bytes(sb, t->emitter.data.buf, t->emitter.data.len);
	put_stack(t, sb, c);
	return outfile_end(s->out, !in_flight);
}

/* The beginning of a line that is about a task and no call. */
static struct strbuf *event_begin(struct text *t, const struct task *task, uint64_t time, uint64_t ip)
{
	struct strbuf *sb = line_begin(t);
	struct prefix_place at = { .nr = -1, .ip = ip };

	if (t->run->opts->syscall_number || t->run->opts->ip) {
		const struct task_entry *e = tasks_get(t->tasks, task->host_tid, false);

		at.nr = e ? e->last_nr : -1;
		at.compat = e && e->last_compat;
	}
	separate_select(t->sink.out, t->run, task);
	prefix_write(&t->prefix, sb, task, time, &at);
	prefix_paint(&t->prefix, sb, PAINT_EVENT);
	return sb;
}

static int event_end(struct text *t, struct strbuf *sb, const struct stack *stack)
{
	prefix_paint(&t->prefix, sb, PAINT_OFF);
	strbuf_char(sb, '\n');
	frames_put_text(sb, stack);
	return outfile_end(t->sink.out, false);
}

static bool shows_signal(const struct text *t, int signo)
{
	const struct output_opts *opts = t->run->opts;

	return !opts->show_signal || opts->show_signal(signo, opts->show_signal_data);
}

static int text_signal(struct sink *s, const struct signal_event *e)
{
	struct text *t = text_of(s);
	struct strbuf *sb;
	char buf[16];

	if (t->count_tasks)
		tasks_seen(t->tasks, &e->task, e->time ? e->time - 1 : 0);
	/* ptrace(2) is not stopped by SIGKILL, so strace tells the end alone. */
	if (e->signo == SIGKILL || !shows_signal(t, e->signo))
		return 0;
	sb = event_begin(t, &e->task, e->time, e->ip);
	strbuf_lit(sb, "--- ");
	strbuf_str(sb, signal_name(e->signo, buf));
	strbuf_char(sb, ' ');
	emit_text_begin(&t->emitter, sb, EMIT_WHOLE);
	decode_siginfo(e, &t->run->opts->decode, &t->emitter.e);
	strbuf_lit(sb, " ---");
	return event_end(t, sb, e->stack);
}

/*
 * A thread that is not the leader executes a program: it takes over the
 * leader's number, and the leader is gone without an end of its own.
 */
static int text_exec(struct sink *s, const struct exec_event *e)
{
	struct text *t = text_of(s);
	struct task_entry *leader;
	struct strbuf *sb;
	uint32_t old = e->old_tid, number;
	int r;

	if (t->count_tasks)
		tasks_seen(t->tasks, &e->task, e->time ? e->time - 1 : 0);
	if (!e->old_host_tid || e->old_host_tid == e->task.host_tid)
		return 0;
	number = t->run->opts->pids == PIDS_HOST || !e->task.tid ? e->task.host_tid : e->task.tid;
	split_renumber(&t->split, outfile_begin(s->out), t->tasks, e->old_host_tid, e->task.host_tid, number);
	r = outfile_end(s->out, false);
	if (r < 0)
		return r;
	leader = tasks_get(t->tasks, e->task.host_tid, false);
	if (leader)
		leader->ended = false;
	/* One task less already on this line, as in strace. */
	tasks_gone(t->tasks, e->old_host_tid, e->time ? e->time - 1 : 0);
	outfile_part_end(s->out, e->old_host_tid);
	if (t->run->opts->quiet >= 3)
		return 0;
	sb = event_begin(t, &e->task, e->time, 0);
	strbuf_lit(sb, "+++ superseded by execve in pid ");
	if (t->run->opts->pids == PIDS_HOST || !old)
		old = e->old_host_tid;
	strbuf_udec(sb, old);
	strbuf_lit(sb, " +++");
	return event_end(t, sb, NULL);
}

static int put_exit(struct text *t, const struct exit_event *e)
{
	struct strbuf *sb;
	char buf[16];

	if (WIFSIGNALED(e->status) ? !shows_signal(t, WTERMSIG(e->status)) : t->run->opts->quiet_exit)
		return 0;
	sb = event_begin(t, &e->task, e->time, 0);
	if (WIFSIGNALED(e->status)) {
		strbuf_lit(sb, "+++ killed by ");
		strbuf_str(sb, signal_name(WTERMSIG(e->status), buf));
		if (WCOREDUMP(e->status))
			strbuf_lit(sb, " (core dumped)");
		if (e->oom_killed)
			strbuf_lit(sb, " (OOM killed)");
	} else {
		strbuf_lit(sb, "+++ exited with ");
		strbuf_udec(sb, (unsigned)WEXITSTATUS(e->status));
	}
	strbuf_lit(sb, " +++");
	prefix_paint(&t->prefix, sb, PAINT_OFF);
	strbuf_char(sb, '\n');
	held_stacks_put(&t->held, e->task.host_tid, sb);
	return outfile_end(t->sink.out, false);
}

/* Writes and forgets the end of a leader that was held back. */
static int release_leader(struct text *t, struct task_entry *leader, uint64_t time)
{
	struct exit_event end = leader->end;
	int r;

	if (time)
		end.time = time;
	r = put_exit(t, &end);
	tasks_gone(t->tasks, end.task.host_tid, end.time);
	outfile_part_end(t->sink.out, end.task.host_tid);
	return r;
}

/*
 * A leader that ends before its threads is a zombie until they have ended,
 * or until one of them executes a program in its place: wait(2), and so
 * strace, tells its end last or never. So its line is held back.
 */
static int text_exit(struct sink *s, const struct exit_event *e)
{
	struct text *t = text_of(s);
	struct task_entry *leader;
	int r;

	if (t->count_tasks)
		tasks_seen(t->tasks, &e->task, e->time ? e->time - 1 : 0);
	if (e->task.host_tid == e->task.host_tgid && !e->group_dead) {
		leader = tasks_get(t->tasks, e->task.host_tid, true);
		if (leader) {
			leader->ended = true;
			leader->end = *e;
			return 0;
		}
	}
	r = put_exit(t, e);
	tasks_gone(t->tasks, e->task.host_tid, e->time);
	outfile_part_end(s->out, e->task.host_tid);
	leader = e->group_dead ? tasks_get(t->tasks, e->task.host_tgid, false) : NULL;
	if (r == 0 && leader && leader->ended)
		r = release_leader(t, leader, e->time);
	return r;
}

static int text_left(struct sink *s, const struct left_event *e)
{
	struct text *t = text_of(s);
	struct strbuf *sb = event_begin(t, &e->task, e->time, 0);

	strbuf_lit(sb, "+++ left ");
	if (e->task.target < t->run->n_targets)
		prefix_label(&t->prefix, sb, e->task.target);
	else
		strbuf_lit(sb, "the target");
	strbuf_lit(sb, " +++");
	return event_end(t, sb, NULL);
}

/* The beginning of a line of our own, about no task. */
static struct strbuf *own_begin(struct text *t, uint64_t time)
{
	struct strbuf *sb = line_begin(t);

	prefix_write_stamp(&t->prefix, sb, time);
	prefix_paint(&t->prefix, sb, PAINT_EVENT);
	strbuf_lit(sb, "+++ ");
	return sb;
}

static int own_end(struct text *t, struct strbuf *sb)
{
	strbuf_lit(sb, " +++");
	return event_end(t, sb, NULL);
}

static void put_target(const struct text *t, struct strbuf *sb, uint32_t target)
{
	if (target < t->run->n_targets) {
		strbuf_str(sb, t->run->targets[target].is_container ? "container " : "target ");
		prefix_label(&t->prefix, sb, target);
	} else {
		strbuf_lit(sb, "target");
	}
}

static int text_started(struct sink *s, const struct started_event *e)
{
	struct text *t = text_of(s);
	struct strbuf *sb = own_begin(t, e->time);

	put_target(t, sb, e->task.target);
	strbuf_lit(sb, " started");
	return own_end(t, sb);
}

static int text_relabel(struct sink *s, uint32_t target)
{
	return prefix_relabel(&text_of(s)->prefix, target);
}

static int text_container(struct sink *s, const struct container_event *e)
{
	struct text *t = text_of(s);
	struct strbuf *sb = own_begin(t, e->time);
	char buf[16];

	put_target(t, sb, e->target);
	strbuf_lit(sb, " ended");
	if (e->has_status && WIFSIGNALED(e->status)) {
		strbuf_lit(sb, ": killed by ");
		strbuf_str(sb, signal_name(WTERMSIG(e->status), buf));
	} else if (e->has_status) {
		strbuf_lit(sb, ": exit ");
		strbuf_udec(sb, (unsigned)WEXITSTATUS(e->status));
	}
	if (e->oom_killed)
		strbuf_lit(sb, " (OOM killed)");
	return own_end(t, sb);
}

static int text_lost(struct sink *s, const struct lost_event *e)
{
	struct text *t = text_of(s);
	struct strbuf *sb = own_begin(t, e->time);
	uint64_t named = 0;
	char buf[32];

	strbuf_lit(sb, "lost ");
	strbuf_udec(sb, e->total);
	strbuf_str(sb, e->total == 1 ? " call (" : " calls (");
	if (e->ring_full && e->too_big) {
		strbuf_udec(sb, e->ring_full);
		strbuf_lit(sb, " ring full, ");
		strbuf_udec(sb, e->too_big);
		strbuf_lit(sb, " too big)");
	} else {
		strbuf_str(sb, e->too_big ? "too big)" : "ring full)");
	}
	for (unsigned i = 0; i < MIN(e->n_rows, ARRAY_SIZE(e->rows)); i++) {
		strbuf_str(sb, i ? ", " : ": ");
		strbuf_str(sb, call_name(e->rows[i].abi, e->rows[i].nr, buf));
		strbuf_char(sb, ' ');
		strbuf_udec(sb, e->rows[i].count);
		named += e->rows[i].count;
	}
	if (named && named < e->total) {
		strbuf_lit(sb, ", others ");
		strbuf_udec(sb, e->total - named);
	}
	return own_end(t, sb);
}

static int text_summary(struct sink *s, const struct count_row *rows, size_t n, uint64_t elapsed_ns)
{
	int r;

	if (!s->run->opts->and_summary)
		return 0;
	line_begin(text_of(s));
	r = outfile_end(s->out, false);
	return r < 0 ? r : summary_write(s->out, s->run, rows, n, elapsed_ns);
}

/* A trace file ends with the statement; on a stream the program says it. */
static int text_coverage(struct sink *s, const struct coverage *c)
{
	struct text *t = text_of(s);
	struct task_entry *leader;
	struct strbuf *sb;
	char line[8192];
	int r = 0;

	while (r == 0 && (leader = tasks_next_ended(t->tasks)))
		r = release_leader(t, leader, 0);
	if (r < 0)
		return r;
	sb = line_begin(t);
	if (!s->run->opts->path)
		return outfile_end(s->out, false);
	coverage_line(c, s->run->wall_offset, line, sizeof(line));
	t->prefix.invisible = 0;
	strbuf_lit(sb, "+++ ");
	strbuf_str(sb, line);
	return own_end(t, sb);
}

static void text_free(struct sink *s)
{
	struct text *t = text_of(s);

	prefix_done(&t->prefix);
	tasks_free(t->tasks);
	emit_text_done(&t->emitter);
	held_stacks_done(&t->held);
	free(t);
}

static const struct sink_ops text_ops = {
	.name = "text",
	.start = text_start,
	.call = text_call,
	.enter = text_enter,
	.signal = text_signal,
	.exec = text_exec,
	.exit = text_exit,
	.left = text_left,
	.started = text_started,
	.relabel = text_relabel,
	.container = text_container,
	.lost = text_lost,
	.summary = text_summary,
	.coverage = text_coverage,
	.free = text_free,
};

int sink_text_new(const struct run_info *run, struct outfile *out, struct sink **ret_sink)
{
	struct text *t = calloc(1, sizeof(*t));
	bool one = run->n_targets == 1;
	int r;

	if (!t)
		return -ENOMEM;
	t->sink.ops = &text_ops;
	t->run = run;
	emit_text_init(&t->emitter);
	t->emitter.arg_names = run->opts->arg_names;
	t->emitter.hex = run->opts->hex;
	t->emitter.consts = run->opts->decode.consts;
	t->split.live = run->opts->split;
	t->sink.wants_blocked = !run->opts->split && outfile_is_terminal(out);
	t->count_tasks = one && run->targets[0].plain_prefix && !run->opts->path && !run->opts->always_pid;
	r = tasks_new(one ? run->targets[0].n_tasks : 0, &t->tasks);
	if (r == 0)
		r = prefix_init(&t->prefix, run, t->tasks, wants_color(run->opts, out));
	if (r < 0) {
		text_free(&t->sink);
		return r;
	}
	classify(t);
	*ret_sink = &t->sink;
	return 0;
}
