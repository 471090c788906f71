/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_UTIL_THREAD_H
#define CTRACE_UTIL_THREAD_H
#include <pthread.h>

/* Starts a thread that gets no signals: those are the main thread's. 0 or a negative errno. */
int thread_start(pthread_t *ret_thread, void *(*run)(void *data), void *data);

#endif
