/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* argv to config. */
#include "cli/config.h"

#include <errno.h>
#include <string.h>

#include "cli/message.h"
#include "cli/parsers.h"
#include "session/interfaces.h"
#include "session/names.h"
#include "session/narrow.h"
#include "session/secontext.h"

static bool show_signal(int signo, void *data)
{
	const uint64_t *signals = data;

	return signo < 1 || signo > 64 || (*signals >> (signo - 1) & 1);
}

#define BUFFER        (8u << 20)
#define BUFFER_STACKS (64u << 20)

static void set_defaults(struct config *c)
{
	*c = (struct config){
		.output = { .stack_limit = STACK_FRAMES, .column = 40, .relative_digits = 6, .duration_digits = 6, .decode = { .string_limit = 32 } },
		.session = { .status = STATUS_ALL, .command_release_fd = -1, .ready_fd = -1 },
		.signals = ~0ull,
	};
	memset(c->session.trace.rows, true, sizeof(c->session.trace.rows));
}

static int unknown_letter(struct parse *p, char letter)
{
	const struct refused_row *refused = refused_by_letter(letter);

	if (refused)
		return parse_error(p, "-%c: %s", letter, refused->why);
	return parse_error(p, "unknown option -%c; 'ctrace --help' lists them", letter);
}

static int unknown_name(struct parse *p, const char *name, size_t len, bool ambiguous)
{
	const struct refused_row *refused = refused_by_name(name, len);
	const struct option_row *near = option_nearest(name, len);

	if (refused)
		return parse_error(p, "--%s: %s", refused->name, refused->why);
	if (ambiguous && len)
		return parse_error(p, "--%.*s could be several options; 'ctrace --help' lists them", (int)len, name);
	if (near)
		return parse_error(p, "unknown option --%.*s; did you mean --%s?", (int)len, name, near->name);
	return parse_error(p, "unknown option --%.*s; 'ctrace --help' lists them", (int)len, name);
}

static const struct {
	const char *word;
	enum verb verb;
	const char *does;
} verbs[] = {
	{ "ps", VERB_PS, "it lists all containers, or with --pid N that of one process" },
	{ "check", VERB_CHECK, "it tells what this machine allows" },
	{ "idle", VERB_IDLE, "it waits until it is told to end" },
	{ "help", VERB_HELP, "it prints the options" },
};

/* Of verbs[]; -1: none, as of tracing. */
static int verb_index(enum verb verb)
{
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (verbs[i].verb == verb)
			return (int)i;
	return -1;
}

/* Verbs have options of their own. */
static int check_verb(struct parse *p, const struct option_row *row)
{
	int i = verb_index(p->c->verb);

	if (option_of_verb(row, p->c->verb))
		return 0;
	if (i >= 0)
		return parse_error(p, "ctrace %s takes no %s", verbs[i].word, p->option);
	if (row->group == GROUP_PS)
		return parse_error(p, "%s is of 'ctrace ps %s': -p traces a process, --container pid:N the container that it is in", p->option, p->option);
	return parse_error(p, "%s is of 'ctrace check %s'", p->option, p->option);
}

/* --name, --name=ARG, --name ARG. Moves *i to the last word that it used. */
static int parse_long(struct parse *p, char **argv, int *i)
{
	const char *name = argv[*i] + 2, *text = NULL;
	size_t len = strcspn(name, "=");
	const struct option_row *row;
	char option[64];
	bool ambiguous;

	row = option_by_name(name, len, &ambiguous);
	if (!row || !len)
		return unknown_name(p, name, len, ambiguous);
	snprintf(option, sizeof(option), "--%s", row->name);
	p->option = option;
	if (check_verb(p, row) < 0)
		return -EINVAL;
	if (name[len] == '=')
		text = name + len + 1;
	if (text && row->mode == ARG_NONE)
		return parse_error(p, "%s takes no argument", option);
	if (!text && (row->mode == ARG_NEEDED || row->mode == ARG_LONG)) {
		if (!argv[*i + 1])
			return parse_error(p, "%s needs an argument: %s", option, row->arg);
		text = argv[++*i];
	}
	return row->parse(p, row, text);
}

/* -abc, -sN, -s N. */
static int parse_letters(struct parse *p, char **argv, int *i)
{
	char option[3] = "-";

	for (const char *s = argv[*i] + 1; *s; s++) {
		const struct option_row *row = option_by_letter(*s);
		const char *text = NULL;
		int r;

		if (!row)
			return unknown_letter(p, *s);
		option[1] = *s;
		p->option = option;
		if (check_verb(p, row) < 0)
			return -EINVAL;
		if (row->mode == ARG_NEEDED) {
			text = s[1] ? s + 1 : argv[++*i];
			if (!text)
				return parse_error(p, "%s needs an argument: %s", option, row->arg);
		}
		r = row->parse(p, row, text);
		if (r < 0 || text)
			return r;
	}
	return 0;
}

static int parse_word(struct parse *p, const char *word, bool first)
{
	int i = verb_index(p->c->verb);

	if (i >= 0)
		return parse_error(p, "ctrace %s takes no '%s': %s", verbs[i].word, word, verbs[i].does);
	for (size_t k = 0; first && k < ARRAY_SIZE(verbs); k++) {
		if (strcmp(word, verbs[k].word) != 0)
			continue;
		p->c->verb = verbs[k].verb;
		return 0;
	}
	return parse_error(p, "'%s' is no option: did you mean --container %s or -- %s?", word, word, word);
}

static int parse_argv(struct parse *p, char **argv)
{
	int r;

	for (int i = 1; argv[i]; i++) {
		const char *word = argv[i];

		if (!strcmp(word, "--")) {
			if (p->c->verb != VERB_TRACE)
				return parse_error(p, "ctrace %s takes no COMMAND", verbs[verb_index(p->c->verb)].word);
			if (!argv[i + 1])
				return parse_error(p, "no COMMAND after --");
			p->c->command = argv + i + 1;
			return 0;
		}
		if (word[0] == '-' && word[1] == '-')
			r = parse_long(p, argv, &i);
		else if (word[0] == '-' && word[1])
			r = parse_letters(p, argv, &i);
		else
			r = parse_word(p, word, i == 1);
		if (r < 0)
			return r;
		if (p->c->verb == VERB_HELP || p->c->verb == VERB_VERSION)
			return 0;
	}
	return 0;
}

/* Whether --wait and --follow-restarts mean something for a target: it can come again. */
static bool can_be_waited_for(const struct target_spec *spec)
{
	return spec->kind == TARGET_CGROUP || spec->kind == TARGET_POD || spec->kind == TARGET_PODS ||
	       (spec->kind == TARGET_CONTAINER && strncmp(spec->arg, "pid:", 4) != 0);
}

static int check_waiting(struct parse *p)
{
	const struct config *c = p->c;
	size_t n = 0;

	for (size_t i = 0; i < c->n_specs; i++)
		n += can_be_waited_for(&c->specs[i]);
	if (n || (!c->wait && !c->session.follow_restarts))
		return 0;
	return parse_error(p, "%s needs a container or a cgroup: --container by ID or name, --pod, --pod-selector, or --cgroup",
			   c->wait ? "--wait" : "--follow-restarts");
}

/* Without -o it changes nothing, as in strace. */
static int check_separate(struct parse *p)
{
	const struct output_opts *o = &p->c->output;

	if (!o->separate)
		return 0;
	if (o->summary_only || o->and_summary)
		return parse_error(p, "-c and -C make one table: not with -ff");
	if (o->path && (*o->path == '|' || *o->path == '!'))
		return parse_error(p, "-ff writes files: not with -o '|COMMAND'");
	if (o->path && o->split)
		return parse_error(p, "--split writes what tasks do in one order: not with -ff, where each has a file of its own");
	return 0;
}

/* Whether a call is shown, and as what, has to be known when it begins. */
static int check_split(struct parse *p)
{
	const struct config *c = p->c;
	const char *why = NULL;

	if (!c->output.split)
		return 0;
	if (c->session.status != STATUS_ALL)
		why = "-z, -Z and --status judge it";
	else if (c->session.slower_ns)
		why = "--slower judges it";
	else if (c->output.summary_only)
		why = "-c counts it";
	else if (c->output.format && strcmp(c->output.format, "text") != 0)
		why = "--format json writes it";
	return why ? parse_error(p, "--split writes a call when it begins, %s when it has ended", why) : 0;
}

/* What is frozen is a container's cgroup, which others than its tasks are not in. */
static int check_lossless(struct parse *p)
{
	const struct config *c = p->c;
	bool other = c->command != NULL;

	if (!c->session.lossless)
		return 0;
	for (size_t i = 0; i < c->n_specs; i++)
		other |= c->specs[i].kind != TARGET_CONTAINER && c->specs[i].kind != TARGET_CGROUP && c->specs[i].kind != TARGET_POD;
	if (other)
		return parse_error(p, "--lossless freezes the cgroups of containers: not with -p, --tid, --all or a COMMAND");
	if (c->output.summary_only)
		return parse_error(p, "-c counts in the kernel, where nothing is lost: not with --lossless");
	return 0;
}

static int check_narrow(struct parse *p)
{
	const struct config *c = p->c;

	if (!c->session.narrow)
		return 0;
	if (!c->traces)
		return parse_error(p, "--narrow needs to know which calls: -e trace= with at most %d of them", NARROW_MAX);
	return 0;
}

/* What no option can judge alone. */
static int check(struct parse *p)
{
	const struct config *c = p->c;
	int r;

	/* In a debug container, beside what is to be debugged. */
	if (!c->n_specs && !c->command && target_pid1_is_foreign()) {
		r = target_by_default(p);
		if (r < 0)
			return r;
	}
	if (!c->n_specs && !c->command)
		return parse_error(p, "no target; name one by --container, --pod, --cgroup, -p, --tid or --all, or a COMMAND after -- ('ctrace --help' tells more)");
	if (c->output.summary_columns[0] != SUMMARY_END && !c->output.summary_only && !c->output.and_summary)
		return parse_error(p, "-U needs a table: -c or -C");
	if (c->output.summary_only && c->output.and_summary)
		return parse_error(p, "-c and -C exclude each other");
	if (!c->command && c->user)
		return parse_error(p, "-u needs a COMMAND after --");
	if (!c->command && c->env_changes)
		return parse_error(p, "-E needs a COMMAND after --");
	if (!c->command && c->argv0)
		return parse_error(p, "--argv0 needs a COMMAND after --");
	if (!c->command && c->session.until_exit)
		return parse_error(p, "--until-exit needs a COMMAND after --");
	if (c->output.append && !c->output.path)
		return parse_error(p, "-A needs a file: -o FILE");
	if (c->output.summary_only && touch_asks(&c->session.touch))
		return parse_error(p, "-c counts in the kernel, where -P and --trace-fds are not known; -C counts as well");
	r = check_separate(p);
	if (!r)
		r = check_split(p);
	if (!r)
		r = check_lossless(p);
	if (!r)
		r = check_narrow(p);
	return r ? r : check_waiting(p);
}

static void complete(struct parse *p)
{
	struct config *c = p->c;

	quiet_apply(p);
	if (!c->output.format)
		c->output.format = c->output.summary_only ? "summary" : "text";
	/* JSON has names and raw values in any case. */
	if (!strcmp(c->output.format, "json"))
		c->output.decode.consts = CONST_ABBREV;
	c->output.to_stderr = c->command && !c->output.path;
	/* A context is that of the very file. */
	c->output.decode.match_fds = touch_asks(&c->session.touch) || c->secontext;
	c->session.decode = c->output.decode;
	c->session.split = c->output.split;
	c->session.ip = c->output.ip;
	c->session.stack = c->output.stack;
	c->session.stack_limit = c->output.stack_limit;
	/* With a stack a call's record is some kilobytes larger. */
	if (!c->session.buffer)
		c->session.buffer = c->session.stack ? BUFFER_STACKS : BUFFER;
	c->session.counts_only = c->output.summary_only;
	c->session.counts = c->output.summary_only || c->output.and_summary;
	if (c->signals != ~0ull) {
		c->output.show_signal = show_signal;
		c->output.show_signal_data = &c->signals;
	}
}

int config_read(int argc, char **argv, struct config *ret_config, char *err, size_t err_size)
{
	struct parse p = { .c = ret_config, .err = err, .err_size = err_size };
	int r;

	set_defaults(ret_config);
	if (argc < 1 || !argv[0])
		return parse_error(&p, "no arguments at all");
	r = parse_argv(&p, argv);
	if (!r && ret_config->verb == VERB_TRACE)
		r = check(&p);
	if (r == -ENOMEM)
		parse_error(&p, "out of memory");
	if (r < 0) {
		config_done(ret_config);
		return r;
	}
	if (ret_config->output.decode.fds & FDS_SOCKET && ret_config->verb == VERB_TRACE)
		ret_config->output.decode.memory = fd_memory_new();
	if (ret_config->verb == VERB_TRACE)
		ret_config->output.decode.interfaces = interfaces_new();
	if (ret_config->names && ret_config->verb == VERB_TRACE)
		ret_config->output.decode.names = peer_names_new();
	if (ret_config->secontext && ret_config->verb == VERB_TRACE)
		ret_config->output.decode.secontexts = secontexts_new(ret_config->secontext_full);
	complete(&p);
	return 0;
}

int config_parse(int argc, char **argv, struct config *ret_config)
{
	char err[512];

	if (!config_read(argc, argv, ret_config, err, sizeof(err)))
		return 0;
	say("%s", err);
	return 2;
}

void config_done(struct config *c)
{
	for (size_t i = 0; i < c->n_specs; i++)
		free(c->specs[i].arg);
	free(c->specs);
	fd_memory_free(c->output.decode.memory);
	secontexts_free(c->output.decode.secontexts);
	interfaces_free(c->output.decode.interfaces);
	peer_names_free(c->output.decode.names);
	free(c->env_changes);
	touch_done(&c->session.touch);
	free(c->data_fds[0].fds);
	free(c->data_fds[1].fds);
	*c = (struct config){ 0 };
}
