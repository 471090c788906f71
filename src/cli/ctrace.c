/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The whole program: from argv to the exit status. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "cgroup/http.h"
#include "cli/announce.h"
#include "cli/armour.h"
#include "cli/check.h"
#include "cli/command.h"
#include "cli/config.h"
#include "cli/idle.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/preflight.h"
#include "cli/ps.h"
#include "cli/status_file.h"
#include "util/macros.h"
#include "session/interfaces.h"
#include "session/names.h"
#include "session/paths.h"
#include "session/secontext.h"

enum { EXIT_DONE, EXIT_FAILED, EXIT_USAGE, EXIT_INCOMPLETE };

#define LINE_SIZE 1024

/* What a run holds; run_done() lets go of it. */
struct run {
	const struct config *c;
	struct machine machine;
	struct target_env env;
	bool env_open;
	struct command command;
	struct target_list targets;
	struct target_label *labels;
	struct touch found;             /* what -P's paths lead to, until the session has it; the rest is empty */
	bool *came;                     /* by target: it was there, now or before */
	struct run_info info;
	struct sink *sink;
	struct session *session;
	struct coverage coverage;
	int command_status;             /* as wait(2) */
	bool ended;                     /* the run came to its regular end */
};

static void run_done(struct run *run)
{
	session_free(run->session);
	if (run->sink)
		sink_close(run->sink);
	free(run->labels);
	free(run->came);
	touch_done(&run->found);
	target_list_done(&run->targets);
	command_done(&run->command);
	if (run->env_open)
		target_env_done(&run->env);
}

static int own_failure(const struct config *c)
{
	return c->command ? EXIT_OWN_FAILURE : EXIT_FAILED;
}

/* Descriptors 0 to 2 that are not open would be given to files of ours, which messages would then go to. */
static int open_standard_fds(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* The targets that the user named and, last, COMMAND's process. Exit status or 0. */
static int run_resolve(struct run *run)
{
	const struct config *c = run->c;
	size_t n = c->n_specs;
	_cleanup_free_ struct target_spec *specs = calloc(n + 1, sizeof(*specs));
	int r;

	if (!specs)
		return own_failure(c);
	if (n)
		memcpy(specs, c->specs, n * sizeof(*specs));
	if (c->command)
		specs[n++] = (struct target_spec){ .kind = TARGET_COMMAND, .pid = run->command.pid };
	r = targets_resolve(&run->env, specs, n, c->wait, c->session.follow_restarts, say_line, NULL, &run->targets);
	if (r < 0) {
		say("cannot look for the targets: %s", strerror(-r));
		return own_failure(c);
	}
	if (!run->targets.n)
		return own_failure(c);
	run->labels = labels_make(&run->targets, c);
	run->came = calloc(run->targets.n, sizeof(*run->came));
	if (!run->labels || !run->came)
		return own_failure(c);
	for (size_t i = 0; i < run->targets.n; i++)
		run->came[i] = !run->targets.v[i].waiting;
	return 0;
}

/* The session has learnt something of a target that is waited for. */
static int target_changed(size_t i, void *data)
{
	struct run *run = data;
	const struct target *t = &run->targets.v[i];

	label_update(&run->labels[i], t, run->c);
	run->came[i] |= !t->waiting;
	return run->sink && run->sink->ops->relabel ? run->sink->ops->relabel(run->sink, (uint32_t)i) : 0;
}

/* Of the seats that stayed vacant one is told, if nothing came at all. */
static bool is_missed(const struct run *run, size_t i, size_t n_came)
{
	const struct target *t = &run->targets.v[i];

	if (run->came[i] || !target_is_vacant(t))
		return !run->came[i];
	return !n_came && (!i || !target_is_vacant(t - 1) || strcmp(t[-1].pods.arg, t->pods.arg) != 0);
}

/* Those that were waited for in vain are named. Exit status: failed when there was nothing else. */
static int run_missed(const struct run *run)
{
	size_t n = 0;
	char text[512];

	for (size_t i = 0; i < run->targets.n; i++)
		n += run->came[i];
	for (size_t i = 0; i < run->targets.n; i++) {
		if (!is_missed(run, i, n) || (run->c->quiet && run->targets.n > 1))
			continue;
		target_wanted(&run->targets.v[i], text, sizeof(text));
		say("%s never came", text);
	}
	return n ? 0 : own_failure(run->c);
}

static struct wants wants_of(const struct config *c)
{
	struct wants w = {
		.stacks = c->session.stack,
		.processes = c->session.stack || c->names || c->secontext,
		.user = c->user,
		.containers = c->wait || c->session.follow_restarts,
		.others = c->n_specs,
	};

	for (size_t i = 0; i < c->n_specs; i++)
		w.containers |= c->specs[i].kind == TARGET_CONTAINER || c->specs[i].kind == TARGET_POD;
	return w;
}

/* What needs no BPF: privileges, COMMAND's process, the host's /proc, the targets. Exit status or 0. */
static int run_prepare(struct run *run)
{
	const struct config *c = run->c;
	const struct wants wants = wants_of(c);
	char err[LINE_SIZE] = "";
	int r;

	session_hurry(true);
	machine_look(&run->machine);
	if (machine_judge(&run->machine, &wants, err, sizeof(err)) < 0) {
		say("%s", err);
		return own_failure(c);
	}
	for (size_t i = 0; i < NEEDS && !c->quiet; i++) {
		if (machine_less(&run->machine, &wants, i, err, sizeof(err)))
			say("%s", err);
	}
	/* Before target_env_open(), which may join the host's cgroup namespace: that is not for COMMAND. */
	if (c->command) {
		r = command_start(c, &run->command, err, sizeof(err));
		if (r) {
			say("%s", err);
			return r;
		}
	}
	r = target_env_open(c->proc, c->cgroupfs, &run->env);
	if (r < 0) {
		say("cannot use %s as the host's procfs: %s", c->proc ? c->proc : "/proc", strerror(-r));
		return own_failure(c);
	}
	run->env_open = true;
	if (c->by_default && !c->quiet)
		say("no target is named: tracing the container of process 1, whose pid namespace this is");
	return run_resolve(run);
}

/* The output is opened before anything is traced, so that COMMAND never runs for a trace that cannot be written. */
static int run_open_sink(struct run *run)
{
	const struct output_opts *opts = &run->c->output;
	int r;

	run->info = (struct run_info){
		.opts = opts, .targets = run->labels, .n_targets = run->targets.n, .version = CTRACE_VERSION,
	};
	r = sink_open(&run->info, &run->sink);
	if (r < 0) {
		say("cannot open the output %s: %s", opts->path ? opts->path : "(a stream)", strerror(-r));
		return own_failure(run->c);
	}
	return 0;
}

static void path_resolved(const char *asked, const char *resolved)
{
	say("Requested path \"%s\" resolved into \"%s\"", asked, resolved);
}

/* Between the attach and the first record, which is the first that a target can choose. */
static void run_arm(struct run *run)
{
	struct duties d = duties_of(run->c, &run->machine, &run->env, &run->targets, run->command.pid);

	/* The library that asks daemons: later no code can be loaded. */
	if (d.waits)
		(void)http_missing();
	if (run->c->output.decode.interfaces)
		interfaces_enter(run->c->output.decode.interfaces);
	armour_put_on(&d);
}

/* That calls may be lost is told whatever is quiet. */
static void note(const char *line)
{
	say("%s", line);
}

/* What a ctrace --lossless that was killed together with its guard left frozen. */
static void run_recover(const struct run *run)
{
	for (size_t i = 0; i < run->targets.n; i++) {
		if (target_recover(&run->env, &run->targets.v[i]))
			say("%s was left frozen by a ctrace that was killed: thawed", run->targets.v[i].label);
	}
}

static int run_start(struct run *run)
{
	struct session_opts opts = run->c->session;
	char err[LINE_SIZE] = "";
	int r;

	run_recover(run);
	opts.decode = run->c->output.decode;
	if (opts.decode.interfaces)
		interfaces_place(opts.decode.interfaces, &run->env, &run->targets);
	if (opts.decode.names)
		peer_names_place(opts.decode.names, &run->env, &run->targets);
	if (opts.decode.secontexts) {
		secontexts_place(opts.decode.secontexts, &run->env, &run->targets);
		if (!secontexts_any(run->env.proc_fd) && !run->c->quiet)
			say("--secontext: SELinux is off on this machine, so there are no contexts to show");
	}
	opts.path_resolved = run->c->quiet_paths ? NULL : path_resolved;
	r = paths_resolve(&opts.touch, &run->env, &run->targets, opts.path_resolved);
	run->found = (struct touch){ .resolved = opts.touch.resolved, .n_resolved = opts.touch.n_resolved };
	if (r < 0) {
		say("%s", strerror(-r));
		return own_failure(run->c);
	}
	opts.note = note;
	opts.target_changed = target_changed;
	opts.target_changed_data = run;
	opts.command_pid = run->command.pid;
	opts.reader_pid = sink_reader(run->sink);
	opts.command_release_fd = run->command.release_fd;
	r = session_start(&opts, &run->env, &run->targets, &run->session, err, sizeof(err));
	if (r < 0) {
		say("%s", err[0] ? err : strerror(-r));
		return own_failure(run->c);
	}
	run->found = (struct touch){ 0 };
	run_arm(run);
	session_times(run->session, &run->info.since, &run->info.wall_offset);
	if (!run->c->quiet)
		announce(&run->targets, &run->env, run->c);
	r = session_release(run->session);
	if (r < 0) {
		say("cannot tell that tracing is active: %s", strerror(-r));
		return own_failure(run->c);
	}
	return 0;
}

static void say_output_error(const struct run *run, int error)
{
	const char *path = run->c->output.path;

	if (error == EPIPE)
		say("the trace ended early: nobody reads the output any more");
	else
		say("the trace ended early: %s: %s", path ? path : "output", strerror(error));
}

/* The session compares calls; an exit or a signal that could not be written is a gap just as well. */
static void note_output_error(struct coverage *c, int error)
{
	if (!c->complete)
		return;
	c->complete = false;
	snprintf(c->why[0], sizeof(c->why[0]), "the output failed: %s", strerror(error));
	c->n_why = 1;
}

static int run_loop(struct run *run)
{
	int r, finish;

	r = run->sink->ops->start ? run->sink->ops->start(run->sink) : 0;
	if (!r)
		r = session_run(run->session, run->sink, &run->command_status);
	run->ended = !r;
	finish = session_finish(run->session, run->sink, &run->coverage);
	if (!r)
		r = finish;
	finish = sink_close(TAKE_PTR(run->sink));
	if (!r)
		r = finish;
	if (!r)
		return 0;
	say_output_error(run, -r);
	note_output_error(&run->coverage, -r);
	return own_failure(run->c);
}

/* The coverage statement, on standard error and in the status file. */
static int run_state(struct run *run)
{
	const struct config *c = run->c;
	_cleanup_free_ char *json = NULL;
	char line[LINE_SIZE * 2];
	int r;

	if (!c->quiet || !run->coverage.complete) {
		coverage_line(&run->coverage, run->info.wall_offset, line, sizeof(line));
		say("%s", line);
	}
	if (!c->status_file)
		return 0;
	json = coverage_json(&run->coverage, run->info.wall_offset);
	r = json ? status_file_write(c->status_file, json) : -ENOMEM;
	if (r < 0) {
		say("cannot write %s: %s", c->status_file, strerror(-r));
		return own_failure(c);
	}
	return 0;
}

static int run_exit_status(struct run *run, int status)
{
	const struct config *c = run->c;
	int error;

	if (!status && c->command && run->ended) {
		error = command_exec_error(&run->command);
		if (error)
			say("cannot execute %s: %s", c->command[0], strerror(error));
		status = command_exit_status(run->command_status);
	}
	if (!status && c->strict && !run->coverage.complete)
		return EXIT_INCOMPLETE;
	return status;
}

static int trace(const struct config *c)
{
	_cleanup_(run_done) struct run run = { .c = c, .command = COMMAND_NONE };
	int r, missed, stated;

	r = open_standard_fds();
	if (!r)
		r = command_signals_save();
	if (r < 0) {
		say("cannot open /dev/null, or set up signals: %s", strerror(-r));
		return own_failure(c);
	}
	if (c->status_file)
		status_file_clear(c->status_file);
	r = run_prepare(&run);
	if (!r)
		r = run_open_sink(&run);
	if (!r)
		r = run_start(&run);
	if (r) {
		command_cancel(&run.command);
		return r;
	}
	r = run_loop(&run);
	missed = run_missed(&run);
	stated = run_state(&run);
	if (!r)
		r = missed;
	return run_exit_status(&run, r ? r : stated);
}

int ctrace_main(int argc, char **argv)
{
	struct config c;
	int r;

	r = config_parse(argc, argv, &c);
	if (r)
		return r;
	if (c.verb == VERB_HELP)
		r = options_help(stdout) < 0 ? EXIT_FAILED : EXIT_DONE;
	else if (c.verb == VERB_VERSION)
		r = printf("ctrace " CTRACE_VERSION "\n") < 0 || fflush(stdout) ? EXIT_FAILED : EXIT_DONE;
	else if (c.verb == VERB_PS)
		r = ps(&c);
	else if (c.verb == VERB_IDLE)
		r = idle();
	else if (c.verb == VERB_CHECK)
		r = check_machine(&c);
	else
		r = trace(&c);
	config_done(&c);
	return r;
}
