/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_NS_ARRAY_H
#define CTRACE_NS_ARRAY_H
/* Growing arrays of any element: a pointer and the number of elements it has room for. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static inline int array_reserve_(void **v, size_t *allocated, size_t want, size_t size)
{
	size_t n = *allocated ? *allocated : 8;
	void *p;

	if (want <= *allocated)
		return 0;
	while (n < want) {
		if (n > SIZE_MAX / 2 / size)
			return -ENOMEM;
		n *= 2;
	}
	p = realloc(*v, n * size);
	if (!p)
		return -ENOMEM;
	*v = p;
	*allocated = n;
	return 0;
}

/* Makes room for want elements in all. 0 or -ENOMEM, with the array as it was. */
#define ARRAY_RESERVE(v, allocated, want)                                               \
	({                                                                              \
		void *_v = (v);                                                         \
		int _r = array_reserve_(&_v, &(allocated), (want), sizeof(*(v)));       \
		(v) = _v;                                                               \
		_r;                                                                     \
	})

#endif
