/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_cli */
/* argv to config: every option's effect, and what is refused with which words. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "cli/config.h"
#include "cli/options.h"
#include "util/macros.h"

#define WORDS_MAX 16

static char err[512];

/* Words are separated by blanks; '_' stands for a blank within one. */
static int read_words(const char *words, struct config *c)
{
	static char text[512];
	static char *argv[WORDS_MAX + 2];
	int argc = 0;

	snprintf(text, sizeof(text), "%s", words);
	argv[argc++] = (char *)"ctrace";
	for (char *w = strtok(text, " "); w && argc <= WORDS_MAX; w = strtok(NULL, " ")) {
		for (char *s = w; *s; s++)
			if (*s == '_')
				*s = ' ';
		argv[argc++] = w;
	}
	argv[argc] = NULL;
	err[0] = '\0';
	return config_read(argc, argv, c, err, sizeof(err));
}

#define GIVES(words, expression)                                        \
	do {                                                            \
		struct config c;                                        \
		if (read_words(words, &c))                              \
			fail_msg("'%s' is refused: %s", words, err);    \
		if (!(expression))                                      \
			fail_msg("'%s' does not give " #expression, words); \
		config_done(&c);                                        \
	} while (0)

#define REFUSES(words, part)                                                    \
	do {                                                                    \
		struct config c;                                                \
		if (!read_words(words, &c))                                     \
			fail_msg("'%s' is accepted", words);                    \
		if (!strstr(err, part))                                         \
			fail_msg("'%s' is refused with: %s", words, err);       \
		if (strchr(err, '\n'))                                          \
			fail_msg("'%s' is refused with several lines", words);  \
	} while (0)

static void test_targets(void **state _unused_)
{
	GIVES("--container web", c.n_specs == 1 && c.specs[0].kind == TARGET_CONTAINER && !strcmp(c.specs[0].arg, "web"));
	GIVES("--container=docker:web --cgroup /a", c.n_specs == 2 && c.specs[1].kind == TARGET_CGROUP && !strcmp(c.specs[1].arg, "/a"));
	GIVES("--pod-selector app=web,!old --wait", c.n_specs == 1 && c.specs[0].kind == TARGET_PODS && !strcmp(c.specs[0].arg, "app=web,!old"));
	REFUSES("--pod-selector app=web,", "'app=web,' is no label selector: a key is missing");
	GIVES("-p1", c.specs[0].kind == TARGET_PROCESS && c.specs[0].pid == 1);
	GIVES("-p 1,2", c.n_specs == 2 && c.specs[1].pid == 2);
	GIVES("-p 1_\t22_", c.n_specs == 2 && c.specs[1].pid == 22);
	GIVES("--attach=3 -p4", c.n_specs == 2 && c.specs[0].pid == 3 && c.specs[1].pid == 4);
	GIVES("--tid 7", c.specs[0].kind == TARGET_THREAD && c.specs[0].pid == 7);
	GIVES("--all --all", c.n_specs == 1 && c.specs[0].kind == TARGET_ALL);
	GIVES("--proc /p --cgroupfs /c --all", !strcmp(c.proc, "/p") && !strcmp(c.cgroupfs, "/c"));
	GIVES("-f --all", c.n_specs == 1);
	GIVES("-p1 -- ls -l --all", c.n_specs == 1 && !strcmp(c.command[0], "ls") && !strcmp(c.command[2], "--all") && !c.command[3]);
	REFUSES("--container=", "--container: the argument is empty");
	REFUSES("-p 0", "'0' is not a pid");
	REFUSES("-p 1,x", "'x' is not a pid");
	REFUSES("-p -1", "'-1' is not a pid");
	REFUSES("-p 4294967297", "not a pid");
	REFUSES("-p 11111111111111111111111", "not a list of pids");
	REFUSES("-p ,", "no pid");
	REFUSES("--tid=", "no pid");
	GIVES("-f -f --all", c.output.separate);
	REFUSES("", "no target");
	REFUSES("-t", "no target");
	REFUSES("--", "no COMMAND");
	REFUSES("web", "'web' is no option: did you mean --container web or -- web?");
	REFUSES("-t ls -l", "did you mean --container ls or -- ls?");
	REFUSES("-", "'-' is no option");
}

static void test_too_many_targets(void **state _unused_)
{
	char list[CT_TARGETS * 5 + 16] = "-p1";
	struct config c;
	char *argv[] = { (char *)"ctrace", list, NULL };

	for (unsigned i = 1; i < CT_TARGETS; i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list), ",%u", i + 1);
	assert_int_equal(config_read(2, argv, &c, err, sizeof(err)), 0);
	assert_int_equal(c.n_specs, CT_TARGETS);
	config_done(&c);
	snprintf(list + strlen(list), sizeof(list) - strlen(list), ",9999");
	assert_int_equal(config_read(2, argv, &c, err, sizeof(err)), -EINVAL);
	assert_non_null(strstr(err, "more than 256 targets"));
}

static void test_filters(void **state _unused_)
{
	GIVES("--all", c.session.trace.rows[SYS_read] && c.session.trace.rows[CT_ROW_OUTSIDE] && c.session.status == STATUS_ALL &&
	      c.session.phase == PHASE_CONTAINER && !c.session.slower_ns && !c.output.show_signal);
	GIVES("-e getpid --all", c.session.trace.rows[SYS_getpid] && !c.session.trace.rows[SYS_read]);
	GIVES("-e trace=getpid --all", c.session.trace.rows[SYS_getpid] && !c.session.trace.rows[SYS_read]);
	GIVES("-e t=getpid --all", c.session.trace.rows[SYS_getpid] && !c.session.trace.rows[SYS_read]);
	GIVES("--trace=!getpid --all", !c.session.trace.rows[SYS_getpid] && c.session.trace.rows[SYS_read]);
	GIVES("-e !getpid --all", !c.session.trace.rows[SYS_getpid] && c.session.trace.rows[SYS_read]);
	GIVES("-egetpid -e trace=none --all", !c.session.trace.rows[SYS_getpid]);
	GIVES("-e /^getpid$ --all", c.session.trace.rows[SYS_getpid] && !c.session.trace.rows[SYS_read]);
	GIVES("-e %process --all", c.session.trace.rows[SYS_execve] && !c.session.trace.rows[SYS_read]);
	REFUSES("-e no-such-call --all", "-e: ");
	REFUSES("--trace=no-such-call --all", "--trace: ");
	REFUSES("-e trace=no-such-call --all", "no-such-call");
	REFUSES("-e tracer=read --all", "unknown 'tracer='");
	GIVES("-z --all", c.session.status == STATUS_SUCCESSFUL);
	GIVES("-Z --all", c.session.status == STATUS_FAILED);
	GIVES("-z -Z --all", c.session.status == STATUS_FAILED);
	GIVES("-e status=failed,unfinished --all", c.session.status == (STATUS_FAILED | STATUS_UNFINISHED));
	GIVES("--status=!failed --all", c.session.status == (STATUS_ALL & ~STATUS_FAILED));
	GIVES("--status all --all", c.session.status == STATUS_ALL);
	GIVES("--status none --all", c.session.status == 0);
	REFUSES("--status failed,lost --all", "'lost' is none of: successful failed");
	GIVES("--comm nginx --all", !strcmp(c.session.comm, "nginx"));
	GIVES("--comm a-name-of-more-than-15-bytes --all", !strcmp(c.session.comm, "a-name-of-more-"));
	REFUSES("--comm= --all", "empty");
	GIVES("--only-pid 7 --all", c.session.only_pid == 7);
	REFUSES("--only-pid 0 --all", "not a pid");
	GIVES("--phase runtime --all", c.session.phase == PHASE_RUNTIME);
	GIVES("--phase all --all", c.session.phase == PHASE_ALL);
	REFUSES("--phase start --all", "none of: container runtime all");
	GIVES("--slower 10ms --all", c.session.slower_ns == 10000000);
	REFUSES("--slower 10 --all", "not a duration");
	REFUSES("--slower 0ms --all", "not a duration");
}

static void test_signals(void **state _unused_)
{
	GIVES("-e signal=SIGTERM,kill,10 --all", c.signals == (1ull << 14 | 1ull << 8 | 1ull << 9));
	GIVES("--signal=!SIGCHLD --all", c.signals == ~(1ull << 16) && c.output.show_signal);
	GIVES("--signal=term --all", c.output.show_signal(15, c.output.show_signal_data) && !c.output.show_signal(9, c.output.show_signal_data));
	GIVES("--signal=none --all", c.signals == 0 && !c.output.show_signal(64, c.output.show_signal_data));
	GIVES("--signal=all --all", !c.output.show_signal);
	GIVES("-e s=SIGRTMIN --all", c.signals == 1ull << 31 || c.signals == 1ull << 33);
	REFUSES("--signal=SIGNO --all", "'SIGNO' is no signal");
	REFUSES("--signal=65 --all", "'65' is no signal");
	REFUSES("-e signal=TERM,,KILL --all", "'' is no signal");
}

static void test_output(void **state _unused_)
{
	GIVES("--all", !strcmp(c.output.format, "text") && c.output.column == 40 && c.output.decode.string_limit == 32 &&
	      !c.output.path && !c.output.to_stderr && c.output.stamp == STAMP_NONE);
	GIVES("-o f -A --all", !strcmp(c.output.path, "f") && c.output.append);
	GIVES("-o|cat_-n --all", !strcmp(c.output.path, "|cat -n"));
	GIVES("--output=!gzip --all", !strcmp(c.output.path, "!gzip"));
	REFUSES("-o --all", "no target");
	REFUSES("--output= --all", "empty");
	REFUSES("-A --all", "-A needs a file");
	GIVES("-- true", c.output.to_stderr);
	GIVES("-o f -- true", !c.output.to_stderr);
	GIVES("--format json --all", !strcmp(c.output.format, "json"));
	REFUSES("--format xml --all", "none of: text json");
	REFUSES("--format summary --all", "none of: text json");
	GIVES("-s 100 --all", c.output.decode.string_limit == 100);
	GIVES("-s0 --all", c.output.decode.string_limit == 0);
	GIVES("--string-limit=100000 --all", c.output.decode.string_limit == CT_CAP_MAX);
	REFUSES("-s x --all", "-s: 'x'");
	REFUSES("-s -1 --all", "-s: '-1'");
	GIVES("-v --all", c.output.decode.no_abbrev);
	GIVES("-a 0 --all", c.output.column == 0);
	REFUSES("-a 1001 --all", "from 0 to 1000");
	GIVES("-n --all", c.output.syscall_number);
	GIVES("-N --all", c.output.arg_names);
	GIVES("-Y --all", c.output.comm);
	GIVES("--decode-pids=comm --all", c.output.comm);
	GIVES("--decode-pids=pidns --all", c.output.decode.pid_ns && !c.output.decode.pid_comm && !c.output.comm);
	GIVES("--pidns-translation --all", c.output.decode.pid_ns);
	GIVES("-e decode-pids=all --all", c.output.decode.pid_ns && c.output.decode.pid_comm && c.output.comm);
	GIVES("-Y --decode-pids=!comm --all", c.output.decode.pid_ns && !c.output.comm);
	REFUSES("--decode-pids=pid --all", "none of: comm pidns all none");
	GIVES("--names --all", c.names && c.output.decode.names && c.session.decode.names);
	GIVES("--all", !c.output.decode.names);
	GIVES("--secontext --all", c.secontext && !c.secontext_full && c.output.decode.secontexts && c.session.decode.match_fds);
	GIVES("-e secontext=full --all", c.secontext && c.secontext_full);
	GIVES("--secontext=!full --all", c.secontext && !c.secontext_full);
	REFUSES("--secontext=full,mismatch --all", "no database of file contexts");
	REFUSES("--secontext=type --all", "none of: full all none");
	GIVES("-i --all", c.output.ip && c.session.ip);
	GIVES("-k --all", c.output.stack && c.session.stack && c.session.stack_limit == 256 && c.session.buffer == 64 << 20);
	GIVES("-k --buffer 1M --all", c.session.buffer == 1 << 20);
	GIVES("--stack-trace=symbol --stack-trace-frame-limit=3 --all", c.output.stack && c.session.stack_limit == 3);
	REFUSES("--stack-trace-frame-limit=257 --all", "from 0 to 256");
	REFUSES("-kk --all", "lines of source code");
	REFUSES("--stack-trace=source --all", "lines of source code");
	REFUSES("--decode-pids", "needs an argument");
	GIVES("--pids=host --all", c.output.pids == PIDS_HOST);
	GIVES("--pids both --all", c.output.pids == PIDS_BOTH);
	GIVES("--always-show-pid --all", c.output.always_pid);
	GIVES("--always-show-pod --all", c.output.always_pod);
	GIVES("--color --all", c.output.color == COLOR_ALWAYS);
	GIVES("--color=never --all", c.output.color == COLOR_NEVER);
	GIVES("--color=auto --all", c.output.color == COLOR_AUTO);
	REFUSES("--color=blue --all", "none of: auto always never");
}

static void test_constants(void **state _unused_)
{
	GIVES("--all", c.output.hex == HEX_NONE && c.output.decode.consts == CONST_ABBREV);
	GIVES("-x --all", c.output.hex == HEX_NON_ASCII);
	GIVES("-xx --all", c.output.hex == HEX_ALL);
	GIVES("-x -x --all", c.output.hex == HEX_ALL);
	GIVES("--strings-in-hex --all", c.output.hex == HEX_ALL);
	GIVES("--strings-in-hex=none --all", c.output.hex == HEX_NONE);
	GIVES("--strings-in-hex=non-ascii-chars --all", c.output.hex == HEX_NON_ASCII_CHARS);
	GIVES("--strings-in-hex=non-ascii --all", c.output.hex == HEX_NON_ASCII);
	GIVES("--strings-in-hex=all --all", c.output.hex == HEX_ALL);
	REFUSES("--strings-in-hex=ascii --all", "'ascii' is none of: none non-ascii-chars");
	GIVES("-X raw --all", c.output.decode.consts == CONST_RAW);
	GIVES("-Xverbose --all", c.output.decode.consts == CONST_VERBOSE);
	GIVES("--const-print-style=abbrev --all", c.output.decode.consts == CONST_ABBREV);
	GIVES("-X raw --format json --all", c.output.decode.consts == CONST_ABBREV);
	REFUSES("-X hex --all", "'hex' is none of: abbrev raw verbose");
	REFUSES("-X", "-X needs an argument");
}

static void test_display_sets(void **state _unused_)
{
	GIVES("--all", !c.output.decode.abbrev && !c.output.decode.verbose && !c.output.decode.raw);
	GIVES("-e abbrev=stat --all", c.output.decode.abbrev->rows[SYS_stat] && !c.output.decode.abbrev->rows[SYS_read]);
	GIVES("--abbrev=!stat --all", !c.output.decode.abbrev->rows[SYS_stat] && c.output.decode.abbrev->rows[SYS_read]);
	GIVES("-v --abbrev=none --all", c.output.decode.abbrev && !c.output.decode.abbrev->rows[SYS_read]);
	GIVES("--abbrev=all -v --all", !c.output.decode.abbrev && c.output.decode.no_abbrev);
	GIVES("-e v=none --all", c.output.decode.verbose && !c.output.decode.verbose->rows[SYS_stat]);
	GIVES("--verbose %file --all", c.output.decode.verbose->rows[SYS_open]);
	GIVES("-e x=read --all", c.output.decode.raw->rows[SYS_read] && !c.output.decode.raw->rows[SYS_write]);
	GIVES("--raw=read --raw=write --all", !c.output.decode.raw->rows[SYS_read] && c.output.decode.raw->rows[SYS_write]);
	GIVES("--raw=read --all", c.session.decode.raw == c.output.decode.raw);
	REFUSES("-e raw=no-such-call --all", "no such system call: 'no-such-call'");
	REFUSES("--abbrev= --all", "--abbrev: ");
	GIVES("-e read=3,5 --all", c.output.decode.dump_reads->n == 2 && !c.output.decode.dump_writes);
	GIVES("--write=!1 --all", c.output.decode.dump_writes->others && c.output.decode.dump_writes->n == 1);
	GIVES("-e w=all -e r=none --all", c.output.decode.dump_writes && c.output.decode.dump_reads);
	REFUSES("--read=x --all", "'x' is no file descriptor");
	REFUSES("-e write=1,,2 --all", "is no file descriptor");
}

static void test_strace_words(void **state _unused_)
{
	GIVES("-e quiet=exits,attach --all", c.output.quiet_exit && c.quiet);
	GIVES("-e quiet=superseded --all", c.output.quiet == 3 && !c.output.quiet_exit);
	GIVES("--quiet=!exits --all", !c.output.quiet_exit && c.quiet);
	GIVES("--quiet=none --all", !c.quiet && !c.output.quiet);
	REFUSES("--quiet=exits,attaching --all", "'attaching' is none of");
	REFUSES("--tips=none --all", "--tips: ctrace has no tips");
	REFUSES("-e kvm=vcpu --all", "-e kvm: ");
	REFUSES("-e namespace=new --all", "-e namespace: ");
}

static void test_separate(void **state _unused_)
{
	GIVES("-f -o f --all", !c.output.separate);
	GIVES("-ff -o f --all", c.output.separate);
	GIVES("--output-separately --all", c.output.separate);
	GIVES("-ff -A -o f --format json --all", c.output.separate && c.output.append);
	GIVES("-ff --split --all", c.output.split);
	REFUSES("-ff -c -o f --all", "-c and -C make one table");
	REFUSES("-C --output-separately --all", "-c and -C make one table");
	REFUSES("-ff -o |cat --all", "-ff writes files");
	REFUSES("-ff -o !cat --all", "-ff writes files");
	REFUSES("-ff --split -o f --all", "not with -ff");
}

static void test_columns(void **state _unused_)
{
	GIVES("-c --all", c.output.summary_columns[0] == SUMMARY_END);
	GIVES("-c -U calls,name --all", c.output.summary_columns[0] == SUMMARY_CALLS && c.output.summary_columns[1] == SUMMARY_NAME &&
	      c.output.summary_columns[2] == SUMMARY_END);
	GIVES("-C --summary-columns=longest,wall-avg --all", c.output.summary_columns[0] == SUMMARY_MAX &&
	      c.output.summary_columns[1] == SUMMARY_WALL_AVG && c.output.summary_columns[2] == SUMMARY_NAME);
	REFUSES("-c -U calls,bogus --all", "-U: 'bogus' is none of: time-percent");
	REFUSES("-c -U calls,count --all", "the column 'count' is named twice");
	REFUSES("-c -U calls, --all", "'' is none of");
	REFUSES("-U calls --all", "-U needs a table");
}

static void test_times(void **state _unused_)
{
	GIVES("-t --all", c.output.stamp == STAMP_TIME);
	GIVES("-tt --all", c.output.stamp == STAMP_TIME_US);
	GIVES("-ttt --all", c.output.stamp == STAMP_UNIX_US);
	GIVES("-t -t -t -t --all", c.output.stamp == STAMP_UNIX_US);
	GIVES("--absolute-timestamps --all", c.output.stamp == STAMP_TIME);
	GIVES("--absolute-timestamps=unix,ns --all", c.output.stamp == STAMP_UNIX_NS);
	GIVES("--timestamps=us --all", c.output.stamp == STAMP_TIME_US);
	GIVES("--absolute-timestamps=ms --all", c.output.stamp == STAMP_TIME_MS);
	GIVES("--absolute-timestamps=format:unix,precision:s --all", c.output.stamp == STAMP_UNIX);
	GIVES("--absolute-timestamps=none --all", c.output.stamp == STAMP_NONE);
	REFUSES("--absolute-timestamps=week --all", "'week' is not a format");
	REFUSES("--absolute-timestamps= --all", "is not a format");
	GIVES("-r --all", c.output.relative && c.output.relative_digits == 6);
	GIVES("--relative-timestamps=ns --all", c.output.relative && c.output.relative_digits == 9);
	GIVES("-T --all", c.output.duration && c.output.duration_digits == 6);
	GIVES("--syscall-times=s --all", c.output.duration && c.output.duration_digits == 0);
	REFUSES("--syscall-times=min --all", "none of: s ms us ns");
}

static void test_quiet(void **state _unused_)
{
	GIVES("--all", !c.quiet && !c.output.quiet && !c.output.quiet_exit && !c.session.quiet);
	GIVES("-q --all", c.quiet && c.output.quiet == 1 && !c.output.quiet_exit && c.session.quiet);
	GIVES("-qq --all", c.quiet && c.output.quiet == 2 && c.output.quiet_exit);
	GIVES("-qqq --all", c.output.quiet == 3 && c.output.quiet_exit);
	GIVES("-e quiet=exit --all", !c.quiet && c.output.quiet_exit);
	GIVES("--quiet=attach,exit --all", c.quiet && c.output.quiet_exit);
	GIVES("-e q=none --all", !c.quiet);
	GIVES("--quiet --all", c.quiet && c.output.quiet == 1);
	REFUSES("--quiet=loud --all", "'loud' is none of: attach exit");
}

static void test_summary(void **state _unused_)
{
	GIVES("-c --all", !strcmp(c.output.format, "summary") && c.output.summary_only && c.session.counts_only && c.session.counts);
	GIVES("-c --format=json --all", !strcmp(c.output.format, "json") && c.output.summary_only && c.session.counts_only);
	GIVES("-C --all", !strcmp(c.output.format, "text") && c.output.and_summary && !c.session.counts_only && c.session.counts);
	GIVES("-c -w -S calls --all", !strcmp(c.output.summary_sort, "calls"));
	GIVES("-cS name --all", !strcmp(c.output.summary_sort, "name"));
	REFUSES("-S size --all", "none of: time");
	REFUSES("-c -C --all", "exclude each other");
}

/* Each word that --help offers as a sort key must be one for the sink. */
static void test_sort_words(void **state _unused_)
{
	const struct option_row *row = option_by_letter('S');
	char words[128], option[64];

	snprintf(words, sizeof(words), "%s", row->words);
	for (char *save, *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		snprintf(option, sizeof(option), "-c -S %s --all", w);
		GIVES(option, c.output.summary_only);
	}
}

static void test_split(void **state _unused_)
{
	GIVES("--all", !c.output.split && !c.session.split);
	GIVES("--split --all", c.output.split && c.session.split);
	GIVES("--split -C --format text -e status=all --all", c.output.split && c.session.split);
	REFUSES("--narrow --all", "-e trace= with at most 16");
	REFUSES("--lossless -p 1", "not with -p, --tid, --all or a COMMAND");
	REFUSES("--lossless --container web --tid 1", "not with -p");
	REFUSES("--lossless --all", "not with -p");
	REFUSES("--lossless --container web -- true", "or a COMMAND");
	REFUSES("--lossless -c --container web", "-c counts in the kernel");
	REFUSES("--split -z --all", "--status judge it when it has ended");
	REFUSES("-Z --split --all", "--status judge it");
	REFUSES("--split -e status=!failed --all", "--status judge it");
	REFUSES("--split --slower 1ms --all", "--slower judges it");
	REFUSES("--split --format json --all", "--format json writes it");
	REFUSES("--split -c --all", "-c counts it");
	REFUSES("--split -c --format json --all", "-c counts it");
}

static void test_command(void **state _unused_)
{
	GIVES("-u nobody -- id", !strcmp(c.user, "nobody"));
	GIVES("-E A=1 -E B -- env", !strcmp(c.env_changes[0], "A=1") && !strcmp(c.env_changes[1], "B") && !c.env_changes[2]);
	GIVES("--argv0 x -- sh", !strcmp(c.argv0, "x"));
	GIVES("--until-exit -- sh", c.session.until_exit);
	REFUSES("-u nobody --all", "-u needs a COMMAND");
	REFUSES("-E A=1 --all", "-E needs a COMMAND");
	REFUSES("--argv0 x --all", "--argv0 needs a COMMAND");
	REFUSES("--until-exit --all", "--until-exit needs a COMMAND");
	REFUSES("--wait -p 1 --container pid:1", "--wait needs a container or a cgroup");
	REFUSES("--follow-restarts --all", "--follow-restarts needs a container or a cgroup");
	REFUSES("--wait -- true", "--wait needs a container or a cgroup");
	REFUSES("-E =1 -- env", "VAR=VALUE");
}

static void test_run(void **state _unused_)
{
	int fd = open("/dev/null", O_WRONLY), read_only = open("/dev/null", O_RDONLY);
	char words[64];

	GIVES("--all", c.session.buffer == 8u << 20 && c.session.ready_fd == -1 && !c.session.for_ns && !c.strict);
	GIVES("--for 1.5s --all", c.session.for_ns == 1500000000);
	GIVES("--for 5 --all", c.session.for_ns == 5000000000);
	REFUSES("--for soon --all", "not a duration");
	GIVES("--syscall-limit 10 --all", c.session.syscall_limit == 10);
	REFUSES("--syscall-limit 0 --all", "not a number of calls");
	GIVES("--narrow -e openat --all", c.session.narrow && c.traces);
	GIVES("--lossless --container web --cgroup /a --pod b", c.session.lossless);
	GIVES("--buffer 64K --all", c.session.buffer == 65536);
	GIVES("--buffer=5M --all", c.session.buffer == 8u << 20);
	GIVES("--buffer=1 --all", c.session.buffer == 65536);
	GIVES("--buffer 1G --all", c.session.buffer == 1u << 30);
	REFUSES("--buffer 2G --all", "not a size");
	REFUSES("--buffer 1X --all", "not a size");
	GIVES("--status-file f --strict --all", !strcmp(c.status_file, "f") && c.strict);
	snprintf(words, sizeof(words), "--ready-fd %d --all", fd);
	GIVES(words, c.session.ready_fd == fd);
	snprintf(words, sizeof(words), "--ready-fd %d --all", read_only);
	REFUSES(words, "not open for writing");
	close(fd);
	close(read_only);
	REFUSES("--ready-fd 987 --all", "987 is not open");
	REFUSES("--ready-fd x --all", "not a file descriptor");
}

static void test_verbs(void **state _unused_)
{
	GIVES("-h", c.verb == VERB_HELP);
	GIVES("--help", c.verb == VERB_HELP);
	GIVES("help", c.verb == VERB_HELP);
	GIVES("-V", c.verb == VERB_VERSION);
	GIVES("--version", c.verb == VERB_VERSION);
	GIVES("-t --version", c.verb == VERB_VERSION);
	REFUSES("-t help", "'help' is no option");
	GIVES("ps", c.verb == VERB_PS && !c.ps_pid);
	GIVES("ps --pid 7 --format json --proc /p --cgroupfs /c -q", c.verb == VERB_PS && c.ps_pid == 7 && !strcmp(c.proc, "/p"));
	GIVES("ps --help", c.verb == VERB_HELP);
	REFUSES("ps --pid 0", "not a pid");
	REFUSES("ps --pid", "needs an argument");
	REFUSES("ps web", "ctrace ps takes no 'web'");
	REFUSES("ps -t", "ctrace ps takes no -t");
	REFUSES("ps --all", "ctrace ps takes no --all");
	REFUSES("ps -- true", "ctrace ps takes no COMMAND");
	REFUSES("--all ps", "'ps' is no option");
	REFUSES("--pid 7", "-p traces a process");
	GIVES("check", c.verb == VERB_CHECK && !c.print_pod_spec);
	GIVES("idle", c.verb == VERB_IDLE);
	GIVES("check --print-pod-spec --proc /p", c.verb == VERB_CHECK && c.print_pod_spec);
	REFUSES("check --format json", "ctrace check takes no --format");
	REFUSES("check --pid 7", "ctrace check takes no --pid");
	REFUSES("check x", "ctrace check takes no 'x'");
	REFUSES("ps --print-pod-spec", "ctrace ps takes no --print-pod-spec");
	REFUSES("--print-pod-spec --all", "is of 'ctrace check --print-pod-spec'");
}

static void test_forms(void **state _unused_)
{
	GIVES("-ttfqs5 --all", c.output.stamp == STAMP_TIME_US && c.quiet && c.output.decode.string_limit == 5);
	GIVES("-p1 -Ttos", c.output.duration && !strcmp(c.output.path, "s"));
	GIVES("--string-l=5 --all", c.output.decode.string_limit == 5);
	REFUSES("--string=5 --all", "--string could be several options");
	GIVES("--colu=30 --columns=31 --all", c.output.column == 31);
	REFUSES("--s=5 --all", "--s could be several options");
	REFUSES("--containr web", "unknown option --containr; did you mean --container?");
	REFUSES("--quite --all", "did you mean --quiet?");
	REFUSES("--frobnicate --all", "unknown option --frobnicate; 'ctrace --help'");
	REFUSES("-j --all", "unknown option -j");
	REFUSES("-fj --all", "unknown option -j");
	REFUSES("--= --all", "unknown option");
	REFUSES("-s", "-s needs an argument: N");
	REFUSES("--comm", "--comm needs an argument: NAME");
}

static void test_refused(void **state _unused_)
{
	REFUSES("-b execve --all", "-b: ctrace holds no target");
	REFUSES("-D -- ls", "-D: ");
	REFUSES("-I 1 -- ls", "-I: ");
	REFUSES("-O 1 -- ls", "-O: ");
	REFUSES("--kill-on-exit -- ls", "--kill-on-exit: the target runs on");
	REFUSES("--seccomp-bpf -- ls", "--seccomp-bpf: ");
	REFUSES("-e inject=open:error=ENOENT -- ls", "-e inject: ctrace watches calls");
	REFUSES("-e fault=open -- ls", "-e fault: ");
	REFUSES("--inject=open -- ls", "--inject: ");
	REFUSES("--detach-on=execve -- ls", "--detach-on: ");
	REFUSES("-td -- ls", "-d: ");
	REFUSES("-F --all", "-F: ");
}

/* Every row of the table, by its letter and by its name. */
static void test_refused_rows(void **state _unused_)
{
	static const struct { char letter; const char *name, *why; } rows[] = {
#define REFUSED(letter, name, why) { letter, name, why },
#include "cli/refused.def"
#undef REFUSED
	};
	char words[64], part[256];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].letter) {
			snprintf(words, sizeof(words), "-%c --all", rows[i].letter);
			snprintf(part, sizeof(part), "-%c: %s", rows[i].letter, rows[i].why);
			REFUSES(words, part);
		}
		snprintf(words, sizeof(words), "--%s --all", rows[i].name);
		snprintf(part, sizeof(part), "--%s: %s", rows[i].name, rows[i].why);
		REFUSES(words, part);
	}
}

/* Rules that hold for every row: found by its names, an argument where one is needed and nowhere else. */
static void test_files(void **state _unused_)
{
	GIVES("--all", !c.output.decode.fds && !c.session.decode.match_fds && !touch_asks(&c.session.touch));
	GIVES("-y --all", c.output.decode.fds == FDS_PATH && c.session.decode.fds == FDS_PATH && !c.output.decode.memory);
	GIVES("-yy --all", c.output.decode.fds == FDS_ALL && c.output.decode.memory);
	GIVES("--decode-fds --all", c.output.decode.fds == FDS_PATH);
	GIVES("--decode-fds=path,pidfd --all", c.output.decode.fds == (FDS_PATH | FDS_PIDFD));
	GIVES("-e decode-fds=socket --all", c.output.decode.fds == FDS_SOCKET && c.output.decode.memory);
	GIVES("-e decode-fd=!socket,dev --all", c.output.decode.fds == (FDS_PATH | FDS_EVENTFD | FDS_PIDFD | FDS_SIGNALFD));
	GIVES("--decode-fds=none --all", !c.output.decode.fds);
	REFUSES("--decode-fds=path,file --all", "'file' is none of");
	REFUSES("-y --decode-fds=path --all", "-y and --decode-fds exclude each other");
	GIVES("-P /etc/passwd --trace-path=x --all", c.session.touch.n_paths == 2 && !strcmp(c.session.touch.paths[0], "/etc/passwd") &&
		!strcmp(c.session.touch.paths[1], "x") && c.session.decode.match_fds && !c.output.decode.fds && !c.quiet_paths);
	GIVES("-P x -e quiet=path-resolution --all", c.quiet_paths && !c.quiet);
	GIVES("-P x -qq --all", !c.quiet_paths);
	GIVES("-P x -qqq --all", c.quiet_paths);
	GIVES("--trace-fds=1,7 --all", fd_set_has(&c.session.touch.fds, 7) && !fd_set_has(&c.session.touch.fds, 2) && c.session.decode.match_fds);
	GIVES("-e fd=!2 --all", fd_set_has(&c.session.touch.fds, 7) && !fd_set_has(&c.session.touch.fds, 2));
	GIVES("-e trace-fds=all --all", fd_set_has(&c.session.touch.fds, 0));
	REFUSES("--trace-fds=1,-2 --all", "'-2' is no file descriptor");
	REFUSES("-c -P x --all", "-C counts as well");
	GIVES("-C -P x --all", c.session.touch.n_paths == 1);
	REFUSES("-P", "needs an argument");
}

static void test_rows(void **state _unused_)
{
	char words[128];

	for (size_t i = 0; i < n_option_rows; i++) {
		const struct option_row *row = &option_rows[i];
		const char *verb = row->group == GROUP_PS ? "ps " : row->group == GROUP_CHECK ? "check " : "";
		bool ambiguous;

		assert_true(row->letter || row->name);
		assert_true((row->mode == ARG_NONE) == !row->arg);
		assert_non_null(row->help);
		if (row->letter)
			assert_ptr_equal(option_by_letter(row->letter), row);
		assert_null(refused_by_letter(row->letter));
		if (!row->name)
			continue;
		assert_ptr_equal(option_by_name(row->name, strlen(row->name), &ambiguous), row);
		assert_null(refused_by_name(row->name, strlen(row->name)));
		if (row->mode == ARG_NONE) {
			snprintf(words, sizeof(words), "%s--%s=x", verb, row->name);
			REFUSES(words, "takes no argument");
		} else if (row->mode == ARG_NEEDED || row->mode == ARG_LONG) {
			snprintf(words, sizeof(words), "%s--%s", verb, row->name);
			REFUSES(words, "needs an argument");
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_targets), cmocka_unit_test(test_too_many_targets), cmocka_unit_test(test_filters),
		cmocka_unit_test(test_signals), cmocka_unit_test(test_output), cmocka_unit_test(test_constants), cmocka_unit_test(test_columns), cmocka_unit_test(test_strace_words), cmocka_unit_test(test_separate), cmocka_unit_test(test_display_sets), cmocka_unit_test(test_times),
		cmocka_unit_test(test_quiet), cmocka_unit_test(test_summary), cmocka_unit_test(test_sort_words),
		cmocka_unit_test(test_split), cmocka_unit_test(test_command), cmocka_unit_test(test_run), cmocka_unit_test(test_verbs),
		cmocka_unit_test(test_forms), cmocka_unit_test(test_refused), cmocka_unit_test(test_refused_rows), cmocka_unit_test(test_files), cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
