/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/idle.h"

#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>

int idle(void)
{
	sigset_t set;
	int signal = 0;

	/* As process 1 it gets no signal that it does not ask for. What an exec session leaves behind becomes its child. */
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	do {
		sigwait(&set, &signal);
		while (signal == SIGCHLD && waitpid(-1, NULL, WNOHANG) > 0)
			;
	} while (signal == SIGCHLD);
	return 0;
}
