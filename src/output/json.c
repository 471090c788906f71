/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * JSON: one object a line, written by hand since this is the hot path. What
 * each record holds is in ctrace.schema.json, which a test holds against it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "output/emit_fd.h"
#include "output/emit_json.h"
#include "output/frames.h"
#include "output/json_util.h"
#include "output/separate.h"
#include "output/sink_impl.h"
#include "util/escape.h"
#include "util/macros.h"

struct json {
	struct sink sink;
	const struct run_info *run;
	struct strbuf *origins;         /* one a target: its "container" and "pod" with a comma before each, or nothing */
	struct emit_json emitter;
};

static struct json *json_of(struct sink *s)
{
	return (struct json *)s;
}

static const char *abi_name(enum abi abi)
{
	switch (abi) {
	case ABI_X86_64:
		return "x86_64";
	case ABI_I386:
		return "i386";
	case ABI_ARM64:
		return "arm64";
	case ABI_ARM:
		return "arm";
	case ABI_MAX:
		break;
	}
	return "unknown";
}

/* ,"key":true if so */
static void put_true(struct strbuf *sb, const char *key, bool value)
{
	if (!value)
		return;
	strbuf_lit(sb, ",\"");
	strbuf_str(sb, key);
	strbuf_lit(sb, "\":true");
}

static void put_target_origin(const struct json *j, struct strbuf *sb, uint32_t target)
{
	if (target < j->run->n_targets)
		strbuf_bytes(sb, j->origins[target].buf, j->origins[target].len);
}

/* A number in the container's namespace; null for a task that has none there. */
static void put_inner(struct strbuf *sb, uint32_t number)
{
	if (number)
		strbuf_udec(sb, number);
	else
		strbuf_lit(sb, "null");
}

static void put_task(const struct json *j, struct strbuf *sb, const struct task *t)
{
	separate_select(j->sink.out, j->run, t);
	put_target_origin(j, sb, t->target);
	strbuf_lit(sb, ",\"pid\":");
	put_inner(sb, t->tgid);
	strbuf_lit(sb, ",\"tid\":");
	put_inner(sb, t->tid);
	strbuf_lit(sb, ",\"host_pid\":");
	strbuf_udec(sb, t->host_tgid);
	strbuf_lit(sb, ",\"host_tid\":");
	strbuf_udec(sb, t->host_tid);
	strbuf_lit(sb, ",\"comm\":");
	json_quote(sb, t->comm, strnlen(t->comm, CT_COMM_LEN));
}

/* {"type":"TYPE","time":"..." */
static struct strbuf *begin(struct json *j, const char *type, uint64_t time)
{
	struct strbuf *sb = outfile_begin(j->sink.out);

	strbuf_lit(sb, "{\"type\":\"");
	strbuf_str(sb, type);
	strbuf_lit(sb, "\",\"time\":");
	json_time(sb, time ? time : j->run->since, j->run->wall_offset);
	return sb;
}

static int end(struct json *j, struct strbuf *sb, bool counted)
{
	strbuf_lit(sb, "}\n");
	return outfile_end(j->sink.out, counted);
}

static void put_call_name(struct strbuf *sb, enum abi abi, uint32_t nr)
{
	char buf[32];

	strbuf_lit(sb, "\"abi\":\"");
	strbuf_str(sb, abi_name(abi));
	strbuf_lit(sb, "\",\"nr\":");
	strbuf_udec(sb, nr);
	strbuf_lit(sb, ",\"name\":\"");
	strbuf_str(sb, call_name(abi, nr, buf));
	strbuf_char(sb, '"');
}

static void put_raw(struct strbuf *sb, const struct call *c, unsigned n)
{
	strbuf_lit(sb, ",\"raw\":[");
	for (unsigned i = 0; i < n; i++) {
		strbuf_str(sb, i ? ",\"0x" : "\"0x");
		strbuf_hex_digits(sb, c->args[i], 1);
		strbuf_char(sb, '"');
	}
	strbuf_char(sb, ']');
}

/* What is told of the task whose number the result is. */
static void put_ret_pid(const struct json *j, struct strbuf *sb, const struct call *c)
{
	struct emit_pid pid;

	if (call_errno(c) || !call_pid(c, &j->run->opts->decode, &pid))
		return;
	strbuf_lit(sb, ",\"ret_pid\":");
	emit_json_put_pid(sb, &pid);
}

/* The result as the program got it: -1 and an errno for errors. */
static void put_ret(struct strbuf *sb, const struct call *c)
{
	int64_t v = c->abi == ABI_NATIVE ? c->ret : (int32_t)c->ret;
	int err = call_errno(c);
	const char *name;

	if (err)
		v = -1;
	strbuf_lit(sb, ",\"ret\":");
	if (v > (int64_t)JSON_INT_MAX || v < -(int64_t)JSON_INT_MAX) {
		strbuf_lit(sb, "\"0x");
		strbuf_hex_digits(sb, (uint64_t)v, 1);
		strbuf_char(sb, '"');
	} else {
		strbuf_dec(sb, v);
	}
	if (!err)
		return;
	strbuf_lit(sb, ",\"errno\":");
	strbuf_dec(sb, err);
	name = errno_name(err);
	if (name)
		json_put_text(sb, "error", name);
}

/* "ret_fd": what the file descriptor is that was returned (-y). */
static void put_ret_fd(const struct json *j, struct strbuf *sb, const struct call *c)
{
	const struct decode_opts *opts = &j->run->opts->decode;
	struct fd_view view;
	const struct emit_fd *fd = opts->fds ? call_result_fd(c, opts, &view) : NULL;

	if (!fd)
		return;
	strbuf_lit(sb, ",\"ret_fd\":");
	fd_json(sb, fd);
}

static void put_duration(struct strbuf *sb, const struct call *c)
{
	if (c->enter && c->exit >= c->enter && !(c->flags & (CT_F_IN_FLIGHT | CT_F_BEGUN_BEFORE | CT_F_NO_RETURN)))
		json_count(sb, "duration", c->exit - c->enter);
}

/* "notes": those of the arguments, which the emitter has collected, and those of the whole call. */
static void put_notes(const struct json *j, struct strbuf *sb, const struct call *c)
{
	static const struct { uint32_t flag; const char *note; } notes[] = {
		{ CT_F_DENIED, "denied_by_seccomp" }, { CT_F_BEGUN_BEFORE, "begun_before" },
		{ CT_F_NO_RETURN, "no_return" },      { CT_F_IN_FLIGHT, "in_flight" },
		{ CT_F_DEGRADED, "degraded" },	      { CT_F_RUNTIME, "runtime" },
		{ CT_F_PAYLOAD_LOST, "payload_lost" }, { CT_F_MULTIPLEXED, "multiplexed" },
	};
	const struct strbuf *of_args = &j->emitter.notes;
	bool any = of_args->len;

	for (size_t i = 0; i < ARRAY_SIZE(notes) && !any; i++)
		any = c->flags & notes[i].flag;
	if (!any)
		return;
	strbuf_lit(sb, ",\"notes\":[");
	strbuf_bytes(sb, of_args->buf, of_args->len);
	for (size_t i = 0; i < ARRAY_SIZE(notes); i++) {
		if (!(c->flags & notes[i].flag))
			continue;
		strbuf_str(sb, sb->buf[sb->len - 1] == '[' ? "{\"note\":\"" : ",{\"note\":\"");
		strbuf_str(sb, notes[i].note);
		strbuf_lit(sb, "\"}");
	}
	strbuf_char(sb, ']');
}

/* "detail": what text shows in parentheses behind the result. */
static void put_detail(const struct json *j, struct strbuf *sb)
{
	size_t start = sb->len;

	strbuf_lit(sb, ",\"detail\":");
	if (!emit_json_detail(&j->emitter, sb))
		sb->len = start;
}

static void put_secontext(const struct json *j, struct strbuf *sb, const struct task *t)
{
	struct secontexts *s = j->run->opts->decode.secontexts;
	char context[SECONTEXT_MAX];

	if (s && s->process(s, t, context, sizeof(context)))
		json_put_text(sb, "secontext", context);
}

static void put_ip(const struct json *j, struct strbuf *sb, uint64_t ip)
{
	if (!j->run->opts->ip || !ip)
		return;
	strbuf_lit(sb, ",\"ip\":\"0x");
	strbuf_hex_digits(sb, ip, 1);
	strbuf_char(sb, '"');
}

static int json_call(struct sink *s, const struct call *c)
{
	struct json *j = json_of(s);
	struct strbuf *sb = begin(j, "syscall", c->enter ? c->enter : c->exit);
	const struct syscall *row = syscall_get(c->abi, c->nr);

	put_duration(sb, c);
	put_task(j, sb, &c->task);
	strbuf_char(sb, ',');
	put_call_name(sb, c->abi, c->nr);
	put_ip(j, sb, call_ip(c));
	put_secontext(j, sb, &c->task);
	strbuf_lit(sb, ",\"args\":{");
	emit_json_begin(&j->emitter, sb);
	decode_args(c, &j->run->opts->decode, &j->emitter.e);
	emit_json_end(&j->emitter);
	strbuf_char(sb, '}');
	put_raw(sb, c, row ? syscall_nargs(row) : CT_ARGS);
	if (!(c->flags & (CT_F_NO_RETURN | CT_F_IN_FLIGHT))) {
		put_ret(sb, c);
		put_ret_fd(j, sb, c);
		put_ret_pid(j, sb, c);
		put_detail(j, sb);
	}
	if (j->emitter.data.len) {
		strbuf_lit(sb, ",\"data\":[");
		strbuf_bytes(sb, j->emitter.data.buf, j->emitter.data.len);
		strbuf_char(sb, ']');
	}
	frames_put_json(sb, c->stack);
	put_notes(j, sb, c);
	if (j->emitter.detail.failed || j->emitter.notes.failed)
		sb->failed = true;
	return end(j, sb, !(c->flags & CT_F_IN_FLIGHT));
}

static int json_signal(struct sink *s, const struct signal_event *e)
{
	struct json *j = json_of(s);
	struct strbuf *sb;
	char buf[16];

	if (j->run->opts->show_signal && !j->run->opts->show_signal(e->signo, j->run->opts->show_signal_data))
		return 0;
	sb = begin(j, "signal", e->time);
	put_task(j, sb, &e->task);
	strbuf_lit(sb, ",\"signo\":");
	strbuf_dec(sb, e->signo);
	json_put_text(sb, "name", signal_name(e->signo, buf));
	put_ip(j, sb, e->ip);
	strbuf_lit(sb, ",\"info\":");
	emit_json_begin(&j->emitter, sb);
	decode_siginfo(e, &j->run->opts->decode, &j->emitter.e);
	emit_json_end(&j->emitter);
	frames_put_json(sb, e->stack);
	return end(j, sb, false);
}

static int json_exec(struct sink *s, const struct exec_event *e)
{
	struct json *j = json_of(s);
	struct strbuf *sb = begin(j, "exec", e->time);

	put_task(j, sb, &e->task);
	strbuf_lit(sb, ",\"filename\":");
	json_quote(sb, e->filename, e->filename_len);
	if (e->old_host_tid && e->old_host_tid != e->task.host_tid) {
		strbuf_lit(sb, ",\"old_tid\":");
		put_inner(sb, e->old_tid);
		json_count(sb, "old_host_tid", e->old_host_tid);
	}
	return end(j, sb, false);
}

/* "status":0, or "signal":"SIGKILL" with "core_dumped" */
static void put_status(struct strbuf *sb, int status)
{
	char buf[16];

	if (!WIFSIGNALED(status)) {
		json_count(sb, "status", (unsigned)WEXITSTATUS(status));
		return;
	}
	json_put_text(sb, "signal", signal_name(WTERMSIG(status), buf));
	put_true(sb, "core_dumped", WCOREDUMP(status));
}

static int json_exit(struct sink *s, const struct exit_event *e)
{
	struct json *j = json_of(s);
	struct strbuf *sb = begin(j, "exit", e->time);
	int r;

	put_task(j, sb, &e->task);
	put_status(sb, e->status);
	put_true(sb, "oom_killed", e->oom_killed);
	put_true(sb, "last_thread", e->group_dead);
	r = end(j, sb, false);
	outfile_part_end(s->out, e->task.host_tid);
	return r;
}

static const char *target_name(const struct json *j, uint32_t target)
{
	return target < j->run->n_targets ? j->run->targets[target].name : NULL;
}

static int json_left(struct sink *s, const struct left_event *e)
{
	struct json *j = json_of(s);
	struct strbuf *sb = begin(j, "left", e->time);

	put_task(j, sb, &e->task);
	json_put_text(sb, "target", target_name(j, e->task.target));
	return end(j, sb, false);
}

static int json_started(struct sink *s, const struct started_event *e)
{
	struct json *j = json_of(s);
	struct strbuf *sb = begin(j, "container", e->time);

	put_target_origin(j, sb, e->task.target);
	json_put_text(sb, "target", target_name(j, e->task.target));
	json_put_text(sb, "event", "started");
	json_count(sb, "host_pid", e->task.host_tgid);
	return end(j, sb, false);
}

static int json_relabel(struct sink *s, uint32_t target)
{
	struct json *j = json_of(s);

	if (target >= j->run->n_targets)
		return 0;
	strbuf_reset(&j->origins[target]);
	json_origin(&j->origins[target], &j->run->targets[target]);
	return j->origins[target].failed ? -ENOMEM : 0;
}

static int json_container(struct sink *s, const struct container_event *e)
{
	struct json *j = json_of(s);
	struct strbuf *sb = begin(j, "container", e->time);

	put_target_origin(j, sb, e->target);
	json_put_text(sb, "target", target_name(j, e->target));
	json_put_text(sb, "event", "ended");
	if (e->has_status)
		put_status(sb, e->status);
	put_true(sb, "oom_killed", e->oom_killed);
	return end(j, sb, false);
}

static int json_lost(struct sink *s, const struct lost_event *e)
{
	struct json *j = json_of(s);
	struct strbuf *sb = begin(j, "lost", e->time);

	json_count(sb, "calls", e->total);
	json_count(sb, "ring_full", e->ring_full);
	json_count(sb, "too_big", e->too_big);
	strbuf_lit(sb, ",\"by_call\":[");
	for (unsigned i = 0; i < MIN(e->n_rows, ARRAY_SIZE(e->rows)); i++) {
		strbuf_str(sb, i ? ",{" : "{");
		put_call_name(sb, e->rows[i].abi, e->rows[i].nr);
		json_count(sb, "calls", e->rows[i].count);
		strbuf_char(sb, '}');
	}
	strbuf_char(sb, ']');
	return end(j, sb, false);
}

static void put_count_row(struct strbuf *sb, const struct count_row *row)
{
	strbuf_char(sb, '{');
	put_call_name(sb, row->abi, row->nr);
	json_count(sb, "calls", row->calls);
	json_count(sb, "errors", row->errors);
	json_count(sb, "no_return", row->no_return);
	json_count(sb, "total_ns", row->total_ns);
	json_count(sb, "min_ns", row->min_ns);
	json_count(sb, "max_ns", row->max_ns);
	strbuf_char(sb, '}');
}

static int put_summary(struct json *j, uint32_t target, const struct count_row *rows, size_t n, uint64_t elapsed_ns)
{
	struct strbuf *sb = begin(j, "summary", j->run->since + elapsed_ns);
	bool first = true;

	put_target_origin(j, sb, target);
	json_put_text(sb, "target", target_name(j, target));
	json_count(sb, "elapsed", elapsed_ns);
	strbuf_lit(sb, ",\"calls\":[");
	for (size_t i = 0; i < n; i++) {
		if (rows[i].target != target)
			continue;
		if (!first)
			strbuf_char(sb, ',');
		put_count_row(sb, &rows[i]);
		first = false;
	}
	strbuf_char(sb, ']');
	return end(j, sb, false);
}

static int json_summary(struct sink *s, const struct count_row *rows, size_t n, uint64_t elapsed_ns)
{
	struct json *j = json_of(s);
	int r = 0;

	if (!s->run->opts->and_summary && !s->run->opts->summary_only)
		return 0;
	for (size_t i = 0; i < s->run->n_targets && r == 0; i++)
		r = s->run->targets[i].vacant ? 0 : put_summary(j, (uint32_t)i, rows, n, elapsed_ns);
	return r;
}

static int json_coverage(struct sink *s, const struct coverage *c)
{
	struct strbuf *sb = outfile_begin(s->out);

	coverage_put_json(sb, c, s->run->wall_offset);
	strbuf_char(sb, '\n');
	return outfile_end(s->out, false);
}

static int json_start(struct sink *s)
{
	struct json *j = json_of(s);
	struct strbuf *sb = begin(j, "start", j->run->since);

	json_put_text(sb, "version", j->run->version);
	strbuf_lit(sb, ",\"targets\":[");
	for (size_t i = 0; i < j->run->n_targets; i++) {
		const struct target_label *l = &j->run->targets[i];

		if (l->vacant)
			continue;
		strbuf_str(sb, sb->buf[sb->len - 1] == '[' ? "{" : ",{");
		strbuf_lit(sb, "\"target\":");
		json_quote(sb, l->name ? l->name : "", l->name ? strlen(l->name) : 0);
		json_origin(sb, l);
		json_put_text(sb, "cgroup", l->cgroup[0] ? l->cgroup : NULL);
		if (l->init_host_pid)
			json_count(sb, "init_host_pid", l->init_host_pid);
		strbuf_char(sb, '}');
	}
	strbuf_char(sb, ']');
	return end(j, sb, false);
}

static void json_free(struct sink *s)
{
	struct json *j = json_of(s);

	for (size_t i = 0; j->origins && i < j->run->n_targets; i++)
		strbuf_done(&j->origins[i]);
	free(j->origins);
	emit_json_done(&j->emitter);
	free(j);
}

static const struct sink_ops json_ops = {
	.name = "json",
	.start = json_start,
	.call = json_call,
	.signal = json_signal,
	.exec = json_exec,
	.exit = json_exit,
	.left = json_left,
	.started = json_started,
	.relabel = json_relabel,
	.container = json_container,
	.lost = json_lost,
	.summary = json_summary,
	.coverage = json_coverage,
	.free = json_free,
};

int sink_json_new(const struct run_info *run, struct outfile *out, struct sink **ret_sink)
{
	struct json *j = calloc(1, sizeof(*j));

	(void)out;
	if (!j)
		return -ENOMEM;
	j->sink.ops = &json_ops;
	j->run = run;
	emit_json_init(&j->emitter);
	j->origins = calloc(MAX(run->n_targets, (size_t)1), sizeof(*j->origins));
	if (!j->origins)
		goto fail;
	for (size_t i = 0; i < run->n_targets; i++) {
		json_origin(&j->origins[i], &run->targets[i]);
		if (j->origins[i].failed)
			goto fail;
	}
	*ret_sink = &j->sink;
	return 0;
fail:
	json_free(&j->sink);
	return -ENOMEM;
}
