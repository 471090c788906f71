/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_cli */
/* What the machine lacks, COMMAND's life before and after its exec, the status file, targets in words. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "cli/announce.h"
#include "cli/command.h"
#include "cli/message.h"
#include "cli/preflight.h"
#include "cli/status_file.h"
#include "util/macros.h"

#define ALL_CAPS ((1ull << 41) - 1)
#define CAPS(...) without((const unsigned[]){ __VA_ARGS__ }, sizeof((const unsigned[]){ __VA_ARGS__ }) / sizeof(unsigned))

enum { PTRACE = CAP_SYS_PTRACE, READ = CAP_DAC_READ_SEARCH, OVERRIDE = CAP_DAC_OVERRIDE, ADMIN = CAP_SYS_ADMIN, PERFMON = 38, BPF = 39, RESTORE = 40 };

static const struct machine good = {
	.kernel_major = 6, .kernel_minor = 1, .has_btf = true, .has_sysfs = true, .has_procfs = true, .is_root = true, .caps = ALL_CAPS,
};
static const struct wants containers = { .containers = true, .others = true }, command = { 0 }, process = { .others = true },
			  stacks = { .stacks = true, .processes = true, .others = true }, names = { .processes = true }, as_user = { .user = true };

static void lacks_for(const struct wants *w, struct machine m, int error, const char *words)
{
	char err[512] = "";

	assert_int_equal(machine_judge(&m, w, err, sizeof(err)), error);
	if (!strstr(err, words))
		fail_msg("'%s' does not say '%s'", err, words);
	assert_null(strchr(err, '\n'));
}

static void lacks(struct machine m, int error, const char *words)
{
	lacks_for(&containers, m, error, words);
}

/* All but these. */
static uint64_t without(const unsigned *caps, size_t n)
{
	uint64_t bits = ALL_CAPS;

	for (size_t i = 0; i < n; i++)
		bits &= ~(1ull << caps[i]);
	return bits;
}

#define WITHOUT(...)                            \
	({                                      \
		struct machine m_ = good;       \
		__VA_ARGS__;                    \
		m_;                             \
	})

static void test_machine(void **state _unused_)
{
	lacks(good, 0, "");
	lacks(WITHOUT(m_.kernel_major = 5, m_.kernel_minor = 15), 0, "");
	lacks(WITHOUT(m_.kernel_major = 5, m_.kernel_minor = 14), -ENOTSUP, "Linux 5.14 is too old");
	lacks(WITHOUT(m_.kernel_major = 4, m_.kernel_minor = 19), -ENOTSUP, "5.15 or newer");
	lacks(WITHOUT(m_.has_btf = false), -ENOTSUP, "CONFIG_DEBUG_INFO_BTF=y");
	lacks(WITHOUT(m_.has_btf = false, m_.has_sysfs = false), -ENOTSUP, "mount -t sysfs");
	lacks(WITHOUT(m_.has_procfs = false), -ENOTSUP, "mount -t proc");
	lacks(WITHOUT(m_.confidential = true), -EPERM, "lockdown=integrity");
	lacks(WITHOUT(m_.bpf_error = EPERM), -EPERM, "in spite of CAP_BPF (Operation not permitted), by a seccomp profile");
	lacks(WITHOUT(m_.in_user_namespace = true), -EPERM, "user namespace");
}

static void test_capabilities(void **state _unused_)
{
	const char *missing = "missing CAP_BPF, CAP_PERFMON: run ctrace as root";

	lacks(WITHOUT(m_.caps = CAPS(BPF, PERFMON, ADMIN), m_.is_root = false), -EPERM, missing);
	lacks_for(&command, WITHOUT(m_.caps = CAPS(BPF, PERFMON, ADMIN), m_.is_root = false), -EPERM, missing);
	/* CAP_SYS_ADMIN is what they were split off. */
	lacks(WITHOUT(m_.caps = CAPS(BPF, PERFMON, RESTORE)), 0, "");
	lacks(WITHOUT(m_.caps = CAPS(PTRACE)), -EPERM, "missing CAP_SYS_PTRACE: give it to the container");
	lacks_for(&stacks, WITHOUT(m_.caps = CAPS(PTRACE)), -EPERM, "missing CAP_SYS_PTRACE: ");
	lacks_for(&names, WITHOUT(m_.caps = CAPS(PTRACE)), -EPERM, "missing CAP_SYS_PTRACE: ");
	lacks_for(&process, WITHOUT(m_.caps = CAPS(PTRACE)), 0, "");
	lacks_for(&command, WITHOUT(m_.caps = CAPS(PTRACE)), 0, "");
	lacks(WITHOUT(m_.caps = CAPS(READ, OVERRIDE)), 0, "");
	lacks(WITHOUT(m_.caps = CAPS(READ), m_.is_root = false), 0, "");
	lacks(WITHOUT(m_.caps = CAPS(READ, OVERRIDE), m_.is_root = false), -EPERM, "missing CAP_DAC_READ_SEARCH: run ctrace as root");
	lacks_for(&stacks, WITHOUT(m_.caps = CAPS(READ, OVERRIDE), m_.is_root = false), -EPERM, "missing CAP_DAC_READ_SEARCH: ");
	lacks_for(&process, WITHOUT(m_.caps = CAPS(READ, OVERRIDE), m_.is_root = false), 0, "");
	lacks_for(&as_user, WITHOUT(m_.caps = CAPS(CAP_SETUID, CAP_SETGID)), -EPERM, "missing CAP_SETUID, CAP_SETGID: ");
	lacks_for(&command, WITHOUT(m_.caps = CAPS(CAP_SETUID, CAP_SETGID)), 0, "");
}

/* What a run that goes on says of what it lacks, if words is not NULL. */
static void less(const struct wants *w, uint64_t caps, const char *words)
{
	struct machine m = WITHOUT(m_.caps = caps);
	char line[512];
	int said = 0;

	assert_int_equal(machine_judge(&m, w, line, sizeof(line)), 0);
	for (size_t i = 0; i < NEEDS; i++) {
		if (!machine_less(&m, w, i, line, sizeof(line)))
			continue;
		said++;
		if (!words || !strstr(line, words))
			fail_msg("'%s'", line);
	}
	assert_int_equal(said, !!words);
}

static void test_less(void **state _unused_)
{
	less(&process, ALL_CAPS, NULL);
	less(&process, CAPS(PTRACE), "without CAP_SYS_PTRACE pids of tasks");
	less(&command, CAPS(PTRACE), NULL);
	less(&stacks, CAPS(RESTORE), NULL);
	less(&stacks, CAPS(RESTORE, ADMIN), "without CAP_CHECKPOINT_RESTORE -k shows addresses");
	less(&process, CAPS(RESTORE, ADMIN), NULL);
}

static void test_machine_look(void **state _unused_)
{
	struct machine m;

	memset(&m, 0xff, sizeof(m));
	machine_look(&m);
	assert_true(m.kernel_major >= 4 && m.kernel_major < 100);
	assert_true(m.has_procfs);
	assert_int_equal(m.is_root, geteuid() == 0);
	/* No kernel has all 64. */
	assert_true(m.caps >> 60 == 0);
}

/* Starts a command, releases it, and returns its wait status. */
static int run_command(struct config *c, char **argv, int *ret_exec_error)
{
	struct command cmd = COMMAND_NONE;
	char err[256] = "";
	int status;

	c->command = argv;
	if (command_start(c, &cmd, err, sizeof(err)))
		fail_msg("%s", err);
	/* It waits. */
	assert_int_equal(waitpid(cmd.pid, &status, WNOHANG), 0);
	assert_int_equal(write(cmd.release_fd, "x", 1), 1);
	assert_int_equal(waitpid(cmd.pid, &status, 0), cmd.pid);
	*ret_exec_error = command_exec_error(&cmd);
	command_done(&cmd);
	return status;
}

#define ARGV(...) ((char *[]){ __VA_ARGS__, NULL })
#define SHELL(script) ARGV((char *)"sh", (char *)"-c", (char *)(script))

static void test_command_status(void **state _unused_)
{
	struct config c = { 0 };
	int error, status;

	status = run_command(&c, SHELL("exit 7"), &error);
	assert_int_equal(error, 0);
	assert_int_equal(command_exit_status(status), 7);
	status = run_command(&c, SHELL("kill -9 $$"), &error);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* ctrace dies of the signal that COMMAND died of. */
static void test_command_same_signal(void **state _unused_)
{
	struct config c = { 0 };
	int error, status = run_command(&c, SHELL("kill -TERM $$"), &error);
	pid_t pid = fork();

	if (!pid)
		_exit(command_exit_status(status));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

static void refuses_command(const char *name, const char *user, int expected, const char *words)
{
	struct config c = { .command = ARGV((char *)name), .user = user };
	struct command cmd = COMMAND_NONE;
	char err[256] = "";

	assert_int_equal(command_start(&c, &cmd, err, sizeof(err)), expected);
	if (!strstr(err, words))
		fail_msg("'%s' does not say '%s'", err, words);
	assert_int_equal(cmd.pid, 0);
}

static void test_command_not_there(void **state _unused_)
{
	refuses_command("/etc/passwd", NULL, 126, "/etc/passwd: Permission denied");
	refuses_command("/etc", NULL, 126, "/etc: Is a directory");
	refuses_command("/no/such/file", NULL, 127, "/no/such/file: No such file or directory");
	refuses_command("/etc/passwd/x", NULL, 127, "Not a directory");
	refuses_command("no-such-command-anywhere", NULL, 127, "no-such-command-anywhere: command not found");
	refuses_command("", NULL, 127, "command not found");
	refuses_command("true", "no-such-user-here", 125, "no user 'no-such-user-here'");
	refuses_command("true", "1:x", 125, "no user '1:x'");
}

/* The exec itself fails: a file that is marked executable and is no program. */
static void test_command_bad_program(void **state _unused_)
{
	char path[] = "/tmp/ctrace-unit-XXXXXX";
	struct config c = { 0 };
	int error, fd = mkstemp(path), status;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "\x01\x02", 2), 2);
	assert_int_equal(fchmod(fd, 0755), 0);
	close(fd);
	status = run_command(&c, ARGV(path), &error);
	unlink(path);
	assert_int_equal(error, ENOEXEC);
	assert_int_equal(command_exit_status(status), 126);
}

static void test_command_environment(void **state _unused_)
{
	struct config c = {
		.env_changes = ARGV((char *)"CTRACE_UNIT_A=1 2", (char *)"CTRACE_UNIT_B"), .argv0 = "other",
	};
	int error;

	setenv("CTRACE_UNIT_B", "2", 1);
	assert_int_equal(command_exit_status(run_command(&c, SHELL("[ \"$CTRACE_UNIT_A\" = '1 2' ] && [ -z \"${CTRACE_UNIT_B+x}\" ]"), &error)), 0);
	assert_int_equal(command_exit_status(run_command(&c, SHELL("[ \"$0\" = other ]"), &error)), 0);
	unsetenv("CTRACE_UNIT_B");
}

/* Nothing blocked, SIGPIPE not ignored: as the caller had it, not as ctrace has it for itself. */
static void test_command_signals(void **state _unused_)
{
	struct config c = { 0 };
	int error;

	assert_int_equal(command_exit_status(run_command(&c, ARGV((char *)"grep", (char *)"-q", (char *)"SigBlk:.0000000000000000",
								  (char *)"/proc/self/status"), &error)), 0);
	assert_int_equal(command_exit_status(run_command(&c, ARGV((char *)"grep", (char *)"-qE", (char *)"SigIgn:.{13}[02468ace].{3}$",
								  (char *)"/proc/self/status"), &error)), 0);
}

static void test_command_user(void **state _unused_)
{
	struct config c = { .user = "12345:54321" };
	int error;

	if (geteuid())
		skip();
	assert_int_equal(command_exit_status(run_command(&c, SHELL("[ $(id -u):$(id -g):$(id -G) = 12345:54321:54321 ]"), &error)), 0);
}

static void test_command_cancel(void **state _unused_)
{
	char *argv[] = { (char *)"touch", (char *)"/tmp/ctrace-unit-never", NULL }, err[256];
	struct config c = { .command = argv };
	struct command cmd = COMMAND_NONE;
	pid_t pid;

	unlink(argv[1]);
	assert_int_equal(command_start(&c, &cmd, err, sizeof(err)), 0);
	pid = cmd.pid;
	command_cancel(&cmd);
	assert_int_equal(cmd.pid, 0);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	assert_int_not_equal(access(argv[1], F_OK), 0);
}

static void test_status_file(void **state _unused_)
{
	char dir[] = "/tmp/ctrace-unit-XXXXXX", path[64], link[64], text[64] = "";
	struct stat st;
	int fds[2], fd;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/status", dir);
	assert_int_equal(status_file_write(path, "{\"old\":1}"), 0);
	assert_int_equal(status_file_write(path, "{}"), 0);
	fd = open(path, O_RDONLY);
	assert_int_equal(read(fd, text, sizeof(text)), 3);
	assert_string_equal(text, "{}\n");
	close(fd);
	/* A link stays a link, though it leads to a plain file. */
	snprintf(link, sizeof(link), "%s/link", dir);
	assert_int_equal(symlink(path, link), 0);
	status_file_clear(link);
	assert_int_equal(status_file_write(link, "[]"), 0);
	assert_true(!lstat(link, &st) && S_ISLNK(st.st_mode));
	assert_true(!stat(path, &st) && st.st_size == 6);
	unlink(link);
	status_file_clear(path);
	assert_int_not_equal(access(path, F_OK), 0);
	status_file_clear(dir);
	assert_int_equal(rmdir(dir), 0);
	assert_int_equal(status_file_write(path, "{}"), -ENOENT);
	/* A pipe stays a pipe. */
	assert_int_equal(pipe(fds), 0);
	snprintf(path, sizeof(path), "/dev/fd/%d", fds[1]);
	assert_int_equal(status_file_write(path, "x"), 0);
	assert_int_equal(read(fds[0], text, sizeof(text)), 2);
	assert_int_equal(status_file_write("/dev/full", "x"), -ENOSPC);
}

#define RANDOM_ID "9c6eb891676c0123456789abcdef0123456789abcdef0123456789abcdef0123"

static void test_words(void **state _unused_)
{
	struct container_info web = { .id = (char *)RANDOM_ID, .name = (char *)"web", .runtime = (char *)"docker" };
	struct container_info bare = { .id = (char *)RANDOM_ID };
	struct container_info given = { .id = (char *)"billing-worker-7", .name = (char *)"worker", .runtime = (char *)"containerd" };
	struct target_env env = { .pidns_inum = 1 };
	struct target t = { .kind = TARGET_CONTAINER, .label = (char *)"web", .container = &web, .init_pid = 6229, .pidns_inum = 2, .n_tasks = 3 };
	char text[256];

	target_describe(&t, &env, text, sizeof(text));
	assert_string_equal(text, "docker container web (9c6eb891676c): 3 tasks; its pid 1 is 6229 on the host");
	t.pidns_inum = 1;
	t.n_tasks = 1;
	target_describe(&t, &env, text, sizeof(text));
	assert_string_equal(text, "docker container web (9c6eb891676c): 1 task; its first process is 6229");
	t.container = &bare;
	t.label = (char *)"9c6eb891676c";
	t.init_pid = 0;
	target_describe(&t, &env, text, sizeof(text));
	assert_string_equal(text, "container 9c6eb891676c: 1 task");
	/* An ID that somebody gave it is told whole. */
	t.container = &given;
	t.label = (char *)"worker";
	target_describe(&t, &env, text, sizeof(text));
	assert_string_equal(text, "containerd container worker (billing-worker-7): 1 task");
	target_describe(&t, &env, text, 8);
	assert_string_equal(text, "contain");
}

/* Whatever a name holds, one line of printable ASCII comes out. */
static void test_message(void **state _unused_)
{
	char text[256] = "";
	int fds[2], saved = dup(STDERR_FILENO);

	assert_int_equal(pipe(fds), 0);
	dup2(fds[1], STDERR_FILENO);
	say("%s", "a\x1b[31mb\nc\x7f\xc3\xa4\\");
	dup2(saved, STDERR_FILENO);
	close(saved);
	assert_true(read(fds[0], text, sizeof(text) - 1) > 0);
	assert_string_equal(text, "ctrace: a\\033[31mb\\012c\\177\\303\\244\\\n");
}

static void test_time_zone(void **state _unused_)
{
	char name[96];

	setenv("TZ", "Europe/Berlin", 1);
	time_zone_name(name, sizeof(name));
	assert_string_equal(name, "Europe/Berlin");
	setenv("TZ", ":no-such-zone", 1);
	time_zone_name(name, sizeof(name));
	assert_true(name[0] && name[0] != ':');
	unsetenv("TZ");
	time_zone_name(name, sizeof(name));
	assert_true(name[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machine),
		cmocka_unit_test(test_capabilities),
		cmocka_unit_test(test_less), cmocka_unit_test(test_machine_look), cmocka_unit_test(test_command_status),
		cmocka_unit_test(test_command_same_signal), cmocka_unit_test(test_command_not_there),
		cmocka_unit_test(test_command_bad_program), cmocka_unit_test(test_command_environment),
		cmocka_unit_test(test_command_signals), cmocka_unit_test(test_command_cancel), cmocka_unit_test(test_command_user),
		cmocka_unit_test(test_status_file), cmocka_unit_test(test_words), cmocka_unit_test(test_message),
		cmocka_unit_test(test_time_zone),
	};

	/* Once, as ctrace does: it remembers the caller's mask. */
	if (command_signals_save() < 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
