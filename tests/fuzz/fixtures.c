/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fixtures.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char **files;            /* of the last call */
static size_t n_files;

static int add(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)ftw;
	if (type != FTW_F)
		return 0;
	files = realloc(files, (n_files + 2) * sizeof(*files));
	if (!files || !(files[n_files++] = strdup(path)))
		abort();
	files[n_files] = NULL;
	return 0;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **fixture_files(const char *directory, size_t *ret_n)
{
	for (size_t i = 0; i < n_files; i++)
		free(files[i]);
	n_files = 0;
	if (nftw(directory, add, 16, FTW_PHYS) || !n_files) {
		fprintf(stderr, "no files below %s\n", directory);
		exit(1);
	}
	qsort(files, n_files, sizeof(*files), compare);
	*ret_n = n_files;
	return files;
}
