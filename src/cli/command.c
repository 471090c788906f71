/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "cli/user.h"
#include "util/macros.h"

static sigset_t caller_mask;
static struct sigaction caller_sigpipe;

int command_signals_save(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	if (sigaction(SIGPIPE, &ignore, &caller_sigpipe) < 0 || sigprocmask(SIG_BLOCK, &mask, &caller_mask) < 0)
		return -errno;
	return 0;
}

static int path_error(int error)
{
	return error == ENOENT || error == ENOTDIR ? EXIT_NOT_FOUND : EXIT_CANNOT_EXECUTE;
}

static bool is_executable(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return false;
	if (S_ISREG(st.st_mode) && !access(path, X_OK))
		return true;
	errno = S_ISDIR(st.st_mode) ? EISDIR : EACCES;
	return false;
}

/*
 * The file that execvp(3) would take, looked up here and not in the child, so
 * that the child makes one call only. 0 or an exit status; errno says why.
 */
static int find_file(const char *name, char **ret_path)
{
	const char *dirs = getenv("PATH");
	int error = ENOENT;

	if (strchr(name, '/') || !*name) {
		if (!is_executable(name))
			return path_error(errno);
		*ret_path = strdup(name);
		return *ret_path ? 0 : EXIT_OWN_FAILURE;
	}
	for (const char *d = dirs ? dirs : "/usr/local/bin:/bin:/usr/bin";; d++) {
		int len = (int)strcspn(d, ":");
		_cleanup_free_ char *path = NULL;

		if (asprintf(&path, "%.*s%s%s", len, d, len ? "/" : "", name) < 0) {
			path = NULL;
			return EXIT_OWN_FAILURE;
		}
		if (is_executable(path)) {
			*ret_path = TAKE_PTR(path);
			return 0;
		}
		/* A file that may not be executed is worth telling, as in the shells. */
		if (errno == EACCES)
			error = EACCES;
		d += len;
		if (!*d)
			break;
	}
	errno = error;
	return path_error(error);
}

static int become(const struct user *u)
{
	if (setgroups(u->n_groups, u->groups) || setresgid(u->gid, u->gid, u->gid) || setresuid(u->uid, u->uid, u->uid))
		return -errno;
	return 0;
}

static int change_environment(char *const *changes)
{
	for (; changes && *changes; changes++) {
		/* putenv() without '=' removes the variable: just what -E VAR means. */
		if (putenv(*changes))
			return -errno;
	}
	return 0;
}

static void tell(int error_fd, int error)
{
	(void)!write(error_fd, &error, sizeof(error));
}

/* Everything but the exec is done before the wait, so that the exec is the first call after it. */
static _Noreturn void run_child(const struct config *c, const char *path, const struct user *user, int hold_fd, int error_fd)
{
	char byte;
	int r = user ? become(user) : 0;

	if (!r)
		r = change_environment(c->env_changes);
	if (c->argv0)
		c->command[0] = (char *)c->argv0;
	sigaction(SIGPIPE, &caller_sigpipe, NULL);
	sigprocmask(SIG_SETMASK, &caller_mask, NULL);
	tell(error_fd, -r);
	/* End of file: ctrace is gone or gave up. */
	if (r < 0 || read(hold_fd, &byte, 1) != 1)
		_exit(EXIT_OWN_FAILURE);
	execve(path, c->command, environ);
	r = errno;
	tell(error_fd, r);
	_exit(path_error(r));
}

/* Waits until the child is ready to execute; 0 or a negative errno. */
static int wait_prepared(int error_fd)
{
	int error = EIO;
	ssize_t n;

	do
		n = read(error_fd, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	if (n != sizeof(error))
		return -EIO;
	if (!error && fcntl(error_fd, F_SETFL, O_NONBLOCK) < 0)
		return -errno;
	return -error;
}

/* On a failure errno says why. */
static int start_child(const struct config *c, const char *path, const struct user *user, struct command *ret)
{
	_cleanup_(command_cancel) struct command cmd = COMMAND_NONE;
	_cleanup_close_ int hold_r = -1, error_w = -1;
	int hold[2], error[2], r;

	if (pipe2(hold, O_CLOEXEC) < 0)
		return -errno;
	hold_r = hold[0];
	cmd.release_fd = hold[1];
	if (pipe2(error, O_CLOEXEC) < 0)
		return -errno;
	cmd.error_fd = error[0];
	error_w = error[1];
	cmd.pid = fork();
	if (cmd.pid < 0)
		return -errno;
	if (!cmd.pid) {
		/* Its own copy of the writing end would keep the pipe open. */
		close(cmd.release_fd);
		run_child(c, path, user, hold_r, error_w);
	}
	closep(&error_w);
	error_w = -1;
	r = wait_prepared(cmd.error_fd);
	if (r < 0)
		return r;
	*ret = cmd;
	cmd = COMMAND_NONE;
	return 0;
}

int command_start(const struct config *c, struct command *ret, char *err, size_t err_size)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_(user_done) struct user user = { 0 };
	int r = c->user ? user_find(c->user, &user) : 0;

	if (r < 0) {
		if (r == -ENOENT || r == -EINVAL)
			snprintf(err, err_size, "-u: no user '%s'", c->user);
		else
			snprintf(err, err_size, "-u: cannot look up '%s': %s", c->user, strerror(-r));
		return EXIT_OWN_FAILURE;
	}
	r = find_file(c->command[0], &path);
	if (r) {
		snprintf(err, err_size, "%s: %s", c->command[0],
			 errno == ENOENT && !strchr(c->command[0], '/') ? "command not found" : strerror(errno));
		return r;
	}
	r = start_child(c, path, c->user ? &user : NULL, ret);
	if (r < 0) {
		snprintf(err, err_size, "cannot start %s: %s", c->command[0], strerror(-r));
		return EXIT_OWN_FAILURE;
	}
	return 0;
}

int command_exec_error(const struct command *cmd)
{
	int error;

	return cmd->error_fd >= 0 && read(cmd->error_fd, &error, sizeof(error)) == sizeof(error) ? error : 0;
}

void command_done(struct command *cmd)
{
	closep(&cmd->release_fd);
	closep(&cmd->error_fd);
	*cmd = COMMAND_NONE;
}

void command_cancel(struct command *cmd)
{
	pid_t pid = cmd->pid;

	command_done(cmd);
	if (pid <= 0)
		return;
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

int command_exit_status(int wait_status)
{
	struct rlimit no_core = { 0, 0 };
	struct sigaction dfl = { .sa_handler = SIG_DFL };
	sigset_t mask;
	int signo;

	if (!WIFSIGNALED(wait_status))
		return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : EXIT_OWN_FAILURE;
	signo = WTERMSIG(wait_status);
	/* COMMAND has left its core; ctrace's would only overwrite it. */
	setrlimit(RLIMIT_CORE, &no_core);
	sigaction(signo, &dfl, NULL);
	sigemptyset(&mask);
	sigaddset(&mask, signo);
	sigprocmask(SIG_UNBLOCK, &mask, NULL);
	kill(getpid(), signo);
	return 128 + signo;
}
