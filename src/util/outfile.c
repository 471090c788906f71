/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "util/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/macros.h"
#include "util/outparts.h"

#define BUFFER_SIZE (192 * 1024)
#define FLUSH_SIZE  (128 * 1024)
#define COUNTED_MAX 8192

struct outfile {
	int fd;
	bool owned;                     /* fd is ours to close */
	pid_t command;                  /* of "|cmd", 0: none */
	int error;                      /* the first one, negative */
	struct strbuf buf;
	size_t line_start;              /* of the line that is being written */
	uint64_t counted;
	/* Where in buf the counted lines end, for writes that fail half way. */
	unsigned n_ends;
	size_t ends[COUNTED_MAX];
	/* Files beside it: what of buf goes where. */
	struct outparts *parts;         /* NULL: none */
	struct outpart_run *runs;       /* COUNTED_MAX of them */
	unsigned n_runs;
	uint32_t part;                  /* of the line that is being written; 0: the file itself */
};

static int outfile_new(int fd, bool owned, struct outfile **ret_out)
{
	struct outfile *o = calloc(1, sizeof(*o));

	if (!o)
		return -ENOMEM;
	if (!strbuf_grow(&o->buf, BUFFER_SIZE)) {
		free(o);
		return -ENOMEM;
	}
	o->fd = fd;
	o->owned = owned;
	*ret_out = o;
	return 0;
}

/* In the child. Only async-signal-safe functions. */
static _Noreturn void run_command(const char *command, int fd)
{
	sigset_t none;

	/* Ctrl-C ends the trace; the command then reads the end of its input. */
	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (fd == STDIN_FILENO) {
		if (fcntl(fd, F_SETFD, 0) < 0)
			_exit(126);
	} else if (dup2(fd, STDIN_FILENO) < 0) {
		_exit(126);
	}
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

static int open_command(const char *command, struct outfile **ret_out)
{
	_cleanup_close_ int read_end = -1;
	_cleanup_close_ int write_end = -1;
	int fds[2], r;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	read_end = fds[0];
	write_end = fds[1];
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0)
		run_command(command, read_end);
	r = outfile_new(write_end, true, ret_out);
	if (r < 0)
		return r;       /* the command reads the end of its input */
	TAKE_FD(write_end);
	(*ret_out)->command = pid;
	return 0;
}

int outfile_open(const char *path, bool append, struct outfile **ret_out)
{
	_cleanup_close_ int fd = -1;
	int r;

	if (path[0] == '|' || path[0] == '!')
		return open_command(path + 1, ret_out);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | (append ? O_APPEND : O_TRUNC), 0666);
	if (fd < 0)
		return -errno;
	r = outfile_new(fd, true, ret_out);
	if (r < 0)
		return r;
	TAKE_FD(fd);
	return 0;
}

int outfile_open_fd(int fd, struct outfile **ret_out)
{
	return outfile_new(fd, false, ret_out);
}

int outfile_open_parts(const char *path, bool append, struct outfile **ret_out)
{
	struct outfile *o = NULL;
	int r = outfile_open(path, append, &o);

	if (r < 0)
		return r;
	/* An errno is above zero. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
	o->runs = calloc(COUNTED_MAX, sizeof(*o->runs));
	r = o->runs ? outparts_new(path, append, &o->parts) : -ENOMEM;
	if (r < 0) {
		outfile_close(o);
		return r;
	}
	*ret_out = o;
	return 0;
}

bool outfile_has_parts(const struct outfile *o)
{
	return o->parts;
}

void outfile_part(struct outfile *o, uint32_t key, const char *suffix)
{
	if (!o->parts)
		return;
	o->part = outparts_part(o->parts, key, suffix);
	if (!o->part)
		o->buf.failed = true;
}

void outfile_part_end(struct outfile *o, uint32_t key)
{
	if (o->parts)
		outparts_end(o->parts, key);
}

struct strbuf *outfile_begin(struct outfile *o)
{
	o->part = 0;
	o->line_start = o->buf.len;
	return &o->buf;
}

int outfile_end(struct outfile *o, bool counted)
{
	if (o->buf.failed) {
		o->buf.failed = false;
		o->buf.len = o->line_start;
		return o->error ? o->error : -ENOMEM;
	}
	if (o->error) {
		o->buf.len = o->line_start;
		return o->error;
	}
	if (o->parts && o->buf.len > o->line_start)
		o->runs[o->n_runs++] = (struct outpart_run){ o->part, o->line_start, o->buf.len, counted };
	else if (counted)
		o->ends[o->n_ends++] = o->buf.len;
	if (o->buf.len < FLUSH_SIZE && o->n_ends < COUNTED_MAX && o->n_runs < COUNTED_MAX)
		return 0;
	return outfile_flush(o);
}

/* Streams may be non-blocking: someone else set it on a shared open file. */
static int wait_writable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	if (poll(&p, 1, -1) < 0 && errno != EINTR)
		return -errno;
	return 0;
}

static int write_all(int fd, const char *data, size_t len, size_t *ret_written)
{
	size_t done = 0;
	int r = 0;

	while (done < len && r == 0) {
		ssize_t n = write(fd, data + done, len - done);

		if (n > 0)
			done += (size_t)n;
		else if (n == 0)
			r = -EIO;
		else if (errno == EAGAIN)
			r = wait_writable(fd);
		else if (errno != EINTR)
			r = -errno;
	}
	*ret_written = done;
	return r;
}

/* The lines of the file itself, then those of the others. */
static int flush_parts(struct outfile *o)
{
	unsigned n = 0;
	int r = 0;

	for (unsigned i = 0; i < o->n_runs && r == 0; i++) {
		struct outpart_run *run = &o->runs[i];
		size_t written;

		if (run->part) {
			o->runs[n++] = *run;
			continue;
		}
		r = write_all(o->fd, o->buf.buf + run->start, run->end - run->start, &written);
		o->counted += r == 0 && run->counted;
	}
	if (r == 0)
		r = outparts_write(o->parts, o->buf.buf, o->runs, n);
	for (unsigned i = 0; i < n; i++)
		o->counted += o->runs[i].counted && o->runs[i].start == o->runs[i].end;
	o->n_runs = 0;
	strbuf_reset(&o->buf);
	o->error = r;
	return r;
}

int outfile_flush(struct outfile *o)
{
	size_t written = 0;
	int r;

	if (o->error)
		return o->error;
	if (o->buf.len == 0)
		return 0;
	if (o->parts)
		return flush_parts(o);
	r = write_all(o->fd, o->buf.buf, o->buf.len, &written);
	for (unsigned i = 0; i < o->n_ends && o->ends[i] <= written; i++)
		o->counted++;
	o->n_ends = 0;
	strbuf_reset(&o->buf);
	o->error = r;
	return r;
}

uint64_t outfile_counted(const struct outfile *o)
{
	return o->counted;
}

bool outfile_is_terminal(const struct outfile *o)
{
	return isatty(o->fd) == 1;
}

pid_t outfile_reader(const struct outfile *o)
{
	return o->command;
}

static int wait_command(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return errno == ECHILD ? 0 : -errno;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return -ENOENT;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 126)
		return -EACCES;
	return 0;
}

int outfile_close(struct outfile *o)
{
	int r, q = 0;

	if (!o)
		return 0;
	r = outfile_flush(o);
	/* NFS and quotas report at close what did not fit. */
	if (o->owned && close(o->fd) < 0 && errno != EINTR)
		q = -errno;
	if (r == 0)
		r = q;
	if (o->command) {
		q = wait_command(o->command);
		if (r == 0 || r == -EPIPE)
			r = q ? q : r;
	}
	outparts_free(o->parts);
	free(o->runs);
	strbuf_done(&o->buf);
	free(o);
	return r;
}
