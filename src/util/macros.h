/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_UTIL_MACROS_H
#define CTRACE_UTIL_MACROS_H
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* Cleanup at the end of a scope, after systemd's manner: _cleanup_(closep) int fd = -1; */
#define _cleanup_(f) __attribute__((cleanup(f)))
#define _cleanup_free_ _cleanup_(freep)
#define _cleanup_close_ _cleanup_(closep)
#define _cleanup_fclose_ _cleanup_(fclosep)
#define _cleanup_closedir_ _cleanup_(closedirp)
#define _printf_(a, b) __attribute__((format(printf, a, b)))
#define _unused_ __attribute__((unused))

/* Hands over ownership: the variable is left empty. */
#define TAKE_PTR(p)                             \
	({                                      \
		__typeof__(p) *_pp = &(p);      \
		__typeof__(p) _t = *_pp;        \
		*_pp = NULL;                    \
		_t;                             \
	})
#define TAKE_FD(fd)                             \
	({                                      \
		int *_pfd = &(fd);              \
		int _t = *_pfd;                 \
		*_pfd = -1;                     \
		_t;                             \
	})

/* Defines TYPEp(), for _cleanup_(), from a free function that takes NULL. */
#define DEFINE_CLEANUP(type, function)                  \
	static inline void function##p(type *p)         \
	{                                               \
		function(*p);                           \
	}

static inline void freep(void *p)
{
	free(*(void **)p);
}

static inline void closep(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static inline void fclosep(FILE **f)
{
	if (*f)
		fclose(*f);
}

static inline void closedirp(DIR **d)
{
	if (*d)
		closedir(*d);
}

#endif
