/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "util/thread.h"

#include <signal.h>

int thread_start(pthread_t *ret_thread, void *(*run)(void *data), void *data)
{
	sigset_t all, old;
	int r;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	r = pthread_create(ret_thread, NULL, run, data);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -r;
}
