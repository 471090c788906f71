/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "stack/maps.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/macros.h"
#include "util/regular.h"

#define MAPPINGS_MAX 65536      /* vm.max_map_count is 65530 */

/* One line: "start-end perms offset major:minor inode   path". False for one that is not so. */
static bool parse_line(char *line, struct mapping *m, uint64_t *ret_device, uint64_t *ret_inode)
{
	unsigned major, minor;
	int at = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*4s %" SCNx64 " %x:%x %" SCNu64 " %n", &m->start, &m->end, &m->offset, &major, &minor,
		   ret_inode, &at) < 6 || m->start >= m->end)
		return false;
	*ret_device = (uint64_t)major << 32 | minor;
	m->file = SIZE_MAX;
	m->path = strdup(at ? line + at : "");
	return m->path;
}

static void add_hash(struct maps *m, uint64_t v)
{
	m->hash = (m->hash ^ v) * 0x100000001b3ull;
}

/* The file of a mapping; one whose mappings are not beside each other is two. */
static int add_file(struct maps *m, const struct mapping *map, uint64_t device, uint64_t inode, size_t *ret_file)
{
	struct mapped_file *last = m->n_files ? &m->files[m->n_files - 1] : NULL, *more;

	if (last && last->device == device && last->inode == inode && map->offset && map->start - last->base < 1ull << 40) {
		last->end = map->end;
		*ret_file = m->n_files - 1;
		return 0;
	}
	more = reallocarray(m->files, m->n_files + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	m->files = more;
	more[m->n_files] = (struct mapped_file){ .base = map->start - map->offset, .end = map->end, .fd = -1, .device = device,
						 .inode = inode, .path = map->path };
	*ret_file = m->n_files++;
	return 0;
}

static int add_mapping(struct maps *m, char *line)
{
	struct mapping map, *more;
	uint64_t device, inode;
	int err = 0;

	if (!parse_line(line, &map, &device, &inode))
		return 0;
	more = reallocarray(m->v, m->n + 1, sizeof(*more));
	if (!more) {
		free(map.path);
		return -ENOMEM;
	}
	m->v = more;
	/* Nothing of a device is a program. */
	if (inode && map.path[0] == '/' && strncmp(map.path, "/dev/", 5))
		err = add_file(m, &map, device, inode, &map.file);
	m->v[m->n++] = map;
	add_hash(m, map.start);
	add_hash(m, map.end);
	add_hash(m, inode);
	return err;
}

/*
 * The very file, whatever has become of its name, and whatever mount namespace
 * that is in. What is no regular file is left alone.
 */
static int open_file(int proc_fd, pid_t pid, const struct mapping *m)
{
	_cleanup_close_ int fd = -1;
	char name[96];

	snprintf(name, sizeof(name), "%d/map_files/%" PRIx64 "-%" PRIx64, (int)pid, m->start, m->end);
	fd = openat(proc_fd, name, O_PATH | O_CLOEXEC);
	return fd < 0 ? -1 : regular_reopen(fd, NULL);
}

static void open_files(struct maps *m, int proc_fd, pid_t pid)
{
	for (size_t i = 0; i < m->n; i++) {
		size_t file = m->v[i].file;

		/* A file has an index only when it is in the list. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
		if (file != SIZE_MAX && m->files[file].fd < 0)
			m->files[file].fd = open_file(proc_fd, pid, &m->v[i]);
	}
}

int maps_read(int proc_fd, pid_t pid, struct maps **ret_maps)
{
	_cleanup_close_ int fd = -1;
	struct maps *m;
	char name[64], *line = NULL;
	size_t size = 0;
	FILE *f;
	int err = 0;

	snprintf(name, sizeof(name), "%d/maps", (int)pid);
	fd = openat(proc_fd, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	f = fdopen(fd, "re");
	if (!f)
		return -errno;
	TAKE_FD(fd);
	m = calloc(1, sizeof(*m));
	if (!m) {
		fclose(f);
		return -ENOMEM;
	}
	m->root_fd = -1;
	while (!err && m->n < MAPPINGS_MAX && getline(&line, &size, f) > 0)
		err = add_mapping(m, line);
	free(line);
	fclose(f);
	/* A process that has ended has an empty one. */
	if (!err && !m->n)
		err = -ESRCH;
	if (err) {
		maps_free(m);
		return err;
	}
	open_files(m, proc_fd, pid);
	snprintf(name, sizeof(name), "%d/root", (int)pid);
	m->root_fd = openat(proc_fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	*ret_maps = m;
	return 0;
}

void maps_free(struct maps *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->n; i++)
		free(m->v[i].path);
	for (size_t i = 0; i < m->n_files; i++)
		if (m->files[i].fd >= 0)
			close(m->files[i].fd);
	if (m->root_fd >= 0)
		close(m->root_fd);
	free(m->v);
	free(m->files);
	free(m);
}

const struct mapping *maps_find(const struct maps *m, uint64_t address)
{
	size_t low = 0, high = m->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (address < m->v[mid].start)
			high = mid;
		else if (address >= m->v[mid].end)
			low = mid + 1;
		else
			return &m->v[mid];
	}
	return NULL;
}
