/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ctrace-docs DIR: writes the generated files below DIR (the tree's deploy/) again. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "cli/generate.h"
#include "util/macros.h"

static int fail(const char *path)
{
	fprintf(stderr, "ctrace-docs: %s: %s\n", path, strerror(errno));
	return 1;
}

/* Copies old to f with the marked part replaced; the markers stay. 0 or -EINVAL: no such part. */
static int replace_part(FILE *old, FILE *f, const struct generated *g)
{
	_cleanup_free_ char *line = NULL;
	bool inside = false, found = false;
	size_t size = 0;

	while (getline(&line, &size, old) > 0) {
		if (inside && !strncmp(line, g->end, strlen(g->end)))
			inside = false;
		if (!inside)
			fputs(line, f);
		if (!inside && !strncmp(line, g->begin, strlen(g->begin))) {
			g->write(f);
			inside = found = true;
		}
	}
	return found && !inside ? 0 : -EINVAL;
}

static int update(const char *dir, const struct generated *g)
{
	_cleanup_free_ char *text = NULL;
	_cleanup_fclose_ FILE *old = NULL;
	char path[PATH_MAX];
	size_t size;
	FILE *f;
	int r = 0;

	snprintf(path, sizeof(path), "%s/%s", dir, g->path);
	f = open_memstream(&text, &size);
	if (!f)
		return fail(path);
	if (g->begin) {
		old = fopen(path, "re");
		r = old ? replace_part(old, f, g) : -errno;
	} else {
		g->write(f);
	}
	if (fclose(f) || r < 0) {
		errno = r < 0 ? -r : errno;
		return fail(path);
	}
	f = fopen(path, "we");
	if (!f)
		return fail(path);
	fwrite(text, 1, size, f);
	return fclose(f) ? fail(path) : 0;
}

int main(int argc, char **argv)
{
	int failed = 0;

	if (argc != 2) {
		fputs("usage: ctrace-docs DIR\n", stderr);
		return 2;
	}
	for (unsigned i = 0; i < n_generated_files; i++)
		failed |= update(argv[1], &generated_files[i]);
	return failed;
}
