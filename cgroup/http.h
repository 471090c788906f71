/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CGROUP_HTTP_H
#define CTRACE_CGROUP_HTTP_H
/*
 * Asks a daemon: HTTP GET over its Unix socket, by libcurl, which is loaded
 * when the first question is asked. So nobody pays for it who asks nothing,
 * and ctrace runs where it is not installed. A static ctrace cannot load it.
 */
#include <stddef.h>

#include "util/macros.h"

struct http;

#define HTTP_WAIT_MS    1000            /* for one answer */
#define HTTP_TOTAL_MS   2000            /* for all that is asked of one daemon */
#define HTTP_ANSWER_MAX (8u << 20)

/* NULL: questions can be asked; else why not, in words. */
const char *http_missing(void);

/* socket_fd: a descriptor of the socket, O_PATH is enough; not owned, and open as long as the object. -ENOSYS: see http_missing(); -ENOMEM. */
int http_open(int socket_fd, struct http **ret_http);
void http_close(struct http *h);
DEFINE_CLEANUP(struct http *, http_close)

/*
 * path: from the slash on, with its query. What the answer holds when its
 * status is 200, with a NUL behind it. -EACCES, -ECONNREFUSED ...: as connect(2);
 * -ETIMEDOUT; -EPROTO: it is no HTTP, or ends too early; -EBADMSG: another
 * status; -EFBIG; -ENOMEM.
 */
int http_get(struct http *h, const char *path, char **ret_text, size_t *ret_len);

#endif
