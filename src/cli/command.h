/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CLI_COMMAND_H
#define CTRACE_CLI_COMMAND_H
/* COMMAND: a child that waits, with everything prepared, for one byte before it executes. */
#include <stddef.h>
#include <sys/types.h>

#include "cli/config.h"

/* Exit statuses as env(1) and the shells have them. */
enum { EXIT_OWN_FAILURE = 125, EXIT_CANNOT_EXECUTE = 126, EXIT_NOT_FOUND = 127 };

struct command {
	pid_t pid;              /* 0: none */
	int release_fd;         /* a byte written here lets it execute; closed: it ends */
	int error_fd;           /* the errno of a failed exec comes here */
};

#define COMMAND_NONE ((struct command){ .release_fd = -1, .error_fd = -1 })

/*
 * Starts c->command. 0, or an exit status (125 to 127) with the reason in err.
 * The child has the signal mask and dispositions that were in force when
 * command_signals_save() was called.
 */
int command_start(const struct config *c, struct command *ret, char *err, size_t err_size);
/* Why the exec failed, once COMMAND has ended: an errno; 0 when it worked. */
int command_exec_error(const struct command *cmd);
/* Closes the pipes. Takes an empty one. */
void command_done(struct command *cmd);
/* The same for a child that was not released: it ends and is reaped. */
void command_cancel(struct command *cmd);

/* Remembers the caller's signal mask, then blocks SIGINT, SIGTERM and SIGHUP and ignores SIGPIPE. */
int command_signals_save(void);

/* COMMAND's wait status as ctrace's own exit status; ends ctrace by the same signal if it died of one. */
int command_exit_status(int wait_status);

#endif
