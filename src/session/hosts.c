/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "session/hosts.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

#define NAMES    4096           /* of a file */
#define NAME_LEN 255            /* of a name: DNS has no longer ones */

struct host {
	uint8_t address[16];
	const char *name;               /* in text */
};

struct hosts {
	char *text;
	size_t n;
	struct host v[];
};

DEFINE_CLEANUP(struct hosts *, hosts_free)

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* The next word from *p up to end, NUL-terminated in place; NULL: there is none. end is writable. */
static char *next_word(char **p, char *end)
{
	char *word = *p, *stop;

	while (word < end && is_blank(*word))
		word++;
	for (stop = word; stop < end && !is_blank(*stop); stop++)
		;
	if (stop == word)
		return NULL;
	*p = stop < end ? stop + 1 : end;
	*stop = '\0';
	/* One with a NUL of its own is none. */
	return strlen(word) == (size_t)(stop - word) ? word : NULL;
}

static bool read_address(const char *text, uint8_t address[static 16])
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	memcpy(address, mapped, sizeof(mapped));
	return inet_pton(AF_INET, text, address + sizeof(mapped)) == 1 || inet_pton(AF_INET6, text, address) == 1;
}

static void read_line(struct hosts *h, char *line, char *end)
{
	char *comment = memchr(line, '#', (size_t)(end - line)), *address, *name;
	struct host *host = &h->v[h->n];

	if (comment)
		end = comment;
	address = next_word(&line, end);
	name = address ? next_word(&line, end) : NULL;
	if (!name || strlen(name) > NAME_LEN || !read_address(address, host->address))
		return;
	host->name = name;
	h->n++;
}

struct hosts *hosts_parse(const char *bytes, size_t len)
{
	_cleanup_(hosts_freep) struct hosts *h = calloc(1, sizeof(*h) + NAMES * sizeof(h->v[0]));
	struct hosts *smaller;
	char *p, *end;

	if (!h)
		return NULL;
	h->text = malloc(len + 1);
	if (!h->text)
		return NULL;
	memcpy(h->text, bytes, len);
	h->text[len] = '\n';
	end = h->text + len;
	for (p = h->text; p < end && h->n < NAMES;) {
		char *stop = memchr(p, '\n', (size_t)(end - p) + 1);

		read_line(h, p, stop);
		p = stop + 1;
	}
	smaller = realloc(h, sizeof(*h) + h->n * sizeof(h->v[0]));
	if (smaller)
		h = smaller;
	return TAKE_PTR(h);
}

void hosts_free(struct hosts *h)
{
	if (h)
		free(h->text);
	free(h);
}

const char *hosts_name(const struct hosts *h, const uint8_t address[static 16])
{
	for (size_t i = 0; i < h->n; i++) {
		if (!memcmp(h->v[i].address, address, sizeof(h->v[i].address)))
			return h->v[i].name;
	}
	return NULL;
}
