/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/message.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

static size_t scrub(char *out, const char *text)
{
	char *start = out;

	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (*p >= ' ' && *p < 0x7f) {
			*out++ = (char)*p;
			continue;
		}
		*out++ = '\\';
		*out++ = (char)('0' + (*p >> 6));
		*out++ = (char)('0' + ((*p >> 3) & 7));
		*out++ = (char)('0' + (*p & 7));
	}
	return (size_t)(out - start);
}

void say(const char *format, ...)
{
	static const char prefix[] = "ctrace: ";
	_cleanup_free_ char *text = NULL, *line = NULL;
	size_t len, done = 0;
	va_list ap;
	int r;

	va_start(ap, format);
	r = vasprintf(&text, format, ap);
	va_end(ap);
	if (r < 0) {
		text = NULL;
		return;
	}
	line = malloc(sizeof(prefix) + 4 * (size_t)r + 1);
	if (!line)
		return;
	memcpy(line, prefix, sizeof(prefix) - 1);
	len = sizeof(prefix) - 1;
	len += scrub(line + len, text);
	line[len++] = '\n';
	while (done < len) {
		ssize_t n = write(STDERR_FILENO, line + done, len - done);

		if (n < 0 && errno != EINTR)
			return;
		done += n < 0 ? 0 : (size_t)n;
	}
}

void say_line(const char *line, void *data _unused_)
{
	say("%s", line);
}
