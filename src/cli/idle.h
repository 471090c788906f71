/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CLI_IDLE_H
#define CTRACE_CLI_IDLE_H
/* ctrace idle: keeps a pod of a DaemonSet alive, in which others run ctrace by kubectl exec. Its image has no other program. */

/* Waits, with no program loaded, for SIGTERM, SIGINT or SIGHUP; the exit status. */
int idle(void);

#endif
